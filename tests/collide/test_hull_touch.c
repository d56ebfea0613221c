/* What hulls, boxes and planes touch with, against separating axes by brute force in double. */
#include "tests/support/test.h"

#include "collide/hull.h"
#include "collide/narrow.h"
#include "core/math.h"
#include "tests/collide/polyhedra.h"

#define R(x) ((lode_real)(x))

/* Of the size, which is about 1. */
#ifdef LODE_DOUBLE
#define ROUNDING 1e-9
#else
#define ROUNDING 2e-5
#endif

static const lode_real speculative = R(0.008);

/* What an axis may be worse by, to be preferred: see collide/hull_axes.inl. */
#define FORGIVEN(depth) (fmax(depth, 0) * (1 / (0.95 * 0.98) - 1) + 0.1 * (double)speculative)

static lode_hull *hulls[POLYHEDRA];

static int make_hulls(void **state)
{
    (void)state;
    test_random random = {1};
    for (int i = 0; i < POLYHEDRA; ++i) {
        hulls[i] = polyhedron(&random, i);
        assert_non_null(hulls[i]);
    }
    return 0;
}

static int free_hulls(void **state)
{
    (void)state;
    for (int i = 0; i < POLYHEDRA; ++i)
        lode_hull_release(hulls[i]);
    return 0;
}

static lode_quat quat_of(const double q[4])
{
    return (lode_quat){R(q[0]), R(q[1]), R(q[2]), R(q[3])};
}

static lode__touch touch(lode__touch_fn *function, const body *a, const body *b,
                         const lode_real *size_b)
{
    static const lode_real none[4];
    lode__shape_view va = {none, quat_of(a->q), a->hull};
    lode__shape_view vb = {size_b ? size_b : none, quat_of(b->q), b->hull};
    lode__touch out = {.count = 0};
    lode_vec3 offset = {R(b->at[0] - a->at[0]), R(b->at[1] - a->at[1]), R(b->at[2] - a->at[2])};
    function(&va, &vb, offset, speculative, &out);
    return out;
}

static double deepest(const lode__touch *out)
{
    double most = -1e300;
    for (int k = 0; k < out->count; ++k)
        most = fmax(most, (double)out->depth[k]);
    return most;
}

static void random_turn(test_random *random, double q[4])
{
    double length = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = random_between(random, -1, 1);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i)
        q[i] = (double)(lode_real)(q[i] / sqrt(length));
    length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i)
        q[i] /= length;
}

/* Somewhere near touching. */
static void random_place(test_random *random, const body *a, body *b, double within)
{
    double axis[3], length = 0;
    for (int i = 0; i < 3; ++i) {
        axis[i] = random_between(random, -1, 1);
        length += axis[i] * axis[i];
    }
    for (int i = 0; i < 3; ++i) {
        axis[i] /= sqrt(length);
        b->at[i] = 0;
    }
    double back[3] = {-axis[0], -axis[1], -axis[2]};
    double lo = 0, hi = reach_of(a, axis) + reach_of(b, back) + 0.1,
           aim = random_between(random, -within, 0.02);
    for (int i = 0; i < 9; ++i) {
        double middle = (lo + hi) / 2;
        for (int k = 0; k < 3; ++k)
            b->at[k] = middle * axis[k];
        if (apart_of(a, b) < aim)
            lo = middle;
        else
            hi = middle;
    }
    for (int k = 0; k < 3; ++k)
        b->at[k] = (double)(lode_real)b->at[k];
}

static void check_touch(const body *a, const body *b, const lode__touch *out)
{
    double apart = apart_of(a, b),
           n[3] = {(double)out->normal.x, (double)out->normal.y, (double)out->normal.z};
    if (fabs(apart - (double)speculative) > ROUNDING)
        assert_int_equal(out->count > 0, apart < (double)speculative);
    if (out->count == 0)
        return;
    assert_in_range(out->count, 1, 4);
    assert_true(fabs(dot3(n, n) - 1) < ROUNDING);
    double most = deepest(out), back[3] = {-n[0], -n[1], -n[2]};
    double along = -gap_along(a, b, back); /* how far a has to move along n */
    assert_true(most < along + ROUNDING);
    assert_true(along > -apart - ROUNDING);
    assert_true(along < -apart + FORGIVEN(-apart) + ROUNDING);
    if (apart < 0) { /* the deepest point says it all */
        assert_true(most > -apart - ROUNDING);
        assert_true(most > along - FORGIVEN(-apart) - ROUNDING);
    }
    for (int k = 0; k < out->count; ++k) {
        assert_true(out->depth[k] > -speculative && out->feature[k] != 0);
        for (int j = 0; j < k; ++j)
            assert_true(out->feature[k] != out->feature[j]);
        /* midway between the surfaces: within both shapes, if half the depth is allowed for, and
         * that planes stand outside by a tenth of the margin, at sharp corners by more */
        double p[3] = {(double)out->position[k].x, (double)out->position[k].y,
                       (double)out->position[k].z};
        double half = fabs((double)out->depth[k]) / 2 + (double)speculative * 0.6 + ROUNDING;
        for (int s = 0; s < 2; ++s) {
            const body *solid = s ? b : a;
            for (uint32_t f = 0; f < solid->hull->face_count; ++f) {
                double m[3];
                face_axis(solid, f, m);
                assert_true(dot3(m, p) <
                            reach_of(solid, m) + half + (apart > 0 ? 2 * (double)speculative : 0));
            }
        }
    }
    body moved = *a; /* and parts them */
    for (int i = 0; i < 3; ++i)
        moved.at[i] += n[i] * fmax(along, 0);
    assert_true(apart_of(&moved, b) > -ROUNDING);
}

static void check_swapped(const body *a, const body *b, const lode__touch *out)
{
    lode__touch other = touch(lode__touch_hull_hull, b, a, NULL);
    if (out->count == 0 || other.count == 0)
        return;
    assert_true(fabs(deepest(out) - deepest(&other)) < FORGIVEN(deepest(out)) + ROUNDING);
}

/* The same, elsewhere in the world and turned. */
static void check_turned(test_random *random, const body *a, const body *b, const lode__touch *out)
{
    double q[4], at[3];
    body ta = *a, tb = *b;
    random_turn(random, q);
    const body *from[2] = {a, b};
    body *to[2] = {&ta, &tb};
    for (int s = 0; s < 2; ++s) {
        const double *p = from[s]->q;
        to[s]->q[0] = q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3];
        to[s]->q[1] = q[0] * p[1] + q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
        to[s]->q[2] = q[0] * p[2] - q[1] * p[3] + q[2] * p[0] + q[3] * p[1];
        to[s]->q[3] = q[0] * p[3] + q[1] * p[2] - q[2] * p[1] + q[3] * p[0];
    }
    turn(q, b->at, at);
    for (int i = 0; i < 3; ++i) {
        ta.at[i] = 0;
        tb.at[i] = at[i];
    }
    lode__touch other = touch(lode__touch_hull_hull, &ta, &tb, NULL);
    if (out->count > 0 && other.count > 0)
        assert_true(fabs(deepest(out) - deepest(&other)) < FORGIVEN(deepest(out)) + ROUNDING);
}

static void hulls_touch_as_brute_force_says(void **state)
{
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 1500; ++i) {
        int kind_a = i % POLYHEDRA, kind_b = i / POLYHEDRA % POLYHEDRA;
        if (kind_a + kind_b >= 7 && i % 8 != 0) /* thousands of axes */
            continue;
        body a = {.hull = hulls[kind_a]}, b = {.hull = hulls[kind_b]};
        random_turn(&random, a.q);
        random_turn(&random, b.q);
        random_place(&random, &a, &b, i % 3 ? 0.05 : 0.4);
        lode__touch out = touch(lode__touch_hull_hull, &a, &b, NULL);
        check_touch(&a, &b, &out);
        check_swapped(&a, &b, &out);
        check_turned(&random, &a, &b, &out);
    }
}

static void hulls_touch_boxes_as_brute_force_says(void **state)
{
    (void)state;
    test_random random = {3};
    static const lode_real half[4] = {R(0.3), R(0.5), R(0.7), 0};
    for (int i = 0; i < 1500; ++i) {
        body a = {.hull = hulls[i % (POLYHEDRA - 1)]}, b = {.hull = hulls[0]};
        random_turn(&random, a.q);
        random_turn(&random, b.q);
        random_place(&random, &a, &b, i % 3 ? 0.05 : 0.4);
        lode__touch out = touch(lode__touch_hull_box, &a, &b, half);
        check_touch(&a, &b, &out);
    }
}

static void hulls_touch_planes(void **state)
{
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 20000; ++i) {
        body a = {.hull = hulls[i % POLYHEDRA]}, b = {.q = {1, 0, 0, 0}};
        double q[4], up[3] = {0, 0, 1}, n[3], down[3], p[3];
        random_turn(&random, a.q);
        random_turn(&random, q);
        turn(q, up, n);
        for (int k = 0; k < 3; ++k) {
            n[k] = (double)R(n[k]);
            down[k] = -n[k];
            a.at[k] = (double)R(random_between(&random, -1, 1));
        }
        lode_real size[4] = {R(n[0]), R(n[1]), R(n[2]), 0};
        double lowest = -reach_of(&a, down), height = random_between(&random, -0.1, 0.02);
        size[3] = R(lowest - height); /* so that it reaches to `height` above the plane */
        lode__touch out = touch(lode__touch_hull_plane, &a, &b, size);
        if (fabs(height - (double)speculative) > ROUNDING)
            assert_int_equal(out.count > 0, height < (double)speculative);
        if (out.count == 0)
            continue;
        assert_true(fabs(deepest(&out) + height) < ROUNDING + 0.01 * (double)speculative);
        assert_true(fabs((double)out.normal.x - n[0]) < ROUNDING);
        int within = 0;
        for (uint32_t v = 0; v < a.hull->vertex_count; ++v) {
            place(&a, a.hull->vertices[v], p);
            within += dot3(n, p) - (double)size[3] < (double)speculative - ROUNDING;
        }
        assert_true(out.count >= (within < 3 ? within : 3));
        for (int k = 0; k < out.count; ++k) { /* each is a vertex, moved halfway */
            double least = 1e300;
            for (uint32_t v = 0; v < a.hull->vertex_count; ++v) {
                double off = 0;
                place(&a, a.hull->vertices[v], p);
                double depth = (double)size[3] - dot3(n, p);
                for (int j = 0; j < 3; ++j) {
                    lode_vec3 at = out.position[k];
                    const double x[3] = {(double)at.x, (double)at.y, (double)at.z};
                    off = fmax(off, fabs(p[j] + n[j] * depth / 2 - a.at[j] - x[j]));
                }
                least = fmin(least, off);
            }
            assert_true(least < ROUNDING);
        }
    }
}

/* Points in a box, in units of the hull's size: from a lump to a leaf. */
static lode_hull *make_slab(test_random *random)
{
    static const double thick[] = {1, 0.3, 0.03, 1e-3};
    lode_real slab[16][3];
    int count = 6 + random_below(random, 11), flat = random_below(random, 4);
    double size = random_between(random, 0.5, 5);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k)
            slab[i][k] = R(size * (k == 2 ? thick[flat] : 1) * random_between(random, -1, 1));
    lode_hull_def def = lode_hull_def_default();
    def.points = slab[0];
    def.point_count = count;
    return lode_hull_create(&def);
}

/* Whichever axis was preferred, and whatever clipping has left under a face: moved by the deepest
 * point they are apart. */
static void slabs_part_by_their_deepest_point(void **state)
{
    (void)state;
    test_random random = {6};
    int overlaps = 0;
    for (int i = 0; i < 3000; ++i) {
        lode_hull *hull_a = make_slab(&random), *hull_b = make_slab(&random);
        if (hull_a && hull_b) {
            body a = {.hull = hull_a}, b = {.hull = hull_b};
            random_turn(&random, a.q);
            random_turn(&random, b.q);
            random_place(&random, &a, &b, i % 2 ? 0.05 : 2);
            lode__touch out = touch(lode__touch_hull_hull, &a, &b, NULL);
            double most = fmax(deepest(&out), 0);
            overlaps += most > 0;
            a.at[0] += most * (double)out.normal.x;
            a.at[1] += most * (double)out.normal.y;
            a.at[2] += most * (double)out.normal.z;
            assert_true(apart_of(&a, &b) > -ROUNDING);
        }
        lode_hull_release(hull_a);
        lode_hull_release(hull_b);
    }
    assert_true(overlaps > 1000);
}

/* Face on face, with noise: four points, and the same names. */
static void resting_boxes_keep_their_names(void **state)
{
    (void)state;
    test_random random = {5};
    for (int kind = 0; kind <= 2; kind += 2) {
        uint32_t names[4] = {0};
        double height = kind ? 0.5 : 0.7;
        double noise = kind ? 2e-5 : 1e-4; /* of six corners, four are chosen */
        for (int i = 0; i < 1000; ++i) {
            body a = {.hull = hulls[kind], .q = {1, 0, 0, 0}}, b = a;
            for (int k = 0; k < 3; ++k) {
                b.q[k + 1] = random_between(&random, -noise, noise);
                b.at[k] = random_between(&random, -noise, noise);
            }
            b.at[2] += 2 * height;
            lode__touch out = touch(lode__touch_hull_hull, &a, &b, NULL);
            assert_int_equal(out.count, 4);
            for (int k = 0; k < 4; ++k) {
                bool known = false;
                for (int j = 0; j < 4; ++j)
                    known = known || out.feature[k] == names[j];
                assert_true(i == 0 || known);
            }
            for (int k = 0; k < 4 && i == 0; ++k)
                names[k] = out.feature[k];
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_touch_as_brute_force_says),
        cmocka_unit_test(hulls_touch_boxes_as_brute_force_says),
        cmocka_unit_test(hulls_touch_planes),
        cmocka_unit_test(slabs_part_by_their_deepest_point),
        cmocka_unit_test(resting_boxes_keep_their_names),
    };
    return cmocka_run_group_tests(tests, make_hulls, free_hulls);
}

/* Hulls against spheres, capsules and cylinders: the general methods' depths against sampled
 * supports in double, and closed forms where a sphere is outside. */
#include "tests/support/test.h"

#include "collide/hull.h"
#include "collide/narrow.h"
#include "core/math.h"
#include "tests/collide/polyhedra.h"

#define R(x) ((lode_real)(x))

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9
#else
#define ROUNDING 1e-5
#endif

static const lode_real speculative = R(0.008);

/* A sphere, capsule or cylinder. */
typedef struct round {
    lode_real size[4];
    double q[4], at[3];
    int kind;
} round_solid;

enum { SPHERE, CAPSULE, CYLINDER, KINDS };

static void round_axis(const round_solid *s, double out[3])
{
    const double z[3] = {0, 0, 1};
    turn(s->q, z, out);
}

/* How far the solid reaches along the unit vector `axis`. */
static double round_reach(const round_solid *s, const double axis[3])
{
    double along[3], r = (double)s->size[0], h = (double)s->size[1];
    round_axis(s, along);
    double c = dot3(along, axis), at = dot3(axis, s->at);
    switch (s->kind) {
    case SPHERE:
        return at + r;
    case CAPSULE:
        return at + r + h * fabs(c);
    default:
        return at + h * fabs(c) + r * sqrt(fmax(0, 1 - c * c));
    }
}

/* The hull's vertices where they are. */
static double placed[64][3];
static uint32_t placed_count;

static void place_all(const body *hull)
{
    placed_count = hull->hull->vertex_count;
    for (uint32_t v = 0; v < placed_count; ++v)
        place(hull, hull->hull->vertices[v], placed[v]);
}

/* How far they overlap along `axis`, from the hull to the solid. */
static double overlap(const round_solid *s, const double axis[3])
{
    double most = -1e300;
    for (uint32_t v = 0; v < placed_count; ++v)
        most = fmax(most, dot3(axis, placed[v]));
    const double back[3] = {-axis[0], -axis[1], -axis[2]};
    return most + round_reach(s, back);
}

/* The least overlap of all directions: from the best of many, downhill. */
static double least_overlap(const round_solid *s, test_random *random)
{
    double best[3] = {0, 0, 1}, least = 1e300;
    for (int i = 0; i < 400; ++i) {
        double v[3], length = 0;
        for (int k = 0; k < 3; ++k) {
            v[k] = random_between(random, -1, 1);
            length += v[k] * v[k];
        }
        for (int k = 0; k < 3; ++k)
            v[k] /= sqrt(length);
        double here = overlap(s, v);
        if (here < least) {
            least = here;
            memcpy(best, v, sizeof best);
        }
    }
    for (double width = 0.2; width > 1e-7; width *= 0.88)
        for (int i = 0; i < 30; ++i) {
            double v[3], length = 0;
            for (int k = 0; k < 3; ++k) {
                v[k] = best[k] + random_between(random, -width, width);
                length += v[k] * v[k];
            }
            for (int k = 0; k < 3; ++k)
                v[k] /= sqrt(length);
            double here = overlap(s, v);
            if (here < least) {
                least = here;
                memcpy(best, v, sizeof best);
            }
        }
    return least;
}

static lode__touch_fn *const functions[KINDS] = {lode__touch_hull_sphere, lode__touch_hull_capsule,
                                                 lode__touch_hull_cylinder};

static lode_quat quat_of(const double q[4])
{
    return (lode_quat){R(q[0]), R(q[1]), R(q[2]), R(q[3])};
}

static lode__touch touch(const body *a, const round_solid *b)
{
    static const lode_real none[4];
    lode__shape_view va = {none, quat_of(a->q), a->hull}, vb = {b->size, quat_of(b->q), NULL};
    lode__touch out = {.count = 0};
    functions[b->kind](&va, &vb, v3(R(b->at[0]), R(b->at[1]), R(b->at[2])), speculative, &out);
    return out;
}

static void random_turn(test_random *random, double q[4])
{
    double length = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = random_between(random, -1, 1);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i)
        q[i] /= sqrt(length);
}

static void check(const body *a, const round_solid *b, test_random *random)
{
    lode__touch out = touch(a, b);
    double least = least_overlap(b, random), most = -1e300;
    if (fabs(least + (double)speculative) > 1e-4)
        assert_int_equal(out.count > 0, least > -(double)speculative);
    if (out.count == 0)
        return;
    double n[3] = {(double)out.normal.x, (double)out.normal.y, (double)out.normal.z};
    const double axis[3] = {-n[0], -n[1], -n[2]};
    assert_true(fabs(dot3(n, n) - 1) < ROUNDING);
    for (int k = 0; k < out.count; ++k)
        most = fmax(most, (double)out.depth[k]);
    double along = overlap(b, axis); /* exact for whatever normal it is */
    assert_true(most < along + ROUNDING + 0.05 * (double)speculative);
    /* a gap is that of the normal; by the depth they part */
    round_solid moved = *b;
    for (int k = 0; k < 3; ++k)
        moved.at[k] -= n[k] * most;
    assert_true(most > 0 || fabs(along - most) < ROUNDING + 0.05 * (double)speculative);
    assert_true(most <= 0 || least_overlap(&moved, random) < 1e-4 + 0.05 * (double)speculative);
    /* some direction's overlap it is: not more than the least that sampling finds, but for a face
     * that is preferred */
    assert_true(most < fmax(least, least * 1.05) + 0.1 * (double)speculative + 1e-4);
}

static void hulls_touch_round_solids_as_sampling_says(void **state)
{
    (void)state;
    test_random random = {1};
    lode_hull *hulls[POLYHEDRA];
    for (int i = 0; i < POLYHEDRA; ++i)
        hulls[i] = polyhedron(&random, i);
    for (int i = 0; i < 3000; ++i) {
        body a = {.hull = hulls[i % POLYHEDRA]};
        round_solid b = {.kind = i / POLYHEDRA % KINDS};
        double axis[3], length = 0;
        b.size[0] = R(random_between(&random, 0.1, 0.6));
        b.size[1] = R(b.kind == SPHERE ? 0 : random_between(&random, 0.1, 0.6));
        random_turn(&random, a.q);
        random_turn(&random, b.q);
        for (int k = 0; k < 3; ++k) {
            axis[k] = random_between(&random, -1, 1);
            length += axis[k] * axis[k];
        }
        for (int k = 0; k < 3; ++k)
            axis[k] /= sqrt(length);
        place_all(&a);
        double apart = overlap(&b, axis) - random_between(&random, -0.02, i % 4 ? 0.1 : 0.4);
        for (int k = 0; k < 3; ++k)
            b.at[k] = (double)R(axis[k] * apart);
        check(&a, &b, &random);
    }
    for (int i = 0; i < POLYHEDRA; ++i)
        lode_hull_release(hulls[i]);
}

/* On a face of a box of points a sphere has the depth of its closed form; deep inside the nearest
 * face decides. */
static void a_sphere_on_a_box_is_exact(void **state)
{
    (void)state;
    test_random random = {2};
    lode_hull *hull = polyhedron(&random, 0); /* 0.3, 0.5, 0.7 */
    for (int i = 0; i < 3000; ++i) {
        body a = {.hull = hull, .q = {1, 0, 0, 0}};
        round_solid b = {.kind = SPHERE, .q = {1, 0, 0, 0}};
        const double half[3] = {0.3, 0.5, 0.7};
        double apart = 0, inside = 1e300;
        b.size[0] = R(random_between(&random, 0.05, 0.3));
        for (int k = 0; k < 3; ++k) {
            b.at[k] = (double)R(random_between(&random, -1, 1) * (half[k] + 0.2));
            double beyond = fmax(fabs(b.at[k]) - half[k], 0);
            apart += beyond * beyond;
            inside = fmin(inside, half[k] - fabs(b.at[k]));
        }
        double depth = (double)b.size[0] + (inside > 0 ? inside : -sqrt(apart));
        lode__touch out = touch(&a, &b);
        if (fabs(depth + (double)speculative) > ROUNDING)
            assert_int_equal(out.count > 0, depth > -(double)speculative);
        if (out.count > 0) {
            assert_int_equal(out.count, 1);
            assert_true(fabs((double)out.depth[0] - depth) < ROUNDING);
        }
    }
    lode_hull_release(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_touch_round_solids_as_sampling_says),
        cmocka_unit_test(a_sphere_on_a_box_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_convex.c: contacts of convex solids: cylinders against everything, and the general method
 * against every pair that has a closed form, which judges both. */
#include "tests/collide/one_pair.h"
#include "tests/support/test.h"

#include "collide/gjk.h"
#include "collide/touch_convex.h"
#include "tests/collide/subjects.h"

#ifdef LODE_DOUBLE
#define ROUNDING 3e-7
#define EXACT 1e-9
#else
#define ROUNDING 1e-5
#define EXACT 1e-5
#endif

static const double speculative = 0.02;

static lode__touch touch(lode__touch_fn *function, const subjects *s)
{
    lode__shape_view a = {s->a.size, s->a.rotation, NULL}, b = {s->b.size, s->b.rotation, NULL};
    lode__touch out = {.count = 0};
    function(&a, &b, s->offset, (lode_real)speculative, &out);
    return out;
}

static lode__touch touch_general(const subjects *s)
{
    lode__touch out = {.count = 0};
    lode__touch_convex(convex_of(&s->a), s->a.rotation, convex_of(&s->b), s->b.rotation, s->offset,
                       (lode_real)speculative, &out);
    return out;
}

static double deepest(const lode__touch *t)
{
    double most = -1e300;
    for (int k = 0; k < t->count; ++k)
        most = fmax(most, (double)t->depth[k]);
    return most;
}

static void get3(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

/* A face may take the lead though its way out is this much longer. */
static double forgiven(const subjects *s, double depth)
{
    return 0.05 * speculative + 0.02 * fmax(depth, 0) + ROUNDING * s->scale;
}

/* Along the direction that the library's search finds, by the oracle's own supports. */
static double gap_of_gjk(const subjects *s, double n[3])
{
    lode__convex_pair pair = lode__convex_pair_make(convex_of(&s->a), s->a.rotation,
                                                    convex_of(&s->b), s->b.rotation, s->offset);
    lode__nearest nearest;
    lode__gjk_nearest(&pair, -1, &nearest);
    n[0] = n[1] = n[2] = 0;
    add_scaled(n, s->a.oracle.axis[0], nearest.normal.x);
    add_scaled(n, s->a.oracle.axis[1], nearest.normal.y);
    add_scaled(n, s->a.oracle.axis[2], nearest.normal.z);
    return solid_gap(&s->a.oracle, &s->b.oracle, n);
}

/* Unit normal, points of their own features, each within both solids but for half its depth. The
 * deepest is no farther than the solids must part along the normal to have no point in common with
 * a plane across it, and far enough: one direction along which they are apart then proves it. */
static void check_form(const subjects *s, const lode__touch *t)
{
    double n[3], p[3], tolerance = ROUNDING * s->scale;
    get3(t->normal, n);
    assert_true(t->count <= LODE__MANIFOLD_POINTS);
    assert_true(fabs(length3(n) - 1) < EXACT);
    for (int k = 0; k < t->count; ++k) {
        double depth = (double)t->depth[k];
        assert_true(depth > -speculative - tolerance);
        assert_true(t->feature[k] != 0);
        for (int j = 0; j < k; ++j)
            assert_true(t->feature[j] != t->feature[k]);
        get3(t->position[k], p);
        double most = fabs(depth) / 2 + tolerance + 0.4 * speculative;
        assert_true(solid_outside(&s->a.oracle, p) < most);
        assert_true(solid_outside(&s->b.oracle, p) < most);
    }
    double along = -solid_gap(&s->a.oracle, &s->b.oracle, n);
    assert_true(deepest(t) < along + tolerance);
    double m[3], least = -gap_of_gjk(s, m), told = deepest(t);
    if (told > tolerance)
        assert_true(told > along - tolerance || told * dot3(m, n) > least - tolerance);
    else /* of what is apart a face may lead that is as good but for rounding */
        assert_true(told > along - tolerance - 0.05 * speculative);
}

/* Right about touching, and no other way out is shorter by more than what is forgiven. */
static int check_touch(const subjects *s, const lode__touch *t, test_random *random)
{
    double n[3], gap = solid_largest_gap(&s->a.oracle, &s->b.oracle, random, n);
    if (gap > speculative + ROUNDING * s->scale)
        assert_int_equal(t->count, 0);
    if (t->count == 0) /* a direction along which they are apart proves it */
        assert_true(gap > speculative - ROUNDING * s->scale ||
                    gap_of_gjk(s, n) > speculative - ROUNDING * s->scale);
    if (t->count == 0)
        return 0;
    check_form(s, t);
    assert_true(deepest(t) < -gap + forgiven(s, -gap));
    return t->count;
}

/* --- the cells of cylinders */

typedef struct cell {
    lode__touch_fn *function;
    solid_kind a, b;
} cell;

static const cell cells[] = {{lode__touch_sphere_cylinder, BALL, DRUM},
                             {lode__touch_cylinder_box, DRUM, BRICK},
                             {lode__touch_cylinder_capsule, DRUM, ROD},
                             {lode__touch_cylinder_cylinder, DRUM, DRUM}};

static void check_cells(uint64_t seed, double least, double most, int rounds)
{
    test_random random = {seed};
    for (int c = 0; c < 4; ++c) {
        int touching = 0;
        for (int i = 0; i < rounds; ++i) {
            subjects s = random_subjects(&random, cells[c].a, cells[c].b, least, most);
            lode__touch t = touch(cells[c].function, &s);
            touching += check_touch(&s, &t, &random) > 0;
        }
        assert_true(touching > rounds / 10 && touching < rounds);
    }
}

static void cylinders_touch_as_the_oracle_says(void **state)
{
    (void)state;
    check_cells(1, 0.1, 1, 3000);
}

/* From a millimetre to a kilometre, needles and discs. */
static void cylinders_of_all_sizes(void **state)
{
    (void)state;
    check_cells(2, 1e-3, 1e3, 3000);
}

static void the_order_of_cylinders_does_not_matter(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 4000; ++i) {
        subjects s = random_subjects(&random, DRUM, DRUM, 0.1, 1);
        lode__touch one = touch(lode__touch_cylinder_cylinder, &s);
        subjects swapped = {.a = s.b, .b = s.a, .offset = v3_neg(s.offset)};
        lode__touch other = touch(lode__touch_cylinder_cylinder, &swapped);
        if (one.count == 0 || other.count == 0) {
            assert_true(one.count + other.count == 0 ||
                        deepest(one.count ? &one : &other) < -speculative + ROUNDING * s.scale);
            continue;
        }
        assert_true(fabs(deepest(&one) - deepest(&other)) < forgiven(&s, deepest(&one)));
    }
}

/* Turned and moved as a whole, a pair touches likewise. */
static void check_turned(lode__touch_fn *function, const subjects *s, test_random *random)
{
    double q[4];
    random_rotation(random, q);
    lode_quat turn = {(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
    subjects moved = *s;
    turn = q_normalize(turn);
    moved.a.rotation = q_normalize(q_mul(turn, s->a.rotation));
    moved.b.rotation = q_normalize(q_mul(turn, s->b.rotation));
    moved.offset = q_rotate(turn, s->offset);
    lode__touch one = touch(function, s), other = touch(function, &moved);
    if (one.count == 0 || other.count == 0)
        return;
    assert_true(fabs(deepest(&one) - deepest(&other)) < forgiven(s, deepest(&one)));
}

static void a_pair_may_be_turned_as_a_whole(void **state)
{
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 8000; ++i) {
        const cell *c = &cells[i % 4];
        subjects s = random_subjects(&random, c->a, c->b, 0.1, 1);
        check_turned(c->function, &s, &random);
    }
}

/* --- planes */

static void cylinders_stand_and_lie_on_planes(void **state)
{
    (void)state;
    test_random random = {5};
    int counts[5] = {0};
    for (int i = 0; i < 20000; ++i) {
        subjects s = random_subjects(&random, DRUM, BALL, 1e-2, 10);
        double n[3], minus[3];
        for (int k = 0; k < 3; ++k)
            n[k] = (double)(lode_real)s.b.oracle.axis[2][k] + 0.0 * k;
        s.b.size[0] = (lode_real)n[0], s.b.size[1] = (lode_real)n[1], s.b.size[2] = (lode_real)n[2];
        s.b.size[3] = (lode_real)random_between(&random, -0.5, 0.5);
        s.b.rotation = q_identity();
        for (int k = 0; k < 3; ++k)
            minus[k] = -(double)(&s.b.size[0])[k];
        double depth = -dot3(s.b.oracle.center, minus) + (double)s.b.size[3] +
                       solid_reach(&s.a.oracle, minus);
        lode__touch t = touch(lode__touch_cylinder_plane, &s);
        double tolerance = EXACT * s.scale;
        if (fabs(depth + speculative) < tolerance)
            continue;
        assert_true((t.count > 0) == (depth > -speculative));
        ++counts[t.count];
        if (t.count == 0)
            continue;
        assert_true(fabs(deepest(&t) - depth) < tolerance);
        for (int k = 0; k < t.count; ++k) {
            double p[3], slack = 0.1 * speculative;
            get3(t.position[k], p);
            assert_true(solid_outside(&s.a.oracle, p) <
                        fabs((double)t.depth[k]) / 2 + tolerance + slack);
            for (int j = 0; j < k; ++j)
                assert_true(t.feature[j] != t.feature[k]);
        }
    }
    assert_true(counts[1] > 500 && counts[2] > 500 && counts[4] > 500);
}

/* --- the general method and the closed forms */

static void check_against(lode__touch_fn *closed, solid_kind a, solid_kind b, uint64_t seed,
                          double least, double most)
{
    test_random random = {seed};
    int touching = 0;
    for (int i = 0; i < 6000; ++i) {
        subjects s = random_subjects(&random, a, b, least, most);
        lode__touch one = touch(closed, &s), other = touch_general(&s);
        if (one.count > 0 && other.count > 0) {
            ++touching;
            check_form(&s, &other);
            double more = forgiven(&s, deepest(&one)) + 0.05 * fmax(deepest(&one), 0);
            assert_true(fabs(deepest(&one) - deepest(&other)) < more);
        } else if (one.count + other.count > 0) {
            double depth = deepest(one.count ? &one : &other);
            assert_true(fabs(depth + speculative) < forgiven(&s, 0));
        }
    }
    assert_true(touching > 600);
}

static void the_general_method_agrees_with_closed_forms(void **state)
{
    (void)state;
    check_against(lode__touch_sphere_sphere, BALL, BALL, 6, 0.1, 1);
    check_against(lode__touch_sphere_box, BALL, BRICK, 7, 0.1, 1);
    check_against(lode__touch_sphere_capsule, BALL, ROD, 8, 0.1, 1);
    check_against(lode__touch_capsule_capsule, ROD, ROD, 9, 0.1, 1);
    check_against(lode__touch_capsule_box, ROD, BRICK, 10, 0.1, 1);
    check_against(lode__touch_sphere_cylinder, BALL, DRUM, 11, 0.1, 1);
}

/* Against separating axes, which are exact for boxes. */
static void the_general_method_agrees_with_separating_axes(void **state)
{
    (void)state;
    test_random random = {12};
    int counts[5] = {0};
    for (int i = 0; i < 20000; ++i) {
        subjects s = random_subjects(&random, BRICK, BRICK, 0.05, 2);
        box a = {.half = {0}}, b = {.half = {0}};
        for (int k = 0; k < 3; ++k) {
            a.half[k] = s.a.oracle.size[k];
            b.half[k] = s.b.oracle.size[k];
            b.center[k] = s.b.oracle.center[k];
            for (int j = 0; j < 3; ++j) {
                a.axis[k][j] = s.a.oracle.axis[k][j];
                b.axis[k][j] = s.b.oracle.axis[k][j];
            }
        }
        double gap = largest_gap(&a, &b);
        lode__touch t = touch_general(&s);
        if (gap > speculative + 1e-6 || (gap < -1e-6 && t.count == 0))
            assert_int_equal(t.count, 0);
        if (t.count > 0 && gap < 0) {
            check_form(&s, &t);
            assert_true(deepest(&t) > -gap - ROUNDING * s.scale);
            assert_true(deepest(&t) < -gap + forgiven(&s, -gap));
        }
        ++counts[t.count];
    }
    assert_true(counts[0] > 1000 && counts[1] > 1000 && counts[4] > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylinders_touch_as_the_oracle_says),
        cmocka_unit_test(cylinders_of_all_sizes),
        cmocka_unit_test(the_order_of_cylinders_does_not_matter),
        cmocka_unit_test(a_pair_may_be_turned_as_a_whole),
        cmocka_unit_test(cylinders_stand_and_lie_on_planes),
        cmocka_unit_test(the_general_method_agrees_with_closed_forms),
        cmocka_unit_test(the_general_method_agrees_with_separating_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The inner parts of convex solids (collide/inner.h): they are convex, as deep within as they say,
 * and reach as far as the rule has it; those of hulls are held against boxes, which know theirs. */
#include "collide/hull.h"
#include "collide/inner.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

static double number(test_random *random, double lo, double hi)
{
    return random_between(random, lo, hi);
}

static lode__double3 any_direction(test_random *random)
{
    double v[3];
    random_direction(random, v);
    return d3(v[0], v[1], v[2]);
}

/* How far a solid reaches along a unit vector. */
static double reach_of(const lode__convex *solid, lode__double3 n)
{
    return d3_dot(n, solid->type->support(solid, n)) + solid->radius;
}

/* A solid with the ball in it. */
typedef struct whole {
    uint32_t type;
    lode_real size[4];
    lode_hull *hull;
    lode__convex solid;
    lode__double3 middle;
    double radius;
} whole;

static lode_hull *make_hull(test_random *random, int count, lode__double3 stretch)
{
    lode_real points[40][3];
    for (int i = 0; i < count; ++i) {
        lode__double3 p = any_direction(random);
        points[i][0] = (lode_real)(p.x * stretch.x + 3);
        points[i][1] = (lode_real)(p.y * stretch.y);
        points[i][2] = (lode_real)(p.z * stretch.z);
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = (uint32_t)count;
    return lode_hull_create(&def);
}

/* From cubes and balls to needles and plates a hundred times as long as thick. */
static void make_whole(whole *w, int kind, test_random *random)
{
    double side[3];
    for (int i = 0; i < 3; ++i)
        side[i] = pow(10, number(random, -2, 0));
    *w = (whole){.size = {(lode_real)side[0], (lode_real)side[1], (lode_real)side[2]}};
    const void *data = NULL;
    switch (kind) {
    case 0:
        w->type = LODE_BOX;
        w->radius = fmin((double)w->size[0], fmin((double)w->size[1], (double)w->size[2]));
        break;
    case 1:
        w->type = LODE_CAPSULE;
        w->radius = (double)w->size[0];
        break;
    case 2:
        w->type = LODE_CYLINDER;
        w->radius = fmin((double)w->size[0], (double)w->size[1]);
        break;
    default:
        w->type = LODE_HULL;
        w->hull = make_hull(random, 12 + 28 * (kind - 3), d3(side[0], side[1], side[2]));
        data = w->hull;
        w->radius = (double)w->hull->inner;
        w->middle = w->hull->center;
    }
    w->solid = convex_make(&lode__convex_types[w->type], w->size, data);
}

/* All of it is `within` deep in the whole: so says each direction, as both are convex. */
static void parts_are_within(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < 200; ++round)
        for (int kind = 0; kind < 5; ++kind) {
            whole w;
            make_whole(&w, kind, &random);
            for (int part = 0; part < LODE__INNER_PARTS; ++part) {
                lode__inner inner;
                assert_true(lode__inner_part(part, w.type, &w.solid, w.middle, w.radius, &inner));
                assert_true(inner.within >= w.radius / 2 && inner.margin > 0);
                for (int i = 0; i < 100; ++i) {
                    lode__double3 n = any_direction(&random);
                    double room = reach_of(&w.solid, n) - reach_of(&inner.solid, n);
                    /* planes, places and sides are rounded to lode_real */
                    double rounding = 16 * (double)REAL_EPSILON * (3 + d3_length(w.middle));
                    assert_true(room > inner.within - rounding);
                    /* the middle is in it */
                    assert_true(reach_of(&inner.solid, n) > d3_dot(n, w.middle) - rounding);
                }
            }
            lode_hull_release(w.hull);
        }
}

/* Ends of long ones come to a sixteenth of the way from the middle, sides of thick ones to a
 * half. */
static void parts_reach_to_the_ends(void **state)
{
    (void)state;
    lode__inner inner;
    const lode_real rod[4] = {(lode_real)0.02, (lode_real)0.02, 1};
    lode__convex box = convex_make(&lode__convex_types[LODE_BOX], rod, NULL);
    assert_true(lode__inner_part(0, LODE_BOX, &box, d3(0, 0, 0), 0.02, &inner));
    assert_true(fabs(reach_of(&inner.solid, d3(0, 0, 1)) - 15.0 / 16) < 1e-6);
    assert_true(fabs(reach_of(&inner.solid, d3(1, 0, 0)) - 0.01) < 1e-6);
    const lode_real disc[4] = {(lode_real)0.5, (lode_real)0.02};
    lode__convex drum = convex_make(&lode__convex_types[LODE_CYLINDER], disc, NULL);
    assert_true(lode__inner_part(0, LODE_CYLINDER, &drum, d3(0, 0, 0), 0.02, &inner));
    assert_true(fabs(reach_of(&inner.solid, d3(0, 1, 0)) - 0.5 * 15 / 16) < 1e-6);
    assert_true(fabs(reach_of(&inner.solid, d3(0, 0, -1)) - 0.01) < 1e-6);
    const lode_real pin[4] = {(lode_real)0.02, (lode_real)0.98};
    lode__convex pill = convex_make(&lode__convex_types[LODE_CAPSULE], pin, NULL);
    assert_true(lode__inner_part(0, LODE_CAPSULE, &pill, d3(0, 0, 0), 0.02, &inner));
    assert_true(fabs(reach_of(&inner.solid, d3(0, 0, 1)) - 15.0 / 16) < 1e-6);
    assert_true(fabs(reach_of(&inner.solid, d3(0, 1, 0)) - 0.01) < 1e-6);
}

/* The hull of a box's corners has the box's inner part. */
static void hulls_of_boxes_are_boxes(void **state)
{
    (void)state;
    test_random random = {9};
    for (int round = 0; round < 100; ++round) {
        whole w;
        make_whole(&w, 0, &random);
        lode_real corners[8][3];
        for (int i = 0; i < 8; ++i)
            for (int k = 0; k < 3; ++k)
                corners[i][k] = i >> k & 1 ? w.size[k] : -w.size[k];
        lode_hull_def def = lode_hull_def_default();
        def.points = corners[0];
        def.point_count = 8;
        lode_hull *hull = lode_hull_create(&def);
        lode__convex solid = convex_make(&lode__convex_types[LODE_HULL], w.size, hull);
        lode__inner a, b;
        assert_true(lode__inner_part(0, LODE_BOX, &w.solid, w.middle, w.radius, &a));
        assert_true(lode__inner_part(0, LODE_HULL, &solid, hull->center, w.radius, &b));
        for (int i = 0; i < 50; ++i) {
            lode__double3 n = any_direction(&random);
            assert_true(fabs(reach_of(&a.solid, n) - reach_of(&b.solid, n)) <
                        32 * (double)REAL_EPSILON);
        }
        lode_hull_release(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_within),
        cmocka_unit_test(parts_reach_to_the_ends),
        cmocka_unit_test(hulls_of_boxes_are_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Points, overlaps and distances, against walks over all shapes and against each other. */
#include "tests/world/zoo.h"

#include <math.h>
#include <stdlib.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-10
#else
#define ROUNDING 2e-5
#endif

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static double apart(lode_vec3 a, lode_vec3 b)
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    return hypot(hypot(x, y), (double)a.z - (double)b.z);
}

static lode_vec3 along(lode_vec3 from, lode_vec3 direction, double t)
{
    lode_real s = (lode_real)t;
    return vec(from.x + direction.x * s, from.y + direction.y * s, from.z + direction.z * s);
}

/* A point is as deep as its nearest point of the surface is far, and that has depth 0. */
static void points_have_depth(void **state)
{
    (void)state;
    zoo z = zoo_create(2, 60, 3);
    lode_shape shapes[ZOO_SHAPES];
    int count = zoo_shapes(&z, shapes), inside = 0;
    for (int i = 0; i < 20000; ++i) {
        lode_shape shape = shapes[random_below(&z.random, (uint32_t)count)];
        lode_vec3 point = zoo_point(&z), center = lode_shape_get_world_pose(shape).position;
        lode_nearest near_point, on, above;
        if (i % 2) /* in the shape or near it */
            point = along(center, point, 0.2);
        assert_true(lode_shape_find_nearest(shape, point, &near_point));
        assert_true(
            near(apart(point, near_point.position), fabs((double)near_point.depth), ROUNDING * 4));
        assert_true(lode_shape_find_nearest(shape, near_point.position, &on));
        assert_true(near((double)on.depth, 0, ROUNDING * 4));
        assert_true(lode_shape_find_nearest(
            shape, along(near_point.position, near_point.normal, 0.01), &above));
        assert_true(near((double)above.depth, -0.01, ROUNDING * 4));
        inside += near_point.depth > 0;
    }
    assert_true(inside > 1000);
    lode_world_destroy(z.world);
}

static void spheres_and_boxes_know_their_depth(void **state)
{
    (void)state;
    scene s = scene_create(NULL);
    lode_nearest n;
    /* the slab reaches from -0.5 to 1.5, -1 to 1 and 0.15 to 0.35 */
    assert_true(lode_shape_find_nearest(s.slab, vec((lode_real)0.75, 0, (lode_real)0.25), &n));
    assert_true(near((double)n.depth, 0.1, ROUNDING) &&
                near(fabs((double)n.normal.z), 1, ROUNDING));
    assert_true(lode_shape_find_nearest(s.slab, vec((lode_real)4.5, 5, (lode_real)0.25), &n));
    assert_true(near((double)n.depth, -5, ROUNDING));
    assert_true(near_vec(n.position, vec((lode_real)1.5, 1, (lode_real)0.25), ROUNDING));
    assert_true(lode_shape_find_nearest(s.plane, vec(4, 5, -2), &n));
    assert_true(near((double)n.depth, 2, ROUNDING) && near_vec(n.position, vec(4, 5, 0), ROUNDING));
    lode_world_destroy(s.world);
}

/* ---- overlaps ---- */

static int order(const void *a, const void *b)
{
    uint32_t slot_a = (uint32_t)((const lode_shape *)a)->id & 0xffffff;
    uint32_t slot_b = (uint32_t)((const lode_shape *)b)->id & 0xffffff;
    return (slot_a > slot_b) - (slot_a < slot_b);
}

static bool has(const lode_shape *shapes, int count, lode_shape shape)
{
    for (int i = 0; i < count; ++i)
        if (shapes[i].id == shape.id)
            return true;
    return false;
}

static void expect_rising(const lode_shape *shapes, int count)
{
    for (int i = 1; i < count; ++i)
        assert_true(order(&shapes[i - 1], &shapes[i]) < 0);
}

static void overlaps_are_what_a_walk_finds(void **state)
{
    (void)state;
    static lode_shape shapes[ZOO_SHAPES], found[ZOO_SHAPES], few[3];
    long all = 0;
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        zoo z = zoo_create(seed, 80, 4);
        for (int round = 0; round < 60; ++round) {
            for (uint32_t i = random_below(&z.random, 4); i > 0; --i)
                zoo_disturb(&z);
            int count = zoo_shapes(&z, shapes);
            lode_vec3 center = zoo_point(&z);
            lode_real radius = round % 5 ? zoo_real(&z, 0, 3) : 0;
            lode_query_filter filter = lode_query_filter_default();
            filter.mask = round % 3 ? UINT64_MAX : 5;
            int spheres = lode_world_overlap_sphere(z.world, center, radius, &filter, found,
                                                    ZOO_SHAPES);
            expect_rising(found, spheres);
            for (int i = 0; i < count; ++i) {
                lode_nearest n;
                lode_shape_def def = lode_shape_get_def(shapes[i]);
                assert_true(lode_shape_find_nearest(shapes[i], center, &n));
                bool sees = (def.category & filter.mask) && def.mask;
                assert_int_equal(has(found, spheres, shapes[i]), sees && -n.depth <= radius);
            }
            all += spheres;
            assert_int_equal(lode_world_overlap_sphere(z.world, center, radius, &filter, few, 3),
                             spheres);
            for (int i = 0; i < 3 && i < spheres; ++i)
                assert_true(few[i].id == found[i].id);

            lode_vec3 other = zoo_point(&z);
            lode_bounds box = {
                {fmin(center.x, other.x), fmin(center.y, other.y), fmin(center.z, other.z)},
                {fmax(center.x, other.x), fmax(center.y, other.y), fmax(center.z, other.z)}};
            int boxes = lode_world_overlap_bounds(z.world, box, NULL, found, ZOO_SHAPES);
            expect_rising(found, boxes);
            for (int i = 0; i < count; ++i) {
                lode_bounds b = lode_shape_get_bounds(shapes[i]);
                double gap = fmax(
                    fmax(fmax((double)(b.lower.x - box.upper.x), (double)(b.lower.y - box.upper.y)),
                         (double)(b.lower.z - box.upper.z)),
                    fmax(fmax((double)(box.lower.x - b.upper.x), (double)(box.lower.y - b.upper.y)),
                         (double)(box.lower.z - b.upper.z)));
                bool plane = lode_shape_get_type(shapes[i]) == LODE_PLANE;
                bool sees = lode_shape_get_def(shapes[i]).mask;
                if (!plane && fabs(gap) > ROUNDING)
                    assert_int_equal(has(found, boxes, shapes[i]), sees && gap < 0);
            }
            all += boxes;
        }
        assert_int_equal(report.count, 0);
        lode_world_destroy(z.world);
    }
    assert_true(all > 10000);
}

static void a_box_overlaps_a_half_space_that_it_enters(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_create_plane(ground, &shape_def, vec(1, 0, 1), 0);
    lode_bounds box = {{1, 0, 1}, {2, 2, 2}};
    assert_int_equal(lode_world_overlap_bounds(world, box, NULL, NULL, 0), 0);
    box.lower.x = (lode_real)-1.1;
    assert_int_equal(lode_world_overlap_bounds(world, box, NULL, NULL, 0), 1);
    box.lower.x = (lode_real)-0.9;
    assert_int_equal(lode_world_overlap_bounds(world, box, NULL, NULL, 0), 0);
    lode_world_destroy(world);
}

/* ---- distances ---- */

/* The closest points lie on both surfaces, along the normal, as far apart as said; swapped
 * arguments say the same; and of two solids that overlap, one moved by the depth touches. */
static void closest_points_are_on_both_surfaces(void **state)
{
    (void)state;
    zoo z = zoo_create(4, 150, 1.5);
    static lode_shape shapes[ZOO_SHAPES];
    int count = zoo_shapes(&z, shapes), overlapping = 0;
    for (int i = 0; i < 6000; ++i) {
        lode_shape a = shapes[random_below(&z.random, (uint32_t)count)];
        lode_shape b = shapes[random_below(&z.random, (uint32_t)count)];
        bool plane_a = lode_shape_get_type(a) == LODE_PLANE;
        lode_closest c, back;
        lode_nearest on_a, on_b;
        if (plane_a && lode_shape_get_type(b) == LODE_PLANE)
            continue;
        assert_true(lode_shape_find_closest(a, b, &c));
        assert_true(lode_shape_find_closest(b, a, &back));
        double scale = 1 + fabs((double)c.distance), tolerance = ROUNDING * 10 * scale;
        assert_true(near((double)c.distance, (double)back.distance, tolerance));
        assert_true(near(apart(vec(0, 0, 0), c.normal), 1, ROUNDING));
        assert_true(near_vec(along(c.on_b, c.normal, (double)c.distance), c.on_a, tolerance));
        assert_true(lode_shape_find_nearest(a, c.on_a, &on_a));
        assert_true(lode_shape_find_nearest(b, c.on_b, &on_b));
        if (c.distance > 0) {
            assert_true(near((double)on_a.depth, 0, tolerance));
            assert_true(near((double)on_b.depth, 0, tolerance));
        } else if (a.id != b.id && lode_shape_get_body(a).id != lode_shape_get_body(b).id) {
            lode_body body = lode_shape_get_body(plane_a ? b : a);
            lode_pose was = lode_body_get_pose(body), moved = was;
            double by = -(double)c.distance * (plane_a ? -1 : 1);
            moved.position = along(was.position, c.normal, by);
            assert_int_equal(lode_body_set_pose(body, moved), LODE_OK);
            assert_true(lode_shape_find_closest(a, b, &back));
            assert_true(near((double)back.distance, 0, tolerance));
            lode_body_set_pose(body, was);
            ++overlapping;
        }
    }
    assert_true(overlapping > 300);
    assert_int_equal(report.count, 0);
    lode_world_destroy(z.world);
}

static void two_planes_have_no_distance(void **state)
{
    (void)state;
    scene s = scene_create(NULL);
    lode_closest c;
    report_clear();
    assert_false(lode_shape_find_closest(s.plane, s.plane, &c));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_find_closest", "b");
    report_clear();
    lode_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_have_depth),
        cmocka_unit_test(spheres_and_boxes_know_their_depth),
        cmocka_unit_test(overlaps_are_what_a_walk_finds),
        cmocka_unit_test(a_box_overlaps_a_half_space_that_it_enters),
        cmocka_unit_test(closest_points_are_on_both_surfaces),
        cmocka_unit_test(two_planes_have_no_distance),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

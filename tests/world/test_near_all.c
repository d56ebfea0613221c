/* What is closest, of all shapes and of solids by themselves, against looks at each shape; closest
 * points of segments against closed forms and a search. */
#include "tests/world/asleep.h"
#include "tests/world/zoo.h"

#include <math.h>
#include <stdlib.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9
#else
#define ROUNDING 2e-5
#endif

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static lode_solid random_solid(zoo *z)
{
    lode_real a = zoo_real(z, 0.1, 0.8), b = zoo_real(z, 0.1, 0.8), c = zoo_real(z, 0.1, 0.8);
    switch (random_below(&z->random, 4)) {
    case 0:
        return lode_solid_sphere(a);
    case 1:
        return lode_solid_box(vec(a, b, c));
    case 2:
        return lode_solid_capsule(a, b);
    default:
        return lode_solid_cylinder(a, b);
    }
}

static lode_pose random_pose(zoo *z, double out)
{
    lode_pose pose;
    pose.position = zoo_point(z);
    pose.rotation = zoo_rotation(z);
    pose.position.x *= (lode_real)out;
    return pose;
}

static bool is_even(void *context, lode_shape shape)
{
    (void)context;
    return !(shape.id & 1);
}

/* The least of all by the function for one shape, whose answer must be this very one. */
static lode_shape closest_of_all(const zoo *z, const lode_solid *solid, lode_pose pose,
                                 lode_real reach, bool even, lode_closest *out)
{
    static lode_shape shapes[ZOO_SHAPES];
    int count = zoo_shapes(z, shapes);
    lode_shape best = {0};
    for (int i = 0; i < count; ++i) {
        lode_closest now;
        if ((even && !is_even(NULL, shapes[i])) || !lode_shape_get_enabled(shapes[i]) ||
            lode_shape_get_sensor(shapes[i]) || !lode_shape_get_def(shapes[i]).mask ||
            !lode_shape_find_closest_to(shapes[i], solid, pose, &now) || now.distance > reach)
            continue;
        bool lower = (shapes[i].id & 0xffffff) < (best.id & 0xffffff);
        if (!best.id || now.distance < out->distance || (now.distance == out->distance && lower)) {
            *out = now;
            best = shapes[i];
        }
    }
    return best;
}

static void the_closest_is_the_least_of_all(void **state)
{
    (void)state;
    int found = 0, missed = 0;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        zoo z = zoo_create(seed, seed == 1 ? 3 : 60, 6);
        for (int i = 0; i < 150; ++i) {
            lode_solid solid = random_solid(&z);
            lode_pose pose = random_pose(&z, i % 7 == 0 ? 30 : 1);
            lode_real reach = i % 3 ? (lode_real)INFINITY : zoo_real(&z, 0, 1);
            bool even = i % 4 == 0;
            lode_query_filter filter = lode_query_filter_default();
            filter.accept = is_even;
            lode_closest wanted, told;
            lode_shape shape, best = closest_of_all(&z, &solid, pose, reach, even, &wanted);
            bool any = lode_world_find_closest(z.world, &solid, pose, reach, even ? &filter : NULL,
                                               &shape, &told);
            assert_int_equal(any, best.id != 0);
            assert_true(shape.id == best.id);
            if (any)
                assert_memory_equal(&told, &wanted, sizeof told);
            found += any;
            missed += !any;
            if (i % 10 == 0)
                zoo_disturb(&z);
        }
        lode_world_destroy(z.world);
    }
    assert_true(found > 500 && missed > 100);
}

static void the_nearest_is_the_least_of_all(void **state)
{
    (void)state;
    int found = 0;
    for (uint64_t seed = 11; seed <= 14; ++seed) {
        zoo z = zoo_create(seed, 60, 6);
        static lode_shape shapes[ZOO_SHAPES];
        for (int i = 0; i < 300; ++i) {
            lode_vec3 point = zoo_point(&z);
            lode_real reach = i % 3 ? (lode_real)INFINITY : zoo_real(&z, 0, 1);
            int count = zoo_shapes(&z, shapes);
            lode_shape best = {0}, shape;
            lode_nearest wanted, told, now;
            for (int k = 0; k < count; ++k) {
                bool lower = (shapes[k].id & 0xffffff) < (best.id & 0xffffff);
                if (!lode_shape_get_enabled(shapes[k]) || lode_shape_get_sensor(shapes[k]) ||
                    !lode_shape_get_def(shapes[k]).mask ||
                    !lode_shape_find_nearest(shapes[k], point, &now) || -now.depth > reach)
                    continue;
                if (!best.id || now.depth > wanted.depth || (now.depth == wanted.depth && lower)) {
                    wanted = now;
                    best = shapes[k];
                }
            }
            bool any = lode_world_find_nearest(z.world, point, reach, NULL, &shape, &told);
            assert_int_equal(any, best.id != 0);
            assert_true(shape.id == best.id);
            if (any)
                assert_memory_equal(&told, &wanted, sizeof told);
            found += any;
        }
        lode_world_destroy(z.world);
    }
    assert_true(found > 600);
}

/* A space is seen alone; meshes, height fields, hulls and classes have their say. */
static void all_types_and_spaces_are_asked(void **state)
{
    (void)state;
    asleep a = asleep_create();
    lode_solid ball = lode_solid_sphere((lode_real)0.1);
    for (int type = 0; type < LODE_SHAPE_TYPE_COUNT; ++type) {
        if (type == LODE_PLANE)
            continue;
        lode_space space = lode_space_create(a.world);
        lode_space_add(space, a.own[type]);
        lode_query_filter filter = lode_query_filter_default();
        filter.space = space;
        lode_shape shape;
        lode_closest closest, one;
        lode_nearest nearest;
        lode_pose far = {vec(-7, 3, 9), {1, 0, 0, 0}};
        assert_true(lode_world_find_closest(a.world, &ball, far, (lode_real)INFINITY, &filter,
                                            &shape, &closest));
        assert_true(shape.id == a.own[type].id);
        assert_true(lode_shape_find_closest_to(shape, &ball, far, &one));
        assert_true(one.distance == closest.distance);
        assert_true(lode_world_find_nearest(a.world, far.position, (lode_real)INFINITY, &filter,
                                            &shape, &nearest));
        assert_true(shape.id == a.own[type].id);
        assert_true(near(-(double)nearest.depth, (double)closest.distance + 0.1, 100 * ROUNDING));
        lode_space_destroy(space, false);
    }
    asleep_destroy(&a);
}

/* --- solids by themselves: what shapes of their forms say */

static void solids_are_as_shapes(void **state)
{
    (void)state;
    zoo z = zoo_create(3, 1, 2);
    lode_shape_def def = lode_shape_def_default();
    int meet = 0;
    for (int i = 0; i < 2000; ++i) {
        lode_solid a = random_solid(&z), b = lode_solid_box(vec(1, (lode_real)0.5, (lode_real)0.2));
        lode_pose pose_a = random_pose(&z, 1), pose_b = random_pose(&z, 1);
        lode_body body_a = add_body(z.world, LODE_STATIC, 0, 0, 0);
        lode_body body_b = add_body(z.world, LODE_STATIC, 0, 0, 0);
        lode_body_set_pose(body_a, pose_a);
        lode_body_set_pose(body_b, pose_b);
        lode_shape shape_a =
            a.type == LODE_SPHERE ? lode_shape_create_sphere(body_a, &def, a.radius)
            : a.type == LODE_BOX  ? lode_shape_create_box(body_a, &def, a.half_extents)
            : a.type == LODE_CAPSULE
                ? lode_shape_create_capsule(body_a, &def, a.radius, a.half_length)
                : lode_shape_create_cylinder(body_a, &def, a.radius, a.half_length);
        lode_shape shape_b = lode_shape_create_box(body_b, &def, b.half_extents);
        lode_closest by_shapes, by_solids, mixed;
        assert_true(lode_shape_find_closest(shape_a, shape_b, &by_shapes));
        assert_true(lode_solid_find_closest(&a, pose_a, &b, pose_b, &by_solids));
        assert_true(lode_shape_find_closest_to(shape_a, &b, pose_b, &mixed));
        double d = (double)by_shapes.distance;
        assert_true(near((double)by_solids.distance, d, 10 * ROUNDING));
        assert_true(near((double)mixed.distance, d, 10 * ROUNDING));
        bool overlaps = lode_solid_overlaps(&a, pose_a, &b, pose_b);
        assert_true(overlaps == (d <= 0) || fabs(d) < 10 * ROUNDING);
        assert_true(overlaps == lode_solid_overlaps(&b, pose_b, &a, pose_a) ||
                    fabs(d) < 10 * ROUNDING);
        meet += overlaps;
        lode_body_destroy(body_a);
        lode_body_destroy(body_b);
    }
    assert_true(meet > 100 && meet < 1900);
    lode_world_destroy(z.world);
}

/* --- segments */

typedef struct double3 {
    double x, y, z;
} double3;

static double3 point_at(const lode_vec3 s[2], double t)
{
    return (double3){(double)s[0].x + t * ((double)s[1].x - (double)s[0].x),
                     (double)s[0].y + t * ((double)s[1].y - (double)s[0].y),
                     (double)s[0].z + t * ((double)s[1].z - (double)s[0].z)};
}

static double apart(double3 a, double3 b)
{
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

/* The distance of two points is convex in both shares: thirds within thirds. */
static double least_over(const lode_vec3 b[2], double3 point)
{
    double lo = 0, hi = 1;
    for (int i = 0; i < 120; ++i) {
        double p = lo + (hi - lo) / 3, q = hi - (hi - lo) / 3;
        if (apart(point, point_at(b, p)) < apart(point, point_at(b, q)))
            hi = q;
        else
            lo = p;
    }
    return apart(point, point_at(b, (lo + hi) / 2));
}

static double least_of(const lode_vec3 a[2], const lode_vec3 b[2])
{
    double lo = 0, hi = 1;
    for (int i = 0; i < 120; ++i) {
        double p = lo + (hi - lo) / 3, q = hi - (hi - lo) / 3;
        if (least_over(b, point_at(a, p)) < least_over(b, point_at(a, q)))
            hi = q;
        else
            lo = p;
    }
    return least_over(b, point_at(a, (lo + hi) / 2));
}

static double3 of_vec(lode_vec3 v)
{
    return (double3){(double)v.x, (double)v.y, (double)v.z};
}

static lode_vec3 mixed(const lode_vec3 s[2], lode_real t)
{
    return vec(s[0].x + t * (s[1].x - s[0].x), s[0].y + t * (s[1].y - s[0].y),
               s[0].z + t * (s[1].z - s[0].z));
}

static void segments_are_closest_where_a_search_says(void **state)
{
    (void)state;
    zoo z = zoo_create(4, 1, 2);
    for (int i = 0; i < 400; ++i) {
        lode_vec3 a[2], b[2], on_a, on_b;
        for (int k = 0; k < 2; ++k) {
            a[k] = zoo_point(&z);
            b[k] = zoo_point(&z);
        }
        if (i % 8 == 1)
            a[1] = a[0];
        if (i % 8 == 2 || i % 16 == 1)
            b[1] = b[0];
        if (i % 8 == 3) /* parallel */
            b[1] = vec(b[0].x + a[1].x - a[0].x, b[0].y + a[1].y - a[0].y,
                       b[0].z + a[1].z - a[0].z);
        if (i % 8 == 4) /* they cross */
            b[1] = vec(2 * mixed(a, zoo_real(&z, 0, 1)).x - b[0].x, b[1].y, b[1].z);
        if (i % 8 == 5) /* an end is on the other */
            b[0] = mixed(a, zoo_real(&z, 0, 1));
        lode_real told = lode_segments_find_closest(a, b, &on_a, &on_b);
        double wanted = least_of(a, b), rounding = sizeof(lode_real) == 4 ? 1e-6 : 1e-8;
        assert_true(near((double)told, wanted, rounding));
        assert_true(near(apart(of_vec(on_a), of_vec(on_b)), (double)told, rounding));
        assert_true(least_over(a, of_vec(on_a)) < rounding);
        assert_true(least_over(b, of_vec(on_b)) < rounding);
        lode_real back = lode_segments_find_closest(b, a, &on_b, &on_a);
        assert_true(near((double)back, (double)told, rounding));
    }
    assert_int_equal(report.count, 0);
    lode_world_destroy(z.world);
}

/* Lengths are scaled and scaled back: four roundings of half a unit each. */
static bool is_about(lode_real x, lode_real wanted)
{
    lode_real unit = (lode_real)(sizeof(lode_real) == 4 ? 1.1920929e-7 : 2.220446e-16);
    return fabs((double)(x - wanted)) <= 2 * (double)(unit * wanted);
}

static void segments_of_all_sizes(void **state)
{
    (void)state;
    const double sizes[] = {1e-30, 1e-12, 1, 1e12, 1e30};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        lode_real s = (lode_real)sizes[i];
        lode_vec3 a[2] = {{-s, 0, 0}, {s, 0, 0}}, b[2] = {{0, s, s}, {0, -s, s}}, on_a, on_b;
        assert_true(is_about(lode_segments_find_closest(a, b, &on_a, &on_b), s));
        assert_true(on_a.x == 0 && on_b.y == 0 && on_b.z == s);
        b[0].x = b[1].x = 4 * s; /* beyond the end */
        assert_true(
            near((double)(lode_segments_find_closest(a, b, &on_a, &on_b) / s), sqrt(10), 1e-6));
        assert_true(on_a.x == s && on_b.y == 0);
        /* parallel: an end is among the two */
        b[0] = vec(-3 * s, 0, s);
        b[1] = vec(0, 0, s);
        assert_true(is_about(lode_segments_find_closest(a, b, &on_a, &on_b), s));
        assert_true(on_a.x == -s || on_b.x == 0);
    }
}

/* --- triangles in the world */

static void triangles_are_where_rays_hit_them(void **state)
{
    (void)state;
    asleep a = asleep_create();
    const lode_shape shapes[] = {a.own[LODE_MESH], a.own[LODE_HEIGHTFIELD],
                                 a.under[LODE_HEIGHTFIELD]};
    for (int i = 0; i < 3; ++i) {
        lode_body body = lode_shape_get_body(shapes[i]);
        lode_body_set_pose(body,
                           (lode_pose){vec(3, 40, 5), {(lode_real)0.8, 0, (lode_real)0.6, 0}});
        lode_shape_set_pose(shapes[i],
                            (lode_pose){vec(1, 2, 3), {(lode_real)0.6, 0, 0, (lode_real)0.8}});
        int count = i == 0 ? 12 : 8;
        for (int t = 0; t < count; ++t) {
            lode_vec3 c[3];
            assert_int_equal(lode_shape_get_triangle(shapes[i], t, c), LODE_OK);
            lode_vec3 u = vec(c[1].x - c[0].x, c[1].y - c[0].y, c[1].z - c[0].z);
            lode_vec3 v = vec(c[2].x - c[0].x, c[2].y - c[0].y, c[2].z - c[0].z);
            lode_vec3 n = vec(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
            lode_vec3 middle = vec((c[0].x + c[1].x + c[2].x) / 3, (c[0].y + c[1].y + c[2].y) / 3,
                                   (c[0].z + c[1].z + c[2].z) / 3);
            lode_ray ray = {.origin = vec(middle.x + n.x, middle.y + n.y, middle.z + n.z),
                            .direction = vec(-n.x, -n.y, -n.z),
                            .length = 10};
            lode_ray_hit hit;
            assert_true(lode_shape_cast_ray(shapes[i], &ray, &hit));
            assert_int_equal(hit.child, t);
            assert_true(near_vec(hit.position, middle, 100 * ROUNDING));
        }
        lode_vec3 c[3];
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "triangle", lode_shape_get_triangle, shapes[i], count,
                       c);
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "triangle", lode_shape_get_triangle, shapes[i], -1, c);
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "out_corners", lode_shape_get_triangle, shapes[i], 0,
                       NULL);
    }
    lode_vec3 c[3];
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "shape", lode_shape_get_triangle, a.own[LODE_BOX], 0, c);
    asleep_destroy(&a);
}

/* --- what is refused */

static void bad_questions_are_refused(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def), gone = lode_world_create(&def);
    lode_world_destroy(gone);
    lode_solid ball = lode_solid_sphere(1), bad = lode_solid_sphere(-1);
    lode_pose pose = {{0, 0, 0}, {1, 0, 0, 0}}, none = {{0, 0, 0}, {0, 0, 0, 0}};
    lode_vec3 point = vec(0, 0, 0), nowhere = vec(0, 0, (lode_real)NAN);
    lode_vec3 two[2] = {{0, 0, 0}, {1, 0, 0}}, lost[2] = {{0, 0, 0}, {(lode_real)INFINITY, 0, 0}};
    lode_shape shape;
    lode_closest c;
    lode_nearest n;
    report_clear();
#define REFUSES(status, argument, function, ...) \
    do { \
        assert_true(function(__VA_ARGS__) <= 0); \
        EXPECT_REPORT(status, #function, argument); \
        report_clear(); \
    } while (0)
    REFUSES(LODE_ERROR_HANDLE, "world", lode_world_find_closest, gone, &ball, pose, 1, NULL, &shape,
            &c);
    REFUSES(LODE_ERROR_HANDLE, "world", lode_world_find_nearest, gone, point, 1, NULL, &shape, &n);
    REFUSES(LODE_ERROR_ARGUMENT, "reach", lode_world_find_closest, world, &ball, pose, -1, NULL,
            &shape, &c);
    REFUSES(LODE_ERROR_ARGUMENT, "reach", lode_world_find_nearest, world, point, (lode_real)NAN,
            NULL, &shape, &n);
    REFUSES(LODE_ERROR_ARGUMENT, "solid", lode_world_find_closest, world, &bad, pose, 1, NULL,
            &shape, &c);
    REFUSES(LODE_ERROR_ARGUMENT, "solid", lode_world_find_closest, world, NULL, pose, 1, NULL,
            &shape, &c);
    REFUSES(LODE_ERROR_ARGUMENT, "pose", lode_world_find_closest, world, &ball, none, 1, NULL,
            &shape, &c);
    REFUSES(LODE_ERROR_ARGUMENT, "out_shape", lode_world_find_closest, world, &ball, pose, 1, NULL,
            NULL, &c);
    REFUSES(LODE_ERROR_ARGUMENT, "out_closest", lode_world_find_closest, world, &ball, pose, 1,
            NULL, &shape, NULL);
    REFUSES(LODE_ERROR_ARGUMENT, "point", lode_world_find_nearest, world, nowhere, 1, NULL, &shape,
            &n);
    REFUSES(LODE_ERROR_ARGUMENT, "out_nearest", lode_world_find_nearest, world, point, 1, NULL,
            &shape, NULL);
    REFUSES(LODE_ERROR_HANDLE, "shape", lode_shape_find_closest_to, (lode_shape){0}, &ball, pose,
            &c);
    REFUSES(LODE_ERROR_ARGUMENT, "a", lode_solid_find_closest, &bad, pose, &ball, pose, &c);
    REFUSES(LODE_ERROR_ARGUMENT, "b", lode_solid_find_closest, &ball, pose, NULL, pose, &c);
    REFUSES(LODE_ERROR_ARGUMENT, "pose_b", lode_solid_find_closest, &ball, pose, &ball, none, &c);
    REFUSES(LODE_ERROR_ARGUMENT, "out_closest", lode_solid_find_closest, &ball, pose, &ball, pose,
            NULL);
    REFUSES(LODE_ERROR_ARGUMENT, "b", lode_solid_overlaps, &ball, pose, &bad, pose);
    REFUSES(LODE_ERROR_ARGUMENT, "pose_a", lode_solid_overlaps, &ball, none, &ball, pose);
    REFUSES(LODE_ERROR_ARGUMENT, "a", lode_segments_find_closest, lost, two, &point, &nowhere);
    REFUSES(LODE_ERROR_ARGUMENT, "b", lode_segments_find_closest, two, lost, &point, &nowhere);
    REFUSES(LODE_ERROR_ARGUMENT, "b", lode_segments_find_closest, two, NULL, &point, &nowhere);
    REFUSES(LODE_ERROR_ARGUMENT, "out_on_a", lode_segments_find_closest, two, two, NULL, &nowhere);
    assert_false(
        lode_world_find_closest(world, &ball, pose, (lode_real)INFINITY, NULL, &shape, &c));
    assert_true(shape.id == 0 && c.distance == 0 && report.count == 0);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closest_is_the_least_of_all),
        cmocka_unit_test(the_nearest_is_the_least_of_all),
        cmocka_unit_test(all_types_and_spaces_are_asked),
        cmocka_unit_test(solids_are_as_shapes),
        cmocka_unit_test(segments_are_closest_where_a_search_says),
        cmocka_unit_test(segments_of_all_sizes),
        cmocka_unit_test(triangles_are_where_rays_hit_them),
        cmocka_unit_test(bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

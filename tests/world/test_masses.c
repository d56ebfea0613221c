/* test_masses.c: mass properties as data: against bodies, against points, and refused arguments. */
#include "tests/world/support.h"

#include "collide/mesh.h"
#include "lode/hull.h"
#include "tests/collide/meshes.h"

#include <math.h>
#include <string.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-12
#else
#define ROUNDING 2e-6
#endif

static const lode_quat quarter_x = {(lode_real)0.70710678118654752, (lode_real)0.70710678118654752,
                                    0, 0};

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

/* Inertias compare by the largest of them. */
static void expect_same(lode_mass a, lode_mass b, int line)
{
    double most = 0;
    for (int i = 0; i < 6; ++i)
        most = fmax(most, fabs((double)b.inertia[i]));
    bool same = near((double)a.mass, (double)b.mass, 4 * ROUNDING * fabs((double)b.mass)) &&
                near_vec(a.center, b.center, 8 * ROUNDING);
    for (int i = 0; i < 6; ++i)
        same = same && near((double)a.inertia[i], (double)b.inertia[i], 16 * ROUNDING * most);
    if (!same)
        fail_msg("line %d: mass %g, %g; centre %g %g %g, %g %g %g", line, (double)a.mass,
                 (double)b.mass, (double)a.center.x, (double)a.center.y, (double)a.center.z,
                 (double)b.center.x, (double)b.center.y, (double)b.center.z);
}
#define SAME(a, b) expect_same(a, b, __LINE__)

/* What shapes say, a body's mass from its shapes, and the functions on data agree. */
static void shapes_and_bodies_say_the_same(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    lode_world world = lode_world_create(&world_def);
    lode_body body = add_body(world, LODE_DYNAMIC, 3, -4, 5);
    lode_shape_def def = lode_shape_def_default();
    lode_mass masses[4] = {lode_mass_of_sphere(1000, (lode_real)0.5),
                           lode_mass_of_box(1000, vec(1, (lode_real)0.5, 2)),
                           lode_mass_of_capsule(1000, (lode_real)0.25, 1),
                           lode_mass_of_cylinder(1000, (lode_real)0.75, (lode_real)0.5)};
    lode_mass sum = {0};
    for (int i = 0; i < 4; ++i) {
        def.pose.position = vec((lode_real)i, (lode_real)(1 - i), (lode_real)0.5);
        def.pose.rotation = quarter_x;
        lode_shape shape = i == 0   ? lode_shape_create_sphere(body, &def, (lode_real)0.5)
                           : i == 1 ? lode_shape_create_box(body, &def, vec(1, (lode_real)0.5, 2))
                           : i == 2 ? lode_shape_create_capsule(body, &def, (lode_real)0.25, 1)
                                    : lode_shape_create_cylinder(body, &def, (lode_real)0.75,
                                                                 (lode_real)0.5);
        lode_mass placed = lode_mass_translate(lode_mass_rotate(masses[i], quarter_x),
                                               def.pose.position);
        SAME(lode_shape_get_mass(shape), placed);
        sum = lode_mass_add(sum, placed);
        assert_true(lode_mass_is_valid(&sum));
    }
    SAME(lode_body_get_mass(body), sum);
    def.density = 0;
    lode_shape light = lode_shape_create_sphere(body, &def, 1);
    assert_true(lode_shape_get_mass(light).mass == 0);
    SAME(lode_body_get_mass(body), sum);
    assert_int_equal(report.count, 0);
    lode_world_destroy(world);
}

static void halves_make_a_whole(void **state)
{
    (void)state;
    lode_mass half = lode_mass_of_box(10, vec(1, 2, (lode_real)1.5));
    lode_mass lower = lode_mass_translate(half, vec(0, 0, (lode_real)-1.5));
    lode_mass upper = lode_mass_translate(half, vec(0, 0, (lode_real)1.5));
    SAME(lode_mass_add(lower, upper), lode_mass_of_box(10, vec(1, 2, 3)));
    SAME(lode_mass_add(upper, lower), lode_mass_of_box(10, vec(1, 2, 3)));
}

/* A box turned by a quarter is the box with two sides exchanged. */
static void turned_matter_turns_its_inertia(void **state)
{
    (void)state;
    lode_mass box = lode_mass_of_box(3, vec(1, 2, 3)), other = lode_mass_of_box(3, vec(1, 3, 2));
    SAME(lode_mass_rotate(box, quarter_x), other);
    lode_quat twice = {2 * quarter_x.w, 2 * quarter_x.x, 0, 0}; /* is normalised */
    SAME(lode_mass_rotate(box, twice), other);
    lode_mass moved = lode_mass_rotate(lode_mass_translate(box, vec(0, 0, 1)), quarter_x);
    assert_true(near_vec(moved.center, vec(0, -1, 0), ROUNDING));
    SAME(lode_mass_translate(moved, vec(0, 1, 0)), other);
}

static void a_total_can_be_had(void **state)
{
    (void)state;
    lode_mass five = lode_mass_adjust(lode_mass_of_cylinder(1, 1, 2), 5);
    assert_true(five.mass == 5);
    assert_true(near((double)five.inertia[2], 2.5, 10 * ROUNDING));
    assert_true(near((double)five.inertia[0], 5 * (0.25 + 4.0 / 3), 40 * ROUNDING));
    lode_mass moved = lode_mass_translate(five, vec(1, 2, 3)), half = lode_mass_adjust(moved, 2);
    assert_true(half.mass == 2 && half.center.x == 1 && half.center.y == 2 && half.center.z == 3);
    lode_mass nothing = {0};
    assert_true(lode_mass_adjust(five, 0).mass == 0 && lode_mass_adjust(nothing, 0).mass == 0);
    assert_int_equal(report.count, 0);
}

/* A box as sphere-free solids of all kinds: box, hull, closed mesh. */
static void hulls_and_meshes_of_a_box_weigh_what_it_does(void **state)
{
    (void)state;
    static mesh_draft draft;
    lode_real points[8][3];
    lode_mass box = lode_mass_of_box(7, vec(1, 2, 3)), of_mesh;
    for (int i = 0; i < 8; ++i) {
        points[i][0] = i & 1 ? 1 : -1;
        points[i][1] = i & 2 ? 2 : -2;
        points[i][2] = i & 4 ? 3 : -3;
    }
    lode_hull_def hull_def = lode_hull_def_default();
    hull_def.points = &points[0][0];
    hull_def.point_count = 8;
    lode_hull *hull = lode_hull_create(&hull_def);
    draft_box(&draft, 1, 2, 3);
    lode_mesh_def mesh_def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    SAME(lode_hull_get_mass(hull, 7), box);
    assert_int_equal(lode_mesh_get_mass(mesh, 7, &of_mesh), LODE_OK);
    SAME(of_mesh, box);
    lode_hull_release(hull);
    lode_mesh_release(mesh);
}

static bool is_zero(lode_mass m)
{
    lode_mass zero = {0};
    return m.mass == 0 && !memcmp(m.inertia, zero.inertia, sizeof m.inertia) &&
           near_vec(m.center, vec(0, 0, 0), 0);
}

#define REFUSES(argument, function, ...) \
    do { \
        report_clear(); \
        assert_true(is_zero(function(__VA_ARGS__))); \
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, #function, argument); \
    } while (0)

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const lode_real bad[] = {-1, (lode_real)NAN, (lode_real)INFINITY, (lode_real)-INFINITY};
    lode_mass good = lode_mass_of_sphere(1, 1);
    for (int i = 0; i < 4; ++i) {
        lode_real x = bad[i];
        lode_mass broken = good;
        broken.mass = x;
        REFUSES("density", lode_mass_of_sphere, x, 1);
        REFUSES("density", lode_mass_of_box, x, vec(1, 1, 1));
        REFUSES("density", lode_mass_of_capsule, x, 1, 1);
        REFUSES("density", lode_mass_of_cylinder, x, 1, 1);
        REFUSES("radius", lode_mass_of_sphere, 1, x);
        REFUSES("half_extents", lode_mass_of_box, 1, vec(1, x, 1));
        REFUSES("radius", lode_mass_of_capsule, 1, x, 1);
        REFUSES("half_length", lode_mass_of_capsule, 1, 1, x);
        REFUSES("radius", lode_mass_of_cylinder, 1, x, 1);
        REFUSES("half_length", lode_mass_of_cylinder, 1, 1, x);
        REFUSES("mass", lode_mass_translate, broken, vec(0, 0, 0));
        REFUSES("mass", lode_mass_rotate, broken, quarter_x);
        REFUSES("mass", lode_mass_adjust, broken, 1);
        REFUSES("total", lode_mass_adjust, good, x);
        REFUSES("a", lode_mass_add, broken, good);
        REFUSES("b", lode_mass_add, good, broken);
        assert_false(lode_mass_is_valid(&broken));
        if (i == 0)
            continue;
        REFUSES("by", lode_mass_translate, good, vec(0, x, 0));
        REFUSES("by", lode_mass_rotate, good, (lode_quat){1, x, 0, 0});
        broken = good;
        broken.inertia[i] = x;
        REFUSES("mass", lode_mass_translate, broken, vec(0, 0, 0));
        assert_false(lode_mass_is_valid(&broken));
    }
    REFUSES("radius", lode_mass_of_sphere, 1, 0);
    REFUSES("half_length", lode_mass_of_cylinder, 1, 1, 0);
    REFUSES("by", lode_mass_rotate, good, (lode_quat){0, 0, 0, 0});
    REFUSES("mass", lode_mass_adjust, (lode_mass){0}, 1);
    lode_real huge = sizeof(lode_real) == sizeof(float) ? (lode_real)1e30 : (lode_real)1e300;
    REFUSES("radius", lode_mass_of_sphere, huge, huge);
    good.mass = huge;
    REFUSES("b", lode_mass_add, good, lode_mass_translate(good, vec(huge, 0, 0)));
    assert_false(lode_mass_is_valid(NULL));
    lode_mass thin = {.mass = 1, .inertia = {1, 1, 3}};
    assert_false(lode_mass_is_valid(&thin));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_and_bodies_say_the_same),
        cmocka_unit_test(halves_make_a_whole),
        cmocka_unit_test(turned_matter_turns_its_inertia),
        cmocka_unit_test(a_total_can_be_had),
        cmocka_unit_test(hulls_and_meshes_of_a_box_weigh_what_it_does),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

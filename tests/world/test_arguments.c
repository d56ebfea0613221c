/* Every public function refuses bad values: it reports once, names itself and the argument, returns
 * the status or null, and the world stays as it was, to the bit. */
#include "tests/world/support.h"

#include <math.h>

static scene s;
static uint64_t hash;

static void expect_refused(const char *function, const char *argument, int line)
{
    report_expect(LODE_ERROR_ARGUMENT, function, argument, __FILE__, line);
    if (lode_world_hash(s.world) != hash)
        print_error("%s changed the world, line %d\n", function, line);
    assert_true(lode_world_hash(s.world) == hash);
    report_clear();
}

#define REFUSES(argument, function, ...) \
    do { \
        assert_int_equal(function(__VA_ARGS__), LODE_ERROR_ARGUMENT); \
        expect_refused(#function, argument, __LINE__); \
    } while (0)

#define REFUSES_HANDLE(argument, function, ...) \
    do { \
        assert_true(function(__VA_ARGS__).id == 0); \
        expect_refused(#function, argument, __LINE__); \
    } while (0)

#define REFUSES_VECTOR(argument, function, ...) \
    do { \
        assert_true(near_vec(function(__VA_ARGS__), vec(0, 0, 0), 0)); \
        expect_refused(#function, argument, __LINE__); \
    } while (0)

#define REFUSES_LIST(argument, function, ...) \
    do { \
        assert_int_equal(function(__VA_ARGS__), 0); \
        expect_refused(#function, argument, __LINE__); \
    } while (0)

/* What no real argument may be, and vectors and quaternions with one such component. */
enum { BAD_REALS = 3, BAD_VECS = 9, BAD_QUATS = 13 };

static lode_real bad_real(int i)
{
    const lode_real bad[BAD_REALS] = {(lode_real)NAN, (lode_real)INFINITY, (lode_real)-INFINITY};
    return bad[i % BAD_REALS];
}

static lode_vec3 bad_vec(int i)
{
    lode_real c[3] = {1, 2, 3};
    c[i / BAD_REALS] = bad_real(i);
    return vec(c[0], c[1], c[2]);
}

static lode_quat bad_quat(int i)
{
    lode_real c[4] = {1, 0, 0, 0};
    if (i == BAD_QUATS - 1)
        return (lode_quat){0, 0, 0, 0};
    c[i / BAD_REALS] = bad_real(i);
    return (lode_quat){c[0], c[1], c[2], c[3]};
}

static int set_up(void **state)
{
    (void)state;
    report_install();
    s = scene_create(NULL);
    hash = lode_world_hash(s.world);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(s.world);
    return 0;
}

/* ---- bodies ---- */

static void body_vectors_must_be_finite(void **state)
{
    (void)state;
    for (int i = 0; i < BAD_VECS; ++i) {
        lode_vec3 bad = bad_vec(i), good = vec(0, 0, 0);
        REFUSES("velocity", lode_body_set_linear_velocity, s.ball, bad);
        REFUSES("velocity", lode_body_set_angular_velocity, s.ball, bad);
        REFUSES("force", lode_body_add_force, s.ball, bad);
        REFUSES("torque", lode_body_add_torque, s.ball, bad);
        REFUSES("impulse", lode_body_add_impulse, s.ball, bad);
        REFUSES("impulse", lode_body_add_angular_impulse, s.ball, bad);
        REFUSES("force", lode_body_add_force_at, s.ball, bad, good);
        REFUSES("point", lode_body_add_force_at, s.ball, good, bad);
        REFUSES("impulse", lode_body_add_impulse_at, s.ball, bad, good);
        REFUSES("point", lode_body_add_impulse_at, s.ball, good, bad);
        REFUSES("force", lode_body_add_force, s.ground, bad);
        REFUSES("force", lode_body_set_force, s.ball, bad);
        REFUSES("torque", lode_body_set_torque, s.ball, bad);
        REFUSES("force", lode_body_add_force_in, s.ball, bad, LODE_BODY_FRAME, good,
                LODE_WORLD_FRAME);
        REFUSES("point", lode_body_add_impulse_in, s.ball, good, LODE_BODY_FRAME, bad,
                LODE_WORLD_FRAME);
        REFUSES_VECTOR("point", lode_body_point_to_world, s.ball, bad);
        REFUSES_VECTOR("point", lode_body_point_from_world, s.ball, bad);
        REFUSES_VECTOR("vector", lode_body_vector_to_world, s.ball, bad);
        REFUSES_VECTOR("vector", lode_body_vector_from_world, s.ball, bad);
        REFUSES_VECTOR("point", lode_body_get_point_velocity, s.ball, bad, LODE_WORLD_FRAME);
        REFUSES("pose", lode_body_set_pose, s.ball, (lode_pose){bad, {1, 0, 0, 0}});
    }
    for (int i = 0; i < BAD_QUATS; ++i)
        REFUSES("pose", lode_body_set_pose, s.ball, (lode_pose){{0, 0, 0}, bad_quat(i)});
}

static void frames_must_be_frames(void **state)
{
    (void)state;
    lode_frame bad = (lode_frame)2, good = LODE_BODY_FRAME;
    lode_vec3 v = vec(1, 2, 3);
    REFUSES("force_frame", lode_body_add_force_in, s.ball, v, bad, v, good);
    REFUSES("point_frame", lode_body_add_force_in, s.ball, v, good, v, bad);
    REFUSES("impulse_frame", lode_body_add_impulse_in, s.ball, v, bad, v, good);
    REFUSES("point_frame", lode_body_add_impulse_in, s.ball, v, good, v, bad);
    REFUSES_VECTOR("frame", lode_body_get_point_velocity, s.ball, v, bad);
}

static void sums_that_overflow_are_refused(void **state)
{
    (void)state;
    lode_real huge = sizeof(lode_real) == sizeof(float) ? (lode_real)3e38 : (lode_real)1.7e308;
    assert_int_equal(lode_body_add_force(s.crate, vec(huge, 0, 0)), LODE_OK);
    hash = lode_world_hash(s.world);
    REFUSES("force", lode_body_add_force, s.crate, vec(huge, 0, 0));
    REFUSES("force", lode_body_add_force_at, s.crate, vec(0, 0, huge), vec(9, 9, 9));
    REFUSES("impulse", lode_body_add_impulse_at, s.crate, vec(0, 0, huge), vec(huge, 0, 0));
    assert_int_equal(lode_body_add_force(s.crate, vec(-huge, 0, 0)), LODE_OK);
}

static void body_definitions_are_checked(void **state)
{
    (void)state;
    lode_body_def good = lode_body_def_default(), def;
    good.type = LODE_DYNAMIC;
    REFUSES_HANDLE("def", lode_body_create, s.world, NULL);
    def = good;
    def.type = (lode_body_type)7;
    REFUSES_HANDLE("def.type", lode_body_create, s.world, &def);
    for (int i = 0; i < BAD_VECS; ++i) {
        def = good;
        def.position = bad_vec(i);
        REFUSES_HANDLE("def.position", lode_body_create, s.world, &def);
        def = good;
        def.linear_velocity = bad_vec(i);
        REFUSES_HANDLE("def.linear_velocity", lode_body_create, s.world, &def);
        def = good;
        def.angular_velocity = bad_vec(i);
        REFUSES_HANDLE("def.angular_velocity", lode_body_create, s.world, &def);
    }
    for (int i = 0; i < BAD_QUATS; ++i) {
        def = good;
        def.rotation = bad_quat(i);
        REFUSES_HANDLE("def.rotation", lode_body_create, s.world, &def);
    }
}

#define SPOILT_BODY(field, value) \
    do { \
        lode_body_def spoilt = lode_body_def_default(); \
        spoilt.field = value; \
        REFUSES_HANDLE("def." #field, lode_body_create, s.world, &spoilt); \
        REFUSES(#value, lode_body_set_##field, s.ball, value); \
    } while (0)

static void traits_are_checked(void **state)
{
    (void)state;
    for (int i = 0; i < BAD_REALS; ++i) {
        lode_real scale = bad_real(i), speed = i == 1 ? (lode_real)-0.1 : bad_real(i);
        SPOILT_BODY(gravity_scale, scale);
        SPOILT_BODY(max_linear_speed, speed);
        SPOILT_BODY(max_angular_speed, speed);
    }
}

static void turning_is_checked(void **state)
{
    (void)state;
    lode_gyroscopic gyroscopic = LODE_GYROSCOPIC_COUNT;
    SPOILT_BODY(gyroscopic, gyroscopic);
    for (int i = 0; i < BAD_REALS; ++i) {
        lode_vec3 axis = {0, bad_real(i), 1};
        SPOILT_BODY(finite_rotation_axis, axis);
    }
}

/* Refused wherever a damping is said: in definitions and by setters, of bodies and worlds. */
static void expect_bad_damping(lode_damping bad)
{
    const lode_damping *damping = &bad;
    lode_world_def def = lode_world_def_default();
    SPOILT_BODY(damping, damping);
    REFUSES("damping", lode_world_set_damping, s.world, damping);
    def.damping = bad;
    REFUSES_HANDLE("def.damping", lode_world_create, &def);
}

static void damping_is_checked(void **state)
{
    (void)state;
    for (int i = 0; i < BAD_REALS; ++i) {
        lode_real bad = bad_real(i), low = i == 1 ? (lode_real)-0.1 : bad;
        expect_bad_damping((lode_damping){.linear_per_step = bad});
        expect_bad_damping((lode_damping){.angular_per_step = bad});
        expect_bad_damping((lode_damping){.linear_per_second = bad});
        expect_bad_damping((lode_damping){.angular_per_second = bad});
        expect_bad_damping((lode_damping){.linear_per_second = low});
        expect_bad_damping((lode_damping){.angular_per_second = low});
        expect_bad_damping((lode_damping){.linear_threshold = low});
        expect_bad_damping((lode_damping){.angular_threshold = low});
    }
    REFUSES("damping", lode_world_set_damping, s.world, NULL);
}

static void static_bodies_refuse_velocity_and_mass(void **state)
{
    (void)state;
    lode_mass mass = {.mass = 1, .inertia = {1, 1, 1, 0, 0, 0}};
    lode_body_def def = lode_body_def_default();
    REFUSES("velocity", lode_body_set_linear_velocity, s.ground, vec(1, 0, 0));
    REFUSES("velocity", lode_body_set_angular_velocity, s.ground, vec(0, 1, 0));
    REFUSES("body", lode_body_set_mass, s.ground, &mass);
    REFUSES("body", lode_body_set_mass_from_shapes, s.ground);
    def.linear_velocity = vec(1, 0, 0);
    REFUSES_HANDLE("def.linear_velocity", lode_body_create, s.world, &def);
    def.linear_velocity = vec(0, 0, 0);
    def.angular_velocity = vec(0, 0, 1);
    REFUSES_HANDLE("def.angular_velocity", lode_body_create, s.world, &def);
    assert_int_equal(lode_body_set_linear_velocity(s.ground, vec(0, 0, 0)), LODE_OK);
    assert_int_equal(lode_body_add_force(s.ground, vec(1, 2, 3)), LODE_OK);
    assert_int_equal(lode_body_add_impulse_at(s.ground, vec(1, 2, 3), vec(4, 5, 6)), LODE_OK);
    assert_true(lode_world_hash(s.world) == hash);
}

static void masses_must_be_possible(void **state)
{
    (void)state;
    const lode_real impossible[][7] = {
        /* mass, inertia xx yy zz xy xz yz */
        {0, 1, 1, 1, 0, 0, 0},  {-1, 1, 1, 1, 0, 0, 0}, {1, 0, 1, 1, 0, 0, 0},
        {1, 1, -1, 1, 0, 0, 0}, {1, 1, 1, 3, 0, 0, 0},  {1, 1, 1, 1, 2, 0, 0},
        {1, 2, 2, 2, 0, 0, 3},  {1, 0, 0, 0, 0, 0, 0},
    };
    lode_mass good = {.mass = 1, .inertia = {1, 1, 1, 0, 0, 0}}, mass;
    REFUSES("mass", lode_body_set_mass, s.ball, NULL);
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; ++i) {
        mass.mass = impossible[i][0];
        mass.center = vec(0, 0, 0);
        for (int k = 0; k < 6; ++k)
            mass.inertia[k] = impossible[i][k + 1];
        REFUSES("mass", lode_body_set_mass, s.ball, &mass);
    }
    for (int i = 0; i < BAD_VECS; ++i) {
        mass = good;
        mass.center = bad_vec(i);
        REFUSES("mass", lode_body_set_mass, s.ball, &mass);
        mass = good;
        mass.mass = bad_real(i);
        REFUSES("mass", lode_body_set_mass, s.ball, &mass);
        for (int k = 0; k < 6; ++k) {
            mass = good;
            mass.inertia[k] = bad_real(i);
            REFUSES("mass", lode_body_set_mass, s.ball, &mass);
        }
    }
}

/* ---- shapes ---- */

/* Creates a sphere with a field of its definition spoilt. */
#define SPOILT_SHAPE(field, value) \
    do { \
        lode_shape_def spoilt = lode_shape_def_default(); \
        spoilt.field = value; \
        REFUSES_HANDLE("def." #field, lode_shape_create_sphere, s.ball, &spoilt, 1); \
        REFUSES_HANDLE("def." #field, lode_shape_create_box, s.ball, &spoilt, vec(1, 1, 1)); \
        REFUSES_HANDLE("def." #field, lode_shape_create_capsule, s.ball, &spoilt, 1, 1); \
        REFUSES_HANDLE("def." #field, lode_shape_create_cylinder, s.ball, &spoilt, 1, 1); \
        REFUSES_HANDLE("def." #field, lode_shape_create_plane, s.ground, &spoilt, vec(0, 0, 1), \
                       0); \
    } while (0)

static void shape_definitions_are_checked(void **state)
{
    (void)state;
    REFUSES_HANDLE("def", lode_shape_create_sphere, s.ball, NULL, 1);
    REFUSES_HANDLE("def", lode_shape_create_box, s.ball, NULL, vec(1, 1, 1));
    REFUSES_HANDLE("def", lode_shape_create_capsule, s.ball, NULL, 1, 1);
    REFUSES_HANDLE("def", lode_shape_create_cylinder, s.ball, NULL, 1, 1);
    REFUSES_HANDLE("def", lode_shape_create_plane, s.ground, NULL, vec(0, 0, 1), 0);
    REFUSES_HANDLE("def", lode_shape_create_mesh, s.ground, NULL, NULL);
    REFUSES_HANDLE("def", lode_shape_create_heightfield, s.ground, NULL, NULL);
    for (int i = 0; i < BAD_VECS; ++i)
        SPOILT_SHAPE(pose.position, bad_vec(i));
    for (int i = 0; i < BAD_QUATS; ++i)
        SPOILT_SHAPE(pose.rotation, bad_quat(i));
    for (int i = 0; i < BAD_REALS; ++i) {
        SPOILT_SHAPE(density, bad_real(i));
        SPOILT_SHAPE(restitution, bad_real(i));
        SPOILT_SHAPE(surface.motion_normal, bad_real(i));
    }
    SPOILT_SHAPE(friction, (lode_real)NAN);
    SPOILT_SHAPE(friction, -(lode_real)INFINITY);
    SPOILT_SHAPE(density, -1);
    SPOILT_SHAPE(friction, (lode_real)-0.1);
    SPOILT_SHAPE(restitution, (lode_real)-0.1);
    SPOILT_SHAPE(restitution, (lode_real)1.1);
}

static void shape_sizes_are_checked(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    const lode_real sizes[] = {0, -1, (lode_real)NAN, (lode_real)INFINITY};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        lode_real bad = sizes[i];
        REFUSES_HANDLE("radius", lode_shape_create_sphere, s.ball, &def, bad);
        REFUSES_HANDLE("radius", lode_shape_create_capsule, s.ball, &def, bad, 1);
        REFUSES_HANDLE("radius", lode_shape_create_cylinder, s.ball, &def, bad, 1);
        REFUSES_HANDLE("half_length", lode_shape_create_cylinder, s.ball, &def, 1, bad);
        if (bad != 0)
            REFUSES_HANDLE("half_length", lode_shape_create_capsule, s.ball, &def, 1, bad);
        REFUSES_HANDLE("half_extents", lode_shape_create_box, s.ball, &def, vec(bad, 1, 1));
        REFUSES_HANDLE("half_extents", lode_shape_create_box, s.ball, &def, vec(1, bad, 1));
        REFUSES_HANDLE("half_extents", lode_shape_create_box, s.ground, &def, vec(1, 1, bad));
    }
    for (int i = 0; i < BAD_VECS; ++i)
        REFUSES_HANDLE("normal", lode_shape_create_plane, s.ground, &def, bad_vec(i), 0);
    for (int i = 0; i < BAD_REALS; ++i)
        REFUSES_HANDLE("offset", lode_shape_create_plane, s.ground, &def, vec(0, 0, 1),
                       bad_real(i));
    REFUSES_HANDLE("normal", lode_shape_create_plane, s.ground, &def, vec(0, 0, 0), 0);
    REFUSES_HANDLE("body", lode_shape_create_plane, s.ball, &def, vec(0, 0, 1), 0);
    REFUSES_HANDLE("mesh", lode_shape_create_mesh, s.ground, &def, NULL);
    REFUSES_HANDLE("field", lode_shape_create_heightfield, s.ground, &def, NULL);
    def.density = sizeof(lode_real) == sizeof(float) ? (lode_real)1e38 : (lode_real)1e308;
    REFUSES_HANDLE("def.density", lode_shape_create_sphere, s.ball, &def, 100);
}

static void changed_sizes_are_checked(void **state)
{
    (void)state;
    const lode_real sizes[] = {0, -1, (lode_real)NAN, (lode_real)INFINITY};
    lode_shape_def def = lode_shape_def_default();
    lode_shape capsule = lode_shape_create_capsule(s.rod, &def, 1, 1);
    lode_shape cylinder = lode_shape_create_cylinder(s.rod, &def, 1, 1);
    hash = lode_world_hash(s.world);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        lode_real bad = sizes[i];
        REFUSES("radius", lode_shape_set_sphere, s.sphere, bad);
        REFUSES("radius", lode_shape_set_capsule, capsule, bad, 1);
        REFUSES("radius", lode_shape_set_cylinder, cylinder, bad, 1);
        REFUSES("half_length", lode_shape_set_cylinder, cylinder, 1, bad);
        if (bad != 0)
            REFUSES("half_length", lode_shape_set_capsule, capsule, 1, bad);
        REFUSES("half_extents", lode_shape_set_box, s.box, vec(bad, 1, 1));
        REFUSES("half_extents", lode_shape_set_box, s.box, vec(1, bad, 1));
        REFUSES("half_extents", lode_shape_set_box, s.box, vec(1, 1, bad));
        if (bad != 0)
            REFUSES("density", lode_shape_set_density, s.box, bad);
    }
    for (int i = 0; i < BAD_VECS; ++i) {
        REFUSES("normal", lode_shape_set_plane, s.plane, bad_vec(i), 0);
        REFUSES("pose", lode_shape_set_pose, s.box, (lode_pose){bad_vec(i), {1, 0, 0, 0}});
    }
    for (int i = 0; i < BAD_QUATS; ++i)
        REFUSES("pose", lode_shape_set_pose, s.box, (lode_pose){{0, 0, 0}, bad_quat(i)});
    for (int i = 0; i < BAD_REALS; ++i)
        REFUSES("offset", lode_shape_set_plane, s.plane, vec(0, 0, 1), bad_real(i));
    REFUSES("normal", lode_shape_set_plane, s.plane, vec(0, 0, 0), 0);
}

static void shapes_keep_their_type(void **state)
{
    (void)state;
    REFUSES("shape", lode_shape_set_sphere, s.box, 1);
    REFUSES("shape", lode_shape_set_box, s.sphere, vec(1, 1, 1));
    REFUSES("shape", lode_shape_set_capsule, s.sphere, 1, 1);
    REFUSES("shape", lode_shape_set_cylinder, s.sphere, 1, 1);
    REFUSES("shape", lode_shape_set_plane, s.slab, vec(0, 0, 1), 0);
    REFUSES("shape", lode_shape_set_hull, s.slab, NULL);
    REFUSES("shape", lode_shape_set_mesh, s.slab, NULL);
    assert_null(lode_shape_get_mesh(s.slab));
    expect_refused("lode_shape_get_mesh", "shape", __LINE__);
    assert_true(lode_shape_get_radius(s.box) == 0);
    expect_refused("lode_shape_get_radius", "shape", __LINE__);
    assert_true(lode_shape_get_half_length(s.sphere) == 0);
    expect_refused("lode_shape_get_half_length", "shape", __LINE__);
    assert_true(lode_shape_get_half_extents(s.plane).x == 0);
    expect_refused("lode_shape_get_half_extents", "shape", __LINE__);
    assert_true(lode_shape_get_plane(s.box, NULL).z == 0);
    expect_refused("lode_shape_get_plane", "shape", __LINE__);
}

static void changes_that_no_mass_survives_are_refused(void **state)
{
    (void)state;
    const lode_real huge = sizeof(lode_real) == sizeof(float) ? (lode_real)1e38 : (lode_real)1e308;
    const lode_real wide = sizeof(lode_real) == sizeof(float) ? (lode_real)1e15 : (lode_real)1e120;
    REFUSES("density", lode_shape_set_density, s.box, huge);
    REFUSES("radius", lode_shape_set_sphere, s.sphere, wide);
    REFUSES("half_extents", lode_shape_set_box, s.box, vec(wide, wide, wide));
    REFUSES("pose", lode_shape_set_pose, s.lump, (lode_pose){{huge, 0, 0}, {1, 0, 0, 0}});
}

/* One field is bad. */
#define BAD_SURFACE(name, field, value) \
    do { \
        lode_surface bad_surface = lode_surface_default(); \
        bad_surface.field = (value); \
        REFUSES("surface." name, lode_shape_set_surface, s.box, &bad_surface); \
    } while (0)

static void surfaces_that_say_more_are_checked(void **state)
{
    (void)state;
    const lode_real nan = (lode_real)NAN, inf = (lode_real)INFINITY;
    REFUSES("surface", lode_shape_set_surface, s.box, NULL);
    BAD_SURFACE("friction_across", friction_across, nan);
    BAD_SURFACE("law", law[0], LODE_LAW_COUNT);
    BAD_SURFACE("law", law[1], (lode_friction_law)-1);
    BAD_SURFACE("bounce_speed", bounce_speed, inf);
    BAD_SURFACE("soft_erp", soft_erp, (lode_real)1.1);
    BAD_SURFACE("soft_cfm", soft_cfm, inf);
    for (int i = 0; i < BAD_VECS; ++i) {
        BAD_SURFACE("direction", direction, bad_vec(i));
        BAD_SURFACE("motion", motion, bad_vec(i));
    }
    for (int i = 0; i < BAD_REALS; ++i) {
        BAD_SURFACE("slip", slip[i % 2], bad_real(i));
        BAD_SURFACE("motion_normal", motion_normal, bad_real(i));
    }
    for (int i = 0; i < 3; ++i) {
        BAD_SURFACE("rolling", rolling[i], nan);
        BAD_SURFACE("rolling", rolling[i], (lode_real)-0.1);
    }
    BAD_SURFACE("slip", slip[0], (lode_real)-0.1);
    BAD_SURFACE("bounce_speed", bounce_speed, nan);
    BAD_SURFACE("soft_cfm", soft_cfm, nan);
}

/* Nor can they be turned with their body, which takes the square of the way. */
static void places_too_far_from_the_body_are_refused(void **state)
{
    (void)state;
    const lode_real huge = sizeof(lode_real) == sizeof(float) ? (lode_real)1e20 : (lode_real)1e160;
    const lode_pose far = {{0, huge, 0}, {1, 0, 0, 0}};
    lode_shape_def def = lode_shape_def_default();
    def.density = 0;
    def.pose = far;
    REFUSES_HANDLE("def.pose.position", lode_shape_create_sphere, s.ground, &def, 1);
    REFUSES_HANDLE("def.pose.position", lode_shape_create_sphere, s.ball, &def, 1);
    REFUSES("pose", lode_shape_set_pose, s.sphere, far);
    REFUSES("pose", lode_shape_set_body, s.sphere, s.ground, far);
    REFUSES("pose", lode_shape_set_world_pose, s.sphere, far);
    lode_mass mass = lode_body_get_mass(s.ball);
    mass.center = far.position;
    REFUSES("mass", lode_body_set_mass, s.ball, &mass);
}

static void surfaces_are_checked(void **state)
{
    (void)state;
    for (int i = 0; i < BAD_REALS; ++i)
        REFUSES("restitution", lode_shape_set_restitution, s.box, bad_real(i));
    REFUSES("friction", lode_shape_set_friction, s.box, (lode_real)NAN);
    REFUSES("friction", lode_shape_set_friction, s.box, -(lode_real)INFINITY);
    REFUSES("friction", lode_shape_set_friction, s.box, (lode_real)-0.01);
    REFUSES("restitution", lode_shape_set_restitution, s.box, (lode_real)-0.01);
    REFUSES("restitution", lode_shape_set_restitution, s.box, (lode_real)1.01);
}

/* ---- joints ---- */

static lode_joint_def good_joint(void)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = s.ball;
    def.body_b = s.rod;
    return def;
}

#define SPOILT_JOINT(argument, field, value) \
    do { \
        lode_joint_def spoilt = good_joint(); \
        spoilt.field = value; \
        REFUSES_HANDLE(argument, lode_joint_create, s.world, &spoilt); \
    } while (0)

static void joint_definitions_are_checked(void **state)
{
    (void)state;
    REFUSES_HANDLE("def", lode_joint_create, s.world, NULL);
    SPOILT_JOINT("def.type", type, (lode_joint_type)LODE_JOINT_TYPE_COUNT);
    SPOILT_JOINT("def.type", type, (lode_joint_type)-1);
    SPOILT_JOINT("def.body_b", body_b, s.ball);
    for (int i = 0; i < BAD_VECS; ++i) {
        SPOILT_JOINT("def.frame_a", frame_a.position, bad_vec(i));
        SPOILT_JOINT("def.frame_b", frame_b.position, bad_vec(i));
    }
    for (int i = 0; i < BAD_QUATS; ++i) {
        SPOILT_JOINT("def.frame_a", frame_a.rotation, bad_quat(i));
        SPOILT_JOINT("def.frame_b", frame_b.rotation, bad_quat(i));
    }
    for (int i = 0; i < BAD_REALS; ++i) {
        SPOILT_JOINT("def.erp", erp, bad_real(i));
        SPOILT_JOINT("def.cfm", cfm, bad_real(i));
    }
    SPOILT_JOINT("def.erp", erp, (lode_real)1.5);
    SPOILT_JOINT("def.max_force", max_force, (lode_real)NAN);
    SPOILT_JOINT("def.max_force", max_force, -1);
    SPOILT_JOINT("def.stiff", stiff, LODE_STIFF_COUNT);
    SPOILT_JOINT("def.max_torque", max_torque, (lode_real)NAN);
    SPOILT_JOINT("def.max_torque", max_torque, (lode_real)-INFINITY);
    lode_joint_def still = good_joint();
    still.body_a = s.ground;
    still.body_b = (lode_body){0};
    REFUSES_HANDLE("def.body_a", lode_joint_create, s.world, &still);
}

enum { SPOILT_AXES = 22 };

/* Axes as they must not be. */
static void spoil_axis(lode_joint_axis *axis, int how)
{
    const lode_real nan = (lode_real)NAN, inf = (lode_real)INFINITY;
    lode_real *const reals[] = {&axis->lo_stop,  &axis->hi_stop,  &axis->vel,
                                &axis->f_max,    &axis->bounce,   &axis->cfm,
                                &axis->stop_erp, &axis->stop_cfm, &axis->fudge_factor,
                                &axis->servo,    &axis->target};
    const lode_real bad[SPOILT_AXES / 2][2] = {{nan, inf}, {nan, -inf}, {nan, inf}, {nan, -1},
                                               {-1, 2},    {nan, inf},  {nan, 2},   {nan, inf},
                                               {-1, 2},    {nan, -1},   {nan, inf}};
    *reals[how / 2] = bad[how / 2][how % 2];
}

static void joint_axes_are_checked(void **state)
{
    (void)state;
    lode_joint_def def = good_joint();
    def.type = LODE_JOINT_HINGE;
    lode_joint hinge = lode_joint_create(s.world, &def);
    hash = lode_world_hash(s.world);
    lode_joint_axis good = def.axis[0], crossed = good;
    for (int how = 0; how < SPOILT_AXES; ++how) {
        lode_joint_def spoilt = def;
        spoil_axis(&spoilt.axis[0], how);
        REFUSES_HANDLE("def.axis", lode_joint_create, s.world, &spoilt);
        REFUSES("values", lode_joint_set_axis, hinge, 0, &spoilt.axis[0]);
    }
    crossed.lo_stop = 1;
    crossed.hi_stop = (lode_real)0.9;
    REFUSES("values", lode_joint_set_axis, hinge, 0, &crossed);
    REFUSES("values", lode_joint_set_axis, hinge, 0, NULL);
    REFUSES("lo_stop", lode_joint_set_limits, hinge, 0, 1, (lode_real)0.9);
    REFUSES("lo_stop", lode_joint_set_limits, hinge, 0, (lode_real)NAN, 0);
    REFUSES("vel", lode_joint_set_motor, hinge, 0, (lode_real)NAN, 1);
    REFUSES("f_max", lode_joint_set_motor, hinge, 0, 1, -1);
    REFUSES("f_max", lode_joint_set_motor, hinge, 0, 1, (lode_real)NAN);
    REFUSES("vel", lode_joint_set_motor, hinge, 0, (lode_real)INFINITY, 1); /* it is no servo */
    REFUSES("target", lode_joint_set_target, hinge, 0, (lode_real)NAN);
    REFUSES("target", lode_joint_set_target, hinge, 0, (lode_real)-INFINITY);
    for (int axis = -1; axis <= LODE_JOINT_AXES; ++axis) {
        if (axis == 0)
            continue;
        REFUSES("axis", lode_joint_set_axis, hinge, axis, &good);
        REFUSES("axis", lode_joint_set_limits, hinge, axis, -1, 1);
        REFUSES("axis", lode_joint_set_motor, hinge, axis, 1, 1);
        REFUSES("axis", lode_joint_set_target, hinge, axis, 1);
    }
    REFUSES("axis", lode_joint_set_limits, s.link, 0, -1, 1); /* a ball joint has none */
    REFUSES("erp", lode_joint_set_erp, hinge, 2);
    REFUSES("cfm", lode_joint_set_cfm, hinge, (lode_real)INFINITY);
    REFUSES("joint", lode_joint_set_distance, hinge, 1);
    REFUSES("max_force", lode_joint_set_max_force, hinge, (lode_real)NAN);
    REFUSES("max_force", lode_joint_set_max_force, hinge, -1);
    REFUSES("stiff", lode_joint_set_stiff, hinge, (lode_stiff)(LODE_STIFF_AS_WORLD - 1));
    REFUSES("stiff", lode_joint_set_stiff, hinge, LODE_STIFF_COUNT);
    REFUSES("max_torque", lode_joint_set_max_torque, hinge, (lode_real)NAN);
    REFUSES("max_torque", lode_joint_set_max_torque, hinge, (lode_real)-1e-30);
    lode_pose frame = def.frame_a;
    for (int i = 0; i < BAD_VECS; ++i)
        REFUSES("frame_a", lode_joint_set_frames, hinge, (lode_pose){bad_vec(i), {1, 0, 0, 0}},
                frame);
    for (int i = 0; i < BAD_QUATS; ++i)
        REFUSES("frame_b", lode_joint_set_frames, hinge, frame,
                (lode_pose){{0, 0, 0}, bad_quat(i)});
}

static void joint_directions_are_checked(void **state)
{
    (void)state;
    lode_joint_def def = good_joint();
    def.type = LODE_JOINT_ANGULAR_MOTOR;
    lode_joint motor = lode_joint_create(s.world, &def);
    hash = lode_world_hash(s.world);
    for (int i = 0; i <= BAD_VECS + 2; ++i) {
        lode_joint_def spoilt = def;
        lode_joint_axis *axis = &spoilt.axis[2];
        if (i < BAD_VECS)
            axis->direction = bad_vec(i);
        else if (i == BAD_VECS)
            axis->direction = vec(0, 0, 0);
        else
            axis->frame = (lode_axis_frame)(i == BAD_VECS + 1 ? 3 : -1);
        REFUSES_HANDLE("def.axis", lode_joint_create, s.world, &spoilt);
        REFUSES("values", lode_joint_set_axis, motor, 2, axis);
    }
    for (int i = 0; i < BAD_REALS; ++i)
        REFUSES("position", lode_joint_set_position, motor, 0, bad_real(i));
    REFUSES("axis", lode_joint_set_position, motor, 3, 1);
    REFUSES("axis", lode_joint_set_position, motor, -1, 1);
    def.type = LODE_JOINT_PISTON;
    lode_joint piston = lode_joint_create(s.world, &def);
    hash = lode_world_hash(s.world);
    REFUSES("axis", lode_joint_set_position, piston, 0, 1); /* its pose says where it is */
    for (int i = 0; i < BAD_REALS; ++i)
        REFUSES("position", lode_joint_set_position, piston, 1, bad_real(i));
}

static void joint_distances_are_checked(void **state)
{
    (void)state;
    lode_joint_def def = good_joint();
    def.type = LODE_JOINT_DOUBLE_BALL;
    lode_joint_def_anchor_world(&def, vec(0, 0, 0), vec(1, 0, 0)); /* both in one place */
    REFUSES_HANDLE("def.distance", lode_joint_create, s.world, &def);
    def.distance = 0;
    REFUSES_HANDLE("def.distance", lode_joint_create, s.world, &def);
    def.distance = 1;
    lode_joint rod = lode_joint_create(s.world, &def);
    hash = lode_world_hash(s.world);
    REFUSES("distance", lode_joint_set_distance, rod, 0);
    REFUSES("distance", lode_joint_set_distance, rod, -1);
    for (int i = 0; i < BAD_REALS; ++i) {
        lode_joint_def spoilt = def;
        spoilt.distance = bad_real(i);
        if (!(bad_real(i) < 0))
            REFUSES_HANDLE("def.distance", lode_joint_create, s.world, &spoilt);
        REFUSES("distance", lode_joint_set_distance, rod, bad_real(i));
    }
}

static void joint_anchors_are_checked(void **state)
{
    (void)state;
    lode_joint_def def = good_joint(), before = def;
    REFUSES("def", lode_joint_def_anchor_world, NULL, vec(0, 0, 0), vec(1, 0, 0));
    for (int i = 0; i < BAD_VECS; ++i) {
        REFUSES("anchor", lode_joint_def_anchor_world, &def, bad_vec(i), vec(1, 0, 0));
        REFUSES("axis", lode_joint_def_anchor_world, &def, vec(1, 0, 0), bad_vec(i));
    }
    REFUSES("axis", lode_joint_def_anchor_world, &def, vec(1, 0, 0), vec(0, 0, 0));
    REFUSES("def", lode_joint_def_anchors_world, NULL, vec(0, 0, 0), vec(1, 0, 0), vec(1, 0, 0));
    for (int i = 0; i < BAD_VECS; ++i) {
        const lode_vec3 good = vec(1, 0, 0);
        REFUSES("anchor_a", lode_joint_def_anchors_world, &def, bad_vec(i), good, good);
        REFUSES("anchor_b", lode_joint_def_anchors_world, &def, good, bad_vec(i), good);
        REFUSES("axis", lode_joint_def_anchors_world, &def, good, good, bad_vec(i));
    }
    REFUSES("axis", lode_joint_def_anchors_world, &def, vec(1, 0, 0), vec(0, 0, 0), vec(0, 0, 0));
    REFUSES("def", lode_joint_def_frame_world, NULL, def.frame_a);
    REFUSES("axis", lode_joint_axis_set_spring, NULL, 1, 1, 1);
    REFUSES("stiffness", lode_joint_axis_set_spring, &def.axis[0], -1, 1, 1);
    REFUSES("damping", lode_joint_axis_set_spring, &def.axis[0], 1, -1, 1);
    REFUSES("dt", lode_joint_axis_set_spring, &def.axis[0], 1, 1, 0);
    REFUSES("stiffness", lode_joint_axis_set_spring, &def.axis[0], 0, 0, 1);
    REFUSES("axis", lode_joint_axis_set_servo, NULL, 1, 1);
    REFUSES("stiffness", lode_joint_axis_set_servo, &def.axis[0], 0, 1);
    REFUSES("stiffness", lode_joint_axis_set_servo, &def.axis[0], -1, 1);
    REFUSES("damping", lode_joint_axis_set_servo, &def.axis[0], 1, 0);
    REFUSES("damping", lode_joint_axis_set_servo, &def.axis[0], 1, -1);
    for (int i = 0; i < BAD_REALS; ++i) {
        REFUSES("stiffness", lode_joint_axis_set_servo, &def.axis[0], bad_real(i), 1);
        REFUSES("damping", lode_joint_axis_set_servo, &def.axis[0], 1, bad_real(i));
        REFUSES("stiffness", lode_joint_axis_set_spring, &def.axis[0], bad_real(i), 1, 1);
        REFUSES("damping", lode_joint_axis_set_spring, &def.axis[0], 1, bad_real(i), 1);
        REFUSES("dt", lode_joint_axis_set_spring, &def.axis[0], 1, 1, bad_real(i));
    }
    for (int i = 0; i < BAD_VECS; ++i)
        REFUSES("frame", lode_joint_def_frame_world, &def, (lode_pose){bad_vec(i), {1, 0, 0, 0}});
    for (int i = 0; i < BAD_QUATS; ++i)
        REFUSES("frame", lode_joint_def_frame_world, &def, (lode_pose){{0, 0, 0}, bad_quat(i)});
    assert_memory_equal(&def, &before, sizeof def);
}

/* ---- worlds ---- */

static void refuse_ray(const char *argument, lode_ray ray)
{
    lode_ray_hit hit;
    REFUSES_LIST(argument, lode_world_cast_ray, s.world, &ray, NULL, &hit);
    REFUSES_LIST(argument, lode_world_test_ray, s.world, &ray, NULL);
    REFUSES_LIST(argument, lode_world_cast_ray_all, s.world, &ray, NULL, &hit, 1);
    REFUSES_LIST(argument, lode_world_visit_ray, s.world, &ray, NULL, NULL, NULL);
    REFUSES_LIST(argument, lode_body_cast_ray, s.ball, &ray, &hit);
    REFUSES_LIST(argument, lode_shape_cast_ray, s.sphere, &ray, &hit);
    const lode_ray rays[2] = {{.direction = {1, 0, 0}}, ray};
    lode_ray_hit hits[2] = {{.distance = 7}, {.distance = 7}};
    REFUSES_LIST(argument, lode_world_cast_rays, s.world, rays, 2, NULL, hits);
    assert_true(hits[0].distance == 7 && hits[1].distance == 7);
}

static void rays_are_checked(void **state)
{
    (void)state;
    lode_ray good = {.direction = {1, 0, 0}, .length = 1}, bad = good;
    lode_ray_hit hit;
    for (int i = 0; i < BAD_VECS; ++i) {
        bad.origin = bad_vec(i);
        refuse_ray("ray.origin", bad);
        bad = good;
        bad.direction = bad_vec(i);
        refuse_ray("ray.direction", bad);
        bad = good;
    }
    bad.direction = vec(0, 0, 0);
    refuse_ray("ray.direction", bad);
    bad = good;
    bad.length = -1;
    refuse_ray("ray.length", bad);
    bad.length = (lode_real)NAN;
    refuse_ray("ray.length", bad);
    bad = good;
    bad.faces = (lode_faces)3;
    refuse_ray("ray.faces", bad);
    REFUSES_LIST("ray", lode_world_cast_ray, s.world, NULL, NULL, &hit);
    REFUSES_LIST("ray", lode_world_test_ray, s.world, NULL, NULL);
    REFUSES_LIST("out_hit", lode_world_cast_ray, s.world, &good, NULL, NULL);
    REFUSES_LIST("out_hit", lode_body_cast_ray, s.ball, &good, NULL);
    REFUSES_LIST("out_hit", lode_shape_cast_ray, s.sphere, &good, NULL);
    REFUSES_LIST("capacity", lode_world_cast_ray_all, s.world, &good, NULL, &hit, -1);
    REFUSES_LIST("out_hits", lode_world_cast_ray_all, s.world, &good, NULL, NULL, 1);
    REFUSES_LIST("visit", lode_world_visit_ray, s.world, &good, NULL, NULL, NULL);
    REFUSES_LIST("count", lode_world_cast_rays, s.world, &good, -1, NULL, &hit);
    REFUSES_LIST("rays", lode_world_cast_rays, s.world, NULL, 1, NULL, &hit);
    REFUSES_LIST("out_hits", lode_world_cast_rays, s.world, &good, 1, NULL, NULL);
}

static void refuse_cast(const char *argument, lode_cast cast)
{
    lode_cast_hit hit;
    REFUSES_LIST(argument, lode_world_cast_shape, s.world, &cast, NULL, &hit);
    REFUSES_LIST(argument, lode_world_test_shape, s.world, &cast, NULL);
    REFUSES_LIST(argument, lode_world_cast_shape_all, s.world, &cast, NULL, &hit, 1);
    REFUSES_LIST(argument, lode_world_visit_shape, s.world, &cast, NULL, NULL, NULL);
    REFUSES_LIST(argument, lode_body_cast_shape, s.ball, &cast, &hit);
    REFUSES_LIST(argument, lode_shape_cast_shape, s.sphere, &cast, &hit);
}

/* As casts and overlaps take them. */
static void refuse_solid(lode_solid solid)
{
    lode_pose pose = {.rotation = {1, 0, 0, 0}};
    refuse_cast("cast.solid", (lode_cast){solid, pose, {1, 0, 0}});
    REFUSES_LIST("solid", lode_world_overlap_solid, s.world, &solid, pose, NULL, NULL, 0);
}

static void solids_are_checked(void **state)
{
    (void)state;
    const lode_real bad[] = {0, -1, (lode_real)NAN, (lode_real)INFINITY};
    for (int i = 0; i < 4; ++i) {
        refuse_solid(lode_solid_sphere(bad[i]));
        refuse_solid(lode_solid_box(vec(bad[i], 1, 1)));
        refuse_solid(lode_solid_box(vec(1, bad[i], 1)));
        refuse_solid(lode_solid_box(vec(1, 1, bad[i])));
        refuse_solid(lode_solid_capsule(bad[i], 1));
        refuse_solid(lode_solid_cylinder(bad[i], 1));
        refuse_solid(lode_solid_cylinder(1, bad[i]));
        if (i > 0)
            refuse_solid(lode_solid_capsule(1, bad[i]));
    }
    refuse_solid(lode_solid_hull(NULL));
    refuse_solid(lode_solid_custom(NULL));
    refuse_solid((lode_solid){.type = LODE_PLANE, .radius = 1});
    refuse_solid((lode_solid){.type = LODE_MESH, .radius = 1});
    refuse_solid((lode_solid){.type = LODE_HEIGHTFIELD, .radius = 1});
    refuse_solid((lode_solid){.type = LODE_SHAPE_TYPE_COUNT, .radius = 1});
    refuse_solid((lode_solid){.type = (lode_shape_type)-1, .radius = 1});
}

static void casts_are_checked(void **state)
{
    (void)state;
    const lode_solid solid = lode_solid_sphere(1);
    lode_cast good = {solid, {{0, 0, 0}, {1, 0, 0, 0}}, {1, 0, 0}}, bad = good;
    lode_cast_hit hit;
    for (int i = 0; i < BAD_VECS; ++i) {
        bad.pose.position = bad_vec(i);
        refuse_cast("cast.pose", bad);
        REFUSES_LIST("pose", lode_world_overlap_solid, s.world, &solid, bad.pose, NULL, NULL, 0);
        bad = good;
        bad.translation = bad_vec(i);
        refuse_cast("cast.translation", bad);
        bad = good;
        REFUSES_LIST("point", lode_world_overlap_point, s.world, bad_vec(i), NULL, NULL, 0);
    }
    for (int i = 0; i < BAD_QUATS; ++i) {
        bad.pose.rotation = bad_quat(i);
        refuse_cast("cast.pose", bad);
    }
    REFUSES_LIST("cast", lode_world_cast_shape, s.world, NULL, NULL, &hit);
    REFUSES_LIST("cast", lode_world_test_shape, s.world, NULL, NULL);
    REFUSES_LIST("out_hit", lode_world_cast_shape, s.world, &good, NULL, NULL);
    REFUSES_LIST("out_hit", lode_body_cast_shape, s.ball, &good, NULL);
    REFUSES_LIST("out_hit", lode_shape_cast_shape, s.sphere, &good, NULL);
    REFUSES_LIST("capacity", lode_world_cast_shape_all, s.world, &good, NULL, &hit, -1);
    REFUSES_LIST("out_hits", lode_world_cast_shape_all, s.world, &good, NULL, NULL, 1);
    REFUSES_LIST("visit", lode_world_visit_shape, s.world, &good, NULL, NULL, NULL);
    REFUSES_LIST("solid", lode_world_overlap_solid, s.world, NULL, good.pose, NULL, NULL, 0);
    REFUSES_LIST("capacity", lode_world_overlap_solid, s.world, &solid, good.pose, NULL, NULL, -1);
    REFUSES_LIST("out_shapes", lode_world_overlap_solid, s.world, &solid, good.pose, NULL, NULL, 1);
    REFUSES_LIST("capacity", lode_world_overlap_point, s.world, vec(0, 0, 0), NULL, NULL, -1);
    REFUSES_LIST("out_shapes", lode_world_overlap_point, s.world, vec(0, 0, 0), NULL, NULL, 1);
}

static void points_and_overlaps_are_checked(void **state)
{
    (void)state;
    const lode_vec3 good = {0, 0, 0};
    lode_nearest n;
    for (int i = 0; i < BAD_VECS; ++i) {
        lode_vec3 bad = bad_vec(i);
        REFUSES_LIST("point", lode_shape_find_nearest, s.sphere, bad, &n);
        REFUSES_LIST("center", lode_world_overlap_sphere, s.world, bad, 1, NULL, NULL, 0);
        REFUSES_LIST("bounds", lode_world_overlap_bounds, s.world, (lode_bounds){bad, good}, NULL,
                     NULL, 0);
        REFUSES_LIST("bounds", lode_world_overlap_bounds, s.world, (lode_bounds){good, bad}, NULL,
                     NULL, 0);
    }
    REFUSES_LIST("bounds", lode_world_overlap_bounds, s.world, (lode_bounds){{0, 0, 1}, {1, 1, 0}},
                 NULL, NULL, 0);
    REFUSES_LIST("out_shapes", lode_world_overlap_sphere, s.world, good, 1, NULL, NULL, 1);
    REFUSES_LIST("capacity", lode_world_overlap_sphere, s.world, good, 1, NULL, NULL, -1);
    REFUSES_LIST("radius", lode_world_overlap_sphere, s.world, good, -1, NULL, NULL, 0);
    for (int i = 0; i < BAD_REALS; ++i)
        REFUSES_LIST("radius", lode_world_overlap_sphere, s.world, good, bad_real(i), NULL, NULL,
                     0);
    REFUSES_LIST("out_nearest", lode_shape_find_nearest, s.sphere, good, NULL);
    REFUSES_LIST("out_closest", lode_shape_find_closest, s.sphere, s.box, NULL);
}

static void steps_and_queries_are_checked(void **state)
{
    (void)state;
    const lode_real steps[] = {0, -STEP, (lode_real)NAN, (lode_real)INFINITY};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i)
        REFUSES("dt", lode_world_step, s.world, steps[i]);
    REFUSES("out_stats", lode_world_get_stats, s.world, NULL);
    REFUSES("snapshot", lode_world_restore, s.world, NULL, 100);
    REFUSES("snapshot", lode_world_restore, s.world, "", 0);
    REFUSES("path", lode_world_save, s.world, NULL);
    REFUSES("path", lode_world_load, s.world, NULL);

    lode_contact contact;
    lode_stage_info stage;
    assert_int_equal(lode_world_get_contacts(s.world, NULL, 1), 0);
    expect_refused("lode_world_get_contacts", "out_contacts", __LINE__);
    assert_int_equal(lode_world_get_contacts(s.world, &contact, -1), 0);
    expect_refused("lode_world_get_contacts", "capacity", __LINE__);
    assert_int_equal(lode_world_get_stages(s.world, NULL, 1), 0);
    expect_refused("lode_world_get_stages", "out_stages", __LINE__);
    assert_int_equal(lode_world_get_stages(s.world, &stage, -1), 0);
    expect_refused("lode_world_get_stages", "capacity", __LINE__);
    lode_body body;
    lode_joint joint;
    lode_shape shape;
    REFUSES_LIST("out_bodies", lode_world_get_bodies, s.world, NULL, 1);
    REFUSES_LIST("capacity", lode_world_get_bodies, s.world, &body, -1);
    REFUSES_LIST("out_joints", lode_world_get_joints, s.world, NULL, 1);
    REFUSES_LIST("capacity", lode_world_get_joints, s.world, &joint, -1);
    REFUSES_LIST("out_shapes", lode_body_get_shapes, s.ball, NULL, 1);
    REFUSES_LIST("capacity", lode_body_get_shapes, s.ball, &shape, -1);
    REFUSES_LIST("out_joints", lode_body_get_joints, s.ball, NULL, 1);
    REFUSES_LIST("capacity", lode_body_get_joints, s.ball, &joint, -1);
    assert_true(lode_world_get_contacts(s.world, NULL, 0) > 0);
    assert_int_equal(lode_world_get_warnings(s.world, NULL, 1), 0);
    expect_refused("lode_world_get_warnings", "out_warnings", __LINE__);
    assert_true(lode_world_get_stages(s.world, NULL, 0) > 0);
    assert_int_equal(report.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(body_vectors_must_be_finite, set_up, tear_down),
        cmocka_unit_test_setup_teardown(frames_must_be_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sums_that_overflow_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(body_definitions_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(traits_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(turning_is_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damping_is_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(static_bodies_refuse_velocity_and_mass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(masses_must_be_possible, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shape_definitions_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shape_sizes_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(changed_sizes_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shapes_keep_their_type, set_up, tear_down),
        cmocka_unit_test_setup_teardown(changes_that_no_mass_survives_are_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(places_too_far_from_the_body_are_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(surfaces_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(surfaces_that_say_more_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(joint_definitions_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(joint_axes_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(joint_anchors_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(joint_distances_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(joint_directions_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rays_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(solids_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(casts_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(points_and_overlaps_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(steps_and_queries_are_checked, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Free axes in the world, and forces along them: direction by differences, Newton's third law to
 * rounding, and the work they do. */
#include "core/math.h"
#include "solver/joints/joint_type.h"
#include "tests/fidelity/lab.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

static lode_world world;

static int set_up(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    report_install();
    def.gravity = vec(0, 0, 0);
    world = lode_world_create(&def);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count;
}

static lode_vec3 any_vec(test_random *random, double most)
{
    double x = random_between(random, -most, most), y = random_between(random, -most, most);
    double z = random_between(random, -most, most);
    return lab_vec3(x, y, z);
}

static lode_pose any_pose(test_random *random, double most)
{
    lode_vec3 position = any_vec(random, most), v = any_vec(random, 1);
    return (lode_pose){position, {(lode_real)random_between(random, 0.3, 1), v.x, v.y, v.z}};
}

/* Heavy and light, with the centre of mass off the origin and a lopsided inertia. */
static lode_body any_body(test_random *random)
{
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_mass mass = {.mass = (lode_real)random_between(random, 1, 5),
                      .center = any_vec(random, 1),
                      .inertia = {2, 3, 4, (lode_real)0.2, (lode_real)-0.1, (lode_real)0.3}};
    assert_int_equal(lode_body_set_mass(body, &mass), LODE_OK);
    lode_body_set_pose(body, any_pose(random, 3));
    return body;
}

/* Anchors and frames anywhere: the joint has come apart in all ways. */
static lode_joint any_joint(test_random *random, lode_joint_type type, lode_body a, lode_body b)
{
    lode_joint_def def = lode_joint_def_default(type);
    def.body_a = a;
    def.body_b = b;
    def.frame_a = any_pose(random, 2);
    def.frame_b = any_pose(random, 2);
    def.distance = 1;
    for (int i = 0; i < LODE_JOINT_AXES; ++i) { /* of motors */
        def.axis[i].direction = any_vec(random, 1);
        def.axis[i].frame = random_below(random, 2) ? LODE_AXIS_IN_FRAME_A : LODE_AXIS_IN_FRAME_B;
    }
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(joint.id);
    return joint;
}

static int axes_of(lode_joint_type type)
{
    return lode__joint_types[type].axes;
}

/* ---- directions ---- */

/* Moved a little along the direction, or turned about it, body a's position on the axis grows by
 * as much; moved across it does not change, for slides. */
static void moving_along_it_changes_the_position(void **state)
{
    (void)state;
    const double step = sizeof(lode_real) == 4 ? 2e-3 : 1e-5, most = 20 * step + 2e-3;
    test_random random = {3};
    int seen = 0;
    for (int round = 0; round < 40; ++round)
        for (int type = 0; type < LODE_JOINT_TYPE_COUNT; ++type)
            for (int axis = 0; axis < axes_of((lode_joint_type)type); ++axis) {
                int kind = lode__joint_types[type].axis[axis];
                bool slides = kind <= LODE__DISTANCE || kind == LODE__GIVEN_SLIDE;
                lode_body a = any_body(&random), b = any_body(&random);
                lode_joint joint = any_joint(&random, (lode_joint_type)type, a, b);
                lab_vec d = lab_of(lode_joint_get_axis_world(joint, axis));
                LAB_NEAR(lab_length(d), 1, 8 * LAB_EPSILON);
                /* only slides and Euler's angles mean what they say on a joint that is apart */
                bool euler = kind >= LODE__EULER_X && kind <= LODE__EULER_Z;
                if (slides || euler) {
                    lode_pose pose = lode_body_get_pose(a), moved = pose;
                    double before = lode_joint_get_position(joint, axis);
                    lab_vec by = lab_scale(d, step);
                    if (slides)
                        moved.position = v3_add(pose.position, lab_vec3(by.x, by.y, by.z));
                    else
                        moved.rotation = q_mul((lode_quat){1, (lode_real)(by.x / 2),
                                                           (lode_real)(by.y / 2),
                                                           (lode_real)(by.z / 2)},
                                               pose.rotation);
                    lode_body_set_pose(a, moved);
                    double grown = lode_joint_get_position(joint, axis) - before;
                    if (euler) /* from pi to -pi */
                        grown = remainder(grown, 2 * LAB_PI);
                    LAB_NEAR(grown / step, 1, most + (euler ? 0.02 : 0));
                    ++seen;
                }
                lode_body_destroy(a);
                lode_body_destroy(b);
            }
    assert_true(seen > 500);
}

/* As the header names them, on joints that are as they should be. */
static void types_have_the_axes_that_they_say(void **state)
{
    (void)state;
    static const struct {
        lode_joint_type type;
        int axis;
        char of; /* x, y or z of the frame */
    } rows[] = {
        {LODE_JOINT_HINGE, 0, 'x'},
        {LODE_JOINT_SLIDER, 0, 'x'},
        {LODE_JOINT_UNIVERSAL, 0, 'x'},
        {LODE_JOINT_UNIVERSAL, 1, 'y'},
        {LODE_JOINT_PISTON, 0, 'x'},
        {LODE_JOINT_PISTON, 1, 'x'},
        {LODE_JOINT_PRISMATIC_ROTOIDE, 0, 'y'},
        {LODE_JOINT_PRISMATIC_ROTOIDE, 1, 'x'},
        {LODE_JOINT_PRISMATIC_UNIVERSAL, 0, 'z'},
        {LODE_JOINT_PRISMATIC_UNIVERSAL, 1, 'x'},
        {LODE_JOINT_PRISMATIC_UNIVERSAL, 2, 'y'},
        {LODE_JOINT_PLANE_2D, 0, 'y'},
        {LODE_JOINT_PLANE_2D, 1, 'z'},
        {LODE_JOINT_PLANE_2D, 2, 'x'},
        {LODE_JOINT_WHEEL, 0, 'y'},
        {LODE_JOINT_WHEEL, 1, 'x'},
        {LODE_JOINT_WHEEL, 2, 'y'},
        {LODE_JOINT_SIX_AXES, 0, 'x'},
        {LODE_JOINT_SIX_AXES, 1, 'y'},
        {LODE_JOINT_SIX_AXES, 2, 'z'},
        {LODE_JOINT_SIX_AXES, 3, 'x'},
        {LODE_JOINT_SIX_AXES, 4, 'y'},
        {LODE_JOINT_SIX_AXES, 5, 'z'},
        {LODE_JOINT_DOUBLE_HINGE, 0, 'x'},
        {LODE_JOINT_DOUBLE_HINGE, 1, 'x'},
        {LODE_JOINT_ANGULAR_MOTOR, 1, 'y'},
        {LODE_JOINT_EULER_MOTOR, 0, 'x'},
        {LODE_JOINT_EULER_MOTOR, 1, 'y'},
        {LODE_JOINT_EULER_MOTOR, 2, 'z'},
        {LODE_JOINT_LINEAR_MOTOR, 2, 'z'},
    };
    test_random random = {9};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int side = 0; side < 2; ++side) {
            lode_joint_def def = lode_joint_def_default(rows[i].type);
            def.body_a = any_body(&random);
            def.body_b = side ? any_body(&random) : (lode_body){0};
            lode_pose frame = any_pose(&random, 2);
            assert_int_equal(lode_joint_def_frame_world(&def, frame), LODE_OK);
            def.distance = 1;
            lode_joint joint = lode_joint_create(world, &def);
            lode_vec3 local = vec(rows[i].of == 'x', rows[i].of == 'y', rows[i].of == 'z');
            lode_vec3 wanted = q_rotate(q_normalize(frame.rotation), local);
            lode_vec3 told = lode_joint_get_axis_world(joint, rows[i].axis);
            assert_true(near_vec(told, wanted, sizeof(lode_real) == 4 ? 1e-4 : 1e-8));
            lode_joint_destroy(joint);
        }
}

/* Along x of b where the anchors are in one place, else from b's to a's. */
static void a_distance_has_a_direction_in_any_case(void **state)
{
    (void)state;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_DISTANCE);
    def.body_a = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    def.frame_b.rotation = (lode_quat){1, 0, 0, 1}; /* its x axis is y */
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(near_vec(lode_joint_get_axis_world(joint, 0), vec(0, 1, 0), 1e-6));
    lode_body_set_pose(def.body_a, (lode_pose){{0, 0, -3}, {1, 0, 0, 0}});
    assert_true(near_vec(lode_joint_get_axis_world(joint, 0), vec(0, 0, -1), 1e-6));
}

/* ---- forces ---- */

/* What a force of `f` does to momentum, and what it should not. `scale` is the size of the numbers
 * that are added up. */
static void expect_third_law(lode_joint joint, int axis, lode_body a, lode_body b, double f)
{
    lab_vec fa = lab_of(lode_body_get_force(a)), fb = lab_of(lode_body_get_force(b));
    lab_vec ta = lab_of(lode_body_get_torque(a)), tb = lab_of(lode_body_get_torque(b));
    assert_int_equal(lode_joint_add_force(joint, axis, (lode_real)f), LODE_OK);
    fa = lab_sub(lab_of(lode_body_get_force(a)), fa);
    fb = lab_sub(lab_of(lode_body_get_force(b)), fb);
    ta = lab_sub(lab_of(lode_body_get_torque(a)), ta);
    tb = lab_sub(lab_of(lode_body_get_torque(b)), tb);
    lab_vec ca = lab_center(a), cb = lab_center(b);
    assert_true(fa.x == -fb.x && fa.y == -fb.y && fa.z == -fb.z); /* to the bit */
    lab_vec moment = lab_add(lab_add(ta, tb), lab_add(lab_cross(ca, fa), lab_cross(cb, fb)));
    double reach = 1 + lab_length(ca) + lab_length(cb) + 6;
    double size = lab_length(ta) + lab_length(tb) + reach * lab_length(fa);
    LAB_AT_MOST(lab_length(moment), 32 * LAB_EPSILON * size);
}

static void action_is_reaction(void **state)
{
    (void)state;
    test_random random = {21};
    for (int round = 0; round < 60; ++round)
        for (int type = 0; type < LODE_JOINT_TYPE_COUNT; ++type)
            for (int axis = 0; axis < axes_of((lode_joint_type)type); ++axis) {
                lode_body a = any_body(&random), b = any_body(&random);
                lode_joint joint = any_joint(&random, (lode_joint_type)type, a, b);
                expect_third_law(joint, axis, a, b, random_between(&random, -50, 50));
                lode_body_destroy(a);
                lode_body_destroy(b);
            }
}

/* The push does f times the rate of the axis in work, on both bodies together: it is the force that
 * belongs to that coordinate. */
static void its_power_is_force_times_rate(void **state)
{
    (void)state;
    test_random random = {33};
    for (int round = 0; round < 60; ++round)
        for (int type = 0; type < LODE_JOINT_TYPE_COUNT; ++type)
            for (int axis = 0; axis < axes_of((lode_joint_type)type); ++axis) {
                lode_body bodies[2] = {any_body(&random), any_body(&random)};
                double f = random_between(&random, -5, 5), power = 0, size = 0;
                for (int i = 0; i < 2; ++i) {
                    lode_vec3 v = any_vec(&random, 2), w = any_vec(&random, 2);
                    lode_body_set_linear_velocity(bodies[i], v);
                    lode_body_set_angular_velocity(bodies[i], w);
                }
                lode_joint joint = any_joint(&random, (lode_joint_type)type, bodies[0], bodies[1]);
                assert_int_equal(lode_joint_add_force(joint, axis, (lode_real)f), LODE_OK);
                for (int i = 0; i < 2; ++i) {
                    lab_vec force = lab_of(lode_body_get_force(bodies[i]));
                    lab_vec torque = lab_of(lode_body_get_torque(bodies[i]));
                    power += lab_dot(force, lab_velocity(bodies[i])) +
                             lab_dot(torque, lab_spin(bodies[i]));
                    size += lab_length(force) * lab_length(lab_velocity(bodies[i])) +
                            lab_length(torque) * lab_length(lab_spin(bodies[i]));
                }
                LAB_NEAR(power, f * (double)lode_joint_get_rate(joint, axis),
                         64 * LAB_EPSILON * size);
                lode_body_destroy(bodies[0]);
                lode_body_destroy(bodies[1]);
            }
}

/* A slider's bodies come apart by f / m, and a hinge's wheel spins up by f / I, for one step. */
static void it_acts_for_one_step(void **state)
{
    (void)state;
    lode_mass mass = {.mass = 2, .inertia = {3, 3, 3}};
    lode_body sled[2], wheel;
    for (int i = 0; i < 2; ++i) {
        sled[i] = add_body(world, LODE_DYNAMIC, (lode_real)(5 * i), 0, 0);
        lode_body_set_mass(sled[i], &mass);
    }
    wheel = add_body(world, LODE_DYNAMIC, 0, 9, 0);
    lode_body_set_mass(wheel, &mass);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_SLIDER);
    def.body_a = sled[1];
    def.body_b = sled[0];
    lode_joint_def_anchor_world(&def, vec(2, 1, 0), vec(1, 0, 0));
    lode_joint rail = lode_joint_create(world, &def);
    def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = wheel;
    lode_joint_def_anchor_world(&def, vec(0, 9, 0), vec(0, 0, 1));
    lode_joint axle = lode_joint_create(world, &def);
    const double dt = (double)STEP, tolerance = 1e-3;
    for (int i = 1; i <= 3; ++i) {
        lode_joint_add_force(rail, 0, 4);
        lode_joint_add_force(rail, 0, 4); /* calls add up */
        lode_joint_add_force(axle, 0, 6);
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        LAB_NEAR(lode_joint_get_rate(rail, 0), i * 2 * 8 / 2.0 * dt, tolerance);
        LAB_NEAR(lode_joint_get_rate(axle, 0), i * 6 / 3.0 * dt, tolerance);
        assert_true(lab_length(lab_of(lode_body_get_force(sled[0]))) == 0);
    }
    lab_vec together = lab_add(lab_velocity(sled[0]), lab_velocity(sled[1]));
    LAB_AT_MOST(lab_length(together), 16 * LAB_EPSILON);
    assert_int_equal(lode_world_step(world, STEP), LODE_OK); /* no push, no change */
    LAB_NEAR(lode_joint_get_rate(rail, 0), 3 * 8 * dt, tolerance);
}

static void who_does_not_move_is_left_alone(void **state)
{
    (void)state;
    test_random random = {2};
    lode_body a = any_body(&random), post = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_body lift = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    const lode_body others[3] = {post, lift, {0}};
    for (int i = 0; i < 3; ++i)
        for (int turn = 0; turn < 2 && (i < 2 || turn == 0); ++turn) {
            lode_joint joint = any_joint(&random, LODE_JOINT_SLIDER, turn ? others[i] : a,
                                         turn ? a : others[i]);
            lode_body_set_force(a, vec(0, 0, 0));
            lode_body_set_torque(a, vec(0, 0, 0));
            assert_int_equal(lode_joint_add_force(joint, 0, 3), LODE_OK);
            LAB_NEAR(lab_length(lab_of(lode_body_get_force(a))), 3, 1e-5);
            lab_vec axis = lab_of(lode_joint_get_axis_world(joint, 0));
            double along = lab_dot(axis, lab_of(lode_body_get_force(a)));
            LAB_NEAR(along, turn ? -3 : 3, 1e-5);
            if (others[i].id)
                assert_true(lab_length(lab_of(lode_body_get_force(others[i]))) == 0);
            lode_joint_destroy(joint);
        }
}

static void a_disabled_joint_pushes_nothing(void **state)
{
    (void)state;
    test_random random = {2};
    lode_body a = any_body(&random);
    lode_joint joint = any_joint(&random, LODE_JOINT_HINGE, a, (lode_body){0});
    lode_joint_set_enabled(joint, false);
    assert_int_equal(lode_joint_add_force(joint, 0, 3), LODE_OK);
    assert_true(lab_length(lab_of(lode_body_get_torque(a))) == 0);
}

/* Refused, the sums of both bodies are what they were, also when only one would be too large. */
static void bad_forces_are_refused(void **state)
{
    (void)state;
    test_random random = {2};
    const lode_real big = REAL_MAX / 100; /* times a lever it is finite */
    lode_body a = any_body(&random), b = any_body(&random);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_SLIDER);
    def.body_a = a;
    def.body_b = b;
    lode_joint_def_anchor_world(&def, vec(0, 0, 0), vec(0, 0, 1));
    lode_joint joint = lode_joint_create(world, &def);
    lode_body_set_force(b, vec(0, 0, -REAL_MAX));
    lode_body_set_force(a, vec(0, 1, 0));
    uint64_t hash = lode_world_hash(world);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "force", lode_joint_add_force, joint, 0, big);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "force", lode_joint_add_force, joint, 0,
                   (lode_real)INFINITY);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "force", lode_joint_add_force, joint, 0, (lode_real)NAN);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "axis", lode_joint_add_force, joint, 1, 1);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "axis", lode_joint_add_force, joint, -1, 1);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "joint", lode_joint_add_force, (lode_joint){0}, 0, 1);
    assert_true(near_vec(lode_joint_get_axis_world(joint, 1), vec(0, 0, 0), 0));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_joint_get_axis_world", "axis");
    report_clear();
    assert_true(lode_world_hash(world) == hash);
    assert_int_equal(lode_joint_add_force(joint, 0, -big), LODE_OK); /* the other way it is */
    lode_body_set_force(b, vec(0, 0, 0));
    lode_body_set_force(a, vec(0, 0, REAL_MAX));
    hash = lode_world_hash(world);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "force", lode_joint_add_force, joint, 0, big);
    assert_true(lode_world_hash(world) == hash);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(moving_along_it_changes_the_position),
        TEST(types_have_the_axes_that_they_say),
        TEST(a_distance_has_a_direction_in_any_case),
        TEST(action_is_reaction),
        TEST(its_power_is_force_times_rate),
        TEST(it_acts_for_one_step),
        TEST(who_does_not_move_is_left_alone),
        TEST(a_disabled_joint_pushes_nothing),
        TEST(bad_forces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

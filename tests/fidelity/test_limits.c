/* The scale of gravity and limits of speed, against formulas of free motion. A limit acts before
 * each move: what it promises is about the way a body goes, not only about the velocity it
 * shows. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 64)

static const lab_material steel = {.density = 1000, .friction = 0.5};

/* ---- gravity ---- */

static void gravity_acts_by_its_scale(void **state)
{
    const double scales[] = {0, 1, 2, 0.25, -1, -0.5, 100};
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body bodies[7];
    double h = H / lab_sub_steps(world), n = 64 * lab_sub_steps(world);
    for (int i = 0; i < 7; ++i) {
        lode_body_def def = lode_body_def_default();
        def.type = LODE_DYNAMIC;
        def.gravity_scale = (lode_real)scales[i];
        def.position = lab_vec3(0, 0, 100);
        bodies[i] = lode_body_create(world, &def);
        lode_mass mass = {3, {1, 2, 3}, {4, 5, 6, 0, 0, 0}};
        lode_body_set_mass(bodies[i], &mass);
        assert_true(lode_body_get_gravity_scale(bodies[i]) == (lode_real)scales[i]);
    }
    lab_run(world, H, 64);
    for (int i = 0; i < 7; ++i) {
        double g = LAB_G * scales[i];
        LAB_NEAR(lab_velocity(bodies[i]).z, -g, n * LAB_EPSILON * fabs(g));
        LAB_NEAR(lab_center(bodies[i]).z, 103 - g * h * h * n * (n + 1) / 2,
                 n * LAB_EPSILON * (103 + fabs(g)));
        assert_true(lode_body_get_force(bodies[i]).z == 0);
    }
    assert_true(lode_body_get_pose(bodies[0]).position.z == 100); /* to the bit */
    lode_world_destroy(world);
}

static void the_scale_leaves_forces_alone(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body body = lab_body(world, lab_vec3(0, 0, 0));
    assert_int_equal(lode_body_set_gravity_scale(body, 0), LODE_OK);
    lode_body_add_force(body, lab_vec3(64, 0, 64));
    lab_run(world, H, 1);
    LAB_NEAR(lab_velocity(body).x, 1, 8 * LAB_EPSILON);
    LAB_NEAR(lab_velocity(body).z, 1, 8 * LAB_EPSILON);
    assert_int_equal(lode_body_set_gravity_scale(body, 1), LODE_OK);
    lab_run(world, H, 1);
    LAB_NEAR(lab_velocity(body).z, 1 - LAB_G * H, 16 * LAB_EPSILON);
    lode_world_destroy(world);
}

/* A box that weighs thrice as much presses thrice as hard. */
static void contacts_carry_the_scaled_weight(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lab_floor(world, steel);
    lode_body box = lab_box(world, steel, lab_vec3(0, 0, 0.5), lab_vec3(0.5, 0.5, 0.5));
    lode_body_set_gravity_scale(box, 3);
    lab_run(world, H, 300);
    lode_contact contact;
    double impulse = 0;
    assert_int_equal(lode_world_get_contacts(world, &contact, 1), 1);
    for (int i = 0; i < contact.point_count; ++i)
        impulse += fabs((double)contact.points[i].impulse.z);
    LAB_NEAR(impulse, 3 * 1000 * LAB_G * H, 0.01 * 3 * 1000 * LAB_G * H);
    lode_world_destroy(world);
}

/* ---- limits ---- */

static void the_way_of_a_step_is_limited(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.linear_velocity = lab_vec3(30, 0, -40);
    def.max_linear_speed = 5;
    lode_body body = lode_body_create(world, &def);
    assert_true(lode_body_get_max_linear_speed(body) == 5);
    assert_true(isinf(lode_body_get_max_angular_speed(body)));
    for (int n = 1; n <= 10; ++n) {
        lab_run(world, H, 1);
        LAB_NEAR(lab_center(body).x, 3 * H * n, 16 * n * LAB_EPSILON);
        LAB_NEAR(lab_center(body).z, -4 * H * n, 16 * n * LAB_EPSILON);
        LAB_NEAR(lab_velocity(body).x, 3, 16 * LAB_EPSILON);
        LAB_NEAR(lab_velocity(body).z, -4, 16 * LAB_EPSILON);
    }
    lode_body_set_max_linear_speed(body, 0);
    lab_vec at = lab_center(body);
    lode_body_set_linear_velocity(body, lab_vec3(1e6, 1, 2));
    lab_run(world, H, 3);
    assert_true(lab_length(lab_sub(lab_center(body), at)) == 0);
    lode_body_set_max_linear_speed(body, (lode_real)INFINITY);
    lode_body_set_linear_velocity(body, lab_vec3(640, 0, 0));
    lab_run(world, H, 1);
    LAB_NEAR(lab_center(body).x - at.x, 10, 32 * LAB_EPSILON);
    lode_world_destroy(world);
}

/* About a principal axis; the integrator turns by 2 atan(h w / 2) a sub-step, which is below h
 * w. */
static void the_turn_of_a_step_is_limited(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body body = lab_box(world, steel, lab_vec3(0, 0, 0), lab_vec3(0.5, 0.25, 0.125));
    lode_body_set_angular_velocity(body, lab_vec3(0, 0, 500));
    lode_body_set_linear_velocity(body, lab_vec3(7, 0, 0));
    lode_body_set_max_angular_speed(body, 2);
    double h = H / lab_sub_steps(world), turn = 2 * atan(h) * lab_sub_steps(world) * 32;
    lab_run(world, H, 32);
    lode_quat q = lode_body_get_pose(body).rotation;
    LAB_NEAR(2 * atan2(q.z, q.w), turn, 200 * LAB_EPSILON);
    LAB_NEAR(lab_spin(body).z, 2, 200 * LAB_EPSILON);
    LAB_NEAR(lab_velocity(body).x, 7, 0);
    lode_world_destroy(world);
}

/* A lopsided body that tumbles: the limit is about its centre of mass, and holds whatever the
 * gyroscopic torque adds. */
static void a_tumbling_body_keeps_within_both_limits(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body body = lab_body(world, lab_vec3(0, 0, 0));
    const lode_mass lopsided = {2, {1, -2, 1}, {1, 2, (lode_real)2.9, 0, 0, 0}};
    lode_body_set_mass(body, &lopsided);
    lode_body_set_angular_velocity(body, lab_vec3(30, 40, 50));
    lode_body_set_max_angular_speed(body, 6);
    lode_body_set_max_linear_speed(body, 3);
    for (int i = 0; i < 300; ++i) {
        lab_vec from = lab_center(body);
        lode_quat before = lode_body_get_pose(body).rotation;
        lode_body_add_torque(body, lab_vec3(100, -50, 20));
        lab_run(world, H, 1);
        lode_quat q = lode_body_get_pose(body).rotation;
        double cosine = before.w * q.w + before.x * q.x + before.y * q.y + before.z * q.z;
        LAB_AT_MOST(lab_length(lab_sub(lab_center(body), from)), 3 * H * (1 + 1e-4) + 1e-5);
        LAB_AT_MOST(2 * acos(fmin(1, fabs(cosine))), 6 * H + 2e-3);
        LAB_AT_MOST(lab_spin(body).x, 6.001);
    }
    LAB_NEAR(lab_length(lab_velocity(body)), 3, 1e-3);
    lode_world_destroy(world);
}

/* A ball that bounces between floor and gravity never goes further in a step than it may. */
static void bounces_keep_within_the_limit(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lab_material rubber = {.density = 1000, .restitution = 1};
    lab_floor(world, rubber);
    lode_body ball = lab_sphere(world, rubber, lab_vec3(0, 0, 3), 0.5);
    lode_body_set_max_linear_speed(ball, 2);
    for (int i = 0; i < 600; ++i) {
        double from = lab_center(ball).z;
        lab_run(world, H, 1);
        LAB_AT_MOST(fabs(lab_center(ball).z - from), 2 * H * (1 + 1e-5) + 8 * LAB_EPSILON);
    }
    lode_world_destroy(world);
}

/* Who has no limit does not notice those who have one. */
static void others_are_not_touched_by_a_limit(void **state)
{
    lode_pose pose[2];
    for (int limited = 0; limited < 2; ++limited) {
        lode_world world = lab_world(LAB_SOLVER(state));
        lab_floor(world, steel);
        lode_body other = lab_box(world, steel, lab_vec3(0, 0, 3), lab_vec3(0.5, 0.4, 0.3));
        lode_body_set_angular_velocity(other, lab_vec3(1, 2, 3));
        lode_body body = lab_box(world, steel, lab_vec3(9, 0, 3), lab_vec3(0.5, 0.4, 0.3));
        if (limited) {
            lode_body_set_max_linear_speed(body, 1);
            lode_body_set_gravity_scale(body, 2);
        }
        lab_run(world, H, 200);
        pose[limited] = lode_body_get_pose(other);
        lode_world_destroy(world);
    }
    assert_memory_equal(&pose[0], &pose[1], sizeof pose[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(gravity_acts_by_its_scale),
        LAB_EACH_AND_PER_JOINT(the_scale_leaves_forces_alone),
        LAB_EACH_AND_PER_JOINT(contacts_carry_the_scaled_weight),
        LAB_EACH_AND_PER_JOINT(the_way_of_a_step_is_limited),
        LAB_EACH_AND_PER_JOINT(the_turn_of_a_step_is_limited),
        LAB_EACH_AND_PER_JOINT(a_tumbling_body_keeps_within_both_limits),
        LAB_EACH_AND_PER_JOINT(bounces_keep_within_the_limit),
        LAB_EACH_AND_PER_JOINT(others_are_not_touched_by_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

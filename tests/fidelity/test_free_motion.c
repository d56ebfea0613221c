/* Bodies that touch nothing: fall, flight, and the effect of forces, torques and impulses.
 *
 * Semi-implicit Euler with step h gives after n steps from rest v = g n h and
 * z = g h^2 n (n + 1) / 2, which is behind the parabola g t^2 / 2 by exactly g h t / 2: the method
 * is of first order and its error is known. So every expectation is met up to rounding: an addition
 * errs by at most half a spacing of its result, n additions by n/2 of the largest, and errors of
 * the velocity act on the position for the time t. The bound used is n eps (|x| + t |v|), with the
 * largest values; h is a power of two, so that products with it are exact. Steps of the soft
 * step count once for each of its sub-steps. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 64)

static const lab_material steel = {.density = 1000};

static double rounding(int steps, double place, double speed, double time)
{
    return steps * LAB_EPSILON * (place + time * speed);
}

static void a_fall_follows_its_recurrence(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body ball = lab_sphere(world, steel, lab_vec3(1, 2, 100), 0.5);
    int subs = lab_sub_steps(world);
    double h = H / subs;
    for (int step = 1; step <= 256; ++step) {
        lab_run(world, H, 1);
        double n = (double)step * subs, t = step * H, v = LAB_G * n * h;
        double fallen = LAB_G * h * h * n * (n + 1) / 2;
        double parabola = LAB_G * t * t / 2;
        double tolerance = rounding((int)n, 100, v, t);
        LAB_NEAR(lab_velocity(ball).z, -v, (int)n * LAB_EPSILON * v);
        LAB_NEAR(lab_center(ball).z, 100 - fallen, tolerance);
        LAB_NEAR(100 - lab_center(ball).z - parabola, LAB_G * h * t / 2, tolerance);
    }
    assert_true(lab_center(ball).x == 1 && lab_center(ball).y == 2);
    lode_world_destroy(world);
}

/* Range and height of a throw; the path does not care that the body tumbles about a centre of mass
 * which is not its origin. */
static void a_throw_follows_its_recurrence(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body body = lab_body(world, lab_vec3(-3, 5, 2));
    lode_shape_def def = lab_shape_def(steel);
    lode_shape_create_box(body, &def, lab_vec3(0.5, 0.25, 0.125));
    def.pose.position = lab_vec3(1, 0.5, 0.25);
    lode_shape_create_sphere(body, &def, (lode_real)0.25);
    lode_body_set_linear_velocity(body, lab_vec3(8, -4, 16));
    lode_body_set_angular_velocity(body, lab_vec3(1, 2, -3));
    lab_vec from = lab_center(body);
    int subs = lab_sub_steps(world), steps = 208;
    double h = H / subs, top = from.z;
    for (int step = 0; step < steps; ++step) {
        lab_run(world, H, 1);
        top = fmax(top, lab_center(body).z);
    }
    double n = (double)steps * subs, t = steps * H;
    double tolerance = rounding((int)n, 30, 20, t);
    LAB_NEAR(lab_center(body).x, from.x + 8 * t, tolerance);
    LAB_NEAR(lab_center(body).y, from.y - 4 * t, tolerance);
    LAB_NEAR(lab_center(body).z, from.z + 16 * t - LAB_G * h * h * n * (n + 1) / 2, tolerance);
    /* the top of the parabola, less the method's g h t / 2 at t = v / g; sampled once a step, the
     * path is at most g H^2 / 8 below it at the sample next to it */
    LAB_NEAR(top, from.z + 16 * 16 / (2 * LAB_G) - 16 * h / 2, LAB_G * H * H / 4 + tolerance);
    lode_world_destroy(world);
}

static void halving_the_step_halves_the_error(void **state)
{
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
        lode_world world = lab_world(LAB_SOLVER(state));
        lode_body ball = lab_sphere(world, steel, lab_vec3(0, 0, 20), 0.5);
        lab_run(world, H / (1 + fine), 64 * (1 + fine));
        error[fine] = 20 - lab_center(ball).z - LAB_G / 2;
        lode_world_destroy(world);
    }
    LAB_NEAR(error[0] / error[1], 2, 2048 * LAB_EPSILON * 20 / error[1]);
}

/* A force serves for one step; given each step, it accelerates like gravity. */
static void a_steady_force_accelerates(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body box = lab_box(world, steel, lab_vec3(0, 0, 0), lab_vec3(0.25, 0.25, 0.25));
    double mass = lode_body_get_mass(box).mass, h = H / lab_sub_steps(world);
    for (int i = 0; i < 64; ++i) {
        assert_int_equal(lode_body_add_force(box, lab_vec3(mass, -2 * mass, 0)), LODE_OK);
        lab_run(world, H, 1);
    }
    double n = 64.0 * lab_sub_steps(world), way = h * h * n * (n + 1) / 2;
    LAB_NEAR(lab_velocity(box).x, 1, n * 2 * LAB_EPSILON);
    LAB_NEAR(lab_center(box).x, way, rounding((int)n, 1, 2, 1));
    LAB_NEAR(lab_center(box).y, -2 * way, rounding((int)n, 2, 4, 1));
    lab_run(world, H, 1);
    LAB_NEAR(lab_velocity(box).x, 1, n * 2 * LAB_EPSILON);
    lode_world_destroy(world);
}

/* Torque about a principal axis: w = M t / I; each step turns by 2 atan(h w / 2), because
 * q + h/2 w q, normalised, is the rotation with that half tangent. */
static void a_steady_torque_spins(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body box = lab_box(world, steel, lab_vec3(0, 0, 0), lab_vec3(0.5, 0.25, 0.125));
    double inertia = lode_body_get_mass(box).inertia[2], h = H / lab_sub_steps(world), angle = 0;
    for (int i = 0; i < 64; ++i) {
        assert_int_equal(lode_body_add_torque(box, lab_vec3(0, 0, inertia)), LODE_OK);
        lab_run(world, H, 1);
        for (int s = 1; s <= lab_sub_steps(world); ++s)
            angle += 2 * atan(h * h * (i * lab_sub_steps(world) + s) / 2);
    }
    int n = 64 * lab_sub_steps(world);
    lode_quat q = lode_body_get_pose(box).rotation;
    LAB_NEAR(lab_spin(box).z, 1, n * 4 * LAB_EPSILON);
    LAB_NEAR(2 * atan2(q.z, q.w), angle, n * 4 * LAB_EPSILON);
    LAB_NEAR(lab_length((lab_vec){q.x, q.y, 0}), 0, n * LAB_EPSILON);
    lode_world_destroy(world);
}

static void same_motion(lode_body a, lode_body b)
{
    double tolerance = 64 * LAB_EPSILON;
    LAB_AT_MOST(lab_length(lab_sub(lab_velocity(a), lab_velocity(b))), tolerance);
    LAB_AT_MOST(lab_length(lab_sub(lab_spin(a), lab_spin(b))), tolerance);
    LAB_AT_MOST(lab_length(lab_sub(lab_center(a), lab_center(b))), tolerance);
}

/* A force at a point is the force at the centre and the torque of its arm; so with impulses. */
static void a_force_at_a_point_is_force_and_torque(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body bodies[4];
    for (int i = 0; i < 4; ++i) {
        bodies[i] = lab_body(world, lab_vec3(1, 1, 1));
        lode_shape_def def = lab_shape_def((lab_material){.density = 8});
        def.pose.position = lab_vec3(0.5, 0, -0.25);
        def.mask = 0;
        lode_shape_create_box(bodies[i], &def, lab_vec3(0.5, 0.25, 0.75));
        lode_body_set_angular_velocity(bodies[i], lab_vec3(0, 0.5, 0));
    }
    lab_run(world, H, 16);
    lode_vec3 push = lab_vec3(0.5, -1, 2), at = lab_vec3(2, 1.5, 0.5);
    lab_vec arm = lab_sub(lab_of(at), lab_center(bodies[0]));
    lab_vec torque = lab_cross(arm, lab_of(push));
    lode_vec3 turn = lab_vec3(torque.x, torque.y, torque.z);
    lode_body_add_force_at(bodies[0], push, at);
    lode_body_add_force(bodies[1], push);
    lode_body_add_torque(bodies[1], turn);
    lode_body_add_impulse_at(bodies[2], push, at);
    lode_body_add_impulse(bodies[3], push);
    lode_body_add_angular_impulse(bodies[3], turn);
    same_motion(bodies[2], bodies[3]);
    lab_run(world, H, 1);
    same_motion(bodies[0], bodies[1]);
    same_motion(bodies[2], bodies[3]);
    lode_world_destroy(world);
}

/* An impulse changes momentum by itself and angular momentum by its moment, at once. */
static void an_impulse_changes_momentum_by_itself(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body box = lab_box(world, (lab_material){.density = 8}, lab_vec3(1, 2, 3),
                            lab_vec3(0.5, 0.25, 0.75));
    lode_pose pose = {lab_vec3(1, 2, 3), {(lode_real)0.5, (lode_real)0.5, (lode_real)-0.5,
                                          (lode_real)0.5}};
    lode_body_set_pose(box, pose);
    lode_vec3 push = lab_vec3(0.5, -1, 2), at = lab_vec3(2, 1.5, 0.5);
    lode_body_add_impulse_at(box, push, at);
    lab_sum sum = lab_total(&box, 1);
    lab_vec moment = lab_cross(lab_of(at), lab_of(push));
    LAB_AT_MOST(lab_length(lab_sub(sum.momentum, lab_of(push))), 8 * LAB_EPSILON);
    LAB_AT_MOST(lab_length(lab_sub(sum.angular, moment)), 64 * LAB_EPSILON);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_fall_follows_its_recurrence),
        LAB_EACH_SOLVER(a_throw_follows_its_recurrence),
        LAB_EACH_SOLVER(halving_the_step_halves_the_error),
        LAB_EACH_SOLVER(a_steady_force_accelerates),
        LAB_EACH_SOLVER(a_steady_torque_spins),
        LAB_EACH_SOLVER(a_force_at_a_point_is_force_and_torque),
        LAB_EACH_SOLVER(an_impulse_changes_momentum_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Finite rotations: what spins by w h in a sub-step turns by that, where others turn by
 * 2 atan(w h / 2); with an axis, what is across it turns at its own full rate too (libode's at half
 * of it). And what is coupled by angles no longer lags. */
#include "core/math.h"
#include "tests/fidelity/lab.h"

#define H (1.0 / 60)

static lode_body top(lode_world world, double x)
{
    lode_body body = lab_body(world, lab_vec3(x, 0, 0));
    lode_mass mass = {.mass = 1, .inertia = {1, 1, 1}};
    assert_int_equal(lode_body_set_mass(body, &mass), LODE_OK);
    return body;
}

static double turned_by(lode_body body)
{
    lode_quat q = lode_body_get_pose(body).rotation;
    return 2 * atan2(sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z), fabs(q.w));
}

/* In one sub-step, from slow to half a turn. */
static void a_sub_step_turns_by_the_whole_angle(void **state)
{
    for (double angle = 0.001; angle < 3.1; angle *= 1.7) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lode_world_set_sub_steps(world, 1);
        lode_body most = top(world, 0), finite = top(world, 5), axis = top(world, 10);
        lode_body_set_finite_rotation(finite, true);
        lode_body_set_finite_rotation(axis, true);
        lode_body_set_finite_rotation_axis(axis, lab_vec3(2, -4, 4));
        lode_vec3 spin = lab_vec3(angle / 3, -2 * angle / 3, 2 * angle / 3);
        lode_body_set_angular_velocity(most, spin);
        lode_body_set_angular_velocity(finite, spin);
        lode_body_set_angular_velocity(axis, spin);
        lab_run(world, 1, 1);
        LAB_NEAR(turned_by(most), 2 * atan(angle / 2), 8 * LAB_EPSILON);
        LAB_NEAR(turned_by(finite), angle, 8 * LAB_EPSILON);
        LAB_NEAR(turned_by(axis), angle, 8 * LAB_EPSILON);
        lode_world_destroy(world);
    }
}

/* A radian across the axis takes a second at 1 rad/s; about both, the axis itself goes on as if
 * nothing turned about it. */
static void across_the_axis_it_turns_at_its_rate(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body slow = top(world, 0);
    lode_body_set_finite_rotation(slow, true);
    lode_body_set_finite_rotation_axis(slow, lab_vec3(1, 0, 0));
    lode_body_set_angular_velocity(slow, lab_vec3(0, 0, 1));
    lab_run(world, H, 60);
    int n = 60 * lab_sub_steps(world);
    LAB_NEAR(turned_by(slow), n * 2 * atan(0.5 / n), n * 4 * LAB_EPSILON);
    lode_world_destroy(world);
}

/* The wheel of a turning car: it spins at 100 rad/s about its axle, which turns by 1 rad/s. With
 * the axis given the axle stays level; a finite rotation about the sum of both tips it by their
 * product times h^2 / 2 in each sub-step, and the joint has to put it back. */
static void an_axle_stays_level(void **state)
{
    for (int with = 0; with < 2; ++with) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lode_world_set_sub_steps(world, 1);
        lode_body wheel = top(world, 0);
        lode_body_set_finite_rotation(wheel, true);
        if (with)
            lode_body_set_finite_rotation_axis(wheel, lab_vec3(0, 1, 0));
        lode_body_set_angular_velocity(wheel, lab_vec3(0, 20, 1));
        lab_run(world, H, 1);
        lab_vec axle = lab_rotate(lode_body_get_pose(wheel).rotation, (lab_vec){0, 1, 0});
        double tips = 20 * H * H / 2;
        LAB_NEAR(axle.z, with ? 0 : tips, with ? 4 * LAB_EPSILON : 0.1 * tips);
        LAB_NEAR(axle.x, -H, 0.02 * H);
        lode_world_destroy(world);
    }
}

static lode_joint hinge_of(lode_world world, lode_body body)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = body;
    lode_joint_def_anchor_world(&def, lode_body_get_center(body), lab_vec3(1, 0, 0));
    return lode_joint_create(world, &def);
}

/* Two wheels with teeth as 1 to 8; the small one turns by 0.27 rad in a sub-step. */
static double slip_of_gears(lode_solver solver, bool finite)
{
    lode_world world = lab_world_without_gravity(solver);
    double h = H / lab_sub_steps(world), w = 0.27 / h;
    lode_body small = top(world, 0), large = top(world, 5);
    lode_joint_term terms[2] = {{.joint = hinge_of(world, small), .ratio = 1},
                                {.joint = hinge_of(world, large), .ratio = 8}};
    lode_body_set_finite_rotation(small, finite);
    lode_body_set_finite_rotation(large, finite);
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = terms;
    def.term_count = 2;
    assert_int_equal(lode_coupling_def_hold(&def), LODE_OK);
    lode_joint gear = lode_coupling_create(world, &def);
    lode_body_set_angular_velocity(small, lab_vec3(w, 0, 0));
    lode_body_set_angular_velocity(large, lab_vec3(-w / 8, 0, 0));
    lab_run(world, H, 120);
    double slip = fabs(lode_joint_get_position(gear, 0));
    lode_world_destroy(world);
    return slip;
}

/* In each sub-step the small wheel stays behind by the lag, which the coupling makes good with a
 * share of what it is off by then: so it is always off by some lags. With finite rotations it is
 * off by rounding, of 8 times the angle of a wheel. */
static void gears_do_not_lag(void **state)
{
    double lag = pow(0.27, 3) / 12;
    double plain = slip_of_gears(LAB_SOLVER(state), false);
    double finite = slip_of_gears(LAB_SOLVER(state), true);
    print_message("gears off by %.2g rad, with finite rotations by %.2g\n", plain, finite);
    LAB_AT_MOST(lag, plain);
    LAB_AT_MOST(finite, 0.01 * lag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_sub_step_turns_by_the_whole_angle),
        LAB_EACH_SOLVER(across_the_axis_it_turns_at_its_rate),
        LAB_EACH_SOLVER(an_axle_stays_level),
        LAB_EACH_SOLVER(gears_do_not_lag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

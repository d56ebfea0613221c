/* Wheels that spin fast on an axle which a steady moment bends: joints that are springs, those of
 * the soft step, let it lean. It leans the way the moment turns it, and the spin must not carry it
 * around: a wheel that is steered by its own spin makes a car drift, the more the faster it
 * goes. */
#include "tests/fidelity/lab.h"

#define STEP (1.0 / 60)
#define SPIN 100.0  /* rad/s: 1.7 rad in a step */
#define MOMENT 40.0 /* N m */

typedef struct wheel {
    lode_world world;
    lode_body body;
} wheel;

/* A ball of 20 kg whose y axis is the axle, held by a body that never moves. A hinge's x axes lie
 * along it, in either order; a wheel joint's steering, about z, is locked, and so is its
 * suspension. */
static wheel make_wheel(lode_solver solver, lode_joint_type type, bool wheel_first)
{
    const lode_real half = (lode_real)0.5;
    wheel w = {.world = lab_world(solver)};
    lode_world_set_gravity(w.world, lab_vec3(0, 0, 0));
    w.body = lab_sphere(w.world, (lab_material){.density = 110}, lab_vec3(0, 0, 0), 0.35);
    lode_body_set_angular_velocity(w.body, lab_vec3(0, SPIN, 0));
    lode_body_set_finite_rotation(w.body, true);
    lode_body_set_finite_rotation_axis(w.body, lab_vec3(0, 1, 0));
    lode_joint_def def = lode_joint_def_default(type);
    lode_body_def still = lode_body_def_default();
    lode_body hub = lode_body_create(w.world, &still);
    def.body_a = wheel_first ? w.body : hub;
    def.body_b = wheel_first ? hub : w.body;
    lode_joint_def_frame_world(&def, (lode_pose){lab_vec3(0, 0, 0), {half, half, half, half}});
    if (type == LODE_JOINT_WHEEL) {
        def.axis[0].lo_stop = def.axis[0].hi_stop = 0;
        def.axis[2].lo_stop = def.axis[2].hi_stop = 0;
    }
    if (type == LODE_JOINT_UNIVERSAL)
        def.axis[1].lo_stop = def.axis[1].hi_stop = 0;
    assert_true(lode_joint_is_valid(lode_joint_create(w.world, &def)));
    return w;
}

static void check_lean(lode_solver solver, lode_joint_type type, bool wheel_first)
{
    wheel w = make_wheel(solver, type, wheel_first);
    for (int i = 0; i < 240; ++i) {
        lode_body_add_torque(w.body, lab_vec3(MOMENT, 0, 0));
        lab_run(w.world, STEP, 1);
        if (i < 60)
            continue;
        lab_vec axle = lab_rotate(lode_body_get_pose(w.body).rotation, (lab_vec){0, 1, 0});
        if (solver == LODE_SOLVER_SOFT_STEP)
            assert_true(axle.z > 1e-4); /* or there is nothing to carry around */
        /* 3e-6 rad let a car at 40 m/s drift by 0.1 mm/s */
        LAB_AT_MOST(fabs(axle.x), 0.02 * fabs(axle.z) + 3e-6);
    }
    LAB_NEAR(lab_length(lab_spin(w.body)), SPIN, 0.01);
    lode_world_destroy(w.world);
}

static void axles_lean_the_way_they_are_bent(void **state)
{
    check_lean(LAB_SOLVER(state), LODE_JOINT_HINGE, true);
    check_lean(LAB_SOLVER(state), LODE_JOINT_HINGE, false);
    check_lean(LAB_SOLVER(state), LODE_JOINT_WHEEL, true);
    check_lean(LAB_SOLVER(state), LODE_JOINT_UNIVERSAL, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(axles_lean_the_way_they_are_bent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

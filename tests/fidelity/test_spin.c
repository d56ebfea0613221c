/* Torque-free spin.
 *
 * The gyroscopic torque is integrated implicitly, so that a momentum m = I w' turned as the pose is
 * about to turn is the old one (solver/body_motion.inl), by one step of Newton's:
 *
 *   energy             falls by 1/2 dw . I dw a step, dw = h I^-1 (m x w): it never grows;
 *   angular momentum   stays but for what the one step leaves, of the order h^3 |w|^2 |w x L|.
 *
 * Both sums are taken along the path that is measured. What the first leaves out is of the order
 * h |w| again, at most 5 % here; a fifth is allowed. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 128)

static const lab_material light = {.density = 8};
static const lode_pose askew = {{0, 0, 0}, {(lode_real)0.8, (lode_real)0.4, (lode_real)-0.4,
                                            (lode_real)0.2}};

/* A box with principal moments in the order z, y, x, turned out of the world's axes. */
static lode_body slab(lode_world world)
{
    lode_body box = lab_box(world, light, lab_vec3(0, 0, 0), lab_vec3(0.75, 0.5, 0.25));
    assert_int_equal(lode_body_set_pose(box, askew), LODE_OK);
    return box;
}

static void set_spin(lode_body body, double x, double y, double z)
{
    lab_vec w = lab_rotate(lode_body_get_pose(body).rotation, (lab_vec){x, y, z});
    assert_int_equal(lode_body_set_angular_velocity(body, lab_vec3(w.x, w.y, w.z)), LODE_OK);
}

static lab_vec body_spin(lode_body body)
{
    return lab_rotate_inv(lode_body_get_pose(body).rotation, lab_spin(body));
}

/* About the axes of largest and least inertia rotation is stable: rounding of each step's
 * rotations back and forth, a few spacings of |w|, adds up but does not grow. */
static void spin_about_a_stable_principal_axis_is_steady(void **state)
{
    for (int axis = 0; axis < 3; axis += 2) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lode_body box = slab(world);
        set_spin(box, axis == 0 ? 4 : 0, 0, axis == 2 ? 4 : 0);
        lab_vec w0 = lab_spin(box);
        lab_run(world, H, 1024);
        double rounding = 1024 * lab_sub_steps(world) * 4 * LAB_EPSILON * 4;
        LAB_AT_MOST(lab_length(lab_sub(lab_spin(box), w0)), rounding);
        lode_world_destroy(world);
    }
}

/* Turned by 2 atan(h w / 2) a step, about a fixed axis. */
static void a_ball_turns_at_its_rate(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body ball = lab_sphere(world, light, lab_vec3(0, 0, 0), 0.5);
    lode_body_set_angular_velocity(ball, lab_vec3(2, -2, 1));
    int n = 100 * lab_sub_steps(world);
    lab_run(world, H, 100);
    double angle = n * 2 * atan(3 * H / lab_sub_steps(world) / 2);
    lode_quat q = lode_body_get_pose(ball).rotation;
    lab_vec axis = {q.x, q.y, q.z};
    LAB_NEAR(2 * atan2(lab_length(axis), q.w), angle, n * 4 * LAB_EPSILON);
    LAB_NEAR(lab_dot(axis, (lab_vec){2, -2, 1}) / 3, lab_length(axis), n * LAB_EPSILON);
    assert_true(lab_spin(ball).x == 2 && lab_spin(ball).y == -2 && lab_spin(ball).z == 1);
    lode_world_destroy(world);
}

typedef struct losses {
    double energy, angular;
} losses;

/* What one step of h may lose, by the formulas above. */
static losses loss_of_step(lode_body body, double h)
{
    lode_mass mass = lode_body_get_mass(body);
    lab_vec w = lab_spin(body), torque = lab_cross(w, lab_moment(body));
    lab_vec m = lab_rotate_inv(lode_body_get_pose(body).rotation, torque);
    double rate = m.x * m.x / mass.inertia[0] + m.y * m.y / mass.inertia[1] +
                  m.z * m.z / mass.inertia[2];
    return (losses){h * h / 2 * rate, h * h * h * lab_dot(w, w) * lab_length(torque)};
}

static void a_tumbling_body_loses_what_the_method_loses(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body box = slab(world);
    set_spin(box, 1, 2, 1);
    int subs = lab_sub_steps(world);
    double before = lab_spin_energy(box), start = before;
    lab_vec momentum = lab_moment(box);
    losses expected = {0, 0};
    for (int step = 0; step < 512; ++step) {
        losses loss = loss_of_step(box, H / subs);
        expected.energy += subs * loss.energy;
        expected.angular += subs * loss.angular;
        lab_run(world, H, 1);
        double energy = lab_spin_energy(box);
        LAB_AT_MOST(energy, before * (1 + subs * 16 * LAB_EPSILON));
        before = energy;
    }
    double rounding = 512 * subs * 8 * LAB_EPSILON;
    LAB_NEAR(start - before, expected.energy, 0.2 * expected.energy + rounding * start);
    LAB_AT_MOST(lab_length(lab_sub(lab_moment(box), momentum)),
                expected.angular + rounding * lab_length(momentum));
    lode_world_destroy(world);
}

/* However large the step, energy does not grow. */
static void a_fast_tumble_does_not_gain_energy(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body box = slab(world);
    set_spin(box, 30, 60, 25);
    double before = lab_spin_energy(box);
    for (int step = 0; step < 1000; ++step) {
        lab_run(world, 1.0 / 16, 1);
        double energy = lab_spin_energy(box);
        LAB_AT_MOST(energy, before * (1 + 64 * LAB_EPSILON));
        before = energy;
    }
    lode_world_destroy(world);
}

/* Rotation about the middle axis is unstable: the body turns over; not without the gyroscopic
 * torque, when its angular velocity is a constant. */
static void the_middle_axis_turns_over(void **state)
{
    for (int gyroscopic = 0; gyroscopic < 2; ++gyroscopic) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lode_body_def def = lode_body_def_default();
        lode_shape_def shape = lab_shape_def(light);
        def.type = LODE_DYNAMIC;
        def.gyroscopic = gyroscopic;
        lode_body box = lode_body_create(world, &def);
        lode_shape_create_box(box, &shape, lab_vec3(0.75, 0.5, 0.25));
        lode_body_set_angular_velocity(box, lab_vec3(0.125, 4, 0));
        double least = 4;
        for (int step = 0; step < 1024; ++step) {
            lab_run(world, H, 1);
            least = fmin(least, body_spin(box).y);
        }
        if (gyroscopic)
            LAB_AT_MOST(least, -3.0);
        else
            assert_true(lab_spin(box).x == 0.125 && lab_spin(box).y == 4 && lab_spin(box).z == 0);
        lode_world_destroy(world);
    }
}

/* A body thrown with its origin apart from its centre of mass turns about the centre: the origin
 * keeps its distance and the centre its straight line. */
static void a_body_turns_about_its_centre_of_mass(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body club = lab_body(world, lab_vec3(0, 0, 0));
    lode_shape_def def = lab_shape_def(light);
    def.pose.position = lab_vec3(1, 0, 0);
    lode_shape_create_sphere(club, &def, (lode_real)0.5);
    lode_body_set_linear_velocity(club, lab_vec3(0, 0, 1));
    lode_body_set_angular_velocity(club, lab_vec3(0, 0, 2));
    double far = 0;
    for (int step = 1; step <= 256; ++step) {
        lab_run(world, H, 1);
        lab_vec origin = lab_of(lode_body_get_pose(club).position), center = lab_center(club);
        double tolerance = step * lab_sub_steps(world) * 2 * LAB_EPSILON;
        LAB_NEAR(center.x, 1, tolerance);
        LAB_NEAR(center.y, 0, tolerance);
        LAB_NEAR(center.z, step * H, tolerance);
        LAB_NEAR(lab_length(lab_sub(origin, center)), 1, 8 * LAB_EPSILON * 4);
        far = fmax(far, origin.x);
    }
    LAB_NEAR(far, 2, 2 * H * 2 * H); /* it came by the other side: cos(w h) from there at most */
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(spin_about_a_stable_principal_axis_is_steady),
        LAB_EACH_SOLVER(a_ball_turns_at_its_rate),
        LAB_EACH_SOLVER(a_tumbling_body_loses_what_the_method_loses),
        LAB_EACH_SOLVER(a_fast_tumble_does_not_gain_energy),
        LAB_EACH_SOLVER(the_middle_axis_turns_over),
        LAB_EACH_SOLVER(a_body_turns_about_its_centre_of_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

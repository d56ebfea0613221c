/* Bodies that turn freely and keep what they have (LODE_GYROSCOPIC_CONSERVING), beside what the
 * other kinds of gyroscopic torque do.
 *
 * The method keeps energy and angular momentum at any step size (solver/body_turn.inl); what is
 * left is rounding, which is a few units in the last place for a step and of no fixed sign. Where
 * the body gets to is right to the second order of the step: halving it divides the error by
 * four. */
#include "tests/fidelity/lab.h"

static const lab_material light = {.density = 1};

/* Long and thin, moments 1.33, 1.34 and 0.004 kg m^2 a kilogram. */
static lode_body rod(lode_world world, lode_gyroscopic gyroscopic)
{
    lode_body body = lab_box(world, light, lab_vec3(0, 0, 0), lab_vec3(0.05, 0.1, 2));
    assert_int_equal(lode_body_set_gyroscopic(body, gyroscopic), LODE_OK);
    return body;
}

typedef struct keeping {
    double energy, momentum; /* largest shares that were off */
} keeping;

static keeping watch(lode_world world, lode_body body, double h, int steps)
{
    double energy = lab_spin_energy(body);
    lab_vec momentum = lab_moment(body);
    keeping worst = {0, 0};
    for (int i = 0; i < steps; ++i) {
        lab_run(world, h, 1);
        double e = fabs(lab_spin_energy(body) / energy - 1);
        double m = lab_length(lab_sub(lab_moment(body), momentum)) / lab_length(momentum);
        worst.energy = e <= worst.energy ? worst.energy : e;
        worst.momentum = m <= worst.momentum ? worst.momentum : m;
    }
    return worst;
}

/* Ten minutes at 60 steps a second: 36,000 steps, 144,000 sub-steps. */
static void a_long_thin_body_tumbles_for_ten_minutes(void **state)
{
    static const char *const names[] = {"off", "implicit", "explicit", "conserving"};
    for (int kind = LODE_GYROSCOPIC_IMPLICIT; kind < LODE_GYROSCOPIC_COUNT; ++kind) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lode_body body = rod(world, (lode_gyroscopic)kind);
        lode_body_set_angular_velocity(body, lab_vec3(3, 7, 2));
        bool conserves = kind == LODE_GYROSCOPIC_CONSERVING;
        keeping off = watch(world, body, 1.0 / 60, conserves ? 36000 : 3600);
        print_message("%s, %s: energy off by %.2g, angular momentum by %.2g\n", names[kind],
                      conserves ? "ten minutes" : "one minute", off.energy, off.momentum);
        if (kind != LODE_GYROSCOPIC_EXPLICIT) {
            LAB_AT_MOST(off.energy, conserves ? 0.001 : 0.01);
            LAB_AT_MOST(off.momentum, 0.001);
        }
        lode_world_destroy(world);
    }
}

/* Up to 25 rad in a step, which is cut; the rounding of each cut counts. */
static void a_fast_body_keeps_as_much(void **state)
{
    for (int speed = 10; speed <= 1500; speed *= 5) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lode_body body = rod(world, LODE_GYROSCOPIC_CONSERVING);
        lode_body_set_angular_velocity(body, lab_vec3(0.3 * speed, 0.7 * speed, 0.2 * speed));
        int steps = 600, cuts = 1 + (int)(speed / 60.0 / 0.5);
        keeping off = watch(world, body, 1.0 / 60, steps);
        double rounding = steps * (cuts + lab_sub_steps(world)) * LAB_EPSILON;
        LAB_AT_MOST(off.energy, rounding);
        LAB_AT_MOST(off.momentum, rounding);
        lode_world_destroy(world);
    }
}

/* Beyond all cuts it goes on about the same axis, with the energy that it has. */
static void no_speed_blows_it_up(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body body = rod(world, LODE_GYROSCOPIC_CONSERVING);
    lode_body_set_angular_velocity(body, lab_vec3(3000, 20000, 1000));
    keeping off = watch(world, body, 1.0 / 16, 1000);
    LAB_AT_MOST(off.energy, 1000 * 64 * 8 * LAB_EPSILON);
    lode_world_destroy(world);
}

/* --- the order, against Euler's equations integrated with fine steps of Runge and Kutta's
 * method */

typedef struct spinning {
    double x[7]; /* angular velocity in body axes, rotation w x y z */
} spinning;

static spinning rate_of(const spinning *s, const double i[3])
{
    const double *w = s->x, *q = s->x + 3;
    return (spinning){{(i[1] - i[2]) / i[0] * w[1] * w[2], (i[2] - i[0]) / i[1] * w[2] * w[0],
                       (i[0] - i[1]) / i[2] * w[0] * w[1],
                       0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]),
                       0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
                       0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]),
                       0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0])}};
}

static spinning moved(const spinning *s, const spinning *rate, double h)
{
    spinning out;
    for (int k = 0; k < 7; ++k)
        out.x[k] = s->x[k] + h * rate->x[k];
    return out;
}

static void runge_kutta(spinning *s, const double inertia[3], double h)
{
    spinning a = rate_of(s, inertia), at = moved(s, &a, h / 2);
    spinning b = rate_of(&at, inertia);
    at = moved(s, &b, h / 2);
    spinning c = rate_of(&at, inertia);
    at = moved(s, &c, h);
    spinning d = rate_of(&at, inertia);
    for (int k = 0; k < 7; ++k)
        s->x[k] += h / 6 * (a.x[k] + 2 * b.x[k] + 2 * c.x[k] + d.x[k]);
}

/* The angle between where a brick is after a second and where it should be. */
static double angle_off(lode_solver solver, int steps)
{
    lode_world world = lab_world_without_gravity(solver);
    lode_world_set_sub_steps(world, 1);
    lode_body body = lab_box(world, light, lab_vec3(0, 0, 0), lab_vec3(0.75, 0.5, 0.25));
    lode_body_set_gyroscopic(body, LODE_GYROSCOPIC_CONSERVING);
    lode_body_set_angular_velocity(body, lab_vec3(2, 3, 1));
    lode_mass mass = lode_body_get_mass(body);
    const double inertia[3] = {mass.inertia[0], mass.inertia[1], mass.inertia[2]};
    spinning exact = {{2, 3, 1, 1, 0, 0, 0}};
    for (int i = 0; i < 4000; ++i)
        runge_kutta(&exact, inertia, 1.0 / 4000);
    lab_run(world, 1.0 / steps, steps);
    lode_quat q = lode_body_get_pose(body).rotation;
    const double *e = exact.x + 3;
    double x = e[0] * q.x - e[1] * q.w - e[2] * q.z + e[3] * q.y;
    double y = e[0] * q.y + e[1] * q.z - e[2] * q.w - e[3] * q.x;
    double z = e[0] * q.z - e[1] * q.y + e[2] * q.x - e[3] * q.w;
    lode_world_destroy(world);
    return 2 * asin(sqrt(x * x + y * y + z * z));
}

static void where_it_points_is_of_second_order(void **state)
{
    double before = 0;
    for (int steps = 16; steps <= 128; steps *= 2) {
        double error = angle_off(LAB_SOLVER(state), steps);
        print_message("%d steps a second: %.2g rad off\n", steps, error);
        if (before > 0)
            LAB_NEAR(before / error, 4, 0.4 + 4 * steps * LAB_EPSILON / error);
        before = error;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_long_thin_body_tumbles_for_ten_minutes),
        LAB_EACH_SOLVER(a_fast_body_keeps_as_much),
        LAB_EACH_SOLVER(no_speed_blows_it_up),
        LAB_EACH_SOLVER(where_it_points_is_of_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

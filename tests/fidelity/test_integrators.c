/* The world's integrators: what falls falls as it should, and the order of each, measured.
 *
 * Semi-implicit Euler is tested in test_free_motion.c. A ballistic world takes g h^2 / 2 back in
 * each sub-step, so that free bodies are on the parabola to rounding, whatever the step. Of second
 * order halving the step divides the error by four; a fifth is allowed for the next order. */
#include "tests/fidelity/lab.h"

static const lab_material steel = {.density = 1000};

static lode_world world_of(lode_solver solver, lode_integrator integrator, double gravity)
{
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    def.integrator = integrator;
    def.gravity = lab_vec3(0, 0, -gravity);
    def.iterations = 40;
    def.sub_steps = 1;
    def.sleep.enabled = false;
    return lode_world_create(&def);
}

static double expected_fall(lode_integrator integrator)
{
    return integrator == LODE_INTEGRATOR_SEMI_IMPLICIT ? 1000 : 500;
}

/* The manual's 10 s under g = 10. */
static void a_step_of_ten_seconds_falls_500_m(void **state)
{
    for (int i = 0; i < LODE_INTEGRATOR_COUNT; ++i) {
        lode_world world = world_of(LAB_SOLVER(state), (lode_integrator)i, 10);
        lode_body ball = lab_sphere(world, steel, lab_vec3(0, 0, 0), 0.5);
        lode_body half = lab_sphere(world, steel, lab_vec3(5, 0, 0), 0.5);
        lode_body_set_gravity_scale(half, (lode_real)0.5);
        lab_run(world, 10, 1);
        double fall = expected_fall((lode_integrator)i);
        LAB_NEAR(lab_center(ball).z, -fall, 1000 * LAB_EPSILON);
        LAB_NEAR(lab_center(half).z, -fall / 2, 1000 * LAB_EPSILON);
        LAB_NEAR(lab_velocity(ball).z, -100, 100 * LAB_EPSILON);
        lode_world_destroy(world);
    }
}

static void a_throw_is_a_parabola(void **state)
{
    for (int i = LODE_INTEGRATOR_BALLISTIC; i < LODE_INTEGRATOR_COUNT; ++i) {
        lode_world world = world_of(LAB_SOLVER(state), (lode_integrator)i, 10);
        lode_body ball = lab_sphere(world, steel, lab_vec3(0, 0, 0), 0.5);
        lode_body_set_linear_velocity(ball, lab_vec3(8, -4, 16));
        for (int step = 1; step <= 64; ++step) {
            lab_run(world, 1.0 / 16, 1);
            double t = step / 16.0, rounding = step * 32 * LAB_EPSILON;
            LAB_NEAR(lab_center(ball).x, 8 * t, rounding);
            LAB_NEAR(lab_center(ball).z, 16 * t - 5 * t * t, rounding);
            LAB_NEAR(lab_velocity(ball).z, 16 - 10 * t, rounding);
        }
        lode_world_destroy(world);
    }
}

/* Whose speed is limited moves no further than that. */
static void a_limit_of_speed_is_kept(void **state)
{
    lode_world world = world_of(LAB_SOLVER(state), LODE_INTEGRATOR_BALLISTIC, 10);
    lode_body ball = lab_sphere(world, steel, lab_vec3(0, 0, 0), 0.5);
    lode_body_set_max_linear_speed(ball, 2);
    lode_body_set_linear_velocity(ball, lab_vec3(0, 0, 2));
    double before = 0;
    for (int step = 0; step < 64; ++step) {
        lab_run(world, 1.0 / 16, 1);
        LAB_AT_MOST(fabs(lab_center(ball).z - before), 2.0 / 16 * (1 + 64 * LAB_EPSILON));
        before = lab_center(ball).z;
    }
    lode_world_destroy(world);
}

/* Four cubes on a floor, after ten seconds. */
static void stack(lode_solver solver, lode_integrator integrator, lab_vec out_centers[4])
{
    const lab_material wood = {.density = 500, .friction = 0.6};
    lode_world world = lab_world(solver);
    lode_world_set_integrator(world, integrator);
    lode_world_set_sub_steps(world, 0);
    lab_floor(world, wood);
    lode_body boxes[4];
    for (int k = 0; k < 4; ++k)
        boxes[k] = lab_box(world, wood, lab_vec3(0, 0, 0.5 + k), lab_vec3(0.5, 0.5, 0.5));
    lab_run(world, 1.0 / 60, 600);
    for (int k = 0; k < 4; ++k) {
        out_centers[k] = lab_center(boxes[k]);
        LAB_AT_MOST(lab_length(lab_velocity(boxes[k])),
                    integrator == LODE_INTEGRATOR_SECOND_ORDER ? 0.005 : 0.001);
    }
    lode_world_destroy(world);
}

/* What is in touch is on no parabola: in a ballistic world it stands as with Euler's method, to the
 * bit. Of second order it stands too; iterative solvers share their sweeps between both halves of
 * the weight, and it sinks by a millimetre or two a contact. */
static void what_stands_stands(void **state)
{
    lab_vec euler[4], ballistic[4], second[4];
    stack(LAB_SOLVER(state), LODE_INTEGRATOR_SEMI_IMPLICIT, euler);
    stack(LAB_SOLVER(state), LODE_INTEGRATOR_BALLISTIC, ballistic);
    stack(LAB_SOLVER(state), LODE_INTEGRATOR_SECOND_ORDER, second);
    for (int k = 0; k < 4; ++k) {
        LAB_AT_MOST(lab_length(lab_sub(ballistic[k], euler[k])), 0);
        double sinks = LAB_SOLVER(state) == LODE_SOLVER_DIRECT ? 1e-6 : 0.0025 * (k + 1);
        LAB_NEAR(second[k].z, 0.5 + k, sinks);
        LAB_NEAR(second[k].x, 0, 0.01);
    }
}

/* --- the order */

typedef struct errors {
    double place, speed;
} errors;

static void of_order(errors at(lode_solver solver, int steps), lode_solver solver, int from)
{
    errors before = {0, 0};
    for (int steps = from; steps <= 8 * from; steps *= 2) {
        errors now = at(solver, steps);
        print_message("%4d steps a second: place off by %.2g, speed by %.2g\n", steps, now.place,
                      now.speed);
        if (before.place > 0) {
            double rounding = 8 * steps * LAB_EPSILON;
            LAB_NEAR(before.place / now.place, 4, 0.8 + rounding / now.place);
            LAB_NEAR(before.speed / now.speed, 4, 0.8 + 8 * rounding / now.speed);
        }
        before = now;
    }
}

/* --- a ball on a spring that a system draws, x'' = -w^2 x */

#define SPRING_W 3.0

static void pull(void *user, const lode_system_view *view)
{
    (void)user;
    for (int i = 0; i < view->count; ++i) {
        lode_vec3 at = lode_system_position(view, i);
        lode_real k = (lode_real)(-SPRING_W * SPRING_W) / view->inv_mass[i * view->stride];
        view->force[i * view->stride] = k * at.x;
    }
}

static errors spring_off(lode_solver solver, int steps)
{
    lode_world world = world_of(solver, LODE_INTEGRATOR_SECOND_ORDER, 0);
    lode_body ball = lab_sphere(world, steel, lab_vec3(1, 0, 0), 0.5);
    lode_system first = {.name = "pull first", .stage = "integrate velocity", .run = pull};
    lode_system then = {.name = "pull", .stage = "integrate pose", .after = true, .run = pull};
    assert_int_equal(lode_world_add_system(world, &first), LODE_OK);
    assert_int_equal(lode_world_add_system(world, &then), LODE_OK);
    lab_run(world, 1.0 / steps, steps);
    errors off = {fabs(lab_center(ball).x - cos(SPRING_W)),
                  fabs(lab_velocity(ball).x + SPRING_W * sin(SPRING_W))};
    lode_world_destroy(world);
    return off;
}

static void a_spring_is_of_second_order(void **state)
{
    of_order(spring_off, LAB_SOLVER(state), 32);
}

/* --- a pendulum on a hinge, against Runge and Kutta's method */

static double turn_rate(double angle, double k)
{
    return -k * sin(angle);
}

/* Angle and its rate after a second from where it hangs at 1 rad. */
static void exact_pendulum(double k, double *angle, double *rate)
{
    double a = 1, w = 0, h = 1e-4;
    for (int i = 0; i < 10000; ++i) {
        double a1 = w, w1 = turn_rate(a, k), a2 = w + h / 2 * w1, w2 = turn_rate(a + h / 2 * a1, k);
        double a3 = w + h / 2 * w2, w3 = turn_rate(a + h / 2 * a2, k);
        double a4 = w + h * w3, w4 = turn_rate(a + h * a3, k);
        a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }
    *angle = a;
    *rate = w;
}

static errors pendulum_off(lode_solver solver, int steps)
{
    lode_world world = world_of(solver, LODE_INTEGRATOR_SECOND_ORDER, 10);
    lode_body bob = lab_body(world, lab_vec3(sin(1), 0, -cos(1)));
    lode_mass mass = {.mass = 1, .inertia = {(lode_real)0.1, (lode_real)0.1, (lode_real)0.1}};
    lode_body_set_mass(bob, &mass);
    lode_body_set_finite_rotation(bob, true);
    lode_joint_def hinge = lode_joint_def_default(LODE_JOINT_HINGE);
    hinge.body_a = bob;
    hinge.erp = 1;
    lode_joint_def_anchor_world(&hinge, lab_vec3(0, 0, 0), lab_vec3(0, 1, 0));
    assert_true(lode_joint_create(world, &hinge).id != 0);
    lab_run(world, 1.0 / steps, steps);
    double angle, rate;
    exact_pendulum(10 / 1.1, &angle, &rate);
    lab_vec at = lab_center(bob);
    errors off = {fabs(atan2(at.x, -at.z) - angle), fabs(-lab_spin(bob).y - rate)};
    lode_world_destroy(world);
    return off;
}

/* The soft step's joints are springs, which add an error of their own. */
static void a_pendulum_is_of_second_order(void **state)
{
    of_order(pendulum_off, LAB_SOLVER(state), 64);
}

/* A weight hangs on a fixed joint that tells what it bears, in both halves together. */
static void what_joints_exert_is_told_whole(void **state)
{
    lode_world world = world_of(LAB_SOLVER(state), LODE_INTEGRATOR_SECOND_ORDER, 10);
    lode_world_set_sub_steps(world, 4);
    lode_body weight = lab_box(world, steel, lab_vec3(0, 0, 0), lab_vec3(0.5, 0.5, 0.5));
    lode_joint_def fixed = lode_joint_def_default(LODE_JOINT_FIXED);
    fixed.body_a = weight;
    lode_joint_def_anchor_world(&fixed, lab_vec3(0, 0, 0.5), lab_vec3(0, 0, 1));
    lode_joint joint = lode_joint_create(world, &fixed);
    lab_run(world, 1.0 / 60, 120);
    LAB_NEAR(lode_joint_get_force(joint).z, 10000, 1);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_step_of_ten_seconds_falls_500_m),
        LAB_EACH_SOLVER(a_throw_is_a_parabola),
        LAB_EACH_SOLVER(a_limit_of_speed_is_kept),
        LAB_EACH_SOLVER(what_stands_stands),
        LAB_EACH_SOLVER(a_spring_is_of_second_order),
        {"a_pendulum_is_of_second_order (pgs)", a_pendulum_is_of_second_order, NULL, NULL,
         &lab_solvers[LODE_SOLVER_PGS]},
        {"a_pendulum_is_of_second_order (direct)", a_pendulum_is_of_second_order, NULL, NULL,
         &lab_solvers[LODE_SOLVER_DIRECT]},
        LAB_EACH_SOLVER(what_joints_exert_is_told_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

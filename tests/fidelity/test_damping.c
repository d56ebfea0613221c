/* Damping against its formula: after each step, v becomes v (1 - s) / (1 + c dt) when its length is
 * above the threshold, so n steps of free flight are a power and the way is a geometric sum. Steps
 * are powers of two. The soft step damps once a step like the other, not once a sub-step. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 64)
#define ROUNDING (64 * LAB_EPSILON)

static lode_body flyer(lode_world world, lode_damping damping, lode_vec3 v, lode_vec3 w)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.damping = &damping;
    def.linear_velocity = v;
    def.angular_velocity = w;
    return lode_body_create(world, &def);
}

static double factor(lode_damping d, double dt, bool angular)
{
    double per_step = angular ? d.angular_per_step : d.linear_per_step;
    double per_second = angular ? d.angular_per_second : d.linear_per_second;
    return (1 - per_step) / (1 + per_second * dt);
}

static void expect_decay(lode_solver solver, lode_damping damping, double dt, int steps)
{
    lode_world world = lab_world_without_gravity(solver);
    lode_body body = flyer(world, damping, lab_vec3(8, 0, 6), lab_vec3(0, 2, 0));
    double q = factor(damping, dt, false), p = factor(damping, dt, true);
    double way = 0;
    for (int n = 1; n <= steps; ++n) {
        way += pow(q, n - 1) * dt; /* the move comes first */
        lab_run(world, dt, 1);
        lab_vec v = lab_velocity(body), w = lab_spin(body), x = lab_center(body);
        LAB_NEAR(v.x, 8 * pow(q, n), 10 * pow(fabs(q), n) * n * ROUNDING);
        LAB_NEAR(v.z, 6 * pow(q, n), 10 * pow(fabs(q), n) * n * ROUNDING);
        LAB_NEAR(w.y, 2 * pow(p, n), 2 * pow(fabs(p), n) * n * ROUNDING);
        LAB_NEAR(x.x, 8 * way, 10 * n * ROUNDING * (1 + pow(fabs(q), n)));
        LAB_NEAR(x.z, 6 * way, 10 * n * ROUNDING * (1 + pow(fabs(q), n)));
    }
    lode_world_destroy(world);
}

static void speed_decays_by_the_formula(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    const lode_damping kinds[] = {
        {.linear_per_step = (lode_real)0.125, .angular_per_step = (lode_real)0.25},
        {.linear_per_second = 2, .angular_per_second = 5},
        {.linear_per_step = (lode_real)0.1, .linear_per_second = 1, .angular_per_second = 3},
        {.linear_per_step = (lode_real)-0.1},  /* gains speed */
        {.linear_per_step = (lode_real)1.5},   /* turns back in every step */
        {.linear_per_second = (lode_real)1e9}, /* stops without overshoot */
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        expect_decay(solver, kinds[i], H, i == 5 ? 2 : 40);
        expect_decay(solver, kinds[i], H / 4, i == 5 ? 2 : 40);
    }
}

/* One second of flight at ever smaller steps: per second, the speed left tends to e^-c, with an
 * error of the first order; per step, it depends on how many steps there were. */
static void damping_per_second_does_not_ask_for_the_step(void **state)
{
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lode_damping damping = {.linear_per_second = 2};
        lode_body body = flyer(world, damping, lab_vec3(1, 0, 0), lab_vec3(0, 0, 0));
        lab_run(world, H / (1 + fine), 64 * (1 + fine));
        error[fine] = lab_velocity(body).x - exp(-2.0);
        lode_world_destroy(world);
    }
    LAB_NEAR(error[0], exp(-2.0) * 2 * 2 * H / 2, 1e-4);
    LAB_NEAR(error[0] / error[1], 2, 0.05);
}

/* What falls gains g h and then loses c h of all it has: it tends to g / c, at any step. */
static void falling_bodies_reach_their_terminal_speed(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_damping damping = {.linear_per_second = 4};
    lode_body body = flyer(world, damping, lab_vec3(0, 0, 0), lab_vec3(0, 0, 0));
    lab_run(world, H, 600);
    LAB_NEAR(lab_velocity(body).z, -LAB_G / 4, 1e3 * LAB_EPSILON);
    lab_run(world, H / 2, 100);
    LAB_NEAR(lab_velocity(body).z, -LAB_G / 4, 1e3 * LAB_EPSILON);
    lode_world_destroy(world);
}

static void below_the_threshold_nothing_is_damped(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_damping damping = {.linear_per_step = (lode_real)0.5,
                            .angular_per_step = (lode_real)0.5,
                            .linear_threshold = 1,
                            .angular_threshold = 2};
    lode_body body = flyer(world, damping, lab_vec3(0, 6, 0), lab_vec3(0, 0, 6));
    const double linear[] = {3, 1.5, 0.75, 0.75, 0.75}, angular[] = {3, 1.5, 1.5, 1.5, 1.5};
    for (int i = 0; i < 5; ++i) {
        lab_run(world, H, 1);
        assert_true(lab_velocity(body).y == linear[i]);
        assert_true(lab_spin(body).z == angular[i]);
    }
    /* at the threshold is not above it */
    lode_body_set_linear_velocity(body, lab_vec3(1, 0, 0));
    lab_run(world, H, 1);
    assert_true(lab_velocity(body).x == 1);
    damping.linear_threshold = (lode_real)INFINITY;
    assert_int_equal(lode_body_set_damping(body, &damping), LODE_OK);
    lode_body_set_linear_velocity(body, lab_vec3(1000, 0, 0));
    lab_run(world, H, 1);
    assert_true(lab_velocity(body).x == 1000);
    lode_world_destroy(world);
}

static void gaining_speed_without_end_stays_finite(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_damping damping = {.linear_per_step = (lode_real)-1e6, .angular_per_step = -9};
    lode_body body = flyer(world, damping, lab_vec3(1, 2, 3), lab_vec3(1, 0, 0));
    for (int i = 0; i < 100; ++i) {
        lab_run(world, H, 1);
        assert_true(isfinite(lab_length(lab_velocity(body))));
        assert_true(isfinite(lab_length(lab_spin(body))));
    }
    lode_world_destroy(world);
}

/* ---- whose damping ---- */

static double speed_after_a_step(lode_world world, lode_body body)
{
    lode_body_set_linear_velocity(body, lab_vec3(1, 0, 0));
    lab_run(world, H, 1);
    return lab_velocity(body).x;
}

static void bodies_without_their_own_follow_the_world(void **state)
{
    lode_world_def def = lode_world_def_default();
    def.solver = LAB_SOLVER(state);
    def.gravity = lab_vec3(0, 0, 0);
    assert_true(def.damping.linear_threshold == (lode_real)0.01);
    assert_true(def.damping.linear_per_step == 0 && def.damping.linear_per_second == 0);
    def.damping.linear_per_step = (lode_real)0.5;
    lode_world world = lode_world_create(&def);
    lode_damping own = {.linear_per_step = (lode_real)0.75}, none = {0}, worlds = def.damping;
    lode_body follower = lab_body(world, lab_vec3(0, 0, 0));
    lode_body owner = flyer(world, own, lab_vec3(0, 0, 0), lab_vec3(0, 0, 0));
    assert_true(speed_after_a_step(world, follower) == 0.5);
    assert_true(speed_after_a_step(world, owner) == 0.25);

    worlds.linear_per_step = (lode_real)0.125;
    assert_int_equal(lode_world_set_damping(world, &worlds), LODE_OK);
    assert_true(lode_world_get_def(world).damping.linear_per_step == (lode_real)0.125);
    assert_true(lode_body_get_damping(follower).linear_per_step == (lode_real)0.125);
    assert_true(lode_body_get_damping(owner).linear_per_step == (lode_real)0.75);
    assert_true(speed_after_a_step(world, follower) == 0.875);
    assert_true(speed_after_a_step(world, owner) == 0.25);

    assert_int_equal(lode_body_set_damping(owner, NULL), LODE_OK);
    assert_int_equal(lode_body_set_damping(follower, &none), LODE_OK);
    assert_true(speed_after_a_step(world, owner) == 0.875);
    assert_true(speed_after_a_step(world, follower) == 1);
    assert_int_equal(lode_world_set_damping(world, &none), LODE_OK);
    assert_true(speed_after_a_step(world, owner) == 1);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(speed_decays_by_the_formula),
        LAB_EACH_SOLVER(damping_per_second_does_not_ask_for_the_step),
        LAB_EACH_SOLVER(falling_bodies_reach_their_terminal_speed),
        LAB_EACH_SOLVER(below_the_threshold_nothing_is_damped),
        LAB_EACH_SOLVER(gaining_speed_without_end_stays_finite),
        LAB_EACH_SOLVER(bodies_without_their_own_follow_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

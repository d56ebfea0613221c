/* How high a ball bounces.
 *
 * Impact is found in steps: the ball turns somewhere between the speculative margin above the
 * ground and v h below it. Free fall in steps carries g h v / 2 less energy than its height says;
 * on the way up the same once more. The heights of bounce thus err by at most
 *
 *     e^2 (v h + v h / 2) + v h + e v h / 2  <=  3 v h,
 *
 * v being the speed of impact: first order in h, which the second test sees. Newton's law itself
 * holds to rounding. */
#include "tests/fidelity/lab.h"

#define RADIUS 0.5

static double impact_speed(double height)
{
    return sqrt(2 * LAB_G * height);
}

typedef struct drop {
    lode_world world;
    lode_body ball;
    double dt;
} drop;

static drop drop_create(lode_solver solver, double e, double height, double dt)
{
    drop d = {.world = lab_world(solver), .dt = dt};
    lab_material rubber = {.density = 500, .restitution = e};
    lab_floor(d.world, rubber);
    d.ball = lab_sphere(d.world, rubber, lab_vec3(0, 0, RADIUS + height), RADIUS);
    return d;
}

/* Steps until the ball turns: from falling to rising, or from rising to falling. Returns its
 * height, or -1 when it did not turn within ten seconds. */
static double until_turn(drop *d, bool rising)
{
    for (int i = 0; i < 10 / d->dt; ++i) {
        lab_run(d->world, d->dt, 1);
        if ((lab_velocity(d->ball).z > 0) == rising)
            return lab_center(d->ball).z - RADIUS;
    }
    return -1;
}

static double bounce_height(drop *d)
{
    until_turn(d, true);
    return until_turn(d, false);
}

static void a_ball_bounces_to_e_squared_of_its_height(void **state)
{
    const double height = 2, h = 1.0 / 240;
    for (int i = 2; i <= 4; ++i) {
        double e = i / 4.0, v = impact_speed(height);
        drop d = drop_create(LAB_SOLVER(state), e, height, h);
        LAB_NEAR(bounce_height(&d), e * e * height, 3 * v * h);
        lode_world_destroy(d.world);
    }
}

static void the_error_of_the_height_falls_with_the_step(void **state)
{
    for (double h = 1.0 / 60; h > 1.0 / 4000; h /= 4) {
        drop d = drop_create(LAB_SOLVER(state), 0.75, 1, h);
        LAB_NEAR(bounce_height(&d), 0.5625, 3 * impact_speed(1) * h);
        lode_world_destroy(d.world);
    }
}

/* The speed after the impact is e times that before, to rounding: of the velocity a step begins
 * with, before that step's gravity. */
static void speeds_obey_newtons_law(void **state)
{
    drop d = drop_create(LAB_SOLVER(state), 0.75, 3, 1.0 / 128);
    double before = 0, after = 0;
    while (after <= 0) {
        before = after;
        lab_run(d.world, d.dt, 1);
        after = lab_velocity(d.ball).z;
    }
    LAB_NEAR(after, -0.75 * before, 16 * LAB_EPSILON * fabs(before));
    lode_world_destroy(d.world);
}

/* A box that lands flat has four points that disturb each other; it must leave as a ball does. */
static void a_box_that_lands_flat_bounces_as_high_as_a_ball(void **state)
{
    const lab_material rubber = {.density = 500, .restitution = 0.75};
    for (int i = 0; i < 10; ++i) {
        drop d = drop_create(LAB_SOLVER(state), 0.75, 2 + 0.05 * i, 1.0 / 60);
        lode_body box = lab_box(d.world, rubber, lab_vec3(5, 0, RADIUS + 2 + 0.05 * i),
                                lab_vec3(RADIUS, RADIUS, RADIUS));
        double ball_height = bounce_height(&d);
        LAB_NEAR(lab_center(box).z - RADIUS, ball_height, 2e-3 * ball_height);
        lode_world_destroy(d.world);
    }
}

/* 3.13 m/s, then half of it, then half again, which is below the threshold of 1 m/s: the third
 * impact is the last that bounces, and the ball then lies on the ground within the slop. */
static void slow_impacts_do_not_bounce(void **state)
{
    drop d = drop_create(LAB_SOLVER(state), 0.5, 2, 1.0 / 240);
    int bounces = 0;
    bool rising = false;
    for (int i = 0; i < 4 * 240; ++i) {
        lab_run(d.world, d.dt, 1);
        double v = lab_velocity(d.ball).z;
        bounces += v > 0.5 && !rising;
        rising = v > 0;
    }
    assert_int_equal(bounces, 3); /* at 6.3, 3.1 and 1.6 m/s; the next is 0.8 */
    LAB_NEAR(lab_center(d.ball).z, RADIUS, 0.006);
    LAB_NEAR(lab_velocity(d.ball).z, 0, 0.001);
    lode_world_destroy(d.world);
}

/* Without restitution only the correction of the penetration lifts the ball: at first with
 * erp (v h) / h = erp v (PGS), less with the soft step, whose relax pass takes it back. */
static void a_dull_ball_stays_down(void **state)
{
    drop d = drop_create(LAB_SOLVER(state), 0, 2, 1.0 / 60);
    double push = 0.2 * impact_speed(2), highest = -1;
    until_turn(&d, true);
    for (int i = 0; i < 120; ++i) {
        lab_run(d.world, d.dt, 1);
        highest = fmax(highest, lab_center(d.ball).z - RADIUS);
    }
    LAB_AT_MOST(highest, push * push / (2 * LAB_G));
    lode_world_destroy(d.world);
}

/* With e = 1 the steps take a little energy and never give any. */
static void an_elastic_ball_does_not_climb(void **state)
{
    const double height = 1, h = 1.0 / 240;
    drop d = drop_create(LAB_SOLVER(state), 1, height, h);
    for (int i = 0; i < 20; ++i)
        LAB_AT_MOST(bounce_height(&d), height);
    LAB_AT_MOST(height - 20 * 3 * impact_speed(height) * h, bounce_height(&d));
    lode_world_destroy(d.world);
}

/* ---- every friction model, several points, shared blocks, bodies that move */

enum { MODELS = 4, BALLS = 60, PILE = 27 };

static void set_model(lode_world world, int model)
{
    lode_friction friction = model % 2 ? LODE_FRICTION_CONE : LODE_FRICTION_PYRAMID;
    assert_int_equal(lode_world_set_friction_model(world, friction), LODE_OK);
    assert_int_equal(lode_world_set_friction_per_manifold(world, model / 2), LODE_OK);
}

static const lab_material springy = {.density = 500, .friction = 0.5, .restitution = 0.8};

/* Sixty balls fall on one heavy plate that lies on the ground: most of them share blocks. The plate
 * has 300 times their mass together and keeps that share of the speed. */
static void balls_bounce_on_a_hub(void **state)
{
    const double height = 1, h = 1.0 / 480;
    for (int model = 0; model < MODELS; ++model) {
        lode_world world = lab_world(LAB_SOLVER(state));
        lode_body balls[BALLS];
        double highest[BALLS];
        bool bounced[BALLS] = {false};
        set_model(world, model);
        lab_floor(world, springy);
        lab_box(world, springy, lab_vec3(0, 0, 0.5), lab_vec3(20, 16, 0.5));
        for (int i = 0; i < BALLS; ++i) {
            lode_vec3 at = lab_vec3((i % 10 - 4.5) * 3, (i / 10 - 2.5) * 3, 1.25 + height);
            balls[i] = lab_sphere(world, springy, at, 0.25);
            highest[i] = 0;
        }
        for (int step = 0; step < 400; ++step) {
            lab_run(world, h, 1);
            for (int i = 0; i < BALLS; ++i) {
                bounced[i] = bounced[i] || lab_velocity(balls[i]).z > 0;
                if (bounced[i])
                    highest[i] = fmax(highest[i], lab_center(balls[i]).z - 1.25);
            }
        }
        for (int i = 0; i < BALLS; ++i)
            LAB_NEAR(highest[i], 0.64 * height, 3 * impact_speed(height) * h + 0.02 * height);
        lode_world_destroy(world);
    }
}

/* A ball that hovers is hit by a platform at 2 m/s: it leaves with e of that on top. */
static void a_ball_leaves_a_moving_platform_by_their_relative_speed(void **state)
{
    for (int model = 0; model < MODELS; ++model) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        set_model(world, model);
        lode_body_def def = lode_body_def_default();
        lode_shape_def shape = lab_shape_def(springy);
        def.type = LODE_KINEMATIC;
        def.position = lab_vec3(0, 0, -1);
        def.linear_velocity = lab_vec3(0, 0, 2);
        lode_body platform = lode_body_create(world, &def);
        lode_shape_create_box(platform, &shape, lab_vec3(2, 2, 0.5));
        lode_body ball = lab_sphere(world, springy, lab_vec3(0, 0, RADIUS), RADIUS);
        lab_run(world, 1.0 / 64, 64);
        LAB_NEAR(lab_velocity(ball).z, 2 * 1.8, 32 * LAB_EPSILON);
        lode_world_destroy(world);
    }
}

/* A pile falls to the ground and apart: bounces and friction only ever take energy. What position
 * correction gives is within a hundredth of what the pile had. The direct solver knows one
 * model. */
static void a_pile_that_bounces_never_gains_energy(void **state)
{
    int models = LAB_SOLVER(state) == LODE_SOLVER_DIRECT ? 1 : MODELS;
    for (int model = 0; model < models; ++model) {
        lode_world world = lab_world(LAB_SOLVER(state));
        lode_body pile[PILE];
        double mass = 500, least = INFINITY, first = 0;
        set_model(world, model);
        lab_floor(world, springy);
        for (int i = 0; i < PILE; ++i)
            pile[i] = lab_box(
                world, springy,
                lab_vec3(i % 3 * 1.05 + 0.1 * (i / 9), i / 3 % 3 * 1.05, 2 + i / 9 * 1.2),
                lab_vec3(0.5, 0.5, 0.5));
        for (int step = 0; step < 480; ++step) {
            double energy = lab_total(pile, PILE).kinetic;
            for (int i = 0; i < PILE; ++i)
                energy += mass * LAB_G * (lab_center(pile[i]).z - 0.5);
            first = step ? first : energy;
            LAB_AT_MOST(energy, fmin(first, least) + 0.01 * first);
            least = fmin(least, energy);
            lab_run(world, 1.0 / 120, 1);
        }
        LAB_AT_MOST(least, 0.5 * first);
        lode_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_ball_bounces_to_e_squared_of_its_height),
        LAB_EACH_SOLVER(the_error_of_the_height_falls_with_the_step),
        LAB_EACH_SOLVER(speeds_obey_newtons_law),
        LAB_EACH_SOLVER(a_box_that_lands_flat_bounces_as_high_as_a_ball),
        LAB_EACH_SOLVER(slow_impacts_do_not_bounce),
        LAB_EACH_SOLVER(a_dull_ball_stays_down),
        LAB_EACH_SOLVER(an_elastic_ball_does_not_climb),
        LAB_EACH_SOLVER(balls_bounce_on_a_hub),
        LAB_EACH_SOLVER(a_ball_leaves_a_moving_platform_by_their_relative_speed),
        LAB_EACH_SOLVER(a_pile_that_bounces_never_gains_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What lode/surface.h says, against its formulas: with each solver, and with each model of friction
 * where friction has a part in it. Steps are of 1/64 s; where a speed or a place is known to within
 * one step's change, that is the tolerance. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 64)

static const lab_material plain = {.density = 1000, .friction = 0.6};

typedef struct model {
    lode_friction friction;
    bool per_manifold;
} model;

static const model models[] = {{LODE_FRICTION_PYRAMID, false},
                               {LODE_FRICTION_CONE, false},
                               {LODE_FRICTION_PYRAMID, true},
                               {LODE_FRICTION_CONE, true}};

enum { MODELS = sizeof models / sizeof models[0] };

static lode_world world_of(lode_solver solver, int model)
{
    lode_world world = lab_world(solver);
    lode_world_set_friction_model(world, models[model].friction);
    lode_world_set_friction_per_manifold(world, models[model].per_manifold);
    return world;
}

/* A level floor whose frame is turned about the vertical. */
static lode_body turned_floor(lode_world world, double turn, double friction, lode_surface surface)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lab_shape_def(plain);
    def.rotation = (lode_quat){(lode_real)cos(turn / 2), 0, 0, (lode_real)sin(turn / 2)};
    shape.friction = (lode_real)friction;
    shape.surface = surface;
    lode_body body = lode_body_create(world, &def);
    lode_shape_create_plane(body, &shape, lab_vec3(0, 0, 1), 0);
    return body;
}

/* A flat box of 250 kg that stands on the level. */
static lode_body flat_box(lode_world world, double x)
{
    return lab_box(world, plain, lab_vec3(x, 0, 0.125), lab_vec3(0.5, 0.5, 0.125));
}

static void push(lode_world world, lode_body body, lode_vec3 force, int steps)
{
    for (int i = 0; i < steps; ++i) {
        lode_body_add_force(body, force);
        lab_run(world, H, 1);
    }
}

static double mass_of(lode_body body)
{
    return lode_body_get_mass(body).mass;
}

/* ---- motion ---- */

/* Friction brings a box to the belt's speed, mu g per second, and then nothing does any more. */
static void check_a_belt(lode_solver solver, int model)
{
    const double turn = 0.5, speed = 2;
    lode_surface belt = lode_surface_default();
    belt.motion = lab_vec3(speed, 0, 0.7); /* the part along the normal does not count */
    lode_world world = world_of(solver, model);
    turned_floor(world, turn, 0.6, belt);
    lode_body box = flat_box(world, 0);
    lab_vec along = {cos(turn), sin(turn), 0}, across = {-sin(turn), cos(turn), 0};
    for (int i = 1; i <= 192; ++i) {
        lab_run(world, H, 1);
        double v = lab_dot(lab_velocity(box), along);
        LAB_AT_MOST(v, speed * 1.005);
        /* a pyramid's directions may be turned, and then it holds up to 1.41 times as much */
        LAB_AT_MOST(v, sqrt(2.0) * 0.6 * LAB_G * i * H * 1.05 + 0.01);
    }
    LAB_NEAR(lab_dot(lab_velocity(box), along), speed, 0.001);
    LAB_NEAR(lab_dot(lab_velocity(box), across), 0, 0.001);
    LAB_NEAR(lab_velocity(box).z, 0, 0.001);
    lode_world_destroy(world);
}

static void a_belt_carries_to_its_speed_and_no_further(void **state)
{
    for (int i = 0; i < MODELS; ++i)
        check_a_belt(LAB_SOLVER(state), i);
}

/* A surface of the body itself drives it the other way, and two belts that run alike leave it. */
static void motions_of_a_pair_add_up(void **state)
{
    for (int both = 0; both < 2; ++both) {
        lode_world world = world_of(LAB_SOLVER(state), 1);
        lode_surface belt = lode_surface_default();
        belt.motion = lab_vec3(1, 0, 0);
        turned_floor(world, 0, 0.6, both ? belt : lode_surface_default());
        lode_shape_def shape = lab_shape_def(plain);
        shape.surface = belt;
        lode_body box = lab_body(world, lab_vec3(0, 0, 0.125));
        lode_shape_create_box(box, &shape, lab_vec3(0.5, 0.5, 0.125));
        lab_run(world, H, 64);
        LAB_NEAR(lab_velocity(box).x, both ? 0 : -1, 0.001);
        lode_world_destroy(world);
    }
}

/* What stands on a surface that pushes is thrown off with its speed. */
static void a_motion_along_the_normal_throws_off(void **state)
{
    lode_surface up = lode_surface_default();
    up.motion_normal = 1;
    lode_world world = world_of(LAB_SOLVER(state), 0);
    turned_floor(world, 0, 0.6, up);
    lode_body ball = lab_sphere(world, plain, lab_vec3(0, 0, 0.25), 0.25);
    lab_run(world, H, 1);
    LAB_NEAR(lab_velocity(ball).z, 1, LAB_G * H);
    double most = 0;
    for (int i = 0; i < 64; ++i) {
        lab_run(world, H, 1);
        most = fmax(most, lab_velocity(ball).z);
    }
    LAB_AT_MOST(most, 1.001);
    LAB_AT_MOST(0.9, most);
    lode_world_destroy(world);
}

/* ---- slip ---- */

/* Steadily pushed, a box slides at slip times the force, in each direction by its own, whatever
 * number of points bears it. */
static void check_slip(lode_solver solver, int model)
{
    const double force[2] = {300, 200}, slip[2] = {0.002, 0.004};
    lode_surface yields = lode_surface_default();
    yields.direction = lab_vec3(1, 0, 0);
    for (int k = 0; k < 2; ++k)
        yields.slip[k] = (lode_real)slip[k];
    lode_world world = world_of(solver, model);
    turned_floor(world, 0, 0.6, yields);
    lode_body box = flat_box(world, 0);
    lode_body ball = lab_box(world, plain, lab_vec3(5, 0, 0.25), lab_vec3(0.25, 0.25, 0.25));
    for (int i = 0; i < 20 * 64; ++i) { /* the slower direction comes nearer by e each second */
        lode_body_add_force(box, lab_vec3(force[0], force[1], 0));
        lode_body_add_force(ball, lab_vec3(-force[0] / 2, 0, 0));
        lab_run(world, H, 1);
    }
    LAB_NEAR(lab_velocity(box).x, slip[0] * force[0], 1e-4);
    LAB_NEAR(lab_velocity(box).y, slip[1] * force[1], 1e-4);
    LAB_NEAR(lab_velocity(ball).x, -slip[0] * force[0] / 2, 1e-4);
    LAB_NEAR(lab_spin(box).z, 0, 1e-4);
    lode_world_destroy(world);
}

static void slip_is_proportional_to_force(void **state)
{
    for (int i = 0; i < MODELS; ++i)
        check_slip(LAB_SOLVER(state), i);
}

/* Above what friction holds, it slides away all the same. */
static void slip_does_not_outdo_friction(void **state)
{
    lode_surface yields = lode_surface_default();
    yields.slip[0] = yields.slip[1] = (lode_real)0.0001;
    lode_world world = world_of(LAB_SOLVER(state), 1);
    turned_floor(world, 0, 0.6, yields);
    lode_body box = flat_box(world, 0);
    lab_run(world, H, 64);
    double m = mass_of(box), force = m * (0.6 * LAB_G + 1);
    push(world, box, lab_vec3(force, 0, 0), 64);
    double before = lab_velocity(box).x;
    push(world, box, lab_vec3(force, 0, 0), 64);
    LAB_NEAR(lab_velocity(box).x - before, 1, 0.001);
    lode_world_destroy(world);
}

/* ---- rolling ---- */

/* m v^2 / 2 (1 + 2/5) is spent at rho m g / r per metre. On a cone that holds in all directions; a
 * pyramid may hold 1.41 times as much between its own. */
static void check_rolling(lode_solver solver, int model, double way)
{
    const double r = 0.5, rho = 0.02, v = 1;
    lode_surface soft_ground = lode_surface_default();
    soft_ground.rolling[0] = soft_ground.rolling[1] = (lode_real)rho;
    soft_ground.direction = lab_vec3(1, 0, 0);
    lode_world world = world_of(solver, model);
    turned_floor(world, 0, 1, soft_ground);
    lode_body ball = lab_sphere(world, plain, lab_vec3(0, 0, r), r);
    lode_body_set_linear_velocity(ball, lab_vec3(v * cos(way), v * sin(way), 0));
    lode_body_set_angular_velocity(ball, lab_vec3(-v / r * sin(way), v / r * cos(way), 0));
    lab_run(world, H, 640);
    double stops = 0.7 * v * v * r / (rho * LAB_G);
    double came = lab_length((lab_vec){lab_center(ball).x, lab_center(ball).y, 0});
    bool exact = way == 0 || models[model].friction == LODE_FRICTION_CONE;
    LAB_AT_MOST(came, stops + v * H);
    LAB_AT_MOST(exact ? stops - v * H : stops / sqrt(2.0) - v * H, came);
    LAB_AT_MOST(lab_length(lab_velocity(ball)), 1e-6);
    LAB_AT_MOST(lab_length(lab_spin(ball)), 1e-6);
    lode_world_destroy(world);
}

static void rolling_friction_stops_a_ball_where_its_energy_is_spent(void **state)
{
    for (int i = 0; i < MODELS; ++i) {
        check_rolling(LAB_SOLVER(state), i, 0);
        check_rolling(LAB_SOLVER(state), i, 0.7);
    }
}

/* On a slope below its angle of rolling friction, atan(rho / r), a ball stays. */
static void rolling_friction_holds_a_ball_on_a_slope(void **state)
{
    const double r = 0.5, rho = 0.05, angle = 0.8 * atan(rho / r);
    lode_world world = world_of(LAB_SOLVER(state), 0);
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lab_shape_def(plain);
    shape.surface.rolling[0] = shape.surface.rolling[1] = (lode_real)rho;
    lode_body ground = lode_body_create(world, &def);
    lode_shape_create_plane(ground, &shape, lab_vec3(sin(angle), 0, cos(angle)), 0);
    lode_body ball = lab_sphere(world, plain, lab_vec3(r * sin(angle), 0, r * cos(angle)), r);
    lab_run(world, H, 256);
    lab_vec from = lab_center(ball);
    lab_run(world, H, 1024);
    LAB_AT_MOST(lab_length(lab_sub(lab_center(ball), from)), 1e-4);
    lode_world_destroy(world);
}

/* I w is spent at rhoN m g per second. */
static void spinning_friction_stops_a_top_in_time(void **state)
{
    const double r = 0.5, rho = 0.02, w = 3;
    lode_surface sticky = lode_surface_default();
    sticky.rolling[2] = (lode_real)rho;
    lode_world world = world_of(LAB_SOLVER(state), 0);
    turned_floor(world, 0, 0.6, sticky);
    lode_body ball = lab_sphere(world, plain, lab_vec3(0, 0, r), r);
    lab_run(world, H, 64);
    lode_body_set_angular_velocity(ball, lab_vec3(0, 0, w));
    double slows = rho * LAB_G / (0.4 * r * r), stops = w / slows;
    int steps = (int)(stops / H);
    lab_run(world, H, steps - 2);
    LAB_NEAR(lab_spin(ball).z, w - slows * (steps - 2) * H, slows * H);
    lab_run(world, H, 4);
    LAB_NEAR(lab_spin(ball).z, 0, 1e-5);
    lode_world_destroy(world);
}

/* ---- soft contacts and bounces ---- */

static lode_surface spring_of(double erp, double cfm)
{
    lode_surface soft = lode_surface_default();
    soft.soft_erp = (lode_real)erp;
    soft.soft_cfm = (lode_real)cfm;
    return soft;
}

/* Four springs of soft_erp / (soft_cfm dt) under the box, below the surface layer: m g = 4 k x. */
static void a_soft_contact_sags_as_its_springs_say(void **state)
{
    const double erp = 0.4, cfm = 0.002;
    lode_world world = world_of(LAB_SOLVER(state), 0);
    turned_floor(world, 0, 0.6, spring_of(erp, cfm));
    lode_body box = flat_box(world, 0);
    lab_run(world, H, 640);
    double layer = lode_world_get_def(world).surface_layer, k = 4 * erp / (cfm * H);
    LAB_NEAR(0.125 - layer - lab_center(box).z, mass_of(box) * LAB_G / k, 2e-5);
    LAB_AT_MOST(lab_length(lab_velocity(box)), 1e-4);
    lode_world_destroy(world);
}

/* 524 kg, two and a half times what a push of max_correcting_velocity / soft_cfm, 2,000 N,
 * bears. */
static void bears_whatever_presses(void **state)
{
    const double erp = 0.4, cfm = 0.002, r = 0.5;
    lode_world world = world_of(LAB_SOLVER(state), 0);
    turned_floor(world, 0, 0.6, spring_of(erp, cfm));
    lode_body ball = lab_sphere(world, plain, lab_vec3(0, 0, r), r);
    lab_run(world, H, 64 * 60); /* 3.5 s take a swing down to a third */
    double layer = lode_world_get_def(world).surface_layer, k = erp / (cfm * H);
    double sinks = mass_of(ball) * LAB_G / k;
    LAB_NEAR(r - layer - lab_center(ball).z, sinks, 1e-4 * sinks);
    LAB_AT_MOST(lab_length(lab_velocity(ball)), 1e-3);
    lode_world_destroy(world);
}

/* A light ball that begins 0.4 m deep: its spring would throw it off with hundreds of metres per
 * second within a step; no more than max_correcting_velocity comes of the first. */
static void what_begins_deep_is_not_flung_out(void **state)
{
    const double r = 0.5;
    lode_world world = world_of(LAB_SOLVER(state), 0);
    lode_world_set_sub_steps(world, 1);
    turned_floor(world, 0, 0.6, spring_of(1, 1e-6));
    lode_body ball = lab_sphere(world, plain, lab_vec3(0, 0, r - 0.4), r);
    lab_run(world, H, 1);
    LAB_AT_MOST(lab_velocity(ball).z, 4);
    assert_true(lab_center(ball).z > r - 0.4 + 2 * H);
    lode_world_destroy(world);
}

/* Drops a ball of restitution 0.8 from its speed v; returns the largest speed upwards. */
static double bounce(lode_solver solver, double v, double slowest)
{
    lode_surface surface = lode_surface_default();
    surface.bounce_speed = (lode_real)slowest;
    lode_world world = world_of(solver, 0);
    turned_floor(world, 0, 0.6, surface);
    lab_material elastic = {.density = 1000, .friction = 0.6, .restitution = 0.8};
    lode_body ball = lab_sphere(world, elastic, lab_vec3(0, 0, 0.26), 0.25);
    lode_body_set_linear_velocity(ball, lab_vec3(0, 0, -v));
    double most = 0;
    for (int i = 0; i < 16; ++i) {
        lab_run(world, H, 1);
        most = fmax(most, lab_velocity(ball).z);
    }
    lode_world_destroy(world);
    return most;
}

/* The world's threshold is 1 m/s. */
static void slow_impacts_do_not_bounce(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    LAB_AT_MOST(bounce(solver, 0.5, -1), 0.1);
    LAB_NEAR(bounce(solver, 0.5, 0.2), 0.8 * 0.5, 2 * LAB_G * H);
    LAB_NEAR(bounce(solver, 2, -1), 0.8 * 2, 2 * LAB_G * H);
    LAB_AT_MOST(bounce(solver, 2, 4), 0.3); /* the direct solver pushes out what came too deep */
}

/* ---- laws ---- */

/* A box's friction is a force: what is over accelerates, whatever presses. */
static void check_box(lode_solver solver, int model)
{
    const double force = 200;
    lode_surface dry = lode_surface_default();
    dry.law[0] = dry.law[1] = LODE_LAW_BOX;
    dry.direction = lab_vec3(1, 0, 0);
    for (int i = 0; i < 3; ++i) {
        lode_world world = world_of(solver, model);
        turned_floor(world, 0, force, dry);
        lode_body box = flat_box(world, 0);
        lab_run(world, H, 64);
        push(world, box, lab_vec3(0.9 * force, 0, -500.0 * i), 64);
        LAB_NEAR(lab_velocity(box).x, 0, 1e-3);
        push(world, box, lab_vec3(force + 250, 0, -500.0 * i), 64);
        LAB_NEAR(lab_velocity(box).x, 250 / mass_of(box), 0.01);
        lode_world_destroy(world);
    }
}

static void a_box_of_friction_asks_for_no_load(void **state)
{
    for (int i = 0; i < MODELS; ++i)
        check_box(LAB_SOLVER(state), i);
}

/* How fast a box that slides between the directions slows down, as a share of mu g. */
static double slowing(lode_solver solver, int model, lode_friction_law law)
{
    lode_surface surface = lode_surface_default();
    surface.law[0] = surface.law[1] = law;
    surface.direction = lab_vec3(1, 0, 0);
    lode_world world = world_of(solver, model);
    turned_floor(world, 0, 0.6, surface);
    lode_body box = flat_box(world, 0);
    lab_run(world, H, 64);
    double v = 4;
    lode_body_set_linear_velocity(box, lab_vec3(v * sqrt(0.5), v * sqrt(0.5), 0));
    lab_run(world, H, 16);
    double slower = v - lab_length(lab_velocity(box));
    lode_world_destroy(world);
    return slower / (16 * H * 0.6 * LAB_G);
}

/* A contact's own law overrules the world's model. */
static void a_law_of_its_own_is_the_contacts(void **state)
{
    for (int i = 0; i < MODELS; ++i) {
        bool cone = models[i].friction == LODE_FRICTION_CONE;
        LAB_NEAR(slowing(LAB_SOLVER(state), i, LODE_LAW_CONE), 1, 0.02);
        LAB_NEAR(slowing(LAB_SOLVER(state), i, LODE_LAW_PYRAMID), sqrt(2.0), 0.02);
        LAB_NEAR(slowing(LAB_SOLVER(state), i, LODE_LAW_WORLD), cone ? 1 : sqrt(2.0), 0.02);
    }
}

/* Along a direction without friction a box slides freely, across it it stays. */
static void friction_of_two_directions_is_two(void **state)
{
    for (int i = 0; i < MODELS; ++i) {
        const double turn = 0.4;
        lode_surface ribbed = lode_surface_default();
        ribbed.direction = lab_vec3(1, 0, 0);
        ribbed.friction_across = 0;
        lode_world world = world_of(LAB_SOLVER(state), i);
        turned_floor(world, turn, 0.6, ribbed);
        lode_body box = flat_box(world, 0);
        lab_run(world, H, 128);
        lab_vec along = {cos(turn), sin(turn), 0}, across = {-sin(turn), cos(turn), 0};
        double m = mass_of(box);
        push(world, box, lab_vec3(m * (along.x + across.x), m * (along.y + across.y), 0), 64);
        LAB_NEAR(lab_dot(lab_velocity(box), along), 0, 1e-3);
        LAB_NEAR(lab_dot(lab_velocity(box), across), 1, 2e-3);
        lode_world_destroy(world);
    }
}

static int rows_with(lode_solver solver, double friction, lode_surface surface)
{
    lode_world_stats stats;
    lode_world world = world_of(solver, 0);
    turned_floor(world, 0, friction, surface);
    flat_box(world, 0);
    lab_run(world, H, 4);
    assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
    lode_world_destroy(world);
    return stats.rows;
}

/* Four points have four normals; what has no coefficient has no row. */
static void no_friction_has_no_rows(void **state)
{
    lode_surface none = lode_surface_default(), ribbed = none, rolling = none;
    ribbed.direction = lab_vec3(1, 0, 0);
    ribbed.friction_across = 0;
    rolling.rolling[0] = rolling.rolling[2] = 1;
    assert_int_equal(rows_with(LAB_SOLVER(state), 0.6, none), 12);
    assert_int_equal(rows_with(LAB_SOLVER(state), 0, none), 4);
    assert_int_equal(rows_with(LAB_SOLVER(state), 0.6, ribbed), 8);
    assert_int_equal(rows_with(LAB_SOLVER(state), 0, rolling), 6);
}

/* Infinite friction holds against a hundred times the load, and nothing is left of it when nothing
 * presses; beside 0 it is 0. */
static void infinite_friction_never_slips(void **state)
{
    for (int i = 0; i < MODELS; ++i)
        for (int slippery = 0; slippery < 2; ++slippery) {
            lode_world world = world_of(LAB_SOLVER(state), i);
            turned_floor(world, 0, INFINITY, lode_surface_default());
            lode_body box = lab_box(world, (lab_material){1000, slippery ? 0 : 0.6, 0},
                                    lab_vec3(0, 0, 0.01), lab_vec3(2, 2, 0.01));
            lab_run(world, H, 128);
            double force = slippery ? mass_of(box) : 100 * LAB_G * mass_of(box);
            push(world, box, lab_vec3(force, 0, 0), 16); /* until its impulses stand */
            double from = lab_center(box).x, before = lab_velocity(box).x;
            push(world, box, lab_vec3(force, 0, 0), 64);
            if (slippery)
                LAB_NEAR(lab_velocity(box).x - before, 1, 1e-3);
            else
                LAB_NEAR(lab_center(box).x, from, 1e-5);
            lode_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(a_belt_carries_to_its_speed_and_no_further),
        LAB_EACH_AND_PER_JOINT(motions_of_a_pair_add_up),
        LAB_EACH_AND_PER_JOINT(a_motion_along_the_normal_throws_off),
        LAB_EACH_AND_PER_JOINT(slip_is_proportional_to_force),
        LAB_EACH_AND_PER_JOINT(slip_does_not_outdo_friction),
        LAB_EACH_AND_PER_JOINT(rolling_friction_stops_a_ball_where_its_energy_is_spent),
        LAB_EACH_AND_PER_JOINT(rolling_friction_holds_a_ball_on_a_slope),
        LAB_EACH_AND_PER_JOINT(spinning_friction_stops_a_top_in_time),
        LAB_EACH_AND_PER_JOINT(a_soft_contact_sags_as_its_springs_say),
        LAB_EACH_AND_PER_JOINT(bears_whatever_presses),
        LAB_EACH_AND_PER_JOINT(what_begins_deep_is_not_flung_out),
        LAB_EACH_AND_PER_JOINT(slow_impacts_do_not_bounce),
        LAB_EACH_AND_PER_JOINT(a_box_of_friction_asks_for_no_load),
        LAB_EACH_AND_PER_JOINT(a_law_of_its_own_is_the_contacts),
        LAB_EACH_AND_PER_JOINT(friction_of_two_directions_is_two),
        LAB_EACH_AND_PER_JOINT(no_friction_has_no_rows),
        LAB_EACH_AND_PER_JOINT(infinite_friction_never_slips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

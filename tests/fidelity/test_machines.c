/* Machines whose motion is known: a linkage of four bars, a door on more hinges than it needs,
 * Newton's cradle and a house of cards. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 240)

static const lab_material steel = {.density = 1000};

static lode_joint hinge(lode_world world, lode_body a, lode_body b, lode_vec3 anchor,
                        lode_vec3 axis)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = a;
    def.body_b = b;
    assert_int_equal(lode_joint_def_anchor_world(&def, anchor, axis), LODE_OK);
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(lode_joint_is_valid(joint));
    return joint;
}

/* Turns a body about the axis y, where it is. */
static void lean(lode_body body, double angle)
{
    lode_pose pose = lode_body_get_pose(body);
    pose.rotation = (lode_quat){(lode_real)cos(angle / 2), 0, (lode_real)sin(angle / 2), 0};
    assert_int_equal(lode_body_set_pose(body, pose), LODE_OK);
}

static void expect_no_warning(lode_world world)
{
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT);
    assert_int_equal(warnings[LODE_WARNING_NOT_CONVERGED].ever, 0);
}

/* ---- four bars ----
 *
 * Two cranks of length 1 hang side by side and carry a bar between their ends: a parallelogram, of
 * whose four hinges one alone would hold it in its plane. The bar does not turn, so it swings as a
 * pendulum with I = 2 I_crank + M and the weight's arm 2 m / 2 + M at the length 1. */

typedef struct four_bars {
    lode_world world;
    lode_body cranks[2], bar;
} four_bars;

static four_bars four_bars_create(lode_solver solver, double angle)
{
    four_bars f = {.world = lab_world(solver)};
    lode_vec3 y = lab_vec3(0, 1, 0);
    double dx = sin(angle), dz = -cos(angle);
    lode_world_set_iterations(f.world, 20);
    f.bar = lab_box(f.world, steel, lab_vec3(1 + dx, 0, dz), lab_vec3(1, 0.05, 0.05));
    for (int i = 0; i < 2; ++i) {
        f.cranks[i] = lab_box(f.world, steel, lab_vec3(2 * i + dx / 2, 0.2, dz / 2),
                              lab_vec3(0.05, 0.05, 0.5));
        lean(f.cranks[i], -angle);
        hinge(f.world, f.cranks[i], (lode_body){0}, lab_vec3(2 * i, 0, 0), y);
        hinge(f.world, f.bar, f.cranks[i], lab_vec3(2 * i + dx, 0, dz), y);
    }
    return f;
}

static double bar_at(void *context)
{
    const four_bars *f = context;
    return lab_center(f->bar).x - 1;
}

static void four_bars_swing_as_a_pendulum(void **state)
{
    const double angle = 0.8;
    four_bars f = four_bars_create(LAB_SOLVER(state), angle);
    lode_mass crank = lode_body_get_mass(f.cranks[0]);
    double m = crank.mass, bar = lode_body_get_mass(f.bar).mass;
    double length = (2 * (crank.inertia[1] + m / 4) + bar) / (m + bar);
    double period = lab_swing(f.world, H, bar_at, &f), expected = lab_period(length, angle);
    LAB_NEAR(period, expected, 0.005 * expected);
    double apart = 0, tilt = 0, aside = 0;
    for (int i = 0; i < 2400; ++i) {
        lab_run(f.world, H, 1);
        lab_vec at = lab_center(f.bar);
        apart = fmax(apart, fabs(hypot(at.x - 1, at.z) - 1));
        tilt = fmax(tilt, lab_length(lab_sub(lab_rotate(lode_body_get_pose(f.bar).rotation,
                                                        (lab_vec){1, 0, 0}), (lab_vec){1, 0, 0})));
        aside = fmax(aside, fabs(at.y));
    }
    print_message("period off by %.2g, bar %.2g m off its circle, tilts by %.2g\n",
                  period / expected - 1, apart, tilt);
    double most = LAB_SOLVER(state) == LODE_SOLVER_SOFT_STEP ? 5e-3 : 1e-3; /* it has springs */
    LAB_AT_MOST(apart, most);
    LAB_AT_MOST(tilt, most);
    LAB_AT_MOST(aside, most);
    expect_no_warning(f.world);
    lode_world_destroy(f.world);
}

/* ---- a door ---- */

/* Of its two hinges each would hold it. A torque turns it as if there were one, its weight lies on
 * both together, and it does not sag. */
static void a_door_on_two_hinges_turns_freely(void **state)
{
    const double torque = 6, seconds = 0.5;
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_world_set_iterations(world, 20);
    lode_vec3 z = lab_vec3(0, 0, 1);
    lode_body door = lab_box(world, (lab_material){.density = 500}, lab_vec3(0.5, 0, 1),
                             lab_vec3(0.5, 0.02, 1));
    lode_joint hinges[2] = {hinge(world, door, (lode_body){0}, lab_vec3(0, 0, 0.2), z),
                            hinge(world, door, (lode_body){0}, lab_vec3(0, 0, 1.8), z)};
    lode_mass mass = lode_body_get_mass(door);
    double m = mass.mass, inertia = mass.inertia[2] + m * 0.25;
    for (int i = 0; i < seconds / H; ++i) {
        lode_body_add_torque(door, lab_vec3(0, 0, torque));
        lab_run(world, H, 1);
    }
    double rate = torque / inertia * seconds;
    LAB_NEAR(lab_spin(door).z, rate, 0.005 * rate);
    lab_run(world, H, 2400);
    LAB_NEAR(lab_spin(door).z, rate, 0.02 * rate);
    lab_vec at = lab_center(door), sum = {0, 0, 0};
    for (int i = 0; i < 2; ++i)
        sum = lab_add(sum, lab_of(lode_joint_get_force(hinges[i])));
    print_message("sags by %.2g m, tilts by %.2g\n", 1 - at.z, lab_spin(door).x);
    LAB_NEAR(at.z, 1, 2e-4);
    LAB_NEAR(hypot(at.x, at.y), 0.5, 2e-4);
    LAB_NEAR(sum.z, m * LAB_G, 0.01 * m * LAB_G);
    LAB_NEAR(hypot(sum.x, sum.y), m * rate * rate * 0.5, 0.01 * m * LAB_G);
    expect_no_warning(world);
    lode_world_destroy(world);
}

/* ---- Newton's cradle ---- */

enum { BALLS = 5 };

/* Above where they hang. */
static double energy_of(const lode_body balls[BALLS])
{
    double energy = lab_total(balls, BALLS).kinetic;
    for (int k = 0; k < BALLS; ++k)
        energy += lode_body_get_mass(balls[k]).mass * LAB_G * (1 + lab_center(balls[k]).z);
    return energy;
}

/* Elastic balls hang side by side, further apart than they move in a step; the first `raised` are
 * let go at an angle. As many leave at the other end, with the speed that the first came with, and
 * the others stay but for what the gaps moved them. */
static void check_cradle(lode_solver solver, double gap, int raised)
{
    const double r = 0.1, length = 1, angle = 0.5;
    const lab_material ivory = {.density = 2000, .restitution = 1};
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    def.restitution_threshold = 0;
    def.sleep.enabled = false;
    lode_world world = lode_world_create(&def);
    lode_body balls[BALLS];
    for (int i = 0; i < BALLS; ++i) {
        double x = i * (2 * r + gap), a = i < raised ? angle : 0;
        balls[i] = lab_sphere(world, ivory,
                              lab_vec3(x - length * sin(a), 0, -length * cos(a)), r);
        hinge(world, balls[i], (lode_body){0}, lab_vec3(x, 0, 0), lab_vec3(0, 1, 0));
    }
    double inertia = 0.4 * r * r + length * length; /* of a kilogram */
    double speed = sqrt(2 * LAB_G * length * (1 - cos(angle)) / inertia) * length;
    double most[BALLS] = {0}, first = energy_of(balls), won = 0;
    for (int i = 0; i < 480 && !(most[BALLS - 1] > 0.5 && lab_velocity(balls[BALLS - 1]).x < 0);
         ++i) {
        lab_run(world, H, 1);
        for (int k = 0; k < BALLS; ++k)
            most[k] = fmax(most[k], lab_velocity(balls[k]).x);
        won = fmax(won, energy_of(balls) / first - 1);
    }
    LAB_AT_MOST(won, 1e-3);
    for (int k = 0; k < BALLS; ++k) {
        if (gap > 0 && k >= BALLS - raised)
            LAB_NEAR(most[k], speed, 0.015 * speed);
        else if (gap > 0)
            LAB_NEAR(lab_velocity(balls[k]).x, 0, 0.1 * speed);
    }
    lode_world_destroy(world);
}

/* Those that touch are struck at once, by Newton's law at each point: they gain no energy. */
static void a_cradle_hands_its_speed_on(void **state)
{
    for (int raised = 1; raised < 3; ++raised) {
        check_cradle(LAB_SOLVER(state), 0.02, raised);
        check_cradle(LAB_SOLVER(state), 0, raised);
    }
}

/* ---- cards ----
 *
 * Two cards lean against each other at an angle a off the vertical. Each foot bears m g and pushes
 * outwards by m g tan(a) / 2, so they stand above mu = tan(a) / 2, and slide apart below it. Where
 * they meet, edge to edge, the normal may be that of either side, and friction must hold across. */

#define CARD_ANGLE 0.35

static const lab_material paper = {.density = 300, .friction = 1};
static const double card_half[3] = {0.005, 0.3, 0.5};

static lode_body card(lode_world world, double x, double z, double angle)
{
    lode_body body = lab_box(world, paper, lab_vec3(x, 0, z),
                             lab_vec3(card_half[0], card_half[1], card_half[2]));
    lean(body, angle);
    return body;
}

/* Edge to edge at the top, above x, feet at the height z. */
static void lean_together(lode_world world, lode_body out[2], double x, double z)
{
    double s = sin(CARD_ANGLE), c = cos(CARD_ANGLE), t = card_half[0], l = card_half[2];
    double reach = l * s + t * c, rise = l * c + t * s;
    out[0] = card(world, x - reach, z + rise, CARD_ANGLE);
    out[1] = card(world, x + reach, z + rise, -CARD_ANGLE);
}

/* `mu` between the floor and cards with a coefficient of 1. */
static lode_world card_table(lode_solver solver, double mu)
{
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    def.sleep.enabled = false;
    lode_world world = lode_world_create(&def);
    lab_floor(world, (lab_material){.friction = mu * mu});
    return world;
}

static double dropped(lode_solver solver, double share, double seconds)
{
    double mu = share * tan(CARD_ANGLE) / 2;
    lode_world world = card_table(solver, mu);
    lode_body cards[2];
    lean_together(world, cards, 0, 0);
    double from = lab_center(cards[0]).z;
    lab_run(world, 1.0 / 60, (int)(60 * seconds));
    double by = from - lab_center(cards[0]).z;
    lode_world_destroy(world);
    return by;
}

static void two_cards_stand_by_their_friction(void **state)
{
    double stays = dropped(LAB_SOLVER(state), 1.25, 60), falls = dropped(LAB_SOLVER(state), 0.8, 3);
    print_message("a minute at 1.25 of the friction: down by %.2g m; at 0.8: %.2g m\n", stays,
                  falls);
    LAB_AT_MOST(stays, 0.01);
    LAB_AT_MOST(0.2, falls);
}

/* Two pairs, a floor on them, a pair on it and a roof. Sweeps lose it (docs/limits.md). */
static void a_house_of_cards_stands(void **state)
{
    enum { CARDS = 8 };
    const double t = card_half[0];
    double width = 2.05 * (2 * card_half[2] * sin(CARD_ANGLE) + 2 * t * cos(CARD_ANGLE));
    double storey = 2 * (card_half[2] * cos(CARD_ANGLE) + t * sin(CARD_ANGLE));
    lode_world world = card_table(LAB_SOLVER(state), 0.6);
    lode_body cards[CARDS];
    lab_vec from[CARDS];
    for (int i = 0; i < 2; ++i)
        lean_together(world, &cards[2 * i], (i - 0.5) * width, 0);
    cards[4] = lab_box(world, paper, lab_vec3(0, 0, storey + t),
                       lab_vec3(0.6 * width, card_half[1], t));
    lean_together(world, &cards[5], 0, storey + 2 * t);
    cards[7] = lab_box(world, paper, lab_vec3(0, 0, 2 * storey + 3 * t),
                       lab_vec3(0.3, card_half[1], t));
    double off = 0;
    for (int i = 0; i < CARDS; ++i)
        from[i] = lab_center(cards[i]);
    lab_run(world, 1.0 / 60, 30 * 60);
    for (int i = 0; i < CARDS; ++i)
        off = fmax(off, lab_length(lab_sub(lab_center(cards[i]), from[i])));
    print_message("moves by %.2g m in half a minute\n", off);
    LAB_AT_MOST(off, 0.03);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(four_bars_swing_as_a_pendulum),
        LAB_EACH_AND_PER_JOINT(a_door_on_two_hinges_turns_freely),
        LAB_EACH_AND_PER_JOINT(a_cradle_hands_its_speed_on),
        LAB_EACH_AND_PER_JOINT(two_cards_stand_by_their_friction),
        {"a_house_of_cards_stands (soft step)", a_house_of_cards_stands, NULL, NULL,
         &lab_solvers[LODE_SOLVER_SOFT_STEP]},
        {"a_house_of_cards_stands (direct)", a_house_of_cards_stands, NULL, NULL,
         &lab_solvers[LODE_SOLVER_DIRECT]},
        {"a_house_of_cards_stands (hybrid)", a_house_of_cards_stands, NULL, NULL,
         &lab_solvers[LODE_SOLVER_HYBRID]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

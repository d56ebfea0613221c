/* test_direct.c: what only a solver that goes to the end can do: joints that do not stretch under
 * loads a hundred times their weight, stacks of thirty, friction that gives way at its angle,
 * closed loops with more rows than freedoms, energy over many swings. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 60)

static const lab_material steel = {.density = 1000, .friction = 0.5};

static int unsolved_ever(lode_world world)
{
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT);
    return (int)warnings[LODE_WARNING_NOT_CONVERGED].ever;
}

static lode_joint ball_joint(lode_world world, lode_body a, const lode_body *b, double x, double z)
{
    lode_vec3 anchor = lab_vec3(x, 0, z);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = a;
    if (b)
        def.body_b = *b;
    assert_int_equal(lode_joint_def_anchor_world(&def, anchor, lab_vec3(1, 0, 0)), LODE_OK);
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(joint.id != 0);
    return joint;
}

static double separation(lode_joint joint)
{
    lab_vec a = lab_of(lode_joint_get_anchor_a(joint)), b = lab_of(lode_joint_get_anchor_b(joint));
    return lab_length(lab_sub(a, b));
}

/* --- a chain of twenty with a weight at its end */

enum { LINKS = 20 };

typedef struct chain {
    lode_world world;
    lode_body links[LINKS];
    lode_joint joints[LINKS];
} chain;

/* From the origin downwards or level along x; links of 0.2 m, the last `ratio` times as dense. */
static chain chain_create(lode_solver solver, double ratio, bool level)
{
    chain c = {.world = lab_world(solver)};
    for (int i = 0; i < LINKS; ++i) {
        lab_material material = {.density = i + 1 < LINKS ? 100 : 100 * ratio};
        double at = 0.2 * i, middle = at + 0.1;
        lode_vec3 half = level ? lab_vec3(0.08, 0.02, 0.02) : lab_vec3(0.02, 0.02, 0.08);
        c.links[i] = lab_box(c.world, material,
                             level ? lab_vec3(middle, 0, 0) : lab_vec3(0, 0, -middle), half);
        c.joints[i] = ball_joint(c.world, c.links[i], i ? &c.links[i - 1] : NULL, level ? at : 0,
                                 level ? 0 : -at);
    }
    return c;
}

static double widest_gap(const chain *c)
{
    double most = 0;
    for (int i = 0; i < LINKS; ++i)
        most = fmax(most, separation(c->joints[i]));
    return most;
}

/* Runs, ends the chain, and returns the widest gap that any step left. */
static double run_chain(chain c, double dt, int steps)
{
    double most = 0;
    for (int i = 0; i < steps; ++i) {
        lab_run(c.world, dt, 1);
        most = fmax(most, widest_gap(&c));
    }
    assert_int_equal(unsolved_ever(c.world), 0);
    lode_world_destroy(c.world);
    return most;
}

/* Hanging straight down nothing moves, so nothing opens but by rounding, in double times the
 * matrix's condition. */
static void a_hanging_chain_does_not_stretch_at_any_mass_ratio(void **state)
{
    (void)state;
    double pgs = run_chain(chain_create(LODE_SOLVER_PGS, 100, false), H, 300);
    for (double ratio = 1; ratio < 2e6; ratio *= 100) {
        double direct = run_chain(chain_create(LODE_SOLVER_DIRECT, ratio, false), H, 300);
        LAB_AT_MOST(direct, 64 * LAB_EPSILON * 4 + 1e-10);
        LAB_AT_MOST(100 * direct, pgs);
    }
}

static void the_first_joint_bears_the_whole_weight(void **state)
{
    (void)state;
    chain c = chain_create(LODE_SOLVER_DIRECT, 1e6, false);
    lab_run(c.world, H, 60);
    double weight = 0;
    for (int i = 0; i < LINKS; ++i)
        weight += lode_body_get_mass(c.links[i]).mass * LAB_G;
    LAB_NEAR(lode_joint_get_force(c.joints[0]).z, weight, 1e-4 * weight);
    lode_world_destroy(c.world);
}

/* The rows are straight and the motion is not: a link that turns by an angle a in a step opens its
 * joint by its half length times a^2 / 2, of which erp takes a fifth back. Links of a taut chain
 * swing like strings, too, up to w^2 = T l / I each, and steps must follow that: here w h = 1. */
static void a_falling_chain_with_a_hundredfold_weight_holds(void **state)
{
    (void)state;
    LAB_AT_MOST(run_chain(chain_create(LODE_SOLVER_DIRECT, 100, true), H / 8, 4800), 0.02);
}

/* --- stacks */

static void stand(int boxes, double top_density)
{
    lode_world world = lab_world(LODE_SOLVER_DIRECT);
    lab_floor(world, steel);
    lode_body stack[30];
    for (int i = 0; i < boxes; ++i) {
        lab_material material = {.density = i + 1 < boxes ? 1000 : top_density, .friction = 0.5};
        stack[i] = lab_box(world, material, lab_vec3(0, 0, 0.5 + i), lab_vec3(0.5, 0.5, 0.5));
    }
    lab_run(world, H, 600);
    for (int i = 0; i < boxes; ++i) {
        LAB_AT_MOST(lab_length(lab_sub(lab_center(stack[i]), (lab_vec){0, 0, 0.5 + i})), 1e-4);
        LAB_AT_MOST(lab_length(lab_velocity(stack[i])), 1e-4);
    }
    assert_int_equal(unsolved_ever(world), 0);
    lode_world_destroy(world);
}

static void stacks_of_ten_to_thirty_do_not_move(void **state)
{
    (void)state;
    for (int boxes = 10; boxes <= 30; boxes += 10)
        stand(boxes, 1000);
}

static void a_stack_carries_a_thousandfold_weight(void **state)
{
    (void)state;
    stand(5, 1e6);
}

/* --- friction */

/* A box on a plane tilted by an angle, 1 m/s^2 either side of where friction gives way. */
static double slide(double tangent, double friction)
{
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    double half = sqrt((1 - cosine) / 2); /* sine of half the angle, about y */
    lode_world world = lab_world(LODE_SOLVER_DIRECT);
    lab_material material = {.density = 1000, .friction = friction};
    lode_body_def def = lode_body_def_default();
    lode_body slope = lode_body_create(world, &def);
    lode_shape_def shape = lab_shape_def(material);
    lode_shape_create_plane(slope, &shape, lab_vec3(sine, 0, cosine), 0);
    lode_body box = lab_box(world, material, lab_vec3(0.25 * sine, 0, 0.25 * cosine),
                            lab_vec3(0.5, 0.5, 0.25));
    lode_pose pose = {lab_vec3(0.25 * sine, 0, 0.25 * cosine),
                      {(lode_real)sqrt(1 - half * half), 0, (lode_real)half, 0}};
    lode_body_set_pose(box, pose);
    lab_run(world, H, 60);
    assert_int_equal(unsolved_ever(world), 0);
    double speed = lab_length(lab_velocity(box));
    lode_world_destroy(world);
    return speed;
}

static void a_box_slides_from_the_angle_of_friction_on(void **state)
{
    (void)state;
    for (double friction = 0.25; friction < 1; friction += 0.25) {
        LAB_AT_MOST(slide(friction - 0.01, friction), 1e-4);
        double tangent = friction + 0.1, cosine = 1 / sqrt(1 + tangent * tangent);
        LAB_NEAR(slide(tangent, friction), LAB_G * cosine * (tangent - friction), 1e-3);
    }
}

/* --- loops */

/* Two boards joined at both ends by ball joints at three points each: 18 rows for 12 freedoms, and
 * the world holds one of them by three more points. */
static void more_rows_than_freedoms_hold_still(void **state)
{
    (void)state;
    lode_world world = lab_world(LODE_SOLVER_DIRECT);
    lode_body boards[2];
    for (int i = 0; i < 2; ++i)
        boards[i] = lab_box(world, steel, lab_vec3(i, 0, 0), lab_vec3(0.4, 0.2, 0.1));
    lode_joint joints[8];
    for (int i = 0; i < 4; ++i) {
        joints[i] = ball_joint(world, boards[0], NULL, 0.1 * i * i - 0.4, 0.1 * i);
        joints[4 + i] = ball_joint(world, boards[1], &boards[0], 0.1 * i + 0.4, 0.1 * i * i);
    }
    lode_body_set_linear_velocity(boards[1], lab_vec3(0, 1, 0));
    lab_run(world, H, 600);
    for (int i = 0; i < 8; ++i)
        LAB_AT_MOST(separation(joints[i]), 1e-4);
    LAB_NEAR(lab_center(boards[0]).z, 0, 1e-4);
    LAB_NEAR(lab_center(boards[0]).x, 0, 1e-4);
    lode_world_destroy(world);
}

/* --- what cannot be solved */

/* The same point of a body is held at two places of the world: no impulse does both. Of two bodies
 * so held the one made first is named, others beside them rest, and no number is lost. */
static void what_contradicts_itself_is_counted_and_named(void **state)
{
    (void)state;
    lode_world world = lab_world(LODE_SOLVER_DIRECT);
    lode_body bodies[6];
    lab_floor(world, steel);
    for (int i = 0; i < 6; ++i) {
        bodies[i] = lab_box(world, steel, lab_vec3(3 * i, 0, 0.5), lab_vec3(0.5, 0.5, 0.5));
        if (i % 2 == 0)
            continue;
        for (int k = 0; i > 1 && k < 2; ++k) {
            lode_body_set_pose(bodies[i], (lode_pose){lab_vec3(3 * i, k, 2), {1, 0, 0, 0}});
            ball_joint(world, bodies[i], NULL, 3 * i, 2);
        }
    }
    for (int step = 1; step <= 30; ++step) {
        lode_warning_info warnings[LODE_WARNING_COUNT];
        lab_run(world, H, 1);
        lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT);
        assert_int_equal(warnings[LODE_WARNING_NOT_CONVERGED].ever, 2 * step);
        assert_true(warnings[LODE_WARNING_NOT_CONVERGED].first.id == bodies[3].id);
    }
    for (int i = 0; i < 6; ++i) {
        LAB_AT_MOST(lab_length(lab_velocity(bodies[i])), i == 3 || i == 5 ? 100 : 1e-4);
        LAB_AT_MOST(lab_length(lab_center(bodies[i])), 100);
    }
    lode_world_destroy(world);
}

/* --- energy */

/* A double pendulum of points on long bars: no solver of velocities keeps its energy to the bit,
 * but it may gain none, and little may be lost in ten seconds. */
static void a_double_pendulum_gains_no_energy(void **state)
{
    (void)state;
    lode_world world = lab_world(LODE_SOLVER_DIRECT);
    lode_body arms[2];
    for (int i = 0; i < 2; ++i)
        arms[i] = lab_sphere(world, steel, lab_vec3(1 + i, 0, 0), 0.1);
    ball_joint(world, arms[0], NULL, 0, 0);
    ball_joint(world, arms[1], &arms[0], 1, 0);
    double mass = lode_body_get_mass(arms[0]).mass, lowest = 0;
    for (int i = 0; i < 2400; ++i) {
        lab_run(world, H / 4, 1);
        double energy = lab_total(arms, 2).kinetic;
        for (int k = 0; k < 2; ++k)
            energy += mass * LAB_G * lab_center(arms[k]).z;
        LAB_AT_MOST(energy, 0.01 * 3 * mass * LAB_G);
        lowest = fmin(lowest, energy);
    }
    LAB_AT_MOST(-lowest, 0.05 * 3 * mass * LAB_G);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_chain_does_not_stretch_at_any_mass_ratio),
        cmocka_unit_test(the_first_joint_bears_the_whole_weight),
        cmocka_unit_test(a_falling_chain_with_a_hundredfold_weight_holds),
        cmocka_unit_test(stacks_of_ten_to_thirty_do_not_move),
        cmocka_unit_test(a_stack_carries_a_thousandfold_weight),
        cmocka_unit_test(a_box_slides_from_the_angle_of_friction_on),
        cmocka_unit_test(more_rows_than_freedoms_hold_still),
        cmocka_unit_test(what_contradicts_itself_is_counted_and_named),
        cmocka_unit_test(a_double_pendulum_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

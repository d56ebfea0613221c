/* test_trees.c: bodies that joints hold together in trees and loops, and nothing else does: what
 * they have against each other does not grow, whatever the joints, however few the iterations and
 * however long the levers. */
#include "tests/fidelity/lab.h"
#include "tests/support/random.h"

enum { COUNT = 16, LOOPS = 2, STEPS = 160, ROUNDS = 2, FAR_ROUNDS = 4, ARM_ROUNDS = 8 };

#define H (1.0 / 240)
#define MOST 1.2 /* times the energy of the beginning */

static lode_quat any_turn(test_random *random)
{
    return (lode_quat){
        (lode_real)random_between(random, 0.1, 1), (lode_real)random_between(random, -1, 1),
        (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1)};
}

static void add_bodies(lode_world world, lode_body *out, double speed, test_random *random)
{
    for (int i = 0; i < COUNT; ++i) {
        out[i] = lab_box(world, (lab_material){.density = 1000},
                         lab_vec3(0.75 * (i % 4), 0.75 * (i / 4), random_between(random, 0, 0.3)),
                         lab_vec3(0.25, 0.2, 0.1));
        lode_body_set_linear_velocity(out[i], lab_vec3(random_between(random, -speed, speed),
                                                       random_between(random, -speed, speed),
                                                       random_between(random, -speed, speed)));
    }
}

/* How bodies are joined, and where: between their centres of mass, or at that of the second, which
 * is a lever of up to 3 m. */
typedef struct joining {
    lode_joint_type type;
    bool far;
    bool locked; /* axis 0 by stops that are four times as hard as the joint */
    bool early;  /* iterations end as soon as one changes less than 1 cm/s */
} joining;

static void join(lode_world world, joining how, lode_body a, lode_body b, test_random *random)
{
    lode_joint_def def = lode_joint_def_default(how.type);
    def.body_a = a;
    def.body_b = b;
    lab_vec middle = lab_scale(lab_add(lab_center(a), lab_center(b)), 0.5);
    lab_vec at = how.far ? lab_center(b) : middle;
    lode_pose frame = {lab_vec3(at.x, at.y, at.z), any_turn(random)};
    assert_int_equal(lode_joint_def_frame_world(&def, frame), LODE_OK);
    if (how.locked) {
        def.axis[0].lo_stop = def.axis[0].hi_stop = 0;
        def.axis[0].stop_erp = (lode_real)0.8;
    }
    assert_true(lode_joint_create(world, &def).id != 0);
}

/* Articulations of two links each, side by side; links come in pairs. */
static void add_articulations(lode_world world, lode_body *out, double speed, test_random *random)
{
    lode_shape_def shape = lab_shape_def((lab_material){.density = 1000});
    shape.mask = 0;
    for (int i = 0; i < COUNT; i += 2) {
        lode_articulation_def def = lode_articulation_def_default();
        lode_articulation arm = lode_articulation_create(world, &def);
        lode_link_def root = lode_link_def_default(LODE_LINK_REVOLUTE), link = root;
        root.pose.position = lab_vec3(0.75 * (i % 8), 1.5 * (i / 8),
                                      random_between(random, 0, 0.3));
        root.linear_velocity = lab_vec3(random_between(random, -speed, speed),
                                        random_between(random, -speed, speed),
                                        random_between(random, -speed, speed));
        link.parent = out[i] = lode_articulation_add_link(arm, &root);
        link.parent_frame.position = lab_vec3(0.35, 0.1, 0);
        link.child_frame.position = lab_vec3(-0.35, 0, 0.1);
        out[i + 1] = lode_articulation_add_link(arm, &link);
        for (int k = 0; k < 2; ++k)
            assert_true(lode_shape_create_box(out[i + k], &shape, lab_vec3(0.25, 0.2, 0.1)).id !=
                        0);
        assert_int_equal(lode_articulation_insert(arm), LODE_OK);
    }
}

/* Kinetic energy of the bodies against their common centre of mass, J. */
static double inner_energy(const lode_body *bodies)
{
    lab_sum sum = lab_total(bodies, COUNT);
    double mass = 0;
    for (int i = 0; i < COUNT; ++i)
        mass += (double)lode_body_get_mass(bodies[i]).mass;
    double p = lab_length(sum.momentum);
    return sum.kinetic - p * p / (2 * mass);
}

/* How many times what it is now the energy grows to; destroys the world. */
static double growth_from_here(lode_world world, const lode_body *bodies)
{
    double first = inner_energy(bodies), most = 0;
    for (int step = 0; step < STEPS; ++step) {
        lab_run(world, H, 1);
        most = fmax(most, inner_energy(bodies));
    }
    lode_world_destroy(world);
    return most / first;
}

/* The same of a tree of bodies, with so many loops. */
static double growth(lode_solver solver, joining how, int iterations, int loops,
                     test_random *random)
{
    lode_world world = lab_world(solver);
    lode_body bodies[COUNT];
    lode_world_set_iterations(world, iterations);
    lode_world_set_stiff_joints(world, LODE_STIFF_NEVER);
    if (how.early)
        lode_world_set_exit_below(world, (lode_real)0.01);
    add_bodies(world, bodies, 2, random);
    for (int i = 1; i < COUNT; ++i)
        join(world, how, bodies[i], bodies[random_below(random, (uint32_t)i)], random);
    for (int i = 0; i < loops; ++i)
        join(world, how, bodies[i], bodies[COUNT - 1 - i], random);
    return growth_from_here(world, bodies);
}

static void check(lode_solver solver, joining how, int iterations, int loops, test_random *random)
{
    double times = growth(solver, how, iterations, loops, random);
    if (times > MOST)
        print_message("type %d%s%s%s, %d iterations, %d loops: %g times\n", (int)how.type,
                      how.far ? " far" : "", how.locked ? " locked" : "",
                      how.early ? " early" : "", iterations, loops, times);
    LAB_AT_MOST(times, MOST);
}

static void energy_does_not_grow(void **state)
{
    static const lode_joint_type types[] = {
        LODE_JOINT_BALL,     LODE_JOINT_HINGE,  LODE_JOINT_SLIDER,
        LODE_JOINT_FIXED,    LODE_JOINT_PISTON, LODE_JOINT_UNIVERSAL,
        LODE_JOINT_PLANE_2D, LODE_JOINT_WHEEL,  LODE_JOINT_PRISMATIC_ROTOIDE,
    };
    static const int iterations[] = {4, 5, 20};
    test_random random = {12};
    for (size_t t = 0; t < sizeof types / sizeof *types; ++t)
        for (int i = 0; i < 3; ++i)
            for (int round = 0; round < ROUNDS; ++round)
                check(LAB_SOLVER(state), (joining){types[t], .far = false}, iterations[i],
                      round % 2 ? LOOPS : 0, &random);
}

/* Far levers that are locked as well want more than four iterations. */
static void nor_with_long_levers(void **state)
{
    static const joining ways[] = {
        {LODE_JOINT_BALL, .far = true},      {LODE_JOINT_HINGE, .far = true},
        {LODE_JOINT_SLIDER, .far = true},    {LODE_JOINT_FIXED, .far = true},
        {LODE_JOINT_PISTON, .far = true},    {LODE_JOINT_UNIVERSAL, .far = true},
        {LODE_JOINT_HINGE, .locked = true},  {LODE_JOINT_SLIDER, .locked = true},
        {LODE_JOINT_PISTON, .locked = true}, {LODE_JOINT_HINGE, .far = true, .locked = true},
    };
    test_random random = {13};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; ++w)
        for (int round = 0; round < FAR_ROUNDS; ++round) {
            check(LAB_SOLVER(state), ways[w], 20, 0, &random);
            if (!ways[w].far || !ways[w].locked)
                check(LAB_SOLVER(state), ways[w], 4, 0, &random);
        }
}

static void nor_when_iterations_end_early(void **state)
{
    static const lode_joint_type types[] = {LODE_JOINT_HINGE, LODE_JOINT_SLIDER, LODE_JOINT_FIXED,
                                            LODE_JOINT_PISTON};
    test_random random = {15};
    for (size_t t = 0; t < sizeof types / sizeof *types; ++t)
        for (int round = 0; round < 2 * FAR_ROUNDS; ++round)
            check(LAB_SOLVER(state), (joining){types[t], .far = round % 2, .early = true}, 40,
                  round / 2 % 2 ? LOOPS : 0, &random);
}

/* Any link of one with any of another. */
static void nor_of_articulations(void **state)
{
    static const lode_joint_type types[] = {LODE_JOINT_BALL, LODE_JOINT_HINGE, LODE_JOINT_FIXED};
    test_random random = {14};
    for (int i = 0; i < 3 * ARM_ROUNDS; ++i) {
        lode_world world = lab_world(LAB_SOLVER(state));
        lode_body links[COUNT];
        lode_world_set_stiff_joints(world, LODE_STIFF_NEVER);
        add_articulations(world, links, 2, &random);
        for (int k = 2; k < COUNT; k += 2)
            join(world, (joining){types[i % 3], .far = i % 2}, links[k + random_below(&random, 2)],
                 links[random_below(&random, (uint32_t)k)], &random);
        LAB_AT_MOST(growth_from_here(world, links), MOST);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(energy_does_not_grow),
        LAB_EACH_AND_PER_JOINT(nor_with_long_levers),
        LAB_EACH_AND_PER_JOINT(nor_when_iterations_end_early),
        LAB_EACH_AND_PER_JOINT(nor_of_articulations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

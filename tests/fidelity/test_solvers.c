/* What holds of solvers beside one another: the hybrid one is the direct one or PGS, island by
 * island; one constraint alone is solved to the end in a single iteration joint by joint;
 * iterations that may end early come to the same and end early; and the residual says how far rows
 * were missed. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 60)

typedef struct setup {
    lode_solver solver;
    int iterations, direct_rows, threads;
    double exit_below;
} setup;

static lode_world world_of(setup s)
{
    lode_world_def def = lode_world_def_default();
    def.solver = s.solver;
    def.sub_steps = 1;
    def.iterations = s.iterations ? s.iterations : 20;
    def.direct_rows = s.direct_rows;
    def.exit_below = (lode_real)s.exit_below;
    def.threads = s.threads ? s.threads : 1;
    def.measure_residual = true;
    def.sleep.enabled = false;
    lode_world world = lode_world_create(&def);
    assert_true(lode_world_is_valid(world));
    return world;
}

/* A chain of ball joints that hangs from the world at y, stretched out along x; 3 rows a link. */
static void add_chain(lode_world world, double y, int links)
{
    lode_body last = {0};
    for (int i = 0; i < links; ++i) {
        lode_body link = lab_box(world, (lab_material){.density = 1000},
                                 lab_vec3(0.25 + 0.5 * i, y, 5), lab_vec3(0.2, 0.1, 0.1));
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
        def.body_a = link;
        def.body_b = last;
        assert_int_equal(
            lode_joint_def_anchor_world(&def, lab_vec3(0.5 * i, y, 5), lab_vec3(0, 0, 1)), LODE_OK);
        assert_true(lode_joint_create(world, &def).id != 0);
        last = link;
    }
}

/* Boxes on the ground, each for itself, that slide and spin. */
static void add_boxes(lode_world world, int count)
{
    const lab_material rubs = {.density = 1000, .friction = 0.5};
    lab_floor(world, rubs);
    for (int i = 0; i < count; ++i) {
        lode_body box = lab_box(world, rubs, lab_vec3(3 * i, -20, 0.5), lab_vec3(0.5, 0.5, 0.5));
        lode_body_set_linear_velocity(box, lab_vec3(1, 0.3 * i, 0));
        lode_body_set_angular_velocity(box, lab_vec3(0, 0, i));
    }
}

static double residual_of(lode_world world)
{
    lode_world_stats stats;
    assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
    return stats.residual;
}

static uint64_t run_chains(setup s, int links_a, int links_b, double *out_residual)
{
    lode_world world = world_of(s);
    add_chain(world, 0, links_a);
    if (links_b > 0)
        add_chain(world, 9, links_b);
    lab_run(world, H, 60);
    uint64_t hash = lode_world_hash(world);
    if (out_residual)
        *out_residual = residual_of(world);
    lode_world_destroy(world);
    return hash;
}

static void hybrid_is_direct_up_to_its_rows_and_pgs_beyond(void **state)
{
    (void)state;
    uint64_t direct = run_chains((setup){.solver = LODE_SOLVER_DIRECT}, 10, 0, NULL);
    uint64_t pgs = run_chains((setup){.solver = LODE_SOLVER_PGS}, 10, 0, NULL);
    assert_true(direct != pgs);
    setup hybrid = {.solver = LODE_SOLVER_HYBRID, .direct_rows = 30};
    assert_true(run_chains(hybrid, 10, 0, NULL) == direct);
    hybrid.direct_rows = 29;
    assert_true(run_chains(hybrid, 10, 0, NULL) == pgs);
}

/* Bodies of a world that has both, against those of worlds that have one. */
static void each_island_has_its_own_solver(void **state)
{
    (void)state;
    enum { SHORT = 4, LONG = 12 };
    lode_world both = world_of((setup){.solver = LODE_SOLVER_HYBRID, .direct_rows = 20}),
               direct = world_of((setup){.solver = LODE_SOLVER_DIRECT}),
               pgs = world_of((setup){.solver = LODE_SOLVER_PGS});
    add_chain(both, 0, SHORT);
    add_chain(both, 9, LONG);
    add_chain(direct, 0, SHORT);
    add_chain(pgs, 9, LONG);
    lode_body all[SHORT + LONG], shorter[SHORT], longer[LONG];
    lab_run(both, H, 60);
    lab_run(direct, H, 60);
    lab_run(pgs, H, 60);
    assert_int_equal(lode_world_get_bodies(both, all, SHORT + LONG), SHORT + LONG);
    assert_int_equal(lode_world_get_bodies(direct, shorter, SHORT), SHORT);
    assert_int_equal(lode_world_get_bodies(pgs, longer, LONG), LONG);
    for (int i = 0; i < SHORT + LONG; ++i) {
        lode_body twin = i < SHORT ? shorter[i] : longer[i - SHORT];
        lode_pose a = lode_body_get_pose(all[i]), b = lode_body_get_pose(twin);
        assert_memory_equal(&a, &b, sizeof a);
    }
    lode_world_destroy(both);
    lode_world_destroy(direct);
    lode_world_destroy(pgs);
}

/* How far rows may be missed that are solved to the end: rounding of what their bodies' velocities
 * are stored in. */
#define EXACT (100 * LAB_EPSILON)

static double residual_after_one(lode_solver solver, int links)
{
    double residual;
    run_chains((setup){.solver = solver, .iterations = 1}, links, 0, &residual);
    return residual;
}

static void one_joint_alone_needs_one_iteration(void **state)
{
    (void)state;
    LAB_AT_MOST(residual_after_one(LODE_SOLVER_PER_JOINT, 1), EXACT);
    LAB_AT_MOST(1e-4, residual_after_one(LODE_SOLVER_PGS, 1));
    LAB_AT_MOST(1e-4, residual_after_one(LODE_SOLVER_PER_JOINT, 3));
}

/* A box's four points, friction among them: a contact is one constraint too. Rows with limits give
 * way by a billionth of what they bear (solver/lcp.c). */
static void one_contact_alone_needs_one_iteration(void **state)
{
    (void)state;
    lode_world world = world_of((setup){.solver = LODE_SOLVER_PER_JOINT, .iterations = 1});
    add_boxes(world, 5);
    for (int step = 0; step < 60; ++step) {
        lab_run(world, H, 1);
        LAB_AT_MOST(residual_of(world), 5 * EXACT + 1e-9);
    }
    lode_world_destroy(world);
}

static void joint_by_joint_and_row_by_row_come_to_the_same(void **state)
{
    (void)state;
    lode_world one = world_of((setup){.solver = LODE_SOLVER_PER_JOINT, .iterations = 2000});
    lode_world other = world_of((setup){.solver = LODE_SOLVER_PGS, .iterations = 2000});
    add_chain(one, 0, 6);
    add_chain(other, 0, 6);
    lab_run(one, H, 60);
    lab_run(other, H, 60);
    lode_body a[6], b[6];
    lode_world_get_bodies(one, a, 6);
    lode_world_get_bodies(other, b, 6);
    for (int i = 0; i < 6; ++i)
        LAB_AT_MOST(lab_length(lab_sub(lab_center(a[i]), lab_center(b[i]))), 1e4 * LAB_EPSILON);
    lode_world_destroy(one);
    lode_world_destroy(other);
}

/* Ever more iterations miss ever less, down to rounding, where the direct solver is at once. */
static void residuals_fall(void **state)
{
    (void)state;
    double last = INFINITY;
    for (int iterations = 1; iterations <= 1024; iterations *= 4) {
        double residual;
        run_chains((setup){.solver = LODE_SOLVER_PGS, .iterations = iterations}, 6, 0, &residual);
        LAB_AT_MOST(residual, 0.9 * last + EXACT);
        last = residual;
    }
    LAB_AT_MOST(last, 10 * EXACT);
    double direct;
    run_chains((setup){.solver = LODE_SOLVER_DIRECT}, 6, 0, &direct);
    LAB_AT_MOST(direct, 10 * EXACT);
}

/* What friction has found is right in the sense that its model means. */
static void friction_is_measured_in_each_model(void **state)
{
    (void)state;
    for (int cone = 0; cone < 2; ++cone) {
        lode_world world = world_of((setup){.solver = LODE_SOLVER_PGS, .iterations = 400});
        lode_world_set_friction_model(world, cone ? LODE_FRICTION_CONE : LODE_FRICTION_PYRAMID);
        add_boxes(world, 5);
        for (int step = 0; step < 40; ++step) {
            lab_run(world, H, 1);
            LAB_AT_MOST(residual_of(world), 1e-4);
        }
        assert_int_equal(lode_world_set_iterations(world, 1), LODE_OK);
        lode_body boxes[6];
        lode_world_get_bodies(world, boxes, 6);
        for (int i = 1; i < 6; ++i)
            lode_body_set_angular_velocity(boxes[i], lab_vec3(1, 2, 3));
        lab_run(world, H, 1);
        LAB_AT_MOST(1e-4, residual_of(world));
        lode_world_destroy(world);
    }
}

/* The direct solver leaves next to nothing, in towers whose boxes slide and spin on one another
 * too: its softness times the impulses (SOFTNESS in solver/lcp.c), or, where its rounds cycle, as
 * corners on the edges of pyramids make them, what ends them (CLOSE). */
static void direct_friction_is_right_in_each_model(void **state)
{
    (void)state;
    double worst[2] = {0, 0};
    for (int cone = 0; cone < 2; ++cone) {
        lode_world world = world_of((setup){.solver = LODE_SOLVER_DIRECT});
        lode_world_set_friction_model(world, cone ? LODE_FRICTION_CONE : LODE_FRICTION_PYRAMID);
        add_boxes(world, 5);
        for (int i = 0; i < 4; ++i) {
            lode_body box = lab_box(world, (lab_material){.density = 500, .friction = 0.3},
                                    lab_vec3(3 * i, -20, 1.5), lab_vec3(0.5, 0.5, 0.5));
            lode_body_set_linear_velocity(box, lab_vec3(0.5, -0.5, 0));
            lode_body_set_angular_velocity(box, lab_vec3(0, 0, -i));
        }
        for (int step = 0; step < 60; ++step) {
            lab_run(world, H, 1);
            worst[cone] = fmax(worst[cone], residual_of(world));
        }
        lode_world_destroy(world);
    }
    print_message("pyramid %g, cone %g m/s\n", worst[0], worst[1]);
    bool single = sizeof(lode_real) == sizeof(float);
    LAB_AT_MOST(worst[0], single ? 1e-5 : 1e-6);
    LAB_AT_MOST(worst[1], single ? 1e-5 : 1e-9);
}

static void nothing_is_measured_unless_asked(void **state)
{
    (void)state;
    lode_world world = world_of((setup){.solver = LODE_SOLVER_PGS, .iterations = 1});
    add_chain(world, 0, 6);
    lab_run(world, H, 10);
    LAB_AT_MOST(1e-4, residual_of(world));
    lode_world_set_measure_residual(world, false);
    lab_run(world, H, 1);
    LAB_NEAR(residual_of(world), 0, 0);
    lode_world_destroy(world);
}

/* A bound that everything is below ends all after one iteration forth and one back, one that
 * nothing is below none before the last; what is between comes close to the end. */
static void iterations_end_early(void **state)
{
    (void)state;
    const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_PER_JOINT};
    for (int i = 0; i < 2; ++i) {
        setup s = {.solver = solvers[i], .iterations = 2};
        uint64_t twice = run_chains(s, 6, 0, NULL);
        s.exit_below = 1e-30;
        assert_true(run_chains(s, 6, 0, NULL) == twice);
        s.iterations = 49;
        uint64_t all_but_one = run_chains(s, 6, 0, NULL);
        s.iterations = 50;
        uint64_t all = run_chains(s, 6, 0, NULL);
        assert_true(all != all_but_one && all != twice);
        s.exit_below = 1e6;
        assert_true(run_chains(s, 6, 0, NULL) == twice);
        s.iterations = 10000;
        s.exit_below = 1e-3;
        double residual;
        uint64_t some = run_chains(s, 6, 0, &residual);
        assert_true(some != all && some != twice);
        LAB_AT_MOST(residual, 0.05);
    }
}

/* One that goes on takes none along. */
static void an_island_ends_for_itself(void **state)
{
    (void)state;
    setup s = {.solver = LODE_SOLVER_PGS, .iterations = 200, .exit_below = 1e-3};
    lode_world alone = world_of(s), beside = world_of(s);
    add_chain(alone, 0, 3);
    add_chain(beside, 0, 3);
    add_chain(beside, 9, 15);
    lab_run(alone, H, 60);
    lab_run(beside, H, 60);
    lode_body a[3], b[3];
    lode_world_get_bodies(alone, a, 3);
    lode_world_get_bodies(beside, b, 3);
    for (int i = 0; i < 3; ++i) {
        lode_pose one = lode_body_get_pose(a[i]), other = lode_body_get_pose(b[i]);
        assert_memory_equal(&one, &other, sizeof one);
    }
    lode_world_destroy(alone);
    lode_world_destroy(beside);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    const setup setups[] = {{.solver = LODE_SOLVER_PER_JOINT},
                            {.solver = LODE_SOLVER_PGS, .exit_below = 1e-3},
                            {.solver = LODE_SOLVER_PER_JOINT, .exit_below = 1e-3},
                            {.solver = LODE_SOLVER_HYBRID, .direct_rows = 40}};
    for (int i = 0; i < 4; ++i) {
        uint64_t hash = 0;
        double residual = 0;
        for (int threads = 1; threads <= 3; ++threads) {
            setup s = setups[i];
            s.threads = threads;
            lode_world world = world_of(s);
            for (int c = 0; c < 40; ++c)
                add_chain(world, 3 * c, 3 + 11 * (c % 3));
            add_chain(world, -9, 2100); /* threads share it */
            lab_run(world, H, 5);
            if (threads > 1) {
                assert_true(lode_world_hash(world) == hash);
                LAB_NEAR(residual_of(world), residual, 0);
            }
            hash = lode_world_hash(world);
            residual = residual_of(world);
            lode_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hybrid_is_direct_up_to_its_rows_and_pgs_beyond),
        cmocka_unit_test(each_island_has_its_own_solver),
        cmocka_unit_test(one_joint_alone_needs_one_iteration),
        cmocka_unit_test(one_contact_alone_needs_one_iteration),
        cmocka_unit_test(joint_by_joint_and_row_by_row_come_to_the_same),
        cmocka_unit_test(residuals_fall),
        cmocka_unit_test(friction_is_measured_in_each_model),
        cmocka_unit_test(direct_friction_is_right_in_each_model),
        cmocka_unit_test(nothing_is_measured_unless_asked),
        cmocka_unit_test(iterations_end_early),
        cmocka_unit_test(an_island_ends_for_itself),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

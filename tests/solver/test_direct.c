/* test_direct.c: the direct solver among the stages of a step: what it finds is where the iterative
 * kernels come to rest, threads and neighbours leave no trace, all memory is taken before. */
#include "solver/direct.h"

#include "tests/solver/graph.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { CLUSTERS = 40, OWN_BODIES = 8, OWN_CONTACTS = 10, OWN_JOINTS = 3 };

static void add_cluster(graph *g, uint64_t seed)
{
    test_random random = {seed};
    graph_add_random(g, OWN_BODIES, OWN_CONTACTS, OWN_JOINTS, &random);
}

static void build(graph *g, int threads, int clusters)
{
    graph_init(g, CLUSTERS * OWN_CONTACTS, threads);
    g->settings.solver = LODE_SOLVER_DIRECT;
    for (int i = 0; i < clusters; ++i)
        add_cluster(g, (uint64_t)i + 1);
}

static void threads_leave_no_trace(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 3, 8};
    uint64_t first = 0;
    for (int i = 0; i < 4; ++i) {
        graph g;
        build(&g, counts[i], CLUSTERS);
        for (int step = 0; step < 3; ++step)
            assert_true(graph_step(&g));
        if (i == 0)
            first = graph_hash(&g);
        assert_true(graph_hash(&g) == first);
        graph_free(&g);
    }
}

static void neighbours_leave_no_trace(void **state)
{
    (void)state;
    lode__velocity alone[OWN_BODIES];
    for (int before = 0; before < 12; before += 11) {
        graph g;
        graph_init(&g, CLUSTERS * OWN_CONTACTS, 1);
        g.settings.solver = LODE_SOLVER_DIRECT;
        for (int i = 0; i < before; ++i)
            add_cluster(&g, (uint64_t)i + 100);
        uint32_t first = g.bodies.end;
        add_cluster(&g, 7);
        for (int i = 0; i < before; ++i)
            add_cluster(&g, (uint64_t)i + 200);
        for (int step = 0; step < 3; ++step)
            assert_true(graph_step(&g));
        for (uint32_t i = 0; i < OWN_BODIES; ++i) {
            const lode__velocity *v = LODE__AT(body, &g.bodies, velocity, first + i);
            if (before == 0)
                alone[i] = *v;
            assert_memory_equal(&alone[i], v, sizeof *v);
        }
        graph_free(&g);
    }
}

/* By how much another pass of the iterative kernels would change the fastest body's velocity. */
static double unrest(graph *g)
{
    lode__solve_state *state = g->solver.state;
    lode__velocity before[2 * CLUSTERS * OWN_BODIES];
    double most = 0, fastest = 0;
    assert_true(state->lines.count <= sizeof before / sizeof *before);
    memcpy(before, state->lines.velocity, state->lines.count * sizeof *before);
    lode__softness softness = {0};
    for (uint32_t i = 0; i < state->chunk_count; ++i) {
        const lode__solve_chunk *chunk = &state->chunks[i];
        chunk->kernels->solve[0](chunk->blocks, chunk->count, chunk->stride, &state->lines,
                                 &softness);
    }
    for (uint32_t i = 1; i < state->lines.count; ++i) {
        const lode_real *was = &before[i].linear.x, *is = &state->lines.velocity[i].linear.x;
        for (int k = 0; k < 7; ++k)
            if (k != 3) {
                most = fmax(most, fabs((double)is[k] - (double)was[k]));
                fastest = fmax(fastest, fabs((double)was[k]));
            }
    }
    return most / fastest;
}

/* Contacts of one point: those of several take a first step together, which is no fixed point of
 * rows at their limits. */
static void add_single_points(graph *g, test_random *random)
{
    uint32_t body[4], ground = graph_add_body(g, 0, random);
    for (int i = 0; i < 4; ++i)
        body[i] = graph_add_body(g, LODE__BODY_DYNAMIC, random);
    for (uint32_t i = 0; i < 6; ++i) {
        uint32_t a = random_below(random, 4), b = random_below(random, 4);
        graph_add_contact(g, body[a], a == b ? ground : body[b], 1, random);
    }
    graph_add_joint(g, body[0], body[2], random);
    graph_add_joint(g, body[1], LODE__NONE, random);
}

/* A solution of the problem is a fixed point of projected Gauss-Seidel, whose kernels share no line
 * of code with the direct solver. What counts as solved may still leave a hundredth of the largest
 * velocity that is wanted in each row (UNMET in lcp.c), of which there are up to 32: where rows
 * wedge up to impulses of 1e8 that their softness alone limits, or rounds cycle. That must stay
 * rare: one in 700 or so does, so four in 120 do not happen. Joints that are settled (settle.c)
 * after the solver has had its say are left out. */
static void what_it_finds_is_where_iteration_rests(void **state)
{
    (void)state;
    enum { MOST_ROWS = 32 };
    int tried = 0, solved = 0, resting = 0;
    for (int cfm = 0; cfm < 2; ++cfm)
        for (int cluster = 1; cluster <= 60; ++cluster) {
            graph g;
            test_random random = {(uint64_t)cluster};
            graph_init(&g, CLUSTERS * OWN_CONTACTS, 1);
            g.settings.solver = LODE_SOLVER_DIRECT;
            g.settings.cfm = (lode_real)(cfm * 1e-3);
            add_single_points(&g, &random);
            assert_true(graph_prepare(&g));
            if (lode__joints_must_settle(g.solver.state)) {
                graph_free(&g);
                continue;
            }
            lode__solve_run(&g.solver, &g.step);
            uint32_t unsolved = 0;
            for (uint32_t i = 0; i < g.solver.state->group_count; ++i)
                unsolved += g.solver.state->groups[i].unsolved;
            double error = unrest(&g);
            ++tried;
            solved += unsolved == 0;
            resting += unsolved == 0 && error < 1e-4;
            if (unsolved == 0 && !(error < MOST_ROWS * 0.01))
                fail_msg("cluster %d, cfm %d: off by %g", cluster, cfm, error);
            lode__finalise_run(&g.solver, &g.step);
            graph_free(&g);
        }
    print_message("solved %d, resting %d\n", solved, resting);
    assert_true(resting >= solved - 3);
    assert_true(tried >= 90);
    assert_true(6 * solved >= 5 * tried); /* friction between random rows may wedge */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_leave_no_trace),
        cmocka_unit_test(neighbours_leave_no_trace),
        cmocka_unit_test(what_it_finds_is_where_iteration_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Turns: all chunks of a large group once and in order, none beside one of another colour, each
 * after all of the colours before; and the same bits as one thread. */
#include "tests/solver/graph.h"
#include "tests/support/test.h"

static uint8_t colour_at(const lode__solve_state *state, uint32_t chunk)
{
    return state->chunks[chunk].colour;
}

/* Chunks before turn `after` may share bodies with this turn, the others not. */
static void check_turn(const lode__solve_state *state, const lode__group *group, uint32_t turn)
{
    const lode__turn *turns = state->turns + group->turn_begin;
    uint32_t after = state->turn_after[group->turn_begin + turn];
    assert_true(after <= turn);
    assert_true(turns[turn].begin < turns[turn].end);
    for (uint32_t i = after; i < turn; ++i)
        assert_int_equal(colour_at(state, turns[i].end - 1), colour_at(state, turns[turn].begin));
    if (after < turn)
        assert_int_equal(colour_at(state, turns[turn].begin),
                         colour_at(state, turns[turn].end - 1));
    if (after > 0)
        assert_true(colour_at(state, turns[after - 1].end - 1) <
                    colour_at(state, turns[turn].begin));
}

static uint32_t check_turns(const graph *g)
{
    const lode__solve_state *state = g->solver.state;
    uint32_t shared = 0;
    for (uint32_t k = 0; k < state->group_count; ++k) {
        const lode__group *group = &state->groups[k];
        uint32_t chunk = group->chunk_begin, count = group->turn_end - group->turn_begin;
        assert_true(group->large || count == 0);
        for (uint32_t i = 0; i < count; ++i) {
            const lode__turn *turn = &state->turns[group->turn_begin + i];
            assert_int_equal(turn->begin, chunk);
            chunk = turn->end;
            check_turn(state, group, i);
            shared += i > 0 && state->turn_after[group->turn_begin + i] < i;
        }
        assert_true(!group->large || chunk == group->chunk_end);
    }
    return shared;
}

/* One island of mostly moving bodies, with as many rows as make it large. */
static void fill(graph *g, uint32_t bodies, uint32_t contacts, int threads)
{
    test_random random = {3};
    graph_init(g, contacts, threads);
    graph_add_random(g, bodies, contacts, bodies / 8, &random);
}

static void chunks_of_one_colour_are_shared(void **state)
{
    (void)state;
    graph g;
    fill(&g, 1500, 4500, 1);
    assert_true(graph_arrange(&g));
    assert_true(g.solver.state->groups[0].large);
    assert_true(check_turns(&g) > 10);
    graph_free(&g);
}

/* Few bodies: no colour fills more than a turn, so there is one, but for what finds no colour. */
static void small_colours_share_a_turn(void **state)
{
    (void)state;
    graph g;
    fill(&g, 40, 4500, 1);
    assert_true(graph_arrange(&g));
    const lode__group *group = &g.solver.state->groups[0];
    assert_true(group->large);
    check_turns(&g);
    assert_true(group->turn_end - group->turn_begin < g.solver.state->chunk_count / 4);
    graph_free(&g);
}

static void small_groups_have_no_turns(void **state)
{
    (void)state;
    graph g;
    fill(&g, 200, 300, 1);
    assert_true(graph_arrange(&g));
    check_turns(&g);
    assert_int_equal(g.solver.state->groups[0].turn_end, 0);
    graph_free(&g);
}

static uint64_t step_with(int threads, lode_solver solver)
{
    graph g;
    fill(&g, 1500, 4500, threads);
    g.settings.solver = solver;
    for (int i = 0; i < 3; ++i)
        assert_true(graph_step(&g));
    uint64_t hash = graph_hash(&g);
    graph_free(&g);
    return hash;
}

static void threads_change_no_bit_of_a_large_island(void **state)
{
    (void)state;
    static const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP};
    for (int i = 0; i < 2; ++i) {
        uint64_t one = step_with(1, solvers[i]);
        for (int threads = 2; threads <= 4; ++threads)
            assert_true(step_with(threads, solvers[i]) == one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_of_one_colour_are_shared),
        cmocka_unit_test(small_colours_share_a_turn),
        cmocka_unit_test(small_groups_have_no_turns),
        cmocka_unit_test(threads_change_no_bit_of_a_large_island),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Turns: every lane of a large group once, colours in order, no two turns of a phase with a body in
 * common, whatever the number of shares; and the same bits as one thread. */
#include "tests/solver/graph.h"
#include "tests/support/test.h"

#include <string.h>

enum { MOST_BODIES = 2000, MOST_SOURCES = 8000 };

typedef struct turn_check {
    const lode__solve_state *state;
    uint32_t seen[LODE__LISTS][MOST_SOURCES];  /* how often each constraint occurs */
    uint32_t place[LODE__LISTS][MOST_SOURCES]; /* in the list of constraints */
    uint32_t phase[MOST_BODIES + 1];           /* by line: the last phase that pushed it, from 1 */
    uint32_t share[MOST_BODIES + 1];           /* and which share did */
    uint32_t colour;                           /* of the piece before */
} turn_check;

static void check_push(turn_check *check, uint32_t line, uint32_t phase, uint32_t share)
{
    if (line == 0)
        return;
    assert_true(check->phase[line] != phase || check->share[line] == share);
    check->phase[line] = phase;
    check->share[line] = share;
}

static void check_piece(turn_check *check, const lode__solve_chunk *piece, uint32_t phase,
                        uint32_t share)
{
    int l = piece->bucket >= LODE__BUCKET_JOINT ? LODE__JOINTS : LODE__CONTACTS;
    assert_true(piece->count > 0);
    for (uint32_t i = 0; i < piece->count * LODE_LANES; ++i) {
        uint32_t source = piece->lanes[i];
        if (source == LODE__NONE)
            continue;
        ++check->seen[l][source];
        const lode__constraint *c = &check->state->constraints[l].all[check->place[l][source]];
        assert_int_equal(c->colour, piece->colour);
        assert_int_equal(c->bucket, piece->bucket);
        check_push(check, c->a, phase, share);
        check_push(check, c->b, phase, share);
    }
}

/* A phase that only the first share works in may hold several colours, others hold one. Returns
 * whether threads share it. */
static bool check_phase(turn_check *check, const lode__group *group, uint32_t phase)
{
    const lode__solve_state *state = check->state;
    const lode__turn *turns = &state->turns[group->turn_begin + phase * state->shares];
    uint32_t working = 0, first = check->colour, last = first;
    for (uint32_t share = 0; share < state->shares; ++share) {
        working += turns[share].begin < turns[share].end;
        for (uint32_t i = turns[share].begin; i < turns[share].end; ++i) {
            const lode__solve_chunk *piece = &state->pieces[i];
            assert_true(piece->colour >= first);
            last = piece->colour > last ? piece->colour : last;
            check_piece(check, piece, phase + 1, share);
        }
    }
    assert_true(working > 0);
    for (uint32_t share = 0; working > 1 && share < state->shares; ++share)
        for (uint32_t i = turns[share].begin; i < turns[share].end; ++i)
            assert_int_equal(state->pieces[i].colour, last);
    check->colour = last;
    return working > 1;
}

static void place_constraints(turn_check *check)
{
    for (int l = 0; l < LODE__LISTS; ++l) {
        const lode__constraint_list *list = &check->state->constraints[l];
        for (uint32_t i = 0; i < list->count; ++i) {
            assert_true(list->all[i].source < MOST_SOURCES);
            check->place[l][list->all[i].source] = i;
        }
    }
}

/* Returns how many phases threads share. */
static uint32_t check_turns(const graph *g)
{
    static turn_check check;
    const lode__solve_state *state = g->solver.state;
    uint32_t shared = 0;
    memset(&check, 0, sizeof check);
    check.state = state;
    assert_true(state->lines.count <= MOST_BODIES + 1);
    place_constraints(&check);
    for (uint32_t k = 0; k < state->group_count; ++k) {
        const lode__group *group = &state->groups[k];
        assert_true(group->large || group->phases == 0);
        check.colour = 0;
        for (uint32_t phase = 0; phase < group->phases; ++phase)
            shared += check_phase(&check, group, phase);
        for (int l = 0; l < LODE__LISTS; ++l)
            for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
                uint32_t place = state->constraints[l].order[i];
                uint32_t source = state->constraints[l].all[place].source;
                assert_int_equal(check.seen[l][source], group->large ? 1 : 0);
            }
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

static void a_colour_is_cut_into_shares_without_common_bodies(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8, LODE__MOST_SHARES + 5};
    for (int i = 0; i < 5; ++i) {
        graph g;
        fill(&g, 1500, 4500, threads[i]);
        assert_true(graph_arrange(&g));
        assert_true(g.solver.state->groups[0].large);
        uint32_t shared = check_turns(&g);
        assert_true(threads[i] == 1 ? shared == 0 : shared > 5);
        graph_free(&g);
    }
}

/* Few bodies: a colour is not worth a cut, and all of them are in a phase or two. */
static void small_colours_share_a_phase(void **state)
{
    (void)state;
    graph g;
    fill(&g, 14, 4500, 2);
    assert_true(graph_arrange(&g));
    const lode__group *group = &g.solver.state->groups[0];
    assert_true(group->large);
    check_turns(&g);
    assert_true(2 * group->phases <= (uint32_t)g.stats.colours);
    graph_free(&g);
}

/* No share has much more to do than another in a phase of many blocks. */
static void shares_are_of_equal_size(void **state)
{
    (void)state;
    graph g;
    fill(&g, 1500, 4500, 4);
    assert_true(graph_arrange(&g));
    const lode__solve_state *solve = g.solver.state;
    size_t largest = 0;
    for (uint32_t i = 0; i < solve->piece_count; ++i)
        largest = solve->pieces[i].stride > largest ? solve->pieces[i].stride : largest;
    for (uint32_t phase = 0; phase < solve->groups[0].phases; ++phase) {
        size_t bytes[4] = {0}, all = 0;
        for (uint32_t share = 0; share < 4; ++share) {
            const lode__turn *turn = &solve->turns[phase * 4 + share];
            for (uint32_t i = turn->begin; i < turn->end; ++i)
                bytes[share] += (size_t)solve->pieces[i].count * solve->pieces[i].stride;
            all += bytes[share];
        }
        for (uint32_t share = 0; bytes[1] > 0 && share < 4; ++share) {
            assert_true(bytes[share] + 2 * largest > all / 4);
            assert_true(bytes[share] < all / 4 + 2 * largest);
        }
    }
    graph_free(&g);
}

static void small_groups_have_no_turns(void **state)
{
    (void)state;
    graph g;
    fill(&g, 200, 300, 2);
    assert_true(graph_arrange(&g));
    check_turns(&g);
    assert_int_equal(g.solver.state->turn_count, 0);
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
        for (int threads = 2; threads <= 8; threads += 2 - threads % 2)
            assert_true(step_with(threads, solvers[i]) == one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_colour_is_cut_into_shares_without_common_bodies),
        cmocka_unit_test(shares_are_of_equal_size),
        cmocka_unit_test(small_colours_share_a_phase),
        cmocka_unit_test(small_groups_have_no_turns),
        cmocka_unit_test(threads_change_no_bit_of_a_large_island),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

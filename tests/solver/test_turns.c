/* Turns: every lane of a shared group once, colours in order; no two turns of a phase with a body
 * in common; and what is inside a share pushes nothing that another share pushes, whatever the
 * number of shares; and the same bits as one thread. */
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
    uint64_t pushers[MOST_BODIES + 1];         /* by line: a bit for each share that pushes it */
    uint32_t edges, insides;                   /* constraints */
} turn_check;

/* A lane of a turn. */
typedef struct turn_lane {
    const lode__constraint *constraint;
    const lode__solve_chunk *chunk;
    uint32_t phase, share;
    bool inside;
} turn_lane;

typedef void lane_fn(turn_check *check, const turn_lane *lane);

static void for_lanes(turn_check *check, const lode__group *group, lane_fn *run)
{
    const lode__solve_state *state = check->state;
    for (uint32_t turn = 0; turn < group->phases * state->shares; ++turn) {
        const lode__turn *t = &state->turns[group->turn_begin + turn];
        for (uint32_t i = t->begin; i < t->end; ++i) {
            const lode__solve_chunk *chunk = &state->chunks[i];
            int l = list_of_bucket(chunk->bucket);
            assert_true(chunk->count > 0);
            for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k) {
                uint32_t source = chunk->lanes[k];
                if (source == LODE__NONE)
                    continue;
                const lode__constraint_list *list = &state->constraints[l];
                turn_lane lane = {&list->all[check->place[l][source]], chunk, turn / state->shares,
                                  turn % state->shares, i >= t->inside};
                ++check->seen[l][source];
                run(check, &lane);
            }
        }
    }
}

static bool is_rest(int colour)
{
    return colour == LODE__COLOUR_PAIR_REST || colour == LODE__COLOUR_STATIC_REST;
}

static void note_pushes(turn_check *check, const turn_lane *lane)
{
    if (is_rest(lane->chunk->colour))
        return;
    check->pushers[lane->constraint->a] |= (uint64_t)1 << lane->share;
    check->pushers[lane->constraint->b] |= (uint64_t)1 << lane->share;
}

static void check_push(turn_check *check, const turn_lane *lane, uint32_t line)
{
    if (line == 0)
        return;
    assert_true(check->phase[line] != lane->phase + 1 || check->share[line] == lane->share);
    check->phase[line] = lane->phase + 1;
    check->share[line] = lane->share;
    if (lane->inside)
        assert_int_equal(check->pushers[line], (uint64_t)1 << lane->share);
}

static void check_lane(turn_check *check, const turn_lane *lane)
{
    assert_int_equal(lane->constraint->colour, lane->chunk->colour);
    assert_int_equal(lane->constraint->bucket, lane->chunk->bucket);
    check_push(check, lane, lane->constraint->a);
    check_push(check, lane, lane->constraint->b);
    assert_true(lane->constraint->inside || !lane->inside);
    ++*(lane->constraint->inside ? &check->insides : &check->edges);
}

/* A phase is one colour. What found none is the first share's, and after all of the phase before.
 * Returns whether threads share the phase. */
static bool check_colour(const lode__solve_state *state, const lode__group *group, uint32_t phase,
                         int *before)
{
    const lode__turn *turns = &state->turns[group->turn_begin + phase * state->shares];
    int colour = -1;
    uint32_t working = 0;
    for (uint32_t s = 0; s < state->shares; ++s) {
        assert_true(turns[s].begin <= turns[s].inside && turns[s].inside <= turns[s].end);
        working += turns[s].begin < turns[s].end;
        for (uint32_t i = turns[s].begin; i < turns[s].end; ++i) {
            assert_true(colour < 0 || state->chunks[i].colour == colour);
            colour = state->chunks[i].colour;
        }
    }
    assert_true(colour > *before);
    *before = colour;
    for (uint32_t s = 0; is_rest(colour) && s < state->shares; ++s) {
        assert_true(s == 0 || turns[s].begin == turns[s].end);
        assert_true(turns[s].inside == turns[s].end);
        for (uint32_t by = 1; by < group->phases; by += group->phases - 2) { /* after, before */
            uint32_t near = (phase + by) % group->phases;
            const lode__turn *t = &state->turns[group->turn_begin + near * state->shares + s];
            assert_true(t->inside == t->end);
            if (group->phases < 3)
                break;
        }
    }
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

static turn_check check;

/* Returns how many phases threads share. */
static uint32_t check_turns(const graph *g)
{
    const lode__solve_state *state = g->solver.state;
    uint32_t shared = 0;
    memset(&check, 0, sizeof check);
    check.state = state;
    assert_true(state->lines.count <= MOST_BODIES + 1);
    place_constraints(&check);
    for (uint32_t k = 0; k < state->group_count; ++k) {
        const lode__group *group = &state->groups[k];
        assert_int_equal(group->shares != NULL, group->large && state->shares > 1);
        assert_true(group->shares || group->phases == 0);
        int colour = -1;
        for (uint32_t phase = 0; phase < group->phases; ++phase)
            shared += check_colour(state, group, phase, &colour);
        for_lanes(&check, group, note_pushes);
        memset(check.seen, 0, sizeof check.seen);
        for_lanes(&check, group, check_lane);
        for (int l = 0; l < LODE__LISTS; ++l)
            for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
                uint32_t place = state->constraints[l].order[i];
                uint32_t source = state->constraints[l].all[place].source;
                assert_int_equal(check.seen[l][source], group->shares ? 1 : 0);
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

/* Few bodies, and so many contacts that most find no colour. */
static void what_found_no_colour_is_after_all(void **state)
{
    (void)state;
    graph g;
    fill(&g, 14, 4500, 2);
    assert_true(graph_arrange(&g));
    assert_true(g.solver.state->groups[0].large);
    assert_true(g.stats.overflow_blocks > 0);
    check_turns(&g);
    graph_free(&g);
}

/* A chain along x of `links` bodies, each held by some contacts to the next. */
static void fill_chain(graph *g, uint32_t links, uint32_t contacts, int threads)
{
    test_random random = {4};
    graph_init(g, links * contacts, threads);
    for (uint32_t i = 0; i < links; ++i) {
        uint32_t body = graph_add_body(g, LODE__BODY_DYNAMIC, &random);
        LODE__AT(body, &g->bodies, pose, body)->position = (lode_vec3){(lode_real)i, 0, 0};
        for (uint32_t k = 0; i > 0 && k < contacts; ++k)
            graph_add_contact(g, body - 1, body, 4, &random);
    }
}

/* Shares' parts of all bytes of a large group, in hundredths. */
static void assert_parts(const lode__solve_state *solve, const size_t parts[4])
{
    size_t bytes[4] = {0}, all = 0;
    for (uint32_t turn = 0; turn < solve->groups[0].phases * 4; ++turn)
        for (uint32_t i = solve->turns[turn].begin; i < solve->turns[turn].end; ++i) {
            size_t size = (size_t)solve->chunks[i].count * solve->chunks[i].stride;
            bytes[turn % 4] += size;
            all += size;
        }
    for (int s = 0; s < 4; ++s) {
        assert_true(bytes[s] * 100 > all * (parts[s] - 3));
        assert_true(bytes[s] * 100 < all * (parts[s] + 3));
    }
}

/* Kernels take two blocks at a time, so edges of one lane or sixteen have two. */
static void assert_short_edges(const lode__solve_state *solve)
{
    for (uint32_t turn = 0; turn < solve->groups[0].phases * 4; ++turn) {
        uint32_t blocks = 0;
        for (uint32_t i = solve->turns[turn].begin; i < solve->turns[turn].inside; ++i)
            blocks += solve->chunks[i].count;
        assert_true(blocks == 0 || blocks == 2);
    }
}

/* Shares of a long island are slabs: about as many bytes each, and a short edge. */
static void shares_of_a_long_island_are_slabs(void **state)
{
    (void)state;
    graph g;
    fill_chain(&g, 1200, 2, 4);
    assert_true(graph_arrange(&g));
    assert_true(g.solver.state->groups[0].shares);
    assert_true(check_turns(&g) >= 4);
    assert_true(check.edges * 20 < check.insides);
    assert_short_edges(g.solver.state);
    assert_parts(g.solver.state, (const size_t[4]){25, 25, 25, 25});
    graph_free(&g);
}

static void set_pace(graph *g, const float pace[4])
{
    for (int s = 0; s < LODE__MOST_SHARES; ++s)
        g->solver.pace[s] = pace[s % 4];
}

static void a_share_is_as_large_as_its_thread_is_fast(void **state)
{
    (void)state;
    graph g;
    fill_chain(&g, 1200, 2, 4);
    set_pace(&g, (const float[4]){0.4f, 2, 1, 0.6f});
    assert_true(graph_arrange(&g));
    check_turns(&g);
    assert_parts(g.solver.state, (const size_t[4]){10, 50, 25, 15});
    const lode__group *group = &g.solver.state->groups[0];
    for (uint32_t s = 0, line = group->line_begin; s < 4; ++s) {
        assert_int_equal(group->shares[s].line_begin, line);
        line = group->shares[s].line_end;
        assert_true(s < 3 || line == group->line_end);
    }
    graph_free(&g);
}

/* Equal shares, of which the first took twice as long as the others. */
static void the_pace_is_learnt_step_by_step(void **state)
{
    (void)state;
    static const float even[4] = {1, 1, 1, 1};
    graph g;
    fill_chain(&g, 1200, 2, 4);
    set_pace(&g, even);
    assert_true(graph_arrange(&g));
    lode__group *group = &g.solver.state->groups[0];
    group->timed = false;
    lode__shares_learn(&g.solver);
    for (int s = 0; s < 4; ++s)
        assert_true(g.solver.pace[s] == 1);
    group->timed = true;
    for (int s = 0; s < 4; ++s)
        group->busy[s] = s == 0 ? 2000000 : 1000000;
    for (int i = 0; i < 40; ++i) {
        lode__shares_learn(&g.solver);
        assert_true(i > 0 || g.solver.pace[0] > 0.8f); /* not all at once */
    }
    assert_true(g.solver.pace[0] > 0.59f && g.solver.pace[0] < 0.66f); /* 5/8 */
    assert_true(g.solver.pace[1] > 1.19f && g.solver.pace[1] < 1.31f); /* 5/4 */
    group->busy[3] = 1;
    for (int i = 0; i < 40; ++i)
        lode__shares_learn(&g.solver);
    for (int s = 0; s < 4; ++s)
        assert_true(g.solver.pace[s] > 0.3f && g.solver.pace[s] < 3.1f);
    graph_free(&g);
}

static void colouring_may_run_again(void **state)
{
    (void)state;
    graph g;
    fill(&g, 1500, 4500, 3);
    assert_true(graph_arrange(&g));
    uint32_t phases = g.solver.state->groups[0].phases;
    assert_true(phases > 0);
    for (int i = 0; i < 2; ++i) {
        assert_true(lode__colouring_run(&g.solver, &g.step));
        assert_int_equal(g.solver.state->groups[0].phases, phases);
        check_turns(&g);
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
    static const float paces[3][4] = {{1, 1, 1, 1}, {0.4f, 3, 1, 2}, {2, 0.5f, 0.9f, 0.4f}};
    graph g;
    fill(&g, 1500, 4500, threads);
    g.settings.solver = solver;
    for (int i = 0; i < 3; ++i) {
        set_pace(&g, paces[i]);
        assert_true(graph_step(&g));
    }
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
        cmocka_unit_test(shares_of_a_long_island_are_slabs),
        cmocka_unit_test(a_share_is_as_large_as_its_thread_is_fast),
        cmocka_unit_test(the_pace_is_learnt_step_by_step),
        cmocka_unit_test(what_found_no_colour_is_after_all),
        cmocka_unit_test(colouring_may_run_again),
        cmocka_unit_test(small_groups_have_no_turns),
        cmocka_unit_test(threads_change_no_bit_of_a_large_island),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

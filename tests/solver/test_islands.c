/* Islands: the connected components of the movable bodies, laid into lines by their lowest body;
 * neither threads nor distant islands nor lack of memory change what an island becomes. */
#include "core/hash.h"
#include "tests/solver/graph.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 4096 };

/* --- brute force: labels flow along constraints until none changes */

static uint32_t label[MOST_BODIES];

static bool meet(const graph *g, uint32_t a, uint32_t b)
{
    if (!graph_movable(g, a) || !graph_movable(g, b) || label[a] == label[b])
        return false;
    label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
    return true;
}

static void label_components(const graph *g)
{
    for (uint32_t i = 0; i < g->bodies.end; ++i)
        label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < g->solver.contact_count; ++i)
            changed |= meet(g, g->manifolds[i].body_a, g->manifolds[i].body_b);
        for (uint32_t i = 0; i < g->joints.end; ++i)
            changed |= meet(g, joint_at(&g->joints, i)->body_a, joint_at(&g->joints, i)->body_b);
    }
}

/* What cannot be pushed has a line if it moves, and a negative one. */
static void assert_kinematic_line(const graph *g, uint32_t body)
{
    const lode__dense *lines = &g->solver.state->lines;
    const lode__velocity *velocity = LODE__AT(body, &g->bodies, velocity, body);
    int32_t line = line_of_body(&g->bodies, body);
    if (!travels(*LODE__AT(body, &g->bodies, flags, body), velocity)) {
        assert_int_equal(line, 0);
        return;
    }
    assert_in_range(-line, 1, lines->kinematic_count);
    assert_int_equal(lines->slot[line], body);
    assert_memory_equal(&lines->velocity[line], velocity, sizeof *velocity);
    static const lode__inv_mass immovable = {0};
    assert_memory_equal(&lines->inv_mass[line], &immovable, sizeof immovable);
    assert_true(lines->delta[line].is_rate == 1);
}

static bool in_large_group(const lode__solve_state *state, uint32_t line)
{
    uint32_t g = 0;
    while (line >= state->groups[g].line_end)
        ++g;
    return state->groups[g].large;
}

/* Lines go by component, components by their lowest slot, and the bodies of small ones by slot;
 * those of a large one in any order. */
static void assert_lines_are_components(const graph *g)
{
    const lode__solve_state *state = g->solver.state;
    uint32_t line = 1, islands = 0;
    for (uint32_t lowest = 0; lowest < g->bodies.end; ++lowest) {
        if (!graph_movable(g, lowest)) {
            assert_kinematic_line(g, lowest);
            continue;
        }
        islands += label[lowest] == lowest;
        for (uint32_t i = lowest; label[lowest] == lowest && i < g->bodies.end; ++i) {
            if (!graph_movable(g, i) || label[i] != lowest)
                continue;
            uint32_t own = (uint32_t)line_of_body(&g->bodies, i);
            assert_true(own == line || in_large_group(state, line));
            assert_int_equal(state->island[own], state->island[line]);
            assert_int_equal(state->lines.slot[own], i);
            assert_int_equal(g->solver.islands.slot[line], i);
            assert_memory_equal(&state->lines.velocity[own],
                                LODE__AT(body, &g->bodies, velocity, i), sizeof(lode__velocity));
            ++line;
        }
    }
    assert_int_equal(state->lines.count, line);
    assert_int_equal(g->stats.islands, islands);
    assert_int_equal(g->stats.dynamic_bodies, line - 1);
}

/* Groups cover all lines in order and cut no island. */
static void assert_groups_hold_whole_islands(const graph *g)
{
    const lode__solve_state *state = g->solver.state;
    uint32_t line = 1, spinner = 0;
    for (uint32_t k = 0; k < state->group_count; ++k) {
        const lode__group *group = &state->groups[k];
        assert_int_equal(group->line_begin, line);
        assert_true(group->line_end > line);
        line = group->line_end;
        if (line < state->lines.count)
            assert_int_not_equal(label[state->lines.slot[line - 1]],
                                 label[state->lines.slot[line]]);
        assert_int_equal(group->all.spinner_begin, spinner);
        assert_int_equal(group->all.spinner_end % LODE_LANES, 0);
        spinner = group->all.spinner_end;
        for (uint32_t i = group->all.spinner_begin; i < spinner; ++i) {
            uint32_t at = (uint32_t)state->spinners.line[i];
            assert_true(at == 0 || (at >= group->line_begin && at < group->line_end));
        }
    }
    assert_int_equal(line, state->lines.count);
    assert_int_equal(spinner, state->spinners.count);
}

static void islands_are_connected_components(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 200; ++round) {
        graph g;
        uint32_t bodies = 2 + random_below(&random, 120);
        graph_init(&g, 2 * bodies, 1);
        graph_add_random(&g, bodies, random_below(&random, 2 * bodies), random_below(&random, 20),
                         &random);
        assert_true(graph_arrange(&g));
        label_components(&g);
        assert_lines_are_components(&g);
        assert_groups_hold_whole_islands(&g);
        graph_free(&g);
    }
}

/* In double precision a group is closed with half as many rows. */
#define BY_PRECISION(single, twice) (sizeof(lode_real) == sizeof(float) ? (single) : (twice))

/* Pairs of bodies in 4-point contact, 12 rows each: more than one group holds. */
static void many_islands_make_several_groups(void **state)
{
    (void)state;
    test_random random = {2};
    graph g;
    graph_init(&g, 1300, 1);
    for (int i = 0; i < 1300; ++i) {
        uint32_t a = graph_add_body(&g, LODE__BODY_DYNAMIC, &random);
        graph_add_contact(&g, a, graph_add_body(&g, LODE__BODY_DYNAMIC, &random), 4, &random);
    }
    assert_true(graph_arrange(&g));
    label_components(&g);
    assert_lines_are_components(&g);
    assert_groups_hold_whole_islands(&g);
    assert_int_equal(g.solver.state->group_count, BY_PRECISION(2, 3));
    assert_false(g.solver.state->groups[0].large);
    graph_free(&g);
}

static void an_empty_scene_has_no_islands(void **state)
{
    (void)state;
    test_random random = {3};
    graph g;
    graph_init(&g, 1, 1);
    assert_true(graph_step(&g));
    uint32_t a = graph_add_body(&g, 0, &random), b = graph_add_body(&g, 0, &random);
    graph_add_contact(&g, a, b, 2, &random);
    assert_true(graph_step(&g));
    assert_int_equal(g.stats.islands, 0);
    assert_int_equal(g.stats.rows, 0);
    graph_free(&g);
}

/* --- independence */

/* A chain long enough to be an island that threads share, and some small ones. */
static void build_large(graph *g, int threads, int links)
{
    test_random random = {4};
    graph_init(g, 4000, threads);
    uint32_t ground = graph_add_body(g, 0, &random), last = ground;
    for (int i = 0; i < links; ++i) {
        uint32_t body = graph_add_body(g, LODE__BODY_DYNAMIC | LODE__BODY_GYROSCOPIC, &random);
        graph_add_contact(g, last, body, 4, &random);
        if (i % 7 == 0)
            graph_add_contact(g, ground, body, 3, &random);
        last = body;
    }
    graph_add_random(g, 300, 500, 100, &random);
}

/* The hash after three steps. */
static uint64_t step_chain(int links, int threads, lode_solver solver)
{
    graph g;
    build_large(&g, threads, links);
    g.settings.solver = solver;
    for (int step = 0; step < 3; ++step)
        assert_true(graph_step(&g));
    uint64_t hash = graph_hash(&g);
    graph_free(&g);
    return hash;
}

/* Chains that are large always, and with several threads only. */
static void threads_leave_no_trace(void **state)
{
    (void)state;
    static const int threads[] = {2, 3, 8}, links[] = {1200, 700};
    for (int l = 0; l < 2; ++l)
        for (int solver = 0; solver <= LODE_SOLVER_SOFT_STEP; ++solver) {
            uint64_t alone = step_chain(links[l], 1, (lode_solver)solver);
            for (int i = 0; i < 3; ++i)
                assert_true(step_chain(links[l], threads[i], (lode_solver)solver) == alone);
        }
}

/* Arranges chains of four-point contacts, twelve rows each; returns how many threads share. */
static int arrange_chains(const int *links, int chains, int threads, lode_world_stats *out_stats)
{
    test_random random = {8};
    graph g;
    graph_init(&g, 4000, threads);
    for (int c = 0; c < chains; ++c) {
        uint32_t last = graph_add_body(&g, LODE__BODY_DYNAMIC, &random);
        for (int i = 0; i < links[c]; ++i) {
            uint32_t body = graph_add_body(&g, LODE__BODY_DYNAMIC, &random);
            graph_add_contact(&g, last, body, 4, &random);
            last = body;
        }
    }
    assert_true(graph_arrange(&g));
    label_components(&g);
    assert_lines_are_components(&g);
    int shared = 0;
    for (uint32_t k = 0; k < g.solver.state->group_count; ++k)
        shared += g.solver.state->groups[k].shares != NULL;
    *out_stats = g.stats;
    graph_free(&g);
    return shared;
}

/* What is told of the step is what one thread would tell. */
static void assert_shared(const int *links, int chains, int threads, int shared)
{
    lode_world_stats alone, stats;
    assert_int_equal(arrange_chains(links, chains, 1, &alone), 0);
    assert_int_equal(arrange_chains(links, chains, threads, &stats), shared);
    assert_int_equal(stats.islands, alone.islands);
    assert_int_equal(stats.rows, alone.rows);
    assert_int_equal(stats.colours, alone.colours);
    assert_int_equal(stats.batches, alone.batches);
    assert_int_equal(stats.lanes_used, alone.lanes_used);
}

/* An island that would keep one thread busy when the others are done is shared, unless it is small
 * or there are others to do meanwhile. */
static void threads_share_what_would_keep_one_busy(void **state)
{
    (void)state;
    assert_shared((int[]){700}, 1, 2, 1);
    assert_shared((int[]){400}, 1, 2, 0);
    assert_shared((int[]){700, 700}, 2, 2, 0);
    assert_shared((int[]){700, 200, 200}, 3, 2, 1);
    assert_shared((int[]){200, 700, 300, 300}, 4, 2, 0);
    assert_shared((int[]){700, 700}, 2, 8, BY_PRECISION(1, 2)); /* groups with one thread */
    assert_shared((int[]){1100, 1100}, 2, 2, 2);
    assert_shared((int[]){300, 1100, 300}, 3, 2, 1);
}

/* The group of each chain's first body, in a row of digits. */
static void assert_groups(const int *links, int chains, int threads, const char *groups)
{
    test_random random = {9};
    graph g;
    graph_init(&g, 4000, threads);
    uint32_t first[16];
    for (int c = 0; c < chains; ++c) {
        uint32_t last = first[c] = graph_add_body(&g, LODE__BODY_DYNAMIC, &random);
        for (int i = 0; i < links[c]; ++i) {
            uint32_t body = graph_add_body(&g, LODE__BODY_DYNAMIC, &random);
            graph_add_contact(&g, last, body, 4, &random);
            last = body;
        }
    }
    assert_true(graph_arrange(&g));
    label_components(&g);
    assert_lines_are_components(&g);
    for (int c = 0; c < chains; ++c) {
        uint32_t line = (uint32_t)line_of_body(&g.bodies, first[c]), group = 0;
        while (line >= g.solver.state->groups[group].line_end)
            ++group;
        assert_int_equal(group, groups[c] - '0');
    }
    assert_int_equal(g.solver.state->group_count, groups[chains - 1] - '0' + 1);
    graph_free(&g);
}

/* Those in the whole of a large island are in its group, before it and behind it; but one that
 * fills a whole by itself takes in no more than an eighth of its rows. Others are parted among
 * threads. */
static void small_islands_go_with_a_large_one(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 8; threads *= 2) {
        assert_groups((int[]){50, 700, 0, 100, 1}, 5, threads,
                      BY_PRECISION("00000", threads == 1 ? "00011" : "00012"));
        assert_groups((int[]){50, 1100, 0, 60, 20}, 5, threads, "00000");
        assert_groups((int[]){50, 1100, 90}, 3, threads, "001");
        assert_groups((int[]){200, 1100, 10}, 3, threads, "011");
        assert_groups((int[]){10, 1100, 1200, 10}, 4, threads, "0011");
    }
    assert_groups((int[]){200, 200, 200, 200}, 4, 1, BY_PRECISION("0000", "0001"));
    assert_groups((int[]){200, 200, 200, 200}, 4, 2, "0123");
}

static lode_real along(const graph *g, uint32_t line, int axis)
{
    lode_vec3 p = g->solver.state->lines.pose[line].position;
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* In the order of one of the coordinates; the list of islands in that of slots, for any number of
 * threads. */
static void a_large_island_lies_along_its_longest_side(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 8};
    uint64_t hash[3];
    for (int i = 0; i < 3; ++i) {
        graph g;
        build_large(&g, counts[i], 1200);
        for (uint32_t body = 0; body < g.bodies.end; ++body)
            LODE__AT(body, &g.bodies, pose, body)->position.y *= 3;
        assert_true(graph_arrange(&g));
        const lode__group *group = &g.solver.state->groups[0];
        assert_true(group->large && group->line_end - group->line_begin > 1000);
        uint32_t first = group->line_begin, last = group->line_end - 1;
        const int axis = 1;
        lode_real length = along(&g, last, axis) - along(&g, first, axis);
        for (uint32_t line = first; counts[i] == 1 && line < last; ++line)
            assert_true(along(&g, line, axis) - along(&g, line + 1, axis) <
                        length / 100);
        const uint32_t *slots = g.solver.islands.slot + group->line_begin;
        for (uint32_t k = 1; k < group->line_end - group->line_begin; ++k)
            assert_true(slots[k - 1] < slots[k]);
        hash[i] = lode__hash_bytes(1, g.solver.islands.slot + 1,
                                   (g.solver.state->lines.count - 1) * sizeof(uint32_t));
        assert_true(hash[i] == hash[0]);
        graph_free(&g);
    }
}

enum { OWN_BODIES = 40, OWN_CONTACTS = 80, OWN_JOINTS = 10 };

/* The bits of bodies `first`.. after three steps, beside islands before and behind them. */
static void step_among(uint32_t before, uint32_t behind, lode__velocity *out_velocity,
                       lode__pose *out_pose)
{
    graph g;
    test_random own = {5}, others = {6};
    graph_init(&g, 2 * (before + behind) + OWN_CONTACTS, 1);
    if (before)
        graph_add_random(&g, before, 2 * before, before / 4, &others);
    uint32_t first = g.bodies.end;
    graph_add_random(&g, OWN_BODIES, OWN_CONTACTS, OWN_JOINTS, &own);
    if (behind)
        graph_add_random(&g, behind, 2 * behind, behind / 4, &others);
    for (int step = 0; step < 3; ++step)
        assert_true(graph_step(&g));
    for (uint32_t i = 0; i < OWN_BODIES; ++i) {
        out_velocity[i] = *LODE__AT(body, &g.bodies, velocity, first + i);
        out_pose[i] = *LODE__AT(body, &g.bodies, pose, first + i);
    }
    graph_free(&g);
}

static void distant_islands_leave_no_trace(void **state)
{
    (void)state;
    static const uint32_t scenes[][2] = {{5, 0}, {0, 5}, {100, 30}, {2500, 2}, {1000, 1500}};
    static lode__velocity alone_velocity[OWN_BODIES], velocity[OWN_BODIES];
    static lode__pose alone_pose[OWN_BODIES], pose[OWN_BODIES];
    step_among(0, 0, alone_velocity, alone_pose);
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        step_among(scenes[i][0], scenes[i][1], velocity, pose);
        assert_memory_equal(velocity, alone_velocity, sizeof velocity);
        assert_memory_equal(pose, alone_pose, sizeof pose);
    }
}

/* --- lack of memory */

static void a_failed_allocation_changes_nothing(void **state)
{
    (void)state;
    alloc_fail_install();
    graph g;
    build_large(&g, 1, 1200);
    uint64_t hash = graph_hash(&g);
    long failures = 0;
    for (;; ++failures) {
        lode__arena_free(&g.arena);
        g.arena = (lode__arena){0};
        alloc_fail_nth(failures);
        bool prepared = graph_prepare(&g);
        assert_int_equal(prepared, !alloc_fail_happened());
        assert_true(graph_hash(&g) == hash);
        if (prepared)
            break;
    }
    print_message("%ld allocations\n", failures);
    assert_true(failures > 5);
    alloc_fail_nth(-1);
    assert_true(graph_step(&g));
    graph_free(&g);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_connected_components),
        cmocka_unit_test(many_islands_make_several_groups),
        cmocka_unit_test(an_empty_scene_has_no_islands),
        cmocka_unit_test(threads_leave_no_trace),
        cmocka_unit_test(threads_share_what_would_keep_one_busy),
        cmocka_unit_test(small_islands_go_with_a_large_one),
        cmocka_unit_test(a_large_island_lies_along_its_longest_side),
        cmocka_unit_test(distant_islands_leave_no_trace),
        cmocka_unit_test(a_failed_allocation_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

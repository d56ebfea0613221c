/* Colouring: each constraint of something that moves has one lane, no two of a colour share a body
 * that moves, and colours and order depend on nothing but the island. */
#include "tests/solver/graph.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

static bool is_rest(const lode__solve_chunk *chunk)
{
    return chunk->colour == LODE__COLOUR_PAIR_REST || chunk->colour == LODE__COLOUR_STATIC_REST;
}

static bool is_joint(const lode__solve_chunk *chunk)
{
    return chunk->bucket >= LODE__BUCKET_JOINT;
}

static void bodies_of(const graph *g, const lode__solve_chunk *chunk, uint32_t constraint,
                      uint32_t out[2])
{
    if (is_joint(chunk)) {
        out[0] = joint_at(&g->joints, constraint)->body_a;
        out[1] = joint_at(&g->joints, constraint)->body_b;
    } else {
        out[0] = g->contacts[constraint]->body_a;
        out[1] = g->contacts[constraint]->body_b;
    }
}

/* --- what holds in every arrangement */

static void assert_bucket_fits(const graph *g, const lode__solve_chunk *chunk, uint32_t constraint)
{
    uint32_t ends[2];
    bodies_of(g, chunk, constraint, ends);
    bool pair = graph_movable(g, ends[0]) && graph_movable(g, ends[1]);
    assert_true(graph_movable(g, ends[0]) || graph_movable(g, ends[1]));
    assert_int_equal(pair, chunk->colour <= LODE__COLOUR_PAIR_REST);
    if (is_joint(chunk)) {
        const lode__joint *joint = joint_at(&g->joints, constraint);
        int bucket = chunk->bucket - LODE__BUCKET_JOINT;
        assert_int_equal(joint->type, lode__bucket_type(bucket));
        assert_int_equal(joint->rows, lode__bucket_rows(bucket));
        int extras = joint->rows - lode__joint_types[joint->type].rows;
        assert_int_equal(extras, lode__bucket_extras(bucket));
        bool given = lode__axes_are_given(joint->type);
        assert_int_equal(chunk->stride,
                         lode__row_block_size(joint->rows) + lode__joint_lanes_size(extras, given));
        return;
    }
    /* a kinematic body has a velocity, though nobody pushes it */
    bool both = line_of_body(&g->bodies, ends[0]) != 0 && line_of_body(&g->bodies, ends[1]) != 0;
    int points = g->contacts[constraint]->point_count;
    assert_int_equal(chunk->bucket, (both ? LODE__KIND_CONTACT : LODE__KIND_STATIC) + points - 1);
    assert_int_equal(chunk->stride, lode__contact_block_size(points));
    int kind = chunk->bucket + (is_rest(chunk) ? LODE__KIND_SHARED : 0);
    assert_ptr_equal(chunk->kernels, &g->solver.kernels->kinds[kind]);
}

/* The island of the constraint in a lane. */
static uint32_t island_of(const graph *g, const lode__solve_chunk *chunk, uint32_t lane)
{
    uint32_t ends[2];
    bodies_of(g, chunk, chunk->lanes[lane], ends);
    uint32_t body = graph_movable(g, ends[0]) ? ends[0] : ends[1];
    return g->solver.state->island[*LODE__AT(body, &g->bodies, line, body)];
}

/* Marks a body used in this colour of this group. */
static void assert_unused(const graph *g, uint32_t body, uint32_t stamp, uint32_t *last_stamp)
{
    if (!graph_movable(g, body))
        return;
    assert_int_not_equal(last_stamp[body], stamp);
    last_stamp[body] = stamp;
}

static uint32_t check_chunk(const graph *g, const lode__solve_chunk *chunk, uint32_t stamp,
                            uint32_t *last_stamp, uint8_t *contact_seen, uint8_t *joint_seen)
{
    uint32_t used = 0;
    assert_true(is_rest(chunk) || chunk->count <= LODE__CHUNK_BLOCKS);
    for (uint32_t i = 0; i < chunk->count * LODE_LANES; ++i) {
        uint32_t constraint = chunk->lanes[i], ends[2];
        if (constraint == LODE__NONE)
            continue;
        assert_true(i % LODE_LANES == 0 || chunk->lanes[i - 1] != LODE__NONE); /* from the front */
        assert_true(i % LODE_LANES == 0 || !is_rest(chunk) ||
                    island_of(g, chunk, i) == island_of(g, chunk, i - 1));
        assert_bucket_fits(g, chunk, constraint);
        ++(is_joint(chunk) ? joint_seen : contact_seen)[constraint];
        ++used;
        bodies_of(g, chunk, constraint, ends);
        for (int k = 0; k < 2 && !is_rest(chunk); ++k)
            assert_unused(g, ends[k], stamp, last_stamp);
    }
    return used;
}

static void assert_seen_once(const graph *g, const uint8_t *contact_seen, const uint8_t *joint_seen)
{
    for (uint32_t i = 0; i < g->solver.contact_count; ++i) {
        const lode__manifold *m = g->contacts[i];
        assert_int_equal(contact_seen[i],
                         graph_movable(g, m->body_a) || graph_movable(g, m->body_b));
    }
    for (uint32_t i = 0; i < g->joints.end; ++i) {
        const lode__joint *joint = joint_at(&g->joints, i);
        assert_int_equal(joint_seen[i],
                         graph_movable(g, joint->body_a) || graph_movable(g, joint->body_b));
    }
}

static void check_arrangement(const graph *g)
{
    const lode__solve_state *state = g->solver.state;
    uint32_t *last_stamp = calloc(g->bodies.end + 1, sizeof *last_stamp);
    uint8_t *contact_seen = calloc(g->solver.contact_count + 1, 1);
    uint8_t *joint_seen = calloc(g->joints.end + 1, 1);
    uint32_t chunk = 0, used = 0, blocks = 0, rest = 0;
    for (uint32_t k = 0; k < state->group_count; ++k) {
        assert_int_equal(state->groups[k].chunk_begin, chunk);
        for (; chunk < state->groups[k].chunk_end; ++chunk) {
            const lode__solve_chunk *c = &state->chunks[chunk];
            bool first = chunk == state->groups[k].chunk_begin;
            assert_true(first || c[-1].colour <= c->colour);
            assert_true(chunk == 0 ||
                        c[-1].blocks + (size_t)c[-1].count * c[-1].stride == c->blocks);
            uint32_t stamp = 1 + k * LODE__COLOUR_COUNT + c->colour;
            uint32_t lanes = check_chunk(g, c, stamp, last_stamp, contact_seen, joint_seen);
            used += lanes;
            blocks += c->count;
            rest += is_rest(c) ? lanes : 0;
        }
        assert_int_equal(state->groups[k].chunk_end, chunk);
    }
    assert_int_equal(chunk, state->chunk_count);
    assert_seen_once(g, contact_seen, joint_seen);
    assert_int_equal(g->stats.lanes_used, used);
    if (lode__tasks_workers(g->tasks) == 1)
        assert_int_equal(g->stats.batches, blocks);
    assert_in_range(blocks, g->stats.batches, 2 * (uint32_t)g->stats.batches);
    assert_int_equal(g->stats.overflow_blocks, rest);
    free(last_stamp);
    free(contact_seen);
    free(joint_seen);
}

static void colours_are_proper_and_complete(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 200; ++round) {
        graph g;
        uint32_t bodies = 2 + random_below(&random, 150);
        uint32_t contacts = random_below(&random, round % 2 ? bodies : 20 * bodies);
        graph_init(&g, contacts, 1);
        graph_add_random(&g, bodies, contacts, random_below(&random, 2 * bodies), &random);
        assert_true(graph_arrange(&g));
        check_arrangement(&g);
        graph_free(&g);
    }
}

/* --- hubs */

enum { SPOKES = 500 };

static void hub_init(graph *g, uint32_t flags, int copies)
{
    test_random random = {2};
    graph_init(g, SPOKES, 1);
    uint32_t hub = graph_add_body(g, flags, &random);
    for (int i = 0; i < SPOKES / copies; ++i) {
        uint32_t body = graph_add_body(g, LODE__BODY_DYNAMIC, &random);
        for (int k = 0; k < copies; ++k)
            graph_add_contact(g, hub, body, 4, &random);
    }
    assert_true(graph_arrange(g));
    check_arrangement(g);
}

static void a_moving_hub_overflows_its_colours(void **state)
{
    (void)state;
    graph g;
    hub_init(&g, LODE__BODY_DYNAMIC, 1);
    assert_int_equal(g.stats.overflow_blocks, SPOKES - LODE__PAIR_COLOURS);
    assert_int_equal(g.stats.islands, 1);
    int rest = SPOKES - LODE__PAIR_COLOURS;
    assert_int_equal(g.stats.batches, LODE__PAIR_COLOURS + (rest + LODE_LANES - 1) / LODE_LANES);
    assert_true(graph_step(&g));
    graph_free(&g);
}

static void a_static_hub_needs_one_colour(void **state)
{
    (void)state;
    graph g;
    hub_init(&g, 0, 1);
    assert_int_equal(g.stats.overflow_blocks, 0);
    assert_int_equal(g.stats.colours, 1);
    assert_int_equal(g.stats.islands, SPOKES);
    int most = LODE__GROUP_ROWS / (4 * 3 + 1) + 1; /* islands of a group */
    int first = most < SPOKES ? most : SPOKES;
    assert_int_equal(g.stats.batches, (first + LODE_LANES - 1) / LODE_LANES +
                                          (SPOKES - first + LODE_LANES - 1) / LODE_LANES);
    graph_free(&g);
}

static void many_static_contacts_overflow_their_colours(void **state)
{
    (void)state;
    graph g;
    hub_init(&g, 0, 20);
    assert_int_equal(g.stats.overflow_blocks, SPOKES - SPOKES / 20 * LODE__STATIC_COLOURS);
    assert_int_equal(g.stats.colours, LODE__STATIC_COLOURS);
    assert_true(graph_step(&g));
    graph_free(&g);
}

/* --- independence */

/* Constraints of one island in solving order, numbered from its first one. Which lane one has
 * matters where lanes may share bodies. */
typedef struct sequence {
    uint32_t count;
    uint32_t items[4096][4]; /* colour, bucket, constraint, lane */
} sequence;

enum { OWN_BODIES = 60, OWN_CONTACTS = 700, OWN_JOINTS = 100 };

static void list_own(const graph *g, uint32_t first_contact, uint32_t first_joint, sequence *out)
{
    const lode__solve_state *state = g->solver.state;
    out->count = 0;
    for (uint32_t i = 0; i < state->chunk_count; ++i) {
        const lode__solve_chunk *chunk = &state->chunks[i];
        uint32_t first = is_joint(chunk) ? first_joint : first_contact;
        uint32_t own = is_joint(chunk) ? OWN_JOINTS : OWN_CONTACTS;
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k) {
            uint32_t constraint = chunk->lanes[k] - first;
            if (chunk->lanes[k] == LODE__NONE || constraint >= own)
                continue;
            uint32_t lane = is_rest(chunk) ? k % LODE_LANES : 0;
            uint32_t item[4] = {chunk->colour, chunk->bucket, constraint, lane};
            memcpy(out->items[out->count++], item, sizeof item);
        }
    }
}

static void arrange_among(uint32_t before, uint32_t behind, sequence *out)
{
    graph g;
    test_random own = {5}, others = {6};
    graph_init(&g, 3 * (before + behind) + OWN_CONTACTS, 1);
    if (before)
        graph_add_random(&g, before, 3 * before, before / 4, &others);
    uint32_t first_contact = g.solver.contact_count, first_joint = g.joints.end;
    graph_add_random(&g, OWN_BODIES, OWN_CONTACTS, OWN_JOINTS, &own);
    if (behind)
        graph_add_random(&g, behind, 3 * behind, behind / 4, &others);
    assert_true(graph_arrange(&g));
    list_own(&g, first_contact, first_joint, out);
    graph_free(&g);
}

static void distant_islands_change_no_colour(void **state)
{
    (void)state;
    static const uint32_t scenes[][2] = {{5, 0}, {0, 5}, {100, 30}, {3000, 2}, {1000, 1500}};
    static sequence alone, among;
    arrange_among(0, 0, &alone);
    assert_true(alone.count > OWN_CONTACTS / 2);
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        arrange_among(scenes[i][0], scenes[i][1], &among);
        assert_int_equal(among.count, alone.count);
        assert_memory_equal(among.items, alone.items, alone.count * sizeof alone.items[0]);
    }
}

static void assert_same_colours(const lode__solve_state *a, const lode__solve_state *b)
{
    for (int l = 0; l < LODE__LISTS; ++l) {
        assert_int_equal(a->constraints[l].count, b->constraints[l].count);
        for (uint32_t i = 0; i < a->constraints[l].count; ++i) {
            const lode__constraint *x = &a->constraints[l].all[i], *y = &b->constraints[l].all[i];
            assert_int_equal(x->source, y->source);
            assert_int_equal(x->colour, y->colour);
            assert_int_equal(x->bucket, y->bucket);
        }
    }
}

/* More threads, more groups of islands; but the colours and what is told of the blocks are those of
 * one thread. */
static void threads_have_groups_each_and_the_same_colours(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 3, 8};
    graph g[4];
    for (int i = 0; i < 4; ++i) {
        test_random random = {7};
        graph_init(&g[i], 9000, counts[i]);
        for (int k = 0; k < 30; ++k) /* some 20,000 rows: several groups */
            graph_add_random(&g[i], 100, 300, 20, &random);
        assert_true(graph_prepare(&g[i]));
        assert_true(g[i].solver.state->group_count > 1);
        assert_true(i == 0 || (int)g[i].solver.state->group_count >= counts[i]);
        assert_same_colours(g[0].solver.state, g[i].solver.state);
        assert_int_equal(g[i].stats.batches, g[0].stats.batches);
        assert_int_equal(g[i].stats.colours, g[0].stats.colours);
        assert_int_equal(g[i].stats.lanes_used, g[0].stats.lanes_used);
        assert_int_equal(g[i].stats.overflow_blocks, g[0].stats.overflow_blocks);
        check_arrangement(&g[i]);
    }
    for (int i = 0; i < 4; ++i)
        graph_free(&g[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_proper_and_complete),
        cmocka_unit_test(a_moving_hub_overflows_its_colours),
        cmocka_unit_test(a_static_hub_needs_one_colour),
        cmocka_unit_test(many_static_contacts_overflow_their_colours),
        cmocka_unit_test(distant_islands_change_no_colour),
        cmocka_unit_test(threads_have_groups_each_and_the_same_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_tree.c: the tree against brute force, through random insertions, moves and removals. */
#include "tests/support/test.h"

#include "collide/tree.h"
#include "tests/support/random.h"

#include <stdlib.h>

enum { SHAPES = 400, GROUPS = 30 };

typedef struct forest {
    lode__tree tree;
    lode__arena arena;
    lode__aabb box[SHAPES];
    bool present[SHAPES];
    uint32_t group[SHAPES]; /* or LODE__NONE */
    test_random random;
} forest;

static lode__aabb random_box(test_random *random)
{
    lode__aabb box = {{0}, {0}};
    double span = random_below(random, 8) == 0 ? 30 : 10;
    for (int i = 0; i < 3; ++i) {
        box.lo[i] = (lode_real)random_between(random, -span, span);
        box.hi[i] = box.lo[i] + (lode_real)random_between(random, 0, 2);
    }
    return box;
}

static lode__node as_node(const lode__aabb *box)
{
    return (lode__node){.lo = {box->lo[0], box->lo[1], box->lo[2]},
                        .hi = {box->hi[0], box->hi[1], box->hi[2]}};
}

static void set_up(forest *f, uint64_t seed)
{
    *f = (forest){.random = {seed}};
    lode__tree_init(&f->tree);
    assert_true(lode__tree_reserve(&f->tree, SHAPES, SHAPES));
    for (uint32_t s = 0; s < SHAPES; ++s)
        f->group[s] = LODE__NONE;
}

static void tear_down(forest *f)
{
    lode__tree_free(&f->tree);
    lode__arena_free(&f->arena);
}

/* Moves or inserts `count` shapes from a random one on. */
static void update_some(forest *f, uint32_t count)
{
    uint32_t shapes[SHAPES], first = random_below(&f->random, SHAPES);
    lode__aabb boxes[SHAPES];
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t s = (first + i * 7) % SHAPES;
        shapes[i] = s;
        boxes[i] = f->box[s] = random_box(&f->random);
        f->present[s] = true;
    }
    lode__arena_reset(&f->arena);
    lode__tree_update(&f->tree, shapes, boxes, count, NULL, &f->arena);
}

static void check_query(const forest *f, const lode__aabb *box)
{
    bool found[SHAPES] = {false};
    lode__node query = as_node(box);
    uint32_t cursor = 0, shape;
    while ((shape = lode__tree_next(&f->tree, &query, &cursor)) != LODE__NONE) {
        assert_true(shape < SHAPES && !found[shape]);
        found[shape] = true;
    }
    for (uint32_t s = 0; s < SHAPES; ++s) {
        lode__node other = as_node(&f->box[s]);
        assert_int_equal(found[s], f->present[s] && lode__node_overlaps(&query, &other));
    }
}

/* Gives some shapes, present or not, another group or none; many are in none, and some groups are
 * large. */
static void regroup_some(forest *f)
{
    for (uint32_t i = random_below(&f->random, 30); i > 0; --i) {
        uint32_t s = random_below(&f->random, SHAPES), g = random_below(&f->random, 2 * GROUPS);
        f->group[s] = g < GROUPS ? g / (1 + g % 4) : LODE__NONE;
        lode__tree_set_group(&f->tree, s, f->group[s]);
    }
}

static bool is_closed(const lode__node *node)
{
    return !(node->child & LODE__LEAF) && (node->child & LODE__CLOSED);
}

/* Takes the leaves under `n` out of `left` and returns their group. */
static uint32_t take_leaves(const forest *f, uint32_t n, bool left[SHAPES])
{
    const lode__node *node = &f->tree.nodes[n];
    uint32_t shape = node->child & ~(uint32_t)LODE__LEAF;
    if (!(node->child & LODE__LEAF)) {
        uint32_t first = lode__node_first(node), group = take_leaves(f, first, left);
        assert_int_equal(take_leaves(f, first + 1, left), group);
        return group;
    }
    assert_true(left[shape]);
    left[shape] = false;
    return f->group[shape];
}

/* Each group is one entry: under the closed node, or the leaf, that a walk from the root meets
 * first there are all of a group and nobody else. */
static void check_entries(const forest *f)
{
    uint32_t stack[2 * SHAPES], depth = 0, of_group[GROUPS] = {0};
    bool left[SHAPES];
    memcpy(left, f->present, sizeof left);
    if (f->tree.count > 0)
        stack[depth++] = 0;
    while (depth > 0) {
        uint32_t n = stack[--depth];
        const lode__node *node = &f->tree.nodes[n];
        if (!(node->child & LODE__LEAF) && !is_closed(node)) {
            stack[depth++] = lode__node_first(node);
            stack[depth++] = lode__node_first(node) + 1;
            continue;
        }
        uint32_t group = take_leaves(f, n, left);
        assert_true(group != LODE__NONE || !is_closed(node));
        if (group != LODE__NONE)
            assert_int_equal(++of_group[group], 1);
    }
    for (uint32_t s = 0; s < SHAPES; ++s)
        assert_false(left[s]);
}

static void queries_find_what_brute_force_finds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        forest f;
        set_up(&f, seed);
        for (int round = 0; round < 300; ++round) {
            uint32_t sort = random_below(&f.random, 10);
            if (seed > 5 && round == 40)
                assert_true(lode__tree_reserve_groups(&f.tree, GROUPS));
            if (seed > 5 && round >= 40)
                regroup_some(&f);
            if (sort == 0)
                update_some(&f, 200);
            else if (sort < 6)
                update_some(&f, 1 + random_below(&f.random, 20));
            for (uint32_t i = 0; sort >= 6 && i < 10; ++i) {
                uint32_t s = random_below(&f.random, SHAPES);
                lode__tree_remove(&f.tree, s);
                f.present[s] = false;
            }
            lode__tree_validate(&f.tree);
            lode__aabb box = random_box(&f.random);
            check_query(&f, &box);
            check_entries(&f);
        }
        tear_down(&f);
    }
}

/* A group that wanders through a crowd is taken along as a whole, and found where it is: the box
 * above it is not much larger than it and its neighbours are. */
static void an_entry_finds_itself_a_place(void **state)
{
    (void)state;
    enum { CROWD = 200, MEMBERS = 8 };
    forest f;
    set_up(&f, 3);
    assert_true(lode__tree_reserve_groups(&f.tree, 1));
    for (uint32_t s = 0; s < CROWD + MEMBERS; ++s) {
        lode_real x = (lode_real)(s % CROWD);
        f.box[s] = (lode__aabb){{x, 0, 0, 0}, {x + 1, 1, 1, 0}};
        f.present[s] = true;
        if (s >= CROWD)
            lode__tree_set_group(&f.tree, s, f.group[s] = 0);
        lode__tree_update(&f.tree, &s, &f.box[s], 1, NULL, &f.arena);
    }
    for (int step = 0; step < CROWD - MEMBERS; ++step) {
        uint32_t shapes[MEMBERS];
        for (uint32_t i = 0; i < MEMBERS; ++i) {
            shapes[i] = CROWD + i;
            f.box[CROWD + i].lo[0] += 1;
            f.box[CROWD + i].hi[0] += 1;
        }
        lode__tree_update(&f.tree, shapes, &f.box[CROWD], MEMBERS, NULL, &f.arena);
        lode__tree_validate(&f.tree);
        check_entries(&f);
        uint32_t top = lode__tree_entry(&f.tree, f.tree.leaf_of[CROWD]);
        const lode__node *above = &f.tree.nodes[f.tree.nodes[top].parent];
        assert_true(above->hi[0] - above->lo[0] <= 3 * MEMBERS);
    }
    tear_down(&f);
}

static void an_empty_tree_has_no_answers(void **state)
{
    (void)state;
    forest f;
    set_up(&f, 1);
    lode__aabb box = random_box(&f.random);
    check_query(&f, &box);
    lode__tree_remove(&f.tree, 3);
    update_some(&f, 1);
    for (uint32_t s = 0; s < SHAPES; ++s) {
        lode__tree_remove(&f.tree, s);
        f.present[s] = false;
    }
    check_query(&f, &box);
    lode__tree_validate(&f.tree);
    tear_down(&f);
}

static uint32_t depth_of(const lode__tree *tree, uint32_t n)
{
    uint32_t depth = 0;
    for (; n != LODE__NO_NODE; n = tree->nodes[n].parent)
        ++depth;
    return depth;
}

static void equal_boxes_do_not_make_a_chain(void **state)
{
    (void)state;
    for (int at_once = 0; at_once < 2; ++at_once) {
        forest f;
        set_up(&f, 1);
        lode__aabb boxes[SHAPES];
        uint32_t shapes[SHAPES];
        for (uint32_t s = 0; s < SHAPES; ++s) {
            shapes[s] = s;
            boxes[s] = (lode__aabb){{1, 2, 3, 0}, {2, 3, 4, 0}};
            if (!at_once)
                lode__tree_update(&f.tree, &shapes[s], &boxes[s], 1, NULL, &f.arena);
        }
        if (at_once)
            lode__tree_update(&f.tree, shapes, boxes, SHAPES, NULL, &f.arena);
        lode__tree_validate(&f.tree);
        for (uint32_t s = 0; s < SHAPES; ++s)
            assert_in_range(depth_of(&f.tree, f.tree.leaf_of[s]), 1, 32);
        tear_down(&f);
    }
}

/* A tree made at once over random boxes, two of three like the one before or none. */
static void build_crowd(lode__tree *tree, uint32_t count, uint32_t groups, bool equal,
                        lode__tasks *tasks)
{
    test_random random = {count};
    lode__arena arena = {0};
    lode__node *leaves = malloc(count * sizeof *leaves);
    lode__tree_init(tree);
    assert_true(lode__tree_reserve(tree, count, count));
    for (uint32_t i = 0; i < count; ++i) {
        lode__aabb box = random_box(&random);
        leaves[i] = equal && i % 3 ? leaves[i - 1] : as_node(&box);
        leaves[i].child = i | LODE__LEAF;
    }
    assert_true(groups == 0 || lode__tree_reserve_groups(tree, groups));
    for (uint32_t i = 0; i < count && groups > 0; ++i)
        if (random_below(&random, 3) > 0)
            lode__tree_set_group(tree, i, random_below(&random, groups));
    assert_true(lode__tree_build(tree, leaves, count, tasks, &arena));
    free(leaves);
    lode__arena_free(&arena);
}

static void assert_same_trees(const lode__tree *a, const lode__tree *b, uint32_t count)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->node_end, b->node_end);
    assert_memory_equal(a->leaf_of, b->leaf_of, count * sizeof *a->leaf_of);
    for (uint32_t n = 0; n < a->node_end; ++n) {
        if (n == 1) /* the root has no sibling */
            continue;
        assert_memory_equal(a->nodes[n].lo, b->nodes[n].lo, sizeof a->nodes[n].lo);
        assert_memory_equal(a->nodes[n].hi, b->nodes[n].hi, sizeof a->nodes[n].hi);
        assert_int_equal(a->nodes[n].child, b->nodes[n].child);
        assert_int_equal(a->nodes[n].parent, b->nodes[n].parent);
    }
}

static void check_threads(uint32_t count, uint32_t groups, bool equal)
{
    static const int threads[] = {2, 3, 8};
    lode__tree alone, shared;
    build_crowd(&alone, count, groups, equal, NULL);
    lode__tree_validate(&alone);
    for (int t = 0; t < 3; ++t) {
        lode__tasks *tasks = lode__tasks_create(threads[t], NULL);
        assert_non_null(tasks);
        build_crowd(&shared, count, groups, equal, tasks);
        assert_same_trees(&alone, &shared, count);
        lode__tree_free(&shared);
        lode__tasks_destroy(tasks);
    }
    lode__tree_free(&alone);
}

static void threads_build_the_same_tree(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 255, 256, 257, 1000, 5000, 20000};
    for (int c = 0; c < (int)(sizeof counts / sizeof counts[0]); ++c)
        for (int equal = 0; equal < 2; ++equal) {
            check_threads(counts[c], 0, equal);
            check_threads(counts[c], 1 + counts[c] / 9, equal);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_find_what_brute_force_finds),
        cmocka_unit_test(an_entry_finds_itself_a_place),
        cmocka_unit_test(an_empty_tree_has_no_answers),
        cmocka_unit_test(equal_boxes_do_not_make_a_chain),
        cmocka_unit_test(threads_build_the_same_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_tree.c: the tree against brute force, through random insertions, moves and removals. */
#include "tests/support/test.h"

#include "collide/tree.h"
#include "tests/support/random.h"

enum { SHAPES = 400 };

typedef struct forest {
    lode__tree tree;
    lode__arena arena;
    lode__aabb box[SHAPES];
    bool present[SHAPES];
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
    lode__tree_update(&f->tree, shapes, boxes, count, &f->arena);
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

static void queries_find_what_brute_force_finds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        forest f;
        set_up(&f, seed);
        for (int round = 0; round < 300; ++round) {
            uint32_t sort = random_below(&f.random, 10);
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
        }
        tear_down(&f);
    }
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
                lode__tree_update(&f.tree, &shapes[s], &boxes[s], 1, &f.arena);
        }
        if (at_once)
            lode__tree_update(&f.tree, shapes, boxes, SHAPES, &f.arena);
        lode__tree_validate(&f.tree);
        for (uint32_t s = 0; s < SHAPES; ++s)
            assert_in_range(depth_of(&f.tree, f.tree.leaf_of[s]), 1, 32);
        tear_down(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_find_what_brute_force_finds),
        cmocka_unit_test(an_empty_tree_has_no_answers),
        cmocka_unit_test(equal_boxes_do_not_make_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

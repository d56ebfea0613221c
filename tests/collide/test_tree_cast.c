/* Rays in trees against brute force: trees by insertion and by building, and a chain deeper than
 * the walk's stack. */
#include "tests/support/test.h"

#include "collide/kernels.h"
#include "collide/tree_cast.h"
#include "lode/setup.h"
#include "tests/support/random.h"

enum { LEAVES = 500, RAYS = 2000 };

typedef struct found {
    bool seen[LEAVES];
    int count;
    const lode__slabs *slabs;
    const lode__tree *tree;
    bool closest;
} found;

static lode_real hear(void *context, uint32_t shape, lode_real most)
{
    found *f = context;
    assert_false(f->seen[shape]);
    f->seen[shape] = true;
    ++f->count;
    return f->closest
               ? r_min(most, lode__slabs_enter(f->slabs, lode__tree_leaf(f->tree, shape), most))
               : most;
}

static lode_real between(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

static lode__aabb random_box(test_random *random)
{
    lode__aabb box = {{0}, {0}};
    for (int i = 0; i < 3; ++i) {
        box.lo[i] = between(random, -10, 10);
        box.hi[i] = box.lo[i] + between(random, 0, 2);
    }
    return box;
}

/* A ray meets a box if it does in exact arithmetic, so nearly in double; one that runs along a
 * border within rounding may do either. */
static bool meets(const double o[3], const double d[3], const lode__node *box, double most,
                  double grow)
{
    double enter = 0, leave = most;
    for (int i = 0; i < 3; ++i) {
        double lo = (double)box->lo[i] - grow, hi = (double)box->hi[i] + grow;
        if (d[i] == 0) {
            if (o[i] < lo || o[i] > hi)
                return false;
            continue;
        }
        double a = (lo - o[i]) / d[i], b = (hi - o[i]) / d[i];
        enter = a < b ? (a > enter ? a : enter) : (b > enter ? b : enter);
        leave = a < b ? (b < leave ? b : leave) : (a < leave ? a : leave);
    }
    return enter <= leave;
}

static void cast_all(const lode__tree *tree, test_random *random)
{
    const double small = 200 * (double)REAL_EPSILON;
    for (int r = 0; r < RAYS; ++r) {
        lode_real o[3], d[3], most = r % 7 ? between(random, 0, 40) : REAL_MAX;
        for (int i = 0; i < 3; ++i) {
            o[i] = between(random, -12, 12);
            d[i] = r % 3 ? between(random, -1, 1) : (lode_real)((int)random_below(random, 3) - 1);
        }
        if (r % 5 == 0) /* from a corner */
            for (int i = 0; i < 3; ++i)
                o[i] = lode__tree_leaf(tree, (uint32_t)r % LEAVES)->lo[i];
        lode__slabs slabs;
        lode__slabs_set(&slabs, v3(o[0], o[1], o[2]), v3(d[0], d[1], d[2]), v3_zero());
        found all = {.slabs = &slabs, .tree = tree};
        lode__tree_cast(tree, &slabs, most, hear, &all);
        lode_real best = REAL_MAX;
        for (uint32_t s = 0; s < LEAVES; ++s) {
            const double od[3] = {(double)o[0], (double)o[1], (double)o[2]};
            const double dd[3] = {(double)d[0], (double)d[1], (double)d[2]};
            const lode__node *leaf = lode__tree_leaf(tree, s);
            lode_real enter = lode__slabs_enter(&slabs, leaf, most);
            assert_int_equal(all.seen[s], enter <= most);
            assert_true(!(enter != enter));
            if (meets(od, dd, leaf, (double)most, 0))
                assert_true(all.seen[s]);
            if (!meets(od, dd, leaf, (double)most * (1 + small) + small, small))
                assert_false(all.seen[s]);
            best = r_min(best, enter);
        }
        found some = {.slabs = &slabs, .tree = tree, .closest = true};
        lode__tree_cast(tree, &slabs, most, hear, &some);
        assert_true(some.count <= all.count && (some.count > 0) == (all.count > 0));
        for (uint32_t s = 0; s < LEAVES; ++s)
            if (best <= most && lode__slabs_enter(&slabs, lode__tree_leaf(tree, s), most) == best)
                assert_true(some.seen[s]); /* all that are equally near */
    }
}

static void trees_show_all_that_the_ray_meets(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 5; ++seed) {
        test_random random = {seed};
        lode__tree tree;
        lode__arena arena = {0};
        uint32_t shapes[LEAVES];
        lode__aabb boxes[LEAVES];
        lode__tree_init(&tree);
        assert_true(lode__tree_reserve(&tree, LEAVES, LEAVES));
        for (uint32_t s = 0; s < LEAVES; ++s) {
            shapes[s] = s;
            boxes[s] = random_box(&random);
            if (seed & 1)
                lode__tree_update(&tree, &s, &boxes[s], 1, NULL, &arena);
        }
        if (!(seed & 1))
            lode__tree_update(&tree, shapes, boxes, LEAVES, NULL, &arena);
        cast_all(&tree, &random);
        lode__tree_free(&tree);
        lode__arena_free(&arena);
    }
}

/* Each pair is a leaf and the rest of the tree. */
static void a_chain_is_walked_to_its_end(void **state)
{
    (void)state;
    test_random random = {9};
    lode__tree tree;
    lode__tree_init(&tree);
    assert_true(lode__tree_reserve(&tree, LEAVES, LEAVES));
    uint32_t rest = 0;
    tree.nodes[0].parent = LODE__NO_NODE;
    for (uint32_t s = 0; s + 1 < LEAVES; ++s) {
        uint32_t pair = 2 * s + 2, leaf = pair + random_below(&random, 2);
        lode__aabb box = random_box(&random), last = random_box(&random);
        tree.nodes[rest].child = pair;
        tree.nodes[pair].parent = tree.nodes[pair + 1].parent = rest;
        rest = leaf ^ 1;
        for (uint32_t k = 0; k < 2; ++k) {
            lode__node *node = &tree.nodes[k ? rest : leaf];
            const lode__aabb *from = k ? &last : &box;
            uint32_t shape = s + k;
            for (int i = 0; i < 3; ++i) {
                node->lo[i] = from->lo[i];
                node->hi[i] = from->hi[i];
            }
            node->child = shape | LODE__LEAF;
            tree.leaf_of[shape] = k ? rest : leaf;
        }
    }
    for (uint32_t pair = 2 * (LEAVES - 1); pair >= 2; pair -= 2)
        lode__node_unite(&tree.nodes[tree.nodes[pair].parent], &tree.nodes[pair],
                         &tree.nodes[pair + 1]);
    tree.count = LEAVES;
    tree.node_end = 2 * LEAVES;
    lode__tree_validate(&tree);
    cast_all(&tree, &random);
    lode__tree_free(&tree);
}

/* Each instruction set's kernel says of eight rays what lode__slabs_enter() says of each. */
static void kernels_say_what_single_rays_say(void **state)
{
    (void)state;
    int sets = 0;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        test_random random = {21};
        int entered = 0;
        ++sets;
        for (int round = 0; round < 20000; ++round) {
            lode__slabs slabs[LODE_LANES];
            lode__ray_batch batch;
            lode__aabb box = random_box(&random);
            uint32_t signs = random_below(&random, 8);
            for (int lane = 0; lane < LODE_LANES; ++lane) {
                lode_real o[3], d[3], back = between(&random, -1, 10);
                for (int i = 0; i < 3; ++i) {
                    d[i] = random_below(&random, 8) ? between(&random, 0.01, 1) : 0;
                    d[i] = signs >> i & 1 ? (d[i] > 0 ? -d[i] : (lode_real)-0.5) : d[i];
                    o[i] = random_below(&random, 8) ? between(&random, box.lo[i], box.hi[i])
                                                    : box.lo[i];
                    o[i] -= d[i] * back + (lane % 2 ? 0 : between(&random, -1, 1));
                }
                lode__slabs_set(&slabs[lane], v3(o[0], o[1], o[2]), v3(d[0], d[1], d[2]),
                                v3_zero());
                batch.most.x[lane] = lane == 3 ? -1 : between(&random, 0, 30);
                for (int i = 0; i < 3; ++i) {
                    batch.origin[i].x[lane] = slabs[lane].origin[i];
                    batch.inverse[i].x[lane] = slabs[lane].inverse[i];
                    batch.near[i] = slabs[lane].near[i];
                    batch.far[i] = slabs[lane].far[i];
                }
            }
            lode__lanes enter;
            unsigned lanes = kernels->enter_box(&batch, box.lo, &enter);
            for (int lane = 0; lane < LODE_LANES; ++lane) {
                lode_real most = batch.most.x[lane];
                bool enters = lode__slabs_enter(&slabs[lane], &box, most) <= most;
                assert_int_equal(lanes >> lane & 1, enters);
                if (enters)
                    assert_true(enter.x[lane] == lode__slabs_enter(&slabs[lane], &box, most));
                entered += enters;
            }
        }
        assert_true(entered > 20000);
    }
    assert_true(sets > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_show_all_that_the_ray_meets),
        cmocka_unit_test(a_chain_is_walked_to_its_end),
        cmocka_unit_test(kernels_say_what_single_rays_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The tree over a mesh's triangles: each triangle in one leaf, boxes that hold what is below, no
 * more waiting than a walk has room for, and near the leaves the nodes of least surface, which are
 * looked for by trying all. */
#include "tests/support/test.h"

#include "collide/mesh_treelet.h"
#include "tests/collide/meshes.h"

#include <stdlib.h>
#include <string.h>

static mesh_draft draft;

/* --- shape of the tree */

typedef struct survey {
    const lode__mesh *mesh;
    int seen[40000]; /* by place */
    uint32_t nodes, most_waiting;
} survey;

static survey s;

/* The box of a child, as the node says. */
static lode__mesh_box child_box(const lode__mesh_node *node, int k)
{
    lode__mesh_box box = {{0}, {0}};
    for (int i = 0; i < 3; ++i) {
        box.lo[i] = node->lo[i] + node->step[i] * (float)node->child_lo[i][k];
        box.hi[i] = node->lo[i] + node->step[i] * (float)node->child_hi[i][k];
    }
    return box;
}

static void look_at_leaf(uint32_t leaf, const lode__mesh_box *box)
{
    uint32_t place = leaf & (LODE__MESH_PLACES - 1), count = (leaf >> 28 & 7) + 1;
    assert_true(count <= LODE__MESH_LEAF && place + count <= s.mesh->counted);
    for (uint32_t i = place; i < place + count; ++i) {
        lode__triangle t = mesh_triangle(s.mesh, s.mesh->order[i]);
        ++s.seen[i];
        for (int c = 0; c < 3; ++c) {
            const lode_real x[3] = {t.v[c].x, t.v[c].y, t.v[c].z};
            for (int k = 0; k < 3; ++k)
                assert_true((double)box->lo[k] <= (double)x[k] &&
                            (double)x[k] <= (double)box->hi[k]);
        }
    }
}

static void look_below(uint32_t place, const lode__mesh_box *within, uint32_t waiting)
{
    const lode__mesh_node *node = &s.mesh->nodes[place];
    uint32_t count = 0;
    ++s.nodes;
    for (int k = 0; k < LODE__MESH_WIDE; ++k) {
        bool used = node->child[k] != LODE__MESH_NO_CHILD;
        assert_int_equal(node->used >> k & 1, used);
        assert_true(!used || k == (int)count); /* none behind a gap */
        count += used;
    }
    waiting += count;
    s.most_waiting = waiting > s.most_waiting ? waiting : s.most_waiting;
    for (uint32_t k = 0; k < count; ++k) {
        lode__mesh_box box = child_box(node, (int)k);
        for (int i = 0; i < 3 && within; ++i) /* but for the rounding of a step */
            assert_true(box.hi[i] >= within->lo[i] && box.lo[i] <= within->hi[i]);
        if (node->child[k] & LODE__MESH_LEAF_BIT)
            look_at_leaf(node->child[k], &box);
        else
            look_below(node->child[k], &box, waiting - 1);
    }
}

static void look_at(const mesh_draft *d)
{
    lode_mesh_def def = draft_def(d);
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    memset(&s, 0, sizeof s);
    s.mesh = mesh;
    look_below(0, NULL, 0);
    assert_int_equal(s.nodes, mesh->node_count);
    assert_true(s.most_waiting <= LODE__MESH_STACK);
    for (uint32_t i = 0; i < mesh->counted; ++i)
        assert_int_equal(s.seen[i], 1);
    lode_mesh_release(mesh);
}

static void add_small(mesh_draft *d, double x, double y, double z, double size)
{
    uint32_t v = draft_vertex(d, x, y, z);
    draft_vertex(d, x + size, y, z);
    draft_vertex(d, x, y + size, z + size / 2);
    draft_triangle(d, v, v + 1, v + 2);
}

static void each_triangle_is_in_one_leaf(void **state)
{
    (void)state;
    test_random random = {3};
    for (int n = 1; n <= 6000; n = n * 2 + (n & 1)) {
        draft.vertex_count = draft.triangle_count = 0;
        for (int t = 0; t < n; ++t)
            add_small(&draft, random_between(&random, -9, 9), random_between(&random, -9, 9),
                      random_between(&random, -1, 1), random_between(&random, 0.01, 1));
        look_at(&draft);
    }
}

/* Each cut that the heuristic likes takes a few off a long row: triangles that grow twofold, or by
 * a hair, and heaps in one place. */
static void no_walk_waits_for_more_than_it_has_room_for(void **state)
{
    (void)state;
    static const double grow[] = {2, 1.3, 1.05, 1.01, 1};
    for (size_t g = 0; g < sizeof grow / sizeof *grow; ++g)
        for (int n = 60; n <= 6000; n *= 10) {
            double at = 1e-7;
            draft.vertex_count = draft.triangle_count = 0;
            for (int t = 0; t < n; ++t) {
                add_small(&draft, at, 0, 0, at / 10);
                at = at * grow[g] > 1e6 ? 1e-7 * (1 + 1e-3 * (t % 97)) : at * grow[g];
            }
            look_at(&draft);
        }
}

/* --- the least surface */

static lode__treelet treelet;

/* Of a part with so many slots, by trying every way to share them out. */
static double least_surface(uint32_t i, int slots)
{
    const lode__treelet_part *p = &treelet.parts[i];
    if (p->right == 0)
        return 0;
    double own = (double)mesh_box_area(&p->range.box), least = INFINITY;
    for (int left = 1; left < LODE__MESH_WIDE; ++left)
        least = fmin(least,
                     least_surface(i + 1, left) + least_surface(p->right, LODE__MESH_WIDE - left));
    least += own;
    for (int left = 1; left < slots; ++left)
        least = fmin(least, least_surface(i + 1, left) + least_surface(p->right, slots - left));
    return least;
}

/* Of the nodes that are made; counts them. */
static double made_surface(uint32_t i, int *nodes)
{
    uint32_t children[LODE__MESH_WIDE];
    double sum = (double)mesh_box_area(&treelet.parts[i].range.box);
    int count = lode__treelet_children(&treelet, i, children);
    assert_in_range(count, 1, LODE__MESH_WIDE);
    ++*nodes;
    for (int k = 0; k < count; ++k)
        if (treelet.parts[children[k]].right)
            sum += made_surface(children[k], nodes);
    return sum;
}

static void nodes_have_the_least_surface(void **state)
{
    (void)state;
    enum { MOST = 60 };
    test_random random = {5};
    int most_nodes = 0;
    for (int round = 0; round < 60; ++round) {
        uint32_t order[MOST], n = 8 + (uint32_t)random_between(&random, 0, MOST - 8);
        lode__mesh_box boxes[MOST];
        for (uint32_t t = 0; t < n; ++t) {
            order[t] = t;
            for (int i = 0; i < 3; ++i) {
                boxes[t].lo[i] = (float)random_between(&random, -5, 5);
                boxes[t].hi[i] = boxes[t].lo[i] + (float)random_between(&random, 0, 3);
            }
            boxes[t].lo[3] = boxes[t].hi[3] = 0;
        }
        const lode__mesh_heap heap = {order, boxes};
        lode__mesh_range all = lode__mesh_range_of(&heap, 0, n);
        lode__treelet_make(&treelet, &heap, &all);
        int nodes = 0;
        double made = made_surface(0, &nodes), least = least_surface(0, 1);
        assert_true(fabs(made - least) <= 1e-5 * least);
        most_nodes = nodes > most_nodes ? nodes : most_nodes;
    }
    assert_true(most_nodes >= 3); /* there was something to choose */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_triangle_is_in_one_leaf),
        cmocka_unit_test(no_walk_waits_for_more_than_it_has_room_for),
        cmocka_unit_test(nodes_have_the_least_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

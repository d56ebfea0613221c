/* mesh_tree.c: the tree over a mesh's triangles; mesh_walk.c walks it.
 *
 * From the top a node takes a range of triangles and cuts its largest part in two until it has
 * sixteen, so the binary tree is never made; ranges of up to four triangles are leaves. Ranges that
 * have become small are cut down to leaves first, and their nodes are chosen then
 * (mesh_treelet.h): near the leaves it matters most how many a node takes together.
 *
 * Boxes are in single precision, rounded outwards. A cut that leaves nothing on one side, or one
 * too deep, halves the range instead. So at most 22 nodes lie beneath one another down to where
 * treelets begin, and 24 in these, which bounds the stack of a walk: LODE__MESH_STACK. */
#include "collide/float_bounds.h"
#include "collide/mesh_treelet.h"
#include "core/memory.h"

enum { DEEP = 16 };

typedef lode__mesh_box box;
typedef lode__mesh_range range;

typedef struct build {
    lode__mesh *mesh;
    lode__mesh_heap heap;
    lode__treelet *treelet;
    uint32_t node_capacity;
    bool failed;
} build;

static box box_of(const lode__triangle *t)
{
    lode_vec3 lo = v3_min(v3_min(t->v[0], t->v[1]), t->v[2]);
    lode_vec3 hi = v3_max(v3_max(t->v[0], t->v[1]), t->v[2]);
    return (box){{float_below(lo.x), float_below(lo.y), float_below(lo.z)},
                 {float_above(hi.x), float_above(hi.y), float_above(hi.z)}};
}

/* --- nodes */

/* A power of two, so that steps are exact. */
static float step_of(float width)
{
    float step = FLT_MIN;
    uint32_t bits;
    width /= 255;
    if (!(width > step))
        return step;
    memcpy(&bits, &width, sizeof bits);
    bits = (bits & 0x7f800000u) + 0x00800000u;
    memcpy(&step, &bits, sizeof step);
    return step;
}

static uint8_t round_steps(float x, float lo, float step, bool up)
{
    float q = (x - lo) / step;
    int k = (int)q;
    k += up && (float)k < q;
    if (up && k < 255 && lo + (float)k * step < x)
        ++k;
    if (!up && k > 0 && lo + (float)k * step > x)
        --k;
    return (uint8_t)(k < 0 ? 0 : k > 255 ? 255 : k);
}

static void pack_box(lode__mesh_node *node, int child, const box *b)
{
    for (int i = 0; i < 3; ++i) {
        node->child_lo[i][child] = round_steps(b->lo[i], node->lo[i], node->step[i], false);
        node->child_hi[i][child] = round_steps(b->hi[i], node->lo[i], node->step[i], true);
    }
}

static uint32_t add_node(build *b, const box *box)
{
    lode__mesh *mesh = b->mesh;
    if (!lode__grow((void **)&mesh->nodes, &b->node_capacity, mesh->node_count + 1,
                    sizeof *mesh->nodes)) {
        b->failed = true;
        return LODE__MESH_NO_CHILD;
    }
    lode__mesh_node *node = &mesh->nodes[mesh->node_count];
    memset(node, 0, sizeof *node);
    for (int i = 0; i < 3; ++i) {
        node->lo[i] = box->lo[i];
        node->step[i] = step_of(box->hi[i] - box->lo[i]);
    }
    for (int k = 0; k < LODE__MESH_WIDE; ++k)
        node->child[k] = LODE__MESH_NO_CHILD;
    return mesh->node_count++;
}

/* Cuts a range in up to sixteen. */
static int cut_up(const build *b, range children[LODE__MESH_WIDE], const range *whole, int depth)
{
    int count = 1;
    children[0] = *whole;
    while (count < LODE__MESH_WIDE) {
        int largest = -1;
        float most = -1;
        for (int k = 0; k < count; ++k) {
            bool divides = mesh_range_size(&children[k]) > LODE__MESH_LEAF;
            float size = depth > DEEP ? (float)mesh_range_size(&children[k])
                                      : mesh_box_area(&children[k].box);
            if (divides && size > most) {
                most = size;
                largest = k;
            }
        }
        if (largest < 0)
            break;
        lode__mesh_cut(&b->heap, depth > DEEP, &children[largest], &children[count]);
        ++count;
    }
    return count;
}

static uint32_t leaf_of(const range *range)
{
    return LODE__MESH_LEAF_BIT | (mesh_range_size(range) - 1) << 28 | range->begin;
}

static void set_child(const build *b, uint32_t node, int k, const range *range, uint32_t child)
{
    if (b->failed)
        return;
    lode__mesh_node *n = &b->mesh->nodes[node];
    n->child[k] = child;
    n->used |= 1u << k;
    pack_box(n, k, &range->box);
}

/* A node of the treelet, and all beneath it. */
static uint32_t build_part(build *b, uint32_t part)
{
    const lode__treelet_part *parts = b->treelet->parts;
    uint32_t children[LODE__MESH_WIDE];
    uint32_t node = add_node(b, &parts[part].range.box);
    int count = lode__treelet_children(b->treelet, part, children);
    for (int k = 0; k < count && !b->failed; ++k) {
        const lode__treelet_part *child = &parts[children[k]];
        uint32_t built = child->right ? build_part(b, children[k]) : leaf_of(&child->range);
        set_child(b, node, k, &child->range, built);
    }
    return node;
}

static uint32_t build_node(build *b, const range *whole, int depth)
{
    if (mesh_range_size(whole) <= LODE__TREELET) {
        lode__treelet_make(b->treelet, &b->heap, whole);
        return build_part(b, 0);
    }
    range children[LODE__MESH_WIDE];
    uint32_t node = add_node(b, &whole->box);
    int count = cut_up(b, children, whole, depth);
    for (int k = 0; k < count && !b->failed; ++k) {
        bool leaf = mesh_range_size(&children[k]) <= LODE__MESH_LEAF;
        uint32_t child = leaf ? leaf_of(&children[k]) : build_node(b, &children[k], depth + 1);
        set_child(b, node, k, &children[k], child);
    }
    return node;
}

/* As large as it needs to be. */
static bool trim_nodes(build *b)
{
    lode__mesh *mesh = b->mesh;
    size_t size = mesh->node_count * sizeof *mesh->nodes;
    lode__mesh_node *nodes = b->failed ? NULL : lode__alloc(size);
    if (nodes)
        memcpy(nodes, mesh->nodes, size);
    lode__free(mesh->nodes, b->node_capacity * sizeof *mesh->nodes);
    mesh->nodes = nodes;
    return nodes != NULL;
}

bool lode__mesh_build_tree(lode__mesh *mesh, lode__mesh_box *boxes)
{
    build b = {.mesh = mesh, .heap = {mesh->order, boxes}};
    mesh->counted = 0;
    mesh->lower = v3(REAL_MAX, REAL_MAX, REAL_MAX);
    mesh->upper = v3_neg(mesh->lower);
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        if (mesh->flags[t] & LODE__TRIANGLE_IGNORED)
            continue;
        lode__triangle triangle = mesh_triangle(mesh, t);
        boxes[mesh->counted] = box_of(&triangle);
        mesh->order[mesh->counted++] = t;
        for (int k = 0; k < 3; ++k) {
            mesh->lower = v3_min(mesh->lower, triangle.v[k]);
            mesh->upper = v3_max(mesh->upper, triangle.v[k]);
        }
    }
    b.treelet = lode__alloc(sizeof *b.treelet);
    if (!b.treelet)
        return false;
    range all = lode__mesh_range_of(&b.heap, 0, mesh->counted);
    build_node(&b, &all, 0);
    lode__free(b.treelet, sizeof *b.treelet);
    return trim_nodes(&b);
}

/* mesh_treelet.c: see mesh_treelet.h. */
#include "collide/mesh_treelet.h"

#include <float.h>

/* So many cuts beneath one another the heuristic chooses; what is left then is halved. */
enum { DEEP = 16 };

typedef lode__treelet treelet;
typedef lode__treelet_part part;

/* --- cutting */

static void grow(treelet *t, const lode__mesh_heap *heap, const lode__mesh_range *range, int depth)
{
    part *p = &t->parts[t->count++];
    p->range = *range;
    p->right = 0;
    if (mesh_range_size(range) <= LODE__MESH_LEAF)
        return;
    lode__mesh_range left = *range, right;
    lode__mesh_cut(heap, depth >= DEEP, &left, &right);
    grow(t, heap, &left, depth + 1);
    p->right = t->count;
    grow(t, heap, &right, depth + 1);
}

/* --- taking together */

static void weigh_leaf(part *p)
{
    for (int k = 0; k < LODE__MESH_WIDE; ++k) {
        p->cost[k] = 0;
        p->share[k] = 0;
    }
}

/* Both parts' least cost with so many slots, of which each takes one at least; the left one's. */
static float least_of_both(const part *left, const part *right, int slots, uint8_t *out_share)
{
    float least = FLT_MAX;
    for (int share = 1; share < slots; ++share) {
        float cost = left->cost[share - 1] + right->cost[slots - share - 1];
        if (cost < least) {
            least = cost;
            *out_share = (uint8_t)share;
        }
    }
    return least;
}

/* What fewer slots do, more do too. */
static void weigh_pair(part *p, const part *left, const part *right)
{
    float inside = least_of_both(left, right, LODE__MESH_WIDE, &p->open);
    p->cost[0] = mesh_box_area(&p->range.box) + inside;
    p->share[0] = 0;
    for (int slots = 2; slots <= LODE__MESH_WIDE; ++slots) {
        uint8_t share = 0;
        float cost = least_of_both(left, right, slots, &share);
        bool better = cost < p->cost[slots - 2];
        p->cost[slots - 1] = better ? cost : p->cost[slots - 2];
        p->share[slots - 1] = better ? share : p->share[slots - 2];
    }
}

void lode__treelet_make(lode__treelet *treelet, const lode__mesh_heap *heap,
                        const lode__mesh_range *whole)
{
    treelet->count = 0;
    grow(treelet, heap, whole, 0);
    for (uint32_t i = treelet->count; i-- > 0;) {
        part *p = &treelet->parts[i];
        if (p->right)
            weigh_pair(p, p + 1, &treelet->parts[p->right]);
        else
            weigh_leaf(p);
    }
}

/* --- nodes */

/* Parts that take one slot each, of a part with so many. */
static int gather(const treelet *t, uint32_t i, int slots, uint32_t *out_parts)
{
    const part *p = &t->parts[i];
    int share = p->share[slots - 1];
    if (share == 0) {
        out_parts[0] = i;
        return 1;
    }
    int count = gather(t, i + 1, share, out_parts);
    return count + gather(t, p->right, slots - share, out_parts + count);
}

int lode__treelet_children(const lode__treelet *treelet, uint32_t part,
                           uint32_t out_parts[LODE__MESH_WIDE])
{
    const lode__treelet_part *p = &treelet->parts[part];
    if (p->right == 0)
        return gather(treelet, part, 1, out_parts);
    int count = gather(treelet, part + 1, p->open, out_parts);
    return count + gather(treelet, p->right, LODE__MESH_WIDE - p->open, out_parts + count);
}

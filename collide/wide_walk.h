/* wide_walk.h: a ray, or a box that is swept along one, through a wide tree; kernel text, see
 * simd/wide.h.
 *
 * A node's children are asked at once, by the operations of lode__slabs_enter(), in the same order:
 * where a ray enters a leaf is the same number whoever computes it. Those that are entered go on
 * the stack, the nearest on top; most of them are behind the closest hit by the time their turn
 * comes. */
#ifndef LODE_COLLIDE_WIDE_WALK_H
#define LODE_COLLIDE_WIDE_WALK_H

#include "collide/place.h"
#include "collide/ray_box.h"
#include "collide/tree_cast.h"
#include "collide/wide_tree.h"

typedef struct wide_entry {
    lode_real at; /* where the box is entered */
    uint32_t child;
} wide_entry;

/* Which of the children from `lane` on are entered within `most`, a bit for each, and where. */
LODE__INLINE unsigned enter_children(const lode__slabs *slabs, const lode__wide_node *node,
                                     lode_real most, int lane, lode__lanes *out_enter)
{
    wreal longer = w_splat(1 + 4 * REAL_EPSILON);
    wreal enter = w_zero(), leave = w_splat(most);
    for (int i = 0; i < 3; ++i) {
        wreal near = w_load(node->box[slabs_plane(slabs->near[i])].x + lane);
        wreal far = w_load(node->box[slabs_plane(slabs->far[i])].x + lane);
        wreal inverse = w_splat(slabs->inverse[i]);
        wreal to_near = w_mul(w_sub(near, w_splat(slabs->to_near[i])), inverse);
        wreal to_far = w_mul(w_sub(far, w_splat(slabs->to_far[i])), inverse);
        enter = w_max(to_near, enter);
        leave = w_min(w_mul(to_far, longer), leave);
    }
    w_store(out_enter->x + lane, enter);
    return m_bits(w_le(enter, leave));
}

/* What a child leads to comes into the cache while others are looked at; how much of it, is a
 * matter of measuring. */
LODE__INLINE void wide_fetch(const lode__wide_tree *wide, uint32_t child)
{
    const char *at = child & LODE__LEAF ? (const char *)&wide->leaves[child & ~(uint32_t)LODE__LEAF]
                                        : (const char *)&wide->nodes[child];
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
}

/* Each from its place downwards, until what is below it is farther. */
LODE__INLINE uint32_t wide_push(const lode__wide_tree *wide, wide_entry *stack, uint32_t depth,
                                const lode__slabs *slabs, uint32_t top, lode_real most)
{
    const lode__wide_node *node = &wide->nodes[top];
    lode__lanes enter;
    unsigned entered = 0;
    uint32_t begin = depth;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
        entered |= enter_children(slabs, node, most, lane, &enter) << lane;
    for (; entered; entered &= entered - 1) {
        int k = __builtin_ctz(entered);
        lode_real at = enter.x[k];
        uint32_t i = depth++;
        for (; i > begin && stack[i - 1].at < at; --i)
            stack[i] = stack[i - 1];
        stack[i] = (wide_entry){at, node->child[k]};
        wide_fetch(wide, node->child[k]);
    }
    return depth;
}

LODE__INLINE void wide_walk(const lode__wide_tree *wide, const lode__slabs *slabs, lode_real most,
                            lode__placed_fn *look, void *context)
{
    wide_entry stack[LODE__WIDE_STACK];
    uint32_t depth = wide_push(wide, stack, 0, slabs, 0, most);
    while (depth > 0) {
        wide_entry next = stack[--depth];
        if (!(next.at <= most))
            continue;
        if (next.child & LODE__LEAF)
            most = look(context, &wide->leaves[next.child & ~(uint32_t)LODE__LEAF], next.at, most);
        else
            depth = wide_push(wide, stack, depth, slabs, next.child, most);
    }
}

/* --- eight rays */

/* Some of the rays wait for a child. */
typedef struct wide_batch_entry {
    lode_real at; /* where the first of them enters */
    uint32_t child;
    unsigned lanes;
} wide_batch_entry;

/* The children that some of the rays may enter. */
LODE__INLINE unsigned wide_sift(const lode__ray_batch *batch, const ray_sheaf *sheaf,
                                const lode__wide_node *node, lode_real most)
{
    unsigned may = 0;
    if (!sheaf->any)
        return (1u << LODE_LANES) - 1;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal longer = w_splat(1 + 4 * REAL_EPSILON);
        wreal enter = w_zero(), leave = w_splat(most);
        for (int i = 0; i < 3; ++i) {
            wreal near = w_load(node->box[slabs_plane(batch->near[i])].x + lane);
            wreal far = w_load(node->box[slabs_plane(batch->far[i])].x + lane);
            enter = w_max(sheaf_least(sheaf, i, near), enter);
            leave = w_min(w_mul(sheaf_most(sheaf, i, far), longer), leave);
        }
        may |= m_bits(w_le(enter, leave)) << lane;
    }
    return may;
}

/* The rays that enter a child, a bit each, and where the first of them does. */
LODE__INLINE unsigned wide_enter_child(const lode__ray_batch *batch, const lode__wide_node *node,
                                       int child, lode_real *out_at)
{
    lode_real near[3], far[3];
    lode__lanes enters;
    unsigned lanes = 0;
    for (int i = 0; i < 3; ++i) {
        near[i] = node->box[slabs_plane(batch->near[i])].x[child];
        far[i] = node->box[slabs_plane(batch->far[i])].x[child];
    }
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal enter;
        wmask in = enter_corners(batch, near, far, lane, &enter);
        w_store(enters.x + lane, w_select(in, enter, w_splat(REAL_MAX)));
        lanes |= m_bits(in) << lane;
    }
    *out_at = least_of(&enters);
    return lanes;
}

LODE__INLINE uint32_t wide_push_batch(wide_batch_entry *stack, uint32_t depth,
                                      const lode__ray_batch *batch, const ray_sheaf *sheaf,
                                      const lode__wide_node *node, lode_real most, unsigned among)
{
    uint32_t begin = depth;
    for (unsigned may = wide_sift(batch, sheaf, node, most); may; may &= may - 1) {
        int k = __builtin_ctz(may);
        lode_real at;
        unsigned lanes = wide_enter_child(batch, node, k, &at) & among;
        if (lanes == 0)
            continue;
        uint32_t i = depth++;
        for (; i > begin && stack[i - 1].at < at; --i)
            stack[i] = stack[i - 1];
        stack[i] = (wide_batch_entry){at, node->child[k], lanes};
    }
    return depth;
}

/* What is below a node, for one of the rays. */
LODE__INLINE void wide_walk_lane(const lode__wide_tree *wide, const lode__ray_batch *batch,
                                 int lane, uint32_t node, lode__placed_batch_fn *look,
                                 void *context)
{
    wide_entry stack[LODE__WIDE_STACK];
    const lode__slabs *slabs = batch->slabs[lane];
    lode__lanes enter;
    uint32_t depth = wide_push(wide, stack, 0, slabs, node, batch->most.x[lane]);
    while (depth > 0) {
        wide_entry next = stack[--depth];
        if (!(next.at <= batch->most.x[lane]))
            continue;
        if (!(next.child & LODE__LEAF)) {
            depth = wide_push(wide, stack, depth, slabs, next.child, batch->most.x[lane]);
            continue;
        }
        enter.x[lane] = next.at;
        look(context, &wide->leaves[next.child & ~(uint32_t)LODE__LEAF], 1u << lane, &enter);
    }
}

/* Shapes are asked again when their turn comes, since hits have shortened the rays by then. Where
 * few rays are left they go on one by one, a node's children at once (Benthin et al. 2012,
 * "Combining single and packet-ray tracing"). */
LODE__INLINE void wide_walk_batch(const lode__wide_tree *wide, const lode__ray_batch *batch,
                                  lode__placed_batch_fn *look, void *context)
{
    wide_batch_entry stack[LODE__WIDE_STACK];
    ray_sheaf sheaf;
    sheaf_set(&sheaf, batch->origin, batch->inverse);
    lode_real most = greatest_of(&batch->most);
    uint32_t depth = wide_push_batch(stack, 0, batch, &sheaf, &wide->nodes[0], most,
                                     (1u << LODE_LANES) - 1);
    while (depth > 0) {
        wide_batch_entry next = stack[--depth];
        if (!(next.at <= most))
            continue;
        if (next.child & LODE__LEAF) {
            const lode__placed *placed = &wide->leaves[next.child & ~(uint32_t)LODE__LEAF];
            lode__lanes enter;
            unsigned lanes = enter_box(batch, placed->bounds.lo, &enter);
            if (lanes)
                look(context, placed, lanes, &enter);
        } else if (lanes_are_many(next.lanes)) {
            depth = wide_push_batch(stack, depth, batch, &sheaf, &wide->nodes[next.child], most,
                                    next.lanes);
            continue;
        } else {
            for (unsigned left = next.lanes; left; left &= left - 1)
                wide_walk_lane(wide, batch, __builtin_ctz(left), next.child, look, context);
        }
        most = greatest_of(&batch->most);
    }
}

#endif

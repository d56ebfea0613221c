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
 * matter of measuring. Nothing branches on what it is. */
LODE__INLINE void wide_fetch(const lode__wide_tree *wide, uint32_t child)
{
    const uintptr_t leaf = 0 - (uintptr_t)(child >> 31), place = child & ~(uint32_t)LODE__LEAF;
    const uintptr_t shape = (uintptr_t)wide->leaves + place * sizeof *wide->leaves;
    const uintptr_t node = (uintptr_t)wide->nodes + place * sizeof *wide->nodes;
    const char *at = (const char *)((shape & leaf) | (node & ~leaf));
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
}

/* Above `begin`, from its place downwards until what is below it is farther. */
LODE__INLINE void wide_keep(wide_entry *stack, uint32_t begin, uint32_t end, wide_entry entry)
{
    for (; end > begin && stack[end - 1].at < entry.at; --end)
        stack[end] = stack[end - 1];
    stack[end] = entry;
}

/* A walk's place in the tree: what comes next, and what waits, the nearest on top. */
typedef struct wide_trail {
    wide_entry next;
    uint32_t depth;
    wide_entry stack[LODE__WIDE_STACK];
} wide_trail;

/* On to the nearest that waits and is not behind `most`; false: there is none. */
LODE__INLINE bool wide_turn(wide_trail *trail, lode_real most)
{
    while (trail->depth > 0) {
        trail->next = trail->stack[--trail->depth];
        if (trail->next.at <= most)
            return true;
    }
    return false;
}

/* The children that the ray enters, a bit each, and where. */
LODE__INLINE unsigned wide_enter(const lode__wide_node *node, const lode__slabs *slabs,
                                 lode_real most, lode__lanes *out_enter)
{
    unsigned entered = 0;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
        entered |= enter_children(slabs, node, most, lane, out_enter) << lane;
    return entered;
}

/* On to the child that is entered first, while others wait. */
LODE__INLINE bool wide_descend(const lode__wide_tree *wide, wide_trail *trail, unsigned entered,
                               const lode__lanes *enter, lode_real most)
{
    const lode__wide_node *node = &wide->nodes[trail->next.child];
    uint32_t begin = trail->depth;
    if (entered == 0)
        return wide_turn(trail, most);
    int k = __builtin_ctz(entered);
    wide_entry first = {enter->x[k], node->child[k]};
    for (entered &= entered - 1; entered; entered &= entered - 1) {
        k = __builtin_ctz(entered);
        wide_entry other = {enter->x[k], node->child[k]}, later = other;
        wide_fetch(wide, other.child);
        if (other.at < first.at) {
            later = first;
            first = other;
        }
        wide_keep(trail->stack, begin, trail->depth++, later);
    }
    trail->next = first;
    return true;
}

LODE__INLINE const lode__placed *wide_leaf(const lode__wide_tree *wide, const wide_trail *trail)
{
    return &wide->leaves[trail->next.child & ~(uint32_t)LODE__LEAF];
}

LODE__INLINE void wide_walk(const lode__wide_tree *wide, const lode__slabs *slabs, lode_real most,
                            lode__placed_fn *look, void *context)
{
    wide_trail trail; /* its stack is nobody's yet */
    bool more = true;
    trail.next = (wide_entry){0, 0};
    trail.depth = 0;
    while (more) {
        if (trail.next.child & LODE__LEAF) {
            most = look(context, wide_leaf(wide, &trail), trail.next.at, most);
            more = wide_turn(&trail, most);
            continue;
        }
        lode__lanes enter;
        unsigned entered = wide_enter(&wide->nodes[trail.next.child], slabs, most, &enter);
        more = wide_descend(wide, &trail, entered, &enter, most);
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

/* Of rays that have come to nodes, each to its own. */
LODE__INLINE unsigned wide_descend_apart(const lode__wide_tree *wide, const lode__ray_batch *batch,
                                         wide_trail *trails, unsigned lanes)
{
    lode__lanes enter[LODE_LANES];
    unsigned entered[LODE_LANES], more = 0;
    for (unsigned left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        entered[lane] = wide_enter(&wide->nodes[trails[lane].next.child], batch->slabs[lane],
                                   batch->most.x[lane], &enter[lane]);
    }
    for (unsigned left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        bool on = wide_descend(wide, &trails[lane], entered[lane], &enter[lane],
                               batch->most.x[lane]);
        more |= on ? left & -left : 0;
    }
    return more;
}

/* Of rays that have come to leaves: those at the same shape look at it together. */
LODE__INLINE unsigned wide_look_apart(const lode__wide_tree *wide, const lode__ray_batch *batch,
                                      wide_trail *trails, unsigned lanes,
                                      lode__placed_batch_fn *look, void *context)
{
    unsigned more = 0;
    for (unsigned left = lanes; left;) {
        const wide_trail *first = &trails[__builtin_ctz(left)];
        lode__lanes enter;
        unsigned alike = 0;
        for (unsigned others = left; others; others &= others - 1) {
            int lane = __builtin_ctz(others);
            bool same = trails[lane].next.child == first->next.child;
            enter.x[lane] = trails[lane].next.at;
            alike |= same ? others & -others : 0;
        }
        look(context, wide_leaf(wide, first), alike, &enter);
        left &= ~alike;
    }
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        more |= wide_turn(&trails[lane], batch->most.x[lane]) ? lanes & -lanes : 0;
    }
    return more;
}

/* What is below a node, for rays that go their own ways: step by step, each step first computed for
 * all, so that none waits for another, and only then acted upon, where branches are hard to
 * guess. */
LODE__INLINE void wide_walk_apart(const lode__wide_tree *wide, const lode__ray_batch *batch,
                                  unsigned lanes, uint32_t node, lode__placed_batch_fn *look,
                                  void *context)
{
    wide_trail trails[LODE_LANES]; /* their stacks are nobody's yet */
    for (unsigned left = lanes; left; left &= left - 1) {
        trails[__builtin_ctz(left)].next = (wide_entry){0, node};
        trails[__builtin_ctz(left)].depth = 0;
    }
    while (lanes) {
        unsigned leaves = 0;
        for (unsigned left = lanes; left; left &= left - 1)
            leaves |= trails[__builtin_ctz(left)].next.child & LODE__LEAF ? left & -left : 0;
        lanes = wide_descend_apart(wide, batch, trails, lanes & ~leaves);
        lanes |= wide_look_apart(wide, batch, trails, leaves, look, context);
    }
}

/* Shapes are asked again when their turn comes, since hits have shortened the rays by then. Where
 * few rays are left each goes on alone, a node's children at once (Benthin et al. 2012,
 * "Combining single and packet-ray tracing"). */
LODE__INLINE void wide_walk_batch(const lode__wide_tree *wide, const lode__ray_batch *batch,
                                  lode__placed_batch_fn *look, void *context)
{
    wide_batch_entry stack[LODE__WIDE_STACK];
    ray_sheaf sheaf;
    if (!batch->alike) {
        wide_walk_apart(wide, batch, (1u << LODE_LANES) - 1, 0, look, context);
        return;
    }
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
            wide_walk_apart(wide, batch, next.lanes, next.child, look, context);
        }
        most = greatest_of(&batch->most);
    }
}

#endif

/* tree_cast.h: the leaves of the tree along a ray, the nearest first.
 *
 * A box is the overlap of three slabs, and the ray is within it from where it enters the last to
 * where it leaves the first (Kay and Kajiya 1986). A child that the ray enters later waits on a
 * stack; most of those are behind the closest hit by the time their turn comes. A tree is as deep
 * as its history made it: what finds the stack full is walked without one, by the links to parents.
 *
 * *Rounding loses nothing.* The distance at which a ray leaves a slab is lengthened by more than
 * the rounding of its computation, so a ray that meets a box in exact arithmetic meets it here (Ize
 * 2013, "Robust BVH ray traversal"). And each operation is monotonic: a box within another is never
 * entered earlier, nor left later, than that other. So what is found in a shape's own bounds is
 * found whatever boxes stand around them.
 *
 * *Directions along an axis* have an infinite inverse. An origin on the border of the slab then
 * gives 0 times infinity, which is no number; the comparisons are written so that it changes
 * nothing, as it should: the border belongs to the box. */
#ifndef LODE_COLLIDE_TREE_CAST_H
#define LODE_COLLIDE_TREE_CAST_H

#include "collide/tree.h"

enum { LODE__CAST_STACK = 64 };

/* A ray, prepared for boxes. Boxes are arrays of eight reals, as nodes and bounds are: the lower
 * corner at 0 and the upper one at 4. A box that is swept along the ray meets those that the ray
 * meets when they are grown by its half extents, so its near sides set out from another place than
 * its far ones. */
typedef struct lode__slabs {
    lode_real origin[3], inverse[3];
    lode_real to_near[3], to_far[3]; /* from where distances to the near and far sides are taken */
    uint8_t near[3], far[3];         /* where in the box's array the slab is entered and left */
} lode__slabs;

_Static_assert(offsetof(lode__node, lo) == 0 && offsetof(lode__node, hi) == 4 * sizeof(lode_real),
               "a node is read as an array");
_Static_assert(offsetof(lode__aabb, lo) == 0 && offsetof(lode__aabb, hi) == 4 * sizeof(lode_real),
               "bounds are read as an array");

/* Where a corner is in six planes, x y z of the lower and then of the upper corner. */
static inline int slabs_plane(uint8_t corner)
{
    return corner - (corner >> 2);
}

/* Along one axis: origin, direction, and half of a box's extent. To which side the ray runs nobody
 * can guess, so nothing branches on it. */
static inline void slab_set(lode__slabs *slabs, int axis, lode_real o, lode_real d, lode_real half)
{
    const int back = d < 0;
    const lode_real ahead = (lode_real)(1 - 2 * back) * half;
    slabs->origin[axis] = o;
    slabs->inverse[axis] = d != 0 ? 1 / d : (lode_real)__builtin_inf();
    slabs->near[axis] = (uint8_t)(axis + 4 * back);
    slabs->far[axis] = (uint8_t)(axis + 4 - 4 * back);
    slabs->to_near[axis] = o + ahead;
    slabs->to_far[axis] = o - ahead;
}

/* `half` are those of a box that is swept along. Filled in where they are, since a
 * copy of what was just written would wait for it. */
static inline void lode__slabs_set(lode__slabs *slabs, lode_vec3 origin, lode_vec3 direction,
                                   lode_vec3 half)
{
    slab_set(slabs, 0, origin.x, direction.x, half.x);
    slab_set(slabs, 1, origin.y, direction.y, half.y);
    slab_set(slabs, 2, origin.z, direction.z, half.z);
}

/* The same of a ray. */
static inline void lode__slabs_set_ray(lode__slabs *slabs, lode_vec3 origin, lode_vec3 direction)
{
    const lode_real o[3] = {origin.x, origin.y, origin.z};
    const lode_real d[3] = {direction.x, direction.y, direction.z};
    for (int i = 0; i < 3; ++i) {
        const int back = d[i] < 0;
        slabs->origin[i] = slabs->to_near[i] = slabs->to_far[i] = o[i];
        slabs->inverse[i] = 1 / (d[i] + 0); /* of -0 too infinity above 0 */
        slabs->near[i] = (uint8_t)(i + 4 * back);
        slabs->far[i] = (uint8_t)(i + 4 - 4 * back);
    }
}

/* Where the ray enters the box, 0 if it begins there; above `most` if it does not enter it until
 * then. */
static inline lode_real lode__slabs_enter(const lode__slabs *slabs, const void *box, lode_real most)
{
    const lode_real longer = 1 + 4 * REAL_EPSILON, *corner = box;
    lode_real enter = 0, leave = most;
    for (int i = 0; i < 3; ++i) {
        lode_real to_near = (corner[slabs->near[i]] - slabs->to_near[i]) * slabs->inverse[i];
        lode_real to_far = (corner[slabs->far[i]] - slabs->to_far[i]) * slabs->inverse[i] * longer;
        enter = r_max(to_near, enter); /* in this order: the second where the first is no number */
        leave = r_min(to_far, leave);
    }
    return enter <= leave ? enter : (lode_real)__builtin_inf();
}

/* Looks at a shape and says how far the ray is to be followed from now on, at most `most`; below 0
 * ends the walk. */
typedef lode_real lode__leaf_fn(void *context, uint32_t shape, lode_real most);

/* The part of the tree under `top`, in no order, without a stack. */
static inline lode_real lode__tree_cast_under(const lode__tree *tree, uint32_t top,
                                              const lode__slabs *slabs, lode_real most,
                                              lode__leaf_fn *leaf, void *context)
{
    for (uint32_t n = top; most >= 0; ++n) {
        const lode__node *node = &tree->nodes[n];
        bool hit = lode__slabs_enter(slabs, node, most) <= most;
        if (hit && !(node->child & LODE__LEAF)) {
            n = lode__node_first(node) - 1;
            continue;
        }
        if (hit)
            most = leaf(context, node->child & ~(uint32_t)LODE__LEAF, most);
        while (n != top && (n & 1))
            n = tree->nodes[n].parent;
        if (n == top)
            break;
    }
    return most;
}

/* Calls `leaf` for the leaves whose boxes the ray meets within `most`. */
static inline void lode__tree_cast(const lode__tree *tree, const lode__slabs *slabs, lode_real most,
                                   lode__leaf_fn *leaf, void *context)
{
    struct {
        uint32_t node;
        lode_real enter;
    } stack[LODE__CAST_STACK];
    int depth = 0;
    uint32_t n = 0;
    if (tree->count == 0 || !(lode__slabs_enter(slabs, &tree->nodes[0], most) <= most))
        return;
    for (;;) {
        uint32_t child = tree->nodes[n].child;
        if (!(child & LODE__LEAF)) {
            child = lode__node_first(&tree->nodes[n]);
            lode_real first = lode__slabs_enter(slabs, &tree->nodes[child], most);
            lode_real second = lode__slabs_enter(slabs, &tree->nodes[child + 1], most);
            bool swap = second < first;
            lode_real later = swap ? first : second;
            n = child + swap;
            if (later <= most && depth < LODE__CAST_STACK) {
                stack[depth].node = n ^ 1;
                stack[depth++].enter = later;
            } else if (later <= most) {
                most = lode__tree_cast_under(tree, n ^ 1, slabs, most, leaf, context);
            }
            if ((swap ? second : first) <= most)
                continue;
        } else {
            most = leaf(context, child & ~(uint32_t)LODE__LEAF, most);
        }
        do
            if (--depth < 0)
                return;
        while (!(stack[depth].enter <= most));
        n = stack[depth].node;
    }
}

#endif

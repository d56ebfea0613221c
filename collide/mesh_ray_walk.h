/* mesh_ray_walk.h: a ray through a mesh's tree; kernel text, see simd/wide.h.
 *
 * Nodes are entered by their boxes, widened by more than rounding; the triangles of a leaf are
 * asked together (mesh_ray_leaf.h). Distances are compared as they are told, so that all hits at
 * the same distance are heard of. */
#ifndef LODE_COLLIDE_MESH_RAY_WALK_H
#define LODE_COLLIDE_MESH_RAY_WALK_H

#include "collide/mesh_ray_leaf.h"

/* How much farther a box is taken to reach, as a share of the numbers that decide. */
#define WIDER ((lode_real)1e-6)

/* A direction that is all but across an axis is taken to lean by so much. */
#define LEAST_LEAN ((lode_real)1e-18)

typedef struct mesh_walk {
    const lode__mesh *mesh;
    lode__ray_frame frame;
    double longest; /* of the direction's components: nodes count distances in its lengths */
    lode_real origin[3], inverse[3]; /* of the direction in these lengths */
    lode_real most, reach;           /* the same in them, and more than rounding */
    size_t near[3], far[3];          /* where in a node sides are by which the ray comes and goes */
    lode__mesh_hit_fn *hear;
    void *context;
} mesh_walk;

typedef struct mesh_entry {
    lode_real at; /* where the ray enters it */
    uint32_t child;
} mesh_entry;

/* --- nodes */

LODE__INLINE lode_real mesh_inverse(lode_real component, lode_real longest)
{
    lode_real least = longest * LEAST_LEAN;
    if (!(r_abs(component) > least))
        return component < 0 ? -1 / LEAST_LEAN : 1 / LEAST_LEAN;
    return longest / component;
}

/* Where in a node the lower and upper sides of its children along an axis are. */
LODE__INLINE size_t mesh_lower(int axis)
{
    return offsetof(lode__mesh_node, child_lo) + (size_t)axis * LODE__MESH_WIDE;
}
LODE__INLINE size_t mesh_upper(int axis)
{
    return offsetof(lode__mesh_node, child_hi) + (size_t)axis * LODE__MESH_WIDE;
}

/* How far the ray is followed, in lengths of its longest component. */
LODE__INLINE lode_real mesh_reach(lode_real most, double longest)
{
    double far = (double)most * longest * (1 + 4 * (double)WIDER);
    return far < 1e38 ? (lode_real)far : (lode_real)1e38;
}

/* The children's sides at `at` in the node, in steps. */
LODE__INLINE const uint8_t *mesh_side(const lode__mesh_node *node, size_t at)
{
    return (const uint8_t *)node + at;
}

/* The children that the ray enters, a bit each, and where. Along an axis the sides of their boxes
 * are entered at `first` and left at `last`, each step later by `step`. */
LODE__INLINE unsigned mesh_enter(const mesh_walk *w, const lode__mesh_node *node,
                                 lode__lanes *out_enter)
{
    lode_real first[3], last[3], step[3];
    unsigned entered = 0;
    for (int i = 0; i < 3; ++i) {
        lode_real from = ((lode_real)node->lo[i] - w->origin[i]) * w->inverse[i];
        step[i] = (lode_real)node->step[i] * w->inverse[i];
        lode_real slack = WIDER * (r_abs(from) + 255 * r_abs(step[i]));
        first[i] = from - slack;
        last[i] = from + slack;
    }
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal enter = w_zero(), leave = w_splat(w->reach);
        for (int i = 0; i < 3; ++i) {
            wreal to_near = w_mul(w_splat(step[i]), w_bytes(mesh_side(node, w->near[i]) + lane));
            wreal to_far = w_mul(w_splat(step[i]), w_bytes(mesh_side(node, w->far[i]) + lane));
            enter = w_max(w_add(w_splat(first[i]), to_near), enter);
            leave = w_min(w_add(w_splat(last[i]), to_far), leave);
        }
        w_store(out_enter->x + lane, enter);
        entered |= m_bits(w_le(enter, leave)) << lane;
    }
    return entered;
}

/* What a child leads to comes into the cache while others are looked at. */
LODE__INLINE void mesh_fetch(const lode__mesh *mesh, uint32_t child)
{
    if (child & LODE__MESH_LEAF_BIT) {
        __builtin_prefetch(&mesh->order[child & (LODE__MESH_PLACES - 1)]);
        return;
    }
    __builtin_prefetch(&mesh->nodes[child]);
    __builtin_prefetch((const char *)&mesh->nodes[child] + 64);
}

/* The nearest last, so that it is taken first. */
LODE__INLINE uint32_t mesh_push(const mesh_walk *w, uint32_t top, mesh_entry *stack, uint32_t depth)
{
    const lode__mesh_node *node = &w->mesh->nodes[top];
    lode__lanes enter;
    uint32_t begin = depth;
    unsigned entered = mesh_enter(w, node, &enter);
    for (; entered; entered &= entered - 1) {
        int k = __builtin_ctz(entered);
        uint32_t i = depth;
        if (node->child[k] == LODE__MESH_NO_CHILD)
            break;
        for (++depth; i > begin && stack[i - 1].at < enter.x[k]; --i)
            stack[i] = stack[i - 1];
        stack[i] = (mesh_entry){enter.x[k], node->child[k]};
        mesh_fetch(w->mesh, node->child[k]);
    }
    return depth;
}

/* --- a ray */

/* Tells of triangles that the ray meets, a bit each, and follows it no farther than is wanted. */
LODE__INLINE void mesh_tell(mesh_walk *w, const mesh_group *g, const mesh_meets *m, unsigned met)
{
    for (; met && w->most >= 0; met &= met - 1) {
        lode__mesh_hit hit = mesh_hit_of(&w->frame, g, m, __builtin_ctz(met));
        if (hit.t <= w->most)
            w->most = w->hear(w->context, &hit, w->most);
    }
    w->reach = mesh_reach(w->most, w->longest);
}

/* All but what only nodes are asked by. */
LODE__INLINE void mesh_set_ray(mesh_walk *w, const lode__mesh *mesh, lode_vec3 origin,
                               lode_vec3 direction, lode_real length)
{
    ray_frame_set(&w->frame, origin, direction);
    w->mesh = mesh;
    w->longest = d_abs(w->frame.direction[w->frame.z]);
    w->most = length;
    w->reach = mesh_reach(length, w->longest);
}

LODE__INLINE void mesh_set_axis(mesh_walk *w, int axis, lode_real origin, lode_real inverse)
{
    w->origin[axis] = origin;
    w->inverse[axis] = inverse;
    w->near[axis] = inverse > 0 ? mesh_lower(axis) : mesh_upper(axis);
    w->far[axis] = inverse > 0 ? mesh_upper(axis) : mesh_lower(axis);
}

/* What is below a node. */
LODE__INLINE void mesh_walk_below(mesh_walk *w, uint32_t node)
{
    mesh_entry stack[LODE__MESH_STACK];
    uint32_t depth = mesh_push(w, node, stack, 0);
    while (depth > 0 && w->most >= 0) {
        mesh_entry next = stack[--depth];
        if (next.at > w->reach)
            continue;
        if (!(next.child & LODE__MESH_LEAF_BIT)) {
            depth = mesh_push(w, next.child, stack, depth);
            continue;
        }
        mesh_group g;
        mesh_meets m;
        mesh_gather(w->mesh, next.child, &g);
        unsigned met = mesh_pass(&w->frame, &g, &m);
        if (met)
            mesh_tell(w, &g, &m, met);
    }
}

LODE__INLINE void mesh_ray(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction,
                           lode_real length, lode__mesh_hit_fn *hear, void *context)
{
    mesh_walk w = {.hear = hear, .context = context};
    mesh_set_ray(&w, mesh, origin, direction, length);
    const lode_real longest = (lode_real)w.longest;
    mesh_set_axis(&w, 0, origin.x, mesh_inverse(direction.x, longest));
    mesh_set_axis(&w, 1, origin.y, mesh_inverse(direction.y, longest));
    mesh_set_axis(&w, 2, origin.z, mesh_inverse(direction.z, longest));
    mesh_walk_below(&w, 0);
}

#endif

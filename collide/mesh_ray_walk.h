/* mesh_ray_walk.h: a ray through a mesh's tree; kernel text, see simd/wide.h.
 *
 * Nodes are entered by their boxes, widened by more than rounding; the triangles of a leaf are
 * asked together (mesh_ray_leaf.h). Distances are compared as they are told, so that all hits at
 * the same distance are heard of. */
#ifndef LODE_COLLIDE_MESH_RAY_WALK_H
#define LODE_COLLIDE_MESH_RAY_WALK_H

#include "collide/mesh_ray_leaf.h"
#include "simd/wide_sixteen.h"

/* How much farther a box is taken to reach, as a share of the numbers that decide. */
#define WIDER ((lode_real)1e-6)

/* A direction that is all but across an axis is taken to lean by so much. */
#define LEAST_LEAN ((lode_real)1e-18)

/* What nodes are asked by along three axes at once, as the compilers' own vectors: x, y, z, and
 * what says nothing. */
typedef lode_real mesh_axes __attribute__((vector_size(4 * sizeof(lode_real))));

typedef struct mesh_walk {
    mesh_axes origin, inverse; /* of the direction in these lengths: */
    mesh_axes slack;           /* by which boxes are wider, in them */
    mesh_axes steps;           /* the inverses one place farther on, where steps are loaded */
    double longest; /* of the direction's components: nodes count distances in its lengths */
    lode__ray_frame frame;
    lode_real most, reach;  /* the same in them, and more than rounding */
    size_t near[3], far[3]; /* where in a node sides are by which the ray comes and goes */
    lode__part_hit_fn *hear;
    void *context;
} mesh_walk;

/* Where the ray enters each child of a node. */
typedef struct mesh_enters {
    _Alignas(LODE__LINE_ALIGN) lode_real x[LODE__MESH_WIDE];
} mesh_enters;

typedef struct mesh_entry {
    lode_real at; /* where the ray enters it */
    uint32_t child;
} mesh_entry;

/* --- nodes */

LODE__INLINE lode_real mesh_longest(lode_vec3 d)
{
    return r_max(r_max(r_abs(d.x), r_abs(d.y)), r_abs(d.z));
}

LODE__INLINE lode_real mesh_inverse(lode_real component, lode_real longest)
{
    lode_real least = longest * LEAST_LEAN;
    if (!(r_abs(component) > least))
        return component < 0 ? -1 / LEAST_LEAN : 1 / LEAST_LEAN;
    return longest / component;
}

/* Four numbers of a node. */
LODE__INLINE mesh_axes mesh_numbers(const float *p)
{
    typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
    return __builtin_convertvector(*(const four *)(const void *)p, mesh_axes);
}

LODE__INLINE mesh_axes mesh_abs(mesh_axes x)
{
    typedef __typeof__(x < x) bits;
    const mesh_axes sign = {-(lode_real)0, -(lode_real)0, -(lode_real)0, -(lode_real)0};
    return (mesh_axes)((bits)x & ~(bits)sign);
}

/* More than rounding, of any node's box: none leaves the root's by more than that is wide. */
LODE__INLINE mesh_axes mesh_slack(const lode__mesh_node *root, mesh_axes origin, mesh_axes inverse)
{
    const mesh_axes step = {(lode_real)root->step[0], (lode_real)root->step[1],
                            (lode_real)root->step[2], 0};
    mesh_axes from = mesh_numbers(root->lo) - origin;
    return WIDER * ((mesh_abs(from) + (lode_real)510 * step) * mesh_abs(inverse));
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
                                 mesh_enters *out_enter)
{
    mesh_axes from = (mesh_numbers(node->lo) - w->origin) * w->inverse;
    mesh_axes first = from - w->slack, last = from + w->slack;
    mesh_axes step = mesh_numbers(node->lo + 2) * w->steps; /* behind a lower side that is not */
    unsigned entered = 0;
    for (int lane = 0; lane < LODE__MESH_WIDE; lane += LODE_XWIDTH) {
        xreal enter = x_splat(0), leave = x_splat(w->reach);
        for (int i = 0; i < 3; ++i) {
            xreal by = x_splat(step[1 + i]);
            xreal to_near = x_mul(by, x_bytes(mesh_side(node, w->near[i]) + lane));
            xreal to_far = x_mul(by, x_bytes(mesh_side(node, w->far[i]) + lane));
            enter = x_max(x_add(x_splat(first[i]), to_near), enter);
            leave = x_min(x_add(x_splat(last[i]), to_far), leave);
        }
        x_store(out_enter->x + lane, enter);
        entered |= xm_bits(x_le(enter, leave)) << lane;
    }
    return entered & node->used;
}

/* What a child leads to comes into the cache while others are looked at. Nothing branches on what
 * it is. */
LODE__INLINE void mesh_fetch(const lode__mesh *mesh, uint32_t child)
{
    const uintptr_t leaf = 0 - (uintptr_t)(child >> 31), place = child & (LODE__MESH_PLACES - 1);
    const uintptr_t corners = (uintptr_t)mesh->corners + place * sizeof *mesh->corners;
    const uintptr_t node = (uintptr_t)mesh->nodes + place * sizeof *mesh->nodes;
    const char *at = (const char *)((corners & leaf) | (node & ~leaf));
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
    __builtin_prefetch(at + 128);
}

/* Puts what the ray enters later than all that is above `begin` in front of it. */
LODE__INLINE void mesh_keep(mesh_entry *stack, uint32_t begin, uint32_t end, mesh_entry entry)
{
    for (; end > begin && stack[end - 1].at < entry.at; --end)
        stack[end] = stack[end - 1];
    stack[end] = entry;
}

/* A walk's place in the tree: what comes next, and what waits, the nearest on top. */
typedef struct mesh_trail {
    uint32_t next, depth;
    mesh_entry stack[LODE__MESH_STACK];
} mesh_trail;

/* On to the nearest that waits; false: there is nothing left that the ray comes to. */
LODE__INLINE bool mesh_turn(const mesh_walk *w, mesh_trail *trail)
{
    while (trail->depth > 0 && w->most >= 0) {
        const mesh_entry *entry = &trail->stack[--trail->depth];
        trail->next = entry->child;
        if (entry->at <= w->reach)
            return true;
    }
    return false;
}

/* On to the child that the ray enters first, of those whose bits are set; the others wait. Most
 * often there is but one. */
LODE__INLINE bool mesh_descend(const lode__mesh *mesh, const mesh_walk *w, mesh_trail *trail,
                               unsigned entered, const mesh_enters *enter)
{
    const lode__mesh_node *node = &mesh->nodes[trail->next];
    uint32_t begin = trail->depth;
    if (entered == 0)
        return mesh_turn(w, trail);
    int k = __builtin_ctz(entered);
    mesh_entry first = {enter->x[k], node->child[k]};
    for (entered &= entered - 1; entered; entered &= entered - 1) {
        k = __builtin_ctz(entered);
        mesh_entry other = {enter->x[k], node->child[k]}, later = other;
        mesh_fetch(mesh, other.child);
        if (other.at < first.at) {
            later = first;
            first = other;
        }
        mesh_keep(trail->stack, begin, trail->depth++, later);
    }
    trail->next = first.child;
    return true;
}

/* --- a ray */

/* Tells of triangles that the ray meets, a bit each, and follows it no farther than is wanted. */
LODE__INLINE void mesh_tell(mesh_walk *w, const mesh_group *g, const mesh_meets *m, unsigned met)
{
    for (; met && w->most >= 0; met &= met - 1) {
        lode__part_hit hit;
        if (mesh_hit_of(&w->frame, g, m, __builtin_ctz(met), &hit) && hit.t <= w->most)
            w->most = w->hear(w->context, &hit, w->most);
    }
    w->reach = mesh_reach(w->most, w->longest);
}

/* All but what only nodes are asked by. */
LODE__INLINE void mesh_set_ray(mesh_walk *w, lode_vec3 origin, lode_vec3 direction,
                               lode_real length)
{
    ray_frame_set(&w->frame, origin, direction);
    w->longest = d_abs(w->frame.direction[w->frame.z]);
    w->most = length;
    w->reach = mesh_reach(length, w->longest);
}

/* Whole vectors are written: one of which parts have just been written would wait for them. */
LODE__INLINE void mesh_set_axes(mesh_walk *w, const lode__mesh_node *root, lode_vec3 o,
                                const lode_real inverse[3])
{
    const lode_real x = inverse[0], y = inverse[1], z = inverse[2];
    w->origin = (mesh_axes){o.x, o.y, o.z, 0};
    w->inverse = (mesh_axes){x, y, z, 0};
    w->steps = (mesh_axes){0, x, y, z};
    w->slack = mesh_slack(root, w->origin, w->inverse);
    for (int i = 0; i < 3; ++i) {
        const size_t down = inverse[i] > 0 ? 0 : mesh_upper(i) - mesh_lower(i);
        w->near[i] = mesh_lower(i) + down;
        w->far[i] = mesh_upper(i) - down;
    }
}

/* What is in a leaf. */
LODE__INLINE bool mesh_meet(const lode__mesh *mesh, mesh_walk *w, mesh_trail *trail)
{
    mesh_group g;
    mesh_meets m;
    mesh_gather(mesh, trail->next, &g);
    unsigned met = mesh_pass(&w->frame, &g, &m);
    if (met)
        mesh_tell(w, &g, &m, met);
    return mesh_turn(w, trail);
}

LODE__INLINE void mesh_ray(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction,
                           lode_real length, lode__part_hit_fn *hear, void *context)
{
    mesh_walk w; /* filled in where it is: clearing it takes as long as a node */
    w.hear = hear;
    w.context = context;
    mesh_set_ray(&w, origin, direction, length);
    const lode_real longest = mesh_longest(direction); /* `w.longest` is known later */
    const lode_real inverse[3] = {mesh_inverse(direction.x, longest),
                                  mesh_inverse(direction.y, longest),
                                  mesh_inverse(direction.z, longest)};
    mesh_set_axes(&w, mesh->nodes, origin, inverse);
    mesh_trail trail; /* its stack is nobody's yet */
    bool more = true;
    trail.next = trail.depth = 0;
    while (more) {
        mesh_enters enter;
        more = trail.next & LODE__MESH_LEAF_BIT
                   ? mesh_meet(mesh, &w, &trail)
                   : mesh_descend(mesh, &w, &trail,
                                  mesh_enter(&w, &mesh->nodes[trail.next], &enter), &enter);
    }
}

#endif

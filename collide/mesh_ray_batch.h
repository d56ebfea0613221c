/* mesh_ray_batch.h: eight rays through a mesh's tree together; kernel text, see simd/wide.h.
 *
 * Rays whose directions have the same signs in the mesh's frame enter a node's boxes by the same
 * sides. First its children are asked about bounds of all rays (ray_box.h), then each child that is
 * left is asked about the eight rays. At a leaf each ray that still comes so far is asked about the
 * triangles as if it were alone, and only then are hits told of, so that nothing waits for who
 * hears of them. Where few rays are left, or from the start where they run apart, each goes its own
 * way, step by step with the others, as in wide_walk.h.
 *
 * Which boxes are entered decides only what is looked at: each ray hears of the hits that it hears
 * of alone, by the same operations. */
#ifndef LODE_COLLIDE_MESH_RAY_BATCH_H
#define LODE_COLLIDE_MESH_RAY_BATCH_H

#include "collide/mesh_ray_walk.h"
#include "collide/ray_box.h"

typedef struct mesh_lane {
    int lane;
    lode__part_hits_fn *hear;
    void *context;
} mesh_lane;

typedef struct mesh_batch {
    mesh_walk walks[LODE_LANES]; /* without what nodes are asked by, until one goes on alone */
    mesh_lane ears[LODE_LANES];
    lode__lanes origin[3], inverse[3], reach;
    lode_real farthest; /* of them all */
    ray_sheaf sheaf;
    lode_real away[3];      /* how far origins are from 0 at most */
    size_t near[3], far[3]; /* as a ray's, of rays that run alike */
} mesh_batch;

typedef struct mesh_batch_entry {
    lode_real at; /* where the first of them enters */
    uint32_t child;
    unsigned lanes;
} mesh_batch_entry;

static inline lode_real mesh_hear_lane(void *context, const lode__part_hit *hit, lode_real most)
{
    const mesh_lane *ear = context;
    return ear->hear(ear->context, ear->lane, hit, most);
}

/* By the operations of mesh_inverse(). */
LODE__INLINE void mesh_inverses(const lode__lanes direction[3], lode__lanes out[3])
{
    const wreal one = w_splat(1 / LEAST_LEAN), zero = w_zero();
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal x = w_load(direction[0].x + lane), y = w_load(direction[1].x + lane);
        wreal z = w_load(direction[2].x + lane);
        wreal longest = w_max(w_max(w_abs(x), w_abs(y)), w_abs(z));
        wreal least = w_mul(longest, w_splat(LEAST_LEAN));
        for (int i = 0; i < 3; ++i) {
            wreal d = w_load(direction[i].x + lane);
            wreal across = w_select(w_lt(d, zero), w_neg(one), one);
            wmask leans = w_gt(w_abs(d), least);
            w_store(out[i].x + lane, w_select(leans, w_div(longest, d), across));
        }
    }
}

/* True: on each axis all run to the same side. */
LODE__INLINE bool mesh_find_sheaf(mesh_batch *b)
{
    bool alike = true;
    b->farthest = greatest_of(&b->reach);
    sheaf_set(&b->sheaf, b->origin, b->inverse);
    for (int i = 0; i < 3; ++i) {
        bool up = b->sheaf.up[i];
        alike = alike && (b->sheaf.inverse[i][0] > 0) == up;
        b->away[i] = r_max(r_abs(b->sheaf.origin[i][0]), r_abs(b->sheaf.origin[i][1]));
        b->near[i] = up ? mesh_lower(i) : mesh_upper(i);
        b->far[i] = up ? mesh_upper(i) : mesh_lower(i);
    }
    return alike;
}

/* Lanes without a ray repeat one, with no reach. True: they run alike. */
LODE__INLINE bool mesh_begin_batch(mesh_batch *b, const lode__mesh_rays *rays,
                                   lode__part_hits_fn *hear, void *context)
{
    lode__lanes direction[3];
    int first = __builtin_ctz(rays->lanes);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        bool counts = rays->lanes >> lane & 1;
        lode_vec3 o = rays->origin[counts ? lane : first];
        lode_vec3 d = rays->direction[counts ? lane : first];
        mesh_walk *w = &b->walks[lane];
        b->origin[0].x[lane] = o.x;
        b->origin[1].x[lane] = o.y;
        b->origin[2].x[lane] = o.z;
        direction[0].x[lane] = d.x;
        direction[1].x[lane] = d.y;
        direction[2].x[lane] = d.z;
        b->reach.x[lane] = -1;
        if (!counts)
            continue;
        mesh_set_ray(w, o, d, rays->most[lane]);
        b->ears[lane] = (mesh_lane){lane, hear, context};
        w->hear = mesh_hear_lane;
        w->context = &b->ears[lane];
        b->reach.x[lane] = w->reach;
    }
    mesh_inverses(direction, b->inverse);
    return mesh_find_sheaf(b);
}

/* --- nodes */

/* The children that some of the rays may enter; boxes are widened by more than for a ray alone. */
LODE__INLINE unsigned mesh_sift(const mesh_batch *b, const lode__mesh_node *node)
{
    const ray_sheaf *sheaf = &b->sheaf;
    unsigned may = 0;
    for (int lane = 0; lane < LODE__MESH_WIDE; lane += LODE_WIDTH) {
        wreal enter = w_zero(), leave = w_splat(b->farthest);
        for (int i = 0; i < 3; ++i) {
            lode_real lo = (lode_real)node->lo[i], step = (lode_real)node->step[i];
            lode_real slack = 4 * WIDER * (r_abs(lo) + b->away[i] + 255 * step);
            lode_real near = sheaf->up[i] ? lo - slack : lo + slack;
            lode_real far = sheaf->up[i] ? lo + slack : lo - slack;
            wreal by_near = w_bytes(mesh_side(node, b->near[i]) + lane);
            wreal by_far = w_bytes(mesh_side(node, b->far[i]) + lane);
            wreal in = w_add(w_splat(near), w_mul(w_splat(step), by_near));
            wreal out = w_add(w_splat(far), w_mul(w_splat(step), by_far));
            enter = w_max(sheaf_least(sheaf, i, in), enter);
            leave = w_min(sheaf_most(sheaf, i, out), leave);
        }
        may |= m_bits(w_le(enter, leave)) << lane;
    }
    return may & node->used;
}

/* Where each ray enters and leaves the sides of a node's boxes along the axes. */
typedef struct mesh_ways {
    lode__lanes first[3], last[3], step[3];
} mesh_ways;

LODE__INLINE void mesh_ways_of(const mesh_batch *b, const lode__mesh_node *node, mesh_ways *out)
{
    for (int i = 0; i < 3; ++i)
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            wreal inverse = w_load(b->inverse[i].x + lane);
            wreal from = w_mul(
                w_sub(w_splat((lode_real)node->lo[i]), w_load(b->origin[i].x + lane)), inverse);
            wreal by = w_mul(w_splat((lode_real)node->step[i]), inverse);
            wreal slack = w_mul(w_splat(WIDER), w_add(w_abs(from), w_mul(w_splat(255), w_abs(by))));
            w_store(out->first[i].x + lane, w_sub(from, slack));
            w_store(out->last[i].x + lane, w_add(from, slack));
            w_store(out->step[i].x + lane, by);
        }
}

/* The rays that enter a child, a bit each, and where the first of them does. */
LODE__INLINE unsigned mesh_enter_child(const mesh_batch *b, const mesh_ways *ways,
                                       const lode__mesh_node *node, int child, lode_real *out_at)
{
    lode__lanes enters;
    unsigned lanes = 0;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal enter = w_zero(), leave = w_load(b->reach.x + lane);
        for (int i = 0; i < 3; ++i) {
            wreal by = w_load(ways->step[i].x + lane);
            lode_real near = (lode_real)mesh_side(node, b->near[i])[child];
            lode_real far = (lode_real)mesh_side(node, b->far[i])[child];
            wreal to_near = w_mul(by, w_splat(near)), to_far = w_mul(by, w_splat(far));
            enter = w_max(w_add(w_load(ways->first[i].x + lane), to_near), enter);
            leave = w_min(w_add(w_load(ways->last[i].x + lane), to_far), leave);
        }
        wmask in = w_le(enter, leave);
        w_store(enters.x + lane, w_select(in, enter, w_splat(REAL_MAX)));
        lanes |= m_bits(in) << lane;
    }
    *out_at = least_of(&enters);
    return lanes;
}

/* Which rays enter each child, the one that is entered first last. */
LODE__INLINE uint32_t mesh_push_batch(const mesh_batch *b, const lode__mesh_node *node,
                                      unsigned among, mesh_batch_entry *stack, uint32_t depth)
{
    mesh_ways ways;
    uint32_t begin = depth;
    unsigned may = mesh_sift(b, node);
    if (may)
        mesh_ways_of(b, node, &ways);
    for (; may; may &= may - 1) {
        int k = __builtin_ctz(may);
        lode_real at;
        unsigned lanes = mesh_enter_child(b, &ways, node, k, &at) & among;
        if (lanes == 0)
            continue;
        uint32_t i = depth++;
        for (; i > begin && stack[i - 1].at < at; --i)
            stack[i] = stack[i - 1];
        stack[i] = (mesh_batch_entry){at, node->child[k], lanes};
    }
    return depth;
}

/* Rays that do not reach a child any more are left out. */
LODE__INLINE unsigned mesh_still(const mesh_batch *b, const mesh_batch_entry *entry)
{
    unsigned lanes = 0;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
        lanes |= m_bits(w_ge(w_load(b->reach.x + lane), w_splat(entry->at))) << lane;
    return lanes & entry->lanes;
}

/* --- leaves, and all */

LODE__INLINE void mesh_meet_batch(mesh_batch *b, const lode__mesh *mesh, uint32_t leaf,
                                  unsigned lanes)
{
    mesh_group g;
    mesh_meets meets[LODE_LANES];
    uint32_t met = 0;
    mesh_gather(mesh, leaf, &g);
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        met |= mesh_pass(&b->walks[lane].frame, &g, &meets[lane]) << MESH_GROUP * lane;
    }
    if (met == 0)
        return;
    while (met) {
        int lane = __builtin_ctz(met) / MESH_GROUP;
        uint32_t all = UINT32_C(15) << MESH_GROUP * lane;
        mesh_tell(&b->walks[lane], &g, &meets[lane], (met & all) >> MESH_GROUP * lane);
        b->reach.x[lane] = b->walks[lane].reach;
        met &= ~all;
    }
    b->farthest = greatest_of(&b->reach);
}

/* Which rays are where, a bit each. */
typedef struct mesh_crowd {
    unsigned nodes, leaves;
} mesh_crowd;

/* A ray that goes on goes to what is next, which comes into the cache while others move. */
LODE__INLINE void mesh_go(mesh_crowd *crowd, const lode__mesh *mesh, const mesh_trail *trail,
                          int lane, bool on)
{
    const unsigned bit = (unsigned)on << lane, leaf = trail->next >> 31;
    crowd->leaves |= bit & (0 - leaf);
    crowd->nodes |= bit & (leaf - 1);
    mesh_fetch(mesh, trail->next);
}

/* Of rays that have come to leaves, each to its own. */
LODE__INLINE void mesh_meet_apart(mesh_batch *b, const lode__mesh *mesh, mesh_trail *trails,
                                  unsigned lanes, mesh_crowd *crowd)
{
    mesh_group groups[LODE_LANES];
    mesh_meets meets[LODE_LANES];
    unsigned met[LODE_LANES];
    for (unsigned left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        mesh_gather(mesh, trails[lane].next, &groups[lane]);
        met[lane] = mesh_pass(&b->walks[lane].frame, &groups[lane], &meets[lane]);
    }
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        mesh_walk *w = &b->walks[lane];
        if (met[lane])
            mesh_tell(w, &groups[lane], &meets[lane], met[lane]);
        mesh_go(crowd, mesh, &trails[lane], lane, mesh_turn(w, &trails[lane]));
    }
}

/* Of rays that have come to nodes, each to its own. */
LODE__INLINE void mesh_descend_apart(const mesh_batch *b, const lode__mesh *mesh,
                                     mesh_trail *trails, unsigned lanes, mesh_crowd *crowd)
{
    mesh_enters enter[LODE_LANES];
    unsigned entered[LODE_LANES];
    for (unsigned left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        entered[lane] = mesh_enter(&b->walks[lane], &mesh->nodes[trails[lane].next], &enter[lane]);
    }
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        bool on = mesh_descend(mesh, &b->walks[lane], &trails[lane], entered[lane], &enter[lane]);
        mesh_go(crowd, mesh, &trails[lane], lane, on);
    }
}

/* What is below a node, for rays that go their own ways: step by step, each step first computed for
 * all, so that none waits for another, and only then acted upon, where branches are hard to
 * guess. */
LODE__INLINE void mesh_walk_apart(mesh_batch *b, const lode__mesh *mesh, unsigned lanes,
                                  uint32_t node)
{
    mesh_trail trails[LODE_LANES]; /* their stacks are nobody's yet */
    mesh_crowd crowd = {lanes, 0};
    for (unsigned left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        trails[lane].next = node;
        trails[lane].depth = 0;
        const lode_vec3 o = {b->origin[0].x[lane], b->origin[1].x[lane], b->origin[2].x[lane]};
        const lode_real inverse[3] = {b->inverse[0].x[lane], b->inverse[1].x[lane],
                                      b->inverse[2].x[lane]};
        mesh_set_axes(&b->walks[lane], mesh->nodes, o, inverse);
    }
    while (crowd.nodes | crowd.leaves) {
        mesh_crowd here = crowd;
        crowd = (mesh_crowd){0, 0};
        mesh_descend_apart(b, mesh, trails, here.nodes, &crowd);
        mesh_meet_apart(b, mesh, trails, here.leaves, &crowd);
    }
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        b->reach.x[lane] = b->walks[lane].reach;
    }
    b->farthest = greatest_of(&b->reach);
}

LODE__INLINE void mesh_rays(const lode__mesh *mesh, const lode__mesh_rays *rays,
                            lode__part_hits_fn *hear, void *context)
{
    mesh_batch b;
    mesh_batch_entry stack[LODE__MESH_STACK];
    bool alike = mesh_begin_batch(&b, rays, hear, context);
    uint32_t depth = 0;
    stack[depth++] = (mesh_batch_entry){0, 0, rays->lanes};
    while (depth > 0) {
        mesh_batch_entry next = stack[--depth];
        unsigned lanes = mesh_still(&b, &next);
        if (next.child & LODE__MESH_LEAF_BIT) {
            if (lanes)
                mesh_meet_batch(&b, mesh, next.child, lanes);
        } else if (alike && lanes_are_many(lanes)) {
            depth = mesh_push_batch(&b, &mesh->nodes[next.child], lanes, stack, depth);
        } else {
            mesh_walk_apart(&b, mesh, lanes, next.child);
        }
    }
}

#endif

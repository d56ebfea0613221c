/* mesh_ray_walk.h: a ray through a mesh's tree; kernel text: the loops over lanes run wide on each
 * instruction set, by the same operations.
 *
 * Nodes are entered by their boxes, widened by more than rounding. The triangles of a leaf are
 * asked together, by the operations of ray_meets() in ray_triangle.h. Distances are compared as
 * they are told, so that all hits at the same distance are heard of. */
#ifndef LODE_COLLIDE_MESH_RAY_WALK_H
#define LODE_COLLIDE_MESH_RAY_WALK_H

#include "collide/ray_box.h"
#include "collide/ray_triangle.h"
/* How much farther a box is taken to reach, as a share of the numbers that decide. */
#define WIDER ((lode_real)1e-6)

/* Before a loop over lanes: gcc would unroll it, and then find no loop to run wide. */
#if defined(__GNUC__) && !defined(__clang__)
#define LANES _Pragma("GCC unroll 1")
#else
#define LANES
#endif

/* A direction that is all but across an axis is taken to lean by so much. */
#define LEAST_LEAN ((lode_real)1e-18)

typedef struct mesh_walk {
    const lode__mesh *mesh;
    lode__ray_frame frame;
    double longest; /* of the direction's components: nodes count distances in its lengths */
    lode_real origin[3], inverse[3]; /* of the direction in these lengths */
    lode_real most, reach;           /* the same in them, and more than rounding */
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

/* How far the ray is followed, in lengths of its longest component. */
LODE__INLINE lode_real mesh_reach(lode_real most, double longest)
{
    double far = (double)most * longest * (1 + 4 * (double)WIDER);
    return far < 1e38 ? (lode_real)far : (lode_real)1e38;
}

/* Along an axis the sides of a node's boxes are entered at `first` and left at `last`, each step
 * later by `step`. */
typedef struct mesh_sides {
    lode_real first, last, step;
    const uint8_t *near, *far; /* of the children, in steps */
} mesh_sides;

LODE__INLINE mesh_sides mesh_sides_of(const lode__mesh_node *node, int i, lode_real origin,
                                      lode_real inverse)
{
    lode_real from = ((lode_real)node->lo[i] - origin) * inverse;
    lode_real step = (lode_real)node->step[i] * inverse;
    lode_real slack = WIDER * (r_abs(from) + 255 * r_abs(step));
    bool up = inverse > 0;
    return (mesh_sides){from - slack, from + slack, step,
                        up ? node->child_lo[i] : node->child_hi[i],
                        up ? node->child_hi[i] : node->child_lo[i]};
}

/* The children that the ray enters, a bit each, and where. */
LODE__INLINE unsigned mesh_enter(const mesh_walk *w, const lode__mesh_node *node,
                                 lode__lanes *out_enter)
{
    mesh_sides sides[3];
    unsigned entered = 0;
    for (int i = 0; i < 3; ++i)
        sides[i] = mesh_sides_of(node, i, w->origin[i], w->inverse[i]);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal enter = w_zero(), leave = w_splat(w->reach);
        for (int i = 0; i < 3; ++i) {
            wreal step = w_splat(sides[i].step);
            wreal near = w_mul(step, w_bytes(sides[i].near + lane));
            wreal far = w_mul(step, w_bytes(sides[i].far + lane));
            enter = w_max(w_add(w_splat(sides[i].first), near), enter);
            leave = w_min(w_add(w_splat(sides[i].last), far), leave);
        }
        w_store(out_enter->x + lane, enter);
        entered |= m_bits(w_le(enter, leave)) << lane;
    }
    return entered;
}

/* The nearest last, so that it is taken first. */
LODE__INLINE uint32_t mesh_push(const mesh_walk *w, const lode__mesh_node *node, mesh_entry *stack,
                                uint32_t depth)
{
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
    }
    return depth;
}

/* --- triangles */

enum { MESH_GROUP = LODE__MESH_LEAF };

/* Of a group of triangles, in the ray's frame: corners, then what ray_meets() computes. */
typedef struct mesh_group {
    double at[3][3][MESH_GROUP]; /* by corner and axis */
    double v[MESH_GROUP], s[MESH_GROUP], sum[MESH_GROUP], t[MESH_GROUP];
    double least[MESH_GROUP], most[MESH_GROUP]; /* of the three sides */
} mesh_group;

LODE__INLINE void mesh_gather(const lode__mesh *mesh, const uint32_t *triangles, uint32_t count,
                              mesh_group *g)
{
    for (uint32_t k = 0; k < MESH_GROUP; ++k) {
        lode__triangle t = mesh_triangle(mesh, triangles[k < count ? k : 0]);
        for (int c = 0; c < 3; ++c) {
            g->at[c][0][k] = (double)t.v[c].x;
            g->at[c][1][k] = (double)t.v[c].y;
            g->at[c][2][k] = (double)t.v[c].z;
        }
    }
}

/* As ray_frame_put(). */
LODE__INLINE void mesh_put(const lode__ray_frame *f, double at[3][MESH_GROUP],
                           double out[3][MESH_GROUP])
{
    const double *x = at[f->x], *y = at[f->y], *z = at[f->z];
    double from_x = f->origin[f->x], from_y = f->origin[f->y], from_z = f->origin[f->z];
    LANES
    for (int k = 0; k < MESH_GROUP; ++k) {
        double along = z[k] - from_z;
        out[0][k] = (x[k] - from_x) - f->shear_x * along;
        out[1][k] = (y[k] - from_y) - f->shear_y * along;
        out[2][k] = f->scale * along;
    }
}

LODE__INLINE void mesh_pass(const lode__ray_frame *f, mesh_group *g)
{
    double a[3][MESH_GROUP], b[3][MESH_GROUP], c[3][MESH_GROUP];
    mesh_put(f, g->at[0], a);
    mesh_put(f, g->at[1], b);
    mesh_put(f, g->at[2], c);
    LANES
    for (int k = 0; k < MESH_GROUP; ++k) {
        double u = b[0][k] * c[1][k] - b[1][k] * c[0][k];
        double v = c[0][k] * a[1][k] - c[1][k] * a[0][k];
        double s = a[0][k] * b[1][k] - a[1][k] * b[0][k];
        double sum = u + v + s;
        double least = u < v ? u : v, most = u > v ? u : v;
        g->v[k] = v;
        g->s[k] = s;
        g->sum[k] = sum;
        g->t[k] = (u * a[2][k] + v * b[2][k] + s * c[2][k]) / sum;
        g->least[k] = s < least ? s : least;
        g->most[k] = s > most ? s : most;
    }
}

LODE__INLINE void mesh_hear_group(mesh_walk *w, const uint32_t *triangles, uint32_t count,
                                  const mesh_group *g)
{
    for (uint32_t k = 0; k < count && w->most >= 0; ++k) {
        if ((g->least[k] < 0 && g->most[k] > 0) || g->sum[k] == 0 || !(g->t[k] >= 0))
            continue;
        lode__mesh_hit hit = {.triangle = triangles[k],
                              .t = (lode_real)g->t[k],
                              .u = (lode_real)(g->v[k] / g->sum[k]),
                              .v = (lode_real)(g->s[k] / g->sum[k]),
                              .back = (g->sum[k] > 0) == (w->frame.scale > 0)};
        if (hit.t <= w->most)
            w->most = w->hear(w->context, &hit, w->most);
    }
    w->reach = mesh_reach(w->most, w->longest);
}

LODE__INLINE const uint32_t *mesh_leaf(const lode__mesh *mesh, uint32_t child, uint32_t *out_count)
{
    *out_count = (child >> 28 & 7) + 1;
    return &mesh->order[child & (LODE__MESH_PLACES - 1)];
}

/* --- a ray */

LODE__INLINE void mesh_begin(mesh_walk *w, const lode__mesh *mesh, lode_vec3 origin,
                             lode_vec3 direction, lode_real length)
{
    w->mesh = mesh;
    w->frame = ray_frame_of(origin, direction);
    w->longest = d_abs(w->frame.direction[w->frame.z]);
    w->most = length;
    w->reach = mesh_reach(length, w->longest);
    for (int i = 0; i < 3; ++i) {
        w->origin[i] = (lode_real)w->frame.origin[i];
        w->inverse[i] = mesh_inverse((lode_real)w->frame.direction[i], (lode_real)w->longest);
    }
}

/* What is below a node. */
LODE__INLINE void mesh_walk_below(mesh_walk *w, uint32_t node)
{
    mesh_entry stack[LODE__MESH_STACK];
    uint32_t depth = mesh_push(w, &w->mesh->nodes[node], stack, 0);
    while (depth > 0 && w->most >= 0) {
        mesh_entry next = stack[--depth];
        if (next.at > w->reach)
            continue;
        if (!(next.child & LODE__MESH_LEAF_BIT)) {
            depth = mesh_push(w, &w->mesh->nodes[next.child], stack, depth);
            continue;
        }
        uint32_t count;
        const uint32_t *triangles = mesh_leaf(w->mesh, next.child, &count);
        mesh_group g;
        mesh_gather(w->mesh, triangles, count, &g);
        mesh_pass(&w->frame, &g);
        mesh_hear_group(w, triangles, count, &g);
    }
}

LODE__INLINE void mesh_ray(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction,
                           lode_real length, lode__mesh_hit_fn *hear, void *context)
{
    mesh_walk w = {.hear = hear, .context = context};
    mesh_begin(&w, mesh, origin, direction, length);
    mesh_walk_below(&w, 0);
}

/* --- eight rays whose directions have the same signs in the mesh's frame */

typedef struct mesh_lane {
    int lane;
    lode__mesh_rays_fn *hear;
    void *context;
} mesh_lane;

typedef struct mesh_batch {
    mesh_walk walks[LODE_LANES];
    mesh_lane ears[LODE_LANES];
    lode__lanes origin[3], inverse[3], reach;
    ray_sheaf sheaf;
} mesh_batch;

typedef struct mesh_batch_entry {
    lode_real at; /* where the first of them enters */
    uint32_t child;
    unsigned lanes;
} mesh_batch_entry;

static inline lode_real mesh_hear_lane(void *context, const lode__mesh_hit *hit, lode_real most)
{
    const mesh_lane *ear = context;
    return ear->hear(ear->context, ear->lane, hit, most);
}

/* Lanes without a ray repeat one, with no reach. True: they run alike. */
LODE__INLINE bool mesh_begin_batch(mesh_batch *b, const lode__mesh *mesh,
                                   const lode__mesh_rays *rays, lode__mesh_rays_fn *hear,
                                   void *context)
{
    int first = __builtin_ctz(rays->lanes);
    bool alike = true;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        int from = rays->lanes >> lane & 1 ? lane : first;
        mesh_walk *w = &b->walks[lane];
        mesh_begin(w, mesh, rays->origin[from], rays->direction[from], rays->most[from]);
        b->ears[lane] = (mesh_lane){lane, hear, context};
        w->hear = mesh_hear_lane;
        w->context = &b->ears[lane];
        b->reach.x[lane] = from == lane ? w->reach : -1;
        for (int i = 0; i < 3; ++i) {
            b->origin[i].x[lane] = w->origin[i];
            b->inverse[i].x[lane] = w->inverse[i];
            alike = alike && (w->inverse[i] > 0) == (b->inverse[i].x[0] > 0);
        }
    }
    b->sheaf = sheaf_of(b->origin, b->inverse);
    return alike;
}

/* The children that some of the rays may enter; boxes are widened by more than for a ray alone. */
LODE__INLINE unsigned mesh_sift(const mesh_batch *b, const lode__mesh_node *node)
{
    const ray_sheaf *sheaf = &b->sheaf;
    lode_real reach = b->reach.x[0];
    unsigned may = 0;
    for (int lane = 1; lane < LODE_LANES; ++lane)
        reach = r_max(b->reach.x[lane], reach);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal enter = w_zero(), leave = w_splat(reach);
        for (int i = 0; i < 3; ++i) {
            lode_real lo = (lode_real)node->lo[i], step = (lode_real)node->step[i];
            lode_real far = r_max(r_abs(sheaf->origin[i][0]), r_abs(sheaf->origin[i][1]));
            lode_real slack = 4 * WIDER * (r_abs(lo) + far + 255 * step);
            bool up = sheaf->up[i];
            wreal low = w_add(w_splat(lo - slack),
                              w_mul(w_splat(step), w_bytes(node->child_lo[i] + lane)));
            wreal high = w_add(w_splat(lo + slack),
                               w_mul(w_splat(step), w_bytes(node->child_hi[i] + lane)));
            enter = w_max(sheaf_least(sheaf, i, up ? low : high), enter);
            leave = w_min(sheaf_most(sheaf, i, up ? high : low), leave);
        }
        may |= m_bits(w_le(enter, leave)) << lane;
    }
    return may;
}

/* Which rays enter each child, and where the first of them does. */
LODE__INLINE uint32_t mesh_push_batch(const mesh_batch *b, const lode__mesh_node *node,
                                      unsigned among, mesh_batch_entry *stack, uint32_t depth)
{
    lode__lanes first[3], last[3], step[3];
    const uint8_t *near[3], *far[3];
    uint32_t begin = depth;
    unsigned may = mesh_sift(b, node);
    if (may == 0)
        return depth;
    for (int i = 0; i < 3; ++i) {
        bool up = b->sheaf.up[i];
        near[i] = up ? node->child_lo[i] : node->child_hi[i];
        far[i] = up ? node->child_hi[i] : node->child_lo[i];
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            wreal inverse = w_load(b->inverse[i].x + lane);
            wreal from = w_mul(
                w_sub(w_splat((lode_real)node->lo[i]), w_load(b->origin[i].x + lane)), inverse);
            wreal by = w_mul(w_splat((lode_real)node->step[i]), inverse);
            wreal slack = w_mul(w_splat(WIDER), w_add(w_abs(from), w_mul(w_splat(255), w_abs(by))));
            w_store(first[i].x + lane, w_sub(from, slack));
            w_store(last[i].x + lane, w_add(from, slack));
            w_store(step[i].x + lane, by);
        }
    }
    for (; may; may &= may - 1) {
        int k = __builtin_ctz(may);
        lode__lanes enters;
        unsigned lanes = 0;
        if (node->child[k] == LODE__MESH_NO_CHILD)
            break;
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            wreal enter = w_zero(), leave = w_load(b->reach.x + lane);
            for (int i = 0; i < 3; ++i) {
                wreal by = w_load(step[i].x + lane);
                wreal to_near = w_mul(by, w_splat((lode_real)near[i][k]));
                wreal to_far = w_mul(by, w_splat((lode_real)far[i][k]));
                enter = w_max(w_add(w_load(first[i].x + lane), to_near), enter);
                leave = w_min(w_add(w_load(last[i].x + lane), to_far), leave);
            }
            w_store(enters.x + lane, enter);
            lanes |= m_bits(w_le(enter, leave)) << lane;
        }
        lanes &= among;
        if (lanes == 0)
            continue;
        lode_real at = first_of(lanes, &enters);
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

LODE__INLINE void mesh_meet_batch(mesh_batch *b, uint32_t leaf, unsigned lanes)
{
    uint32_t count;
    const lode__mesh *mesh = b->walks[0].mesh;
    const uint32_t *triangles = mesh_leaf(mesh, leaf, &count);
    mesh_group g;
    mesh_gather(mesh, triangles, count, &g);
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        mesh_pass(&b->walks[lane].frame, &g);
        mesh_hear_group(&b->walks[lane], triangles, count, &g);
        b->reach.x[lane] = b->walks[lane].reach;
    }
}

/* Where few rays are left they go on one by one, as in wide_walk.h. */
LODE__INLINE void mesh_rays(const lode__mesh *mesh, const lode__mesh_rays *rays,
                            lode__mesh_rays_fn *hear, void *context)
{
    mesh_batch b;
    mesh_batch_entry stack[LODE__MESH_STACK];
    bool alike = mesh_begin_batch(&b, mesh, rays, hear, context);
    uint32_t depth = 0;
    stack[depth++] = (mesh_batch_entry){0, 0, rays->lanes};
    while (depth > 0) {
        mesh_batch_entry next = stack[--depth];
        unsigned lanes = mesh_still(&b, &next);
        if (next.child & LODE__MESH_LEAF_BIT) {
            if (lanes)
                mesh_meet_batch(&b, next.child, lanes);
        } else if (alike && lanes_are_many(lanes)) {
            depth = mesh_push_batch(&b, &mesh->nodes[next.child], lanes, stack, depth);
        } else {
            for (; lanes; lanes &= lanes - 1) {
                int lane = __builtin_ctz(lanes);
                mesh_walk_below(&b.walks[lane], next.child);
                b.reach.x[lane] = b.walks[lane].reach;
            }
        }
    }
}

#endif

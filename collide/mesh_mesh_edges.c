/* mesh_mesh_edges.c: what the edges of two meshes touch with.
 *
 * Edges. Two that bend outwards, of triangles that are near each other, touch at their nearest
 * points along their common normal, if that is between the normals of both edges' faces. But in two
 * solids that overlap any two edges have passed each other. So where they have, one must run
 * through the other surface, and no other contact within the length of that way out may offer one
 * of half that length.
 *
 * What is left are edges that run through a face and end nowhere below it, as where a corner of one
 * solid cuts into the side of a large face of the other. If nothing else touches, the one that is
 * least deep before it gets beside the face is pushed out of it. */
#include "collide/mesh_mesh.h"

/* The sine squared below which edges are parallel. */
#define PARALLEL 1e-4

/* --- edges */

/* The edge that runs through a face least deep. */
typedef struct pierced {
    bool any;
    lode__double3 at, normal; /* into a */
    double depth;
    uint32_t triangle_a, triangle_b;
} pierced;

typedef struct edge_walk {
    const lode__meeting *m;
    pierced least;
} edge_walk;

/* Two triangles that are near each other, as places of b. */
typedef struct crossing {
    const lode__meeting *m;
    pierced *least;
    uint32_t triangle_a, triangle_b;
    lode__mesh_side side_a;
    bool bends_out[3]; /* the edges of a's */
    lode__double3 a[3], b[3];
} crossing;

static bool bends_out(const lode__shape_data *mesh, const lode__mesh_side *side, int edge)
{
    int kind = side_kind(mesh, side, edge);
    return kind == LODE__EDGE_CONVEX || kind == LODE__EDGE_FREE;
}

/* Is `d`, of unit length, between the normals of both faces at the edge? */
static bool is_between(const lode__shape_data *mesh, const lode__mesh_side *side, int edge,
                       lode_vec3 d)
{
    lode__mesh_query query = {.surface = mesh};
    return v3_dot(d, side_out(side, edge)) >= -MESH_ALIKE &&
           v3_dot(d, side->n) >= (surface_two_sided(mesh) ? -1 : -MESH_ALIKE) &&
           lode__mesh_edge_allows(&query, side, edge, d);
}

static lode_real stop_at(void *context, const lode__part_hit *hit, lode_real most)
{
    (void)hit;
    (void)most;
    *(bool *)context = true;
    return -1;
}

/* Does the edge from `p`, as seen from `origin`, along `u` run through a surface? */
static bool runs_through(const lode__shape_data *surface, lode_vec3 origin, lode__double3 p,
                         lode__double3 u)
{
    bool hit = false;
    lode__surface_ray(surface, d3_to(d3_add(d3_from(origin), p)), d3_to(u), 1, stop_at, &hit);
    return hit;
}

static void touch_edges(const crossing *c, const lode__mesh_side *side_a, int edge_a,
                        const lode__mesh_side *side_b, int edge_b)
{
    const lode__meeting *m = c->m;
    lode__double3 p = c->a[edge_a], q = c->b[edge_b];
    lode__double3 u = d3_sub(c->a[(edge_a + 1) % 3], p), w = d3_sub(c->b[(edge_b + 1) % 3], q);
    lode__double3 n = d3_cross(u, w);
    double nn = d3_dot(n, n);
    if (!(nn > PARALLEL * d3_dot(u, u) * d3_dot(w, w)))
        return;
    lode__double3 pq = d3_sub(q, p);
    double s = d3_dot(d3_cross(pq, w), n) / nn, r = d3_dot(d3_cross(pq, u), n) / nn;
    if (!(s > 0 && s < 1 && r > 0 && r < 1))
        return;
    lode__double3 on_a = d3_madd(p, u, s), on_b = d3_madd(q, w, r);
    for (int turn = -1; turn < 2; turn += 2) {
        lode__double3 way = d3_scale(n, turn / d_sqrt(nn));
        double gap = d3_dot(way, d3_sub(on_a, on_b));
        if (gap >= m->margin || !is_between(m->b, side_b, edge_b, d3_to(way)) ||
            !is_between(m->a, side_a, edge_a, v3_neg(meeting_to_a_axes(m, way))))
            continue;
        bool deep = gap < -m->slack;
        if (deep && !runs_through(m->b, m->origin_b, p, u) &&
            !runs_through(m->a, m->origin_a, meeting_to_a(m, q), d33_mul_t(&m->turn, w)))
            continue;
        uint32_t name_a = lode__mesh_edge_feature(m->a, c->triangle_a, edge_a);
        uint32_t name_b = lode__mesh_edge_feature(m->b, c->triangle_b, edge_b);
        uint32_t feature = MESH_BY_EDGE | ((name_a * 31 + name_b) & MESH_LOW_BITS);
        lode__meeting_add(m, d3_scale(d3_add(on_a, on_b), 0.5), way, -gap, feature, c->triangle_a,
                          c->triangle_b, deep);
        return;
    }
}

/* --- through faces */

/* How far along x = p + u t, from 0 to `to`, the prism above a triangle is left. */
static double leave_prism(const lode__double3 *t, lode__double3 n, lode__double3 p, lode__double3 u,
                          double to)
{
    for (int e = 0; e < 3; ++e) {
        lode__double3 in = d3_cross(n, d3_sub(t[(e + 1) % 3], t[e]));
        double at = d3_dot(in, d3_sub(p, t[e])), rise = d3_dot(in, u);
        if (at < 0 || rise * to < -at)
            to = at < 0 ? -1 : -at / rise;
    }
    return to;
}

/* Does the edge from p along u run through the triangle, from the side that its normal is on? Then
 * says how deep it is where it gets beside it, and the place half way there. */
static bool pierce(lode__double3 p, lode__double3 u, const lode__double3 *t, lode__double3 n,
                   lode__double3 *out_at, double *out_depth)
{
    double height = d3_dot(n, d3_sub(p, t[0])), rise = d3_dot(n, u);
    if (height <= 0) { /* begin at the other end */
        p = d3_add(p, u);
        u = d3_neg(u);
        height += rise;
        rise = -rise;
    }
    if (!(height > 0 && height + rise < 0))
        return false;
    double at = height / -rise;
    lode__double3 on_face = d3_madd(p, u, at);
    double to = leave_prism(t, n, on_face, u, 1 - at);
    *out_depth = -rise * to;
    *out_at = d3_madd(on_face, u, to / 2);
    return to > 0;
}

/* The edges `v` of a triangle of mesh `of` through the triangle `t` of the other, whose normal is
 * n. */
static void try_edges(crossing *c, const lode__shape_data *of, const lode__mesh_side *side,
                      const lode__double3 *v, const lode__double3 *t, lode__double3 n, bool of_a)
{
    lode__double3 own = of_a ? d33_mul_t(&c->m->turn, n) : n, at;
    for (int e = 0; e < 3; ++e) {
        double depth;
        if (!pierce(v[e], d3_sub(v[(e + 1) % 3], v[e]), t, n, &at, &depth) ||
            (c->least->any && depth >= c->least->depth))
            continue;
        uint32_t beyond = surface_neighbor(of, side->triangle, e);
        if (!meeting_looks_against(of, side->triangle, own) &&
            (beyond == LODE__NONE || !meeting_looks_against(of, beyond >> 2, own)))
            continue;
        *c->least = (pierced){true, at, of_a ? n : d3_neg(n), depth, c->triangle_a, c->triangle_b};
    }
}

static void add_pierced(const edge_walk *walk)
{
    const pierced *p = &walk->least;
    const lode__mesh_points *points = walk->m->query->out;
    for (uint32_t i = 0; i < points->count; ++i)
        if (points->items[i].depth > 0)
            return;
    if (p->any)
        lode__meeting_add(walk->m, p->at, p->normal, p->depth, MESH_BY_EDGE | MESH_LOW_BITS,
                          p->triangle_a, p->triangle_b, false);
}

/* --- all near triangles */

static bool visit_b(void *context, uint32_t triangle, const lode__triangle *t)
{
    crossing *c = context;
    const lode__meeting *m = c->m;
    lode__mesh_side side_b = meeting_side(m->b, triangle, t, m->side_a);
    c->triangle_b = triangle;
    for (int k = 0; k < 3; ++k)
        c->b[k] = d3_from(side_b.t.v[k]);
    try_edges(c, m->a, &c->side_a, c->a, c->b, d3_from(side_b.n), true);
    try_edges(c, m->b, &side_b, c->b, c->a, d33_mul(&m->turn, d3_from(c->side_a.n)), false);
    bool any = c->bends_out[0] || c->bends_out[1] || c->bends_out[2];
    for (int k = 0; k < 3 && any; ++k)
        if (bends_out(m->b, &side_b, k))
            for (int i = 0; i < 3; ++i)
                if (c->bends_out[i])
                    touch_edges(c, &c->side_a, i, &side_b, k);
    return !m->query->out->failed;
}

static bool visit_a(void *context, uint32_t triangle, const lode__triangle *t)
{
    edge_walk *walk = context;
    const lode__meeting *m = walk->m;
    crossing c = {.m = m, .least = &walk->least, .triangle_a = triangle};
    c.side_a = meeting_side(m->a, triangle, t, m->side_b);
    for (int k = 0; k < 3; ++k) {
        c.a[k] = meeting_to_b(m, t->v[k]);
        c.bends_out[k] = bends_out(m->a, &c.side_a, k);
    }
    lode__double3 lo = c.a[0], hi = c.a[0], origin = d3_from(m->origin_b);
    for (int k = 1; k < 3; ++k) {
        lo = d3(d_min(lo.x, c.a[k].x), d_min(lo.y, c.a[k].y), d_min(lo.z, c.a[k].z));
        hi = d3(d_max(hi.x, c.a[k].x), d_max(hi.y, c.a[k].y), d_max(hi.z, c.a[k].z));
    }
    double grow = m->margin + 1e-6 * (d3_most(lo) + d3_most(hi)) +
                  8 * (double)REAL_EPSILON * d3_most(origin);
    lode__double3 by = d3(grow, grow, grow);
    return lode__surface_walk(m->b, m->origin_b, d3_to(d3_add(origin, d3_sub(lo, by))),
                              d3_to(d3_add(origin, d3_add(hi, by))), visit_b, &c);
}

/* The doubtful point that is least deep, or `count`. */
static uint32_t next_doubtful(const lode__mesh_points *points)
{
    uint32_t best = points->count;
    for (uint32_t i = 0; i < points->count; ++i)
        if (points->items[i].doubtful &&
            (best == points->count || points->items[i].depth < points->items[best].depth))
            best = i;
    return best;
}

static bool has_shorter_way(const lode__mesh_points *points, const lode__mesh_point *p)
{
    for (uint32_t i = 0; i < points->count; ++i) {
        const lode__mesh_point *other = &points->items[i];
        lode_vec3 apart = v3_sub(other->position, p->position);
        if (!other->doubtful && other->depth > 0 && other->depth < p->depth / 2 &&
            v3_dot(apart, apart) < p->depth * p->depth)
            return true;
    }
    return false;
}

/* From the least deep on, so that those that stay decide about the deeper ones. */
static void drop_doubtful(lode__mesh_points *points)
{
    uint32_t i;
    while ((i = next_doubtful(points)) < points->count) {
        points->items[i].doubtful = false;
        if (has_shorter_way(points, &points->items[i]))
            points->items[i] = points->items[--points->count];
    }
}

void lode__meeting_edges(const lode__meeting *m)
{
    edge_walk walk = {.m = m};
    lode__meeting_walk_a(m, m->margin, visit_a, &walk);
    drop_doubtful(m->query->out);
    add_pierced(&walk);
}

/* mesh_touch_box.c: boxes on triangles.
 *
 * 1. Separating axes, eight triangles at a time (collide/touch_triangle.h). The one with the least
 *    overlap names what touches.
 * 2. A direction other than the face's must be one that the mesh allows at the feature of the
 *    triangle that reaches farthest along it (mesh_touch.h). If it is not, the face's is taken; at
 *    a convex edge nothing is, because the triangle beyond gives that contact.
 * 3. Points. Along the triangle's normal, the face of the box that looks at it is clipped against
 *    the planes through the triangle's edges; along an axis of the box, the triangle against the
 *    sides of the box; along a product of edges the nearest points of both are the only one.
 *
 * Clipping of faces is done eight at a time where pairs wait for each other (collide/box_cut.h).
 *
 * A point that clipping at a flat edge has made is left out: the surface goes on there, so it ends
 * nothing. A box that lies on many triangles so keeps its own four corners, with their names. */
#include "collide/triangle_lanes.h"

enum { POLYGON = 10, INSIDE = 9 };

/* Its unit axes, and how far it reaches along them. */
typedef lode__solid_lines box;

static inline lode_vec3 axis_of(const box *b, int i)
{
    return v3(b->axis[i][0], b->axis[i][1], b->axis[i][2]);
}

static inline lode_real half_of(const box *b, int i)
{
    return b->axis[i][3];
}

typedef struct verdict {
    lode_vec3 m; /* into the box */
    lode_real depth;
    int axis; /* LODE__BOX_BY_FACE, BY_BOX + i, BY_EDGES + 3 i + e */
} verdict;

static lode_real reach_of(const box *b, lode_vec3 m)
{
    return half_of(b, 0) * r_abs(v3_dot(axis_of(b, 0), m)) +
           half_of(b, 1) * r_abs(v3_dot(axis_of(b, 1), m)) +
           half_of(b, 2) * r_abs(v3_dot(axis_of(b, 2), m));
}

/* --- clipping */

/* A corner of a polygon, and by which planes it was made; -1: by none. */
typedef struct corner {
    lode_vec3 p;
    int8_t id;     /* of an uncut corner */
    int8_t cut[2]; /* the last planes */
    bool enters;   /* it was made after the corner that is gone, else before it */
} corner;

/* Clipping goes from one list of corners to the other. */
typedef struct polygon {
    corner c[2][POLYGON + 1]; /* the last place is for one that is not to stay */
    int count, now;
} polygon;

static const corner *corners_of(const polygon *poly)
{
    return poly->c[poly->now];
}

/* Keeps what lies within n . x <= limit (Sutherland and Hodgman 1974). A corner is written where
 * the next one belongs, and counts if it is to stay. */
static void clip(polygon *poly, lode_vec3 n, lode_real limit, int plane)
{
    const corner *in = poly->c[poly->now];
    lode_real beyond[POLYGON];
    int count = poly->count, outside = 0, made = 0;
    for (int i = 0; i < count; ++i) {
        beyond[i] = v3_dot(n, in[i].p) - limit;
        outside += !(beyond[i] <= 0);
    }
    if (outside == 0)
        return;
    poly->count = 0;
    if (outside == count)
        return;
    corner *out = poly->c[poly->now ^= 1];
    for (int i = 0; i < count; ++i) {
        int next = i + 1 < count ? i + 1 : 0;
        lode_real x = beyond[i], y = beyond[next];
        out[made] = in[i];
        made += (x <= 0) & (made < POLYGON);
        if ((x <= 0) == (y <= 0) || made >= POLYGON)
            continue;
        const corner *gone = x <= 0 ? &in[next] : &in[i];
        lode_vec3 p = v3_madd(in[i].p, v3_sub(in[next].p, in[i].p), x / (x - y));
        /* a corner that was made where another plane cut the same side keeps that in its name */
        out[made++] = (corner){p, gone->id, {(int8_t)plane, gone->cut[0]}, x > 0};
    }
    poly->count = made;
}

static void set_corner(polygon *poly, int k, lode_vec3 p, int id)
{
    poly->c[0][k] = (corner){p, (int8_t)id, {-1, -1}, false};
}

static void begin_with_triangle(polygon *poly, const lode__triangle *t)
{
    poly->count = 3;
    poly->now = 0;
    for (int k = 0; k < 3; ++k)
        set_corner(poly, k, t->v[k], k);
}

/* The corner between two edges, of the three. */
static int corner_between(int e, int f)
{
    return (e + 1) % 3 == f ? f : e;
}

/* --- along the triangle's normal */

/* The face of the box that looks most against n. */
static void begin_with_face(polygon *poly, const box *b, lode_vec3 n)
{
    lode_real d[3] = {v3_dot(axis_of(b, 0), n), v3_dot(axis_of(b, 1), n), v3_dot(axis_of(b, 2), n)};
    lode_real x = r_abs(d[0]), y = r_abs(d[1]), z = r_abs(d[2]);
    int i = x >= y && x >= z ? 0 : y >= z ? 1 : 2, j = (i + 1) % 3, k = (i + 2) % 3;
    int up = d[i] < 0;
    poly->count = 4;
    poly->now = 0;
    for (int q = 0; q < 4; ++q) {
        int right = q == 1 || q == 2, top = q >= 2;
        lode_vec3 p = v3_scale(axis_of(b, i), up ? half_of(b, i) : -half_of(b, i));
        p = v3_madd(p, axis_of(b, j), right ? half_of(b, j) : -half_of(b, j));
        p = v3_madd(p, axis_of(b, k), top ? half_of(b, k) : -half_of(b, k));
        set_corner(poly, q, p, 1 + (up << i) + (right << j) + (top << k));
    }
}

static uint32_t cut_feature(const lode__mesh_query *query, const lode__mesh_side *side,
                            const corner *c)
{
    if (c->cut[0] < 0)
        return (uint32_t)c->id;
    if (c->cut[1] >= 0 && c->cut[1] != c->cut[0])
        return lode__mesh_corner_feature(query->surface, side->triangle,
                                         corner_between(c->cut[0], c->cut[1]));
    return lode__mesh_edge_feature(query->surface, side->triangle, c->cut[0]) |
           (uint32_t)c->id << 24 | (c->enters ? MESH_ENTERS : 0);
}

/* The edges at which the surface goes on, a bit each. */
static unsigned flat_edges(const lode__mesh_query *query, const lode__mesh_side *side)
{
    unsigned flat = 0;
    for (int e = 0; e < 3; ++e)
        flat |= (unsigned)(side_kind(query->surface, side, e) == LODE__EDGE_FLAT) << e;
    return flat;
}

/* Have flat edges alone made the corner? */
static bool ends_nothing(const corner *c, unsigned flat)
{
    unsigned made = 0;
    for (int k = 0; k < 2; ++k)
        made |= c->cut[k] >= 0 ? 1u << c->cut[k] : 0;
    return made != 0 && (made & ~flat) == 0;
}

/* The face of the box that looks at the triangle is beside it, where another dips in: what of the
 * triangle is within the box stands for it. */
static void add_inside(const lode__mesh_query *query, const lode__mesh_side *side, const box *b,
                       lode_real depth)
{
    polygon t;
    lode_vec3 sum = v3_zero();
    begin_with_triangle(&t, &side->t);
    for (int i = 0; i < 3; ++i) {
        clip(&t, axis_of(b, i), half_of(b, i), i);
        clip(&t, v3_neg(axis_of(b, i)), half_of(b, i), i);
    }
    if (t.count == 0)
        return;
    for (int k = 0; k < t.count; ++k)
        sum = v3_add(sum, corners_of(&t)[k].p);
    lode_vec3 p = v3_scale(sum, 1 / (lode_real)t.count);
    lode__mesh_add(query, side, v3_madd(p, side->n, -depth / 2), side->n, depth, INSIDE);
}

/* As side_out(), but as long as the edge. */
static lode_vec3 long_out(const lode__mesh_side *side, int edge)
{
    const lode_vec3 *v = side->t.v;
    lode_vec3 out = v3_cross(v3_sub(v[(edge + 1) % 3], v[edge]), side->n);
    return side->back ? v3_neg(out) : out;
}

/* What eight at a time has found out, box_cut.h. */
static void add_cut(const lode__mesh_query *query, const lode__mesh_side *side,
                    const lode__face_cut *cut)
{
    unsigned flat = flat_edges(query, side);
    for (int k = 0; k < cut->count; ++k) {
        const lode__face_corner *at = &cut->corners[k];
        corner c = {.p = at->position,
                    .id = (int8_t)(at->how % LODE__FACE_PLANE),
                    .cut = {(int8_t)((int)(at->how / LODE__FACE_PLANE % 4) - 1),
                            (int8_t)((int)(at->how / LODE__FACE_BEFORE % 4) - 1)},
                    .enters = at->how >= LODE__FACE_ENTERS};
        if (!ends_nothing(&c, flat))
            lode__mesh_add(query, side, c.p, side->n, at->depth, cut_feature(query, side, &c));
    }
}

static void add_by_face(const lode__mesh_query *query, const lode__mesh_side *side, const box *b,
                        lode_real depth)
{
    if (query->cut && query->cut->count >= 0) {
        add_cut(query, side, query->cut);
        return;
    }
    polygon face;
    lode_real beyond = query->speculative * LODE__FACE_MARGIN;
    begin_with_face(&face, b, side->n);
    for (int e = 0; e < 3 && face.count > 0; ++e) {
        lode_vec3 o = long_out(side, e);
        clip(&face, o, v3_dot(o, side->t.v[e]) + beyond * v3_length(o), e);
    }
    if (face.count == 0) {
        add_inside(query, side, b, depth);
        return;
    }
    unsigned flat = flat_edges(query, side);
    for (int k = 0; k < face.count; ++k) {
        const corner *c = &corners_of(&face)[k];
        depth = -(side->height + v3_dot(side->n, c->p));
        if (depth > -query->speculative && !ends_nothing(c, flat))
            lode__mesh_add(query, side, v3_madd(c->p, side->n, depth / 2), side->n, depth,
                           cut_feature(query, side, c));
    }
}

/* --- along an axis of the box */

static void add_by_box(const lode__mesh_query *query, const lode__mesh_side *side, const box *b,
                       const verdict *v)
{
    int i = v->axis - LODE__BOX_BY_BOX;
    polygon t;
    begin_with_triangle(&t, &side->t);
    for (int j = 1; j < 3; ++j) {
        int axis = (i + j) % 3;
        clip(&t, axis_of(b, axis), half_of(b, axis), 2 * j);
        clip(&t, v3_neg(axis_of(b, axis)), half_of(b, axis), 2 * j + 1);
    }
    for (int k = 0; k < t.count; ++k) {
        const corner *c = &corners_of(&t)[k];
        lode_real depth = half_of(b, i) + v3_dot(v->m, c->p);
        uint32_t feature = lode__mesh_corner_feature(query->surface, side->triangle, c->id);
        if (c->cut[0] >= 0) /* 2..5: which sides of the box cut it; the corner it was cut from */
            feature |= (uint32_t)(c->cut[0] + (c->cut[1] >= 0 ? 4 : 0)) << 24;
        lode__mesh_add(query, side, v3_madd(c->p, v->m, -depth / 2), v->m, depth, feature);
    }
}

/* --- along a product of edges */

static void add_by_edges(const lode__mesh_query *query, const lode__mesh_side *side, const box *b,
                         const verdict *v)
{
    int i = (v->axis - LODE__BOX_BY_EDGES) / 3, e = (v->axis - LODE__BOX_BY_EDGES) % 3;
    lode_vec3 p = v3_zero(), q = side->t.v[e], d = v3_sub(side->t.v[(e + 1) % 3], q);
    for (int k = 0; k < 3; ++k) {
        if (k == i)
            continue;
        bool up = v3_dot(axis_of(b, k), v->m) < 0;
        p = v3_madd(p, axis_of(b, k), up ? half_of(b, k) : -half_of(b, k));
    }
    /* the nearest points of p + s u and q + t d */
    lode_vec3 pq = v3_sub(q, p);
    lode_real ud = v3_dot(axis_of(b, i), d), dd = v3_dot(d, d), det = dd - ud * ud;
    lode_real up = v3_dot(axis_of(b, i), pq), dp = v3_dot(d, pq);
    if (!(det > 0))
        return;
    lode_real s = (up * dd - ud * dp) / det, t = (up * ud - dp) / det;
    s = r_max(-half_of(b, i), r_min(s, half_of(b, i)));
    t = r_max(0, r_min(t, 1));
    lode_vec3 middle = v3_add(v3_madd(p, axis_of(b, i), s), v3_madd(q, d, t));
    uint32_t feature = lode__mesh_edge_feature(query->surface, side->triangle, e) |
                       (uint32_t)(8 | i) << 24;
    lode__mesh_add(query, side, v3_scale(middle, (lode_real)0.5), v->m, v->depth, feature);
}

/* --- all */

void lode__face_box(const lode__mesh_query *query, const lode__mesh_side *side)
{
    box own = query_lines(query);
    add_by_face(query, side, &own, reach_of(&own, side->n) - side->height);
}

void lode__lane_box(const lode__mesh_query *query, const lode__mesh_side *side,
                    const lode__triangle_batch *batch, int lane)
{
    const box *b = query->lines;
    verdict v = {lanes_get3(batch->m, lane), batch->depth.x[lane], (int)batch->what.x[lane]};
    lode_real depth = reach_of(b, side->n) - side->height;
    int where = -1;
    if (!(v.depth > -query_reach(query)))
        return;
    lode__mesh_answer answer = v.axis == LODE__BOX_BY_FACE
                                   ? LODE__MESH_FACE
                                   : lode__mesh_ask(query, side, v.m, &where);
    if (!lode__mesh_say(query, side, depth, v.depth, v.m, answer, where))
        return;
    if (answer == LODE__MESH_FACE)
        add_by_face(query, side, b, depth);
    else if (answer == LODE__MESH_ALLOWS && v.axis < LODE__BOX_BY_EDGES)
        add_by_box(query, side, b, &v);
    else if (answer == LODE__MESH_ALLOWS)
        add_by_edges(query, side, b, &v);
    lode__mesh_said(query);
}

void lode__triangle_box(const lode__mesh_query *query, const lode__mesh_side *side)
{
    box own = query_lines(query);
    lode__mesh_query with = *query;
    with.lines = &own;
    lode__triangle_alone(&with, side, LODE__TRIANGLE_BOX, lode__lane_box);
}

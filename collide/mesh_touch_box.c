/* mesh_touch_box.c: boxes on triangles.
 *
 * 1. Separating axes, eight triangles at a time (collide/touch_triangle.h). The one with the least
 *    overlap names what touches.
 * 2. A direction other than the face's must be one that the mesh allows at the feature of the
 *    triangle that reaches farthest along it (mesh_touch.h). If it is not, the face's is taken; at a
 *    convex edge nothing is, because the triangle beyond gives that contact.
 * 3. Points. Along the triangle's normal, the face of the box that looks at it is clipped against the
 *    planes through the triangle's edges; along an axis of the box, the triangle against the sides of
 *    the box; along a product of edges the nearest points of both are the only one.
 *
 * A point that clipping at a flat edge has made is left out: the surface goes on there, so it ends
 * nothing. A box that lies on many triangles so keeps its own four corners, with their names. */
#include "collide/triangle_lanes.h"

/* How far beyond an edge of the triangle its face still counts, of the speculative margin. */
#define FACE_MARGIN ((lode_real)0.05)

enum { POLYGON = 10, INSIDE = 9 };

typedef struct box {
    lode_vec3 u[3]; /* unit axes */
    lode_real half[3];
} box;

typedef struct verdict {
    lode_vec3 m; /* into the box */
    lode_real depth;
    int axis; /* LODE__BOX_BY_FACE, BY_BOX + i, BY_EDGES + 3 i + e */
} verdict;

static lode_real reach_of(const box *b, lode_vec3 m)
{
    return b->half[0] * r_abs(v3_dot(b->u[0], m)) + b->half[1] * r_abs(v3_dot(b->u[1], m)) +
           b->half[2] * r_abs(v3_dot(b->u[2], m));
}

/* --- clipping */

/* A corner of a polygon, and by which planes it was made; -1: by none. */
typedef struct corner {
    lode_vec3 p;
    int id;     /* of an uncut corner */
    int cut[2]; /* the last planes */
    bool enters; /* it was made after the corner that is gone, else before it */
} corner;

typedef struct polygon {
    corner c[POLYGON];
    int count;
} polygon;

/* Keeps what lies within n . x <= limit (Sutherland and Hodgman 1974). */
static void clip(polygon *poly, lode_vec3 n, lode_real limit, int plane)
{
    lode_real beyond[POLYGON];
    int outside = 0;
    for (int i = 0; i < poly->count; ++i) {
        beyond[i] = v3_dot(n, poly->c[i].p) - limit;
        outside += !(beyond[i] <= 0);
    }
    if (outside == 0)
        return;
    polygon out;
    out.count = 0;
    for (int i = 0; i < poly->count && outside < poly->count; ++i) {
        int next = i + 1 < poly->count ? i + 1 : 0;
        const corner *a = &poly->c[i], *b = &poly->c[next];
        lode_real x = beyond[i], y = beyond[next];
        if (x <= 0 && out.count < POLYGON)
            out.c[out.count++] = *a;
        if ((x <= 0) == (y <= 0) || out.count >= POLYGON)
            continue;
        const corner *gone = x <= 0 ? b : a;
        lode_vec3 p = v3_madd(a->p, v3_sub(b->p, a->p), x / (x - y));
        /* a corner that was made where another plane cut the same side keeps that in its name */
        out.c[out.count++] = (corner){p, gone->id, {plane, gone->cut[0]}, x > 0};
    }
    poly->count = out.count;
    memcpy(poly->c, out.c, (size_t)out.count * sizeof *out.c);
}

/* The corner between two edges, of the three. */
static int corner_between(int e, int f)
{
    return (e + 1) % 3 == f ? f : e;
}

/* --- along the triangle's normal */

/* The face of the box that looks most against n. */
static polygon face_against(const box *b, lode_vec3 n)
{
    lode_real d[3] = {v3_dot(b->u[0], n), v3_dot(b->u[1], n), v3_dot(b->u[2], n)};
    lode_real x = r_abs(d[0]), y = r_abs(d[1]), z = r_abs(d[2]);
    int i = x >= y && x >= z ? 0 : y >= z ? 1 : 2, j = (i + 1) % 3, k = (i + 2) % 3;
    int up = d[i] < 0;
    polygon face = {.count = 4};
    for (int q = 0; q < 4; ++q) {
        int right = q == 1 || q == 2, top = q >= 2;
        lode_vec3 p = v3_scale(b->u[i], up ? b->half[i] : -b->half[i]);
        p = v3_madd(p, b->u[j], right ? b->half[j] : -b->half[j]);
        p = v3_madd(p, b->u[k], top ? b->half[k] : -b->half[k]);
        face.c[q] = (corner){p, 1 + (up << i) + (right << j) + (top << k), {-1, -1}, false};
    }
    return face;
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

static bool ends_nothing(const lode__mesh_query *query, const lode__mesh_side *side,
                         const corner *c)
{
    int made = 0, flat = 0;
    for (int k = 0; k < 2; ++k) {
        made += c->cut[k] >= 0;
        flat += c->cut[k] >= 0 && side_kind(query->surface, side, c->cut[k]) == LODE__EDGE_FLAT;
    }
    return made > 0 && flat == made;
}

/* The face of the box that looks at the triangle is beside it, where another dips in: what of the
 * triangle is within the box stands for it. */
static void add_inside(const lode__mesh_query *query, const lode__mesh_side *side, const box *b,
                       lode_real depth)
{
    polygon t = {.count = 3};
    lode_vec3 sum = v3_zero();
    for (int k = 0; k < 3; ++k)
        t.c[k] = (corner){side->t.v[k], k, {-1, -1}, false};
    for (int i = 0; i < 3; ++i) {
        clip(&t, b->u[i], b->half[i], i);
        clip(&t, v3_neg(b->u[i]), b->half[i], i);
    }
    if (t.count == 0)
        return;
    for (int k = 0; k < t.count; ++k)
        sum = v3_add(sum, t.c[k].p);
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

static void add_by_face(const lode__mesh_query *query, const lode__mesh_side *side, const box *b,
                        lode_real depth)
{
    polygon face = face_against(b, side->n);
    lode_real beyond = query->speculative * FACE_MARGIN;
    for (int e = 0; e < 3; ++e) {
        lode_vec3 o = long_out(side, e);
        clip(&face, o, v3_dot(o, side->t.v[e]) + beyond * v3_length(o), e);
    }
    if (face.count == 0)
        add_inside(query, side, b, depth);
    for (int k = 0; k < face.count; ++k) {
        const corner *c = &face.c[k];
        depth = -(side->height + v3_dot(side->n, c->p));
        if (!ends_nothing(query, side, c))
            lode__mesh_add(query, side, v3_madd(c->p, side->n, depth / 2), side->n, depth,
                           cut_feature(query, side, c));
    }
}

/* --- along an axis of the box */

static void add_by_box(const lode__mesh_query *query, const lode__mesh_side *side, const box *b,
                       const verdict *v)
{
    int i = v->axis - LODE__BOX_BY_BOX;
    polygon t = {.count = 3};
    for (int k = 0; k < 3; ++k)
        t.c[k] = (corner){side->t.v[k], k, {-1, -1}, false};
    for (int j = 1; j < 3; ++j) {
        int axis = (i + j) % 3;
        clip(&t, b->u[axis], b->half[axis], 2 * j);
        clip(&t, v3_neg(b->u[axis]), b->half[axis], 2 * j + 1);
    }
    for (int k = 0; k < t.count; ++k) {
        const corner *c = &t.c[k];
        lode_real depth = b->half[i] + v3_dot(v->m, c->p);
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
        bool up = v3_dot(b->u[k], v->m) < 0;
        p = v3_madd(p, b->u[k], up ? b->half[k] : -b->half[k]);
    }
    /* the nearest points of p + s u and q + t d */
    lode_vec3 pq = v3_sub(q, p);
    lode_real ud = v3_dot(b->u[i], d), dd = v3_dot(d, d), det = dd - ud * ud;
    lode_real up = v3_dot(b->u[i], pq), dp = v3_dot(d, pq);
    if (!(det > 0))
        return;
    lode_real s = (up * dd - ud * dp) / det, t = (up * ud - dp) / det;
    s = r_max(-b->half[i], r_min(s, b->half[i]));
    t = r_max(0, r_min(t, 1));
    lode_vec3 middle = v3_add(v3_madd(p, b->u[i], s), v3_madd(q, d, t));
    uint32_t feature = lode__mesh_edge_feature(query->surface, side->triangle, e) | (uint32_t)(8 | i)
                                                                                     << 24;
    lode__mesh_add(query, side, v3_scale(middle, (lode_real)0.5), v->m, v->depth, feature);
}

/* --- all */

static box box_of(const lode__mesh_query *query)
{
    lode__mat3 r = m3_from_quat(query->rotation);
    return (box){
        {v3(r.r0.x, r.r1.x, r.r2.x), v3(r.r0.y, r.r1.y, r.r2.y), v3(r.r0.z, r.r1.z, r.r2.z)},
        {query->size[0], query->size[1], query->size[2]}};
}

void lode__face_box(const lode__mesh_query *query, const lode__mesh_side *side)
{
    box b = box_of(query);
    add_by_face(query, side, &b, reach_of(&b, side->n) - side->height);
}

void lode__lane_box(const lode__mesh_query *query, const lode__mesh_side *side,
                    const lode__triangle_batch *batch, int lane)
{
    box b = {{lanes_get3(batch->axis[0], lane), lanes_get3(batch->axis[1], lane),
              lanes_get3(batch->axis[2], lane)},
             {query->size[0], query->size[1], query->size[2]}};
    verdict v = {lanes_get3(batch->m, lane), batch->depth.x[lane], (int)batch->what.x[lane]};
    lode_real depth = reach_of(&b, side->n) - side->height;
    int where = -1;
    lode__mesh_answer answer = v.axis == LODE__BOX_BY_FACE
                                   ? LODE__MESH_FACE
                                   : lode__mesh_ask(query, side, v.m, &where);
    lode__mesh_say(query, side, depth, answer == LODE__MESH_NOTHING ? where : -1);
    if (answer == LODE__MESH_FACE)
        add_by_face(query, side, &b, depth);
    else if (answer == LODE__MESH_ALLOWS && v.axis < LODE__BOX_BY_EDGES)
        add_by_box(query, side, &b, &v);
    else if (answer == LODE__MESH_ALLOWS)
        add_by_edges(query, side, &b, &v);
}

void lode__triangle_box(const lode__mesh_query *query, const lode__mesh_side *side)
{
    lode__triangle_alone(query, side, LODE__TRIANGLE_BOX, lode__lane_box);
}

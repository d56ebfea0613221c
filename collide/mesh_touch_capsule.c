/* mesh_touch_capsule.c: capsules on triangles.
 *
 * Two kinds of contact, of which a triangle may give both:
 *
 *     on the face    the stretch of the axis above the triangle touches at its two ends. An end
 *                    that only a flat edge has made is left out, because the next triangle goes on
 *                    there; so a capsule that lies on many triangles keeps its own two ends.
 *     at an edge     where the axis passes nearest to it, if the mesh allows that direction.
 *
 * Stations are found eight triangles at a time (collide/touch_triangle_capsule.h). The ends of the
 * axis are spheres: a corner, or the nearest point of an edge, is found with them. */
#include "collide/triangle_lanes.h"

enum { LOWER_END = 1, UPPER_END = 2, FACE_CUT = 3 };

typedef struct axis {
    lode_vec3 u; /* half of it, from its middle to its upper end */
    lode_real radius;
} axis;

static lode_vec3 station(const axis *a, lode_real s)
{
    return v3_scale(a->u, s);
}

/* --- on the face */

/* A stretch of the axis between two stations, and the edges that end it; -1: the axis does. */
typedef struct stretch {
    lode_real s[2];
    int cut[2];
} stretch;

static stretch stretch_of(const lode__lanes s[2], const lode__lanes cut[2], int lane)
{
    return (stretch){{s[0].x[lane], s[1].x[lane]}, {(int)cut[0].x[lane], (int)cut[1].x[lane]}};
}

static lode_real height_at(const lode__mesh_side *side, const axis *a, lode_real s)
{
    return side->height + s * v3_dot(side->n, a->u);
}

/* One end of the stretch, made by edge `cut` unless that is -1. */
static lode__mesh_point end_point(const lode__mesh_query *query, const lode__mesh_side *side,
                                  const axis *a, lode_real s, int end, int cut)
{
    lode_real depth = a->radius - height_at(side, a, s);
    uint32_t feature = end ? UPPER_END : LOWER_END;
    if (cut >= 0)
        feature = lode__mesh_edge_feature(query->surface, side->triangle, cut) | (uint32_t)FACE_CUT
                                                                                  << 24;
    return (lode__mesh_point){.position = v3_madd(station(a, s), side->n, depth / 2 - a->radius),
                              .normal = side->n,
                              .depth = depth,
                              .feature = feature,
                              .triangle = side->triangle};
}

/* Is the end left to the next triangle, where the face goes on? */
static bool is_left(const lode__mesh_query *query, const lode__mesh_side *side, int cut)
{
    return cut >= 0 && side_kind(query->surface, side, cut) == LODE__EDGE_FLAT;
}

static void add_end(const lode__mesh_query *query, const lode__mesh_side *side, const axis *a,
                    lode_real s, int end, int cut)
{
    lode__mesh_point point = end_point(query, side, a, s, end, cut);
    if (!is_left(query, side, cut))
        lode__mesh_add_point(query, &point);
}

static bool is_sooner(const lode__mesh_point *p, const lode__mesh_point *q)
{
    return p->depth != q->depth ? p->depth < q->depth : p->triangle < q->triangle;
}

/* If what is above the face touches it from the front, but its lower end is left to another, who
 * may not be near: as deep as the face goes on to, below the end of the axis. */
static void note_silent(const lode__mesh_query *query, const lode__mesh_side *side, const axis *a,
                        const stretch *on)
{
    lode__mesh_silent *silent = &query->out->silent;
    lode_real h[2] = {height_at(side, a, on->s[0]), height_at(side, a, on->s[1])};
    int low = h[1] < h[0];
    if (!(h[low] < a->radius && h[!low] > 0) || !is_left(query, side, on->cut[low]))
        return;
    lode__mesh_point point = end_point(query, side, a, low ? 1 : -1, low, -1);
    if (!silent->any || is_sooner(&point, &silent->point))
        silent->point = point;
    silent->any = true;
}

/* How high the stretch is at one end; beyond a flat edge the face goes on, as far as the axis. */
static lode_real end_height(const lode__mesh_query *query, const lode__mesh_side *side,
                            const axis *a, const stretch *on, int end)
{
    bool goes_on = is_left(query, side, on->cut[end]);
    return height_at(side, a, goes_on ? (end ? 1 : -1) : on->s[end]);
}

/* Is the end of the axis above the face, or just beyond an edge of it? Beyond an acute corner both
 * edges are near for long. */
static bool is_above(const lode__mesh_query *query, const lode__mesh_side *side, const axis *a,
                     const stretch *wide, const stretch *on, int end)
{
    int where;
    if (wide->cut[end] >= 0 || (on && on->cut[end] < 0))
        return wide->cut[end] < 0;
    lode_vec3 p = station(a, wide->s[end]);
    lode_vec3 off = v3_sub(p, lode__triangle_nearest(&side->t, p, &where));
    lode_vec3 beside = v3_madd(off, side->n, -v3_dot(off, side->n));
    return v3_length(beside) <= 2 * MESH_ALIKE * (a->radius + query->speculative);
}

/* An end of the axis just beyond an edge counts, as far as directions from the edge count as the
 * face's; an end that an edge makes lies on it. `on` is null where nothing is right above the
 * face. */
static void touch_face(const lode__mesh_query *query, const lode__mesh_side *side, const axis *a,
                       const stretch *wide, const stretch *on)
{
    lode_real most = r_max(end_height(query, side, a, wide, 0),
                           end_height(query, side, a, wide, 1));
    if (most < 0 && surface_two_sided(query->surface)) {
        lode__mesh_side back = {side->triangle, side->t, v3_neg(side->n), -side->height,
                                !side->back, side->rim};
        touch_face(query, &back, a, wide, on); /* the axis crosses the plane beside the triangle */
        return;
    }
    for (int end = 0; end < 2 && most >= -a->radius; ++end)
        if (is_above(query, side, a, wide, on, end))
            add_end(query, side, a, wide->s[end], end, -1);
        else if (on)
            add_end(query, side, a, on->s[end], end, on->cut[end]);
    if (on)
        note_silent(query, side, a, on);
}

/* --- at an edge */

/* At a rim what has come past a one-sided face is not felt: the axis counts as far as it is before
 * the plane, to where it crosses it. */
static void stay_before(const lode__mesh_side *side, const axis *a, lode_vec3 p, lode_vec3 e,
                        lode_real *s, lode_real *t)
{
    lode_real rise = v3_dot(side->n, a->u);
    if (!(side->height > 0 && height_at(side, a, *s) < 0))
        return;
    *s = -side->height / rise;
    *t = v3_dot(v3_sub(station(a, *s), p), e) / v3_dot(e, e);
    *t = r_max(0, r_min(1, *t));
}

/* The axis is nearest to the edge at station s, and there to the share t of it. */
static void touch_edge(const lode__mesh_query *query, const lode__mesh_side *side, const axis *a,
                       int edge, lode_real s, lode_real t)
{
    lode_vec3 p = side->t.v[edge], e = v3_sub(side->t.v[(edge + 1) % 3], p);
    int kind = side_kind(query->surface, side, edge);
    if (kind == LODE__EDGE_FREE && !surface_two_sided(query->surface))
        stay_before(side, a, p, e, &s, &t);
    bool inside = t > 0 && t < 1;
    if (inside && (kind == LODE__EDGE_FLAT || kind == LODE__EDGE_CONCAVE))
        return;
    lode_vec3 apart = v3_sub(station(a, s), v3_madd(p, e, t));
    lode_vec3 d = v3_normalize_or(apart, side->n);
    lode_real distance = v3_length(apart), depth = a->radius - distance;
    if (!(depth > -query->speculative) || v3_dot(d, side->n) > 1 - MESH_ALIKE * MESH_ALIKE / 2)
        return;
    int corner = t > 0 ? (edge + 1) % 3 : edge;
    if (!(inside ? lode__mesh_edge_allows(query, side, edge, d)
                 : lode__mesh_corner_allows(query, side, corner, d)))
        return;
    if (v3_dot(d, side_out(side, edge)) < -MESH_ALIKE)
        return; /* above this face: it says so itself */
    uint32_t feature = inside ? lode__mesh_edge_feature(query->surface, side->triangle, edge)
                              : lode__mesh_corner_feature(query->surface, side->triangle, corner);
    lode__mesh_add(query, side, v3_madd(station(a, s), d, depth / 2 - a->radius), d, depth,
                   feature);
}

void lode__lane_capsule(const lode__mesh_query *query, const lode__mesh_side *side,
                        const lode__triangle_batch *batch, int lane)
{
    unsigned touches = (unsigned)batch->touches.x[lane];
    axis a = {v3_scale(lanes_get3(batch->axis[2], lane), query->size[1]), query->size[0]};
    stretch wide = stretch_of(batch->wide, batch->wide_cut, lane);
    stretch on = stretch_of(batch->on, batch->on_cut, lane);
    if (touches & LODE__CAPSULE_BESIDE)
        touch_face(query, side, &a, &wide, touches & LODE__CAPSULE_ON ? &on : NULL);
    for (int e = 0; e < 3; ++e)
        if (touches & (unsigned)LODE__CAPSULE_EDGE << e)
            touch_edge(query, side, &a, e, batch->edge_s[e].x[lane], batch->edge_t[e].x[lane]);
}

void lode__triangle_capsule(const lode__mesh_query *query, const lode__mesh_side *side)
{
    lode__triangle_alone(query, side, LODE__TRIANGLE_CAPSULE, lode__lane_capsule);
}

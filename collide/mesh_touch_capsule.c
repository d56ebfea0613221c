/* mesh_touch_capsule.c: capsules on triangles.
 *
 * Two kinds of contact, of which a triangle may give both:
 *
 *     on the face    the stretch of the axis above the triangle touches at its two ends. An end that
 *                    only a flat edge has made is left out, because the next triangle goes on there;
 *                    so a capsule that lies on many triangles keeps its own two ends.
 *     at an edge     where the axis passes nearest to it, if the mesh allows that direction.
 *
 * The ends of the axis are spheres: a corner, or the nearest point of an edge, is found with them. */
#include "collide/mesh_touch.h"

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

typedef struct stretch {
    lode_real s[2]; /* -1..1 */
    int cut[2];     /* the edge that ends it, or -1: the axis does */
} stretch;

/* What of the axis lies within the planes through the edges, along the normal, or as far as `reach`
 * beyond. */
static bool above_face(const lode__mesh_side *side, const axis *a, lode_real reach, stretch *out)
{
    *out = (stretch){{-1, 1}, {-1, -1}};
    for (int e = 0; e < 3; ++e) {
        lode_vec3 o = side_out(side, e);
        lode_real limit = v3_dot(o, side->t.v[e]) + reach;
        lode_real rate = v3_dot(o, a->u);
        if (r_abs(rate) <= REAL_EPSILON * (r_abs(limit) + v3_length(a->u))) {
            if (limit < 0)
                return false;
            continue;
        }
        lode_real s = limit / rate;
        int end = rate > 0;
        if (end ? s < out->s[1] : s > out->s[0]) {
            out->s[end] = s;
            out->cut[end] = e;
        }
    }
    return out->s[0] <= out->s[1];
}

/* One end of the stretch, made by edge `cut` unless that is -1. */
static void add_end(const lode__mesh_query *query, const lode__mesh_side *side, const axis *a,
                    lode_real s, int end, int cut)
{
    if (cut >= 0 && side_kind(query->surface, side, cut) == LODE__EDGE_FLAT)
        return;
    lode_real depth = a->radius - (side->height + s * v3_dot(side->n, a->u));
    lode_vec3 p = v3_madd(station(a, s), side->n, depth / 2 - a->radius);
    uint32_t feature = end ? UPPER_END : LOWER_END;
    if (cut >= 0)
        feature = lode__mesh_edge_feature(query->surface, side->triangle, cut) | (uint32_t)FACE_CUT
                                                                                  << 24;
    lode__mesh_add(query, side, p, side->n, depth, feature);
}

/* How high the stretch is at one end; beyond a flat edge the face goes on, as far as the axis. */
static lode_real end_height(const lode__mesh_query *query, const lode__mesh_side *side,
                            const axis *a, const stretch *on, int end)
{
    bool goes_on = on->cut[end] >= 0 &&
                   side_kind(query->surface, side, on->cut[end]) == LODE__EDGE_FLAT;
    return side->height + (goes_on ? (end ? 1 : -1) : on->s[end]) * v3_dot(side->n, a->u);
}

/* An end of the axis just beyond an edge counts, as far as directions from the edge count as the
 * face's; an end that an edge makes lies on it. */
static void touch_face(const lode__mesh_query *query, const lode__mesh_side *side, const axis *a)
{
    stretch on, wide;
    if (!above_face(side, a, (a->radius + query->speculative) * MESH_ALIKE, &wide))
        return;
    bool exact = above_face(side, a, 0, &on);
    lode_real most = r_max(end_height(query, side, a, &wide, 0),
                           end_height(query, side, a, &wide, 1));
    if (most < 0 && surface_two_sided(query->surface)) {
        lode__mesh_side back = {side->triangle, side->t, v3_neg(side->n), -side->height,
                                !side->back, side->rim};
        touch_face(query, &back, a); /* the axis crosses the plane beside the triangle */
        return;
    }
    for (int end = 0; end < 2 && most >= -a->radius; ++end)
        if (wide.cut[end] < 0)
            add_end(query, side, a, wide.s[end], end, -1);
        else if (exact)
            add_end(query, side, a, on.s[end], end, on.cut[end]);
}

/* --- at an edge */

static lode_real clamp_share(lode_real x, lode_real lo, lode_real hi)
{
    return r_max(lo, r_min(x, hi));
}

/* The nearest points of the axis, at s in -1..1, and of edge p + t e, t in 0..1 (Ericson 2005,
 * section 5.1.9). */
static void nearest_stations(const axis *a, lode_vec3 p, lode_vec3 e, lode_real *out_s,
                             lode_real *out_t)
{
    lode_real uu = v3_dot(a->u, a->u), ee = v3_dot(e, e), ue = v3_dot(a->u, e);
    lode_real up = v3_dot(a->u, p), ep = v3_dot(e, p);
    lode_real square = uu * ee - ue * ue, s = 0;
    if (square > uu * ee * (lode_real)1e-6)
        s = clamp_share((up * ee - ue * ep) / square, -1, 1);
    lode_real t = clamp_share((s * ue - ep) / ee, 0, 1);
    *out_s = uu > 0 ? clamp_share((up + t * ue) / uu, -1, 1) : 0;
    *out_t = clamp_share((*out_s * ue - ep) / ee, 0, 1);
}

static void touch_edge(const lode__mesh_query *query, const lode__mesh_side *side, const axis *a,
                       int edge)
{
    lode_vec3 p = side->t.v[edge], e = v3_sub(side->t.v[(edge + 1) % 3], p);
    lode_real s, t;
    int kind = side_kind(query->surface, side, edge);
    nearest_stations(a, p, e, &s, &t);
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

void lode__triangle_capsule(const lode__mesh_query *query, const lode__mesh_side *side)
{
    axis a = {q_rotate(query->rotation, v3(0, 0, query->size[1])), query->size[0]};
    touch_face(query, side, &a);
    for (int e = 0; e < 3; ++e)
        touch_edge(query, side, &a, e);
}

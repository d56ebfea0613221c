/* mesh_allowed.c: the least way out of a triangle along directions that the mesh allows.
 *
 * They are the face's normal, at a convex edge those between it and the normal beyond, at a free
 * one those between it and the way off the edge in its plane, and what leads away from all edges
 * at a corner (mesh_touch.h). How far a solid must go along them is the support of a convex set,
 * the differences of the solid and of the triangle; where they overlap that is least at places
 * where the set has a face, or at the end of what is allowed:
 *
 *     at an edge     seen along it the set is a polygon, or a curve, in a plane, of which the
 *                    stretch between two directions counts. It is searched from within, as
 *                    polytopes are for a depth (van den Bergen 2001): the chord between two
 *                    points of the set bounds the stretch from below, the set's reach across
 *                    the chord from above; where they do not meet both halves are looked at,
 *                    if they may be less than the least so far;
 *     at a corner    the solid's face that looks at it.
 *
 * Bodies of the general methods only; rounded ones have a nearest point that says all. */
#include "collide/mesh_touch.h"

/* Of the speculative margin: how exact the least way is. */
#define EXACT 0.01

/* Names, beside the edge or corner. */
enum { ALLOWED = 15 << 24, STRETCHES = 24, CUTS = 48 };

/* What the set has farthest along m. */
typedef struct reach {
    lode__double3 m;
    lode__double3 w, on; /* the set's point; the solid's */
    double along;
} reach;

typedef struct least {
    const lode__mesh_query *query;
    lode__double33 turn; /* of the solid */
    lode__double3 m, on; /* the best way, and the solid's last point along it */
    double depth, exact;
    uint32_t feature;
    bool found;
} least;

static lode__double3 solid_point(const least *l, lode__double3 m)
{
    const lode__convex *solid = &l->query->solid;
    return d33_mul(&l->turn, solid->type->support(solid, d33_mul_t(&l->turn, d3_neg(m))));
}

static void take(least *l, lode__double3 m, lode__double3 on, double depth, uint32_t feature)
{
    if (depth < l->depth)
        *l = (least){l->query, l->turn, m, on, depth, l->exact, feature, true};
}

/* --- at an edge */

static reach reach_of(const least *l, lode__double3 at, lode__double3 m)
{
    lode__double3 on = solid_point(l, m), w = d3_sub(at, on);
    return (reach){m, w, on, d3_dot(m, w)};
}

/* Across the chord between two points of the set, into free space; zero: they are one, seen along
 * the edge. */
static lode__double3 across(const reach *p, const reach *q, lode__double3 edge)
{
    lode__double3 m = d3_cross(d3_sub(q->w, p->w), edge);
    if (d3_dot(m, d3_add(p->m, q->m)) < 0)
        m = d3_neg(m);
    return d3_normalize_or(m, d3(0, 0, 0));
}

/* The solid's place on the chord that is nearest to the edge. */
static lode__double3 foot(const reach *p, const reach *q, lode__double3 edge)
{
    lode__double3 chord = d3_sub(q->w, p->w);
    chord = d3_madd(chord, edge, -d3_dot(chord, edge));
    double square = d3_dot(chord, chord);
    double share = square > 0 ? d_min(d_max(-d3_dot(p->w, chord) / square, 0), 1) : 0;
    return d3_madd(p->on, d3_sub(q->on, p->on), share);
}

/* Between two directions across the edge that are less than half a turn apart. */
static void search_stretch(least *l, lode__double3 at, lode__double3 edge, lode__double3 from,
                           lode__double3 to, uint32_t feature)
{
    reach stack[STRETCHES][2];
    int count = 1;
    stack[0][0] = reach_of(l, at, from);
    stack[0][1] = reach_of(l, at, to);
    for (int k = 0; k < 2; ++k)
        take(l, stack[0][k].m, stack[0][k].on, stack[0][k].along, feature);
    for (int cut = 0; cut < CUTS && count > 0; ++cut) {
        reach p = stack[--count][0], q = stack[count][1];
        lode__double3 m = across(&p, &q, edge);
        double below = d3_dot(m, p.w);
        if (d3_dot(m, m) == 0 || !(below < l->depth - l->exact))
            continue;
        reach middle = reach_of(l, at, m);
        take(l, m, foot(&p, &q, edge), middle.along, feature);
        if (!(middle.along > below + l->exact) || count + 2 > STRETCHES)
            continue;
        stack[count][0] = p;
        stack[count++][1] = middle;
        stack[count][0] = middle;
        stack[count++][1] = q;
    }
}

static void search_edge(least *l, const lode__mesh_side *side, int edge)
{
    const lode__shape_data *surface = l->query->surface;
    int kind = side_kind(surface, side, edge);
    if (kind == LODE__EDGE_FLAT || kind == LODE__EDGE_CONCAVE)
        return;
    uint32_t beyond = surface_neighbor(surface, side->triangle, edge);
    uint32_t feature = lode__mesh_edge_feature(surface, side->triangle, edge) | ALLOWED;
    lode__double3 at = d3_from(side->t.v[edge]), n = d3_from(side->n);
    lode__double3 along = d3_sub(d3_from(side->t.v[(edge + 1) % 3]), at);
    lode__double3 out = d3_from(side_out(side, edge)), far = out, middle;
    along = d3_normalize_or(along, d3(0, 0, 0));
    if (d3_dot(out, out) == 0)
        return; /* so small that nobody knows where it leads off the triangle */
    if (kind == LODE__EDGE_CONVEX) {
        far = surface_normal_of(surface, beyond >> 2);
        far = side->back ? d3_neg(far) : far;
    }
    middle = d3_normalize_or(d3_add(n, far), out);
    search_stretch(l, at, along, n, middle, feature);
    search_stretch(l, at, along, middle, far, feature);
    if (kind == LODE__EDGE_FREE && surface_two_sided(surface))
        search_stretch(l, at, along, out, d3_neg(n), feature);
}

/* --- at a corner */

/* Along the solid's face that looks at the middle of what may be allowed there. */
static void search_corner(least *l, const lode__mesh_side *side, int corner)
{
    const lode__mesh_query *query = l->query;
    lode_vec3 sum = v3_scale(side->n, 2);
    for (int k = 0; k < 2; ++k) {
        int edge = (corner + 2 * k) % 3;
        sum = v3_add(sum, side_out(side, edge));
    }
    lode__double3 toward = d33_mul_t(&l->turn, d3_neg(d3_from(v3_normalize_or(sum, side->n))));
    lode__face face;
    int where;
    query->solid.type->face(&query->solid, toward, &face);
    if (face.count < 3)
        return;
    lode__double3 m = d3_neg(d33_mul(&l->turn, face.normal));
    lode__double3 v[3] = {d3_from(side->t.v[0]), d3_from(side->t.v[1]), d3_from(side->t.v[2])};
    double far = d_max(d3_dot(m, v[0]), d_max(d3_dot(m, v[1]), d3_dot(m, v[2])));
    double depth = far - d3_dot(m, solid_point(l, m));
    if (!(depth < l->depth) || lode__mesh_ask(query, side, d3_to(m), &where) != LODE__MESH_ALLOWS ||
        where < 3)
        return;
    uint32_t feature = lode__mesh_corner_feature(query->surface, side->triangle, where - 3);
    take(l, m, d3_madd(v[where - 3], m, -depth), depth, feature | ALLOWED);
}

/* --- all */

bool lode__mesh_least_allowed(const lode__mesh_query *query, const lode__mesh_side *side,
                              lode_real most, lode__mesh_point *out)
{
    least l = {.query = query,
               .turn = d33_from_quat(query->rotation),
               .depth = most,
               .exact = (double)query->speculative * EXACT};
    for (int k = 0; k < 3; ++k)
        search_edge(&l, side, k);
    for (int k = 0; k < 3; ++k)
        search_corner(&l, side, k);
    *out = (lode__mesh_point){.position = d3_to(d3_madd(l.on, l.m, l.depth / 2)),
                              .normal = d3_to(l.m),
                              .depth = (lode_real)l.depth,
                              .feature = l.feature,
                              .triangle = side->triangle};
    return l.found;
}

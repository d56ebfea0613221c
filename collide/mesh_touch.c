/* mesh_touch.c: nearest points of triangles, Voronoi regions of meshes, and spheres; see
 * mesh_touch.h. */
#include "collide/mesh_touch.h"

#include "collide/triangle_lanes.h"
#include "core/memory.h"

size_t lode__mesh_points_bytes(const lode__mesh_points *points)
{
    return points->capacity * sizeof *points->items +
           points->word_capacity * sizeof *points->words +
           points->chosen_capacity * sizeof *points->chosen;
}

void lode__mesh_points_free(lode__mesh_points *points)
{
    lode__free(points->items, points->capacity * sizeof *points->items);
    lode__free(points->words, points->word_capacity * sizeof *points->words);
    lode__free(points->chosen, points->chosen_capacity * sizeof *points->chosen);
}

void lode__mesh_add_point(const lode__mesh_query *query, const lode__mesh_point *point)
{
    lode__mesh_points *out = query->out;
    if (!(point->depth > -query_reach(query)) || out->failed)
        return;
    if (out->count == out->capacity &&
        !lode__grow((void **)&out->items, &out->capacity, out->count + 1, sizeof *out->items)) {
        out->failed = true;
        return;
    }
    out->items[out->count++] = *point;
}

void lode__mesh_add(const lode__mesh_query *query, const lode__mesh_side *side, lode_vec3 position,
                    lode_vec3 normal, lode_real depth, uint32_t feature)
{
    lode__mesh_point point = {position, normal, depth, feature, side->triangle, 0, false};
    lode__mesh_add_point(query, &point);
}

/* --- names */

uint32_t lode__mesh_edge_feature(const lode__shape_data *surface, uint32_t triangle, int edge)
{
    uint32_t here = triangle << 2 | (uint32_t)edge;
    uint32_t there = surface_neighbor(surface, triangle, edge);
    return MESH_BY_EDGE | ((here < there ? here : there) & MESH_LOW_BITS);
}

uint32_t lode__mesh_corner_feature(const lode__shape_data *surface, uint32_t triangle, int corner)
{
    return MESH_BY_CORNER | (surface_vertex(surface, triangle, corner) & MESH_LOW_BITS);
}

/* --- nearest points */

static lode_vec3 at_edge(const lode__triangle *t, int edge, lode_real share, int *out_where)
{
    lode_vec3 a = t->v[edge], b = t->v[(edge + 1) % 3];
    *out_where = edge;
    return v3_madd(a, v3_sub(b, a), share);
}

static lode_vec3 at_corner(const lode__triangle *t, int corner, int *out_where)
{
    *out_where = 3 + corner;
    return t->v[corner];
}

/* By the signs of barycentric coordinates (Ericson 2005, section 5.1.5). */
lode_vec3 lode__triangle_nearest(const lode__triangle *t, lode_vec3 x, int *out_where)
{
    lode_vec3 ab = v3_sub(t->v[1], t->v[0]), ac = v3_sub(t->v[2], t->v[0]);
    lode_vec3 ax = v3_sub(x, t->v[0]), bx = v3_sub(x, t->v[1]), cx = v3_sub(x, t->v[2]);
    lode_real d1 = v3_dot(ab, ax), d2 = v3_dot(ac, ax);
    lode_real d3 = v3_dot(ab, bx), d4 = v3_dot(ac, bx);
    lode_real d5 = v3_dot(ab, cx), d6 = v3_dot(ac, cx);
    if (d1 <= 0 && d2 <= 0)
        return at_corner(t, 0, out_where);
    if (d3 >= 0 && d4 <= d3)
        return at_corner(t, 1, out_where);
    if (d6 >= 0 && d5 <= d6)
        return at_corner(t, 2, out_where);
    lode_real vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return at_edge(t, 0, d1 / (d1 - d3), out_where);
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return at_edge(t, 2, 1 - d2 / (d2 - d6), out_where);
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return at_edge(t, 1, (d4 - d3) / ((d4 - d3) + (d5 - d6)), out_where);
    *out_where = -1;
    lode_real sum = va + vb + vc;
    return v3_madd(v3_madd(t->v[0], ab, vb / sum), ac, vc / sum);
}

/* --- regions */

/* What leads across an edge, away from the third corner, as long as it comes without a root. */
typedef struct across {
    lode_vec3 out;
    lode_real square; /* of its length */
    bool is_usable;
} across;

/* It is
 *
 *     o = a (a . c) - c (a . a)
 *
 * where a is the edge and c leads from its beginning to that corner. With the angle between both no
 * less than 0.01 its direction is right to some hundred units of rounding, as is the one by the
 * triangle's normal. Lengths whose sixth powers are no usable numbers go the long way. */
static across across_edge(const lode__triangle *t, int edge)
{
    lode_vec3 a = v3_sub(t->v[(edge + 1) % 3], t->v[edge]);
    lode_vec3 c = v3_sub(t->v[(edge + 2) % 3], t->v[edge]);
    lode_real aa = v3_dot(a, a), cc = v3_dot(c, c);
    lode_vec3 o = v3_madd(v3_scale(a, v3_dot(a, c)), c, -aa);
    lode_real oo = v3_dot(o, o);
    return (across){o, oo,
                    oo > (lode_real)1e-30 && oo < (lode_real)1e30 &&
                        oo >= (lode_real)1e-4 * (aa * aa * cc)};
}

/* What is twice as far beyond the limit as it, or half as far, needs no root. */
int lode__mesh_leads_off(const lode__triangle *t, int edge, lode_vec3 d)
{
    across o = across_edge(t, edge);
    if (!o.is_usable)
        return -1;
    lode_real along = v3_dot(d, o.out), limit = MESH_ALIKE * MESH_ALIKE * o.square;
    if (along >= 0 || along * along <= limit / 4)
        return 1;
    return along * along >= limit * 4 ? 0 : -1;
}

/* d . side_out() of the triangle beyond an edge. */
static lode_real along_beyond(const lode__shape_data *surface, uint32_t beyond,
                              const lode__triangle *t, lode_vec3 d)
{
    lode__mesh_side other = {.triangle = beyond >> 2, .t = *t};
    other.n = surface_normal(surface, other.triangle, t);
    return v3_dot(d, side_out(&other, (int)(beyond & 3)));
}

bool lode__mesh_edge_allows(const lode__mesh_query *query, const lode__mesh_side *side, int edge,
                            lode_vec3 d)
{
    const lode__shape_data *surface = query->surface;
    int kind = side_kind(surface, side, edge);
    if (kind == LODE__EDGE_FREE)
        return surface_two_sided(surface) || v3_dot(d, side->n) >= -MESH_ALIKE;
    if (kind != LODE__EDGE_CONVEX)
        return false;
    uint32_t beyond = surface_neighbor(surface, side->triangle, edge);
    lode__triangle t = surface_triangle(surface, beyond >> 2);
    /* corners of a field are rounded where they are, its normals are not */
    int off = surface->type == LODE_MESH ? lode__mesh_leads_off(&t, (int)(beyond & 3), d) : -1;
    return off >= 0 ? off != 0 : along_beyond(surface, beyond, &t, d) >= -MESH_ALIKE;
}

bool lode__mesh_leads_into(const lode__mesh_query *query, const lode__mesh_side *side, int edge,
                           lode_vec3 d)
{
    const lode_real sure = 4096 * REAL_EPSILON;
    const lode__shape_data *surface = query->surface;
    if (side_kind(surface, side, edge) != LODE__EDGE_CONVEX)
        return false;
    uint32_t beyond = surface_neighbor(surface, side->triangle, edge);
    lode__triangle t = surface_triangle(surface, beyond >> 2);
    across o = across_edge(&t, (int)(beyond & 3));
    lode_real along = v3_dot(d, o.out);
    if (surface->type == LODE_MESH && o.is_usable && along * along > sure * sure * o.square)
        return along < 0;
    return along_beyond(surface, beyond, &t, d) < -64 * REAL_EPSILON;
}

/* Does `d`, from a place of the surface, lead away from a triangle there? */
static bool leads_away(const lode__shape_data *surface, uint32_t triangle, lode_vec3 place,
                       lode_vec3 d)
{
    lode__triangle t = surface_triangle(surface, triangle);
    for (int k = 0; k < 3; ++k) {
        lode_vec3 along = v3_sub(t.v[k], place);
        if (v3_dot(d, along) > MESH_ALIKE * v3_length(along))
            return false;
    }
    return true;
}

/* Beyond an edge at a corner, in a turn: the edge leaves the corner, or leads to it. */
static int edge_in_turn(int corner, int turn)
{
    return turn ? corner : (corner + 2) % 3;
}

uint32_t lode__mesh_around(const lode__shape_data *surface, uint32_t triangle, int *corner,
                           int turn)
{
    int edge = edge_in_turn(*corner, turn);
    uint32_t next = surface_neighbor(surface, triangle, edge);
    if (next == LODE__NONE || surface_is_junction(surface, triangle, edge))
        return LODE__NONE;
    *corner = turn ? ((int)(next & 3) + 1) % 3 : (int)(next & 3);
    return next >> 2;
}

/* The triangle beyond a junction that ends a turn around a corner; or LODE__NONE. */
static uint32_t beyond_junction(const lode__shape_data *surface, uint32_t triangle, int corner,
                                int turn)
{
    int edge = edge_in_turn(corner, turn);
    return surface_is_junction(surface, triangle, edge)
               ? surface_neighbor(surface, triangle, edge) >> 2
               : LODE__NONE;
}

/* Around the corner in both turns, until the first triangle comes again or an edge is free. */
bool lode__mesh_corner_allows(const lode__mesh_query *query, const lode__mesh_side *side,
                              int corner, lode_vec3 d)
{
    const lode__shape_data *surface = query->surface;
    bool front = v3_dot(d, side->n) >= -MESH_ALIKE;
    for (int turn = 0; turn < 2; ++turn) {
        uint32_t triangle = side->triangle;
        int at = corner;
        for (int i = 0; i < LODE__MESH_FAN && triangle != LODE__NONE; ++i) {
            lode_vec3 place = surface_triangle(surface, triangle).v[at];
            uint32_t last = beyond_junction(surface, triangle, at, turn);
            if (!leads_away(surface, triangle, place, d) ||
                (last != LODE__NONE && !leads_away(surface, last, place, d)))
                return false;
            triangle = lode__mesh_around(surface, triangle, &at, turn);
            if (triangle == side->triangle)
                return true;
            if (triangle != LODE__NONE && !gate_opens(&query->gate, triangle))
                triangle = LODE__NONE;
        }
    }
    return front || surface_two_sided(surface);
}

/* --- what the mesh allows */

static lode__mesh_answer ask_edge(const lode__mesh_query *query, const lode__mesh_side *side,
                                  int edge, lode_vec3 m)
{
    int kind = side_kind(query->surface, side, edge);
    if (kind == LODE__EDGE_FLAT || kind == LODE__EDGE_CONCAVE)
        return LODE__MESH_FACE;
    if (lode__mesh_edge_allows(query, side, edge, m))
        return LODE__MESH_ALLOWS;
    return kind == LODE__EDGE_FREE ? LODE__MESH_FACE : LODE__MESH_NOTHING;
}

static lode__mesh_answer ask_corner(const lode__mesh_query *query, const lode__mesh_side *side,
                                    int corner, lode_vec3 m)
{
    int before = side_kind(query->surface, side, (corner + 2) % 3);
    int after = side_kind(query->surface, side, corner);
    if (lode__mesh_corner_allows(query, side, corner, m))
        return LODE__MESH_ALLOWS;
    return before == LODE__EDGE_CONVEX && after == LODE__EDGE_CONVEX ? LODE__MESH_NOTHING
                                                                     : LODE__MESH_FACE;
}

/* What reaches farthest along m is a corner, or an edge that is across it. */
lode__mesh_answer lode__mesh_ask(const lode__mesh_query *query, const lode__mesh_side *side,
                                 lode_vec3 m, int *out_where)
{
    const lode_vec3 *v = side->t.v;
    lode_real along[3], most;
    *out_where = -1;
    if (v3_dot(m, side->n) > 1 - MESH_ALIKE * MESH_ALIKE / 2)
        return LODE__MESH_FACE;
    for (int k = 0; k < 3; ++k)
        along[k] = v3_dot(m, v[k]);
    most = r_max(along[0], r_max(along[1], along[2]));
    for (int e = 0; e < 3; ++e) {
        int f = (e + 1) % 3;
        lode_vec3 edge = v3_sub(v[f], v[e]);
        lode_real behind = most - r_min(along[e], along[f]);
        if (behind * behind <= MESH_ALIKE * MESH_ALIKE * v3_dot(edge, edge)) {
            *out_where = e;
            return ask_edge(query, side, e, m);
        }
    }
    int corner = along[0] == most ? 0 : along[1] == most ? 1 : 2;
    *out_where = 3 + corner;
    return ask_corner(query, side, corner, m);
}

/* --- spheres */

static bool allows(const lode__mesh_query *query, const lode__mesh_side *side, int where,
                   lode_vec3 d)
{
    return where < 3 ? lode__mesh_edge_allows(query, side, where, d)
                     : lode__mesh_corner_allows(query, side, where - 3, d);
}

/* A centre behind the face is pushed out to its front while some of the sphere is there. */
void lode__lane_sphere(const lode__mesh_query *query, const lode__mesh_side *side,
                       const lode__triangle_batch *batch, int lane)
{
    int where = (int)batch->what.x[lane];
    lode_real radius = query->size[0], distance = batch->depth.x[lane];
    lode_vec3 d = lanes_get3(batch->m, lane);
    lode_real up = v3_dot(d, side->n);
    bool face = where < 0 || up > 1 - MESH_ALIKE * MESH_ALIKE / 2;
    if (face) {
        if (side->height < -radius)
            return;
        distance = side->height;
        d = side->n;
    } else if (!allows(query, side, where, d)) {
        return;
    }
    uint32_t feature = face ? 1
                       : where < 3
                           ? lode__mesh_edge_feature(query->surface, side->triangle, where)
                           : lode__mesh_corner_feature(query->surface, side->triangle, where - 3);
    lode_real depth = radius - distance;
    lode__mesh_add(query, side, v3_scale(d, depth / 2 - radius), d, depth, feature);
}

void lode__triangle_sphere(const lode__mesh_query *query, const lode__mesh_side *side)
{
    lode__triangle_alone(query, side, LODE__TRIANGLE_SPHERE, lode__lane_sphere);
}

/* --- one triangle */

void lode__triangle_alone(const lode__mesh_query *query, const lode__mesh_side *side,
                          lode__triangle_kind kind, lode__lane_fn *function)
{
    lode__triangle_batch batch;
    triangle_lanes_begin(&batch, query);
    triangle_lanes_set(&batch, 0, &side->t);
    batch.used = 1;
    triangle_lanes_run(lode__collide_kernels_plain.triangle[kind], &batch);
    lode__mesh_side own = triangle_lanes_side(&batch, 0, side->triangle);
    own.rim = side->rim;
    if (batch.touches.x[0] != 0)
        function(query, &own, &batch, 0);
}

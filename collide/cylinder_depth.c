/* cylinder_depth.c: how deep a cylinder is in another solid, without a search that grows.
 *
 * The gap along a unit vector m, out of the cylinder towards the other solid, is
 *
 *     gap(m) = low(m) - height |m.z| - radius |m x z|,   low(m) = least m.y of the other solid,
 *
 * and the least way out is where it is largest. Of solids that overlap, that is a place where a
 * ball within the set of differences D (collide/gjk.h) touches D's surface from within. A ball fits
 * to no edge or corner from within, so what remains are the places where D has a single normal:
 *
 *  1. across an end of the cylinder, a face of the other solid, or both the side and an edge: m
 *     is known;
 *  2. from the axis to a corner of the other solid, seen along the axis: m is known too;
 *  3. where an edge crosses a rim, or the side of a cylinder does, or another rim: there the
 *     edge, the axis or the circle comes nearest to the rim (collide/rim.h), by a search for one
 *     number.
 *
 * 1 and 2 say how deep the solids are at most, so 3 looks only at what is nearer to a rim than
 * that: mostly at nothing, or at one or two curves.
 *
 * The best of all is the answer if the solids have points there that lie on each other along it
 * (collide/flat.h). A point of the other solid that is within the cylinder proves that they
 * overlap, and points that lie on each other where the gap is above 0 prove the distance. What is
 * not proved is left to the general search. The gap along any direction is a way out, so a
 * candidate too many does no harm.
 *
 * All is in the cylinder's axes, from its centre, in double. The other solid is a cylinder, or has
 * corners, edges and faces: a box, a triangle, a segment (the core of a capsule), or a hull of
 * few. */
#include "collide/flat.h"
#include "collide/gjk.h"
#include "collide/hull.h"
#include "collide/rim.h"

enum { VERTICES = 64, EDGES = 3 * VERTICES, FACES = 2 * VERTICES, NO_FACE = 255 };

/* Of the size: what is across the normal, and how near to each other the points must come. */
#define FREE 2e-10
#define MEETS 1e-6

/* Of a gap: how far beside its direction its ends may be, and by how much it must be larger than
 * what is nothing. */
#define STRAIGHT 1e-8
#define NOTHING_TO_GAP 10

/* Of the size: how much farther than the best way out the search about rims looks. */
#define SLACK 1e-9

/* Of an edge's length, or of a sine: below this there is no direction across it and the axis. */
#define PARALLEL 1e-12

/* Of the size: by how much lines may be told apart that are one. */
#define ROUNDING 1e-14

typedef struct edge {
    uint8_t v[2], f[2]; /* its ends, and the faces beside it */
} edge;

/* The best way out so far. */
typedef struct way {
    lode__double3 m;
    double gap;
    int face; /* of the other solid, or below 0 */
} way;

typedef struct ask {
    double radius, height; /* of the cylinder, half */
    double scale, free;    /* of both; lengths that are nothing */
    lode__double3 center;  /* of the other solid */
    way best;
    /* another cylinder */
    bool round;
    lode__double3 axis;
    double other_radius, other_height;
    /* or corners, edges and faces */
    const lode_hull *hull;
    int vertices, edges, faces;
    const edge *edge;
    lode__double3 vertex[VERTICES];
    lode__double3 normal[FACES]; /* outward */
    double offset[FACES];
    edge own[EDGES];
} ask;

/* --- the other solid */

static const edge box_edges[12] = {
    {{0, 1}, {2, 4}}, {{2, 3}, {3, 4}}, {{4, 5}, {2, 5}}, {{6, 7}, {3, 5}},
    {{0, 2}, {0, 4}}, {{1, 3}, {1, 4}}, {{4, 6}, {0, 5}}, {{5, 7}, {1, 5}},
    {{0, 4}, {0, 2}}, {{1, 5}, {1, 2}}, {{2, 6}, {0, 3}}, {{3, 7}, {1, 3}},
};
static const edge triangle_edges[3] = {{{0, 1}, {0, 1}}, {{1, 2}, {0, 1}}, {{2, 0}, {0, 1}}};
static const edge segment_edge = {{0, 1}, {NO_FACE, NO_FACE}};

static lode__double3 column(const lode__double33 *m, int k)
{
    return k == 0   ? d3(m->r0.x, m->r1.x, m->r2.x)
           : k == 1 ? d3(m->r0.y, m->r1.y, m->r2.y)
                    : d3(m->r0.z, m->r1.z, m->r2.z);
}

static void add_box(ask *k, const lode_real *size, const lode__double33 *turn)
{
    k->vertices = 8;
    k->edges = 12;
    k->faces = 6;
    k->edge = box_edges;
    k->vertex[0] = k->center;
    for (int i = 0; i < 3; ++i) {
        lode__double3 n = column(turn, i), half = d3_scale(n, size[i]);
        double middle = d3_dot(n, k->center);
        k->normal[2 * i] = d3_neg(n);
        k->normal[2 * i + 1] = n;
        k->offset[2 * i] = (double)size[i] - middle;
        k->offset[2 * i + 1] = (double)size[i] + middle;
        for (int v = 0; v < 1 << i; ++v) {
            k->vertex[v + (1 << i)] = d3_add(k->vertex[v], half);
            k->vertex[v] = d3_sub(k->vertex[v], half);
        }
        k->scale += (double)size[i];
    }
}

static bool add_triangle(ask *k, const lode_vec3 *corner, const lode__double33 *turn)
{
    lode__double3 at = k->center, middle = d3(0, 0, 0), *v = k->vertex;
    for (int i = 0; i < 3; ++i) {
        v[i] = d3_add(at, d33_mul(turn, d3_from(corner[i])));
        middle = d3_madd(middle, v[i], 1.0 / 3);
        k->scale += d3_length(d3_from(corner[i]));
    }
    k->center = middle;
    k->vertices = k->edges = 3;
    k->faces = 2;
    k->edge = triangle_edges;
    lode__double3 n = d3_cross(d3_sub(v[1], v[0]), d3_sub(v[2], v[0]));
    k->normal[0] = d3_normalize_or(n, d3(0, 0, 0));
    k->normal[1] = d3_neg(k->normal[0]);
    k->offset[0] = d3_dot(k->normal[0], v[0]);
    k->offset[1] = -k->offset[0];
    return d3_dot(k->normal[0], k->normal[0]) > 0;
}

static void add_segment(ask *k, double half, const lode__double33 *turn)
{
    lode__double3 along = d3_scale(column(turn, 2), half);
    k->vertices = 2;
    k->edges = 1;
    k->edge = &segment_edge;
    k->vertex[0] = d3_sub(k->center, along);
    k->vertex[1] = d3_add(k->center, along);
    k->scale += half;
}

/* Vertices and planes of a hull are as exact as lode_real is. */
static bool add_hull(ask *k, const lode_hull *hull, const lode__double33 *turn)
{
    if (hull->vertex_count > VERTICES || hull->face_count >= NO_FACE || hull->face_count > FACES ||
        hull->ridge_count > EDGES)
        return false;
    lode__double3 at = k->center;
    k->hull = hull;
    k->vertices = (int)hull->vertex_count;
    k->edges = (int)hull->ridge_count;
    k->faces = (int)hull->face_count;
    k->edge = k->own;
    for (int i = 0; i < k->vertices; ++i)
        k->vertex[i] = d3_add(at, d33_mul(turn, d3_from(hull->vertices[i])));
    for (int i = 0; i < k->faces; ++i) {
        k->normal[i] = d33_mul(turn, d3_from(hull->faces[i].normal));
        k->offset[i] = (double)hull->faces[i].offset + d3_dot(k->normal[i], at);
    }
    for (int i = 0; i < k->edges; ++i) {
        const lode__hull_edge *e = &hull->edges[hull->ridges[i].edge],
                              *twin = &hull->edges[e->twin];
        k->own[i] = (edge){{(uint8_t)e->origin, (uint8_t)twin->origin},
                           {(uint8_t)e->face, (uint8_t)twin->face}};
    }
    k->center = d3_add(at, d33_mul(turn, hull->center));
    k->scale += (double)hull->size;
    k->free = (double)LODE__HULL_ROUNDING;
    return true;
}

/* False: no solid that this can be asked about. */
static bool add_other(ask *k, const lode__convex *other, const lode__double33 *turn)
{
    k->round = other->type == &lode__convex_types[LODE_CYLINDER];
    if (k->round) {
        k->axis = column(turn, 2);
        k->other_radius = other->size[0];
        k->other_height = other->size[1];
        k->scale += k->other_radius + k->other_height;
    } else if (other->type == &lode__convex_types[LODE_BOX]) {
        add_box(k, other->size, turn);
    } else if (other->type == &lode__convex_types[LODE_CAPSULE]) {
        add_segment(k, other->size[1], turn);
    } else if (other->type == &lode__convex_triangle) {
        return add_triangle(k, other->data, turn);
    } else if (other->type == &lode__convex_types[LODE_HULL]) {
        return add_hull(k, other->data, turn);
    } else {
        return false;
    }
    return true;
}

/* --- ways out */

static double low_along(const ask *k, lode__double3 m)
{
    if (k->round)
        return d3_dot(k->center, m) - k->other_height * d_abs(d3_dot(k->axis, m)) -
               k->other_radius * d3_length(d3_cross(k->axis, m));
    double low = d3_dot(k->vertex[0], m);
    for (int i = 1; i < k->vertices; ++i)
        low = d_min(d3_dot(k->vertex[i], m), low);
    return low;
}

static double gap_along(const ask *k, lode__double3 m)
{
    return low_along(k, m) - k->height * d_abs(m.z) - k->radius * d_sqrt(m.x * m.x + m.y * m.y);
}

static void try_way(ask *k, lode__double3 m)
{
    double gap = gap_along(k, m);
    if (gap > k->best.gap)
        k->best = (way){m, gap, -1};
}

static void try_ends(ask *k)
{
    double low = k->vertex[0].z, high = low;
    for (int i = 1; i < k->vertices; ++i) {
        low = d_min(k->vertex[i].z, low);
        high = d_max(k->vertex[i].z, high);
    }
    k->best = low > -high ? (way){d3(0, 0, 1), low - k->height, -1}
                          : (way){d3(0, 0, -1), -high - k->height, -1};
}

static void try_faces(ask *k)
{
    for (int i = 0; i < k->faces; ++i) {
        lode__double3 n = k->normal[i];
        double gap = -k->offset[i] - k->height * d_abs(n.z) -
                     k->radius * d_sqrt(n.x * n.x + n.y * n.y);
        if (gap > k->best.gap)
            k->best = (way){d3_neg(n), gap, i};
    }
}

/* Is it on the outline of the solid, seen along the axis? A hull's normals may doubt it. */
static bool is_outline(const ask *k, const edge *e)
{
    if (e->f[0] == NO_FACE)
        return true;
    double one = k->normal[e->f[0]].z, other = k->normal[e->f[1]].z;
    return one * other <= 0 || d_min(d_abs(one), d_abs(other)) <= k->free;
}

/* Across the side and the outline, seen along the axis: the line of it that is farthest from the
 * axis, with all of the solid beyond; or the end of it that is nearest. */
static void try_sides(ask *k)
{
    double most = -1e300, share = -1, nothing = k->scale * k->free;
    double equal = k->hull ? nothing : k->scale * ROUNDING;
    lode__double3 from = k->vertex[0], along = d3(0, 0, 0), m = d3(0, 0, 0);
    for (int i = 0; i < k->edges; ++i) {
        const edge *e = &k->edge[i];
        if (!is_outline(k, e))
            continue;
        lode__double3 v = k->vertex[e->v[0]], step = d3_sub(k->vertex[e->v[1]], v);
        double square = step.x * step.x + step.y * step.y;
        double side = step.x * (k->center.y - v.y) - step.y * (k->center.x - v.x);
        double line = step.x * v.y - step.y * v.x; /* times the length: of v along (-y, x) */
        if (!(square > k->scale * k->scale * PARALLEL * PARALLEL))
            continue;
        double over = 1 / d_sqrt(square);
        /* of what is flat seen so, both signs will do */
        bool flat = d_abs(side) * over <= nothing;
        double sign = (flat ? line : side) < 0 ? -over : over;
        lode__double3 out = d3(-step.y * sign, step.x * sign, 0);
        double foot = -(v.x * step.x + v.y * step.y) * over * over;
        /* of edges in one line, as of a face that stands, the one that is beside the axis */
        bool within = foot >= 0 && foot <= 1 && !(share >= 0 && share <= 1);
        if (!(line * sign > most + (within ? -equal : equal)) ||
            (k->hull && low_along(k, out) < line * sign - nothing))
            continue;
        most = line * sign;
        m = out;
        from = v;
        along = step;
        share = foot;
    }
    if (most - k->radius > k->best.gap && share >= 0 && share <= 1) {
        try_way(k, m);
    } else if (most > -nothing || most == -1e300) {
        lode__double3 v = d3_madd(from, along, d_min(d_max(share, 0), 1));
        try_way(k, d3_normalize_or(d3(v.x, v.y, 0), d3(1, 0, 0)));
    }
}

/* --- edges and rims */

static void try_ways(ask *k, const lode__double3 *m, int count, double sign)
{
    for (int i = 0; i < count; ++i)
        try_way(k, d3_scale(m[i], sign));
}

static lode__rim make_rim(lode__double3 axis, double radius, double height, double within,
                          double before, double slack)
{
    return (lode__rim){axis, radius, height, d_max(within, 0) + slack, before + slack};
}

/* A way out of an edge is between its faces, so one of them looks back along the end. */
static void try_edges(ask *k)
{
    lode__double3 ways[LODE__RIM_WAYS];
    double across[VERTICES];
    for (int i = 0; i < k->vertices; ++i)
        across[i] = k->vertex[i].x * k->vertex[i].x + k->vertex[i].y * k->vertex[i].y;
    for (int side = -1; side <= 1; side += 2) {
        lode__rim rim = make_rim(d3(0, 0, side), k->radius, k->height, -k->best.gap, 0,
                                 k->scale * SLACK);
        double low = k->height - rim.within, high = k->height + rim.before;
        double near = d_max(k->radius - rim.within, 0);
        for (int i = 0; i < k->edges; ++i) {
            const edge *e = &k->edge[i];
            lode__double3 v = k->vertex[e->v[0]], w = k->vertex[e->v[1]];
            double one = side * v.z, other = side * w.z;
            if (d_max(one, other) < low || d_min(one, other) > high ||
                d_max(across[e->v[0]], across[e->v[1]]) < near * near ||
                (e->f[0] != NO_FACE && side * k->normal[e->f[0]].z > k->free &&
                 side * k->normal[e->f[1]].z > k->free))
                continue;
            lode__rim_line line = {v, d3_sub(w, v), 0, 1};
            try_ways(k, ways, lode__rim_line_ways(&rim, &line, ways), 1);
        }
    }
}

/* --- two cylinders */

static void try_both_signs(ask *k, lode__double3 m)
{
    try_way(k, d3_dot(k->center, m) < 0 ? d3_neg(m) : m);
}

static void try_axes(ask *k)
{
    lode__double3 z = d3(0, 0, 1), c = k->center, across = d3_cross(z, k->axis);
    double sine = d3_length(across);
    k->best = (way){z, -1e300, -1};
    try_both_signs(k, z);
    try_both_signs(k, k->axis);
    if (sine > PARALLEL)
        try_both_signs(k, d3_scale(across, 1 / sine));
    try_way(k, d3_normalize_or(d3(c.x, c.y, 0), d3(1, 0, 0)));
}

/* The axis of each, as far as it goes, with its radius around it; and the rims of the other. */
static void try_axes_on_rims(ask *k)
{
    lode__double3 z = d3(0, 0, 1), ways[LODE__RIM_WAYS];
    double slack = k->scale * SLACK;
    for (int side = -1; side <= 1; side += 2) {
        lode__rim rim = make_rim(d3(0, 0, side), k->radius, k->height,
                                 -k->best.gap - k->other_radius, k->other_radius, slack);
        lode__rim_line line = {k->center, k->axis, -k->other_height, k->other_height};
        try_ways(k, ways, lode__rim_line_ways(&rim, &line, ways), 1);
        rim = make_rim(d3_scale(k->axis, side), k->other_radius, k->other_height,
                       -k->best.gap - k->radius, k->radius, slack);
        line = (lode__rim_line){d3_neg(k->center), z, -k->height, k->height};
        try_ways(k, ways, lode__rim_line_ways(&rim, &line, ways), -1);
    }
}

/* The rims of the thinner one as circles, against those of the other. */
static void try_rims(ask *k)
{
    lode__double3 ways[LODE__RIM_WAYS], z = d3(0, 0, 1);
    bool swapped = k->other_radius > k->radius;
    lode__double3 from = swapped ? d3_neg(k->center) : k->center; /* to the thinner one */
    lode__double3 thick = swapped ? k->axis : z, thin = swapped ? z : k->axis;
    double radius = swapped ? k->radius : k->other_radius;
    double height = swapped ? k->height : k->other_height;
    double rim_radius = swapped ? k->other_radius : k->radius;
    double rim_height = swapped ? k->other_height : k->height;
    double cosine = d3_dot(thick, thin), slack = k->scale * SLACK;
    lode__double3 a = d3_normalize_or(d3_madd(thick, thin, -cosine), d3_across(thin));
    /* once more, so that it is across within rounding where the axes are all but parallel */
    a = d3_normalize_or(d3_madd(a, thin, -d3_dot(a, thin)), d3_across(thin));
    lode__double3 b = d3_scale(d3_cross(thin, a), radius);
    double reach = rim_radius * d3_dot(a, thick), along = d3_dot(from, thin);
    a = d3_scale(a, radius);
    for (int i = 0; i < 4; ++i) {
        double on_thick = i & 1 ? -1 : 1, on_thin = i & 2 ? -1 : 1;
        lode__rim rim = make_rim(d3_scale(thick, on_thick), rim_radius, rim_height, -k->best.gap, 0,
                                 slack);
        lode__rim_circle circle = {d3_madd(from, thin, on_thin * height), a, b};
        /* the thick one's rim as the thin one sees it */
        double up = on_thin * (on_thick * rim_height * cosine - along);
        if (up + reach >= height - rim.within && up - reach <= height + slack)
            try_ways(k, ways, lode__rim_circle_ways(&rim, &circle, ways), swapped ? -1 : 1);
    }
}

/* --- the points that part last */

static void set_segment(lode__flat *f, lode__double3 at, lode__double3 half)
{
    f->kind = LODE__FLAT_SEGMENT;
    f->at = at;
    f->half = half;
}

/* What a cylinder has farthest along m, an end, a line of the side or a point of a rim. */
static void cylinder_along(lode__double3 at, lode__double3 axis, double radius, double height,
                           double nothing, lode__double3 m, lode__flat *out)
{
    double up = d3_dot(axis, m);
    lode__double3 rim = d3_madd(m, axis, -up);
    double length = d3_length(rim);
    lode__double3 half = d3_scale(axis, height);
    if (length * radius <= nothing) {
        out->kind = LODE__FLAT_DISC;
        out->radius = radius;
    } else {
        at = d3_madd(at, rim, radius / length);
        out->kind = LODE__FLAT_POINT;
        if (d_abs(up) * height <= nothing) {
            set_segment(out, at, half);
            return;
        }
    }
    out->at = up < 0 ? d3_sub(at, half) : d3_add(at, half);
}

static int corners_of(const ask *k, int face, lode__double3 out[LODE__FLAT_CORNERS])
{
    static const uint8_t box_corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                              {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    if (!k->hull) {
        int count = k->faces == 6 ? 4 : 3;
        for (int i = 0; i < count; ++i)
            out[i] = k->vertex[count == 4 ? box_corners[face][i] : i];
        return count;
    }
    const lode__hull_face *f = &k->hull->faces[face];
    for (uint32_t i = 0; i < f->count && i < LODE__FLAT_CORNERS; ++i)
        out[i] = k->vertex[k->hull->edges[f->first + i].origin];
    return f->count <= LODE__FLAT_CORNERS ? (int)f->count : 0;
}

/* What the other solid has farthest against m. */
static bool other_along(const ask *k, double nothing, lode__flat *out)
{
    lode__double3 m = k->best.m, found[2] = {{0, 0, 0}, {0, 0, 0}};
    if (k->round) {
        cylinder_along(k->center, k->axis, k->other_radius, k->other_height, nothing, d3_neg(m),
                       out);
        return true;
    }
    double reach[VERTICES], low = 1e300;
    int count = 0;
    for (int i = 0; i < k->vertices; ++i) {
        reach[i] = d3_dot(k->vertex[i], m);
        low = d_min(reach[i], low);
    }
    for (int i = 0; i < k->vertices; ++i)
        if (reach[i] <= low + nothing) {
            found[count > 0] = k->vertex[i];
            ++count;
        }
    if (count == 1) {
        out->kind = LODE__FLAT_POINT;
        out->at = found[0];
    } else if (count == 2) {
        set_segment(out, d3_scale(d3_add(found[0], found[1]), 0.5),
                    d3_scale(d3_sub(found[1], found[0]), 0.5));
    } else if (count > 2) {
        int best = 0;
        for (int i = 1; i < k->faces; ++i)
            best = d3_dot(k->normal[i], m) < d3_dot(k->normal[best], m) ? i : best;
        out->kind = LODE__FLAT_POLYGON;
        out->at = found[0];
        out->count = corners_of(k, best, out->corner);
        return out->count > 0;
    }
    return count > 0;
}

/* A hull's face has a normal as exact as lode_real: three of its corners know better. */
static void refine_face(ask *k)
{
    const lode__hull_face *f = k->hull && k->best.face >= 0 ? &k->hull->faces[k->best.face] : NULL;
    if (!f)
        return;
    const lode__hull_edge *e = &k->hull->edges[f->first];
    lode__double3 p = k->vertex[e[0].origin], q = k->vertex[e[f->count / 3].origin];
    lode__double3 n = d3_cross(d3_sub(q, p), d3_sub(k->vertex[e[2 * f->count / 3].origin], p));
    lode__double3 m = d3_neg(d3_normalize_or(n, d3_neg(k->best.m)));
    k->best.m = d3_normalize_or(k->best.m, m);
    k->best.gap = gap_along(k, k->best.m);
    try_way(k, m);
}

static bool is_within(const ask *k, lode__double3 p)
{
    return p.x * p.x + p.y * p.y <= k->radius * k->radius && d_abs(p.z) <= k->height;
}

static bool is_within_other(const ask *k, lode__double3 p)
{
    if (k->round) {
        lode__double3 from = d3_sub(p, k->center);
        double up = d3_dot(from, k->axis);
        return d_abs(up) <= k->other_height &&
               d3_dot(from, from) - up * up <= k->other_radius * k->other_radius;
    }
    for (int i = 0; i < k->faces; ++i)
        if (!(d3_dot(k->normal[i], p) <= k->offset[i]))
            return false;
    return k->faces > 0;
}

/* False if the solids have no such points. `out_mine` and `out_its` are the gap apart. */
static bool find_points(const ask *k, lode__double3 *out_mine, lode__double3 *out_its,
                        bool *out_overlap)
{
    lode__flat mine, its;
    lode__double3 m = k->best.m, z = d3(0, 0, 1);
    double nothing = k->scale * k->free;
    cylinder_along(d3(0, 0, 0), z, k->radius, k->height, nothing, m, &mine);
    /* a gap must be more than what is nothing, and the way across it straight */
    bool apart = k->best.gap > 0;
    double most = apart ? k->best.gap * STRAIGHT : k->scale * MEETS;
    if ((apart && k->best.gap < nothing * NOTHING_TO_GAP) || !other_along(k, nothing, &its) ||
        !(lode__flat_meet(&mine, &its, m, d_min(k->scale * FREE, most), out_mine, out_its) <= most))
        return false;
    *out_overlap = is_within(k, *out_its) || is_within_other(k, *out_mine);
    lode__double3 middle = d3_scale(d3_add(*out_mine, *out_its), 0.5);
    *out_mine = d3_madd(middle, m, -k->best.gap / 2);
    *out_its = d3_madd(middle, m, k->best.gap / 2);
    return true;
}

/* --- the answer */

static bool begin(ask *k, const lode__convex_pair *pair, bool *out_swapped)
{
    const lode__convex_type *cylinder = &lode__convex_types[LODE_CYLINDER];
    bool swapped = pair->a.type != cylinder;
    if (swapped && pair->b.type != cylinder)
        return false;
    const lode__convex *mine = swapped ? &pair->b : &pair->a;
    const lode__double33 *t = &pair->turn;
    lode__double33 back = {column(t, 0), column(t, 1), column(t, 2)};
    k->radius = mine->size[0];
    k->height = mine->size[1];
    k->free = FREE;
    k->hull = NULL;
    k->vertices = k->edges = k->faces = 0;
    k->center = swapped ? d3_neg(d33_mul_t(t, pair->offset)) : pair->offset;
    k->scale = d3_length(k->center) + k->radius + k->height;
    *out_swapped = swapped;
    return add_other(k, swapped ? &pair->a : &pair->b, swapped ? &back : t);
}

static bool is_beyond(const ask *k, double beyond)
{
    return beyond >= 0 && k->best.gap > beyond;
}

/* Leaves the best way of all in k, or one that is longer than `beyond`. */
static void search(ask *k, double beyond)
{
    if (k->round) {
        try_axes(k);
    } else {
        try_ends(k);
        try_faces(k);
        if (!is_beyond(k, beyond))
            try_sides(k);
    }
    if (is_beyond(k, beyond))
        return;
    refine_face(k);
    if (k->round) {
        try_axes_on_rims(k);
        if (k->best.gap < 0)
            try_rims(k);
    } else if (k->best.gap < 0) {
        try_edges(k);
    }
}

lode__cylinder_answer lode__cylinder_nearest(const lode__convex_pair *pair, double beyond,
                                             lode__nearest *out)
{
    ask k;
    bool swapped, overlap;
    if (!begin(&k, pair, &swapped))
        return LODE__CYLINDER_UNKNOWN;
    search(&k, beyond);
    out->gap = k.best.gap;
    if (is_beyond(&k, beyond))
        return LODE__CYLINDER_APART;
    lode__double3 mine, its;
    if (!find_points(&k, &mine, &its, &overlap))
        return LODE__CYLINDER_UNKNOWN;
    if (swapped) {
        out->normal = d33_mul(&pair->turn, k.best.m);
        out->on_a = d3_add(pair->offset, d33_mul(&pair->turn, its));
        out->on_b = d3_add(pair->offset, d33_mul(&pair->turn, mine));
    } else {
        out->normal = d3_neg(k.best.m);
        out->on_a = mine;
        out->on_b = its;
    }
    return k.best.gap > 0 ? LODE__CYLINDER_APART
           : overlap      ? LODE__CYLINDER_OVERLAP
                          : LODE__CYLINDER_IF_OVERLAP;
}

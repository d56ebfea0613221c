/* gjk.c: the distance of two convex solids; see gjk.h.
 *
 * Gilbert, Johnson, Keerthi 1988, "A fast procedure for computing the distance between complex
 * objects in three-dimensional space". A simplex of points of D walks towards the origin: v is its
 * nearest point, the point w of D farthest along -v enters it, and what v does not need leaves.
 * |v| bounds the distance from above and v.w / |v| from below, so the end is exact: the search ends
 * when the two meet within rounding.
 *
 * The nearest point of a simplex is found by signed volumes (Montanari, Petrinic, Barbieri 2017,
 * "Improving the GJK algorithm for faster and more reliable distance queries between convex
 * objects"): shares are ratios of the volumes, areas or lengths that the origin makes with the
 * simplex's sides, each taken from the projection where it is largest, so flat simplices lose no
 * more digits than they must. A side whose sign does not agree is searched in turn.
 *
 * The walk cannot cycle: every step must bring v nearer, or it is the last. */
#include "collide/gjk.h"

enum { GJK_STEPS = 256 };

/* How near the bounds must meet, as a share of the distance squared, and in rounding of the largest
 * coordinate. */
#define GJK_MEET 1e-13
#define GJK_ROUNDING 4e-16

/* Of the largest coordinate: solids nearer to each other than this have no direction from one to
 * the other that is more than rounding. */
#define GJK_TOUCH 1e-10

/* Likewise: below this, the direction is taken from the simplex if that is better. */
#define GJK_SHORT 1e-4

/* Of its cube: six times the volume that rounding could make up. */
#define GJK_FLAT 1e-16

#define NOT_YET 1e300

lode__difference lode__gjk_support(const lode__convex_pair *pair, lode__double3 direction)
{
    lode__difference d = {.a = convex_support_a(pair, d3_neg(direction)),
                          .b = convex_support_b(pair, direction)};
    d.w = d3_sub(d.b, d.a);
    return d;
}

/* --- the nearest point of a simplex */

/* A choice of the simplex's points with their shares. */
typedef struct pick {
    int count;
    int index[4];
    double share[4];
    double square; /* distance from the origin, squared */
} pick;

static lode__double3 pick_point(const lode__simplex *s, const pick *p)
{
    lode__double3 v = d3(0, 0, 0);
    for (int k = 0; k < p->count; ++k)
        v = d3_madd(v, s->vertex[p->index[k]].w, p->share[k]);
    return v;
}

static void keep_nearer(const lode__simplex *s, pick *best, pick *other)
{
    lode__double3 v = pick_point(s, other);
    other->square = d3_dot(v, v);
    if (other->square < best->square)
        *best = *other;
}

static void search_point(const lode__simplex *s, int i, pick *best)
{
    pick p = {.count = 1, .index = {i}, .share = {1}};
    keep_nearer(s, best, &p);
}

static void search_edge(const lode__simplex *s, int i, int j, pick *best)
{
    lode__double3 a = s->vertex[i].w, b = s->vertex[j].w, ab = d3_sub(b, a);
    double along = -d3_dot(a, ab), square = d3_dot(ab, ab);
    if (!(along > 0)) {
        search_point(s, i, best);
    } else if (!(along < square)) {
        search_point(s, j, best);
    } else {
        pick p = {.count = 2, .index = {i, j}};
        p.share[1] = along / square;
        p.share[0] = 1 - p.share[1];
        keep_nearer(s, best, &p);
    }
}

/* Twice the areas that the origin, brought into the triangle's plane, makes with its sides, seen
 * along the axis where they are largest: the sides opposite to i, j and k. */
static double areas_of(const lode__simplex *s, const int index[3], double area[3])
{
    lode__double3 p[3];
    for (int k = 0; k < 3; ++k)
        p[k] = s->vertex[index[k]].w;
    lode__double3 n = d3_cross(d3_sub(p[1], p[0]), d3_sub(p[2], p[0]));
    double square = d3_dot(n, n), most = d3_most(n);
    if (!(square > 0))
        return 0;
    lode__double3 foot = d3_scale(n, d3_dot(p[0], n) / square);
    double u[3], v[3], whole;
    for (int k = 0; k < 3; ++k) {
        lode__double3 q = d3_sub(p[k], foot);
        u[k] = d_abs(n.x) == most ? q.y : d_abs(n.y) == most ? q.z : q.x;
        v[k] = d_abs(n.x) == most ? q.z : d_abs(n.y) == most ? q.x : q.y;
    }
    whole = d_abs(n.x) == most ? n.x : d_abs(n.y) == most ? n.y : n.z;
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        area[k] = u[i] * v[j] - u[j] * v[i];
    }
    return whole;
}

static void search_triangle(const lode__simplex *s, int i, int j, int k, pick *best)
{
    const int index[3] = {i, j, k};
    double area[3], whole = areas_of(s, index, area);
    bool inside = whole != 0;
    for (int n = 0; n < 3; ++n) {
        if (whole != 0 && area[n] * whole > 0)
            continue;
        inside = false;
        search_edge(s, index[(n + 1) % 3], index[(n + 2) % 3], best);
    }
    if (!inside)
        return;
    pick p = {.count = 3, .index = {i, j, k}};
    double sum = area[0] + area[1] + area[2];
    for (int n = 0; n < 3; ++n)
        p.share[n] = area[n] / sum;
    keep_nearer(s, best, &p);
}

static void search_tetrahedron(const lode__simplex *s, pick *best)
{
    static const int side[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    double volume[4], whole = 0, most = 0;
    for (int n = 0; n < 4; ++n) {
        most = d_max(most, d3_most(s->vertex[n].w));
        lode__double3 a = s->vertex[side[n][0]].w, b = s->vertex[side[n][1]].w;
        lode__double3 c = s->vertex[side[n][2]].w;
        volume[n] = d3_dot(a, d3_cross(b, c));
        whole += volume[n];
    }
    /* what is flat within rounding holds nothing */
    bool solid = d_abs(whole) > most * most * most * GJK_FLAT, inside = solid;
    for (int n = 0; n < 4; ++n) {
        if (solid && volume[n] * whole > 0)
            continue;
        inside = false;
        search_triangle(s, side[n][0], side[n][1], side[n][2], best);
    }
    if (!inside)
        return;
    *best = (pick){.count = 4, .index = {0, 1, 2, 3}};
    for (int n = 0; n < 4; ++n)
        best->share[n] = volume[n] / whole;
}

/* Leaves the points that the nearest one needs. False when no set of them is nearer than
 * `square`. */
static bool reduce_simplex(lode__simplex *s, double *square)
{
    pick best = {.square = *square};
    if (s->count == 1)
        search_point(s, 0, &best);
    else if (s->count == 2)
        search_edge(s, 0, 1, &best);
    else if (s->count == 3)
        search_triangle(s, 0, 1, 2, &best);
    else
        search_tetrahedron(s, &best);
    if (best.count == 0)
        return false;
    lode__simplex kept = {.count = best.count};
    for (int k = 0; k < best.count; ++k) {
        kept.vertex[k] = s->vertex[best.index[k]];
        kept.share[k] = best.share[k];
    }
    *s = kept;
    *square = best.square;
    return true;
}

void lode__simplex_nearest(lode__simplex *simplex)
{
    double square = NOT_YET;
    reduce_simplex(simplex, &square);
}

/* --- the walk */

static lode__double3 nearest_of(const lode__simplex *s)
{
    lode__double3 v = d3(0, 0, 0);
    for (int k = 0; k < s->count; ++k)
        v = d3_madd(v, s->vertex[k].w, s->share[k]);
    return v;
}

static bool holds(const lode__simplex *s, lode__double3 w)
{
    for (int k = 0; k < s->count; ++k)
        if (s->vertex[k].w.x == w.x && s->vertex[k].w.y == w.y && s->vertex[k].w.z == w.z)
            return true;
    return false;
}

/* The direction across what the simplex spans, for a v too short to have digits left. */
static lode__double3 across_simplex(const lode__simplex *s, lode__double3 n)
{
    lode__double3 a = s->vertex[0].w;
    if (s->count == 3) {
        lode__double3 across = d3_cross(d3_sub(s->vertex[1].w, a), d3_sub(s->vertex[2].w, a));
        return d3_normalize_or(d3_dot(across, n) < 0 ? d3_neg(across) : across, n);
    }
    if (s->count == 2) {
        lode__double3 edge = d3_normalize_or(d3_sub(s->vertex[1].w, a), d3(0, 0, 0));
        n = d3_madd(n, edge, -d3_dot(n, edge));
        return d3_normalize_or(d3_madd(n, edge, -d3_dot(n, edge)), n);
    }
    return n;
}

/* The gap along any direction is a lower bound of the distance, so the better normal is the one
 * with the wider gap. */
static void tell_apart(const lode__convex_pair *pair, const lode__simplex *s, lode__double3 v,
                       double largest, lode__nearest *out)
{
    out->gap = d3_length(v);
    out->normal = d3_normalize_or(d3_neg(v), d3(0, 0, 1));
    if (out->gap < largest * GJK_SHORT) {
        lode__double3 across = across_simplex(s, out->normal);
        if (convex_gap(pair, across) > convex_gap(pair, out->normal))
            out->normal = across;
    }
    out->on_a = out->on_b = d3(0, 0, 0);
    for (int k = 0; k < s->count; ++k) {
        out->on_a = d3_madd(out->on_a, s->vertex[k].a, s->share[k]);
        out->on_b = d3_madd(out->on_b, s->vertex[k].b, s->share[k]);
    }
}

bool lode__gjk_distance(const lode__convex_pair *pair, double beyond, lode__nearest *out,
                        lode__simplex *out_simplex)
{
    lode__simplex s = {.count = 1, .share = {1}};
    s.vertex[0] = lode__gjk_support(pair, d3_neg(pair->offset));
    lode__double3 v = s.vertex[0].w;
    double square = d3_dot(v, v), largest = 0;
    bool apart = true;
    for (int step = 0; step < GJK_STEPS; ++step) {
        for (int k = 0; k < s.count; ++k)
            largest = d_max(largest, d3_most(s.vertex[k].a) + d3_most(s.vertex[k].b));
        double touch = largest * GJK_TOUCH;
        apart = s.count < 4 && square > touch * touch;
        if (!apart)
            break;
        lode__difference next = lode__gjk_support(pair, d3_neg(v));
        double toward = d3_dot(v, next.w), length = d_sqrt(square);
        if (beyond >= 0 && toward > beyond * length) {
            out->gap = toward / length;
            return true;
        }
        double rounding = largest * length * GJK_ROUNDING;
        if (!(square - toward > square * GJK_MEET + rounding) || holds(&s, next.w))
            break;
        lode__simplex grown = s;
        grown.vertex[grown.count++] = next;
        if (!reduce_simplex(&grown, &square))
            break;
        s = grown;
        v = nearest_of(&s);
    }
    if (apart)
        tell_apart(pair, &s, v, largest, out);
    else if (out_simplex)
        *out_simplex = s;
    return apart;
}

void lode__gjk_nearest(const lode__convex_pair *pair, double beyond, lode__nearest *out)
{
    lode__nearest apart;
    lode__simplex simplex;
    lode__cylinder_answer answer = lode__cylinder_nearest(pair, beyond, out);
    if (answer == LODE__CYLINDER_APART || answer == LODE__CYLINDER_OVERLAP)
        return;
    if (lode__gjk_distance(pair, beyond, &apart, &simplex))
        *out = apart;
    else if (answer == LODE__CYLINDER_UNKNOWN)
        lode__gjk_depth(pair, &simplex, out);
}

/* hull_axes.inl: separating axes of two polyhedra.
 *
 * Two convex polyhedra are apart if and only if they are apart along the normal of a face of one
 * or along the product of an edge of each. Of the products only those count that are normals of
 * the Minkowski difference, which an edge of a and one of b make if their arcs on the unit sphere,
 * from the normal beside the edge to the one on its other side, those of b turned round, cross
 * (Gregorius, "The separating axis test between convex polyhedra", GDC 2013). With edge direction
 * e_a = n1 x n2 the arcs cross when b's normals lie on two sides of the plane across e_a, a's on
 * two sides of that across e_b, and both on one half of the sphere: no product is made for the
 * others.
 *
 * This is a kernel: eight edges of one hull lie side by side.
 *
 * Little of that is looked at. How few faces: collide/hull_faces.inl. An edge of a makes axes
 * between the normals n1 and n2 beside it, n = s n1 + t n2 with s, t >= 0 and s + t >= 1. If a
 * point of b lies deeper than d below both planes, then it lies deeper than that along n, which is
 * worse than a face whose separation is -d. So once the best faces are known, those edges remain
 * that are beside a plane above which the vertices nearly are that were deepest below faces: a
 * handful, whatever the hulls. What is left out could not have won, so the answer is that of the
 * search among all. Who asks for the axis that is preferred and no more leaves out what would not
 * be preferred, too: often all edges.
 *
 * Preference as for boxes (collide/box_axes.h): a's faces win over b's, and faces over edges,
 * unless the other is better by a small share and a small length. */
#include "collide/hull_axes.h"

#include "collide/hull_faces.inl"
#include "simd/wide.h"

#define FACE_SHARE ((lode_real)0.98)
#define EDGE_SHARE ((lode_real)0.95)
#define AXIS_MARGIN ((lode_real)0.05)

/* Sine squared below which two edges count as parallel: their faces say the same. Above it the
 * product keeps enough digits to be a normal. */
#ifdef LODE_DOUBLE
#define PARALLEL 1e-8
#else
#define PARALLEL 1e-4f
#endif

/* How far vertices may lie below their face's plane, of the hulls' sizes. */
#define FLATNESS ((lode_real)2e-5)

/* Edges of either hull that are held against each other at a time. */
enum { EDGES = 32, FEW = 5 };

_Static_assert(EDGES <= 32, "a bit for each");

/* --- edges */

/* Edges in the axes of a. Of b they are turned round: the arcs of a and b that cross are those of
 * the Minkowski difference. The lanes behind the last are the first again. */
typedef struct arcs {
    int count;
    uint32_t ridge[EDGES + 8];
    /* by eight: the normals beside it, its direction and length, and where it begins */
    _Alignas(LODE__LINE_ALIGN) lode_real n1[EDGES / 8][3][8];
    _Alignas(LODE__LINE_ALIGN) lode_real n2[EDGES / 8][3][8];
    _Alignas(LODE__LINE_ALIGN) lode_real along[EDGES / 8][3][8];
    _Alignas(LODE__LINE_ALIGN) lode_real from[EDGES / 8][3][8];
} arcs;

LODE__INLINE lode_vec3 get(lode_real lanes[3][8], int k)
{
    return v3(lanes[0][k], lanes[1][k], lanes[2][k]);
}

LODE__INLINE wvec3 turn_lanes(const wmat3 *turn, wvec3 v)
{
    return (wvec3){wv_dot(turn->x, v), wv_dot(turn->y, v), wv_dot(turn->z, v)};
}

LODE__INLINE void fill_eight(const lode_real *const at[8], const lode__hull_pair *turned, arcs *out,
                             int block)
{
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wfour p = w_load_fours(&at[lane]), q = w_load_fours_at(&at[lane], 4);
        wfour r = w_load_fours_at(&at[lane], 8);
        wvec3 n1 = {p.r0, p.r1, p.r2}, n2 = {p.r3, q.r0, q.r1};
        wvec3 along = {q.r2, q.r3, r.r0}, from = {r.r1, r.r2, r.r3};
        if (turned) {
            wmat3 turn = {wv_splat(turned->turn.r0), wv_splat(turned->turn.r1),
                          wv_splat(turned->turn.r2)};
            n1 = wv_neg(turn_lanes(&turn, n1));
            n2 = wv_neg(turn_lanes(&turn, n2));
            along = turn_lanes(&turn, along);
            from = wv_add(turn_lanes(&turn, from), wv_splat(turned->offset));
        }
        wv_store(&out->n1[block][0][lane], n1);
        wv_store(&out->n2[block][0][lane], n2);
        wv_store(&out->along[block][0][lane], along);
        wv_store(&out->from[block][0][lane], from);
    }
}

/* Fills in what belongs to the edges; `turned`: of b. */
LODE__INLINE void fill_arcs(const lode_hull *hull, const lode__hull_pair *turned, arcs *out)
{
    const lode_real *at[8];
    const int count = out->count;
    const uint32_t padding = out->ridge[0];
    for (int k = 0; k < 8; ++k)
        out->ridge[count + k] = padding;
    for (int first = 0; first < count; first += 8) {
        for (int k = 0; k < 8; ++k)
            at[k] = hull->ridges[out->ridge[first + k]].x;
        fill_eight(at, turned, out, first / 8);
    }
}

/* Of equal ones the first in the order of b's edges and then a's. */
static bool comes_first(const lode__hull_axis *best, uint32_t edge_a, uint32_t edge_b)
{
    return best->way != LODE__HULLS_EDGES || edge_b < best->edge_b ||
           (edge_b == best->edge_b && edge_a < best->edge_a);
}

/* Eight edges of a. */
typedef struct eight {
    wvec3 n1, n2, along;
    unsigned lanes; /* a bit for each that is one */
} eight;

LODE__INLINE eight load_eight(const arcs *a, int block, int lane)
{
    int left = a->count - 8 * block - lane;
    return (eight){wv_load(&a->n1[block][0][lane]), wv_load(&a->n2[block][0][lane]),
                   wv_load(&a->along[block][0][lane]), left < 8 ? (1u << left) - 1 : 255};
}

LODE__INLINE wvec3 splat_one(lode_real lanes[3][8], int k)
{
    return (wvec3){w_splat(lanes[0][k]), w_splat(lanes[1][k]), w_splat(lanes[2][k])};
}

/* The lanes of a whose arcs cross that of edge `i` of b. */
LODE__INLINE unsigned find_crossings(const eight *a, arcs *b, int i)
{
    wvec3 along = splat_one(b->along[i / 8], i % 8);
    wreal c = wv_dot(splat_one(b->n1[i / 8], i % 8), a->along), zero = w_zero();
    wreal d = wv_dot(splat_one(b->n2[i / 8], i % 8), a->along);
    wreal m1 = wv_dot(a->n1, along), m2 = wv_dot(a->n2, along);
    wmask on = m_and(m_and(w_lt(w_mul(c, d), zero), w_lt(w_mul(m1, m2), zero)),
                     w_gt(w_mul(c, m2), zero));
    return m_bits(on) & a->lanes;
}

/* The separations along the products, and the products themselves, from a to b; and which are none,
 * because the edges are parallel. */
LODE__INLINE wreal measure(const eight *a, wvec3 from_a, arcs *b, int i, wmask *is_axis,
                           wvec3 *out_normal)
{
    wvec3 along = splat_one(b->along[i / 8], i % 8), from = splat_one(b->from[i / 8], i % 8);
    wvec3 out = wv_add(a->n1, a->n2), cross = wv_cross(a->along, along);
    wreal square = wv_dot(cross, cross), one = w_splat(1);
    wreal squares = w_mul(w_mul(w_splat(PARALLEL), wv_dot(a->along, a->along)),
                          wv_dot(along, along));
    *is_axis = w_gt(square, squares);
    wreal turn = w_select(w_lt(wv_dot(cross, out), w_zero()), w_neg(one), one);
    wreal length = w_sqrt(w_select(*is_axis, square, one));
    *out_normal = wv_scale(cross, w_div(turn, length));
    return wv_dot(*out_normal, wv_sub(from, from_a));
}

/* Of some arcs that cross, edge `i` of b and lanes of a. */
LODE__INLINE void try_crossings(const lode__hull_pair *p, const eight *a, const arcs *of_a,
                                int first, arcs *of_b, int i, unsigned lanes, lode__hull_axis *best)
{
    _Alignas(LODE__LINE_ALIGN) lode_real separations[8], normals[3][8];
    wvec3 normal, from = wv_load(&of_a->from[first / 8][0][first % 8]);
    wmask is_axis;
    wreal separation = measure(a, from, of_b, i, &is_axis, &normal);
    lanes &= m_bits(m_and(is_axis, w_ge(separation, w_splat(best->separation))));
    w_store(separations, separation);
    wv_store(normals[0], normal);
    for (; lanes != 0; lanes &= lanes - 1) {
        int k = __builtin_ctz(lanes);
        uint32_t edge_a = p->a->ridges[of_a->ridge[first + k]].edge;
        uint32_t edge_b = p->b->ridges[of_b->ridge[i]].edge;
        if (separations[k] > best->separation ||
            (separations[k] == best->separation && comes_first(best, edge_a, edge_b)))
            *best = (lode__hull_axis){LODE__HULLS_EDGES, 0, 0, edge_a, edge_b, separations[k],
                                      get(normals, k)};
    }
}

static void try_arcs(const lode__hull_pair *p, const arcs *of_a, arcs *of_b, lode__hull_axis *best)
{
    unsigned lanes[EDGES];
    for (int first = 0; first < of_a->count; first += LODE_WIDTH) {
        eight a = load_eight(of_a, first / 8, first % 8);
        uint32_t crossing = 0; /* edges of b, a bit each */
        for (int i = 0; i < of_b->count; ++i) {
            lanes[i] = find_crossings(&a, of_b, i);
            crossing |= (uint32_t)(lanes[i] != 0) << i;
        }
        for (; crossing != 0; crossing &= crossing - 1) {
            int i = __builtin_ctz(crossing);
            try_crossings(p, &a, of_a, first, of_b, i, lanes[i], best);
        }
    }
}

/* Edges that may matter: those beside a face below which none of the other's points `low` lies
 * deeper than `least`. They are taken as many at a time as fit, in order. */
typedef struct walk {
    const lode__hull_facing *facing;
    lode_real least;
    uint32_t ridge, next; /* the first of those around, and of those to be looked at then */
    uint64_t left;        /* of those around, a bit each: those to be taken */
} walk;

/* How high the higher one of the planes beside each ridge has the point above it. */
LODE__INLINE wreal higher(const lode__hull_planes *beside, int lane, wvec3 at)
{
    return w_max(heights(&beside[0], lane, at), heights(&beside[1], lane, at));
}

/* Of 64 ridges, or those that are left, by so many points. */
LODE__INLINE uint64_t find_ridges(const walk *w, int lows)
{
    const lode_hull *hull = w->facing->hull;
    const lode__hull_planes *beside = &hull->beside[w->ridge / 4];
    uint32_t left = hull->ridge_count - w->ridge, count = left < 64 ? left : 64;
    wvec3 one = wv_splat(w->facing->low[0]), other = wv_splat(w->facing->low[lows - 1]);
    wreal least = w_splat(w->least);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i += 8, beside += 2)
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            wreal height = higher(beside, lane, one);
            if (lows > 1)
                height = w_min(higher(beside, lane, other), height);
            bits |= (uint64_t)m_bits(w_gt(height, least)) << (i + (uint32_t)lane);
        }
    return bits & (UINT64_MAX >> (64 - count));
}

/* False: there are no more. */
LODE__INLINE bool find_more(walk *w)
{
    while (w->left == 0 && w->next < w->facing->hull->ridge_count) {
        w->ridge = w->next;
        w->left = w->facing->lows > 1 ? find_ridges(w, 2) : find_ridges(w, 1);
        w->next += 64;
    }
    return w->left != 0;
}

/* The first few are taken whether they are there or not: how many is not to be foreseen. */
static void take_ridges(walk *w, arcs *out)
{
    int count = 0;
    while (count < EDGES - FEW && find_more(w)) {
        for (int k = 0; k < FEW; ++k) {
            out->ridge[count] = w->ridge + (uint32_t)__builtin_ctzll(w->left | (uint64_t)1 << 63);
            count += w->left != 0;
            w->left &= w->left - 1;
        }
        for (; count < EDGES && w->left != 0; w->left &= w->left - 1)
            out->ridge[count++] = w->ridge + (uint32_t)__builtin_ctzll(w->left);
    }
    out->count = count;
}

/* The best pair of edges, if it separates by more than `most`. */
static lode__hull_axis search_edges(const lode__hull_facing *a, const lode__hull_facing *b,
                                    lode_real most)
{
    lode_real least = r_min(most, 0) - rounding_of(a->pair) -
                      FLATNESS * r_max(a->hull->size, b->hull->size);
    lode__hull_axis best = {.way = LODE__HULLS_APART, .separation = most};
    arcs of_a, of_b;
    walk walk_a = {.facing = a, .least = least}, first_b = {.facing = b, .least = least};
    if (!find_more(&first_b))
        return best;
    while (find_more(&walk_a)) {
        take_ridges(&walk_a, &of_a);
        fill_arcs(a->hull, NULL, &of_a);
        for (walk walk_b = first_b; find_more(&walk_b);) {
            take_ridges(&walk_b, &of_b);
            fill_arcs(b->hull, b->pair, &of_b);
            try_arcs(a->pair, &of_a, &of_b, &best);
        }
    }
    return best;
}

/* --- all of it */

static lode_real forgive_hull(lode_real separation, lode_real share, lode_real speculative)
{
    return r_max(separation, separation * share) + speculative * AXIS_MARGIN;
}

static lode__hull_axis face_axis(lode__hull_way way, const lode__hull_facing *face)
{
    return (lode__hull_axis){
        .way = way, .face = face->best, .vertex = face->vertex, .separation = face->separation};
}

static lode__hull_axis LODE_KERNEL(hull_axis)(const lode__hull_pair *pair, lode_real speculative,
                                              lode__hull_search *out)
{
    const lode__hull_axis apart = {.way = LODE__HULLS_APART};
    search_faces(pair, false, speculative, &out->a);
    if (!(out->a.separation < speculative) || out->a.lows == 0)
        return apart;
    search_faces(pair, true, speculative, &out->b);
    if (!(out->b.separation < speculative) || out->b.lows == 0)
        return apart;
    lode__hull_axis a = face_axis(LODE__HULLS_FACE_A, &out->a);
    lode__hull_axis b = face_axis(LODE__HULLS_FACE_B, &out->b);
    lode__hull_axis face = b.separation > forgive_hull(a.separation, FACE_SHARE, speculative) ? b
                                                                                              : a;
    lode_real preferred = forgive_hull(face.separation, EDGE_SHARE, speculative);
    lode__hull_axis edges = search_edges(&out->a, &out->b, r_min(preferred, speculative));
    if (edges.way != LODE__HULLS_EDGES)
        return face;
    if (!(edges.separation < speculative))
        return apart;
    return edges.separation > preferred ? edges : face;
}

static lode__hull_axis LODE_KERNEL(hull_best_axis)(const lode__hull_search *found)
{
    lode__hull_axis a = face_axis(LODE__HULLS_FACE_A, &found->a);
    lode__hull_axis b = face_axis(LODE__HULLS_FACE_B, &found->b);
    lode__hull_axis best = b.separation > a.separation ? b : a;
    lode__hull_axis edges = search_edges(&found->a, &found->b, best.separation);
    return edges.way == LODE__HULLS_EDGES && edges.separation > best.separation ? edges : best;
}

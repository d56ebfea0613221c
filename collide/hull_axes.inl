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
 * that are beside planes above which the vertices nearly are that were deepest below faces, and a
 * point between them: a handful, whatever the hulls. What is left out could not have won, so the
 * answer is that of the search among all. Who asks for the axis that is preferred and no more
 * leaves out what would not be preferred, too: often all edges. And if a vertex lies deeper below
 * all planes than such an axis allows, no edge is looked at.
 *
 * What a processor cannot foresee costs more than what it does in vain: so bits say what is left,
 * and eight edges are taken whether they are there or not.
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

/* --- edges */

/* Eight edges in the axes of a. Of b they are turned round: the arcs of a and b that cross are
 * those of the Minkowski difference. Where there are fewer the last one is repeated. */
typedef struct arcs {
    uint32_t ridge[8];
    unsigned left; /* a bit for each that may matter, once */
    /* the normals beside it, its direction and length, and where it begins */
    _Alignas(LODE__LINE_ALIGN) lode_real n1[3][8];
    _Alignas(LODE__LINE_ALIGN) lode_real n2[3][8];
    _Alignas(LODE__LINE_ALIGN) lode_real along[3][8];
    _Alignas(LODE__LINE_ALIGN) lode_real from[3][8];
} arcs;

LODE__INLINE lode_vec3 get(lode_real lanes[3][8], int k)
{
    return v3(lanes[0][k], lanes[1][k], lanes[2][k]);
}

LODE__INLINE wvec3 turn_lanes(const wmat3 *turn, wvec3 v)
{
    return (wvec3){wv_dot(turn->x, v), wv_dot(turn->y, v), wv_dot(turn->z, v)};
}

/* How high the higher one of the planes beside each edge has the point above it. */
LODE__INLINE wreal higher_beside(wvec3 n1, wvec3 n2, wvec3 from, lode_vec3 at)
{
    wvec3 arm = wv_sub(wv_splat(at), from);
    return w_max(wv_dot(n1, arm), wv_dot(n2, arm));
}

/* Fills in what belongs to the edges, and drops those beside which one of the other's points lies
 * deeper than `least`; `turned`: of b. */
LODE__INLINE void fill_arcs(const lode__hull_facing *f, bool turned, lode_real least, arcs *out)
{
    const lode_real *at[8];
    unsigned bits = 0;
    for (int k = 0; k < 8; ++k)
        at[k] = f->hull->ridges[out->ridge[k]].x;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wfour p = w_load_fours(&at[lane]), q = w_load_fours_at(&at[lane], 4);
        wfour r = w_load_fours_at(&at[lane], 8);
        wvec3 n1 = {p.r0, p.r1, p.r2}, n2 = {p.r3, q.r0, q.r1};
        wvec3 along = {q.r2, q.r3, r.r0}, from = {r.r1, r.r2, r.r3};
        wreal height = w_min(higher_beside(n1, n2, from, f->low[0]),
                             higher_beside(n1, n2, from, f->low[1]));
        bits |= m_bits(w_gt(height, w_splat(least))) << lane;
        if (turned) {
            const lode__mat3 *m = &f->pair->turn;
            wmat3 turn = {wv_splat(m->r0), wv_splat(m->r1), wv_splat(m->r2)};
            n1 = wv_neg(turn_lanes(&turn, n1));
            n2 = wv_neg(turn_lanes(&turn, n2));
            along = turn_lanes(&turn, along);
            from = wv_add(turn_lanes(&turn, from), wv_splat(f->pair->offset));
        }
        wv_store(&out->n1[0][lane], n1);
        wv_store(&out->n2[0][lane], n2);
        wv_store(&out->along[0][lane], along);
        wv_store(&out->from[0][lane], from);
    }
    out->left &= bits;
}

/* Of equal ones the first in the order of b's edges and then a's. */
static bool comes_first(const lode__hull_axis *best, uint32_t edge_a, uint32_t edge_b)
{
    return best->way != LODE__HULLS_EDGES || edge_b < best->edge_b ||
           (edge_b == best->edge_b && edge_a < best->edge_a);
}

/* Edges of a. */
typedef struct eight {
    wvec3 n1, n2, along;
} eight;

LODE__INLINE eight load_eight(const arcs *a, int lane)
{
    return (eight){wv_load(&a->n1[0][lane]), wv_load(&a->n2[0][lane]), wv_load(&a->along[0][lane])};
}

LODE__INLINE wvec3 splat_one(lode_real lanes[3][8], int k)
{
    return (wvec3){w_splat(lanes[0][k]), w_splat(lanes[1][k]), w_splat(lanes[2][k])};
}

/* The lanes of a whose arcs cross that of edge `i` of b. */
LODE__INLINE unsigned find_crossings(const eight *a, arcs *b, int i)
{
    wvec3 along = splat_one(b->along, i);
    wreal c = wv_dot(splat_one(b->n1, i), a->along), zero = w_zero();
    wreal d = wv_dot(splat_one(b->n2, i), a->along);
    wreal m1 = wv_dot(a->n1, along), m2 = wv_dot(a->n2, along);
    wmask on = m_and(m_and(w_lt(w_mul(c, d), zero), w_lt(w_mul(m1, m2), zero)),
                     w_gt(w_mul(c, m2), zero));
    return m_bits(on);
}

/* The separations along the products, and the products themselves, from a to b; and which are none,
 * because the edges are parallel. */
LODE__INLINE wreal measure(const eight *a, wvec3 from_a, arcs *b, int i, wmask *is_axis,
                           wvec3 *out_normal)
{
    wvec3 along = splat_one(b->along, i), from = splat_one(b->from, i);
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
LODE__INLINE void try_crossings(const lode__hull_pair *p, const arcs *of_a, int lane, arcs *of_b,
                                int i, unsigned lanes, lode__hull_axis *best)
{
    _Alignas(LODE__LINE_ALIGN) lode_real separations[8], normals[3][8];
    eight a = load_eight(of_a, lane);
    wmask is_axis;
    wvec3 normal;
    wreal separation = measure(&a, wv_load(&of_a->from[0][lane]), of_b, i, &is_axis, &normal);
    lanes &= m_bits(m_and(is_axis, w_ge(separation, w_splat(best->separation))));
    w_store(separations, separation);
    wv_store(normals[0], normal);
    for (; lanes != 0; lanes &= lanes - 1) {
        int k = __builtin_ctz(lanes);
        uint32_t edge_a = p->a->ridges[of_a->ridge[lane + k]].edge;
        uint32_t edge_b = p->b->ridges[of_b->ridge[i]].edge;
        if (separations[k] > best->separation ||
            (separations[k] == best->separation && comes_first(best, edge_a, edge_b)))
            *best = (lode__hull_axis){LODE__HULLS_EDGES, 0, 0, edge_a, edge_b, separations[k],
                                      get(normals, k)};
    }
}

/* First all arcs that cross are found, eight bits for each edge of b. */
static void try_arcs(const lode__hull_pair *p, const arcs *of_a, arcs *of_b, lode__hull_axis *best)
{
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        eight a = load_eight(of_a, lane);
        const unsigned of_lanes = of_a->left >> lane & ((1u << LODE_WIDTH) - 1);
        uint64_t crossing = 0;
        for (unsigned left = of_b->left; left != 0; left &= left - 1) {
            int i = __builtin_ctz(left);
            crossing |= (uint64_t)(find_crossings(&a, of_b, i) & of_lanes) << 8 * i;
        }
        while (crossing != 0) {
            int i = __builtin_ctzll(crossing) / 8;
            unsigned lanes = crossing >> 8 * i & 255;
            crossing &= ~((uint64_t)255 << 8 * i);
            try_crossings(p, of_a, lane, of_b, i, lanes, best);
        }
    }
}

/* Edges that may matter: those beside a face below which the other's point `probe` does not lie
 * deeper than `least`. They are taken eight at a time, in order. */
typedef struct walk {
    const lode_hull *hull;
    lode_vec3 probe;
    lode_real least;
    uint32_t ridge, next; /* the first of those around, and of those to be looked at then */
    uint64_t left;        /* of those around, a bit each: those to be taken */
} walk;

LODE__INLINE lode_real height_above(const lode__hull_facing *f, uint32_t face, lode_vec3 at)
{
    const lode__hull_face *plane = &f->hull->faces[face];
    return v3_dot(plane->normal, at) - plane->offset;
}

/* A point of the other hull that is deep below two faces at once: between those that are deepest
 * below each, where both planes have it equally high above them. */
LODE__INLINE lode_vec3 find_probe(const lode__hull_facing *f)
{
    lode_real first = height_above(f, f->best, f->low[0]) - height_above(f, f->second, f->low[0]);
    lode_real last = height_above(f, f->best, f->low[1]) - height_above(f, f->second, f->low[1]);
    lode_real share = first < 0 && last > 0 ? first / (first - last) : 0;
    return v3_madd(f->low[0], v3_sub(f->low[1], f->low[0]), share);
}

/* How high the higher one of the planes beside each ridge has the point above it. */
LODE__INLINE wreal higher(const lode__hull_planes *beside, int lane, wvec3 at)
{
    return w_max(heights(&beside[0], lane, at), heights(&beside[1], lane, at));
}

/* Of 64 ridges, or those that are left. */
LODE__INLINE uint64_t find_ridges(const walk *w)
{
    const lode_hull *hull = w->hull;
    uint32_t left = hull->ridge_count - w->ridge, count = left < 64 ? left : 64;
    const lode__hull_planes *first = &hull->beside[w->ridge / 4];
    const lode__hull_planes *beside = first + 2 * (size_t)hull_blocks(count);
    wvec3 probe = wv_splat(w->probe);
    wreal least = w_splat(w->least);
    uint64_t bits = 0;
    while (beside != first) {
        beside -= 2;
        for (int lane = LODE_LANES; lane > 0;) {
            lane -= LODE_WIDTH;
            bits = bits << LODE_WIDTH | m_bits(w_gt(higher(beside, lane, probe), least));
        }
    }
    return bits & (UINT64_MAX >> (64 - count));
}

/* False: there are no more. */
LODE__INLINE bool find_more(walk *w)
{
    while (w->left == 0 && w->next < w->hull->ridge_count) {
        w->ridge = w->next;
        w->left = find_ridges(w);
        w->next += 64;
    }
    return w->left != 0;
}

/* Some are left. How many is not to be foreseen, so eight are taken from those around, the last of
 * them again: it is put back each time. Others that fit join them. */
LODE__INLINE void take_ridges(walk *w, arcs *out)
{
    const uint64_t last = (uint64_t)1 << (63 - __builtin_clzll(w->left));
    uint64_t left = w->left;
    unsigned bits = 1;
    for (int k = 0; k < 8; ++k) {
        out->ridge[k] = w->ridge + (uint32_t)__builtin_ctzll(left);
        bits |= (unsigned)(left != last) << (k + 1);
        left = (left & (left - 1)) | last;
    }
    w->left = bits > 255 ? left : 0;
    for (; bits < 128 && find_more(w); w->left &= w->left - 1) {
        int k = __builtin_ctz(~bits);
        out->ridge[k] = w->ridge + (uint32_t)__builtin_ctzll(w->left);
        bits |= 1u << k;
    }
    out->left = bits & 255;
}

/* What is missing to be certain that vertices reach their planes. */
LODE__INLINE lode_real vertex_slack(const lode__hull_pair *p)
{
    return rounding_of(p) + FLATNESS * r_max(p->a->size, p->b->size);
}

/* The best pair of edges, if it separates by more than `most`. */
static lode__hull_axis search_edges(const lode__hull_facing *a, const lode__hull_facing *b,
                                    lode_real most)
{
    lode_real least = r_min(most, 0) - vertex_slack(a->pair);
    lode__hull_axis best = {.way = LODE__HULLS_APART, .separation = most};
    arcs of_a, of_b;
    walk walk_a = {.hull = a->hull, .probe = find_probe(a), .least = least};
    walk first_b = {.hull = b->hull, .probe = find_probe(b), .least = least};
    if (!find_more(&first_b))
        return best;
    while (find_more(&walk_a)) {
        take_ridges(&walk_a, &of_a);
        fill_arcs(a, false, least, &of_a);
        for (walk walk_b = first_b; of_a.left != 0 && find_more(&walk_b);) {
            take_ridges(&walk_b, &of_b);
            fill_arcs(b, true, least, &of_b);
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

/* No axis separates by more than this. */
LODE__INLINE lode_real most_of_all(const lode__hull_facing *f)
{
    lode_real most = highest_above(f) + vertex_slack(f->pair);
    return most < 0 ? most : REAL_MAX;
}

/* Where faces are deep, what is best is likely to be asked for if it is not preferred, so all edges
 * that are better than faces are looked at in one go. */
static lode__hull_axis LODE_KERNEL(hull_axis)(const lode__hull_pair *pair, lode_real speculative,
                                              lode__hull_search *out)
{
    const lode__hull_axis apart = {.way = LODE__HULLS_APART};
    const lode_real rounding = rounding_of(pair);
    lode__hull_facing *f = &out->a, *g = &out->b;
    bounds of_a, of_b;
    uint32_t first_a = begin_faces(pair, false, rounding, f, &of_a);
    uint32_t first_b = begin_faces(pair, true, rounding, g, &of_b);
    out->searched = false;
    end_faces(f, false, &of_a, first_a, speculative);
    if (!(f->separation < speculative))
        return apart;
    end_faces(g, true, &of_b, first_b, speculative);
    if (!(g->separation < speculative))
        return apart;
    bool by_b = g->separation > forgive_hull(f->separation, FACE_SHARE, speculative);
    lode__hull_axis face = by_b ? face_axis(LODE__HULLS_FACE_B, g)
                                : face_axis(LODE__HULLS_FACE_A, f);
    lode_real preferred = forgive_hull(face.separation, EDGE_SHARE, speculative);
    if (most_of_all(by_b ? g : f) <= preferred)
        return face;
    lode_real best = r_max(f->separation, g->separation);
    out->searched = best < -speculative;
    out->edges = search_edges(f, g, out->searched ? best : r_min(preferred, speculative));
    if (out->edges.way != LODE__HULLS_EDGES || !(out->edges.separation > preferred))
        return face;
    return out->edges.separation < speculative ? out->edges : apart;
}

static lode__hull_axis LODE_KERNEL(hull_best_axis)(lode__hull_search *found)
{
    lode__hull_axis a = face_axis(LODE__HULLS_FACE_A, &found->a);
    lode__hull_axis b = face_axis(LODE__HULLS_FACE_B, &found->b);
    lode__hull_axis face = b.separation > a.separation ? b : a;
    if (!found->searched)
        found->edges = search_edges(&found->a, &found->b, face.separation);
    found->searched = true;
    bool is_edges = found->edges.way == LODE__HULLS_EDGES;
    return is_edges && found->edges.separation > face.separation ? found->edges : face;
}

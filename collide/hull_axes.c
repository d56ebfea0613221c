/* hull_axes.c: separating axes of two polyhedra.
 *
 * Two convex polyhedra are apart if and only if they are apart along the normal of a face of one or
 * along the product of an edge of each. Of the products only those count that are normals of the
 * Minkowski difference, which an edge of a and one of b make if their arcs on the unit sphere, from
 * the normal beside the edge to the one on its other side, those of b turned round, cross (Gregorius,
 * "The separating axis test between convex polyhedra", GDC 2013). With edge direction e_a = n1 x n2
 * the arcs cross when b's normals lie on two sides of the plane across e_a, a's on two sides of that
 * across e_b, and both on one half of the sphere: no product is made for the others.
 *
 * Little of that is looked at. A plane of a is as far from b as the deepest vertex of b below it, and
 * no farther than any point that is known to be in b: the ball around its centre, and the vertex that
 * was deepest below the best plane so far. A plane that those rule out needs no search. An edge of a
 * makes axes between the normals n1 and n2 beside it, n = s n1 + t n2 with s, t >= 0 and s + t >= 1.
 * If a point of b lies deeper than d below both planes, then it lies deeper than that along n, which
 * is worse than a face whose separation is -d. So once the best faces are known, those edges
 * remain that are beside a plane above which that vertex nearly is: a handful, whatever the hulls. What
 * is left out could not have won, so the answer is that of the search among all.
 *
 * Preference as for boxes (collide/box_axes.h): a's faces win over b's, and faces over edges, unless
 * the other is better by a small share and a small length. */
#include "collide/hull_axes.h"

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

/* What rounding may add to a distance, and how far vertices may lie below their face's plane, of the
 * hulls' sizes: what is skipped is worse by more. */
#define ROUNDING (16 * REAL_EPSILON)
#define FLATNESS ((lode_real)2e-5)

enum { EDGES = 32 }; /* of either hull, that are held against each other at a time */

static lode_real rounding_of(const lode__hull_pair *p)
{
    return ROUNDING * (p->a->size + p->b->size + v3_length(p->offset));
}

/* --- faces */

/* One hull and the points of the other in its frame. */
typedef struct facing {
    const lode__hull_pair *pair;
    const lode_hull *hull, *other;
    bool of_b;
    lode_vec3 center; /* of the other: a ball of radius `inner` around it lies within */
    lode_vec3 low;    /* the vertex of the other that is deepest below the best face */
    uint32_t hint, best;
    lode_real separation;
} facing;

static lode_vec3 to_facing(const facing *f, lode_vec3 of_other)
{
    const lode__hull_pair *p = f->pair;
    return f->of_b ? m3_apply(&p->back, v3_sub(of_other, p->offset))
                   : v3_add(m3_apply(&p->turn, of_other), p->offset);
}

/* How far the other hull is from the plane of a face. */
static lode_real separation_of(facing *f, const lode__hull_face *face)
{
    const lode__hull_pair *p = f->pair;
    if (f->of_b) {
        lode_vec3 normal = m3_apply(&p->turn, face->normal);
        f->hint = lode__hull_support(p->a, v3_neg(normal), f->hint);
        return v3_dot(normal, v3_sub(p->a->vertices[f->hint], p->offset)) - face->offset;
    }
    lode_vec3 inward = v3_neg(m3_apply(&p->back, face->normal));
    f->hint = lode__hull_support(p->b, inward, f->hint);
    return v3_dot(face->normal, p->offset) - v3_dot(inward, p->b->vertices[f->hint]) - face->offset;
}

static void try_face(facing *f, uint32_t i)
{
    lode_real separation = separation_of(f, &f->hull->faces[i]);
    if (!(separation > f->separation) && !(separation == f->separation && i < f->best))
        return;
    f->best = i;
    f->separation = separation;
    f->low = to_facing(f, f->other->vertices[f->hint]);
}

/* How high a point is above eight planes. */
static inline void find_heights(const lode__hull_planes *p, lode_vec3 at, lode_real out[8])
{
    for (int k = 0; k < 8; ++k)
        out[k] = p->x[k] * at.x + p->y[k] * at.y + p->z[k] * at.z - p->offset[k];
}

/* The face that looks most at the other's centre comes first, to have something to beat. */
static uint32_t likely_face(const facing *f)
{
    uint32_t best = 0, count = f->hull->face_count;
    lode_real most = -REAL_MAX, height[8];
    for (uint32_t first = 0; first < count; first += 8) {
        find_heights(&f->hull->planes[first / 8], f->center, height);
        for (uint32_t k = 0; k < 8; ++k) {
            best = height[k] > most ? first + k : best;
            most = height[k] > most ? height[k] : most;
        }
    }
    return best;
}

/* Tries those of eight faces that may be better than the best. */
static void try_eight(facing *f, uint32_t first, uint32_t likely, lode_real rounding)
{
    uint32_t count = f->hull->face_count - first < 8 ? f->hull->face_count - first : 8;
    lode_real ball = f->other->inner, height[8], most[8];
    find_heights(&f->hull->planes[first / 8], f->center, height);
    find_heights(&f->hull->planes[first / 8], f->low, most);
    for (int k = 0; k < 8; ++k)
        most[k] = r_min(height[k] - ball, most[k]) + rounding;
    for (uint32_t k = 0; k < count; ++k)
        if (most[k] >= f->separation && first + k != likely)
            try_face(f, first + k);
}

/* The largest distance of the other hull from a plane of this one; ends early where that is beyond
 * `enough`. */
static facing search_faces(const lode__hull_pair *p, bool of_b, lode_real enough)
{
    facing f = {.pair = p,
                .hull = of_b ? p->b : p->a,
                .other = of_b ? p->a : p->b,
                .of_b = of_b,
                .separation = -REAL_MAX};
    f.center = to_facing(&f, d3_to(f.other->center));
    lode_real rounding = rounding_of(p);
    uint32_t likely = likely_face(&f);
    try_face(&f, likely);
    for (uint32_t first = 0; first < f.hull->face_count && f.separation < enough; first += 8)
        try_eight(&f, first, likely, rounding);
    return f;
}

/* --- edges */

/* An edge in the axes of a. Of b it is turned round: the arcs of a and b that cross are those of the
 * Minkowski difference. */
typedef struct arc {
    lode_vec3 n1, n2; /* the normals beside it */
    lode_vec3 along, from;
    uint32_t edge;
} arc;

typedef struct arcs {
    int count;
    arc arc[EDGES];
} arcs;

static arc arc_of_a(const lode_hull *a, uint32_t edge)
{
    const lode__hull_edge *e = &a->edges[edge];
    return (arc){a->faces[e->face].normal, a->faces[a->edges[e->twin].face].normal,
                 hull_edge_vector(a, edge), a->vertices[e->origin], edge};
}

static arc arc_of_b(const lode__hull_pair *p, uint32_t edge)
{
    const lode_hull *b = p->b;
    const lode__hull_edge *e = &b->edges[edge];
    return (arc){v3_neg(m3_apply(&p->turn, b->faces[e->face].normal)),
                 v3_neg(m3_apply(&p->turn, b->faces[b->edges[e->twin].face].normal)),
                 m3_apply(&p->turn, hull_edge_vector(b, edge)),
                 v3_add(m3_apply(&p->turn, b->vertices[e->origin]), p->offset), edge};
}

static bool arcs_cross(const arc *a, const arc *b)
{
    lode_real c = v3_dot(b->n1, a->along), d = v3_dot(b->n2, a->along);
    if (!(c * d < 0))
        return false;
    lode_real m1 = v3_dot(a->n1, b->along), m2 = v3_dot(a->n2, b->along);
    return m1 * m2 < 0 && c * m2 > 0;
}

/* Of equal ones the first in the order of b's edges and then a's. */
static bool comes_first(const lode__hull_axis *best, const arc *a, const arc *b)
{
    return best->way != LODE__HULLS_EDGES || b->edge < best->edge_b ||
           (b->edge == best->edge_b && a->edge < best->edge_a);
}

static void try_edges(const arc *a, const arc *b, lode__hull_axis *best)
{
    lode_vec3 cross = v3_cross(a->along, b->along);
    lode_real cross2 = v3_dot(cross, cross);
    if (!(cross2 > PARALLEL * v3_dot(a->along, a->along) * v3_dot(b->along, b->along)))
        return;
    lode_vec3 normal = v3_normalize_or(cross, a->n1);
    if (v3_dot(normal, v3_add(a->n1, a->n2)) < 0)
        normal = v3_neg(normal);
    lode_real separation = v3_dot(normal, v3_sub(b->from, a->from));
    if (separation > best->separation ||
        (separation == best->separation && comes_first(best, a, b)))
        *best = (lode__hull_axis){LODE__HULLS_EDGES, 0, a->edge, b->edge, separation, normal};
}

static void try_arcs(const arcs *a, const arcs *b, lode__hull_axis *best)
{
    for (int i = 0; i < b->count; ++i)
        for (int k = 0; k < a->count; ++k)
            if (arcs_cross(&a->arc[k], &b->arc[i]))
                try_edges(&a->arc[k], &b->arc[i], best);
}

/* Edges that may matter: those beside a face below which the other's point `low` lies less deep than
 * `least`. They are taken as many at a time as fit, each once. */
typedef struct walk {
    const facing *facing;
    lode_real least;
    uint32_t face, edge; /* where it goes on; `edge` counts from the face's first */
    unsigned reached;    /* of the eight faces around `face`: a bit each */
} walk;

static unsigned reached_of_eight(const walk *w)
{
    lode_real height[8];
    unsigned bits = 0;
    find_heights(&w->facing->hull->planes[w->face / 8], w->facing->low, height);
    for (int k = 0; k < 8; ++k)
        bits |= (unsigned)(height[k] > w->least) << k;
    return bits;
}

static bool reaches(const walk *w, uint32_t face)
{
    const lode__hull_face *at = &w->facing->hull->faces[face];
    return v3_dot(at->normal, w->facing->low) - at->offset > w->least;
}

/* False when `out` is full. */
static bool add_arcs(walk *w, arcs *out)
{
    const lode_hull *hull = w->facing->hull;
    const lode__hull_face *face = &hull->faces[w->face];
    for (; w->edge < face->count; ++w->edge) {
        uint32_t e = face->first + w->edge, twin = hull->edges[e].twin;
        if (e > twin && reaches(w, hull->edges[twin].face))
            continue; /* it came with the other face */
        if (out->count == EDGES)
            return false;
        e = e < twin ? e : twin;
        out->arc[out->count++] = w->facing->of_b ? arc_of_b(w->facing->pair, e) : arc_of_a(hull, e);
    }
    return true;
}

/* True while there are more. */
static bool next_arcs(walk *w, arcs *out)
{
    out->count = 0;
    for (; w->face < w->facing->hull->face_count; ++w->face, w->edge = 0) {
        if (w->face % 8 == 0 && w->edge == 0)
            w->reached = reached_of_eight(w);
        if (w->reached == 0)
            w->face |= 7; /* none of these */
        else if (w->reached >> w->face % 8 & 1 && !add_arcs(w, out))
            return true;
    }
    return false;
}

/* The best pair of edges, if it beats the faces. */
static lode__hull_axis search_edges(const facing *a, const facing *b)
{
    lode_real most = r_max(a->separation, b->separation);
    lode_real least = r_min(most, 0) - rounding_of(a->pair) -
                      FLATNESS * r_max(a->hull->size, b->hull->size);
    lode__hull_axis best = {.way = LODE__HULLS_APART, .separation = most};
    arcs of_a, of_b;
    walk walk_b = {.facing = b, .least = least};
    bool more_b = true;
    while (more_b) {
        walk walk_a = {.facing = a, .least = least};
        bool more_a = true;
        more_b = next_arcs(&walk_b, &of_b);
        while (more_a) {
            more_a = next_arcs(&walk_a, &of_a);
            try_arcs(&of_a, &of_b, &best);
        }
    }
    return best;
}

static lode_real forgive(lode_real separation, lode_real share, lode_real speculative)
{
    return r_max(separation, separation * share) + speculative * AXIS_MARGIN;
}

static lode__hull_axis face_axis(lode__hull_way way, const facing *face)
{
    return (lode__hull_axis){.way = way, .face = face->best, .separation = face->separation};
}

lode__hull_axis lode__hull_find_axis(const lode__hull_pair *pair, lode_real speculative,
                                     lode__hull_axis *out_best)
{
    const lode__hull_axis apart = {.way = LODE__HULLS_APART};
    *out_best = apart;
    facing face_a = search_faces(pair, false, speculative);
    if (!(face_a.separation < speculative))
        return apart;
    facing face_b = search_faces(pair, true, speculative);
    if (!(face_b.separation < speculative))
        return apart;
    lode__hull_axis edges = search_edges(&face_a, &face_b);
    if (!(edges.separation < speculative))
        return apart;
    lode__hull_axis a = face_axis(LODE__HULLS_FACE_A, &face_a);
    lode__hull_axis b = face_axis(LODE__HULLS_FACE_B, &face_b);
    *out_best = b.separation > a.separation ? b : a;
    if (edges.separation > out_best->separation)
        *out_best = edges;
    lode__hull_axis face = b.separation > forgive(a.separation, FACE_SHARE, speculative) ? b : a;
    return edges.separation > forgive(face.separation, EDGE_SHARE, speculative) ? edges : face;
}

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

typedef struct best_face {
    uint32_t face;
    lode_real separation;
} best_face;

/* How far b is from each plane of a: the largest. Ends early where that is beyond `enough`. */
static best_face search_a(const lode__hull_pair *p, lode_real enough)
{
    best_face best = {0, -REAL_MAX};
    uint32_t hint = 0;
    for (uint32_t f = 0; f < p->a->face_count && best.separation < enough; ++f) {
        const lode__hull_face *face = &p->a->faces[f];
        lode_vec3 inward = v3_neg(m3_apply(&p->back, face->normal));
        hint = lode__hull_support(p->b, inward, hint);
        lode_real at = v3_dot(face->normal, p->offset) - v3_dot(inward, p->b->vertices[hint]);
        if (at - face->offset > best.separation)
            best = (best_face){f, at - face->offset};
    }
    return best;
}

static best_face search_b(const lode__hull_pair *p, lode_real enough)
{
    best_face best = {0, -REAL_MAX};
    uint32_t hint = 0;
    for (uint32_t f = 0; f < p->b->face_count && best.separation < enough; ++f) {
        const lode__hull_face *face = &p->b->faces[f];
        lode_vec3 normal = m3_apply(&p->turn, face->normal);
        hint = lode__hull_support(p->a, v3_neg(normal), hint);
        lode_real at = v3_dot(normal, v3_sub(p->a->vertices[hint], p->offset));
        if (at - face->offset > best.separation)
            best = (best_face){f, at - face->offset};
    }
    return best;
}

/* An edge of b as seen from a. */
typedef struct arc {
    lode_vec3 c, d; /* its normals, turned round */
    lode_vec3 along, from;
    uint32_t edge;
} arc;

static arc arc_of_b(const lode__hull_pair *p, uint32_t edge)
{
    const lode_hull *b = p->b;
    const lode__hull_edge *e = &b->edges[edge];
    return (arc){v3_neg(m3_apply(&p->turn, b->faces[e->face].normal)),
                 v3_neg(m3_apply(&p->turn, b->faces[b->edges[e->twin].face].normal)),
                 m3_apply(&p->turn, hull_edge_vector(b, edge)),
                 v3_add(m3_apply(&p->turn, b->vertices[e->origin]), p->offset), edge};
}

static bool arcs_cross(const lode_hull *a, uint32_t edge, lode_vec3 along, const arc *b)
{
    lode_real c = v3_dot(b->c, along), d = v3_dot(b->d, along);
    if (!(c * d < 0))
        return false;
    lode_vec3 n1 = a->faces[a->edges[edge].face].normal;
    lode_vec3 n2 = a->faces[a->edges[a->edges[edge].twin].face].normal;
    lode_real m1 = v3_dot(n1, b->along), m2 = v3_dot(n2, b->along);
    return m1 * m2 < 0 && c * m2 > 0;
}

static void try_edges(const lode_hull *a, uint32_t edge, lode_vec3 along, const arc *b,
                      lode__hull_axis *best)
{
    lode_vec3 cross = v3_cross(along, b->along);
    lode_real cross2 = v3_dot(cross, cross);
    if (!(cross2 > PARALLEL * v3_dot(along, along) * v3_dot(b->along, b->along)))
        return;
    lode_vec3 n1 = a->faces[a->edges[edge].face].normal;
    lode_vec3 n2 = a->faces[a->edges[a->edges[edge].twin].face].normal;
    lode_vec3 normal = v3_normalize_or(cross, n1);
    if (v3_dot(normal, v3_add(n1, n2)) < 0)
        normal = v3_neg(normal);
    lode_real separation = v3_dot(normal, v3_sub(b->from, a->vertices[a->edges[edge].origin]));
    if (separation > best->separation)
        *best = (lode__hull_axis){LODE__HULLS_EDGES, 0, edge, b->edge, separation, normal};
}

static lode__hull_axis search_edges(const lode__hull_pair *p, lode_real enough)
{
    lode__hull_axis best = {.separation = -REAL_MAX};
    for (uint32_t i = 0; i < p->b->ridge_count && best.separation < enough; ++i) {
        arc b = arc_of_b(p, p->b->ridges[i]);
        for (uint32_t k = 0; k < p->a->ridge_count; ++k) {
            uint32_t edge = p->a->ridges[k];
            lode_vec3 along = hull_edge_vector(p->a, edge);
            if (arcs_cross(p->a, edge, along, &b))
                try_edges(p->a, edge, along, &b, &best);
        }
    }
    return best;
}

static lode_real forgive(lode_real separation, lode_real share, lode_real speculative)
{
    return r_max(separation, separation * share) + speculative * AXIS_MARGIN;
}

static lode__hull_axis face_axis(lode__hull_way way, best_face face)
{
    return (lode__hull_axis){.way = way, .face = face.face, .separation = face.separation};
}

lode__hull_axis lode__hull_find_axis(const lode__hull_pair *pair, lode_real speculative,
                                     lode__hull_axis *out_best)
{
    const lode__hull_axis apart = {.way = LODE__HULLS_APART};
    *out_best = apart;
    best_face face_a = search_a(pair, speculative);
    if (!(face_a.separation < speculative))
        return apart;
    best_face face_b = search_b(pair, speculative);
    if (!(face_b.separation < speculative))
        return apart;
    lode__hull_axis edges = search_edges(pair, speculative);
    if (!(edges.separation < speculative))
        return apart;
    lode__hull_axis a = face_axis(LODE__HULLS_FACE_A, face_a);
    lode__hull_axis b = face_axis(LODE__HULLS_FACE_B, face_b);
    *out_best = b.separation > a.separation ? b : a;
    if (edges.separation > out_best->separation)
        *out_best = edges;
    lode__hull_axis face = b.separation > forgive(a.separation, FACE_SHARE, speculative) ? b : a;
    return edges.separation > forgive(face.separation, EDGE_SHARE, speculative) ? edges : face;
}

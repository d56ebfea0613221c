/* hull_faces.inl: the face of a hull above which another hull lies the highest; kernel text.
 *
 * A plane of a is as far from b as the deepest vertex of b below it, and no farther than any point
 * that is known to be in b: the ball around its centre, and the vertices that were deepest below
 * the planes looked at so far. The plane that may be best is looked at first, until the best is
 * known to be no worse than what the others may be. Eight planes or vertices lie side by side.
 * What is left out could not have won: the answer is that of the search among all, of equal ones
 * the first. */
#ifndef LODE_COLLIDE_HULL_FACES_INL
#define LODE_COLLIDE_HULL_FACES_INL

#include "collide/hull_axes.h"
#include "collide/hull_support.h"
#include "core/math.h"
#include "simd/wide.h"

/* What rounding may add to a distance, of the hulls' sizes: what is skipped is worse by more. */
#define ROUNDING (16 * REAL_EPSILON)

/* Faces whose bounds are kept at a time. */
enum { FACES = 64 };

_Static_assert(FACES <= 64, "a bit for each");

LODE__INLINE lode_real rounding_of(const lode__hull_pair *p)
{
    return ROUNDING * (p->a->size + p->b->size + v3_length(p->offset));
}

/* Where the largest of up to 64 numbers is, the first of them; `top` holds the largest of each
 * lane. */
LODE__INLINE uint32_t first_largest(const lode_real *all, uint32_t count, const lode_real top[8])
{
    lode_real most = r_max(r_max(r_max(top[0], top[1]), r_max(top[2], top[3])),
                           r_max(r_max(top[4], top[5]), r_max(top[6], top[7])));
    wreal largest = w_splat(most);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i += LODE_WIDTH)
        bits |= (uint64_t)m_bits(w_eq(w_load(&all[i]), largest)) << i;
    return bits != 0 ? (uint32_t)__builtin_ctzll(bits) : 0; /* not numbers */
}

/* As lode__hull_support(), to the bit. */
LODE__INLINE uint32_t find_vertex(const lode_hull *hull, lode_vec3 direction, uint32_t hint)
{
    if (hull->vertex_count > LODE__HULL_FEW)
        return hull_climb(hull, direction, hint);
    _Alignas(LODE__LINE_ALIGN) lode_real reaches[LODE__HULL_FEW], tops[8];
    uint32_t blocks = hull_blocks(hull->vertex_count);
    wvec3 d = wv_splat(direction);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal top = w_splat(-REAL_MAX);
        for (uint32_t i = 0; i < blocks; ++i) {
            wreal reach = wv_dot(wv_load(&hull->corners[i].x[lane]), d);
            w_store(&reaches[8 * i + (uint32_t)lane], reach);
            top = w_max(reach, top);
        }
        w_store(&tops[lane], top);
    }
    uint32_t best = first_largest(reaches, 8 * blocks, tops);
    return best < hull->vertex_count ? best : 0;
}

/* --- one face */

LODE__INLINE lode_vec3 to_facing(const lode__hull_pair *p, bool of_b, lode_vec3 of_other)
{
    return of_b ? m3_apply(&p->back, v3_sub(of_other, p->offset))
                : v3_add(m3_apply(&p->turn, of_other), p->offset);
}

/* How far the other hull is from the plane of a face; and its vertex that says so, from a guess
 * on. */
LODE__INLINE lode_real separation_of(const lode__hull_pair *p, bool of_b,
                                     const lode__hull_face *face, uint32_t *vertex)
{
    if (of_b) {
        lode_vec3 normal = m3_apply(&p->turn, face->normal);
        *vertex = find_vertex(p->a, v3_neg(normal), *vertex);
        return v3_dot(normal, v3_sub(p->a->vertices[*vertex], p->offset)) - face->offset;
    }
    lode_vec3 inward = v3_neg(m3_apply(&p->back, face->normal));
    *vertex = find_vertex(p->b, inward, *vertex);
    return v3_dot(face->normal, p->offset) - v3_dot(inward, p->b->vertices[*vertex]) - face->offset;
}

/* Keeps the best face, and what is deepest below faces, each vertex once. */
LODE__INLINE void try_face(lode__hull_facing *f, bool of_b, uint32_t i)
{
    uint32_t vertex = f->vertex;
    lode_real separation = separation_of(f->pair, of_b, &f->hull->faces[i], &vertex);
    if (separation > f->separation || (separation == f->separation && i < f->best)) {
        f->best = i;
        f->vertex = vertex;
        f->separation = separation;
    }
    if (f->lows == LODE__HULL_LOWS || (f->lows > 0 && f->low_vertex[0] == vertex))
        return;
    f->low_vertex[f->lows] = vertex;
    f->low[f->lows++] = to_facing(f->pair, of_b, f->other->vertices[vertex]);
}

static void try_face_of_a(lode__hull_facing *f, uint32_t i)
{
    try_face(f, false, i);
}

static void try_face_of_b(lode__hull_facing *f, uint32_t i)
{
    try_face(f, true, i);
}

/* --- bounds */

/* What the separation along each of some faces may be at most. */
typedef struct bounds {
    _Alignas(LODE__LINE_ALIGN) lode_real most[FACES];
    uint32_t first, blocks; /* a multiple of 8, and how many blocks */
    lode_real rounding;
    int lowered; /* by so many of the other's points */
} bounds;

LODE__INLINE wreal heights(const lode__hull_planes *p, int lane, wvec3 at)
{
    return w_sub(wv_dot(wv_load(&p->x[lane]), at), w_load(&p->offset[lane]));
}

/* From the ball; returns the number of the face whose bound is the highest, from the first on. */
LODE__INLINE uint32_t set_bounds(const lode__hull_facing *f, bounds *b)
{
    _Alignas(LODE__LINE_ALIGN) lode_real tops[8];
    const lode__hull_planes *planes = &f->hull->planes[b->first / 8];
    wvec3 at = wv_splat(f->center);
    wreal more = w_splat(b->rounding - f->other->inner);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal top = w_splat(-REAL_MAX);
        for (uint32_t i = 0; i < b->blocks; ++i) {
            wreal bound = w_add(heights(&planes[i], lane, at), more);
            w_store(&b->most[8 * i + (uint32_t)lane], bound);
            top = w_max(bound, top);
        }
        w_store(&tops[lane], top);
    }
    b->lowered = 0;
    return first_largest(b->most, 8 * b->blocks, tops);
}

/* Lowers the bounds to how high the other's points are that have been found since. */
LODE__INLINE void lower(const lode__hull_facing *f, bounds *b)
{
    const lode__hull_planes *planes = &f->hull->planes[b->first / 8];
    wreal more = w_splat(b->rounding);
    for (; b->lowered < f->lows; ++b->lowered) {
        wvec3 at = wv_splat(f->low[b->lowered]);
        for (uint32_t i = 0; i < 8 * b->blocks; i += LODE_WIDTH) {
            wreal bound = w_add(heights(&planes[i / 8], (int)(i % 8), at), more);
            w_store(&b->most[i], w_min(bound, w_load(&b->most[i])));
        }
    }
}

/* The faces whose bound is not below the best: a bit each. */
LODE__INLINE uint64_t find_hopeful(const lode__hull_facing *f, const bounds *b)
{
    uint32_t left = f->hull->face_count - b->first, count = left < FACES ? left : FACES;
    wreal least = w_splat(f->separation);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i += LODE_WIDTH)
        bits |= (uint64_t)m_bits(w_ge(w_load(&b->most[i]), least)) << i;
    return bits & (UINT64_MAX >> (64 - count));
}

/* As lower() and find_hopeful() say it of one face. */
LODE__INLINE bool is_hopeful(const lode__hull_facing *f, const bounds *b, uint32_t i)
{
    const lode__hull_face *face = &f->hull->faces[b->first + i];
    lode_real most = b->most[i];
    for (int low = b->lowered; low < f->lows; ++low)
        most = r_min(v3_dot(face->normal, f->low[low]) - face->offset + b->rounding, most);
    return most >= f->separation;
}

/* --- all faces */

/* More than these are lowered together. */
LODE__INLINE bool are_several(uint64_t bits)
{
    bits &= bits - 1;
    return (bits & (bits - 1)) != 0;
}

/* The face that may be best comes first, to have something to beat. */
LODE__INLINE void search_some(lode__hull_facing *f, bool of_b, bounds *b, lode_real enough)
{
    void (*const try)(lode__hull_facing *, uint32_t) = of_b ? try_face_of_b : try_face_of_a;
    uint32_t likely = set_bounds(f, b);
    uint64_t tried = 0;
    if (b->most[likely] >= f->separation && b->first + likely < f->hull->face_count) {
        try(f, b->first + likely);
        tried = (uint64_t)1 << likely;
    }
    uint64_t hopeful = find_hopeful(f, b) & ~tried;
    while (hopeful != 0 && f->separation < enough) {
        if (are_several(hopeful) && b->lowered < f->lows) {
            lower(f, b);
            hopeful &= find_hopeful(f, b);
            continue;
        }
        uint32_t i = (uint32_t)__builtin_ctzll(hopeful);
        hopeful &= hopeful - 1;
        if (is_hopeful(f, b, i))
            try(f, b->first + i);
    }
}

/* The largest distance of the other hull from a plane of this one; ends early where that is beyond
 * `enough`. */
LODE__INLINE void search_faces(const lode__hull_pair *p, bool of_b, lode_real enough,
                               lode__hull_facing *f)
{
    f->pair = p;
    f->hull = of_b ? p->b : p->a;
    f->other = of_b ? p->a : p->b;
    f->separation = -REAL_MAX;
    f->best = f->vertex = 0;
    f->lows = 0;
    f->center = to_facing(p, of_b, d3_to(f->other->center));
    uint32_t blocks = hull_blocks(f->hull->face_count);
    bounds b;
    b.rounding = rounding_of(p);
    for (b.first = 0; b.first < 8 * blocks && f->separation < enough; b.first += FACES) {
        b.blocks = blocks - b.first / 8 < FACES / 8 ? blocks - b.first / 8 : FACES / 8;
        search_some(f, of_b, &b, enough);
    }
}

#endif

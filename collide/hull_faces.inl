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

/* The largest of eight numbers; `a > b ? a : b` throughout. */
LODE__INLINE lode_real largest_of(const lode_real top[8])
{
    return r_max(r_max(r_max(top[0], top[1]), r_max(top[2], top[3])),
                 r_max(r_max(top[4], top[5]), r_max(top[6], top[7])));
}

/* Where the largest of up to 64 numbers is, the first of them; `top` holds the largest of each
 * lane. Bits are gathered from the last block on: so each goes where it belongs by a shift whose
 * width is known. */
LODE__INLINE uint32_t first_largest(const lode_real *all, uint32_t count, const lode_real top[8])
{
    wreal largest = w_splat(largest_of(top));
    uint64_t bits = 0;
    for (const lode_real *at = all + count; at != all;) {
        at -= LODE_WIDTH;
        bits = bits << LODE_WIDTH | m_bits(w_eq(w_load(at), largest));
    }
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

/* Keeps the best face; first what is deepest below that, then what was deepest below another, each
 * vertex once. */
LODE__INLINE void try_face(lode__hull_facing *f, bool of_b, uint32_t i)
{
    uint32_t vertex = f->vertex;
    lode_real separation = separation_of(f->pair, of_b, &f->hull->faces[i], &vertex);
    lode_vec3 at = to_facing(f->pair, of_b, f->other->vertices[vertex]);
    bool better = separation > f->separation || (separation == f->separation && i < f->best);
    bool fresh = vertex != f->vertex;
    if (better && fresh) {
        f->second = f->best;
        f->low[1] = f->low[0];
        f->low[0] = at;
    } else if (fresh) {
        f->second = i;
        f->low[1] = at;
    }
    f->best = better ? i : f->best;
    f->vertex = better ? vertex : f->vertex;
    f->separation = better ? separation : f->separation;
}

/* The first one, which may be the only one. */
LODE__INLINE void try_first_face(lode__hull_facing *f, bool of_b, uint32_t i)
{
    f->best = f->second = i;
    f->vertex = 0;
    f->separation = separation_of(f->pair, of_b, &f->hull->faces[i], &f->vertex);
    f->low[0] = f->low[1] = to_facing(f->pair, of_b, f->other->vertices[f->vertex]);
}

/* --- bounds */

/* What the separation along each of some faces may be at most. */
typedef struct bounds {
    _Alignas(LODE__LINE_ALIGN) lode_real most[FACES];
    uint32_t first, blocks; /* a multiple of 8, and how many blocks */
    lode_real rounding;
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
    return first_largest(b->most, 8 * b->blocks, tops);
}

/* The faces whose bound is not below the best: a bit each. */
LODE__INLINE uint64_t find_hopeful(const lode__hull_facing *f, const bounds *b)
{
    uint32_t left = f->hull->face_count - b->first, count = left < FACES ? left : FACES;
    wreal least = w_splat(f->separation);
    uint64_t bits = 0;
    for (const lode_real *at = &b->most[8 * b->blocks]; at != b->most;) {
        at -= LODE_WIDTH;
        bits = bits << LODE_WIDTH | m_bits(w_ge(w_load(at), least));
    }
    return bits & (UINT64_MAX >> (64 - count));
}

/* By how high the plane has the other's points above it that are known. */
LODE__INLINE bool is_hopeful(const lode__hull_facing *f, const bounds *b, uint32_t i)
{
    const lode__hull_face *face = &f->hull->faces[i];
    lode_real most = r_min(v3_dot(face->normal, f->low[0]), v3_dot(face->normal, f->low[1]));
    return most - face->offset + b->rounding >= f->separation;
}

/* --- all faces */

/* Goes on with those whose bounds are no worse than the best. */
LODE__INLINE void try_hopeful(lode__hull_facing *f, bool of_b, const bounds *b, uint64_t left,
                              lode_real enough)
{
    for (; left != 0 && f->separation < enough; left &= left - 1) {
        uint32_t i = b->first + (uint32_t)__builtin_ctzll(left);
        if (is_hopeful(f, b, i))
            try_face(f, of_b, i);
    }
}

LODE__INLINE void next_faces(const lode__hull_facing *f, uint32_t first, bounds *b)
{
    uint32_t blocks = hull_blocks(f->hull->face_count) - first / 8;
    b->first = first;
    b->blocks = blocks < FACES / 8 ? blocks : FACES / 8;
}

/* How far planes of this hull are from the other one. Begins with the face that may be best, to
 * have something to beat; so that two searches can begin before one branches. */
LODE__INLINE uint32_t begin_faces(const lode__hull_pair *p, bool of_b, lode_real rounding,
                                  lode__hull_facing *f, bounds *b)
{
    f->pair = p;
    f->hull = of_b ? p->b : p->a;
    f->other = of_b ? p->a : p->b;
    f->center = to_facing(p, of_b, d3_to(f->other->center));
    b->rounding = rounding;
    next_faces(f, 0, b);
    uint32_t likely = set_bounds(f, b); /* the first of equal ones: none that fills up */
    try_first_face(f, of_b, likely);
    return likely;
}

/* The rest of the search; ends early where the separation is beyond `enough`. */
LODE__INLINE void end_faces(lode__hull_facing *f, bool of_b, bounds *b, uint32_t tried,
                            lode_real enough)
{
    try_hopeful(f, of_b, b, find_hopeful(f, b) & ~((uint64_t)1 << tried), enough);
    for (uint32_t first = FACES; first < f->hull->face_count && f->separation < enough;
         first += FACES) {
        next_faces(f, first, b);
        set_bounds(f, b);
        try_hopeful(f, of_b, b, find_hopeful(f, b), enough);
    }
}

/* How high the highest plane of this hull has the point above it that is deepest below its best
 * face. If that is below 0 the point lies so deep in this hull: no axis at all separates by more,
 * but for rounding and for vertices that do not quite reach their planes. */
LODE__INLINE lode_real highest_above(const lode__hull_facing *f)
{
    _Alignas(LODE__LINE_ALIGN) lode_real tops[8];
    uint32_t blocks = hull_blocks(f->hull->face_count);
    wvec3 at = wv_splat(f->low[0]);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal top = w_splat(-REAL_MAX);
        for (uint32_t i = 0; i < blocks; ++i)
            top = w_max(heights(&f->hull->planes[i], lane, at), top);
        w_store(&tops[lane], top);
    }
    return largest_of(tops);
}

#endif

/* hull_axes.inl: separating axes of two polyhedra.
 *
 * Two convex polyhedra are apart if and only if they are apart along the normal of a face of one or
 * along the product of an edge of each. Of the products only those count that are normals of the
 * Minkowski difference, which an edge of a and one of b make if their arcs on the unit sphere, from
 * the normal beside the edge to the one on its other side, those of b turned round, cross (Gregorius,
 * "The separating axis test between convex polyhedra", GDC 2013). With edge direction e_a = n1 x n2
 * the arcs cross when b's normals lie on two sides of the plane across e_a, a's on two sides of that
 * across e_b, and both on one half of the sphere: no product is made for the others.
 *
 * This is a kernel: eight planes, vertices or edges of one hull lie side by side.
 *
 * Little of that is looked at. A plane of a is as far from b as the deepest vertex of b below it, and
 * no farther than any point that is known to be in b: the ball around its centre, and the vertex that
 * were deepest below the planes looked at so far. The plane that may be best is looked at first, until
 * the best is known to be no worse than what the others may be. An edge of a
 * makes axes between the normals n1 and n2 beside it, n = s n1 + t n2 with s, t >= 0 and s + t >= 1.
 * If a point of b lies deeper than d below both planes, then it lies deeper than that along n, which
 * is worse than a face whose separation is -d. So once the best faces are known, those edges
 * remain that are beside a plane above which that vertex nearly is: a handful, whatever the hulls. What
 * is left out could not have won, so the answer is that of the search among all. Who asks for the axis
 * that is preferred and no more leaves out what would not be preferred, too: often all edges.
 *
 * Preference as for boxes (collide/box_axes.h): a's faces win over b's, and faces over edges, unless
 * the other is better by a small share and a small length. */
#include "collide/hull_axes.h"

#include "collide/hull_support.h"
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

/* What rounding may add to a distance, and how far vertices may lie below their face's plane, of the
 * hulls' sizes: what is skipped is worse by more. */
#define ROUNDING (16 * REAL_EPSILON)
#define FLATNESS ((lode_real)2e-5)

/* Faces whose bounds are kept at a time, edges of either hull that are held against each other at a
 * time, and deepest vertices that are kept. */
enum { FACES = 64, EDGES = 32, LOWS = 3 };

_Static_assert(FACES <= 64, "a bit for each");

static lode_real rounding_of(const lode__hull_pair *p)
{
    return ROUNDING * (p->a->size + p->b->size + v3_length(p->offset));
}

/* Where the largest of all numbers is, the first of them; `top` holds the largest of each lane. */
static inline uint32_t first_largest(const lode_real *all, uint32_t count, const lode_real top[8])
{
    lode_real most = r_max(r_max(r_max(top[0], top[1]), r_max(top[2], top[3])),
                           r_max(r_max(top[4], top[5]), r_max(top[6], top[7])));
    wreal largest = w_splat(most);
    for (uint32_t i = 0; i < count; i += LODE_WIDTH) {
        unsigned bits = m_bits(w_eq(w_load(&all[i]), largest));
        if (bits != 0)
            return i + (uint32_t)__builtin_ctz(bits);
    }
    return 0; /* not numbers */
}

/* As lode__hull_support(), to the bit. */
static uint32_t find_vertex(const lode_hull *hull, lode_vec3 direction, uint32_t hint)
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

/* --- faces */

/* One hull and the points of the other in its frame. */
typedef struct facing {
    const lode__hull_pair *pair;
    const lode_hull *hull, *other;
    bool of_b;
    lode_vec3 center;    /* of the other: a ball of radius `inner` around it lies within */
    lode_vec3 low[LOWS]; /* vertices of the other that are deepest below faces */
    int lows;
    uint32_t hint, best, vertex; /* the best face, and what is deepest below it */
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
        f->hint = find_vertex(p->a, v3_neg(normal), f->hint);
        return v3_dot(normal, v3_sub(p->a->vertices[f->hint], p->offset)) - face->offset;
    }
    lode_vec3 inward = v3_neg(m3_apply(&p->back, face->normal));
    f->hint = find_vertex(p->b, inward, f->hint);
    return v3_dot(face->normal, p->offset) - v3_dot(inward, p->b->vertices[f->hint]) - face->offset;
}

static void try_face(facing *f, uint32_t i)
{
    lode_real separation = separation_of(f, &f->hull->faces[i]);
    bool known = f->lows > 0 && f->hint == f->vertex;
    if (separation > f->separation || (separation == f->separation && i < f->best)) {
        f->best = i;
        f->vertex = f->hint;
        f->separation = separation;
    }
    if (!known && f->lows < LOWS)
        f->low[f->lows++] = to_facing(f, f->other->vertices[f->hint]);
}

/* What the separation along each of some faces may be at most. */
typedef struct bounds {
    _Alignas(LODE__LINE_ALIGN) lode_real most[FACES];
    uint32_t first, blocks; /* a multiple of 8, and how many blocks */
} bounds;

static inline wreal heights(const lode__hull_planes *p, int lane, wvec3 at)
{
    return w_sub(wv_dot(wv_load(&p->x[lane]), at), w_load(&p->offset[lane]));
}

/* From the ball; returns the number of the face whose bound is the highest, from the first on. */
static uint32_t set_bounds(const facing *f, bounds *b, lode_real rounding)
{
    _Alignas(LODE__LINE_ALIGN) lode_real tops[8];
    const lode__hull_planes *planes = &f->hull->planes[b->first / 8];
    wvec3 at = wv_splat(f->center);
    wreal more = w_splat(rounding - f->other->inner);
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

/* Lowers the bounds to how high a point of the other is. */
static void lower(const facing *f, bounds *b, lode_vec3 point, lode_real rounding)
{
    const lode__hull_planes *planes = &f->hull->planes[b->first / 8];
    wvec3 at = wv_splat(point);
    wreal more = w_splat(rounding);
    for (uint32_t i = 0; i < 8 * b->blocks; i += LODE_WIDTH) {
        wreal bound = w_add(heights(&planes[i / 8], (int)(i % 8), at), more);
        w_store(&b->most[i], w_min(bound, w_load(&b->most[i])));
    }
}

/* The faces whose bound is not below the best: a bit each. */
static uint64_t find_hopeful(const facing *f, const bounds *b)
{
    uint32_t left = f->hull->face_count - b->first, count = left < FACES ? left : FACES;
    wreal least = w_splat(f->separation);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i += LODE_WIDTH)
        bits |= (uint64_t)m_bits(w_ge(w_load(&b->most[i]), least)) << i;
    return bits & (UINT64_MAX >> (64 - count));
}

/* The face that may be best comes first, to have something to beat. */
static void search_some(facing *f, bounds *b, lode_real rounding, lode_real enough)
{
    uint32_t likely = set_bounds(f, b, rounding);
    uint64_t tried = 0, hopeful = 0;
    if (b->most[likely] >= f->separation && b->first + likely < f->hull->face_count) {
        try_face(f, b->first + likely);
        tried = (uint64_t)1 << likely;
    }
    hopeful = find_hopeful(f, b) & ~tried;
    while (hopeful != 0 && f->separation < enough) {
        if ((hopeful & (hopeful - 1)) != 0 && f->lows > 0) {
            lower(f, b, f->low[f->lows - 1], rounding);
            hopeful = find_hopeful(f, b) & ~tried;
        }
        if (hopeful == 0)
            break;
        uint32_t i = (uint32_t)__builtin_ctzll(hopeful);
        try_face(f, b->first + i);
        tried |= (uint64_t)1 << i;
        hopeful &= hopeful - 1;
    }
}

/* The largest distance of the other hull from a plane of this one; ends early where that is beyond
 * `enough`. */
static void search_faces(const lode__hull_pair *p, bool of_b, lode_real enough, facing *f)
{
    f->pair = p;
    f->hull = of_b ? p->b : p->a;
    f->other = of_b ? p->a : p->b;
    f->of_b = of_b;
    f->separation = -REAL_MAX;
    f->hint = f->best = f->vertex = 0;
    f->lows = 0;
    f->center = to_facing(f, d3_to(f->other->center));
    lode_real rounding = rounding_of(p);
    uint32_t blocks = hull_blocks(f->hull->face_count);
    bounds b;
    for (b.first = 0; b.first < 8 * blocks && f->separation < enough; b.first += FACES) {
        b.blocks = blocks - b.first / 8 < FACES / 8 ? blocks - b.first / 8 : FACES / 8;
        search_some(f, &b, rounding, enough);
    }
}

/* --- edges */

/* Edges in the axes of a. Of b they are turned round: the arcs of a and b that cross are those of the
 * Minkowski difference. The lanes behind the last hold nothing that crosses. */
typedef struct arcs {
    int count;
    uint32_t edge[EDGES];
    /* by eight: the normals beside it, its direction and length, and where it begins */
    _Alignas(LODE__LINE_ALIGN) lode_real n1[EDGES / 8][3][8];
    _Alignas(LODE__LINE_ALIGN) lode_real n2[EDGES / 8][3][8];
    _Alignas(LODE__LINE_ALIGN) lode_real along[EDGES / 8][3][8];
    _Alignas(LODE__LINE_ALIGN) lode_real from[EDGES / 8][3][8];
} arcs;

static inline void put(lode_real lanes[3][8], int k, lode_vec3 v)
{
    lanes[0][k] = v.x;
    lanes[1][k] = v.y;
    lanes[2][k] = v.z;
}

static inline lode_vec3 get(lode_real lanes[3][8], int k)
{
    return v3(lanes[0][k], lanes[1][k], lanes[2][k]);
}

static void clear_block(arcs *out, int block)
{
    for (int i = 0; i < 3; ++i)
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            w_store(&out->n1[block][i][lane], w_zero());
            w_store(&out->n2[block][i][lane], w_zero());
            w_store(&out->along[block][i][lane], w_zero());
            w_store(&out->from[block][i][lane], w_zero());
        }
}

/* Fills in what belongs to the edges. */
static void fill_arcs(const lode_hull *hull, arcs *out)
{
    const lode__hull_face *faces = hull->faces;
    const lode__hull_edge *edges = hull->edges;
    const lode_vec3 *vertices = hull->vertices;
    int count = out->count;
    for (int i = 0; i < count; ++i) {
        lode__hull_edge e = edges[out->edge[i]], twin = edges[e.twin];
        int block = i / 8, k = i % 8;
        if (k == 0)
            clear_block(out, block);
        lode_vec3 from = vertices[e.origin], to = vertices[twin.origin];
        put(out->n1[block], k, faces[e.face].normal);
        put(out->n2[block], k, faces[twin.face].normal);
        put(out->along[block], k, v3_sub(to, from));
        put(out->from[block], k, from);
    }
}

typedef struct turning {
    wvec3 r0, r1, r2;
} turning;

static inline void turn_lanes(const turning *t, lode_real *lanes, bool negate, wvec3 offset)
{
    wvec3 v = wv_load(lanes);
    wvec3 turned = {wv_dot(t->r0, v), wv_dot(t->r1, v), wv_dot(t->r2, v)};
    wv_store(lanes, wv_add(negate ? wv_neg(turned) : turned, offset));
}

static void turn_round(const lode__hull_pair *p, arcs *b)
{
    turning t = {wv_splat(p->turn.r0), wv_splat(p->turn.r1), wv_splat(p->turn.r2)};
    wvec3 offset = wv_splat(p->offset), zero = wv_zero();
    for (int block = 0; 8 * block < b->count; ++block)
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            turn_lanes(&t, &b->n1[block][0][lane], true, zero);
            turn_lanes(&t, &b->n2[block][0][lane], true, zero);
            turn_lanes(&t, &b->along[block][0][lane], false, zero);
            turn_lanes(&t, &b->from[block][0][lane], false, offset);
        }
}

/* Of equal ones the first in the order of b's edges and then a's. */
static bool comes_first(const lode__hull_axis *best, uint32_t edge_a, uint32_t edge_b)
{
    return best->way != LODE__HULLS_EDGES || edge_b < best->edge_b ||
           (edge_b == best->edge_b && edge_a < best->edge_a);
}

/* One edge of b and eight of a. */
typedef struct crossing {
    wvec3 n1, n2, along, from; /* of b */
    wreal square;              /* of b's length */
} crossing;

/* The lanes whose arcs cross. */
static inline wmask arcs_cross(const crossing *b, const arcs *a, int block, int lane)
{
    wvec3 along = wv_load(&a->along[block][0][lane]);
    wreal c = wv_dot(b->n1, along), d = wv_dot(b->n2, along), zero = w_zero();
    wreal m1 = wv_dot(wv_load(&a->n1[block][0][lane]), b->along);
    wreal m2 = wv_dot(wv_load(&a->n2[block][0][lane]), b->along);
    return m_and(m_and(w_lt(w_mul(c, d), zero), w_lt(w_mul(m1, m2), zero)),
                 w_gt(w_mul(c, m2), zero));
}

/* The separations along the products, and the products themselves, from a to b. */
static inline wreal measure(const crossing *b, const arcs *a, int block, int lane, wmask *is_axis,
                            wvec3 *out_normal)
{
    wvec3 along = wv_load(&a->along[block][0][lane]), from = wv_load(&a->from[block][0][lane]);
    wvec3 out = wv_add(wv_load(&a->n1[block][0][lane]), wv_load(&a->n2[block][0][lane]));
    wvec3 cross = wv_cross(along, b->along);
    wreal square = wv_dot(cross, cross), one = w_splat(1);
    wreal least = w_mul(w_mul(w_splat(PARALLEL), wv_dot(along, along)), b->square);
    *is_axis = m_and(*is_axis, w_gt(square, least));
    wreal turn = w_select(w_lt(wv_dot(cross, out), w_zero()), w_neg(one), one);
    wreal length = w_sqrt(w_select(*is_axis, square, one));
    *out_normal = wv_scale(cross, w_div(turn, length));
    return wv_dot(*out_normal, wv_sub(b->from, from));
}

static void try_eight(const crossing *b, uint32_t edge_b, arcs *a, int block, int lane,
                      lode__hull_axis *best)
{
    _Alignas(LODE__LINE_ALIGN) lode_real separations[8], normals[3][8];
    wvec3 normal;
    wmask is_axis = arcs_cross(b, a, block, lane);
    if (!m_any(is_axis))
        return;
    wreal separation = measure(b, a, block, lane, &is_axis, &normal);
    unsigned bits = m_bits(m_and(is_axis, w_ge(separation, w_splat(best->separation))));
    if (bits == 0)
        return;
    w_store(separations, separation);
    wv_store(normals[0], normal);
    for (int k = 0; k < LODE_WIDTH; ++k) {
        uint32_t edge_a = a->edge[8 * block + lane + k < a->count ? 8 * block + lane + k : 0];
        if (bits >> k & 1 &&
            (separations[k] > best->separation ||
             (separations[k] == best->separation && comes_first(best, edge_a, edge_b))))
            *best = (lode__hull_axis){LODE__HULLS_EDGES, 0, 0, edge_a, edge_b, separations[k],
                                      get(normals, k)};
    }
}

static void try_arcs(arcs *a, arcs *b, lode__hull_axis *best)
{
    for (int i = 0; i < b->count; ++i) {
        lode_vec3 along = get(b->along[i / 8], i % 8);
        crossing c = {wv_splat(get(b->n1[i / 8], i % 8)), wv_splat(get(b->n2[i / 8], i % 8)),
                      wv_splat(along), wv_splat(get(b->from[i / 8], i % 8)),
                      w_splat(v3_dot(along, along))};
        for (int block = 0; 8 * block < a->count; ++block)
            for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
                try_eight(&c, b->edge[i], a, block, lane, best);
    }
}

/* Edges that may matter: those beside a face below which none of the other's points `low` lies deeper
 * than `least`. They are taken as many at a time as fit, each once. */
typedef struct walk {
    const facing *facing;
    lode_real least;
    uint32_t face, edge;    /* where it goes on; `edge` counts from the face's first */
    uint64_t left;          /* of the faces around `face`, a bit each: those to be walked */
    uint64_t reached[LOWS]; /* those above which the point nearly is */
} walk;

static uint64_t reached_faces(const walk *w, int low)
{
    const lode_hull *hull = w->facing->hull;
    const lode__hull_planes *planes = &hull->planes[w->face / 8];
    uint32_t left = hull->face_count - w->face, count = left < FACES ? left : FACES;
    wvec3 at = wv_splat(w->facing->low[low]);
    wreal least = w_splat(w->least);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i += LODE_WIDTH) {
        wreal height = heights(&planes[i / 8], (int)(i % 8), at);
        bits |= (uint64_t)m_bits(w_gt(height, least)) << i;
    }
    return bits & (UINT64_MAX >> (64 - count));
}

static inline bool reaches(const walk *w, uint32_t face, int low)
{
    if (face / FACES == w->face / FACES)
        return w->reached[low] >> face % FACES & 1;
    const lode__hull_face *at = &w->facing->hull->faces[face];
    return v3_dot(at->normal, w->facing->low[low]) - at->offset > w->least;
}

/* True if one of the points is deep below both faces beside the edge. */
static inline bool is_deep(const walk *w, uint32_t face, uint32_t twin_face)
{
    for (int low = 1; low < w->facing->lows; ++low)
        if (!reaches(w, face, low) && !reaches(w, twin_face, low))
            return true;
    return false;
}

static void begin_faces(walk *w)
{
    for (int low = 0; low < w->facing->lows; ++low)
        w->reached[low] = reached_faces(w, low);
    w->left = w->reached[0];
}

/* False when `out` is full. */
static bool add_edges(walk *w, arcs *out)
{
    const lode__hull_edge *edges = w->facing->hull->edges;
    const lode__hull_face face = w->facing->hull->faces[w->face];
    int count = out->count;
    uint32_t i = w->edge;
    for (; i < face.count; ++i) {
        uint32_t e = face.first + i, twin = edges[e].twin, twin_face = edges[twin].face;
        if ((e > twin && reaches(w, twin_face, 0)) || is_deep(w, w->face, twin_face))
            continue; /* it came with the other face, or need not come */
        if (count == EDGES)
            break;
        out->edge[count++] = e < twin ? e : twin;
    }
    w->edge = i;
    out->count = count;
    return i == face.count;
}

/* True while there are more. */
static bool next_arcs(walk *w, arcs *out)
{
    uint32_t faces = w->facing->hull->face_count;
    bool more = false;
    out->count = 0;
    while (w->face < faces && !more) {
        if (w->left == 0) {
            w->face = (w->face / FACES + 1) * FACES;
            if (w->face < faces)
                begin_faces(w);
            continue;
        }
        w->face = w->face / FACES * FACES + (uint32_t)__builtin_ctzll(w->left);
        more = !add_edges(w, out);
        if (!more) {
            w->left &= w->left - 1;
            w->edge = 0;
        }
    }
    fill_arcs(w->facing->hull, out);
    if (w->facing->of_b)
        turn_round(w->facing->pair, out);
    return more;
}

/* The best pair of edges, if it separates by more than `most`. */
static lode__hull_axis search_edges(const facing *a, const facing *b, lode_real most)
{
    lode_real least = r_min(most, 0) - rounding_of(a->pair) -
                      FLATNESS * r_max(a->hull->size, b->hull->size);
    lode__hull_axis best = {.way = LODE__HULLS_APART, .separation = most};
    arcs of_a, of_b;
    walk walk_a = {.facing = a, .least = least};
    bool more_a = true;
    begin_faces(&walk_a);
    walk first_b = {.facing = b, .least = least};
    begin_faces(&first_b);
    if (b->hull->face_count <= FACES && first_b.left == 0)
        return best;
    while (more_a) {
        walk walk_b = first_b;
        more_a = next_arcs(&walk_a, &of_a);
        bool more_b = of_a.count > 0;
        while (more_b) {
            more_b = next_arcs(&walk_b, &of_b);
            try_arcs(&of_a, &of_b, &best);
        }
    }
    return best;
}

/* --- all of it */

static lode_real forgive_hull(lode_real separation, lode_real share, lode_real speculative)
{
    return r_max(separation, separation * share) + speculative * AXIS_MARGIN;
}

static lode__hull_axis face_axis(lode__hull_way way, const facing *face)
{
    return (lode__hull_axis){
        .way = way, .face = face->best, .vertex = face->vertex, .separation = face->separation};
}

static lode__hull_axis LODE_KERNEL(hull_axis)(const lode__hull_pair *pair,
                                                  lode_real speculative, lode__hull_axis *out_best)
{
    const lode__hull_axis apart = {.way = LODE__HULLS_APART};
    facing face_a, face_b;
    search_faces(pair, false, speculative, &face_a);
    if (!(face_a.separation < speculative) || face_a.lows == 0)
        return apart;
    search_faces(pair, true, speculative, &face_b);
    if (!(face_b.separation < speculative) || face_b.lows == 0)
        return apart;
    lode__hull_axis a = face_axis(LODE__HULLS_FACE_A, &face_a);
    lode__hull_axis b = face_axis(LODE__HULLS_FACE_B, &face_b);
    lode__hull_axis best = b.separation > a.separation ? b : a;
    lode__hull_axis face = b.separation > forgive_hull(a.separation, FACE_SHARE, speculative) ? b : a;
    lode_real preferred = forgive_hull(face.separation, EDGE_SHARE, speculative);
    lode__hull_axis edges = search_edges(
        &face_a, &face_b, out_best ? best.separation : r_min(preferred, speculative));
    bool by_edges = edges.way == LODE__HULLS_EDGES;
    if (by_edges && !(edges.separation < speculative))
        return apart;
    if (out_best)
        *out_best = by_edges && edges.separation > best.separation ? edges : best;
    return by_edges && edges.separation > preferred ? edges : face;
}

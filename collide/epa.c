/* epa.c: the depth of two convex solids that overlap; see gjk.h.
 *
 * Expanding polytopes (van den Bergen 2001, "Proximity queries and penetration depth computation on
 * 3D game objects"). A polytope of points of D grows: the plane of the face nearest to the origin
 * bounds the depth from below; the point of D farthest along that face's normal n bounds it from
 * above, because convex_gap() along any direction is a way out. The search ends when the bounds
 * meet. Else the new point joins the polytope: the faces that see it go, and the ring they leave is
 * closed with new ones.
 *
 * The best way out met so far is kept from the first step on. So whatever ends the search, rounding
 * or the memory of the polytope, the answer parts the solids: it is then improved by small turns,
 * and may be longer than it must, but no contact is lost.
 *
 * Distances of faces are signed, and the origin need not lie within the first polytope: a face with
 * the origin outside is the nearest of all and grows first. So the first tetrahedron may be chosen
 * for its volume alone. Where D is flat it has none, and the way out is across D. */
#include "collide/gjk.h"

enum { EPA_POINTS = 200, EPA_FACES = 2 * EPA_POINTS, EPA_RING = 256, EPA_TURNS = 1000 };

/* Of D's largest coordinate: when the bounds have met, what counts as flat, and how far below a
 * face's plane a point still sees it (faces of one plane go together, so that no sliver is
 * left). */
#define EPA_MEET 1e-12
#define EPA_FLAT 1e-12
#define EPA_SEES 1e-14
#define EPA_SAME 1e-10 /* faces count as of one plane */

/* How far beside an answer, in radians, points of D are looked for. */
#define EPA_TILT 1e-6

/* The smallest turn by which a way out is improved, in radians. */
#define EPA_TURN 1e-8

#define HUGE_DISTANCE 1e300

typedef struct epa_face {
    int corner[3];
    lode__double3 normal; /* unit, outward */
    double distance;      /* of its plane from the origin; huge for a sliver without a plane */
} epa_face;

typedef struct polytope {
    const lode__convex_pair *pair;
    int point_count, face_count;
    lode__difference point[EPA_POINTS];
    epa_face face[EPA_FACES];
    double scale;
    lode__double3 best_normal; /* as lode__nearest: from b to a */
    double best_gap;
    int best_corner[3]; /* of the face that told it */
} polytope;

/* --- the first tetrahedron */

static void widen_scale(polytope *p, const lode__difference *d)
{
    p->scale = d_max(p->scale, d3_most(d->a) + d3_most(d->b));
}

/* Twice the area, or six times the volume, that a point adds to those there are; or its
 * distance. */
static double measure(const polytope *p, lode__double3 w)
{
    lode__double3 from = d3_sub(w, p->point[0].w);
    if (p->point_count == 1)
        return d3_length(from);
    lode__double3 e = d3_sub(p->point[1].w, p->point[0].w);
    if (p->point_count == 2)
        return d3_length(d3_cross(d3_normalize_or(e, d3(1, 0, 0)), from));
    lode__double3 n = d3_cross(e, d3_sub(p->point[2].w, p->point[0].w));
    return d_abs(d3_dot(d3_normalize_or(n, d3(1, 0, 0)), from));
}

static void take_best(polytope *p, const lode__difference *from, int count)
{
    double most = p->scale * EPA_FLAT;
    int best = -1;
    for (int k = 0; k < count; ++k) {
        double m = measure(p, from[k].w);
        if (m > most) {
            most = m;
            best = k;
        }
    }
    if (best >= 0)
        p->point[p->point_count++] = from[best];
}

/* Directions across what there is: all for a point, two across a line, the normal of a triangle. */
static int directions_across(const polytope *p, lode__double3 out[3])
{
    if (p->point_count == 1) {
        out[0] = d3(1, 0, 0), out[1] = d3(0, 1, 0), out[2] = d3(0, 0, 1);
        return 3;
    }
    lode__double3 e = d3_sub(p->point[1].w, p->point[0].w);
    if (p->point_count == 2) {
        e = d3_normalize_or(e, d3(1, 0, 0));
        out[0] = d3_across(e);
        out[1] = d3_cross(e, out[0]);
        return 2;
    }
    lode__double3 n = d3_cross(e, d3_sub(p->point[2].w, p->point[0].w));
    out[0] = d3_normalize_or(n, d3(0, 0, 1));
    return 1;
}

/* A point that adds to those there are, out of the simplex or out of D. False when D has none. */
static bool add_corner(polytope *p, const lode__simplex *simplex)
{
    int before = p->point_count, count = 0;
    take_best(p, simplex->vertex, simplex->count);
    if (p->point_count > before)
        return true;
    lode__double3 across[3];
    lode__difference far[6];
    int directions = directions_across(p, across);
    for (int k = 0; k < directions; ++k) {
        far[count++] = lode__gjk_support(p->pair, across[k]);
        far[count++] = lode__gjk_support(p->pair, d3_neg(across[k]));
    }
    for (int k = 0; k < count; ++k)
        widen_scale(p, &far[k]);
    take_best(p, far, count);
    return p->point_count > before;
}

/* --- faces */

static bool add_face(polytope *p, int i, int j, int k)
{
    if (p->face_count == EPA_FACES)
        return false;
    epa_face *f = &p->face[p->face_count++];
    lode__double3 a = p->point[i].w, b = p->point[j].w, c = p->point[k].w;
    lode__double3 n = d3_cross(d3_sub(b, a), d3_sub(c, a));
    *f = (epa_face){{i, j, k}, d3_normalize_or(n, d3(0, 0, 0)), HUGE_DISTANCE};
    if (d3_dot(f->normal, f->normal) > 0)
        f->distance = d3_dot(f->normal, a);
    return true;
}

/* The tetrahedron's faces, looking outwards. */
static void close_tetrahedron(polytope *p)
{
    lode__double3 a = p->point[0].w, ab = d3_sub(p->point[1].w, a), ac = d3_sub(p->point[2].w, a);
    if (d3_dot(d3_cross(ab, ac), d3_sub(p->point[3].w, a)) > 0) {
        lode__difference swap = p->point[1];
        p->point[1] = p->point[2];
        p->point[2] = swap;
    }
    add_face(p, 0, 1, 2);
    add_face(p, 0, 2, 3);
    add_face(p, 0, 3, 1);
    add_face(p, 1, 3, 2);
}

static const epa_face *nearest_face(const polytope *p)
{
    const epa_face *best = &p->face[0];
    for (int k = 1; k < p->face_count; ++k)
        if (p->face[k].distance < best->distance)
            best = &p->face[k];
    return best;
}

typedef struct ring {
    int count;
    int from[EPA_RING], to[EPA_RING];
} ring;

/* An edge of a face that goes: inside what goes if its twin came before, else on the ring. */
static bool add_to_ring(ring *r, int from, int to)
{
    for (int k = 0; k < r->count; ++k)
        if (r->from[k] == to && r->to[k] == from) {
            --r->count;
            r->from[k] = r->from[r->count];
            r->to[k] = r->to[r->count];
            return true;
        }
    if (r->count == EPA_RING)
        return false;
    r->from[r->count] = from;
    r->to[r->count++] = to;
    return true;
}

/* A ring goes through each of its points once. */
static bool is_one_ring(const ring *r)
{
    int at = r->count > 0 ? r->to[0] : -1, length = 1;
    while (r->count > 2 && at != r->from[0] && length <= r->count) {
        int k = 0;
        while (k < r->count && r->from[k] != at)
            ++k;
        if (k == r->count)
            return false;
        at = r->to[k];
        ++length;
    }
    return r->count > 2 && length == r->count;
}

static bool on_ring(const ring *r, const epa_face *f)
{
    for (int e = 0; e < 3; ++e)
        for (int k = 0; k < r->count; ++k)
            if (r->from[k] == f->corner[(e + 1) % 3] && r->to[k] == f->corner[e])
                return true;
    return false;
}

static bool let_go(const polytope *p, int k, bool goes[EPA_FACES], ring *out)
{
    const epa_face *f = &p->face[k];
    goes[k] = true;
    for (int e = 0; e < 3; ++e)
        if (!add_to_ring(out, f->corner[e], f->corner[(e + 1) % 3]))
            return false;
    return true;
}

/* The ring around the nearest face and those that are joined to it and see w by more than
 * `least`. */
static bool find_ring(const polytope *p, int nearest, lode__double3 w, double least,
                      bool goes[EPA_FACES], ring *out)
{
    out->count = 0;
    for (int k = 0; k < p->face_count; ++k)
        goes[k] = false;
    bool more = let_go(p, nearest, goes, out);
    while (more) {
        more = false;
        for (int k = 0; k < p->face_count; ++k) {
            const epa_face *f = &p->face[k];
            if (goes[k] || !(d3_dot(f->normal, w) - f->distance > least) || !on_ring(out, f))
                continue;
            if (!let_go(p, k, goes, out))
                return false;
            more = true;
        }
    }
    return is_one_ring(out);
}

/* Takes the point in. False when rounding or memory do not allow it. */
static bool expand(polytope *p, const epa_face *nearest, const lode__difference *next)
{
    int first = (int)(nearest - p->face), w = p->point_count, kept = 0;
    double sees = p->scale * EPA_SEES;
    bool goes[EPA_FACES];
    ring r;
    if (p->point_count == EPA_POINTS)
        return false;
    if (!find_ring(p, first, next->w, -sees, goes, &r) &&
        !find_ring(p, first, next->w, sees, goes, &r))
        return false;
    for (int k = 0; k < p->face_count; ++k)
        if (!goes[k])
            p->face[kept++] = p->face[k];
    p->face_count = kept;
    p->point[p->point_count++] = *next;
    for (int k = 0; k < r.count; ++k)
        if (!add_face(p, r.from[k], r.to[k], w))
            return false;
    return true;
}

/* --- the answer */

/* The way out across a flat D, along the shorter side. */
static void leave_flat(polytope *p)
{
    lode__double3 across[3];
    directions_across(p, across);
    lode__double3 n = across[0];
    double one = convex_gap(p->pair, n), other = convex_gap(p->pair, d3_neg(n));
    p->best_normal = one >= other ? n : d3_neg(n);
    p->best_gap = d_max(one, other);
}

static void keep_way(polytope *p, const epa_face *f, double gap)
{
    p->best_gap = gap;
    p->best_normal = f->normal;
    for (int k = 0; k < 3; ++k)
        p->best_corner[k] = f->corner[k];
}

/* True when the bounds have met. */
static bool search(polytope *p)
{
    for (;;) {
        const epa_face *f = nearest_face(p);
        if (!(f->distance < HUGE_DISTANCE))
            return false;
        lode__difference next = lode__gjk_support(p->pair, f->normal);
        double gap = -d3_dot(f->normal, next.w);
        /* of equal ways out, as round places have them, the last: its face is the smallest */
        if (gap > p->best_gap - p->scale * EPA_MEET)
            keep_way(p, f, gap);
        widen_scale(p, &next);
        if (!(-p->best_gap - f->distance > p->scale * EPA_MEET))
            return true;
        if (!expand(p, f, &next))
            return false;
    }
}

/* Shortens the way out by ever smaller turns, for a search that could not go on. */
static void climb(polytope *p)
{
    double step = 0.25;
    for (int turns = 0; turns < EPA_TURNS && step > EPA_TURN; ++turns) {
        lode__double3 n = p->best_normal, one = d3_across(n), other = d3_cross(n, one);
        bool better = false;
        for (int k = 0; k < 8 && !better; ++k) {
            static const double x[8] = {1, 0, -1, 0, 1, -1, -1, 1},
                                y[8] = {0, 1, 0, -1, 1, 1, -1, -1};
            lode__double3 turned = d3_madd(d3_madd(n, one, step * x[k]), other, step * y[k]);
            turned = d3_normalize_or(turned, n);
            double gap = convex_gap(p->pair, turned);
            better = gap > p->best_gap + p->scale * EPA_MEET;
            if (better) {
                p->best_gap = gap;
                p->best_normal = turned;
            }
        }
        if (!better)
            step *= 0.5;
    }
}

static void add_share(lode__nearest *out, const lode__difference *d, double share)
{
    out->on_a = d3_madd(out->on_a, d->a, share);
    out->on_b = d3_madd(out->on_b, d->b, share);
}

/* Leaves the points that the nearest one to the foot of the answer needs, seen along the normal.
 * The square of what is then left between the two. */
static double find_foot(const polytope *p, lode__simplex *s)
{
    for (int k = 0; k < s->count; ++k) {
        double along = d3_dot(p->best_normal, s->vertex[k].w);
        s->vertex[k].w = d3_madd(s->vertex[k].w, p->best_normal, -along);
    }
    lode__simplex_nearest(s);
    lode__double3 left = d3_scale(p->best_normal, p->best_gap);
    for (int k = 0; k < s->count; ++k)
        left = d3_madd(left, d3_sub(s->vertex[k].b, s->vertex[k].a), s->share[k]);
    return d3_dot(left, left);
}

static lode__simplex face_points(const polytope *p, const int corner[3])
{
    lode__simplex s = {.count = 3};
    for (int k = 0; k < 3; ++k)
        s.vertex[k] = p->point[corner[k]];
    return s;
}

static void keep_closer(const polytope *p, lode__simplex other, double *nearest,
                        lode__simplex *best)
{
    double square = find_foot(p, &other);
    if (square < *nearest) {
        *nearest = square;
        *best = other;
    }
}

/* The corners of the edge or face that D has in the direction of the answer, three at a time. */
static void look_around(const polytope *p, double *nearest, lode__simplex *best)
{
    lode__difference around[4];
    lode__double3 one = d3_across(p->best_normal), other = d3_cross(p->best_normal, one);
    for (int k = 0; k < 4; ++k) {
        double tilt = k & 1 ? EPA_TILT : -EPA_TILT;
        around[k] = lode__gjk_support(p->pair, d3_madd(p->best_normal, k & 2 ? other : one, tilt));
    }
    for (int k = 0; k < 4; ++k) {
        lode__simplex s = {3, {around[k], around[(k + 1) & 3], around[(k + 2) & 3]}, {0}};
        keep_closer(p, s, nearest, best);
    }
}

/* Where the solids part last: the foot, in shares of the corners of the face that holds it. Faces
 * of one plane are many triangles, and the one that told the answer need not be it. */
static void tell_foot(const polytope *p, lode__nearest *out)
{
    lode__simplex best = {.count = 0};
    double nearest = HUGE_DISTANCE, close = p->scale * EPA_TILT;
    keep_closer(p, face_points(p, p->best_corner), &nearest, &best);
    for (int k = 0; k < p->face_count; ++k) {
        const epa_face *f = &p->face[k];
        if (f->distance + p->best_gap <= p->scale * EPA_SAME &&
            d3_dot(f->normal, p->best_normal) > 1 - EPA_SAME)
            keep_closer(p, face_points(p, f->corner), &nearest, &best);
    }
    if (nearest > close * close)
        look_around(p, &nearest, &best);
    for (int k = 0; k < best.count; ++k)
        add_share(out, &best.vertex[k], best.share[k]);
    /* chords of round places miss the foot by a little: shared by both */
    lode__double3 middle = d3_scale(d3_add(out->on_a, out->on_b), 0.5);
    out->on_a = d3_madd(middle, p->best_normal, p->best_gap / 2);
    out->on_b = d3_madd(middle, p->best_normal, -p->best_gap / 2);
}

void lode__gjk_depth(const lode__convex_pair *pair, const lode__simplex *simplex,
                     lode__nearest *out)
{
    polytope p;
    p.pair = pair;
    p.point_count = p.face_count = 0;
    p.scale = 0;
    for (int k = 0; k < simplex->count; ++k)
        widen_scale(&p, &simplex->vertex[k]);
    p.point[p.point_count++] = simplex->vertex[0];
    while (p.point_count < 4 && add_corner(&p, simplex))
        ;
    *out = (lode__nearest){.gap = 0};
    p.best_gap = -HUGE_DISTANCE;
    p.best_normal = d3(0, 0, 1);
    if (p.point_count == 4) {
        close_tetrahedron(&p);
        bool met = search(&p);
        if (!(p.best_gap > -HUGE_DISTANCE)) {
            out->gap = HUGE_DISTANCE; /* not numbers: apart */
            return;
        }
        if (!met)
            climb(&p);
        tell_foot(&p, out);
    } else {
        leave_flat(&p);
        for (int k = 0; k < simplex->count; ++k)
            add_share(out, &simplex->vertex[k], simplex->share[k]);
    }
    out->gap = p.best_gap;
    out->normal = p.best_normal;
}

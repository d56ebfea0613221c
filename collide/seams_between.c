/* seams_between.c: points that a seam has made between others.
 *
 * A box on two tiles touches each with the four corners of what it has there, eight points for
 * four. What lies on the seam says nothing that the box's own corners do not say, and takes load
 * from them that comes back when the seam is passed: it would turn what slides with friction. So
 * of all points that share a normal, those stay that no two others have on opposite sides, as on
 * one floor; the rest goes where another shape goes on. */
#include "collide/seam_group.h"
#include "core/math.h"

/* Sine of the angle within which points are in line. */
#define IN_LINE ((lode_real)0.01)

enum { PATCH_MOST = 256 };

/* A point of a patch, which is what is touched with one normal. */
typedef struct spot {
    lode__seam *seam;
    int point;
    lode_vec3 at;   /* from the guest's centre of mass */
    lode_real x, y; /* across the normal */
} spot;

typedef struct patch {
    int count;
    lode_real least; /* depth */
    bool wide;       /* no point is near all others */
    spot spots[PATCH_MOST];
} patch;

static void add_spots(patch *p, lode__seam *s, lode_vec3 t1, lode_vec3 t2)
{
    bool into = s->guest == s->manifold->shape_a;
    for (int k = 0; k < s->manifold->point_count; ++k) {
        const lode__point *point = &s->manifold->points[k];
        lode_vec3 at = into ? point->position : v3_add(point->position, s->manifold->offset);
        p->least = r_min(p->least, point->depth);
        p->spots[p->count++] = (spot){s, k, at, v3_dot(at, t1), v3_dot(at, t2)};
    }
}

/* Of the manifolds whose normal is that of number `first`, if they are the first of their patch.
 * False: they are not, or are too many. */
static bool fill_patch(const lode__seam_group *g, uint32_t first, patch *out)
{
    lode_vec3 n = seam_at(g, first)->normal, t1 = contact_tangent(n), t2 = v3_cross(n, t1);
    out->count = 0;
    out->least = REAL_MAX;
    for (uint32_t i = 0; i < g->count; ++i) {
        lode__seam *s = seam_at(g, i);
        if (s->dropped || !seam_alike(s->normal, n, ONE_FLOOR))
            continue;
        if (i < first || out->count + LODE__MANIFOLD_POINTS > PATCH_MOST)
            return false;
        add_spots(out, s, t1, t2);
    }
    return out->count > 0 && out->spots[0].seam->host != out->spots[out->count - 1].seam->host;
}

static bool is_near(const spot *a, const spot *b, lode_real distance)
{
    lode_vec3 x = v3_sub(a->at, b->at);
    return v3_dot(x, x) <= distance * distance;
}

static bool is_wide(const patch *p, lode_real flush)
{
    int i = 1;
    while (i < p->count && is_near(&p->spots[i], &p->spots[0], 2 * flush))
        ++i;
    return i < p->count;
}

static lode_real depth_of(const spot *p) { return p->seam->manifold->points[p->point].depth; }

/* Is it deeper than all others in other places? On a ridge between two slopes it bears the load.
 * If there are other places, none of what is hardly deeper than the least is. */
static bool is_deepest(const patch *p, int which, lode_real flush)
{
    lode_real most = -REAL_MAX, depth = depth_of(&p->spots[which]);
    if (p->wide && depth <= p->least + flush)
        return false;
    for (int i = 0; i < p->count; ++i)
        if (!is_near(&p->spots[i], &p->spots[which], flush))
            most = r_max(most, depth_of(&p->spots[i]));
    return depth > most + flush;
}

/* A way across the normal. */
typedef struct way {
    lode_real x, y, length2;
} way;

static way way_to(const patch *p, int which, int other)
{
    lode_real x = p->spots[other].x - p->spots[which].x;
    lode_real y = p->spots[other].y - p->spots[which].y;
    return (way){x, y, x * x + y * y};
}

static lode_real turn(const way *a, const way *b) { return a->x * b->y - a->y * b->x; }

static lode_real along(const way *a, const way *b) { return a->x * b->x + a->y * b->y; }

/* Of points in one place the first counts. */
static bool is_told(const patch *p, int which, lode_real flush)
{
    for (int i = 0; i < which; ++i)
        if (way_to(p, which, i).length2 <= flush * flush)
            return true;
    return false;
}

/* Does it lead along the other, on or back? */
static bool is_in_line(const way *edge, const way *to)
{
    lode_real sine = turn(edge, to);
    return sine * sine <= IN_LINE * IN_LINE * edge->length2 * to->length2;
}

/* Do the others lie on all sides of it, or on two opposite ones? They do unless an angle narrower
 * than two right ones holds them all: that from `low` to `high`. */
static bool is_between(const patch *p, int which, lode_real flush)
{
    way low = {0}, high = {0};
    for (int i = 0; i < p->count; ++i) {
        way to = way_to(p, which, i);
        if (to.length2 <= flush * flush)
            continue;
        if (!(low.length2 > 0))
            low = high = to;
        lode_real from_low = turn(&low, &to), from_high = turn(&high, &to);
        bool low_in_line = is_in_line(&low, &to), high_in_line = is_in_line(&high, &to);
        lode_real before = along(&low, &to), behind = along(&high, &to);
        if (from_low >= 0 && from_high <= 0 && (before > 0 || behind > 0))
            continue;
        if (from_low < 0 && from_high < 0 && !low_in_line && !high_in_line)
            low = to;
        else if (from_low > 0 && from_high > 0 && !low_in_line && !high_in_line)
            high = to;
        else if ((!low_in_line || before < 0) && (!high_in_line || behind < 0))
            return true;
    }
    return false;
}

/* Does another shape go on there? One whose contacts were dropped does as well as others. */
static bool is_on_seam(const lode__seam_group *g, const spot *p)
{
    lode_vec3 at = p->seam->places[p->point];
    uint32_t last = p->seam->host;
    for (uint32_t i = 0; i < g->count; ++i) {
        uint32_t other = seam_at(g, i)->host;
        if (other == p->seam->host || other == last)
            continue;
        last = other;
        if (lode__seam_within_bounds(g, other, at) && lode__seam_can_ask(g, other) &&
            lode__seam_is_near(g, other, at, g->all->speculative * FLUSH))
            return true;
    }
    return false;
}

/* What lies a little askew over the rim of a tile has the rim's normal, at right angles to itself.
 * Once the points at the seam are out, those that are left lie on the face, and the rim is none:
 * they take the normal that their host has there. At 20 m/s a thousandth of a degree is felt. */
static void straighten(const lode__seam_group *g, lode__seam *s)
{
    lode_vec3 normal = s->normal, face;
    int count = 0;
    for (int k = 0; k < s->manifold->point_count; ++k) {
        if (s->between >> k & 1)
            continue;
        lode_vec3 above = v3_madd(s->places[k], s->normal, g->all->speculative * LOOK);
        if (!lode__seam_normal(g, s->host, above, &face) ||
            !seam_alike(face, s->normal, ONE_FLOOR) ||
            (count > 0 && !seam_alike(face, normal, ONE_WAY)))
            return;
        normal = face;
        ++count;
    }
    s->turned = count > 0;
    s->normal = normal;
}

/* Points that a seam has made say nothing that those around do not: a box keeps its own corners.
 * Each manifold keeps a point, so that what is touched is told. */
void lode__seams_leave_out(const lode__seam_group *g)
{
    patch p;
    lode_real flush = g->all->speculative * FLUSH;
    for (uint32_t i = 0; i < g->count; ++i)
        if (!seam_at(g, i)->dropped)
            lode__seam_place(g, seam_at(g, i));
    for (uint32_t first = 0; first < g->count; ++first) {
        if (seam_at(g, first)->dropped || !fill_patch(g, first, &p))
            continue;
        p.wide = is_wide(&p, flush);
        for (int i = 0; i < p.count; ++i)
            if (is_on_seam(g, &p.spots[i]) &&
                (is_told(&p, i, flush) || is_between(&p, i, flush)) && !is_deepest(&p, i, flush))
                p.spots[i].seam->between |= UINT32_C(1) << p.spots[i].point;
    }
    for (uint32_t i = 0; i < g->count; ++i)
        if (seam_at(g, i)->between && !seam_at(g, i)->dropped)
            straighten(g, seam_at(g, i));
}

/* seams_between.c: points that a seam has made between others.
 *
 * A box on two tiles touches each with the four corners of what it has there, eight points for four. What
 * lies on the seam says nothing that the box's own corners do not say, and takes load from them that
 * comes back when the seam is passed: it would turn what slides with friction. So of all points that
 * share a normal, those stay that no two others have on opposite sides, as on one floor; the rest goes
 * where another shape goes on. */
#include "collide/seam_group.h"
#include "core/math.h"

/* Sine of the angle within which points are in line. */
#define IN_LINE ((lode_real)0.01)

enum { PATCH_MOST = 256 };

/* A point of a patch, which is what is touched with one normal. */
typedef struct spot {
    lode__seam *seam;
    int point;
    lode_vec3 at; /* from the guest's centre of mass */
} spot;

typedef struct patch {
    int count;
    spot spots[PATCH_MOST];
} patch;

/* Of the manifolds whose normal is that of number `first`, if they are the first of their patch. False:
 * they are not, or are too many. */
static bool fill_patch(const lode__seam_group *g, uint32_t first, patch *out)
{
    const lode__seam *seed = seam_at(g, first);
    out->count = 0;
    for (uint32_t i = 0; i < g->count; ++i) {
        lode__seam *s = seam_at(g, i);
        bool into = s->guest == s->manifold->shape_a;
        if (s->dropped || !seam_alike(s->normal, seed->normal, ONE_FLOOR))
            continue;
        if (i < first || out->count + LODE__MANIFOLD_POINTS > PATCH_MOST)
            return false;
        for (int k = 0; k < s->manifold->point_count; ++k) {
            lode_vec3 at = s->manifold->points[k].position;
            out->spots[out->count++] = (spot){s, k, into ? at : v3_add(at, s->manifold->offset)};
        }
    }
    return out->count > 0 && out->spots[0].seam->host != out->spots[out->count - 1].seam->host;
}

static bool is_near(const spot *a, const spot *b, lode_real distance)
{
    lode_vec3 x = v3_sub(a->at, b->at);
    return v3_dot(x, x) <= distance * distance;
}

/* Is it deeper than all others in other places? On a ridge between two slopes it bears the load. */
static bool is_deepest(const patch *p, int which, lode_real flush)
{
    lode_real most = -REAL_MAX;
    for (int i = 0; i < p->count; ++i)
        if (!is_near(&p->spots[i], &p->spots[which], flush))
            most = r_max(most, p->spots[i].seam->manifold->points[p->spots[i].point].depth);
    return p->spots[which].seam->manifold->points[p->spots[which].point].depth > most + flush;
}

/* Do the others lie on all sides of it, or on two opposite ones? They do unless an angle narrower than
 * two right ones holds them all. Of points in one place the first counts. */
static bool is_between(const patch *p, int which, lode_real flush)
{
    lode_vec3 n = p->spots[which].seam->normal, low = v3_zero(), high = v3_zero();
    for (int i = 0; i < p->count; ++i) {
        lode_vec3 way = v3_sub(p->spots[i].at, p->spots[which].at);
        way = v3_madd(way, n, -v3_dot(way, n));
        if (v3_dot(way, way) <= flush * flush) {
            if (i < which)
                return true;
            continue;
        }
        way = v3_normalize_or(way, v3_zero());
        if (v3_is_zero(low))
            low = high = way;
        lode_real from_low = v3_dot(n, v3_cross(low, way)),
                  from_high = v3_dot(n, v3_cross(high, way));
        if (from_low >= 0 && from_high <= 0 && v3_dot(v3_add(low, high), way) > 0)
            continue;
        if (from_low < -IN_LINE && from_high < -IN_LINE)
            low = way;
        else if (from_low > IN_LINE && from_high > IN_LINE)
            high = way;
        else if (r_abs(from_low) > IN_LINE || v3_dot(low, way) < 0)
            if (r_abs(from_high) > IN_LINE || v3_dot(high, way) < 0)
                return true;
    }
    return false;
}

/* Does another shape go on there? One whose contacts were dropped does as well as others. */
static bool is_on_seam(const lode__seam_group *g, const spot *p)
{
    lode_vec3 at = lode__seam_host_point(g, p->seam, &p->seam->manifold->points[p->point],
                                         v3_zero());
    lode__surface_point on;
    for (uint32_t i = 0; i < g->count; ++i) {
        uint32_t other = seam_at(g, i)->host;
        if (other != p->seam->host && lode__seam_can_ask(g, other) &&
            lode__seam_within_bounds(g, other, at) &&
            lode__seam_nearest(g, other, at, &on) <= g->all->speculative * FLUSH)
            return true;
    }
    return false;
}

/* What lies a little askew over the rim of a tile has the rim's normal, at right angles to itself. Once
 * the points at the seam are out, those that are left lie on the face, and the rim is none: they take
 * the normal that their host has there. At 20 m/s a thousandth of a degree is felt. */
static void straighten(const lode__seam_group *g, lode__seam *s)
{
    lode_vec3 normal = s->normal;
    int count = 0;
    for (int k = 0; k < s->manifold->point_count; ++k) {
        const lode__point *point = &s->manifold->points[k];
        lode__surface_point on;
        if (s->between >> k & 1)
            continue;
        lode_vec3 at = lode__seam_host_point(g, s, point, v3_zero());
        lode_vec3 above = v3_madd(at, s->normal, g->all->speculative * LOOK);
        if (!(lode__seam_nearest(g, s->host, above, &on) > 0) ||
            !seam_alike(on.normal, s->normal, ONE_FLOOR) ||
            (count > 0 && !seam_alike(on.normal, normal, ONE_WAY)))
            return;
        normal = on.normal;
        ++count;
    }
    s->turned = count > 0;
    s->normal = normal;
}

/* Points that a seam has made say nothing that those around do not: a box keeps its own corners. Each
 * manifold keeps a point, so that what is touched is told. */
void lode__seams_leave_out(const lode__seam_group *g)
{
    patch p;
    lode_real flush = g->all->speculative * FLUSH;
    for (uint32_t first = 0; first < g->count; ++first) {
        if (seam_at(g, first)->dropped || !fill_patch(g, first, &p))
            continue;
        for (int i = 0; i < p.count; ++i)
            if (is_on_seam(g, &p.spots[i]) && is_between(&p, i, flush) && !is_deepest(&p, i, flush))
                p.spots[i].seam->between |= UINT32_C(1) << p.spots[i].point;
    }
    for (uint32_t i = 0; i < g->count; ++i)
        if (seam_at(g, i)->between && !seam_at(g, i)->dropped)
            straighten(g, seam_at(g, i));
}

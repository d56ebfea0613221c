/* mesh_leave.c: how far a shape must go along a direction to have left a surface; see mesh_leave.h.
 *
 * The shape goes on and on. Where it is, it meets some triangles. Each of them and a convex solid
 * meet along one stretch of the way, because their differences are a convex set, and what counts
 * is where that stretch ends. The farthest end of all that the shape meets is the next place to
 * look at; where it meets nothing it is out. So the way leads to the first free place, and what
 * lies beyond is not asked.
 *
 * The end of a stretch is looked for from beyond it, where both are apart: solids that are a gap
 * apart along n do not meet before they have come as much nearer along n (Mirtich 1996). That is
 * Newton's step on a convex function and never oversteps. It begins where the direction itself
 * separates them. But most triangles are not met any more at the farthest end that is known, and
 * then there is nothing to look for.
 *
 * A place where the shape meets nothing may be behind the surface: inside a closed mesh, under a
 * field, at the back of a one-sided sheet. There it goes on by the distance of its middle from the
 * surface, nearer than which nothing can have changed. Past the rim of a sheet nothing is behind.
 */
#include "collide/mesh_leave.h"

#include "collide/gjk.h"

/* Of the size: what is nearer is left; and a gap at which Newton's steps end. */
#define LEFT 1e-7
#define MEETS 1e-9

enum { PLACES = 64, STEPS = 32 };

typedef struct march {
    const lode__leaving *l;
    lode__double3 direction;
    lode__convex_pair pair; /* the shape, or a triangle of it, and a triangle */
    lode__double33 turn;    /* of the pair's first to the surface's axes */
    lode__double3 lo, hi;   /* its box before it went */
    double low;             /* its least reach along the direction */
    double at, next;
    uint32_t other;
    lode__left left;
} march;

/* --- one triangle */

/* Are they apart after so much of the way? */
static bool look(march *m, double at, lode__nearest *out)
{
    m->pair.offset = d33_mul_t(&m->turn, d3_scale(m->direction, -at));
    double meets = m->pair.a.radius + m->l->size * MEETS;
    lode__cylinder_answer answer = lode__cylinder_nearest(&m->pair, __builtin_inf(), out);
    if (answer == LODE__CYLINDER_APART || answer == LODE__CYLINDER_OVERLAP)
        return out->gap > meets;
    return lode__gjk_distance(&m->pair, __builtin_inf(), out, NULL) && out->gap > meets;
}

/* Where the stretch ends of a triangle that the shape meets at m->next; back from `end`. */
static double stretch_end(march *m, double end, lode__left *out)
{
    lode__nearest near;
    out->normal = m->direction;
    for (int step = 0; step < STEPS && look(m, end, &near); ++step) {
        lode__double3 normal = d33_mul(&m->turn, near.normal);
        double speed = d3_dot(normal, m->direction);
        if (!(speed > 0))
            break;
        out->normal = normal;
        out->on = d3_madd(d33_mul(&m->turn, near.on_b), m->direction, end);
        end -= (near.gap - m->pair.a.radius) / speed;
    }
    return d_max(end, m->next);
}

/* Is the triangle beside the shape's box where that is next? */
static bool is_beside(const march *m, const lode__triangle *t)
{
    lode__double3 at = d3_scale(m->direction, m->next);
    lode__double3 lo = d3_add(m->lo, at), hi = d3_add(m->hi, at);
    lode_vec3 least = v3_min(t->v[0], v3_min(t->v[1], t->v[2]));
    lode_vec3 most = v3_max(t->v[0], v3_max(t->v[1], t->v[2]));
    return (double)least.x > hi.x || (double)least.y > hi.y || (double)least.z > hi.z ||
           (double)most.x < lo.x || (double)most.y < lo.y || (double)most.z < lo.z;
}

static bool visit_triangle(void *context, uint32_t triangle, const lode__triangle *t)
{
    march *m = context;
    lode__nearest near;
    double top = -__builtin_inf(), beyond = m->l->slack;
    if (is_beside(m, t) || !gate_opens(&m->l->query->gate, triangle))
        return true;
    lode__left left = {.triangle = triangle, .other = m->other};
    for (int k = 0; k < 3; ++k) {
        lode__double3 corner = d3_from(t->v[k]);
        double along = d3_dot(m->direction, corner);
        left.on = along > top ? corner : left.on;
        top = d_max(top, along);
    }
    m->pair.b = convex_make(&lode__convex_triangle, NULL, t->v);
    if (top - m->low <= m->next || look(m, m->next, &near))
        return true;
    m->next = stretch_end(m, top - m->low + beyond, &left);
    m->left = left;
    return true;
}

/* --- all triangles that are near */

static double span_of(const march *m)
{
    return d_max(d3_most(m->lo), d3_most(m->hi));
}

/* The surface's triangles near the box where it is now. */
static void meet_surface(march *m)
{
    const lode__mesh_query *query = m->l->query;
    lode__double3 at = d3_madd(d3_from(query->center), m->direction, m->at);
    double grow = m->l->slack + 16 * (double)REAL_EPSILON * (d3_most(at) + span_of(m));
    lode__double3 by = d3(grow, grow, grow);
    lode__surface_walk(query->surface, query->center, d3_to(d3_sub(d3_add(at, m->lo), by)),
                       d3_to(d3_add(d3_add(at, m->hi), by)), visit_triangle, m);
}

/* The shape as a whole. */
static void meet_solid(march *m)
{
    const lode__leaving *l = m->l;
    const lode__mesh_query *query = l->query;
    lode__convex solid = query->solid;
    lode__double3 back = d33_mul_t(&l->turn, d3_neg(m->direction));
    m->pair = lode__convex_pair_make(solid, query->rotation, solid, q_identity(), v3_zero());
    m->turn = l->turn;
    m->lo = l->lo;
    m->hi = l->hi;
    m->low = -d3_dot(back, solid.type->support(&solid, back)) - solid.radius;
    meet_surface(m);
}

/* A triangle of the shape that is a mesh. */
static bool visit_other(void *context, uint32_t triangle, const lode__triangle *t)
{
    march *m = context;
    lode_vec3 corners[3];
    m->low = __builtin_inf();
    for (int k = 0; k < 3; ++k) {
        lode__double3 v = d33_mul(&m->l->turn, d3_from(t->v[k]));
        corners[k] = d3_to(v);
        m->low = d_min(m->low, d3_dot(v, m->direction));
        m->lo = k == 0 ? v : d3(d_min(m->lo.x, v.x), d_min(m->lo.y, v.y), d_min(m->lo.z, v.z));
        m->hi = k == 0 ? v : d3(d_max(m->hi.x, v.x), d_max(m->hi.y, v.y), d_max(m->hi.z, v.z));
    }
    lode__convex own = convex_make(&lode__convex_triangle, NULL, corners);
    m->pair = lode__convex_pair_make(own, q_identity(), own, q_identity(), v3_zero());
    m->turn = d33_from_quat(q_identity());
    m->other = triangle + 1;
    meet_surface(m);
    return true;
}

/* Those of the shape's triangles that are near the surface's box. */
static void meet_mesh(march *m)
{
    const lode__leaving *l = m->l;
    lode_bounds box = surface_box(l->query->surface);
    lode__double3 lo = d3_from(box.lower), hi = d3_from(box.upper);
    lode__double3 half = d3_scale(d3_sub(hi, lo), 0.5);
    lode__double3 middle = d3_sub(d3_scale(d3_add(lo, hi), 0.5), d3_from(l->query->center));
    middle = d33_mul_t(&l->turn, d3_madd(middle, m->direction, -m->at));
    double reach = d3_length(half) + l->slack + 1e-6 * (l->size + d3_most(middle));
    lode__double3 by = d3(reach, reach, reach);
    lode__surface_walk(l->query->other, v3_zero(), d3_to(d3_sub(middle, by)),
                       d3_to(d3_add(middle, by)), visit_other, m);
}

/* --- behind the surface */

/* Is the nearest place on the rim of what encloses nothing? */
static bool is_at_rim(const lode__shape_data *surface, const lode__mesh_nearest *near)
{
    if (surface_is_solid(surface) || near->where < 0)
        return false;
    for (int e = 0; e < 3; ++e) {
        bool at = near->where < 3 ? e == near->where
                                  : e == near->where - 3 || e == (near->where - 1) % 3;
        if (at && surface_edge_kind(surface, near->triangle, e) == LODE__EDGE_FREE)
            return true;
    }
    return false;
}

/* How far a point is from a surface that it is behind; 0: it is not. */
static double hidden(const lode__shape_data *surface, const lode__gate *gate, lode__double3 at)
{
    lode__mesh_nearest near;
    if (surface_two_sided(surface) ||
        !lode__surface_find_nearest(surface, v3_zero(), at, __builtin_inf(), &near) ||
        !lode__surface_is_behind(surface, v3_zero(), &near, at) || is_at_rim(surface, &near) ||
        !gate_opens(gate, near.triangle))
        return 0;
    return near.distance;
}

/* The same of what meets nothing after so much of the way: one of its points says it. Of two
 * meshes either may be in the other. */
static double hidden_after(const march *m)
{
    const lode__mesh_query *query = m->l->query;
    const lode__gate open = {.accepts = NULL};
    lode__double3 way = d3_scale(m->direction, m->at), center = d3_from(query->center);
    double more = hidden(query->surface, &query->gate, d3_add(center, d3_add(m->l->within, way)));
    if (more > 0 || !query->other || !surface_is_solid(query->other))
        return more;
    lode__double3 at = d3_sub(lode__surface_support(query->surface, d3(0, 0, 1)), center);
    return hidden(query->other, &open, d33_mul_t(&m->l->turn, d3_sub(at, way)));
}

/* --- the way */

bool lode__leave(const lode__leaving *l, lode__double3 direction, double most, lode__left *out)
{
    march m = {.l = l, .direction = direction};
    for (int places = 0; places < PLACES && !(m.at > most); ++places) {
        m.next = m.at + l->slack;
        if (l->query->other)
            meet_mesh(&m);
        else
            meet_solid(&m);
        if (m.next <= m.at + l->slack) {
            double more = hidden_after(&m);
            if (!(more > 0)) {
                *out = m.left;
                out->length = m.at + l->slack; /* where it was looked at */
                return true;
            }
            m.next += more;
        }
        m.at = m.next;
    }
    return false;
}

/* What reaches farthest along a direction in the shape's own axes. */
static lode__double3 own_support(const lode__mesh_query *query, lode__double3 own)
{
    return query->other ? lode__surface_support(query->other, own)
                        : query->solid.type->support(&query->solid, own);
}

lode__leaving lode__leaving_make(const lode__mesh_query *query)
{
    lode__leaving l = {.query = query, .turn = d33_from_quat(query->rotation)};
    double reach[6], radius = query->other ? 0 : query->solid.radius;
    lode__double3 sum = d3(0, 0, 0), last = sum;
    for (int i = 0; i < 6; ++i) {
        double sign = i % 2 ? -1 : 1;
        lode__double3 way = d3(i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0);
        last = d33_mul(&l.turn, own_support(query, d33_mul_t(&l.turn, way)));
        sum = d3_add(sum, last);
        reach[i] = d3_dot(way, last) + radius;
    }
    l.hi = d3(reach[0], reach[2], reach[4]);
    l.lo = d3(-reach[1], -reach[3], -reach[5]);
    l.within = query->other ? last : d3_scale(sum, 1.0 / 6);
    l.size = d3_length(d3_sub(l.hi, l.lo));
    l.slack = d_max(LEFT, (double)REAL_EPSILON) * l.size;
    return l;
}

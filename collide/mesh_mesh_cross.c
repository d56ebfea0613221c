/* mesh_mesh_cross.c: do two surfaces cross anywhere?
 *
 * A mesh that encloses nothing, and a height field, end at rims, and another mesh may reach round
 * one: then it is behind the surface in one place and in front of it in another, and nowhere
 * through it. Two triangles that are not in one plane have a point in common if an edge of one runs
 * through the other, so edges tell. The first that does ends the search. */
#include "collide/mesh_mesh.h"

/* Of the places' size: what is nearer touches. */
#define TOUCHES 1e-9

typedef struct cross_walk {
    const lode__meeting *m;
    double slack;
    lode__double3 a[3]; /* a triangle of a, as places of b are */
} cross_walk;

/* Does the edge from p to q come through the triangle `t`, whose normal is n? */
static bool runs_through(lode__double3 p, lode__double3 q, const lode__double3 *t, lode__double3 n,
                         double slack)
{
    double from = d3_dot(n, d3_sub(p, t[0])), to = d3_dot(n, d3_sub(q, t[0]));
    if (d_min(from, to) > slack || d_max(from, to) < -slack)
        return false;
    double share = d_abs(from) <= d_abs(to) ? 0 : 1;
    if (from * to < 0)
        share = from / (from - to);
    lode__double3 at = d3_madd(p, d3_sub(q, p), share);
    for (int e = 0; e < 3; ++e) {
        lode__double3 in = d3_cross(n, d3_sub(t[(e + 1) % 3], t[e]));
        if (d3_dot(in, d3_sub(at, t[e])) < -slack * d3_length(in))
            return false;
    }
    return true;
}

/* A triangle without an area has no plane; its neighbours have its edges. */
static bool any_through(const lode__double3 *edges, const lode__double3 *t, double slack)
{
    lode__double3 n = d3_cross(d3_sub(t[1], t[0]), d3_sub(t[2], t[0]));
    n = d3_normalize_or(n, d3(0, 0, 0));
    for (int e = 0; e < 3 && d3_dot(n, n) > 0; ++e)
        if (runs_through(edges[e], edges[(e + 1) % 3], t, n, slack))
            return true;
    return false;
}

static bool visit_b(void *context, uint32_t triangle, const lode__triangle *t)
{
    const cross_walk *walk = context;
    lode__double3 b[3] = {d3_from(t->v[0]), d3_from(t->v[1]), d3_from(t->v[2])};
    (void)triangle;
    return !any_through(walk->a, b, walk->slack) && !any_through(b, walk->a, walk->slack);
}

static bool visit_a(void *context, uint32_t triangle, const lode__triangle *t)
{
    cross_walk *walk = context;
    const lode__meeting *m = walk->m;
    lode__double3 origin = d3_from(m->origin_b), lo, hi;
    (void)triangle;
    for (int k = 0; k < 3; ++k) {
        lode__double3 v = walk->a[k] = meeting_to_b(m, t->v[k]);
        lo = k == 0 ? v : d3(d_min(lo.x, v.x), d_min(lo.y, v.y), d_min(lo.z, v.z));
        hi = k == 0 ? v : d3(d_max(hi.x, v.x), d_max(hi.y, v.y), d_max(hi.z, v.z));
    }
    walk->slack = TOUCHES * (m->size + d3_most(lo) + d3_most(hi));
    double grow = walk->slack + 8 * (double)REAL_EPSILON * (d3_most(origin) + d3_most(lo) +
                                                            d3_most(hi));
    lode__double3 by = d3(grow, grow, grow);
    return lode__surface_walk(m->b, m->origin_b, d3_to(d3_add(origin, d3_sub(lo, by))),
                              d3_to(d3_add(origin, d3_add(hi, by))), visit_b, walk);
}

bool lode__meeting_crosses(const lode__meeting *m)
{
    cross_walk walk = {.m = m};
    return !lode__meeting_walk_a(m, 0, visit_a, &walk);
}

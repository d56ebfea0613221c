/* hull_support.c: how far a hull reaches.
 *
 * A small hull's vertices are all looked at. On a large one the search climbs: from a vertex to the
 * best of its neighbours, as long as that lies farther. A convex surface has no lower summit to get
 * stuck on. */
#include "collide/hull.h"

/* Up to here looking at all is faster than to climb. */
enum { FEW_VERTICES = 48 };

static uint32_t look_at_all(const lode_hull *hull, lode_vec3 direction)
{
    uint32_t best = 0;
    lode_real most = v3_dot(hull->vertices[0], direction);
    for (uint32_t v = 1; v < hull->vertex_count; ++v) {
        lode_real reach = v3_dot(hull->vertices[v], direction);
        best = reach > most ? v : best;
        most = reach > most ? reach : most;
    }
    return best;
}

static uint32_t climb(const lode_hull *hull, lode_vec3 direction, uint32_t best)
{
    lode_real most = v3_dot(hull->vertices[best], direction);
    for (uint32_t from = UINT32_MAX; from != best;) {
        uint32_t first = hull->leaving[best], edge = first;
        from = best;
        do {
            uint32_t end = hull_end(hull, edge);
            lode_real reach = v3_dot(hull->vertices[end], direction);
            if (reach > most) {
                most = reach;
                best = end;
            }
            edge = hull_next(hull, hull->edges[edge].twin);
        } while (edge != first);
    }
    return best;
}

uint32_t lode__hull_support(const lode_hull *hull, lode_vec3 direction, uint32_t hint)
{
    return hull->vertex_count <= FEW_VERTICES ? look_at_all(hull, direction)
                                              : climb(hull, direction, hint);
}

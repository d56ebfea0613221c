/* hull_support.h: climbing a hull: from a vertex to the best of its neighbours, as long as that
 * lies farther. A convex surface has no lower summit to get stuck on. */
#ifndef LODE_COLLIDE_HULL_SUPPORT_H
#define LODE_COLLIDE_HULL_SUPPORT_H

#include "collide/hull.h"

static inline uint32_t hull_climb(const lode_hull *hull, lode_vec3 direction, uint32_t best)
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

#endif

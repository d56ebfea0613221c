/* hull_support.c: how far a hull reaches.
 *
 * A small hull's vertices are all looked at. On a large one the search climbs. */
#include "collide/hull_support.h"

/* Eight side by side; then the first of the largest. */
static uint32_t look_at_all(const lode_hull *hull, lode_vec3 d)
{
    lode_real reach[LODE__HULL_FEW], most[8];
    uint32_t blocks = hull_blocks(hull->vertex_count), best = 0;
    for (int k = 0; k < 8; ++k)
        most[k] = -REAL_MAX;
    for (uint32_t b = 0; b < blocks; ++b) {
        const lode__hull_corners *v = &hull->corners[b];
        for (int k = 0; k < 8; ++k)
            reach[8 * b + k] = v->x[k] * d.x + v->y[k] * d.y + v->z[k] * d.z;
        for (int k = 0; k < 8; ++k)
            most[k] = r_max(reach[8 * b + k], most[k]);
    }
    for (int k = 1; k < 8; ++k)
        most[0] = r_max(most[0], most[k]);
    while (best < hull->vertex_count && !(reach[best] == most[0]))
        ++best;
    return best < hull->vertex_count ? best : 0;
}

uint32_t lode__hull_support(const lode_hull *hull, lode_vec3 direction, uint32_t hint)
{
    return hull->vertex_count <= LODE__HULL_FEW ? look_at_all(hull, direction)
                                                : hull_climb(hull, direction, hint);
}

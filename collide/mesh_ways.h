/* mesh_ways.h: ways that a shape must go, and the shortest that goes all of them.
 *
 * Each way is a half-space, normal . x >= depth; the shortest of all is its nearest point to 0, by
 * Hildreth's method (1957, "A quadratic programming procedure"). */
#ifndef LODE_COLLIDE_MESH_WAYS_H
#define LODE_COLLIDE_MESH_WAYS_H

#include "core/math.h"

#include <stdbool.h>

enum { LODE__MOST_WAYS = 16, LODE__WAY_ROUNDS = 16 };

/* Cosine of the angle between normals that are one way; the longer one counts. */
#define LODE__ONE_WAY ((lode_real)0.995)

typedef struct lode__way {
    lode_vec3 normal;
    lode_real depth, force; /* force: how much of it is in the shortest of all */
} lode__way;

typedef struct lode__ways {
    int count;
    lode__way way[LODE__MOST_WAYS];
} lode__ways;

static inline void ways_note(lode__ways *w, lode_vec3 normal, lode_real depth)
{
    for (int k = 0; k < w->count; ++k)
        if (v3_dot(w->way[k].normal, normal) > LODE__ONE_WAY) {
            w->way[k].depth = r_max(w->way[k].depth, depth);
            return;
        }
    if (w->count < LODE__MOST_WAYS)
        w->way[w->count++] = (lode__way){normal, depth, 0};
}

/* Longer and longer, round by round, if there is none. */
static inline lode_vec3 ways_shortest(lode__ways *w)
{
    lode_vec3 sum = v3_zero();
    for (int k = 0; k < w->count; ++k)
        w->way[k].force = 0;
    for (int round = 0; round < LODE__WAY_ROUNDS; ++round)
        for (int k = 0; k < w->count; ++k) {
            lode__way *one = &w->way[k];
            lode_real missing = one->depth - v3_dot(one->normal, sum);
            lode_real force = r_max(0, one->force + missing);
            sum = v3_madd(sum, one->normal, force - one->force);
            one->force = force;
        }
    return sum;
}

#endif

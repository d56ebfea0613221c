/* swapped.h: two shapes asked about in both orders get one answer, to the bit: the same points in
 * the same order, with normals turned over and children exchanged. */
#ifndef TESTS_WORLD_SWAPPED_H
#define TESTS_WORLD_SWAPPED_H

#include "core/math.h"
#include "tests/world/support.h"

#include <string.h>

enum { SWAPPED_MOST = 256 };

static inline bool same_bits(lode_vec3 a, lode_vec3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline bool is_turned(const lode_collide_point *p, const lode_collide_point *q)
{
    return same_bits(p->position, q->position) && same_bits(p->normal, v3_neg(q->normal)) &&
           memcmp(&p->depth, &q->depth, sizeof p->depth) == 0 && p->feature == q->feature &&
           p->child_a == q->child_b && p->child_b == q->child_a;
}

/* By one choice, with room for `capacity` points of at most SWAPPED_MOST. Returns how many there
 * are, or -1 if the answers differ. */
static inline int ask_both_ways(lode_shape a, lode_shape b, lode_collide_choice choice,
                                double margin, int capacity)
{
    static lode_collide_point there[SWAPPED_MOST], back[SWAPPED_MOST];
    lode_collide_options options = {choice, (lode_real)margin};
    int count = lode_shape_collide(a, b, &options, there, capacity);
    if (lode_shape_collide(b, a, &options, back, capacity) != count)
        return -1;
    for (int i = 0; i < count && i < capacity; ++i)
        if (!is_turned(&there[i], &back[i]))
            return -1;
    return count;
}

/* Both distances, or that there is none. */
static inline bool closest_both_ways(lode_shape a, lode_shape b)
{
    lode_closest there, back;
    bool found = lode_shape_find_closest(a, b, &there);
    if (lode_shape_find_closest(b, a, &back) != found)
        return false;
    return !found || (memcmp(&there.distance, &back.distance, sizeof there.distance) == 0 &&
                      same_bits(there.normal, v3_neg(back.normal)) &&
                      same_bits(there.on_a, back.on_b) && same_bits(there.on_b, back.on_a));
}

#endif

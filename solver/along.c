/* along.c: in which order the bodies of a large island lie in the dense lines: along its longest
 * side. A stretch of lines is then a slab of the island, which touches the rest of it in two places
 * only. Threads that work on a stretch each have little in common, and bodies that share a line of
 * the cache are neighbours in space (solver/turns.c).
 *
 * In the order of slots, a quarter of the contacts of a heap that was poured in layers cross from
 * one half to the other; cut across its longest side, three in a hundred. The order decides where
 * things lie, and nothing about a result; it depends on the island alone all the same, because the
 * moved bodies are listed by it. It is a counting sort, within a bin in the order of slots. */
#include "core/math.h"
#include "solver/state.h"

enum { BINS = 256 };

typedef struct span {
    lode_real lo, hi;
} span;

static lode_real coordinate(const lode__pool *bodies, uint32_t slot, int axis)
{
    const lode_vec3 *p = &LODE__AT(body, bodies, pose, slot)->position;
    return axis == 0 ? p->x : axis == 1 ? p->y : p->z;
}

static void widen(span *s, lode_real x)
{
    s->lo = r_min(s->lo, x);
    s->hi = r_max(s->hi, x);
}

/* Returns the axis along which the bodies reach furthest. */
static int longest_side(const lode__pool *bodies, const uint32_t *slots, const uint32_t *places,
                        uint32_t count, span *out)
{
    span spans[3];
    for (int axis = 0; axis < 3; ++axis)
        spans[axis] = (span){REAL_MAX, -REAL_MAX};
    for (uint32_t i = 0; i < count; ++i) {
        const lode_vec3 *p = &LODE__AT(body, bodies, pose, slots[places[i]])->position;
        widen(&spans[0], p->x);
        widen(&spans[1], p->y);
        widen(&spans[2], p->z);
    }
    int longest = 0;
    for (int axis = 1; axis < 3; ++axis)
        if (spans[axis].hi - spans[axis].lo > spans[longest].hi - spans[longest].lo)
            longest = axis;
    *out = spans[longest];
    return longest;
}

static uint8_t bin_of(lode_real x, span side)
{
    lode_real length = side.hi - side.lo;
    if (!(length > 0 && length <= REAL_MAX))
        return 0;
    lode_real bin = (x - side.lo) / length * (lode_real)BINS;
    return (uint8_t)r_min(r_max(bin, 0), (lode_real)(BINS - 1));
}

void lode__places_lay_along(const lode__pool *bodies, const uint32_t *slots, uint32_t *places,
                            uint32_t count, uint32_t *scratch, uint8_t *bins)
{
    uint32_t begin[BINS + 1] = {0};
    span side;
    int axis = longest_side(bodies, slots, places, count, &side);
    for (uint32_t i = 0; i < count; ++i) {
        bins[i] = bin_of(coordinate(bodies, slots[places[i]], axis), side);
        scratch[i] = places[i];
        ++begin[bins[i] + 1];
    }
    for (int bin = 0; bin < BINS; ++bin)
        begin[bin + 1] += begin[bin];
    for (uint32_t i = 0; i < count; ++i)
        places[begin[bins[i]]++] = scratch[i];
}

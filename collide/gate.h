/* gate.h: the application's word on single triangles (lode_triangle_filter in lode/world.h).
 *
 * A surface asks its gate about each triangle that is near, before it is looked at; where none
 * is set that is a look at one pointer. Asked on any thread: the answer depends on what is asked
 * alone. */
#ifndef LODE_COLLIDE_GATE_H
#define LODE_COLLIDE_GATE_H

#include <stdbool.h>
#include <stdint.h>

/* May a triangle of a shape that is a surface be touched by another shape, or, where that is
 * LODE__NONE, by a query? */
typedef bool lode__accepts_triangle_fn(const void *context, uint32_t surface, uint32_t other,
                                       uint32_t triangle);

typedef struct lode__gate {
    lode__accepts_triangle_fn *accepts; /* null: it stands open */
    const void *context;
    uint32_t surface, other; /* shapes */
} lode__gate;

static inline bool gate_opens(const lode__gate *gate, uint32_t triangle)
{
    return !gate->accepts || gate->accepts(gate->context, gate->surface, gate->other, triangle);
}

#endif

/* overlap.h: do two shapes have a point in common? */
#ifndef LODE_COLLIDE_OVERLAP_H
#define LODE_COLLIDE_OVERLAP_H

#include "collide/narrow.h"

/* `offset` leads from the centre of a to that of b. What only touches counts; a mesh that is closed
 * has its inside. Two planes never overlap. */
bool lode__shapes_overlap(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                          const lode__shape_view *b, lode_vec3 offset);

#endif

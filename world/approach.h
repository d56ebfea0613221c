/* approach.h: the speed that a continuous body loses where its inner part is stopped. */
#ifndef LODE_WORLD_APPROACH_H
#define LODE_WORLD_APPROACH_H

#include "world/ways.h"

/* Takes the speed with which the stopped part of the line's body still comes to the partner, on
 * `other` (0: it stands still), from both, or from itself alone where the partner is not pushed. */
void lode__lose_approach(const lode__ways *ways, int32_t line, int32_t other,
                         const lode__impact_event *event);

#endif

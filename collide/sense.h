/* sense.h: what sensors touch.
 *
 * A sensor is in none of the sets that the collision stages look at, nor in the tree, as a disabled
 * shape is: it makes no pair and no query meets it. At the end of a step each sensor asks the tree
 * about where it is then, and whatever is there is held against it exactly (collide/overlap.h).
 * Nothing is remembered from step to step, so what is found depends on poses alone.
 *
 * Seen are shapes that take part in collisions and are no sensors, of another body, of which either
 * body is not static, and with which the sensor agrees by categories and masks, and in the end the
 * application's pair filter. Joints have no say: they forbid pushing. */
#ifndef LODE_COLLIDE_SENSE_H
#define LODE_COLLIDE_SENSE_H

#include "collide/collide.h"

/* Keys, sensor << 32 | shape, of all that is touched, ascending, in the arena. The tree must know
 * where shapes are (lode__collide_place). False: out of memory. */
bool lode__sense_run(lode__collide *collide, const lode__pool *bodies, const lode__step *step,
                     uint64_t **out_keys, uint32_t *out_count);

void lode__sense_free(lode__collide *collide);
size_t lode__sense_bytes(const lode__collide *collide);

#endif

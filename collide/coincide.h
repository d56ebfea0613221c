/* coincide.h: contacts of several shapes of one body that coincide. */
#ifndef LODE_COLLIDE_COINCIDE_H
#define LODE_COLLIDE_COINCIDE_H

#include "collide/collide.h"

/* Where shapes of one body lie flush, two of them touch another body in the same place: the corners
 * of a table's leg and of its top. Such points are one: the pair that comes first keeps it, with
 * the larger depth and both impulses. Each manifold keeps a point at least, so that what touches is
 * told. False: out of memory, nothing changed. */
bool lode__coincide_run(lode__collide *collide, const lode__step *step);

#endif

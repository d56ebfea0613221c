/* seams.h: contacts with the seams between shapes that lie side by side. */
#ifndef LODE_COLLIDE_SEAMS_H
#define LODE_COLLIDE_SEAMS_H

#include "collide/collide.h"

/* Drops the manifolds of this step that push off what another shape covers, and points that seams
 * have made between others. False: out of memory, nothing changed. */
bool lode__seams_run(lode__collide *collide, const lode__pool *bodies, const lode__step *step);

#endif

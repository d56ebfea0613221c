/* space.h: spaces as queries see them; see lode/space.h. */
#ifndef LODE_WORLD_SPACE_H
#define LODE_WORLD_SPACE_H

#include "lode/space.h"

/* Is the shape in the space or in one within it? No look at the world. */
bool lode__space_has(const lode_space *space, lode_shape shape);

/* The world that it is of. */
lode_world lode__space_world(const lode_space *space);

#endif

/* mass.h: the mass of a body, from its shapes or by hand, and what follows from it. */
#ifndef LODE_WORLD_MASS_H
#define LODE_WORLD_MASS_H

#include "collide/mass.h"
#include "world/world.h"

/* What the body's record of its mass becomes with `mass`. False when mass or inertia, or their
 * inverses, are not finite and positive. */
bool lode__mass_local(const lode_mass *mass, lode__local_mass *out);

/* The same for the sum of the body's shapes and, if `extra` is not null, of one more; 1 kg with
 * unit inertia when nothing of it weighs anything. */
bool lode__mass_of_shapes(const lode__world *world, uint32_t body, const lode__matter *extra,
                          lode__local_mass *out);

/* Gives a dynamic body this mass. Its frame stays where it is and its matter moves as before; the
 * centre of mass may lie elsewhere now, and all that is measured from it is measured anew. */
void lode__mass_apply(lode__world *world, uint32_t body, const lode__local_mass *local);

/* Sums the shapes anew unless the mass was given by hand; for shapes that went. */
void lode__mass_refresh(lode__world *world, uint32_t body);

/* Derives the body's inverse mass line from its mass and its rotation. */
void lode__mass_turn(lode__world *world, uint32_t body);

/* The body's inverse mass line as it stands. Steps do not keep up those of links. */
lode__inv_mass lode__mass_inverse(const lode__world *world, uint32_t body);

/* A shape's pose as measured from its body's centre of mass. */
lode_pose lode__mass_shape_center(const lode__geometry *geometry, const lode__local_mass *local);

#endif

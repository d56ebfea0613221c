/* ray.h: where rays meet other geoms. */
#ifndef LODE_ODE_COLLISION_RAY_H
#define LODE_ODE_COLLISION_RAY_H

#include "ode/collision/space.h"

/* The place, normal and distance of the first meeting with a solid; the number of contacts, 0
 * or 1. */
int lode__ode_ray_meet(dGeomID ray, dGeomID solid, dContactGeom *out);

#endif

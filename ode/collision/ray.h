/* ray.h: where rays meet other geoms. */
#ifndef LODE_ODE_COLLISION_RAY_H
#define LODE_ODE_COLLISION_RAY_H

#include "ode/collision/space.h"

struct lode__collide_kernels;

/* The place, normal and distance of the first meeting with a solid, and side2; how many there are,
 * 0 or 1. */
int lode__ode_ray_meet(dGeomID ray, dGeomID solid, dContactGeom *out);

enum { LODE__ODE_HITS = 64 };

/* The same of a mesh or a height field, the nearest first, with the normals of triangles' fronts:
 * at most `room` of them, or one if the ray asks for the first or the closest. */
int lode__ode_ray_meet_mesh(dGeomID ray, dGeomID mesh, const struct lode__collide_kernels *kernels,
                            dContactGeom *out, int room);

#endif

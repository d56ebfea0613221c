/* convex.h: convex solids as geoms. */
#ifndef LODE_ODE_COLLISION_CONVEX_H
#define LODE_ODE_COLLISION_CONVEX_H

#include "ode/collision/space.h"

#include "lode/hull.h"

typedef struct lode__ode_convex {
    struct dxGeom geom;
    lode_hull *hull;
} lode__ode_convex;

static inline lode__ode_convex *convex_of(dGeomID geom)
{
    return (lode__ode_convex *)(void *)geom;
}

void lode__ode_convex_end(dGeomID geom);

#endif

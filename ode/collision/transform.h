/* transform.h: geoms that carry another one beside their own place, as programs did before there
 * were offsets. What is carried keeps its place in the carrier's frame; to contacts it is where
 * that puts it (geom_place.c). */
#ifndef LODE_ODE_COLLISION_TRANSFORM_H
#define LODE_ODE_COLLISION_TRANSFORM_H

#include "ode/collision/geom.h"

typedef struct lode__ode_transform {
    struct dxGeom geom; /* first: it is one */
    dGeomID carried;    /* or null */
    bool cleans;        /* the carried geom ends with it */
    bool tells_itself;  /* contacts name it in place of what it carries */
} lode__ode_transform;

static inline lode__ode_transform *transform_of(dGeomID geom)
{
    return (lode__ode_transform *)(void *)geom;
}

void lode__ode_transform_bound(dGeomID geom, dReal out_bounds[6]);
void lode__ode_transform_end(dGeomID geom);

/* A carried geom, which is being destroyed, leaves its transform. */
void lode__ode_transform_leave(dGeomID carried);

#endif

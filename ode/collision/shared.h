/* shared.h: data that several geoms have: those of meshes and of height fields. Geoms follow when
 * the data are built anew, and have nothing when they are destroyed. */
#ifndef LODE_ODE_COLLISION_SHARED_H
#define LODE_ODE_COLLISION_SHARED_H

#include "ode/collision/space.h"

typedef struct lode__ode_sharer lode__ode_sharer;

typedef struct lode__ode_shared {
    const void *shape; /* of the handle API; null: there is nothing */
    lode__ode_sharer *geoms;
} lode__ode_shared;

struct lode__ode_sharer {
    struct dxGeom geom;
    lode__ode_shared *data;        /* or null */
    lode__ode_sharer *next, *last; /* of the same data */
};

static inline lode__ode_sharer *sharer_of(dGeomID geom)
{
    return (lode__ode_sharer *)(void *)geom;
}

/* The geom has these data from now on, or none. */
void lode__ode_share(dGeomID geom, lode__ode_shared *data);

/* They have another shape. */
void lode__ode_shared_set(lode__ode_shared *data, const void *shape);

/* No geom has them any more. */
void lode__ode_shared_end(lode__ode_shared *data);

/* Rows of the table of classes. Without data the box is a point. */
void lode__ode_sharer_bound(dGeomID geom, dReal out_bounds[6]);
void lode__ode_sharer_end(dGeomID geom);

#endif

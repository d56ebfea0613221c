/* space.h: geoms that are looked through for pairs; a space is a geom itself. */
#ifndef LODE_ODE_COLLISION_SPACE_H
#define LODE_ODE_COLLISION_SPACE_H

#include "ode/collision/geom.h"

#include "core/arena.h"

struct dxSpace {
    struct dxGeom geom; /* first: a space is one */
    dGeomID members;    /* newest first */
    int count;
    int locks; /* walks that go on */
    int sublevel;
    bool keeps; /* its members, when it is destroyed */
    bool manual;
    int levels[2];     /* as set */
    int axes[3];       /* the order in which they are looked at */
    lode__arena arena; /* of one walk */
};

/* A ray is from its position along z. */
typedef struct lode__ode_ray {
    struct dxGeom geom;
    dReal length;
    bool first, culls, closest;
} lode__ode_ray;

static inline dSpaceID space_of(dGeomID geom)
{
    return (dSpaceID)(void *)geom;
}
static inline lode__ode_ray *ray_of(dGeomID geom)
{
    return (lode__ode_ray *)(void *)geom;
}

/* Around all members. */
void lode__ode_space_bound(dGeomID geom, dReal out_bounds[6]);

/* Its members are destroyed or set free. */
void lode__ode_space_end(dGeomID geom);

void lode__ode_plane_bound(dGeomID geom, dReal out_bounds[6]);
void lode__ode_ray_bound(dGeomID geom, dReal out_bounds[6]);

/* geom_body.c: takes the geom from its body, but does not say where it is then. */
void lode__ode_geom_leave(dGeomID geom);

/* geom_classes.c and collide.c, at dCloseODE(): classes and colliders of the program's own. */
void lode__ode_classes_forget(void);
void lode__ode_overrides_forget(void);

#endif

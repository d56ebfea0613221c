/* geom.h: what stands behind geoms of the ODE face.
 *
 * A geom is a shape of the collision stages, placed by itself: no world of the handle API knows of
 * it. Where it is, is said by its body; by its body and an offset; or by itself. In the first case
 * there is but one copy, the body's, so that what dGeomGetPosition() returns lives along. In the
 * second it is computed when somebody asks, after the body has moved.
 *
 * Spaces are geoms too (space.h). What distinguishes classes stands in a table, geom_classes.c. */
#ifndef LODE_ODE_COLLISION_GEOM_H
#define LODE_ODE_COLLISION_GEOM_H

#include "core/fetch.h"
#include "ode/body.h"
#include "ode/check.h"
#include "ode/collision.h"

#include "collide/place.h"
#include "collide/query_type.h"

#include <stddef.h>

typedef struct lode__ode_class lode__ode_class;

/* Where something is. */
typedef struct lode__ode_spot {
    dReal position[4], rotation[12], quaternion[4];
} lode__ode_spot;

/* What a walk over pairs asks for comes first. */
struct dxGeom {
    const lode__ode_class *class;
    int number;     /* of the class, one of ODE's */
    uint32_t order; /* in the space; the lower, the newer */
    dBodyID body;
    const lode__pose *pose; /* its body's, where it is just there; or null */
    dGeomID carrier;        /* the transform that has it, or null */
    unsigned long category, collide;
    bool disabled;
    bool stale;      /* its body has moved since its place was computed, if it has an offset */
    bool unbounded;  /* its bounds are to be computed */
    bool fixed;      /* it has no place of its own, though others of its class have */
    uint32_t moves;  /* how often it was moved or got another size or form; a space: was bounded */
    dReal bounds[6]; /* ODE's order: lower x, upper x, lower y, ... */
    uint32_t slot;   /* in the space */
    dSpaceID space;
    lode__geometry geometry; /* in the middle of its body: poses are identities */
    const void *shape_data;
    dGeomID next, last; /* in the space's list, newest first */
    dGeomID body_next;  /* of its body's, newest first */
    void *data;
    lode__ode_spot *offset; /* from the body, or null */
    lode__ode_spot own;     /* of one without body, or with an offset */
};

/* Fetches what a walk is about to ask for of the geom, and of where its body is and what it is
 * joined to. */
LODE__FETCHER void fetch_geom(const struct dxGeom *geom)
{
    const char *bytes = (const char *)geom;
    __builtin_prefetch(bytes);
    __builtin_prefetch(bytes + offsetof(struct dxGeom, bounds));
    __builtin_prefetch(bytes + offsetof(struct dxGeom, geometry.size[0]));
    __builtin_prefetch(bytes + offsetof(struct dxGeom, geometry.size[3]));
    __builtin_prefetch(bytes + offsetof(struct dxGeom, geometry.type));
}

/* What lode__ode_body_geoms_moved() asks of a body's first geom, which may be null. */
LODE__FETCHER void fetch_moved(const struct dxGeom *geom)
{
    const char *bytes = (const char *)geom;
    if (!bytes)
        return;
    __builtin_prefetch(bytes + offsetof(struct dxGeom, unbounded), 1);
    __builtin_prefetch(bytes + offsetof(struct dxGeom, space));
    __builtin_prefetch(bytes + offsetof(struct dxGeom, body_next));
}

LODE__FETCHER void fetch_body(const struct dxGeom *geom)
{
    if (!geom->body)
        return;
    __builtin_prefetch(geom->body);
    __builtin_prefetch(&geom->body->slot);
    __builtin_prefetch(geom->pose);
}

/* One of ODE's classes; of a user's class a row is made when it is registered. */
struct lode__ode_class {
    const char *name;
    size_t size; /* of the geom's own structure */
    lode_shape_type shape;
    bool solid;     /* a convex shape of the collision stages, or a half-space */
    bool surface;   /* one made of triangles; it may have no data */
    bool placeable; /* has a position and a rotation */
    void (*bound)(dGeomID geom, dReal out_bounds[6]); /* by where it is; null: the shape's own */
    void (*end)(dGeomID geom);                        /* before its memory is freed; or null */
    const dGeomClass *user;
};

/* geom_classes.c: by ODE's number, or null. */
const lode__ode_class *lode__ode_class_of(int number);

/* geom.c: a geom of a class, in a space unless that is null, at the origin; null after a report. */
dGeomID lode__ode_geom_create(dSpaceID space, int number);

/* True for a living geom, and one of this class; else reports. */
bool lode__ode_geom_is(dGeomID geom, int number, const char *function);
#define IS_GEOM(geom, number) lode__ode_geom_is(geom, number, __func__)

/* It, and all spaces that it is in, are to be bounded anew, and what was computed of it holds no
 * more. */
void lode__ode_geom_moved(dGeomID geom);

/* geom_place.c: where it is now; of geoms that are not just where their bodies are. */
void lode__ode_geom_pose_own(dGeomID geom, lode__pose *out);

/* The same of any geom: there, or computed into `room`. */
static inline const lode__pose *lode__ode_geom_pose_in(dGeomID geom, lode__pose *room)
{
    if (geom->pose)
        return geom->pose;
    lode__ode_geom_pose_own(geom, room);
    return room;
}

static inline lode__pose lode__ode_geom_pose(dGeomID geom)
{
    lode__pose room;
    return *lode__ode_geom_pose_in(geom, &room);
}

/* To be called when its body, offset or carrier is another. */
static inline void lode__ode_geom_find_pose(dGeomID geom)
{
    geom->pose = geom->body && !geom->offset && !geom->carrier ? geom->body->pose : NULL;
}
void lode__ode_spot_clear(lode__ode_spot *spot);

/* bounds.c: brings `bounds` up to date. */
void lode__ode_geom_bound(dGeomID geom);

/* As the queries of the collision stages want it. */
static inline lode__place place_of(dGeomID geom, const lode__pose *pose)
{
    return lode__place_on(&geom->geometry, pose, geom->shape_data);
}

/* Is it a space? */
static inline bool geom_is_space(const struct dxGeom *geom)
{
    return geom->number >= dFirstSpaceClass && geom->number <= dLastSpaceClass;
}

static inline bool bounds_overlap(const dReal a[6], const dReal b[6])
{
    return (a[0] <= b[1]) & (b[0] <= a[1]) & (a[2] <= b[3]) & (b[2] <= a[3]) & (a[4] <= b[5]) &
           (b[4] <= a[5]);
}

#endif

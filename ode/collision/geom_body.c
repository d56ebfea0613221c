/* geom_body.c: geoms and the bodies that carry them. */
#include "ode/collision/space.h"

#include "ode/slabs.h"

#include <string.h>

void lode__ode_body_geoms_moved(dBodyID body)
{
    for (dGeomID geom = body->geoms; geom; geom = geom->body_next)
        lode__ode_geom_moved(geom);
}

void lode__ode_geom_leave(dGeomID geom)
{
    dGeomID *at = &geom->body->geoms;
    while (*at != geom)
        at = &(*at)->body_next;
    *at = geom->body_next;
    geom->body = NULL;
    geom->pose = NULL;
    geom->body_next = NULL;
}

/* Where it is without the body from now on. */
static void stay(dGeomID geom)
{
    dReal rotation[12], quaternion[4], position[4] = {0, 0, 0, 0};
    memcpy(rotation, dGeomGetRotation(geom), sizeof rotation);
    dGeomGetQuaternion(geom, quaternion);
    dGeomCopyPosition(geom, position);
    lode__ode_geom_leave(geom);
    if (geom->offset)
        lode__ode_slab_give(geom->offset, sizeof *geom->offset);
    geom->offset = NULL;
    memcpy(geom->own.position, position, sizeof position);
    memcpy(geom->own.rotation, rotation, sizeof rotation);
    memcpy(geom->own.quaternion, quaternion, sizeof quaternion);
}

void lode__ode_body_geoms_leave(dBodyID body)
{
    while (body->geoms) {
        dGeomID geom = body->geoms;
        stay(geom);
        lode__ode_geom_moved(geom);
    }
}

void dGeomSetBody(dGeomID geom, dBodyID body)
{
    if (!CHECK_GIVEN(geom) || !CHECK(geom->class->placeable && !geom->fixed, "geom",
                                     "has no place of its own, and can have no body"))
        return;
    if (geom->body && geom->body != body)
        stay(geom);
    if (body && !geom->body) {
        geom->body = body;
        geom->body_next = body->geoms;
        body->geoms = geom;
    }
    dGeomClearOffset(geom);
    lode__ode_geom_find_pose(geom);
    lode__ode_geom_moved(geom);
}

/* That of its carrier, if it is carried: contacts may name either. */
dBodyID dGeomGetBody(dGeomID geom)
{
    if (!CHECK_GIVEN(geom))
        return NULL;
    return geom->carrier ? geom->carrier->body : geom->body;
}

dGeomID dBodyGetFirstGeom(dBodyID body)
{
    return CHECK_GIVEN(body) ? body->geoms : NULL;
}

dGeomID dBodyGetNextGeom(dGeomID geom)
{
    return CHECK_GIVEN(geom) ? geom->body_next : NULL;
}

dGeomID dGeomGetBodyNext(dGeomID geom)
{
    return dBodyGetNextGeom(geom);
}

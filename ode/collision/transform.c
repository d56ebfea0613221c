/* transform.c: see transform.h. */
#include "ode/collision/transform.h"

#include <string.h>

#define IS_TRANSFORM(g) IS_GEOM(g, dGeomTransformClass)

dGeomID dCreateGeomTransform(dSpaceID space)
{
    return lode__ode_geom_create(space, dGeomTransformClass);
}

static void drop(lode__ode_transform *transform)
{
    dGeomID carried = transform->carried;
    if (!carried)
        return;
    transform->carried = NULL;
    carried->carrier = NULL;
    lode__ode_geom_find_pose(carried);
    if (transform->cleans)
        dGeomDestroy(carried);
}

void lode__ode_transform_end(dGeomID geom)
{
    drop(transform_of(geom));
}

void lode__ode_transform_leave(dGeomID carried)
{
    dGeomID carrier = carried->carrier;
    transform_of(carrier)->carried = NULL;
    carried->carrier = NULL;
    lode__ode_geom_find_pose(carried);
    lode__ode_geom_moved(carrier);
}

static bool can_be_carried(dGeomID obj, const char *function)
{
    return lode__ode_check(obj->class->placeable && !obj->fixed, function, "obj",
                           "has no place of its own") &&
           lode__ode_check(!obj->space && !obj->body && !obj->carrier, function, "obj",
                           "must be in no space, of no body and carried by none") &&
           lode__ode_check(obj->number != dGeomTransformClass, function, "obj",
                           "must not be a transform");
}

void dGeomTransformSetGeom(dGeomID g, dGeomID obj)
{
    if (!IS_TRANSFORM(g) || (obj && !can_be_carried(obj, __func__)))
        return;
    drop(transform_of(g));
    transform_of(g)->carried = obj;
    if (obj)
        obj->carrier = g;
    lode__ode_geom_moved(g);
}

dGeomID dGeomTransformGetGeom(dGeomID g)
{
    return IS_TRANSFORM(g) ? transform_of(g)->carried : NULL;
}

void dGeomTransformSetCleanup(dGeomID g, int mode)
{
    if (IS_TRANSFORM(g))
        transform_of(g)->cleans = mode != 0;
}

int dGeomTransformGetCleanup(dGeomID g)
{
    return IS_TRANSFORM(g) && transform_of(g)->cleans;
}

void dGeomTransformSetInfo(dGeomID g, int mode)
{
    if (IS_TRANSFORM(g))
        transform_of(g)->tells_itself = mode != 0;
}

int dGeomTransformGetInfo(dGeomID g)
{
    return IS_TRANSFORM(g) && transform_of(g)->tells_itself;
}

/* Without a geom there is nothing: the box is a point. */
void lode__ode_transform_bound(dGeomID geom, dReal out_bounds[6])
{
    dGeomID carried = transform_of(geom)->carried;
    if (carried) {
        carried->unbounded = true; /* it does not hear of it when its carrier moves */
        lode__ode_geom_bound(carried);
        memcpy(out_bounds, carried->bounds, sizeof carried->bounds);
        return;
    }
    lode_vec3 at = lode__ode_geom_pose(geom).position;
    const dReal point[6] = {at.x, at.x, at.y, at.y, at.z, at.z};
    memcpy(out_bounds, point, sizeof point);
}

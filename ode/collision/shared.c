/* shared.c: see shared.h. */
#include "ode/collision/shared.h"

#include <string.h>

static void renew(lode__ode_sharer *sharer)
{
    sharer->geom.shape_data = sharer->data ? sharer->data->shape : NULL;
    lode__ode_geom_moved(&sharer->geom);
}

void lode__ode_share(dGeomID geom, lode__ode_shared *data)
{
    lode__ode_sharer *sharer = sharer_of(geom);
    if (sharer->data) {
        if (sharer->next)
            sharer->next->last = sharer->last;
        if (sharer->last)
            sharer->last->next = sharer->next;
        else
            sharer->data->geoms = sharer->next;
    }
    sharer->data = data;
    sharer->last = NULL;
    sharer->next = data ? data->geoms : NULL;
    if (sharer->next)
        sharer->next->last = sharer;
    if (data)
        data->geoms = sharer;
    renew(sharer);
}

void lode__ode_shared_set(lode__ode_shared *data, const void *shape)
{
    data->shape = shape;
    for (lode__ode_sharer *sharer = data->geoms; sharer; sharer = sharer->next)
        renew(sharer);
}

void lode__ode_shared_end(lode__ode_shared *data)
{
    while (data->geoms)
        lode__ode_share(&data->geoms->geom, NULL);
}

void lode__ode_sharer_bound(dGeomID geom, dReal out_bounds[6])
{
    lode__pose pose = lode__ode_geom_pose(geom);
    lode__aabb box = {.lo = {pose.position.x, pose.position.y, pose.position.z}};
    memcpy(box.hi, box.lo, sizeof box.hi);
    if (geom->shape_data) {
        lode__place place = place_of(geom, &pose);
        box = lode__bounds_at(&place, geom->geometry.type);
    }
    for (int i = 0; i < 3; ++i) {
        out_bounds[2 * i] = box.lo[i];
        out_bounds[2 * i + 1] = box.hi[i];
    }
}

void lode__ode_sharer_end(dGeomID geom)
{
    lode__ode_share(geom, NULL);
}

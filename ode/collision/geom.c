/* geom.c: what all geoms have: made, ended, and asked about what does not depend on where they
 * are. */
#include "ode/collision/space.h"
#include "ode/collision/transform.h"

#include "ode/slabs.h"

#include <string.h>

bool lode__ode_geom_is(dGeomID geom, int number, const char *function)
{
    if (!lode__ode_check(geom != NULL, function, "geom", "must not be null"))
        return false;
    if (geom->number == number)
        return true;
    lode__ode_refuse("%s: the geom is a %s, not a %s", function, geom->class->name,
                     lode__ode_class_of(number)->name);
    return false;
}

/* --- life */

dGeomID lode__ode_geom_create(dSpaceID space, int number)
{
    const lode__ode_class *class = lode__ode_class_of(number);
    dGeomID geom = lode__ode_slab_take(class->size);
    if (!lode__ode_check(geom != NULL, "dCreateGeom", "memory", "is wanting"))
        return NULL;
    memset(geom, 0, class->size);
    geom->class = class;
    geom->number = number;
    geom->category = geom->collide = ~0ul;
    geom->unbounded = true;
    geom->geometry = (lode__geometry){.pose = {{0, 0, 0}, {1, 0, 0, 0}},
                                      .center = {{0, 0, 0}, {1, 0, 0, 0}},
                                      .type = (uint32_t) class->shape};
    lode__ode_spot_clear(&geom->own);
    if (space)
        dSpaceAdd(space, geom);
    return geom;
}

static bool can_end(dGeomID geom, const char *function)
{
    return lode__ode_check(geom != NULL, function, "geom", "must not be null") &&
           lode__ode_check(!geom->space || !geom->space->locks, function, "geom",
                           "is in a space that is being looked through") &&
           lode__ode_check(!geom_is_space(geom) || !space_of(geom)->locks, function, "geom",
                           "is a space that is being looked through");
}

void dGeomDestroy(dGeomID geom)
{
    if (!can_end(geom, __func__))
        return;
    if (geom->class->end)
        geom->class->end(geom);
    if (geom->space)
        dSpaceRemove(geom->space, geom);
    if (geom->carrier)
        lode__ode_transform_leave(geom); /* which would destroy it, if it cleans up */
    if (geom->body)
        lode__ode_geom_leave(geom);
    if (geom->offset)
        lode__ode_slab_give(geom->offset, sizeof *geom->offset);
    lode__ode_slab_give(geom, geom->class->size);
}

void lode__ode_geom_moved(dGeomID geom)
{
    geom->stale = true;
    ++geom->moves;
    for (; geom && !geom->unbounded; geom = geom->space ? &geom->space->geom : geom->carrier)
        geom->unbounded = true;
}

void dGeomMoved(dGeomID geom)
{
    if (CHECK_GIVEN(geom))
        lode__ode_geom_moved(geom);
}

/* --- what it is */

void dGeomSetData(dGeomID geom, void *data)
{
    if (CHECK_GIVEN(geom))
        geom->data = data;
}

void *dGeomGetData(dGeomID geom)
{
    return CHECK_GIVEN(geom) ? geom->data : NULL;
}

int dGeomGetClass(dGeomID geom)
{
    return CHECK_GIVEN(geom) ? geom->number : -1;
}

int dGeomIsSpace(dGeomID geom)
{
    return CHECK_GIVEN(geom) && geom_is_space(geom);
}

dSpaceID dGeomGetSpace(dGeomID geom)
{
    return CHECK_GIVEN(geom) ? geom->space : NULL;
}

/* --- which pairs it is in */

void dGeomSetCategoryBits(dGeomID geom, unsigned long bits)
{
    if (CHECK_GIVEN(geom))
        geom->category = bits;
}

unsigned long dGeomGetCategoryBits(dGeomID geom)
{
    return CHECK_GIVEN(geom) ? geom->category : 0;
}

void dGeomSetCollideBits(dGeomID geom, unsigned long bits)
{
    if (CHECK_GIVEN(geom))
        geom->collide = bits;
}

unsigned long dGeomGetCollideBits(dGeomID geom)
{
    return CHECK_GIVEN(geom) ? geom->collide : 0;
}

void dGeomEnable(dGeomID geom)
{
    if (CHECK_GIVEN(geom))
        geom->disabled = false;
}

void dGeomDisable(dGeomID geom)
{
    if (CHECK_GIVEN(geom))
        geom->disabled = true;
}

int dGeomIsEnabled(dGeomID geom)
{
    return CHECK_GIVEN(geom) && !geom->disabled;
}

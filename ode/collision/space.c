/* space.c: spaces and their members. */
#include "ode/collision/ahead.h"

#include "ode/memory.h"

/* --- made and ended */

static dSpaceID create(dSpaceID parent, int number)
{
    dGeomID geom = lode__ode_geom_create(parent, number);
    if (geom)
        lode__tree_init(&space_of(geom)->near.tree);
    return geom ? space_of(geom) : NULL;
}

dSpaceID dSimpleSpaceCreate(dSpaceID space)
{
    return create(space, dSimpleSpaceClass);
}

dSpaceID dHashSpaceCreate(dSpaceID space)
{
    dSpaceID made = create(space, dHashSpaceClass);
    if (made) {
        made->levels[0] = -3;
        made->levels[1] = 10;
    }
    return made;
}

/* What it is told of the world's extent is not needed: nothing is outside. */
dSpaceID dQuadTreeSpaceCreate(dSpaceID space, const dVector3 Center, const dVector3 Extents,
                              int Depth)
{
    if (!CHECK_GIVEN(Center) || !CHECK_GIVEN(Extents) ||
        !CHECK(Depth >= 0, "Depth", "must be at least 0"))
        return NULL;
    return create(space, dQuadTreeSpaceClass);
}

dSpaceID dSweepAndPruneSpaceCreate(dSpaceID space, int axisorder)
{
    int axes[3] = {axisorder & 3, axisorder >> 2 & 3, axisorder >> 4 & 3};
    unsigned named = 1u << axes[0] | 1u << axes[1] | 1u << axes[2];
    return CHECK(named == 7, "axisorder", "must be one of dSAP_AXES_...")
               ? create(space, dSweepAndPruneSpaceClass)
               : NULL;
}

static bool is_space(dSpaceID space, const char *function)
{
    return lode__ode_check(space != NULL, function, "space", "must not be null") &&
           lode__ode_check(geom_is_space(&space->geom), function, "space", "is no space");
}
#define IS_SPACE(space) is_space(space, __func__)

/* While it is looked through it stays as it is. */
#define IS_OPEN(space) \
    (IS_SPACE(space) && CHECK(!(space)->locks, "space", "is being looked through"))

void dSpaceDestroy(dSpaceID space)
{
    if (IS_SPACE(space))
        dGeomDestroy(&space->geom);
}

void lode__ode_space_end(dGeomID geom)
{
    dSpaceID space = space_of(geom);
    while (space->members) {
        if (space->keeps)
            dSpaceRemove(space, space->members);
        else
            dGeomDestroy(space->members);
    }
    lode__ode_ahead_forget(space);
    lode__ode_near_free(&space->near);
    lode__arena_free(&space->arena);
}

/* --- members */

/* A space is not in itself, by whatever way. */
static bool is_within(dSpaceID space, dGeomID geom)
{
    for (; space; space = space->geom.space)
        if (&space->geom == geom)
            return true;
    return false;
}

void dSpaceAdd(dSpaceID space, dGeomID geom)
{
    if (!IS_OPEN(space) || !CHECK_GIVEN(geom) ||
        !CHECK(!geom->space, "geom", "is in a space already") ||
        !CHECK(!is_within(space, geom), "geom", "is the space, or has it within") ||
        !CHECK(lode__ode_near_add(space, geom), "memory", "is wanting"))
        return;
    geom->space = space;
    geom->next = space->members;
    geom->last = NULL;
    if (geom->next)
        geom->next->last = geom;
    space->members = geom;
    ++space->count;
    lode__ode_geom_moved(&space->geom);
}

void dSpaceRemove(dSpaceID space, dGeomID geom)
{
    if (!IS_OPEN(space) || !CHECK_GIVEN(geom) ||
        !CHECK(geom->space == space, "geom", "is not in the space"))
        return;
    if (geom->next)
        geom->next->last = geom->last;
    if (geom->last)
        geom->last->next = geom->next;
    else
        space->members = geom->next;
    geom->space = NULL;
    geom->next = geom->last = NULL;
    --space->count;
    lode__ode_near_remove(space, geom);
    lode__ode_geom_moved(&space->geom);
}

int dSpaceQuery(dSpaceID space, dGeomID geom)
{
    return IS_SPACE(space) && CHECK_GIVEN(geom) && geom->space == space;
}

void dSpaceClean(dSpaceID space)
{
    if (IS_OPEN(space))
        lode__ode_geom_bound(&space->geom);
}

int dSpaceGetNumGeoms(dSpaceID space)
{
    return IS_SPACE(space) ? space->count : 0;
}

dGeomID dSpaceGetGeom(dSpaceID space, int i)
{
    if (!IS_SPACE(space) ||
        !CHECK(i >= 0 && i < space->count, "i", "must be 0 to the number of geoms less 1"))
        return NULL;
    dGeomID geom = space->members;
    for (; i > 0; --i)
        geom = geom->next;
    return geom;
}

/* --- what is set */

int dSpaceGetClass(dSpaceID space)
{
    return IS_SPACE(space) ? space->geom.number : -1;
}

void dHashSpaceSetLevels(dSpaceID space, int minlevel, int maxlevel)
{
    if (!IS_SPACE(space) ||
        !CHECK(space->geom.number == dHashSpaceClass, "space", "is no hash space") ||
        !CHECK(minlevel <= maxlevel, "minlevel", "must not be above maxlevel"))
        return;
    space->levels[0] = minlevel;
    space->levels[1] = maxlevel;
}

void dHashSpaceGetLevels(dSpaceID space, int *minlevel, int *maxlevel)
{
    if (!IS_SPACE(space) ||
        !CHECK(space->geom.number == dHashSpaceClass, "space", "is no hash space"))
        return;
    if (minlevel)
        *minlevel = space->levels[0];
    if (maxlevel)
        *maxlevel = space->levels[1];
}

void dSpaceSetCleanup(dSpaceID space, int mode)
{
    if (IS_SPACE(space))
        space->keeps = mode == 0;
}

int dSpaceGetCleanup(dSpaceID space)
{
    return IS_SPACE(space) && !space->keeps;
}

void dSpaceSetSublevel(dSpaceID space, int sublevel)
{
    if (IS_SPACE(space))
        space->sublevel = sublevel;
}

int dSpaceGetSublevel(dSpaceID space)
{
    return IS_SPACE(space) ? space->sublevel : 0;
}

void dSpaceSetManualCleanup(dSpaceID space, int mode)
{
    if (IS_SPACE(space))
        space->manual = mode != 0;
}

int dSpaceGetManualCleanup(dSpaceID space)
{
    return IS_SPACE(space) && space->manual;
}

/* working_memory.c: see working_memory.h. The pools and the solver below have memory of their own,
 * which no manager hears of. */
#include "ode/working_memory.h"

#include "ode/check.h"
#include "ode/memory.h"

#include <string.h>

struct lode__ode_working {
    void *block;
    size_t size;
    int worlds;
    float factor; /* so much more than is needed is taken */
    size_t least; /* bytes */
    dWorldStepMemoryFunctionsInfo manager;
};

static void *take_block(dsizeint size)
{
    return dAlloc(size);
}

static void *shrink_block(void *block, dsizeint size, dsizeint smaller)
{
    return dRealloc(block, size, smaller);
}

static void free_block(void *block, dsizeint size)
{
    dFree(block, size);
}

static void set_policy(lode__ode_working *working, const dWorldStepReserveInfo *policy)
{
    working->factor = policy ? policy->reserve_factor : dWORLDSTEP_RESERVEFACTOR_DEFAULT;
    working->least = policy ? policy->reserve_minimum : dWORLDSTEP_RESERVESIZE_DEFAULT;
}

static void set_manager(lode__ode_working *working, const dWorldStepMemoryFunctionsInfo *manager)
{
    static const dWorldStepMemoryFunctionsInfo usual = {sizeof usual, take_block, shrink_block,
                                                        free_block};
    working->manager = manager ? *manager : usual;
}

/* The world's own, made when it is needed. */
static lode__ode_working *working_of(dWorldID world)
{
    if (world->working)
        return world->working;
    lode__ode_working *working = dAlloc(sizeof *working);
    if (!working)
        return NULL;
    memset(working, 0, sizeof *working);
    working->worlds = 1;
    set_policy(working, NULL);
    set_manager(working, NULL);
    world->working = working;
    return working;
}

static void clean(lode__ode_working *working)
{
    if (working->block)
        working->manager.free_block(working->block, working->size);
    working->block = NULL;
    working->size = 0;
}

void lode__ode_working_leave(dWorldID world)
{
    lode__ode_working *working = world->working;
    world->working = NULL;
    if (!working || --working->worlds > 0)
        return;
    clean(working);
    dFree(working, sizeof *working);
}

void *lode__ode_working_take(dWorldID world, size_t size)
{
    lode__ode_working *working = working_of(world);
    if (!working || size <= working->size)
        return working ? working->block : NULL;
    size_t wanted = (size_t)((double)size * (double)working->factor);
    wanted = wanted > working->least ? wanted : working->least;
    clean(working);
    working->block = working->manager.alloc_block(wanted);
    working->size = working->block ? wanted : 0;
    return working->block;
}

/* --- what programs say of it */

int dWorldUseSharedWorkingMemory(dWorldID w, dWorldID from_world)
{
    if (!CHECK_GIVEN(w) || (from_world && !working_of(from_world)))
        return 0;
    if (from_world && w->working == from_world->working)
        return 1;
    lode__ode_working_leave(w);
    if (from_world) {
        w->working = from_world->working;
        ++w->working->worlds;
    }
    return 1;
}

void dWorldCleanupWorkingMemory(dWorldID w)
{
    if (CHECK_GIVEN(w) && w->working)
        clean(w->working);
}

int dWorldSetStepMemoryReservationPolicy(dWorldID w, const dWorldStepReserveInfo *policyinfo)
{
    if (!CHECK_GIVEN(w) ||
        !CHECK(!policyinfo || policyinfo->struct_size >= sizeof *policyinfo, "policyinfo",
               "is of the wrong size") ||
        !CHECK(!policyinfo || policyinfo->reserve_factor >= 1, "policyinfo",
               "must have a factor of at least 1") ||
        !working_of(w))
        return 0;
    set_policy(w->working, policyinfo);
    return 1;
}

int dWorldSetStepMemoryManager(dWorldID w, const dWorldStepMemoryFunctionsInfo *memfuncs)
{
    if (!CHECK_GIVEN(w) ||
        !CHECK(!memfuncs || memfuncs->struct_size >= sizeof *memfuncs, "memfuncs",
               "is of the wrong size") ||
        !CHECK(!memfuncs ||
                   (memfuncs->alloc_block && memfuncs->shrink_block && memfuncs->free_block),
               "memfuncs", "must have three functions") ||
        !working_of(w))
        return 0;
    clean(w->working); /* by those that took it */
    set_manager(w->working, memfuncs);
    return 1;
}

/* systems.h: an application's systems as the stages see them. The list is the world's; the solver
 * calls those that stand at its sub-stages, the pipeline the others. */
#ifndef LODE_CORE_SYSTEMS_H
#define LODE_CORE_SYSTEMS_H

#include "core/profile.h"
#include "lode/system.h"

typedef struct lode__system {
    char name[LODE_SYSTEM_NAME];
    int stage; /* of the stage table */
    bool after;
    lode_system_fn *run;
    void *user;
    lode__stage_time time; /* in the last step */
} lode__system;

typedef struct lode__systems {
    lode__system **items; /* in the order in which they were added */
    uint32_t count, capacity;
    lode_system_view lines; /* all of this step's, from line 1 on; arena */
    uint64_t *ticks;        /* of each group, `count` for each; arena */
} lode__systems;

/* Calls a system with dense lines begin..end-1. */
static inline void lode__system_call(const lode__systems *systems, const lode__system *system,
                                     uint32_t begin, uint32_t end, lode_real dt, int sub_step)
{
    lode_system_view view = systems->lines;
    size_t first = begin - 1, real = first * (size_t)view.stride;
    view.count = (int)(end - begin);
    view.dt = dt;
    view.sub_step = sub_step;
    view.bodies += first;
    view.user_data += first;
    view.pose += real;
    view.delta += real;
    view.inv_mass += real;
    view.velocity += real;
    view.force += real;
    system->run(system->user, &view);
}

#endif

/* systems.c: an application's own systems; see lode/system.h for what they may do.
 *
 * They stand where all memory of the step has been taken and nothing is written back yet, so that
 * a step that fails has called none of them, and a stage that may run again calls none either. */
#include "world/systems.h"

#include <string.h>

#include "core/memory.h"
#include "core/os.h"
#include "solver/state.h"
#include "world/check.h"
#include "world/world.h"

/* ---- keeping them ---- */

static int find(const lode__systems *systems, const char *name)
{
    int i = 0;
    while (i < (int)systems->count && strcmp(systems->items[i]->name, name) != 0)
        ++i;
    return i;
}

static lode_status check_name(const lode__world *world, const char *name, const char *function)
{
    lode_status status = lode__check_not_null(name, function, "system.name");
    if (status)
        return status;
    bool fits = name[0] && memchr(name, 0, LODE_SYSTEM_NAME);
    if (!fits)
        return lode__check(false, function, "system.name", "must have 1 to 31 characters");
    bool taken = find(&world->systems, name) < (int)world->systems.count;
    for (int i = 0; i < LODE__STAGE_COUNT; ++i)
        taken = taken || strcmp(lode__stages[i].name, name) == 0;
    return lode__check(!taken, function, "system.name", "another system or a stage has this name");
}

static lode_status check(const lode__world *world, const lode_system *system, int *out_stage,
                         const char *function)
{
    lode_status status = check_name(world, system->name, function);
    if (!status)
        status = lode__check_not_null(system->stage, function, "system.stage");
    if (!status)
        status = lode__check(system->run, function, "system.run", "must not be null");
    if (status)
        return status;
    *out_stage = lode__slot_find(system->stage, system->after);
    return lode__check(*out_stage < LODE__STAGE_COUNT, function, "system.stage",
                       "must name a stage from \"solve\" on, and nothing runs after \"finalise\"");
}

lode_status lode_world_add_system(lode_world world, const lode_system *system)
{
    lode__world *w;
    int stage;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check_not_null(system, __func__, "system");
    if (!status)
        status = check(w, system, &stage, __func__);
    if (status)
        return status;
    lode__systems *systems = &w->systems;
    lode__system *made = NULL;
    if (lode__grow((void **)&systems->items, &systems->capacity, systems->count + 1,
                   sizeof(lode__system *)))
        made = lode__alloc(sizeof *made);
    if (!made)
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    *made = (lode__system){
        .stage = stage, .after = system->after, .run = system->run, .user = system->user};
    strcpy(made->name, system->name);
    systems->items[systems->count++] = made;
    return LODE_OK;
}

lode_status lode_world_remove_system(lode_world world, const char *name)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check_not_null(name, __func__, "name");
    if (status)
        return status;
    lode__systems *systems = &w->systems;
    uint32_t i = (uint32_t)find(systems, name);
    if (i == systems->count)
        return lode__check(false, __func__, "name", "there is no system of this name");
    lode__free(systems->items[i], sizeof(lode__system));
    for (--systems->count; i < systems->count; ++i)
        systems->items[i] = systems->items[i + 1];
    return LODE_OK;
}

void lode__systems_free(lode__world *world)
{
    lode__systems *systems = &world->systems;
    for (uint32_t i = 0; i < systems->count; ++i)
        lode__free(systems->items[i], sizeof(lode__system));
    lode__free(systems->items, systems->capacity * sizeof(lode__system *));
}

size_t lode__systems_bytes(const lode__world *world)
{
    return world->systems.count * sizeof(lode__system) +
           world->systems.capacity * sizeof(lode__system *);
}

void lode__systems_reset_times(lode__world *world)
{
    for (uint32_t i = 0; i < world->systems.count; ++i)
        world->systems.items[i]->time = (lode__stage_time){0};
}

/* ---- in a step ---- */

bool lode__systems_prepare(lode__world *world, const lode__step *step)
{
    lode__systems *systems = &world->systems;
    if (systems->count == 0)
        return true;
    const lode__solve_state *state = world->solver.state;
    const lode__dense *lines = &state->lines;
    lode_body *bodies = LODE__TAKE(step->arena, lode_body, lines->count);
    void **user_data = LODE__TAKE(step->arena, void *, lines->count);
    systems->ticks = LODE__TAKE_ZEROED(step->arena, uint64_t,
                                       (size_t)systems->count * state->group_count);
    if (!bodies || !user_data || !systems->ticks)
        return false;
    for (uint32_t line = 1; line < lines->count; ++line) {
        bodies[line - 1] = body_handle(world, lines->slot[line]);
        user_data[line - 1] = *BODY(world, user_data, lines->slot[line]);
    }
    systems->lines = (lode_system_view){
        .count = (int)lines->count - 1,
        .stride = LODE_LANES,
        .bodies = bodies,
        .user_data = user_data,
        .pose = &lines->pose->position.x + LODE_LANES,
        .delta = &lines->delta->linear.x + LODE_LANES,
        .inv_mass = &lines->inv_mass->inv_mass + LODE_LANES,
        .velocity = &lines->velocity->linear.x + LODE_LANES,
        .force = &lines->force->force.x + LODE_LANES,
    };
    return true;
}

void lode__systems_run(lode__world *world, const lode__step *step, int stage, bool after)
{
    const lode__systems *systems = &world->systems;
    const lode_profiler *hooks = &step->profile->hooks;
    for (uint32_t i = 0; i < systems->count; ++i) {
        lode__system *system = systems->items[i];
        if (system->stage != stage || system->after != after)
            continue;
        if (hooks->begin)
            hooks->begin(hooks->user, system->name);
        uint64_t start = lode__os_count();
        lode__system_call(systems, system, 1, world->solver.state->lines.count, step->dt, 0);
        system->time.count += lode__os_counted(start);
        system->time.calls++;
        if (hooks->end)
            hooks->end(hooks->user, system->name);
    }
}

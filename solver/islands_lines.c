/* islands_lines.c: memory of the dense lines that islands are laid into, and what bodies put
 * there. */
#include "core/math.h"
#include "core/fetch.h"
#include "solver/islands.h"

#include <string.h>

/* An array of lines from -below to count - 1; those that kernels only read are blank. */
#define TAKE_LINES(arena, type, below, count) \
    blank_until(LODE__TAKE(arena, type, (size_t)(below) + (count)), (below) * sizeof(type), \
                sizeof(type))

static void *blank_until(void *first, size_t below, size_t line)
{
    if (!first)
        return NULL;
    memset(first, 0, below + line);
    return (char *)first + below;
}

bool lode__islands_take_lines(island_work *work)
{
    lode__dense *lines = &work->state->lines;
    lode__arena *arena = work->step->arena;
    uint32_t below = lines->kinematic_count + lines->shadow_count;
    lines->count = work->body_count + 1;
    lines->velocity = TAKE_LINES(arena, lode__velocity, below, lines->count);
    lines->inv_mass = TAKE_LINES(arena, lode__inv_mass, below, lines->count);
    lines->delta = TAKE_LINES(arena, lode__delta, below, lines->count);
    lines->pose = TAKE_LINES(arena, lode__pose, below, lines->count);
    lines->force = TAKE_LINES(arena, lode__force, below, lines->count);
    lines->slot = TAKE_LINES(arena, uint32_t, below, lines->count);
    lines->pace = LODE__TAKE(arena, lode__pace, lines->count);
    work->state->island = LODE__TAKE(arena, uint32_t, lines->count);
    work->state->frozen = LODE__TAKE_ZEROED(arena, uint8_t, lines->count);
    work->state->posed = LODE__TAKE_ZEROED(arena, uint8_t, lines->count);
    if (!lines->velocity || !lines->inv_mass || !lines->delta || !lines->pose || !lines->force ||
        !lines->slot || !lines->pace || !work->state->island || !work->state->frozen ||
        !work->state->posed)
        return false;
    if (work->step->settings->exit_below > 0)
        work->state->before = LODE__TAKE(arena, lode__velocity, lines->count);
    if (work->step->settings->exit_below > 0 && !work->state->before)
        return false;
    lines->pose[0] = (lode__pose){.rotation = {1, 0, 0, 0}};
    lines->slot[0] = LODE__NONE;
    return true;
}

/* What the kernels read of kinematic bodies and shadows; all else of their lines is zero. */
static void gather_line(const lode__pool *bodies, lode__dense *lines, int32_t line, uint32_t slot)
{
    lines->slot[line] = slot;
    lines->velocity[line] = *LODE__AT(body, bodies, velocity, slot);
    lines->pose[line] = *LODE__AT(body, bodies, pose, slot);
    lines->delta[line] = (lode__delta){.linear = lines->velocity[line].linear,
                                       .angular = lines->velocity[line].angular,
                                       .is_rate = 1};
}

static void gather_kinematic(island_work *work)
{
    const lode__pool *bodies = work->solver->bodies;
    lode__dense *lines = &work->state->lines;
    uint32_t found = 0;
    for (uint32_t slot = 0; found < lines->kinematic_count; ++slot) {
        slot = lode__bits_next(work->solver->awake, slot);
        int32_t line = line_of_body(bodies, slot);
        if (line >= 0)
            continue;
        ++found;
        gather_line(bodies, lines, line, slot);
    }
    for (uint32_t i = 0; i < lines->shadow_count; ++i) {
        uint32_t slot = work->state->shadow_slot[i];
        gather_line(bodies, lines, work->state->shadow[slot], slot);
    }
}

/* A body's components lie anywhere, most of them beyond the first-level cache. */
LODE__FETCHER void fetch_body(const lode__pool *bodies, uint32_t slot)
{
    __builtin_prefetch(LODE__AT(body, bodies, velocity, slot));
    __builtin_prefetch(LODE__AT(body, bodies, inv_mass, slot));
    __builtin_prefetch(LODE__AT(body, bodies, pose, slot));
    __builtin_prefetch(LODE__AT(body, bodies, force, slot));
    __builtin_prefetch(LODE__AT(body, bodies, local, slot)->inv_inertia);
}

/* That of a link is known where it is asked for: steps in which it is loose leave it as it was. */
static lode__inv_mass inv_mass_of(const island_work *work, uint32_t slot)
{
    const lode__pool *bodies = work->solver->bodies;
    if (work->state->limb_count > 0 && (*LODE__AT(body, bodies, flags, slot) & LODE__BODY_LINK))
        return inv_mass_at(LODE__AT(body, bodies, local, slot),
                           LODE__AT(body, bodies, pose, slot)->rotation);
    return *LODE__AT(body, bodies, inv_mass, slot);
}

static void gather_some(void *context, uint32_t begin, uint32_t end)
{
    const island_work *work = context;
    const lode__pool *bodies = work->solver->bodies;
    lode__dense *lines = &work->state->lines;
    const uint8_t *loose = work->state->loose;
    for (uint32_t line = begin; line < end; ++line) {
        uint32_t slot = lines->slot[line];
        work->spins[line] = false;
        if (loose && loose[line])
            continue;
        if (line + LODE__LINES_AHEAD < end)
            fetch_body(bodies, lines->slot[line + LODE__LINES_AHEAD]);
        lines->velocity[line] = *LODE__AT(body, bodies, velocity, slot);
        lines->inv_mass[line] = inv_mass_of(work, slot);
        lines->pose[line] = *LODE__AT(body, bodies, pose, slot);
        lines->force[line] = *LODE__AT(body, bodies, force, slot);
        lines->delta[line] = (lode__delta){0};
        work->spins[line] = !inertia_is_round(LODE__AT(body, bodies, local, slot)->inv_inertia);
    }
}

void lode__islands_gather_lines(island_work *work)
{
    lode__lines_run(work->state, work->step->tasks, gather_some, work);
    gather_kinematic(work);
}

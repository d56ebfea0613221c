/* sleep_values.c: when bodies may sleep, and the public functions about sleep. */
#include "core/hash.h"
#include "world/check.h"
#include "world/sleep.h"
#include "world/wake.h"

/* ---- when a body may sleep ---- */

lode_sleep lode_sleep_default(void)
{
    return (lode_sleep){.linear_threshold = (lode_real)0.01,
                        .angular_threshold = (lode_real)0.01,
                        .steps = 10,
                        .samples = 1};
}

bool lode__sleep_is_possible(const lode_sleep *sleep)
{
    return sleep->linear_threshold >= 0 && sleep->angular_threshold >= 0 && sleep->steps >= 0 &&
           sleep->time >= 0 && sleep->samples >= 1 && sleep->samples <= LODE__MOST_SAMPLES;
}

lode_status lode__check_sleep(const lode_sleep *sleep, const char *function, const char *argument)
{
    return lode__check(lode__sleep_is_possible(sleep), function, argument,
                       "thresholds, steps and time must be at least 0, samples within 1 and 64");
}

bool lode__sleep_give(lode__world *world, uint32_t body, const lode_sleep *sleep)
{
    lode__idle *idle = BODY(world, idle, body);
    uint32_t *ring = BODY(world, ring, body);
    if (sleep->samples > 1 && idle->samples <= 1) {
        uint32_t slot = lode__pool_add(&world->samples);
        if (slot == LODE__NONE)
            return false;
        *ring = slot;
    } else if (sleep->samples <= 1 && idle->samples > 1) {
        lode__pool_remove(&world->samples, *ring);
    }
    if (sleep->samples > 1)
        *LODE__AT(samples, &world->samples, ring, *ring) = (lode__sample_ring){0};
    world->may_sleep_count -= idle->enabled;
    world->may_sleep_count += sleep->enabled;
    *idle = (lode__idle){.linear_threshold = sleep->linear_threshold,
                         .angular_threshold = sleep->angular_threshold,
                         .time = sleep->time,
                         .enabled = sleep->enabled,
                         .steps = (uint32_t)sleep->steps,
                         .samples = (uint32_t)sleep->samples};
    return true;
}

void lode__sleep_drop(lode__world *world, uint32_t body)
{
    const lode__idle *idle = BODY(world, idle, body);
    world->may_sleep_count -= idle->enabled;
    if (idle->samples > 1)
        lode__pool_remove(&world->samples, *BODY(world, ring, body));
}

uint64_t lode__sleep_hash(const lode__world *world, uint64_t seed)
{
    const lode__bits *alive = &world->bodies.alive;
    if (world->samples.count == 0)
        return seed;
    for (uint32_t b = lode__bits_next(alive, 0); b != UINT32_MAX; b = lode__bits_next(alive, b + 1))
        if (BODY(world, idle, b)->samples > 1)
            seed = lode__hash_bytes(seed,
                                    LODE__AT(samples, &world->samples, ring, *BODY(world, ring, b)),
                                    sizeof(lode__sample_ring));
    return seed;
}

/* ---- the public functions ---- */

lode_sleep lode_body_get_sleep(lode_body body)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__))
        return (lode_sleep){0};
    const lode__idle *idle = BODY(b.world, idle, b.slot);
    return (lode_sleep){
        idle->enabled, idle->linear_threshold, idle->angular_threshold, (int)idle->steps,
        idle->time,    (int)idle->samples};
}

lode_status lode_body_set_sleep(lode_body body, const lode_sleep *sleep)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status && sleep)
        status = lode__check_sleep(sleep, __func__, "sleep");
    if (!status)
        status = lode__check_no_link(b.world, b.slot, __func__);
    if (status)
        return status;
    if (!lode__sleep_give(b.world, b.slot, sleep ? sleep : &b.world->def.sleep))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    lode__wake_body(b.world, b.slot);
    return LODE_OK;
}

lode_status lode_world_set_sleep(lode_world world, const lode_sleep *sleep)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check_not_null(sleep, __func__, "sleep");
    if (!status)
        status = lode__check_sleep(sleep, __func__, "sleep");
    if (!status)
        w->def.sleep = *sleep;
    return status;
}

bool lode_body_is_awake(lode_body body)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__))
        return false;
    uint32_t flags = *BODY(b.world, flags, b.slot);
    return (flags_movable(flags) && !(flags & (LODE__BODY_ASLEEP | LODE__BODY_TO_SLEEP))) ||
           travels(flags, BODY(b.world, velocity, b.slot));
}

lode_status lode_body_wake(lode_body body)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        lode__wake_body(b.world, b.slot);
    return status;
}

lode_status lode_body_sleep(lode_body body)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (status || !lode__bits_get(&b.world->awake, b.slot) || !body_is_dynamic(b.world, b.slot))
        return status;
    *BODY(b.world, flags, b.slot) |= LODE__BODY_TO_SLEEP;
    b.world->sleep_asked = true;
    return LODE_OK;
}

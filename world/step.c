/* step.c: stepping in one call, in halves and by single stages; see pipeline.c for what runs. */
#include "lode/step.h"

#include "core/os.h"
#include "solver/softness.h"
#include "world/check.h"
#include "world/world.h"

static lode_status open(lode__world **out, lode_world world, lode_real dt, const char *function)
{
    lode_status status = lode__open_world_staged(out, world, function);
    return status ? status
                  : lode__check(is_above(dt, 0) &&
                                    r_finite((lode_real)sub_steps_of(&(*out)->def, dt) / dt),
                                function, "dt",
                                "must be above 0, finite, and so must be the sub-steps a second");
}

/* For a call that gives up what is open. */
static lode_status open_to_begin(lode__world **out, lode_world world, lode_real dt,
                                 const char *function)
{
    lode_status status = open(out, world, dt, function);
    if (status || !lode__step_has_moved(*out))
        return status;
    return lode__error(LODE_ERROR_STATE, function, "world",
                       "the open step has moved the bodies; run its last stages");
}

typedef bool run_fn(lode__world *world, lode_real dt);

/* Runs part of the open step, closed to calls and under the library's floating-point control. */
static lode_status run(lode__world *world, run_fn *part, lode_real dt, const char *function)
{
    uint64_t control = lode__fp_enter();
    world->in_step = true;
    bool done = part(world, dt);
    world->in_step = false;
    lode__fp_leave(control);
    return done ? LODE_OK : lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
}

static bool run_both(lode__world *world, lode_real dt)
{
    return lode__step_run_half(world, dt) && lode__step_run_half(world, dt);
}

lode_status lode_world_step(lode_world world, lode_real dt)
{
    lode__world *w;
    lode_status status = open_to_begin(&w, world, dt, __func__);
    if (status)
        return status;
    lode__step_begin(w);
    return run(w, run_both, dt, __func__);
}

lode_status lode_world_collide(lode_world world, lode_real dt)
{
    lode__world *w;
    lode_status status = open_to_begin(&w, world, dt, __func__);
    if (status)
        return status;
    lode__step_begin(w);
    return run(w, lode__step_run_half, dt, __func__);
}

/* Brings the step to between its halves. */
static lode_status stand_between_halves(lode__world *world, const char *function)
{
    if (world->open.next == 0)
        lode__step_begin_solve(world);
    if (world->open.next < LODE__STAGE_SOLVE_HALF)
        return lode__error(LODE_ERROR_STATE, function, "world",
                           "the first half of the open step is not complete");
    if (world->open.next > LODE__STAGE_SOLVE_HALF)
        lode__step_rewind(world, LODE__STAGE_SOLVE_HALF);
    return LODE_OK;
}

lode_status lode_world_solve(lode_world world, lode_real dt)
{
    lode__world *w;
    lode_status status = open_to_begin(&w, world, dt, __func__);
    if (!status)
        status = stand_between_halves(w, __func__);
    return status ? status : run(w, lode__step_run_half, dt, __func__);
}

/* Makes `stage` the open step's next one, if it may be. */
static lode_status turn_to(lode__world *world, int stage, lode_real dt, const char *function)
{
    bool starts_half = stage == 0 || stage == LODE__STAGE_SOLVE_HALF;
    if (stage == 0 && !lode__step_has_moved(world))
        lode__step_begin(world);
    else if (stage != world->open.next && !lode__stage_runs_again(world, stage))
        return lode__error(LODE_ERROR_STATE, function, "name", "this stage is not the next one");
    if (!starts_half && dt != world->open.dt)
        return lode__check(false, function, "dt", "must be that of the stages before");
    if (stage != world->open.next)
        lode__step_rewind(world, stage);
    return LODE_OK;
}

lode_status lode_world_run_stage(lode_world world, const char *name, lode_real dt)
{
    lode__world *w;
    lode_status status = open(&w, world, dt, __func__);
    if (!status)
        status = lode__check_not_null(name, __func__, "name");
    if (status)
        return status;
    int stage = lode__stage_find(name);
    status = lode__check(stage < LODE__STAGE_COUNT, __func__, "name",
                         "must name a stage of the table that runs by itself");
    if (!status)
        status = turn_to(w, stage, dt, __func__);
    return status ? status : run(w, lode__step_run_stage, dt, __func__);
}

/* pipeline.c: the step.
 *
 * The table below is the step: stages run from top to bottom, and it is printed by the benchmark
 * and the documentation as it stands. `reads` and `writes` name components of the pools (core/)
 * and tables that stages hand to each other: what a stage does not name it does not touch.
 *
 * Stages up to row prepare take all memory a step needs; what they change (bounds, pairs,
 * manifolds) is complete in itself at any point, so a step that runs out of memory there leaves
 * poses and velocities as they were and can be tried again. Solve and what follows cannot fail.
 * Sub-stages are timed by the solver, once per sub-step or iteration. */
#include "world/pipeline.h"

#include "core/os.h"
#include "solver/softness.h"
#include "world/check.h"
#include "world/world.h"

static bool run_bounds(lode__world *world, const lode__step *step)
{
    return lode__bounds_run(&world->collide, &world->bodies, step);
}

static bool run_broad_phase(lode__world *world, const lode__step *step)
{
    return lode__broad_phase_run(&world->collide, &world->bodies, step);
}

static bool run_narrow_phase(lode__world *world, const lode__step *step)
{
    return lode__narrow_phase_run(&world->collide, &world->bodies, step);
}

static bool run_contact_update(lode__world *world, const lode__step *step)
{
    return lode__contact_update_run(&world->collide, &world->bodies, step);
}

static bool run_islands(lode__world *world, const lode__step *step)
{
    world->solver.contacts = world->collide.touching;
    world->solver.contact_count = world->collide.touching_count;
    return lode__islands_run(&world->solver, step);
}

static bool run_colouring(lode__world *world, const lode__step *step)
{
    return lode__colouring_run(&world->solver, step);
}

static bool run_row_prepare(lode__world *world, const lode__step *step)
{
    return lode__row_prepare_run(&world->solver, step);
}

static bool run_solve(lode__world *world, const lode__step *step)
{
    lode__solve_run(&world->solver, step);
    return true;
}

static bool run_restitution(lode__world *world, const lode__step *step)
{
    lode__restitution_run(&world->solver, step);
    return true;
}

static bool run_finalise(lode__world *world, const lode__step *step)
{
    lode__finalise_run(&world->solver, step);
    return true;
}

typedef bool stage_fn(lode__world *world, const lode__step *step);

/* clang-format off */
#define STAGES(X) \
    /* id                 name                  parent   run                 reads                                                      writes */ \
    X(BOUNDS,             "bounds",             "",      run_bounds,         "geometry, pose, velocity, flags",                         "shape pose, bounds, tree, flags") \
    X(BROAD_PHASE,        "broad phase",        "",      run_broad_phase,    "tree, geometry, pose, shape pose, flags, filter, joints", "pairs, manifolds") \
    X(NARROW_PHASE,       "narrow phase",       "",      run_narrow_phase,   "pairs, bounds, geometry, pose, shape pose",               "pairs, manifolds") \
    X(CONTACT_UPDATE,     "contact update",     "",      run_contact_update, "pairs, manifolds, surface",                               "manifolds, contacts") \
    X(ISLANDS,            "islands",            "",      run_islands,        "contacts, joints, bodies",                                "islands, lines") \
    X(COLOURING,          "colouring",          "",      run_colouring,      "islands, contacts, joints",                               "batches") \
    X(ROW_PREPARE,        "row prepare",        "",      run_row_prepare,    "batches, lines, contacts, joints, pose",                  "blocks") \
    X(SOLVE,              "solve",              "",      run_solve,          "blocks, lines, joints, pose",                             "blocks, lines") \
    X(INTEGRATE_VELOCITY, "integrate velocity", "solve", NULL,               "lines, forces",                                           "velocities") \
    X(REFRESH,            "refresh rows",       "solve", NULL,               "lines, blocks, joints, pose",                             "blocks") \
    X(WARM_START,         "warm start",         "solve", NULL,               "blocks, velocities",                                      "velocities") \
    X(ITERATE,            "iterate",            "solve", NULL,               "blocks, velocities",                                      "impulses, velocities") \
    X(INTEGRATE_POSE,     "integrate pose",     "solve", NULL,               "velocities",                                              "deltas, poses") \
    X(RELAX,              "relax",              "solve", NULL,               "blocks, velocities",                                      "impulses, velocities") \
    X(RESTITUTION,        "restitution",        "",      run_restitution,    "blocks, velocities",                                      "impulses, velocities") \
    X(FINALISE,           "finalise",           "",      run_finalise,       "lines, blocks, joints",                                   "pose, velocity, inverse mass, force, flags, impulse")
/* clang-format on */

#define STAGE_ID(id, name, parent, run, reads, writes) STAGE_##id,
#define STAGE_ROW(id, name, parent, run, reads, writes) {name, parent, reads, writes},
#define STAGE_RUN(id, name, parent, run, reads, writes) run,

enum { STAGES(STAGE_ID) STAGE_COUNT };

const lode__stage lode__stages[LODE__STAGE_COUNT] = {STAGES(STAGE_ROW)};

static stage_fn *const stage_runs[LODE__STAGE_COUNT] = {STAGES(STAGE_RUN)};

#define SAME_PLACE(id) (int)STAGE_##id - (int)STAGE_INTEGRATE_VELOCITY == (int)LODE__SUB_##id
_Static_assert((int)STAGE_COUNT == (int)LODE__STAGE_COUNT, "every stage has its row");
_Static_assert(SAME_PLACE(INTEGRATE_VELOCITY) && SAME_PLACE(REFRESH) && SAME_PLACE(WARM_START) &&
                   SAME_PLACE(ITERATE) && SAME_PLACE(INTEGRATE_POSE) && SAME_PLACE(RELAX),
               "sub-stages stand in the solver's order");

static bool run_stages(lode__world *world, const lode__step *step)
{
    for (int stage = 0; stage < LODE__STAGE_COUNT; ++stage) {
        if (!stage_runs[stage])
            continue;
        lode__profile_begin(step->profile, stage);
        bool done = stage_runs[stage](world, step);
        lode__profile_end(step->profile, stage);
        if (!done)
            return false;
    }
    return true;
}

bool lode__pipeline_run(lode__world *world, lode_real dt)
{
    lode_world_stats stats = {.nan_bodies = world->stats.nan_bodies};
    lode__step step = {
        .dt = dt,
        .settings = &world->def,
        .arena = &world->arena,
        .tasks = world->tasks,
        .profile = &world->profile,
        .sub_stages = STAGE_INTEGRATE_VELOCITY,
        .stats = &stats,
    };
    lode__arena_reset(&world->arena);
    lode__profile_reset(&world->profile);
    if (!run_stages(world, &step))
        return false;
    world->stats = stats;
    world->sub_steps = sub_steps_of(&world->def);
    return true;
}

lode_status lode_world_step(lode_world world, lode_real dt)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check(is_above(dt, 0) && r_finite(1 / dt), __func__, "dt",
                             "must be above 0, finite, and so must be its inverse");
    if (status)
        return status;
    uint64_t control = lode__fp_enter();
    w->in_step = true;
    bool done = lode__pipeline_run(w, dt);
    w->in_step = false;
    lode__fp_leave(control);
    return done ? LODE_OK : lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
}

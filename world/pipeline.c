/* pipeline.c: the step.
 *
 * The table below is the step: stages run from top to bottom, and it is printed by the benchmark
 * and the documentation as it stands. `reads` and `writes` name components of the pools (core/)
 * and tables that stages hand to each other: what a stage does not name it does not touch.
 *
 * Stages up to row prepare take all memory a step needs; what they change (bounds, pairs,
 * manifolds) is complete in itself at any point, so a step that runs out of memory there leaves
 * poses and velocities as they were and can be tried again. Solve and what follows cannot fail.
 * Sub-stages are timed by the solver, once per sub-step or iteration.
 *
 * A step may be made in several calls. Until finalise nothing is written that a stage of the second
 * half reads from the pools, so until then going back to "islands" is possible: the arena is rolled
 * back to where that stage began. Colouring and row prepare read and do not write the dense lines,
 * which solve does. */
#include "world/pipeline.h"

#include <string.h>

#include "solver/softness.h"
#include "solver/standing.h"
#include "world/sleep.h"
#include "world/validate.h"
#include "world/wake.h"
#include "world/world.h"

/* How a stage has gone. Where there was nothing to do the clock is not read, which costs more than
 * that: what time it took counts for the next one. */
typedef enum stage_end { FAILED, DONE, NOTHING } stage_end;

typedef stage_end stage_fn(lode__world *world, const lode__step *step);

static stage_end ended(bool done, bool something)
{
    return !done ? FAILED : something ? DONE : NOTHING;
}

static bool has_pairs(const lode__world *world)
{
    return world->collide.pairs.count > 0;
}

static stage_end run_wake(lode__world *world, const lode__step *step)
{
    bool any = world->collide.any_returning || world->collide.any_gone;
    return ended(lode__collide_take_back(&world->collide, false, step->arena), any);
}

static stage_end run_bounds(lode__world *world, const lode__step *step)
{
    return ended(lode__bounds_run(&world->collide, &world->bodies, step), true);
}

static stage_end run_broad_phase(lode__world *world, const lode__step *step)
{
    return ended(lode__broad_phase_run(&world->collide, &world->bodies, step), true);
}

static stage_end run_narrow_phase(lode__world *world, const lode__step *step)
{
    bool done = lode__narrow_phase_run(&world->collide, &world->bodies, step);
    return ended(done, has_pairs(world));
}

static stage_end run_contact_update(lode__world *world, const lode__step *step)
{
    if (!lode__contact_update_run(&world->collide, &world->bodies, step))
        return FAILED;
    lode__wake_touching(world);
    bool done = lode__collide_take_back(&world->collide, true, step->arena);
    return ended(done, has_pairs(world));
}

static stage_end run_islands(lode__world *world, const lode__step *step)
{
    lode__wake_made(world);
    world->solver.counts_idle = world->may_sleep_count > 0;
    bool done = lode__collide_take_back(&world->collide, world->open.collided, step->arena) &&
                lode__sleep_asked(world, step->arena) && lode__made_build(world, step) &&
                lode__islands_run(&world->solver, step);
    return ended(done, true);
}

static stage_end run_colouring(lode__world *world, const lode__step *step)
{
    bool done = lode__colouring_run(&world->solver, step) &&
                (LODE_CHECKS < 3 || lode__solver_validate(&world->solver, step->arena));
    return ended(done, true);
}

static stage_end run_row_prepare(lode__world *world, const lode__step *step)
{
    bool done = lode__row_prepare_run(&world->solver, step) && lode__systems_prepare(world, step) &&
                lode__events_prepare(world, step) && lode__sounds_prepare(world, step) &&
                lode__continuous_prepare(world, step);
    return ended(done, true);
}

static stage_end run_solve(lode__world *world, const lode__step *step)
{
    lode__solve_run(&world->solver, step);
    return DONE;
}

static stage_end run_restitution(lode__world *world, const lode__step *step)
{
    return lode__restitution_run(&world->solver, step) ? DONE : NOTHING;
}

static stage_end run_continuous(lode__world *world, const lode__step *step)
{
    lode__continuous_run(world, step);
    return world->continuous.count > 0 ? DONE : NOTHING;
}

static stage_end run_finalise(lode__world *world, const lode__step *step)
{
    lode__moved_keep(world);
    lode__finalise_run(&world->solver, step);
    lode__collide_disturb(&world->collide);
    return DONE;
}

static stage_end run_damping(lode__world *world, const lode__step *step)
{
    return lode__damping_run(&world->solver, step) ? DONE : NOTHING;
}

static stage_end run_events(lode__world *world, const lode__step *step)
{
    lode__events_run(world, step);
    lode__sounds_run(world, step);
    return DONE;
}

static stage_end run_auto_disable(lode__world *world, const lode__step *step)
{
    lode__sleep_run(world, step);
    return DONE;
}

/* Until when a stage that has run may run again, and where systems of the application may stand. */
typedef enum stage_again { NEVER, UNSOLVED, UNMOVED } stage_again;
typedef enum stage_slots { NOWHERE, BEFORE, AROUND } stage_slots;

typedef struct stage_rule {
    stage_fn *run; /* null: the solver runs it */
    stage_again again;
    stage_slots systems;
} stage_rule;

/* clang-format off */
#define STAGES(X) \
    /* id                 name                  parent   run                 again     systems   reads                                                      writes */ \
    X(WAKE,               "wake",               "",      run_wake,           UNMOVED,  NOWHERE,  "resting contacts",                                        "pairs") \
    X(BOUNDS,             "bounds",             "",      run_bounds,         UNMOVED,  NOWHERE,  "geometry, pose, velocity",                                "shape pose, bounds, tree") \
    X(BROAD_PHASE,        "broad phase",        "",      run_broad_phase,    UNMOVED,  NOWHERE,  "tree, geometry, pose, shape pose, flags, filter, joints", "pairs, manifolds") \
    X(NARROW_PHASE,       "narrow phase",       "",      run_narrow_phase,   UNMOVED,  NOWHERE,  "pairs, bounds, geometry, pose, shape pose",               "pairs, manifolds") \
    X(CONTACT_UPDATE,     "contact update",     "",      run_contact_update, UNMOVED,  NOWHERE,  "pairs, manifolds, surface, resting contacts",             "manifolds, contacts, pairs, flags") \
    X(ISLANDS,            "islands",            "",      run_islands,        UNMOVED,  NOWHERE,  "contacts, joints, bodies, traits, resting contacts",      "islands, lines, pairs, flags") \
    X(COLOURING,          "colouring",          "",      run_colouring,      UNSOLVED, NOWHERE,  "islands, contacts, joints",                               "batches") \
    X(ROW_PREPARE,        "row prepare",        "",      run_row_prepare,    UNSOLVED, NOWHERE,  "batches, lines, contacts, joints, pose",                  "blocks") \
    X(SOLVE,              "solve",              "",      run_solve,          NEVER,    AROUND,   "blocks, lines, joints, pose",                             "blocks, lines") \
    X(INTEGRATE_VELOCITY, "integrate velocity", "solve", NULL,               NEVER,    AROUND,   "lines, forces",                                           "velocities") \
    X(REFRESH,            "refresh rows",       "solve", NULL,               NEVER,    AROUND,   "lines, blocks, joints, pose",                             "blocks") \
    X(WARM_START,         "warm start",         "solve", NULL,               NEVER,    AROUND,   "blocks, velocities",                                      "velocities") \
    X(ITERATE,            "iterate",            "solve", NULL,               NEVER,    AROUND,   "blocks, velocities",                                      "impulses, velocities") \
    X(INTEGRATE_POSE,     "integrate pose",     "solve", NULL,               NEVER,    AROUND,   "velocities",                                              "deltas, poses") \
    X(RELAX,              "relax",              "solve", NULL,               NEVER,    AROUND,   "blocks, velocities",                                      "impulses, velocities") \
    X(RESTITUTION,        "restitution",        "",      run_restitution,    NEVER,    AROUND,   "blocks, velocities",                                      "impulses, velocities") \
    X(CONTINUOUS,         "continuous",         "",      run_continuous,     NEVER,    NOWHERE,  "lines, tree, geometry, pose, filter, joints",             "lines") \
    X(FINALISE,           "finalise",           "",      run_finalise,       NEVER,    BEFORE,   "lines, blocks, joints",                                   "pose, velocity, inverse mass, force, flags, impulse") \
    X(DAMPING,            "damping",            "",      run_damping,        NEVER,    NOWHERE,  "velocity, traits",                                        "velocity") \
    X(EVENTS,             "events",             "",      run_events,         NEVER,    NOWHERE,  "contacts, joints, tree, geometry, pose, filter, flags",   "tree, joints, events") \
    X(AUTO_DISABLE,       "auto-disable",       "",      run_auto_disable,   NEVER,    NOWHERE,  "islands, velocity, idle, contacts, joints",               "idle, flags, velocity, pairs, resting contacts")
/* clang-format on */

#define STAGE_ID(id, name, parent, run, again, systems, reads, writes) STAGE_##id,
#define STAGE_ROW(id, name, parent, run, again, systems, reads, writes) \
    {name, parent, reads, writes},
#define STAGE_RULE(id, name, parent, run, again, systems, reads, writes) {run, again, systems},

enum { STAGES(STAGE_ID) STAGE_COUNT };

const lode__stage lode__stages[LODE__STAGE_COUNT] = {STAGES(STAGE_ROW)};

static const stage_rule rules[LODE__STAGE_COUNT] = {STAGES(STAGE_RULE)};

#define SAME_PLACE(id) (int)STAGE_##id - (int)STAGE_INTEGRATE_VELOCITY == (int)LODE__SUB_##id
_Static_assert((int)STAGE_COUNT == (int)LODE__STAGE_COUNT, "every stage has its row");
_Static_assert((int)STAGE_ISLANDS == (int)LODE__STAGE_SOLVE_HALF, "islands begin to solve");
_Static_assert(SAME_PLACE(INTEGRATE_VELOCITY) && SAME_PLACE(REFRESH) && SAME_PLACE(WARM_START) &&
                   SAME_PLACE(ITERATE) && SAME_PLACE(INTEGRATE_POSE) && SAME_PLACE(RELAX),
               "sub-stages stand in the solver's order");

static int find(const char *name)
{
    int stage = 0;
    while (stage < LODE__STAGE_COUNT && strcmp(lode__stages[stage].name, name) != 0)
        ++stage;
    return stage;
}

int lode__stage_find(const char *name)
{
    int stage = find(name);
    return stage < LODE__STAGE_COUNT && rules[stage].run ? stage : LODE__STAGE_COUNT;
}

int lode__slot_find(const char *name, bool after)
{
    int stage = find(name);
    stage_slots least = after ? AROUND : BEFORE;
    return stage < LODE__STAGE_COUNT && rules[stage].systems >= least ? stage : LODE__STAGE_COUNT;
}

bool lode__is_between_stages(const lode__world *world)
{
    return world->open.next != 0 && world->open.next != LODE__STAGE_SOLVE_HALF;
}

/* ---- beginning and going back ---- */

static void begin(lode__world *world, int stage)
{
    lode__sleep_forget_lines(world);
    lode__moved_forget(world);
    lode__events_forget(&world->events);
    lode__sounds_forget(&world->sounds);
    lode__standing_begin(&world->solver, &world->arena);
    lode__profile_reset(&world->profile);
    lode__systems_reset_times(world);
    world->collide.touching_count = 0;
    world->open.next = stage;
    world->open.collided = stage < LODE__STAGE_SOLVE_HALF;
    world->open.stats = (lode_world_stats){0};
    memset(world->open.warnings, 0, sizeof world->open.warnings);
}

void lode__step_begin(lode__world *world)
{
    begin(world, 0);
}

void lode__step_begin_solve(lode__world *world)
{
    begin(world, LODE__STAGE_SOLVE_HALF);
}

void lode__step_rewind(lode__world *world, int stage)
{
    lode__standing_drop(&world->solver);
    lode__arena_rollback(&world->arena, world->open.marks[stage]);
    if (stage <= STAGE_CONTACT_UPDATE)
        world->collide.touching_count = 0;
    if (stage <= STAGE_COLOURING) /* it gives the first warnings */
        memset(world->open.warnings, 0, sizeof world->open.warnings);
    world->open.next = stage;
}

bool lode__step_has_moved(const lode__world *world)
{
    return world->open.next > STAGE_FINALISE;
}

bool lode__stage_runs_again(const lode__world *world, int stage)
{
    int next = world->open.next;
    bool again = rules[stage].again == UNMOVED ||
                 (rules[stage].again == UNSOLVED && next <= STAGE_SOLVE);
    return again && stage < next && !lode__step_has_moved(world);
}

/* ---- running and ending ---- */

static void keep_warnings(lode__world *world)
{
    for (int i = 0; i < LODE_WARNING_COUNT; ++i) {
        const lode__warning_count *now = &world->open.warnings[i];
        lode__warning_record *record = &world->warnings[i];
        record->last = now->count;
        record->ever += now->count;
        if (now->count)
            record->first = body_handle(world, now->body);
    }
}

static void end(lode__world *world)
{
    world->open.next = 0;
    world->stats = world->open.stats;
    world->last_h = world->open.dt / (lode_real)sub_steps_of(&world->def, world->open.dt);
    keep_warnings(world);
    lode__made_consume(&world->made);
}

/* A half that failed can be tried again: the second one on the first one's contacts. */
static void give_up(lode__world *world, int stage)
{
    if (stage >= LODE__STAGE_SOLVE_HALF && world->open.collided)
        lode__step_rewind(world, LODE__STAGE_SOLVE_HALF);
    else
        world->open.next = 0;
}

/* Held up for twice as long, a body needs twice the impulse. */
static lode_real impulse_scale(const lode__world *world, lode_real dt)
{
    lode_real h = dt / (lode_real)sub_steps_of(&world->def, dt);
    return world->last_h > 0 && h != world->last_h ? h / world->last_h : 1;
}

/* Small groups go through several stages within solve. */
static void give_times(lode__profile *profile, lode__elsewhere elsewhere)
{
    lode__profile_move(profile, STAGE_SOLVE, STAGE_ROW_PREPARE, elsewhere.prepare);
    lode__profile_move(profile, STAGE_SOLVE, STAGE_RESTITUTION, elsewhere.restitution);
    lode__profile_move(profile, STAGE_SOLVE, STAGE_FINALISE, elsewhere.keep);
}

static lode__step make_step(lode__world *world, lode_real dt)
{
    lode__open_step *open = &world->open;
    const lode_profiler *hooks = &world->def.profiler;
    return (lode__step){
        .dt = dt,
        .sub_steps = sub_steps_of(&world->def, dt),
        .impulse_scale = impulse_scale(world, dt),
        .settings = &world->def,
        .through = open->in_one_go && !hooks->begin && !hooks->end && world->systems.count == 0,
        .arena = &world->arena,
        .tasks = world->tasks,
        .profile = &world->profile,
        .sub_stages = STAGE_INTEGRATE_VELOCITY,
        .joints_untold = world->joints_untold,
        .stats = &open->stats,
        .warnings = open->warnings,
        .systems = &world->systems,
    };
}

static bool run_next(lode__world *world, const lode__step *step)
{
    lode__open_step *open = &world->open;
    int stage = open->next;
    open->marks[stage] = lode__arena_mark_now(&world->arena);
    if (!step->through)
        world->profile.now = 0;
    if (world->systems.count > 0)
        lode__systems_run(world, step, stage, false);
    lode__profile_begin(step->profile, stage);
    stage_end how = rules[stage].run(world, step);
    bool done = how != FAILED;
    if (how == NOTHING && step->through)
        lode__profile_pass(step->profile, stage);
    else
        lode__profile_end(step->profile, stage);
    if (stage == STAGE_SOLVE)
        give_times(step->profile, world->solver.elsewhere);
    if (world->systems.count > 0)
        lode__systems_run(world, step, stage, true);
    do
        ++open->next;
    while (open->next < LODE__STAGE_COUNT && !rules[open->next].run);
    if (!done)
        give_up(world, stage);
    else if (open->next == LODE__STAGE_COUNT)
        end(world);
    if (LODE_CHECKS >= 3 && !lode__is_between_stages(world))
        lode__world_validate(world);
    return done;
}

bool lode__step_run_stage(lode__world *world, lode_real dt)
{
    lode__step step = make_step(world, dt);
    world->open.dt = dt;
    return run_next(world, &step);
}

bool lode__step_run_half(lode__world *world, lode_real dt)
{
    bool done;
    lode__tasks_expect(world->tasks, true);
    world->open.in_one_go = true;
    world->open.dt = dt;
    world->profile.now = 0;
    lode__step step = make_step(world, dt);
    do
        done = run_next(world, &step);
    while (done && lode__is_between_stages(world));
    world->open.in_one_go = false;
    lode__tasks_expect(world->tasks, false);
    return done;
}

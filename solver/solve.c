/* solve.c: runs the solvers' stages (solver/solvers.h), sub-step by sub-step, on all groups.
 *
 * Small groups are solved whole, one task each, while their blocks stay in the cache. A large
 * island is solved by all threads together, colour by colour. Either way each block sees the same
 * numbers in the same order. */
#include "core/os.h"
#include "solver/alone.h"
#include "solver/articulation/loose.h"
#include "solver/solvers.h"

/* --- stages one by one */

/* An address that no other living thread has. */
static const void *this_thread(void)
{
    static _Thread_local char mark;
    return &mark;
}

/* Groups run on many threads, so a stage's time is kept by group and added up at the end. The
 * application's profiler hears of those on the thread that steps alone: it need not lock. */
static void begin_zone(const lode__solve_work *work, const char *name)
{
    const lode_profiler *hooks = &work->step->profile->hooks;
    if (hooks->begin && work->stepper == this_thread())
        hooks->begin(hooks->user, name);
}

static void end_zone(const lode__solve_work *work, const char *name)
{
    const lode_profiler *hooks = &work->step->profile->hooks;
    if (hooks->end && work->stepper == this_thread())
        hooks->end(hooks->user, name);
}

static void run_alone(const lode__solve_work *work, lode__group *group,
                      const lode__solve_stage *stage)
{
    if (stage->run) {
        stage->run(work, group);
        return;
    }
    lode__program program = {.work = work, .group = group};
    stage->add(&program);
    lode__program_run(&program, group);
}

static void system_lines(void *context, uint32_t begin, uint32_t end)
{
    const lode__solve_work *work = context;
    lode__system_call(work->step->systems, work->system, begin, end, work->h, work->sub_step);
}

/* The application's systems before or after a sub-stage. */
static void run_systems(const lode__solve_work *work, lode__group *group, int sub, bool after)
{
    const lode__systems *systems = work->step->systems;
    const lode__solve_state *state = work->solver->state;
    size_t index = (size_t)(group - state->groups);
    if (!work->watched)
        return;
    lode__solve_work now = *work;
    for (uint32_t i = 0; systems && i < systems->count; ++i) {
        now.system = systems->items[i];
        if (now.system->stage != work->step->sub_stages + sub || now.system->after != after)
            continue;
        begin_zone(work, now.system->name);
        uint64_t start = lode__os_count();
        lode__group_lines_run(group, state->shares, work->step->tasks, system_lines, &now);
        systems->ticks[index * systems->count + i] += lode__os_counted(start);
        end_zone(work, now.system->name);
    }
}

/* Where nobody is called between sub-stages one ends when the next begins, and the clock is read
 * once. */
static void run_stage(const lode__solve_work *work, lode__group *group,
                      const lode__solve_stage *stage, uint64_t *since)
{
    const char *name = work->step->profile->stages[work->step->sub_stages + stage->sub].name;
    run_systems(work, group, stage->sub, false);
    begin_zone(work, name);
    if (work->watched)
        *since = lode__os_count();
    run_alone(work, group, stage);
    group->ticks[stage->sub] += lode__os_lap(since);
    end_zone(work, name);
    run_systems(work, group, stage->sub, true);
}

/* --- stages of a shared group as one run */

/* True when somebody is to be called between sub-stages, on the thread that steps. */
static bool is_watched(const lode__step *step)
{
    const lode__systems *systems = step->systems;
    const lode_profiler *hooks = &step->profile->hooks;
    bool watched = hooks->begin || hooks->end;
    for (uint32_t i = 0; systems && i < systems->count; ++i) {
        int sub = systems->items[i]->stage - step->sub_stages;
        watched = watched || (sub >= 0 && sub < LODE__SUB_COUNT);
    }
    return watched;
}

/* Whose time it is. */
typedef struct stopwatch {
    const lode__program *program;
    uint64_t *ticks; /* by sub-stage */
    uint64_t since;
    int sub; /* -1: nobody's */
} stopwatch;

static void stop(stopwatch *watch)
{
    uint64_t count = lode__os_lap(&watch->since);
    if (watch->sub >= 0)
        watch->ticks[watch->sub] += count;
}

static void pass_begins(void *context, uint32_t pass)
{
    stopwatch *watch = context;
    stop(watch);
    watch->sub = watch->program->sub[pass];
}

static void run_sub_step(const lode__solve_work *work, lode__group *group,
                         const lode__solver_table *solver)
{
    lode__program program = {.work = work, .group = group};
    for (int i = 0; i < solver->count; ++i) {
        uint32_t first = program.count;
        solver->stages[i].add(&program);
        for (uint32_t k = first; k < program.count; ++k)
            program.sub[k] = (uint8_t)solver->stages[i].sub;
    }
    stopwatch watch = {&program, group->ticks, 0, -1};
    lode__passes_run(work->solver->state, group, work->step->tasks, program.passes, program.count,
                     pass_begins, &watch);
    stop(&watch);
}

static void solve_group(const lode__solve_work *work, lode__group *group)
{
    const lode__solver_table *solver = lode__solver_table_of(group, work->step->settings);
    lode__solve_work now = *work;
    uint64_t since = lode__os_count();
    for (now.sub_step = 0; now.sub_step < work->step->sub_steps; ++now.sub_step) {
        now.softness.elapsed = now.netted.elapsed = (lode_real)now.sub_step * now.h;
        now.relax.elapsed = (lode_real)(now.sub_step + 1) * now.h; /* after the poses moved */
        now.parting.elapsed = now.relax.elapsed;
        if (group->shares && !work->apart && !group->netted) {
            run_sub_step(&now, group, solver);
            continue;
        }
        for (int i = 0; i < solver->count; ++i)
            run_stage(&now, group, &solver->stages[i], &since);
    }
}

static void restore(const lode__solve_work *work, lode__group *group)
{
    lode__group_bounce(work->solver, work->step, &work->relax, group);
}

/* --- running something on all groups */

typedef void group_fn(const lode__solve_work *work, lode__group *group);

typedef struct group_task {
    const lode__solve_work *work;
    group_fn *run;
} group_task;

static void run_small_groups(void *context, uint32_t begin, uint32_t end)
{
    const group_task *task = context;
    for (uint32_t i = begin; i < end; ++i) {
        lode__group *group = &task->work->solver->state->groups[i];
        if (!group->large && !group->through)
            task->run(task->work, group);
    }
}

/* Large groups by all threads together, one after another, then small ones, one thread each. */
static void run_groups(const lode__solve_work *work, group_fn *run)
{
    const lode__solve_state *state = work->solver->state;
    for (uint32_t i = 0; i < state->group_count; ++i)
        if (state->groups[i].large)
            run(work, &state->groups[i]);
    group_task task = {work, run};
    lode__tasks_run(work->step->tasks, state->group_count, 1, run_small_groups, &task);
}

static void add_time(lode__stage_time *time, uint64_t ticks)
{
    time->count += ticks;
    time->calls += ticks != 0;
}

static void add_times(const lode__step *step, const lode__solve_state *state)
{
    const lode__systems *systems = step->systems;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        for (int sub = 0; sub < LODE__SUB_COUNT; ++sub)
            add_time(&step->profile->times[step->sub_stages + sub], state->groups[g].ticks[sub]);
        for (uint32_t i = 0; systems && i < systems->count; ++i)
            add_time(&systems->items[i]->time, systems->ticks[g * systems->count + i]);
    }
}

static void warn_of_unsolved(const lode__step *step, const lode__solve_state *state)
{
    for (uint32_t i = 0; i < state->group_count; ++i) {
        const lode__group *group = &state->groups[i];
        if (group->unsolved > 0)
            lode__warn(step, LODE_WARNING_NOT_CONVERGED, (int)group->unsolved,
                       group->unsolved_body);
    }
}

/* --- small groups in one go */

static void clock_part(lode__group *group, int part, uint64_t *since)
{
    group->ticks[part] += lode__os_lap(since);
}

static void go_through(void *context, uint32_t worker, uint32_t begin, uint32_t end)
{
    const lode__solve_work *work = context;
    const lode__solver *solver = work->solver;
    for (uint32_t i = begin; i < end; ++i) {
        lode__group *group = &solver->state->groups[i];
        if (!group->through)
            continue;
        uint64_t since = lode__os_count();
        if (group->loose) {
            lode__loose_go(work, group, worker);
            clock_part(group, LODE__SUB_INTEGRATE_VELOCITY, &since);
            continue;
        }
        lode__bench_take(solver->state, group, worker);
        lode__group_prepare(solver, work->step, group);
        clock_part(group, LODE__PART_PREPARE, &since);
        solve_group(work, group);
        since = lode__os_count();
        restore(work, group);
        clock_part(group, LODE__PART_RESTITUTION, &since);
        lode__group_keep(solver, work->step, group);
        clock_part(group, LODE__PART_KEEP, &since);
    }
}

static lode__elsewhere run_through(const lode__solve_work *work)
{
    const lode__solve_state *state = work->solver->state;
    uint64_t begin = lode__os_count();
    lode__tasks_run_numbered(work->step->tasks, state->group_count, 1, go_through, (void *)work);
    return lode__through_times(state, lode__os_counted(begin));
}

void lode__solve_run(lode__solver *solver, const lode__step *step)
{
    lode__solve_work work = {.solver = solver, .step = step, .stepper = this_thread()};
    work.h = step->dt / (lode_real)step->sub_steps;
    work.softness = softness_of(step);
    work.settled = softness_settled(work.softness);
    work.netted = softness_netted(work.softness);
    work.parting = work.softness;
    work.netted_settled = softness_settled(work.netted);
    work.relax = softness_relax(work.softness);
    work.untell = work.relax;
    work.untell.tell = -1;
    work.watched = is_watched(step);
    work.apart = work.watched || step->settings->exit_below > 0;
    run_groups(&work, solve_group);
    solver->elsewhere = run_through(&work);
    add_times(step, solver->state);
    lode__shares_learn(solver);
    warn_of_unsolved(step, solver->state);
    step->stats->residual = (lode_real)lode__alone_residual(solver->state);
}

bool lode__restitution_run(lode__solver *solver, const lode__step *step)
{
    lode__solve_work work = {.solver = solver, .step = step};
    if (!solver->state->bounces)
        return false;
    work.softness = softness_of(step);
    work.relax = softness_relax(work.softness);
    run_groups(&work, restore);
    return true;
}

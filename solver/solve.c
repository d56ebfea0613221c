/* solve.c: the solvers. A solver is a table of stages, run once per sub-step on each group of
 * islands; the stages stream over the group's blocks and know nothing of contacts and joints.
 *
 * Small groups are solved whole, one task each, while their blocks stay in the cache. A large
 * island is solved by all threads together, colour by colour. Either way each block sees the same
 * numbers in the same order. */
#include "core/error.h"
#include "core/os.h"
#include "solver/direct.h"
#include "solver/softness.h"
#include "solver/state.h"

typedef struct solve_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__softness softness, relax;
    lode_real h;
    int sub_step;
    bool apart;                 /* stages of a shared group are runs of their own */
    const void *stepper;        /* the thread that steps, as this_thread() names it */
    const lode__system *system; /* of the application, that runs now */
} solve_work;

/* What a stage does to a group: passes over its blocks and lines. */
typedef struct pass_task {
    const solve_work *work;
    const lode__softness *softness;
    size_t kernel; /* offset of the function in lode__block_kernels */
} pass_task;

enum { MOST_PASSES = 16 }; /* of a sub-step */

typedef struct program {
    const solve_work *work;
    const lode__group *group;
    lode__pass passes[MOST_PASSES];
    pass_task tasks[MOST_PASSES];
    uint8_t sub[MOST_PASSES]; /* LODE__SUB_... */
    uint32_t count;
} program;

typedef struct solve_stage {
    int sub;
    void (*add)(program *out);
    void (*run)(const solve_work *work, lode__group *group); /* in place of passes, or null */
} solve_stage;

static void add_pass(program *out, pass_task task, lode__pass pass)
{
    LODE__DEBUG_ASSERT(out->count < MOST_PASSES);
    out->tasks[out->count] = task;
    out->tasks[out->count].work = out->work;
    out->passes[out->count] = pass;
    out->passes[out->count].context = &out->tasks[out->count];
    ++out->count;
}

/* --- passes over blocks */

static void run_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const pass_task *task = context;
    lode__block_fn *run = *(lode__block_fn *const *)(const void *)((const char *)chunk->kernels +
                                                                   task->kernel);
    if (run)
        run(chunk->blocks, chunk->count, chunk->stride, &task->work->solver->state->lines,
            task->softness);
}

/* Colour by colour, so many times over. */
static void add_colours(program *out, size_t kernel, const lode__softness *softness, int sweeps)
{
    if (sweeps > 0)
        add_pass(out, (pass_task){.kernel = kernel, .softness = softness},
                 (lode__pass){.chunk = run_chunk, .sweeps = (uint32_t)sweeps});
}

/* What writes to blocks alone: in any order. */
static void add_freely(program *out, size_t kernel, const lode__softness *softness)
{
    add_pass(out, (pass_task){.kernel = kernel, .softness = softness},
             (lode__pass){.chunk = run_chunk});
}

#define KERNEL(name) offsetof(lode__block_kernels, name)

static size_t solve_kernel(const lode__softness *softness)
{
    return KERNEL(solve) + (size_t)lode__friction_of(softness) * sizeof(lode__block_fn *);
}

/* --- passes over lines */

static void add_lines(program *out, lode__stretch_fn *run)
{
    add_pass(out, (pass_task){0}, (lode__pass){.lines = run});
}

static void integrate_velocities(const void *context, const lode__stretch *stretch)
{
    const solve_work *work = ((const pass_task *)context)->work;
    lode__solve_state *state = work->solver->state;
    work->solver->kernels->integrate_velocity(&state->lines, stretch->line_begin, stretch->line_end,
                                              work->step->settings->gravity, work->h);
    if (stretch->spinner_begin < stretch->spinner_end)
        work->solver->kernels->gyroscopic(&state->lines, &state->spinners, stretch->spinner_begin,
                                          stretch->spinner_end, work->h);
}

static void integrate_poses(const void *context, const lode__stretch *stretch)
{
    const solve_work *work = ((const pass_task *)context)->work;
    lode__solve_state *state = work->solver->state;
    lode__speeds_limit(state, stretch->limit_begin, stretch->limit_end);
    work->solver->kernels->integrate_pose(&state->lines, stretch->line_begin, stretch->line_end,
                                          work->h);
}

/* --- stages */

static void integrate_velocity(program *out)
{
    add_lines(out, integrate_velocities);
}

static void turn_joints(const void *context, const lode__solve_chunk *chunk)
{
    const solve_work *work = ((const pass_task *)context)->work;
    lode__joints_turn(work->solver, chunk, &work->softness);
}

/* Joints pull along where they are: with the directions of the step's beginning, a body that
 * swings on one would gain energy in every sub-step but the first. What they have exerted so far is
 * added up before they turn. */
static void refresh(program *out)
{
    const lode__softness *softness = &out->work->softness;
    const lode__group *group = out->group;
    if (out->work->sub_step > 0)
        add_freely(out, KERNEL(tell), softness);
    bool joints = group->begin[LODE__JOINTS] < group->end[LODE__JOINTS] ||
                  group->begin[LODE__LINKAGES] < group->end[LODE__LINKAGES];
    if (out->work->sub_step > 0 && joints)
        add_pass(out, (pass_task){0}, (lode__pass){.chunk = turn_joints});
    add_freely(out, KERNEL(refresh), softness);
}

static void warm_start(program *out)
{
    add_colours(out, KERNEL(warm_start), &out->work->softness, 1);
}

static void iterate(program *out)
{
    const lode__softness *softness = &out->work->softness;
    add_colours(out, solve_kernel(softness), softness, out->work->step->settings->iterations);
}

static void iterate_once(program *out)
{
    add_colours(out, solve_kernel(&out->work->softness), &out->work->softness, 1);
}

static void solve_directly(const solve_work *work, lode__group *group)
{
    lode__direct_solve(work->solver, group);
}

static void settle_joints(const void *context, const lode__solve_chunk *chunk)
{
    const pass_task *task = context;
    lode__joints_settle(task->work->solver, chunk, task->softness);
}

static void integrate_pose(program *out)
{
    if (lode__joints_must_settle(out->work->solver->state))
        add_pass(out, (pass_task){.softness = &out->work->softness},
                 (lode__pass){.chunk = settle_joints, .sweeps = 1});
    add_lines(out, integrate_poses);
}

static void relax(program *out)
{
    const lode__softness *softness = &out->work->relax;
    add_freely(out, KERNEL(refresh), softness);
    add_colours(out, solve_kernel(softness), softness, 1);
}

/* --- solvers */

static const solve_stage pgs_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL},
    {LODE__SUB_REFRESH, refresh, NULL},
    {LODE__SUB_WARM_START, warm_start, NULL},
    {LODE__SUB_ITERATE, iterate, NULL},
    {LODE__SUB_INTEGRATE_POSE, integrate_pose, NULL},
    {LODE__SUB_RELAX, relax, NULL},
};

static const solve_stage soft_step_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL},
    {LODE__SUB_REFRESH, refresh, NULL},
    {LODE__SUB_WARM_START, warm_start, NULL},
    {LODE__SUB_ITERATE, iterate_once, NULL},
    {LODE__SUB_INTEGRATE_POSE, integrate_pose, NULL},
    {LODE__SUB_RELAX, relax, NULL},
};

/* The last impulses only tell which rows were free; they are not applied. */
static const solve_stage direct_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL},
    {LODE__SUB_REFRESH, refresh, NULL},
    {LODE__SUB_ITERATE, NULL, solve_directly},
    {LODE__SUB_INTEGRATE_POSE, integrate_pose, NULL},
};

typedef struct solver_table {
    const solve_stage *stages;
    int count;
} solver_table;

#define TABLE(stages) \
    { \
        stages, (int)(sizeof stages / sizeof stages[0]) \
    }

static const solver_table solvers[LODE_SOLVER_COUNT] = {
    [LODE_SOLVER_PGS] = TABLE(pgs_stages),
    [LODE_SOLVER_SOFT_STEP] = TABLE(soft_step_stages),
    [LODE_SOLVER_DIRECT] = TABLE(direct_stages),
};

/* --- stages one by one */

/* An address that no other living thread has. */
static const void *this_thread(void)
{
    static _Thread_local char mark;
    return &mark;
}

/* Groups run on many threads, so a stage's time is kept by group and added up at the end. The
 * application's profiler hears of those on the thread that steps alone: it need not lock. */
static void begin_zone(const solve_work *work, const char *name)
{
    const lode_profiler *hooks = &work->step->profile->hooks;
    if (hooks->begin && work->stepper == this_thread())
        hooks->begin(hooks->user, name);
}

static void end_zone(const solve_work *work, const char *name)
{
    const lode_profiler *hooks = &work->step->profile->hooks;
    if (hooks->end && work->stepper == this_thread())
        hooks->end(hooks->user, name);
}

static void run_alone(const solve_work *work, lode__group *group, const solve_stage *stage)
{
    if (stage->run) {
        stage->run(work, group);
        return;
    }
    program program = {.work = work, .group = group};
    stage->add(&program);
    lode__passes_run(work->solver->state, group, work->step->tasks, program.passes, program.count,
                     NULL, NULL);
}

static void system_lines(void *context, uint32_t begin, uint32_t end)
{
    const solve_work *work = context;
    lode__system_call(work->step->systems, work->system, begin, end, work->h, work->sub_step);
}

/* The application's systems before or after a sub-stage. */
static void run_systems(const solve_work *work, lode__group *group, int sub, bool after)
{
    const lode__systems *systems = work->step->systems;
    const lode__solve_state *state = work->solver->state;
    size_t index = (size_t)(group - state->groups);
    solve_work now = *work;
    for (uint32_t i = 0; systems && i < systems->count; ++i) {
        now.system = systems->items[i];
        if (now.system->stage != work->step->sub_stages + sub || now.system->after != after)
            continue;
        begin_zone(work, now.system->name);
        uint64_t start = lode__os_ticks();
        lode__group_lines_run(group, state->shares, work->step->tasks, system_lines, &now);
        systems->ticks[index * systems->count + i] += lode__os_ticks() - start;
        end_zone(work, now.system->name);
    }
}

static void run_stage(const solve_work *work, lode__group *group, const solve_stage *stage)
{
    const char *name = work->step->profile->stages[work->step->sub_stages + stage->sub].name;
    run_systems(work, group, stage->sub, false);
    begin_zone(work, name);
    uint64_t start = lode__os_ticks();
    run_alone(work, group, stage);
    group->ticks[stage->sub] += lode__os_ticks() - start;
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
    const program *program;
    uint64_t *ticks; /* by sub-stage */
    uint64_t since;
    int sub; /* -1: nobody's */
} stopwatch;

static void stop(stopwatch *watch)
{
    uint64_t now = lode__os_ticks();
    if (watch->sub >= 0)
        watch->ticks[watch->sub] += now - watch->since;
    watch->since = now;
}

static void pass_begins(void *context, uint32_t pass)
{
    stopwatch *watch = context;
    stop(watch);
    watch->sub = watch->program->sub[pass];
}

static void run_sub_step(const solve_work *work, lode__group *group, const solver_table *solver)
{
    program program = {.work = work, .group = group};
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

static void solve_group(const solve_work *work, lode__group *group)
{
    const solver_table *solver = &solvers[work->step->settings->solver];
    solve_work now = *work;
    for (now.sub_step = 0; now.sub_step < work->step->sub_steps; ++now.sub_step) {
        now.softness.elapsed = (lode_real)now.sub_step * now.h;
        now.relax.elapsed = (lode_real)(now.sub_step + 1) * now.h; /* after the poses moved */
        if (group->shares && !work->apart) {
            run_sub_step(&now, group, solver);
            continue;
        }
        for (int i = 0; i < solver->count; ++i)
            run_stage(&now, group, &solver->stages[i]);
    }
}

static void add_restitution(program *out)
{
    add_colours(out, KERNEL(restitution), &out->work->softness, 1);
}

static void restore(const solve_work *work, lode__group *group)
{
    static const solve_stage stage = {0, add_restitution, NULL};
    run_alone(work, group, &stage);
}

/* --- running something on all groups */

typedef void group_fn(const solve_work *work, lode__group *group);

typedef struct group_task {
    const solve_work *work;
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
static void run_groups(const solve_work *work, group_fn *run)
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
    time->seconds += lode__os_seconds(ticks);
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
    uint64_t now = lode__os_ticks();
    group->ticks[part] += now - *since;
    *since = now;
}

static void go_through(void *context, uint32_t worker, uint32_t begin, uint32_t end)
{
    const solve_work *work = context;
    const lode__solver *solver = work->solver;
    for (uint32_t i = begin; i < end; ++i) {
        lode__group *group = &solver->state->groups[i];
        if (!group->through)
            continue;
        lode__bench_take(solver->state, group, worker);
        uint64_t since = lode__os_ticks();
        lode__group_prepare(solver, work->step, group);
        clock_part(group, LODE__PART_PREPARE, &since);
        solve_group(work, group);
        since = lode__os_ticks();
        restore(work, group);
        clock_part(group, LODE__PART_RESTITUTION, &since);
        lode__group_keep(solver, work->step, group);
        clock_part(group, LODE__PART_KEEP, &since);
    }
}

static lode__elsewhere run_through(const solve_work *work)
{
    const lode__solve_state *state = work->solver->state;
    uint64_t begin = lode__os_ticks();
    lode__tasks_run_numbered(work->step->tasks, state->group_count, 1, go_through, (void *)work);
    return lode__through_times(state, lode__os_seconds(lode__os_ticks() - begin));
}

void lode__solve_run(lode__solver *solver, const lode__step *step)
{
    solve_work work = {.solver = solver, .step = step, .stepper = this_thread()};
    work.h = step->dt / (lode_real)step->sub_steps;
    work.softness = softness_of(step);
    work.relax = softness_relax(work.softness);
    work.apart = is_watched(step);
    run_groups(&work, solve_group);
    solver->elsewhere = run_through(&work);
    add_times(step, solver->state);
    lode__shares_learn(solver);
    warn_of_unsolved(step, solver->state);
}

void lode__restitution_run(lode__solver *solver, const lode__step *step)
{
    solve_work work = {.solver = solver, .step = step};
    work.softness = softness_of(step);
    run_groups(&work, restore);
}

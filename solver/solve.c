/* solve.c: the solvers. A solver is a table of stages, run once per sub-step on each group of
 * islands; the stages stream over the group's blocks and know nothing of contacts and joints.
 *
 * Small groups are solved whole, one task each, while their blocks stay in the cache. A large
 * island is solved by all threads together, colour by colour. Either way each block sees the same
 * numbers in the same order. */
#include "core/os.h"
#include "solver/direct.h"
#include "solver/softness.h"
#include "solver/state.h"

typedef struct solve_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__softness softness, relax;
    lode_real h;
    bool share; /* this group is split over threads */
    int sub_step;
    const void *stepper;        /* the thread that steps, as this_thread() names it */
    const lode__system *system; /* of the application, that runs now */
} solve_work;

typedef struct solve_stage {
    int sub; /* LODE__SUB_... */
    void (*run)(const solve_work *work, lode__group *group);
} solve_stage;

/* --- running a kernel over all blocks of a group */

typedef struct chunk_task {
    const lode__dense *lines;
    const lode__softness *softness;
    size_t kernel; /* offset of the function in lode__block_kernels */
} chunk_task;

static void run_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const chunk_task *task = context;
    lode__block_fn *run = *(lode__block_fn *const *)(const void *)((const char *)chunk->kernels +
                                                                   task->kernel);
    if (run)
        run(chunk->blocks, chunk->count, chunk->stride, task->lines, task->softness);
}

/* All chunks of the group in order, so many times over. */
static void run_chunks(const solve_work *work, lode__group *group, int sweeps,
                       lode__chunk_fn *run, const void *context)
{
    lode__turns_run(work->solver->state, group, work->step->tasks, (uint32_t)sweeps, run, context);
}

static void run_blocks(const solve_work *work, lode__group *group, size_t kernel,
                       const lode__softness *softness, int sweeps)
{
    chunk_task task = {&work->solver->state->lines, softness, kernel};
    run_chunks(work, group, sweeps, run_chunk, &task);
}

/* The same for what writes to blocks alone: in any order. */
static void run_chunks_freely(const solve_work *work, const lode__group *group, lode__chunk_fn *run,
                              const void *context)
{
    lode__turns_run_freely(work->solver->state, group, work->step->tasks, run, context);
}

static void run_blocks_freely(const solve_work *work, const lode__group *group, size_t kernel,
                              const lode__softness *softness)
{
    chunk_task task = {&work->solver->state->lines, softness, kernel};
    run_chunks_freely(work, group, run_chunk, &task);
}

#define KERNEL(name) offsetof(lode__block_kernels, name)

static size_t solve_kernel(const lode__softness *softness)
{
    return KERNEL(solve) + (size_t)lode__friction_of(softness) * sizeof(lode__block_fn *);
}

/* --- running a kernel over all lines of a group */

typedef struct line_task {
    const solve_work *work;
    uint32_t first;
    void (*run)(const solve_work *work, uint32_t begin, uint32_t end);
} line_task;

static void run_lines(void *context, uint32_t begin, uint32_t end)
{
    const line_task *task = context;
    task->run(task->work, task->first + begin, task->first + end);
}

/* All lines of the group. */
static void run_group_lines(const solve_work *work, const lode__group *group,
                            void (*run)(const solve_work *, uint32_t, uint32_t))
{
    line_task task = {work, 0, run};
    lode__group_lines_run(group, work->solver->state->shares, work->step->tasks, run_lines, &task);
}

/* Entries of a list by line. */
static void run_body_lines(const solve_work *work, uint32_t begin, uint32_t end,
                           void (*run)(const solve_work *, uint32_t, uint32_t))
{
    if (begin == end)
        return;
    line_task task = {work, begin, run};
    if (work->share)
        lode__tasks_run_kept(work->step->tasks, end - begin, LODE__LINE_GRAIN, run_lines, &task);
    else
        run(work, begin, end);
}

static void velocity_lines(const solve_work *work, uint32_t begin, uint32_t end)
{
    work->solver->kernels->integrate_velocity(&work->solver->state->lines, begin, end,
                                              work->step->settings->gravity, work->h);
}

static void gyroscopic_lines(const solve_work *work, uint32_t begin, uint32_t end)
{
    const lode__solve_state *state = work->solver->state;
    work->solver->kernels->gyroscopic(&state->lines, &state->spinners, begin, end, work->h);
}

static void pose_lines(const solve_work *work, uint32_t begin, uint32_t end)
{
    work->solver->kernels->integrate_pose(&work->solver->state->lines, begin, end, work->h);
}

static void limit_speeds(const solve_work *work, uint32_t begin, uint32_t end)
{
    lode__speeds_limit(work->solver->state, begin, end);
}

/* --- stages */

static void integrate_velocity(const solve_work *work, lode__group *group)
{
    run_group_lines(work, group, velocity_lines);
    run_body_lines(work, group->spinner_begin, group->spinner_end, gyroscopic_lines);
}

static void turn_joints(const void *context, const lode__solve_chunk *chunk)
{
    const solve_work *work = context;
    lode__joints_turn(work->solver, chunk, &work->softness);
}

/* Joints pull along where they are: with the directions of the step's beginning, a body that
 * swings on one would gain energy in every sub-step but the first. What they have exerted so far is
 * added up before they turn. */
static void refresh(const solve_work *work, lode__group *group)
{
    if (work->sub_step > 0)
        run_blocks_freely(work, group, KERNEL(tell), &work->softness);
    if (work->sub_step > 0 && group->begin[LODE__JOINTS] < group->end[LODE__JOINTS])
        run_chunks_freely(work, group, turn_joints, work);
    run_blocks_freely(work, group, KERNEL(refresh), &work->softness);
}

static void warm_start(const solve_work *work, lode__group *group)
{
    run_blocks(work, group, KERNEL(warm_start), &work->softness, 1);
}

static void iterate(const solve_work *work, lode__group *group)
{
    run_blocks(work, group, solve_kernel(&work->softness), &work->softness,
               work->step->settings->iterations);
}

static void iterate_once(const solve_work *work, lode__group *group)
{
    run_blocks(work, group, solve_kernel(&work->softness), &work->softness, 1);
}

static void solve_directly(const solve_work *work, lode__group *group)
{
    lode__direct_solve(work->solver, group);
}

static void integrate_pose(const solve_work *work, lode__group *group)
{
    run_body_lines(work, group->limit_begin, group->limit_end, limit_speeds);
    run_group_lines(work, group, pose_lines);
}

static void relax(const solve_work *work, lode__group *group)
{
    run_blocks_freely(work, group, KERNEL(refresh), &work->relax);
    run_blocks(work, group, solve_kernel(&work->relax), &work->relax, 1);
}

/* --- solvers */

static const solve_stage pgs_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity},
    {LODE__SUB_REFRESH, refresh},
    {LODE__SUB_WARM_START, warm_start},
    {LODE__SUB_ITERATE, iterate},
    {LODE__SUB_INTEGRATE_POSE, integrate_pose},
    {LODE__SUB_RELAX, relax},
};

static const solve_stage soft_step_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity},
    {LODE__SUB_REFRESH, refresh},
    {LODE__SUB_WARM_START, warm_start},
    {LODE__SUB_ITERATE, iterate_once},
    {LODE__SUB_INTEGRATE_POSE, integrate_pose},
    {LODE__SUB_RELAX, relax},
};

/* The last impulses only tell which rows were free; they are not applied. */
static const solve_stage direct_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity},
    {LODE__SUB_REFRESH, refresh},
    {LODE__SUB_ITERATE, solve_directly},
    {LODE__SUB_INTEGRATE_POSE, integrate_pose},
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

/* An address that no other living thread has. */
static const void *this_thread(void)
{
    static _Thread_local char mark;
    return &mark;
}

/* Groups run on many threads, so a stage's time is kept by group and added up at the end. The
 * application's profiler hears of those on the thread that steps alone: it need not lock. */
static void run_timed(const solve_work *work, lode__group *group, const char *name, uint64_t *ticks,
                      void (*run)(const solve_work *work, lode__group *group))
{
    const lode_profiler *hooks = &work->step->profile->hooks;
    bool heard = work->stepper == this_thread();
    if (heard && hooks->begin)
        hooks->begin(hooks->user, name);
    uint64_t start = lode__os_ticks();
    run(work, group);
    *ticks += lode__os_ticks() - start;
    if (heard && hooks->end)
        hooks->end(hooks->user, name);
}

static void system_lines(const solve_work *work, uint32_t begin, uint32_t end)
{
    lode__system_call(work->step->systems, work->system, begin, end, work->h, work->sub_step);
}

static void run_system(const solve_work *work, lode__group *group)
{
    run_group_lines(work, group, system_lines);
}

/* The application's systems before or after a sub-stage. */
static void run_systems(const solve_work *work, lode__group *group, int sub, bool after)
{
    const lode__systems *systems = work->step->systems;
    size_t index = (size_t)(group - work->solver->state->groups);
    solve_work now = *work;
    for (uint32_t i = 0; systems && i < systems->count; ++i) {
        now.system = systems->items[i];
        if (now.system->stage == work->step->sub_stages + sub && now.system->after == after)
            run_timed(&now, group, now.system->name, &systems->ticks[index * systems->count + i],
                      run_system);
    }
}

static void run_stage(const solve_work *work, lode__group *group, const solve_stage *stage)
{
    run_systems(work, group, stage->sub, false);
    run_timed(work, group, work->step->profile->stages[work->step->sub_stages + stage->sub].name,
              &group->ticks[stage->sub], stage->run);
    run_systems(work, group, stage->sub, true);
}

static void solve_group(const solve_work *work, lode__group *group)
{
    const solver_table *solver = &solvers[work->step->settings->solver];
    solve_work now = *work;
    for (now.sub_step = 0; now.sub_step < work->step->sub_steps; ++now.sub_step) {
        now.softness.elapsed = (lode_real)now.sub_step * now.h;
        now.relax.elapsed = (lode_real)(now.sub_step + 1) * now.h; /* after the poses moved */
        for (int i = 0; i < solver->count; ++i)
            run_stage(&now, group, &solver->stages[i]);
    }
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
        if (!group->large)
            task->run(task->work, group);
    }
}

/* Large groups by all threads together, one after another, then small ones, one thread each. */
static void run_groups(const solve_work *work, group_fn *run)
{
    const lode__solve_state *state = work->solver->state;
    solve_work together = *work;
    together.share = lode__tasks_workers(work->step->tasks) > 1;
    for (uint32_t i = 0; i < state->group_count; ++i)
        if (state->groups[i].large)
            run(&together, &state->groups[i]);
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

void lode__solve_run(lode__solver *solver, const lode__step *step)
{
    solve_work work = {.solver = solver, .step = step, .stepper = this_thread()};
    work.h = step->dt / (lode_real)step->sub_steps;
    work.softness = softness_of(step);
    work.relax = softness_relax(work.softness);
    run_groups(&work, solve_group);
    add_times(step, solver->state);
    lode__shares_learn(solver);
    warn_of_unsolved(step, solver->state);
}

static void restore(const solve_work *work, lode__group *group)
{
    run_blocks(work, group, KERNEL(restitution), &work->softness, 1);
}

void lode__restitution_run(lode__solver *solver, const lode__step *step)
{
    solve_work work = {.solver = solver, .step = step};
    work.softness = softness_of(step);
    run_groups(&work, restore);
}

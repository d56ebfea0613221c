/* solve.c: the solvers. A solver is a table of stages, run once per sub-step on each group of
 * islands; the stages stream over the group's blocks and know nothing of contacts and joints.
 *
 * Small groups are solved whole, one task each, while their blocks stay in the cache. A large
 * island is solved by all threads together, colour by colour. Either way each block sees the same
 * numbers in the same order. */
#include "core/os.h"
#include "solver/softness.h"
#include "solver/state.h"

typedef struct solve_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__softness softness, relax;
    lode_real h;
    bool share; /* this group is split over threads */
    int sub_step;
    const void *stepper; /* the thread that steps, as this_thread() names it */
} solve_work;

typedef struct solve_stage {
    int sub; /* LODE__SUB_... */
    void (*run)(const solve_work *work, lode__group *group);
} solve_stage;

/* --- running a kernel over all blocks of a group */

typedef struct chunk_task {
    const solve_work *work;
    const lode__softness *softness;
    const lode__solve_chunk *chunks;
    size_t kernel; /* offset of the function in lode__block_kernels */
} chunk_task;

static void run_chunks(void *context, uint32_t begin, uint32_t end)
{
    const chunk_task *task = context;
    const lode__dense *lines = &task->work->solver->state->lines;
    for (uint32_t i = begin; i < end; ++i) {
        const lode__solve_chunk *chunk = &task->chunks[i];
        lode__block_fn *run = *(
            lode__block_fn *const *)(const void *)((const char *)chunk->kernels + task->kernel);
        if (run)
            run(chunk->blocks, chunk->count, chunk->stride, lines, task->softness);
    }
}

/* All chunks of the group in order; with threads, those of one colour at the same time. */
static void run_blocks(const solve_work *work, const lode__group *group, size_t kernel,
                       const lode__softness *softness)
{
    chunk_task task = {work, softness, work->solver->state->chunks, kernel};
    if (!work->share) {
        run_chunks(&task, group->chunk_begin, group->chunk_end);
        return;
    }
    const lode__solve_chunk *chunks = task.chunks;
    for (uint32_t i = group->chunk_begin, end; i < group->chunk_end; i = end) {
        uint8_t colour = chunks[i].colour;
        for (end = i + 1; end < group->chunk_end && chunks[end].colour == colour;)
            ++end;
        bool rest = colour == LODE__COLOUR_PAIR_REST || colour == LODE__COLOUR_STATIC_REST;
        task.chunks = chunks + i;
        if (rest || end - i == 1)
            run_chunks(&task, 0, end - i);
        else
            lode__tasks_run(work->step->tasks, end - i, 1, run_chunks, &task);
    }
}

#define KERNEL(name) offsetof(lode__block_kernels, name)

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

static void run_body_lines(const solve_work *work, uint32_t begin, uint32_t end,
                           void (*run)(const solve_work *, uint32_t, uint32_t))
{
    line_task task = {work, begin, run};
    if (work->share)
        lode__tasks_run(work->step->tasks, end - begin, LODE__LINE_GRAIN, run_lines, &task);
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

/* --- stages */

static void integrate_velocity(const solve_work *work, lode__group *group)
{
    run_body_lines(work, group->line_begin, group->line_end, velocity_lines);
    run_body_lines(work, group->spinner_begin, group->spinner_end, gyroscopic_lines);
}

static void refresh(const solve_work *work, lode__group *group)
{
    run_blocks(work, group, KERNEL(refresh), &work->softness);
}

static void turn_chunks(void *context, uint32_t begin, uint32_t end)
{
    const chunk_task *task = context;
    for (uint32_t i = begin; i < end; ++i)
        lode__joints_turn(task->work->solver, &task->chunks[i], task->softness);
}

/* Joints pull along where they are: with the directions of the step's beginning, a body that
 * swings on one would gain energy in every sub-step but the first. */
static void refresh_turned(const solve_work *work, lode__group *group)
{
    const lode__solve_chunk *chunks = work->solver->state->chunks + group->chunk_begin;
    chunk_task task = {work, &work->softness, chunks, 0};
    uint32_t count = group->chunk_end - group->chunk_begin;
    if (work->sub_step > 0 && work->share)
        lode__tasks_run(work->step->tasks, count, 1, turn_chunks, &task);
    else if (work->sub_step > 0)
        turn_chunks(&task, 0, count);
    refresh(work, group);
}

static void warm_start(const solve_work *work, lode__group *group)
{
    run_blocks(work, group, KERNEL(warm_start), &work->softness);
}

static void iterate(const solve_work *work, lode__group *group)
{
    for (int i = 0; i < work->step->settings->iterations; ++i)
        run_blocks(work, group, KERNEL(solve), &work->softness);
}

static void iterate_once(const solve_work *work, lode__group *group)
{
    run_blocks(work, group, KERNEL(solve), &work->softness);
}

static void integrate_pose(const solve_work *work, lode__group *group)
{
    run_body_lines(work, group->line_begin, group->line_end, pose_lines);
}

static void relax(const solve_work *work, lode__group *group)
{
    run_blocks(work, group, KERNEL(refresh), &work->relax);
    run_blocks(work, group, KERNEL(solve), &work->relax);
}

/* --- solvers */

static const solve_stage pgs_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity},
    {LODE__SUB_REFRESH, refresh},
    {LODE__SUB_WARM_START, warm_start},
    {LODE__SUB_ITERATE, iterate},
    {LODE__SUB_INTEGRATE_POSE, integrate_pose},
};

static const solve_stage soft_step_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity},
    {LODE__SUB_REFRESH, refresh_turned},
    {LODE__SUB_WARM_START, warm_start},
    {LODE__SUB_ITERATE, iterate_once},
    {LODE__SUB_INTEGRATE_POSE, integrate_pose},
    {LODE__SUB_RELAX, relax},
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
};

/* An address that no other living thread has. */
static const void *this_thread(void)
{
    static _Thread_local char mark;
    return &mark;
}

/* Groups run on many threads, so a stage's time is kept by group and added up at the end. The
 * application's profiler hears of those on the thread that steps alone: it need not lock. */
static void run_stage(const solve_work *work, lode__group *group, const solve_stage *stage)
{
    const lode__profile *profile = work->step->profile;
    const char *name = profile->stages[work->step->sub_stages + stage->sub].name;
    bool heard = work->stepper == this_thread();
    if (heard && profile->hooks.begin)
        profile->hooks.begin(profile->hooks.user, name);
    uint64_t start = lode__os_ticks();
    stage->run(work, group);
    group->ticks[stage->sub] += lode__os_ticks() - start;
    if (heard && profile->hooks.end)
        profile->hooks.end(profile->hooks.user, name);
}

static void solve_group(const solve_work *work, lode__group *group)
{
    const solver_table *solver = &solvers[work->step->settings->solver];
    int sub_steps = sub_steps_of(work->step->settings);
    solve_work now = *work;
    for (now.sub_step = 0; now.sub_step < sub_steps; ++now.sub_step)
        for (int i = 0; i < solver->count; ++i)
            run_stage(&now, group, &solver->stages[i]);
}

static void solve_small_groups(void *context, uint32_t begin, uint32_t end)
{
    const solve_work *work = context;
    for (uint32_t i = begin; i < end; ++i) {
        lode__group *group = &work->solver->state->groups[i];
        if (!group->large)
            solve_group(work, group);
    }
}

static void solve_large_groups(solve_work work)
{
    const lode__solve_state *state = work.solver->state;
    work.share = lode__tasks_workers(work.step->tasks) > 1;
    for (uint32_t i = 0; i < state->group_count; ++i)
        if (state->groups[i].large)
            solve_group(&work, &state->groups[i]);
}

static void add_times(const lode__step *step, const lode__solve_state *state)
{
    for (int sub = 0; sub < LODE__SUB_COUNT; ++sub) {
        lode__stage_time *time = &step->profile->times[step->sub_stages + sub];
        for (uint32_t i = 0; i < state->group_count; ++i) {
            uint64_t ticks = state->groups[i].ticks[sub];
            time->seconds += lode__os_seconds(ticks);
            time->calls += ticks != 0;
        }
    }
}

void lode__solve_run(lode__solver *solver, const lode__step *step)
{
    solve_work work = {.solver = solver, .step = step, .stepper = this_thread()};
    work.h = step->dt / (lode_real)sub_steps_of(step->settings);
    work.softness = softness_of(step->settings, step->dt);
    work.relax = softness_relax(work.softness);
    solve_large_groups(work);
    lode__tasks_run(step->tasks, solver->state->group_count, 1, solve_small_groups, &work);
    add_times(step, solver->state);
}

void lode__restitution_run(lode__solver *solver, const lode__step *step)
{
    solve_work work = {.solver = solver, .step = step};
    work.softness = softness_of(step->settings, step->dt);
    work.share = lode__tasks_workers(step->tasks) > 1;
    for (uint32_t i = 0; i < solver->state->group_count; ++i)
        run_blocks(&work, &solver->state->groups[i], KERNEL(restitution), &work.softness);
}

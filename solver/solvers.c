/* solvers.c: see solvers.h. A new solver is a table here; what it shares with others it takes from
 * them. */
#include "solver/solvers.h"

#include "core/error.h"
#include "solver/alone.h"
#include "solver/articulation/limb_direct.h"
#include "solver/direct.h"
#include "solver/joint_blocks.h"
#include "solver/stages.h"
#include "solver/thrown.h"

void lode__add_pass(lode__program *out, lode__pass_task task, lode__pass pass)
{
    LODE__DEBUG_ASSERT(out->count < LODE__MOST_PROGRAM);
    out->tasks[out->count] = task;
    out->tasks[out->count].work = out->work;
    out->tasks[out->count].group = out->group;
    out->passes[out->count] = pass;
    out->passes[out->count].context = &out->tasks[out->count];
    ++out->count;
}

/* --- passes over blocks */

void lode__run_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    lode__block_fn *run = *(lode__block_fn *const *)(const void *)((const char *)chunk->kernels +
                                                                   task->kernel);
    if (run)
        run(chunk->blocks, chunk->count, chunk->stride, &task->work->solver->state->lines,
            task->softness);
}

void lode__run_joint_chunk(const void *context, const lode__solve_chunk *chunk)
{
    if (!bucket_is_contact(chunk->bucket))
        lode__run_chunk(context, chunk);
}

/* Colour by colour. */
static void add_colours(lode__program *out, size_t kernel, const lode__softness *softness)
{
    lode__add_pass(out, (lode__pass_task){.kernel = kernel, .softness = softness},
                   (lode__pass){.chunk = lode__run_chunk, .sweeps = 1});
}

/* What writes to blocks alone: in any order. */
void lode__add_freely(lode__program *out, size_t kernel, const lode__softness *softness)
{
    lode__add_pass(out, (lode__pass_task){.kernel = kernel, .softness = softness},
                   (lode__pass){.chunk = lode__run_chunk});
}

size_t lode__solve_kernel(const lode__softness *softness)
{
    return LODE__KERNEL(solve) + (size_t)lode__friction_of(softness) * sizeof(lode__block_fn *);
}

/* --- passes over lines */

static void add_lines(lode__program *out, lode__stretch_fn *run)
{
    lode__add_pass(out, (lode__pass_task){0}, (lode__pass){.lines = run});
}

static void integrate_velocities(const void *context, const lode__stretch *stretch)
{
    const lode__pass_task *task = context;
    const lode__solve_work *work = task->work;
    bool turned = task->group->netted || is_second_order(work->step->settings); /* after the move */
    if (work->sub_step > 0 && !turned)
        lode__lines_turn_inertia(work->solver, stretch);
    lode__lines_accelerate(work->solver, work->step, stretch, work->h);
    if (work->sub_step == 0)
        lode__thrown_note(&work->solver->state->lines, stretch);
}

static void integrate_poses(const void *context, const lode__stretch *stretch)
{
    const lode__solve_work *work = ((const lode__pass_task *)context)->work;
    lode__lines_move(work->solver, work->step, stretch, work->h);
}

static void turn_inertia(const void *context, const lode__stretch *stretch)
{
    lode__lines_turn_inertia(((const lode__pass_task *)context)->work->solver, stretch);
}

static void accelerate_after(const void *context, const lode__stretch *stretch)
{
    const lode__solve_work *work = ((const lode__pass_task *)context)->work;
    lode__lines_accelerate_after(work->solver, work->step, stretch, work->h);
}

/* --- stages */

static void integrate_velocity(lode__program *out)
{
    add_lines(out, integrate_velocities);
}

void lode__turn_joints(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    lode__joints_turn(task->work->solver, chunk, task->softness);
}

bool lode__has_joints(const lode__group *group)
{
    return group->begin[LODE__JOINTS] < group->end[LODE__JOINTS] ||
           group->begin[LODE__LINKAGES] < group->end[LODE__LINKAGES];
}

/* Joints pull along where they are: with the directions of the step's beginning, a body that
 * swings on one would gain energy in every sub-step but the first. What they have exerted so far is
 * added up before they turn. All of it while a chunk is near: its blocks are read once. */
static void refresh_again(const void *context, const lode__solve_chunk *chunk)
{
    lode__pass_task task = *(const lode__pass_task *)context;
    task.kernel = LODE__KERNEL(tell);
    lode__run_chunk(&task, chunk);
    lode__turn_joints(&task, chunk);
    task.kernel = LODE__KERNEL(refresh);
    lode__run_chunk(&task, chunk);
}

static void refresh(lode__program *out)
{
    const lode__softness *softness = &out->work->softness;
    if (out->work->sub_step > 0)
        lode__add_pass(out, (lode__pass_task){.softness = softness},
                       (lode__pass){.chunk = refresh_again});
    else
        lode__add_freely(out, LODE__KERNEL(refresh), softness);
}

static void warm_start(lode__program *out)
{
    add_colours(out, LODE__KERNEL(warm_start), &out->work->softness);
    if (out->group->begin[LODE__CONTACTS] < out->group->end[LODE__CONTACTS] && !out->group->limbs)
        lode__thrown_add(out);
}

static void measure_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    lode__alone_measure(task->group, &task->work->solver->state->lines, chunk, task->softness);
}

/* How far the last sub-step's rows were missed, before anything else moves them. */
void lode__measure(lode__program *out)
{
    const lode__solve_work *work = out->work;
    if (work->step->settings->measure_residual && work->sub_step + 1 == work->step->sub_steps)
        lode__add_pass(out, (lode__pass_task){.softness = &work->softness},
                       (lode__pass){.chunk = measure_chunk});
}

void lode__program_run(const lode__program *program, lode__group *group)
{
    const lode__solve_work *work = program->work;
    lode__passes_run(work->solver->state, group, work->step->tasks, program->passes, program->count,
                     NULL, NULL);
}

void lode__run_measure(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    lode__measure(&program);
    lode__program_run(&program, group);
}

static void solve_directly(const lode__solve_work *work, lode__group *group)
{
    lode__direct_solve(work->solver, group);
    lode__run_measure(work, group);
}

static void settle_joints(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    lode__joints_settle(task->work->solver, chunk, task->softness);
}

void lode__integrate_pose(lode__program *out)
{
    if (lode__joints_must_settle(out->work->solver->state))
        lode__add_pass(out, (lode__pass_task){.softness = &out->work->softness},
                       (lode__pass){.chunk = settle_joints, .sweeps = 1});
    add_lines(out, integrate_poses);
    if (out->group->netted && !is_second_order(out->work->step->settings)) /* joints turn now */
        add_lines(out, turn_inertia);
}

/* The second half of the forces. The impulses that joints have so far were along directions that
 * then change: they are told with those, and what is told of them at the end is taken back. */
void lode__accelerate_again(lode__program *out)
{
    const lode__softness *relax = &out->work->relax;
    add_lines(out, accelerate_after);
    if (!lode__has_joints(out->group))
        return;
    lode__pass_task tell = {.kernel = LODE__KERNEL(tell), .softness = relax}, untell = tell;
    untell.softness = &out->work->untell;
    lode__add_pass(out, tell, (lode__pass){.chunk = lode__run_joint_chunk});
    lode__add_pass(out, (lode__pass_task){.softness = relax},
                   (lode__pass){.chunk = lode__turn_joints});
    lode__add_pass(out, untell, (lode__pass){.chunk = lode__run_joint_chunk});
}

/* Without the position error, so that the speed with which it was corrected goes again. */
static void relax(lode__program *out)
{
    const lode__softness *softness = &out->work->relax;
    const lode_world_def *settings = out->work->step->settings;
    bool second_order = is_second_order(settings);
    if (second_order)
        lode__accelerate_again(out);
    lode__add_freely(out, LODE__KERNEL(refresh), softness);
    if (second_order)
        add_colours(out, LODE__KERNEL(again), softness);
    int sweeps = second_order ? settings->iterations : 1;
    lode__add_sweeps(out, softness, 0, sweeps, sweeps);
}

/* The direct solver has nothing to take back, but may have left what overlaps to be moved apart; of
 * second order it solves for the velocities again. */
static void relax_directly(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    if (group->direct)
        lode__direct_part(work->solver, group, (double)work->h);
    if (!is_second_order(work->step->settings))
        return;
    lode__accelerate_again(&program);
    lode__add_freely(&program, LODE__KERNEL(refresh), &work->relax);
    lode__program_run(&program, group);
    if (group->limb_direct)
        lode__limb_direct_solve_again(work, group);
    else
        lode__direct_solve_again(work->solver, group);
}

/* --- of groups with articulations: each stage of the lines and blocks, and then that of the
 * limbs */

static void run_program(const lode__solve_work *work, lode__group *group,
                        void (*add)(lode__program *out))
{
    lode__program program = {.work = work, .group = group};
    add(&program);
    lode__program_run(&program, group);
}

static void accelerate_limbs(const lode__solve_work *work, lode__group *group)
{
    run_program(work, group, integrate_velocity);
    lode__limbs_accelerate(work, group);
}

static void warm_start_limbs(const lode__solve_work *work, lode__group *group)
{
    run_program(work, group, warm_start);
    lode__limbs_read(work, group, &work->softness, true);
}

static void iterate_limbs(const lode__solve_work *work, lode__group *group)
{
    int iterations = lode__limbs_iterations(work, group);
    for (int i = 0; i < iterations; ++i) {
        lode__program program = {.work = work, .group = group};
        bool back = lode__goes_back(work, group, i, iterations);
        lode__add_once(&program, i, iterations, i >= LODE__CALMED);
        if (back)
            lode__limbs_sweep(work, group, true);
        lode__program_run(&program, group);
        if (!back)
            lode__limbs_sweep(work, group, false);
    }
    lode__limbs_write(work, group);
    lode__limbs_tell(work->solver, group);
    lode__run_measure(work, group);
}

static void solve_limbs(const lode__solve_work *work, lode__group *group)
{
    lode__limb_direct_solve(work, group);
    lode__run_measure(work, group);
}

static void move_limbs(const lode__solve_work *work, lode__group *group)
{
    run_program(work, group, lode__integrate_pose);
    lode__limbs_move(work, group);
}

/* The rows stay as they are, but for their errors. */
static void relax_limbs(const lode__solve_work *work, lode__group *group)
{
    run_program(work, group, relax);
    lode__limbs_refresh(work, group, &work->relax);
    int sweeps = lode__limbs_relaxations(work, group);
    for (int i = 0; i < sweeps; ++i)
        lode__limbs_sweep(work, group, lode__goes_back(work, group, i, sweeps));
    lode__limbs_write(work, group);
    lode__limbs_count(group);
    lode__limbs_tell(work->solver, group);
}

/* --- solvers */

/* Of those that sweep: they differ in how they iterate. */
#define SWEEPING_STAGES(iterate, run) \
    { \
        {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL}, \
            {LODE__SUB_REFRESH, refresh, NULL}, {LODE__SUB_WARM_START, warm_start, NULL}, \
            {LODE__SUB_ITERATE, iterate, run}, \
            {LODE__SUB_INTEGRATE_POSE, lode__integrate_pose, NULL}, \
            {LODE__SUB_RELAX, relax, NULL}, \
    }

static const lode__solve_stage sweep_stages[] = SWEEPING_STAGES(lode__iterate, NULL);
static const lode__solve_stage sweep_to_bound_stages[] = SWEEPING_STAGES(NULL,
                                                                         lode__iterate_to_bound);
static const lode__solve_stage per_joint_stages[] = SWEEPING_STAGES(lode__iterate_alone, NULL);
static const lode__solve_stage per_joint_to_bound_stages[] = SWEEPING_STAGES(
    NULL, lode__iterate_alone_to_bound);

/* The last impulses only tell which rows were free; they are not applied. */
static const lode__solve_stage direct_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL},
    {LODE__SUB_REFRESH, refresh, NULL},
    {LODE__SUB_ITERATE, NULL, solve_directly},
    {LODE__SUB_INTEGRATE_POSE, lode__integrate_pose, NULL},
    {LODE__SUB_RELAX, NULL, relax_directly},
};

static const lode__solve_stage limb_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, NULL, accelerate_limbs},
    {LODE__SUB_REFRESH, refresh, NULL},
    {LODE__SUB_WARM_START, NULL, warm_start_limbs},
    {LODE__SUB_ITERATE, NULL, iterate_limbs},
    {LODE__SUB_INTEGRATE_POSE, NULL, move_limbs},
    {LODE__SUB_RELAX, NULL, relax_limbs},
};

static const lode__solve_stage direct_limb_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, NULL, accelerate_limbs},
    {LODE__SUB_REFRESH, refresh, NULL},
    {LODE__SUB_ITERATE, NULL, solve_limbs},
    {LODE__SUB_INTEGRATE_POSE, NULL, move_limbs},
    {LODE__SUB_RELAX, NULL, relax_directly},
};

/* Of PGS and the soft step where a group has nets. */
static const lode__solve_stage net_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL},
    {LODE__SUB_REFRESH, NULL, lode__nets_refresh},
    {LODE__SUB_WARM_START, NULL, lode__nets_warm_start},
    {LODE__SUB_ITERATE, NULL, lode__nets_iterate},
    {LODE__SUB_INTEGRATE_POSE, NULL, lode__nets_integrate_pose},
    {LODE__SUB_RELAX, NULL, lode__nets_relax},
};

static const lode__solve_stage direct_net_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL},
    {LODE__SUB_REFRESH, lode__nets_refresh_directly, NULL},
    {LODE__SUB_ITERATE, NULL, solve_directly},
    {LODE__SUB_INTEGRATE_POSE, NULL, lode__nets_integrate_pose},
    {LODE__SUB_RELAX, NULL, relax_directly},
};

#define TABLE(stages) \
    { \
        stages, (int)(sizeof stages / sizeof stages[0]) \
    }

/* By the solver of a group, then by whether iterations may end early. */
static const lode__solver_table solvers[LODE_SOLVER_COUNT][2] = {
    [LODE_SOLVER_PGS] = {TABLE(sweep_stages), TABLE(sweep_to_bound_stages)},
    [LODE_SOLVER_SOFT_STEP] = {TABLE(sweep_stages), TABLE(sweep_to_bound_stages)},
    [LODE_SOLVER_DIRECT] = {TABLE(direct_stages), TABLE(direct_stages)},
    [LODE_SOLVER_PER_JOINT] = {TABLE(per_joint_stages), TABLE(per_joint_to_bound_stages)},
};

static const lode__solver_table limb_table = TABLE(limb_stages);
static const lode__solver_table direct_limb_table = TABLE(direct_limb_stages);
static const lode__solver_table with_nets = TABLE(net_stages);
static const lode__solver_table direct_with_nets = TABLE(direct_net_stages);

const lode__solver_table *lode__solver_table_of(const lode__group *group,
                                                const lode_world_def *settings)
{
    if (group->limbs)
        return group->limb_direct ? &direct_limb_table : &limb_table;
    if (group->netted)
        return group->solver == LODE_SOLVER_DIRECT ? &direct_with_nets : &with_nets;
    return &solvers[group->solver][settings->exit_below > 0];
}

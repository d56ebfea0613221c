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

#include <string.h>

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
    const lode__solve_work *work = ((const lode__pass_task *)context)->work;
    lode__lines_accelerate(work->solver, work->step, stretch, work->h);
    if (work->sub_step == 0)
        lode__thrown_note(&work->solver->state->lines, stretch);
}

static void integrate_poses(const void *context, const lode__stretch *stretch)
{
    const lode__solve_work *work = ((const lode__pass_task *)context)->work;
    lode__lines_move(work->solver, work->step, stretch, work->h);
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

static bool has_joints(const lode__group *group)
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
static void measure(lode__program *out)
{
    const lode__solve_work *work = out->work;
    if (work->step->settings->measure_residual && work->sub_step + 1 == work->step->sub_steps)
        lode__add_pass(out, (lode__pass_task){.softness = &work->softness},
                       (lode__pass){.chunk = measure_chunk});
}

/* Of so many sweeps the second half goes back where there are joints: over joints from the last
 * colour to the first, and in each from its last row to its first. What all of them leave of an
 * error is then left as by a symmetric operator (Sheldon 1955, "On the numerical solution of
 * elliptic difference equations"), without the modes that turn round and round; those are what
 * impulses that are carried over, and corrected errors, make swing ever wider: 16 bodies on fixed
 * joints, falling freely, had 400 m/s after 0.4 s. Contacts, which let go, converge faster always
 * one way: towers of thirty fell else. Where sweeps may end early none knows which half it is in, and
 * every second one goes back; that takes more of them. */
static bool goes_back(const lode__solve_work *work, const lode__group *group, int sweep, int sweeps)
{
    bool every_second = work->step->settings->exit_below > 0;
    return has_joints(group) && (every_second ? sweep % 2 != 0 : sweep >= sweeps - sweeps / 2);
}

/* Sweeps `begin` to `end` - 1 of so many; in those that go back chunks are what `run_back` does. */
static void add_some(lode__program *out, lode__pass_task task, lode__chunk_fn *run,
                     lode__chunk_fn *run_back, int begin, int end, int sweeps)
{
    for (int i = begin, next; i < end; i = next) {
        bool back = goes_back(out->work, out->group, i, sweeps);
        next = i + 1;
        while (next < end && goes_back(out->work, out->group, next, sweeps) == back)
            ++next;
        lode__add_pass(out, task,
                       (lode__pass){.chunk = back ? run_back : run,
                                    .sweeps = (uint32_t)(next - i),
                                    .back = back});
    }
}

static void solve_chunk_back(const void *context, const lode__solve_chunk *chunk)
{
    lode__pass_task task = *(const lode__pass_task *)context;
    if (!bucket_is_contact(chunk->bucket))
        task.kernel = LODE__KERNEL(solve_back);
    lode__run_chunk(&task, chunk);
}

static void add_sweeps(lode__program *out, const lode__softness *softness, int begin, int end,
                       int sweeps)
{
    lode__pass_task task = {.kernel = lode__solve_kernel(softness), .softness = softness};
    add_some(out, task, lode__run_chunk, solve_chunk_back, begin, end, sweeps);
}

static void iterate(lode__program *out)
{
    int iterations = out->work->step->settings->iterations;
    int calmed = iterations < LODE__CALMED ? iterations : LODE__CALMED;
    add_sweeps(out, &out->work->softness, 0, calmed, iterations);
    add_sweeps(out, &out->work->settled, calmed, iterations, iterations);
    measure(out);
}

static void solve_alone(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    lode__alone_solve(task->work->solver, task->group, chunk, task->softness);
}

static void iterate_alone(lode__program *out)
{
    int iterations = out->work->step->settings->iterations;
    lode__pass_task task = {.softness = &out->work->softness};
    add_some(out, task, solve_alone, solve_alone, 0, iterations, iterations);
    measure(out);
}

/* Iteration `i` of so many. */
static void add_once(lode__program *out, int i, int iterations, bool settled)
{
    const lode__softness *softness = settled ? &out->work->settled : &out->work->softness;
    add_sweeps(out, softness, i, i + 1, iterations);
}

static void add_once_alone(lode__program *out, int i, int iterations, bool settled)
{
    (void)settled;
    lode__pass_task task = {.softness = &out->work->softness};
    add_some(out, task, solve_alone, solve_alone, i, i + 1, iterations);
}

static bool is_within(const lode_vec3 *v, const lode_vec3 *w, lode_real most)
{
    return r_abs(v->x - w->x) <= most && r_abs(v->y - w->y) <= most && r_abs(v->z - w->z) <= most;
}

/* Has the last iteration changed no velocity of the group by more than what counts? */
static bool is_calm(const lode__solve_state *state, const lode__group *group,
                    const lode_world_def *settings)
{
    lode_real linear = settings->exit_below, angular = linear / settings->length_unit;
    bool calm = true;
    for (uint32_t line = group->line_begin; line < group->line_end && calm; ++line) {
        const lode__velocity *now = &state->lines.velocity[line], *before = &state->before[line];
        calm = is_within(&now->linear, &before->linear, linear) &&
               is_within(&now->angular, &before->angular, angular);
    }
    return calm;
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
    measure(&program);
    lode__program_run(&program, group);
}

/* Runs an iteration; returns whether it changed next to nothing. */
bool lode__has_settled(const lode__solve_work *work, lode__group *group,
                       const lode__program *iteration)
{
    lode__solve_state *state = work->solver->state;
    memcpy(state->before + group->line_begin, state->lines.velocity + group->line_begin,
           (group->line_end - group->line_begin) * sizeof *state->before);
    lode__program_run(iteration, group);
    return is_calm(state, group, work->step->settings);
}

/* Iterates until an iteration changes next to nothing, of joints one that went back. `add_one` adds
 * one of the first iterations, or one of those after many or after one of the first has changed
 * nothing; contacts alone tell them apart. */
static void iterate_while(const lode__solve_work *work, lode__group *group,
                          void (*add_one)(lode__program *out, int i, int iterations, bool settled))
{
    int iterations = work->step->settings->iterations;
    int phase = group->begin[LODE__CONTACTS] == group->end[LODE__CONTACTS];
    for (int i = 0; i < iterations && phase < 2; ++i) {
        lode__program program = {.work = work, .group = group};
        if (i == LODE__CALMED && phase == 0)
            phase = 1;
        add_one(&program, i, iterations, phase > 0);
        bool settled = lode__has_settled(work, group, &program);
        phase += settled && (i % 2 != 0 || !has_joints(group));
    }
    lode__run_measure(work, group);
}

static void iterate_to_bound(const lode__solve_work *work, lode__group *group)
{
    iterate_while(work, group, add_once);
}

static void iterate_alone_to_bound(const lode__solve_work *work, lode__group *group)
{
    iterate_while(work, group, add_once_alone);
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
}

/* The second half of the forces. The impulses that joints have so far were along directions that
 * then change: they are told with those, and what is told of them at the end is taken back. */
void lode__accelerate_again(lode__program *out)
{
    const lode__softness *relax = &out->work->relax;
    add_lines(out, accelerate_after);
    if (!has_joints(out->group))
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
    add_sweeps(out, softness, 0, sweeps, sweeps);
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

/* --- of groups with articulations: each stage of the lines and blocks, and then that of the limbs */

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
        bool back = goes_back(work, group, i, iterations);
        add_once(&program, i, iterations, i >= LODE__CALMED);
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
        lode__limbs_sweep(work, group, goes_back(work, group, i, sweeps));
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

static const lode__solve_stage sweep_stages[] = SWEEPING_STAGES(iterate, NULL);
static const lode__solve_stage sweep_to_bound_stages[] = SWEEPING_STAGES(NULL, iterate_to_bound);
static const lode__solve_stage per_joint_stages[] = SWEEPING_STAGES(iterate_alone, NULL);
static const lode__solve_stage per_joint_to_bound_stages[] = SWEEPING_STAGES(
    NULL, iterate_alone_to_bound);

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

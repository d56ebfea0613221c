/* solvers.c: see solvers.h. A new solver is a table here; what it shares with others it takes from
 * them. */
#include "solver/solvers.h"

#include "core/error.h"
#include "solver/alone.h"
#include "solver/articulation/limbs.h"
#include "solver/direct.h"
#include "solver/nets.h"

#include <string.h>

static void add_pass(lode__program *out, lode__pass_task task, lode__pass pass)
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

static void run_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    lode__block_fn *run = *(lode__block_fn *const *)(const void *)((const char *)chunk->kernels +
                                                                   task->kernel);
    if (run)
        run(chunk->blocks, chunk->count, chunk->stride, &task->work->solver->state->lines,
            task->softness);
}

static void run_joint_chunk(const void *context, const lode__solve_chunk *chunk)
{
    if (!bucket_is_contact(chunk->bucket))
        run_chunk(context, chunk);
}

/* Colour by colour, so many times over. */
static void add_colours(lode__program *out, size_t kernel, const lode__softness *softness,
                        int sweeps)
{
    if (sweeps > 0)
        add_pass(out, (lode__pass_task){.kernel = kernel, .softness = softness},
                 (lode__pass){.chunk = run_chunk, .sweeps = (uint32_t)sweeps});
}

/* What writes to blocks alone: in any order. */
static void add_freely(lode__program *out, size_t kernel, const lode__softness *softness)
{
    add_pass(out, (lode__pass_task){.kernel = kernel, .softness = softness},
             (lode__pass){.chunk = run_chunk});
}

#define KERNEL(name) offsetof(lode__block_kernels, name)

static size_t solve_kernel(const lode__softness *softness)
{
    return KERNEL(solve) + (size_t)lode__friction_of(softness) * sizeof(lode__block_fn *);
}

/* --- passes over lines */

static void add_lines(lode__program *out, lode__stretch_fn *run)
{
    add_pass(out, (lode__pass_task){0}, (lode__pass){.lines = run});
}

static void integrate_velocities(const void *context, const lode__stretch *stretch)
{
    const lode__solve_work *work = ((const lode__pass_task *)context)->work;
    lode__lines_accelerate(work->solver, work->step, stretch, work->h);
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

static void turn_joints(const void *context, const lode__solve_chunk *chunk)
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
 * added up before they turn. */
static void refresh(lode__program *out)
{
    const lode__softness *softness = &out->work->softness;
    if (out->work->sub_step > 0)
        add_freely(out, KERNEL(tell), softness);
    if (out->work->sub_step > 0 && has_joints(out->group))
        add_pass(out, (lode__pass_task){.softness = softness}, (lode__pass){.chunk = turn_joints});
    add_freely(out, KERNEL(refresh), softness);
}

static void warm_start(lode__program *out)
{
    add_colours(out, KERNEL(warm_start), &out->work->softness, 1);
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
        add_pass(out, (lode__pass_task){.softness = &work->softness},
                 (lode__pass){.chunk = measure_chunk});
}

/* Of PGS, after which those to come are to lead to the end. */
enum { CALMED = 32 };

static void add_sweeps(lode__program *out, const lode__softness *softness, int sweeps)
{
    add_colours(out, solve_kernel(softness), softness, sweeps);
}

static void iterate(lode__program *out)
{
    int iterations = out->work->step->settings->iterations;
    add_sweeps(out, &out->work->softness, iterations < CALMED ? iterations : CALMED);
    add_sweeps(out, &out->work->settled, iterations - CALMED);
    measure(out);
}

static void iterate_once(lode__program *out)
{
    add_sweeps(out, &out->work->softness, 1);
}

static void iterate_settled(lode__program *out)
{
    add_sweeps(out, &out->work->settled, 1);
}

static void solve_alone(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    lode__alone_solve(task->work->solver, task->group, chunk, task->softness);
}

static void add_alone(lode__program *out, int sweeps)
{
    add_pass(out, (lode__pass_task){.softness = &out->work->softness},
             (lode__pass){.chunk = solve_alone, .sweeps = (uint32_t)sweeps});
}

static void iterate_alone(lode__program *out)
{
    add_alone(out, out->work->step->settings->iterations);
    measure(out);
}

static void iterate_alone_once(lode__program *out)
{
    add_alone(out, 1);
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

static void run_measure(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    measure(&program);
    lode__program_run(&program, group);
}

/* Runs an iteration; returns whether it changed next to nothing. */
static bool has_settled(const lode__solve_work *work, lode__group *group,
                        const lode__program *iteration)
{
    lode__solve_state *state = work->solver->state;
    memcpy(state->before + group->line_begin, state->lines.velocity + group->line_begin,
           (group->line_end - group->line_begin) * sizeof *state->before);
    lode__program_run(iteration, group);
    return is_calm(state, group, work->step->settings);
}

/* Iterates until an iteration changes next to nothing; `first` adds one of them, `late` one of those
 * after many, or after one of the first has changed nothing. Contacts alone tell them apart. */
static void iterate_while(const lode__solve_work *work, lode__group *group,
                          void (*first)(lode__program *out), void (*late)(lode__program *out))
{
    lode__program programs[2] = {{.work = work, .group = group}, {.work = work, .group = group}};
    int iterations = work->step->settings->iterations;
    int phase = group->begin[LODE__CONTACTS] == group->end[LODE__CONTACTS];
    first(&programs[0]);
    late(&programs[1]);
    for (int i = 0; i < iterations && phase < 2; ++i) {
        if (i == CALMED && phase == 0)
            phase = 1;
        phase += has_settled(work, group, &programs[phase]);
    }
    run_measure(work, group);
}

static void iterate_to_bound(const lode__solve_work *work, lode__group *group)
{
    iterate_while(work, group, iterate_once, iterate_settled);
}

static void iterate_alone_to_bound(const lode__solve_work *work, lode__group *group)
{
    iterate_while(work, group, iterate_alone_once, iterate_alone_once);
}

static void solve_directly(const lode__solve_work *work, lode__group *group)
{
    lode__direct_solve(work->solver, group);
    run_measure(work, group);
}

static void settle_joints(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    lode__joints_settle(task->work->solver, chunk, task->softness);
}

static void integrate_pose(lode__program *out)
{
    if (lode__joints_must_settle(out->work->solver->state))
        add_pass(out, (lode__pass_task){.softness = &out->work->softness},
                 (lode__pass){.chunk = settle_joints, .sweeps = 1});
    add_lines(out, integrate_poses);
}

/* The second half of the forces. The impulses that joints have so far were along directions that
 * then change: they are told with those, and what is told of them at the end is taken back. */
static void accelerate_again(lode__program *out)
{
    const lode__softness *relax = &out->work->relax;
    add_lines(out, accelerate_after);
    if (!has_joints(out->group))
        return;
    lode__pass_task tell = {.kernel = KERNEL(tell), .softness = relax}, untell = tell;
    untell.softness = &out->work->untell;
    add_pass(out, tell, (lode__pass){.chunk = run_joint_chunk});
    add_pass(out, (lode__pass_task){.softness = relax}, (lode__pass){.chunk = turn_joints});
    add_pass(out, untell, (lode__pass){.chunk = run_joint_chunk});
}

/* Without the position error, so that the speed with which it was corrected goes again. */
static void relax(lode__program *out)
{
    const lode__softness *softness = &out->work->relax;
    const lode_world_def *settings = out->work->step->settings;
    bool second_order = is_second_order(settings);
    if (second_order)
        accelerate_again(out);
    add_freely(out, KERNEL(refresh), softness);
    add_colours(out, solve_kernel(softness), softness, second_order ? settings->iterations : 1);
}

/* The direct solver has nothing to take back; of second order it solves for the velocities again. */
static void relax_directly(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    if (!is_second_order(work->step->settings))
        return;
    accelerate_again(&program);
    add_freely(&program, KERNEL(refresh), &work->relax);
    lode__program_run(&program, group);
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
        run_program(work, group, i < CALMED ? iterate_once : iterate_settled);
        lode__limbs_sweep(work, group);
    }
    lode__limbs_write(work, group);
    lode__limbs_tell(work->solver, group);
    run_measure(work, group);
}

static void move_limbs(const lode__solve_work *work, lode__group *group)
{
    run_program(work, group, integrate_pose);
    lode__limbs_move(work, group);
}

/* The rows stay as they are, but for their errors. */
static void relax_limbs(const lode__solve_work *work, lode__group *group)
{
    run_program(work, group, relax);
    lode__limbs_refresh(work, group, &work->relax);
    for (int i = lode__limbs_relaxations(work, group); i > 0; --i)
        lode__limbs_sweep(work, group);
    lode__limbs_write(work, group);
    lode__limbs_count(group);
    lode__limbs_tell(work->solver, group);
}

/* --- nets and sweeps in turn */

static void run_swept_chunk(const void *context, const lode__solve_chunk *chunk)
{
    if (!chunk->all_held)
        run_chunk(context, chunk);
}

static void add_swept(lode__program *out, size_t kernel, const lode__softness *softness)
{
    add_pass(out, (lode__pass_task){.kernel = kernel, .softness = softness},
             (lode__pass){.chunk = run_swept_chunk, .sweeps = 1});
}

/* Joints have turned where the last sub-step brought nets together. */
static void refresh_nets(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    if (work->sub_step > 0)
        add_freely(&program, KERNEL(tell), &work->netted);
    add_freely(&program, KERNEL(refresh), &work->netted);
    lode__program_run(&program, group);
    lode__nets_begin(work, group);
}

static void warm_start_swept(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    if (!group->sweeps)
        return;
    add_swept(&program, KERNEL(warm_start), &work->netted);
    lode__program_run(&program, group);
}

/* Nets that are not tense have their turn after each so many sweeps. */
enum { NETS_EACH = 3 };

static void iterate_nets(const lode__solve_work *work, lode__group *group)
{
    const lode_world_def *settings = work->step->settings;
    lode__program programs[2] = {{.work = work, .group = group}, {.work = work, .group = group}};
    add_swept(&programs[0], solve_kernel(&work->netted), &work->netted);
    add_swept(&programs[1], solve_kernel(&work->netted), &work->netted_settled);
    lode__nets_solve(work, group, LODE__NETS_ALL);
    for (int i = 0, calm = 0; i < settings->iterations && group->sweeps && calm < 2; ++i) {
        const lode__program *program = &programs[i >= CALMED || calm > 0];
        if (settings->exit_below > 0)
            calm += has_settled(work, group, program);
        else
            lode__program_run(program, group);
        bool all = i % NETS_EACH == 0 || i + 1 == settings->iterations || calm == 2;
        lode__nets_solve(work, group, all ? LODE__NETS_SWEPT : LODE__NETS_TENSE);
    }
    lode__nets_keep(work, group);
    run_measure(work, group);
    if (work->sub_step + 1 == work->step->sub_steps)
        lode__nets_judge(work, group);
}

/* What nets exerted is told along where they were. */
static void integrate_pose_nets(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    const lode__softness *now = &work->relax;
    lode__pass_task tell = {.kernel = KERNEL(tell), .softness = now}, untell = tell;
    untell.softness = &work->untell;
    integrate_pose(&program);
    add_pass(&program, tell, (lode__pass){.chunk = run_joint_chunk});
    add_pass(&program, (lode__pass_task){.softness = now}, (lode__pass){.chunk = turn_joints});
    add_pass(&program, untell, (lode__pass){.chunk = run_joint_chunk});
    lode__program_run(&program, group);
    lode__nets_project(work, group);
}

/* The direct solver's rows are all solved together: its nets are but factored where they went. */
static void refresh_turned(lode__program *out)
{
    const lode__softness *softness = &out->work->softness;
    if (out->work->sub_step > 0)
        add_freely(out, KERNEL(tell), softness);
    add_freely(out, KERNEL(refresh), softness);
}

/* Nets have no speed that a correction left; what is swept may have. Where contacts push a net one
 * sweep takes little of that back, and the net's load would keep the rest. Of second order the rest
 * of the forces is for all to bear. */
static void relax_nets(const lode__solve_work *work, lode__group *group)
{
    const lode_world_def *settings = work->step->settings;
    const lode__softness *softness = &work->relax;
    lode__program refresh_all = {.work = work, .group = group}, sweep = refresh_all;
    bool again = is_second_order(settings), touched = group->netted == LODE__NETTED_TOUCHED;
    int sweeps = !group->sweeps ? 0 : again || touched ? settings->iterations : 1;
    if (sweeps == 0 && !again)
        return;
    if (again)
        accelerate_again(&refresh_all);
    add_freely(&refresh_all, KERNEL(refresh), softness);
    add_swept(&sweep, solve_kernel(softness), softness);
    lode__program_run(&refresh_all, group);
    lode__nets_hold(work, group);
    if (again)
        lode__nets_solve(work, group, LODE__NETS_ALL);
    for (int i = 0; i < sweeps; ++i) {
        lode__program_run(&sweep, group);
        lode__nets_solve(work, group, i + 1 == sweeps ? LODE__NETS_SWEPT : LODE__NETS_TENSE);
    }
    lode__nets_keep(work, group);
}

/* --- solvers */

/* Of those that sweep: they differ in how they iterate. */
#define SWEEPING_STAGES(iterate, run) \
    { \
        {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL}, \
            {LODE__SUB_REFRESH, refresh, NULL}, {LODE__SUB_WARM_START, warm_start, NULL}, \
            {LODE__SUB_ITERATE, iterate, run}, {LODE__SUB_INTEGRATE_POSE, integrate_pose, NULL}, \
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
    {LODE__SUB_INTEGRATE_POSE, integrate_pose, NULL},
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

/* Of PGS and the soft step where a group has nets. */
static const lode__solve_stage net_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL},
    {LODE__SUB_REFRESH, NULL, refresh_nets},
    {LODE__SUB_WARM_START, NULL, warm_start_swept},
    {LODE__SUB_ITERATE, NULL, iterate_nets},
    {LODE__SUB_INTEGRATE_POSE, NULL, integrate_pose_nets},
    {LODE__SUB_RELAX, NULL, relax_nets},
};

static const lode__solve_stage direct_net_stages[] = {
    {LODE__SUB_INTEGRATE_VELOCITY, integrate_velocity, NULL},
    {LODE__SUB_REFRESH, refresh_turned, NULL},
    {LODE__SUB_ITERATE, NULL, solve_directly},
    {LODE__SUB_INTEGRATE_POSE, NULL, integrate_pose_nets},
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
static const lode__solver_table with_nets = TABLE(net_stages);
static const lode__solver_table direct_with_nets = TABLE(direct_net_stages);

const lode__solver_table *lode__solver_table_of(const lode__group *group,
                                                const lode_world_def *settings)
{
    if (group->limbs)
        return &limb_table;
    if (group->netted)
        return group->solver == LODE_SOLVER_DIRECT ? &direct_with_nets : &with_nets;
    return &solvers[group->solver][settings->exit_below > 0];
}

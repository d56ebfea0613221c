/* net_stages.c: the stages of groups with nets (solver/nets.h): nets, and what is swept beside
 * them, in turn. */
#include "solver/nets.h"
#include "solver/stages.h"

static void run_swept_chunk(const void *context, const lode__solve_chunk *chunk)
{
    if (!chunk->all_held)
        lode__run_chunk(context, chunk);
}

static void run_correcting_chunk(const void *context, const lode__solve_chunk *chunk)
{
    if (chunk->corrects)
        lode__run_chunk(context, chunk);
}

static void add_swept(lode__program *out, size_t kernel, const lode__softness *softness)
{
    lode__add_pass(out, (lode__pass_task){.kernel = kernel, .softness = softness},
                   (lode__pass){.chunk = run_swept_chunk, .sweeps = 1});
}

/* Joints have turned where the last sub-step brought nets together. */
void lode__nets_refresh(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    if (work->sub_step > 0)
        lode__add_freely(&program, LODE__KERNEL(tell), &work->netted);
    lode__add_freely(&program, LODE__KERNEL(refresh), &work->netted);
    lode__program_run(&program, group);
    lode__nets_begin(work, group);
}

void lode__nets_warm_start(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    if (!group->sweeps)
        return;
    add_swept(&program, LODE__KERNEL(warm_start), &work->netted);
    lode__program_run(&program, group);
}

/* Nets that are not tense have their turn after each so many sweeps. */
enum { NETS_EACH = 3 };

void lode__nets_iterate(const lode__solve_work *work, lode__group *group)
{
    const lode_world_def *settings = work->step->settings;
    lode__program programs[2] = {{.work = work, .group = group}, {.work = work, .group = group}};
    add_swept(&programs[0], lode__solve_kernel(&work->netted), &work->netted);
    add_swept(&programs[1], lode__solve_kernel(&work->netted), &work->netted_settled);
    lode__nets_solve(work, group, LODE__NETS_ALL);
    for (int i = 0, calm = 0; i < settings->iterations && group->sweeps && calm < 2; ++i) {
        const lode__program *program = &programs[i >= LODE__CALMED || calm > 0];
        if (settings->exit_below > 0)
            calm += lode__has_settled(work, group, program);
        else
            lode__program_run(program, group);
        bool all = i % NETS_EACH == 0 || i + 1 == settings->iterations || calm == 2;
        lode__nets_solve(work, group, all ? LODE__NETS_SWEPT : LODE__NETS_TENSE);
    }
    lode__nets_keep(work, group);
    lode__run_measure(work, group);
    if (work->sub_step + 1 == work->step->sub_steps)
        lode__nets_judge(work, group);
}

static void part_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    const lode__dense ways = lode__ways_of(task->work->solver->state);
    if (chunk->kernels->part)
        chunk->kernels->part(chunk->blocks, chunk->count, chunk->stride, &ways, task->softness);
}

/* Turns in which contacts move apart what overlaps, and nets answer. */
enum { PARTINGS = 2 };

static void part(const lode__solve_work *work, lode__group *group)
{
    lode__program sweep = {.work = work, .group = group};
    lode__add_pass(&sweep, (lode__pass_task){.softness = &work->parting},
                   (lode__pass){.chunk = part_chunk, .sweeps = 1});
    lode__ways_begin(work->solver->state, group);
    lode__nets_tell_ways(work, group);
    for (int i = 0; i < PARTINGS; ++i) {
        lode__program_run(&sweep, group);
        lode__nets_part(work, group);
    }
}

static bool parts(const lode__solve_work *work, const lode__group *group)
{
    return group->netted == LODE__NETTED_TOUCHED && group->solver != LODE_SOLVER_DIRECT &&
           !(work->softness.gamma > 0);
}

/* What nets exerted is told along where they were. */
void lode__nets_integrate_pose(const lode__solve_work *work, lode__group *group)
{
    lode__program program = {.work = work, .group = group};
    const lode__softness *now = &work->relax;
    lode__pass_task tell = {.kernel = LODE__KERNEL(tell), .softness = now}, untell = tell;
    untell.softness = &work->untell;
    lode__integrate_pose(&program);
    lode__add_pass(&program, tell, (lode__pass){.chunk = lode__run_joint_chunk});
    lode__add_pass(&program, (lode__pass_task){.softness = now},
                   (lode__pass){.chunk = lode__turn_joints});
    lode__add_pass(&program, untell, (lode__pass){.chunk = lode__run_joint_chunk});
    lode__program_run(&program, group);
    lode__nets_begin_project(work, group);
    if (parts(work, group))
        part(work, group);
    lode__nets_end_project(work, group);
    if (parts(work, group))
        lode__ways_end(work->solver->state, group);
}

/* The direct solver's rows are all solved together: its nets are but factored where they went. */
void lode__nets_refresh_directly(lode__program *out)
{
    const lode__softness *softness = &out->work->softness;
    if (out->work->sub_step > 0)
        lode__add_freely(out, LODE__KERNEL(tell), softness);
    lode__add_freely(out, LODE__KERNEL(refresh), softness);
}

/* Nets have no speed that a correction left, nor have contacts beside them. */
static void relax_nets(const lode__solve_work *work, lode__group *group)
{
    const lode__softness *softness = &work->relax;
    lode__program refresh_all = {.work = work, .group = group}, sweep = refresh_all;
    if (!group->corrects)
        return;
    lode__add_freely(&refresh_all, LODE__KERNEL(refresh), softness);
    lode__add_pass(&sweep,
                   (lode__pass_task){.kernel = lode__solve_kernel(softness), .softness = softness},
                   (lode__pass){.chunk = run_correcting_chunk, .sweeps = 1});
    lode__program_run(&refresh_all, group);
    lode__nets_hold(work, group);
    lode__program_run(&sweep, group);
    lode__nets_solve(work, group, LODE__NETS_CORRECTED);
    lode__nets_keep(work, group);
}

/* Of second order the rest of the forces is for all to bear. */
static void relax_nets_again(const lode__solve_work *work, lode__group *group)
{
    const lode__softness *softness = &work->relax;
    lode__program refresh_all = {.work = work, .group = group}, sweep = refresh_all;
    lode__accelerate_again(&refresh_all);
    lode__add_freely(&refresh_all, LODE__KERNEL(refresh), softness);
    if (group->sweeps)
        add_swept(&refresh_all, LODE__KERNEL(again), softness);
    add_swept(&sweep, lode__solve_kernel(softness), softness);
    lode__program_run(&refresh_all, group);
    lode__nets_hold(work, group);
    lode__nets_solve(work, group, LODE__NETS_ALL);
    for (int i = work->step->settings->iterations; i > 0 && group->sweeps; --i) {
        lode__program_run(&sweep, group);
        lode__nets_solve(work, group, i == 1 ? LODE__NETS_SWEPT : LODE__NETS_TENSE);
    }
    lode__nets_keep(work, group);
}

void lode__nets_relax(const lode__solve_work *work, lode__group *group)
{
    if (is_second_order(work->step->settings))
        relax_nets_again(work, group);
    else
        relax_nets(work, group);
}

/* iterate.c: iterations of the solvers that sweep: forth and back, so many or until one changes
 * next to nothing. */
#include "solver/alone.h"
#include "solver/stages.h"

#include <string.h>

/* Of so many sweeps the second half goes back where there are joints: over joints from the last
 * colour to the first, and in each from its last row to its first. What all of them leave of an
 * error is then left as by a symmetric operator (Sheldon 1955, "On the numerical solution of
 * elliptic difference equations"), without the modes that turn round and round; those are what
 * impulses that are carried over, and corrected errors, make swing ever wider: 16 bodies on fixed
 * joints, falling freely, had 400 m/s after 0.4 s. Contacts, which let go, converge faster always
 * one way: towers of thirty fell else. Where sweeps may end early none knows which half it is in,
 * and every second one goes back; that takes more of them. */
bool lode__goes_back(const lode__solve_work *work, const lode__group *group, int sweep, int sweeps)
{
    bool every_second = work->step->settings->exit_below > 0;
    return lode__has_joints(group) &&
           (every_second ? sweep % 2 != 0 : sweep >= sweeps - sweeps / 2);
}

/* Sweeps `begin` to `end` - 1 of so many; in those that go back chunks are what `run_back` does. */
static void add_some(lode__program *out, lode__pass_task task, lode__chunk_fn *run,
                     lode__chunk_fn *run_back, int begin, int end, int sweeps)
{
    for (int i = begin, next; i < end; i = next) {
        bool back = lode__goes_back(out->work, out->group, i, sweeps);
        next = i + 1;
        while (next < end && lode__goes_back(out->work, out->group, next, sweeps) == back)
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

void lode__add_sweeps(lode__program *out, const lode__softness *softness, int begin, int end,
                      int sweeps)
{
    lode__pass_task task = {.kernel = lode__solve_kernel(softness), .softness = softness};
    add_some(out, task, lode__run_chunk, solve_chunk_back, begin, end, sweeps);
}

void lode__iterate(lode__program *out)
{
    int iterations = out->work->step->settings->iterations;
    int calmed = iterations < LODE__CALMED ? iterations : LODE__CALMED;
    lode__add_sweeps(out, &out->work->softness, 0, calmed, iterations);
    lode__add_sweeps(out, &out->work->settled, calmed, iterations, iterations);
    lode__measure(out);
}

static void solve_alone(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    lode__alone_solve(task->work->solver, task->group, chunk, task->softness);
}

void lode__iterate_alone(lode__program *out)
{
    int iterations = out->work->step->settings->iterations;
    lode__pass_task task = {.softness = &out->work->softness};
    add_some(out, task, solve_alone, solve_alone, 0, iterations, iterations);
    lode__measure(out);
}

/* Iteration `i` of so many. */
void lode__add_once(lode__program *out, int i, int iterations, bool settled)
{
    const lode__softness *softness = settled ? &out->work->settled : &out->work->softness;
    lode__add_sweeps(out, softness, i, i + 1, iterations);
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
        phase += settled && (i % 2 != 0 || !lode__has_joints(group));
    }
    lode__run_measure(work, group);
}

void lode__iterate_to_bound(const lode__solve_work *work, lode__group *group)
{
    iterate_while(work, group, lode__add_once);
}

void lode__iterate_alone_to_bound(const lode__solve_work *work, lode__group *group)
{
    iterate_while(work, group, add_once_alone);
}

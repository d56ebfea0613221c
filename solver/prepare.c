/* prepare.c: from manifolds and joints to blocks: each kind fills its own, and the kernels then
 * compute what all lanes have in common. */
#include "solver/alone.h"
#include "solver/articulation/limb_direct.h"
#include "solver/contact_blocks.h"
#include "solver/direct.h"
#include "solver/joint_blocks.h"
#include "solver/linkage.h"
#include "solver/nets.h"
#include "solver/plans.h"
#include "solver/softness.h"
#include "solver/standing.h"

typedef struct prepare_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__softness softness;
} prepare_work;

static void prepare_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const prepare_work *work = context;
    if (bucket_is_contact(chunk->bucket))
        lode__contacts_fill(work->solver, work->step, chunk, &work->softness);
    else if (bucket_is_linkage(chunk->bucket))
        lode__linkages_fill(work->solver, work->step, chunk, &work->softness);
    else
        lode__joints_fill(work->solver, work->step, chunk, &work->softness);
    chunk->kernels->prepare(chunk->blocks, chunk->count, chunk->stride, &work->solver->state->lines,
                            &work->softness);
}

void lode__group_prepare(const lode__solver *solver, const lode__step *step,
                         const lode__group *group)
{
    prepare_work work = {solver, step, softness_of(step)};
    for (uint32_t i = group->chunk_begin; i < group->chunk_end; ++i)
        prepare_chunk(&work, &solver->state->chunks[i]);
}

bool lode__row_prepare_run(lode__solver *solver, const lode__step *step)
{
    prepare_work work = {solver, step, softness_of(step)};
    lode__plans_begin(&solver->plans);
    if (solver->standing)
        return true;
    if (!lode__nets_take(solver, step))
        return false;
    lode__blocks_run(solver->state, step->tasks, prepare_chunk, &work);
    bool taken = lode__limbs_take(solver, step) && lode__direct_take(solver, step) &&
                 lode__limb_direct_take(solver, step) &&
                 (!lode__alone_is_wanted(step->settings) || lode__alone_take(solver, step));
    if (taken)
        lode__standing_keep(solver, step);
    return taken;
}

/* bounce.c: restitution, at the end of the step (contact_after.inl has the law).
 *
 * Who strikes several others at once bounces off one after another, until nothing changes any more:
 * of a box that strikes two walls, flat on one of them, each round leaves three fifths of what was
 * missing. An island that has come to rest stays as it is, however long the others of its group go
 * on: manifolds that are off by rounding alone are not touched, nor are planes' joints. */
#include <stdatomic.h>

#include "solver/articulation/limbs.h"
#include "solver/softness.h"
#include "solver/state.h"

enum { ROUNDS = 64 };

typedef struct bounce_work {
    const lode__solver *solver;
    const lode__softness *softness;
    atomic_bool *bounced; /* has anything changed? */
} bounce_work;

static bool has_bounced(const lode__solve_chunk *chunk)
{
    bool bounced = false;
    for (uint32_t i = 0; i < chunk->count; ++i) {
        const lode__contact_block *block = (const void *)(chunk->blocks +
                                                          (size_t)i * chunk->stride);
        for (int lane = 0; lane < LODE_LANES; ++lane)
            bounced = bounced || block->bounced.x[lane] > 0;
    }
    return bounced;
}

static void bounce_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const bounce_work *work = context;
    if (!bucket_is_contact(chunk->bucket) || !chunk->kernels->restitution) /* of limbs */
        return;
    chunk->kernels->restitution(chunk->blocks, chunk->count, chunk->stride,
                                &work->solver->state->lines, work->softness);
    if (has_bounced(chunk))
        atomic_store_explicit(work->bounced, true, memory_order_relaxed);
}

static void settle_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const bounce_work *work = context;
    lode__joints_settle(work->solver, chunk, work->softness);
}

void lode__group_bounce(const lode__solver *solver, const lode__step *step,
                        const lode__softness *relax, lode__group *group)
{
    atomic_bool bounced = solver->state->bounces;
    bounce_work work = {solver, relax, &bounced};
    const lode__pass passes[] = {
        {.chunk = bounce_chunk, .context = &work, .sweeps = 1},
        {.chunk = settle_chunk, .context = &work, .sweeps = 1},
    };
    uint32_t count = lode__joints_must_settle(solver->state) ? 2 : 1;
    for (int i = 0; i < ROUNDS && bounced; ++i) {
        bounced = false;
        lode__passes_run(solver->state, group, step->tasks, passes, count, NULL, NULL);
        if (group->limbs && lode__limbs_bounce(solver, relax, group))
            bounced = true;
    }
}

/* flyers.c: the bodies that nothing touches or holds in this step, listed stretch by stretch where
 * the world's integrator is ballistic: they move on the parabola that gravity makes.
 *
 * Who has a contact, even one that is still a gap, or a joint, moves as its rows say: they are
 * solved for the velocity at the end of the sub-step, and would not hold what moves by another. A
 * limit of speed is kept to by those that move with the velocity that was limited. */
#include "solver/state.h"

static void list_stretch(const lode__solver *solver, lode__stretch *stretch, const void *context)
{
    const uint8_t *held = solver->state->held;
    lode__flyers *out = &solver->state->flyers;
    (void)context;
    stretch->flyer_begin = out->count;
    for (uint32_t line = stretch->line_begin; line < stretch->line_end; ++line) {
        uint32_t slot = solver->state->lines.slot[line];
        if (!held[line] && !(*LODE__AT(body, solver->bodies, flags, slot) & LODE__BODY_LIMITED))
            out->line[out->count++] = (int32_t)line;
    }
    while (out->count % LODE_LANES != 0)
        out->line[out->count++] = 0;
    stretch->flyer_end = out->count;
}

bool lode__flyers_list(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    if (step->settings->integrator != LODE_INTEGRATOR_BALLISTIC)
        return true;
    state->flyers.line = LODE__TAKE(step->arena, int32_t,
                                    lode__padded_most(state, state->lines.count));
    if (!state->flyers.line)
        return false;
    lode__stretches_list(solver, list_stretch, NULL);
    return true;
}

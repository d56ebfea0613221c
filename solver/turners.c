/* turners.c: the bodies that turn by a rule of their own, listed stretch by stretch for the kernels
 * of body_turn.inl. Where there is none, not even the lines are walked. */
#include "core/math.h"
#include "solver/state.h"

enum { TURNS = LODE__BODY_FINITE | LODE__BODY_GYRO_EXPLICIT | LODE__BODY_GYRO_CONSERVING };

/* The unit of inertia is a power of two, as a spinner's. */
static void fill_turner(lode__turner *out, const lode__pool *bodies, uint32_t slot)
{
    const lode__local_mass *local = LODE__AT(body, bodies, local, slot);
    uint32_t flags = *LODE__AT(body, bodies, flags, slot);
    const lode_real *inertia = local->inertia;
    lode_real unit = r_power_of_two(r_max(r_max(inertia[0], inertia[1]), inertia[2]));
    for (int k = 0; k < 6; ++k) {
        out->inertia[k] = inertia[k] / unit;
        out->inv_inertia[k] = local->inv_inertia[k] * unit;
    }
    out->is_explicit = flags & LODE__BODY_GYRO_EXPLICIT ? 1 : 0;
    out->conserves = flags & LODE__BODY_GYRO_CONSERVING ? 1 : 0;
    out->is_finite = flags & LODE__BODY_FINITE ? 1 : 0;
    out->axis = *LODE__AT(body, bodies, turn_axis, slot);
    out->rotation = LODE__AT(body, bodies, pose, slot)->rotation;
}

/* Those of a stretch, padded to whole lanes. */
static void list_stretch(const lode__solver *solver, lode__stretch *stretch, const void *context)
{
    (void)context;
    lode__turners *out = &solver->state->turners;
    stretch->turner_begin = out->count;
    for (uint32_t line = stretch->line_begin; line < stretch->line_end; ++line) {
        uint32_t slot = solver->state->lines.slot[line];
        if (!(*LODE__AT(body, solver->bodies, flags, slot) & TURNS))
            continue;
        fill_turner(&out->turner[out->count], solver->bodies, slot);
        out->line[out->count++] = (int32_t)line;
    }
    out->count = (out->count + LODE_LANES - 1) / LODE_LANES * LODE_LANES;
    stretch->turner_end = out->count;
}

bool lode__turners_list(lode__solver *solver, lode__arena *arena, uint32_t flags_seen)
{
    lode__solve_state *state = solver->state;
    lode__turners *out = &state->turners;
    if (!(flags_seen & TURNS))
        return true;
    uint32_t most = lode__padded_most(state, state->lines.count);
    out->turner = LODE__TAKE_ZEROED(arena, lode__turner, most);
    out->line = LODE__TAKE_ZEROED(arena, int32_t, most);
    if (!out->turner || !out->line)
        return false;
    lode__stretches_list(solver, list_stretch, NULL);
    return true;
}

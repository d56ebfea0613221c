/* spinners.c: the bodies whose inertia is another when they turn, listed stretch by stretch for the
 * kernels that integrate the gyroscopic term and turn the inverse inertia along (body_motion.inl).
 * Cubes and balls are none of them.
 *
 * The inertia turns in each sub-step, as joints are built anew in each: with that of the step's
 * beginning a chain that whips about gains energy without end, however short sub-steps are. What
 * something touches has that of the beginning all the step, which its contacts are prepared for: a
 * rod that turns has another by an order, and their impulses would be too large by as much. So has
 * what is tense, whose stiffness is part of it (solver/nets_tense.c), and all bodies of
 * semi-implicit worlds without joints, of which nobody asks. */
#include "core/math.h"
#include "solver/state.h"

#include <string.h>

/* The gyroscopic kernel's equation does not care about the unit of inertia, but its determinant
 * has the third power: a grain's would vanish and a ship's overflow. A power of two as the unit
 * changes no digit. */
static void fill_inertia(lode__spinner *out, const lode__local_mass *local)
{
    const lode_real *inertia = local->inertia;
    lode_real unit = r_power_of_two(r_max(r_max(inertia[0], inertia[1]), inertia[2]));
    for (int k = 0; k < 6; ++k)
        out->inertia[k] = inertia[k] / unit;
}

/* Those of a stretch, padded to whole lanes. */
static void list_stretch(const lode__solver *solver, lode__stretch *stretch, const void *context)
{
    const bool *spins = context;
    const uint8_t *held = solver->state->held;
    lode__spinners *out = &solver->state->spinners;
    stretch->spinner_begin = out->count;
    stretch->turns = false;
    for (uint32_t line = stretch->line_begin; line < stretch->line_end; ++line) {
        if (!spins[line])
            continue;
        uint32_t slot = solver->state->lines.slot[line];
        const lode__local_mass *local = LODE__AT(body, solver->bodies, local, slot);
        uint32_t flags = *LODE__AT(body, solver->bodies, flags, slot), i = out->count++;
        if (out->any_gyro)
            fill_inertia(&out->spinner[i], local);
        memcpy(out->spinner[i].inv_inertia, local->inv_inertia, sizeof local->inv_inertia);
        out->line[i] = (int32_t)line;
        bool turns = held && !(held[line] & LODE__HELD_TOUCHED);
        out->turns[i] = turns ? (lode_real)1 : (lode_real)0;
        stretch->turns = stretch->turns || turns;
        out->gyro[i] = flags & LODE__BODY_GYROSCOPIC ? (lode_real)1 : (lode_real)0;
    }
    for (; out->count % LODE_LANES != 0; ++out->count) {
        out->spinner[out->count] = (lode__spinner){{0}, {0}};
        out->line[out->count] = 0;
        out->gyro[out->count] = out->turns[out->count] = 0;
    }
    stretch->spinner_end = out->count;
}

bool lode__spinners_list(lode__solver *solver, const bool *spins, lode__arena *arena)
{
    lode__solve_state *state = solver->state;
    lode__spinners *out = &state->spinners;
    uint32_t spinning = 0;
    out->any_gyro = state->flags_seen & LODE__BODY_GYROSCOPIC;
    for (uint32_t line = 1; line < state->lines.count; ++line)
        spinning += spins[line];
    uint32_t most = lode__padded_most(state, spinning);
    if (most == 0)
        return true;
    out->spinner = LODE__TAKE(arena, lode__spinner, most);
    out->line = LODE__TAKE(arena, int32_t, most);
    out->gyro = LODE__TAKE(arena, lode_real, most);
    out->turns = LODE__TAKE(arena, lode_real, most);
    if (!out->spinner || !out->line || !out->gyro || !out->turns)
        return false;
    lode__stretches_list(solver, list_stretch, spins);
    return true;
}

void lode__spinners_keep_stiff(lode__solve_state *state)
{
    lode__spinners *spinners = &state->spinners;
    for (uint32_t i = 0; i < spinners->count; ++i)
        if (state->held[spinners->line[i]] & LODE__HELD_STIFF)
            spinners->turns[i] = 0;
}

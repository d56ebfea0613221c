/* restrain.c: what holds bodies back: speed limits before they move, damping after the step; and
 * how much of gravity acts on them.
 *
 * Few bodies have any of it. Those are listed when the lines are gathered, and nothing is done for
 * the others; where no body has any, not even the list is walked. A limit scales the velocity to
 * the length allowed. Damping is a factor, v (1 - s) / (1 + c h): its second part is the implicit
 * Euler step of v' = -c v, which decays without overshoot at any h. */
#include "core/math.h"
#include "solver/state.h"

enum { RESTRAINED = LODE__BODY_SCALED | LODE__BODY_LIMITED | LODE__BODY_DAMPED };

static void list_line(lode__solve_state *state, uint32_t line, uint32_t flags,
                      const lode__traits *traits)
{
    lode__restraints *out = &state->restraints;
    if (flags & LODE__BODY_SCALED)
        state->lines.force[line].extra_gravity = traits->gravity_scale - 1;
    if (flags & LODE__BODY_LIMITED)
        out->limits[out->limit_count++] = (lode__limit){line, traits->max_linear_speed,
                                                        traits->max_angular_speed};
    if (flags & LODE__BODY_DAMPED)
        out->damped[out->damped_count++] = line;
}

static void list_stretch(const lode__solver *solver, lode__stretch *stretch, const void *context)
{
    (void)context;
    lode__solve_state *state = solver->state;
    stretch->limit_begin = state->restraints.limit_count;
    for (uint32_t line = stretch->line_begin; line < stretch->line_end; ++line) {
        uint32_t slot = state->lines.slot[line];
        uint32_t flags = *LODE__AT(body, solver->bodies, flags, slot);
        if (flags & RESTRAINED)
            list_line(state, line, flags, LODE__AT(body, solver->bodies, traits, slot));
    }
    stretch->limit_end = state->restraints.limit_count;
}

bool lode__restraints_list(lode__solver *solver, lode__arena *arena, uint32_t flags_seen)
{
    lode__solve_state *state = solver->state;
    lode__restraints *out = &state->restraints;
    if (!(flags_seen & RESTRAINED))
        return true;
    out->limits = LODE__TAKE(arena, lode__limit, state->lines.count);
    out->damped = LODE__TAKE(arena, uint32_t, state->lines.count);
    if (!out->limits || !out->damped)
        return false;
    lode__stretches_list(solver, list_stretch, NULL);
    return true;
}

/* A velocity that is not finite stays so: finalise has to see it. */
static lode_vec3 limited(lode_vec3 v, lode_real most)
{
    return v3_length(v) > most ? v3_scale(v3_normalize_or(v, v), most) : v;
}

void lode__speeds_limit(const lode__solve_state *state, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; ++i) {
        const lode__limit *limit = &state->restraints.limits[i];
        lode__velocity *velocity = &state->lines.velocity[limit->line];
        velocity->linear = limited(velocity->linear, limit->linear);
        velocity->angular = limited(velocity->angular, limit->angular);
    }
}

/* Who gains speed by damping below 0 gains no more once its square would not be finite. */
static lode_vec3 damped(lode_vec3 v, lode_real per_step, lode_real per_second, lode_real threshold,
                        lode_real dt)
{
    lode_real factor = (1 - per_step) / (1 + per_second * dt);
    lode_vec3 next = v3_scale(v, factor);
    bool possible = r_abs(factor) <= 1 || r_finite(v3_dot(next, next));
    return possible && v3_length(v) > threshold ? next : v;
}

bool lode__damping_run(lode__solver *solver, const lode__step *step)
{
    const lode__solve_state *state = solver->state;
    for (uint32_t i = 0; i < state->restraints.damped_count; ++i) {
        uint32_t slot = state->lines.slot[state->restraints.damped[i]];
        const lode_damping *d = &LODE__AT(body, solver->bodies, traits, slot)->damping;
        lode__velocity *v = LODE__AT(body, solver->bodies, velocity, slot);
        lode_real slow = LODE__SPEED(step->settings, d->linear_threshold);
        v->linear = damped(v->linear, d->linear_per_step, d->linear_per_second, slow, step->dt);
        v->angular = damped(v->angular, d->angular_per_step, d->angular_per_second,
                            d->angular_threshold, step->dt);
    }
    bool any = state->restraints.damped_count > 0;
    solver->state = NULL;
    return any;
}

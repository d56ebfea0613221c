/* motion.c: what a sub-step does to the lines of bodies: velocities from forces, poses from
 * velocities, by the world's integrator and the bodies' own ways to turn. Of second order, half of
 * what forces do comes before the move and half after it. */
#include "solver/motion.h"

#include "solver/softness.h"
#include "solver/state.h"

static void accelerate(const lode__solver *solver, const lode__step *step,
                       const lode__stretch *stretch, lode_real h)
{
    solver->kernels->integrate_velocity(&solver->state->lines, stretch->line_begin,
                                        stretch->line_end, step->settings->gravity, h);
}

void lode__lines_accelerate(const lode__solver *solver, const lode__step *step,
                            const lode__stretch *stretch, lode_real h)
{
    const lode__solve_state *state = solver->state;
    accelerate(solver, step, stretch, is_second_order(step->settings) ? h * (lode_real)0.5 : h);
    if (state->spinners.any_gyro && stretch->spinner_begin < stretch->spinner_end)
        solver->kernels->gyroscopic(&state->lines, &state->spinners, stretch->spinner_begin,
                                    stretch->spinner_end, h);
    if (stretch->turner_begin < stretch->turner_end)
        solver->kernels->gyroscopic_explicit(&state->lines, &state->turners, stretch->turner_begin,
                                             stretch->turner_end, h);
}

/* See solver/spinners.c. */
void lode__lines_turn_inertia(const lode__solver *solver, const lode__stretch *stretch)
{
    const lode__solve_state *state = solver->state;
    if (stretch->turns)
        solver->kernels->turn_inertia(&state->lines, &state->spinners, stretch->spinner_begin,
                                      stretch->spinner_end);
}

void lode__lines_move(const lode__solver *solver, const lode__step *step,
                      const lode__stretch *stretch, lode_real h)
{
    const lode__solve_state *state = solver->state;
    lode__speeds_limit(state, stretch->limit_begin, stretch->limit_end);
    solver->kernels->integrate_pose(&state->lines, stretch->line_begin, stretch->line_end, h);
    if (stretch->turner_begin < stretch->turner_end)
        solver->kernels->turn(&state->lines, &state->turners, stretch->turner_begin,
                              stretch->turner_end, h);
    if (stretch->flyer_begin < stretch->flyer_end)
        solver->kernels->fly(&state->lines, &state->flyers, stretch->flyer_begin,
                             stretch->flyer_end, step->settings->gravity, h);
}

void lode__lines_accelerate_after(const lode__solver *solver, const lode__step *step,
                                  const lode__stretch *stretch, lode_real h)
{
    lode__lines_turn_inertia(solver, stretch);
    accelerate(solver, step, stretch, h * (lode_real)0.5);
}

void lode__line_move(const lode__dense *lines, uint32_t line, const double *by, uint32_t w,
                     double share)
{
    lode_vec3 way = v3((lode_real)(by[0] * share), (lode_real)(by[w] * share),
                       (lode_real)(by[2 * w] * share));
    lode_vec3 turn = v3((lode_real)(by[3 * w] * share), (lode_real)(by[4 * w] * share),
                        (lode_real)(by[5 * w] * share));
    lode__delta *delta = &lines->delta[line];
    lode_quat *q = &lines->pose[line].rotation, half = {0, turn.x / 2, turn.y / 2, turn.z / 2};
    lode_quat more = q_mul(half, *q);
    delta->linear = v3_add(delta->linear, way);
    delta->angular = v3_add(delta->angular, turn);
    *q = q_normalize((lode_quat){q->w + more.w, q->x + more.x, q->y + more.y, q->z + more.z});
}

/* limb_keep.c: where a step leaves its limbs goes back to the pools. */
#include "core/math.h"
#include "solver/articulation/limbs.h"

#include <math.h>
#include <string.h>

#define LINK(solver, component, slot) LODE__AT(link, (solver)->limbs.links, component, slot)

static bool line_is_finite(const lode__dense *lines, int32_t line)
{
    const lode__velocity *v = &lines->velocity[line];
    return v3_finite(v->linear) && v3_finite(v->angular) && v3_finite(lines->delta[line].linear) &&
           q_finite(lines->pose[line].rotation);
}

void lode__limbs_assert(const lode__solver *solver)
{
    const lode__solve_state *state = solver->state;
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        const lode__limb *limb = &state->limbs[l];
        if (limb->loose)
            continue;
        lode__limb_tell_poses(&state->lines, limb);
        uint32_t links = limb->model->body.plan->link_count;
        bool finite = true;
        for (uint32_t i = 0; i < links; ++i)
            finite = finite && (limb->line[i] <= 0 || line_is_finite(&state->lines, limb->line[i]));
        for (uint32_t i = 0; i < links && !finite; ++i)
            if (limb->line[i] > 0)
                state->lines.velocity[limb->line[i]].linear.x = (lode_real)NAN;
    }
}

static bool is_frozen(const lode__solve_state *state, const lode__limb *limb)
{
    uint32_t first = limb->model->body.plan->root_dofs ? 0 : 1; /* one that moves */
    return state->frozen[limb->line[first]];
}

void lode__limb_stop(const lode__solver *solver, const lode__limb *limb)
{
    for (uint32_t i = 0; i < limb->model->body.plan->link_count; ++i) {
        lode__link_state *state = LINK(solver, state, limb->model->link[i]);
        memset(state->velocity, 0, sizeof state->velocity);
        *LINK(solver, impulses, limb->model->link[i]) = (lode__link_impulses){{{0}}};
        state->a = state->alpha = v3_zero();
    }
}

static lode_real root_mean_square(lode__limb_residual r)
{
    return r.rows > 0 ? r_min(r_sqrt(r.squares / (lode_real)r.rows), REAL_MAX) : 0;
}

static void keep_residual(const lode__solver *solver, const lode__limb *limb)
{
    lode__articulation_numbers *numbers = LODE__AT(articulation, solver->limbs.articulations,
                                                   numbers, limb->slot);
    numbers->residual[0] = root_mean_square(limb->iterated);
    numbers->residual[1] = r_min(limb->iterated.most, REAL_MAX);
    numbers->residual[2] = root_mean_square(limb->residual);
    numbers->residual[3] = r_min(limb->residual.most, REAL_MAX);
}

/* Where there are any, or were. */
static void keep_impulses(const lode__solver *solver, const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count && !limb->idle; ++k)
        memcpy(LINK(solver, impulses, limb->model->link[plan->link_of_dof[k]])->axis[plan->axis[k]],
               limb->dofs[k].impulse, sizeof limb->dofs[k].impulse);
}

void lode__limb_is_kept(const lode__solver *solver, const lode__limb *limb)
{
    keep_residual(solver, limb);
    keep_impulses(solver, limb);
    limb->model->fresh = true;
    limb->model->idle = limb->idle;
}

void lode__limb_drop_forces(const lode__solver *solver, const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    if (!limb->model->pushed) /* as mostly: the plan is not looked at */
        return;
    for (uint32_t i = plan->root_dofs ? 0 : 1; i < plan->link_count; ++i)
        *LODE__AT(body, solver->bodies, force, limb->model->bodies[i]) = (lode__force){0};
    limb->model->pushed = false;
}

void lode__limb_keep(const lode__solver *solver, const lode__step *step, const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    lode_real per_dt = 1 / step->dt;
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        const lode__mb_link *link = &limb->model->body.links[i];
        lode__link_state *state = LINK(solver, state, limb->model->link[i]);
        state->a = v3_scale(v3_sub(mb_v3(link->v), limb->before[i].linear), per_dt);
        state->alpha = v3_scale(v3_sub(mb_v3(link->w), limb->before[i].angular), per_dt);
        state->outside_f = v3_madd(mb_v3(link->force), limb->outside[i].f, per_dt);
        state->outside_n = v3_madd(mb_v3(link->torque), limb->outside[i].n, per_dt);
        memset(state->turn_acceleration, 0, sizeof state->turn_acceleration);
        if (i == 0)
            continue;
        state->turn = mb_q(link->turn);
        lode__link_extra *extra = LINK(solver, extra, limb->model->link[i]);
        if (lode__mb_slides(plan, i))
            extra->slide = mb_v3(link->slide);
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k)
            limb_keep_dof(limb, k, step->dt, state, extra);
    }
    lode__pulls_keep(limb);
    lode__limb_is_kept(solver, limb);
}

void lode__limbs_keep(const lode__solver *solver, const lode__step *step)
{
    const lode__solve_state *state = solver->state;
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        const lode__limb *limb = &state->limbs[l];
        if (limb->loose)
            continue;
        if (is_frozen(state, limb))
            lode__limb_stop(solver, limb);
        else
            lode__limb_keep(solver, step, limb);
    }
}

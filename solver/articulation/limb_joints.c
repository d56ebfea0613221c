/* limb_joints.c: rows of the joints of a limb, of single degrees of freedom, swept like others
 * (limb_sweep.c): limits of drives, stops, frictions, limits of speed (limb_load.c).
 *
 * *A drive's limit.* One that pushes more than it may is corrected by an impulse d on top: of the
 * drive's whole impulse T = P - B q' + d, d is nothing while |T| is within the limit, and else what
 * makes T the limit. By d the speed changes by r d, r the dof's response, so T by (1 - B r) d.
 *
 * *A motor's envelope* bounds the effort E = T + F, F the force by hand, by the speed that it leads
 * to, q' = q'0 + c E with c = r / (1 - B r): both of its lines are solved for E where q' has the
 * sign of E, and where it has the other.
 *
 * *Friction* holds while the impulse that stops the joint is within the static one; else it is
 * -(dynamic + viscous |q'|), of the speed that it leads to. */
#include "solver/articulation/limbs.h"

#include "core/math.h"

#include <string.h>

static uint32_t padded(uint32_t count)
{
    return (count + 7) & ~7u;
}

/* The response of a dof, made when it is first needed in a sub-step. */
static const lode_real *response_of(lode__limb *limb, uint32_t k)
{
    lode__limb_dof *dof = &limb->dofs[k];
    uint32_t n = limb->model->body.plan->dof_count;
    if (!dof->response) {
        dof->response = limb->responses + (size_t)k * padded(n);
        memset(limb->scratch, 0, n * sizeof *limb->scratch);
        limb->scratch[k] = 1;
        lode__mb_solve(&limb->model->body, limb->scratch, dof->response);
    }
    return dof->response;
}

/* An impulse of what these speeds make together. */
static void push(lode__limb *limb, const lode__mb_rate *of, lode_real by)
{
    uint32_t n = limb->model->body.plan->dof_count;
    for (uint32_t t = 0; t < of->count; ++t)
        lode__limb_add(limb->speed, response_of(limb, of->first + t), by * of->by[t], n);
    limb->pushed = true;
}

/* By how much a unit of it changes its own rate. */
static lode_real answer_of(lode__limb *limb, const lode__mb_rate *of)
{
    lode_real sum = 0;
    for (uint32_t t = 0; t < of->count; ++t)
        sum += of->by[t] * lode__mb_rate_by(of, response_of(limb, of->first + t));
    return sum;
}

static bool has_friction(const lode__limb_dof *dof)
{
    return dof->hold > 0 || dof->viscous > 0;
}

/* The impulses of the last sub-step, of rows that there are still. */
void lode__limb_warm_joints(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        lode__limb_dof *dof = &limb->dofs[k];
        if (!lode__limb_has_limit(dof))
            dof->impulse[LODE__DOF_OVER_LIMIT] = 0;
        if (!has_friction(dof))
            dof->impulse[LODE__DOF_FRICTION] = 0;
        if (dof->axis->motion != LODE_MOTION_LIMITED)
            dof->impulse[LODE__DOF_STOPS] = 0;
        bool several = dof->rate.count > 1;
        const lode__mb_rate own = lode__mb_rate_alone(k);
        lode_real all = 0;
        for (int r = 0; r < LODE__LINK_ROWS; ++r)
            all += several && r == LODE__DOF_STOPS ? 0 : dof->impulse[r];
        if (all != 0)
            push(limb, &own, all);
        if (several && dof->impulse[LODE__DOF_STOPS] != 0)
            push(limb, &dof->rate, dof->impulse[LODE__DOF_STOPS]);
    }
}

/* Makes an impulse of a dof another one, whose unit changes what it acts on by `answer`. */
static void set_impulse(lode__limb *limb, uint32_t k, int which, const lode__mb_rate *of,
                        lode_real answer, lode_real to)
{
    lode__limb_dof *dof = &limb->dofs[k];
    lode_real by = to - dof->impulse[which];
    if (by == 0)
        return;
    push(limb, of, by);
    lode_real change = r_abs(by * answer);
    limb->residual.squares += change * change;
    limb->residual.most = r_max(limb->residual.most, change);
    dof->impulse[which] = to;
    limb->idle = false;
}

static void set_own(lode__limb *limb, uint32_t k, int which, lode_real to)
{
    const lode__mb_rate own = lode__mb_rate_alone(k);
    set_impulse(limb, k, which, &own, response_of(limb, k)[k], to);
}

/* The impulse that keeps a rate within lo..hi, by itself. */
static void keep_between(lode__limb *limb, uint32_t k, int which, const lode__mb_rate *of,
                         lode_real lo, lode_real hi)
{
    lode_real impulse = limb->dofs[k].impulse[which];
    lode_real rate = lode__mb_rate_by(of, limb->speed);
    if (impulse == 0 && rate >= lo && rate <= hi)
        return;
    lode_real r = answer_of(limb, of), bare = rate - r * impulse;
    lode_real wanted = bare < lo ? lo : bare > hi ? hi : bare;
    set_impulse(limb, k, which, of, r, (wanted - bare) / r);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

double lode__limb_envelope(const lode__limb_dof *dof, double sign, double idle, double c, double h)
{
    const lode__link_axis *axis = dof->axis;
    double limit = dof->drive_limit, fastest = axis->max_speed;
    double v = sign * idle, r = axis->velocity_resistance * h;
    double s = axis->speed_effort_gradient / h;
    double most = least((limit - r * v) / (1 + r * c), (fastest - v) / (c + s));
    if (v + c * most >= 0)
        return most > 0 ? most : 0;
    most = -v / c; /* braking, until it stands */
    if (r * c < 1)
        most = least(most, (limit + r * v) / (1 - r * c));
    if (s > c)
        most = least(most, (fastest + v) / (s - c));
    return most > 0 ? most : 0;
}

static void limit_drive(lode__limb *limb, uint32_t k)
{
    const lode__limb_dof *dof = &limb->dofs[k];
    lode_real limit = dof->drive_limit, over = dof->impulse[LODE__DOF_OVER_LIMIT];
    if (!lode__limb_has_limit(dof))
        return;
    lode_real all = dof->push - dof->give * limb->speed[k] + over;
    bool enveloped = dof->axis->max_effort > 0;
    if (!enveloped && over == 0 && r_abs(all) <= limit)
        return;
    lode_real r = response_of(limb, k)[k];
    lode_real weight = r_max(1 - dof->give * r, 16 * REAL_EPSILON);
    lode_real bare = all - over * weight, wanted = r_min(r_max(bare, -limit), limit);
    if (enveloped) {
        lode_real c = r / weight, effort = bare + dof->hand;
        lode_real idle = limb->speed[k] - r * over - c * effort;
        lode_real most = (lode_real)lode__limb_envelope(dof, effort < 0 ? -1 : 1, (double)idle,
                                                        (double)c, (double)limb->h);
        wanted = r_min(r_max(effort, -most), most) - dof->hand;
        wanted = most > 0 ? wanted : 0;
    }
    set_own(limb, k, LODE__DOF_OVER_LIMIT, (wanted - bare) / weight);
}

static void rub(lode__limb *limb, uint32_t k)
{
    const lode__limb_dof *dof = &limb->dofs[k];
    if (!has_friction(dof))
        return;
    lode_real r = response_of(limb, k)[k],
              bare = limb->speed[k] - r * dof->impulse[LODE__DOF_FRICTION];
    lode_real stop = -bare / r, most = dof->hold;
    if (r_abs(stop) > dof->hold) {
        lode_real speed = r_max(r_abs(bare) - r * dof->slide, 0) / (1 + r * dof->viscous);
        most = dof->slide + dof->viscous * speed;
    }
    set_own(limb, k, LODE__DOF_FRICTION, r_min(r_max(stop, -most), most));
}

void lode__limb_sweep_joints(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    if (limb->settled)
        return;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__limb_dof *dof = &limb->dofs[k];
        const lode__mb_rate own = lode__mb_rate_alone(k);
        lode_real fastest = dof->axis->max_velocity;
        rub(limb, k);
        limit_drive(limb, k);
        keep_between(limb, k, LODE__DOF_STOPS, &dof->rate, dof->lo, dof->hi);
        keep_between(limb, k, LODE__DOF_SPEED_LIMIT, &own, -fastest, fastest);
    }
}

/* Does a dof have the speed that all of its rows leave it? */
static bool is_left_alone(const lode__limb *limb, uint32_t k)
{
    const lode__limb_dof *dof = &limb->dofs[k];
    const lode__mb_dof *dofs = limb->model->body.dofs;
    lode_real v = dofs[k].speed[0], rate = 0;
    for (uint32_t t = 0; t < dof->rate.count; ++t)
        rate += dof->rate.by[t] * dofs[dof->rate.first + t].speed[0];
    lode_real fastest = limb->model->asked[k].max_velocity;
    bool driven = !limb->model->driven || !lode__limb_has_limit(dof) ||
                  (!(dof->axis->max_effort > 0) &&
                   r_abs(dof->push - dof->give * v) <= dof->drive_limit);
    return driven & !has_friction(dof) & (rate >= dof->lo) & (rate <= dof->hi) & (v >= -fastest) &
           (v <= fastest);
}

bool lode__limb_is_quiet(const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    bool quiet = limb->idle;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count && quiet; ++k)
        quiet = is_left_alone(limb, k);
    return quiet;
}

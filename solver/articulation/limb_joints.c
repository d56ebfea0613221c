/* limb_joints.c: rows of the joints of a limb, of single degrees of freedom, swept like others
 * (limb_sweep.c): limits of drives, stops, frictions, limits of speed (limb_load.c).
 *
 * *A drive's limit.* Within it a drive is a spring with a damper in the tree, so that the drives
 * of an arm need no sweeps, however stiff. One that was at its limit in the sub-step before, or
 * comes to be beyond it, is set aside: it leaves the tree, and its row has all of its impulse T,
 * which solves T = P - B q' within the limit. What would be beyond is known before rows are swept,
 * or found between sweeps. Then what rows of joints have done is taken back, the drive's impulse
 * becomes its row's, by which no speed changes, and what rows answer is found anew. (To leave it
 * in the tree, and take back what is too much by an impulse on top, does not converge: with that
 * impulse d, T grows by (1 - B r) d, r the dof's response, so by next to nothing where the drive
 * is stiff, and what d and a contact do to each other is of opposite signs.)
 *
 * *A motor's envelope* bounds the effort E = T + F, F the force by hand, by the speed that it leads
 * to, q' = q'0 + r E: both of its lines are solved for E where q' has the sign of E, and where it
 * has the other.
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

/* So many times the impulses that the rows of a dof have, but for its drive's. */
static void push_rows(lode__limb *limb, uint32_t k, lode_real times)
{
    const lode__limb_dof *dof = &limb->dofs[k];
    const lode__mb_rate own = lode__mb_rate_alone(k);
    bool several = dof->rate.count > 1;
    lode_real all = 0;
    for (int r = LODE__DOF_FRICTION; r < LODE__LINK_ROWS; ++r)
        all += several && r == LODE__DOF_STOPS ? 0 : dof->impulse[r];
    if (all != 0)
        push(limb, &own, times * all);
    if (several && dof->impulse[LODE__DOF_STOPS] != 0)
        push(limb, &dof->rate, times * dof->impulse[LODE__DOF_STOPS]);
}

/* The impulses of the last sub-step, of rows that there are still. Those of drives act already. */
void lode__limb_warm_joints(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        lode__limb_dof *dof = &limb->dofs[k];
        if (!lode__limb_has_limit(dof))
            dof->impulse[LODE__DOF_AT_LIMIT] = 0;
        if (!has_friction(dof))
            dof->impulse[LODE__DOF_FRICTION] = 0;
        if (dof->axis->motion != LODE_MOTION_LIMITED)
            dof->impulse[LODE__DOF_STOPS] = 0;
        push_rows(limb, k, 1);
    }
}

/* Makes an impulse another one, whose unit changes what it acts on by `answer`. */
static void set_impulse(lode__limb *limb, lode_real *impulse, const lode__mb_rate *of,
                        lode_real answer, lode_real to)
{
    lode_real by = to - *impulse;
    if (by == 0)
        return;
    push(limb, of, by);
    lode_real change = r_abs(by * answer);
    limb->residual.squares += change * change;
    limb->residual.most = r_max(limb->residual.most, change);
    *impulse = to;
    limb->idle = false;
}

/* One of a dof alone. */
static void set_own(lode__limb *limb, uint32_t k, lode_real *impulse, lode_real to)
{
    const lode__mb_rate own = lode__mb_rate_alone(k);
    set_impulse(limb, impulse, &own, response_of(limb, k)[k], to);
}

/* The impulse that keeps a rate within lo..hi, by itself. */
static void keep_between(lode__limb *limb, uint32_t k, int which, const lode__mb_rate *of,
                         lode_real lo, lode_real hi)
{
    lode_real *impulse = &limb->dofs[k].impulse[which];
    lode_real rate = lode__mb_rate_by(of, limb->speed);
    if (*impulse == 0 && rate >= lo && rate <= hi)
        return;
    lode_real r = answer_of(limb, of), bare = rate - r * *impulse;
    lode_real wanted = bare < lo ? lo : bare > hi ? hi : bare;
    set_impulse(limb, impulse, of, r, (wanted - bare) / r);
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

/* What the limit leaves of an impulse that a drive would give, where the speed is `idle` without
 * any effort, and c what a unit of it adds. */
static lode_real within_limit(const lode__limb *limb, const lode__limb_dof *dof, lode_real asked,
                              lode_real idle, lode_real c)
{
    lode_real limit = dof->drive_limit;
    if (!(dof->axis->max_effort > 0))
        return r_min(r_max(asked, -limit), limit);
    lode_real effort = asked + dof->hand;
    lode_real most = (lode_real)lode__limb_envelope(dof, effort < 0 ? -1 : 1, (double)idle,
                                                    (double)c, (double)limb->h);
    if (r_abs(effort) <= most)
        return asked;
    return most > 0 ? (effort < 0 ? -most : most) - dof->hand : 0;
}

static void limit_drive(lode__limb *limb, uint32_t k)
{
    lode__limb_dof *dof = &limb->dofs[k];
    if (!dof->aside)
        return;
    lode_real r = response_of(limb, k)[k], bare = limb->speed[k] - r * dof->drive;
    lode_real asked = (dof->push - dof->give * bare) / (1 + dof->give * r);
    lode_real gives = within_limit(limb, dof, asked, bare - r * dof->hand, r);
    dof->impulse[LODE__DOF_AT_LIMIT] = gives == asked ? 0 : gives;
    set_own(limb, k, &dof->drive, gives);
}

static void rub(lode__limb *limb, uint32_t k)
{
    lode__limb_dof *dof = &limb->dofs[k];
    if (!has_friction(dof))
        return;
    lode_real r = response_of(limb, k)[k],
              bare = limb->speed[k] - r * dof->impulse[LODE__DOF_FRICTION];
    lode_real stop = -bare / r, most = dof->hold;
    if (r_abs(stop) > dof->hold) {
        lode_real speed = r_max(r_abs(bare) - r * dof->slide, 0) / (1 + r * dof->viscous);
        most = dof->slide + dof->viscous * speed;
    }
    set_own(limb, k, &dof->impulse[LODE__DOF_FRICTION], r_min(r_max(stop, -most), most));
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

/* Would a drive in the tree be beyond its limit at this speed? */
static bool is_beyond(const lode__limb *limb, const lode__limb_dof *dof, lode_real speed)
{
    const lode__link_axis *axis = dof->axis;
    if (dof->aside || !lode__limb_has_limit(dof))
        return false;
    lode_real all = dof->push - dof->give * speed;
    if (!(axis->max_effort > 0))
        return r_abs(all) > dof->drive_limit;
    lode_real effort = r_abs(all + dof->hand), fast = r_abs(speed);
    return effort > dof->drive_limit - axis->velocity_resistance * limb->h * fast ||
           fast > axis->max_speed - axis->speed_effort_gradient * effort / limb->h;
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
    bool able = !limb->model->driven || !is_beyond(limb, dof, v);
    return able & !has_friction(dof) & (rate >= dof->lo) & (rate <= dof->hi) & (v >= -fastest) &
           (v <= fastest);
}

bool lode__limb_find_at_limit(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    bool any = false;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        lode__limb_dof *dof = &limb->dofs[k];
        const lode__mb_dof *moves = &limb->model->body.dofs[k];
        lode_real speed = moves->speed[0] + moves->change[0] * limb->h;
        if (!is_beyond(limb, dof, speed))
            continue;
        dof->impulse[LODE__DOF_AT_LIMIT] = dof->push - dof->give * speed;
        any = true;
    }
    return any;
}

/* Takes back what rows of joints have done. */
static void undo_rows(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        push_rows(limb, k, -1);
        for (int r = LODE__DOF_FRICTION; r < LODE__LINK_ROWS; ++r)
            limb->dofs[k].impulse[r] = 0;
    }
}

static void set_aside(lode__limb *limb, uint32_t k)
{
    lode__limb_dof *dof = &limb->dofs[k];
    dof->drive = dof->push - dof->give * limb->speed[k];
    dof->aside = true;
    limb->model->body.dofs[k].more[0] = limb->model->asked[k].armature;
}

bool lode__limb_let_go(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    bool any = false;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count && !limb->settled; ++k) {
        limb->dofs[k].beyond = is_beyond(limb, &limb->dofs[k], limb->speed[k]);
        any = any || limb->dofs[k].beyond;
    }
    if (!any)
        return false;
    undo_rows(limb); /* a stop has pushed against what does not give */
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        if (limb->dofs[k].beyond)
            set_aside(limb, k);
        limb->dofs[k].response = NULL;
    }
    limb->whips = false; /* the energy noted is that of what moves with it in the tree */
    lode__mb_kernels_one.factor(&limb->model->body);
    lode__pulls_respond(limb);
    limb->idle = false;
    return true;
}

bool lode__limb_is_quiet(const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    bool quiet = limb->idle;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count && quiet; ++k)
        quiet = is_left_alone(limb, k);
    return quiet;
}

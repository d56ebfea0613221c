/* limb_joints.c: what the joints of a limb ask for: drives, stops, frictions, limits of speed.
 * Rows of single degrees of freedom, swept like others (limb_sweep.c).
 *
 * *Drives* become part of the mass matrix (limbs.h). One of which B is above 1e5 times the
 * inertia it moves (1e3 in single precision) is as stiff as that: it is where it should be all the
 * same, and the digits are left by which its limit is known. So is one that is far from its target
 * no farther than it can go in a few sub-steps with all its force. Of several turns the
 * error is 2 Im(q^-1 target) by the shorter way, twice the sine of half the angle along its axis.
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
#include "solver/articulation/coordinates.h"

#include <math.h>
#include <string.h>

#define LINK(solver, component, slot) LODE__AT(link, (solver)->limbs.links, component, slot)
#define HEAD(solver, slot) LODE__AT(articulation, (solver)->limbs.articulations, head, slot)

/* Of B by inertia: the most. */
#define STIFFEST (sizeof(lode_real) == sizeof(double) ? (lode_real)1e5 : (lode_real)1e3)

static uint32_t padded(uint32_t count)
{
    return (count + 7) & ~7u;
}

/* ---- loading */

static uint32_t link_of(const lode__limb *limb, uint32_t k)
{
    return limb->model->body.plan->link_of_dof[k];
}

/* Mostly no joint has one, and that is known. */
static lode_real force_by_hand(const lode__solver *solver, const lode__limb *limb, uint32_t k)
{
    const lode__model *model = limb->model;
    int axis = model->body.plan->axis[k];
    return model->handed ? LINK(solver, extra, model->link[link_of(limb, k)])->force[axis] : 0;
}

static void load_axis(const lode__solver *solver, const lode__limb *limb, uint32_t k)
{
    uint32_t slot = limb->model->link[link_of(limb, k)];
    int a = limb->model->body.plan->axis[k];
    lode__limb_dof *dof = &limb->dofs[k];
    lode__mb_dof *out = &limb->model->body.dofs[k];
    dof->axis = &LINK(solver, axes, slot)->axis[a];
    dof->response = NULL;
    out->effort[0] = force_by_hand(solver, limb, k);
    dof->hand = out->effort[0] * limb->h;
    out->more[0] = limb->model->asked[k].armature;
}

/* Of the link alone. */
static lode_real least_inertia(const lode__limb *limb, uint32_t k)
{
    const lode__mb_dof *dof = &limb->model->body.dofs[k];
    const lode__mb_link *link = &limb->model->body.links[link_of(limb, k)];
    lode_vec3 v = mb_v3(dof->s_v), w = mb_v3(dof->s_w);
    return v3_dot(v, v) * link->mass[0] + v3_dot(w, s3_mul(link->moment, w)) + dof->more[0];
}

/* Must the drive know what inertia it moves? */
static bool asks_for_inertia(const lode__limb *limb, uint32_t k)
{
    const lode__link_axis *axis = limb->dofs[k].axis;
    if (axis->drive != LODE_DRIVE_FORCE)
        return axis->drive == LODE_DRIVE_ACCELERATION;
    lode_real give = limb->h * (limb->h * axis->stiffness + axis->damping);
    return give > LODE__LIMB_STIFF * least_inertia(limb, k);
}

/* The inertia that a dof has while all others give way: of the tree without drives. */
static lode_real own_inertia(const lode__limb *limb, uint32_t k)
{
    uint32_t n = limb->model->body.plan->dof_count;
    lode_real *unit = limb->scratch, *out = limb->scratch + padded(n);
    memset(unit, 0, n * sizeof *unit);
    unit[k] = 1;
    lode__mb_solve(&limb->model->body, unit, out);
    return out[k] > 0 ? 1 / out[k] : 0;
}

/* What is missing to the target. */
static lode_real missing(const lode__solver *solver, const lode__limb *limb, uint32_t k)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    const lode__limb_dof *dof = &limb->dofs[k];
    uint32_t i = link_of(limb, k), slot = limb->model->link[i];
    if (plan->axis[k] >= LODE__MB_FIRST_SLIDE || plan->angles[i] < 2)
        return dof->axis->target - limb->model->body.dofs[k].position[0];
    const lode__link_axis *axis = LINK(solver, axes, slot)->axis;
    lode_quat target = lode__turn_by_vector((lode_vec3){axis[LODE_AXIS_TWIST].target,
                                                        axis[LODE_AXIS_SWING1].target,
                                                        axis[LODE_AXIS_SWING2].target});
    lode_quat way = q_mul(q_conj(mb_q(limb->model->body.links[i].turn)), target);
    lode_real by = way.w < 0 ? -2 : 2;
    return by * (plan->axis[k] == LODE_AXIS_TWIST    ? way.x
                 : plan->axis[k] == LODE_AXIS_SWING1 ? way.y
                                                     : way.z);
}

/* No more than `most` from nothing. */
static lode_real near(lode_real x, lode_real most)
{
    return r_min(r_max(x, -most), most);
}

static void load_drive(const lode__solver *solver, const lode__limb *limb, uint32_t k,
                       bool impulses)
{
    lode__limb_dof *dof = &limb->dofs[k];
    const lode__link_axis *axis = dof->axis;
    lode__mb_dof *out = &limb->model->body.dofs[k];
    lode_real h = limb->h, stiffness = axis->stiffness, damping = axis->damping;
    dof->give = dof->push = dof->drive_limit = 0;
    if (axis->drive == LODE_DRIVE_NONE)
        return;
    lode_real lack = missing(solver, limb, k), speed = out->speed[0];
    lode_real most = axis->max_effort > 0 ? axis->max_effort : axis->max_force;
    most = impulses ? most / h : most;
    if (asks_for_inertia(limb, k)) {
        lode_real inertia = own_inertia(limb, k);
        lode_real by = axis->drive == LODE_DRIVE_ACCELERATION ? inertia : 1;
        lode_real give = h * (h * stiffness + damping) * by, stiffest = STIFFEST * inertia;
        lode_real cut = give > stiffest ? stiffest / give : 1;
        stiffness *= by * cut;
        damping *= by * cut;
        if (cut < 1 && stiffness > 0)
            lack = near(lack, most / stiffness + 4 * h * (r_abs(speed) + h * most / inertia));
    }
    dof->give = h * (h * stiffness + damping);
    dof->push = h * (stiffness * lack + damping * axis->target_velocity);
    dof->drive_limit = most * h;
    out->effort[0] += stiffness * (lack - h * speed) + damping * (axis->target_velocity - speed);
}

/* A stop that would be crossed lets the dof come to it and no further; one that has been crossed
 * takes back the share `erp`. */
static void load_stops(const lode__limb *limb, uint32_t k, lode_real erp)
{
    lode__limb_dof *dof = &limb->dofs[k];
    const lode__model_dof *asked = &limb->model->asked[k];
    lode_real h = limb->h, q = limb->model->body.dofs[k].position[0];
    dof->lo = asked->lo;
    dof->hi = asked->hi;
    if (!limb->model->stopped) /* they are infinite */
        return;
    lode_real under = asked->lo - q, over = asked->hi - q;
    dof->lo = (under > 0 ? erp * under : under) / h;
    dof->hi = (over < 0 ? erp * over : over) / h;
}

static void load_friction(const lode__solver *solver, lode__limb *limb, uint32_t k)
{
    lode__limb_dof *dof = &limb->dofs[k];
    const lode__link_joint *joint = LINK(solver, joint, limb->model->link[link_of(limb, k)]);
    dof->hold = dof->axis->static_friction * limb->h;
    dof->slide = dof->axis->dynamic_friction * limb->h;
    dof->viscous = dof->axis->viscous_friction * limb->h;
    limb->rubs = limb->rubs || joint->friction > 0;
}

static void load_drives(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    bool impulses = HEAD(work->solver, limb->slot)->flags & LODE__ARTICULATION_IMPULSES;
    bool asks = false;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
        asks = asks || asks_for_inertia(limb, k);
    if (asks)
        lode__mb_kernels_one.factor(&limb->model->body);
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
        load_drive(work->solver, limb, k, impulses);
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
        limb->model->body.dofs[k].more[0] += limb->dofs[k].give;
}

void lode__limb_load_joints(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    limb->rubs = false;
    for (uint32_t k = 0; k < plan->root_dofs; ++k)
        limb->model->body.dofs[k].effort[0] = 0;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        lode__limb_dof *dof = &limb->dofs[k];
        load_axis(work->solver, limb, k);
        load_stops(limb, k, LODE__LIMB_ERP);
        dof->hold = dof->slide = dof->viscous = dof->give = dof->push = dof->drive_limit = 0;
        if (limb->model->rubs)
            load_friction(work->solver, limb, k);
    }
    if (limb->model->driven)
        load_drives(work, limb);
}

/* Friction that is a share of what the joint bears: the force and the moment at its end in the link
 * that give the link, and those below it, the accelerations they have (the recursive Newton-Euler
 * algorithm, Featherstone 2008, ch. 5). Rows are not in it yet. */
void lode__limb_load_frictions(const lode__solver *solver, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    lode__mb_link *links = limb->model->body.links;
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        lode__mb_link *l = &links[i];
        lode_vec3 w = mb_v3(l->w), spin = s3_mul(l->moment, w);
        lode_vec3 turning = v3_add(s3_mul(l->moment, mb_v3(l->alpha)), v3_cross(w, spin));
        mb_put3(l->bias_f, v3_sub(v3_scale(mb_v3(l->a), l->mass[0]), mb_v3(l->force)));
        mb_put3(l->bias_n, v3_sub(turning, mb_v3(l->torque)));
    }
    for (uint32_t i = plan->link_count; --i > 0;) {
        lode__mb_link *l = &links[i], *p = &links[plan->parent[i]];
        lode_vec3 f = mb_v3(l->bias_f), n = mb_v3(l->bias_n);
        lode_real borne = v3_length(f) + v3_length(v3_add(n, v3_cross(mb_v3(l->lever), f)));
        mb_put3(p->bias_f, v3_add(mb_v3(p->bias_f), f));
        mb_put3(p->bias_n, v3_add(v3_add(mb_v3(p->bias_n), n), v3_cross(mb_v3(l->arm), f)));
        lode_real share = LINK(solver, joint, limb->model->link[i])->friction;
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
            lode__limb_dof *dof = &limb->dofs[k];
            if (dof->hold == 0 && dof->viscous == 0)
                dof->hold = dof->slide = share * borne * limb->h;
        }
    }
}

/* ---- rows */

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

static void push(lode__limb *limb, uint32_t k, lode_real by)
{
    lode__limb_add(limb->speed, response_of(limb, k), by, limb->model->body.plan->dof_count);
    limb->pushed = true;
}

static bool has_limit(const lode__limb_dof *dof)
{
    return dof->give > 0 && lode__axis_drive_is_limited(dof->axis);
}

static bool has_friction(const lode__limb_dof *dof)
{
    return dof->hold > 0 || dof->viscous > 0;
}

void lode__limb_weigh_drives(lode__limb *limb, bool held)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__limb_dof *dof = &limb->dofs[k];
        bool gives = held && dof->impulse[LODE__DOF_OVER_LIMIT] == 0;
        if (has_limit(dof))
            limb->model->body.dofs[k].more[0] = limb->model->asked[k].armature + dof->viscous +
                                                (gives ? dof->give : 0);
    }
}

bool lode__limb_set_aside(const lode__solver *solver, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    bool any = false;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__limb_dof *dof = &limb->dofs[k];
        lode__mb_dof *out = &limb->model->body.dofs[k];
        if (has_limit(dof))
            out->effort[0] = force_by_hand(solver, limb, k);
        if (dof->viscous > 0) {
            out->effort[0] -= dof->axis->viscous_friction * out->speed[0];
            out->more[0] += dof->viscous;
        }
        any = any || has_limit(dof) || dof->viscous > 0;
    }
    lode__limb_weigh_drives(limb, false);
    return any;
}

/* The impulses of the last sub-step, of rows that there are still. */
void lode__limb_warm_joints(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        lode__limb_dof *dof = &limb->dofs[k];
        if (!has_limit(dof))
            dof->impulse[LODE__DOF_OVER_LIMIT] = 0;
        if (!has_friction(dof))
            dof->impulse[LODE__DOF_FRICTION] = 0;
        if (dof->axis->motion != LODE_MOTION_LIMITED)
            dof->impulse[LODE__DOF_STOPS] = 0;
        lode_real all = 0;
        for (int r = 0; r < LODE__LINK_ROWS; ++r)
            all += dof->impulse[r];
        if (all != 0)
            push(limb, k, all);
    }
}

/* Makes an impulse of a dof another one. */
static void set_impulse(lode__limb *limb, uint32_t k, int which, lode_real to)
{
    lode__limb_dof *dof = &limb->dofs[k];
    lode_real by = to - dof->impulse[which];
    if (by == 0)
        return;
    push(limb, k, by);
    lode_real change = r_abs(by * dof->response[k]);
    limb->residual.squares += change * change;
    limb->residual.most = r_max(limb->residual.most, change);
    dof->impulse[which] = to;
    limb->idle = false;
}

/* The impulse that keeps the speed within lo..hi, by itself. */
static void keep_between(lode__limb *limb, uint32_t k, int which, lode_real lo, lode_real hi)
{
    const lode__limb_dof *dof = &limb->dofs[k];
    if (dof->impulse[which] == 0 && limb->speed[k] >= lo && limb->speed[k] <= hi)
        return;
    lode_real r = response_of(limb, k)[k], bare = limb->speed[k] - r * dof->impulse[which];
    lode_real wanted = bare < lo ? lo : bare > hi ? hi : bare;
    set_impulse(limb, k, which, (wanted - bare) / r);
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
    if (!has_limit(dof))
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
    set_impulse(limb, k, LODE__DOF_OVER_LIMIT, (wanted - bare) / weight);
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
    set_impulse(limb, k, LODE__DOF_FRICTION, r_min(r_max(stop, -most), most));
}

void lode__limb_sweep_joints(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__limb_dof *dof = &limb->dofs[k];
        lode_real fastest = dof->axis->max_velocity;
        rub(limb, k);
        limit_drive(limb, k);
        keep_between(limb, k, LODE__DOF_STOPS, dof->lo, dof->hi);
        keep_between(limb, k, LODE__DOF_SPEED_LIMIT, -fastest, fastest);
    }
}

/* Does a dof have the speed that all of its rows leave it? */
static bool is_left_alone(const lode__limb *limb, uint32_t k)
{
    const lode__limb_dof *dof = &limb->dofs[k];
    lode_real v = limb->model->body.dofs[k].speed[0];
    lode_real fastest = limb->model->asked[k].max_velocity;
    bool driven = !limb->model->driven || !has_limit(dof) ||
                  (!(dof->axis->max_effort > 0) &&
                   r_abs(dof->push - dof->give * v) <= dof->drive_limit);
    return driven & !has_friction(dof) & (v >= dof->lo) & (v <= dof->hi) & (v >= -fastest) &
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

/* A stop that has been crossed pushes no more. */
void lode__limb_relax_joints(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
        load_stops(limb, k, 0);
}

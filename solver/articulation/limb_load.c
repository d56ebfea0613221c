/* limb_load.c: what the joints of a limb ask for in a sub-step, of the limb as it stands: drives,
 * which become part of the mass matrix (limbs.h), stops and frictions, whose rows are swept
 * (limb_joints.c) or solved to the end (limb_direct_joints.c).
 *
 * *Drives.* One of which B is above 1e5 times the inertia it moves (1e3 in single precision) is as
 * stiff as that: it is where it should be all the same, and the digits are left by which its limit
 * is known. So is one that is far from its target no farther than it can go in a few sub-steps with
 * all its force. Of several turns the error is 2 Im(q^-1 target) by the shorter way, twice the sine
 * of half the angle along its axis.
 *
 * *Stops* hold the rate at which a position changes, which several turns make together
 * (coordinates.h). */
#include "solver/articulation/limbs.h"

#include "core/math.h"

#include <string.h>

#define LINK(solver, component, slot) LODE__AT(link, (solver)->limbs.links, component, slot)
#define HEAD(solver, slot) LODE__AT(articulation, (solver)->limbs.articulations, head, slot)

/* Of B by inertia: the most. */
#define STIFFEST (sizeof(lode_real) == sizeof(double) ? (lode_real)1e5 : (lode_real)1e3)

static uint32_t padded(uint32_t count)
{
    return (count + 7) & ~7u;
}

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
    if (!lode__mb_is_of_several(plan, k))
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
    }
    dof->give = h * (h * stiffness + damping);
    dof->push = h * (stiffness * lack + damping * axis->target_velocity);
    dof->drive_limit = most * h;
    lode_real at_limit = dof->impulse[LODE__DOF_AT_LIMIT];
    dof->aside = at_limit != 0 && lode__limb_has_limit(dof);
    if (dof->aside)
        dof->drive = near(at_limit, dof->drive_limit);
    out->effort[0] += dof->aside ? dof->drive / h
                                 : stiffness * (lack - h * speed) +
                                       damping * (axis->target_velocity - speed);
}

/* By how much a position is outside its stops. */
static lode_real outside(const lode__model_dof *asked, lode_real q)
{
    return r_max(r_max(asked->lo - q, q - asked->hi), 0);
}

/* Of one of several turns its position, or that the other way round where this is less outside: at
 * half a turn the one becomes the other, and what a stop holds would be far beyond another. */
static lode_real find_rate(const lode__limb *limb, uint32_t k, lode_real q, lode__mb_rate *out)
{
    const lode__multibody *tree = &limb->model->body;
    const lode__model_dof *asked = &limb->model->asked[k];
    lode_real beyond = outside(asked, q), other = q;
    bool longer = beyond > 0 && lode__mb_other_position(tree, k, &other) &&
                  outside(asked, other) < beyond;
    *out = lode__mb_rate_of(tree, k, longer);
    return longer ? other : q;
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
    lode__mb_rate_put_alone(&dof->rate, k);
    if (!limb->model->stopped) /* they are infinite */
        return;
    if (lode__mb_is_of_several(limb->model->body.plan, k))
        q = find_rate(limb, k, q, &dof->rate);
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
        limb->model->body.dofs[k].more[0] += limb->dofs[k].aside ? 0 : limb->dofs[k].give;
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
        dof->hold = dof->slide = dof->viscous = 0;
        dof->give = dof->push = dof->drive_limit = dof->drive = 0;
        dof->aside = false;
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

/* ---- and drives that have a limit */

void lode__limb_weigh_drives(lode__limb *limb, bool held)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__limb_dof *dof = &limb->dofs[k];
        bool gives = held && dof->impulse[LODE__DOF_AT_LIMIT] == 0;
        if (lode__limb_has_limit(dof))
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
        if (lode__limb_has_limit(dof))
            out->effort[0] = force_by_hand(solver, limb, k);
        if (dof->viscous > 0) {
            out->effort[0] -= dof->axis->viscous_friction * out->speed[0];
            out->more[0] += dof->viscous;
        }
        any = any || lode__limb_has_limit(dof) || dof->viscous > 0;
    }
    lode__limb_weigh_drives(limb, false);
    return any;
}

/* A stop that has been crossed pushes no more. */
void lode__limb_relax_joints(lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
        load_stops(limb, k, 0);
}

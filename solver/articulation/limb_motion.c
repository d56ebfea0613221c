/* limb_motion.c: the sub-steps of limbs, but for their rows: forces, and speeds from them; poses
 * from speeds, and lines with them. */
#include "core/math.h"
#include "solver/articulation/coordinates.h"
#include "solver/articulation/dynamics.h"
#include "solver/articulation/loose.h"

#include <string.h>

/* The share by which speeds of what whips may be changed so that rows of its joints are swept all
 * the same after the move. */
static const lode_real far_stride = (lode_real)0x1p-10;

#define LINK(solver, component, slot) LODE__AT(link, (solver)->limbs.links, component, slot)

/* ---- forces and speeds */

/* Gravity, what acts on it from outside, and its damping, which takes no more than there is. */
static void load_force(const lode__solve_work *work, const lode__limb *limb, uint32_t i)
{
    lode__mb_link *link = &limb->model->body.links[i];
    const lode__model_link *given = &limb->model->given[i];
    const lode__force *by = &work->solver->state->lines.force[limb->line[i]];
    lode_real weight = link->mass[0] * (1 + by->extra_gravity);
    lode_vec3 force = v3_madd(by->force, work->step->settings->gravity, weight);
    lode_real slow = r_min(given->linear_damping, 1 / work->h);
    lode_real still = r_min(given->angular_damping, 1 / work->h);
    force = v3_madd(force, mb_v3(link->v), -slow * link->mass[0]);
    lode_vec3 spin = s3_mul(link->moment, mb_v3(link->w));
    mb_put3(link->force, force);
    mb_put3(link->torque, v3_madd(by->torque, spin, -still));
}

static void load_forces(const lode__solve_work *work, const lode__limb *limb)
{
    const lode__multibody *body = &limb->model->body;
    uint32_t first = body->plan->root_dofs ? 0 : 1;
    mb_put3(body->links[0].force, v3_zero());
    mb_put3(body->links[0].torque, v3_zero());
    for (uint32_t i = first; i < body->plan->link_count; ++i)
        load_force(work, limb, i);
}

static const lode__mb_kernels *kernels_of(const lode__solver *solver)
{
    const lode__mb_kernels *own = *solver->kernels->tree;
    return own ? own : &lode__mb_kernels_one;
}

static void load(const lode__solver *solver, lode__model *model)
{
    lode__model_load(&solver->limbs, model);
    kernels_of(solver)->place(&model->body);
    kernels_of(solver)->speed(&model->body);
}

static void begin_impulses(const lode__solver *solver, lode__limb *limb, uint32_t k)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    const lode__link_impulses *kept = LINK(solver, impulses,
                                           limb->model->link[plan->link_of_dof[k]]);
    for (int r = 0; r < LODE__LINK_ROWS; ++r) {
        limb->dofs[k].impulse[r] = kept->axis[plan->axis[k]][r];
        limb->idle = limb->idle && limb->dofs[k].impulse[r] == 0;
    }
}

/* The limb as the pools have it when the step begins. */
static void begin(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    if (!limb->model->fresh)
        load(work->solver, limb->model);
    limb->model->fresh = limb->model->prepared = false;
    mb_put3(limb->model->body.links[0].slide, v3_zero());
    limb->idle = true;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        limb->dofs[k].speed_begin = limb->model->body.dofs[k].speed[0];
        memset(limb->dofs[k].impulse, 0, sizeof limb->dofs[k].impulse);
        if (!limb->model->idle)
            begin_impulses(work->solver, limb, k);
    }
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        const lode__mb_link *link = &limb->model->body.links[i];
        memcpy(&limb->before[i].linear, link->v, sizeof link->v);
        memcpy(&limb->before[i].angular, link->w, sizeof link->w);
    }
    for (uint32_t i = 0; i < plan->link_count && !limb->loose; ++i) /* else nobody asks */
        limb->turned[i] = v3_zero();
}

void lode__limb_take_speeds(const lode__limb *limb)
{
    for (uint32_t k = 0; k < limb->model->body.plan->dof_count; ++k)
        limb->speed[k] = limb->model->body.dofs[k].speed[0];
}

/* Velocities of the links' lines. */
static void tell_velocities(const lode__dense *lines, const lode__limb *limb)
{
    for (uint32_t i = 0; i < limb->model->body.plan->link_count; ++i) {
        const lode__mb_link *link = &limb->model->body.links[i];
        if (limb->line[i] > 0)
            lines->velocity[limb->line[i]] = (lode__velocity){.linear = mb_v3(link->v),
                                                              .angular = mb_v3(link->w)};
    }
}

/* Does nothing but forces and efforts act on it, in a world that asks for more than the first
 * order? Then its whole sub-step is one that keeps energy (integrate.inl). */
static bool may_fly(const lode__solve_work *work, const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    if (limb->touched || limb->limited || limb->rubs || limb->pulls.count > 0 ||
        work->step->settings->integrator == LODE_INTEGRATOR_SEMI_IMPLICIT)
        return false;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__limb_dof *dof = &limb->dofs[k];
        lode_real rate = 0;
        for (uint32_t t = 0; t < dof->rate.count; ++t)
            rate += r_abs(dof->rate.by[t] * limb->model->body.dofs[dof->rate.first + t].speed[0]);
        bool stops = dof->lo > -2 * rate || dof->hi < 2 * rate;
        bool pushed = false;
        for (int r = 0; r < LODE__LINK_ROWS; ++r)
            pushed = pushed || dof->impulse[r] != 0;
        if (dof->give > 0 || dof->hold > 0 || dof->viscous > 0 || stops || pushed)
            return false;
    }
    return true;
}

/* Forces of the application and efforts act at once, as in semi-implicit Euler: where they follow
 * the pose from step to step, a step of second order would gain energy from them. Gravity is
 * left. */
static void kick(const lode__solve_work *work, const lode__limb *limb)
{
    const lode__multibody *body = &limb->model->body;
    lode_vec3 gravity = work->step->settings->gravity;
    lode_real *effort = limb->scratch;
    for (uint32_t i = 0; i < body->plan->link_count; ++i) {
        lode__mb_link *link = &body->links[i];
        int32_t line = limb->line[i];
        lode_vec3 weight = v3_zero();
        if (line > 0)
            weight = v3_scale(gravity,
                              link->mass[0] *
                                  (1 + work->solver->state->lines.force[line].extra_gravity));
        limb->kicks[i] = (lode__mb_wrench){v3_sub(mb_v3(link->force), weight), mb_v3(link->torque)};
        mb_put3(link->force, weight);
        mb_put3(link->torque, v3_zero());
        limb->outside[i].f = v3_madd(limb->outside[i].f, limb->kicks[i].f, work->h);
        limb->outside[i].n = v3_madd(limb->outside[i].n, limb->kicks[i].n, work->h);
    }
    for (uint32_t k = 0; k < body->plan->dof_count; ++k) {
        effort[k] = body->dofs[k].effort[0];
        body->dofs[k].effort[0] = 0;
    }
    lode__mb_kick(body, limb->kicks, effort, work->h, limb->tree_scratch);
}

/* What impulses along the dofs do, to what is to be in the end. The root's are those of the whole,
 * about its centre. */
static void note_impulses(lode__limb *limb, const lode_real *impulse)
{
    const lode__multibody *body = &limb->model->body;
    lode__mb_kept *kept = &limb->kept;
    for (uint32_t k = 0; k < body->plan->dof_count; ++k) {
        const lode__mb_dof *d = &body->dofs[k];
        kept->energy[0] += impulse[k] * (d->speed_0[0] + d->speed[0]) / 2;
    }
    kept->most[0] = 1;
    if (body->plan->root_dofs == 0)
        return;
    lode_vec3 push = mb_v3(impulse), center = v3_zero();
    lode_vec3 moment = mb_v3(impulse + 3);
    lode_real mass = 0;
    for (uint32_t i = 0; i < body->plan->link_count; ++i) {
        center = v3_madd(center, mb_v3(body->links[i].center), body->links[i].mass[0]);
        mass += body->links[i].mass[0];
    }
    lode_vec3 faster = v3_scale(push, 1 / mass);
    lode_vec3 middle = v3_madd(mb_v3(kept->middle), faster, (lode_real)0.5);
    moment = v3_sub(moment, v3_cross(v3_scale(center, 1 / mass), push));
    kept->energy[0] -= v3_dot(push, middle); /* which is that of the whole */
    mb_put3(kept->turn, v3_add(mb_v3(kept->turn), moment));
    mb_put3(kept->way, v3_add(mb_v3(kept->way), faster));
}

/* And those of rows in this sub-step. */
static void note_rows(lode__limb *limb)
{
    const lode__multibody *body = &limb->model->body;
    const uint32_t n = body->plan->dof_count;
    lode_real *change = limb->scratch, *impulse = limb->scratch + n;
    bool any = false;
    for (uint32_t k = 0; k < n; ++k) {
        const lode__mb_dof *d = &body->dofs[k];
        change[k] = d->speed[0] - (d->speed_0[0] + d->change[0] * limb->h);
        any = any || change[k] != 0;
    }
    if (!any)
        return;
    lode__mb_inverse(body, change, false, NULL, impulse, limb->tree_scratch);
    for (uint32_t k = 0; k < n; ++k)
        impulse[k] += body->dofs[k].more[0] * change[k];
    note_impulses(limb, impulse);
}

/* Drives that rows solve for are none of the tree's, but the velocities in the middle are those
 * that they lead to: the efforts that make q'' of these of q'' of the beginning are the same with
 * them and without. */
static void leave_to_rows(const lode__solver *solver, lode__limb *limb)
{
    const lode__mb_kernels *k = kernels_of(solver);
    const lode__multibody *body = &limb->model->body;
    uint32_t n = body->plan->dof_count;
    lode_real *change = limb->scratch, *effort = limb->speed;
    for (uint32_t d = 0; d < n; ++d)
        change[d] = body->dofs[d].change[0] - change[d];
    lode__mb_inverse(body, change, false, NULL, effort, limb->tree_scratch);
    for (uint32_t d = 0; d < n; ++d)
        effort[d] += body->dofs[d].more[0] * change[d];
    if (!lode__limb_set_aside(solver, limb))
        return;
    k->speed(body);
    limb->whips = lode__mb_kernels_one.note(body, &limb->kept, limb->h);
    for (uint32_t d = 0; d < n; ++d)
        body->dofs[d].effort[0] += effort[d];
    k->factor(body);
    k->accelerate(body, 1);
    for (uint32_t d = 0; d < n; ++d) /* that does no work */
        body->dofs[d].effort[0] -= effort[d];
}

/* q'' without rows, of joints loaded and a tree factored, at the velocities in the middle. Scratch
 * has that of the beginning. */
static void accelerate(const lode__solver *solver, lode__limb *limb)
{
    const lode__mb_kernels *k = kernels_of(solver);
    const lode__multibody *body = &limb->model->body;
    k->accelerate(body, 1);
    if (limb->rubs)
        lode__limb_load_frictions(solver, limb);
    limb->whips = lode__mb_kernels_one.note(body, &limb->kept, limb->h);
    for (uint32_t d = 0; d < body->plan->dof_count && limb->direct; ++d)
        limb->scratch[d] = body->dofs[d].change[0];
    k->middle(body, limb->h);
}

/* With drives set aside that are found to be at their limits. */
static void begin_again(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_kernels *k = kernels_of(work->solver);
    const lode__multibody *body = &limb->model->body;
    k->speed(body);
    lode__limb_load_joints(work, limb);
    k->factor(body);
    limb->idle = false;
}

void lode__limb_accelerate(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_kernels *k = kernels_of(work->solver);
    const lode__multibody *body = &limb->model->body;
    if (work->sub_step == 0)
        begin(work, limb);
    limb->h = work->h;
    limb->whips = limb->settled = false;
    if (limb->loose)
        loose_kernels(work->solver)->weigh(work, limb);
    else
        load_forces(work, limb);
    lode__pulls_load(work, limb);
    lode__limb_load_joints(work, limb);
    k->factor(body);
    limb->flies = may_fly(work, limb);
    if (limb->flies) {
        kick(work, limb);
        lode__mb_kernels_one.step(body, work->h, 1);
        lode__limb_limit_dofs(limb);
        limb->settled = true;
        return;
    }
    accelerate(work->solver, limb);
    if (limb->model->driven && lode__limb_find_at_limit(limb)) {
        begin_again(work, limb);
        accelerate(work->solver, limb);
    }
    if (limb->direct)
        leave_to_rows(work->solver, limb);
    k->hurry(body, work->h);
}

void lode__limbs_accelerate(const lode__solve_work *work, const lode__group *group)
{
    for (uint32_t i = 0; i < group->limbs->limb_count; ++i) {
        lode__limb *limb = group->limbs->limbs[i];
        lode__limb_accelerate(work, limb);
        if (!limb->flies)
            kernels_of(work->solver)->speed(&limb->model->body);
        lode__limb_take_speeds(limb);
        if (!limb->direct)
            lode__limb_warm_joints(limb);
        tell_velocities(&work->solver->state->lines, limb);
    }
}

/* ---- moving */

void lode__limb_give_speeds(lode__limb *limb)
{
    for (uint32_t k = 0; k < limb->model->body.plan->dof_count && limb->pushed; ++k)
        limb->model->body.dofs[k].speed[0] = limb->speed[k];
    if (limb->pushed)
        lode__mb_kernels_one.speed(&limb->model->body);
    limb->pushed = false;
}

void lode__limbs_tell(const lode__solver *solver, const lode__group *group)
{
    for (uint32_t i = 0; i < group->limbs->limb_count; ++i) {
        lode__limb *limb = group->limbs->limbs[i];
        lode__limb_give_speeds(limb);
        if (limb->limited) {
            lode__limb_limit_speeds(solver, limb);
            lode__limb_take_speeds(limb);
        }
        tell_velocities(&solver->state->lines, limb);
    }
}

/* Where the joints have come to of a limb that has flown. */
static void read_positions(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    lode__mb_dof *dofs = limb->model->body.dofs;
    for (uint32_t i = 1; i < plan->link_count; ++i) {
        uint32_t first = plan->first_dof[i], end = plan->first_dof[i + 1];
        for (uint32_t k = first; k < end; ++k)
            limb->scratch[k] = dofs[k].position[0] + work->h * dofs[k].speed[0];
        lode__mb_read_positions(&limb->model->body, i,
                                plan->wraps[i] ? LODE__MB_WRAPPED : LODE__MB_UNWRAPPED,
                                limb->scratch);
        for (uint32_t k = first; k < end; ++k)
            dofs[k].position[0] = limb->scratch[k];
    }
}

/* The lines of the links, as kernels leave those of bodies: the rotation, and the way since the
 * step began. */
void lode__limb_tell_poses(const lode__dense *lines, const lode__limb *limb)
{
    lode_vec3 way = mb_v3(limb->model->body.links[0].slide);
    for (uint32_t i = 0; i < limb->model->body.plan->link_count; ++i) {
        const lode__mb_link *link = &limb->model->body.links[i];
        int32_t line = limb->line[i];
        if (line <= 0)
            continue;
        lode_vec3 from = v3_sub(lines->pose[line].position, limb->root);
        lode__delta *delta = &lines->delta[line];
        delta->linear = v3_add(v3_sub(mb_v3(link->center), from), way);
        delta->angular = limb->turned[i];
        lines->pose[line].rotation = mb_q(link->rotation);
    }
    tell_velocities(lines, limb);
}

void lode__limb_move(const lode__solve_work *work, lode__limb *limb)
{
    const lode__multibody *body = &limb->model->body;
    limb->iterated = limb->residual;
    if (limb->flies) {
        read_positions(work, limb);
        return;
    }
    const lode__mb_kernels *k = kernels_of(work->solver);
    if (limb->whips)
        note_rows(limb);
    k->advance(body, work->h);
    k->place(body);
    k->speed(body);
    if (limb->whips) {
        if (lode__mb_kernels_one.settle(body, &limb->kept, work->h))
            k->place(body);
        k->speed(body);
        lode__limb_take_speeds(limb);
    }
    limb->settled = limb->whips && r_abs(limb->kept.stride[0] - 1) > far_stride;
}

void lode__limbs_move(const lode__solve_work *work, const lode__group *group)
{
    for (uint32_t i = 0; i < group->limbs->limb_count; ++i) {
        lode__limb *limb = group->limbs->limbs[i];
        for (uint32_t k = 0; k < limb->model->body.plan->link_count; ++k)
            limb->turned[k] = v3_madd(limb->turned[k], mb_v3(limb->model->body.links[k].w),
                                      work->h);
        lode__limb_move(work, limb);
        lode__limb_tell_poses(&work->solver->state->lines, limb);
    }
}

/* limbs.c: see limbs.h: articulations in the stages of a step. */
#include "solver/articulation/limbs.h"

#include "core/math.h"
#include "core/union_find.h"
#include "simd/scalar_math.h"

#include <math.h>
#include <string.h>

#define LINK(solver, component, slot) LODE__AT(link, (solver)->limbs.links, component, slot)
#define BODY(solver, component, slot) LODE__AT(body, (solver)->bodies, component, slot)
#define HEAD(solver, slot) LODE__AT(articulation, (solver)->limbs.articulations, head, slot)
#define MODEL(solver, slot) (*LODE__AT(articulation, (solver)->limbs.articulations, model, slot))

/* ---- listing */

static uint32_t body_of(const lode__solver *solver, const lode__model *model, uint32_t link)
{
    return LINK(solver, tie, model->link[link])->body;
}

/* The line of the first link that may move, 0 if it sleeps or is frozen: all do together. */
static int32_t line_of_limb(const lode__solver *solver, const lode__model *model)
{
    int32_t line = 0;
    for (uint32_t i = model->body.plan->root_dofs ? 0 : 1; i < model->body.plan->link_count; ++i) {
        int32_t here = line_of_body(solver->bodies, body_of(solver, model, i));
        if (here <= 0)
            return 0;
        line = line ? line : here;
    }
    return line;
}

static lode__model *awake_model(const lode__solver *solver, uint32_t slot)
{
    bool inserted = HEAD(solver, slot)->flags & LODE__ARTICULATION_INSERTED;
    lode__model *model = inserted ? MODEL(solver, slot) : NULL;
    return model && line_of_limb(solver, model) > 0 ? model : NULL;
}

bool lode__limbs_list(lode__solver *solver, const lode__step *step, uint32_t *parent)
{
    const lode__pool *pool = solver->limbs.articulations;
    lode__solve_state *state = solver->state;
    if (pool->count == 0)
        return true;
    state->limbs = LODE__TAKE(step->arena, lode__limb, pool->count);
    if (!state->limbs)
        return false;
    for (uint32_t a = lode__bits_next(&pool->alive, 0); a != UINT32_MAX;
         a = lode__bits_next(&pool->alive, a + 1)) {
        lode__model *model = awake_model(solver, a);
        if (!model)
            continue;
        uint32_t first = (uint32_t)line_of_limb(solver, model) - 1;
        for (uint32_t i = 0; i < model->body.plan->link_count; ++i) {
            int32_t place = line_of_body(solver->bodies, body_of(solver, model, i));
            if (place > 0)
                lode__union_join(parent, first, (uint32_t)place - 1);
        }
        state->limbs[state->limb_count++] = (lode__limb){.slot = a, .model = model};
    }
    return true;
}

void lode__limbs_mark(const lode__solver *solver, uint32_t *used)
{
    const lode__solve_state *state = solver->state;
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        const lode__model *model = state->limbs[l].model;
        for (uint32_t i = 0; i < model->body.plan->link_count; ++i) {
            int32_t place = line_of_body(solver->bodies, body_of(solver, model, i));
            if (place > 0)
                used[place] = LODE__LIMB_MARK;
        }
    }
}

uint32_t lode__limb_place(const lode__solver *solver, const lode__limb *limb)
{
    return (uint32_t)line_of_limb(solver, limb->model);
}

/* ---- memory */

bool lode__limb_kinds_take(const lode__solver *solver, lode__arena *arena)
{
    lode__solve_state *state = solver->state;
    state->limb_kinds = LODE__TAKE(arena, lode__block_kernels, LODE__KIND_SHARED);
    for (int kind = 0; state->limb_kinds && kind < LODE__KIND_SHARED; ++kind) {
        lode__block_kernels *of = &state->limb_kinds[kind];
        *of = solver->kernels->kinds[kind];
        of->warm_start = of->restitution = NULL;
        for (int f = 0; f < LODE__FRICTIONS; ++f)
            of->solve[f] = NULL;
    }
    return state->limb_kinds;
}

/* Most rows that a lane of a chunk can have. */
static uint32_t most_rows(const lode__solve_chunk *chunk)
{
    enum { POINT_ROWS = 6 };
    if (bucket_is_contact(chunk->bucket))
        return (uint32_t)(chunk->bucket % LODE__MANIFOLD_POINTS + 1) * POINT_ROWS;
    return (uint32_t)lode__bucket_rows(chunk->bucket - LODE__BUCKET_JOINT);
}

static uint32_t padded(uint32_t count)
{
    return (count + 7) & ~7u;
}

static bool take_limb(lode__limb *limb, const lode__solver *solver, lode__arena *arena)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    uint32_t n = plan->dof_count, wide = padded(n);
    limb->line = LODE__TAKE(arena, int32_t, plan->link_count);
    limb->before = LODE__TAKE(arena, lode__velocity, plan->link_count);
    limb->turned = LODE__TAKE(arena, lode_vec3, plan->link_count);
    limb->speed = LODE__TAKE_ZEROED(arena, lode_real, wide);
    limb->dofs = LODE__TAKE_ZEROED(arena, lode__limb_dof, n);
    limb->responses = LODE__TAKE(arena, lode_real, (size_t)n * wide);
    limb->scratch = LODE__TAKE(arena, lode_real, 2 * (size_t)wide);
    if (!limb->line || !limb->before || !limb->turned || !limb->speed || !limb->dofs ||
        !limb->responses || !limb->scratch)
        return false;
    for (uint32_t i = 0; i < plan->link_count; ++i)
        limb->line[i] = line_of_body(solver->bodies, body_of(solver, limb->model, i));
    limb->root = BODY(solver, pose, body_of(solver, limb->model, 0))->position;
    limb->limited = lode__limb_is_limited(solver, limb);
    return true;
}

/* Which lines are links, and of which limb. */
static void map_lines(const lode__solve_state *state)
{
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        const lode__limb *limb = &state->limbs[l];
        for (uint32_t i = 0; i < limb->model->body.plan->link_count; ++i)
            if (limb->line[i] > 0)
                state->limb_of_line[limb->line[i]] = (lode__limb_link){l + 1, i};
    }
}

/* The parts of a group, and how many numbers their rows have at most. */
static size_t count_parts(const lode__solve_state *state, const lode__group *group,
                          lode__limb_work *work)
{
    size_t numbers = 0;
    uint32_t wide = 0;
    for (uint32_t i = 0; i < work->limb_count; ++i) {
        uint32_t n = padded(work->limbs[i]->model->body.plan->dof_count);
        wide = n > wide ? n : wide;
    }
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c) {
        const lode__solve_chunk *chunk = &state->chunks[c];
        if (chunk->colour != LODE__COLOUR_LIMBS)
            continue;
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k) {
            if (chunk->lanes[k] == LODE__NONE)
                continue;
            ++work->part_count;
            work->row_count += most_rows(chunk);
            numbers += (size_t)most_rows(chunk) * 4 * wide;
        }
    }
    return numbers;
}

static void list_parts(const lode__solve_state *state, const lode__group *group,
                       lode__limb_work *work)
{
    uint32_t at = 0;
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c)
        for (uint32_t k = 0; k < state->chunks[c].count * LODE_LANES &&
                             state->chunks[c].colour == LODE__COLOUR_LIMBS;
             ++k)
            if (state->chunks[c].lanes[k] != LODE__NONE)
                work->parts[at++] = (lode__limb_part){.chunk = c, .lane = k};
}

static bool take_group(lode__solve_state *state, lode__group *group, lode__arena *arena)
{
    enum { MOST_ROWS = 6 * LODE__MANIFOLD_POINTS };
    lode__limb_work *work = LODE__TAKE_ZEROED(arena, lode__limb_work, 1);
    lode__limb **limbs = LODE__TAKE(arena, lode__limb *, state->limb_count);
    if (!work || !limbs)
        return false;
    work->limbs = limbs;
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        const lode__limb *limb = &state->limbs[l];
        uint32_t line = (uint32_t)limb->line[limb->model->body.plan->root_dofs ? 0 : 1];
        if (line >= group->line_begin && line < group->line_end)
            limbs[work->limb_count++] = &state->limbs[l];
    }
    if (work->limb_count == 0)
        return true;
    size_t numbers = count_parts(state, group, work);
    work->parts = LODE__TAKE(arena, lode__limb_part, work->part_count);
    work->rows = LODE__TAKE(arena, lode__limb_row, work->row_count);
    work->numbers = LODE__TAKE(arena, lode_real, numbers);
    work->jacobians = LODE__TAKE(arena, lode__jacobian, 2 * MOST_ROWS);
    work->values = LODE__TAKE(arena, lode__row_values, MOST_ROWS);
    work->impulses = LODE__TAKE(arena, double, MOST_ROWS);
    if (!work->parts || !work->rows || !work->numbers || !work->jacobians || !work->values ||
        !work->impulses)
        return false;
    list_parts(state, group, work);
    group->limbs = work;
    return true;
}

bool lode__limbs_take(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    if (state->limb_count == 0)
        return true;
    state->limb_of_line = LODE__TAKE_ZEROED(step->arena, lode__limb_link, state->lines.count);
    if (!state->limb_of_line)
        return false;
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        lode__limb *limb = &state->limbs[l];
        if (!take_limb(limb, solver, step->arena))
            return false;
        if (HEAD(solver, limb->slot)->flags & LODE__ARTICULATION_STALE) {
            lode__model_read(&solver->limbs, limb->model);
            HEAD(solver, limb->slot)->flags &= ~(uint32_t)LODE__ARTICULATION_STALE;
        }
    }
    map_lines(state);
    for (uint32_t g = 0; g < state->group_count; ++g)
        if (!take_group(state, &state->groups[g], step->arena))
            return false;
    return true;
}

/* ---- forces and speeds */

/* Gravity, what acts on it from outside, and its damping, which takes no more than there is. */
static void load_forces(const lode__solve_work *work, const lode__limb *limb)
{
    const lode__dense *lines = &work->solver->state->lines;
    lode_vec3 gravity = work->step->settings->gravity;
    for (uint32_t i = 0; i < limb->model->body.plan->link_count; ++i) {
        lode__mb_link *link = &limb->model->body.links[i];
        const lode__link_joint *joint = LINK(work->solver, joint, limb->model->link[i]);
        if (limb->line[i] <= 0) {
            mb_put3(link->force, v3_zero());
            mb_put3(link->torque, v3_zero());
            continue;
        }
        const lode__force *by = &lines->force[limb->line[i]];
        lode_real weight = link->mass[0] * (1 + by->extra_gravity);
        lode_vec3 force = v3_madd(by->force, gravity, weight), torque = by->torque;
        lode_real slow = r_min(joint->linear_damping, 1 / work->h);
        lode_real still = r_min(joint->angular_damping, 1 / work->h);
        force = v3_madd(force, mb_v3(link->v), -slow * link->mass[0]);
        lode_vec3 spin = s3_mul(link->moment, mb_v3(link->w));
        mb_put3(link->force, force);
        mb_put3(link->torque, v3_madd(torque, spin, -still));
    }
}

/* The limb as the pools have it when the step begins. */
static void begin(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    lode__model_load(&work->solver->limbs, limb->model);
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__link_state *state = LINK(work->solver, state,
                                             limb->model->link[plan->link_of_dof[k]]);
        lode__limb_dof *dof = &limb->dofs[k];
        dof->q = state->position[plan->axis[k]];
        for (int r = 0; r < LODE__LINK_ROWS; ++r)
            dof->impulse[r] = state->impulse[plan->axis[k]][r];
    }
    lode__mb_kernels_one.place(&limb->model->body);
    lode__mb_kernels_one.speed(&limb->model->body);
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        limb->before[i] = (lode__velocity){.linear = mb_v3(limb->model->body.links[i].v),
                                           .angular = mb_v3(limb->model->body.links[i].w)};
        limb->turned[i] = v3_zero();
    }
}

static void take_speeds(const lode__limb *limb)
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

void lode__limbs_accelerate(const lode__solve_work *work, const lode__group *group)
{
    const lode__mb_kernels *k = &lode__mb_kernels_one;
    for (uint32_t i = 0; i < group->limbs->limb_count; ++i) {
        lode__limb *limb = group->limbs->limbs[i];
        if (work->sub_step == 0)
            begin(work, limb);
        limb->h = work->h;
        load_forces(work, limb);
        lode__limb_load_joints(work, limb);
        k->factor(&limb->model->body);
        k->accelerate(&limb->model->body, 1);
        if (limb->rubs)
            lode__limb_load_frictions(work->solver, limb);
        k->hurry(&limb->model->body, work->h);
        k->speed(&limb->model->body);
        take_speeds(limb);
        lode__limb_warm_joints(limb);
        tell_velocities(&work->solver->state->lines, limb);
    }
}

/* ---- moving */

void lode__limbs_tell(const lode__solver *solver, const lode__group *group)
{
    for (uint32_t i = 0; i < group->limbs->limb_count; ++i) {
        const lode__limb *limb = group->limbs->limbs[i];
        for (uint32_t k = 0; k < limb->model->body.plan->dof_count; ++k)
            limb->model->body.dofs[k].speed[0] = limb->speed[k];
        lode__mb_kernels_one.speed(&limb->model->body);
        if (limb->limited) {
            lode__limb_limit_speeds(solver, limb);
            take_speeds(limb);
        }
        tell_velocities(&solver->state->lines, limb);
    }
}

/* The angle of a single turn about an axis that is nearest to where it should be by now: joints
 * turn on beyond pi. */
static lode_real angle_near(lode_quat turn, int axis, lode_real near)
{
    const lode_real two_pi = (lode_real)6.28318530717958647692;
    lode_real part = axis == LODE_AXIS_TWIST ? turn.x : axis == LODE_AXIS_SWING1 ? turn.y : turn.z;
    lode_real angle = 2 * lode__atan2(part, turn.w);
    return angle + two_pi * r_floor((near - angle) / two_pi + (lode_real)0.5);
}

/* The rotation vector's number, the shorter way. */
static lode_real vector_part(lode_quat turn, int axis)
{
    lode_vec3 u = {turn.x, turn.y, turn.z};
    lode_real size = v3_length(u), sign = turn.w < 0 ? -1 : 1;
    lode_real by = size > (lode_real)1e-18 ? 2 * lode__atan2(size, turn.w * sign) / size : 2;
    return (axis == LODE_AXIS_TWIST ? u.x : axis == LODE_AXIS_SWING1 ? u.y : u.z) * by * sign;
}

/* Where the joints of a limb have come to. */
static void read_positions(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        uint32_t i = plan->link_of_dof[k];
        const lode__mb_link *link = &limb->model->body.links[i];
        int axis = plan->axis[k];
        lode__limb_dof *dof = &limb->dofs[k];
        if (axis >= LODE__MB_FIRST_SLIDE)
            dof->q = link->slide[axis - LODE__MB_FIRST_SLIDE];
        else if (plan->angles[i] > 1)
            dof->q = vector_part(mb_q(link->turn), axis);
        else
            dof->q = angle_near(mb_q(link->turn), axis,
                                dof->q + work->h * limb->model->body.dofs[k].speed[0]);
    }
}

/* The lines of the links, as kernels leave those of bodies: the rotation, and the way since the
 * step began. */
static void tell_poses(const lode__dense *lines, const lode__limb *limb)
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

void lode__limbs_move(const lode__solve_work *work, const lode__group *group)
{
    for (uint32_t i = 0; i < group->limbs->limb_count; ++i) {
        lode__limb *limb = group->limbs->limbs[i];
        for (uint32_t k = 0; k < limb->model->body.plan->link_count; ++k)
            limb->turned[k] = v3_madd(limb->turned[k], mb_v3(limb->model->body.links[k].w),
                                      work->h);
        lode__mb_kernels_one.move(&limb->model->body, work->h);
        read_positions(work, limb);
        lode__mb_kernels_one.place(&limb->model->body);
        lode__mb_kernels_one.speed(&limb->model->body);
        tell_poses(&work->solver->state->lines, limb);
    }
}

/* ---- back to the pools */

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
        tell_poses(&state->lines, limb);
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

static void stop(const lode__solver *solver, const lode__limb *limb)
{
    for (uint32_t i = 0; i < limb->model->body.plan->link_count; ++i) {
        lode__link_state *state = LINK(solver, state, limb->model->link[i]);
        memset(state->velocity, 0, sizeof state->velocity);
        memset(state->impulse, 0, sizeof state->impulse);
        state->a = state->alpha = v3_zero();
    }
}

/* What leaves two whole turns of a revolute joint comes back by four pi. */
static lode_real wrapped(lode_real q, uint32_t type)
{
    const lode_real two_pi = (lode_real)6.28318530717958647692;
    if (type != LODE_LINK_REVOLUTE)
        return q;
    return q > two_pi ? q - 2 * two_pi : q < -two_pi ? q + 2 * two_pi : q;
}

static void keep(const lode__solver *solver, const lode__step *step, const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        const lode__mb_link *link = &limb->model->body.links[i];
        lode__link_state *state = LINK(solver, state, limb->model->link[i]);
        lode_vec3 v = mb_v3(link->v), w = mb_v3(link->w);
        state->a = v3_scale(v3_sub(v, limb->before[i].linear), 1 / step->dt);
        state->alpha = v3_scale(v3_sub(w, limb->before[i].angular), 1 / step->dt);
        if (i == 0)
            continue;
        state->turn = mb_q(link->turn);
        state->slide = mb_v3(link->slide);
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
            int axis = plan->axis[k];
            state->position[axis] = wrapped(limb->dofs[k].q,
                                            LINK(solver, tie, limb->model->link[i])->type);
            state->velocity[axis] = limb->model->body.dofs[k].speed[0];
            for (int r = 0; r < LODE__LINK_ROWS; ++r)
                state->impulse[axis][r] = limb->dofs[k].impulse[r];
        }
    }
}

static void keep_residual(lode__articulation_numbers *numbers, const lode__limb *limb)
{
    for (int pass = 0; pass < 2; ++pass) {
        const lode__limb_residual *r = &limb->residual[pass];
        numbers->residual[2 * pass] = r->count > 0 ? r_sqrt(r->squares / (lode_real)r->count) : 0;
        numbers->residual[2 * pass + 1] = r->most;
    }
}

void lode__limbs_keep(const lode__solver *solver, const lode__step *step)
{
    const lode__solve_state *state = solver->state;
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        const lode__limb *limb = &state->limbs[l];
        if (is_frozen(state, limb)) {
            stop(solver, limb);
            continue;
        }
        keep(solver, step, limb);
        keep_residual(LODE__AT(articulation, solver->limbs.articulations, numbers, limb->slot),
                      limb);
    }
}

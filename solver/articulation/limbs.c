/* limbs.c: see limbs.h: articulations in the stages of a step. */
#include "solver/articulation/limbs.h"

#include "core/math.h"
#include "core/union_find.h"
#include "solver/articulation/coordinates.h"
#include "solver/articulation/dynamics.h"

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
    if (!pool || pool->count == 0)
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

enum { MOST_ROWS = 6 * LODE__MANIFOLD_POINTS }; /* of any lane */

/* Most rows that a lane of a chunk can have. */
static uint32_t most_rows(const lode__solve_chunk *chunk)
{
    enum { POINT_ROWS = 6 };
    if (bucket_is_contact(chunk->bucket))
        return (uint32_t)(chunk->bucket % LODE__MANIFOLD_POINTS + 1) * POINT_ROWS;
    if (bucket_is_linkage(chunk->bucket))
        return 1;
    return (uint32_t)lode__bucket_rows(chunk->bucket - LODE__BUCKET_JOINT);
}

/* And most ends of each. */
static uint32_t most_ends(const lode__solve_chunk *chunk)
{
    uint32_t ends = bucket_is_linkage(chunk->bucket) ? 1u << (chunk->bucket - LODE__BUCKET_LINKAGE)
                                                     : 2;
    return ends > 2 ? ends : 2;
}

static uint32_t padded(uint32_t count)
{
    return (count + 7) & ~7u;
}

static bool take_limb(lode__limb *limb, const lode__solver *solver, bool second_order,
                      lode__arena *arena)
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
    limb->outside = LODE__TAKE_ZEROED(arena, lode__mb_wrench, plan->link_count);
    if (second_order) {
        limb->kicks = LODE__TAKE(arena, lode__mb_wrench, plan->link_count);
        limb->kick_scratch = lode__arena_take(arena, lode__mb_scratch_size(plan));
        if (!limb->kicks || !limb->kick_scratch)
            return false;
    }
    if (!limb->line || !limb->before || !limb->turned || !limb->outside || !limb->speed ||
        !limb->dofs || !limb->responses || !limb->scratch)
        return false;
    for (uint32_t i = 0; i < plan->link_count; ++i)
        limb->line[i] = line_of_body(solver->bodies, body_of(solver, limb->model, i));
    limb->root = BODY(solver, pose, body_of(solver, limb->model, 0))->position;
    limb->limited = lode__limb_is_limited(solver, limb);
    return lode__pulls_take(limb, solver, arena);
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

/* What the rows of a group have at most. */
typedef struct most {
    size_t numbers, ends; /* of all; ends beyond two of each */
    uint32_t jacobians;   /* of one part */
} most;

static most count_parts(const lode__solve_state *state, const lode__group *group,
                        lode__limb_work *work)
{
    most out = {.jacobians = 2 * MOST_ROWS};
    uint32_t wide = 0;
    for (uint32_t i = 0; i < work->limb_count; ++i) {
        uint32_t n = padded(work->limbs[i]->model->body.plan->dof_count);
        wide = n > wide ? n : wide;
    }
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c) {
        const lode__solve_chunk *chunk = &state->chunks[c];
        if (chunk->colour != LODE__COLOUR_LIMBS)
            continue;
        uint32_t ends = most_ends(chunk);
        out.jacobians = ends > out.jacobians ? ends : out.jacobians;
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k) {
            if (chunk->lanes[k] == LODE__NONE)
                continue;
            ++work->part_count;
            work->row_count += most_rows(chunk);
            out.numbers += (size_t)most_rows(chunk) * 2 * ends * wide;
            out.ends += (size_t)most_rows(chunk) * (ends - 2);
        }
    }
    return out;
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

static void touch(const lode__solve_state *state, uint32_t line)
{
    uint32_t limb = state->limb_of_line[line].limb;
    if (limb > 0)
        state->limbs[limb - 1].touched = true;
}

/* Limbs that a constraint of the group is on. */
static void mark_touched(const lode__solve_state *state, const lode__group *group)
{
    for (int l = 0; l < LODE__LISTS; ++l) {
        const lode__constraint_list *list = &state->constraints[l];
        for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
            const lode__constraint *c = &list->all[list->order[i]];
            touch(state, c->a);
            touch(state, c->b);
            if (l == LODE__LINKAGES)
                for (uint32_t k = state->linkages[c->source].begin;
                     k < state->linkages[c->source].end; ++k)
                    touch(state, state->linkage_ends[k]);
        }
    }
}

static bool take_group(lode__solve_state *state, lode__group *group, lode__arena *arena)
{
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
    most all = count_parts(state, group, work);
    work->parts = LODE__TAKE(arena, lode__limb_part, work->part_count);
    work->rows = LODE__TAKE(arena, lode__limb_row, work->row_count);
    work->ends = LODE__TAKE(arena, lode__limb_end, all.ends);
    work->numbers = LODE__TAKE(arena, lode_real, all.numbers);
    work->jacobians = LODE__TAKE(arena, lode__jacobian, all.jacobians);
    work->values = LODE__TAKE(arena, lode__row_values, MOST_ROWS);
    work->impulses = LODE__TAKE(arena, double, MOST_ROWS);
    if (!work->parts || !work->rows || !work->ends || !work->numbers || !work->jacobians ||
        !work->values || !work->impulses)
        return false;
    list_parts(state, group, work);
    mark_touched(state, group);
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
        bool second_order = step->settings->integrator != LODE_INTEGRATOR_SEMI_IMPLICIT;
        if (!take_limb(limb, solver, second_order, step->arena))
            return false;
        if (HEAD(solver, limb->slot)->flags & LODE__ARTICULATION_STALE) {
            lode__model_read(&solver->limbs, limb->model);
            limb->model->fresh = false;
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

static void load(const lode__solver *solver, lode__model *model)
{
    lode__model_load(&solver->limbs, model);
    lode__mb_kernels_one.place(&model->body);
    lode__mb_kernels_one.speed(&model->body);
}

/* The limb as the pools have it when the step begins. */
static void begin(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    if (!limb->model->fresh)
        load(work->solver, limb->model);
    limb->model->fresh = limb->model->prepared = false;
    mb_put3(limb->model->body.links[0].slide, v3_zero());
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__link_state *state = LINK(work->solver, state,
                                             limb->model->link[plan->link_of_dof[k]]);
        lode__limb_dof *dof = &limb->dofs[k];
        dof->q = state->position[plan->axis[k]];
        dof->speed_begin = state->velocity[plan->axis[k]];
        for (int r = 0; r < LODE__LINK_ROWS; ++r)
            dof->impulse[r] = state->impulse[plan->axis[k]][r];
    }
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

/* Does nothing but forces and efforts act on it, in a world that asks for more than the first order?
 * Then its whole sub-step is one that keeps energy (integrate.inl). */
static bool may_fly(const lode__solve_work *work, const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    if (limb->touched || limb->limited || limb->rubs || limb->pulls.count > 0 ||
        work->step->settings->integrator == LODE_INTEGRATOR_SEMI_IMPLICIT)
        return false;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__limb_dof *dof = &limb->dofs[k];
        lode_real reach = work->h * 2 * r_abs(limb->model->body.dofs[k].speed[0]);
        bool stops = dof->lo * work->h > -reach || dof->hi * work->h < reach;
        bool fast = reach > dof->axis->max_velocity * work->h, pushed = false;
        for (int r = 0; r < LODE__LINK_ROWS; ++r)
            pushed = pushed || dof->impulse[r] != 0;
        if (dof->give > 0 || dof->hold > 0 || dof->viscous > 0 || stops || fast || pushed)
            return false;
    }
    return true;
}

/* Forces of the application and efforts act at once, as in semi-implicit Euler: where they follow the
 * pose from step to step, a step of second order would gain energy from them. Gravity is left. */
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
    lode__mb_kick(body, limb->kicks, effort, work->h, limb->kick_scratch);
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
        lode__pulls_load(work, limb);
        lode__limb_load_joints(work, limb);
        k->factor(&limb->model->body);
        limb->flies = may_fly(work, limb);
        if (limb->flies) {
            kick(work, limb);
            k->step(&limb->model->body, work->h, 1);
        } else {
            k->accelerate(&limb->model->body, 1);
            if (limb->rubs)
                lode__limb_load_frictions(work->solver, limb);
            k->hurry(&limb->model->body, work->h);
            k->speed(&limb->model->body);
        }
        take_speeds(limb);
        lode__limb_warm_joints(limb);
        tell_velocities(&work->solver->state->lines, limb);
    }
}

/* ---- moving */

void lode__limbs_tell(const lode__solver *solver, const lode__group *group)
{
    for (uint32_t i = 0; i < group->limbs->limb_count; ++i) {
        lode__limb *limb = group->limbs->limbs[i];
        for (uint32_t k = 0; k < limb->model->body.plan->dof_count && limb->pushed; ++k)
            limb->model->body.dofs[k].speed[0] = limb->speed[k];
        if (limb->pushed)
            lode__mb_kernels_one.speed(&limb->model->body);
        limb->pushed = false;
        if (limb->limited) {
            lode__limb_limit_speeds(solver, limb);
            take_speeds(limb);
        }
        tell_velocities(&solver->state->lines, limb);
    }
}

static lode__mb_winding winding_of(const lode__solver *solver, const lode__limb *limb, uint32_t i)
{
    bool wraps = LINK(solver, tie, limb->model->link[i])->type == LODE_LINK_REVOLUTE;
    return wraps ? LODE__MB_WRAPPED : LODE__MB_UNWRAPPED;
}

/* A single turn or a slide has gone on by its speed. The joint's turn is made of the angle anew, so
 * that the two never part. */
static void read_single(lode__limb *limb, uint32_t i, uint32_t k, lode_real expected,
                        lode__mb_winding winding)
{
    lode__mb_link *link = &limb->model->body.links[i];
    int axis = limb->model->body.plan->axis[k];
    lode_real turn[3] = {0, 0, 0};
    if (axis >= LODE__MB_FIRST_SLIDE) {
        limb->dofs[k].q = link->slide[axis - LODE__MB_FIRST_SLIDE];
        return;
    }
    limb->dofs[k].q = turn[axis] = lode__mb_wound(expected, winding);
    mb_put4(link->turn, lode__turn_by_vector(mb_v3(turn)));
}

/* Where the joints of a limb have come to. */
static void read_positions(const lode__solve_work *work, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t i = 1; i < plan->link_count; ++i) {
        uint32_t first = plan->first_dof[i], end = plan->first_dof[i + 1];
        lode__mb_winding winding = winding_of(work->solver, limb, i);
        bool single = plan->angles[i] <= 1 && !limb->flies;
        for (uint32_t k = first; k < end; ++k)
            limb->scratch[k] = limb->dofs[k].q + work->h * limb->model->body.dofs[k].speed[0];
        if (!single)
            lode__mb_read_positions(&limb->model->body, i, winding, limb->scratch);
        for (uint32_t k = first; k < end; ++k)
            if (single)
                read_single(limb, i, k, limb->scratch[k], winding);
            else
                limb->dofs[k].q = limb->scratch[k];
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
        limb->iterated = limb->residual;
        if (!limb->flies)
            lode__mb_kernels_one.move(&limb->model->body, work->h);
        read_positions(work, limb);
        if (!limb->flies) {
            lode__mb_kernels_one.place(&limb->model->body);
            lode__mb_kernels_one.speed(&limb->model->body);
        }
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

static lode_real root_mean_square(lode__limb_residual r)
{
    return r.rows > 0 ? r_sqrt(r.squares / (lode_real)r.rows) : 0;
}

static void keep_residual(const lode__solver *solver, const lode__limb *limb)
{
    lode__articulation_numbers *numbers = LODE__AT(articulation, solver->limbs.articulations,
                                                   numbers, limb->slot);
    numbers->residual[0] = root_mean_square(limb->iterated);
    numbers->residual[1] = limb->iterated.most;
    numbers->residual[2] = root_mean_square(limb->residual);
    numbers->residual[3] = limb->residual.most;
}

static void keep(const lode__solver *solver, const lode__step *step, const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    lode__pulls_keep(limb);
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        const lode__mb_link *link = &limb->model->body.links[i];
        lode__link_state *state = LINK(solver, state, limb->model->link[i]);
        state->a = v3_scale(v3_sub(mb_v3(link->v), limb->before[i].linear), 1 / step->dt);
        state->alpha = v3_scale(v3_sub(mb_v3(link->w), limb->before[i].angular), 1 / step->dt);
        state->outside_f = v3_madd(mb_v3(link->force), limb->outside[i].f, 1 / step->dt);
        state->outside_n = v3_madd(mb_v3(link->torque), limb->outside[i].n, 1 / step->dt);
        if (i == 0)
            continue;
        state->turn = mb_q(link->turn);
        state->slide = mb_v3(link->slide);
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
            int axis = plan->axis[k];
            const lode__limb_dof *dof = &limb->dofs[k];
            state->position[axis] = dof->q;
            state->velocity[axis] = limb->model->body.dofs[k].speed[0];
            state->acceleration[axis] = (state->velocity[axis] - dof->speed_begin) / step->dt;
            for (int r = 0; r < LODE__LINK_ROWS; ++r)
                state->impulse[axis][r] = dof->impulse[r];
        }
    }
    keep_residual(solver, limb);
    limb->model->fresh = true;
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
    }
}

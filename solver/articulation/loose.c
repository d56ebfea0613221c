/* loose.c: see loose.h. */
#include "solver/articulation/loose.h"

#include "core/math.h"
#include "solver/articulation/dynamics.h"
#include "solver/articulation/flock.h"
#include "solver/write_back.h"

#include <string.h>

#define BODY(solver, component, slot) LODE__AT(body, (solver)->bodies, component, slot)
#define HEAD(solver, slot) LODE__AT(articulation, (solver)->limbs.articulations, head, slot)

/* So many take in lanes no longer than one by one. */
enum { FLOCK = 3 };

/* ---- who is */

bool lode__limb_may_be_loose(const lode__solver *solver, const lode__step *step,
                             const lode__limb *limb, uint32_t flags)
{
    enum { WATCHED = LODE__BODY_LIMITED | LODE__BODY_DAMPED | LODE__BODY_CONTINUOUS };
    const lode__articulation_head *head = HEAD(solver, limb->slot);
    return step->through && step->settings->integrator == LODE_INTEGRATOR_SEMI_IMPLICIT &&
           !(flags & WATCHED) && head->first_tendon == LODE__NONE &&
           head->first_mimic == LODE__NONE && !limb->model->rubs && !limb->limited &&
           step->settings->solver != LODE_SOLVER_DIRECT &&
           step->settings->solver != LODE_SOLVER_HYBRID;
}

/* Each of several threads is to have two groups at least, of whole lanes. */
uint32_t lode__loose_share(const lode__step *step, uint32_t limbs)
{
    enum { MOST = 64 };
    uint32_t parts = 2 * (uint32_t)lode__tasks_workers(step->tasks);
    uint32_t share = (limbs / parts + LODE_LANES - 1) / LODE_LANES * LODE_LANES;
    share = share > LODE_LANES ? share : LODE_LANES;
    return parts == 2 || share > MOST ? MOST : share;
}

/* ---- memory */

/* What a worker needs for the limb that it has in hand. */
typedef struct lode__loose_bench {
    lode__limb limb;
    lode__pose *poses;     /* by link: where it comes to be */
    lode__flock flocks[2]; /* one is stepped while what the other needs is on its way */
} bench;

static bool take_bench(bench *out, uint32_t links, uint32_t dofs, lode__arena *arena)
{
    uint32_t wide = (dofs + 7) & ~7u;
    lode__limb *limb = &out->limb;
    *out = (bench){.poses = LODE__TAKE(arena, lode__pose, links)};
    limb->before = LODE__TAKE(arena, lode__velocity, links);
    limb->outside = LODE__TAKE_ZEROED(arena, lode__mb_wrench, links);
    limb->dofs = LODE__TAKE(arena, lode__limb_dof, dofs);
    limb->speed = LODE__TAKE(arena, lode_real, wide);
    limb->scratch = LODE__TAKE(arena, lode_real, 2 * (size_t)wide);
    limb->responses = LODE__TAKE(arena, lode_real, (size_t)dofs * wide);
    limb->tree_scratch = lode__arena_take(arena, lode__mb_inverse_scratch_size(links));
    return out->poses && limb->tree_scratch && limb->before && limb->outside && limb->dofs &&
           limb->speed && limb->scratch && limb->responses;
}

static bool take_flocks(lode__flock flocks[2], uint32_t links, uint32_t dofs, lode__arena *arena)
{
    if (!lode__flock_take(&flocks[0], links, dofs, arena))
        return false;
    flocks[1] = flocks[0];
    return lode__flock_places_take(&flocks[0].own, links, arena) &&
           lode__flock_places_take(&flocks[1].own, links, arena);
}

static void mark_lines(const lode__solve_state *state)
{
    for (uint32_t g = 0; g < state->group_count; ++g) {
        const lode__group *group = &state->groups[g];
        if (group->loose)
            memset(state->loose + group->line_begin, 1, group->line_end - group->line_begin);
    }
}

bool lode__loose_take(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    uint32_t links = 0, dofs = 0, count = 0, workers = (uint32_t)lode__tasks_workers(step->tasks);
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        const lode__mb_plan *plan = state->limbs[l].model->body.plan;
        if (!state->limbs[l].loose)
            continue;
        links = plan->link_count > links ? plan->link_count : links;
        dofs = plan->dof_count > dofs ? plan->dof_count : dofs;
        ++count;
    }
    if (count == 0)
        return true;
    state->benches = LODE__TAKE(step->arena, bench, workers);
    bool taken = state->benches;
    for (uint32_t w = 0; w < workers && taken; ++w) {
        taken = take_bench(&state->benches[w], links, dofs, step->arena);
        lode__flock *flocks = state->benches[w].flocks;
        if (count >= FLOCK)
            taken = taken && take_flocks(flocks, links, dofs, step->arena);
    }
    return taken;
}

bool lode__loose_lines_take(lode__solve_state *state, lode__arena *arena)
{
    bool any = false;
    for (uint32_t g = 0; g < state->group_count; ++g)
        any = any || state->groups[g].loose;
    if (!any)
        return true;
    state->loose = LODE__TAKE_ZEROED(arena, uint8_t, state->lines.count);
    if (state->loose)
        mark_lines(state);
    return state->loose;
}

/* ---- a step of one */

/* Sweeps what its joints ask for, so many times, where some of it does something; else true. */
static bool sweep(lode__limb *limb, int times, bool warm)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    const lode__limb_residual none = {.rows = plan->dof_count - plan->root_dofs};
    limb->residual = none;
    if (lode__limb_is_quiet(limb))
        return true;
    lode__limb_take_speeds(limb);
    if (warm)
        lode__limb_warm_joints(limb);
    for (int i = 0; i < times; ++i) {
        limb->residual = none;
        if (limb->model->driven)
            lode__limb_let_go(limb);
        lode__limb_sweep_joints(limb);
    }
    lode__limb_give_speeds(limb);
    return false;
}

static void step_limb(const lode__solve_work *work, lode__limb *limb)
{
    lode__solve_work now = *work;
    for (now.sub_step = 0; now.sub_step < work->step->sub_steps; ++now.sub_step) {
        lode__limb_accelerate(&now, limb);
        bool quiet = sweep(limb, lode__limb_iterations(work, limb), true);
        lode__limb_move(&now, limb);
        if (quiet && !limb->model->stopped && !limb->whips) /* then it is so still */
            continue;
        lode__limb_relax_joints(limb);
        sweep(limb, lode__limb_relaxations(work, limb), false);
    }
}

/* ---- back to the pools */

/* As all bodies' in solver/finalise.c; a spin whose square overflows normalises the rotation to
 * nothing. */
static bool is_finite(const lode__mb_link *link, lode_vec3 way)
{
    return v3_finite(mb_v3(link->v)) && v3_finite(mb_v3(link->w)) && v3_finite(way) &&
           q_finite(mb_q(link->rotation));
}

static bool is_sound(const lode__pose *pose)
{
    lode_quat q = pose->rotation;
    return v3_finite(pose->position) &&
           q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z > (lode_real)0.5;
}

/* Where links come to be; false where one comes nowhere, and so none does. */
static bool find_poses(const lode__solver *solver, const bench *of)
{
    const lode__model *model = of->limb.model;
    lode_vec3 root = BODY(solver, pose, model->bodies[0])->position;
    lode_vec3 way = mb_v3(model->body.links[0].slide);
    bool finite = true;
    for (uint32_t i = model->body.plan->root_dofs ? 0 : 1; i < model->body.plan->link_count; ++i) {
        const lode__mb_link *link = &model->body.links[i];
        lode_vec3 at = BODY(solver, pose, model->bodies[i])->position;
        lode_vec3 gone = v3_add(v3_sub(mb_v3(link->center), v3_sub(at, root)), way);
        of->poses[i] = (lode__pose){.position = v3_add(at, gone), .rotation = mb_q(link->rotation)};
        finite = finite && is_finite(link, gone);
    }
    return finite;
}

/* Some link does not come where it should. */
static void keep_unsound(const lode__solver *solver, const lode__step *step, const bench *of)
{
    const lode__limb *limb = &of->limb;
    const lode__mb_plan *plan = limb->model->body.plan;
    lode__solve_state *state = solver->state;
    bool finite = find_poses(solver, of);
    uint32_t first = plan->root_dofs ? 0 : 1;
    for (uint32_t i = first; i < plan->link_count; ++i) {
        uint32_t slot = limb->model->bodies[i];
        const lode__mb_link *link = &limb->model->body.links[i];
        lode__velocity velocity = {.linear = mb_v3(link->v), .angular = mb_v3(link->w)};
        int32_t line = line_of_body(solver->bodies, slot);
        state->frozen[line] = !finite || !is_sound(&of->poses[i]);
        if (state->frozen[line])
            freeze_body(solver->bodies, slot);
        else
            state->posed[line] = write_body(solver->bodies, slot, &of->poses[i], &velocity);
    }
    if (state->frozen[line_of_body(solver->bodies, limb->model->bodies[first])])
        lode__limb_stop(solver, limb);
    else
        lode__limb_keep(solver, step, limb);
}

static void go_alone(const lode__solve_work *work, const lode__limb *limb, bench *now)
{
    now->limb.slot = limb->slot;
    now->limb.model = limb->model;
    now->limb.scaled = limb->scaled;
    now->limb.loose = true;
    step_limb(work, &now->limb);
    if (!loose_kernels(work->solver)->keep(work->solver, work->step, &now->limb)) {
        keep_unsound(work->solver, work->step, now);
        return;
    }
    lode__limb_is_kept(work->solver, &now->limb);
    lode__limb_drop_forces(work->solver, &now->limb);
}

/* Limbs to be stepped together: alike if there are several. */
typedef struct lode__handful {
    lode__limb *limbs[LODE_LANES];
    uint32_t count;
    lode__flock_place *places; /* of a flock; null: they go one by one */
} handful;

/* Plans stay what they are, so what has been found out about one's needs no look at it again. */
static bool has_plan_of(lode__model *model, const lode__model *other)
{
    if (model->like == other->number && other->number != 0)
        return true;
    bool same = lode__mb_plans_equal(model->body.plan, other->body.plan);
    if (same)
        model->like = other->number;
    return same;
}

/* May it be in a handful with others, in this step or, as far as is known, in later ones? */
typedef bool joins_fn(const lode__solver *solver, const lode__limb *limb);

static bool joins_ever(const lode__solver *solver, const lode__limb *limb)
{
    (void)solver;
    return !limb->model->odd;
}

/* The first limb from `*at` on that is in no other handful, and those like it. */
static handful pick(const lode__solver *solver, const lode__limb_work *limbs, uint32_t *at,
                    joins_fn *joins)
{
    handful out = {.count = 0};
    while (*at < limbs->limb_count && limbs->limbs[*at]->picked)
        ++*at;
    if (*at == limbs->limb_count)
        return out;
    const lode__limb *first = limbs->limbs[*at];
    bool alone = !joins(solver, first);
    for (uint32_t i = *at; i < limbs->limb_count && out.count < (alone ? 1 : LODE_LANES); ++i) {
        lode__limb *limb = limbs->limbs[i];
        if (limb != first &&
            (limb->picked || !joins(solver, limb) || !has_plan_of(limb->model, first->model)))
            continue;
        out.limbs[out.count++] = limb;
        limb->picked = true;
    }
    return out;
}

/* ---- those of one step after another */

static bool hold_group(const lode__solver *solver, lode__group *group, lode__arena *arena)
{
    const lode__limb_work *limbs = group->limbs;
    handful *out = LODE__TAKE(arena, handful, limbs->limb_count);
    uint32_t count = 0, at = 0;
    if (!out)
        return false;
    for (handful next; (next = pick(solver, limbs, &at, joins_ever)).count > 0;) {
        uint32_t links = next.limbs[0]->model->body.plan->link_count;
        if (next.count >= FLOCK && !lode__flock_places_take(&next.places, links, arena))
            return false;
        if (next.places)
            lode__flock_find(next.places, solver, next.limbs, next.count);
        out[count++] = next;
    }
    group->handfuls = out;
    group->handful_count = count;
    return true;
}

bool lode__loose_hold(const lode__solver *solver, lode__arena *arena)
{
    lode__solve_state *state = solver->state;
    bool held = true;
    for (uint32_t g = 0; g < state->group_count && held; ++g)
        held = hold_group(solver, &state->groups[g], arena);
    for (uint32_t g = 0; g < state->group_count && !held; ++g)
        state->groups[g].handfuls = NULL;
    for (uint32_t l = 0; l < state->limb_count; ++l)
        state->limbs[l].picked = false;
    return held;
}

/* ---- a step of all */

/* Where a group is in its limbs: behind so many handfuls that are held, or behind that limb. */
typedef struct course {
    const lode__group *group;
    uint32_t at, turn;
    lode__flock *flocks; /* two: one is stepped while what the other needs is on its way */
} course;

static handful next_of(const lode__solver *solver, course *c, lode__flock *flock)
{
    const lode__group *group = c->group;
    if (group->handfuls)
        return c->at < group->handful_count ? group->handfuls[c->at++] : (handful){.count = 0};
    handful out = pick(solver, group->limbs, &c->at, lode__limb_may_flock);
    if (out.count >= FLOCK) {
        out.places = flock->own;
        lode__flock_find(out.places, solver, out.limbs, out.count);
    }
    return out;
}

static handful come(const lode__solver *solver, course *c)
{
    lode__flock *flock = &c->flocks[c->turn];
    handful out = next_of(solver, c, flock);
    flock->places = out.places;
    if (out.places)
        lode__flock_gather(flock, solver, out.limbs, out.count);
    return out;
}

/* The bits of those that lanes may step; of few, none. */
static unsigned lanes_for(const lode__solver *solver, const handful *of)
{
    unsigned bits = 0;
    for (uint32_t n = 0; n < of->count && of->places; ++n)
        bits |= (unsigned)lode__limb_may_flock(solver, of->limbs[n]) << n;
    return __builtin_popcount(bits) >= FLOCK ? bits : 0;
}

static void go(const lode__solve_work *work, const handful *of, bench *now, uint32_t turn,
               const lode__flock *next)
{
    unsigned bits = lanes_for(work->solver, of);
    unsigned done = bits ? lode__flock_go(&now->flocks[turn], work, of->limbs, bits, next) : 0;
    for (uint32_t n = 0; n < of->count; ++n)
        if (!(done >> n & 1))
            go_alone(work, of->limbs[n], now);
}

void lode__loose_go(const lode__solve_work *work, const lode__group *group, uint32_t worker)
{
    bench *now = &work->solver->state->benches[worker];
    course c = {.group = group, .flocks = now->flocks};
    handful next = come(work->solver, &c);
    while (next.count > 0) {
        handful here = next;
        uint32_t turn = c.turn;
        c.turn = !turn;
        next = come(work->solver, &c);
        go(work, &here, now, turn, next.places ? &now->flocks[c.turn] : NULL);
    }
}

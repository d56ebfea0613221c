/* flock.c: see flock.h. */
#include "solver/articulation/flock.h"

#include "core/fetch.h"
#include "solver/kernels.h"

#include <string.h>

#define LINK(solver, component, slot) LODE__AT(link, (solver)->limbs.links, component, slot)
#define BODY(solver, component, slot) LODE__AT(body, (solver)->bodies, component, slot)
#define HEAD(solver, slot) LODE__AT(articulation, (solver)->limbs.articulations, head, slot)

bool lode__flock_take(lode__flock *flock, uint32_t links, uint32_t dofs, lode__arena *arena)
{
    *flock = (lode__flock){.links = LODE__TAKE_ZEROED(arena, lode__flock_link, links),
                           .dofs = LODE__TAKE_ZEROED(arena, lode__flock_dof, dofs),
                           .held = LODE__TAKE_ZEROED(arena, lode__flock_held, 1)};
    flock->body.links = LODE__TAKE(arena, lode__mb_link_lanes, links);
    flock->body.dofs = LODE__TAKE(arena, lode__mb_dof_lanes, dofs);
    return flock->links && flock->dofs && flock->held && flock->body.links && flock->body.dofs;
}

bool lode__flock_places_take(lode__flock_place **out, uint32_t links, lode__arena *arena)
{
    *out = LODE__TAKE(arena, lode__flock_place, links);
    return *out;
}

/* ---- who may */

static bool has_impulses(const lode__solver *solver, const lode__model *model)
{
    const lode__mb_plan *plan = model->body.plan;
    bool any = false;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__link_impulses *kept = LINK(solver, impulses, model->link[plan->link_of_dof[k]]);
        for (int r = 0; r < LODE__LINK_ROWS; ++r)
            any = any || kept->axis[plan->axis[k]][r] != 0;
    }
    return any;
}

bool lode__limb_may_flock(const lode__solver *solver, const lode__limb *limb)
{
    lode__model *model = limb->model;
    if (model->odd || (HEAD(solver, limb->slot)->flags & LODE__ARTICULATION_IMPULSES))
        return false;
    model->idle = model->idle || !has_impulses(solver, model);
    return model->idle;
}

/* ---- where things are */

LODE__FETCHER void fetch(const void *from, size_t begin, size_t end)
{
    for (size_t at = begin & ~(size_t)63; at < end; at += 64)
        __builtin_prefetch((const char *)from + at, 1);
}

void lode__flock_find(lode__flock_place *out, const lode__solver *solver, lode__limb *const *limbs,
                      uint32_t count)
{
    for (uint32_t n = 0; n < LODE_LANES; ++n) {
        const lode__model *model = limbs[n < count ? n : 0]->model;
        for (uint32_t i = 0; i < model->body.plan->link_count; ++i) {
            out[i].pose[n] = &BODY(solver, pose, model->bodies[i])->position.x;
            out[i].state[n] = &LINK(solver, state, model->link[i])->turn.w;
            out[i].extra[n] = &LINK(solver, extra, model->link[i])->slide.x;
        }
    }
}

LODE__FETCHER void fetch_place(const lode__flock_place *place, uint32_t lane)
{
    const lode_real *pose = place->pose[lane];
    const lode__link_state *state = (const void *)place->state[lane];
    __builtin_prefetch(pose, 1);
    __builtin_prefetch(pose + LODE__FLOCK_BEHIND(velocity), 1);
    fetch(state, 0, sizeof *state);
}

static void read_drive(const lode__solver *solver, lode__flock *flock, uint32_t k, int lane)
{
    lode__flock_dof *out = &flock->dofs[k];
    const lode__mb_plan *plan = flock->body.plan;
    uint32_t link = flock->model[lane]->link[plan->link_of_dof[k]];
    const lode__link_axis *axis = &LINK(solver, axes, link)->axis[plan->axis[k]];
    out->driven.x[lane] = axis->drive != LODE_DRIVE_NONE;
    out->stiffness.x[lane] = axis->stiffness;
    out->damping.x[lane] = axis->damping;
    out->max_force.x[lane] = axis->max_force;
    out->target.x[lane] = axis->target;
    out->target_velocity.x[lane] = axis->target_velocity;
}

static void read_scale(const lode__solver *solver, lode__flock *flock, uint32_t i, int lane)
{
    uint32_t body = flock->model[lane]->bodies[i];
    bool scaled = *BODY(solver, flags, body) & LODE__BODY_SCALED;
    flock->links[i].scale.x[lane] = scaled ? BODY(solver, traits, body)->gravity_scale - 1 : 0;
}

/* Where none has its own the lanes keep that. */
static void read_scales(const lode__solver *solver, lode__flock *flock)
{
    uint32_t count = flock->scaled ? flock->body.plan->link_count : 0;
    for (uint32_t i = 0; i < count; ++i)
        for (int n = 0; n < LODE_LANES; ++n)
            read_scale(solver, flock, i, n);
    for (uint32_t i = count; i < flock->held->scaled; ++i)
        flock->links[i].scale = (lode__lane){{0}};
    flock->held->scaled = count;
}

void lode__flock_gather(lode__flock *flock, const lode__solver *solver, lode__limb *const *limbs,
                        uint32_t count)
{
    const lode__mb_plan *plan = limbs[0]->model->body.plan;
    flock->body.plan = plan;
    flock->count = count;
    flock->driven = flock->scaled = flock->pushed = flock->handed = false;
    for (uint32_t n = 0; n < LODE_LANES; ++n) {
        const lode__limb *limb = limbs[n < count ? n : 0];
        flock->model[n] = limb->model;
        flock->given[n] = &limb->model->given[0].mass;
        flock->asked[n] = &limb->model->asked[0].lo;
        flock->threshold.x[n] = LODE__AT(articulation, solver->limbs.articulations, numbers,
                                         limb->slot)
                                    ->sleep_threshold;
        flock->driven = flock->driven || limb->model->driven;
        flock->scaled = flock->scaled || limb->scaled;
        flock->pushed = flock->pushed || limb->model->pushed;
        flock->handed = flock->handed || limb->model->handed;
    }
}

/* ---- fetching */

/* Of a thousand the pools' lines lie beyond the second-level cache, and eight trees at a time are
 * more streams than it follows. All that the next flock needs at once the processor would have to
 * wait for room in its queues for; between kernels it has it, for one limb after another, whose
 * lines lie side by side. */
typedef struct fetching {
    const lode__flock *next; /* or null */
    uint32_t limb;
} fetching;

static void fetch_on(fetching *f)
{
    const lode__flock *flock = f->next;
    uint32_t links = flock && f->limb < flock->count ? flock->body.plan->link_count : 0;
    for (uint32_t i = 0; i < links; ++i)
        fetch_place(&flock->places[i], f->limb);
    ++f->limb;
}

/* ---- what is given */

/* Is the model given and asked the same? What has been found out holds until one is read again. */
static bool has_given_of(lode__model *model, const lode__model *other)
{
    const lode__mb_plan *plan = model->body.plan;
    bool found = model->same == other->number && model->same_reads == other->reads;
    if (model == other || (found && other->number != 0))
        return true;
    bool same = lode__mb_plans_equal(plan, other->body.plan) &&
                memcmp(model->given, other->given, plan->link_count * sizeof *model->given) == 0 &&
                memcmp(model->asked, other->asked, plan->dof_count * sizeof *model->asked) == 0;
    if (same && other->number != 0) {
        model->same = other->number;
        model->same_reads = other->reads;
    }
    return same;
}

static bool have_given_of(const lode__flock *flock, const lode__model *model)
{
    bool same = true;
    for (int n = 0; n < LODE_LANES && same; ++n)
        same = has_given_of(flock->model[n], model);
    return same;
}

/* Robots are many alike: mostly the lanes have it all from the flock before. */
static void hold_given(lode__flock *flock, const lode__flock_kernels *f)
{
    lode__flock_held *held = flock->held;
    if (held->model && held->reads == held->model->reads && have_given_of(flock, held->model))
        return;
    f->read(flock);
    held->model = have_given_of(flock, flock->model[0]) ? flock->model[0] : NULL;
    held->reads = flock->model[0]->reads;
}

/* ---- a step */

/* Sub-steps; the bits of those that lanes could go on with. */
static unsigned step_flock(lode__flock *flock, const lode__solve_work *work,
                           const lode__flock *next)
{
    const lode__flock_kernels *f = work->solver->kernels->flock;
    const lode__mb_kernels *tree = work->solver->kernels->multibody;
    const lode__multibody_lanes *body = &flock->body;
    fetching beside = {next, 0};
    unsigned bits = (1u << LODE_LANES) - 1;
    hold_given(flock, f);
    f->load(flock);
    fetch_on(&beside);
    tree->place(body);
    fetch_on(&beside);
    tree->speed(body);
    f->begin(flock);
    fetch_on(&beside);
    for (int i = 0; i < work->step->sub_steps && bits; ++i) {
        f->weigh(flock, work->step->settings->gravity, work->h);
        bits &= flock->driven ? f->drive(flock, work->h) : bits;
        tree->factor(body);
        fetch_on(&beside);
        bool whips = tree->note(body, &flock->kept, work->h);
        tree->accelerate(body, 1);
        fetch_on(&beside);
        tree->middle(body, work->h);
        tree->hurry(body, work->h);
        bits &= f->quiet(flock, work->h, LODE__LIMB_ERP);
        tree->advance(body, work->h);
        fetch_on(&beside);
        (i + 1 < work->step->sub_steps || whips ? tree->place : tree->pose)(body);
        fetch_on(&beside);
        tree->speed(body);
        if (whips) {
            if (tree->settle(body, &flock->kept, work->h))
                tree->place(body);
            tree->speed(body);
        }
        bits &= f->quiet(flock, work->h, 0);
        fetch_on(&beside);
    }
    return bits ? bits & f->arrive(flock) : 0;
}

/* Where all is as it mostly is: each link has another pose and is too fast to be idle. */
static bool all_go_on(const lode__flock *flock, unsigned bits)
{
    const lode__mb_plan *plan = flock->body.plan;
    unsigned missing = 0;
    for (uint32_t i = plan->root_dofs ? 0 : 1; i < plan->link_count; ++i) {
        const lode__flock_link *link = &flock->links[i];
        missing |= ~(link->posed & link->restless);
    }
    return !(missing & bits);
}

/* Then its links' lines, which lie side by side, are told so. */
static void tell_going(const lode__solver *solver, const lode__limb *limb)
{
    memset(solver->state->posed + limb->line_begin, true, limb->line_count);
    lode__model *model = limb->model;
    int how = model->dozes || !solver->counts_idle ? LODE__RESTLESS : LODE__RESTLESS_STILL;
    memset(solver->islands.ready + limb->line_begin, how, limb->line_count);
    model->dozes = model->dozes && !solver->counts_idle;
}

/* Else what the kernels do not write, of a link in the lanes whose bits are set. */
static void tell_link(const lode__solver *solver, const lode__flock *flock, uint32_t i,
                      unsigned bits)
{
    uint8_t *posed = solver->state->posed, *ready = solver->islands.ready;
    const lode__flock_link *link = &flock->links[i];
    const unsigned is_posed = link->posed, restless = link->restless;
    for (unsigned left = bits; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        uint32_t body = flock->model[lane]->bodies[i];
        int32_t line = line_of_body(solver->bodies, body);
        posed[line] = is_posed >> lane & 1;
        ready[line] = restless >> lane & 1 ? LODE__RESTLESS : 0;
    }
}

/* And of a limb. */
static void tell_limb(const lode__solver *solver, const lode__limb *limb)
{
    limb->model->fresh = limb->model->prepared = false;
    lode__limb_drop_forces(solver, limb);
    memset(LODE__AT(articulation, solver->limbs.articulations, numbers, limb->slot)->residual, 0,
           sizeof(lode_real[4]));
}

unsigned lode__flock_go(lode__flock *flock, const lode__solve_work *work, lode__limb *const *limbs,
                        unsigned wanted, const lode__flock *next)
{
    const lode__solver *solver = work->solver;
    const lode__mb_plan *plan = flock->body.plan;
    for (int n = 0; n < LODE_LANES && flock->driven; ++n)
        for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
            read_drive(solver, flock, k, n);
    read_scales(solver, flock);
    unsigned bits = step_flock(flock, work, next) & wanted;
    bool going = all_go_on(flock, bits);
    for (uint32_t i = plan->root_dofs ? 0 : 1; i < plan->link_count && bits && !going; ++i)
        tell_link(solver, flock, i, bits);
    for (unsigned left = bits; left; left &= left - 1) {
        const lode__limb *limb = limbs[__builtin_ctz(left)];
        if (going)
            tell_going(solver, limb);
        tell_limb(solver, limb);
    }
    if (bits)
        solver->kernels->flock->tell(flock, work->step->dt, bits);
    return bits;
}

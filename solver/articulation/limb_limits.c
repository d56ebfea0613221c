/* limb_limits.c: limits of speed: of single links, of a floating limb as a whole, and of the dofs
 * of one that flies. They take back speed after the rows have been solved, before anything moves;
 * after the move of what flies, which has no rows.
 *
 * A link that is too fast gets the impulse, through the tree, that makes the part along its
 * velocity what it may be; what other parts it gains by that is taken in the next round. Of the
 * whole the velocity of the centre of mass and the spin about it, (sum I)^-1 h (Orin, Goswami and
 * Lee, 2013), are cut by a rigid motion of all, which is a change of the root's alone. */
#include "solver/articulation/limbs.h"

#include "core/math.h"

#define BODY(solver, component, slot) LODE__AT(body, (solver)->bodies, component, slot)

enum { ROUNDS = 8 };

/* Limits of the whole from here on are none: what they cost is saved. */
#define NO_LIMIT ((lode_real)1e6)

static const lode__articulation_numbers *numbers_of(const lode__solver *solver,
                                                    const lode__limb *limb)
{
    return LODE__AT(articulation, solver->limbs.articulations, numbers, limb->slot);
}

static bool is_limited_whole(const lode__solver *solver, const lode__limb *limb)
{
    const lode__articulation_numbers *n = numbers_of(solver, limb);
    return limb->model->body.plan->root_dofs > 0 &&
           (n->max_com_linear_speed < NO_LIMIT || n->max_com_angular_speed < NO_LIMIT);
}

bool lode__limb_is_limited(const lode__solver *solver, const lode__limb *limb, uint32_t flags)
{
    return (flags & LODE__BODY_LIMITED) || is_limited_whole(solver, limb);
}

/* ---- links */

/* Takes what is beyond `most` from a velocity of a link; false where there is nothing. */
static bool limit_part(const lode__multibody *tree, uint32_t link, lode_vec3 v, lode_real most,
                       bool angular)
{
    lode_real speed = v3_length(v);
    if (!(speed > most * (1 + 4 * REAL_EPSILON)))
        return false;
    lode_vec3 along = v3_scale(v, 1 / speed), none = v3_zero();
    lode__mb_link *l = &tree->links[link];
    lode_vec3 f = angular ? none : along, n = angular ? along : none;
    lode_real before = v3_dot(along, v);
    lode__mb_push(tree, link, f, n); /* a unit, to know what it does */
    lode__mb_kernels_one.speed(tree);
    lode_real gain = v3_dot(along, mb_v3(angular ? l->w : l->v)) - before;
    if (!(gain > 0))
        return false;
    lode_real by = (most - speed) / gain - 1;
    lode__mb_push(tree, link, v3_scale(f, by), v3_scale(n, by));
    lode__mb_kernels_one.speed(tree);
    return true;
}

static bool limit_links(const lode__solver *solver, const lode__limb *limb)
{
    const lode__multibody *tree = &limb->model->body;
    bool changed = false;
    for (uint32_t i = 0; i < tree->plan->link_count; ++i) {
        uint32_t body = limb->model->bodies[i];
        if (limb->line[i] <= 0 || !(*BODY(solver, flags, body) & LODE__BODY_LIMITED))
            continue;
        const lode__traits *t = BODY(solver, traits, body);
        const lode__mb_link *l = &tree->links[i];
        changed = limit_part(tree, i, mb_v3(l->v), t->max_linear_speed, false) || changed;
        changed = limit_part(tree, i, mb_v3(l->w), t->max_angular_speed, true) || changed;
    }
    return changed;
}

/* ---- dofs */

/* Takes what is beyond a dof's limit by an impulse along it; false where there is nothing. */
static bool limit_dof(const lode__limb *limb, uint32_t dof)
{
    const lode__multibody *tree = &limb->model->body;
    const uint32_t count = tree->plan->dof_count;
    lode_real most = limb->dofs[dof].axis->max_velocity, speed = tree->dofs[dof].speed[0];
    lode_real *response = limb->scratch;
    if (!(r_abs(speed) > most * (1 + 4 * REAL_EPSILON)))
        return false;
    for (uint32_t k = 0; k < count; ++k)
        response[k] = k == dof;
    lode__mb_solve(tree, response, response);
    if (!(response[dof] > 0))
        return false;
    lode_real by = ((speed > 0 ? most : -most) - speed) / response[dof];
    for (uint32_t k = 0; k < count; ++k)
        tree->dofs[k].speed[0] += by * response[k];
    return true;
}

void lode__limb_limit_dofs(const lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    bool changed = false, again = true;
    for (int round = 0; round < ROUNDS && again; ++round) {
        again = false;
        for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
            again = limit_dof(limb, k) || again;
        changed = changed || again;
    }
    if (changed)
        lode__mb_kernels_one.speed(&limb->model->body);
}

/* ---- the whole */

typedef struct whole {
    lode_real mass;
    lode_vec3 center, v, w; /* from the root's centre; velocity of it, spin about it */
} whole;

static void add_inertia(lode_real sum[6], const lode__mb_link *l, lode_vec3 arm)
{
    lode_real m = l->mass[0];
    const lode_real own[6] = {m * (arm.y * arm.y + arm.z * arm.z),
                              m * (arm.x * arm.x + arm.z * arm.z),
                              m * (arm.x * arm.x + arm.y * arm.y),
                              -m * arm.x * arm.y,
                              -m * arm.x * arm.z,
                              -m * arm.y * arm.z};
    for (int k = 0; k < 6; ++k)
        sum[k] += own[k] + l->moment[k];
}

static whole measure(const lode__multibody *tree)
{
    whole all = {0};
    lode_vec3 momentum = v3_zero(), angular = v3_zero();
    lode_real inertia[6] = {0}, inverse[6];
    for (uint32_t i = 0; i < tree->plan->link_count; ++i) {
        const lode__mb_link *l = &tree->links[i];
        all.mass += l->mass[0];
        all.center = v3_madd(all.center, mb_v3(l->center), l->mass[0]);
        momentum = v3_madd(momentum, mb_v3(l->v), l->mass[0]);
    }
    all.center = v3_scale(all.center, 1 / all.mass);
    all.v = v3_scale(momentum, 1 / all.mass);
    for (uint32_t i = 0; i < tree->plan->link_count; ++i) {
        const lode__mb_link *l = &tree->links[i];
        lode_vec3 arm = v3_sub(mb_v3(l->center), all.center);
        add_inertia(inertia, l, arm);
        angular = v3_add(angular, s3_mul(l->moment, mb_v3(l->w)));
        angular = v3_add(angular, v3_cross(arm, v3_scale(mb_v3(l->v), l->mass[0])));
    }
    if (s3_invert(inertia, inverse))
        all.w = s3_mul(inverse, angular);
    return all;
}

/* What is to be added to a velocity, so that it is no longer than it may be. */
static lode_vec3 excess(lode_vec3 v, lode_real most)
{
    lode_real speed = v3_length(v);
    return speed > most ? v3_scale(v, most / speed - 1) : v3_zero();
}

static void limit_whole(const lode__solver *solver, const lode__limb *limb)
{
    const lode__articulation_numbers *n = numbers_of(solver, limb);
    lode__multibody *tree = &limb->model->body;
    whole all = measure(tree);
    lode_vec3 v = excess(all.v, n->max_com_linear_speed);
    lode_vec3 w = excess(all.w, n->max_com_angular_speed);
    v = v3_sub(v, v3_cross(w, all.center));
    const lode_real change[LODE__MB_ROOT_DOFS] = {v.x, v.y, v.z, w.x, w.y, w.z};
    for (int k = 0; k < LODE__MB_ROOT_DOFS; ++k)
        tree->dofs[k].speed[0] += change[k];
    lode__mb_kernels_one.speed(tree);
}

void lode__limb_limit_speeds(const lode__solver *solver, const lode__limb *limb)
{
    if (is_limited_whole(solver, limb))
        limit_whole(solver, limb);
    for (int round = 0; round < ROUNDS && limit_links(solver, limb); ++round)
        ;
}

/* link_body.c: links as the bodies that they are: what the rest of the world asks of one, and does
 * to one, that only its articulation can answer or bear. */
#include "core/math.h"
#include "world/articulation.h"
#include "world/check.h"

lode_status lode__check_no_link(const lode__world *world, uint32_t body, const char *function)
{
    if (!lode__body_is_link(world, body))
        return LODE_OK;
    return lode__error(LODE_ERROR_STATE, function, "body",
                       "is a link: its articulation says where it is and how it moves");
}

void lode__link_mass_changed(lode__world *world, uint32_t body)
{
    if (*BODY(world, link, body) > 0)
        lode__link_changed(world, *BODY(world, link, body) - 1);
}

bool lode__body_is_out(const lode__world *world, uint32_t body)
{
    uint32_t link = *BODY(world, link, body);
    return link > 0 && !articulation_is_inserted(world, LINK(world, tie, link - 1)->articulation);
}

bool lode__links_let_touch(const lode__world *world, uint32_t body_a, uint32_t body_b)
{
    uint32_t link_a = *BODY(world, link, body_a) - 1, link_b = *BODY(world, link, body_b) - 1;
    const lode__link_tie *a = LINK(world, tie, link_a), *b = LINK(world, tie, link_b);
    if (a->articulation != b->articulation)
        return true;
    return a->parent != link_b && b->parent != link_a &&
           (ARTICULATION(world, head, a->articulation)->flags & LODE__ARTICULATION_SELF_TOUCHES);
}

/* Brings the model up to date: masses, places, inertias. */
static lode__model *factored(lode__world *world, uint32_t articulation)
{
    lode__model *model = *ARTICULATION(world, model, articulation);
    lode__limb_pools pools = limb_pools(world);
    lode__model_read(&pools, model);
    lode__model_load(&pools, model);
    lode__mb_kernels_one.place(&model->body);
    lode__mb_kernels_one.speed(&model->body);
    lode__mb_kernels_one.factor(&model->body);
    return model;
}

void lode__link_pushed(lode__world *world, uint32_t body)
{
    const lode__link_tie *tie = LINK(world, tie, *BODY(world, link, body) - 1);
    lode__model *model = *ARTICULATION(world, model, tie->articulation);
    if (model)
        model->pushed = true;
}

void lode__link_kick(lode__world *world, uint32_t body, lode_vec3 linear, lode_vec3 angular)
{
    const lode__link_tie *tie = LINK(world, tie, *BODY(world, link, body) - 1);
    if (!articulation_is_inserted(world, tie->articulation))
        return;
    lode__model *model = factored(world, tie->articulation);
    lode__limb_pools pools = limb_pools(world);
    lode_vec3 root = BODY(world, pose, LINK(world, tie, model->link[0])->body)->position;
    lode__mb_push(&model->body, tie->index, linear, angular);
    lode__mb_kernels_one.speed(&model->body);
    lode__model_store(&pools, model, root);
}

void lode__link_stop(lode__world *world, uint32_t body)
{
    uint32_t link = *BODY(world, link, body) - 1;
    lode__link_state *state = LINK(world, state, link);
    uint32_t articulation = LINK(world, tie, link)->articulation;
    for (int k = 0; k < LODE_LINK_AXES; ++k)
        state->velocity[k] = 0;
    (*ARTICULATION(world, model, articulation))->fresh = false;
    ARTICULATION(world, numbers, articulation)->wake_left = 0;
}

/* Kinetic energy by mass: (v^2 + w I w / m) / 2. */
static lode_real energy_by_mass(const lode__world *world, uint32_t body)
{
    const lode__local_mass *local = BODY(world, local, body);
    const lode__velocity *v = BODY(world, velocity, body);
    lode_vec3 w = q_rotate_inv(BODY(world, pose, body)->rotation, v->angular);
    lode_real spin = v3_dot(w, s3_mul(local->inertia, w)) / local->mass;
    return (v3_dot(v->linear, v->linear) + spin) / 2;
}

/* No force of its joint waits to act. */
static bool is_unforced(const lode__link_extra *extra)
{
    for (int k = 0; k < LODE_LINK_AXES; ++k)
        if (extra->force[k] != 0)
            return false;
    return true;
}

/* Each link counts for itself, in the idle time that any body has; an articulation's wake counter
 * is what is left of the longest. */
bool lode__link_count_idle(lode__world *world, uint32_t body, lode_real dt)
{
    uint32_t link = *BODY(world, link, body) - 1;
    uint32_t articulation = LINK(world, tie, link)->articulation;
    const lode__articulation_numbers *numbers = ARTICULATION(world, numbers, articulation);
    lode_real *time = &BODY(world, idle, body)->idle_time;
    lode_vec3 v = BODY(world, velocity, body)->linear;
    bool fast = v3_dot(v, v) / 2 >= numbers->sleep_threshold; /* whatever its spin */
    if (fast || !(energy_by_mass(world, body) < numbers->sleep_threshold) ||
        !is_unforced(LINK(world, extra, link)))
        return lode__link_count_restless(world, body);
    *time = r_min(*time + dt, numbers->wake_counter);
    __atomic_store_n(&(*ARTICULATION(world, model, articulation))->dozes, true, __ATOMIC_RELAXED);
    return *time >= numbers->wake_counter;
}

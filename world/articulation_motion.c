/* articulation_motion.c: where articulations are and how they move: links that follow, the root,
 * sleep. */
#include "core/math.h"
#include "lode/sleep.h"
#include "solver/articulation/coordinates.h"
#include "world/articulation.h"
#include "world/check.h"
#include "world/mass.h"
#include "world/tendon.h"
#include "world/wake.h"

/* ---- opening */

lode_status lode__check_inserted(const lode__world *world, uint32_t articulation, bool inserted,
                                 const char *function)
{
    if (articulation_is_inserted(world, articulation) == inserted)
        return LODE_OK;
    return lode__error(LODE_ERROR_STATE, function, "articulation",
                       inserted ? "is not in the simulation"
                                : "is in the simulation; take it out first");
}

lode_status lode__open_link(lode__object *out, lode_body link, const char *function)
{
    lode_status status = lode__open_member(out, NULL, link, function, "link");
    if (status)
        return status;
    uint32_t slot = *BODY(out->world, link, out->slot);
    if (slot == 0)
        return lode__error(LODE_ERROR_ARGUMENT, function, "link", "is no link of an articulation");
    out->slot = slot - 1;
    return LODE_OK;
}

/* ---- following */

void lode__link_place(lode__world *world, uint32_t link)
{
    lode__link_state *state = LINK(world, state, link);
    const lode_real *p = state->position;
    state->turn = lode__turn_by_vector(
        (lode_vec3){p[LODE_AXIS_TWIST], p[LODE_AXIS_SWING1], p[LODE_AXIS_SWING2]});
    LINK(world, extra, link)->slide = (lode_vec3){p[LODE_AXIS_X], p[LODE_AXIS_Y], p[LODE_AXIS_Z]};
}

/* One that was frozen because its state was not finite takes part again. */
static void thaw(lode__world *world, uint32_t body)
{
    uint32_t *flags = BODY(world, flags, body);
    if (*flags & LODE__BODY_FROZEN)
        *BODY(world, force, body) = (lode__force){0};
    *flags &= ~(uint32_t)LODE__BODY_FROZEN;
}

void lode__articulation_follow(lode__world *world, uint32_t articulation, bool velocities_only)
{
    if (!articulation_is_inserted(world, articulation))
        return;
    lode__model *model = *ARTICULATION(world, model, articulation);
    lode__limb_pools pools = limb_pools(world);
    lode_vec3 root = BODY(world, pose, LINK(world, tie, model->link[0])->body)->position;
    lode__model_read(&pools, model);
    lode__model_load(&pools, model);
    lode__mb_kernels_one.place(&model->body);
    lode__mb_kernels_one.speed(&model->body);
    lode__model_store(&pools, model, root);
    for (uint32_t i = 0; i < model->body.plan->link_count && !velocities_only; ++i) {
        uint32_t body = LINK(world, tie, model->link[i])->body;
        thaw(world, body);
        lode__mass_turn(world, body);
        lode__bits_set(&world->collide.posed, body);
        lode__body_placed(world, body);
    }
}

void lode__articulation_wake(lode__world *world, uint32_t articulation, bool anew)
{
    lode_real left = lode__articulation_left(world, articulation);
    EACH_LINK(world, articulation, link)
    lode__wake_body(world, LINK(world, tie, link)->body);
    if (anew)
        lode__articulation_set_left(
            world, articulation,
            r_max(left, ARTICULATION(world, numbers, articulation)->wake_counter));
}

void lode__link_changed(lode__world *world, uint32_t link)
{
    ARTICULATION(world, head, LINK(world, tie, link)->articulation)->flags |=
        LODE__ARTICULATION_STALE;
}

/* ---- the root */

/* Its link; LODE__NONE, after a report, where there is none. */
static lode_status open_root(lode__object *out, uint32_t *out_body, lode_articulation articulation,
                             const char *function)
{
    lode_status status = lode__open_articulation(out, articulation, function);
    if (status)
        return status;
    uint32_t root = ARTICULATION(out->world, head, out->slot)->first_link;
    if (root == LODE__NONE)
        return lode__error(LODE_ERROR_STATE, function, "articulation", "has no links");
    *out_body = LINK(out->world, tie, root)->body;
    return LODE_OK;
}

lode_pose lode_articulation_get_root_pose(lode_articulation articulation)
{
    lode__object a;
    uint32_t body = LODE__NONE;
    return open_root(&a, &body, articulation, __func__) ? (lode_pose){.rotation = q_identity()}
                                                        : lode__body_frame(a.world, body);
}

lode_status lode_articulation_set_root_pose(lode_articulation articulation, lode_pose pose,
                                            bool wake)
{
    lode__object a;
    uint32_t body = LODE__NONE;
    lode_status status = open_root(&a, &body, articulation, __func__);
    if (!status)
        status = lode__check_unit(&pose.rotation, __func__, "pose");
    if (!status)
        status = lode__check_vec3(pose.position, __func__, "pose");
    if (status)
        return status;
    lode_vec3 center = pose_point(pose, BODY(a.world, local, body)->center);
    status = lode__check_vec3(center, __func__, "pose");
    if (status)
        return status;
    *BODY(a.world, pose, body) = (lode__pose){.position = center, .rotation = pose.rotation};
    lode__articulation_follow(a.world, a.slot, false);
    if (wake)
        lode__articulation_wake(a.world, a.slot, true);
    return LODE_OK;
}

lode_vec3 lode_articulation_get_root_linear_velocity(lode_articulation articulation)
{
    lode__object a;
    uint32_t body = LODE__NONE;
    return open_root(&a, &body, articulation, __func__) ? v3_zero()
                                                        : BODY(a.world, velocity, body)->linear;
}

lode_vec3 lode_articulation_get_root_angular_velocity(lode_articulation articulation)
{
    lode__object a;
    uint32_t body = LODE__NONE;
    return open_root(&a, &body, articulation, __func__) ? v3_zero()
                                                        : BODY(a.world, velocity, body)->angular;
}

static lode_status set_root_velocity(lode_articulation articulation, lode_vec3 velocity, bool wake,
                                     bool angular, const char *function)
{
    lode__object a;
    uint32_t body = LODE__NONE;
    lode_status status = open_root(&a, &body, articulation, function);
    if (!status)
        status = lode__check_vec3(velocity, function, "velocity");
    if (!status)
        status = lode__check(v3_is_zero(velocity) || !(ARTICULATION(a.world, head, a.slot)->flags &
                                                       LODE__ARTICULATION_FIXED),
                             function, "velocity", "a fixed base has none");
    if (status)
        return status;
    lode__velocity *v = BODY(a.world, velocity, body);
    *(angular ? &v->angular : &v->linear) = velocity;
    lode__articulation_follow(a.world, a.slot, true);
    if (wake || !v3_is_zero(velocity))
        lode__articulation_wake(a.world, a.slot, wake);
    return LODE_OK;
}

lode_status lode_articulation_set_root_linear_velocity(lode_articulation articulation,
                                                       lode_vec3 velocity, bool wake)
{
    return set_root_velocity(articulation, velocity, wake, false, __func__);
}

lode_status lode_articulation_set_root_angular_velocity(lode_articulation articulation,
                                                        lode_vec3 velocity, bool wake)
{
    return set_root_velocity(articulation, velocity, wake, true, __func__);
}

/* ---- sleep */

void lode__articulation_set_left(lode__world *world, uint32_t articulation, lode_real seconds)
{
    lode__articulation_numbers *numbers = ARTICULATION(world, numbers, articulation);
    lode__model *model = *ARTICULATION(world, model, articulation);
    numbers->wake_left = seconds;
    if (model)
        model->dozes = true;
    EACH_LINK(world, articulation, link)
    BODY(world, idle, LINK(world, tie, link)->body)->idle_time = numbers->wake_counter - seconds;
}

lode_real lode__articulation_left(const lode__world *world, uint32_t articulation)
{
    const lode__articulation_numbers *numbers = ARTICULATION(world, numbers, articulation);
    lode_real left = 0;
    if (!articulation_is_inserted(world, articulation))
        return numbers->wake_left;
    EACH_LINK(world, articulation, link)
    {
        uint32_t body = LINK(world, tie, link)->body, flags = *BODY(world, flags, body);
        if (flags & (LODE__BODY_ASLEEP | LODE__BODY_TO_SLEEP))
            return 0;
        if (!(flags & LODE__BODY_HELD))
            left = r_max(left, numbers->wake_counter - BODY(world, idle, body)->idle_time);
    }
    return left;
}

static lode_status open_inserted(lode__object *out, lode_articulation articulation,
                                 const char *function)
{
    lode_status status = lode__open_articulation(out, articulation, function);
    return status ? status : lode__check_inserted(out->world, out->slot, true, function);
}

bool lode_articulation_is_sleeping(lode_articulation articulation)
{
    lode__object a;
    if (open_inserted(&a, articulation, __func__))
        return false;
    EACH_LINK(a.world, a.slot, link)
    {
        uint32_t flags = *BODY(a.world, flags, LINK(a.world, tie, link)->body);
        if (flags & (LODE__BODY_ASLEEP | LODE__BODY_TO_SLEEP))
            return true;
    }
    return false;
}

lode_status lode_articulation_wake(lode_articulation articulation)
{
    lode__object a;
    lode_status status = open_inserted(&a, articulation, __func__);
    if (!status)
        lode__articulation_wake(a.world, a.slot, true);
    return status;
}

lode_status lode_articulation_sleep(lode_articulation articulation)
{
    lode__object a;
    lode_status status = open_inserted(&a, articulation, __func__);
    if (status)
        return status;
    lode__articulation_set_left(a.world, a.slot, 0);
    (*ARTICULATION(a.world, model, a.slot))->fresh = false;
    EACH_LINK(a.world, a.slot, link)
    {
        uint32_t body = LINK(a.world, tie, link)->body;
        lode__link_state *state = LINK(a.world, state, link);
        *BODY(a.world, velocity, body) = (lode__velocity){0};
        *BODY(a.world, force, body) = (lode__force){0};
        for (int k = 0; k < LODE_LINK_AXES; ++k)
            state->velocity[k] = LINK(a.world, extra, link)->force[k] = 0;
        if (flags_movable(*BODY(a.world, flags, body)))
            lode_body_sleep(body_handle(a.world, body));
    }
    return LODE_OK;
}

lode_real lode_articulation_get_wake_counter(lode_articulation articulation)
{
    lode__object a;
    return lode__open_articulation(&a, articulation, __func__)
               ? 0
               : lode__articulation_left(a.world, a.slot);
}

lode_status lode_articulation_set_wake_counter(lode_articulation articulation, lode_real seconds)
{
    lode__object a;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (!status)
        status = lode__check(is_at_least(seconds, 0), __func__, "seconds",
                             "must be at least 0 and finite");
    if (status)
        return status;
    if (seconds > 0 && articulation_is_inserted(a.world, a.slot))
        lode__articulation_wake(a.world, a.slot, false);
    lode__articulation_set_left(a.world, a.slot, seconds);
    return LODE_OK;
}

/* ---- the rest */

uint64_t lode__articulations_hash(const lode__world *world, uint64_t seed)
{
    if (world->articulations.count == 0)
        return seed;
    seed = lode__pool_hash(&world->links, lode__pool_hash(&world->articulations, seed));
    return lode__tendons_hash(world, seed);
}

lode_articulation_residual lode_articulation_get_residual(lode_articulation articulation)
{
    lode__object a;
    if (lode__open_articulation(&a, articulation, __func__))
        return (lode_articulation_residual){0};
    const lode_real *r = ARTICULATION(a.world, numbers, a.slot)->residual;
    return (lode_articulation_residual){r[0], r[1], r[2], r[3]};
}

lode_bounds lode_articulation_get_bounds(lode_articulation articulation, lode_real inflation)
{
    lode__object a;
    lode_bounds all = {{REAL_MAX, REAL_MAX, REAL_MAX}, {-REAL_MAX, -REAL_MAX, -REAL_MAX}};
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check(is_at_least(inflation, 0), __func__, "inflation", "must be at least 0"))
        return all;
    EACH_LINK(a.world, a.slot, link)
    for (uint32_t shape = BODY(a.world, links, LINK(a.world, tie, link)->body)->first_shape;
         shape != LODE__NONE; shape = SHAPE(a.world, links, shape)->next_shape) {
        lode_bounds b = lode_shape_get_bounds(shape_handle(a.world, shape));
        all.lower = v3_min(all.lower, b.lower);
        all.upper = v3_max(all.upper, b.upper);
    }
    if (all.lower.x > all.upper.x)
        return all;
    lode_vec3 middle = v3_scale(v3_add(all.lower, all.upper), (lode_real)0.5);
    lode_vec3 half = v3_scale(v3_sub(all.upper, all.lower), inflation / 2);
    return (lode_bounds){v3_sub(middle, half), v3_add(middle, half)};
}

/* articulation_motion.c: where articulations are and how they move: positions of joints, targets of
 * drives, the root, sleep; and links that follow. */
#include "core/math.h"
#include "solver/articulation/coordinates.h"
#include "world/articulation.h"
#include "world/check.h"
#include "world/mass.h"
#include "world/sleep.h"
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

/* ---- links as bodies */

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

uint64_t lode__articulations_hash(const lode__world *world, uint64_t seed)
{
    if (world->articulations.count == 0)
        return seed;
    seed = lode__pool_hash(&world->links, lode__pool_hash(&world->articulations, seed));
    return lode__tendons_hash(world, seed);
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

static void follow_if_inserted(lode__world *world, uint32_t articulation, bool velocities_only)
{
    if (articulation_is_inserted(world, articulation))
        lode__articulation_follow(world, articulation, velocities_only);
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

/* ---- joints */

static lode_status open_axis(lode__object *out, lode_body link, lode_link_axis_index axis,
                             const char *function)
{
    lode_status status = lode__open_link(out, link, function);
    return status ? status
                  : lode__check((unsigned)axis < LODE_LINK_AXES, function, "axis",
                                "must be one of lode_link_axis_index");
}

/* The same for an axis that is free, and a value that is to be finite. */
static lode_status open_free(lode__object *out, lode_body link, lode_link_axis_index axis,
                             lode_real value, const char *function, const char *argument)
{
    lode_status status = open_axis(out, link, axis, function);
    if (!status)
        status = lode__check(r_finite(value), function, argument, "must be finite");
    if (!status)
        status = lode__check(LINK(out->world, tie, out->slot)->parent != LODE__NONE, function,
                             "link", "is the root, which has no joint");
    return status ? status
                  : lode__check(LINK(out->world, axes, out->slot)->axis[axis].motion !=
                                    LODE_MOTION_LOCKED,
                                function, "axis", "is locked");
}

lode_link_axis lode_link_get_axis(lode_body link, lode_link_axis_index axis)
{
    lode__object l;
    if (open_axis(&l, link, axis, __func__))
        return (lode_link_axis){0};
    const lode__link_axis *a = &LINK(l.world, axes, l.slot)->axis[axis];
    const lode__link_state *state = LINK(l.world, state, l.slot);
    return (lode_link_axis){.motion = (lode_link_motion)a->motion,
                            .lo = a->lo,
                            .hi = a->hi,
                            .drive = {.type = (lode_drive_type)a->drive,
                                      .stiffness = a->stiffness,
                                      .damping = a->damping,
                                      .max_force = a->max_force,
                                      .max_effort = a->max_effort,
                                      .max_speed = a->max_speed,
                                      .velocity_resistance = a->velocity_resistance,
                                      .speed_effort_gradient = a->speed_effort_gradient},
                            .target = a->target,
                            .target_velocity = a->target_velocity,
                            .armature = a->armature,
                            .static_friction = a->static_friction,
                            .dynamic_friction = a->dynamic_friction,
                            .viscous_friction = a->viscous_friction,
                            .max_velocity = a->max_velocity,
                            .position = state->position[axis],
                            .velocity = state->velocity[axis]};
}

lode_status lode_link_set_axis(lode_body link, lode_link_axis_index axis,
                               const lode_link_axis *values)
{
    lode__object l;
    lode_status status = open_axis(&l, link, axis, __func__);
    if (!status)
        status = lode__check_not_null(values, __func__, "values");
    if (status)
        return status;
    const lode__link_tie *tie = LINK(l.world, tie, l.slot);
    lode__link_axis *a = &LINK(l.world, axes, l.slot)->axis[axis];
    status = lode__link_check_axis(values, (lode_link_joint_type)tie->type, (int)axis, __func__,
                                   "values");
    if (!status)
        status = lode__link_check_motion(l.world, l.slot, (int)axis, values->motion, __func__);
    bool inserted = articulation_is_inserted(l.world, tie->articulation);
    if (!status && inserted && values->motion != (lode_link_motion)a->motion)
        status = lode__error(LODE_ERROR_STATE, __func__, "values",
                             "motions change outside the simulation only");
    if (status)
        return status;
    lode__link_state *state = LINK(l.world, state, l.slot);
    bool free = values->motion != LODE_MOTION_LOCKED;
    ARTICULATION(l.world, head, tie->articulation)->structure += (a->motion !=
                                                                  LODE_MOTION_LOCKED) != free;
    lode__link_put_axis(a, values);
    state->position[axis] = free ? values->position : 0;
    state->velocity[axis] = free ? values->velocity : 0;
    lode__link_place(l.world, l.slot);
    lode__link_changed(l.world, l.slot);
    follow_if_inserted(l.world, tie->articulation, false);
    return LODE_OK;
}

lode_status lode_link_set_position(lode_body link, lode_link_axis_index axis, lode_real position)
{
    lode__object l;
    lode_status status = open_free(&l, link, axis, position, __func__, "position");
    if (!status)
        status = lode__link_check_position(position,
                                           (lode_link_joint_type)LINK(l.world, tie, l.slot)->type,
                                           (int)axis, __func__, "position");
    if (status)
        return status;
    LINK(l.world, state, l.slot)->position[axis] = position;
    lode__link_place(l.world, l.slot);
    follow_if_inserted(l.world, LINK(l.world, tie, l.slot)->articulation, false);
    return LODE_OK;
}

lode_status lode_link_set_velocity(lode_body link, lode_link_axis_index axis, lode_real velocity)
{
    lode__object l;
    lode_status status = open_free(&l, link, axis, velocity, __func__, "velocity");
    if (status)
        return status;
    uint32_t articulation = LINK(l.world, tie, l.slot)->articulation;
    LINK(l.world, state, l.slot)->velocity[axis] = velocity;
    follow_if_inserted(l.world, articulation, true);
    if (velocity != 0)
        lode__articulation_wake(l.world, articulation, false);
    return LODE_OK;
}

static lode_status set_drive(lode_body link, lode_link_axis_index axis, lode_real value, bool wake,
                             bool velocity, const char *function)
{
    lode__object l;
    lode_status status = open_axis(&l, link, axis, function);
    if (!status)
        status = lode__check(r_finite(value), function, velocity ? "velocity" : "target",
                             "must be finite");
    if (status)
        return status;
    lode__link_axis *a = &LINK(l.world, axes, l.slot)->axis[axis];
    *(velocity ? &a->target_velocity : &a->target) = value;
    if (wake)
        lode__articulation_wake(l.world, LINK(l.world, tie, l.slot)->articulation, true);
    return LODE_OK;
}

lode_status lode_link_set_target(lode_body link, lode_link_axis_index axis, lode_real target,
                                 bool wake)
{
    return set_drive(link, axis, target, wake, false, __func__);
}

lode_status lode_link_set_target_velocity(lode_body link, lode_link_axis_index axis,
                                          lode_real velocity, bool wake)
{
    return set_drive(link, axis, velocity, wake, true, __func__);
}

lode_real lode_link_get_joint_force(lode_body link, lode_link_axis_index axis)
{
    lode__object l;
    return open_axis(&l, link, axis, __func__) ? 0 : LINK(l.world, extra, l.slot)->force[axis];
}

lode_status lode_link_set_joint_force(lode_body link, lode_link_axis_index axis, lode_real force)
{
    lode__object l;
    lode_status status = open_free(&l, link, axis, force, __func__, "force");
    if (status)
        return status;
    uint32_t articulation = LINK(l.world, tie, l.slot)->articulation;
    lode__model *model = *ARTICULATION(l.world, model, articulation);
    LINK(l.world, extra, l.slot)->force[axis] = force;
    if (model)
        model->handed = true;
    if (force != 0)
        lode__articulation_wake(l.world, articulation, false);
    return LODE_OK;
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
    follow_if_inserted(a.world, a.slot, false);
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
    follow_if_inserted(a.world, a.slot, true);
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

/* forces.c: forces, torques and impulses on bodies.
 *
 * About the centre of mass c, a force f at the point x is the force f and the torque (x - c) x f.
 * Forces gather until the next step has used them. An impulse p with the angular impulse l changes
 * velocities at once: v += p / m, w += I^-1 l. A sum that would overflow is refused. */
#include "lode/body.h"

#include "core/math.h"
#include "world/check.h"
#include "world/mass.h"
#include "world/world.h"

static const char overflow[] = "the body's sum of it would not be finite";

/* What acts on a body: at its centre of mass, and about it. World axes. */
typedef struct wrench {
    lode_vec3 linear, angular;
} wrench;

/* A force or an impulse at a point, and the frames in which both are given. */
typedef struct thrust {
    lode_vec3 value, point;
    lode_frame value_frame, point_frame;
} thrust;

/* ---- what a wrench does ---- */

typedef lode_status act_fn(lode__object b, wrench by, const char *function, const char *argument);

static bool is_nothing(wrench by)
{
    return v3_is_zero(by.linear) && v3_is_zero(by.angular);
}

static lode_status push(lode__object b, wrench by, const char *function, const char *argument)
{
    lode__force *force = BODY(b.world, force, b.slot);
    lode_vec3 linear = v3_add(force->force, by.linear);
    lode_vec3 angular = v3_add(force->torque, by.angular);
    if (!v3_finite(linear) || !v3_finite(angular))
        return lode__error(LODE_ERROR_ARGUMENT, function, argument, overflow);
    force->force = linear;
    force->torque = angular;
    if (!is_nothing(by))
        lode__body_touched(b.world, b.slot);
    return LODE_OK;
}

static lode_status kick(lode__object b, wrench by, const char *function, const char *argument)
{
    lode__inv_mass m = lode__mass_inverse(b.world, b.slot);
    const lode_real inv_inertia[6] = {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz};
    lode__velocity *velocity = BODY(b.world, velocity, b.slot);
    lode_vec3 linear = v3_madd(velocity->linear, by.linear, m.inv_mass);
    lode_vec3 angular = v3_add(velocity->angular, s3_mul(inv_inertia, by.angular));
    if (!v3_finite(linear) || !v3_finite(angular))
        return lode__error(LODE_ERROR_ARGUMENT, function, argument, overflow);
    if (lode__body_is_link(b.world, b.slot)) {
        lode__link_kick(b.world, b.slot, by.linear, by.angular);
    } else {
        velocity->linear = linear;
        velocity->angular = angular;
    }
    if (!is_nothing(by))
        lode__body_touched(b.world, b.slot);
    return LODE_OK;
}

/* ---- opening a body, and acting on it ---- */

/* Opens a body on which `value` acts. `*out_acts` is false when there is nothing to do: an error,
 * or a body that is not dynamic, which ignores it. */
static lode_status open(lode__object *b, lode_body body, lode_vec3 value, const char *function,
                        const char *argument, bool *out_acts)
{
    lode_status status = lode__open_body(b, body, function);
    if (!status)
        status = lode__check_vec3(value, function, argument);
    *out_acts = !status && body_is_dynamic(b->world, b->slot);
    return status;
}

static lode_status act(lode_body body, act_fn *how, lode_vec3 linear, lode_vec3 angular,
                       const char *function, const char *argument)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, v3_is_zero(linear) ? angular : linear, function, argument,
                              &acts);
    return acts ? how(b, (wrench){linear, angular}, function, argument) : status;
}

static wrench wrench_of(lode__object b, const thrust *by)
{
    lode_vec3 value = by->value;
    if (by->value_frame == LODE_BODY_FRAME)
        value = q_rotate(BODY(b.world, pose, b.slot)->rotation, value);
    lode_vec3 arm = lode__body_arm(b.world, b.slot, by->point, by->point_frame);
    return (wrench){value, v3_cross(arm, value)};
}

static lode_status act_at(lode_body body, act_fn *how, const thrust *by, const char *function,
                          const char *argument)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, by->value, function, argument, &acts);
    if (!status)
        status = lode__check_vec3(by->point, function, "point");
    return acts && !status ? how(b, wrench_of(b, by), function, argument) : status;
}

/* ---- the public functions ---- */

lode_status lode_body_add_force(lode_body body, lode_vec3 force)
{
    return act(body, push, force, v3_zero(), __func__, "force");
}

lode_status lode_body_add_torque(lode_body body, lode_vec3 torque)
{
    return act(body, push, v3_zero(), torque, __func__, "torque");
}

lode_status lode_body_add_impulse(lode_body body, lode_vec3 impulse)
{
    return act(body, kick, impulse, v3_zero(), __func__, "impulse");
}

lode_status lode_body_add_angular_impulse(lode_body body, lode_vec3 impulse)
{
    return act(body, kick, v3_zero(), impulse, __func__, "impulse");
}

lode_status lode_body_add_force_at(lode_body body, lode_vec3 force, lode_vec3 point)
{
    return act_at(body, push, &(thrust){.value = force, .point = point}, __func__, "force");
}

lode_status lode_body_add_impulse_at(lode_body body, lode_vec3 impulse, lode_vec3 point)
{
    return act_at(body, kick, &(thrust){.value = impulse, .point = point}, __func__, "impulse");
}

lode_status lode_body_add_force_in(lode_body body, lode_vec3 force, lode_frame force_frame,
                                   lode_vec3 point, lode_frame point_frame)
{
    lode_status status = lode__check_frame(force_frame, __func__, "force_frame");
    if (!status)
        status = lode__check_frame(point_frame, __func__, "point_frame");
    thrust by = {force, point, force_frame, point_frame};
    return status ? status : act_at(body, push, &by, __func__, "force");
}

lode_status lode_body_add_impulse_in(lode_body body, lode_vec3 impulse, lode_frame impulse_frame,
                                     lode_vec3 point, lode_frame point_frame)
{
    lode_status status = lode__check_frame(impulse_frame, __func__, "impulse_frame");
    if (!status)
        status = lode__check_frame(point_frame, __func__, "point_frame");
    thrust by = {impulse, point, impulse_frame, point_frame};
    return status ? status : act_at(body, kick, &by, __func__, "impulse");
}

/* ---- the sums ---- */

lode_vec3 lode_body_get_force(lode_body body)
{
    lode__object b;
    return lode__open_body(&b, body, __func__) ? v3_zero() : BODY(b.world, force, b.slot)->force;
}

lode_vec3 lode_body_get_torque(lode_body body)
{
    lode__object b;
    return lode__open_body(&b, body, __func__) ? v3_zero() : BODY(b.world, force, b.slot)->torque;
}

lode_status lode_body_set_force(lode_body body, lode_vec3 force)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, force, __func__, "force", &acts);
    if (!acts)
        return status;
    BODY(b.world, force, b.slot)->force = v3_add(force, v3_zero()); /* no -0, as in sums */
    if (!v3_is_zero(force))
        lode__body_touched(b.world, b.slot);
    return LODE_OK;
}

lode_status lode_body_set_torque(lode_body body, lode_vec3 torque)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, torque, __func__, "torque", &acts);
    if (!acts)
        return status;
    BODY(b.world, force, b.slot)->torque = v3_add(torque, v3_zero());
    if (!v3_is_zero(torque))
        lode__body_touched(b.world, b.slot);
    return LODE_OK;
}

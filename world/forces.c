/* forces.c: forces, torques and impulses on bodies.
 *
 * About the centre of mass c, a force f at the point x is the force f and the torque (x - c) x f.
 * Forces gather until the next step has used them. An impulse p with the angular impulse l changes
 * velocities at once: v += p / m, w += I^-1 l. A sum that would overflow is refused. */
#include "lode/body.h"

#include "core/math.h"
#include "world/check.h"
#include "world/world.h"

static const char overflow[] = "the body's sum of it would not be finite";

/* What acts on a body: at its centre of mass, and about it. */
typedef struct wrench {
    lode_vec3 linear, angular;
} wrench;

/* Opens a dynamic body. `*out_acts` is false when there is nothing to do: an error, or a static
 * body, which ignores it. */
static lode_status open(lode__object *b, lode_body body, lode_vec3 value, const char *function,
                        const char *argument, bool *out_acts)
{
    lode_status status = lode__open_body(b, body, function);
    if (!status)
        status = lode__check_vec3(value, function, argument);
    *out_acts = !status && body_is_dynamic(b->world, b->slot);
    return status;
}

static wrench at_point(lode__object b, lode_vec3 value, lode_vec3 point)
{
    lode_vec3 arm = v3_sub(point, BODY(b.world, pose, b.slot)->position);
    return (wrench){value, v3_cross(arm, value)};
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
    return LODE_OK;
}

static lode_status kick(lode__object b, wrench by, const char *function, const char *argument)
{
    const lode__inv_mass *m = BODY(b.world, inv_mass, b.slot);
    const lode_real inv_inertia[6] = {m->xx, m->yy, m->zz, m->xy, m->xz, m->yz};
    lode__velocity *velocity = BODY(b.world, velocity, b.slot);
    lode_vec3 linear = v3_madd(velocity->linear, by.linear, m->inv_mass);
    lode_vec3 angular = v3_add(velocity->angular, s3_mul(inv_inertia, by.angular));
    if (!v3_finite(linear) || !v3_finite(angular))
        return lode__error(LODE_ERROR_ARGUMENT, function, argument, overflow);
    velocity->linear = linear;
    velocity->angular = angular;
    return LODE_OK;
}

lode_status lode_body_add_force(lode_body body, lode_vec3 force)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, force, __func__, "force", &acts);
    return acts ? push(b, (wrench){.linear = force}, __func__, "force") : status;
}

lode_status lode_body_add_torque(lode_body body, lode_vec3 torque)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, torque, __func__, "torque", &acts);
    return acts ? push(b, (wrench){.angular = torque}, __func__, "torque") : status;
}

lode_status lode_body_add_impulse(lode_body body, lode_vec3 impulse)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, impulse, __func__, "impulse", &acts);
    return acts ? kick(b, (wrench){.linear = impulse}, __func__, "impulse") : status;
}

lode_status lode_body_add_angular_impulse(lode_body body, lode_vec3 impulse)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, impulse, __func__, "impulse", &acts);
    return acts ? kick(b, (wrench){.angular = impulse}, __func__, "impulse") : status;
}

lode_status lode_body_add_force_at(lode_body body, lode_vec3 force, lode_vec3 point)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, force, __func__, "force", &acts);
    if (!status)
        status = lode__check_vec3(point, __func__, "point");
    return acts && !status ? push(b, at_point(b, force, point), __func__, "force") : status;
}

lode_status lode_body_add_impulse_at(lode_body body, lode_vec3 impulse, lode_vec3 point)
{
    lode__object b;
    bool acts;
    lode_status status = open(&b, body, impulse, __func__, "impulse", &acts);
    if (!status)
        status = lode__check_vec3(point, __func__, "point");
    return acts && !status ? kick(b, at_point(b, impulse, point), __func__, "impulse") : status;
}

/* turning.c: how bodies turn: the gyroscopic torque and finite rotations. Flags say it, and the few
 * that have an axis have it in a component of its own. */
#include "core/math.h"
#include "lode/body.h"
#include "world/check.h"
#include "world/wake.h"

static const uint32_t gyroscopic_flags[LODE_GYROSCOPIC_COUNT] = {
    [LODE_GYROSCOPIC_IMPLICIT] = LODE__BODY_GYROSCOPIC,
    [LODE_GYROSCOPIC_EXPLICIT] = LODE__BODY_GYRO_EXPLICIT,
    [LODE_GYROSCOPIC_CONSERVING] = LODE__BODY_GYRO_CONSERVING,
};

static lode_status check_gyroscopic(lode_gyroscopic gyroscopic, const char *function,
                                    const char *argument)
{
    return lode__check((unsigned)gyroscopic < LODE_GYROSCOPIC_COUNT, function, argument,
                       "is not a lode_gyroscopic");
}

static void give_gyroscopic(lode__world *world, uint32_t body, lode_gyroscopic gyroscopic)
{
    for (int i = LODE_GYROSCOPIC_IMPLICIT; i < LODE_GYROSCOPIC_COUNT; ++i)
        lode__body_flag(world, body, gyroscopic_flags[i], (lode_gyroscopic)i == gyroscopic);
}

static void give_axis(lode__world *world, uint32_t body, lode_vec3 axis)
{
    *BODY(world, turn_axis, body) = v3_normalize_or(axis, v3_zero());
}

lode_status lode__turning_check(const lode_body_def *def, const char *function)
{
    lode_status status = check_gyroscopic(def->gyroscopic, function, "def.gyroscopic");
    return status
               ? status
               : lode__check_vec3(def->finite_rotation_axis, function, "def.finite_rotation_axis");
}

void lode__turning_fill(lode__world *world, uint32_t body, const lode_body_def *def)
{
    give_gyroscopic(world, body, def->gyroscopic);
    lode__body_flag(world, body, LODE__BODY_FINITE, def->finite_rotation);
    give_axis(world, body, def->finite_rotation_axis);
}

lode_gyroscopic lode_body_get_gyroscopic(lode_body body)
{
    lode__object b;
    int gyroscopic = LODE_GYROSCOPIC_OFF;
    if (lode__open_body(&b, body, __func__))
        return LODE_GYROSCOPIC_OFF;
    uint32_t flags = *BODY(b.world, flags, b.slot);
    for (int i = LODE_GYROSCOPIC_IMPLICIT; i < LODE_GYROSCOPIC_COUNT; ++i)
        gyroscopic = flags & gyroscopic_flags[i] ? i : gyroscopic;
    return (lode_gyroscopic)gyroscopic;
}

lode_status lode_body_set_gyroscopic(lode_body body, lode_gyroscopic gyroscopic)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        status = check_gyroscopic(gyroscopic, __func__, "gyroscopic");
    if (!status)
        status = lode__check_no_link(b.world, b.slot, __func__);
    if (status)
        return status;
    give_gyroscopic(b.world, b.slot, gyroscopic);
    lode__wake_body(b.world, b.slot);
    return LODE_OK;
}

bool lode_body_get_finite_rotation(lode_body body)
{
    lode__object b;
    return !lode__open_body(&b, body, __func__) &&
           (*BODY(b.world, flags, b.slot) & LODE__BODY_FINITE);
}

lode_status lode_body_set_finite_rotation(lode_body body, bool finite)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        status = lode__check_no_link(b.world, b.slot, __func__);
    if (status)
        return status;
    lode__body_flag(b.world, b.slot, LODE__BODY_FINITE, finite);
    lode__wake_body(b.world, b.slot);
    return LODE_OK;
}

lode_vec3 lode_body_get_finite_rotation_axis(lode_body body)
{
    lode__object b;
    return lode__open_body(&b, body, __func__) ? v3_zero() : *BODY(b.world, turn_axis, b.slot);
}

lode_status lode_body_set_finite_rotation_axis(lode_body body, lode_vec3 axis)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        status = lode__check_vec3(axis, __func__, "axis");
    if (!status)
        status = lode__check_no_link(b.world, b.slot, __func__);
    if (status)
        return status;
    give_axis(b.world, b.slot, axis);
    lode__wake_body(b.world, b.slot);
    return LODE_OK;
}

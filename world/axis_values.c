/* axis_values.c: the motors, servos and stops of joints' free axes: what they are told, and with
 * what they pushed. */
#include "core/math.h"
#include "lode/joint.h"
#include "solver/joints/joint_type.h"
#include "world/check.h"
#include "world/joint.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- checks ---- */

static lode_status check_stops(lode_real lo, lode_real hi, const char *function,
                               const char *argument)
{
    return lode__check(lo <= hi && lo <= REAL_MAX && hi >= -REAL_MAX, function, argument,
                       "the low stop must not be above the high one, nor either beyond reach");
}

static bool is_speed(lode_real vel, lode_real servo)
{
    return servo > 0 ? vel == vel : r_finite(vel);
}

static lode_status check_motor(const lode_joint_axis *axis, const char *function,
                               const char *argument)
{
    lode_status status = lode__check(
        is_speed(axis->vel, axis->servo) && axis->f_max >= 0, function, argument,
        "a motor's speed must be finite, but for a servo's, and its force at least 0");
    return status ? status
                  : lode__check(axis->servo >= 0 && r_finite(axis->target), function, argument,
                                "servo must be at least 0 and its target finite");
}

static lode_status check_direction(const lode_joint_axis *axis, const char *function,
                                   const char *argument)
{
    lode_vec3 d = axis->direction;
    lode_status status = lode__check(v3_finite(d) && (d.x != 0 || d.y != 0 || d.z != 0), function,
                                     argument, "its direction must be finite and not zero");
    return status ? status
                  : lode__check((unsigned)axis->frame <= LODE_AXIS_IN_FRAME_B, function, argument,
                                "its direction must be in one of the frames");
}

void lode__joint_axis_put(lode_joint_axis *to, const lode_joint_axis *from)
{
    memcpy(to, from, offsetof(lode_joint_axis, frame) + sizeof from->frame);
}

lode_status lode__check_joint_axis(int type, const lode_joint_axis *axis, const char *function,
                                   const char *argument)
{
    lode_status status = check_stops(axis->lo_stop, axis->hi_stop, function, argument);
    if (!status)
        status = check_motor(axis, function, argument);
    if (!status)
        status = lode__check(is_within(axis->fudge_factor, 0, 1), function, argument,
                             "fudge_factor must be within 0 and 1");
    if (!status)
        status = lode__check(is_within(axis->bounce, 0, 1), function, argument,
                             "bounce must be within 0 and 1");
    if (!status)
        status = lode__check_joint_erp(axis->stop_erp, function, argument);
    if (!status)
        status = lode__check_joint_cfm(axis->stop_cfm, function, argument);
    if (!status && lode__axes_are_given(type))
        status = check_direction(axis, function, argument);
    return status ? status : lode__check_joint_cfm(axis->cfm, function, argument);
}

lode_status lode_joint_axis_set_spring(lode_joint_axis *axis, lode_real stiffness,
                                       lode_real damping, lode_real dt)
{
    lode_real sum = dt * stiffness + damping;
    lode_status status = lode__check_not_null(axis, __func__, "axis");
    if (!status)
        status = lode__check(r_finite(stiffness) && stiffness >= 0, __func__, "stiffness",
                             "must be finite and at least 0");
    if (!status)
        status = lode__check(r_finite(damping) && damping >= 0, __func__, "damping",
                             "must be finite and at least 0");
    if (!status)
        status = lode__check(r_finite(dt) && dt > 0, __func__, "dt", "must be finite and above 0");
    if (!status)
        status = lode__check(sum > 0 && r_finite(1 / sum) && r_finite(sum), __func__, "stiffness",
                             "must not be 0, nor beyond all numbers, together with the damping");
    if (status)
        return status;
    axis->stop_erp = r_min(dt * stiffness / sum, 1);
    axis->stop_cfm = 1 / sum;
    return LODE_OK;
}

lode_status lode_joint_axis_set_servo(lode_joint_axis *axis, lode_real stiffness, lode_real damping)
{
    lode_status status = lode__check_not_null(axis, __func__, "axis");
    if (!status)
        status = lode__check(r_finite(damping) && damping > 0 && r_finite(1 / damping), __func__,
                             "damping", "must be finite and above 0, and so must its inverse");
    if (!status)
        status = lode__check(stiffness / damping > 0 && r_finite(stiffness / damping), __func__,
                             "stiffness", "must be above 0 and finite, by the damping too");
    if (status)
        return status;
    axis->servo = stiffness / damping;
    axis->cfm = 1 / damping;
    axis->vel = INFINITY;
    return LODE_OK;
}

/* ---- what they did ---- */

/* The place among a joint's rows of what serves an axis; -1 when nothing does. */
static int row_of_extra(const lode__joint *joint, const lode__joint_axes *axes, int axis, bool stop)
{
    lode__joint_extra extras[LODE__JOINT_ROWS];
    int count = lode__joint_extras(joint->type, axes, extras);
    for (int i = 0; i < count; ++i)
        if (extras[i].axis == axis && extras[i].stop == stop)
            return lode__joint_types[joint->type].rows + i;
    return -1;
}

static lode_real extra_force(lode__object j, int axis, bool stop)
{
    const lode__joint *joint = JOINT(j.world, joint, j.slot);
    int row = row_of_extra(joint, JOINT(j.world, axes, j.slot), axis, stop);
    return row < 0 ? 0 : JOINT(j.world, feedback, j.slot)->row[row];
}

lode_real lode_joint_get_motor_force(lode_joint joint, int axis)
{
    lode__object j;
    return lode__open_joint_axis(&j, joint, axis, __func__) ? 0 : extra_force(j, axis, false);
}

lode_real lode_joint_get_stop_force(lode_joint joint, int axis)
{
    lode__object j;
    return lode__open_joint_axis(&j, joint, axis, __func__) ? 0 : extra_force(j, axis, true);
}

/* ---- changing them ---- */

/* Gives an axis new motors and stops. Rows that stay keep their impulses and what they are said to
 * have exerted. */
static void change_axis(lode__object j, int axis, const lode_joint_axis *to)
{
    lode__joint *joint = JOINT(j.world, joint, j.slot);
    lode__joint_axes *axes = JOINT(j.world, axes, j.slot), before = *axes;
    lode__joint_impulse *impulse = JOINT(j.world, impulse, j.slot), old = *impulse;
    lode__joint_feedback *feedback = JOINT(j.world, feedback, j.slot), told = *feedback;
    lode__joint_axis_put(&axes->axis[axis], to);
    lode__joint_changed(j.world, j.slot);
    int first = lode__joint_types[joint->type].rows;
    for (int i = first; i < LODE__JOINT_ROWS; ++i)
        impulse->row[i] = feedback->row[i] = 0;
    lode__joint_extra extras[LODE__JOINT_ROWS];
    int count = lode__joint_extras(joint->type, axes, extras);
    for (int i = 0; i < count; ++i) {
        int row = row_of_extra(joint, &before, extras[i].axis, extras[i].stop);
        impulse->row[first + i] = row < 0 ? 0 : old.row[row];
        feedback->row[first + i] = row < 0 ? 0 : told.row[row];
    }
}

lode_status lode_joint_set_axis(lode_joint joint, int axis, const lode_joint_axis *values)
{
    lode__object j;
    lode_status status = lode__open_joint_axis(&j, joint, axis, __func__);
    if (!status)
        status = lode__check_not_null(values, __func__, "values");
    if (!status)
        status = lode__check_joint_axis(JOINT(j.world, joint, j.slot)->type, values, __func__,
                                        "values");
    if (!status)
        change_axis(j, axis, values);
    return status;
}

lode_status lode_joint_set_limits(lode_joint joint, int axis, lode_real lo_stop, lode_real hi_stop)
{
    lode__object j;
    lode_status status = lode__open_joint_axis(&j, joint, axis, __func__);
    if (!status)
        status = check_stops(lo_stop, hi_stop, __func__, "lo_stop");
    if (status)
        return status;
    lode_joint_axis to = JOINT(j.world, axes, j.slot)->axis[axis];
    to.lo_stop = lo_stop;
    to.hi_stop = hi_stop;
    change_axis(j, axis, &to);
    return LODE_OK;
}

lode_status lode_joint_set_motor(lode_joint joint, int axis, lode_real vel, lode_real f_max)
{
    lode__object j;
    lode_status status = lode__open_joint_axis(&j, joint, axis, __func__);
    if (status)
        return status;
    lode_joint_axis to = JOINT(j.world, axes, j.slot)->axis[axis];
    to.vel = vel;
    to.f_max = f_max;
    status = check_motor(&to, __func__, is_speed(vel, to.servo) ? "f_max" : "vel");
    if (!status)
        change_axis(j, axis, &to);
    return status;
}

lode_status lode_joint_set_target(lode_joint joint, int axis, lode_real target)
{
    lode__object j;
    lode_status status = lode__open_joint_axis(&j, joint, axis, __func__);
    if (!status)
        status = lode__check(r_finite(target), __func__, "target", "must be finite");
    if (status)
        return status;
    lode_joint_axis to = JOINT(j.world, axes, j.slot)->axis[axis];
    to.target = target;
    change_axis(j, axis, &to);
    return LODE_OK;
}

/* hinge2.c: dJoint...Hinge2: a wheel on its suspension. The second body, the wheel, turns about
 * axis 2, which is its own, and with that about axis 1 of the first body, which steers and along
 * which the suspension gives. Angles are 0 where anchor or axes were set last, and grow as the
 * first body turns about the axes against the wheel; stops are those of axis 1 alone.
 *
 * The handle API's wheel is body a and turns against the other, so frames have both axes the other
 * way. Its axes are at right angles: of an axis 1 that is not when they are set, its part across
 * axis 2 counts, so that wheels turn about their own axle whatever steers them. */
#include "ode/joint_api.h"

typedef struct hinge2 {
    lode__ode_framed framed;
    dReal suspension_erp, suspension_cfm;
} hinge2;

/* Of one body's versions of the axes. */
static lode_quat turn_of(const lode__ode_framed *joint, int body)
{
    return lode__ode_turn_to(v3_neg(joint->axis[1][body]), v3_neg(joint->axis[0][body]));
}

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    const hinge2 *h = (const hinge2 *)(const void *)joint;
    const lode__ode_limot suspension = {
        .fudge = 1, .stop_erp = h->suspension_erp, .stop_cfm = h->suspension_cfm};
    out_def->type = LODE_JOINT_WHEEL;
    out_def->frame_a = (lode_pose){joint->anchor[1], turn_of(joint, 1)};
    out_def->frame_b = (lode_pose){joint->anchor[0], turn_of(joint, 0)};
    out_def->axis[0] = lode__ode_axis_of(&suspension, (lode__ode_place){.axis = 0});
    out_def->axis[0].direction = v3(1, 0, 0);
}

static lode__ode_place place(const lode__ode_framed *joint, int limot)
{
    (void)joint;
    return limot == 0 ? (lode__ode_place){.axis = 2}
                      : (lode__ode_place){.axis = 1, .no_stops = true};
}

static lode_vec3 axis_of(const lode__ode_framed *joint, int axis)
{
    return vector_out(joint->joint.node[axis].body, joint->axis[axis][axis]);
}

static void set_axes(lode__ode_framed *joint, lode_vec3 axis1, lode_vec3 axis2)
{
    lode__ode_put_axis(joint, 0, axis1);
    lode__ode_put_axis(joint, 1, axis2);
}

/* Angles begin anew where the bodies are. */
static void capture(lode__ode_framed *joint)
{
    set_axes(joint, axis_of(joint, 0), axis_of(joint, 1));
    lode__ode_put_anchor(joint, lode__ode_anchor(joint, 0));
}

const lode__ode_joint_type lode__ode_hinge2 = {.type = dJointTypeHinge2,
                                               .name = "hinge-2",
                                               .size = sizeof(hinge2),
                                               .limots = 2,
                                               .turns = 1,
                                               .axes = 3,
                                               .joins_two = true,
                                               .exchanged = true,
                                               .place = place,
                                               .attached = capture,
                                               .describe = describe};

dJointID dJointCreateHinge2(dWorldID world, dJointGroupID group)
{
    dJointID joint = lode__ode_joint_create(world, group, &lode__ode_hinge2);
    if (!joint)
        return NULL;
    hinge2 *h = (hinge2 *)(void *)joint;
    h->framed.axis[1][0] = h->framed.axis[1][1] = v3(0, 1, 0);
    h->suspension_erp = world->erp;
    h->suspension_cfm = world->cfm;
    return joint;
}

/* --- where it is */

static void set_anchor(lode__ode_framed *joint, lode_vec3 point)
{
    capture(joint);
    lode__ode_put_anchor(joint, point);
}

SETS_VECTOR(dJointSetHinge2Anchor, lode__ode_hinge2, set_anchor(j, v))
SETS_VECTOR(dJointSetHinge2Axis1, lode__ode_hinge2, set_axes(j, v, axis_of(j, 1)))
SETS_VECTOR(dJointSetHinge2Axis2, lode__ode_hinge2, set_axes(j, axis_of(j, 0), v))
TELLS_VECTOR(dJointGetHinge2Anchor, lode__ode_hinge2, lode__ode_anchor(j, 0))
TELLS_VECTOR(dJointGetHinge2Anchor2, lode__ode_hinge2, lode__ode_anchor(j, 1))
TELLS_VECTOR(dJointGetHinge2Axis1, lode__ode_hinge2, axis_of(j, 0))
TELLS_VECTOR(dJointGetHinge2Axis2, lode__ode_hinge2, axis_of(j, 1))

/* A null axis stays what it is; not both. */
void dJointSetHinge2Axes(dJointID joint, const dVector3 axis1, const dVector3 axis2)
{
    if (!IS_ATTACHED(joint, lode__ode_hinge2) ||
        !CHECK(axis1 || axis2, "axis1, axis2", "must not both be null"))
        return;
    lode__ode_framed *j = framed(joint);
    lode_vec3 first = axis1 ? vec_of(axis1) : axis_of(j, 0);
    lode_vec3 second = axis2 ? vec_of(axis2) : axis_of(j, 1);
    if (CHECK(v3_finite(first) && v3_finite(second), "axis1, axis2", "must be finite"))
        set_axes(j, first, second);
}

/* --- angles */

static dReal angle_of(const lode__ode_framed *joint, int axis)
{
    const lode__ode_node *node = joint->joint.node;
    lode_quat a = q_mul(frame_of(node[1].body).rotation, turn_of(joint, 1));
    lode_quat b = q_mul(frame_of(node[0].body).rotation, turn_of(joint, 0));
    return lode__ode_cross_angle(a, b, !axis);
}

static dReal rate_of(const lode__ode_framed *joint, int axis)
{
    return lode__ode_rate_about(joint, axis_of(joint, axis));
}

TELLS_NUMBER(dJointGetHinge2Angle1, lode__ode_hinge2, angle_of(j, 0))
TELLS_NUMBER(dJointGetHinge2Angle2, lode__ode_hinge2, angle_of(j, 1))
TELLS_NUMBER(dJointGetHinge2Angle1Rate, lode__ode_hinge2, rate_of(j, 0))
TELLS_NUMBER(dJointGetHinge2Angle2Rate, lode__ode_hinge2, rate_of(j, 1))

void dJointAddHinge2Torques(dJointID joint, dReal torque1, dReal torque2)
{
    if (!IS_ATTACHED(joint, lode__ode_hinge2))
        return;
    const lode__ode_framed *j = framed(joint);
    lode__ode_twist(j, v3_madd(v3_scale(axis_of(j, 0), torque1), axis_of(j, 1), torque2));
}

/* --- parameters: the suspension's stand beside those of axis 1 */

static dReal *suspension_of(lode__ode_framed *joint, int parameter)
{
    hinge2 *h = (hinge2 *)(void *)joint;
    return parameter == dParamSuspensionERP   ? &h->suspension_erp
           : parameter == dParamSuspensionCFM ? &h->suspension_cfm
                                              : NULL;
}

static void set_param(lode__ode_framed *joint, int parameter, dReal value)
{
    dReal *at = suspension_of(joint, parameter);
    if (!at) {
        lode__ode_set_param(joint, parameter, value);
    } else if (value == value) {
        *at = value;
        joint->joint.changed = true;
    }
}

static dReal get_param(lode__ode_framed *joint, int parameter)
{
    const dReal *at = suspension_of(joint, parameter);
    return at ? *at : lode__ode_get_param(joint, parameter);
}

SETS_PARAM(dJointSetHinge2Param, lode__ode_hinge2, set_param)
TELLS_PARAM(dJointGetHinge2Param, lode__ode_hinge2, get_param)

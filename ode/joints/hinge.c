/* hinge.c: dJoint...Hinge: holds two anchors together and an axis of one body on that of the other.
 * The angle is 0 where the bodies stood when anchor or axis were set, and grows as body 1 turns
 * about the axis. */
#include "ode/joint_api.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_HINGE;
    lode__ode_frames_about_axis(joint, out_def);
}

const lode__ode_joint_type lode__ode_hinge = {.type = dJointTypeHinge,
                                              .name = "hinge",
                                              .size = sizeof(lode__ode_framed),
                                              .limots = 1,
                                              .turns = 1,
                                              .attached = lode__ode_recapture,
                                              .describe = describe};

dJointID dJointCreateHinge(dWorldID world, dJointGroupID group)
{
    return lode__ode_joint_create(world, group, &lode__ode_hinge);
}

SETS_VECTOR(dJointSetHingeAnchor, lode__ode_hinge, lode__ode_begin_at(j, v))
SETS_VECTOR(dJointSetHingeAxis, lode__ode_hinge, lode__ode_begin_about(j, v))
TELLS_VECTOR(dJointGetHingeAnchor, lode__ode_hinge, lode__ode_program_anchor(j, 0))
TELLS_VECTOR(dJointGetHingeAnchor2, lode__ode_hinge, lode__ode_program_anchor(j, 1))
TELLS_VECTOR(dJointGetHingeAxis, lode__ode_hinge, lode__ode_axis(j, 0))
TELLS_NUMBER(dJointGetHingeAngle, lode__ode_hinge, lode__ode_angle(j))
TELLS_NUMBER(dJointGetHingeAngleRate, lode__ode_hinge, lode__ode_angle_rate(j))
SETS_PARAM(dJointSetHingeParam, lode__ode_hinge, lode__ode_set_param)
TELLS_PARAM(dJointGetHingeParam, lode__ode_hinge, lode__ode_get_param)

/* As if body 0 were to go by `way` yet until the anchors meet. */
static void set_anchor_delta(lode__ode_framed *joint, lode_vec3 point, lode_vec3 way)
{
    lode__ode_begin_at(joint, point);
    joint->anchor[1] = point_in(joint->joint.node[1].body, v3_add(point, way));
}

SETS_TWO_VECTORS(dJointSetHingeAnchorDelta, lode__ode_hinge, set_anchor_delta(j, v, u))

/* As if the first body had been turned by `angle` since that was 0. */
void dJointSetHingeAxisOffset(dJointID joint, dReal x, dReal y, dReal z, dReal angle)
{
    if (!IS_ATTACHED(joint, lode__ode_hinge) || !CHECK_FINITE(x, y, z) ||
        !CHECK(isfinite(angle), "angle", "must be finite"))
        return;
    lode__ode_framed *j = framed(joint);
    lode__ode_begin_about(j, v3(x, y, z));
    lode_quat back = lode__ode_turn_about(j->axis[0][1], joint->reversed ? angle : -angle);
    j->relative = q_normalize(q_mul(back, j->relative));
}

void dJointAddHingeTorque(dJointID joint, dReal torque)
{
    if (IS_ATTACHED(joint, lode__ode_hinge))
        lode__ode_twist_about(framed(joint), torque);
}

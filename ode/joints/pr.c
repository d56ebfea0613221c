/* pr.c: dJoint...PR: a hinge on a slide, "prismatic and rotoide". The first body has the slide,
 * along axis 1; what slides on it is a hinge about axis 2 with the second body, whose anchor that
 * is. Position and angle are 0 where anchor or axes were set last, and grow as the first body moves
 * along the one and turns about the other. Parameters of the first group are those of the slide.
 *
 * The hinge's axis is the joint's first here, and the slide's part across it is what counts. The
 * handle API has the slide in body b, so frames have both axes the other way. */
#include "ode/joint_api.h"

static lode_quat turn_of(const lode__ode_framed *joint, int body)
{
    return lode__ode_turn_to(v3_neg(joint->axis[0][body]), v3_neg(joint->axis[1][body]));
}

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    int first = lode__ode_first(joint);
    out_def->type = LODE_JOINT_PRISMATIC_ROTOIDE;
    out_def->frame_a = (lode_pose){joint->anchor[!first], turn_of(joint, !first)};
    out_def->frame_b = (lode_pose){joint->anchor[first], turn_of(joint, first)};
}

/* Motors act on body 0, whichever of the two that is. */
static lode__ode_place place(const lode__ode_framed *joint, int limot)
{
    return (lode__ode_place){.axis = limot, .mirrored = joint->joint.reversed};
}

static lode_vec3 slide_axis(const lode__ode_framed *joint)
{
    int first = lode__ode_first(joint);
    return vector_out(joint->joint.node[first].body, joint->axis[1][first]);
}

static void set_all(lode__ode_framed *joint, lode_vec3 anchor, lode_vec3 slide, lode_vec3 hinge)
{
    lode__ode_put_anchor(joint, anchor);
    lode__ode_put_axis(joint, 0, hinge);
    lode__ode_put_axis(joint, 1, slide);
    lode__ode_put_relative(joint);
}

/* Position and angle begin anew where the bodies are. */
static void capture(lode__ode_framed *joint)
{
    set_all(joint, lode__ode_program_anchor(joint, 1), slide_axis(joint), lode__ode_axis(joint, 0));
}

const lode__ode_joint_type lode__ode_pr = {.type = dJointTypePR,
                                           .name = "prismatic-rotoide",
                                           .size = sizeof(lode__ode_framed),
                                           .limots = 2,
                                           .turns = 2,
                                           .exchanged = true,
                                           .place = place,
                                           .attached = capture,
                                           .describe = describe};

dJointID dJointCreatePR(dWorldID world, dJointGroupID group)
{
    dJointID joint = lode__ode_joint_create(world, group, &lode__ode_pr);
    if (joint)
        framed(joint)->axis[1][0] = framed(joint)->axis[1][1] = v3(0, 1, 0);
    return joint;
}

static dReal position_of(const lode__ode_framed *joint)
{
    lode_vec3 on_slide = lode__ode_program_anchor(joint, 0);
    return v3_dot(slide_axis(joint), v3_sub(on_slide, lode__ode_program_anchor(joint, 1)));
}

static dReal position_rate_of(const lode__ode_framed *joint)
{
    return lode__ode_rate_along(joint, slide_axis(joint), lode__ode_program_anchor(joint, 1));
}

SETS_VECTOR(dJointSetPRAnchor, lode__ode_pr, set_all(j, v, slide_axis(j), lode__ode_axis(j, 0)))
SETS_VECTOR(dJointSetPRAxis1, lode__ode_pr,
            set_all(j, lode__ode_program_anchor(j, 1), v, lode__ode_axis(j, 0)))
SETS_VECTOR(dJointSetPRAxis2, lode__ode_pr,
            set_all(j, lode__ode_program_anchor(j, 1), slide_axis(j), v))
TELLS_VECTOR(dJointGetPRAnchor, lode__ode_pr, lode__ode_program_anchor(j, 1))
TELLS_VECTOR(dJointGetPRAxis1, lode__ode_pr, slide_axis(j))
TELLS_VECTOR(dJointGetPRAxis2, lode__ode_pr, lode__ode_axis(j, 0))
TELLS_NUMBER(dJointGetPRPosition, lode__ode_pr, position_of(j))
TELLS_NUMBER(dJointGetPRPositionRate, lode__ode_pr, position_rate_of(j))
TELLS_NUMBER(dJointGetPRAngle, lode__ode_pr, lode__ode_angle(j))
TELLS_NUMBER(dJointGetPRAngleRate, lode__ode_pr, lode__ode_angle_rate(j))
SETS_PARAM(dJointSetPRParam, lode__ode_pr, lode__ode_set_param)
TELLS_PARAM(dJointGetPRParam, lode__ode_pr, lode__ode_get_param)

void dJointAddPRTorque(dJointID joint, dReal torque)
{
    if (IS_ATTACHED(joint, lode__ode_pr))
        lode__ode_twist_about(framed(joint), torque);
}

/* piston.c: dJoint...Piston: lets a body slide along an axis of the other and turn about it.
 * Position and angle are 0 where anchor and axis were set, and grow as body 1 moves along the axis
 * and turns about it. Parameters of the first axis are those of the slide, of the second those of
 * the turn. */
#include "ode/joint_api.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_PISTON;
    lode__ode_frames_about_axis(joint, out_def);
}

const lode__ode_joint_type lode__ode_piston = {.type = dJointTypePiston,
                                               .name = "piston",
                                               .size = sizeof(lode__ode_framed),
                                               .limots = 2,
                                               .turns = 2,
                                               .attached = lode__ode_recapture,
                                               .describe = describe};

dJointID dJointCreatePiston(dWorldID world, dJointGroupID group)
{
    return lode__ode_joint_create(world, group, &lode__ode_piston);
}

SETS_VECTOR(dJointSetPistonAnchor, lode__ode_piston, lode__ode_begin_at(j, v))
SETS_VECTOR(dJointSetPistonAxis, lode__ode_piston, lode__ode_begin_about(j, v))
TELLS_VECTOR(dJointGetPistonAnchor, lode__ode_piston, lode__ode_program_anchor(j, 0))
TELLS_VECTOR(dJointGetPistonAnchor2, lode__ode_piston, lode__ode_program_anchor(j, 1))
TELLS_VECTOR(dJointGetPistonAxis, lode__ode_piston, lode__ode_axis(j, 0))
TELLS_NUMBER(dJointGetPistonPosition, lode__ode_piston, lode__ode_slide(j))
TELLS_NUMBER(dJointGetPistonPositionRate, lode__ode_piston, lode__ode_slide_rate(j))
TELLS_NUMBER(dJointGetPistonAngle, lode__ode_piston, lode__ode_angle(j))
TELLS_NUMBER(dJointGetPistonAngleRate, lode__ode_piston, lode__ode_angle_rate(j))
SETS_PARAM(dJointSetPistonParam, lode__ode_piston, lode__ode_set_param)
TELLS_PARAM(dJointGetPistonParam, lode__ode_piston, lode__ode_get_param)

/* As if the first body had come by `way` since the position was 0. */
static void set_anchor_offset(lode__ode_framed *joint, lode_vec3 point, lode_vec3 way)
{
    lode__ode_begin_at(joint, point);
    lode__ode_offset_slide(joint, lode__ode_axis(joint, 0), way);
}

/* As if body 0 were to go by `way` yet until the position is 0. */
static void set_axis_delta(lode__ode_framed *joint, lode_vec3 axis, lode_vec3 way)
{
    lode__ode_begin_about(joint, axis);
    lode__ode_put_anchor(joint, lode__ode_program_anchor(joint, 1));
    lode__ode_delta_slide(joint, lode__ode_axis(joint, 0), way);
}

SETS_TWO_VECTORS(dJointSetPistonAnchorOffset, lode__ode_piston, set_anchor_offset(j, v, u))
SETS_TWO_VECTORS(dJointSetPistonAxisDelta, lode__ode_piston, set_axis_delta(j, v, u))

void dJointAddPistonForce(dJointID joint, dReal force)
{
    if (IS_ATTACHED(joint, lode__ode_piston))
        lode__ode_push_along(framed(joint), force);
}

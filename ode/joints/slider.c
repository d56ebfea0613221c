/* slider.c: dJoint...Slider: lets a body slide along an axis of the other. The position is 0 where
 * the bodies stood when the axis was set, and grows as body 1 moves along the axis. */
#include "ode/joint_api.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_SLIDER;
    lode__ode_frames_about_axis(joint, out_def);
}

/* The anchor is body 0's middle. */
static void capture(lode__ode_framed *joint)
{
    lode__ode_put_anchor(joint, joint->joint.node[0].body->pose->position);
    lode__ode_put_axis(joint, 0, lode__ode_axis(joint, 0));
    lode__ode_put_relative(joint);
}

const lode__ode_joint_type lode__ode_slider = {.type = dJointTypeSlider,
                                               .name = "slider",
                                               .size = sizeof(lode__ode_framed),
                                               .limots = 1,
                                               .attached = capture,
                                               .describe = describe};

dJointID dJointCreateSlider(dWorldID world, dJointGroupID group)
{
    return lode__ode_joint_create(world, group, &lode__ode_slider);
}

static void set_axis(lode__ode_framed *joint, lode_vec3 axis)
{
    capture(joint);
    lode__ode_put_axis(joint, 0, axis);
}

/* As if body 0 were to go by `way` yet until the position is 0. */
static void set_axis_delta(lode__ode_framed *joint, lode_vec3 axis, lode_vec3 way)
{
    set_axis(joint, axis);
    lode__ode_delta_slide(joint, lode__ode_axis(joint, 0), way);
}

SETS_VECTOR(dJointSetSliderAxis, lode__ode_slider, set_axis(j, v))
SETS_TWO_VECTORS(dJointSetSliderAxisDelta, lode__ode_slider, set_axis_delta(j, v, u))
TELLS_VECTOR(dJointGetSliderAxis, lode__ode_slider, lode__ode_axis(j, 0))
TELLS_NUMBER(dJointGetSliderPosition, lode__ode_slider, lode__ode_slide(j))
TELLS_NUMBER(dJointGetSliderPositionRate, lode__ode_slider, lode__ode_slide_rate(j))
SETS_PARAM(dJointSetSliderParam, lode__ode_slider, lode__ode_set_param)
TELLS_PARAM(dJointGetSliderParam, lode__ode_slider, lode__ode_get_param)

void dJointAddSliderForce(dJointID joint, dReal force)
{
    if (IS_ATTACHED(joint, lode__ode_slider))
        lode__ode_push_along(framed(joint), force);
}

/* slider.c: dJoint...Slider: lets a body slide along an axis of the other. The position is 0 where
 * the bodies stood when the axis was set, and grows as body 1 moves along the axis. */
#include "ode/joint.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_SLIDER;
    lode__ode_frames_about_axis(joint, out_def);
}

/* The anchor is body 0's middle. */
static void capture(lode__ode_framed *joint)
{
    lode__ode_put_anchor(joint, vec_of(joint->joint.node[0].body->position));
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

void dJointSetSliderAxis(dJointID joint, dReal x, dReal y, dReal z)
{
    if (!IS_ATTACHED(joint, lode__ode_slider) || !CHECK_FINITE(x, y, z))
        return;
    capture(framed(joint));
    lode__ode_put_axis(framed(joint), 0, v3(x, y, z));
}

void dJointGetSliderAxis(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_slider) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_axis(framed(joint), 0));
}

dReal dJointGetSliderPosition(dJointID joint)
{
    return IS_ATTACHED(joint, lode__ode_slider) ? lode__ode_slide(framed(joint)) : 0;
}

dReal dJointGetSliderPositionRate(dJointID joint)
{
    return IS_ATTACHED(joint, lode__ode_slider) ? lode__ode_slide_rate(framed(joint)) : 0;
}

void dJointSetSliderParam(dJointID joint, int parameter, dReal value)
{
    if (IS(joint, lode__ode_slider))
        lode__ode_set_param(framed(joint), parameter, value);
}

dReal dJointGetSliderParam(dJointID joint, int parameter)
{
    return IS(joint, lode__ode_slider) ? lode__ode_get_param(framed(joint), parameter) : 0;
}

void dJointAddSliderForce(dJointID joint, dReal force)
{
    if (IS_ATTACHED(joint, lode__ode_slider))
        lode__ode_push_along(framed(joint), force);
}

/* limot.c: stops and motors by ODE's numbers of parameters.
 *
 * A parameter is a number within a group of 0x100, and the group is the axis. What a type has not
 * is neither set nor read: it reads 0. */
#include "ode/joint.h"

void lode__ode_limot_init(lode__ode_framed *joint)
{
    dWorldID world = joint->joint.world;
    joint->relative = q_identity();
    for (int i = 0; i < 2; ++i)
        joint->axis[0][i] = v3(1, 0, 0);
    joint->erp = joint->cfm = -1;
    for (int i = 0; i < LODE__ODE_LIMOTS; ++i)
        joint->limot[i] = (lode__ode_limot){.lo = -(dReal)INFINITY,
                                            .hi = (dReal)INFINITY,
                                            .fudge = 1,
                                            .cfm = world->cfm,
                                            .stop_erp = world->erp,
                                            .stop_cfm = world->cfm};
}

/* Where a limot has a parameter, or null. */
static dReal *value_of(lode__ode_limot *limot, int parameter)
{
    switch (parameter) {
    case dParamLoStop:
        return &limot->lo;
    case dParamHiStop:
        return &limot->hi;
    case dParamVel:
        return &limot->vel;
    case dParamFMax:
        return &limot->fmax;
    case dParamFudgeFactor:
        return &limot->fudge;
    case dParamBounce:
        return &limot->bounce;
    case dParamCFM:
        return &limot->cfm;
    case dParamStopERP:
        return &limot->stop_erp;
    case dParamStopCFM:
        return &limot->stop_cfm;
    default:
        return NULL;
    }
}

/* Bad values are dropped without a word, as ODE does. */
static bool is_usable(int parameter, dReal value)
{
    switch (parameter) {
    case dParamFMax:
        return value >= 0;
    case dParamFudgeFactor:
        return value >= 0 && value <= 1;
    default:
        return value == value;
    }
}

static dReal *find(lode__ode_framed *joint, int parameter)
{
    int axis = parameter >> 8;
    return axis >= 0 && axis < joint->joint.type->limots
               ? value_of(&joint->limot[axis], parameter & 0xff)
               : NULL;
}

void lode__ode_set_param(lode__ode_framed *joint, int parameter, dReal value)
{
    dReal *at = find(joint, parameter);
    if (!at || !is_usable(parameter & 0xff, value))
        return;
    *at = value;
    joint->joint.changed = true;
}

dReal lode__ode_get_param(const lode__ode_framed *joint, int parameter)
{
    lode__ode_framed *any = (lode__ode_framed *)(uintptr_t)joint; /* is only read */
    const dReal *at = find(any, parameter);
    return at ? *at : 0;
}

lode_joint_axis lode__ode_axis_of(const lode__ode_limot *limot)
{
    bool stops = limot->lo <= limot->hi;
    return (lode_joint_axis){.lo_stop = stops ? limot->lo : -(dReal)INFINITY,
                             .hi_stop = stops ? limot->hi : (dReal)INFINITY,
                             .vel = limot->vel,
                             .f_max = limot->fmax,
                             .fudge_factor = limot->fudge,
                             .cfm = limot->cfm,
                             .bounce = limot->bounce,
                             .stop_erp = limot->stop_erp,
                             .stop_cfm = limot->stop_cfm};
}

/* --- of what a joint holds */

void lode__ode_set_softness(lode__ode_framed *joint, int parameter, dReal value)
{
    if (parameter == dParamERP && value >= 0 && value <= 1)
        joint->erp = value;
    else if (parameter == dParamCFM && value >= 0)
        joint->cfm = value;
    joint->joint.changed = true;
}

dReal lode__ode_get_softness(const lode__ode_framed *joint, int parameter)
{
    return parameter == dParamERP ? joint->erp : parameter == dParamCFM ? joint->cfm : 0;
}

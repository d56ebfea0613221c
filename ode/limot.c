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

/* What the handle API does not take counts as the nearest that it does; a speed as good as infinite
 * is one of which sums are finite in either precision. */
static dReal within(dReal x, dReal lo, dReal hi)
{
    return r_min(r_max(x, lo), hi);
}

lode_joint_axis lode__ode_axis_of(const lode__ode_limot *limot, lode__ode_place place)
{
    const dReal fastest = (dReal)1e12, most = (dReal)INFINITY;
    bool stops = !place.no_stops && limot->lo <= limot->hi && limot->lo < most && limot->hi > -most;
    dReal lo = stops ? limot->lo : -most, hi = stops ? limot->hi : most;
    if (place.turns && lo < -(dReal)M_PI)
        lo = -most;
    if (place.turns && hi > (dReal)M_PI)
        hi = most;
    dReal vel = within(limot->vel, -fastest, fastest);
    return (lode_joint_axis){.lo_stop = place.begins + (place.mirrored ? -hi : lo),
                             .hi_stop = place.begins + (place.mirrored ? -lo : hi),
                             .vel = place.mirrored ? -vel : vel,
                             .f_max = limot->fmax,
                             .fudge_factor = limot->fudge,
                             .cfm = within(limot->cfm, 0, fastest),
                             .bounce = within(limot->bounce, 0, 1),
                             .stop_erp = within(limot->stop_erp, 0, 1),
                             .stop_cfm = within(limot->stop_cfm, LODE__ODE_LEAST_CFM, fastest)};
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

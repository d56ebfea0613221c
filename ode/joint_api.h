/* joint_api.h: functions of joints that set or tell one thing, as tables: each line is a function,
 * the type of joint that it is for, and what it does.
 *
 * Within a line `j` is the joint, with its frames, and `v` the vector that is set, in world
 * coordinates. What is set by vectors needs bodies and does nothing without; what is told by
 * numbers is 0 without. */
#ifndef LODE_ODE_JOINT_API_H
#define LODE_ODE_JOINT_API_H

#include "ode/joint.h"

#define SETS_VECTOR(function, type, action) \
    void function(dJointID joint, dReal x, dReal y, dReal z) \
    { \
        if (!IS_ATTACHED(joint, type) || !CHECK_FINITE(x, y, z)) \
            return; \
        lode__ode_framed *j = framed(joint); \
        lode_vec3 v = v3(x, y, z); \
        action; \
    }

/* And a second one, `u`. */
#define SETS_TWO_VECTORS(function, type, action) \
    void function(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz) \
    { \
        if (!IS_ATTACHED(joint, type) || !CHECK_FINITE(x, y, z) || !CHECK_FINITE(dx, dy, dz)) \
            return; \
        lode__ode_framed *j = framed(joint); \
        lode_vec3 v = v3(x, y, z), u = v3(dx, dy, dz); \
        action; \
    }

#define TELLS_VECTOR(function, type, value) \
    void function(dJointID joint, dVector3 result) \
    { \
        if (!IS(joint, type) || !CHECK_GIVEN(result)) \
            return; \
        const lode__ode_framed *j = framed(joint); \
        put_vec(result, value); \
    }

#define TELLS_NUMBER(function, type, value) \
    dReal function(dJointID joint) \
    { \
        if (!IS_ATTACHED(joint, type)) \
            return 0; \
        const lode__ode_framed *j = framed(joint); \
        return value; \
    }

/* `set` and `get` are those of limot.c: of axes, or of what the joint holds. */
#define SETS_PARAM(function, type, set) \
    void function(dJointID joint, int parameter, dReal value) \
    { \
        if (IS(joint, type)) \
            set(framed(joint), parameter, value); \
    }

#define TELLS_PARAM(function, type, get) \
    dReal function(dJointID joint, int parameter) \
    { \
        return IS(joint, type) ? get(framed(joint), parameter) : 0; \
    }

#endif

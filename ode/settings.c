/* settings.c: auto-disabling and damping, of bodies and of worlds for bodies to come.
 *
 * dBodySet... and dWorldSet... say the same of a body and of what new bodies begin with, so both
 * are made from one table. A setting outside its range is refused. */
#include "ode/check.h"
#include "ode/state.h"

#define AT_LEAST_0(x) (isfinite(x) && (x) >= 0)
#define NOT_BELOW_0(x) ((x) >= 0)
#define SHARE(x) ((x) >= 0 && (x) <= 1)

/* clang-format off */
#define SETTINGS(X) \
    /* name                         type    field                      range        message */ \
    X(AutoDisableLinearThreshold,   dReal,  idle.linear_threshold,     AT_LEAST_0,  "must be finite and at least 0") \
    X(AutoDisableSteps,             int,    idle.steps,                NOT_BELOW_0, "must be at least 0") \
    X(AutoDisableTime,              dReal,  idle.time,                 NOT_BELOW_0, "must be at least 0") \
    X(AutoDisableAngularThreshold,  dReal,  idle.angular_threshold,    AT_LEAST_0,  "must be finite and at least 0") \
    X(LinearDamping,                dReal,  damping.linear_scale,      SHARE,       "must be in 0..1") \
    X(AngularDamping,               dReal,  damping.angular_scale,     SHARE,       "must be in 0..1") \
    X(LinearDampingThreshold,       dReal,  damping.linear_threshold,  AT_LEAST_0,  "must be finite and at least 0") \
    X(AngularDampingThreshold,      dReal,  damping.angular_threshold, AT_LEAST_0,  "must be finite and at least 0") \
    X(MaxAngularSpeed,              dReal,  max_angular_speed,         NOT_BELOW_0, "must be at least 0")
/* clang-format on */

#define ACCESS(owner, id, NAME, type, field, range, message) \
    void d##owner##Set##NAME(id object, type value) \
    { \
        if (CHECK_GIVEN(object) && CHECK(range(value), "value", message)) \
            object->field = value; \
    } \
    type d##owner##Get##NAME(id object) \
    { \
        return CHECK_GIVEN(object) ? object->field : 0; \
    }
#define OF_BODY(...) ACCESS(Body, dBodyID, __VA_ARGS__)
#define OF_WORLD(...) ACCESS(World, dWorldID, __VA_ARGS__)

SETTINGS(OF_BODY)
SETTINGS(OF_WORLD)

void dBodySetDamping(dBodyID body, dReal linear_scale, dReal angular_scale)
{
    dBodySetLinearDamping(body, linear_scale);
    dBodySetAngularDamping(body, angular_scale);
}

void dWorldSetDamping(dWorldID world, dReal linear_scale, dReal angular_scale)
{
    dWorldSetLinearDamping(world, linear_scale);
    dWorldSetAngularDamping(world, angular_scale);
}

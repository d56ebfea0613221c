/* check.c: see check.h. */
#include "ode/check.h"

bool lode__ode_check(bool holds, const char *function, const char *argument, const char *message)
{
    if (!holds)
        lode__ode_refuse("%s: %s %s", function, argument, message);
    return holds;
}

static _Thread_local const char *speaker;

void lode__ode_speak_for(const char *function)
{
    speaker = function;
}

void lode__ode_hear_lode(void *user, lode_status status, const char *function, const char *argument,
                         const char *message)
{
    (void)user, (void)status;
    lode__ode_refuse("%s: %s %s", speaker ? speaker : function, argument, message);
}

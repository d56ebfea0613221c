/* check.c: see check.h. */
#include "ode/check.h"

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

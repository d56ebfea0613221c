/* check.c: see check.h. */
#include "ode/check.h"

static _Thread_local const char *speaker;

void lode__ode_speak_for(const char *function)
{
    speaker = function;
}

static _Thread_local bool short_of_memory;

bool lode__ode_was_short(void)
{
    bool was = short_of_memory;
    short_of_memory = false;
    return was;
}

void lode__ode_hear_lode(void *user, lode_status status, const char *function, const char *argument,
                         const char *message)
{
    (void)user;
    short_of_memory |= status == LODE_ERROR_MEMORY;
    lode__ode_refuse("%s: %s %s", speaker ? speaker : function, argument, message);
}

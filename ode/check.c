/* check.c: see check.h. */
#include "ode/check.h"

bool lode__ode_check(bool holds, const char *function, const char *argument, const char *message)
{
    if (!holds)
        lode__ode_refuse("%s: %s %s", function, argument, message);
    return holds;
}

/* check.h: bad arguments. ODE's debug build stops the program with a message where an argument is
 * wrong; so does this library, by the same handlers. A handler that returns leaves the call without
 * effect. */
#ifndef LODE_ODE_CHECK_H
#define LODE_ODE_CHECK_H

#include "ode/common.h"
#include "ode/error.h"

#include "lode/setup.h"

#include <math.h>
#include <stdbool.h>

/* Tells the handler of debug messages, and aborts where there is none. */
void lode__ode_refuse(const char *msg, ...);

/* Returns `holds`. Reports "function: argument message" if it does not. */
static inline bool lode__ode_check(bool holds, const char *function, const char *argument,
                                   const char *message)
{
    if (!holds)
        lode__ode_refuse("%s: %s %s", function, argument, message);
    return holds;
}

/* What the handle API refuses is told to the same handler, as if by this function; null: by its
 * own. Of this thread. */
void lode__ode_speak_for(const char *function);

/* The handle API's hook for errors, from dInitODE() on. */
void lode__ode_hear_lode(void *user, lode_status status, const char *function, const char *argument,
                         const char *message);

/* Has it told this thread, since the last call, that memory is wanting? */
bool lode__ode_was_short(void);

/* The usual messages, with the name of the argument as it stands in the call. */
#define CHECK(holds, argument, message) lode__ode_check(holds, __func__, argument, message)
#define CHECK_GIVEN(pointer) CHECK((pointer) != NULL, #pointer, "must not be null")
#define CHECK_FINITE(x, y, z) \
    CHECK(isfinite(x) && isfinite(y) && isfinite(z), #x ", " #y ", " #z, "must be finite")

#endif

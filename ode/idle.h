/* idle.h: bodies that disable themselves. */
#ifndef LODE_ODE_IDLE_H
#define LODE_ODE_IDLE_H

#include "ode/state.h"

/* The body begins to count anew. */
void lode__ode_idle_restart(dBodyID body);

/* Gives back what the body remembers. */
void lode__ode_idle_free(dBodyID body);

/* The first stage of a step of `dt` seconds: disables those that have been idle for long enough by
 * the velocities that the last step left. */
void lode__ode_idle_run(dWorldID world, dReal dt);

#endif

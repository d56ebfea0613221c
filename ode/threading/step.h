/* step.h: a world's steps by an implementation of threading. */
#ifndef LODE_ODE_THREADING_STEP_H
#define LODE_ODE_THREADING_STEP_H

#include "ode/state.h"

/* Before a step: the world's tasks are for as many threads as serve now. False: no memory. */
bool lode__ode_threads_bring(dWorldID world);

/* The world ends. */
void lode__ode_threads_leave(dWorldID world);

#endif

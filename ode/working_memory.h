/* working_memory.h: what the face needs for the length of a step, kept from one step to the next,
 * and shared by worlds that are told to. */
#ifndef LODE_ODE_WORKING_MEMORY_H
#define LODE_ODE_WORKING_MEMORY_H

#include "ode/state.h"

/* Room for so many bytes, with nothing in it, until the next call; null: there is no memory. */
void *lode__ode_working_take(dWorldID world, size_t size);

/* The world ends. */
void lode__ode_working_leave(dWorldID world);

#endif

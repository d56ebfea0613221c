/* systems.h: keeping an application's systems, and running those of a stage. */
#ifndef LODE_WORLD_SYSTEMS_H
#define LODE_WORLD_SYSTEMS_H

#include "core/step.h"

typedef struct lode__world lode__world;

/* Takes the step's memory for systems, once the dense lines are known. False: out of memory. */
bool lode__systems_prepare(lode__world *world, const lode__step *step);

/* Runs the systems before or after a stage that runs by itself. */
void lode__systems_run(lode__world *world, const lode__step *step, int stage, bool after);

void lode__systems_reset_times(lode__world *world);
void lode__systems_free(lode__world *world);
size_t lode__systems_bytes(const lode__world *world);

#endif

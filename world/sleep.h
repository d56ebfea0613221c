/* sleep.h: who falls asleep. */
#ifndef LODE_WORLD_SLEEP_H
#define LODE_WORLD_SLEEP_H

#include "lode/sleep.h"
#include "world/world.h"

/* Puts bodies that were asked to sleep, with their islands, to sleep. False: out of memory, nothing
 * changed. */
bool lode__sleep_asked(lode__world *world, lode__arena *arena);

/* The last stage: counts idle steps, puts idle islands to sleep, and leaves alone what rests. */
void lode__sleep_run(lode__world *world, const lode__step *step);

/* Bodies that fell asleep in the last step keep their lines until the next begins, so that they are
 * among the moved ones: clears those. */
void lode__sleep_forget_lines(lode__world *world);

bool lode__sleep_is_possible(const lode_sleep *sleep);
lode_status lode__check_sleep(const lode_sleep *sleep, const char *function, const char *argument);

/* Gives a body other values and starts counting anew. False: out of memory, nothing changed. */
bool lode__sleep_give(lode__world *world, uint32_t body, const lode_sleep *sleep);

/* For a body that goes. */
void lode__sleep_drop(lode__world *world, uint32_t body);

/* Folds the samples into `seed`, by body. */
uint64_t lode__sleep_hash(const lode__world *world, uint64_t seed);

#endif

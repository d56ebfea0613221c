/* yard.h: a world with some of everything that moves, and a life for it.
 *
 * On a plane and a slab: a pile of boxes, spheres and capsules, a body of several shapes, a chain
 * of balls, doors with motors and stops, a lift, sensors, bodies with limits and damping, a frozen
 * one, names, aggregates, contacts made by the caller. What is done to it depends on the number of
 * the step alone and finds its bodies by their order, so equal worlds lead equal lives. */
#ifndef LODE_TESTS_WORLD_YARD_H
#define LODE_TESTS_WORLD_YARD_H

#include "tests/world/support.h"

lode_world yard_create(const lode_world_def *def); /* null: the defaults */

/* A step with all that happens before it: pushes, makes, destroys and changes things. */
void yard_step(lode_world world, int step);

/* A snapshot of the world on the heap. */
typedef struct yard_shot {
    char *bytes;
    size_t size;
} yard_shot;

yard_shot yard_shoot(lode_world world);
void yard_free(yard_shot shot);

/* A number for all of the world's state, its snapshot's. */
uint64_t yard_state(lode_world world);

#endif

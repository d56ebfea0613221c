/* wake.h: who is awake, and what wakes whom. */
#ifndef LODE_WORLD_WAKE_H
#define LODE_WORLD_WAKE_H

#include "world/world.h"

/* Makes room for the body and the joint of the highest slots there are, so that the functions below
 * cannot fail. */
bool lode__awake_reserve(lode__world *world);

/* The body, with its shapes and joints, joins what the stages look at, or leaves it. */
void lode__body_set_awake(lode__world *world, uint32_t body, bool awake);

/* Joins, if by its type and velocity it should. */
void lode__body_join_awake(lode__world *world, uint32_t body);

/* A joint is looked at while a dynamic body of it is awake. */
void lode__joint_join_awake(lode__world *world, uint32_t joint);

/* --- the rules; each is called by what changes something, before or after it does */

/* A dynamic body's whole island wakes. */
void lode__wake_body(lode__world *world, uint32_t body);
void lode__wake_all(lode__world *world);

/* What rests on the body, or is joined to it, wakes: it moves or goes. */
void lode__wake_neighbours(lode__world *world, uint32_t body);

/* The body was put elsewhere, or became something else. */
void lode__body_placed(lode__world *world, uint32_t body);

/* A shape came, changed, or is about to go. */
void lode__shape_touched(lode__world *world, uint32_t shape);

/* A joint came, changed, or is about to go. */
void lode__joint_touched(lode__world *world, uint32_t joint);

/* Aborts when the sets, rings and counts contradict each other. */
void lode__awake_validate(const lode__world *world);

/* The step's contacts: what touches something awake wakes. */
void lode__wake_touching(lode__world *world);
void lode__wake_made(lode__world *world); /* the caller's contacts */

#endif

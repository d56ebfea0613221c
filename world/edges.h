/* edges.h: the lists of joints on bodies, and what is derived from the bodies' masses. */
#ifndef LODE_WORLD_EDGES_H
#define LODE_WORLD_EDGES_H

#include "world/world.h"

/* The body on side 0 or 1 of a record; LODE__NONE is the world, or nothing. */
uint32_t lode__joint_body(const lode__world *world, uint32_t joint, uint32_t side);

/* The edge behind `edge` in its body's list. */
uint32_t lode__next_edge(const lode__world *world, uint32_t edge);

/* The joint that an edge belongs to, and the record behind one of its records: LODE__NONE for
 * joints of two bodies. */
uint32_t lode__joint_of_edge(const lode__world *world, uint32_t edge);
uint32_t lode__next_record(const lode__world *world, uint32_t record);

/* Into and out of the lists of all its bodies; nothing of a joint in limbo. There must be room for
 * one of two bodies among what is joined. */
void lode__joint_link(lode__world *world, uint32_t joint);
void lode__joint_unlink(lode__world *world, uint32_t joint);

/* Whether the joint forbids its bodies to touch. */
void lode__joint_forbid(lode__world *world, uint32_t joint, bool forbids);

/* The frames as the solver wants them, from the anchors and the centres of mass. */
void lode__joint_derive_frames(lode__world *world, uint32_t joint);

#endif

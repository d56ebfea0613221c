/* aggregate.h: aggregates: bodies and articulations that stay together and are one entry of the
 * broad phase: a vehicle with its wheels and its load, a robot with what it holds, the parts of a
 * figure, a heap of debris.
 *
 * The broad phase holds an entry's shapes in a branch of their own under one box, which is placed
 * among the other entries as a whole. That is worth most where the members are many, near each
 * other and in motion, and costs where they are far apart: the box is around all of them.
 *
 * An aggregate says, too, whether its members touch each other. Apart from that it changes no
 * result: with self_collision the same contacts come out as without the aggregate, to the bit.
 *
 * An aggregate belongs to its world and goes with it. A body or an articulation is in one at most;
 * when it is destroyed it leaves by itself. The links of an articulation are in the articulation's.
 * Snapshots hold aggregates and who is in them. */
#ifndef LODE_AGGREGATE_H
#define LODE_AGGREGATE_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* An empty one. `self_collision`: may its members touch each other, and the links of one
 * articulation, where that lets them (lode_articulation_def), too? Without it none of its shapes
 * touches another; sensors sense them all the same. Null on failure: LODE_ERROR_HANDLE,
 * LODE_ERROR_MEMORY. */
LODE_API lode_aggregate lode_aggregate_create(lode_world world, bool self_collision);

/* Ends the aggregate; its members stay in the world, each by itself. Takes time for all bodies of
 * the world, as do the lists of members and the bounds. */
LODE_API lode_status lode_aggregate_destroy(lode_aggregate aggregate);

/* Does the handle name an aggregate that lives; and in which world, null for a bad handle. */
LODE_API bool lode_aggregate_is_valid(lode_aggregate aggregate);
LODE_API lode_world lode_aggregate_get_world(lode_aggregate aggregate);

/* Another value wakes the members: what touched may no longer do so. */
LODE_API bool lode_aggregate_get_self_collision(lode_aggregate aggregate);
LODE_API lode_status lode_aggregate_set_self_collision(lode_aggregate aggregate,
                                                       bool self_collision);

/* Puts a body of any type with all its shapes, those it will have too, into an aggregate of its
 * world, from where it was; null: into none. A link is refused, its articulation is meant. Wakes
 * the body where one of the two aggregates is without self_collision. LODE_ERROR_HANDLE;
 * LODE_ERROR_STATE for a link. */
LODE_API lode_status lode_body_set_aggregate(lode_body body, lode_aggregate aggregate);
LODE_API lode_aggregate lode_body_get_aggregate(lode_body body); /* null for none */

/* The same of an articulation with all its links, in the simulation or out of it. */
LODE_API lode_status lode_articulation_set_aggregate(lode_articulation articulation,
                                                     lode_aggregate aggregate);
LODE_API lode_aggregate lode_articulation_get_aggregate(lode_articulation articulation);

/* Copy up to `capacity` members to the array, in the order of their slots, and return how many
 * there are; 0 on failure. With `capacity` 0 the array may be null. Links are not among the
 * bodies. */
LODE_API int lode_aggregate_get_bodies(lode_aggregate aggregate, lode_body *out_bodies,
                                       int capacity);
LODE_API int lode_aggregate_get_articulations(lode_aggregate aggregate,
                                              lode_articulation *out_articulations, int capacity);

/* The box around all shapes of its members, as lode_shape_get_bounds() has theirs; zeros if there
 * are none. */
LODE_API lode_bounds lode_aggregate_get_bounds(lode_aggregate aggregate);

/* Yours: stored and returned. */
LODE_API void *lode_aggregate_get_user_data(lode_aggregate aggregate);
LODE_API lode_status lode_aggregate_set_user_data(lode_aggregate aggregate, void *user_data);

LODE_EXTERN_C_END

#endif

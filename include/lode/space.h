/* space.h: spaces: named sets of shapes, within each other if you like, as a query or a broad phase
 * of your own wants them: the parts of a car, all that is indoors, what a robot may grasp.
 *
 * A space belongs to you and says nothing to steps: there pairs come from the world. It is asked
 * by queries (`space` in lode_query_filter) and for its pairs. A shape may be in any number of
 * spaces; destroyed shapes leave all by themselves, and a world that was set back to a snapshot
 * has the shapes that it had then in the spaces that they are in now. What holds for calls on a
 * world holds for those on its spaces. */
#ifndef LODE_SPACE_H
#define LODE_SPACE_H

#include "collide.h"
#include "types.h"

LODE_EXTERN_C_BEGIN

typedef struct lode_space lode_space;

/* An empty one, within no other. Null on failure: LODE_ERROR_HANDLE, LODE_ERROR_MEMORY. */
LODE_API lode_space *lode_space_create(lode_world world);

/* Ends the space and those within it; `shapes_too` destroys their shapes as well, else these
 * stay in the world. The world may be gone already. Null is allowed. */
LODE_API lode_status lode_space_destroy(lode_space *space, bool shapes_too);

/* Puts the space into another one of the same world, from where it was; null: into none. A space in
 * itself, however deep, is refused. */
LODE_API lode_status lode_space_set_parent(lode_space *space, lode_space *parent);
LODE_API lode_space *lode_space_get_parent(const lode_space *space); /* null for null */

/* Adding a shape that is there already, and removing one that is not, do nothing. */
LODE_API lode_status lode_space_add(lode_space *space, lode_shape shape);
LODE_API lode_status lode_space_remove(lode_space *space, lode_shape shape);

/* Is the shape in the space, or in one within it? */
LODE_API bool lode_space_has(const lode_space *space, lode_shape shape);

/* Copies up to `capacity` shapes of the space and of those within it to the array, in the order of
 * their slots, each once, and returns how many there are; 0 on failure. With `capacity` 0 the array
 * may be null. */
LODE_API int lode_space_get_shapes(const lode_space *space, lode_shape *out_shapes, int capacity);

/* lode_shape_set_enabled() for all of them. Stops at the first failure. */
LODE_API lode_status lode_space_set_enabled(lode_space *space, bool enabled);

/* Copies up to `capacity` pairs of a shape of `a` and one of `b` to the array, those with the
 * lowest slots in rising order, first of a, then of b, and returns how many there are; 0 on
 * failure. The two may be the same space, or have shapes in common: each pair comes once. Pairs
 * are those whose own bounds overlap, as lode_shape_get_bounds() has them, or of which one is a
 * plane that the other's bounds reach; on two bodies, of any type; enabled, no sensors, and with
 * masks that agree. lode_world_collide_pairs() takes them as they come. */
LODE_API int lode_space_find_pairs(const lode_space *a, const lode_space *b,
                                   lode_shape_pair *out_pairs, int capacity);

LODE_EXTERN_C_END

#endif

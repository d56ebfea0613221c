/* space.h: spaces: sets of shapes, within each other if you like, as a query or a broad phase of
 * your own wants them: the parts of a car, all that is indoors, what a robot may grasp.
 *
 * A space belongs to its world, goes with it, and says nothing to steps: there pairs come from the
 * world. It is asked by queries (`space` in lode_query_filter) and for its pairs. A shape may be in
 * any number of spaces; destroyed shapes leave all by themselves. Snapshots hold no spaces: a world
 * that is set back keeps those it has, with the shapes that it had then in the spaces that they are
 * in now.
 *
 * There are two ways to ask for pairs. lode_space_find_pairs() knows shapes alone, however deep
 * in a space they are. lode_space_find_member_pairs() goes level by level, as ODE's spaces do: a
 * space within a space is one thing, with the box around all that is in it. */
#ifndef LODE_SPACE_H
#define LODE_SPACE_H

#include "collide.h"
#include "types.h"

LODE_EXTERN_C_BEGIN

/* An empty one, within no other. Null on failure: LODE_ERROR_HANDLE, LODE_ERROR_MEMORY. */
LODE_API lode_space lode_space_create(lode_world world);

/* Ends the space and those within it; `shapes_too` destroys their shapes as well, else these
 * stay in the world. */
LODE_API lode_status lode_space_destroy(lode_space space, bool shapes_too);

/* Does the handle name a space that lives; and in which world, null for a bad handle. */
LODE_API bool lode_space_is_valid(lode_space space);
LODE_API lode_world lode_space_get_world(lode_space space);

/* Puts the space into another one of the same world, from where it was; null: into none. A space in
 * itself, however deep, is refused. */
LODE_API lode_status lode_space_set_parent(lode_space space, lode_space parent);
LODE_API lode_space lode_space_get_parent(lode_space space); /* null for none */

/* Copy up to `capacity` spaces to the array, in the order of their slots, and return how many there
 * are; 0 on failure. With `capacity` 0 the array may be null. Those that lie directly within
 * one; all of a world; those that a shape was added to. */
LODE_API int lode_space_get_spaces(lode_space space, lode_space *out_spaces, int capacity);
LODE_API int lode_world_get_spaces(lode_world world, lode_space *out_spaces, int capacity);
LODE_API int lode_shape_get_spaces(lode_shape shape, lode_space *out_spaces, int capacity);

/* Adding a shape that is there already, and removing one that is not, do nothing. */
LODE_API lode_status lode_space_add(lode_space space, lode_shape shape);
LODE_API lode_status lode_space_remove(lode_space space, lode_shape shape);

/* Is the shape in the space, or in one within it? */
LODE_API bool lode_space_has(lode_space space, lode_shape shape);

/* Copies up to `capacity` shapes of the space and of those within it to the array, in the order of
 * their slots, each once, and returns how many there are; 0 on failure. With `capacity` 0 the array
 * may be null. */
LODE_API int lode_space_get_shapes(lode_space space, lode_shape *out_shapes, int capacity);

/* The box around all shapes of the space and of those within it, as lode_shape_get_bounds() has
 * theirs; zeros if there are none. */
LODE_API lode_bounds lode_space_get_bounds(lode_space space);

/* lode_shape_set_enabled() for all of them. Stops at the first failure. */
LODE_API lode_status lode_space_set_enabled(lode_space space, bool enabled);

/* Yours: stored and returned. */
LODE_API void *lode_space_get_user_data(lode_space space);
LODE_API lode_status lode_space_set_user_data(lode_space space, void *user_data);

/* The bits of the space as a whole, where it is a member of another one; they say nothing to its
 * shapes. Default all. */
LODE_API uint64_t lode_space_get_category(lode_space space);
LODE_API lode_status lode_space_set_category(lode_space space, uint64_t category);
LODE_API uint64_t lode_space_get_mask(lode_space space);
LODE_API lode_status lode_space_set_mask(lode_space space, uint64_t mask);

/* Where it stands against another space, see lode_space_find_member_pairs(). A number of yours: it
 * does not follow the parents. Default 0. */
LODE_API int lode_space_get_sublevel(lode_space space);
LODE_API lode_status lode_space_set_sublevel(lode_space space, int sublevel);

/* Copies up to `capacity` pairs of a shape of `a` and one of `b` to the array, those with the
 * lowest slots in rising order, first of a, then of b, and returns how many there are; 0 on
 * failure. The two may be the same space, or have shapes in common: each pair comes once. Pairs
 * are those whose own bounds overlap, as lode_shape_get_bounds() has them, or of which one is a
 * plane that the other's bounds reach; on two bodies, of any type; enabled, no sensors, and with
 * filters that agree. lode_world_collide_pairs() takes them as they come. */
LODE_API int lode_space_find_pairs(lode_space a, lode_space b, lode_shape_pair *out_pairs,
                                   int capacity);

/* The same of the shapes of a space, which come first, with one shape, which may be in it. */
LODE_API int lode_space_find_pairs_with(lode_space space, lode_shape shape,
                                        lode_shape_pair *out_pairs, int capacity);

/* A member of a space: a shape that was added to it, or a space that lies directly within it; the
 * other is null. */
typedef struct lode_space_member {
    lode_shape shape;
    lode_space space;
} lode_space_member;

typedef struct lode_member_pair {
    lode_space_member a, b;
} lode_member_pair;

/* Copies up to `capacity` pairs of a member of `a` and one of `b` to the array, and returns how
 * many there are; 0 on failure. If the two have different sublevels, that with the lower one
 * counts as a whole, as if it were the only member of its side. If they are the same, pairs
 * among its members are meant. Pairs of shapes are those of lode_space_find_pairs(); a space is
 * held against others by its bits and the box around its shapes that could touch, and is left
 * out where it has none. Each pair comes once; shapes come before spaces, and each in the order
 * of their slots. So a search goes down level by level: for each pair with a space in it, ask
 * again. LODE_ERROR_HANDLE, LODE_ERROR_MEMORY. */
LODE_API int lode_space_find_member_pairs(lode_space a, lode_space b, lode_member_pair *out_pairs,
                                          int capacity);

LODE_EXTERN_C_END

#endif

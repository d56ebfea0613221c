/* moved.h: where everything is after a step, in arrays. */
#ifndef LODE_MOVED_H
#define LODE_MOVED_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* The bodies that the last step moved, kinematic ones too, in an order that depends on the scene
 * alone. The arrays belong to the world and hold `count` elements each. */
typedef struct lode_moved {
    int count;
    const lode_body *bodies;
    const lode_pose *poses; /* of the bodies' frames, as they are now */
    void *const *user_data;
    const bool *fell_asleep; /* at the end of that step; false if woken since */
} lode_moved;

/* Collects them; a step itself pays nothing for it. The arrays are good until the next step or
 * change of the world. Bodies destroyed since are left out, as are those that were stopped because
 * their state was not finite. Empty before the first step and between two halves, and on failure:
 * LODE_ERROR_HANDLE, LODE_ERROR_MEMORY. */
LODE_API lode_moved lode_world_get_moved(lode_world world);

/* How the sixteen numbers of a 4x4 matrix follow each other. Either way it maps the column vector
 * (x, y, z, 1) of local coordinates to world coordinates. */
typedef enum lode_matrix_order {
    LODE_ROW_MAJOR,    /* the translation is in elements 3, 7, 11 */
    LODE_COLUMN_MAJOR, /* the translation is in elements 12, 13, 14 */
} lode_matrix_order;

/* Copies the poses of the first `capacity` of the bodies of lode_world_get_moved(), in the same
 * order, to `out_matrices`, 16 numbers each, and returns how many bodies there are, 0 on failure.
 * With `capacity` 0 the array may be null. */
LODE_API int lode_world_get_moved_matrices(lode_world world, lode_matrix_order order,
                                           lode_real *out_matrices, int capacity);

/* Copies world poses, and handles unless `out_shapes` is null, of up to `capacity` shapes in the
 * order of their slots, and returns how many shapes there are, 0 on failure. With `capacity` 0 the
 * arrays may be null. */
LODE_API int lode_world_get_shape_poses(lode_world world, lode_shape *out_shapes,
                                        lode_pose *out_poses, int capacity);

LODE_EXTERN_C_END

#endif

/* collide.h: what two shapes touch with, asked on the spot.
 *
 * A caller with a broad phase of his own, or with a question about two shapes only, gets points of
 * contact without a step: where the shapes are now, whatever their filters, bodies and flags say.
 * Nothing is remembered and nothing in the world changes. As with queries several threads may ask
 * at once, if no other call on the worlds overlaps with them. What steps do with contacts they find
 * by the same methods. */
#ifndef LODE_COLLIDE_H
#define LODE_COLLIDE_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* Which points, where there are more than are wanted. */
typedef enum lode_collide_choice {
    /* As in a step: of each normal up to four, the deepest and the widest. If fewer are wanted, the
     * deepest, then those farthest from what is chosen. A step prefers faces to edges that are
     * little shallower, so that features last: of boxes, hulls and cylinders the depth may be up to
     * 8 % and a thousandth of the length unit more than the least way out, of boxes and hulls not
     * with LODE_COLLIDE_DEEPEST. */
    LODE_COLLIDE_REDUCED,
    /* All that the method finds, as they come, up to what is wanted: corners of overlapping faces,
     * each triangle's points. */
    LODE_COLLIDE_ALL,
    /* Of all of these the deepest, in falling order. Boxes and hulls have those along the least way
     * out, whatever a step would prefer, and moved by the first one they are apart. On a mesh or a
     * field that is not convex the first one parts the whole: moved by it the shapes are apart.
     * Where no contact does so by itself it is a point of its own, and those that are deeper are
     * left out. That search takes some ms for solids and tens of ms for two meshes, where contacts
     * lead several ways or are deeper than a sixteenth of the shape's size. */
    LODE_COLLIDE_DEEPEST,
    /* One point; on a mesh or field the search ends with the first. */
    LODE_COLLIDE_ANY,
    LODE_COLLIDE_CHOICE_COUNT
} lode_collide_choice;

typedef struct lode_collide_options {
    lode_collide_choice choice;
    lode_real margin; /* m, at least 0: gaps up to this wide are told too, as negative depths */
} lode_collide_options;

typedef struct lode_collide_point {
    lode_vec3 position; /* world, midway between the surfaces */
    lode_vec3 normal;   /* unit, world, pointing into shape a */
    lode_real depth;    /* m; below 0: a gap within the margin */
    uint32_t feature;   /* names what touches: as in contacts of steps with LODE_COLLIDE_REDUCED,
                           and of boxes and hulls with each choice */
    int child_a; /* of a mesh or field that is shape a, the triangle, counted from 0; else -1 */
    int child_b; /* the same of shape b */
} lode_collide_point;

/* The order of the shapes decides nothing: swapped they get the very same points, depths and
 * features, with normals turned over and children exchanged; all are found in the order in which a
 * step takes the two, whatever their types. Where that leaves a choice, as between two equal ways
 * out, it falls as in a step. A shape has no points with itself. Two shapes of different worlds may
 * be asked about, as if they were of one, but no triangle filter is.
 *
 * Copies up to `capacity` points to the array and returns how many. With `capacity` 0 the array may
 * be null, and the answer is how many there are; with LODE_COLLIDE_ANY 1 if there is any. Null
 * options stand for reduced points and no margin. Two planes have no points, nor have two
 * height fields: those never meet in steps. 0 on failure:
 * LODE_ERROR_HANDLE, LODE_ERROR_ARGUMENT, LODE_ERROR_MEMORY. */
LODE_API int lode_shape_collide(lode_shape shape_a, lode_shape shape_b,
                                const lode_collide_options *options, lode_collide_point *out_points,
                                int capacity);

typedef struct lode_shape_pair {
    lode_shape a, b;
} lode_shape_pair;

/* The same for many pairs in one call, each with the very answer that it gets alone. Where spheres,
 * boxes, capsules and planes, or cylinders with planes, are asked for LODE_COLLIDE_REDUCED or
 * LODE_COLLIDE_ANY points, eight pairs of the same types are computed at a time, wherever in the
 * array they are; with few types, or many pairs, that is several times as fast as one by one.
 * The points of pair i begin at out_points[i * capacity], and out_counts[i]
 * says how many they are; what lies behind them is left as it is. A shape may be in any number of
 * pairs; all are of `world`. With `capacity` 0 `out_points` may be null. Returns how many pairs
 * have points. 0 on failure, and all counts are 0 then: LODE_ERROR_HANDLE, LODE_ERROR_ARGUMENT,
 * LODE_ERROR_MEMORY. */
LODE_API int lode_world_collide_pairs(lode_world world, const lode_shape_pair *pairs,
                                      int pair_count, const lode_collide_options *options,
                                      lode_collide_point *out_points, int capacity,
                                      int *out_counts);

/* Pairs that are asked about again and again, as those of a broad phase of your own from frame to
 * frame: what lode_world_collide_pairs() finds out about them before it computes is found out
 * once. Bodies may move as they like in between. Some 110 bytes a pair in single precision.
 * Belongs to the caller, who destroys it, before or after the world. */
typedef struct lode_pair_set lode_pair_set;

/* Copies the pairs. Null on failure: LODE_ERROR_HANDLE, LODE_ERROR_ARGUMENT, LODE_ERROR_MEMORY. */
LODE_API lode_pair_set *lode_pair_set_create(lode_world world, const lode_shape_pair *pairs,
                                             int pair_count);

/* The very answers that lode_world_collide_pairs() gives now for the pairs of the set, in the
 * same arrays, but faster: most for pairs that have kernels, LODE_COLLIDE_REDUCED points and a
 * `capacity` of 4 or more. Once a shape of the world has been made, changed or destroyed, or the
 * centre of mass of a body has moved within it, the answers are still right but take as long as
 * those of that function, until the set is made anew. Several threads may ask a set at once. 0 on
 * failure, and all counts are 0 then: LODE_ERROR_HANDLE, also if a shape of the set or its world
 * is gone, LODE_ERROR_ARGUMENT, LODE_ERROR_MEMORY. */
LODE_API int lode_pair_set_collide(const lode_pair_set *set, const lode_collide_options *options,
                                   lode_collide_point *out_points, int capacity, int *out_counts);

/* Null is allowed. */
LODE_API void lode_pair_set_destroy(lode_pair_set *set);

LODE_EXTERN_C_END

#endif

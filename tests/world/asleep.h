/* asleep.h: a world in which all sleeps, for tests of what wakes whom.
 *
 * Islands stand far apart. Of each type of shape there is a body that lies on the ground (`own`; of
 * boxes a tower of two), and a static body with shapes of the type that carries a crate (`on`):
 * three where one is too round to stand on, else one. Beside that two bobs hang by joints from a
 * static pole, a crate rides on a kinematic lift that stands still, a bob hangs from it, and a
 * kinematic cart stands alone. */
#ifndef LODE_TESTS_WORLD_ASLEEP_H
#define LODE_TESTS_WORLD_ASLEEP_H

#include "tests/world/support.h"

/* Islands, as bits. */
#define OWN(type) ((uint32_t)1 << (type))
#define ON(type) ((uint32_t)1 << ((type) + LODE_SHAPE_TYPE_COUNT))
#define BOBS ((uint32_t)1 << (2 * LODE_SHAPE_TYPE_COUNT))
#define RIDER (BOBS << 1)
#define TOWED (BOBS << 2)
enum { ISLANDS = 2 * LODE_SHAPE_TYPE_COUNT + 3, ISLAND_BODIES = 2 };

typedef struct asleep {
    lode_world world;
    lode_body island[ISLANDS][ISLAND_BODIES];
    lode_body ground, pole, lift, cart;
    lode_body support[LODE_SHAPE_TYPE_COUNT];
    lode_shape plane, plate, box_of_cart;
    lode_shape own[LODE_SHAPE_TYPE_COUNT];   /* of the body that lies on the ground */
    lode_shape under[LODE_SHAPE_TYPE_COUNT]; /* of the support, the crate touches it */
    lode_joint rope, knee, line;             /* holds the bobs, a hinge between them, what tows */
    lode_joint wrist;                        /* an angular motor between the bobs */
    lode_hull *hull;
    lode_mesh *mesh;
    lode_heightfield *field;
    lode_custom *egg;
} asleep;

asleep asleep_create(void);
void asleep_destroy(asleep *a); /* the geometry too */

/* The islands that are awake, as bits. Fails the test where an island is so in part. An island
 * whose bodies are all gone, or no longer dynamic, sleeps. */
uint32_t asleep_awake(const asleep *a);

/* All islands there are. */
uint32_t asleep_all(void);

/* The dynamic body of a type, the lower one of boxes; and the crate on the support of one. */
lode_body asleep_own(const asleep *a, lode_shape_type type);
lode_body asleep_crate_on(const asleep *a, lode_shape_type type);

#endif

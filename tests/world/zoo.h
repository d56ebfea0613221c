/* zoo.h: random worlds for the tests of queries: bodies of all shapes, and things that happen to
 * them. Worlds made with equal numbers are equal. */
#ifndef LODE_TESTS_WORLD_ZOO_H
#define LODE_TESTS_WORLD_ZOO_H

#include "tests/support/random.h"
#include "tests/world/support.h"

enum { ZOO_SHAPES = 4096 };

typedef struct zoo {
    lode_world world;
    test_random random;
    double span; /* bodies are within -span..span */
} zoo;

/* `bodies` bodies, dynamic ones most, some of several shapes. */
zoo zoo_create(uint64_t seed, int bodies, double span);

void zoo_add(zoo *z);

/* Something that an application may do, or a step. */
void zoo_disturb(zoo *z);

/* All shapes of the world. */
int zoo_shapes(const zoo *z, lode_shape out[ZOO_SHAPES]);

lode_real zoo_real(zoo *z, double lo, double hi);
lode_vec3 zoo_point(zoo *z);
lode_quat zoo_rotation(zoo *z);

#endif

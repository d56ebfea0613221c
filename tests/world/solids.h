/* solids.h: solids of all kinds that lie, roll and slide on ground, for tests of grounds. */
#ifndef LODE_TESTS_WORLD_SOLIDS_H
#define LODE_TESTS_WORLD_SOLIDS_H

#include "tests/world/support.h"

/* A drum stands on its end. A wedge is a hull. */
typedef enum kind { BALL, BOX, CAPSULE, DRUM, WEDGE, KINDS } kind;

/* Gravity is 10 m/s^2, downwards along z. */
lode_world make_world(int threads);
void step(lode_world world, int steps);

lode_shape add_plane(lode_world world, lode_real friction);

/* One that never sleeps. */
lode_body add_solid(lode_world world, kind kind, lode_pose pose, lode_real friction);

/* A capsule is laid on its side; all are turned a little about z, so that no edge is along a
 * grid's. */
lode_pose lying(kind kind, double x, double y, double z);

/* Of the centre of what lies, over the ground. */
double height_of(kind kind);

/* Where a solid went that was pushed along level ground, and how far it left its line and its
 * height. */
typedef struct path {
    double x, y, z, speed, sideways, tilt;
} path;

/* Puts a solid on the ground at `from`, gives it a velocity and destroys the world after that many
 * steps. */
path follow(lode_world world, kind kind, lode_vec3 from, lode_real friction, lode_vec3 v,
            int steps);

#endif

/* arm.h: articulations for tests, on a fixed base: a chain, or a hand of links that are all on the
 * base; and tendons for them. Link i weighs 1 + i/2 kg. */
#ifndef LODE_TESTS_WORLD_ARM_H
#define LODE_TESTS_WORLD_ARM_H

#include "tests/world/support.h"

enum { ARM_LINKS = 8 };

typedef struct arm {
    lode_world world;
    lode_articulation articulation;
    lode_body link[ARM_LINKS]; /* the base first */
    int count;
} arm;

/* Joints of a type: turns about y of the links' ends, half a metre from their centres; slides along
 * x. Outside the simulation, in a world of its own that is solved in one sub-step, or another. */
arm arm_make(lode_link_joint_type type, int count, bool chain, lode_vec3 gravity);
arm arm_make_in(lode_world world, lode_link_joint_type type, int count, bool chain);

void arm_insert(const arm *a);
void arm_step(const arm *a, double h, int count);

/* Of the joint of a link. */
double arm_position(const arm *a, int link);
double arm_speed(const arm *a, int link);

lode_tendon arm_spatial(const arm *a, double stiffness, double damping, double limit_stiffness);
int arm_attach(lode_tendon tendon, int parent, lode_body link, lode_vec3 point, double rest);
int arm_run_along(lode_tendon tendon, int parent, lode_body link, double coefficient,
                  double reciprocal);

/* A mimic joint of links 1 and 2. */
lode_mimic_def arm_pair(const arm *a, double ratio, double offset);

#endif

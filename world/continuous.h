/* continuous.h: bodies that pass through nothing, however fast they are. */
#ifndef LODE_WORLD_CONTINUOUS_H
#define LODE_WORLD_CONTINUOUS_H

#include "collide/impact.h"
#include "world/pipeline.h"

/* A body that must be stopped, or carried along. */
typedef struct lode__impact_event {
    double share;     /* of the step; above 1: none */
    uint32_t partner; /* body slot */
} lode__impact_event;

/* Of a body that moves in this step. */
typedef struct lode__track {
    lode__course course;
    double reach;     /* of its farthest point from its centre of mass */
    uint32_t carrier; /* a kinematic body that takes it along, or LODE__NONE */
    bool changed;
} lode__track;

/* Of this step, in the arena; there are none while no continuous body is awake. */
typedef struct lode__continuous {
    uint32_t count; /* continuous bodies that move */
    int32_t *line;  /* of each */
    lode__impact_event *event;
    lode__track *tracks; /* of all lines, the kinematic ones before line 0 */
    uint32_t track_count;
} lode__continuous;

/* Takes the memory; false when there is none. After the islands stage. */
bool lode__continuous_prepare(lode__world *world, const lode__step *step);

/* The stage: ends the dense lines' motion where it would lead through something. */
void lode__continuous_run(lode__world *world, const lode__step *step);

#endif

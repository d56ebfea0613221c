/* continuous.h: bodies that pass through nothing, however fast they are. */
#ifndef LODE_WORLD_CONTINUOUS_H
#define LODE_WORLD_CONTINUOUS_H

#include "world/pipeline.h"
#include "world/ways.h"

/* Of this step, in the arena but for the tree's memory; there are none while no continuous body is
 * awake. */
typedef struct lode__continuous {
    uint32_t count; /* continuous bodies that move */
    int32_t *line;  /* of each */
    lode__impact_event *event;
    lode__track *tracks; /* of all lines: see world/ways.h */
    int32_t *changed;    /* as many */
    lode__tree tree;     /* of the tracks' boxes */
} lode__continuous;

void lode__continuous_init(lode__continuous *c);
void lode__continuous_free(lode__continuous *c);

/* Takes the memory; false when there is none. After the islands stage. */
bool lode__continuous_prepare(lode__world *world, const lode__step *step);

/* The stage: ends the dense lines' motion where it would lead through something. */
void lode__continuous_run(lode__world *world, const lode__step *step);

#endif

/* pipeline.h: the step as a table of stages. */
#ifndef LODE_WORLD_PIPELINE_H
#define LODE_WORLD_PIPELINE_H

#include "core/profile.h"

typedef struct lode__world lode__world;

enum { LODE__STAGE_COUNT = 16 };

/* One row per stage, sub-stages behind the stage that runs them. */
extern const lode__stage lode__stages[LODE__STAGE_COUNT];

/* Runs the stages. False: out of memory, nothing integrated. */
bool lode__pipeline_run(lode__world *world, lode_real dt);

#endif

/* step.h: what every system of a step receives besides its component views. */
#ifndef LODE_CORE_STEP_H
#define LODE_CORE_STEP_H

#include "core/arena.h"
#include "core/profile.h"
#include "core/tasks.h"
#include "lode/world.h"

typedef struct lode__step {
    lode_real dt;
    const lode_world_def *settings; /* as they stand for this step */
    lode__arena *arena;             /* take from it on the stepping thread only */
    lode__tasks *tasks;
    lode__profile *profile;
    int sub_stages;          /* index in the profile's table of the first sub-stage of solve */
    lode_world_stats *stats; /* each system fills its own fields */
} lode__step;

/* Contact tolerances, in the caller's length unit. */
#define LODE__SLOP(settings) ((settings)->length_unit * (lode_real)0.005)
#define LODE__SPECULATIVE(settings) ((settings)->length_unit * (lode_real)0.008)
#define LODE__FAT_MARGIN(settings) ((settings)->length_unit * (lode_real)0.1)

#endif

/* step.h: what every system of a step receives besides its component views. */
#ifndef LODE_CORE_STEP_H
#define LODE_CORE_STEP_H

#include "core/arena.h"
#include "core/profile.h"
#include "core/systems.h"
#include "core/tasks.h"
#include "lode/step.h"
#include "lode/world.h"

/* What went wrong in a step, of one kind. */
typedef struct lode__warning_count {
    int count;
    uint32_t body; /* the lowest slot concerned, while count > 0 */
} lode__warning_count;

typedef struct lode__step {
    lode_real dt;
    int sub_steps;                  /* that the solver makes of it */
    lode_real impulse_scale;        /* how much longer they are than those of the last step, whose
                                       impulses are carried over */
    const lode_world_def *settings; /* as they stand for this step */
    lode__arena *arena;             /* take from it on the stepping thread only */
    lode__tasks *tasks;
    lode__profile *profile;
    int sub_stages;          /* index in the profile's table of the first sub-stage of solve */
    bool through;            /* nobody looks at anything between row prepare and finalise: what they
                                do may be done in any order that gives the same */
    bool joints_untold;      /* nobody asks what joints have exerted in it */
    lode_world_stats *stats; /* each system fills its own fields */
    lode__warning_count *warnings; /* by lode_warning */
    const lode__systems *systems;  /* of the application, or null */
} lode__step;

/* Counts `times` warnings about the body in a slot; on the stepping thread only. */
static inline void lode__warn(const lode__step *step, lode_warning warning, int times,
                              uint32_t body)
{
    lode__warning_count *w = &step->warnings[warning];
    if (w->count == 0 || body < w->body)
        w->body = body;
    w->count += times;
}

/* Tolerances that the caller gives in metres, or for which there is no setting, in its own unit. */
#define LODE__SPEED(settings, speed) ((settings)->length_unit * (speed))
#define LODE__SLOP(settings) ((settings)->length_unit * (settings)->surface_layer)
#define LODE__SPECULATIVE(settings) ((settings)->length_unit * (lode_real)0.008)
#define LODE__FAT_MARGIN(settings) ((settings)->length_unit * (lode_real)0.1)

#endif

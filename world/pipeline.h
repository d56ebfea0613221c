/* pipeline.h: the step as a table of stages, and how far the one that is being made has come. */
#ifndef LODE_WORLD_PIPELINE_H
#define LODE_WORLD_PIPELINE_H

#include "core/step.h"

typedef struct lode__world lode__world;

enum {
    LODE__STAGE_COUNT = 21,
    LODE__STAGE_SOLVE_HALF = 5 /* the first stage of the second half */
};

/* One row per stage, sub-stages behind the stage that runs them. */
extern const lode__stage lode__stages[LODE__STAGE_COUNT];

/* The step that is being made, in one call or in several. */
typedef struct lode__open_step {
    int next; /* the stage to run; 0: no step is open */
    lode_real dt;
    bool collided;                             /* its first half is done, or under way */
    bool in_one_go;                            /* all stages of a half run in one call */
    lode__arena_mark marks[LODE__STAGE_COUNT]; /* where each stage's memory begins */
    lode_world_stats stats;
    lode__warning_count warnings[LODE_WARNING_COUNT];
} lode__open_step;

/* What is kept of the warnings of one kind. */
typedef struct lode__warning_record {
    int last;
    int64_t ever;
    lode_body first;
} lode__warning_record;

/* The stage of this name that runs by itself, or LODE__STAGE_COUNT. */
int lode__stage_find(const char *name);

/* The stage of this name at which a system may stand, inside solve too, or LODE__STAGE_COUNT. */
int lode__slot_find(const char *name, bool after);

/* Whether some stages of a step have run and some not, and it does not stand between its halves. */
bool lode__is_between_stages(const lode__world *world);

/* Begins a step, giving up one that is open: whole, or the second half of one that has no contacts
 * but the caller's. */
void lode__step_begin(lode__world *world);
void lode__step_begin_solve(lode__world *world);

/* Goes back to before `stage`, which has run in this step. */
void lode__step_rewind(lode__world *world, int stage);

/* Whether the open step has moved the bodies already: it can be finished only. */
bool lode__step_has_moved(const lode__world *world);

/* Whether `stage`, which has run in this step, may run again. */
bool lode__stage_runs_again(const lode__world *world, int stage);

/* Run the open step's next stage; what is left of its half; of the step. False: out of memory,
 * nothing integrated, and the half can be tried again from its beginning. */
bool lode__step_run_stage(lode__world *world, lode_real dt);
bool lode__step_run_half(lode__world *world, lode_real dt);

#endif

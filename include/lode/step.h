/* step.h: stepping a world: whole steps, halves, single stages, and what they tell about
 * themselves.
 *
 * A step is a table of stages in two halves: the first, up to "contact update", finds contacts; the
 * second, from "islands" on, solves. lode_world_step() runs both. */
#ifndef LODE_STEP_H
#define LODE_STEP_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* Advances the world by `dt` seconds, above 0. On any error poses, velocities and forces are
 * untouched. After LODE_ERROR_MEMORY contacts may be those of the failed step; trying again gives
 * what an undisturbed step would have given. The floating-point control of the calling thread
 * (rounding, flushing of denormals) does not matter and is put back. */
LODE_API lode_status lode_world_step(lode_world world, lode_real dt);

/* The two halves of a step, for a caller who has something to do in between: read contacts, add
 * forces, joints or contacts of its own, move or even destroy bodies. Contacts stay where they were
 * found; those of shapes destroyed in between are dropped. lode_world_solve() without a
 * lode_world_collide() since the last solve runs on joints and on contacts made by the caller
 * alone. Errors as for a whole step; a half that failed can be tried again. */
LODE_API lode_status lode_world_collide(lode_world world, lode_real dt);
LODE_API lode_status lode_world_solve(lode_world world, lode_real dt);

/* Runs a single stage of the step, by its name in the stage table; sub-stages run within their
 * parent only. The first stage begins a step and gives up one that was open; the others follow in
 * order, all stages of a half with the same `dt`, and the last one ends the step. A run of all
 * stages equals lode_world_step() to the bit. After "contact update" the step stands between its
 * halves, as after lode_world_collide(). "finalise" is the first to change poses, velocities and
 * forces: then the step can only be finished, and all that would give it up is refused.
 *
 * Any stage up to "islands" may be run again while the step is open, "colouring" and "row prepare"
 * until "solve" has run; the step then goes on from there. So a stage can be measured by itself.
 *
 * While a step is open elsewhere than between its halves the world refuses other calls with
 * LODE_ERROR_STATE, but for lode_world_destroy(), _hash(), and what gets stages, counts, warnings
 * and contacts. lode_world_step() and _collide() give the open step up; lode_world_solve() goes
 * back to between the halves, or reports LODE_ERROR_STATE if the first half is not complete, as
 * does a stage out of order. */
LODE_API lode_status lode_world_run_stage(lode_world world, const char *name, lode_real dt);

/* One row of the step's stage table. Strings are literals of the library, or a system's name, which
 * lives as long as the system. `parent` is the name of the stage that runs this one inside it, ""
 * at the top. `seconds` and `calls` are of the last step; the time
 * of a stage that finds nothing to do may be in the seconds of the next. */
typedef struct lode_stage_info {
    const char *name, *parent, *reads, *writes;
    double seconds;
    int calls;
} lode_stage_info;

/* Copies up to `capacity` rows to `out_stages`, in running order, sub-stages after their parent,
 * and returns how many there are, which changes with systems alone; 0 on failure. With `capacity`
 * 0, `out_stages` may be null. */
LODE_API int lode_world_get_stages(lode_world world, lode_stage_info *out_stages, int capacity);

/* What can go wrong inside a step without stopping it. */
typedef enum lode_warning {
    LODE_WARNING_NAN_BODY,      /* a body's state was not finite: it was stopped and frozen */
    LODE_WARNING_NOT_CONVERGED, /* the direct solver did not get to the end of an island, or
                                   joints that do not stretch (lode_stiff) contradict themselves */
    LODE_WARNING_HUB_OVERFLOW,  /* a body has over 512 contacts and joints more than can be solved
                                   one colour after another, 16 with moving bodies and 8 with static
                                   ones: they are solved on one thread, and converge slowly where
                                   they load each other. More iterations help, or several bodies in
                                   place of the one */
    LODE_WARNING_SENSORS_LATE,  /* no memory for what sensors touch: a later step tells it */
    LODE_WARNING_COUNT
} lode_warning;

typedef struct lode_warning_info {
    const char *text; /* a few words; a literal */
    int last;         /* times in the last step */
    int64_t ever;     /* times since the world was made */
    lode_body
        first; /* the first such body, by slot, in the latest step that had any; its handle may
                         be stale by now; null if there was none */
} lode_warning_info;

/* Copies the first `capacity` counters, by lode_warning, to `out_warnings` and returns
 * LODE_WARNING_COUNT, 0 on failure. */
LODE_API int lode_world_get_warnings(lode_world world, lode_warning_info *out_warnings,
                                     int capacity);

LODE_EXTERN_C_END

#endif

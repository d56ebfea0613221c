/* system.h: an application's own systems inside a step: forces, winds, damping of its own.
 *
 * A system is a function with a name and a slot: before or after a stage of the table, "solve" or
 * later. It works on the very lines that the library's stages work on, and shows up in the stage
 * table and the profiler under its name. */
#ifndef LODE_SYSTEM_H
#define LODE_SYSTEM_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* Bodies inside a step, `count` of them, one line of eight numbers each. Line i of an array begins
 * at element i * stride; numbers named `_` are not yours. Bodies are the dynamic ones that take
 * part in the step; they lie island by island.
 *
 * Velocities and forces may be changed; a body that is given one that is not finite is frozen when
 * the step ends. A force acts in all of the step's sub-steps that are still to come, so add to it
 * once per step; what acts per sub-step is best added to the velocity: acceleration times `dt`. */
typedef struct lode_system_view {
    int count, stride;
    lode_real dt;            /* of the step, or of the sub-step for a slot inside "solve" */
    int sub_step;            /* from 0 */
    const lode_body *bodies; /* these two arrays have one element per body */
    void *const *user_data;
    const lode_real *pose;     /* x y z of the centre of mass when the step began, _; rotation now,
                                 w x y z */
    const lode_real *delta;    /* displacement of the centre since then, _, rotation vector, _ */
    const lode_real *inv_mass; /* 1/m; inverse inertia about the centre, world axes when the step
                                  began: xx yy zz xy xz yz; _ */
    lode_real *velocity;       /* linear, of the centre, world, m/s, _; angular, world, rad/s, _ */
    lode_real *force;          /* at the centre, world, N, _; torque, world, N m, _ */
} lode_system_view;

/* Where the centre of mass of body `i` of the view is now. */
static inline lode_vec3 lode_system_position(const lode_system_view *view, int i)
{
    const lode_real *p = view->pose + i * view->stride, *d = view->delta + i * view->stride;
    lode_vec3 now;
    now.x = p[0] + d[0];
    now.y = p[1] + d[1];
    now.z = p[2] + d[2];
    return now;
}

typedef void lode_system_fn(void *user, const lode_system_view *view);

enum { LODE_SYSTEM_NAME = 32 };

/* At a stage that runs by itself, a system is called once per step, on the thread that steps, with
 * all bodies. In which order they lie may depend on the number of threads.
 *
 * At a stage inside "solve" it is called in every sub-step, for all bodies of one range after the
 * other: ranges are whole groups of islands or parts of one. Calls come from any thread of the
 * world's and overlap in time; no two of them share a body. Write nothing but the view's bodies,
 * and let what you write depend on each body alone: then the result is the same bits for any number
 * of threads. At a stage that the chosen solver does not have it is not called.
 *
 * Within a call the world refuses all others. Systems at one slot run in the order in which they
 * were added. They do not change what "restitution" takes for the speed of an impact. */
typedef struct lode_system {
    const char *name;  /* 1 to LODE_SYSTEM_NAME - 1 characters, neither a stage's nor another
                          system's; copied */
    const char *stage; /* "solve", a stage inside it, or a later one up to "finalise"; not after
                          that */
    bool after;        /* the stage; else before it */
    lode_system_fn *run;
    void *user;
} lode_system;

/* Adds a system, from the next step on. Between the halves of a step too. */
LODE_API lode_status lode_world_add_system(lode_world world, const lode_system *system);

/* Takes it out; LODE_ERROR_ARGUMENT if there is none of this name. */
LODE_API lode_status lode_world_remove_system(lode_world world, const char *name);

LODE_EXTERN_C_END

#endif

/* world.h: worlds, stepping, and what a step tells about itself.
 *
 * A world owns its bodies, shapes and joints. Calls on one world or on what it owns must not
 * overlap in time, getters included; different worlds may be used from different threads at the
 * same time without any locking. Inside a step, so from task system and profiler, a world refuses
 * all calls but `_is_valid` with LODE_ERROR_STATE. */
#ifndef LODE_WORLD_H
#define LODE_WORLD_H

#include "types.h"

LODE_EXTERN_C_BEGIN

typedef enum lode_solver {
    LODE_SOLVER_PGS,       /* projected Gauss-Seidel with over-relaxation, warm started */
    LODE_SOLVER_SOFT_STEP, /* sub-steps with soft constraints and a relax pass */
    LODE_SOLVER_COUNT
} lode_solver;

/* An engine's own job system. `run` calls task(context, i) once for every i in 0..count-1, on any
 * threads, in any order, and returns when all calls have returned. No task waits for another.
 * `worker_count` is the number of threads `run` may use, the caller's included; `count` is never
 * larger. `run` is called several times a step, always on the thread that steps, never from a task.
 * Small work stays on that thread without it. */
typedef struct lode_task_system {
    void *user;
    int worker_count;
    void (*run)(void *user, int count, void (*task)(void *context, int index), void *context);
} lode_task_system;

/* Called at the begin and end of each stage and sub-stage, properly nested, on the thread that
 * steps; the share of other threads lies within. Either may be null. `name` is a string literal of
 * the library. */
typedef struct lode_profiler {
    void *user;
    void (*begin)(void *user, const char *name);
    void (*end)(void *user, const char *name);
} lode_profiler;

typedef struct lode_world_def {
    uint32_t abi;                      /* set by lode_world_def_default() */
    lode_vec3 gravity;                 /* default 0, 0, -9.81 m/s^2 */
    lode_solver solver;                /* default PGS */
    int iterations;                    /* of PGS, at least 1; default 20 */
    int sub_steps;                     /* of the soft step, at least 1; default 4 */
    lode_real over_relaxation;         /* of PGS, in (0, 2); default 1.3 */
    lode_real erp;                     /* error reduction of PGS per step, 0..1; default 0.2 */
    lode_real cfm;                     /* force mixing of PGS, at least 0, s/kg; default 0 */
    lode_real contact_frequency;       /* of the soft step, Hz, above 0; default 30 */
    lode_real contact_damping;         /* of the soft step, damping ratio, at least 0; default 10 */
    lode_real max_correcting_velocity; /* with which contacts push apart, m/s, above 0; default 4 */
    lode_real restitution_threshold;   /* slower impacts do not bounce, m/s, 0 or more; default 1 */
    lode_real length_unit;             /* a metre in the caller's units, 100 if they are cm: scales
                                          contact slop and margins; above 0, default 1 */
    int threads;                       /* of the internal worker pool, 1..64, caller included;
                                          default 1; ignored when `tasks.run` is set */
    lode_simd simd;                    /* default LODE_SIMD_AUTO */
    lode_task_system tasks;            /* optional: null `run` for none; copied */
    lode_profiler profiler;            /* optional; copied */
    void *user_data;
} lode_world_def;

/* Fills `out_def`, of `size` bytes as the caller's header has it, with the defaults. Prefer
 * lode_world_def_default(). Reports LODE_ERROR_ABI and fills with zeros when the caller's header
 * and this library differ in precision or layout. */
LODE_API void lode_world_def_init(void *out_def, size_t size, uint32_t abi);

static inline lode_world_def lode_world_def_default(void)
{
    lode_world_def def;
    lode_world_def_init(&def, sizeof def, LODE_ABI);
    return def;
}

/* Returns the null handle on failure: LODE_ERROR_ABI for a definition that did not come from
 * lode_world_def_default(), LODE_ERROR_ARGUMENT naming the field, LODE_ERROR_SYSTEM for an
 * instruction set or threads that cannot be had, or when 65,535 worlds exist, LODE_ERROR_MEMORY. */
LODE_API lode_world lode_world_create(const lode_world_def *def);

/* Destroys the world and all that is in it; all handles into it become stale. */
LODE_API void lode_world_destroy(lode_world world);

LODE_API bool lode_world_is_valid(lode_world world);

/* Advances the world by `dt` seconds, above 0; take equal steps where you can. On any error poses,
 * velocities and forces are untouched. After LODE_ERROR_MEMORY contacts may be those of the failed
 * step; trying again gives what an undisturbed step would have given. The floating-point control of
 * the calling thread (rounding, flushing of denormals) does not matter and is put back. */
LODE_API lode_status lode_world_step(lode_world world, lode_real dt);

/* Setters of the definition's fields of the same names; the new value serves from the next step.
 * They refuse what lode_world_create() would refuse. */
LODE_API lode_status lode_world_set_gravity(lode_world world, lode_vec3 gravity);
LODE_API lode_status lode_world_set_solver(lode_world world, lode_solver solver);
LODE_API lode_status lode_world_set_iterations(lode_world world, int iterations);
LODE_API lode_status lode_world_set_sub_steps(lode_world world, int sub_steps);
LODE_API lode_status lode_world_set_over_relaxation(lode_world world, lode_real over_relaxation);
LODE_API lode_status lode_world_set_erp(lode_world world, lode_real erp);
LODE_API lode_status lode_world_set_cfm(lode_world world, lode_real cfm);
LODE_API lode_status lode_world_set_restitution_threshold(lode_world world, lode_real speed);
LODE_API lode_status lode_world_set_max_correcting_velocity(lode_world world, lode_real speed);

/* The values in force: the definition as it stands now, `simd` as it was chosen; all zeros for a
 * bad handle. */
LODE_API lode_world_def lode_world_get_def(lode_world world);

/* Counts of the last step; the first four and the bytes are as of now. */
typedef struct lode_world_stats {
    int bodies, dynamic_bodies, shapes, joints;
    int pairs;    /* whose fat bounds overlap */
    int contacts; /* manifolds with at least one point */
    int contact_points;
    int joint_rows;
    int rows; /* contact rows and joint rows */
    int islands;
    int colours;           /* most colours used by any group of islands */
    int batches;           /* of up to eight constraints */
    int lanes_used;        /* of 8 * batches */
    int overflow_blocks;   /* blocks that found no colour and are solved one after another */
    int nan_bodies;        /* times a body was frozen because its state was not finite, ever */
    size_t bytes;          /* held by the world, without its worker threads */
    size_t bytes_bodies;   /* of these, by bodies with their shapes and tree nodes */
    size_t bytes_contacts; /* of these, by pairs and manifolds */
    size_t bytes_scratch;  /* of these, by the step's arena */
} lode_world_stats;

LODE_API lode_status lode_world_get_stats(lode_world world, lode_world_stats *out_stats);

/* One row of the step's stage table. Strings are literals of the library. `parent` is the name of
 * the stage that runs this one inside it, "" at the top. `seconds` and `calls` are of the last
 * step. */
typedef struct lode_stage_info {
    const char *name, *parent, *reads, *writes;
    double seconds;
    int calls;
} lode_stage_info;

/* Copies up to `capacity` rows to `out_stages`, in running order, sub-stages after their parent,
 * and returns how many there are, which never changes; 0 on failure. With `capacity` 0,
 * `out_stages` may be null. */
LODE_API int lode_world_get_stages(lode_world world, lode_stage_info *out_stages, int capacity);

typedef struct lode_contact_point {
    lode_vec3 position; /* world, midway between the surfaces when it was found */
    lode_real depth;    /* when it was found; negative: a gap that may close within the step */
    lode_vec3 impulse;  /* N s, world, on shape_a in the last step: the part along the normal, at
                             least 0, and friction. Soft step: the last sub-step's times their
                             number */
    uint32_t feature;   /* names the features that touch; stable while they stay the same */
} lode_contact_point;

typedef struct lode_contact {
    lode_shape shape_a, shape_b;
    lode_vec3 normal; /* unit, world, pointing into shape_a, the way the impulse pushes it */
    int point_count;
    lode_contact_point points[4];
} lode_contact;

/* Copies up to `capacity` contacts of the last step, ordered by shape, to `out_contacts` and
 * returns how many there are, 0 on failure: call with `capacity` 0 and null to count. Contacts are
 * found where bodies stand when the step begins, and positions then follow shape_a's body. Those of
 * shapes destroyed since are left out. */
LODE_API int lode_world_get_contacts(lode_world world, lode_contact *out_contacts, int capacity);

/* A hash of bodies, shapes, joints and contacts, without settings and user data; equal states hash
 * equal on every build of one precision. 0 for a bad handle. */
LODE_API uint64_t lode_world_hash(lode_world world);

LODE_API void *lode_world_get_user_data(lode_world world);

LODE_EXTERN_C_END

#endif

/* world.h: worlds, stepping, and what a step tells about itself.
 *
 * A world owns its bodies, shapes and joints. Calls on one world must not overlap in time;
 * different worlds may be used from different threads at the same time without any locking. */
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
 * `worker_count` is the number of threads `run` may use, the caller's included. */
typedef struct lode_task_system {
    void *user;
    int worker_count;
    void (*run)(void *user, int count, void (*task)(void *context, int index), void *context);
} lode_task_system;

/* Called at the begin and end of each stage and sub-stage, on the thread that runs it. `name` is
 * a string literal of the library. */
typedef struct lode_profiler {
    void *user;
    void (*begin)(void *user, const char *name);
    void (*end)(void *user, const char *name);
} lode_profiler;

typedef struct lode_world_def {
    uint32_t abi; /* set by lode_world_def_default() */
    lode_vec3 gravity;
    lode_solver solver;
    int iterations;                    /* of PGS, at least 1; default 20 */
    int sub_steps;                     /* of the soft step, at least 1; default 4 */
    lode_real over_relaxation;         /* of PGS, in (0, 2); default 1.3 */
    lode_real erp;                     /* error reduction of PGS per step, 0..1; default 0.2 */
    lode_real cfm;                     /* constraint force mixing, at least 0 */
    lode_real contact_frequency;       /* of the soft step, Hz, above 0; default 30 */
    lode_real contact_damping;         /* of the soft step, damping ratio; default 10 */
    lode_real max_correcting_velocity; /* with which contacts push apart, above 0, m/s */
    lode_real restitution_threshold;   /* slower impacts do not bounce, at least 0, m/s */
    lode_real length_unit;             /* metres of the caller's per unit that matters: scales
                                          contact slop and margins; above 0, default 1 */
    int threads;                       /* of the internal worker pool, 1..64, caller included;
                                          ignored when `tasks.run` is set */
    lode_simd simd;
    lode_task_system tasks; /* optional */
    lode_profiler profiler; /* optional */
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
 * instruction set or threads that cannot be had, LODE_ERROR_MEMORY. */
LODE_API lode_world lode_world_create(const lode_world_def *def);

/* Destroys the world and all that is in it; all handles into it become stale. */
LODE_API void lode_world_destroy(lode_world world);

LODE_API bool lode_world_is_valid(lode_world world);

/* Advances the world by `dt` seconds, above 0. On any error poses and velocities are untouched. */
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

/* The values in force: the definition as it stands now, all zeros for a bad handle. */
LODE_API lode_world_def lode_world_get_def(lode_world world);

/* Counts and sizes of the last step. */
typedef struct lode_world_stats {
    int bodies, dynamic_bodies, shapes, joints;
    int pairs;    /* whose fat bounds overlap */
    int contacts; /* manifolds with at least one point */
    int contact_points;
    int joint_rows;
    int rows; /* contact rows and joint rows */
    int islands;
    int colours;           /* most colours used by any group of islands */
    int batches;           /* of eight blocks */
    int lanes_used;        /* of 8 * batches */
    int overflow_blocks;   /* blocks that found no colour and are solved one after another */
    int nan_bodies;        /* bodies frozen because their state was not finite, ever */
    size_t bytes;          /* held by the world */
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

/* Copies up to `capacity` rows in running order to `out_stages` and returns how many there are. */
LODE_API int lode_world_get_stages(lode_world world, lode_stage_info *out_stages, int capacity);

typedef struct lode_contact_point {
    lode_vec3 position;   /* world, midway between the surfaces */
    lode_real depth;      /* negative: a gap that may close within the next step */
    lode_real impulse[3]; /* of the last step: along the normal and the two friction directions */
    uint32_t feature;     /* names the features that touch; stable while they stay the same */
} lode_contact_point;

typedef struct lode_contact {
    lode_shape shape_a, shape_b;
    lode_vec3 normal; /* unit, world, pointing into shape_a */
    int point_count;
    lode_contact_point points[4];
} lode_contact;

/* Copies up to `capacity` contacts of the last step, ordered by shape, to `out_contacts` and
 * returns how many there are. */
LODE_API int lode_world_get_contacts(lode_world world, lode_contact *out_contacts, int capacity);

/* A hash of the whole dynamic state; equal states hash equal on every build of one precision. */
LODE_API uint64_t lode_world_hash(lode_world world);

LODE_API void *lode_world_get_user_data(lode_world world);

LODE_EXTERN_C_END

#endif

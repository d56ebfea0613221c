/* world.h: worlds, their settings and counts. Stepping them is in step.h.
 *
 * A world owns its bodies, shapes and joints. Calls on one world or on what it owns must not
 * overlap in time, getters included, but for the queries of query.h among each other; different
 * worlds may be used from different threads at the same time without any locking. Inside a step, so
 * from task system and profiler, a world refuses all calls but `_is_valid` with
 * LODE_ERROR_STATE. */
#ifndef LODE_WORLD_H
#define LODE_WORLD_H

#include "contact.h"
#include "joint.h"

LODE_EXTERN_C_BEGIN

typedef enum lode_solver {
    LODE_SOLVER_PGS,       /* projected Gauss-Seidel with over-relaxation, warm started; each row
                              as hard as its erp and cfm */
    LODE_SOLVER_SOFT_STEP, /* the same passes; joints and contacts are damped springs of
                              contact_frequency and contact_damping, integrated implicitly, so that
                              what overlaps or parts comes back without a jerk */
    LODE_SOLVER_DIRECT,    /* the rows of each island solved as one problem in double precision, so
                              that mass ratios of a million do no harm; erp and cfm as with PGS,
                              friction always per point. Time grows with the rows of
                              chains and trees, with their cube in heaps, where the search may be
                              given up: LODE_WARNING_NOT_CONVERGED if more than 1 % is left */
    LODE_SOLVER_PER_JOINT, /* as PGS, but each joint or contact has all of its rows solved to the
                              end, as a problem of its own in double precision, when its turn comes
                              (StepFast of ODE); friction always per point. Costs some
                              thirty times as much as PGS for joints and ninety for contacts of four
                              points; a single joint is held as exactly as by the direct solver */
    LODE_SOLVER_HYBRID,    /* islands with up to `direct_rows` rows directly, larger ones by PGS;
                              friction always per point */
    LODE_SOLVER_COUNT
} lode_solver;

/* How bodies move in each (sub-)step of h seconds under an acceleration a. */
typedef enum lode_integrator {
    LODE_INTEGRATOR_SEMI_IMPLICIT, /* v += h a, x += h v: of first order, and stable. What falls is
                                      h v / 2 below its parabola */
    LODE_INTEGRATOR_BALLISTIC,     /* the same, but bodies without contacts, joints and limits of
                                      speed fall on the parabola itself, however long the step;
                                      other forces than gravity act as above */
    LODE_INTEGRATOR_SECOND_ORDER,  /* half of gravity and forces before the move and half after it,
                                      and velocities solved for again: of second order, with joints
                                      and contacts too. Nearly twice the cost of solving. Forces
                                      that depend on where bodies are should be written by a system
                                      after "integrate pose" (lode/system.h); as forces of the whole
                                      step they are of first order and feed energy to springs */
    LODE_INTEGRATOR_COUNT
} lode_integrator;

/* How friction limits its two tangential impulses p1, p2 under the normal impulse N. */
typedef enum lode_friction {
    LODE_FRICTION_PYRAMID, /* |p1| <= mu N, |p2| <= mu N: cheap; along the diagonal up to
                              1.4 mu N */
    LODE_FRICTION_CONE,    /* |p| <= mu N, against the direction of slip; an elliptic cone where the
                              coefficient along one direction differs from that across it */
    LODE_FRICTION_COUNT
} lode_friction;

/* How pairs are found. The choice is one of time only: results are the same to the bit. */
typedef enum lode_broad_phase {
    LODE_BROAD_TREE,     /* a dynamic tree: costs what moves; the right one nearly always */
    LODE_BROAD_SIMPLE,   /* each moving shape against all: for a handful */
    LODE_BROAD_SWEEP,    /* sorted along one axis: for scenes that are long along it */
    LODE_BROAD_GRID,     /* a hash grid with levels: for crowds of like size */
    LODE_BROAD_QUADTREE, /* over two axes: for flat scenes */
    LODE_BROAD_PHASE_COUNT
} lode_broad_phase;

/* When the categories and masks of two shapes let them touch, and those of a query and a shape let
 * that be seen. */
typedef enum lode_filter_rule {
    LODE_FILTER_BOTH,   /* each one's mask must have a bit of the other's category */
    LODE_FILTER_EITHER, /* one's must: what ODE's category and collide bits mean */
    LODE_FILTER_RULE_COUNT
} lode_filter_rule;

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
 * the library, or the name of a system, which lives as long as the system. */
typedef struct lode_profiler {
    void *user;
    void (*begin)(void *user, const char *name);
    void (*end)(void *user, const char *name);
} lode_profiler;

/* Two shapes that are near each other and that masks, bodies and joints let touch. */
typedef struct lode_near_pair {
    lode_shape shape_a, shape_b;
    lode_body body_a, body_b;
    void *shape_data_a, *shape_data_b; /* their user data */
    void *body_data_a, *body_data_b;
} lode_near_pair;

/* The application's own word on who touches whom. `accepts` returns whether the two shapes may
 * touch; it is called on the thread that steps, pair by pair in the order of the shapes, whatever
 * the number of threads. It is asked when two shapes come near each other, which is before they
 * touch and may be long before; then again when they come near anew, when one of them or a joint
 * between them is changed, when they wake, after lode_shape_refilter() and
 * lode_world_set_pair_filter(), and when a step that failed is tried again; of a sensor and what it
 * touches in each step, at its end; and of a continuous body and what is on its way, in any order.
 * Between such changes it must give the same answer for the same two: results depend on its answers
 * alone, not on how often it is asked. The record lives during the call. */
typedef struct lode_pair_filter {
    void *user;
    bool (*accepts)(void *user, const lode_near_pair *pair);
} lode_pair_filter;

/* A triangle of a mesh or height field that something is near. */
typedef struct lode_near_triangle {
    lode_shape surface; /* the shape whose triangle it is */
    lode_shape other;   /* null where a ray or a cast asks */
    void *surface_data, *other_data; /* their user data */
    int child;                       /* the triangle, counted from 0 */
} lode_near_triangle;

/* The application's own word on single triangles, for holes and for ground that only some stand on.
 * `accepts` returns whether the other shape, or a query, may meet the triangle; one that is refused
 * is a hole to it, with a rim that holds. It is asked in steps, by continuous bodies, by
 * lode_shape_collide() for two shapes of one world, and by rays and casts; not by distances,
 * nearest points, overlaps of spheres and points, sensors and lode_shape_find_triangles(), which
 * know whole surfaces. Between two meshes, and a mesh and a plane, points are left out whose
 * triangles are refused.
 *
 * It is called for each triangle that is near and for those beside it, in no order, by several
 * threads at once, and calls nothing of the world. Equal input must get equal answers, or steps are
 * not reproducible; when answers change, wake what rests on the surface. The record lives during
 * the call. Snapshots do not hold it. */
typedef struct lode_triangle_filter {
    void *user;
    bool (*accepts)(void *user, const lode_near_triangle *triangle);
} lode_triangle_filter;

/* How the friction of two shapes, or their restitution, become that of their contact. */
typedef enum lode_mix {
    LODE_MIX_GEOMETRIC_MEAN, /* sqrt(a b), 0 of 0 and infinity */
    LODE_MIX_PRODUCT,        /* the same of 0 and infinity */
    LODE_MIX_AVERAGE,
    LODE_MIX_MINIMUM,
    LODE_MIX_MAXIMUM,
    LODE_MIX_COUNT
} lode_mix;

/* Two shapes whose values are to be mixed. */
typedef struct lode_mixed_pair {
    lode_shape shape_a, shape_b;
    void *user_data_a, *user_data_b; /* of the shapes */
    lode_real a, b;                  /* their frictions, or restitutions; infinity is the largest
                                        number */
} lode_mixed_pair;

/* The application's own rule, for friction, restitution or both; what is null is left to the
 * world's friction_mix and restitution_mix. Friction is to be at least 0, restitution 0..1: what is
 * beyond is taken for the nearest that is not, no number for 0. They are asked in each step about
 * each contact of two shapes without materials (lode/material.h), in no order, by several threads
 * at once, and call nothing of the world. Equal input must get equal answers, or steps are not
 * reproducible. The record lives during the call. Snapshots do not hold it. */
typedef struct lode_mixer {
    void *user;
    lode_real (*friction)(void *user, const lode_mixed_pair *pair);
    lode_real (*restitution)(void *user, const lode_mixed_pair *pair);
} lode_mixer;

typedef struct lode_world_def {
    uint32_t abi;                      /* set by lode_world_def_default() */
    lode_vec3 gravity;                 /* default 0, 0, -9.81 m/s^2 */
    lode_solver solver;                /* default LODE_SOLVER_SOFT_STEP */
    lode_integrator integrator;        /* default LODE_INTEGRATOR_SEMI_IMPLICIT */
    int iterations;                    /* of PGS and the soft step in each sub-step, at least 1;
                                          default 5 */
    lode_real exit_below;              /* iterations of an island end early when one of them changes
                                          none of its bodies' velocities by more, m/s and, times
                                          `length_unit`, rad/s; with contacts, when two have not; for
                                          PGS, the soft step and joint by joint; at least 0; default
                                          0: never. Islands then share no SIMD lanes, so it pays
                                          where islands are large */
    int direct_rows;                   /* of the hybrid solver: rows of the largest islands that are
                                          solved directly, at least 0; default 200 */
    lode_stiff stiff_joints;           /* which joints do not stretch, of those that do not say it
                                          themselves; default LODE_STIFF_NEVER */
    bool measure_residual;             /* lode_world_stats tells how far rows were missed; costs
                                          as much as some thirty iterations of PGS a step; default
                                          false */
    int sub_steps;                     /* in which each step is solved, however long; default 0: as
                                          many as bring their length nearest to sub_step_length,
                                          at most 64, but one for the direct solver. Shorter ones
                                          make stacks and joints stiffer */
    lode_real sub_step_length;         /* s, above 0; default 1/240 */
    lode_real over_relaxation;         /* of PGS and the soft step, in (0, 2); default 1.2 */
    lode_real erp;                     /* error reduction of PGS, 0..1, per sub-step, or with
                                          cfm above 0 per step; default 0.2 */
    lode_real cfm;                     /* force mixing of PGS, at least 0, s/kg; default 0. Above,
                                          rows are springs: stiffness erp / (cfm dt), damping
                                          (1 - erp) / cfm */
    lode_real contact_frequency;       /* of the soft step, Hz, above 0; default 60 */
    lode_real contact_damping;         /* of the soft step, damping ratio, at least 0; default 10 */
    lode_real max_correcting_velocity; /* with which contacts push apart, m/s, above 0, infinity for
                                          no limit; default 4 */
    lode_real surface_layer;           /* as deep contacts may sink into each other before they are
                                          pushed apart, m, at least 0; it keeps what rests in touch.
                                          Solvers that sweep let gaps of up to a tenth of it be;
                                          default 0.005 */
    lode_real restitution_threshold;   /* slower impacts do not bounce, m/s, 0 or more; default 1 */
    lode_real impact_threshold;        /* slower impacts are not told as events, m/s, 0 or more;
                                          default 1 */
    lode_damping damping;              /* of bodies that have none of their own; default none, with
                                          thresholds of 0.01 */
    lode_sleep sleep;                  /* of bodies to come; default lode_sleep_default() */
    lode_friction friction_model;      /* default LODE_FRICTION_PYRAMID */
    bool friction_per_manifold;        /* friction at the centroid of a contact's points, and a
                                          moment against twisting about the normal, in place of
                                          friction at each point: cheaper; default false; with
                                          PGS and the soft step alone: the other solvers have
                                          friction at each point */
    lode_mix friction_mix;             /* of shapes without materials; default
                                          LODE_MIX_GEOMETRIC_MEAN */
    lode_mix restitution_mix;          /* default LODE_MIX_MAXIMUM */
    lode_real length_unit;             /* a metre in the caller's units, 100 if they are cm: scales
                                          what is a tolerance: surface_layer, margins, and the
                                          speeds max_correcting_velocity, restitution_threshold,
                                          impact_threshold and linear_threshold of damping and
                                          sleep, which are in metres; above 0, default 1. All else,
                                          gravity too, is in the caller's units */
    lode_filter_rule filter_rule;      /* default LODE_FILTER_BOTH */
    lode_broad_phase broad_phase;      /* default LODE_BROAD_TREE */
    int broad_phase_axes[2];           /* two of 0, 1, 2 for x, y, z: the sweep sorts along the
                                          first, the quadtree divides both; default 0, 1 */
    int threads;                       /* of the internal worker pool, 1..64, caller included;
                                          default 1; ignored when `tasks.run` is set */
    lode_simd simd;                    /* default LODE_SIMD_AUTO */
    lode_task_system tasks;            /* optional: null `run` for none; copied */
    lode_profiler profiler;            /* optional; copied */
    lode_pair_filter pair_filter;      /* optional: null `accepts` for none; copied */
    lode_triangle_filter triangle_filter; /* the same; without one it costs nothing */
    lode_mixer mixer;                     /* the same */
    lode_contact_editor editor;           /* the same, null `edit`: see contact.h */
    void *user_data;
} lode_world_def;

/* Fills `out_def`, of `size` bytes as the caller's header has it, with the defaults. Prefer
 * lode_world_def_default(). Reports LODE_ERROR_ABI and fills with zeros when the caller's header
 * and this library differ in precision or layout. */
LODE_API void lode_world_def_init(void *out_def, size_t size, uint32_t abi);

/* The defaults named above; zeros when header and library disagree. */
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

/* Does the handle name a world that lives. */
LODE_API bool lode_world_is_valid(lode_world world);

/* Setters of the definition's fields of the same names; the new value serves from the next step.
 * They refuse what lode_world_create() would refuse. lode_world_get_def() reads them all. What
 * belongs to the machine (threads, simd, tasks, profiler) and `length_unit` stay as they were
 * made. */
LODE_API lode_status lode_world_set_gravity(lode_world world, lode_vec3 gravity);
LODE_API lode_status lode_world_set_solver(lode_world world, lode_solver solver);
LODE_API lode_status lode_world_set_integrator(lode_world world, lode_integrator integrator);
LODE_API lode_status lode_world_set_iterations(lode_world world, int iterations);
LODE_API lode_status lode_world_set_exit_below(lode_world world, lode_real speed);
LODE_API lode_status lode_world_set_direct_rows(lode_world world, int rows);
LODE_API lode_status lode_world_set_stiff_joints(lode_world world, lode_stiff stiff_joints);
LODE_API lode_status lode_world_set_measure_residual(lode_world world, bool measure);
LODE_API lode_status lode_world_set_sub_steps(lode_world world, int sub_steps);
LODE_API lode_status lode_world_set_sub_step_length(lode_world world, lode_real length);
LODE_API lode_status lode_world_set_over_relaxation(lode_world world, lode_real over_relaxation);
LODE_API lode_status lode_world_set_erp(lode_world world, lode_real erp);
LODE_API lode_status lode_world_set_cfm(lode_world world, lode_real cfm);
LODE_API lode_status lode_world_set_contact_frequency(lode_world world, lode_real frequency);
LODE_API lode_status lode_world_set_contact_damping(lode_world world, lode_real ratio);
LODE_API lode_status lode_world_set_restitution_threshold(lode_world world, lode_real speed);
LODE_API lode_status lode_world_set_impact_threshold(lode_world world, lode_real speed);
LODE_API lode_status lode_world_set_max_correcting_velocity(lode_world world, lode_real speed);
LODE_API lode_status lode_world_set_surface_layer(lode_world world, lode_real depth);
LODE_API lode_status lode_world_set_damping(lode_world world, const lode_damping *damping);
LODE_API lode_status lode_world_set_friction_model(lode_world world, lode_friction model);
LODE_API lode_status lode_world_set_friction_per_manifold(lode_world world, bool per_manifold);
LODE_API lode_status lode_world_set_friction_mix(lode_world world, lode_mix mix);
LODE_API lode_status lode_world_set_restitution_mix(lode_world world, lode_mix mix);

/* As in the definition: how pairs are found, and the axes, null to leave them as they are. */
LODE_API lode_status lode_world_set_broad_phase(lode_world world, lode_broad_phase broad_phase,
                                                const int axes[2]);

/* As in the definition. All pairs are looked for anew, in the next step, and all that sleeps wakes,
 * if it is another rule. */
LODE_API lode_status lode_world_set_filter_rule(lode_world world, lode_filter_rule rule);

/* As in the definition; null: none. All pairs are asked about anew, in the next step, and all that
 * sleeps wakes. */
LODE_API lode_status lode_world_set_pair_filter(lode_world world, const lode_pair_filter *filter);

/* As in the definition; null: none. All that sleeps wakes. */
LODE_API lode_status lode_world_set_triangle_filter(lode_world world,
                                                    const lode_triangle_filter *filter);

/* As in the definition; null: none. Serves from the next step; wakes nobody. */
LODE_API lode_status lode_world_set_mixer(lode_world world, const lode_mixer *mixer);

/* As in the definition; null: none. Serves from the next step; wakes nobody. */
LODE_API lode_status lode_world_set_contact_editor(lode_world world,
                                                   const lode_contact_editor *editor);

/* The values in force: the definition as it stands now, `simd` as it was chosen; all zeros for a
 * bad handle. */
LODE_API lode_world_def lode_world_get_def(lode_world world);

/* Counts of the last step; the first four and the bytes are as of now. */
typedef struct lode_world_stats {
    int bodies, dynamic_bodies, shapes, joints;
    int awake_bodies; /* dynamic ones that do not sleep, and kinematic ones that move */
    int sleeping_islands;
    int pairs;    /* whose fat bounds overlap */
    int contacts; /* manifolds with at least one point */
    int contact_points;
    int joint_rows;
    int rows; /* contact rows and joint rows */
    int islands;
    int colours;           /* most colours used by any group of islands */
    int batches;           /* of up to eight constraints, as one thread has them */
    int lanes_used;        /* of 8 * batches */
    int overflow_blocks;   /* constraints without a colour, of bodies that have very many: batched
                              with others of the same bodies */
    lode_real residual;    /* with `measure_residual`: by how much velocity the rows were missed at
                              most when the last sub-step's iterations ended, m/s or rad/s; for a
                              row at its limit, by how much it still pulls the wrong way. Rows of
                              friction per manifold are left out. Else 0 */
    size_t bytes;          /* held by the world, without its worker threads */
    size_t bytes_bodies;   /* of these, by bodies with names, shapes and tree nodes */
    size_t bytes_contacts; /* of these, by pairs and manifolds */
    size_t bytes_scratch;  /* of these, by the step's arena */
} lode_world_stats;

/* Fills `out_stats`, or leaves it alone and says why. */
LODE_API lode_status lode_world_get_stats(lode_world world, lode_world_stats *out_stats);

/* A hash of bodies, shapes, joints and contacts, without settings and user data; equal states hash
 * equal on every build of one precision. 0 for a bad handle. */
LODE_API uint64_t lode_world_hash(lode_world world);

/* Copy up to `capacity` handles to the array, in the order of their slots, and return how many
 * there are, 0 on failure. With `capacity` 0 the array may be null. */
LODE_API int lode_world_get_bodies(lode_world world, lode_body *out_bodies, int capacity);
LODE_API int lode_world_get_joints(lode_world world, lode_joint *out_joints, int capacity);

/* The definition's, or what was set since; null for a bad handle. */
LODE_API void *lode_world_get_user_data(lode_world world);
LODE_API lode_status lode_world_set_user_data(lode_world world, void *user_data);

LODE_EXTERN_C_END

#endif

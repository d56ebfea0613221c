/* engine.h: what the benchmark asks of an engine. One file engine_<name> each; a table of
 * functions is all that the rest of the benchmark knows of them.
 *
 * No engine may put bodies to sleep: a scene at rest costs its full price in every step. */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include "bench/scene.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lode spreads the iterations of a step over so many sub-steps. */
enum { BENCH_SUB_STEPS = 4 };

enum { BENCH_STAGES = 32 };

typedef struct bench_options {
    int iterations;
    int sub_steps; /* Lode only; 0: BENCH_SUB_STEPS */
    int threads; /* Lode only: the peers run on one */
    int solver;  /* Lode only: lode_solver */
    int stiff;   /* Lode only: lode_stiff */
    int simd;    /* Lode only: lode_simd */
    bool probed; /* the world will be given to probe() */
} bench_options;

/* Hears of the begin and end of each stage, properly nested, on the thread that steps. */
typedef struct bench_probe {
    void *user;
    void (*begin)(void *user, const char *name);
    void (*end)(void *user, const char *name);
} bench_probe;

/* A stage's time in one step. `parent` is the stage that contains it, "" at the top. The strings
 * live as long as the program. */
typedef struct bench_stage {
    const char *name, *parent;
    double seconds;
} bench_stage;

/* Of the last step. What an engine cannot tell is negative. */
typedef struct bench_counts {
    int contacts; /* pairs of shapes that touch */
    int points;
    int joint_rows, contact_rows;
    double lane_occupancy; /* 0..1 */
    double overflow;       /* fraction of contacts and joints that went the slow way, 0..1 */
    double bytes_per_body, bytes_per_contact;
} bench_counts;

typedef struct bench_state {
    double position[3];
    double rotation[4]; /* w x y z */
    double linear[3], angular[3];
} bench_state;

typedef struct bench_ray {
    double origin[3], direction[3]; /* a unit vector */
    double length;
} bench_ray;

typedef struct bench_engine {
    const char *name;
    const char *precision;
    const char *version;
    const char *method; /* how it solves, in a few words; null: see the options */

    /* Null on failure, after a message on stderr. The scene must outlive the world. */
    void *(*create)(const bench_scene *scene, const bench_options *options);
    void (*destroy)(void *world);

    /* One whole step: collide and solve. False ends the program. */
    bool (*step)(void *world);

    /* Times of the last step's stages; returns how many, at most BENCH_STAGES. */
    int (*stages)(void *world, bench_stage *out_stages);

    /* Sets who hears of the stages of the steps to come; null: nobody. For worlds created with
     * `probed`. */
    void (*probe)(void *world, const bench_probe *probe);
    void (*counts)(void *world, bench_counts *out_counts);

    /* One entry per body of the scene. */
    void (*read)(void *world, bench_state *out_states);

    /* Seconds that solving takes with this number of iterations, on the world as it stands or
     * nearly so, everything included that does not depend on the number: the caller takes
     * differences. Negative when the engine's solver does not iterate. counts() then tells of the
     * problem that was solved. */
    double (*time_solve)(void *world, int iterations);

    /* Solves a step with this number of iterations, from the same state each time until the next
     * step: the seconds that it takes, and what its rows miss, m/s (missed_ode.h). Null for what is
     * no program for ODE. */
    double (*missed)(void *world, int iterations, double *out_seconds);

    /* Casts rays, one by one, for the closest hit of each; where nothing is hit the distance is the
     * ray's length. Returns how many hit. */
    int (*cast)(void *world, const bench_ray *rays, int count, double *out_distances);
} bench_engine;

extern const bench_engine bench_engine_lode;

/* Of a world made by bench_engine_lode: runs one stage of a step, in the step's order; the
 * instruction set it runs on; and the deepest penetration
 * among the contacts of its last step, m. */
bool bench_lode_run_stage(void *world, const char *name);
const char *bench_lode_simd(void *world);
double bench_lode_deepest(void *world);

/* As the engine's cast(), but in one call. */
int bench_lode_cast_batch(void *world, const bench_ray *rays, int count, double *out_distances);

/* Pushes a box with these half extents, along the world's axes, along each ray: casts as cast()
 * does. */
#define BENCH_PUSHED_BOX {0.3, 0.2, 0.1}
int bench_lode_push(void *world, const bench_ray *rays, int count, double *out_distances);
int bench_bullet_push(void *world, const bench_ray *rays, int count, double *out_distances);

/* Engines to compare with; which exist is decided when the benchmark is configured. */
extern const bench_engine bench_engine_ode;
extern const bench_engine bench_engine_face; /* the program of bench_engine_ode on our ODE face */
extern const bench_engine bench_engine_bullet;

#ifdef __cplusplus
}
#endif

#endif

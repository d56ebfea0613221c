/* trials.h: experiments whose outcome is known on paper, with a figure each.
 *
 * A trial sets up a scene as plain data, runs it through the few verbs of an engine and returns by
 * how much it was off, so that Lode and libode go through the very same ones: tests/fidelity asks
 * for bounds, tests/peers/figures.c prints the tables of docs/fidelity.md. Everything here is in
 * double and in m, kg, s. */
#ifndef LODE_TESTS_TRIALS_H
#define LODE_TESTS_TRIALS_H

#include <stdbool.h>

enum { TRIAL_BODIES = 50, TRIAL_PLANES = 4 };

/* A ball, size[0] its radius, or a box with these half sides; solid, and of one density. */
typedef struct trial_body {
    bool box;
    double size[3], mass;
    double position[3], linear[3], angular[3];
} trial_body;

typedef struct trial_scene {
    double h; /* of a step */
    double gravity[3];
    double planes[TRIAL_PLANES][4]; /* solid where normal . x < the fourth */
    int plane_count;
    trial_body bodies[TRIAL_BODIES];
    int body_count;
    double ground_friction; /* of bodies with planes */
    double friction;        /* of bodies among each other */
    double restitution;     /* of everything, at any speed */
    double slip[2];         /* of the planes along x and y, s/kg, of a contact as a whole */
    double belt[2];         /* with which the planes carry along x and y, m/s */
    double soft_erp, soft_cfm; /* of the planes, where soft_cfm is not 0 */
    bool in_plane;          /* the first body is held in the plane of x and y */
    bool chain;             /* each body hangs on the one before it by a ball joint halfway */
} trial_scene;

typedef struct trial_state {
    double position[3], rotation[4], linear[3], angular[3]; /* rotation w first */
} trial_state;

/* How an engine solves; what `method` is the engine says. */
typedef struct trial_way {
    const char *name;
    int method;
    bool cone, conserving, second_order; /* friction, gyroscopic torque and integrator, where the
                                            engine has them */
} trial_way;

typedef struct trial_engine {
    void *(*create)(const trial_scene *scene, const trial_way *way); /* null on failure */
    void (*destroy)(void *world);
    bool (*step)(void *world, const double force[3]); /* on the first body; may be null */
    void (*read)(void *world, int body, trial_state *out_state);
    const trial_way *ways;
    int way_count;
} trial_engine;

extern const trial_engine trial_lode;
extern const trial_engine trial_ode;

/* A trial gives up to so many figures, each by how much something was off; NaN where the engine
 * failed. */
enum { TRIAL_FIGURES = 4, TRIAL_COUNT = 9 };

typedef struct trial {
    const char *name;
    int figures;
    void (*run)(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES]);
} trial;

extern const trial trials[TRIAL_COUNT];

/* Null if there is none of this name. */
const trial *trial_find(const char *name);

#endif

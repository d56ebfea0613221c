/* scene.h: what the benchmark simulates, as plain data that no engine owns.
 *
 * Every engine builds its world from the same record, so that all of them start from the same
 * poses, masses, materials and joints. A body has one shape, whose centre is the body's origin and
 * centre of mass. Units are metres, kilograms, seconds; z points up. Numbers are double here and
 * rounded by the engine that needs less. */
#ifndef BENCH_SCENE_H
#define BENCH_SCENE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_DT (1.0 / 60.0)

typedef enum bench_shape {
    BENCH_SPHERE, /* size[0] is the radius */
    BENCH_BOX,    /* size holds half extents */
    BENCH_PLANE   /* solid below its body's xy plane; static bodies only */
} bench_shape;

typedef struct bench_body {
    bench_shape shape;
    bool dynamic;
    bool collides;
    double size[3];
    double density; /* kg/m^3 */
    double position[3];
    double rotation[4]; /* w x y z */
} bench_body;

/* A ball joint. */
typedef struct bench_joint {
    int body_a, body_b;
    double anchor[3]; /* world, at the start */
} bench_joint;

/* The worst values that still count as a good simulation at the end of the measured steps;
 * a negative one is not judged. */
typedef struct bench_bounds {
    double penetration;   /* deepest, m */
    double separation;    /* of a joint's two anchors, largest, m */
    double kinetic_energy; /* left, J */
    double displaced;     /* fraction of the boxes that moved over half a metre */
} bench_bounds;

typedef struct bench_scene {
    const char *name;
    const char *summary;
    int warmup_steps; /* run before the measured ones, by every engine */
    int steps;        /* measured, unless --steps says otherwise */
    bench_bounds bounds;
    double gravity[3];
    double friction, restitution; /* of every pair */
    bench_body *bodies;
    int body_count, body_capacity;
    bench_joint *joints;
    int joint_count, joint_capacity;
} bench_scene;

int bench_scene_count(void);
const char *bench_scene_name(int index);
const char *bench_scene_summary(int index);

/* The index of the scene called `name`, or -1. */
int bench_scene_find(const char *name);

/* Builds the scene; bench_scene_free() releases it. The same on every machine. */
void bench_scene_build(int index, bench_scene *out_scene);
void bench_scene_free(bench_scene *scene);

/* Mass in kg, and the principal moments about the body's axes; zeros for a static body. */
double bench_body_mass(const bench_body *body, double out_inertia[3]);

#ifdef __cplusplus
}
#endif

#endif

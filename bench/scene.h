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
    BENCH_SPHERE,  /* size[0] is the radius */
    BENCH_BOX,     /* size holds half extents */
    BENCH_CAPSULE, /* size[0] is the radius, size[1] half the length of the part between the caps,
                      which lies along the body's z axis */
    BENCH_PLANE,   /* solid below its body's xy plane; static bodies only */
    BENCH_MESH     /* triangles, see `mesh`; static bodies only */
} bench_shape;

/* Fronts are where corners turn left. */
typedef struct bench_mesh {
    float (*vertices)[3];
    unsigned (*triangles)[3];
    int vertex_count, triangle_count;
} bench_mesh;

typedef struct bench_body {
    bench_shape shape;
    bool dynamic;
    bool collides;
    double size[3];
    double density; /* kg/m^3 */
    double position[3];
    double rotation[4];     /* w x y z */
    const bench_mesh *mesh; /* of a mesh; lives as long as the scene */
} bench_body;

typedef enum bench_joint_type { BENCH_BALL, BENCH_HINGE } bench_joint_type;

/* A hinge turns about `axis` only, between the limits: the angle is by how much body_a has turned
 * about it since the start, right-handed, as seen from body_b. A motor may turn it. */
typedef struct bench_joint {
    bench_joint_type type;
    int body_a, body_b;
    double anchor[3]; /* world, at the start */
    double axis[3];   /* of a hinge: unit, world, at the start */
    double lo, hi;    /* of a hinge: limits of the angle, rad; infinite: none */
    double speed;     /* of its motor, rad/s */
    double torque;    /* the most of it, N m; 0: there is none */
} bench_joint;

/* What a simulation is judged by, after the measured steps. */
typedef enum bench_quality_field {
    BENCH_PENETRATION, /* deepest, m */
    BENCH_SEPARATION,  /* largest distance of a joint's two anchors, m */
    BENCH_ANGLE,   /* largest angle by which a hinge's axes part or its limits are exceeded, rad */
    BENCH_KINETIC, /* kinetic energy of all bodies, J */
    BENCH_DISPLACED, /* fraction of the dynamic bodies over half a metre from the start */
    /* dynamic bodies whose centre is under the static mesh that is the ground, or nearer to it than
       half their least half extent, or beside it */
    BENCH_SUNK,
    BENCH_QUALITIES
} bench_quality_field;

typedef struct bench_scene {
    const char *name;
    const char *summary;
    int warmup_steps; /* run before the measured ones, by every engine */
    int steps;        /* measured, unless --steps says otherwise */
    bool timed;       /* false: only the quality counts */
    bool holds; /* its joints must not stretch: Lode is told so of each, where a choice is left */
    const char *twin; /* the scene whose cost this one's is held against, or null */

    /* The worst values that still count as a good simulation; a negative one is not judged. */
    double bounds[BENCH_QUALITIES];

    /* How many times libode's value Lode's may be before it counts as worse: 1 where the outcome
     * is decided by the scene, more where it is chaotic. */
    double noise;

    /* The share of the joints whose separation is not judged, those that part the most: under 1. */
    double jammed;
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

/* How many bodies are dynamic. */
int bench_moving_bodies(const bench_scene *scene);

/* Rows that hold the joints together in any engine, without those of limits, which come and go. */
int bench_joint_rows(const bench_scene *scene);

#ifdef __cplusplus
}
#endif

#endif

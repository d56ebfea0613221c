/* touching.h: pairs of solids that touch, and who finds out where; see touching.c. */
#ifndef BENCH_TOUCHING_H
#define BENCH_TOUCHING_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_form {
    FORM_SPHERE,
    FORM_BOX,
    FORM_CAPSULE,
    FORM_CYLINDER,
    FORM_HULL,
    FORM_PLANE, /* z = 0, and never the first of a pair */
    FORMS
} bench_form;

typedef struct bench_solid {
    double size[3]; /* half extents of a box; radius and half length of the others, m */
    double position[3];
    double rotation[4]; /* w x y z */
} bench_solid;

/* All hulls of a run are one: its planes have four numbers, the unit normal and the distance; a
 * polygon is the number of its corners and their points. */
typedef struct bench_hull {
    double *planes, *points;
    unsigned *polygons, plane_count, point_count;
} bench_hull;

/* Pairs of the same two forms. */
typedef struct bench_touching {
    bench_form form_a, form_b;
    int count;
    bench_solid *a, *b;
    const bench_hull *hull;
    struct lode_hull *shared; /* the same hull as Lode has it */
} bench_touching;

typedef struct bench_toucher {
    const char *name;
    void *(*create)(const bench_touching *pairs); /* null: it cannot do these */
    void (*destroy)(void *toucher);
    void (*touch)(void *toucher);   /* all pairs once, up to four points each */
    int (*found)(void *toucher);    /* how many pairs touched the last time; called last */
    int (*computed)(void *toucher); /* how many were computed; null: all */
} bench_toucher;

extern const bench_toucher bench_toucher_each;   /* lode_shape_collide() */
extern const bench_toucher bench_toucher_batch;  /* lode_world_collide_pairs() */
extern const bench_toucher bench_toucher_set;    /* lode_pair_set_collide() */
extern const bench_toucher bench_toucher_kernel; /* kernels on batches that lie ready */
extern const bench_toucher bench_toucher_stage;  /* the narrow phase of a step */
extern const bench_toucher bench_toucher_ode;

/* Times all and prints a table. False: a pair that touches was not found to. */
bool bench_narrow_phase(void);

#ifdef __cplusplus
}
#endif

#endif

/* swarm.h: boxes on the move, and what finds their pairs; see swarm.c.
 *
 * A finder is one broad phase of one engine, behind a table of functions, like an engine of the
 * benchmark's scenes. */
#ifndef BENCH_SWARM_H
#define BENCH_SWARM_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_swarm_box {
    double half[3];     /* half extents, m */
    double position[3]; /* now */
    double rotation[4]; /* w x y z, for good */
    double velocity[3]; /* m/s */
} bench_swarm_box;

typedef struct bench_swarm {
    int count, moving; /* the first `moving` boxes move */
    double side;       /* of the cube they fly in, m */
    int flock;         /* so many boxes, one after another, fly as the first of them does */
    int broad_phase;   /* Lode's, a lode_broad_phase */
    bool aggregates;   /* of Lode, one for each flock */
    bench_swarm_box *boxes;
} bench_swarm;

typedef struct bench_finder {
    const char *name;

    /* Null on failure, after a message. */
    void *(*create)(const bench_swarm *swarm);
    void (*destroy)(void *finder);

    /* Tells where the boxes are now, of which only the moving ones have moved. Not timed. */
    void (*move)(void *finder, const bench_swarm *swarm);

    /* Bounds of what moved, and all pairs; returns the seconds it took. */
    double (*find)(void *finder);

    /* How many pairs it holds or has found. Called last, and may move the boxes. */
    int (*pairs)(void *finder);
} bench_finder;

extern const bench_finder bench_finder_lode;
extern const bench_finder bench_finder_ode_hash;
extern const bench_finder bench_finder_ode_sap;
extern const bench_finder bench_finder_ode_quadtree;
extern const bench_finder bench_finder_bullet;

/* Times all finders in turn and prints a table. True whatever it shows: time depends on the
 * machine. */
bool bench_broad_phase(void);

#ifdef __cplusplus
}
#endif

#endif

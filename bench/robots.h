/* robots.h: articulations in the benchmark, and the engines that step them; see robots.c. */
#ifndef BENCH_ROBOTS_H
#define BENCH_ROBOTS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A link with a hinge to its parent. Frames are not turned: the hinge is about an axis of both
 * links, which are boxes of even density. */
typedef struct bench_robot_link {
    int parent;       /* -1: the root, which has no hinge */
    int axis;         /* 0 x, 1 y, 2 z */
    double pivot[3];  /* of the hinge, from the parent's centre of mass */
    double center[3]; /* of mass, from the hinge */
    double mass, half[3];
} bench_robot_link;

enum { BENCH_ROBOT_LINKS = 160 };

typedef struct bench_robot {
    const char *name;
    int count;
    bool floating;
    bool apart; /* copies are not to be stepped several at a time, where the engine does that */
    bench_robot_link link[BENCH_ROBOT_LINKS];
} bench_robot;

typedef struct bench_robot_engine {
    const char *name;

    /* So many copies of it in a world with gravity along -z, without contacts; null where that
     * cannot be made, and why in a few words. */
    void *(*create)(const bench_robot *robot, int copies, const char **out_why);
    void (*step)(void *side, double h);

    /* Height of the last link of the first copy: whether all do the same. */
    double (*height)(void *side);
    void (*destroy)(void *side);
} bench_robot_engine;

extern const bench_robot_engine bench_robots_lode;
extern const bench_robot_engine bench_robots_bullet;
extern const bench_robot_engine bench_robots_mujoco;

/* Times all engines in turn and prints a table, and what of it must hold. False where that does
 * not. */
bool bench_robots(void);

#ifdef __cplusplus
}
#endif

#endif

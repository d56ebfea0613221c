/* judge.h: how good a simulation was, measured the same way whoever made it. */
#ifndef BENCH_JUDGE_H
#define BENCH_JUDGE_H

#include "bench/engine.h"

typedef struct bench_quality {
    double penetration;    /* deepest, m */
    double separation;     /* largest distance of a joint's two anchors, m */
    double kinetic_energy; /* of all bodies, J */
    double displaced;      /* fraction of the dynamic bodies over half a metre from the start */
} bench_quality;

/* `states` are the engine's final ones, one per body of the scene. */
bench_quality bench_judge(const bench_scene *scene, const bench_state *states);

/* True when every judged value is within the scene's bounds. */
bool bench_within(const bench_quality *quality, const bench_bounds *bounds);

#endif

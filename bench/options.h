/* options.h: the command line. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "bench/engine.h"

typedef struct bench_command {
    bench_options options;
    int *scenes; /* indices, in the order they run */
    int scene_count;
    const bench_engine *engines[3]; /* Lode first */
    int engine_count;
    int steps;        /* 0: what the scene says */
    const char *json; /* null: none */
    bool list, stages, kernels;
} bench_command;

/* Ends the program, with a message that lists what is valid, when the command line is wrong; and
 * after --help. */
bench_command bench_command_read(int argc, char **argv);

#endif

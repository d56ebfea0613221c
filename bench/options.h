/* options.h: the command line. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "bench/measure.h"

/* What can be asked for in place of running scenes. */
typedef enum bench_special {
    BENCH_LIST,
    BENCH_STAGE_TABLE,
    BENCH_KERNELS,
    BENCH_MEMORY,
    BENCH_SLEEPING,
    BENCH_BROAD_PHASE,
    BENCH_NARROW_PHASE,
    BENCH_RAYS,
    BENCH_MESH_BUILD,
    BENCH_ROBOTS,
    BENCH_JOINT_RATES,
    BENCH_SOLVER_TABLE,
    BENCH_SPECIALS
} bench_special;

/* Files that can be asked for. */
typedef enum bench_output {
    BENCH_JSON,
    BENCH_CSV,
    BENCH_TRACE,
    BENCH_PLOT,
    BENCH_OUTPUTS
} bench_output;

typedef struct bench_command {
    bench_plan plan;
    int *scenes; /* indices, in the order they run */
    int scene_count;
    bool special[BENCH_SPECIALS];
    const char *output[BENCH_OUTPUTS]; /* paths; null: none */
    bool counters;
    bool islands;      /* programs for ODE are run with dWorldStep too */
    const char *stage; /* the one to run by itself, or null */
} bench_command;

/* Ends the program, with a message that lists what is valid, when the command line is wrong; and
 * after --help. */
bench_command bench_command_read(int argc, char **argv);

#endif

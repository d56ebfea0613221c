/* solvers.h: what each solver does to a group of islands in a sub-step: a table of stages, most of
 * them passes over the group's blocks and lines, which know nothing of contacts and joints. */
#ifndef LODE_SOLVER_SOLVERS_H
#define LODE_SOLVER_SOLVERS_H

#include "solver/softness.h"
#include "solver/state.h"

typedef struct lode__solve_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__softness softness, settled, relax, untell;
    lode__softness netted, netted_settled, parting; /* of groups with nets */
    lode_real h;
    int sub_step;
    bool watched;               /* somebody is called between sub-stages */
    bool apart;                 /* stages of a shared group are runs of their own */
    const void *stepper;        /* the thread that steps, as this_thread() names it */
    const lode__system *system; /* of the application, that runs now */
} lode__solve_work;

/* What a stage does to a group: passes over its blocks and lines. */
typedef struct lode__pass_task {
    const lode__solve_work *work;
    const lode__group *group;
    const lode__softness *softness;
    size_t kernel; /* offset of the function in lode__block_kernels */
} lode__pass_task;

enum { LODE__MOST_PROGRAM = 32 }; /* of a sub-step */

typedef struct lode__program {
    const lode__solve_work *work;
    const lode__group *group;
    lode__pass passes[LODE__MOST_PROGRAM];
    lode__pass_task tasks[LODE__MOST_PROGRAM];
    uint8_t sub[LODE__MOST_PROGRAM]; /* LODE__SUB_... */
    uint32_t count;
} lode__program;

/* Either passes, or, where `add` is null, a function. Groups with shares know functions only where
 * their stages run apart (lode__solve_work). */
typedef struct lode__solve_stage {
    int sub;
    void (*add)(lode__program *out);
    void (*run)(const lode__solve_work *work, lode__group *group);
} lode__solve_stage;

typedef struct lode__solver_table {
    const lode__solve_stage *stages;
    int count;
} lode__solver_table;

/* The stages of a group's sub-steps. */
const lode__solver_table *lode__solver_table_of(const lode__group *group,
                                                const lode_world_def *settings);

/* Runs the passes of a program on a group. */
void lode__program_run(const lode__program *program, lode__group *group);

#endif

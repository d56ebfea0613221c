/* solvers.h: the same system of rows, solved by each of Lode's solvers and by libode's two
 * steppers; see solvers.c. */
#ifndef BENCH_SOLVERS_H
#define BENCH_SOLVERS_H

#include <stdbool.h>
#include <stddef.h>

/* Two bodies, by number, that a ball joint holds together, or that touch; -1: the world. */
typedef struct bench_tie {
    int a, b;
    double at[3];
} bench_tie;

/* Boxes nearly at rest, which gravity pulls in the step that is measured. Ties are ball joints, or
 * points of contact whose normal is z, four to each pair of boxes. */
typedef struct bench_system {
    const char *name;
    double (*center)[3];
    bench_tie *ties;
    int bodies, tie_count;
    bool touch;
} bench_system;

/* Of each box: half a side, m, and what its sides rub with. */
#define BENCH_BOX_HALF 0.25
#define BENCH_BOX_MASS 125.0
#define BENCH_BOX_FRICTION 0.5

/* So short that what turns within a step is lost in rounding: rows are then measured where they
 * were made. */
#define BENCH_SOLVE_DT 1e-4

typedef enum bench_shape_of_system {
    BENCH_SYSTEM_CHAIN, /* slants down from one end */
    BENCH_SYSTEM_TREE,  /* binary */
    BENCH_SYSTEM_TOWER, /* of boxes, on the ground */
    BENCH_SYSTEM_COUNT
} bench_shape_of_system;

/* How fast box `i` is at first along an axis, m/s: next to nothing, but what stood still would end
 * in numbers so tiny that they cost more than others. */
double bench_system_drift(int i, int axis);

/* The system with about so many rows. */
bench_system bench_system_make(bench_shape_of_system shape, int rows);
void bench_system_free(bench_system *system);

typedef struct bench_solver {
    const char *name;
    int number; /* which of its engine's */

    void *(*create)(const bench_system *system, int number);
    void (*destroy)(void *solver);

    /* Brings all back to where it was, and solves one step from there; returns the seconds that the
     * step took. */
    double (*step)(void *solver);

    /* Velocity and angular velocity of a body, world axes. */
    void (*get_velocity)(void *solver, int body, double out_velocity[6]);

    /* Bytes that it holds for solving, 0 where nobody knows, and rows of a step. */
    size_t (*bytes)(void *solver);
    int (*rows)(void *solver);
} bench_solver;

/* dWorldStep and dWorldQuickStep of libode and of the ODE face; and how many complaints libode has
 * made since it was asked last. */
enum { BENCH_STEPPERS = 2 };
extern const bench_solver bench_solvers_ode[BENCH_STEPPERS], bench_solvers_face[BENCH_STEPPERS];
int bench_solvers_ode_complaints(void);

/* Times all solvers on all systems and prints tables. True whatever they show. */
bool bench_solvers(void);

#endif

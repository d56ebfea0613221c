/* nets.h: joints that do not stretch. Sweeps carry a load on by one joint a visit, so a light chain
 * under a heavy load parts at each of them. Here the rows without bounds of all joints that hang
 * together, a *net*, are solved to the end each time their turn comes, by a factor made once in a
 * sub-step, and their motors and stops with them (nets_bounds.c); contacts are still swept, and
 * nets and sweeps take turns (block Gauss-Seidel). Three things hold a net together, and nets.c
 * says why it takes all of them:
 *
 *     velocities   A x = c - J v,   A = J W J^T,    v += W J^T x        in each iteration,
 *     poses        A' d = -C(q),                    q += W J'^T d       once they have moved,
 *     stiffness    W^-1 = M + h^2 K                 across what is tense (nets_tense.c).
 *
 * Nets are made anew in each step from the joints that are in it (nets_make.c); how one is
 * eliminated is a plan that is kept (solver/plans.h). */
#ifndef LODE_SOLVER_NETS_H
#define LODE_SOLVER_NETS_H

#include "solver/bonds.h"
#include "solver/solvers.h"

/* A joint of a net: where its rows are, and whom it holds. */
typedef struct lode__net_joint {
    uint32_t chunk, lane; /* of the step's chunks; of the chunk's */
    int32_t line[2];      /* negative and 0 as in blocks */
} lode__net_joint;

enum { LODE__NET_BOUNDED = 32 }; /* most rows with bounds of a net; more are swept */

/* A motor or a stop. */
typedef struct lode__net_row {
    uint32_t joint, row; /* of the net; of its block */
    uint32_t body[2];    /* of the net, with those behind */
    double lin[3], ang[2][3];
    double c, gamma, lo, hi;
    double impulse;      /* of the sub-step so far */
    double lack, change; /* of velocity; of the impulse, since it was measured */
    bool acts;           /* it has a column */
    bool held;           /* the net lets it move nothing */
    bool idle;           /* it is left alone in this pass */
} lode__net_row;

typedef struct lode__net {
    const lode__bond_plan *plan;
    lode__bonds bonds;
    lode__net_joint *joints;
    uint32_t *lines;     /* of the bodies 1, 2, ... */
    lode__quad *impulse; /* by node, of the sub-step so far */
    uint32_t others;     /* bodies that cannot be pushed and move */
    lode__net_row *bounded;
    uint32_t bounded_count, acting_count;
    uint32_t *acting;    /* those that have columns, in order */
    double *response;    /* of those to each other, a square of bounded_count */
    double (*kept)[6];   /* by body, and */
    lode__quad *targets; /* by node, while columns are made */
    bool tense;          /* a heavy load hangs on it: sweeps and it take turns more often */
    bool looped;         /* some of its rows may follow from others */
    bool missed;         /* in this step it was not solved to the end */
    void *scratch;       /* as large as the largest block that has one of its joints */
} lode__net;

/* nets_bounds.c: solves the rows with bounds from where the net leads, `now`, to where `v` is then:
 * the net must be solved again. False where they have nothing to do. */
bool lode__net_bound(lode__net *net, const lode__solver_kernels *kernels);

/* The same file: reads a row as it is refreshed. */
void lode__net_row_read(lode__net_row *out, const lode__row *row, int lane);

/* nets_make.c: does a world have nets at all? */
bool lode__nets_are_wanted(const lode_world_def *settings);

/* May a joint be in one, with rows of this bucket? One that is a spring stays one, and one that
 * holds nothing has nothing to solve. */
bool lode__net_may_have(const lode__step *step, const lode__joint *joint, int bucket);

/* Is a net worth it whose bodies have inverse masses from `least` to `most`? */
bool lode__net_is_worth_it(const lode_world_def *settings, lode_real least, lode_real most);

/* Finds the nets of all groups, as the world's settings ask for them, and takes what they need;
 * false when there is no memory. Comes before row prepare, for it may change what lines say of
 * inertia, and after lode__plans_begin(). */
bool lode__nets_take(lode__solver *solver, const lode__step *step);

/* nets_tense.c: gives the lines of bodies in nets, of joints that are listed by slot, the inertia
 * that their tension asks for in sub-steps of h seconds; true where that is more than they have.
 * `room` has a record for each line, zeros, and has zeros again. */
typedef struct lode__stiffness {
    double xx, yy, zz, xy, xz, yz; /* kg m^2 */
} lode__stiffness;

bool lode__nets_tense(const lode__solver *solver, const uint32_t *joints, uint32_t count,
                      lode_real h, lode_real impulse_scale, lode__stiffness *room);

/* Before a sub-step's rows are solved, once they are refreshed: factors the first sub-step's nets,
 * and takes their rows out of the sweeps. */
void lode__nets_begin(const lode__solve_work *work, lode__group *group);

/* Takes the rows of nets out of the sweeps again, after they were refreshed for another pass. */
void lode__nets_hold(const lode__solve_work *work, lode__group *group);

/* Solves a group's nets for the velocities that its bodies have: all, or those that are tense. */
void lode__nets_solve(const lode__solve_work *work, lode__group *group, bool all);

/* Tells the blocks what nets exert. */
void lode__nets_keep(const lode__solve_work *work, lode__group *group);

/* After poses have moved, and rows with them: factors the nets where they are now, which serves for
 * the next sub-step too, and brings together what has parted. */
void lode__nets_project(const lode__solve_work *work, lode__group *group);

/* Counts the group's nets that were not solved to the end, once the last sub-step is solved. */
void lode__nets_judge(const lode__solve_work *work, lode__group *group);

#endif

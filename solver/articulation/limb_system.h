/* limb_system.h: rows on articulations and bodies as one mixed LCP (solver/lcp.h).
 *
 * What impulses push as a whole is a *node*: a limb, or a body. It has a state of so many numbers,
 * and each row that pushes it two vectors of as many: what it *feels* of the state, and what a unit
 * of its impulse *gives* to it. So
 *
 *     w_i = sum_nodes feels_i . state + gamma_i x_i - c_i,   A_ij = sum_nodes feels_i . gives_j,
 *
 * whatever the node is. Of a body the state is its velocity. Of a limb it is the speeds of its dofs
 * as a factored tree has them (lode__mb_from_speeds()): there feels is the half of the row's
 * response, gives the same by D^-1, and nothing is to be multiplied by a matrix.
 *
 * Rows of a constraint, or of the joints of a limb, are a *block*, nodes that it pushes its *ties*.
 * Blocks with a node in common couple, and are what the LCP's sparse plan knows as nodes; small
 * problems, and those that are not symmetric (tendons push otherwise than they feel), are a full
 * square. */
#ifndef LODE_SOLVER_ARTICULATION_LIMB_SYSTEM_H
#define LODE_SOLVER_ARTICULATION_LIMB_SYSTEM_H

#include "solver/articulation/limbs.h"
#include "solver/cones.h"

typedef struct lode__limb_node {
    lode__limb *limb; /* or null, of a body */
    uint32_t line;    /* of that */
    uint32_t width;   /* of vectors: whole eights, zeros at the end */
    double *state, *change;
} lode__limb_node;

/* By row of its block, `width` numbers each. */
typedef struct lode__limb_tie {
    uint32_t node;
    double *feels, *gives;
} lode__limb_tie;

typedef struct lode__limb_block {
    uint32_t rows, row; /* count; the first in the problem */
    uint32_t tie, tie_end;
} lode__limb_block;

/* What rows ask for, by row of the problem. */
typedef struct lode__limb_asked {
    double c, gamma, lo, hi, ratio;
    uint32_t master; /* or LODE__LCP_NONE */
    bool cone;
} lode__limb_asked;

typedef struct lode__limb_system {
    lode__limb_node *nodes;
    lode__limb_block *blocks;
    lode__limb_tie *ties;
    lode__limb_asked *asked;
    double *x;                   /* in: a guess; out: the solution */
    double *best;                /* the best x so far, while it is solved */
    lode__mb_wide_motion *moves; /* by link of any limb */
    uint32_t node_count, block_count, tie_count, row_count;
    bool cones_taken, skew;
    const lode__lcp_plan *plan;
    lode__lcp_plan sparse;
    lode__lcp_single single; /* points to itself */
    lode__lcp lcp;
    lode__cones cones;
} lode__limb_system;

/* Plans a system whose nodes, blocks and ties are known, and takes what it needs to be solved;
 * false when there is no memory. Blocks get their rows, ties their vectors. */
bool lode__limb_system_take(lode__limb_system *system, const lode__solver_kernels *kernels,
                            bool cones, lode__arena *arena);

/* The states of all nodes, from lines and limbs; and back, changed. */
void lode__limb_system_read(const lode__limb_system *system, const lode__dense *lines);
void lode__limb_system_write(const lode__limb_system *system, const lode__dense *lines);

/* What x, so many times, gives to the nodes: their change. */
void lode__limb_system_push(const lode__limb_system *system, double times);

/* False where it was not solved to the end. */
bool lode__limb_system_solve(lode__limb_system *system);

/* limb_system_sweep.c: by how much x misses what rows ask for at most, by the square root of what
 * they weigh, as the LCP measures it; and so many sweeps, from x. */
double lode__limb_system_error(const lode__limb_system *system);
void lode__limb_system_sweep(const lode__limb_system *system, int sweeps);

/* feels . state, and A_ii without gamma, of a block's row `i`. */
double lode__limb_row_speed(const lode__limb_system *system, const lode__limb_block *block,
                            uint32_t i);
double lode__limb_row_answer(const lode__limb_system *system, const lode__limb_block *block,
                             uint32_t i);

static inline double *lode__limb_feels(const lode__limb_system *system, const lode__limb_tie *tie,
                                       uint32_t row)
{
    return tie->feels + (size_t)row * system->nodes[tie->node].width;
}

static inline double *lode__limb_gives(const lode__limb_system *system, const lode__limb_tie *tie,
                                       uint32_t row)
{
    return tie->gives + (size_t)row * system->nodes[tie->node].width;
}

#endif

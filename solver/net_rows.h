/* net_rows.h: the equations of a net (solver/nets.h) as kernels see them: of one, whose numbers are
 * doubles, or of four of the same plan, of which each number is a quad. Both are of one text
 * (nets.inl) and go through the same operations in the same order, so that a net comes out the same
 * to the bit whoever is solved beside it.
 *
 * A node has up to three rows. Most are those that hold two anchors together: along the world's
 * axes, and known but for the arms. */
#ifndef LODE_SOLVER_NET_ROWS_H
#define LODE_SOLVER_NET_ROWS_H

#include "solver/blocks.h"
#include "solver/bonds.h"

enum { LODE__NET_ROWS = 3 }; /* most of a node */

/* A node of the plan: what is the same in all nets that are solved together. */
typedef struct lode__net_node {
    uint32_t joint;     /* of the net */
    uint32_t first;     /* of the joint's rows */
    uint32_t rows;      /* so many */
    uint32_t anchors;   /* 1: the rows hold anchors together */
    uint32_t body[2];   /* 0: the world; those behind the plan's cannot be pushed and move */
    uint32_t pushed[2]; /* the same, 0 for what cannot be pushed */
} lode__net_node;

/* Of a node: vectors are by component, then by row. Rows that it has not are zeros. */
#define LODE__NET_ROWS_OF(number) \
    { \
        number arm[2][3];    /* of anchors: of the second body, its arm turned around */ \
        number lin[3][3];    /* of others: Jacobian of the first body's linear velocity; of the */ \
        number ang[2][3][3]; /* second's less */ \
        number c[3];         /* in: the velocities that are asked for */ \
        number lower[3];     /* the factor's: 10 20 21 */ \
        number inverse[3];   /* of its pivots; 0 for those that vanish */ \
        number x[3];         /* out: impulses; on the way what is left of the right-hand side */ \
        number impulse[3];   /* of the sub-step so far */ \
        number kept[3];      /* c, while it is something else */ \
        number diagonal[3], tile[3][3]; \
        number resp[2][3][3]; /* I^-1 ang */ \
    }

#define LODE__NET_BODY_OF(number) \
    { \
        number v[6];   /* in: linear, angular */ \
        number now[6]; /* out: with what the impulses do; of what cannot be pushed in, too */ \
        number push[6]; \
        number inv_mass, inv_inertia[6]; /* xx yy zz xy xz yz */ \
    }

typedef struct lode__net_rows LODE__NET_ROWS_OF(double) lode__net_rows;
typedef struct lode__net_body LODE__NET_BODY_OF(double) lode__net_body;
typedef struct lode__net_four_rows LODE__NET_ROWS_OF(lode__quad) lode__net_four_rows;
typedef struct lode__net_four_body LODE__NET_BODY_OF(lode__quad) lode__net_four_body;

enum { LODE__NET_TILE = LODE__NET_ROWS * LODE__NET_ROWS }; /* numbers */

/* Of one net or of four: each number of the records above lies `width` doubles wide. */
typedef struct lode__net_system {
    const lode__bond_plan *plan;
    const lode__net_node *nodes; /* by node of the plan */
    uint32_t width;              /* 1, or LODE__QUAD_LANES */
    uint32_t bodies_all;         /* with the world, and those that cannot be pushed and move */
    double *rows, *tiles, *bodies;
    double *size; /* out: a number by which to tell whether all of `now` has an end */
} lode__net_system;

typedef struct lode__net_kernels {
    /* Builds the equations, each row softened by a share of what it weighs, and factors them. */
    void (*factor)(const lode__net_system *net, double soft);
    /* Writes what the rows' velocities are at `v` to x. */
    void (*rates)(const lode__net_system *net);
    /* Solves for x so that rows go as c says, adds that to the impulses if told to, and brings
       bodies from `v` to where they are `now`. */
    void (*solve)(const lode__net_system *net, bool add);
    /* Adds an amount of a column to where bodies are `now` and to the impulses: numbers of the
       bodies 1, 2, ..., then of the nodes, the vectors. */
    void (*add)(const lode__net_system *net, const double *column, const double *amount);
    /* Reads `v` of the bodies from lines, and writes `now` there; lists of lines by member, all of
       which there are. */
    void (*read)(const lode__net_system *net, const lode__velocity *from,
                 const uint32_t *const *lines);
    void (*write)(const lode__net_system *net, lode__velocity *to, const uint32_t *const *lines);
} lode__net_kernels;

#endif

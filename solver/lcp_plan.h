/* lcp_plan.h: how a problem is laid out and factored, which follows from its pattern alone.
 *
 * Nodes are numbered by the place at which they are eliminated, rows node by node. The matrix is
 * symmetric; of each node's rows a panel is stored, row by row: the columns of the node itself,
 * then of each node behind it that couples with it, and zeros up to a multiple of four.
 *
 * A front is a run of nodes that are eliminated together, and the nodes above it that they couple
 * with by then, all of which belong to fronts behind it. Children come before their parent. */
#ifndef LODE_SOLVER_LCP_PLAN_H
#define LODE_SOLVER_LCP_PLAN_H

#include "solver/lcp_order.h"

typedef struct lode__lcp_front {
    uint32_t begin, end;        /* its own nodes */
    uint32_t above, above_end;  /* in the plan's `above`: nodes, ascending */
    uint32_t parent;            /* LODE__LCP_NONE for a root */
    uint32_t child, sibling;    /* its last child, the child before it; LODE__LCP_NONE */
    uint32_t own_rows, rows;    /* its own, and with those above */
    size_t list, matrix, lower; /* where its rows, its matrix and its lower factor lie */
} lode__lcp_front;

/* How much memory a problem takes. */
typedef struct lode__lcp_size {
    uint32_t nodes, rows, fronts;
    size_t panels, list, matrix, lower;
    size_t tableau; /* of its paths; 0: none */
} lode__lcp_size;

typedef struct lode__lcp_plan {
    lode__lcp_size size;
    uint32_t *node;   /* as the pattern has it, by place */
    uint32_t *row;    /* by place, and one more: the first of its rows */
    uint32_t *couple; /* by place, and one more: where its couplings begin */
    uint32_t *with;   /* couplings: the node itself, then nodes behind it */
    size_t *panel;    /* by place, and one more */
    lode__lcp_front *fronts;
    uint32_t *above;
} lode__lcp_plan;

typedef struct lode__lcp_planner {
    lode__lcp_order order;
    uint32_t *place, *parent, *root, *child, *sibling, *mark, *front;
    uint32_t *nodes_above, *rows_above;  /* by place, of one node */
    uint32_t *begin, *last, *at, *nodes; /* by element: its nodes, ascending by place */
} lode__lcp_planner;

/* Takes memory to plan patterns up to this large. */
bool lode__lcp_planner_take(lode__lcp_planner *planner, lode__arena *arena, uint32_t nodes,
                            uint32_t elements, uint32_t incidences, uint32_t rows);

/* False when there is no memory. */
bool lode__lcp_plan_make(lode__lcp_plan *plan, lode__lcp_planner *planner,
                         const lode__lcp_pattern *pattern, lode__arena *arena);

/* The plan of a problem of one node, whose matrix is a full square. It points into itself. */
typedef struct lode__lcp_single {
    lode__lcp_plan plan;
    uint32_t node[1], row[2], couple[2], with[1];
    size_t panel[2];
    lode__lcp_front front[1];
} lode__lcp_single;

void lode__lcp_single_make(lode__lcp_single *single, uint32_t rows);

/* Makes `size` large enough for another problem too. */
void lode__lcp_size_cover(lode__lcp_size *size, const lode__lcp_size *other);

static inline uint32_t lode__lcp_rows_of(const lode__lcp_plan *plan, uint32_t place)
{
    return plan->row[place + 1] - plan->row[place];
}

/* Rows of panels are whole quads. */
static inline uint32_t lode__lcp_padded(uint32_t width)
{
    return (width + 3) & ~3u;
}

/* Rows of fronts' matrices begin at whole lines of eight numbers. */
static inline uint32_t lode__lcp_stride(uint32_t count)
{
    return (count + 7) & ~7u;
}

/* Rows of a tableau, and how many numbers it is: rows and one more in each. Larger problems have
 * none. */
enum { LODE__LCP_TABLEAU_ROWS = 320 };

static inline uint32_t lode__lcp_tableau_stride(uint32_t rows)
{
    return lode__lcp_stride(rows + 1);
}

static inline size_t lode__lcp_tableau_size(uint32_t rows)
{
    return rows > LODE__LCP_TABLEAU_ROWS ? 0 : (size_t)rows * lode__lcp_tableau_stride(rows);
}

/* How far apart the rows of a node's panel lie. */
static inline uint32_t lode__lcp_width(const lode__lcp_plan *plan, uint32_t place)
{
    return (uint32_t)(plan->panel[place + 1] - plan->panel[place]) / lode__lcp_rows_of(plan, place);
}

#endif

/* lcp_order.h: which nodes of a problem couple, and the order in which they are eliminated. */
#ifndef LODE_SOLVER_LCP_ORDER_H
#define LODE_SOLVER_LCP_ORDER_H

#include "core/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define LODE__LCP_NONE UINT32_MAX

/* Nodes are rows that belong together (those of a constraint), elements what they push (bodies):
 * nodes with a common element couple. */
typedef struct lode__lcp_pattern {
    uint32_t node_count, element_count;
    const uint32_t *rows;    /* of each node, at least one */
    const uint32_t *start;   /* node_count + 1: where its elements begin */
    const uint32_t *element; /* below element_count; none twice in a node */
} lode__lcp_pattern;

/* What ordering works with. */
typedef struct lode__lcp_order {
    /* variables: nodes that need not be told apart, by one of them */
    uint32_t *list, *length;           /* their elements, from the pattern's start on */
    uint32_t *weight;                  /* rows; 0 for those that are gone */
    uint32_t *degree, *before, *after; /* neighbours in the bucket of their degree */
    uint32_t *member, *last;           /* the nodes: the one behind a node, a variable's last */
    uint32_t *mark, *hash, *alike;     /* the next variable with the same remainder of its hash */

    /* elements: the original ones, and cliques that eliminations leave */
    uint32_t *cell, *size; /* its first cell, its rows */
    uint32_t *outside;     /* rows that another one has not */
    uint32_t *seen;
    bool *alive;

    uint32_t *variable, *next; /* of cells: a variable of an element; the element's next cell */
    uint32_t *bucket, *bucket_last; /* by degree: first and last variable */
    uint32_t *chain;                /* by remainder of the hash */
    uint32_t *out;
    uint32_t out_count, stamp, lowest, left; /* rows that are left */
    bool in_turn; /* among equal degrees the one that was reached first goes first, not last */
} lode__lcp_order;

/* Takes memory for patterns up to this large. */
bool lode__lcp_order_take(lode__lcp_order *order, lode__arena *arena, uint32_t nodes,
                          uint32_t elements, uint32_t incidences, uint32_t rows);

/* Writes all nodes to order->out; depends on the pattern alone. */
void lode__lcp_order_run(lode__lcp_order *order, const lode__lcp_pattern *pattern);

#endif

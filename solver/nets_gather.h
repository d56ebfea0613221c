/* nets_gather.h: which joints make a net, while that is found: see nets_gather.c. */
#ifndef LODE_SOLVER_NETS_GATHER_H
#define LODE_SOLVER_NETS_GATHER_H

#include "solver/nets.h"

enum { LODE__GATHER_NONE = 0xffffffff };

/* A joint that may be in a net. */
typedef struct lode__candidate {
    lode__net_joint joint;
    uint32_t slot, rows, extras; /* of its rows, those without bounds, and those with */
    uint32_t root;               /* the lowest line of its net */
    uint32_t next;               /* of the same net */
    uint32_t beside[2];          /* by end: the next joint of that body's, while a net is thinned */
    bool anchors, always, left;  /* it holds anchors; it is never swept; it is left to the sweeps */
} lode__candidate;

/* What is known by line: of a net's lowest one its joints, and how unequal its masses are. */
typedef struct lode__gathering {
    lode__candidate *joints;
    uint32_t count;
    uint32_t *parent;
    uint32_t *first, *last;  /* by root: joints */
    lode_real *least, *most; /* by root: inverse masses */
    bool *always;            /* by root: some joint is never swept */
    uint32_t *number;        /* by line: of the body in its net; 0: it has none yet */
    uint32_t *held;          /* by line: a joint of the body's, while a net is thinned */
    uint32_t *queue;         /* lines */
    uint32_t *swept;         /* by first line of an island: constraints that nets do not solve, */
    uint32_t *correcting;    /* of which velocities are told errors */
    uint32_t (*place)[2];    /* by slot of a joint: its chunk and lane */
    uint32_t *slots;         /* of a net's joints */
    lode__stiffness *room;   /* by line */
} lode__gathering;

/* Takes what any group needs; false when there is no memory. */
bool lode__gathering_take(lode__gathering *g, const lode__solver *solver, lode__arena *arena);

/* Finds what hangs together in a group. */
void lode__gather(lode__gathering *g, const lode__solver *solver, const lode__step *step,
                  const lode__group *group);

/* Do masses of the net with this root lie far apart? */
bool lode__gathered_is_unequal(const lode__gathering *g, uint32_t root);

/* Is it worth it? */
bool lode__gathered_is_worth_it(const lode__gathering *g, uint32_t root);

/* Leaves of the net with this root what hangs together without loops. That has this root, and lines
 * above it where it is more than one net then. */
void lode__gathering_thin(lode__gathering *g, uint32_t root, const lode__dense *lines);

/* The line that joints hold together by, 0 where it cannot be pushed. */
static inline uint32_t lode__gathered_line(const lode__candidate *c, int end)
{
    return c->joint.line[end] > 0 ? (uint32_t)c->joint.line[end] : 0;
}

#endif

/* islands.h: what islands.c, groups.c and islands_lines.c know while islands are found. */
#ifndef LODE_SOLVER_ISLANDS_H
#define LODE_SOLVER_ISLANDS_H

#include "solver/state.h"

typedef struct island {
    uint32_t rows, count[LODE__LISTS]; /* of its constraints */
    uint32_t weight;                   /* what they take of the cache, in rows of contacts */
    uint32_t group;
    uint32_t whole; /* its group with one thread */
    bool large;
    bool shared; /* its whole has a large island */
    bool limbs;  /* it has articulations */
    bool loose;  /* it is one, and nothing else (solver/articulation/loose.h) */
    lode_solver solver;
    uint8_t netted;        /* LODE__NETTED...: it may have nets (solver/nets.h), */
    lode_real least, most; /* given the inverse masses of bodies in joints that may be in one, */
    bool always;           /* or that one of these is never to stretch */
} island;

typedef struct island_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__solve_state *state;
    uint32_t body_count;
    uint32_t *body;   /* slots of movable bodies, ascending */
    uint32_t *parent; /* union-find over places in `body`; then the island's number */
    uint32_t *line;   /* by place */
    uint32_t *place;  /* by line */
    island *islands;
    uint32_t *size; /* bodies of each island; later its next line, at last the one after it */
    uint32_t island_count;
    uint32_t flags_seen; /* all that any movable body has */
    uint32_t *listed;    /* slots, island by island */
    uint32_t *scratch;   /* by line */
    uint8_t *bins;       /* by line */
    bool *spins;         /* by line: its inertia turns with it */
    uint32_t *used;      /* colours of each place, and one before */
    bool laid;           /* bodies are in lines: memory was not wanting */
} island_work;

/* forgetting.c: finds the largest erp in each island; false when out of memory. */
bool lode__most_erps_find(island_work *work);

/* islands_lines.c: takes memory for lines, false when there is none; what movable bodies are there,
 * once it is known which line is whose, and kinematic ones and shadows. */
bool lode__islands_take_lines(island_work *work);
void lode__islands_gather_lines(island_work *work);

/* groups.c: cuts the islands into groups; sizes become first lines. False when out of memory. */
bool lode__groups_cut(island_work *work);

#endif

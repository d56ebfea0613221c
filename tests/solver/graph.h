/* graph.h: bodies, contacts and joints without a world or a collision stage: what the solver's
 * stages need to run. */
#ifndef LODE_TESTS_SOLVER_GRAPH_H
#define LODE_TESTS_SOLVER_GRAPH_H

#include "solver/state.h"
#include "tests/support/random.h"

typedef struct graph {
    lode__solver solver;
    lode__pool bodies, joints;
    lode__bits posed;
    lode__manifold *manifolds;
    lode__manifold **contacts;
    lode__arena arena;
    lode__tasks *tasks;
    lode_world_def settings;
    lode_world_stats stats;
    lode__profile profile;
    lode__stage stages[LODE__SUB_COUNT];
    lode__stage_time times[LODE__SUB_COUNT];
    lode__warning_count warnings[LODE_WARNING_COUNT];
    lode__step step;
} graph;

/* With room for so many contacts. */
void graph_init(graph *g, uint32_t contacts, int threads);
void graph_free(graph *g);

/* Static, dynamic or frozen bodies with random state; random contacts and ball joints between them,
 * or to the world where body_b is LODE__NONE. */
uint32_t graph_add_body(graph *g, uint32_t flags, test_random *random);
void graph_add_contact(graph *g, uint32_t body_a, uint32_t body_b, int points, test_random *random);
uint32_t graph_add_joint(graph *g, uint32_t body_a, uint32_t body_b, test_random *random);

/* More bodies, at least two, about one in four static or frozen, with so many contacts and joints
 * between random ones of them. */
void graph_add_random(graph *g, uint32_t bodies, uint32_t contacts, uint32_t joints,
                      test_random *random);

bool graph_movable(const graph *g, uint32_t body);

/* Islands and colouring; all stages up to row prepare; a whole step. False: out of memory. */
bool graph_arrange(graph *g);
bool graph_prepare(graph *g);
bool graph_step(graph *g);

/* Of all that a step leaves behind. */
uint64_t graph_hash(const graph *g);

#endif

/* random_tree.h: articulations with random joints of all kinds, for tests. */
#ifndef LODE_TESTS_SOLVER_RANDOM_TREE_H
#define LODE_TESTS_SOLVER_RANDOM_TREE_H

#include "solver/articulation/multibody.h"
#include "tests/support/random.h"

enum { MOST_LINKS = 24, MOST_DOFS = 6 * MOST_LINKS };

typedef struct random_tree {
    _Alignas(8) char plan[4096];
    lode__mb_link links[MOST_LINKS];
    lode__mb_dof dofs[MOST_DOFS];
    lode__multibody tree;
} random_tree;

lode_quat random_tree_turn(test_random *random);
void random_tree_numbers(test_random *random, lode_real *out, int count, double size);

/* A tree of joints with any axes, which `shape` decides alone: of one shape all are alike but for
 * their numbers, which are random: inertias, frames, poses, speeds, efforts, forces and
 * armature. */
void random_tree_make(random_tree *o, uint32_t links, bool fixed_base, uint32_t shape,
                      test_random *random);

#endif

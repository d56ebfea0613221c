/* random_blocks.h: random bodies, and random contacts and joints in blocks over them, as row
 * prepare hands them to the kernels. What a kernel is to compute holds NaN until it has. */
#ifndef LODE_TESTS_SOLVER_RANDOM_BLOCKS_H
#define LODE_TESTS_SOLVER_RANDOM_BLOCKS_H

#include "solver/kernels.h"
#include "tests/support/random.h"

enum { BODIES = 64, BLOCKS = 4, CONTACTS = BLOCKS * LODE_LANES };

/* Dense lines; 0 is the dummy, 1..BODIES have random state. */
typedef struct bodies {
    lode__velocity velocity[BODIES + 1];
    lode__inv_mass inv_mass[BODIES + 1];
    lode__delta delta[BODIES + 1];
    lode__pose pose[BODIES + 1];
    lode__force force[BODIES + 1];
    lode__pace pace[BODIES + 1]; /* every third body is thrown */
} bodies;

void bodies_random(bodies *out, test_random *random);
lode__dense bodies_lines(bodies *b);

lode_real real_between(test_random *random, double lo, double hi);
lode_vec3 vec_between(test_random *random, double lo, double hi);
lode_vec3 unit_random(test_random *random);
lode_quat rotation_random(test_random *random);

/* Room for BLOCKS blocks of any kind. */
typedef struct block_room {
    _Alignas(64) char bytes[BLOCKS * 384 * sizeof(lode__lane)];
} block_room;

lode__contact_block *contact_block_at(block_room *room, int points, int block);
lode__row_block *row_block_at(block_room *room, int rows, int block);

/* A manifold between lines body_a and body_b, with points in a plane across the normal to within
 * the contact slop, and impulses of an earlier step. */
lode__manifold manifold_random(test_random *random, int points);

/* What a block's constraints lie between: two bodies, of which no two lanes share one; one body and
 * the world; few bodies that many lanes share; or these and the world. */
typedef enum block_ends { ENDS_PAIR, ENDS_STATIC, ENDS_SHARED_PAIR, ENDS_SHARED } block_ends;

/* The ends of blocks of a kind. */
block_ends ends_of_kind(int kind);

/* Where the centre of mass of a body lies that contacts push; within a box of 1 m. */
lode_vec3 body_place(uint32_t line);

/* Fills all lanes of BLOCKS blocks; about one lane in five is padding. The manifold of lane l of
 * block k goes to out[k * LODE_LANES + l]; point_count 0 marks padding. */
void contacts_random(block_room *room, lode__manifold *out, int points, block_ends ends,
                     test_random *random);

/* The same as special contacts, with something of all that they may have. */
void specials_random(block_room *room, int points, block_ends ends, test_random *random);

/* Row blocks with Jacobians, limits on some of the last rows, and impulses of an earlier step. */
void rows_random(block_room *room, int rows, block_ends ends, test_random *random);

lode__softness softness_random(test_random *random);

#endif

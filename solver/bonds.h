/* bonds.h: islands that are held together by joints without limits: no row has a bound, so the
 * problem of solver/lcp.h is one of linear equations, which are factored once, solved, and checked
 * against the velocities that come out. Contacts that hold are among them (solver/welds.h).
 *
 * A joint is one node of up to four rows, or two. The matrix J M^-1 J^T + gamma lies in tiles of
 * 4 x 4, of which there is one for each node, its diagonal, and one for each pair of nodes that
 * couple by the time that the first of them is eliminated. Which these are is the plan; it follows
 * from which joint holds which bodies. */
#ifndef LODE_SOLVER_BONDS_H
#define LODE_SOLVER_BONDS_H

#include "core/arena.h"
#include "core/math.h"
#include "simd/quad.h"

#include <stdbool.h>
#include <stdint.h>

enum { LODE__BOND_ROWS = 4 }; /* most of a node */

/* A joint of an island: its rows, and which of the island's bodies it pushes: 0 for none, else from
 * 1 on. */
typedef struct lode__bond_joint {
    uint32_t rows, body[2];
} lode__bond_joint;

typedef struct lode__bond_node {
    uint32_t joint;       /* of the island */
    uint32_t first, rows; /* of the joint's rows */
    uint32_t body[2];
    uint32_t tile_begin, tile_end; /* one for each node above, in order */
    uint32_t update;               /* in the plan's updates: of each pair of these tiles in order */
} lode__bond_node;

/* A body that two nodes push, by one end each: what a tile begins with. */
typedef struct lode__bond_link {
    uint32_t tile, node, above, body;
    uint32_t ends[2]; /* of the node, and of the one above */
} lode__bond_link;

typedef struct lode__bond_plan {
    lode__bond_node *nodes; /* as they are eliminated */
    uint32_t *above;        /* by tile: the node above */
    lode__bond_link *links;
    uint32_t *updates; /* tiles that eliminations change; those of diagonals are not listed */
    uint32_t node_count, tile_count, link_count, joint_count, body_count;
    uint32_t most_rows; /* of a node */
    bool fits;          /* else the island is none of these, or has too many tiles */
    bool small;         /* four of these are solved together */
} lode__bond_plan;

/* A body as it is solved for; number 0 is the world, those behind the island's cannot be pushed and
 * move. */
typedef struct lode__bond_body {
    double v[6];                     /* before: linear, angular */
    double now[6];                   /* with what the impulses do */
    double push[6];                  /* the impulses' force and torque */
    double inv_mass, inv_inertia[6]; /* xx yy zz xy xz yz */
} lode__bond_body;

/* The rows of a node, side by side; those that it has not are zero. */
typedef struct lode__bond_rows {
    lode__quad lin[3]; /* Jacobian of the first body's linear velocity; of the second's less */
    lode__quad ang[2][3], resp[2][3];
    lode__quad c, gamma;
    lode__quad x; /* out: impulses */
    lode__quad y, diagonal, inverse;
    lode__quad per;  /* 1 / diagonal, as it was */
    double lower[6]; /* the factor's: 10 20 30 21 31 32 */
    uint32_t body[2];
    lode__quad tile[LODE__BOND_ROWS]; /* the diagonal's */
} lode__bond_rows;

/* The same of four islands of one plan, a number of each in a quad: what is a quad of rows above is
 * an array by row here. */
typedef struct lode__bond_four_body {
    lode__quad v[6], now[6], push[6];
    lode__quad inv_mass, inv_inertia[6];
} lode__bond_four_body;

typedef struct lode__bond_four_rows {
    lode__quad lin[3][LODE__BOND_ROWS];
    lode__quad ang[2][3][LODE__BOND_ROWS], resp[2][3][LODE__BOND_ROWS];
    lode__quad c[LODE__BOND_ROWS], gamma[LODE__BOND_ROWS];
    lode__quad x[LODE__BOND_ROWS], y[LODE__BOND_ROWS];
    lode__quad diagonal[LODE__BOND_ROWS], inverse[LODE__BOND_ROWS], per[LODE__BOND_ROWS];
    lode__quad lower[6];
    lode__quad tile[LODE__BOND_ROWS][LODE__BOND_ROWS];
    uint32_t body[2];
} lode__bond_four_rows;

typedef struct lode__bond_four {
    lode__bond_four_rows *rows;
    lode__quad (*tiles)[LODE__BOND_ROWS][LODE__BOND_ROWS];
    lode__bond_four_body *bodies;
} lode__bond_four;

typedef struct lode__weld lode__weld; /* solver/welds.h */

typedef struct lode__bonds {
    lode__bond_rows *rows;                /* by node */
    lode__quad (*tiles)[LODE__BOND_ROWS]; /* a row of the node by a column of the one above */
    lode__bond_body *bodies;
    lode__weld *welds; /* by joint of the island, of those that are contacts */
    lode__bond_four four;
} lode__bonds;

/* What a problem takes: nodes, tiles, joints, and bodies with room for those that cannot be pushed;
 * and four problems at a time, if any. */
typedef struct lode__bond_size {
    uint32_t nodes, tiles, joints, bodies;
    struct {
        uint32_t nodes, tiles, bodies;
    } four;
} lode__bond_size;

/* bonds_plan.c: plans an island given its joints and their order of elimination, and depends on
 * nothing else. Takes what stays from `arena`, the rest from `scratch`. False when there is no
 * memory. */
bool lode__bonds_plan(lode__bond_plan *plan, const lode__bond_joint *joints, const uint32_t *order,
                      uint32_t joint_count, uint32_t body_count, lode__arena *arena,
                      lode__arena *scratch);
void lode__bonds_cover(lode__bond_size *size, const lode__bond_plan *plan);
void lode__bonds_cover_four(lode__bond_size *size, const lode__bond_plan *plan);
bool lode__bonds_take(lode__bonds *bonds, const lode__bond_size *size, lode__arena *arena);

/* A kernel: solves the rows as they stand in `bonds` for x, and brings the bodies to where they are
 * `now`. False when rows depend on each other or are not met: then x and `now` mean nothing. */
typedef bool lode__bonds_fn(const lode__bond_plan *plan, const lode__bonds *bonds);

/* Kernels for four islands of one plan. */
typedef struct lode__bond_four_kernels {
    /* Reads lines of one body of each. */
    void (*read_velocity)(const lode_real *const velocity[LODE__QUAD_LANES], lode__quad out[6]);
    void (*read_body)(const lode_real *const velocity[LODE__QUAD_LANES],
                      const lode_real *const inv_mass[LODE__QUAD_LANES], lode__bond_four_body *out);
    /* Reads a node's rows, of which the first begins at a lane of a block; false where one acts on
     * nobody. */
    bool (*read_rows)(const lode_real *const first[LODE__QUAD_LANES], uint32_t rows,
                      lode__bond_four_rows *out);
    /* As lode__bonds_fn, to the bit what is said of each alone: a bit for each that is true. */
    unsigned (*solve)(const lode__bond_plan *plan, const lode__bond_four *four);
} lode__bond_four_kernels;

#endif

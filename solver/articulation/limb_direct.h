/* limb_direct.h: the direct solver's part of the step in groups with articulations: all rows of an
 * island, those of contacts, joints and linkages as well as those of the limbs' own joints, as one
 * mixed LCP (limb_system.h), solved to the end.
 *
 * *Of a limb's joints* (limb_direct_joints.c) there are rows for: drives that have a limit, which
 * are then no part of the mass matrix; frictions; the range of speeds that stops and the limit of
 * speed leave; tendons and mimic joints, and the limits of tendons. Drives without a limit stay in
 * the mass matrix, and viscous friction comes to them. */
#ifndef LODE_SOLVER_ARTICULATION_LIMB_DIRECT_H
#define LODE_SOLVER_ARTICULATION_LIMB_DIRECT_H

#include "solver/articulation/limb_system.h"

/* Most rows of an island that has tendons, which take a full square; with more it is swept, and is
 * told of as not converged. */
enum { LODE__LIMB_SKEW_ROWS = 1024 };

/* What a row of a joint holds; `at` is a dof, of pulls (limbs.h) their number. */
enum {
    LODE__LIMB_DRIVE,
    LODE__LIMB_FRICTION,
    LODE__LIMB_FLOOR,   /* the least speed, or of several turns the least rate of the position */
    LODE__LIMB_CEILING, /* the largest */
    LODE__LIMB_SPEED_FLOOR, /* of several turns the least speed, and the largest */
    LODE__LIMB_SPEED_CEILING,
    LODE__LIMB_PULL,
    LODE__LIMB_PULL_LOW, /* a tendon's limits */
    LODE__LIMB_PULL_HIGH
};

typedef struct lode__limb_joint_row {
    uint32_t at;
    uint8_t kind;
} lode__limb_joint_row;

/* The rows of one limb's joints. */
typedef struct lode__limb_joints {
    lode__limb *limb;
    lode__limb_joint_row *rows;
    uint32_t row_count;
    uint32_t block; /* of the system */
    bool *slides;   /* by row, of friction: it does, by the rounds so far */
} lode__limb_joints;

/* Of a group. Blocks are its parts, then its limbs' joints; nodes its limbs, then bodies. */
typedef struct lode__limb_direct {
    lode__rows rows;
    lode__limb_system system;
    lode__limb_joints *joints; /* by limb */
    uint32_t limb_count;
    uint32_t *node_of_line; /* from the group's first line on */
    uint32_t line_begin;
} lode__limb_direct;

/* Takes the memory of each group's; after that of limbs. */
bool lode__limb_direct_take(lode__solver *solver, const lode__step *step);

/* Solves a group from speeds without any impulses; writes impulses, speeds and velocities. */
void lode__limb_direct_solve(const lode__solve_work *work, lode__group *group);

/* The same after the move, of second order, from speeds that have the impulses. */
void lode__limb_direct_solve_again(const lode__solve_work *work, lode__group *group);

/* ---- limb_direct_joints.c */

/* Lists rows; or, without a place for them, counts them. */
uint32_t lode__limb_joints_list(const lode__solver *solver, const lode__limb *limb,
                                lode__limb_joint_row *out);

/* Spells the rows and what they ask for; `again`: what is soft keeps its impulse. */
void lode__limb_joints_read(const lode__limb_direct *direct, const lode__limb_joints *joints,
                            bool again);

/* Makes limits that follow from the solution what they are by it: of friction that slides, of
 * motors with an envelope. True where they were others. The change of the nodes is that of the
 * solution. */
bool lode__limb_joints_mend(const lode__limb_direct *direct, const lode__limb_joints *joints);

/* Gives impulses to dofs and pulls, and tells what the rows have missed by (the limb's
 * residual). */
void lode__limb_joints_write(const lode__limb_direct *direct, const lode__limb_joints *joints);

#endif

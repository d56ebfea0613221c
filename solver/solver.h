/* solver.h: contacts and joints in, velocities and poses out. The world owns a lode__solver and
 * calls the stages in the order of its pipeline: islands, colouring, row prepare, solve,
 * restitution, finalise. All memory is taken in the first two; the others cannot fail. */
#ifndef LODE_SOLVER_SOLVER_H
#define LODE_SOLVER_SOLVER_H

#include "core/bodies.h"
#include "core/contact.h"
#include "core/joints.h"
#include "core/step.h"

struct lode__solver_kernels; /* solver/kernels.h */
struct lode__solve_state;    /* solver/state.h: this step's dense lines, islands, batches; arena */

typedef struct lode__solver {
    const struct lode__solver_kernels *kernels;

    /* views, set by the world before the stages run */
    lode__pool *bodies;              /* lode__body_kind */
    lode__pool *joints;              /* lode__joint_kind */
    lode__manifold *const *contacts; /* in pair order */
    uint32_t contact_count;

    struct lode__solve_state *state;
} lode__solver;

/* Gathers the dynamic bodies into dense lines in island order. */
bool lode__islands_run(lode__solver *solver, const lode__step *step);

/* Gives every contact and joint a colour and a lane. */
bool lode__colouring_run(lode__solver *solver, const lode__step *step);

/* Builds contact blocks and joint rows. */
bool lode__row_prepare_run(lode__solver *solver, const lode__step *step);

void lode__solve_run(lode__solver *solver, const lode__step *step);
void lode__restitution_run(lode__solver *solver, const lode__step *step);

/* Writes poses, velocities, impulses and forces back to the pools; freezes bodies whose state is
 * not finite and restores the pose they had. */
void lode__finalise_run(lode__solver *solver, const lode__step *step);

/* Sub-stages that solve_run times, to be shown below it in the stage table. */
enum {
    LODE__SUB_INTEGRATE_VELOCITY,
    LODE__SUB_REFRESH,
    LODE__SUB_WARM_START,
    LODE__SUB_ITERATE,
    LODE__SUB_INTEGRATE_POSE,
    LODE__SUB_RELAX,
    LODE__SUB_COUNT
};

#endif

/* solver.h: contacts and joints in, velocities and poses out. The world owns a lode__solver and
 * calls the stages in the order of its pipeline: islands, colouring, row prepare, solve,
 * restitution, finalise, damping. All memory is taken in the first two; the others cannot fail. */
#ifndef LODE_SOLVER_SOLVER_H
#define LODE_SOLVER_SOLVER_H

#include "core/arena.h"
#include "core/bodies.h"
#include "core/contact.h"
#include "core/joints.h"
#include "core/step.h"
#include "lode/coupling.h"
#include "solver/articulation/model.h"

struct lode__solver_kernels; /* solver/kernels.h */
struct lode__standing;       /* solver/standing.h */
struct lode__solve_state;    /* solver/state.h: this step's dense lines, islands, batches; arena */

/* Too fast to be idle; and the same of a link whose idle time is known to be 0. */
enum { LODE__RESTLESS = 2, LODE__RESTLESS_STILL };

/* This step's islands: number i has the bodies slot[begin[i]] .. slot[begin[i + 1] - 1], ascending;
 * valid until the next step begins. */
typedef struct lode__island_list {
    const uint32_t *slot;  /* dense lines of large islands lie in another order */
    const uint32_t *begin; /* count + 1 of them */
    uint32_t count;
    uint8_t *ready; /* one for each slot, zeros: for who decides about sleep, who need not ask of a
                       body that is LODE__RESTLESS, or that still */
} lode__island_list;

/* What lode__solve_run() has done of other stages, in the profile's counts. */
typedef struct lode__elsewhere {
    uint64_t prepare, restitution, keep;
} lode__elsewhere;

/* Writes row `row` of a joint of rows for its bodies, whose handles it fills in. */
typedef void lode__write_row_fn(const void *context, uint32_t joint, lode_row_body *bodies,
                                int body_count, int row, lode_row *out_row);

enum { LODE__PLAN_CHAINS = 256 };

/* The direct solver's plans of islands, kept from step to step (solver/plans.h). */
typedef struct lode__plans {
    lode__arena arena;
    struct lode__island_plan *chains[LODE__PLAN_CHAINS]; /* by remainder of their hash */
    size_t used; /* bytes of those that this step has asked for */
    uint32_t step;
} lode__plans;

typedef struct lode__solver {
    const struct lode__solver_kernels *kernels;

    /* views, set by the world before the stages run */
    lode__pool *bodies;              /* lode__body_kind */
    lode__pool *joints;              /* lode__joint_kind */
    lode__limb_pools limbs;          /* articulations */
    const lode__bits *awake;         /* bodies to look at */
    lode__bits *posed;               /* takes the bodies whose pose has changed */
    const lode__bits *active_joints; /* joints to look at */
    const lode__pool *manifolds;     /* lode__manifold_kind, what is special about contacts */
    lode__write_row_fn *write_row;   /* null: nobody writes rows */
    const void *write_row_context;
    lode__manifold *const *contacts; /* in pair order */
    uint32_t contact_count;

    bool counts_idle; /* whoever decides about sleep looks at all that is not restless still */

    struct lode__solve_state *state; /* during a step */
    bool one_way;                    /* some contact of this step did not push a body */
    lode__elsewhere elsewhere;       /* of the last solve */
    float pace[LODE__MOST_SHARES];   /* of each thread, 0: not known; see solver/shares.c */
    lode__island_list islands;
    lode__plans plans;
    struct lode__standing *standing; /* what the last step knew and is asked for again, or null */
    bool may_stand;                  /* a step that keeps some began with an empty arena */
} lode__solver;

/* Gives back what it keeps from step to step, and tells how much that is. */
void lode__plans_free(lode__plans *plans);
size_t lode__plans_bytes(const lode__plans *plans);

/* Gathers the dynamic bodies into dense lines in island order. */
bool lode__islands_run(lode__solver *solver, const lode__step *step);

/* Gives every contact and joint a colour and a lane. */
bool lode__colouring_run(lode__solver *solver, const lode__step *step);

/* Aborts when what these two made is not what they promise; false when out of memory. */
bool lode__solver_validate(const lode__solver *solver, lode__arena *arena);

/* Builds contact blocks and joint rows. */
bool lode__row_prepare_run(lode__solver *solver, const lode__step *step);

void lode__solve_run(lode__solver *solver, const lode__step *step);
bool lode__restitution_run(lode__solver *solver, const lode__step *step);

/* Writes poses, velocities, impulses and forces back to the pools; freezes bodies whose state is
 * not finite and restores the pose they had. */
void lode__finalise_run(lode__solver *solver, const lode__step *step);

/* Damps the velocities that the step left in the pools. */
bool lode__damping_run(lode__solver *solver, const lode__step *step);

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

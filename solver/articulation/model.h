/* model.h: an articulation that is in the world's simulation: its multibody, and which links its
 * records stand for. Made when it is inserted, kept while it is, and filled from the pools. */
#ifndef LODE_SOLVER_ARTICULATION_MODEL_H
#define LODE_SOLVER_ARTICULATION_MODEL_H

#include "core/articulations.h"
#include "core/bodies.h"
#include "solver/articulation/multibody.h"

/* What a step asks of a link and of a dof that nothing touches, side by side: the pools have it
 * among much else, and lanes take it from eight models at a time. */
typedef struct lode__model_link {
    lode_real mass, inertia[6], anchor_p[3], frame_p[4], anchor_c[3], frame_c[4];
    lode_real linear_damping, angular_damping, pad;
} lode__model_link;

typedef struct lode__model_dof {
    lode_real lo, hi; /* of one without limits: all that there is */
    lode_real max_velocity, armature;
    lode_real axis[3], pad; /* as lode__mb_dof has it */
} lode__model_dof;

typedef struct lode__model {
    lode__multibody body;
    lode__model_link *given; /* by link */
    lode__model_dof *asked;  /* by dof */
    uint32_t *link, *bodies; /* slots, by low-level index */
    bool rubs;               /* a joint has a friction */
    bool stopped;            /* a joint has limits */
    bool driven;             /* a joint has a drive, */
    bool odd;                /* and one that lanes do not know (solver/articulation/flock.h) */
    bool dozes;              /* some link may have been idle for a while; false: none has */
    bool idle;               /* no row of its joints has an impulse; false: that is not known */
    bool handed;             /* a joint may have a force by hand; false: none has */
    bool pushed;             /* some link may have a force of the application; false: none that
                                moves has */
    uint64_t number; /* unlike that of any other that its world has or had; 0: it has none */
    uint64_t like;   /* the number of one whose plan is the same, or 0 */
    uint64_t reads;  /* how often it has been read, */
    uint64_t same, same_reads; /* and the number of one that was given and asked the same at that
                                  one's so manieth reading; or 0 */
    size_t bytes;
    bool fresh;    /* it is where the last step has left it, and so are the pools */
    bool prepared; /* for the dynamics of controllers, and nothing has moved since */
    void *scratch; /* of those; null until they are asked for */
    size_t scratch_bytes;
} lode__model;

/* The pools that articulations live in. */
typedef struct lode__limb_pools {
    lode__pool *articulations, *links, *bodies;
    lode__pool *tendons, *tendon_parts, *mimics;
} lode__limb_pools;

/* Orders the links breadth first and makes the model. Null: out of memory. */
lode__model *lode__model_make(const lode__limb_pools *pools, uint32_t articulation);
void lode__model_free(lode__model *model);

/* The same in two parts: how much memory, and the model in it, which cannot fail. */
size_t lode__model_bytes(uint32_t links, uint32_t dofs);
uint32_t lode__model_dofs(const lode__limb_pools *pools, uint32_t articulation);
lode__model *lode__model_lay(const lode__limb_pools *pools, uint32_t articulation, void *memory);

/* Reads what does not change within a step: masses, frames, armature, limits. */
void lode__model_read(const lode__limb_pools *pools, lode__model *model);

/* Reads where joints stand and how fast they are, the root from its body; and writes it back,
 * positions too, the bodies' poses from `root`, the world position of the root's centre. */
void lode__model_load(const lode__limb_pools *pools, lode__model *model);
void lode__model_store(const lode__limb_pools *pools, lode__model *model, lode_vec3 root);

#endif

/* flock.h: eight loose limbs alike (solver/articulation/loose.h), stepped in lanes: a *flock*.
 *
 * They have the same plan; masses, frames, drives and limits may differ. A flock is read from the
 * pools, steps in memory of its worker, which stays in the cache, and is written back to the pools.
 * Rows of joints are not swept in lanes: a limb of which a joint comes to a stop, or a drive to its
 * limit, or anything else that one by one knows and lanes do not, leaves the flock, and its step is
 * made again by itself. So lanes do by the same operations what one by one does, or nothing. */
#ifndef LODE_SOLVER_ARTICULATION_FLOCK_H
#define LODE_SOLVER_ARTICULATION_FLOCK_H

#include "solver/articulation/limbs.h"

/* Where the pools have a link of each; the body's velocity and force lie behind its pose. */
typedef struct lode__flock_place {
    lode_real *pose[LODE_LANES], *state[LODE_LANES], *extra[LODE_LANES];
} lode__flock_place;

/* clang-format off */
typedef struct lode__flock_link {
    lode__lane force[3], torque[3]; /* of the application */
    lode__lane scale;               /* of gravity, less 1 */
    lode__lane linear_damping, angular_damping;
    lode__lane before_v[3], before_w[3]; /* when the step began */
    lode__lane to[3];               /* where it comes to be, in the world */
    lode__lane at[4];               /* positions along the joint's first axes, free or not */
    /* bits by lane: */
    unsigned posed;    /* the pose is another */
    unsigned restless; /* too fast to be idle */
} lode__flock_link;

typedef struct lode__flock_dof {
    lode__lane speed_begin, hand; /* effort by hand */
    lode__lane lo, hi, max_velocity, armature;
    lode__lane driven;            /* 1, or 0 without a drive */
    lode__lane stiffness, damping, max_force, target, target_velocity;
    lode__lane give, push, limit; /* of the drive, as in lode__limb_dof */
} lode__flock_dof;
/* clang-format on */

/* In numbers. The columns of a chunk of bodies, each of whose lines is as long. */
#define LODE__FLOCK_BEHIND(column) \
    ((int)((offsetof(lode__body_chunk, column) - offsetof(lode__body_chunk, pose)) / \
           sizeof(lode_real)))

/* What the lanes have that no kernel changes: what is given and asked, all of them that of one, as
 * it was at its so manieth reading, or null; forces and scales of gravity, mostly all 0. */
typedef struct lode__flock_held {
    const lode__model *model;
    uint64_t reads;
    uint32_t pushed, scaled; /* links, from the first on, that may have another, */
    uint32_t handed;         /* and dofs: forces by hand */
} lode__flock_held;

typedef struct lode__flock {
    lode__multibody_lanes body;
    lode__mb_kept_lanes kept; /* over a sub-step */
    lode__flock_link *links;
    lode__flock_dof *dofs;
    lode__flock_held *held;
    lode__flock_place *places, *own; /* by link; room for those of one that is not held */
    lode__lane threshold;           /* m^2/s^2: half the square of a speed that is no longer idle */
    lode__model *model[LODE_LANES]; /* lanes that are empty have that of the first */
    const lode_real *given[LODE_LANES], *asked[LODE_LANES]; /* of these */
    uint32_t count;                                         /* of limbs */
    bool driven;                                            /* some joint has a drive, */
    bool scaled;                                            /* some link its own gravity, */
    bool pushed;                                            /* some may have a force, */
    bool handed;                                            /* and some joint one by hand */
} lode__flock;

/* Kernels of an instruction set. Those that return bits, one by lane, say which limbs lanes can go
 * on with.
 *
 * read:    takes what is given and asked from the models.
 * load:    reads all that the pools have.
 * begin:   once placed and with speeds: what the step is measured from.
 * weigh:   forces.
 * drive:   efforts, and what drives add to the mass matrix; not of drives that must know what
 *          inertia they move.
 * quiet:   do all dofs have the speed that their rows leave them (lode__limb_is_quiet())? Of stops
 *          that have been crossed the share `erp` is taken back.
 * arrive:  where links come to be; are they finite?
 * tell:    writes the limbs whose bits are set. */
typedef struct lode__flock_kernels {
    void (*read)(lode__flock *f), (*load)(lode__flock *f), (*begin)(lode__flock *f);
    void (*weigh)(lode__flock *f, lode_vec3 gravity, lode_real h);
    unsigned (*drive)(lode__flock *f, lode_real h);
    unsigned (*quiet)(lode__flock *f, lode_real h, lode_real erp);
    unsigned (*arrive)(lode__flock *f);
    void (*tell)(lode__flock *f, lode_real dt, unsigned bits);
} lode__flock_kernels;

/* Memory for flocks of so many links and dofs; and places for as many links. Another flock that is
 * stepped before or after it, in the same lanes, is a copy that has other places. */
bool lode__flock_take(lode__flock *flock, uint32_t links, uint32_t dofs, lode__arena *arena);
bool lode__flock_places_take(lode__flock_place **out, uint32_t links, lode__arena *arena);

/* May the limb go in a flock? */
bool lode__limb_may_flock(const lode__solver *solver, const lode__limb *limb);

/* Finds the places of a flock of `count` limbs alike, at most eight. They hold while lists stand
 * (solver/standing.h). */
void lode__flock_find(lode__flock_place *out, const lode__solver *solver, lode__limb *const *limbs,
                      uint32_t count);

/* Makes a flock of them. */
void lode__flock_gather(lode__flock *flock, const lode__solver *solver, lode__limb *const *limbs,
                        uint32_t count);

/* Its step, from the pools to the pools, of those whose bits are set. Returns the bits of those
 * that it was made of; of the others nothing has changed. Meanwhile what the step of the `next`
 * flock needs is fetched, if there is one. */
unsigned lode__flock_go(lode__flock *flock, const lode__solve_work *work, lode__limb *const *limbs,
                        unsigned bits, const lode__flock *next);

#endif

/* coupling.h: joints over any number of bodies: couplings of other joints' axes, which make gears,
 * racks, pulleys and differentials, and rows that the application writes. Both are joints: all of
 * joint.h that speaks of rows, of axis 0, and of joints in general holds for them. Frames, anchors,
 * forces and torques they have none. */
#ifndef LODE_COUPLING_H
#define LODE_COUPLING_H

#include "joint.h"
#include "types.h"

LODE_EXTERN_C_BEGIN

enum {
    LODE_COUPLING_TERMS = 64, /* most axes of one coupling */
    LODE_ROWS_BODIES = 4096,  /* most bodies of one joint of rows */
    LODE_ROWS_PER_JOINT = 12  /* most rows of it */
};

/* An axis of a joint that joins two bodies, and by what its position counts. */
typedef struct lode_joint_term {
    lode_joint joint;
    int axis;        /* one that the joint's type leaves free; not of an angular motor */
    lode_real ratio; /* finite; with what unit the sum is to have */
} lode_joint_term;

/* The position of a coupling is the sum of ratio times position over its terms, m and rad as
 * lode_joint_get_position() has them, and its axis 0 has motor and stops as any axis; what it
 * pushes with acts on each term's axis times that term's ratio. Of hinges h1, h2, sliders s and
 * distances d1, d2:
 *     gear           z1 h1 + z2 h2 held         (teeth; -z2 for an inner wheel, chain or belt)
 *     rack           s - r h1 held              (r: the pinion's radius, m)
 *     pulley         d1 + n d2 held, or for a rope with an upper stop alone
 *     differential   h1 + h2 - 2 h3 held        (two axles and the cage, all on one carrier)
 * Held is an axis of which both stops are in one place. Teeth press on the shafts' bearings: here
 * that is what the hinges hold. */
typedef struct lode_coupling_def {
    const lode_joint_term *terms; /* of joints of one world, copied; not needed afterwards */
    int term_count;               /* 1..LODE_COUPLING_TERMS */
    lode_joint_axis axis;         /* default no motor and no stops */
    lode_real erp, cfm;           /* as in lode_joint_def; default -1, the world's */
    bool enabled;                 /* default true */
    void *user_data;
} lode_coupling_def;

/* No terms, and the defaults named above. */
LODE_API lode_coupling_def lode_coupling_def_default(void);

/* Sets both stops to where the sum of the terms stands now. Reports what
 * lode_coupling_create() does about terms. */
LODE_API lode_status lode_coupling_def_hold(lode_coupling_def *def);

/* Makes a coupling; the null handle on failure. At least one body of its terms must be dynamic. A
 * coupling goes with any joint of its terms that is destroyed, detached or gets other bodies, and
 * rests while one of them is disabled. */
LODE_API lode_joint lode_coupling_create(lode_world world, const lode_coupling_def *def);

/* Copies up to `capacity` terms to `out_terms` and returns how many there are; 0 for a joint of
 * another type, or a bad handle. */
LODE_API int lode_coupling_get_terms(lode_joint coupling, lode_joint_term *out_terms, int capacity);

/* --- rows of the application */

/* A body as a row writer sees it, within a step too. The world is at rest at its origin. */
typedef struct lode_row_body {
    lode_body body;     /* null: the world */
    lode_vec3 center;   /* of mass, world, m */
    lode_quat rotation; /* body to world */
} lode_row_body;

/* One row asks of the velocities v and angular velocities w of its bodies
 *     sum (linear[i] . v[i] + angular[i] . w[i]) = target - rate error
 * by an impulse l that adds linear[i] l to the momentum and angular[i] l to the angular momentum
 * about the centre of mass, all in world axes. That is the acceleration form of "Open Dynamics
 * Math" times the step. Its force is the impulse by the step's length. `rate` is what the joint's
 * erp, or the solver's softness, makes of the error, and cfm of the joint softens the row. One with
 * min_force 0, or max_force 0, whose error is on the side where it need not push lets the gap
 * close and no more. */
typedef struct lode_row {
    lode_vec3 *linear, *angular;    /* one for each body; zeros when the writer is called */
    lode_real error;                /* how far the row is from where it should be; default 0 */
    lode_real target;               /* of the velocity; default 0 */
    lode_real min_force, max_force; /* min <= 0 <= max; default -inf, +inf */
} lode_row;

typedef struct lode_row_request {
    lode_joint joint;
    void *user_data; /* the joint's */
    const lode_row_body *bodies;
    int body_count;
    int row; /* which to write, from 0 */
} lode_row_request;

/* Writes one row for the bodies as they stand. Called when rows are prepared, and again in each
 * sub-step, by any thread, also several at a time: what it writes must follow from the request
 * alone. It must not call functions of the world. A row with something that is not finite, or with
 * wrong bounds, counts as zero. */
typedef void lode_row_fn(void *context, const lode_row_request *request, lode_row *out_row);

typedef struct lode_row_writer {
    lode_row_fn *write;
    void *context;
} lode_row_writer;

/* Tells the world who writes the rows of its joints of type LODE_JOINT_ROWS; null or a null `write`
 * for nobody: then they do nothing. It wakes all, and what rows have exerted is forgotten.
 * Snapshots do not hold it, as they hold no filter. */
LODE_API lode_status lode_world_set_row_writer(lode_world world, const lode_row_writer *writer);

typedef struct lode_rows_def {
    const lode_body *bodies; /* different ones of one world; copied */
    int body_count;          /* 1..LODE_ROWS_BODIES; one at least is dynamic */
    int row_count;           /* 1..LODE_ROWS_PER_JOINT */
    lode_real erp, cfm;      /* as in lode_joint_def; default -1, the world's */
    bool enabled;            /* default true */
    void *user_data;         /* told to the writer */
} lode_rows_def;

/* No bodies, one row, and the defaults named above. */
LODE_API lode_rows_def lode_rows_def_default(void);

/* Makes a joint of rows; the null handle on failure. */
LODE_API lode_joint lode_rows_create(lode_world world, const lode_rows_def *def);

/* What a row pushed with in the last step, in the mean, in the unit of its force; 0 for a row that
 * is not there. Rows of other joints are numbered as they are solved: first those that hold. */
LODE_API lode_real lode_joint_get_row_force(lode_joint joint, int row);

/* Copies up to `capacity` of a joint's bodies to `out_bodies` and returns how many there are; of
 * a joint of two its body_a and, unless that is the world, body_b. 0 for a bad handle. */
LODE_API int lode_joint_get_bodies(lode_joint joint, lode_body *out_bodies, int capacity);

LODE_EXTERN_C_END

#endif

/* articulations.h: the components of articulations and their links. A link is a body too; what it
 * has as such lies with the bodies.
 *
 * What an articulation needs in a step, its multibody (solver/articulation/multibody.h), is made of
 * these when it is inserted into the world's simulation, and kept while it is: `model`. */
#ifndef LODE_CORE_ARTICULATIONS_H
#define LODE_CORE_ARTICULATIONS_H

#include "core/pool.h"
#include "lode/articulation.h"

enum {
    LODE__ARTICULATION_INSERTED = 1,
    LODE__ARTICULATION_FIXED = 2,        /* its root does not move */
    LODE__ARTICULATION_IMPULSES = 4,     /* drive limits are impulses */
    LODE__ARTICULATION_SELF_TOUCHES = 8, /* links may touch each other */
    LODE__ARTICULATION_STALE = 16        /* a link has other mass, frames or axes than its model */
};

typedef struct lode__articulation_head {
    uint32_t flags;
    uint32_t first_link; /* the first created; LODE__NONE: none */
    uint32_t link_count;
    uint32_t position_iterations, velocity_iterations;
    uint32_t structure;                 /* rises whenever that changes */
    uint32_t first_tendon, first_mimic; /* the first created (core/tendons.h); LODE__NONE: none */
    uint32_t first_loop;                /* the first added (core/joints.h); LODE__NONE: none */
} lode__articulation_head;

typedef struct lode__articulation_numbers {
    lode_real sleep_threshold, stabilization_threshold, wake_counter, wake_left;
    lode_real max_com_linear_speed, max_com_angular_speed;
    lode_real residual[4]; /* of the last step: as lode_articulation_residual */
} lode__articulation_numbers;

/* Which body it is, and where in its articulation. */
typedef struct lode__link_tie {
    uint32_t body, articulation;
    uint32_t parent; /* link, or LODE__NONE */
    uint32_t next;   /* in the order of creation */
    uint32_t order;  /* rises along that list, so parents have lower ones */
    uint32_t index;  /* low-level, while inserted */
    uint32_t type;   /* lode_link_joint_type */
    uint32_t pad;
} lode__link_tie;

typedef struct lode__link_joint {
    lode_pose parent_frame, child_frame;
    lode_real friction, cfm_scale, linear_damping, angular_damping;
} lode__link_joint;

/* lode_link_axis without position and velocity, and without padding. */
typedef struct lode__link_axis {
    uint32_t motion, drive;
    lode_real lo, hi;
    lode_real stiffness, damping, max_force;
    lode_real max_effort, max_speed, velocity_resistance, speed_effort_gradient;
    lode_real target, target_velocity;
    lode_real armature, static_friction, dynamic_friction, viscous_friction, max_velocity;
} lode__link_axis;

typedef struct lode__link_axes {
    lode__link_axis axis[LODE_LINK_AXES];
} lode__link_axes;

enum { LODE__LINK_ROWS = 4 }; /* of an axis: drive, friction, limit, limit of speed */

/* Where the joint stands; the root's is told by its body. Each step reads and writes the first half
 * and only writes the other. */
typedef struct lode__link_state {
    _Alignas(64) lode_quat turn;
    lode_real position[LODE_LINK_AXES], velocity[LODE_LINK_AXES];
    /* of the last step: */
    lode_vec3 a, alpha;             /* of its centre of mass, and angular, world axes */
    lode_vec3 outside_f, outside_n; /* on the link in the mean: gravity, forces, contacts, loops */
    lode_real turn_acceleration[3], pad; /* 0, as are those of axes that are not free */
} lode__link_state;

/* What joints have of it that slide, or have a force by hand. */
typedef struct lode__link_extra {
    _Alignas(64) lode_vec3 slide;
    lode_real slide_acceleration[3];
    lode_real force[LODE_LINK_AXES];
    lode_real pad[4]; /* 0 */
} lode__link_extra;

_Static_assert(sizeof(lode__link_state) == 32 * sizeof(lode_real) &&
                   sizeof(lode__link_extra) == 16 * sizeof(lode_real),
               "whole lines of the cache, and no padding: it is saved and hashed as it lies there");

/* That of an axis. */
static inline lode_real *lode__link_acceleration(lode__link_state *state, lode__link_extra *extra,
                                                 int axis)
{
    return axis < LODE_AXIS_X ? &state->turn_acceleration[axis]
                              : &extra->slide_acceleration[axis - LODE_AXIS_X];
}

/* Of the last sub-step; mostly nobody asks for them. */
typedef struct lode__link_impulses {
    lode_real axis[LODE_LINK_AXES][LODE__LINK_ROWS]; /* by row */
} lode__link_impulses;

struct lode__model; /* solver/articulation/model.h */

/* clang-format off */
#define LODE__ARTICULATION_COMPONENTS(X) \
    /* name      type                        keeping           heat */ \
    X(head,      lode__articulation_head,    LODE__SAVED,     LODE__COLD) \
    X(numbers,   lode__articulation_numbers, LODE__SAVED,     LODE__COLD) \
    X(aggregate, uint32_t,                   LODE__CARRIED,   LODE__COLD) /* slot plus 1; or 0 */ \
    X(user_data, void *,                     LODE__CARRIED,   LODE__COLD) \
    X(model,     struct lode__model *,       LODE__TRANSIENT, LODE__COLD) /* owned */ \
    X(name,      char *,                     LODE__TRANSIENT, LODE__COLD) /* owned; null for none */

#define LODE__LINK_COMPONENTS(X) \
    X(tie,      lode__link_tie,      LODE__SAVED, LODE__HOT) \
    X(state,    lode__link_state,    LODE__SAVED, LODE__HOT) \
    X(extra,    lode__link_extra,    LODE__SAVED, LODE__COLD) \
    X(impulses, lode__link_impulses, LODE__SAVED, LODE__COLD) \
    X(joint,    lode__link_joint,    LODE__SAVED, LODE__COLD) \
    X(axes,     lode__link_axes,     LODE__SAVED, LODE__COLD)
/* clang-format on */

LODE__POOL_DECLARE(articulation, LODE__ARTICULATION_COMPONENTS)
LODE__POOL_DECLARE(link, LODE__LINK_COMPONENTS)

#endif

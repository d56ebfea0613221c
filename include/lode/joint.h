/* joint.h: joints between two bodies, or between a body and the world.
 *
 * A joint goes with either of its bodies: destroying one destroys the joint. A negative `erp` or
 * `cfm` is the world's; the soft step uses neither, its joints are springs of twice the world's
 * contact_frequency. */
#ifndef LODE_JOINT_H
#define LODE_JOINT_H

#include "types.h"

LODE_EXTERN_C_BEGIN

typedef enum lode_joint_type {
    LODE_JOINT_BALL, /* holds one point of each body together */
    LODE_JOINT_TYPE_COUNT
} lode_joint_type;

typedef struct lode_joint_def {
    lode_joint_type type;
    lode_body body_a;       /* never null; at least one of the two bodies must be dynamic */
    lode_body body_b;       /* another body of the same world; null joins body_a to the world */
    lode_pose frame_a;      /* the joint's frame in body_a's frame; its origin is the anchor */
    lode_pose frame_b;      /* in body_b's frame, or in the world when body_b is null */
    lode_real erp;          /* of PGS: error reduction per step, 0..1; default -1, the world's */
    lode_real cfm;          /* of PGS: force mixing, s/kg; default -1, the world's */
    bool collide_connected; /* may the two bodies touch? default false */
    void *user_data;
} lode_joint_def;

/* Bodies null, frames identity. A wrong type is refused by lode_joint_create(). */
LODE_API lode_joint_def lode_joint_def_default(lode_joint_type type);

/* Sets both frames from a world anchor, for the bodies as they stand: set body_a and body_b first.
 * The frames' x axis follows `axis`, in world axes (any non-zero vector; a ball joint does not use
 * it). Reports LODE_ERROR_HANDLE when a body is not valid, LODE_ERROR_ARGUMENT when a value is not
 * finite or the axis has no length. */
LODE_API lode_status lode_joint_def_anchor_world(lode_joint_def *def, lode_vec3 anchor,
                                                 lode_vec3 axis);

/* Returns the null handle on failure. Frames that do not meet are pulled together. */
LODE_API lode_joint lode_joint_create(lode_world world, const lode_joint_def *def);
LODE_API lode_status lode_joint_destroy(lode_joint joint);

LODE_API bool lode_joint_is_valid(lode_joint joint);
LODE_API lode_joint_type lode_joint_get_type(lode_joint joint);
LODE_API lode_body lode_joint_get_body_a(lode_joint joint);
LODE_API lode_body lode_joint_get_body_b(lode_joint joint);
LODE_API void *lode_joint_get_user_data(lode_joint joint);

/* World position of the joint's anchor as body_a and body_b have it; their distance is the
 * joint's separation. */
LODE_API lode_vec3 lode_joint_get_anchor_a(lode_joint joint);
LODE_API lode_vec3 lode_joint_get_anchor_b(lode_joint joint);

/* Force in N, world axes, that the joint exerted on body_a in the last step (with the soft step, in
 * its last sub-step); zero before. */
LODE_API lode_vec3 lode_joint_get_force(lode_joint joint);

LODE_EXTERN_C_END

#endif

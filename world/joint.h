/* joint.h: what the files about joints share. */
#ifndef LODE_WORLD_JOINT_H
#define LODE_WORLD_JOINT_H

#include "solver/joints/axes.h"
#include "world/world.h"

/* Every change of a joint, its beginning and its end included, ends here. */
void lode__joint_changed(lode__world *world, uint32_t joint);

/* Where a free axis of a joint of two bodies stands now, and how fast that changes; and the same of
 * a coupling's sum. */
lode_real lode__axis_position_now(const lode__world *world, uint32_t joint, int axis);
lode_real lode__axis_rate_now(const lode__world *world, uint32_t joint, int axis);
lode_real lode__coupling_position(const lode__world *world, uint32_t coupling);
lode_real lode__coupling_rate(const lode__world *world, uint32_t coupling);

/* A coupling that a joint is a term of; LODE__NONE when there is none. */
uint32_t lode__coupling_of(const lode__world *world, uint32_t joint);

/* What couplings that the joint is a term of have exerted is no start for later: they rest. */
void lode__couplings_forget(lode__world *world, uint32_t joint);

/* Takes a joint over many bodies out of their lists; what rests by it wakes. */
void lode__linkage_leave(lode__world *world, uint32_t joint);

/* Lets the pairs of its two bodies be decided again. */
void lode__joint_refresh_pairs(lode__world *world, uint32_t joint);

/* Opens a joint between two bodies, and refuses others. */
lode_status lode__open_pair_joint(lode__object *out, lode_joint joint, const char *function);

/* Opens a joint that has such a free axis. */
lode_status lode__open_joint_axis(lode__object *out, lode_joint joint, int axis,
                                  const char *function);

/* Where the axis of a joint between two bodies that it has stands now, and against which. */
lode__axis_now lode__joint_axis_now(const lode__world *world, uint32_t joint, int axis);

/* attach.c: how far apart the anchors are as the bodies stand. */
lode_real lode__anchor_distance(lode__object a, lode__object b, lode_vec3 anchor_a,
                                lode_vec3 anchor_b);

/* Into the lists of the bodies that the joint has, if any, with frames in them; for the
 * first time too. There must be room among what is joined. */
void lode__joint_enter(lode__world *world, uint32_t joint, lode_pose frame_a, lode_pose frame_b);

/* Out of them: what rests by the joint wakes, its bodies may touch again, and it is in limbo. */
void lode__joint_leave(lode__world *world, uint32_t joint);

/* Opens the bodies that a joint is to have, and checks that it may; null for the world. `world` may
 * be null: then body_a says which. `argument_a` and `_b` are their names in reports. */
typedef struct lode__joint_bodies {
    lode_body a, b;
    const char *argument_a, *argument_b;
} lode__joint_bodies;
lode_status lode__open_joint_bodies(const lode__joint_bodies *bodies, const lode__world *world,
                                    const char *function, lode__object *out_a, lode__object *out_b);
lode_status lode__check_joint_bodies(const lode__joint_bodies *bodies, lode__object a,
                                     lode__object b, const char *function);

/* What it has exerted is no start for later, and no more to be told. */
void lode__joint_set_enabled(lode__world *world, uint32_t joint, bool enabled);

/* breaks.c: the force or torque above which it breaks; at the start of its life too. */
void lode__joint_limit(lode__world *world, uint32_t joint, lode__joint_limits limits);
lode_status lode__check_joint_stiff(lode_stiff stiff, const char *function, const char *argument);
lode_status lode__check_joint_limit(lode_real limit, const char *function, const char *argument);

lode_status lode__check_joint_erp(lode_real erp, const char *function, const char *argument);
lode_status lode__check_joint_cfm(lode_real cfm, const char *function, const char *argument);

/* Of anchors that are kept apart. */
lode_status lode__check_joint_distance(const lode__world *world, lode_real distance,
                                       const char *function, const char *argument);

/* Motor and stops of one axis, and where it is of a type with given ones, its direction; reports
 * name the whole record. */
lode_status lode__check_joint_axis(int type, const lode_joint_axis *axis, const char *function,
                                   const char *argument);

/* Copies values, but not what chance has left behind the last: records of doubles have padding,
 * which hashes and snapshots see. */
void lode__joint_axis_put(lode_joint_axis *to, const lode_joint_axis *from);

#endif

/* joint.h: what the files about joints share. */
#ifndef LODE_WORLD_JOINT_H
#define LODE_WORLD_JOINT_H

#include "world/world.h"

/* Every change of a joint, its beginning and its end included, ends here. */
void lode__joint_changed(lode__world *world, uint32_t joint);

/* Lets the pairs of its two bodies be decided again. */
void lode__joint_refresh_pairs(lode__world *world, uint32_t joint);

/* What it has exerted is no start for later, and no more to be told. */
void lode__joint_set_enabled(lode__world *world, uint32_t joint, bool enabled);

/* breaks.c: the force or torque above which it breaks; at the start of its life too. */
void lode__joint_limit(lode__world *world, uint32_t joint, lode__joint_limits limits);
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

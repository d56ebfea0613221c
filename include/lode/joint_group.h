/* joint_group.h: sets of joints that are emptied at once: what one frame adds and the next takes
 * away, all of a machine, what holds a load until it is let go.
 *
 * A group belongs to its world and goes with it. A joint may be in any number of groups; destroyed
 * joints leave all by themselves. A group holds nothing and says nothing to steps. Snapshots hold
 * no groups: a world that is set back keeps those it has, with the joints it had then that are in
 * them now. */
#ifndef LODE_JOINT_GROUP_H
#define LODE_JOINT_GROUP_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* An empty one. Null on failure: LODE_ERROR_HANDLE, LODE_ERROR_MEMORY. */
LODE_API lode_joint_group lode_joint_group_create(lode_world world);

/* Ends the group; `joints_too` destroys its joints as well, else these stay in the world. */
LODE_API lode_status lode_joint_group_destroy(lode_joint_group group, bool joints_too);

/* Does the handle name a group that lives; and in which world, null for a bad handle. */
LODE_API bool lode_joint_group_is_valid(lode_joint_group group);
LODE_API lode_world lode_joint_group_get_world(lode_joint_group group);

/* Destroys all joints of the group, which stays, with room for as many. Takes time for its own
 * joints alone, however many others there are in the world and on their bodies. */
LODE_API lode_status lode_joint_group_empty(lode_joint_group group);

/* Adding a joint of the same world that is there already, and removing one that is not, do nothing.
 * LODE_ERROR_HANDLE, LODE_ERROR_MEMORY. */
LODE_API lode_status lode_joint_group_add(lode_joint_group group, lode_joint joint);
LODE_API lode_status lode_joint_group_remove(lode_joint_group group, lode_joint joint);

/* Is the joint in the group? */
LODE_API bool lode_joint_group_has(lode_joint_group group, lode_joint joint);

/* Copies up to `capacity` joints of the group to the array, in the order of their slots, and
 * returns how many there are; 0 on failure. With `capacity` 0 the array may be null. */
LODE_API int lode_joint_group_get_joints(lode_joint_group group, lode_joint *out_joints,
                                         int capacity);

LODE_EXTERN_C_END

#endif

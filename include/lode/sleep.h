/* sleep.h: bodies at rest cost nothing.
 *
 * An island is what hangs together by contacts and joints between dynamic bodies. It falls asleep
 * as a whole at the end of a step, when each of its bodies may and has been idle for long enough,
 * and none touches or is joined to a kinematic body that moves. Velocities are then zero, and no
 * step looks at it until it wakes, as a whole too. It wakes when
 *
 * - one of its bodies is given a pose, mass or type, damping, a speed limit, or what else can be
 *   set on it; another velocity than it has; a force, torque or impulse other than zero;
 * - a shape of one is made, destroyed or changed, or a joint of one is made, destroyed or
 *   changed;
 * - a body that is awake, or a kinematic one that moves, touches one of its bodies;
 * - something it rests on or is joined to, static or kinematic, is destroyed, is given a pose,
 *   another type or another velocity, or is put where it touches; or the very shape that it
 *   rests on is destroyed or changed;
 * - the world's gravity or filter rule is changed to another value, or its filters of pairs or
 *   triangles are set; or lode_body_wake() is called.
 *
 * Switches of shapes (`enabled`, `sensor`, events) and a body's type wake nobody if they stand so
 * already. Nothing else wakes it: no getter or query, no user data or name, no other setting of
 * the world, nothing that passes by or is put beside it without touching, no sensor that looks at
 * it, no contact that the application makes with what does not move, no space, and not what is set
 * on a static or kinematic body beside the above.
 *
 * `tests/world/test_wake_*.c` has a row for each function of the API. "Touching" is having a
 * contact, see lode_world_get_contacts(). */
#ifndef LODE_SLEEP_H
#define LODE_SLEEP_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* The defaults: not enabled, 0.01 m/s, 0.01 rad/s, 10 steps, no time, 1 sample. */
LODE_API lode_sleep lode_sleep_default(void);

/* When a body may sleep. A body takes the world's values when it is created, unless its definition
 * has some, or when `sleep` is null. Setting starts counting anew and wakes the body. Thresholds,
 * time and steps below 0, NaN, and samples outside 1..64 are refused. */
LODE_API lode_sleep lode_body_get_sleep(lode_body body);
LODE_API lode_status lode_body_set_sleep(lode_body body, const lode_sleep *sleep);

/* The values for bodies to come. */
LODE_API lode_status lode_world_set_sleep(lode_world world, const lode_sleep *sleep);

/* Of a kinematic body: does it move? False for static bodies, for frozen ones, and for one that is
 * asked to sleep. */
LODE_API bool lode_body_is_awake(lode_body body);

/* Wakes the body's island and starts counting anew. */
LODE_API lode_status lode_body_wake(lode_body body);

/* Puts the body to sleep where it is, with all that hangs together with it when the next step has
 * found its contacts, whatever its velocity and whether or not it is enabled. What wakes a sleeping
 * body withdraws this, as far as it concerns the body itself. Both calls do nothing to a body that
 * is not dynamic. */
LODE_API lode_status lode_body_sleep(lode_body body);

LODE_EXTERN_C_END

#endif

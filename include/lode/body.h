/* body.h: rigid bodies.
 *
 * A body's origin and its centre of mass may lie apart. Positions and rotations are those of the
 * body's frame; linear velocity is that of the centre of mass, in world axes, like angular
 * velocity. Forces and torques add up, act during the next step and are then cleared. Setting a
 * pose leaves velocities as they are. */
#ifndef LODE_BODY_H
#define LODE_BODY_H

#include "types.h"

LODE_EXTERN_C_BEGIN

typedef enum lode_body_type {
    LODE_STATIC,  /* never moves by itself; infinite mass */
    LODE_DYNAMIC, /* moves by forces and constraints */
} lode_body_type;

typedef struct lode_body_def {
    lode_body_type type; /* default static; fixed once created */
    lode_vec3 position;
    lode_quat rotation;         /* normalised on creation; zero length is refused */
    lode_vec3 linear_velocity;  /* m/s, of the centre of mass, world axes */
    lode_vec3 angular_velocity; /* rad/s, world axes */
    bool gyroscopic;            /* default true: torque-free spin conserves angular momentum */
    void *user_data; /* yours: stored and returned, never followed; so with all user_data */
} lode_body_def;

LODE_API lode_body_def lode_body_def_default(void);

/* Returns the null handle on failure. A dynamic body without shapes of positive density weighs
 * 1 kg with unit inertia until lode_body_set_mass(). */
LODE_API lode_body lode_body_create(lode_world world, const lode_body_def *def);

/* Destroys the body with its shapes and the joints attached to it. */
LODE_API lode_status lode_body_destroy(lode_body body);

LODE_API bool lode_body_is_valid(lode_body body);
LODE_API lode_world lode_body_get_world(lode_body body);
LODE_API lode_body_type lode_body_get_type(lode_body body);
LODE_API void *lode_body_get_user_data(lode_body body);

/* Pose of the body's frame. Getters return zeros (identity rotation) for a bad handle. Setting a
 * pose moves the body at once, static ones too, without asking what is in between. A body whose
 * state a step found not finite is put back where it was, stopped and frozen; it moves again once
 * its pose is set. lode_world_stats counts such bodies. */
LODE_API lode_pose lode_body_get_pose(lode_body body);
LODE_API lode_status lode_body_set_pose(lode_body body, lode_pose pose);

/* World position of the centre of mass. */
LODE_API lode_vec3 lode_body_get_center(lode_body body);

/* Static bodies have no velocity and refuse any but zero. */
LODE_API lode_vec3 lode_body_get_linear_velocity(lode_body body);
LODE_API lode_status lode_body_set_linear_velocity(lode_body body, lode_vec3 velocity);
LODE_API lode_vec3 lode_body_get_angular_velocity(lode_body body);
LODE_API lode_status lode_body_set_angular_velocity(lode_body body, lode_vec3 velocity);

/* Mass properties in the body's frame. Setting them overrides what shapes say from then on;
 * mass and principal moments must be positive, and no moment above the sum of the two others,
 * within rounding. lode_body_set_mass_from_shapes() returns to the sum of the shapes. When the
 * centre moves, by this or by a shape, the linear velocity becomes that of the new centre, so that
 * the body goes on moving as it did. Static bodies report zeros and refuse a mass. */
LODE_API lode_mass lode_body_get_mass(lode_body body);
LODE_API lode_status lode_body_set_mass(lode_body body, const lode_mass *mass);
LODE_API lode_status lode_body_set_mass_from_shapes(lode_body body);

/* World axes; `_at` acts at a world point, otherwise at the centre of mass. Forces in N and
 * torques in N m last for the next step, be it long or short; impulses in N s and N m s change the
 * velocity at once. Static bodies ignore them. A call whose sum would not be finite is refused. */
LODE_API lode_status lode_body_add_force(lode_body body, lode_vec3 force);
LODE_API lode_status lode_body_add_force_at(lode_body body, lode_vec3 force, lode_vec3 point);
LODE_API lode_status lode_body_add_torque(lode_body body, lode_vec3 torque);
LODE_API lode_status lode_body_add_impulse(lode_body body, lode_vec3 impulse);
LODE_API lode_status lode_body_add_impulse_at(lode_body body, lode_vec3 impulse, lode_vec3 point);
LODE_API lode_status lode_body_add_angular_impulse(lode_body body, lode_vec3 impulse);

LODE_EXTERN_C_END

#endif

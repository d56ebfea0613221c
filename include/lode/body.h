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
    LODE_STATIC,    /* never moves by itself; infinite mass */
    LODE_KINEMATIC, /* moves as its velocity says; pushes dynamic bodies, is pushed by nothing */
    LODE_DYNAMIC,   /* moves by forces and constraints */
} lode_body_type;

/* What makes a body whose principal moments differ tumble: the torque w x I w, which is none of its
 * own while it turns about a principal axis. */
typedef enum lode_gyroscopic {
    LODE_GYROSCOPIC_OFF,        /* none: what turns freely keeps its angular velocity */
    LODE_GYROSCOPIC_IMPLICIT,   /* stable at any step; keeps angular momentum nearly and loses energy,
                                   the more the longer the step, until the body turns about the axis
                                   of its largest moment */
    LODE_GYROSCOPIC_EXPLICIT,   /* gains energy: unstable where a body turns far in a step. For those
                                   who compare */
    LODE_GYROSCOPIC_CONSERVING, /* what turns freely keeps its energy and angular momentum to
                                   rounding at any step, and is right to the second order; costs
                                   about ten times the move of a body. It is a finite rotation, about
                                   any axis. What turns by more than 32 rad in a (sub-)step does the
                                   rest without the torque */
    LODE_GYROSCOPIC_COUNT
} lode_gyroscopic;

typedef struct lode_body_def {
    lode_body_type type; /* default static */
    lode_vec3 position;
    lode_quat rotation;          /* normalised on creation; zero length is refused */
    lode_vec3 linear_velocity;   /* m/s, of the centre of mass, world axes */
    lode_vec3 angular_velocity;  /* rad/s, world axes */
    bool continuous;             /* default false; else it passes through nothing, see below */
    lode_gyroscopic gyroscopic;  /* default LODE_GYROSCOPIC_IMPLICIT */
    bool finite_rotation;        /* default false: see lode_body_set_finite_rotation() */
    lode_vec3 finite_rotation_axis; /* body axes; default zero: none */
    lode_real gravity_scale;     /* times the world's gravity, finite; default 1 */
    lode_real max_linear_speed;  /* m/s, at least 0; default infinite: no limit */
    lode_real max_angular_speed; /* rad/s, at least 0; default infinite */
    const lode_damping *damping; /* copied; null, the default: the world's */
    const lode_sleep *sleep;     /* copied; null, the default: the world's */
    const char *name;            /* copied; null, the default, for none */
    void *user_data; /* yours: stored and returned, never followed; so with all user_data */
} lode_body_def;

/* A static body at the origin, and the defaults named above. */
LODE_API lode_body_def lode_body_def_default(void);

/* Returns the null handle on failure. A dynamic body without shapes of positive density weighs
 * 1 kg with unit inertia until lode_body_set_mass(). */
LODE_API lode_body lode_body_create(lode_world world, const lode_body_def *def);

/* Destroys the body with its shapes and the joints attached to it, but for those that outlive their
 * bodies (lode/joint.h), which it leaves in limbo. */
LODE_API lode_status lode_body_destroy(lode_body body);

/* Does the handle name a body that lives; and in which world, null for a bad handle. */
LODE_API bool lode_body_is_valid(lode_body body);
LODE_API lode_world lode_body_get_world(lode_body body);

/* A body that becomes dynamic weighs what its shapes say; one that carries a plane cannot. A body
 * that ceases to be dynamic loses its mass, also one set by hand, and gathered forces; its velocity
 * is then that of its origin, and a static body's zero. Joints stay, and do nothing while neither
 * of their bodies is dynamic. */
LODE_API lode_body_type lode_body_get_type(lode_body body);
LODE_API lode_status lode_body_set_type(lode_body body, lode_body_type type);

/* Setters and getters of the definition's fields of the same names. */
LODE_API lode_gyroscopic lode_body_get_gyroscopic(lode_body body);
LODE_API lode_status lode_body_set_gyroscopic(lode_body body, lode_gyroscopic gyroscopic);
LODE_API void *lode_body_get_user_data(lode_body body);
LODE_API lode_status lode_body_set_user_data(lode_body body, void *user_data);
LODE_API lode_real lode_body_get_gravity_scale(lode_body body);
LODE_API lode_status lode_body_set_gravity_scale(lode_body body, lode_real scale);

/* How far a dynamic body turns in a (sub-)step of h seconds. By default its rotation moves along
 * its derivative, which is cheap and turns it by 2 atan(h w / 2) in place of h w: too little by
 * (h w)^3 / 12. With finite rotation it turns by h w, which matters to what spins fast and is
 * coupled to something. With an axis, in the body's axes, only the part of the angular velocity
 * about that axis is such a turn, and the rest is done as by default: right for wheels, whose axle
 * must stay where the joint has it while they spin. The axis need not have length 1 and is returned
 * with it; zero is none. It has no effect while finite rotation is off, or where the gyroscopic
 * torque is LODE_GYROSCOPIC_CONSERVING. */
LODE_API bool lode_body_get_finite_rotation(lode_body body);
LODE_API lode_status lode_body_set_finite_rotation(lode_body body, bool finite);
LODE_API lode_vec3 lode_body_get_finite_rotation_axis(lode_body body);
LODE_API lode_status lode_body_set_finite_rotation_axis(lode_body body, lode_vec3 axis);

/* Damping acts after a step has moved the body, so that it does not pull at joints; the velocity
 * you read after a step is the damped one. Setting null returns to the world's damping, which the
 * body then follows also when that changes; getting gives what is in force. */
LODE_API lode_damping lode_body_get_damping(lode_body body);
LODE_API lode_status lode_body_set_damping(lode_body body, const lode_damping *damping);

/* Speed limits act before each move (each sub-step's), after contacts, joints and the gyroscopic
 * torque: they keep the velocity's direction and shorten it, so no step takes the centre of mass
 * further than max_linear_speed dt, nor turns the body by more than max_angular_speed dt. They win
 * over joints that force the body to be faster, and break the conservation of momentum. What
 * contacts change after the move, bouncing above all, is seen by the next move; until then a
 * getter may show a higher speed. */
LODE_API lode_real lode_body_get_max_linear_speed(lode_body body);
LODE_API lode_status lode_body_set_max_linear_speed(lode_body body, lode_real speed);
LODE_API lode_real lode_body_get_max_angular_speed(lode_body body);
LODE_API lode_status lode_body_set_max_angular_speed(lode_body body, lode_real speed);

/* A continuous body, while dynamic and awake, passes through nothing that its shapes may touch and
 * that its middle is not in already, however fast it moves and turns: not through what stands, not
 * through what moves, continuous or not, and nothing passes through it. Where a step would lead
 * through, it ends 0.002 length units before the other, and keeps its velocity for the contact of
 * the next step; a dynamic body that it meets and that is fast too ends there as well, or, where
 * they touch from the beginning, both go on with the way they have in common; and a kinematic one
 * takes it along. What does not pass is its inner part: of a box, capsule, cylinder or hull all
 * that is deeper than half the radius of the ball within it, and than a sixteenth of the way to
 * the middle at the ends of long and flat ones; of your own classes the solid at half its size, of
 * a mesh some balls within it, and of a mesh that encloses nothing the middles of some triangles.
 * Where it touches already and its inner part is stopped, both bodies lose the speed with which
 * that came, by an impulse that no contact tells of. What moves by less than a tenth of its inner
 * radius in a step is left to the contacts, and so is a height field that it carries, against all
 * but other continuous bodies. For bullets and the like: each fast one costs some distances to all
 * that is on its way, a mesh many. */
LODE_API bool lode_body_get_continuous(lode_body body);
LODE_API lode_status lode_body_set_continuous(lode_body body, bool continuous);

/* A name for people and tools; it serves nothing else, and two bodies may share one. Setting copies
 * it; null takes it away. Getting returns "" where there is none or for a bad handle; the string is
 * good until the body's name is set again or the body is destroyed. */
LODE_API const char *lode_body_get_name(lode_body body);
LODE_API lode_status lode_body_set_name(lode_body body, const char *name);

/* Copy up to `capacity` handles to the array and return how many there are, 0 on failure: call
 * with `capacity` 0 and null to count. The order depends on what lives alone, not on the past. */
LODE_API int lode_body_get_shapes(lode_body body, lode_shape *out_shapes, int capacity);
LODE_API int lode_body_get_joints(lode_body body, lode_joint *out_joints, int capacity);

/* Pose of the body's frame. Getters return zeros (identity rotation) for a bad handle. Setting a
 * pose moves the body at once, static ones too, without asking what is in between. A body whose
 * state a step found not finite is put back where it was, stopped and frozen; it moves again once
 * its pose is set. lode_world_get_warnings() counts them. */
LODE_API lode_pose lode_body_get_pose(lode_body body);
LODE_API lode_status lode_body_set_pose(lode_body body, lode_pose pose);

/* World position of the centre of mass. */
LODE_API lode_vec3 lode_body_get_center(lode_body body);

/* Static bodies have no velocity and refuse any but zero. A kinematic body keeps its own: each step
 * takes it along and turns it about its origin by exactly velocity times dt. */
LODE_API lode_vec3 lode_body_get_linear_velocity(lode_body body);
LODE_API lode_status lode_body_set_linear_velocity(lode_body body, lode_vec3 velocity);
LODE_API lode_vec3 lode_body_get_angular_velocity(lode_body body);
LODE_API lode_status lode_body_set_angular_velocity(lode_body body, lode_vec3 velocity);

/* A place or direction is given in world coordinates or in those of the body's frame. */
typedef enum lode_frame {
    LODE_WORLD_FRAME,
    LODE_BODY_FRAME,
} lode_frame;

/* Points and directions from one into the other. Zeros for a bad handle. */
LODE_API lode_vec3 lode_body_point_to_world(lode_body body, lode_vec3 point);
LODE_API lode_vec3 lode_body_point_from_world(lode_body body, lode_vec3 point);
LODE_API lode_vec3 lode_body_vector_to_world(lode_body body, lode_vec3 vector);
LODE_API lode_vec3 lode_body_vector_from_world(lode_body body, lode_vec3 vector);

/* Velocity, m/s, world axes, of the body's matter at a point given in `frame`, whether or not a
 * shape is there: v + w x (point - centre of mass). */
LODE_API lode_vec3 lode_body_get_point_velocity(lode_body body, lode_vec3 point, lode_frame frame);

/* Mass properties in the body's frame. Setting them overrides what shapes say from then on;
 * mass and principal moments must be positive, and no moment above the sum of the two others,
 * within rounding. lode_body_set_mass_from_shapes() returns to the sum of the shapes. When the
 * centre moves, by this or by a shape, the linear velocity becomes that of the new centre, so that
 * the body goes on moving as it did. Static and kinematic bodies report zeros and refuse a mass. */
LODE_API lode_mass lode_body_get_mass(lode_body body);
LODE_API lode_status lode_body_set_mass(lode_body body, const lode_mass *mass);
LODE_API lode_status lode_body_set_mass_from_shapes(lode_body body);

/* World axes; `_at` acts at a world point, otherwise at the centre of mass. Forces in N and
 * torques in N m last for the next step, be it long or short; impulses in N s and N m s change the
 * velocity at once. An impulse p spread over the next step of dt seconds is the force p / dt.
 * Static and kinematic bodies ignore them. A call whose sum would not be finite is refused. */
LODE_API lode_status lode_body_add_force(lode_body body, lode_vec3 force);
LODE_API lode_status lode_body_add_force_at(lode_body body, lode_vec3 force, lode_vec3 point);
LODE_API lode_status lode_body_add_torque(lode_body body, lode_vec3 torque);
LODE_API lode_status lode_body_add_impulse(lode_body body, lode_vec3 impulse);
LODE_API lode_status lode_body_add_impulse_at(lode_body body, lode_vec3 impulse, lode_vec3 point);
LODE_API lode_status lode_body_add_angular_impulse(lode_body body, lode_vec3 impulse);

/* The same with the vector in the axes of one frame and the point in the coordinates of one: a
 * thruster is lode_body_add_force_in(body, thrust, LODE_BODY_FRAME, nozzle, LODE_BODY_FRAME). A
 * point of the body keeps its digits however far from the world's origin the body is. What has no
 * point, turn with lode_body_vector_to_world() first. */
LODE_API lode_status lode_body_add_force_in(lode_body body, lode_vec3 force, lode_frame force_frame,
                                            lode_vec3 point, lode_frame point_frame);
LODE_API lode_status lode_body_add_impulse_in(lode_body body, lode_vec3 impulse,
                                              lode_frame impulse_frame, lode_vec3 point,
                                              lode_frame point_frame);

/* The sums of what was added since the last step, world axes: the force in N and the torque about
 * the centre of mass in N m. Every step that succeeds clears them. Gravity is not part of them. */
LODE_API lode_vec3 lode_body_get_force(lode_body body);
LODE_API lode_status lode_body_set_force(lode_body body, lode_vec3 force);
LODE_API lode_vec3 lode_body_get_torque(lode_body body);
LODE_API lode_status lode_body_set_torque(lode_body body, lode_vec3 torque);

LODE_EXTERN_C_END

#endif

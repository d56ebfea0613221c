/* joint.h: joints between two bodies, or between a body and the world.
 *
 * A joint goes with either of its bodies: destroying one destroys the joint, unless it is set to
 * outlive them (`outlives_bodies`). Then it is in limbo: without bodies, but with all its settings,
 * it holds nothing and is in no island until lode_joint_attach() gives it bodies.
 *
 * A negative `erp` or `cfm` is the world's; the soft step uses neither, its joints are springs of
 * twice the world's contact_frequency. */
#ifndef LODE_JOINT_H
#define LODE_JOINT_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* What each type holds between its frames a and b, and the axes that it leaves free, numbered from
 * 0. Slides are along axes of frame_b, positions are distances from b's anchor to a's in m; turns
 * are of body_a against body_b in rad, 0 where the frames are turned alike. */
typedef enum lode_joint_type {
    LODE_JOINT_BALL,      /* holds the anchors together; no axes */
    LODE_JOINT_HINGE,     /* and aligns the x axes. Axis 0: turn about x */
    LODE_JOINT_SLIDER,    /* holds all but: axis 0: slide along x */
    LODE_JOINT_UNIVERSAL, /* holds the anchors together, and x of frame_a across y of frame_b.
                             Axis 0: turn about x of frame_a; 1: about y of frame_b */
    LODE_JOINT_FIXED,     /* holds the frames on each other */
    LODE_JOINT_PISTON,    /* puts the x axes on one line. Axis 0: slide along x; 1: turn about x */
    LODE_JOINT_PRISMATIC_ROTOIDE,   /* a hinge on a slide. Axis 0: slide along y; 1: turn about x */
    LODE_JOINT_PRISMATIC_UNIVERSAL, /* a universal joint on a slide. Axis 0: slide along z; 1, 2:
                                       turns about x of frame_a and y of frame_b */
    LODE_JOINT_PLANE_2D, /* keeps body_a in the plane of y and z through b's anchor, and aligns the
                            x axes; to rounding where nothing pushes body_b. Axes 0 and 1: slides
                            along y and z; 2: turn about x */
    LODE_JOINT_WHEEL,    /* body_a is a wheel: holds its axle, x of frame_a, across y of frame_b.
                            Axis 0: suspension, slide along y; 1: turn about the axle; 2: steering,
                            turn about y. ODE's hinge-2 */
    LODE_JOINT_DISTANCE, /* holds nothing by itself. Axis 0: distance of the anchors: equal stops
                            make a rod, an upper one a rope, stops that yield a spring */
    LODE_JOINT_SIX_AXES, /* holds nothing by itself; equal stops hold an axis. Axes 0 to 2: slides
                            along x, y and z; 3 to 5: turns by which frame_a is turned first about
                            x, then y, then z of frame_b, the second within pi/2 */
    LODE_JOINT_DOUBLE_BALL,   /* keeps the anchors at a distance; no axes */
    LODE_JOINT_DOUBLE_HINGE,  /* two hinges on a link: keeps the anchors at a distance, in the plane
                                of y and z of frame_b, and aligns the x axes. Axis 0: turn of the
                                link, from b's anchor to a's, about x of frame_b, 0 along y; 1: turn
                                of body_a about x */
    LODE_JOINT_ANGULAR_MOTOR, /* holds nothing by itself. Axes 0 to 2: turns about directions that
                                 are given, each in the world or in one of the frames. No pose says
                                 how far, so rates are added up, from 0 on creation or what
                                 lode_joint_set_position() says */
    LODE_JOINT_EULER_MOTOR,   /* holds nothing by itself. Axes 0 to 2: turns by which frame_a is
                                 turned first about x, then y, then z of frame_b, the second within
                                 pi/2: about x of frame_a, about what lies across, about z of
                                 frame_b */
    LODE_JOINT_LINEAR_MOTOR,  /* holds nothing by itself. Axes 0 to 2: slides along directions that
                                 are given, each in the world or in one of the frames */
    LODE_JOINT_TYPE_COUNT, /* of those that lode_joint_create() makes */

    /* Over any number of bodies, made by the functions of coupling.h. */
    LODE_JOINT_COUPLING = LODE_JOINT_TYPE_COUNT, /* Axis 0: a sum of other joints' positions */
    LODE_JOINT_ROWS                              /* rows that the application writes; no axes */
} lode_joint_type;

enum { LODE_JOINT_AXES = 6 }; /* most axes that a joint may leave free */

/* In what a direction is given, and with what it turns. */
typedef enum lode_axis_frame {
    LODE_AXIS_IN_WORLD,
    LODE_AXIS_IN_FRAME_A,
    LODE_AXIS_IN_FRAME_B
} lode_axis_frame;

/* Motor and stops of an axis that the type leaves free; m and N where it slides, rad and N m where
 * it turns. Its position grows when body_a moves along, or turns about, the axis against body_b. */
typedef struct lode_joint_axis {
    lode_real lo_stop, hi_stop; /* lo_stop <= hi_stop; default -inf, +inf: no stop. Equal: held
                                   there. Angles count on beyond pi, so stops may lie beyond */
    lode_real vel;              /* the motor's wanted speed, m/s or rad/s; finite. Of a servo the most
                                   that it goes with, either way: may be infinite */
    lode_real f_max;            /* the most it pushes with, N or N m; default 0, no motor */
    lode_real fudge_factor; /* share of f_max that the motor has while it drives away from a stop
                               that it is at, 0..1; default 1. With 0 it stays there */
    lode_real cfm;      /* of the motor: falls short by cfm times what it pushes with; default -1,
                           the joint's with PGS, 0 with the soft step */
    lode_real bounce;   /* of the stops: share of the speed that is given back, 0..1; default 0 */
    lode_real stop_erp; /* of the stops, 0..1; default -1, the joint's */
    lode_real stop_cfm; /* of the stops; default -1, the joint's. Above 0 they are springs of
                           stiffness erp / (cfm dt) and damping (1 - erp) / cfm in every solver */

    lode_real servo;    /* above 0 the motor is a servo: its speed is so many times, 1/s, what is
                           missing to `target`, integrated implicitly: stable, however much that is.
                           Infinite: all of it within a (sub-)step. Default 0, no servo */
    lode_real target;   /* of a servo, m or rad, finite; angles may lie beyond pi */

    /* of an angular or linear motor */
    lode_vec3 direction;   /* any but zero; default x, y or z */
    lode_axis_frame frame; /* default LODE_AXIS_IN_FRAME_B */
} lode_joint_axis;

/* Makes the stops of an axis springs and dampers, for steps of `dt` seconds: stop_erp and stop_cfm
 * are set so that with both stops in one place the axis is pulled there with `stiffness` (N/m, or
 * N m/rad) times the distance and `damping` (N s/m, or N m s/rad) times the rate, integrated
 * implicitly, so that no stiffness is too large. Both are at least 0 and one is above; the manual
 * of ODE has the formulas: erp = dt k / (dt k + d), cfm = 1 / (dt k + d). */
LODE_API lode_status lode_joint_axis_set_spring(lode_joint_axis *axis, lode_real stiffness,
                                                lode_real damping, lode_real dt);

/* Makes the motor of an axis a servo that pulls to `target` like a spring with a damper: with
 * `stiffness` (N/m, or N m/rad) times what is missing, less `damping` (N s/m, or N m s/rad) times
 * the rate, but with no more than f_max, which is left as it is. Sets servo = stiffness / damping,
 * cfm = 1 / damping and an infinite vel. Both are above 0 and finite, and so are their quotient and
 * the damping's inverse; else LODE_ERROR_ARGUMENT. */
LODE_API lode_status lode_joint_axis_set_servo(lode_joint_axis *axis, lode_real stiffness,
                                               lode_real damping);

/* When a joint does not stretch. Joints that do not, and hang together by their bodies, are solved
 * to the end in each sub-step, positions included, whatever loads hang on them, and up to 32 of
 * their motors and stops with them; contacts are swept in turn with that, and move apart what
 * overlaps, as fast as `max_correcting_velocity`, without a speed that is left of it. Where so many
 * closed loops hang together that a solution would cost too much, joints that make a tree of them
 * are solved so, in turn with those left over. Swept as ever is what is soft (PGS with cfm), joins
 * more than two bodies or is on an articulation, and with LODE_SOLVER_PER_JOINT all. With the
 * direct solver, whose velocities are its own, positions are held so. They move to first order with
 * LODE_INTEGRATOR_SECOND_ORDER too.
 *
 * Tense bodies turn as if they had the inertia of their geometric stiffness too (Tournier, Nesme,
 * Gilles, Faure 2015, "Stable constrained dynamics"). */
typedef enum lode_stiff {
    LODE_STIFF_AS_WORLD = -1, /* as the world's `stiff_joints` says; not for that itself */
    LODE_STIFF_NEVER = 0,
    LODE_STIFF_AUTOMATIC, /* where what hangs together by joints that are not LODE_STIFF_NEVER has
                             one that is LODE_STIFF_ALWAYS, or bodies whose masses are more than 20
                             times apart */
    LODE_STIFF_ALWAYS,
    LODE_STIFF_COUNT
} lode_stiff;

typedef struct lode_joint_def {
    lode_joint_type type;
    lode_body body_a;   /* one of the two must be dynamic. Null, and body_b too, for a joint that is
                           made in limbo: refused unless it outlives its bodies */
    lode_body body_b;   /* another body of the same world; null joins body_a to the world */
    lode_pose frame_a;  /* the joint's frame in body_a's frame; its origin is the anchor */
    lode_pose frame_b;  /* in body_b's frame, or in the world when body_b is null */
    lode_real erp;      /* of PGS: error reduction, 0..1; default -1, the world's */
    lode_real cfm;      /* of PGS: force mixing, s/kg; default -1, the world's */
    lode_real distance; /* of double ball and double hinge: that of the anchors, m, at least
                           1/10,000 of the length_unit; default -1, what it is on creation */
    lode_joint_axis axis[LODE_JOINT_AXES]; /* those the type has not are unused */
    lode_real max_force;    /* N; the joint breaks at the end of a step in which it exerted more, in
                             the mean (lode_joint_get_force()); at least 0, default infinite */
    lode_real max_torque;   /* N m, the same of lode_joint_get_anchor_torque() */
    bool collide_connected; /* may the two bodies touch? default false */
    bool enabled; /* default true; a disabled joint holds, drives and ties nothing, but is there: it
                     still says whether its bodies may touch. Of angles' whole turns it keeps the
                     count that it had, and an angular motor's stay as they were */
    bool outlives_bodies; /* default false; else it is in limbo when one of them is destroyed */
    lode_stiff stiff;     /* default LODE_STIFF_AS_WORLD */
    void *user_data;
} lode_joint_def;

/* Bodies null, frames identity. A wrong type is refused by lode_joint_create(). */
LODE_API lode_joint_def lode_joint_def_default(lode_joint_type type);

/* Sets both frames from one in the world, for the bodies as they stand, so that all positions are
 * 0: set body_a and body_b first. Reports LODE_ERROR_HANDLE when a body is not valid,
 * LODE_ERROR_ARGUMENT when a value is not finite or the rotation has no length. */
LODE_API lode_status lode_joint_def_frame_world(lode_joint_def *def, lode_pose frame);

/* The same from a world anchor, with frames whose x axis follows `axis`, in world axes (any
 * non-zero vector), and whose y axis lies anywhere across it: enough for a hinge, slider or piston.
 */
LODE_API lode_status lode_joint_def_anchor_world(lode_joint_def *def, lode_vec3 anchor,
                                                 lode_vec3 axis);

/* The same with an anchor of its own for each body, whose y axes follow the line from b's to a's as
 * far as that lies across `axis`: for double hinges, and for double balls and distances. */
LODE_API lode_status lode_joint_def_anchors_world(lode_joint_def *def, lode_vec3 anchor_a,
                                                  lode_vec3 anchor_b, lode_vec3 axis);

/* Returns the null handle on failure. Frames that do not meet are pulled together. */
LODE_API lode_joint lode_joint_create(lode_world world, const lode_joint_def *def);
LODE_API lode_status lode_joint_destroy(lode_joint joint);

/* Does the handle name a joint that lives; in which world; and what its definition says. Null or
 * zero for a bad handle; in limbo both bodies are null. */
LODE_API bool lode_joint_is_valid(lode_joint joint);
LODE_API lode_world lode_joint_get_world(lode_joint joint);
LODE_API lode_joint_type lode_joint_get_type(lode_joint joint);
LODE_API lode_body lode_joint_get_body_a(lode_joint joint);
LODE_API lode_body lode_joint_get_body_b(lode_joint joint);
LODE_API void *lode_joint_get_user_data(lode_joint joint);

/* Gives the joint other bodies, or bodies if it has none, and frames in them, by the rules of
 * lode_joint_create(). All else it keeps, also whether it is enabled; what it has exerted is
 * forgotten, angles start anew, and a distance that was left open in limbo is settled. Bodies that
 * it leaves and bodies that it joins wake. On failure nothing changes: LODE_ERROR_HANDLE,
 * LODE_ERROR_ARGUMENT, LODE_ERROR_MEMORY. */
LODE_API lode_status lode_joint_attach(lode_joint joint, lode_body body_a, lode_body body_b,
                                       lode_pose frame_a, lode_pose frame_b);

/* Puts the joint into limbo: its bodies wake, and may touch again. */
LODE_API lode_status lode_joint_detach(lode_joint joint);

/* Whether some joint of the two, enabled or not, connects them; whether one of another type than
 * `type` does. Null for `b` stands for the world. Both take the same time however many joints there
 * are. False for a bad handle, and for a body and itself. */
LODE_API bool lode_bodies_are_connected(lode_body a, lode_body b);
LODE_API bool lode_bodies_are_connected_excluding(lode_body a, lode_body b, lode_joint_type type);

/* Copies up to `capacity` joints between the two to the array, from the highest slot down, and
 * returns how many there are; 0 on failure. With `capacity` 0 the array may be null. */
LODE_API int lode_bodies_get_joints(lode_body a, lode_body b, lode_joint *out_joints, int capacity);

/* World position of the joint's anchor as body_a and body_b have it; their distance is the
 * joint's separation. Zero in limbo. */
LODE_API lode_vec3 lode_joint_get_anchor_a(lode_joint joint);
LODE_API lode_vec3 lode_joint_get_anchor_b(lode_joint joint);

/* The definition as it stands now: what lode_joint_create() was given and setters have changed
 * since; zeros for a bad handle. */
LODE_API lode_joint_def lode_joint_get_def(lode_joint joint);

/* Force in N, world axes, that the joint exerted on body_a in the last step, and body_b got the
 * opposite of; zero before. The mean: the impulses of all sub-steps by the step's length. */
LODE_API lode_vec3 lode_joint_get_force(lode_joint joint);

/* Torque in N m, world axes, that the joint exerted in the same time on body_a about its centre of
 * mass, and on body_b about its own (about the anchor when body_b is null): what its rows, motors
 * and stops twist with, and the force times its lever. */
LODE_API lode_vec3 lode_joint_get_torque_a(lode_joint joint);
LODE_API lode_vec3 lode_joint_get_torque_b(lode_joint joint);

/* Torque in N m, world axes, that the joint exerted in the same time on body_a about a's anchor
 * (what slides of a linear motor along frame_a push with counts as going through that too); on
 * body_b, about the same point, the opposite. What is left of the torques above when the force has
 * no lever. It is the mean as the bodies see it, in axes as they are at the step's end. */
LODE_API lode_vec3 lode_joint_get_anchor_torque(lode_joint joint);

/* Direction of a free axis as bodies stand now: of length 1, in world axes, the way along which, or
 * right-handed about which, body_a moves when its position grows. Slides are along frame_b's axes,
 * a distance from b's anchor to a's (along frame_b's x axis where the two are in one place), turns
 * as the types say. Zero in limbo and, with LODE_ERROR_ARGUMENT, for an axis that the type has not.
 */
LODE_API lode_vec3 lode_joint_get_axis_world(lode_joint joint, int axis);

/* Pushes with `force`, N or N m, along a free axis during the next step, beside what motor and
 * stops do: body_a gets a force along the axis or a torque about it, body_b exactly the opposite.
 * Levers are those of one line for both, wherever anchors and centres of mass are, so that linear
 * and angular momentum stay what they were; but for a linear motor's directions in the world, which
 * no body carries: there each force acts at its body's anchor. Calls add up, as those of
 * lode_body_add_force() do, and lode_body_get_force() shows them. Wakes the bodies unless it is 0.
 * A disabled joint and one in limbo push nothing. Refused with LODE_ERROR_ARGUMENT when a body's
 * sum would not be finite. */
LODE_API lode_status lode_joint_add_force(lode_joint joint, int axis, lode_real force);

/* Setters of the definition's fields. `frame_a` and `frame_b` are checked as on creation. */
LODE_API lode_status lode_joint_set_user_data(lode_joint joint, void *user_data);
LODE_API lode_status lode_joint_set_erp(lode_joint joint, lode_real erp);
LODE_API lode_status lode_joint_set_cfm(lode_joint joint, lode_real cfm);
LODE_API lode_status lode_joint_set_collide_connected(lode_joint joint, bool collide_connected);
LODE_API lode_status lode_joint_set_outlives_bodies(lode_joint joint, bool outlives_bodies);
LODE_API lode_status lode_joint_set_stiff(lode_joint joint, lode_stiff stiff); /* wakes nobody */
LODE_API lode_status lode_joint_set_frames(lode_joint joint, lode_pose frame_a, lode_pose frame_b);

/* Of a double ball or double hinge. LODE_ERROR_ARGUMENT for other types. */
LODE_API lode_status lode_joint_set_distance(lode_joint joint, lode_real distance);

/* A joint that breaks is disabled, and told of by lode_world_get_events(); lode_joint_set_enabled()
 * mends it. It breaks at the end of the step, so bodies part in the next one, and however many are
 * too weak in one step break together. Joints of bodies that sleep bear nothing and do not break.
 * As with all disabled joints `collide_connected` still says whether the bodies may touch. */
LODE_API lode_status lode_joint_set_max_force(lode_joint joint, lode_real max_force);
LODE_API lode_status lode_joint_set_max_torque(lode_joint joint, lode_real max_torque);

/* Enabled again a joint pulls together what has parted meanwhile. Either wakes its bodies. */
LODE_API lode_status lode_joint_set_enabled(lode_joint joint, bool enabled);
LODE_API bool lode_joint_get_enabled(lode_joint joint); /* false for a bad handle */

/* The axes that the joint's type leaves free are numbered from 0; LODE_ERROR_ARGUMENT for another.
 * set_axis changes all values at once, set_limits both stops, set_motor speed and strength,
 * set_target where a servo drives to. Stops are refused when the low one is above the high one. */
LODE_API lode_status lode_joint_set_axis(lode_joint joint, int axis, const lode_joint_axis *values);
LODE_API lode_status lode_joint_set_limits(lode_joint joint, int axis, lode_real lo_stop,
                                           lode_real hi_stop);
LODE_API lode_status lode_joint_set_motor(lode_joint joint, int axis, lode_real vel,
                                          lode_real f_max);
LODE_API lode_status lode_joint_set_target(lode_joint joint, int axis, lode_real target);

/* Where an axis stands now, m or rad, and how fast that changes. An angle counts on beyond pi from
 * step to step, as long as it changes by less than pi in each; a new joint's starts within half a
 * turn of zero, or of its stops when zero is beyond them. */
LODE_API lode_real lode_joint_get_position(lode_joint joint, int axis);
LODE_API lode_real lode_joint_get_rate(lode_joint joint, int axis);

/* Says where an axis of an angular motor stands now. Of other turns it says from where to count on:
 * of the angles that the poses allow, which differ by whole turns, the one nearest to `position`.
 * LODE_ERROR_ARGUMENT for slides, whose poses say where they are, and for couplings. */
LODE_API lode_status lode_joint_set_position(lode_joint joint, int axis, lode_real position);

/* With what the motor pushed and the stops held in the last step, in the mean, N or N m along the
 * axis, above 0 where the position would grow. The motor's is f_max at most. */
LODE_API lode_real lode_joint_get_motor_force(lode_joint joint, int axis);
LODE_API lode_real lode_joint_get_stop_force(lode_joint joint, int axis);

LODE_EXTERN_C_END

#endif

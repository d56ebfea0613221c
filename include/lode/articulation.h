/* articulation.h: articulations: trees of links joined by joints, solved as one in joint
 * coordinates, so that their joints cannot part however heavy the load.
 *
 * An articulation belongs to a world from the beginning and is built outside its simulation:
 * lode_articulation_create(), lode_articulation_add_link() link by link, then
 * lode_articulation_insert(). Links are bodies: shapes, contacts, sensors, queries, forces and
 * ordinary joints, which close loops, take them as such; their pose and velocity are told by the
 * functions of body.h. Those of a link in the world are set through the articulation, and the
 * functions of body.h that would set them, or its type, are refused with LODE_ERROR_STATE. Outside
 * the world a link's shapes are in no query and no contact. Links have no damping, sleep,
 * continuous collision or rule of turning (gyroscopic, finite_rotation) of their own as other
 * bodies have: LODE_ERROR_STATE. The equations of the tree hold all that spin does to it.
 *
 * Structure (links, joint types, motions, frames, base) changes outside the world only. Inserting
 * puts the links where the root's pose, the joints' frames and their positions say.
 *
 * *Axes.* A joint joins parent_frame, in the parent's frame, to child_frame, in the link's. Its
 * axes are turns about x, y and z (twist, swing 1, swing 2) and slides along them. With position q,
 *     pose_child = pose_parent parent_frame J(q) child_frame^-1,
 * slides are along the axes of parent_frame; a single turn is by its angle; of several the
 * positions are the rotation vector of J, and their velocities the child's angular velocity against
 * the parent in the axes of child_frame, which is not the derivative of that vector. Of two turns
 * the third number stays 0, and the child turns about that axis too as far as this takes, q_m = 0
 * of J as a quaternion: w_m = (q_b w_a - q_a w_b) / q_w with a, b, m right-handed. At half a turn
 * such a joint cannot turn across the axis that it has turned about.
 *
 * *Indices.* Links have a low-level index, breadth first from the root, which is 0, those of one
 * level in the order of creation; the degrees of freedom of all joints are numbered by it, within a
 * joint by axis. A floating root counts for nothing there; where `root dofs` are spoken of, its six
 * come first: linear, then angular, of its centre of mass in world axes.
 *
 * The mathematics is Featherstone's (Rigid Body Dynamics Algorithms, 2008); articulation_dynamics.h
 * has it for controllers. */
#ifndef LODE_ARTICULATION_H
#define LODE_ARTICULATION_H

#include "body.h"

LODE_EXTERN_C_BEGIN

typedef enum lode_link_joint_type {
    LODE_LINK_FIXED,     /* no axis */
    LODE_LINK_PRISMATIC, /* one slide */
    LODE_LINK_REVOLUTE,  /* one turn, whose position is kept within -2 pi..2 pi: what leaves
                                     comes back by 4 pi */
    LODE_LINK_REVOLUTE_UNWRAPPED, /* one turn that counts on */
    LODE_LINK_SPHERICAL,          /* two or three turns */
    LODE_LINK_SIX_AXES,           /* any set of axes, none too */
    LODE_LINK_JOINT_TYPE_COUNT
} lode_link_joint_type;

typedef enum lode_link_axis_index {
    LODE_AXIS_TWIST,  /* turn about x */
    LODE_AXIS_SWING1, /* about y */
    LODE_AXIS_SWING2, /* about z */
    LODE_AXIS_X,      /* slide along x */
    LODE_AXIS_Y,
    LODE_AXIS_Z,
    LODE_LINK_AXES
} lode_link_axis_index;

typedef enum lode_link_motion {
    LODE_MOTION_LOCKED,
    LODE_MOTION_LIMITED, /* free between lo and hi */
    LODE_MOTION_FREE,
    LODE_MOTION_COUNT
} lode_link_motion;

typedef enum lode_drive_type {
    LODE_DRIVE_NONE,
    LODE_DRIVE_FORCE,        /* stiffness (target - q) + damping (target_velocity - q'); of several
                                turns target - q is along the axis of the turn that is missing, the
                                shorter way, twice the sine of half its angle */
    LODE_DRIVE_ACCELERATION, /* the same times the inertia that the axis has: alike for any load */
    LODE_DRIVE_TYPE_COUNT
} lode_drive_type;

/* A spring with a damper, integrated implicitly: stable however stiff. m and N along slides, rad
 * and N m about turns. */
typedef struct lode_link_drive {
    lode_drive_type type; /* default LODE_DRIVE_NONE */
    lode_real stiffness;  /* N/m, at least 0, may be infinite no more than 1e30 */
    lode_real damping;    /* N s/m, at least 0 */
    lode_real
        max_force; /* N, at least 0, default infinite; an impulse per (sub-)step, N s, where the
                             articulation has drive_limits_are_impulses */

    /* A motor's envelope: above 0 max_effort takes the place of max_force, and of the joint's whole
     * effort E (the drive's and the force given by hand) and its speed it holds that
     *     |E| <= max_effort - velocity_resistance |q'|,  |q'| <= max_speed - speed_effort_gradient |E|
     * or the drive gives nothing where that cannot be. */
    lode_real max_effort;            /* N; default 0: no envelope */
    lode_real max_speed;             /* m/s; default infinite */
    lode_real velocity_resistance;   /* N s/m, at least 0 */
    lode_real speed_effort_gradient; /* m/(N s), at least 0 */
} lode_link_drive;

/* Of one axis. */
typedef struct lode_link_axis {
    lode_link_motion motion; /* default LODE_MOTION_LOCKED */
    lode_real lo, hi;        /* lo < hi where the motion is limited; turns of a revolute joint
                                within -2 pi..2 pi, unwrapped any, of others within -pi..pi: of
                                several, which turn by more than a right angle, either way round
                                may be within */
    lode_link_drive drive;
    lode_real target, target_velocity; /* of the drive, finite; default 0 */
    lode_real armature;                /* inertia added to the axis, kg or kg m^2, at least 0 */
    lode_real static_friction;         /* N; the joint sticks while less is needed to hold it, */
    lode_real dynamic_friction;        /* N, at most static_friction; else it is braked by this */
    lode_real viscous_friction;        /* N s/m, and this times its speed; all at least 0 */
    lode_real max_velocity;            /* m/s or rad/s, at least 0; default 100 */
    lode_real position, velocity;      /* where it begins */
} lode_link_axis;

/* Rotations of its poses must be of unit length. */
typedef struct lode_link_def {
    lode_body parent;          /* null for the root and for it alone */
    lode_link_joint_type type; /* of the inbound joint; the root's is ignored */
    lode_pose parent_frame;    /* of the joint, in the parent's frame; default identity */
    lode_pose child_frame;     /* in the link's frame */
    lode_link_axis axis[LODE_LINK_AXES];
    lode_real
        friction_coefficient;  /* of the whole joint: each axis is braked by up to so many times
                                       the force and moment that the joint bears, those of contacts
                                       and limits left out, where its own three frictions are 0; at
                                       least 0, default 0 */
    lode_real cfm_scale;       /* 0..1, times 1/mass, softens the link's contacts and loops;
                                       default 0.025 */
    lode_pose pose;            /* of the root's frame; other links follow from it */
    lode_vec3 linear_velocity; /* of a floating root's centre of mass, m/s, world axes */
    lode_vec3 angular_velocity;
    lode_real linear_damping, angular_damping;     /* 1/s, at least 0; default 0: v' = -damping v */
    lode_real max_linear_speed, max_angular_speed; /* default infinite */
    lode_real gravity_scale;                       /* default 1 */
    const char *name;                              /* copied; null for none */
    void *user_data;
} lode_link_def;

/* All axes locked, the frames identity, and the defaults named above. `type` frees what it must:
 * prismatic x, revolute twist, spherical all three turns. */
LODE_API lode_link_def lode_link_def_default(lode_link_joint_type type);

typedef struct lode_articulation_def {
    bool fixed_base;                /* the root does not move; default false */
    bool drive_limits_are_impulses; /* default false */
    bool self_collision; /* may links touch each other, but for those a joint joins? default true */
    int position_iterations;   /* 1..255, default 4: at least so many iterations of its island */
    int velocity_iterations;   /* 0..255, default 1 */
    lode_real sleep_threshold; /* J/kg: it may sleep while each link's kinetic energy by its mass is
                                  below; at least 0, default 5e-5 */
    lode_real stabilization_threshold; /* J/kg, at least 0, default 5e-6: kept for engines that ask;
                                          resting articulations need no other stabilization here */
    lode_real wake_counter; /* s that it must be so before it sleeps; at least 0, default 0.4 */
    lode_real max_com_linear_speed, max_com_angular_speed; /* of a floating base: of the centre of
                                  mass of all, and of the whole about it; at least 0; default 1e6,
                                  from which on there is none */
    const char *name;                                      /* copied; null for none */
    void *user_data;
} lode_articulation_def;

/* The defaults named above. */
LODE_API lode_articulation_def lode_articulation_def_default(void);

/* Without links, outside the world. The null handle on failure. */
LODE_API lode_articulation lode_articulation_create(lode_world world,
                                                    const lode_articulation_def *def);

/* Ends it with all its links. */
LODE_API lode_status lode_articulation_destroy(lode_articulation articulation);

/* Does the handle name an articulation that lives; and in which world, null for a bad handle. */
LODE_API bool lode_articulation_is_valid(lode_articulation articulation);
LODE_API lode_world lode_articulation_get_world(lode_articulation articulation);

/* A new link, a body that weighs 1 kg with unit inertia until it has shapes or a mass. Refused with
 * LODE_ERROR_STATE while the articulation is in the world; with LODE_ERROR_ARGUMENT: a second root,
 * a parent of another articulation, motions that the type has not. The null handle on failure. */
LODE_API lode_body lode_articulation_add_link(lode_articulation articulation,
                                              const lode_link_def *def);

/* Ends a link without children, outside the world. lode_body_destroy() is refused for links. */
LODE_API lode_status lode_articulation_remove_link(lode_articulation articulation, lode_body link);

/* Into the simulation, and out of it. Inserting places all links; it sleeps at once where its wake
 * counter and all velocities and forces are 0. Inserting one without links is refused. */
LODE_API lode_status lode_articulation_insert(lode_articulation articulation);
LODE_API lode_status lode_articulation_remove(lode_articulation articulation);
LODE_API bool lode_articulation_is_inserted(lode_articulation articulation);

/* Links in the order of creation: copies up to `capacity` from the `first` on and returns how many
 * there are in all. */
LODE_API int lode_articulation_get_links(lode_articulation articulation, lode_body *out_links,
                                         int first, int capacity);

/* How many shapes all links have, and degrees of freedom all joints; the latter -1 outside the
 * world. */
LODE_API int lode_articulation_count_shapes(lode_articulation articulation);
LODE_API int lode_articulation_count_dofs(lode_articulation articulation);

/* The articulation of a link, null for other bodies, which is no error. */
LODE_API lode_articulation lode_body_get_articulation(lode_body body);

/* ---- links: each refuses bodies that are none */

/* The low-level index, -1 outside the world; the parent, null of the root; the first degree of
 * freedom of the inbound joint, -1 outside the world or where it has none, and how many it has. */
LODE_API int lode_link_get_index(lode_body link);
LODE_API lode_body lode_link_get_parent(lode_body link);
LODE_API int lode_link_get_first_dof(lode_body link);
LODE_API int lode_link_count_dofs(lode_body link);

/* The inbound joint. Setting frames, type and motions is refused in the world. */
LODE_API lode_link_joint_type lode_link_get_type(lode_body link);
LODE_API lode_status lode_link_set_type(lode_body link, lode_link_joint_type type);
LODE_API lode_pose lode_link_get_parent_frame(lode_body link);
LODE_API lode_status lode_link_set_parent_frame(lode_body link, lode_pose frame);
LODE_API lode_pose lode_link_get_child_frame(lode_body link);
LODE_API lode_status lode_link_set_child_frame(lode_body link, lode_pose frame);

/* All of an axis at once, its position and velocity as they are now. Setting is refused where it
 * would change the motion in the world. Setters below that name one of its fields set it alone. */
LODE_API lode_link_axis lode_link_get_axis(lode_body link, lode_link_axis_index axis);
LODE_API lode_status lode_link_set_axis(lode_body link, lode_link_axis_index axis,
                                        const lode_link_axis *values);

/* Where the joint stands. In the world links follow at once: pose and velocity of all below. */
LODE_API lode_status lode_link_set_position(lode_body link, lode_link_axis_index axis,
                                            lode_real position);
LODE_API lode_status lode_link_set_velocity(lode_body link, lode_link_axis_index axis,
                                            lode_real velocity);

/* Of the drive. `wake`: the articulation wakes and its wake counter begins anew. */
LODE_API lode_status lode_link_set_target(lode_body link, lode_link_axis_index axis,
                                          lode_real target, bool wake);
LODE_API lode_status lode_link_set_target_velocity(lode_body link, lode_link_axis_index axis,
                                                   lode_real velocity, bool wake);

/* Force along, or torque about, a joint's axis, N or N m; it stays until it is set again. */
LODE_API lode_real lode_link_get_joint_force(lode_body link, lode_link_axis_index axis);
LODE_API lode_status lode_link_set_joint_force(lode_body link, lode_link_axis_index axis,
                                               lode_real force);

/* Fields of the definition of the same names. */
LODE_API lode_real lode_link_get_friction_coefficient(lode_body link);
LODE_API lode_status lode_link_set_friction_coefficient(lode_body link, lode_real coefficient);
LODE_API lode_real lode_link_get_cfm_scale(lode_body link);
LODE_API lode_status lode_link_set_cfm_scale(lode_body link, lode_real scale);
LODE_API lode_status lode_link_get_damping(lode_body link, lode_real *out_linear,
                                           lode_real *out_angular);
LODE_API lode_status lode_link_set_damping(lode_body link, lode_real linear, lode_real angular);

/* ---- the root */

/* Pose of the root's frame; velocities of its centre of mass, which a fixed base refuses. All links
 * follow at once. */
LODE_API lode_pose lode_articulation_get_root_pose(lode_articulation articulation);
LODE_API lode_status lode_articulation_set_root_pose(lode_articulation articulation, lode_pose pose,
                                                     bool wake);
LODE_API lode_vec3 lode_articulation_get_root_linear_velocity(lode_articulation articulation);
LODE_API lode_status lode_articulation_set_root_linear_velocity(lode_articulation articulation,
                                                                lode_vec3 velocity, bool wake);
LODE_API lode_vec3 lode_articulation_get_root_angular_velocity(lode_articulation articulation);
LODE_API lode_status lode_articulation_set_root_angular_velocity(lode_articulation articulation,
                                                                 lode_vec3 velocity, bool wake);

/* ---- all of it */

/* The definition as it stands now; setting refuses to change the base in the world. */
LODE_API lode_articulation_def lode_articulation_get_def(lode_articulation articulation);
LODE_API lode_status lode_articulation_set_def(lode_articulation articulation,
                                               const lode_articulation_def *def);

/* A name, copied, "" where there is none; and yours, never followed. */
LODE_API const char *lode_articulation_get_name(lode_articulation articulation);
LODE_API lode_status lode_articulation_set_name(lode_articulation articulation, const char *name);
LODE_API void *lode_articulation_get_user_data(lode_articulation articulation);
LODE_API lode_status lode_articulation_set_user_data(lode_articulation articulation,
                                                     void *user_data);

/* The box around all shapes, each side `inflation` times as long about the same middle; empty,
 * upper below lower, without shapes. */
LODE_API lode_bounds lode_articulation_get_bounds(lode_articulation articulation,
                                                  lode_real inflation);

/* Sleep, in the world only. Waking starts the wake counter anew; sleeping clears velocities, forces
 * and the counter. The counter is what is left of it, s; setting it above 0 wakes. */
LODE_API bool lode_articulation_is_sleeping(lode_articulation articulation);
LODE_API lode_status lode_articulation_wake(lode_articulation articulation);
LODE_API lode_status lode_articulation_sleep(lode_articulation articulation);
LODE_API lode_real lode_articulation_get_wake_counter(lode_articulation articulation);
LODE_API lode_status lode_articulation_set_wake_counter(lode_articulation articulation,
                                                        lode_real seconds);

/* How far the rows of joints (limits of drives, stops, frictions, tendons, mimic joints) were from
 * being solved in the last step: by how much the speeds of dofs, or of what tendons and mimic
 * joints hold, were changed by them, m/s or rad/s, mean and most; zeros before. With the direct
 * solver: by how much these speeds were off what the rows ask for. */
typedef struct lode_articulation_residual {
    lode_real position_rms, position_max; /* in the last iteration of the solver */
    lode_real velocity_rms, velocity_max; /* and of its relaxation */
} lode_articulation_residual;

/* Of the last step. */
LODE_API lode_articulation_residual lode_articulation_get_residual(lode_articulation articulation);

LODE_EXTERN_C_END

#endif

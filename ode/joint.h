/* joint.h: what all joints of the ODE face have.
 *
 * A joint is what ODE's functions have set, in the frames of its bodies, and a row of the table of
 * types that says what joint of the handle API that is. Such a joint is made, or brought up to
 * date, when a step begins and something has changed (joint_bring.c); contacts become points of
 * contact of that one step instead (contact.c).
 *
 * Body 0 of an attached joint is never the world: dJointAttach(joint, 0, body) exchanges the two
 * and marks the joint as reversed, which turns over what ODE counts from body 1 to body 2. */
#ifndef LODE_ODE_JOINT_H
#define LODE_ODE_JOINT_H

#include "ode/body.h"
#include "ode/check.h"

enum { LODE__ODE_LIMOTS = 3 }; /* most axes with stops and motors of one joint */

/* Stops and motor of an axis, as set: lo above hi is kept, and is no stop. */
typedef struct lode__ode_limot {
    dReal lo, hi, vel, fmax, fudge, bounce, cfm, stop_erp, stop_cfm;
} lode__ode_limot;

typedef struct lode__ode_joint_type lode__ode_joint_type;

/* What walks over all joints ask for comes first. */
struct dxJoint {
    const lode__ode_joint_type *type;
    dJointID next;     /* in the world's list */
    lode_joint handle; /* null while there is none */
    dJointFeedback *feedback;
    bool reversed, disabled;
    bool moved_frames, changed; /* the joint of the handle API is not up to date */
    lode__ode_node node[2];
    dWorldID world; /* null where a group has outlived it */
    dJointGroupID group;
    dJointID last;     /* in the world's list */
    uint64_t sequence; /* the higher, the later attached */
    void *data;
};

/* A joint with frames: all but contacts and null joints. Of anchors and axes [0] are in body 0's
 * frame and [1] in body 1's, or the world's. */
typedef struct lode__ode_framed {
    struct dxJoint joint;
    lode_vec3 anchor[2];
    lode_vec3 axis[3][2]; /* by which axis, then by body; of length 1 */
    lode_quat relative;   /* body 0's rotation seen from body 1 where angles are 0 */
    dReal erp, cfm;       /* of what the joint holds; negative: the world's */
    lode__ode_limot limot[LODE__ODE_LIMOTS];
} lode__ode_framed;

/* What a limot is for. */
typedef struct lode__ode_place {
    int axis;      /* of the handle API; -1: none */
    bool mirrored; /* goes the other way */
    bool no_stops; /* the motor alone counts */
    bool turns;    /* stops beyond half a turn are none */
    dReal begins;  /* where the axis of the handle API stands when the limot's position is 0 */
} lode__ode_place;

struct lode__ode_joint_type {
    dJointType type;
    const char *name;
    size_t size;
    int limots;
    unsigned turns; /* a bit for each limot that is an angle, from -pi to pi */
    int axes;       /* of the joint of the handle API, where they are more than the limots */
    bool joins_two; /* and is not attached to one body alone */
    bool exchanged; /* the program's second body is body_a of the handle API */
    bool holds_one; /* body 1 is of no matter */
    lode__ode_place (*place)(const lode__ode_framed *joint, int limot); /* null: numbered alike */
    void (*attached)(lode__ode_framed *joint);     /* bodies are others; or null */
    void (*before_bring)(lode__ode_framed *joint); /* in each step; or null */
    /* Says what joint it is; bodies and values of axes are filled in by who asks. Null: none. */
    void (*describe)(const lode__ode_framed *joint, lode_joint_def *out_def);
    /* Makes the joint of the handle API, and tells what it exerted, where that is not as usual. */
    lode_joint (*make)(dJointID joint, const lode_joint_def *def);
    void (*tell)(const lode__ode_framed *joint, dJointFeedback *out);
    /* In each step, when the joint of the handle API is up to date; or null. */
    void (*before_step)(const lode__ode_framed *joint);
};

extern const lode__ode_joint_type lode__ode_amotor, lode__ode_ball, lode__ode_contact,
    lode__ode_dball, lode__ode_dhinge, lode__ode_fixed, lode__ode_hinge, lode__ode_hinge2,
    lode__ode_lmotor, lode__ode_null, lode__ode_piston, lode__ode_plane2d, lode__ode_pr,
    lode__ode_pu, lode__ode_slider, lode__ode_transmission, lode__ode_universal;

/* Makes a joint of a type in a group, or by itself for null; null after a report. In a group it may
 * be smaller than its type. */
dJointID lode__ode_joint_create(dWorldID world, dJointGroupID group,
                                const lode__ode_joint_type *type);
dJointID lode__ode_joint_create_in(dWorldID world, dJointGroupID group,
                                   const lode__ode_joint_type *type, size_t size);

/* All contacts of the world end at once, without a look at any: they leave all lists. */
void lode__ode_contacts_end(dWorldID world);

/* Leaves it without bodies. */
void lode__ode_joint_limbo(dJointID joint);

/* Detaches it and takes it out of its world. Its memory is its group's, or is freed. */
void lode__ode_joint_end(dJointID joint);

/* joint_group.c: memory of a group, which lives until the group is emptied; a member has been made
 * in it; one ends before its group does. */
void *lode__ode_group_take(dJointGroupID group, size_t size);
void lode__ode_group_joined(dJointGroupID group, dJointID joint);
void lode__ode_group_left(dJointGroupID group);

/* joint_bring.c: brings the joints of the handle API up to date, false: no memory; and what they
 * exerted. */
bool lode__ode_joints_bring(dWorldID world);
void lode__ode_joints_tell(dWorldID world);

/* contact.c: the world's contact joints become points of the step to come, that come to rest so
 * deep. False: no memory. */
bool lode__ode_contacts_bring(dWorldID world, dReal rest_depth);

/* Says whether what contacts exerted in the last step is known to the next one, of `h`, by a share
 * only, and not where bodies are not at rest against each other. */
void lode__ode_contacts_fade(dWorldID world, bool fades, dReal h);

/* Where a contact joint that is in the step has its point; false for other joints. */
bool lode__ode_contact_place(dJointID joint, lode_vec3 *out);

/* contact_tell.c: what contact joints exerted in a step of `h` seconds. Where their bodies are is
 * noted before it. */
void lode__ode_contacts_note(dWorldID world);
void lode__ode_contacts_tell(dWorldID world, dReal h);

/* What a contact joint was made of, as far as it matters. */
dContact lode__ode_contact_of(dJointID joint);

/* wake.c: what hangs on an enabled body, by so many joints at most, is enabled. */
void lode__ode_wake(dWorldID world, int depth);

/* step.c: all of a step but that idle bodies disable themselves. */
int lode__ode_step(dWorldID world, lode_solver solver, int iterations, int depth, dReal h);

/* True for a joint of this type; else reports. OF for one that has bodies, without which setters do
 * nothing. */
bool lode__ode_joint_is(dJointID joint, const lode__ode_joint_type *type, const char *function);
#define IS(joint, type) lode__ode_joint_is(joint, &(type), __func__)
#define IS_ATTACHED(joint, type) (IS(joint, type) && (joint)->node[0].body)

/* limot.c: parameters by ODE's numbers, group 0 to 2 being the axis. */
void lode__ode_limot_init(lode__ode_framed *joint);
void lode__ode_set_param(lode__ode_framed *joint, int parameter, dReal value);
dReal lode__ode_get_param(const lode__ode_framed *joint, int parameter);
void lode__ode_set_softness(lode__ode_framed *joint, int parameter, dReal value);
dReal lode__ode_get_softness(const lode__ode_framed *joint, int parameter);
lode_joint_axis lode__ode_axis_of(const lode__ode_limot *limot, lode__ode_place place);

static inline lode__ode_framed *framed(dJointID joint)
{
    return (lode__ode_framed *)(void *)joint;
}

/* Which of the two is the program's first body. */
static inline int lode__ode_first(const lode__ode_framed *joint)
{
    return joint->joint.reversed;
}

/* The frame of one of the two bodies; the world's for none. */
static inline lode_pose frame_of(dBodyID body)
{
    return body ? (lode_pose){body->pose->position, body->pose->rotation}
                : (lode_pose){{0, 0, 0}, {1, 0, 0, 0}};
}
static inline lode_vec3 point_in(dBodyID body, lode_vec3 point)
{
    return pose_point_inv(frame_of(body), point);
}
static inline lode_vec3 vector_in(dBodyID body, lode_vec3 v)
{
    return q_rotate_inv(frame_of(body).rotation, v);
}
static inline lode_vec3 point_out(dBodyID body, lode_vec3 point)
{
    return pose_point(frame_of(body), point);
}
static inline lode_vec3 vector_out(dBodyID body, lode_vec3 v)
{
    return q_rotate(frame_of(body).rotation, v);
}

/* framed.c: what types with anchors and axes share; all in world coordinates. */
void lode__ode_put_anchor(lode__ode_framed *joint, lode_vec3 point);
void lode__ode_put_axis(lode__ode_framed *joint, int axis, lode_vec3 direction);
void lode__ode_put_relative(lode__ode_framed *joint);
void lode__ode_begin_at(lode__ode_framed *joint, lode_vec3 point); /* and angles are 0 now */
void lode__ode_begin_about(lode__ode_framed *joint, lode_vec3 axis);
void lode__ode_recapture(lode__ode_framed *joint); /* all of it where body 0 has it */
lode_vec3 lode__ode_anchor(const lode__ode_framed *joint, int body);
lode_vec3 lode__ode_program_anchor(const lode__ode_framed *joint,
                                   int which); /* its first, second */
lode_vec3 lode__ode_axis(const lode__ode_framed *joint, int axis);

/* The turn of a frame with the unit vector x as its x axis and y in its plane of x and y. */
lode_quat lode__ode_turn_to(lode_vec3 x, lode_vec3 y);

/* Takes the anchor of the program's first body along the axis, as far as `way` goes along it: the
 * slide's position grows by that. */
void lode__ode_offset_slide(lode__ode_framed *joint, lode_vec3 axis, lode_vec3 way);

/* The same where it is body 0 that is to go by `way` yet until the position is 0. */
void lode__ode_delta_slide(lode__ode_framed *joint, lode_vec3 axis, lode_vec3 way);

lode_quat lode__ode_turn_about(lode_vec3 axis, dReal angle);

/* The angle's whole turns taken away. */
dReal lode__ode_within_pi(dReal angle);

/* Of frames in the world of which x of a is held across y of b: how far a is turned against b about
 * its own x (0), after it was turned about y, which both have then (1). */
dReal lode__ode_cross_angle(lode_quat a, lode_quat b, int axis);

/* Frames whose x axes are the first axis, alike where `relative` says that angles are 0. */
void lode__ode_frames_about_axis(const lode__ode_framed *joint, lode_joint_def *out_def);

/* Of attached joints, about and along the first axis, as from body 1 to body 2: the angle in
 * -pi..pi, the way from one anchor to the other, their rates, and what pushes and twists. A push
 * acts at the middle between the bodies, so that it makes no couple; body 2 gets the opposite. */
dReal lode__ode_angle(const lode__ode_framed *joint);
dReal lode__ode_angle_rate(const lode__ode_framed *joint);
dReal lode__ode_slide(const lode__ode_framed *joint);
dReal lode__ode_slide_rate(const lode__ode_framed *joint);
void lode__ode_push_along(const lode__ode_framed *joint, dReal force);
void lode__ode_twist_about(const lode__ode_framed *joint, dReal torque);

/* The same of any direction, world: the rate of turn about it and of points along it, what pushes
 * and what twists. */
dReal lode__ode_rate_along(const lode__ode_framed *joint, lode_vec3 axis, lode_vec3 point);
dReal lode__ode_rate_about(const lode__ode_framed *joint, lode_vec3 axis);
void lode__ode_push(const lode__ode_framed *joint, lode_vec3 force);
void lode__ode_twist(const lode__ode_framed *joint, lode_vec3 torque);

#endif

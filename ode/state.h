/* state.h: what stands behind the handles of the ODE face.
 *
 * A world of the face has a world of the handle API, without shapes, which owns what is solved:
 * pools of bodies and joints, and the solvers. Its bodies never sleep there; who is disabled is
 * kept out of its steps.
 *
 * Where a body is and how it moves lies in those pools alone, whose numbers stand as ODE's do:
 * pointers to them are given out and stay good for the body's life. What else there is to it lies
 * here, and each step brings what it needs of that (step.c). */
#ifndef LODE_ODE_STATE_H
#define LODE_ODE_STATE_H

#include "ode/common.h"
#include "ode/mass.h"
#include "ode/objects.h"
#include "ode/threading.h"

#include "lode/contact.h"
#include "world/world.h"

#include <stddef.h>

/* When a body disables itself; of a world, what bodies to come begin with. */
typedef struct lode__ode_idle {
    dReal linear_threshold, angular_threshold; /* m/s, rad/s */
    dReal time;                                /* s */
    int steps;
    unsigned samples; /* over which velocities are averaged, at least 1 */
    bool enabled;
} lode__ode_idle;

/* What is left of a velocity above its threshold after each step is 1 - scale. */
typedef struct lode__ode_damping {
    dReal linear_scale, angular_scale;
    dReal linear_threshold, angular_threshold; /* m/s, rad/s */
} lode__ode_damping;

/* When StepFast1 disables a body: after so many steps with speeds whose squares are below the
 * threshold. */
typedef struct lode__ode_fast {
    dReal threshold; /* (m/s)^2 and (rad/s)^2 */
    int steps, left;
    bool disables;
} lode__ode_fast;

/* A velocity that a body had. */
typedef struct lode__ode_sample {
    dReal linear[3], angular[3];
} lode__ode_sample;

/* One of the many. */
typedef void lode__ode_moved_fn(dBodyID body);

/* A joint as one of its bodies has it. */
typedef struct lode__ode_node {
    dJointID next, last; /* in one of the body's lists, newest first */
    dBodyID body;        /* or null */
} lode__ode_node;

enum { LODE__ODE_BESIDE = 3 };

/* Contacts come and go in each step, all at once as a rule, and touch no others then: what a body's
 * list of them says is of another epoch since. */
enum { LODE__ODE_OTHERS, LODE__ODE_CONTACTS, LODE__ODE_LISTS };

/* What walks over pairs and joints ask for comes first, a line of the cache, then what every step
 * reads. */
struct dxBody {
    int joint_counts[LODE__ODE_LISTS];
    int beside_count;                        /* joints to other bodies that are no contacts */
    struct dxBody *beside[LODE__ODE_BESIDE]; /* those bodies, if they are no more than that */
    uint64_t contact_epoch;                  /* the world's, when its contacts were listed */
    dJointID lists[LODE__ODE_LISTS]; /* of those attached, by the node that is this body's */
    lode__pose *pose;                /* of the centre of mass, which is the origin; in the pools */
    lode__velocity *velocity;        /* the same */
    dGeomID geoms;                   /* newest first */
    struct dxWorld *world;
    lode__ode_moved_fn *moved;
    uint32_t slot; /* of its body in the world's pools */
    bool enabled, kinematic, gyroscopic, gravity, finite, finite_about_axis;
    bool turns_apart;          /* the pools have a limit or a rule of its own for how it turns */
    bool reached;              /* by the step, until the next step begins: see wake.c */
    bool round;                /* its inertia is the same about every axis: see forces_of() */
    dReal rotation[12];        /* the pose's */
    dReal force[4], torque[4]; /* gathered for the next step, world */
    dReal max_angular_speed;
    lode__ode_damping damping;
    lode__ode_idle idle;
    struct dxBody *next, *last; /* in the world's list, newest first */
    dMass mass;                 /* as set, also of a kinematic body */
    unsigned places;            /* how often the program has turned it */
    dReal inverse_inertia[6];   /* body axes, xx yy zz xy xz yz */
    dReal finite_axis[4];       /* world; zero for none */
    int steps_left;             /* until it disables itself */
    dReal time_left;            /* the same, s */
    lode__ode_sample *samples;  /* a ring of idle.samples, or null while there is one */
    unsigned sample_count, sample_at;
    dBodyID reached_next; /* of those that the step has reached */
    int distance;         /* from an enabled body, in joints */
    lode_vec3 from;       /* where it was when the step began, if contacts tell what they bear */
    lode__ode_fast fast;  /* what StepFast1 knows of it */
    void *data;
};

_Static_assert(sizeof(dReal) == sizeof(lode_real) &&
                   offsetof(lode__pose, pad) == 3 * sizeof(dReal) &&
                   offsetof(lode__pose, rotation) == 4 * sizeof(dReal) &&
                   offsetof(lode_quat, w) == 0 && offsetof(lode_quat, x) == sizeof(dReal),
               "a pose is a dVector3 and a dQuaternion");

typedef struct lode__ode_working lode__ode_working;

/* Who runs the tasks of steps: nobody but the thread that steps where there are no functions. */
typedef struct lode__ode_threads {
    const dThreadingFunctionsInfo *functions;
    dThreadingImplementationID impl;
    dCallWaitID wait;
    int workers; /* that the tasks of the world below are for; 0 as 1 */
} lode__ode_threads;

/* No row is quite without softness below: of such rows the solver takes what corrects their errors
 * out of the velocities again, and in ODE it stays. */
#define LODE__ODE_LEAST_CFM ((dReal)1e-30)

struct dxWorld {
    lode_world handle;
    lode__world *lode; /* the same */
    lode_body ground;  /* a body of it that stands still: see joint_bring.c; null while unused */
    struct dxBody *bodies;
    struct dxBody **row; /* the same in the same order, while no body comes or goes */
    uint32_t body_count, row_count, row_capacity; /* row_count is 0 where it is to be made anew */
    dJointID joints;                              /* all but contacts, newest first */
    dJointID contacts;
    uint32_t contact_count;
    uint64_t contact_epoch; /* how often all contacts have ended at once */
    uint64_t attached;      /* how often joints have been, so far */
    bool tells_contacts;    /* one of them in the step has feedback */
    bool tells_joints;      /* one of the others has */
    bool failed;            /* the last step was not made, after bodies had been found idle */
    bool writes_rows;       /* the handle's rows have their writer: see joints/transmission.c */
    dReal gravity[4], erp, cfm;
    dReal max_correcting_velocity, surface_layer, max_angular_speed;
    lode__ode_idle idle;
    lode__ode_damping damping;
    lode__ode_working *working; /* or null: not needed so far */
    lode__ode_threads threads;
    unsigned island_threads; /* as set: 0, no limit */
    int quick_iterations;
    int fast_depth; /* how far StepFast1 enables bodies */
    dReal quick_w;
    void *data;
};

#endif

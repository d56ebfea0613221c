/* scenarios.h: what the files of scenarios share. */
#ifndef LODE_TESTS_ODE_SCENARIOS_H
#define LODE_TESTS_ODE_SCENARIOS_H

#include <ode/ode.h>

enum { STEPS = 100, BODIES = 4 };

typedef int step_fn(dWorldID world, dReal h);

typedef struct scene {
    dWorldID world;
    dJointGroupID contacts;
    dBodyID body[BODIES];
    dJointID joint[BODIES];
    dJointFeedback feedback[BODIES];
    dJointFeedback corner[BODIES][4]; /* of contacts */
} scene;

typedef struct scenario {
    const char *name;
    void (*build)(scene *s);
    void (*before)(scene *s); /* each step; or null */
    step_fn *step;
    double tolerance; /* of all that is printed, m, rad, m/s ... */
} scenario;

typedef dJointID make_fn(dWorldID world, dJointGroupID group);

/* dWorldQuickStep() with as many sweeps as it takes: both libraries come to the solution. */
int settle(dWorldID world, dReal h);

/* Four bodies side by side along x, a metre apart. */
void make_bodies(scene *s);

/* A joint between body `i` and the one before, or the world; `turned`: the other way round. */
void attach(scene *s, int i, int turned);
void make_chain(scene *s, make_fn *make, int turned);

/* scenarios_joints.c: of joints of more types, ending with one without a name; and what a joint of
 * those types tells, in one number. */
extern const scenario joint_scenarios[];
dReal told_by(dJointID joint);

/* scenarios_contacts.c: the same of contacts. */
extern const scenario contact_scenarios[];

#endif

/* scenarios_contacts.c: little worlds of balls on the floor at z = 0, with contacts made by hand:
 * friction against rolling and spinning. A ball has one point, so both libraries mean the same.
 *
 * What the numbers should be is known: a ball of radius r that rolls with the speed v slows down by
 * 5/7 rho g / r while it rolls and comes to a stop, and one that spins by 5/2 rhoN g / r^2;
 * tests/ode/test_contacts.c holds ours against that. */
#include "scenarios.h"

#include <stddef.h>

#define RADIUS ((dReal)0.25)

/* Which roll, in their directions, and spin. */
static void make_balls(scene *s)
{
    for (int i = 0; i < BODIES; ++i) {
        dMass mass;
        s->body[i] = dBodyCreate(s->world);
        dMassSetSphereTotal(&mass, (dReal)(1 + i), RADIUS);
        dBodySetMass(s->body[i], &mass);
        dBodySetPosition(s->body[i], (dReal)(2 * i), 0, RADIUS);
        dReal vx = (dReal)(0.5 + 0.1 * i), vy = (dReal)(0.2 * i);
        dBodySetLinearVel(s->body[i], vx, vy, 0);
        dBodySetAngularVel(s->body[i], -vy / RADIUS, vx / RADIUS, (dReal)(3 - 2 * i));
    }
    dWorldSetGravity(s->world, 0, 0, (dReal)-9.81);
}

/* The odd ones are the second body. */
static void touch(scene *s, const dSurfaceParameters *surface)
{
    for (int i = 0; i < BODIES; ++i) {
        const dReal *p = dBodyGetPosition(s->body[i]);
        int second = i % 2;
        dContact contact = {.surface = *surface};
        contact.geom.pos[0] = p[0];
        contact.geom.pos[1] = p[1];
        contact.geom.normal[2] = second ? -1 : 1;
        contact.geom.depth = RADIUS - p[2];
        contact.fdir1[0] = (dReal)0.6;
        contact.fdir1[1] = (dReal)0.8;
        dJointID joint = dJointCreateContact(s->world, s->contacts, &contact);
        dJointAttach(joint, second ? 0 : s->body[i], second ? s->body[i] : 0);
        dJointSetFeedback(joint, &s->corner[i][0]);
    }
}

#define TOUCHES(name, ...) \
    static void name(scene *s) \
    { \
        touch(s, &(dSurfaceParameters){__VA_ARGS__}); \
    }

#define LENGTHS (dContactRolling | dContactApprox1 | dContactFDir1)
#define MOMENTS (dContactRolling | dContactFDir1)

TOUCHES(roll, .mode = LENGTHS, .mu = 1, .rho = (dReal)0.05)
TOUCHES(roll_by_axis, .mode = LENGTHS | dContactAxisDep, .mu = 1, .mu2 = (dReal)0.5,
        .rho = (dReal)0.05, .rho2 = (dReal)0.01, .rhoN = (dReal)0.02)
TOUCHES(spin, .mode = LENGTHS | dContactAxisDep, .mu = 1, .mu2 = 1, .rhoN = (dReal)0.02)
TOUCHES(hold, .mode = LENGTHS | dContactAxisDep, .mu = 1, .mu2 = 1, .rho = dInfinity,
        .rhoN = (dReal)0.01)
TOUCHES(roll_by_moments, .mode = MOMENTS | dContactAxisDep, .mu = 100, .mu2 = 100,
        .rho = (dReal)0.5, .rho2 = (dReal)0.2, .rhoN = (dReal)0.3)
TOUCHES(roll_by_both, .mode = MOMENTS | dContactApprox1_2, .mu = 1, .rho = (dReal)0.03)
TOUCHES(hold_all, .mode = MOMENTS, .mu = dInfinity, .rho = dInfinity)

/* clang-format off */
const scenario contact_scenarios[] = {
    /* name                             build       before           step             tolerance */
    {"rolling",                         make_balls, roll,            dWorldStep,      1e-6},
    {"rolling, quick",                  make_balls, roll,            dWorldQuickStep, 1e-6},
    {"rolling, by axis",                make_balls, roll_by_axis,    dWorldStep,      1e-6},
    {"rolling, by axis, quick",         make_balls, roll_by_axis,    dWorldQuickStep, 1e-6},
    {"spinning",                        make_balls, spin,            dWorldStep,      1e-6},
    {"spinning, quick",                 make_balls, spin,            dWorldQuickStep, 1e-6},
    {"rolling, never",                  make_balls, hold,            dWorldStep,      1e-6},
    {"rolling, never, quick",           make_balls, hold,            dWorldQuickStep, 1e-6},
    {"rolling, by moments",             make_balls, roll_by_moments, dWorldStep,      1e-6},
    {"rolling, by moments, quick",      make_balls, roll_by_moments, dWorldQuickStep, 1e-6},
    {"rolling, one by load",            make_balls, roll_by_both,    dWorldStep,      1e-6},
    {"turning, never",                  make_balls, hold_all,        dWorldStep,      1e-6},
    {NULL,                              NULL,       NULL,            NULL,            0},
};
/* clang-format on */

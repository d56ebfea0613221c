/* test_contacts.c: contact joints of the ODE face that resist rolling and spinning, held against
 * what the equations say: a ball of radius r that rolls with the speed v slows down by
 * 5/7 rho g / r and stands after v^2 / 2 of that; one that spins slows down by 5/2 rhoN g / r^2.
 * Where the limit is a moment M it is rho m g, of each point. */
#include "joint_tests.h"

#include <string.h>

#define RADIUS ((dReal)0.25)
#define MASS 2
#define G 9.81

/* Of what is computed in a second. */
#define EXACT (sizeof(dReal) == 8 ? 1e-7 : 2e-3)

typedef struct ground {
    dWorldID world;
    dBodyID body;
    dJointGroupID contacts;
    dSurfaceParameters surface;
    dJointFeedback feedback[4];
    int points;   /* under a ball 1; under a box its corners */
    int second;   /* the body is the contacts' second one */
    dReal length; /* of their normals; 0: 1 */
    int (*step)(dWorldID world, dReal h);
} ground;

static ground make_ground(int mode)
{
    ground g = {.world = dWorldCreate(), .contacts = dJointGroupCreate(0), .points = 1};
    dMass mass;
    dWorldSetGravity(g.world, 0, 0, (dReal)-G);
    g.body = dBodyCreate(g.world);
    dMassSetSphereTotal(&mass, MASS, RADIUS);
    dBodySetMass(g.body, &mass);
    dBodySetPosition(g.body, 0, 0, RADIUS);
    g.surface.mode = mode;
    g.surface.mu = dInfinity;
    g.step = dWorldStep;
    return g;
}

static void end(ground *g)
{
    dJointGroupDestroy(g->contacts);
    dWorldDestroy(g->world);
}

static void touch(ground *g)
{
    const dReal *p = dBodyGetPosition(g->body);
    for (int i = 0; i < g->points; ++i) {
        dContact contact = {.surface = g->surface};
        dReal reach = g->points > 1 ? RADIUS : 0;
        contact.geom.pos[0] = p[0] + (i & 1 ? reach : -reach);
        contact.geom.pos[1] = p[1] + (i & 2 ? reach : -reach);
        contact.geom.normal[2] = (g->second ? -1 : 1) * (g->length > 0 ? g->length : 1);
        contact.geom.depth = RADIUS - p[2];
        contact.fdir1[0] = 1;
        dJointID joint = dJointCreateContact(g->world, g->contacts, &contact);
        dJointAttach(joint, g->second ? 0 : g->body, g->second ? g->body : 0);
        dJointSetFeedback(joint, &g->feedback[i]);
    }
}

static void run_ground(ground *g, int steps)
{
    for (int i = 0; i < steps; ++i) {
        touch(g);
        assert_int_equal(g->step(g->world, STEP), 1);
        dJointGroupEmpty(g->contacts);
    }
}

static void roll(ground *g, double vx, double vy)
{
    dBodySetLinearVel(g->body, (dReal)vx, (dReal)vy, 0);
    dBodySetAngularVel(g->body, (dReal)-vy / RADIUS, (dReal)vx / RADIUS, 0);
}

/* Turning about t1, along x, is rolling along y. */
static double stops_after(double v, double rho)
{
    return v * v / (2 * 5.0 / 7 * rho * G / (double)RADIUS);
}

#define EACH_WAY(g, mode) \
    for (int way_ = 0; way_ < 4; ++way_) \
        for (ground g = make_ground(mode), *once_ = &g; \
             once_ && (g.second = way_ & 1, g.step = way_ & 2 ? dWorldQuickStep : dWorldStep, 1); \
             end(&g), once_ = NULL)

/* A step's way is the end's speed times its length: half a step's of the first speed is lost. */
static void balls_come_to_rest(void **state)
{
    (void)state;
    EACH_WAY(g, dContactRolling | dContactApprox1)
    {
        g.surface.rho = (dReal)0.05;
        roll(&g, 1, 0.5);
        run_ground(&g, 150);
        const dReal *p = dBodyGetPosition(g.body), *v = dBodyGetLinearVel(g.body);
        near_to(p[0], stops_after(1, 0.05) - 0.5 * (double)STEP, 2e-4);
        near_to(p[1], stops_after(0.5, 0.05) - 0.25 * (double)STEP, 2e-4);
        points_to(v, 0, 0, 0, EXACT);
        points_to(dBodyGetAngularVel(g.body), 0, 0, 0, EXACT);
    }
}

/* rho is about the first direction, rho2 about the second, rhoN about the normal. */
static void axes_have_their_own(void **state)
{
    (void)state;
    EACH_WAY(g, dContactRolling | dContactApprox1 | dContactAxisDep | dContactFDir1)
    {
        g.surface.mu2 = dInfinity;
        g.surface.rho = (dReal)0.01;
        g.surface.rho2 = (dReal)0.02;
        g.surface.rhoN = (dReal)0.004;
        roll(&g, 2, 3);
        dReal w[3];
        memcpy(w, dBodyGetAngularVel(g.body), sizeof w);
        dBodySetAngularVel(g.body, w[0], w[1], 5);
        run_ground(&g, 100);
        const dReal *v = dBodyGetLinearVel(g.body);
        double slows = 5.0 / 7 * G / (double)RADIUS;
        near_to(v[0], 2 - slows * 0.02, EXACT);
        near_to(v[1], 3 - slows * 0.01, EXACT);
        near_to(dBodyGetAngularVel(g.body)[2], 5 - 2.5 * 0.004 * G / ((double)RADIUS * RADIUS),
                10 * EXACT);
    }
}

static void limits_may_be_moments(void **state)
{
    (void)state;
    EACH_WAY(g, dContactRolling)
    {
        g.surface.rho = (dReal)0.3;
        dBodySetAngularVel(g.body, 0, 0, 9);
        run_ground(&g, 100);
        double inertia = 0.4 * MASS * (double)(RADIUS * RADIUS);
        near_to(dBodyGetAngularVel(g.body)[2], 9 - 0.3 / inertia, 10 * EXACT);
    }
}

/* Each of a box's corners bears as much as it may. */
static void each_point_has_its_moment(void **state)
{
    (void)state;
    EACH_WAY(g, dContactRolling | dContactAxisDep)
    {
        g.points = 4;
        g.surface.mu = 0;
        g.surface.rhoN = (dReal)0.1;
        dBodySetAngularVel(g.body, 0, 0, 9);
        run_ground(&g, 100);
        double inertia = 0.4 * MASS * (double)(RADIUS * RADIUS);
        near_to(dBodyGetAngularVel(g.body)[2], 9 - 4 * 0.1 / inertia, 10 * EXACT);
    }
}

static void endless_ones_hold(void **state)
{
    (void)state;
    for (int approx = 0; approx < 2; ++approx)
        EACH_WAY(g, dContactRolling | (approx ? dContactApprox1 : 0))
        {
            g.surface.rho = dInfinity;
            roll(&g, 1, 0.5);
            run_ground(&g, 5);
            dBodyAddTorque(g.body, 1, 2, 3);
            run_ground(&g, 1);
            points_to(dBodyGetAngularVel(g.body), 0, 0, 0, EXACT);
            points_to(dBodyGetLinearVel(g.body), 0, 0, 0, EXACT);
        }
}

/* What resists is in the feedback: all that a body gains comes from there and from outside. */
static void feedback_tells_moments(void **state)
{
    (void)state;
    for (int points = 1; points < 5; points += 3)
        EACH_WAY(g, dContactRolling | dContactApprox1)
        {
            g.points = points;
            g.surface.mu = 0;
            g.surface.rho = (dReal)0.05;
            dBodySetAngularVel(g.body, 0, 0, 9);
            run_ground(&g, 1);
            double sum = 0, about = 0.05 * MASS * G;
            for (int i = 0; i < points; ++i)
                sum += g.feedback[i].t1[2];
            near_to(sum, -about, 10 * EXACT);
            double inertia = 0.4 * MASS * (double)(RADIUS * RADIUS);
            near_to(dBodyGetAngularVel(g.body)[2], 9 - about / inertia * (double)STEP, EXACT);
        }
}

/* A ball that slides all the time: one that rolls does not say how hard friction pushed. */
static void normals_are_directions(void **state)
{
    (void)state;
    const dReal lengths[3] = {1, (dReal)1.3, (dReal)1e-3};
    for (int i = 0; i < 3; ++i)
        EACH_WAY(g, dContactApprox1)
        {
            g.surface.mu = (dReal)0.3;
            g.length = lengths[i];
            dBodySetLinearVel(g.body, 2, 1, 0);
            run_ground(&g, 8);
            double slower = 0.3 * G * 8 * (double)STEP;
            near_to(dBodyGetLinearVel(g.body)[0], 2 - slower, EXACT);
            near_to(dBodyGetAngularVel(g.body)[1], 2.5 * slower / (double)RADIUS, EXACT);
        }
}

/* Without its bit rho does not count, nor what is no number or less than nothing. */
static void what_is_not_said_does_not_count(void **state)
{
    (void)state;
    const dReal none[3] = {-1, (dReal)NAN, (dReal)0.5};
    for (int i = 0; i < 3; ++i)
        EACH_WAY(g, dContactApprox1 | (i < 2 ? dContactRolling : 0))
        {
            g.surface.rho = g.surface.rho2 = g.surface.rhoN = none[i];
            roll(&g, 1, 0.5);
            run_ground(&g, 50);
            near_to(dBodyGetLinearVel(g.body)[0], 1, EXACT);
            near_to(dBodyGetLinearVel(g.body)[1], 0.5, EXACT);
        }
}

int main(void)
{
    dInitODE2(0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_come_to_rest),     cmocka_unit_test(axes_have_their_own),
        cmocka_unit_test(limits_may_be_moments),  cmocka_unit_test(each_point_has_its_moment),
        cmocka_unit_test(endless_ones_hold),      cmocka_unit_test(feedback_tells_moments),
        cmocka_unit_test(normals_are_directions), cmocka_unit_test(what_is_not_said_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

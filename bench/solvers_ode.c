/* solvers_ode.c: dWorldStep and dWorldQuickStep on the systems of solvers.h, of libode and,
 * compiled once more with Lode's headers, of the ODE face; with their default ERP and CFM. Its
 * memory is what its allocator holds more after the first step than before; its complaints are
 * counted in place of printed. */
#include "bench/solvers.h"
#include "bench/tool.h"

#include <ode/ode.h>

#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 20 };

typedef struct ode_side {
    const bench_system *system;
    dWorldID world;
    dJointGroupID group;
    dBodyID *bodies;
    int quick, rows;
    size_t bytes;
} ode_side;

static size_t held; /* bytes */
static int complaints;

static void *take(dsizeint size)
{
    held += size;
    return malloc(size);
}

static void *take_again(void *memory, dsizeint old_size, dsizeint size)
{
    held += size - old_size;
    return realloc(memory, size);
}

static void give_back(void *memory, dsizeint size)
{
    held -= memory ? size : 0;
    free(memory);
}

static void count_complaint(int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
    ++complaints;
}

#ifndef BENCH_FACE
int bench_solvers_ode_complaints(void)
{
    int count = complaints;
    complaints = 0;
    return count;
}
#endif

static void begin(void)
{
    dSetAllocHandler(take);
    dSetReallocHandler(take_again);
    dSetFreeHandler(give_back);
    dSetMessageHandler(count_complaint);
    dInitODE2(0);
}

static dBodyID body_of(const ode_side *side, int body)
{
    return body < 0 ? NULL : side->bodies[body];
}

static void add_tie(ode_side *side, const bench_tie *tie)
{
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = BENCH_BOX_FRICTION;
    contact.geom.normal[2] = 1;
    memcpy(contact.geom.pos, tie->at, sizeof tie->at);
    dJointID joint = side->system->touch ? dJointCreateContact(side->world, side->group, &contact)
                                         : dJointCreateBall(side->world, side->group);
    dJointAttach(joint, body_of(side, tie->a), body_of(side, tie->b));
    if (!side->system->touch)
        dJointSetBallAnchor(joint, tie->at[0], tie->at[1], tie->at[2]);
    side->rows += 3;
}

static void *create(const bench_system *system, int quick)
{
    begin();
    ode_side *side = bench_alloc(1, sizeof *side);
    side->system = system;
    side->quick = quick;
    side->world = dWorldCreate();
    side->group = dJointGroupCreate(0);
    side->bodies = bench_alloc((size_t)system->bodies, sizeof *side->bodies);
    dWorldSetGravity(side->world, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(side->world, ITERATIONS);
    for (int i = 0; i < system->bodies; ++i) {
        dMass mass;
        const double *at = system->center[i];
        dMassSetBoxTotal(&mass, BENCH_BOX_MASS, 2 * BENCH_BOX_HALF, 2 * BENCH_BOX_HALF,
                         2 * BENCH_BOX_HALF);
        side->bodies[i] = dBodyCreate(side->world);
        dBodySetMass(side->bodies[i], &mass);
        dBodySetPosition(side->bodies[i], at[0], at[1], at[2]);
    }
    for (int i = 0; i < system->tie_count; ++i)
        add_tie(side, &system->ties[i]);
    return side;
}

static void destroy(void *solver)
{
    ode_side *side = solver;
    dJointGroupDestroy(side->group);
    dWorldDestroy(side->world);
    dCloseODE();
    dSetMessageHandler(NULL);
    free(side->bodies);
    free(side);
}

static void set_back(const ode_side *side)
{
    const dQuaternion straight = {1, 0, 0, 0};
    for (int i = 0; i < side->system->bodies; ++i) {
        const double *at = side->system->center[i];
        dBodySetPosition(side->bodies[i], at[0], at[1], at[2]);
        dBodySetQuaternion(side->bodies[i], straight);
        dBodySetLinearVel(side->bodies[i], bench_system_drift(i, 0), bench_system_drift(i, 1),
                          bench_system_drift(i, 2));
        dBodySetAngularVel(side->bodies[i], 0, 0, 0);
    }
}

static double step(void *solver)
{
    ode_side *side = solver;
    set_back(side);
    size_t bytes = held;
    double before = bench_now();
    int (*const steppers[2])(dWorldID, dReal) = {dWorldStep, dWorldQuickStep};
    if (!steppers[side->quick](side->world, BENCH_SOLVE_DT))
        bench_fail("a step of libode failed");
    double seconds = bench_now() - before;
    if (side->bytes == 0)
        side->bytes = held - bytes;
    return seconds;
}

static void get_velocity(void *solver, int body, double out_velocity[6])
{
    const ode_side *side = solver;
    memcpy(out_velocity, dBodyGetLinearVel(side->bodies[body]), 3 * sizeof(double));
    memcpy(out_velocity + 3, dBodyGetAngularVel(side->bodies[body]), 3 * sizeof(double));
}

/* Handlers hear of little that the face takes: nothing is said of it. */
static size_t bytes(void *solver)
{
#ifdef BENCH_FACE
    (void)solver;
    return 0;
#else
    return ((ode_side *)solver)->bytes;
#endif
}

static int rows(void *solver)
{
    return ((ode_side *)solver)->rows;
}

#ifdef BENCH_FACE
#define NAME "face"
#define SOLVERS bench_solvers_face
#else
#define NAME "libode"
#define SOLVERS bench_solvers_ode
#endif
#define ODE_SIDE create, destroy, step, get_velocity, bytes, rows

const bench_solver SOLVERS[BENCH_STEPPERS] = {{NAME " dWorldStep", 0, ODE_SIDE},
                                              {NAME " QuickStep", 1, ODE_SIDE}};

/* small_worlds.c: a program for ODE with few bodies: worlds whose steps have little to share among
 * lanes. It is built with libode and with Lode in its place, and prints microseconds
 * a step of both steppers, with near callbacks. Heaps are chaotic, and their steps cost more or
 * less by how they happen to lie: theirs is the mean over many that fall and settle. */
#include "bench/random.h"
#include "bench/tool.h"

#include <ode/ode.h>

#include <stdarg.h>
#include <stdio.h>

enum { SETTLING = 200, ROUNDS = 9, CONTACTS = 8, FALLING = 60, HEAP_STEPS = 240 };

static const dReal time_step = 0.01;

typedef struct small_world {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    uint64_t random;
} small_world;

static dBodyID add_box(const small_world *w, const dReal at[3], const dReal sides[3], dReal mass)
{
    dBodyID body = dBodyCreate(w->world);
    dMass m;
    dMassSetBoxTotal(&m, mass, sides[0], sides[1], sides[2]);
    dBodySetMass(body, &m);
    dBodySetPosition(body, at[0], at[1], at[2]);
    dGeomSetBody(dCreateBox(w->space, sides[0], sides[1], sides[2]), body);
    return body;
}

static void build_stack(const small_world *w, int count)
{
    for (int i = 0; i < count; ++i)
        add_box(w, (const dReal[3]){0, 0, 0.5 + i}, (const dReal[3]){1, 1, 1}, 1);
}

/* Links of 0.2 m that hang from the world by hinges with motors, their axes by turns. */
static void build_arm(const small_world *w, int count)
{
    dBodyID last = NULL;
    for (int i = 0; i < count; ++i) {
        dBodyID link = add_box(w, (const dReal[3]){0.1 + 0.2 * i, 0, 5},
                               (const dReal[3]){0.19, 0.1, 0.1}, 1);
        dJointID joint = dJointCreateHinge(w->world, NULL);
        dJointAttach(joint, link, last);
        dJointSetHingeAnchor(joint, 0.2 * i, 0, 5);
        dJointSetHingeAxis(joint, 0, i % 2, 1 - i % 2);
        dJointSetHingeParam(joint, dParamFMax, 5);
        dJointSetHingeParam(joint, dParamVel, 0.1);
        last = link;
    }
}

static void add_wheel(const small_world *w, dBodyID chassis, dReal x, dReal y, dReal steer)
{
    dBodyID wheel = dBodyCreate(w->world);
    dMass m;
    dMassSetSphereTotal(&m, 0.2, 0.18);
    dBodySetMass(wheel, &m);
    dBodySetPosition(wheel, x, y, 0.35);
    dGeomSetBody(dCreateSphere(w->space, 0.18), wheel);
    dJointID joint = dJointCreateHinge2(w->world, NULL);
    dJointAttach(joint, chassis, wheel);
    dJointSetHinge2Anchor(joint, x, y, 0.35);
    dJointSetHinge2Axes(joint, (const dVector3){0, 0, 1}, (const dVector3){0, 1, 0});
    dJointSetHinge2Param(joint, dParamSuspensionERP, 0.4);
    dJointSetHinge2Param(joint, dParamSuspensionCFM, 0.8);
    dJointSetHinge2Param(joint, dParamVel2, -3);
    dJointSetHinge2Param(joint, dParamFMax2, 0.1);
    dJointSetHinge2Param(joint, dParamLoStop, steer);
    dJointSetHinge2Param(joint, dParamHiStop, steer);
}

static void add_car(const small_world *w, int axles, dReal y, dReal steer)
{
    dBodyID chassis = add_box(w, (const dReal[3]){0, y, 0.5}, (const dReal[3]){0.7, 0.5, 0.2}, 1);
    for (int k = 0; k < 2 * axles; ++k)
        add_wheel(w, chassis, 0.35 - 0.7 * (k / 2) / (axles - 1), k % 2 ? y + 0.35 : y - 0.35,
                  k < 2 ? steer : 0);
}

static void build_cars(const small_world *w, int count)
{
    for (int i = 0; i < count; ++i)
        add_car(w, 2, 3 * i, 0);
}

static void build_turning_car(const small_world *w, int axles)
{
    add_car(w, axles, 0, 0.2);
}

/* Boxes of 2.7 kg and spheres of 2.06 kg fall into a pit of two metres. */
static void build_heap(const small_world *w, int count)
{
    uint64_t random = w->random;
    for (int k = 0; k < 4; ++k)
        dCreatePlane(w->space, k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0, 0, -1);
    for (int i = 0; i < count; ++i) {
        dReal at[3] = {bench_random_between(&random, -0.7, 0.7),
                       bench_random_between(&random, -0.7, 0.7), 0.3 + 0.12 * i};
        dBodyID body = add_box(w, at, (const dReal[3]){0.3, 0.3, 0.3}, i % 2 ? 2.7 : 2.06);
        if (i % 2)
            continue;
        dGeomDestroy(dBodyGetFirstGeom(body));
        dGeomSetBody(dCreateSphere(w->space, 0.17), body);
    }
}

static void near_callback(void *data, dGeomID a, dGeomID b)
{
    const small_world *w = data;
    dBodyID x = dGeomGetBody(a), y = dGeomGetBody(b);
    dContact contacts[CONTACTS];
    if (x && y && dAreConnectedExcluding(x, y, dJointTypeContact))
        return;
    int count = dCollide(a, b, CONTACTS, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
        contacts[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = 0.8};
        dJointAttach(dJointCreateContact(w->world, w->contacts, &contacts[i]), x, y);
    }
}

static void step(small_world *w, int (*stepper)(dWorldID, dReal))
{
    dSpaceCollide(w->space, w, near_callback);
    stepper(w->world, time_step);
    dJointGroupEmpty(w->contacts);
}

typedef struct scene {
    const char *name;
    void (*build)(const small_world *, int);
    int count, steps;
    int heaps; /* how many; 0: it is none */
} scene;

static small_world begin(const scene *of, uint64_t random)
{
    small_world w = {dWorldCreate(), dHashSpaceCreate(NULL), dJointGroupCreate(0), random};
    dWorldSetGravity(w.world, 0, 0, -9.81);
    dCreatePlane(w.space, 0, 0, 1, 0);
    of->build(&w, of->count);
    return w;
}

static void end(const small_world *w)
{
    dJointGroupDestroy(w->contacts);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
}

/* Microseconds a step. */
static double run(small_world *w, int steps, int (*stepper)(dWorldID, dReal))
{
    double from = bench_now();
    for (int i = 0; i < steps; ++i)
        step(w, stepper);
    return (bench_now() - from) / steps * 1e6;
}

/* Of the fastest round. */
static double measure_best(const scene *of, int (*stepper)(dWorldID, dReal))
{
    small_world w = begin(of, 0);
    double best = 1e9;
    (void)run(&w, SETTLING, stepper);
    for (int round = 0; round < ROUNDS; ++round) {
        double each = run(&w, of->steps, stepper);
        best = each < best ? each : best;
    }
    end(&w);
    return best;
}

static double measure_heaps(const scene *of, int (*stepper)(dWorldID, dReal))
{
    double sum = 0;
    for (int i = 0; i < of->heaps; ++i) {
        small_world w = begin(of, (uint64_t)i + 1);
        (void)run(&w, FALLING, stepper);
        sum += run(&w, of->steps, stepper);
        end(&w);
    }
    return sum / of->heaps;
}

static double measure(const scene *of, int (*stepper)(dWorldID, dReal))
{
    return of->heaps ? measure_heaps(of, stepper) : measure_best(of, stepper);
}

static void ignore(int number, const char *format, va_list values)
{
    (void)number;
    (void)format;
    (void)values;
}

int main(void)
{
    static const scene scenes[] = {
        {"a box on the ground", build_stack, 1, 2000, 0},
        {"a stack of 5", build_stack, 5, 2000, 0},
        {"a stack of 10", build_stack, 10, 2000, 0},
        {"an arm of 3 hinges", build_arm, 3, 2000, 0},
        {"an arm of 7 hinges", build_arm, 7, 2000, 0},
        {"a car", build_cars, 1, 2000, 0},
        {"8 cars", build_cars, 8, 2000, 0},
        {"a turn on 4 wheels", build_turning_car, 2, 2000, 0},
        {"a turn on 6 wheels", build_turning_car, 3, 2000, 0},
        {"a heap of 20", build_heap, 20, HEAP_STEPS, 24},
        {"a heap of 30", build_heap, 30, HEAP_STEPS, 24},
        {"a heap of 40", build_heap, 40, HEAP_STEPS, 24},
    };
    dInitODE2(0);
    dSetMessageHandler(ignore); /* libode's, of problems that it does not solve */
    printf("%-20s %12s %12s   us a step\n", "", "QuickStep", "dWorldStep");
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i)
        printf("%-20s %12.1f %12.1f\n", scenes[i].name, measure(&scenes[i], dWorldQuickStep),
               measure(&scenes[i], dWorldStep));
    dCloseODE();
    return 0;
}

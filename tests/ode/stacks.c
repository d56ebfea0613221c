/* stacks.c: boxes put on one another, each touching the one below, with a usual near callback: for
 * both steppers, with and without a surface layer, with 2 to 10 boxes, heavy cubes and light flat
 * ones. Prints of each stack how far a box moves aside within six seconds, and how far one sinks,
 * with a bound for the first; compare_stacks.py holds ours against libode's. */
#include "program.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 10, STEPS = 600 };

#define STEP ((dReal)0.01)

typedef int step_fn(dWorldID world, dReal h);

/* Those by QuickStep are within what the sweeps of a step leave: little of cubes, which answer
 * alike all ways, most where a layer lets boxes tilt within it. */
typedef struct stack {
    const char *name;
    step_fn *step;
    dReal layer, size[3], mass;
    double bound;
} stack;

#define CUBES {1, 1, 1}, 1000
#define FLAT {1, (dReal)0.8, (dReal)0.5}, 2

/* clang-format off */
static const stack stacks[] = {
    {"cubes",                    dWorldStep,      0,           CUBES, 1e-12},
    {"cubes, layer",             dWorldStep,      (dReal)1e-3, CUBES, 1e-12},
    {"cubes, quick",             dWorldQuickStep, 0,           CUBES, 1e-6},
    {"cubes, quick, layer",      dWorldQuickStep, (dReal)1e-3, CUBES, 1e-6},
    {"flat boxes",               dWorldStep,      0,           FLAT,  1e-9},
    {"flat boxes, layer",        dWorldStep,      (dReal)1e-3, FLAT,  1e-9},
    {"flat boxes, quick",        dWorldQuickStep, 0,           FLAT,  3e-3},
    {"flat boxes, quick, layer", dWorldQuickStep, (dReal)1e-3, FLAT,  0.025},
};
/* clang-format on */

static void pile(program *p, const stack *s, dSpaceID space, dBodyID *bodies, int count)
{
    dMass mass;
    dMassSetBoxTotal(&mass, s->mass, s->size[0], s->size[1], s->size[2]);
    dCreatePlane(space, 0, 0, 1, 0);
    for (int i = 0; i < count; ++i) {
        dGeomID box = dCreateBox(space, s->size[0], s->size[1], s->size[2]);
        bodies[i] = dBodyCreate(p->world);
        dBodySetMass(bodies[i], &mass);
        dGeomSetBody(box, bodies[i]);
        dBodySetPosition(bodies[i], 0, 0, s->size[2] * (dReal)(0.5 + i));
    }
}

static void measure(const stack *s, const dBodyID *bodies, int count, double *side, double *sunk)
{
    for (int i = 0; i < count; ++i) {
        const dReal *p = dBodyGetPosition(bodies[i]);
        *side = fmax(*side, hypot((double)p[0], (double)p[1]));
        *sunk = fmax(*sunk, (double)s->size[2] * (0.5 + i) - (double)p[2]);
    }
}

static void stand(const stack *s, int count)
{
    program p = {dWorldCreate(), dJointGroupCreate(0)};
    dSpaceID space = dHashSpaceCreate(0);
    dBodyID bodies[MOST];
    double side = 0, sunk = 0;
    dWorldSetGravity(p.world, 0, 0, (dReal)-9.81);
    dWorldSetContactSurfaceLayer(p.world, s->layer);
    pile(&p, s, space, bodies, count);
    for (int i = 0; i < STEPS; ++i) {
        dSpaceCollide(space, &p, touch);
        s->step(p.world, STEP);
        dJointGroupEmpty(p.contacts);
        measure(s, bodies, count, &side, &sunk);
    }
    printf("%s, %d boxes;%g;%.6g %.6g\n", s->name, count, s->bound, side, sunk);
    dJointGroupDestroy(p.contacts);
    dSpaceDestroy(space);
    dWorldDestroy(p.world);
}

int main(void)
{
    dInitODE2(0);
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; ++i)
        for (int count = 2; count <= MOST; count += 2)
            stand(&stacks[i], count);
    dCloseODE();
    return 0;
}

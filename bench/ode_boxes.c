/* ode_boxes.c: a usual program for ODE: boxes in columns, a hash space, a near callback, QuickStep.
 * It is built with libode, and runs with that or, by LD_LIBRARY_PATH, with ours: the time that one
 * takes beside the other is what a program gains.
 *
 *     ode_boxes [columns a side] [boxes a column] */
#include <ode/ode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 150, POINTS = 8 };

typedef struct program {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    long contact_count;
} program;

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void touch(void *data, dGeomID a, dGeomID b)
{
    program *p = data;
    dContact contacts[POINTS];
    memset(contacts, 0, sizeof contacts);
    int count = dCollide(a, b, POINTS, &contacts[0].geom, sizeof contacts[0]);
    p->contact_count += count;
    for (int i = 0; i < count; ++i) {
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = 0.6;
        dJointAttach(dJointCreateContact(p->world, p->contacts, &contacts[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

/* A box of 1 m and 1 kg. */
static void add_box(const program *p, double x, double y, double z)
{
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 1, 1, 1);
    dBodyID body = dBodyCreate(p->world);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    dGeomSetBody(dCreateBox(p->space, 1, 1, 1), body);
}

/* Columns lean a little, and their boxes begin 5 cm apart. */
static void build(program *p, int side, int height)
{
    p->world = dWorldCreate();
    p->space = dHashSpaceCreate(NULL);
    p->contacts = dJointGroupCreate(0);
    dWorldSetGravity(p->world, 0, 0, -9.81);
    dCreatePlane(p->space, 0, 0, 1, 0);
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
            for (int k = 0; k < height; ++k)
                add_box(p, 1.3 * i + 0.01 * k, 1.3 * j + 0.02 * k, 0.6 + 1.05 * k);
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 10, height = argc > 2 ? atoi(argv[2]) : 10;
    double collide = 0, step = 0;
    program p = {.contact_count = 0};
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    build(&p, side, height);
    for (int i = 0; i < STEPS; ++i) {
        double begin = now();
        dSpaceCollide(p.space, &p, touch);
        double middle = now();
        dWorldQuickStep(p.world, 0.01);
        step += now() - middle;
        collide += middle - begin;
        dJointGroupEmpty(p.contacts);
    }
    printf("%d boxes, %.0f contacts: %.3f ms to collide, %.3f ms to step\n", side * side * height,
           (double)p.contact_count / STEPS, 1e3 * collide / STEPS, 1e3 * step / STEPS);
    dJointGroupDestroy(p.contacts);
    dSpaceDestroy(p.space);
    dWorldDestroy(p.world);
    dCloseODE();
    return 0;
}

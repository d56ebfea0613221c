/* program.h: what a usual program for ODE is made of: a world, and a near callback that makes
 * contact joints of what touches. */
#ifndef LODE_TESTS_ODE_PROGRAM_H
#define LODE_TESTS_ODE_PROGRAM_H

#include <ode/ode.h>

#include <string.h>

typedef struct program {
    dWorldID world;
    dJointGroupID contacts;
} program;

static void touch(void *data, dGeomID a, dGeomID b)
{
    program *p = data;
    dContact contacts[8];
    memset(contacts, 0, sizeof contacts);
    int count = dCollide(a, b, 8, &contacts[0].geom, sizeof contacts[0]);
    for (int i = 0; i < count; ++i) {
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = 1;
        dJointAttach(dJointCreateContact(p->world, p->contacts, &contacts[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

#endif

/* tell_defaults.c: what everything begins with, told by a program that is built with libode and
 * with the ODE face: compare_scenarios.py holds the numbers against each other. Those that are
 * BETTER are left out. */
#include "defaults.h"
#include "joint_params.h"

#include <stdio.h>

#define TELL(source, what, value, got) TELL_##source(what, got)
#define TELL_MANUAL(what, got) printf("%s;0; %.17g\n", what, (double)(got));
#define TELL_LIBRARY TELL_MANUAL
#define TELL_BETTER(what, got)

/* Of each type a line with all parameters of three axes. */
static void tell_params(void)
{
    for (int i = 0; i < TYPES; ++i) {
        dWorldID world;
        dJointID joint = make_with_params(&types[i], &world);
        printf("parameters of joints of type %d;0;", (int)dJointGetType(joint));
        FOR_EACH_PARAMETER(axis, parameter)
        printf(" %.17g", (double)types[i].get(joint, axis * dParamGroup + parameter));
        puts("");
        dWorldDestroy(world);
    }
}

int main(void)
{
    dInitODE2(0);
    things all = make_things(), *t = &all;
    DEFAULTS(TELL)
    end_things(t);
    tell_params();
    dCloseODE();
    return 0;
}

/* joint_params.h: the types of joints that have parameters, as a table, and one of each. */
#ifndef LODE_TESTS_ODE_JOINT_PARAMS_H
#define LODE_TESTS_ODE_JOINT_PARAMS_H

#include <ode/ode.h>

typedef dJointID create_joint_fn(dWorldID world, dJointGroupID group);
typedef void set_param_fn(dJointID joint, int parameter, dReal value);
typedef dReal get_param_fn(dJointID joint, int parameter);

/* `soft`: ERP and CFM of what the joint holds; `sprung`: those of a suspension, of axis 1. */
typedef struct with_params {
    create_joint_fn *create;
    set_param_fn *set;
    get_param_fn *get;
    int axes, soft, sprung;
} with_params;

#define PARAMS(Type, axes, soft, sprung) \
    { \
        dJointCreate##Type, dJointSet##Type##Param, dJointGet##Type##Param, axes, soft, sprung \
    }

/* clang-format off */
static const with_params types[] = {
    PARAMS(Ball,         0, 1, 0),
    PARAMS(Fixed,        0, 1, 0),
    PARAMS(DBall,        0, 1, 0),
    PARAMS(DHinge,       0, 1, 0),
    PARAMS(Transmission, 0, 1, 0),
    PARAMS(Hinge,        1, 0, 0),
    PARAMS(Slider,       1, 0, 0),
    PARAMS(Piston,       2, 0, 0),
    PARAMS(Universal,    2, 0, 0),
    PARAMS(PR,           2, 0, 0),
    PARAMS(Hinge2,       2, 0, 1),
    PARAMS(PU,           3, 0, 0),
    PARAMS(AMotor,       3, 0, 0),
    PARAMS(LMotor,       3, 0, 0),
};
/* clang-format on */
enum { TYPES = sizeof types / sizeof types[0] };

static const dReal world_erp = (dReal)0.4, world_cfm = (dReal)0.03;

/* Made while the world has this softness, which then is another. */
static inline dJointID make_with_params(const with_params *t, dWorldID *out_world)
{
    dWorldID w = *out_world = dWorldCreate();
    dBodyID first = dBodyCreate(w), second = dBodyCreate(w);
    dWorldSetERP(w, world_erp);
    dWorldSetCFM(w, world_cfm);
    dJointID joint = t->create(w, 0);
    dWorldSetERP(w, (dReal)0.1); /* too late */
    dWorldSetCFM(w, (dReal)0.2);
    if (t->create == dJointCreateAMotor)
        dJointSetAMotorNumAxes(joint, 3);
    if (t->create == dJointCreateLMotor)
        dJointSetLMotorNumAxes(joint, 3);
    dJointAttach(joint, first, second);
    return joint;
}

#define FOR_EACH_PARAMETER(axis, parameter) \
    for (int axis = 0; axis < 3; ++axis) \
        for (int parameter = dParamLoStop; parameter < dParamsInGroup; ++parameter)

#endif

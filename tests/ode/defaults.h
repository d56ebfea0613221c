/* defaults.h: what everything of the ODE face begins with, as a table: where it is said, what it is
 * called, the value, and how it is asked for. test_defaults.c asserts the values; tell_defaults.c,
 * built with libode and with the face, tells them, to be compared.
 *
 * MANUAL: ODE's manual says so. LIBRARY: libode has it so, and the manual says nothing. BETTER:
 * libode has it otherwise: double hinges begin without an axis, which the manual has for all
 * joints, and a space says that it is cleaned by hand, whatever it was told. */
#ifndef LODE_TESTS_ODE_DEFAULTS_H
#define LODE_TESTS_ODE_DEFAULTS_H

#include <ode/ode.h>

#include <string.h>

/* Some functions are deprecated, and are to work. */
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

/* One of each. Joints are attached to two bodies at the origin. */
typedef struct things {
    dWorldID world;
    dBodyID body, other;
    dSpaceID simple, hash;
    dGeomID sphere, ray, mesh, transform, own;
    dTriMeshDataID data;
} things;

static dColliderFn *no_collider(int number)
{
    (void)number;
    return NULL;
}

static void no_bounds(dGeomID geom, dReal bounds[6])
{
    dInfiniteAABB(geom, bounds);
}

static things make_things(void)
{
    const dGeomClass own = {.bytes = 8, .collider = no_collider, .aabb = no_bounds};
    things t = {.world = dWorldCreate(), .simple = dSimpleSpaceCreate(0)};
    t.body = dBodyCreate(t.world);
    t.other = dBodyCreate(t.world);
    t.hash = dHashSpaceCreate(t.simple);
    t.sphere = dCreateSphere(t.simple, 1);
    t.ray = dCreateRay(t.simple, 3);
    t.data = dGeomTriMeshDataCreate();
    t.mesh = dCreateTriMesh(t.simple, t.data, NULL, NULL, NULL);
    t.transform = dCreateGeomTransform(t.simple);
    t.own = dCreateGeom(dCreateGeomClass(&own));
    return t;
}

static void end_things(things *t)
{
    dGeomDestroy(t->own);
    dSpaceDestroy(t->simple);
    dGeomTriMeshDataDestroy(t->data);
    dWorldDestroy(t->world);
}

typedef dJointID create_fn(dWorldID world, dJointGroupID group);

static dJointID joint_of(const things *t, create_fn *create)
{
    dJointID joint = create(t->world, 0);
    dJointAttach(joint, t->body, t->other);
    return joint;
}

/* Digits: 100 is x, 10 is y, 1 is z, 123 is (1, 2, 3). */
static double digits(const dReal *v)
{
    return 100 * (double)v[0] + 10 * (double)v[1] + (double)v[2];
}

static double place_of(const things *t, create_fn *create, void get(dJointID, dVector3))
{
    dVector3 v = {7, 7, 7};
    get(joint_of(t, create), v);
    return digits(v);
}

static double number_of(const things *t, create_fn *create, dReal get(dJointID))
{
    return (double)get(joint_of(t, create));
}

static double count_of(const things *t, create_fn *create, int get(dJointID))
{
    return get(joint_of(t, create));
}

static double gravity(const things *t)
{
    dVector3 v = {7, 7, 7};
    dWorldGetGravity(t->world, v);
    return digits(v);
}

static double finite_axis(const things *t)
{
    dVector3 v = {7, 7, 7};
    dBodyGetFiniteRotationAxis(t->body, v);
    return digits(v);
}

/* Diagonal in digits, and nothing beside it. */
static double mass_of(const things *t, int what)
{
    dMass m;
    dBodyGetMass(t->body, &m);
    const dReal diagonal[3] = {m.I[0], m.I[5], m.I[10]};
    const dReal beside[3] = {m.I[1], m.I[2], m.I[6]};
    return what == 0 ? (double)m.mass : digits(what == 1 ? m.c : what == 2 ? diagonal : beside);
}

static double hash_level(const things *t, int most)
{
    int levels[2] = {7, 7};
    dHashSpaceGetLevels(t->hash, &levels[0], &levels[1]);
    return levels[most];
}

static double ray_param(const things *t, int culls)
{
    int found[2] = {7, 7};
    dGeomRayGetParams(t->ray, &found[0], &found[1]);
    return found[culls];
}

static double ray_line(const things *t, int direction)
{
    dVector3 v[2] = {{7, 7, 7}, {7, 7, 7}};
    dGeomRayGet(t->ray, v[0], v[1]);
    return digits(v[direction]);
}

static double class_data(const things *t)
{
    static const char zeros[8];
    return memcmp(dGeomGetClassData(t->own), zeros, sizeof zeros) == 0;
}

static double quaternion(const dReal *q)
{
    return 1000 * (double)q[0] + digits(q + 1);
}

static double matrix(const dReal *R)
{
    return digits(R) + 1000 * digits(R + 4) + 1e6 * digits(R + 8);
}

#define IS_DOUBLE (sizeof(dReal) == 8)

/* clang-format off */
#define DEFAULTS(X) \
    X(MANUAL,  "world: gravity",                   0,         gravity(t)) \
    X(MANUAL,  "world: ERP",                       0.2,       dWorldGetERP(t->world)) \
    X(MANUAL,  "world: CFM",                       IS_DOUBLE ? 1e-10 : 1e-5, dWorldGetCFM(t->world)) \
    X(MANUAL,  "world: disables bodies",           0,         dWorldGetAutoDisableFlag(t->world)) \
    X(MANUAL,  "world: idle linear threshold",     0.01,      dWorldGetAutoDisableLinearThreshold(t->world)) \
    X(MANUAL,  "world: idle angular threshold",    0.01,      dWorldGetAutoDisableAngularThreshold(t->world)) \
    X(MANUAL,  "world: idle steps",                10,        dWorldGetAutoDisableSteps(t->world)) \
    X(MANUAL,  "world: idle time",                 0,         dWorldGetAutoDisableTime(t->world)) \
    X(LIBRARY, "world: idle samples",              1,         dWorldGetAutoDisableAverageSamplesCount(t->world)) \
    X(MANUAL,  "world: iterations",                20,        dWorldGetQuickStepNumIterations(t->world)) \
    X(MANUAL,  "world: over-relaxation",           1.3,       dWorldGetQuickStepW(t->world)) \
    X(MANUAL,  "world: linear damping",            0,         dWorldGetLinearDamping(t->world)) \
    X(MANUAL,  "world: angular damping",           0,         dWorldGetAngularDamping(t->world)) \
    X(MANUAL,  "world: linear damping above",      0.01,      dWorldGetLinearDampingThreshold(t->world)) \
    X(MANUAL,  "world: angular damping above",     0.01,      dWorldGetAngularDampingThreshold(t->world)) \
    X(MANUAL,  "world: largest angular speed",     dInfinity, dWorldGetMaxAngularSpeed(t->world)) \
    X(MANUAL,  "world: correcting speed",          dInfinity, dWorldGetContactMaxCorrectingVel(t->world)) \
    X(MANUAL,  "world: surface layer",             0,         dWorldGetContactSurfaceLayer(t->world)) \
    X(LIBRARY, "world: threads for islands",       0,         dWorldGetStepIslandsProcessingMaxThreadCount(t->world)) \
    X(LIBRARY, "world: data",                      1,         dWorldGetData(t->world) == NULL) \
    \
    X(MANUAL,  "body: position",                   0,         digits(dBodyGetPosition(t->body))) \
    X(LIBRARY, "body: rotation",                   1010100,   matrix(dBodyGetRotation(t->body))) \
    X(LIBRARY, "body: quaternion",                 1000,      quaternion(dBodyGetQuaternion(t->body))) \
    X(LIBRARY, "body: linear velocity",            0,         digits(dBodyGetLinearVel(t->body))) \
    X(LIBRARY, "body: angular velocity",           0,         digits(dBodyGetAngularVel(t->body))) \
    X(LIBRARY, "body: force",                      0,         digits(dBodyGetForce(t->body))) \
    X(LIBRARY, "body: torque",                     0,         digits(dBodyGetTorque(t->body))) \
    X(LIBRARY, "body: mass",                       1,         mass_of(t, 0)) \
    X(LIBRARY, "body: centre of mass",             0,         mass_of(t, 1)) \
    X(LIBRARY, "body: moments of inertia",         111,       mass_of(t, 2)) \
    X(LIBRARY, "body: products of inertia",        0,         mass_of(t, 3)) \
    X(LIBRARY, "body: is kinematic",               0,         dBodyIsKinematic(t->body)) \
    X(LIBRARY, "body: is enabled",                 1,         dBodyIsEnabled(t->body)) \
    X(MANUAL,  "body: falls",                      1,         dBodyGetGravityMode(t->body)) \
    X(LIBRARY, "body: is gyroscopic",              1,         dBodyGetGyroscopicMode(t->body) != 0) \
    X(MANUAL,  "body: finite rotations",           0,         dBodyGetFiniteRotationMode(t->body)) \
    X(LIBRARY, "body: axis of finite rotations",   0,         finite_axis(t)) \
    X(MANUAL,  "body: disables itself",            0,         dBodyGetAutoDisableFlag(t->body)) \
    X(MANUAL,  "body: idle linear threshold",      0.01,      dBodyGetAutoDisableLinearThreshold(t->body)) \
    X(MANUAL,  "body: idle angular threshold",     0.01,      dBodyGetAutoDisableAngularThreshold(t->body)) \
    X(MANUAL,  "body: idle steps",                 10,        dBodyGetAutoDisableSteps(t->body)) \
    X(MANUAL,  "body: idle time",                  0,         dBodyGetAutoDisableTime(t->body)) \
    X(LIBRARY, "body: idle samples",               1,         dBodyGetAutoDisableAverageSamplesCount(t->body)) \
    X(MANUAL,  "body: linear damping",             0,         dBodyGetLinearDamping(t->body)) \
    X(MANUAL,  "body: angular damping",            0,         dBodyGetAngularDamping(t->body)) \
    X(MANUAL,  "body: linear damping above",       0.01,      dBodyGetLinearDampingThreshold(t->body)) \
    X(MANUAL,  "body: angular damping above",      0.01,      dBodyGetAngularDampingThreshold(t->body)) \
    X(MANUAL,  "body: largest angular speed",      dInfinity, dBodyGetMaxAngularSpeed(t->body)) \
    X(LIBRARY, "body: data",                       1,         dBodyGetData(t->body) == NULL) \
    X(LIBRARY, "body: geoms",                      1,         dBodyGetFirstGeom(t->body) == NULL) \
    \
    X(MANUAL,  "ball: anchor",                     0,         place_of(t, dJointCreateBall, dJointGetBallAnchor)) \
    X(MANUAL,  "ball: second anchor",              0,         place_of(t, dJointCreateBall, dJointGetBallAnchor2)) \
    X(MANUAL,  "hinge: anchor",                    0,         place_of(t, dJointCreateHinge, dJointGetHingeAnchor)) \
    X(MANUAL,  "hinge: axis",                      100,       place_of(t, dJointCreateHinge, dJointGetHingeAxis)) \
    X(MANUAL,  "slider: axis",                     100,       place_of(t, dJointCreateSlider, dJointGetSliderAxis)) \
    X(MANUAL,  "piston: anchor",                   0,         place_of(t, dJointCreatePiston, dJointGetPistonAnchor)) \
    X(MANUAL,  "piston: axis",                     100,       place_of(t, dJointCreatePiston, dJointGetPistonAxis)) \
    X(MANUAL,  "universal: anchor",                0,         place_of(t, dJointCreateUniversal, dJointGetUniversalAnchor)) \
    X(MANUAL,  "universal: axis 1",                100,       place_of(t, dJointCreateUniversal, dJointGetUniversalAxis1)) \
    X(MANUAL,  "universal: axis 2",                10,        place_of(t, dJointCreateUniversal, dJointGetUniversalAxis2)) \
    X(MANUAL,  "hinge-2: anchor",                  0,         place_of(t, dJointCreateHinge2, dJointGetHinge2Anchor)) \
    X(MANUAL,  "hinge-2: axis 1",                  100,       place_of(t, dJointCreateHinge2, dJointGetHinge2Axis1)) \
    X(MANUAL,  "hinge-2: axis 2",                  10,        place_of(t, dJointCreateHinge2, dJointGetHinge2Axis2)) \
    X(MANUAL,  "PR: anchor",                       0,         place_of(t, dJointCreatePR, dJointGetPRAnchor)) \
    X(MANUAL,  "PR: axis 1, P",                    10,        place_of(t, dJointCreatePR, dJointGetPRAxis1)) \
    X(MANUAL,  "PR: axis 2, R",                    100,       place_of(t, dJointCreatePR, dJointGetPRAxis2)) \
    X(MANUAL,  "PU: anchor",                       0,         place_of(t, dJointCreatePU, dJointGetPUAnchor)) \
    X(MANUAL,  "PU: axis 1",                       10,        place_of(t, dJointCreatePU, dJointGetPUAxis1)) \
    X(MANUAL,  "PU: axis 2",                       1,         place_of(t, dJointCreatePU, dJointGetPUAxis2)) \
    X(MANUAL,  "PU: axis 3",                       100,       place_of(t, dJointCreatePU, dJointGetPUAxis3)) \
    X(MANUAL,  "PU: axis P",                       100,       place_of(t, dJointCreatePU, dJointGetPUAxisP)) \
    X(LIBRARY, "double ball: anchor 1",            0,         place_of(t, dJointCreateDBall, dJointGetDBallAnchor1)) \
    X(LIBRARY, "double ball: anchor 2",            0,         place_of(t, dJointCreateDBall, dJointGetDBallAnchor2)) \
    X(LIBRARY, "double ball: distance",            0,         number_of(t, dJointCreateDBall, dJointGetDBallDistance)) \
    X(LIBRARY, "double hinge: anchor 1",           0,         place_of(t, dJointCreateDHinge, dJointGetDHingeAnchor1)) \
    X(LIBRARY, "double hinge: anchor 2",           0,         place_of(t, dJointCreateDHinge, dJointGetDHingeAnchor2)) \
    X(LIBRARY, "double hinge: distance",           0,         number_of(t, dJointCreateDHinge, dJointGetDHingeDistance)) \
    X(BETTER,  "double hinge: axis",               100,       place_of(t, dJointCreateDHinge, dJointGetDHingeAxis)) \
    X(LIBRARY, "transmission: mode",               dTransmissionParallelAxes, count_of(t, dJointCreateTransmission, dJointGetTransmissionMode)) \
    X(LIBRARY, "transmission: anchor 1",           0,         place_of(t, dJointCreateTransmission, dJointGetTransmissionAnchor1)) \
    X(LIBRARY, "transmission: anchor 2",           0,         place_of(t, dJointCreateTransmission, dJointGetTransmissionAnchor2)) \
    X(LIBRARY, "transmission: axis",               100,       place_of(t, dJointCreateTransmission, dJointGetTransmissionAxis)) \
    X(LIBRARY, "transmission: axis 1",             100,       place_of(t, dJointCreateTransmission, dJointGetTransmissionAxis1)) \
    X(LIBRARY, "transmission: axis 2",             100,       place_of(t, dJointCreateTransmission, dJointGetTransmissionAxis2)) \
    X(LIBRARY, "transmission: ratio",              1,         number_of(t, dJointCreateTransmission, dJointGetTransmissionRatio)) \
    X(LIBRARY, "transmission: radius 1",           0,         number_of(t, dJointCreateTransmission, dJointGetTransmissionRadius1)) \
    X(LIBRARY, "transmission: radius 2",           0,         number_of(t, dJointCreateTransmission, dJointGetTransmissionRadius2)) \
    X(LIBRARY, "transmission: backlash",           0,         number_of(t, dJointCreateTransmission, dJointGetTransmissionBacklash)) \
    X(MANUAL,  "angular motor: mode",              dAMotorUser, count_of(t, dJointCreateAMotor, dJointGetAMotorMode)) \
    X(LIBRARY, "angular motor: axes",              0,         count_of(t, dJointCreateAMotor, dJointGetAMotorNumAxes)) \
    X(LIBRARY, "linear motor: axes",               0,         count_of(t, dJointCreateLMotor, dJointGetLMotorNumAxes)) \
    X(LIBRARY, "joint: is enabled",                1,         count_of(t, dJointCreateNull, dJointIsEnabled)) \
    X(MANUAL,  "joint: bodies",                    0,         dJointGetNumBodies(dJointCreateHinge(t->world, 0))) \
    X(MANUAL,  "joint: feedback",                  1,         dJointGetFeedback(dJointCreateHinge(t->world, 0)) == NULL) \
    X(LIBRARY, "joint: data",                      1,         dJointGetData(dJointCreateHinge(t->world, 0)) == NULL) \
    \
    X(MANUAL,  "space: cleans up",                 1,         dSpaceGetCleanup(t->simple)) \
    X(BETTER,  "space: is cleaned by hand",        0,         dSpaceGetManualCleanup(t->simple)) \
    X(LIBRARY, "space: sublevel",                  0,         dSpaceGetSublevel(t->hash)) \
    X(LIBRARY, "hash space: least level",          -3,        hash_level(t, 0)) \
    X(LIBRARY, "hash space: largest level",        10,        hash_level(t, 1)) \
    X(MANUAL,  "geom: category",                   ~0ul,      dGeomGetCategoryBits(t->sphere)) \
    X(MANUAL,  "geom: collides with",              ~0ul,      dGeomGetCollideBits(t->sphere)) \
    X(MANUAL,  "space: category",                  ~0ul,      dGeomGetCategoryBits((dGeomID)t->hash)) \
    X(MANUAL,  "geom: is enabled",                 1,         dGeomIsEnabled(t->sphere)) \
    X(LIBRARY, "geom: position",                   0,         digits(dGeomGetPosition(t->sphere))) \
    X(LIBRARY, "geom: rotation",                   1010100,   matrix(dGeomGetRotation(t->sphere))) \
    X(LIBRARY, "geom: body",                       1,         dGeomGetBody(t->sphere) == NULL) \
    X(LIBRARY, "geom: data",                       1,         dGeomGetData(t->sphere) == NULL) \
    X(LIBRARY, "ray: origin",                      0,         ray_line(t, 0)) \
    X(LIBRARY, "ray: direction",                   1,         ray_line(t, 1)) \
    X(LIBRARY, "ray: first contact",               0,         ray_param(t, 0)) \
    X(LIBRARY, "ray: culls backs",                 0,         ray_param(t, 1)) \
    X(LIBRARY, "ray: closest hit",                 0,         dGeomRayGetClosestHit(t->ray)) \
    X(MANUAL,  "mesh: coherent with spheres",      0,         dGeomTriMeshIsTCEnabled(t->mesh, dSphereClass)) \
    X(MANUAL,  "mesh: coherent with boxes",        0,         dGeomTriMeshIsTCEnabled(t->mesh, dBoxClass)) \
    X(LIBRARY, "mesh: coherent with capsules",     0,         dGeomTriMeshIsTCEnabled(t->mesh, dCapsuleClass)) \
    X(LIBRARY, "mesh: callback",                   1,         dGeomTriMeshGetCallback(t->mesh) == NULL) \
    X(LIBRARY, "mesh: array callback",             1,         dGeomTriMeshGetArrayCallback(t->mesh) == NULL) \
    X(LIBRARY, "mesh: ray callback",               1,         dGeomTriMeshGetRayCallback(t->mesh) == NULL) \
    X(LIBRARY, "mesh: merge callback",             1,         dGeomTriMeshGetTriMergeCallback(t->mesh) == NULL) \
    X(LIBRARY, "mesh: bytes of an index",          4,         sizeof(dTriIndex)) \
    X(MANUAL,  "transform: cleans up",             0,         dGeomTransformGetCleanup(t->transform)) \
    X(MANUAL,  "transform: tells itself",          0,         dGeomTransformGetInfo(t->transform)) \
    X(LIBRARY, "transform: geom",                  1,         dGeomTransformGetGeom(t->transform) == NULL) \
    X(MANUAL,  "own class: data are 0",            1,         class_data(t)) \
    \
    X(LIBRARY, "random numbers: seed",             0,         dRandGetSeed()) \
    X(LIBRARY, "handler of errors",                1,         dGetErrorHandler() == NULL) \
    X(LIBRARY, "handler of debug messages",        1,         dGetDebugHandler() == NULL) \
    X(LIBRARY, "handler of messages",              1,         dGetMessageHandler() == NULL) \
    X(LIBRARY, "handler of allocation",            1,         dGetAllocHandler() == NULL) \
    X(LIBRARY, "handler of reallocation",          1,         dGetReallocHandler() == NULL) \
    X(LIBRARY, "handler of freeing",               1,         dGetFreeHandler() == NULL)

/* Of the manual alone: no library has them. */
#define DEFAULTS_OF_STEP_FAST(X) \
    X(MANUAL,  "world: depth of enabling",         1000,      dWorldGetAutoEnableDepthSF1(t->world)) \
    X(MANUAL,  "body: threshold of disabling",     0.003,     dBodyGetAutoDisableThresholdSF1(t->body)) \
    X(MANUAL,  "body: steps to disabling",         10,        dBodyGetAutoDisableStepsSF1(t->body)) \
    X(MANUAL,  "body: is disabled by fast steps",  0,         dBodyGetAutoDisableSF1(t->body))
/* clang-format on */

#endif

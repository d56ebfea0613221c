/* test_memory.c: memory of steps and of objects, the configuration, and masses of meshes. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* --- memory of a step */

static size_t held;
static int taken;

static void *take(dsizeint size)
{
    ++taken;
    held += size;
    return malloc(size);
}

static void *shrink(void *block, dsizeint size, dsizeint smaller)
{
    held -= size - smaller;
    return realloc(block, smaller);
}

static void give_back(void *block, dsizeint size)
{
    held -= size;
    free(block);
}

/* A step with contacts, which need memory. */
static void step_with(dWorldID world, int contacts)
{
    dBodyID body = dBodyCreate(world);
    dJointGroupID group = dJointGroupCreate(0);
    for (int i = 0; i < contacts; ++i) {
        dContact contact = {.geom = {.normal = {0, 0, 1}, .depth = 0}};
        dJointAttach(dJointCreateContact(world, group, &contact), body, NULL);
    }
    assert_int_equal(dWorldStep(world, (dReal)0.01), 1);
    dJointGroupDestroy(group);
    dBodyDestroy(body);
}

static void managers_give_the_memory_of_steps(void **state)
{
    (void)state;
    dWorldStepMemoryFunctionsInfo manager = {sizeof manager, take, shrink, give_back};
    dWorldStepReserveInfo policy = {sizeof policy, 2, 1000000};
    dWorldID world = dWorldCreate(), other = dWorldCreate();
    taken = 0;
    assert_int_equal(dWorldSetStepMemoryManager(world, &manager), 1);
    step_with(world, 4);
    assert_true(taken == 1 && held >= dWORLDSTEP_RESERVESIZE_DEFAULT && held < 1000000);
    step_with(world, 8);
    assert_int_equal(taken, 1); /* kept */
    dWorldCleanupWorkingMemory(world);
    assert_int_equal(held, 0);
    assert_int_equal(dWorldSetStepMemoryReservationPolicy(world, &policy), 1);
    assert_int_equal(dWorldUseSharedWorkingMemory(other, world), 1);
    assert_int_equal(dWorldUseSharedWorkingMemory(other, world), 1); /* once is enough */
    step_with(other, 1);
    assert_true(taken == 2 && held == 1000000);
    step_with(world, 2);
    assert_int_equal(taken, 2); /* the same */
    dWorldDestroy(world);
    assert_true(held == 1000000); /* the other has it still */
    assert_int_equal(dWorldUseSharedWorkingMemory(other, NULL), 1);
    assert_int_equal(held, 0);
    step_with(other, 1);
    assert_int_equal(taken, 2); /* no manager of ours any more */
    policy.reserve_factor = (float)0.5;
    EXPECT_REFUSAL(
        dWorldSetStepMemoryReservationPolicy(other, &policy),
        "dWorldSetStepMemoryReservationPolicy: policyinfo must have a factor of at least 1");
    manager.free_block = NULL;
    EXPECT_REFUSAL(dWorldSetStepMemoryManager(other, &manager),
                   "dWorldSetStepMemoryManager: memfuncs must have three functions");
    manager.struct_size = 1;
    EXPECT_REFUSAL(dWorldSetStepMemoryManager(other, &manager),
                   "dWorldSetStepMemoryManager: memfuncs is of the wrong size");
    assert_int_equal(dWorldSetStepMemoryManager(other, NULL), 1);
    assert_int_equal(dWorldSetStepMemoryReservationPolicy(other, NULL), 1);
    assert_int_equal(dWorldGetStepIslandsProcessingMaxThreadCount(other), 0);
    dWorldSetStepIslandsProcessingMaxThreadCount(other, 3);
    assert_int_equal(dWorldGetStepIslandsProcessingMaxThreadCount(other), 3);
    dWorldDestroy(other);
}

static void the_configuration_has_tokens(void **state)
{
    (void)state;
    assert_int_equal(dCheckConfiguration("ODE"), 1);
    assert_int_equal(dCheckConfiguration("ODE_EXT_trimesh"), 1);
    assert_int_equal(dCheckConfiguration("ODE_EXT_threading"), 1);
    assert_int_equal(dCheckConfiguration("ODE_THR_builtin_impl"), 1);
    assert_int_equal(dCheckConfiguration("ODE_EXT_opcode"), 0); /* meshes are our own */
    assert_int_equal(
        dCheckConfiguration(sizeof(dReal) == 8 ? "ODE_double_precision" : "ODE_single_precision"),
        1);
    assert_int_equal(
        dCheckConfiguration(sizeof(dReal) == 8 ? "ODE_single_precision" : "ODE_double_precision"),
        0);
    assert_int_equal(dCheckConfiguration("ODE_EXT_trimes"), 0);
    assert_int_equal(dCheckConfiguration("EXT_trimesh"), 0);
    assert_int_equal(dCheckConfiguration(""), 0);
    assert_non_null(strstr(dGetConfiguration(), "ODE_EXT_trimesh"));
}

/* --- meshes */

/* A corner cut off a box of 1 m by 2 m by 3 m: of density 2 it weighs 2 kg. */
static dReal corners[4][4] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
static const dTriIndex sides[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static bool near(double x, double y)
{
    return fabs(x - y) < (sizeof(dReal) == 8 ? 1e-12 : 1e-4) * (1 + fabs(y));
}

static void closed_meshes_have_masses(void **state)
{
    (void)state;
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomID mesh = dCreateTriMesh(NULL, data, NULL, NULL, NULL), ball = dCreateSphere(NULL, 1);
    dMass m;
    dGeomTriMeshDataBuildSimple(data, corners[0], 4, sides, 12);
    dMassSetTrimesh(&m, 2, mesh);
    assert_true(near(m.mass, 2) && near(m.c[0], 0.25) && near(m.c[1], 0.5) && near(m.c[2], 0.75));
    /* about the corner: m (b^2 + c^2) / 10, and so on, and -m a b / 20 */
    assert_true(near(m.I[0], 2.6) && near(m.I[5], 2) && near(m.I[10], 1));
    assert_true(near(m.I[1], -0.2) && near(m.I[2], -0.3) && near(m.I[6], -0.6));
    dGeomSetPosition(mesh, 5, 0, 0);
    dMassSetTrimeshTotal(&m, 4, mesh);
    assert_true(near(m.mass, 4) && near(m.c[0], 5.25));
    assert_true(near(m.I[0], 5.2) && near(m.I[5], 4 + 4 * (25 + 2 * 5 * 0.25)));
    EXPECT_REFUSAL(dMassSetTrimesh(&m, 0, mesh),
                   "dMassSetTrimesh: density must be finite and above 0");
    EXPECT_REFUSAL(dMassSetTrimesh(&m, 1, ball),
                   "dMassSetTrimesh: the geom is a sphere, not a trimesh");
    dGeomTriMeshDataBuildSimple(data, corners[0], 4, sides, 9); /* open */
    EXPECT_REFUSAL(dMassSetTrimesh(&m, 1, mesh), "dMassSetTrimesh: mesh is not closed");
    assert_true(near(m.mass, 4));
    int value = 7, size = sizeof value;
    assert_int_equal(dGeomLowLevelControl(mesh, dGeomColliderControlClass,
                                          dGeomColliderGetMergeSphereContactsControlCode, &value,
                                          &size),
                     1);
    assert_int_equal(value, dGeomColliderMergeContactsValue_None);
    value = dGeomColliderMergeContactsValue_Full;
    assert_int_equal(dGeomLowLevelControl(mesh, dGeomColliderControlClass,
                                          dGeomColliderSetMergeSphereContactsControlCode, &value,
                                          &size),
                     1);
    value = 0;
    dGeomLowLevelControl(mesh, 1, 2, &value, &size);
    assert_int_equal(value, dGeomColliderMergeContactsValue_Full);
    size = 1;
    assert_int_equal(dGeomLowLevelControl(mesh, 1, 2, &value, &size), 0);
    assert_int_equal(size, sizeof value);
    assert_int_equal(dGeomLowLevelControl(ball, 1, 2, &value, &size), 0);
    dGeomDestroy(mesh);
    dGeomDestroy(ball);
    dGeomTriMeshDataDestroy(data);
}

/* --- objects */

enum { OBJECTS = 5000 }; /* more than are in one region */

typedef struct object {
    dBodyID body;
    dGeomID geom;
} object;

static dGeomID make_geom(int kind)
{
    return kind == 0   ? dCreateSphere(NULL, 1)
           : kind == 1 ? dCreateBox(NULL, 1, 2, 3)
           : kind == 2 ? dCreateRay(NULL, 1)
           : kind == 3 ? dCreateCapsule(NULL, 1, 1)
                       : dCreatePlane(NULL, 0, 0, 1, 0);
}

static void make_object(dWorldID world, object *out, int i)
{
    out->body = dBodyCreate(world);
    out->geom = make_geom(i % 5);
    dBodySetPosition(out->body, i, 1, 2);
    dBodySetForce(out->body, 3, i, 4);
    dBodySetData(out->body, out);
    dGeomSetData(out->geom, out);
    if (i % 5 < 4)
        dGeomSetBody(out->geom, out->body);
    if (i % 5 == 1)
        dGeomSetOffsetPosition(out->geom, 0, 0, i);
}

/* Nobody else has written over it. */
static void check_object(const object *own, int i)
{
    const dReal *position = dBodyGetPosition(own->body), *force = dBodyGetForce(own->body);
    assert_true(position[0] == i && position[1] == 1 && position[2] == 2);
    assert_true(force[0] == 3 && force[1] == i && force[2] == 4);
    assert_ptr_equal(dBodyGetData(own->body), own);
    assert_ptr_equal(dGeomGetData(own->geom), own);
    assert_ptr_equal(dGeomGetBody(own->geom), i % 5 < 4 ? own->body : NULL);
    if (i % 5 == 1)
        assert_true(dGeomGetOffsetPosition(own->geom)[2] == i);
}

static void end_object(object *own)
{
    dGeomDestroy(own->geom);
    dBodyDestroy(own->body);
    *own = (object){NULL, NULL};
}

static void objects_come_and_go_and_lie_apart(void **state)
{
    (void)state;
    static object objects[OBJECTS];
    dWorldID world = dWorldCreate();
    dRandSetSeed(1);
    for (int round = 0; round < 4 * OBJECTS; ++round) {
        int i = dRandInt(OBJECTS);
        if (!objects[i].body) {
            make_object(world, &objects[i], i);
            continue;
        }
        check_object(&objects[i], i);
        end_object(&objects[i]);
    }
    for (int i = 0; i < OBJECTS; ++i)
        if (objects[i].body) {
            check_object(&objects[i], i);
            end_object(&objects[i]);
        }
    dWorldDestroy(world);
}

static void *take_object(dsizeint size)
{
    ++taken;
    return malloc(size);
}

static void give_object(void *block, dsizeint size)
{
    (void)size;
    --taken;
    free(block);
}

/* Each by itself, though others lie together. */
static void handlers_are_asked_for_every_object(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dBodyID before = dBodyCreate(world);
    taken = 0;
    dSetAllocHandler(take_object);
    dSetFreeHandler(give_object);
    dBodyID body = dBodyCreate(world);
    assert_int_equal(taken, 1);
    dGeomID geom = dCreateSphere(NULL, 1);
    assert_int_equal(taken, 2);
    dJointID joint = dJointCreateBall(world, NULL);
    assert_int_equal(taken, 3);
    dJointDestroy(joint);
    dGeomDestroy(geom);
    dBodyDestroy(body);
    assert_int_equal(taken, 0);
    dSetAllocHandler(NULL);
    dSetFreeHandler(NULL);
    dBodyDestroy(before);
    dWorldDestroy(world);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(managers_give_the_memory_of_steps),   TEST(objects_come_and_go_and_lie_apart),
        TEST(handlers_are_asked_for_every_object), TEST(the_configuration_has_tokens),
        TEST(closed_meshes_have_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_export.c: a world as text: what is told of bodies, geoms and joints, numbers that come back
 * as they were, and braces that match. */
#include <ode/ode.h>

#include <ode/export-dif.h>

#include "tests/ode/refusals.h"
#include "tests/support/test.h"

#include <stdlib.h>

static char text[20000];

static void export(dWorldID world)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    dWorldExportDIF(world, file, "my");
    rewind(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    assert_true(length < sizeof text - 1);
}

static int count(const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; ++at)
        ++found;
    return found;
}

static void worlds_are_told_as_tables(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dBodyID bodies[2] = {dBodyCreate(world), dBodyCreate(world)};
    dGeomID geoms[] = {dCreateBox(NULL, 1, 2, 3), dCreateSphere(NULL, (dReal)0.25),
                       dCreateCapsule(NULL, 1, 4)};
    dWorldSetGravity(world, 0, 0, (dReal)-9.8125);
    dBodySetPosition(bodies[0], (dReal)1 / 3, 2, 3);
    dBodySetLinearVel(bodies[1], 4, 5, 6);
    dBodyAddForce(bodies[0], 0, 0, 7);
    dBodyDisable(bodies[1]);
    for (int i = 0; i < 3; ++i)
        dGeomSetBody(geoms[i], bodies[i % 2]);
    dGeomSetOffsetPosition(geoms[2], 8, 0, 0);
    dJointID hinge = dJointCreateHinge(world, 0), ball = dJointCreateBall(world, 0);
    dJointAttach(hinge, bodies[0], bodies[1]);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamLoStop, (dReal)-0.5);
    dJointAttach(ball, NULL, bodies[1]);
    export(world);
    assert_ptr_equal(strstr(text, "-- Dynamics Interchange Format v0.1\n"), text);
    assert_int_equal(count("{"), count("}"));
    assert_non_null(strstr(text, "gravity = {0,0,-9.8125},"));
    /* the newest first */
    assert_non_null(
        strstr(text, "mybody[0] = dynamics.body {\n\tworld = myworld,\n\tpos = {0,0,0},"));
    assert_non_null(strstr(text, "lvel = {4,5,6},"));
    assert_non_null(strstr(text, "disabled = 1,"));
    assert_non_null(strstr(text, "facc = {0,0,7},"));
    assert_non_null(strstr(text, "type = \"box\",\n\t\t\tsides = {1,2,3},"));
    assert_non_null(strstr(text, "type = \"sphere\",\n\t\t\tradius = 0.25,"));
    assert_non_null(strstr(text,
                           "type = \"capsule\",\n\t\t\tradius = 1,\n\t\t\tlength = 4,\n\t\t\tpos = "
                           "{8,0,0},"));
    assert_non_null(strstr(text, "myjoint[0] = dynamics.ball_joint {\n\tworld = myworld,\n\tbody = "
                                 "{mybody[0]},"));
    assert_non_null(strstr(text,
                           "myjoint[1] = dynamics.hinge_joint {\n\tworld = myworld,\n\tbody = "
                           "{mybody[1],mybody[0]},"));
    assert_non_null(strstr(text, "axis1 = {0,1,0},"));
    assert_non_null(strstr(text, "low_stop = -0.5,\n\t\thigh_stop = math.huge,"));
    double x = strtod(strstr(text, "mybody[1] = ") +
                          sizeof "mybody[1] = dynamics.body {\n\tworld = "
                                 "myworld,\n\tpos = {" -
                          1,
                      NULL);
    assert_true((dReal)x == (dReal)1 / 3);
    EXPECT_REFUSAL(dWorldExportDIF(world, NULL, "my"), "dWorldExportDIF: file must not be null");
    for (int i = 0; i < 3; ++i)
        dGeomDestroy(geoms[i]);
    dWorldDestroy(world);
}

/* Each type that there is. */
static void joints_of_all_types_are_told(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dBodyID bodies[2] = {dBodyCreate(world), dBodyCreate(world)};
    dJointID (*const make[])(dWorldID, dJointGroupID) = {
        dJointCreateBall,   dJointCreateHinge,       dJointCreateSlider, dJointCreateUniversal,
        dJointCreateFixed,  dJointCreateHinge2,      dJointCreateAMotor, dJointCreateLMotor,
        dJointCreatePR,     dJointCreatePU,          dJointCreatePiston, dJointCreateDBall,
        dJointCreateDHinge, dJointCreateTransmission};
    const int types = sizeof make / sizeof *make;
    for (int i = 0; i < types; ++i)
        dJointAttach(make[i](world, 0), bodies[0], bodies[1]);
    export(world);
    assert_int_equal(count("{"), count("}"));
    assert_int_equal(count("_joint {\n\tworld = myworld,\n\tbody = {mybody[1],mybody[0]},"), types);
    assert_int_equal(count("dynamics.PR_joint"), 1);
    assert_int_equal(count("dynamics.transmission_joint"), 1);
    dWorldDestroy(world);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(worlds_are_told_as_tables),
        TEST(joints_of_all_types_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

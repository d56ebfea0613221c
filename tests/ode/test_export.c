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

/* The only joint of a world whose second body stands at (0, 2, 0), a quarter turned about z. */
static dJointID make_joint(dWorldID *out_world, dJointID make(dWorldID, dJointGroupID))
{
    dWorldID world = *out_world = dWorldCreate();
    dBodyID first = dBodyCreate(world), second = dBodyCreate(world);
    dQuaternion quarter = {1, 0, 0, 1};
    dBodySetPosition(second, 0, 2, 0);
    dBodySetQuaternion(second, quarter);
    dJointID joint = make(world, 0);
    dJointAttach(joint, first, second);
    return joint;
}

static void end_told(dWorldID world)
{
    export(world);
    dWorldDestroy(world);
    assert_int_equal(count("{"), count("}"));
}

/* Three numbers behind a label. */
static void assert_told(const char *label, double x, double y, double z)
{
    double want[3] = {x, y, z};
    char start[32];
    snprintf(start, sizeof start, "\n\t%s = {", label);
    char *at = strstr(strstr(text, "myjoint[0] = "), start);
    assert_non_null(at);
    at += strlen(start);
    for (int i = 0; i < 3; ++i) {
        assert_true(fabs(strtod(at, &at) - want[i]) < 1e-6);
        assert_int_equal(*at, i < 2 ? ',' : '}');
        ++at;
    }
}

static void assert_told_number(const char *label, double x)
{
    char start[32];
    snprintf(start, sizeof start, "\n\t%s = ", label);
    const char *at = strstr(strstr(text, "myjoint[0] = "), start);
    assert_non_null(at);
    assert_true(fabs(strtod(at + strlen(start), NULL) - x) < 1e-6);
}

static void motors_are_told_with_their_directions(void **state)
{
    (void)state;
    dWorldID world;
    dJointID joint = make_joint(&world, dJointCreateAMotor);
    dJointSetAMotorNumAxes(joint, 2);
    dJointSetAMotorAxis(joint, 0, 2, 1, 0, 0);
    dJointSetAMotorAxis(joint, 1, 0, 0, 0, 3);
    dJointSetAMotorAngle(joint, 1, (dReal)0.5);
    end_told(world);
    assert_told_number("num", 2);
    assert_told_number("mode", dAMotorUser);
    assert_told("rel", 2, 0, 0);
    assert_told("axis1", 0, -1, 0); /* as the second body sees the world's x */
    assert_told("axis2", 0, 0, 1);
    assert_told("axis3", 0, 0, 0);
    assert_told_number("angle2", 0.5);
    joint = make_joint(&world, dJointCreateLMotor);
    dJointSetLMotorNumAxes(joint, 1);
    dJointSetLMotorAxis(joint, 0, 2, 0, 1, 0);
    end_told(world);
    assert_told_number("num", 1);
    assert_told("rel", 2, 0, 0);
    assert_told("axis1", 1, 0, 0);
}

static void slides_and_wheels_are_told(void **state)
{
    (void)state;
    dWorldID world;
    dJointID joint = make_joint(&world, dJointCreatePR);
    dJointSetPRAnchor(joint, 1, 2, 0);
    dJointSetPRAxis1(joint, 0, 1, 0);
    dJointSetPRAxis2(joint, 1, 0, 0);
    end_told(world);
    assert_told("anchor2", 0, -1, 0);
    assert_told("axisP1", 0, 1, 0);
    assert_told("axisR1", 1, 0, 0);
    assert_told("axisR2", 0, -1, 0);
    make_joint(&world, dJointCreateSlider);
    end_told(world);
    assert_told("axis1", 1, 0, 0);
    assert_told("offset", -2, 0, 0); /* of the first body in the second */
    joint = make_joint(&world, dJointCreateHinge2);
    dJointSetHinge2Param(joint, dParamSuspensionERP, (dReal)0.25);
    dJointSetHinge2Param(joint, dParamSuspensionCFM, (dReal)0.125);
    end_told(world);
    assert_told_number("susp_erp", 0.25);
    assert_told_number("susp_cfm", 0.125);
    joint = make_joint(&world, dJointCreateTransmission);
    dJointSetTransmissionMode(joint, dTransmissionChainDrive);
    dJointSetTransmissionAxis(joint, 0, 1, 0);
    dJointSetTransmissionRadius1(joint, 3);
    dJointSetTransmissionBacklash(joint, (dReal)0.5);
    end_told(world);
    assert_told_number("mode", dTransmissionChainDrive);
    assert_told_number("radius1", 3);
    assert_told_number("backlash", 0.5);
    assert_told("axis2", 1, 0, 0);
    joint = make_joint(&world, dJointCreateDBall);
    dJointSetDBallDistance(joint, 7);
    end_told(world);
    assert_told_number("distance", 7);
}

static void contacts_are_told_with_what_their_modes_count(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dContact contact = {.surface = {.mode = dContactBounce | dContactApprox1_2 | dContactFDir1,
                                    .mu = 2,
                                    .mu2 = 3,
                                    .bounce = (dReal)0.5,
                                    .slip1 = 9},
                        .geom = {.pos = {4, 5, 6}, .normal = {0, 0, 1}, .depth = (dReal)0.25},
                        .fdir1 = {1, 0, 0}};
    dJointAttach(dJointCreateContact(world, 0, &contact), dBodyCreate(world), 0);
    end_told(world);
    assert_told("pos", 4, 5, 6);
    assert_told("normal", 0, 0, 1);
    assert_told("fdir1", 1, 0, 0);
    assert_told_number("depth", 0.25);
    assert_told_number("mu", 2);
    assert_told_number("bounce", 0.5);
    assert_told_number("friction_approximation", 2);
    assert_null(strstr(text, "mu2"));
    assert_null(strstr(text, "slip1"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(worlds_are_told_as_tables),
        TEST(joints_of_all_types_are_told),
        TEST(motors_are_told_with_their_directions),
        TEST(slides_and_wheels_are_told),
        TEST(contacts_are_told_with_what_their_modes_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

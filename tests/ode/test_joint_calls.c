/* test_joint_calls.c: what all functions have in common that set or tell a place, a direction or a
 * number of a joint of the ODE face. */
#include "joint_tests.h"

#include <stdbool.h>

typedef dJointID create_fn(dWorldID world, dJointGroupID group);
typedef void set_fn(dJointID joint, dReal x, dReal y, dReal z);
typedef void get_fn(dJointID joint, dVector3 result);
typedef dReal number_fn(dJointID joint);

typedef struct place {
    create_fn *create;
    set_fn *set;
    get_fn *get;
} place;

#define PLACE(Type, What) \
    { \
        dJointCreate##Type, dJointSet##Type##What, dJointGet##Type##What \
    }

/* clang-format off */
static const place places[] = {
    PLACE(Ball, Anchor),
    PLACE(Ball, Anchor2),
    PLACE(Hinge, Anchor),
    PLACE(Hinge, Axis),
    PLACE(Slider, Axis),
    PLACE(Piston, Anchor),
    PLACE(Piston, Axis),
    PLACE(Universal, Anchor),
    PLACE(Universal, Axis1),
    PLACE(Universal, Axis2),
    PLACE(Hinge2, Anchor),
    PLACE(Hinge2, Axis1),
    PLACE(Hinge2, Axis2),
    PLACE(PR, Anchor),
    PLACE(PR, Axis1),
    PLACE(PR, Axis2),
    PLACE(PU, Anchor),
    PLACE(PU, Axis1),
    PLACE(PU, Axis2),
    PLACE(PU, Axis3),
    PLACE(PU, AxisP),
    PLACE(DBall, Anchor1),
    PLACE(DBall, Anchor2),
    PLACE(DHinge, Anchor1),
    PLACE(DHinge, Anchor2),
    PLACE(DHinge, Axis),
    PLACE(Transmission, Anchor1),
    PLACE(Transmission, Anchor2),
};

static const struct {
    create_fn *create;
    number_fn *get;
} numbers[] = {
    {dJointCreateHinge, dJointGetHingeAngle},
    {dJointCreateHinge, dJointGetHingeAngleRate},
    {dJointCreateSlider, dJointGetSliderPosition},
    {dJointCreateSlider, dJointGetSliderPositionRate},
    {dJointCreatePiston, dJointGetPistonAngle},
    {dJointCreatePiston, dJointGetPistonAngleRate},
    {dJointCreatePiston, dJointGetPistonPosition},
    {dJointCreatePiston, dJointGetPistonPositionRate},
    {dJointCreateUniversal, dJointGetUniversalAngle1},
    {dJointCreateUniversal, dJointGetUniversalAngle1Rate},
    {dJointCreateUniversal, dJointGetUniversalAngle2},
    {dJointCreateUniversal, dJointGetUniversalAngle2Rate},
    {dJointCreateHinge2, dJointGetHinge2Angle1},
    {dJointCreateHinge2, dJointGetHinge2Angle1Rate},
    {dJointCreateHinge2, dJointGetHinge2Angle2},
    {dJointCreateHinge2, dJointGetHinge2Angle2Rate},
    {dJointCreatePR, dJointGetPRAngle},
    {dJointCreatePR, dJointGetPRAngleRate},
    {dJointCreatePR, dJointGetPRPosition},
    {dJointCreatePR, dJointGetPRPositionRate},
    {dJointCreatePU, dJointGetPUAngle1},
    {dJointCreatePU, dJointGetPUAngle1Rate},
    {dJointCreatePU, dJointGetPUAngle2},
    {dJointCreatePU, dJointGetPUAngle2Rate},
    {dJointCreatePU, dJointGetPUPosition},
    {dJointCreatePU, dJointGetPUPositionRate},
    {dJointCreateDBall, dJointGetDBallDistance},
    {dJointCreateDHinge, dJointGetDHingeDistance},
    {dJointCreateTransmission, dJointGetTransmissionAngle1},
    {dJointCreateTransmission, dJointGetTransmissionAngle2},
    {dJointCreateTransmission, dJointGetTransmissionBacklash},
    {dJointCreateTransmission, dJointGetTransmissionRadius1},
    {dJointCreateTransmission, dJointGetTransmissionRadius2},
    {dJointCreateTransmission, dJointGetTransmissionRatio},
};
/* clang-format on */

enum { PLACES = sizeof places / sizeof places[0], NUMBERS = sizeof numbers / sizeof numbers[0] };

static int is_axis(const place *p)
{
    dVector3 v;
    dWorldID w = dWorldCreate();
    dJointID joint = p->create(w, 0);
    p->get(joint, v); /* axes begin with a direction, anchors in the origin */
    dWorldDestroy(w);
    return dCalcVectorLength3(v) > 0;
}

static int needs_two(const place *p)
{
    return p->create == dJointCreateHinge2 || p->create == dJointCreateTransmission;
}

static void what_is_set_is_told(void **state)
{
    (void)state;
    for (int i = 0; i < PLACES; ++i)
        for (int way = 0; way < (needs_two(&places[i]) ? 1 : 3); ++way) {
            const place *p = &places[i];
            dBodyID b[2];
            dWorldID w = make_pair(b);
            dJointID joint = p->create(w, 0);
            dQuaternion q = {2, (dReal)0.5, -1, (dReal)0.3};
            dVector3 v, before, after;
            dBodySetQuaternion(b[0], q);
            p->get(joint, before);
            p->set(joint, 3, 4, 12); /* not attached: does nothing */
            p->get(joint, after);
            points_to(after, before[0], before[1], before[2], 0);
            dJointAttach(joint, way == 2 ? 0 : b[0], way == 0 ? b[1] : way == 1 ? 0 : b[0]);
            p->set(joint, 3, 4, 12);
            p->get(joint, v);
            double length = is_axis(p) ? 13 : 1;
            points_to(v, 3 / length, 4 / length, 12 / length, 1e-5);
            assert_int_equal(dWorldStep(w, STEP), 1);
            dWorldDestroy(w);
        }
}

static void bad_places_are_refused(void **state)
{
    (void)state;
    dMessageFunction *usual = dGetDebugHandler();
    dSetDebugHandler(count_complaint);
    for (int i = 0; i < PLACES; ++i) {
        const place *p = &places[i];
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID joint = p->create(w, 0), other = dJointCreateNull(w, 0);
        dVector3 before, after;
        dJointAttach(joint, b[0], b[1]);
        p->set(joint, 0, 0, 5);
        p->get(joint, before);
        complaints = 0;
        p->set(joint, 1, 2, (dReal)NAN);
        p->set(joint, -dInfinity, 2, 3);
        p->set(NULL, 1, 2, 3);
        p->set(other, 1, 2, 3);
        p->get(NULL, after);
        p->get(other, after);
        p->get(joint, NULL);
        assert_int_equal(complaints, 7);
        p->get(joint, after);
        points_to(after, before[0], before[1], before[2], 0);
        dWorldDestroy(w);
    }
    dSetDebugHandler(usual);
}

/* Also one whose bodies have gone. */
static void numbers_of_joints_without_bodies_are_0(void **state)
{
    (void)state;
    for (int i = 0; i < NUMBERS; ++i) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID joint = numbers[i].create(w, 0), other = dJointCreateNull(w, 0);
        int is_ratio = numbers[i].get == dJointGetTransmissionRatio;
        assert_true(numbers[i].get(joint) == (dReal)is_ratio);
        dJointAttach(joint, b[0], b[1]);
        assert_true(isfinite(numbers[i].get(joint)));
        dBodyDestroy(b[1]);
        assert_true(numbers[i].get(joint) == (dReal)is_ratio);
        assert_int_equal(dWorldStep(w, STEP), 1);
        dMessageFunction *usual = dGetDebugHandler();
        dSetDebugHandler(count_complaint);
        complaints = 0;
        assert_true(numbers[i].get(other) == 0 && numbers[i].get(NULL) == 0);
        assert_int_equal(complaints, 2);
        dSetDebugHandler(usual);
        dWorldDestroy(w);
    }
}

/* Nor one that hangs on nothing that moves; enabled again it holds as before. */
static void disabled_joints_hold_nothing(void **state)
{
    (void)state;
    create_fn *const create[] = {dJointCreateAMotor, dJointCreateBall,     dJointCreateDBall,
                                 dJointCreateDHinge, dJointCreateFixed,    dJointCreateHinge,
                                 dJointCreateHinge2, dJointCreateLMotor,   dJointCreatePR,
                                 dJointCreatePU,     dJointCreatePiston,   dJointCreatePlane2D,
                                 dJointCreateSlider, dJointCreateUniversal};
    for (size_t i = 0; i < sizeof create / sizeof create[0]; ++i) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID joint = create[i](w, 0);
        dJointFeedback told = {.f1 = {7}};
        dWorldSetGravity(w, 1, 2, -10);
        dBodySetKinematic(b[1]);
        dJointAttach(joint, b[0], b[1]);
        dJointSetFeedback(joint, &told);
        run(w, 1); /* the joint has been there */
        dBodySetLinearVel(b[0], 0, 0, 0);
        dBodySetAngularVel(b[0], 0, 0, 1);
        told.f1[0] = 7;
        dJointDisable(joint);
        run(w, 1);
        points_to(dBodyGetLinearVel(b[0]), 0.01, 0.02, -0.1, 1e-6);
        points_to(dBodyGetAngularVel(b[0]), 0, 0, 1, 1e-6);
        assert_true(told.f1[0] == 7); /* it exerts nothing, and does not say so */
        dJointEnable(joint);
        run(w, 1);
        assert_true(told.f1[0] != 7);
        dJointDisable(joint);
        dBodySetKinematic(b[0]);
        dJointEnable(joint);
        run(w, 1); /* between two that do not move */
        dWorldDestroy(w);
    }
}

/* A pendulum, with what is to hear of its hinge. */
typedef struct pendulum {
    dWorldID world;
    dJointID hinge;
    dJointFeedback told;
} pendulum;

static void make_pendulum(pendulum *p, bool asks)
{
    dBodyID b[2];
    p->world = make_pair(b);
    p->hinge = dJointCreateHinge(p->world, 0);
    p->told = (dJointFeedback){.f1 = {7}};
    dWorldSetGravity(p->world, 1, 2, -10);
    dJointAttach(p->hinge, b[0], b[1]);
    dBodySetKinematic(b[1]);
    dBodySetAngularVel(b[0], (dReal)0.1, (dReal)0.2, 1);
    if (asks)
        dJointSetFeedback(p->hinge, &p->told);
}

/* Steps in which nobody asks leave out what would be told; who asks after them is told as much as
 * one who has asked from the beginning, by both steppers. */
static void who_asks_late_is_told(void **state)
{
    (void)state;
    for (int quick = 0; quick < 2; ++quick) {
        int (*step)(dWorldID, dReal) = quick ? dWorldQuickStep : dWorldStep;
        pendulum late, always;
        make_pendulum(&late, false);
        make_pendulum(&always, true);
        for (int i = 0; i < 60; ++i) {
            bool asks = i % 20 >= 10;
            dJointSetFeedback(late.hinge, asks ? &late.told : NULL);
            dJointFeedback before = late.told;
            assert_int_equal(step(late.world, (dReal)0.01), 1);
            assert_int_equal(step(always.world, (dReal)0.01), 1);
            assert_true(fabs(always.told.f1[2]) > 1);
            assert_memory_equal(&late.told, asks ? &always.told : &before, sizeof before);
        }
        late.told.f1[2] = 7;
        for (int k = 0; k < 2; ++k)
            dBodyDisable(dJointGetBody(late.hinge, k));
        assert_int_equal(step(late.world, (dReal)0.01), 1);
        assert_false(dBodyIsEnabled(dJointGetBody(late.hinge, 0)));
        assert_true(late.told.f1[2] == 7); /* who rests is in no step */
        dWorldDestroy(late.world);
        dWorldDestroy(always.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_is_told),
        cmocka_unit_test(bad_places_are_refused),
        cmocka_unit_test(numbers_of_joints_without_bodies_are_0),
        cmocka_unit_test(disabled_joints_hold_nothing),
        cmocka_unit_test(who_asks_late_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

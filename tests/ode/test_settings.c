/* test_settings.c: settings of worlds and of bodies of the ODE face: what is set is told, refused
 * if it is out of range, and taken over by the bodies that are made after. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/test.h"

typedef dReal number_of_world(dWorldID world);
typedef void set_number_of_world(dWorldID world, dReal value);
typedef dReal number_of_body(dBodyID body);
typedef void set_number_of_body(dBodyID body, dReal value);

#define OF_BOTH(NAME, value, wrong) \
    { \
#NAME, dWorldGet##NAME, dWorldSet##NAME, dBodyGet##NAME, dBodySet##NAME, value, wrong \
    }
#define OF_WORLD(NAME, value, wrong) \
    { \
#NAME, dWorldGet##NAME, dWorldSet##NAME, NULL, NULL, value, wrong \
    }

/* clang-format off */
static const struct {
    const char *name;
    number_of_world *of_world;
    set_number_of_world *set_of_world;
    number_of_body *of_body;
    set_number_of_body *set_of_body;
    dReal value, wrong;
} settings[] = {
    OF_BOTH(AutoDisableLinearThreshold,  (dReal)0.125, -1),
    OF_BOTH(AutoDisableAngularThreshold, (dReal)0.25,  -1),
    OF_BOTH(AutoDisableTime,             (dReal)0.5,   -1),
    OF_BOTH(LinearDamping,               (dReal)0.75,   2),
    OF_BOTH(AngularDamping,              (dReal)0.625, -1),
    OF_BOTH(LinearDampingThreshold,      (dReal)0.375, -1),
    OF_BOTH(AngularDampingThreshold,     (dReal)0.0625, -1),
    OF_BOTH(MaxAngularSpeed,             3,            -1),
    OF_WORLD(ERP,                        (dReal)0.5,    2),
    OF_WORLD(CFM,                        (dReal)0.001, -1),
    OF_WORLD(ContactMaxCorrectingVel,    7,            -1),
    OF_WORLD(ContactSurfaceLayer,        (dReal)0.01,  -1),
    OF_WORLD(QuickStepW,                 (dReal)1.5,   -1),
};
/* clang-format on */
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static void names_are_said(const char *owner, const char *name)
{
    char start[64];
    snprintf(start, sizeof start, "d%sSet%s: ", owner, name);
    assert_int_equal(refusals.count, 1);
    assert_int_equal(strncmp(refusals.last, start, strlen(start)), 0);
    refusals.count = 0;
}

static void numbers_are_told_as_set(void **state)
{
    (void)state;
    for (int i = 0; i < SETTINGS; ++i) {
        dWorldID w = dWorldCreate();
        dBodyID before = dBodyCreate(w);
        dReal first = settings[i].of_world(w), value = settings[i].value;
        settings[i].set_of_world(w, value);
        assert_true(settings[i].of_world(w) == value && value != first);
        settings[i].set_of_world(w, settings[i].wrong);
        names_are_said("World", settings[i].name);
        settings[i].set_of_world(w, (dReal)NAN);
        names_are_said("World", settings[i].name);
        assert_true(settings[i].of_world(w) == value);
        if (settings[i].of_body) {
            dBodyID after = dBodyCreate(w);
            assert_true(settings[i].of_body(before) == first);
            assert_true(settings[i].of_body(after) == value);
            settings[i].set_of_body(before, value);
            settings[i].set_of_body(before, settings[i].wrong);
            names_are_said("Body", settings[i].name);
            assert_true(settings[i].of_body(before) == value);
            settings[i].set_of_body(after, 0);
            assert_true(settings[i].of_body(after) == 0 && settings[i].of_world(w) == value);
        }
        dWorldDestroy(w);
    }
}

static void counts_and_flags_are_told_as_set(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dVector3 g = {9, 9, 9};
    dWorldSetGravity(w, 1, -2, 3);
    dWorldGetGravity(w, g);
    assert_true(g[0] == 1 && g[1] == -2 && g[2] == 3);
    dWorldSetQuickStepNumIterations(w, 33);
    assert_int_equal(dWorldGetQuickStepNumIterations(w), 33);
    dWorldSetAutoDisableFlag(w, 2);
    dWorldSetAutoDisableSteps(w, 6);
    dWorldSetAutoDisableAverageSamplesCount(w, 9);
    assert_int_equal(dWorldGetAutoDisableFlag(w), 1);
    assert_int_equal(dWorldGetAutoDisableSteps(w), 6);
    assert_int_equal(dWorldGetAutoDisableAverageSamplesCount(w), 9);
    dWorldSetAutoDisableFlag(w, 0);
    assert_int_equal(dWorldGetAutoDisableFlag(w), 0);
    dBodySetAutoDisableFlag(b, 5);
    dBodySetAutoDisableSteps(b, 7);
    dBodySetAutoDisableAverageSamplesCount(b, 8);
    assert_int_equal(dBodyGetAutoDisableFlag(b), 1);
    assert_int_equal(dBodyGetAutoDisableSteps(b), 7);
    assert_int_equal(dBodyGetAutoDisableAverageSamplesCount(b), 8);
    dBodySetAutoDisableAverageSamplesCount(b, 0);
    assert_int_equal(dBodyGetAutoDisableAverageSamplesCount(b), 1);
    dBodySetAutoDisableFlag(b, 0);
    assert_int_equal(dBodyGetAutoDisableFlag(b), 0);
    dBodySetGravityMode(b, 0);
    assert_int_equal(dBodyGetGravityMode(b), 0);
    dBodySetGravityMode(b, 4);
    assert_int_equal(dBodyGetGravityMode(b), 1);
    dBodySetFiniteRotationMode(b, 1);
    assert_int_equal(dBodyGetFiniteRotationMode(b), 1);
    dBodySetFiniteRotationMode(b, 0);
    assert_int_equal(dBodyGetFiniteRotationMode(b), 0);
    dBodySetGyroscopicMode(b, 0);
    assert_int_equal(dBodyGetGyroscopicMode(b), 0);
    dBodySetGyroscopicMode(b, 1);
    assert_int_equal(dBodyGetGyroscopicMode(b), 1);
    dWorldDestroy(w);
}

static void both_dampings_are_set_together(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dWorldSetDamping(w, (dReal)0.25, (dReal)0.5);
    assert_true(dWorldGetLinearDamping(w) == (dReal)0.25);
    assert_true(dWorldGetAngularDamping(w) == (dReal)0.5);
    dBodySetDamping(b, (dReal)0.75, 1);
    assert_true(dBodyGetLinearDamping(b) == (dReal)0.75 && dBodyGetAngularDamping(b) == 1);
    dWorldDestroy(w);
}

static void data_of_the_program_are_kept(void **state)
{
    (void)state;
    int mine[2];
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    assert_null(dBodyGetData(b));
    dWorldSetData(w, &mine[0]);
    dBodySetData(b, &mine[1]);
    assert_ptr_equal(dWorldGetData(w), &mine[0]);
    assert_ptr_equal(dBodyGetData(b), &mine[1]);
    assert_ptr_equal(dBodyGetWorld(b), w);
    dWorldDestroy(w);
}

/* --- what settings do */

/* The speed left of 2 m/s and 2 rad/s after a step. */
static void thresholds_spare_slow_bodies_from_damping(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dBodySetDamping(b, (dReal)0.5, (dReal)0.25);
    dBodySetLinearVel(b, 2, 0, 0);
    dBodySetAngularVel(b, 0, 0, 2);
    dBodySetLinearDampingThreshold(b, 3);
    dBodySetAngularDampingThreshold(b, 3);
    dWorldStep(w, (dReal)0.01);
    ASSERT_CLOSE(dBodyGetLinearVel(b)[0], 2);
    ASSERT_CLOSE(dBodyGetAngularVel(b)[2], 2);
    dBodySetLinearDampingThreshold(b, 1);
    dBodySetAngularDampingThreshold(b, 1);
    dWorldStep(w, (dReal)0.01);
    ASSERT_CLOSE(dBodyGetLinearVel(b)[0], 1);
    ASSERT_CLOSE(dBodyGetAngularVel(b)[2], 1.5);
    dWorldDestroy(w);
}

/* A top of unequal moments of inertia: its angular velocity turns about its angular momentum,
 * unless its gyroscopic torque is off. */
static void a_top_nutates_if_it_is_gyroscopic(void **state)
{
    (void)state;
    for (int on = 0; on < 2; ++on) {
        dWorldID w = dWorldCreate();
        dBodyID b = dBodyCreate(w);
        dMass mass;
        dMassSetParameters(&mass, 1, 0, 0, 0, 1, 1, 2, 0, 0, 0);
        dBodySetMass(b, &mass);
        dBodySetAngularVel(b, (dReal)0.1, 0, 5);
        dBodySetGyroscopicMode(b, on);
        for (int i = 0; i < 10; ++i)
            dWorldStep(w, (dReal)0.01);
        dReal aside = dBodyGetAngularVel(b)[1];
        /* of 0.05 rad/s across the angular momentum, by L / I1 t = 1 rad about it */
        assert_true(on ? fabs(aside - 0.05 * sin(1)) < 0.005 : aside == 0);
        dWorldDestroy(w);
    }
}

/* At 40 rad/s a step of 0.1 s turns by 4 rad, if it is finite; a small one by atan(2) * 2. */
static void finite_rotations_turn_by_the_whole_angle(void **state)
{
    (void)state;
    for (int finite = 0; finite < 2; ++finite) {
        dWorldID w = dWorldCreate();
        dBodyID b = dBodyCreate(w);
        dVector3 axis = {1, 1, 1};
        dBodyGetFiniteRotationAxis(b, axis);
        assert_true(axis[0] == 0 && axis[1] == 0 && axis[2] == 0);
        dBodySetFiniteRotationMode(b, finite);
        dBodySetAngularVel(b, 0, 0, 40);
        dWorldStep(w, (dReal)0.1);
        double angle = finite ? 4 : 2 * atan(2), turned = dBodyGetRotation(b)[0];
        assert_true(fabs(turned - cos(angle)) < 1e-5);
        dBodySetFiniteRotationAxis(b, 0, 3, 4);
        dBodyGetFiniteRotationAxis(b, axis);
        assert_true(axis[0] == 0);
        ASSERT_CLOSE(axis[1], 0.6);
        ASSERT_CLOSE(axis[2], 0.8);
        dWorldDestroy(w);
    }
}

/* A body on a joint without a force, that is slow: when it stops is counted in steps of 0.1 s. */
static int steps_until_disabled(dReal speed, dReal turn, int steps, dReal time)
{
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dJointAttach(dJointCreateNull(w, 0), b, 0);
    dBodySetLinearVel(b, speed, 0, 0);
    dBodySetAngularVel(b, 0, turn, 0);
    dBodySetAutoDisableFlag(b, 1);
    dBodySetAutoDisableSteps(b, steps);
    dBodySetAutoDisableTime(b, time);
    dBodySetAutoDisableLinearThreshold(b, 1);
    dBodySetAutoDisableAngularThreshold(b, 2);
    dBodyEnable(b); /* counts anew, by what is set by now */
    int count = 0;
    while (count < 20 && dBodyIsEnabled(b)) {
        dWorldStep(w, (dReal)0.125);
        ++count;
    }
    dWorldDestroy(w);
    return count;
}

static void idle_bodies_wait_for_steps_and_time(void **state)
{
    (void)state;
    assert_int_equal(steps_until_disabled((dReal)0.9, (dReal)1.9, 4, 0), 4);
    assert_int_equal(steps_until_disabled((dReal)0.9, (dReal)1.9, 2, (dReal)0.875), 7);
    assert_int_equal(steps_until_disabled((dReal)0.9, (dReal)1.9, 9, (dReal)0.25), 9);
    assert_int_equal(steps_until_disabled((dReal)1.1, 0, 4, 0), 20); /* not idle */
    assert_int_equal(steps_until_disabled(0, (dReal)2.1, 4, 0), 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(numbers_are_told_as_set),
        HEARING(counts_and_flags_are_told_as_set),
        HEARING(both_dampings_are_set_together),
        HEARING(data_of_the_program_are_kept),
        HEARING(thresholds_spare_slow_bodies_from_damping),
        HEARING(a_top_nutates_if_it_is_gyroscopic),
        HEARING(finite_rotations_turn_by_the_whole_angle),
        HEARING(idle_bodies_wait_for_steps_and_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_defaults.c: everything of the ODE face begins with what ODE's manual and library say. The
 * table is in defaults.h; parameters of joints are in test_joint_params.c. */
#include "defaults.h"
#include "tests/support/test.h"

#include <math.h>

#define CHECK(source, what, value, got) \
    if ((dReal)(got) != (dReal)(value)) \
        fail_msg("%s: %.9g, not %.9g", what, (double)(got), (double)(value));

static void all_begins_as_is_said(void **state)
{
    (void)state;
    things all = make_things(), *t = &all;
    DEFAULTS(CHECK)
    end_things(t);
}

static void fast_steps_begin_as_the_manual_says(void **state)
{
    (void)state;
    things all = make_things(), *t = &all;
    DEFAULTS_OF_STEP_FAST(CHECK)
    end_things(t);
}

/* Without a mode mu is a force, in N, along either direction; with one, a share of the normal
 * force, of 10 N here. The body is pushed by 5 N, and 2 N or all of it is held. */
static void friction_is_of_a_constant_force_unless_it_is_said_otherwise(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; ++mode) {
        dWorldID world = dWorldCreate();
        dBodyID body = dBodyCreate(world);
        dContact contact = {.surface = {.mode = mode ? dContactApprox1 : 0, .mu = 2},
                            .geom = {.normal = {0, 0, 1}}};
        dWorldSetGravity(world, 0, 0, -10);
        dBodyAddForce(body, 5, 0, 0);
        dJointAttach(dJointCreateContact(world, 0, &contact), body, 0);
        assert_int_equal(dWorldStep(world, (dReal)0.01), 1);
        const dReal *v = dBodyGetLinearVel(body);
        assert_true(fabs(v[0] - (mode ? 0 : 0.03)) < 1e-4);
        assert_true(fabs(v[1]) < 1e-4 && fabs(v[2]) < 1e-4);
        dWorldDestroy(world);
    }
}

/* Handlers are asked before any is set. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_begins_as_is_said),
        cmocka_unit_test(fast_steps_begin_as_the_manual_says),
        cmocka_unit_test(friction_is_of_a_constant_force_unless_it_is_said_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_defaults.c: everything of the ODE face begins with what ODE's manual and library say. The
 * table is in defaults.h; parameters of joints are in test_joint_params.c. */
#include "defaults.h"
#include "tests/support/test.h"

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

/* Handlers are asked before any is set. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_begins_as_is_said),
        cmocka_unit_test(fast_steps_begin_as_the_manual_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

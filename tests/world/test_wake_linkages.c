/* Whom each public function about joints over many bodies wakes, and whom it does not: rows, see
 * wake_row.h. */
#include "tests/world/wake_row.h"

static lode_joint couple(asleep *a, lode_joint one, lode_joint other)
{
    const lode_joint_term terms[] = {{one, 0, 1}, {other, 0, 2}};
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = terms;
    def.term_count = 2;
    lode_joint joint = lode_coupling_create(a->world, &def);
    assert_true(joint.id);
    return joint;
}

static lode_joint hinge_to_world(asleep *a, lode_body body)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = body;
    lode_joint_def_anchor_world(&def, lode_body_get_center(body), vec(1, 0, 0));
    return lode_joint_create(a->world, &def);
}

static void couple_knee_and_crate(asleep *a)
{
    couple(a, a->knee, hinge_to_world(a, asleep_own(a, LODE_BOX)));
}

static void couple_knee(asleep *a)
{
    couple(a, a->knee, a->knee);
}

static void tie_three(asleep *a)
{
    const lode_body bodies[] = {asleep_own(a, LODE_BOX), a->pole, asleep_own(a, LODE_SPHERE)};
    lode_rows_def def = lode_rows_def_default();
    def.bodies = bodies;
    def.body_count = 3;
    assert_true(lode_rows_create(a->world, &def).id);
}

static void write_nothing(void *context, const lode_row_request *request, lode_row *out_row)
{
    (void)context, (void)request, (void)out_row;
}

static void row_writer(asleep *a)
{
    const lode_row_writer writer = {write_nothing, NULL};
    assert_int_equal(lode_world_set_row_writer(a->world, &writer), LODE_OK);
}

static void each_call_wakes_whom_it_should(void **state)
{
    (void)state;
    /* clang-format off */
    const wake_row rows[] = {
        /* function, what is done, by what, who wakes at once, who later */
        ROW(lode_coupling_create, "of one joint", couple_knee, BOBS, 0),
        ROW(lode_coupling_create, "of two islands", couple_knee_and_crate, BOBS | OWN(LODE_BOX), 0),
        ROW(lode_rows_create, "over two islands", tie_three, OWN(LODE_BOX) | OWN(LODE_SPHERE), 0),
        ROW(lode_world_set_row_writer, "", row_writer, asleep_all(), 0),
    };
    /* clang-format on */
    wake_rows_run(rows, sizeof rows / sizeof *rows);
}

#define ASK(function, ...) \
    do { \
        (void)function(__VA_ARGS__); \
        assert_int_equal(asleep_awake(&a), 0); \
    } while (0)

static void no_question_wakes(void **state)
{
    (void)state;
    report_install();
    asleep a = asleep_create();
    const lode_joint_term term = {a.knee, 0, 1};
    lode_joint_term terms[2];
    lode_body bodies[4];
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = &term;
    def.term_count = 1;
    ASK(lode_coupling_def_hold, &def);
    ASK(lode_coupling_get_terms, a.knee, terms, 2);
    ASK(lode_joint_get_row_force, a.knee, 0);
    ASK(lode_joint_get_bodies, a.knee, bodies, 4);
    assert_int_equal(lode_world_step(a.world, STEP), LODE_OK); /* nor later */
    assert_int_equal(asleep_awake(&a), 0);
    assert_int_equal(report.count, 0);
    asleep_destroy(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_wakes_whom_it_should),
        cmocka_unit_test(no_question_wakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

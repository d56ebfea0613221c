/* test_tendon_calls.c: what of tendons and mimic joints can be made, asked and changed, what is
 * refused, who wakes; snapshots, bits and memory. */
#include "core/hash.h"
#include "tests/support/alloc_fail.h"
#include "tests/world/arm.h"
#include "world/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static int no_reports(void **state)
{
    (void)state;
    return report.count;
}

/* ---- life */

static void test_all_of_it_is_kept(void **state)
{
    (void)state;
    arm l = arm_make(LODE_LINK_REVOLUTE, 4, true, vec(0, 0, 0));
    lode_tendon_def def = {LODE_TENDON_FIXED, 1, 2, 3, 4, 5, 6, 7};
    lode_tendon t = lode_tendon_create(l.articulation, &def);
    lode_tendon s = arm_spatial(&l, 1, 2, 3);
    lode_tendon_def got = lode_tendon_get_def(t);
    assert_true(got.type == def.type && got.stiffness == 1 && got.damping == 2 &&
                got.limit_stiffness == 3 && got.offset == 4 && got.rest_length == 5 &&
                got.lo == 6 && got.hi == 7);
    arm_run_along(t, -1, l.link[0], 1, 1);
    arm_run_along(t, 0, l.link[1], 2, 3);
    lode_tendon_joint j = lode_tendon_get_joint(t, 1);
    assert_true(j.parent == 0 && j.link.id == l.link[1].id && j.axis == LODE_AXIS_TWIST &&
                j.coefficient == 2 && j.reciprocal == 3);
    assert_int_equal(lode_tendon_get_joint(t, 0).parent, -1);
    j.coefficient = 8;
    assert_int_equal(lode_tendon_set_joint(t, 1, &j, false), LODE_OK);
    assert_true(lode_tendon_get_joint(t, 1).coefficient == 8);
    arm_attach(s, -1, l.link[2], vec(1, 2, 3), 4);
    arm_attach(s, 0, l.link[1], vec(5, 6, 7), 8);
    lode_tendon_attachment a = lode_tendon_get_attachment(s, 1);
    assert_true(a.parent == 0 && a.link.id == l.link[1].id && a.point.z == 7 &&
                a.coefficient == 1 && a.rest_length == 8 && a.lo > a.hi);
    assert_int_equal(lode_tendon_count_parts(s), 2);
    lode_mimic_def m = arm_pair(&l, 3, 4);
    lode_mimic mimic = lode_mimic_create(l.articulation, &m);
    arm_insert(&l);
    m.gear_ratio = 5;
    m.offset = 6;
    m.natural_frequency = 7;
    m.damping_ratio = 8;
    assert_int_equal(lode_mimic_set_def(mimic, &m, false), LODE_OK);
    lode_mimic_def n = lode_mimic_get_def(mimic);
    assert_true(n.link_a.id == l.link[1].id && n.link_b.id == l.link[2].id &&
                n.axis_b == LODE_AXIS_TWIST && n.gear_ratio == 5 && n.offset == 6 &&
                n.natural_frequency == 7 && n.damping_ratio == 8);
    lode_world_destroy(l.world);
}

static void test_lists_and_ends(void **state)
{
    (void)state;
    arm l = arm_make(LODE_LINK_REVOLUTE, 4, true, vec(0, 0, 0)),
        other = arm_make_in(l.world, LODE_LINK_REVOLUTE, 3, true);
    lode_tendon_def fixed = lode_tendon_def_default(LODE_TENDON_FIXED);
    lode_tendon a = arm_spatial(&l, 1, 1, 1), b = lode_tendon_create(l.articulation, &fixed),
                c = arm_spatial(&l, 1, 1, 1), d = arm_spatial(&other, 1, 1, 1), list[4];
    lode_mimic_def def = arm_pair(&l, 1, 0);
    lode_mimic m = lode_mimic_create(l.articulation, &def), mimics[2];
    arm_attach(a, -1, l.link[1], vec(0, 0, 0), 0);
    assert_int_equal(lode_articulation_get_tendons(l.articulation, LODE_TENDON_SPATIAL, list, 0, 4),
                     2);
    assert_true(list[0].id == a.id && list[1].id == c.id);
    assert_int_equal(lode_articulation_get_tendons(l.articulation, LODE_TENDON_SPATIAL, list, 1, 1),
                     2);
    assert_true(list[0].id == c.id);
    assert_int_equal(lode_articulation_get_tendons(l.articulation, LODE_TENDON_FIXED, NULL, 0, 0),
                     1);
    assert_int_equal(lode_articulation_get_mimics(l.articulation, mimics, 0, 2), 1);
    assert_true(mimics[0].id == m.id);
    assert_true(lode_tendon_get_articulation(b).id == l.articulation.id);
    assert_true(lode_mimic_get_articulation(m).id == l.articulation.id);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "link", lode_articulation_remove_link, l.articulation,
                   l.link[1]);
    assert_int_equal(lode_tendon_destroy(a), LODE_OK);
    assert_false(lode_tendon_is_valid(a));
    assert_int_equal(lode_articulation_get_tendons(l.articulation, LODE_TENDON_SPATIAL, list, 0, 4),
                     1);
    assert_int_equal(lode_articulation_remove_link(l.articulation, l.link[3]), LODE_OK);
    arm_insert(&l);
    assert_int_equal(lode_articulation_destroy(l.articulation), LODE_OK);
    assert_false(lode_tendon_is_valid(b) || lode_tendon_is_valid(c) || lode_mimic_is_valid(m));
    assert_true(lode_tendon_is_valid(d));
    assert_int_equal(lode_tendon_set_def(c, &fixed, true), LODE_ERROR_HANDLE);
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_tendon_set_def", "tendon");
    report_clear();
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "mimic", lode_mimic_destroy, m);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "tendon", lode_tendon_destroy, (lode_tendon){0});
    lode_world_destroy(l.world);
}

/* ---- refusals */

#define REFUSED_NULL(status, argument, function, ...) \
    do { \
        assert_true(function(__VA_ARGS__).id == 0); \
        EXPECT_REPORT(status, #function, argument); \
        report_clear(); \
    } while (0)

#define REFUSED_PART(status, argument, function, ...) \
    do { \
        assert_int_equal(function(__VA_ARGS__), -1); \
        EXPECT_REPORT(status, #function, argument); \
        report_clear(); \
    } while (0)

/* Each reports once, names itself and the argument, and returns nothing. */
#define STALE(argument, function, ...) \
    do { \
        (void)function(__VA_ARGS__); \
        EXPECT_REPORT(LODE_ERROR_HANDLE, #function, argument); \
        report_clear(); \
    } while (0)

static void refuse_handles(lode_articulation a, lode_tendon t, lode_mimic m)
{
    const lode_tendon_def def = lode_tendon_def_default(LODE_TENDON_SPATIAL);
    const lode_tendon_attachment attachment = lode_tendon_attachment_default();
    const lode_tendon_joint joint = lode_tendon_joint_default();
    const lode_mimic_def mimic = lode_mimic_def_default();
    assert_false(lode_tendon_is_valid(t) || lode_mimic_is_valid(m));
    STALE("articulation", lode_tendon_create, a, &def);
    STALE("articulation", lode_mimic_create, a, &mimic);
    STALE("articulation", lode_articulation_get_tendons, a, LODE_TENDON_FIXED, NULL, 0, 0);
    STALE("articulation", lode_articulation_get_mimics, a, NULL, 0, 0);
    STALE("tendon", lode_tendon_destroy, t);
    STALE("tendon", lode_tendon_get_articulation, t);
    STALE("tendon", lode_tendon_get_def, t);
    STALE("tendon", lode_tendon_set_def, t, &def, true);
    STALE("tendon", lode_tendon_add_attachment, t, &attachment);
    STALE("tendon", lode_tendon_add_joint, t, &joint);
    STALE("tendon", lode_tendon_count_parts, t);
    STALE("tendon", lode_tendon_get_attachment, t, 0);
    STALE("tendon", lode_tendon_set_attachment, t, 0, &attachment, true);
    STALE("tendon", lode_tendon_get_joint, t, 0);
    STALE("tendon", lode_tendon_set_joint, t, 0, &joint, true);
    STALE("tendon", lode_tendon_get_length, t, 0);
    STALE("mimic", lode_mimic_destroy, m);
    STALE("mimic", lode_mimic_get_articulation, m);
    STALE("mimic", lode_mimic_get_def, m);
    STALE("mimic", lode_mimic_set_def, m, &mimic, true);
}

static void test_bad_handles_are_refused(void **state)
{
    (void)state;
    refuse_handles((lode_articulation){0}, (lode_tendon){0}, (lode_mimic){0});
    refuse_handles((lode_articulation){UINT64_MAX}, (lode_tendon){UINT64_MAX},
                   (lode_mimic){UINT64_MAX});
    arm l = arm_make(LODE_LINK_REVOLUTE, 3, true, vec(0, 0, 0));
    lode_tendon t = arm_spatial(&l, 1, 1, 1);
    const lode_mimic_def def = arm_pair(&l, 1, 0);
    lode_mimic m = lode_mimic_create(l.articulation, &def);
    assert_int_equal(lode_articulation_destroy(l.articulation), LODE_OK);
    refuse_handles(l.articulation, t, m);
    lode_world_destroy(l.world);
    refuse_handles(l.articulation, t, m);
}

static void test_bad_numbers_are_refused(void **state)
{
    const lode_real nan = (lode_real)NAN, infinite = (lode_real)INFINITY;
    (void)state;
    arm l = arm_make(LODE_LINK_REVOLUTE, 3, true, vec(0, 0, 0));
    const lode_tendon_def good = lode_tendon_def_default(LODE_TENDON_SPATIAL);
    lode_tendon tendon = lode_tendon_create(l.articulation, &good);
    const struct {
        lode_tendon_def def;
        const char *argument;
    } bad[] = {
        {{.type = LODE_TENDON_TYPE_COUNT}, "def.type"},
        {{.stiffness = -1}, "def.stiffness"},
        {{.stiffness = infinite}, "def.stiffness"},
        {{.damping = nan}, "def.damping"},
        {{.limit_stiffness = -1}, "def.limit_stiffness"},
        {{.offset = infinite}, "def.offset"},
        {{.rest_length = nan}, "def"},
        {{.lo = nan}, "def"},
        {{.hi = nan}, "def"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        REFUSED_NULL(LODE_ERROR_ARGUMENT, bad[i].argument, lode_tendon_create, l.articulation,
                     &bad[i].def);
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, bad[i].argument, lode_tendon_set_def, tendon,
                       &bad[i].def, true);
    }
    const lode_tendon_def fixed = lode_tendon_def_default(LODE_TENDON_FIXED);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "def.type", lode_tendon_set_def, tendon, &fixed, true);
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def", lode_tendon_create, l.articulation, NULL);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "def", lode_tendon_set_def, tendon, NULL, true);

    lode_mimic_def def = arm_pair(&l, 1, 0);
    lode_mimic mimic = lode_mimic_create(l.articulation, &def);
    lode_real *const numbers[] = {&def.gear_ratio, &def.offset, &def.natural_frequency,
                                  &def.damping_ratio};
    const char *const names[] = {"def.gear_ratio", "def.offset", "def.natural_frequency",
                                 "def.damping_ratio"};
    for (int i = 0; i < 4; ++i) {
        lode_real kept = *numbers[i];
        *numbers[i] = i % 2 ? infinite : nan;
        REFUSED_NULL(LODE_ERROR_ARGUMENT, names[i], lode_mimic_create, l.articulation, &def);
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, names[i], lode_mimic_set_def, mimic, &def, true);
        *numbers[i] = kept;
    }
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def", lode_mimic_create, l.articulation, NULL);
    lode_world_destroy(l.world);
}

/* An arm with an empty spatial and an empty fixed tendon, and links that are not its own. */
typedef struct structure {
    arm l, other, far;
    lode_body loose;
    lode_tendon s, f;
} structure;

static structure structure_make(void)
{
    structure c = {.l = arm_make(LODE_LINK_REVOLUTE, 4, true, vec(0, 0, 0))};
    const lode_tendon_def fixed = lode_tendon_def_default(LODE_TENDON_FIXED);
    c.other = arm_make_in(c.l.world, LODE_LINK_REVOLUTE, 3, true);
    c.far = arm_make(LODE_LINK_REVOLUTE, 3, true, vec(0, 0, 0));
    c.loose = add_ball(c.l.world, 0, 0, 9, 1);
    c.s = arm_spatial(&c.l, 1, 1, 1);
    c.f = lode_tendon_create(c.l.articulation, &fixed);
    return c;
}

static void structure_destroy(structure *c)
{
    lode_world_destroy(c->l.world);
    lode_world_destroy(c->far.world);
}

static void refuse_attachments(const structure *c)
{
    lode_tendon_attachment a = lode_tendon_attachment_default();
    a.link = c->l.link[0];
    a.parent = 0;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.parent", lode_tendon_add_attachment, c->s, &a);
    a.parent = -1;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "tendon", lode_tendon_add_attachment, c->f, &a);
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment", lode_tendon_add_attachment, c->s, NULL);
    assert_int_equal(lode_tendon_add_attachment(c->s, &a), 0);
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.parent", lode_tendon_add_attachment, c->s, &a);
    a.parent = 1;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.parent", lode_tendon_add_attachment, c->s, &a);
    a.parent = 0;
    a.link = c->other.link[1];
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.link", lode_tendon_add_attachment, c->s, &a);
    a.link = c->loose;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.link", lode_tendon_add_attachment, c->s, &a);
    a.link = c->far.link[1];
    REFUSED_PART(LODE_ERROR_HANDLE, "attachment.link", lode_tendon_add_attachment, c->s, &a);
    a.link = c->l.link[1];
    a.point.x = (lode_real)NAN;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.point", lode_tendon_add_attachment, c->s, &a);
    a.point.x = 0;
    a.coefficient = (lode_real)INFINITY;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.coefficient", lode_tendon_add_attachment, c->s,
                 &a);
    a.coefficient = 1;
    assert_int_equal(lode_tendon_add_attachment(c->s, &a), 1);
    a.parent = 1;
    assert_int_equal(lode_tendon_add_attachment(c->s, &a), 2);
}

/* Limits are of leaves; what it hangs on stays. */
static void refuse_other_attachments(const structure *c)
{
    const lode_tendon_attachment a = lode_tendon_get_attachment(c->s, 2);
    lode_tendon_attachment middle = lode_tendon_get_attachment(c->s, 1);
    middle.hi = 5;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "attachment", lode_tendon_set_attachment, c->s, 1, &middle,
                   true);
    middle = lode_tendon_get_attachment(c->s, 1);
    middle.parent = -1;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "attachment", lode_tendon_set_attachment, c->s, 1, &middle,
                   true);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "index", lode_tendon_set_attachment, c->s, 3, &a, true);
    lode_tendon_get_length(c->s, -1);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_tendon_get_length", "index");
    report_clear();
}

static void refuse_joints(const structure *c)
{
    lode_tendon_joint j = lode_tendon_joint_default();
    j.link = c->l.link[0];
    REFUSED_PART(LODE_ERROR_ARGUMENT, "tendon", lode_tendon_add_joint, c->s, &j);
    assert_int_equal(lode_tendon_add_joint(c->f, &j), 0);
    j.parent = 0;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.link", lode_tendon_add_joint, c->f, &j); /* the root */
    j.link = c->l.link[2];
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.link", lode_tendon_add_joint, c->f, &j); /* no child */
    j.link = c->other.link[1];
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.link", lode_tendon_add_joint, c->f, &j);
    j.link = c->l.link[1];
    j.axis = LODE_AXIS_SWING1;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.axis", lode_tendon_add_joint, c->f, &j); /* locked */
    j.axis = LODE_LINK_AXES;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.axis", lode_tendon_add_joint, c->f, &j);
    j.axis = LODE_AXIS_TWIST;
    j.reciprocal = (lode_real)NAN;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.coefficient", lode_tendon_add_joint, c->f, &j);
    j.reciprocal = 1;
    assert_int_equal(lode_tendon_add_joint(c->f, &j), 1);
    j.axis = LODE_AXIS_SWING1;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "joint.axis", lode_tendon_set_joint, c->f, 1, &j, true);
}

static void refuse_mimics(const structure *c)
{
    lode_mimic_def m = arm_pair(&c->l, 1, 0);
    m.link_b = m.link_a;
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def.link_b", lode_mimic_create, c->l.articulation, &m);
    m.link_b = c->other.link[1];
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def.link_b", lode_mimic_create, c->l.articulation, &m);
    m.link_b = c->l.link[0];
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def.link_b", lode_mimic_create, c->l.articulation, &m);
    m.link_b = c->l.link[2];
    m.axis_a = LODE_AXIS_X;
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def.axis_a", lode_mimic_create, c->l.articulation, &m);
    m.axis_a = LODE_AXIS_TWIST;
    lode_mimic mimic = lode_mimic_create(c->l.articulation, &m);
    m.link_b = c->l.link[3];
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "def", lode_mimic_set_def, mimic, &m, true);
}

static void test_bad_structure_is_refused(void **state)
{
    (void)state;
    structure c = structure_make();
    refuse_attachments(&c);
    refuse_other_attachments(&c);
    refuse_joints(&c);
    refuse_mimics(&c);
    assert_int_equal(lode_tendon_count_parts(c.s), 3);
    assert_int_equal(lode_tendon_count_parts(c.f), 2);
    structure_destroy(&c);
}

static void test_structure_stays_inside_the_simulation(void **state)
{
    (void)state;
    structure made = structure_make(), *c = &made;
    const lode_tendon_def fixed = lode_tendon_def_default(LODE_TENDON_FIXED);
    lode_tendon_attachment a = lode_tendon_attachment_default();
    lode_tendon_joint j = lode_tendon_joint_default();
    lode_mimic_def m = arm_pair(&c->l, 1, 0);
    a.link = j.link = c->l.link[0];
    assert_int_equal(lode_tendon_add_attachment(c->s, &a), 0);
    assert_int_equal(lode_tendon_add_joint(c->f, &j), 0);
    lode_mimic mimic = lode_mimic_create(c->l.articulation, &m);
    a.parent = j.parent = 0;
    j.link = c->l.link[1];
    arm_insert(&c->l);
    REFUSED_NULL(LODE_ERROR_STATE, "articulation", lode_mimic_create, c->l.articulation, &m);
    REFUSED_NULL(LODE_ERROR_STATE, "articulation", lode_tendon_create, c->l.articulation, &fixed);
    REFUSED_PART(LODE_ERROR_STATE, "articulation", lode_tendon_add_attachment, c->s, &a);
    REFUSED_PART(LODE_ERROR_STATE, "articulation", lode_tendon_add_joint, c->f, &j);
    EXPECT_REFUSED(LODE_ERROR_STATE, "articulation", lode_tendon_destroy, c->s);
    EXPECT_REFUSED(LODE_ERROR_STATE, "articulation", lode_mimic_destroy, mimic);
    assert_int_equal(lode_tendon_count_parts(c->s), 1);
    assert_int_equal(lode_tendon_count_parts(c->f), 1);
    structure_destroy(c);
}

/* ---- waking, bits and memory */

static void test_setters_wake_if_asked(void **state)
{
    (void)state;
    arm l = arm_make(LODE_LINK_PRISMATIC, 3, false, vec(0, 0, 0));
    lode_tendon t = arm_spatial(&l, 1, 1, 1);
    arm_attach(t, -1, l.link[0], vec(0, 0, 0), 0);
    lode_tendon_def fixed_def = lode_tendon_def_default(LODE_TENDON_FIXED);
    lode_tendon f = lode_tendon_create(l.articulation, &fixed_def);
    lode_tendon_joint j = lode_tendon_joint_default();
    j.link = l.link[0];
    lode_tendon_add_joint(f, &j);
    lode_mimic_def m = arm_pair(&l, 1, 0);
    lode_mimic mimic = lode_mimic_create(l.articulation, &m);
    lode_tendon_def def = lode_tendon_get_def(t);
    lode_tendon_attachment a = lode_tendon_get_attachment(t, 0);
    arm_insert(&l);
    for (int wake = 0; wake < 2; ++wake)
        for (int which = 0; which < 4; ++which) {
            assert_int_equal(lode_articulation_sleep(l.articulation), LODE_OK);
            arm_step(&l, 0.01, 1);
            assert_true(lode_articulation_is_sleeping(l.articulation));
            lode_status status = which == 0   ? lode_tendon_set_def(t, &def, wake)
                                 : which == 1 ? lode_tendon_set_attachment(t, 0, &a, wake)
                                 : which == 2 ? lode_tendon_set_joint(f, 0, &j, wake)
                                              : lode_mimic_set_def(mimic, &m, wake);
            assert_int_equal(status, LODE_OK);
            assert_int_equal(!lode_articulation_is_sleeping(l.articulation), wake);
            assert_true((lode_articulation_get_wake_counter(l.articulation) > 0) == wake);
        }
    lode_world_destroy(l.world);
}

/* Everything at once. */
static arm scene_of_all(int threads)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    arm l = arm_make_in(lode_world_create(&def), LODE_LINK_REVOLUTE, 8, true);
    lode_tendon s = arm_spatial(&l, 100, 1, 1000);
    arm_attach(s, -1, l.link[0], vec(0, 0, 1), 1);
    arm_attach(s, 0, l.link[3], vec(0, 0, 0), 1);
    arm_attach(s, 1, l.link[6], vec(0, 0, 0), 1);
    arm_attach(s, 0, l.link[5], vec(0, 1, 0), 1);
    lode_tendon_def fixed = lode_tendon_def_default(LODE_TENDON_FIXED);
    fixed.stiffness = 30;
    fixed.damping = 1;
    lode_tendon f = lode_tendon_create(l.articulation, &fixed);
    arm_run_along(f, -1, l.link[1], 1, 1);
    arm_run_along(f, 0, l.link[2], 1, 1);
    arm_run_along(f, 1, l.link[3], -1, -1);
    lode_mimic_def m = arm_pair(&l, -1, 0);
    lode_mimic_create(l.articulation, &m);
    m.link_a = l.link[7];
    m.natural_frequency = 20;
    m.damping_ratio = 1;
    lode_mimic_create(l.articulation, &m);
    arm_insert(&l);
    return l;
}

static void test_bits_do_not_depend_on_threads(void **state)
{
    uint64_t hashes[2];
    (void)state;
    for (int i = 0; i < 2; ++i) {
        arm l = scene_of_all(1 + 2 * i);
        arm_step(&l, 1.0 / 60, 300);
        hashes[i] = lode_world_hash(l.world);
        lode_world_destroy(l.world);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* A snapshot holds them with the impulses that they begin with: the same future, in any world. */
static void test_snapshots_hold_them(void **state)
{
    (void)state;
    arm l = scene_of_all(1);
    lode_world_def plain = lode_world_def_default();
    lode_world other = lode_world_create(&plain);
    arm_step(&l, 1.0 / 60, 50);
    size_t size = lode_world_snapshot(l.world, NULL, 0);
    unsigned char *bytes = malloc(size);
    assert_int_equal(lode_world_snapshot(l.world, bytes, size), size);
    arm_step(&l, 1.0 / 60, 100);
    uint64_t hash = lode_world_hash(l.world);
    lode_mimic mimics[2];
    lode_articulation_get_mimics(l.articulation, mimics, 0, 2);
    assert_int_equal(lode_articulation_remove(l.articulation), LODE_OK);
    assert_int_equal(lode_mimic_destroy(mimics[0]), LODE_OK);
    lode_world worlds[2] = {l.world, other};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(lode_world_restore(worlds[i], bytes, size), LODE_OK);
        for (int k = 0; k < 100; ++k)
            assert_int_equal(lode_world_step(worlds[i], (lode_real)(1.0 / 60)), LODE_OK);
        assert_true(lode_world_hash(worlds[i]) == hash);
    }
    assert_true(lode_mimic_is_valid(mimics[0]));
    free(bytes);
    lode_world_destroy(l.world);
    lode_world_destroy(other);
}

/* Words of a snapshot changed by someone who knows the checksum: refused, or a world that can be
 * stepped and asked. */
static void test_bad_words_in_snapshots_do_no_harm(void **state)
{
    enum { CHECKSUM_AT = 32, HEADER = 40 }; /* as in test_snapshot_hostile.c */
    const uint32_t words[] = {1, 0x00ffffff, 0x7fc00000};
    int let_in = 0, refused = 0;
    (void)state;
    arm l = scene_of_all(1);
    arm_step(&l, 1.0 / 60, 3);
    size_t size = lode_world_snapshot(l.world, NULL, 0);
    char *good = malloc(size), *bytes = malloc(size);
    lode_world_snapshot(l.world, good, size);
    lode_world_def def = lode_world_def_default();
    lode_world victim = lode_world_create(&def);
    for (size_t at = HEADER; at + 4 <= size; at += 4) {
        memcpy(bytes, good, size);
        memcpy(bytes + at, &words[at / 4 % 3], 4);
        uint64_t sum = lode__hash_bytes(LODE__SNAPSHOT_FORMAT, bytes + HEADER, size - HEADER);
        memcpy(bytes + CHECKSUM_AT, &sum, sizeof sum);
        if (lode_world_restore(victim, bytes, size)) {
            ++refused;
            continue;
        }
        ++let_in;
        lode_world_set_iterations(victim, 4); /* millions are not wrong, but long */
        lode_world_set_sub_steps(victim, 1);
        lode_world_step(victim, STEP);
        lode_tendon all[4];
        lode_body base;
        lode_articulation robot = {0};
        if (lode_world_get_bodies(victim, &base, 1) > 0)
            robot = lode_body_get_articulation(base);
        int count = lode_articulation_get_tendons(robot, LODE_TENDON_SPATIAL, all, 0, 4);
        for (int i = 0; i < count && i < 4; ++i)
            for (int part = 0; part < lode_tendon_count_parts(all[i]); ++part)
                lode_tendon_get_length(all[i], part);
    }
    assert_true(let_in > 100 && refused > 100);
    report_clear();
    free(good);
    free(bytes);
    lode_world_destroy(victim);
    lode_world_destroy(l.world);
}

static void test_steps_take_nothing_from_the_heap(void **state)
{
    (void)state;
    alloc_fail_install();
    arm l = scene_of_all(1);
    arm_step(&l, 1.0 / 60, 5);
    alloc_fail_nth(-1);
    arm_step(&l, 1.0 / 60, 100);
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(l.world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* Makes a tendon with a part, and a mimic joint; what failed of it for memory is not there. */
static bool make_some(const arm *l)
{
    const lode_tendon_def def = lode_tendon_def_default(LODE_TENDON_SPATIAL);
    lode_tendon_attachment a = lode_tendon_attachment_default();
    lode_mimic_def m = arm_pair(l, 1, 0);
    a.link = l->link[1];
    lode_tendon t = lode_tendon_create(l->articulation, &def);
    if (!t.id)
        return false;
    if (lode_tendon_add_attachment(t, &a) != 0) {
        assert_int_equal(lode_tendon_count_parts(t), 0);
        return false;
    }
    return lode_mimic_create(l->articulation, &m).id != 0;
}

static void test_memory_may_be_wanting(void **state)
{
    (void)state;
    alloc_fail_install();
    long failed = 0;
    for (bool happened = true; happened; ++failed) {
        arm l = arm_make(LODE_LINK_REVOLUTE, 3, true, vec(0, 0, 0));
        alloc_fail_nth(failed);
        bool made = make_some(&l);
        happened = alloc_fail_happened();
        alloc_fail_nth(-1);
        assert_int_equal(made, !happened);
        assert_int_equal(report.count, happened);
        report_clear();
        arm_insert(&l);
        arm_step(&l, 0.01, 1);
        lode_world_destroy(l.world);
        assert_int_equal(alloc_fail_live(), 0);
    }
    assert_true(failed > 3);
    alloc_fail_remove();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, no_reports)
    const struct CMUnitTest tests[] = {
        TEST(test_all_of_it_is_kept),
        TEST(test_lists_and_ends),
        TEST(test_bad_handles_are_refused),
        TEST(test_bad_numbers_are_refused),
        TEST(test_bad_structure_is_refused),
        TEST(test_structure_stays_inside_the_simulation),
        TEST(test_setters_wake_if_asked),
        TEST(test_bits_do_not_depend_on_threads),
        TEST(test_snapshots_hold_them),
        TEST(test_bad_words_in_snapshots_do_no_harm),
        TEST(test_steps_take_nothing_from_the_heap),
        TEST(test_memory_may_be_wanting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What joints that do not stretch (lode_stiff) keep of everything else: which are chosen, what they
 * tell, that they break, sleep and wake, hang on what moves, and end with a warning where they
 * contradict themselves. How well they hold is told in tests/fidelity/test_stiff.c. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <math.h>

enum { LINKS = 8, MOST_JOINTS = 16 };

typedef struct chain {
    lode_world world;
    lode_body top, link[LINKS];
    lode_joint joint[LINKS];
} chain;

static lode_world make_world(lode_stiff stiff)
{
    lode_world_def def = lode_world_def_default();
    def.stiff_joints = stiff;
    def.sub_steps = 4;
    def.sleep.enabled = true;
    lode_world world = lode_world_create(&def);
    assert_true(lode_world_is_valid(world));
    return world;
}

static lode_joint join(lode_world world, lode_joint_type type, lode_body a, lode_body b,
                       lode_vec3 at)
{
    lode_joint_def def = lode_joint_def_default(type);
    def.body_a = a;
    def.body_b = b;
    assert_int_equal(lode_joint_def_anchor_world(&def, at, vec(0, 1, 0)), LODE_OK);
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(lode_joint_is_valid(joint));
    return joint;
}

static lode_body add_link(lode_world world, lode_vec3 at, lode_real mass)
{
    lode_mass m = {.mass = mass, .inertia = {mass / 8, mass / 8, mass / 8}};
    lode_body body = add_body(world, LODE_DYNAMIC, at.x, at.y, at.z);
    assert_int_equal(lode_body_set_mass(body, &m), LODE_OK);
    return body;
}

/* Links of a kilogram hang down from a body of this type; the last weighs more. */
static chain hang(lode_stiff stiff, lode_body_type top, lode_real load)
{
    chain c = {.world = make_world(stiff)};
    c.top = add_body(c.world, top, 0, 0, 0);
    for (int i = 0; i < LINKS; ++i) {
        lode_real z = -(lode_real)i - 1;
        c.link[i] = add_link(c.world, vec(0, 0, z), i == LINKS - 1 ? load : 1);
        c.joint[i] = join(c.world, LODE_JOINT_BALL, c.link[i], i ? c.link[i - 1] : c.top,
                          vec(0, 0, z + (lode_real)0.5));
    }
    return c;
}

static void run(lode_world world, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static double apart(lode_joint joint)
{
    lode_vec3 a = lode_joint_get_anchor_a(joint), b = lode_joint_get_anchor_b(joint);
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

static double most_apart(const chain *c)
{
    double most = 0;
    for (int i = 0; i < LINKS; ++i)
        if (lode_joint_get_enabled(c->joint[i]))
            most = fmax(most, apart(c->joint[i]));
    return most;
}

static int64_t missed(lode_world world)
{
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT);
    assert_int_equal(warnings[LODE_WARNING_NAN_BODY].ever, 0);
    return warnings[LODE_WARNING_NOT_CONVERGED].ever;
}

static uint64_t hash_after(lode_stiff stiff, lode_real load)
{
    chain c = hang(stiff, LODE_STATIC, load);
    lode_body_set_linear_velocity(c.link[LINKS - 1], vec(3, 1, 0));
    run(c.world, 60);
    uint64_t hash = lode_world_hash(c.world);
    lode_world_destroy(c.world);
    return hash;
}

static void masses_far_apart_are_chosen(void **state)
{
    (void)state;
    assert_true(hash_after(LODE_STIFF_AUTOMATIC, 19) == hash_after(LODE_STIFF_NEVER, 19));
    assert_true(hash_after(LODE_STIFF_AUTOMATIC, 21) == hash_after(LODE_STIFF_ALWAYS, 21));
    assert_true(hash_after(LODE_STIFF_AUTOMATIC, 21) != hash_after(LODE_STIFF_NEVER, 21));
}

/* Of each joint: the weight of all that hangs on it. */
static void they_tell_what_they_bear(void **state)
{
    (void)state;
    chain c = hang(LODE_STIFF_ALWAYS, LODE_STATIC, 1000);
    run(c.world, 4);
    for (int i = 0; i < LINKS; ++i) {
        double weight = (1000 + LINKS - 1 - i) * 9.81;
        assert_true(near((double)lode_joint_get_force(c.joint[i]).z, weight, 1e-4 * weight));
    }
    lode_world_destroy(c.world);
}

static void they_break(void **state)
{
    (void)state;
    chain c = hang(LODE_STIFF_ALWAYS, LODE_STATIC, 1000);
    assert_int_equal(lode_joint_set_max_force(c.joint[3], (lode_real)9000), LODE_OK);
    run(c.world, 2);
    for (int i = 0; i < LINKS; ++i)
        assert_int_equal(lode_joint_get_enabled(c.joint[i]), i != 3);
    run(c.world, 30);
    assert_true(most_apart(&c) < 1e-4);
    lode_world_destroy(c.world);
}

/* Asleep as they hang, and awake again when something pulls. */
static void they_sleep_and_wake(void **state)
{
    (void)state;
    chain c = hang(LODE_STIFF_ALWAYS, LODE_STATIC, 1000);
    run(c.world, 200);
    for (int i = 0; i < LINKS; ++i)
        assert_false(lode_body_is_awake(c.link[i]));
    lode_body_set_linear_velocity(c.link[4], vec(1, 0, 0));
    for (int i = 0; i < 200; ++i) {
        run(c.world, 1);
        assert_true(most_apart(&c) < 1e-4);
    }
    lode_world_destroy(c.world);
}

/* On a body that the application moves to and fro and turns. */
static void they_hang_on_what_moves(void **state)
{
    (void)state;
    chain c = hang(LODE_STIFF_ALWAYS, LODE_KINEMATIC, 1000);
    for (int i = 0; i < 300; ++i) {
        lode_body_set_linear_velocity(c.top, vec(i / 50 % 2 ? -2 : 2, 1, 0));
        lode_body_set_angular_velocity(c.top, vec(0, 0, 3));
        run(c.world, 1);
        assert_true(most_apart(&c) < 1e-4);
    }
    assert_int_equal(missed(c.world), 0);
    lode_world_destroy(c.world);
}

/* A rod held at both ends by what moves apart: there is no answer, and the step says so; nor does
 * anything become infinite. When both come back there is one. */
static void contradictions_end_with_a_warning(void **state)
{
    (void)state;
    lode_world world = make_world(LODE_STIFF_ALWAYS);
    lode_body end[2] = {add_body(world, LODE_KINEMATIC, -1, 0, 0),
                        add_body(world, LODE_KINEMATIC, 1, 0, 0)};
    lode_body rod = add_link(world, vec(0, 0, 0), 1);
    lode_joint joint[2] = {join(world, LODE_JOINT_BALL, rod, end[0], vec(-1, 0, 0)),
                           join(world, LODE_JOINT_BALL, rod, end[1], vec(1, 0, 0))};
    run(world, 10);
    assert_int_equal(missed(world), 0);
    for (int i = 0; i < 2; ++i)
        lode_body_set_linear_velocity(end[i], vec(i ? (lode_real)0.5 : (lode_real)-0.5, 0, 0));
    run(world, 32);
    int64_t so_far = missed(world);
    assert_true(so_far > 16);
    assert_true(near(apart(joint[0]), 0.25, 0.02) && near(apart(joint[1]), 0.25, 0.02));
    for (int i = 0; i < 2; ++i)
        lode_body_set_linear_velocity(end[i], vec(i ? (lode_real)-0.5 : (lode_real)0.5, 0, 0));
    run(world, 32);
    so_far = missed(world);
    for (int i = 0; i < 2; ++i)
        lode_body_set_linear_velocity(end[i], vec(0, 0, 0));
    run(world, 10);
    assert_int_equal(missed(world), so_far);
    assert_true(apart(joint[0]) < 1e-4 && apart(joint[1]) < 1e-4);
    lode_world_destroy(world);
}

/* A door on five hinges, of which one would do, and a ring of fixed joints. */
static void superfluous_joints_do_no_harm(void **state)
{
    (void)state;
    lode_world world = make_world(LODE_STIFF_ALWAYS);
    lode_body door = add_link(world, vec(1, 0, 0), 10), ring[6];
    lode_joint joints[MOST_JOINTS];
    int count = 0;
    for (int i = 0; i < 5; ++i)
        joints[count++] = join(world, LODE_JOINT_HINGE, door, (lode_body){0},
                               vec(0, (lode_real)i - 2, 0));
    for (int i = 0; i < 6; ++i)
        ring[i] = add_link(world, vec((lode_real)cos(i), (lode_real)sin(i), 5), 1);
    for (int i = 0; i < 6; ++i)
        joints[count++] = join(world, LODE_JOINT_FIXED, ring[i], ring[(i + 1) % 6], vec(0, 0, 5));
    lode_body_set_angular_velocity(ring[0], vec(1, 2, 3));
    for (int i = 0; i < 300; ++i) {
        run(world, 1);
        for (int k = 0; k < count; ++k)
            assert_true(apart(joints[k]) < 1e-3);
    }
    assert_int_equal(missed(world), 0);
    lode_world_destroy(world);
}

static void steps_take_nothing_from_the_heap(void **state)
{
    (void)state;
    alloc_fail_install();
    chain c = hang(LODE_STIFF_ALWAYS, LODE_STATIC, 1000);
    lode_joint_set_motor(join(c.world, LODE_JOINT_HINGE, c.link[2], c.link[4], vec(0, 0, -4)), 0, 1,
                         5);
    lode_body_set_linear_velocity(c.link[LINKS - 1], vec(3, 1, 0));
    run(c.world, 20);
    alloc_fail_nth(-1);
    run(c.world, 100);
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(c.world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_far_apart_are_chosen),
        cmocka_unit_test(they_tell_what_they_bear),
        cmocka_unit_test(they_break),
        cmocka_unit_test(they_sleep_and_wake),
        cmocka_unit_test(they_hang_on_what_moves),
        cmocka_unit_test(contradictions_end_with_a_warning),
        cmocka_unit_test(superfluous_joints_do_no_harm),
        cmocka_unit_test(steps_take_nothing_from_the_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

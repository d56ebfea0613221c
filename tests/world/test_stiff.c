/* What joints that do not stretch (lode_stiff) keep of everything else: which are chosen, what they
 * tell, that they break, sleep and wake, hang on what moves, and end with a warning where they
 * contradict themselves. How well they hold is told in tests/fidelity/test_stiff.c. */
#include "core/hash.h"
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>

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

/* The chain's joints say it themselves, all or every other one. */
static uint64_t hash_of_choices(lode_stiff world, lode_stiff first, lode_stiff second,
                                lode_real load, bool by_setter)
{
    chain c = hang(world, LODE_STATIC, load);
    for (int i = 0; i < LINKS; ++i) {
        lode_joint_def def = lode_joint_get_def(c.joint[i]);
        lode_stiff stiff = i % 2 ? second : first;
        assert_int_equal(def.stiff, LODE_STIFF_AS_WORLD);
        def.stiff = stiff;
        if (by_setter) {
            assert_int_equal(lode_joint_set_stiff(c.joint[i], stiff), LODE_OK);
        } else {
            lode_joint_destroy(c.joint[i]);
            c.joint[i] = lode_joint_create(c.world, &def);
        }
        assert_int_equal(lode_joint_get_def(c.joint[i]).stiff, stiff);
    }
    lode_body_set_linear_velocity(c.link[LINKS - 1], vec(3, 1, 0));
    run(c.world, 60);
    uint64_t hash = 0;
    for (int i = 0; i < LINKS; ++i) {
        lode_pose pose = lode_body_get_pose(c.link[i]);
        hash = lode__hash_bytes(hash, &pose, sizeof pose);
    }
    lode_world_destroy(c.world);
    return hash;
}

static void joints_may_say_it_themselves(void **state)
{
    (void)state;
    const lode_stiff never = LODE_STIFF_NEVER, own = LODE_STIFF_AS_WORLD,
                     always = LODE_STIFF_ALWAYS, automatic = LODE_STIFF_AUTOMATIC;
    const uint64_t swept = hash_of_choices(never, own, own, 10, true);
    const uint64_t stiff = hash_of_choices(always, own, own, 10, true);
    assert_true(swept != stiff);
    for (int by_setter = 0; by_setter < 2; ++by_setter) {
        assert_true(hash_of_choices(never, always, always, 10, by_setter) == stiff);
        assert_true(hash_of_choices(always, never, never, 10, by_setter) == swept);
        assert_true(hash_of_choices(always, automatic, automatic, 10, by_setter) == swept);
        assert_true(hash_of_choices(always, automatic, own, 10, by_setter) == stiff);
        assert_true(hash_of_choices(never, automatic, always, 10, by_setter) == stiff);
    }
    const uint64_t loaded = hash_of_choices(always, own, own, 100, true);
    assert_true(hash_of_choices(never, automatic, automatic, 100, true) == loaded);
    uint64_t mixed = hash_of_choices(never, always, own, 10, true);
    assert_true(mixed != swept && mixed != stiff);
}

/* What is chosen is in snapshots. */
static void choices_are_saved(void **state)
{
    (void)state;
    chain c = hang(LODE_STIFF_NEVER, LODE_STATIC, 1000);
    for (int i = 0; i < LINKS; ++i)
        lode_joint_set_stiff(c.joint[i], (lode_stiff)(i % 4 - 1));
    size_t size = lode_world_snapshot(c.world, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(lode_world_snapshot(c.world, bytes, size), size);
    for (int i = 0; i < LINKS; ++i)
        lode_joint_set_stiff(c.joint[i], LODE_STIFF_AUTOMATIC);
    assert_int_equal(lode_world_restore(c.world, bytes, size), LODE_OK);
    for (int i = 0; i < LINKS; ++i)
        assert_int_equal(lode_joint_get_def(c.joint[i]).stiff, i % 4 - 1);
    free(bytes);
    lode_world_destroy(c.world);
}

/* --- among others */

/* A chain that hangs level from (x, 0, z) on, links of a kilogram and a load, with another mass in
 * each link where they are not to be alike. */
static chain stretch_out(lode_world world, lode_real y, lode_real load, lode_real more)
{
    chain c = {.world = world};
    c.top = add_body(world, LODE_STATIC, 0, y, 0);
    for (int i = 0; i < LINKS; ++i) {
        lode_real x = (lode_real)i + 1;
        c.link[i] = add_link(world, vec(x, y, 0), i == LINKS - 1 ? load : 1 + more);
        c.joint[i] = join(world, i % 3 == 2 ? LODE_JOINT_HINGE : LODE_JOINT_BALL, c.link[i],
                          i ? c.link[i - 1] : c.top, vec(x - (lode_real)0.5, y, 0));
    }
    return c;
}

static void add_balls(const chain *c)
{
    lode_shape_def def = lode_shape_def_default();
    for (int i = 0; i < LINKS; ++i)
        lode_shape_create_sphere(c->link[i], &def, (lode_real)0.45);
}

/* A chain moves to the bit as it would alone, whoever is solved beside it: chains like it, others,
 * and some that lie on the ground or fall onto each other. */
static void company_changes_nothing(void **state)
{
    (void)state;
    for (int motor = 0; motor < 2; ++motor) {
        lode_world alone = make_world(LODE_STIFF_ALWAYS), among = make_world(LODE_STIFF_ALWAYS);
        lode_shape_def ground = lode_shape_def_default();
        lode_shape_create_plane(add_body(among, LODE_STATIC, 0, 0, 0), &ground, vec(0, 0, 1), -4);
        for (int i = 0; i < 6; ++i) {
            chain c = stretch_out(among, (lode_real)i + 5, (lode_real)(i + 1), 0);
            if (i % 2)
                lode_joint_set_motor(c.joint[2], 0, 1, (lode_real)(20 * i));
            if (i == 4)
                add_balls(&c);
        }
        chain own[2] = {stretch_out(alone, 1, 100, 0), stretch_out(among, 1, 100, 0)};
        for (int k = 0; k < 2; ++k) {
            if (motor)
                lode_joint_set_motor(own[k].joint[2], 0, 2, 30);
            lode_body_set_linear_velocity(own[k].link[3], vec(0, 1, 2));
        }
        for (int i = 0; i < 3; ++i)
            stretch_out(among, (lode_real)-i - 5, 50, (lode_real)i / 4);
        for (int i = 0; i < 200; ++i) {
            run(alone, 1);
            run(among, 1);
            for (int k = 0; k < LINKS; ++k) {
                lode_pose a = lode_body_get_pose(own[0].link[k]);
                lode_pose b = lode_body_get_pose(own[1].link[k]);
                assert_memory_equal(&a, &b, sizeof a);
            }
        }
        lode_world_destroy(alone);
        lode_world_destroy(among);
    }
}

/* --- what they bear */

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

/* A net with too many loops for a factor hangs from its upper edge: what it is thinned to bears it,
 * also when a joint up there breaks and its column hangs on its neighbours; it falls asleep and
 * wakes. */
static void thinned_nets_break_and_sleep(void **state)
{
    (void)state;
    enum { SIDE = 12 };
    lode_world world = make_world(LODE_STIFF_ALWAYS);
    lode_body body[SIDE][SIDE];
    lode_joint joints[2 * SIDE * SIDE];
    int count = 0;
    for (int row = 0; row < SIDE; ++row)
        for (int column = 0; column < SIDE; ++column) {
            lode_vec3 at = vec((lode_real)column, 0, -(lode_real)row),
                      half = {(lode_real)0.5, 0, 0};
            body[row][column] = add_link(world, at, 10);
            joints[count++] = join(world, LODE_JOINT_BALL, body[row][column],
                                   row ? body[row - 1][column] : (lode_body){0},
                                   vec(at.x, 0, at.z + half.x));
            if (column > 0)
                joints[count++] = join(world, LODE_JOINT_BALL, body[row][column],
                                       body[row][column - 1], vec(at.x - half.x, 0, at.z));
        }
    assert_int_equal(lode_joint_set_max_force(joints[2 * (SIDE / 2) - 1], 1000), LODE_OK);
    double most = 0;
    for (int i = 0; i < 400; ++i) {
        run(world, 1);
        for (int k = 0; k < count; ++k)
            if (lode_joint_get_enabled(joints[k]))
                most = fmax(most, apart(joints[k]));
    }
    print_message("    net of %d joints: %.3g mm apart at most\n", count, 1e3 * most);
    assert_true(most < 2e-3);
    assert_false(lode_joint_get_enabled(joints[2 * (SIDE / 2) - 1]));
    for (int i = 0; i < 2000 && lode_body_is_awake(body[3][3]); ++i)
        run(world, 1);
    assert_false(lode_body_is_awake(body[3][3]));
    lode_body_set_linear_velocity(body[SIDE - 1][0], vec(0, (lode_real)0.5, 0));
    run(world, 2);
    assert_true(lode_body_is_awake(body[3][3]));
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
        cmocka_unit_test(joints_may_say_it_themselves),
        cmocka_unit_test(choices_are_saved),
        cmocka_unit_test(company_changes_nothing),
        cmocka_unit_test(they_tell_what_they_bear),
        cmocka_unit_test(they_break),
        cmocka_unit_test(they_sleep_and_wake),
        cmocka_unit_test(they_hang_on_what_moves),
        cmocka_unit_test(contradictions_end_with_a_warning),
        cmocka_unit_test(superfluous_joints_do_no_harm),
        cmocka_unit_test(thinned_nets_break_and_sleep),
        cmocka_unit_test(steps_take_nothing_from_the_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Snapshots as an application meets them: handles through time, what comes back and what does not,
 * files, memory, and when one can be taken at all. That runs resume to the bit is
 * determinism/test_snapshot.c's, what happens to damaged bytes test_snapshot_hostile.c's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/alloc_fail.h"
#include "tests/world/yard.h"

static scene s;

static int set_up(void **state)
{
    (void)state;
    report_install();
    s = scene_create(NULL);
    report_clear();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(s.world);
    return 0;
}

static void restore(yard_shot shot)
{
    assert_int_equal(lode_world_restore(s.world, shot.bytes, shot.size), LODE_OK);
}

static void expect_state(lode_world world, yard_shot expected)
{
    yard_shot now = yard_shoot(world);
    assert_int_equal(now.size, expected.size);
    assert_memory_equal(now.bytes, expected.bytes, now.size);
    yard_free(now);
}

/* ---- handles ---- */

static void what_was_made_since_is_gone(void **state)
{
    (void)state;
    yard_shot shot = yard_shoot(s.world);
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_ball(s.world, 0, 0, 9, 1);
    lode_shape shape = lode_shape_create_sphere(s.crate, &def, 1);
    lode_joint_def joint_def = lode_joint_def_default(LODE_JOINT_BALL);
    joint_def.body_a = body;
    lode_joint joint = lode_joint_create(s.world, &joint_def);
    restore(shot);
    assert_false(lode_body_is_valid(body));
    assert_false(lode_shape_is_valid(shape));
    assert_false(lode_joint_is_valid(joint));
    assert_int_equal(lode_body_set_pose(body, (lode_pose){.rotation = {1, 0, 0, 0}}),
                     LODE_ERROR_HANDLE);
    expect_state(s.world, shot);
    yard_free(shot);
}

static void what_was_destroyed_since_lives_again(void **state)
{
    (void)state;
    lode_body_set_user_data(s.crate, &s);
    lode_body_set_name(s.crate, "crate");
    yard_shot shot = yard_shoot(s.world);
    lode_pose pose = lode_body_get_pose(s.crate);
    lode_body_destroy(s.crate);
    assert_false(lode_body_is_valid(s.crate) || lode_shape_is_valid(s.lump) ||
                 lode_joint_is_valid(s.link));
    lode_body other = add_ball(s.world, 0, 0, 9, 1); /* takes the slot */
    restore(shot);
    assert_false(lode_body_is_valid(other));
    assert_true(lode_body_is_valid(s.crate) && lode_shape_is_valid(s.lump) &&
                lode_joint_is_valid(s.link));
    lode_pose again = lode_body_get_pose(s.crate);
    assert_memory_equal(&again, &pose, sizeof pose);
    assert_ptr_equal(lode_body_get_user_data(s.crate), &s);
    assert_string_equal(lode_body_get_name(s.crate), "crate");
    assert_int_equal(lode_body_get_shapes(s.crate, NULL, 0), 2);
    assert_int_equal(lode_body_get_joints(s.crate, NULL, 0), 1);
    assert_true(lode_joint_get_body_b(s.link).id == s.crate.id);
    yard_free(shot);
}

static void the_same_future_has_the_same_handles(void **state)
{
    (void)state;
    lode_body_destroy(add_ball(s.world, 0, 0, 9, 1));
    yard_shot shot = yard_shoot(s.world);
    lode_body first = add_ball(s.world, 0, 0, 9, 1);
    restore(shot);
    lode_body second = add_ball(s.world, 0, 0, 9, 1);
    assert_true(first.id == second.id);
    yard_free(shot);
}

/* A world that takes the place of one with an undone future knows none of its handles. */
static void handles_of_an_undone_future_die_with_the_world(void **state)
{
    (void)state;
    lode_body old[8];
    yard_shot shot = yard_shoot(s.world);
    for (int i = 0; i < 8; ++i) {
        old[i] = add_ball(s.world, 0, 0, 9, 1);
        lode_body_destroy(old[i]);
    }
    restore(shot);
    lode_world_destroy(s.world);
    s = scene_create(NULL);
    for (int i = 0; i < 40; ++i) {
        lode_body made = add_ball(s.world, 0, 0, 9, 1);
        for (int k = 0; k < 8; ++k)
            assert_false(lode_body_is_valid(old[k]));
        if (i % 2)
            lode_body_destroy(made);
    }
    yard_free(shot);
}

static void another_world_gets_handles_of_its_own(void **state)
{
    (void)state;
    yard_shot shot = yard_shoot(s.world);
    lode_world_def def = lode_world_def_default();
    lode_world other = lode_world_create(&def);
    assert_int_equal(lode_world_restore(other, shot.bytes, shot.size), LODE_OK);
    lode_body here[8], there[8];
    assert_int_equal(lode_world_get_bodies(s.world, here, 8), 4);
    assert_int_equal(lode_world_get_bodies(other, there, 8), 4);
    for (int i = 0; i < 4; ++i) {
        assert_true(lode_body_get_world(there[i]).id == other.id);
        lode_pose a = lode_body_get_pose(here[i]), b = lode_body_get_pose(there[i]);
        assert_memory_equal(&a, &b, sizeof a);
    }
    assert_true(lode_world_hash(other) == lode_world_hash(s.world));
    expect_state(other, shot);
    lode_world_destroy(other);
    yard_free(shot);
}

/* ---- what comes back ---- */

static void settings_come_back_but_for_the_machines(void **state)
{
    (void)state;
    lode_world_set_gravity(s.world, vec(1, 2, 3));
    lode_world_set_iterations(s.world, 7);
    yard_shot shot = yard_shoot(s.world);
    lode_world_def def = lode_world_def_default();
    def.simd = LODE_SIMD_PLAIN;
    def.threads = 2;
    def.user_data = &def;
    lode_world other = lode_world_create(&def);
    assert_int_equal(lode_world_restore(other, shot.bytes, shot.size), LODE_OK);
    def = lode_world_get_def(other);
    assert_true(near_vec(def.gravity, vec(1, 2, 3), 0));
    assert_int_equal(def.iterations, 7);
    assert_int_equal(def.simd, LODE_SIMD_PLAIN);
    assert_int_equal(def.threads, 2);
    assert_ptr_equal(lode_world_get_user_data(other), &def);
    lode_world_destroy(other);
    yard_free(shot);
}

static void contacts_and_feedback_come_back(void **state)
{
    (void)state;
    lode_contact before[16], after[16];
    int count = lode_world_get_contacts(s.world, before, 16);
    lode_vec3 force = lode_joint_get_force(s.hook);
    assert_true(count > 0 && force.z != 0);
    yard_shot shot = yard_shoot(s.world);
    scene_step(&s, 30);
    lode_joint_destroy(s.hook);
    restore(shot);
    assert_int_equal(lode_world_get_contacts(s.world, after, 16), count);
    for (int i = 0; i < count; ++i) {
        assert_true(after[i].shape_a.id == before[i].shape_a.id);
        assert_int_equal(after[i].point_count, before[i].point_count);
        for (int k = 0; k < after[i].point_count; ++k)
            assert_true(near_vec(after[i].points[k].impulse, before[i].points[k].impulse, 0) &&
                        near_vec(after[i].points[k].position, before[i].points[k].position, 0));
    }
    assert_true(near_vec(lode_joint_get_force(s.hook), force, 0));
    yard_free(shot);
}

/* Impulses are carried over by the ratio of the sub-steps' lengths, so the old length is state. */
static void the_next_step_may_have_another_length(void **state)
{
    (void)state;
    lode_world_set_sub_steps(s.world, 1);
    scene_step(&s, 10);
    yard_shot shot = yard_shoot(s.world);
    lode_world_def def = lode_world_def_default();
    lode_world other = lode_world_create(&def);
    assert_int_equal(lode_world_restore(other, shot.bytes, shot.size), LODE_OK);
    lode_world_step(s.world, STEP / 2);
    lode_world_step(other, STEP / 2);
    assert_true(lode_world_hash(other) == lode_world_hash(s.world));
    lode_world_destroy(other);
    yard_free(shot);
}

static void forces_that_wait_come_back(void **state)
{
    (void)state;
    lode_body_add_force(s.ball, vec(5, 6, 7));
    yard_shot shot = yard_shoot(s.world);
    scene_step(&s, 1);
    restore(shot);
    assert_true(near_vec(lode_body_get_force(s.ball), vec(5, 6, 7), 0));
    yard_free(shot);
}

static void names_come_back_as_they_were(void **state)
{
    (void)state;
    lode_body_set_name(s.ball, "ball");
    lode_body_set_name(s.rod, "");
    yard_shot shot = yard_shoot(s.world);
    const char *kept = lode_body_get_name(s.ball);
    lode_body_set_name(s.rod, "rod");
    lode_body_set_name(s.crate, "crate");
    restore(shot);
    assert_ptr_equal(lode_body_get_name(s.ball), kept); /* what is the same is not copied */
    assert_string_equal(lode_body_get_name(s.rod), "");
    assert_string_equal(lode_body_get_name(s.crate), "");
    expect_state(s.world, shot);
    yard_free(shot);
}

static void sleepers_sleep_on_and_wake_as_they_would(void **state)
{
    (void)state;
    lode_body_sleep(s.rod);
    scene_step(&s, 2);
    assert_false(lode_body_is_awake(s.rod));
    yard_shot shot = yard_shoot(s.world);
    lode_body_wake(s.rod);
    scene_step(&s, 5);
    restore(shot);
    assert_false(lode_body_is_awake(s.rod));
    scene_step(&s, 20);
    assert_false(lode_body_is_awake(s.rod));
    lode_joint_destroy(s.hook); /* what it hangs on */
    assert_true(lode_body_is_awake(s.rod));
    yard_free(shot);
}

static void nothing_has_moved_after_it(void **state)
{
    (void)state;
    yard_shot shot = yard_shoot(s.world);
    assert_true(lode_world_get_moved(s.world).count > 0);
    restore(shot);
    assert_int_equal(lode_world_get_moved(s.world).count, 0);
    scene_step(&s, 1);
    assert_true(lode_world_get_moved(s.world).count > 0);
    yard_free(shot);
}

static void shapes_removed_but_not_settled_are_no_part_of_it(void **state)
{
    (void)state;
    lode_shape_destroy(s.sphere);
    yard_shot shot = yard_shoot(s.world);
    uint64_t hash = lode_world_hash(s.world);
    scene_step(&s, 3);
    uint64_t later = lode_world_hash(s.world);
    restore(shot);
    assert_true(lode_world_hash(s.world) == hash);
    scene_step(&s, 3);
    assert_true(lode_world_hash(s.world) == later);
    yard_free(shot);
}

static void an_empty_world_is_a_world(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world empty = lode_world_create(&def);
    yard_shot shot = yard_shoot(empty);
    restore(shot);
    assert_int_equal(lode_world_get_bodies(s.world, NULL, 0), 0);
    assert_false(lode_body_is_valid(s.ball));
    assert_int_equal(lode_world_step(s.world, STEP), LODE_OK);
    lode_world_destroy(empty);
    yard_free(shot);
}

/* ---- when ---- */

static void between_halves_none_is_taken_but_one_is_restored(void **state)
{
    (void)state;
    yard_shot shot = yard_shoot(s.world);
    scene_step(&s, 3);
    uint64_t later = lode_world_hash(s.world);
    lode_world_collide(s.world, STEP);
    assert_int_equal(lode_world_snapshot(s.world, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_STATE, "lode_world_snapshot", "world");
    report_clear();
    assert_int_equal(lode_world_save(s.world, "never"), LODE_ERROR_STATE);
    restore(shot);
    scene_step(&s, 3);
    assert_true(lode_world_hash(s.world) == later);
    report_clear();
    lode_world_run_stage(s.world, lode_world_get_stages(s.world, NULL, 0) ? "wake" : "", STEP);
    lode_world_run_stage(s.world, "bounds", STEP);
    assert_int_equal(lode_world_restore(s.world, shot.bytes, shot.size), LODE_ERROR_STATE);
    assert_int_equal(lode_world_snapshot(s.world, NULL, 0), 0);
    yard_free(shot);
}

static void a_buffer_that_is_too_small_says_how_large(void **state)
{
    (void)state;
    size_t size = lode_world_snapshot(s.world, NULL, 0);
    char *buffer = malloc(size);
    for (size_t room = 0; room < size; room += 1 + size / 50)
        assert_int_equal(lode_world_snapshot(s.world, buffer, room), size);
    assert_int_equal(lode_world_snapshot(s.world, buffer, size), size);
    assert_int_equal(lode_world_restore(s.world, buffer, size), LODE_OK);
    free(buffer);
}

/* ---- memory ---- */

static void warm_it_takes_no_memory(void **state)
{
    (void)state;
    tear_down(NULL);
    alloc_fail_install();
    lode_world world = yard_create(NULL);
    for (int step = 0; step < 200; ++step)
        yard_step(world, step);
    yard_shot shot = yard_shoot(world);
    for (int round = 0; round < 4; ++round) {
        for (int step = 200; step < 210; ++step)
            yard_step(world, step);
        if (round > 0)
            alloc_fail_nth(0);
        assert_int_equal(lode_world_snapshot(world, shot.bytes, shot.size) > 0, 1);
        assert_int_equal(alloc_fail_calls() > 0 && round > 0, 0);
        yard_free(shot);
        alloc_fail_nth(-1);
        shot = yard_shoot(world);
        for (int step = 210; step < 214; ++step)
            yard_step(world, step);
        if (round > 0)
            alloc_fail_nth(0);
        assert_int_equal(lode_world_restore(world, shot.bytes, shot.size), LODE_OK);
        assert_int_equal(alloc_fail_happened(), 0);
        alloc_fail_nth(-1);
    }
    lode_world_destroy(world);
    yard_free(shot);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    set_up(NULL);
}

static void without_memory_nothing_changes(void **state)
{
    (void)state;
    tear_down(NULL);
    alloc_fail_install();
    lode_world world = yard_create(NULL);
    for (int step = 0; step < 100; ++step)
        yard_step(world, step);
    yard_shot shot = yard_shoot(world);
    lode_world_def def = lode_world_def_default();
    lode_world small = lode_world_create(&def);
    lode_body_set_name(add_ball(small, 0, 0, 1, 1), "small");
    yard_shot before = yard_shoot(small);
    long n = 0;
    for (;; ++n) {
        alloc_fail_nth(n);
        lode_status status = lode_world_restore(small, shot.bytes, shot.size);
        alloc_fail_nth(-1);
        if (status == LODE_OK)
            break;
        assert_int_equal(status, LODE_ERROR_MEMORY);
        expect_state(small, before);
    }
    assert_true(n > 4);
    expect_state(small, shot);
    lode_world_destroy(small);
    lode_world_destroy(world);
    yard_free(shot);
    yard_free(before);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    set_up(NULL);
}

/* ---- files ---- */

static const char *test_file(void)
{
    static char path[64];
    snprintf(path, sizeof path, "snapshot-%d-%d.lode", (int)sizeof(lode_real), (int)getpid());
    return path;
}

static void a_world_goes_through_a_file(void **state)
{
    (void)state;
    yard_shot shot = yard_shoot(s.world);
    assert_int_equal(lode_world_save(s.world, test_file()), LODE_OK);
    lode_world_def def = lode_world_def_default();
    lode_world other = lode_world_create(&def);
    assert_int_equal(lode_world_load(other, test_file()), LODE_OK);
    expect_state(other, shot);
    scene_step(&s, 10);
    assert_int_equal(lode_world_save(s.world, test_file()), LODE_OK); /* over the old one */
    assert_int_equal(lode_world_load(other, test_file()), LODE_OK);
    assert_true(lode_world_hash(other) == lode_world_hash(s.world));
    assert_int_equal(report.count, 0);
    lode_world_destroy(other);
    remove(test_file());
    yard_free(shot);
}

static void write_bytes(const char *bytes, size_t size)
{
    FILE *file = fopen(test_file(), "wb");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void expect_unloadable(lode_status status)
{
    uint64_t hash = lode_world_hash(s.world);
    report_clear();
    assert_int_equal(lode_world_load(s.world, test_file()), status);
    EXPECT_REPORT(status, "lode_world_load", "path");
    assert_true(lode_world_hash(s.world) == hash);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    yard_shot shot = yard_shoot(s.world);
    remove(test_file());
    expect_unloadable(LODE_ERROR_SYSTEM);
    write_bytes("", 0);
    expect_unloadable(LODE_ERROR_ARGUMENT);
    write_bytes("a poem", 6);
    expect_unloadable(LODE_ERROR_ARGUMENT);
    write_bytes(shot.bytes, shot.size / 2);
    expect_unloadable(LODE_ERROR_ARGUMENT);
    shot.bytes[shot.size / 2] ^= 1;
    write_bytes(shot.bytes, shot.size);
    expect_unloadable(LODE_ERROR_ARGUMENT);
    remove(test_file());
    mkdir(test_file(), 0700);
    expect_unloadable(LODE_ERROR_SYSTEM);
    assert_int_equal(lode_world_save(s.world, test_file()), LODE_ERROR_SYSTEM);
    rmdir(test_file());
    yard_free(shot);
}

static void what_cannot_be_written_says_so(void **state)
{
    (void)state;
    assert_int_equal(lode_world_save(s.world, "no such place/file"), LODE_ERROR_SYSTEM);
    EXPECT_REPORT(LODE_ERROR_SYSTEM, "lode_world_save", "path");
    report_clear();
    assert_int_equal(lode_world_save(s.world, ""), LODE_ERROR_SYSTEM);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_was_made_since_is_gone),
        TEST(what_was_destroyed_since_lives_again),
        TEST(the_same_future_has_the_same_handles),
        TEST(handles_of_an_undone_future_die_with_the_world),
        TEST(another_world_gets_handles_of_its_own),
        TEST(settings_come_back_but_for_the_machines),
        TEST(contacts_and_feedback_come_back),
        TEST(the_next_step_may_have_another_length),
        TEST(forces_that_wait_come_back),
        TEST(names_come_back_as_they_were),
        TEST(sleepers_sleep_on_and_wake_as_they_would),
        TEST(nothing_has_moved_after_it),
        TEST(shapes_removed_but_not_settled_are_no_part_of_it),
        TEST(an_empty_world_is_a_world),
        TEST(between_halves_none_is_taken_but_one_is_restored),
        TEST(a_buffer_that_is_too_small_says_how_large),
        TEST(warm_it_takes_no_memory),
        TEST(without_memory_nothing_changes),
        TEST(a_world_goes_through_a_file),
        TEST(bad_files_are_refused),
        TEST(what_cannot_be_written_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

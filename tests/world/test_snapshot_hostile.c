/* Bytes of any origin: damaged by chance, cut, or made by someone who knows the checksum. They are
 * refused and the world is as it was, or they are a world: consistent, and good to be stepped. */
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "tests/support/random.h"
#include "tests/world/yard.h"
#include "world/registry.h"
#include "world/snapshot.h"
#include "world/validate.h"

enum { SIZE_AT = 24, CHECKSUM_AT = 32, HEADER = 40 };

static lode_world world;
static yard_shot good, victim; /* a rich snapshot; what the attacked world is before */

static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world rich = yard_create(NULL);
    for (int step = 0; step < 263; ++step)
        yard_step(rich, step);
    lode_body last[256];
    int count = lode_world_get_bodies(rich, last, 256);
    lode_body_sleep(last[5]); /* of the pile, with what it touches */
    lode_body_sleep(last[count - 1]);
    lode_world_step(rich, STEP);
    lode_world_step(rich, STEP);
    lode_contact_def contact = lode_contact_def_default();
    contact.body_a = last[10];
    lode_world_add_contacts(rich, &contact, 1);
    good = yard_shoot(rich);
    lode_world_stats stats;
    lode_world_get_stats(rich, &stats);
    assert_true(stats.sleeping_islands > 0); /* rings and resting contacts are in it */
    lode_world_destroy(rich);
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
    add_ball(world, 0, 0, 1, 1);
    victim = yard_shoot(world);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    yard_free(good);
    yard_free(victim);
    return 0;
}

static void sign(char *bytes, size_t size)
{
    uint64_t sum = lode__hash_bytes(LODE__SNAPSHOT_FORMAT, bytes + HEADER, size - HEADER);
    uint64_t length = size;
    memcpy(bytes + SIZE_AT, &length, sizeof length);
    memcpy(bytes + CHECKSUM_AT, &sum, sizeof sum);
}

static void expect_victim(void)
{
    yard_shot now = yard_shoot(world);
    assert_int_equal(now.size, victim.size);
    assert_memory_equal(now.bytes, victim.bytes, now.size);
    yard_free(now);
}

static void expect_refused(const char *bytes, size_t size, lode_status status)
{
    report_clear();
    assert_int_equal(lode_world_restore(world, bytes, size), status);
    EXPECT_REPORT(status, "lode_world_restore", "snapshot");
    expect_victim();
}

/* A world that was let in is consistent, can be stepped, and its own snapshot is let in again. */
static void expect_world(void)
{
    const lode__world *w = lode__registry_world(world.id);
    lode__world_validate(w);
    lode_world_set_iterations(world, 4); /* two thousand millions are not wrong, but long */
    lode_world_set_sub_steps(world, 2);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        lode__world_validate(w);
    }
    lode_world_get_contacts(world, NULL, 0);
    lode_world_get_moved(world);
    yard_shot again = yard_shoot(world);
    assert_int_equal(lode_world_restore(world, again.bytes, again.size), LODE_OK);
    yard_free(again);
    assert_int_equal(lode_world_restore(world, victim.bytes, victim.size), LODE_OK);
}

/* True when the bytes were let in. */
static bool attack(const char *bytes, size_t size)
{
    report_clear();
    lode_status status = lode_world_restore(world, bytes, size);
    if (status) {
        assert_int_equal(report.count, 1);
        expect_victim();
    } else {
        expect_world();
    }
    return !status;
}

static char *copy_of(const char *bytes, size_t size)
{
    char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    return copy;
}

/* ---- accidents ---- */

static void every_cut_is_noticed(void **state)
{
    (void)state;
    for (size_t size = 0; size < good.size; size += size < 300 ? 1 : 97) {
        char *cut = copy_of(good.bytes, size);
        expect_refused(cut, size, LODE_ERROR_ARGUMENT);
        if (size > HEADER) {
            sign(cut, size);
            assert_false(attack(cut, size));
        }
        free(cut);
    }
    char *longer = malloc(good.size + 8);
    memcpy(longer, good.bytes, good.size);
    memset(longer + good.size, 0, 8);
    expect_refused(longer, good.size + 8, LODE_ERROR_ARGUMENT);
    sign(longer, good.size + 8);
    expect_refused(longer, good.size + 8, LODE_ERROR_ARGUMENT);
    free(longer);
}

static void every_flipped_bit_is_noticed(void **state)
{
    (void)state;
    test_random random = {5};
    char *bytes = copy_of(good.bytes, good.size);
    for (int round = 0; round < 3000; ++round) {
        size_t at = random_below(&random, (uint32_t)good.size);
        char bit = (char)(1 << random_below(&random, 8));
        bytes[at] ^= bit;
        assert_int_not_equal(lode_world_restore(world, bytes, good.size), LODE_OK);
        bytes[at] ^= bit;
    }
    expect_victim();
    free(bytes);
}

static void other_precisions_versions_and_machines_are_told_apart(void **state)
{
    (void)state;
    static const int at[] = {8, 12, 16}; /* byte order, precision and version, layout */
    for (int i = 0; i < 3; ++i) {
        char *bytes = copy_of(good.bytes, good.size);
        bytes[at[i]] ^= 0x17;
        expect_refused(bytes, good.size, LODE_ERROR_ABI);
        free(bytes);
    }
}

/* ---- malice ---- */

static void random_bytes_with_a_good_checksum(void **state)
{
    (void)state;
    test_random random = {7};
    int let_in = 0;
    for (int round = 0; round < 6000; ++round) {
        char *bytes = copy_of(good.bytes, good.size);
        int changes = 1 + (int)random_below(&random, 3);
        for (int i = 0; i < changes; ++i) {
            size_t at = HEADER + random_below(&random, (uint32_t)good.size - HEADER);
            bytes[at] = (char)random_bits(&random);
        }
        sign(bytes, good.size);
        let_in += attack(bytes, good.size);
        free(bytes);
    }
    assert_true(let_in > 100); /* numbers may be anything; but not all of it is */
    assert_true(let_in < 5900);
}

/* Words that are worse than chance: slots, counts, limits, no numbers. */
static void bad_words_with_a_good_checksum(void **state)
{
    (void)state;
    static const uint32_t words[] = {0,          1,          2,          0x7fffffff, 0x80000000,
                                     0xffffffff, 0x00ffffff, 0x01000000, 0x7fc00000, 0x7f800000,
                                     0x00fffffe, 100,        4096,       0xff800000};
    test_random random = {9};
    for (int round = 0; round < 12000; ++round) {
        char *bytes = copy_of(good.bytes, good.size);
        size_t at = HEADER +
                    4 * (size_t)random_below(&random, (uint32_t)(good.size - HEADER) / 4 - 1);
        if (round % 3 == 0)
            at += random_below(&random, 4);
        memcpy(bytes + at, &words[random_below(&random, 14)], 4);
        sign(bytes, good.size);
        attack(bytes, good.size);
        free(bytes);
    }
}

/* Two links, and the ball in one aggregate with them. */
static void add_arm(const scene *s)
{
    lode_articulation_def rule = lode_articulation_def_default();
    lode_articulation arm = lode_articulation_create(s->world, &rule);
    lode_shape_def shape = lode_shape_def_default();
    lode_link_def def = lode_link_def_default(LODE_LINK_FIXED);
    def.pose.position = vec(9, 0, 5);
    for (int i = 0; i < 2; ++i) {
        lode_body link = lode_articulation_add_link(arm, &def);
        lode_shape_create_sphere(link, &shape, (lode_real)0.2);
        def = lode_link_def_default(LODE_LINK_REVOLUTE);
        def.parent = link;
        def.child_frame.position = vec(1, 0, 0);
    }
    assert_int_equal(lode_articulation_insert(arm), LODE_OK);
    lode_aggregate apart = lode_aggregate_create(s->world, false);
    assert_int_equal(lode_articulation_set_aggregate(arm, apart), LODE_OK);
    assert_int_equal(lode_body_set_aggregate(s->ball, apart), LODE_OK);
}

/* A small world, each word of it in turn. */
static void every_word_of_a_small_world(void **state)
{
    (void)state;
    static const uint32_t words[] = {1, 3, 0xffffffff, 0x00ffffff, 0x7fc00000};
    scene s = scene_create(NULL);
    lode_body_sleep(s.rod);
    add_arm(&s);
    scene_step(&s, 3);
    yard_shot small = yard_shoot(s.world);
    for (size_t at = HEADER; at + 4 <= small.size; at += 4)
        for (int i = 0; i < 5; ++i) {
            char *bytes = copy_of(small.bytes, small.size);
            memcpy(bytes + at, &words[i], 4);
            sign(bytes, small.size);
            attack(bytes, small.size);
            free(bytes);
        }
    yard_free(small);
    lode_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_is_noticed),
        cmocka_unit_test(every_flipped_bit_is_noticed),
        cmocka_unit_test(other_precisions_versions_and_machines_are_told_apart),
        cmocka_unit_test(random_bytes_with_a_good_checksum),
        cmocka_unit_test(bad_words_with_a_good_checksum),
        cmocka_unit_test(every_word_of_a_small_world),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* Who is told of what sounds: names, silence, snapshots, threads, memory. */
#include "tests/support/alloc_fail.h"
#include "tests/world/sounding.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static lode_sound_contact drop_of(bool first, const char *floor, const char *fallen)
{
    lode_world_destroy(world);
    world = make_world(false, 1);
    lode_contact_properties table = lode_contact_properties_default();
    table.material1 = "steel";
    table.material2 = "wood";
    table.bump_sound = "clang";
    table.roll_sound = "rumble";
    table.slide_sound = "scratch";
    lode_world_set_contact_properties(world, &table, 1);
    lode_shape_def def = lode_shape_def_default();
    lode_body ball = {0}, ground = {0};
    lode_shape of_ball = {0}, of_ground;
    for (int i = 0; i < 2; ++i) { /* who comes first has the lower slot */
        if ((i == 0) == first) {
            ball = dynamic(R(0.505), vec(0, 0, -2), vec(0, 0, 0));
            of_ball = asking_ball(ball, R(0.5));
            lode_shape_set_material(of_ball, fallen);
        } else {
            ground = add_body(world, LODE_STATIC, 0, 0, -1);
            of_ground = lode_shape_create_box(ground, &def, vec(1, 1, 1));
            lode_shape_set_material(of_ground, floor);
        }
    }
    lode_sounds s = step();
    expect_counts(s, 1, 0, 0);
    assert_true((s.impacts[0].contact.shape_a.id == of_ball.id) == first);
    return s.impacts[0].contact;
}

static void expect_sounds(const lode_sound_contact *contact, const char *const names[3])
{
    for (int k = 0; k < LODE_SOUND_COUNT; ++k) {
        assert_string_equal(contact->sounds[k].name, names[k]);
        assert_true(contact->sounds[k].id > 0);
        assert_int_equal(contact->sounds[k].id, lode_world_find_sound(world, names[k]));
    }
}

static void both_orders_name_what_the_pair_says(void **state)
{
    (void)state;
    const char *const own[3] = {"clang", "rumble", "scratch"};
    const char *const plain[3] = {"bump", "roll", "slide"};
    for (int first = 0; first < 2; ++first) {
        lode_sound_contact c = drop_of(first, "wood", "steel");
        assert_string_equal(first ? c.material_a : c.material_b, "steel");
        assert_string_equal(first ? c.material_b : c.material_a, "wood");
        expect_sounds(&c, own);
        c = drop_of(first, "steel", "wood");
        assert_string_equal(first ? c.material_a : c.material_b, "wood");
        expect_sounds(&c, own);
        c = drop_of(first, NULL, "wood"); /* of which the table knows nothing */
        assert_null(first ? c.material_b : c.material_a);
        expect_sounds(&c, plain);
        c = drop_of(first, NULL, NULL);
        assert_true(!c.material_a && !c.material_b);
        for (int k = 0; k < LODE_SOUND_COUNT; ++k)
            assert_true(!c.sounds[k].name && c.sounds[k].id == 0);
    }
}

static void sounds_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(lode_world_find_sound(world, "clang"), 0);
    drop_of(true, "wood", "steel");
    assert_true(lode_world_find_sound(world, "clang") > 0);
    assert_true(lode_world_find_sound(world, "clang") != lode_world_find_sound(world, "rumble"));
    assert_int_equal(lode_world_find_sound(world, "plop"), 0);
    report_clear();
    assert_int_equal(lode_world_find_sound(world, NULL), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_find_sound", "name");
}

/* ---- who is not told of ---- */

static void only_who_asks_is_told(void **state)
{
    (void)state;
    add_ground(world);
    lode_shape_def def = lode_shape_def_default();
    def.impact_events = def.touch_events = true;
    lode_body body = dynamic(R(0.505), vec(3, 0, -3), vec(0, 3, 0));
    lode_shape ball = lode_shape_create_sphere(body, &def, R(0.5));
    for (int i = 0; i < 20; ++i)
        expect_counts(step(), 0, 0, 0);
    assert_int_equal(lode_shape_set_sound_events(ball, true), LODE_OK);
    assert_true(lode_shape_get_sound_events(ball));
    assert_true(step().roll_count == 1);
    assert_int_equal(lode_shape_set_sound_events(ball, false), LODE_OK);
    expect_counts(step(), 0, 0, 0);
    lode_shape_set_sound_events(ball, true);
    assert_true(step().roll_count == 1);
    lode_shape_set_sensor(ball, true); /* falls through the ground */
    for (int i = 0; i < 20; ++i)
        expect_counts(step(), 0, 0, 0);
    lode_shape_destroy(ball);
    expect_counts(step(), 0, 0, 0);
}

static void what_does_not_push_is_silent(void **state)
{
    (void)state;
    add_ground(world);
    asking_ball(dynamic(R(0.499), vec(1, 0, 2), vec(0, 5, 0)), R(0.5)); /* leaves */
    expect_counts(step(), 0, 0, 0);
    lode_contact c;
    assert_int_equal(lode_world_get_contacts(world, &c, 1), 1);
}

static void impacts_have_the_worlds_threshold(void **state)
{
    (void)state;
    add_ground(world);
    lode_world_set_impact_threshold(world, R(3.5));
    lode_body body = dynamic(R(0.505), vec(0, 0, -3), vec(0, 0, 0));
    asking_ball(body, R(0.5));
    expect_counts(step(), 0, 0, 0);
    lode_body_set_pose(body, (lode_pose){vec(0, 0, R(0.505)), {1, 0, 0, 0}});
    lode_body_set_linear_velocity(body, vec(0, 0, -4));
    expect_counts(step(), 1, 0, 0);
}

/* Not until it wakes, by a blow that makes it slide. */
static void what_sleeps_is_silent(void **state)
{
    (void)state;
    lode_world_destroy(world);
    world = make_world(true, 1);
    add_ground(world);
    lode_body body = dynamic(R(0.25), vec(1, 0, 0), vec(0, 0, 0));
    asking_box(body, vec(R(0.5), R(0.5), R(0.25)));
    assert_int_equal(step().slide_count, 1);
    for (int i = 0; i < 150; ++i)
        step();
    assert_false(lode_body_is_awake(body));
    expect_counts(lode_world_get_sounds(world), 0, 0, 0);
    lode_body_set_linear_velocity(body, vec(1, 0, 0));
    assert_int_equal(step().slide_count, 1);
}

static void halves_and_failures_tell_nothing(void **state)
{
    (void)state;
    add_ground(world);
    asking_ball(dynamic(R(0.25), vec(2, 0, 0), vec(0, 8, 0)), R(0.25));
    step();
    assert_int_equal(step().roll_count, 1);
    assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
    expect_counts(lode_world_get_sounds(world), 0, 0, 0);
    assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
    assert_int_equal(lode_world_get_sounds(world).roll_count, 1);
    assert_int_equal(lode_world_solve(world, STEP), LODE_OK); /* without contacts of shapes */
    expect_counts(lode_world_get_sounds(world), 0, 0, 0);
}

static void a_stage_that_is_run_again_tells_once(void **state)
{
    (void)state;
    static const char *const stages[] = {
        "wake",      "bounds",      "broad phase", "narrow phase", "contact update", "islands",
        "colouring", "row prepare", "row prepare", "solve",        "restitution",    "continuous",
        "finalise",  "damping",     "events",      "auto-disable",
    };
    add_ground(world);
    asking_ball(dynamic(R(0.25), vec(2, 0, 0), vec(0, 8, 0)), R(0.25));
    step();
    assert_int_equal(step().roll_count, 1);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; ++i)
        assert_int_equal(lode_world_run_stage(world, stages[i], STEP), LODE_OK);
    expect_counts(lode_world_get_sounds(world), 0, 1, 0);
}

/* ---- scenes ---- */

static void add_crowd(lode_world w)
{
    lode_shape_def def = asking();
    lode_contact_properties table = lode_contact_properties_default();
    table.material1 = "glass";
    table.bump_sound = "clink";
    lode_world_set_contact_properties(w, &table, 1);
    add_ground(w);
    for (int i = 0; i < 200; ++i) {
        lode_body body = add_body(w, LODE_DYNAMIC, R(i % 14) * R(0.6), R(i / 14) * R(0.6),
                                  R(0.3) + R(i % 7) / 4);
        lode_body_set_linear_velocity(body, vec(R(i % 5 - 2), R(i % 3 - 1), 0));
        def.sound_events = i % 3 != 0;
        lode_shape shape = i % 2 ? lode_shape_create_sphere(body, &def, R(0.25))
                                 : lode_shape_create_box(body, &def, vec(R(0.2), R(0.2), R(0.2)));
        if (i % 4 == 0)
            lode_shape_set_material(shape, "glass");
    }
}

static bool same_contact(const lode_sound_contact *a, const lode_sound_contact *b)
{
    const uint64_t own = 0xffffff; /* the slot: generations differ from world to world */
    return (a->shape_a.id & own) == (b->shape_a.id & own) &&
           (a->shape_b.id & own) == (b->shape_b.id & own) &&
           memcmp(&a->position, &b->position, sizeof a->position) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->impulse == b->impulse &&
           a->sounds[LODE_SOUND_BUMP].id == b->sounds[LODE_SOUND_BUMP].id;
}

/* Two arrays of events are the same, but for handles. */
#define EXPECT_SAME(kind, same, a, b) \
    do { \
        assert_int_equal((a).kind##_count, (b).kind##_count); \
        for (int k = 0; k < (a).kind##_count; ++k) { \
            assert_true(same_contact(&(a).kind##s[k].contact, &(b).kind##s[k].contact)); \
            assert_true(same(&(a).kind##s[k], &(b).kind##s[k])); \
        } \
    } while (0)

static bool same_impact(const lode_impact_sound *a, const lode_impact_sound *b)
{
    return a->speed == b->speed && a->approach_speed == b->approach_speed &&
           a->energy == b->energy && a->lost == b->lost;
}

static bool same_roll(const lode_roll_sound *a, const lode_roll_sound *b)
{
    return a->angular_speed_a == b->angular_speed_a && a->angular_speed_b == b->angular_speed_b &&
           a->angular_speed == b->angular_speed;
}

static bool same_slide(const lode_slide_sound *a, const lode_slide_sound *b)
{
    return a->speed == b->speed && a->area == b->area && a->power == b->power;
}

static void expect_same(lode_sounds a, lode_sounds b)
{
    EXPECT_SAME(impact, same_impact, a, b);
    EXPECT_SAME(roll, same_roll, a, b);
    EXPECT_SAME(slide, same_slide, a, b);
}

static bool in_order(const lode_sound_contact *a, const lode_sound_contact *b)
{
    const uint64_t own = 0xffffff;
    uint64_t first = (a->shape_a.id & own) << 24 | (a->shape_b.id & own);
    return first <= ((b->shape_a.id & own) << 24 | (b->shape_b.id & own));
}

static void threads_change_nothing(void **state)
{
    (void)state;
    lode_world one = make_world(false, 1), four = make_world(false, 4);
    add_crowd(one);
    add_crowd(four);
    int impacts = 0, rolls = 0, slides = 0;
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(lode_world_step(one, STEP), LODE_OK);
        assert_int_equal(lode_world_step(four, STEP), LODE_OK);
        lode_sounds a = lode_world_get_sounds(one), b = lode_world_get_sounds(four);
        expect_same(a, b);
        for (int k = 1; k < a.slide_count; ++k)
            assert_true(in_order(&a.slides[k - 1].contact, &a.slides[k].contact));
        impacts += a.impact_count;
        rolls += a.roll_count;
        slides += a.slide_count;
    }
    assert_true(impacts > 50 && rolls > 500 && slides > 500);
    lode_world_destroy(one);
    lode_world_destroy(four);
}

static void a_snapshot_knows_who_asks(void **state)
{
    (void)state;
    add_crowd(world);
    for (int i = 0; i < 20; ++i)
        step();
    size_t size = lode_world_snapshot(world, NULL, 0);
    char *bytes = malloc(size);
    lode_world_snapshot(world, bytes, size);
    lode_world other = make_world(false, 1);
    assert_int_equal(lode_world_restore(other, bytes, size), LODE_OK);
    lode_sounds a = step();
    assert_true(a.impact_count + a.roll_count + a.slide_count > 20);
    assert_int_equal(lode_world_step(other, STEP), LODE_OK);
    lode_sounds b = lode_world_get_sounds(other);
    expect_same(a, b);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    expect_counts(lode_world_get_sounds(world), 0, 0, 0);
    lode_world_destroy(other);
    free(bytes);
}

static size_t bytes_of_a_ball(bool asks)
{
    lode_shape_def def = lode_shape_def_default();
    lode_world_stats stats;
    lode_world_destroy(world);
    world = make_world(false, 1);
    def.sound_events = asks;
    add_ground(world);
    lode_shape_create_sphere(dynamic(R(0.25), vec(2, 0, 0), vec(0, 8, 0)), &def, R(0.25));
    step();
    assert_int_equal(step().roll_count, asks);
    assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
    return stats.bytes - stats.bytes_scratch;
}

/* Three arrays of one length. */
static void what_is_held_is_counted(void **state)
{
    (void)state;
    const size_t one = sizeof(lode_impact_sound) + sizeof(lode_roll_sound) +
                       sizeof(lode_slide_sound);
    size_t more = bytes_of_a_ball(true) - bytes_of_a_ball(false);
    assert_true(more >= one && more % one == 0);
}

static void memory_is_taken_before_solve(void **state)
{
    (void)state;
    lode_world_destroy(world);
    alloc_fail_install();
    world = make_world(false, 1);
    add_crowd(world);
    for (int i = 0; i < 80; ++i)
        step();
    alloc_fail_nth(-1);
    for (int i = 0; i < 20; ++i)
        step();
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    /* a first step that fails at each place in turn is tried again, and tells what it must */
    world = make_world(false, 1);
    add_ground(world);
    asking_ball(dynamic(R(0.505), vec(0, 0, -3), vec(0, 0, 0)), R(0.5));
    int failures = 0;
    for (int n = 0; n < 1000; ++n) {
        alloc_fail_nth(n);
        if (lode_world_step(world, STEP) == LODE_OK)
            break;
        expect_counts(lode_world_get_sounds(world), 0, 0, 0);
        ++failures;
    }
    alloc_fail_nth(-1);
    expect_counts(lode_world_get_sounds(world), 1, 0, 0);
    assert_true(failures > 3);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    world = make_world(false, 1);
}

/* What is too slow in metres is so in centimetres. */
static void centimetres_sound_as_metres(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        lode_world_def def = lode_world_def_default();
        lode_shape_def ice = asking();
        const lode_real unit = i ? 100 : 1;
        def.length_unit = unit;
        def.gravity = vec(0, 0, R(-9.81) * unit);
        ice.friction = 0;
        lode_world_destroy(world);
        world = lode_world_create(&def);
        add_ground(world);
        lode_body body = dynamic(R(0.25) * unit, vec(0, 0, 0), vec(0, 0, 0));
        lode_shape_create_box(body, &ice, vec(unit, unit, R(0.25) * unit));
        for (int k = 5; k <= 15; k += 5) {
            lode_body_set_linear_velocity(body, vec(R(k) / 1000 * unit, 0, 0));
            if (k != 10)
                expect_counts(step(), 0, 0, k > 10);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(both_orders_name_what_the_pair_says, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sounds_are_found_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_who_asks_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_push_is_silent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(impacts_have_the_worlds_threshold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_sleeps_is_silent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(halves_and_failures_tell_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stage_that_is_run_again_tells_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_change_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_snapshot_knows_who_asks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_is_taken_before_solve, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_held_is_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(centimetres_sound_as_metres, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

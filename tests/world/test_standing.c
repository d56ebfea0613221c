/* What a step has found out of islands serves the next one where nothing has changed
 * (solver/standing.h). Nobody tells it of a change, so here everything changes that can: a world
 * whose steps go in one, and so may use what the last one knew, is held against its twin, whose
 * stages run one by one and know nothing, to the bit and with all counts. */
#include "tests/world/changes.h"
#include "world/world.h"

#include <string.h>

enum { MOST_STAGES = 64, STEPS = 800 };

/* ---- two worlds */

static void step_by_stages(lode_world world)
{
    lode_stage_info stages[MOST_STAGES];
    int count = lode_world_get_stages(world, stages, MOST_STAGES);
    for (int i = 0; i < count; ++i)
        if (!stages[i].parent[0])
            assert_int_equal(lode_world_run_stage(world, stages[i].name, STEP), LODE_OK);
}

static bool stands(lode_world world)
{
    lode__world *w;
    assert_int_equal(lode__open_world(&w, world, __func__), LODE_OK);
    return w->solver.standing;
}

static lode_world_stats counts_of(lode_world world)
{
    lode_world_stats stats = {0};
    assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
    stats.bytes = stats.bytes_bodies = stats.bytes_contacts = stats.bytes_scratch = 0;
    return stats;
}

static void expect_same_warnings(const yard *a, const yard *b)
{
    lode_warning_info s[LODE_WARNING_COUNT], t[LODE_WARNING_COUNT];
    int count = lode_world_get_warnings(a->world, s, LODE_WARNING_COUNT);
    assert_int_equal(lode_world_get_warnings(b->world, t, LODE_WARNING_COUNT), count);
    for (int i = 0; i < count; ++i)
        assert_true(s[i].last == t[i].last && s[i].ever == t[i].ever);
}

static void expect_same(const yard *a, const yard *b)
{
    expect_same_warnings(a, b);
    lode_world_stats s = counts_of(a->world), t = counts_of(b->world);
    assert_memory_equal(&s, &t, sizeof s);
    assert_true(lode_world_hash(a->world) == lode_world_hash(b->world));
    lode_moved m = lode_world_get_moved(a->world), n = lode_world_get_moved(b->world);
    assert_int_equal(m.count, n.count);
    for (int i = 0; i < m.count; ++i)
        assert_memory_equal(&m.poses[i], &n.poses[i], sizeof *m.poses);
    for (int k = 0; k < ARMS; ++k)
        assert_true(lode_articulation_get_wake_counter(a->arms[k].articulation) ==
                    lode_articulation_get_wake_counter(b->arms[k].articulation));
}

/* The same change on both; mostly none, so that what stands comes to be used. */
static void change_both(yard *a, yard *b, test_random *random)
{
    uint32_t which = random_below(random, 4 * CHANGES);
    test_random again = *random;
    change_fn *change = which < CHANGES ? changes[which] : nothing;
    change(a, random);
    change(b, &again);
}

static void whatever_changes_is_seen(void **state)
{
    (void)state;
    int stood = 0;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        test_random random = {seed};
        yard a = make_yard(), b = make_yard();
        for (int i = 0; i < STEPS; ++i) {
            if (i % 40 == 0)
                tidy(&a), tidy(&b);
            change_both(&a, &b, &random);
            assert_int_equal(lode_world_step(a.world, STEP), LODE_OK);
            step_by_stages(b.world);
            expect_same(&a, &b);
            stood += stands(a.world);
        }
        lode_world_destroy(a.world);
        lode_world_destroy(b.world);
    }
    assert_true(stood > STEPS / 2);
}

/* Of every change alone: steps before it stand. */
static void each_change_alone_is_seen(void **state)
{
    (void)state;
    for (int c = 0; c < CHANGES; ++c)
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            test_random random = {seed}, again = {seed};
            yard a = make_yard(), b = make_yard();
            for (int i = 0; i < 30; ++i) {
                if (i % 5 == 4)
                    changes[c](&a, &random), changes[c](&b, &again);
                assert_int_equal(lode_world_step(a.world, STEP), LODE_OK);
                step_by_stages(b.world);
                expect_same(&a, &b);
                assert_true(i != 3 || stands(a.world));
            }
            lode_world_destroy(a.world);
            lode_world_destroy(b.world);
        }
}

/* Upwards at 1 m/s, to come to a stop after 30 steps. */
static void toss(yard *y)
{
    test_random none = {0};
    calm(y, &none);
    lode_world_set_gravity(y->world, vec(0, 0, -2));
    for (int n = 0; n < TREES; ++n)
        lode_articulation_set_root_linear_velocity(y->arms[n].articulation, vec(0, 0, 1), true);
}

/* Who has been idle for a while, but not long enough, and is fast again has not been idle at all;
 * nobody is touched meanwhile. */
static void who_moves_again_rests_from_the_beginning(void **state)
{
    (void)state;
    yard a = make_yard(), b = make_yard();
    bool idled = false;
    toss(&a), toss(&b);
    for (int i = 0; i < 45; ++i) {
        assert_int_equal(lode_world_step(a.world, STEP), LODE_OK);
        step_by_stages(b.world);
        expect_same(&a, &b);
        lode_real left = lode_articulation_get_wake_counter(a.arms[0].articulation);
        idled = idled || left < (lode_real)0.2;
        assert_true((i > 20 && i < 40) || left == (lode_real)0.2);
    }
    assert_true(idled && stands(a.world));
    lode_world_destroy(a.world);
    lode_world_destroy(b.world);
}

/* Who was frozen and is set free is as it was, to whoever asks the lists. */
static void who_was_frozen_is_free(void **state)
{
    (void)state;
    yard a = make_yard(), b = make_yard();
    for (int i = 0; i < 20; ++i) {
        yard *both[] = {&a, &b};
        for (int k = 0; k < 2 && i == 5; ++k)
            lode_link_set_velocity(both[k]->arms[0].link[1], LODE_AXIS_TWIST, (lode_real)1e30);
        for (int k = 0; k < 2 && i == 6; ++k) {
            lode_link_set_velocity(both[k]->arms[0].link[1], LODE_AXIS_TWIST, 0);
            lode_articulation_set_root_pose(both[k]->arms[0].articulation,
                                            (lode_pose){vec(0, 0, 30), {1, 0, 0, 0}}, true);
        }
        assert_int_equal(lode_world_step(a.world, STEP), LODE_OK);
        step_by_stages(b.world);
        expect_same(&a, &b);
    }
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_world_get_warnings(a.world, warnings, LODE_WARNING_COUNT);
    assert_true(warnings[LODE_WARNING_NAN_BODY].ever > 0);
    assert_true(warnings[LODE_WARNING_NAN_BODY].last == 0);
    lode_world_destroy(a.world);
    lode_world_destroy(b.world);
}

/* Steps of halves, the second of them made again from an earlier stage. */
static void what_is_made_again_does_not_stand(void **state)
{
    (void)state;
    yard a = make_yard(), b = make_yard();
    for (int i = 0; i < 40; ++i) {
        assert_int_equal(lode_world_collide(a.world, STEP), LODE_OK);
        if (i % 4 == 3) {
            assert_int_equal(lode_world_run_stage(a.world, "islands", STEP), LODE_OK);
            assert_int_equal(lode_world_run_stage(a.world, "colouring", STEP), LODE_OK);
        }
        assert_int_equal(lode_world_solve(a.world, STEP), LODE_OK);
        step_by_stages(b.world);
        expect_same(&a, &b);
    }
    lode_world_destroy(a.world);
    lode_world_destroy(b.world);
}

/* Nothing is taken from the heap for what stands. */
static void memory_stays(void **state)
{
    (void)state;
    yard a = make_yard();
    lode_world_stats before, after;
    for (int i = 0; i < 10; ++i)
        lode_world_step(a.world, STEP);
    lode_world_get_stats(a.world, &before);
    for (int i = 0; i < 50; ++i) {
        lode_world_step(a.world, STEP);
        lode_world_get_stats(a.world, &after);
        assert_int_equal(after.bytes, before.bytes);
    }
    assert_true(stands(a.world));
    lode_world_destroy(a.world);
}

/* Nor by what does not for long. */
static void memory_does_not_grow(void **state)
{
    (void)state;
    yard a = make_yard();
    lode_world_stats before = {0}, after;
    lode_world_set_gravity(a.world, vec(0, 0, 0)); /* nothing comes to touch */
    for (int i = 0; i < 600; ++i) {
        lode_body_set_gravity_scale(a.arms[i % ARMS].link[1], i / ARMS % 2 ? 1 : (lode_real)0.5);
        lode_world_step(a.world, STEP);
        lode_world_step(a.world, STEP);
        lode_world_get_stats(a.world, &after);
        before = i < 30 ? after : before;
        assert_true(i < 30 || after.bytes == before.bytes);
    }
    lode_world_destroy(a.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_change_alone_is_seen),
        cmocka_unit_test(whatever_changes_is_seen),
        cmocka_unit_test(who_moves_again_rests_from_the_beginning),
        cmocka_unit_test(who_was_frozen_is_free),
        cmocka_unit_test(what_is_made_again_does_not_stand),
        cmocka_unit_test(memory_stays),
        cmocka_unit_test(memory_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

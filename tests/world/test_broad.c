/* Worlds with each broad phase: equal lives, to the bit, and snapshots that fit all of them. */
#include "tests/world/yard.h"

static lode_world create(lode_broad_phase kind)
{
    lode_world_def def = lode_world_def_default();
    def.broad_phase = kind;
    def.broad_phase_axes[0] = 2;
    return yard_create(&def);
}

static void lives_are_the_same_whichever_is_chosen(void **state)
{
    (void)state;
    enum { STEPS = 120 };
    lode_world tree = create(LODE_BROAD_TREE);
    yard_shot shot = {0};
    uint64_t end;
    for (int step = 0; step < STEPS; ++step) {
        if (step == STEPS / 2)
            shot = yard_shoot(tree);
        yard_step(tree, step);
    }
    end = lode_world_hash(tree);
    for (int kind = LODE_BROAD_SIMPLE; kind < LODE_BROAD_PHASE_COUNT; ++kind) {
        lode_world world = create((lode_broad_phase)kind);
        assert_int_equal(lode_world_get_def(world).broad_phase, kind);
        for (int step = 0; step < STEPS; ++step)
            yard_step(world, step);
        assert_true(lode_world_hash(world) == end);
        assert_int_equal(lode_world_restore(world, shot.bytes, shot.size), LODE_OK);
        assert_int_equal(lode_world_get_def(world).broad_phase, kind);
        for (int step = STEPS / 2; step < STEPS; ++step)
            yard_step(world, step);
        assert_true(lode_world_hash(world) == end);
        lode_world_destroy(world);
    }
    yard_free(shot);
    lode_world_destroy(tree);
}

/* A world that changes its broad phase in each step, and the axes too, leads the life of one that
 * never does. */
static void it_may_change_at_any_time(void **state)
{
    (void)state;
    enum { STEPS = 120 };
    static const int axes[][2] = {{0, 1}, {2, 0}, {1, 2}};
    lode_world tree = create(LODE_BROAD_TREE), other = create(LODE_BROAD_TREE);
    for (int step = 0; step < STEPS; ++step) {
        lode_broad_phase kind = (lode_broad_phase)(step % LODE_BROAD_PHASE_COUNT);
        assert_int_equal(lode_world_set_broad_phase(other, kind, step % 2 ? axes[step % 3] : NULL),
                         LODE_OK);
        assert_int_equal(lode_world_get_def(other).broad_phase, kind);
        yard_step(tree, step);
        yard_step(other, step);
        assert_true(lode_world_hash(tree) == lode_world_hash(other));
    }
    lode_world_destroy(tree);
    lode_world_destroy(other);
}

static void what_is_no_broad_phase_is_refused(void **state)
{
    (void)state;
    static const int axes[][2] = {{0, 0}, {-1, 0}, {0, 3}, {2, 2}};
    report_install();
    for (int i = -1; i <= LODE_BROAD_PHASE_COUNT; i += LODE_BROAD_PHASE_COUNT + 1) {
        lode_world_def def = lode_world_def_default();
        def.broad_phase = (lode_broad_phase)i;
        assert_true(lode_world_create(&def).id == 0);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_create", "def.broad_phase");
        report_clear();
    }
    for (int i = 0; i < 4; ++i) {
        lode_world_def def = lode_world_def_default();
        def.broad_phase_axes[0] = axes[i][0];
        def.broad_phase_axes[1] = axes[i][1];
        assert_true(lode_world_create(&def).id == 0);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_create", "def.broad_phase_axes");
        report_clear();
    }
    lode_world world = create(LODE_BROAD_TREE);
    for (int i = 0; i < 4; ++i)
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "axes", lode_world_set_broad_phase, world,
                       LODE_BROAD_SWEEP, axes[i]);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "broad_phase", lode_world_set_broad_phase, world,
                   LODE_BROAD_PHASE_COUNT, NULL);
    assert_int_equal(lode_world_get_def(world).broad_phase, LODE_BROAD_TREE);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lives_are_the_same_whichever_is_chosen),
        cmocka_unit_test(it_may_change_at_any_time),
        cmocka_unit_test(what_is_no_broad_phase_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

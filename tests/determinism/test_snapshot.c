/* A resumed run equals the uninterrupted one to the bit, for a thousand steps: in the world that
 * was set back, in others, on other instruction sets, with other numbers of threads. Compared are
 * whole snapshots, so all that is state. */
#include "tests/support/random.h"
#include "tests/support/test.h"
#include "tests/world/yard.h"

#include <inttypes.h>

enum { BEFORE = 90, STEPS = 1000 };

static lode_world_def def_of(lode_solver solver, lode_simd simd, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    def.simd = simd;
    def.threads = threads;
    return def;
}

static void live(lode_world world, int begin, int end, uint64_t *out_states)
{
    for (int step = begin; step < end; ++step) {
        yard_step(world, step);
        if (out_states)
            out_states[step] = yard_state(world);
    }
}

static void expect_life(lode_world world, int begin, int end, const uint64_t *states,
                        const char *who)
{
    for (int step = begin; step < end; ++step) {
        yard_step(world, step);
        uint64_t state = yard_state(world);
        if (state != states[step])
            fail_msg("%s: step %d: %016" PRIx64 " instead of %016" PRIx64, who, step, state,
                     states[step]);
    }
}

static void resume_elsewhere(lode_solver solver, yard_shot shot, const uint64_t *states)
{
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd)
        for (int threads = 1; lode_simd_available((lode_simd)simd) && threads < 5; threads += 3) {
            lode_world_def def = def_of(solver, (lode_simd)simd, threads);
            def.length_unit = 2; /* settings come from the snapshot */
            lode_world other = lode_world_create(&def);
            assert_int_equal(lode_world_restore(other, shot.bytes, shot.size), LODE_OK);
            assert_int_equal(lode_world_get_def(other).simd, simd);
            expect_life(other, BEFORE, BEFORE + 250, states, lode_simd_name((lode_simd)simd));
            lode_world_destroy(other);
        }
}

static void resume(lode_solver solver, lode_stiff stiff)
{
    static uint64_t states[BEFORE + STEPS];
    lode_world_def def = def_of(solver, LODE_SIMD_AUTO, 1);
    def.stiff_joints = stiff;
    lode_world world = yard_create(&def);
    live(world, 0, BEFORE, NULL);
    yard_shot shot = yard_shoot(world);
    live(world, BEFORE, BEFORE + STEPS, states);
    lode_world_stats stats;
    lode_world_get_stats(world, &stats);
    assert_int_equal(lode_world_restore(world, shot.bytes, shot.size), LODE_OK);
    expect_life(world, BEFORE, BEFORE + STEPS, states, "the same world");
    def.simd = LODE_SIMD_PLAIN;
    lode_world fresh = lode_world_create(&def);
    assert_int_equal(lode_world_restore(fresh, shot.bytes, shot.size), LODE_OK);
    expect_life(fresh, BEFORE, BEFORE + STEPS, states, "a new world");
    resume_elsewhere(solver, shot, states);
    lode_world_destroy(fresh);
    lode_world_destroy(world);
    yard_free(shot);
}

static void pgs_resumes(void **state)
{
    (void)state;
    resume(LODE_SOLVER_PGS, LODE_STIFF_NEVER);
}

static void the_soft_step_resumes(void **state)
{
    (void)state;
    resume(LODE_SOLVER_SOFT_STEP, LODE_STIFF_NEVER);
}

static void the_direct_solver_resumes(void **state)
{
    (void)state;
    resume(LODE_SOLVER_DIRECT, LODE_STIFF_NEVER);
}

static void joints_that_do_not_stretch_resume(void **state)
{
    (void)state;
    resume(LODE_SOLVER_SOFT_STEP, LODE_STIFF_ALWAYS);
}

/* To and fro, from any step to any other. */
static void any_step_can_be_gone_back_to(void **state)
{
    (void)state;
    enum { LIFE = 700, SHOTS = 7 };
    static uint64_t states[LIFE];
    yard_shot shots[SHOTS];
    test_random random = {3};
    lode_world world = yard_create(NULL);
    for (int i = 0; i < SHOTS; ++i) {
        shots[i] = yard_shoot(world);
        live(world, i * LIFE / SHOTS, (i + 1) * LIFE / SHOTS, states);
    }
    for (int round = 0; round < 60; ++round) {
        int from = (int)random_below(&random, SHOTS), begin = from * LIFE / SHOTS;
        int end = begin + (int)random_below(&random, 40);
        assert_int_equal(lode_world_restore(world, shots[from].bytes, shots[from].size), LODE_OK);
        expect_life(world, begin, end < LIFE ? end : LIFE, states, "to and fro");
    }
    for (int i = 0; i < SHOTS; ++i)
        yard_free(shots[i]);
    lode_world_destroy(world);
}

static void taking_snapshots_changes_nothing(void **state)
{
    (void)state;
    lode_world watched = yard_create(NULL), alone = yard_create(NULL);
    int slept = 0;
    for (int step = 0; step < 500; ++step) {
        lode_world_stats a, b;
        yard_step(alone, step);
        yard_step(watched, step);
        yard_state(watched);
        assert_true(lode_world_hash(alone) == lode_world_hash(watched));
        lode_world_get_stats(alone, &a);
        lode_world_get_stats(watched, &b);
        assert_int_equal(a.awake_bodies, b.awake_bodies);
        assert_int_equal(a.sleeping_islands, b.sleeping_islands);
        assert_int_equal(a.pairs, b.pairs);
        slept += a.sleeping_islands > 0;
    }
    assert_true(slept > 50); /* the yard knows sleep */
    lode_world_destroy(watched);
    lode_world_destroy(alone);
}

static void equal_worlds_give_equal_bytes(void **state)
{
    (void)state;
    lode_world a = yard_create(NULL), b = yard_create(NULL);
    for (int step = 0; step < 300; ++step) {
        yard_step(a, step);
        yard_step(b, step);
    }
    yard_shot shot_a = yard_shoot(a), shot_b = yard_shoot(b);
    assert_int_equal(shot_a.size, shot_b.size);
    assert_memory_equal(shot_a.bytes, shot_b.bytes, shot_a.size);
    yard_free(shot_a);
    yard_free(shot_b);
    lode_world_destroy(a);
    lode_world_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pgs_resumes),
        cmocka_unit_test(the_soft_step_resumes),
        cmocka_unit_test(the_direct_solver_resumes),
        cmocka_unit_test(joints_that_do_not_stretch_resume),
        cmocka_unit_test(any_step_can_be_gone_back_to),
        cmocka_unit_test(taking_snapshots_changes_nothing),
        cmocka_unit_test(equal_worlds_give_equal_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

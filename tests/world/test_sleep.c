/* Falling asleep: by thresholds, steps, time and samples, as an island, when asked; what it
 * costs. */
#include "tests/world/support.h"

#include "world/registry.h"
#include "world/wake.h"
#include "world/world.h"

#include <math.h>
#include <time.h>

static lode_world world;

static void steps(int count)
{
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    const lode__world *w = lode__registry_world(world.id);
    lode__collide_validate(&w->collide, &w->bodies);
    lode__awake_validate(w);
}

static lode_sleep enabled(void)
{
    lode_sleep sleep = lode_sleep_default();
    sleep.enabled = true;
    return sleep;
}

/* A world without gravity, in which what rests rests. */
static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    world = lode_world_create(&def);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return 0;
}

static lode_body drifting(lode_real speed, lode_real spin, const lode_sleep *sleep)
{
    static int place;
    lode_body body = add_ball(world, (lode_real)(++place * 10), 0, 0, 1);
    lode_body_set_linear_velocity(body, vec(speed, 0, 0));
    lode_body_set_angular_velocity(body, vec(0, 0, spin));
    assert_int_equal(lode_body_set_sleep(body, sleep), LODE_OK);
    return body;
}

static void by_default_nothing_sleeps(void **state)
{
    (void)state;
    lode_sleep sleep = lode_sleep_default();
    assert_false(sleep.enabled);
    assert_true(near(sleep.linear_threshold, 0.01, 1e-9) && sleep.steps == 10);
    assert_true(sleep.time == 0 && sleep.samples == 1);
    lode_body body = drifting(0, 0, NULL);
    steps(100);
    assert_true(lode_body_is_awake(body));
}

static void both_speeds_must_be_below_their_thresholds(void **state)
{
    (void)state;
    lode_sleep sleep = enabled(), any_speed = sleep, any_spin = sleep;
    any_speed.linear_threshold = (lode_real)INFINITY;
    any_spin.angular_threshold = (lode_real)INFINITY;
    const struct {
        lode_real speed, spin;
        const lode_sleep *sleep;
        bool sleeps;
    } rows[] = {
        {0, 0, &sleep, true},       {0.009f, 0.009f, &sleep, true}, {0.011f, 0, &sleep, false},
        {0, 0.011f, &sleep, false}, {5, 0, &any_speed, true},       {5, 0.011f, &any_speed, false},
        {0, 5, &any_spin, true},    {0.011f, 5, &any_spin, false},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    lode_body bodies[ROWS];
    for (int i = 0; i < ROWS; ++i)
        bodies[i] = drifting(rows[i].speed, rows[i].spin, rows[i].sleep);
    steps(9);
    for (int i = 0; i < ROWS; ++i)
        assert_true(lode_body_is_awake(bodies[i]));
    steps(1);
    for (int i = 0; i < ROWS; ++i) {
        assert_true(lode_body_is_awake(bodies[i]) == !rows[i].sleeps);
        if (rows[i].sleeps)
            assert_true(near_vec(lode_body_get_linear_velocity(bodies[i]), vec(0, 0, 0), 0));
    }
}

static void steps_and_time_must_both_have_passed(void **state)
{
    (void)state;
    const struct {
        int steps;
        lode_real time;
        int after; /* so many steps */
    } rows[] = {{10, 0, 10},
                {0, (lode_real)0.5, 32},
                {10, (lode_real)0.5, 32},
                {40, (lode_real)0.5, 40},
                {0, 0, 1},
                {1, 0, 1}};
    enum { ROWS = sizeof rows / sizeof *rows };
    lode_body bodies[ROWS];
    for (int i = 0; i < ROWS; ++i) {
        lode_sleep sleep = enabled();
        sleep.steps = rows[i].steps;
        sleep.time = rows[i].time;
        bodies[i] = drifting(0, 0, &sleep);
    }
    for (int n = 1; n < 50; ++n) {
        steps(1);
        for (int i = 0; i < ROWS; ++i)
            assert_true(lode_body_is_awake(bodies[i]) == (n < rows[i].after));
    }
}

/* A body that trembles rests in the mean. */
static void samples_average_a_tremble_out(void **state)
{
    (void)state;
    lode_sleep one = enabled(), many = one;
    many.samples = 8;
    lode_body a = drifting(0, 0, &one), b = drifting(0, 0, &many);
    const lode__world *w = lode__registry_world(world.id);
    for (int i = 0; i < 60; ++i) { /* set from below: the public call would wake */
        lode_vec3 v = vec(i % 2 ? (lode_real)0.1 : (lode_real)-0.1, 0, 0);
        LODE__AT(body, &w->bodies, velocity, id_slot(a.id))->linear = v;
        if (lode_body_is_awake(b))
            LODE__AT(body, &w->bodies, velocity, id_slot(b.id))->linear = v;
        steps(1);
        assert_true(lode_body_is_awake(a));
        assert_true(lode_body_is_awake(b) == (i + 1 < 8 + 10 - 1));
    }
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    lode_body body = drifting(0, 0, NULL);
    for (int i = 0; i < 7; ++i) {
        lode_sleep bad = enabled();
        if (i == 0)
            bad.linear_threshold = -1;
        else if (i == 1)
            bad.angular_threshold = (lode_real)NAN;
        else if (i == 2)
            bad.steps = -1;
        else if (i == 3)
            bad.time = (lode_real)NAN;
        else
            bad.samples = (int[]){0, 65, -1}[i - 4];
        report_clear();
        assert_int_equal(lode_body_set_sleep(body, &bad), LODE_ERROR_ARGUMENT);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_body_set_sleep", "sleep");
        report_clear();
        assert_int_equal(lode_world_set_sleep(world, &bad), LODE_ERROR_ARGUMENT);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_set_sleep", "sleep");
        report_clear();
        lode_body_def def = lode_body_def_default();
        def.sleep = &bad;
        assert_true(lode_body_create(world, &def).id == 0);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_body_create", "def.sleep");
    }
}

static void what_is_set_is_told(void **state)
{
    (void)state;
    lode_sleep want = {true, 1, 2, 3, 4, 5};
    assert_int_equal(lode_world_set_sleep(world, &want), LODE_OK);
    lode_sleep got = lode_body_get_sleep(add_ball(world, 0, 0, 0, 1));
    assert_true(got.enabled && got.linear_threshold == 1 && got.angular_threshold == 2);
    assert_true(got.steps == 3 && got.time == 4 && got.samples == 5);
}

/* All sleep, or none does: a chain of ten balls of which one may not. */
static void an_island_sleeps_as_a_whole(void **state)
{
    (void)state;
    lode_sleep sleep = enabled();
    lode_body balls[10];
    for (int i = 0; i < 10; ++i) {
        balls[i] = add_ball(world, (lode_real)i * 2, 50, 0, 1);
        assert_int_equal(lode_body_set_sleep(balls[i], i == 7 ? NULL : &sleep), LODE_OK);
    }
    steps(50);
    for (int i = 0; i < 10; ++i)
        assert_true(lode_body_is_awake(balls[i]));
    lode_body_set_sleep(balls[7], &sleep);
    steps(50);
    for (int i = 0; i < 10; ++i)
        assert_false(lode_body_is_awake(balls[i]));
    lode_body_wake(balls[9]);
    for (int i = 0; i < 10; ++i)
        assert_true(lode_body_is_awake(balls[i]));
}

/* Asked to, a body sleeps where it is, with all it touches, fast as it may be. */
static void it_sleeps_when_asked(void **state)
{
    (void)state;
    lode_body a = add_ball(world, 0, 0, 50, 1), b = add_ball(world, 2, 0, 50, 1);
    lode_body c = add_ball(world, 9, 0, 50, 1);
    lode_body_set_linear_velocity(a, vec(0, 3, 0));
    lode_body_sleep(a);
    assert_false(lode_body_is_awake(a));
    lode_vec3 before = lode_body_get_pose(a).position;
    steps(1);
    assert_false(lode_body_is_awake(a) || lode_body_is_awake(b));
    assert_true(lode_body_is_awake(c));
    assert_true(near_vec(lode_body_get_pose(a).position, before, 0));
    lode_body_sleep(c);
    lode_body_add_impulse(c, vec(1, 0, 0)); /* thinks better of it */
    steps(1);
    assert_true(lode_body_is_awake(c));
}

/* ---- the same bits ---- */

static uint64_t heap(int threads, lode_simd simd)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    def.simd = simd;
    def.sleep = enabled();
    def.sleep.linear_threshold = def.sleep.angular_threshold = (lode_real)0.1;
    lode_world w = lode_world_create(&def);
    add_ground(w);
    for (int i = 0; i < 60; ++i) {
        lode_shape_def shape = lode_shape_def_default();
        lode_body body = add_body(w, LODE_DYNAMIC, (lode_real)(i % 4) * 1.1f,
                                  (lode_real)(i / 4 % 3) * 1.1f, (lode_real)(i / 12) * 1.2f + 1);
        lode_shape_create_box(body, &shape, vec(0.5f, 0.5f, 0.5f));
    }
    for (int i = 0; i < 400; ++i) {
        lode_world_step(w, STEP);
        if (i == 250)
            add_ball(w, 1, 1, 12, (lode_real)0.7);
    }
    uint64_t hash = lode_world_hash(w);
    lode_world_destroy(w);
    return hash;
}

static void threads_and_instruction_sets_agree(void **state)
{
    (void)state;
    uint64_t hash = heap(1, LODE_SIMD_PLAIN);
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd)
        if (lode_simd_available((lode_simd)simd))
            assert_true(heap(simd % 3 + 1, (lode_simd)simd) == hash);
}

/* ---- what it costs ---- */

/* A hundred thousand sleeping boxes: bits are scanned and nothing else, so a step takes some tens
 * of microseconds; one that walked over the boxes would take milliseconds. */
static void a_sleeping_world_costs_next_to_nothing(void **state)
{
    (void)state;
    enum { SIDE = 317, STEPS = 200 };
    lode_sleep sleep = enabled();
    sleep.steps = 1;
    lode_world_set_sleep(world, &sleep);
    for (int i = 0; i < SIDE * SIDE; ++i)
        add_ball(world, (lode_real)(i % SIDE) * 3, (lode_real)(i / SIDE) * 3, 0, 1);
    steps(2);
    lode_world_stats stats;
    lode_world_get_stats(world, &stats);
    assert_int_equal(stats.sleeping_islands, SIDE * SIDE);
    assert_int_equal(stats.awake_bodies + stats.pairs, 0);
    clock_t start = clock();
    for (int i = 0; i < STEPS; ++i)
        lode_world_step(world, STEP);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC / STEPS;
    print_message("a step of %d sleeping bodies: %.1f us\n", SIDE * SIDE, seconds * 1e6);
    assert_true(seconds < (LODE_CHECKS < 3 ? 1e-3 : 1)); /* those walk over all */
}

int main(void)
{
#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(by_default_nothing_sleeps),
        IN_A_WORLD(both_speeds_must_be_below_their_thresholds),
        IN_A_WORLD(steps_and_time_must_both_have_passed),
        IN_A_WORLD(samples_average_a_tremble_out),
        IN_A_WORLD(bad_values_are_refused),
        IN_A_WORLD(what_is_set_is_told),
        IN_A_WORLD(an_island_sleeps_as_a_whole),
        IN_A_WORLD(it_sleeps_when_asked),
        IN_A_WORLD(a_sleeping_world_costs_next_to_nothing),
        cmocka_unit_test(threads_and_instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

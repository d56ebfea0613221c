/* Worlds in different threads never meet: each runs as it would alone, while others come and go and
 * stale handles are asked about everywhere. */
#include "tests/world/support.h"

#include "core/os.h"

#include <stdatomic.h>

enum { THREADS = 4, RUNS = 3, FRAMES = 60 };

typedef struct worker {
    int index;
    uint64_t hashes[RUNS];
    int wrong; /* answers for stale handles */
} worker;

static atomic_int reports;

static void count_reports(void *user, lode_status status, const char *function,
                          const char *argument, const char *message)
{
    (void)user, (void)status, (void)function, (void)argument, (void)message;
    atomic_fetch_add(&reports, 1);
}

/* A scene of its own for each index, stepped for a while. */
static uint64_t simulate(int index, int run, lode_body *out_last)
{
    lode_world_def def = lode_world_def_default();
    def.threads = 1 + index % 2;
    def.solver = index % 2 ? LODE_SOLVER_SOFT_STEP : LODE_SOLVER_PGS;
    scene s = scene_create(&def);
    for (int i = 0; i < 8 + 4 * index + run; ++i)
        *out_last = add_ball(s.world, (lode_real)(i % 4), 3, 1 + (lode_real)i, (lode_real)0.5);
    for (int i = 0; i < FRAMES; ++i)
        lode_world_step(s.world, STEP);
    uint64_t hash = lode_world_hash(s.world);
    lode_world_destroy(s.world);
    return hash;
}

static void work(void *context)
{
    worker *w = context;
    lode_body stale[RUNS];
    for (int run = 0; run < RUNS; ++run) {
        w->hashes[run] = simulate(w->index, run, &stale[run]);
        for (int k = 0; k <= run; ++k)
            w->wrong += lode_body_is_valid(stale[k]) ||
                        lode_body_add_force(stale[k], vec(1, 0, 0)) != LODE_ERROR_HANDLE;
    }
}

static void worlds_in_threads_run_as_if_alone(void **state)
{
    (void)state;
    worker alone[THREADS] = {0}, together[THREADS] = {0};
    lode__thread *threads[THREADS];
    lode_set_error_hook(count_reports, NULL);
    for (int i = 0; i < THREADS; ++i) {
        alone[i].index = together[i].index = i;
        work(&alone[i]);
    }
    for (int i = 0; i < THREADS; ++i) {
        threads[i] = lode__thread_start(work, &together[i]);
        assert_non_null(threads[i]);
    }
    for (int i = 0; i < THREADS; ++i)
        lode__thread_join(threads[i]);
    for (int i = 0; i < THREADS; ++i) {
        assert_memory_equal(alone[i].hashes, together[i].hashes, sizeof alone[i].hashes);
        assert_int_equal(alone[i].wrong, 0);
        assert_int_equal(together[i].wrong, 0);
    }
    /* a report for each force that a stale handle was given: 1 + 2 + 3 in each of 2 x 4 */
    assert_int_equal(atomic_load(&reports), 2 * THREADS * RUNS * (RUNS + 1) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_in_threads_run_as_if_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

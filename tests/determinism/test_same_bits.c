/* Equal input gives equal bits within one process: whatever the instruction set, the number of
 * threads, who runs the tasks and in which order, and what else goes on in the process. The
 * comparison over builds and processors is tools/determinism.py's. */
#include "core/os.h"
#include "tests/determinism/scenes.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <inttypes.h>
#include <stdatomic.h>

enum { MOST_SCENES = 32, MOST_TASKS = 4096 };

static uint64_t expected[MOST_SCENES];

static int set_up(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.simd = LODE_SIMD_PLAIN;
    assert_true(hash_scene_count <= MOST_SCENES);
    for (int i = 0; i < hash_scene_count; ++i)
        expected[i] = hash_scene_run(&hash_scenes[i], &def, false);
    return 0;
}

static void expect_same(int scene, const lode_world_def *def, const char *how)
{
    uint64_t hash = hash_scene_run(&hash_scenes[scene], def, false);
    if (hash == expected[scene] && hash != 0)
        return;
    fail_msg("%s, %s, %s, %d threads: %016" PRIx64 " instead of %016" PRIx64,
             hash_scenes[scene].name, lode_simd_name(def->simd), how, def->threads, hash,
             expected[scene]);
}

static void expect_all_same(const lode_world_def *def, const char *how)
{
    for (int i = 0; i < hash_scene_count; ++i)
        expect_same(i, def, how);
}

static void bits_are_the_same_again(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.simd = LODE_SIMD_PLAIN;
    expect_all_same(&def, "again");
}

/* One after another in one process; that all of them go with all is seen by `determinism`, which
 * runs the same scenes a process each. */
static void bits_are_the_same_on_every_instruction_set_and_thread_count(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    int ways = 0;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd)
        ways += lode_simd_available((lode_simd)simd);
    for (int simd = LODE_SIMD_PLAIN, way = 0; way < (ways > 4 ? ways : 4); ++way) {
        lode_world_def def = lode_world_def_default();
        while (!lode_simd_available((lode_simd)simd))
            simd = (simd + 1) % LODE_SIMD_COUNT;
        def.simd = (lode_simd)simd;
        def.threads = threads[way % 4];
        expect_all_same(&def, "own threads");
        simd = (simd + 1) % LODE_SIMD_COUNT;
    }
}

/* ---- an engine's job system that does its worst ---- */

typedef struct job_system {
    test_random random; /* of the order; null state: last first */
    int threads;
} job_system;

typedef struct job_run {
    void (*task)(void *context, int index);
    void *context;
    const int *order;
    int count;
    atomic_int next;
} job_run;

static void work(void *context)
{
    job_run *run = context;
    for (int i = atomic_fetch_add(&run->next, 1); i < run->count;
         i = atomic_fetch_add(&run->next, 1))
        run->task(run->context, run->order[i]);
}

static void put_in_order(job_system *system, int *order, int count)
{
    for (int i = 0; i < count; ++i)
        order[i] = count - 1 - i;
    for (int i = count - 1; system->random.state && i > 0; --i) {
        int j = (int)random_below(&system->random, (uint32_t)i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static void run_jobs(void *user, int count, void (*task)(void *context, int index), void *context)
{
    job_system *system = user;
    int order[MOST_TASKS];
    assert_in_range(count, 0, MOST_TASKS);
    put_in_order(system, order, count);
    job_run run = {.task = task, .context = context, .order = order, .count = count};
    lode__thread *threads[8];
    int extra = count > 1 ? system->threads - 1 : 0;
    for (int i = 0; i < extra; ++i)
        threads[i] = lode__thread_start(work, &run);
    work(&run);
    for (int i = 0; i < extra; ++i)
        lode__thread_join(threads[i]);
}

static void bits_are_the_same_in_any_order_of_tasks(void **state)
{
    (void)state;
    static const struct {
        const char *how;
        job_system system;
    } systems[] = {
        {"tasks last first", {{0}, 1}},
        {"tasks shuffled", {{21}, 1}},
        {"tasks shuffled, another way", {{22}, 1}},
        {"tasks shuffled on three threads", {{23}, 3}},
    };
    for (int i = 0; i < 4; ++i) {
        job_system system = systems[i].system;
        lode_world_def def = lode_world_def_default();
        def.tasks = (lode_task_system){&system, 3, run_jobs};
        expect_all_same(&def, systems[i].how);
    }
}

/* ---- several worlds at once ---- */

typedef struct concurrent {
    int scene;
    uint64_t hash;
} concurrent;

static void run_concurrent(void *context)
{
    concurrent *run = context;
    lode_world_def def = lode_world_def_default();
    def.threads = 2;
    run->hash = hash_scene_run(&hash_scenes[run->scene], &def, false);
}

static void worlds_in_different_threads_never_meet(void **state)
{
    (void)state;
    concurrent runs[MOST_SCENES];
    lode__thread *threads[MOST_SCENES];
    for (int i = 0; i < hash_scene_count; ++i) {
        runs[i] = (concurrent){i, 0};
        threads[i] = lode__thread_start(run_concurrent, &runs[i]);
        assert_non_null(threads[i]);
    }
    for (int i = 0; i < hash_scene_count; ++i)
        lode__thread_join(threads[i]);
    for (int i = 0; i < hash_scene_count; ++i)
        assert_true(runs[i].hash == expected[runs[i].scene]);
}

/* ---- the test would see a difference ---- */

static void another_step_gives_another_hash(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    for (int i = 0; i < hash_scene_count; ++i) {
        hash_scene scene = hash_scenes[i];
        scene.steps += 1;
        assert_true(hash_scene_run(&scene, &def, false) != expected[i]);
        assert_true(expected[i] != expected[(i + 1) % hash_scene_count]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_the_same_again),
        cmocka_unit_test(bits_are_the_same_on_every_instruction_set_and_thread_count),
        cmocka_unit_test(bits_are_the_same_in_any_order_of_tasks),
        cmocka_unit_test(worlds_in_different_threads_never_meet),
        cmocka_unit_test(another_step_gives_another_hash),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

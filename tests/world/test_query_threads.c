/* Queries of one world on several threads at once, the first one after a change too: each sees what
 * it would see alone. The thread sanitizer runs this. */
#include "tests/world/zoo.h"

#include "core/os.h"

#include <stdatomic.h>
#include <string.h>

enum { THREADS = 4, RAYS = 200, ROUNDS = 12 };

typedef struct asker {
    lode_world world;
    uint64_t seed;
    atomic_int *ready;
    lode_ray_hit hits[RAYS];
    int overlaps[RAYS];
} asker;

/* All begin at about the same time, so that several find the world changed. */
static void ask(void *context)
{
    asker *a = context;
    zoo eye = {.world = a->world, .random = {a->seed}, .span = 6};
    atomic_fetch_add(a->ready, 1);
    while (atomic_load(a->ready) < THREADS)
        lode__os_yield();
    for (int i = 0; i < RAYS; ++i) {
        lode_ray ray = {zoo_point(&eye), zoo_point(&eye), 20, LODE_BOTH_FACES};
        memset(&a->hits[i], 0, sizeof a->hits[i]);
        lode_world_cast_ray(a->world, &ray, NULL, &a->hits[i]);
        a->overlaps[i] = lode_world_overlap_sphere(a->world, ray.origin, 1, NULL, NULL, 0);
    }
}

static bool same(const asker *a, const asker *b)
{
    for (int i = 0; i < RAYS; ++i)
        if (a->hits[i].shape.id != b->hits[i].shape.id ||
            a->hits[i].distance != b->hits[i].distance || a->overlaps[i] != b->overlaps[i])
            return false;
    return true;
}

static void threads_see_what_each_would_see_alone(void **state)
{
    (void)state;
    static asker together[THREADS], alone;
    zoo z = zoo_create(11, 150, 5);
    report_install();
    for (int round = 0; round < ROUNDS; ++round) {
        atomic_int ready = 0, all_there = THREADS;
        lode__thread *threads[THREADS];
        for (int i = 0; i < 3; ++i)
            zoo_disturb(&z);
        for (int i = 0; i < THREADS; ++i) {
            together[i].world = z.world;
            together[i].seed = (uint64_t)(round * THREADS + i);
            together[i].ready = &ready;
            threads[i] = lode__thread_start(ask, &together[i]);
            assert_non_null(threads[i]);
        }
        for (int i = 0; i < THREADS; ++i)
            lode__thread_join(threads[i]);
        for (int i = 0; i < THREADS; ++i) {
            alone.world = z.world;
            alone.seed = together[i].seed;
            alone.ready = &all_there;
            ask(&alone);
            assert_true(same(&alone, &together[i]));
        }
    }
    assert_int_equal(report.count, 0);
    lode_world_destroy(z.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_see_what_each_would_see_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

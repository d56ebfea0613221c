/* hills.h: what rough ground of any kind promises to many solids on it: one world for any number of
 * threads, set back at any time, asleep and awake, and without memory. Whoever includes it makes
 * the ground, and strews solids over it. */
#ifndef LODE_TESTS_WORLD_HILLS_H
#define LODE_TESTS_WORLD_HILLS_H

#include "tests/world/solids.h"

#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "world/registry.h"
#include "world/validate.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

/* Fewer where every step is looked through. */
enum { MANY_BODIES = LODE_CHECKS > 2 ? 60 : 160 };

/* A world with ground 40 m wide around the origin and solids strewn over it. */
typedef lode_world make_hills_fn(int threads, lode_body bodies[MANY_BODIES], bool sleep);

/* Solids of all kinds, turned anyhow. */
static inline void strew_solids(lode_world world, lode_body bodies[MANY_BODIES], bool sleep)
{
    test_random random = {11};
    for (int i = 0; i < MANY_BODIES; ++i) {
        lode_pose pose = {{(lode_real)(i % 20 - 10) * (lode_real)1.5,
                           (lode_real)(i / 20 - 7) * (lode_real)1.5, (lode_real)3},
                          {1, 0, 0, 0}};
        pose.rotation = q_normalize((lode_quat){(lode_real)random_between(&random, -1, 1),
                                                (lode_real)random_between(&random, -1, 1),
                                                (lode_real)random_between(&random, -1, 1), 1});
        bodies[i] = add_solid(world, (kind)(i % KINDS), pose, (lode_real)0.6);
        if (sleep) {
            lode_sleep s = lode_body_get_sleep(bodies[i]);
            s.enabled = true;
            lode_body_set_sleep(bodies[i], &s);
        }
    }
}

static inline void check_threads(make_hills_fn *make)
{
    static lode_body bodies[MANY_BODIES];
    uint64_t hash[3];
    for (int t = 0; t < 3; ++t) {
        lode_world world = make(1 + t, bodies, true);
        step(world, 200);
        hash[t] = lode_world_hash(world);
        lode_world_destroy(world);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static inline void check_set_back(make_hills_fn *make)
{
    static lode_body bodies[MANY_BODIES];
    lode_world world = make(1, bodies, true);
    for (int start = 60; start < 700; start += 300) {
        step(world, start);
        size_t size = lode_world_snapshot(world, NULL, 0);
        void *bytes = malloc(size), *again = malloc(size);
        assert_int_equal(lode_world_snapshot(world, bytes, size), size);
        uint64_t before = lode_world_hash(world);
        step(world, 50);
        uint64_t after = lode_world_hash(world);
        assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
        assert_true(lode_world_hash(world) == before);
        assert_int_equal(lode_world_snapshot(world, again, size), size);
        assert_memory_equal(bytes, again, size);
        step(world, 50);
        assert_true(lode_world_hash(world) == after);
        free(bytes);
        free(again);
    }
    lode_world_destroy(world);
}

/* All the way through falling asleep and being woken, records agree. */
static inline void check_sleepers(make_hills_fn *make)
{
    static lode_body bodies[MANY_BODIES];
    static lode_contact contacts[4 * MANY_BODIES];
    lode_world world = make(1, bodies, true);
    lode__world *inside;
    assert_int_equal(lode__open_world(&inside, world, __func__), LODE_OK);
    for (int i = 0; i < 900; ++i) {
        step(world, 1);
        if (i % 10 == 0)
            lode__world_validate(inside);
    }
    int asleep = 0;
    for (int i = 0; i < MANY_BODIES; ++i)
        asleep += !lode_body_is_awake(bodies[i]);
    print_message("%d of %d sleep\n", asleep, MANY_BODIES);
    assert_true(asleep > MANY_BODIES / 2);
    int count = lode_world_get_contacts(world, contacts, 4 * MANY_BODIES), on_ground = 0;
    for (int i = 0; i < count; ++i)
        on_ground += contacts[i].points[0].child_a >= 0 || contacts[i].points[0].child_b >= 0;
    assert_true(on_ground >= asleep / 2);
    for (int i = 0; i < MANY_BODIES; i += 3)
        lode_body_wake(bodies[i]);
    lode__world_validate(inside);
    step(world, 1);
    lode__world_validate(inside);
    for (int i = 0; i < MANY_BODIES; i += 2)
        lode_body_destroy(bodies[i]);
    lode__world_validate(inside);
    step(world, 200);
    lode__world_validate(inside);
    lode_world_destroy(world);
}

/* Steps until one has all that it asks for, each time one allocation later; returns how many
 * failed. */
static inline int step_without_memory(lode_world world, lode__world *inside, lode_body body,
                                      bool failing)
{
    for (int failures = 0;; ++failures) {
        alloc_fail_nth(failing ? failures : -1);
        lode_pose before = lode_body_get_pose(body);
        lode_status status = lode_world_step(world, STEP);
        if (status == LODE_OK)
            return failures;
        lode_pose after = lode_body_get_pose(body);
        assert_int_equal(status, LODE_ERROR_MEMORY);
        assert_memory_equal(&before, &after, sizeof before);
        lode__world_validate(inside);
    }
}

/* Steps in which every allocation fails once end where steps do that lack nothing; and once warm,
 * none is made. */
static inline void check_without_memory(make_hills_fn *make)
{
    static lode_body bodies[MANY_BODIES];
    uint64_t hash[2];
    report_install();
    alloc_fail_install();
    for (int failing = 0; failing < 2; ++failing) {
        lode_world world = make(1, bodies, false);
        lode__world *inside;
        assert_int_equal(lode__open_world(&inside, world, __func__), LODE_OK);
        int failures = 0;
        for (int i = 0; i < 80; ++i)
            failures += step_without_memory(world, inside, bodies[7], failing);
        alloc_fail_nth(-1);
        print_message("%d failures\n", failures);
        assert_true(failing ? failures >= 4 : failures == 0);
        hash[failing] = lode_world_hash(world);
        step(world, 300);
        alloc_fail_nth(-1);
        step(world, 20);
        assert_true(alloc_fail_calls() <= 2); /* a pile that still moves may need a little more */
        lode_world_destroy(world);
    }
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    assert_true(hash[0] == hash[1]);
}

#endif

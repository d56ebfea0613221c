/* test_threading.c: calls and what they depend on, faults, waits and mutexes of the implementations
 * of threading; and worlds that step with them, to the same bits. */
#include <ode/ode.h>

#include "tests/ode/program.h"
#include "tests/ode/refusals.h"
#include "tests/support/test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- calls */

typedef struct diary {
    dThreadingImplementationID impl;
    const dThreadingFunctionsInfo *functions;
    dMutexGroupID mutexes;
    int order[64], count;
    int fails; /* the call of this index */
} diary;

static int note(void *context, dcallindex_t index, dCallReleaseeID self)
{
    diary *l = context;
    assert_non_null(self);
    l->functions->lock_group_mutex(l->impl, l->mutexes, 1);
    l->order[l->count++] = (int)index;
    l->functions->unlock_group_mutex(l->impl, l->mutexes, 1);
    return (int)index != l->fails;
}

/* Posts two calls more that it depends on, while it runs. */
static int note_and_post(void *context, dcallindex_t index, dCallReleaseeID self)
{
    diary *l = context;
    l->functions->alter_call_dependencies_count(l->impl, self, 2);
    for (int i = 0; i < 2; ++i)
        l->functions->post_call(l->impl, NULL, NULL, 0, self, NULL, note, l, 50 + (size_t)i, NULL);
    return note(context, index, self);
}

static void check_calls(dThreadingImplementationID impl)
{
    diary l = {.impl = impl, .functions = dThreadingImplementationGetFunctions(impl), .fails = -1};
    const dThreadingFunctionsInfo *f = l.functions;
    assert_int_equal(f->struct_size, sizeof *f);
    assert_int_equal(f->preallocate_resources_for_calls(impl, 20), 1);
    l.mutexes = f->alloc_mutex_group(impl, 2, NULL);
    dCallWaitID wait = f->alloc_call_wait(impl);
    dCallReleaseeID last, none;
    const dThreadedWaitTime no_time = {0, 0}, little = {0, 2000000};
    int fault = 7, status = 7;

    /* one that depends on nine others, of which one fails */
    l.fails = 4;
    f->post_call(impl, &fault, &last, 10, NULL, wait, note, &l, 40, "last");
    assert_non_null(last);
    for (int i = 0; i < 9; ++i)
        f->post_call(impl, NULL, &none, 0, last, NULL, note, &l, (size_t)i, NULL);
    f->wait_call(impl, &status, wait, &no_time, NULL);
    assert_int_equal(status, 0);
    f->wait_call(impl, &status, wait, &little, NULL);
    assert_int_equal(status, 0); /* a tenth is waited for */
    f->alter_call_dependencies_count(impl, last, -1);
    f->wait_call(impl, &status, wait, NULL, "all");
    assert_int_equal(status, 1);
    assert_int_equal(fault, 1);
    assert_true(l.count == 10 && l.order[9] == 40);
    unsigned seen = 0;
    for (int i = 0; i < 9; ++i)
        seen |= 1u << l.order[i];
    assert_int_equal(seen, 0x1ff);

    /* one that posts more: it has ended when they have */
    l.count = 0;
    l.fails = -1;
    f->reset_call_wait(impl, wait);
    f->post_call(impl, &fault, NULL, 0, NULL, wait, note_and_post, &l, 1, NULL);
    f->wait_call(impl, NULL, wait, NULL, NULL);
    assert_int_equal(fault, 0);
    assert_int_equal(l.count, 3);
    f->free_call_wait(impl, wait);
    f->free_mutex_group(impl, l.mutexes);
}

static void calls_run_when_they_may(void **state)
{
    (void)state;
    dThreadingImplementationID alone = dThreadingAllocateSelfThreadedImplementation();
    assert_int_equal(dThreadingImplementationGetFunctions(alone)->retrieve_thread_count(alone), 1);
    check_calls(alone);
    EXPECT_REFUSAL(
        dExternalThreadingServeMultiThreadedImplementation(alone, NULL, NULL),
        "dExternalThreadingServeMultiThreadedImplementation: impl is served by who waits "
        "alone");
    dThreadingFreeImplementation(alone);
    dThreadingImplementationID many = dThreadingAllocateMultiThreadedImplementation();
    const dThreadingFunctionsInfo *f = dThreadingImplementationGetFunctions(many);
    check_calls(many); /* nobody serves it */
    dThreadingThreadPoolID pool = dThreadingAllocateThreadPool(3, 0, dAllocateMaskAll, NULL);
    for (int round = 0; round < 20; ++round) {
        assert_int_equal(f->retrieve_thread_count(many), 0);
        dThreadingThreadPoolServeMultiThreadedImplementation(pool, many);
        assert_int_equal(f->retrieve_thread_count(many), 3);
        check_calls(many);
        dThreadingImplementationShutdownProcessing(many);
        dThreadingThreadPoolWaitIdleState(pool);
        dThreadingImplementationCleanupForRestart(many);
    }
    dThreadingFreeThreadPool(pool);
    dThreadingFreeImplementation(many);
    assert_null(dThreadingAllocateThreadPool(1, 0, 0, &pool));
    assert_int_equal(refusals.count, 1);
    refusals.count = 0;
}

/* --- memory */

static long held;

static void *counted_alloc(dsizeint size)
{
    held += (long)size;
    return malloc(size);
}

static void counted_free(void *block, dsizeint size)
{
    held -= (long)size;
    free(block);
}

static void who_is_freed_leaves_nothing(void **state)
{
    (void)state;
    dSetAllocHandler(counted_alloc);
    dSetFreeHandler(counted_free);
    dThreadingImplementationID alone = dThreadingAllocateSelfThreadedImplementation();
    assert_true(held > 0);
    dThreadingFreeImplementation(alone);
    assert_int_equal(held, 0);
    dThreadingThreadPoolID pool = dThreadingAllocateThreadPool(2, 0, dAllocateMaskAll, NULL);
    assert_true(held > 0);
    dThreadingFreeThreadPool(pool);
    assert_int_equal(held, 0);
    dSetAllocHandler(NULL);
    dSetFreeHandler(NULL);
}

/* --- worlds */

enum { SIDE = 5, BODIES = SIDE * SIDE * SIDE };

/* Boxes that fall in heaps. */
static void run(const dThreadingFunctionsInfo *functions, dThreadingImplementationID impl,
                unsigned islands, dReal out[BODIES][3])
{
    program p = {dWorldCreate(), dJointGroupCreate(0)};
    dSpaceID space = dHashSpaceCreate(NULL);
    dBodyID bodies[BODIES];
    dCreatePlane(space, 0, 0, 1, 0);
    dWorldSetGravity(p.world, 0, 0, (dReal)-9.81);
    dWorldSetStepThreadingImplementation(p.world, functions, impl);
    dWorldSetStepIslandsProcessingMaxThreadCount(p.world, islands);
    for (int i = 0; i < BODIES; ++i) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        bodies[i] = dBodyCreate(p.world);
        dBodySetPosition(bodies[i], (dReal)(1.7 * x + 0.1 * z), (dReal)(1.7 * y - 0.13 * z),
                         (dReal)(0.6 + 1.1 * z));
        dGeomSetBody(dCreateBox(space, 1, 1, 1), bodies[i]);
    }
    for (int i = 0; i < 60; ++i) {
        dSpaceCollide(space, &p, touch);
        assert_int_equal(
            i % 2 ? dWorldQuickStep(p.world, (dReal)0.02) : dWorldStep(p.world, (dReal)0.02), 1);
        dJointGroupEmpty(p.contacts);
    }
    for (int i = 0; i < BODIES; ++i)
        memcpy(out[i], dBodyGetPosition(bodies[i]), sizeof out[i]);
    dSpaceDestroy(space);
    dJointGroupDestroy(p.contacts);
    dWorldDestroy(p.world);
}

static void threads_decide_no_bit(void **state)
{
    (void)state;
    static dReal alone[BODIES][3], others[BODIES][3];
    run(NULL, NULL, 0, alone);
    dThreadingImplementationID impl = dThreadingAllocateMultiThreadedImplementation();
    const dThreadingFunctionsInfo *functions = dThreadingImplementationGetFunctions(impl);
    run(functions, impl, 0, others);
    assert_memory_equal(alone, others, sizeof alone);
    dThreadingThreadPoolID pool = dThreadingAllocateThreadPool(3, 1 << 20, 0, NULL);
    dThreadingThreadPoolServeMultiThreadedImplementation(pool, impl);
    for (unsigned islands = 0; islands < 3; ++islands) {
        memset(others, 0, sizeof others);
        run(functions, impl, islands, others);
        assert_memory_equal(alone, others, sizeof alone);
    }
    dThreadingImplementationShutdownProcessing(impl);
    dThreadingFreeThreadPool(pool);
    dThreadingFreeImplementation(impl);
    dWorldID world = dWorldCreate();
    EXPECT_REFUSAL(
        dWorldSetStepThreadingImplementation(world, functions, NULL),
        "dWorldSetStepThreadingImplementation: functions_info, threading_impl must both be "
        "given, or neither");
    dWorldDestroy(world);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_run_when_they_may),
        TEST(who_is_freed_leaves_nothing),
        TEST(threads_decide_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

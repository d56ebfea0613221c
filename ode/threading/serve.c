/* serve.c: implementations of threading, threads that serve them, and pools of such threads. */
#include "ode/threading/calls.h"

#include "ode/check.h"
#include "ode/memory.h"

#include <string.h>

/* --- implementations */

static dThreadingImplementationID allocate(bool many)
{
    dThreadingImplementationID impl = dAlloc(sizeof *impl);
    if (!CHECK(impl != NULL, "memory", "is wanting"))
        return NULL;
    memset(impl, 0, sizeof *impl);
    pthread_mutex_init(&impl->lock, NULL);
    pthread_cond_init(&impl->changed, NULL);
    impl->many = many;
    return impl;
}

dThreadingImplementationID dThreadingAllocateSelfThreadedImplementation(void)
{
    return allocate(false);
}

dThreadingImplementationID dThreadingAllocateMultiThreadedImplementation(void)
{
    return allocate(true);
}

const dThreadingFunctionsInfo *dThreadingImplementationGetFunctions(dThreadingImplementationID impl)
{
    return CHECK_GIVEN(impl) ? &lode__ode_threading_functions : NULL;
}

static void set_ending(dThreadingImplementationID impl, bool ending)
{
    pthread_mutex_lock(&impl->lock);
    impl->ending = ending;
    pthread_cond_broadcast(&impl->changed);
    pthread_mutex_unlock(&impl->lock);
}

void dThreadingImplementationShutdownProcessing(dThreadingImplementationID impl)
{
    if (CHECK_GIVEN(impl))
        set_ending(impl, true);
}

void dThreadingImplementationCleanupForRestart(dThreadingImplementationID impl)
{
    if (CHECK_GIVEN(impl))
        set_ending(impl, false);
}

void dThreadingFreeImplementation(dThreadingImplementationID impl)
{
    if (!impl || !CHECK(impl->serving == 0, "impl", "is still being served"))
        return;
    pthread_cond_destroy(&impl->changed);
    pthread_mutex_destroy(&impl->lock);
    dFree(impl, sizeof *impl);
}

void dExternalThreadingServeMultiThreadedImplementation(
    dThreadingImplementationID impl, dThreadReadyToServeCallback *readiness_callback,
    void *callback_context)
{
    if (!CHECK_GIVEN(impl) || !CHECK(impl->many, "impl", "is served by who waits alone"))
        return;
    pthread_mutex_lock(&impl->lock);
    ++impl->serving;
    pthread_mutex_unlock(&impl->lock);
    if (readiness_callback)
        readiness_callback(callback_context);
    pthread_mutex_lock(&impl->lock);
    while (!impl->ending)
        if (!lode__ode_call_run(impl))
            pthread_cond_wait(&impl->changed, &impl->lock);
    --impl->serving;
    pthread_mutex_unlock(&impl->lock);
}

/* --- pools */

struct dxThreadingThreadPool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    dThreadingImplementationID impl; /* to be served */
    unsigned services;               /* that have been asked for */
    unsigned ready, busy;            /* threads that serve, and that have not ended it */
    bool ending;
    unsigned count;
    pthread_t threads[];
};

static void tell_ready(void *context)
{
    dThreadingThreadPoolID pool = context;
    pthread_mutex_lock(&pool->lock);
    ++pool->ready;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

static void *serve(void *context)
{
    dThreadingThreadPoolID pool = context;
    unsigned served = 0;
    pthread_mutex_lock(&pool->lock);
    while (!pool->ending) {
        if (served == pool->services) {
            pthread_cond_wait(&pool->changed, &pool->lock);
            continue;
        }
        dThreadingImplementationID impl = pool->impl;
        served = pool->services;
        pthread_mutex_unlock(&pool->lock);
        dExternalThreadingServeMultiThreadedImplementation(impl, tell_ready, pool);
        pthread_mutex_lock(&pool->lock);
        --pool->busy;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static size_t pool_size(unsigned count)
{
    return sizeof(struct dxThreadingThreadPool) + count * sizeof(pthread_t);
}

static void end_pool(dThreadingThreadPoolID pool, unsigned started)
{
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < started; ++i)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    dFree(pool, pool_size(pool->count));
}

static bool start_threads(dThreadingThreadPoolID pool, size_t stack_size, unsigned *started)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    bool good = stack_size == 0 || pthread_attr_setstacksize(&attributes, stack_size) == 0;
    for (*started = 0; *started < pool->count && good; *started += good)
        good = pthread_create(&pool->threads[*started], &attributes, serve, pool) == 0;
    pthread_attr_destroy(&attributes);
    return good;
}

dThreadingThreadPoolID dThreadingAllocateThreadPool(unsigned thread_count, dsizeint stack_size,
                                                    unsigned int ode_data_allocate_flags,
                                                    void *reserved)
{
    (void)ode_data_allocate_flags; /* threads have no data of their own */
    if (!CHECK(thread_count > 0, "thread_count", "must be above 0") ||
        !CHECK(!reserved, "reserved", "must be null"))
        return NULL;
    dThreadingThreadPoolID pool = dAlloc(pool_size(thread_count));
    if (!CHECK(pool != NULL, "memory", "is wanting"))
        return NULL;
    unsigned started;
    memset(pool, 0, pool_size(thread_count));
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->count = thread_count;
    if (start_threads(pool, stack_size, &started))
        return pool;
    end_pool(pool, started);
    (void)CHECK(false, "thread_count, stack_size", "are of threads that cannot be had");
    return NULL;
}

void dThreadingThreadPoolServeMultiThreadedImplementation(dThreadingThreadPoolID pool,
                                                          dThreadingImplementationID impl)
{
    if (!CHECK_GIVEN(pool) || !CHECK_GIVEN(impl) ||
        !CHECK(impl->many, "impl", "is served by who waits alone"))
        return;
    pthread_mutex_lock(&pool->lock);
    pool->impl = impl;
    pool->ready = 0;
    pool->busy = pool->count;
    ++pool->services;
    pthread_cond_broadcast(&pool->changed);
    while (pool->ready < pool->count)
        pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void dThreadingThreadPoolWaitIdleState(dThreadingThreadPoolID pool)
{
    if (!CHECK_GIVEN(pool))
        return;
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void dThreadingFreeThreadPool(dThreadingThreadPoolID pool)
{
    if (pool)
        end_pool(pool, pool->count);
}

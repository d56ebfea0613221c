/* calls.c: calls, what they depend on, and who waits for them; and mutexes. All of an
 * implementation is under one lock, which is not held while a call runs. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "ode/threading/calls.h"

#include "ode/check.h"
#include "ode/memory.h"

#include <string.h>
#include <time.h>

struct dxCallReleasee {
    lode__ode_call *next;   /* of those that are ready */
    lode__ode_call *master; /* the call that depends on this one, or null */
    size_t dependencies;    /* calls that must end before it runs, or ends */
    bool has_run, failed;
    int *fault;
    dCallWaitID wait;
    dThreadedCallFunction *function;
    void *context;
    dcallindex_t index;
};

/* --- under the lock */

static void make_ready(dThreadingImplementationID impl, lode__ode_call *call)
{
    call->next = NULL;
    if (impl->last)
        impl->last->next = call;
    else
        impl->first = call;
    impl->last = call;
    pthread_cond_broadcast(&impl->changed);
}

/* A call without dependencies runs, or ends, and then one may that depended on it. */
static void go_on(dThreadingImplementationID impl, lode__ode_call *call)
{
    while (call && call->dependencies == 0) {
        if (!call->has_run) {
            make_ready(impl, call);
            return;
        }
        lode__ode_call *master = call->master;
        if (call->fault)
            *call->fault = call->failed;
        if (call->wait)
            call->wait->ended = true;
        if (master) {
            master->failed |= call->failed;
            --master->dependencies;
        }
        dFree(call, sizeof *call);
        pthread_cond_broadcast(&impl->changed);
        call = master;
    }
}

bool lode__ode_call_run(dThreadingImplementationID impl)
{
    lode__ode_call *call = impl->first;
    if (!call)
        return false;
    impl->first = call->next;
    impl->last = impl->first ? impl->last : NULL;
    ++call->dependencies; /* on its own end */
    pthread_mutex_unlock(&impl->lock);
    bool good = call->function(call->context, call->index, call) != 0;
    pthread_mutex_lock(&impl->lock);
    call->has_run = true;
    call->failed |= !good;
    --call->dependencies;
    go_on(impl, call);
    return true;
}

/* --- the functions */

static void post_call(dThreadingImplementationID impl, int *out_summary_fault,
                      dCallReleaseeID *out_post_releasee, ddependencycount_t dependencies_count,
                      dCallReleaseeID dependent_releasee, dCallWaitID call_wait,
                      dThreadedCallFunction *call_func, void *call_context,
                      dcallindex_t instance_index, const char *call_name)
{
    (void)call_name;
    lode__ode_call *call = dAlloc(sizeof *call);
    if (!CHECK(call != NULL, "memory", "is wanting"))
        return;
    *call = (lode__ode_call){.master = dependent_releasee,
                             .dependencies = dependencies_count,
                             .fault = out_summary_fault,
                             .wait = call_wait,
                             .function = call_func,
                             .context = call_context,
                             .index = instance_index};
    if (out_summary_fault)
        *out_summary_fault = 0;
    if (out_post_releasee)
        *out_post_releasee = dependencies_count > 0 ? call : NULL;
    pthread_mutex_lock(&impl->lock);
    go_on(impl, call);
    pthread_mutex_unlock(&impl->lock);
}

static void alter_dependencies(dThreadingImplementationID impl, dCallReleaseeID target_releasee,
                               ddependencychange_t dependencies_count_change)
{
    pthread_mutex_lock(&impl->lock);
    target_releasee->dependencies += (size_t)dependencies_count_change;
    go_on(impl, target_releasee);
    pthread_mutex_unlock(&impl->lock);
}

static struct timespec end_of(const dThreadedWaitTime *time)
{
    enum { SECOND = 1000000000 };
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += time->wait_sec;
    end.tv_nsec += (long)(time->wait_nsec % SECOND);
    end.tv_sec += end.tv_nsec / SECOND + (time_t)(time->wait_nsec / SECOND);
    end.tv_nsec %= SECOND;
    return end;
}

/* Who waits without a limit, or alone, runs calls meanwhile: so all end, though nobody serves.
 * False: the time is over, or what is waited for will not come. */
static bool wait_on(dThreadingImplementationID impl, const dThreadedWaitTime *time,
                    const struct timespec *end)
{
    bool looks = time && time->wait_sec == 0 && time->wait_nsec == 0;
    if (looks)
        return false;
    if (time && impl->many)
        return pthread_cond_timedwait(&impl->changed, &impl->lock, end) == 0;
    if (lode__ode_call_run(impl))
        return true;
    if (!time)
        pthread_cond_wait(&impl->changed, &impl->lock);
    return !time;
}

static void wait_call(dThreadingImplementationID impl, int *out_wait_status, dCallWaitID call_wait,
                      const dThreadedWaitTime *timeout_time_ptr, const char *wait_name)
{
    (void)wait_name;
    struct timespec end = {0};
    if (timeout_time_ptr)
        end = end_of(timeout_time_ptr);
    pthread_mutex_lock(&impl->lock);
    while (!call_wait->ended && wait_on(impl, timeout_time_ptr, &end))
        continue;
    if (out_wait_status)
        *out_wait_status = call_wait->ended;
    pthread_mutex_unlock(&impl->lock);
}

static dCallWaitID alloc_wait(dThreadingImplementationID impl)
{
    (void)impl;
    dCallWaitID wait = dAlloc(sizeof *wait);
    if (wait)
        wait->ended = false;
    return wait;
}

static void reset_wait(dThreadingImplementationID impl, dCallWaitID call_wait)
{
    pthread_mutex_lock(&impl->lock);
    call_wait->ended = false;
    pthread_mutex_unlock(&impl->lock);
}

/* Under the lock once more: who ended the call may still hold it. */
static void free_wait(dThreadingImplementationID impl, dCallWaitID call_wait)
{
    reset_wait(impl, call_wait);
    dFree(call_wait, sizeof *call_wait);
}

static unsigned count_threads(dThreadingImplementationID impl)
{
    pthread_mutex_lock(&impl->lock);
    unsigned count = impl->many ? impl->serving : 1;
    pthread_mutex_unlock(&impl->lock);
    return count;
}

static int preallocate(dThreadingImplementationID impl, ddependencycount_t count)
{
    (void)impl, (void)count; /* each call takes its own */
    return 1;
}

/* --- mutexes */

struct dxMutexGroup {
    dmutexindex_t count;
    pthread_mutex_t mutexes[];
};

static size_t group_size(dmutexindex_t count)
{
    return sizeof(struct dxMutexGroup) + count * sizeof(pthread_mutex_t);
}

static dMutexGroupID alloc_group(dThreadingImplementationID impl, dmutexindex_t Mutex_count,
                                 const char *const *Mutex_names_ptr)
{
    (void)impl, (void)Mutex_names_ptr;
    dMutexGroupID group = dAlloc(group_size(Mutex_count));
    if (!group)
        return NULL;
    group->count = Mutex_count;
    for (dmutexindex_t i = 0; i < Mutex_count; ++i)
        pthread_mutex_init(&group->mutexes[i], NULL);
    return group;
}

static void free_group(dThreadingImplementationID impl, dMutexGroupID mutex_group)
{
    (void)impl;
    for (dmutexindex_t i = 0; i < mutex_group->count; ++i)
        pthread_mutex_destroy(&mutex_group->mutexes[i]);
    dFree(mutex_group, group_size(mutex_group->count));
}

static void lock_mutex(dThreadingImplementationID impl, dMutexGroupID mutex_group,
                       dmutexindex_t mutex_index)
{
    (void)impl;
    pthread_mutex_lock(&mutex_group->mutexes[mutex_index]);
}

static void unlock_mutex(dThreadingImplementationID impl, dMutexGroupID mutex_group,
                         dmutexindex_t mutex_index)
{
    (void)impl;
    pthread_mutex_unlock(&mutex_group->mutexes[mutex_index]);
}

const dThreadingFunctionsInfo lode__ode_threading_functions = {
    .struct_size = sizeof lode__ode_threading_functions,
    .alloc_mutex_group = alloc_group,
    .free_mutex_group = free_group,
    .lock_group_mutex = lock_mutex,
    .unlock_group_mutex = unlock_mutex,
    .alloc_call_wait = alloc_wait,
    .reset_call_wait = reset_wait,
    .free_call_wait = free_wait,
    .post_call = post_call,
    .alter_call_dependencies_count = alter_dependencies,
    .wait_call = wait_call,
    .retrieve_thread_count = count_threads,
    .preallocate_resources_for_calls = preallocate,
};

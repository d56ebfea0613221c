/* step.c: a world's steps by an implementation of threading. The tasks of a step are calls, but for
 * one that the thread runs which steps: it then waits for a call that depends on all others. Which
 * thread runs what decides no result. */
#include "ode/threading/step.h"

#include "ode/check.h"
#include "ode/joint.h"

#include "core/tasks.h"

enum { MOST_WORKERS = 64 };

typedef struct task_run {
    void (*task)(void *context, int index);
    void *context;
} task_run;

static int run_task(void *call_context, dcallindex_t instance_index, dCallReleaseeID this_releasee)
{
    const task_run *run = call_context;
    (void)this_releasee;
    run->task(run->context, (int)instance_index);
    return 1;
}

static int run_nothing(void *call_context, dcallindex_t instance_index,
                       dCallReleaseeID this_releasee)
{
    (void)call_context, (void)instance_index, (void)this_releasee;
    return 1;
}

static void run_tasks(void *user, int count, void (*task)(void *context, int index), void *context)
{
    const lode__ode_threads *threads = user;
    const dThreadingFunctionsInfo *functions = threads->functions;
    task_run run = {task, context};
    dCallReleaseeID all;
    if (count > 1) {
        functions->reset_call_wait(threads->impl, threads->wait);
        functions->post_call(threads->impl, NULL, &all, (size_t)count - 1, NULL, threads->wait,
                             run_nothing, NULL, 0, "step");
    }
    for (int i = 1; i < count; ++i)
        functions->post_call(threads->impl, NULL, NULL, 0, all, NULL, run_task, &run, (size_t)i,
                             "task");
    if (count > 0)
        task(context, 0);
    if (count > 1)
        functions->wait_call(threads->impl, NULL, threads->wait, NULL, "step");
}

static void forget(lode__ode_threads *threads)
{
    if (threads->wait)
        threads->functions->free_call_wait(threads->impl, threads->wait);
    *threads = (lode__ode_threads){.workers = 1};
}

/* The thread that steps is one. */
static int workers_of(dWorldID world)
{
    const lode__ode_threads *threads = &world->threads;
    if (!threads->functions)
        return 1;
    unsigned count = threads->functions->retrieve_thread_count(threads->impl) + 1;
    if (world->island_threads && count > world->island_threads)
        count = world->island_threads;
    return count < MOST_WORKERS ? (int)count : MOST_WORKERS;
}

bool lode__ode_threads_bring(dWorldID world)
{
    lode__ode_threads *threads = &world->threads;
    int workers = workers_of(world);
    if (workers == threads->workers || (workers == 1 && threads->workers == 0))
        return true;
    const lode_task_system system = {threads, workers, run_tasks};
    lode__tasks *tasks = lode__tasks_create(1, workers > 1 ? &system : NULL);
    if (!tasks)
        return false;
    lode__tasks_destroy(world->lode->tasks);
    world->lode->tasks = tasks;
    threads->workers = workers;
    return true;
}

void dWorldSetStepThreadingImplementation(dWorldID w, const dThreadingFunctionsInfo *functions_info,
                                          dThreadingImplementationID threading_impl)
{
    if (!CHECK_GIVEN(w) ||
        !CHECK(!functions_info == !threading_impl, "functions_info, threading_impl",
               "must both be given, or neither") ||
        !CHECK(!functions_info || functions_info->struct_size >= sizeof *functions_info,
               "functions_info", "is of the wrong size"))
        return;
    int workers = w->threads.workers;
    forget(&w->threads);
    w->threads.workers = workers; /* what the world's tasks are for, so far */
    if (!functions_info)
        return;
    w->threads.wait = functions_info->alloc_call_wait(threading_impl);
    if (!CHECK(w->threads.wait != NULL, "memory", "is wanting"))
        return;
    w->threads.functions = functions_info;
    w->threads.impl = threading_impl;
}

void lode__ode_threads_leave(dWorldID world)
{
    forget(&world->threads);
}

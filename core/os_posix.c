/* os_posix.c: threads, signals, clock and environment by POSIX; see os.h.
 *
 * A signal is a counter behind a mutex and a condition variable. Its value is also atomic, so that
 * a spinning thread can look at it without the mutex. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#else
#define _POSIX_C_SOURCE 200809L
#endif
#include "core/os.h"

#include "core/memory.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

uint64_t lode__os_ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double lode__os_seconds(uint64_t ticks)
{
    return (double)ticks * 1e-9;
}

int lode__os_processor_count(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

void lode__os_yield(void)
{
    sched_yield();
}

const char *lode__os_environment(const char *name)
{
    return getenv(name);
}

bool lode__os_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

struct lode__thread {
    pthread_t id;
    void (*run)(void *context);
    void *context;
};

static void *thread_main(void *argument)
{
    lode__thread *thread = argument;
    thread->run(thread->context);
    return NULL;
}

/* The new thread takes no signals: they stay with the program's own threads. */
static bool start_without_signals(lode__thread *thread)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&thread->id, NULL, thread_main, thread) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

lode__thread *lode__thread_start(void (*run)(void *context), void *context)
{
    lode__thread *thread = lode__alloc(sizeof *thread);
    if (!thread)
        return NULL;
    *thread = (lode__thread){.run = run, .context = context};
    if (!start_without_signals(thread)) {
        lode__free(thread, sizeof *thread);
        return NULL;
    }
    return thread;
}

void lode__thread_join(lode__thread *thread)
{
    pthread_join(thread->id, NULL);
    lode__free(thread, sizeof *thread);
}

struct lode__signal {
    pthread_mutex_t mutex;
    pthread_cond_t raised;
    atomic_uint_least32_t value;
};

lode__signal *lode__signal_create(void)
{
    lode__signal *signal = lode__alloc(sizeof *signal);
    if (!signal)
        return NULL;
    atomic_init(&signal->value, 0);
    if (pthread_mutex_init(&signal->mutex, NULL) != 0)
        goto no_mutex;
    if (pthread_cond_init(&signal->raised, NULL) != 0)
        goto no_condition;
    return signal;

no_condition:
    pthread_mutex_destroy(&signal->mutex);
no_mutex:
    lode__free(signal, sizeof *signal);
    return NULL;
}

void lode__signal_destroy(lode__signal *signal)
{
    if (!signal)
        return;
    pthread_cond_destroy(&signal->raised);
    pthread_mutex_destroy(&signal->mutex);
    lode__free(signal, sizeof *signal);
}

void lode__signal_wait(lode__signal *signal, uint32_t seen)
{
    pthread_mutex_lock(&signal->mutex);
    while (atomic_load(&signal->value) == seen)
        pthread_cond_wait(&signal->raised, &signal->mutex);
    pthread_mutex_unlock(&signal->mutex);
}

uint32_t lode__signal_value(const lode__signal *signal)
{
    return atomic_load(&signal->value);
}

void lode__signal_raise(lode__signal *signal)
{
    pthread_mutex_lock(&signal->mutex);
    atomic_fetch_add(&signal->value, 1);
    pthread_mutex_unlock(&signal->mutex);
    pthread_cond_broadcast(&signal->raised);
}

static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;

void lode__os_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, size, MADV_HUGEPAGE); /* refused: nothing is wrong */
#else
    (void)memory;
    (void)size;
#endif
}

void lode__os_lock(void)
{
    pthread_mutex_lock(&process_lock);
}

void lode__os_unlock(void)
{
    pthread_mutex_unlock(&process_lock);
}

/* os_windows.c: threads, signals, clock and environment by Win32; see os.h.
 *
 * A signal is a counter behind a slim lock and a condition variable. Its value is also atomic, so
 * that a spinning thread can look at it without the lock. */
#define WIN32_LEAN_AND_MEAN
#include "core/os.h"

#include "core/memory.h"

#include <process.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <windows.h>

uint64_t lode__os_ticks(void)
{
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    return (uint64_t)now.QuadPart;
}

double lode__os_seconds(uint64_t ticks)
{
    LARGE_INTEGER frequency;
    QueryPerformanceFrequency(&frequency);
    return (double)ticks / (double)frequency.QuadPart;
}

int lode__os_processor_count(void)
{
    DWORD_PTR mine, all;
    int count = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &mine, &all))
        for (; mine; mine &= mine - 1)
            ++count;
    if (count > 0)
        return count;
    SYSTEM_INFO info; /* the process runs in several groups of processors: no mask then */
    GetSystemInfo(&info);
    return (int)info.dwNumberOfProcessors;
}

const char *lode__os_environment(const char *name)
{
    return getenv(name);
}

bool lode__os_rename(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING);
}

struct lode__thread {
    HANDLE handle;
    void (*run)(void *context);
    void *context;
};

static unsigned __stdcall thread_main(void *argument)
{
    lode__thread *thread = argument;
    thread->run(thread->context);
    return 0;
}

lode__thread *lode__thread_start(void (*run)(void *context), void *context)
{
    lode__thread *thread = lode__alloc(sizeof *thread);
    if (!thread)
        return NULL;
    *thread = (lode__thread){.run = run, .context = context};
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, thread_main, thread, 0, NULL);
    if (!thread->handle) {
        lode__free(thread, sizeof *thread);
        return NULL;
    }
    return thread;
}

void lode__thread_join(lode__thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    lode__free(thread, sizeof *thread);
}

void lode__os_yield(void)
{
    SwitchToThread();
}

struct lode__signal {
    SRWLOCK lock;
    CONDITION_VARIABLE raised;
    atomic_uint_least32_t value;
};

lode__signal *lode__signal_create(void)
{
    lode__signal *signal = lode__alloc(sizeof *signal);
    if (!signal)
        return NULL;
    InitializeSRWLock(&signal->lock);
    InitializeConditionVariable(&signal->raised);
    atomic_init(&signal->value, 0);
    return signal;
}

void lode__signal_destroy(lode__signal *signal)
{
    lode__free(signal, sizeof *signal);
}

void lode__signal_wait(lode__signal *signal, uint32_t seen)
{
    AcquireSRWLockExclusive(&signal->lock);
    while (atomic_load(&signal->value) == seen)
        SleepConditionVariableSRW(&signal->raised, &signal->lock, INFINITE, 0);
    ReleaseSRWLockExclusive(&signal->lock);
}

uint32_t lode__signal_value(const lode__signal *signal)
{
    return atomic_load(&signal->value);
}

void lode__signal_raise(lode__signal *signal)
{
    AcquireSRWLockExclusive(&signal->lock);
    atomic_fetch_add(&signal->value, 1);
    ReleaseSRWLockExclusive(&signal->lock);
    WakeAllConditionVariable(&signal->raised);
}

static SRWLOCK process_lock = SRWLOCK_INIT;

void lode__os_large_pages(void *memory, size_t size)
{
    (void)memory; /* they are a privilege there */
    (void)size;
}

void lode__os_lock(void)
{
    AcquireSRWLockExclusive(&process_lock);
}

void lode__os_unlock(void)
{
    ReleaseSRWLockExclusive(&process_lock);
}

/* os.h: all that Lode asks of the operating system, one .c file per system (os_posix.c,
 * os_windows.c). Everything here is safe to call from any thread. */
#ifndef LODE_CORE_OS_H
#define LODE_CORE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lode__thread lode__thread; /* allocated through lode__alloc */
typedef struct lode__signal lode__signal; /* a counter that threads sleep on */

/* Monotonic ticks, and how many make a second. */
uint64_t lode__os_ticks(void);
double lode__os_seconds(uint64_t ticks);

/* A counter for short spans that is read in a fifth of the time of ticks, with which it has to be
 * compared to know how fast it runs. */
static inline uint64_t lode__os_count(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return lode__os_ticks();
#endif
}

/* What has been counted since, and from when to count next; nothing where a thread has gone to a
 * processor that is behind. */
static inline uint64_t lode__os_lap(uint64_t *since)
{
    uint64_t begin = *since;
    *since = lode__os_count();
    return *since > begin ? *since - begin : 0;
}

static inline uint64_t lode__os_counted(uint64_t since)
{
    return lode__os_lap(&since);
}

int lode__os_processor_count(void);

/* The environment variable's value or null. */
const char *lode__os_environment(const char *name);

/* Gives the file `from` the name `to`; a file of that name is replaced. */
bool lode__os_rename(const char *from, const char *to);

/* Null when the thread or its memory cannot be had. */
lode__thread *lode__thread_start(void (*run)(void *context), void *context);
void lode__thread_join(lode__thread *thread);

/* A pause inside a spin loop. */
void lode__os_relax(void);

/* Lets other threads have the processor, if some wait for it. */
void lode__os_yield(void);

lode__signal *lode__signal_create(void);
void lode__signal_destroy(lode__signal *signal);
/* Sleeps until the value differs from `seen`; may return early. */
void lode__signal_wait(lode__signal *signal, uint32_t seen);
uint32_t lode__signal_value(const lode__signal *signal);
/* Raises the value and wakes all sleepers. */
void lode__signal_raise(lode__signal *signal);

/* Asks for large pages behind this memory, which begins and ends with a page, where the system has
 * them. */
void lode__os_large_pages(void *memory, size_t size);

/* A process-wide lock, for the registry of worlds. */
void lode__os_lock(void);
void lode__os_unlock(void);

/* Floating-point control of the calling thread: round to nearest, no flush to zero, no denormals
 * as zero, exceptions masked. `enter` returns what was set before, for `leave`. */
uint64_t lode__fp_enter(void);
void lode__fp_leave(uint64_t saved);

#endif

/* tasks.c: the worker pool.
 *
 * A step runs thousands of small task runs, so starting one must not wait for any thread. A run is
 * a gate: the caller opens it, takes blocks itself, and shuts it when no block is left. A worker
 * that finds it open enters and takes blocks too; one that comes late finds it shut and was not
 * missed. The caller waits only for workers that are inside, each in the middle of a block.
 *
 *     gate:  | run number (32) | open | caller asleep | quit |  ...  | workers inside (16) |
 *
 * One atomic word holds all of this. The description of the run is written only while the gate is
 * shut and empty, and read only by those inside, so it needs no lock; opening releases it,
 * entering acquires it, leaving releases the results and the caller acquires them.
 *
 * Workers spin some tens of microseconds for the next run, within a step a millisecond, because
 * what one thread does there in between takes that long; then they sleep on a signal. A worker
 * first sets `asleep`, then looks at the gate once more; the caller first opens the gate, then
 * looks at `asleep`: in sequentially consistent order one of them sees the other. */
#include "core/tasks.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/os.h"

#include <stdatomic.h>

#define GATE_OPEN ((uint64_t)1 << 31)
#define GATE_CALLER_ASLEEP ((uint64_t)1 << 30)
#define GATE_QUIT ((uint64_t)1 << 29)
#define GATE_INSIDE ((uint64_t)0xffff)

#define SPIN_SECONDS 40e-6
#define EXPECT_SECONDS 1e-3 /* while more runs are expected */
enum { LOOKS = 32 }; /* at the gate, between looks at the clock */

/* A part of a run's blocks, that one worker begins with. */
typedef struct block_range {
    _Alignas(64) _Atomic uint64_t next;
    uint64_t end;
} block_range;

struct lode__tasks {
    _Alignas(64) _Atomic uint64_t gate;
    _Alignas(64) atomic_bool asleep; /* some worker may be */
    _Alignas(64) atomic_bool expecting;
    _Alignas(64) atomic_uint last_worker;

    /* the run */
    _Alignas(64) lode__task_fn *run;
    lode__numbered_fn *run_numbered; /* in place of it, when not null */
    lode__worker_fn *run_each;       /* the same */
    void *context;
    uint32_t count, grain;
    block_range ranges[LODE__MOST_SHARES];

    /* fixed */
    lode_task_system system;
    int worker_count;     /* the caller included */
    uint32_t share_count; /* workers, up to LODE__MOST_SHARES */
    double spin_seconds;
    lode__signal *opened, *emptied;
    int thread_count;
    lode__thread *threads[];
};

static uint32_t run_number(uint64_t gate)
{
    return (uint32_t)(gate >> 32);
}

static void run_block(const lode__tasks *tasks, uint32_t worker, uint64_t block)
{
    uint32_t begin = (uint32_t)(block * tasks->grain);
    uint32_t left = tasks->count - begin, end = begin + (left < tasks->grain ? left : tasks->grain);
    if (tasks->run_numbered)
        tasks->run_numbered(tasks->context, worker, begin, end);
    else
        tasks->run(tasks->context, begin, end);
}

static void take_range(lode__tasks *tasks, uint32_t worker, block_range *range)
{
    for (;;) {
        if (atomic_load_explicit(&range->next, memory_order_relaxed) >= range->end)
            return;
        uint64_t block = atomic_fetch_add_explicit(&range->next, 1, memory_order_relaxed);
        if (block >= range->end)
            return;
        run_block(tasks, worker, block);
    }
}

static void take_part(lode__tasks *tasks, uint32_t worker)
{
    if (tasks->run_each) {
        tasks->run_each(tasks->context, worker);
        return;
    }
    for (uint32_t i = 0; i < tasks->share_count; ++i)
        take_range(tasks, worker, &tasks->ranges[(worker + i) % tasks->share_count]);
}

/* ---- workers ---- */

static bool must_wait(uint64_t gate, uint32_t last_run)
{
    return run_number(gate) == last_run && !(gate & GATE_QUIT);
}

static void fall_asleep(lode__tasks *tasks, uint32_t last_run)
{
    uint32_t seen = lode__signal_value(tasks->opened);
    atomic_store(&tasks->asleep, true);
    if (must_wait(atomic_load(&tasks->gate), last_run))
        lode__signal_wait(tasks->opened, seen);
}

static double spin_seconds(const lode__tasks *tasks)
{
    bool expecting = atomic_load_explicit(&tasks->expecting, memory_order_relaxed);
    return expecting && tasks->spin_seconds > 0 ? EXPECT_SECONDS : tasks->spin_seconds;
}

/* Returns the gate of a run after the last. */
static uint64_t wait_for_run(lode__tasks *tasks, uint32_t last_run)
{
    for (;;) {
        uint64_t start = lode__os_ticks();
        do {
            for (int i = 0; i < LOOKS; ++i) {
                uint64_t gate = atomic_load_explicit(&tasks->gate, memory_order_relaxed);
                if (!must_wait(gate, last_run))
                    return gate;
                lode__os_relax();
            }
        } while (lode__os_seconds(lode__os_ticks() - start) < spin_seconds(tasks));
        fall_asleep(tasks, last_run);
    }
}

/* Fails when the gate is shut. Another run's may stand open by now: `gate` is then that one's, so
 * that the worker knows which run it has had. */
static bool enter(lode__tasks *tasks, uint64_t *gate)
{
    while (*gate & GATE_OPEN)
        if (atomic_compare_exchange_weak_explicit(&tasks->gate, gate, *gate + 1,
                                                  memory_order_acquire, memory_order_relaxed))
            return true;
    return false;
}

static void leave(lode__tasks *tasks)
{
    uint64_t before = atomic_fetch_sub_explicit(&tasks->gate, 1, memory_order_release);
    if ((before & GATE_CALLER_ASLEEP) && (before & GATE_INSIDE) == 1)
        lode__signal_raise(tasks->emptied);
}

static void worker_main(void *context)
{
    lode__tasks *tasks = context;
    uint32_t worker = atomic_fetch_add(&tasks->last_worker, 1) + 1;
    uint64_t fp = lode__fp_enter();
    uint64_t gate = 0;
    for (;;) {
        gate = wait_for_run(tasks, run_number(gate));
        if (gate & GATE_QUIT)
            break;
        if (enter(tasks, &gate)) {
            take_part(tasks, worker);
            leave(tasks);
        }
    }
    lode__fp_leave(fp);
}

/* ---- the caller ---- */

/* Replaces the gate, which is shut and empty, and wakes who sleeps. */
static void set_gate(lode__tasks *tasks, uint64_t flag)
{
    uint64_t gate = atomic_load_explicit(&tasks->gate, memory_order_relaxed);
    atomic_store(&tasks->gate, (uint64_t)(run_number(gate) + 1u) << 32 | flag);
    if (atomic_load(&tasks->asleep)) {
        atomic_store(&tasks->asleep, false);
        lode__signal_raise(tasks->opened);
    }
}

static bool is_empty(const lode__tasks *tasks)
{
    return !(atomic_load_explicit(&tasks->gate, memory_order_acquire) & GATE_INSIDE);
}

static void wait_until_empty(lode__tasks *tasks)
{
    uint64_t start = lode__os_ticks();
    do {
        for (int i = 0; i < LOOKS; ++i) {
            if (is_empty(tasks))
                return;
            lode__os_relax();
        }
    } while (lode__os_seconds(lode__os_ticks() - start) < tasks->spin_seconds);

    uint32_t seen = lode__signal_value(tasks->emptied);
    atomic_fetch_or_explicit(&tasks->gate, GATE_CALLER_ASLEEP, memory_order_relaxed);
    while (!is_empty(tasks)) {
        lode__signal_wait(tasks->emptied, seen);
        seen = lode__signal_value(tasks->emptied);
    }
}

static void run_on_pool(lode__tasks *tasks)
{
    set_gate(tasks, GATE_OPEN);
    take_part(tasks, 0);
    atomic_fetch_and_explicit(&tasks->gate, ~GATE_OPEN, memory_order_relaxed);
    wait_until_empty(tasks);
}

static void host_task(void *context, int index)
{
    uint64_t fp = lode__fp_enter();
    take_part(context, (uint32_t)index);
    lode__fp_leave(fp);
}

static void run_on_host(lode__tasks *tasks, uint64_t most)
{
    uint64_t workers = (uint64_t)tasks->worker_count;
    tasks->system.run(tasks->system.user, (int)(most < workers ? most : workers), host_task, tasks);
}

static void run_alone(uint32_t count, uint32_t grain, lode__task_fn *run, void *context)
{
    for (uint32_t begin = 0; begin < count; begin += grain) {
        uint32_t left = count - begin;
        if (left <= grain) {
            run(context, begin, count);
            return;
        }
        run(context, begin, begin + grain);
    }
}

static void cut_ranges(lode__tasks *tasks, uint64_t blocks)
{
    uint32_t shares = tasks->share_count;
    for (uint32_t i = 0; i < shares; ++i) {
        atomic_store_explicit(&tasks->ranges[i].next, blocks * i / shares, memory_order_relaxed);
        tasks->ranges[i].end = blocks * (i + 1) / shares;
    }
}

/* Of the functions that the run may have, one is set. */
static void run_blocks(lode__tasks *tasks, uint32_t count, uint32_t grain, void *context)
{
    uint64_t blocks = ((uint64_t)count + grain - 1) / grain;
    tasks->run_each = NULL;
    tasks->context = context;
    tasks->count = count;
    tasks->grain = grain;
    cut_ranges(tasks, blocks);
    if (tasks->system.run)
        run_on_host(tasks, blocks);
    else
        run_on_pool(tasks);
}

void lode__tasks_run(lode__tasks *tasks, uint32_t count, uint32_t grain, lode__task_fn *run,
                     void *context)
{
    LODE__DEBUG_ASSERT(grain > 0);
    if (tasks->worker_count == 1 || count <= grain) {
        run_alone(count, grain, run, context);
        return;
    }
    tasks->run = run;
    tasks->run_numbered = NULL;
    run_blocks(tasks, count, grain, context);
}

void lode__tasks_run_numbered(lode__tasks *tasks, uint32_t count, uint32_t grain,
                              lode__numbered_fn *run, void *context)
{
    LODE__DEBUG_ASSERT(grain > 0);
    if (tasks->worker_count == 1 || count <= grain) {
        if (count > 0)
            run(context, 0, 0, count);
        return;
    }
    tasks->run_numbered = run;
    run_blocks(tasks, count, grain, context);
}

void lode__tasks_run_each(lode__tasks *tasks, lode__worker_fn *run, void *context)
{
    if (tasks->worker_count == 1) {
        run(context, 0);
        return;
    }
    tasks->run_each = run;
    tasks->context = context;
    if (tasks->system.run)
        run_on_host(tasks, UINT64_MAX);
    else
        run_on_pool(tasks);
}

void lode__tasks_expect(lode__tasks *tasks, bool more)
{
    atomic_store_explicit(&tasks->expecting, more, memory_order_relaxed);
}

int lode__tasks_workers(const lode__tasks *tasks)
{
    return tasks->worker_count;
}

bool lode__tasks_are_crowded(const lode__tasks *tasks)
{
    return tasks->spin_seconds == 0;
}

uint32_t lode__tasks_shares(const lode__tasks *tasks)
{
    return tasks->share_count;
}

/* ---- making and ending ---- */

/* A host brings threads of its own. */
static size_t tasks_size(int worker_count, bool hosted)
{
    return sizeof(lode__tasks) + (hosted ? 0 : (size_t)worker_count * sizeof(lode__thread *));
}

static bool start_workers(lode__tasks *tasks)
{
    tasks->opened = lode__signal_create();
    tasks->emptied = lode__signal_create();
    if (!tasks->opened || !tasks->emptied)
        return false;
    while (tasks->thread_count < tasks->worker_count - 1) {
        lode__thread *thread = lode__thread_start(worker_main, tasks);
        if (!thread)
            return false;
        tasks->threads[tasks->thread_count++] = thread;
    }
    return true;
}

lode__tasks *lode__tasks_create(int threads, const lode_task_system *system)
{
    bool hosted = system && system->run;
    int workers = hosted ? system->worker_count : threads;
    if (workers < 1)
        workers = 1;
    lode__tasks *tasks = lode__alloc(tasks_size(workers, hosted));
    if (!tasks)
        return NULL;
    *tasks = (lode__tasks){.worker_count = workers};
    tasks->share_count = workers < LODE__MOST_SHARES ? (uint32_t)workers : LODE__MOST_SHARES;
    if (hosted)
        tasks->system = *system;
    /* threads that share a processor must not spin while another has work */
    tasks->spin_seconds = workers <= lode__os_processor_count() ? SPIN_SECONDS : 0;
    if (!hosted && workers > 1 && !start_workers(tasks)) {
        lode__tasks_destroy(tasks);
        return NULL;
    }
    return tasks;
}

void lode__tasks_destroy(lode__tasks *tasks)
{
    if (!tasks)
        return;
    if (tasks->thread_count > 0)
        set_gate(tasks, GATE_QUIT);
    for (int i = 0; i < tasks->thread_count; ++i)
        lode__thread_join(tasks->threads[i]);
    lode__signal_destroy(tasks->opened);
    lode__signal_destroy(tasks->emptied);
    lode__free(tasks, tasks_size(tasks->worker_count, tasks->system.run));
}

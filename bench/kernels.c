/* kernels.c: times the wide kernels against their scalar twins.
 *
 * Every kernel runs on the same data for each instruction set that build and machine have. The
 * data is put back before each timing, lies in the second-level cache, and is small enough that
 * memory does not count: what is compared is arithmetic and instruction count. The figure is the
 * median over many timings, per block of eight lanes. */
#include "bench/kernels.h"

#include "bench/kernel_data.h"
#include "bench/stats.h"
#include "bench/tool.h"

#include "lode/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMINGS = 301 };

typedef enum kernel_task {
    TASK_PREPARE,
    TASK_REFRESH,
    TASK_WARM_START,
    TASK_SOLVE,
    TASK_BUILD_BALL,
    TASK_INTEGRATE_VELOCITY,
    TASK_INTEGRATE_POSE,
    TASK_GYROSCOPIC,
    TASK_ROTATE_INERTIA,
    TASK_BOX_BOX,
    TASK_BOX_BOX_STACKED
} kernel_task;

typedef struct kernel_case {
    const char *name;
    kernel_task task;
    int kind; /* of the blocks */
} kernel_case;

enum {
    PAIR_1 = LODE__KIND_CONTACT,
    PAIR_4 = LODE__KIND_CONTACT + 3,
    STATIC_4 = LODE__KIND_STATIC + 3,
    ROWS_3 = LODE__KIND_ROWS + 2
};

static const kernel_case cases[] = {
    {"contact, 4 points: prepare", TASK_PREPARE, PAIR_4},
    {"contact, 4 points: refresh", TASK_REFRESH, PAIR_4},
    {"contact, 4 points: warm start", TASK_WARM_START, PAIR_4},
    {"contact, 4 points: solve", TASK_SOLVE, PAIR_4},
    {"contact, 1 point: solve", TASK_SOLVE, PAIR_1},
    {"static contact, 4 points: solve", TASK_SOLVE, STATIC_4},
    {"ball joint: build", TASK_BUILD_BALL, ROWS_3},
    {"3 joint rows: prepare", TASK_PREPARE, ROWS_3},
    {"3 joint rows: refresh", TASK_REFRESH, ROWS_3},
    {"3 joint rows: warm start", TASK_WARM_START, ROWS_3},
    {"3 joint rows: solve", TASK_SOLVE, ROWS_3},
    {"integrate velocity", TASK_INTEGRATE_VELOCITY, ROWS_3},
    {"integrate pose", TASK_INTEGRATE_POSE, ROWS_3},
    {"gyroscopic torque", TASK_GYROSCOPIC, ROWS_3},
    {"rotate inertia", TASK_ROTATE_INERTIA, ROWS_3},
    {"box against box, any pose", TASK_BOX_BOX, ROWS_3},
    {"box against box, stacked", TASK_BOX_BOX_STACKED, ROWS_3},
};

enum { CASES = sizeof cases / sizeof cases[0] };

/* The kernels of one instruction set. */
typedef struct kernel_set {
    lode_simd simd;
    const lode__solver_kernels *solver;
    const lode__collide_kernels *collide;
} kernel_set;

static lode__block_fn *block_kernel(const kernel_set *set, const kernel_case *c)
{
    const lode__block_kernels *kernels = &set->solver->kinds[c->kind];
    lode__block_fn *const by_task[] = {kernels->prepare, kernels->refresh, kernels->warm_start,
                                       kernels->solve[0]};
    return by_task[c->task];
}

static void run(const kernel_set *set, const kernel_case *c, kernel_data *data)
{
    const lode_real h = (lode_real)(1.0 / 60);
    lode__dense lines = kernel_dense(data);
    lode__spinners spinners = kernel_spinners(data);
    lode__softness softness = kernel_softness();
    switch (c->task) {
    case TASK_BUILD_BALL:
        for (int i = 0; i < KERNEL_BLOCKS; ++i)
            set->solver->build[LODE_JOINT_BALL](kernel_block(data, c->kind, i), &data->joints[i],
                                                KERNEL_ROWS);
        break;
    case TASK_INTEGRATE_VELOCITY:
        set->solver->integrate_velocity(&lines, 1, KERNEL_LINES, (lode_vec3){0, 0, -10}, h);
        break;
    case TASK_INTEGRATE_POSE:
        set->solver->integrate_pose(&lines, 1, KERNEL_LINES, h);
        break;
    case TASK_GYROSCOPIC:
        set->solver->gyroscopic(&lines, &spinners, 0, KERNEL_BODIES, h);
        break;
    case TASK_ROTATE_INERTIA:
        set->solver->rotate_inertia(&lines, &spinners, 0, KERNEL_BODIES);
        break;
    case TASK_BOX_BOX:
    case TASK_BOX_BOX_STACKED:
        for (int i = 0; i < KERNEL_BLOCKS; ++i)
            set->collide->touch[LODE__TOUCH_BOX_BOX](&data->boxes[i]);
        break;
    default:
        block_kernel(set, c)(kernel_block(data, c->kind, 0), KERNEL_BLOCKS, kernel_stride(c->kind),
                             &lines, &softness);
    }
}

/* How many blocks of eight lanes one run of the case works through. */
static int block_count(const kernel_case *c)
{
    bool over_bodies = c->task >= TASK_INTEGRATE_VELOCITY && c->task <= TASK_ROTATE_INERTIA;
    return over_bodies ? KERNEL_BODIES / LODE_LANES : KERNEL_BLOCKS;
}

/* Nanoseconds per block. */
static double time_case(const kernel_set *set, const kernel_case *c, const kernel_data *start,
                        kernel_data *work)
{
    double times[TIMINGS];
    for (int i = 0; i < TIMINGS; ++i) {
        memcpy(work, start, sizeof *work);
        double before = bench_now();
        run(set, c, work);
        times[i] = 1e9 * (bench_now() - before) / block_count(c);
    }
    return bench_median(times, TIMINGS);
}

/* The plain set first. */
static int find_sets(kernel_set sets[LODE_SIMD_COUNT])
{
    int count = 0;
    for (int i = LODE_SIMD_PLAIN; i < LODE_SIMD_COUNT; ++i) {
        lode_simd simd = (lode_simd)i;
        if (lode_simd_available(simd))
            sets[count++] = (kernel_set){simd, lode__solver_kernels_for(simd),
                                         lode__collide_kernels_for(simd)};
    }
    return count;
}

static kernel_data *alloc_data(void)
{
    size_t size = (sizeof(kernel_data) + 63) / 64 * 64;
    kernel_data *data = aligned_alloc(64, size);
    if (!data)
        bench_fail("out of memory");
    return data;
}

bool bench_kernels(void)
{
    kernel_set sets[LODE_SIMD_COUNT];
    int set_count = find_sets(sets);
    kernel_data *start = alloc_data(), *work = alloc_data();
    printf("Kernels, %s: ns per block of eight, and how many times faster than the scalar twin\n"
           "%-32s",
           sizeof(lode_real) == sizeof(double) ? "double" : "single", "kernel");
    for (int s = 0; s < set_count; ++s)
        printf(s == 0 ? " %9s" : " %16s", lode_simd_name(sets[s].simd));
    putchar('\n');
    for (int i = 0; i < CASES; ++i) {
        const kernel_case *c = &cases[i];
        kernel_data_fill(start, c->kind, c->task != TASK_PREPARE, c->task == TASK_BOX_BOX_STACKED);
        double plain = time_case(&sets[0], c, start, work);
        printf("%-32s %9.1f", c->name, plain);
        for (int s = 1; s < set_count; ++s) {
            double wide = time_case(&sets[s], c, start, work);
            printf(" %9.1f %5.1fx", wide, plain / wide);
        }
        putchar('\n');
        fflush(stdout);
    }
    free(start);
    free(work);
    return true;
}

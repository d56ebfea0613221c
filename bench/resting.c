/* resting.c: what boxes at rest cost: cubes on a plane, each by itself.
 *
 * Body, shape and tree node of one together may take 1 KiB in single precision; what a contact and
 * the step's scratch memory take depends on the scene and is shown for orientation. A world of
 * 100,000 that sleep should take less than a tenth of a millisecond a step. A snapshot is meant to
 * be taken in every frame. */
#include "bench/resting.h"

#include "bench/stats.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { AWAKE = 10000, ASLEEP = 100000, STEPS = 60, MOST_STEPS = 600, TIMED = 500 };
enum { MOST_BYTES = 1024, SHOTS = 21 };

#define MOST_MS 0.1

static const char *precision(void)
{
    return sizeof(lode_real) == sizeof(double) ? "double" : "single";
}

static lode_world create_boxes(int count, bool sleep)
{
    const int side = (int)ceil(sqrt(count));
    lode_world_def world_def = lode_world_def_default();
    world_def.sleep.enabled = sleep;
    lode_world world = lode_world_create(&world_def);
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_body ground = lode_body_create(world, &def);
    bool ok = lode_shape_create_plane(ground, &shape, (lode_vec3){0, 0, 1}, 0).id != 0;
    def.type = LODE_DYNAMIC;
    for (int i = 0; i < count && ok; ++i) {
        def.position = (lode_vec3){2 * (lode_real)(i % side), 2 * (lode_real)(i / side),
                                   (lode_real)0.5};
        const lode_vec3 half = {(lode_real)0.5, (lode_real)0.5, (lode_real)0.5};
        ok = lode_shape_create_box(lode_body_create(world, &def), &shape, half).id != 0;
    }
    if (!ok)
        bench_fail("cannot build a world of %d boxes", count);
    return world;
}

static void step(lode_world world)
{
    if (lode_world_step(world, (lode_real)(1.0 / 60)) != LODE_OK)
        bench_fail("a step of lode failed");
}

static lode_world_stats stats_of(lode_world world)
{
    lode_world_stats stats;
    if (lode_world_get_stats(world, &stats) != LODE_OK)
        bench_fail("Lode gave no statistics");
    return stats;
}

/* Medians of seconds for a snapshot and for going back to it. */
static void time_snapshot(lode_world world, void *bytes, size_t size, double *out_take,
                          double *out_restore)
{
    double take[SHOTS], restore[SHOTS];
    for (int i = 0; i < SHOTS; ++i) {
        double begin = bench_now();
        bool ok = lode_world_snapshot(world, bytes, size) == size;
        double taken = bench_now();
        if (!ok || lode_world_restore(world, bytes, size) != LODE_OK)
            bench_fail("a snapshot of lode failed");
        take[i] = taken - begin;
        restore[i] = bench_now() - taken;
        step(world);
    }
    *out_take = bench_spread_of(take, SHOTS).median;
    *out_restore = bench_spread_of(restore, SHOTS).median;
}

static void show_snapshot(lode_world world)
{
    double take, restore;
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *bytes = bench_alloc(size, 1);
    time_snapshot(world, bytes, size, &take, &restore);
    free(bytes);
    printf("\nSnapshot of %d resting boxes, %s: per box\n", AWAKE, precision());
    printf("%-24s %8.1f bytes\n", "size", (double)size / AWAKE);
    printf("%-24s %8.3f us\n", "taking it", 1e6 * take / AWAKE);
    printf("%-24s %8.3f us\n", "going back to it", 1e6 * restore / AWAKE);
}

bool bench_memory(void)
{
    lode_world world = create_boxes(AWAKE, false);
    for (int i = 0; i < STEPS; ++i)
        step(world);
    lode_world_stats stats = stats_of(world);
    const struct {
        const char *name;
        size_t bytes;
    } rows[] = {
        {"body, shape, tree node", stats.bytes_bodies},
        {"contact", stats.bytes_contacts},
        {"scratch of the step", stats.bytes_scratch},
        {"in all", stats.bytes},
    };
    double each = (double)stats.bytes_bodies / AWAKE;
    bool good = sizeof(lode_real) == sizeof(double) || each <= MOST_BYTES;
    printf("Memory of %d resting boxes, %s: bytes per box\n", AWAKE, precision());
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        printf("%-24s %8.1f%s\n", rows[i].name, (double)rows[i].bytes / AWAKE,
               i == 0 && !good ? "!" : "");
    if (!good)
        fprintf(stderr, "lode-bench: a box may take %d bytes\n", MOST_BYTES);
    show_snapshot(world);
    lode_world_destroy(world);
    return good;
}

bool bench_sleeping(void)
{
    lode_world world = create_boxes(ASLEEP, true);
    int steps = 0;
    do {
        step(world);
        ++steps;
    } while (stats_of(world).awake_bodies > 0 && steps < MOST_STEPS);
    if (stats_of(world).awake_bodies > 0)
        bench_fail("--sleeping: after %d steps %d boxes are still awake", steps,
                   stats_of(world).awake_bodies);
    double ms[TIMED];
    for (int i = 0; i < TIMED; ++i) {
        double before = bench_now();
        step(world);
        ms[i] = 1e3 * (bench_now() - before);
    }
    lode_world_destroy(world);
    bench_spread spread = bench_spread_of(ms, TIMED);
    printf("Sleeping world of %d boxes, %s, asleep after %d steps: ms per step\n"
           "%9s %9s %9s\n%9.4f%s %8.4f %9.4f\n",
           ASLEEP, precision(), steps, "median", "p99", "min", spread.median,
           spread.median > MOST_MS ? "!" : " ", spread.p99, spread.min);
    return true;
}

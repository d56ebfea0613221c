/* swarm.c: what finding pairs costs: 20,000 boxes that fly about in a cube.
 *
 * Boxes of half a metre to a metre and a half, turned at random, fly straight and bounce off the
 * walls; the cube is so large that a box's bounds overlap those of three and a half others on
 * average. Finders take turns frame by frame, so that noise of the machine hits all of them alike,
 * and the ratio is the median of the ratios of single frames. Timed are new bounds of what moved
 * and the pairs; how an engine is told of new poses is not. Each engine works as it is meant to:
 * libode finds the pairs anew in each frame, the others keep them.
 *
 * Then 100 of the boxes move and the others stand still, awake. At last the boxes fly in flocks of
 * 16, and each of Lode's broad phases finds their pairs, with an aggregate for each flock and
 * without; members may touch, so that pairs are the same. */
#include "bench/swarm.h"

#include "bench/engine.h"
#include "bench/random.h"
#include "bench/stats.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BOXES = 20000, FEW = 100, WARMUP = 10, FRAMES = 40, FEW_FRAMES = 400 };
enum { FLOCK = 16, FLOCK_WARMUP = 3, FLOCK_FRAMES = 15 };

#define OVERLAPS 3.5
#define SPEED 2.0      /* m/s, most along an axis */
#define FLOCK_SPAN 2.5 /* m: centres of a flock lie in a cube of that side */

/* --- the boxes */

static double axis_reach(const bench_swarm_box *box, int axis)
{
    const double *q = box->rotation, w = q[0], x = q[1], y = q[2], z = q[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    return fabs(r[axis][0]) * box->half[0] + fabs(r[axis][1]) * box->half[1] +
           fabs(r[axis][2]) * box->half[2];
}

static bool overlap(const bench_swarm_box *a, const bench_swarm_box *b)
{
    for (int i = 0; i < 3; ++i)
        if (fabs(a->position[i] - b->position[i]) > axis_reach(a, i) + axis_reach(b, i))
            return false;
    return true;
}

/* The mean volume within which two boxes of the swarm overlap, from a sample of pairs. */
static double mean_volume(const bench_swarm *swarm)
{
    double sum = 0;
    for (int i = 0; i < swarm->count; ++i) {
        const bench_swarm_box *a = &swarm->boxes[i], *b = &swarm->boxes[(i + 1) % swarm->count];
        double volume = 8;
        for (int axis = 0; axis < 3; ++axis)
            volume *= axis_reach(a, axis) + axis_reach(b, axis);
        sum += volume;
    }
    return sum / swarm->count;
}

static void swarm_create(bench_swarm *out, int count)
{
    uint64_t random = 20000;
    *out = (bench_swarm){.count = count, .moving = count, .flock = 1};
    out->boxes = bench_alloc((size_t)count, sizeof *out->boxes);
    for (int i = 0; i < count; ++i) {
        bench_swarm_box *box = &out->boxes[i];
        bench_random_rotation(&random, box->rotation);
        for (int axis = 0; axis < 3; ++axis) {
            box->half[axis] = bench_random_between(&random, 0.25, 0.75);
            box->velocity[axis] = bench_random_between(&random, -SPEED, SPEED);
        }
    }
    out->side = cbrt(mean_volume(out) * count / OVERLAPS);
    for (int i = 0; i < count; ++i)
        for (int axis = 0; axis < 3; ++axis)
            out->boxes[i].position[axis] = bench_random_between(&random, 0, out->side);
}

/* The boxes gather around the first of their flock. */
static void swarm_flock(bench_swarm *swarm)
{
    uint64_t random = FLOCK;
    swarm->flock = FLOCK;
    for (int i = 0; i < swarm->count; ++i)
        for (int axis = 0; axis < 3; ++axis)
            swarm->boxes[i].position[axis] = swarm->boxes[i - i % FLOCK].position[axis] +
                                             bench_random_between(&random, 0, FLOCK_SPAN);
}

static void swarm_move(bench_swarm *swarm)
{
    for (int i = 0; i < swarm->moving; ++i) {
        bench_swarm_box *box = &swarm->boxes[i], *first = box - i % swarm->flock;
        for (int axis = 0; axis < 3 && box != first; ++axis) {
            box->velocity[axis] = first->velocity[axis];
            box->position[axis] += box->velocity[axis] * BENCH_DT;
        }
        for (int axis = 0; axis < 3 && box == first; ++axis) {
            box->position[axis] += box->velocity[axis] * BENCH_DT;
            bool beyond = box->position[axis] < 0 || box->position[axis] > swarm->side;
            if (beyond && (box->position[axis] < 0) == (box->velocity[axis] < 0))
                box->velocity[axis] = -box->velocity[axis];
        }
    }
}

/* Overlaps of a box, from every twentieth, and the share of boxes that have 2 to 5. */
static double mean_overlaps(const bench_swarm *swarm, double *out_share)
{
    int total = 0, usual = 0, sampled = 0;
    for (int i = 0; i < swarm->count; i += 20, ++sampled) {
        int own = -1;
        for (int k = 0; k < swarm->count; ++k)
            own += overlap(&swarm->boxes[i], &swarm->boxes[k]);
        total += own;
        usual += own >= 2 && own <= 5;
    }
    *out_share = (double)usual / sampled;
    return (double)total / sampled;
}

/* --- Lode */

typedef struct lode_side {
    lode_world world;
    lode_body *bodies;
} lode_side;

static lode_vec3 vector(const double v[3])
{
    return (lode_vec3){(lode_real)v[0], (lode_real)v[1], (lode_real)v[2]};
}

static lode_pose pose_of(const bench_swarm_box *box)
{
    const double *q = box->rotation;
    return (lode_pose){vector(box->position),
                       {(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]}};
}

static void *lode_create(const bench_swarm *swarm)
{
    lode_side *side = bench_alloc(1, sizeof *side);
    side->bodies = bench_alloc((size_t)swarm->count, sizeof *side->bodies);
    lode_world_def world_def = lode_world_def_default();
    world_def.sleep.enabled = false;
    world_def.broad_phase = (lode_broad_phase)swarm->broad_phase;
    side->world = lode_world_create(&world_def);
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.type = LODE_DYNAMIC;
    lode_aggregate aggregate = {0};
    for (int i = 0; i < swarm->count; ++i) {
        const bench_swarm_box *box = &swarm->boxes[i];
        def.position = pose_of(box).position;
        def.rotation = pose_of(box).rotation;
        side->bodies[i] = lode_body_create(side->world, &def);
        if (!lode_shape_create_box(side->bodies[i], &shape, vector(box->half)).id)
            bench_fail("Lode cannot make a box");
        if (i % swarm->flock == 0 && swarm->aggregates)
            aggregate = lode_aggregate_create(side->world, true);
        if (swarm->aggregates && lode_body_set_aggregate(side->bodies[i], aggregate) != LODE_OK)
            bench_fail("Lode cannot put a box into an aggregate");
    }
    return side;
}

static void lode_destroy(void *finder)
{
    lode_side *side = finder;
    lode_world_destroy(side->world);
    free(side->bodies);
    free(side);
}

static void lode_move(void *finder, const bench_swarm *swarm)
{
    lode_side *side = finder;
    for (int i = 0; i < swarm->moving; ++i) {
        lode_body_set_pose(side->bodies[i], pose_of(&swarm->boxes[i]));
        lode_body_set_linear_velocity(side->bodies[i], vector(swarm->boxes[i].velocity));
    }
}

/* All of a step's first half runs, as in a world that is stepped; timed are the stages that find
 * pairs. */
static double lode_find(void *finder)
{
    static const char *const timed[] = {"wake", "bounds", "broad phase"};
    lode_side *side = finder;
    if (lode_world_collide(side->world, (lode_real)BENCH_DT) != LODE_OK)
        bench_fail("Lode cannot collide");
    lode_stage_info infos[BENCH_STAGES];
    int count = lode_world_get_stages(side->world, infos, BENCH_STAGES);
    double seconds = 0;
    for (int i = 0; i < count && i < (int)(sizeof timed / sizeof timed[0]); ++i)
        seconds += infos[i].seconds;
    return seconds;
}

/* A step that is complete counts. */
static int lode_pairs(void *finder)
{
    lode_side *side = finder;
    lode_world_stats stats;
    if (lode_world_step(side->world, (lode_real)BENCH_DT) != LODE_OK ||
        lode_world_get_stats(side->world, &stats) != LODE_OK)
        bench_fail("Lode cannot step");
    return stats.pairs;
}

const bench_finder bench_finder_lode = {"lode",    lode_create, lode_destroy,
                                        lode_move, lode_find,   lode_pairs};

/* --- the table */

static const bench_finder *const finders[] = {
    &bench_finder_lode,
#ifdef BENCH_ODE_VERSION
    &bench_finder_ode_hash, &bench_finder_ode_sap, &bench_finder_ode_quadtree,
#endif
#ifdef BENCH_BULLET_VERSION
    &bench_finder_bullet,
#endif
};

enum { FINDERS = sizeof finders / sizeof finders[0] };

typedef struct timings {
    double ms[FINDERS], ratio[FINDERS]; /* medians; how many times faster Lode is */
    int pairs[FINDERS];
} timings;

static void run(bench_swarm *swarm, int finder_count, int frames, timings *out)
{
    void *found[FINDERS];
    double *ms = bench_alloc((size_t)frames * FINDERS, sizeof *ms);
    double *ratios = bench_alloc((size_t)frames, sizeof *ratios);
    for (int f = 0; f < finder_count; ++f)
        found[f] = finders[f]->create(swarm);
    for (int frame = -WARMUP; frame < frames; ++frame) {
        swarm_move(swarm);
        for (int f = 0; f < finder_count; ++f) {
            finders[f]->move(found[f], swarm);
            double seconds = finders[f]->find(found[f]);
            if (frame >= 0)
                ms[f * frames + frame] = 1e3 * seconds;
        }
    }
    for (int f = 0; f < finder_count; ++f) {
        for (int frame = 0; frame < frames; ++frame)
            ratios[frame] = ms[f * frames + frame] / ms[frame];
        out->ratio[f] = bench_median(ratios, frames);
        out->pairs[f] = finders[f]->pairs(found[f]);
        finders[f]->destroy(found[f]);
    }
    for (int f = 0; f < finder_count; ++f)
        out->ms[f] = bench_median(&ms[f * frames], frames);
    free(ms);
    free(ratios);
}

/* The median of the frames, ms, of a swarm that flies as any other does. */
static double time_flocks(bool aggregates, int broad_phase, int *out_pairs)
{
    bench_swarm swarm;
    double ms[FLOCK_FRAMES];
    swarm_create(&swarm, BOXES);
    swarm_flock(&swarm);
    swarm.broad_phase = broad_phase;
    swarm.aggregates = aggregates;
    void *side = lode_create(&swarm);
    for (int frame = -FLOCK_WARMUP; frame < FLOCK_FRAMES; ++frame) {
        swarm_move(&swarm);
        lode_move(side, &swarm);
        double seconds = lode_find(side);
        if (frame >= 0)
            ms[frame] = 1e3 * seconds;
    }
    *out_pairs = lode_pairs(side);
    lode_destroy(side);
    free(swarm.boxes);
    return bench_median(ms, FLOCK_FRAMES);
}

static void print_flocks(void)
{
    static const char *const names[LODE_BROAD_PHASE_COUNT] = {[LODE_BROAD_TREE] = "tree",
                                                              [LODE_BROAD_SIMPLE] = "simple",
                                                              [LODE_BROAD_SWEEP] = "sweep",
                                                              [LODE_BROAD_GRID] = "grid",
                                                              [LODE_BROAD_QUADTREE] = "quadtree"};
    printf("\nThe boxes in %d flocks of %d that fly as one, ms a frame of Lode\n"
           "%-14s %9s %12s %12s\n",
           BOXES / FLOCK, FLOCK, "broad phase", "pairs", "each alone", "aggregates");
    for (int kind = 0; kind < LODE_BROAD_PHASE_COUNT; ++kind) {
        int pairs, same;
        double alone = time_flocks(false, kind, &pairs), whole = time_flocks(true, kind, &same);
        if (pairs != same)
            bench_fail("aggregates change the pairs");
        printf("%-14s %9d %12.3f %12.3f %7.2fx\n", names[kind], pairs, alone, whole, alone / whole);
    }
}

bool bench_broad_phase(void)
{
    bench_swarm swarm;
    timings all, few;
    double share;
    swarm_create(&swarm, BOXES);
    run(&swarm, FINDERS, FRAMES, &all);
    double overlaps = mean_overlaps(&swarm, &share);
    printf("Finding the pairs of %d boxes, ms a frame\n"
           "%.1f overlaps each, %.0f%% of the boxes have 2 to 5; all move, up to %.1f m/s a way\n"
           "%-14s %9s %9s %14s\n",
           BOXES, overlaps, 100 * share, SPEED, "finder", "pairs", "median", "Lode is");
    for (int f = 0; f < FINDERS; ++f) {
        printf("%-14s %9d %9.3f", finders[f]->name, all.pairs[f], all.ms[f]);
        if (f > 0)
            printf(" %7.1fx faster", all.ratio[f]);
        printf("\n");
    }
    swarm.moving = FEW;
    run(&swarm, 1, FEW_FRAMES, &few);
    printf("\n%d of them move, the others stand still, awake: %.4f ms, %.2f%% of all moving\n", FEW,
           few.ms[0], 100 * few.ms[0] / all.ms[0]);
    free(swarm.boxes);
    print_flocks();
    return true;
}

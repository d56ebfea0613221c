/* measure.c: runs one scene on several engines, pair by pair.
 *
 * All engines start from the same state and run the same warm-up steps. Then they take turns on
 * the same interval of simulated time, ten steps at a time: noise of the machine hits neighbours in
 * time alike, so the median of the ratios of neighbours is steadier than a ratio of medians.
 *
 * A solver's throughput is the slope between two iteration counts, so that what a solver does once
 * per step does not count: solve with 10, then with 40 iterations, engines in turn; the difference
 * over 30 is what one iteration costs for the rows there are. */
#include "bench/measure.h"

#include "bench/progress.h"
#include "bench/tool.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 10, ROUNDS = 15, FEW = 10, MANY = 40 };

/* One engine at work. */
typedef struct contender {
    const bench_engine *engine;
    void *world;
    double *step_ms;
    double *chunk_ms;                 /* mean step time of each chunk */
    double *stage_ms[BENCH_STAGES];   /* per step */
    bench_stage stages[BENCH_STAGES]; /* of the last step */
    int stage_count;
    double points_rate[ROUNDS], rows_rate[ROUNDS];
} contender;

static int chunk_count(int steps)
{
    return (steps + CHUNK - 1) / CHUNK;
}

int bench_measure_work(const bench_scene *scene, int engine_count, int steps)
{
    return engine_count * (scene->warmup_steps + steps + 2 * ROUNDS);
}

static void start(contender *c, const bench_engine *engine, const bench_scene *scene,
                  const bench_options *options, int steps)
{
    *c = (contender){.engine = engine};
    c->world = engine->create(scene, options);
    if (!c->world)
        bench_fail("%s cannot build the scene '%s'", engine->name, scene->name);
    c->step_ms = bench_alloc((size_t)steps, sizeof *c->step_ms);
    c->chunk_ms = bench_alloc((size_t)chunk_count(steps), sizeof *c->chunk_ms);
    for (int i = 0; i < BENCH_STAGES; ++i)
        c->stage_ms[i] = bench_alloc((size_t)steps, sizeof *c->stage_ms[i]);
}

static void finish(contender *c)
{
    c->engine->destroy(c->world);
    free(c->step_ms);
    free(c->chunk_ms);
    for (int i = 0; i < BENCH_STAGES; ++i)
        free(c->stage_ms[i]);
}

static void step(contender *c)
{
    if (!c->engine->step(c->world))
        bench_fail("a step of %s failed", c->engine->name);
    bench_progress_add(1);
}

static void run_chunk(contender *c, int chunk, int steps)
{
    int begin = chunk * CHUNK, end = begin + CHUNK < steps ? begin + CHUNK : steps;
    double sum = 0;
    for (int i = begin; i < end; ++i) {
        double before = bench_now();
        step(c);
        c->step_ms[i] = 1e3 * (bench_now() - before);
        sum += c->step_ms[i];
        c->stage_count = c->engine->stages(c->world, c->stages);
        for (int k = 0; k < c->stage_count; ++k)
            c->stage_ms[k][i] = 1e3 * c->stages[k].seconds;
    }
    c->chunk_ms[chunk] = sum / (end - begin);
}

/* One pair of solves; the rates stay zero when the noise was larger than the difference. */
static void time_round(contender *c, int round)
{
    double few = c->engine->time_solve(c->world, FEW);
    double many = c->engine->time_solve(c->world, MANY);
    bench_progress_add(2);
    double seconds = (many - few) / (MANY - FEW);
    if (few < 0 || seconds <= 0)
        return;
    bench_counts counts;
    c->engine->counts(c->world, &counts);
    c->points_rate[round] = counts.points / seconds;
    c->rows_rate[round] = (counts.contact_rows + counts.joint_rows) / seconds;
}

/* The median of a[i] / b[i] where both are there, or -1. */
static double median_ratio(const double *a, const double *b, int count)
{
    double *ratios = bench_alloc((size_t)count, sizeof *ratios);
    int used = 0;
    for (int i = 0; i < count; ++i)
        if (a[i] > 0 && b[i] > 0)
            ratios[used++] = a[i] / b[i];
    double median = used ? bench_median(ratios, used) : -1;
    free(ratios);
    return median;
}

static double median_rate(const double rates[ROUNDS])
{
    double positive[ROUNDS];
    int used = 0;
    for (int i = 0; i < ROUNDS; ++i)
        if (rates[i] > 0)
            positive[used++] = rates[i];
    return used ? bench_median(positive, used) : -1;
}

static void compare(const contender *first, const contender *c, int steps, bench_result *out)
{
    out->step_ratio = median_ratio(c->chunk_ms, first->chunk_ms, chunk_count(steps));
    out->solver_ratio = median_ratio(first->points_rate, c->points_rate, ROUNDS);
    if (out->solver_ratio < 0)
        out->solver_ratio = median_ratio(first->rows_rate, c->rows_rate, ROUNDS);
}

static void gather_times(contender *c, int steps, bench_result *out)
{
    out->step_ms = bench_spread_of(c->step_ms, steps);
    out->stage_count = c->stage_count;
    for (int i = 0; i < c->stage_count; ++i)
        out->stages[i] = (bench_stage_time){c->stages[i].name, c->stages[i].parent,
                                            bench_median(c->stage_ms[i], steps)};
}

static void gather_quality(const contender *c, const bench_scene *scene, bench_result *out)
{
    bench_state *states = bench_alloc((size_t)scene->body_count, sizeof *states);
    c->engine->read(c->world, states);
    out->quality = bench_judge(scene, states);
    out->bounds = scene->bounds;
    out->good = bench_within(&out->quality, &scene->bounds);
    free(states);
}

static int dynamic_bodies(const bench_scene *scene)
{
    int count = 0;
    for (int i = 0; i < scene->body_count; ++i)
        count += scene->bodies[i].dynamic;
    return count;
}

void bench_measure(const bench_scene *scene, const bench_engine *const *engines, int engine_count,
                   const bench_options *options, int steps, bench_result *out_results)
{
    contender *contenders = bench_alloc((size_t)engine_count, sizeof *contenders);
    for (int e = 0; e < engine_count; ++e) {
        start(&contenders[e], engines[e], scene, options, steps);
        for (int i = 0; i < scene->warmup_steps; ++i)
            step(&contenders[e]);
    }
    for (int chunk = 0; chunk < chunk_count(steps); ++chunk)
        for (int e = 0; e < engine_count; ++e)
            run_chunk(&contenders[e], chunk, steps);
    for (int e = 0; e < engine_count; ++e) {
        contender *c = &contenders[e];
        bench_result *out = &out_results[e];
        *out = (bench_result){.scene = scene->name,
                              .engine = engines[e],
                              .options = *options,
                              .bodies = dynamic_bodies(scene),
                              .steps = steps};
        out->simd = engines[e] == &bench_engine_lode ? bench_lode_simd(c->world) : NULL;
        c->engine->counts(c->world, &out->counts);
        gather_quality(c, scene, out);
    }
    for (int round = 0; round < ROUNDS; ++round)
        for (int e = 0; e < engine_count; ++e)
            time_round(&contenders[e], round);
    for (int e = 0; e < engine_count; ++e) {
        bench_result *out = &out_results[e];
        compare(&contenders[0], &contenders[e], steps, out);
        out->points_per_second = median_rate(contenders[e].points_rate);
        out->rows_per_second = median_rate(contenders[e].rows_rate);
        gather_times(&contenders[e], steps, out);
    }
    for (int e = 0; e < engine_count; ++e)
        finish(&contenders[e]);
    free(contenders);
}

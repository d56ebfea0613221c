/* measure.c: runs one scene on several engines, pair by pair.
 *
 * All engines start from the same state and run the same warm-up steps. Then they take turns on
 * the same interval of simulated time, ten steps at a time: noise of the machine hits neighbours in
 * time alike, so the median of the ratios of neighbours is steadier than a ratio of medians.
 *
 * A solver's throughput is the slope between two iteration counts, so that what a solver does once
 * per step does not count: solve with 10, then with 40 iterations, engines in turn; the difference
 * over 30 is what one iteration costs for the rows there are.
 *
 * The quality is the median of five moments, two steps apart, from the end of the measured steps
 * on: one moment of a heap tells little.
 *
 * Trace and counters come last, in steps of their own, so that watching disturbs no figure. */
#include "bench/measure.h"

#include "bench/programs.h"
#include "bench/progress.h"
#include "bench/tool.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 10, ROUNDS = 15, FEW = 10, MANY = 40, WATCHED = 10, MOMENTS = 5, APART = 2 };

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
    double quality[BENCH_QUALITIES][MOMENTS];
} contender;

static int chunk_count(int steps)
{
    return (steps + CHUNK - 1) / CHUNK;
}

static int steps_of(const bench_scene *scene, const bench_plan *plan)
{
    return plan->steps ? plan->steps : scene->steps;
}

int bench_measure_work(const bench_scene *scene, const bench_plan *plan)
{
    int rounds = scene->timed ? 2 * ROUNDS : 0;
    int judged = APART * (MOMENTS - 1);
    int once = scene->warmup_steps + steps_of(scene, plan) + judged + rounds;
    int watched = WATCHED * ((plan->trace != NULL) + (plan->counters != NULL));
    return plan->engine_count * (plan->repeats * once + watched);
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

static void judge_moment(contender *c, const bench_scene *scene, int moment)
{
    bench_state *states = bench_alloc((size_t)scene->body_count, sizeof *states);
    c->engine->read(c->world, states);
    bench_quality quality = bench_judge(scene, states);
    for (int q = 0; q < BENCH_QUALITIES; ++q)
        c->quality[q][moment] = quality.value[q];
    free(states);
}

/* A moment that is not a number makes the whole so. */
static double middle(double moments[MOMENTS])
{
    for (int i = 0; i < MOMENTS; ++i)
        if (moments[i] != moments[i])
            return moments[i];
    return bench_median(moments, MOMENTS);
}

static bench_quality judge_end(contender *c, const bench_scene *scene)
{
    bench_quality quality;
    judge_moment(c, scene, 0);
    for (int moment = 1; moment < MOMENTS; ++moment) {
        for (int i = 0; i < APART; ++i)
            step(c);
        judge_moment(c, scene, moment);
    }
    for (int q = 0; q < BENCH_QUALITIES; ++q)
        quality.value[q] = middle(c->quality[q]);
    return quality;
}

static void begin_result(contender *c, const bench_scene *scene, const bench_plan *plan,
                         bench_result *out)
{
    *out = (bench_result){.scene = scene->name,
                          .twin = scene->twin,
                          .timed = scene->timed,
                          .engine = c->engine,
                          .options = plan->options,
                          .bodies = bench_moving_bodies(scene),
                          .steps = steps_of(scene, plan),
                          .step_ms = {-1, -1, -1},
                          .points_per_second = -1,
                          .rows_per_second = -1,
                          .step_ratio = -1,
                          .solver_ratio = -1,
                          .missed = -1,
                          .program_ratio = -1,
                          .equal_ratio = -1,
                          .equal_iterations = -1,
                          .twin_ratio = -1,
                          .repeats = 1,
                          .step_spread = -1,
                          .ratio_spread = -1};
    out->simd = c->engine == &bench_engine_lode ? bench_lode_simd(c->world) : NULL;
    for (int k = 0; k < BENCH_STAGES; ++k)
        for (int i = 0; i < BENCH_COUNTERS; ++i)
            out->stage_counts[k].value[i] = -1;
    c->engine->counts(c->world, &out->counts);
    memcpy(out->bounds, scene->bounds, sizeof out->bounds);
    out->quality = judge_end(c, scene);
}

/* Lode is held against the bounds and against libode, the peers against the bounds alone. */
static void judge_all(const bench_scene *scene, bench_result *results, int count)
{
    int at = bench_engine_among(results, count, "ode");
    const bench_quality *ode = at < 0 ? NULL : &results[at].quality;
    for (int e = 0; e < count; ++e)
        results[e].verdict = bench_verdict_of(scene, &results[e].quality, e == 0 ? ode : NULL);
}

static void time_all(contender *contenders, int steps, int count, bench_result *out_results)
{
    for (int round = 0; round < ROUNDS; ++round)
        for (int e = 0; e < count; ++e)
            time_round(&contenders[e], round);
    for (int e = 0; e < count; ++e) {
        bench_result *out = &out_results[e];
        compare(&contenders[0], &contenders[e], steps, out);
        out->points_per_second = median_rate(contenders[e].points_rate);
        out->rows_per_second = median_rate(contenders[e].rows_rate);
        gather_times(&contenders[e], steps, out);
    }
}

/* The same program on libode and on the face, at equal iterations and at equal residual. */
static void compare_programs(contender *contenders, int steps, int count, bench_result *results)
{
    int o = bench_engine_among(results, count, "ode"),
        f = bench_engine_among(results, count, "face");
    if (o < 0 || f < 0)
        return;
    contender *ode = &contenders[o], *face = &contenders[f];
    bench_result *out = &results[o];
    for (int e = 0; e < count; ++e)
        results[e].missed = bench_program_missed(contenders[e].engine, contenders[e].world,
                                                 results[e].options.iterations);
    double seconds;
    out->program_ratio = median_ratio(ode->chunk_ms, face->chunk_ms, chunk_count(steps));
    out->equal_iterations = bench_program_iterations(ode->engine, ode->world, results[f].missed,
                                                     &seconds);
    out->equal_ratio = (out->stages[0].ms + 1e3 * seconds) / results[f].step_ms.median;
}

static void watch_steps(contender *c, const bench_probe *probe)
{
    c->engine->probe(c->world, probe);
    for (int i = 0; i < WATCHED; ++i) {
        probe->begin(probe->user, "step");
        step(c);
        probe->end(probe->user, "step");
    }
    c->engine->probe(c->world, NULL);
}

static void watch(contender *c, const bench_scene *scene, const bench_plan *plan, bench_result *out)
{
    if (plan->trace) {
        bench_trace_enter(plan->trace, scene->name, c->engine->name);
        watch_steps(c, bench_trace_probe(plan->trace));
    }
    if (plan->counters) {
        bench_counters_reset(plan->counters, c->stages, c->stage_count);
        watch_steps(c, bench_counters_probe(plan->counters));
        bench_counters_read(plan->counters, WATCHED, out->stage_counts);
    }
}

void bench_measure_once(const bench_scene *scene, const bench_plan *plan, bool watched,
                        bench_result *out_results)
{
    int count = plan->engine_count, steps = steps_of(scene, plan);
    contender *contenders = bench_alloc((size_t)count, sizeof *contenders);
    for (int e = 0; e < count; ++e) {
        start(&contenders[e], plan->engines[e], scene, &plan->options, steps);
        for (int i = 0; i < scene->warmup_steps; ++i)
            step(&contenders[e]);
    }
    for (int chunk = 0; chunk < chunk_count(steps); ++chunk)
        for (int e = 0; e < count; ++e)
            run_chunk(&contenders[e], chunk, steps);
    for (int e = 0; e < count; ++e)
        begin_result(&contenders[e], scene, plan, &out_results[e]);
    judge_all(scene, out_results, count);
    if (scene->timed) {
        time_all(contenders, steps, count, out_results);
        compare_programs(contenders, steps, count, out_results);
    }
    for (int e = 0; e < count; ++e) {
        if (watched)
            watch(&contenders[e], scene, plan, &out_results[e]);
        finish(&contenders[e]);
    }
    free(contenders);
}

void bench_measure_twins(bench_result *results, int scene_count, int stride)
{
    int count = scene_count * stride;
    for (int i = 0; i < count; ++i)
        for (int k = i % stride; results[i].twin && k < count; k += stride)
            if (strcmp(results[k].scene, results[i].twin) == 0)
                results[i].twin_ratio = results[i].step_ms.median / results[k].step_ms.median;
}

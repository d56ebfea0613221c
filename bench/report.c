/* report.c: results as tables. A figure that does not apply is a dash. */
#include "bench/report.h"

#include "bench/machine.h"
#include "bench/programs.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *bench_solver_name(int solver)
{
    static const char *const names[LODE_SOLVER_COUNT] = {
        [LODE_SOLVER_PGS] = "pgs",
        [LODE_SOLVER_SOFT_STEP] = "soft",
        [LODE_SOLVER_DIRECT] = "direct",
        [LODE_SOLVER_PER_JOINT] = "per-joint",
        [LODE_SOLVER_HYBRID] = "hybrid",
    };
    return solver >= 0 && solver < LODE_SOLVER_COUNT ? names[solver] : NULL;
}

const char *bench_stiff_name(int stiff)
{
    static const char *const names[LODE_STIFF_COUNT] = {
        [LODE_STIFF_NEVER] = "never",
        [LODE_STIFF_AUTOMATIC] = "automatic",
        [LODE_STIFF_ALWAYS] = "always",
    };
    return stiff >= 0 && stiff < LODE_STIFF_COUNT ? names[stiff] : NULL;
}

/* One cell, right-aligned; a dash for a negative value. */
static void cell(int width, int decimals, const char *unit, double value)
{
    char text[64] = "-";
    if (!(value < 0))
        snprintf(text, sizeof text, "%.*f%s", decimals, value, unit);
    printf(" %*s", width, text);
}

/* "3.1x faster", or slower; a dash where nothing was compared. */
static void ratio_cell(int width, double ratio)
{
    if (ratio > 0 && ratio < 1)
        cell(width, 1, "x slower", 1 / ratio);
    else
        cell(width, 1, "x faster", ratio);
}

/* Lode's line: what a world with these options really gets. */
static void report_lode(const bench_engine *engine, const bench_options *options)
{
    lode_world_def def = lode_world_def_default();
    def.simd = (lode_simd)options->simd;
    lode_world world = lode_world_create(&def);
    if (world.id == 0)
        bench_fail("Lode refuses these options");
    def = lode_world_get_def(world);
    lode_world_destroy(world);
    printf("lode    %s, %s, solver %s, %d thread%s, ", engine->precision, lode_simd_name(def.simd),
           bench_solver_name(options->solver), options->threads, options->threads > 1 ? "s" : "");
    if (options->solver == LODE_SOLVER_SOFT_STEP)
        printf("%d sub-steps\n", options->sub_steps);
    else
        printf("%d iterations in %d sub-steps\n", options->iterations, options->sub_steps);
}

void bench_report_head(const bench_plan *plan)
{
    const bench_options *options = &plan->options;
    bench_machine machine = bench_machine_read();
    printf("Lode %s, %s\n", lode_version(), bench_compiler());
    printf("%s, %d cores, %s\n\n", machine.cpu, machine.cores, machine.system);
    report_lode(plan->engines[0], options);
    for (int e = 1; e < plan->engine_count; ++e) {
        const bench_engine *peer = plan->engines[e];
        printf("%-7s %s, %s %s, 1 thread, %d iterations\n", peer->name, peer->precision,
               peer->version, peer->method, options->iterations);
    }
    if (plan->repeats > 1)
        printf("\nEach scene is measured %d times from the start; figures are medians.\n",
               plan->repeats);
    if (plan->counters && bench_counters_missing(plan->counters))
        printf("\nThis machine lets a program count nothing or not everything (%s); dashes stand "
               "below.\n",
               bench_counters_missing(plan->counters));
    if (machine.load > 0.5)
        printf("\nOther work keeps %.1f of %d processors busy: times will be too high, ratios "
               "unsteady.\n",
               machine.load, machine.cores);
    fflush(stdout);
}

void bench_report_scene(const bench_result *results, int engine_count)
{
    static bool headed;
    if (!results->timed)
        return;
    if (!headed)
        printf("\nWhole step, ms (dt = 1/60 s)\n"
               "%-16s %-6s %6s %8s %6s %7s %9s %9s %9s %12s %7s\n",
               "scene", "engine", "bodies", "contacts", "points", "rows", "median", "p99", "min",
               "Lode is", "spread");
    headed = true;
    for (int e = 0; e < engine_count; ++e) {
        const bench_result *r = &results[e];
        printf("%-16s %-6s", e == 0 ? r->scene : "", r->engine->name);
        cell(6, 0, "", r->bodies);
        cell(8, 0, "", r->counts.contacts);
        cell(6, 0, "", r->counts.points);
        cell(7, 0, "", r->counts.contact_rows + r->counts.joint_rows);
        cell(9, 3, "", r->step_ms.median);
        cell(9, 3, "", r->step_ms.p99);
        cell(9, 3, "", r->step_ms.min);
        ratio_cell(12, e > 0 ? r->step_ratio : -1);
        cell(7, 0, "%", 100 * (e > 0 ? r->ratio_spread : r->step_spread));
        putchar('\n');
    }
    fflush(stdout);
}

static void report_twins(const bench_result *results, int scene_count, int engine_count)
{
    for (int s = 0; s < scene_count; ++s) {
        const bench_result *r = &results[s * engine_count];
        if (r->twin_ratio > 0)
            printf("\nLode takes %.2f times as long for %s as for %s.\n", r->twin_ratio, r->scene,
                   r->twin);
    }
}

static void report_solver(const bench_result *results, int scene_count, int engine_count)
{
    printf("\nSolver, millions per second and iteration; storage\n"
           "%-16s %-6s %9s %9s %14s %9s %9s %8s %10s\n",
           "scene", "engine", "points", "rows", "Lode is", "lanes", "overflow", "B/body",
           "B/contact");
    for (int i = 0; i < scene_count * engine_count; ++i) {
        const bench_result *r = &results[i];
        bool first = i % engine_count == 0;
        if (!r->timed)
            continue;
        printf("%-16s %-6s", first ? r->scene : "", r->engine->name);
        cell(9, 1, "", r->counts.points > 0 ? 1e-6 * r->points_per_second : -1);
        cell(9, 1, "", 1e-6 * r->rows_per_second);
        ratio_cell(14, first ? -1 : r->solver_ratio);
        cell(9, 1, "%", 100 * r->counts.lane_occupancy);
        cell(9, 1, "%", 100 * r->counts.overflow);
        cell(8, 0, "", r->counts.bytes_per_body);
        cell(10, 0, "", r->counts.contacts > 0 ? r->counts.bytes_per_contact : -1);
        putchar('\n');
    }
}

static const char *verdict_text(bench_verdict verdict)
{
    return verdict.beyond ? "OUT OF BOUNDS" : verdict.worse ? "WORSE THAN ODE" : "ok";
}

static void report_quality(const bench_result *results, int scene_count, int engine_count)
{
    printf("\nQuality at the end (! is beyond the scene's bound, or Lode's and "
           "worse than ODE's)\n%-16s %-6s",
           "scene", "engine");
    for (int q = 0; q < BENCH_QUALITIES; ++q)
        printf(" %15s ", bench_quality_names[q].heading);
    puts(" verdict");
    for (int i = 0; i < scene_count * engine_count; ++i) {
        const bench_result *r = &results[i];
        unsigned marked = r->verdict.beyond | r->verdict.worse;
        printf("%-16s %-6s", i % engine_count == 0 ? r->scene : "", r->engine->name);
        for (int q = 0; q < BENCH_QUALITIES; ++q)
            printf(" %15.*f%c", bench_quality_names[q].decimals,
                   bench_quality_names[q].scale * r->quality.value[q],
                   marked & 1u << q ? '!' : ' ');
        printf("  %s\n", verdict_text(r->verdict));
    }
}

/* The scenes with times, whose engine `e` has stages. */
static int find_staged(const bench_result *results, int scene_count, int engine_count, int e,
                       const bench_result **out)
{
    int count = 0;
    for (int s = 0; s < scene_count; ++s)
        if (results[s * engine_count + e].stage_count > 0)
            out[count++] = &results[s * engine_count + e];
    return count;
}

static void stage_name(const bench_stage_time *stage)
{
    bool inner = stage->parent[0] != 0;
    printf("%s%-*s", inner ? "  " : "", inner ? 18 : 20, stage->name);
}

/* Stages down, scenes across, as many as fit the width. */
static void report_stages(const bench_result *results, int scene_count, int engine_count, int e)
{
    enum { ACROSS = 5 };
    const bench_result **staged = bench_alloc((size_t)scene_count, sizeof *staged);
    int count = find_staged(results, scene_count, engine_count, e, staged);
    for (int first = 0; first < count; first += ACROSS) {
        int end = first + ACROSS < count ? first + ACROSS : count;
        printf("\nStages of %s, ms (median)\n%-20s", staged[0]->engine->name, "");
        for (int s = first; s < end; ++s)
            printf(" %15s", staged[s]->scene);
        putchar('\n');
        for (int k = 0; k < staged[0]->stage_count; ++k) {
            stage_name(&staged[0]->stages[k]);
            for (int s = first; s < end; ++s)
                cell(15, 3, "", staged[s]->stages[k].ms);
            putchar('\n');
        }
    }
    free(staged);
}

static void report_counters(const bench_result *r)
{
    printf("\nCounters of %s on %s, thousands per step; stepping thread\n%-20s %12s %12s %12s "
           "%12s\n",
           r->engine->name, r->scene, "", "cycles", "instructions", "per cycle", "cache misses");
    for (int k = 0; k < r->stage_count; ++k) {
        const double *count = r->stage_counts[k].value;
        bool both = count[0] > 0 && count[1] >= 0;
        stage_name(&r->stages[k]);
        cell(12, 1, "", 1e-3 * count[0]);
        cell(12, 1, "", 1e-3 * count[1]);
        cell(12, 2, "", both ? count[1] / count[0] : -1);
        cell(12, 2, "", 1e-3 * count[2]);
        putchar('\n');
    }
}

void bench_report_rest(const bench_plan *plan, const bench_result *results, int scene_count)
{
    int engine_count = plan->engine_count;
    report_twins(results, scene_count, engine_count);
    report_solver(results, scene_count, engine_count);
    for (int e = 0; e < engine_count; ++e)
        report_stages(results, scene_count, engine_count, e);
    for (int i = 0; plan->counters && i < scene_count * engine_count; ++i)
        if (results[i].stage_count > 0)
            report_counters(&results[i]);
    report_quality(results, scene_count, engine_count);
    bench_report_programs(results, scene_count, engine_count);
    printf("\nContacts are touching pairs of shapes, points the points they touch at, rows the "
           "scalar\nconstraints solved. \"Lode is\" compares neighbours in time, not the columns' "
           "medians.\ndocs/benchmarks.md says how each figure is made.\n");
}

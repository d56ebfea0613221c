/* report.c: results as tables. A figure that does not apply is a dash. */
#include "bench/report.h"

#include "bench/machine.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <stdio.h>
#include <string.h>

const char *bench_solver_name(int solver)
{
    static const char *const names[LODE_SOLVER_COUNT] = {
        [LODE_SOLVER_PGS] = "pgs", [LODE_SOLVER_SOFT_STEP] = "soft"};
    return solver >= 0 && solver < LODE_SOLVER_COUNT ? names[solver] : NULL;
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
        printf("%d sub-steps\n", def.sub_steps);
    else
        printf("%d iterations\n", options->iterations);
}

void bench_report_head(const bench_options *options, const bench_engine *const *engines,
                       int engine_count)
{
    bench_machine machine = bench_machine_read();
    printf("Lode %s, %s\n", lode_version(), bench_compiler());
    printf("%s, %d cores, %s\n\n", machine.cpu, machine.cores, machine.system);
    report_lode(engines[0], options);
    for (int e = 1; e < engine_count; ++e)
        printf("%-7s %s, %s %s, 1 thread, %d iterations\n", engines[e]->name, engines[e]->precision,
               engines[e]->version, engines[e]->method, options->iterations);
    if (machine.load > 0.5)
        printf("\nOther work keeps %.1f of %d processors busy: times will be too high, ratios "
               "unsteady.\n",
               machine.load, machine.cores);
    fflush(stdout);
}

void bench_report_scene(const bench_result *results, int engine_count)
{
    static bool headed;
    if (!headed)
        printf("\nWhole step, ms (dt = 1/60 s)\n"
               "%-12s %-6s %7s %9s %8s %8s %9s %9s %9s %12s\n",
               "scene", "engine", "bodies", "contacts", "points", "rows", "median", "p99", "min",
               "Lode is");
    headed = true;
    for (int e = 0; e < engine_count; ++e) {
        const bench_result *r = &results[e];
        printf("%-12s %-6s", e == 0 ? r->scene : "", r->engine->name);
        cell(7, 0, "", r->bodies);
        cell(9, 0, "", r->counts.contacts);
        cell(8, 0, "", r->counts.points);
        cell(8, 0, "", r->counts.contact_rows + r->counts.joint_rows);
        cell(9, 3, "", r->step_ms.median);
        cell(9, 3, "", r->step_ms.p99);
        cell(9, 3, "", r->step_ms.min);
        if (e > 0)
            ratio_cell(12, r->step_ratio);
        putchar('\n');
    }
    fflush(stdout);
}

static void report_solver(const bench_result *results, int scene_count, int engine_count)
{
    printf("\nSolver, millions per second and iteration; storage\n"
           "%-12s %-6s %9s %9s %14s %9s %9s %10s %13s\n",
           "scene", "engine", "points", "rows", "Lode is", "lanes", "overflow", "B/body",
           "B/contact");
    for (int i = 0; i < scene_count * engine_count; ++i) {
        const bench_result *r = &results[i];
        bool first = i % engine_count == 0;
        printf("%-12s %-6s", first ? r->scene : "", r->engine->name);
        cell(9, 1, "", r->counts.points > 0 ? 1e-6 * r->points_per_second : -1);
        cell(9, 1, "", 1e-6 * r->rows_per_second);
        ratio_cell(14, first ? -1 : r->solver_ratio);
        cell(9, 1, "%", 100 * r->counts.lane_occupancy);
        cell(9, 1, "%", 100 * r->counts.overflow);
        cell(10, 0, "", r->counts.bytes_per_body);
        cell(13, 0, "", r->counts.contacts > 0 ? r->counts.bytes_per_contact : -1);
        putchar('\n');
    }
}

/* A value, and an exclamation mark where it is out of bounds. */
static void judged(int width, int decimals, double scale, double value, double bound)
{
    bool out = bound >= 0 && !(value <= bound);
    printf(" %*.*f%c", width, decimals, scale * value, out ? '!' : ' ');
}

static void report_quality(const bench_result *results, int scene_count, int engine_count)
{
    printf("\nQuality after the last measured step (! is beyond the scene's bound)\n"
           "%-12s %-6s %16s %16s %16s %12s  %s\n",
           "scene", "engine", "penetration, mm", "separation, mm", "kinetic, J", "displaced, %",
           "verdict");
    for (int i = 0; i < scene_count * engine_count; ++i) {
        const bench_result *r = &results[i];
        printf("%-12s %-6s", i % engine_count == 0 ? r->scene : "", r->engine->name);
        judged(15, 2, 1e3, r->quality.penetration, r->bounds.penetration);
        judged(15, 2, 1e3, r->quality.separation, r->bounds.separation);
        judged(15, 1, 1, r->quality.kinetic_energy, r->bounds.kinetic_energy);
        judged(11, 2, 100, r->quality.displaced, r->bounds.displaced);
        printf(" %s\n", r->good ? "ok" : "OUT OF BOUNDS");
    }
}

/* Stages down, scenes across. */
static void report_stages(const bench_result *results, int scene_count, int engine_count, int e)
{
    const bench_result *first = &results[e];
    if (first->stage_count == 0)
        return;
    printf("\nStages of %s, ms (median)\n%-20s", first->engine->name, "");
    for (int s = 0; s < scene_count; ++s)
        printf(" %12s", results[s * engine_count].scene);
    putchar('\n');
    for (int k = 0; k < first->stage_count; ++k) {
        bool inner = first->stages[k].parent[0] != 0;
        printf("%s%-*s", inner ? "  " : "", inner ? 18 : 20, first->stages[k].name);
        for (int s = 0; s < scene_count; ++s)
            cell(12, 3, "", results[s * engine_count + e].stages[k].ms);
        putchar('\n');
    }
}

void bench_report_rest(const bench_result *results, int scene_count, int engine_count)
{
    report_solver(results, scene_count, engine_count);
    for (int e = 0; e < engine_count; ++e)
        report_stages(results, scene_count, engine_count, e);
    report_quality(results, scene_count, engine_count);
    printf("\nContacts are touching pairs of shapes, points the points they touch at, rows the "
           "scalar\nconstraints solved. \"Lode is\" compares neighbours in time, not the columns' "
           "medians.\ndocs/benchmarks.md says how each figure is made.\n");
}

/* json.c: results for programs: {"machine": {}, "build": {}, "runs": [{}, ...]}, one run per scene
 * and engine. A figure that does not apply is null. */
#include "bench/json.h"

#include "bench/machine.h"
#include "bench/report.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <cJSON.h>

#include <stdio.h>
#include <stdlib.h>

static void number(cJSON *object, const char *name, double value)
{
    if (value < 0 || value != value)
        cJSON_AddNullToObject(object, name);
    else
        cJSON_AddNumberToObject(object, name, value);
}

static void text(cJSON *object, const char *name, const char *value)
{
    if (value)
        cJSON_AddStringToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static void add_machine(cJSON *root)
{
    bench_machine machine = bench_machine_read();
    cJSON *object = cJSON_AddObjectToObject(root, "machine");
    text(object, "cpu", machine.cpu);
    number(object, "cores", machine.cores);
    number(object, "memory_gib", machine.memory_gib);
    text(object, "system", machine.system);
    number(object, "load", machine.load);
}

static void add_build(cJSON *root)
{
    cJSON *object = cJSON_AddObjectToObject(root, "build");
    text(object, "version", lode_version());
    text(object, "compiler", bench_compiler());
    text(object, "buildtype", BENCH_BUILDTYPE);
    text(object, "allocator", BENCH_ALLOCATOR);
}

/* {"broad phase": 0.1, "solve": 2, "solve/iterate": 1.5}, and the same for every counter. */
static void add_stages(cJSON *run, const bench_result *r)
{
    cJSON *times = cJSON_AddObjectToObject(run, "stages_ms");
    cJSON *counters = cJSON_AddObjectToObject(run, "counters"), *counts[BENCH_COUNTERS];
    for (int i = 0; i < BENCH_COUNTERS; ++i)
        counts[i] = cJSON_AddObjectToObject(counters, bench_hardware_events[i].name);
    for (int k = 0; k < r->stage_count; ++k) {
        const bench_stage_time *stage = &r->stages[k];
        char name[128];
        snprintf(name, sizeof name, "%s%s%s", stage->parent, stage->parent[0] ? "/" : "",
                 stage->name);
        number(times, name, stage->ms);
        for (int i = 0; i < BENCH_COUNTERS; ++i)
            number(counts[i], name, r->stage_counts[k].value[i]);
    }
}

/* The names of the fields in a set. */
static void add_fields(cJSON *run, const char *name, unsigned fields)
{
    cJSON *array = cJSON_AddArrayToObject(run, name);
    for (int q = 0; q < BENCH_QUALITIES; ++q)
        if (fields & 1u << q)
            cJSON_AddItemToArray(array, cJSON_CreateString(bench_quality_names[q].name));
}

static void add_quality(cJSON *run, const bench_result *r)
{
    cJSON *quality = cJSON_AddObjectToObject(run, "quality");
    cJSON *bounds = cJSON_AddObjectToObject(run, "bounds");
    for (int q = 0; q < BENCH_QUALITIES; ++q) {
        number(quality, bench_quality_names[q].name, r->quality.value[q]);
        number(bounds, bench_quality_names[q].name, r->bounds[q]);
    }
    add_fields(run, "out_of_bounds", r->verdict.beyond);
    add_fields(run, "worse_than_ode", r->verdict.worse);
}

static void add_run(cJSON *runs, const bench_result *r)
{
    bool own = r->engine == &bench_engine_lode;
    cJSON *run = cJSON_CreateObject();
    cJSON_AddItemToArray(runs, run);
    text(run, "scene", r->scene);
    text(run, "engine", r->engine->name);
    text(run, "precision", r->engine->precision);
    text(run, "simd", r->simd);
    number(run, "threads", own ? r->options.threads : 1);
    text(run, "solver", own ? bench_solver_name(r->options.solver) : r->engine->method);
    text(run, "stiff", own ? bench_stiff_name(r->options.stiff) : NULL);
    number(run, "iterations", r->options.iterations);
    number(run, "sub_steps", own ? r->options.sub_steps : 1);
    number(run, "steps", r->steps);
    number(run, "bodies", r->bodies);
    number(run, "contacts", r->counts.contacts);
    number(run, "points", r->counts.points);
    number(run, "rows", r->counts.contact_rows + r->counts.joint_rows);
    cJSON *step = cJSON_AddObjectToObject(run, "step_ms");
    number(step, "median", r->step_ms.median);
    number(step, "p99", r->step_ms.p99);
    number(step, "min", r->step_ms.min);
    number(run, "step_ratio", r->step_ratio);
    number(run, "solver_ratio", r->solver_ratio);
    number(run, "twin_ratio", r->twin_ratio);
    number(run, "missed", r->missed);
    number(run, "program_ratio", r->program_ratio);
    number(run, "equal_iterations", r->equal_iterations);
    number(run, "equal_ratio", r->equal_ratio);
    number(run, "repeats", r->repeats);
    number(run, "step_spread", r->step_spread);
    number(run, "ratio_spread", r->ratio_spread);
    add_stages(run, r);
    number(run, "contact_points_per_second", r->points_per_second);
    number(run, "row_iterations_per_second", r->rows_per_second);
    number(run, "lane_occupancy", r->counts.lane_occupancy);
    number(run, "overflow", r->counts.overflow);
    number(run, "bytes_per_body", r->counts.bytes_per_body);
    number(run, "bytes_per_contact", r->counts.bytes_per_contact);
    add_quality(run, r);
}

cJSON *bench_json_runs(const bench_result *results, int count)
{
    cJSON *runs = cJSON_CreateArray();
    for (int i = 0; i < count; ++i)
        add_run(runs, &results[i]);
    return runs;
}

bool bench_json_write(const char *path, const bench_result *results, int count)
{
    cJSON *root = cJSON_CreateObject();
    add_machine(root);
    add_build(root);
    cJSON_AddItemToObject(root, "runs", bench_json_runs(results, count));
    char *output = cJSON_Print(root);
    cJSON_Delete(root);
    if (!output)
        bench_fail("out of memory");
    FILE *file = fopen(path, "w");
    bool ok = file && fprintf(file, "%s\n", output) > 0;
    ok = file && fclose(file) == 0 && ok;
    cJSON_free(output);
    if (!ok)
        perror(path);
    return ok;
}

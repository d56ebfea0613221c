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

/* {"broad phase": 0.1, "solve": 2, "solve/iterate": 1.5} */
static void add_stages(cJSON *run, const bench_result *r)
{
    cJSON *object = cJSON_AddObjectToObject(run, "stages_ms");
    for (int i = 0; i < r->stage_count; ++i) {
        const bench_stage_time *stage = &r->stages[i];
        char name[128];
        snprintf(name, sizeof name, "%s%s%s", stage->parent, stage->parent[0] ? "/" : "",
                 stage->name);
        number(object, name, stage->ms);
    }
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
    number(run, "iterations", r->options.iterations);
    number(run, "steps", r->steps);
    number(run, "bodies", r->bodies);
    number(run, "contacts", r->counts.contacts);
    number(run, "rows", r->counts.contact_rows + r->counts.joint_rows);
    cJSON *step = cJSON_AddObjectToObject(run, "step_ms");
    number(step, "median", r->step_ms.median);
    number(step, "p99", r->step_ms.p99);
    number(step, "min", r->step_ms.min);
    add_stages(run, r);
    number(run, "contact_points_per_second", r->points_per_second);
    number(run, "row_iterations_per_second", r->rows_per_second);
    number(run, "bytes_per_body", r->counts.bytes_per_body);
    number(run, "bytes_per_contact", r->counts.bytes_per_contact);
    cJSON *quality = cJSON_AddObjectToObject(run, "quality");
    number(quality, "max_penetration", r->quality.penetration);
    number(quality, "max_joint_separation", r->quality.separation);
    number(quality, "kinetic_energy", r->quality.kinetic_energy);
    number(quality, "displaced_fraction", r->quality.displaced);
}

bool bench_json_write(const char *path, const bench_result *results, int count)
{
    cJSON *root = cJSON_CreateObject();
    add_machine(root);
    add_build(root);
    cJSON *runs = cJSON_AddArrayToObject(root, "runs");
    for (int i = 0; i < count; ++i)
        add_run(runs, &results[i]);
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

/* main.c: lode-bench. Reads the command line, runs the scenes one after another, and reports. */
#include "bench/json.h"
#include "bench/kernels.h"
#include "bench/measure.h"
#include "bench/options.h"
#include "bench/progress.h"
#include "bench/report.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <stdio.h>
#include <stdlib.h>

static void list_scenes(void)
{
    for (int i = 0; i < bench_scene_count(); ++i)
        printf("%-12s %s\n", bench_scene_name(i), bench_scene_summary(i));
}

/* As docs/architecture.md shows it; a test holds the two together. */
static void print_stages(void)
{
    enum { MOST = 64 };
    lode_stage_info stages[MOST];
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    int count = lode_world_get_stages(world, stages, MOST);
    printf("| stage | reads | writes |\n| --- | --- | --- |\n");
    for (int i = 0; i < count && i < MOST; ++i)
        printf("| %s%s%s | %s | %s |\n", stages[i].parent, stages[i].parent[0] ? ": " : "",
               stages[i].name, stages[i].reads, stages[i].writes);
    lode_world_destroy(world);
}

static int steps_of(const bench_command *command, const bench_scene *scene)
{
    return command->steps ? command->steps : scene->steps;
}

static int total_work(const bench_command *command)
{
    int work = 0;
    for (int i = 0; i < command->scene_count; ++i) {
        bench_scene scene;
        bench_scene_build(command->scenes[i], &scene);
        work += bench_measure_work(&scene, command->engine_count, steps_of(command, &scene));
        bench_scene_free(&scene);
    }
    return work;
}

static void run_scenes(const bench_command *command, bench_result *results)
{
    bench_report_head(&command->options, command->engines, command->engine_count);
    bench_progress_begin(total_work(command));
    for (int i = 0; i < command->scene_count; ++i) {
        bench_scene scene;
        bench_scene_build(command->scenes[i], &scene);
        bench_progress_label(scene.name);
        bench_result *own = &results[i * command->engine_count];
        bench_measure(&scene, command->engines, command->engine_count, &command->options,
                      steps_of(command, &scene), own);
        bench_scene_free(&scene);
        bench_progress_clear();
        bench_report_scene(own, command->engine_count);
    }
    bench_report_rest(results, command->scene_count, command->engine_count);
}

int main(int argc, char **argv)
{
    bench_command command = bench_command_read(argc, argv);
    if (command.list || command.stages || command.kernels) {
        if (command.list)
            list_scenes();
        if (command.stages)
            print_stages();
        if (command.kernels)
            bench_kernels();
        free(command.scenes);
        return 0;
    }
    int count = command.scene_count * command.engine_count;
    bench_result *results = bench_alloc((size_t)count, sizeof *results);
    run_scenes(&command, results);
    bool written = !command.json || bench_json_write(command.json, results, count);
    bool good = true;
    for (int i = 0; i < count; i += command.engine_count)
        good = good && results[i].good;
    if (!good)
        fputs("lode-bench: Lode's quality is out of bounds; see the marks above\n", stderr);
    free(results);
    free(command.scenes);
    return !written ? 2 : good ? 0 : 1;
}

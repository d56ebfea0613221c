/* options.c: the command line. Every refusal names the option, what was given, and what is
 * valid. */
#include "bench/options.h"

#include "bench/report.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <argtable2.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_engine *const peers[] = {
#ifdef BENCH_ODE_VERSION
    &bench_engine_ode,
#endif
#ifdef BENCH_BULLET_VERSION
    &bench_engine_bullet,
#endif
    NULL};

/* A list of names for a message. */
typedef struct name_list {
    char text[512];
} name_list;

static void list_name(name_list *list, const char *name)
{
    size_t used = strlen(list->text);
    snprintf(list->text + used, sizeof list->text - used, "%s%s", used ? ", " : "", name);
}

static void choose_scenes(bench_command *command, const struct arg_str *arg)
{
    int all = bench_scene_count(), wanted = arg->count ? arg->count : all;
    command->scenes = bench_alloc((size_t)wanted, sizeof *command->scenes);
    command->scene_count = wanted;
    for (int i = 0; i < wanted; ++i) {
        command->scenes[i] = arg->count ? bench_scene_find(arg->sval[i]) : i;
        if (command->scenes[i] >= 0)
            continue;
        name_list list = {0};
        for (int k = 0; k < all; ++k)
            list_name(&list, bench_scene_name(k));
        bench_fail("--scene: there is no scene '%s'; there are %s", arg->sval[i], list.text);
    }
}

static const bench_engine *find_peer(const char *name)
{
    name_list list = {0};
    for (int i = 0; peers[i]; ++i) {
        if (strcmp(peers[i]->name, name) == 0)
            return peers[i];
        list_name(&list, peers[i]->name);
    }
    if (strcmp(name, "ode") == 0 || strcmp(name, "bullet") == 0)
        bench_fail("--peer: this lode-bench was built without '%s'; install lib%s-dev and "
                   "configure the build again with -Dpeers=enabled",
                   name, name);
    list_name(&list, "none");
    bench_fail("--peer: there is no peer '%s'; there are %s", name, list.text);
}

static void choose_peers(bench_command *command, const struct arg_str *arg)
{
    command->engines[command->engine_count++] = &bench_engine_lode;
    if (arg->count == 0 && peers[0] && strcmp(peers[0]->name, "ode") == 0)
        command->engines[command->engine_count++] = peers[0];
    bool runs = !command->list && !command->stages && !command->kernels;
    if (arg->count == 0 && command->engine_count == 1 && runs)
        fputs("lode-bench: built without libode-dev, so there is no peer to compare with\n",
              stderr);
    for (int i = 0; i < arg->count; ++i) {
        if (strcmp(arg->sval[i], "none") == 0)
            continue;
        const bench_engine *peer = find_peer(arg->sval[i]);
        for (int k = 0; k < command->engine_count; ++k)
            if (command->engines[k] == peer)
                bench_fail("--peer: '%s' is given twice", arg->sval[i]);
        command->engines[command->engine_count++] = peer;
    }
}

static void choose_solver(bench_command *command, const struct arg_str *arg)
{
    name_list list = {0};
    for (int i = 0; i < LODE_SOLVER_COUNT; ++i) {
        if (arg->count == 0 || strcmp(arg->sval[0], bench_solver_name(i)) == 0) {
            command->options.solver = arg->count ? i : LODE_SOLVER_PGS;
            return;
        }
        list_name(&list, bench_solver_name(i));
    }
    bench_fail("--solver: there is no solver '%s'; there are %s", arg->sval[0], list.text);
}

static void choose_simd(bench_command *command, const struct arg_str *arg)
{
    name_list list = {0};
    command->options.simd = LODE_SIMD_AUTO;
    if (arg->count == 0)
        return;
    for (int i = 0; i < LODE_SIMD_COUNT; ++i) {
        bool available = i == LODE_SIMD_AUTO || lode_simd_available((lode_simd)i);
        if (available && strcmp(arg->sval[0], lode_simd_name((lode_simd)i)) == 0) {
            command->options.simd = i;
            return;
        }
        if (available)
            list_name(&list, lode_simd_name((lode_simd)i));
    }
    bench_fail("--simd: no '%s' in this build on this machine; there are %s", arg->sval[0],
               list.text);
}

static int choose_number(const struct arg_int *arg, const char *name, int usual, int lo, int hi)
{
    if (arg->count == 0)
        return usual;
    if (arg->ival[0] < lo || arg->ival[0] > hi)
        bench_fail("%s: %d is not within %d and %d", name, arg->ival[0], lo, hi);
    return arg->ival[0];
}

/* The file is opened here already: a minute of measuring must not end at a mistyped folder. */
static const char *choose_json(const struct arg_file *arg)
{
    if (arg->count == 0)
        return NULL;
    const char *path = arg->filename[0]; /* of argv: outlives the table */
    FILE *file = fopen(path, "a");
    if (!file)
        bench_fail("--json: cannot write '%s': %s", path, strerror(errno));
    fclose(file);
    return path;
}

static void help(void **table)
{
    printf("Usage: lode-bench [OPTION]...\n"
           "Simulates scenes with Lode and a peer in turn, and prints how fast and how well.\n\n");
    arg_print_glossary(stdout, table, "  %-20s %s\n");
    printf("\nExit status: 0; 1 when a quality figure of Lode is out of bounds; 2 on an error.\n");
}

bench_command bench_command_read(int argc, char **argv)
{
    enum { ERRORS = 5 };
    struct arg_lit *list = arg_lit0(NULL, "list", "list the scenes and end");
    struct arg_str *scene = arg_strn(NULL, "scene", "NAME", 0, 64,
                                     "run this scene; repeatable; "
                                     "default: all");
    struct arg_int *steps = arg_int0(NULL, "steps", "N", "measured steps per scene");
    struct arg_int *threads = arg_int0(NULL, "threads", "N", "Lode's threads; default 1");
    struct arg_int *iterations = arg_int0(NULL, "iterations", "N", "of all engines; default 20");
    struct arg_str *solver = arg_str0(NULL, "solver", "NAME", "Lode's: pgs (default) or soft");
    struct arg_str *simd = arg_str0(NULL, "simd", "NAME",
                                    "Lode's instruction set: plain, sse2, "
                                    "avx2, ...; default: the best");
    struct arg_str *peer = arg_strn(NULL, "peer", "NAME", 0, 4,
                                    "ode (default), bullet or none; "
                                    "repeatable");
    struct arg_file *json = arg_file0(NULL, "json", "FILE", "also write the results to FILE");
    struct arg_lit *kernels = arg_lit0(NULL, "kernels",
                                       "time each wide kernel against its scalar "
                                       "twin and end");
    struct arg_lit *stages = arg_lit0(NULL, "stages", "print the step's stage table and end");
    struct arg_lit *show_help = arg_lit0(NULL, "help", "print this and end");
    struct arg_end *end = arg_end(ERRORS);
    void *table[] = {list, scene, steps, threads, iterations, solver,
                     simd, peer,  json,  kernels, stages,     show_help, end};
    if (arg_nullcheck(table))
        bench_fail("out of memory");
    int errors = arg_parse(argc, argv, table);
    if (show_help->count) {
        help(table);
        exit(0);
    }
    if (errors) {
        arg_print_errors(stderr, end, "lode-bench");
        bench_fail("see lode-bench --help");
    }
    bench_command command = {.list = list->count > 0, .stages = stages->count > 0,
                             .kernels = kernels->count > 0};
    choose_scenes(&command, scene);
    choose_peers(&command, peer);
    choose_solver(&command, solver);
    choose_simd(&command, simd);
    command.steps = choose_number(steps, "--steps", 0, 1, 1000000);
    command.options.threads = choose_number(threads, "--threads", 1, 1, 64);
    command.options.iterations = choose_number(iterations, "--iterations", 20, 1, 10000);
    command.json = choose_json(json);
    arg_freetable(table, sizeof table / sizeof table[0]);
    return command;
}

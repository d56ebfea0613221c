/* options.c: the command line. Every refusal names the option, what was given, and what is
 * valid. */
#include "bench/options.h"

#include "bench/plot.h"
#include "bench/report.h"
#include "bench/stage.h"
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

static bool runs_scenes(const bench_command *command)
{
    for (int i = 0; i < BENCH_SPECIALS; ++i)
        if (command->special[i])
            return false;
    return !command->stage;
}

/* With libode comes the same program on our ODE face. */
static void add_peer(bench_plan *plan, const bench_engine *peer)
{
    plan->engines[plan->engine_count++] = peer;
#ifdef BENCH_HAVE_FACE
    if (peer == &bench_engine_ode)
        plan->engines[plan->engine_count++] = &bench_engine_face;
#endif
}

static void choose_peers(bench_command *command, const struct arg_str *arg)
{
    bench_plan *plan = &command->plan;
    plan->engines[plan->engine_count++] = &bench_engine_lode;
    if (command->stage)
        return;
    if (arg->count == 0 && peers[0] && strcmp(peers[0]->name, "ode") == 0)
        add_peer(plan, peers[0]);
    if (arg->count == 0 && plan->engine_count == 1 && runs_scenes(command))
        fputs("lode-bench: built without libode-dev, so there is no peer to compare with\n",
              stderr);
    for (int i = 0; i < arg->count; ++i) {
        if (strcmp(arg->sval[i], "none") == 0)
            continue;
        const bench_engine *peer = find_peer(arg->sval[i]);
        for (int k = 0; k < plan->engine_count; ++k)
            if (plan->engines[k] == peer)
                bench_fail("--peer: '%s' is given twice", arg->sval[i]);
        add_peer(plan, peer);
    }
}

static bool has_engine(const bench_plan *plan, const char *name)
{
    for (int i = 0; i < plan->engine_count; ++i)
        if (strcmp(plan->engines[i]->name, name) == 0)
            return true;
    return false;
}

static void choose_solver(bench_command *command, const struct arg_str *arg)
{
    name_list list = {0};
    for (int i = 0; i < LODE_SOLVER_COUNT; ++i) {
        if (arg->count == 0 || strcmp(arg->sval[0], bench_solver_name(i)) == 0) {
            command->plan.options.solver = arg->count ? i : LODE_SOLVER_PGS;
            return;
        }
        list_name(&list, bench_solver_name(i));
    }
    bench_fail("--solver: there is no solver '%s'; there are %s", arg->sval[0], list.text);
}

static void choose_stiff(bench_command *command, const struct arg_str *arg)
{
    name_list list = {0};
    for (int i = 0; i < LODE_STIFF_COUNT; ++i) {
        if (arg->count == 0 || strcmp(arg->sval[0], bench_stiff_name(i)) == 0) {
            command->plan.options.stiff = arg->count ? i : LODE_STIFF_AUTOMATIC;
            return;
        }
        list_name(&list, bench_stiff_name(i));
    }
    bench_fail("--stiff: there is no '%s'; there are %s", arg->sval[0], list.text);
}

static void choose_simd(bench_command *command, const struct arg_str *arg)
{
    name_list list = {0};
    command->plan.options.simd = LODE_SIMD_AUTO;
    if (arg->count == 0)
        return;
    for (int i = 0; i < LODE_SIMD_COUNT; ++i) {
        bool available = i == LODE_SIMD_AUTO || lode_simd_available((lode_simd)i);
        if (available && strcmp(arg->sval[0], lode_simd_name((lode_simd)i)) == 0) {
            command->plan.options.simd = i;
            return;
        }
        if (available)
            list_name(&list, lode_simd_name((lode_simd)i));
    }
    bench_fail("--simd: no '%s' in this build on this machine; there are %s", arg->sval[0],
               list.text);
}

static const char *choose_stage(const struct arg_str *arg)
{
    name_list list = {0};
    if (arg->count && !bench_stage_find(arg->sval[0], list.text, sizeof list.text))
        bench_fail("--stage: a step has no stage '%s' of its own; there are %s", arg->sval[0],
                   list.text);
    return arg->count ? arg->sval[0] : NULL; /* of argv: outlives the table */
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
static const char *choose_file(const struct arg_file *arg, const char *name)
{
    if (arg->count == 0)
        return NULL;
    const char *path = arg->filename[0]; /* of argv: outlives the table */
    FILE *file = fopen(path, "a");
    if (!file)
        bench_fail("%s: cannot write '%s': %s", name, path, strerror(errno));
    fclose(file);
    return path;
}

/* All pointers, so that argtable's table is a copy of it. */
typedef struct arguments {
    struct arg_lit *special[BENCH_SPECIALS];
    struct arg_str *scene;
    struct arg_int *steps, *repeat, *threads, *iterations, *sub_steps;
    struct arg_str *solver, *stiff, *simd, *peer, *stage;
    struct arg_lit *counters;
    struct arg_file *output[BENCH_OUTPUTS];
    struct arg_lit *help;
    struct arg_end *end;
} arguments;

enum { ARGUMENTS = sizeof(arguments) / sizeof(void *), ERRORS = 5 };

static arguments create_arguments(void)
{
    return (arguments){
        .special =
            {[BENCH_LIST] = arg_lit0(NULL, "list", "list the scenes and end"),
             [BENCH_STAGE_TABLE] = arg_lit0(NULL, "stages", "print the step's stage table and end"),
             [BENCH_KERNELS] = arg_lit0(NULL, "kernels",
                                        "time each wide kernel against its scalar twin and end"),
             [BENCH_MEMORY] = arg_lit0(NULL, "memory",
                                       "count the bytes of a resting box and "
                                       "time snapshots, and end"),
             [BENCH_SLEEPING] = arg_lit0(NULL, "sleeping",
                                         "time a world of 100,000 sleeping boxes and end"),
             [BENCH_BROAD_PHASE] = arg_lit0(NULL, "broad-phase",
                                            "time how pairs of 20,000 boxes are found, and end"),
             [BENCH_NARROW_PHASE] = arg_lit0(
                 NULL, "narrow-phase", "time where pairs of solids touch, beside libode, and end"),
             [BENCH_RAYS] = arg_lit0(NULL, "rays",
                                     "count the rays a second among 10,000 boxes and "
                                     "on a mesh, beside the peers, and end"),
             [BENCH_MESH_BUILD] = arg_lit0(NULL, "mesh-build",
                                           "time making meshes of 1,000,000 triangles, and end"),
             [BENCH_ROBOTS] = arg_lit0(NULL, "articulations",
                                       "time steps of articulations, beside the peers, and end"),
             [BENCH_JOINT_RATES] = arg_lit0(
                 NULL, "joints",
                 "count the rows a second of joints of each type, beside libode, and end"),
             [BENCH_SOLVER_TABLE] = arg_lit0(
                 NULL, "solvers",
                 "time each solver on the same rows, beside libode's steppers, and end"),
             [BENCH_FRONTIER] = arg_lit0(NULL, "frontier",
                                         "swing chains under load with each solver for a minute, "
                                         "beside libode, and end")},
        .scene = arg_strn(NULL, "scene", "NAME", 0, 64, "run this scene; repeatable; default: all"),
        .steps = arg_int0(NULL, "steps", "N", "measured steps per scene"),
        .repeat = arg_int0(NULL, "repeat", "N",
                           "measure each scene N times from the start; default 1"),
        .threads = arg_int0(NULL, "threads", "N", "Lode's threads; default 1"),
        .iterations = arg_int0(NULL, "iterations", "N", "of all engines; default 20"),
        .sub_steps = arg_int0(NULL, "sub-steps", "N",
                              "over which Lode spreads its iterations; default 4"),
        .solver = arg_str0(NULL, "solver", "NAME", "Lode's: pgs (default), soft or direct"),
        .stiff = arg_str0(NULL, "stiff", "NAME",
                          "Lode's joints that do not stretch: never, automatic (default) or "
                          "always"),
        .simd = arg_str0(NULL, "simd", "NAME",
                         "Lode's instruction set: plain, sse2, avx2, ...; default: the best"),
        .peer = arg_strn(NULL, "peer", "NAME", 0, 4, "ode (default), bullet or none; repeatable"),
        .stage = arg_str0(NULL, "stage", "NAME", "run one stage of Lode alone, again and again"),
        .counters = arg_lit0(NULL, "counters",
                             "count cycles, instructions and cache misses per stage"),
        .output = {[BENCH_JSON] = arg_file0(NULL, "json", "FILE", "also write the results to FILE"),
                   [BENCH_CSV] = arg_file0(NULL, "csv", "FILE", "the same as a table"),
                   [BENCH_TRACE] = arg_file0(NULL, "trace", "FILE",
                                             "write stages of a few steps for a trace viewer"),
                   [BENCH_PLOT] = arg_file0(NULL, "plot", "FILE",
                                            "draw the results, FILE.svg or FILE.png")},
        .help = arg_lit0(NULL, "help", "print this and end"),
        .end = arg_end(ERRORS),
    };
}

static void help(void **table)
{
    printf("Usage: lode-bench [OPTION]...\n"
           "Simulates scenes with Lode and a peer in turn, and prints how fast and how well.\n\n");
    arg_print_glossary(stdout, table, "  %-20s %s\n");
    printf("\nExit status: 0; 1 when Lode's quality is out of bounds or worse than ODE's, or a\n"
           "resting box or a mesh too large; 2 on an error.\n");
}

static void choose_outputs(bench_command *command, const arguments *args)
{
    static const char *const names[BENCH_OUTPUTS] = {[BENCH_JSON] = "--json",
                                                     [BENCH_CSV] = "--csv",
                                                     [BENCH_TRACE] = "--trace",
                                                     [BENCH_PLOT] = "--plot"};
    if (args->output[BENCH_PLOT]->count)
        bench_plot_check(args->output[BENCH_PLOT]->filename[0]);
    for (int i = 0; i < BENCH_OUTPUTS; ++i)
        if (args->output[i]->count && !runs_scenes(command))
            bench_fail("%s: writes what scenes give, and none is measured; leave out --list, "
                       "--stages, --stage, --kernels, --memory, --sleeping, "
                       "--broad-phase, --narrow-phase, --rays, --mesh-build, --articulations, "
                       "--joints, --solvers and --frontier",
                       names[i]);
    for (int i = 0; i < BENCH_OUTPUTS; ++i)
        command->output[i] = choose_file(args->output[i], names[i]);
}

static bench_command choose(const arguments *args)
{
    bench_command command = {.counters = args->counters->count > 0};
    bench_plan *plan = &command.plan;
    for (int i = 0; i < BENCH_SPECIALS; ++i)
        command.special[i] = args->special[i]->count > 0;
    command.stage = choose_stage(args->stage);
    choose_scenes(&command, args->scene);
    choose_peers(&command, args->peer);
    command.islands = args->scene->count == 0 && has_engine(plan, "ode");
    choose_solver(&command, args->solver);
    choose_stiff(&command, args->stiff);
    choose_simd(&command, args->simd);
    plan->steps = choose_number(args->steps, "--steps", 0, 1, 1000000);
    plan->repeats = choose_number(args->repeat, "--repeat", 1, 1, 1000);
    plan->options.threads = choose_number(args->threads, "--threads", 1, 1, 64);
    plan->options.iterations = choose_number(args->iterations, "--iterations", 20, 1, 10000);
    plan->options.sub_steps = choose_number(args->sub_steps, "--sub-steps", BENCH_SUB_STEPS, 1, 64);
    choose_outputs(&command, args);
    plan->options.probed = command.counters || command.output[BENCH_TRACE];
    return command;
}

bench_command bench_command_read(int argc, char **argv)
{
    arguments args = create_arguments();
    void *table[ARGUMENTS];
    memcpy(table, &args, sizeof table);
    if (arg_nullcheck(table))
        bench_fail("out of memory");
    int errors = arg_parse(argc, argv, table);
    if (args.help->count) {
        help(table);
        exit(0);
    }
    if (errors) {
        arg_print_errors(stderr, args.end, "lode-bench");
        bench_fail("see lode-bench --help");
    }
    bench_command command = choose(&args);
    arg_freetable(table, ARGUMENTS);
    return command;
}

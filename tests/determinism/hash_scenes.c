/* hash_scenes.c: prints the hash of every scene after its last step, a line each:
 *
 *     scene precision hash
 *
 *     hash_scenes [--threads N] [--simd NAME] [--full]
 *
 * --full takes the large versions of the scenes, whose names then end in "_full". The hashes of one
 * precision are the same on every build and machine; tools/determinism.py compares them. */
#include "tests/determinism/scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LODE_DOUBLE
static const char precision[] = "double";
#else
static const char precision[] = "single";
#endif

static bool parse_simd(const char *name, lode_simd *out_simd)
{
    for (int simd = LODE_SIMD_AUTO; simd < LODE_SIMD_COUNT; ++simd)
        if (strcmp(name, lode_simd_name((lode_simd)simd)) == 0) {
            *out_simd = (lode_simd)simd;
            return true;
        }
    return false;
}

static bool parse(int argc, char **argv, lode_world_def *def, bool *out_full)
{
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--full") == 0)
            *out_full = true;
        else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            def->threads = atoi(argv[++i]);
        else if (strcmp(argv[i], "--simd") != 0 || i + 1 >= argc ||
                 !parse_simd(argv[++i], &def->simd))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    bool full = false;
    lode_world_def def = lode_world_def_default();
    if (!parse(argc, argv, &def, &full)) {
        fprintf(stderr, "usage: %s [--threads N] [--simd NAME] [--full]\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < hash_scene_count; ++i) {
        uint64_t hash = hash_scene_run(&hash_scenes[i], &def, full);
        if (hash == 0)
            return 1;
        printf("%s%s %s %016" PRIx64 "\n", hash_scenes[i].name, full ? "_full" : "", precision,
               hash);
    }
    return 0;
}

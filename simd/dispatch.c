/* dispatch.c: the instruction sets as a table: name, compiled in, present on this machine. */
#include "simd/dispatch.h"

#include <string.h>

/* Defined by the build files for each set it compiles kernels for. */
#ifndef LODE_HAVE_PLAIN
#define LODE_HAVE_PLAIN 0
#endif
#ifndef LODE_HAVE_SSE2
#define LODE_HAVE_SSE2 0
#endif
#ifndef LODE_HAVE_AVX2
#define LODE_HAVE_AVX2 0
#endif
#ifndef LODE_HAVE_AVX512
#define LODE_HAVE_AVX512 0
#endif
#ifndef LODE_HAVE_NEON
#define LODE_HAVE_NEON 0
#endif

/* clang-format off */
#if defined(__x86_64__)
/* these ask the operating system too: it must save the registers */
static bool has_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}
#else
static bool has_avx2(void) { return false; }
static bool has_avx512(void) { return false; }
#endif

/* What is compiled in for an architecture at all belongs to its baseline. */
static bool always(void) { return true; }

static const struct {
    const char *name;
    bool built;
    bool (*present)(void);
} sets[LODE_SIMD_COUNT] = {
    [LODE_SIMD_AUTO] =   {"auto",   true,             always},
    [LODE_SIMD_PLAIN] =  {"plain",  LODE_HAVE_PLAIN,  always},
    [LODE_SIMD_SSE2] =   {"sse2",   LODE_HAVE_SSE2,   always},
    [LODE_SIMD_AVX2] =   {"avx2",   LODE_HAVE_AVX2,   has_avx2},
    [LODE_SIMD_AVX512] = {"avx512", LODE_HAVE_AVX512, has_avx512},
    [LODE_SIMD_NEON] =   {"neon",   LODE_HAVE_NEON,   always},
};
/* clang-format on */

/* Best first. */
static const lode_simd preference[] = {
    LODE_SIMD_AVX512,
    LODE_SIMD_AVX2,
    LODE_SIMD_NEON,
    LODE_SIMD_SSE2,
};

static bool is_set(lode_simd simd)
{
    return (unsigned)simd < LODE_SIMD_COUNT;
}

const char *lode_simd_name(lode_simd simd)
{
    return is_set(simd) ? sets[simd].name : NULL;
}

bool lode_simd_available(lode_simd simd)
{
    return is_set(simd) && sets[simd].built && sets[simd].present();
}

lode_simd lode__simd_detect(void)
{
    for (size_t i = 0; i < sizeof preference / sizeof preference[0]; ++i)
        if (lode_simd_available(preference[i]))
            return preference[i];
    return LODE_SIMD_PLAIN;
}

/* LODE_SIMD_COUNT if there is no such name. */
static lode_simd by_name(const char *name)
{
    int i = 0;
    while (i < LODE_SIMD_COUNT && strcmp(name, sets[i].name) != 0)
        ++i;
    return (lode_simd)i;
}

lode_status lode__simd_choose(lode_simd wanted, const char *environment, lode_simd *out_simd,
                              const char **out_message)
{
    bool forced = wanted == LODE_SIMD_AUTO && environment && environment[0];
    if (forced)
        wanted = by_name(environment);
    if (!is_set(wanted)) {
        *out_message = forced ? "the environment variable LODE_SIMD must be auto, plain, sse2, "
                                "avx2, avx512 or neon"
                              : "must be a value of lode_simd";
        return LODE_ERROR_ARGUMENT;
    }
    if (!sets[wanted].built) {
        *out_message = forced ? "this build has no kernels for the instruction set that the "
                                "environment variable LODE_SIMD names"
                              : "this build has no kernels for this instruction set";
        return LODE_ERROR_SYSTEM;
    }
    if (!sets[wanted].present()) {
        *out_message = forced ? "this machine lacks the instruction set that the environment "
                                "variable LODE_SIMD names"
                              : "this machine lacks this instruction set";
        return LODE_ERROR_SYSTEM;
    }
    *out_simd = wanted == LODE_SIMD_AUTO ? lode__simd_detect() : wanted;
    return LODE_OK;
}

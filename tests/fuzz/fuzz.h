/* fuzz.h: what the fuzz targets share.
 *
 * A target is a file that defines LLVMFuzzerTestOneInput(): it reads an input as a recipe, does
 * what it says through the public API, and holds what comes out against an oracle. Numbers are read
 * through the functions below, so that a recipe means the same in both precisions and on every
 * machine; behind its end there are zeros, so that each row of bytes is a recipe. libFuzzer calls a
 * target with inputs of its own making, replay.c with those that are kept in corpus/. */
#ifndef LODE_TESTS_FUZZ_H
#define LODE_TESTS_FUZZ_H

#include "lode/lode.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the target is at, for the line that says what went wrong. */
extern char fuzz_context[128];

/* Ends the program unless the condition holds, after a line that says what did not. */
#define FUZZ_CHECK(condition, ...) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: does not hold: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__); \
            fprintf(stderr, " (%s)\n", fuzz_context); \
            abort(); \
        } \
    } while (0)

typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;

static inline uint32_t fuzz_byte(fuzz_bytes *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static inline uint32_t fuzz_below(fuzz_bytes *in, uint32_t below)
{
    return fuzz_byte(in) % below;
}

static inline uint32_t fuzz_word(fuzz_bytes *in)
{
    uint32_t word = 0;
    for (int k = 0; k < 4; ++k)
        word |= fuzz_byte(in) << 8 * k;
    return word;
}

/* -1..1 in steps of 1/32767, or of 1/127: equal and special ones are likely. */
static inline double fuzz_unit(fuzz_bytes *in)
{
    uint32_t low = fuzz_byte(in);
    return ((int)(low | fuzz_byte(in) << 8) - 32767) / 32767.0;
}

static inline double fuzz_coarse(fuzz_bytes *in)
{
    return (int8_t)fuzz_byte(in) / 127.0;
}

/* The bits of a float, whatever they say. */
static inline lode_real fuzz_raw(fuzz_bytes *in)
{
    uint32_t word = fuzz_word(in);
    float value;
    memcpy(&value, &word, sizeof value);
    return (lode_real)value;
}

/* A length from 1 mm to 1 km, each order of magnitude as likely, and round ones. */
static inline lode_real fuzz_length(fuzz_bytes *in)
{
    static const double round[] = {1, 0.5, 0.001, 1000, 0.01, 10, 0.1, 100};
    uint32_t byte = fuzz_byte(in);
    return (lode_real)(byte < 64 ? round[byte % 8] : 0.001 * pow(10, 6.0 * (byte - 64) / 191));
}

static inline lode_vec3 fuzz_vec(double x, double y, double z)
{
    return (lode_vec3){(lode_real)x, (lode_real)y, (lode_real)z};
}

/* Many recipes ask for quarter turns and for almost none. */
static inline lode_quat fuzz_rotation(fuzz_bytes *in)
{
    static const float special[][4] = {{1, 0, 0, 0},     {1, 1, 0, 0},  {1, 0, 1, 0},
                                       {1, 0, 0, 1},     {0, 1, 0, 0},  {0, 0, 1, 0},
                                       {1, 1e-4f, 0, 0}, {1, 0, 1e-6f}, {1, 1, 1, 1}};
    uint32_t which = fuzz_byte(in);
    if (which < 128) {
        const float *q = special[which % 9];
        return (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
    }
    double q[4], length = 0;
    for (int k = 0; k < 4; ++k) {
        q[k] = fuzz_coarse(in);
        length += q[k] * q[k];
    }
    if (length < 0.01)
        q[0] = 1;
    return (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
}

/* How many errors were reported since the last fuzz_quiet(), and the argument that the last
 * named. */
typedef struct fuzz_report {
    int count;
    lode_status status;
    char argument[64];
} fuzz_report;

extern fuzz_report fuzz_last;

/* Makes Lode report to fuzz_last and forgets what was reported. */
void fuzz_quiet(void);

/* Ends the program unless there was one report, of a bad argument that it named. */
void fuzz_expect_refused(const char *what);

#endif

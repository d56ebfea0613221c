/* dispatch.h: which instruction set the kernels run on.
 *
 * A build contains kernels for some instruction sets (LODE_HAVE_<X>, from the build files), the
 * machine can run some of these; the choice is made once per world. Rooms with kernels export one
 * table of functions per set; the world picks the table by the lode_simd found here.
 * lode_simd_name and lode_simd_available of lode/setup.h are defined here too. */
#ifndef LODE_SIMD_DISPATCH_H
#define LODE_SIMD_DISPATCH_H

#include "lode/setup.h"

/* The best set that is available. */
lode_simd lode__simd_detect(void);

/* The set to use when `wanted` is asked for. For LODE_SIMD_AUTO, `environment`, the value of the
 * variable LODE_SIMD or null, decides; if it is null, empty or "auto", the best.
 * LODE_ERROR_ARGUMENT: no such set. LODE_ERROR_SYSTEM: this build or this machine lacks it. Then
 * *out_simd is untouched and *out_message says what is wrong, a sentence that stays valid. */
lode_status lode__simd_choose(lode_simd wanted, const char *environment, lode_simd *out_simd,
                              const char **out_message);

#endif

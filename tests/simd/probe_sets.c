/* probe_sets.c: the probes of this build. */
#include "tests/simd/probe.h"

extern const probe probe_plain;
#ifdef LODE_HAVE_SSE2
extern const probe probe_sse2;
#endif
#ifdef LODE_HAVE_AVX2
extern const probe probe_avx2;
#endif
#ifdef LODE_HAVE_AVX512
extern const probe probe_avx512;
#endif
#ifdef LODE_HAVE_NEON
extern const probe probe_neon;
#endif

int probe_sets(const probe **out_sets)
{
    const probe *const built[] = {
        &probe_plain,
#ifdef LODE_HAVE_SSE2
        &probe_sse2,
#endif
#ifdef LODE_HAVE_AVX2
        &probe_avx2,
#endif
#ifdef LODE_HAVE_AVX512
        &probe_avx512,
#endif
#ifdef LODE_HAVE_NEON
        &probe_neon,
#endif
    };
    int count = 0;
    for (size_t i = 0; i < sizeof built / sizeof built[0]; ++i)
        if (lode_simd_available(built[i]->simd))
            out_sets[count++] = built[i];
    return count;
}

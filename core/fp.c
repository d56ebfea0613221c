/* fp.c: what os.h promises about floating-point control, and the pause of a spin loop: by
 * processor, not by operating system.
 *
 * x86-64 keeps rounding, flushing and exception masks in MXCSR (default 0x1f80; the low six bits
 * are sticky flags and no control). AArch64 keeps them in FPCR, whose default is zero. The
 * functions are never inlined, so no arithmetic of a caller drifts across them. */
#include "core/os.h"

#if defined(__x86_64__) || defined(_M_X64)

#include <xmmintrin.h>

enum { MXCSR_DEFAULT = 0x1f80 };

static uint64_t read_control(void)
{
    return _mm_getcsr();
}

static void write_control(uint64_t value)
{
    _mm_setcsr((unsigned)value);
}

static const uint64_t default_control = MXCSR_DEFAULT;

void lode__os_relax(void)
{
    _mm_pause();
}

#elif defined(__aarch64__)

static uint64_t read_control(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value));
    return value;
}

static void write_control(uint64_t value)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(value));
}

static const uint64_t default_control = 0;

void lode__os_relax(void)
{
    __asm__ volatile("yield");
}

#elif defined(__i386__) || defined(__arm__)
#error "Lode does not support 32-bit x86 and ARM: their arithmetic does not give the same bits"
#else

#include <fenv.h>

static uint64_t read_control(void)
{
    return (uint64_t)fegetround();
}

static void write_control(uint64_t value)
{
    fesetround((int)value);
}

static const uint64_t default_control = FE_TONEAREST;

void lode__os_relax(void)
{
}

#endif

__attribute__((noinline)) uint64_t lode__fp_enter(void)
{
    uint64_t saved = read_control();
    write_control(default_control);
    return saved;
}

__attribute__((noinline)) void lode__fp_leave(uint64_t saved)
{
    write_control(saved);
}

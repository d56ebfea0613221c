/* setup.h: what a program may set before its first world: allocator and error hook; and what it
 * may ask of the machine. Nothing else in Lode is global. */
#ifndef LODE_SETUP_H
#define LODE_SETUP_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* Called once per failed call, on the calling thread, so from several threads at once if several
 * use Lode. `function` is the public function's name, `argument` the offending argument's ("" if
 * none), `message` a phrase without a newline. The strings are valid during the call. The hook may
 * call Lode; its own failures come to it too. */
typedef void lode_error_fn(void *user, lode_status status, const char *function,
                           const char *argument, const char *message);

/* Sets the error hook; null restores the default, which prints one line to stderr.
 * Set it before the first world is created; it is not synchronised with running calls. */
LODE_API void lode_set_error_hook(lode_error_fn *hook, void *user);

/* Reports as Lode's own functions do and returns `status`, for libraries on top of Lode. A null
 * `argument` counts as "". */
LODE_API lode_status lode_report_error(lode_status status, const char *function,
                                       const char *argument, const char *message);

/* All memory of the library passes through this pair. `alignment` is a power of two, at least 16;
 * `size` need not be a multiple of it. `alloc` returns null when there is no memory; the content of
 * what it returns does not matter. `free` receives what `alloc` returned, never null, and the size
 * it was asked for. Both are called from any thread that calls Lode, several at once, also inside a
 * step; they must not call Lode. */
typedef struct lode_allocator {
    void *user;
    void *(*alloc)(void *user, size_t size, size_t alignment);
    void (*free)(void *user, void *memory, size_t size);
} lode_allocator;

/* Replaces the allocator by a copy of `allocator`; null restores the default (mimalloc, or libc by
 * build option). Like the hook, set it while no other thread uses Lode. LODE_ERROR_STATE while a
 * world or shared geometry exists; LODE_ERROR_ARGUMENT when a function is missing. */
LODE_API lode_status lode_set_allocator(const lode_allocator *allocator);

/* A few words for a status, never null; a literal. */
LODE_API const char *lode_status_text(lode_status status);

/* The name of an instruction set as LODE_SIMD spells it: "plain", "sse2", "avx2", "avx512",
 * "neon", "auto"; null for a value that is none. */
LODE_API const char *lode_simd_name(lode_simd simd);

/* True when this build has kernels for `simd` and this machine can run them. */
LODE_API bool lode_simd_available(lode_simd simd);

/* "1.0.0 single" or the like; a literal. */
LODE_API const char *lode_version(void);

LODE_EXTERN_C_END

#endif

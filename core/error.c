/* error.c: the error hook, its default, and the words for a status.
 *
 * A refused call reports once: which public function, which argument, what is wrong with it. The
 * hook is one of the two things in Lode that are global; it is set before the first world. */
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const status_texts[] = {
    [LODE_OK] = "no error",
    [LODE_ERROR_ARGUMENT] = "bad argument",
    [LODE_ERROR_HANDLE] = "null, stale or foreign handle",
    [LODE_ERROR_MEMORY] = "out of memory",
    [LODE_ERROR_ABI] = "header and library do not match",
    [LODE_ERROR_STATE] = "not possible now",
    [LODE_ERROR_SYSTEM] = "not available on this machine",
};

static void print_error(void *user, lode_status status, const char *function, const char *argument,
                        const char *message)
{
    (void)user;
    fprintf(stderr, "lode: %s: %s%s%s (%s)\n", function, argument, *argument ? ": " : "", message,
            lode_status_text(status));
}

static lode_error_fn *error_hook = print_error;
static void *error_user;

void lode_set_error_hook(lode_error_fn *hook, void *user)
{
    error_hook = hook ? hook : print_error;
    error_user = user;
}

const char *lode_status_text(lode_status status)
{
    size_t index = (size_t)status;
    return index < sizeof status_texts / sizeof *status_texts ? status_texts[index]
                                                              : "unknown status";
}

lode_status lode__error(lode_status status, const char *function, const char *argument,
                        const char *message)
{
    error_hook(error_user, status, function, argument, message);
    return status;
}

lode_status lode_report_error(lode_status status, const char *function, const char *argument,
                              const char *message)
{
    return lode__error(status, function, argument ? argument : "", message);
}

void lode__assert_failed(const char *expression, const char *file, int line)
{
    fprintf(stderr, "lode: %s:%d: assertion failed: %s\n", file, line, expression);
    abort();
}

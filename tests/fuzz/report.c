/* report.c: where errors go while a target runs: see fuzz.h. */
#include "tests/fuzz/fuzz.h"

fuzz_report fuzz_last;
char fuzz_context[128];

static void record(void *user, lode_status status, const char *function, const char *argument,
                   const char *message)
{
    (void)user;
    (void)function;
    (void)message;
    fuzz_last.count++;
    fuzz_last.status = status;
    snprintf(fuzz_last.argument, sizeof fuzz_last.argument, "%s", argument);
}

void fuzz_quiet(void)
{
    fuzz_last = (fuzz_report){0};
    lode_set_error_hook(record, NULL);
}

void fuzz_expect_refused(const char *what)
{
    FUZZ_CHECK(fuzz_last.count == 1, "%s: %d reports", what, fuzz_last.count);
    FUZZ_CHECK(fuzz_last.status == LODE_ERROR_ARGUMENT, "%s: status %d", what, fuzz_last.status);
    FUZZ_CHECK(fuzz_last.argument[0], "%s: names no argument", what);
}

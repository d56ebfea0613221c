/* refusals.h: what the handler of debug messages has heard, for tests of the ODE face. */
#ifndef LODE_TESTS_ODE_REFUSALS_H
#define LODE_TESTS_ODE_REFUSALS_H

#include <ode/ode.h>

#include "tests/support/test.h"

#include <stdio.h>

static int refusals;
static char last_refusal[200];

static void hear(int number, const char *text, va_list ap)
{
    assert_int_equal(number, d_ERR_UASSERT);
    ++refusals;
    vsnprintf(last_refusal, sizeof last_refusal, text, ap);
}

static int listen(void **state)
{
    (void)state;
    refusals = 0;
    dSetDebugHandler(hear);
    return dInitODE2(0) ? 0 : 1;
}

static int stop_listening(void **state)
{
    (void)state;
    dSetDebugHandler(NULL);
    dCloseODE();
    return 0;
}

#define EXPECT_REFUSAL(call, text) \
    do { \
        int before = refusals; \
        call; \
        assert_int_equal(refusals, before + 1); \
        assert_string_equal(last_refusal, text); \
    } while (0)

#endif

/* refusals.h: what the ODE face says of bad calls, heard by a test. */
#ifndef LODE_TESTS_ODE_REFUSALS_H
#define LODE_TESTS_ODE_REFUSALS_H

#include <ode/ode.h>

#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

typedef struct heard {
    int count;
    char last[200];
} heard;
static heard refusals, messages;

static void hear(heard *by, int number, const char *text, va_list ap)
{
    assert_int_equal(number, d_ERR_UASSERT);
    ++by->count;
    vsnprintf(by->last, sizeof by->last, text, ap);
}

static void hear_refusal(int number, const char *text, va_list ap)
{
    hear(&refusals, number, text, ap);
}

static void hear_message(int number, const char *text, va_list ap)
{
    hear(&messages, number, text, ap);
}

static int listen(void **state)
{
    (void)state;
    refusals.count = messages.count = 0;
    dSetDebugHandler(hear_refusal);
    dSetMessageHandler(hear_message);
    return dInitODE2(0) ? 0 : 1;
}

/* Nothing may have been said that the test has not asked for. */
static int stop_listening(void **state)
{
    (void)state;
    dSetDebugHandler(NULL);
    dSetMessageHandler(NULL);
    dCloseODE();
    return refusals.count || messages.count;
}

#define EXPECT_ONE(kind, call, text) \
    do { \
        call; \
        assert_int_equal(kind.count, 1); \
        assert_string_equal(kind.last, text); \
        kind.count = 0; \
    } while (0)
/* One refusal that has the text within. */
#define EXPECT_REFUSAL_OF(call, text) \
    do { \
        call; \
        assert_int_equal(refusals.count, 1); \
        assert_non_null(strstr(refusals.last, text)); \
        refusals.count = 0; \
    } while (0)
#define EXPECT_REFUSAL(call, text) EXPECT_ONE(refusals, call, text)
#define EXPECT_MESSAGE(call, text) EXPECT_ONE(messages, call, text)

/* The same test, by its name, with ears open. */
#define HEARING(test) cmocka_unit_test_setup_teardown(test, listen, stop_listening)

/* How far results may be off, in parts of what they are made of. */
#define CLOSE ((double)(sizeof(dReal) == sizeof(float) ? 4e-6 : 1e-14))
#define ASSERT_CLOSE(a, b) \
    do { \
        double got_ = (a), want_ = (b); \
        assert_true(fabs(got_ - want_) <= CLOSE * (1 + fabs(want_))); \
    } while (0)

/* Pseudo-random numbers of -1 to 1 for inputs; not those that are tested. */
static inline dReal draw(void)
{
    static uint64_t s = 88172645463325252u;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (dReal)((double)(s >> 11) / 4503599627370496.0 - 1);
}

static inline void draw_many(dReal *out, int count)
{
    for (int i = 0; i < count; ++i)
        out[i] = draw();
}

#endif

/* test_math_timer.c: stopwatches and timers of the ODE face. The oracle is C's clock; loops wait
 * for it, and bounds leave room for a thread that is put aside. */
#include "tests/ode/refusals.h"

#include <ode/timer.h>

#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Some milliseconds and not less; gives how long it was. */
static double wait_for(double seconds)
{
    double begin = now(), end = begin;
    while (end - begin < seconds)
        end = now();
    return end - begin;
}

static void the_clock_has_ticks(void **state)
{
    (void)state;
    double ticks = dTimerTicksPerSecond(), resolution = dTimerResolution();
    assert_true(ticks >= 1e6 && ticks <= 1e10 && ticks == floor(ticks));
    assert_true(resolution >= 0.999 / ticks && resolution < 0.001);
}

static void stopwatches_add_up(void **state)
{
    (void)state;
    dStopwatch watch, outer;
    memset(&watch, 0x55, sizeof watch);
    dStopwatchReset(&watch);
    dStopwatchReset(&outer);
    assert_true(dStopwatchTime(&watch) == 0);
    dStopwatchStop(&watch); /* it stands */
    assert_true(dStopwatchTime(&watch) == 0);

    double begin = now();
    dStopwatchStart(&outer);
    dStopwatchStart(&watch);
    double first = wait_for(0.004);
    dStopwatchStop(&watch);
    double once = dStopwatchTime(&watch);
    assert_true(once >= 0.999 * first);
    assert_true(fabs(watch.time - once * dTimerTicksPerSecond()) <= 1e-6 * watch.time);
    wait_for(0.004);
    dStopwatchStop(&watch); /* it stands: nothing is counted twice */
    assert_true(dStopwatchTime(&watch) == once);
    dStopwatchStart(&watch);
    double second = wait_for(0.002);
    dStopwatchStop(&watch);
    dStopwatchStop(&outer);
    double all = now() - begin, twice = dStopwatchTime(&watch);
    assert_true(twice >= 0.999 * (first + second));
    assert_true(twice <= dStopwatchTime(&outer) - 0.0039 && dStopwatchTime(&outer) <= 1.001 * all);

    dStopwatchStart(&watch);
    dStopwatchReset(&watch);
    dStopwatchStop(&watch);
    assert_true(dStopwatchTime(&watch) == 0);
}

/* --- reports */

enum { MOST_LINES = 120 };
typedef struct report {
    int lines;
    char name[MOST_LINES][40];
    double ms[MOST_LINES], percent[MOST_LINES], mean_ms[MOST_LINES], mean_percent[MOST_LINES];
    double resolution;
} report;

static report take_report(int average)
{
    report r = {0};
    FILE *file = tmpfile();
    char line[200];
    assert_non_null(file);
    dTimerReport(file, average);
    rewind(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "\n");
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(sscanf(line, "Timer Report (%lf us resolution)", &r.resolution), 1);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "------------\n");
    while (fgets(line, sizeof line, file) && line[0] != '\n') {
        int i = r.lines++;
        assert_true(i < MOST_LINES);
        int read = sscanf(line, "%39s %lfms %lf%% (avg %lfms %lf%%)", r.name[i], &r.ms[i],
                          &r.percent[i], &r.mean_ms[i], &r.mean_percent[i]);
        assert_int_equal(read, average ? 5 : 3);
    }
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    return r;
}

static void work(double first, double second)
{
    dTimerStart("first");
    wait_for(first);
    dTimerNow("second_and_longer");
    wait_for(second);
    dTimerEnd();
    wait_for(0.002); /* belongs to nobody */
}

static void reports_share_out_the_time(void **state)
{
    (void)state;
    report r = take_report(0);
    assert_int_equal(r.lines, 0);
    double begin = now();
    work(0.003, 0.006);
    double all = (now() - begin) * 1e3;
    r = take_report(0);
    assert_int_equal(r.lines, 3);
    assert_string_equal(r.name[0], "first");
    assert_string_equal(r.name[1], "second_and_longer");
    assert_string_equal(r.name[2], "TOTAL");
    assert_true(r.ms[0] >= 2.98 && r.ms[1] >= 5.98 && r.ms[2] <= all - 1.98);
    assert_true(fabs(r.ms[0] + r.ms[1] - r.ms[2]) < 0.02 && r.percent[2] == 100);
    for (int i = 0; i < 2; ++i)
        assert_true(fabs(r.percent[i] - 100 * r.ms[i] / r.ms[2]) < 0.3);

    report first = r;
    work(0.009, 0.002);
    r = take_report(1);
    assert_int_equal(r.lines, 3);
    assert_true(r.ms[0] >= 8.98);
    for (int i = 0; i < 3; ++i) {
        assert_true(fabs(r.mean_ms[i] - (r.ms[i] + first.ms[i]) / 2) < 0.02);
        assert_true(fabs(r.mean_percent[i] - 100 * r.mean_ms[i] / r.mean_ms[2]) < 0.3);
    }
}

static void other_work_has_times_of_its_own(void **state)
{
    (void)state;
    work(0.003, 0.001);
    dTimerStart("first");
    dTimerNow("other");
    wait_for(0.002);
    dTimerEnd();
    dTimerEnd(); /* it has ended */
    dTimerNow("nothing");
    report r = take_report(1);
    assert_int_equal(r.lines, 3);
    assert_string_equal(r.name[1], "other");
    assert_true(r.ms[1] == r.mean_ms[1] && r.ms[1] >= 1.98);
    assert_true(4 * r.mean_ms[0] >= 14.9); /* of the runs of the test before, too */
}

static void the_last_part_takes_the_rest(void **state)
{
    (void)state;
    dTimerStart("part0");
    for (int i = 1; i < 150; ++i)
        dTimerNow(i == 99 ? "last" : i < 99 ? "part" : "more");
    wait_for(0.003);
    dTimerEnd();
    report r = take_report(0);
    assert_int_equal(r.lines, 101);
    assert_string_equal(r.name[99], "last");
    assert_true(r.ms[99] >= 2.98);
}

static void bad_timers_are_refused(void **state)
{
    (void)state;
    report before = take_report(0);
    EXPECT_REFUSAL(dStopwatchReset(NULL), "dStopwatchReset: watch must not be null");
    EXPECT_REFUSAL(dStopwatchStart(NULL), "dStopwatchStart: watch must not be null");
    EXPECT_REFUSAL(dStopwatchStop(NULL), "dStopwatchStop: watch must not be null");
    EXPECT_REFUSAL(assert_true(dStopwatchTime(NULL) == 0),
                   "dStopwatchTime: watch must not be null");
    EXPECT_REFUSAL(dTimerStart(NULL), "dTimerStart: description must not be null");
    EXPECT_REFUSAL(dTimerNow(NULL), "dTimerNow: description must not be null");
    EXPECT_REFUSAL(dTimerReport(NULL, 0), "dTimerReport: fout must not be null");
    report after = take_report(0);
    assert_int_equal(after.lines, before.lines);
    assert_memory_equal(after.ms, before.ms, sizeof after.ms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(the_clock_has_ticks),          HEARING(stopwatches_add_up),
        HEARING(reports_share_out_the_time),   HEARING(other_work_has_times_of_its_own),
        HEARING(the_last_part_takes_the_rest), HEARING(bad_timers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

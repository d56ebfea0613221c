/* test_counters.c: counts per stage. Virtual machines have no hardware events, so the way from
 * event to figure is tested with the kernel's own; where it denies those as well, only that
 * everything is told as missing. */
#include "tests/support/test.h"

#include "bench/counters.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <linux/perf_event.h>

enum { PAGES = 64, PAGE = 1 << 16 };

static const bench_counter_event software[BENCH_COUNTERS] = {
    {"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"nothing", PERF_TYPE_SOFTWARE, 12345},
    {"task_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
};

static const bench_stage stages[] = {
    {"work", "", 0}, {"touch", "work", 0}, {"touch", "", 0}, {"idle", "", 0}};

/* Memory that nothing has touched before, so that every page faults. */
static void touch(void)
{
    static char memory[8][PAGES * PAGE];
    static int used;
    volatile char *fresh = memory[used++];
    for (int i = 0; i < PAGES; ++i)
        fresh[i * PAGE] = 1;
}

static void zone(const bench_probe *probe, const char *name, void (*body)(const bench_probe *))
{
    probe->begin(probe->user, name);
    if (body)
        body(probe);
    probe->end(probe->user, name);
}

static void inner(const bench_probe *probe)
{
    (void)probe;
    touch();
}

static void work(const bench_probe *probe)
{
    touch();
    zone(probe, "touch", inner);
}

static void step(const bench_probe *probe)
{
    zone(probe, "work", work);
    zone(probe, "touch", NULL);
    zone(probe, "unknown", inner);
    zone(probe, "idle", NULL);
}

static void counts_belong_to_their_stage_and_its_parent(void **state)
{
    (void)state;
    bench_counters *counters = bench_counters_open(software);
    const bench_probe *probe = bench_counters_probe(counters);
    bench_stage_counts out[4];
    bench_counters_reset(counters, stages, 4);
    zone(probe, "step", step);
    zone(probe, "step", step);
    bench_counters_read(counters, 2, out);
    assert_non_null(bench_counters_missing(counters)); /* the second is not an event */
    for (int i = 0; i < 4; ++i)
        assert_true(out[i].value[1] < 0);
    if (out[0].value[0] < 0) {
        bench_counters_close(counters);
        skip(); /* no counting at all here */
    }
    assert_true(out[1].value[0] >= PAGES);
    assert_true(out[0].value[0] >= PAGES + out[1].value[0]);
    assert_true(out[2].value[0] < PAGES && out[3].value[0] < PAGES);
    assert_true(out[0].value[2] > out[1].value[2] && out[1].value[2] > 0);
    bench_counters_reset(counters, stages, 4);
    bench_counters_read(counters, 1, out);
    assert_true(out[0].value[0] == 0);
    bench_counters_close(counters);
}
#endif

static void what_is_missing_stays_negative(void **state)
{
    (void)state;
    const bench_counter_event none[BENCH_COUNTERS] = {
        {"a", 0xffff, 0}, {"b", 0xffff, 1}, {"c", 0xffff, 2}};
    const bench_stage stage = {"work", "", 0};
    bench_stage_counts out;
    bench_counters *counters = bench_counters_open(none);
    const bench_probe *probe = bench_counters_probe(counters);
    bench_counters_reset(counters, &stage, 1);
    probe->begin(probe->user, "work");
    probe->end(probe->user, "work");
    bench_counters_read(counters, 1, &out);
    for (int i = 0; i < BENCH_COUNTERS; ++i)
        assert_true(out.value[i] < 0);
    assert_true(strlen(bench_counters_missing(counters)) > 0);
    bench_counters_close(counters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef __linux__
        cmocka_unit_test(counts_belong_to_their_stage_and_its_parent),
#endif
        cmocka_unit_test(what_is_missing_stays_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

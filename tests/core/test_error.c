/* The error hook, its default line on stderr, the texts of statuses; and profile zones, which call
 * a hook too. */
#define _POSIX_C_SOURCE 200809L
#include "core/error.h"
#include "core/os.h"
#include "core/profile.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reports one error through the default hook and returns what reached stderr. */
static void printed_error(char *text, size_t size, const char *argument)
{
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);
    assert_non_null(file);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    lode__error(LODE_ERROR_ARGUMENT, "lode_world_step", argument, "must be above 0");
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
}

static void default_hook_prints_one_line(void **state)
{
    (void)state;
    char text[200];
    printed_error(text, sizeof text, "dt");
    assert_string_equal(text, "lode: lode_world_step: dt: must be above 0 (bad argument)\n");
    printed_error(text, sizeof text, "");
    assert_string_equal(text, "lode: lode_world_step: must be above 0 (bad argument)\n");
}

static void join_words(void *user, lode_status status, const char *function, const char *argument,
                       const char *message)
{
    snprintf(user, 100, "%d %s %s %s", (int)status, function, argument, message);
}

static void hook_receives_all_parts_and_status_is_returned(void **state)
{
    (void)state;
    char words[100] = "";
    lode_set_error_hook(join_words, words);
    assert_int_equal(lode__error(LODE_ERROR_STATE, "f", "a", "m"), LODE_ERROR_STATE);
    assert_string_equal(words, "5 f a m");
    assert_int_equal(lode_report_error(LODE_ERROR_SYSTEM, "g", "b", "n"), LODE_ERROR_SYSTEM);
    assert_string_equal(words, "6 g b n");
    lode_report_error(LODE_ERROR_ARGUMENT, "g", NULL, "n");
    assert_string_equal(words, "1 g  n");
    lode_set_error_hook(NULL, NULL);
}

static void every_status_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (int a = -1; a <= LODE_ERROR_SYSTEM + 1; ++a) {
        const char *text = lode_status_text((lode_status)a);
        assert_non_null(text);
        assert_true(strlen(text) > 0);
        for (int b = 0; b < a && a <= LODE_ERROR_SYSTEM; ++b)
            assert_string_not_equal(text, lode_status_text((lode_status)b));
    }
}

enum { NOTES = 100 };

static void append(char *notes, const char *text)
{
    size_t length = strlen(notes);
    snprintf(notes + length, NOTES - length, "%s", text);
}

static void note_begin(void *user, const char *name)
{
    append(user, "<");
    append(user, name);
}

static void note_end(void *user, const char *name)
{
    append(user, name);
    append(user, ">");
}

static void zones_are_timed_and_shown(void **state)
{
    (void)state;
    char notes[NOTES] = "";
    const lode__stage stages[] = {{"solve", "", "", ""}, {"iterate", "solve", "", ""}};
    lode__stage_time times[2];
    lode__profile profile = {
        .hooks = {notes, note_begin, note_end}, .stages = stages, .times = times, .count = 2};
    lode__profile_reset(&profile);
    lode__profile_begin(&profile, 0);
    for (int i = 0; i < 2; ++i) {
        lode__profile_begin(&profile, 1);
        lode__profile_end(&profile, 1);
    }
    lode__profile_end(&profile, 0);
    assert_string_equal(notes, "<solve<iterateiterate><iterateiterate>solve>");
    assert_int_equal(times[0].calls, 1);
    assert_int_equal(times[1].calls, 2);
    assert_true(times[0].count >= times[1].count);
    profile.hooks = (lode_profiler){0};
    lode__profile_begin(&profile, 0);
    lode__profile_end(&profile, 0);
    assert_int_equal(times[0].calls, 2);
    lode__profile_reset(&profile);
    assert_int_equal(times[0].calls, 0);
    assert_true(times[0].count == 0);
}

/* How far a zone of ten milliseconds is from what the clock says of it, as a share. */
static double zone_is_off(void)
{
    const lode__stage stages[] = {{"wait", "", "", ""}};
    lode__stage_time times[1];
    lode__profile profile = {.stages = stages, .times = times, .count = 1};
    lode__profile_start(&profile);
    lode__profile_reset(&profile);
    lode__profile_begin(&profile, 0);
    uint64_t begin = lode__os_ticks();
    double waited;
    do
        waited = lode__os_seconds(lode__os_ticks() - begin);
    while (waited < 0.01);
    lode__profile_end(&profile, 0);
    return fabs(lode__profile_seconds(&profile, times[0].count) / waited - 1);
}

/* The thread may be held up between the two: so one of several must agree. */
static void counts_are_told_in_seconds(void **state)
{
    (void)state;
    double least = 1;
    for (int i = 0; i < 20 && least > 1e-3; ++i)
        least = fmin(least, zone_is_off());
    assert_true(least <= 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_hook_prints_one_line),
        cmocka_unit_test(hook_receives_all_parts_and_status_is_returned),
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(zones_are_timed_and_shown),
        cmocka_unit_test(counts_are_told_in_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

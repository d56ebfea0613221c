/* timer.c: stopwatches, and how long the parts of a piece of work take.
 *
 * The clock is the system's monotonic one, which nobody sets back. The parts of work are the
 * process's, for one thread at a time, as in ODE. */
#include "ode/check.h"
#include "ode/timer.h"
#include "core/os.h"

#include <string.h>

/* --- the clock */

double dTimerTicksPerSecond(void)
{
    const uint64_t many = (uint64_t)1 << 40;
    return floor((double)many / lode__os_seconds(many) + 0.5);
}

/* The least that the clock goes on by in some of its steps. */
double dTimerResolution(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 50; ++i) {
        uint64_t begin = lode__os_ticks(), end = begin;
        while (end == begin)
            end = lode__os_ticks();
        if (end - begin < least)
            least = end - begin;
    }
    return lode__os_seconds(least);
}

/* --- stopwatches: a watch that stands has no start */

static void keep_start(dStopwatch *watch, uint64_t ticks)
{
    watch->cc[0] = (unsigned long)(ticks & 0xffffffff);
    watch->cc[1] = (unsigned long)(ticks >> 32);
}

static uint64_t start_of(const dStopwatch *watch)
{
    return (uint64_t)watch->cc[1] << 32 | watch->cc[0];
}

void dStopwatchReset(dStopwatch *watch)
{
    if (!CHECK_GIVEN(watch))
        return;
    watch->time = 0;
    keep_start(watch, 0);
}

void dStopwatchStart(dStopwatch *watch)
{
    if (CHECK_GIVEN(watch))
        keep_start(watch, lode__os_ticks());
}

void dStopwatchStop(dStopwatch *watch)
{
    if (!CHECK_GIVEN(watch) || start_of(watch) == 0)
        return;
    watch->time += (double)(lode__os_ticks() - start_of(watch));
    keep_start(watch, 0);
}

double dStopwatchTime(dStopwatch *watch)
{
    return CHECK_GIVEN(watch) ? watch->time / dTimerTicksPerSecond() : 0;
}

/* --- parts of work */

enum { MOST_PARTS = 100 };

typedef struct part {
    const char *description;
    uint64_t begin;     /* ticks */
    double last, sum;   /* ticks, of the last run and of all */
    unsigned long runs; /* that have come to its end */
} part;

static part parts[MOST_PARTS];
static int part_count; /* of the current run or the last one */
static bool running;

/* A part keeps its times from run to run as long as its place has the same name. */
static void begin_part(const char *description)
{
    part *p = &parts[part_count++];
    if (!p->description || strcmp(p->description, description) != 0)
        *p = (part){.description = description};
    p->description = description;
    p->last = 0;
    p->begin = lode__os_ticks();
}

static void end_part(void)
{
    part *p = &parts[part_count - 1];
    p->last = (double)(lode__os_ticks() - p->begin);
    p->sum += p->last;
    ++p->runs;
}

void dTimerStart(const char *description)
{
    if (!CHECK_GIVEN(description))
        return;
    part_count = 0;
    running = true;
    begin_part(description);
}

void dTimerNow(const char *description)
{
    if (!CHECK_GIVEN(description) || !running || part_count == MOST_PARTS)
        return;
    end_part();
    begin_part(description);
}

void dTimerEnd(void)
{
    if (running)
        end_part();
    running = false;
}

/* A line of the report, in milliseconds and parts of the whole. */
static void print_line(FILE *out, int width, const char *name, const double *times,
                       const double *wholes, int columns)
{
    static const char *const formats[] = {" %7.2fms %6.2f%%", "  (avg %7.2fms %6.2f%%)"};
    fprintf(out, "%-*s", width, name);
    for (int i = 0; i < columns; ++i)
        fprintf(out, formats[i], times[i] * 1e3 / dTimerTicksPerSecond(),
                wholes[i] > 0 ? times[i] * 100 / wholes[i] : 0);
    fputc('\n', out);
}

void dTimerReport(FILE *fout, int average)
{
    if (!CHECK_GIVEN(fout))
        return;
    double times[MOST_PARTS][2], wholes[2] = {0, 0};
    int width = 5, columns = average ? 2 : 1;
    for (int i = 0; i < part_count; ++i) {
        const part *p = &parts[i];
        int length = (int)strlen(p->description);
        width = length > width ? length : width;
        times[i][0] = p->last;
        times[i][1] = p->runs ? p->sum / (double)p->runs : 0;
        wholes[0] += times[i][0];
        wholes[1] += times[i][1];
    }
    fprintf(fout, "\nTimer Report (%g us resolution)\n------------\n", dTimerResolution() * 1e6);
    for (int i = 0; i < part_count; ++i)
        print_line(fout, width, parts[i].description, times[i], wholes, columns);
    if (part_count)
        print_line(fout, width, "TOTAL", wholes, wholes, columns);
    fputc('\n', fout);
}

/* progress.c: a bar on stderr, redrawn at most ten times a second so that it costs no time. */
#define _POSIX_C_SOURCE 200809L
#include "bench/progress.h"

#include "bench/tool.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 40 };

static struct {
    bool visible;
    int work, done;
    double last_drawn;
    const char *label;
} bar = {.label = ""};

void bench_progress_begin(int work)
{
    bar.visible = isatty(STDERR_FILENO) == 1;
    bar.work = work > 0 ? work : 1;
    bar.done = 0;
}

void bench_progress_label(const char *label)
{
    bar.label = label;
}

void bench_progress_add(int work)
{
    bar.done += work;
    if (!bar.visible || bench_now() - bar.last_drawn < 0.1)
        return;
    bar.last_drawn = bench_now();
    int filled = (int)((double)WIDTH * bar.done / bar.work);
    fputs("\r[", stderr);
    for (int i = 0; i < WIDTH; ++i)
        fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %3d%% %-14s", (int)(100.0 * bar.done / bar.work), bar.label);
    fflush(stderr);
}

void bench_progress_clear(void)
{
    if (bar.visible)
        fputs("\r\033[K", stderr);
}

/* plot.c: writes data and a script into gnuplot's standard input.
 *
 * One panel per scene: a bar per engine, its height the median step in milliseconds, its parts the
 * stages. Engines differ by a factor of ten, so a last panel shows the shares of Lode's stages in
 * all scenes. Stages that are nowhere a fiftieth of their step, and what no stage accounts for, are
 * shown as the rest; an engine without stages is all rest. */
#define _POSIX_C_SOURCE 200809L
#include "bench/plot.h"

#include "bench/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 2 * BENCH_STAGES, ACROSS = 4, PANEL_WIDTH = 300, PANEL_HEIGHT = 230, SHARES = 330 };

typedef struct picture {
    const bench_result **scenes; /* those with times, at their first engine */
    int count, engine_count;
    const char *parts[PARTS]; /* names of stages; the rest comes after them */
    int part_count;
} picture;

static const char *terminal_for(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".svg") == 0)
        return "svg";
    return dot && strcmp(dot, ".png") == 0 ? "pngcairo" : NULL;
}

void bench_plot_check(const char *path)
{
    if (!terminal_for(path))
        bench_fail("--plot: '%s' ends neither in .svg nor in .png", path);
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        bench_fail("--plot: gnuplot is not installed; Debian's package is gnuplot-nox");
}

static double stage_ms(const bench_result *r, const char *name)
{
    for (int k = 0; k < r->stage_count; ++k)
        if (r->stages[k].parent[0] == 0 && strcmp(r->stages[k].name, name) == 0)
            return r->stages[k].ms;
    return 0;
}

static bool is_part(const picture *p, const char *name)
{
    for (int i = 0; i < p->part_count; ++i)
        if (strcmp(p->parts[i], name) == 0)
            return true;
    return false;
}

static void find_parts(picture *p)
{
    for (int i = 0; i < p->count * p->engine_count; ++i) {
        const bench_result *r = &p->scenes[i / p->engine_count][i % p->engine_count];
        for (int k = 0; k < r->stage_count && p->part_count < PARTS; ++k) {
            const bench_stage_time *stage = &r->stages[k];
            bool large = stage->ms > 0.02 * r->step_ms.median;
            if (stage->parent[0] == 0 && large && !is_part(p, stage->name))
                p->parts[p->part_count++] = stage->name;
        }
    }
}

/* A label and the parts, each times `scale`. */
static void write_bar(FILE *out, const picture *p, const bench_result *r, const char *label,
                      double scale)
{
    double rest = r->step_ms.median;
    fprintf(out, "\"%s\"", label);
    for (int i = 0; i < p->part_count; ++i) {
        double ms = stage_ms(r, p->parts[i]);
        rest -= ms;
        fprintf(out, " %.6g", scale * ms);
    }
    fprintf(out, " %.6g %.6g\n", scale * (rest > 0 ? rest : 0), r->step_ms.median);
}

static void write_data(FILE *out, const picture *p)
{
    for (int s = 0; s < p->count; ++s) {
        fprintf(out, "$scene%d << END\n", s);
        for (int e = 0; e < p->engine_count; ++e) {
            const bench_result *r = &p->scenes[s][e];
            write_bar(out, p, r, r->engine->name, 1);
        }
        fputs("END\n", out);
    }
    fputs("$shares << END\n", out);
    for (int s = 0; s < p->count; ++s)
        write_bar(out, p, p->scenes[s], p->scenes[s]->scene, 100 / p->scenes[s]->step_ms.median);
    fputs("END\n", out);
}

/* A panel's place in pixels from the upper left corner. */
static void write_place(FILE *out, int x, int y, int width, int height, int whole_width,
                        int whole_height)
{
    fprintf(out, "set origin %.5f, %.5f\nset size %.5f, %.5f\n", (double)x / whole_width,
            1 - (double)(y + height) / whole_height, (double)width / whole_width,
            (double)height / whole_height);
}

static void write_panels(FILE *out, const picture *p, int width, int height)
{
    int columns = p->part_count + 1;
    fputs("set yrange [0:*]\nset offsets 0, 0, graph 0.12, 0\nunset key\nset ylabel 'ms'\n", out);
    for (int s = 0; s < p->count; ++s) {
        write_place(out, s % ACROSS * PANEL_WIDTH, s / ACROSS * PANEL_HEIGHT, PANEL_WIDTH,
                    PANEL_HEIGHT, width, height);
        fprintf(out,
                "set title '%s'\n"
                "plot for [i=2:%d] $scene%d using i:xtic(1) linestyle i, "
                "$scene%d using 0:%d:(sprintf('%%.3g', $%d)) with labels offset 0, 0.6\n",
                p->scenes[s]->scene, columns + 1, s, s, columns + 2, columns + 2);
    }
}

static void write_shares(FILE *out, const picture *p, int width, int height)
{
    write_place(out, 0, height - SHARES, width, SHARES, width, height);
    fputs("set title 'where a step of Lode goes'\n"
          "set offsets 0, 0, 0, 0\nset yrange [0:100]\nset ylabel '%'\n"
          "set key outside right invert\nset xtics rotate by -20\n",
          out);
    fputs("plot ", out);
    for (int i = 0; i <= p->part_count; ++i)
        fprintf(out, "%s$shares using %d:xtic(1) linestyle %d title '%s'", i ? ", " : "", i + 2,
                i + 2, i < p->part_count ? p->parts[i] : "the rest");
    fputc('\n', out);
}

static void write_script(FILE *out, const picture *p, const char *path)
{
    static const char *const colours[] = {"#4477aa", "#66ccee", "#228833", "#ccbb44",
                                          "#ee6677", "#aa3377", "#882255", "#44aa99",
                                          "#ddaa33", "#004488", "#997700", "#6699cc"};
    enum { COLOURS = sizeof colours / sizeof colours[0] };
    int width = ACROSS * PANEL_WIDTH;
    int height = (p->count + ACROSS - 1) / ACROSS * PANEL_HEIGHT + SHARES;
    fprintf(
        out,
        "set terminal %s size %d,%d font 'sans,11' noenhanced background '#ffffff'\nset output '",
        terminal_for(path), width, height);
    for (const char *c = path; *c; ++c)
        fprintf(out, "%s%c", *c == '\'' ? "'" : "", *c);
    fputs("'\nset style data histograms\nset style histogram rowstacked\n"
          "set style fill solid noborder\nset boxwidth 0.7\nset tics nomirror\nset border 3\n"
          "set grid y\n",
          out);
    for (int i = 0; i < p->part_count; ++i)
        fprintf(out, "set style line %d linecolor rgb '%s'\n", i + 2, colours[i % COLOURS]);
    fprintf(out, "set style line %d linecolor rgb '#bbbbbb'\n", p->part_count + 2);
    write_data(out, p);
    fputs("set multiplot\n", out);
    write_panels(out, p, width, height);
    write_shares(out, p, width, height);
    fputs("unset multiplot\n", out);
}

bool bench_plot_write(const char *path, const bench_result *results, int scene_count,
                      int engine_count)
{
    picture p = {.scenes = bench_alloc((size_t)scene_count, sizeof *p.scenes),
                 .engine_count = engine_count};
    for (int s = 0; s < scene_count; ++s)
        if (results[s * engine_count].timed)
            p.scenes[p.count++] = &results[s * engine_count];
    find_parts(&p);
    FILE *gnuplot = p.count > 0 ? popen("gnuplot", "w") : NULL;
    bool ok = gnuplot != NULL;
    if (ok) {
        write_script(gnuplot, &p, path);
        ok = pclose(gnuplot) == 0;
    }
    if (!ok)
        fprintf(stderr, "lode-bench: --plot: %s\n",
                p.count > 0 ? "gnuplot failed" : "no scene with times to draw");
    free(p.scenes);
    return ok;
}

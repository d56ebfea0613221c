/* solver_systems.c: systems of boxes for solvers; see solvers.h. */
#include "bench/solvers.h"
#include "bench/tool.h"

#include <stdlib.h>

enum { TIES_OF_BOX = 4 };

static void put(double out[3], double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static void add_tie(bench_system *s, int a, int b, double x, double y, double z)
{
    bench_tie *tie = &s->ties[s->tie_count++];
    tie->a = a;
    tie->b = b;
    put(tie->at, x, y, z);
}

/* Box i hangs on box i - 1, half-way between the two. */
static void make_chain(bench_system *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        put(s->center[i], 0.6 * (i + 0.5), 0, -0.8 * (i + 0.5));
        add_tie(s, i, i - 1, 0.6 * i, 0, -0.8 * i);
    }
}

/* Box i hangs on box (i - 1) / 2; each level is a row, a metre below the last. */
static void make_tree(bench_system *s)
{
    for (int i = 0, level = 0, first = 0; i < s->bodies; ++i) {
        if (i > 2 * first) {
            first = i;
            ++level;
        }
        put(s->center[i], i - 1.5 * first, 0, -level);
        const double *up = i > 0 ? s->center[(i - 1) / 2] : s->center[0];
        const double *own = s->center[i];
        add_tie(s, i, i > 0 ? (i - 1) / 2 : -1, (up[0] + own[0]) / 2, 0, (up[2] + own[2]) / 2);
    }
}

static void make_tower(bench_system *s)
{
    const double h = BENCH_BOX_HALF;
    for (int i = 0; i < s->bodies; ++i) {
        put(s->center[i], 0, 0, h + 2 * h * i);
        for (int k = 0; k < TIES_OF_BOX; ++k)
            add_tie(s, i, i - 1, k & 1 ? h : -h, k & 2 ? h : -h, 2 * h * i);
    }
}

double bench_system_drift(int i, int axis)
{
    return 1e-7 * ((i * 7 + axis * 5) % 11 - 5);
}

bench_system bench_system_make(bench_shape_of_system shape, int rows)
{
    static const struct {
        const char *name;
        void (*make)(bench_system *s);
        int rows; /* of a box */
    } shapes[BENCH_SYSTEM_COUNT] = {
        [BENCH_SYSTEM_CHAIN] = {"chain of ball joints", make_chain, 3},
        [BENCH_SYSTEM_TREE] = {"tree of ball joints", make_tree, 3},
        [BENCH_SYSTEM_TOWER] = {"tower of boxes", make_tower, 3 * TIES_OF_BOX},
    };
    bench_system s = {.name = shapes[shape].name, .touch = shape == BENCH_SYSTEM_TOWER};
    s.bodies = (rows + shapes[shape].rows / 2) / shapes[shape].rows;
    s.center = (double(*)[3])bench_alloc((size_t)s.bodies, sizeof *s.center);
    s.ties = bench_alloc((size_t)(s.bodies * TIES_OF_BOX), sizeof *s.ties);
    shapes[shape].make(&s);
    return s;
}

void bench_system_free(bench_system *system)
{
    free(system->center);
    free(system->ties);
}

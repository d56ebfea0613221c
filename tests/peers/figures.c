/* figures.c: prints rows of the tables in docs/fidelity.md: a trial of tests/fidelity/trials.h with
 * each way to solve. tools/fidelity_docs.py puts them there.
 *
 *     figures_single TRIAL      what Lode does in single precision
 *     figures_double TRIAL      in double precision, and libode, which Debian builds in double */
#include "tests/fidelity/trials.h"

#include <math.h>
#include <stdio.h>

#ifdef LODE_DOUBLE
#define PRECISION "double"
#else
#define PRECISION "single"
#endif

static void print_figure(double figure)
{
    if (isnan(figure))
        printf(" failed |");
    else
        printf(" %.2g |", figure);
}

static void print_rows(const char *name, const trial_engine *engine, const trial *t)
{
    for (int i = 0; i < engine->way_count; ++i) {
        double figures[TRIAL_FIGURES];
        t->run(engine, &engine->ways[i], figures);
        printf("| %s, %s |", name, engine->ways[i].name);
        for (int k = 0; k < t->figures; ++k)
            print_figure(figures[k]);
        printf("\n");
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    const trial *t = argc == 2 ? trial_find(argv[1]) : NULL;
    if (!t) {
        fprintf(stderr, "figures: which trial?\n");
        for (int i = 0; i < TRIAL_COUNT; ++i)
            fprintf(stderr, "  %s\n", trials[i].name);
        return 2;
    }
    print_rows(PRECISION, &trial_lode, t);
#ifdef LODE_DOUBLE
    print_rows("libode", &trial_ode, t);
#endif
    return 0;
}

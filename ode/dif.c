/* dif.c: lines of tables of Lua. Numbers have as many digits as give them back. */
#include "ode/dif.h"

#include <float.h>

#define DIGITS (sizeof(dReal) == sizeof(float) ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG)

void lode__dif_indent(const lode__dif *w)
{
    for (int i = 0; i < w->depth; ++i)
        fputc('\t', w->file);
}

/* Infinity is a name of Lua's. */
static void put_number(const lode__dif *w, dReal x)
{
    if (isinf(x))
        fputs(x < 0 ? "-math.huge" : "math.huge", w->file);
    else
        fprintf(w->file, "%.*g", (int)DIGITS, (double)x);
}

void lode__dif_numbers(const lode__dif *w, const dReal *x, int count)
{
    fputc('{', w->file);
    for (int i = 0; i < count; ++i) {
        if (i > 0)
            fputc(',', w->file);
        put_number(w, x[i]);
    }
    fputc('}', w->file);
}

void lode__dif_number_line(const lode__dif *w, const char *label, dReal x)
{
    lode__dif_indent(w);
    fprintf(w->file, "%s = ", label);
    put_number(w, x);
    fputs(",\n", w->file);
}

void lode__dif_numbers_line(const lode__dif *w, const char *label, const dReal *x, int count)
{
    lode__dif_indent(w);
    fprintf(w->file, "%s = ", label);
    lode__dif_numbers(w, x, count);
    fputs(",\n", w->file);
}

void lode__dif_vector_line(const lode__dif *w, const char *label, lode_vec3 v)
{
    const dReal x[3] = {v.x, v.y, v.z};
    lode__dif_numbers_line(w, label, x, 3);
}

void lode__dif_flag_line(const lode__dif *w, const char *label, bool set)
{
    if (set)
        lode__dif_number_line(w, label, 1);
}

void lode__dif_open_table(lode__dif *w, const char *label)
{
    lode__dif_indent(w);
    fprintf(w->file, label ? "%s = {\n" : "{\n", label);
    ++w->depth;
}

void lode__dif_close_table(lode__dif *w)
{
    --w->depth;
    lode__dif_indent(w);
    fputs("},\n", w->file);
}

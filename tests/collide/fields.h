/* fields.h: height fields for tests, and meshes that are equal to them. */
#ifndef LODE_TESTS_FIELDS_H
#define LODE_TESTS_FIELDS_H

#include "collide/heightfield.h"
#include "tests/collide/meshes.h"
#include "tests/support/random.h"

enum { MOST_COLUMNS = 100, MOST_ROWS = 100 };

/* Samples of a field in the making, row by row. */
typedef struct field_draft {
    float heights[MOST_COLUMNS * MOST_ROWS];
    int columns, rows;
    double spacing_x, spacing_y;
} field_draft;

static inline lode_heightfield_def field_def(const field_draft *d)
{
    lode_heightfield_def def = lode_heightfield_def_default();
    def.columns = d->columns;
    def.rows = d->rows;
    def.spacing_x = (lode_real)d->spacing_x;
    def.spacing_y = (lode_real)d->spacing_y;
    def.samples = d->heights;
    def.type = LODE_SAMPLE_FLOAT;
    return def;
}

static inline void draft_field(field_draft *d, int columns, int rows, double spacing_x,
                               double spacing_y, double (*height)(double, double))
{
    d->columns = columns;
    d->rows = rows;
    d->spacing_x = spacing_x;
    d->spacing_y = spacing_y;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i)
            d->heights[j * columns + i] = height ? (float)height(i * spacing_x, j * spacing_y) : 0;
}

/* Heights in steps, so that some neighbours are level and some edges flat. */
static inline void draft_rough(field_draft *d, test_random *random, int columns, int rows,
                               double steps, double rise)
{
    draft_field(d, columns, rows, 0.5, 0.75, NULL);
    for (int i = 0; i < columns * rows; ++i)
        d->heights[i] = (float)(rise * floor(random_between(random, 0, steps + 1)) / steps);
}

/* The mesh with the same vertices and triangles, under the same numbers; those at holes are left
 * out, and *out_number, where it is not null, says which triangle of the field each is. */
static inline void draft_equal(mesh_draft *m, const field_draft *d, uint32_t *out_number)
{
    m->vertex_count = m->triangle_count = 0;
    for (int j = 0; j < d->rows; ++j)
        for (int i = 0; i < d->columns; ++i)
            draft_vertex(
                m, i * d->spacing_x, j * d->spacing_y,
                isnan(d->heights[j * d->columns + i]) ? 0 : (double)d->heights[j * d->columns + i]);
    for (int j = 0; j + 1 < d->rows; ++j)
        for (int i = 0; i + 1 < d->columns; ++i) {
            uint32_t a = (uint32_t)(j * d->columns + i), b = a + 1, c = a + (uint32_t)d->columns;
            uint32_t corners[2][3] = {{a, b, c}, {c + 1, c, b}};
            for (uint32_t half = 0; half < 2; ++half) {
                const uint32_t *t = corners[half];
                if (isnan(d->heights[t[0]]) || isnan(d->heights[t[1]]) || isnan(d->heights[t[2]]))
                    continue;
                if (out_number)
                    out_number[m->triangle_count] = 2 * (uint32_t)(j * (d->columns - 1) + i) + half;
                draft_triangle(m, t[0], t[1], t[2]);
            }
        }
}

#endif

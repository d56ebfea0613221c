/* heightfield_walk.c: the triangles of a height field near a box.
 *
 * The box covers a rectangle of cells, which follows from its sides. A small one is looked at cell
 * by cell, in a large one blocks are left out that lie above or below the box as a whole. Of a
 * field that repeats itself the rectangle is cut at the seams, and each piece is one of the first
 * repetition.
 *
 * A rectangle of an endless field could be endless too, so no more than 2 WIDEST cells of it along
 * either axis are looked at, those around its middle. */
#include "collide/heightfield.h"

enum { FEW = 64, WIDEST = 4096 };

/* How much wider the rectangle is taken, in cells, against rounding. */
#define BESIDE 1e-6

/* Cells; the last ones are in it. */
typedef struct rectangle {
    int64_t x[2], y[2];
} rectangle;

typedef struct walk {
    const lode__field *field;
    lode_vec3 origin;
    lode_real lo, hi; /* of the box, along z */
    int64_t x, y;     /* the first cell of the repetition */
    lode__surface_visit_fn *visit;
    void *context;
} walk;

static bool visit_cells(const walk *w, const rectangle *cells)
{
    const lode__field *field = w->field;
    for (int64_t y = cells->y[0]; y <= cells->y[1]; ++y)
        for (int64_t x = cells->x[0]; x <= cells->x[1]; ++x)
            for (uint32_t half = 0; half < 2; ++half) {
                uint32_t triangle = ((uint32_t)y * field->cells_x + (uint32_t)x) << 1 | half;
                lode_real h[3];
                if (!field_heights(field, triangle, h) || r_max(h[0], r_max(h[1], h[2])) < w->lo ||
                    r_min(h[0], r_min(h[1], h[2])) > w->hi)
                    continue;
                lode__triangle t = field_place(field, triangle, h, w->x + x, w->y + y, w->origin);
                if (!w->visit(w->context, triangle, &t))
                    return false;
            }
    return true;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What of the rectangle is in a block. */
static bool visit_block(const walk *w, const rectangle *cells, uint32_t k, int64_t x, int64_t y)
{
    const lode__field_level *level = &w->field->levels[k];
    const lode__field_range *range = &level->ranges[(size_t)y * level->columns + (size_t)x];
    uint32_t shift = LODE__FIELD_BITS * (k + 1), below = LODE__FIELD_BITS * k;
    if (range->hi < w->lo || range->lo > w->hi)
        return true;
    rectangle in = {
        {larger(cells->x[0], x << shift), smaller(cells->x[1], ((x + 1) << shift) - 1)},
        {larger(cells->y[0], y << shift), smaller(cells->y[1], ((y + 1) << shift) - 1)},
    };
    if (k == 0)
        return visit_cells(w, &in);
    for (int64_t j = in.y[0] >> below; j <= in.y[1] >> below; ++j)
        for (int64_t i = in.x[0] >> below; i <= in.x[1] >> below; ++i)
            if (!visit_block(w, &in, k - 1, i, j))
                return false;
    return true;
}

static bool visit_repetition(const walk *w, const rectangle *cells)
{
    int64_t count = (cells->x[1] - cells->x[0] + 1) * (cells->y[1] - cells->y[0] + 1);
    return count <= FEW ? visit_cells(w, cells)
                        : visit_block(w, cells, w->field->level_count - 1, 0, 0);
}

/* Those between two coordinates; false: none. */
static bool cells_between(const lode__field *field, double lo, double hi, double spacing,
                          uint32_t count, int64_t out[2])
{
    double first = __builtin_floor(lo / spacing - BESIDE);
    double last = __builtin_floor(hi / spacing + BESIDE);
    double least = 0, most = (double)count - 1;
    if (field->wrap) {
        double end = __builtin_floor(LODE__FIELD_ENDLESS / spacing);
        double middle = __builtin_floor((first + last) / 2);
        least = middle - WIDEST < -end ? -end : middle - WIDEST;
        most = middle + WIDEST > end ? end : middle + WIDEST;
    }
    first = first > least ? first : least;
    last = last < most ? last : most;
    if (!(first <= last))
        return false;
    out[0] = (int64_t)first;
    out[1] = (int64_t)last;
    return true;
}

static int64_t floor_divide(int64_t a, uint32_t b)
{
    return (a - field_repeated(a, b)) / (int64_t)b;
}

bool lode__field_walk(const lode__field *field, lode_vec3 origin, lode_vec3 lo, lode_vec3 hi,
                      lode__surface_visit_fn *visit, void *context)
{
    walk w = {field, origin, lo.z, hi.z, 0, 0, visit, context};
    int64_t nx = field->cells_x, ny = field->cells_y;
    rectangle all;
    if (!(lo.z <= field->highest && hi.z >= field->lowest) ||
        !cells_between(field, (double)lo.x, (double)hi.x, field->spacing_x, field->cells_x,
                       all.x) ||
        !cells_between(field, (double)lo.y, (double)hi.y, field->spacing_y, field->cells_y, all.y))
        return true;
    for (int64_t j = floor_divide(all.y[0], field->cells_y); j * ny <= all.y[1]; ++j)
        for (int64_t i = floor_divide(all.x[0], field->cells_x); i * nx <= all.x[1]; ++i) {
            w.x = i * nx;
            w.y = j * ny;
            rectangle part = {{larger(all.x[0] - w.x, 0), smaller(all.x[1] - w.x, nx - 1)},
                              {larger(all.y[0] - w.y, 0), smaller(all.y[1] - w.y, ny - 1)}};
            if (!visit_repetition(&w, &part))
                return false;
        }
    return true;
}

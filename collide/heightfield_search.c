/* heightfield_search.c: what of a height field is nearest to a box, or along a direction.
 *
 * Branch and bound over blocks: the one nearest to the middle of the box is looked at first, in it
 * again the nearest, and so on down to cells; then all others that are not farther away than what
 * is known by then.
 *
 * Of a field that repeats itself only the repetitions under the box and those around them matter: a
 * place farther away has a copy half a repetition or less from the box along each axis, at the same
 * height, which is nearer. */
#include "collide/heightfield.h"

/* Repetitions are looked at up to as many cells from the middle of the box. */
enum { WIDEST = 4096 };

typedef struct search {
    const lode__field *field;
    lode_vec3 origin;
    double lo[3], hi[3];
    double most;
    int64_t base[2]; /* the first cell of the repetition */
    lode__field_near_fn *visit;
    void *context;
} search;

static double gap_along(const search *s, int axis, double lo, double hi)
{
    return d_max(0, d_max(lo - s->hi[axis], s->lo[axis] - hi));
}

/* How far cells first..first + count - 1 along either axis are away, at least. */
static double gap_to(const search *s, const int64_t first[2], const int64_t count[2],
                     const lode__field_range *range)
{
    const double spacing[2] = {s->field->spacing_x, s->field->spacing_y};
    double sum = 0, gap;
    if (range->lo > range->hi)
        return __builtin_inf();
    for (int a = 0; a < 2; ++a) {
        double lo = (double)(s->base[a] + first[a]) * spacing[a];
        double hi = (double)(s->base[a] + first[a] + count[a]) * spacing[a];
        gap = gap_along(s, a, lo, hi);
        sum += gap * gap;
    }
    gap = gap_along(s, 2, (double)range->lo, (double)range->hi);
    return __builtin_sqrt(sum + gap * gap) * (1 - 1e-12);
}

/* Between the heights of its block it may be too far away without a look at its own. */
static void search_cell(search *s, int64_t x, int64_t y, const lode__field_range *block)
{
    const lode__field *field = s->field;
    const int64_t cell[2] = {x, y};
    static const int64_t one[2] = {1, 1};
    if (!(gap_to(s, cell, one, block) <= s->most))
        return;
    for (uint32_t half = 0; half < 2; ++half) {
        uint32_t triangle = ((uint32_t)y * field->cells_x + (uint32_t)x) << 1 | half;
        lode_real h[3];
        if (s->most < 0 || !field_heights(field, triangle, h))
            continue;
        lode__field_range range = {r_min(h[0], r_min(h[1], h[2])), r_max(h[0], r_max(h[1], h[2]))};
        if (!(gap_to(s, cell, one, &range) <= s->most))
            continue;
        lode__triangle t = field_place(field, triangle, h, s->base[0] + x, s->base[1] + y,
                                       s->origin);
        s->most = s->visit(s->context, triangle, &t, s->most);
    }
}

/* The square nearest to the middle of the box, of those first..last. */
static int64_t middle_square(const search *s, int axis, double size, int64_t first, int64_t last)
{
    double spacing = axis ? s->field->spacing_y : s->field->spacing_x;
    double at = (s->lo[axis] + s->hi[axis]) / 2 - (double)s->base[axis] * spacing;
    double square = __builtin_floor(at / size);
    return square <= (double)first ? first : square >= (double)last ? last : (int64_t)square;
}

static void search_block(search *s, uint32_t level, int64_t x, int64_t y);

static void search_square(search *s, uint32_t level, int64_t x, int64_t y,
                          const lode__field_range *block)
{
    if (level == 0)
        search_cell(s, x, y, block);
    else
        search_block(s, level - 1, x, y);
}

static void search_block(search *s, uint32_t level, int64_t x, int64_t y)
{
    const lode__field *field = s->field;
    const lode__field_level *here = &field->levels[level];
    uint32_t shift = LODE__FIELD_BITS * (level + 1);
    const int64_t first[2] = {x << shift, y << shift},
                  count[2] = {(int64_t)1 << shift, (int64_t)1 << shift};
    const lode__field_range *range = &here->ranges[(size_t)y * here->columns + (size_t)x];
    if (!(gap_to(s, first, count, range) <= s->most))
        return;
    int64_t columns = level ? here[-1].columns : field->cells_x;
    int64_t rows = level ? here[-1].rows : field->cells_y, wide = 1 << LODE__FIELD_BITS;
    int64_t x0 = x * wide, y0 = y * wide, x1 = x0 + wide - 1, y1 = y0 + wide - 1;
    x1 = x1 < columns ? x1 : columns - 1;
    y1 = y1 < rows ? y1 : rows - 1;
    double cells = (double)((int64_t)1 << LODE__FIELD_BITS * level);
    int64_t best_x = middle_square(s, 0, cells * field->spacing_x, x0, x1);
    int64_t best_y = middle_square(s, 1, cells * field->spacing_y, y0, y1);
    search_square(s, level, best_x, best_y, range);
    for (int64_t j = y0; j <= y1; ++j)
        for (int64_t i = x0; i <= x1 && s->most >= 0; ++i)
            if (i != best_x || j != best_y)
                search_square(s, level, i, j, range);
}

/* Repetitions that may matter along one axis, and the middle one. */
static void repetitions(const search *s, int axis, double length, uint32_t cells, int64_t out[3])
{
    double far = LODE__FIELD_ENDLESS / length, most = WIDEST / (double)cells + 1;
    double lo = __builtin_floor(s->lo[axis] / length) - 1;
    double hi = __builtin_floor(s->hi[axis] / length) + 1;
    double middle = d_max(-far, d_min(far, __builtin_floor((lo + hi) / 2)));
    out[0] = (int64_t)d_min(middle, d_max(lo, middle - most));
    out[1] = (int64_t)middle;
    out[2] = (int64_t)d_max(middle, d_min(hi, middle + most));
}

static void search_repetition(search *s, int64_t i, int64_t j)
{
    s->base[0] = i * s->field->cells_x;
    s->base[1] = j * s->field->cells_y;
    search_block(s, s->field->level_count - 1, 0, 0);
}

void lode__field_search(const lode__field *field, lode_vec3 origin, lode__double3 lo,
                        lode__double3 hi, double most, lode__field_near_fn *visit, void *context)
{
    search s = {field, origin, {lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}, most, {0, 0},
                visit, context};
    int64_t x[3], y[3];
    if (!field->wrap) {
        search_repetition(&s, 0, 0);
        return;
    }
    repetitions(&s, 0, field->cells_x * field->spacing_x, field->cells_x, x);
    repetitions(&s, 1, field->cells_y * field->spacing_y, field->cells_y, y);
    search_repetition(&s, x[1], y[1]);
    for (int64_t j = y[0]; j <= y[2]; ++j)
        for (int64_t i = x[0]; i <= x[2] && s.most >= 0; ++i)
            if (i != x[1] || j != y[1])
                search_repetition(&s, i, j);
}

/* --- along a direction */

typedef struct reach {
    const lode__field *field;
    lode__double3 direction;
    double limit;
    lode__reach_fn *visit;
    void *context;
} reach;

/* How far cells first..first + count - 1 along either axis reach, at most. */
static double reach_of(const reach *r, const int64_t first[2], const int64_t count[2],
                       const lode__field_range *range)
{
    lode__double3 d = r->direction;
    double x[2] = {(double)first[0], (double)(first[0] + count[0])};
    double y[2] = {(double)first[1], (double)(first[1] + count[1])};
    double z[2] = {(double)range->lo, (double)range->hi};
    double along[3] = {x[d.x > 0] * r->field->spacing_x * d.x,
                       y[d.y > 0] * r->field->spacing_y * d.y, z[d.z > 0] * d.z};
    if (range->lo > range->hi)
        return -__builtin_inf();
    return along[0] + along[1] + along[2] +
           (d_abs(along[0]) + d_abs(along[1]) + d_abs(along[2])) * 4 * (double)REAL_EPSILON;
}

static void reach_cell(reach *r, int64_t x, int64_t y)
{
    const lode__field *field = r->field;
    for (uint32_t half = 0; half < 2; ++half) {
        uint32_t triangle = ((uint32_t)y * field->cells_x + (uint32_t)x) << 1 | half;
        lode_real h[3];
        if (!field_heights(field, triangle, h))
            continue;
        lode__triangle t = field_place(field, triangle, h, x, y, v3_zero());
        r->limit = r->visit(r->context, triangle, &t, r->limit);
    }
}

static void reach_block(reach *r, uint32_t level, int64_t x, int64_t y)
{
    const lode__field *field = r->field;
    const lode__field_level *here = &field->levels[level];
    uint32_t shift = LODE__FIELD_BITS * (level + 1);
    const int64_t first[2] = {x << shift, y << shift},
                  count[2] = {(int64_t)1 << shift, (int64_t)1 << shift};
    const lode__field_range *range = &here->ranges[(size_t)y * here->columns + (size_t)x];
    if (!(reach_of(r, first, count, range) > r->limit))
        return;
    int64_t columns = level ? here[-1].columns : field->cells_x;
    int64_t rows = level ? here[-1].rows : field->cells_y, wide = 1 << LODE__FIELD_BITS;
    for (int64_t j = y * wide; j < (y + 1) * wide && j < rows; ++j)
        for (int64_t i = x * wide; i < (x + 1) * wide && i < columns; ++i)
            if (level == 0)
                reach_cell(r, i, j);
            else
                reach_block(r, level - 1, i, j);
}

void lode__field_reach(const lode__field *field, lode__double3 direction, double limit,
                       lode__reach_fn *visit, void *context)
{
    reach r = {field, direction, limit, visit, context};
    reach_block(&r, field->level_count - 1, 0, 0);
}

static double farthest_along(double direction, double length)
{
    double far = __builtin_floor(LODE__FIELD_ENDLESS / length) * length;
    return direction > 0 ? far : direction < 0 ? -far : 0;
}

lode__double3 lode__field_farthest_repetition(const lode__field *field, lode__double3 direction)
{
    if (!field->wrap)
        return d3(0, 0, 0);
    return d3(farthest_along(direction.x, field->cells_x * field->spacing_x),
              farthest_along(direction.y, field->cells_y * field->spacing_y), 0);
}

/* --- points */

bool lode__field_holds(const lode__field *field, lode__double3 point)
{
    uint32_t triangle;
    lode__triangle t;
    if (!(field->thickness > 0) || !lode__field_at(field, d3_to(point), &triangle, &t))
        return false;
    lode_real above = field_above(&t, lode__field_normal(field, triangle));
    return above > 0 && above <= field->thickness;
}

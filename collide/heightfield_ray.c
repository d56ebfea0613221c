/* heightfield_ray.c: rays over height fields.
 *
 * A ray is followed over squares in a grid: first over repetitions, if the field has them, then
 * over the blocks of the largest size, the blocks within each, and at last the cells. In a grid it
 * is cut along the axis it runs along most, column by column, and each piece is over one or two
 * squares of its column, so squares come in about the order in which the ray comes to them (the
 * walk of Amanatides and Woo 1987, "A fast voxel traversal algorithm for ray tracing", by
 * intervals). A block whose heights the piece does not come near is left alone.
 *
 * Pieces are taken longer, and squares wider, than they are by more than rounding; which triangle
 * is met is decided by the triangles alone (ray_triangle.h), whose corners are the same numbers for
 * all that share them. So nothing slips through between cells, blocks or repetitions. */
#include "collide/heightfield.h"
#include "collide/ray_triangle.h"

/* No more repetitions than these are looked at. */
enum { REPETITIONS = 1 << 16 };

typedef struct walk {
    const lode__field *field;
    lode__ray_frame frame;
    double pad;      /* more than what places on the ray are rounded by, m */
    int64_t base[2]; /* the first cell of the repetition */
    int left;        /* repetitions */
    lode_real most;
    lode__part_hit_fn *hear;
    void *context;
} walk;

/* A piece of the ray, in lengths of its direction. */
typedef struct piece {
    double in, out;
} piece;

/* Squares, the last ones included; number i along axis a begins at `at` + i `size`. */
typedef struct grid {
    double at[2], size[2];
    int64_t first[2], last[2];
} grid;

/* --- pieces */

static double place(const walk *w, int axis, double t)
{
    return w->frame.origin[axis] + w->frame.direction[axis] * t;
}

/* Cuts the piece down to what is between two coordinates, and maybe a little more. */
static void cut(const walk *w, int axis, double lo, double hi, piece *p)
{
    double d = w->frame.direction[axis], o = w->frame.origin[axis];
    if (d == 0) {
        if (!(o >= lo - w->pad && o <= hi + w->pad))
            p->out = p->in - 1;
        return;
    }
    double in = (lo - w->pad - o) / d, out = (hi + w->pad - o) / d;
    if (in > out) {
        double swap = in;
        in = out;
        out = swap;
    }
    p->in = in > p->in ? in : p->in;
    p->out = out < p->out ? out : p->out;
}

/* The squares under the piece along one axis; false: none. */
static bool squares_under(const walk *w, const grid *g, int axis, const piece *p, int64_t out[2])
{
    double a = place(w, axis, p->in), b = place(w, axis, p->out);
    double lo = a < b ? a : b, hi = a < b ? b : a;
    double first = __builtin_floor((lo - w->pad - g->at[axis]) / g->size[axis]);
    double last = __builtin_floor((hi + w->pad - g->at[axis]) / g->size[axis]);
    first = first > (double)g->first[axis] ? first : (double)g->first[axis];
    last = last < (double)g->last[axis] ? last : (double)g->last[axis];
    if (!(first <= last))
        return false;
    out[0] = (int64_t)first;
    out[1] = (int64_t)last;
    return true;
}

/* --- grids */

typedef void square_fn(walk *w, uint32_t level, const int64_t at[2], const piece *p);

static void follow_column(walk *w, const grid *g, int axis, int64_t column, const piece *p,
                          square_fn *square, uint32_t level)
{
    int across = 1 - axis;
    bool up = w->frame.direction[across] >= 0;
    int64_t range[2], at[2];
    if (!squares_under(w, g, across, p, range))
        return;
    at[axis] = column;
    for (int64_t k = 0; k <= range[1] - range[0] && w->most >= 0; ++k) {
        at[across] = up ? range[0] + k : range[1] - k;
        square(w, level, at, p);
    }
}

static void follow(walk *w, const grid *g, const piece *whole, square_fn *square, uint32_t level)
{
    const double *d = w->frame.direction;
    int axis = __builtin_fabs(d[0]) / g->size[0] >= __builtin_fabs(d[1]) / g->size[1] ? 0 : 1;
    bool up = d[axis] >= 0;
    int64_t range[2];
    if (!squares_under(w, g, axis, whole, range))
        return;
    for (int64_t k = 0; k <= range[1] - range[0] && w->most >= 0; ++k) {
        int64_t column = up ? range[0] + k : range[1] - k;
        double begin = g->at[axis] + (double)column * g->size[axis];
        double most = (double)w->most * (1 + 4 * (double)REAL_EPSILON);
        piece p = {whole->in, most < whole->out ? most : whole->out};
        if (p.in > p.out)
            return;
        cut(w, axis, begin, begin + g->size[axis], &p);
        if (p.in <= p.out)
            follow_column(w, g, axis, column, &p, square, level);
    }
}

/* --- cells */

/* Does the piece come to these heights? */
static bool comes_near(const walk *w, const lode__field_range *range, const piece *p)
{
    double a = place(w, 2, p->in), b = place(w, 2, p->out);
    double lo = a < b ? a : b, hi = a < b ? b : a;
    return (double)range->lo <= hi + w->pad && (double)range->hi >= lo - w->pad;
}

static void get_corners(const lode__field *field, uint32_t triangle, const lode_real h[3],
                        int64_t x, int64_t y, double out[3][3])
{
    for (int k = 0; k < 3; ++k) {
        out[k][0] = (double)(x + field_corner_x(triangle, k)) * field->spacing_x;
        out[k][1] = (double)(y + field_corner_y(triangle, k)) * field->spacing_y;
        out[k][2] = (double)h[k];
    }
}

static bool meet(const lode__field *field, const lode__ray_frame *frame, uint32_t triangle,
                 const lode_real h[3], int64_t x, int64_t y, lode__part_hit *out)
{
    double corners[3][3];
    out->part = (int32_t)triangle;
    out->place = 0;
    get_corners(field, triangle, h, x, y, corners);
    return ray_meets(frame, corners, out);
}

static void meet_cell(walk *w, uint32_t level, const int64_t at[2], const piece *p)
{
    const lode__field *field = w->field;
    lode__field_cell cell = {(uint32_t)at[0], (uint32_t)at[1]};
    (void)level;
    for (uint32_t half = 0; half < 2 && w->most >= 0; ++half) {
        uint32_t triangle = (cell.y * field->cells_x + cell.x) << 1 | half;
        lode_real h[3];
        lode__part_hit hit;
        if (!field_heights_in(field, cell, triangle, h))
            continue;
        lode__field_range range = {r_min(h[0], r_min(h[1], h[2])), r_max(h[0], r_max(h[1], h[2]))};
        if (comes_near(w, &range, p) &&
            meet(field, &w->frame, triangle, h, w->base[0] + at[0], w->base[1] + at[1], &hit) &&
            hit.t <= w->most)
            w->most = w->hear(w->context, &hit, w->most);
    }
}

/* --- blocks */

static void enter_block(walk *w, uint32_t level, const int64_t at[2], const piece *p)
{
    const lode__field *field = w->field;
    const lode__field_level *here = &field->levels[level];
    if (!comes_near(w, &here->ranges[(size_t)at[1] * here->columns + (size_t)at[0]], p))
        return;
    const int64_t counts[2] = {level ? here[-1].columns : field->cells_x,
                               level ? here[-1].rows : field->cells_y};
    const double spacing[2] = {field->spacing_x, field->spacing_y};
    grid g;
    for (int a = 0; a < 2; ++a) {
        g.at[a] = (double)w->base[a] * spacing[a];
        g.size[a] = spacing[a] * (double)((int64_t)1 << LODE__FIELD_BITS * level);
        g.first[a] = at[a] << LODE__FIELD_BITS;
        g.last[a] = ((at[a] + 1) << LODE__FIELD_BITS) - 1;
        g.last[a] = g.last[a] < counts[a] ? g.last[a] : counts[a] - 1;
    }
    follow(w, &g, p, level ? enter_block : meet_cell, level ? level - 1 : 0);
}

static void enter_repetition(walk *w, uint32_t level, const int64_t at[2], const piece *p)
{
    static const int64_t whole[2] = {0, 0};
    if (w->left-- <= 0) {
        w->most = -1;
        return;
    }
    w->base[0] = at[0] * w->field->cells_x;
    w->base[1] = at[1] * w->field->cells_y;
    enter_block(w, level, whole, p);
}

/* --- all */

static double sum_of_sizes(const double v[3])
{
    return __builtin_fabs(v[0]) + __builtin_fabs(v[1]) + __builtin_fabs(v[2]);
}

/* What of the ray may be in the field's box. */
static piece piece_in_bounds(walk *w)
{
    lode_bounds box = lode__field_bounds(w->field);
    double spacing = w->field->spacing_x < w->field->spacing_y ? w->field->spacing_x
                                                               : w->field->spacing_y;
    piece p = {0, (double)w->most};
    w->pad = 1e-14 * sum_of_sizes(w->frame.origin) + 1e-6 * spacing;
    cut(w, 0, (double)box.lower.x, (double)box.upper.x, &p);
    cut(w, 1, (double)box.lower.y, (double)box.upper.y, &p);
    cut(w, 2, (double)w->field->lowest, (double)w->field->highest, &p);
    for (int i = 0; i < 3; ++i)
        w->pad += 1e-14 * __builtin_fabs(place(w, i, p.out));
    return p;
}

void lode__field_ray(const lode__field *field, lode_vec3 origin, lode_vec3 direction,
                     lode_real length, lode__part_hit_fn *hear, void *context)
{
    walk w = {.field = field,
              .left = REPETITIONS,
              .most = length,
              .hear = hear,
              .context = context};
    static const int64_t whole[2] = {0, 0};
    ray_frame_set(&w.frame, origin, direction);
    piece p = piece_in_bounds(&w);
    if (!(p.in <= p.out))
        return;
    if (!field->wrap) {
        enter_block(&w, field->level_count - 1, whole, &p);
        return;
    }
    grid g = {{0, 0},
              {field->cells_x * field->spacing_x, field->cells_y * field->spacing_y},
              {0, 0},
              {0, 0}};
    for (int a = 0; a < 2; ++a) {
        g.last[a] = (int64_t)(LODE__FIELD_ENDLESS / g.size[a]);
        g.first[a] = -g.last[a];
    }
    follow(&w, &g, &p, enter_repetition, field->level_count - 1);
}

/* The copy that is nearest to where the ray is. */
static int64_t copy_of(double at, uint32_t cell, double spacing, uint32_t count)
{
    double length = (double)count * spacing;
    double repetition = __builtin_floor((at - ((double)cell + 0.5) * spacing) / length + 0.5);
    return (int64_t)cell + (int64_t)repetition * (int64_t)count;
}

lode__part_hit lode__field_meet(const lode__field *field, lode_vec3 origin, lode_vec3 direction,
                                lode_real t, uint32_t triangle, lode_vec3 *out_position)
{
    lode__ray_frame frame;
    lode__field_cell cell = field_cell(field, triangle);
    lode__part_hit hit = {.part = (int32_t)triangle};
    lode_real h[3];
    double c[3][3], p[3];
    int64_t x = cell.x, y = cell.y;
    ray_frame_set(&frame, origin, direction);
    if (field->wrap) {
        x = copy_of(frame.origin[0] + frame.direction[0] * (double)t, cell.x, field->spacing_x,
                    field->cells_x);
        y = copy_of(frame.origin[1] + frame.direction[1] * (double)t, cell.y, field->spacing_y,
                    field->cells_y);
    }
    field_heights(field, triangle, h);
    meet(field, &frame, triangle, h, x, y, &hit);
    get_corners(field, triangle, h, x, y, c);
    for (int i = 0; i < 3; ++i)
        p[i] = c[0][i] + (double)hit.u * (c[1][i] - c[0][i]) + (double)hit.v * (c[2][i] - c[0][i]);
    *out_position = v3((lode_real)p[0], (lode_real)p[1], (lode_real)p[2]);
    return hit;
}

/* heightfield.c: heights, triangles and their neighbours; see heightfield.h.
 *
 * Two triangles that share an edge have their far corners on opposite sides of its middle, equally
 * far: seen from above the four corners are a parallelogram. So how much the surface bends there
 * follows from the sum of heights across the edge less the sum along it. */
#include "collide/heightfield.h"

double lode__field_sample(const lode__field *field, uint32_t column, uint32_t row)
{
    const char *at = field->samples + (int64_t)row * field->row_stride +
                     (int64_t)column * field->sample_stride;
    union {
        float f;
        double d;
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
    } x;
    int32_t whole;
    switch (field->type) {
    case LODE_SAMPLE_FLOAT:
        memcpy(&x.f, at, sizeof x.f);
        return (double)x.f;
    case LODE_SAMPLE_DOUBLE:
        memcpy(&x.d, at, sizeof x.d);
        return x.d;
    case LODE_SAMPLE_INT8:
        memcpy(&x.i8, at, sizeof x.i8);
        whole = x.i8;
        break;
    case LODE_SAMPLE_UINT8:
        memcpy(&x.u8, at, sizeof x.u8);
        whole = x.u8;
        break;
    case LODE_SAMPLE_INT16:
        memcpy(&x.i16, at, sizeof x.i16);
        whole = x.i16;
        break;
    default:
        memcpy(&x.u16, at, sizeof x.u16);
        whole = x.u16;
    }
    return field->holes && whole == field->hole ? __builtin_nan("") : (double)whole;
}

/* --- slopes */

/* How far the triangle rises along x and y. */
static void slope(const lode__field *field, uint32_t triangle, double out[2])
{
    lode_real h[3];
    double sign = triangle & 1 ? -1 : 1;
    field_heights(field, triangle, h);
    out[0] = sign * ((double)h[1] - (double)h[0]) / field->spacing_x;
    out[1] = sign * ((double)h[2] - (double)h[0]) / field->spacing_y;
}

lode_vec3 lode__field_normal(const lode__field *field, uint32_t triangle)
{
    double g[2];
    slope(field, triangle, g);
    double length = __builtin_sqrt(g[0] * g[0] + g[1] * g[1] + 1);
    return v3((lode_real)(-g[0] / length), (lode_real)(-g[1] / length), (lode_real)(1 / length));
}

/* --- neighbours */

/* One step along an axis of `count` cells; false: that leads out of the field. */
static bool step_along(const lode__field *field, uint32_t *at, uint32_t count, bool up)
{
    bool last = up ? *at + 1 == count : *at == 0;
    if (last && !field->wrap)
        return false;
    *at = last ? (up ? 0 : count - 1) : up ? *at + 1 : *at - 1;
    return true;
}

uint32_t lode__field_neighbor(const lode__field *field, uint32_t triangle, int edge)
{
    lode__field_cell cell = field_cell(field, triangle);
    bool up = triangle & 1;
    lode_real h[3];
    if (edge == 0 && !step_along(field, &cell.y, field->cells_y, up))
        return LODE__NONE;
    if (edge == 2 && !step_along(field, &cell.x, field->cells_x, up))
        return LODE__NONE;
    uint32_t other = (cell.y * field->cells_x + cell.x) << 1 | (triangle & 1 ? 0u : 1u);
    if (field->holes && !field_heights(field, other, h))
        return LODE__NONE;
    return other << 2 | (uint32_t)edge;
}

int lode__field_edge_kind(const lode__field *field, uint32_t triangle, int edge)
{
    uint32_t other = lode__field_neighbor(field, triangle, edge);
    lode_real here[3], there[3];
    double g[2], f[2];
    if (other == LODE__NONE)
        return LODE__EDGE_FREE;
    field_heights(field, triangle, here);
    field_heights(field, other >> 2, there);
    slope(field, triangle, g);
    slope(field, other >> 2, f);
    /* the product of the normals (-g, 1) and (-f, 1) */
    double x = f[1] - g[1], y = g[0] - f[0], z = g[0] * f[1] - g[1] * f[0];
    double along = g[0] * f[0] + g[1] * f[1] + 1;
    double squares = (g[0] * g[0] + g[1] * g[1] + 1) * (f[0] * f[0] + f[1] * f[1] + 1);
    if (along > 0 && x * x + y * y + z * z <= squares * (LODE__FLAT_EDGE * LODE__FLAT_EDGE))
        return LODE__EDGE_FLAT;
    int far = (edge + 2) % 3, from = edge, to = (edge + 1) % 3;
    double across = (double)here[far] + (double)there[far];
    return across > (double)here[from] + (double)here[to] ? LODE__EDGE_CONCAVE : LODE__EDGE_CONVEX;
}

/* --- places */

lode_bounds lode__field_bounds(const lode__field *field)
{
    const lode_real most = (lode_real)LODE__FIELD_ENDLESS;
    lode_bounds b = {v3(0, 0, field->lowest - field->thickness),
                     v3((lode_real)(field->cells_x * field->spacing_x),
                        (lode_real)(field->cells_y * field->spacing_y), field->highest)};
    if (field->wrap) {
        b.lower.x = b.lower.y = -most;
        b.upper.x = b.upper.y = most;
    }
    return b;
}

/* The cell of a coordinate, over all repetitions, and how far into it; false: beside the field. */
static bool cell_of(const lode__field *field, double x, double spacing, uint32_t count,
                    int64_t *out_cell, double *out_share)
{
    double at = x / spacing, cell = __builtin_floor(at);
    if (!field->wrap) {
        if (!(at >= 0 && at <= (double)count))
            return false;
        cell = cell < (double)count ? cell : (double)(count - 1);
    } else if (!(x >= -LODE__FIELD_ENDLESS && x <= LODE__FIELD_ENDLESS)) {
        return false;
    }
    *out_cell = (int64_t)cell;
    *out_share = at - cell;
    return true;
}

bool lode__field_is_over(const lode__field *field, lode__double3 point)
{
    int64_t x, y;
    double u, v;
    lode_real h[3];
    if (!cell_of(field, point.x, field->spacing_x, field->cells_x, &x, &u) ||
        !cell_of(field, point.y, field->spacing_y, field->cells_y, &y, &v))
        return false;
    uint32_t cell = field_repeated(y, field->cells_y) * field->cells_x +
                    field_repeated(x, field->cells_x);
    bool upper = u + v > 1;
    if (!field_heights(field, cell << 1 | upper, h))
        return false;
    double along_x = upper ? 1 - u : u, along_y = upper ? 1 - v : v, from = (double)h[0];
    return point.z < from + ((double)h[1] - from) * along_x + ((double)h[2] - from) * along_y;
}

bool lode__field_at(const lode__field *field, lode_vec3 point, uint32_t *out_triangle,
                    lode__triangle *out)
{
    int64_t x, y;
    double u, v;
    lode_real h[3];
    if (!cell_of(field, (double)point.x, field->spacing_x, field->cells_x, &x, &u) ||
        !cell_of(field, (double)point.y, field->spacing_y, field->cells_y, &y, &v))
        return false;
    uint32_t cell = field_repeated(y, field->cells_y) * field->cells_x +
                    field_repeated(x, field->cells_x);
    *out_triangle = cell << 1 | (u + v > 1);
    bool found = field_heights(field, *out_triangle, h);
    *out = field_place(field, *out_triangle, h, x, y, point);
    return found;
}

/* heightfield.h: height fields: data made once, never changed, and shared by shapes.
 *
 * Samples lie on a regular grid, column i and row j at x = i * spacing, y = j * spacing, their
 * heights along z. The cell between four of them is two triangles, of which both fronts look up:
 *
 *        j + 1   01 ---- 11          triangle 2 c:     00, 10, 01
 *                 | \  1 |           triangle 2 c + 1: 11, 01, 10
 *                 | 0  \ |           of cell c = j * cells_x + i
 *        j       00 ---- 10
 *                 i      i + 1
 *
 * So a triangle's neighbours, and which of their edges they share, follow from its number: edge 1
 * is the diagonal, edge 0 is shared with the row below or above, edge 2 with the column beside, and
 * an edge has the same number on both sides.
 *
 * A field that repeats itself has as many cells as samples along each axis: after the last column
 * comes the first. Samples are kept as the caller gave them; heights are computed as they are
 * needed. Of blocks of 8 x 8 cells, and of 8 x 8 such blocks and so on, the lowest and the highest
 * height are kept, so that walks and rays pass by what they cannot meet. */
#ifndef LODE_COLLIDE_HEIGHTFIELD_H
#define LODE_COLLIDE_HEIGHTFIELD_H

#include "collide/mesh.h"
#include "lode/heightfield.h"

enum {
    LODE__FIELD_BITS = 3, /* a block is 2^3 cells wide, the next one 2^6 */
    LODE__FIELD_LEVELS = 10
};

/* How far a field reaches that repeats itself. */
#define LODE__FIELD_ENDLESS 1e9

/* The lowest and the highest height of a block; lo > hi: it is all holes. */
typedef struct lode__field_range {
    lode_real lo, hi;
} lode__field_range;

/* The blocks of one size, row by row. */
typedef struct lode__field_level {
    const lode__field_range *ranges;
    uint32_t columns, rows;
} lode__field_level;

struct lode_heightfield {
    lode__shape_data data; /* first: a field is one */
    const char *samples;
    int64_t sample_stride, row_stride; /* bytes */
    uint32_t type;                     /* lode_sample_type */
    uint32_t columns, rows, cells_x, cells_y;
    bool wrap, holes;
    int32_t hole; /* of whole numbers: the one that is none */
    double spacing_x, spacing_y, scale, offset;
    lode_real thickness;
    lode_real lowest, highest; /* bounds along z, without the thickness */
    uint32_t level_count;
    lode__field_level levels[LODE__FIELD_LEVELS];
    lode__field_range *ranges; /* of all levels */
    size_t range_count, own_bytes;
    void *own_samples;  /* null: referenced */
    uint8_t *materials; /* by cell; null: all are of material 0 */
};

typedef struct lode_heightfield lode__field;

static inline const lode__field *field_of(const void *data)
{
    return data; /* a lode__shape_data of this type */
}

/* A sample as it was given; NaN where there is a hole. */
double lode__field_sample(const lode__field *field, uint32_t column, uint32_t row);

/* The height of a sample; NaN where there is a hole. */
static inline lode_real field_height(const lode__field *field, uint32_t column, uint32_t row)
{
    return (lode_real)(field->offset + field->scale * lode__field_sample(field, column, row));
}

/* --- triangles */

/* A cell, of the first repetition. */
typedef struct lode__field_cell {
    uint32_t x, y;
} lode__field_cell;

static inline lode__field_cell field_cell(const lode__field *field, uint32_t triangle)
{
    uint32_t cell = triangle >> 1;
    return (lode__field_cell){cell % field->cells_x, cell / field->cells_x};
}

/* Where a corner is, counted from its cell: 0 or 1 along either axis. */
static inline uint32_t field_corner_x(uint32_t triangle, int corner)
{
    return (triangle & 1) ^ (corner == 1);
}

static inline uint32_t field_corner_y(uint32_t triangle, int corner)
{
    return (triangle & 1) ^ (corner == 2);
}

/* The number of a corner's sample. */
static inline uint32_t field_vertex(const lode__field *field, uint32_t triangle, int corner)
{
    lode__field_cell cell = field_cell(field, triangle);
    uint32_t column = cell.x + field_corner_x(triangle, corner);
    uint32_t row = cell.y + field_corner_y(triangle, corner);
    column = column == field->columns ? 0 : column; /* repeated */
    row = row == field->rows ? 0 : row;
    return row * field->columns + column;
}

/* The heights of the corners of a triangle in a cell, of which the lowest bit of its number says
 * which. False: one of them is a hole, and it is no triangle. */
static inline bool field_heights_in(const lode__field *field, lode__field_cell cell,
                                    uint32_t triangle, lode_real out[3])
{
    for (int k = 0; k < 3; ++k) {
        uint32_t column = cell.x + field_corner_x(triangle, k);
        uint32_t row = cell.y + field_corner_y(triangle, k);
        out[k] = field_height(field, column == field->columns ? 0 : column,
                              row == field->rows ? 0 : row);
    }
    return r_finite(out[0]) && r_finite(out[1]) && r_finite(out[2]);
}

static inline bool field_heights(const lode__field *field, uint32_t triangle, lode_real out[3])
{
    return field_heights_in(field, field_cell(field, triangle), triangle, out);
}

/* The corners, as seen from `origin`, of the copy of a triangle with heights `h` in cell `x`, `y`,
 * counted over all repetitions. */
static inline lode__triangle field_place(const lode__field *field, uint32_t triangle,
                                         const lode_real h[3], int64_t x, int64_t y,
                                         lode_vec3 origin)
{
    lode__triangle t;
    for (int k = 0; k < 3; ++k) {
        int64_t column = x + field_corner_x(triangle, k), row = y + field_corner_y(triangle, k);
        t.v[k] = v3((lode_real)((double)column * field->spacing_x - (double)origin.x),
                    (lode_real)((double)row * field->spacing_y - (double)origin.y),
                    h[k] - origin.z);
    }
    return t;
}

/* In the first repetition. */
static inline lode__triangle field_triangle(const lode__field *field, uint32_t triangle)
{
    lode__field_cell cell = field_cell(field, triangle);
    lode_real h[3];
    field_heights(field, triangle, h);
    return field_place(field, triangle, h, cell.x, cell.y, v3_zero());
}

/* The cell of the first repetition that a cell is a copy of, along an axis of `count` cells. */
static inline uint32_t field_repeated(int64_t cell, uint32_t count)
{
    int64_t rest = cell % (int64_t)count;
    return (uint32_t)(rest < 0 ? rest + (int64_t)count : rest);
}

/* The unit normal of its front. */
lode_vec3 lode__field_normal(const lode__field *field, uint32_t triangle);

/* The edge beyond an edge, as triangle << 2 | edge, or LODE__NONE. */
uint32_t lode__field_neighbor(const lode__field *field, uint32_t triangle, int edge);

/* LODE__EDGE_... */
int lode__field_edge_kind(const lode__field *field, uint32_t triangle, int edge);

/* The box around it in its frame, thickness included. */
lode_bounds lode__field_bounds(const lode__field *field);

/* The triangle over or under a point, as seen from there. False: there is none. */
bool lode__field_at(const lode__field *field, lode_vec3 point, uint32_t *out_triangle,
                    lode__triangle *out);

/* How high above the point the surface is there. */
static inline lode_real field_above(const lode__triangle *from_point, lode_vec3 normal)
{
    return v3_dot(normal, from_point->v[0]) / normal.z;
}

/* --- building */

size_t lode__sample_size(lode_sample_type type);

/* From a definition whose fields are good one by one. If samples are no heights, or beyond the
 * bounds that were given, or none at all: LODE_ERROR_ARGUMENT, and the name of the argument. */
lode_status lode__field_build(const lode_heightfield_def *def, lode__field **out,
                              const char **out_argument, const char **out_reason);

/* --- looking */

/* As lode__surface_walk() and lode__mesh_ray(). */
bool lode__field_walk(const lode__field *field, lode_vec3 origin, lode_vec3 lo, lode_vec3 hi,
                      lode__surface_visit_fn *visit, void *context);
void lode__field_ray(const lode__field *field, lode_vec3 origin, lode_vec3 direction,
                     lode_real length, lode__part_hit_fn *hear, void *context);

/* The triangle that a ray is known to meet at `t`, and where. */
lode__part_hit lode__field_meet(const lode__field *field, lode_vec3 origin, lode_vec3 direction,
                                lode_real t, uint32_t triangle, lode_vec3 *out_position);

/* --- what is nearest; all in the field's frame */

/* Called for triangles whose boxes come within `most` of the one asked for, with their corners as
 * seen from `origin`; says how far to look from now on, below 0 to end. */
typedef double lode__field_near_fn(void *context, uint32_t triangle, const lode__triangle *t,
                                   double most);
void lode__field_search(const lode__field *field, lode_vec3 origin, lode__double3 lo,
                        lode__double3 hi, double most, lode__field_near_fn *visit, void *context);

/* As lode__mesh_reach(), of the first repetition; and from there to the one that reaches
 * farthest. */
void lode__field_reach(const lode__field *field, lode__double3 direction, double limit,
                       lode__reach_fn *visit, void *context);
lode__double3 lode__field_farthest_repetition(const lode__field *field, lode__double3 direction);

/* Is the point under the surface? */
bool lode__field_is_over(const lode__field *field, lode__double3 point);

/* Is the point under the surface, and within its thickness? */
bool lode__field_holds(const lode__field *field, lode__double3 point);

#endif

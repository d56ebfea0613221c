/* heightfield.h: height fields: ground as heights on a regular grid, as geometry that shapes share.
 *
 * A height field is made once and never changed; any number of shapes of any worlds share it, in
 * any threads. Its maker holds it until lode_heightfield_release(); each shape holds it too. Ground
 * that changes is another field each time, given to the shape with lode_shape_set_heightfield().
 *
 * In the shape's frame heights are along z. The sample in column i and row j lies at x = i *
 * spacing_x, y = j * spacing_y, z = offset + scale * sample. The four samples around a cell are the
 * corners of two triangles: the first has corners (i, j), (i + 1, j), (i, j + 1), the second (i +
 * 1, j + 1), (i, j + 1), (i + 1, j). They are numbered 2 (j * cells + i) and one more, where
 * `cells` is the number of cells in a row; contacts and rays tell that number. The ground lies
 * below them: what is above is pushed up, and what is under them passes, unless the field is
 * thick. */
#ifndef LODE_HEIGHTFIELD_H
#define LODE_HEIGHTFIELD_H

#include "shape.h"

LODE_EXTERN_C_BEGIN

typedef struct lode_heightfield lode_heightfield;

typedef enum lode_sample_type {
    LODE_SAMPLE_FLOAT,
    LODE_SAMPLE_DOUBLE,
    LODE_SAMPLE_INT8,
    LODE_SAMPLE_UINT8,
    LODE_SAMPLE_INT16,
    LODE_SAMPLE_UINT16,
    LODE_SAMPLE_TYPE_COUNT
} lode_sample_type;

/* The sample in a column and a row; called once for each, row by row, while the field is made. */
typedef lode_real lode_sample_fn(void *context, int column, int row);

typedef struct lode_heightfield_def {
    uint32_t abi;                   /* set by lode_heightfield_def_default() */
    int columns;                    /* samples along x, at least 2 */
    int rows;                       /* samples along y, at least 2; columns * rows at most 2^28 */
    lode_real spacing_x, spacing_y; /* m between samples, 1e-6..1e6; default 1 */
    /* Where the samples are: row by row, unless strides say otherwise. Null: `sample` is asked. */
    const void *samples;
    lode_sample_type type; /* default: as lode_real */
    int sample_stride;     /* bytes from one column to the next; 0: they follow one another */
    int row_stride;        /* bytes from one row to the next; 0: they follow one another */
    bool reference; /* do not copy: samples stay where they are, unchanged, while the field lives */
    lode_sample_fn *sample;
    void *context;
    lode_real scale;  /* finite; default 1; heights are finite and within 1e9 */
    lode_real offset; /* m, finite; default 0 */
    /* m, at least 0; default 0: what lies under the surface as a whole, its middle no deeper than
     * this, is pushed up too */
    lode_real thickness;
    /* Repeated without end, to 1e9 m: the last column is followed by the first, the last row by the
     * first, so that columns * spacing_x is the length of one repetition. */
    bool wrap;
    /* Samples that are NaN, or whole numbers that equal `hole`, are none, and so are the triangles
     * at them; else such a sample is refused, or a height like any other. */
    bool holes;
    int hole;
    /* The bounds along z are these, and samples beyond are refused; default: those of the
     * samples. */
    bool bounded;
    lode_real lowest, highest; /* m, finite and within 1e9 */
    /* Of each cell between four samples, row by row, which of its shape's materials both of its
     * triangles are made of (lode_shape_set_materials()); copied. There is a cell less than samples
     * along x and y, unless it wraps. Null, the default: all of the first. */
    const uint8_t *materials;
} lode_heightfield_def;

/* Fills `out_def`, of `size` bytes, with no samples and the defaults named above; see
 * lode_world_def_init(). */
LODE_API void lode_heightfield_def_init(void *out_def, size_t size, uint32_t abi);

/* No samples, and the defaults named above; zeros when header and library disagree. */
static inline lode_heightfield_def lode_heightfield_def_default(void)
{
    lode_heightfield_def def;
    lode_heightfield_def_init(&def, sizeof def, LODE_ABI);
    return def;
}

/* Null on failure. LODE_ERROR_ARGUMENT names the field of the definition, LODE_ERROR_ABI for one
 * that did not come from lode_heightfield_def_default(), LODE_ERROR_MEMORY. Samples are copied in
 * their own type, what a callback says as lode_real; beside them the field takes an eighth of a
 * byte for each. */
LODE_API lode_heightfield *lode_heightfield_create(const lode_heightfield_def *def);

/* Gives up what lode_heightfield_create() gave; null is allowed. The field goes with its last
 * shape. */
LODE_API void lode_heightfield_release(lode_heightfield *field);

/* The box around the field in its frame, thickness included; zeros for null. */
LODE_API lode_bounds lode_heightfield_get_bounds(const lode_heightfield *field);

/* How many triangles there are, those at holes included, of one repetition; 0 for null. */
LODE_API int lode_heightfield_get_triangle_count(const lode_heightfield *field);

/* The corners of a triangle, 0 to lode_heightfield_get_triangle_count() - 1, and the point of it
 * with barycentric coordinates u (of corner 1) and v (of corner 2). Heights at holes are NaN. */
LODE_API lode_status lode_heightfield_get_triangle(const lode_heightfield *field, int triangle,
                                                   lode_vec3 out_corners[3]);
LODE_API lode_vec3 lode_heightfield_get_point(const lode_heightfield *field, int triangle,
                                              lode_real u, lode_real v);

/* The height of the surface at x and y, finite. False, and 0, where there is none: beside the field
 * or in a hole. */
LODE_API bool lode_heightfield_find_height(const lode_heightfield *field, lode_real x, lode_real y,
                                           lode_real *out_height);

/* A shape with this geometry; a dynamic body refuses a field that repeats itself. Returns the null
 * handle on failure. All shapes but other height fields touch it, planes at its vertices. Its
 * density says nothing: it weighs nothing, so give its body a mass, if that is dynamic. */
LODE_API lode_shape lode_shape_create_heightfield(lode_body body, const lode_shape_def *def,
                                                  lode_heightfield *field);

/* Gives the shape another height field, as when ground has changed. Contacts that still stand keep
 * their impulses, and what rests on the shape wakes. Dynamic bodies refuse as above. */
LODE_API lode_status lode_shape_set_heightfield(lode_shape shape, lode_heightfield *field);

/* The field of a shape, null after a report; it is the shape's, and not yours to release. */
LODE_API lode_heightfield *lode_shape_get_heightfield(lode_shape shape);

/* Lets the world hold the field for snapshots that name it; see lode_world_offer_hull(). */
LODE_API lode_status lode_world_offer_heightfield(lode_world world, lode_heightfield *field);

LODE_EXTERN_C_END

#endif

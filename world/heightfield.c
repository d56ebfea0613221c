/* heightfield.c: height fields: making them out of what a caller has, and reading them.
 *
 * A field belongs to no world. It can be made from any thread; what rounding mode that thread is in
 * shall not show in the field. */
#include "lode/heightfield.h"

#include <string.h>

#include "collide/heightfield.h"
#include "core/os.h"
#include "world/check.h"

void lode_heightfield_def_init(void *out_def, size_t size, uint32_t abi)
{
    lode_heightfield_def def = {
        .abi = LODE_ABI,
        .spacing_x = 1,
        .spacing_y = 1,
        .type = sizeof(lode_real) == sizeof(double) ? LODE_SAMPLE_DOUBLE : LODE_SAMPLE_FLOAT,
        .scale = 1,
    };
    if (lode__check_init(out_def, size, sizeof def, abi, __func__))
        memcpy(out_def, &def, sizeof def);
}

/* ---- making ---- */

#define MOST_SAMPLES (1 << 28)

static const char finite[] = "must be finite";

static lode_status check_grid(const lode_heightfield_def *def, const char *function)
{
    const lode_real least = (lode_real)1e-6, most = (lode_real)1e6;
    lode_status status = lode__check(def->columns >= 2, function, "def.columns",
                                     "must be at least 2");
    if (!status)
        status = lode__check(def->rows >= 2, function, "def.rows", "must be at least 2");
    if (!status)
        status = lode__check(def->rows <= MOST_SAMPLES / def->columns, function, "def.rows",
                             "def.columns times def.rows must be at most 2^28");
    if (!status)
        status = lode__check(is_within(def->spacing_x, least, most), function, "def.spacing_x",
                             "must be within 1e-6 and 1e6");
    if (!status)
        status = lode__check(is_within(def->spacing_y, least, most), function, "def.spacing_y",
                             "must be within 1e-6 and 1e6");
    return status;
}

static lode_status check_samples(const lode_heightfield_def *def, const char *function)
{
    static const char stride[] = "must be 0 or at least as large as a sample";
    lode_status status = lode__check((unsigned)def->type < LODE_SAMPLE_TYPE_COUNT, function,
                                     "def.type", "must be a sample type");
    if (!status && !def->samples)
        status = lode__check(def->sample != NULL, function, "def.samples",
                             "must not be null where def.sample is");
    if (status || !def->samples)
        return status;
    int size = (int)lode__sample_size(def->type);
    status = lode__check(def->sample_stride == 0 || def->sample_stride >= size, function,
                         "def.sample_stride", stride);
    return status ? status
                  : lode__check(def->row_stride == 0 || def->row_stride >= size, function,
                                "def.row_stride", stride);
}

static lode_status check_heights(const lode_heightfield_def *def, const char *function)
{
    const lode_real most = (lode_real)1e9;
    lode_status status = lode__check(r_finite(def->scale), function, "def.scale", finite);
    if (!status)
        status = lode__check(r_finite(def->offset), function, "def.offset", finite);
    if (!status)
        status = lode__check(is_within(def->thickness, 0, most), function, "def.thickness",
                             "must be within 0 and 1e9");
    if (status || !def->bounded)
        return status;
    status = lode__check(is_within(def->lowest, -most, most), function, "def.lowest",
                         "must be within -1e9 and 1e9");
    return status ? status
                  : lode__check(is_within(def->highest, def->lowest, most), function, "def.highest",
                                "must be within def.lowest and 1e9");
}

static lode_status make(const lode_heightfield_def *def, lode_heightfield **out,
                        const char *function)
{
    const char *argument, *reason;
    lode_status status = check_grid(def, function);
    if (!status)
        status = check_samples(def, function);
    if (!status)
        status = check_heights(def, function);
    if (status)
        return status;
    status = lode__field_build(def, out, &argument, &reason);
    return status ? lode__error(status, function, argument, reason) : LODE_OK;
}

lode_heightfield *lode_heightfield_create(const lode_heightfield_def *def)
{
    lode_heightfield *field = NULL;
    if (lode__check_not_null(def, __func__, "def"))
        return NULL;
    if (def->abi != LODE_ABI) {
        lode__error(LODE_ERROR_ABI, __func__, "def",
                    "the definition does not come from lode_heightfield_def_default()");
        return NULL;
    }
    uint64_t saved = lode__fp_enter();
    make(def, &field, __func__);
    lode__fp_leave(saved);
    return field;
}

void lode_heightfield_release(lode_heightfield *field)
{
    lode__data_release(field ? &field->data : NULL);
}

/* ---- looked up ---- */

lode_bounds lode_heightfield_get_bounds(const lode_heightfield *field)
{
    return lode__check_not_null(field, __func__, "field") ? (lode_bounds){0}
                                                          : lode__field_bounds(field);
}

static int triangle_count(const lode_heightfield *field)
{
    return (int)(2 * field->cells_x * field->cells_y);
}

int lode_heightfield_get_triangle_count(const lode_heightfield *field)
{
    return lode__check_not_null(field, __func__, "field") ? 0 : triangle_count(field);
}

static lode_status check_triangle(const lode_heightfield *field, int triangle, const char *function)
{
    lode_status status = lode__check_not_null(field, function, "field");
    return status ? status
                  : lode__check(triangle >= 0 && triangle < triangle_count(field), function,
                                "triangle", "must be within 0 and the number of triangles - 1");
}

lode_status lode_heightfield_get_triangle(const lode_heightfield *field, int triangle,
                                          lode_vec3 out_corners[3])
{
    lode_status status = check_triangle(field, triangle, __func__);
    if (!status)
        status = lode__check_not_null(out_corners, __func__, "out_corners");
    if (status)
        return status;
    lode__triangle t = field_triangle(field, (uint32_t)triangle);
    memcpy(out_corners, t.v, sizeof t.v);
    return LODE_OK;
}

lode_vec3 lode_heightfield_get_point(const lode_heightfield *field, int triangle, lode_real u,
                                     lode_real v)
{
    if (check_triangle(field, triangle, __func__) ||
        lode__check(r_finite(u), __func__, "u", finite) ||
        lode__check(r_finite(v), __func__, "v", finite))
        return v3_zero();
    lode__triangle t = field_triangle(field, (uint32_t)triangle);
    lode_vec3 p = v3_madd(t.v[0], v3_sub(t.v[1], t.v[0]), u);
    return v3_madd(p, v3_sub(t.v[2], t.v[0]), v);
}

bool lode_heightfield_find_height(const lode_heightfield *field, lode_real x, lode_real y,
                                  lode_real *out_height)
{
    uint32_t triangle;
    lode__triangle t;
    if (lode__check_not_null(field, __func__, "field") ||
        lode__check(r_finite(x), __func__, "x", finite) ||
        lode__check(r_finite(y), __func__, "y", finite) ||
        lode__check_not_null(out_height, __func__, "out_height"))
        return false;
    *out_height = 0;
    if (!lode__field_at(field, v3(x, y, 0), &triangle, &t))
        return false;
    *out_height = field_above(&t, lode__field_normal(field, triangle));
    return true;
}

/* joint_type.c: the table of joint types, from its list, and what follows from it. */
#include "solver/joints/joint_type.h"

#include "core/math.h"

#define ROW(type, type_name, slides, turns, axis_count, ...) \
    [type] = {.name = #type_name, \
              .rows = (slides) + (turns), \
              .axes = axis_count, \
              .axis = {__VA_ARGS__}, \
              .framed = (turns) + (axis_count) > 0 || (slides) < 3, \
              .bucket = LODE__BUCKETS_##type_name},
#define FITS(type, name, slides, turns, axes, ...) \
    _Static_assert((axes) <= LODE_JOINT_AXES && \
                       (slides) + (turns) + 2 * (axes) <= LODE__JOINT_ROWS, \
                   "the rows of a " #name " fit a block");

LODE__JOINT_TYPES(FITS)

const lode__joint_type lode__joint_types[LODE__ALL_JOINT_TYPES] = {
    LODE__JOINT_TYPES(ROW)[LODE_JOINT_COUPLING] = {.name = "coupling",
                                                   .axes = 1,
                                                   .axis = {LODE__SUM},
                                                   .bucket = LODE__JOINT_BUCKETS},
    [LODE_JOINT_ROWS] = {.name = "rows", .bucket = LODE__JOINT_BUCKETS},
};

#define TYPE_OF(type, name, ...) [LODE__BUCKETS_##name ... LODE__LAST_BUCKET_##name] = (type),

int lode__bucket_type(int bucket)
{
    static const uint8_t types[LODE__JOINT_BUCKETS] = {LODE__JOINT_TYPES(TYPE_OF)};
    return types[bucket];
}

int lode__bucket_rows(int bucket)
{
    const lode__joint_type *type = &lode__joint_types[lode__bucket_type(bucket)];
    return type->rows + bucket - type->bucket;
}

int lode__bucket_extras(int bucket)
{
    return bucket - lode__joint_types[lode__bucket_type(bucket)].bucket;
}

static bool has_stop(const lode_joint_axis *axis)
{
    return axis->lo_stop >= -REAL_MAX || axis->hi_stop <= REAL_MAX;
}

int lode__joint_extras(int type, const lode__joint_axes *axes,
                       lode__joint_extra out[LODE__JOINT_ROWS])
{
    int count = 0;
    for (int i = 0; i < lode__joint_types[type].axes; ++i)
        if (axes->axis[i].f_max > 0)
            out[count++] = (lode__joint_extra){i, false};
    for (int i = 0; i < lode__joint_types[type].axes; ++i)
        if (has_stop(&axes->axis[i]))
            out[count++] = (lode__joint_extra){i, true};
    if (count == 0 && lode__joint_types[type].rows == 0)
        out[count++] = (lode__joint_extra){0, false};
    return count;
}

lode_real lode__joint_stop_erp(int type, const lode__joint_axes *axes)
{
    lode_real most = -1;
    for (int i = 0; i < lode__joint_types[type].axes; ++i)
        if (has_stop(&axes->axis[i]))
            most = r_max(most, axes->axis[i].stop_erp);
    return most;
}

int lode__joint_row_count(int type, const lode__joint_axes *axes, const lode__joint_arm *arm)
{
    lode__joint_extra extras[LODE__JOINT_ROWS];
    if (type == LODE_JOINT_ROWS)
        return arm->rows;
    return lode__joint_types[type].rows + lode__joint_extras(type, axes, extras);
}

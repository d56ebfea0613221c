/* heightfield_build.c: height fields made and freed; see heightfield.h.
 *
 * Samples are copied in their own type, one behind the other; what a callback says is kept as
 * lode_reals. Then every height is looked at once: whether it is one, and what the range of its
 * block is. */
#include "collide/heightfield.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"

#define FARTHEST ((lode_real)1e9)

static const size_t sample_sizes[LODE_SAMPLE_TYPE_COUNT] = {
    [LODE_SAMPLE_FLOAT] = sizeof(float),   [LODE_SAMPLE_DOUBLE] = sizeof(double),
    [LODE_SAMPLE_INT8] = sizeof(int8_t),   [LODE_SAMPLE_UINT8] = sizeof(uint8_t),
    [LODE_SAMPLE_INT16] = sizeof(int16_t), [LODE_SAMPLE_UINT16] = sizeof(uint16_t),
};

size_t lode__sample_size(lode_sample_type type)
{
    return sample_sizes[type];
}

static size_t cells_of(const lode__field *field)
{
    return (size_t)field->cells_x * field->cells_y;
}

static void free_field(lode__shape_data *data)
{
    lode__field *field = (lode__field *)data;
    lode__free(field->ranges, field->range_count * sizeof *field->ranges);
    lode__free(field->own_samples, field->own_bytes);
    lode__free(field->materials, field->materials ? cells_of(field) : 0);
    lode__free(field, sizeof *field);
}

/* --- samples */

static void point_at(lode__field *field, const lode_heightfield_def *def)
{
    bool asked = def->samples == NULL;
    size_t size = sample_sizes[def->type];
    field->type = def->type;
    if (asked) {
        field->type = sizeof(lode_real) == sizeof(double) ? LODE_SAMPLE_DOUBLE : LODE_SAMPLE_FLOAT;
        size = sizeof(lode_real);
    }
    field->samples = def->samples;
    field->sample_stride = !asked && def->sample_stride ? def->sample_stride : (int64_t)size;
    field->row_stride = !asked && def->row_stride ? def->row_stride
                                                  : field->sample_stride * def->columns;
    field->columns = (uint32_t)def->columns;
    field->rows = (uint32_t)def->rows;
    field->wrap = def->wrap;
    field->cells_x = field->columns - !def->wrap;
    field->cells_y = field->rows - !def->wrap;
    field->holes = def->holes;
    field->hole = def->hole;
    field->spacing_x = (double)def->spacing_x;
    field->spacing_y = (double)def->spacing_y;
    field->scale = (double)def->scale;
    field->offset = (double)def->offset;
    field->thickness = def->thickness;
}

static bool copy_samples(lode__field *field, const lode_heightfield_def *def)
{
    size_t size = sample_sizes[field->type], count = (size_t)field->columns * field->rows;
    char *to = field->own_samples = lode__alloc(size * count);
    if (!to)
        return false;
    field->own_bytes = size * count;
    for (uint32_t row = 0; row < field->rows; ++row)
        for (uint32_t column = 0; column < field->columns; ++column, to += size) {
            if (def->samples) {
                memcpy(to,
                       field->samples + (int64_t)row * field->row_stride +
                           (int64_t)column * field->sample_stride,
                       size);
            } else {
                lode_real x = def->sample(def->context, (int)column, (int)row);
                memcpy(to, &x, size);
            }
        }
    field->samples = field->own_samples;
    field->sample_stride = (int64_t)size;
    field->row_stride = (int64_t)size * field->columns;
    return true;
}

static bool copy_materials(lode__field *field, const uint8_t *materials)
{
    if (!materials)
        return true;
    field->materials = lode__alloc(cells_of(field));
    if (field->materials)
        memcpy(field->materials, materials, cells_of(field));
    return field->materials != NULL;
}

/* --- ranges */

static uint32_t blocks_of(uint32_t count)
{
    return (count + (1u << LODE__FIELD_BITS) - 1) >> LODE__FIELD_BITS;
}

static const lode__field_range no_range = {REAL_MAX, -REAL_MAX};

static void take_in(lode__field_range *range, lode_real lo, lode_real hi)
{
    range->lo = r_min(range->lo, lo);
    range->hi = r_max(range->hi, hi);
}

static bool take_levels(lode__field *field)
{
    uint32_t columns = field->cells_x, rows = field->cells_y;
    size_t first[LODE__FIELD_LEVELS];
    do {
        lode__field_level *level = &field->levels[field->level_count];
        columns = level->columns = blocks_of(columns);
        rows = level->rows = blocks_of(rows);
        first[field->level_count++] = field->range_count;
        field->range_count += (size_t)columns * rows;
    } while (columns > 1 || rows > 1);
    field->ranges = lode__alloc(field->range_count * sizeof *field->ranges);
    for (uint32_t k = 0; k < field->level_count && field->ranges; ++k)
        field->levels[k].ranges = field->ranges + first[k];
    return field->ranges != NULL;
}

/* Of the triangles that are there. */
static lode__field_range range_of_block(const lode__field *field, uint32_t x, uint32_t y)
{
    lode__field_range range = no_range;
    uint32_t wide = 1u << LODE__FIELD_BITS;
    for (uint32_t j = y * wide; j < (y + 1) * wide && j < field->cells_y; ++j)
        for (uint32_t i = x * wide; i < (x + 1) * wide && i < field->cells_x; ++i)
            for (uint32_t half = 0; half < 2; ++half) {
                lode_real h[3];
                if (!field_heights(field, (j * field->cells_x + i) << 1 | half, h))
                    continue;
                for (int k = 0; k < 3; ++k)
                    take_in(&range, h[k], h[k]);
            }
    return range;
}

static void fill_levels(lode__field *field)
{
    lode__field_range *out = field->ranges;
    for (uint32_t y = 0; y < field->levels[0].rows; ++y)
        for (uint32_t x = 0; x < field->levels[0].columns; ++x)
            *out++ = range_of_block(field, x, y);
    for (uint32_t k = 1; k < field->level_count; ++k) {
        const lode__field_level *below = &field->levels[k - 1], *level = &field->levels[k];
        size_t count = (size_t)level->columns * level->rows;
        for (size_t i = 0; i < count; ++i)
            out[i] = no_range;
        for (uint32_t y = 0; y < below->rows; ++y)
            for (uint32_t x = 0; x < below->columns; ++x) {
                lode__field_range part = below->ranges[(size_t)y * below->columns + x];
                size_t to = (size_t)(y >> LODE__FIELD_BITS) * level->columns;
                take_in(&out[to + (x >> LODE__FIELD_BITS)], part.lo, part.hi);
            }
        out += count;
    }
}

/* --- content */

/* What is a number is a height within reach; what is none is a hole, where holes are allowed. */
static const char *look_at_heights(lode__field *field, uint64_t *hash)
{
    for (uint32_t row = 0; row < field->rows; ++row)
        for (uint32_t column = 0; column < field->columns; ++column) {
            lode_real h = field_height(field, column, row);
            bool hole = h != h;
            if (!(hole ? field->holes : r_abs(h) <= FARTHEST))
                return "heights must be finite and within 1e9";
            uint64_t word = 0;
            double x = hole ? (double)FARTHEST * 2 : (double)h + 0.0; /* -0 is 0 */
            memcpy(&word, &x, sizeof x);
            *hash = lode__hash_word(*hash, word);
        }
    return NULL;
}

/* What its shapes depend on; not how the samples are kept. */
static uint64_t hash_of(const lode__field *field, uint64_t hash)
{
    double numbers[] = {field->spacing_x, field->spacing_y, (double)field->thickness,
                        (double)field->lowest, (double)field->highest};
    hash = lode__hash_word(hash, (uint64_t)field->columns << 32 | field->rows);
    hash = lode__hash_word(hash, field->wrap);
    hash = lode__hash_bytes(hash, numbers, sizeof numbers);
    if (field->materials)
        hash = lode__hash_bytes(hash, field->materials, cells_of(field));
    return hash ? hash : 1;
}

static lode_status check_bounds(lode__field *field, const lode_heightfield_def *def,
                                const char **out_argument, const char **out_reason)
{
    const lode__field_range *all = &field->ranges[field->range_count - 1];
    field->lowest = def->bounded ? def->lowest : all->lo;
    field->highest = def->bounded ? def->highest : all->hi;
    *out_argument = def->samples ? "def.samples" : "def.sample";
    *out_reason = all->lo > all->hi ? "no triangle is left between the holes"
                                    : "heights are beyond the bounds";
    return field->lowest <= all->lo && all->lo <= all->hi && all->hi <= field->highest
               ? LODE_OK
               : LODE_ERROR_ARGUMENT;
}

static lode_status build(lode__field *field, const lode_heightfield_def *def,
                         const char **out_argument, const char **out_reason)
{
    uint64_t hash = LODE_HEIGHTFIELD;
    *out_argument = "";
    *out_reason = "out of memory";
    if (!(def->samples && def->reference) && !copy_samples(field, def))
        return LODE_ERROR_MEMORY;
    if (!take_levels(field) || !copy_materials(field, def->materials))
        return LODE_ERROR_MEMORY;
    *out_argument = def->samples ? "def.samples" : "def.sample";
    *out_reason = look_at_heights(field, &hash);
    if (*out_reason)
        return LODE_ERROR_ARGUMENT;
    fill_levels(field);
    lode_status status = check_bounds(field, def, out_argument, out_reason);
    if (!status)
        lode__data_begin(&field->data, LODE_HEIGHTFIELD, hash_of(field, hash), free_field);
    return status;
}

lode_status lode__field_build(const lode_heightfield_def *def, lode__field **out,
                              const char **out_argument, const char **out_reason)
{
    lode__field *field = lode__alloc(sizeof *field);
    *out_argument = "";
    *out_reason = "out of memory";
    *out = NULL;
    if (!field)
        return LODE_ERROR_MEMORY;
    memset(field, 0, sizeof *field);
    point_at(field, def);
    lode_status status = build(field, def, out_argument, out_reason);
    if (status)
        free_field(&field->data);
    else
        *out = field;
    return status;
}

/* entries_write.c: records into objects of JSON; see entries.h. */
#include "io/entries.h"
#include "io/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool lode__io_write_key(yajl_gen out, const char *text)
{
    return yajl_gen_string(out, (const unsigned char *)text, strlen(text)) == yajl_gen_status_ok;
}

static void write_real(yajl_gen out, lode_real x)
{
    char text[LODE__IO_NUMBER_ROOM];
    if (isinf(x)) {
        lode__io_write_key(out, x > 0 ? "infinity" : "-infinity");
        return;
    }
    lode__io_number_write(x, text);
    yajl_gen_number(out, text, strlen(text));
}

/* Arrays, in one line. */
static void write_reals(yajl_gen out, const lode_real *x, int count)
{
    yajl_gen_array_open(out);
    for (int i = 0; i < count; ++i)
        write_real(out, x[i]);
    yajl_gen_array_close(out);
}

static void write_points(yajl_gen out, const lode__io_points *points)
{
    yajl_gen_array_open(out);
    for (int i = 0; i < points->count; ++i)
        write_reals(out, &points->at[i].x, 3);
    yajl_gen_array_close(out);
}

static void write_polygons(yajl_gen out, const lode__io_polygons *polygons)
{
    const int *corner = polygons->corners;
    yajl_gen_array_open(out);
    for (int i = 0; i < polygons->count; ++i) {
        yajl_gen_array_open(out);
        for (int k = 0; k < polygons->sizes[i]; ++k)
            yajl_gen_integer(out, *corner++);
        yajl_gen_array_close(out);
    }
    yajl_gen_array_close(out);
}

static void write_bytes(yajl_gen out, const lode__io_bytes *bytes)
{
    yajl_gen_array_open(out);
    for (int i = 0; i < bytes->count; ++i)
        yajl_gen_integer(out, bytes->at[i]);
    yajl_gen_array_close(out);
}

/* False: one is not UTF-8. */
static bool write_texts(yajl_gen out, const lode__io_texts *texts)
{
    bool good = true;
    yajl_gen_array_open(out);
    for (int i = 0; i < texts->count && good; ++i)
        if (texts->at[i])
            good = lode__io_write_key(out, texts->at[i]);
        else
            yajl_gen_null(out);
    yajl_gen_array_close(out);
    return good;
}

static void write_array(yajl_gen out, const lode__io_entry *entry, const void *place)
{
    yajl_gen_config(out, yajl_gen_beautify, 0);
    if (entry->kind == LODE__IO_REALS)
        write_reals(out, place, entry->count);
    else if (entry->kind == LODE__IO_POINTS)
        write_points(out, place);
    else if (entry->kind == LODE__IO_POLYGONS)
        write_polygons(out, place);
    else
        write_bytes(out, place);
    yajl_gen_config(out, yajl_gen_beautify, 1);
}

static void write_bits(yajl_gen out, uint64_t bits)
{
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)bits);
    lode__io_write_key(out, text);
}

/* Has the record what the defaults have, whose bits count? */
static bool is_default(const lode__io_entry *entry, const char *record, const char *defaults)
{
    const lode__io_entry *inner = entry->of;
    const char *a = record + entry->offset, *b = defaults + entry->offset;
    switch (entry->kind) {
    case LODE__IO_REAL:
        return memcmp(a, b, sizeof(lode_real)) == 0;
    case LODE__IO_REALS:
        return memcmp(a, b, (size_t)entry->count * sizeof(lode_real)) == 0;
    case LODE__IO_INT:
    case LODE__IO_WORD:
        return memcmp(a, b, sizeof(int)) == 0;
    case LODE__IO_FLAG:
        return *(const bool *)a == *(const bool *)b;
    case LODE__IO_BITS:
        return memcmp(a, b, sizeof(uint64_t)) == 0;
    case LODE__IO_TEXT:
        return !*(const char *const *)a;
    case LODE__IO_RECORD:
        for (int i = 0; i < entry->count; ++i)
            if (!is_default(&inner[i], a, b))
                return false;
        return true;
    case LODE__IO_RECORDS:
        return true;
    case LODE__IO_POINTS:
        return ((const lode__io_points *)(const void *)a)->count == 0;
    case LODE__IO_POLYGONS:
        return ((const lode__io_polygons *)(const void *)a)->count == 0;
    case LODE__IO_BYTES:
        return ((const lode__io_bytes *)(const void *)a)->count == 0;
    case LODE__IO_TEXTS:
        return ((const lode__io_texts *)(const void *)a)->count == 0;
    }
    return false;
}

static bool write_record(yajl_gen out, const lode__io_entry *entry, const void *record,
                         const void *defaults)
{
    yajl_gen_map_open(out);
    bool written = lode__io_entries_write(out, entry->of, entry->count, record, defaults);
    yajl_gen_map_close(out);
    return written;
}

static bool write_value(yajl_gen out, const lode__io_entry *entry, const void *place,
                        const void *defaults)
{
    const char *const *words = entry->of;
    switch (entry->kind) {
    case LODE__IO_REAL:
        write_real(out, *(const lode_real *)place);
        return true;
    case LODE__IO_REALS:
    case LODE__IO_POINTS:
    case LODE__IO_POLYGONS:
    case LODE__IO_BYTES:
        write_array(out, entry, place);
        return true;
    case LODE__IO_INT:
        return yajl_gen_integer(out, *(const int *)place) == yajl_gen_status_ok;
    case LODE__IO_FLAG:
        return yajl_gen_bool(out, *(const bool *)place) == yajl_gen_status_ok;
    case LODE__IO_BITS:
        write_bits(out, *(const uint64_t *)place);
        return true;
    case LODE__IO_WORD:
        return lode__io_write_key(out, words[*(const int *)place]);
    case LODE__IO_TEXT:
        return lode__io_write_key(out, *(const char *const *)place);
    case LODE__IO_TEXTS:
        return write_texts(out, place);
    case LODE__IO_RECORD:
        return write_record(out, entry, place, defaults);
    case LODE__IO_RECORDS:
        break;
    }
    return true;
}

static bool is_optional(lode__io_entry_kind kind)
{
    return kind == LODE__IO_TEXT || kind == LODE__IO_RECORD || kind == LODE__IO_RECORDS ||
           kind == LODE__IO_POLYGONS || kind == LODE__IO_BYTES || kind == LODE__IO_TEXTS;
}

bool lode__io_entries_write(yajl_gen out, const lode__io_entry *entries, int count,
                            const void *record, const void *defaults)
{
    for (int i = 0; i < count; ++i) {
        const lode__io_entry *entry = &entries[i];
        if (is_optional(entry->kind) && is_default(entry, record, defaults))
            continue;
        lode__io_write_key(out, entry->key);
        if (!write_value(out, entry, (const char *)record + entry->offset,
                         (const char *)defaults + entry->offset))
            return false;
    }
    return true;
}

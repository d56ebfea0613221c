/* entries_read.c: objects of JSON into records; see entries.h. */
#include "io/entries.h"
#include "io/number.h"
#include "io/shown.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void fault(const lode__io_entries_reader *r, const lode__io_json *value, const char *text)
{
    lode__io_scan_fault(r->scan, value->line, "%s %s", value->key, text);
}

static bool is_word(const lode__io_json *value, const char *word)
{
    return value->kind == LODE__IO_STRING && value->length == strlen(word) &&
           memcmp(value->text, word, value->length) == 0;
}

/* ---- kinds of values */

static bool read_number(const lode__io_entries_reader *r, const lode__io_json *value,
                        lode_real *out)
{
    lode__io_number number = lode__io_number_read(r->memory, value->text, value->length);
    *out = number.value;
    return isfinite(number.wide) && isfinite(number.value);
}

static void read_real(const lode__io_entries_reader *r, const lode__io_json *value, lode_real *out)
{
    bool above = is_word(value, "infinity"), below = is_word(value, "-infinity");
    if (above || below)
        *out = above ? (lode_real)INFINITY : (lode_real)-INFINITY;
    else if (value->kind != LODE__IO_NUMBER)
        fault(r, value, "must be a number, \"infinity\" or \"-infinity\"");
    else if (!read_number(r, value, out))
        fault(r, value, "must be finite");
}

static void read_reals(const lode__io_entries_reader *r, const lode__io_json *value, int count,
                       lode_real *out)
{
    bool good = value->kind == LODE__IO_ARRAY && value->count == count;
    for (const lode__io_json *v = value->first; v && good; v = v->next)
        good = v->kind == LODE__IO_NUMBER && read_number(r, v, out++);
    if (!good)
        lode__io_scan_fault(r->scan, value->line, "%s must be an array of %d finite numbers",
                            value->key, count);
}

static bool read_whole(const lode__io_entries_reader *r, const lode__io_json *value, int *out)
{
    double wide = value->kind == LODE__IO_NUMBER
                      ? lode__io_number_read(r->memory, value->text, value->length).wide
                      : 0.5;
    bool whole = wide >= INT_MIN && wide <= INT_MAX && wide == floor(wide);
    *out = whole ? (int)wide : 0;
    return whole;
}

static void read_int(const lode__io_entries_reader *r, const lode__io_json *value, int *out)
{
    if (!read_whole(r, value, out))
        fault(r, value, "must be a whole number");
}

static void read_points(const lode__io_entries_reader *r, const lode__io_json *value,
                        lode__io_points *out)
{
    bool good = value->kind == LODE__IO_ARRAY;
    *out = (lode__io_points){
        .at = lode__io_alloc(r->memory, (size_t)value->count * sizeof *out->at)};
    for (const lode__io_json *v = value->first; v && good; v = v->next) {
        lode_real x[3], *at = x;
        good = v->kind == LODE__IO_ARRAY && v->count == 3;
        for (const lode__io_json *c = v->first; c && good; c = c->next)
            good = c->kind == LODE__IO_NUMBER && read_number(r, c, at++);
        if (good)
            out->at[out->count++] = (lode_vec3){x[0], x[1], x[2]};
    }
    if (!good)
        fault(r, value, "must be an array of points, each of 3 finite numbers");
}

static int count_corners(const lode__io_json *polygons)
{
    int count = 0;
    for (const lode__io_json *v = polygons->first; v; v = v->next)
        count += v->count;
    return count;
}

/* Each with so many corners, or with any number if that is 0. */
static void read_polygons(const lode__io_entries_reader *r, const lode__io_json *value, int each,
                          lode__io_polygons *out)
{
    bool good = value->kind == LODE__IO_ARRAY;
    const int corners = count_corners(value);
    *out = (lode__io_polygons){
        .sizes = lode__io_alloc(r->memory, (size_t)value->count * sizeof *out->sizes),
        .corners = lode__io_alloc(r->memory, (size_t)corners * sizeof *out->corners)};
    for (const lode__io_json *v = value->first; v && good; v = v->next) {
        good = v->kind == LODE__IO_ARRAY && (each == 0 || v->count == each);
        for (const lode__io_json *c = v->first; c && good; c = c->next)
            good = read_whole(r, c, &out->corners[out->corner_count++]);
        out->sizes[out->count++] = v->count;
    }
    if (!good && each == 0)
        fault(r, value, "must be an array of faces, each of whole numbers");
    else if (!good)
        lode__io_scan_fault(r->scan, value->line,
                            "%s must be an array of arrays of %d whole numbers", value->key, each);
}

static void read_bytes(const lode__io_entries_reader *r, const lode__io_json *value,
                       lode__io_bytes *out)
{
    bool good = value->kind == LODE__IO_ARRAY;
    *out = (lode__io_bytes){
        .at = lode__io_alloc(r->memory, (size_t)value->count * sizeof *out->at)};
    for (const lode__io_json *v = value->first; v && good; v = v->next) {
        int whole;
        good = read_whole(r, v, &whole) && whole >= 0 && whole <= UINT8_MAX;
        out->at[out->count++] = (uint8_t)whole;
    }
    if (!good)
        fault(r, value, "must be an array of whole numbers from 0 to 255");
}

static void read_flag(const lode__io_entries_reader *r, const lode__io_json *value, bool *out)
{
    if (value->kind != LODE__IO_TRUE && value->kind != LODE__IO_FALSE)
        fault(r, value, "must be true or false");
    *out = value->kind == LODE__IO_TRUE;
}

static void read_bits(const lode__io_entries_reader *r, const lode__io_json *value, uint64_t *out)
{
    static const char digits[] = "0123456789abcdef";
    bool good = value->kind == LODE__IO_STRING && value->length > 2 && value->length <= 18 &&
                memcmp(value->text, "0x", 2) == 0;
    uint64_t bits = 0;
    for (size_t i = 2; i < value->length && good; ++i) {
        const char *digit = memchr(digits, value->text[i], 16);
        good = digit != NULL;
        bits = bits << 4 | (good ? (uint64_t)(digit - digits) : 0);
    }
    if (!good)
        fault(r, value, "must be \"0x\" and 1 to 16 digits of 0 to 9 and a to f");
    *out = bits;
}

int lode__io_entries_word(const lode__io_entries_reader *r, const lode__io_json *value,
                          const char *const *words, int count)
{
    for (int i = 0; i < count; ++i)
        if (is_word(value, words[i]))
            return i;
    char all[300] = "";
    for (int i = 0, at = 0; i < count && at < (int)sizeof all; ++i)
        at += snprintf(all + at, sizeof all - (size_t)at, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    lode__io_scan_fault(r->scan, value->line, "%s must be one of %s", value->key, all);
    return -1;
}

static void read_text(const lode__io_entries_reader *r, const lode__io_json *value,
                      const char **out)
{
    if (value->kind != LODE__IO_STRING)
        fault(r, value, "must be a string");
    else if (memchr(value->text, 0, value->length))
        fault(r, value, "must not have a null character in it");
    else
        *out = value->text;
}

static void read_texts(const lode__io_entries_reader *r, const lode__io_json *value,
                       lode__io_texts *out)
{
    bool good = value->kind == LODE__IO_ARRAY;
    *out = (lode__io_texts){
        .at = lode__io_alloc(r->memory, (size_t)value->count * sizeof *out->at)};
    for (const lode__io_json *v = value->first; v && good; v = v->next) {
        const bool text = v->kind == LODE__IO_STRING && !memchr(v->text, 0, v->length);
        good = text || v->kind == LODE__IO_NULL;
        out->at[out->count++] = text ? v->text : NULL;
    }
    if (!good)
        fault(r, value, "must be an array of strings without null characters, or null");
}

static void read_list(const lode__io_entries_reader *r, const lode__io_json *value,
                      const lode__io_json **out)
{
    bool good = value->kind == LODE__IO_ARRAY;
    for (const lode__io_json *v = value->first; v && good; v = v->next)
        good = v->kind == LODE__IO_OBJECT;
    if (!good)
        fault(r, value, "must be an array of objects");
    *out = value;
}

static void read_entry(const lode__io_entries_reader *r, const lode__io_json *value,
                       const lode__io_entry *entry, void *place)
{
    switch (entry->kind) {
    case LODE__IO_REAL:
        read_real(r, value, place);
        break;
    case LODE__IO_REALS:
        read_reals(r, value, entry->count, place);
        break;
    case LODE__IO_INT:
        read_int(r, value, place);
        break;
    case LODE__IO_FLAG:
        read_flag(r, value, place);
        break;
    case LODE__IO_BITS:
        read_bits(r, value, place);
        break;
    case LODE__IO_WORD:
        *(int *)place = lode__io_entries_word(r, value, entry->of, entry->count);
        break;
    case LODE__IO_TEXT:
        read_text(r, value, place);
        break;
    case LODE__IO_RECORD:
        lode__io_entries_read(r, value, entry->key, entry->of, entry->count, place);
        break;
    case LODE__IO_RECORDS:
        read_list(r, value, place);
        break;
    case LODE__IO_POINTS:
        read_points(r, value, place);
        break;
    case LODE__IO_POLYGONS:
        read_polygons(r, value, entry->count, place);
        break;
    case LODE__IO_BYTES:
        read_bytes(r, value, place);
        break;
    case LODE__IO_TEXTS:
        read_texts(r, value, place);
        break;
    }
}

/* ---- objects */

static const lode__io_entry *find(const lode__io_json *value, const lode__io_entry *entries,
                                  int count)
{
    for (int i = 0; i < count; ++i)
        if (strlen(entries[i].key) == value->key_length &&
            memcmp(entries[i].key, value->key, value->key_length) == 0)
            return &entries[i];
    return NULL;
}

void lode__io_entries_read(const lode__io_entries_reader *r, const lode__io_json *object,
                           const char *what, const lode__io_entry *entries, int count, void *record)
{
    if (object->kind != LODE__IO_OBJECT)
        lode__io_scan_fault(r->scan, object->line, "%s must be an object", what);
    for (const lode__io_json *v = object->first; v && !r->scan->fault[0]; v = v->next) {
        const lode__io_entry *entry = find(v, entries, count);
        if (!entry)
            lode__io_scan_fault(r->scan, v->line, "%s is no key of %s here",
                                lode__io_show(v->key, v->key_length).text, what);
        else if (lode__io_json_find(object, entry->key) != v)
            fault(r, v, "is there twice");
        else
            read_entry(r, v, entry, (char *)record + entry->offset);
    }
}

const lode__io_json *lode__io_entries_need(const lode__io_entries_reader *r,
                                           const lode__io_json *object, const char *what,
                                           const char *key)
{
    const lode__io_json *value = lode__io_json_find(object, key);
    if (!value)
        lode__io_scan_fault(r->scan, object->line, "%s: %s is missing", what, key);
    return value;
}

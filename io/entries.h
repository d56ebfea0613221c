/* entries.h: records as objects of JSON, by tables: each entry says under which key a field stands
 * and what it is. Reading knows all that is no question of the library's: kinds, numbers that are
 * finite, keys that are unknown, twice or missing. */
#ifndef LODE_IO_ENTRIES_H
#define LODE_IO_ENTRIES_H

#include "io/json.h"
#include "lode/types.h"

#include <yajl/yajl_gen.h>

typedef enum lode__io_entry_kind {
    LODE__IO_REAL,     /* lode_real; infinite ones are "infinity" and "-infinity" */
    LODE__IO_REALS,    /* `count` of them, finite: an array */
    LODE__IO_INT,      /* int */
    LODE__IO_FLAG,     /* bool */
    LODE__IO_BITS,     /* uint64_t: a string of hexadecimal digits after "0x" */
    LODE__IO_WORD,     /* an enum: one of `count` words, by its number */
    LODE__IO_TEXT,     /* const char *, null for none: a string without zeros in it */
    LODE__IO_RECORD,   /* a record in the record, which has `count` entries */
    LODE__IO_RECORDS,  /* const lode__io_json *: an array of objects, for whoever reads them */
    LODE__IO_POINTS,   /* lode__io_points: an array of arrays of three finite numbers */
    LODE__IO_POLYGONS, /* lode__io_polygons, none by default: an array of arrays of whole numbers,
                          `count` of them if that is not 0 */
    LODE__IO_BYTES,    /* lode__io_bytes, none by default: an array of whole numbers to 255 */
    LODE__IO_TEXTS     /* lode__io_texts, none by default: an array of such strings, or null */
} lode__io_entry_kind;

typedef struct lode__io_points {
    lode_vec3 *at;
    int count;
} lode__io_points;

/* As in lode_hull_def. */
typedef struct lode__io_polygons {
    int *sizes, *corners;
    int count, corner_count;
} lode__io_polygons;

typedef struct lode__io_bytes {
    uint8_t *at;
    int count;
} lode__io_bytes;

typedef struct lode__io_texts {
    const char **at;
    int count;
} lode__io_texts;

typedef struct lode__io_entry {
    const char *key;
    lode__io_entry_kind kind;
    size_t offset;
    int count;
    const void *of; /* words, or entries of the inner record */
} lode__io_entry;

/* What the reading of one text shares. */
typedef struct lode__io_entries_reader {
    lode__io_memory *memory;
    lode__io_scan *scan; /* gets the faults */
} lode__io_entries_reader;

/* Fields of `record` from `object`, others stay as they are. `what` names the object in faults. */
void lode__io_entries_read(const lode__io_entries_reader *r, const lode__io_json *object,
                           const char *what, const lode__io_entry *entries, int count,
                           void *record);

/* A key that must be there. Null after a fault. */
const lode__io_json *lode__io_entries_need(const lode__io_entries_reader *r,
                                           const lode__io_json *object, const char *what,
                                           const char *key);

/* The number of a word, or -1 after a fault. */
int lode__io_entries_word(const lode__io_entries_reader *r, const lode__io_json *value,
                          const char *const *words, int count);

/* Keys and values, within an object that is open. Records that are as in `defaults`, and texts that
 * are null, are left out, as are lists, which the caller writes. False: a text is not UTF-8. */
bool lode__io_entries_write(yajl_gen out, const lode__io_entry *entries, int count,
                            const void *record, const void *defaults);

bool lode__io_write_key(yajl_gen out, const char *text);

#endif

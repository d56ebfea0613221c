/* json.h: a text of JSON as a tree in the memory of the call, with the line of each value. */
#ifndef LODE_IO_JSON_H
#define LODE_IO_JSON_H

#include "io/scan.h"

typedef struct lode__io_json {
    lode__io_token_kind kind; /* of its first token */
    int line;
    const char *key;  /* within an object; else "" */
    const char *text; /* of a number or string; both end with a zero, and may have some within */
    size_t key_length, length;
    struct lode__io_json *first, *last, *next; /* what is in it; what is beside it */
    int count;                                 /* how many values are in it */
} lode__io_json;

enum { LODE__IO_JSON_DEPTH = 16 }; /* deeper texts are faults */

/* Null: the scan has a fault. Its `take` and `user` are set here. */
lode__io_json *lode__io_json_read(lode__io_scan *scan);

/* The value of a key; null: there is none. */
const lode__io_json *lode__io_json_find(const lode__io_json *object, const char *key);

#endif

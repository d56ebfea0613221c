/* scan.h: JSON token by token, with lines and faults.
 *
 * The parser (yajl) tells of one token after another, at each of which it says how much of the text
 * it has consumed, and thereby the line: a token has no newlines within. */
#ifndef LODE_IO_SCAN_H
#define LODE_IO_SCAN_H

#include "io/memory.h"

typedef enum lode__io_token_kind {
    LODE__IO_NUMBER,
    LODE__IO_STRING,
    LODE__IO_TRUE,
    LODE__IO_FALSE,
    LODE__IO_NULL,
    LODE__IO_KEY,
    LODE__IO_OBJECT,
    LODE__IO_OBJECT_END,
    LODE__IO_ARRAY,
    LODE__IO_ARRAY_END
} lode__io_token_kind;

typedef struct lode__io_token {
    lode__io_token_kind kind;
    const char *text; /* of a number, string or key */
    size_t length;
} lode__io_token;

typedef struct lode__io_scan {
    /* given */
    lode__io_memory *memory;
    const char *text;
    size_t size;
    void (*take)(void *user, lode__io_token token);
    void *user;

    int line;        /* of the token that is taken, from 1 */
    char fault[360]; /* empty: none so far; the first ends the scan */
    int fault_line;

    void *parser;
    size_t counted; /* bytes whose newlines are counted */
    bool has_ended; /* all of the text is consumed */
} lode__io_scan;

/* Scans all of the text, or up to a fault. */
void lode__io_scan_run(lode__io_scan *scan);

void lode__io_scan_fault(lode__io_scan *scan, int line, const char *format, ...);

#endif

/* scan.c: see scan.h. */
#include "io/scan.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <yajl/yajl_parse.h>

void lode__io_scan_fault(lode__io_scan *scan, int line, const char *format, ...)
{
    va_list values;
    if (scan->fault[0])
        return;
    va_start(values, format);
    vsnprintf(scan->fault, sizeof scan->fault, format, values);
    va_end(values);
    scan->fault_line = line;
}

static void count_lines(lode__io_scan *scan, size_t end)
{
    for (; scan->counted < end; ++scan->counted)
        scan->line += scan->text[scan->counted] == '\n' && scan->line < INT_MAX;
}

/* ---- the parser's calls */

static int take(void *context, lode__io_token_kind kind, const void *text, size_t length)
{
    lode__io_scan *scan = context;
    count_lines(scan, scan->has_ended ? scan->size : yajl_get_bytes_consumed(scan->parser));
    scan->take(scan->user, (lode__io_token){kind, text, length});
    return scan->fault[0] == 0;
}

static int take_null(void *scan)
{
    return take(scan, LODE__IO_NULL, "", 0);
}

static int take_boolean(void *scan, int value)
{
    return take(scan, value ? LODE__IO_TRUE : LODE__IO_FALSE, "", 0);
}

static int take_digits(void *scan, const char *text, size_t length)
{
    return take(scan, LODE__IO_NUMBER, text, length);
}

static int take_string(void *scan, const unsigned char *text, size_t length)
{
    return take(scan, LODE__IO_STRING, text, length);
}

static int take_key(void *scan, const unsigned char *text, size_t length)
{
    return take(scan, LODE__IO_KEY, text, length);
}

static int take_object(void *scan)
{
    return take(scan, LODE__IO_OBJECT, "", 0);
}

static int take_object_end(void *scan)
{
    return take(scan, LODE__IO_OBJECT_END, "", 0);
}

static int take_array(void *scan)
{
    return take(scan, LODE__IO_ARRAY, "", 0);
}

static int take_array_end(void *scan)
{
    return take(scan, LODE__IO_ARRAY_END, "", 0);
}

static const yajl_callbacks calls = {
    .yajl_null = take_null,
    .yajl_boolean = take_boolean,
    .yajl_number = take_digits,
    .yajl_string = take_string,
    .yajl_map_key = take_key,
    .yajl_start_map = take_object,
    .yajl_end_map = take_object_end,
    .yajl_start_array = take_array,
    .yajl_end_array = take_array_end,
};

/* In the parser's words, which end with a newline. */
static void fault_of_text(lode__io_scan *scan)
{
    char *words = (char *)yajl_get_error(scan->parser, 0, NULL, 0);
    words[strcspn(words, "\n")] = 0;
    lode__io_scan_fault(scan, scan->line, "the text is no JSON: %s", words);
}

void lode__io_scan_run(lode__io_scan *scan)
{
    static const char mark[] = "\xef\xbb\xbf";
    const unsigned char *text = (const unsigned char *)scan->text;
    yajl_alloc_funcs memory = {lode__io_alloc, lode__io_realloc, lode__io_free, scan->memory};
    scan->line = 1;
    if (scan->size >= 3 && memcmp(scan->text, mark, 3) == 0) {
        lode__io_scan_fault(scan, 1,
                            "the text begins with a byte order mark, which JSON does not have");
        return;
    }
    scan->parser = yajl_alloc(&calls, &memory, scan);
    yajl_status status = yajl_parse(scan->parser, text, scan->size);
    if (status == yajl_status_error) {
        /* the last byte consumed is the one that is wrong, or of the token that is */
        size_t end = yajl_get_bytes_consumed(scan->parser);
        count_lines(scan, end ? end - 1 : 0);
        fault_of_text(scan);
    } else if (status == yajl_status_ok) {
        scan->has_ended = true;
        if (yajl_complete_parse(scan->parser) == yajl_status_error) {
            count_lines(scan, scan->size);
            fault_of_text(scan);
        }
    }
}

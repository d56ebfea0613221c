/* json.c: see json.h. */
#include "io/json.h"

#include <limits.h>
#include <string.h>

typedef struct builder {
    lode__io_scan *scan;
    lode__io_json *open[LODE__IO_JSON_DEPTH]; /* objects and arrays that are not at their end */
    int depth;
    lode__io_json *root;
    const char *key; /* that the next value has */
    size_t key_length;
} builder;

static const char *copy(builder *b, lode__io_token t)
{
    char *text = lode__io_alloc(b->scan->memory, t.length + 1);
    memcpy(text, t.text, t.length);
    text[t.length] = 0;
    return text;
}

/* Behind what is in `parent` already. */
static void hang(lode__io_json *parent, lode__io_json *value)
{
    if (parent->last)
        parent->last->next = value;
    else
        parent->first = value;
    parent->last = value;
    ++parent->count;
}

static void add(builder *b, lode__io_token t)
{
    lode__io_json *value = lode__io_alloc(b->scan->memory, sizeof *value);
    *value = (lode__io_json){.kind = t.kind, .line = b->scan->line, .key = "", .text = ""};
    if (t.kind == LODE__IO_NUMBER || t.kind == LODE__IO_STRING) {
        value->text = copy(b, t);
        value->length = t.length;
    }
    if (b->key) {
        value->key = b->key;
        value->key_length = b->key_length;
        b->key = NULL;
    }
    if (b->depth == 0)
        b->root = value;
    else if (b->open[b->depth - 1]->count < INT_MAX)
        hang(b->open[b->depth - 1], value);
    if (t.kind != LODE__IO_OBJECT && t.kind != LODE__IO_ARRAY)
        return;
    if (b->depth == LODE__IO_JSON_DEPTH)
        lode__io_scan_fault(b->scan, b->scan->line, "the text is nested too deeply");
    else
        b->open[b->depth++] = value;
}

static void take(void *user, lode__io_token t)
{
    builder *b = user;
    if (t.kind == LODE__IO_OBJECT_END || t.kind == LODE__IO_ARRAY_END) {
        --b->depth;
    } else if (t.kind == LODE__IO_KEY) {
        b->key = copy(b, t);
        b->key_length = t.length;
    } else {
        add(b, t);
    }
}

lode__io_json *lode__io_json_read(lode__io_scan *scan)
{
    builder b = {.scan = scan};
    scan->take = take;
    scan->user = &b;
    lode__io_scan_run(scan);
    return scan->fault[0] ? NULL : b.root;
}

const lode__io_json *lode__io_json_find(const lode__io_json *object, const char *key)
{
    size_t length = strlen(key);
    for (const lode__io_json *v = object->first; v; v = v->next)
        if (v->key_length == length && memcmp(v->key, key, length) == 0)
            return v;
    return NULL;
}

/* materials_read.c: a table of contact properties out of JSON.
 *
 * The parser (yajl) tells of one token after another, at each of which it says how much of the text
 * it has consumed, and thereby the line: a token has no newlines within. What a token means depends
 * on the place where it stands; each place has a function. Places that are not of the table's form
 * are faults, so nothing nests deeper than a table's numbers. */
#include "io/material_fields.h"
#include "io/materials_text.h"
#include "io/number.h"
#include "io/shown.h"
#include "lode/setup.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yajl/yajl_parse.h>

typedef enum token_kind {
    NUMBER,
    STRING,
    WORD,
    KEY,
    OBJECT,
    OBJECT_END,
    ARRAY,
    ARRAY_END
} token_kind;

typedef struct token {
    token_kind kind;
    const char *text; /* of a number, string or key */
    size_t length;
} token;

typedef struct reader reader;

/* What a place does with a token. */
typedef void place(reader *r, token t);

struct reader {
    lode__io_memory *memory;
    yajl_handle parser;
    const char *text;
    size_t size, counted; /* bytes; those whose newlines are counted */
    int line;
    place *at;
    bool has_ended; /* all of the text is consumed */
    bool has_table;
    lode_contact_properties *entries;
    size_t count, room;
    uint32_t seen;                     /* fields that the entry has, by their place in the table */
    const lode__io_field *field;       /* whose value comes */
    int values, array_line, side_line; /* the last: of the entry's immovable side, or 0 */
    char fault[200];                   /* empty: none so far */
    int fault_line;
};

/* --- faults */

static void fault_at(reader *r, int line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(r->fault, sizeof r->fault, format, values);
    va_end(values);
    r->fault_line = line;
}

static void fault(reader *r, const char *key, const char *text)
{
    fault_at(r, r->line, "%s %s", key, text);
}

static void count_lines(reader *r, size_t end)
{
    for (; r->counted < end; ++r->counted)
        r->line += r->text[r->counted] == '\n' && r->line < INT_MAX;
}

/* --- values of fields */

static place in_entry, in_values;

static lode_contact_properties *entry_of(reader *r)
{
    return &r->entries[r->count - 1];
}

static void take_name(reader *r, token t)
{
    const char *key = r->field->key;
    if (t.length == 0) {
        fault(r, key, "must not be empty");
    } else if (t.length > LODE_MATERIAL_NAME) {
        fault(r, key, "must have at most 255 bytes");
    } else if (memchr(t.text, 0, t.length)) {
        fault(r, key, "must not have a null character in it");
    } else {
        char *name = lode__io_alloc(r->memory, t.length + 1);
        memcpy(name, t.text, t.length);
        name[t.length] = 0;
        *(const char **)lode__io_place(r->field, entry_of(r)) = name;
    }
}

static void take_number(reader *r, token t)
{
    const lode__io_field *field = r->field;
    lode__io_number number = lode__io_number_read(r->memory, t.text, t.length);
    void *place = lode__io_place(field, entry_of(r));
    const bool whole = field->kind == LODE__IO_WHOLE;
    if (!field->is_good(number.wide) || !(whole || field->is_good((double)number.value)))
        fault(r, field->key, field->fault);
    else if (whole)
        *(int *)place = (int)number.wide;
    else if (r->values < field->most)
        ((lode_real *)place)[r->values] = number.value;
    r->values += r->values <= field->most;
}

static void take_side(reader *r, token t)
{
    int side = 0;
    while (side < LODE_IMMOVABLE_COUNT && (strlen(lode__io_sides[side]) != t.length ||
                                           memcmp(lode__io_sides[side], t.text, t.length) != 0))
        ++side;
    if (t.kind != STRING || side == LODE_IMMOVABLE_COUNT)
        fault(r, r->field->key, r->field->fault);
    else
        *(lode_immovable *)lode__io_place(r->field, entry_of(r)) = (lode_immovable)side;
    r->side_line = r->line;
}

/* After the last value: how many there were. */
static void end_values(reader *r)
{
    const lode__io_field *field = r->field;
    int *count = lode__io_count(field, entry_of(r));
    if (r->values < field->least || r->values > field->most) {
        if (field->least < field->most)
            fault_at(r, r->array_line, "%s must have %d to %d values", field->key, field->least,
                     field->most);
        else
            fault_at(r, r->array_line, "%s must have %d values", field->key, field->most);
    } else if (count) {
        *count = r->values;
    }
    r->at = in_entry;
}

static void in_values(reader *r, token t)
{
    if (t.kind == NUMBER)
        take_number(r, t);
    else if (t.kind == ARRAY_END)
        end_values(r);
    else
        fault(r, r->field->key, "must be an array of numbers");
}

static void before_value(reader *r, token t)
{
    const lode__io_field *field = r->field;
    r->values = 0;
    r->array_line = r->line;
    if (field->kind == LODE__IO_NAME) {
        if (t.kind == STRING)
            take_name(r, t);
        else
            fault(r, field->key, "must be a string");
        r->at = in_entry;
    } else if (field->kind == LODE__IO_SIDE) {
        take_side(r, t);
        r->at = in_entry;
    } else if (t.kind == NUMBER && field->least == 1) {
        take_number(r, t);
        end_values(r);
    } else if (t.kind == ARRAY && field->most > 1) {
        r->at = in_values;
    } else {
        fault(r, field->key,
              field->most == 1    ? "must be a number"
              : field->least == 1 ? "must be a number or an array of numbers"
                                  : "must be an array of numbers");
    }
}

/* --- the table around them */

static place in_root, in_table;

/* What only both materials together decide. */
static void end_entry(reader *r)
{
    const lode_contact_properties *p = entry_of(r);
    if (p->immovable && strcmp(p->material1, p->material2) == 0)
        fault_at(r, r->side_line, "immovable asks for two different materials");
    r->at = in_table;
}

static void in_entry(reader *r, token t)
{
    if (t.kind == OBJECT_END) {
        end_entry(r);
        return;
    }
    for (int i = 0; i < LODE__IO_FIELDS; ++i) {
        const lode__io_field *field = &lode__io_material_fields[i];
        if (strlen(field->key) != t.length || memcmp(field->key, t.text, t.length) != 0)
            continue;
        if (r->seen & 1u << i)
            fault(r, field->key, "is there twice");
        r->seen |= 1u << i;
        r->field = field;
        r->at = before_value;
        return;
    }
    fault(r, lode__io_show(t.text, t.length).text, "is no key of contact properties");
}

static void begin_entry(reader *r)
{
    if (r->count == r->room) {
        r->room = 2 * r->room + 8;
        r->entries = lode__io_realloc(r->memory, r->entries, r->room * sizeof *r->entries);
    }
    r->entries[r->count++] = lode_contact_properties_default();
    r->seen = 0;
    r->at = in_entry;
}

static void in_table(reader *r, token t)
{
    if (t.kind == ARRAY_END)
        r->at = in_root;
    else if (t.kind != OBJECT)
        fault(r, "contact_properties", "must be an array of objects");
    else if (r->count == INT_MAX)
        fault(r, "contact_properties", "has too many entries");
    else
        begin_entry(r);
}

static void before_table(reader *r, token t)
{
    if (t.kind != ARRAY)
        fault(r, "contact_properties", "must be an array of objects");
    r->at = in_table;
}

static void in_root(reader *r, token t)
{
    static const char key[] = "contact_properties";
    if (t.kind == OBJECT_END) {
        if (!r->has_table)
            fault(r, key, "is missing");
        return;
    }
    if (t.length != sizeof key - 1 || memcmp(t.text, key, t.length) != 0)
        fault(r, lode__io_show(t.text, t.length).text, "is no key of a table of materials");
    else if (r->has_table)
        fault(r, key, "is there twice");
    r->has_table = true;
    r->at = before_table;
}

static void before_root(reader *r, token t)
{
    if (t.kind != OBJECT)
        fault_at(r, r->line, "must be an object with the key contact_properties");
    r->at = in_root;
}

/* --- the parser's calls */

static int take(void *context, token_kind kind, const void *text, size_t length)
{
    reader *r = context;
    count_lines(r, r->has_ended ? r->size : yajl_get_bytes_consumed(r->parser));
    r->at(r, (token){kind, text, length});
    return r->fault[0] == 0;
}

static int take_null(void *r)
{
    return take(r, WORD, "", 0);
}

static int take_boolean(void *r, int value)
{
    (void)value;
    return take(r, WORD, "", 0);
}

static int take_digits(void *r, const char *text, size_t length)
{
    return take(r, NUMBER, text, length);
}

static int take_string(void *r, const unsigned char *text, size_t length)
{
    return take(r, STRING, text, length);
}

static int take_key(void *r, const unsigned char *text, size_t length)
{
    return take(r, KEY, text, length);
}

static int take_object(void *r)
{
    return take(r, OBJECT, "", 0);
}

static int take_object_end(void *r)
{
    return take(r, OBJECT_END, "", 0);
}

static int take_array(void *r)
{
    return take(r, ARRAY, "", 0);
}

static int take_array_end(void *r)
{
    return take(r, ARRAY_END, "", 0);
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
static void fault_of_text(reader *r)
{
    char *words = (char *)yajl_get_error(r->parser, 0, NULL, 0);
    words[strcspn(words, "\n")] = 0;
    fault_at(r, r->line, "the text is no JSON: %s", words);
}

static void parse(reader *r)
{
    static const char mark[] = "\xef\xbb\xbf";
    const unsigned char *text = (const unsigned char *)r->text;
    yajl_alloc_funcs memory = {lode__io_alloc, lode__io_realloc, lode__io_free, r->memory};
    if (r->size >= 3 && memcmp(r->text, mark, 3) == 0) {
        fault_at(r, 1, "the text begins with a byte order mark, which JSON does not have");
        return;
    }
    r->parser = yajl_alloc(&calls, &memory, r);
    yajl_status status = yajl_parse(r->parser, text, r->size);
    if (status == yajl_status_error) {
        /* the last byte consumed is the one that is wrong, or of the token that is */
        size_t end = yajl_get_bytes_consumed(r->parser);
        count_lines(r, end ? end - 1 : 0);
        fault_of_text(r);
    } else if (status == yajl_status_ok) {
        r->has_ended = true;
        if (yajl_complete_parse(r->parser) == yajl_status_error) {
            count_lines(r, r->size);
            fault_of_text(r);
        }
    }
}

lode_status lode__io_materials_read(lode__io_memory *memory, lode_world world, const char *name,
                                    const char *text, size_t size, const char *function)
{
    reader r = {.memory = memory, .text = text, .size = size, .line = 1, .at = before_root};
    parse(&r);
    if (!r.fault[0])
        return lode_world_set_contact_properties(world, r.entries, (int)r.count);
    size_t room = strlen(name) + 16;
    char *where = lode__io_alloc(memory, room);
    snprintf(where, room, "%s:%d", name, r.fault_line);
    return lode_report_error(LODE_ERROR_ARGUMENT, function, where, r.fault);
}

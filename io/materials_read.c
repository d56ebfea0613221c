/* materials_read.c: a table of contact properties out of JSON.
 *
 * What a token means depends on the place where it stands; each place has a function. Places that
 * are not of the table's form are faults, so nothing nests deeper than a table's numbers. */
#include "io/material_fields.h"
#include "io/materials_text.h"
#include "io/number.h"
#include "io/scan.h"
#include "io/shown.h"
#include "lode/setup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef lode__io_token token;

typedef struct reader reader;

/* What a place does with a token. */
typedef void place(reader *r, token t);

struct reader {
    lode__io_scan scan;
    place *at;
    bool has_table;
    lode_contact_properties *entries;
    size_t count, room;
    uint32_t seen;                     /* fields that the entry has, by their place in the table */
    const lode__io_field *field;       /* whose value comes */
    int values, array_line, side_line; /* the last: of the entry's immovable side, or 0 */
};

/* --- faults */

static void fault(reader *r, const char *key, const char *text)
{
    lode__io_scan_fault(&r->scan, r->scan.line, "%s %s", key, text);
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
        char *name = lode__io_alloc(r->scan.memory, t.length + 1);
        memcpy(name, t.text, t.length);
        name[t.length] = 0;
        *(const char **)lode__io_place(r->field, entry_of(r)) = name;
    }
}

static void take_number(reader *r, token t)
{
    const lode__io_field *field = r->field;
    lode__io_number number = lode__io_number_read(r->scan.memory, t.text, t.length);
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
    if (t.kind != LODE__IO_STRING || side == LODE_IMMOVABLE_COUNT)
        fault(r, r->field->key, r->field->fault);
    else
        *(lode_immovable *)lode__io_place(r->field, entry_of(r)) = (lode_immovable)side;
    r->side_line = r->scan.line;
}

/* After the last value: how many there were. */
static void end_values(reader *r)
{
    const lode__io_field *field = r->field;
    int *count = lode__io_count(field, entry_of(r));
    if (r->values < field->least || r->values > field->most) {
        if (field->least < field->most)
            lode__io_scan_fault(&r->scan, r->array_line, "%s must have %d to %d values", field->key,
                                field->least, field->most);
        else
            lode__io_scan_fault(&r->scan, r->array_line, "%s must have %d values", field->key,
                                field->most);
    } else if (count) {
        *count = r->values;
    }
    r->at = in_entry;
}

static void in_values(reader *r, token t)
{
    if (t.kind == LODE__IO_NUMBER)
        take_number(r, t);
    else if (t.kind == LODE__IO_ARRAY_END)
        end_values(r);
    else
        fault(r, r->field->key, "must be an array of numbers");
}

static void before_value(reader *r, token t)
{
    const lode__io_field *field = r->field;
    r->values = 0;
    r->array_line = r->scan.line;
    if (field->kind == LODE__IO_NAME) {
        if (t.kind == LODE__IO_STRING)
            take_name(r, t);
        else
            fault(r, field->key, "must be a string");
        r->at = in_entry;
    } else if (field->kind == LODE__IO_SIDE) {
        take_side(r, t);
        r->at = in_entry;
    } else if (t.kind == LODE__IO_NUMBER && field->least == 1) {
        take_number(r, t);
        end_values(r);
    } else if (t.kind == LODE__IO_ARRAY && field->most > 1) {
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
        lode__io_scan_fault(&r->scan, r->side_line, "immovable asks for two different materials");
    r->at = in_table;
}

static void in_entry(reader *r, token t)
{
    if (t.kind == LODE__IO_OBJECT_END) {
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
        r->entries = lode__io_realloc(r->scan.memory, r->entries, r->room * sizeof *r->entries);
    }
    r->entries[r->count++] = lode_contact_properties_default();
    r->seen = 0;
    r->at = in_entry;
}

static void in_table(reader *r, token t)
{
    if (t.kind == LODE__IO_ARRAY_END)
        r->at = in_root;
    else if (t.kind != LODE__IO_OBJECT)
        fault(r, "contact_properties", "must be an array of objects");
    else if (r->count == INT_MAX)
        fault(r, "contact_properties", "has too many entries");
    else
        begin_entry(r);
}

static void before_table(reader *r, token t)
{
    if (t.kind != LODE__IO_ARRAY)
        fault(r, "contact_properties", "must be an array of objects");
    r->at = in_table;
}

static void in_root(reader *r, token t)
{
    static const char key[] = "contact_properties";
    if (t.kind == LODE__IO_OBJECT_END) {
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
    if (t.kind != LODE__IO_OBJECT)
        lode__io_scan_fault(&r->scan, r->scan.line,
                            "must be an object with the key contact_properties");
    r->at = in_root;
}

static void take(void *user, token t)
{
    reader *r = user;
    r->at(r, t);
}

lode_status lode__io_materials_read(lode__io_memory *memory, lode_world world, const char *name,
                                    const char *text, size_t size, const char *function)
{
    reader r = {.scan = {.memory = memory, .text = text, .size = size, .take = take},
                .at = before_root};
    r.scan.user = &r;
    lode__io_scan_run(&r.scan);
    if (!r.scan.fault[0])
        return lode_world_set_contact_properties(world, r.entries, (int)r.count);
    size_t room = strlen(name) + 16;
    char *where = lode__io_alloc(memory, room);
    snprintf(where, room, "%s:%d", name, r.scan.fault_line);
    return lode_report_error(LODE_ERROR_ARGUMENT, function, where, r.scan.fault);
}

/* materials_write.c: a world's table of contact properties as JSON. All fields are written, those
 * that have their defaults too, so that a file says what it is. */
#include "io/material_fields.h"
#include "io/materials_text.h"
#include "io/number.h"
#include "lode/setup.h"

#include <stdio.h>
#include <string.h>
#include <yajl/yajl_gen.h>

static yajl_gen_status write_string(yajl_gen out, const char *text)
{
    return yajl_gen_string(out, (const unsigned char *)text, strlen(text));
}

static void write_real(yajl_gen out, lode_real x)
{
    char text[LODE__IO_NUMBER_ROOM];
    lode__io_number_write(x, text);
    yajl_gen_number(out, text, strlen(text));
}

/* In one line. */
static void write_reals(yajl_gen out, const lode_real *x, int count)
{
    yajl_gen_config(out, yajl_gen_beautify, 0);
    yajl_gen_array_open(out);
    for (int i = 0; i < count; ++i)
        write_real(out, x[i]);
    yajl_gen_array_close(out);
    yajl_gen_config(out, yajl_gen_beautify, 1);
}

/* False: it is a name that is not UTF-8. */
static bool write_field(yajl_gen out, const lode__io_field *field, lode_contact_properties *p)
{
    const void *place = lode__io_place(field, p);
    const int *count = lode__io_count(field, p);
    write_string(out, field->key);
    if (field->kind == LODE__IO_NAME)
        return write_string(out, *(const char *const *)place) == yajl_gen_status_ok;
    if (field->kind == LODE__IO_SIDE)
        write_string(out, lode__io_sides[*(const lode_immovable *)place]);
    else if (field->kind == LODE__IO_WHOLE)
        yajl_gen_integer(out, *(const int *)place);
    else if (field->most == 1 || (count && *count == 1))
        write_real(out, *(const lode_real *)place);
    else
        write_reals(out, place, count ? *count : field->most);
    return true;
}

static bool write_entry(yajl_gen out, lode_contact_properties *p, int entry, const char *function)
{
    char argument[64];
    yajl_gen_map_open(out);
    for (int i = 0; i < LODE__IO_FIELDS; ++i) {
        const lode__io_field *field = &lode__io_material_fields[i];
        if (write_field(out, field, p))
            continue;
        snprintf(argument, sizeof argument, "contact_properties[%d].%s", entry, field->key);
        lode_report_error(LODE_ERROR_ARGUMENT, function, argument, "is not UTF-8, as JSON must be");
        return false;
    }
    yajl_gen_map_close(out);
    return true;
}

const char *lode__io_materials_write(lode__io_memory *memory, lode_world world, size_t *out_size,
                                     const char *function)
{
    yajl_alloc_funcs functions = {lode__io_alloc, lode__io_realloc, lode__io_free, memory};
    int count = lode_world_get_contact_properties(world, NULL, 0);
    lode_contact_properties *p = lode__io_alloc(memory, (size_t)count * sizeof *p);
    lode_world_get_contact_properties(world, p, count);

    yajl_gen out = yajl_gen_alloc(&functions);
    yajl_gen_config(out, yajl_gen_beautify, 1);
    yajl_gen_config(out, yajl_gen_indent_string, "    ");
    yajl_gen_config(out, yajl_gen_validate_utf8, 1);
    yajl_gen_map_open(out);
    write_string(out, "contact_properties");
    yajl_gen_array_open(out);
    for (int i = 0; i < count; ++i)
        if (!write_entry(out, &p[i], i, function))
            return NULL;
    yajl_gen_array_close(out);
    yajl_gen_map_close(out);
    const unsigned char *text;
    yajl_gen_get_buf(out, &text, out_size);
    return (const char *)text;
}

/* description_write.c: a description as text. Numbers are written that have their defaults too, so
 * that a file says what it is; whole records that are as by default, such as axes that are locked,
 * are not. */
#include "io/description.h"

typedef struct writer {
    yajl_gen out;
    bool failed; /* a name is not UTF-8 */
} writer;

static void open_list(writer *w, const char *key)
{
    lode__io_write_key(w->out, key);
    yajl_gen_array_open(w->out);
}

static void write_fields(writer *w, lode__io_table table, const void *record, const void *defaults)
{
    if (!lode__io_entries_write(w->out, table.entries, table.count, record, defaults))
        w->failed = true;
}

static void write_shape(writer *w, const lode__io_shape *shape)
{
    lode__io_shape defaults = lode__io_shape_default(shape->kind);
    yajl_gen_map_open(w->out);
    write_fields(w, *lode__io_shape_tables[shape->kind], shape, &defaults);
    yajl_gen_map_close(w->out);
}

static void write_link(writer *w, const lode__io_link *link)
{
    lode__io_link defaults = lode__io_link_default(link->def.type);
    yajl_gen_map_open(w->out);
    write_fields(w, lode__io_link_table, link, &defaults);
    if (link->shape_count > 0) {
        open_list(w, "shapes");
        for (int i = 0; i < link->shape_count; ++i)
            write_shape(w, &link->shapes[i]);
        yajl_gen_array_close(w->out);
    }
    yajl_gen_map_close(w->out);
}

static void write_tendon(writer *w, const lode__io_tendon *tendon)
{
    bool spatial = tendon->def.type == LODE_TENDON_SPATIAL;
    lode__io_tendon defaults = lode__io_tendon_default(tendon->def.type);
    lode__io_part part = lode__io_part_default();
    yajl_gen_map_open(w->out);
    write_fields(w, spatial ? lode__io_spatial_table : lode__io_fixed_table, tendon, &defaults);
    open_list(w, spatial ? "attachments" : "joints");
    for (int i = 0; i < tendon->part_count; ++i) {
        yajl_gen_map_open(w->out);
        write_fields(w, spatial ? lode__io_attachment_table : lode__io_joint_table,
                     &tendon->parts[i], &part);
        yajl_gen_map_close(w->out);
    }
    yajl_gen_array_close(w->out);
    yajl_gen_map_close(w->out);
}

static void write_mimic(writer *w, const lode__io_mimic *mimic)
{
    lode__io_mimic defaults = {.def = lode_mimic_def_default()};
    yajl_gen_map_open(w->out);
    write_fields(w, lode__io_mimic_table, mimic, &defaults);
    yajl_gen_map_close(w->out);
}

static void write_loop(writer *w, const lode__io_loop *loop)
{
    lode__io_loop defaults = lode__io_loop_default(loop->def.type);
    yajl_gen_map_open(w->out);
    write_fields(w, lode__io_loop_table, loop, &defaults);
    yajl_gen_map_close(w->out);
}

static void write_lists(writer *w, const lode__io_description *d)
{
    open_list(w, "links");
    for (int i = 0; i < d->link_count; ++i)
        write_link(w, &d->links[i]);
    yajl_gen_array_close(w->out);
    open_list(w, "tendons");
    for (int i = 0; i < d->tendon_count; ++i)
        write_tendon(w, &d->tendons[i]);
    yajl_gen_array_close(w->out);
    open_list(w, "mimic_joints");
    for (int i = 0; i < d->mimic_count; ++i)
        write_mimic(w, &d->mimics[i]);
    yajl_gen_array_close(w->out);
    open_list(w, "loop_joints");
    for (int i = 0; i < d->loop_count; ++i)
        write_loop(w, &d->loops[i]);
    yajl_gen_array_close(w->out);
}

const char *lode__io_description_write(lode__io_memory *memory, const lode__io_description *d,
                                       size_t *out_size)
{
    yajl_alloc_funcs functions = {lode__io_alloc, lode__io_realloc, lode__io_free, memory};
    lode__io_description defaults = lode__io_description_default();
    writer w = {.out = yajl_gen_alloc(&functions)};
    yajl_gen_config(w.out, yajl_gen_beautify, 1);
    yajl_gen_config(w.out, yajl_gen_indent_string, "    ");
    yajl_gen_config(w.out, yajl_gen_validate_utf8, 1);
    yajl_gen_map_open(w.out);
    lode__io_write_key(w.out, "articulation");
    yajl_gen_map_open(w.out);
    write_fields(&w, lode__io_articulation_table, d, &defaults);
    if (!w.failed)
        write_lists(&w, d);
    yajl_gen_map_close(w.out);
    yajl_gen_map_close(w.out);
    const unsigned char *text;
    yajl_gen_get_buf(w.out, &text, out_size);
    return w.failed ? NULL : (const char *)text;
}

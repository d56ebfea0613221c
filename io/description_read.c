/* description_read.c: a description out of text. What its numbers may be is the library's to say,
 * when it is built; here it has its form: kinds, keys, and numbers of links that are there. */
#include "io/description.h"

#include <string.h>

typedef struct reader {
    lode__io_entries_reader entries;
    lode__io_description *out;
} reader;

static bool failed(const reader *r)
{
    return r->entries.scan->fault[0] != 0;
}

static void read_object(const reader *r, const lode__io_json *object, const char *what,
                        lode__io_table table, void *record)
{
    lode__io_entries_read(&r->entries, object, what, table.entries, table.count, record);
}

/* The number of the word that an object's key "type" has, which must be there; -1 after a fault. */
static int read_type(const reader *r, const lode__io_json *object, const char *what,
                     const char *const *words, int count)
{
    const lode__io_json *value = lode__io_entries_need(&r->entries, object, what, "type");
    return value ? lode__io_entries_word(&r->entries, value, words, count) : -1;
}

static void *take_list(const reader *r, const lode__io_json *list, size_t size, int *out_count)
{
    *out_count = list ? list->count : 0;
    return lode__io_alloc(r->entries.memory, (size_t)*out_count * size);
}

static const lode__io_json *first_of(const lode__io_json *list)
{
    return list ? list->first : NULL;
}

/* A link that is there: one of the first `count`. */
static void check_link(const reader *r, const lode__io_json *object, const char *what,
                       const char *key, int link, int count)
{
    if (!failed(r) && (link < 0 || link >= count))
        lode__io_scan_fault(r->entries.scan, object->line, "%s: %s is the number of no link", what,
                            key);
}

/* ---- links */

/* What hulls and meshes must have. */
static void need_corners(const reader *r, const lode__io_json *object, const lode__io_shape *shape)
{
    const lode_shape_type type = lode__io_shape_type_of[shape->kind];
    if ((type == LODE_HULL || type == LODE_MESH) && !failed(r))
        lode__io_entries_need(&r->entries, object, "a shape", "vertices");
    if (type == LODE_MESH && !failed(r))
        lode__io_entries_need(&r->entries, object, "a shape", "triangles");
    if (shape->triangle_materials.count != 0 && !failed(r) &&
        shape->triangle_materials.count != shape->triangles.count)
        lode__io_scan_fault(r->entries.scan, object->line,
                            "a shape: triangle_materials must have one for each triangle");
}

static void read_shape(const reader *r, const lode__io_json *object, lode__io_shape *out)
{
    int type = read_type(r, object, "a shape", lode__io_shape_types, LODE__IO_SHAPE_TYPES);
    if (type < 0)
        return;
    *out = lode__io_shape_default(type);
    out->line = object->line;
    read_object(r, object, "a shape", *lode__io_shape_tables[type], out);
    need_corners(r, object, out);
}

static void read_link(const reader *r, const lode__io_json *object, int number, lode__io_link *out)
{
    const lode__io_json *type = lode__io_json_find(object, "type");
    int word = type ? lode__io_entries_word(&r->entries, type, lode__io_joint_types,
                                            LODE_LINK_JOINT_TYPE_COUNT)
                    : LODE_LINK_FIXED;
    if (word < 0)
        return;
    *out = lode__io_link_default((lode_link_joint_type)word);
    out->line = object->line;
    read_object(r, object, "a link", lode__io_link_table, out);
    if (number > 0)
        check_link(r, object, "a link", "parent, which comes before it,", out->parent, number);
    else if (!failed(r) && out->parent != -1)
        lode__io_scan_fault(r->entries.scan, object->line,
                            "a link: parent of the first must be -1");
    lode__io_entries_need(&r->entries, object, "a link", "mass");
    out->shapes = take_list(r, out->shape_list, sizeof *out->shapes, &out->shape_count);
    lode__io_shape *shape = out->shapes;
    for (const lode__io_json *v = first_of(out->shape_list); v && !failed(r); v = v->next)
        read_shape(r, v, shape++);
}

/* ---- tendons and mimic joints */

static void read_part(const reader *r, const lode__io_json *object, bool spatial,
                      lode__io_part *out)
{
    const char *what = spatial ? "an attachment" : "a joint";
    *out = lode__io_part_default();
    out->line = object->line;
    lode__io_entries_need(&r->entries, object, what, "link");
    read_object(r, object, what, spatial ? lode__io_attachment_table : lode__io_joint_table, out);
    check_link(r, object, what, "link", out->link, r->out->link_count);
}

static void read_tendon(const reader *r, const lode__io_json *object, lode__io_tendon *out)
{
    int type = read_type(r, object, "a tendon", lode__io_tendon_types, LODE_TENDON_TYPE_COUNT);
    if (type < 0)
        return;
    bool spatial = type == LODE_TENDON_SPATIAL;
    *out = lode__io_tendon_default((lode_tendon_type)type);
    out->line = object->line;
    read_object(r, object, "a tendon", spatial ? lode__io_spatial_table : lode__io_fixed_table,
                out);
    const lode__io_json *list = spatial ? out->attachment_list : out->joint_list;
    out->parts = take_list(r, list, sizeof *out->parts, &out->part_count);
    lode__io_part *part = out->parts;
    for (const lode__io_json *v = first_of(list); v && !failed(r); v = v->next)
        read_part(r, v, spatial, part++);
}

static void read_mimic(const reader *r, const lode__io_json *object, lode__io_mimic *out)
{
    *out = (lode__io_mimic){.line = object->line, .def = lode_mimic_def_default()};
    lode__io_entries_need(&r->entries, object, "a mimic joint", "link_a");
    lode__io_entries_need(&r->entries, object, "a mimic joint", "link_b");
    read_object(r, object, "a mimic joint", lode__io_mimic_table, out);
    check_link(r, object, "a mimic joint", "link_a", out->link_a, r->out->link_count);
    check_link(r, object, "a mimic joint", "link_b", out->link_b, r->out->link_count);
}

static void read_loop(const reader *r, const lode__io_json *object, lode__io_loop *out)
{
    int type = read_type(r, object, "a loop joint", lode__io_loop_types, LODE_JOINT_TYPE_COUNT);
    if (type < 0)
        return;
    *out = lode__io_loop_default((lode_joint_type)type);
    out->line = object->line;
    lode__io_entries_need(&r->entries, object, "a loop joint", "link_a");
    read_object(r, object, "a loop joint", lode__io_loop_table, out);
    const int count = r->out->link_count;
    check_link(r, object, "a loop joint", "link_a", out->link_a, count);
    if (out->link_b != -1)
        check_link(r, object, "a loop joint", "link_b", out->link_b, count);
}

/* ---- all of it */

static void read_lists(const reader *r)
{
    lode__io_description *d = r->out;
    int number = 0;
    d->links = take_list(r, d->link_list, sizeof *d->links, &d->link_count);
    d->tendons = take_list(r, d->tendon_list, sizeof *d->tendons, &d->tendon_count);
    d->mimics = take_list(r, d->mimic_list, sizeof *d->mimics, &d->mimic_count);
    d->loops = take_list(r, d->loop_list, sizeof *d->loops, &d->loop_count);
    lode__io_tendon *tendon = d->tendons;
    lode__io_loop *loop = d->loops;
    lode__io_mimic *mimic = d->mimics;
    for (const lode__io_json *v = first_of(d->link_list); v && !failed(r); v = v->next, ++number)
        read_link(r, v, number, &d->links[number]);
    for (const lode__io_json *v = first_of(d->tendon_list); v && !failed(r); v = v->next)
        read_tendon(r, v, tendon++);
    for (const lode__io_json *v = first_of(d->mimic_list); v && !failed(r); v = v->next)
        read_mimic(r, v, mimic++);
    for (const lode__io_json *v = first_of(d->loop_list); v && !failed(r); v = v->next)
        read_loop(r, v, loop++);
}

void lode__io_description_read(lode__io_memory *memory, lode__io_scan *scan,
                               lode__io_description *out)
{
    static const char root[] = "articulation";
    reader r = {{memory, scan}, out};
    const lode__io_json *text = lode__io_json_read(scan);
    *out = lode__io_description_default();
    if (!text)
        return;
    const lode__io_json *object = text->kind == LODE__IO_OBJECT ? text->first : NULL;
    if (!object || text->count != 1 || object->key_length != sizeof root - 1 ||
        memcmp(object->key, root, sizeof root - 1) != 0) {
        lode__io_scan_fault(scan, text->line, "must be an object with the key articulation alone");
        return;
    }
    out->line = object->line;
    read_object(&r, object, "an articulation", lode__io_articulation_table, out);
    if (!failed(&r))
        read_lists(&r);
}

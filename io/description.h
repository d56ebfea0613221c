/* description.h: an articulation as plain data in the memory of the call, on its way between a
 * world and text: from text (description_read.c) into the world (description_build.c), and from the
 * world (description_take.c) into text (description_write.c). Tables of keys:
 * description_entries.c. */
#ifndef LODE_IO_DESCRIPTION_H
#define LODE_IO_DESCRIPTION_H

#include "io/entries.h"
#include "lode/articulation.h"
#include "lode/joint.h"
#include "lode/shape.h"
#include "lode/tendon.h"

typedef struct lode__io_shape {
    int line; /* of the text, as in the records below */
    int kind; /* in lode__io_shape_types */
    lode_shape_def def;
    const char *material;
    lode_real radius, half_length;
    lode_vec3 half_extents;
    lode__io_points vertices; /* of a hull or mesh */
    lode__io_polygons faces;  /* of a hull; none: those of the points' hull */
    lode__io_polygons triangles;
    bool two_sided;
    lode__io_bytes triangle_materials; /* one for each, or none; their names, by number: */
    lode__io_texts materials;
} lode__io_shape;

typedef struct lode__io_link {
    int line;
    int parent; /* -1 of the first */
    lode_link_def def;
    lode_mass mass;
    lode__io_shape *shapes;
    int shape_count;
    const lode__io_json *shape_list;
} lode__io_link;

/* An attachment of a spatial tendon, or a joint of a fixed one. */
typedef struct lode__io_part {
    int line, link;
    lode_tendon_attachment attachment;
    lode_tendon_joint joint;
} lode__io_part;

typedef struct lode__io_tendon {
    int line;
    lode_tendon_def def;
    lode__io_part *parts;
    int part_count;
    const lode__io_json *attachment_list, *joint_list;
} lode__io_tendon;

typedef struct lode__io_mimic {
    int line, link_a, link_b;
    lode_mimic_def def;
} lode__io_mimic;

/* A joint between two links, or a link and the world. */
typedef struct lode__io_loop {
    int line, link_a, link_b; /* -1: the world */
    lode_joint_def def;
    int stiff; /* its place in the words */
} lode__io_loop;

typedef struct lode__io_description {
    int line;
    lode_articulation_def def;
    lode_pose root_pose;
    lode_vec3 linear_velocity, angular_velocity; /* of the root */
    lode__io_link *links;
    lode__io_tendon *tendons;
    lode__io_mimic *mimics;
    lode__io_loop *loops;
    int link_count, tendon_count, mimic_count, loop_count;
    const lode__io_json *link_list, *tendon_list, *mimic_list, *loop_list;
} lode__io_description;

/* clang-format off */
#define LODE__IO_ENTRY_TABLES(X) \
    X(articulation) X(link) X(sphere) X(box) X(capsule) X(cylinder) X(hull) X(mesh) \
    X(spatial) X(fixed) X(attachment) X(joint) X(mimic) X(loop)
/* clang-format on */

typedef struct lode__io_table {
    const lode__io_entry *entries;
    int count;
} lode__io_table;

#define LODE__IO_DECLARE_TABLE(name) extern const lode__io_table lode__io_##name##_table;
LODE__IO_ENTRY_TABLES(LODE__IO_DECLARE_TABLE)

enum { LODE__IO_SHAPE_TYPES = 6 };

/* The words of shapes, their types and their keys, in one order; and the place of a type
 * there, -1 of others. */
extern const char *const lode__io_shape_types[LODE__IO_SHAPE_TYPES];
extern const lode_shape_type lode__io_shape_type_of[LODE__IO_SHAPE_TYPES];
extern const lode__io_table *const lode__io_shape_tables[LODE__IO_SHAPE_TYPES];
int lode__io_shape_kind(lode_shape_type type);

extern const char *const lode__io_joint_types[LODE_LINK_JOINT_TYPE_COUNT];
extern const char *const lode__io_tendon_types[LODE_TENDON_TYPE_COUNT];
extern const char *const lode__io_loop_types[LODE_JOINT_TYPE_COUNT];
lode__io_link lode__io_link_default(lode_link_joint_type type);
lode__io_shape lode__io_shape_default(int kind);
lode__io_tendon lode__io_tendon_default(lode_tendon_type type);
lode__io_part lode__io_part_default(void);
lode__io_loop lode__io_loop_default(lode_joint_type type);
lode__io_description lode__io_description_default(void);

/* From text. The scan has a fault, or none. */
void lode__io_description_read(lode__io_memory *memory, lode__io_scan *scan,
                               lode__io_description *out);

/* Into the world, outside the simulation. Null after a fault, which then is in the scan; nothing is
 * left in the world. Asks for no memory of the call: `bodies` has room for all links. */
lode_articulation lode__io_description_build(const lode__io_description *d, lode_world world,
                                             lode_body *bodies, lode__io_scan *scan);

/* From the world. Returns how many were left out: shapes of types that descriptions do not have,
 * and loop joints of other bodies, or in limbo. */
int lode__io_description_take(lode__io_memory *memory, lode_articulation articulation,
                              lode__io_description *out);

/* Into text, in `memory`. Null: a name is not UTF-8. */
const char *lode__io_description_write(lode__io_memory *memory, const lode__io_description *d,
                                       size_t *out_size);

#endif

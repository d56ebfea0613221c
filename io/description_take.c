/* description_take.c: a description out of the world. */
#include "io/description.h"
#include "lode/articulation_dynamics.h"
#include "lode/hull.h"
#include "lode/material.h"
#include "lode/mesh.h"

typedef struct taker {
    lode__io_memory *memory;
    lode__io_description *out;
    lode_body *bodies; /* by creation */
    int left_out;
} taker;

static int number_of(const taker *t, lode_body body)
{
    int i = 0;
    while (i < t->out->link_count && t->bodies[i].id != body.id)
        ++i;
    return i < t->out->link_count ? i : -1;
}

/* ---- links */

static void take_hull(taker *t, const lode_hull *hull, lode__io_shape *out)
{
    lode__io_points *points = &out->vertices;
    lode__io_polygons *faces = &out->faces;
    points->count = lode_hull_get_vertices(hull, NULL, 0);
    points->at = lode__io_alloc(t->memory, (size_t)points->count * sizeof *points->at);
    lode_hull_get_vertices(hull, points->at, points->count);
    faces->count = lode_hull_get_face_count(hull);
    faces->sizes = lode__io_alloc(t->memory, (size_t)faces->count * sizeof *faces->sizes);
    for (int i = 0; i < faces->count; ++i)
        faces->corner_count += faces->sizes[i] = lode_hull_get_face(hull, i, NULL, 0);
    faces->corners = lode__io_alloc(t->memory,
                                    (size_t)faces->corner_count * sizeof *faces->corners);
    int *corner = faces->corners;
    for (int i = 0; i < faces->count; corner += faces->sizes[i++])
        lode_hull_get_face(hull, i, corner, faces->sizes[i]);
}

static void take_mesh(taker *t, lode_shape shape, lode__io_shape *out)
{
    const lode_mesh *mesh = lode_shape_get_mesh(shape);
    lode__io_polygons *triangles = &out->triangles;
    out->two_sided = lode_mesh_is_two_sided(mesh);
    out->vertices.count = lode_mesh_get_vertices(mesh, NULL, 0);
    out->vertices.at = lode__io_alloc(t->memory,
                                      (size_t)out->vertices.count * sizeof *out->vertices.at);
    lode_mesh_get_vertices(mesh, out->vertices.at, out->vertices.count);
    triangles->count = lode_mesh_get_indices(mesh, NULL, 0);
    triangles->sizes = lode__io_alloc(t->memory,
                                      (size_t)triangles->count * sizeof *triangles->sizes);
    triangles->corners = lode__io_alloc(t->memory,
                                        3 * (size_t)triangles->count * sizeof *triangles->corners);
    lode_mesh_get_indices(mesh, triangles->corners, triangles->count);
    for (int i = 0; i < triangles->count; ++i)
        triangles->sizes[i] = 3;
    out->triangle_materials.count = lode_mesh_get_materials(mesh, NULL, 0);
    out->triangle_materials.at = lode__io_alloc(t->memory, (size_t)out->triangle_materials.count);
    lode_mesh_get_materials(mesh, out->triangle_materials.at, out->triangle_materials.count);
    out->materials.count = lode_shape_get_materials(shape, NULL, 0);
    out->materials.at = lode__io_alloc(t->memory,
                                       (size_t)out->materials.count * sizeof *out->materials.at);
    lode_shape_get_materials(shape, out->materials.at, out->materials.count);
}

static lode__io_shape take_shape(taker *t, lode_shape shape)
{
    lode_shape_type type = lode_shape_get_type(shape);
    lode__io_shape s = {.kind = lode__io_shape_kind(type),
                        .def = lode_shape_get_def(shape),
                        .material = lode_shape_get_material(shape)};
    if (type == LODE_HULL)
        take_hull(t, lode_shape_get_hull(shape), &s);
    else if (type == LODE_MESH)
        take_mesh(t, shape, &s);
    else if (type == LODE_BOX)
        s.half_extents = lode_shape_get_half_extents(shape);
    else
        s.radius = lode_shape_get_radius(shape);
    if (type == LODE_CAPSULE || type == LODE_CYLINDER)
        s.half_length = lode_shape_get_half_length(shape);
    return s;
}

/* From the last, which the body lists first, so that who makes them in this order has them as
 * here. */
static void take_shapes(taker *t, lode_body body, lode__io_link *out)
{
    int count = lode_body_get_shapes(body, NULL, 0);
    lode_shape *shapes = lode__io_alloc(t->memory, (size_t)count * sizeof *shapes);
    lode_body_get_shapes(body, shapes, count);
    out->shapes = lode__io_alloc(t->memory, (size_t)count * sizeof *out->shapes);
    for (int i = count; i-- > 0;)
        if (lode__io_shape_kind(lode_shape_get_type(shapes[i])) >= 0)
            out->shapes[out->shape_count++] = take_shape(t, shapes[i]);
        else
            ++t->left_out;
}

static lode__io_link take_link(taker *t, lode_body body)
{
    lode__io_link link = {.parent = -1, .mass = lode_body_get_mass(body)};
    lode_link_def *def = &link.def;
    const char *name = lode_body_get_name(body);
    lode_body parent = lode_link_get_parent(body);
    if (parent.id)
        link.parent = number_of(t, parent);
    *def = lode_link_def_default(lode_link_get_type(body));
    def->name = name && name[0] ? name : NULL;
    def->parent_frame = lode_link_get_parent_frame(body);
    def->child_frame = lode_link_get_child_frame(body);
    for (int k = 0; k < LODE_LINK_AXES; ++k)
        def->axis[k] = lode_link_get_axis(body, (lode_link_axis_index)k);
    def->friction_coefficient = lode_link_get_friction_coefficient(body);
    def->cfm_scale = lode_link_get_cfm_scale(body);
    lode_link_get_damping(body, &def->linear_damping, &def->angular_damping);
    def->max_linear_speed = lode_body_get_max_linear_speed(body);
    def->max_angular_speed = lode_body_get_max_angular_speed(body);
    def->gravity_scale = lode_body_get_gravity_scale(body);
    take_shapes(t, body, &link);
    return link;
}

static void take_links(taker *t, lode_articulation articulation)
{
    lode__io_description *d = t->out;
    d->link_count = lode_articulation_get_links(articulation, NULL, 0, 0);
    t->bodies = lode__io_alloc(t->memory, (size_t)d->link_count * sizeof *t->bodies);
    d->links = lode__io_alloc(t->memory, (size_t)d->link_count * sizeof *d->links);
    lode_articulation_get_links(articulation, t->bodies, 0, d->link_count);
    for (int i = 0; i < d->link_count; ++i)
        d->links[i] = take_link(t, t->bodies[i]);
    if (d->link_count == 0)
        return;
    d->root_pose = lode_articulation_get_root_pose(articulation);
    d->linear_velocity = lode_articulation_get_root_linear_velocity(articulation);
    d->angular_velocity = lode_articulation_get_root_angular_velocity(articulation);
}

/* ---- tendons and mimic joints */

static lode__io_tendon take_tendon(taker *t, lode_tendon tendon)
{
    lode__io_tendon out = {.def = lode_tendon_get_def(tendon),
                           .part_count = lode_tendon_count_parts(tendon)};
    bool spatial = out.def.type == LODE_TENDON_SPATIAL;
    out.parts = lode__io_alloc(t->memory, (size_t)out.part_count * sizeof *out.parts);
    for (int i = 0; i < out.part_count; ++i) {
        lode__io_part *part = &out.parts[i];
        *part = lode__io_part_default();
        if (spatial)
            part->attachment = lode_tendon_get_attachment(tendon, i);
        else
            part->joint = lode_tendon_get_joint(tendon, i);
        part->link = number_of(t, spatial ? part->attachment.link : part->joint.link);
    }
    return out;
}

static void take_tendons(taker *t, lode_articulation articulation)
{
    lode__io_description *d = t->out;
    int count[LODE_TENDON_TYPE_COUNT], at = 0;
    for (int type = 0; type < LODE_TENDON_TYPE_COUNT; ++type) {
        count[type] = lode_articulation_get_tendons(articulation, (lode_tendon_type)type, NULL, 0,
                                                    0);
        d->tendon_count += count[type];
    }
    lode_tendon *tendons = lode__io_alloc(t->memory, (size_t)d->tendon_count * sizeof *tendons);
    d->tendons = lode__io_alloc(t->memory, (size_t)d->tendon_count * sizeof *d->tendons);
    for (int type = 0; type < LODE_TENDON_TYPE_COUNT; ++type) {
        lode_articulation_get_tendons(articulation, (lode_tendon_type)type, tendons, 0,
                                      count[type]);
        for (int i = 0; i < count[type]; ++i)
            d->tendons[at++] = take_tendon(t, tendons[i]);
    }
}

static void take_mimics(taker *t, lode_articulation articulation)
{
    lode__io_description *d = t->out;
    d->mimic_count = lode_articulation_get_mimics(articulation, NULL, 0, 0);
    lode_mimic *mimics = lode__io_alloc(t->memory, (size_t)d->mimic_count * sizeof *mimics);
    d->mimics = lode__io_alloc(t->memory, (size_t)d->mimic_count * sizeof *d->mimics);
    lode_articulation_get_mimics(articulation, mimics, 0, d->mimic_count);
    for (int i = 0; i < d->mimic_count; ++i) {
        lode_mimic_def def = lode_mimic_get_def(mimics[i]);
        d->mimics[i] = (lode__io_mimic){
            .link_a = number_of(t, def.link_a), .link_b = number_of(t, def.link_b), .def = def};
    }
}

/* ---- loop joints */

/* From a link to another, or to the world, which is none: other bodies are no part of the
 * description, nor is a joint in limbo. */
static bool take_ends(const taker *t, lode__io_loop *loop)
{
    const lode_body b = loop->def.body_b;
    loop->link_a = number_of(t, loop->def.body_a);
    loop->link_b = b.id ? number_of(t, b) : -1;
    return loop->link_a >= 0 && (loop->link_b >= 0 || !b.id);
}

static void take_loops(taker *t, lode_articulation articulation)
{
    lode__io_description *d = t->out;
    int count = lode_articulation_get_loop_joints(articulation, NULL, 0, 0);
    lode_joint *joints = lode__io_alloc(t->memory, (size_t)count * sizeof *joints);
    d->loops = lode__io_alloc(t->memory, (size_t)count * sizeof *d->loops);
    lode_articulation_get_loop_joints(articulation, joints, 0, count);
    for (int i = 0; i < count; ++i) {
        lode__io_loop loop = {.def = lode_joint_get_def(joints[i])};
        loop.stiff = (int)loop.def.stiff - (int)LODE_STIFF_AS_WORLD;
        if (take_ends(t, &loop))
            d->loops[d->loop_count++] = loop;
        else
            ++t->left_out;
    }
}

int lode__io_description_take(lode__io_memory *memory, lode_articulation articulation,
                              lode__io_description *out)
{
    taker t = {.memory = memory, .out = out};
    *out = lode__io_description_default();
    out->def = lode_articulation_get_def(articulation);
    take_links(&t, articulation);
    take_tendons(&t, articulation);
    take_mimics(&t, articulation);
    take_loops(&t, articulation);
    return t.left_out;
}

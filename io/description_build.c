/* description_build.c: a description into the world. What the library refuses it has told of
 * itself; a fault then says at which line. */
#include "io/description.h"
#include "lode/articulation_dynamics.h"
#include "lode/hull.h"
#include "lode/material.h"
#include "lode/mesh.h"

typedef struct builder {
    const lode__io_description *d;
    lode__io_scan *scan;
    lode_articulation articulation;
    lode_body *bodies;
} builder;

static bool failed(const builder *b)
{
    return b->scan->fault[0] != 0;
}

static void fault(const builder *b, int line, const char *what)
{
    lode__io_scan_fault(b->scan, line, "%s cannot be made", what);
}

/* ---- links */

static lode_shape make_hull(lode_body body, const lode__io_shape *shape)
{
    lode_hull_def def = lode_hull_def_default();
    def.points = &shape->vertices.at->x;
    def.point_count = shape->vertices.count;
    if (shape->faces.count > 0) {
        def.face_sizes = shape->faces.sizes;
        def.face_corners = shape->faces.corners;
        def.face_count = shape->faces.count;
    }
    lode_hull *hull = lode_hull_create(&def);
    lode_shape made = hull ? lode_shape_create_hull(body, &shape->def, hull) : (lode_shape){0};
    lode_hull_release(hull);
    return made;
}

static lode_shape make_mesh(lode_body body, const lode__io_shape *shape)
{
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = shape->vertices.at;
    def.vertex_count = shape->vertices.count;
    def.indices = shape->triangles.corners;
    def.triangle_count = shape->triangles.count;
    def.two_sided = shape->two_sided;
    def.materials = shape->triangle_materials.count > 0 ? shape->triangle_materials.at : NULL;
    lode_mesh *mesh = lode_mesh_create(&def);
    lode_shape made = mesh ? lode_shape_create_mesh(body, &shape->def, mesh) : (lode_shape){0};
    lode_mesh_release(mesh);
    return made;
}

static lode_shape make_shape(lode_body body, const lode__io_shape *shape)
{
    switch (lode__io_shape_type_of[shape->kind]) {
    case LODE_SPHERE:
        return lode_shape_create_sphere(body, &shape->def, shape->radius);
    case LODE_BOX:
        return lode_shape_create_box(body, &shape->def, shape->half_extents);
    case LODE_CAPSULE:
        return lode_shape_create_capsule(body, &shape->def, shape->radius, shape->half_length);
    case LODE_HULL:
        return make_hull(body, shape);
    case LODE_MESH:
        return make_mesh(body, shape);
    default:
        return lode_shape_create_cylinder(body, &shape->def, shape->radius, shape->half_length);
    }
}

static void add_shape(const builder *b, lode_body body, const lode__io_shape *shape)
{
    lode_shape made = make_shape(body, shape);
    if (!made.id || (shape->material && lode_shape_set_material(made, shape->material)) ||
        (shape->materials.count > 0 &&
         lode_shape_set_materials(made, shape->materials.at, shape->materials.count)))
        fault(b, shape->line, "a shape");
}

/* The mass comes after the shapes, which would change it. */
static void add_link(const builder *b, int i)
{
    const lode__io_link *link = &b->d->links[i];
    lode_link_def def = link->def;
    def.parent = i > 0 ? b->bodies[link->parent] : (lode_body){0};
    def.pose = b->d->root_pose;
    b->bodies[i] = lode_articulation_add_link(b->articulation, &def);
    if (!b->bodies[i].id) {
        fault(b, link->line, "a link");
        return;
    }
    for (int s = 0; s < link->shape_count && !failed(b); ++s)
        add_shape(b, b->bodies[i], &link->shapes[s]);
    if (!failed(b) && lode_body_set_mass(b->bodies[i], &link->mass))
        lode__io_scan_fault(b->scan, link->line, "a link cannot have its mass");
}

/* Once it has its mass, of whose centre the velocities are. */
static void place_root(const builder *b)
{
    const lode__io_description *d = b->d;
    const lode_vec3 v = d->linear_velocity, w = d->angular_velocity;
    bool moves = v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0;
    if (lode_articulation_set_root_pose(b->articulation, d->root_pose, false) ||
        (moves && (lode_articulation_set_root_linear_velocity(b->articulation, v, false) ||
                   lode_articulation_set_root_angular_velocity(b->articulation, w, false))))
        lode__io_scan_fault(b->scan, d->line, "the root cannot have its pose and velocity");
}

/* ---- tendons and mimic joints */

static void add_part(const builder *b, lode_tendon tendon, lode_tendon_type type,
                     const lode__io_part *part)
{
    lode_tendon_attachment attachment = part->attachment;
    lode_tendon_joint joint = part->joint;
    attachment.link = joint.link = b->bodies[part->link];
    int number = type == LODE_TENDON_SPATIAL ? lode_tendon_add_attachment(tendon, &attachment)
                                             : lode_tendon_add_joint(tendon, &joint);
    if (number < 0)
        fault(b, part->line, type == LODE_TENDON_SPATIAL ? "an attachment" : "a joint");
}

static void add_tendon(const builder *b, const lode__io_tendon *t)
{
    lode_tendon tendon = lode_tendon_create(b->articulation, &t->def);
    if (!tendon.id)
        fault(b, t->line, "a tendon");
    for (int i = 0; i < t->part_count && !failed(b); ++i)
        add_part(b, tendon, t->def.type, &t->parts[i]);
}

static void add_mimic(const builder *b, const lode__io_mimic *m)
{
    lode_mimic_def def = m->def;
    def.link_a = b->bodies[m->link_a];
    def.link_b = b->bodies[m->link_b];
    if (!lode_mimic_create(b->articulation, &def).id)
        fault(b, m->line, "a mimic joint");
}

/* ---- loop joints */

static void add_loop(const builder *b, lode_world world, const lode__io_loop *loop)
{
    lode_joint_def def = loop->def;
    def.body_a = b->bodies[loop->link_a];
    def.body_b = loop->link_b >= 0 ? b->bodies[loop->link_b] : (lode_body){0};
    def.stiff = (lode_stiff)(loop->stiff + (int)LODE_STIFF_AS_WORLD);
    lode_joint joint = lode_joint_create(world, &def);
    if (joint.id && !lode_articulation_add_loop_joint(b->articulation, joint))
        return;
    fault(b, loop->line, "a loop joint");
    if (joint.id)
        lode_joint_destroy(joint);
}

/* Some would outlive the articulation. */
static void destroy_loops(const builder *b)
{
    lode_joint joint;
    while (lode_articulation_get_loop_joints(b->articulation, &joint, 0, 1) > 0)
        lode_joint_destroy(joint);
}

lode_articulation lode__io_description_build(const lode__io_description *d, lode_world world,
                                             lode_body *bodies, lode__io_scan *scan)
{
    builder b = {d, scan, lode_articulation_create(world, &d->def), bodies};
    if (!b.articulation.id)
        fault(&b, d->line, "an articulation");
    for (int i = 0; i < d->link_count && !failed(&b); ++i)
        add_link(&b, i);
    if (d->link_count > 0 && !failed(&b))
        place_root(&b);
    for (int i = 0; i < d->tendon_count && !failed(&b); ++i)
        add_tendon(&b, &d->tendons[i]);
    for (int i = 0; i < d->mimic_count && !failed(&b); ++i)
        add_mimic(&b, &d->mimics[i]);
    for (int i = 0; i < d->loop_count && !failed(&b); ++i)
        add_loop(&b, world, &d->loops[i]);
    if (!failed(&b))
        return b.articulation;
    if (b.articulation.id) {
        destroy_loops(&b);
        lode_articulation_destroy(b.articulation);
    }
    return (lode_articulation){0};
}

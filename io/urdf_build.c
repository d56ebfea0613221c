/* urdf_build.c: links and shapes into the world. What the library refuses it has told of itself; a
 * fault then says at which line. */
#include "io/shown.h"
#include "io/urdf_frames.h"
#include "io/urdf_model.h"
#include "lode/hull.h"
#include "lode/mesh.h"
#include "lode/tendon.h"

#include <math.h>
#include <string.h>

typedef struct builder {
    lode__urdf *u;
    const lode_io_urdf_options *options;
    lode_articulation articulation;
    lode_body *bodies;
} builder;

/* --- joints */

static bool is_slide(const lode__urdf_joint *joint)
{
    return joint->type == LODE_IO_JOINT_PRISMATIC;
}

static bool has_one_axis(const lode__urdf_joint *joint)
{
    return joint->type == LODE_IO_JOINT_REVOLUTE || joint->type == LODE_IO_JOINT_CONTINUOUS ||
           is_slide(joint);
}

static lode_link_axis_index axis_of(const lode__urdf_joint *joint)
{
    return is_slide(joint) ? LODE_AXIS_X : LODE_AXIS_TWIST;
}

static bool has_stops(const lode__urdf_joint *joint)
{
    return joint->type == LODE_IO_JOINT_REVOLUTE || is_slide(joint);
}

/* Limits that are the same number leave nothing to move. */
static bool is_stuck(const lode__urdf_joint *joint)
{
    return has_stops(joint) && !((lode_real)joint->lower < (lode_real)joint->upper);
}

static lode_link_joint_type type_of(const lode__urdf_joint *joint)
{
    static const lode_link_joint_type types[LODE_IO_JOINT_TYPE_COUNT] = {
        LODE_LINK_FIXED,     LODE_LINK_REVOLUTE_UNWRAPPED, LODE_LINK_REVOLUTE_UNWRAPPED,
        LODE_LINK_PRISMATIC, LODE_LINK_SIX_AXES,           LODE_LINK_SIX_AXES};
    return is_stuck(joint) ? LODE_LINK_FIXED : types[joint->type];
}

/* One that is stuck stands where its limits are, by its frame in the parent. */
static void place(const lode__urdf_joint *joint, lode_link_def *def)
{
    lode__io_turn x_to = lode__io_turn_x_to(joint->axis);
    lode__io_turn origin = lode__io_turn_of(joint->origin.rotation);
    lode__io_turn turn = lode__io_turn_mul(origin, x_to);
    def->parent_frame.position = joint->origin.position;
    if (is_stuck(joint) && is_slide(joint)) {
        double by[3];
        lode__io_turn_rotate(origin, joint->axis, by);
        def->parent_frame.position.x += (lode_real)(by[0] * joint->lower);
        def->parent_frame.position.y += (lode_real)(by[1] * joint->lower);
        def->parent_frame.position.z += (lode_real)(by[2] * joint->lower);
    } else if (is_stuck(joint)) {
        turn = lode__io_turn_mul(turn, lode__io_turn_rpy((double[3]){joint->lower, 0, 0}));
    }
    def->parent_frame.rotation = lode__io_turn_quat(turn);
    def->child_frame.rotation = lode__io_turn_quat(x_to);
}

/* Is a joint held to the one that it mimics? Both must have an axis to move along. */
static bool follows(const builder *b, const lode__urdf_joint *joint)
{
    const lode__urdf_joint *other = joint->mimic_name ? &b->u->joints[joint->mimic] : NULL;
    return b->options->mimics && other && has_one_axis(joint) && !is_stuck(joint) &&
           has_one_axis(other) && !is_stuck(other);
}

/* x, or the nearer limit. */
static double within_stops(const lode__urdf_joint *joint, double x)
{
    if (!has_stops(joint))
        return x;
    return x < joint->lower ? joint->lower : x > joint->upper ? joint->upper : x;
}

/* Where a joint begins: one that follows where that says, as far as its limits let it. Of a number
 * that is too large 0 is as good. */
static lode_real start_of(const builder *b, const lode__urdf_joint *joint)
{
    const lode__urdf_joint *last = joint;
    double times = 1, plus = 0;
    for (; follows(b, last); last = &b->u->joints[last->mimic]) {
        plus += times * last->offset;
        times *= last->multiplier;
    }
    double x = times * within_stops(last, 0) + plus;
    return (lode_real)within_stops(joint, isfinite((lode_real)x) ? x : 0);
}

static void fill_axis(const builder *b, const lode__urdf_joint *joint, lode_link_axis *axis)
{
    if (!follows(b, joint))
        axis->drive = b->options->drive;
    if (joint->effort > 0 && (lode_real)joint->effort < axis->drive.max_force)
        axis->drive.max_force = (lode_real)joint->effort;
    if (joint->velocity > 0)
        axis->max_velocity = (lode_real)joint->velocity;
    axis->viscous_friction = (lode_real)joint->damping;
    axis->static_friction = axis->dynamic_friction = (lode_real)joint->friction;
    if (has_stops(joint)) {
        axis->motion = LODE_MOTION_LIMITED;
        axis->lo = (lode_real)joint->lower;
        axis->hi = (lode_real)joint->upper;
    }
    axis->position = axis->target = start_of(b, joint);
}

static void fill_joint(const builder *b, const lode__urdf_joint *joint, lode_link_def *def)
{
    static const lode_link_axis_index planar[] = {LODE_AXIS_TWIST, LODE_AXIS_Y, LODE_AXIS_Z};
    def->parent = b->bodies[joint->parent];
    if (joint->type == LODE_IO_JOINT_FIXED || joint->type == LODE_IO_JOINT_FLOATING)
        def->parent_frame = joint->origin;
    else
        place(joint, def);
    if (has_one_axis(joint) && !is_stuck(joint))
        fill_axis(b, joint, &def->axis[axis_of(joint)]);
    for (int k = 0; k < 3 && joint->type == LODE_IO_JOINT_PLANAR; ++k)
        def->axis[planar[k]].motion = LODE_MOTION_FREE;
    for (int k = 0; k < LODE_LINK_AXES && joint->type == LODE_IO_JOINT_FLOATING; ++k)
        def->axis[k].motion = LODE_MOTION_FREE;
}

/* --- shapes */

static lode_shape add_hull(lode_body body, const lode_shape_def *def,
                           const lode__io_triangles *mesh)
{
    lode_hull_def hull_def = lode_hull_def_default();
    hull_def.points = &mesh->points->x;
    hull_def.point_count = mesh->point_count;
    lode_hull *hull = lode_hull_create(&hull_def);
    lode_shape shape = hull ? lode_shape_create_hull(body, def, hull) : (lode_shape){0};
    lode_hull_release(hull);
    return shape;
}

static lode_shape add_mesh(lode_body body, const lode_shape_def *def,
                           const lode__io_triangles *mesh)
{
    lode_mesh_def mesh_def = lode_mesh_def_default();
    mesh_def.vertices = mesh->points;
    mesh_def.vertex_count = mesh->point_count;
    mesh_def.indices = mesh->corners;
    mesh_def.triangle_count = mesh->triangle_count;
    lode_mesh *made = lode_mesh_create(&mesh_def);
    lode_shape shape = made ? lode_shape_create_mesh(body, def, made) : (lode_shape){0};
    lode_mesh_release(made);
    return shape;
}

static lode_shape add_shape(const builder *b, const lode__urdf_shape *shape)
{
    lode_body body = b->bodies[shape->link];
    lode_shape_def def = b->options->shape;
    const lode_real r = (lode_real)shape->size[0], half = (lode_real)(shape->size[1] / 2);
    bool is_base = b->options->fixed_base && shape->link == b->u->order[0];
    def.pose = shape->pose;
    switch (shape->type) {
    case LODE_BOX:
        return lode_shape_create_box(body, &def,
                                     (lode_vec3){r / 2, half, (lode_real)(shape->size[2] / 2)});
    case LODE_SPHERE:
        return lode_shape_create_sphere(body, &def, r);
    case LODE_CYLINDER:
        return lode_shape_create_cylinder(body, &def, r, half);
    case LODE_CAPSULE:
        return lode_shape_create_capsule(body, &def, r, half);
    default:
        return b->options->triangle_base && is_base ? add_mesh(body, &def, &shape->mesh)
                                                    : add_hull(body, &def, &shape->mesh);
    }
}

static void add_shapes(const builder *b)
{
    for (int i = 0; i < b->u->shape_count && !b->u->fault[0]; ++i) {
        const lode__urdf_shape *shape = &b->u->shapes[i];
        if (!add_shape(b, shape).id)
            lode__urdf_fault(b->u, shape->line, "collision: its shape cannot be made");
    }
}

/* --- links */

/* Do its shapes weigh anything? */
static bool is_weighed(lode_body body)
{
    enum { SOME = 32 };
    lode_shape shapes[SOME];
    int count = lode_body_get_shapes(body, shapes, SOME);
    for (int i = 0; i < count && i < SOME; ++i)
        if (lode_shape_get_mass(shapes[i]).mass > 0)
            return true;
    return count > SOME;
}

/* After the shapes, which may weigh it. */
static void weigh(const builder *b, int i)
{
    const lode__urdf_link *link = &b->u->links[i];
    lode_mass mass = link->mass;
    if (!link->has_inertial && is_weighed(b->bodies[i]))
        return;
    if (!link->has_inertial)
        mass = lode_mass_adjust(lode_mass_of_sphere(1, (lode_real)0.05), b->options->frame_mass);
    if (lode_body_set_mass(b->bodies[i], &mass))
        lode__urdf_fault(b->u, link->line, "link: %s cannot have its mass",
                         lode__io_show(link->name, strlen(link->name)).text);
}

static void add_link(const builder *b, int i)
{
    const lode__urdf_link *link = &b->u->links[i];
    const lode__urdf_joint *joint = link->inbound < 0 ? NULL : &b->u->joints[link->inbound];
    lode_link_def def = lode_link_def_default(joint ? type_of(joint) : LODE_LINK_FIXED);
    def.name = link->name;
    if (joint)
        fill_joint(b, joint, &def);
    else
        def.pose = b->options->root_pose;
    b->bodies[i] = lode_articulation_add_link(b->articulation, &def);
    const char *name = joint ? joint->name : link->name;
    if (!b->bodies[i].id)
        lode__urdf_fault(b->u, joint ? joint->line : link->line, "%s: %s cannot be made",
                         joint ? "joint" : "link", lode__io_show(name, strlen(name)).text);
}

/* --- joints that mimic others: q - multiplier q' - offset = 0 */

static void add_mimics(const builder *b)
{
    for (int i = 0; i < b->u->joint_count && !b->u->fault[0]; ++i) {
        const lode__urdf_joint *joint = &b->u->joints[i];
        if (!follows(b, joint))
            continue;
        const lode__urdf_joint *other = &b->u->joints[joint->mimic];
        lode_mimic_def def = lode_mimic_def_default();
        def.link_a = b->bodies[joint->child];
        def.link_b = b->bodies[other->child];
        def.axis_a = axis_of(joint);
        def.axis_b = axis_of(other);
        def.gear_ratio = (lode_real)-joint->multiplier;
        def.offset = (lode_real)-joint->offset;
        if (!lode_mimic_create(b->articulation, &def).id)
            lode__urdf_fault(b->u, joint->mimic_line, "mimic: it cannot be made");
    }
}

lode_articulation lode__urdf_build(lode__urdf *u, lode_world world,
                                   const lode_io_urdf_options *options, lode_body *bodies)
{
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = options->fixed_base;
    def.self_collision = options->self_collision;
    def.name = u->name;
    builder b = {u, options, lode_articulation_create(world, &def), bodies};
    if (!b.articulation.id)
        lode__urdf_fault(u, u->line, "robot: no articulation can be made");
    for (int i = 0; i < u->link_count && !u->fault[0]; ++i)
        add_link(&b, u->order[i]);
    add_shapes(&b);
    for (int i = 0; i < u->link_count && !u->fault[0]; ++i)
        weigh(&b, i);
    add_mimics(&b);
    if (!u->fault[0] && options->insert && lode_articulation_insert(b.articulation))
        lode__urdf_fault(u, u->line, "robot: it cannot be inserted into the world");
    if (!u->fault[0])
        return b.articulation;
    if (b.articulation.id)
        lode_articulation_destroy(b.articulation);
    return (lode_articulation){0};
}

/* description_entries.c: which keys the objects of a description have. */
#include "io/description.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))
#define TABLE(name) const lode__io_table lode__io_##name##_table = {name, LENGTH(name)}

#define AT(field) offsetof(RECORD, field)
/* clang-format off */
#define ENTRY(key, kind, field, count, of) {key, LODE__IO_##kind, AT(field), count, of}
/* clang-format on */
#define REAL(key, field) ENTRY(key, REAL, field, 1, NULL)
#define REALS(key, field, count) ENTRY(key, REALS, field, count, NULL)
#define INT(key, field) ENTRY(key, INT, field, 1, NULL)
#define FLAG(key, field) ENTRY(key, FLAG, field, 1, NULL)
#define BITS(key, field) ENTRY(key, BITS, field, 1, NULL)
#define WORD(key, field, words) ENTRY(key, WORD, field, LENGTH(words), words)
#define TEXT(key, field) ENTRY(key, TEXT, field, 1, NULL)
#define POINTS(key, field) ENTRY(key, POINTS, field, 1, NULL)
#define POLYGONS(key, field) ENTRY(key, POLYGONS, field, 0, NULL)
#define TRIANGLES(key, field) ENTRY(key, POLYGONS, field, 3, NULL)
#define BYTES(key, field) ENTRY(key, BYTES, field, 1, NULL)
#define TEXTS(key, field) ENTRY(key, TEXTS, field, 1, NULL)
#define INNER(key, field, entries) ENTRY(key, RECORD, field, LENGTH(entries), entries)
#define LIST(key, field) ENTRY(key, RECORDS, field, 1, NULL)

/* ---- words */

const char *const lode__io_joint_types[] = {
    "fixed", "prismatic", "revolute", "revolute_unwrapped", "spherical", "six_axes"};
const char *const lode__io_shape_types[] = {"sphere", "box", "capsule", "cylinder", "hull", "mesh"};
const lode_shape_type lode__io_shape_type_of[] = {LODE_SPHERE,   LODE_BOX,  LODE_CAPSULE,
                                                  LODE_CYLINDER, LODE_HULL, LODE_MESH};
const char *const lode__io_tendon_types[] = {"spatial", "fixed"};
const char *const lode__io_loop_types[] = {"ball",
                                           "hinge",
                                           "slider",
                                           "universal",
                                           "fixed",
                                           "piston",
                                           "prismatic_rotoide",
                                           "prismatic_universal",
                                           "plane_2d",
                                           "wheel",
                                           "distance",
                                           "six_axes",
                                           "double_ball",
                                           "double_hinge",
                                           "angular_motor",
                                           "euler_motor",
                                           "linear_motor"};
static const char *const stiffs[] = {"as_world", "never", "automatic", "always"};
static const char *const axis_frames[] = {"world", "frame_a", "frame_b"};
static const char *const motions[] = {"locked", "limited", "free"};
static const char *const drives[] = {"none", "force", "acceleration"};
static const char *const axes[] = {"twist", "swing1", "swing2", "x", "y", "z"};

/* ---- parts of records */

#define RECORD lode_pose
static const lode__io_entry pose[] = {REALS("position", position, 3),
                                      REALS("rotation", rotation, 4)};
#undef RECORD

#define RECORD lode_mass
static const lode__io_entry mass[] = {REAL("mass", mass), REALS("center", center, 3),
                                      REALS("inertia", inertia, 6)};
#undef RECORD

#define RECORD lode_link_drive
static const lode__io_entry drive[] = {
    WORD("type", type, drives),
    REAL("stiffness", stiffness),
    REAL("damping", damping),
    REAL("max_force", max_force),
    REAL("max_effort", max_effort),
    REAL("max_speed", max_speed),
    REAL("velocity_resistance", velocity_resistance),
    REAL("speed_effort_gradient", speed_effort_gradient),
};
#undef RECORD

#define RECORD lode_link_axis
static const lode__io_entry axis[] = {
    WORD("motion", motion, motions),
    REAL("lo", lo),
    REAL("hi", hi),
    INNER("drive", drive, drive),
    REAL("target", target),
    REAL("target_velocity", target_velocity),
    REAL("armature", armature),
    REAL("static_friction", static_friction),
    REAL("dynamic_friction", dynamic_friction),
    REAL("viscous_friction", viscous_friction),
    REAL("max_velocity", max_velocity),
    REAL("position", position),
    REAL("velocity", velocity),
};
#undef RECORD

#define RECORD lode_link_def
static const lode__io_entry all_axes[] = {
    INNER("twist", axis[LODE_AXIS_TWIST], axis),   INNER("swing1", axis[LODE_AXIS_SWING1], axis),
    INNER("swing2", axis[LODE_AXIS_SWING2], axis), INNER("x", axis[LODE_AXIS_X], axis),
    INNER("y", axis[LODE_AXIS_Y], axis),           INNER("z", axis[LODE_AXIS_Z], axis),
};
#undef RECORD

/* ---- records */

#define RECORD lode__io_description
static const lode__io_entry articulation[] = {
    TEXT("name", def.name),
    FLAG("fixed_base", def.fixed_base),
    FLAG("drive_limits_are_impulses", def.drive_limits_are_impulses),
    FLAG("self_collision", def.self_collision),
    INT("position_iterations", def.position_iterations),
    INT("velocity_iterations", def.velocity_iterations),
    REAL("sleep_threshold", def.sleep_threshold),
    REAL("stabilization_threshold", def.stabilization_threshold),
    REAL("wake_counter", def.wake_counter),
    REAL("max_com_linear_speed", def.max_com_linear_speed),
    REAL("max_com_angular_speed", def.max_com_angular_speed),
    INNER("root_pose", root_pose, pose),
    REALS("root_linear_velocity", linear_velocity, 3),
    REALS("root_angular_velocity", angular_velocity, 3),
    LIST("links", link_list),
    LIST("tendons", tendon_list),
    LIST("mimic_joints", mimic_list),
    LIST("loop_joints", loop_list),
};
#undef RECORD
TABLE(articulation);

#define RECORD lode__io_link
static const lode__io_entry link[] = {
    TEXT("name", def.name),
    INT("parent", parent),
    WORD("type", def.type, lode__io_joint_types),
    INNER("parent_frame", def.parent_frame, pose),
    INNER("child_frame", def.child_frame, pose),
    INNER("axes", def, all_axes),
    REAL("friction_coefficient", def.friction_coefficient),
    REAL("cfm_scale", def.cfm_scale),
    REAL("linear_damping", def.linear_damping),
    REAL("angular_damping", def.angular_damping),
    REAL("max_linear_speed", def.max_linear_speed),
    REAL("max_angular_speed", def.max_angular_speed),
    REAL("gravity_scale", def.gravity_scale),
    INNER("mass", mass, mass),
    LIST("shapes", shape_list),
};
#undef RECORD
TABLE(link);

#define RECORD lode__io_shape
#define TYPE WORD("type", kind, lode__io_shape_types)
#define OF_SHAPE \
    INNER("pose", def.pose, pose), REAL("density", def.density), REAL("friction", def.friction), \
        REAL("restitution", def.restitution), BITS("category", def.category), \
        BITS("mask", def.mask), FLAG("enabled", def.enabled), FLAG("sensor", def.sensor), \
        FLAG("touch_events", def.touch_events), FLAG("impact_events", def.impact_events), \
        FLAG("edit_contacts", def.edit_contacts), FLAG("sound_events", def.sound_events), \
        TEXT("material", material)
static const lode__io_entry sphere[] = {TYPE, REAL("radius", radius), OF_SHAPE};
static const lode__io_entry box[] = {TYPE, REALS("half_extents", half_extents, 3), OF_SHAPE};
static const lode__io_entry capsule[] = {TYPE, REAL("radius", radius),
                                         REAL("half_length", half_length), OF_SHAPE};
static const lode__io_entry cylinder[] = {TYPE, REAL("radius", radius),
                                          REAL("half_length", half_length), OF_SHAPE};
static const lode__io_entry hull[] = {TYPE, POINTS("vertices", vertices), POLYGONS("faces", faces),
                                      OF_SHAPE};
static const lode__io_entry mesh[] = {TYPE,
                                      POINTS("vertices", vertices),
                                      TRIANGLES("triangles", triangles),
                                      FLAG("two_sided", two_sided),
                                      BYTES("triangle_materials", triangle_materials),
                                      TEXTS("materials", materials),
                                      OF_SHAPE};
#undef RECORD
TABLE(sphere);
TABLE(box);
TABLE(capsule);
TABLE(cylinder);
TABLE(hull);
TABLE(mesh);

#define RECORD lode__io_tendon
static const lode__io_entry spatial[] = {
    WORD("type", def.type, lode__io_tendon_types),
    REAL("stiffness", def.stiffness),
    REAL("damping", def.damping),
    REAL("limit_stiffness", def.limit_stiffness),
    REAL("offset", def.offset),
    LIST("attachments", attachment_list),
};
static const lode__io_entry fixed[] = {
    WORD("type", def.type, lode__io_tendon_types),
    REAL("stiffness", def.stiffness),
    REAL("damping", def.damping),
    REAL("limit_stiffness", def.limit_stiffness),
    REAL("offset", def.offset),
    REAL("rest_length", def.rest_length),
    REAL("lo", def.lo),
    REAL("hi", def.hi),
    LIST("joints", joint_list),
};
#undef RECORD
TABLE(spatial);
TABLE(fixed);

#define RECORD lode__io_part
static const lode__io_entry attachment[] = {
    INT("parent", attachment.parent),
    INT("link", link),
    REALS("point", attachment.point, 3),
    REAL("coefficient", attachment.coefficient),
    REAL("rest_length", attachment.rest_length),
    REAL("lo", attachment.lo),
    REAL("hi", attachment.hi),
};
static const lode__io_entry joint[] = {
    INT("parent", joint.parent),          INT("link", link),
    WORD("axis", joint.axis, axes),       REAL("coefficient", joint.coefficient),
    REAL("reciprocal", joint.reciprocal),
};
#undef RECORD
TABLE(attachment);
TABLE(joint);

#define RECORD lode__io_mimic
static const lode__io_entry mimic[] = {
    INT("link_a", link_a),
    WORD("axis_a", def.axis_a, axes),
    INT("link_b", link_b),
    WORD("axis_b", def.axis_b, axes),
    REAL("gear_ratio", def.gear_ratio),
    REAL("offset", def.offset),
    REAL("natural_frequency", def.natural_frequency),
    REAL("damping_ratio", def.damping_ratio),
};
#undef RECORD
TABLE(mimic);

#define RECORD lode_joint_axis
static const lode__io_entry loop_axis[] = {
    REAL("lo_stop", lo_stop),
    REAL("hi_stop", hi_stop),
    REAL("vel", vel),
    REAL("f_max", f_max),
    REAL("cfm", cfm),
    REAL("fudge_factor", fudge_factor),
    REAL("bounce", bounce),
    REAL("stop_erp", stop_erp),
    REAL("servo", servo),
    REAL("stop_cfm", stop_cfm),
    REAL("target", target),
    REALS("direction", direction, 3),
    WORD("frame", frame, axis_frames),
};
#undef RECORD

#define RECORD lode_joint_def
static const lode__io_entry loop_axes[] = {
    INNER("0", axis[0], loop_axis), INNER("1", axis[1], loop_axis), INNER("2", axis[2], loop_axis),
    INNER("3", axis[3], loop_axis), INNER("4", axis[4], loop_axis), INNER("5", axis[5], loop_axis),
};
#undef RECORD

#define RECORD lode__io_loop
static const lode__io_entry loop[] = {
    WORD("type", def.type, lode__io_loop_types),
    INT("link_a", link_a),
    INT("link_b", link_b),
    INNER("frame_a", def.frame_a, pose),
    INNER("frame_b", def.frame_b, pose),
    REAL("erp", def.erp),
    REAL("cfm", def.cfm),
    REAL("distance", def.distance),
    INNER("axes", def, loop_axes),
    REAL("max_force", def.max_force),
    REAL("max_torque", def.max_torque),
    FLAG("collide_connected", def.collide_connected),
    FLAG("enabled", def.enabled),
    FLAG("outlives_bodies", def.outlives_bodies),
    WORD("stiff", stiff, stiffs),
};
#undef RECORD
TABLE(loop);

const lode__io_table *const lode__io_shape_tables[] = {
    &lode__io_sphere_table,   &lode__io_box_table,  &lode__io_capsule_table,
    &lode__io_cylinder_table, &lode__io_hull_table, &lode__io_mesh_table};

int lode__io_shape_kind(lode_shape_type type)
{
    for (int kind = 0; kind < LODE__IO_SHAPE_TYPES; ++kind)
        if (lode__io_shape_type_of[kind] == type)
            return kind;
    return -1;
}

/* ---- what keys that are not there stand for */

lode__io_link lode__io_link_default(lode_link_joint_type type)
{
    return (lode__io_link){.parent = -1, .def = lode_link_def_default(type)};
}

lode__io_shape lode__io_shape_default(int kind)
{
    return (lode__io_shape){.kind = kind, .def = lode_shape_def_default()};
}

lode__io_tendon lode__io_tendon_default(lode_tendon_type type)
{
    return (lode__io_tendon){.def = lode_tendon_def_default(type)};
}

lode__io_part lode__io_part_default(void)
{
    return (lode__io_part){.attachment = lode_tendon_attachment_default(),
                           .joint = lode_tendon_joint_default()};
}

lode__io_loop lode__io_loop_default(lode_joint_type type)
{
    return (lode__io_loop){.link_b = -1, .def = lode_joint_def_default(type)};
}

lode__io_description lode__io_description_default(void)
{
    return (lode__io_description){.def = lode_articulation_def_default(),
                                  .root_pose.rotation = {1, 0, 0, 0}};
}

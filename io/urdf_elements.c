/* urdf_elements.c: see urdf_elements.h. Numbers are judged in the precision of the library. */
#include "io/urdf_elements.h"

#include "io/shown.h"
#include "io/urdf_frames.h"
#include "io/words.h"

#include <string.h>

typedef lode__urdf_tag tag;

static void fault(const tag *t, const char *key, const char *text)
{
    lode__urdf_fault(t->u, t->line, "%s: %s %s", t->name, key, text);
}

/* --- attributes */

static const char *find(const tag *t, const char *key)
{
    const char **at = t->attributes;
    while (*at && strcmp(*at, key) != 0)
        at += 2;
    return *at ? at[1] : NULL;
}

/* A copy that lasts; "" after a fault. */
static const char *text(const tag *t, const char *key)
{
    const char *value = find(t, key);
    if (!value || !*value) {
        fault(t, key, value ? "must not be empty" : "is missing");
        return "";
    }
    size_t room = strlen(value) + 1;
    return memcpy(lode__io_alloc(t->u->memory, room), value, room);
}

/* `count` numbers, at most 3. False: the attribute is missing, which it may be unless it is needed,
 * or bad; `out` stays as it is. */
static bool numbers(const tag *t, const char *key, int count, bool needed, double *out)
{
    const char *at = find(t, key), *word;
    if (!at) {
        if (needed)
            fault(t, key, "is missing");
        return false;
    }
    const char *end = at + strlen(at);
    size_t length;
    double values[3];
    int read = 0;
    while ((word = lode__io_next_word(&at, end, &length))) {
        if (read == count || !lode__io_word_number(t->u->memory, word, length, &values[read]))
            break;
        ++read;
    }
    if (word || read < count) {
        fault(t, key, count == 1 ? "must be a finite number" : "must be 3 finite numbers");
        return false;
    }
    memcpy(out, values, (size_t)count * sizeof *out);
    return true;
}

static void size(const tag *t, const char *key, int count, double *out)
{
    bool good = numbers(t, key, count, true, out);
    for (int i = 0; i < count && good; ++i)
        good = (lode_real)out[i] > 0;
    if (!good)
        fault(t, key, "must be above 0");
}

static void at_least_0(const tag *t, const char *key, bool needed, double *out)
{
    if (numbers(t, key, 1, needed, out) && *out < 0)
        fault(t, key, "must be at least 0");
}

static lode_pose origin(const tag *t)
{
    double xyz[3] = {0}, rpy[3] = {0};
    numbers(t, "xyz", 3, false, xyz);
    numbers(t, "rpy", 3, false, rpy);
    return (lode_pose){{(lode_real)xyz[0], (lode_real)xyz[1], (lode_real)xyz[2]},
                       lode__io_turn_quat(lode__io_turn_rpy(rpy))};
}

/* --- links */

static void *grow(lode__io_memory *memory, void *array, int count, int *room, size_t each)
{
    if (count < *room)
        return array;
    *room = 2 * *room + 8;
    return lode__io_realloc(memory, array, (size_t)*room * each);
}

static lode__urdf_link *last_link(const tag *t)
{
    return &t->u->links[t->u->link_count - 1];
}

static void begin_robot(const tag *t)
{
    t->u->name = text(t, "name");
    t->u->line = t->line;
}

static void begin_link(const tag *t)
{
    lode__urdf *u = t->u;
    u->links = grow(u->memory, u->links, u->link_count, &u->link_room, sizeof *u->links);
    u->links[u->link_count++] = (lode__urdf_link){
        .line = t->line, .inbound = -1, .first_child = -1, .last_child = -1, .next = -1};
    last_link(t)->name = text(t, "name");
}

static void begin_inertial(const tag *t)
{
    last_link(t)->has_inertial = true;
    last_link(t)->inertial = (lode_pose){.rotation = {1, 0, 0, 0}};
}

static void inertial_origin(const tag *t)
{
    last_link(t)->inertial = origin(t);
}

static void mass(const tag *t)
{
    double value = 0;
    size(t, "value", 1, &value);
    last_link(t)->mass.mass = (lode_real)value;
}

static void inertia(const tag *t)
{
    static const char *const keys[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    lode__urdf_link *link = last_link(t);
    for (int i = 0; i < 6; ++i) {
        double value = 0;
        numbers(t, keys[i], 1, true, &value);
        link->mass.inertia[i] = (lode_real)value;
    }
    link->inertia_line = t->line;
}

/* Where the inertia is that of a body. The tensor is about the centre, in the axes of the
 * origin. */
static void end_inertial(const tag *t)
{
    lode__urdf_link *link = last_link(t);
    if (!lode_mass_is_valid(&link->mass)) {
        lode__urdf_fault(
            t->u, link->inertia_line,
            "inertia: its principal moments must be above 0, and none above the sum of "
            "the two others");
        return;
    }
    link->mass = lode_mass_translate(lode_mass_rotate(link->mass, link->inertial.rotation),
                                     link->inertial.position);
}

/* --- collision shapes */

static lode__urdf_shape *last_shape(const tag *t)
{
    return &t->u->shapes[t->u->shape_count - 1];
}

static void begin_collision(const tag *t)
{
    lode__urdf *u = t->u;
    u->shapes = grow(u->memory, u->shapes, u->shape_count, &u->shape_room, sizeof *u->shapes);
    u->shapes[u->shape_count++] = (lode__urdf_shape){.link = u->link_count - 1,
                                                     .type = LODE_SHAPE_TYPE_COUNT,
                                                     .pose = {.rotation = {1, 0, 0, 0}}};
}

static void collision_origin(const tag *t)
{
    last_shape(t)->pose = origin(t);
}

static void pass(const tag *t)
{
    (void)t;
}

static void end_geometry(const tag *t)
{
    if (last_shape(t)->type == LODE_SHAPE_TYPE_COUNT)
        lode__urdf_fault(t->u, t->line,
                         "geometry: must have a box, cylinder, sphere, capsule or mesh");
}

/* The numbers of the shape of this collision. */
static double *begin_shape(const tag *t, lode_shape_type type)
{
    lode__urdf_shape *shape = last_shape(t);
    if (shape->type != LODE_SHAPE_TYPE_COUNT)
        lode__urdf_fault(t->u, t->line, "geometry: must have one shape, and %s is another",
                         t->name);
    shape->type = type;
    shape->line = t->line;
    return shape->size;
}

static void box(const tag *t)
{
    size(t, "size", 3, begin_shape(t, LODE_BOX));
}

static void sphere(const tag *t)
{
    size(t, "radius", 1, begin_shape(t, LODE_SPHERE));
}

static void cylinder(const tag *t)
{
    double *numbers = begin_shape(t, LODE_CYLINDER);
    size(t, "radius", 1, &numbers[0]);
    size(t, "length", 1, &numbers[1]);
}

static void capsule(const tag *t)
{
    double *numbers = begin_shape(t, LODE_CAPSULE);
    size(t, "radius", 1, &numbers[0]);
    at_least_0(t, "length", true, &numbers[1]);
}

static void mesh(const tag *t)
{
    double *scale = begin_shape(t, LODE_HULL);
    scale[0] = scale[1] = scale[2] = 1;
    numbers(t, "scale", 3, false, scale);
    if ((lode_real)scale[0] == 0 || (lode_real)scale[1] == 0 || (lode_real)scale[2] == 0)
        fault(t, "scale", "must not be 0");
    last_shape(t)->file = text(t, "filename");
}

/* --- joints */

static lode__urdf_joint *last_joint(const tag *t)
{
    return &t->u->joints[t->u->joint_count - 1];
}

static lode_io_joint_type read_type(const tag *t)
{
    static const char *const types[LODE_IO_JOINT_TYPE_COUNT] = {
        "fixed", "revolute", "continuous", "prismatic", "planar", "floating"};
    const char *type = text(t, "type");
    int i = 0;
    while (i < LODE_IO_JOINT_TYPE_COUNT && strcmp(types[i], type) != 0)
        ++i;
    if (i < LODE_IO_JOINT_TYPE_COUNT)
        return (lode_io_joint_type)i;
    lode__urdf_fault(t->u, t->line, "joint: type %s is none of URDF's",
                     lode__io_show(type, strlen(type)).text);
    return LODE_IO_JOINT_FIXED;
}

static void begin_joint(const tag *t)
{
    lode__urdf *u = t->u;
    u->joints = grow(u->memory, u->joints, u->joint_count, &u->joint_room, sizeof *u->joints);
    u->joints[u->joint_count++] = (lode__urdf_joint){
        .line = t->line, .origin = {.rotation = {1, 0, 0, 0}}, .axis = {1, 0, 0}};
    last_joint(t)->name = text(t, "name");
    last_joint(t)->type = read_type(t);
}

static void joint_origin(const tag *t)
{
    last_joint(t)->origin = origin(t);
}

static void parent(const tag *t)
{
    last_joint(t)->parent_name = text(t, "link");
    last_joint(t)->parent_line = t->line;
}

static void child(const tag *t)
{
    last_joint(t)->child_name = text(t, "link");
    last_joint(t)->child_line = t->line;
}

/* Exporters give fixed joints an axis of zeros. */
static void axis(const tag *t)
{
    lode__urdf_joint *joint = last_joint(t);
    bool needed = joint->type != LODE_IO_JOINT_FIXED && joint->type != LODE_IO_JOINT_FLOATING;
    if (numbers(t, "xyz", 3, true, joint->axis) && !lode__io_normalize(joint->axis) && needed)
        fault(t, "xyz", "must not be zero");
}

static bool has_stops(const lode__urdf_joint *joint)
{
    return joint->type == LODE_IO_JOINT_REVOLUTE || joint->type == LODE_IO_JOINT_PRISMATIC;
}

static void limit(const tag *t)
{
    lode__urdf_joint *joint = last_joint(t);
    joint->has_limit = true;
    numbers(t, "lower", 1, false, &joint->lower);
    numbers(t, "upper", 1, false, &joint->upper);
    at_least_0(t, "effort", true, &joint->effort);
    at_least_0(t, "velocity", true, &joint->velocity);
    if (has_stops(joint) && joint->lower > joint->upper)
        fault(t, "lower", "must be at most upper");
}

static void dynamics(const tag *t)
{
    at_least_0(t, "damping", false, &last_joint(t)->damping);
    at_least_0(t, "friction", false, &last_joint(t)->friction);
}

static void mimic(const tag *t)
{
    lode__urdf_joint *joint = last_joint(t);
    joint->mimic_name = text(t, "joint");
    joint->mimic_line = t->line;
    joint->multiplier = 1;
    numbers(t, "multiplier", 1, false, &joint->multiplier);
    numbers(t, "offset", 1, false, &joint->offset);
}

static void end_joint(const tag *t)
{
    if (has_stops(last_joint(t)) && !last_joint(t)->has_limit)
        fault(t, "limit", "is missing");
}

/* --- where they stand */

#define DOCUMENT LODE__URDF_DOCUMENT
#define ROBOT LODE__URDF_ROBOT
#define LINK LODE__URDF_LINK
#define INERTIAL LODE__URDF_INERTIAL
#define COLLISION LODE__URDF_COLLISION
#define GEOMETRY LODE__URDF_GEOMETRY
#define JOINT LODE__URDF_JOINT
#define LEAF LODE__URDF_LEAF
#define MAYBE LODE__URDF_MAYBE
#define ONCE LODE__URDF_ONCE
#define MANY LODE__URDF_MANY

const lode__urdf_element lode__urdf_elements[LODE__URDF_ELEMENTS] = {
    /* clang-format off */
    /* within    name         inside     times  begin             end          */
    { DOCUMENT,  "robot",     ROBOT,     ONCE,  begin_robot,      NULL         },
    { ROBOT,     "link",      LINK,      MANY,  begin_link,       NULL         },
    { LINK,      "inertial",  INERTIAL,  MAYBE, begin_inertial,   end_inertial },
    { INERTIAL,  "origin",    LEAF,      MAYBE, inertial_origin,  NULL         },
    { INERTIAL,  "mass",      LEAF,      ONCE,  mass,             NULL         },
    { INERTIAL,  "inertia",   LEAF,      ONCE,  inertia,          NULL         },
    { LINK,      "collision", COLLISION, MANY,  begin_collision,  NULL         },
    { COLLISION, "origin",    LEAF,      MAYBE, collision_origin, NULL         },
    { COLLISION, "geometry",  GEOMETRY,  ONCE,  pass,             end_geometry },
    { GEOMETRY,  "box",       LEAF,      MAYBE, box,              NULL         },
    { GEOMETRY,  "sphere",    LEAF,      MAYBE, sphere,           NULL         },
    { GEOMETRY,  "cylinder",  LEAF,      MAYBE, cylinder,         NULL         },
    { GEOMETRY,  "capsule",   LEAF,      MAYBE, capsule,          NULL         },
    { GEOMETRY,  "mesh",      LEAF,      MAYBE, mesh,             NULL         },
    { ROBOT,     "joint",     JOINT,     MANY,  begin_joint,      end_joint    },
    { JOINT,     "origin",    LEAF,      MAYBE, joint_origin,     NULL         },
    { JOINT,     "parent",    LEAF,      ONCE,  parent,           NULL         },
    { JOINT,     "child",     LEAF,      ONCE,  child,            NULL         },
    { JOINT,     "axis",      LEAF,      MAYBE, axis,             NULL         },
    { JOINT,     "limit",     LEAF,      MAYBE, limit,            NULL         },
    { JOINT,     "dynamics",  LEAF,      MAYBE, dynamics,         NULL         },
    { JOINT,     "mimic",     LEAF,      MAYBE, mimic,            NULL         },
    /* clang-format on */
};

/* export_dif.c: a world in the Dynamics Interchange Format: tables of Lua. Numbers have as many
 * digits as give them back. What a joint is, is said by its anchors, axes, stops and motors in the
 * frames of its bodies; which of them there are by type, stands in a table. */
#include "ode/export-dif.h"

#include "ode/check.h"
#include "ode/joint.h"

#include "ode/collision/space.h"

#include <float.h>

#define DIGITS (sizeof(dReal) == sizeof(float) ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG)

typedef struct writer {
    FILE *file;
    const char *name;
    int depth;
} writer;

/* --- lines of a table */

static void indent(const writer *w)
{
    for (int i = 0; i < w->depth; ++i)
        fputc('\t', w->file);
}

/* Infinity is a name of Lua's. */
static void put_number(const writer *w, dReal x)
{
    if (isinf(x))
        fputs(x < 0 ? "-math.huge" : "math.huge", w->file);
    else
        fprintf(w->file, "%.*g", (int)DIGITS, (double)x);
}

static void put_numbers(const writer *w, const dReal *x, int count)
{
    fputc('{', w->file);
    for (int i = 0; i < count; ++i) {
        if (i > 0)
            fputc(',', w->file);
        put_number(w, x[i]);
    }
    fputc('}', w->file);
}

static void number_line(const writer *w, const char *label, dReal x)
{
    indent(w);
    fprintf(w->file, "%s = ", label);
    put_number(w, x);
    fputs(",\n", w->file);
}

static void numbers_line(const writer *w, const char *label, const dReal *x, int count)
{
    indent(w);
    fprintf(w->file, "%s = ", label);
    put_numbers(w, x, count);
    fputs(",\n", w->file);
}

static void vector_line(const writer *w, const char *label, lode_vec3 v)
{
    const dReal x[3] = {v.x, v.y, v.z};
    numbers_line(w, label, x, 3);
}

static void flag_line(const writer *w, const char *label, bool set)
{
    if (set)
        number_line(w, label, 1);
}

static void open_table(writer *w, const char *label)
{
    indent(w);
    fprintf(w->file, label ? "%s = {\n" : "{\n", label);
    ++w->depth;
}

static void close_table(writer *w)
{
    --w->depth;
    indent(w);
    fputs("},\n", w->file);
}

/* --- worlds and bodies */

static void put_idle(writer *w, const lode__ode_idle *idle)
{
    open_table(w, "auto_disable");
    number_line(w, "linear_threshold", idle->linear_threshold);
    number_line(w, "angular_threshold", idle->angular_threshold);
    number_line(w, "average_samples", (dReal)idle->samples);
    number_line(w, "idle_time", idle->time);
    number_line(w, "idle_steps", (dReal)idle->steps);
    close_table(w);
}

static void put_world(writer *w, dWorldID world)
{
    fprintf(w->file, "-- Dynamics Interchange Format v0.1\n\n%sworld = dynamics.world {\n",
            w->name);
    w->depth = 1;
    numbers_line(w, "gravity", world->gravity, 3);
    open_table(w, "ODE");
    number_line(w, "ERP", world->erp);
    number_line(w, "CFM", world->cfm);
    put_idle(w, &world->idle);
    close_table(w);
    fputs("}\n", w->file);
}

static void put_inertia(const writer *w, const dReal *I)
{
    indent(w);
    fputs("I = {", w->file);
    for (int i = 0; i < 3; ++i) {
        if (i > 0)
            fputc(',', w->file);
        put_numbers(w, I + 4 * i, 3);
    }
    fputs("},\n", w->file);
}

static bool is_given(const dReal *v)
{
    return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

static void put_details(writer *w, dBodyID body)
{
    open_table(w, "ODE");
    flag_line(w, "finite_rotation", body->finite);
    flag_line(w, "disabled", !body->enabled);
    flag_line(w, "no_gravity", !body->gravity);
    if (body->idle.enabled)
        put_idle(w, &body->idle);
    if (is_given(body->force))
        numbers_line(w, "facc", body->force, 3);
    if (is_given(body->torque))
        numbers_line(w, "tacc", body->torque, 3);
    if (body->finite_about_axis)
        numbers_line(w, "finite_rotation_axis", body->finite_axis, 3);
    close_table(w);
}

/* Their sizes by class: numbers of the geometry's sizes, of which some are halves here. */
static const struct {
    const char *type, *label[2];
    int count; /* of numbers after the first label */
    dReal scale[2];
} geom_lines[dFirstSpaceClass] = {
    [dSphereClass] = {"sphere", {"radius", NULL}, 1, {1, 1}},
    [dBoxClass] = {"box", {"sides", NULL}, 3, {2, 1}},
    [dCapsuleClass] = {"capsule", {"radius", "length"}, 1, {1, 2}},
    [dCylinderClass] = {"cylinder", {"radius", "length"}, 1, {1, 2}},
    [dConvexClass] = {"convex", {NULL, NULL}, 0, {0, 0}},
    [dTriMeshClass] = {"trimesh", {NULL, NULL}, 0, {0, 0}},
    [dHeightfieldClass] = {"heightfield", {NULL, NULL}, 0, {0, 0}},
};

static void put_geom(writer *w, dGeomID geom)
{
    if (geom->number >= dFirstSpaceClass || !geom_lines[geom->number].type)
        return;
    dReal sizes[3];
    open_table(w, NULL);
    indent(w);
    fprintf(w->file, "type = \"%s\",\n", geom_lines[geom->number].type);
    for (int i = 0; i < 2; ++i) {
        int count = i ? 1 : geom_lines[geom->number].count;
        if (!geom_lines[geom->number].label[i])
            continue;
        for (int k = 0; k < count; ++k)
            sizes[k] = geom->geometry.size[i + k] * geom_lines[geom->number].scale[i];
        if (count == 1)
            number_line(w, geom_lines[geom->number].label[i], sizes[0]);
        else
            numbers_line(w, geom_lines[geom->number].label[i], sizes, count);
    }
    if (geom->offset) {
        numbers_line(w, "pos", geom->offset->position, 3);
        numbers_line(w, "q", geom->offset->quaternion, 4);
    }
    close_table(w);
}

static void put_body(writer *w, dBodyID body, int number)
{
    fprintf(w->file, "%sbody[%d] = dynamics.body {\n\tworld = %sworld,\n", w->name, number,
            w->name);
    w->depth = 1;
    numbers_line(w, "pos", body->position, 3);
    numbers_line(w, "q", body->quaternion, 4);
    numbers_line(w, "lvel", body->linear, 3);
    numbers_line(w, "avel", body->angular, 3);
    number_line(w, "mass", body->mass.mass);
    put_inertia(w, body->mass.I);
    put_details(w, body);
    if (body->geoms) {
        open_table(w, "geometry");
        for (dGeomID geom = body->geoms; geom; geom = geom->body_next)
            put_geom(w, geom);
        close_table(w);
    }
    fputs("}\n", w->file);
}

/* --- joints */

/* What is told of a joint with frames. */
enum { ANCHORS = 1, RELATIVE = 2 };

typedef struct joint_lines {
    const char *name;
    int told;
    const char *axis[3]; /* labels of axes, or null */
    int body[3];         /* in whose frame */
} joint_lines;

static const joint_lines lines_of[] = {
    [dJointTypeBall] = {"ball", ANCHORS, {NULL, NULL, NULL}, {0, 0, 0}},
    [dJointTypeHinge] = {"hinge", ANCHORS | RELATIVE, {"axis1", NULL, NULL}, {0, 0, 0}},
    [dJointTypeSlider] = {"slider", ANCHORS | RELATIVE, {"axis1", NULL, NULL}, {0, 0, 0}},
    [dJointTypeUniversal] = {"universal", ANCHORS, {"axis1", "axis2", NULL}, {0, 1, 0}},
    [dJointTypeHinge2] = {"ODE_hinge2", ANCHORS, {"axis1", "axis2", NULL}, {0, 1, 0}},
    [dJointTypeFixed] = {"fixed", ANCHORS | RELATIVE, {NULL, NULL, NULL}, {0, 0, 0}},
    [dJointTypeAMotor] = {"ODE_angular_motor", 0, {"axis1", "axis2", "axis3"}, {0, 0, 0}},
    [dJointTypeLMotor] = {"ODE_linear_motor", 0, {"axis1", "axis2", "axis3"}, {0, 0, 0}},
    [dJointTypePlane2D] = {"plane_2d", 0, {NULL, NULL, NULL}, {0, 0, 0}},
    [dJointTypePR] = {"PR", ANCHORS | RELATIVE, {"axisP1", "axisR1", NULL}, {0, 0, 0}},
    [dJointTypePU] = {"PU", ANCHORS, {"axis1", "axis2", "axisP"}, {0, 1, 0}},
    [dJointTypePiston] = {"piston", ANCHORS | RELATIVE, {"axis1", NULL, NULL}, {0, 0, 0}},
    [dJointTypeDBall] = {"double_ball", ANCHORS, {NULL, NULL, NULL}, {0, 0, 0}},
    [dJointTypeDHinge] = {"double_hinge", ANCHORS, {"axis1", NULL, NULL}, {0, 0, 0}},
    [dJointTypeTransmission] = {"transmission", ANCHORS, {"axis1", "axis2", NULL}, {0, 1, 0}},
};

static void put_limot(writer *w, const lode__ode_limot *limot, int number, int count)
{
    char label[16];
    snprintf(label, sizeof label, count > 1 ? "limit%d" : "limit", number);
    open_table(w, label);
    number_line(w, "low_stop", limot->lo);
    number_line(w, "high_stop", limot->hi);
    if (limot->bounce != 0)
        number_line(w, "bounce", limot->bounce);
    open_table(w, "ODE");
    number_line(w, "stop_erp", limot->stop_erp);
    number_line(w, "stop_cfm", limot->stop_cfm);
    close_table(w);
    close_table(w);
    snprintf(label, sizeof label, count > 1 ? "motor%d" : "motor", number);
    open_table(w, label);
    if (limot->vel != 0)
        number_line(w, "vel", limot->vel);
    if (limot->fmax != 0)
        number_line(w, "fmax", limot->fmax);
    open_table(w, "ODE");
    number_line(w, "fudge_factor", limot->fudge);
    number_line(w, "normal_cfm", limot->cfm);
    close_table(w);
    close_table(w);
}

static void put_framed(writer *w, const lode__ode_framed *joint, const joint_lines *lines)
{
    const dReal relative[4] = {joint->relative.w, joint->relative.x, joint->relative.y,
                               joint->relative.z};
    if (lines->told & ANCHORS) {
        vector_line(w, "anchor1", joint->anchor[0]);
        vector_line(w, "anchor2", joint->anchor[1]);
    }
    for (int i = 0; i < 3; ++i)
        if (lines->axis[i])
            vector_line(w, lines->axis[i], joint->axis[i][lines->body[i]]);
    if (lines->told & RELATIVE)
        numbers_line(w, "qrel", relative, 4);
    for (int i = 0; i < joint->joint.type->limots; ++i)
        put_limot(w, &joint->limot[i], i + 1, joint->joint.type->limots);
}

static int number_of(dWorldID world, dBodyID body)
{
    int number = 0;
    for (dBodyID at = world->bodies; at != body; at = at->next)
        ++number;
    return number;
}

/* The program's first body first; a world is no body. */
static void put_bodies(const writer *w, dJointID joint)
{
    bool first = true;
    indent(w);
    fputs("body = {", w->file);
    for (int i = 0; i < 2; ++i) {
        dBodyID body = joint->node[i ^ joint->reversed].body;
        if (!body)
            continue;
        fprintf(w->file, "%s%sbody[%d]", first ? "" : ",", w->name, number_of(joint->world, body));
        first = false;
    }
    fputs("},\n", w->file);
}

static void put_joint(writer *w, dJointID joint, int number)
{
    dJointType type = joint->type->type;
    bool framed_type = joint->type->describe && (size_t)type < sizeof lines_of / sizeof *lines_of &&
                       lines_of[type].name;
    fprintf(w->file, "%sjoint[%d] = dynamics.%s_joint {\n\tworld = %sworld,\n", w->name, number,
            framed_type ? lines_of[type].name : joint->type->name, w->name);
    w->depth = 1;
    put_bodies(w, joint);
    flag_line(w, "disabled", joint->disabled);
    if (framed_type)
        put_framed(w, framed(joint), &lines_of[type]);
    fputs("}\n", w->file);
}

void dWorldExportDIF(dWorldID w, FILE *file, const char *world_name)
{
    if (!CHECK_GIVEN(w) || !CHECK_GIVEN(file) || !CHECK_GIVEN(world_name))
        return;
    writer to = {file, world_name, 0};
    int number = 0;
    put_world(&to, w);
    fprintf(file, "%sbody = {}\n", world_name);
    for (dBodyID body = w->bodies; body; body = body->next)
        put_body(&to, body, number++);
    number = 0;
    fprintf(file, "%sjoint = {}\n", world_name);
    for (dJointID joint = w->joints; joint; joint = joint->next)
        put_joint(&to, joint, number++);
    for (dJointID joint = w->contacts; joint; joint = joint->next)
        put_joint(&to, joint, number++);
}

/* export_dif.c: a world in the Dynamics Interchange Format: the world, bodies and their geoms. What
 * joints are is in export_joints.c. */
#include "ode/export-dif.h"

#include "ode/check.h"
#include "ode/dif.h"

#include "ode/collision/space.h"

/* --- worlds and bodies */

static void put_idle(lode__dif *w, const lode__ode_idle *idle)
{
    lode__dif_open_table(w, "auto_disable");
    lode__dif_number_line(w, "linear_threshold", idle->linear_threshold);
    lode__dif_number_line(w, "angular_threshold", idle->angular_threshold);
    lode__dif_number_line(w, "average_samples", (dReal)idle->samples);
    lode__dif_number_line(w, "idle_time", idle->time);
    lode__dif_number_line(w, "idle_steps", (dReal)idle->steps);
    lode__dif_close_table(w);
}

static void put_world(lode__dif *w, dWorldID world)
{
    fprintf(w->file, "-- Dynamics Interchange Format v0.1\n\n%sworld = dynamics.world {\n",
            w->name);
    w->depth = 1;
    lode__dif_numbers_line(w, "gravity", world->gravity, 3);
    lode__dif_open_table(w, "ODE");
    lode__dif_number_line(w, "ERP", world->erp);
    lode__dif_number_line(w, "CFM", world->cfm);
    put_idle(w, &world->idle);
    lode__dif_close_table(w);
    fputs("}\n", w->file);
}

static void put_inertia(const lode__dif *w, const dReal *I)
{
    lode__dif_indent(w);
    fputs("I = {", w->file);
    for (int i = 0; i < 3; ++i) {
        if (i > 0)
            fputc(',', w->file);
        lode__dif_numbers(w, I + 4 * i, 3);
    }
    fputs("},\n", w->file);
}

static bool is_given(const dReal *v)
{
    return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

static void put_details(lode__dif *w, dBodyID body)
{
    lode__dif_open_table(w, "ODE");
    lode__dif_flag_line(w, "finite_rotation", body->finite);
    lode__dif_flag_line(w, "disabled", !body->enabled);
    lode__dif_flag_line(w, "no_gravity", !body->gravity);
    if (body->idle.enabled)
        put_idle(w, &body->idle);
    if (is_given(body->force))
        lode__dif_numbers_line(w, "facc", body->force, 3);
    if (is_given(body->torque))
        lode__dif_numbers_line(w, "tacc", body->torque, 3);
    if (body->finite_about_axis)
        lode__dif_numbers_line(w, "finite_rotation_axis", body->finite_axis, 3);
    lode__dif_close_table(w);
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

static void put_geom(lode__dif *w, dGeomID geom)
{
    if (geom->number >= dFirstSpaceClass || !geom_lines[geom->number].type)
        return;
    dReal sizes[3];
    lode__dif_open_table(w, NULL);
    lode__dif_indent(w);
    fprintf(w->file, "type = \"%s\",\n", geom_lines[geom->number].type);
    for (int i = 0; i < 2; ++i) {
        int count = i ? 1 : geom_lines[geom->number].count;
        if (!geom_lines[geom->number].label[i])
            continue;
        for (int k = 0; k < count; ++k)
            sizes[k] = geom->geometry.size[i + k] * geom_lines[geom->number].scale[i];
        if (count == 1)
            lode__dif_number_line(w, geom_lines[geom->number].label[i], sizes[0]);
        else
            lode__dif_numbers_line(w, geom_lines[geom->number].label[i], sizes, count);
    }
    if (geom->offset) {
        lode__dif_numbers_line(w, "pos", geom->offset->position, 3);
        lode__dif_numbers_line(w, "q", geom->offset->quaternion, 4);
    }
    lode__dif_close_table(w);
}

static void put_body(lode__dif *w, dBodyID body, int number)
{
    fprintf(w->file, "%sbody[%d] = dynamics.body {\n\tworld = %sworld,\n", w->name, number,
            w->name);
    w->depth = 1;
    lode__dif_numbers_line(w, "pos", &body->pose->position.x, 3);
    lode__dif_numbers_line(w, "q", &body->pose->rotation.w, 4);
    lode__dif_numbers_line(w, "lvel", &body->velocity->linear.x, 3);
    lode__dif_numbers_line(w, "avel", &body->velocity->angular.x, 3);
    lode__dif_number_line(w, "mass", body->mass.mass);
    put_inertia(w, body->mass.I);
    put_details(w, body);
    if (body->geoms) {
        lode__dif_open_table(w, "geometry");
        for (dGeomID geom = body->geoms; geom; geom = geom->body_next)
            put_geom(w, geom);
        lode__dif_close_table(w);
    }
    fputs("}\n", w->file);
}

void dWorldExportDIF(dWorldID w, FILE *file, const char *world_name)
{
    if (!CHECK_GIVEN(w) || !CHECK_GIVEN(file) || !CHECK_GIVEN(world_name))
        return;
    lode__dif to = {file, world_name, 0};
    int number = 0;
    put_world(&to, w);
    fprintf(file, "%sbody = {}\n", world_name);
    for (dBodyID body = w->bodies; body; body = body->next)
        put_body(&to, body, number++);
    number = 0;
    fprintf(file, "%sjoint = {}\n", world_name);
    for (dJointID joint = w->joints; joint; joint = joint->next)
        lode__dif_joint(&to, joint, number++);
    for (dJointID joint = w->contacts; joint; joint = joint->next)
        lode__dif_joint(&to, joint, number++);
}

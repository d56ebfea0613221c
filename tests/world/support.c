/* support.c: see support.h. */
#include "tests/world/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

test_report report;

static void record(void *user, lode_status status, const char *function, const char *argument,
                   const char *message)
{
    (void)user;
    report.count++;
    report.status = status;
    snprintf(report.function, sizeof report.function, "%s", function);
    snprintf(report.argument, sizeof report.argument, "%s", argument);
    snprintf(report.message, sizeof report.message, "%s", message);
}

void report_clear(void)
{
    report = (test_report){0};
}

void report_install(void)
{
    report_clear();
    lode_set_error_hook(record, NULL);
}

void report_expect(lode_status status, const char *function, const char *argument, const char *file,
                   int line)
{
    if (report.count == 1 && report.status == status && !strcmp(report.function, function) &&
        !strcmp(report.argument, argument) && report.message[0])
        return;
    print_error("expected one report (%d) by %s on '%s'; got %d, the last (%d) by %s on '%s': %s\n",
                status, function, argument, report.count, report.status, report.function,
                report.argument, report.message);
    _fail(file, line);
}

lode_body add_body(lode_world world, lode_body_type type, lode_real x, lode_real y, lode_real z)
{
    lode_body_def def = lode_body_def_default();
    def.type = type;
    def.position = vec(x, y, z);
    return lode_body_create(world, &def);
}

lode_body add_ball(lode_world world, lode_real x, lode_real y, lode_real z, lode_real radius)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, x, y, z);
    lode_shape_create_sphere(body, &def, radius);
    return body;
}

lode_body add_ground(lode_world world)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_create_plane(body, &def, vec(0, 0, 1), 0);
    return body;
}

static lode_joint join(lode_world world, lode_body a, lode_body b, lode_vec3 anchor)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = a;
    def.body_b = b;
    lode_joint_def_anchor_world(&def, anchor, vec(1, 0, 0));
    return lode_joint_create(world, &def);
}

scene scene_create(const lode_world_def *world_def)
{
    lode_world_def defaults = lode_world_def_default();
    lode_shape_def def = lode_shape_def_default();
    scene s = {.world = lode_world_create(world_def ? world_def : &defaults)};
    s.ground = add_body(s.world, LODE_STATIC, 0, 0, 0);
    s.ball = add_body(s.world, LODE_DYNAMIC, 0, 0, (lode_real)0.75);
    s.crate = add_body(s.world, LODE_DYNAMIC, 2, 0, (lode_real)0.75);
    s.rod = add_body(s.world, LODE_DYNAMIC, -4, 0, 3);
    s.plane = lode_shape_create_plane(s.ground, &def, vec(0, 0, 1), 0);
    s.sphere = lode_shape_create_sphere(s.ball, &def, (lode_real)0.5);
    s.box = lode_shape_create_box(s.crate, &def,
                                  vec((lode_real)0.5, (lode_real)0.4, (lode_real)0.3));
    s.bar = lode_shape_create_box(s.rod, &def, vec(1, (lode_real)0.1, (lode_real)0.1));
    def.pose.position = vec((lode_real)0.5, 0, (lode_real)0.25);
    s.lump = lode_shape_create_sphere(s.crate, &def, (lode_real)0.25);
    s.slab = lode_shape_create_box(s.ground, &def, vec(1, 1, (lode_real)0.1));
    s.link = join(s.world, s.ball, s.crate, vec(1, 0, (lode_real)0.75));
    s.hook = join(s.world, s.rod, (lode_body){0}, vec(-5, 0, 3));
    scene_step(&s, 40);
    return s;
}

void scene_step(const scene *s, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(s->world, STEP), LODE_OK);
}

bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

bool near_vec(lode_vec3 a, lode_vec3 b, double tolerance)
{
    return near(a.x, b.x, tolerance) && near(a.y, b.y, tolerance) && near(a.z, b.z, tolerance);
}

/* scene.c: the parts of a scene that do not depend on which scene it is. */
#include "bench/scene.h"

#include "bench/build.h"
#include "bench/tool.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

bench_body *bench_add_body(bench_scene *scene, bench_shape shape, double x, double y, double z)
{
    scene->bodies = bench_grow(scene->bodies, scene->body_count, &scene->body_capacity,
                               sizeof *scene->bodies);
    bench_body *body = &scene->bodies[scene->body_count++];
    *body = (bench_body){.shape = shape,
                         .dynamic = shape != BENCH_PLANE,
                         .collides = true,
                         .density = 1000,
                         .position = {x, y, z},
                         .rotation = {1, 0, 0, 0}};
    return body;
}

bench_body *bench_add_box(bench_scene *scene, double x, double y, double z, double half_x,
                          double half_y, double half_z)
{
    bench_body *body = bench_add_body(scene, BENCH_BOX, x, y, z);
    body->size[0] = half_x;
    body->size[1] = half_y;
    body->size[2] = half_z;
    return body;
}

bench_body *bench_add_sphere(bench_scene *scene, double x, double y, double z, double radius)
{
    bench_body *body = bench_add_body(scene, BENCH_SPHERE, x, y, z);
    body->size[0] = radius;
    return body;
}

bench_body *bench_add_capsule(bench_scene *scene, double x, double y, double z, double radius,
                              double half_length)
{
    bench_body *body = bench_add_body(scene, BENCH_CAPSULE, x, y, z);
    body->size[0] = radius;
    body->size[1] = half_length;
    return body;
}

void bench_add_ground(bench_scene *scene)
{
    bench_add_body(scene, BENCH_PLANE, 0, 0, 0);
}

bench_joint *bench_add_joint(bench_scene *scene, int body_a, int body_b)
{
    scene->joints = bench_grow(scene->joints, scene->joint_count, &scene->joint_capacity,
                               sizeof *scene->joints);
    bench_joint *joint = &scene->joints[scene->joint_count++];
    *joint = (bench_joint){.body_a = body_a, .body_b = body_b};
    for (int i = 0; i < 3; ++i)
        joint->anchor[i] = 0.5 *
                           (scene->bodies[body_a].position[i] + scene->bodies[body_b].position[i]);
    return joint;
}

void bench_scene_free(bench_scene *scene)
{
    free(scene->bodies);
    free(scene->joints);
    *scene = (bench_scene){0};
}

static double sphere_mass(const bench_body *body, double out_inertia[3])
{
    double r = body->size[0], mass = body->density * 4.0 / 3.0 * PI * r * r * r;
    for (int i = 0; i < 3; ++i)
        out_inertia[i] = 0.4 * mass * r * r;
    return mass;
}

static double box_mass(const bench_body *body, double out_inertia[3])
{
    const double *s = body->size;
    double mass = body->density * 8 * s[0] * s[1] * s[2];
    for (int i = 0; i < 3; ++i) {
        double u = s[(i + 1) % 3], v = s[(i + 2) % 3];
        out_inertia[i] = mass * (u * u + v * v) / 3;
    }
    return mass;
}

/* A cylinder and two halves of a sphere, whose centres of mass lie 3/8 r beyond its ends. */
static double capsule_mass(const bench_body *body, double out_inertia[3])
{
    double r = body->size[0], length = 2 * body->size[1];
    double tube = body->density * PI * r * r * length;
    double caps = body->density * 4.0 / 3.0 * PI * r * r * r;
    out_inertia[0] = tube * (length * length / 12 + r * r / 4) +
                     caps * (0.4 * r * r + length * length / 4 + 0.375 * length * r);
    out_inertia[1] = out_inertia[0];
    out_inertia[2] = 0.5 * tube * r * r + 0.4 * caps * r * r;
    return tube + caps;
}

double bench_body_mass(const bench_body *body, double out_inertia[3])
{
    static double (*const masses[])(const bench_body *, double[3]) = {
        [BENCH_SPHERE] = sphere_mass, [BENCH_BOX] = box_mass, [BENCH_CAPSULE] = capsule_mass};
    for (int i = 0; i < 3; ++i)
        out_inertia[i] = 0;
    return body->dynamic ? masses[body->shape](body, out_inertia) : 0;
}

int bench_joint_rows(const bench_scene *scene)
{
    static const int rows[] = {[BENCH_BALL] = 3, [BENCH_HINGE] = 5};
    int sum = 0;
    for (int i = 0; i < scene->joint_count; ++i)
        sum += rows[scene->joints[i].type];
    return sum;
}

int bench_moving_bodies(const bench_scene *scene)
{
    int count = 0;
    for (int i = 0; i < scene->body_count; ++i)
        count += scene->bodies[i].dynamic;
    return count;
}

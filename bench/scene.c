/* scene.c: the parts of a scene that do not depend on which scene it is. */
#include "bench/scene.h"

#include "bench/build.h"
#include "bench/tool.h"

#include <stdlib.h>

bench_body *bench_add_body(bench_scene *scene, bench_shape shape, double x, double y, double z)
{
    scene->bodies = bench_grow(scene->bodies, scene->body_count, &scene->body_capacity,
                               sizeof *scene->bodies);
    bench_body *body = &scene->bodies[scene->body_count++];
    *body = (bench_body){.shape = shape, .dynamic = shape != BENCH_PLANE, .collides = true,
                         .density = 1000, .position = {x, y, z}, .rotation = {1, 0, 0, 0}};
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

void bench_add_joint(bench_scene *scene, int body_a, int body_b)
{
    scene->joints = bench_grow(scene->joints, scene->joint_count, &scene->joint_capacity,
                               sizeof *scene->joints);
    bench_joint *joint = &scene->joints[scene->joint_count++];
    *joint = (bench_joint){.body_a = body_a, .body_b = body_b};
    for (int i = 0; i < 3; ++i)
        joint->anchor[i] = 0.5 * (scene->bodies[body_a].position[i] +
                                  scene->bodies[body_b].position[i]);
}

void bench_scene_free(bench_scene *scene)
{
    free(scene->bodies);
    free(scene->joints);
    *scene = (bench_scene){0};
}

double bench_body_mass(const bench_body *body, double out_inertia[3])
{
    const double *s = body->size;
    double mass = 0;
    for (int i = 0; i < 3; ++i)
        out_inertia[i] = 0;
    if (!body->dynamic)
        return 0;
    if (body->shape == BENCH_SPHERE) {
        mass = body->density * 4.0 / 3.0 * 3.14159265358979323846 * s[0] * s[0] * s[0];
        for (int i = 0; i < 3; ++i)
            out_inertia[i] = 0.4 * mass * s[0] * s[0];
    } else {
        mass = body->density * 8 * s[0] * s[1] * s[2];
        for (int i = 0; i < 3; ++i) {
            double u = s[(i + 1) % 3], v = s[(i + 2) % 3];
            out_inertia[i] = mass * (u * u + v * v) / 3;
        }
    }
    return mass;
}

/* scene_joints.c: joints without contacts. */
#include "bench/build.h"

/* A net that hangs from its upper edge. The spheres do not collide: joints are all there is. */
void bench_build_joint_grid(bench_scene *scene)
{
    enum { SIDE = 60 };
    for (int row = 0; row < SIDE; ++row)
        for (int column = 0; column < SIDE; ++column) {
            bench_body *body = bench_add_sphere(scene, column, 0, -row, 0.4);
            body->collides = false;
            body->dynamic = row > 0;
            if (row > 0)
                bench_add_joint(scene, scene->body_count - 1, scene->body_count - 1 - SIDE);
            if (row > 0 && column > 0)
                bench_add_joint(scene, scene->body_count - 1, scene->body_count - 2);
        }
}

/* A chain that starts level and swings, with a heavy body at its end: what Gauss-Seidel does worst,
 * because the load must travel through every link, and its direction turns all the time. */
static void add_chain(bench_scene *scene, int links, double density, double ratio)
{
    for (int i = 0; i <= links; ++i) {
        bench_body *body = bench_add_box(scene, i, 0, 0, 0.4, 0.1, 0.1);
        body->collides = false;
        body->dynamic = i > 0;
        body->density = i == links ? density * ratio : density;
        if (i > 0)
            bench_add_joint(scene, i, i - 1);
    }
}

void bench_build_chain(bench_scene *scene)
{
    add_chain(scene, 20, 1000, 100);
}

void bench_build_chain_1000(bench_scene *scene)
{
    add_chain(scene, 20, 1000, 1000);
}

/* Five tons on a cable of forty links of a kilogram. */
void bench_build_crane(bench_scene *scene)
{
    add_chain(scene, 40, 1 / 0.032, 5000);
}

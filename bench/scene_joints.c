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

/* A chain that starts level and swings, with a hundred times the mass of a link at its end: what
 * Gauss-Seidel does worst, because the load must travel through every link, and its direction turns
 * all the time. */
void bench_build_chain(bench_scene *scene)
{
    enum { LINKS = 20 };
    for (int i = 0; i <= LINKS; ++i) {
        bench_body *body = bench_add_box(scene, i, 0, 0, 0.4, 0.1, 0.1);
        body->collides = false;
        body->dynamic = i > 0;
        if (i > 0)
            bench_add_joint(scene, i, i - 1);
    }
    scene->bodies[LINKS].density *= 100;
}

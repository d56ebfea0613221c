/* scene_joints.c: joints without contacts. */
#include "bench/build.h"

#include <math.h>
#include <string.h>

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

/* Twenty planks of ten kilograms that sag between two banks, and crates of half a ton that fall
 * onto them. Straight ones could not sag, whatever they bore. */
void bench_build_bridge(bench_scene *scene)
{
    enum { PLANKS = 20 };
    const double bend = 0.05; /* of a plank against the next, rad */
    double at[3] = {0};
    bench_body *bank = bench_add_box(scene, -0.5, 0, 0, 0.5, 0.9, 0.05);
    bank->dynamic = false;
    bank->collides = false;
    for (int i = 0; i <= PLANKS; ++i) {
        double angle = bend * ((PLANKS - 1) / 2.0 - i), half = i < PLANKS ? 0.5 : 0;
        double along[3] = {cos(angle), 0, -sin(angle)};
        bench_body *plank = bench_add_box(scene, at[0] + half * along[0], 0,
                                          at[2] + half * along[2], 0.45, 0.9, 0.05);
        plank->rotation[0] = cos(angle / 2);
        plank->rotation[2] = sin(angle / 2);
        plank->density = 125;
        plank->dynamic = plank->collides = i < PLANKS;
        bench_joint *joint = bench_add_joint(scene, i + 1, i);
        memcpy(joint->anchor, at, sizeof at);
        joint->type = BENCH_HINGE;
        joint->axis[1] = 1;
        joint->lo = -3;
        joint->hi = 3;
        for (int k = 0; k < 3; ++k)
            at[k] += 2 * half * along[k];
    }
    for (int i = 0; i < 5; ++i)
        bench_add_box(scene, 5 + 2 * i, 0, 1 + 0.5 * i, 0.5, 0.5, 0.5)->density = 500;
}

/* scene_stacks.c: stacks that must not fall, and boxes on a plate.
 *
 * Neighbours of a layer leave a gap, so that every contact carries load. */
#include "bench/build.h"

/* Cubes of 1 m, `base` of them in the lowest layer, one less in each above. */
static void add_pyramid(bench_scene *scene, int base, double x, double y)
{
    const double spacing = 1.1;
    for (int layer = 0; layer < base; ++layer)
        for (int i = 0; i < base - layer; ++i)
            bench_add_box(scene, x + spacing * (i - 0.5 * (base - 1 - layer)), y, 0.5 + layer, 0.5,
                          0.5, 0.5);
}

void bench_build_pyramid(bench_scene *scene)
{
    bench_add_ground(scene);
    add_pyramid(scene, 40, 0, 0);
}

void bench_build_pyramids(bench_scene *scene)
{
    bench_add_ground(scene);
    for (int row = 0; row < 10; ++row)
        for (int column = 0; column < 10; ++column)
            add_pyramid(scene, 10, 14 * (column - 4.5), 4 * (row - 4.5));
}

/* Bricks of 1 x 0.5 x 0.5 m, every other layer shifted by a third of a brick, so that the last one
 * of a layer stands by itself. */
void bench_build_wall(bench_scene *scene)
{
    bench_add_ground(scene);
    for (int layer = 0; layer < 10; ++layer)
        for (int i = 0; i < 50; ++i)
            bench_add_box(scene, 1.05 * (i - 24.5) + (layer & 1 ? 1.0 / 6 : -1.0 / 6), 0,
                          0.25 + 0.5 * layer, 0.5, 0.25, 0.25);
}

/* 500 cubes of 1 m on one plate, each beside the next; the plate lies on the ground. A dynamic one
 * is a hub: no two of its contacts can be solved at the same time. */
static void add_platform(bench_scene *scene, bool dynamic)
{
    bench_add_ground(scene);
    bench_add_box(scene, 0, 0, 0.25, 14, 11.5, 0.25)->dynamic = dynamic;
    for (int i = 0; i < 500; ++i)
        bench_add_box(scene, 1.1 * (i % 25 - 12), 1.1 * (i / 25 - 9.5), 1, 0.5, 0.5, 0.5);
}

void bench_build_platform(bench_scene *scene)
{
    add_platform(scene, true);
}

void bench_build_platform_static(bench_scene *scene)
{
    add_platform(scene, false);
}

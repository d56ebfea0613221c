/* scene_terrain.c: a ground of triangles, the hills of bench/terrain.h, and what falls on it. */
#include "bench/build.h"
#include "bench/random.h"
#include "bench/terrain.h"

static void add_hills(bench_scene *scene)
{
    bench_body *ground = bench_add_body(scene, BENCH_MESH, 0, 0, 0);
    ground->mesh = bench_terrain_mesh();
    ground->dynamic = false;
}

/* Three layers, boxes of 20 to 50 cm half extents in any pose. */
void bench_build_boxes_on_mesh(bench_scene *scene)
{
    uint64_t random = 5;
    add_hills(scene);
    for (int i = 0; i < 1500; ++i) {
        double x[2], half[3];
        for (int k = 0; k < 2; ++k)
            x[k] = 2.2 * ((k ? i / 22 % 23 : i % 22) - 10.5) +
                   bench_random_between(&random, -0.2, 0.2);
        for (int k = 0; k < 3; ++k)
            half[k] = bench_random_between(&random, 0.2, 0.5);
        bench_body *body = bench_add_box(scene, x[0], x[1], 4 + 2 * (i / 506), half[0], half[1],
                                         half[2]);
        bench_random_rotation(&random, body->rotation);
    }
}

void bench_build_ragdolls_on_mesh(bench_scene *scene)
{
    uint64_t random = 6;
    add_hills(scene);
    for (int i = 0; i < 200; ++i) {
        const double middle[3] = {3.4 * (i % 14 - 6.5), 3.4 * (i / 14 - 6.5), 4};
        double rotation[4];
        bench_random_rotation(&random, rotation);
        bench_add_ragdoll(scene, middle, rotation);
    }
}

/* scene_piles.c: heaps, which are chaotic: contacts come and go in any pose. */
#include "bench/build.h"
#include "bench/random.h"

/* Four static walls around the origin, `inner` m apart. */
static void add_pit(bench_scene *scene, double inner, double height)
{
    const double thick = 0.5, far = 0.5 * inner + thick, wide = 0.5 * inner + 2 * thick;
    const double place[4][2] = {{far, 0}, {-far, 0}, {0, far}, {0, -far}};
    for (int i = 0; i < 4; ++i) {
        double half_x = i < 2 ? thick : wide, half_y = i < 2 ? wide : thick;
        bench_add_box(scene, place[i][0], place[i][1], 0.5 * height, half_x, half_y, 0.5 * height)
            ->dynamic = false;
    }
}

void bench_build_box_pile(bench_scene *scene)
{
    uint64_t random = 1;
    bench_add_ground(scene);
    for (int layer = 0; layer < 20; ++layer)
        for (int i = 0; i < 100; ++i) {
            double x = 1.5 * (i % 10 - 4.5) + bench_random_between(&random, -0.2, 0.2);
            double y = 1.5 * (i / 10 - 4.5) + bench_random_between(&random, -0.2, 0.2);
            bench_body *body = bench_add_box(scene, x, y, 1 + 1.5 * layer, 0.5, 0.5, 0.5);
            bench_random_rotation(&random, body->rotation);
        }
}

void bench_build_sphere_pile(bench_scene *scene)
{
    uint64_t random = 2;
    bench_add_ground(scene);
    add_pit(scene, 22, 20);
    for (int layer = 0; layer < 10; ++layer)
        for (int i = 0; i < 400; ++i) {
            double x = 1.08 * (i % 20 - 9.5) + bench_random_between(&random, -0.03, 0.03);
            double y = 1.08 * (i / 20 - 9.5) + bench_random_between(&random, -0.03, 0.03);
            bench_add_sphere(scene, x, y, 0.6 + 1.1 * layer, 0.5);
        }
}

/* Cubes, spheres and capsules of about the same size in turn. */
void bench_build_mixed_pile(bench_scene *scene)
{
    uint64_t random = 3;
    bench_add_ground(scene);
    add_pit(scene, 20, 20);
    for (int i = 0; i < 3000; ++i) {
        int place = i % 225;
        double x = 1.3 * (place % 15 - 7) + bench_random_between(&random, -0.05, 0.05);
        double y = 1.3 * (place / 15 - 7) + bench_random_between(&random, -0.05, 0.05);
        double z = 1 + 1.3 * (i / 225);
        bench_body *body = i % 3 == 0   ? bench_add_box(scene, x, y, z, 0.35, 0.35, 0.35)
                           : i % 3 == 1 ? bench_add_sphere(scene, x, y, z, 0.45)
                                        : bench_add_capsule(scene, x, y, z, 0.3, 0.3);
        bench_random_rotation(&random, body->rotation);
    }
}

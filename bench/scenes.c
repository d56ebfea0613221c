/* scenes.c: the benchmark's scenes.
 *
 * Each stands for a load that real worlds put on an engine: stacks that must not fall (pyramid,
 * pyramids, wall), heaps with many islands' worth of chaos (box_pile, sphere_pile), and joints
 * without contacts (joint_grid). Sizes are those that benchmarks of this field commonly use.
 *
 * Stacked boxes leave a gap between neighbours of a layer, so every contact carries load. Random
 * numbers come from a generator of this file (Steele, Lea and Flood 2014, "Fast splittable
 * pseudorandom number generators"), so a scene is the same everywhere.
 *
 * Bounds. A stack may not lose a box, and its kinetic energy may be that of all boxes at 0.1 m/s;
 * a heap is chaotic, so only penetration tells a good simulation from a bad one. Penetration may
 * be 3 % of a box in a stack, 10 % where boxes fall; a joint may part by a tenth of its length. */
#include "bench/build.h"
#include "bench/scene.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double random_unit(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double random_between(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * random_unit(state);
}

/* Uniform over all rotations: a point of the unit 4-ball, pushed to its surface. */
static void random_rotation(uint64_t *state, double out_rotation[4])
{
    double length2;
    do {
        length2 = 0;
        for (int i = 0; i < 4; ++i) {
            out_rotation[i] = random_between(state, -1, 1);
            length2 += out_rotation[i] * out_rotation[i];
        }
    } while (length2 > 1 || length2 < 0.01);
    for (int i = 0; i < 4; ++i)
        out_rotation[i] /= sqrt(length2);
}

static void add_ground(bench_scene *scene)
{
    bench_add_body(scene, BENCH_PLANE, 0, 0, 0);
}

/* Cubes of 1 m, `base` of them in the lowest layer, one less in each above. */
static void add_pyramid(bench_scene *scene, int base, double x, double y)
{
    const double spacing = 1.1;
    for (int layer = 0; layer < base; ++layer)
        for (int i = 0; i < base - layer; ++i)
            bench_add_box(scene, x + spacing * (i - 0.5 * (base - 1 - layer)), y, 0.5 + layer, 0.5,
                          0.5, 0.5);
}

static void build_pyramid(bench_scene *scene)
{
    add_ground(scene);
    add_pyramid(scene, 40, 0, 0);
}

static void build_pyramids(bench_scene *scene)
{
    add_ground(scene);
    for (int row = 0; row < 10; ++row)
        for (int column = 0; column < 10; ++column)
            add_pyramid(scene, 10, 14 * (column - 4.5), 4 * (row - 4.5));
}

/* Bricks of 1 x 0.5 x 0.5 m, every other layer shifted by a third of a brick, so that the last one
 * of a layer stands by itself. */
static void build_wall(bench_scene *scene)
{
    add_ground(scene);
    for (int layer = 0; layer < 10; ++layer)
        for (int i = 0; i < 50; ++i)
            bench_add_box(scene, 1.05 * (i - 24.5) + (layer & 1 ? 1.0 / 6 : -1.0 / 6), 0,
                          0.25 + 0.5 * layer, 0.5, 0.25, 0.25);
}

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

static void build_box_pile(bench_scene *scene)
{
    uint64_t random = 1;
    add_ground(scene);
    for (int layer = 0; layer < 20; ++layer)
        for (int i = 0; i < 100; ++i) {
            double x = 1.5 * (i % 10 - 4.5) + random_between(&random, -0.2, 0.2);
            double y = 1.5 * (i / 10 - 4.5) + random_between(&random, -0.2, 0.2);
            bench_body *body = bench_add_box(scene, x, y, 1 + 1.5 * layer, 0.5, 0.5, 0.5);
            random_rotation(&random, body->rotation);
        }
}

static void build_sphere_pile(bench_scene *scene)
{
    uint64_t random = 2;
    add_ground(scene);
    add_pit(scene, 22, 20);
    for (int layer = 0; layer < 10; ++layer)
        for (int i = 0; i < 400; ++i) {
            double x = 1.08 * (i % 20 - 9.5) + random_between(&random, -0.03, 0.03);
            double y = 1.08 * (i / 20 - 9.5) + random_between(&random, -0.03, 0.03);
            bench_add_sphere(scene, x, y, 0.6 + 1.1 * layer, 0.5);
        }
}

/* A net that hangs from its upper edge. The spheres do not collide: joints are all there is. */
static void build_joint_grid(bench_scene *scene)
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

typedef struct scene_row {
    const char *name;
    void (*build)(bench_scene *scene);
    int warmup_steps, steps;
    bench_bounds bounds;
    const char *summary;
} scene_row;

static const scene_row scenes[] = {
    /* name        build          warm-up steps  penetration separation energy displaced */
    {"pyramid", build_pyramid, 60, 120, {0.03, -1, 4100, 0}, "820 boxes, one pyramid of base 40"},
    {"pyramids", build_pyramids, 60, 120, {0.03, -1, 27500, 0}, "5,500 boxes, 100 of base 10"},
    {"wall", build_wall, 60, 120, {0.03, -1, 625, 0}, "500 bricks, 10 layers of 50"},
    {"box_pile", build_box_pile, 180, 120, {0.1, -1, -1, -1}, "2,000 boxes fall into a heap"},
    {"sphere_pile", build_sphere_pile, 120, 120, {0.1, -1, -1, -1}, "4,000 spheres fill a pit"},
    {"joint_grid", build_joint_grid, 60, 120, {-1, 0.1, -1, -1}, "60 x 60 spheres, ball joints"},
};

int bench_scene_count(void)
{
    return (int)(sizeof scenes / sizeof scenes[0]);
}

const char *bench_scene_name(int index)
{
    return scenes[index].name;
}

const char *bench_scene_summary(int index)
{
    return scenes[index].summary;
}

int bench_scene_find(const char *name)
{
    for (int i = 0; i < bench_scene_count(); ++i)
        if (strcmp(scenes[i].name, name) == 0)
            return i;
    return -1;
}

void bench_scene_build(int index, bench_scene *out_scene)
{
    const scene_row *row = &scenes[index];
    *out_scene = (bench_scene){.name = row->name,
                               .summary = row->summary,
                               .warmup_steps = row->warmup_steps,
                               .steps = row->steps,
                               .bounds = row->bounds,
                               .gravity = {0, 0, -9.81},
                               .friction = 0.6};
    row->build(out_scene);
}

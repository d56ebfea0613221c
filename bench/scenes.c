/* scenes.c: the benchmark's scenes.
 *
 * Each stands for a load that real worlds put on an engine: stacks that must not fall (pyramid,
 * pyramids, wall), one body that touches all others (platform, and its twin to compare with), heaps
 * with many islands' worth of chaos (box_pile, sphere_pile, mixed_pile), joints without contacts
 * (joint_grid, chain, crane, four_bars, stewart), both at once (ragdolls, bridge, belt), and a
 * ground of triangles in place of a plane (boxes_on_mesh, ragdolls_on_mesh). Sizes are those that
 * benchmarks of this field commonly use.
 *
 * Bounds. A stack may not lose a box, and its kinetic energy may be that of all boxes at 0.1 m/s;
 * a heap is chaotic, so only penetration tells a good simulation from a bad one. Penetration may
 * be 3 % of a box in a stack, 10 % where boxes fall; a joint may part by a tenth of its length.
 * Ragdolls are thin and get entangled: 3 cm deep, 3 cm apart, a hinge 0.2 rad beyond its limits,
 * which is what libode reaches and some ten times what Lode does. Nothing may sink into a ground of
 * triangles: not by half its thickness, and after any number of steps.
 * Machines are judged by their joints alone, a millimetre: peers lose what lies on them.
 *
 * Noise. A heap's deepest penetration is the extreme of some ten thousand contacts at one moment:
 * from one step of a run to the next it can double, in every engine; its median over a few moments,
 * which is judged, does not, but is not steady either. So Lode counts as worse than libode there
 * only beyond one and a half times its value, and among ragdolls too.
 *
 * Jams. A limb that falls into another figure's elbow or knee as this stretches, or an elbow that
 * turns into its own figure's chest, which its upper arm does not touch, is between what it should
 * lie beside: joint and contacts ask for opposite things, and the joint is 5 to 14 cm apart until
 * it slips off, in every engine. So one ragdoll's joint in a thousand is not judged.
 *
 * The tall pyramid sags and rises as a whole at first, for a second and a half with a kinetic
 * energy above libode's at the end. Its warm-up is three times as long for that. */
#include "bench/build.h"
#include "bench/scene.h"

#include <string.h>

#define JAMMED 0.001

typedef struct scene_row {
    const char *name;
    void (*build)(bench_scene *scene);
    int warmup_steps, steps;
    bool timed;
    const char *twin;
    double bounds[BENCH_QUALITIES];
    double noise, jammed;
    const char *summary;
} scene_row;

/* clang-format off */
static const scene_row scenes[] = {
    /* name              builder                      warm-up steps timed twin
     *      bounds: penetration separation angle kinetic displaced sunk    noise jammed summary */
    {"pyramid",         bench_build_pyramid,         180, 120, true,  NULL,
            {0.03, -1, -1, 4100, 0, -1}, 1, 0, "820 boxes, one pyramid of base 40"},
    {"pyramids",        bench_build_pyramids,         60, 120, true,  NULL,
            {0.03, -1, -1, 27500, 0, -1}, 1, 0, "5,500 boxes, 100 of base 10"},
    {"wall",            bench_build_wall,             60, 120, true,  NULL,
            {0.03, -1, -1, 625, 0, -1}, 1, 0, "500 bricks, 10 layers of 50"},
    {"platform_static", bench_build_platform_static,  60, 120, true,  NULL,
            {0.03, -1, -1, 2500, 0, -1}, 1, 0, "500 boxes on a static plate"},
    {"platform",        bench_build_platform,         60, 120, true,  "platform_static",
            {0.03, -1, -1, 2500, 0, -1}, 1, 0, "500 boxes on one dynamic plate"},
    {"box_pile",        bench_build_box_pile,        180, 120, true,  NULL,
            {0.1, -1, -1, -1, -1, -1}, 1.5, 0, "2,000 boxes fall into a heap"},
    {"sphere_pile",     bench_build_sphere_pile,     120, 120, true,  NULL,
            {0.1, -1, -1, -1, -1, -1}, 1.5, 0, "4,000 spheres fill a pit"},
    {"mixed_pile",      bench_build_mixed_pile,      180, 120, true,  NULL,
            {0.09, -1, -1, -1, -1, -1}, 1.5, 0, "3,000 boxes, spheres and capsules fill a pit"},
    {"joint_grid",      bench_build_joint_grid,       60, 120, true,  NULL,
            {-1, 0.1, -1, -1, -1, -1}, 1, 0, "60 x 60 spheres, ball joints"},
    {"ragdolls",        bench_build_ragdolls,        120, 120, true,  NULL,
            {0.03, 0.03, 0.2, -1, -1, -1}, 1.5, JAMMED, "200 ragdolls of 11 capsules fall"},
    {"boxes_on_mesh",   bench_build_boxes_on_mesh,   180, 120, true,  NULL,
            {0.1, -1, -1, -1, -1, 0}, 1.5, 0, "1,500 boxes fall on hills of 8,192 triangles"},
    {"ragdolls_on_mesh", bench_build_ragdolls_on_mesh, 180, 120, true,  NULL,
            {0.03, 0.03, 0.2, -1, -1, 0}, 1.5, JAMMED, "200 ragdolls fall on these hills"},
    {"chain",           bench_build_chain,           120, 480, false, NULL,
            {-1, 0.1, -1, -1, -1, -1}, 1, 0, "20 links, 100 times their mass at the end; quality only"},
    {"chain_1000",      bench_build_chain_1000,      120, 480, false, NULL,
            {-1, 0.001, -1, -1, -1, -1}, 1, 0, "the same with 1,000 times their mass"},
    {"crane",           bench_build_crane,           120, 480, false, NULL,
            {-1, 0.001, -1, -1, -1, -1}, 1, 0, "40 links of 1 kg bear 5 t; quality only"},
    {"bridge",          bench_build_bridge,          120, 480, false, NULL,
            {-1, 0.001, -1, -1, -1, -1}, 1, 0, "20 planks of 20 kg bear crates; quality only"},
    {"belt",            bench_build_belt,            120, 480, false, NULL,
            {-1, 0.001, -1, -1, -1, -1}, 1, 0, "40 plates around two wheels, driven; quality only"},
    {"four_bars",       bench_build_four_bars,       120, 480, false, NULL,
            {-1, 0.001, -1, -1, -1, -1}, 1, 0, "a four-bar linkage, driven; quality only"},
    {"stewart",         bench_build_stewart,         120, 480, false, NULL,
            {-1, 0.001, -1, -1, -1, -1}, 1, 0, "a ton on six legs, lifted by cranks; quality only"},
};
/* clang-format on */

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
                               .timed = row->timed,
                               .twin = row->twin,
                               .noise = row->noise,
                               .jammed = row->jammed,
                               .gravity = {0, 0, -9.81},
                               .friction = 0.6};
    memcpy(out_scene->bounds, row->bounds, sizeof row->bounds);
    row->build(out_scene);
}

/* rays.c: how many rays a second, for the closest hit among 10,000 boxes and on a mesh of 32,000
 * triangles; and how many boxes that are pushed along such rays.
 *
 * The boxes are turned at random and fill 5 % of a cube of 60 m; the mesh is a hilly ground of the
 * same width. Scattered rays begin and lead anywhere, those at the mesh from above it downwards;
 * rays of a picture begin at one place and run side by side, neighbours in the array. All engines
 * cast the same rays, in rounds that take turns; what counts is the median of an engine's rounds. A
 * round's rays are cast twice and timed the second time, so that none is measured while it brings
 * back into the caches what another pushed out. Where libode takes a second for all it casts a few.
 *
 * What rays hit is judged by a look at every box and triangle in double (ray_oracle.h): Lode must
 * be right for each of the first 200, to a tenth of a millimetre; how far the others are off is
 * told. Bullet is off by centimetres for one ray in ten: all of these it stops too early, before
 * the box or at one that the ray passes by as near, as a search does that ends within a margin. */
#include "bench/rays.h"

#include "bench/build.h"
#include "bench/engine.h"
#include "bench/random.h"
#include "bench/ray_oracle.h"
#include "bench/stats.h"
#include "bench/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOXES = 10000, SQUARES = 127, RAYS = 1 << 14, ROUNDS = 9, CHECKED = 200 };

#define SPAN 30.0
#define LENGTH 60.0

/* How much farther than the oracle says counts as wrong, m. */
#define WRONG 0.01

/* Bullet stops pushed boxes within margins of its own, and passes over what they overlap at first:
 * how far distances of pushed boxes may differ, m, and the share that may differ by more. */
#define PUSHED_ALIKE 0.15
#define PUSHED_OTHERWISE 0.05

typedef int cast_fn(void *world, const bench_ray *rays, int count, double *out_distances);

typedef struct caster {
    const char *name;
    const bench_engine *engine;
    cast_fn *cast;
    int count; /* rays in a round */
    void *world;
    double rates[ROUNDS];
    double distances[RAYS];
} caster;

static void build_boxes(bench_scene *scene)
{
    uint64_t random = 7;
    for (int i = 0; i < BOXES; ++i) {
        double x[3], half[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = bench_random_between(&random, -SPAN, SPAN);
            half[k] = bench_random_between(&random, 0.2, 0.8);
        }
        bench_body *body = bench_add_box(scene, x[0], x[1], x[2], half[0], half[1], half[2]);
        bench_random_rotation(&random, body->rotation);
        body->dynamic = false;
    }
}

static void build_ground(bench_scene *scene)
{
    static float vertices[(SQUARES + 1) * (SQUARES + 1)][3];
    static unsigned triangles[2 * SQUARES * SQUARES][3];
    static bench_mesh mesh = {vertices, triangles, (SQUARES + 1) * (SQUARES + 1),
                              2 * SQUARES * SQUARES};
    const unsigned row = SQUARES + 1;
    for (unsigned i = 0; i < row * row; ++i) {
        double x = SPAN * (2.0 * (i % row) / SQUARES - 1),
               y = SPAN * (2.0 * (i / row) / SQUARES - 1);
        vertices[i][0] = (float)x;
        vertices[i][1] = (float)y;
        vertices[i][2] = (float)(3 * sin(x * 0.3) * cos(y * 0.23) + 0.4 * sin(x * 1.7 + y * 2.1));
    }
    for (unsigned i = 0; i < SQUARES * SQUARES; ++i) {
        unsigned a = i / SQUARES * row + i % SQUARES, c = a + row + 1;
        const unsigned pair[2][3] = {{a, a + 1, c}, {a, c, a + row}};
        memcpy(triangles[(size_t)2 * i], pair, sizeof pair);
    }
    bench_body *body = bench_add_body(scene, BENCH_MESH, 0, 0, 0);
    body->mesh = &mesh;
    body->dynamic = false;
}

static void aim(bench_ray *ray)
{
    double *d = ray->direction, length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int k = 0; k < 3; ++k)
        d[k] /= length;
    ray->length = LENGTH;
}

static void scatter(bench_ray *rays)
{
    uint64_t random = 8;
    for (int i = 0; i < RAYS; ++i) {
        for (int k = 0; k < 3; ++k) {
            rays[i].origin[k] = bench_random_between(&random, -SPAN, SPAN);
            rays[i].direction[k] = bench_random_between(&random, -1, 1);
        }
        aim(&rays[i]);
    }
}

/* Pixels of a square picture, in tiles of four by two. */
static void take_picture(bench_ray *rays)
{
    const int side = 128;
    for (int i = 0; i < RAYS; ++i) {
        int tile = i / 8, x = tile % (side / 4) * 4 + i % 4, y = tile / (side / 4) * 2 + i / 4 % 2;
        rays[i] = (bench_ray){.origin = {-SPAN, -SPAN, -SPAN},
                              .direction = {1, 0.4 + 1.2 * x / side, 0.4 + 1.2 * y / side}};
        aim(&rays[i]);
    }
}

static void scatter_down(bench_ray *rays)
{
    uint64_t random = 9;
    for (int i = 0; i < RAYS; ++i) {
        for (int k = 0; k < 3; ++k) {
            rays[i].origin[k] = bench_random_between(&random, -SPAN * 0.9, SPAN * 0.9);
            rays[i].direction[k] = bench_random_between(&random, -1, 1);
        }
        rays[i].origin[2] = bench_random_between(&random, 5, 15);
        rays[i].direction[2] = -0.7;
        aim(&rays[i]);
    }
}

/* As take_picture(), from above one corner. */
static void take_picture_down(bench_ray *rays)
{
    const int side = 128;
    for (int i = 0; i < RAYS; ++i) {
        int tile = i / 8, x = tile % (side / 4) * 4 + i % 4, y = tile / (side / 4) * 2 + i / 4 % 2;
        rays[i] = (bench_ray){.origin = {-SPAN * 0.8, -SPAN * 0.8, 15},
                              .direction = {1, 0.4 + 1.2 * x / side, -0.4 - 0.8 * y / side}};
        aim(&rays[i]);
    }
}

static double spend(caster *c, const bench_ray *rays, int round)
{
    int first = round * c->count % RAYS;
    first = first + c->count > RAYS ? 0 : first;
    c->cast(c->world, rays + first, c->count, c->distances + first); /* gets warm */
    double begin = bench_now();
    c->cast(c->world, rays + first, c->count, c->distances + first);
    return bench_now() - begin;
}

/* --- who is right */

static int count_checked(const caster *c)
{
    return c->count < CHECKED ? c->count : CHECKED;
}

/* Of rays. Tells how many distances are wrong, and by how much. */
static bool judge_rays(caster *c, const bench_ray *rays, const bench_scene *scene)
{
    int beside = 0, wrong = 0, count = count_checked(c);
    double worst = 0;
    c->cast(c->world, rays, count, c->distances);
    for (int i = 0; i < count; ++i) {
        bench_ray_bounds right = bench_ray_oracle(scene, &rays[i]);
        double off = fmax(right.least - c->distances[i], c->distances[i] - right.most);
        beside += off > 0;
        wrong += off > WRONG;
        worst = fmax(worst, off);
    }
    printf("  %d of %d wrong by more than %g m", wrong, count, WRONG);
    if (worst > 0)
        printf(", the worst by %.2g m", worst);
    if (c->engine != &bench_engine_lode || beside == 0)
        return true;
    fprintf(stderr, "lode-bench: %d of %d rays find a wrong distance with %s\n", beside, count,
            c->name);
    return false;
}

/* Of pushed boxes, whose places only engines know. */
static bool judge_pushes(caster *a, caster *b, const bench_ray *rays)
{
    int differ = 0, count = count_checked(b);
    a->cast(a->world, rays, count, a->distances);
    b->cast(b->world, rays, count, b->distances);
    for (int i = 0; i < count; ++i)
        differ += fabs(a->distances[i] - b->distances[i]) > PUSHED_ALIKE && a->distances[i] > 0;
    if (differ <= PUSHED_OTHERWISE * count + 1)
        return true;
    fprintf(stderr, "lode-bench: %d of %d boxes are stopped elsewhere by %s than by %s\n", differ,
            count, a->name, b->name);
    return false;
}

/* Without a scene boxes are pushed. */
static bool measure(const char *title, caster *casters, int count, const bench_ray *rays,
                    const bench_scene *scene)
{
    bool good = true;
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0; i < count; ++i)
            casters[i].rates[round] = casters[i].count / spend(&casters[i], rays, round);
    printf("%s\n", title);
    double own = 0;
    for (int i = 0; i < count; ++i) {
        double rate = bench_median(casters[i].rates, ROUNDS);
        own = i == 0 ? rate : own;
        printf("  %-20s %10.4f million casts/s %9.4f", casters[i].name, rate / 1e6, rate / own);
        good = (scene ? judge_rays(&casters[i], rays, scene)
                      : i == 0 || judge_pushes(&casters[0], &casters[i], rays)) &&
               good;
        printf("\n");
    }
    return good;
}

static void end_worlds(caster *casters, int count)
{
    for (int i = 0; i < count; ++i)
        casters[i].engine->destroy(casters[i].world);
}

static void make_worlds(caster *casters, int count, const bench_scene *scene)
{
    const bench_options options = {.iterations = 1, .threads = 1};
    for (int i = 0; i < count; ++i) {
        caster *c = &casters[i];
        c->cast = c->cast ? c->cast : c->engine->cast;
        c->world = c->engine->create(scene, &options);
        if (!c->world || !c->engine->step(c->world))
            bench_fail("%s cannot build the world of rays", c->name);
    }
}

static bool push_boxes(const bench_scene *scene, const bench_ray *rays)
{
    static caster pushers[] = {
        {.name = "lode", .engine = &bench_engine_lode, .cast = bench_lode_push, .count = RAYS / 16},
#ifdef BENCH_BULLET_VERSION
        {.name = "bullet", .engine = &bench_engine_bullet, .cast = bench_bullet_push, .count = 256},
#endif
    };
    const int count = sizeof pushers / sizeof pushers[0];
    make_worlds(pushers, count, scene);
    bool good = measure("boxes pushed along scattered rays", pushers, count, rays, NULL);
    end_worlds(pushers, count);
    return good;
}

/* A world, and two ways to cast rays at it. */
typedef struct target {
    const char *title;
    void (*build)(bench_scene *scene);
    void (*scatter)(bench_ray *rays), (*take_picture)(bench_ray *rays);
    bool push;     /* boxes too */
    int ode_count; /* of rays in a round of libode's: as many as others', where it does not take
                      a second for them */
} target;

static bool cast_at(const target *target, bench_ray *rays)
{
    const caster all[] = {
        {.name = "lode", .engine = &bench_engine_lode, .count = RAYS},
        {.name = "lode, in batches",
         .engine = &bench_engine_lode,
         .cast = bench_lode_cast_batch,
         .count = RAYS},
#ifdef BENCH_BULLET_VERSION
        {.name = "bullet", .engine = &bench_engine_bullet, .count = RAYS},
#endif
#ifdef BENCH_ODE_VERSION
        {.name = "ode", .engine = &bench_engine_ode, .count = target->ode_count},
#endif
    };
    static caster casters[sizeof all / sizeof all[0]];
    const int count = sizeof casters / sizeof casters[0];
    bench_scene scene = {.name = "rays"};
    memcpy(casters, all, sizeof all);
    target->build(&scene);
    make_worlds(casters, count, &scene);
    printf("Closest hits %s, one thread\n", target->title);
    target->scatter(rays);
    bool good = measure("scattered rays", casters, count, rays, &scene);
    good = (!target->push || push_boxes(&scene, rays)) && good;
    target->take_picture(rays);
    good = measure("rays of a picture", casters, count, rays, &scene) && good;
    end_worlds(casters, count);
    bench_scene_free(&scene);
    return good;
}

bool bench_rays(void)
{
    static const target targets[] = {
        {"among 10,000 boxes", build_boxes, scatter, take_picture, true, 64},
        {"on a mesh of 32,258 triangles", build_ground, scatter_down, take_picture_down, false,
         RAYS},
    };
    bench_ray *rays = bench_alloc(RAYS, sizeof *rays);
    bool good = true;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; ++i)
        good = cast_at(&targets[i], rays) && good;
    free(rays);
    return good;
}

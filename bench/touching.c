/* touching.c: what it costs to find out where two solids touch.
 *
 * 1,024 pairs of the same two forms, turned at random and pushed into each other by up to 5 cm
 * along the way that parts them first; each pair lies by itself, and poses are the same for all.
 * libode's dCollide takes one pair after another and writes up to four points. Lode does it in
 * five ways: one by one (lode_shape_collide), in batches (lode_world_collide_pairs), in a set whose
 * handles were looked at before (lode_pair_set_collide), the kernel of such a batch alone, and the
 * whole stage of a step, which also asks whether bounds overlap, and writes manifolds with the
 * impulses of the last step. All take turns, and what counts is the
 * median of the ratios of single rounds. */
#include "bench/touching_shapes.h"

#include "bench/random.h"
#include "bench/stats.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 1024, ROW = 32, WARMUP = 5, ROUNDS = 51, REPEATS = 3, HULL_POINTS = 24 };

#define SPACING 4.0 /* m between pairs */
#define DEEPEST 0.05

/* --- the forms */

/* Points spread evenly over a ball of half a metre, along a spiral: all of them are corners. */
static lode_hull *make_hull(void)
{
    lode_real points[3 * HULL_POINTS];
    for (int i = 0; i < HULL_POINTS; ++i) {
        double z = (2 * i + 1.0) / HULL_POINTS - 1, r = sqrt(1 - z * z), turn = 2.399963 * i;
        points[3 * i] = (lode_real)(0.5 * r * cos(turn));
        points[3 * i + 1] = (lode_real)(0.5 * r * sin(turn));
        points[3 * i + 2] = (lode_real)(0.5 * z);
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = points;
    def.point_count = HULL_POINTS;
    return lode_hull_create(&def);
}

static void find_plane(const bench_hull *hull, const unsigned *corners, double plane[4])
{
    const double *p = &hull->points[3 * corners[0]], *q = &hull->points[3 * corners[1]];
    const double *r = &hull->points[3 * corners[2]];
    double u[3], v[3], length = 0;
    for (int k = 0; k < 3; ++k) {
        u[k] = q[k] - p[k];
        v[k] = r[k] - p[k];
    }
    for (int k = 0; k < 3; ++k) {
        plane[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        length += plane[k] * plane[k];
    }
    plane[3] = 0;
    for (int k = 0; k < 3; ++k) {
        plane[k] /= sqrt(length);
        plane[3] += plane[k] * p[k];
    }
}

static void describe_hull(const lode_hull *from, bench_hull *out)
{
    lode_vec3 vertices[HULL_POINTS];
    int corners[HULL_POINTS], faces = lode_hull_get_face_count(from);
    int count = lode_hull_get_vertices(from, vertices, HULL_POINTS);
    *out = (bench_hull){.point_count = (unsigned)count, .plane_count = (unsigned)faces};
    out->points = bench_alloc((size_t)count, 3 * sizeof *out->points);
    out->planes = bench_alloc((size_t)faces, 4 * sizeof *out->planes);
    out->polygons = bench_alloc((size_t)faces, (HULL_POINTS + 1) * sizeof *out->polygons);
    for (int i = 0; i < count; ++i) {
        out->points[3 * i] = (double)vertices[i].x;
        out->points[3 * i + 1] = (double)vertices[i].y;
        out->points[3 * i + 2] = (double)vertices[i].z;
    }
    unsigned *polygon = out->polygons;
    for (int f = 0; f < faces; ++f) {
        int size = lode_hull_get_face(from, f, corners, HULL_POINTS);
        *polygon = (unsigned)size;
        for (int k = 0; k < size; ++k)
            polygon[1 + k] = (unsigned)corners[k];
        find_plane(out, polygon + 1, &out->planes[4 * f]);
        polygon += 1 + size;
    }
}

static void free_hull(bench_hull *hull)
{
    free(hull->points);
    free(hull->planes);
    free(hull->polygons);
}

static void fill_solid(bench_form form, const double place[3], uint64_t *random, bench_solid *out)
{
    for (int k = 0; k < 3; ++k) {
        out->size[k] = bench_random_between(random, 0.2, 0.5);
        out->position[k] = place[k];
    }
    bench_random_rotation(random, out->rotation);
    if (form != FORM_PLANE)
        for (int k = 0; k < 3; ++k)
            out->position[k] += bench_random_between(random, -0.2, 0.2);
}

/* Moves a along the way to part, until the pair is as deep as wanted. */
static void push(bench_touching *pairs, int i, double depth)
{
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    bench_solid *a = &pairs->a[i], *b = &pairs->b[i];
    lode_shape shape_a = bench_make_shape(bench_make_body(world, pairs->form_a, a), pairs->form_a,
                                          a, pairs->shared);
    lode_shape shape_b = bench_make_shape(bench_make_body(world, pairs->form_b, b), pairs->form_b,
                                          b, pairs->shared);
    lode_closest closest;
    if (!lode_shape_find_closest(shape_a, shape_b, &closest))
        bench_fail("Lode cannot tell how deep a pair is");
    double by = -depth - (double)closest.distance;
    a->position[0] += by * (double)closest.normal.x;
    a->position[1] += by * (double)closest.normal.y;
    a->position[2] += by * (double)closest.normal.z;
    lode_world_destroy(world);
}

static void make_pairs(bench_touching *out, const bench_hull *hull)
{
    uint64_t random = 1024;
    out->count = PAIRS;
    out->hull = hull;
    out->a = bench_alloc(PAIRS, sizeof *out->a);
    out->b = bench_alloc(PAIRS, sizeof *out->b);
    for (int i = 0; i < PAIRS; ++i) {
        const double place[3] = {(i % ROW - ROW / 2) * SPACING, (i / ROW - ROW / 2) * SPACING, 0};
        fill_solid(out->form_a, place, &random, &out->a[i]);
        fill_solid(out->form_b, place, &random, &out->b[i]);
        push(out, i, bench_random_between(&random, 0.01, 1) * DEEPEST);
    }
}

static void free_pairs(bench_touching *pairs)
{
    free(pairs->a);
    free(pairs->b);
}

/* --- the table */

static const bench_toucher *const touchers[] = {
#ifdef BENCH_ODE_VERSION
    &bench_toucher_ode,
#endif
    &bench_toucher_each,   &bench_toucher_batch, &bench_toucher_set,
    &bench_toucher_kernel, &bench_toucher_stage,
};

enum { TOUCHERS = sizeof touchers / sizeof touchers[0] };

#ifdef BENCH_ODE_VERSION
enum { PEERS = 1 };
#else
enum { PEERS = 0 };
#endif

/* How many times as fast as dCollide each is to be; 0: nothing is asked. */
static const struct {
    const char *name;
    bench_form a, b;
    double each, batch;
} rows[] = {
    {"sphere-sphere", FORM_SPHERE, FORM_SPHERE, 0, 0},
    {"sphere-plane", FORM_SPHERE, FORM_PLANE, 0, 0},
    {"sphere-box", FORM_SPHERE, FORM_BOX, 1, 4},
    {"sphere-capsule", FORM_SPHERE, FORM_CAPSULE, 0, 0},
    {"box-box", FORM_BOX, FORM_BOX, 1, 4},
    {"box-plane", FORM_BOX, FORM_PLANE, 0, 0},
    {"capsule-capsule", FORM_CAPSULE, FORM_CAPSULE, 1, 4},
    {"capsule-plane", FORM_CAPSULE, FORM_PLANE, 0, 0},
    {"capsule-box", FORM_CAPSULE, FORM_BOX, 1, 4},
    {"cylinder-cylinder", FORM_CYLINDER, FORM_CYLINDER, 0, 0},
    {"cylinder-box", FORM_CYLINDER, FORM_BOX, 0, 0},
    {"cylinder-plane", FORM_CYLINDER, FORM_PLANE, 0, 0},
    {"hull-hull", FORM_HULL, FORM_HULL, 0, 4},
    {"hull-plane", FORM_HULL, FORM_PLANE, 0, 0},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* One way to do one row. */
typedef struct timing {
    void *side; /* null: it cannot */
    double ns[ROUNDS];
    int found, computed;
} timing;

static void time_round(const bench_touching *pairs, timing *times, int round)
{
    for (int t = 0; t < TOUCHERS; ++t) {
        if (!times[t].side)
            continue;
        touchers[t]->touch(times[t].side); /* what the others drove from the caches returns */
        double before = bench_now();
        for (int i = 0; i < REPEATS; ++i)
            touchers[t]->touch(times[t].side);
        int computed = touchers[t]->computed ? touchers[t]->computed(times[t].side) : pairs->count;
        if (round >= 0)
            times[t].ns[round] = 1e9 * (bench_now() - before) / (REPEATS * computed);
    }
}

/* What is asked of this way; 0: nothing. */
static double wanted(int t, int row)
{
    return touchers[t] == &bench_toucher_each  ? rows[row].each
           : touchers[t] == &bench_toucher_set ? rows[row].batch
                                               : 0;
}

static void print_way(const timing *times, int t, int row)
{
    double ns[ROUNDS], ratio[ROUNDS];
    if (!times[t].side) {
        printf(" %9s%8s", "-", PEERS ? "-" : "");
        return;
    }
    memcpy(ns, times[t].ns, sizeof ns); /* medians are found by sorting */
    printf(" %9.1f", bench_median(ns, ROUNDS));
    if (t < PEERS || PEERS == 0)
        return;
    for (int round = 0; round < ROUNDS; ++round)
        ratio[round] = times[0].ns[round] / times[t].ns[round];
    double median = bench_median(ratio, ROUNDS);
    printf(" %5.1fx%s", median, median < wanted(t, row) ? "!" : " ");
}

/* False: Lode has missed a pair. */
static bool run(int row, const bench_touching *pairs)
{
    static timing times[TOUCHERS];
    bool good = true;
    for (int t = 0; t < TOUCHERS; ++t)
        times[t].side = touchers[t]->create(pairs);
    for (int round = -WARMUP; round < ROUNDS; ++round)
        time_round(pairs, times, round);
    printf("%-18s", rows[row].name);
    for (int t = 0; t < TOUCHERS; ++t)
        print_way(times, t, row);
    for (int t = 0; t < TOUCHERS; ++t) {
        if (!times[t].side)
            continue;
        times[t].found = touchers[t]->found(times[t].side);
        times[t].computed = touchers[t]->computed ? touchers[t]->computed(times[t].side)
                                                  : pairs->count;
        good = good && (t < PEERS || times[t].found == times[t].computed);
        if (touchers[t] != &bench_toucher_kernel)
            printf(" %5d", times[t].found);
        touchers[t]->destroy(times[t].side);
    }
    printf("\n");
    fflush(stdout);
    return good;
}

static void print_head(unsigned vertices)
{
    printf(
        "Where two solids touch: ns a pair, one thread, and how many times faster than\n"
        "libode's dCollide (! below what is wanted); %d pairs in the same poses for all, all of\n"
        "which touch; hulls have %u vertices. At the end how many were found to.\n%-18s",
        PAIRS, vertices, "pair");
    for (int t = 0; t < TOUCHERS; ++t)
        printf(t < PEERS || PEERS == 0 ? " %9s" : " %16s ", touchers[t]->name);
    printf("  found\n");
}

bool bench_narrow_phase(void)
{
    bool good = true;
    bench_hull hull;
    lode_hull *shared = make_hull();
    if (!shared)
        bench_fail("Lode cannot make a hull");
    describe_hull(shared, &hull);
    print_head(hull.point_count);
    for (int row = 0; row < ROWS; ++row) {
        bench_touching pairs = {.form_a = rows[row].a, .form_b = rows[row].b, .shared = shared};
        make_pairs(&pairs, &hull);
        if (!run(row, &pairs)) {
            fprintf(stderr, "lode-bench: Lode has missed a pair of %s\n", rows[row].name);
            good = false;
        }
        free_pairs(&pairs);
    }
    free_hull(&hull);
    lode_hull_release(shared);
    return good;
}

/* touching.c: what it costs to find out where two solids touch.
 *
 * 1,024 pairs of the same two forms, turned at random and pushed into each other by up to 5 cm along
 * the way that parts them first; each pair lies by itself. Lode's narrow phase is that of a step: it
 * takes pairs eight at a time, and its time includes the gathering of poses and the writing of
 * manifolds, with the impulses of the last step carried over. libode's dCollide takes one pair after
 * another and writes up to four points. Both take turns, and what counts is the median of the ratios
 * of single rounds. */
#include "bench/touching.h"

#include "bench/engine.h"
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

static lode_vec3 vector(const double v[3])
{
    return (lode_vec3){(lode_real)v[0], (lode_real)v[1], (lode_real)v[2]};
}

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

static lode_shape make_shape(lode_body body, bench_form form, const bench_solid *solid,
                             lode_hull *hull)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real x = (lode_real)solid->size[0], y = (lode_real)solid->size[1];
    switch (form) {
    case FORM_SPHERE:
        return lode_shape_create_sphere(body, &def, x);
    case FORM_BOX:
        return lode_shape_create_box(body, &def, vector(solid->size));
    case FORM_CAPSULE:
        return lode_shape_create_capsule(body, &def, x, y);
    case FORM_CYLINDER:
        return lode_shape_create_cylinder(body, &def, x, y);
    case FORM_HULL:
        return lode_shape_create_hull(body, &def, hull);
    default:
        return lode_shape_create_plane(body, &def, (lode_vec3){0, 0, 1}, 0);
    }
}

static lode_body make_body(lode_world world, bench_form form, const bench_solid *solid)
{
    const double *q = solid->rotation;
    lode_body_def def = lode_body_def_default();
    def.type = form == FORM_PLANE ? LODE_STATIC : LODE_DYNAMIC;
    if (form != FORM_PLANE) {
        def.position = vector(solid->position);
        def.rotation = (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2],
                                   (lode_real)q[3]};
    }
    return lode_body_create(world, &def);
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
static void push(bench_touching *pairs, int i, double depth, lode_hull *hull)
{
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    bench_solid *a = &pairs->a[i], *b = &pairs->b[i];
    lode_shape shape_a = make_shape(make_body(world, pairs->form_a, a), pairs->form_a, a, hull);
    lode_shape shape_b = make_shape(make_body(world, pairs->form_b, b), pairs->form_b, b, hull);
    lode_closest closest;
    if (!lode_shape_find_closest(shape_a, shape_b, &closest))
        bench_fail("Lode cannot tell how deep a pair is");
    double by = -depth - (double)closest.distance;
    a->position[0] += by * (double)closest.normal.x;
    a->position[1] += by * (double)closest.normal.y;
    a->position[2] += by * (double)closest.normal.z;
    lode_world_destroy(world);
}

static void make_pairs(bench_touching *out, const bench_hull *hull, lode_hull *shared)
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
        push(out, i, bench_random_between(&random, 0.01, 1) * DEEPEST, shared);
    }
}

static void free_pairs(bench_touching *pairs)
{
    free(pairs->a);
    free(pairs->b);
}

/* --- Lode */

static lode_hull *shared_hull; /* of all worlds of a run */

static void *lode_create(const bench_touching *pairs)
{
    static const char *const before[] = {"wake", "bounds", "broad phase"};
    lode_world *world = bench_alloc(1, sizeof *world);
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = false;
    *world = lode_world_create(&def);
    for (int i = 0; i < pairs->count; ++i) {
        const bench_solid *solids[2] = {&pairs->a[i], &pairs->b[i]};
        const bench_form forms[2] = {pairs->form_a, pairs->form_b};
        for (int k = 0; k < 2; ++k)
            if ((i == 0 || forms[k] != FORM_PLANE) &&
                !make_shape(make_body(*world, forms[k], solids[k]), forms[k], solids[k],
                            shared_hull)
                     .id)
                bench_fail("Lode cannot make a shape");
    }
    for (int i = 0; i < (int)(sizeof before / sizeof before[0]); ++i)
        if (lode_world_run_stage(*world, before[i], (lode_real)BENCH_DT) != LODE_OK)
            bench_fail("Lode cannot find pairs");
    return world;
}

static void lode_destroy(void *toucher)
{
    lode_world_destroy(*(lode_world *)toucher);
    free(toucher);
}

/* The stage can run again and again. */
static void lode_touch(void *toucher)
{
    if (lode_world_run_stage(*(lode_world *)toucher, "narrow phase", (lode_real)BENCH_DT) !=
        LODE_OK)
        bench_fail("Lode cannot find contacts");
}

/* A step that is complete counts. */
static int lode_found(void *toucher)
{
    lode_world world = *(lode_world *)toucher;
    lode_world_stats stats;
    if (lode_world_run_stage(world, "contact update", (lode_real)BENCH_DT) != LODE_OK ||
        lode_world_solve(world, (lode_real)BENCH_DT) != LODE_OK ||
        lode_world_get_stats(world, &stats) != LODE_OK)
        bench_fail("Lode cannot count");
    return stats.contacts;
}

const bench_toucher bench_toucher_lode = {"lode", lode_create, lode_destroy, lode_touch,
                                          lode_found};

/* --- the table */

static const bench_toucher *const touchers[] = {
    &bench_toucher_lode,
#ifdef BENCH_ODE_VERSION
    &bench_toucher_ode,
#endif
};

enum { TOUCHERS = sizeof touchers / sizeof touchers[0] };

static const struct {
    const char *name;
    bench_form a, b;
} rows[] = {
    {"sphere-sphere", FORM_SPHERE, FORM_SPHERE},
    {"sphere-plane", FORM_SPHERE, FORM_PLANE},
    {"sphere-box", FORM_SPHERE, FORM_BOX},
    {"sphere-capsule", FORM_SPHERE, FORM_CAPSULE},
    {"box-box", FORM_BOX, FORM_BOX},
    {"box-plane", FORM_BOX, FORM_PLANE},
    {"capsule-capsule", FORM_CAPSULE, FORM_CAPSULE},
    {"capsule-plane", FORM_CAPSULE, FORM_PLANE},
    {"capsule-box", FORM_CAPSULE, FORM_BOX},
    {"cylinder-cylinder", FORM_CYLINDER, FORM_CYLINDER},
    {"cylinder-box", FORM_CYLINDER, FORM_BOX},
    {"cylinder-plane", FORM_CYLINDER, FORM_PLANE},
    {"hull-hull", FORM_HULL, FORM_HULL},
    {"hull-plane", FORM_HULL, FORM_PLANE},
};

/* False: Lode has missed a pair. */
static bool run(const char *name, const bench_touching *pairs)
{
    double ns[TOUCHERS][ROUNDS], ratio[ROUNDS];
    void *sides[TOUCHERS];
    int found[TOUCHERS];
    for (int t = 0; t < TOUCHERS; ++t)
        sides[t] = touchers[t]->create(pairs);
    for (int round = -WARMUP; round < ROUNDS; ++round)
        for (int t = 0; t < TOUCHERS; ++t) {
            touchers[t]->touch(sides[t]); /* what the other has driven from the caches returns */
            double before = bench_now();
            for (int i = 0; i < REPEATS; ++i)
                touchers[t]->touch(sides[t]);
            if (round >= 0)
                ns[t][round] = 1e9 * (bench_now() - before) / (REPEATS * pairs->count);
        }
    for (int t = 0; t < TOUCHERS; ++t) {
        found[t] = touchers[t]->found(sides[t]);
        touchers[t]->destroy(sides[t]);
    }
    double rate = 1e3 / bench_median(ns[0], ROUNDS);
    printf("%-18s %12.2f", name, rate);
    for (int t = 1; t < TOUCHERS; ++t) {
        for (int round = 0; round < ROUNDS; ++round)
            ratio[round] = ns[t][round] / ns[0][round];
        printf(" %9.2f %8.1fx faster %9d", 1e3 / bench_median(ns[t], ROUNDS),
               bench_median(ratio, ROUNDS), found[t]);
    }
    printf("\n");
    fflush(stdout);
    return found[0] == pairs->count;
}

bool bench_narrow_phase(void)
{
    bool good = true;
    bench_hull hull;
    shared_hull = make_hull();
    if (!shared_hull)
        bench_fail("Lode cannot make a hull");
    describe_hull(shared_hull, &hull);
    printf("Where %d pairs touch, millions a second, one thread; hulls have %u vertices\n"
           "%-18s %12s",
           PAIRS, hull.point_count, "pair", "lode");
    for (int t = 1; t < TOUCHERS; ++t)
        printf(" %9s %16s %9s", touchers[t]->name, "Lode is", "it found");
    printf("\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        bench_touching pairs = {.form_a = rows[i].a, .form_b = rows[i].b};
        make_pairs(&pairs, &hull, shared_hull);
        if (!run(rows[i].name, &pairs)) {
            fprintf(stderr, "lode-bench: Lode has missed a pair of %s\n", rows[i].name);
            good = false;
        }
        free_pairs(&pairs);
    }
    free_hull(&hull);
    lode_hull_release(shared_hull);
    shared_hull = NULL;
    return good;
}

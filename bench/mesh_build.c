/* mesh_build.c: what making a large triangle mesh costs: hills, as a game's ground is, and
 * triangles strewn at random, which no order of the input helps.
 *
 * Making one is finding neighbours, edges and the tree. A million triangles may take two seconds,
 * and 60 bytes each beyond what the caller holds: that is what a mesh takes that leaves vertices
 * and indices where they are. Memory is what the allocator gave and did not get back. */
#include "bench/mesh_build.h"

#include "bench/random.h"
#include "bench/stats.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 1000, ROWS = 500, TRIANGLES = 2 * COLUMNS * ROWS, RUNS = 3 };
enum { MOST_SECONDS = 2, MOST_BYTES = 60 };

typedef struct soup {
    float *vertices; /* three numbers each */
    int32_t *indices;
    int vertex_count;
} soup;

/* --- the meshes */

static void put_vertex(soup *s, double x, double y, double z)
{
    float *v = s->vertices + 3 * (size_t)s->vertex_count++;
    v[0] = (float)x;
    v[1] = (float)y;
    v[2] = (float)z;
}

/* The height above one square metre is that above any other: bumps of a few metres. */
static double height(int i, int j)
{
    double x = i % 40 / 20.0 - 1, y = j % 30 / 15.0 - 1;
    return 3 * (1 - x * x) * (1 - y * y);
}

static soup make_hills(void)
{
    soup s = {bench_alloc(3 * (COLUMNS + 1) * (ROWS + 1), sizeof(float)),
              bench_alloc(3 * TRIANGLES, sizeof(int32_t)), 0};
    for (int j = 0; j <= ROWS; ++j)
        for (int i = 0; i <= COLUMNS; ++i)
            put_vertex(&s, i, j, height(i, j));
    int32_t *index = s.indices;
    for (int j = 0; j < ROWS; ++j)
        for (int i = 0; i < COLUMNS; ++i) {
            int32_t a = j * (COLUMNS + 1) + i, b = a + 1, c = a + COLUMNS + 1, d = c + 1;
            const int32_t corners[6] = {a, b, c, b, d, c};
            for (int k = 0; k < 6; ++k)
                *index++ = corners[k];
        }
    return s;
}

static soup make_strewn(void)
{
    soup s = {bench_alloc(9 * TRIANGLES, sizeof(float)),
              bench_alloc(3 * TRIANGLES, sizeof(int32_t)), 0};
    uint64_t random = 17;
    for (int k = 0; k < TRIANGLES; ++k) {
        double at[3];
        for (int axis = 0; axis < 3; ++axis)
            at[axis] = bench_random_between(&random, 0, 100);
        for (int corner = 0; corner < 3; ++corner) {
            double x = at[0] + bench_random_between(&random, -1, 1);
            double y = at[1] + bench_random_between(&random, -1, 1);
            double z = at[2] + bench_random_between(&random, -1, 1);
            s.indices[3 * k + corner] = s.vertex_count;
            put_vertex(&s, x, y, z);
        }
    }
    return s;
}

/* --- counting */

static size_t held;

static void *counting_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
    held += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counting_free(void *user, void *memory, size_t size)
{
    (void)user;
    held -= size;
    free(memory);
}

/* Seconds, and bytes a triangle that are held. */
static double make(const soup *s, bool reference, double *out_bytes)
{
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = s->vertices;
    def.vertex_count = s->vertex_count;
    def.double_vertices = false;
    def.indices = s->indices;
    def.triangle_count = TRIANGLES;
    def.reference = reference;
    size_t before = held;
    double begin = bench_now();
    lode_mesh *mesh = lode_mesh_create(&def);
    double seconds = bench_now() - begin;
    if (!mesh)
        bench_fail("cannot make a mesh of %d triangles", TRIANGLES);
    *out_bytes = (double)(held - before) / TRIANGLES;
    lode_mesh_release(mesh);
    return seconds;
}

static bool show(const char *name, const soup *s)
{
    double seconds[RUNS], copied, referred;
    for (int i = 0; i < RUNS; ++i)
        seconds[i] = make(s, false, &copied);
    make(s, true, &referred);
    double median = bench_spread_of(seconds, RUNS).median;
    bool small = referred <= MOST_BYTES;
    printf("%-12s %10.3f%s %14.1f %14.1f%s\n", name, median, median > MOST_SECONDS ? "!" : " ",
           copied, referred, small ? "" : "!");
    return small;
}

bool bench_mesh_build(void)
{
    static const struct {
        const char *name;
        soup (*make)(void);
    } rows[] = {{"hills", make_hills}, {"strewn", make_strewn}};
    const lode_allocator counting = {NULL, counting_alloc, counting_free};
    bool good = lode_set_allocator(&counting) == LODE_OK;
    printf("Making a mesh of %d triangles, %s: time, and bytes a triangle that it holds\n"
           "%-12s %10s %15s %14s\n",
           TRIANGLES, sizeof(lode_real) == sizeof(double) ? "double" : "single", "triangles",
           "seconds", "input copied", "left in place");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        soup s = rows[i].make();
        good = show(rows[i].name, &s) && good;
        free(s.vertices);
        free(s.indices);
    }
    lode_set_allocator(NULL);
    return good;
}

/* test_mesh.c: meshes made from good and bad input: what is refused and why, neighbours, bends,
 * mass, and the tree against looking at every triangle. */
#include "tests/support/test.h"

#include "core/memory.h"
#include "lode/setup.h"
#include "tests/collide/boxes.h"
#include "tests/collide/meshes.h"
#include "tests/support/alloc_fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static mesh_draft draft;
static char last_argument[64];
static lode_status last_status;

static void note_error(void *user, lode_status status, const char *function, const char *argument,
                       const char *message)
{
    (void)user;
    (void)function;
    (void)message;
    last_status = status;
    snprintf(last_argument, sizeof last_argument, "%s", argument ? argument : "");
}

static void refuses(const lode_mesh_def *def, const char *argument)
{
    last_argument[0] = 0;
    assert_null(lode_mesh_create(def));
    assert_int_equal(last_status, LODE_ERROR_ARGUMENT);
    assert_string_equal(last_argument, argument);
}

static lode_mesh_info info_of(const lode_mesh_def *def)
{
    lode_mesh *mesh = lode_mesh_create(def);
    assert_non_null(mesh);
    lode_mesh_info info = lode_mesh_get_info(mesh);
    lode_mesh_release(mesh);
    return info;
}

static void bad_definitions_are_refused_by_name(void **state)
{
    (void)state;
    draft_box(&draft, 1, 1, 1);
    const lode_mesh_def good = draft_def(&draft);
    lode_mesh_def def;
    refuses(NULL, "def");
#define REFUSES(field, value, argument) \
    do { \
        def = good; \
        def.field = value; \
        refuses(&def, argument); \
    } while (0)
    REFUSES(vertices, NULL, "def.vertices");
    REFUSES(vertex_count, 2, "def.vertex_count");
    REFUSES(vertex_count, -1, "def.vertex_count");
    REFUSES(vertex_stride, 11, "def.vertex_stride");
    REFUSES(vertex_stride, -12, "def.vertex_stride");
    REFUSES(indices, NULL, "def.indices");
    REFUSES(triangle_count, 0, "def.triangle_count");
    REFUSES(triangle_count, -3, "def.triangle_count");
    REFUSES(index_stride, 8, "def.index_stride");
    REFUSES(vertex_count, 7, "def.indices");
#undef REFUSES
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k) {
            static const float bad[] = {NAN, INFINITY, -INFINITY, 2e9f, -2e9f};
            for (int b = 0; b < 5; ++b) {
                float old = draft.vertices[i][k];
                draft.vertices[i][k] = bad[b];
                refuses(&good, "def.vertices");
                draft.vertices[i][k] = old;
            }
        }
    draft.indices[11][2] = UINT32_MAX;
    refuses(&good, "def.indices");
}

/* Finite in double, and no float. */
static void doubles_beyond_floats_are_refused(void **state)
{
    (void)state;
    double vertices[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1e300, 0}};
    uint16_t indices[3] = {0, 1, 2};
    lode_mesh_def def = {.abi = LODE_ABI,
                         .vertices = vertices,
                         .vertex_count = 3,
                         .double_vertices = true,
                         .indices = indices,
                         .triangle_count = 1,
                         .short_indices = true};
    refuses(&def, "def.vertices");
    vertices[2][1] = 1;
    assert_int_equal(info_of(&def).open_edge_count, 3);
}

static void what_has_no_area_is_ignored_and_counted(void **state)
{
    (void)state;
    draft_box(&draft, 1, 1, 1);
    draft_triangle(&draft, 0, 0, 1);
    draft_triangle(&draft, 3, 3, 3);
    uint32_t middle = draft_vertex(&draft, 0, -1, -1); /* between 0 and 1 */
    draft_triangle(&draft, 0, middle, 1);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh_info info = info_of(&def);
    assert_int_equal(info.thin_count, 3);
    assert_true(info.closed);
    def.indices = draft.indices[12];
    def.triangle_count = 3;
    refuses(&def, "def.indices");
}

static void repeated_triangles_are_ignored_and_counted(void **state)
{
    (void)state;
    draft_box(&draft, 1, 2, 3);
    for (int i = 0; i < 12; ++i) /* each once more, begun at another corner */
        draft_triangle(&draft, draft.indices[i][1], draft.indices[i][2], draft.indices[i][0]);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh_info info = info_of(&def);
    assert_int_equal(info.repeated_count, 12);
    assert_true(info.closed && !info.inverted);
    lode_mesh *mesh = lode_mesh_create(&def);
    lode_mass mass;
    assert_int_equal(lode_mesh_get_mass(mesh, 1, &mass), LODE_OK);
    assert_true(fabs((double)mass.mass - 48) < 1e-4);
    lode_mesh_release(mesh);
}

static void holes_turned_and_shared_edges_are_counted(void **state)
{
    (void)state;
    draft_box(&draft, 1, 1, 1);
    lode_mesh_def def = draft_def(&draft);
    def.triangle_count = 11;
    lode_mesh_info info = info_of(&def);
    assert_false(info.closed);
    assert_int_equal(info.open_edge_count, 3);
    lode_mesh *mesh = lode_mesh_create(&def);
    lode_mass mass;
    assert_int_equal(lode_mesh_get_mass(mesh, 1, &mass), LODE_ERROR_ARGUMENT);
    assert_string_equal(last_argument, "mesh");
    lode_mesh_release(mesh);

    def = draft_def(&draft);
    uint32_t corner = draft.indices[11][0];
    draft.indices[11][0] = draft.indices[11][1];
    draft.indices[11][1] = corner;
    info = info_of(&def);
    assert_int_equal(info.turned_edge_count, 3);
    assert_false(info.closed);

    draft_box(&draft, 1, 1, 1);
    draft_triangle(&draft, 0, 1, draft_vertex(&draft, 0, -2, -2)); /* a fin */
    def = draft_def(&draft);
    info = info_of(&def);
    assert_int_equal(info.shared_edge_count, 1);
    assert_int_equal(info.open_edge_count, 2);
    assert_false(info.closed);
}

static void a_closed_mesh_inside_out_is_reported(void **state)
{
    (void)state;
    draft_box(&draft, 1, 2, 3);
    for (int i = 0; i < 12; ++i) {
        uint32_t corner = draft.indices[i][0];
        draft.indices[i][0] = draft.indices[i][1];
        draft.indices[i][1] = corner;
    }
    lode_mesh_def def = draft_def(&draft);
    lode_mesh_info info = info_of(&def);
    assert_true(info.closed && info.inverted);
}

/* A sheet with its back closes all edges and encloses nothing. */
static void a_sheet_with_a_back_is_not_closed(void **state)
{
    (void)state;
    draft.vertex_count = draft.triangle_count = 0;
    draft_vertex(&draft, 0, 0, 0);
    draft_vertex(&draft, 1, 0, 0);
    draft_vertex(&draft, 0, 1, 0);
    draft_triangle(&draft, 0, 1, 2);
    draft_triangle(&draft, 0, 2, 1);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh_info info = info_of(&def);
    assert_int_equal(info.repeated_count, 0);
    assert_false(info.closed);
}

/* Nor where rounding leaves a volume of sums that cancel. */
static void sheets_anywhere_are_not_closed(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 300; ++i) {
        int fan = 1 + (int)random_below(&random, 6);
        double size = pow(10, random_between(&random, -3, 3)), v[3];
        draft.vertex_count = draft.triangle_count = 0;
        for (int k = 0; k < fan + 2; ++k) {
            for (int axis = 0; axis < 3; ++axis)
                v[axis] = random_between(&random, -size, size);
            draft_vertex(&draft, v[0], v[1], v[2]);
        }
        for (uint32_t k = 1; k <= (uint32_t)fan; ++k) {
            draft_triangle(&draft, 0, k, k + 1);
            draft_triangle(&draft, 0, k + 1, k);
        }
        lode_mesh_def def = draft_def(&draft);
        assert_false(info_of(&def).closed);
    }
}

/* But what is a hair thick does. */
static void a_thin_plate_is_closed(void **state)
{
    (void)state;
    draft_box(&draft, 500, 500, 0.005);
    lode_mesh_def def = draft_def(&draft);
    assert_true(info_of(&def).closed && !info_of(&def).inverted);
}

/* --- neighbours and bends */

static void each_neighbour_agrees(const lode__mesh *mesh)
{
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        for (int e = 0; e < 3; ++e) {
            uint32_t other = mesh->neighbors[t][e];
            if (other == LODE__NONE)
                continue;
            lode__triangle a = mesh_triangle(mesh, t), b = mesh_triangle(mesh, other >> 2);
            int f = (int)(other & 3);
            assert_int_equal(mesh->neighbors[other >> 2][f], t << 2 | (uint32_t)e);
            assert_int_equal(mesh_edge_kind(mesh, t, e), mesh_edge_kind(mesh, other >> 2, f));
            assert_memory_equal(&a.v[e], &b.v[(f + 1) % 3], sizeof a.v[0]);
            assert_memory_equal(&a.v[(e + 1) % 3], &b.v[f], sizeof a.v[0]);
        }
}

static void count_kinds(const lode__mesh *mesh, int out[4])
{
    memset(out, 0, 4 * sizeof *out);
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        for (int e = 0; e < 3; ++e)
            ++out[mesh_edge_kind(mesh, t, e)];
}

/* A triangle whose edge 0 runs from (0, 0, 0) to (4, 0, 0), and three beyond it, in turn each as
 * wide as said, whose far corners are at these heights. */
static lode_mesh *make_junction(const double ends[4], const double heights[3])
{
    draft.vertex_count = draft.triangle_count = 0;
    uint32_t a = draft_vertex(&draft, 0, 0, 0), b = draft_vertex(&draft, 4, 0, 0);
    draft_triangle(&draft, a, b, draft_vertex(&draft, 2, 3, 0));
    for (int i = 0; i < 3; ++i) {
        uint32_t from = draft_vertex(&draft, ends[i], 0, 0);
        uint32_t to = draft_vertex(&draft, ends[i + 1], 0, 0);
        draft_triangle(&draft, to, from, draft_vertex(&draft, 1 + i, -2, heights[i]));
    }
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    return mesh;
}

/* What the long edge, and what the short ones are like. */
static void expect_junction(const double ends[4], const double heights[3], int kind,
                            const int kinds[3])
{
    lode_mesh *mesh = make_junction(ends, heights);
    assert_int_equal(mesh_edge_kind(mesh, 0, 0), kind);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(mesh_edge_kind(mesh, 1 + i, 0), kinds[i]);
        if (kinds[i] != LODE__EDGE_FREE) {
            assert_int_equal(mesh->neighbors[1 + i][0], 0 << 2 | 0);
            assert_true(lode__mesh_is_junction(mesh, 1 + i, 0));
        }
        for (int e = 1; e < 3; ++e)
            assert_int_equal(mesh_edge_kind(mesh, 1 + i, e), LODE__EDGE_FREE);
    }
    assert_true(kind == LODE__EDGE_FREE || lode__mesh_is_junction(mesh, 0, 0));
    assert_int_equal(mesh->info.open_edge_count, 12);
    lode_mesh_release(mesh);
}

static void edges_along_several_are_what_these_make_them(void **state)
{
    (void)state;
    enum { FREE = LODE__EDGE_FREE, CONVEX, FLAT, CONCAVE };
    const double whole[4] = {0, 1.3, 2.9, 4}, gap[4] = {0, 1.3, 2.9, 3.8};
    const double beyond[4] = {-0.7, 1.3, 2.9, 4.6}, tiny[4] = {1e-6, 1.3, 2.9, 4 - 1e-6};
    const double flat[3] = {0, 0, 0}, down[3] = {-1, -1, -1}, up[3] = {1, 1, 1};
    const double bent[3] = {-1, -0.5, -1}, mixed[3] = {0, 1, 0}, both[3] = {-1, 0, 1};
    expect_junction(whole, flat, FLAT, (int[]){FLAT, FLAT, FLAT});
    expect_junction(tiny, flat, FLAT, (int[]){FLAT, FLAT, FLAT});
    expect_junction(whole, down, CONVEX, (int[]){CONVEX, CONVEX, CONVEX});
    expect_junction(whole, up, CONCAVE, (int[]){CONCAVE, CONCAVE, CONCAVE});
    expect_junction(whole, mixed, CONCAVE, (int[]){FLAT, CONCAVE, FLAT});
    expect_junction(whole, bent, FREE, (int[]){CONVEX, CONVEX, CONVEX});
    expect_junction(whole, both, FREE, (int[]){CONVEX, FLAT, CONCAVE});
    /* a rim remains, on one side or the other */
    expect_junction(gap, flat, FREE, (int[]){FLAT, FLAT, FLAT});
    expect_junction(beyond, flat, FLAT, (int[]){FREE, FLAT, FREE});
}

static void a_box_has_convex_edges_and_flat_diagonals(void **state)
{
    (void)state;
    int kinds[4];
    draft_box(&draft, 1, 1, 1);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    each_neighbour_agrees(mesh);
    count_kinds(mesh, kinds);
    assert_int_equal(kinds[LODE__EDGE_CONVEX], 24);
    assert_int_equal(kinds[LODE__EDGE_FLAT], 12);
    lode_mesh_release(mesh);
}

static double valley(double x, double y)
{
    (void)y;
    return fabs(x);
}

static double ridge(double x, double y)
{
    return -valley(x, y);
}

/* The same grid once with shared vertices and once with three of its own for each triangle. */
static void bends_are_the_same_in_a_soup(void **state)
{
    (void)state;
    static mesh_draft soup;
    double (*const heights[2])(double, double) = {valley, ridge};
    for (int h = 0; h < 2; ++h) {
        int kinds[2][4];
        draft_grid(&draft, 8, 8, heights[h]);
        soup.vertex_count = soup.triangle_count = 0;
        for (int t = 0; t < draft.triangle_count; ++t) {
            uint32_t v[3];
            for (int k = 0; k < 3; ++k) {
                const float *at = draft.vertices[draft.indices[t][k]];
                v[k] = draft_vertex(&soup, (double)at[0], (double)at[1], (double)at[2]);
                if (soup.vertices[v[k]][0] == 0)
                    soup.vertices[v[k]][0] = t % 2 ? -0.0f : 0.0f;
            }
            draft_triangle(&soup, v[0], v[1], v[2]);
        }
        for (int s = 0; s < 2; ++s) {
            lode_mesh_def def = draft_def(s ? &soup : &draft);
            lode_mesh *mesh = lode_mesh_create(&def);
            count_kinds(mesh, kinds[s]);
            assert_int_equal(mesh->info.open_edge_count, 32);
            lode_mesh_release(mesh);
        }
        assert_memory_equal(kinds[0], kinds[1], sizeof kinds[0]);
        assert_int_equal(kinds[0][h ? LODE__EDGE_CONVEX : LODE__EDGE_CONCAVE], 16);
        assert_int_equal(kinds[0][h ? LODE__EDGE_CONCAVE : LODE__EDGE_CONVEX], 0);
    }
}

/* --- mass */

static void a_box_of_triangles_weighs_what_a_box_does(void **state)
{
    (void)state;
    for (int far = 0; far < 2; ++far) {
        draft_box(&draft, 1, 2, 3);
        for (int i = 0; i < 8 && far; ++i)
            draft.vertices[i][0] += 1024;
        lode_mesh_def def = draft_def(&draft);
        lode_mesh *mesh = lode_mesh_create(&def);
        lode_mass m;
        assert_int_equal(lode_mesh_get_mass(mesh, 10, &m), LODE_OK);
        assert_true(fabs((double)m.mass - 480) < 1e-3);
        assert_true(fabs((double)m.center.x - (far ? 1024 : 0)) < 1e-4);
        assert_true(fabs((double)m.inertia[0] - 480 * 13 / 3.0) < 1e-2);
        assert_true(fabs((double)m.inertia[1] - 480 * 10 / 3.0) < 1e-2);
        assert_true(fabs((double)m.inertia[2] - 480 * 5 / 3.0) < 1e-2);
        for (int i = 3; i < 6; ++i)
            assert_true(fabs((double)m.inertia[i]) < 1e-2);
        lode_mesh_release(mesh);
    }
}

/* The corner of a cube: x, y, z >= 0, x + y + z <= 1. Volume 1/6, centre 1/4, int x^2 = 1/60 and
 * int x y = 1/120, so about the centre xx = 2 (1/60 - 1/96), xy = -(1/120 - 1/96). */
static void a_tetrahedron_has_its_exact_moments(void **state)
{
    (void)state;
    draft.vertex_count = draft.triangle_count = 0;
    draft_vertex(&draft, 0, 0, 0);
    draft_vertex(&draft, 1, 0, 0);
    draft_vertex(&draft, 0, 1, 0);
    draft_vertex(&draft, 0, 0, 1);
    draft_triangle(&draft, 0, 2, 1);
    draft_triangle(&draft, 0, 1, 3);
    draft_triangle(&draft, 0, 3, 2);
    draft_triangle(&draft, 1, 2, 3);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_true(fabs(mesh->volume - 1.0 / 6) < 1e-15);
    for (int i = 0; i < 3; ++i) {
        assert_true(fabs(mesh->center[i] - 0.25) < 1e-15);
        assert_true(fabs(mesh->inertia[i] - 2 * (1.0 / 60 - 1.0 / 96)) < 1e-15);
        assert_true(fabs(mesh->inertia[i + 3] + (1.0 / 120 - 1.0 / 96)) < 1e-15);
    }
    lode_mesh_release(mesh);
}

/* --- the tree */

typedef struct seen {
    uint8_t times[40000];
} seen;

static bool see(void *context, uint32_t triangle)
{
    ++((seen *)context)->times[triangle];
    return true;
}

static void walks_find_all(const lode__mesh *mesh, test_random *random, double size)
{
    static seen found;
    for (int q = 0; q < 300; ++q) {
        double width = size * pow(10, random_between(random, -4, 0));
        lode_vec3 lo = v3((lode_real)random_between(random, -size, size),
                          (lode_real)random_between(random, -size, size),
                          (lode_real)random_between(random, -size, size));
        lode_vec3 hi = v3_add(lo, v3((lode_real)width, (lode_real)width, (lode_real)width));
        memset(&found, 0, sizeof found);
        assert_true(lode__mesh_walk(mesh, lo, hi, see, &found));
        for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
            lode__triangle tri = mesh_triangle(mesh, t);
            lode_vec3 a = v3_min(v3_min(tri.v[0], tri.v[1]), tri.v[2]);
            lode_vec3 b = v3_max(v3_max(tri.v[0], tri.v[1]), tri.v[2]);
            bool meets = a.x <= hi.x && a.y <= hi.y && a.z <= hi.z && lo.x <= b.x && lo.y <= b.y &&
                         lo.z <= b.z;
            assert_true(found.times[t] <= 1);
            assert_true(!meets || found.times[t] == 1 || mesh->flags[t] & LODE__TRIANGLE_IGNORED);
        }
    }
}

static void the_tree_finds_every_triangle(void **state)
{
    (void)state;
    test_random random = {7};
    for (int n = 1; n <= 3000; n = n * 3 + 1)
        for (int kind = 0; kind < 4; ++kind) {
            /* spread; all in one place; in a line; at sizes that differ a thousandfold each */
            double size = 10;
            draft.vertex_count = draft.triangle_count = 0;
            for (int t = 0; t < n; ++t) {
                double at[3] = {0, 0, 0},
                       scale = kind == 3 ? pow(10, random_between(&random, -6, 0)) : 1;
                for (int k = 0; k < 3; ++k)
                    at[k] = kind == 1 || (kind == 2 && k > 0)
                                ? 0
                                : random_between(&random, -size, size);
                uint32_t v = (uint32_t)draft.vertex_count;
                for (int c = 0; c < 3; ++c)
                    draft_vertex(&draft, scale * (at[0] + random_between(&random, -1, 1)),
                                 scale * (at[1] + random_between(&random, -1, 1)),
                                 scale * (at[2] + random_between(&random, -1, 1)));
                draft_triangle(&draft, v, v + 1, v + 2);
            }
            lode_mesh_def def = draft_def(&draft);
            lode_mesh *mesh = lode_mesh_create(&def);
            walks_find_all(mesh, &random, size);
            lode_mesh_release(mesh);
        }
}

/* Far away, where floats are a metre apart. */
static void a_mesh_ten_thousand_kilometres_away_is_found(void **state)
{
    (void)state;
    test_random random = {9};
    draft_grid(&draft, 20, 2000, NULL);
    for (int i = 0; i < draft.vertex_count; ++i)
        draft.vertices[i][0] += 1e7f;
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    walks_find_all(mesh, &random, 1.2e7);
    int kinds[4];
    count_kinds(mesh, kinds);
    assert_int_equal(kinds[LODE__EDGE_CONVEX] + kinds[LODE__EDGE_CONCAVE], 0);
    lode_mesh_release(mesh);
}

/* --- rays */

typedef struct heard {
    uint8_t times[40000];
    lode_real closest;
    bool only_closest;
} heard;

static lode_real hear(void *context, const lode__part_hit *hit, lode_real most)
{
    heard *h = context;
    ++h->times[hit->part];
    assert_true(hit->t >= 0 && hit->t <= most && hit->u >= 0 && hit->v >= 0);
    h->closest = r_min(h->closest, hit->t);
    return h->only_closest ? hit->t : most;
}

/* How far inside the triangle the ray passes, in the least of its barycentric coordinates, and
 * where, by Cramer's rule. */
static double inside_by(const lode__triangle *t, const double o[3], const double d[3],
                        double *out_t)
{
    const double a[3] = {(double)t->v[0].x, (double)t->v[0].y, (double)t->v[0].z};
    const double b[3] = {(double)t->v[1].x - a[0], (double)t->v[1].y - a[1],
                         (double)t->v[1].z - a[2]};
    const double c[3] = {(double)t->v[2].x - a[0], (double)t->v[2].y - a[1],
                         (double)t->v[2].z - a[2]};
    const double r[3] = {o[0] - a[0], o[1] - a[1], o[2] - a[2]};
#define DET(x, y, z) \
    (x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) + \
     x[2] * (y[0] * z[1] - y[1] * z[0]))
    double down[3] = {-d[0], -d[1], -d[2]}, det = DET(b, c, down);
    double u = DET(r, c, down) / det, v = DET(b, r, down) / det;
    *out_t = DET(b, c, r) / det;
#undef DET
    return fmin(fmin(u, v), 1 - u - v);
}

static double waves(double x, double y)
{
    return 0.7 * sin(x * 1.3) * cos(y);
}

static void rays_meet_what_they_pass_through(void **state)
{
    (void)state;
    static heard all, one;
    test_random random = {21};
    draft_grid(&draft, 60, 20, waves);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    int hits = 0;
    for (int i = 0; i < 2000; ++i) {
        double o[3], d[3], closest = 1e9;
        for (int k = 0; k < 3; ++k) {
            o[k] = (double)(float)random_between(&random, -10, 10);
            d[k] = i % 5 == k ? 0 : (double)(float)random_between(&random, -1, 1);
        }
        memset(&all, 0, sizeof all);
        memset(&one, 0, sizeof one);
        all.closest = one.closest = REAL_MAX;
        one.only_closest = true;
        lode_vec3 origin = v3((lode_real)o[0], (lode_real)o[1], (lode_real)o[2]);
        lode_vec3 direction = v3((lode_real)d[0], (lode_real)d[1], (lode_real)d[2]);
        lode__mesh_ray(mesh, origin, direction, 25, hear, &all);
        lode__mesh_ray(mesh, origin, direction, 25, hear, &one);
        assert_true(all.closest == one.closest);
        for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
            lode__triangle triangle = mesh_triangle(mesh, t);
            double at, inside = inside_by(&triangle, o, d, &at);
            bool within = at > 1e-6 && at < 25 - 1e-6;
            if (inside > 1e-9 && within) {
                assert_int_equal(all.times[t], 1);
                closest = fmin(closest, at);
                ++hits;
            } else if (!(inside > -1e-9) || at < -1e-6 || at > 25 + 1e-6) {
                assert_int_equal(all.times[t], 0);
            }
        }
        if (closest < 1e9)
            assert_true(fabs((double)one.closest - closest) < 1e-5 * (1 + closest));
    }
    assert_true(hits > 500);
    lode_mesh_release(mesh);
}

/* Straight down on vertices and edges of a flat grid, where two to eight triangles meet. */
static void no_ray_slips_through_an_edge(void **state)
{
    (void)state;
    static heard h;
    test_random random = {22};
    draft_grid(&draft, 50, 10, waves);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    for (int i = 0; i < 20000; ++i) {
        lode__triangle t = mesh_triangle(mesh, random_below(&random, mesh->triangle_count));
        lode_real share = i % 3 ? (lode_real)random_between(&random, 0, 1) : 0;
        lode_vec3 p = v3_madd(t.v[0], v3_sub(t.v[1], t.v[0]), share);
        if (r_abs(p.x) > (lode_real)4.99 || r_abs(p.y) > (lode_real)4.99)
            continue;
        lode_vec3 from = v3(p.x, p.y, 5), down = v3(0, 0, -1);
        if (i % 2) { /* from anywhere above */
            from.x += (lode_real)random_between(&random, -1, 1);
            from.z += 5;
            down = v3_sub(p, from);
        }
        memset(&h, 0, sizeof h);
        h.closest = REAL_MAX;
        lode__mesh_ray(mesh, from, down, 100, hear, &h);
        assert_true(h.closest < 100);
    }
    lode_mesh_release(mesh);
}

/* --- ways to hand it over */

/* Strided, in double, with short indices, by reference: the same mesh. */
static void however_handed_over_it_is_the_same(void **state)
{
    (void)state;
    static struct {
        double pad, x[3];
        int more;
    } vertices[200];
    static struct {
        uint16_t index[3], material;
    } indices[400];
    draft_grid(&draft, 10, 10, valley);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *plain = lode_mesh_create(&def);
    for (int i = 0; i < draft.vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            vertices[i].x[k] = (double)draft.vertices[i][k];
    for (int t = 0; t < draft.triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            indices[t].index[k] = (uint16_t)draft.indices[t][k];
    def.vertices = vertices[0].x;
    def.vertex_stride = sizeof vertices[0];
    def.double_vertices = true;
    def.indices = indices;
    def.index_stride = sizeof indices[0];
    def.short_indices = true;
    for (int reference = 0; reference < 2; ++reference) {
        def.reference = reference;
        lode_mesh *mesh = lode_mesh_create(&def);
        assert_true(mesh->data.hash == plain->data.hash);
        assert_int_equal(mesh->node_count, plain->node_count);
        assert_memory_equal(mesh->nodes, plain->nodes, mesh->node_count * sizeof *mesh->nodes);
        assert_memory_equal(mesh->order, plain->order, mesh->counted * sizeof *mesh->order);
        assert_memory_equal(mesh->flags, plain->flags, mesh->triangle_count);
        assert_true((mesh->own_vertices == NULL) == reference);
        lode_mesh_release(mesh);
    }
    lode_mesh_release(plain);
}

/* However it was handed over: short indices with gaps, vertices in double. */
static void what_it_was_made_of_is_told(void **state)
{
    (void)state;
    static const double vertices[][4] = {
        {0, 0, 0, 9}, {1, 0, 0, 9}, {0, 1, 0, 9}, {0.1, 0.2, 3, 9}};
    static const uint16_t corners[][4] = {{0, 2, 1, 7}, {0, 1, 3, 7}, {0, 3, 2, 7}};
    static const uint8_t materials[] = {3, 0, 255};
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.vertex_stride = sizeof vertices[0];
    def.double_vertices = def.short_indices = def.two_sided = true;
    def.indices = corners;
    def.triangle_count = 3;
    def.index_stride = sizeof corners[0];
    def.materials = materials;
    lode_mesh *mesh = lode_mesh_create(&def);
    lode_vec3 at[5];
    int indices[12];
    uint8_t of[4];
    memset(at, 9, sizeof at);
    memset(indices, 9, sizeof indices);
    memset(of, 9, sizeof of);
    assert_int_equal(lode_mesh_get_vertices(mesh, at, 4), 4);
    assert_int_equal(lode_mesh_get_indices(mesh, indices, 2), 3);
    assert_int_equal(lode_mesh_get_materials(mesh, of, 2), 3);
    for (int v = 0; v < 4; ++v)
        assert_true(at[v].x == (lode_real)vertices[v][0] && at[v].y == (lode_real)vertices[v][1] &&
                    at[v].z == (lode_real)vertices[v][2]);
    for (int k = 0; k < 6; ++k)
        assert_int_equal(indices[k], corners[k / 3][k % 3]);
    assert_true(of[0] == 3 && of[1] == 0);
    /* no more than was asked for */
    assert_true(of[2] == 9 && indices[6] == 0x09090909);
    assert_int_equal(lode_mesh_get_indices(mesh, NULL, 0), 3);
    assert_int_equal(lode_mesh_get_vertices(mesh, NULL, 0), 4);
    assert_true(lode_mesh_is_two_sided(mesh));
    lode_mesh_release(mesh);
    def.materials = NULL;
    def.two_sided = false;
    mesh = lode_mesh_create(&def);
    assert_int_equal(lode_mesh_get_materials(mesh, of, 4), 0);
    assert_false(lode_mesh_is_two_sided(mesh));
    assert_int_equal(lode_mesh_get_vertices(mesh, NULL, 1), 0);
    assert_string_equal(last_argument, "out_vertices");
    assert_int_equal(lode_mesh_get_indices(mesh, indices, -1), 0);
    assert_string_equal(last_argument, "capacity");
    assert_int_equal(lode_mesh_get_materials(NULL, of, 4), 0);
    assert_string_equal(last_argument, "mesh");
    assert_false(lode_mesh_is_two_sided(NULL));
    lode_mesh_release(mesh);
}

static void triangles_and_points_are_looked_up(void **state)
{
    (void)state;
    lode_vec3 corners[3];
    draft_box(&draft, 1, 2, 3);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    for (int t = 0; t < 12; ++t) {
        assert_int_equal(lode_mesh_get_triangle(mesh, t, corners), LODE_OK);
        for (int k = 0; k < 3; ++k)
            assert_true((float)corners[k].x == draft.vertices[draft.indices[t][k]][0]);
        lode_vec3 p = lode_mesh_get_point(mesh, t, 0, 1);
        assert_memory_equal(&p, &corners[2], sizeof p);
        p = lode_mesh_get_point(mesh, t, (lode_real)0.25, (lode_real)0.25);
        assert_true(fabs((double)(p.y - (corners[0].y * 2 + corners[1].y + corners[2].y) / 4)) <
                    1e-6);
    }
    assert_int_equal(lode_mesh_get_triangle(mesh, 12, corners), LODE_ERROR_ARGUMENT);
    assert_string_equal(last_argument, "triangle");
    assert_int_equal(lode_mesh_get_triangle(mesh, -1, corners), LODE_ERROR_ARGUMENT);
    assert_int_equal(lode_mesh_get_triangle(mesh, 0, NULL), LODE_ERROR_ARGUMENT);
    assert_int_equal(lode_mesh_get_triangle(NULL, 0, corners), LODE_ERROR_ARGUMENT);
    assert_string_equal(last_argument, "mesh");
    lode_mesh_get_point(mesh, 0, NAN, 0);
    assert_string_equal(last_argument, "u");
    lode_bounds bounds = lode_mesh_get_bounds(mesh);
    assert_true(bounds.lower.y == -2 && bounds.upper.z == 3);
    lode_mesh_release(mesh);
    lode_mesh_release(NULL);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    lode_mesh *mesh = NULL;
    draft_grid(&draft, 10, 10, valley);
    lode_mesh_def def = draft_def(&draft);
    alloc_fail_install();
    for (long n = 0; !mesh; ++n) {
        alloc_fail_nth(n);
        mesh = lode_mesh_create(&def);
        if (!alloc_fail_happened())
            break;
        assert_null(mesh);
        assert_int_equal(last_status, LODE_ERROR_MEMORY);
        assert_int_equal(alloc_fail_live(), 0);
    }
    alloc_fail_nth(-1);
    assert_non_null(mesh);
    lode_mesh_release(mesh);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static double hills(double x, double y)
{
    return sin(x) * cos(y);
}

/* Less than 60 bytes per triangle beyond the caller's own data, or the copy of them. */
static void a_mesh_is_small(void **state)
{
    (void)state;
    draft_grid(&draft, 128, 20, hills);
    lode_mesh_def def = draft_def(&draft);
    alloc_fail_install();
    for (int reference = 0; reference < 2; ++reference) {
        def.reference = reference;
        lode_mesh *mesh = lode_mesh_create(&def);
        assert_non_null(mesh);
        double each = (double)alloc_fail_live_bytes() / draft.triangle_count;
        double copy = 3.0 * sizeof(lode_real) * draft.vertex_count / draft.triangle_count +
                      3 * sizeof(uint32_t);
        print_message("%.1f bytes per triangle\n", each);
        assert_true(each - (reference ? 0 : copy) < 45);
        lode_mesh_release(mesh);
    }
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_definitions_are_refused_by_name),
        cmocka_unit_test(doubles_beyond_floats_are_refused),
        cmocka_unit_test(what_has_no_area_is_ignored_and_counted),
        cmocka_unit_test(repeated_triangles_are_ignored_and_counted),
        cmocka_unit_test(holes_turned_and_shared_edges_are_counted),
        cmocka_unit_test(a_closed_mesh_inside_out_is_reported),
        cmocka_unit_test(a_sheet_with_a_back_is_not_closed),
        cmocka_unit_test(sheets_anywhere_are_not_closed),
        cmocka_unit_test(a_thin_plate_is_closed),
        cmocka_unit_test(edges_along_several_are_what_these_make_them),
        cmocka_unit_test(a_box_has_convex_edges_and_flat_diagonals),
        cmocka_unit_test(bends_are_the_same_in_a_soup),
        cmocka_unit_test(a_box_of_triangles_weighs_what_a_box_does),
        cmocka_unit_test(a_tetrahedron_has_its_exact_moments),
        cmocka_unit_test(the_tree_finds_every_triangle),
        cmocka_unit_test(a_mesh_ten_thousand_kilometres_away_is_found),
        cmocka_unit_test(rays_meet_what_they_pass_through),
        cmocka_unit_test(no_ray_slips_through_an_edge),
        cmocka_unit_test(however_handed_over_it_is_the_same),
        cmocka_unit_test(what_it_was_made_of_is_told),
        cmocka_unit_test(triangles_and_points_are_looked_up),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_mesh_is_small),
    };
    lode_set_error_hook(note_error, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_hull_axes.c: the search for the best axis leaves most of them out. Held against a look at
 * all faces and all pairs of edges, each measured by the vertices of both hulls in double. */
#include "tests/support/test.h"

#include "collide/hull_box.h"
#include "collide/kernels.h"
#include "core/math.h"
#include "lode/setup.h"
#include "tests/collide/boxes.h"

#include <string.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-10
#else
#define ROUNDING 5e-6
#endif

enum { MOST_POINTS = 40 };

static const lode_real speculative = (lode_real)0.02;

static lode_vec3 random_vector(test_random *random, double size)
{
    return v3((lode_real)random_between(random, -size, size),
              (lode_real)random_between(random, -size, size),
              (lode_real)random_between(random, -size, size));
}

/* Balls, plates, rods and boxes with corners cut off, 0.1 to 1 m. */
static lode_hull *random_hull(test_random *random)
{
    lode_real points[3 * MOST_POINTS];
    int count = 4 + (int)random_between(random, 0, MOST_POINTS - 4);
    lode_vec3 size = v3((lode_real)random_between(random, 0.05, 0.5),
                        (lode_real)random_between(random, 0.05, 0.5),
                        (lode_real)random_between(random, 0.05, 0.5));
    bool round = random_between(random, 0, 1) < 0.5;
    for (int i = 0; i < count; ++i) {
        lode_vec3 p = random_vector(random, 1);
        p = round ? v3_normalize_or(p, v3(0, 0, 1)) : p;
        points[3 * i] = p.x * size.x;
        points[3 * i + 1] = p.y * size.y;
        points[3 * i + 2] = p.z * size.z;
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = points;
    def.point_count = count;
    lode_hull *hull = lode_hull_create(&def);
    assert_non_null(hull);
    return hull;
}

/* --- all axes */

static lode__double3 turned(const lode__mat3 *m, lode_vec3 v)
{
    lode__double3 d = d3_from(v);
    return d3(d3_dot(d3_from(m->r0), d), d3_dot(d3_from(m->r1), d), d3_dot(d3_from(m->r2), d));
}

static lode__double3 vertex_b(const lode__hull_pair *p, uint32_t v)
{
    return d3_add(turned(&p->turn, p->b->vertices[v]), d3_from(p->offset));
}

/* How far b is from a along n. */
static double gap_on(const lode__hull_pair *p, lode__double3 n)
{
    double most = -1e300, least = 1e300;
    for (uint32_t v = 0; v < p->a->vertex_count; ++v)
        most = fmax(most, d3_dot(n, d3_from(p->a->vertices[v])));
    for (uint32_t v = 0; v < p->b->vertex_count; ++v)
        least = fmin(least, d3_dot(n, vertex_b(p, v)));
    return least - most;
}

static double best_of_faces(const lode__hull_pair *p)
{
    double best = -1e300;
    for (uint32_t f = 0; f < p->a->face_count; ++f)
        best = fmax(best, gap_on(p, d3_from(p->a->faces[f].normal)));
    for (uint32_t f = 0; f < p->b->face_count; ++f)
        best = fmax(best, gap_on(p, d3_neg(turned(&p->turn, p->b->faces[f].normal))));
    return best;
}

static double best_of_edges(const lode__hull_pair *p)
{
    double best = -1e300;
    for (uint32_t i = 0; i < p->a->ridge_count; ++i)
        for (uint32_t k = 0; k < p->b->ridge_count; ++k) {
            lode__double3 u = d3_from(hull_edge_vector(p->a, p->a->ridges[i].edge));
            lode__double3 v = turned(&p->turn, hull_edge_vector(p->b, p->b->ridges[k].edge));
            lode__double3 n = d3_cross(u, v);
            if (!(d3_dot(n, n) > 1e-3 * d3_dot(u, u) * d3_dot(v, v)))
                continue; /* as good as parallel: the faces beside them say the same */
            n = d3_normalize_or(n, d3(0, 0, 1));
            best = fmax(best, fmax(gap_on(p, n), gap_on(p, d3_neg(n))));
        }
    return best;
}

static lode__hull_pair random_pair(test_random *random, const lode_hull *a, const lode_hull *b)
{
    lode_quat q = {1, 0, 0, 0};
    if (random_between(random, 0, 1) < 0.8) {
        lode_vec3 v = random_vector(random, 1);
        q = q_normalize((lode_quat){(lode_real)random_between(random, -1, 1), v.x, v.y, v.z});
    }
    double far = 0.7 * (double)(a->size + b->size);
    return (lode__hull_pair){a, b, m3_from_quat(q), m3_from_quat(q_conj(q)),
                             random_vector(random, random_between(random, 0, far))};
}

static void what_is_left_out_could_not_have_won(void **state)
{
    (void)state;
    test_random random = {7};
    int by_edges = 0, apart = 0;
    for (int i = 0; i < 300; ++i) {
        lode_hull *a = random_hull(&random), *b = random_hull(&random);
        lode__hull_pair pair = random_pair(&random, a, i % 3 ? b : a);
        double faces = best_of_faces(&pair), edges = best_of_edges(&pair);
        double most = fmax(faces, edges), size = (double)(a->size + b->size);
        lode__hull_search search;
        lode__hull_axis axis = lode__collide_kernels_plain.hull_axis(&pair, speculative, &search);
        if (axis.way == LODE__HULLS_APART) {
            assert_true(most > (double)speculative - ROUNDING * size);
            ++apart;
        } else {
            lode__hull_axis best = lode__collide_kernels_plain.hull_best_axis(&search);
            assert_true(fabs((double)best.separation - most) < ROUNDING * size);
            assert_true((double)axis.separation <= (double)best.separation);
            by_edges += best.way == LODE__HULLS_EDGES;
        }
        lode_hull_release(a);
        lode_hull_release(b);
    }
    assert_true(by_edges > 20 && apart > 20 && apart < 250);
}

/* --- instruction sets */

static void check_same(lode__hull_axis x, lode__hull_axis y)
{
    assert_int_equal(x.way, y.way);
    if (x.way == LODE__HULLS_APART)
        return;
    assert_int_equal(x.face, y.face);
    assert_int_equal(x.vertex, y.vertex);
    assert_int_equal(x.edge_a, y.edge_a);
    assert_int_equal(x.edge_b, y.edge_b);
    assert_memory_equal(&x.separation, &y.separation, sizeof x.separation);
    assert_memory_equal(&x.normal, &y.normal, sizeof x.normal);
}

/* Also of hulls with more faces than are looked at together. */
static lode_hull *make_many_faced(test_random *random)
{
    enum { POINTS = 200 };
    lode_real points[3 * POINTS];
    for (int i = 0; i < POINTS; ++i) {
        lode_vec3 p = v3_normalize_or(random_vector(random, 1), v3(0, 0, 1));
        points[3 * i] = p.x / 2, points[3 * i + 1] = p.y / 3, points[3 * i + 2] = p.z / 4;
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = points;
    def.point_count = POINTS;
    return lode_hull_create(&def);
}

/* Every instruction set finds the same, to the bit. */
static void check_instruction_sets(const lode__hull_pair *pair, lode__hull_axis axis,
                                   lode__hull_search *search)
{
    for (int simd = LODE_SIMD_PLAIN; simd <= LODE_SIMD_NEON; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        lode__hull_search other;
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        check_same(kernels->hull_axis(pair, speculative, &other), axis);
        if (axis.way != LODE__HULLS_APART)
            check_same(kernels->hull_best_axis(&other),
                       lode__collide_kernels_plain.hull_best_axis(search));
    }
}

static void instruction_sets_agree(void **state)
{
    (void)state;
    test_random random = {8};
    lode_hull *large = make_many_faced(&random);
    int touching = 0;
    for (int i = 0; i < 400; ++i) {
        lode_hull *a = random_hull(&random), *b = random_hull(&random);
        lode__hull_pair pair = random_pair(&random, i % 4 == 0 ? large : a, i % 6 == 0 ? large : b);
        lode__hull_search search;
        lode__hull_axis axis = lode__collide_kernels_plain.hull_axis(&pair, speculative, &search);
        check_instruction_sets(&pair, axis, &search);
        touching += axis.way != LODE__HULLS_APART;
        lode_hull_release(a);
        lode_hull_release(b);
    }
    lode_hull_release(large);
    assert_true(touching > 100 && touching < 390);
}

/* --- boxes */

/* What a box fills in by tables is what a hull of its corners and faces fills in. */
static void boxes_are_filled_as_hulls_are(void **state)
{
    (void)state;
    static const lode_real halves[][4] = {{1, 2, 3, 0},
                                          {(lode_real)0.3, (lode_real)0.1, 1000, 0},
                                          {(lode_real)0.001, 7, (lode_real)0.2, 0}};
    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; ++i) {
        lode__box_hull box, other;
        lode__fill_box_hull(&box, halves[i]);
        other = box;
        other.hull.planes = &other.planes;
        other.hull.beside = other.beside;
        other.hull.corners = &other.corners;
        other.hull.ridges = other.ridges;
        memset(&other.planes, 0xff, sizeof other.planes);
        memset(other.beside, 0xff, sizeof other.beside);
        memset(&other.corners, 0xff, sizeof other.corners);
        for (int k = 0; k < 12; ++k)
            memset(other.ridges[k].x, 0xff, sizeof other.ridges[k].x);
        other.hull.inner = -1;
        lode__hull_set_blocks(&other.hull);
        assert_memory_equal(&box.planes, &other.planes, sizeof box.planes);
        assert_memory_equal(box.beside, other.beside, sizeof box.beside);
        assert_memory_equal(&box.corners, &other.corners, sizeof box.corners);
        for (int k = 0; k < 12; ++k)
            assert_memory_equal(box.ridges[k].x, other.ridges[k].x, sizeof box.ridges[k].x);
        assert_true(box.hull.inner == other.hull.inner);
        for (uint32_t e = 0; e < 24; ++e) {
            const lode__hull_edge *edge = &box.hull.edges[e], *twin = &box.hull.edges[edge->twin];
            assert_true(twin->twin == e && edge->beyond == twin->face);
            assert_true(edge->ridge == twin->ridge && twin->origin == hull_end(&box.hull, e));
            assert_int_equal(box.hull.ridges[edge->ridge].edge, e < edge->twin ? e : edge->twin);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_could_not_have_won),
        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(boxes_are_filled_as_hulls_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

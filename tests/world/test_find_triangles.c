/* Which triangles another shape touches: held against a look at each triangle, by separating
 * axes in double. */
#include "tests/collide/fields.h"
#include "tests/collide/meshes.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static double number(test_random *random, double lo, double hi)
{
    return random_between(random, lo, hi);
}

static lode_quat any_rotation(test_random *random)
{
    double q[4], square = 0;
    for (int i = 0; i < 4; ++i)
        square += pow(q[i] = number(random, -1, 1), 2);
    double s = 1 / sqrt(square);
    return (lode_quat){(lode_real)(q[0] * s), (lode_real)(q[1] * s), (lode_real)(q[2] * s),
                       (lode_real)(q[3] * s)};
}

/* ---- the oracle: sets of corners, with a radius ---- */

typedef struct point {
    double x, y, z;
} point;

static point minus(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static point cross(point a, point b)
{
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(point a, point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* By a pose; from its frame to the world's. */
static point placed(lode_pose pose, double x, double y, double z)
{
    point u = {(double)pose.rotation.x, (double)pose.rotation.y, (double)pose.rotation.z};
    point v = {x, y, z}, c = cross(u, v), d = cross(u, c);
    double w = (double)pose.rotation.w;
    return (point){v.x + 2 * (w * c.x + d.x) + (double)pose.position.x,
                   v.y + 2 * (w * c.y + d.y) + (double)pose.position.y,
                   v.z + 2 * (w * c.z + d.z) + (double)pose.position.z};
}

/* A convex set of corners, whose edges lead along these and whose faces look along those. */
typedef struct body {
    int corners, edges, faces;
    point corner[8], edge[3], face[3];
} body;

static body triangle_of(const point v[3])
{
    body b = {3, 3, 1, {v[0], v[1], v[2]}, {{0, 0, 0}}, {{0, 0, 0}}};
    for (int k = 0; k < 3; ++k)
        b.edge[k] = minus(v[(k + 1) % 3], v[k]);
    b.face[0] = cross(b.edge[0], b.edge[1]);
    return b;
}

static body box_of(lode_pose pose, double x, double y, double z)
{
    body b = {8, 3, 3, {{0, 0, 0}}, {{0, 0, 0}}, {{0, 0, 0}}};
    point o = placed(pose, 0, 0, 0);
    for (int i = 0; i < 8; ++i)
        b.corner[i] = placed(pose, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    for (int k = 0; k < 3; ++k)
        b.edge[k] = b.face[k] = minus(placed(pose, k == 0, k == 1, k == 2), o);
    return b;
}

static void try_axis(const body *a, const body *b, point axis, double *best)
{
    double length = sqrt(dot(axis, axis)), lo[2], hi[2];
    const body *both[2] = {a, b};
    if (length < 1e-9)
        return;
    for (int i = 0; i < 2; ++i) {
        lo[i] = 1e300, hi[i] = -1e300;
        for (int k = 0; k < both[i]->corners; ++k) {
            double at = dot(axis, both[i]->corner[k]) / length;
            lo[i] = fmin(lo[i], at), hi[i] = fmax(hi[i], at);
        }
    }
    *best = fmax(*best, fmax(lo[0] - hi[1], lo[1] - hi[0]));
}

/* Above 0: some axis parts them by so much. */
static double parted_by(const body *a, const body *b)
{
    double best = -1e300;
    for (int i = 0; i < a->faces; ++i)
        try_axis(a, b, a->face[i], &best);
    for (int i = 0; i < b->faces; ++i)
        try_axis(a, b, b->face[i], &best);
    for (int i = 0; i < a->edges; ++i)
        for (int k = 0; k < b->edges; ++k)
            try_axis(a, b, cross(a->edge[i], b->edge[k]), &best);
    return best;
}

static point nearest_on_edge(point a, point b, point p)
{
    point d = minus(b, a);
    double s = fmax(0, fmin(1, dot(minus(p, a), d) / dot(d, d)));
    return (point){a.x + s * d.x, a.y + s * d.y, a.z + s * d.z};
}

static double distance_to_triangle(const point v[3], point p)
{
    point n = cross(minus(v[1], v[0]), minus(v[2], v[0]));
    double length = sqrt(dot(n, n)), least = 1e300;
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        point e = minus(v[(k + 1) % 3], v[k]), on = nearest_on_edge(v[k], v[(k + 1) % 3], p);
        inside = inside && dot(cross(e, minus(p, v[k])), n) >= 0;
        least = fmin(least, sqrt(dot(minus(p, on), minus(p, on))));
    }
    return inside ? fabs(dot(minus(p, v[0]), n)) / length : least;
}

/* ---- subjects ---- */

enum { CELLS = 10, MOST = 4 * CELLS * CELLS };

static double hilly(double x, double y)
{
    return 0.4 * sin(1.3 * x) * cos(1.1 * y) + 0.2 * sin(2 * x + y);
}

static lode_mesh *make_mesh(bool star, test_random *random)
{
    static mesh_draft d;
    d = (mesh_draft){0};
    if (star)
        draft_star(&d, 4, 7, 0.5, random);
    else
        draft_grid(&d, CELLS, CELLS, hilly);
    lode_mesh_def def = draft_def(&d);
    return lode_mesh_create(&def);
}

static int corners_of(lode_shape shape, bool field, int triangle, point out[3])
{
    lode_vec3 v[3];
    lode_pose pose = lode_shape_get_world_pose(shape);
    if (field)
        lode_heightfield_get_triangle(lode_shape_get_heightfield(shape), triangle, v);
    else
        lode_mesh_get_triangle(lode_shape_get_mesh(shape), triangle, v);
    for (int k = 0; k < 3; ++k)
        out[k] = placed(pose, (double)v[k].x, (double)v[k].y, (double)v[k].z);
    return 3;
}

/* Is each triangle told of that overlaps by more than rounding, and none that is apart by more? */
static int expect(lode_shape shape, bool field, int count, const int *told, const double *parted,
                  int triangles)
{
    int at = 0, sure = 0;
    for (int i = 1; i < count; ++i)
        assert_true(told[i - 1] < told[i]);
    for (int t = 0; t < triangles; ++t) {
        bool is_told = at < count && told[at] == t;
        at += is_told;
        if (parted[t] < -1e-4)
            assert_true(is_told);
        if (parted[t] > 1e-4)
            assert_false(is_told);
        sure += parted[t] < -1e-4;
    }
    assert_int_equal(at, count);
    (void)shape;
    (void)field;
    return sure;
}

typedef struct ground {
    lode_world world;
    lode_shape shape;
    bool field;
    int triangles;
} ground;

static ground make_ground(bool field, test_random *random)
{
    static field_draft d;
    lode_world_def world_def = lode_world_def_default();
    lode_shape_def def = lode_shape_def_default();
    lode_body_def body_def = lode_body_def_default();
    ground g = {lode_world_create(&world_def), {0}, field, 2 * CELLS * CELLS};
    body_def.position = vec(3, -2, 1);
    body_def.rotation = any_rotation(random);
    lode_body body = lode_body_create(g.world, &body_def);
    def.pose.rotation = any_rotation(random);
    if (field) {
        draft_field(&d, CELLS + 1, CELLS + 1, 1, 1, hilly);
        lode_heightfield_def of = field_def(&d);
        lode_heightfield *f = lode_heightfield_create(&of);
        g.shape = lode_shape_create_heightfield(body, &def, f);
        lode_heightfield_release(f);
    } else {
        lode_mesh *mesh = make_mesh(false, random);
        g.shape = lode_shape_create_mesh(body, &def, mesh);
        lode_mesh_release(mesh);
    }
    return g;
}

/* A pose near a place of the surface. */
static lode_pose pose_near(const ground *g, test_random *random)
{
    point v[3];
    corners_of(g->shape, g->field, (int)random_below(random, (uint32_t)g->triangles), v);
    lode_pose pose = {{(lode_real)(v[0].x + number(random, -1, 1)),
                       (lode_real)(v[0].y + number(random, -1, 1)),
                       (lode_real)(v[0].z + number(random, -1, 1))},
                      any_rotation(random)};
    return pose;
}

static lode_shape place(lode_world world, lode_pose pose, lode_solid solid)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body_def body_def = lode_body_def_default();
    body_def.position = pose.position;
    body_def.rotation = pose.rotation;
    lode_body body = lode_body_create(world, &body_def);
    return solid.type == LODE_BOX ? lode_shape_create_box(body, &def, solid.half_extents)
                                  : lode_shape_create_sphere(body, &def, solid.radius);
}

static void solids_touch_what_they_touch(void **state)
{
    (void)state;
    test_random random = {1};
    int sure = 0;
    for (int i = 0; i < 400; ++i) {
        ground g = make_ground(i % 2, &random);
        double parted[MOST], r = number(&random, 0.1, 1.5);
        double h[3] = {number(&random, 0.1, 2), number(&random, 0.1, 2), number(&random, 0.01, 1)};
        lode_pose pose = pose_near(&g, &random);
        bool ball = i % 4 < 2;
        lode_solid solid = ball ? lode_solid_sphere((lode_real)r)
                                : lode_solid_box(
                                      vec((lode_real)h[0], (lode_real)h[1], (lode_real)h[2]));
        body box = box_of(pose, h[0], h[1], h[2]);
        for (int t = 0; t < g.triangles; ++t) {
            point v[3];
            corners_of(g.shape, g.field, t, v);
            body triangle = triangle_of(v);
            parted[t] = ball ? distance_to_triangle(v, placed(pose, 0, 0, 0)) - r
                             : parted_by(&box, &triangle);
        }
        int told[MOST], same[MOST];
        int count = lode_shape_find_triangles_in(g.shape, &solid, pose, told, MOST);
        sure += expect(g.shape, g.field, count, told, parted, g.triangles);
        lode_shape other = place(g.world, pose, solid);
        assert_int_equal(lode_shape_find_triangles(g.shape, other, same, MOST), count);
        for (int k = 0; k < count; ++k)
            assert_int_equal(told[k], same[k]);
        /* fewer are wanted: the lowest */
        assert_int_equal(lode_shape_find_triangles(g.shape, other, same, count / 2), count);
        for (int k = 0; k < count / 2; ++k)
            assert_int_equal(told[k], same[k]);
        assert_int_equal(lode_shape_find_triangles(g.shape, other, NULL, 0), count);
        lode_world_destroy(g.world);
    }
    assert_true(sure > 1000);
}

static void planes_and_surfaces_touch_what_they_touch(void **state)
{
    (void)state;
    test_random random = {2};
    int sure = 0;
    for (int i = 0; i < 60; ++i) {
        ground g = make_ground(i % 2, &random);
        double parted[MOST];
        int told[MOST], stars = 0;
        lode_pose pose = pose_near(&g, &random);
        lode_body_def body_def = lode_body_def_default();
        lode_shape_def def = lode_shape_def_default();
        body_def.position = pose.position;
        body_def.rotation = pose.rotation;
        lode_body body_of = lode_body_create(g.world, &body_def);
        lode_mesh *mesh = make_mesh(true, &random);
        lode_shape star = lode_shape_create_mesh(body_of, &def, mesh);
        stars = lode_mesh_get_info(mesh).triangle_count;
        lode_mesh_release(mesh);
        for (int t = 0; t < g.triangles; ++t) {
            point v[3], w[3];
            corners_of(g.shape, g.field, t, v);
            body triangle = triangle_of(v);
            parted[t] = 1e300;
            for (int k = 0; k < stars; ++k) {
                corners_of(star, false, k, w);
                body other = triangle_of(w);
                parted[t] = fmin(parted[t], parted_by(&triangle, &other));
            }
        }
        int count = lode_shape_find_triangles(g.shape, star, told, MOST);
        sure += expect(g.shape, g.field, count, told, parted, g.triangles);
        /* the other way round something is touched too */
        assert_int_equal(lode_shape_find_triangles(star, g.shape, NULL, 0) > 0, count > 0);
        lode_shape plane = lode_shape_create_plane(body_of, &def, vec(0, 0, 1), 0);
        point o = placed(pose, 0, 0, 0), n = minus(placed(pose, 0, 0, 1), o);
        for (int t = 0; t < g.triangles; ++t) {
            point v[3];
            corners_of(g.shape, g.field, t, v);
            parted[t] = 1e300;
            for (int k = 0; k < 3; ++k)
                parted[t] = fmin(parted[t], dot(n, minus(v[k], o)));
        }
        count = lode_shape_find_triangles(g.shape, plane, told, MOST);
        sure += expect(g.shape, g.field, count, told, parted, g.triangles);
        lode_world_destroy(g.world);
    }
    assert_true(sure > 1000);
}

/* Level, and without end. */
static lode_shape endless_field(lode_world world)
{
    static const float heights[4] = {1, 1, 1, 1};
    lode_shape_def def = lode_shape_def_default();
    lode_heightfield_def of = lode_heightfield_def_default();
    of.samples = heights;
    of.type = LODE_SAMPLE_FLOAT;
    of.columns = of.rows = 2;
    of.wrap = true;
    lode_heightfield *field = lode_heightfield_create(&of);
    lode_shape shape = lode_shape_create_heightfield(add_body(world, LODE_STATIC, 0, 0, 0), &def,
                                                     field);
    lode_heightfield_release(field);
    return shape;
}

static void others_are_refused(void **state)
{
    (void)state;
    test_random random = {3};
    ground g = make_ground(false, &random), f = make_ground(true, &random);
    lode_shape endless = endless_field(f.world);
    assert_true(lode_shape_find_triangles(f.shape, endless, NULL, 0) > 0);
    lode_solid ball = lode_solid_sphere(1), bad = lode_solid_sphere(0);
    lode_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    lode_shape sphere = place(g.world, pose, ball);
    report_clear();
    assert_int_equal(lode_shape_find_triangles(sphere, g.shape, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_find_triangles", "shape");
    report_clear();
    assert_int_equal(lode_shape_find_triangles(endless, endless, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_find_triangles", "other");
    report_clear();
    assert_int_equal(lode_shape_find_triangles(g.shape, sphere, NULL, 1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_find_triangles", "out_triangles");
    report_clear();
    assert_int_equal(lode_shape_find_triangles_in(g.shape, NULL, pose, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_find_triangles_in", "solid");
    report_clear();
    assert_int_equal(lode_shape_find_triangles_in(g.shape, &bad, pose, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_find_triangles_in", "solid");
    report_clear();
    lode_world_destroy(g.world);
    lode_world_destroy(f.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_touch_what_they_touch),
        cmocka_unit_test(planes_and_surfaces_touch_what_they_touch),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

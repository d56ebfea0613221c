/* Hulls from points and from faces: right shape, right mass, and bad input refused by name. */
#include "tests/support/random.h"
#include "tests/support/test.h"

#include "collide/hull.h"
#include "core/math.h"
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <math.h>
#include <string.h>

#define R(x) ((lode_real)(x))

/* Rounding of coordinates about 1, and of sums of a few of their products. */
#define TINY (sizeof(lode_real) == sizeof(float) ? 2e-6 : 1e-14)

enum { MOST = 4000 };
static lode_real points[MOST][3];

static lode_hull *hull_of(int count)
{
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = count;
    return lode_hull_create(&def);
}

static void set_point(int i, double x, double y, double z)
{
    points[i][0] = R(x);
    points[i][1] = R(y);
    points[i][2] = R(z);
}

static void rotate(const double q[4], double v[3])
{
    double u[3] = {q[1], q[2], q[3]}, t[3], s[3];
    for (int i = 0; i < 3; ++i)
        t[i] = 2 * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
    for (int i = 0; i < 3; ++i)
        s[i] = u[(i + 1) % 3] * t[(i + 2) % 3] - u[(i + 2) % 3] * t[(i + 1) % 3];
    for (int i = 0; i < 3; ++i)
        v[i] += q[0] * t[i] + s[i];
}

static void random_rotation(test_random *random, double q[4])
{
    double length = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = random_between(random, -1, 1);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i)
        q[i] /= sqrt(length);
}

/* Turns and moves the first points. */
static void move_points(int count, const double q[4], double x, double y, double z)
{
    for (int i = 0; i < count; ++i) {
        double v[3] = {(double)points[i][0], (double)points[i][1], (double)points[i][2]};
        rotate(q, v);
        set_point(i, v[0] + x, v[1] + y, v[2] + z);
    }
}

/* --- what holds for every hull */

static double height(const lode_hull *hull, uint32_t f, const double p[3])
{
    const lode__hull_face *face = &hull->faces[f];
    lode_vec3 on = hull->vertices[hull->edges[face->first].origin];
    return (double)face->normal.x * (p[0] - (double)on.x) +
           (double)face->normal.y * (p[1] - (double)on.y) +
           (double)face->normal.z * (p[2] - (double)on.z);
}

static void get(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

/* A closed surface of plane convex polygons that no vertex and none of the points is above, by more
 * than `slack`. */
static void check_hull(const lode_hull *hull, int count, double slack)
{
    double p[3], q[3], r[3];
    assert_int_equal(hull->vertex_count + hull->face_count, hull->ridge_count + 2);
    assert_int_equal(hull->edge_count, 2 * hull->ridge_count);
    for (uint32_t e = 0; e < hull->edge_count; ++e) {
        const lode__hull_edge *edge = &hull->edges[e], *twin = &hull->edges[edge->twin];
        assert_true(edge->twin != e && twin->twin == e && twin->face != edge->face);
        assert_int_equal(twin->origin, hull->edges[hull_next(hull, e)].origin);
        assert_int_equal(hull_end(hull, e), twin->origin);
    }
    for (uint32_t v = 0; v < hull->vertex_count; ++v)
        assert_int_equal(hull->edges[hull->leaving[v]].origin, v);
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        const lode__hull_face *face = &hull->faces[f];
        get(face->normal, q);
        assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1) < TINY);
        for (uint32_t v = 0; v < hull->vertex_count; ++v) {
            get(hull->vertices[v], p);
            assert_true(height(hull, f, p) < slack);
            assert_true((double)face->normal.x * p[0] + (double)face->normal.y * p[1] +
                            (double)face->normal.z * p[2] <
                        (double)face->offset + slack);
        }
        for (int i = 0; i < count; ++i) {
            double x[3] = {(double)points[i][0], (double)points[i][1], (double)points[i][2]};
            assert_true(height(hull, f, x) < slack);
        }
        for (uint32_t k = 0, e = face->first; k < face->count; ++k, e = hull_next(hull, e)) {
            uint32_t next = hull_next(hull, e);
            get(hull->vertices[hull->edges[e].origin], p);
            assert_true(fabs(height(hull, f, p)) < slack);
            get(hull->vertices[hull->edges[next].origin], q);
            get(hull->vertices[hull->edges[hull_next(hull, next)].origin], r);
            double a[3], b[3], turn = 0, n[3], length = 0;
            get(face->normal, n);
            for (int i = 0; i < 3; ++i) {
                a[i] = q[i] - p[i];
                b[i] = r[i] - q[i];
                length += a[i] * a[i];
            }
            for (int i = 0; i < 3; ++i)
                turn += n[i] * (a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
            assert_true(length > 0 && turn / sqrt(length) > -slack);
        }
    }
}

/* --- known solids */

static void add_box(double x, double y, double z)
{
    for (int i = 0; i < 8; ++i)
        set_point(i, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
}

static void check_moment(const double expected[6], const lode_mass *m, double tolerance)
{
    double most = expected[0] + expected[1] + expected[2];
    for (int i = 0; i < 6; ++i)
        assert_true(fabs((double)m->inertia[i] - expected[i]) < tolerance * most);
}

/* Wherever it is and however turned: six faces, and the mass of a box. */
static void a_box_of_points_is_a_box(void **state)
{
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 500; ++i) {
        double x = random_between(&random, 0.1, 2), y = random_between(&random, 0.1, 2);
        double z = random_between(&random, 0.1, 2), q[4], far = i % 2 ? 10 : 0;
        add_box(x, y, z);
        random_rotation(&random, q);
        move_points(8, q, far, -far, far);
        lode_hull *hull = hull_of(8);
        assert_non_null(hull);
        assert_true(hull->vertex_count == 8 && hull->face_count == 6 && hull->ridge_count == 12);
        for (uint32_t f = 0; f < 6; ++f)
            assert_int_equal(hull->faces[f].count, 4);
        check_hull(hull, 8, 40 * TINY);
        lode_mass mass = lode_hull_get_mass(hull, 1000);
        double m = 8000 * x * y * z;
        assert_true(fabs((double)mass.mass / m - 1) < 400 * TINY);
        assert_true(near_vec(mass.center, vec(R(far), R(-far), R(far)), 20 * TINY));
        double own[3] = {m / 3 * (y * y + z * z), m / 3 * (x * x + z * z), m / 3 * (x * x + y * y)};
        double inertia[6] = {0};
        for (int k = 0; k < 3; ++k) {
            double axis[3] = {k == 0, k == 1, k == 2};
            rotate(q, axis);
            for (int j = 0; j < 3; ++j)
                inertia[j] += own[k] * axis[j] * axis[j];
            inertia[3] += own[k] * axis[0] * axis[1];
            inertia[4] += own[k] * axis[0] * axis[2];
            inertia[5] += own[k] * axis[1] * axis[2];
        }
        check_moment(inertia, &mass, 400 * TINY);
        lode_hull_release(hull);
    }
}

/* The corner at the origin, legs along the axes: V = abc/6, centre (a, b, c)/4, and about the
 * centre I_xx = 3 m (b^2 + c^2) / 80, I_xy = m a b / 80. */
static void a_tetrahedron_weighs_what_it_should(void **state)
{
    (void)state;
    double a = 1, b = 2, c = 3;
    memset(points, 0, sizeof points);
    set_point(1, a, 0, 0);
    set_point(2, 0, b, 0);
    set_point(3, 0, 0, c);
    lode_hull *hull = hull_of(4);
    assert_true(hull->face_count == 4);
    lode_mass mass = lode_hull_get_mass(hull, 5);
    double m = 5 * a * b * c / 6;
    assert_true(fabs((double)mass.mass - m) < TINY * m);
    assert_true(near_vec(mass.center, vec(R(a / 4), R(b / 4), R(c / 4)), TINY));
    double inertia[6] = {3 * m * (b * b + c * c) / 80,
                         3 * m * (a * a + c * c) / 80,
                         3 * m * (a * a + b * b) / 80,
                         m * a * b / 80,
                         m * a * c / 80,
                         m * b * c / 80};
    check_moment(inertia, &mass, 4 * TINY);
    lode_hull_release(hull);
}

/* A regular prism of n sides, radius r, half height h: area A = n r^2 sin(2 pi / n) / 2, and
 * I_zz = m r^2 (2 + cos(2 pi / n)) / 6, I_xx = I_zz / 2 + m h^2 / 3. Its ends are polygons. */
static void a_prism_has_polygons_and_weighs_what_it_should(void **state)
{
    (void)state;
    for (int n = 3; n < 64; ++n) {
        double r = 0.7, h = 1.3, step = 2 * 3.14159265358979323846 / n;
        for (int i = 0; i < 2 * n; ++i)
            set_point(i, r * cos(step * (i / 2)), r * sin(step * (i / 2)), i % 2 ? h : -h);
        lode_hull *hull = hull_of(2 * n);
        assert_int_equal(hull->face_count, n + 2);
        assert_int_equal(hull->vertex_count, 2 * n);
        check_hull(hull, 2 * n, 10 * TINY);
        lode_mass mass = lode_hull_get_mass(hull, 1);
        double m = n * r * r * sin(step) / 2 * 2 * h;
        double zz = m * r * r * (2 + cos(step)) / 6, xx = zz / 2 + m * h * h / 3;
        double inertia[6] = {xx, xx, zz, 0, 0, 0};
        assert_true(fabs((double)mass.mass / m - 1) < 20 * TINY);
        assert_true(near_vec(mass.center, vec(0, 0, 0), 10 * TINY));
        check_moment(inertia, &mass, 20 * TINY);
        lode_hull_release(hull);
    }
}

/* Points on, in and doubled on a cube: still eight corners and six faces. */
static void points_on_flat_sides_are_left_out(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 60; ++round) {
        int n = 2 + round % 6, count = 0;
        double q[4], size = round % 3 == 0 ? 1e-3 : round % 3 == 1 ? 1 : 1e3;
        for (int x = 0; x <= n; ++x)
            for (int y = 0; y <= n; ++y)
                for (int z = 0; z <= n; ++z, ++count)
                    set_point(count, size * x / n, size * y / n, size * z / n);
        random_rotation(&random, q);
        if (round >= 6)
            move_points(count, q, 0, 0, 0);
        lode_hull *hull = hull_of(count);
        assert_non_null(hull);
        check_hull(hull, count, 20 * TINY * size);
        assert_int_equal(hull->vertex_count, 8);
        assert_int_equal(hull->face_count, 6);
        assert_true(fabs(hull->volume / (size * size * size) - 1) < 20 * TINY);
        lode_hull_release(hull);
    }
}

/* --- random clouds */

static int cloud(test_random *random, int kind)
{
    int count = 4 + (int)random_below(random, kind == 3 ? 400 : 60);
    for (int i = 0; i < count; ++i) {
        double v[3], length = 0;
        for (int k = 0; k < 3; ++k) {
            v[k] = random_between(random, -1, 1);
            length += v[k] * v[k];
        }
        length = sqrt(length);
        if (kind == 1 || kind == 3) /* on a ball */
            set_point(i, v[0] / length, v[1] / length, v[2] / length);
        else if (kind == 2) /* on a grid: many coplanar and equal ones */
            set_point(i, floor(v[0] * 3) / 3, floor(v[1] * 3) / 3, floor(v[2] * 3) / 3);
        else if (kind == 4) /* all but flat */
            set_point(i, v[0], v[1], v[2] * 1e-3);
        else if (kind == 5) /* a needle */
            set_point(i, v[0] * 1e-3, v[1] * 1e-3, v[2]);
        else if (kind == 6) /* noise of rounding on a flat roof */
            set_point(i, v[0], v[1], fabs(v[0]) * 0.5 + v[2] * TINY * (i % 3));
        else
            set_point(i, v[0], v[1], v[2]);
    }
    return count;
}

static void clouds_are_wrapped(void **state)
{
    (void)state;
    test_random random = {3};
    report_install();
    for (int i = 0; i < 7000; ++i) {
        int count = cloud(&random, i % 7);
        lode_hull *hull = hull_of(count);
        if (!hull) { /* a few points of a grid or a roof may be coplanar */
            assert_true(count < 12 && strstr(report.message, "in a plane"));
            assert_true(i % 7 == 2 || i % 7 == 6);
            continue;
        }
        check_hull(hull, count, (i % 7 == 6 ? 80 : 20) * TINY);
        lode_hull_release(hull);
    }
}

/* A few corners of a small cube and a tip far away: faces so long and thin that rounding puts their
 * own corners above them. */
static void needles_keep_their_points(void **state)
{
    (void)state;
    test_random random = {8};
    int made = 0;
    report_install();
    for (int i = 0; i < 20000; ++i) {
        int count = 4 + (int)random_below(&random, 6);
        for (int k = 0; k < 3 * count; ++k) {
            double at = k < 3 ? random_between(&random, -127, 127) : random_below(&random, 2);
            points[k / 3][k % 3] = R(floor(at) / 127);
        }
        lode_hull *hull = hull_of(count);
        made += hull != NULL;
        if (hull)
            check_hull(hull, count, 80 * TINY);
        lode_hull_release(hull);
    }
    assert_true(made > 10000);
}

static bool has_vertex(const lode_hull *hull, lode_vec3 v)
{
    for (uint32_t i = 0; i < hull->vertex_count; ++i)
        if (near_vec(hull->vertices[i], v, 0))
            return true;
    return false;
}

static void the_hull_of_a_hull_is_the_same(void **state)
{
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 1000; ++i) {
        int count = cloud(&random, i % 4);
        lode_hull *one = hull_of(count);
        if (!one)
            continue;
        for (uint32_t v = 0; v < one->vertex_count; ++v)
            set_point((int)v, (double)one->vertices[v].x, (double)one->vertices[v].y,
                      (double)one->vertices[v].z);
        lode_hull *two = hull_of((int)one->vertex_count);
        assert_non_null(two);
        assert_int_equal(one->vertex_count, two->vertex_count);
        assert_int_equal(one->face_count, two->face_count);
        for (uint32_t v = 0; v < one->vertex_count; ++v)
            assert_true(has_vertex(two, one->vertices[v]));
        assert_true(fabs(one->volume - two->volume) < TINY);
        lode_hull_release(one);
        lode_hull_release(two);
    }
}

/* A turned cloud has the turned hull: as many vertices and faces, volume and moments. */
static void motion_does_not_matter(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 1000; ++i) {
        double q[4];
        int count = cloud(&random, i % 2); /* no ties */
        lode_hull *one = hull_of(count);
        random_rotation(&random, q);
        move_points(count, q, 1, 2, -1);
        lode_hull *two = hull_of(count);
        assert_true(one && two);
        assert_int_equal(one->vertex_count, two->vertex_count);
        assert_true(fabs(one->volume - two->volume) < 20 * TINY);
        double c[3] = {one->center.x, one->center.y, one->center.z};
        rotate(q, c);
        assert_true(fabs(c[0] + 1 - two->center.x) < 20 * TINY * (1 + 1 / one->volume));
        double trace = one->inertia[0] + one->inertia[1] + one->inertia[2];
        double other = two->inertia[0] + two->inertia[1] + two->inertia[2];
        assert_true(fabs(trace - other) < 40 * TINY);
        lode_hull_release(one);
        lode_hull_release(two);
    }
}

static void equal_points_give_equal_hulls(void **state)
{
    (void)state;
    test_random random = {6};
    int count = cloud(&random, 3);
    lode_hull *one = hull_of(count), *two = hull_of(count);
    assert_int_equal(one->data.hash, two->data.hash);
    points[7][1] += R(0.25);
    lode_hull *other = hull_of(count);
    assert_true(one->data.hash != other->data.hash);
    lode_hull_release(one);
    lode_hull_release(two);
    lode_hull_release(other);
}

static void strides_are_kept(void **state)
{
    (void)state;
    lode_real wide[8][5];
    add_box(1, 2, 3);
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 5; ++k)
            wide[i][k] = k < 3 ? points[i][k] : (lode_real)NAN;
    lode_hull *tight = hull_of(8);
    lode_hull_def def = lode_hull_def_default();
    def.points = wide[0];
    def.point_count = 8;
    def.point_stride = sizeof wide[0];
    lode_hull *strided = lode_hull_create(&def);
    assert_int_equal(tight->data.hash, strided->data.hash);
    lode_hull_release(tight);
    lode_hull_release(strided);
}

static void a_large_cloud_takes_no_time(void **state)
{
    (void)state;
    test_random random = {7};
    for (int i = 0; i < MOST; ++i) {
        double v[3], length = 0;
        for (int k = 0; k < 3; ++k) {
            v[k] = random_between(&random, -1, 1);
            length += v[k] * v[k];
        }
        set_point(i, v[0] / sqrt(length), v[1] / sqrt(length), v[2] / sqrt(length));
    }
    lode_hull *hull = hull_of(MOST);
    assert_non_null(hull);
    assert_true(hull->vertex_count > MOST * 0.99);
    check_hull(hull, 0, 20 * TINY);
    for (int i = 0; i < 2000; ++i) {
        lode_vec3 d = vec(R(random_between(&random, -1, 1)), R(random_between(&random, -1, 1)),
                          R(random_between(&random, -1, 1)));
        double most = -1, x = (double)v3_dot(hull->vertices[lode__hull_support(hull, d, 17)], d);
        for (uint32_t v = 0; v < hull->vertex_count; ++v)
            most = fmax(most, (double)v3_dot(hull->vertices[v], d));
        assert_true(x > most - TINY);
    }
    lode_hull_release(hull);
}

/* --- bad points */

static void expect_refused(int count, const char *argument, const char *word)
{
    report_clear();
    assert_null(hull_of(count));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_hull_create", argument);
    assert_non_null(strstr(report.message, word));
}

static void degenerate_points_are_refused(void **state)
{
    (void)state;
    test_random random = {8};
    report_install();
    add_box(1, 1, 1);
    expect_refused(3, "def.point_count", "4");
    expect_refused(0, "def.point_count", "4");
    expect_refused(-1, "def.point_count", "4");
    for (int i = 0; i < 24; ++i) {
        add_box(1, 1, 1);
        points[i / 3][i % 3] = (lode_real)(i % 2 ? NAN : INFINITY);
        expect_refused(8, "def.points", "finite");
    }
    for (int i = 0; i < 300; ++i) {
        double q[4], scale = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 1 : 1e7, far = i % 2 ? scale : 0;
        random_rotation(&random, q);
        for (int kind = 0; kind < 3; ++kind) {
            for (int k = 0; k < 20; ++k)
                set_point(k, kind > 0 ? scale * random_between(&random, -1, 1) : 0,
                          kind > 1 ? scale * random_between(&random, -1, 1) : 0, 0);
            move_points(20, q, far, far, far);
            expect_refused(20, "def.points", kind == 0 ? "coincide" : kind == 1 ? "line" : "plane");
        }
    }
}

/* Far away single precision has whole metres only: what is left of the points is wrapped. */
static void huge_and_tiny_coordinates_are_right_or_refused(void **state)
{
    (void)state;
    test_random random = {9};
    for (int i = 0; i < 600; ++i) {
        double size = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 1 : 1e4, far = i % 2 ? 1e7 : 0;
        for (int k = 0; k < 30; ++k)
            set_point(k, far + size * random_between(&random, -1, 1),
                      far + size * random_between(&random, -1, 1),
                      far + size * random_between(&random, -1, 1));
        lode_hull *hull = hull_of(30);
        double rounding = far * 3 * TINY + size * TINY;
        assert_true(hull != NULL || size < 40 * rounding);
        if (hull)
            check_hull(hull, 30, 20 * rounding);
        lode_hull_release(hull);
    }
}

/* --- given faces */

static const int cube_sizes[6] = {4, 4, 4, 4, 4, 4};
static const int cube_corners[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                     2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

static lode_hull *hull_of_faces(const int *sizes, const int *corners, int faces)
{
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = 8;
    def.face_sizes = sizes;
    def.face_corners = corners;
    def.face_count = faces;
    return lode_hull_create(&def);
}

static void faces_are_taken_either_way_round(void **state)
{
    (void)state;
    int turned[24];
    for (int i = 0; i < 24; ++i)
        turned[i] = cube_corners[i / 4 * 4 + 3 - i % 4];
    add_box(1, 2, 3);
    lode_hull *out = hull_of_faces(cube_sizes, cube_corners, 6);
    lode_hull *in = hull_of_faces(cube_sizes, turned, 6);
    assert_true(out && in);
    check_hull(out, 8, 4 * TINY);
    check_hull(in, 8, 4 * TINY);
    assert_true(out->volume == 48 && in->volume == 48);
    lode_hull_release(out);
    lode_hull_release(in);
}

static void expect_faces_refused(const int *sizes, const int *corners, int faces,
                                 const char *argument)
{
    report_clear();
    assert_null(hull_of_faces(sizes, corners, faces));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_hull_create", argument);
}

static void bad_faces_are_refused(void **state)
{
    (void)state;
    report_install();
    int corners[24], sizes[6];
    for (int bad = 0; bad < 24; ++bad) { /* one corner wrong, in every place */
        add_box(1, 1, 1);
        memcpy(corners, cube_corners, sizeof corners);
        corners[bad] = (corners[bad] + 3) % 8;
        expect_faces_refused(cube_sizes, corners, 6, "def.face_corners");
        corners[bad] = bad % 2 ? 8 : -1;
        expect_faces_refused(cube_sizes, corners, 6, "def.face_corners");
    }
    for (int face = 0; face < 6; ++face) { /* one face the other way round, one missing corner */
        memcpy(corners, cube_corners, sizeof corners);
        corners[4 * face] = cube_corners[4 * face + 2];
        corners[4 * face + 2] = cube_corners[4 * face];
        expect_faces_refused(cube_sizes, corners, 6, "def.face_corners");
        memcpy(sizes, cube_sizes, sizeof sizes);
        sizes[face] = 2;
        expect_faces_refused(sizes, cube_corners, 6, "def.face_sizes");
    }
    expect_faces_refused(cube_sizes, cube_corners, 5, "def.face_corners"); /* open */
    expect_faces_refused(cube_sizes, cube_corners, 3, "def.face_count");
    expect_faces_refused(cube_sizes, NULL, 6, "def.face_corners");
    points[7][0] = R(0.5); /* bent faces */
    expect_faces_refused(cube_sizes, cube_corners, 6, "def.face_corners");
    add_box(1, 1, 0); /* flat */
    expect_faces_refused(cube_sizes, cube_corners, 6, "def.face_corners");
}

/* A cube with a dent: an octahedron-like solid whose top vertex is pushed in. */
static void dents_are_refused(void **state)
{
    (void)state;
    report_install();
    static const int sizes[9] = {4, 4, 4, 4, 4, 3, 3, 3, 3};
    static const int corners[32] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3,
                                    0, 2, 3, 1, 4, 5, 8, 5, 7, 8, 7, 6, 8, 6, 4, 8};
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = 9;
    def.face_sizes = sizes;
    def.face_corners = corners;
    def.face_count = 9;
    for (int i = -5; i <= 5; ++i) {
        add_box(1, 1, 1);
        set_point(8, 0, 0, 1 + i * 0.1);
        report_clear();
        lode_hull *hull = lode_hull_create(&def);
        assert_int_equal(hull != NULL, i >= 0);
        assert_int_equal(report.count, i < 0);
        lode_hull_release(hull);
    }
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    test_random random = {10};
    int count = cloud(&random, 3);
    report_install();
    alloc_fail_install();
    for (long n = 0;; ++n) {
        report_clear();
        alloc_fail_nth(n);
        lode_hull *hull = hull_of(count);
        if (!alloc_fail_happened()) {
            assert_true(hull && n > 5);
            lode_hull_release(hull);
            break;
        }
        assert_null(hull);
        EXPECT_REPORT(LODE_ERROR_MEMORY, "lode_hull_create", "");
        assert_int_equal(alloc_fail_live(), 0);
    }
    alloc_fail_nth(-1);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_points_is_a_box),
        cmocka_unit_test(a_tetrahedron_weighs_what_it_should),
        cmocka_unit_test(a_prism_has_polygons_and_weighs_what_it_should),
        cmocka_unit_test(points_on_flat_sides_are_left_out),
        cmocka_unit_test(clouds_are_wrapped),
        cmocka_unit_test(needles_keep_their_points),
        cmocka_unit_test(the_hull_of_a_hull_is_the_same),
        cmocka_unit_test(motion_does_not_matter),
        cmocka_unit_test(equal_points_give_equal_hulls),
        cmocka_unit_test(strides_are_kept),
        cmocka_unit_test(a_large_cloud_takes_no_time),
        cmocka_unit_test(degenerate_points_are_refused),
        cmocka_unit_test(huge_and_tiny_coordinates_are_right_or_refused),
        cmocka_unit_test(faces_are_taken_either_way_round),
        cmocka_unit_test(bad_faces_are_refused),
        cmocka_unit_test(dents_are_refused),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

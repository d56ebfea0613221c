/* test_triangles.c: spheres, capsules, boxes and convex solids on one triangle, against brute force
 * in double. */
#include "tests/support/test.h"

#include "collide/mesh_touch.h"
#include "tests/collide/boxes.h"
#include "tests/collide/meshes.h"

#ifdef LODE_DOUBLE
#define TOLERANCE 1e-9
#else
#define TOLERANCE 1e-4
#endif

static const double speculative = 0.02;

static mesh_draft draft;
static lode__mesh_points points;

/* A triangle of its own, touched from both sides. */
static lode_mesh *make_triangle(test_random *random, double t[3][3])
{
    lode_mesh *mesh = NULL;
    while (!mesh) {
        draft.vertex_count = draft.triangle_count = 0;
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < 3; ++i)
                t[k][i] = (double)(float)random_between(random, -1, 1);
            draft_vertex(&draft, t[k][0], t[k][1], t[k][2]);
        }
        draft_triangle(&draft, 0, 1, 2);
        double e[3], f[3], n[3];
        for (int i = 0; i < 3; ++i) {
            e[i] = t[1][i] - t[0][i];
            f[i] = t[2][i] - t[0][i];
        }
        for (int i = 0; i < 3; ++i)
            n[i] = e[(i + 1) % 3] * f[(i + 2) % 3] - e[(i + 2) % 3] * f[(i + 1) % 3];
        if (dot3(n, n) < 0.01) /* no slivers: their normals are rounding */
            continue;
        lode_mesh_def def = draft_def(&draft);
        def.two_sided = true;
        mesh = lode_mesh_create(&def);
    }
    return mesh;
}

static void touch(const lode_mesh *mesh, lode__triangle_fn *function, lode_shape_type type,
                  const lode_real size[4], const double q[4], const double center[3])
{
    lode__mesh_query query = {
        .surface = &mesh->data,
        .center = v3((lode_real)center[0], (lode_real)center[1], (lode_real)center[2]),
        .rotation = {(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]},
        .size = size,
        .solid = convex_make(&lode__convex_types[type], size, NULL),
        .speculative = (lode_real)speculative,
        .out = &points,
    };
    lode__mesh_side side = {.t = mesh_triangle(mesh, 0)};
    side.n = triangle_normal(&side.t);
    for (int k = 0; k < 3; ++k)
        side.t.v[k] = v3_sub(side.t.v[k], query.center);
    side.height = -v3_dot(side.n, side.t.v[0]);
    side.back = side.height < 0;
    side.n = side.back ? v3_neg(side.n) : side.n;
    side.height = r_abs(side.height);
    points.count = points.word_count = 0;
    function(&query, &side);
    for (uint32_t i = 0; i < points.count; ++i) {
        assert_true(fabs((double)v3_length(points.items[i].normal) - 1) < 1e-5);
        assert_true((double)points.items[i].depth > -speculative);
    }
}

static double deepest(lode_vec3 *out_normal)
{
    double most = -1e9;
    *out_normal = v3_zero();
    for (uint32_t i = 0; i < points.count; ++i)
        if ((double)points.items[i].depth > most) {
            most = (double)points.items[i].depth;
            *out_normal = points.items[i].normal;
        }
    return most;
}

/* --- the oracle: distances by search over convex functions, nothing by cases */

static double distance_at(const double t[3][3], const double x[3], double u, double v)
{
    double d[3];
    for (int i = 0; i < 3; ++i)
        d[i] = t[0][i] + u * (t[1][i] - t[0][i]) + v * (1 - u) * (t[2][i] - t[0][i]) - x[i];
    return sqrt(dot3(d, d));
}

static double least_over_v(const double t[3][3], const double x[3], double u)
{
    double a = 0, b = 1;
    for (int i = 0; i < 60; ++i) {
        double p = a + (b - a) / 3, q = b - (b - a) / 3;
        if (distance_at(t, x, u, p) < distance_at(t, x, u, q))
            b = q;
        else
            a = p;
    }
    return distance_at(t, x, u, (a + b) / 2);
}

static double distance_to_triangle(const double t[3][3], const double x[3])
{
    double a = 0, b = 1;
    for (int i = 0; i < 60; ++i) {
        double p = a + (b - a) / 3, q = b - (b - a) / 3;
        if (least_over_v(t, x, p) < least_over_v(t, x, q))
            b = q;
        else
            a = p;
    }
    return least_over_v(t, x, (a + b) / 2);
}

/* --- spheres */

static void spheres_touch_at_their_distance(void **state)
{
    (void)state;
    test_random random = {3};
    int touching = 0;
    for (int i = 0; i < 1500; ++i) {
        double t[3][3], x[3], q[4] = {1, 0, 0, 0};
        lode_mesh *mesh = make_triangle(&random, t);
        lode_real size[4] = {(lode_real)random_between(&random, 0.05, 1)};
        for (int k = 0; k < 3; ++k)
            x[k] = (double)(float)random_between(&random, -1.5, 1.5);
        double depth = (double)size[0] - distance_to_triangle(t, x);
        lode_vec3 n;
        touch(mesh, lode__triangle_sphere, LODE_SPHERE, size, q, x);
        lode_mesh_release(mesh);
        if (depth > -speculative + 1e-3)
            assert_int_equal(points.count, 1);
        if (depth < -speculative - 1e-3)
            assert_int_equal(points.count, 0);
        if (points.count == 0)
            continue;
        ++touching;
        /* within MESH_ALIKE of the face's normal it is the face's */
        assert_true(fabs(deepest(&n) - depth) < TOLERANCE + 1e-4 * (double)size[0]);
    }
    print_message("%d touch\n", touching);
    assert_true(touching > 200);
}

/* --- capsules */

static double axis_distance(const double t[3][3], const double x[3], const double u[3])
{
    double a = -1, b = 1;
    for (int i = 0; i < 40; ++i) {
        double p = a + (b - a) / 3, q = b - (b - a) / 3, at_p[3], at_q[3];
        for (int k = 0; k < 3; ++k) {
            at_p[k] = x[k] + p * u[k];
            at_q[k] = x[k] + q * u[k];
        }
        if (distance_to_triangle(t, at_p) < distance_to_triangle(t, at_q))
            b = q;
        else
            a = p;
    }
    double at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = x[k] + (a + b) / 2 * u[k];
    return distance_to_triangle(t, at);
}

static void capsules_touch_at_the_distance_of_their_axes(void **state)
{
    (void)state;
    test_random random = {5};
    int touching = 0;
    for (int i = 0; i < 150; ++i) {
        double t[3][3], x[3], q[4], u[3], norm;
        lode_mesh *mesh = make_triangle(&random, t);
        lode_real size[4] = {(lode_real)random_between(&random, 0.2, 0.6),
                             (lode_real)random_between(&random, 0, 0.8)};
        for (int k = 0; k < 4; ++k)
            q[k] = random_between(&random, -1, 1);
        norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int k = 0; k < 4; ++k)
            q[k] = (double)(lode_real)(q[k] / norm);
        for (int k = 0; k < 3; ++k)
            x[k] = (double)(float)random_between(&random, -0.8, 0.8);
        box frame;
        set_axes(&frame, q);
        for (int k = 0; k < 3; ++k)
            u[k] = frame.axis[2][k] * (double)size[1];
        double distance = axis_distance(t, x, u), depth = (double)size[0] - distance;
        lode_vec3 n;
        touch(mesh, lode__triangle_capsule, LODE_CAPSULE, size, q, x);
        lode_mesh_release(mesh);
        if (depth < -speculative - 1e-3)
            assert_int_equal(points.count, 0);
        if (depth > -speculative + 1e-3)
            assert_true(points.count > 0);
        if (points.count == 0 || distance < 1e-3) /* the axis passes through */
            continue;
        ++touching;
        assert_true(fabs(deepest(&n) - depth) < TOLERANCE + 1e-4);
    }
    assert_true(touching > 30);
}

/* --- boxes */

static void cross3(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* The least overlap over all thirteen axes; negative: a lower bound of the gap. */
static double overlap(const box *b, const double t[3][3])
{
    double axes[13][3], edges[3][3], least = 1e9;
    int count = 0;
    for (int e = 0; e < 3; ++e)
        for (int i = 0; i < 3; ++i)
            edges[e][i] = t[(e + 1) % 3][i] - t[e][i];
    cross3(edges[0], edges[1], axes[count++]);
    for (int i = 0; i < 3; ++i) {
        memcpy(axes[count++], b->axis[i], sizeof axes[0]);
        for (int e = 0; e < 3; ++e)
            cross3(b->axis[i], edges[e], axes[count++]);
    }
    for (int a = 0; a < 13; ++a) {
        double norm = sqrt(dot3(axes[a], axes[a])), lo = 1e9, hi = -1e9, reach = 0;
        if (norm < 1e-6)
            continue;
        for (int i = 0; i < 3; ++i)
            reach += b->half[i] * fabs(dot3(b->axis[i], axes[a])) / norm;
        for (int k = 0; k < 3; ++k) {
            double x[3] = {t[k][0] - b->center[0], t[k][1] - b->center[1], t[k][2] - b->center[2]};
            lo = fmin(lo, dot3(x, axes[a]) / norm);
            hi = fmax(hi, dot3(x, axes[a]) / norm);
        }
        least = fmin(least, fmin(hi + reach, reach - lo));
    }
    return least;
}

/* `slack` is how much deeper than it says a contact may be. */
static void try_boxes(lode__triangle_fn *function, int poses, double slack)
{
    test_random random = {8};
    int touching = 0;
    for (int i = 0; i < poses; ++i) {
        double t[3][3], q[4], norm;
        box b;
        lode_mesh *mesh = make_triangle(&random, t);
        lode_real size[4] = {0};
        for (int k = 0; k < 3; ++k) {
            size[k] = (lode_real)random_between(&random, 0.1, 0.8);
            b.half[k] = (double)size[k];
            b.center[k] = (double)(float)random_between(&random, -1.2, 1.2);
        }
        for (int k = 0; k < 4; ++k)
            q[k] = i % 4 == 0 ? k == 0 : random_between(&random, -1, 1);
        norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int k = 0; k < 4; ++k)
            q[k] = (double)(lode_real)(q[k] / norm);
        set_axes(&b, q);
        double depth = overlap(&b, t);
        lode_vec3 n;
        touch(mesh, function, LODE_BOX, size, q, b.center);
        lode_mesh_release(mesh);
        if (depth < -speculative - TOLERANCE)
            assert_int_equal(points.count, 0);
        if (depth > TOLERANCE)
            assert_true(points.count > 0);
        if (points.count == 0 || depth < 0)
            continue;
        ++touching;
        /* along the normal of the deepest point, by its depth, they are apart */
        double by = deepest(&n) + TOLERANCE;
        double push[3] = {(double)n.x, (double)n.y, (double)n.z};
        for (int k = 0; k < 3; ++k)
            b.center[k] += push[k] * by;
        assert_true(overlap(&b, t) <= 4 * TOLERANCE + slack);
    }
    assert_true(touching > poses / 10);
}

static void boxes_touch_where_no_axis_parts_them(void **state)
{
    (void)state;
    try_boxes(lode__triangle_box, 20000, 0);
}

/* Where a face takes the lead from a direction that is as good but for a twentieth of the margin,
 * the depth is that of the other. */
static void to_the_general_method_boxes_are_convex_solids(void **state)
{
    (void)state;
    try_boxes(lode__triangle_convex, 5000, 0.05 * speculative);
}

/* --- across an edge */

static lode_vec3 direction_of(const double d[3])
{
    return v3_normalize_or(v3((lode_real)d[0], (lode_real)d[1], (lode_real)d[2]), v3(0, 0, 1));
}

/* Of any size and as thin as can be; directions near the limit most of the time. */
static void leading_off_is_what_the_normal_says(void **state)
{
    (void)state;
    test_random random = {31};
    int quick = 0, off = 0, rounds = 40000;
    for (int i = 0; i < rounds; ++i) {
        lode__mesh_side side = {.triangle = 0};
        double size = pow(10, random_between(&random, -9, 9)), x[3];
        double thin = pow(10, random_between(&random, -7, 0));
        for (int k = 0; k < 3; ++k) {
            for (int c = 0; c < 3; ++c)
                x[c] = size * random_between(&random, -1, 1);
            side.t.v[k] = v3((lode_real)x[0], (lode_real)(x[1] * thin), (lode_real)x[2]);
        }
        side.n = triangle_normal(&side.t);
        int edge = (int)random_below(&random, 3);
        lode_vec3 out = side_out(&side, edge);
        double lean = random_between(&random, -0.03, 0.03);
        for (int c = 0; c < 3; ++c)
            x[c] = random_between(&random, -1, 1);
        lode_vec3 d = direction_of(x);
        if (i % 4 != 0) {
            d = v3_madd(d, out, -v3_dot(d, out));
            d = v3_madd(v3_normalize_or(d, side.n), out, (lode_real)lean);
            d = v3_normalize_or(d, side.n);
        }
        int says = lode__mesh_leads_off(&side.t, edge, d);
        if (says < 0)
            continue;
        ++quick;
        off += says;
        assert_int_equal(says, v3_dot(d, out) >= -MESH_ALIKE);
    }
    print_message("%d of %d without a root, %d off\n", quick, rounds, off);
    assert_true(quick > rounds / 10 && off > quick / 10 && off < quick - quick / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_touch_at_their_distance),
        cmocka_unit_test(capsules_touch_at_the_distance_of_their_axes),
        cmocka_unit_test(boxes_touch_where_no_axis_parts_them),
        cmocka_unit_test(to_the_general_method_boxes_are_convex_solids),
        cmocka_unit_test(leading_off_is_what_the_normal_says),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    lode__mesh_points_free(&points);
    return failed;
}

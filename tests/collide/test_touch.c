/* test_touch.c: spheres and planes, against exact answers and brute force in double. */
#include "tests/collide/one_pair.h"
#include "tests/support/test.h"

#include "collide/narrow.h"
#include "core/math.h"
#include "tests/collide/boxes.h"

#ifdef LODE_DOUBLE
#define ROUNDING 1e-12
#else
#define ROUNDING 1e-5
#endif

static const lode_real speculative = (lode_real)0.02;

typedef struct solid {
    lode_real size[4];
    double q[4];
} solid;

static lode__shape_view view(const solid *s)
{
    lode_quat q = {(lode_real)s->q[0], (lode_real)s->q[1], (lode_real)s->q[2], (lode_real)s->q[3]};
    return (lode__shape_view){s->size, q, NULL};
}

static lode__touch touch(lode__touch_fn *function, const solid *a, const solid *b,
                         const double offset[3])
{
    lode__shape_view va = view(a), vb = view(b);
    lode__touch out = {.count = 0};
    function(&va, &vb, v3((lode_real)offset[0], (lode_real)offset[1], (lode_real)offset[2]),
             speculative, &out);
    return out;
}

static void get3(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static bool unit(lode_vec3 n)
{
    return fabs((double)v3_length(n) - 1) < ROUNDING;
}

static void spheres_touch_on_the_line_of_centres(void **state)
{
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 10000; ++i) {
        solid a = {{(lode_real)random_between(&random, 0.1, 2)}, {1, 0, 0, 0}}, b = a;
        b.size[0] = (lode_real)random_between(&random, 0.1, 2);
        double d[3], n[3], p[3];
        for (int k = 0; k < 3; ++k)
            d[k] = (double)(lode_real)random_between(&random, -2, 2);
        double distance = sqrt(dot3(d, d)),
               depth = (double)a.size[0] + (double)b.size[0] - distance;
        lode__touch out = touch(lode__touch_sphere_sphere, &a, &b, d);
        assert_int_equal(out.count, depth > -(double)speculative);
        if (out.count == 0)
            continue;
        get3(out.normal, n);
        get3(out.position[0], p);
        assert_true(fabs((double)out.depth[0] - depth) < ROUNDING);
        for (int k = 0; k < 3; ++k) {
            double middle = d[k] / distance * ((double)a.size[0] - depth / 2);
            assert_true(fabs(n[k] + d[k] / distance) < ROUNDING);
            assert_true(fabs(p[k] - middle) < ROUNDING);
        }
    }
}

static void concentric_shapes_have_unit_normals(void **state)
{
    (void)state;
    const double offsets[][3] = {{0, 0, 0}, {1e-30, 0, 0}, {0, 1e-22, 1e-22}, {1e-40, 1e-41, 0}};
    solid sphere = {{1}, {1, 0, 0, 0}}, box = {{1, 2, 3}, {1, 0, 0, 0}};
    for (int i = 0; i < 4; ++i) {
        lode__touch out = touch(lode__touch_sphere_sphere, &sphere, &sphere, offsets[i]);
        assert_true(out.count == 1 && unit(out.normal));
        out = touch(lode__touch_sphere_box, &sphere, &box, offsets[i]);
        assert_true(out.count == 1 && unit(out.normal));
        assert_true(fabs((double)out.depth[0] - 2) < ROUNDING);
    }
}

/* How deep a sphere sits in a box: to the nearest point outside, or less the distance. */
static double sphere_box_depth(const box *b, const double center[3], double radius)
{
    double square = 0;
    for (int i = 0; i < 3; ++i) {
        double d[3] = {center[0] - b->center[0], center[1] - b->center[1],
                       center[2] - b->center[2]};
        double over = fabs(dot3(d, b->axis[i])) - b->half[i];
        square += over > 0 ? over * over : 0;
    }
    return square > 0 ? radius - sqrt(square) : radius - outside(b, center);
}

static void spheres_in_and_on_boxes(void **state)
{
    (void)state;
    test_random random = {2};
    int inside = 0, touching = 0;
    for (int i = 0; i < 20000; ++i) {
        solid a = {{(lode_real)random_between(&random, 0.1, 1)}, {1, 0, 0, 0}}, b;
        box world = {.center = {0}};
        random_rotation(&random, b.q);
        set_axes(&world, b.q);
        double origin[3] = {0, 0, 0};
        for (int k = 0; k < 3; ++k) {
            b.size[k] = (lode_real)random_between(&random, 0.2, 1.5);
            world.half[k] = (double)b.size[k];
            world.center[k] = (double)(lode_real)random_between(&random, -1.5, 1.5);
        }
        double radius = (double)a.size[0], depth = sphere_box_depth(&world, origin, radius);
        lode__touch out = touch(lode__touch_sphere_box, &a, &b, world.center);
        if (fabs(depth + (double)speculative) < ROUNDING)
            continue;
        assert_int_equal(out.count, depth > -(double)speculative);
        if (out.count == 0)
            continue;
        ++touching;
        inside += outside(&world, origin) < 0;
        assert_true(unit(out.normal));
        assert_true(fabs((double)out.depth[0] - depth) < ROUNDING);
        /* the box's surface lies half the depth along the normal */
        double n[3], p[3], on_box[3];
        get3(out.normal, n);
        get3(out.position[0], p);
        for (int k = 0; k < 3; ++k)
            on_box[k] = p[k] + n[k] * depth / 2;
        assert_true(fabs(outside(&world, on_box)) < 4 * ROUNDING);
        assert_true(fabs(sqrt(dot3(p, p)) - fabs(radius - depth / 2)) < 4 * ROUNDING);
    }
    assert_true(inside > 1000 && touching > 5000);
}

static void spheres_on_planes(void **state)
{
    (void)state;
    solid sphere = {{1}, {1, 0, 0, 0}}, plane = {{0, 0, 1, (lode_real)0.5}, {1, 0, 0, 0}};
    const double offset[3] = {7, 8, -1.25}; /* the plane at 0.75 below the sphere's centre */
    lode__touch out = touch(lode__touch_sphere_plane, &sphere, &plane, offset);
    assert_int_equal(out.count, 1);
    assert_true(out.normal.x == 0 && out.normal.y == 0 && out.normal.z == 1);
    assert_true(out.depth[0] == (lode_real)0.25);
    assert_true(out.position[0].z == (lode_real)-0.875);
    const double far[3] = {0, 0, -1.55};
    assert_int_equal(touch(lode__touch_sphere_plane, &sphere, &plane, far).count, 0);
}

/* Corners of the box below the plane, by brute force: the kept ones are true corners with true
 * depths, the deepest among them. */
static void boxes_on_planes(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 20000; ++i) {
        solid a, b = {{0, 0, 1, 0}, {1, 0, 0, 0}};
        box world = {.center = {0}};
        random_rotation(&random, a.q);
        if (i % 4 == 0)
            a.q[0] = 1, a.q[1] = a.q[2] = a.q[3] = 0;
        set_axes(&world, a.q);
        for (int k = 0; k < 3; ++k) {
            a.size[k] = (lode_real)random_between(&random, 0.2, 1.5);
            world.half[k] = (double)a.size[k];
        }
        double height = (double)(lode_real)random_between(&random, -1, 2.5);
        double down[3] = {0, 0, 1}, offset[3] = {1, -2, -height};
        double deepest = reach(&world, down) - height;
        lode__touch out = touch(lode__touch_box_plane, &a, &b, offset);
        if (fabs(deepest + (double)speculative) < ROUNDING)
            continue;
        assert_true((out.count > 0) == (deepest > -(double)speculative));
        double most = -1;
        for (int k = 0; k < out.count; ++k) {
            double depth = (double)out.depth[k], p[3];
            get3(out.position[k], p);
            most = fmax(most, depth);
            assert_true(fabs(p[2] + height + depth / 2) < 4 * ROUNDING);
            p[2] -= depth / 2;
            assert_true(fabs(outside(&world, p)) < 4 * ROUNDING);
            for (int j = 0; j < k; ++j)
                assert_true(out.feature[j] != out.feature[k]);
        }
        if (out.count > 0)
            assert_true(fabs(most - deepest) < 4 * ROUNDING);
        if (i % 4 == 0 && out.count > 0)
            assert_int_equal(out.count, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_touch_on_the_line_of_centres),
        cmocka_unit_test(concentric_shapes_have_unit_normals),
        cmocka_unit_test(spheres_in_and_on_boxes),
        cmocka_unit_test(spheres_on_planes),
        cmocka_unit_test(boxes_on_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

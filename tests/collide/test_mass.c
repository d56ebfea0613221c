/* test_mass.c: mass properties against sums over many points. */
#include "tests/support/test.h"

#include "collide/mass.h"
#include "core/math.h"
#include "tests/support/random.h"

#include <math.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-12
#else
#define ROUNDING 1e-5
#endif

static bool near(lode_real a, double b, double scale)
{
    return fabs((double)a - b) <= ROUNDING * scale;
}

/* Slices across the axis: of a disc of radius r, moments m r^2 / 2 and m r^2 / 4. */
/* 1/2 m r^2 about the axis, m (3 r^2 + l^2) / 12 across it, l the whole length. */
static void cylinders_weigh_what_is_known(void **state)
{
    (void)state;
    lode_mass m = lode__mass_cylinder(500, (lode_real)0.3, (lode_real)0.8);
    double mass = 500 * 3.14159265358979323846 * 0.09 * 1.6;
    assert_true(fabs((double)m.mass / mass - 1) < 1e-6);
    assert_true(fabs((double)m.inertia[2] / (mass * 0.09 / 2) - 1) < 1e-6);
    for (int i = 0; i < 2; ++i)
        assert_true(fabs((double)m.inertia[i] / (mass * (0.27 + 2.56) / 12) - 1) < 1e-6);
    for (int i = 3; i < 6; ++i)
        assert_true(m.inertia[i] == 0);
    assert_true(lode__mass_is_possible(&m));
}

static void capsules_weigh_as_the_sum_of_their_slices(void **state)
{
    (void)state;
    const double radius = 0.4, half = 0.7, density = 500, step = 1e-4;
    double mass = 0, along = 0, across = 0;
    for (double z = -half - radius + step / 2; z < half + radius; z += step) {
        double over = fmax(fabs(z) - half, 0), square = radius * radius - over * over;
        double slice = density * 3.14159265358979323846 * square * step;
        mass += slice;
        along += slice * square / 2;
        across += slice * (square / 4 + z * z);
    }
    lode_mass m = lode__mass_capsule((lode_real)density, (lode_real)radius, (lode_real)half);
    assert_true(fabs((double)m.mass / mass - 1) < 1e-6);
    assert_true(fabs((double)m.inertia[0] / across - 1) < 1e-6);
    assert_true(fabs((double)m.inertia[1] / across - 1) < 1e-6);
    assert_true(fabs((double)m.inertia[2] / along - 1) < 1e-6);
    m = lode__mass_capsule(7, 2, 0);
    lode_mass ball = lode__mass_sphere(7, 2);
    assert_true(m.mass == ball.mass && m.inertia[0] == ball.inertia[0] &&
                m.inertia[2] == ball.inertia[2]);
}

static void spheres_and_boxes_weigh_what_they_should(void **state)
{
    (void)state;
    lode_mass m = lode__mass_sphere(1000, (lode_real)0.5);
    assert_true(near(m.mass, 523.5987755982989, 1000));
    assert_true(near(m.inertia[1], 52.35987755982989, 100));
    m = lode__mass_box(10, v3(1, 2, 3));
    assert_true(m.mass == 480 && m.inertia[0] == 480 * 13 / 3 && m.inertia[1] == 1600 &&
                m.inertia[2] == 800);
    lode__geometry plane = {.type = LODE_PLANE, .pose = {{1, 2, 3}, {1, 0, 0, 0}}};
    assert_true(lode__mass_of((lode__matter){&plane, NULL, 1000}).mass == 0);
}

/* Inertia of eight point masses about their centre, in double. */
static void point_masses(const lode_vec3 points[8], const double masses[8], double out[10])
{
    double c[3] = {0}, total = 0;
    for (int i = 0; i < 8; ++i) {
        total += masses[i];
        c[0] += masses[i] * (double)points[i].x;
        c[1] += masses[i] * (double)points[i].y;
        c[2] += masses[i] * (double)points[i].z;
    }
    out[0] = total;
    for (int k = 0; k < 3; ++k)
        out[1 + k] = c[k] /= total;
    for (int k = 4; k < 10; ++k)
        out[k] = 0;
    for (int i = 0; i < 8; ++i) {
        double x = (double)points[i].x - c[0], y = (double)points[i].y - c[1];
        double z = (double)points[i].z - c[2], m = masses[i];
        out[4] += m * (y * y + z * z);
        out[5] += m * (x * x + z * z);
        out[6] += m * (x * x + y * y);
        out[7] -= m * x * y;
        out[8] -= m * x * z;
        out[9] -= m * y * z;
    }
}

static void sums_follow_the_parallel_axes(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 200; ++round) {
        lode_vec3 points[8];
        double masses[8], right[10];
        lode_mass sum = lode__mass_zero();
        for (int i = 0; i < 8; ++i) {
            points[i] = v3((lode_real)random_between(&random, -3, 3),
                           (lode_real)random_between(&random, -3, 3),
                           (lode_real)random_between(&random, -3, 3));
            lode_mass point = lode__mass_zero();
            point.mass = (lode_real)random_between(&random, 0.1, 5);
            masses[i] = (double)point.mass;
            sum = lode__mass_add(sum, lode__mass_translate(point, points[i]));
        }
        point_masses(points, masses, right);
        assert_true(near(sum.mass, right[0], 50));
        assert_true(near(sum.center.x, right[1], 10) && near(sum.center.y, right[2], 10) &&
                    near(sum.center.z, right[3], 10));
        for (int k = 0; k < 6; ++k)
            assert_true(near(sum.inertia[k], right[4 + k], 500));
        assert_true(lode__mass_is_possible(&sum));
    }
}

static void a_turned_box_is_two_turned_halves(void **state)
{
    (void)state;
    lode_quat q = q_normalize((lode_quat){1, (lode_real)0.5, (lode_real)-0.25, 2});
    lode_vec3 at = {1, -2, 3}, shift = q_rotate(q, v3((lode_real)0.5, 0, 0));
    lode__geometry whole = {.size = {1, 2, 3, 0}, .pose = {at, q}, .type = LODE_BOX};
    lode__geometry half = {
        .size = {(lode_real)0.5, 2, 3, 0}, .pose = {v3_add(at, shift), q}, .type = LODE_BOX};
    lode_mass one = lode__mass_of((lode__matter){&whole, NULL, 7});
    lode_mass left = lode__mass_of((lode__matter){&half, NULL, 7});
    half.pose.position = v3_sub(at, shift);
    lode_mass both = lode__mass_add(left, lode__mass_of((lode__matter){&half, NULL, 7}));
    assert_true(near(both.mass, (double)one.mass, 1000));
    assert_true(near(both.center.y, -2, 10));
    for (int k = 0; k < 6; ++k)
        assert_true(near(both.inertia[k], (double)one.inertia[k], 10000));
}

static void impossible_masses_are_known(void **state)
{
    (void)state;
    lode_mass good = lode__mass_box(1, v3(1, (lode_real)1e-3, (lode_real)1e-3)), bad;
    assert_true(lode__mass_is_possible(&good));
    good = lode__mass_box(1000, v3((lode_real)1e-3, (lode_real)1e-3, (lode_real)1e-3));
    assert_true(lode__mass_is_possible(&good));
    good = lode__mass_sphere(1, 1);
    for (int k = 0; k < 10; ++k) {
        bad = good;
        lode_real *entry = k == 0 ? &bad.mass : k < 4 ? &bad.center.x + k - 1 : &bad.inertia[k - 4];
        *entry = (lode_real)NAN;
        assert_false(lode__mass_is_possible(&bad));
        *entry = (lode_real)INFINITY;
        assert_false(lode__mass_is_possible(&bad));
    }
    bad = good;
    bad.mass = 0;
    assert_false(lode__mass_is_possible(&bad));
    bad = good;
    bad.inertia[0] = -bad.inertia[0];
    assert_false(lode__mass_is_possible(&bad));
    bad = good;
    bad.inertia[2] = (bad.inertia[0] + bad.inertia[1]) * (lode_real)1.1;
    assert_false(lode__mass_is_possible(&bad));
    bad = good;
    bad.inertia[3] = bad.inertia[0] * (lode_real)1.01;
    assert_false(lode__mass_is_possible(&bad));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_and_boxes_weigh_what_they_should),
        cmocka_unit_test(cylinders_weigh_what_is_known),
        cmocka_unit_test(capsules_weigh_as_the_sum_of_their_slices),
        cmocka_unit_test(sums_follow_the_parallel_axes),
        cmocka_unit_test(a_turned_box_is_two_turned_halves),
        cmocka_unit_test(impossible_masses_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

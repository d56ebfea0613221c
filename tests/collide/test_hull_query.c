/* Lines through hulls and points nearest to them, against planes and projections in double. */
#include "tests/support/test.h"

#include "collide/query_type.h"
#include "core/math.h"
#include "tests/collide/polyhedra.h"

#define R(x) ((lode_real)(x))

#ifdef LODE_DOUBLE
#define ROUNDING 1e-11
#else
#define ROUNDING 1e-5
#endif

/* How far above its highest plane a point is. */
static double above(const body *b, const double p[3])
{
    double most = -1e300;
    for (uint32_t f = 0; f < b->hull->face_count; ++f) {
        double n[3];
        face_axis(b, f, n);
        most = fmax(most, dot3(n, p) - reach_of(b, n));
    }
    return most;
}

static void random_turn(test_random *random, double q[4])
{
    double length = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = random_between(random, -1, 1);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i)
        q[i] /= sqrt(length);
}

static lode__shape_view view(const body *b)
{
    static const lode_real none[4];
    return (lode__shape_view){none, {R(b->q[0]), R(b->q[1]), R(b->q[2]), R(b->q[3])}, b->hull};
}

static void along(const lode__line *line, double t, double out[3])
{
    lode_vec3 o = line->origin, d = line->direction;
    out[0] = (double)o.x + t * (double)d.x;
    out[1] = (double)o.y + t * (double)d.y;
    out[2] = (double)o.z + t * (double)d.z;
}

static void check_line(const body *b, const lode__line *line)
{
    lode__shape_view v = view(b);
    lode__span span;
    double p[3], least = 1e300;
    bool found = lode__span_hull(&v, line, &span);
    for (int i = 0; i <= 200; ++i) {
        double t = -4 + i * 0.04;
        along(line, t, p);
        double height = above(b, p);
        least = fmin(least, height);
        bool within = t > (double)span.enter && t < (double)span.leave;
        if (found && fabs(height) > 10 * ROUNDING)
            assert_int_equal(height < 0, within);
    }
    if (!found)
        assert_true(least > -10 * ROUNDING);
    for (int side = 0; side < 2 && found; ++side) {
        lode_real t = side ? span.leave : span.enter;
        lode__part_hit end = {.t = t, .part = side ? span.leave_part : span.enter_part};
        lode__surface_point at;
        lode__end_hull(&v, line, &end, &at);
        along(line, (double)t, p);
        assert_true(fabs(above(b, p)) < 50 * ROUNDING);
        assert_true(fabs((double)at.position.x - p[0]) < 50 * ROUNDING);
        assert_true(fabs((double)v3_length(at.normal) - 1) < ROUNDING);
        lode_real facing = v3_dot(at.normal, line->direction);
        assert_true(side ? facing >= 0 : facing <= 0);
    }
}

static void lines_run_through_hulls(void **state)
{
    (void)state;
    test_random random = {1};
    for (int kind = 0; kind < POLYHEDRA; ++kind) {
        lode_hull *hull = polyhedron(&random, kind);
        for (int i = 0; i < 100; ++i) {
            body b = {.hull = hull};
            lode__line line;
            random_turn(&random, b.q);
            lode_real c[6];
            for (int k = 0; k < 6; ++k)
                c[k] = R(random_between(&random, -1, 1));
            line.origin = v3(c[0], c[1], c[2]);
            line.direction = v3_normalize_or(v3(c[3], c[4], c[5]), v3(1, 0, 0));
            check_line(&b, &line);
        }
        lode_hull_release(hull);
    }
}

/* Nearest to a point is the one from which all of the hull lies on the other side. */
static void nearest_points_of_hulls_are_nearest(void **state)
{
    (void)state;
    test_random random = {2};
    int inside = 0, outside = 0;
    for (int kind = 0; kind < POLYHEDRA; ++kind) {
        lode_hull *hull = polyhedron(&random, kind);
        for (int i = 0; i < 1000; ++i) {
            body b = {.hull = hull};
            random_turn(&random, b.q);
            lode_vec3 point = v3(R(random_between(&random, -1, 1)),
                                 R(random_between(&random, -1, 1)),
                                 R(random_between(&random, -1, 1)));
            lode__shape_view v = view(&b);
            lode__surface_point at;
            lode_real distance = lode__nearest_hull(&v, point, &at);
            const double p[3] = {(double)point.x, (double)point.y, (double)point.z};
            const double q[3] = {(double)at.position.x, (double)at.position.y,
                                 (double)at.position.z};
            const double n[3] = {(double)at.normal.x, (double)at.normal.y, (double)at.normal.z};
            double height = above(&b, p), apart = 0;
            for (int k = 0; k < 3; ++k) {
                assert_true(fabs(q[k] + n[k] * (double)distance - p[k]) < 10 * ROUNDING);
                apart += (p[k] - q[k]) * (p[k] - q[k]);
            }
            assert_true(fabs(sqrt(apart) - fabs((double)distance)) < 10 * ROUNDING);
            assert_true(fabs(dot3(n, n) - 1) < ROUNDING);
            if (height > 10 * ROUNDING) { /* q is on the hull, and supports it */
                ++outside;
                assert_true(above(&b, q) < 20 * ROUNDING);
                assert_true(reach_of(&b, n) < dot3(n, q) + 20 * ROUNDING);
                assert_true(distance > 0);
            } else if (height < -10 * ROUNDING) {
                ++inside;
                assert_true(fabs((double)distance - height) < 10 * ROUNDING);
            }
        }
        lode_hull_release(hull);
    }
    assert_true(inside > 300 && outside > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_run_through_hulls),
        cmocka_unit_test(nearest_points_of_hulls_are_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

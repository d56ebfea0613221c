/* Lines through solids and nearest points, against an oracle in double that knows of a solid only
 * how far a point is from it, by other formulas than the library's. */
#include "tests/support/test.h"

#include "collide/query_type.h"
#include "collide/surface.h"
#include "core/math.h"
#include "tests/support/random.h"

#include <math.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-11
#else
#define ROUNDING 5e-6
#endif

enum { SOLIDS = 4000, SAMPLES = 400 };

typedef struct solid {
    uint32_t type;
    lode_real size[4];
    lode_quat rotation;
} solid;

static const uint32_t types[] = {LODE_SPHERE, LODE_BOX, LODE_PLANE, LODE_CAPSULE, LODE_CYLINDER};

enum { TYPES = sizeof types / sizeof types[0] };

static lode_real real_between(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

static lode_vec3 random_vec(test_random *random, double most)
{
    lode_real x = real_between(random, -most, most), y = real_between(random, -most, most);
    return v3(x, y, real_between(random, -most, most));
}

static lode_vec3 random_unit(test_random *random)
{
    lode_vec3 v = random_vec(random, 1);
    while (v3_dot(v, v) > 1 || v3_dot(v, v) < (lode_real)0.01)
        v = random_vec(random, 1);
    return v3_normalize_or(v, v3(1, 0, 0));
}

static solid random_solid(test_random *random)
{
    solid s = {.type = types[random_below(random, TYPES)]};
    for (int i = 0; i < 3; ++i)
        s.size[i] = real_between(random, 0.1, 2);
    if (s.type == LODE_PLANE) {
        lode_vec3 n = random_unit(random);
        s.size[0] = n.x;
        s.size[1] = n.y;
        s.size[2] = n.z;
        s.size[3] = real_between(random, -1, 1);
    }
    lode_vec3 a = random_unit(random);
    s.rotation = q_normalize((lode_quat){real_between(random, -1, 1), a.x, a.y, a.z});
    if (random_below(random, 4) == 0)
        s.rotation = q_identity();
    return s;
}

static lode__shape_view view(const solid *s)
{
    return (lode__shape_view){.size = s->size, .rotation = s->rotation};
}

/* Into the solid's own axes, by the rotation's matrix in double. */
static void into(const solid *s, const double p[3], double out[3])
{
    double w = (double)s->rotation.w, x = (double)s->rotation.x, y = (double)s->rotation.y,
           z = (double)s->rotation.z;
    double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                      {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                      {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; ++i)
        out[i] = m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2];
}

/* Distance from the solid, negative inside. */
static double distance_from(const solid *s, const double point[3])
{
    double p[3], size[4];
    into(s, point, p);
    for (int i = 0; i < 4; ++i)
        size[i] = (double)s->size[i];
    if (s->type == LODE_SPHERE)
        return hypot(hypot(p[0], p[1]), p[2]) - size[0];
    if (s->type == LODE_PLANE)
        return p[0] * size[0] + p[1] * size[1] + p[2] * size[2] - size[3];
    if (s->type == LODE_CAPSULE)
        return hypot(hypot(p[0], p[1]), fmax(fabs(p[2]) - size[1], 0)) - size[0];
    if (s->type == LODE_CYLINDER) {
        double beyond = hypot(p[0], p[1]) - size[0], above = fabs(p[2]) - size[1];
        return beyond > 0 && above > 0 ? hypot(beyond, above) : fmax(beyond, above);
    }
    double x = fabs(p[0]) - size[0], y = fabs(p[1]) - size[1], z = fabs(p[2]) - size[2];
    double outside = hypot(hypot(fmax(x, 0), fmax(y, 0)), fmax(z, 0));
    return outside > 0 ? outside : fmax(x, fmax(y, z));
}

static double distance_at(const solid *s, lode_vec3 p)
{
    const double point[3] = {(double)p.x, (double)p.y, (double)p.z};
    return distance_from(s, point);
}

static double distance_along(const solid *s, const lode__line *line, double t)
{
    const double point[3] = {(double)line->origin.x + t * (double)line->direction.x,
                             (double)line->origin.y + t * (double)line->direction.y,
                             (double)line->origin.z + t * (double)line->direction.z};
    return distance_from(s, point);
}

static bool is_unit(lode_vec3 n)
{
    return fabs((double)v3_length(n) - 1) < ROUNDING;
}

/* An end of a span: on the surface, the normal leads away from the solid, and the line crosses. */
static void check_end(const solid *s, const lode__line *line, lode_real t, int32_t part, int side)
{
    lode__shape_view v = view(s);
    if (!r_finite(t))
        return;
    double scale = 4 + fabs((double)t);
    const lode__part_hit hit = {.t = t, .part = part};
    lode__surface_point at;
    lode__query_types[s->type].end(&v, line, &hit, &at);
    assert_true(fabs(distance_along(s, line, (double)t)) < ROUNDING * scale);
    assert_true(fabs(distance_at(s, at.position)) < ROUNDING * scale);
    assert_true(is_unit(at.normal));
    assert_true(fabs(distance_at(s, v3_madd(at.position, at.normal, (lode_real)0.01)) - 0.01) <
                ROUNDING * scale);
    lode_vec3 on_line = v3_madd(line->origin, line->direction, t);
    assert_true((double)v3_length(v3_sub(on_line, at.position)) < 30 * ROUNDING * scale);
    assert_true((double)(v3_dot(at.normal, line->direction) * (lode_real)side) > -0.01);
}

static void spans_are_the_stretch_inside(void **state)
{
    (void)state;
    test_random random = {1};
    int hits = 0;
    for (int i = 0; i < SOLIDS; ++i) {
        solid s = random_solid(&random);
        lode__shape_view v = view(&s);
        lode__line line = {random_vec(&random, 3), random_unit(&random)};
        lode__span span;
        if (random_below(&random, 4) == 0) { /* along an axis of the world */
            lode_real sign = random_below(&random, 2) ? 1 : -1;
            uint32_t axis = random_below(&random, 3);
            line.direction = v3(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
        }
        bool hit = lode__query_types[s.type].span(&v, &line, &span);
        hits += hit;
        if (hit) {
            assert_true(span.enter <= span.leave);
            check_end(&s, &line, span.enter, span.enter_part, -1);
            check_end(&s, &line, span.leave, span.leave_part, 1);
        }
        for (int k = 0; k < SAMPLES; ++k) {
            double t = random_between(&random, -8, 8), d = distance_along(&s, &line, t);
            bool inside = hit && t > (double)span.enter && t < (double)span.leave;
            if (fabs(d) > 40 * ROUNDING)
                assert_int_equal(inside, d < 0);
        }
    }
    assert_true(hits > SOLIDS / 3);
}

/* A ray that comes from far away finds the surface as well as its direction allows. */
static void far_origins_keep_their_digits(void **state)
{
    (void)state;
    test_random random = {2};
    for (int i = 0; i < SOLIDS; ++i) {
        solid s = random_solid(&random);
        lode__shape_view v = view(&s);
        lode_vec3 d = random_unit(&random);
        lode__line line = {v3_scale(d, -1000), d};
        lode__span span;
        if (s.type == LODE_PLANE)
            continue;
        /* rounding of the direction alone carries the line this far aside */
        double aside = 1000 * 4 * (double)REAL_EPSILON;
        if (!lode__query_types[s.type].span(&v, &line, &span))
            fail_msg("a line through the centre misses");
        const lode__part_hit hit = {.t = span.enter, .part = span.enter_part};
        lode__surface_point at;
        lode__query_types[s.type].end(&v, &line, &hit, &at);
        assert_true(fabs(distance_at(&s, at.position)) < ROUNDING * 10);
        /* along a steep surface the error grows: compare with the exact line */
        assert_true(fabs(distance_along(&s, &line, (double)span.enter)) < 8 * aside);
    }
}

static void nearest_points_are_nearest(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 10 * SOLIDS; ++i) {
        solid s = random_solid(&random);
        lode__shape_view v = view(&s);
        lode_vec3 point = random_vec(&random, i % 2 ? 1 : 4);
        lode__surface_point at;
        lode_real distance = lode__query_types[s.type].nearest(&v, point, &at);
        double exact = distance_at(&s, point);
        assert_true(fabs((double)distance - exact) < ROUNDING * 4);
        assert_true(fabs(distance_at(&s, at.position)) < ROUNDING * 4);
        assert_true(is_unit(at.normal));
        assert_true(fabs((double)v3_length(v3_sub(point, at.position)) - fabs(exact)) <
                    ROUNDING * 4);
        assert_true(distance_at(&s, v3_madd(at.position, at.normal, (lode_real)0.01)) > 0.0099);
    }
}

/* Where every direction is as good as any other. */
static void centres_have_a_nearest_point_too(void **state)
{
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 100; ++i) {
        solid s = random_solid(&random);
        lode__shape_view v = view(&s);
        lode__surface_point at;
        lode_real distance = lode__query_types[s.type].nearest(&v, v3_zero(), &at);
        assert_true(fabs((double)distance - distance_at(&s, v3_zero())) < ROUNDING * 4);
        assert_true(fabs(distance_at(&s, at.position)) < ROUNDING * 4);
        assert_true(is_unit(at.normal));
    }
}

/* Every solid has its row; what is made of triangles is no convex solid, and a class of the
 * application knows no nearest points. */
static void the_table_has_no_holes(void **state)
{
    (void)state;
    for (int type = 0; type < LODE_SHAPE_TYPE_COUNT; ++type) {
        if (type_is_surface((uint32_t)type))
            continue;
        assert_non_null(lode__query_types[type].span);
        assert_non_null(lode__query_types[type].end);
        assert_true(lode__query_types[type].nearest || type == LODE_CUSTOM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_are_the_stretch_inside),
        cmocka_unit_test(far_origins_keep_their_digits),
        cmocka_unit_test(nearest_points_are_nearest),
        cmocka_unit_test(centres_have_a_nearest_point_too),
        cmocka_unit_test(the_table_has_no_holes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

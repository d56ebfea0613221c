/* test_capsule.c: capsules against spheres, planes, capsules and boxes. The oracle is in double:
 * the distance from a segment to a convex set is convex along the segment, and is searched. */
#include "tests/collide/one_pair.h"
#include "tests/support/test.h"

#include "collide/narrow.h"
#include "core/math.h"
#include "tests/collide/boxes.h"

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9
#else
#define ROUNDING 2e-5
#endif

static const lode_real speculative = (lode_real)0.02;

typedef struct capsule {
    double radius, half, axis[3], center[3];
} capsule;

/* The shapes of a pair; b is a capsule or a box. */
typedef struct pair {
    lode_real size_a[4], size_b[4];
    lode_quat q_a, q_b;
    lode_vec3 offset;
} pair;

static lode__touch touch(lode__touch_fn *function, const pair *p)
{
    lode__shape_view a = {p->size_a, p->q_a, NULL}, b = {p->size_b, p->q_b, NULL};
    lode__touch out = {.count = 0};
    function(&a, &b, p->offset, speculative, &out);
    return out;
}

static void get3(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static box make_box(const lode_real size[3], lode_quat q, lode_vec3 center)
{
    box b = {.half = {(double)size[0], (double)size[1], (double)size[2]}};
    const double d[4] = {(double)q.w, (double)q.x, (double)q.y, (double)q.z};
    set_axes(&b, d);
    get3(center, b.center);
    return b;
}

static capsule make_capsule(const lode_real size[2], lode_quat q, lode_vec3 center)
{
    box frame = make_box((lode_real[3]){1, 1, 1}, q, center);
    capsule c = {(double)size[0], (double)size[1], {0}, {0}};
    for (int k = 0; k < 3; ++k) {
        c.axis[k] = frame.axis[2][k];
        c.center[k] = frame.center[k];
    }
    return c;
}

/* --- the oracle */

typedef double distance_fn(const void *what, const double point[3]);

static double from_box(const void *what, const double p[3])
{
    const box *b = what;
    double square = 0, d[3] = {p[0] - b->center[0], p[1] - b->center[1], p[2] - b->center[2]};
    for (int i = 0; i < 3; ++i) {
        double over = fmax(fabs(dot3(d, b->axis[i])) - b->half[i], 0);
        square += over * over;
    }
    return sqrt(square);
}

static double from_axis(const void *what, const double p[3])
{
    const capsule *c = what;
    double square = 0, d[3] = {p[0] - c->center[0], p[1] - c->center[1], p[2] - c->center[2]};
    double t = fmax(-c->half, fmin(c->half, dot3(d, c->axis)));
    for (int k = 0; k < 3; ++k)
        square += (d[k] - t * c->axis[k]) * (d[k] - t * c->axis[k]);
    return sqrt(square);
}

static double at_station(const capsule *c, double s, distance_fn *distance, const void *what)
{
    double p[3];
    for (int k = 0; k < 3; ++k)
        p[k] = c->center[k] + s * c->axis[k];
    return distance(what, p);
}

static double axis_distance(const capsule *c, distance_fn *distance, const void *what)
{
    double lo = -c->half, hi = c->half;
    for (int i = 0; i < 120; ++i) {
        double one = lo + (hi - lo) / 3, two = hi - (hi - lo) / 3;
        if (at_station(c, one, distance, what) < at_station(c, two, distance, what))
            hi = two;
        else
            lo = one;
    }
    return at_station(c, (lo + hi) / 2, distance, what);
}

/* --- random pairs, many of them degenerate */

static lode_quat random_quat(test_random *random)
{
    static const double special[][4] = {{1, 0, 0, 0},      {0, 1, 0, 0},    {1, 1, 0, 0},
                                        {1, 0, 1, 0},      {1, 1e-4, 0, 0}, {1, 0, 0.05, 0.3},
                                        {1, 1e-7, 1e-7, 0}};
    double q[4];
    if (random_below(random, 2)) {
        random_rotation(random, q);
    } else {
        const double *s = special[random_below(random, 7)];
        double length = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + s[3] * s[3]);
        for (int k = 0; k < 4; ++k)
            q[k] = s[k] / length;
    }
    return (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
}

static lode_real random_offset(test_random *random)
{
    static const double special[] = {0, 0, 0.5, 1, 1e-6, -1e-12, -0.75};
    return (lode_real)(random_below(random, 4) ? random_between(random, -1.5, 1.5)
                                               : special[random_below(random, 7)]);
}

static pair random_pair(test_random *random)
{
    pair p = {.q_a = random_quat(random), .q_b = random_quat(random)};
    p.size_a[0] = (lode_real)random_between(random, 0.05, 0.6);
    p.size_a[1] = random_below(random, 8) ? (lode_real)random_between(random, 0.01, 2) : 0;
    for (int k = 0; k < 3; ++k)
        p.size_b[k] = (lode_real)random_between(random, 0.1, 1);
    p.offset = v3(random_offset(random), random_offset(random), random_offset(random));
    return p;
}

static double deepest(const lode__touch *t)
{
    double most = -1e300;
    for (int k = 0; k < t->count; ++k)
        most = fmax(most, (double)t->depth[k]);
    return most;
}

static void check_form(const lode__touch *t)
{
    assert_true(fabs((double)v3_length(t->normal) - 1) < ROUNDING);
    for (int k = 0; k < t->count; ++k) {
        assert_true(v3_finite(t->position[k]) && t->depth[k] > -speculative);
        for (int j = 0; j < k; ++j)
            assert_true(t->feature[j] != t->feature[k]);
    }
}

/* Moving a by the deepest contact parts it from b. */
static void check_parts(const capsule *a, const lode__touch *t, distance_fn *distance,
                        const void *b, double reach, double slack)
{
    capsule moved = *a;
    double n[3];
    get3(t->normal, n);
    for (int k = 0; k < 3; ++k)
        moved.center[k] += n[k] * deepest(t);
    assert_true(axis_distance(&moved, distance, b) > reach - slack);
}

/* Each point lies as deep as it says: its station on a's axis is that far from b. The deepest may
 * speak for a station between the points, which is deeper by no more than `more`. */
static void check_stations(const capsule *a, const lode__touch *t, distance_fn *distance,
                           const void *b, double reach, double more)
{
    double n[3], p[3], most = deepest(t);
    get3(t->normal, n);
    for (int k = 0; k < t->count; ++k) {
        get3(t->position[k], p);
        for (int i = 0; i < 3; ++i)
            p[i] += n[i] * (a->radius - (double)t->depth[k] / 2);
        assert_true(from_axis(a, p) < ROUNDING);
        double told = (double)t->depth[k] - (reach - distance(b, p));
        assert_true(told > -ROUNDING);
        assert_true(told < ROUNDING + ((double)t->depth[k] < most ? 0 : more));
    }
}

/* --- sphere and plane */

static void spheres_touch_the_nearest_point_of_the_axis(void **state)
{
    (void)state;
    test_random random = {1};
    int touching = 0;
    for (int i = 0; i < 20000; ++i) {
        pair p = random_pair(&random);
        p.size_a[1] = 0;
        capsule b = make_capsule(p.size_b, p.q_b, p.offset);
        const double origin[3] = {0, 0, 0};
        double depth = (double)p.size_a[0] + b.radius - from_axis(&b, origin);
        lode__touch t = touch(lode__touch_sphere_capsule, &p);
        if (fabs(depth + (double)speculative) < ROUNDING)
            continue;
        assert_int_equal(t.count, depth > -(double)speculative);
        if (t.count == 0)
            continue;
        ++touching;
        capsule a = make_capsule(p.size_a, p.q_a, v3_zero());
        check_form(&t);
        check_stations(&a, &t, from_axis, &b, a.radius + b.radius, 0);
        check_parts(&a, &t, from_axis, &b, a.radius + b.radius, 2e-4);
    }
    assert_true(touching > 5000);
}

static void capsules_stand_and_lie_on_planes(void **state)
{
    (void)state;
    test_random random = {2};
    int two = 0;
    for (int i = 0; i < 20000; ++i) {
        pair p = random_pair(&random);
        lode_vec3 n = q_rotate(random_quat(&random), v3(0, 0, 1));
        p.q_b = q_identity();
        p.size_b[0] = n.x, p.size_b[1] = n.y, p.size_b[2] = n.z;
        p.size_b[3] = (lode_real)random_between(&random, -1, 1);
        capsule a = make_capsule(p.size_a, p.q_a, v3_zero());
        lode__touch t = touch(lode__touch_capsule_plane, &p);
        double normal[3], offset[3];
        get3(n, normal);
        get3(p.offset, offset);
        for (int end = 0; end < 2; ++end) {
            double s = end ? a.half : -a.half, depth, q[3];
            depth = a.radius + dot3(normal, offset) + (double)p.size_b[3] -
                    s * dot3(normal, a.axis);
            int k = 0;
            while (k < t.count && t.feature[k] != (uint32_t)end + 1)
                ++k;
            if (fabs(depth + (double)speculative) < ROUNDING)
                continue;
            assert_true((k < t.count) == (depth > -(double)speculative));
            if (k == t.count)
                continue;
            assert_true(fabs((double)t.depth[k] - depth) < ROUNDING);
            get3(t.position[k], q);
            for (int j = 0; j < 3; ++j)
                assert_true(fabs(q[j] - s * a.axis[j] + normal[j] * (a.radius - depth / 2)) <
                            ROUNDING);
        }
        two += t.count == 2;
        assert_true(t.count <= 2);
    }
    assert_true(two > 2000);
}

/* --- capsules */

static void capsules_are_as_deep_as_their_axes_are_near(void **state)
{
    (void)state;
    test_random random = {3};
    int counts[4] = {0}, meeting = 0;
    for (int i = 0; i < 40000; ++i) {
        pair p = random_pair(&random);
        capsule a = make_capsule(p.size_a, p.q_a, v3_zero());
        capsule b = make_capsule(p.size_b, p.q_b, p.offset);
        double reach = a.radius + b.radius, distance = axis_distance(&a, from_axis, &b);
        double depth = reach - distance;
        lode__touch t = touch(lode__touch_capsule_capsule, &p);
        if (fabs(depth + (double)speculative) < ROUNDING)
            continue;
        assert_true((t.count > 0) == (depth > -(double)speculative));
        if (t.count == 0)
            continue;
        ++counts[t.count];
        meeting += distance < 1e-6;
        check_form(&t);
        check_stations(&a, &t, from_axis, &b, reach, 0);
        /* a flat line may leave out the middle */
        double left_out = (double)speculative * 0.05 + ROUNDING;
        assert_true(deepest(&t) < depth + ROUNDING && deepest(&t) > depth - left_out);
        check_parts(&a, &t, from_axis, &b, reach, left_out + 2e-4 * reach);
    }
    assert_true(counts[1] > 5000 && counts[2] > 1000 && counts[3] > 10 && meeting > 100);
}

static void the_order_of_capsules_does_not_matter(void **state)
{
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 20000; ++i) {
        pair p = random_pair(&random), swapped;
        capsule a = make_capsule(p.size_a, p.q_a, v3_zero());
        capsule b = make_capsule(p.size_b, p.q_b, p.offset);
        double distance = axis_distance(&a, from_axis, &b);
        swapped = (pair){.q_a = p.q_b, .q_b = p.q_a, .offset = v3_neg(p.offset)};
        for (int k = 0; k < 4; ++k) {
            swapped.size_a[k] = p.size_b[k];
            swapped.size_b[k] = p.size_a[k];
        }
        lode__touch one = touch(lode__touch_capsule_capsule, &p);
        lode__touch other = touch(lode__touch_capsule_capsule, &swapped);
        if (one.count == 0 || other.count == 0 || distance < 0.01)
            continue;
        assert_true(fabs(deepest(&one) - deepest(&other)) < (double)speculative * 0.05 + ROUNDING);
        if (dot3(a.axis, b.axis) * dot3(a.axis, b.axis) > 0.999)
            continue; /* any station of a flat line may give the normal */
        assert_true((double)v3_dot(one.normal, other.normal) < -1 + 1e-3);
    }
}

static void parallel_capsules_touch_at_both_ends_of_their_overlap(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 2000; ++i) {
        double q[4], shift = random_between(&random, -1, 1);
        random_rotation(&random, q);
        pair p = {.size_a = {(lode_real)0.2, 1}, .size_b = {(lode_real)0.3, (lode_real)0.7}};
        p.q_a = (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
        p.q_b = i % 2 ? p.q_a : q_mul(p.q_a, (lode_quat){0, 1, 0, 0}); /* other way round */
        p.offset = q_rotate(p.q_a, v3(0, (lode_real)0.45, (lode_real)shift));
        lode__touch t = touch(lode__touch_capsule_capsule, &p);
        assert_int_equal(t.count, 2);
        lode_vec3 axis = q_rotate(p.q_a, v3(0, 0, 1));
        double lower = fmax(-1, shift - 0.7), upper = fmin(1, shift + 0.7);
        assert_true(fabs((double)v3_dot(t.position[0], axis) - lower) < ROUNDING);
        assert_true(fabs((double)v3_dot(t.position[1], axis) - upper) < ROUNDING);
        assert_true(t.feature[0] == 1 && t.feature[1] == 2);
        for (int k = 0; k < 2; ++k)
            assert_true(fabs((double)t.depth[k] - 0.05) < ROUNDING);
    }
}

/* --- boxes */

static void check_apart(const capsule *a, const box *b, const lode__touch *t, double depth)
{
    assert_true(fabs(deepest(t) - depth) < ROUNDING);
    check_stations(a, t, from_box, b, a->radius, (double)speculative * 0.05);
    check_parts(a, t, from_box, b, a->radius, ROUNDING);
}

/* How far the capsule must move along n to leave the box. */
static double way_along(const capsule *a, const box *b, const double n[3])
{
    double d[3] = {a->center[0] - b->center[0], a->center[1] - b->center[1],
                   a->center[2] - b->center[2]};
    return a->radius + a->half * fabs(dot3(a->axis, n)) + reach(b, n) - dot3(d, n);
}

/* No other way out is shorter by more than what a face is forgiven. */
static void check_through(const capsule *a, const box *b, const lode__touch *t, test_random *random)
{
    double n[3], way, forgiven;
    get3(t->normal, n);
    way = way_along(a, b, n);
    forgiven = 0.05 * (way - a->radius) + 0.05 * (double)speculative + 10 * ROUNDING;
    assert_true(deepest(t) <= way + ROUNDING && deepest(t) > way - forgiven);
    for (int i = 0; i < 60; ++i) {
        double q[4];
        random_rotation(random, q);
        box any = {.half = {0}};
        set_axes(&any, q);
        for (int k = 0; k < 3; ++k)
            assert_true(way_along(a, b, any.axis[k]) > way - forgiven);
    }
    check_parts(a, t, from_box, b, a->radius, 10 * ROUNDING);
}

/* A turn that leaves the axis, z, all but along an edge of what has this one. */
static lode_quat nearly_along(test_random *random, lode_quat q)
{
    static const lode_quat edges[3] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}};
    lode_quat edge = edges[random_below(random, 3)];
    double small = pow(10, random_between(random, -7, -1));
    double x = random_between(random, -small, small), y = random_between(random, -small, small);
    lode_quat aside = q_normalize((lode_quat){1, (lode_real)x, (lode_real)y, 0});
    return q_normalize(q_mul(q, q_mul(q_normalize(edge), aside)));
}

static void capsules_at_and_in_boxes(void **state)
{
    (void)state;
    test_random random = {6};
    int counts[4] = {0}, through = 0;
    for (int i = 0; i < 60000; ++i) {
        pair p = random_pair(&random);
        if (i % 4 == 0)
            p.q_a = nearly_along(&random, p.q_b);
        capsule a = make_capsule(p.size_a, p.q_a, v3_zero());
        box b = make_box(p.size_b, p.q_b, p.offset);
        double distance = axis_distance(&a, from_box, &b), depth = a.radius - distance;
        lode__touch t = touch(lode__touch_capsule_box, &p);
        if (fabs(depth + (double)speculative) < ROUNDING)
            continue;
        assert_true((t.count > 0) == (depth > -(double)speculative));
        if (t.count == 0)
            continue;
        ++counts[t.count];
        through += distance < 1e-9;
        check_form(&t);
        if (distance > 2e-4 * a.radius + ROUNDING)
            check_apart(&a, &b, &t, depth);
        else if (distance < 1e-9)
            check_through(&a, &b, &t, &random);
    }
    assert_true(counts[1] > 2000 && counts[2] > 2000 && through > 2000);
}

/* What lies on a face touches at the ends of the stretch above it, on every face. */
static void capsules_lie_on_faces(void **state)
{
    (void)state;
    static const lode_quat turns[6] = {{1, 0, 0, 0},  {0, 1, 0, 0}, {1, 1, 0, 0},
                                       {1, -1, 0, 0}, {1, 0, 1, 0}, {1, 0, -1, 0}};
    test_random random = {7};
    for (int i = 0; i < 6000; ++i) {
        lode_quat turn = q_normalize(turns[i % 6]);
        double yaw = random_between(&random, -0.3, 0.3), x = random_between(&random, -1, 1);
        lode_quat lying = q_normalize((lode_quat){1, 0, 1, 0}); /* along x */
        lode_quat spin = q_normalize((lode_quat){1, 0, 0, (lode_real)yaw});
        double ends[2] = {fmax(-1, x - 0.5), fmin(1, x + 0.5)};
        pair p = {.size_a = {(lode_real)0.2, (lode_real)0.5}, .size_b = {1, 1, 1}};
        p.q_a = q_mul(turn, i % 2 ? lying : q_mul(lying, (lode_quat){0, 1, 0, 0}));
        p.q_b = turn;
        p.offset = q_rotate(turn, v3((lode_real)-x, 0, (lode_real)-1.19));
        lode__touch t = touch(lode__touch_capsule_box, &p);
        assert_int_equal(t.count, 2);
        for (int k = 0; k < 2; ++k) {
            lode_vec3 at = q_rotate_inv(turn, t.position[k]);
            double end = (double)at.x + x;
            assert_true(fmin(fabs(end - ends[0]), fabs(end - ends[1])) < 0.02 * 0.2 + ROUNDING);
            assert_true(fabs((double)at.z + 0.195) < 1e-4);
            assert_true(fabs((double)t.depth[k] - 0.01) < 1e-4);
        }
        p.q_a = q_mul(turn, q_mul(spin, lying));
        t = touch(lode__touch_capsule_box, &p);
        assert_int_equal(t.count, 2);
    }
}

/* As deep as can be: sunk by nearly the radius, and by more. */
static void sinking_capsules_keep_their_normal(void **state)
{
    (void)state;
    for (int i = 0; i <= 400; ++i) {
        double height = 0.21 - 0.001 * i; /* of the axis above the face */
        pair p = {.size_a = {(lode_real)0.2, (lode_real)0.5}, .size_b = {1, 1, 1}};
        p.q_a = q_normalize((lode_quat){1, 0, 1, (lode_real)1e-3});
        p.q_b = q_identity();
        p.offset = v3((lode_real)0.1, (lode_real)0.2, (lode_real)(-1 - height));
        lode__touch t = touch(lode__touch_capsule_box, &p);
        assert_int_equal(t.count, 2);
        assert_true((double)t.normal.z > 1 - 1e-5);
        assert_true(fabs(deepest(&t) - (0.2 - height)) < 1e-3);
        assert_true(t.feature[0] == 1 && t.feature[1] == 2);
    }
}

/* --- what rests keeps its features while it shakes by rounding */

static void shake(lode_quat *q, lode_vec3 *offset, test_random *random)
{
    lode_real *numbers[] = {&q->w, &q->x, &q->y, &q->z, &offset->x, &offset->y, &offset->z};
    for (int k = 0; k < 7; ++k)
        *numbers[k] += (lode_real)random_between(random, -1e-4, 1e-4);
    *q = q_normalize(*q);
}

/* A capsule of radius 0.2 and half length 0.5 lies on a box, or on its like. */
typedef struct rest {
    lode__touch_fn *touch;
    double width; /* half, of the box along y */
    lode_quat q_a, q_b;
    double x, y, z;
    int count;
} rest;

static pair pair_of(const rest *r)
{
    const lode_real radius = (lode_real)0.2, length = (lode_real)0.5;
    pair p = {{radius, length},
              {1, (lode_real)r->width, 1},
              r->q_a,
              r->q_b,
              {(lode_real)r->x, (lode_real)r->y, (lode_real)r->z}};
    if (r->touch == lode__touch_capsule_capsule) {
        p.size_b[0] = radius;
        p.size_b[1] = length;
        p.size_b[2] = 0;
    }
    return p;
}

static void expect_features_kept(const rest *r, test_random *random)
{
    pair still = pair_of(r);
    lode__touch first = touch(r->touch, &still);
    assert_int_equal(first.count, r->count);
    for (int i = 0; i < 1000; ++i) {
        pair p = still;
        shake(&p.q_a, &p.offset, random);
        lode__touch t = touch(r->touch, &p);
        assert_int_equal(t.count, first.count);
        for (int k = 0; k < t.count; ++k)
            assert_int_equal(t.feature[k], first.feature[k]);
    }
}

static void shaking_capsules_keep_their_features(void **state)
{
    (void)state;
    lode_quat level = {1, 0, 0, 0}, lying = q_normalize((lode_quat){1, 0, 1, 0});
    lode_quat crossing = q_normalize((lode_quat){1, 1, 0, 0});
    const rest rests[] = {
        {lode__touch_capsule_box, 1, lying, level, 0, 0, -1.195, 2},    /* on a face */
        {lode__touch_capsule_box, 1, lying, level, -0.8, 0, -1.195, 2}, /* over the edge */
        {lode__touch_capsule_box, 1, lying, level, 0, 1, -1.195, 2},    /* along the edge */
        {lode__touch_capsule_box, 0.05, lying, level, 0, 0, -1.195, 2}, /* on a narrow beam */
        {lode__touch_capsule_box, 1, level, level, 0, 0, -1.695, 1},    /* upright */
        {lode__touch_capsule_capsule, 0, lying, lying, 0, 0, -0.395, 2},
        {lode__touch_capsule_capsule, 0, lying, crossing, 0, 0, -0.395, 1},
    };
    test_random random = {8};
    for (size_t r = 0; r < sizeof rests / sizeof *rests; ++r)
        expect_features_kept(&rests[r], &random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_touch_the_nearest_point_of_the_axis),
        cmocka_unit_test(capsules_stand_and_lie_on_planes),
        cmocka_unit_test(capsules_are_as_deep_as_their_axes_are_near),
        cmocka_unit_test(the_order_of_capsules_does_not_matter),
        cmocka_unit_test(parallel_capsules_touch_at_both_ends_of_their_overlap),
        cmocka_unit_test(capsules_at_and_in_boxes),
        cmocka_unit_test(capsules_lie_on_faces),
        cmocka_unit_test(sinking_capsules_keep_their_normal),
        cmocka_unit_test(shaking_capsules_keep_their_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

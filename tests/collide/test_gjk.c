/* test_gjk.c: distances and depths of convex cores. A distance is proved by its own answer: points of
 * both solids that are so far apart, and a direction along which they are. A depth is a way out that is
 * proved by its direction, and that no other direction undercuts. */
#include "tests/support/test.h"

#include "collide/gjk.h"
#include "tests/collide/solids.h"

/* A solid and what the library sees of it. */
typedef struct subject {
    solid oracle;
    lode_real size[4];
    lode_vec3 corner[3];
    lode_quat rotation;
} subject;

static lode__convex convex_of(const subject *s)
{
    static const lode_shape_type types[] = {LODE_SPHERE, LODE_BOX, LODE_CAPSULE};
    if (s->oracle.kind == DRUM)
        return convex_make(&lode__convex_cylinder, s->size, NULL);
    if (s->oracle.kind == TRIANGLE)
        return convex_make(&lode__convex_triangle, s->size, s->corner);
    return convex_make(&lode__convex_types[types[s->oracle.kind]], s->size, NULL);
}

/* Rotations of single precision are units to its rounding only: the oracle takes the same number and
 * makes it a unit in double. */
static void set_rotation(subject *s, const double q[4])
{
    s->rotation = (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
    double r[4] = {s->rotation.w, s->rotation.x, s->rotation.y, s->rotation.z}, length = 0;
    for (int k = 0; k < 4; ++k)
        length += r[k] * r[k];
    for (int k = 0; k < 4; ++k)
        r[k] /= sqrt(length);
    box frame = {.half = {0}};
    set_axes(&frame, r);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            s->oracle.axis[i][k] = frame.axis[i][k];
}

static void random_turn(test_random *random, double q[4])
{
    static const double special[][4] = {{1, 0, 0, 0}, {0, 1, 0, 0},    {1, 1, 0, 0},
                                        {1, 0, 1, 0}, {1, 1e-4, 0, 0}, {1, 1e-7, 1e-7, 0}};
    int which = random_below(random, 12);
    if (which >= 6)
        random_rotation(random, q);
    else
        for (int k = 0; k < 4; ++k)
            q[k] = special[which][k];
}

/* Sizes between the two, each by itself. Cores: radii are left out of the oracle, like in the library. */
static subject random_subject(test_random *random, solid_kind kind, double least, double most)
{
    subject s = {.oracle = {.kind = kind}};
    double q[4];
    random_turn(random, q);
    set_rotation(&s, q);
    for (int k = 0; k < 3; ++k) {
        s.size[k] = (lode_real)random_scale(random, least, most);
        s.oracle.size[k] = (double)s.size[k];
        for (int i = 0; i < 3; ++i) {
            double x = random_between(random, -1, 1) * s.oracle.size[0];
            (&s.corner[k].x)[i] = (lode_real)x;
            s.oracle.corner[k][i] = (double)(lode_real)x;
        }
    }
    if (kind == BALL || kind == ROD)
        s.oracle.size[0] = 0;
    return s;
}

typedef struct subjects {
    subject a, b;
    lode_vec3 offset;
    double scale;
} subjects;

/* gcc 12 at -O3 takes the double for the real when it lays both in one vector, so the number goes
 * through memory. */
static double as_real(double x)
{
    volatile lode_real r = (lode_real)x;
    return (double)r;
}

static void place(subjects *s, double x, double y, double z)
{
    const double at[3] = {as_real(x), as_real(y), as_real(z)};
    s->offset = v3((lode_real)at[0], (lode_real)at[1], (lode_real)at[2]);
    for (int k = 0; k < 3; ++k)
        s->b.oracle.center[k] = at[k];
}

static double span(const subject *s)
{
    double most = 0;
    for (int i = 0; i < 3; ++i)
        most = fmax(most, solid_reach(&s->oracle, s->oracle.axis[i]));
    for (int k = 0; k < 3; ++k)
        most = fmax(most, s->oracle.kind == TRIANGLE ? length3(s->oracle.corner[k]) : 1e-6);
    return most;
}

static subjects random_subjects(test_random *random, solid_kind a, solid_kind b, double least,
                                double most)
{
    subjects s = {.a = random_subject(random, a, least, most),
                  .b = random_subject(random, b, least, most)};
    double reach = span(&s.a) + span(&s.b), x[3];
    for (int k = 0; k < 3; ++k)
        x[k] = random_below(random, 5) ? random_between(random, -1, 1) * reach : 0;
    if (random_below(random, 3) == 0)
        for (int k = 0; k < 3; ++k)
            x[k] *= 0.2;
    place(&s, x[0], x[1], x[2]);
    s.scale = reach + length3(s.b.oracle.center);
    return s;
}

/* In world axes. */
static void to_world(const subject *a, lode__double3 v, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = v.x * a->oracle.axis[0][k] + v.y * a->oracle.axis[1][k] +
                 v.z * a->oracle.axis[2][k];
}

typedef struct answer {
    lode__nearest nearest;
    double n[3], on_a[3], on_b[3];
    bool apart;
} answer;

static answer ask(const subjects *s)
{
    lode__convex_pair pair = lode__convex_pair_make(convex_of(&s->a), s->a.rotation,
                                                    convex_of(&s->b), s->b.rotation, s->offset);
    answer out = {.apart = false};
    lode__simplex simplex;
    out.apart = lode__gjk_distance(&pair, -1, &out.nearest, &simplex);
    if (!out.apart)
        lode__gjk_depth(&pair, &simplex, &out.nearest);
    to_world(&s->a, out.nearest.normal, out.n);
    to_world(&s->a, out.nearest.on_a, out.on_a);
    to_world(&s->a, out.nearest.on_b, out.on_b);
    return out;
}

/* The points are the solids' own, and the gap leads from one to the other along the normal. Within a
 * drum on its axis all ways out are the same, and the search ends on a chord. */
static void check_points(const subjects *s, const answer *r)
{
    double d[3], tolerance = (r->apart ? 1e-9 : 1e-3) * s->scale;
    assert_true(fabs(length3(r->n) - 1) < 1e-12);
    assert_true(solid_outside(&s->a.oracle, r->on_a) < tolerance);
    assert_true(solid_outside(&s->b.oracle, r->on_b) < tolerance);
    for (int k = 0; k < 3; ++k)
        d[k] = r->on_b[k] + r->n[k] * r->nearest.gap - r->on_a[k];
    assert_true(length3(d) < 1e-7 * s->scale);
}

/* How much shorter another way out is than the one that was found, as a share of the size. */
static double check_answer(const subjects *s, test_random *random, double exact)
{
    answer r = ask(s);
    double along = solid_gap(&s->a.oracle, &s->b.oracle, r.n), n[3];
    check_points(s, &r);
    assert_true(fabs(along - r.nearest.gap) < (r.apart ? exact : 1e-12) * s->scale);
    if (r.apart)
        return -1;
    assert_true(r.nearest.gap < 2e-10 * s->scale);
    return (solid_largest_gap(&s->a.oracle, &s->b.oracle, random, n) - r.nearest.gap) / s->scale;
}

static bool is_round(int kind)
{
    return kind == BALL || kind == ROD || kind == DRUM;
}

static void check_pairs(uint64_t seed, double least, double most, double exact)
{
    test_random random = {seed};
    for (int a = 0; a < SOLID_KINDS; ++a)
        for (int b = 0; b < SOLID_KINDS; ++b) {
            bool coaxial = (a == DRUM && is_round(b)) || (b == DRUM && is_round(a));
            int apart = 0;
            for (int i = 0; i < 300; ++i) {
                subjects s = random_subjects(&random, (solid_kind)a, (solid_kind)b, least, most);
                double longer = check_answer(&s, &random, exact);
                assert_true(longer < (coaxial ? 1e-7 : 1e-11));
                apart += longer == -1;
            }
            assert_true(apart > 20);
            assert_true(a == BALL || b == BALL || apart < 300);
        }
}

static void every_pair_at_every_place(void **state)
{
    (void)state;
    check_pairs(1, 0.1, 1, 3e-8);
}

static void needles_and_discs(void **state)
{
    (void)state;
    check_pairs(2, 1e-3, 1e3, 1e-7);
}

/* Solids that only just touch, and by less than rounding do not: the answer is 0 from both sides. */
static void touching_is_no_gap(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 6000; ++i) {
        solid_kind a = (solid_kind)random_below(&random, SOLID_KINDS);
        solid_kind b = (solid_kind)random_below(&random, SOLID_KINDS);
        subjects s = random_subjects(&random, a, b, 0.1, 1);
        answer r = ask(&s);
        double center[3],
            share = random_below(&random, 2) ? 1 : random_between(&random, 1, 1.00001);
        for (int k = 0; k < 3; ++k)
            center[k] = s.b.oracle.center[k] + share * r.nearest.gap * r.n[k];
        place(&s, center[0], center[1], center[2]);
        answer now = ask(&s);
        assert_true(fabs(now.nearest.gap) < 2e-5 * s.scale);
        double along = solid_gap(&s.a.oracle, &s.b.oracle, now.n);
        assert_true(fabs(along - now.nearest.gap) < 2e-6 * s.scale);
    }
}

/* What was known to be too far is said at once, and never of what is near. */
static void beyond_is_a_bound(void **state)
{
    (void)state;
    test_random random = {4};
    int far = 0;
    for (int i = 0; i < 6000; ++i) {
        solid_kind a = (solid_kind)random_below(&random, SOLID_KINDS);
        solid_kind b = (solid_kind)random_below(&random, SOLID_KINDS);
        subjects s = random_subjects(&random, a, b, 0.1, 1);
        lode__convex_pair pair = lode__convex_pair_make(convex_of(&s.a), s.a.rotation,
                                                        convex_of(&s.b), s.b.rotation, s.offset);
        double beyond = random_between(&random, 0, 0.5), exact = ask(&s).nearest.gap;
        lode__nearest near;
        lode__gjk_nearest(&pair, beyond, &near);
        far += near.gap > beyond;
        if (fabs(exact - beyond) > 1e-9)
            assert_true((near.gap > beyond) == (exact > beyond));
        assert_true(near.gap <= exact + 1e-9);
    }
    assert_true(far > 1000 && far < 5000);
}

/* Faces, edges and corners are the solids' own, their polygons flat and the right way round, and what
 * lies along the direction is among them. */
static void check_face(const subject *s, const double world[3])
{
    double d[3];
    for (int k = 0; k < 3; ++k)
        d[k] = dot3(s->oracle.axis[k], world);
    lode__convex convex = convex_of(s);
    lode__face face;
    convex.type->face(&convex, d3(d[0], d[1], d[2]), &face);
    assert_true(face.count >= 1 && face.count <= LODE__FACE_POINTS);
    double most = -1e300;
    for (int k = 0; k < face.count; ++k) {
        lode__double3 p = face.point[k];
        double at[3] = {0, 0, 0}, local[3] = {p.x, p.y, p.z};
        for (int i = 0; i < 3; ++i)
            add_scaled(at, s->oracle.axis[i], local[i]);
        assert_true(solid_outside(&s->oracle, at) < 1e-12);
        assert_true(face.vertex[k] < LODE__FACE_NAMES && face.edge[k] < LODE__FACE_NAMES);
        for (int j = 0; j < k; ++j) {
            assert_true(face.vertex[j] != face.vertex[k]);
            assert_true(face.count == 2 || face.edge[j] != face.edge[k]);
        }
        most = fmax(most, dot3(at, world));
        if (face.count < 3)
            continue;
        lode__double3 q = face.point[(k + 1) % face.count], r = face.point[(k + 2) % face.count];
        lode__double3 turn = d3_cross(d3_sub(q, p), d3_sub(r, q));
        assert_true(d3_dot(turn, face.normal) > 0.999 * d3_length(turn));
    }
    if (!face.round && s->oracle.kind != TRIANGLE)
        assert_true(most > solid_reach(&s->oracle, world) - 1e-12);
    if (face.count > 2)
        assert_true(d3_dot(face.normal, d3(d[0], d[1], d[2])) > 0.57 || s->oracle.kind == TRIANGLE);
}

static void faces_look_along_the_direction(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 20000; ++i) {
        subject s = random_subject(&random, (solid_kind)(i % SOLID_KINDS), 0.1, 1);
        double q[4];
        random_rotation(&random, q);
        box frame = {.half = {0}};
        set_axes(&frame, q);
        check_face(&s, frame.axis[0]);
        check_face(&s, s.oracle.axis[i / SOLID_KINDS % 3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_at_every_place),
        cmocka_unit_test(needles_and_discs),
        cmocka_unit_test(touching_is_no_gap),
        cmocka_unit_test(beyond_is_a_bound),
        cmocka_unit_test(faces_look_along_the_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

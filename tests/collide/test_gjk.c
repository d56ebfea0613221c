/* test_gjk.c: distances and depths of convex cores. A distance is proved by its own answer: points
 * of both solids that are so far apart, and a direction along which they are. A depth is a way out
 * that is proved by its direction, and that no other direction undercuts. */
#include "tests/support/test.h"

#include "collide/gjk.h"
#include "collide/hull.h"
#include "tests/collide/subjects.h"

#include <stdlib.h>

/* Without radii, as the methods see them. */
static subjects random_cores(test_random *random, solid_kind a, solid_kind b, double least,
                             double most)
{
    subjects s = random_subjects(random, a, b, least, most);
    s.a.oracle.size[0] *= a != BALL && a != ROD;
    s.b.oracle.size[0] *= b != BALL && b != ROD;
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
    answer out = {.apart = lode__gjk_distance(&pair, -1, &out.nearest, NULL)};
    lode__gjk_nearest(&pair, -1, &out.nearest);
    to_world(&s->a, out.nearest.normal, out.n);
    to_world(&s->a, out.nearest.on_a, out.on_a);
    to_world(&s->a, out.nearest.on_b, out.on_b);
    return out;
}

/* The points are the solids' own, and the gap leads from one to the other along the normal. Within
 * a drum on its axis all ways out are the same, and the search ends on a chord. */
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

static void check_pairs(uint64_t seed, double least, double most, double exact)
{
    test_random random = {seed};
    for (int a = 0; a < SOLID_KINDS; ++a)
        for (int b = 0; b < SOLID_KINDS; ++b) {
            int apart = 0, inexact = 0;
            for (int i = 0; i < 300; ++i) {
                subjects s = random_cores(&random, (solid_kind)a, (solid_kind)b, least, most);
                double longer = check_answer(&s, &random, exact);
                /* on a drum's axis all ways out are the same but for little */
                assert_true(longer < (a == DRUM || b == DRUM ? 1e-4 : 1e-11));
                apart += longer == -1;
                inexact += longer > 1e-10;
            }
            assert_true(apart > 20 && inexact < 9);
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

/* Solids that only just touch, and by less than rounding do not: the answer is 0 from both sides.
 * */
static void touching_is_no_gap(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 6000; ++i) {
        solid_kind a = (solid_kind)random_below(&random, SOLID_KINDS);
        solid_kind b = (solid_kind)random_below(&random, SOLID_KINDS);
        subjects s = random_cores(&random, a, b, 0.1, 1);
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
        subjects s = random_cores(&random, a, b, 0.1, 1);
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

/* --- cylinders by their corners, edges and rims */

/* How many pairs were apart or overlapped, and of how many overlaps nothing was known, or no more
 * than that they are so deep if they overlap. */
typedef struct tally {
    int apart, told, deep, unknown, unproved;
} tally;

/* Whatever is said is right: no deeper a way than polytopes find, and `rounding` is of the size. */
static void check_cylinder(const lode__convex_pair *pair, double scale, double rounding,
                           tally *count)
{
    lode__nearest grown, found;
    lode__simplex simplex;
    bool apart = lode__gjk_distance(pair, -1, &grown, &simplex);
    lode__cylinder_answer answer = lode__cylinder_nearest(pair, -1, &found);
    assert_true((answer != LODE__CYLINDER_OVERLAP || !apart) &&
                (answer != LODE__CYLINDER_APART || apart || found.gap < 2e-10 * scale));
    count->apart += apart;
    count->told += apart && answer == LODE__CYLINDER_APART;
    count->deep += !apart;
    count->unknown += !apart && answer == LODE__CYLINDER_UNKNOWN;
    count->unproved += !apart && answer == LODE__CYLINDER_IF_OVERLAP;
    if (answer == LODE__CYLINDER_UNKNOWN || (apart && answer != LODE__CYLINDER_APART))
        return;
    if (!apart)
        lode__gjk_depth(pair, &simplex, &grown);
    assert_true(found.gap > grown.gap - (apart ? 1e-7 : 1e-11) * scale - rounding * scale);
    /* polytopes run out of memory */
    assert_true(found.gap < grown.gap + (apart ? 1e-7 : 1e-4) * scale);
    assert_true(fabs(convex_gap(pair, found.normal) - found.gap) < (1e-12 + rounding) * scale);
    lode__double3 way = d3_sub(found.on_a, found.on_b);
    assert_true(d3_length(d3_madd(way, found.normal, -found.gap)) < 1e-12 * scale);
}

static void check_cylinders(solid_kind a, solid_kind b, uint64_t seed, double least, double most,
                            int shots, tally *count)
{
    test_random random = {seed};
    for (int i = 0; i < shots; ++i) {
        subjects s = random_cores(&random, a, b, least, most);
        lode__convex_pair pair = lode__convex_pair_make(convex_of(&s.a), s.a.rotation,
                                                        convex_of(&s.b), s.b.rotation, s.offset);
        check_cylinder(&pair, s.scale, 0, count);
    }
}

/* LODE_SHOTS=30000 asks more, and prints how much is left to the general searches. */
static int shots_of(int few)
{
    const char *shots = getenv("LODE_SHOTS");
    return shots ? atoi(shots) : few;
}

static void print_tally(const char *name, const tally *t)
{
    if (getenv("LODE_SHOTS"))
        print_message(
            "cylinder and %s: of %d overlaps %.3f %% are left to polytopes, %.2f %% to a proof "
            "that they overlap; of %d gaps %.0f %% to the search for the distance\n",
            name, t->deep, 100.0 * t->unknown / t->deep, 100.0 * t->unproved / t->deep, t->apart,
            100 - 100.0 * t->told / t->apart);
}

static void cylinders_are_as_deep_as_polytopes_say(void **state)
{
    (void)state;
    static const solid_kind other[] = {DRUM, BRICK, ROD, TRIANGLE};
    static const char *const names[] = {"cylinder", "box", "capsule's axis", "triangle"};
    for (uint64_t k = 0; k < 4; ++k) {
        tally count = {0};
        check_cylinders(DRUM, other[k], 10 + k, 0.1, 1, shots_of(800), &count);
        check_cylinders(other[k], DRUM, 20 + k, 1e-2, 10, shots_of(800), &count);
        print_tally(names[k], &count);
        /* hardly ever nothing is said, and mostly all */
        assert_true(count.deep > 300 && count.unknown <= count.deep / 200);
        assert_true(count.unproved < count.deep / 4 && count.told > count.apart / 3);
    }
}

/* A prism of so many sides, or a cloud: faces of more than three corners are flat but for rounding.
 * */
static lode_hull *random_hull(test_random *random, int count, bool prism)
{
    lode_real points[64][3];
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            double angle = i / 2 * 4 * 3.14159265358979 / count,
                   x = random_between(random, -0.7, 0.7);
            double side = k == 0 ? cos(angle) : k == 1 ? sin(angle) : i % 2 ? 0.8 : -0.8;
            points[i][k] = (lode_real)(prism ? side : x);
        }
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = count;
    return lode_hull_create(&def);
}

/* A hull's corners are as exact as lode_real, and so are the faces among which the way out is. */
static void cylinders_are_as_deep_in_hulls(void **state)
{
    (void)state;
    test_random random = {40};
    tally count = {0};
    static const int corners[] = {4, 8, 12, 12, 30, 64};
    for (int kind = 0; kind < 6; ++kind) {
        lode_hull *hull = random_hull(&random, corners[kind], kind == 1 || kind == 2);
        assert_non_null(hull);
        for (int i = 0; i < shots_of(200); ++i) {
            subjects s = random_cores(&random, DRUM, BRICK, 0.1, 1);
            lode__convex b = convex_make(&lode__convex_types[LODE_HULL], s.b.size, hull);
            lode__convex_pair pair = lode__convex_pair_make(convex_of(&s.a), s.a.rotation, b,
                                                            s.b.rotation, s.offset);
            double scale = s.scale + (double)hull->size;
            check_cylinder(&pair, scale, LODE__HULL_ROUNDING, &count);
        }
        lode_hull_release(hull);
    }
    print_tally("hull", &count);
    assert_true(count.deep > 300 && count.unknown <= count.deep / 50);
}

/* What is no such pair is left to the others. */
static void other_solids_are_not_answered(void **state)
{
    (void)state;
    test_random random = {30};
    for (int i = 0; i < 100; ++i) {
        solid_kind kind = i & 1 ? TRIANGLE : BRICK;
        subjects s = random_cores(&random, kind, i & 2 ? ROD : BRICK, 0.1, 1);
        lode__convex_pair pair = lode__convex_pair_make(convex_of(&s.a), s.a.rotation,
                                                        convex_of(&s.b), s.b.rotation, s.offset);
        lode__nearest nearest;
        assert_int_equal(lode__cylinder_nearest(&pair, -1, &nearest), LODE__CYLINDER_UNKNOWN);
    }
}

/* Faces, edges and corners are the solids' own, their polygons flat and the right way round, and
 * what lies along the direction is among them. */
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
        s.oracle.size[0] *= s.oracle.kind != BALL && s.oracle.kind != ROD;
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
        cmocka_unit_test(cylinders_are_as_deep_as_polytopes_say),
        cmocka_unit_test(cylinders_are_as_deep_in_hulls),
        cmocka_unit_test(other_solids_are_not_answered),
        cmocka_unit_test(faces_look_along_the_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

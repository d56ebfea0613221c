/* test_sweep.c: solids pushed along lines. A hit is proved by the oracle: at its time the solids
 * are a rounding apart, and at no earlier one do they overlap; a miss likewise, by times spread
 * over the way. Where they part along a direction over the whole way is proof that they never
 * meet. */
#include "tests/support/test.h"

#include "collide/sweep.h"
#include "tests/collide/subjects.h"

static void from_a(const subject *a, lode__double3 v, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = v.x * a->oracle.axis[0][k] + v.y * a->oracle.axis[1][k] +
                 v.z * a->oracle.axis[2][k];
}

/* Of the oracle, along the direction that the library's distance names: what is above 0 is
 * proved. */
static double gap_after(subjects s, const lode__convex_pair *start, lode__double3 own,
                        const double move[3], double share)
{
    lode__convex_pair pair = *start;
    lode__nearest nearest;
    double n[3];
    pair.offset = d3_madd(pair.offset, own, -share);
    lode__gjk_nearest(&pair, __builtin_inf(), &nearest);
    from_a(&s.a, nearest.normal, n);
    add_scaled(s.a.oracle.center, move, share);
    return solid_gap(&s.a.oracle, &s.b.oracle, n);
}

/* A way towards b, or beside it. */
static void random_move(const subjects *s, test_random *random, double move[3])
{
    double d[3] = {(double)s->offset.x, (double)s->offset.y, (double)s->offset.z};
    double length = length3(d);
    for (int k = 0; k < 3; ++k)
        move[k] = 2.5 * d[k] + length * random_between(random, -1.2, 1.2);
}

/* A point that both have, and a direction along which they just touch and the way leads on: then
 * they were apart along it before. */
static void check_hit(const subjects *s, const double move[3], const lode__swept *hit)
{
    double n[3], on_b[3], tolerance = 1e-6 * s->scale;
    from_a(&s->a, hit->normal, n);
    from_a(&s->a, hit->on_b, on_b);
    assert_true(fabs(length3(n) - 1) < 1e-9);
    subjects met = *s;
    add_scaled(met.a.oracle.center, move, hit->share);
    double along = solid_gap(&met.a.oracle, &met.b.oracle, n);
    assert_true(fabs(along + hit->depth) < tolerance);
    add_scaled(on_b, s->a.oracle.center, 1);
    if (hit->depth > 0) {
        assert_true(hit->share == 0);
        return;
    }
    assert_true(dot3(n, move) < 0);
    assert_true(solid_outside(&s->b.oracle, on_b) < tolerance);
    assert_true(solid_outside(&met.a.oracle, on_b) < tolerance);
}

static void check_sweeps(uint64_t seed, double least, double most)
{
    test_random random = {seed};
    int hits = 0, misses = 0, overlaps = 0;
    for (int i = 0; i < 400 * SOLID_KINDS * SOLID_KINDS; ++i) {
        solid_kind a = (solid_kind)(i % SOLID_KINDS),
                   b = (solid_kind)(i / SOLID_KINDS % SOLID_KINDS);
        subjects s = random_subjects(&random, a, b, least, most);
        double move[3];
        random_move(&s, &random, move);
        lode__convex_pair pair = lode__convex_pair_make(convex_of(&s.a), s.a.rotation,
                                                        convex_of(&s.b), s.b.rotation, s.offset);
        lode__double33 turn = d33_from_quat(s.a.rotation);
        lode__double3 own = d33_mul_t(&turn, d3(move[0], move[1], move[2]));
        lode__swept hit;
        if (lode__sweep(&pair, own, 1, &hit)) {
            check_hit(&s, move, &hit);
            ++hits;
            overlaps += hit.depth > 0;
            continue;
        }
        ++misses;
        for (int k = 0; k < 10; ++k)
            assert_true(gap_after(s, &pair, own, move, random_between(&random, 0, 1)) >
                        -1e-6 * s.scale);
    }
    print_message("%d hits, %d of them overlaps, %d misses\n", hits, overlaps, misses);
    assert_true(overlaps > 300 && hits > overlaps + 1000 && misses > 300);
}

static void hits_are_where_solids_first_touch(void **state)
{
    (void)state;
    check_sweeps(1, 0.1, 1);
}

static void needles_and_discs(void **state)
{
    (void)state;
    check_sweeps(2, 1e-3, 1e3);
}

/* Closed forms, to double's rounding. */
static void balls_meet_where_they_must(void **state)
{
    (void)state;
    test_random random = {3};
    static const lode_real one[4] = {1}, two[4] = {2};
    for (int i = 0; i < 20000; ++i) {
        double x = random_between(&random, 4, 40), y = random_between(&random, 0, 3.5);
        lode__convex_pair pair = lode__convex_pair_make(
            convex_make(&lode__convex_types[LODE_SPHERE], one, NULL), q_identity(),
            convex_make(&lode__convex_types[LODE_SPHERE], two, NULL), q_identity(),
            v3((lode_real)x, (lode_real)y, 0));
        lode__swept hit;
        bool meets = lode__sweep(&pair, d3(100, 0, 0), 1, &hit);
        x = pair.offset.x, y = pair.offset.y;
        if (fabs(y - 3) < 1e-7)
            continue;
        assert_int_equal(meets, y < 3);
        /* near grazing the root is steep */
        if (meets)
            assert_true(fabs(hit.share * 100 - (x - sqrt(9 - y * y))) <
                        1e-9 * (x + 10) * (1 + 2 / sqrt(3 - y)));
    }
}

static void planes_stop_the_lowest_point(void **state)
{
    (void)state;
    static const lode_real half[4] = {1, 2, 3};
    lode__convex brick = convex_make(&lode__convex_types[LODE_BOX], half, NULL);
    lode__swept hit;
    assert_true(lode__sweep_plane(&brick, d3(0, 0, 1), -5, d3(1, 0, -4), 1, &hit));
    assert_true(fabs(hit.share - 0.5) < 1e-15 && hit.depth == 0 && hit.on_b.z == -5);
    assert_false(lode__sweep_plane(&brick, d3(0, 0, 1), -5, d3(1, 0, -1.9), 1, &hit));
    assert_false(lode__sweep_plane(&brick, d3(0, 0, 1), -5, d3(1, 0, 9), 1, &hit));
    assert_true(lode__sweep_plane(&brick, d3(0, 0, 1), -2, d3(0, 0, 9), 1, &hit));
    assert_true(hit.share == 0 && hit.depth == 1);
}

/* What lies on a plate is stopped by it, slides along it, and can be lifted. */
static void what_touches_may_leave(void **state)
{
    (void)state;
    static const lode_real half[4] = {1, 1, 1}, plate[4] = {50, 50, 1};
    lode__convex_pair pair = lode__convex_pair_make(
        convex_make(&lode__convex_types[LODE_BOX], half, NULL), q_identity(),
        convex_make(&lode__convex_types[LODE_BOX], plate, NULL), q_identity(), v3(3, 4, -2));
    lode__swept hit;
    assert_false(lode__sweep(&pair, d3(0, 0, 5), 1, &hit));
    assert_false(lode__sweep(&pair, d3(9, 3, 0), 1, &hit));
    assert_false(lode__sweep(&pair, d3(0, 0, 0), 1, &hit));
    assert_true(lode__sweep(&pair, d3(2, 0, -1e-3), 1, &hit));
    assert_true(hit.share == 0 && hit.depth == 0 && fabs(hit.normal.z - 1) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_where_solids_first_touch),
        cmocka_unit_test(needles_and_discs),
        cmocka_unit_test(balls_meet_where_they_must),
        cmocka_unit_test(planes_stop_the_lowest_point),
        cmocka_unit_test(what_touches_may_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_box_box.c: the box kernels against an oracle in double, and against each other. */
#include "tests/support/test.h"

#include "collide/kernels.h"
#include "core/math.h"
#include "lode/setup.h"
#include "tests/collide/boxes.h"

#include <string.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-11
#else
#define ROUNDING 3e-5
#endif

static const double speculative = 0.01;

/* What the kernels forgive: an axis that is nearly as good, corners that are nearly inside. */
static const double margin = 0.05 * 0.01, slack = 0.1 * 0.01;

static void set_box(lode__pair_batch *batch, int lane, bool is_a, const double half[3],
                    const double q[4])
{
    for (int i = 0; i < 3; ++i)
        (is_a ? batch->size_a : batch->size_b)[i].x[lane] = (lode_real)half[i];
    for (int i = 0; i < 4; ++i)
        (is_a ? batch->rotation_a : batch->rotation_b)[i].x[lane] = (lode_real)q[i];
}

/* The boxes as the kernel sees them, after rounding. */
static void get_boxes(const lode__pair_batch *batch, int lane, box *a, box *b)
{
    double qa[4], qb[4], na = 0, nb = 0;
    for (int i = 0; i < 4; ++i) {
        qa[i] = (double)batch->rotation_a[i].x[lane];
        qb[i] = (double)batch->rotation_b[i].x[lane];
        na += qa[i] * qa[i];
        nb += qb[i] * qb[i];
    }
    for (int i = 0; i < 4; ++i) {
        qa[i] /= sqrt(na);
        qb[i] /= sqrt(nb);
    }
    set_axes(a, qa);
    set_axes(b, qb);
    for (int i = 0; i < 3; ++i) {
        a->half[i] = (double)batch->size_a[i].x[lane];
        b->half[i] = (double)batch->size_b[i].x[lane];
        a->center[i] = 0;
        b->center[i] = (double)batch->offset[i].x[lane];
    }
}

/* Poses of all sorts: free ones, right angles, half right angles, all but parallel ones. */
static void random_pose(test_random *random, double q[4])
{
    static const double s = 0.70710678118654752440, c8 = 0.92387953251128674,
                        s8 = 0.38268343236508977;
    static const double special[][4] = {{1, 0, 0, 0},   {s, s, 0, 0},   {s, 0, s, 0},
                                        {s, 0, 0, s},   {0, 1, 0, 0},   {0.5, 0.5, 0.5, 0.5},
                                        {c8, s8, 0, 0}, {c8, 0, s8, 0}, {c8, 0, 0, s8}};
    uint32_t sort = random_below(random, 4);
    random_rotation(random, q);
    if (sort >= 2)
        memcpy(q, special[random_below(random, 9)], sizeof special[0]);
    if (sort == 3)
        for (int i = 0; i < 4; ++i)
            q[i] += random_between(random, -1, 1) * 1e-5;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i)
        q[i] /= length;
}

static void random_pair(test_random *random, lode__pair_batch *batch, int lane)
{
    double ha[3], hb[3], qa[4], qb[4], scale = random_between(random, 0, 1.3);
    bool even = random_below(random, 3) == 0;
    for (int i = 0; i < 3; ++i) {
        ha[i] = even ? 0.5 : random_between(random, 0.1, 2);
        hb[i] = even ? 0.5 : random_between(random, 0.1, 2);
        batch->offset[i].x[lane] = (lode_real)(random_between(random, -1, 1) * scale *
                                               (ha[i] + hb[i]));
        if (random_below(random, 4) == 0)
            batch->offset[i].x[lane] = 0;
        if (random_below(random, 4) == 0)
            batch->offset[i].x[lane] = (lode_real)(ha[i] + hb[i] - 0.005);
        batch->arm[i].x[lane] = (lode_real)random_between(random, -1, 1);
    }
    random_pose(random, qa);
    random_pose(random, qb);
    set_box(batch, lane, true, ha, qa);
    set_box(batch, lane, false, hb, qb);
}

static void random_batch(test_random *random, lode__pair_batch *batch)
{
    memset(batch, 0, sizeof *batch);
    batch->used = LODE_LANES;
    batch->speculative = (lode_real)speculative;
    for (int lane = 0; lane < LODE_LANES; ++lane)
        random_pair(random, batch, lane);
}

/* --- against the oracle */

/* How far a point is from a corner, numbered by its signs x + 2 y + 4 z, or from the line of an
 * edge, numbered by its direction d and the signs of the next two axes: 4 d + s + 2 s'. */
static double from_corner(const box *b, const double p[3], int corner)
{
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        double d[3] = {p[0] - b->center[0], p[1] - b->center[1], p[2] - b->center[2]};
        double off = dot3(d, b->axis[i]) - (corner >> i & 1 ? b->half[i] : -b->half[i]);
        sum += off * off;
    }
    return sqrt(sum);
}

static double from_edge(const box *b, const double p[3], int edge)
{
    double d[3] = {p[0] - b->center[0], p[1] - b->center[1], p[2] - b->center[2]}, sum = 0;
    for (int k = 1; k < 3; ++k) {
        int i = (edge / 4 + k) % 3;
        double off = dot3(d, b->axis[i]) - (edge & k ? b->half[i] : -b->half[i]);
        sum += off * off;
    }
    return sqrt(sum);
}

/* The feature names what is at the point: a corner of a or b, or an edge of each. */
static void check_name(int feature, const box *a, const box *b, const double on_a[3],
                       const double on_b[3])
{
    const double tolerance = 3 * slack + ROUNDING;
    if (feature < 9) {
        assert_true(from_corner(a, on_a, feature - 1) < tolerance);
    } else if (feature < 17) {
        assert_true(from_corner(b, on_b, feature - 9) < tolerance);
    } else {
        assert_true(from_edge(a, on_a, (feature - 17) / 12) < tolerance);
        assert_true(from_edge(b, on_b, (feature - 17) % 12) < tolerance);
    }
}

static void check_point(const lode__pair_batch *batch, int lane, int k, const double n[3],
                        const box *a, const box *b)
{
    double depth = (double)batch->depth[k].x[lane], mid[3], on_a[3], on_b[3];
    double tolerance = slack + ROUNDING;
    /* edges that do not touch yet: their lines may come nearest beyond their ends */
    if (depth < 0 && batch->feature[k].x[lane] >= 17)
        tolerance += speculative / 2;
    assert_true(depth > -speculative - ROUNDING);
    for (int i = 0; i < 3; ++i) {
        mid[i] = (double)batch->position[k][i].x[lane] - (double)batch->arm[i].x[lane];
        on_a[i] = mid[i] - n[i] * depth / 2; /* the surface of a lies against the normal */
        on_b[i] = mid[i] + n[i] * depth / 2;
    }
    assert_true(outside(a, on_a) < tolerance);
    assert_true(outside(b, on_b) < tolerance);
    check_name((int)batch->feature[k].x[lane], a, b, on_a, on_b);
}

static void check_features(const lode__pair_batch *batch, int lane, int count)
{
    for (int k = 0; k < count; ++k) {
        lode_real feature = batch->feature[k].x[lane];
        assert_true(feature >= 1 && feature < 17 + 144 && feature == r_floor(feature));
        for (int j = 0; j < k; ++j)
            assert_true(batch->feature[j].x[lane] != feature);
    }
}

static int check_lane(const lode__pair_batch *batch, int lane)
{
    box a, b;
    get_boxes(batch, lane, &a, &b);
    double gap = largest_gap(&a, &b), n[3], d[3];
    int count = (int)batch->count.x[lane];
    assert_in_range(count, 0, 4);
    if (gap > speculative + ROUNDING)
        assert_int_equal(count, 0);
    if (gap < -ROUNDING)
        assert_true(count > 0);
    if (count == 0)
        return 0;

    for (int i = 0; i < 3; ++i) {
        n[i] = (double)batch->normal[i].x[lane];
        d[i] = b.center[i] - a.center[i];
    }
    assert_true(fabs(sqrt(dot3(n, n)) - 1) < ROUNDING);
    assert_true(dot3(n, d) < ROUNDING);
    double along = gap_along(&a, &b, n);
    assert_true(along > fmin(gap, gap / 0.92) - 2.2 * margin - ROUNDING);

    double deepest = -1;
    for (int k = 0; k < count; ++k) {
        deepest = fmax(deepest, (double)batch->depth[k].x[lane]);
        check_point(batch, lane, k, n, &a, &b);
    }
    assert_true(deepest < -along + slack + ROUNDING);
    check_features(batch, lane, count);
    return count;
}

static void points_normals_and_depths_are_right(void **state)
{
    (void)state;
    test_random random = {1};
    lode__pair_batch batch;
    int counts[5] = {0};
    for (int i = 0; i < 20000; ++i) {
        random_batch(&random, &batch);
        lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&batch);
        for (int lane = 0; lane < LODE_LANES; ++lane)
            ++counts[check_lane(&batch, lane)];
    }
    for (int count = 0; count < 5; ++count)
        assert_true(counts[count] > 100);
}

/* --- twin against wide */

static bool same_lane(const lode__pair_batch *a, const lode__pair_batch *b, int lane)
{
    bool same = a->count.x[lane] == b->count.x[lane];
    for (int k = 0; same && k < (int)a->count.x[lane]; ++k) {
        for (int i = 0; i < 3; ++i) {
            same &= !memcmp(&a->normal[i].x[lane], &b->normal[i].x[lane], sizeof(lode_real));
            same &= !memcmp(&a->position[k][i].x[lane], &b->position[k][i].x[lane],
                            sizeof(lode_real));
        }
        same &= !memcmp(&a->depth[k].x[lane], &b->depth[k].x[lane], sizeof(lode_real));
        same &= a->feature[k].x[lane] == b->feature[k].x[lane];
    }
    return same;
}

static void all_instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    for (int simd = LODE_SIMD_SSE2; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        test_random random = {2};
        lode__pair_batch wide, twin;
        for (int i = 0; i < 20000; ++i) {
            random_batch(&random, &wide);
            twin = wide;
            kernels->touch[LODE__TOUCH_BOX_BOX](&wide);
            lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&twin);
            for (int lane = 0; lane < LODE_LANES; ++lane)
                assert_true(same_lane(&wide, &twin, lane));
        }
    }
}

/* A pair that is apart has no points, one that touches by edges has one; and nothing else of the
 * batch is written. */
static void check_ways(const lode__collide_kernels *kernels, const lode__pair_batch *pairs)
{
    lode__pair_batch ways = *pairs, twin = *pairs, touch = *pairs;
    kernels->box_way(&ways);
    lode__collide_kernels_plain.box_way(&twin);
    lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&touch);
    assert_memory_equal(&ways, &twin, sizeof ways);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        int way = (int)ways.count.x[lane], count = (int)touch.count.x[lane];
        assert_in_range(way, LODE__BOXES_APART, LODE__BOXES_BY_EDGES);
        if (way == LODE__BOXES_APART)
            assert_int_equal(count, 0);
        if (way == LODE__BOXES_BY_EDGES)
            assert_int_equal(count, 1);
        ways.count.x[lane] = pairs->count.x[lane];
    }
    assert_memory_equal(&ways, pairs, sizeof ways);
}

static void the_way_of_touching_is_that_of_the_touch(void **state)
{
    (void)state;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        test_random random = {3};
        lode__pair_batch pairs;
        int seen[LODE__BOX_WAYS] = {0};
        for (int i = 0; i < 5000; ++i) {
            random_batch(&random, &pairs);
            check_ways(kernels, &pairs);
            kernels->box_way(&pairs);
            for (int lane = 0; lane < LODE_LANES; ++lane)
                ++seen[(int)pairs.count.x[lane]];
        }
        for (int way = 0; way < LODE__BOX_WAYS; ++way)
            assert_true(seen[way] > 1000);
    }
}

/* --- exchanged boxes */

static void exchange(lode__pair_batch *batch)
{
    lode__pair_batch old = *batch;
    memcpy(batch->size_a, old.size_b, sizeof old.size_a);
    memcpy(batch->size_b, old.size_a, sizeof old.size_a);
    memcpy(batch->rotation_a, old.rotation_b, sizeof old.rotation_a);
    memcpy(batch->rotation_b, old.rotation_a, sizeof old.rotation_a);
    for (int i = 0; i < 3; ++i)
        for (int lane = 0; lane < LODE_LANES; ++lane)
            batch->offset[i].x[lane] = -old.offset[i].x[lane];
}

static double gap_along_normal(const lode__pair_batch *batch, int lane)
{
    box a, b;
    double n[3];
    get_boxes(batch, lane, &a, &b);
    for (int i = 0; i < 3; ++i)
        n[i] = (double)batch->normal[i].x[lane];
    return gap_along(&a, &b, n);
}

static void exchanging_the_boxes_changes_little(void **state)
{
    (void)state;
    test_random random = {3};
    lode__pair_batch one, other;
    for (int i = 0; i < 5000; ++i) {
        random_batch(&random, &one);
        other = one;
        exchange(&other);
        lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&one);
        lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&other);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            if (one.count.x[lane] == 0 || other.count.x[lane] == 0)
                continue;
            double gap = gap_along_normal(&one, lane), swapped = gap_along_normal(&other, lane);
            assert_true(fabs(gap - swapped) < 0.08 * fabs(gap) + 2.2 * margin + ROUNDING);
        }
    }
}

/* --- special cases */

static lode__pair_batch two_cubes(double x, double y, double z)
{
    static const double half[3] = {0.5, 0.5, 0.5}, q[4] = {1, 0, 0, 0};
    lode__pair_batch batch;
    memset(&batch, 0, sizeof batch);
    batch.used = LODE_LANES;
    batch.speculative = (lode_real)speculative;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        set_box(&batch, lane, true, half, q);
        set_box(&batch, lane, false, half, q);
        batch.offset[0].x[lane] = (lode_real)x;
        batch.offset[1].x[lane] = (lode_real)y;
        batch.offset[2].x[lane] = (lode_real)z;
    }
    return batch;
}

static void stacked_cubes_touch_in_four_corners(void **state)
{
    (void)state;
    const double shifts[] = {0, 0.5, 1e-6, -1e-6, 0.25, 1e-4, -1e-4};
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j) {
            lode__pair_batch batch = two_cubes(shifts[i], shifts[j], 0.99);
            lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&batch);
            assert_int_equal((int)batch.count.x[0], 4);
            assert_true(batch.normal[2].x[0] == -1);
            double area[2][2] = {{9, -9}, {9, -9}};
            for (int k = 0; k < 4; ++k) {
                assert_true(fabs((double)batch.depth[k].x[0] - 0.01) < 1e-6);
                for (int axis = 0; axis < 2; ++axis) {
                    double at = (double)batch.position[k][axis].x[0];
                    area[axis][0] = fmin(area[axis][0], at);
                    area[axis][1] = fmax(area[axis][1], at);
                }
            }
            assert_true(fabs(area[0][1] - area[0][0] - (1 - fabs(shifts[i]))) < 1e-3);
            assert_true(fabs(area[1][1] - area[1][0] - (1 - fabs(shifts[j]))) < 1e-3);
        }
}

/* Area of the polygon through the points, seen along z; they stand around the origin. */
static double area_of_points(const lode__pair_batch *batch, int count)
{
    double p[4][3], area = 0;
    for (int k = 0; k < count; ++k) {
        p[k][0] = (double)batch->position[k][0].x[0];
        p[k][1] = (double)batch->position[k][1].x[0];
        p[k][2] = atan2(p[k][1], p[k][0]);
        for (int j = k; j > 0 && p[j][2] < p[j - 1][2]; --j)
            for (int i = 0; i < 3; ++i) {
                double swap = p[j][i];
                p[j][i] = p[j - 1][i];
                p[j - 1][i] = swap;
            }
    }
    for (int k = 0; k < count; ++k) {
        const double *here = p[k], *next = p[(k + 1) % count];
        area += (here[0] * next[1] - here[1] * next[0]) / 2;
    }
    return area;
}

/* A cube turned by an eighth on another overlaps it in an octagon, whose corners lie
 * r^2 = 1 / 4 + (tan(pi / 8) / 2)^2 from its middle. The best four of them are a square of 2 r^2,
 * whichever is the deepest by a small tilt. */
static void four_of_eight_corners_span_the_overlap(void **state)
{
    (void)state;
    const double half[3] = {0.5, 0.5, 0.5}, r2 = 0.29289321881345254;
    test_random random = {5};
    for (int i = 0; i < 200; ++i) {
        lode__pair_batch batch = two_cubes(0, 0, i & 1 ? 0.995 : -0.995);
        double turn = 3.14159265358979323846 / 8 * (1 + 2 * (i / 4 % 4)); /* half of it */
        double q[4] = {cos(turn), random_between(&random, -2e-3, 2e-3),
                       random_between(&random, -2e-3, 2e-3), sin(turn)};
        set_box(&batch, 0, i & 2, half, q);
        lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&batch);
        assert_int_equal((int)batch.count.x[0], 4);
        assert_true(fabs(area_of_points(&batch, 4) / (2 * r2) - 1) < 0.02);
    }
}

static void coincident_cubes_part_along_a_face(void **state)
{
    (void)state;
    lode__pair_batch batch = two_cubes(0, 0, 0);
    lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&batch);
    assert_int_equal(check_lane(&batch, 0), 4);
    assert_true(fabs((double)batch.depth[0].x[0] - 1) < 1e-6);
}

/* Poses that shake by what a solver leaves behind keep all features. */
/* Edges part these boxes least, by less than a face is forgiven, and clipping against the face
 * leaves nothing: they overlap by some tenths of a millimetre, so one corner stands in. */
static void a_corner_stands_in_where_clipping_leaves_nothing(void **state)
{
    (void)state;
    static const double half_a[] = {0.00102960074, 0.00254823896, 0.958026767};
    static const double half_b[] = {0.00380955962, 0.00611849036, 0.913144231};
    static const double turn[] = {0.923879743, -5.42870293e-06, -8.46417752e-05, 0.38268289};
    static const double offset[] = {-0.000424574158, 0.00866598543, 0.457235903};
    const double upright[4] = {1, 0, 0, 0};
    lode__pair_batch batch = {.speculative = (lode_real)0.008, .used = LODE_LANES};
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        set_box(&batch, lane, true, half_a, upright);
        set_box(&batch, lane, false, half_b, turn);
        for (int i = 0; i < 3; ++i)
            batch.offset[i].x[lane] = (lode_real)offset[i];
    }
    lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&batch);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        box a, b;
        double p[3];
        get_boxes(&batch, lane, &a, &b);
        assert_true(largest_gap(&a, &b) < 0);
        assert_true(batch.count.x[lane] == 1 && batch.depth[0].x[lane] > 0);
        for (int i = 0; i < 3; ++i)
            p[i] = (double)batch.position[0][i].x[lane];
        assert_true(outside(&a, p) < 0.005 && outside(&b, p) < 0.005);
        assert_true(batch.feature[0].x[lane] >= 1 && batch.feature[0].x[lane] <= 16);
    }
}

static void features_outlive_noise(void **state)
{
    (void)state;
    const double places[][3] = {{0, 0, 0.995},    {0.5, 0, 0.995}, {0.5, 0.5, 0.995},
                                {0, 0.25, 0.995}, {0.995, 0, 0},   {0.1, 0.995, 0.3}};
    test_random random = {4};
    for (int place = 0; place < 6; ++place) {
        lode_real first[4];
        for (int i = 0; i < 1000; ++i) {
            double q[4] = {1, 0, 0, 0}, half[3] = {0.5, 0.5, 0.5}, p[3];
            for (int k = 0; k < 3; ++k) {
                q[k + 1] = random_between(&random, -1e-4, 1e-4);
                p[k] = places[place][k] + random_between(&random, -1e-4, 1e-4);
            }
            lode__pair_batch batch = two_cubes(p[0], p[1], p[2]);
            set_box(&batch, 0, false, half, q);
            lode__collide_kernels_plain.touch[LODE__TOUCH_BOX_BOX](&batch);
            assert_int_equal((int)batch.count.x[0], 4);
            for (int k = 0; k < 4; ++k) {
                if (i == 0)
                    first[k] = batch.feature[k].x[0];
                assert_true(batch.feature[k].x[0] == first[k]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_normals_and_depths_are_right),
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
        cmocka_unit_test(the_way_of_touching_is_that_of_the_touch),
        cmocka_unit_test(exchanging_the_boxes_changes_little),
        cmocka_unit_test(stacked_cubes_touch_in_four_corners),
        cmocka_unit_test(four_of_eight_corners_span_the_overlap),
        cmocka_unit_test(coincident_cubes_part_along_a_face),
        cmocka_unit_test(a_corner_stands_in_where_clipping_leaves_nothing),
        cmocka_unit_test(features_outlive_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

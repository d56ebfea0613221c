/* test_pair_kernels.c: the kernels of simple pairs give the same bits on every instruction set,
 * whatever else is in the batch, and the same either way round. What they say is right is the
 * matter of test_touch.c and test_capsule.c, which hold the scalar twins against oracles. */
#include "tests/support/test.h"

#include "collide/pair_lanes.h"
#include "simd/dispatch.h"
#include "tests/collide/boxes.h"

#include <string.h>

enum { ROUNDS = 4000 };

/* Whole multiples of a half happen often, so that shapes are concentric, parallel, face on face,
 * and centres lie on axes, in boxes and in their middles. */
static lode_real often_even(test_random *random, double lo, double hi)
{
    double x = random_between(random, lo, hi);
    return (lode_real)(random_between(random, 0, 1) < 0.5 ? floor(2 * x) / 2 : x);
}

static lode_quat some_rotation(test_random *random)
{
    lode_quat q;
    do {
        q = (lode_quat){often_even(random, -1, 1), often_even(random, -1, 1),
                        often_even(random, -1, 1), often_even(random, -1, 1)};
    } while (!(q_dot(q, q) > 0));
    return q_normalize(q);
}

static lode_vec3 some_vector(test_random *random, double size)
{
    return v3(often_even(random, -size, size), often_even(random, -size, size),
              often_even(random, -size, size));
}

static void fill_lane(test_random *random, lode__touch_kind kind, int lane, lode__pair_batch *out)
{
    bool on_plane = kind == LODE__TOUCH_SPHERE_PLANE || kind == LODE__TOUCH_BOX_PLANE ||
                    kind == LODE__TOUCH_CAPSULE_PLANE || kind == LODE__TOUCH_CYLINDER_PLANE;
    lode_real sizes[2][4];
    for (int k = 0; k < 8; ++k)
        sizes[k / 4][k % 4] = (lode_real)0.25 + r_abs(often_even(random, -1, 1));
    if (on_plane) {
        lode_vec3 n = v3_normalize_or(some_vector(random, 1), v3(0, 0, 1));
        sizes[1][0] = n.x, sizes[1][1] = n.y, sizes[1][2] = n.z;
        sizes[1][3] = often_even(random, -1, 1);
    }
    lode__shape_view a = {sizes[0], some_rotation(random), NULL};
    lode__shape_view b = {sizes[1], some_rotation(random), NULL};
    if (random_between(random, 0, 1) < 0.3)
        b.rotation = a.rotation;
    lanes_set_pair(out, lane, &a, &b, some_vector(random, 2), some_vector(random, 1));
}

static lode__pair_batch random_batch(test_random *random, lode__touch_kind kind)
{
    lode__pair_batch batch;
    memset(&batch, 0, sizeof batch);
    batch.speculative = (lode_real)0.02;
    batch.used = LODE_LANES;
    for (int lane = 0; lane < LODE_LANES; ++lane)
        fill_lane(random, kind, lane, &batch);
    return batch;
}

static bool same(const lode__lanes *a, int lane_a, const lode__lanes *b, int lane_b)
{
    return memcmp(&a->x[lane_a], &b->x[lane_b], sizeof(lode_real)) == 0;
}

static int check_same(const lode__pair_batch *a, int lane_a, const lode__pair_batch *b, int lane_b)
{
    int count = (int)a->count.x[lane_a];
    assert_true(same(&a->count, lane_a, &b->count, lane_b));
    assert_true(count >= 0 && count <= LODE__MANIFOLD_POINTS);
    for (int i = 0; i < 3 && count > 0; ++i)
        assert_true(same(&a->normal[i], lane_a, &b->normal[i], lane_b));
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < 3; ++i)
            assert_true(same(&a->position[k][i], lane_a, &b->position[k][i], lane_b));
        assert_true(same(&a->depth[k], lane_a, &b->depth[k], lane_b));
        assert_true(same(&a->feature[k], lane_a, &b->feature[k], lane_b));
        assert_true(a->depth[k].x[lane_a] > -a->speculative);
    }
    return count;
}

static void all_instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        for (int kind = 0; kind < LODE__TOUCH_KINDS; ++kind) {
            test_random random = {11};
            int touching = 0;
            for (int i = 0; i < ROUNDS; ++i) {
                lode__pair_batch wide = random_batch(&random, (lode__touch_kind)kind), twin;
                wide.swapped = i & 1;
                twin = wide;
                kernels->touch[kind](&wide);
                lode__collide_kernels_plain.touch[kind](&twin);
                for (int lane = 0; lane < LODE_LANES; ++lane)
                    touching += check_same(&wide, lane, &twin, lane) > 0;
            }
            assert_true(touching > ROUNDS && touching < 7 * ROUNDS + ROUNDS / 2);
        }
    }
}

/* A pair alone in the first lane, with others beside it that nobody asked for. */
static void company_changes_no_bit(void **state)
{
    (void)state;
    const lode__collide_kernels *kernels = lode__collide_kernels_for(lode__simd_detect());
    for (int kind = 0; kind < LODE__TOUCH_KINDS; ++kind) {
        test_random random = {12};
        for (int i = 0; i < ROUNDS / 4; ++i) {
            lode__pair_batch full = random_batch(&random, (lode__touch_kind)kind);
            lode__pair_batch alone = random_batch(&random, (lode__touch_kind)kind);
            for (int k = 0; k < 4; ++k) {
                alone.size_a[k].x[0] = full.size_a[k].x[5];
                alone.size_b[k].x[0] = full.size_b[k].x[5];
                alone.rotation_a[k].x[0] = full.rotation_a[k].x[5];
                alone.rotation_b[k].x[0] = full.rotation_b[k].x[5];
            }
            lanes_set3(alone.offset, 0, lanes_get3(full.offset, 5));
            lanes_set3(alone.arm, 0, lanes_get3(full.arm, 5));
            alone.used = 1;
            kernels->touch[kind](&full);
            lode__collide_kernels_plain.touch[kind](&alone);
            check_same(&full, 5, &alone, 0);
        }
    }
}

/* --- straight to the caller's points */

/* Eight pairs as they lie in memory. */
typedef struct told_pairs {
    lode_real size[2][LODE_LANES][4];
    lode__pose body[2][LODE_LANES], place[2][LODE_LANES];
    lode__lanes sizes[8];
    lode__pair_sources from;
} told_pairs;

static void fill_pairs(test_random *random, lode__touch_kind kind, int round, told_pairs *out)
{
    lode__pair_batch batch;
    memset(out, 0, sizeof *out);
    out->from.swapped = round & 1 && lode__collide_kernels_plain.tell_one[kind][1];
    out->from.centered = round & 2;
    out->from.sizes = round & 4 ? out->sizes : NULL;
    out->from.used = round % 5 == 0 ? 1 + round % LODE_LANES : LODE_LANES;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        int a = out->from.swapped, b = !a;
        fill_lane(random, kind, lane, &batch);
        for (int k = 0; k < 4; ++k) {
            out->size[a][lane][k] = out->sizes[4 * a + k].x[lane] = batch.size_a[k].x[lane];
            out->size[b][lane][k] = out->sizes[4 * b + k].x[lane] = batch.size_b[k].x[lane];
        }
        for (int x = 0; x < 2; ++x) {
            const lode__lanes *q = x == a ? batch.rotation_a : batch.rotation_b;
            out->body[x][lane].position = some_vector(random, 1);
            out->body[x][lane].rotation = (lode_quat){q[0].x[lane], q[1].x[lane], q[2].x[lane],
                                                      q[3].x[lane]};
            out->place[x][lane].position = some_vector(random, 0.5);
            out->place[x][lane].rotation = some_rotation(random);
            out->from.size[x][lane] = out->size[x][lane];
            out->from.body[x][lane] = (const lode_real *)&out->body[x][lane];
            out->from.place[x][lane] = (const lode_real *)&out->place[x][lane];
        }
        out->from.name[lane] = (uint32_t)(lane * 3 % LODE_LANES);
    }
}

static void check_told(const lode_collide_point *point, const told_pairs *pairs,
                       const lode__pair_batch *batch, int lane, int k)
{
    lode_vec3 p = v3_add(pairs->body[0][lane].position, lanes_get3(batch->position[k], lane));
    lode_vec3 n = lanes_get3(batch->normal, lane);
    assert_memory_equal(&point->position, &p, sizeof p);
    assert_memory_equal(&point->normal, &n, sizeof n);
    assert_memory_equal(&point->depth, &batch->depth[k].x[lane], sizeof point->depth);
    assert_int_equal(point->feature, (int)batch->feature[k].x[lane]);
    assert_int_equal(point->child_a, -1);
    assert_int_equal(point->child_b, -1);
}

/* The batch of the same pairs says what there is to tell. Returns how many points. */
static int check_lane(const lode__lane_ask *ask, const told_pairs *pairs,
                      const lode__pair_batch *batch, int lane, uint32_t name)
{
    int told = 0;
    for (int k = 0; k < (int)batch->count.x[lane]; ++k)
        if (batch->depth[k].x[lane] > -ask->margin)
            check_told(&ask->points[name * 4 + (uint32_t)told++], pairs, batch, lane, k);
    assert_int_equal(ask->counts[name], told);
    for (int k = told; k < ask->capacity; ++k)
        assert_int_equal(ask->points[name * 4 + (uint32_t)k].child_b, 77);
    return told;
}

static void clear_told(lode_collide_point points[LODE_LANES * 4], int counts[LODE_LANES])
{
    for (int i = 0; i < LODE_LANES * 4; ++i)
        points[i].child_b = 77;
    for (int i = 0; i < LODE_LANES; ++i)
        counts[i] = 99;
}

/* All at once, and each of them alone in the first lane. */
static int check_tells(const lode__collide_kernels *kernels, lode__touch_kind kind,
                       told_pairs *pairs, lode_real margin)
{
    static lode_collide_point points[LODE_LANES * 4];
    static int counts[LODE_LANES];
    lode__lane_ask ask = {false, margin, (lode_real)0.02, points, counts, 4};
    lode__tell_one_fn *one = lode__tell_one_of(kernels, kind, pairs->from.swapped);
    lode__pair_batch batch;
    int told = 0;
    memset(&batch, 0, sizeof batch);
    batch.speculative = ask.speculative;
    batch.used = LODE_LANES;
    batch.swapped = pairs->from.swapped;
    lode__collide_kernels_plain.gather(&pairs->from, &batch);
    lode__collide_kernels_plain.touch[kind](&batch);
    clear_told(points, counts);
    kernels->tell[kind](&pairs->from, 1, 0, &ask);
    for (int lane = 0; lane < LODE_LANES; ++lane)
        if (lane < pairs->from.used)
            told += check_lane(&ask, pairs, &batch, lane, pairs->from.name[lane]);
        else
            assert_int_equal(counts[pairs->from.name[lane]], 99);
    for (int lane = 0; lane < LODE_LANES && pairs->from.centered; ++lane) {
        clear_told(points, counts);
        counts[0] = one(pairs->from.size[0][lane], pairs->from.body[0][lane],
                        pairs->from.size[1][lane], pairs->from.body[1][lane], ask.speculative,
                        margin, points);
        check_lane(&ask, pairs, &batch, lane, 0);
    }
    return told;
}

static void what_is_told_is_what_batches_say(void **state)
{
    (void)state;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        for (int kind = 0; kind < LODE__TOUCH_KINDS; ++kind) {
            test_random random = {17};
            int told = 0;
            for (int i = 0; i < ROUNDS / 2; ++i) {
                told_pairs pairs;
                fill_pairs(&random, (lode__touch_kind)kind, i, &pairs);
                told += check_tells(kernels, (lode__touch_kind)kind, &pairs,
                                    i % 3 ? 0 : (lode_real)0.01);
            }
            assert_true(told > ROUNDS / 2);
        }
    }
}

/* Told from b, points lie where they do told from a, and the normal is turned round. */
static void swapped_pairs_are_told_from_the_other_side(void **state)
{
    (void)state;
    const double rounding = 16 * (double)REAL_EPSILON;
    for (int kind = 0; kind < LODE__TOUCH_KINDS; ++kind) {
        test_random random = {13};
        for (int i = 0; i < ROUNDS / 4; ++i) {
            lode__pair_batch one = random_batch(&random, (lode__touch_kind)kind), other;
            for (int lane = 0; lane < LODE_LANES; ++lane)
                lanes_set3(one.arm, lane, v3_zero());
            other = one;
            other.swapped = true;
            lode__collide_kernels_plain.touch[kind](&one);
            lode__collide_kernels_plain.touch[kind](&other);
            for (int lane = 0; lane < LODE_LANES; ++lane) {
                assert_true(same(&one.count, lane, &other.count, lane));
                for (int k = 0; k < (int)one.count.x[lane]; ++k) {
                    lode_vec3 from_b = v3_sub(lanes_get3(one.position[k], lane),
                                              lanes_get3(one.offset, lane));
                    lode_vec3 apart = v3_sub(from_b, lanes_get3(other.position[k], lane));
                    lode_vec3 turned = v3_add(lanes_get3(one.normal, lane),
                                              lanes_get3(other.normal, lane));
                    assert_true((double)v3_length(apart) < rounding);
                    assert_true(v3_is_zero(turned));
                    assert_true(same(&one.depth[k], lane, &other.depth[k], lane));
                }
            }
        }
    }
}

/* --- all points of boxes */

/* The lane's point with the feature, or -1; features occur once. */
static int find_point(const lode__box_points *all, int lane, lode_real feature)
{
    int found = -1;
    for (int k = 0; k < LODE__BOX_POINTS; ++k)
        if (all->valid[k].x[lane] > 0 && all->feature[k].x[lane] == feature) {
            assert_int_equal(found, -1);
            found = k;
        }
    return found;
}

/* Those that are chosen are among all; if these are few, all are chosen. Returns how many they
 * are. */
static int check_chosen(const lode__pair_batch *batch, const lode__box_points *all, int lane)
{
    int count = (int)batch->count.x[lane], found = 0;
    for (int k = 0; k < LODE__BOX_POINTS; ++k)
        found += all->valid[k].x[lane] > 0;
    assert_true(found <= LODE__MANIFOLD_POINTS ? count == found : count >= 1);
    for (int k = 0; k < count; ++k) {
        int at = find_point(all, lane, batch->feature[k].x[lane]);
        assert_true(at >= 0 && same(&batch->depth[k], lane, &all->depth[at], lane));
        for (int i = 0; i < 3; ++i) {
            assert_true(same(&batch->normal[i], lane, &all->normal[i], lane));
            assert_true(same(&batch->position[k][i], lane, &all->position[at][i], lane));
        }
    }
    return found;
}

static void check_same_points(const lode__box_points *a, const lode__box_points *b)
{
    for (int lane = 0; lane < LODE_LANES; ++lane)
        for (int k = 0; k < LODE__BOX_POINTS; ++k) {
            assert_true(same(&a->valid[k], lane, &b->valid[k], lane));
            if (!(a->valid[k].x[lane] > 0))
                continue;
            assert_true(same(&a->depth[k], lane, &b->depth[k], lane));
            assert_true(same(&a->feature[k], lane, &b->feature[k], lane));
            for (int i = 0; i < 3; ++i) {
                assert_true(same(&a->normal[i], lane, &b->normal[i], lane));
                assert_true(same(&a->position[k][i], lane, &b->position[k][i], lane));
            }
        }
}

static void boxes_choose_from_all_of_their_points(void **state)
{
    (void)state;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        test_random random = {12};
        int few = 0, many = 0;
        for (int i = 0; i < ROUNDS / 4; ++i) {
            lode__pair_batch batch = random_batch(&random, LODE__TOUCH_SPHERE_BOX);
            lode__box_points all, twin;
            for (int least = 1; least >= 0; --least) {
                kernels->box_points(&batch, least, &all);
                lode__collide_kernels_plain.box_points(&batch, least, &twin);
                check_same_points(&all, &twin);
            }
            kernels->touch[LODE__TOUCH_BOX_BOX](&batch);
            for (int lane = 0; lane < LODE_LANES; ++lane) {
                int found = check_chosen(&batch, &all, lane);
                few += found == 1;
                many += found > LODE__MANIFOLD_POINTS;
            }
        }
        assert_true(few > 100 && many > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
        cmocka_unit_test(company_changes_no_bit),
        cmocka_unit_test(what_is_told_is_what_batches_say),
        cmocka_unit_test(swapped_pairs_are_told_from_the_other_side),
        cmocka_unit_test(boxes_choose_from_all_of_their_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

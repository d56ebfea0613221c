/* test_pair_kernels.c: the kernels of simple pairs give the same bits on every instruction set,
 * whatever else is in the batch, and the same either way round. What they say is right is the matter of
 * test_touch.c and test_capsule.c, which hold the scalar twins against oracles. */
#include "tests/support/test.h"

#include "collide/pair_lanes.h"
#include "simd/dispatch.h"
#include "tests/collide/boxes.h"

#include <string.h>

enum { ROUNDS = 4000 };

/* Whole multiples of a half happen often, so that shapes are concentric, parallel, face on face, and
 * centres lie on axes, in boxes and in their middles. */
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
                    kind == LODE__TOUCH_CAPSULE_PLANE;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
        cmocka_unit_test(company_changes_no_bit),
        cmocka_unit_test(swapped_pairs_are_told_from_the_other_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_triangle_kernels.c: the kernels of triangles give the same bits on every instruction set,
 * whatever else is in the batch. What they say is right is the matter of test_triangles.c, which
 * holds the scalar twins against oracles. */
#include "tests/support/test.h"

#include "collide/triangle_lanes.h"
#include "simd/dispatch.h"
#include "tests/support/random.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4000 };

/* Whole multiples of a half happen often, so that edges are parallel to axes, centres lie in
 * planes, above edges and at corners. */
static lode_real often_even(test_random *random, double lo, double hi)
{
    double x = random_between(random, lo, hi);
    return (lode_real)(random_between(random, 0, 1) < 0.4 ? floor(2 * x) / 2 : x);
}

static lode_vec3 some_vector(test_random *random, double size)
{
    return v3(often_even(random, -size, size), often_even(random, -size, size),
              often_even(random, -size, size));
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

/* Every seventh triangle is none: two corners are one. */
static void fill_lane(test_random *random, int lane, lode__triangle_batch *out)
{
    lode__mat3 r = m3_from_quat(some_rotation(random));
    const lode_vec3 axis[3] = {v3(r.r0.x, r.r1.x, r.r2.x), v3(r.r0.y, r.r1.y, r.r2.y),
                               v3(r.r0.z, r.r1.z, r.r2.z)};
    lode_real size[3];
    lode__triangle t;
    for (int k = 0; k < 3; ++k) {
        size[k] = (lode_real)0.25 + r_abs(often_even(random, -1, 1));
        t.v[k] = some_vector(random, 1.5);
    }
    if (random_below(random, 7) == 0)
        t.v[1] = t.v[random_below(random, 2) * 2];
    triangle_lanes_set_shape(out, lane, size, axis);
    triangle_lanes_set(out, lane, &t);
}

static void random_batch(test_random *random, lode__triangle_batch *out)
{
    memset(out, 0, sizeof *out);
    for (int lane = 0; lane < LODE_LANES; ++lane)
        fill_lane(random, lane, out);
    out->speculative = (lode_real)0.02;
    out->two_sided = random_below(random, 2);
    out->used = LODE_LANES;
}

static bool same(const lode__lanes *a, const lode__lanes *b, int count, int lane)
{
    for (int i = 0; i < count; ++i)
        if (memcmp(&a[i].x[lane], &b[i].x[lane], sizeof a[i].x[lane]) != 0)
            return false;
    return true;
}

/* What a lane says, where it says anything. */
static bool same_lane(lode__triangle_kind kind, const lode__triangle_batch *a,
                      const lode__triangle_batch *b, int lane)
{
    if (!same(&a->touches, &b->touches, 1, lane))
        return false;
    if (a->touches.x[lane] == 0)
        return true;
    if (!same(a->normal, b->normal, 3, lane) || !same(&a->height, &b->height, 1, lane) ||
        !same(&a->back, &b->back, 1, lane))
        return false;
    if (kind != LODE__TRIANGLE_CAPSULE)
        return same(a->m, b->m, 3, lane) && same(&a->depth, &b->depth, 1, lane) &&
               same(&a->what, &b->what, 1, lane);
    return same(a->wide, b->wide, 2, lane) && same(a->wide_cut, b->wide_cut, 2, lane) &&
           same(a->on, b->on, 2, lane) && same(a->on_cut, b->on_cut, 2, lane) &&
           same(a->edge_s, b->edge_s, 3, lane) && same(a->edge_t, b->edge_t, 3, lane);
}

static void instruction_sets_agree(void **state)
{
    (void)state;
    for (int kind = 0; kind < LODE__TRIANGLE_KINDS; ++kind) {
        test_random random = {21};
        int touching = 0;
        for (int i = 0; i < ROUNDS; ++i) {
            lode__triangle_batch start, plain;
            random_batch(&random, &start);
            plain = start;
            lode__collide_kernels_plain.triangle[kind](&plain);
            for (int lane = 0; lane < LODE_LANES; ++lane)
                touching += plain.touches.x[lane] != 0;
            for (int simd = LODE_SIMD_PLAIN + 1; simd < LODE_SIMD_COUNT; ++simd) {
                if (!lode_simd_available((lode_simd)simd))
                    continue;
                lode__triangle_batch wide = start;
                lode__collide_kernels_for((lode_simd)simd)->triangle[kind](&wide);
                for (int lane = 0; lane < LODE_LANES; ++lane)
                    assert_true(same_lane((lode__triangle_kind)kind, &plain, &wide, lane));
            }
        }
        assert_in_range(touching, ROUNDS, 7 * ROUNDS); /* both happen */
    }
}

/* A triangle by itself, in any lane, is what it is among others. */
static void lanes_know_nothing_of_each_other(void **state)
{
    (void)state;
    for (int kind = 0; kind < LODE__TRIANGLE_KINDS; ++kind)
        for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
            if (!lode_simd_available((lode_simd)simd))
                continue;
            test_random random = {22};
            lode__triangle_batch_fn *kernel =
                lode__collide_kernels_for((lode_simd)simd)->triangle[kind];
            for (int i = 0; i < ROUNDS / 4; ++i) {
                lode__triangle_batch first, second;
                random_batch(&random, &first);
                random_batch(&random, &second);
                int lane = (int)random_below(&random, LODE_LANES);
                test_random one = {(uint64_t)i}, other = {(uint64_t)i};
                fill_lane(&one, lane, &first);
                fill_lane(&other, lane, &second);
                second.two_sided = first.two_sided;
                kernel(&first);
                kernel(&second);
                assert_true(same_lane((lode__triangle_kind)kind, &first, &second, lane));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(lanes_know_nothing_of_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_lane_runs.c: pairs that are asked about together (two_lanes.h) are told what each of them is
 * told alone, to the bit, whatever lies beside them; and boxes that are left out beforehand do not
 * touch. */
#include "tests/support/test.h"

#include "collide/two_lanes.h"
#include "simd/dispatch.h"
#include "tests/support/random.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 400, MOST = 70, CAPACITY = LODE__MANIFOLD_POINTS, UNTOLD = 99 };

static const lode_real speculative = (lode_real)0.02;

/* --- runs of pairs */

typedef struct run_pair {
    lode__geometry geometry[2];
    lode__pose body[2];
    lode__lane_pair pair;
} run_pair;

static lode_vec3 some_vector(test_random *random, double size)
{
    return v3((lode_real)random_between(random, -size, size),
              (lode_real)random_between(random, -size, size),
              (lode_real)random_between(random, -size, size));
}

static lode_quat some_rotation(test_random *random)
{
    lode_quat q = {
        (lode_real)random_between(random, 0.1, 1), (lode_real)random_between(random, -1, 1),
        (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1)};
    return q_normalize(q);
}

/* Shapes of a size of about 1 whose middles are up to `far` apart along each axis. */
static void fill_pair(test_random *random, const uint32_t type[2], bool centered, double far,
                      run_pair *out)
{
    memset(out, 0, sizeof *out);
    for (int x = 0; x < 2; ++x) {
        lode__geometry *geometry = &out->geometry[x];
        for (int k = 0; k < 4; ++k)
            geometry->size[k] = (lode_real)random_between(random, 0.3, 0.7);
        geometry->center = (lode_pose){{0, 0, 0}, {1, 0, 0, 0}};
        if (!centered)
            geometry->center = (lode_pose){some_vector(random, 0.2), some_rotation(random)};
        geometry->type = type[x];
        out->body[x].position = some_vector(random, far / 2);
        out->body[x].rotation = some_rotation(random);
    }
    out->pair = (lode__lane_pair){{out->geometry[0].size, &out->body[0], &out->geometry[0]},
                                  {out->geometry[1].size, &out->body[1], &out->geometry[1]}};
}

static void check_point(const lode_collide_point *a, const lode_collide_point *b)
{
    assert_memory_equal(&a->position, &b->position, sizeof a->position);
    assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
    assert_memory_equal(&a->depth, &b->depth, sizeof a->depth);
    assert_int_equal(a->feature, b->feature);
    assert_int_equal(a->child_a, b->child_a);
    assert_int_equal(a->child_b, b->child_b);
}

/* Every other pair from the last one back, named by three times its place; returns how many of
 * them touch. */
static int check_run(const lode__collide_kernels *kernels, const lode__lane_cell *cell,
                     bool centered, const run_pair *pairs, uint32_t count)
{
    static lode_collide_point points[MOST * CAPACITY], alone[CAPACITY];
    lode__lane_pair asked[2 * MOST] = {0};
    uint32_t names[2 * MOST] = {0};
    uint16_t order[MOST] = {0};
    int counts[MOST], touching = 0, own = UNTOLD;
    lode__lane_ask ask = {false, 0, speculative, points, counts, CAPACITY};
    const lode__lane_ask ask_one = {false, 0, speculative, alone, &own, CAPACITY};
    for (uint32_t i = 0; i < count; ++i) {
        order[i] = (uint16_t)(2 * (count - 1 - i));
        asked[order[i]] = pairs[i].pair;
        names[order[i]] = 3 * i % MOST;
        counts[names[order[i]]] = UNTOLD;
    }
    lode__lane_ask_many(&ask, kernels, cell, centered, asked, names, order, count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t name = names[order[i]];
        lode__lane_ask_one(&ask_one, &lode__collide_kernels_plain, cell, &pairs[i].pair);
        assert_int_equal(counts[name], own);
        for (int k = 0; k < own; ++k)
            check_point(&points[name * CAPACITY + (uint32_t)k], &alone[k]);
        touching += own > 0;
    }
    return touching;
}

/* From runs of which nearly all pairs touch to such of which hardly any does, and of any length. */
static int check_runs(const lode__collide_kernels *kernels, const uint32_t type[2])
{
    static run_pair pairs[MOST];
    const lode__lane_cell *cell = lode__lane_cell_of(type[0], type[1]);
    test_random random = {type[0] * 7 + type[1]};
    int touching = 0;
    for (int i = 0; i < ROUNDS; ++i) {
        bool centered = i % 4;
        uint32_t count = 1 + (uint32_t)i % MOST;
        double far = 0.3 + 0.5 * (i % 7);
        for (uint32_t k = 0; k < count; ++k)
            fill_pair(&random, type, centered, k % 24 < 16 ? far : 0.2, &pairs[k]);
        touching += check_run(kernels, cell, centered, pairs, count);
    }
    return touching;
}

static void runs_are_told_what_each_pair_is_told(void **state)
{
    static const uint32_t types[] = {LODE_SPHERE, LODE_BOX, LODE_CAPSULE};
    const int all = ROUNDS * MOST / 2, kinds = sizeof types / sizeof *types;
    (void)state;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        for (int a = 0; a < kinds; ++a)
            for (int b = 0; b < kinds; ++b) {
                const uint32_t type[2] = {types[a], types[b]};
                int touching = check_runs(kernels, type);
                assert_true(touching > all / 4 && touching < all * 7 / 8);
            }
    }
}

/* --- boxes that may touch */

typedef struct near_pairs {
    run_pair pairs[LODE_LANES];
    lode__pair_sources from;
} near_pairs;

static void fill_near(test_random *random, int round, near_pairs *out)
{
    static const uint32_t boxes[2] = {LODE_BOX, LODE_BOX};
    memset(&out->from, 0, sizeof out->from);
    out->from.centered = true;
    out->from.used = round % 3 ? LODE_LANES : 1 + round % LODE_LANES;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        fill_pair(random, boxes, true, 2.5, &out->pairs[lane]);
        for (int x = 0; x < 2; ++x) {
            out->from.size[x][lane] = out->pairs[lane].geometry[x].size;
            out->from.body[x][lane] = (const lode_real *)&out->pairs[lane].body[x];
        }
    }
}

static lode_vec3 axis_of(const lode__pose *body, int k)
{
    return q_rotate(body->rotation, v3(k == 0, k == 1, k == 2));
}

/* How far the other box is above the face of box x that looks most towards it. */
static double above_faces(const run_pair *p, int x)
{
    const lode__pose *own = &p->body[x], *other = &p->body[!x];
    const lode_vec3 apart = v3_sub(other->position, own->position);
    double most = -1e9;
    for (int k = 0; k < 3; ++k) {
        const lode_vec3 normal = axis_of(own, k);
        double reach = (double)p->geometry[x].size[k];
        for (int j = 0; j < 3; ++j)
            reach += fabs((double)v3_dot(normal, axis_of(other, j))) *
                     (double)p->geometry[!x].size[j];
        most = fmax(most, fabs((double)v3_dot(normal, apart)) - reach);
    }
    return most;
}

/* The bits are the twin's, and those that the separations along all six normals give; who touches
 * has one. Returns how many have none. */
static int check_near(const lode__collide_kernels *kernels, const near_pairs *at)
{
    const double rounding = 64 * (double)REAL_EPSILON;
    const unsigned bits = kernels->boxes_near(&at->from, speculative);
    int apart = 0, own;
    assert_int_equal(bits, lode__collide_kernels_plain.boxes_near(&at->from, speculative));
    assert_int_equal(bits >> at->from.used, 0);
    for (int lane = 0; lane < at->from.used; ++lane) {
        const run_pair *p = &at->pairs[lane];
        const bool near = bits >> lane & 1;
        lode_collide_point points[CAPACITY];
        lode__lane_ask ask = {false, speculative, speculative, points, &own, CAPACITY};
        double gap = fmax(above_faces(p, 0), above_faces(p, 1)) - (double)speculative;
        if (fabs(gap) > rounding)
            assert_int_equal(near, gap < 0);
        lode__lane_ask_one(&ask, &lode__collide_kernels_plain,
                           lode__lane_cell_of(LODE_BOX, LODE_BOX), &p->pair);
        assert_true(near || own == 0);
        apart += !near;
    }
    return apart;
}

static void boxes_that_are_left_out_do_not_touch(void **state)
{
    (void)state;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        test_random random = {5};
        int apart = 0;
        for (int i = 0; i < 10 * ROUNDS; ++i) {
            near_pairs pairs;
            fill_near(&random, i, &pairs);
            apart += check_near(kernels, &pairs);
        }
        assert_true(apart > 5 * ROUNDS && apart < 60 * ROUNDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_told_what_each_pair_is_told),
        cmocka_unit_test(boxes_that_are_left_out_do_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

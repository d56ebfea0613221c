/* The broad phases beside the tree: each finds exactly the boxes that overlap, each once, whatever
 * the boxes are; and a scene's contacts do not depend on the choice. */
#include "tests/support/test.h"

#include "collide/broad.h"
#include "core/math.h"
#include "tests/collide/shape_set.h"
#include "tests/support/random.h"

#include <math.h>
#include <string.h>

enum { BOXES = 300 };

static const char *const kinds[] = {"crowd", "flat", "huge and tiny", "far",
                                    "equal", "line", "points",        "hostile"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static double any(test_random *random, double span)
{
    return random_between(random, -span, span);
}

static lode_real hostile_number(test_random *random)
{
    static const double numbers[] = {0,     -0.0,  1,     -1,         1e30,     -1e30,
                                     1e-30, 1e-45, 3e38,  -3e38,      INFINITY, -INFINITY,
                                     1e7,   -1e7,  0.001, (double)NAN};
    return (lode_real)numbers[random_below(random, sizeof numbers / sizeof numbers[0])];
}

static lode__node random_box(int kind, test_random *random, uint32_t shape)
{
    lode__node box = {.child = shape | LODE__LEAF};
    double big = random_below(random, 10) == 0 ? 1000 : 1;
    for (int i = 0; i < 3; ++i) {
        double at = any(random, 5), half = random_between(random, 0.2, 0.8);
        if (kind == 1 && i == 2)
            at = 0;
        if (kind == 2)
            half = (big > 1 ? 1000 : 0.001) * random_between(random, 0.5, 1);
        if (kind == 2 && i < 2)
            at *= 100;
        if (kind == 3)
            at += 1e7;
        if (kind == 4)
            at = 1, half = 0.5;
        if (kind == 5)
            at = i == 0 ? any(random, 100) : 0;
        if (kind == 6)
            at = floor(at), half = 0;
        box.lo[i] = (lode_real)(at - half);
        box.hi[i] = (lode_real)(at + half);
        if (kind == 7 && random_below(random, 3) == 0) {
            lode_real a = hostile_number(random), b = hostile_number(random);
            box.lo[i] = a < b ? a : b;
            box.hi[i] = a < b ? b : a;
        }
    }
    return box;
}

typedef struct answers {
    uint8_t times[BOXES];
} answers;

static uint32_t shape_of(const lode__node *item)
{
    return item->child & ~(uint32_t)LODE__LEAF;
}

static void count_answer(void *context, const lode__node *item)
{
    answers *a = context;
    uint32_t shape = shape_of(item);
    assert_true(shape < BOXES);
    ++a->times[shape];
}

static void check_boxes(const lode__broad_method *method, const lode__boxes *boxes,
                        lode__arena *arena, const char *what)
{
    const void *index = method->build(boxes, arena);
    assert_non_null(index);
    for (uint32_t k = 0; k < boxes->count; ++k) {
        answers a = {{0}};
        method->query(index, boxes->items[k], count_answer, &a);
        for (uint32_t other = 0; other < boxes->count; ++other) {
            bool wanted = lode__node_overlaps(boxes->items[k], boxes->items[other]);
            if (a.times[shape_of(boxes->items[other])] != wanted)
                fail_msg("%s, %s: box %u told %d times of %u", method->name, what, k,
                         a.times[shape_of(boxes->items[other])], other);
        }
    }
}

static void each_finds_every_overlap_once(void **state)
{
    (void)state;
    static lode__node nodes[BOXES];
    static const lode__node *items[BOXES];
    static const int axes[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
    test_random random = {1};
    lode__arena arena = {0};
    for (int kind = 0; kind < KINDS; ++kind)
        for (int round = 0; round < 6; ++round) {
            lode__boxes boxes = {items, round == 5 ? 1 : BOXES, {0}};
            memcpy(boxes.axes, axes[round % 3], sizeof boxes.axes);
            for (uint32_t i = 0; i < BOXES; ++i) {
                nodes[i] = random_box(kind, &random, BOXES - 1 - i);
                items[i] = &nodes[i];
            }
            for (int m = LODE_BROAD_TREE + 1; m < LODE_BROAD_PHASE_COUNT; ++m)
                check_boxes(lode__broad_method_for((lode_broad_phase)m), &boxes, &arena,
                            kinds[kind]);
            lode__arena_reset(&arena);
        }
    lode__arena_free(&arena);
}

static void keys_sort_as_numbers_do(void **state)
{
    (void)state;
    static const double rising[] = {-INFINITY, -3e38, -1, -1e-30, 0,
                                    1e-45,     1e-30, 1,  3e38,   INFINITY};
    for (size_t i = 1; i < sizeof rising / sizeof rising[0]; ++i)
        assert_true(lode__real_key((lode_real)rising[i - 1]) <
                    lode__real_key((lode_real)rising[i]));
    assert_true(lode__real_key((lode_real)-0.0) == lode__real_key(0));
}

/* ---- scenes ---- */

static lode_vec3 random_point(test_random *random, double span)
{
    return v3((lode_real)any(random, span), (lode_real)any(random, span),
              (lode_real)any(random, span));
}

static uint32_t add_random(shape_set *s, test_random *random, lode_vec3 at)
{
    static const lode_shape_type types[] = {LODE_BOX, LODE_SPHERE, LODE_CAPSULE};
    static const double sizes[] = {0.5, 0.5, 0.5, 0.02, 6};
    double by = sizes[random_below(random, 5)];
    lode_real size[4] = {0};
    for (int i = 0; i < 3; ++i)
        size[i] = (lode_real)(by * random_between(random, 0.5, 1));
    lode_pose pose = {v3_add(at, random_point(random, 4)), q_identity()};
    return set_add(s, true, types[random_below(random, 3)], size, pose);
}

/* All pairs of all steps, folded into a number. */
static uint64_t live(lode_broad_phase kind, int threads, double far)
{
    enum { MANY = 150, STEPS = 40 };
    shape_set s;
    test_random random = {3};
    uint32_t shapes[MANY];
    uint64_t hash = 0;
    lode_vec3 at = v3((lode_real)far, 0, 0);
    assert_true(set_init(&s, threads, LODE_SIMD_PLAIN));
    s.collide.method = lode__broad_method_for(kind);
    s.collide.axes[1] = 1;
    s.collide.axes[2] = 2;
    set_add_plane(&s, v3(0, 0, 1), -2);
    for (int i = 0; i < MANY; ++i)
        shapes[i] = add_random(&s, &random, at);
    for (int step = 0; step < STEPS; ++step) {
        int moves = step % 4 ? 6 : MANY;
        for (int i = 0; i < moves; ++i) {
            lode__pose *pose = set_pose(&s, shapes[random_below(&random, MANY)]);
            pose->position = v3_add(pose->position, random_point(&random, 0.4));
        }
        uint32_t k = random_below(&random, MANY);
        set_remove(&s, shapes[k]);
        shapes[k] = add_random(&s, &random, at);
        assert_true(set_step(&s));
        lode__collide_validate(&s.collide, &s.bodies);
        lode__pair_walk walk = lode__pairs_walk(&s.collide.pairs);
        const lode__pair *pair;
        while ((pair = lode__pairs_next(&s.collide.pairs, &walk)))
            hash = (hash ^ pair->key) * UINT64_C(0x9e3779b97f4a7c15) + pair->points;
        hash = lode__collide_hash(&s.collide, hash);
    }
    assert_true(s.collide.pairs.count > MANY);
    set_free(&s);
    return hash;
}

static void pairs_are_the_same_whichever_is_chosen(void **state)
{
    (void)state;
    static const double places[] = {0, 1e7};
    for (int p = 0; p < 2; ++p) {
        uint64_t hash = live(LODE_BROAD_TREE, 1, places[p]);
        for (int m = LODE_BROAD_TREE + 1; m < LODE_BROAD_PHASE_COUNT; ++m) {
            assert_true(live((lode_broad_phase)m, 1, places[p]) == hash);
            assert_true(live((lode_broad_phase)m, 3, places[p]) == hash);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_finds_every_overlap_once),
        cmocka_unit_test(keys_sort_as_numbers_do),
        cmocka_unit_test(pairs_are_the_same_whichever_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stages.c: the collision stages together, on scenes without a world. */
#include "tests/support/test.h"

#include "collide/kernels.h"
#include "core/math.h"
#include "lode/setup.h"
#include "tests/collide/shape_set.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"

enum { MANY = 160 };

static lode_vec3 random_point(test_random *random, double span)
{
    return v3((lode_real)random_between(random, -span, span),
              (lode_real)random_between(random, -span, span),
              (lode_real)random_between(random, -span, span));
}

static lode_quat random_quat(test_random *random)
{
    lode_quat q = {
        (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1),
        (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, 0, 1)};
    return q_normalize(q);
}

/* A box, a sphere, a capsule or a cylinder, sometimes static, turned at random. */
static uint32_t add_random(shape_set *s, test_random *random, double span)
{
    lode_pose pose = {random_point(random, span), random_quat(random)};
    lode_real size[4] = {0};
    for (int i = 0; i < 3; ++i)
        size[i] = (lode_real)random_between(random, 0.2, 0.8);
    bool dynamic = random_below(random, 8) != 0;
    static const lode_shape_type types[] = {LODE_BOX, LODE_SPHERE, LODE_CAPSULE, LODE_CYLINDER};
    return set_add(s, dynamic, types[random_below(random, 4)], size, pose);
}

static void move_random(shape_set *s, test_random *random, uint32_t shape, double by)
{
    lode__pose *pose = set_pose(s, shape);
    pose->position = v3_add(pose->position, random_point(random, by));
    if (!lode__bits_get(&s->collide.active, shape))
        lode__collide_refresh(&s->collide, shape);
}

/* --- against brute force */

static bool bounds_overlap(const shape_set *s, uint32_t a, uint32_t b)
{
    const lode__aabb *p = LODE__AT(shape, &s->collide.shapes, bounds, a);
    const lode__aabb *q = LODE__AT(shape, &s->collide.shapes, bounds, b);
    for (int i = 0; i < 3; ++i)
        if (p->lo[i] > q->hi[i] || q->lo[i] > p->hi[i])
            return false;
    return true;
}

static bool has_pair(const shape_set *s, uint32_t a, uint32_t b)
{
    const lode__pairs *pairs = &s->collide.pairs;
    uint64_t key = lode__pair_key(a, b);
    uint32_t old = pairs->count - pairs->young, i = lode__pairs_find(pairs, 0, old, key);
    if (i < old && pairs->items[i].key == key)
        return true;
    i = lode__pairs_find(pairs, old, pairs->count, key);
    return i < pairs->count && pairs->items[i].key == key;
}

static bool may_pair(const shape_set *s, uint32_t a, uint32_t b)
{
    uint32_t flags = *LODE__AT(body, &s->bodies, flags, set_body(s, a)) |
                     *LODE__AT(body, &s->bodies, flags, set_body(s, b));
    const lode__filter *p = LODE__AT(shape, &s->collide.shapes, filter, a);
    const lode__filter *q = LODE__AT(shape, &s->collide.shapes, filter, b);
    return set_body(s, a) != set_body(s, b) && (flags & LODE__BODY_DYNAMIC) &&
           (p->category & q->mask) && (q->category & p->mask);
}

static bool is_plane(const shape_set *s, uint32_t shape)
{
    return LODE__AT(shape, &s->collide.shapes, geometry, shape)->type == LODE_PLANE;
}

/* Every pair whose bounds overlap is there, and none that may not pair or is far apart. */
static void check_pairs(const shape_set *s)
{
    const lode__bits *alive = &s->collide.shapes.alive;
    uint32_t end = s->collide.shapes.end, pairs = 0;
    for (uint32_t a = 0; a < end; ++a)
        for (uint32_t b = a + 1; b < end; ++b) {
            if (!lode__bits_get(alive, a) || !lode__bits_get(alive, b))
                continue;
            bool has = has_pair(s, a, b);
            pairs += has;
            if (!may_pair(s, a, b))
                assert_false(has);
            else if (!is_plane(s, a) && !is_plane(s, b) && bounds_overlap(s, a, b))
                assert_true(has);
            else if (!is_plane(s, a) && !is_plane(s, b) && has)
                assert_true(lode__node_overlaps(lode__tree_leaf(&s->collide.tree, a),
                                                lode__tree_leaf(&s->collide.tree, b)));
        }
    assert_int_equal(pairs, s->collide.pairs.count);
}

static void pairs_are_those_of_brute_force(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        shape_set s;
        test_random random = {seed};
        assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
        uint32_t plane = set_add_plane(&s, v3(0, 0, 1), -3), shapes[MANY];
        for (int i = 0; i < MANY; ++i)
            shapes[i] = add_random(&s, &random, 4);
        for (int step = 0; step < 60; ++step) {
            int moves = step % 10 == 0 ? MANY : 20;
            for (int i = 0; i < moves; ++i)
                move_random(&s, &random, shapes[random_below(&random, MANY)], 0.3);
            for (int i = 0; i < 3; ++i) {
                uint32_t k = random_below(&random, MANY);
                set_remove(&s, shapes[k]);
                if (random_below(&random, 2))
                    lode__collide_settle(&s.collide);
                shapes[k] = add_random(&s, &random, 4);
                uint32_t filtered = shapes[random_below(&random, MANY)];
                LODE__AT(shape, &s.collide.shapes, filter, filtered)->mask = 2;
                lode__collide_refresh(&s.collide, filtered);
            }
            if (step % 7 == 0)
                move_random(&s, &random, plane, 0.5);
            lode__collide_validate(&s.collide, &s.bodies);
            assert_true(set_step(&s));
            lode__collide_validate(&s.collide, &s.bodies);
            check_pairs(&s);
        }
        set_free(&s);
    }
}

/* A plane's pairs: every shape within the speculative margin is among them, from wherever it
 * came. */
/* More than one block of the merge holds, with new, kept and dropped pairs anywhere. */
static void many_pairs_are_those_of_brute_force(void **state)
{
    (void)state;
    enum { CROWD = 1000, BLOCKS = 3 * 2048 };
    static uint32_t shapes[CROWD];
    shape_set s;
    test_random random = {4};
    assert_true(set_init(&s, 3, LODE_SIMD_PLAIN));
    for (int i = 0; i < CROWD; ++i)
        shapes[i] = add_random(&s, &random, 3.5);
    for (int step = 0; step < 8; ++step) {
        assert_true(set_step(&s));
        lode__collide_validate(&s.collide, &s.bodies);
        check_pairs(&s);
        assert_true(s.collide.pairs.count > BLOCKS);
        for (int i = 0; i < (step % 3 ? 30 : CROWD); ++i)
            move_random(&s, &random, shapes[random_below(&random, CROWD)], 0.5);
    }
    set_free(&s);
}

/* The order of contacts is that of their shapes, wherever the pairs lie. */
static void check_order(const shape_set *s)
{
    for (uint32_t i = 1; i < s->collide.touching_count; ++i) {
        const lode__manifold *a = s->collide.touching[i - 1], *b = s->collide.touching[i];
        assert_true(lode__pair_key(a->shape_a, a->shape_b) <
                    lode__pair_key(b->shape_a, b->shape_b));
    }
}

/* All that touch, by brute force over bounds and the narrow phase of a scene that starts here. */
static uint64_t fresh_hash(shape_set *from, int count)
{
    shape_set fresh;
    assert_true(set_init(&fresh, 1, LODE_SIMD_PLAIN));
    for (int i = 0; i < count; ++i) {
        const lode__geometry *g = LODE__AT(shape, &from->collide.shapes, geometry, (uint32_t)i);
        const lode__pose *pose = LODE__AT(body, &from->bodies, pose, g->body);
        assert_int_equal(set_add(&fresh, true, (lode_shape_type)g->type, g->size,
                                 (lode_pose){pose->position, pose->rotation}),
                         i);
    }
    assert_true(set_step(&fresh));
    uint64_t hash = lode__collide_hash(&fresh.collide, 1);
    set_free(&fresh);
    return hash;
}

/* While few move, new pairs gather behind the others and parted ones stay; nobody sees it. */
static void few_that_move_find_what_all_would(void **state)
{
    (void)state;
    enum { CROWD = 1500, STEPS = 60 };
    shape_set s;
    test_random random = {5};
    uint32_t most_young = 0, merges = 0;
    assert_true(set_init(&s, 3, LODE_SIMD_PLAIN));
    for (int i = 0; i < CROWD; ++i) {
        lode_real size[4] = {(lode_real)0.4, (lode_real)0.3, (lode_real)0.5};
        set_add(&s, true, i % 3 ? LODE_BOX : LODE_SPHERE, size,
                (lode_pose){random_point(&random, 5), random_quat(&random)});
    }
    for (int step = 0; step < STEPS; ++step) {
        assert_true(set_step(&s));
        lode__collide_validate(&s.collide, &s.bodies);
        check_order(&s);
        most_young = s.collide.pairs.young > most_young ? s.collide.pairs.young : most_young;
        merges += s.collide.pairs.young == 0;
        if (step % 6 == 5)
            assert_true(lode__collide_hash(&s.collide, 1) == fresh_hash(&s, CROWD));
        for (int i = 0; i < 40; ++i)
            move_random(&s, &random, random_below(&random, CROWD), 0.5);
    }
    assert_true(most_young > 200);
    assert_in_range(merges, 2, STEPS / 2);
    set_free(&s);
}

/* A shape that goes, is filtered or falls asleep takes its young pairs with it. */
static void young_pairs_go_with_their_shapes(void **state)
{
    (void)state;
    enum { CROWD = 400 };
    shape_set s;
    test_random random = {6};
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    for (int i = 0; i < CROWD; ++i)
        set_add_sphere(&s, true, (lode_real)0.4, random_point(&random, 3));
    assert_true(set_step(&s));
    for (int round = 0; round < 30; ++round) {
        for (int i = 0; i < 12; ++i)
            move_random(&s, &random, random_below(&random, CROWD), 1);
        assert_true(set_step(&s));
        check_order(&s);
        uint32_t young = s.collide.pairs.young, at = s.collide.pairs.count - young;
        if (young == 0)
            continue;
        uint32_t shape = lode__pair_a(&s.collide.pairs.items[at + random_below(&random, young)]);
        if (round % 3 == 0) {
            set_remove(&s, shape);
            lode__collide_settle(&s.collide);
            lode__collide_validate(&s.collide, &s.bodies);
            set_add_sphere(&s, true, (lode_real)0.4, random_point(&random, 3));
        } else if (round % 3 == 1) {
            LODE__AT(shape, &s.collide.shapes, filter, shape)->mask = 2;
            lode__collide_refresh(&s.collide, shape);
            assert_true(set_step(&s));
            check_pairs(&s);
        } else {
            for (uint32_t k = 0; k < CROWD; k += 2)
                lode__collide_set_active(&s.collide, k, false);
            lode__collide_retire(&s.collide, &s.bodies);
            lode__collide_validate(&s.collide, &s.bodies);
            for (uint32_t k = 0; k < CROWD; k += 2)
                lode__collide_set_active(&s.collide, k, true);
        }
    }
    set_free(&s);
}

static void planes_find_all_that_is_near(void **state)
{
    (void)state;
    for (int i = 0; i < 400; ++i) {
        shape_set s;
        assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
        lode_real start = ((lode_real)i + (lode_real)0.5) * (lode_real)0.0005,
                  radius = (lode_real)0.5;
        lode_real near = LODE__SPECULATIVE(&s.settings) * (lode_real)0.9;
        uint32_t plane = set_add_plane(&s, v3(0, 0, 1), 0);
        uint32_t ball = set_add_sphere(&s, true, radius, v3(3, 4, radius + start));
        assert_true(set_step(&s));
        assert_int_equal(set_find(&s, plane, ball) != NULL, start < LODE__SPECULATIVE(&s.settings));
        set_pose(&s, ball)->position.z = radius + near;
        assert_true(set_step(&s));
        assert_non_null(set_find(&s, plane, ball));
        set_free(&s);
    }
}

/* --- history */

static void copy_poses(shape_set *to, shape_set *from, const uint32_t *shapes)
{
    for (int i = 0; i < MANY; ++i)
        *set_pose(to, shapes[i]) = *set_pose(from, shapes[i]);
}

/* A scene that came here by a long way and one that starts here touch alike, to the bit. */
static void history_leaves_no_trace(void **state)
{
    (void)state;
    shape_set old, fresh;
    test_random random = {7}, again = {7};
    uint32_t shapes[MANY];
    assert_true(set_init(&old, 1, LODE_SIMD_PLAIN) && set_init(&fresh, 1, LODE_SIMD_PLAIN));
    set_add_plane(&old, v3(0, 0, 1), -2);
    set_add_plane(&fresh, v3(0, 0, 1), -2);
    for (int i = 0; i < MANY; ++i) {
        shapes[i] = add_random(&old, &random, 3);
        assert_int_equal(add_random(&fresh, &again, 3), shapes[i]);
    }
    for (int step = 0; step < 100; ++step) {
        for (int i = 0; i < MANY; ++i)
            move_random(&old, &random, shapes[i], 0.02);
        assert_true(set_step(&old));
    }
    copy_poses(&fresh, &old, shapes);
    assert_true(set_step(&fresh));
    assert_true(old.collide.touching_count > 50);
    assert_true(old.collide.pairs.count != fresh.collide.pairs.count);
    assert_true(lode__collide_hash(&old.collide, 1) == lode__collide_hash(&fresh.collide, 1));
    set_free(&old);
    set_free(&fresh);
}

static uint64_t run_hash(int threads, lode_simd simd)
{
    shape_set s;
    test_random random = {11};
    uint32_t shapes[4 * MANY];
    uint64_t hash = 1;
    assert_true(set_init(&s, threads, simd));
    set_add_plane(&s, v3(0, 0, 1), -4);
    for (int i = 0; i < 4 * MANY; ++i)
        shapes[i] = add_random(&s, &random, 5);
    for (int step = 0; step < 20; ++step) {
        for (int i = 0; i < 4 * MANY; ++i)
            move_random(&s, &random, shapes[i], 0.05);
        assert_true(set_step(&s));
        hash = lode__collide_hash(&s.collide, hash);
    }
    set_free(&s);
    return hash;
}

static void threads_and_instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t hash = run_hash(1, LODE_SIMD_PLAIN);
    assert_true(run_hash(2, LODE_SIMD_PLAIN) == hash);
    assert_true(run_hash(8, LODE_SIMD_PLAIN) == hash);
    for (int simd = LODE_SIMD_SSE2; simd < LODE_SIMD_COUNT; ++simd)
        if (lode__collide_kernels_for((lode_simd)simd) && lode_simd_available((lode_simd)simd))
            assert_true(run_hash(3, (lode_simd)simd) == hash);
}

/* --- contacts */

static void impulses_stay_with_their_features(void **state)
{
    (void)state;
    shape_set s;
    test_random random = {5};
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    lode_vec3 half = v3((lode_real)0.5, (lode_real)0.5, (lode_real)0.5);
    uint32_t plane = set_add_plane(&s, v3(0, 0, 1), 0);
    const lode_vec3 low_at = {0, 0, (lode_real)0.499};
    const lode_vec3 high_at = {(lode_real)0.5, 0, (lode_real)1.497};
    uint32_t low = set_add_box(&s, true, half, low_at);
    uint32_t high = set_add_box(&s, true, half, high_at);
    for (int step = 0; step < 1000; ++step) {
        assert_true(set_step(&s));
        assert_int_equal(s.stats.contacts, 2);
        assert_int_equal(s.stats.contact_points, 8);
        for (uint32_t i = 0; i < 2; ++i)
            for (int k = 0; k < 4; ++k) {
                lode__point *point = &s.collide.touching[i]->points[k];
                if (step > 0)
                    assert_true(point->impulse[0] == (lode_real)point->feature);
                point->impulse[0] = (lode_real)point->feature;
            }
        set_pose(&s, low)->position = v3_add(low_at, random_point(&random, 1e-4));
        set_pose(&s, high)->position = v3_add(high_at, random_point(&random, 1e-4));
    }
    assert_non_null(set_find(&s, plane, low));
    assert_null(set_find(&s, plane, high));
    set_free(&s);
}

static void shapes_of_one_body_do_not_touch(void **state)
{
    (void)state;
    shape_set s;
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    lode_real size[4] = {1, 1, 1, 0};
    lode_pose shifted = {{(lode_real)1.5, 0, 0}, {1, 0, 0, 0}};
    uint32_t box = set_add_box(&s, true, v3(1, 1, 1), v3_zero());
    uint32_t twin = set_add_to(&s, box, LODE_SPHERE, size, shifted);
    uint32_t other = set_add_sphere(&s, true, 1, v3((lode_real)3.4, 0, 0));
    assert_true(set_step(&s));
    assert_int_equal(s.stats.contacts, 1);
    const lode__manifold *m = set_find(&s, twin, other);
    assert_non_null(m);
    assert_true(r_abs(m->points[0].position.x - (lode_real)2.45) < (lode_real)1e-5);
    assert_true(m->offset.x == -(lode_real)3.4);
    set_free(&s);
}

static void contacts_are_the_same_far_from_the_origin(void **state)
{
    (void)state;
    const lode_real far = 100000;
    for (int type = LODE_SPHERE; type <= LODE_BOX; ++type) {
        shape_set s;
        lode_real size[4] = {(lode_real)0.5, (lode_real)0.5, (lode_real)0.5, 0};
        lode_pose low = {{far, -far, far}, {1, 0, 0, 0}};
        lode_pose high = {{far, -far, far + 1}, {1, 0, 0, 0}};
        assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
        uint32_t a = set_add(&s, false, LODE_BOX, size, low);
        uint32_t b = set_add(&s, true, (lode_shape_type)type, size, high);
        assert_true(set_step(&s));
        const lode__manifold *m = set_find(&s, a, b);
        assert_non_null(m);
        assert_int_equal(m->point_count, type == LODE_BOX ? 4 : 1);
        assert_true(m->normal.z == -1 && r_abs(m->points[0].depth) < (lode_real)1e-6);
        assert_true(r_abs(m->points[0].position.z - (lode_real)0.5) < (lode_real)1e-6);
        set_free(&s);
    }
}

static lode_vec3 on_axis(int axis, lode_real x)
{
    return v3(axis == 0 ? x : 0, axis == 1 ? x : 0, axis == 2 ? x : 0);
}

/* A sphere beside the origin of its body. */
static uint32_t add_beside(shape_set *s, lode_real radius, lode_vec3 body, lode_vec3 beside)
{
    uint32_t shape = set_add_sphere(s, true, radius, body);
    LODE__AT(shape, &s->collide.shapes, geometry, shape)->center.position = beside;
    return shape;
}

/* Far out, where positions are a quarter of the margin apart, the place of a shape beside its
 * body's centre is rounded by half as much; the narrow phase, which subtracts bodies first, knows
 * better. Two spheres nearer than the margin must have a contact there all the same. */
static void what_is_near_has_a_contact_far_from_the_origin(void **state)
{
    (void)state;
    shape_set s;
    test_random random = {11};
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    lode_real margin = LODE__SPECULATIVE(&s.settings);
    double far = (double)(margin / 4 / REAL_EPSILON);
    int near = 0;
    for (int round = 0; round < 3000; ++round) {
        int axis = round % 3, side = round & 1 ? -1 : 1;
        lode_real radius[2], beside[2];
        for (int i = 0; i < 2; ++i) {
            radius[i] = (lode_real)random_between(&random, 0.2, 0.8);
            beside[i] = (lode_real)random_between(&random, -0.2, 0.2);
        }
        lode_real from = (lode_real)(side * random_between(&random, far, 2 * far));
        lode_real to = from + (radius[0] + radius[1] + beside[0] - beside[1] + margin);
        double apart = (double)(to - from) + ((double)beside[1] - beside[0]); /* exact */
        double gap = apart - radius[0] - radius[1];
        if (gap > 0.999 * margin || gap < 0)
            continue;
        ++near;
        uint32_t a = add_beside(&s, radius[0], on_axis(axis, from), on_axis(axis, beside[0]));
        uint32_t b = add_beside(&s, radius[1], on_axis(axis, to), on_axis(axis, beside[1]));
        assert_true(set_step(&s));
        assert_non_null(set_find(&s, a, b));
        set_remove(&s, a);
        set_remove(&s, b);
    }
    assert_true(near > 500);
    set_free(&s);
}

static void materials_mix(void **state)
{
    (void)state;
    shape_set s;
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    uint32_t a = set_add_sphere(&s, true, 1, v3_zero());
    uint32_t b = set_add_sphere(&s, true, 1, v3(1, 0, 0));
    *LODE__AT(shape, &s.collide.shapes, surface, a) = (lode__surface){4, (lode_real)0.25, 1};
    *LODE__AT(shape, &s.collide.shapes, surface, b) = (lode__surface){9, (lode_real)0.5, 1};
    assert_true(set_step(&s));
    const lode__manifold *m = set_find(&s, a, b);
    assert_true(m->friction[0] == 6 && m->friction[1] == 6 && m->restitution == (lode_real)0.5);
    set_free(&s);
}

static bool never(const void *context, uint32_t a, uint32_t b)
{
    (void)context, (void)a, (void)b;
    return false;
}

static void the_world_may_forbid_pairs(void **state)
{
    (void)state;
    shape_set s;
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    uint32_t a = set_add_sphere(&s, true, 1, v3_zero());
    set_add_sphere(&s, true, 1, v3(1, 0, 0));
    assert_true(set_step(&s));
    assert_int_equal(s.stats.contacts, 1);
    s.collide.may_touch = never;
    assert_true(set_step(&s));
    assert_int_equal(s.stats.contacts, 1);
    lode__collide_refresh(&s.collide, a);
    assert_true(set_step(&s));
    assert_int_equal(s.stats.contacts, 0);
    s.collide.may_touch = NULL;
    lode__collide_refresh(&s.collide, a);
    assert_true(set_step(&s));
    assert_int_equal(s.stats.contacts, 1);
    set_free(&s);
}

static void a_removed_shape_leaves_no_contact_to_its_successor(void **state)
{
    (void)state;
    shape_set s;
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    set_add_sphere(&s, true, 1, v3_zero());
    uint32_t b = set_add_sphere(&s, true, 1, v3(1, 0, 0));
    assert_true(set_step(&s));
    s.collide.touching[0]->points[0].impulse[0] = 5;
    set_remove(&s, b);
    assert_int_equal(set_add_sphere(&s, true, 1, v3(1, 0, 0)), b);
    assert_int_equal(s.collide.touching_count, 0);
    assert_true(set_step(&s));
    assert_int_equal(s.stats.contacts, 1);
    assert_true(s.collide.touching[0]->points[0].impulse[0] == 0);
    set_free(&s);
}

/* --- memory */

/* A scene of some shapes; false when out of memory. */
static bool fill(shape_set *s)
{
    test_random random = {3};
    if (set_add_plane(s, v3(0, 0, 1), -2) == LODE__NONE)
        return false;
    for (int i = 0; i < MANY; ++i)
        if (add_random(s, &random, 3) == LODE__NONE)
            return false;
    return true;
}

static void every_failed_allocation_leaves_a_whole_scene(void **state)
{
    (void)state;
    alloc_fail_install();
    uint64_t right = 0;
    for (long n = -1;; ++n) {
        shape_set s;
        assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
        alloc_fail_nth(n);
        bool filled = fill(&s);
        if (filled && !set_step(&s)) {
            lode__collide_validate(&s.collide, &s.bodies);
            assert_true(alloc_fail_happened());
            alloc_fail_nth(-1);
            assert_true(set_step(&s));
        }
        lode__collide_validate(&s.collide, &s.bodies);
        uint64_t hash = lode__collide_hash(&s.collide, 1);
        bool done = n >= 0 && !alloc_fail_happened() && alloc_fail_calls() <= n;
        alloc_fail_nth(-1);
        if (n < 0)
            right = hash;
        else if (filled)
            assert_true(hash == right);
        set_free(&s);
        assert_int_equal(alloc_fail_live(), 0);
        if (done)
            break;
    }
    alloc_fail_remove();
}

static void a_warm_step_allocates_nothing(void **state)
{
    (void)state;
    alloc_fail_install();
    shape_set s;
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    assert_true(fill(&s));
    for (int step = 0; step < 10; ++step) {
        if (step == 4)
            alloc_fail_nth(-1);
        for (uint32_t shape = 0; shape <= MANY; ++shape)
            lode__collide_refresh(&s.collide, shape);
        assert_true(set_step(&s));
    }
    assert_int_equal(alloc_fail_calls(), 0);
    set_free(&s);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_of_brute_force),
        cmocka_unit_test(many_pairs_are_those_of_brute_force),
        cmocka_unit_test(few_that_move_find_what_all_would),
        cmocka_unit_test(young_pairs_go_with_their_shapes),
        cmocka_unit_test(planes_find_all_that_is_near),
        cmocka_unit_test(history_leaves_no_trace),
        cmocka_unit_test(threads_and_instruction_sets_give_the_same_bits),
        cmocka_unit_test(impulses_stay_with_their_features),
        cmocka_unit_test(shapes_of_one_body_do_not_touch),
        cmocka_unit_test(contacts_are_the_same_far_from_the_origin),
        cmocka_unit_test(what_is_near_has_a_contact_far_from_the_origin),
        cmocka_unit_test(materials_mix),
        cmocka_unit_test(the_world_may_forbid_pairs),
        cmocka_unit_test(a_removed_shape_leaves_no_contact_to_its_successor),
        cmocka_unit_test(every_failed_allocation_leaves_a_whole_scene),
        cmocka_unit_test(a_warm_step_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

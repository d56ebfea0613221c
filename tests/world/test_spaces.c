/* Spaces: sets of shapes within each other, held against looks at every shape and every pair. */
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <stdlib.h>

enum { SHAPES = 150, SPACES = 6 };

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static double number(test_random *random, double lo, double hi)
{
    return random_between(random, lo, hi);
}

/* A world of shapes of all sorts and spaces within each other, and who is in which by itself. */
typedef struct crowd {
    lode_world world;
    lode_shape shape[SHAPES];
    bool plane[SHAPES], sensor[SHAPES], disabled[SHAPES];
    uint64_t category[SHAPES], mask[SHAPES];
    lode_space space[SPACES];
    int parent[SPACES]; /* -1: none */
    bool in[SPACES][SHAPES];
} crowd;

static lode_shape make_shape(crowd *c, int i, lode_body body, test_random *random)
{
    lode_shape_def def = lode_shape_def_default();
    lode_vec3 half = vec((lode_real)number(random, 0.1, 1), (lode_real)number(random, 0.1, 1),
                         (lode_real)number(random, 0.1, 1));
    c->category[i] = def.category = 1 + random_below(random, 3);
    c->mask[i] = def.mask = 1 + random_below(random, 3);
    def.sensor = c->sensor[i] = random_below(random, 12) == 0;
    def.pose.position.x = (lode_real)number(random, -0.5, 0.5);
    c->plane[i] = random_below(random, 20) == 0;
    if (c->plane[i])
        return lode_shape_create_plane(body, &def, half, (lode_real)-4);
    return random_below(random, 2) ? lode_shape_create_box(body, &def, half)
                                   : lode_shape_create_sphere(body, &def, half.x);
}

static crowd *make_crowd(test_random *random)
{
    crowd *c = calloc(1, sizeof *c);
    lode_world_def def = lode_world_def_default();
    c->world = lode_world_create(&def);
    lode_body body = {0};
    for (int i = 0; i < SHAPES; ++i) {
        if (i % 3 != 1) /* some bodies have two shapes */
            body = add_body(c->world, i % 4 ? LODE_STATIC : LODE_KINEMATIC,
                            (lode_real)number(random, -5, 5), (lode_real)number(random, -5, 5),
                            (lode_real)number(random, -5, 5));
        c->shape[i] = make_shape(c, i, body, random);
        assert_true(c->shape[i].id);
        c->disabled[i] = random_below(random, 10) == 0;
        if (c->disabled[i])
            lode_shape_set_enabled(c->shape[i], false);
    }
    for (int k = 0; k < SPACES; ++k) {
        c->space[k] = lode_space_create(c->world);
        c->parent[k] = k == 0 ? -1 : (int)random_below(random, (uint32_t)k + 1) - 1;
        if (c->parent[k] >= 0)
            assert_int_equal(lode_space_set_parent(c->space[k], c->space[c->parent[k]]), LODE_OK);
        for (int n = 0; n < SHAPES / 3; ++n) {
            int i = (int)random_below(random, SHAPES);
            c->in[k][i] = true;
            assert_int_equal(lode_space_add(c->space[k], c->shape[i]), LODE_OK);
        }
        for (int n = 0; n < SHAPES / 20; ++n) {
            int i = (int)random_below(random, SHAPES);
            c->in[k][i] = false;
            assert_int_equal(lode_space_remove(c->space[k], c->shape[i]), LODE_OK);
        }
    }
    return c;
}

static void end_crowd(crowd *c)
{
    for (int k = 0; k < SPACES; ++k)
        if (c->parent[k] < 0)
            assert_int_equal(lode_space_destroy(c->space[k], k % 2), LODE_OK);
    assert_int_equal(lode_world_get_spaces(c->world, NULL, 0), 0);
    lode_world_destroy(c->world);
    free(c);
}

/* In it, or in one within it? */
static bool is_in(const crowd *c, int k, int i)
{
    for (int other = 0; other < SPACES; ++other)
        for (int up = other; up >= 0; up = c->parent[up])
            if (up == k && c->in[other][i])
                return true;
    return false;
}

static void spaces_hold_what_is_in_them(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 20; ++round) {
        crowd *c = make_crowd(&random);
        for (int k = 0; k < SPACES; ++k) {
            lode_shape list[SHAPES];
            int count = lode_space_get_shapes(c->space[k], list, SHAPES), at = 0;
            for (int i = 0; i < SHAPES; ++i) { /* slots rise with the index */
                assert_int_equal(lode_space_has(c->space[k], c->shape[i]), is_in(c, k, i));
                if (is_in(c, k, i))
                    assert_true(at < count && list[at++].id == c->shape[i].id);
            }
            assert_int_equal(at, count);
            assert_int_equal(lode_space_get_shapes(c->space[k], list, 3), count);
            lode_space up = {c->parent[k] < 0 ? 0 : c->space[c->parent[k]].id};
            assert_true(lode_space_get_parent(c->space[k]).id == up.id);
        }
        end_crowd(c);
    }
}

/* ---- pairs ---- */

/* Do the bounds of one overlap those of the other, or reach below it? */
static bool are_near(const crowd *c, int i, int k)
{
    if (c->plane[i] && c->plane[k])
        return false;
    if (c->plane[i])
        return are_near(c, k, i);
    lode_bounds a = lode_shape_get_bounds(c->shape[i]), b;
    if (c->plane[k]) {
        lode_solid corner = lode_solid_box(vec(
            (a.upper.x - a.lower.x) / 2, (a.upper.y - a.lower.y) / 2, (a.upper.z - a.lower.z) / 2));
        lode_cast cast = {.solid = corner, .pose.rotation.w = 1};
        cast.pose.position = vec((a.upper.x + a.lower.x) / 2, (a.upper.y + a.lower.y) / 2,
                                 (a.upper.z + a.lower.z) / 2);
        lode_cast_hit hit;
        return lode_shape_cast_shape(c->shape[k], &cast, &hit);
    }
    b = lode_shape_get_bounds(c->shape[k]);
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

static bool may_pair(const crowd *c, int i, int k)
{
    return !c->sensor[i] && !c->sensor[k] && !c->disabled[i] && !c->disabled[k] &&
           (c->category[i] & c->mask[k]) && (c->category[k] & c->mask[i]) &&
           lode_shape_get_body(c->shape[i]).id != lode_shape_get_body(c->shape[k]).id;
}

/* Is the pair told, either way round? */
static bool is_told(const crowd *c, int i, int k, const lode_shape_pair *pairs, int count)
{
    for (int n = 0; n < count; ++n)
        if ((pairs[n].a.id == c->shape[i].id && pairs[n].b.id == c->shape[k].id) ||
            (pairs[n].a.id == c->shape[k].id && pairs[n].b.id == c->shape[i].id))
            return true;
    return false;
}

static void pairs_are_those_of_all(void **state)
{
    (void)state;
    test_random random = {2};
    int total = 0;
    for (int round = 0; round < 12; ++round) {
        crowd *c = make_crowd(&random);
        if (round % 2) /* they move, and nobody steps */
            for (int i = 0; i < SHAPES; i += 5) {
                lode_body body = lode_shape_get_body(c->shape[i]);
                lode_pose pose = lode_body_get_pose(body);
                pose.position.x += (lode_real)number(&random, -3, 3);
                lode_body_set_pose(body, pose);
            }
        for (int one = 0; one < SPACES; ++one) {
            int two = (int)random_below(&random, SPACES), sure = 0;
            static lode_shape_pair pairs[SHAPES * SHAPES];
            int count = lode_space_find_pairs(c->space[one], c->space[two], pairs, SHAPES * SHAPES);
            for (int i = 0; i < SHAPES; ++i)
                for (int k = i + 1; k < SHAPES; ++k) {
                    bool across = (is_in(c, one, i) && is_in(c, two, k)) ||
                                  (is_in(c, one, k) && is_in(c, two, i));
                    bool wanted = across && may_pair(c, i, k) && are_near(c, i, k);
                    assert_int_equal(is_told(c, i, k, pairs, count), wanted);
                    sure += wanted;
                }
            assert_int_equal(sure, count);
            for (int n = 0; n < count; ++n) {
                assert_true(lode_space_has(c->space[one], pairs[n].a));
                assert_true(lode_space_has(c->space[two], pairs[n].b));
            }
            lode_shape_pair few[3];
            assert_int_equal(lode_space_find_pairs(c->space[one], c->space[two], few, 3), count);
            for (int n = 0; n < 3 && n < count; ++n)
                assert_true(few[n].a.id == pairs[n].a.id && few[n].b.id == pairs[n].b.id);
            total += count;
        }
        end_crowd(c);
    }
    assert_true(total > 300);
}

/* ---- queries ---- */

typedef struct view {
    const crowd *c;
    int k;
} view;

static bool accept(void *context, lode_shape shape)
{
    const view *v = context;
    for (int i = 0; i < SHAPES; ++i)
        if (v->c->shape[i].id == shape.id)
            return is_in(v->c, v->k, i);
    return false;
}

static bool odd(void *context, lode_shape shape)
{
    (void)context;
    return shape.id & 1;
}

static void queries_see_a_space_alone(void **state)
{
    (void)state;
    test_random random = {3};
    int hits = 0;
    for (int round = 0; round < 5; ++round) {
        crowd *c = make_crowd(&random);
        for (int i = 0; i < 100; ++i) {
            view v = {c, (int)random_below(&random, SPACES)};
            lode_query_filter by_space = lode_query_filter_default(), by_hand = by_space;
            by_space.space = c->space[v.k];
            by_hand.accept = accept;
            by_hand.context = &v;
            lode_ray ray = {.origin = {(lode_real)number(&random, -5, 5), -9, 0},
                            .direction = {(lode_real)number(&random, -0.3, 0.3), 1,
                                          (lode_real)number(&random, -0.3, 0.3)},
                            .length = 20};
            lode_ray_hit a, b, many;
            bool found = lode_world_cast_ray(c->world, &ray, &by_space, &a);
            assert_int_equal(found, lode_world_cast_ray(c->world, &ray, &by_hand, &b));
            assert_int_equal(found, lode_world_cast_rays(c->world, &ray, 1, &by_space, &many));
            assert_true(a.shape.id == b.shape.id && many.shape.id == a.shape.id);
            lode_cast cast = {.solid = lode_solid_sphere((lode_real)0.3),
                              .pose = {ray.origin, {1, 0, 0, 0}},
                              .translation = {0, 18, 0}};
            lode_cast_hit d, e;
            assert_int_equal(lode_world_cast_shape(c->world, &cast, &by_space, &d),
                             lode_world_cast_shape(c->world, &cast, &by_hand, &e));
            assert_true(d.shape.id == e.shape.id);
            lode_vec3 at = vec((lode_real)number(&random, -5, 5), 0, 0);
            assert_int_equal(lode_world_overlap_sphere(c->world, at, 2, &by_space, NULL, 0),
                             lode_world_overlap_sphere(c->world, at, 2, &by_hand, NULL, 0));
            hits += found;
            by_space.accept = odd; /* both have a say */
            assert_true(!lode_world_cast_ray(c->world, &ray, &by_space, &a) || (a.shape.id & 1));
        }
        end_crowd(c);
    }
    assert_true(hits > 100);
}

static void a_space_is_switched_off_as_a_whole(void **state)
{
    (void)state;
    test_random random = {4};
    crowd *c = make_crowd(&random);
    for (int on = 0; on < 2; ++on) {
        assert_int_equal(lode_space_set_enabled(c->space[0], on), LODE_OK);
        for (int i = 0; i < SHAPES; ++i)
            assert_int_equal(lode_shape_get_enabled(c->shape[i]),
                             is_in(c, 0, i) ? on : !c->disabled[i]);
    }
    end_crowd(c);
}

/* ---- lives ---- */

static void the_dead_leave(void **state)
{
    (void)state;
    alloc_fail_install();
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_space outer = lode_space_create(world), inner = lode_space_create(world);
    lode_shape one = lode_shape_create_sphere(body, &shape_def, 1);
    lode_space_set_parent(inner, outer);
    lode_space_add(inner, one);
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *bytes = malloc(size);
    lode_world_snapshot(world, bytes, size);
    lode_shape_destroy(one);
    assert_int_equal(lode_space_get_shapes(outer, NULL, 0), 0);
    lode_shape two = lode_shape_create_sphere(body, &shape_def, 1); /* in the same slot */
    assert_false(lode_space_has(outer, two));
    lode_space_add(outer, two);
    assert_int_equal(lode_space_get_shapes(outer, NULL, 0), 1);
    /* set back the first is there again */
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    assert_true(lode_space_has(outer, one) && lode_space_has(inner, one));
    free(bytes);
    lode_shape three = lode_shape_create_sphere(body, &shape_def, 1);
    alloc_fail_nth(0);
    lode_space full = outer;
    for (int i = 0; i < 100; ++i) /* it has room, or it says that it has none */
        if (lode_space_add(full, three) == LODE_ERROR_MEMORY)
            break;
    alloc_fail_nth(-1);
    assert_int_equal(lode_space_add(outer, three), LODE_OK);
    /* the shapes of the inner one go with it */
    assert_int_equal(lode_space_destroy(inner, true), LODE_OK);
    assert_int_equal(lode_space_get_shapes(outer, NULL, 0), 1);
    assert_int_equal(lode_space_destroy(outer, false), LODE_OK);
    assert_false(lode_space_is_valid(outer) || lode_space_is_valid(inner));
    assert_int_equal((int)lode_shape_get_type(three), LODE_SPHERE);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void bad_spaces_are_refused(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def), other = lode_world_create(&def);
    lode_space a = lode_space_create(world), b = lode_space_create(world), null = {0};
    lode_space far = lode_space_create(other);
    lode_body body = add_ball(other, 0, 0, 0, 1);
    lode_shape shape;
    assert_int_equal(lode_body_get_shapes(body, &shape, 1), 1);
    lode_query_filter filter = lode_query_filter_default();
    lode_ray ray = {.direction = {1, 0, 0}, .length = 1};
    lode_ray_hit hit;
    lode_space_set_parent(b, a);
    report_clear();
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "parent", lode_space_set_parent, a, a);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "parent", lode_space_set_parent, a, b);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "parent", lode_space_set_parent, a, far);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "space", lode_space_set_parent, null, a);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "shape", lode_space_add, a, shape);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "shape", lode_space_add, a, (lode_shape){0});
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "shape", lode_space_remove, a, shape);
    assert_int_equal(lode_space_find_pairs(a, far, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_space_find_pairs", "b");
    report_clear();
    assert_int_equal(lode_space_find_pairs(a, null, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_space_find_pairs", "b");
    report_clear();
    assert_int_equal(lode_space_find_pairs(a, b, NULL, 1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_space_find_pairs", "out_pairs");
    report_clear();
    assert_int_equal(lode_space_get_shapes(a, NULL, -1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_space_get_shapes", "capacity");
    report_clear();
    filter.space = far;
    assert_false(lode_world_cast_ray(world, &ray, &filter, &hit));
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_world_cast_ray", "filter.space");
    report_clear();
    filter = (lode_query_filter){.accept = odd};
    assert_false(lode_world_cast_ray(world, &ray, &filter, &hit));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_cast_ray", "filter");
    report_clear();
    assert_int_equal(lode_space_add(far, shape), LODE_OK);
    lode_world_destroy(world);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "space", lode_space_set_enabled, a, false);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "space", lode_space_destroy, a, true);
    assert_int_equal(lode_space_destroy(far, true), LODE_OK);
    assert_int_equal(lode_body_get_shapes(body, NULL, 0), 0);
    lode_world_destroy(other);
}

/* A handle of a space is as good as any other: what is stale, null or of another world is
 * refused by every function, also when the slot is used again. */
static void refuse_space(lode_space bad, lode_space good, lode_shape shape)
{
    int count;
    assert_false(lode_space_is_valid(bad));
#define REFUSED(call, function, argument) \
    do { \
        report_clear(); \
        call; \
        EXPECT_REPORT(LODE_ERROR_HANDLE, function, argument); \
    } while (0)
#define REFUSED_ZERO(function, argument, ...) \
    REFUSED(assert_true(!function(__VA_ARGS__)), #function, argument)
#define REFUSED_STATUS(function, argument, ...) \
    REFUSED(assert_int_equal(function(__VA_ARGS__), LODE_ERROR_HANDLE), #function, argument)
    REFUSED_STATUS(lode_space_destroy, "space", bad, true);
    REFUSED_STATUS(lode_space_set_parent, "space", bad, good);
    REFUSED_STATUS(lode_space_add, "space", bad, shape);
    REFUSED_STATUS(lode_space_remove, "space", bad, shape);
    REFUSED_STATUS(lode_space_set_enabled, "space", bad, true);
    REFUSED_STATUS(lode_space_set_user_data, "space", bad, NULL);
    REFUSED_STATUS(lode_space_set_category, "space", bad, 1);
    REFUSED_STATUS(lode_space_set_mask, "space", bad, 1);
    REFUSED_STATUS(lode_space_set_sublevel, "space", bad, 1);
    REFUSED_ZERO(lode_space_get_user_data, "space", bad);
    REFUSED_ZERO(lode_space_get_category, "space", bad);
    REFUSED_ZERO(lode_space_get_mask, "space", bad);
    REFUSED_ZERO(lode_space_get_sublevel, "space", bad);
    REFUSED_ZERO(lode_space_get_spaces, "space", bad, NULL, 0);
    REFUSED_ZERO(lode_space_get_shapes, "space", bad, NULL, 0);
    REFUSED_ZERO(lode_space_has, "space", bad, shape);
    REFUSED_ZERO(lode_space_find_pairs, "a", bad, good, NULL, 0);
    REFUSED_ZERO(lode_space_find_pairs, "b", good, bad, NULL, 0);
    REFUSED_ZERO(lode_space_find_pairs_with, "space", bad, shape, NULL, 0);
    REFUSED_ZERO(lode_space_find_member_pairs, "a", bad, good, NULL, 0);
    REFUSED_ZERO(lode_space_find_member_pairs, "b", good, bad, NULL, 0);
    REFUSED(assert_true(!lode_space_get_world(bad).id), "lode_space_get_world", "space");
    REFUSED(assert_true(!lode_space_get_parent(bad).id), "lode_space_get_parent", "space");
    REFUSED(assert_true(lode_space_get_bounds(bad).upper.x == 0), "lode_space_get_bounds", "space");
    if (bad.id) { /* null is none there */
        lode_query_filter filter = lode_query_filter_default();
        filter.space = bad;
        REFUSED_STATUS(lode_space_set_parent, "parent", good, bad);
        REFUSED(count = lode_world_overlap_point(lode_space_get_world(good), vec(0, 0, 0), &filter,
                                                 NULL, 0),
                "lode_world_overlap_point", "filter.space");
        assert_int_equal(count, 0);
    }
    report_clear();
}

static void spaces_are_handles(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def), other = lode_world_create(&def);
    lode_space good = lode_space_create(world), gone = lode_space_create(world), many[3];
    lode_shape shape;
    assert_int_equal(lode_body_get_shapes(add_ball(world, 0, 0, 0, 1), &shape, 1), 1);
    assert_int_equal(lode_space_destroy(gone, false), LODE_OK);
    lode_space again = lode_space_create(world); /* has the slot of the last one */
    assert_true((again.id & 0xffffff) == (gone.id & 0xffffff) && again.id != gone.id);
    refuse_space((lode_space){0}, good, shape);
    refuse_space(gone, good, shape);
    refuse_space((lode_space){good.id + 77}, good, shape);
    lode_space far = lode_space_create(other);
    lode_world_destroy(other);
    refuse_space(far, good, shape);
    other = lode_world_create(&def); /* has the place of the last one */
    refuse_space(far, good, shape);
    assert_true(lode_space_create(other).id != far.id);
    lode_world_destroy(other);
    assert_int_equal(lode_world_get_spaces(world, many, 3), 2);
    assert_true(many[0].id == good.id && many[1].id == again.id);
    assert_true(lode_space_get_world(again).id == world.id);
    assert_int_equal(lode_space_set_parent(again, good), LODE_OK);
    assert_int_equal(lode_space_get_spaces(good, many, 3), 1);
    assert_true(many[0].id == again.id);
    assert_int_equal(lode_space_add(again, shape), LODE_OK);
    assert_int_equal(lode_shape_get_spaces(shape, many, 3), 1);
    assert_true(many[0].id == again.id);
    assert_int_equal(lode_space_set_user_data(again, many), LODE_OK);
    assert_ptr_equal(lode_space_get_user_data(again), many);
    lode_world_destroy(world);
}

/* ---- members ---- */

/* The box around what is in a space, by looking at every shape; false if nothing is. */
static bool box_of(const crowd *c, int k, bool active, lode_bounds *out)
{
    bool any = false;
    for (int i = 0; i < SHAPES; ++i) {
        if (!is_in(c, k, i) || (active && (c->sensor[i] || c->disabled[i])))
            continue;
        lode_bounds b = lode_shape_get_bounds(c->shape[i]);
        if (!any)
            *out = b;
        out->lower.x = b.lower.x < out->lower.x ? b.lower.x : out->lower.x;
        out->lower.y = b.lower.y < out->lower.y ? b.lower.y : out->lower.y;
        out->lower.z = b.lower.z < out->lower.z ? b.lower.z : out->lower.z;
        out->upper.x = b.upper.x > out->upper.x ? b.upper.x : out->upper.x;
        out->upper.y = b.upper.y > out->upper.y ? b.upper.y : out->upper.y;
        out->upper.z = b.upper.z > out->upper.z ? b.upper.z : out->upper.z;
        any = true;
    }
    return any;
}

/* What may be a member: shape n, or space n - SHAPES. */
enum { THINGS = SHAPES + SPACES };

static bool is_member(const crowd *c, int k, int thing)
{
    return thing < SHAPES ? c->in[k][thing] : c->parent[thing - SHAPES] == k;
}

static bool overlap(const lode_bounds *a, const lode_bounds *b)
{
    return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
           b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

/* Does the shape, if a plane, reach into the box? By its corners. */
static bool shape_meets(const crowd *c, int i, const lode_bounds *box)
{
    lode_bounds own = lode_shape_get_bounds(c->shape[i]);
    if (!c->plane[i])
        return overlap(&own, box);
    for (int corner = 0; corner < 8; ++corner) {
        lode_nearest at;
        lode_vec3 point = vec(corner & 1 ? box->upper.x : box->lower.x,
                              corner & 2 ? box->upper.y : box->lower.y,
                              corner & 4 ? box->upper.z : box->lower.z);
        lode_shape_find_nearest(c->shape[i], point, &at);
        if (at.depth >= 0)
            return true;
    }
    return false;
}

static bool things_meet(const crowd *c, int one, int two)
{
    lode_bounds a, b;
    if (one < SHAPES && two < SHAPES)
        return may_pair(c, one, two) && are_near(c, one, two);
    if (one >= SHAPES && two >= SHAPES)
        return box_of(c, one - SHAPES, true, &a) && box_of(c, two - SHAPES, true, &b) &&
               overlap(&a, &b);
    int shape = one < SHAPES ? one : two, space = (one < SHAPES ? two : one) - SHAPES;
    if (c->sensor[shape] || c->disabled[shape] || !box_of(c, space, true, &b))
        return false;
    return b.upper.x > 1e30 || shape_meets(c, shape, &b); /* a plane is in it, or not */
}

static bool names(const crowd *c, const lode_space_member *m, int thing)
{
    assert_true(!m->shape.id != !m->space.id);
    return thing < SHAPES ? m->shape.id == c->shape[thing].id
                          : m->space.id == c->space[thing - SHAPES].id;
}

/* The sides of a pair of spaces: members of it, or the space as one. */
static bool is_on_side(const crowd *c, int k, bool whole, int thing)
{
    return whole ? thing == SHAPES + k : is_member(c, k, thing);
}

static int hold_members(const crowd *c, int one, int two, int level_one, int level_two)
{
    static lode_member_pair pairs[THINGS * THINGS];
    lode_space_set_sublevel(c->space[one], level_one);
    if (one != two)
        lode_space_set_sublevel(c->space[two], level_two);
    bool whole_one = one != two && level_one < level_two;
    bool whole_two = one != two && level_two < level_one;
    int count = lode_space_find_member_pairs(c->space[one], c->space[two], pairs, THINGS * THINGS);
    int wanted = 0;
    for (int i = 0; i < THINGS; ++i)
        for (int k = i + 1; k < THINGS; ++k) {
            bool across = (is_on_side(c, one, whole_one, i) && is_on_side(c, two, whole_two, k)) ||
                          (is_on_side(c, one, whole_one, k) && is_on_side(c, two, whole_two, i));
            bool meet = across && things_meet(c, i, k);
            int told = 0;
            for (int n = 0; n < count; ++n)
                told += (names(c, &pairs[n].a, i) && names(c, &pairs[n].b, k)) ||
                        (names(c, &pairs[n].a, k) && names(c, &pairs[n].b, i));
            assert_int_equal(told, meet);
            wanted += meet;
        }
    assert_int_equal(count, wanted);
    lode_member_pair few[2];
    assert_int_equal(lode_space_find_member_pairs(c->space[one], c->space[two], few, 2), count);
    for (int n = 0; n < 2 && n < count; ++n)
        assert_memory_equal(&few[n], &pairs[n], sizeof few[n]);
    return count;
}

static void members_are_held_against_each_other(void **state)
{
    (void)state;
    test_random random = {5};
    int total = 0;
    for (int round = 0; round < 3; ++round) {
        crowd *c = make_crowd(&random);
        for (int one = 0; one < SPACES; ++one)
            for (int two = one; two < SPACES; ++two) {
                total += hold_members(c, one, two, 0, 0);
                total += hold_members(c, one, two, 1, 0);
                total += hold_members(c, one, two, -2, 3);
            }
        for (int k = 0; k < SPACES; ++k) {
            lode_bounds told = lode_space_get_bounds(c->space[k]), box = {{0, 0, 0}, {0, 0, 0}};
            box_of(c, k, false, &box);
            assert_true(near_vec(told.lower, box.lower, 1e-5) || box.lower.x < -1e30);
            assert_true(near_vec(told.upper, box.upper, 1e-5) || box.upper.x > 1e30);
        }
        end_crowd(c);
    }
    assert_true(total > 300);
}

static void bits_of_spaces_are_asked(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    for (int rule = 0; rule < 2; ++rule) {
        def.filter_rule = (lode_filter_rule)rule;
        lode_world world = lode_world_create(&def);
        lode_space top = lode_space_create(world), car = lode_space_create(world);
        lode_space_set_parent(car, top);
        lode_shape one = lode_shape_create_sphere(add_body(world, LODE_STATIC, 0, 0, 0), &shape_def,
                                                  1);
        lode_shape two = lode_shape_create_sphere(add_body(world, LODE_STATIC, 1, 0, 0), &shape_def,
                                                  1);
        lode_space_add(car, one);
        lode_space_add(top, two);
        lode_member_pair pair;
        assert_int_equal(lode_space_find_member_pairs(top, top, &pair, 1), 1);
        assert_true(pair.a.shape.id == two.id && pair.b.space.id == car.id);
        lode_space_set_category(car, 2); /* the car wants the shape, which has category 1 */
        lode_shape_set_filter(two, 1, 4);
        assert_int_equal(lode_space_find_member_pairs(top, top, NULL, 0), rule);
        lode_space_set_mask(car, 8);
        assert_int_equal(lode_space_find_member_pairs(top, top, NULL, 0), 0);
        lode_shape_set_filter(two, 1, 2);
        assert_int_equal(lode_space_find_member_pairs(top, top, NULL, 0), rule);
        assert_int_equal(lode_space_find_pairs(car, top, NULL, 0), rule);
        assert_true(lode_space_get_category(car) == 2 && lode_space_get_mask(car) == 8);
        lode_world_destroy(world);
    }
}

/* ---- a space and a shape ---- */

static void a_shape_meets_a_space(void **state)
{
    (void)state;
    test_random random = {6};
    int total = 0;
    for (int round = 0; round < 4; ++round) {
        crowd *c = make_crowd(&random);
        for (int i = 0; i < SHAPES; ++i) {
            int k = (int)random_below(&random, SPACES), wanted = 0;
            lode_shape_pair pairs[SHAPES];
            int count = lode_space_find_pairs_with(c->space[k], c->shape[i], pairs, SHAPES);
            for (int n = 0; n < SHAPES; ++n) {
                bool meet = n != i && is_in(c, k, n) && may_pair(c, n, i) && are_near(c, n, i);
                assert_int_equal(is_told(c, n, i, pairs, count), meet);
                wanted += meet;
            }
            assert_int_equal(count, wanted);
            for (int n = 0; n < count; ++n)
                assert_true(pairs[n].b.id == c->shape[i].id);
            total += count;
        }
        end_crowd(c);
    }
    assert_true(total > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces_hold_what_is_in_them),
        cmocka_unit_test(pairs_are_those_of_all),
        cmocka_unit_test(queries_see_a_space_alone),
        cmocka_unit_test(a_space_is_switched_off_as_a_whole),
        cmocka_unit_test(the_dead_leave),
        cmocka_unit_test(bad_spaces_are_refused),
        cmocka_unit_test(spaces_are_handles),
        cmocka_unit_test(members_are_held_against_each_other),
        cmocka_unit_test(bits_of_spaces_are_asked),
        cmocka_unit_test(a_shape_meets_a_space),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

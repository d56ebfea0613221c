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
    lode_space *space[SPACES];
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
    lode_world_destroy(c->world);
    for (int k = 0; k < SPACES; ++k)
        if (c->parent[k] < 0)
            assert_int_equal(lode_space_destroy(c->space[k], true), LODE_OK);
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
            assert_ptr_equal(lode_space_get_parent(c->space[k]),
                             c->parent[k] < 0 ? NULL : c->space[c->parent[k]]);
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
    lode_space *outer = lode_space_create(world), *inner = lode_space_create(world);
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
    assert_null(lode_space_create(world));
    alloc_fail_nth(0);
    lode_space *full = outer;
    for (int i = 0; i < 100; ++i) /* it has room, or it says that it has none */
        if (lode_space_add(full, three) == LODE_ERROR_MEMORY)
            break;
    alloc_fail_nth(-1);
    assert_int_equal(lode_space_add(outer, three), LODE_OK);
    /* the shapes of the inner one go with it */
    assert_int_equal(lode_space_destroy(inner, true), LODE_OK);
    assert_int_equal(lode_space_get_shapes(outer, NULL, 0), 1);
    assert_int_equal(lode_space_destroy(outer, false), LODE_OK);
    assert_int_equal(lode_space_destroy(NULL, true), LODE_OK);
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
    lode_space *a = lode_space_create(world), *b = lode_space_create(world);
    lode_space *far = lode_space_create(other);
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
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "parent", lode_space_set_parent, a, far);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "space", lode_space_set_parent, NULL, a);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "shape", lode_space_add, a, shape);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "shape", lode_space_add, a, (lode_shape){0});
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "shape", lode_space_remove, a, shape);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "space", lode_space_add, NULL, shape);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "space", lode_space_set_enabled, NULL, true);
    assert_int_equal(lode_space_find_pairs(a, far, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_space_find_pairs", "b");
    report_clear();
    assert_int_equal(lode_space_find_pairs(a, NULL, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_space_find_pairs", "b");
    report_clear();
    assert_int_equal(lode_space_find_pairs(a, b, NULL, 1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_space_find_pairs", "out_pairs");
    report_clear();
    assert_int_equal(lode_space_get_shapes(a, NULL, -1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_space_get_shapes", "capacity");
    report_clear();
    filter.space = far;
    assert_false(lode_world_cast_ray(world, &ray, &filter, &hit));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_cast_ray", "filter.space");
    report_clear();
    assert_int_equal(lode_space_add(far, shape), LODE_OK);
    lode_world_destroy(world);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "world", lode_space_set_enabled, a, false);
    assert_int_equal(lode_space_destroy(a, true), LODE_OK);
    assert_int_equal(lode_space_destroy(far, true), LODE_OK);
    assert_int_equal(lode_body_get_shapes(body, NULL, 0), 0);
    lode_world_destroy(other);
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
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

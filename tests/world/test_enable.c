/* Shapes that are switched off and on, and the application's pair filter. */
#include "tests/world/support.h"

#include "tests/support/random.h"
#include "world/validate.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static int count_contacts(lode_world world)
{
    return lode_world_get_contacts(world, NULL, 0);
}

static lode_shape shape_of(lode_body body)
{
    lode_shape shape = {0};
    assert_int_equal(lode_body_get_shapes(body, &shape, 1), 1);
    return shape;
}

static void run(lode_world world, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

/* A static slab whose top is z = 0, and a ball on it. */
typedef struct pair {
    lode_world world;
    lode_body slab, ball;
    lode_shape top, skin;
} pair;

static pair make_pair(bool sleep)
{
    pair p;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.sleep.enabled = sleep;
    p.world = lode_world_create(&def);
    p.slab = add_body(p.world, LODE_STATIC, 0, 0, -1);
    p.top = lode_shape_create_box(p.slab, &shape, vec(5, 5, 1));
    p.ball = add_ball(p.world, 0, 0, (lode_real)0.5, (lode_real)0.5);
    p.skin = shape_of(p.ball);
    run(p.world, sleep ? 120 : 10);
    assert_int_equal(count_contacts(p.world), 1);
    return p;
}

static lode_real height(const pair *p)
{
    return lode_body_get_pose(p->ball).position.z;
}

static void a_disabled_shape_touches_nothing(void **state)
{
    (void)state;
    for (int which = 0; which < 2; ++which) {
        pair p = make_pair(false);
        lode_shape shape = which ? p.skin : p.top;
        assert_true(lode_shape_get_enabled(shape));
        assert_int_equal(lode_shape_set_enabled(shape, false), LODE_OK);
        assert_false(lode_shape_get_enabled(shape));
        assert_false(lode_shape_get_def(shape).enabled);
        assert_int_equal(count_contacts(p.world), 0); /* at once */
        run(p.world, 20);
        assert_int_equal(count_contacts(p.world), 0);
        assert_true(height(&p) < (lode_real)0.3);
        assert_int_equal(lode_shape_set_enabled(shape, true), LODE_OK);
        assert_true(lode_shape_get_def(shape).enabled);
        lode_pose back = {vec(0, 0, (lode_real)0.5), {1, 0, 0, 0}};
        lode_body_set_pose(p.ball, back);
        lode_body_set_linear_velocity(p.ball, vec(0, 0, 0));
        run(p.world, 20);
        assert_int_equal(count_contacts(p.world), 1);
        assert_true(near((double)height(&p), 0.5, 0.02));
        lode_world_destroy(p.world);
    }
}

static void what_rests_on_it_wakes(void **state)
{
    (void)state;
    for (int which = 0; which < 2; ++which) {
        pair p = make_pair(true);
        assert_false(lode_body_is_awake(p.ball));
        assert_int_equal(lode_shape_set_enabled(p.top, true), LODE_OK); /* changes nothing */
        assert_false(lode_body_is_awake(p.ball));
        assert_int_equal(lode_shape_set_enabled(which ? p.skin : p.top, false), LODE_OK);
        assert_true(lode_body_is_awake(p.ball));
        run(p.world, 20);
        assert_true(height(&p) < (lode_real)0.3);
        lode_world_destroy(p.world);
    }
}

static void a_plane_can_be_disabled(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    shape.enabled = false;
    lode_shape plane = lode_shape_create_plane(ground, &shape, vec(0, 0, 1), 0);
    lode_body ball = add_ball(world, 0, 0, 1, (lode_real)0.5);
    run(world, 10);
    assert_false(lode_shape_get_enabled(plane));
    lode_shape_set_enabled(plane, true);
    run(world, 60);
    assert_true(near((double)lode_body_get_pose(ball).position.z, 0.5, 0.02));
    for (int i = 0; i < 3; ++i) { /* the list of planes holds as many as there are */
        lode_shape_set_enabled(plane, false);
        lode_shape_create_plane(ground, &shape, vec(0, 0, 1), -5);
        lode_shape_set_enabled(plane, true);
    }
    lode_shape_set_enabled(plane, false);
    run(world, 30);
    assert_true(lode_body_get_pose(ball).position.z < 0);
    lode_world_destroy(world);
}

static void it_can_be_disabled_between_the_halves(void **state)
{
    (void)state;
    pair p = make_pair(false);
    lode_real before = height(&p);
    assert_int_equal(lode_world_collide(p.world, STEP), LODE_OK);
    lode_shape_set_enabled(p.top, false);
    assert_int_equal(lode_world_solve(p.world, STEP), LODE_OK);
    assert_true(height(&p) < before);
    assert_int_equal(lode_shape_destroy(p.top), LODE_OK); /* while it is off */
    run(p.world, 5);
    lode_world_destroy(p.world);
}

/* ---- a life with shapes that come and go ---- */

enum { BODIES = 60, LIFE = 150 };

static lode_world make_crowd(lode_shape shapes[BODIES], int threads)
{
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape = lode_shape_def_default();
    test_random random = {3};
    def.sleep.enabled = true;
    def.threads = threads;
    lode_world world = lode_world_create(&def);
    add_ground(world);
    for (int i = 0; i < BODIES; ++i) {
        lode_body body = add_body(
            world, i % 9 ? LODE_DYNAMIC : LODE_STATIC, (lode_real)random_between(&random, -3, 3),
            (lode_real)random_between(&random, -3, 3), (lode_real)random_between(&random, 0.5, 5));
        shapes[i] = lode_shape_create_box(body, &shape,
                                          vec((lode_real)0.4, (lode_real)0.4, (lode_real)0.4));
    }
    return world;
}

static void toggle(const lode_shape shapes[BODIES], test_random *random)
{
    lode_shape shape = shapes[random_below(random, BODIES)];
    assert_int_equal(lode_shape_set_enabled(shape, !lode_shape_get_enabled(shape)), LODE_OK);
}

static void check_contacts(lode_world world)
{
    static lode_contact contacts[64 * BODIES];
    int count = lode_world_get_contacts(world, contacts, 64 * BODIES);
    for (int i = 0; i < count; ++i)
        assert_true(lode_shape_get_enabled(contacts[i].shape_a) &&
                    lode_shape_get_enabled(contacts[i].shape_b));
}

static uint64_t live(int threads)
{
    lode_shape shapes[BODIES];
    test_random random = {9};
    lode_world world = make_crowd(shapes, threads);
    uint64_t hash = 0;
    for (int step = 0; step < LIFE; ++step) {
        for (int i = 0; step % 3 == 0 && i < 3; ++i)
            toggle(shapes, &random);
        check_contacts(world);
        run(world, 1);
        check_contacts(world);
        lode__world_validate(lode__registry_world(world.id));
        hash = hash * 31 + lode_world_hash(world);
    }
    lode_world_destroy(world);
    return hash;
}

static void a_life_of_switching_leaves_a_whole_world(void **state)
{
    (void)state;
    uint64_t hash = live(1);
    assert_true(live(3) == hash);
}

static void snapshots_know_what_is_disabled(void **state)
{
    (void)state;
    lode_shape shapes[BODIES];
    test_random random = {9}, again;
    lode_world world = make_crowd(shapes, 1);
    run(world, 40);
    for (int i = 0; i < 20; ++i)
        toggle(shapes, &random);
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *bytes = malloc(size);
    assert_true(lode_world_snapshot(world, bytes, size) == size);
    again = random;
    uint64_t hash[2];
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 30; ++i) {
            toggle(shapes, &random);
            run(world, 1);
        }
        hash[round] = lode_world_hash(world);
        random = again;
        assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
        lode__world_validate(lode__registry_world(world.id));
    }
    assert_true(hash[0] == hash[1]);
    uint64_t before = lode_world_hash(world);
    toggle(shapes, &random);
    assert_true(lode_world_hash(world) != before); /* it is state */
    free(bytes);
    lode_world_destroy(world);
}

/* ---- the pair filter ---- */

typedef struct asked {
    const char *rejected; /* user data of a shape that touches nothing */
    int count;
    uint64_t hash;
} asked;

static bool accepts(void *user, const lode_near_pair *near)
{
    asked *record = user;
    ++record->count;
    record->hash = (record->hash * 31 + (near->shape_a.id & 0xffffff)) * 31 +
                   (near->shape_b.id & 0xffffff);
    assert_true((near->shape_a.id & 0xffffff) < (near->shape_b.id & 0xffffff));
    assert_true(lode_shape_is_valid(near->shape_a) && lode_body_is_valid(near->body_b));
    return !record->rejected ||
           (near->shape_data_a != record->rejected && near->shape_data_b != record->rejected);
}

static lode_world make_filtered(asked *record, int threads, lode_body balls[2])
{
    lode_world_def def = lode_world_def_default();
    def.pair_filter = (lode_pair_filter){record, accepts};
    def.threads = threads;
    lode_world world = lode_world_create(&def);
    add_ground(world);
    for (int i = 0; i < 2; ++i)
        balls[i] = add_ball(world, (lode_real)i * 3, 0, (lode_real)0.5, (lode_real)0.5);
    return world;
}

static void the_filter_decides_who_touches(void **state)
{
    (void)state;
    static const char ghost[] = "ghost";
    asked record = {.rejected = ghost};
    lode_body balls[2];
    lode_world world = make_filtered(&record, 1, balls);
    lode_shape_set_user_data(shape_of(balls[1]), (void *)ghost);
    run(world, 30);
    assert_true(lode_body_get_pose(balls[0]).position.z > (lode_real)0.4);
    assert_true(lode_body_get_pose(balls[1]).position.z < (lode_real)0.2);
    lode_world_destroy(world);
}

static void the_filter_is_asked_once_and_after_refilter(void **state)
{
    (void)state;
    static const char ghost[] = "ghost";
    asked record = {0};
    lode_body balls[2];
    lode_world world = make_filtered(&record, 1, balls);
    run(world, 1);
    int first = record.count;
    assert_true(first >= 2);
    run(world, 60); /* they lie still: nobody comes near anybody */
    assert_int_equal(record.count, first);
    assert_true(count_contacts(world) >= 2);
    lode_shape_set_user_data(shape_of(balls[0]), (void *)ghost);
    record.rejected = ghost;
    run(world, 5);
    assert_int_equal(record.count, first);
    assert_int_equal(lode_shape_refilter(shape_of(balls[0])), LODE_OK);
    run(world, 20);
    assert_true(record.count > first);
    assert_true(lode_body_get_pose(balls[0]).position.z < (lode_real)0.45);
    assert_true(lode_body_get_pose(balls[1]).position.z > (lode_real)0.45);
    lode_world_destroy(world);
}

/* Set, exchanged and taken away while bodies sleep on each other. */
static void the_filter_can_be_set(void **state)
{
    (void)state;
    static const char ghost[] = "ghost";
    asked record = {.rejected = ghost};
    pair p = make_pair(true);
    lode_pair_filter filter = {&record, accepts};
    lode_shape_set_user_data(p.skin, (void *)ghost);
    assert_false(lode_body_is_awake(p.ball));
    assert_int_equal(lode_world_set_pair_filter(p.world, &filter), LODE_OK);
    assert_true(lode_world_get_def(p.world).pair_filter.user == &record);
    run(p.world, 20);
    assert_true(record.count > 0);
    assert_true(height(&p) < (lode_real)0.4);
    assert_int_equal(count_contacts(p.world), 0);
    record.count = 0;
    assert_int_equal(lode_world_set_pair_filter(p.world, NULL), LODE_OK);
    assert_true(lode_world_get_def(p.world).pair_filter.accepts == NULL);
    lode_body_set_pose(p.ball, (lode_pose){vec(0, 0, (lode_real)0.5), {1, 0, 0, 0}});
    lode_body_set_linear_velocity(p.ball, vec(0, 0, 0));
    run(p.world, 120);
    assert_int_equal(record.count, 0);
    assert_int_equal(count_contacts(p.world), 1);
    assert_true(near((double)height(&p), 0.5, 0.02));
    record.rejected = NULL; /* one that accepts all changes nothing */
    assert_int_equal(lode_world_set_pair_filter(p.world, &filter), LODE_OK);
    run(p.world, 120);
    assert_true(record.count > 0 && near((double)height(&p), 0.5, 0.02));
    lode_world_destroy(p.world);
}

static void masks_come_before_the_filter(void **state)
{
    (void)state;
    asked record = {0};
    lode_body balls[2];
    lode_world world = make_filtered(&record, 1, balls);
    lode_shape_set_filter(shape_of(balls[0]), 1, 0);
    lode_shape_set_filter(shape_of(balls[1]), 1, 0);
    run(world, 5);
    assert_int_equal(record.count, 0);
    lode_world_destroy(world);
}

static uint64_t order_of_questions(int threads)
{
    asked record = {0};
    lode_body balls[2];
    test_random random = {5};
    lode_world world = make_filtered(&record, threads, balls);
    for (int i = 0; i < 400; ++i)
        add_ball(world, (lode_real)random_between(&random, -4, 4),
                 (lode_real)random_between(&random, -4, 4),
                 (lode_real)random_between(&random, 1, 9), (lode_real)0.5);
    run(world, 10);
    assert_true(record.count > 400);
    lode_world_destroy(world);
    return record.hash;
}

static void questions_come_in_one_order(void **state)
{
    (void)state;
    uint64_t hash = order_of_questions(1);
    assert_true(order_of_questions(4) == hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disabled_shape_touches_nothing),
        cmocka_unit_test(what_rests_on_it_wakes),
        cmocka_unit_test(a_plane_can_be_disabled),
        cmocka_unit_test(it_can_be_disabled_between_the_halves),
        cmocka_unit_test(a_life_of_switching_leaves_a_whole_world),
        cmocka_unit_test(snapshots_know_what_is_disabled),
        cmocka_unit_test(the_filter_decides_who_touches),
        cmocka_unit_test(the_filter_is_asked_once_and_after_refilter),
        cmocka_unit_test(the_filter_can_be_set),
        cmocka_unit_test(masks_come_before_the_filter),
        cmocka_unit_test(questions_come_in_one_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

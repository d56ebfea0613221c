/* Sensors, touches and impacts, one by one, against what must be by reckoning. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <stdlib.h>
#include <string.h>

static lode_world world;

static lode_world make_world(bool sleep, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = sleep;
    def.threads = threads;
    return lode_world_create(&def);
}

static int set_up(void **state)
{
    (void)state;
    report_install();
    world = make_world(false, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return 0;
}

static lode_events step(void)
{
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    return lode_world_get_events(world);
}

static lode_shape ball_on(lode_body body, lode_real radius, void (*change)(lode_shape_def *))
{
    lode_shape_def def = lode_shape_def_default();
    if (change)
        change(&def);
    return lode_shape_create_sphere(body, &def, radius);
}

static void as_sensor(lode_shape_def *def)
{
    def->sensor = true;
    def->user_data = (void *)(uintptr_t)7;
}

static void with_touches(lode_shape_def *def)
{
    def->touch_events = true;
    def->user_data = (void *)(uintptr_t)9;
}

static void with_impacts(lode_shape_def *def)
{
    def->impact_events = true;
    def->restitution = (lode_real)0.5;
}

static void expect_counts(lode_events e, int contact_begins, int contact_ends, int sensor_begins,
                          int sensor_ends)
{
    assert_int_equal(e.contact_begin_count, contact_begins);
    assert_int_equal(e.contact_end_count, contact_ends);
    assert_int_equal(e.sensor_begin_count, sensor_begins);
    assert_int_equal(e.sensor_end_count, sensor_ends);
}

static lode_body traveller(lode_real x, lode_real speed)
{
    lode_body body = add_body(world, LODE_KINEMATIC, x, 0, 0);
    lode_body_set_linear_velocity(body, vec(speed, 0, 0));
    return body;
}

/* ---- sensors ---- */

static void a_sensor_tells_who_comes_and_goes(void **state)
{
    (void)state;
    lode_shape sensor = ball_on(add_body(world, LODE_STATIC, 0, 0, 0), 1, as_sensor);
    lode_body body = traveller(-3, 8);
    lode_shape visitor = ball_on(body, (lode_real)0.5, NULL);
    int inside = 0, begins = 0, ends = 0;
    for (int i = 1; i <= 48; ++i) {
        lode_events e = step();
        double x = (double)lode_body_get_pose(body).position.x;
        bool near = x * x <= 1.5 * 1.5;
        begins += e.sensor_begin_count;
        ends += e.sensor_end_count;
        assert_int_equal(begins - ends, near); /* at the very step */
        inside += near;
        lode_shape seen[2];
        assert_int_equal(lode_shape_get_overlaps(sensor, seen, 2), near);
        assert_true(!near || seen[0].id == visitor.id);
        for (int k = 0; k < e.sensor_begin_count; ++k) {
            assert_true(e.sensor_begins[k].shape_a.id == sensor.id);
            assert_true(e.sensor_begins[k].shape_b.id == visitor.id);
            assert_true(e.sensor_begins[k].body_b.id == body.id);
            assert_int_equal((uintptr_t)e.sensor_begins[k].user_data_a, 7);
        }
    }
    assert_true(inside > 20 && begins == 1 && ends == 1);
}

/* Touching to the last bit counts, and less does not. */
static void what_only_touches_counts(void **state)
{
    (void)state;
    lode_shape sensor = ball_on(add_body(world, LODE_STATIC, 0, 0, 0), 1, as_sensor);
    lode_body body = add_body(world, LODE_KINEMATIC, (lode_real)1.5, 0, 0);
    ball_on(body, (lode_real)0.5, NULL);
    step();
    assert_int_equal(lode_shape_get_overlaps(sensor, NULL, 0), 1);
    lode_pose pose = {vec((lode_real)1.50001, 0, 0), {1, 0, 0, 0}};
    lode_body_set_pose(body, pose);
    step();
    assert_int_equal(lode_shape_get_overlaps(sensor, NULL, 0), 0);
}

static lode_real fall(bool with_sensors)
{
    lode_world w = make_world(false, 1);
    add_ground(w);
    lode_body ball = add_ball(w, 0, 0, 3, (lode_real)0.5);
    if (with_sensors) {
        lode_shape_def def = lode_shape_def_default();
        def.sensor = true;
        def.density = 0;
        lode_shape_create_box(add_body(w, LODE_STATIC, 0, 0, 1), &def, vec(2, 2, 1));
        lode_shape_create_sphere(ball, &def, 2);
        lode_shape_create_plane(add_body(w, LODE_KINEMATIC, 0, 0, 2), &def, vec(0, 0, 1), 0);
    }
    for (int i = 0; i < 100; ++i)
        assert_int_equal(lode_world_step(w, STEP), LODE_OK);
    lode_real z = lode_body_get_pose(ball).position.z;
    lode_world_destroy(w);
    return z;
}

static void sensors_push_nothing(void **state)
{
    (void)state;
    assert_true(fall(false) == fall(true));
}

static void sensors_wake_nothing_and_see_what_sleeps(void **state)
{
    (void)state;
    lode_world_destroy(world);
    world = make_world(true, 1);
    add_ground(world);
    lode_body ball = add_ball(world, 0, 0, (lode_real)0.5, (lode_real)0.5);
    for (int i = 0; i < 100; ++i)
        step();
    assert_false(lode_body_is_awake(ball));
    lode_shape sensor = ball_on(traveller(-3, 4), 1, as_sensor);
    int begins = 0, ends = 0;
    for (int i = 0; i < 120; ++i) {
        lode_events e = step();
        for (int k = 0; k < e.sensor_begin_count; ++k)
            begins += e.sensor_begins[k].body_b.id == ball.id;
        for (int k = 0; k < e.sensor_end_count; ++k)
            ends += e.sensor_ends[k].body_b.id == ball.id;
        assert_false(lode_body_is_awake(ball));
    }
    assert_true(begins == 1 && ends == 1);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 1);
    assert_int_equal(lode_shape_destroy(sensor), LODE_OK);
    step();
    assert_false(lode_body_is_awake(ball));
}

/* Static ones see what may move, others see all but each other and their own body. */
static void what_a_sensor_sees(void **state)
{
    (void)state;
    lode_body fixed = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_body carried = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    lode_shape on_fixed = ball_on(fixed, 1, as_sensor), on_carried = ball_on(carried, 1, as_sensor);
    ball_on(fixed, 1, NULL);
    ball_on(carried, 1, NULL);
    lode_shape wall = ball_on(add_body(world, LODE_STATIC, 1, 0, 0), 1, NULL);
    step();
    assert_int_equal(lode_shape_get_overlaps(on_fixed, NULL, 0), 1);   /* carried's ball */
    assert_int_equal(lode_shape_get_overlaps(on_carried, NULL, 0), 2); /* fixed's ball, wall */
    assert_int_equal(lode_shape_set_filter(wall, 2, 2), LODE_OK);
    step();
    assert_int_equal(lode_shape_get_overlaps(on_carried, NULL, 0), 1);
    assert_int_equal(lode_shape_get_overlaps(wall, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_get_overlaps", "shape");
}

/* A closed mesh has its inside, an open one is its surface. */
static void meshes_sense_and_are_sensed(void **state)
{
    (void)state;
    float corners[8][3];
    unsigned sides[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                             {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k)
            corners[i][k] = i >> k & 1 ? 2 : -2;
    lode_mesh_def mesh_def = lode_mesh_def_default();
    mesh_def.vertices = corners;
    mesh_def.vertex_count = 8;
    mesh_def.double_vertices = false;
    mesh_def.indices = sides;
    mesh_def.triangle_count = 12;
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    lode_shape_def def = lode_shape_def_default();
    def.sensor = true;
    lode_shape room = lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &def, mesh);
    def.sensor = false;
    lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 10), &def, mesh);
    lode_mesh_release(mesh);
    lode_body mover = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    ball_on(mover, (lode_real)0.5, NULL);
    lode_body seer = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    lode_shape eye = ball_on(seer, (lode_real)0.5, as_sensor);
    static const struct {
        double z;
        int in_room, by_eye;
    } cases[] = {{0, 1, 1},   {2, 1, 1},   {2.499, 1, 1}, {2.501, 0, 1},
                 {7.6, 0, 2}, {7.4, 0, 1}, {10, 0, 2},    {-3, 0, 1}};
    for (int i = 0; i < 8; ++i) {
        lode_pose pose = {vec(0, 0, (lode_real)cases[i].z), {1, 0, 0, 0}};
        lode_body_set_pose(mover, pose);
        lode_body_set_pose(seer, pose);
        step();
        assert_int_equal(lode_shape_get_overlaps(room, NULL, 0), cases[i].in_room);
        assert_int_equal(lode_shape_get_overlaps(eye, NULL, 0), cases[i].by_eye);
    }
}

static bool is_odd(void *user, const lode_near_pair *pair)
{
    (void)user;
    return ((uintptr_t)pair->body_data_a + (uintptr_t)pair->body_data_b) % 2;
}

static void the_pair_filter_is_asked_for_sensors_too(void **state)
{
    (void)state;
    lode_world_destroy(world);
    lode_world_def def = lode_world_def_default();
    def.pair_filter = (lode_pair_filter){NULL, is_odd};
    world = lode_world_create(&def);
    lode_shape sensor = ball_on(add_body(world, LODE_STATIC, 0, 0, 0), 1, as_sensor);
    for (uintptr_t i = 0; i < 5; ++i) {
        lode_body body = traveller(0, 0);
        ball_on(body, 1, NULL);
        lode_body_set_user_data(body, (void *)i);
    }
    step();
    assert_int_equal(lode_shape_get_overlaps(sensor, NULL, 0), 2);
}

/* ---- whatever ends a touch ---- */

typedef void ending(lode_body fixed, lode_body mover, lode_shape shape);

static void by_shape(lode_body fixed, lode_body mover, lode_shape shape)
{
    (void)fixed;
    (void)mover;
    lode_shape_destroy(shape);
}

static void by_body(lode_body fixed, lode_body mover, lode_shape shape)
{
    (void)fixed;
    (void)shape;
    lode_body_destroy(mover);
}

static void by_other_body(lode_body fixed, lode_body mover, lode_shape shape)
{
    (void)mover;
    (void)shape;
    lode_body_destroy(fixed);
}

static void by_disabling(lode_body fixed, lode_body mover, lode_shape shape)
{
    (void)fixed;
    (void)mover;
    lode_shape_set_enabled(shape, false);
}

static void by_filter(lode_body fixed, lode_body mover, lode_shape shape)
{
    (void)fixed;
    (void)mover;
    lode_shape_set_filter(shape, 2, 2);
}

static void by_type(lode_body fixed, lode_body mover, lode_shape shape)
{
    (void)fixed;
    (void)shape;
    lode_body_set_type(mover, LODE_STATIC);
}

static void by_pose(lode_body fixed, lode_body mover, lode_shape shape)
{
    (void)fixed;
    (void)shape;
    lode_body_set_pose(mover, (lode_pose){vec(90, 0, 0), {1, 0, 0, 0}});
}

static void by_becoming_a_sensor(lode_body fixed, lode_body mover, lode_shape shape)
{
    (void)fixed;
    (void)mover;
    lode_shape_set_sensor(shape, true);
}

/* A successor of the same slot, at the same place. */
static void by_replacement(lode_body fixed, lode_body mover, lode_shape shape)
{
    lode_shape_def def = lode_shape_get_def(shape);
    (void)fixed;
    lode_shape_destroy(shape);
    assert_int_equal(lode_shape_create_sphere(mover, &def, (lode_real)0.5).id & 0xffffff,
                     shape.id & 0xffffff);
}

static ending *const endings[] = {by_shape, by_body, by_other_body,        by_disabling,  by_filter,
                                  by_type,  by_pose, by_becoming_a_sensor, by_replacement};

enum { ENDINGS = sizeof endings / sizeof endings[0] };

/* On a slab, awake or asleep; told by both, by a sensor and by a contact. */
static void every_end_is_told_once(void **state)
{
    (void)state;
    for (int i = 0; i < 4 * ENDINGS; ++i) {
        bool sleep = i / ENDINGS % 2, by_halves = i / ENDINGS / 2;
        ending *end = endings[i % ENDINGS];
        lode_world_destroy(world);
        world = make_world(sleep, 1);
        lode_body fixed = add_body(world, LODE_STATIC, 0, 0, -1);
        lode_shape_def def = lode_shape_def_default();
        lode_shape_create_box(fixed, &def, vec(1, 1, 1));
        def.sensor = true;
        lode_shape_create_box(fixed, &def, vec(2, 2, 2));
        lode_body mover = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.5);
        lode_shape shape = ball_on(mover, (lode_real)0.5, with_touches);
        expect_counts(step(), 1, 0, 1, 0);
        for (int k = 0; k < 60; ++k)
            expect_counts(step(), 0, 0, 0, 0);
        assert_true(lode_body_is_awake(mover) == !sleep);
        if (by_halves)
            assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
        end(fixed, mover, shape);
        if (by_halves) {
            assert_int_equal(lode_world_get_events(world).contact_end_count, 0);
            assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
        }
        bool again = end == by_replacement;
        lode_events e = by_halves ? lode_world_get_events(world) : step();
        int begins = e.contact_begin_count, ends = e.contact_end_count;
        assert_int_equal(e.sensor_end_count, 1);
        /* what becomes a sensor on a body that moves sees the slab */
        assert_int_equal(e.sensor_begin_count, again || end == by_becoming_a_sensor);
        assert_true(e.sensor_ends[0].shape_b.id == shape.id);
        if (ends) {
            assert_true(e.contact_ends[0].shape_a.id == shape.id ||
                        e.contact_ends[0].shape_b.id == shape.id);
            assert_int_equal((uintptr_t)e.contact_ends[0].user_data_a +
                                 (uintptr_t)e.contact_ends[0].user_data_b,
                             9);
        }
        for (int k = 0; k < 5; ++k) { /* between halves a contact was found before */
            lode_events later = step();
            begins += later.contact_begin_count;
            ends += later.contact_end_count;
            assert_int_equal(later.sensor_begin_count + later.sensor_end_count, 0);
        }
        assert_int_equal(begins, again);
        assert_int_equal(ends, 1);
    }
}

static void asking_no_more_ends_it(void **state)
{
    (void)state;
    add_ground(world);
    lode_body mover = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.5);
    lode_shape shape = ball_on(mover, (lode_real)0.5, NULL);
    expect_counts(step(), 0, 0, 0, 0);
    assert_int_equal(lode_shape_set_touch_events(shape, true), LODE_OK);
    assert_true(lode_shape_get_touch_events(shape));
    expect_counts(step(), 1, 0, 0, 0);
    assert_int_equal(lode_shape_set_touch_events(shape, false), LODE_OK);
    expect_counts(step(), 0, 1, 0, 0);
    expect_counts(step(), 0, 0, 0, 0);
}

static void a_snapshot_knows_what_touches(void **state)
{
    (void)state;
    lode_body fixed = add_body(world, LODE_STATIC, 0, 0, -1);
    lode_shape_def def = lode_shape_def_default();
    lode_shape_create_box(fixed, &def, vec(1, 1, 1));
    ball_on(fixed, 3, as_sensor);
    lode_body mover = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.5);
    lode_shape shape = ball_on(mover, (lode_real)0.5, with_touches);
    size_t size = lode_world_snapshot(world, NULL, 0), size_touching;
    char *before = malloc(size);
    lode_world_snapshot(world, before, size);
    expect_counts(step(), 1, 0, 1, 0);
    lode_shape_destroy(shape); /* its end is yet to be told */
    size_touching = lode_world_snapshot(world, NULL, 0);
    char *touching = malloc(size_touching);
    lode_world_snapshot(world, touching, size_touching);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(lode_world_restore(world, touching, size_touching), LODE_OK);
        expect_counts(lode_world_get_events(world), 0, 0, 0, 0);
        lode_events e = step();
        expect_counts(e, 0, 1, 0, 1);
        assert_true(e.sensor_ends[0].shape_b.id == shape.id);
        assert_int_equal((uintptr_t)e.sensor_ends[0].user_data_b, 9);
        assert_int_equal(lode_world_restore(world, before, size), LODE_OK);
        expect_counts(step(), 1, 0, 1, 0);
    }
    /* elsewhere */
    lode_world_destroy(world);
    world = make_world(false, 1);
    assert_int_equal(lode_world_restore(world, touching, size_touching), LODE_OK);
    expect_counts(step(), 0, 1, 0, 1);
    free(before);
    free(touching);
}

/* ---- impacts ---- */

static void an_impact_tells_how_hard(void **state)
{
    (void)state;
    lode_body fixed = add_body(world, LODE_STATIC, 0, 0, -1);
    lode_shape_def def = lode_shape_def_default();
    lode_shape slab = lode_shape_create_box(fixed, &def, vec(5, 5, 1));
    lode_body mover = add_body(world, LODE_DYNAMIC, 1, 2, 5);
    lode_shape shape = ball_on(mover, (lode_real)0.5, with_impacts);
    double mass = (double)lode_body_get_mass(mover).mass;
    int impacts = 0;
    for (int i = 0; i < 70; ++i) {
        double v = (double)lode_body_get_linear_velocity(mover).z;
        lode_events e = step();
        double after = (double)lode_body_get_linear_velocity(mover).z;
        impacts += e.impact_count;
        if (e.impact_count == 0)
            continue;
        lode_impact_event hit = e.impacts[0];
        assert_int_equal(e.impact_count, 1);
        assert_true(hit.shape_a.id == slab.id && hit.shape_b.id == shape.id);
        assert_true(hit.body_a.id == fixed.id && hit.body_b.id == mover.id);
        assert_true(near_vec(hit.normal, vec(0, 0, -1), 1e-6));
        assert_true(near((double)hit.approach_speed, -v, 1e-5));
        assert_true(
            near((double)hit.impulse, mass * (after - v + 9.81 * (double)STEP), mass * 1e-3));
        assert_true(near_vec(hit.position, vec(1, 2, 0), 0.2));
        assert_true(after > 3);
    }
    assert_int_equal(impacts, 1);
}

static void only_hard_impacts_are_told(void **state)
{
    (void)state;
    add_ground(world);
    lode_body mover = add_body(world, LODE_DYNAMIC, 0, 0, 1);
    lode_shape shape = ball_on(mover, (lode_real)0.5, with_impacts);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "speed", lode_world_set_impact_threshold, world, -1);
    assert_int_equal(lode_world_set_impact_threshold(world, 4), LODE_OK); /* it comes with 3.1 */
    for (int i = 0; i < 200; ++i)
        assert_int_equal(step().impact_count, 0);
    lode_body_set_linear_velocity(mover, vec(0, 0, 3));
    lode_world_set_impact_threshold(world, 1);
    int impacts = 0, first = 0;
    for (int i = 0; i < 300; ++i) {
        impacts += step().impact_count;
        first = impacts && !first ? i : first;
    }
    assert_true(impacts == 2); /* at 3 and at 1.5 m/s; 0.75 is too slow */
    assert_true(first > 25);
    lode_shape_set_impact_events(shape, false);
    assert_false(lode_shape_get_impact_events(shape));
    lode_body_set_linear_velocity(mover, vec(0, 0, 3));
    for (int i = 0; i < 300; ++i)
        assert_int_equal(step().impact_count, 0);
}

/* ---- threads ---- */

enum { ZONES = 150, MARBLES = 400 };

static lode_world add_zones(int threads)
{
    lode_world w = make_world(false, threads);
    lode_shape_def def = lode_shape_def_default();
    add_ground(w);
    for (int i = 0; i < ZONES; ++i) {
        def.sensor = true;
        lode_shape_create_sphere(
            add_body(w, LODE_STATIC, (lode_real)(i % 12), (lode_real)(i / 12), 0), &def, 1);
    }
    for (int i = 0; i < MARBLES; ++i) {
        def.sensor = false;
        def.touch_events = def.impact_events = i % 3 == 0;
        lode_body body = add_body(w, LODE_DYNAMIC, (lode_real)(i % 20) * (lode_real)0.6,
                                  (lode_real)(i / 20) * (lode_real)0.6,
                                  (lode_real)0.3 + (lode_real)(i % 7) / 4);
        lode_body_set_linear_velocity(body, vec((lode_real)(i % 5 - 2), (lode_real)(i % 3 - 1), 0));
        lode_shape_create_sphere(body, &def, (lode_real)0.25);
    }
    return w;
}

static bool same_touches(const lode_touch_event *a, int count_a, const lode_touch_event *b,
                         int count_b)
{
    const uint64_t own = 0xffffff; /* the slot: generations differ from world to world */
    bool same = count_a == count_b;
    for (int i = 0; i < count_a && same; ++i)
        same = (a[i].shape_a.id & own) == (b[i].shape_a.id & own) &&
               (a[i].shape_b.id & own) == (b[i].shape_b.id & own);
    return same;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    lode_world one = add_zones(1), four = add_zones(4);
    int begins = 0, impacts = 0;
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(lode_world_step(one, STEP), LODE_OK);
        assert_int_equal(lode_world_step(four, STEP), LODE_OK);
        lode_events a = lode_world_get_events(one), b = lode_world_get_events(four);
        assert_true(same_touches(a.contact_begins, a.contact_begin_count, b.contact_begins,
                                 b.contact_begin_count));
        assert_true(
            same_touches(a.contact_ends, a.contact_end_count, b.contact_ends, b.contact_end_count));
        assert_true(same_touches(a.sensor_begins, a.sensor_begin_count, b.sensor_begins,
                                 b.sensor_begin_count));
        assert_true(
            same_touches(a.sensor_ends, a.sensor_end_count, b.sensor_ends, b.sensor_end_count));
        assert_int_equal(a.impact_count, b.impact_count);
        for (int k = 0; k < a.impact_count; ++k)
            assert_true(a.impacts[k].impulse == b.impacts[k].impulse &&
                        a.impacts[k].position.x == b.impacts[k].position.x);
        begins += a.sensor_begin_count + a.contact_begin_count;
        impacts += a.impact_count;
    }
    assert_true(begins > 1000 && impacts > 50);
    lode_world_destroy(one);
    lode_world_destroy(four);
}

/* ---- memory ---- */

static void add_crowd(void)
{
    lode_shape_def def = lode_shape_def_default();
    add_ground(world);
    for (int i = 0; i < 40; ++i) {
        lode_body body = add_body(world, LODE_DYNAMIC, (lode_real)(i % 4), (lode_real)(i / 4 % 4),
                                  (lode_real)1 + (lode_real)(i / 16) * (lode_real)1.2);
        def.touch_events = def.impact_events = true;
        lode_shape_create_sphere(body, &def, (lode_real)0.45);
    }
    def.sensor = true;
    lode_shape_create_box(add_body(world, LODE_STATIC, 2, 2, 1), &def, vec(3, 3, 1));
    lode_shape_create_sphere(add_body(world, LODE_KINEMATIC, 2, 2, 1), &def, 2);
}

static void a_step_takes_no_memory_once_warm(void **state)
{
    (void)state;
    lode_world_destroy(world);
    alloc_fail_install();
    world = make_world(false, 1);
    add_crowd();
    int events = 0;
    for (int i = 0; i < 60; ++i)
        events += step().contact_begin_count;
    assert_true(events > 20);
    lode_body bodies[64];
    int count = lode_world_get_bodies(world, bodies, 64);
    for (int i = 0; i < count; ++i)
        if (lode_body_get_type(bodies[i]) == LODE_DYNAMIC)
            lode_body_add_impulse(bodies[i], vec(0, 0, 1000));
    step();
    alloc_fail_nth(-1);
    for (int i = 0; i < 40; ++i)
        step();
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    world = make_world(false, 1);
}

static int balance(lode_events e)
{
    return e.sensor_begin_count - e.sensor_end_count;
}

/* What is open by the events that were told, and what is touched. */
static int count_overlaps(void)
{
    lode_body bodies[64];
    int count = lode_world_get_bodies(world, bodies, 64), overlaps = 0;
    for (int i = 0; i < count; ++i) {
        lode_shape shapes[4];
        int shape_count = lode_body_get_shapes(bodies[i], shapes, 4);
        for (int k = 0; k < shape_count; ++k)
            if (lode_shape_get_sensor(shapes[k]))
                overlaps += lode_shape_get_overlaps(shapes[k], NULL, 0);
    }
    return overlaps;
}

/* Every allocation of a step fails once: the step says so and has told nothing, or what sensors
 * touch comes late. In the end all is told. */
static void no_event_is_lost_for_want_of_memory(void **state)
{
    (void)state;
    int late = 0, failed = 0;
    bool happened = true;
    lode_world_destroy(world);
    alloc_fail_install();
    for (long n = 0; happened; ++n) {
        int open = 0, contacts = 0;
        lode_warning_info warnings[LODE_WARNING_COUNT];
        world = make_world(false, 1);
        add_crowd();
        alloc_fail_nth(n);
        lode_status status = lode_world_step(world, STEP);
        happened = alloc_fail_happened();
        alloc_fail_nth(-1);
        lode_events e = lode_world_get_events(world);
        lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT);
        bool is_late = warnings[LODE_WARNING_SENSORS_LATE].last > 0;
        if (status)
            expect_counts(e, 0, 0, 0, 0);
        assert_true(is_late ? balance(e) == 0 && !status : status || balance(e) > 0);
        failed += status != LODE_OK;
        late += is_late;
        for (int i = 0; i < 40; ++i) {
            open += balance(e);
            contacts += e.contact_begin_count;
            e = step();
        }
        assert_int_equal(open + balance(e), count_overlaps());
        assert_true(contacts > 10);
        lode_world_destroy(world);
    }
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    world = make_world(false, 1);
    assert_true(failed >= 2 && late >= 4);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_sensor_tells_who_comes_and_goes),
        TEST(what_only_touches_counts),
        TEST(sensors_push_nothing),
        TEST(sensors_wake_nothing_and_see_what_sleeps),
        TEST(what_a_sensor_sees),
        TEST(meshes_sense_and_are_sensed),
        TEST(the_pair_filter_is_asked_for_sensors_too),
        TEST(every_end_is_told_once),
        TEST(asking_no_more_ends_it),
        TEST(a_snapshot_knows_what_touches),
        TEST(an_impact_tells_how_hard),
        TEST(only_hard_impacts_are_told),
        TEST(threads_change_nothing),
        TEST(a_step_takes_no_memory_once_warm),
        TEST(no_event_is_lost_for_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

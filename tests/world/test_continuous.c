/* What else is true of continuous bodies: slow ones are as others, fast ones roll on, bounce and
 * conserve; filters hold for them; threads, snapshots and the past change nothing. What they must
 * not pass through is in test_shots.c. */
#include "tests/collide/meshes.h"
#include "tests/support/alloc_fail.h"
#include "tests/world/range.h"

#include <math.h>
#include <stdlib.h>

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

/* ---- what must stay as it is ---- */

/* A pile that comes to rest, slowly: equal with and without the flag, to the bit. */
static void slow_bodies_are_as_others(void **state)
{
    (void)state;
    enum { CUBES = 24 };
    lode_world world[2];
    lode_body cubes[2][CUBES];
    for (int w = 0; w < 2; ++w) {
        lode_world_def def = lode_world_def_default();
        lode_shape_def shape_def = lode_shape_def_default();
        def.sleep.enabled = true;
        world[w] = lode_world_create(&def);
        add_ground(world[w]);
        for (int i = 0; i < CUBES; ++i) {
            lode_body_def body_def = lode_body_def_default();
            body_def.type = LODE_DYNAMIC;
            body_def.position = vec((lode_real)(i % 4) * (lode_real)1.02, 0,
                                    (lode_real)0.502 + (lode_real)(i / 4) * (lode_real)1.002);
            body_def.continuous = w;
            cubes[w][i] = lode_body_create(world[w], &body_def);
            lode_shape_create_box(cubes[w][i], &shape_def,
                                  vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
        }
    }
    bool asleep = false;
    for (int step = 0; step < 400; ++step) {
        for (int w = 0; w < 2; ++w)
            lode_world_step(world[w], frame_time);
        for (int i = 0; i < CUBES; ++i) {
            lode_pose a = lode_body_get_pose(cubes[0][i]), b = lode_body_get_pose(cubes[1][i]);
            assert_memory_equal(&a, &b, sizeof a);
            assert_int_equal(lode_body_is_awake(cubes[0][i]), lode_body_is_awake(cubes[1][i]));
            asleep = asleep || !lode_body_is_awake(cubes[1][i]);
        }
    }
    assert_true(asleep);
    for (int w = 0; w < 2; ++w)
        lode_world_destroy(world[w]);
}

/* What rolls or slides fast over tiles and triangles is not held up by them. */
static void fast_rollers_are_not_held_up(void **state)
{
    (void)state;
    for (int floor_kind = 0; floor_kind < 3; ++floor_kind)
        for (int kind = 0; kind < 3; ++kind) {
            lode_vec3 end[2];
            for (int w = 0; w < 2; ++w) {
                lode_world_def def = lode_world_def_default();
                lode_shape_def shape_def = lode_shape_def_default();
                lode_world world = lode_world_create(&def);
                shape_def.friction = 0;
                lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
                for (int i = 0; i < 40 && floor_kind == 1; ++i) {
                    shape_def.pose.position = vec((lode_real)(i - 20), 0, (lode_real)-0.5);
                    lode_shape_create_box(ground, &shape_def,
                                          vec((lode_real)0.5, 4, (lode_real)0.5));
                }
                shape_def.pose.position = vec(0, 0, 0);
                if (floor_kind == 0)
                    lode_shape_create_mesh(ground, &shape_def, range_sheet);
                else if (floor_kind == 2)
                    lode_shape_create_plane(ground, &shape_def, vec(0, 0, 1), 0);
                lode_body_def body_def = lode_body_def_default();
                body_def.type = LODE_DYNAMIC;
                body_def.continuous = w;
                body_def.position = vec(-15, (lode_real)0.3, (lode_real)0.5);
                body_def.linear_velocity = vec(60, 0, 0);
                lode_body body = lode_body_create(world, &body_def);
                lode_real half = (lode_real)0.5;
                if (kind == 0)
                    lode_shape_create_sphere(body, &shape_def, half);
                else if (kind == 1)
                    lode_shape_create_box(body, &shape_def, vec(half, half, half));
                else
                    lode_shape_create_cylinder(body, &shape_def, half, half);
                for (int step = 0; step < 28; ++step)
                    lode_world_step(world, frame_time);
                end[w] = lode_body_get_center(body);
                lode_world_destroy(world);
            }
            /* edges of tiles hold up what has edges, with the flag or without */
            assert_true(end[0].x > (floor_kind == 1 && kind > 0 ? -10 : 10));
            assert_memory_equal(&end[0], &end[1], sizeof end[0]);
        }
}

static double energy_of(const lode_body *bodies, int count, double gravity)
{
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        lode_mass mass = lode_body_get_mass(bodies[i]);
        lode_vec3 v = lode_body_get_linear_velocity(bodies[i]);
        lode_vec3 w = lode_body_vector_from_world(bodies[i],
                                                  lode_body_get_angular_velocity(bodies[i]));
        const double x = (double)w.x, y = (double)w.y, z = (double)w.z;
        const lode_real *I = mass.inertia;
        sum += 0.5 * (double)mass.mass * length_of(v) * length_of(v) +
               (double)mass.mass * gravity * (double)lode_body_get_center(bodies[i]).z;
        sum += 0.5 * ((double)I[0] * x * x + (double)I[1] * y * y + (double)I[2] * z * z) +
               (double)I[3] * x * y + (double)I[4] * x * z + (double)I[5] * y * z;
    }
    return sum;
}

/* A wall of cubes that bullets hit: nobody gains energy, nobody is faster than the bullets were,
 * and the cubes come down on the ground. */
static void a_wall_that_is_shot_at_stays_sane(void **state)
{
    (void)state;
    enum { CUBES = 30, SHOTS = 6 };
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    lode_body bodies[CUBES + SHOTS];
    add_ground(world);
    for (int i = 0; i < CUBES; ++i) {
        bodies[i] = add_body(world, LODE_DYNAMIC, (lode_real)(i % 5), 0,
                             (lode_real)0.5 + (lode_real)(i / 5));
        lode_shape_create_box(bodies[i], &shape_def,
                              vec((lode_real)0.49, (lode_real)0.5, (lode_real)0.5));
    }
    for (int i = 0; i < 60; ++i)
        lode_world_step(world, frame_time);
    test_random random = {5};
    for (int i = 0; i < SHOTS; ++i) {
        lode_pose pose = {{(lode_real)(i % 5), (lode_real)(-8 - i), (lode_real)(1.2 + 0.6 * i)},
                          {1, 0, 0, 0}};
        bodies[CUBES + i] = add_bullet(world, (bullet)(i % 5), pose,
                                       vec(0, (lode_real)number(&random, 200, 600), 0),
                                       vec(3, 4, 5));
    }
    double before = energy_of(bodies, CUBES + SHOTS, 9.81), least = before;
    for (int step = 0; step < 240; ++step) {
        assert_int_equal(lode_world_step(world, frame_time), LODE_OK);
        double now = energy_of(bodies, CUBES + SHOTS, 9.81);
        assert_true(now < least + 0.001 * before);
        least = fmin(least, now);
        for (int i = 0; i < CUBES + SHOTS; ++i) {
            assert_true(length_of(lode_body_get_linear_velocity(bodies[i])) < 600);
            assert_true(lode_body_get_center(bodies[i]).z > 0);
        }
    }
    assert_true(least < 0.5 * before); /* they did hit */
    lode_world_destroy(world);
}

/* Velocity is kept, so what bounces bounces; and none is made. */
static void a_bouncing_ball_keeps_its_speed(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    shape_def.restitution = 1;
    shape_def.friction = 0;
    for (int side = -1; side <= 1; side += 2) {
        lode_body wall = add_body(world, LODE_STATIC, (lode_real)(4 * side), 0, 0);
        lode_shape_create_box(wall, &shape_def, vec((lode_real)5e-5, 9, 9));
    }
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.continuous = true;
    body_def.linear_velocity = vec(500, 0, 0);
    lode_body ball = lode_body_create(world, &body_def);
    lode_shape_create_sphere(ball, &shape_def, (lode_real)0.1);
    int turns = 0;
    double last = 1;
    for (int step = 0; step < 120; ++step) {
        lode_world_step(world, frame_time);
        lode_vec3 v = lode_body_get_linear_velocity(ball);
        assert_true(near(length_of(v), 500, 0.5));
        assert_true(fabs((double)lode_body_get_center(ball).x) < 3.95);
        turns += (double)v.x * last < 0;
        last = (double)v.x;
    }
    assert_true(turns > 30);
    lode_world_destroy(world);
}

/* A continuous ball does not pass through a mesh that moves, on a continuous body or another. */
static void balls_do_not_pass_meshes_that_move(void **state)
{
    (void)state;
    static mesh_draft draft;
    draft_box(&draft, 3, 3, 0.05);
    lode_mesh_def mesh_def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    for (int i = 0; i < 40; ++i) {
        lode_world world = lode_world_create(&def);
        lode_shape_def shape_def = lode_shape_def_default();
        lode_body_def body_def = lode_body_def_default();
        body_def.type = LODE_DYNAMIC;
        body_def.continuous = i % 2;
        body_def.linear_velocity.z = (lode_real)(10 * i);
        lode_body plate = lode_body_create(world, &body_def);
        assert_true(lode_shape_create_mesh(plate, &shape_def, mesh).id != 0);
        lode_body ball = add_bullet(world, BALL, (lode_pose){{0, 0, 4}, {1, 0, 0, 0}},
                                    vec(0, 0, -500), vec(0, 0, 0));
        for (int step = 0; step < 5; ++step) {
            lode_world_step(world, frame_time);
            assert_true(height_over(ball, plate) > 0);
        }
        lode_world_destroy(world);
    }
    lode_mesh_release(mesh);
}

/* ---- filters, joints, snapshots, threads ---- */

static void who_may_not_touch_passes(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    test_random random = {2};
    lode_body foil = add_target(world, FOIL, &random);
    lode_shape shape;
    lode_body_get_shapes(foil, &shape, 1);
    for (int how = 0; how < 3; ++how) {
        lode_shape_set_filter(shape, 1, how == 0 ? 2 : UINT64_MAX);
        lode_shape_set_enabled(shape, how != 1);
        lode_body body = add_bullet(world, BALL, (lode_pose){{0, 0, 3}, {1, 0, 0, 0}},
                                    vec(0, 0, -400), vec(0, 0, 0));
        lode_world_step(world, frame_time);
        assert_int_equal(height_over(body, foil) < 0, how < 2);
        lode_body_destroy(body);
    }
    lode_world_destroy(world);
}

static lode_world gallery(int threads)
{
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    test_random random = {8};
    def.threads = threads;
    lode_world world = lode_world_create(&def);
    add_target(world, SHEET, &random);
    for (int i = 0; i < 300; ++i) {
        lode_body box = add_body(world, LODE_DYNAMIC, (lode_real)(i % 10) - 5,
                                 (lode_real)(i / 10 % 10) - 5,
                                 (lode_real)0.5 + (lode_real)(i / 100));
        lode_shape_create_box(box, &shape_def,
                              vec((lode_real)0.45, (lode_real)0.45, (lode_real)0.45));
    }
    for (int i = 0; i < 80; ++i) {
        double far = number(&random, 9, 16);
        lode_vec3 from = times(any_direction(&random), far);
        from.z = (lode_real)(1 + fabs((double)from.z));
        lode_vec3 velocity = times(from, -number(&random, 5, 60));
        add_bullet(world, (bullet)(i % BULLETS), (lode_pose){from, {1, 0, 0, 0}}, velocity,
                   times(any_direction(&random), 20));
    }
    return world;
}

static void threads_and_snapshots_change_nothing(void **state)
{
    (void)state;
    lode_world one = gallery(1), three = gallery(3);
    static char bytes[1 << 23];
    size_t size = 0;
    uint64_t hashes[14];
    for (int step = 0; step < 14; ++step) {
        if (step == 3) {
            size = lode_world_snapshot(one, bytes, sizeof bytes);
            assert_true(size > 0 && size <= sizeof bytes);
        }
        lode_world_step(one, frame_time);
        lode_world_step(three, frame_time);
        hashes[step] = lode_world_hash(one);
        assert_true(hashes[step] == lode_world_hash(three));
    }
    assert_int_equal(lode_world_restore(one, bytes, size), LODE_OK);
    for (int step = 3; step < 14; ++step) {
        lode_world_step(one, frame_time);
        assert_true(lode_world_hash(one) == hashes[step]);
    }
    lode_world_destroy(one);
    lode_world_destroy(three);
}

/* Whoever asks queries between steps, or lives in a tree of another form, meets the same. */
static void the_past_changes_nothing(void **state)
{
    (void)state;
    lode_world one = gallery(1), other = gallery(1);
    test_random random = {4};
    lode_body extra[40];
    for (int i = 0; i < 40; ++i) { /* the tree takes a form of its own */
        double x = number(&random, -50, 50), y = number(&random, -50, 50);
        extra[i] = add_ball(other, (lode_real)x, (lode_real)y, 30, 1);
    }
    lode_world_test_ray(other, &(lode_ray){.direction = {1, 0, 0}, .length = 1}, NULL);
    for (int i = 0; i < 40; ++i)
        lode_body_destroy(extra[i]);
    lode_body a[400], b[400];
    int count = lode_world_get_bodies(one, a, 400);
    assert_int_equal(lode_world_get_bodies(other, b, 400), count);
    for (int step = 0; step < 10; ++step) {
        lode_world_step(one, frame_time);
        lode_world_step(other, frame_time);
        lode_world_test_ray(other, &(lode_ray){.direction = {1, 0, 0}, .length = 1}, NULL);
        for (int i = 0; i < count; ++i) {
            lode_pose p = lode_body_get_pose(a[i]), q = lode_body_get_pose(b[i]);
            assert_memory_equal(&p, &q, sizeof p);
        }
    }
    lode_world_destroy(one);
    lode_world_destroy(other);
}

static void steps_allocate_nothing_after_warm_up(void **state)
{
    (void)state;
    alloc_fail_install();
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    test_random random = {3};
    add_target(world, FOIL, &random);
    lode_body body = add_bullet(world, BRICK, (lode_pose){{0, 0, 3}, {1, 0, 0, 0}}, vec(0, 0, -400),
                                vec(1, 2, 3));
    for (int round = 0; round < 6; ++round) {
        if (round == 3)
            alloc_fail_nth(-1);
        lode_body_set_pose(body, (lode_pose){{0, 0, 3}, {1, 0, 0, 0}});
        lode_body_set_linear_velocity(body, vec(0, 0, -400));
        for (int step = 0; step < 5; ++step)
            assert_int_equal(lode_world_step(world, frame_time), LODE_OK);
    }
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest quiet[] = {
        cmocka_unit_test(steps_allocate_nothing_after_warm_up),
    };
    if (cmocka_run_group_tests(quiet, set_up, NULL))
        return 1;
    range_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_bodies_are_as_others),
        cmocka_unit_test(fast_rollers_are_not_held_up),
        cmocka_unit_test(a_wall_that_is_shot_at_stays_sane),
        cmocka_unit_test(a_bouncing_ball_keeps_its_speed),
        cmocka_unit_test(balls_do_not_pass_meshes_that_move),
        cmocka_unit_test(who_may_not_touch_passes),
        cmocka_unit_test(threads_and_snapshots_change_nothing),
        cmocka_unit_test(the_past_changes_nothing),
    };
    int failed = cmocka_run_group_tests(tests, set_up, NULL);
    range_close();
    return failed;
}

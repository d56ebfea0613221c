/* What the last step moved, and where all shapes are: the arrays say what the getters say. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <math.h>
#include <string.h>

static scene s;
static int tags[8];

static int set_up(void **state)
{
    (void)state;
    report_install();
    s = scene_create(NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(s.world);
    return 0;
}

static bool same_pose(lode_pose a, lode_pose b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static int place_of(const lode_moved *moved, lode_body body)
{
    for (int i = 0; i < moved->count; ++i)
        if (moved->bodies[i].id == body.id)
            return i;
    return -1;
}

static lode_body add_tagged(int tag, lode_real x)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = vec(x, 30, 30);
    def.user_data = &tags[tag];
    return lode_body_create(s.world, &def);
}

/* ---- bodies ---- */

static void all_that_moved_and_nothing_else_is_listed(void **state)
{
    (void)state;
    lode_body tagged = add_tagged(3, 5);
    lode_moved moved = lode_world_get_moved(s.world);
    assert_int_equal(moved.count, 3);
    assert_int_equal(place_of(&moved, tagged), -1); /* it came after the step */
    scene_step(&s, 1);
    moved = lode_world_get_moved(s.world);
    assert_int_equal(moved.count, 4);
    assert_int_equal(place_of(&moved, s.ground), -1);
    const lode_body dynamic[] = {s.ball, s.crate, s.rod, tagged};
    for (int i = 0; i < 4; ++i) {
        int place = place_of(&moved, dynamic[i]);
        assert_true(place >= 0);
        assert_true(same_pose(moved.poses[place], lode_body_get_pose(dynamic[i])));
        assert_ptr_equal(moved.user_data[place], i == 3 ? &tags[3] : NULL);
    }
    assert_int_equal(report.count, 0);
}

static void nothing_moved_before_a_step_and_between_halves(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    assert_int_equal(lode_world_get_moved(world).count, 0);
    add_ball(world, 0, 0, 0, 1);
    assert_int_equal(lode_world_get_moved(world).count, 0);
    lode_world_collide(world, STEP);
    assert_int_equal(lode_world_get_moved(world).count, 0);
    lode_world_solve(world, STEP);
    assert_int_equal(lode_world_get_moved(world).count, 1);
    lode_world_collide(world, STEP);
    assert_int_equal(lode_world_get_moved(world).count, 0);
    lode_world_destroy(world);
    assert_int_equal(report.count, 0);
}

/* A body that takes over the slot of a moved one has not moved. */
static void the_destroyed_are_left_out_and_their_successors_too(void **state)
{
    (void)state;
    lode_body bodies[6];
    for (int i = 0; i < 6; ++i)
        bodies[i] = add_tagged(i, (lode_real)i);
    scene_step(&s, 1);
    lode_body_destroy(bodies[1]);
    lode_body_destroy(bodies[4]);
    lode_body successor = add_tagged(7, 9);
    assert_int_equal(successor.id & 0xffffff, bodies[1].id & 0xffffff);
    lode_moved moved = lode_world_get_moved(s.world);
    assert_int_equal(moved.count, 3 + 4);
    assert_int_equal(place_of(&moved, successor), -1);
    for (int i = 0; i < moved.count; ++i)
        assert_true(lode_body_is_valid(moved.bodies[i]));
    lode_body_destroy(s.ground);
    lode_body_destroy(s.ball);
    assert_int_equal(lode_world_get_moved(s.world).count, 2 + 4);
}

static void kinematic_bodies_are_listed_while_they_travel(void **state)
{
    (void)state;
    lode_body idle = add_body(s.world, LODE_KINEMATIC, 0, 50, 0);
    lode_body lift = add_body(s.world, LODE_KINEMATIC, 0, 60, 0);
    lode_body_set_linear_velocity(lift, vec(0, 0, 2));
    scene_step(&s, 1);
    lode_moved moved = lode_world_get_moved(s.world);
    assert_int_equal(moved.count, 4);
    assert_int_equal(place_of(&moved, idle), -1);
    int place = place_of(&moved, lift);
    assert_true(place >= 0);
    assert_true(near(moved.poses[place].position.z, 2 * STEP, 1e-6));
    lode_body_set_linear_velocity(lift, vec(0, 0, 0));
    scene_step(&s, 1);
    moved = lode_world_get_moved(s.world);
    assert_int_equal(place_of(&moved, lift), -1);
}

/* One body rests, one does not. */
static void bodies_that_fall_asleep_are_listed_a_last_time_and_marked(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.sleep = (lode_sleep){true, 1, 1, 5, 0, 1};
    lode_world world = lode_world_create(&def);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_body falling = add_ball(world, 5, 0, 0, 1);
    lode_world_set_gravity(world, vec(0, 0, 0));
    lode_body_set_linear_velocity(falling, vec(0, 0, 2));
    int steps = 0;
    lode_moved moved = {0};
    do {
        assert_true(lode_body_is_awake(body));
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        moved = lode_world_get_moved(world);
        assert_int_equal(moved.count, 2);
        assert_false(moved.fell_asleep[place_of(&moved, falling)]);
    } while (!moved.fell_asleep[place_of(&moved, body)] && ++steps < 10);
    assert_int_equal(steps, 4);
    assert_false(lode_body_is_awake(body));
    lode_body_wake(body);
    moved = lode_world_get_moved(world);
    assert_false(moved.fell_asleep[place_of(&moved, body)]);
    lode_body_sleep(body); /* the next step does not move it at all */
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    moved = lode_world_get_moved(world);
    assert_int_equal(moved.count, 1);
    assert_int_equal(moved.bodies[0].id, falling.id);
    lode_world_destroy(world);
    assert_int_equal(report.count, 0);
}

static void frozen_bodies_have_not_moved(void **state)
{
    (void)state;
    lode_real huge = sizeof(lode_real) == sizeof(float) ? (lode_real)3e38 : (lode_real)1.7e308;
    lode_body lost = add_tagged(0, 1);
    lode_body_set_linear_velocity(lost, vec(huge, huge, huge));
    scene_step(&s, 1);
    assert_int_equal(lode_world_step(s.world, 10), LODE_OK);
    lode_moved moved = lode_world_get_moved(s.world);
    assert_int_equal(place_of(&moved, lost), -1);
    assert_true(place_of(&moved, s.rod) >= 0);
}

static void matrices_map_points_as_poses_do(void **state)
{
    (void)state;
    lode_body_set_angular_velocity(s.crate, vec(3, 2, 1));
    scene_step(&s, 20);
    lode_moved moved = lode_world_get_moved(s.world);
    lode_real rows[4][16], columns[4][16];
    assert_int_equal(lode_world_get_moved_matrices(s.world, LODE_ROW_MAJOR, rows[0], 4), 3);
    assert_int_equal(lode_world_get_moved_matrices(s.world, LODE_COLUMN_MAJOR, columns[0], 4), 3);
    for (int b = 0; b < 3; ++b) {
        lode_vec3 local = vec(1, -2, 3);
        lode_vec3 world = lode_body_point_to_world(moved.bodies[b], local);
        const lode_real *r = rows[b], *c = columns[b];
        lode_vec3 by_rows = vec(r[0] * local.x + r[1] * local.y + r[2] * local.z + r[3],
                                r[4] * local.x + r[5] * local.y + r[6] * local.z + r[7],
                                r[8] * local.x + r[9] * local.y + r[10] * local.z + r[11]);
        assert_true(near_vec(by_rows, world, 1e-5));
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                assert_true(r[4 * i + j] == c[4 * j + i]);
        assert_true(r[12] == 0 && r[13] == 0 && r[14] == 0 && r[15] == 1);
    }
}

static void a_small_array_gets_the_first_ones(void **state)
{
    (void)state;
    lode_real some[32] = {0}, all[48];
    assert_int_equal(lode_world_get_moved_matrices(s.world, LODE_ROW_MAJOR, all, 3), 3);
    assert_int_equal(lode_world_get_moved_matrices(s.world, LODE_ROW_MAJOR, some, 1), 3);
    assert_memory_equal(some, all, sizeof(lode_real) * 16);
    assert_true(some[16] == 0 && some[31] == 0);
    assert_int_equal(lode_world_get_moved_matrices(s.world, LODE_ROW_MAJOR, NULL, 0), 3);
    lode_pose poses[2] = {{{0, 0, 0}, {0, 0, 0, 0}}, {{0, 0, 0}, {0, 0, 0, 0}}};
    assert_int_equal(lode_world_get_shape_poses(s.world, NULL, poses, 1), 6);
    assert_true(poses[0].rotation.w != 0 && poses[1].rotation.w == 0);
    assert_int_equal(lode_world_get_shape_poses(s.world, NULL, NULL, 0), 6);
    assert_int_equal(report.count, 0);
}

/* ---- shapes ---- */

static lode_pose compose(lode_pose a, lode_pose b, lode_body frame)
{
    lode_quat p = a.rotation, q = b.rotation;
    return (lode_pose){lode_body_point_to_world(frame, b.position),
                       {p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w}};
}

static void shapes_are_where_their_bodies_carry_them(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    def.pose = (lode_pose){{(lode_real)0.3, (lode_real)-0.2, (lode_real)0.1},
                           {(lode_real)0.5, (lode_real)0.5, (lode_real)-0.5, (lode_real)0.5}};
    lode_shape tilted = lode_shape_create_box(s.rod, &def, vec(1, (lode_real)0.2, (lode_real)0.3));
    lode_body_set_angular_velocity(s.rod, vec(1, -2, 3));
    scene_step(&s, 10);
    lode_shape shapes[8];
    lode_pose poses[8];
    int count = lode_world_get_shape_poses(s.world, shapes, poses, 8), found = 0;
    assert_int_equal(count, 7);
    for (int i = 0; i < count; ++i) {
        assert_true(i == 0 || (shapes[i - 1].id & 0xffffff) < (shapes[i].id & 0xffffff));
        lode_body body = lode_shape_get_body(shapes[i]);
        lode_pose local = {{0, 0, 0}, {1, 0, 0, 0}};
        if (shapes[i].id == tilted.id)
            local = def.pose, ++found;
        else if (shapes[i].id == s.lump.id || shapes[i].id == s.slab.id)
            local.position = vec((lode_real)0.5, 0, (lode_real)0.25), ++found;
        lode_pose wanted = compose(lode_body_get_pose(body), local, body);
        assert_true(near_vec(poses[i].position, wanted.position, 1e-5));
        lode_quat p = poses[i].rotation, q = wanted.rotation;
        assert_true(near(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z, 1, 1e-5));
    }
    assert_int_equal(found, 3);
    lode_body_set_pose(s.rod, (lode_pose){{50, 60, 70}, {1, 0, 0, 0}});
    lode_world_get_shape_poses(s.world, shapes, poses, 8);
    for (int i = 0; i < count; ++i) /* as they are now */
        if (shapes[i].id == s.bar.id)
            assert_true(near_vec(poses[i].position, vec(50, 60, 70), 1e-4));
}

/* ---- memory and arguments ---- */

static void without_memory_nothing_is_listed_and_nothing_breaks(void **state)
{
    (void)state;
    alloc_fail_install();
    scene t = scene_create(NULL);
    alloc_fail_nth(0);
    assert_int_equal(lode_world_get_moved(t.world).count, 0);
    EXPECT_REPORT(LODE_ERROR_MEMORY, "lode_world_get_moved", "");
    report_clear();
    alloc_fail_nth(-1);
    assert_int_equal(lode_world_get_moved(t.world).count, 3);
    for (int i = 0; i < 5; ++i) {
        scene_step(&t, 1);
        assert_int_equal(lode_world_get_moved(t.world).count, 3);
    }
    assert_int_equal(alloc_fail_calls(), 1); /* the first one */
    lode_world_destroy(t.world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    lode_real matrix[16];
    lode_pose pose;
    assert_int_equal(lode_world_get_moved_matrices(s.world, (lode_matrix_order)2, matrix, 1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_get_moved_matrices", "order");
    report_clear();
    assert_int_equal(lode_world_get_moved_matrices(s.world, LODE_ROW_MAJOR, NULL, 1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_get_moved_matrices", "out_matrices");
    report_clear();
    assert_int_equal(lode_world_get_shape_poses(s.world, NULL, &pose, -1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_get_shape_poses", "capacity");
    report_clear();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(all_that_moved_and_nothing_else_is_listed),
        TEST(nothing_moved_before_a_step_and_between_halves),
        TEST(the_destroyed_are_left_out_and_their_successors_too),
        TEST(kinematic_bodies_are_listed_while_they_travel),
        TEST(bodies_that_fall_asleep_are_listed_a_last_time_and_marked),
        TEST(frozen_bodies_have_not_moved),
        TEST(matrices_map_points_as_poses_do),
        TEST(a_small_array_gets_the_first_ones),
        TEST(shapes_are_where_their_bodies_carry_them),
        TEST(bad_arguments_are_refused),
        cmocka_unit_test(without_memory_nothing_is_listed_and_nothing_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Worlds at the edge of what numbers hold: bodies that leave it and come back, grains and ships,
 * surfaces and settings as large as they may be. */
#include "tests/world/support.h"

#include "core/math.h"

#include <stdatomic.h>
#include <string.h>

static lode_world world;

static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    world = lode_world_create(&def);
    return world.id == 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return 0;
}

static void step(int count)
{
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static int nan_bodies(void)
{
    lode_warning_info warnings[LODE_WARNING_COUNT];
    assert_int_equal(lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT),
                     LODE_WARNING_COUNT);
    return (int)warnings[LODE_WARNING_NAN_BODY].ever;
}

/* ---- freezing */

static void put_back(lode_body body, lode_vec3 position)
{
    assert_int_equal(lode_body_set_pose(body, (lode_pose){position, q_identity()}), LODE_OK);
    assert_int_equal(lode_body_set_linear_velocity(body, vec(0, 0, 0)), LODE_OK);
    assert_int_equal(lode_body_set_angular_velocity(body, vec(0, 0, 0)), LODE_OK);
}

static void a_frozen_body_forgets_what_it_was_pushed_with(void **state)
{
    (void)state;
    lode_body a = add_ball(world, 0, 0, 0, (lode_real)0.01);
    lode_body b = add_ball(world, 1, 0, 0, (lode_real)0.01);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = a;
    def.body_b = b;
    assert_int_equal(lode_joint_def_anchor_world(&def, vec(0, 0, 0), vec(1, 0, 0)), LODE_OK);
    lode_joint joint = lode_joint_create(world, &def);
    step(1);
    lode_pose before = lode_body_get_pose(a);
    lode_body_add_force(a, vec(REAL_MAX / 2, 0, 0));
    step(1);
    lode_pose after = lode_body_get_pose(a);
    assert_int_equal(nan_bodies(), 1);
    assert_memory_equal(&before, &after, sizeof after);
    assert_true(near_vec(lode_body_get_linear_velocity(a), vec(0, 0, 0), 0));
    assert_true(near_vec(lode_joint_get_force(joint), vec(0, 0, 0), 0));
    put_back(a, vec(0, 0, 0));
    put_back(b, vec(1, 0, 0));
    step(10);
    assert_int_equal(nan_bodies(), 1);
    assert_true(near_vec(lode_body_get_center(a), vec(0, 0, 0), 1e-6));
    assert_true(near_vec(lode_body_get_center(b), vec(1, 0, 0), 1e-6));
}

/* One may be so far away that no sum of its coordinates is a number. */
static void who_leaves_what_numbers_hold_is_frozen(void **state)
{
    (void)state;
    const lode_real far = (lode_real)0.999 * REAL_MAX;
    lode_body stays = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_body leaves = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    put_back(stays, vec(far, far, far));
    put_back(leaves, vec(0, far, 0));
    lode_body_set_linear_velocity(stays, vec(-REAL_MAX / 4, 0, 0));
    lode_body_set_linear_velocity(leaves, vec(0, REAL_MAX / 4, 0));
    step(1);
    assert_int_equal(nan_bodies(), 1);
    assert_true(lode_body_get_center(stays).x < far);
    assert_true(near_vec(lode_body_get_center(leaves), vec(0, far, 0), 0));
    assert_true(near_vec(lode_body_get_linear_velocity(leaves), vec(0, 0, 0), 0));
}

/* ---- size */

/* Without forces spin knows no length: a brick turns as any brick of its shape does. */
static lode_vec3 spin_of_brick(lode_real size)
{
    lode_body brick = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_shape_def def = lode_shape_def_default();
    lode_shape_create_box(brick, &def, vec(size, size * (lode_real)0.5, size * (lode_real)0.25));
    lode_body_set_angular_velocity(brick, vec(1, 2, 3));
    step(64);
    lode_vec3 spin = lode_body_get_angular_velocity(brick);
    assert_int_equal(lode_body_destroy(brick), LODE_OK);
    return spin;
}

static void grains_and_ships_turn_like_bricks(void **state)
{
    (void)state;
    const lode_real sizes[] = {(lode_real)1e-5, (lode_real)1e-3, 1000, 100000};
    lode_vec3 spin = spin_of_brick(1);
    for (int i = 0; i < 4; ++i)
        assert_true(near_vec(spin_of_brick(sizes[i]), spin, 1e-4));
    assert_int_equal(nan_bodies(), 0);
}

/* ---- values */

static void add_stack(lode_real friction)
{
    lode_shape_def def = lode_shape_def_default();
    def.friction = friction;
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_create_plane(ground, &def, vec(0, 0, 1), 0);
    for (int i = 0; i < 3; ++i) {
        lode_body box = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.5 + (lode_real)i);
        lode_shape_create_box(box, &def, vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
        lode_body_set_linear_velocity(box, vec(1, 0, 0));
    }
    lode_world_set_gravity(world, vec(0, 0, -10));
}

static void any_friction_will_do(void **state)
{
    (void)state;
    add_stack(REAL_MAX);
    step(60);
    assert_int_equal(nan_bodies(), 0);
}

static void any_softness_will_do(void **state)
{
    (void)state;
    add_stack((lode_real)0.5);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = add_ball(world, 5, 0, 2, (lode_real)0.5);
    lode_joint_def_anchor_world(&def, vec(4, 0, 2), vec(1, 0, 0));
    assert_true(lode_joint_is_valid(lode_joint_create(world, &def)));
    assert_int_equal(lode_world_set_cfm(world, REAL_MAX), LODE_OK);
    step(10);
    assert_int_equal(nan_bodies(), 0);
}

/* Over-relaxed rows that are far softer than their masses still settle, and straight down. */
static void soft_stacks_sink_upright(void **state)
{
    (void)state;
    lode_world_set_cfm(world, (lode_real)1e-3);
    lode_world_set_over_relaxation(world, (lode_real)1.5);
    lode_body ground = add_ground(world), box[3];
    lode_shape_def def = lode_shape_def_default();
    for (int i = 0; i < 3; ++i) {
        box[i] = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.5 + (lode_real)i);
        lode_shape_create_box(box[i], &def, vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
    }
    lode_world_set_gravity(world, vec(0, 0, -10));
    step(240);
    for (int i = 0; i < 3; ++i) {
        lode_vec3 center = lode_body_get_center(box[i]);
        assert_true(near_vec(vec(center.x, center.y, 0), vec(0, 0, 0), 0.01));
    }
    assert_true(lode_body_is_valid(ground));
}

/* ---- the profiler */

typedef struct listener {
    const void *thread;
    int depth;
    atomic_int calls, strange; /* of other threads */
} listener;

static const void *this_thread(void)
{
    static _Thread_local char mark;
    return &mark;
}

static void on_begin(void *user, const char *name)
{
    listener *l = user;
    (void)name;
    l->depth++;
    l->calls++;
    l->strange += this_thread() != l->thread;
}

static void on_end(void *user, const char *name)
{
    (void)name;
    ((listener *)user)->depth--;
}

static void the_profiler_is_called_on_the_stepping_thread(void **state)
{
    (void)state;
    listener l = {.thread = this_thread()};
    lode_world_def def = lode_world_def_default();
    def.threads = 3;
    def.profiler = (lode_profiler){&l, on_begin, on_end};
    lode_world many = lode_world_create(&def);
    add_ground(many);
    enum { SIDE = 50 }; /* many islands, so several groups */
    for (int i = 0; i < SIDE * SIDE * 2; ++i)
        add_ball(many, (lode_real)(2 * (i % SIDE)), (lode_real)(2 * (i / SIDE)), (lode_real)0.5,
                 (lode_real)0.5);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(lode_world_step(many, STEP), LODE_OK);
    lode_world_destroy(many);
    assert_true(l.calls > 0);
    assert_int_equal(l.strange, 0);
    assert_int_equal(l.depth, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_frozen_body_forgets_what_it_was_pushed_with),
        TEST(who_leaves_what_numbers_hold_is_frozen),
        TEST(grains_and_ships_turn_like_bricks),
        TEST(any_friction_will_do),
        TEST(any_softness_will_do),
        TEST(soft_stacks_sink_upright),
        TEST(the_profiler_is_called_on_the_stepping_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

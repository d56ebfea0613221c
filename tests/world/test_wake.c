/* What wakes a sleeping island, and what does not: every rule of world/wake.c by itself, on a scene
 * that sleeps: a tower of three crates and, out of its reach, a lone one. */
#include "tests/world/support.h"

#include <math.h>

#include "world/registry.h"
#include "world/sleep.h"
#include "world/wake.h"
#include "world/world.h"

enum { TOWER = 3 };

typedef struct yard {
    lode_world world;
    lode_body ground, tower[TOWER], lone, shelf, other, far_plate;
    lode_shape plane, crate[TOWER], board;
    lode_joint rope;
    lode_body bob, pole;
} yard;

static yard y;

static lode_shape add_box(lode_body body, lode_vec3 half)
{
    lode_shape_def def = lode_shape_def_default();
    lode_shape shape = lode_shape_create_box(body, &def, half);
    assert_true(shape.id);
    return shape;
}

static const lode_vec3 half_crate = {0.5f, 0.5f, 0.5f};

static void steps(int count)
{
    for (int i = 0; i < count; ++i) {
        assert_int_equal(lode_world_step(y.world, STEP), LODE_OK);
        lode__world *world = lode__registry_world(y.world.id);
        lode__collide_validate(&world->collide, &world->bodies);
        lode__awake_validate(world);
    }
}

static bool tower_sleeps(void)
{
    int asleep = 0;
    for (int i = 0; i < TOWER; ++i)
        asleep += !lode_body_is_awake(y.tower[i]);
    assert_true(asleep == 0 || asleep == TOWER); /* as a whole */
    return asleep == TOWER;
}

static bool lone_sleeps(void)
{
    return !lode_body_is_awake(y.lone);
}

static bool bob_sleeps(void)
{
    return !lode_body_is_awake(y.bob);
}

/* The tower stands on a static shelf, the lone crate on the ground; a bob hangs from a static
 * pole. */
static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = true;
    y.world = lode_world_create(&def);
    lode_shape_def shape_def = lode_shape_def_default();
    y.ground = add_body(y.world, LODE_STATIC, 0, 0, 0);
    y.plane = lode_shape_create_plane(y.ground, &shape_def, vec(0, 0, 1), 0);
    y.shelf = add_body(y.world, LODE_STATIC, 10, 0, (lode_real)0.25);
    y.board = add_box(y.shelf, vec(2, 2, (lode_real)0.25));
    for (int i = 0; i < TOWER; ++i) {
        y.tower[i] = add_body(y.world, LODE_DYNAMIC, 10, 0, (lode_real)i + 1);
        y.crate[i] = add_box(y.tower[i], half_crate);
    }
    y.lone = add_body(y.world, LODE_DYNAMIC, -10, 0, (lode_real)0.5);
    add_box(y.lone, half_crate);
    y.other = add_body(y.world, LODE_KINEMATIC, 10, 8, 1);
    add_box(y.other, half_crate);
    y.pole = add_body(y.world, LODE_STATIC, 0, 20, 5);
    y.bob = add_ball(y.world, 0, 20, 4, (lode_real)0.2);
    lode_joint_def joint = lode_joint_def_default(LODE_JOINT_BALL);
    joint.body_a = y.bob;
    joint.body_b = y.pole;
    lode_joint_def_anchor_world(&joint, vec(0, 20, 5), vec(1, 0, 0));
    y.rope = lode_joint_create(y.world, &joint);
    assert_true(y.rope.id);
    steps(100);
    assert_true(tower_sleeps() && lone_sleeps() && bob_sleeps());
    lode_world_stats stats;
    lode_world_get_stats(y.world, &stats);
    assert_int_equal(stats.awake_bodies, 0);
    assert_int_equal(stats.sleeping_islands, 3);
    assert_int_equal(stats.pairs, 0);
    assert_int_equal(lode_world_get_contacts(y.world, NULL, 0), TOWER + 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(y.world);
    return 0;
}

/* ---- what happens to it ---- */

static lode_pose at(lode_real x, lode_real z)
{
    return (lode_pose){vec(x, 0, z), {1, 0, 0, 0}};
}

static void push(void)
{
    lode_body_add_force(y.tower[1], vec(1, 0, 0));
}
static void twist(void)
{
    lode_body_add_torque(y.tower[1], vec(1, 0, 0));
}
static void kick(void)
{
    lode_body_add_impulse(y.tower[1], vec(1, 0, 0));
}
static void set_velocity(void)
{
    lode_body_set_linear_velocity(y.tower[1], vec(1, 0, 0));
}
static void set_spin(void)
{
    lode_body_set_angular_velocity(y.tower[1], vec(0, 0, 1));
}
static void set_force(void)
{
    lode_body_set_force(y.tower[1], vec(0, 0, 1));
}
static void move_it(void)
{
    lode_body_set_pose(y.tower[1], at(10, 2));
}
static void weigh(void)
{
    lode_mass mass = lode_body_get_mass(y.tower[1]);
    lode_body_set_mass(y.tower[1], &mass);
}
static void make_kinematic(void)
{
    lode_body_set_type(y.tower[2], LODE_KINEMATIC);
    lode_body_set_type(y.tower[2], LODE_DYNAMIC);
}
static void add_shape(void)
{
    add_box(y.tower[0], vec((lode_real)0.1, (lode_real)0.1, (lode_real)0.1));
}
static void remove_shape(void)
{
    lode_shape_destroy(y.crate[2]);
}
static void make_slippery(void)
{
    lode_shape_set_friction(y.crate[0], 0);
}
static void change_filter(void)
{
    lode_shape_set_filter(y.crate[0], 1, 1);
}
static void wake_it(void)
{
    lode_body_wake(y.tower[2]);
}
static void set_sleep(void)
{
    lode_body_set_sleep(y.tower[2], NULL);
}
static void join_it(void)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = y.tower[2];
    lode_joint_def_anchor_world(&def, vec(10, 0, 3), vec(1, 0, 0));
    assert_true(lode_joint_create(y.world, &def).id);
}
static void change_gravity(void)
{
    lode_world_set_gravity(y.world, vec(0, 0, -9));
}

/* ---- what happens to what it rests on ---- */

static void remove_shelf(void)
{
    lode_body_destroy(y.shelf);
}
static void remove_board(void)
{
    lode_shape_destroy(y.board);
}
static void move_shelf(void)
{
    lode_body_set_pose(y.shelf, (lode_pose){vec(12, 0, (lode_real)0.25), {1, 0, 0, 0}});
}
static void ice_shelf(void)
{
    lode_shape_set_friction(y.board, 0);
}
static void thin_shelf(void)
{
    lode_shape_set_filter(y.board, 2, 2);
}
static void start_shelf(void)
{
    lode_body_set_type(y.shelf, LODE_KINEMATIC);
}
static void destroy_middle(void)
{
    lode_body_destroy(y.tower[2]);
    y.tower[2] = y.tower[1];
}

typedef void event(void);

/* The event wakes the tower, at once, and nobody else. */
static event *const wakes[] = {
    push,       twist,       kick,           set_velocity,  set_spin,       set_force,
    move_it,    weigh,       add_shape,      make_slippery, change_filter,  wake_it,
    set_sleep,  join_it,     remove_shelf,   remove_board,  move_shelf,     ice_shelf,
    thin_shelf, start_shelf, destroy_middle, remove_shape,  make_kinematic,
};
enum { WAKES = sizeof wakes / sizeof *wakes };

static void each_rule_wakes_the_island_and_no_other(void **state)
{
    (void)state;
    for (int i = 0; i < WAKES; ++i) {
        set_up(NULL);
        wakes[i]();
        if (tower_sleeps())
            print_error("event %d of the table wakes nobody\n", i);
        assert_true(!tower_sleeps() && lone_sleeps() && bob_sleeps());
        steps(1);
        assert_true(!tower_sleeps() && lone_sleeps() && bob_sleeps());
        steps(8);
        tear_down(NULL);
    }
    set_up(NULL);
}

static void another_gravity_wakes_all(void **state)
{
    (void)state;
    change_gravity();
    assert_true(!tower_sleeps() && !lone_sleeps() && !bob_sleeps());
    steps(1);
}

static void what_a_plane_carries_wakes_with_it(void **state)
{
    (void)state;
    lode_body_set_pose(y.ground, at(0, (lode_real)-0.5));
    assert_true(tower_sleeps() && !lone_sleeps() && bob_sleeps());
    steps(1);
    assert_true(lode_body_get_linear_velocity(y.lone).z < -0.1);
    lode_body_wake(y.lone);
    steps(100);
    assert_true(lone_sleeps());
    lode_shape_destroy(y.plane);
    assert_true(tower_sleeps() && !lone_sleeps() && bob_sleeps());
}

static void joints_wake_what_they_hold(void **state)
{
    (void)state;
    lode_body_set_pose(y.pole, (lode_pose){vec(0, 20, 6), {1, 0, 0, 0}});
    assert_true(tower_sleeps() && lone_sleeps() && !bob_sleeps());
    steps(400);
    assert_true(bob_sleeps());
    lode_body_set_type(y.pole, LODE_KINEMATIC);
    steps(400);
    assert_true(bob_sleeps());
    lode_body_set_linear_velocity(y.pole, vec(0, 1, 0));
    assert_true(!bob_sleeps());
    steps(200);
    assert_true(!bob_sleeps()); /* never while its pole moves */
    lode_joint_destroy(y.rope);
    assert_true(!bob_sleeps());
}

static void a_joint_that_goes_wakes_both_bodies(void **state)
{
    (void)state;
    lode_joint_destroy(y.rope);
    assert_true(tower_sleeps() && lone_sleeps() && !bob_sleeps());
}

/* ---- what comes along ---- */

static void what_falls_on_it_wakes_it_when_it_touches(void **state)
{
    (void)state;
    lode_body brick = add_body(y.world, LODE_DYNAMIC, 10, 0, 6);
    add_box(brick, half_crate);
    int fell = 0;
    while (tower_sleeps() && fell < 100) {
        steps(1);
        ++fell;
    }
    assert_in_range(fell, 38, 44); /* 2 m of free fall */
    assert_true(!tower_sleeps() && lone_sleeps());
    steps(900);
    assert_true(tower_sleeps() && !lode_body_is_awake(brick));
    lode_world_stats stats;
    lode_world_get_stats(y.world, &stats);
    assert_int_equal(stats.sleeping_islands, 3);
}

/* The island that wakes within a step is solved with all its contacts in that step: the tower does
 * not sink into its shelf. */
static void it_is_whole_in_the_step_that_wakes_it(void **state)
{
    (void)state;
    lode_body brick = add_body(y.world, LODE_DYNAMIC, 10, 0, (lode_real)4.001);
    add_box(brick, half_crate);
    double before = lode_body_get_pose(y.tower[0]).position.z;
    steps(1);
    assert_true(!tower_sleeps());
    assert_true(near(lode_body_get_pose(y.tower[0]).position.z, before, 1e-3));
    assert_true(near(lode_body_get_linear_velocity(y.tower[0]).z, 0, 0.02));
    assert_int_equal(lode_world_get_contacts(y.world, NULL, 0), TOWER + 2);
}

static void a_passing_body_wakes_nobody(void **state)
{
    (void)state;
    lode_body_set_pose(y.other, (lode_pose){vec(10, 8, 1), {1, 0, 0, 0}});
    lode_body_set_linear_velocity(y.other, vec(0, -4, 0));
    lode_body_set_pose(y.other, (lode_pose){vec((lode_real)11.02, 8, 1), {1, 0, 0, 0}});
    for (int i = 0; i < 256; ++i) {
        steps(1);
        assert_true(tower_sleeps() && lone_sleeps() && bob_sleeps());
    }
    assert_true(near(lode_body_get_pose(y.other).position.y, -8, 1e-3));
}

static void a_kinematic_body_wakes_what_it_touches(void **state)
{
    (void)state;
    lode_body_set_linear_velocity(y.other, vec(0, -4, 0));
    int moved = 0;
    while (tower_sleeps() && moved < 200) {
        steps(1);
        ++moved;
    }
    assert_in_range(moved, 105, 114); /* 7 m at 4 m/s */
    assert_true(lone_sleeps());
}

/* Nothing that rests on a moving platform sleeps; when it stops, all do. */
static void a_platform_keeps_awake_what_it_carries(void **state)
{
    (void)state;
    lode_body_set_type(y.shelf, LODE_KINEMATIC);
    steps(100);
    assert_true(tower_sleeps());
    lode_body_set_linear_velocity(y.shelf, vec(0, 0, (lode_real)0.005));
    assert_true(!tower_sleeps());
    for (int i = 0; i < 100; ++i) {
        steps(1);
        assert_true(!tower_sleeps());
    }
    lode_body_set_linear_velocity(y.shelf, vec(0, 0, 0));
    steps(100);
    assert_true(tower_sleeps());
    lode_world_stats stats;
    lode_world_get_stats(y.world, &stats);
    assert_int_equal(stats.awake_bodies, 0);
}

static void a_wall_put_where_it_stands_wakes_it(void **state)
{
    (void)state;
    lode_body wall = add_body(y.world, LODE_STATIC, (lode_real)10.9, 0, 2);
    add_box(wall, half_crate);
    assert_true(tower_sleeps()); /* not before the contact is found */
    steps(1);
    assert_true(!tower_sleeps() && lone_sleeps());
    steps(200);
    assert_true(tower_sleeps());
    /* moved into it while it sleeps */
    lode_body_set_pose(wall, at(30, 2));
    steps(100);
    assert_true(tower_sleeps());
    lode_body_set_pose(wall, at((lode_real)10.9, 2));
    steps(1);
    assert_true(!tower_sleeps() && lone_sleeps());
}

/* A frozen body carries like a static one; what it carries sleeps, and wakes when it thaws. */
static void what_a_frozen_body_carries_wakes_when_it_thaws(void **state)
{
    (void)state;
    lode_real huge = sizeof(lode_real) == 4 ? (lode_real)1e38 : (lode_real)1e308;
    lode_pose pose = lode_body_get_pose(y.lone);
    for (int i = 0; i < 2; ++i)
        lode_body_add_torque(y.lone, vec(huge, huge, huge));
    steps(1);
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_world_get_warnings(y.world, warnings, LODE_WARNING_COUNT);
    assert_int_equal(warnings[LODE_WARNING_NAN_BODY].ever, 1);
    lode_body crate = add_body(y.world, LODE_DYNAMIC, pose.position.x, pose.position.y,
                               pose.position.z + 1);
    add_box(crate, half_crate);
    lode_sleep sleep = lode_body_get_sleep(y.lone);
    lode_body_set_sleep(crate, &sleep);
    steps(100);
    assert_false(lode_body_is_awake(crate));
    lode_body_set_pose(y.lone, pose);
    assert_true(lode_body_is_awake(crate) && lode_body_is_awake(y.lone));
    steps(200);
    assert_false(lode_body_is_awake(crate) || lode_body_is_awake(y.lone));
}

/* ---- what wakes nobody ---- */

static void ask(void)
{
    lode_contact contacts[8];
    lode_world_stats stats;
    lode_body_get_pose(y.tower[1]);
    lode_body_get_linear_velocity(y.tower[1]);
    lode_body_get_mass(y.tower[1]);
    lode_body_get_sleep(y.tower[1]);
    lode_body_is_awake(y.tower[1]);
    lode_body_get_force(y.tower[1]);
    lode_world_get_contacts(y.world, contacts, 8);
    lode_world_get_stats(y.world, &stats);
    lode_world_get_moved(y.world);
    lode_world_hash(y.world);
    lode_joint_get_force(y.rope);
}
static void rename_it(void)
{
    lode_body_set_name(y.tower[1], "crate");
    lode_body_set_user_data(y.tower[1], &y);
}
static void nothing_at_all(void)
{
    lode_vec3 zero = vec(0, 0, 0);
    lode_body_add_force(y.tower[1], zero);
    lode_body_add_force_at(y.tower[1], zero, vec(1, 2, 3));
    lode_body_add_torque(y.tower[1], zero);
    lode_body_add_impulse(y.tower[1], zero);
    lode_body_add_angular_impulse(y.tower[1], zero);
    lode_body_set_linear_velocity(y.tower[1], zero);
    lode_body_set_angular_velocity(y.tower[1], zero);
    lode_body_set_force(y.tower[1], zero);
    lode_body_set_torque(y.tower[1], zero);
}
static void same_gravity(void)
{
    lode_world_set_gravity(y.world, vec(0, 0, (lode_real)-9.81));
}
static void other_settings(void)
{
    lode_world_set_iterations(y.world, 11);
    lode_world_set_erp(y.world, (lode_real)0.3);
    lode_world_set_solver(y.world, LODE_SOLVER_SOFT_STEP);
    lode_sleep sleep = lode_sleep_default();
    lode_world_set_sleep(y.world, &sleep);
}
static void put_something_far_away(void)
{
    add_box(add_body(y.world, LODE_STATIC, 50, 0, 1), half_crate);
    add_box(add_body(y.world, LODE_DYNAMIC, 50, 0, 8), half_crate);
    add_box(add_body(y.world, LODE_KINEMATIC, 55, 0, 8), half_crate);
}
static void put_something_beside(void)
{
    add_box(add_body(y.world, LODE_STATIC, (lode_real)11.05, 0, 1), half_crate);
    add_box(add_body(y.world, LODE_DYNAMIC, (lode_real)8.95, 0, 1), half_crate);
}
static void remove_something_beside(void)
{
    lode_body wall = add_body(y.world, LODE_STATIC, (lode_real)11.05, 0, 1);
    add_box(wall, half_crate);
    steps(2);
    lode_body_set_pose(wall, at((lode_real)11.06, 1));
    steps(2);
    lode_body_destroy(wall);
}
static void more_ground(void)
{
    add_box(y.ground, half_crate);
    add_box(y.shelf, vec((lode_real)0.1, (lode_real)0.1, (lode_real)0.1));
}
static void put_to_sleep(void)
{
    lode_body_sleep(y.tower[1]);
}
static void wake_the_dead(void)
{
    lode_body_wake(y.ground);
    lode_body_wake(y.other);
    lode_body_sleep(y.ground);
    lode_body_sleep(y.other);
}
static void another_world(void)
{
    lode_world_def def = lode_world_def_default();
    lode_world other = lode_world_create(&def);
    lode_body body = add_ball(other, 10, 0, 1, 1);
    lode_body_add_force(body, vec(1, 0, 0));
    lode_world_step(other, STEP);
    lode_world_destroy(other);
}
static void failed_calls(void)
{
    lode_body_set_linear_velocity(y.tower[1], vec(0, 0, (lode_real)INFINITY));
    lode_shape_set_friction(y.crate[1], -1);
    lode_sleep bad = {.samples = 65};
    lode_body_set_sleep(y.tower[1], &bad);
}

static event *const let_sleep[] = {
    ask,
    rename_it,
    nothing_at_all,
    same_gravity,
    other_settings,
    put_something_far_away,
    more_ground,
    put_to_sleep,
    wake_the_dead,
    another_world,
    failed_calls,
    put_something_beside,
    remove_something_beside,
};
enum { LET_SLEEP = sizeof let_sleep / sizeof *let_sleep };

static void nothing_else_wakes_it(void **state)
{
    (void)state;
    for (int i = 0; i < LET_SLEEP; ++i) {
        set_up(NULL);
        let_sleep[i]();
        if (!tower_sleeps())
            print_error("event %d of the table wakes it\n", i);
        assert_true(tower_sleeps() && lone_sleeps() && bob_sleeps());
        steps(20);
        assert_true(tower_sleeps() && lone_sleeps() && bob_sleeps());
        tear_down(NULL);
    }
    set_up(NULL);
}

/* ---- waking is as if it had not slept ---- */

/* Contacts keep their impulses through sleep: the tower does not sag when it wakes. */
static void sleep_keeps_impulses(void **state)
{
    (void)state;
    lode_contact before[8], after[8];
    int count = lode_world_get_contacts(y.world, before, 8);
    steps(5);
    lode_body_wake(y.tower[0]);
    assert_int_equal(lode_world_get_contacts(y.world, after, 8), count);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < before[i].point_count; ++k)
            assert_true(near_vec(before[i].points[k].impulse, after[i].points[k].impulse, 0));
    steps(1);
    for (int i = 0; i < TOWER; ++i)
        assert_true(near_vec(lode_body_get_linear_velocity(y.tower[i]), vec(0, 0, 0), 2e-3));
}

/* Between the halves of a step too. */
static void it_wakes_between_the_halves(void **state)
{
    (void)state;
    assert_int_equal(lode_world_collide(y.world, STEP), LODE_OK);
    lode_body_add_force(y.tower[2], vec(1, 0, 0));
    assert_true(!tower_sleeps());
    assert_int_equal(lode_world_solve(y.world, STEP), LODE_OK);
    for (int i = 0; i < TOWER; ++i)
        assert_true(near_vec(lode_body_get_linear_velocity(y.tower[i]), vec(0, 0, 0), 5e-3));
    steps(1);
}

int main(void)
{
#define ON_A_SLEEPING_SCENE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ON_A_SLEEPING_SCENE(another_gravity_wakes_all),
        ON_A_SLEEPING_SCENE(what_a_plane_carries_wakes_with_it),
        ON_A_SLEEPING_SCENE(joints_wake_what_they_hold),
        ON_A_SLEEPING_SCENE(a_joint_that_goes_wakes_both_bodies),
        ON_A_SLEEPING_SCENE(what_falls_on_it_wakes_it_when_it_touches),
        ON_A_SLEEPING_SCENE(it_is_whole_in_the_step_that_wakes_it),
        ON_A_SLEEPING_SCENE(a_passing_body_wakes_nobody),
        ON_A_SLEEPING_SCENE(a_kinematic_body_wakes_what_it_touches),
        ON_A_SLEEPING_SCENE(a_platform_keeps_awake_what_it_carries),
        ON_A_SLEEPING_SCENE(a_wall_put_where_it_stands_wakes_it),
        ON_A_SLEEPING_SCENE(what_a_frozen_body_carries_wakes_when_it_thaws),
        ON_A_SLEEPING_SCENE(sleep_keeps_impulses),
        ON_A_SLEEPING_SCENE(it_wakes_between_the_halves),
        cmocka_unit_test_teardown(each_rule_wakes_the_island_and_no_other, tear_down),
        cmocka_unit_test_teardown(nothing_else_wakes_it, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

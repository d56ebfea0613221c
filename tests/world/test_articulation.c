/* Articulations as objects: their life and structure, indices, what setters keep, sleep, links as
 * bodies. What is refused is in test_articulation_refused.c, how they move in
 * test_articulation_motion.c and those beside it. */
#include "tests/world/tree.h"

#include <math.h>
#include <string.h>

/* ---- life */

static void an_articulation_lives_until_it_is_destroyed(void **state)
{
    (void)state;
    tree t = make_tree(false);
    assert_true(lode_articulation_is_valid(t.articulation));
    assert_true(lode_articulation_get_world(t.articulation).id == t.world.id);
    assert_false(lode_articulation_is_inserted(t.articulation));
    assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
    assert_true(lode_articulation_is_inserted(t.articulation));
    step(&t, 3);
    assert_int_equal(lode_articulation_remove(t.articulation), LODE_OK);
    assert_false(lode_articulation_is_inserted(t.articulation));
    lode_pose stood = lode_body_get_pose(t.link[3]);
    step(&t, 30); /* outside nothing moves, and nothing is touched */
    assert_true(near_vec(stood.position, lode_body_get_pose(t.link[3]).position, 0));
    assert_int_equal(lode_world_get_contacts(t.world, NULL, 0), 0);
    assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
    step(&t, 30);
    assert_true((double)lode_body_get_pose(t.link[3]).position.z < (double)stood.position.z - 0.1);
    assert_int_equal(lode_articulation_destroy(t.articulation), LODE_OK);
    assert_false(lode_articulation_is_valid(t.articulation));
    for (int i = 0; i < LINKS; ++i)
        assert_false(lode_body_is_valid(t.link[i]));
    step(&t, 3);
    assert_int_equal(lode_world_get_bodies(t.world, NULL, 0), 1);
    end(&t);
}

static void links_come_and_go_outside(void **state)
{
    (void)state;
    tree t = make_tree(true);
    lode_body links[LINKS];
    assert_int_equal(lode_articulation_get_links(t.articulation, links, 0, LINKS), LINKS);
    for (int i = 0; i < LINKS; ++i) {
        assert_true(links[i].id == t.link[i].id);
        assert_true(lode_body_get_articulation(links[i]).id == t.articulation.id);
        assert_true(lode_link_get_parent(links[i]).id == (i ? t.link[parents[i]].id : 0));
    }
    assert_int_equal(lode_articulation_get_links(t.articulation, links, 4, 1), LINKS);
    assert_true(links[0].id == t.link[4].id);
    assert_int_equal(lode_articulation_get_links(t.articulation, NULL, 0, 0), LINKS);
    assert_int_equal(lode_articulation_get_links(t.articulation, links, 90, 1), LINKS);
    assert_int_equal(lode_articulation_count_shapes(t.articulation), LINKS);
    REFUSES(t, LODE_ERROR_ARGUMENT, "link", lode_articulation_remove_link, t.articulation,
            t.link[1]);
    assert_int_equal(lode_articulation_remove_link(t.articulation, t.link[4]), LODE_OK);
    assert_false(lode_body_is_valid(t.link[4]));
    assert_int_equal(lode_articulation_get_links(t.articulation, NULL, 0, 0), LINKS - 1);
    assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_remove_link, t.articulation,
            t.link[5]);
    lode_link_def def = def_of(LODE_LINK_REVOLUTE, t.link[5]);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_add_link, t.articulation, &def);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_insert, t.articulation);
    assert_int_equal(lode_articulation_remove(t.articulation), LODE_OK);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_remove, t.articulation);
    step(&t, 3);
    end(&t);
}

static void indices_are_breadth_first(void **state)
{
    (void)state;
    tree t = make_tree(false);
    for (int i = 0; i < LINKS; ++i) {
        assert_int_equal(lode_link_get_index(t.link[i]), -1);
        assert_int_equal(lode_link_get_first_dof(t.link[i]), -1);
    }
    assert_int_equal(lode_articulation_count_dofs(t.articulation), -1);
    /* one more, of level 1, created last */
    lode_link_def def = def_of(LODE_LINK_REVOLUTE_UNWRAPPED, t.link[0]);
    lode_body late = lode_articulation_add_link(t.articulation, &def);
    assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
    const int index[LINKS] = {0, 1, 2, 4, 5, 6};
    const int first[LINKS] = {-1, 0, 1, 5, -1, 6}, count[LINKS] = {0, 1, 3, 1, 0, 2};
    for (int i = 0; i < LINKS; ++i) {
        assert_int_equal(lode_link_get_index(t.link[i]), index[i]);
        assert_int_equal(lode_link_get_first_dof(t.link[i]), first[i]);
        assert_int_equal(lode_link_count_dofs(t.link[i]), count[i]);
    }
    assert_int_equal(lode_link_get_index(late), 3);
    assert_int_equal(lode_link_get_first_dof(late), 4);
    assert_int_equal(lode_articulation_count_dofs(t.articulation), 8);
    end(&t);
}

static void inserting_places_links_by_their_joints(void **state)
{
    (void)state;
    tree t = make_tree(true);
    assert_int_equal(lode_link_set_position(t.link[1], LODE_AXIS_TWIST, (lode_real)0.5), LODE_OK);
    assert_int_equal(lode_link_set_position(t.link[3], LODE_AXIS_X, (lode_real)0.25), LODE_OK);
    lode_articulation_set_root_pose(t.articulation, (lode_pose){{1, 2, 5}, {1, 0, 0, 0}}, false);
    assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
    assert_true(near_vec(lode_body_get_pose(t.link[0]).position, vec(1, 2, 5), 1e-6));
    assert_true(near_vec(lode_body_get_pose(t.link[1]).position, vec(2, 2, 5), 1e-6));
    assert_true(near_vec(lode_body_get_pose(t.link[3]).position, vec((lode_real)3.25, 2, 5), 1e-5));
    assert_true(near((double)lode_body_get_pose(t.link[1]).rotation.x, sin(0.25), 1e-6));
    /* inside they follow at once */
    assert_int_equal(lode_link_set_velocity(t.link[3], LODE_AXIS_X, 2), LODE_OK);
    assert_true(near_vec(lode_body_get_linear_velocity(t.link[3]), vec(2, 0, 0), 1e-6));
    assert_int_equal(lode_link_set_position(t.link[3], LODE_AXIS_X, 1), LODE_OK);
    assert_true(near_vec(lode_body_get_pose(t.link[3]).position, vec(4, 2, 5), 1e-5));
    lode_pose turned = {{0, 0, 4}, {0, 0, 0, 1}}; /* about z by pi */
    assert_int_equal(lode_articulation_set_root_pose(t.articulation, turned, false), LODE_OK);
    assert_true(near_vec(lode_body_get_pose(t.link[3]).position, vec(-3, 0, 4), 1e-5));
    assert_true(near_vec(lode_body_get_linear_velocity(t.link[3]), vec(-2, 0, 0), 1e-5));
    end(&t);
}

/* A mass that moves the centre leaves links where they are. */
static void a_mass_may_change_inside(void **state)
{
    (void)state;
    for (int link = 0; link < 4; ++link) {
        tree t = make_inserted(link % 2);
        lode_pose before[LINKS];
        for (int i = 0; i < LINKS; ++i)
            before[i] = lode_body_get_pose(t.link[i]);
        lode_mass mass = {.mass = 3,
                          .center = {(lode_real)0.1, (lode_real)-0.2, (lode_real)0.3},
                          .inertia = {1, 1, 1, 0, 0, 0}};
        assert_int_equal(lode_body_set_mass(t.link[link], &mass), LODE_OK);
        assert_int_equal(lode_link_set_position(t.link[3], LODE_AXIS_X, 0), LODE_OK);
        for (int i = 0; i < LINKS; ++i)
            assert_true(near_vec(lode_body_get_pose(t.link[i]).position, before[i].position, 1e-6));
        step(&t, 2);
        end(&t);
    }
}

/* ---- what is kept */

static void expect_equal(const lode_link_axis *a, const lode_link_axis *b)
{
    assert_int_equal(a->motion, b->motion);
    assert_int_equal(a->drive.type, b->drive.type);
    assert_true(a->lo == b->lo && a->hi == b->hi);
    assert_memory_equal(&a->drive.stiffness, &b->drive.stiffness,
                        sizeof a->drive - offsetof(lode_link_drive, stiffness));
    assert_memory_equal(&a->target, &b->target, sizeof *a - offsetof(lode_link_axis, target));
}

static void what_is_set_is_got(void **state)
{
    (void)state;
    tree t = make_tree(false);
    int mine;
    lode_articulation_def def = {true, true, false, 7, 3, 1, 2, 3, 4, 5, "robot", &mine};
    assert_int_equal(lode_articulation_set_def(t.articulation, &def), LODE_OK);
    lode_articulation_def got = lode_articulation_get_def(t.articulation);
    assert_string_equal(got.name, "robot");
    assert_string_equal(lode_articulation_get_name(t.articulation), "robot");
    assert_ptr_equal(lode_articulation_get_user_data(t.articulation), &mine);
    assert_true(got.name != def.name);
    got.name = def.name;
    assert_true(got.position_iterations == 7 && got.velocity_iterations == 3);
    assert_memory_equal(&got.sleep_threshold, &def.sleep_threshold,
                        offsetof(lode_articulation_def, name) -
                            offsetof(lode_articulation_def, sleep_threshold));
    assert_true(got.fixed_base && got.drive_limits_are_impulses && !got.self_collision);
    assert_int_equal(lode_articulation_set_name(t.articulation, NULL), LODE_OK);
    assert_string_equal(lode_articulation_get_name(t.articulation), "");
    assert_int_equal(lode_articulation_set_user_data(t.articulation, &t), LODE_OK);
    assert_ptr_equal(lode_articulation_get_user_data(t.articulation), &t);

    lode_link_axis axis = {LODE_MOTION_LIMITED,
                           -1,
                           2,
                           {LODE_DRIVE_ACCELERATION, 3, 4, 5, 6, 7, 8, 9},
                           (lode_real)0.1,
                           (lode_real)0.2,
                           11,
                           13,
                           12,
                           14,
                           15,
                           (lode_real)0.5,
                           (lode_real)0.25};
    for (int inside = 0; inside < 2; ++inside) {
        if (inside)
            assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
        axis.position += (lode_real)0.125;
        assert_int_equal(lode_link_set_axis(t.link[1], LODE_AXIS_TWIST, &axis), LODE_OK);
        lode_link_axis now = lode_link_get_axis(t.link[1], LODE_AXIS_TWIST);
        expect_equal(&now, &axis);
        assert_int_equal(lode_link_set_joint_force(t.link[1], LODE_AXIS_TWIST, 3), LODE_OK);
        assert_true(lode_link_get_joint_force(t.link[1], LODE_AXIS_TWIST) == 3);
        assert_int_equal(lode_link_set_friction_coefficient(t.link[1], 2), LODE_OK);
        assert_true(lode_link_get_friction_coefficient(t.link[1]) == 2);
        assert_int_equal(lode_link_set_cfm_scale(t.link[1], (lode_real)0.5), LODE_OK);
        assert_true(lode_link_get_cfm_scale(t.link[1]) == (lode_real)0.5);
        assert_int_equal(lode_link_set_damping(t.link[1], 2, 3), LODE_OK);
        lode_real linear, angular;
        assert_int_equal(lode_link_get_damping(t.link[1], &linear, &angular), LODE_OK);
        assert_true(linear == 2 && angular == 3);
        assert_int_equal(lode_link_set_target(t.link[1], LODE_AXIS_TWIST, 1, true), LODE_OK);
        assert_int_equal(lode_link_set_target_velocity(t.link[1], LODE_AXIS_TWIST, 2, false),
                         LODE_OK);
        now = lode_link_get_axis(t.link[1], LODE_AXIS_TWIST);
        assert_true(now.target == 1 && now.target_velocity == 2);
    }
    lode_articulation_remove(t.articulation);
    assert_int_equal(lode_link_set_type(t.link[1], LODE_LINK_SPHERICAL), LODE_OK);
    assert_int_equal(lode_link_get_type(t.link[1]), LODE_LINK_SPHERICAL);
    assert_int_equal(lode_link_count_dofs(t.link[1]), 3);
    lode_pose frame = {{1, 2, 3}, {0, 1, 0, 0}};
    assert_int_equal(lode_link_set_parent_frame(t.link[1], frame), LODE_OK);
    assert_int_equal(lode_link_set_child_frame(t.link[1], frame), LODE_OK);
    lode_pose back = lode_link_get_parent_frame(t.link[1]);
    assert_memory_equal(&back, &frame, sizeof frame);
    back = lode_link_get_child_frame(t.link[1]);
    assert_memory_equal(&back, &frame, sizeof frame);
    end(&t);
}

static void the_root_moves_all(void **state)
{
    (void)state;
    tree t = make_inserted(false);
    lode_articulation_set_root_linear_velocity(t.articulation, vec(1, 2, 3), true);
    lode_articulation_set_root_angular_velocity(t.articulation, vec(0, 0, 2), true);
    assert_true(
        near_vec(lode_articulation_get_root_linear_velocity(t.articulation), vec(1, 2, 3), 0));
    assert_true(
        near_vec(lode_articulation_get_root_angular_velocity(t.articulation), vec(0, 0, 2), 0));
    assert_true(near_vec(lode_body_get_linear_velocity(t.link[1]), vec(1, 4, 3), 1e-6));
    assert_true(near_vec(lode_body_get_linear_velocity(t.link[3]), vec(1, 6, 3), 1e-5));
    lode_articulation_residual r = lode_articulation_get_residual(t.articulation);
    assert_true(r.position_rms == 0 && r.velocity_max == 0);
    lode_bounds b = lode_articulation_get_bounds(t.articulation, 1);
    assert_true(near_vec(b.lower, vec((lode_real)-0.2, (lode_real)-1.2, (lode_real)2.8), 1e-5));
    assert_true(near_vec(b.upper, vec((lode_real)2.2, (lode_real)1.2, (lode_real)3.2), 1e-5));
    b = lode_articulation_get_bounds(t.articulation, 2);
    assert_true(near_vec(b.upper, vec((lode_real)3.4, (lode_real)2.4, (lode_real)3.4), 1e-5));
    end(&t);
}

/* ---- sleep */

static bool sleeps(const tree *t)
{
    int asleep = 0;
    for (int i = 0; i < LINKS; ++i)
        asleep += !lode_body_is_awake(t->link[i]);
    bool all = lode_articulation_is_sleeping(t->articulation);
    assert_true(all ? asleep == LINKS : asleep < LINKS);
    return all;
}

static void what_rests_sleeps_and_wakes_as_one(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; ++fixed) {
        tree t = make_inserted(fixed);
        lode_world_set_gravity(t.world, vec(0, 0, 0));
        assert_true(near((double)lode_articulation_get_wake_counter(t.articulation), 0.4, 1e-6));
        step(&t, 20);
        assert_false(sleeps(&t));
        assert_true(near((double)lode_articulation_get_wake_counter(t.articulation),
                         0.4 - 20 * (double)STEP, 1e-5));
        step(&t, 7);
        assert_true(sleeps(&t));
        assert_true(lode_articulation_get_wake_counter(t.articulation) == 0);
        /* each link wakes all */
        for (int i = 1; i < LINKS; ++i) {
            assert_int_equal(lode_body_wake(t.link[i]), LODE_OK);
            assert_false(sleeps(&t));
            assert_int_equal(lode_articulation_sleep(t.articulation), LODE_OK);
            step(&t, 1);
            assert_true(sleeps(&t));
            assert_int_equal(lode_body_sleep(t.link[i]), LODE_OK);
        }
        /* and puts all to sleep */
        lode_articulation_wake(t.articulation);
        step(&t, 1);
        lode_body_sleep(t.link[3]);
        step(&t, 1);
        assert_true(sleeps(&t));
        lode_body_add_impulse(t.link[5], vec(0, 0, (lode_real)0.1));
        assert_false(sleeps(&t));
        step(&t, 2);
        assert_false(sleeps(&t));
        end(&t);
    }
}

static void who_wakes_and_who_does_not(void **state)
{
    (void)state;
    tree t = make_inserted(false);
    lode_world_set_gravity(t.world, vec(0, 0, 0));
    step(&t, 30);
#define WAKES(expected, call) \
    do { \
        lode_articulation_sleep(t.articulation); \
        step(&t, 1); \
        assert_true(sleeps(&t)); \
        call; \
        assert_true(sleeps(&t) == !(expected)); \
        step(&t, 1); \
        assert_true(sleeps(&t) == !(expected)); \
    } while (0)
    lode_body hinge = t.link[1];
    WAKES(true, lode_link_set_target(hinge, LODE_AXIS_TWIST, 1, true));
    WAKES(false, lode_link_set_target(hinge, LODE_AXIS_TWIST, 2, false));
    WAKES(true, lode_link_set_target_velocity(hinge, LODE_AXIS_TWIST, 1, true));
    WAKES(false, lode_link_set_target_velocity(hinge, LODE_AXIS_TWIST, 0, false));
    WAKES(true, lode_link_set_joint_force(hinge, LODE_AXIS_TWIST, 1));
    WAKES(false, lode_link_set_joint_force(hinge, LODE_AXIS_TWIST, 0));
    WAKES(true, lode_link_set_velocity(hinge, LODE_AXIS_TWIST, 1));
    WAKES(false, lode_link_set_velocity(hinge, LODE_AXIS_TWIST, 0));
    WAKES(true, lode_articulation_set_root_linear_velocity(t.articulation, vec(1, 0, 0), false));
    WAKES(false, lode_articulation_set_root_linear_velocity(t.articulation, vec(0, 0, 0), false));
    WAKES(true, lode_articulation_set_root_angular_velocity(t.articulation, vec(0, 0, 0), true));
    WAKES(true, lode_articulation_set_wake_counter(t.articulation, (lode_real)0.5));
    WAKES(false, lode_articulation_set_wake_counter(t.articulation, 0));
    WAKES(true, lode_articulation_wake(t.articulation));
    WAKES(true, lode_body_add_force(t.link[4], vec(0, 0, 1)));
    WAKES(false, lode_articulation_get_bounds(t.articulation, 1));
    WAKES(false, lode_link_set_damping(hinge, 1, 1));
    end(&t);
}

static void it_may_begin_asleep(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; ++moves) {
        tree t = make_tree(false);
        lode_articulation_set_wake_counter(t.articulation, 0);
        if (moves)
            lode_link_set_velocity(t.link[1], LODE_AXIS_TWIST, 1);
        assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
        assert_true(sleeps(&t) == !moves);
        step(&t, 1);
        assert_true(sleeps(&t) == !moves);
        end(&t);
    }
    /* the counter that it has outside is what it begins with */
    tree t = make_tree(false);
    lode_world_set_gravity(t.world, vec(0, 0, 0));
    assert_int_equal(lode_articulation_set_wake_counter(t.articulation, 2), LODE_OK);
    lode_articulation_insert(t.articulation);
    step(&t, 1);
    assert_true(
        near((double)lode_articulation_get_wake_counter(t.articulation), 2 - (double)STEP, 1e-5));
    lode_articulation_remove(t.articulation);
    assert_true(
        near((double)lode_articulation_get_wake_counter(t.articulation), 2 - (double)STEP, 1e-5));
    end(&t);
}

/* With neighbours: what it touches sleeps and wakes with it. */
static void neighbours_wake_each_other(void **state)
{
    (void)state;
    tree t = make_tree(true);
    lode_articulation_set_root_pose(t.articulation, (lode_pose){{0, 0, 2}, {1, 0, 0, 0}}, false);
    lode_articulation_insert(t.articulation);
    lode_body ball = add_ball(t.world, 0, 0, (lode_real)2.5, (lode_real)0.3); /* on the root */
    lode_world_set_gravity(t.world, vec(0, 0, 0));
    for (int i = 0; i < 200 && lode_body_is_awake(ball); ++i)
        step(&t, 1);
    lode_body_sleep(ball);
    step(&t, 1);
    assert_false(lode_body_is_awake(ball));
    /* a fixed root that is put elsewhere wakes what touches it */
    lode_articulation_set_root_pose(t.articulation,
                                    (lode_pose){{(lode_real)0.01, 0, 2}, {1, 0, 0, 0}}, false);
    bool at_once = lode_body_is_awake(ball);
    step(&t, 1);
    assert_true(at_once || lode_body_is_awake(ball));
    /* and one that is taken out */
    lode_body_sleep(ball);
    lode_articulation_sleep(t.articulation);
    step(&t, 2);
    assert_int_equal(lode_articulation_remove(t.articulation), LODE_OK);
    assert_true(lode_body_is_awake(ball));
    end(&t);
}

/* ---- links as bodies */

static void links_collide_as_they_are_told(void **state)
{
    (void)state;
    for (int self = 0; self < 2; ++self) {
        tree t = make_tree(false);
        lode_world_set_gravity(t.world, vec(0, 0, 0));
        /* a ball on a grandchild that reaches the root, and one on a child that does */
        assert_true(add_ball_shape(t.link[3], (lode_real)1.95).id);
        lode_articulation_def def = lode_articulation_get_def(t.articulation);
        def.self_collision = self;
        lode_articulation_set_def(t.articulation, &def);
        lode_articulation_insert(t.articulation);
        step(&t, 1);
        bool touches = lode_world_get_contacts(t.world, NULL, 0) > 0;
        assert_true(touches == self);
        def.self_collision = !self;
        lode_articulation_set_def(t.articulation, &def);
        step(&t, 2);
        if (self)
            assert_int_equal(lode_world_get_contacts(t.world, NULL, 0), 0);
        end(&t);
    }
}

static void queries_find_links_inside_alone(void **state)
{
    (void)state;
    tree t = make_tree(true);
    lode_ray ray = {.origin = {0, 0, 10}, .direction = {0, 0, -1}, .length = 20};
    lode_ray_hit hit;
    step(&t, 1);
    assert_true(lode_world_cast_ray(t.world, &ray, NULL, &hit));
    assert_true(lode_shape_get_body(hit.shape).id == t.ground.id);
    lode_articulation_insert(t.articulation);
    assert_true(lode_world_cast_ray(t.world, &ray, NULL, &hit));
    assert_true(lode_shape_get_body(hit.shape).id == t.link[0].id);
    lode_articulation_remove(t.articulation);
    assert_true(lode_world_cast_ray(t.world, &ray, NULL, &hit));
    assert_true(lode_shape_get_body(hit.shape).id == t.ground.id);
    end(&t);
}

/* A state that is not finite: all of it is frozen, and goes on when it is put somewhere. */
static void what_is_not_finite_is_frozen_as_a_whole(void **state)
{
    (void)state;
    tree t = make_inserted(false);
    for (int i = 0; i < 20; ++i)
        lode_body_add_force(t.link[5], vec(REAL_MAX / 32, 0, 0));
    assert_int_equal(report.count, 0);
    (void)lode_world_step(t.world, STEP);
    (void)lode_world_step(t.world, STEP);
    lode_pose where[LINKS];
    for (int i = 0; i < LINKS; ++i) {
        where[i] = lode_body_get_pose(t.link[i]);
        assert_true(fabs((double)where[i].position.z - 3) < 1 &&
                    fabs((double)where[i].position.x) < 10);
    }
    step(&t, 5);
    for (int i = 0; i < LINKS; ++i)
        assert_true(near_vec(where[i].position, lode_body_get_pose(t.link[i]).position, 0));
    report_clear();
    lode_articulation_set_root_pose(t.articulation, (lode_pose){{0, 0, 5}, {1, 0, 0, 0}}, true);
    step(&t, 20);
    for (int i = 0; i < LINKS; ++i) {
        double z = (double)lode_body_get_pose(t.link[i]).position.z;
        assert_true(z < 5 && z > 2);
    }
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_articulation_lives_until_it_is_destroyed),
        cmocka_unit_test(links_come_and_go_outside),
        cmocka_unit_test(indices_are_breadth_first),
        cmocka_unit_test(inserting_places_links_by_their_joints),
        cmocka_unit_test(a_mass_may_change_inside),
        cmocka_unit_test(what_is_set_is_got),
        cmocka_unit_test(the_root_moves_all),
        cmocka_unit_test(what_rests_sleeps_and_wakes_as_one),
        cmocka_unit_test(who_wakes_and_who_does_not),
        cmocka_unit_test(it_may_begin_asleep),
        cmocka_unit_test(neighbours_wake_each_other),
        cmocka_unit_test(links_collide_as_they_are_told),
        cmocka_unit_test(queries_find_links_inside_alone),
        cmocka_unit_test(what_is_not_finite_is_frozen_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

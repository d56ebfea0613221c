/* Articulations as objects: their life and structure, indices, what is refused, what setters keep,
 * sleep, links as bodies, memory. How they move is in test_articulation_motion.c. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"
#include "world/registry.h"
#include "world/wake.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 6 };

/* A tree in a world with ground: 0 has children 1 and 2, 1 has 3 and 4, 2 has 5. */
typedef struct tree {
    lode_world world;
    lode_body ground;
    lode_articulation articulation;
    lode_body link[LINKS];
} tree;

static const int parents[LINKS] = {-1, 0, 0, 1, 1, 2};
static const lode_link_joint_type types[LINKS] = {LODE_LINK_FIXED,     LODE_LINK_REVOLUTE,
                                                  LODE_LINK_SPHERICAL, LODE_LINK_PRISMATIC,
                                                  LODE_LINK_FIXED,     LODE_LINK_SIX_AXES};

static lode_link_def def_of(lode_link_joint_type type, lode_body parent)
{
    lode_link_def def = lode_link_def_default(type);
    def.parent = parent;
    def.parent_frame.position = vec((lode_real)0.5, 0, 0);
    def.child_frame.position = vec((lode_real)-0.5, 0, 0);
    return def;
}

static lode_shape add_ball_shape(lode_body body, lode_real radius)
{
    lode_shape_def def = lode_shape_def_default();
    return lode_shape_create_sphere(body, &def, radius);
}

static tree tree_in(lode_world world, bool fixed)
{
    tree t = {.world = world};
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = fixed;
    t.articulation = lode_articulation_create(world, &def);
    assert_true(t.articulation.id);
    for (int i = 0; i < LINKS; ++i) {
        lode_link_def link = def_of(types[i], i ? t.link[parents[i]] : (lode_body){0});
        link.pose.position.z = 3;
        link.parent_frame.position.y = (lode_real)(i == 2 ? 1 : i == 4 ? -1 : 0);
        if (types[i] == LODE_LINK_SIX_AXES)
            link.axis[LODE_AXIS_Z].motion = link.axis[LODE_AXIS_SWING1].motion = LODE_MOTION_FREE;
        t.link[i] = lode_articulation_add_link(t.articulation, &link);
        assert_true(t.link[i].id);
        assert_true(add_ball_shape(t.link[i], (lode_real)0.2).id);
    }
    return t;
}

static tree make_tree(bool fixed)
{
    report_install();
    lode_world_def def = lode_world_def_default();
    tree t = tree_in(lode_world_create(&def), fixed);
    t.ground = add_ground(t.world);
    return t;
}

static tree make_inserted(bool fixed)
{
    tree t = make_tree(fixed);
    assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
    return t;
}

static void step(const tree *t, int steps)
{
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(lode_world_step(t->world, STEP), LODE_OK);
        lode__awake_validate(lode__registry_world(t->world.id));
    }
}

static void end(const tree *t)
{
    assert_int_equal(report.count, 0);
    lode_world_destroy(t->world);
}

/* Fails unless the call changes nothing in the world and reports this. */
#define REFUSES(t, status, argument, function, ...) \
    do { \
        uint64_t hash_ = lode_world_hash((t).world); \
        report_clear(); \
        (void)function(__VA_ARGS__); \
        EXPECT_REPORT(status, #function, argument); \
        assert_true(lode_world_hash((t).world) == hash_); \
        report_clear(); \
    } while (0)

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

/* ---- what is refused */

static void structures_that_cannot_be_are_refused(void **state)
{
    (void)state;
    tree t = make_tree(false), other = tree_in(t.world, false);
    lode_link_def def = def_of(LODE_LINK_REVOLUTE, (lode_body){0});
    REFUSES(t, LODE_ERROR_ARGUMENT, "def.parent", lode_articulation_add_link, t.articulation, &def);
    def.parent = other.link[2];
    REFUSES(t, LODE_ERROR_ARGUMENT, "def.parent", lode_articulation_add_link, t.articulation, &def);
    def.parent = t.ground;
    REFUSES(t, LODE_ERROR_ARGUMENT, "def.parent", lode_articulation_add_link, t.articulation, &def);
    def.parent.id = t.link[0].id ^ (UINT64_C(1) << 40);
    REFUSES(t, LODE_ERROR_HANDLE, "def.parent", lode_articulation_add_link, t.articulation, &def);
    REFUSES(t, LODE_ERROR_ARGUMENT, "def", lode_articulation_add_link, t.articulation, NULL);
    REFUSES(t, LODE_ERROR_ARGUMENT, "def", lode_articulation_create, t.world, NULL);
    REFUSES(t, LODE_ERROR_ARGUMENT, "link", lode_articulation_remove_link, t.articulation,
            other.link[5]);
    REFUSES(t, LODE_ERROR_ARGUMENT, "link", lode_articulation_remove_link, t.articulation,
            t.ground);
    REFUSES(t, LODE_ERROR_ARGUMENT, "link", lode_link_get_index, t.ground);
    assert_true(lode_body_get_articulation(t.ground).id == 0 && report.count == 0);
    lode_articulation_def empty = lode_articulation_def_default();
    lode_articulation none = lode_articulation_create(t.world, &empty);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_insert, none);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_get_root_pose, none);
    end(&t);
}

static void motions_are_those_of_the_type(void **state)
{
    (void)state;
    tree t = make_tree(false);
    for (int type = 0; type < LODE_LINK_JOINT_TYPE_COUNT; ++type)
        for (unsigned free = 0; free < 64; ++free) {
            int turns = __builtin_popcount(free & 7), slides = __builtin_popcount(free >> 3);
            bool may = type == LODE_LINK_FIXED       ? free == 0
                       : type == LODE_LINK_PRISMATIC ? turns == 0 && slides == 1
                       : type == LODE_LINK_SPHERICAL ? turns >= 2 && slides == 0
                       : type == LODE_LINK_SIX_AXES  ? true
                                                     : turns == 1 && slides == 0;
            lode_link_def def = def_of((lode_link_joint_type)type, t.link[5]);
            for (int k = 0; k < LODE_LINK_AXES; ++k)
                def.axis[k].motion = free >> k & 1 ? LODE_MOTION_FREE : LODE_MOTION_LOCKED;
            if (!may) {
                REFUSES(t, LODE_ERROR_ARGUMENT, "def.axis", lode_articulation_add_link,
                        t.articulation, &def);
                continue;
            }
            lode_body link = lode_articulation_add_link(t.articulation, &def);
            assert_int_equal(lode_link_count_dofs(link), __builtin_popcount(free));
            assert_int_equal(lode_articulation_remove_link(t.articulation, link), LODE_OK);
        }
    /* nor by the setter: a revolute joint has one turn, and all it needs before it goes in */
    lode_link_axis axis = lode_link_get_axis(t.link[1], LODE_AXIS_SWING1);
    axis.motion = LODE_MOTION_FREE;
    REFUSES(t, LODE_ERROR_ARGUMENT, "values", lode_link_set_axis, t.link[1], LODE_AXIS_SWING1,
            &axis);
    REFUSES(t, LODE_ERROR_ARGUMENT, "values", lode_link_set_axis, t.link[1], LODE_AXIS_X, &axis);
    lode_link_axis twist = lode_link_get_axis(t.link[1], LODE_AXIS_TWIST);
    twist.motion = LODE_MOTION_LOCKED;
    assert_int_equal(lode_link_set_axis(t.link[1], LODE_AXIS_TWIST, &twist), LODE_OK);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_insert, t.articulation);
    assert_int_equal(lode_link_set_axis(t.link[1], LODE_AXIS_SWING1, &axis), LODE_OK);
    assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
    axis.motion = LODE_MOTION_LOCKED;
    REFUSES(t, LODE_ERROR_STATE, "values", lode_link_set_axis, t.link[1], LODE_AXIS_SWING1, &axis);
    end(&t);
}

#define NO_NUMBER ((lode_real)NAN)
#define ENDLESS ((lode_real)INFINITY)

/* Definitions with one value that cannot be. */
static void values_that_cannot_be_are_refused(void **state)
{
    (void)state;
    tree t = make_tree(false);
#define BAD_LINK(argument, change) \
    do { \
        lode_link_def d = def_of(LODE_LINK_REVOLUTE, t.link[5]); \
        d.change; \
        REFUSES(t, LODE_ERROR_ARGUMENT, argument, lode_articulation_add_link, t.articulation, &d); \
    } while (0)
    BAD_LINK("def.type", type = (lode_link_joint_type)17);
    BAD_LINK("def.type", type = (lode_link_joint_type)-1);
    BAD_LINK("def.parent_frame", parent_frame.rotation.w = 2);
    BAD_LINK("def.parent_frame", parent_frame.position.x = NO_NUMBER);
    BAD_LINK("def.child_frame", child_frame.rotation = (lode_quat){0});
    BAD_LINK("def.child_frame", child_frame.position.y = ENDLESS);
    BAD_LINK("def.pose", pose.rotation.w = NO_NUMBER);
    BAD_LINK("def.pose", pose.position.z = ENDLESS);
    BAD_LINK("def.friction_coefficient", friction_coefficient = -1);
    BAD_LINK("def.cfm_scale", cfm_scale = (lode_real)1.5);
    BAD_LINK("def.cfm_scale", cfm_scale = NO_NUMBER);
    BAD_LINK("def.linear_velocity", linear_velocity.x = NO_NUMBER);
    BAD_LINK("def.angular_velocity", angular_velocity.x = ENDLESS);
    BAD_LINK("def.linear_damping", linear_damping = -1);
    BAD_LINK("def.angular_damping", angular_damping = NO_NUMBER);
    BAD_LINK("def.max_linear_speed", max_linear_speed = -1);
    BAD_LINK("def.max_angular_speed", max_angular_speed = NO_NUMBER);
    BAD_LINK("def.gravity_scale", gravity_scale = NO_NUMBER);
    BAD_LINK("def.axis", axis[0].motion = (lode_link_motion)3);
    BAD_LINK("def.axis", axis[0].position = NO_NUMBER);
    BAD_LINK("def.axis", axis[0].velocity = ENDLESS);
    BAD_LINK("def.axis", axis[0].target = NO_NUMBER);
    BAD_LINK("def.axis", axis[0].target_velocity = ENDLESS);
    BAD_LINK("def.axis", axis[0].armature = -1);
    BAD_LINK("def.axis", axis[0].static_friction = NO_NUMBER);
    BAD_LINK("def.axis", axis[0].dynamic_friction = 1); /* above the static one */
    BAD_LINK("def.axis", axis[0].viscous_friction = -1);
    BAD_LINK("def.axis", axis[0].max_velocity = NO_NUMBER);
    BAD_LINK("def.axis", axis[0].drive.type = (lode_drive_type)3);
    BAD_LINK("def.axis", axis[0].drive.stiffness = -1);
    BAD_LINK("def.axis", axis[0].drive.stiffness = ENDLESS);
    BAD_LINK("def.axis", axis[0].drive.damping = NO_NUMBER);
    BAD_LINK("def.axis", axis[0].drive.max_force = -1);
    BAD_LINK("def.axis", axis[0].drive.max_effort = ENDLESS);
    BAD_LINK("def.axis", axis[0].drive.max_speed = NO_NUMBER);
    BAD_LINK("def.axis", axis[0].drive.velocity_resistance = -1);
    BAD_LINK("def.axis", axis[0].drive.speed_effort_gradient = -1);
    const lode_real limits[][2] = {{1, -1}, {1, 1}, {NO_NUMBER, 1}, {0, ENDLESS}, {-7, 1}, {0, 7}};
    for (int i = 0; i < 6; ++i) {
        lode_link_def d = def_of(LODE_LINK_REVOLUTE, t.link[5]);
        d.axis[0].motion = LODE_MOTION_LIMITED;
        d.axis[0].lo = limits[i][0];
        d.axis[0].hi = limits[i][1];
        REFUSES(t, LODE_ERROR_ARGUMENT, "def.axis", lode_articulation_add_link, t.articulation, &d);
    }
#define BAD_ARTICULATION(argument, change) \
    do { \
        lode_articulation_def d = lode_articulation_def_default(); \
        d.change; \
        REFUSES(t, LODE_ERROR_ARGUMENT, argument, lode_articulation_create, t.world, &d); \
        REFUSES(t, LODE_ERROR_ARGUMENT, argument, lode_articulation_set_def, t.articulation, &d); \
    } while (0)
    BAD_ARTICULATION("def.position_iterations", position_iterations = 0);
    BAD_ARTICULATION("def.position_iterations", position_iterations = 256);
    BAD_ARTICULATION("def.velocity_iterations", velocity_iterations = -1);
    BAD_ARTICULATION("def.velocity_iterations", velocity_iterations = 256);
    BAD_ARTICULATION("def.sleep_threshold", sleep_threshold = NO_NUMBER);
    BAD_ARTICULATION("def.stabilization_threshold", stabilization_threshold = -1);
    BAD_ARTICULATION("def.wake_counter", wake_counter = ENDLESS);
    BAD_ARTICULATION("def.max_com_linear_speed", max_com_linear_speed = -1);
    BAD_ARTICULATION("def.max_com_angular_speed", max_com_angular_speed = NO_NUMBER);
    end(&t);
}

static void setters_refuse_what_cannot_be(void **state)
{
    (void)state;
    tree t = make_inserted(true);
    lode_body hinge = t.link[1], root = t.link[0];
    lode_link_axis_index beyond = (lode_link_axis_index)6;
    lode_link_axis axis = lode_link_get_axis(hinge, LODE_AXIS_TWIST);
    lode_pose frame = lode_link_get_child_frame(hinge);
    REFUSES(t, LODE_ERROR_ARGUMENT, "axis", lode_link_get_axis, hinge, beyond);
    REFUSES(t, LODE_ERROR_ARGUMENT, "axis", lode_link_set_axis, hinge, beyond, &axis);
    REFUSES(t, LODE_ERROR_ARGUMENT, "values", lode_link_set_axis, hinge, LODE_AXIS_TWIST, NULL);
    REFUSES(t, LODE_ERROR_ARGUMENT, "axis", lode_link_set_position, hinge, beyond, 1);
    REFUSES(t, LODE_ERROR_ARGUMENT, "axis", lode_link_set_position, hinge, LODE_AXIS_Y, 1);
    REFUSES(t, LODE_ERROR_ARGUMENT, "axis", lode_link_set_velocity, hinge, LODE_AXIS_SWING1, 1);
    REFUSES(t, LODE_ERROR_ARGUMENT, "axis", lode_link_set_joint_force, hinge, LODE_AXIS_X, 1);
    REFUSES(t, LODE_ERROR_ARGUMENT, "position", lode_link_set_position, hinge, LODE_AXIS_TWIST,
            NO_NUMBER);
    REFUSES(t, LODE_ERROR_ARGUMENT, "position", lode_link_set_position, hinge, LODE_AXIS_TWIST,
            (lode_real)6.3);
    REFUSES(t, LODE_ERROR_ARGUMENT, "velocity", lode_link_set_velocity, hinge, LODE_AXIS_TWIST,
            ENDLESS);
    REFUSES(t, LODE_ERROR_ARGUMENT, "force", lode_link_set_joint_force, hinge, LODE_AXIS_TWIST,
            NO_NUMBER);
    REFUSES(t, LODE_ERROR_ARGUMENT, "target", lode_link_set_target, hinge, LODE_AXIS_TWIST,
            NO_NUMBER, true);
    REFUSES(t, LODE_ERROR_ARGUMENT, "velocity", lode_link_set_target_velocity, hinge,
            LODE_AXIS_TWIST, ENDLESS, true);
    REFUSES(t, LODE_ERROR_ARGUMENT, "link", lode_link_set_position, root, LODE_AXIS_TWIST, 1);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_link_set_type, hinge, LODE_LINK_FIXED);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_link_set_parent_frame, hinge, frame);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_link_set_child_frame, hinge, frame);
    REFUSES(t, LODE_ERROR_ARGUMENT, "coefficient", lode_link_set_friction_coefficient, hinge, -1);
    REFUSES(t, LODE_ERROR_ARGUMENT, "scale", lode_link_set_cfm_scale, hinge, NO_NUMBER);
    REFUSES(t, LODE_ERROR_ARGUMENT, "linear", lode_link_set_damping, hinge, -1, 0);
    REFUSES(t, LODE_ERROR_ARGUMENT, "angular", lode_link_set_damping, hinge, 0, NO_NUMBER);
    lode_real number;
    REFUSES(t, LODE_ERROR_ARGUMENT, "out_linear", lode_link_get_damping, hinge, NULL, &number);
    REFUSES(t, LODE_ERROR_ARGUMENT, "out_angular", lode_link_get_damping, hinge, &number, NULL);
    frame.rotation.w = 3;
    REFUSES(t, LODE_ERROR_ARGUMENT, "pose", lode_articulation_set_root_pose, t.articulation, frame,
            true);
    REFUSES(t, LODE_ERROR_ARGUMENT, "velocity", lode_articulation_set_root_linear_velocity,
            t.articulation, vec(1, 0, 0), true);
    REFUSES(t, LODE_ERROR_ARGUMENT, "velocity", lode_articulation_set_root_angular_velocity,
            t.articulation, vec(1, 0, NO_NUMBER), true);
    REFUSES(t, LODE_ERROR_ARGUMENT, "seconds", lode_articulation_set_wake_counter, t.articulation,
            -1);
    REFUSES(t, LODE_ERROR_ARGUMENT, "inflation", lode_articulation_get_bounds, t.articulation, -1);
    REFUSES(t, LODE_ERROR_ARGUMENT, "first", lode_articulation_get_links, t.articulation, NULL, -1,
            0);
    REFUSES(t, LODE_ERROR_ARGUMENT, "out_links", lode_articulation_get_links, t.articulation, NULL,
            0, 1);
    lode_articulation_def def = lode_articulation_get_def(t.articulation);
    def.fixed_base = false;
    REFUSES(t, LODE_ERROR_STATE, "def.fixed_base", lode_articulation_set_def, t.articulation, &def);
    lode_articulation_remove(t.articulation);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_is_sleeping, t.articulation);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_wake, t.articulation);
    REFUSES(t, LODE_ERROR_STATE, "articulation", lode_articulation_sleep, t.articulation);
    REFUSES(t, LODE_ERROR_ARGUMENT, "frame", lode_link_set_child_frame, hinge, frame);
    REFUSES(t, LODE_ERROR_ARGUMENT, "type", lode_link_set_type, hinge, (lode_link_joint_type)9);
    end(&t);
}

/* What bodies have and links have not. */
static void links_refuse_what_is_their_articulations(void **state)
{
    (void)state;
    tree t = make_inserted(false);
    lode_body link = t.link[2];
    lode_pose pose = lode_body_get_pose(link);
    lode_damping damping = {0};
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_destroy, link);
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_type, link, LODE_STATIC);
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_pose, link, pose);
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_linear_velocity, link, vec(1, 0, 0));
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_angular_velocity, link, vec(1, 0, 0));
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_damping, link, &damping);
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_sleep, link, NULL);
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_continuous, link, true);
    lode_rows_def rows = lode_rows_def_default();
    const lode_body bodies[] = {add_ball(t.world, 9, 9, 9, 1), link};
    rows.bodies = bodies;
    rows.body_count = 2;
    REFUSES(t, LODE_ERROR_STATE, "def", lode_rows_create, t.world, &rows);
    lode_joint_def hinge = lode_joint_def_default(LODE_JOINT_HINGE);
    hinge.body_a = link;
    hinge.body_b = bodies[0];
    lode_joint joint = lode_joint_create(t.world, &hinge);
    assert_true(joint.id);
    const lode_joint_term term = {joint, 0, 1};
    lode_coupling_def coupling = lode_coupling_def_default();
    coupling.terms = &term;
    coupling.term_count = 1;
    REFUSES(t, LODE_ERROR_STATE, "def", lode_coupling_create, t.world, &coupling);
    end(&t);
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

/* ---- inside a step */

static tree inside;
static int refused;

static bool call_back(void *context, const lode_near_pair *pair)
{
    (void)context, (void)pair;
    lode_articulation t = inside.articulation;
    lode_body link = inside.link[1];
#define INSIDE(call_, ...) \
    do { \
        report_clear(); \
        (void)call_(__VA_ARGS__); \
        assert_int_equal(report.count, 1); \
        assert_int_equal(report.status, LODE_ERROR_STATE); \
        assert_string_equal(report.function, #call_); \
        ++refused; \
    } while (0)
    lode_articulation_def def = lode_articulation_def_default();
    lode_link_def link_def = lode_link_def_default(LODE_LINK_FIXED);
    lode_link_axis axis = {0};
    lode_real number;
    INSIDE(lode_articulation_create, inside.world, &def);
    INSIDE(lode_articulation_destroy, t);
    INSIDE(lode_articulation_add_link, t, &link_def);
    INSIDE(lode_articulation_remove_link, t, link);
    INSIDE(lode_articulation_insert, t);
    INSIDE(lode_articulation_remove, t);
    INSIDE(lode_articulation_get_links, t, NULL, 0, 0);
    INSIDE(lode_articulation_set_def, t, &def);
    INSIDE(lode_articulation_set_name, t, "x");
    INSIDE(lode_articulation_set_root_pose, t, (lode_pose){0}, true);
    INSIDE(lode_articulation_set_root_linear_velocity, t, vec(0, 0, 0), true);
    INSIDE(lode_articulation_sleep, t);
    INSIDE(lode_articulation_wake, t);
    INSIDE(lode_articulation_set_wake_counter, t, 1);
    INSIDE(lode_articulation_get_bounds, t, 1);
    INSIDE(lode_link_get_index, link);
    INSIDE(lode_link_set_axis, link, LODE_AXIS_TWIST, &axis);
    INSIDE(lode_link_set_position, link, LODE_AXIS_TWIST, 1);
    INSIDE(lode_link_set_target, link, LODE_AXIS_TWIST, 1, true);
    INSIDE(lode_link_set_joint_force, link, LODE_AXIS_TWIST, 1);
    INSIDE(lode_link_get_damping, link, &number, &number);
    INSIDE(lode_body_get_articulation, link);
    report_clear();
    return true;
}

static void nothing_is_done_inside_a_step(void **state)
{
    (void)state;
    inside = make_inserted(false);
    add_ball(inside.world, 0, 0, (lode_real)3.3, (lode_real)0.2);
    const lode_pair_filter filter = {NULL, call_back};
    assert_int_equal(lode_world_set_pair_filter(inside.world, &filter), LODE_OK);
    step(&inside, 2);
    assert_true(refused >= 22);
    end(&inside);
}

/* ---- memory */

/* What a run has made so far. */
typedef struct run {
    lode_world world;
    lode_articulation articulation;
    lode_body ground, links[LINKS];
    int count;
} run;

static bool make_world(run *r)
{
    lode_world_def def = lode_world_def_default();
    r->world = lode_world_create(&def);
    return r->world.id;
}

static bool make_articulation(run *r)
{
    lode_articulation_def def = lode_articulation_def_default();
    def.name = "name";
    r->articulation = lode_articulation_create(r->world, &def);
    return r->articulation.id;
}

static bool make_link(run *r)
{
    lode_link_def def = def_of(types[r->count],
                               r->count ? r->links[parents[r->count]] : (lode_body){0});
    def.name = "link";
    def.pose.position.z = (lode_real)0.3;
    lode_body link = lode_articulation_add_link(r->articulation, &def);
    r->links[r->count] = link;
    r->count += link.id != 0;
    return link.id;
}

static bool make_shape(run *r)
{
    return add_ball_shape(r->links[r->count - 1], (lode_real)0.25).id;
}

static bool make_ground(run *r)
{
    lode_body_def def = lode_body_def_default();
    r->ground = lode_body_create(r->world, &def);
    return r->ground.id;
}

static bool make_plane(run *r)
{
    lode_shape_def def = lode_shape_def_default();
    return lode_shape_create_plane(r->ground, &def, vec(0, 0, 1), 0).id;
}

static bool insert(run *r)
{
    return lode_articulation_insert(r->articulation) == LODE_OK;
}

static bool take_step(run *r)
{
    return lode_world_step(r->world, STEP) == LODE_OK;
}

static bool rename_it(run *r)
{
    return lode_articulation_set_name(r->articulation, "another name") == LODE_OK;
}

static bool define_it(run *r)
{
    lode_articulation_def def = lode_articulation_get_def(r->articulation);
    def.name = "a third one";
    def.position_iterations = 6;
    return lode_articulation_set_def(r->articulation, &def) == LODE_OK;
}

static void call(run *r, bool (*what)(run *))
{
    uint64_t hash = r->world.id ? lode_world_hash(r->world) : 0;
    report_clear();
    if (what(r))
        return;
    assert_true(alloc_fail_happened());
    assert_int_equal(report.count, 1);
    assert_int_equal(report.status, LODE_ERROR_MEMORY);
    if (r->world.id && what != take_step) {
        if (lode_world_hash(r->world) != hash)
            print_error("%s has changed the world\n", report.function);
        assert_true(lode_world_hash(r->world) == hash);
    }
    report_clear();
    assert_true(what(r));
    assert_int_equal(report.count, 0);
}

static uint64_t script(void)
{
    run r = {0};
    call(&r, make_world);
    call(&r, make_ground);
    call(&r, make_plane);
    call(&r, make_articulation);
    for (int i = 0; i < LINKS; ++i) {
        call(&r, make_link);
        call(&r, make_shape);
    }
    call(&r, rename_it);
    call(&r, insert);
    call(&r, define_it);
    for (int i = 0; i < 12; ++i)
        call(&r, take_step);
    uint64_t hash = lode_world_hash(r.world);
    lode_articulation_remove(r.articulation);
    call(&r, insert);
    call(&r, take_step);
    lode_world_destroy(r.world);
    return hash;
}

static void every_allocation_may_fail_once(void **state)
{
    (void)state;
    report_install();
    alloc_fail_install();
    uint64_t undisturbed = script();
    long n = 0;
    for (bool more = true; more; ++n) {
        alloc_fail_nth(n);
        uint64_t hash = script();
        more = alloc_fail_happened();
        if (hash != undisturbed)
            print_error("the run differs after allocation %ld failed\n", n);
        assert_true(hash == undisturbed);
        assert_int_equal(alloc_fail_live(), 0);
    }
    assert_true(n > 20);
    alloc_fail_remove();
}

static void after_warm_up_a_step_allocates_nothing(void **state)
{
    (void)state;
    report_install();
    alloc_fail_install();
    for (int threads = 1; threads < 4; threads += 2) {
        lode_world_def def = lode_world_def_default();
        def.threads = threads;
        tree t = tree_in(lode_world_create(&def), false);
        add_ground(t.world);
        lode_articulation_def rule = lode_articulation_get_def(t.articulation);
        rule.sleep_threshold = 0;
        lode_articulation_set_def(t.articulation, &rule);
        lode_articulation_insert(t.articulation);
        step(&t, 200);
        alloc_fail_nth(-1);
        step(&t, 100);
        assert_int_equal(alloc_fail_calls(), 0);
        lode_world_destroy(t.world);
        assert_int_equal(alloc_fail_live(), 0);
    }
    alloc_fail_remove();
}

/* ---- the same bits */

static uint64_t hash_of_run(int threads, lode_simd simd, lode_solver solver)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    def.simd = simd;
    def.solver = solver;
    lode_world world = lode_world_create(&def);
    add_ground(world);
    for (int i = 0; i < 5; ++i) {
        tree t = tree_in(world, i == 2);
        lode_pose at = {{(lode_real)(0.4 * i), (lode_real)(0.7 * i), (lode_real)(1 + 0.3 * i)},
                        {1, 0, 0, 0}};
        lode_articulation_set_root_pose(t.articulation, at, false);
        lode_link_set_velocity(t.link[1], LODE_AXIS_TWIST, 3);
        assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
        add_ball(world, (lode_real)(0.4 * i), (lode_real)(0.7 * i), 4, (lode_real)0.3);
    }
    for (int s = 0; s < 150; ++s)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    uint64_t hash = lode_world_hash(world);
    lode_world_destroy(world);
    return hash;
}

static void restored_worlds_go_on_alike(void **state)
{
    (void)state;
    report_install();
    for (int k = 0; k < 6; ++k) {
        lode_world_def def = lode_world_def_default();
        def.solver = k % 2 ? LODE_SOLVER_SOFT_STEP : LODE_SOLVER_PGS;
        def.integrator = (lode_integrator)(k / 2);
        lode_world world = lode_world_create(&def);
        add_ground(world);
        for (int i = 0; i < 3; ++i) {
            tree t = tree_in(world, i == 2);
            lode_pose at = {
                {(lode_real)(0.4 * i), (lode_real)(2.7 * i), (lode_real)(1.2 + 0.3 * i)},
                {1, 0, 0, 0}};
            lode_articulation_set_root_pose(t.articulation, at, false);
            lode_link_set_velocity(t.link[1], LODE_AXIS_TWIST, 3);
            assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
        }
        for (int s = 0; s < 60; ++s)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        size_t size = lode_world_snapshot(world, NULL, 0);
        void *image = malloc(size);
        assert_int_equal(lode_world_snapshot(world, image, size), size);
        uint64_t here = lode_world_hash(world);
        for (int s = 0; s < 60; ++s)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        uint64_t there = lode_world_hash(world);
        assert_int_equal(lode_world_restore(world, image, size), LODE_OK);
        assert_true(lode_world_hash(world) == here);
        for (int s = 0; s < 60; ++s)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        if (lode_world_hash(world) != there)
            print_error("case %d differs\n", k);
        assert_true(lode_world_hash(world) == there);
        free(image);
        lode_world_destroy(world);
    }
    assert_int_equal(report.count, 0);
}

static void bits_do_not_depend_on_threads_and_instructions(void **state)
{
    (void)state;
    report_install();
    static const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP};
    for (int k = 0; k < 2; ++k) {
        uint64_t plain = hash_of_run(1, LODE_SIMD_PLAIN, solvers[k]);
        assert_true(hash_of_run(4, LODE_SIMD_PLAIN, solvers[k]) == plain);
        assert_true(hash_of_run(1, LODE_SIMD_AUTO, solvers[k]) == plain);
        assert_true(hash_of_run(3, LODE_SIMD_AUTO, solvers[k]) == plain);
    }
    assert_int_equal(report.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_articulation_lives_until_it_is_destroyed),
        cmocka_unit_test(links_come_and_go_outside),
        cmocka_unit_test(indices_are_breadth_first),
        cmocka_unit_test(inserting_places_links_by_their_joints),
        cmocka_unit_test(a_mass_may_change_inside),
        cmocka_unit_test(structures_that_cannot_be_are_refused),
        cmocka_unit_test(motions_are_those_of_the_type),
        cmocka_unit_test(values_that_cannot_be_are_refused),
        cmocka_unit_test(setters_refuse_what_cannot_be),
        cmocka_unit_test(links_refuse_what_is_their_articulations),
        cmocka_unit_test(what_is_set_is_got),
        cmocka_unit_test(the_root_moves_all),
        cmocka_unit_test(what_rests_sleeps_and_wakes_as_one),
        cmocka_unit_test(who_wakes_and_who_does_not),
        cmocka_unit_test(it_may_begin_asleep),
        cmocka_unit_test(neighbours_wake_each_other),
        cmocka_unit_test(links_collide_as_they_are_told),
        cmocka_unit_test(queries_find_links_inside_alone),
        cmocka_unit_test(what_is_not_finite_is_frozen_as_a_whole),
        cmocka_unit_test(nothing_is_done_inside_a_step),
        cmocka_unit_test(every_allocation_may_fail_once),
        cmocka_unit_test(after_warm_up_a_step_allocates_nothing),
        cmocka_unit_test(restored_worlds_go_on_alike),
        cmocka_unit_test(bits_do_not_depend_on_threads_and_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What articulations refuse, and that nothing has changed then. */
#include "tests/world/tree.h"

#include <math.h>
#include <string.h>

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
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_gyroscopic, link, LODE_GYROSCOPIC_OFF);
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_finite_rotation, link, true);
    REFUSES(t, LODE_ERROR_STATE, "body", lode_body_set_finite_rotation_axis, link, vec(1, 0, 0));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_that_cannot_be_are_refused),
        cmocka_unit_test(motions_are_those_of_the_type),
        cmocka_unit_test(values_that_cannot_be_are_refused),
        cmocka_unit_test(setters_refuse_what_cannot_be),
        cmocka_unit_test(links_refuse_what_is_their_articulations),
        cmocka_unit_test(nothing_is_done_inside_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

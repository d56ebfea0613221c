/* Whom each public function about articulations wakes, and whom it does not. A world for each row:
 * an arm on a fixed base with a crate on its root, a floating pair of links, and a ball far away.
 * All sleep before the row acts. */
#include "tests/world/support.h"
#include "world/registry.h"
#include "world/wake.h"

enum { ARM = 1, CRATE = 2, PAIR = 4, BALL = 8 };

typedef struct sleepers {
    lode_world world;
    lode_articulation arm, pair;
    lode_body root, hand, first, second, crate, ball;
} sleepers;

static lode_body add_link(lode_articulation articulation, lode_body parent, lode_vec3 at)
{
    lode_link_def def = lode_link_def_default(LODE_LINK_REVOLUTE);
    def.parent = parent;
    def.pose.position = at;
    def.parent_frame.position.x = 3;
    lode_body link = lode_articulation_add_link(articulation, &def);
    lode_shape_def shape = lode_shape_def_default();
    assert_true(lode_shape_create_box(link, &shape, vec(1, 1, (lode_real)0.5)).id);
    return link;
}

static uint32_t who_is_awake(const sleepers *s)
{
    return (lode_body_is_awake(s->hand) ? ARM : 0) | (lode_body_is_awake(s->crate) ? CRATE : 0) |
           (lode_body_is_awake(s->first) || lode_body_is_awake(s->second) ? PAIR : 0) |
           (lode_body_is_awake(s->ball) ? BALL : 0);
}

static sleepers sleepers_create(void)
{
    report_install();
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    sleepers s = {.world = lode_world_create(&def)};
    lode_articulation_def rule = lode_articulation_def_default();
    rule.fixed_base = true;
    s.arm = lode_articulation_create(s.world, &rule);
    s.root = add_link(s.arm, (lode_body){0}, vec(0, 0, 0));
    s.hand = add_link(s.arm, s.root, vec(0, 0, 0));
    rule.fixed_base = false;
    s.pair = lode_articulation_create(s.world, &rule);
    s.first = add_link(s.pair, (lode_body){0}, vec(0, 20, 0));
    s.second = add_link(s.pair, s.first, vec(0, 0, 0));
    s.ball = add_ball(s.world, 50, 0, 0, 1);
    s.crate = add_body(s.world, LODE_DYNAMIC, 0, 0, (lode_real)0.999);
    lode_shape_def shape = lode_shape_def_default();
    assert_true(
        lode_shape_create_box(s.crate, &shape, vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5))
            .id);
    assert_int_equal(lode_articulation_insert(s.arm), LODE_OK);
    assert_int_equal(lode_articulation_insert(s.pair), LODE_OK);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(lode_world_step(s.world, STEP), LODE_OK);
    lode_articulation_sleep(s.arm);
    lode_articulation_sleep(s.pair);
    lode_body_sleep(s.ball);
    lode_body_sleep(s.crate);
    assert_int_equal(lode_world_step(s.world, STEP), LODE_OK);
    assert_int_equal(who_is_awake(&s), 0);
    return s;
}

typedef struct row {
    const char *function, *what;
    void (*act)(sleepers *s);
    uint32_t at_once, later;
} row;

#define WAKE_ROW(function, what, act, at_once, later) \
    { \
#function, what, act, at_once, later \
    }

static void create(sleepers *s)
{
    lode_articulation_def def = lode_articulation_def_default();
    lode_articulation_create(s->world, &def);
}

static void destroy(sleepers *s)
{
    lode_articulation_destroy(s->arm);
    s->hand = s->ball; /* it is gone */
}

static void add(sleepers *s)
{
    lode_articulation_def def = lode_articulation_def_default();
    add_link(lode_articulation_create(s->world, &def), (lode_body){0}, vec(0, 0, 1));
}

static void remove_link(sleepers *s)
{
    lode_articulation_def def = lode_articulation_def_default();
    lode_articulation a = lode_articulation_create(s->world, &def);
    lode_articulation_remove_link(a, add_link(a, (lode_body){0}, vec(0, 0, 1)));
}

/* Onto the crate. */
static void insert(sleepers *s)
{
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = true;
    lode_articulation a = lode_articulation_create(s->world, &def);
    add_link(a, (lode_body){0}, vec(0, 0, (lode_real)1.99));
    lode_articulation_insert(a);
}

static void take_out(sleepers *s)
{
    lode_articulation_remove(s->arm);
}

static void set_def(sleepers *s)
{
    lode_articulation_def def = lode_articulation_get_def(s->pair);
    lode_articulation_set_def(s->pair, &def);
}

static void set_axis(sleepers *s)
{
    lode_link_axis axis = lode_link_get_axis(s->hand, LODE_AXIS_TWIST);
    lode_link_set_axis(s->hand, LODE_AXIS_TWIST, &axis);
}

static void set_position(sleepers *s)
{
    lode_link_set_position(s->second, LODE_AXIS_TWIST, (lode_real)0.1);
}

static void set_velocity(sleepers *s)
{
    lode_link_set_velocity(s->second, LODE_AXIS_TWIST, (lode_real)0.1);
}

static void set_no_velocity(sleepers *s)
{
    lode_link_set_velocity(s->second, LODE_AXIS_TWIST, 0);
}

static void set_target(sleepers *s)
{
    lode_link_set_target(s->hand, LODE_AXIS_TWIST, 1, true);
}

static void set_target_quietly(sleepers *s)
{
    lode_link_set_target(s->hand, LODE_AXIS_TWIST, 1, false);
}

static void set_target_velocity(sleepers *s)
{
    lode_link_set_target_velocity(s->hand, LODE_AXIS_TWIST, 1, true);
}

static void set_joint_force(sleepers *s)
{
    lode_link_set_joint_force(s->hand, LODE_AXIS_TWIST, 1);
}

static void set_no_joint_force(sleepers *s)
{
    lode_link_set_joint_force(s->hand, LODE_AXIS_TWIST, 0);
}

static void set_friction(sleepers *s)
{
    lode_link_set_friction_coefficient(s->hand, 1);
}

static void set_cfm(sleepers *s)
{
    lode_link_set_cfm_scale(s->hand, 1);
}

static void set_damping(sleepers *s)
{
    lode_link_set_damping(s->hand, 1, 1);
}

static lode_articulation outside(sleepers *s, lode_body *out_link)
{
    lode_articulation_def def = lode_articulation_def_default();
    lode_articulation a = lode_articulation_create(s->world, &def);
    *out_link = add_link(a, (lode_body){0}, vec(0, 0, 1));
    return a;
}

static void set_type(sleepers *s)
{
    lode_body link;
    outside(s, &link);
    lode_link_set_type(link, LODE_LINK_FIXED);
}

static void set_frames(sleepers *s)
{
    lode_body link;
    outside(s, &link);
    lode_link_set_parent_frame(link, (lode_pose){{0, 0, 0}, {1, 0, 0, 0}});
    lode_link_set_child_frame(link, (lode_pose){{0, 0, 0}, {1, 0, 0, 0}});
}

/* A fixed root, under the crate. */
static void move_root(sleepers *s)
{
    lode_articulation_set_root_pose(s->arm, (lode_pose){{0, 0, (lode_real)0.001}, {1, 0, 0, 0}},
                                    false);
}

static void set_linear(sleepers *s)
{
    lode_articulation_set_root_linear_velocity(s->pair, vec(0, 1, 0), false);
}

static void set_linear_to_nothing(sleepers *s)
{
    lode_articulation_set_root_linear_velocity(s->pair, vec(0, 0, 0), false);
}

static void set_angular(sleepers *s)
{
    lode_articulation_set_root_angular_velocity(s->pair, vec(0, 0, 0), true);
}

static void rename_it(sleepers *s)
{
    lode_articulation_set_name(s->arm, "arm");
}

static void give_data(sleepers *s)
{
    lode_articulation_set_user_data(s->arm, s);
}

static void bind(sleepers *s)
{
    lode_articulation_set_aggregate(s->pair, lode_aggregate_create(s->world, true));
}

static void keep_apart(sleepers *s)
{
    lode_articulation_set_aggregate(s->pair, lode_aggregate_create(s->world, false));
}

static void wake(sleepers *s)
{
    lode_articulation_wake(s->arm);
}

static void put_to_sleep(sleepers *s)
{
    lode_articulation_sleep(s->arm);
}

static void set_counter(sleepers *s)
{
    lode_articulation_set_wake_counter(s->pair, 1);
}

static void set_no_counter(sleepers *s)
{
    lode_articulation_set_wake_counter(s->pair, 0);
}

static void validate(const sleepers *s)
{
    lode__awake_validate(lode__registry_world(s->world.id));
}

static void each_call_wakes_whom_it_should(void **state)
{
    (void)state;
    /* clang-format off */
    static const row rows[] = {
        WAKE_ROW(lode_articulation_create, "", create, 0, 0),
        WAKE_ROW(lode_articulation_destroy, "what rested on it", destroy, CRATE, 0),
        WAKE_ROW(lode_articulation_add_link, "outside", add, 0, 0),
        WAKE_ROW(lode_articulation_remove_link, "outside", remove_link, 0, 0),
        WAKE_ROW(lode_articulation_insert, "what it touches", insert, 0, CRATE),
        WAKE_ROW(lode_articulation_remove, "what rested on it", take_out, CRATE, 0),
        WAKE_ROW(lode_articulation_set_def, "", set_def, PAIR, 0),
        WAKE_ROW(lode_link_set_axis, "", set_axis, ARM | CRATE, 0),
        WAKE_ROW(lode_link_set_position, "", set_position, PAIR, 0),
        WAKE_ROW(lode_link_set_velocity, "", set_velocity, PAIR, 0),
        WAKE_ROW(lode_link_set_velocity, "to nothing", set_no_velocity, 0, 0),
        WAKE_ROW(lode_link_set_target, "", set_target, ARM, 0),
        WAKE_ROW(lode_link_set_target, "without waking", set_target_quietly, 0, 0),
        WAKE_ROW(lode_link_set_target_velocity, "", set_target_velocity, ARM, 0),
        WAKE_ROW(lode_link_set_joint_force, "", set_joint_force, ARM, 0),
        WAKE_ROW(lode_link_set_joint_force, "to nothing", set_no_joint_force, 0, 0),
        WAKE_ROW(lode_link_set_friction_coefficient, "", set_friction, 0, 0),
        WAKE_ROW(lode_link_set_cfm_scale, "", set_cfm, 0, 0),
        WAKE_ROW(lode_link_set_damping, "", set_damping, 0, 0),
        WAKE_ROW(lode_link_set_type, "outside", set_type, 0, 0),
        WAKE_ROW(lode_link_set_parent_frame, "outside", set_frames, 0, 0),
        WAKE_ROW(lode_link_set_child_frame, "outside", set_frames, 0, 0),
        WAKE_ROW(lode_articulation_set_root_pose, "of a fixed base", move_root, ARM | CRATE, 0),
        WAKE_ROW(lode_articulation_set_root_linear_velocity, "", set_linear, PAIR, 0),
        WAKE_ROW(lode_articulation_set_root_linear_velocity, "0", set_linear_to_nothing, 0, 0),
        WAKE_ROW(lode_articulation_set_root_angular_velocity, "", set_angular, PAIR, 0),
        WAKE_ROW(lode_articulation_set_name, "", rename_it, 0, 0),
        WAKE_ROW(lode_articulation_set_user_data, "", give_data, 0, 0),
        WAKE_ROW(lode_articulation_set_aggregate, "all may touch", bind, 0, 0),
        WAKE_ROW(lode_articulation_set_aggregate, "none may", keep_apart, PAIR, 0),
        WAKE_ROW(lode_articulation_wake, "", wake, ARM, 0),
        WAKE_ROW(lode_articulation_sleep, "", put_to_sleep, 0, 0),
        WAKE_ROW(lode_articulation_set_wake_counter, "", set_counter, PAIR, 0),
        WAKE_ROW(lode_articulation_set_wake_counter, "0", set_no_counter, 0, 0),
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        sleepers s = sleepers_create();
        rows[i].act(&s);
        validate(&s);
        uint32_t now = who_is_awake(&s);
        assert_int_equal(lode_world_step(s.world, STEP), LODE_OK);
        validate(&s);
        uint32_t later = who_is_awake(&s);
        if (now != rows[i].at_once || later != (rows[i].at_once | rows[i].later))
            print_error("%s (%s): awake at once %x, wanted %x; later %x\n", rows[i].function,
                        rows[i].what, (unsigned)now, (unsigned)rows[i].at_once, (unsigned)later);
        assert_int_equal(now, rows[i].at_once);
        assert_int_equal(later, rows[i].at_once | rows[i].later);
        assert_int_equal(report.count, 0);
        lode_world_destroy(s.world);
    }
}

#define ASK(function, ...) \
    do { \
        (void)function(__VA_ARGS__); \
        assert_int_equal(who_is_awake(&s), 0); \
    } while (0)

static void no_question_wakes(void **state)
{
    (void)state;
    sleepers s = sleepers_create();
    lode_real a, b;
    ASK(lode_articulation_is_valid, s.arm);
    ASK(lode_articulation_get_world, s.arm);
    ASK(lode_articulation_is_inserted, s.arm);
    ASK(lode_articulation_get_links, s.arm, NULL, 0, 0);
    ASK(lode_articulation_count_shapes, s.arm);
    ASK(lode_articulation_count_dofs, s.arm);
    ASK(lode_body_get_articulation, s.hand);
    ASK(lode_link_get_index, s.hand);
    ASK(lode_link_get_parent, s.hand);
    ASK(lode_link_get_first_dof, s.hand);
    ASK(lode_link_count_dofs, s.hand);
    ASK(lode_link_get_type, s.hand);
    ASK(lode_link_get_parent_frame, s.hand);
    ASK(lode_link_get_child_frame, s.hand);
    ASK(lode_link_get_axis, s.hand, LODE_AXIS_TWIST);
    ASK(lode_link_get_joint_force, s.hand, LODE_AXIS_TWIST);
    ASK(lode_link_get_friction_coefficient, s.hand);
    ASK(lode_link_get_cfm_scale, s.hand);
    ASK(lode_link_get_damping, s.hand, &a, &b);
    ASK(lode_articulation_get_root_pose, s.arm);
    ASK(lode_articulation_get_root_linear_velocity, s.arm);
    ASK(lode_articulation_get_root_angular_velocity, s.arm);
    ASK(lode_articulation_get_def, s.arm);
    ASK(lode_articulation_get_name, s.arm);
    ASK(lode_articulation_get_user_data, s.arm);
    ASK(lode_articulation_get_aggregate, s.arm);
    ASK(lode_articulation_get_bounds, s.arm, 1);
    ASK(lode_articulation_is_sleeping, s.arm);
    ASK(lode_articulation_get_wake_counter, s.arm);
    ASK(lode_articulation_get_residual, s.arm);
    assert_int_equal(lode_world_step(s.world, STEP), LODE_OK); /* nor later */
    assert_int_equal(who_is_awake(&s), 0);
    assert_int_equal(report.count, 0);
    lode_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_wakes_whom_it_should),
        cmocka_unit_test(no_question_wakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Stepping: what a world tells about a step, and what it refuses while inside one. */
#include "tests/world/support.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static scene s;

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

/* ---- calls from inside ---- */

typedef struct inside {
    bool armed;
    int calls;
    bool other_world_works;
    lode_world other;
} inside;

static void expect_state_error(lode_status status, const char *function, const char *argument,
                               int line)
{
    assert_int_equal(status, LODE_ERROR_STATE);
    report_expect(LODE_ERROR_STATE, function, argument, __FILE__, line);
    report_clear();
}

#define REFUSES(argument, function, ...) \
    expect_state_error(function(__VA_ARGS__), #function, argument, __LINE__)

#define REFUSES_VALUE(argument, function, ...) \
    do { \
        (void)function(__VA_ARGS__); \
        expect_state_error(LODE_ERROR_STATE, #function, argument, __LINE__); \
    } while (0)

static void call_everything(inside *in)
{
    lode_body_def body_def = lode_body_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_joint_def joint_def = lode_joint_def_default(LODE_JOINT_BALL);
    lode_world_stats stats;
    joint_def.body_a = s.ball;
    REFUSES("world", lode_world_step, s.world, STEP);
    REFUSES("world", lode_world_collide, s.world, STEP);
    REFUSES("world", lode_world_solve, s.world, STEP);
    REFUSES("world", lode_world_run_stage, s.world, "bounds", STEP);
    REFUSES_VALUE("world", lode_world_get_warnings, s.world, NULL, 0);
    REFUSES("world", lode_world_set_iterations, s.world, 1);
    REFUSES("world", lode_world_get_stats, s.world, &stats);
    REFUSES_VALUE("world", lode_world_destroy, s.world);
    REFUSES_VALUE("world", lode_world_hash, s.world);
    REFUSES_VALUE("world", lode_body_create, s.world, &body_def);
    REFUSES_VALUE("world", lode_joint_create, s.world, &joint_def);
    REFUSES("body", lode_body_destroy, s.ball);
    REFUSES("body", lode_body_add_force, s.ball, vec(1, 2, 3));
    REFUSES("body", lode_body_set_linear_velocity, s.ball, vec(1, 2, 3));
    REFUSES("body", lode_body_set_pose, s.ground, (lode_pose){{0, 0, 0}, {1, 0, 0, 0}});
    REFUSES_VALUE("body", lode_body_get_pose, s.ball);
    REFUSES_VALUE("body", lode_shape_create_sphere, s.ball, &shape_def, 1);
    REFUSES("shape", lode_shape_destroy, s.sphere);
    REFUSES("shape", lode_shape_set_friction, s.sphere, 1);
    REFUSES("joint", lode_joint_destroy, s.link);
    REFUSES_VALUE("joint", lode_joint_get_force, s.link);
    REFUSES("def.body_a", lode_joint_def_anchor_world, &joint_def, vec(0, 0, 0), vec(1, 0, 0));
    assert_true(lode_world_is_valid(s.world) && lode_body_is_valid(s.ball));
    in->other_world_works = lode_world_step(in->other, STEP) == LODE_OK;
}

static void on_begin(void *user, const char *name)
{
    inside *in = user;
    if (!in->armed || strcmp(name, "narrow phase"))
        return;
    in->calls++;
    call_everything(in);
}

static void on_end(void *user, const char *name)
{
    (void)user;
    (void)name;
}

static void a_world_refuses_calls_from_inside_its_step(void **state)
{
    (void)state;
    inside in = {0};
    lode_world_def def = lode_world_def_default();
    in.other = lode_world_create(&def);
    scene undisturbed = scene_create(NULL);
    def.profiler = (lode_profiler){&in, on_begin, on_end};
    s = scene_create(&def);
    in.armed = true;
    scene_step(&s, 1);
    in.armed = false;
    scene_step(&undisturbed, 1);
    assert_int_equal(in.calls, 1);
    assert_true(in.other_world_works);
    assert_true(lode_world_hash(s.world) == lode_world_hash(undisturbed.world));
    assert_int_equal(lode_body_add_force(s.ball, vec(1, 2, 3)), LODE_OK); /* allowed again */
    lode_world_destroy(s.world);
    lode_world_destroy(undisturbed.world);
    lode_world_destroy(in.other);
    assert_int_equal(report.count, 0);
}

/* The host may round as it likes: a step rounds to nearest, and puts back what was set. */
static void the_hosts_rounding_is_kept_out_and_restored(void **state)
{
    (void)state;
    scene calm = scene_create(NULL);
    s = scene_create(NULL);
    scene_step(&calm, 20);
    fesetround(FE_UPWARD);
    scene_step(&s, 20);
    int rounding = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(rounding, FE_UPWARD);
    assert_true(lode_world_hash(s.world) == lode_world_hash(calm.world));
    lode_world_destroy(s.world);
    lode_world_destroy(calm.world);
}

/* ---- stages ---- */

typedef struct zones {
    int depth, begun;
    char names[64][32];
} zones;

static void zone_begin(void *user, const char *name)
{
    zones *z = user;
    strcpy(z->names[z->begun++ % 64], name);
    z->depth++;
}

static void zone_end(void *user, const char *name)
{
    (void)name;
    ((zones *)user)->depth--;
}

static const char *const top_stages[] = {
    "wake",       "bounds",    "broad phase", "narrow phase", "contact update",
    "islands",    "colouring", "row prepare", "solve",        "restitution",
    "continuous", "finalise",  "damping",     "events",       "auto-disable",
};

static void the_stage_table_is_the_step(void **state)
{
    (void)state;
    zones z = {0};
    lode_world_def def = lode_world_def_default();
    def.profiler = (lode_profiler){&z, zone_begin, zone_end};
    s = scene_create(&def);
    z = (zones){0};
    scene_step(&s, 1);
    assert_int_equal(z.depth, 0);

    lode_stage_info stages[32];
    int count = lode_world_get_stages(s.world, stages, 32), top = 0, next_zone = 0;
    for (int i = 0; i < count; ++i) {
        assert_true(stages[i].reads[0] && stages[i].writes[0]);
        if (stages[i].parent[0]) {
            assert_string_equal(stages[i].parent, "solve");
            continue;
        }
        assert_string_equal(stages[i].name, top_stages[top++]);
        assert_int_equal(stages[i].calls, 1);
        while (next_zone < z.begun && strcmp(z.names[next_zone], stages[i].name))
            ++next_zone;
        assert_true(next_zone < z.begun); /* the profiler saw them in this order */
    }
    assert_int_equal(top, (int)(sizeof top_stages / sizeof *top_stages));
    assert_int_equal(lode_world_get_stages(s.world, stages, 2), count);
    lode_world_destroy(s.world);
}

/* ---- what a step tells ---- */

static void counts_are_those_of_the_scene(void **state)
{
    (void)state;
    lode_world_stats stats;
    s = scene_create(NULL);
    assert_int_equal(lode_world_get_stats(s.world, &stats), LODE_OK);
    assert_int_equal(stats.bodies, 4);
    assert_int_equal(stats.dynamic_bodies, 3);
    assert_int_equal(stats.shapes, 6);
    assert_int_equal(stats.joints, 2);
    assert_int_equal(stats.joint_rows, 6);
    assert_int_equal(stats.islands, 2);
    assert_int_equal(stats.rows, 3 * stats.contact_points + 6);
    assert_true(stats.pairs >= stats.contacts && stats.contacts >= 1);
    assert_true(stats.lanes_used <= 8 * stats.batches);
    assert_true(stats.bytes_bodies > 0 && stats.bytes_contacts > 0 && stats.bytes_scratch > 0);
    assert_true(stats.bytes >= stats.bytes_bodies + stats.bytes_contacts + stats.bytes_scratch);
    lode_world_destroy(s.world);
}

/* A ball at rest: one contact, its impulse is the weight times the step. */
static void contacts_carry_position_normal_and_impulse(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ground = add_ground(world), ball = add_ball(world, 3, 4, (lode_real)0.5, 0.5);
    for (int i = 0; i < 100; ++i)
        lode_world_step(world, STEP);
    lode_contact contact;
    assert_int_equal(lode_world_get_contacts(world, &contact, 1), 1);
    assert_int_equal(contact.point_count, 1);
    bool ball_is_a = lode_shape_get_body(contact.shape_a).id == ball.id;
    assert_true(ball_is_a || lode_shape_get_body(contact.shape_b).id == ball.id);
    assert_true(lode_shape_get_body(contact.shape_a).id == ground.id || ball_is_a);
    assert_true(near_vec(contact.normal, vec(0, 0, ball_is_a ? 1 : -1), 1e-6));
    assert_true(near_vec(contact.points[0].position, vec(3, 4, 0), 0.02));
    double expected = 9.81 * lode_body_get_mass(ball).mass * STEP * (ball_is_a ? 1 : -1);
    assert_true(near_vec(contact.points[0].impulse, vec(0, 0, expected), fabs(expected) * 0.01));
    lode_world_destroy(world);
}

/* Contact impulses and outer forces add up to nothing on a body at rest, whichever of the two
 * shapes comes first, with either solver. */
static void contact_impulses_balance_weight_and_push(void **state)
{
    (void)state;
    for (int round = 0; round < 4; ++round) {
        lode_world_def def = lode_world_def_default();
        def.solver = round < 2 ? LODE_SOLVER_PGS : LODE_SOLVER_SOFT_STEP;
        lode_world world = lode_world_create(&def);
        bool ground_first = round % 2;
        if (ground_first)
            add_ground(world);
        lode_body_def body_def = lode_body_def_default();
        body_def.type = LODE_DYNAMIC;
        body_def.position.z = (lode_real)0.5;
        lode_body box = lode_body_create(world, &body_def);
        lode_shape_def shape_def = lode_shape_def_default();
        lode_shape_create_box(box, &shape_def, vec(0.5, 0.5, 0.5));
        if (!ground_first)
            add_ground(world);
        double weight = 9.81 * lode_body_get_mass(box).mass;
        lode_vec3 push = vec(0.2 * weight, 0.1 * weight, 0);
        for (int i = 0; i < 200; ++i) {
            lode_body_add_force(box, push);
            lode_world_step(world, STEP);
        }
        lode_contact contact;
        assert_int_equal(lode_world_get_contacts(world, &contact, 1), 1);
        bool box_is_a = lode_shape_get_body(contact.shape_a).id == box.id;
        assert_int_equal(box_is_a, !ground_first);
        lode_vec3 sum = {0};
        for (int i = 0; i < contact.point_count; ++i) {
            sum.x += contact.points[i].impulse.x;
            sum.y += contact.points[i].impulse.y;
            sum.z += contact.points[i].impulse.z;
        }
        double sign = box_is_a ? STEP : -STEP;
        lode_vec3 wanted = vec(-push.x * sign, -push.y * sign, weight * sign);
        assert_true(near_vec(sum, wanted, weight * STEP * 0.01));
        lode_world_destroy(world);
    }
}

static void contacts_come_ordered_by_shape(void **state)
{
    (void)state;
    s = scene_create(NULL);
    for (int i = 0; i < 20; ++i)
        add_ball(s.world, (lode_real)(i % 5) * 3 - 20, (lode_real)(i / 5) * 3, (lode_real)0.5, 0.5);
    scene_step(&s, 5);
    lode_contact contacts[64];
    int count = lode_world_get_contacts(s.world, contacts, 64);
    assert_true(count >= 20 && count <= 64);
    for (int i = 1; i < count; ++i) {
        uint64_t a = contacts[i - 1].shape_a.id, b = contacts[i].shape_a.id;
        assert_true(a < b || (a == b && contacts[i - 1].shape_b.id < contacts[i].shape_b.id));
    }
    lode_world_destroy(s.world);
}

/* ---- static bodies and filters ---- */

static void a_static_body_that_is_moved_takes_its_contacts_along(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ground = add_ground(world), ball = add_ball(world, 0, 0, (lode_real)0.5, 0.5);
    for (int i = 0; i < 20; ++i)
        lode_world_step(world, STEP);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 1);
    lode_body_set_pose(ground, (lode_pose){{0, 0, -50}, {1, 0, 0, 0}});
    for (int i = 0; i < 20; ++i)
        lode_world_step(world, STEP);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 0);
    assert_true(lode_body_get_linear_velocity(ball).z < -2);
    lode_world_destroy(world);
}

/* Its bounds and its rotation are those of the new pose, also where nothing touched before. */
static void a_static_body_that_is_moved_is_met_where_it_is(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    lode_shape_def shape = lode_shape_def_default();
    lode_body wall = add_body(world, LODE_STATIC, 5, 0, 0);
    lode_shape_create_box(wall, &shape, vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, -5);
    lode_shape_create_plane(ground, &shape, vec(0, 0, 1), 0);
    add_ball(world, 0, 0, 0, 0.5);
    lode_world_step(world, STEP);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 0);

    lode_contact contacts[2];
    lode_body_set_pose(wall, (lode_pose){{(lode_real)0.999, 0, 0}, {1, 0, 0, 0}});
    lode_body_set_pose(ground, (lode_pose){{0, (lode_real)-0.499, 0}, {1, -1, 0, 0}});
    lode_world_step(world, STEP); /* the plane's z is y now */
    assert_int_equal(lode_world_get_contacts(world, contacts, 2), 2);
    assert_true(near_vec(contacts[0].normal, vec(1, 0, 0), 1e-6));
    assert_true(near_vec(contacts[1].normal, vec(0, -1, 0), 1e-6));
    lode_world_destroy(world);
}

static void filters_can_change(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    lode_shape_def shape_def = lode_shape_def_default();
    lode_shape a = lode_shape_create_sphere(add_body(world, LODE_DYNAMIC, 0, 0, 0), &shape_def, 1);
    lode_shape_create_sphere(add_body(world, LODE_DYNAMIC, (lode_real)1.99, 0, 0), &shape_def, 1);
    const uint64_t masks[] = {1, 0, 2, 3};
    const int contacts[] = {1, 0, 0, 1};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(lode_shape_set_filter(a, 1, masks[i]), LODE_OK);
        lode_world_step(world, STEP);
        assert_int_equal(lode_world_get_contacts(world, NULL, 0), contacts[i]);
    }
    assert_int_equal(lode_shape_get_type(a), LODE_SPHERE);
    assert_int_equal(lode_shape_set_filter(a, 0, UINT64_MAX), LODE_OK);
    lode_world_step(world, STEP);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 0);
    lode_world_destroy(world);
    assert_int_equal(report.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_world_refuses_calls_from_inside_its_step, set_up),
        cmocka_unit_test_setup(the_hosts_rounding_is_kept_out_and_restored, set_up),
        cmocka_unit_test_setup(the_stage_table_is_the_step, set_up),
        cmocka_unit_test_setup(counts_are_those_of_the_scene, set_up),
        cmocka_unit_test_setup(contacts_carry_position_normal_and_impulse, set_up),
        cmocka_unit_test_setup(contact_impulses_balance_weight_and_push, set_up),
        cmocka_unit_test_setup(contacts_come_ordered_by_shape, set_up),
        cmocka_unit_test_setup(a_static_body_that_is_moved_takes_its_contacts_along, set_up),
        cmocka_unit_test_setup(a_static_body_that_is_moved_is_met_where_it_is, set_up),
        cmocka_unit_test_setup(filters_can_change, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

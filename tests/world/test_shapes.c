/* Shapes can be read back and changed: mass, bounds and contacts follow. */
#include "tests/world/support.h"

#include <math.h>

#define R(x) ((lode_real)(x))
#define CLOSE (sizeof(lode_real) == sizeof(float) ? 1e-5 : 1e-12)

static lode_pose at(double x, double y, double z)
{
    return (lode_pose){vec(R(x), R(y), R(z)), {1, 0, 0, 0}};
}

static void check_mass(lode_body a, lode_body b)
{
    lode_mass m = lode_body_get_mass(a), n = lode_body_get_mass(b);
    assert_true(m.mass > 0 && near(m.mass / n.mass, 1, CLOSE));
    assert_true(near_vec(m.center, n.center, CLOSE));
    for (int i = 0; i < 6; ++i)
        assert_true(near(m.inertia[i], n.inertia[i], CLOSE * (double)m.inertia[0] * 4));
}

static void definitions_read_back_as_they_stand(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    lode_world world = lode_world_create(&world_def);
    lode_body body = add_body(world, LODE_DYNAMIC, 1, 2, 3);
    int mine = 0;
    lode_shape_def def = {.pose = at(1, 2, 3), .density = 7, .friction = R(0.25),
                          .restitution = R(0.5), .category = 6, .mask = 9, .enabled = true,
                          .touch_events = true, .impact_events = true, .user_data = &mine};
    def.sound_events = true;
    def.pose.rotation = (lode_quat){0, 3, 0, 4};
    lode_shape shape = lode_shape_create_capsule(body, &def, R(0.5), 2);
    lode_shape_def got = lode_shape_get_def(shape);
    assert_true(near_vec(got.pose.position, def.pose.position, 0));
    assert_true(near(got.pose.rotation.x, 0.6, CLOSE) && near(got.pose.rotation.z, 0.8, CLOSE));
    assert_true(got.density == 7 && got.friction == R(0.25) && got.restitution == R(0.5));
    assert_true(got.category == 6 && got.mask == 9 && got.user_data == &mine);
    assert_true(got.enabled && !got.sensor && got.touch_events && got.impact_events);
    assert_true(got.sound_events);
    assert_true(lode_shape_get_radius(shape) == R(0.5) && lode_shape_get_half_length(shape) == 2);
    lode_shape drum = lode_shape_create_cylinder(body, &def, R(0.5), 2);
    assert_int_equal(lode_shape_set_cylinder(drum, R(0.25), 3), LODE_OK);
    assert_true(lode_shape_get_radius(drum) == R(0.25) && lode_shape_get_half_length(drum) == 3);

    lode_shape_set_density(shape, 8);
    lode_shape_set_friction(shape, 1);
    lode_shape_set_restitution(shape, 0);
    lode_shape_set_filter(shape, 1, 2);
    lode_shape_set_user_data(shape, NULL);
    lode_shape_set_pose(shape, at(0, 0, 1));
    got = lode_shape_get_def(shape);
    assert_true(got.pose.position.z == 1 && got.pose.rotation.w == 1 && got.density == 8);
    assert_true(got.friction == 1 && got.restitution == 0 && got.category == 1 && got.mask == 2);
    assert_true(!got.user_data && !lode_shape_get_user_data(shape));
    lode_world_destroy(world);
}

static void sizes_read_back(void **state)
{
    (void)state;
    report_install();
    scene s = scene_create(NULL);
    lode_real offset = 9;
    assert_int_equal(lode_shape_set_sphere(s.sphere, R(0.75)), LODE_OK);
    assert_true(lode_shape_get_radius(s.sphere) == R(0.75));
    assert_int_equal(lode_shape_set_box(s.box, vec(1, 2, 3)), LODE_OK);
    assert_true(near_vec(lode_shape_get_half_extents(s.box), vec(1, 2, 3), 0));
    assert_int_equal(lode_shape_set_plane(s.plane, vec(0, 0, 4), R(-0.5)), LODE_OK);
    assert_true(near_vec(lode_shape_get_plane(s.plane, &offset), vec(0, 0, 1), 0));
    assert_true(offset == R(-0.5));
    assert_int_equal(report.count, 0);
    lode_world_destroy(s.world);
}

/* A body whose shapes were changed weighs what one made so weighs, and its frame and motion
 * stay. */
static void mass_follows_changes(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    lode_world world = lode_world_create(&world_def);
    lode_body changed = add_body(world, LODE_DYNAMIC, 0, 0, 9);
    lode_body made = add_body(world, LODE_DYNAMIC, 5, 0, 9);
    lode_shape_def def = lode_shape_def_default();
    lode_shape box = lode_shape_create_box(changed, &def, vec(1, 1, 1));
    lode_shape ball = lode_shape_create_sphere(changed, &def, 1);
    lode_body_set_angular_velocity(changed, vec(0, 0, 2));
    lode_vec3 origin = vec(0, 0, 0), before, after;
    before = lode_body_get_point_velocity(changed, origin, LODE_BODY_FRAME);

    assert_int_equal(lode_shape_set_box(box, vec(R(0.5), R(0.25), 1)), LODE_OK);
    assert_int_equal(lode_shape_set_pose(box, at(2, 0, 0)), LODE_OK);
    assert_int_equal(lode_shape_set_sphere(ball, R(0.5)), LODE_OK);
    assert_int_equal(lode_shape_set_density(ball, 500), LODE_OK);
    def.pose = at(2, 0, 0);
    lode_shape_create_box(made, &def, vec(R(0.5), R(0.25), 1));
    def.pose = at(0, 0, 0);
    def.density = 500;
    lode_shape_create_sphere(made, &def, R(0.5));
    check_mass(changed, made);
    assert_true(near_vec(lode_body_get_pose(changed).position, vec(0, 0, 9), 1e-5));
    after = lode_body_get_point_velocity(changed, origin, LODE_BODY_FRAME);
    assert_true(near_vec(before, after, 1e-5));

    lode_mass given = {.mass = 3, .inertia = {1, 1, 1, 0, 0, 0}};
    lode_body_set_mass(changed, &given);
    lode_shape_set_density(box, 9);
    assert_true(lode_body_get_mass(changed).mass == 3);
    lode_world_destroy(world);
}

/* However it is turned, its farthest points touch the bounds. */
static void bounds_of_cylinders_are_tight(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    lode_world world = lode_world_create(&world_def);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_shape_def def = lode_shape_def_default();
    lode_shape shape = lode_shape_create_cylinder(body, &def, R(0.5), 2);
    assert_int_equal(lode_shape_get_type(shape), LODE_CYLINDER);
    for (int i = 0; i <= 64; ++i) {
        double angle = i * 0.1; /* about x: the axis is (0, -sin, cos) */
        lode_quat q = {R(cos(angle / 2)), R(sin(angle / 2)), 0, 0};
        lode_body_set_pose(body, (lode_pose){vec(0, 0, 0), q});
        lode_bounds b = lode_shape_get_bounds(shape);
        double y = 2 * fabs(sin(angle)) + 0.5 * fabs(cos(angle));
        double z = 2 * fabs(cos(angle)) + 0.5 * fabs(sin(angle));
        assert_true(near_vec(b.upper, vec(R(0.5), R(y), R(z)), CLOSE * 10));
        assert_true(near_vec(b.lower, vec(R(-0.5), R(-y), R(-z)), CLOSE * 10));
    }
    lode_world_destroy(world);
}

static void bounds_and_poses_are_those_of_now(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    lode_world world = lode_world_create(&world_def);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_shape_def def = lode_shape_def_default();
    def.pose = at(1, 0, 0);
    lode_shape shape = lode_shape_create_capsule(body, &def, R(0.5), 2);
    const lode_real half = R(0.70710678118654752440);
    lode_body_set_pose(body, (lode_pose){vec(0, 0, 10), {half, 0, half, 0}}); /* z to x, x to -z */
    lode_pose pose = lode_shape_get_world_pose(shape);
    assert_true(near_vec(pose.position, vec(0, 0, 9), CLOSE * 10));
    lode_bounds b = lode_shape_get_bounds(shape);
    assert_true(near_vec(b.lower, vec(R(-2.5), R(-0.5), R(8.5)), CLOSE * 10));
    assert_true(near_vec(b.upper, vec(R(2.5), R(0.5), R(9.5)), CLOSE * 10));
    lode_bounds none = lode_shape_get_bounds(
        lode_shape_create_plane(add_body(world, LODE_STATIC, 0, 0, 0), &def, vec(0, 0, 1), 0));
    assert_true(none.lower.x < -R(1e38) && none.upper.z > R(1e38));
    lode_world_destroy(world);
}

static int contacts(lode_world world)
{
    return lode_world_get_contacts(world, NULL, 0);
}

/* Each change is met in the next step, whichever of the two shapes it is made on. */
static void contacts_follow_changes(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    world_def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&world_def);
    lode_shape_def def = lode_shape_def_default();
    lode_body still = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_body ball = add_body(world, LODE_DYNAMIC, 0, 0, 3);
    lode_shape slab = lode_shape_create_box(still, &def, vec(1, 1, 1));
    lode_shape sphere = lode_shape_create_sphere(ball, &def, 1);
    lode_shape plane = lode_shape_create_plane(still, &def, vec(0, 0, 1), -5);
    const lode_pose home = at(0, 0, 0);
#define STEPS_TO(count) \
    do { \
        lode_body_set_pose(ball, at(0, 0, 3)); \
        lode_body_set_linear_velocity(ball, vec(0, 0, 0)); \
        assert_int_equal(lode_world_step(world, STEP), LODE_OK); \
        assert_int_equal(contacts(world), count); \
    } while (0)
    STEPS_TO(0);
    lode_shape_set_box(slab, vec(1, 1, R(2.01)));
    STEPS_TO(1);
    lode_shape_set_box(slab, vec(1, 1, 1));
    STEPS_TO(0);
    lode_shape_set_pose(slab, at(0, 0, R(1.01)));
    STEPS_TO(1);
    lode_shape_set_pose(slab, home);
    STEPS_TO(0);
    lode_shape_set_sphere(sphere, R(2.01));
    STEPS_TO(1);
    lode_shape_set_sphere(sphere, 1);
    STEPS_TO(0);
    lode_shape_set_plane(plane, vec(0, 0, 1), R(2.01));
    STEPS_TO(1);
    lode_shape_set_pose(plane, at(0, 0, -1));
    STEPS_TO(0);
    lode_shape_set_pose(plane, (lode_pose){vec(0, 0, R(5.01)), {0, 1, 0, 0}}); /* upside down */
    STEPS_TO(1);
    lode_world_destroy(world);
}

/* ---- who may touch whom ---- */

/* A ball that falls on a box, and a bullet and a ray through it: what each rule says to the
 * bits. */
typedef struct meeting {
    bool touches, senses, stops, sees;
} meeting;

static meeting meet(lode_filter_rule rule, const uint64_t bits[4], bool set_later)
{
    lode_world_def def = lode_world_def_default();
    lode_body_def bullet_def = lode_body_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    if (!set_later)
        def.filter_rule = rule;
    lode_world world = lode_world_create(&def);
    shape_def.category = bits[0];
    shape_def.mask = bits[1];
    lode_shape box = lode_shape_create_box(add_body(world, LODE_STATIC, 0, 0, 0), &shape_def,
                                           vec(2, 2, 1));
    shape_def.category = bits[2];
    shape_def.mask = bits[3];
    lode_shape_create_sphere(add_body(world, LODE_DYNAMIC, 0, 0, R(1.19)), &shape_def, R(0.2));
    bullet_def.type = LODE_DYNAMIC;
    bullet_def.continuous = true;
    bullet_def.position = vec(1, 1, 9);
    bullet_def.linear_velocity = vec(0, 0, -2000);
    lode_body bullet = lode_body_create(world, &bullet_def);
    lode_shape_create_sphere(bullet, &shape_def, R(0.1));
    shape_def.sensor = true;
    lode_shape sensor = lode_shape_create_sphere(add_body(world, LODE_STATIC, 0, 0, 2), &shape_def,
                                                 R(1.5));
    lode_body moved = add_body(world, LODE_KINEMATIC, 0, 0, 0); /* a sensor sees no static shapes */
    shape_def.sensor = false;
    shape_def.category = bits[0];
    shape_def.mask = bits[1];
    lode_shape seen = lode_shape_create_sphere(moved, &shape_def, 1), found[4];
    if (set_later)
        assert_int_equal(lode_world_set_filter_rule(world, rule), LODE_OK);
    assert_int_equal(lode_world_get_def(world).filter_rule, rule);
    lode_world_step(world, STEP);
    lode_contact contacts[8];
    int count = lode_world_get_contacts(world, contacts, 8);
    meeting m = {.stops = lode_body_get_center(bullet).z > 0};
    for (int i = 0; i < count; ++i)
        m.touches = m.touches || contacts[i].shape_a.id == box.id ||
                    contacts[i].shape_b.id == box.id;
    count = lode_shape_get_overlaps(sensor, found, 4);
    for (int i = 0; i < count; ++i)
        m.senses = m.senses || found[i].id == seen.id;
    lode_query_filter filter = lode_query_filter_default();
    filter.category = bits[2];
    filter.mask = bits[3];
    lode_ray ray = {.origin = {R(1.5), -9, 0}, .direction = {0, 1, 0}, .length = 20};
    m.sees = filter.category + filter.mask > 0 && lode_world_test_ray(world, &ray, &filter);
    lode_world_destroy(world);
    return m;
}

static void rules_say_who_meets_whom(void **state)
{
    (void)state;
    for (int rule = 0; rule < LODE_FILTER_RULE_COUNT; ++rule)
        for (unsigned i = 0; i < 256; ++i) {
            const uint64_t bits[4] = {i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6 & 3};
            bool one = bits[0] & bits[3], two = bits[2] & bits[1];
            bool wanted = rule == LODE_FILTER_EITHER ? one || two : one && two;
            meeting m = meet((lode_filter_rule)rule, bits, i % 3 == 0);
            assert_int_equal(m.touches, wanted);
            assert_int_equal(m.senses, wanted);
            assert_int_equal(m.stops, wanted);
            assert_int_equal(m.sees, wanted);
        }
}

/* Set back, a world has the rule that it had. */
static void snapshots_hold_the_rule(void **state)
{
    (void)state;
    static char bytes[1 << 16];
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    size_t size = lode_world_snapshot(world, bytes, sizeof bytes);
    assert_true(size > 0 && size <= sizeof bytes);
    lode_world_set_filter_rule(world, LODE_FILTER_EITHER);
    lode_shape_def shape_def = lode_shape_def_default();
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    assert_int_equal(lode_world_get_def(world).filter_rule, LODE_FILTER_BOTH);
    shape_def.mask = 2; /* does not want those of category 1, but they want it */
    lode_shape_create_sphere(add_body(world, LODE_STATIC, 0, 0, 0), &shape_def, 1);
    shape_def.mask = 1;
    lode_shape_create_sphere(add_body(world, LODE_DYNAMIC, 0, 0, 1), &shape_def, 1);
    lode_world_step(world, STEP);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 0);
    lode_world_set_filter_rule(world, LODE_FILTER_EITHER);
    lode_world_step(world, STEP);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 1);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_read_back_as_they_stand),
        cmocka_unit_test(sizes_read_back),
        cmocka_unit_test(mass_follows_changes),
        cmocka_unit_test(bounds_of_cylinders_are_tight),
        cmocka_unit_test(bounds_and_poses_are_those_of_now),
        cmocka_unit_test(contacts_follow_changes),
        cmocka_unit_test(rules_say_who_meets_whom),
        cmocka_unit_test(snapshots_hold_the_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

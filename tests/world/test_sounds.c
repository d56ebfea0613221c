/* What sounds: impacts, rolling, sliding, one by one, against what must be by reckoning. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"
#include "world/sounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define R(x) ((lode_real)(x))

static const double g = 9.81;
static lode_world world;

static lode_world make_world(bool sleep, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = sleep;
    def.threads = threads;
    return lode_world_create(&def);
}

static int set_up(void **state)
{
    (void)state;
    report_install();
    world = make_world(false, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return 0;
}

static lode_sounds step(void)
{
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    return lode_world_get_sounds(world);
}

static void expect_counts(lode_sounds s, int impacts, int rolls, int slides)
{
    assert_int_equal(s.impact_count, impacts);
    assert_int_equal(s.roll_count, rolls);
    assert_int_equal(s.slide_count, slides);
}

static lode_shape_def asking(void)
{
    lode_shape_def def = lode_shape_def_default();
    def.sound_events = true;
    return def;
}

static lode_body dynamic(lode_real z, lode_vec3 linear, lode_vec3 angular)
{
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, z);
    lode_body_set_linear_velocity(body, linear);
    lode_body_set_angular_velocity(body, angular);
    return body;
}

static lode_shape asking_ball(lode_body body, lode_real radius)
{
    lode_shape_def def = asking();
    return lode_shape_create_sphere(body, &def, radius);
}

static lode_shape asking_box(lode_body body, lode_vec3 half)
{
    lode_shape_def def = asking();
    return lode_shape_create_box(body, &def, half);
}

/* ---- impacts ---- */

static void each_bounce_is_one_impact(void **state)
{
    (void)state;
    lode_shape_def def = asking();
    def.restitution = R(0.5);
    add_ground(world);
    lode_body body = dynamic(R(2.25), vec(0, 0, 0), vec(0, 0, 0));
    lode_shape ball = lode_shape_create_sphere(body, &def, R(0.25));
    double mass = (double)lode_body_get_mass(body).mass, fall = sqrt(2 * g * 2);
    int impacts = 0, bounces = 0;
    for (int i = 0; i < 160; ++i) {
        double before = (double)lode_body_get_linear_velocity(body).z;
        lode_sounds s = step();
        double after = (double)lode_body_get_linear_velocity(body).z;
        bounces += before < -1 && after > 0;
        impacts += s.impact_count;
        assert_int_equal(s.impact_count, before < -1 && after > 0);
        assert_int_equal(s.roll_count + s.slide_count, 0);
        if (s.impact_count == 0)
            continue;
        lode_impact_sound hit = s.impacts[0];
        double energy = mass * before * before / 2, left = mass * after * after / 2;
        assert_true(hit.contact.shape_b.id == ball.id && hit.contact.body_b.id == body.id);
        assert_true(near_vec(hit.contact.normal, vec(0, 0, -1), 1e-6));
        assert_true(near_vec(hit.contact.position, vec(0, 0, 0), 0.1));
        assert_true(near((double)hit.approach_speed, -before, 1e-5));
        assert_true(near((double)hit.speed, -before, 1e-5));
        assert_true(near((double)hit.energy, energy, energy * 1e-4));
        assert_true(near((double)hit.lost, energy - left, energy * 1e-4));
        if (impacts > 1)
            continue;
        /* a step that began up to g h before the floor was reached */
        assert_true(near((double)hit.approach_speed, fall, g * (double)STEP));
        assert_true(near((double)hit.energy, mass * g * 2, mass * fall * g * (double)STEP));
        assert_true(near((double)hit.lost, 0.75 * mass * g * 2, mass * fall * g * (double)STEP));
    }
    assert_int_equal(impacts, bounces);
    assert_int_equal(impacts, 3); /* 6.3, 3.1 and 1.6 m/s; the next is too slow */
}

static void an_oblique_hit_has_the_energy_of_its_approach(void **state)
{
    (void)state;
    add_ground(world);
    lode_body body = dynamic(R(0.505), vec(3, 0, -4), vec(0, 0, 0));
    asking_ball(body, R(0.5));
    double mass = (double)lode_body_get_mass(body).mass;
    lode_sounds s = step();
    expect_counts(s, 1, 0, 0); /* the scrape belongs to the impact */
    assert_true(near((double)s.impacts[0].speed, 5, 1e-4));
    assert_true(near((double)s.impacts[0].approach_speed, 4, 1e-4));
    assert_true(near((double)s.impacts[0].energy, mass * 8, mass * 8e-4));
}

static void strike_a_rod(bool rod_first)
{
    const double arm = 0.9;
    lode_shape_def def = asking();
    lode_body post = {0}, rod = {0};
    for (int i = 0; i < 2; ++i) {
        if ((i == 0) == rod_first) {
            rod = dynamic(0, vec(0, 0, R(-1.5)), vec(0, 0, 0));
            asking_box(rod, vec(1, R(0.1), R(0.1)));
        } else {
            post = add_body(world, LODE_KINEMATIC, R(arm), 0, R(-0.112));
            lode_body_set_linear_velocity(post, vec(0, 0, R(0.5)));
            lode_shape_create_sphere(post, &def, R(0.01));
        }
    }
    lode_mass mass = lode_body_get_mass(rod);
    double yield = 1 / (double)mass.mass + arm * arm / (double)mass.inertia[1];
    lode_sounds s = step();
    assert_int_equal(s.impact_count, 1);
    assert_true((s.impacts[0].contact.body_a.id == rod.id) == rod_first);
    assert_true(near((double)s.impacts[0].approach_speed, 2, 1e-5));
    assert_true(near((double)s.impacts[0].energy * yield, 2, 1e-3));
}

/* Struck at its end, a rod weighs less than it does. */
static void the_mass_is_that_at_the_contact(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        lode_world_destroy(world);
        world = make_world(false, 1);
        lode_world_set_gravity(world, vec(0, 0, 0));
        strike_a_rod(i);
    }
}

/* ---- rolling ---- */

static void a_ball_rolls_as_fast_as_it_turns(void **state)
{
    (void)state;
    add_ground(world);
    lode_body body = dynamic(R(0.25), vec(2, 0, 0), vec(0, 8, 0));
    asking_ball(body, R(0.25));
    for (int i = 0; i < 200; ++i) {
        lode_sounds s = step();
        if (i < 2 && s.roll_count == 0)
            continue; /* not pressed yet */
        expect_counts(s, 0, 1, 0);
        double v = (double)lode_body_get_linear_velocity(body).x;
        assert_true(near((double)s.rolls[0].angular_speed_b, v / 0.25, 0.04));
        assert_true(near((double)s.rolls[0].angular_speed_b, 8, 0.2));
        assert_true(s.rolls[0].angular_speed_a == 0);
        assert_true(s.rolls[0].angular_speed == s.rolls[0].angular_speed_b);
    }
    lode_body_set_angular_velocity(body, vec(0, R(0.05), 0));
    lode_body_set_linear_velocity(body, vec(R(0.0125), 0, 0));
    expect_counts(step(), 0, 0, 0); /* too slow */
}

/* Without slip on a drum that turns the other way; both also spin on the spot. */
static void rolling_tells_of_both_bodies(void **state)
{
    (void)state;
    for (int first = 0; first < 2; ++first) {
        lode_body drum = {0}, ball = {0};
        lode_world_destroy(world);
        world = make_world(false, 1);
        for (int i = 0; i < 2; ++i) {
            if ((i == 0) == first) {
                ball = dynamic(R(1.499), vec(0, 0, 0), vec(0, -4, 3));
                asking_ball(ball, R(0.5));
            } else {
                lode_shape_def def = lode_shape_def_default();
                drum = add_body(world, LODE_KINEMATIC, 0, 0, 0);
                lode_body_set_angular_velocity(drum, vec(0, 2, 3));
                lode_shape_create_sphere(drum, &def, 1);
            }
        }
        lode_sounds s = step();
        expect_counts(s, 0, 1, 0);
        const lode_roll_sound *roll = &s.rolls[0];
        assert_true((roll->contact.body_a.id == ball.id) == first);
        assert_true(near((double)roll->angular_speed_a, first ? 4 : 2, 0.02));
        assert_true(near((double)roll->angular_speed_b, first ? 2 : 4, 0.02));
        assert_true(near((double)roll->angular_speed, 6, 0.02));
    }
}

static void what_turns_together_does_not_roll(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    lode_body plate = add_body(world, LODE_KINEMATIC, 0, 0, R(-0.1));
    lode_body_set_angular_velocity(plate, vec(0, 1, 0));
    lode_shape_create_box(plate, &def, vec(1, 1, R(0.1)));
    asking_box(dynamic(R(0.1), vec(R(0.2), 0, 0), vec(0, 1, 0)), vec(R(0.3), R(0.3), R(0.1)));
    for (int i = 0; i < 4; ++i)
        expect_counts(step(), 0, 0, 0);
    lode_contact c;
    assert_int_equal(lode_world_get_contacts(world, &c, 1), 1);
    assert_true(c.points[0].impulse.z != 0);
}

static void what_spins_on_a_point_makes_no_sound(void **state)
{
    (void)state;
    add_ground(world);
    lode_body top = dynamic(R(0.25), vec(0, 0, 0), vec(0, 0, 20));
    asking_ball(top, R(0.25));
    for (int i = 0; i < 60; ++i)
        expect_counts(step(), 0, 0, 0);
    assert_true(lode_body_get_angular_velocity(top).z > 19);
}

static void a_ball_that_skids_does_both(void **state)
{
    (void)state;
    add_ground(world);
    lode_body ball = dynamic(R(0.2499), vec(5, 0, 0), vec(0, 0, 0));
    asking_ball(ball, R(0.25));
    int both = 0, last_slide = -1;
    for (int i = 0; i < 60; ++i) {
        lode_sounds s = step();
        double v = (double)lode_body_get_linear_velocity(ball).x;
        double w = (double)lode_body_get_angular_velocity(ball).y;
        both += s.roll_count && s.slide_count;
        last_slide = s.slide_count ? i : last_slide;
        if (s.slide_count)
            assert_true(near((double)s.slides[0].speed, v - w * 0.25, 0.01));
    }
    /* until 2/7 of its speed are lost, at mu g */
    assert_true(near(last_slide * (double)STEP, 5 * 2 / 7.0 / (0.6 * g), 3 * (double)STEP));
    assert_true(both >= last_slide - 2 && both > 10);
}

/* ---- sliding ---- */

static void a_box_slides_as_friction_lets_it(void **state)
{
    (void)state;
    add_ground(world);
    lode_body body = dynamic(R(0.25), vec(4, 0, 0), vec(0, 0, 0));
    lode_shape box = asking_box(body, vec(R(0.5), R(0.3), R(0.25)));
    double mass = (double)lode_body_get_mass(body).mass;
    lode_shape_set_friction(box, R(0.6)); /* as the ground's */
    int slides = 0;
    for (int i = 1; i <= 64; ++i) {
        lode_sounds s = step();
        assert_int_equal(s.impact_count + s.roll_count, 0);
        double v = 4 - 0.6 * g * i * (double)STEP;
        assert_int_equal(s.slide_count, v > 0.01);
        slides += s.slide_count;
        if (s.slide_count == 0 || i < 8)
            continue; /* settles first */
        assert_true(near((double)s.slides[0].speed, v, 0.05));
        assert_true(
            near((double)s.slides[0].speed, (double)lode_body_get_linear_velocity(body).x, 0.01));
        assert_true(near((double)s.slides[0].area, 0.6, 1e-3));
        assert_true(near((double)s.slides[0].power, 0.6 * mass * g * v, 0.05 * mass * g * 4));
        assert_true(near((double)s.slides[0].contact.impulse, mass * g * (double)STEP,
                         0.05 * mass * g * (double)STEP));
    }
    assert_true(slides > 40);
}

/* A box turned by 30 degrees on one that is too narrow for it: the polygon is cut. */
static void the_area_is_that_of_the_polygon(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    lode_body bench = add_body(world, LODE_KINEMATIC, 0, 0, R(-0.5));
    lode_shape_create_box(bench, &def, vec(4, R(0.2), R(0.5)));
    lode_body_set_linear_velocity(bench, vec(1, 0, 0));
    lode_body body = dynamic(R(0.25), vec(0, 0, 0), vec(0, 0, 0));
    lode_body_set_pose(body, (lode_pose){vec(0, 0, R(0.2499)),
                                         {R(cos(0.2617993878)), 0, 0, R(sin(0.2617993878))}});
    asking_box(body, vec(2, R(0.5), R(0.25)));
    lode_sounds s = step();
    expect_counts(s, 0, 0, 1);
    /* a parallelogram: 0.4 high, 1 / sin 30 long */
    assert_true(near((double)s.slides[0].area, 0.4 * 2, 1e-3));
    assert_true((double)s.slides[0].speed > 0.5 && (double)s.slides[0].speed < 1);
}

static double side_of(lode_vec3 a, lode_vec3 b, lode_vec3 p)
{
    return ((double)b.x - (double)a.x) * ((double)p.y - (double)a.y) -
           ((double)b.y - (double)a.y) * ((double)p.x - (double)a.x);
}

/* By the sides that have all points on their left. */
static double area_by_sides(const lode_vec3 *p, int count)
{
    double twice = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k) {
            bool outer = i != k;
            for (int l = 0; l < count; ++l)
                outer = outer && (l == i || l == k || side_of(p[i], p[k], p[l]) > 0);
            twice += outer ? (double)p[i].x * (double)p[k].y - (double)p[k].x * (double)p[i].y : 0;
        }
    return twice / 2;
}

static void any_points_have_their_area(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < 1000; ++i) {
        lode_vec3 p[4];
        int count = 3 + i % 2;
        for (int k = 0; k < count; ++k) {
            lode_real x[3];
            for (int axis = 0; axis < 3; ++axis) {
                random = random * 1664525u + 1013904223u;
                x[axis] = R(random >> 8) / R(1 << 23) - 1;
            }
            p[k] = vec(x[0], x[1], x[2]);
        }
        assert_true(
            near((double)lode__area_around(p, count, vec(0, 0, 1)), area_by_sides(p, count), 1e-5));
    }
}

/* A box that comes down on one side has that side's points apart from the others. */
static void points_apart_count_for_nothing(void **state)
{
    (void)state;
    const double tilt = 0.006;
    add_ground(world);
    lode_body body = dynamic(0, vec(0, 1, 0), vec(0, 0, 0));
    lode_body_set_pose(
        body, (lode_pose){vec(0, 0, R(0.2 + 0.5 * tilt - 0.0005)), {1, 0, R(tilt / 2), 0}});
    asking_box(body, vec(R(0.5), R(0.5), R(0.2)));
    lode_sounds s = step();
    lode_contact c;
    expect_counts(s, 0, s.roll_count, 1);
    assert_int_equal(lode_world_get_contacts(world, &c, 1), 1);
    assert_int_equal(c.point_count, 4);
    assert_true(s.slides[0].area == 0);
    for (int i = 0; i < 8; ++i)
        s = step();
    assert_true(near((double)s.slides[0].area, 1, 1e-3));
}

static void a_disc_that_spins_on_its_face_slides(void **state)
{
    (void)state;
    add_ground(world);
    lode_body body = dynamic(R(0.2), vec(0, 0, 0), vec(0, 0, 10));
    asking_box(body, vec(R(0.3), R(0.4), R(0.2)));
    lode_sounds s = step();
    for (int i = 0; i < 4; ++i)
        s = step();
    expect_counts(s, 0, 0, 1);
    double spin = (double)lode_body_get_angular_velocity(body).z;
    assert_true(spin > 5);
    assert_true(near((double)s.slides[0].speed, spin * 0.5, 0.05)); /* of its corners */
}

/* Sliding is of surfaces, not of bodies. */
static void belts_count(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    def.surface.motion = vec(2, 0, 0);
    lode_shape_create_box(add_body(world, LODE_STATIC, 0, 0, -1), &def, vec(20, 2, 1));
    lode_body body = dynamic(R(0.2499), vec(0, 0, 0), vec(0, 0, 0));
    asking_box(body, vec(R(0.5), R(0.5), R(0.25)));
    int slides = 0, last = 0;
    for (int i = 0; i < 64; ++i) {
        lode_sounds s = step();
        double v = (double)lode_body_get_linear_velocity(body).x;
        if (s.slide_count) {
            last = i;
            assert_true(near((double)s.slides[0].speed, 2 - v, 0.01));
        }
        slides += s.slide_count;
    }
    assert_true(near((double)lode_body_get_linear_velocity(body).x, 2, 0.01));
    assert_true(slides > 15 && last < 30); /* 2 m/s at 0.6 g: 22 steps */
}

/* ---- names ---- */

static lode_sound_contact drop_of(bool first, const char *floor, const char *fallen)
{
    lode_world_destroy(world);
    world = make_world(false, 1);
    lode_contact_properties table = lode_contact_properties_default();
    table.material1 = "steel";
    table.material2 = "wood";
    table.bump_sound = "clang";
    table.roll_sound = "rumble";
    table.slide_sound = "scratch";
    lode_world_set_contact_properties(world, &table, 1);
    lode_shape_def def = lode_shape_def_default();
    lode_body ball = {0}, ground = {0};
    lode_shape of_ball = {0}, of_ground;
    for (int i = 0; i < 2; ++i) { /* who comes first has the lower slot */
        if ((i == 0) == first) {
            ball = dynamic(R(0.505), vec(0, 0, -2), vec(0, 0, 0));
            of_ball = asking_ball(ball, R(0.5));
            lode_shape_set_material(of_ball, fallen);
        } else {
            ground = add_body(world, LODE_STATIC, 0, 0, -1);
            of_ground = lode_shape_create_box(ground, &def, vec(1, 1, 1));
            lode_shape_set_material(of_ground, floor);
        }
    }
    lode_sounds s = step();
    expect_counts(s, 1, 0, 0);
    assert_true((s.impacts[0].contact.shape_a.id == of_ball.id) == first);
    return s.impacts[0].contact;
}

static void expect_sounds(const lode_sound_contact *contact, const char *const names[3])
{
    for (int k = 0; k < LODE_SOUND_COUNT; ++k) {
        assert_string_equal(contact->sounds[k].name, names[k]);
        assert_true(contact->sounds[k].id > 0);
        assert_int_equal(contact->sounds[k].id, lode_world_find_sound(world, names[k]));
    }
}

static void both_orders_name_what_the_pair_says(void **state)
{
    (void)state;
    const char *const own[3] = {"clang", "rumble", "scratch"};
    const char *const plain[3] = {"bump", "roll", "slide"};
    for (int first = 0; first < 2; ++first) {
        lode_sound_contact c = drop_of(first, "wood", "steel");
        assert_string_equal(first ? c.material_a : c.material_b, "steel");
        assert_string_equal(first ? c.material_b : c.material_a, "wood");
        expect_sounds(&c, own);
        c = drop_of(first, "steel", "wood");
        assert_string_equal(first ? c.material_a : c.material_b, "wood");
        expect_sounds(&c, own);
        c = drop_of(first, NULL, "wood"); /* of which the table knows nothing */
        assert_null(first ? c.material_b : c.material_a);
        expect_sounds(&c, plain);
        c = drop_of(first, NULL, NULL);
        assert_true(!c.material_a && !c.material_b);
        for (int k = 0; k < LODE_SOUND_COUNT; ++k)
            assert_true(!c.sounds[k].name && c.sounds[k].id == 0);
    }
}

static void sounds_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(lode_world_find_sound(world, "clang"), 0);
    drop_of(true, "wood", "steel");
    assert_true(lode_world_find_sound(world, "clang") > 0);
    assert_true(lode_world_find_sound(world, "clang") != lode_world_find_sound(world, "rumble"));
    assert_int_equal(lode_world_find_sound(world, "plop"), 0);
    report_clear();
    assert_int_equal(lode_world_find_sound(world, NULL), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_find_sound", "name");
}

/* ---- who is not told of ---- */

static void only_who_asks_is_told(void **state)
{
    (void)state;
    add_ground(world);
    lode_shape_def def = lode_shape_def_default();
    def.impact_events = def.touch_events = true;
    lode_body body = dynamic(R(0.505), vec(3, 0, -3), vec(0, 3, 0));
    lode_shape ball = lode_shape_create_sphere(body, &def, R(0.5));
    for (int i = 0; i < 20; ++i)
        expect_counts(step(), 0, 0, 0);
    assert_int_equal(lode_shape_set_sound_events(ball, true), LODE_OK);
    assert_true(lode_shape_get_sound_events(ball));
    assert_true(step().roll_count == 1);
    assert_int_equal(lode_shape_set_sound_events(ball, false), LODE_OK);
    expect_counts(step(), 0, 0, 0);
    lode_shape_set_sound_events(ball, true);
    assert_true(step().roll_count == 1);
    lode_shape_set_sensor(ball, true); /* falls through the ground */
    for (int i = 0; i < 20; ++i)
        expect_counts(step(), 0, 0, 0);
    lode_shape_destroy(ball);
    expect_counts(step(), 0, 0, 0);
}

static void impacts_have_the_worlds_threshold(void **state)
{
    (void)state;
    add_ground(world);
    lode_world_set_impact_threshold(world, R(3.5));
    lode_body body = dynamic(R(0.505), vec(0, 0, -3), vec(0, 0, 0));
    asking_ball(body, R(0.5));
    expect_counts(step(), 0, 0, 0);
    lode_body_set_pose(body, (lode_pose){vec(0, 0, R(0.505)), {1, 0, 0, 0}});
    lode_body_set_linear_velocity(body, vec(0, 0, -4));
    expect_counts(step(), 1, 0, 0);
}

/* Not until it wakes, by a blow that makes it slide. */
static void what_sleeps_is_silent(void **state)
{
    (void)state;
    lode_world_destroy(world);
    world = make_world(true, 1);
    add_ground(world);
    lode_body body = dynamic(R(0.25), vec(1, 0, 0), vec(0, 0, 0));
    asking_box(body, vec(R(0.5), R(0.5), R(0.25)));
    assert_int_equal(step().slide_count, 1);
    for (int i = 0; i < 150; ++i)
        step();
    assert_false(lode_body_is_awake(body));
    expect_counts(lode_world_get_sounds(world), 0, 0, 0);
    lode_body_set_linear_velocity(body, vec(1, 0, 0));
    assert_int_equal(step().slide_count, 1);
}

static void halves_and_failures_tell_nothing(void **state)
{
    (void)state;
    add_ground(world);
    asking_ball(dynamic(R(0.25), vec(2, 0, 0), vec(0, 8, 0)), R(0.25));
    step();
    assert_int_equal(step().roll_count, 1);
    assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
    expect_counts(lode_world_get_sounds(world), 0, 0, 0);
    assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
    assert_int_equal(lode_world_get_sounds(world).roll_count, 1);
    assert_int_equal(lode_world_solve(world, STEP), LODE_OK); /* without contacts of shapes */
    expect_counts(lode_world_get_sounds(world), 0, 0, 0);
}

/* ---- scenes ---- */

static void add_crowd(lode_world w)
{
    lode_shape_def def = asking();
    lode_contact_properties table = lode_contact_properties_default();
    table.material1 = "glass";
    table.bump_sound = "clink";
    lode_world_set_contact_properties(w, &table, 1);
    add_ground(w);
    for (int i = 0; i < 200; ++i) {
        lode_body body = add_body(w, LODE_DYNAMIC, R(i % 14) * R(0.6), R(i / 14) * R(0.6),
                                  R(0.3) + R(i % 7) / 4);
        lode_body_set_linear_velocity(body, vec(R(i % 5 - 2), R(i % 3 - 1), 0));
        def.sound_events = i % 3 != 0;
        lode_shape shape = i % 2 ? lode_shape_create_sphere(body, &def, R(0.25))
                                 : lode_shape_create_box(body, &def, vec(R(0.2), R(0.2), R(0.2)));
        if (i % 4 == 0)
            lode_shape_set_material(shape, "glass");
    }
}

static bool same_contact(const lode_sound_contact *a, const lode_sound_contact *b)
{
    const uint64_t own = 0xffffff; /* the slot: generations differ from world to world */
    return (a->shape_a.id & own) == (b->shape_a.id & own) &&
           (a->shape_b.id & own) == (b->shape_b.id & own) &&
           memcmp(&a->position, &b->position, sizeof a->position) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->impulse == b->impulse &&
           a->sounds[LODE_SOUND_BUMP].id == b->sounds[LODE_SOUND_BUMP].id;
}

/* Two arrays of events are the same, but for handles. */
#define EXPECT_SAME(kind, same, a, b) \
    do { \
        assert_int_equal((a).kind##_count, (b).kind##_count); \
        for (int k = 0; k < (a).kind##_count; ++k) { \
            assert_true(same_contact(&(a).kind##s[k].contact, &(b).kind##s[k].contact)); \
            assert_true(same(&(a).kind##s[k], &(b).kind##s[k])); \
        } \
    } while (0)

static bool same_impact(const lode_impact_sound *a, const lode_impact_sound *b)
{
    return a->speed == b->speed && a->approach_speed == b->approach_speed &&
           a->energy == b->energy && a->lost == b->lost;
}

static bool same_roll(const lode_roll_sound *a, const lode_roll_sound *b)
{
    return a->angular_speed_a == b->angular_speed_a && a->angular_speed_b == b->angular_speed_b &&
           a->angular_speed == b->angular_speed;
}

static bool same_slide(const lode_slide_sound *a, const lode_slide_sound *b)
{
    return a->speed == b->speed && a->area == b->area && a->power == b->power;
}

static void expect_same(lode_sounds a, lode_sounds b)
{
    EXPECT_SAME(impact, same_impact, a, b);
    EXPECT_SAME(roll, same_roll, a, b);
    EXPECT_SAME(slide, same_slide, a, b);
}

static bool in_order(const lode_sound_contact *a, const lode_sound_contact *b)
{
    const uint64_t own = 0xffffff;
    uint64_t first = (a->shape_a.id & own) << 24 | (a->shape_b.id & own);
    return first <= ((b->shape_a.id & own) << 24 | (b->shape_b.id & own));
}

static void threads_change_nothing(void **state)
{
    (void)state;
    lode_world one = make_world(false, 1), four = make_world(false, 4);
    add_crowd(one);
    add_crowd(four);
    int impacts = 0, rolls = 0, slides = 0;
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(lode_world_step(one, STEP), LODE_OK);
        assert_int_equal(lode_world_step(four, STEP), LODE_OK);
        lode_sounds a = lode_world_get_sounds(one), b = lode_world_get_sounds(four);
        expect_same(a, b);
        for (int k = 1; k < a.slide_count; ++k)
            assert_true(in_order(&a.slides[k - 1].contact, &a.slides[k].contact));
        impacts += a.impact_count;
        rolls += a.roll_count;
        slides += a.slide_count;
    }
    assert_true(impacts > 50 && rolls > 500 && slides > 500);
    lode_world_destroy(one);
    lode_world_destroy(four);
}

static void a_snapshot_knows_who_asks(void **state)
{
    (void)state;
    add_crowd(world);
    for (int i = 0; i < 20; ++i)
        step();
    size_t size = lode_world_snapshot(world, NULL, 0);
    char *bytes = malloc(size);
    lode_world_snapshot(world, bytes, size);
    lode_world other = make_world(false, 1);
    assert_int_equal(lode_world_restore(other, bytes, size), LODE_OK);
    lode_sounds a = step();
    assert_true(a.impact_count + a.roll_count + a.slide_count > 20);
    assert_int_equal(lode_world_step(other, STEP), LODE_OK);
    lode_sounds b = lode_world_get_sounds(other);
    expect_same(a, b);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    expect_counts(lode_world_get_sounds(world), 0, 0, 0);
    lode_world_destroy(other);
    free(bytes);
}

static void memory_is_taken_before_solve(void **state)
{
    (void)state;
    lode_world_destroy(world);
    alloc_fail_install();
    world = make_world(false, 1);
    add_crowd(world);
    for (int i = 0; i < 40; ++i)
        step();
    alloc_fail_nth(-1);
    for (int i = 0; i < 20; ++i)
        step();
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    /* a first step that fails at each place in turn is tried again, and tells what it must */
    world = make_world(false, 1);
    add_ground(world);
    asking_ball(dynamic(R(0.505), vec(0, 0, -3), vec(0, 0, 0)), R(0.5));
    int failures = 0;
    for (int n = 0; n < 1000; ++n) {
        alloc_fail_nth(n);
        if (lode_world_step(world, STEP) == LODE_OK)
            break;
        expect_counts(lode_world_get_sounds(world), 0, 0, 0);
        ++failures;
    }
    alloc_fail_nth(-1);
    expect_counts(lode_world_get_sounds(world), 1, 0, 0);
    assert_true(failures > 3);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    world = make_world(false, 1);
}

/* What is too slow in metres is so in centimetres. */
static void centimetres_sound_as_metres(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        lode_world_def def = lode_world_def_default();
        lode_shape_def ice = asking();
        const lode_real unit = i ? 100 : 1;
        def.length_unit = unit;
        def.gravity = vec(0, 0, R(-9.81) * unit);
        ice.friction = 0;
        lode_world_destroy(world);
        world = lode_world_create(&def);
        add_ground(world);
        lode_body body = dynamic(R(0.25) * unit, vec(0, 0, 0), vec(0, 0, 0));
        lode_shape_create_box(body, &ice, vec(unit, unit, R(0.25) * unit));
        for (int k = 5; k <= 15; k += 5) {
            lode_body_set_linear_velocity(body, vec(R(k) / 1000 * unit, 0, 0));
            if (k != 10)
                expect_counts(step(), 0, 0, k > 10);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_bounce_is_one_impact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_oblique_hit_has_the_energy_of_its_approach, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_mass_is_that_at_the_contact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_ball_rolls_as_fast_as_it_turns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rolling_tells_of_both_bodies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_turns_together_does_not_roll, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_spins_on_a_point_makes_no_sound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_ball_that_skids_does_both, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_box_slides_as_friction_lets_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_area_is_that_of_the_polygon, set_up, tear_down),
        cmocka_unit_test(any_points_have_their_area),
        cmocka_unit_test_setup_teardown(points_apart_count_for_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_disc_that_spins_on_its_face_slides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(belts_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(both_orders_name_what_the_pair_says, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sounds_are_found_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_who_asks_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(impacts_have_the_worlds_threshold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_sleeps_is_silent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(halves_and_failures_tell_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_change_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_snapshot_knows_who_asks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_is_taken_before_solve, set_up, tear_down),
        cmocka_unit_test_setup_teardown(centimetres_sound_as_metres, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

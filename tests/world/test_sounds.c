/* Impacts, rolling and sliding as sounds, one by one, against what must be by reckoning. */
#include "tests/world/sounding.h"
#include "world/sounds.h"

#include <math.h>

static const double g = 9.81;

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
    assert_true(near_vec(s.impacts[0].contact.position, vec(R(arm), 0, R(-0.101)), 2e-3));
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

static void slide_a_box(bool box_first)
{
    lode_body body = {0};
    for (int i = 0; i < 2; ++i) {
        if ((i == 0) == box_first) {
            body = dynamic(R(0.25), vec(4, 0, 0), vec(0, 0, 0));
            asking_box(body, vec(R(0.5), R(0.3), R(0.25)));
        } else
            add_ground(world);
    }
    double mass = (double)lode_body_get_mass(body).mass, weight = mass * g;
    int slides = 0;
    for (int i = 1; i <= 64; ++i) {
        lode_sounds s = step();
        double v = 4 - 0.6 * g * i * (double)STEP;
        expect_counts(s, 0, 0, v > 0.01);
        slides += s.slide_count;
        if (s.slide_count == 0 || i < 8)
            continue; /* settles first */
        const lode_slide_sound *slide = &s.slides[0];
        assert_true((slide->contact.body_a.id == body.id) == box_first);
        assert_true(near((double)slide->speed, v, 0.05));
        assert_true(
            near((double)slide->speed, (double)lode_body_get_linear_velocity(body).x, 0.01));
        assert_true(near((double)slide->area, 0.6, 1e-3));
        assert_true(near((double)slide->power, 0.6 * weight * v, 0.05 * weight));
        assert_true(near((double)slide->contact.impulse, weight * (double)STEP,
                         0.05 * weight * (double)STEP));
    }
    assert_true(slides > 40);
}

static void a_box_slides_as_friction_lets_it(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        lode_world_destroy(world);
        world = make_world(false, 1);
        slide_a_box(i);
    }
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
        lode_vec3 p[12];
        int count = 3 + i % 10;
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

/* A box that leaves with one side, in which its points still touch. */
static void points_that_touch_count_without_a_push(void **state)
{
    (void)state;
    add_ground(world);
    asking_box(dynamic(R(0.1995), vec(0, 1, R(0.1)), vec(0, R(-0.3), 0)),
               vec(R(0.5), R(0.5), R(0.2)));
    lode_sounds s = step();
    lode_contact c;
    int pushed = 0;
    assert_int_equal(s.slide_count, 1);
    assert_int_equal(lode_world_get_contacts(world, &c, 1), 1);
    for (int i = 0; i < c.point_count; ++i)
        pushed += c.points[i].impulse.z != 0;
    assert_int_equal(pushed, 2);
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
        cmocka_unit_test_setup_teardown(points_that_touch_count_without_a_push, set_up, tear_down),
        cmocka_unit_test_setup_teardown(points_apart_count_for_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_disc_that_spins_on_its_face_slides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(belts_count, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

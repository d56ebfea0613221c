/* Contacts shown before they are solved: which are, what they say, and that what the application
 * makes of them is what then acts: belts, platforms that let pass from below, friction, refusal. */
#include "tests/world/support.h"

#include <math.h>
#include <string.h>

typedef struct log {
    int count, last_points;
    lode_contact_edit last;
    void (*then)(lode_contact_edit *contact);
} log_;

static log_ seen;
static lode_world world;
static lode_shape floor_shape, box_shape;

static void note(void *user, lode_contact_edit *contact)
{
    log_ *l = user;
    ++l->count;
    l->last = *contact;
    if (l->then)
        l->then(contact);
}

static lode_body box;

/* A floor and a box on it, 2 cm deep at most; the box asks. */
static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape = lode_shape_def_default();
    memset(&seen, 0, sizeof seen);
    def.editor = (lode_contact_editor){&seen, note};
    world = lode_world_create(&def);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, -1);
    shape.user_data = &seen;
    floor_shape = lode_shape_create_box(ground, &shape, vec(9, 9, 1));
    box = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.498);
    shape.edit_contacts = true;
    shape.user_data = NULL;
    box_shape = lode_shape_create_box(box, &shape, vec(1, 1, (lode_real)0.5));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count;
}

static void run(int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static void contacts_that_ask_are_shown(void **state)
{
    (void)state;
    assert_true(lode_shape_get_edit_contacts(box_shape));
    assert_false(lode_shape_get_edit_contacts(floor_shape));
    run(1);
    assert_int_equal(seen.count, 1);
    const lode_contact_edit *e = &seen.last;
    assert_true(e->shape_a.id == floor_shape.id && e->shape_b.id == box_shape.id);
    assert_true(e->user_data_a == &seen && !e->user_data_b && !e->refused);
    assert_int_equal(e->point_count, 4);
    assert_true(near((double)e->contact.depth, 0.002, 1e-5));
    assert_true(near_vec(e->contact.normal, vec(0, 0, -1), 1e-6));
    for (int k = 0; k < 4; ++k)
        assert_true(near(fabs((double)e->points[k].position.x), 1, 1e-5) &&
                    near((double)e->points[k].position.z, -0.001, 1e-5));
    assert_true(near((double)e->contact.friction[0], 0.6, 1e-6) && e->contact.restitution == 0 &&
                e->contact.bounce_speed == -1);
    assert_int_equal(lode_shape_set_edit_contacts(box_shape, false), LODE_OK);
    run(3);
    assert_int_equal(seen.count, 1);
    assert_int_equal(lode_shape_set_edit_contacts(floor_shape, true), LODE_OK);
    run(1);
    assert_int_equal(seen.count, 2);
    assert_int_equal(lode_world_set_contact_editor(world, NULL), LODE_OK);
    run(1);
    assert_int_equal(seen.count, 2);
}

static void carry(lode_contact_edit *e)
{
    e->contact.direction = vec(1, 0, 0);
    e->contact.motion[0] = -2; /* of body_a, which is the floor's, against the box */
}

static void a_belt_is_made_of_any_floor(void **state)
{
    (void)state;
    seen.then = carry;
    run(64);
    assert_true(near((double)lode_body_get_linear_velocity(box).x, 2, 1e-3));
    assert_true(near((double)lode_body_get_linear_velocity(box).y, 0, 1e-4));
    /* as it was left, it is shown anew: nothing is kept from step to step */
    assert_true(seen.last.contact.motion[0] == 0);
    seen.then = NULL;
    run(64);
    assert_true(near((double)lode_body_get_linear_velocity(box).x, 0, 1e-3));
}

static void grease(lode_contact_edit *e)
{
    e->contact.direction = vec(1, 1, 0);
    e->contact.friction[0] = 0;
}

static void friction_is_what_it_was_made(void **state)
{
    (void)state;
    seen.then = grease;
    lode_world_set_gravity(world, vec(2, 0, -10));
    run(64);
    lode_vec3 v = lode_body_get_linear_velocity(box);
    /* along the greased diagonal nothing holds, across it all */
    assert_true(near((double)(v.x + v.y) / 2, 2.0 / 2, 5e-3) && near((double)(v.x - v.y), 0, 5e-3));
}

/* Only who comes from above may stand on it: the floor is body_a, and the box must not rise. */
static void from_above(lode_contact_edit *e)
{
    e->refused = e->velocity.z < 0 || e->contact.depth > (lode_real)0.25;
}

static void a_platform_lets_pass_from_below(void **state)
{
    (void)state;
    seen.then = from_above;
    lode_body_set_pose(box, (lode_pose){vec(0, 0, -4), {1, 0, 0, 0}});
    lode_body_set_linear_velocity(box, vec(0, 0, 12));
    double highest = -4;
    for (int i = 0; i < 64 * 4; ++i) {
        run(1);
        highest = fmax(highest, (double)lode_body_get_pose(box).position.z);
    }
    assert_true(highest > 2.5); /* 12^2 / 20 - 4 = 3.3, and some step's length less */
    assert_true(near((double)lode_body_get_pose(box).position.z, 0.5, 0.02));
}

static void spoil(lode_contact_edit *e)
{
    e->contact.restitution = 2;
}

static void bad_values_are_reported_and_left(void **state)
{
    (void)state;
    seen.then = spoil;
    run(1);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_contact_editor.edit", "contacts.restitution");
    report_clear();
    seen.then = NULL;
    run(64);
    assert_true(near((double)lode_body_get_pose(box).position.z, 0.5, 0.01));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(contacts_that_ask_are_shown),      TEST(a_belt_is_made_of_any_floor),
        TEST(friction_is_what_it_was_made),     TEST(a_platform_lets_pass_from_below),
        TEST(bad_values_are_reported_and_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

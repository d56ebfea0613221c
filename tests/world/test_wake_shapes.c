/* Whom each public function that does something to a shape or a space wakes, and whom it does
 * not: a shape of a body that sleeps wakes its island, one of what does not sleep what rests on
 * that shape. */
#include "tests/world/classes.h"
#include "tests/world/wake_row.h"

static const lode_real half = (lode_real)0.5, other = (lode_real)0.51;

static lode_pose lowered(lode_shape shape)
{
    lode_pose pose = lode_shape_get_def(shape).pose;
    pose.position.z -= (lode_real)0.001;
    return pose;
}

/* --- what is done to a shape: to one's own, to one under it, and to one that touches nothing */

#define SHAPE(name, type, call) \
    static void name##_own(asleep *a) \
    { \
        lode_shape shape = a->own[type]; \
        call; \
    } \
    static void name##_under(asleep *a) \
    { \
        lode_shape shape = a->under[type]; \
        call; \
    }

#define BOX_SHAPE(name, call) \
    SHAPE(name, LODE_BOX, call) \
    static void name##_apart(asleep *a) \
    { \
        lode_shape shape = a->box_of_cart; \
        call; \
    }

BOX_SHAPE(pose, lode_shape_set_pose(shape, lowered(shape)))
BOX_SHAPE(world_pose, lode_shape_set_world_pose(shape, lode_shape_get_world_pose(shape)))
BOX_SHAPE(density, lode_shape_set_density(shape, 900))
BOX_SHAPE(friction, lode_shape_set_friction(shape, half))
BOX_SHAPE(surface, lode_shape_set_surface(shape, &(lode_surface){.slip = {half, half}}))
BOX_SHAPE(material, lode_shape_set_material(shape, "wood"))
BOX_SHAPE(restitution, lode_shape_set_restitution(shape, half))
BOX_SHAPE(filter, lode_shape_set_filter(shape, 1, 1))
BOX_SHAPE(refilter, lode_shape_refilter(shape))
BOX_SHAPE(off, lode_shape_set_enabled(shape, false))
BOX_SHAPE(still_on, lode_shape_set_enabled(shape, true))
BOX_SHAPE(sensor, lode_shape_set_sensor(shape, true))
BOX_SHAPE(no_sensor, lode_shape_set_sensor(shape, false))
BOX_SHAPE(touches, lode_shape_set_touch_events(shape, true))
BOX_SHAPE(no_touches, lode_shape_set_touch_events(shape, false))
BOX_SHAPE(impacts, lode_shape_set_impact_events(shape, true))
BOX_SHAPE(no_impacts, lode_shape_set_impact_events(shape, false))
BOX_SHAPE(edits, lode_shape_set_edit_contacts(shape, true))
BOX_SHAPE(no_edits, lode_shape_set_edit_contacts(shape, false))
BOX_SHAPE(sounds, lode_shape_set_sound_events(shape, true))
BOX_SHAPE(no_sounds, lode_shape_set_sound_events(shape, false))
BOX_SHAPE(user_data, lode_shape_set_user_data(shape, &report))
BOX_SHAPE(end, lode_shape_destroy(shape))
SHAPE(sphere, LODE_SPHERE, lode_shape_set_sphere(shape, other))
SHAPE(box, LODE_BOX, lode_shape_set_box(shape, vec(half, half, half)))
SHAPE(capsule, LODE_CAPSULE, lode_shape_set_capsule(shape, half, other))
SHAPE(cylinder, LODE_CYLINDER, lode_shape_set_cylinder(shape, half, half))
SHAPE(hull, LODE_HULL, lode_shape_set_hull(shape, a->hull))
SHAPE(mesh, LODE_MESH, lode_shape_set_mesh(shape, a->mesh))
SHAPE(parts, LODE_MESH, lode_shape_set_materials(shape, (const char *[]){"wood"}, 1))
SHAPE(field, LODE_HEIGHTFIELD, lode_shape_set_heightfield(shape, a->field))
SHAPE(custom, LODE_CUSTOM, lode_shape_set_custom(shape, a->egg))

static void plane(asleep *a)
{
    lode_shape_set_plane(a->plane, vec(0, 0, 1), 0);
}

/* --- shapes that change their bodies */

static lode_pose high_up(void)
{
    return (lode_pose){vec(0, 0, 40), {1, 0, 0, 0}};
}
static void from_one(asleep *a)
{
    lode_shape_set_body(a->own[LODE_BOX], a->support[LODE_HULL], high_up());
}
static void to_one(asleep *a)
{
    lode_shape_set_body(a->under[LODE_BOX], asleep_own(a, LODE_BOX), high_up());
}
static void between_two(asleep *a)
{
    lode_shape_set_body(a->own[LODE_BOX], asleep_own(a, LODE_HULL), high_up());
}
static void into_one(asleep *a)
{
    lode_pose pose = lode_body_get_pose(asleep_own(a, LODE_BOX));
    pose.position.x -= (lode_real)0.9;
    lode_shape_set_body(a->box_of_cart, a->ground, pose);
}

/* --- shapes that come: on one; on a support, away from what rests there; where one sleeps; a
 * sensor */

#define MAKE(name, make) \
    static void name##_on_one(asleep *a) \
    { \
        lode_shape_def def = lode_shape_def_default(); \
        lode_body body = asleep_own(a, LODE_BOX); \
        assert_true((make).id); \
    } \
    static void name##_on_support(asleep *a) \
    { \
        lode_shape_def def = lode_shape_def_default(); \
        def.pose.position = vec(-2, 0, -2); \
        lode_body body = a->support[LODE_BOX]; \
        assert_true((make).id); \
    } \
    static void name##_within(asleep *a) \
    { \
        lode_shape_def def = lode_shape_def_default(); \
        lode_vec3 at = lode_body_get_pose(asleep_own(a, LODE_BOX)).position; \
        def.pose.position = vec(at.x - (lode_real)0.1, at.y - (lode_real)0.1, at.z); \
        lode_body body = a->ground; \
        assert_true((make).id); \
    } \
    static void name##_to_sense(asleep *a) \
    { \
        lode_shape_def def = lode_shape_def_default(); \
        def.pose.position = lode_body_get_pose(asleep_own(a, LODE_BOX)).position; \
        def.sensor = true; \
        lode_body body = a->ground; \
        assert_true((make).id); \
    }

MAKE(new_sphere, lode_shape_create_sphere(body, &def, half))
MAKE(new_box, lode_shape_create_box(body, &def, vec(half, half, half)))
MAKE(new_capsule, lode_shape_create_capsule(body, &def, half, half))
MAKE(new_cylinder, lode_shape_create_cylinder(body, &def, half, half))
MAKE(new_hull, lode_shape_create_hull(body, &def, a->hull))
MAKE(new_mesh, lode_shape_create_mesh(body, &def, a->mesh))
MAKE(new_field, lode_shape_create_heightfield(body, &def, a->field))
MAKE(new_custom, lode_shape_create_custom(body, &def, a->egg))

static void add_plane(asleep *a, lode_body body, lode_real height, bool sensor)
{
    lode_shape_def def = lode_shape_def_default();
    def.sensor = sensor;
    assert_true(lode_shape_create_plane(body, &def, vec(0, 0, 1), height).id);
    (void)a;
}
static void new_plane_below(asleep *a)
{
    add_plane(a, a->support[LODE_BOX], -30, false);
}
static void new_plane_through(asleep *a)
{
    add_plane(a, a->ground, (lode_real)0.01, false);
}
static void new_plane_to_sense(asleep *a)
{
    add_plane(a, a->ground, 1, true);
}

/* --- shapes that are switched on where something sleeps */

static lode_shape switched_off(asleep *a, bool sensor)
{
    lode_shape_def def = lode_shape_def_default();
    def.pose.position = lode_body_get_pose(asleep_own(a, LODE_BOX)).position;
    def.pose.position.x -= (lode_real)0.9;
    def.enabled = sensor;
    def.sensor = sensor;
    lode_shape shape = lode_shape_create_box(a->ground, &def, vec(half, half, half));
    assert_true(shape.id);
    return shape;
}
static void on_within(asleep *a)
{
    lode_shape_set_enabled(switched_off(a, false), true);
}
static void solid_within(asleep *a)
{
    lode_shape_set_sensor(switched_off(a, true), false);
}

/* --- spaces */

static lode_space space_with(asleep *a, lode_shape shape)
{
    lode_space space = lode_space_create(a->world), within = lode_space_create(a->world);
    assert_int_equal(lode_space_set_parent(within, space), LODE_OK);
    assert_int_equal(lode_space_add(within, shape), LODE_OK);
    return space;
}
static void make_space(asleep *a)
{
    space_with(a, a->own[LODE_BOX]);
}
static void take_from_space(asleep *a)
{
    lode_space space = lode_space_create(a->world);
    lode_space_add(space, a->under[LODE_BOX]);
    lode_space_remove(space, a->under[LODE_BOX]);
}
static void end_space(asleep *a)
{
    lode_space_destroy(space_with(a, a->under[LODE_BOX]), false);
}
static void end_space_and_shapes(asleep *a)
{
    lode_space_destroy(space_with(a, a->under[LODE_BOX]), true);
}
static void space_off(asleep *a)
{
    lode_space_set_enabled(space_with(a, a->under[LODE_BOX]), false);
}
static void space_on(asleep *a)
{
    lode_space_set_enabled(space_with(a, a->under[LODE_BOX]), true);
}
static void mark_space(asleep *a)
{
    lode_space space = space_with(a, a->under[LODE_BOX]);
    lode_space_set_user_data(space, a);
    lode_space_set_category(space, 2);
    lode_space_set_mask(space, 2);
    lode_space_set_sublevel(space, 1);
}

#define ALL_ON_GROUND \
    (OWN(LODE_SPHERE) | OWN(LODE_BOX) | OWN(LODE_CAPSULE) | OWN(LODE_CYLINDER) | OWN(LODE_MESH) | \
     OWN(LODE_HULL) | OWN(LODE_HEIGHTFIELD) | OWN(LODE_CUSTOM))

#define CHANGES(function, name, type) \
    ROW(function, "one's own", name##_own, OWN(type), 0), \
        ROW(function, "under one", name##_under, ON(type), 0)
#define BOX_CHANGES(function, name) \
    CHANGES(function, name, LODE_BOX), \
        ROW(function, "of what touches nothing", name##_apart, NOBODY, 0)
#define NO_CHANGES(function, name, what) \
    ROW(function, what, name##_own, NOBODY, 0), ROW(function, what, name##_under, NOBODY, 0), \
        ROW(function, what, name##_apart, NOBODY, 0)
#define COMES(function, name) \
    ROW(function, "on one", name##_on_one, OWN(LODE_BOX), 0), \
        ROW(function, "on a support, beside", name##_on_support, NOBODY, 0), \
        ROW(function, "where one sleeps", name##_within, NOBODY, OWN(LODE_BOX)), \
        ROW(function, "a sensor", name##_to_sense, NOBODY, 0)

/* clang-format off */
static const wake_row rows[] = {
    COMES(lode_shape_create_sphere, new_sphere),
    COMES(lode_shape_create_box, new_box),
    COMES(lode_shape_create_capsule, new_capsule),
    COMES(lode_shape_create_cylinder, new_cylinder),
    COMES(lode_shape_create_hull, new_hull),
    COMES(lode_shape_create_mesh, new_mesh),
    COMES(lode_shape_create_heightfield, new_field),
    COMES(lode_shape_create_custom, new_custom),
    ROW(lode_shape_create_plane, "that nothing touches", new_plane_below, NOBODY, 0),
    ROW(lode_shape_create_plane, "that all touch", new_plane_through, NOBODY, ALL_ON_GROUND),
    ROW(lode_shape_create_plane, "a sensor", new_plane_to_sense, NOBODY, 0),
    BOX_CHANGES(lode_shape_destroy, end),
    BOX_CHANGES(lode_shape_set_pose, pose),
    BOX_CHANGES(lode_shape_set_world_pose, world_pose),
    ROW(lode_shape_set_body, "from one to a support", from_one, OWN(LODE_BOX), 0),
    ROW(lode_shape_set_body, "from a support to one", to_one, ON(LODE_BOX) | OWN(LODE_BOX), 0),
    ROW(lode_shape_set_body, "from one to another", between_two, OWN(LODE_BOX) | OWN(LODE_HULL), 0),
    ROW(lode_shape_set_body, "to where one sleeps", into_one, NOBODY, OWN(LODE_BOX)),
    BOX_CHANGES(lode_shape_set_density, density),
    BOX_CHANGES(lode_shape_set_friction, friction),
    BOX_CHANGES(lode_shape_set_surface, surface),
    BOX_CHANGES(lode_shape_set_material, material),
    BOX_CHANGES(lode_shape_set_restitution, restitution),
    BOX_CHANGES(lode_shape_set_filter, filter),
    BOX_CHANGES(lode_shape_refilter, refilter),
    BOX_CHANGES(lode_shape_set_enabled, off),
    BOX_CHANGES(lode_shape_set_sensor, sensor),
    BOX_CHANGES(lode_shape_set_touch_events, touches),
    BOX_CHANGES(lode_shape_set_impact_events, impacts),
    BOX_CHANGES(lode_shape_set_edit_contacts, edits),
    BOX_CHANGES(lode_shape_set_sound_events, sounds),
    NO_CHANGES(lode_shape_set_enabled, still_on, "the same"),
    NO_CHANGES(lode_shape_set_sensor, no_sensor, "the same"),
    NO_CHANGES(lode_shape_set_touch_events, no_touches, "the same"),
    NO_CHANGES(lode_shape_set_impact_events, no_impacts, "the same"),
    NO_CHANGES(lode_shape_set_edit_contacts, no_edits, "the same"),
    NO_CHANGES(lode_shape_set_sound_events, no_sounds, "the same"),
    NO_CHANGES(lode_shape_set_user_data, user_data, "of any"),
    ROW(lode_shape_set_enabled, "where one sleeps", on_within, NOBODY, OWN(LODE_BOX)),
    ROW(lode_shape_set_sensor, "solid where one sleeps", solid_within, NOBODY, OWN(LODE_BOX)),
    CHANGES(lode_shape_set_sphere, sphere, LODE_SPHERE),
    CHANGES(lode_shape_set_box, box, LODE_BOX),
    CHANGES(lode_shape_set_capsule, capsule, LODE_CAPSULE),
    CHANGES(lode_shape_set_cylinder, cylinder, LODE_CYLINDER),
    CHANGES(lode_shape_set_hull, hull, LODE_HULL),
    CHANGES(lode_shape_set_mesh, mesh, LODE_MESH),
    CHANGES(lode_shape_set_materials, parts, LODE_MESH),
    CHANGES(lode_shape_set_heightfield, field, LODE_HEIGHTFIELD),
    CHANGES(lode_shape_set_custom, custom, LODE_CUSTOM),
    ROW(lode_shape_set_plane, "under all", plane, ALL_ON_GROUND, 0),
    ROW(lode_space_create, "", make_space, NOBODY, 0),
    ROW(lode_space_set_parent, "", make_space, NOBODY, 0),
    ROW(lode_space_add, "", make_space, NOBODY, 0),
    ROW(lode_space_remove, "", take_from_space, NOBODY, 0),
    ROW(lode_space_destroy, "without its shapes", end_space, NOBODY, 0),
    ROW(lode_space_destroy, "with what is under one", end_space_and_shapes, ON(LODE_BOX), 0),
    ROW(lode_space_set_enabled, "off", space_off, ON(LODE_BOX), 0),
    ROW(lode_space_set_enabled, "the same", space_on, NOBODY, 0),
    ROW(lode_space_set_user_data, "", mark_space, NOBODY, 0),
    ROW(lode_space_set_category, "", mark_space, NOBODY, 0),
    ROW(lode_space_set_mask, "", mark_space, NOBODY, 0),
    ROW(lode_space_set_sublevel, "", mark_space, NOBODY, 0),
};
/* clang-format on */

static void each_call_wakes_whom_it_should(void **state)
{
    (void)state;
    wake_rows_run(rows, sizeof rows / sizeof *rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_wakes_whom_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Materials and the table of contact properties: what is refused and by which name, which entry of
 * the table serves whom, and what contacts then have, by hand: frictions and their directions from
 * either side and in either order of shapes, how many points, in snapshots too. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include "collide/mix.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define R(x) ((lode_real)(x))

static lode_world world;

static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count;
}

static lode_contact_properties of_pair(const char *a, const char *b)
{
    lode_contact_properties p = lode_contact_properties_default();
    p.material1 = a;
    p.material2 = b;
    return p;
}

static void give(const lode_contact_properties *p, int count)
{
    assert_int_equal(lode_world_set_contact_properties(world, p, count), LODE_OK);
}

/* --- arguments */

static void the_defaults_are_those_of_the_page(void **state)
{
    (void)state;
    lode_contact_properties p = lode_contact_properties_default();
    assert_string_equal(p.material1, "default");
    assert_string_equal(p.material2, "default");
    assert_int_equal(p.friction_count, 1);
    assert_true(p.friction[0] == 1);
    assert_true(p.friction_rotation[0] == 0 && p.friction_rotation[1] == 0);
    for (int k = 0; k < 3; ++k)
        assert_true(p.rolling_friction[k] == 0);
    assert_true(p.bounce == (lode_real)0.5);
    assert_true(p.bounce_velocity == (lode_real)0.01);
    assert_int_equal(p.slip_count, 1);
    assert_true(p.force_dependent_slip[0] == 0);
    assert_true(p.soft_erp == (lode_real)0.2);
    assert_true(p.soft_cfm == (lode_real)0.001);
    assert_string_equal(p.bump_sound, "bump");
    assert_string_equal(p.roll_sound, "roll");
    assert_string_equal(p.slide_sound, "slide");
    assert_int_equal(p.max_contacts, 10);
}

/* One bad entry behind a good one; the table that was there stays. */
#define REFUSES(field, argument, ...) \
    do { \
        lode_contact_properties pair[2] = {of_pair("a", "b"), of_pair("a", "c")}; \
        static const lode_real bad[] = {__VA_ARGS__}; \
        for (size_t i_ = 0; i_ < sizeof bad / sizeof *bad; ++i_) { \
            pair[1].field = bad[i_]; \
            EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "properties[1]." argument, \
                           lode_world_set_contact_properties, world, pair, 2); \
        } \
        assert_int_equal(lode_world_get_contact_properties(world, NULL, 0), 1); \
    } while (0)

static void bad_values_are_refused_by_field(void **state)
{
    (void)state;
    lode_contact_properties p = of_pair("x", "y");
    give(&p, 1);
    REFUSES(friction[0], "friction", (lode_real)-0.5, -2, (lode_real)NAN);
    REFUSES(rolling_friction[2], "rolling_friction", (lode_real)-0.5, -2, (lode_real)NAN);
    REFUSES(friction_rotation[1], "friction_rotation", (lode_real)INFINITY, (lode_real)NAN);
    REFUSES(bounce, "bounce", (lode_real)-0.01, (lode_real)1.01, (lode_real)NAN);
    REFUSES(bounce_velocity, "bounce_velocity", (lode_real)-1, (lode_real)INFINITY, (lode_real)NAN);
    REFUSES(force_dependent_slip[0], "force_dependent_slip", -1, (lode_real)INFINITY,
            (lode_real)NAN);
    REFUSES(soft_erp, "soft_erp", (lode_real)-0.1, (lode_real)1.1, (lode_real)NAN);
    REFUSES(soft_cfm, "soft_cfm", 0, (lode_real)-0.1, (lode_real)INFINITY, (lode_real)NAN);
}

static void bad_counts_and_names_are_refused(void **state)
{
    (void)state;
    char long_name[LODE_MATERIAL_NAME + 2];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    struct {
        int *at;
        int bad;
        const char *argument;
    } counts[4];
    lode_contact_properties p = of_pair("a", "b");
    counts[0].at = counts[1].at = &p.friction_count;
    counts[2].at = &p.slip_count;
    counts[3].at = &p.max_contacts;
    counts[0].bad = counts[2].bad = counts[3].bad = 0;
    counts[1].bad = 5;
    counts[0].argument = counts[1].argument = "properties[0].friction_count";
    counts[2].argument = "properties[0].slip_count";
    counts[3].argument = "properties[0].max_contacts";
    for (int i = 0; i < 4; ++i) {
        int good = *counts[i].at;
        *counts[i].at = counts[i].bad;
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, counts[i].argument, lode_world_set_contact_properties,
                       world, &p, 1);
        *counts[i].at = good;
    }
    const char **const names[] = {&p.material1, &p.material2, &p.bump_sound, &p.roll_sound,
                                  &p.slide_sound};
    static const char *const fields[] = {"properties[0].material1", "properties[0].material2",
                                         "properties[0].bump_sound", "properties[0].roll_sound",
                                         "properties[0].slide_sound"};
    const char *const bad[] = {NULL, "", long_name};
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 3; ++k) {
            const char *good = *names[i];
            *names[i] = bad[k];
            EXPECT_REFUSED(LODE_ERROR_ARGUMENT, fields[i], lode_world_set_contact_properties, world,
                           &p, 1);
            *names[i] = good;
        }
    long_name[LODE_MATERIAL_NAME] = 0; /* just as long as may be */
    p.material1 = long_name;
    give(&p, 1);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "count", lode_world_set_contact_properties, world, &p, -1);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "properties", lode_world_set_contact_properties, world,
                   NULL, 1);
    p.abi = 0;
    EXPECT_REFUSED(LODE_ERROR_ABI, "properties", lode_world_set_contact_properties, world, &p, 1);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "world", lode_world_set_contact_properties, (lode_world){0},
                   &p, 1);
}

/* --- the table */

static void what_was_given_is_told(void **state)
{
    (void)state;
    lode_contact_properties p = of_pair("rubber", "ice"), told[2];
    p.friction_count = 4;
    for (int k = 0; k < 4; ++k)
        p.friction[k] = k == 2 ? -1 : (lode_real)(k + 1) / 8;
    p.slip_count = 3;
    p.force_dependent_slip[1] = (lode_real)0.25;
    p.force_dependent_slip[2] = (lode_real)0.5;
    p.friction_rotation[1] = (lode_real)0.75;
    p.rolling_friction[0] = -1;
    p.rolling_friction[2] = (lode_real)0.125;
    p.bounce = 1;
    p.bounce_velocity = 2;
    p.soft_erp = 1;
    p.soft_cfm = 3;
    p.bump_sound = "thud";
    p.roll_sound = "hum";
    p.slide_sound = "hiss";
    p.max_contacts = 2;
    give(&p, 1);
    assert_int_equal(lode_world_get_contact_properties(world, told, 2), 1);
    const lode_contact_properties *t = &told[0];
    assert_string_equal(t->material1, "rubber");
    assert_string_equal(t->material2, "ice");
    assert_string_equal(t->bump_sound, "thud");
    assert_string_equal(t->roll_sound, "hum");
    assert_string_equal(t->slide_sound, "hiss");
    assert_memory_equal(t->friction, p.friction, sizeof p.friction);
    assert_memory_equal(t->force_dependent_slip, p.force_dependent_slip,
                        sizeof p.force_dependent_slip);
    assert_memory_equal(t->friction_rotation, p.friction_rotation, sizeof p.friction_rotation);
    assert_memory_equal(t->rolling_friction, p.rolling_friction, sizeof p.rolling_friction);
    assert_true(t->bounce == 1 && t->bounce_velocity == 2 && t->soft_erp == 1 && t->soft_cfm == 3);
    assert_true(t->friction_count == 4 && t->slip_count == 3 && t->max_contacts == 2);
    give(NULL, 0);
    assert_int_equal(lode_world_get_contact_properties(world, NULL, 0), 0);
}

/* Many pairs, some more than once, in random order: by a search from the beginning. */
static void the_first_that_matches_serves(void **state)
{
    enum { PAIRS = 300, NAMES = 20 };
    (void)state;
    static char names[NAMES][8];
    static lode_contact_properties table[PAIRS];
    unsigned random = 1;
    for (int i = 0; i < NAMES; ++i)
        snprintf(names[i], sizeof names[i], i ? "m%d" : "default", i);
    for (int i = 0; i < PAIRS; ++i) {
        random = random * 1664525u + 1013904223u;
        table[i] = of_pair(names[random >> 8 & 15], names[random >> 20 & 15]);
        table[i].friction[0] = (lode_real)(i + 2);
    }
    give(table, PAIRS);
    for (int a = 0; a < NAMES; ++a)
        for (int b = 0; b < NAMES; ++b) {
            lode_real friction = 1; /* the defaults' */
            for (int i = PAIRS - 1; i >= 0; --i)
                if ((!strcmp(table[i].material1, names[a]) &&
                     !strcmp(table[i].material2, names[b])) ||
                    (!strcmp(table[i].material1, names[b]) &&
                     !strcmp(table[i].material2, names[a])))
                    friction = table[i].friction[0];
            lode_contact_properties found = lode_world_find_contact_properties(
                world, a ? names[a] : NULL, names[b]);
            assert_true(found.friction[0] == friction);
        }
}

static void shapes_have_materials(void **state)
{
    (void)state;
    lode_body ball = add_ball(world, 0, 0, 5, 1);
    lode_shape shape;
    assert_int_equal(lode_body_get_shapes(ball, &shape, 1), 1);
    assert_null(lode_shape_get_material(shape));
    assert_int_equal(lode_shape_set_material(shape, "wood"), LODE_OK);
    assert_string_equal(lode_shape_get_material(shape), "wood");
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "material", lode_shape_set_material, shape, "");
    assert_string_equal(lode_shape_get_material(shape), "wood");
    assert_int_equal(lode_shape_set_material(shape, NULL), LODE_OK);
    assert_null(lode_shape_get_material(shape));
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "shape", lode_shape_set_material, (lode_shape){0}, "wood");
}

/* --- contacts */

typedef struct pair {
    lode_shape floor, box;
} pair;

/* A floor, turned about the vertical by 0.5, and a box on it, turned by 1.2; which is made first
 * decides which is shape_a. */
static pair make_pair(bool box_first)
{
    pair p;
    for (int i = 0; i < 2; ++i) {
        bool box = (i == 0) == box_first;
        lode_real half = box ? (lode_real)0.6 : (lode_real)0.25;
        lode_body_def def = lode_body_def_default();
        lode_shape_def shape = lode_shape_def_default();
        def.type = box ? LODE_DYNAMIC : LODE_STATIC;
        def.position = vec(0, 0, box ? (lode_real)0.499 : 0);
        def.rotation = (lode_quat){(lode_real)cos((double)half), 0, 0,
                                   (lode_real)sin((double)half)};
        lode_body body = lode_body_create(world, &def);
        if (box)
            p.box = lode_shape_create_box(body, &shape, vec(1, 1, (lode_real)0.5));
        else
            p.floor = lode_shape_create_plane(body, &shape, vec(0, 0, 1), 0);
    }
    assert_int_equal(lode_shape_set_material(p.floor, "floor"), LODE_OK);
    assert_int_equal(lode_shape_set_material(p.box, "box"), LODE_OK);
    return p;
}

/* The one contact of the world, after a step. */
static const lode__manifold *touch(void)
{
    lode__world *w;
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_int_equal(lode__open_world(&w, world, __func__), LODE_OK);
    assert_int_equal(w->collide.touching_count, 1);
    return w->collide.touching[0];
}

/* That the contact holds mu1 along a direction, up to its sign, and mu2 across it. */
static void expect_friction(double angle, double mu1, double mu2)
{
    const lode__manifold *m = touch();
    double along = fabs((double)m->tangent.x * cos(angle) + (double)m->tangent.y * sin(angle));
    bool crossed = along < 0.5; /* the other direction is named first */
    double first = (double)m->friction[crossed], second = (double)m->friction[!crossed];
    assert_true(fabs((crossed ? sqrt(1 - along * along) : along) - 1) < 1e-5);
    assert_true(fabs(first - mu1) <= 1e-5 * mu1 && fabs(second - mu2) <= 1e-5 * mu2);
}

static void four_values_meet_in_either_order(void **state)
{
    (void)state;
    for (int order = 0; order < 4; ++order) {
        bool box_first = order & 1, turned = order & 2;
        lode_contact_properties p = turned ? of_pair("box", "floor") : of_pair("floor", "box");
        pair made = make_pair(box_first);
        lode_real *of_floor = &p.friction[turned ? 2 : 0], *of_box = &p.friction[turned ? 0 : 2];
        p.friction_count = 4;
        /* the floor's are a circle: the box's directions stay, each a geometric mean */
        of_floor[0] = of_floor[1] = (lode_real)0.4;
        of_box[0] = (lode_real)0.1;
        of_box[1] = (lode_real)0.9;
        give(&p, 1);
        expect_friction(1.2, sqrt(0.4 * 0.1), sqrt(0.4 * 0.9));
        /* the box's are a circle, and the floor's directions are turned as seen from above */
        of_floor[0] = (lode_real)0.2;
        of_floor[1] = (lode_real)0.8;
        of_box[0] = of_box[1] = (lode_real)0.5;
        p.friction_rotation[turned] = (lode_real)0.3;
        give(&p, 1);
        expect_friction(0.5 + 0.3, sqrt(0.2 * 0.5), sqrt(0.8 * 0.5));
        /* the same of the box, whose face looks down: seen from outside it turns the other way */
        of_floor[0] = of_floor[1] = (lode_real)0.5;
        of_box[0] = (lode_real)0.2;
        of_box[1] = (lode_real)0.8;
        p.friction_rotation[turned] = 0;
        p.friction_rotation[!turned] = (lode_real)0.3;
        give(&p, 1);
        expect_friction(1.2 - 0.3, sqrt(0.2 * 0.5), sqrt(0.8 * 0.5));
        /* both are ellipses along the same directions */
        p.friction_rotation[!turned] = (lode_real)0.7; /* 1.2 - 0.7 = 0.5 */
        of_floor[0] = (lode_real)0.3;
        of_floor[1] = (lode_real)0.6;
        give(&p, 1);
        expect_friction(0.5, sqrt(0.2 * 0.3), sqrt(0.8 * 0.6));
        /* none and infinite ones likewise; what one side has none of the contact has none of */
        static const struct {
            lode_real floor[2], box[2], low, high[2];
        } extremes[] = {{{0, -1}, {0, -1}, R(0.002), {5000, R(1e30)}},
                        {{0, -1}, {-1, 0}, R(0.002), {0, R(0.002)}},
                        {{0, -1}, {R(0.5), R(0.5)}, R(0.002), {50, R(1e30)}},
                        {{-1, -1}, {R(0.5), R(1e-3)}, 50, {50, R(1e30)}}};
        for (size_t k = 0; k < sizeof extremes / sizeof *extremes; ++k) {
            memcpy(of_floor, extremes[k].floor, sizeof extremes[k].floor);
            memcpy(of_box, extremes[k].box, sizeof extremes[k].box);
            give(&p, 1);
            const lode__manifold *m = touch();
            lode_real low = r_min(m->friction[0], m->friction[1]);
            lode_real high = r_max(m->friction[0], m->friction[1]);
            assert_true(low >= 0 && low < extremes[k].low);
            assert_true(high >= extremes[k].high[0] && high < extremes[k].high[1]);
        }
        lode_body_destroy(lode_shape_get_body(made.floor));
        lode_body_destroy(lode_shape_get_body(made.box));
    }
}

static void fewer_values_are_shared_out(void **state)
{
    (void)state;
    for (int box_first = 0; box_first < 2; ++box_first) {
        pair made = make_pair(box_first);
        lode_contact_properties p = of_pair("floor", "box");
        p.friction[0] = (lode_real)0.3;
        p.friction[1] = (lode_real)0.6;
        p.friction[2] = (lode_real)0.5;
        give(&p, 1); /* one */
        const lode__manifold *m = touch();
        assert_true(m->friction[0] == m->friction[1] && fabs((double)m->friction[0] - 0.3) < 1e-6);
        p.friction_count = 3; /* the floor's two, the box's one */
        give(&p, 1);
        expect_friction(0.5, sqrt(0.3 * 0.5), sqrt(0.6 * 0.5));
        p.friction_count = 2; /* for both; the box's turned to the floor's directions */
        p.friction_rotation[1] = (lode_real)0.7;
        give(&p, 1);
        expect_friction(0.5, 0.3, 0.6);
        lode_body_destroy(lode_shape_get_body(made.floor));
        lode_body_destroy(lode_shape_get_body(made.box));
    }
}

static void other_shapes_use_the_first_value(void **state)
{
    (void)state;
    lode_contact_properties p = of_pair("floor", "ball");
    lode_shape ball;
    pair made = make_pair(false);
    lode_body_destroy(lode_shape_get_body(made.box));
    lode_body body = add_ball(world, 0, 0, (lode_real)0.499, (lode_real)0.5);
    lode_body_get_shapes(body, &ball, 1);
    lode_shape_set_material(ball, "ball");
    p.friction_count = 4;
    p.friction[0] = (lode_real)0.2;
    p.friction[1] = (lode_real)0.8;
    p.friction[2] = (lode_real)0.5;
    p.friction[3] = 7;
    give(&p, 1);
    expect_friction(0.5, sqrt(0.2 * 0.5), sqrt(0.8 * 0.5));
}

/* --- each face */

/* A face's outward normal and first direction, in the shape's axes. */
typedef struct face {
    lode_shape_type type;
    lode_vec3 normal, along;
} face;

static const face faces[] = {
    {LODE_BOX, {1, 0, 0}, {0, 1, 0}},
    {LODE_BOX, {-1, 0, 0}, {0, 1, 0}},
    {LODE_BOX, {0, 1, 0}, {0, 0, 1}},
    {LODE_BOX, {0, -1, 0}, {0, 0, 1}},
    {LODE_BOX, {0, 0, 1}, {1, 0, 0}},
    {LODE_BOX, {0, 0, -1}, {1, 0, 0}},
    {LODE_CYLINDER, {0, 0, 1}, {1, 0, 0}},
    {LODE_CYLINDER, {0, 0, -1}, {1, 0, 0}},
    {LODE_CYLINDER, {1, 0, 0}, {0, 1, 0}},
    {LODE_CYLINDER, {0, 1, 0}, {-1, 0, 0}},
    {LODE_CYLINDER, {(lode_real)-0.8, (lode_real)0.6, 0}, {(lode_real)-0.6, (lode_real)-0.8, 0}},
    {LODE_PLANE, {0, 0, 1}, {1, 0, 0}},
    {LODE_PLANE, {0, 1, 0}, {1, 0, 0}},
    {LODE_PLANE, {0, (lode_real)0.6, (lode_real)0.8}, {1, 0, 0}},
    {LODE_PLANE, {1, 0, 0}, {0, 1, 0}},
    {LODE_PLANE, {-1, 0, 0}, {0, 1, 0}},
};

static lode_shape add_faced(lode_body body, const face *f)
{
    lode_shape_def def = lode_shape_def_default();
    if (f->type == LODE_PLANE)
        return lode_shape_create_plane(body, &def, f->normal, 1);
    return f->type == LODE_BOX ? lode_shape_create_box(body, &def, vec(1, 1, 1))
                               : lode_shape_create_cylinder(body, &def, 1, 1);
}

/* A ball touches each face of shapes that are turned: the contact's directions are the face's,
 * turned by the rotation about its outward normal, whichever shape comes first. */
static void each_face_has_its_directions(void **state)
{
    (void)state;
    const lode_quat turn = q_normalize(
        (lode_quat){(lode_real)0.6, (lode_real)0.4, (lode_real)-0.3, (lode_real)0.6});
    lode_world_set_gravity(world, vec(0, 0, 0));
    for (size_t i = 0; i < 4 * sizeof faces / sizeof *faces; ++i) {
        const face *f = &faces[i / 4];
        const bool ball_first = i & 1;
        const double rotation = i & 2 ? 0.4 : 0;
        lode_contact_properties p = of_pair("ball", "faced");
        lode_vec3 n = q_rotate(turn, f->normal), u = q_rotate(turn, f->along);
        lode_body body[2];
        for (int k = 0; k < 2; ++k) {
            bool ball = (k == 0) == ball_first;
            lode_body_def def = lode_body_def_default();
            lode_shape shape;
            def.rotation = turn;
            if (ball)
                def.position = v3_scale(n, (lode_real)1.499);
            def.type = ball ? LODE_DYNAMIC : LODE_STATIC;
            body[ball] = lode_body_create(world, &def);
            lode_shape_def ball_def = lode_shape_def_default();
            shape = ball ? lode_shape_create_sphere(body[1], &ball_def, (lode_real)0.5)
                         : add_faced(body[0], f);
            assert_int_equal(lode_shape_set_material(shape, ball ? "ball" : "faced"), LODE_OK);
        }
        p.friction_count =
            4; /* the ball's first, which counts in all directions, then the face's */
        p.friction[0] = (lode_real)0.5;
        p.friction[1] = 9;
        p.friction[2] = (lode_real)0.2;
        p.friction[3] = (lode_real)0.8;
        p.friction_rotation[1] = (lode_real)rotation;
        give(&p, 1);
        const lode__manifold *m = touch();
        lode_vec3 first = v3_madd(v3_scale(u, (lode_real)cos(rotation)), v3_cross(n, u),
                                  (lode_real)sin(rotation));
        double along = fabs((double)v3_dot(m->tangent, first));
        bool crossed = along < 0.5;
        assert_true(near(crossed ? along : 1 - along, 0, 1e-4));
        assert_true(near((double)m->friction[crossed], sqrt(0.5 * 0.2), 1e-4));
        assert_true(near((double)m->friction[!crossed], sqrt(0.5 * 0.8), 1e-4));
        lode_body_destroy(body[0]);
        lode_body_destroy(body[1]);
    }
}

/* A shape without a material is one of "default", and two of them have what they say themselves. */
static void the_unnamed_are_default(void **state)
{
    (void)state;
    pair made = make_pair(false);
    lode_contact_properties p = of_pair("default", "box");
    p.friction[0] = (lode_real)0.25;
    p.bounce = (lode_real)0.75;
    give(&p, 1);
    lode_shape_set_material(made.floor, NULL);
    assert_true(touch()->friction[0] == (lode_real)0.25);
    assert_true(touch()->restitution == (lode_real)0.75);
    lode_shape_set_material(made.box, NULL);
    assert_true(fabs((double)touch()->friction[0] - 0.6) < 1e-6);
    lode_shape_set_material(made.box, "unheard of");
    assert_true(touch()->friction[0] == 1 && touch()->restitution == (lode_real)0.5);
}

static void put_back(lode_shape box, const lode_body_def *def)
{
    lode_body body = lode_shape_get_body(box);
    lode_body_set_pose(body, (lode_pose){def->position, def->rotation});
    lode_body_set_linear_velocity(body, vec(0, 0, 0));
    lode_body_set_angular_velocity(body, vec(0, 0, 0));
}

/* The deepest points of a tilted box, of one contact. */
static void the_deepest_points_are_kept(void **state)
{
    (void)state;
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.type = LODE_DYNAMIC;
    def.position = vec(0, 0, (lode_real)0.49);
    def.rotation = (lode_quat){1, (lode_real)0.002, (lode_real)0.001, 0};
    lode_world_set_gravity(world, vec(0, 0, 0));
    lode_shape box = lode_shape_create_box(lode_body_create(world, &def), &shape,
                                           vec(1, 1, (lode_real)0.5));
    add_ground(world);
    lode_shape_set_material(box, "box");
    for (int most = 4; most >= 1; --most) {
        lode_contact_properties p = of_pair("default", "box");
        lode_real all[4];
        give(NULL, 0);
        const lode__manifold *m = touch();
        assert_int_equal(m->point_count, 4);
        for (int k = 0; k < 4; ++k)
            all[k] = m->points[k].depth;
        put_back(box, &def);
        p.max_contacts = most;
        p.force_dependent_slip[0] = (lode_real)0.25;
        give(&p, 1);
        m = touch();
        assert_int_equal(m->point_count, most);
        lode_world_stats stats;
        assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
        assert_int_equal(stats.contact_points, most);
        lode__world *w = lode__registry_world(world.id); /* those that are left share the slip */
        assert_true(special_of(&w->collide.manifolds, m)->slip[0] == (lode_real)(0.25 * most));
        for (int k = 0; k < most; ++k) {
            int deeper = 0;
            for (int i = 0; i < 4; ++i)
                deeper += all[i] > m->points[k].depth + (lode_real)1e-4;
            assert_true(deeper < most);
        }
        put_back(box, &def);
    }
}

/* --- shapes without materials */

static lode_real friction_of_call(void *user, const lode_mixed_pair *pair)
{
    assert_true(pair->user_data_a == user || pair->user_data_b == user);
    assert_true(lode_shape_is_valid(pair->shape_a) && lode_shape_is_valid(pair->shape_b));
    return pair->a + pair->b > 1 ? (lode_real)0.375 : 0; /* 0.2 and 0.9 */
}

static lode_real refused(void *user, const lode_mixed_pair *pair)
{
    (void)user;
    return pair->a > 100 ? (lode_real)NAN : pair->a > 10 ? 7 : -1;
}

static void shapes_are_mixed_by_rule(void **state)
{
    (void)state;
    const double a = 0.2, b = 0.9;
    const struct {
        lode_mix mix;
        double friction;
    } rules[] = {
        {LODE_MIX_GEOMETRIC_MEAN, sqrt(a * b)},
        {LODE_MIX_PRODUCT, a * b},
        {LODE_MIX_AVERAGE, (a + b) / 2},
        {LODE_MIX_MINIMUM, a},
        {LODE_MIX_MAXIMUM, b},
    };
    pair made = make_pair(true);
    lode_shape_set_material(made.floor, NULL);
    lode_shape_set_material(made.box, NULL);
    for (int special = 0; special < 2; ++special) {
        lode_surface across = lode_surface_default();
        across.direction = vec(1, 0, 0);
        across.friction_across = (lode_real)a;
        if (special) /* the same along directions of its own */
            lode_shape_set_surface(made.box, &across);
        lode_shape_set_friction(made.box, (lode_real)a);
        lode_shape_set_friction(made.floor, (lode_real)b);
        lode_shape_set_restitution(made.box, (lode_real)a);
        lode_shape_set_restitution(made.floor, (lode_real)b);
        for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
            assert_int_equal(lode_world_set_friction_mix(world, rules[i].mix), LODE_OK);
            assert_int_equal(lode_world_set_restitution_mix(world, rules[i].mix), LODE_OK);
            const lode__manifold *m = touch();
            for (int k = 0; k < 2; ++k)
                assert_true(fabs((double)m->friction[k] - rules[i].friction) < 1e-6);
            assert_true(fabs((double)m->restitution - rules[i].friction) < 1e-6);
        }
    }
    /* the application's word: shape_a is the box */
    lode_shape_set_user_data(made.box, &report);
    assert_int_equal(lode_world_set_mixer(world, &(lode_mixer){&report, friction_of_call, refused}),
                     LODE_OK);
    assert_true(fabs((double)touch()->friction[0] - 0.375) < 1e-6);
    assert_true(touch()->restitution == 0);
    lode_world_set_mixer(world, &(lode_mixer){NULL, refused, refused});
    assert_true(touch()->friction[0] == 0);
    lode_shape_set_friction(made.box, 1000);
    assert_true(touch()->friction[0] == 0);
    lode_shape_set_friction(made.box, 20);
    assert_true(touch()->friction[0] == 7);
    lode_world_set_mixer(world, NULL);
    lode_world_set_friction_mix(world, LODE_MIX_MINIMUM);
    assert_true(fabs((double)touch()->friction[0] - a) < 1e-6 ||
                fabs((double)touch()->friction[0] - b) < 1e-6);
}

/* --- snapshots and memory */

static void snapshots_hold_materials(void **state)
{
    (void)state;
    pair made = make_pair(false);
    lode_contact_properties p[2] = {of_pair("floor", "box"), of_pair("x", "y")}, told[2];
    p[0].friction[0] = (lode_real)0.125;
    give(p, 2);
    touch();
    uint64_t hash = lode_world_hash(world);
    size_t size = lode_world_snapshot(world, NULL, 0);
    char *bytes = malloc(size);
    assert_int_equal(lode_world_snapshot(world, bytes, size), size);
    give(NULL, 0);
    assert_true(lode_world_hash(world) != hash);
    lode_shape_set_material(made.box, "other");
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    assert_true(lode_world_hash(world) == hash);
    assert_int_equal(lode_world_get_contact_properties(world, told, 2), 2);
    assert_string_equal(told[1].material2, "y");
    assert_string_equal(lode_shape_get_material(made.box), "box");
    assert_true(touch()->friction[0] == (lode_real)0.125);
    lode_world_def def = lode_world_def_default();
    lode_world other = lode_world_create(&def); /* that has never heard of them */
    assert_int_equal(lode_world_restore(other, bytes, size), LODE_OK);
    assert_true(lode_world_hash(other) == hash);
    assert_int_equal(lode_world_get_contact_properties(other, told, 2), 2);
    lode_world_destroy(other);
    free(bytes);
}

/* A table is given, and set back, whole or not at all. */
static void any_allocation_may_fail(void **state)
{
    (void)state;
    lode_contact_properties p[3] = {of_pair("a", "b"), of_pair("c", "d"), of_pair("e", "f")};
    lode_world_destroy(world);
    alloc_fail_install();
    lode_world_def def = lode_world_def_default();
    for (int restore = 0; restore < 2; ++restore)
        for (long n = 0;; ++n) {
            static char bytes[1 << 16];
            world = lode_world_create(&def);
            if (restore)
                give(p, 3);
            size_t size = lode_world_snapshot(world, bytes, sizeof bytes);
            assert_true(size <= sizeof bytes);
            give(p, restore ? 0 : 1);
            uint64_t hash = lode_world_hash(world);
            alloc_fail_nth(n);
            lode_status status = restore ? lode_world_restore(world, bytes, size)
                                         : lode_world_set_contact_properties(world, p, 3);
            bool failed = alloc_fail_happened();
            alloc_fail_nth(-1);
            int count = lode_world_get_contact_properties(world, NULL, 0);
            assert_int_equal(status, failed ? LODE_ERROR_MEMORY : LODE_OK);
            assert_int_equal(count, failed ? (restore ? 0 : 1) : 3);
            assert_true(!failed || !restore || lode_world_hash(world) == hash);
            lode_world_destroy(world);
            if (!failed)
                break;
        }
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    report_clear();
    world = lode_world_create(&def);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_defaults_are_those_of_the_page),
        TEST(bad_values_are_refused_by_field),
        TEST(bad_counts_and_names_are_refused),
        TEST(what_was_given_is_told),
        TEST(the_first_that_matches_serves),
        TEST(shapes_have_materials),
        TEST(four_values_meet_in_either_order),
        TEST(fewer_values_are_shared_out),
        TEST(each_face_has_its_directions),
        TEST(other_shapes_use_the_first_value),
        TEST(the_unnamed_are_default),
        TEST(the_deepest_points_are_kept),
        TEST(shapes_are_mixed_by_rule),
        TEST(snapshots_hold_materials),
        TEST(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

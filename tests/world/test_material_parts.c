/* Materials of the parts of meshes and height fields, and how many contacts count: against all
 * points that there are; two materials under one body, each with its own friction and names; in
 * snapshots and refusals. */
#include "tests/collide/fields.h"
#include "tests/collide/meshes.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include "collide/mesh_touch.h"
#include "collide/mix.h"
#include "lode/hull.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 2048 };

static mesh_draft draft;
static field_draft field_draft_;

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return report.count;
}

static lode_world make_world(int threads)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    return lode_world_create(&def);
}

static void run(lode_world world, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static void name(lode_shape shape, const char *material)
{
    assert_int_equal(lode_shape_set_material(shape, material), LODE_OK);
}

static lode_contact_properties of_pair(const char *a, const char *b)
{
    lode_contact_properties p = lode_contact_properties_default();
    p.material1 = a;
    p.material2 = b;
    p.bounce = 0;
    return p;
}

/* --- how many contacts */

typedef enum solid_kind { BOX, HULL, CYLINDER, CAPSULE, BALL, PLANE, SOLIDS } solid_kind;

static lode_shape add_solid(lode_body body, solid_kind kind, test_random *random)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real x = (lode_real)random_between(random, 0.3, 0.8);
    lode_real y = (lode_real)random_between(random, 0.3, 0.8);
    if (kind == BOX)
        return lode_shape_create_box(body, &def, vec(x, y, (lode_real)0.5));
    if (kind == CYLINDER)
        return lode_shape_create_cylinder(body, &def, x, (lode_real)0.5);
    if (kind == CAPSULE)
        return lode_shape_create_capsule(body, &def, (lode_real)0.5, y);
    if (kind == BALL)
        return lode_shape_create_sphere(body, &def, (lode_real)0.5);
    if (kind == PLANE)
        return lode_shape_create_plane(body, &def, vec(0, 0, 1), (lode_real)0.5);
    lode_vec3 corners[14]; /* a prism of seven corners */
    for (int i = 0; i < 14; ++i) {
        double angle = 6.283185307179586 * (i / 2) / 7;
        corners[i] = vec(x * (lode_real)cos(angle), x * (lode_real)sin(angle),
                         i % 2 ? (lode_real)0.5 : (lode_real)-0.5);
    }
    lode_hull_def hull_def = lode_hull_def_default();
    hull_def.points = &corners[0].x;
    hull_def.point_count = 14;
    lode_hull *hull = lode_hull_create(&hull_def);
    lode_shape shape = lode_shape_create_hull(body, &def, hull);
    lode_hull_release(hull);
    return shape;
}

/* Nearly upright: faces lie on faces, none of them level. */
static lode_quat tilt(test_random *random, double most)
{
    double axis[3], turn = random_between(random, 0, 3.14);
    random_direction(random, axis);
    lode_quat tilted = {1, (lode_real)(axis[0] * most), (lode_real)(axis[1] * most), 0};
    lode_quat turned = {(lode_real)cos(turn), 0, 0, (lode_real)sin(turn)};
    return q_normalize(q_mul(tilted, turned));
}

typedef struct depths {
    int count;
    double depth[MOST_POINTS];
} depths;

static int deeper_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static int deeper_point_first(const void *a, const void *b)
{
    const lode_collide_point *x = a, *y = b;
    return (x->depth < y->depth) - (x->depth > y->depth);
}

static double distance(lode_vec3 a, lode_vec3 b)
{
    return sqrt((double)v3_dot(v3_sub(a, b), v3_sub(a, b)));
}

/* In one place, or of one feature of a mesh. */
static bool are_one(const lode_collide_point *a, const lode_collide_point *b, double margin)
{
    bool named = a->feature >= MESH_BY_EDGE && a->feature == b->feature;
    return (named || distance(a->position, b->position) <= 0.01 * margin) &&
           distance(a->normal, b->normal) < 0.1;
}

/* Of all points that there are; those that are one once, as deep as the deepest of them. */
static depths all_depths(lode_shape a, lode_shape b)
{
    static lode_collide_point points[MOST_POINTS];
    lode_world_def def = lode_world_def_default();
    lode_collide_options options = {LODE_COLLIDE_ALL, LODE__SPECULATIVE(&def)};
    depths out = {0};
    int count = lode_shape_collide(a, b, &options, points, MOST_POINTS);
    assert_in_range(count, 0, MOST_POINTS - 1);
    qsort(points, (size_t)count, sizeof *points, deeper_point_first);
    for (int i = 0; i < count; ++i) {
        bool known = false;
        for (int k = 0; k < out.count && !known; ++k)
            known = are_one(&points[i], &points[k], (double)options.margin);
        if (known)
            continue;
        points[out.count] = points[i];
        out.depth[out.count++] = (double)points[i].depth;
    }
    return out;
}

/* Of the contacts that there are after the collide half of a step. */
static depths found_depths(lode_world world)
{
    depths out = {0};
    assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
    const lode__collide *collide = &lode__registry_world(world.id)->collide;
    for (uint32_t i = 0; i < collide->touching_count; ++i)
        for (int k = 0; k < collide->touching[i]->point_count; ++k)
            out.depth[out.count++] = (double)collide->touching[i]->points[k].depth;
    qsort(out.depth, (size_t)out.count, sizeof *out.depth, deeper_first);
    return out;
}

/* What is less deep by 5 % of the margin, which is 8 mm, counts as deep; rounding. */
#define AS_DEEP (4e-4)
#define ROUNDING (4e-5)

/* All that are deeper than the last of the `most` deepest, and of the others some as deep as it. */
static void expect_deepest(const depths *all, const depths *found, int most)
{
    int wanted = all->count < most ? all->count : most;
    double last = wanted > 0 ? all->depth[wanted - 1] : 0;
    assert_int_equal(found->count, wanted);
    for (int k = 0; k < wanted; ++k)
        if (all->count <= most || all->depth[k] > last + AS_DEEP + ROUNDING)
            assert_true(near(found->depth[k], all->depth[k], ROUNDING));
        else
            assert_true(found->depth[k] > last - AS_DEEP - ROUNDING);
}

static void limit_to(lode_world world, int most)
{
    lode_contact_properties p = of_pair("default", "thing");
    p.max_contacts = most;
    assert_int_equal(lode_world_set_contact_properties(world, &p, 1), LODE_OK);
}

static void of_two_solids_the_deepest_of_all_points_are_kept(void **state)
{
    (void)state;
    test_random random = {1};
    int more = 0, many = 0;
    for (int n = 0; n < 1200; ++n) {
        solid_kind below = (solid_kind)(n % SOLIDS), above = (solid_kind)(n / SOLIDS % PLANE);
        lode_world world = make_world(1);
        lode_body ground = add_body(world, LODE_STATIC, 0, 0, (lode_real)-0.5);
        lode_body_def def = lode_body_def_default();
        lode_shape a = add_solid(ground, below, &random);
        def.type = LODE_DYNAMIC;
        def.position = vec((lode_real)random_between(&random, -0.3, 0.3), 0,
                           (lode_real)random_between(&random, 0.48, 0.5));
        if (below == PLANE)
            def.position.z += (lode_real)0.01;
        def.rotation = tilt(&random, random_between(&random, 0, 0.01));
        lode_shape b = add_solid(lode_body_create(world, &def), above, &random);
        name(b, "thing");
        depths all = all_depths(a, b);
        int most = 1 + n / 5 % 12;
        limit_to(world, most);
        depths found = found_depths(world);
        expect_deepest(&all, &found, most);
        more += all.count > most;
        many += all.count > most && most > 4;
        lode_world_destroy(world);
    }
    assert_true(more > 200 && many > 40);
}

static double hills(double x, double y)
{
    return 0.05 * sin(3 * x) + 0.04 * cos(4 * y);
}

static lode_shape add_mesh(lode_world world, const uint8_t *materials)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_mesh_def def = draft_def(&draft);
    def.materials = materials;
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    lode_shape made = lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &shape, mesh);
    lode_mesh_release(mesh);
    return made;
}

/* Its middle in the origin. */
static lode_shape add_field(lode_world world, const uint8_t *materials)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_heightfield_def def = field_def(&field_draft_);
    def.materials = materials;
    lode_heightfield *field = lode_heightfield_create(&def);
    assert_non_null(field);
    lode_real x = (lode_real)(field_draft_.spacing_x * (field_draft_.columns - 1) / 2);
    lode_real y = (lode_real)(field_draft_.spacing_y * (field_draft_.rows - 1) / 2);
    lode_shape made = lode_shape_create_heightfield(add_body(world, LODE_STATIC, -x, -y, 0), &shape,
                                                    field);
    lode_heightfield_release(field);
    return made;
}

static void on_meshes_and_fields_likewise(void **state)
{
    (void)state;
    test_random random = {2};
    int more = 0;
    draft_grid(&draft, 12, 4, hills);
    draft_field(&field_draft_, 13, 13, 4.0 / 12, 4.0 / 12, hills);
    for (int n = 0; n < 400; ++n) {
        lode_world world = make_world(1);
        lode_body_def def = lode_body_def_default();
        lode_shape ground = n % 2 ? add_mesh(world, NULL) : add_field(world, NULL);
        def.type = LODE_DYNAMIC;
        def.position = vec((lode_real)random_between(&random, -0.8, 0.8),
                           (lode_real)random_between(&random, -0.8, 0.8),
                           (lode_real)random_between(&random, 0.5, 0.58));
        def.rotation = tilt(&random, random_between(&random, 0, 0.05));
        lode_shape thing = add_solid(lode_body_create(world, &def), (solid_kind)(n / 2 % PLANE),
                                     &random);
        depths all = all_depths(ground, thing);
        name(thing, "thing");
        int most = 1 + n / 10 % 12;
        limit_to(world, most);
        depths found = found_depths(world);
        expect_deepest(&all, &found, most);
        more += all.count > most;
        lode_world_destroy(world);
    }
    assert_true(more > 100);
}

/* A box with the four corners that its materials allow stands still, though the mesh has many
 * points as deep. */
static void what_rests_on_four_of_many_lies_still(void **state)
{
    (void)state;
    draft_grid(&draft, 41, 8, NULL);
    lode_world world = make_world(1);
    lode_shape_def shape = lode_shape_def_default();
    lode_body_def def = lode_body_def_default();
    lode_contact_properties p = of_pair("default", "thing");
    p.max_contacts = 4;
    p.soft_cfm = (lode_real)1e-6;
    lode_world_set_contact_properties(world, &p, 1);
    add_mesh(world, NULL);
    def.type = LODE_DYNAMIC;
    def.position = vec((lode_real)0.03, (lode_real)0.05, (lode_real)0.5);
    def.rotation = (lode_quat){(lode_real)0.92387953, 0, 0, (lode_real)0.38268343};
    lode_body box = lode_body_create(world, &def);
    name(lode_shape_create_box(box, &shape, vec((lode_real)0.9, (lode_real)0.9, (lode_real)0.5)),
         "thing");
    run(world, 600);
    lode_pose at = lode_body_get_pose(box);
    assert_true(near((double)at.position.x, 0.03, 2e-3));
    assert_true(near((double)at.position.z, 0.5, 6e-3));
    assert_true(near((double)at.rotation.x, 0, 1e-3) && near((double)at.rotation.y, 0, 1e-3));
    lode_world_destroy(world);
}

/* --- materials of parts */

/* Flat ground of stripes along x, which are of material 0 on one side of y = 0 and of 1 on the
 * other; the mesh's triangles are told by their middles. */
static lode_shape add_stripes(lode_world world, bool field)
{
    static uint8_t materials[40000];
    if (field) {
        draft_field(&field_draft_, 41, 21, 0.5, 0.5, NULL);
        for (int k = 0; k < 40 * 20; ++k)
            materials[k] = k / 40 >= 10;
        return add_field(world, materials);
    }
    draft_grid(&draft, 20, 20, NULL);
    for (int t = 0; t < draft.triangle_count; ++t) {
        float y = 0;
        for (int k = 0; k < 3; ++k)
            y += draft.vertices[draft.indices[t][k]][1];
        materials[t] = y > 0;
    }
    return add_mesh(world, materials);
}

static void give_stripes(lode_world world, lode_shape ground, double ice, double rubber)
{
    const char *names[2] = {"ice", "rubber"};
    lode_contact_properties p[2] = {of_pair("ice", "box"), of_pair("box", "rubber")};
    p[0].friction[0] = (lode_real)ice;
    p[1].friction[0] = (lode_real)rubber;
    p[0].soft_cfm = p[1].soft_cfm = (lode_real)1e-6;
    p[0].slide_sound = "whisper";
    p[1].slide_sound = "screech";
    assert_int_equal(lode_world_set_contact_properties(world, p, 2), LODE_OK);
    assert_int_equal(lode_shape_set_materials(ground, names, 2), LODE_OK);
}

/* A box that cannot turn and goes along x, its middle at y. */
static lode_body add_slider(lode_world world, double y)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body box = add_body(world, LODE_DYNAMIC, -5, (lode_real)y, (lode_real)0.25);
    shape.sound_events = true;
    name(lode_shape_create_box(box, &shape, vec((lode_real)0.45, (lode_real)0.35, (lode_real)0.25)),
         "box");
    lode_mass mass = lode_body_get_mass(box);
    mass.inertia[0] = mass.inertia[1] = mass.inertia[2] = 1000 * mass.mass;
    lode_body_set_mass(box, &mass);
    lode_body_set_linear_velocity(box, vec(4, 0, 0));
    return box;
}

static void each_side_of_a_box_has_its_own_friction(void **state)
{
    (void)state;
    for (int field = 0; field < 2; ++field)
        for (int where = -1; where <= 1; ++where) {
            lode_world world = make_world(1);
            lode_world_set_gravity(world, vec(0, 0, -10));
            give_stripes(world, add_stripes(world, field), 0.1, 0.3);
            lode_body box = add_slider(world, where);
            run(world, 32);
            double before = (double)lode_body_get_linear_velocity(box).x;
            run(world, 32);
            double lost = before - (double)lode_body_get_linear_velocity(box).x;
            const double mu[3] = {0.1, 0.2, 0.3};
            assert_true(near(lost, mu[where + 1] * 10 * 0.5, 0.02 * mu[where + 1] * 10 * 0.5));
            lode_world_destroy(world);
        }
}

/* No contact is of two materials, and each says what its triangles do. */
static void no_contact_mixes_materials(void **state)
{
    (void)state;
    for (int field = 0; field < 2; ++field) {
        lode_world world = make_world(1);
        lode_shape ground = add_stripes(world, field);
        give_stripes(world, ground, 0.1, 0.3);
        add_slider(world, 0);
        int contacts[2] = {0};
        for (int n = 0; n < 60; ++n) {
            run(world, 1);
            const lode__collide *collide = &lode__registry_world(world.id)->collide;
            for (uint32_t i = 0; i < collide->touching_count; ++i) {
                const lode__manifold *m = collide->touching[i];
                bool rubber = m->friction[0] > (lode_real)0.2;
                ++contacts[rubber];
                for (int k = 0; k < m->point_count; ++k) {
                    int triangle = (int)m->points[k].child_a - 1;
                    assert_string_equal(lode_shape_get_material_at(ground, triangle),
                                        rubber ? "rubber" : "ice");
                    double y = (double)m->points[k].position.y - (field ? 5 : 0);
                    assert_true(rubber ? y > -1e-4 : y < 1e-4);
                }
            }
        }
        assert_true(contacts[0] >= 50 && contacts[1] >= 50);
        lode_world_destroy(world);
    }
}

/* What turns: the side on rubber stays behind. */
static void a_box_turns_towards_the_rough_side(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    lode_world_set_friction_model(world, LODE_FRICTION_CONE);
    give_stripes(world, add_stripes(world, false), 0.05, 0.6);
    lode_body box = add_slider(world, 0);
    lode_body_set_mass_from_shapes(box);
    run(world, 40);
    assert_true(lode_body_get_angular_velocity(box).z > (lode_real)0.3); /* rubber is at y > 0 */
    lode_world_destroy(world);
}

typedef struct heard {
    int count[2];
} heard;

static void see(void *user, lode_contact_edit *contact)
{
    heard *h = user;
    const char *ground = contact->material_a;
    if (!ground)
        return;
    assert_string_equal(contact->material_b, "box");
    bool rubber = strcmp(ground, "rubber") == 0;
    assert_true(rubber || strcmp(ground, "ice") == 0);
    ++h->count[rubber];
    for (int k = 0; k < contact->point_count; ++k)
        assert_true(rubber ? contact->points[k].position.y > (lode_real)-1e-4
                           : contact->points[k].position.y < (lode_real)1e-4);
}

static void sounds_rays_and_the_editor_name_them(void **state)
{
    (void)state;
    for (int field = 0; field < 2; ++field) {
        heard seen = {{0}}, told = {{0}};
        lode_world world = make_world(1);
        lode_shape ground = add_stripes(world, field);
        give_stripes(world, ground, 0.1, 0.3);
        lode_shape_set_edit_contacts(ground, true);
        lode_world_set_contact_editor(world, &(lode_contact_editor){&seen, see});
        add_slider(world, 0);
        for (int n = 0; n < 40; ++n) {
            run(world, 1);
            lode_sounds sounds = lode_world_get_sounds(world);
            for (int i = 0; i < sounds.slide_count; ++i) {
                const lode_sound_contact *c = &sounds.slides[i].contact;
                bool rubber = c->position.y > 0;
                assert_string_equal(c->material_a, rubber ? "rubber" : "ice");
                assert_string_equal(c->material_b, "box");
                assert_string_equal(c->sounds[LODE_SOUND_SLIDE].name,
                                    rubber ? "screech" : "whisper");
                ++told.count[rubber];
            }
        }
        assert_true(seen.count[0] >= 30 && seen.count[1] >= 30);
        assert_true(told.count[0] >= 30 && told.count[1] >= 30);
        for (int side = -1; side <= 1; side += 2) {
            lode_ray ray = {.origin = {3, (lode_real)side, 5}, .direction = {0, 0, -1}};
            lode_ray_hit hit;
            ray.length = 10;
            assert_true(lode_world_cast_ray(world, &ray, NULL, &hit));
            assert_string_equal(lode_shape_get_material_at(hit.shape, hit.child),
                                side > 0 ? "rubber" : "ice");
        }
        lode_world_destroy(world);
    }
}

/* Parts that are all of one material are one material, to the bit; numbers without a name are of
 * the shape's own. */
static void parts_of_one_material_are_a_whole(void **state)
{
    (void)state;
    static uint8_t other[40000];
    lode_world worlds[3];
    lode_body box[3];
    const char *names[2] = {"wood", NULL};
    draft_grid(&draft, 20, 20, hills);
    for (int t = 0; t < draft.triangle_count; ++t)
        other[t] = (uint8_t)(1 + t % 200);
    for (int i = 0; i < 3; ++i) {
        worlds[i] = make_world(1 + i % 2);
        lode_shape ground = add_mesh(worlds[i], i == 2 ? other : NULL);
        lode_contact_properties p = of_pair("wood", "box");
        p.friction[0] = (lode_real)0.25;
        lode_world_set_contact_properties(worlds[i], &p, 1);
        if (i == 1)
            assert_int_equal(lode_shape_set_materials(ground, names, 1), LODE_OK);
        if (i == 2)
            assert_int_equal(lode_shape_set_materials(ground, &names[1], 1), LODE_OK);
        if (i != 1)
            name(ground, "wood");
        box[i] = add_slider(worlds[i], 0);
        lode_body_set_mass_from_shapes(box[i]);
    }
    for (int n = 0; n < 150; ++n) {
        lode_pose pose[3];
        for (int i = 0; i < 3; ++i) {
            run(worlds[i], 1);
            pose[i] = lode_body_get_pose(box[i]);
        }
        assert_memory_equal(&pose[0], &pose[1], sizeof *pose);
        assert_memory_equal(&pose[0], &pose[2], sizeof *pose);
    }
    for (int i = 0; i < 3; ++i)
        lode_world_destroy(worlds[i]);
}

/* --- what is said and refused */

static void materials_are_told(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    lode_shape ground = add_stripes(world, false);
    const char *names[3] = {"grass", NULL, "stone"}, *told[3];
    char long_name[LODE_MATERIAL_NAME + 2];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    assert_int_equal(lode_shape_get_materials(ground, NULL, 0), 0);
    assert_null(lode_shape_get_material_at(ground, 0));
    assert_int_equal(lode_shape_set_materials(ground, names, 3), LODE_OK);
    assert_int_equal(lode_shape_get_materials(ground, told, 3), 3);
    assert_string_equal(told[0], "grass");
    assert_null(told[1]);
    assert_string_equal(told[2], "stone");
    assert_null(lode_shape_get_material(ground));
    name(ground, "mud"); /* and the parts stay what they are */
    assert_string_equal(lode_shape_get_material(ground), "mud");
    assert_int_equal(lode_shape_get_materials(ground, told, 3), 3);
    int last = draft.triangle_count - 1;
    assert_string_equal(lode_shape_get_material_at(ground, 0), "grass");
    assert_string_equal(lode_shape_get_material_at(ground, last), "mud");
    assert_string_equal(lode_shape_get_material_at(ground, -1), "mud");

    const char *bad[2] = {"fine", ""};
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "names", lode_shape_set_materials, ground, bad, 2);
    bad[1] = long_name;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "names", lode_shape_set_materials, ground, bad, 2);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "names", lode_shape_set_materials, ground, NULL, 2);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "count", lode_shape_set_materials, ground, names, -1);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "count", lode_shape_set_materials, ground, names,
                   LODE_PART_MATERIALS + 1);
    assert_null(lode_shape_get_material_at(ground, last + 1));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_get_material_at", "triangle");
    report_clear();
    assert_null(lode_shape_get_material_at(ground, -2));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_get_material_at", "triangle");
    report_clear();
    assert_int_equal(lode_shape_get_materials(ground, told, 3), 3);
    assert_int_equal(lode_shape_set_materials(ground, NULL, 0), LODE_OK);
    assert_string_equal(lode_shape_get_material_at(ground, 0), "mud");

    lode_shape ball;
    lode_body_get_shapes(add_ball(world, 0, 0, 5, 1), &ball, 1);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "shape", lode_shape_set_materials, ball, names, 1);
    assert_null(lode_shape_get_material_at(ball, -1));
    lode_world_destroy(world);
}

/* Snapshots hold lists, and a mesh that differs in nothing but its materials is another mesh. */
static void snapshots_hold_parts(void **state)
{
    (void)state;
    for (int field = 0; field < 2; ++field) {
        lode_world world = make_world(1), other = make_world(1);
        lode_shape ground = add_stripes(world, field);
        give_stripes(world, ground, 0.1, 0.3);
        add_slider(world, 0);
        run(world, 20);
        size_t size = lode_world_snapshot(world, NULL, 0);
        char *bytes = malloc(size);
        assert_int_equal(lode_world_snapshot(world, bytes, size), size);
        lode_shape plain = field ? add_field(other, NULL) : add_mesh(other, NULL);
        assert_int_not_equal(lode_world_restore(other, bytes, size), LODE_OK);
        report_clear();
        lode_body_destroy(lode_shape_get_body(plain));
        add_stripes(other, field);
        assert_int_equal(lode_world_restore(other, bytes, size), LODE_OK);
        assert_true(lode_world_hash(world) == lode_world_hash(other));
        for (int n = 0; n < 40; ++n) {
            run(world, 1);
            run(other, 1);
            assert_true(lode_world_hash(world) == lode_world_hash(other));
        }
        lode_shape_set_materials(ground, NULL, 0);
        assert_true(lode_world_hash(world) != lode_world_hash(other));
        assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
        assert_int_equal(lode_shape_get_materials(ground, NULL, 0), 2);
        free(bytes);
        lode_world_destroy(world);
        lode_world_destroy(other);
    }
}

/* Whatever allocation fails, nothing is changed, and nothing is lost. */
static void any_allocation_may_fail(void **state)
{
    (void)state;
    static uint8_t materials[40000];
    const char *names[2] = {"one", "two"};
    draft_grid(&draft, 4, 4, NULL);
    draft_field(&field_draft_, 5, 5, 1, 1, NULL);
    alloc_fail_install();
    for (int what = 0; what < 3; ++what)
        for (long n = 0;; ++n) {
            lode_world world = make_world(1);
            lode_shape ground = add_mesh(world, NULL);
            lode_mesh_def mesh_def = draft_def(&draft);
            lode_heightfield_def of_field = field_def(&field_draft_);
            mesh_def.materials = of_field.materials = materials;
            alloc_fail_nth(n);
            bool made = true;
            if (what == 0) {
                made = lode_shape_set_materials(ground, names, 2) == LODE_OK;
            } else if (what == 1) {
                lode_mesh *mesh = lode_mesh_create(&mesh_def);
                made = mesh != NULL;
                if (mesh)
                    lode_mesh_release(mesh);
            } else {
                lode_heightfield *made_field = lode_heightfield_create(&of_field);
                made = made_field != NULL;
                if (made_field)
                    lode_heightfield_release(made_field);
            }
            bool failed = alloc_fail_happened();
            alloc_fail_nth(-1);
            assert_true(made == !failed);
            assert_int_equal(lode_shape_get_materials(ground, NULL, 0),
                             what == 0 && !failed ? 2 : 0);
            lode_world_destroy(world);
            if (!failed)
                break;
        }
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    report_clear();
}

/* A box on two materials, another that may have two points with it, and one that does not push
 * back. */
static lode_world make_company(void)
{
    lode_world world = make_world(1);
    lode_contact_properties p[3] = {of_pair("ice", "box"), of_pair("box", "box"),
                                    of_pair("box", "chaff")};
    const char *names[2] = {"ice", "box"};
    lode_shape_def shape = lode_shape_def_default();
    p[0].max_contacts = p[1].max_contacts = 2;
    p[2].immovable = LODE_IMMOVABLE_FIRST;
    lode_shape_set_materials(add_stripes(world, false), names, 2);
    for (int i = 0; i < 3; ++i) {
        lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)(0.24 + 0.48 * i));
        name(lode_shape_create_box(body, &shape,
                                   vec((lode_real)0.45, (lode_real)0.35, (lode_real)0.25)),
             i == 2 ? "chaff" : "box");
    }
    assert_int_equal(lode_world_set_contact_properties(world, p, 3), LODE_OK);
    return world;
}

static void a_step_without_memory_is_tried_again(void **state)
{
    (void)state;
    lode_world reference = make_company();
    run(reference, 2);
    uint64_t expected = lode_world_hash(reference);
    lode_world_destroy(reference);
    int times = 0;
    alloc_fail_install();
    for (long n = 0;; ++n) {
        lode_world world = make_company();
        alloc_fail_nth(n);
        bool failed = lode_world_step(world, STEP) != LODE_OK;
        bool happened = alloc_fail_happened();
        assert_true(happened || !failed);
        alloc_fail_nth(-1);
        run(world, failed ? 2 : 1);
        assert_true(lode_world_hash(world) == expected);
        lode_world_destroy(world);
        if (!happened)
            break;
        times += failed;
        assert_true(!failed || report.status == LODE_ERROR_MEMORY);
    }
    assert_true(times > 10);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    report_clear();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(of_two_solids_the_deepest_of_all_points_are_kept),
        TEST(on_meshes_and_fields_likewise),
        TEST(what_rests_on_four_of_many_lies_still),
        TEST(each_side_of_a_box_has_its_own_friction),
        TEST(no_contact_mixes_materials),
        TEST(a_box_turns_towards_the_rough_side),
        TEST(sounds_rays_and_the_editor_name_them),
        TEST(parts_of_one_material_are_a_whole),
        TEST(materials_are_told),
        TEST(snapshots_hold_parts),
        TEST(any_allocation_may_fail),
        TEST(a_step_without_memory_is_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

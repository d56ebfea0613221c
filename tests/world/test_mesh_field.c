/* test_mesh_field.c: meshes on height fields, and fields that move: what they touch with, against
 * the mesh of the same triangles; distances against all pairs of triangles, in double; rest,
 * thickness, ground without end. */
#include "tests/world/solids.h"

#include "tests/collide/brute_triangles.h"
#include "tests/collide/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9
#else
#define ROUNDING 2e-5
#endif

/* Shorter where every step is looked through. */
enum { MOST_POINTS = 2000, LONG = LODE_CHECKS > 2 ? 400 : 1000 };

static field_draft draft;
static mesh_draft drafted, equal;
static test_random numbers;
static lode_collide_point points[3][MOST_POINTS];

static lode_real between(double lo, double hi)
{
    return (lode_real)random_between(&numbers, lo, hi);
}

static lode_vec3 random_vec(double size)
{
    lode_real x = between(-size, size), y = between(-size, size);
    return vec(x, y, between(-size, size));
}

static lode_quat random_turn(void)
{
    lode_real w = between(0.1, 1), x = between(-1, 1), y = between(-1, 1);
    return q_normalize((lode_quat){w, x, y, between(-1, 1)});
}

static lode_body add_at(lode_world world, lode_body_type type, lode_pose pose)
{
    lode_body_def def = lode_body_def_default();
    def.type = type;
    def.position = pose.position;
    def.rotation = pose.rotation;
    return lode_body_create(world, &def);
}

static lode_shape add_mesh(lode_world world, lode_body_type type, lode_pose pose,
                           const mesh_draft *m)
{
    lode_mesh_def def = draft_def(m);
    lode_shape_def shape = lode_shape_def_default();
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    lode_shape s = lode_shape_create_mesh(add_at(world, type, pose), &shape, mesh);
    lode_mesh_release(mesh);
    assert_true(lode_shape_is_valid(s));
    return s;
}

/* Of what was drafted; a dynamic one weighs 100 kg. */
static lode_shape add_field(lode_world world, lode_body_type type, lode_pose pose,
                            const lode_heightfield_def *def)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_heightfield *field = lode_heightfield_create(def);
    lode_body body = add_at(world, type, pose);
    assert_non_null(field);
    lode_shape s = lode_shape_create_heightfield(body, &shape, field);
    lode_bounds box = lode_heightfield_get_bounds(field);
    lode_heightfield_release(field);
    assert_true(lode_shape_is_valid(s));
    if (type == LODE_DYNAMIC) {
        lode_mass mass = {.mass = 100, .inertia = {100, 100, 100, 0, 0, 0}};
        mass.center = v3_scale(v3_add(box.lower, box.upper), (lode_real)0.5);
        assert_int_equal(lode_body_set_mass(body, &mass), LODE_OK);
    }
    return s;
}

static lode_pose at(double x, double y, double z)
{
    return (lode_pose){vec((lode_real)x, (lode_real)y, (lode_real)z), {1, 0, 0, 0}};
}

static lode_vec3 place_of(lode_shape shape)
{
    return lode_shape_get_world_pose(shape).position;
}

/* A ring around the z axis. */
static void draft_ring(mesh_draft *m, int around, int across, double radius, double thick)
{
    const double turn = 2 * 3.14159265358979;
    m->vertex_count = m->triangle_count = 0;
    for (int i = 0; i < around; ++i)
        for (int k = 0; k < across; ++k) {
            double u = turn * i / around, v = turn * k / across, r = radius + thick * cos(v);
            draft_vertex(m, r * cos(u), r * sin(u), thick * sin(v));
        }
    for (int i = 0; i < around; ++i)
        for (int k = 0; k < across; ++k) {
            uint32_t a = (uint32_t)(i * across + k), b = (uint32_t)((i + 1) % around * across + k);
            uint32_t c = (uint32_t)((i + 1) % around * across + (k + 1) % across);
            uint32_t d = (uint32_t)(i * across + (k + 1) % across);
            draft_triangle(m, a, b, c);
            draft_triangle(m, a, c, d);
        }
}

static void draft_form(int which)
{
    if (which % 3 == 0)
        draft_box(&drafted, 0.5, 0.4, 0.3);
    else if (which % 3 == 1)
        draft_ring(&drafted, 10, 6, 0.7, 0.25);
    else
        draft_star(&drafted, 4, 7, 0.6, &numbers);
}

static double hills(double x, double y)
{
    return 0.5 * sin(x * 0.9 + 1) * cos(y * 0.8) + 0.2 * sin(x * 1.7 + y * 1.3);
}

/* --- distances */

static void check_closest(lode_shape a, lode_shape b, double least)
{
    lode_closest c, back;
    lode_nearest on_a, on_b;
    double tolerance = ROUNDING * 10;
    assert_true(lode_shape_find_closest(a, b, &c));
    assert_true(lode_shape_find_closest(b, a, &back));
    if (!near((double)c.distance, least, tolerance) ||
        !near((double)back.distance, least, tolerance))
        fail_msg("%g and %g, not %g", (double)c.distance, (double)back.distance, least);
    assert_true(near((double)v3_length(c.normal), 1, ROUNDING));
    assert_true(near_vec(v3_madd(c.on_b, c.normal, c.distance), c.on_a, tolerance));
    assert_true(lode_shape_find_nearest(a, c.on_a, &on_a));
    assert_true(lode_shape_find_nearest(b, c.on_b, &on_b));
    assert_true(near((double)on_a.depth, 0, tolerance) && near((double)on_b.depth, 0, tolerance));
}

/* The drafted field's triangles in the world, as brute_triangles has them. */
static void find_triangles(const mesh_draft *m, lode_shape shape, brute_set *out)
{
    lode_pose pose = lode_shape_get_world_pose(shape);
    brute_place(out, m, pose);
}

static void fields_know_how_far_surfaces_are(void **state)
{
    (void)state;
    static brute_set one, two;
    static field_draft other;
    static mesh_draft second;
    int apart = 0, met = 0;
    numbers.state = 5;
    for (int i = 0; i < 24; ++i) {
        lode_world world = make_world(1);
        draft_rough(&draft, &numbers, 7, 6, 3, 0.8);
        draft_equal(&equal, &draft, NULL);
        lode_heightfield_def def = field_def(&draft);
        lode_pose pose = {random_vec(2), random_turn()};
        lode_shape field = add_field(world, LODE_KINEMATIC, pose, &def), shape;
        pose = (lode_pose){v3_add(random_vec(3), pose.position), random_turn()};
        if (i % 2) {
            draft_form(i / 2);
            second = drafted;
            shape = add_mesh(world, LODE_DYNAMIC, pose, &drafted);
        } else {
            draft_rough(&other, &numbers, 6, 5, 3, 0.8);
            draft_equal(&second, &other, NULL);
            lode_heightfield_def other_def = field_def(&other);
            shape = add_field(world, LODE_KINEMATIC, pose, &other_def);
        }
        find_triangles(&equal, field, &one);
        find_triangles(&second, shape, &two);
        double least = brute_distance(&one, &two);
        if (least == 0) {
            lode_closest c;
            assert_true(lode_shape_find_closest(field, shape, &c) && c.distance == 0);
        } else {
            check_closest(field, shape, least);
        }
        apart += least > 0;
        met += least == 0;
        lode_world_destroy(world);
    }
    assert_true(apart > 6 && met > 3);
}

static void planes_know_the_lowest_sample(void **state)
{
    (void)state;
    static brute_set all;
    numbers.state = 6;
    for (int i = 0; i < 40; ++i) {
        lode_world world = make_world(1);
        draft_rough(&draft, &numbers, 5 + 6 * (i % 4), 4 + 3 * (i % 3), 4, 1);
        draft_equal(&equal, &draft, NULL);
        lode_heightfield_def def = field_def(&draft);
        lode_shape_def plane_def = lode_shape_def_default();
        lode_vec3 normal = v3_normalize_or(random_vec(1), v3(0, 0, 1));
        lode_pose pose = {random_vec(3), random_turn()};
        lode_shape field = add_field(world, LODE_DYNAMIC, pose, &def);
        lode_real offset = between(-3, 3);
        lode_shape plane = lode_shape_create_plane(add_body(world, LODE_STATIC, 0, 0, 0),
                                                   &plane_def, normal, offset);
        lode_closest c, back;
        find_triangles(&equal, field, &all);
        double least = brute_height(&all, normal) - (double)offset;
        assert_true(lode_shape_find_closest(field, plane, &c));
        assert_true(lode_shape_find_closest(plane, field, &back));
        assert_true(near((double)c.distance, least, ROUNDING * 10));
        assert_true(near((double)back.distance, least, ROUNDING * 10));
        /* and what is below it are its points */
        lode_collide_options options = {LODE_COLLIDE_DEEPEST, 0};
        int count = lode_shape_collide(field, plane, &options, points[0], MOST_POINTS);
        assert_int_equal(count > 0, least < 0);
        if (count > 0) {
            assert_true(near((double)points[0][0].depth, -least, ROUNDING * 10));
            assert_true(near_vec(points[0][0].normal, normal, 1e-5));
        }
        lode_world_destroy(world);
    }
}

/* Of one without end the repetition that reaches lowest, which is far away; two have no
 * distance. */
static void endless_fields_know_planes_and_meshes(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    draft_field(&draft, 20, 20, 0.5, 0.5, hills);
    lode_heightfield_def def = field_def(&draft);
    def.wrap = true;
    lode_shape field = add_field(world, LODE_STATIC, at(0, 0, 0), &def);
    lode_shape other = add_field(world, LODE_STATIC, at(0, 0, -5), &def);
    lode_shape plane = add_plane(world, 1);
    lode_closest c, twin;
    double lowest = 0;
    for (int i = 0; i < 400; ++i)
        lowest = fmin(lowest, (double)draft.heights[i]);
    assert_true(lode_shape_find_closest(field, plane, &c));
    assert_true(near((double)c.distance, lowest, 1e-6));
    report_install();
    assert_false(lode_shape_find_closest(field, other, &c));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_find_closest", "b");
    report_clear();
    /* a mesh over one repetition or another is as far */
    draft_ring(&drafted, 8, 5, 0.6, 0.2);
    lode_shape ring = add_mesh(world, LODE_DYNAMIC, at(3, 4, 2), &drafted);
    lode_shape far_ring = add_mesh(world, LODE_DYNAMIC, at(3 - 640, 4 + 1280, 2), &drafted);
    assert_true(lode_shape_find_closest(field, ring, &c));
    assert_true(lode_shape_find_closest(far_ring, field, &twin));
    assert_true(c.distance > (lode_real)0.3 &&
                near((double)c.distance, (double)twin.distance, 3e-4));
    lode_world_destroy(world);
}

/* --- what they touch with */

static int by_falling_depth(const void *a, const void *b)
{
    const lode_collide_point *p = a, *q = b;
    if (p->depth != q->depth)
        return p->depth < q->depth ? 1 : -1;
    return (p->feature > q->feature) - (p->feature < q->feature);
}

/* All points, the deepest first. The way out of the whole, which LODE_COLLIDE_DEEPEST tells beside
 * them, is one of several that are nearly as long (tests/world/test_way_out.c). */
static int touch(lode_shape a, lode_shape b, int slot)
{
    lode_collide_options options = {LODE_COLLIDE_ALL, (lode_real)0.008};
    int count = lode_shape_collide(a, b, &options, points[slot], MOST_POINTS);
    assert_true(count < MOST_POINTS);
    qsort(points[slot], (size_t)count, sizeof points[slot][0], by_falling_depth);
    for (int i = 0; i < count; ++i) {
        assert_true(near((double)v3_length(points[slot][i].normal), 1, 1e-5));
        assert_true(isfinite((double)points[slot][i].depth));
    }
    return count;
}

/* A point that is where `p` is, as deep and as named. A vertex near an edge is on the face or on
 * the edge, which rounding may decide; there the place differs by a part of a millimetre. */
static bool has_twin(const lode_collide_point *p, int slot, int count, bool named)
{
    for (int i = 0; i < count; ++i) {
        const lode_collide_point *q = &points[slot][i];
        if (near((double)p->depth, (double)q->depth, ROUNDING) &&
            near_vec(p->position, q->position, 5e-4) && (!named || p->feature == q->feature))
            return true;
    }
    return false;
}

static void meshes_touch_fields_as_equal_meshes(void **state)
{
    (void)state;
    int touching = 0;
    numbers.state = 7;
    for (int i = 0; i < 60; ++i) {
        lode_world world = make_world(1);
        if (i % 2)
            draft_rough(&draft, &numbers, 12, 9, 3, 0.5);
        else
            draft_field(&draft, 18, 18, 0.3125, 0.3125, hills);
        draft_equal(&equal, &draft, NULL);
        draft_form(i);
        lode_heightfield_def def = field_def(&draft);
        lode_pose ground = {random_vec(1), random_turn()};
        lode_vec3 above = v3_add(random_vec(1),
                                 vec((lode_real)2.7, (lode_real)2.7, (lode_real)0.7));
        lode_pose pose = {v3_add(ground.position, q_rotate(ground.rotation, above)), random_turn()};
        lode_shape field = add_field(world, LODE_DYNAMIC, ground, &def);
        lode_shape mesh = add_mesh(world, LODE_KINEMATIC, ground, &equal);
        lode_shape solid = add_mesh(world, LODE_DYNAMIC, pose, &drafted);
        int counts[2] = {touch(field, solid, 0), touch(mesh, solid, 1)};
        for (int way = 0; way < 2; ++way)
            for (int k = 0; k < counts[way]; ++k)
                assert_true(has_twin(&points[way][k], 1 - way, counts[1 - way], true));
        /* from the other side */
        int back = touch(solid, field, 2);
        for (int k = 0; k < back; ++k)
            assert_true(has_twin(&points[2][k], 0, counts[0], false));
        for (int k = 0; k < counts[0]; ++k)
            assert_true(has_twin(&points[0][k], 2, back, false));
        if (back > 0)
            assert_true(near_vec(points[2][0].normal, v3_neg(points[0][0].normal), 1e-4) ||
                        (back > 1 &&
                         near((double)points[2][0].depth, (double)points[2][1].depth, ROUNDING)));
        touching += counts[0] > 0;
        lode_world_destroy(world);
    }
    assert_true(touching > 25);
}

/* They touch if any two triangles cross, or a corner is under the field, and else do not. */
static void meshes_touch_fields_that_they_meet(void **state)
{
    (void)state;
    static brute_set one, two;
    int met = 0, free = 0;
    numbers.state = 8;
    for (int i = 0; i < 40; ++i) {
        lode_world world = make_world(1);
        draft_field(&draft, 12, 12, 0.4375, 0.4375, hills);
        draft_equal(&equal, &draft, NULL);
        draft_form(i);
        lode_heightfield_def def = field_def(&draft);
        lode_shape field = add_field(world, LODE_STATIC, at(0, 0, 0), &def);
        lode_vec3 away = random_vec(1);
        lode_pose pose = {v3_add(away, vec((lode_real)2.5, (lode_real)2.5, 1)), random_turn()};
        lode_shape solid = add_mesh(world, LODE_DYNAMIC, pose, &drafted);
        find_triangles(&equal, field, &one);
        find_triangles(&drafted, solid, &two);
        double least = brute_distance(&one, &two);
        int count = touch(field, solid, 0);
        if (least == 0)
            assert_true(count > 0 && points[0][0].depth > 0);
        else if (least > 0.009)
            assert_int_equal(count, 0);
        met += least == 0;
        free += least > 0.009;
        /* and whatever moves it by its deepest point again and again is apart in the end */
        int rounds = 0;
        for (; count > 0 && points[0][0].depth > (lode_real)1e-4; ++rounds) {
            assert_true(rounds < 12);
            lode_body body = lode_shape_get_body(solid);
            pose = lode_body_get_pose(body);
            pose.position = v3_madd(pose.position, points[0][0].normal,
                                    -points[0][0].depth * (lode_real)1.01 - (lode_real)1e-4);
            lode_body_set_pose(body, pose);
            count = touch(field, solid, 0);
        }
        find_triangles(&drafted, solid, &two);
        assert_true(brute_distance(&one, &two) > 0);
        lode_world_destroy(world);
    }
    assert_true(met > 12 && free > 5);
}

static void repetitions_far_away_touch_alike(void **state)
{
    (void)state;
    draft_field(&draft, 16, 16, 0.5, 0.5, hills);
    lode_heightfield_def def = field_def(&draft);
    def.wrap = true;
    numbers.state = 9;
    for (int i = 0; i < 30; ++i) {
        lode_world world = make_world(1);
        lode_shape field = add_field(world, LODE_STATIC, at(0, 0, 0), &def);
        draft_form(i);
        /* in steps that both places have */
        lode_vec3 p = v3_add(random_vec(4), vec(4, 4, 4));
        p = vec(r_floor(p.x * 8) / 8, r_floor(p.y * 8) / 8, p.z / 10);
        lode_quat turn = random_turn();
        lode_vec3 away = v3_add(p, vec(8 * 512, -8 * 1024, 0));
        lode_shape here = add_mesh(world, LODE_DYNAMIC, (lode_pose){p, turn}, &drafted);
        lode_shape there = add_mesh(world, LODE_DYNAMIC, (lode_pose){away, turn}, &drafted);
        int count = touch(field, here, 0);
        assert_int_equal(touch(field, there, 1), count);
        for (int k = 0; k < count; ++k) {
            points[1][k].position = v3_sub(points[1][k].position, vec(8 * 512, -8 * 1024, 0));
            assert_true(near((double)points[0][k].depth, (double)points[1][k].depth, ROUNDING));
            assert_true(near_vec(points[0][k].position, points[1][k].position, 2e-3));
            assert_int_equal(points[0][k].feature, points[1][k].feature);
        }
        lode_world_destroy(world);
    }
}

/* --- at rest */

/* How high the lowest vertex is above the drafted hills. */
static double clearance(lode_shape shape, double (*height)(double, double))
{
    lode_pose pose = lode_shape_get_world_pose(shape);
    double least = INFINITY;
    for (int i = 0; i < drafted.vertex_count; ++i) {
        const float *v = drafted.vertices[i];
        lode_vec3 p = v3_add(pose.position, q_rotate(pose.rotation, vec(v[0], v[1], v[2])));
        least = fmin(least, (double)p.z - height((double)p.x, (double)p.y));
    }
    return least;
}

static double level(double x, double y)
{
    (void)x;
    (void)y;
    return 0;
}

static void a_box_of_triangles_keeps_its_corners(void **state)
{
    (void)state;
    for (int wrap = 0; wrap < 2; ++wrap) {
        lode_world world = make_world(1);
        draft_field(&draft, 21, 21, 0.37, 0.29, NULL);
        lode_heightfield_def def = field_def(&draft);
        def.wrap = wrap;
        add_field(world, LODE_STATIC, at(-3.7, -2.9, 0), &def);
        draft_box(&drafted, 0.5, 0.4, 0.3);
        lode_pose pose = {vec((lode_real)0.07, (lode_real)0.03, (lode_real)0.32),
                          {(lode_real)0.98, 0, 0, (lode_real)0.199}};
        lode_shape box = add_mesh(world, LODE_DYNAMIC, pose, &drafted);
        lode_contact contacts[4];
        uint32_t features[4] = {0};
        step(world, 60);
        for (int i = 0; i < LONG; ++i) {
            step(world, 1);
            assert_int_equal(lode_world_get_contacts(world, contacts, 4), 1);
            assert_int_equal(contacts[0].point_count, 4);
            int same = 0;
            for (int k = 0; k < 4; ++k) {
                features[k] = i == 0 ? contacts[0].points[k].feature : features[k];
                for (int j = 0; j < 4; ++j)
                    same += features[j] == contacts[0].points[k].feature;
            }
            assert_int_equal(same, 4);
        }
        assert_true(
            near_vec(place_of(box), vec((lode_real)0.07, (lode_real)0.03, (lode_real)0.3), 0.011));
        lode_world_destroy(world);
    }
}

static void meshes_rest_on_hills(void **state)
{
    (void)state;
    numbers.state = 10;
    for (int form = 0; form < 3; ++form) {
        lode_world world = make_world(1);
        draft_field(&draft, 40, 40, 0.25, 0.25, hills);
        lode_heightfield_def def = field_def(&draft);
        add_field(world, LODE_STATIC, at(0, 0, 0), &def);
        draft_form(form);
        lode_pose pose = {vec(5, (lode_real)4.8, (lode_real)1.6), random_turn()};
        lode_shape shape = add_mesh(world, LODE_DYNAMIC, pose, &drafted);
        lode_body body = lode_shape_get_body(shape);
        lode_sleep sleep = lode_body_get_sleep(body);
        sleep.enabled = false;
        lode_body_set_sleep(body, &sleep);
        double fastest = 0, lowest = 1;
        for (int i = 0; i < LONG; ++i) {
            step(world, 1);
            lowest = fmin(lowest, clearance(shape, hills));
            if (i >= LONG - 100)
                fastest = fmax(fastest, (double)v3_length(lode_body_get_linear_velocity(body)));
        }
        print_message("form %d: at least %.4f m above the hills, %.4f m/s at the end\n", form,
                      lowest, fastest);
        assert_true(lowest > -0.06 &&
                    (LODE_CHECKS > 2 || fastest < 0.02)); /* in few steps it is still on its way */
        lode_world_destroy(world);
    }
}

/* What is under thick ground as a whole comes up through it, and rests on it. */
static void thick_ground_lifts_meshes(void **state)
{
    (void)state;
    for (int form = 0; form < 3; ++form)
        for (int thick = 0; thick < 2; ++thick) {
            lode_world world = make_world(1);
            numbers.state = 11;
            draft_field(&draft, 60, 60, 1, 1, NULL);
            lode_heightfield_def def = field_def(&draft);
            def.thickness = thick ? 3 : 0;
            add_field(world, LODE_STATIC, at(-30, -30, 0), &def);
            draft_form(form);
            lode_shape shape = add_mesh(world, LODE_DYNAMIC, at(0.1, 0.1, -2), &drafted);
            double fastest = 0;
            for (int i = 0; i < 200; ++i) {
                step(world, 1);
                lode_body body = lode_shape_get_body(shape);
                fastest = fmax(fastest, (double)lode_body_get_linear_velocity(body).z);
            }
            double low = clearance(shape, level);
            assert_true(thick ? low > -0.02 && low < 0.5 : low < -15);
            assert_true(fastest < 10);
            lode_world_destroy(world);
        }
}

/* --- fields that move */

static double bowl(double x, double y)
{
    return 0.25 * ((x - 1) * (x - 1) + (y - 1) * (y - 1));
}

/* On a plane it lies with its lowest samples, and what is in it stays there. */
static void a_bowl_falls_with_a_ball_in_it(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    draft_field(&draft, 9, 9, 0.25, 0.25, bowl);
    lode_heightfield_def def = field_def(&draft);
    lode_shape field = add_field(world, LODE_DYNAMIC, at(-1, -1, 0.4), &def);
    lode_body ball = add_ball(world, (lode_real)0.3, (lode_real)0.2, 1, (lode_real)0.2);
    add_plane(world, (lode_real)0.6);
    step(world, 600);
    lode_quat q = lode_shape_get_world_pose(field).rotation;
    lode_vec3 p = lode_body_get_pose(ball).position;
    lode_vec3 inside = q_rotate_inv(q, v3_sub(p, place_of(field)));
    assert_true((double)q_rotate(q, vec(0, 0, 1)).z > 0.9);
    assert_true((double)inside.z - bowl((double)inside.x, (double)inside.y) > 0.1);
    assert_true(near((double)inside.x, 1, 0.5) && near((double)inside.y, 1, 0.5));
    assert_true((double)p.z > 0.15 && (double)p.z < 0.5);
    lode_world_destroy(world);
}

/* Fields are solid below: one that lies on its front rests on all that is. */
static void ground_turned_over_lies_on_all(void **state)
{
    (void)state;
    for (int ground = 0; ground < 4; ++ground) {
        lode_world world = make_world(1);
        draft_field(&draft, 9, 9, 0.25, 0.25, bowl);
        lode_heightfield_def def = field_def(&draft);
        lode_shape_def shape = lode_shape_def_default();
        lode_body below = add_body(world, LODE_STATIC, 0, 0, (lode_real)-0.5);
        /* its four corners are half a metre above the middle of its bottom */
        lode_pose pose = {vec(-1, 1, (lode_real)0.6), {0, 1, 0, 0}};
        lode_shape field = add_field(world, LODE_DYNAMIC, pose, &def);
        if (ground == 0) {
            lode_shape_create_plane(below, &shape, vec(0, 0, 1), (lode_real)0.5);
        } else if (ground == 1) {
            draft_grid(&drafted, 12, 6, NULL);
            add_mesh(world, LODE_STATIC, at(0, 0, 0), &drafted);
        } else if (ground == 2) {
            draft_box(&drafted, 3, 3, 0.5);
            add_mesh(world, LODE_STATIC, at(0, 0, -0.5), &drafted);
        } else {
            lode_shape_create_box(below, &shape, vec(3, 3, (lode_real)0.5));
        }
        step(world, 300);
        lode_vec3 p = place_of(field);
        if (!near_vec(p, vec(-1, 1, (lode_real)0.5), 0.02))
            fail_msg("ground %d: %g %g %g", ground, (double)p.x, (double)p.y, (double)p.z);
        lode_quat q = lode_shape_get_world_pose(field).rotation;
        assert_true((double)q_rotate(q, vec(0, 0, 1)).z < -0.999);
        lode_world_destroy(world);
    }
}

/* A slab of ground that flies free, struck by solids: momentum is what it was. */
static void flying_ground_is_pushed(void **state)
{
    (void)state;
    for (kind kind = BALL; kind < KINDS; ++kind) {
        lode_world_def world_def = lode_world_def_default();
        world_def.gravity = vec(0, 0, 0);
        lode_world world = lode_world_create(&world_def);
        draft_field(&draft, 11, 11, 0.4, 0.4, NULL);
        lode_heightfield_def def = field_def(&draft);
        lode_shape field = add_field(world, LODE_DYNAMIC, at(-2, -2, 0), &def);
        lode_body slab = lode_shape_get_body(field);
        lode_body solid = add_solid(world, kind, lying(kind, 0.1, 0.2, 1), 0);
        lode_body_set_linear_velocity(solid, vec(0, 0, -3));
        lode_mass mass = lode_body_get_mass(solid);
        step(world, 90);
        double v = (double)lode_body_get_linear_velocity(solid).z;
        double w = (double)lode_body_get_linear_velocity(slab).z;
        assert_true(near((double)mass.mass * (v + 3) + 100 * w, 0, (double)mass.mass * 3e-5));
        assert_true(w < -0.5);
        assert_true((double)lode_body_get_center(solid).z >
                    (double)lode_body_get_center(slab).z + 0.15);
        lode_world_destroy(world);
    }
}

static void endless_fields_stay(void **state)
{
    (void)state;
    report_install();
    draft_field(&draft, 3, 3, 1, 1, NULL);
    lode_heightfield_def def = field_def(&draft);
    lode_heightfield *finite = lode_heightfield_create(&def);
    def.wrap = true;
    lode_heightfield *endless = lode_heightfield_create(&def);
    lode_world world = make_world(1);
    lode_shape_def shape_def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_body floor = add_body(world, LODE_STATIC, 0, 0, 0);
    assert_int_equal(lode_shape_create_heightfield(body, &shape_def, endless).id, 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_create_heightfield", "body");
    report_clear();
    assert_int_equal(lode_shape_create_heightfield(floor, &shape_def, NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_create_heightfield", "field");
    report_clear();
    lode_shape moving = lode_shape_create_heightfield(body, &shape_def, finite);
    assert_true(lode_shape_is_valid(moving));
    assert_true(lode_body_get_mass(body).mass == 1); /* as of a body without shapes */
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "field", lode_shape_set_heightfield, moving, endless);
    assert_ptr_equal(lode_shape_get_heightfield(moving), finite);
    lode_shape still = lode_shape_create_heightfield(floor, &shape_def, finite);
    assert_int_equal(lode_body_set_type(floor, LODE_DYNAMIC), LODE_OK);
    assert_int_equal(lode_body_set_type(floor, LODE_KINEMATIC), LODE_OK);
    assert_int_equal(lode_shape_set_heightfield(still, endless), LODE_OK);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "type", lode_body_set_type, floor, LODE_DYNAMIC);
    lode_heightfield_release(finite);
    lode_heightfield_release(endless);
    lode_world_destroy(world);
}

/* Two fields never touch, whatever their bodies are. */
static void fields_pass_fields(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    draft_field(&draft, 9, 9, 0.25, 0.25, bowl);
    lode_heightfield_def def = field_def(&draft);
    lode_shape a = add_field(world, LODE_DYNAMIC, at(0, 0, 1), &def);
    lode_shape b = add_field(world, LODE_STATIC, at(0, 0, 0), &def);
    assert_int_equal(touch(a, b, 0), 0);
    step(world, 120);
    assert_true((double)place_of(a).z < -5);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_know_how_far_surfaces_are),
        cmocka_unit_test(planes_know_the_lowest_sample),
        cmocka_unit_test(endless_fields_know_planes_and_meshes),
        cmocka_unit_test(meshes_touch_fields_as_equal_meshes),
        cmocka_unit_test(meshes_touch_fields_that_they_meet),
        cmocka_unit_test(repetitions_far_away_touch_alike),
        cmocka_unit_test(a_box_of_triangles_keeps_its_corners),
        cmocka_unit_test(meshes_rest_on_hills),
        cmocka_unit_test(thick_ground_lifts_meshes),
        cmocka_unit_test(a_bowl_falls_with_a_ball_in_it),
        cmocka_unit_test(ground_turned_over_lies_on_all),
        cmocka_unit_test(flying_ground_is_pushed),
        cmocka_unit_test(endless_fields_stay),
        cmocka_unit_test(fields_pass_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Classes of the application that have a support function and nothing else: ellipsoids, held
 * against what is exactly known of them, in contacts, rays, points, distances, overlaps, casts,
 * sensors and continuous collision. */
#include "tests/collide/fields.h"
#include "tests/collide/meshes.h"
#include "tests/support/random.h"
#include "tests/world/classes.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>

static const double tight = sizeof(lode_real) == 4 ? 2e-6 : 1e-9; /* of sizes of 1 */

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static lode_world make_world(void)
{
    lode_world_def def = lode_world_def_default();
    return lode_world_create(&def);
}

static double number(test_random *random, double lo, double hi)
{
    return random_between(random, lo, hi);
}

static lode_vec3 any_direction(test_random *random)
{
    double v[3];
    random_direction(random, v);
    return vec((lode_real)v[0], (lode_real)v[1], (lode_real)v[2]);
}

static lode_quat any_rotation(test_random *random)
{
    double q[4], square = 0;
    for (int i = 0; i < 4; ++i)
        square += pow(q[i] = number(random, -1, 1), 2);
    double s = 1 / sqrt(square);
    return (lode_quat){(lode_real)(q[0] * s), (lode_real)(q[1] * s), (lode_real)(q[2] * s),
                       (lode_real)(q[3] * s)};
}

static double dot(lode_vec3 a, lode_vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static lode_vec3 add(lode_vec3 a, lode_vec3 b, double s)
{
    lode_real r = (lode_real)s;
    return vec(a.x + b.x * r, a.y + b.y * r, a.z + b.z * r);
}

/* An ellipsoid somewhere, and its frame in double. */
typedef struct subject {
    lode_world world;
    lode_body body;
    lode_shape shape;
    double axis[3];
    lode_pose pose;
    double turn[3][3]; /* rows: the own axes in the world's */
} subject;

static subject make_subject(test_random *random, lode_world world)
{
    subject s = {.world = world};
    for (int i = 0; i < 3; ++i)
        s.axis[i] = (double)(lode_real)number(random, 0.2, 1.5);
    lode_body_def def = lode_body_def_default();
    def.position = vec((lode_real)number(random, -2, 2), (lode_real)number(random, -2, 2), 1);
    def.rotation = any_rotation(random);
    s.body = lode_body_create(s.world, &def);
    s.shape = add_ellipsoid(s.body, s.axis[0], s.axis[1], s.axis[2], NULL);
    s.pose = lode_body_get_pose(s.body);
    lode_quat q = s.pose.rotation;
    double w = (double)q.w, x = (double)q.x, y = (double)q.y, z = (double)q.z;
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                               {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                               {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 9; ++i)
        s.turn[i / 3][i % 3] = rows[i / 3][i % 3];
    return s;
}

static void to_own(const subject *s, lode_vec3 v, bool point, double out[3])
{
    lode_vec3 p = point ? s->pose.position : vec(0, 0, 0);
    double d[3] = {(double)v.x - (double)p.x, (double)v.y - (double)p.y, (double)v.z - (double)p.z};
    for (int i = 0; i < 3; ++i)
        out[i] = s->turn[i][0] * d[0] + s->turn[i][1] * d[1] + s->turn[i][2] * d[2];
}

static double distance_of(const subject *s, lode_vec3 point)
{
    double own[3];
    to_own(s, point, true, own);
    return ellipsoid_distance(s->axis, own);
}

/* How far it reaches from its centre along a unit vector. */
static double reach_along(const subject *s, lode_vec3 n)
{
    double own[3], square = 0;
    to_own(s, n, false, own);
    for (int i = 0; i < 3; ++i)
        square += pow(own[i] * s->axis[i], 2);
    return sqrt(square);
}

/* ---- points and rays ---- */

static void points_are_as_far_as_they_are(void **state)
{
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 200; ++i) {
        subject s = make_subject(&random, make_world());
        lode_vec3 p = add(s.pose.position, any_direction(&random), number(&random, 0.05, 3));
        lode_nearest at;
        double distance = distance_of(&s, p);
        assert_true(lode_shape_find_nearest(s.shape, p, &at));
        assert_true(near(-(double)at.depth, distance, 4 * tight));
        assert_true(near(distance_of(&s, at.position), 0, 4 * tight));
        /* the way there is along the normal */
        assert_true(near_vec(add(at.position, at.normal, distance), p, 8 * tight));
        double r = fabs(distance) * 1.01 + 1e-4;
        assert_int_equal(lode_world_overlap_sphere(s.world, p, (lode_real)r, NULL, NULL, 0), 1);
        assert_int_equal(lode_world_overlap_point(s.world, p, NULL, NULL, 0), distance < 0);
        lode_world_destroy(s.world);
    }
}

static void rays_meet_where_the_quadric_says(void **state)
{
    (void)state;
    test_random random = {2};
    int hits = 0;
    for (int i = 0; i < 400; ++i) {
        subject s = make_subject(&random, make_world());
        lode_vec3 d = any_direction(&random), aim = any_direction(&random);
        lode_vec3 o = add(add(s.pose.position, d, -4), aim, number(&random, 0, 1.5));
        lode_ray ray = {.origin = o, .direction = d, .length = 20, .faces = LODE_BOTH_FACES};
        double p[3], v[3], a = 0, b = 0, c = -1;
        to_own(&s, o, true, p);
        to_own(&s, d, false, v);
        for (int k = 0; k < 3; ++k) {
            double f = 1 / (s.axis[k] * s.axis[k]);
            a += f * v[k] * v[k], b += f * p[k] * v[k], c += f * p[k] * p[k];
        }
        double under = b * b - a * c;
        lode_ray_hit hit[4];
        int count = lode_world_cast_ray_all(s.world, &ray, NULL, hit, 4);
        lode_world_destroy(s.world);
        if (fabs(under) < 1e-3)
            continue; /* grazes */
        assert_int_equal(count, under > 0 ? 2 : 0);
        for (int k = 0; k < count; ++k) {
            double t = (-b + (k ? 1 : -1) * sqrt(under)) / a, n[3], length = 0, own[3], along = 0;
            assert_true(near((double)hit[k].distance, t, 100 * tight));
            for (int j = 0; j < 3; ++j)
                length += pow(n[j] = (p[j] + t * v[j]) / (s.axis[j] * s.axis[j]), 2);
            to_own(&s, hit[k].normal, false, own);
            for (int j = 0; j < 3; ++j)
                along += n[j] * own[j] / sqrt(length);
            assert_true(along > 1 - 1e-5 && hit[k].back == (k == 1));
            ++hits;
        }
    }
    assert_true(hits > 200);
}

/* ---- distances, contacts, overlaps ---- */

static void others_are_as_far_as_they_are(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 200; ++i) {
        subject s = make_subject(&random, make_world());
        lode_shape_def def = lode_shape_def_default();
        lode_vec3 p = add(s.pose.position, any_direction(&random), number(&random, 1, 3));
        double r = number(&random, 0.1, 0.5), distance = distance_of(&s, p) - r;
        lode_shape ball = lode_shape_create_sphere(add_body(s.world, LODE_STATIC, p.x, p.y, p.z),
                                                   &def, (lode_real)r);
        lode_vec3 n = any_direction(&random);
        double offset = number(&random, -2, 2);
        lode_shape plane = lode_shape_create_plane(add_body(s.world, LODE_STATIC, 0, 0, 0), &def, n,
                                                   (lode_real)offset);
        double height = dot(s.pose.position, n) - reach_along(&s, n) - offset;
        lode_closest c;
        assert_true(lode_shape_find_closest(s.shape, ball, &c));
        assert_true(near((double)c.distance, distance, 8 * tight));
        assert_true(near(distance_of(&s, c.on_a), 0, 8 * tight));
        assert_true(lode_shape_find_closest(ball, s.shape, &c));
        assert_true(near((double)c.distance, distance, 8 * tight));
        assert_true(lode_shape_find_closest(s.shape, plane, &c));
        assert_true(near((double)c.distance, height, 8 * tight));
        lode_collide_options options = {LODE_COLLIDE_REDUCED, 4};
        lode_collide_point point[4];
        assert_int_equal(lode_shape_collide(s.shape, ball, &options, point, 4), 1);
        assert_true(near((double)point[0].depth, -distance, 8 * tight));
        assert_int_equal(lode_shape_collide(plane, s.shape, &options, point, 4), height < 4);
        assert_true(height >= 4 || near((double)point[0].depth, -height, 8 * tight));
        assert_true(height >= 4 || near_vec(point[0].normal, vec(-n.x, -n.y, -n.z), 1e-5));
        lode_pose at = {p, {1, 0, 0, 0}};
        lode_solid solid = lode_solid_sphere((lode_real)r);
        lode_query_filter filter = lode_query_filter_default();
        lode_shape found[4];
        int count = lode_world_overlap_solid(s.world, &solid, at, &filter, found, 4), own = 0;
        for (int k = 0; k < count; ++k)
            own += found[k].id == s.shape.id;
        assert_int_equal(own, distance < 0);
        lode_world_destroy(s.world);
    }
}

/* Two ellipsoids: along the normal that is told, supports say what the distance is, and no other
 * direction says more. */
static void two_of_them_are_as_far_as_they_are(void **state)
{
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 60; ++i) {
        lode_world world = make_world();
        subject a = make_subject(&random, world), b = make_subject(&random, world);
        lode_closest c;
        assert_true(lode_shape_find_closest(a.shape, b.shape, &c));
        lode_vec3 between = add(a.pose.position, b.pose.position, -1);
        double told = dot(between, c.normal) - reach_along(&a, c.normal) -
                      reach_along(&b, c.normal);
        assert_true(near((double)c.distance, told, 1e-4));
        assert_true(c.distance < 0 || near((double)c.distance, told, 8 * tight));
        for (int k = 0; k < 300; ++k) {
            lode_vec3 n = any_direction(&random);
            assert_true(dot(between, n) - reach_along(&a, n) - reach_along(&b, n) < told + 1e-4);
        }
        lode_world_destroy(world);
    }
}

/* ---- casts ---- */

static void what_is_pushed_stops_where_it_touches(void **state)
{
    (void)state;
    test_random random = {5};
    int hits = 0, planes = 0;
    for (int i = 0; i < 200; ++i) {
        subject s = make_subject(&random, make_world());
        lode_vec3 d = any_direction(&random), aim = any_direction(&random);
        double r = number(&random, 0.1, 0.5);
        lode_cast cast = {
            .solid = lode_solid_sphere((lode_real)r),
            .pose = {add(add(s.pose.position, d, -4), aim, number(&random, 0, 1.8)), {1, 0, 0, 0}},
            .translation = add(vec(0, 0, 0), d, 8)};
        lode_cast_hit hit;
        double least = 1e9;
        bool found = lode_world_cast_shape(s.world, &cast, NULL, &hit);
        double most = found ? (double)hit.fraction - 1e-4 : 1;
        for (int k = 0; k <= 100; ++k)
            least = fmin(least,
                         distance_of(&s, add(cast.pose.position, d, 8 * most * k / 100)) - r);
        assert_true(least > (found ? 0 : -1e-4));
        if (found) {
            double at = distance_of(&s, add(cast.pose.position, d, (double)hit.distance)) - r;
            assert_true(near(at, 0, 16 * tight) && near(distance_of(&s, hit.position), 0, 1e-5));
            ++hits;
        }
        /* it is pushed itself, against a plane */
        lode_shape_def def = lode_shape_def_default();
        lode_vec3 n = any_direction(&random);
        double start = dot(s.pose.position, n) - reach_along(&s, n), speed = -8 * dot(n, d);
        lode_shape plane = lode_shape_create_plane(add_body(s.world, LODE_STATIC, 0, 0, 0), &def, n,
                                                   (lode_real)(start - 2));
        cast.solid = lode_shape_get_solid(s.shape);
        assert_int_equal(cast.solid.type, LODE_CUSTOM);
        cast.pose = s.pose;
        found = lode_shape_cast_shape(plane, &cast, &hit);
        if (fabs(speed - 2) > 1e-2)
            assert_int_equal(found, speed > 2);
        if (found) {
            assert_true(near((double)hit.fraction, 2 / speed, 1e-5) &&
                        near_vec(hit.normal, n, 1e-5));
            ++planes;
        }
        lode_world_destroy(s.world);
    }
    assert_true(hits > 80 && planes > 30);
}

static void a_solid_of_a_class_needs_support(void **state)
{
    (void)state;
    lode_world world = make_world();
    lode_cast cast = {.solid = lode_solid_custom(NULL), .translation = {1, 0, 0}};
    cast.pose.rotation.w = 1;
    lode_cast_hit hit;
    report_clear();
    assert_false(lode_world_cast_shape(world, &cast, NULL, &hit));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_cast_shape", "cast.solid");
    ring data = {1, (lode_real)0.1};
    lode_custom *custom = lode_custom_create(&rings, &data);
    cast.solid = lode_solid_custom(custom);
    report_clear();
    assert_false(lode_world_cast_shape(world, &cast, NULL, &hit));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_cast_shape", "cast.solid");
    lode_shape shape = add_ring(add_body(world, LODE_STATIC, 0, 0, 0), 1, 0.1, NULL);
    report_clear();
    lode_shape_get_solid(shape);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_get_solid", "shape");
    report_clear();
    lode_custom_release(custom);
    lode_world_destroy(world);
}

/* ---- in steps ---- */

static double level(double x, double y)
{
    (void)x;
    (void)y;
    return 0;
}

static void lay_ground(lode_world world, int kind)
{
    static mesh_draft draft;
    static field_draft field;
    lode_shape_def def = lode_shape_def_default();
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    if (kind == 0) {
        lode_shape_create_plane(ground, &def, vec(0, 0, 1), 0);
    } else if (kind == 1) {
        def.pose.position.z = -1;
        lode_shape_create_box(ground, &def, vec(20, 20, 1));
    } else if (kind == 2) {
        draft = (mesh_draft){0};
        draft_grid(&draft, 20, 40, level);
        lode_mesh_def mesh_def = draft_def(&draft);
        lode_mesh *mesh = lode_mesh_create(&mesh_def);
        lode_shape_create_mesh(ground, &def, mesh);
        lode_mesh_release(mesh);
    } else {
        draft_field(&field, 21, 21, 2, 2, level);
        lode_heightfield_def field_of = field_def(&field);
        lode_heightfield *f = lode_heightfield_create(&field_of);
        def.pose.position = vec(-20, -20, 0);
        lode_shape_create_heightfield(ground, &def, f);
        lode_heightfield_release(f);
    }
}

/* On each kind of ground: it comes to lie on its flat side, however it fell. */
static void they_come_to_lie_on_their_flat_sides(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        lode_world world = make_world();
        lode_body body[8];
        test_random random = {6};
        lode_damping damping = {.angular_per_step = (lode_real)0.02};
        lay_ground(world, kind);
        for (int i = 0; i < 8; ++i) {
            lode_body_def def = lode_body_def_default();
            def.type = LODE_DYNAMIC;
            def.position = vec((lode_real)(i % 4) * 3 - 5, (lode_real)(i / 4) * 3 - 2, 2);
            def.rotation = any_rotation(&random);
            def.damping = &damping;
            body[i] = lode_body_create(world, &def);
            add_ellipsoid(body[i], 0.8, 0.7, 0.3, NULL);
        }
        for (int i = 0; i < 600; ++i)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        for (int i = 0; i < 8; ++i)
            assert_true(near((double)lode_body_get_pose(body[i]).position.z, 0.3, 0.02));
        lode_world_destroy(world);
    }
}

static uint64_t heap_of_them(int threads)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    lode_world world = lode_world_create(&def);
    test_random random = {7};
    lay_ground(world, 0);
    for (int i = 0; i < 40; ++i) {
        lode_body_def body_def = lode_body_def_default();
        lode_shape_def shape_def = lode_shape_def_default();
        body_def.type = LODE_DYNAMIC;
        body_def.position = vec((lode_real)(i % 3), (lode_real)(i / 3 % 3), (lode_real)(1 + i / 9));
        body_def.rotation = any_rotation(&random);
        lode_body body = lode_body_create(world, &body_def);
        if (i % 4 == 0)
            lode_shape_create_box(body, &shape_def, vec((lode_real)0.3, (lode_real)0.4, 1));
        else
            add_ellipsoid(body, number(&random, 0.3, 0.6), 0.4, 0.3, NULL);
    }
    for (int i = 0; i < 120; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    lode_body bodies[64];
    int count = lode_world_get_bodies(world, bodies, 64);
    for (int i = 1; i < count; ++i)
        assert_true((double)lode_body_get_pose(bodies[i]).position.z > 0.2);
    uint64_t hash = lode_world_hash(world);
    lode_world_destroy(world);
    return hash;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    assert_true(heap_of_them(1) == heap_of_them(3));
}

static void sensors_see_them_exactly(void **state)
{
    (void)state;
    test_random random = {8};
    int seen = 0;
    for (int i = 0; i < 100; ++i) {
        subject s = make_subject(&random, make_world());
        lode_body_set_type(s.body, LODE_KINEMATIC);
        lode_shape_def def = lode_shape_def_default();
        lode_vec3 p = add(s.pose.position, any_direction(&random), number(&random, 0.3, 2));
        def.sensor = true;
        lode_shape sensor = lode_shape_create_sphere(add_body(s.world, LODE_STATIC, p.x, p.y, p.z),
                                                     &def, (lode_real)0.4);
        lode_shape other = add_ellipsoid(add_body(s.world, LODE_STATIC, p.x, p.y, p.z), 0.4, 0.4,
                                         0.4, &def);
        assert_int_equal(lode_world_step(s.world, STEP), LODE_OK);
        double gap = distance_of(&s, p) - 0.4;
        if (fabs(gap) > 1e-5) {
            assert_int_equal(lode_shape_get_overlaps(sensor, NULL, 0), gap < 0);
            assert_int_equal(lode_shape_get_overlaps(other, NULL, 0), gap < 0);
        }
        seen += gap < 0;
        lode_world_destroy(s.world);
    }
    assert_true(seen > 20 && seen < 80);
}

/* ---- continuous ---- */

/* Shots of balls at a disc, and of discs at a thin wall. */
static void nothing_passes_through(void **state)
{
    (void)state;
    test_random random = {9};
    for (int i = 0; i < 90; ++i) {
        lode_world_def world_def = lode_world_def_default();
        world_def.gravity = vec(0, 0, 0);
        lode_world world = lode_world_create(&world_def);
        lode_shape_def def = lode_shape_def_default();
        lode_body target = add_body(world, LODE_STATIC, 0, 0, 0);
        bool own = i % 2;
        if (own)
            lode_shape_create_box(target, &def, vec(4, 4, (lode_real)5e-5));
        else
            add_ellipsoid(target, 4, 4, 5e-5, NULL);
        lode_body_def body_def = lode_body_def_default();
        body_def.type = LODE_DYNAMIC;
        body_def.continuous = true;
        body_def.position = vec((lode_real)number(&random, -1, 1),
                                (lode_real)number(&random, -1, 1),
                                (lode_real)number(&random, 1, 3));
        body_def.rotation = any_rotation(&random);
        double speed = pow(10, number(&random, 1, 3)), side = speed / 4;
        body_def.linear_velocity = vec((lode_real)number(&random, -side, side) / 4,
                                       (lode_real)number(&random, -side, side) / 4,
                                       (lode_real)-speed);
        body_def.angular_velocity = add(vec(0, 0, 0), any_direction(&random),
                                        own ? number(&random, 0, 100) : 0);
        lode_body bullet = lode_body_create(world, &body_def);
        if (own)
            add_ellipsoid(bullet, 0.2, 0.1, 0.02, NULL);
        else
            lode_shape_create_sphere(bullet, &def, (lode_real)0.05);
        for (int k = 0; k < 20; ++k) {
            assert_int_equal(lode_world_step(world, (lode_real)1 / 60), LODE_OK);
            lode_vec3 p = lode_body_get_pose(bullet).position;
            assert_true((double)p.z > 0 || fabs((double)p.x) > 3.5 || fabs((double)p.y) > 3.5);
        }
        lode_world_destroy(world);
    }
}

/* ---- a selector beside it ---- */

static lode_custom_collide_fn *select_spheres(lode_shape_type type, const lode_custom_class *other)
{
    (void)other;
    return type == LODE_SPHERE ? lode_custom_collide_convex : NULL;
}

/* It lets boxes pass, in steps and to sensors and continuous bodies; queries see it all the
 * same. */
static void a_selector_has_the_word_on_contacts(void **state)
{
    (void)state;
    lode_custom_class class = ellipsoids;
    class.name = "picky";
    class.select = select_spheres;
    ellipsoid data = {{1, 1, (lode_real)0.5}};
    lode_world world = make_world();
    lode_shape_def def = lode_shape_def_default();
    lode_custom *custom = lode_custom_create(&class, &data);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape shape = lode_shape_create_custom(ground, &def, custom);
    lode_body ball = add_ball(world, 0, 0, (lode_real)1.2, (lode_real)0.5);
    lode_body crate = add_body(world, LODE_DYNAMIC, 0, (lode_real)0.1, 3);
    lode_body_set_continuous(crate, true);
    lode_body_set_linear_velocity(crate, vec(0, 0, -200));
    lode_shape_def of_crate = def;
    of_crate.mask = 1;
    of_crate.category = 2;
    lode_shape box = lode_shape_create_box(crate, &of_crate,
                                           vec((lode_real)0.2, (lode_real)0.2, (lode_real)0.2));
    lode_body_set_pose(crate, (lode_pose){{(lode_real)0.8, 0, 3}, {1, 0, 0, 0}});
    def.sensor = true;
    lode_shape sensor = lode_shape_create_box(add_body(world, LODE_KINEMATIC, 0, 0, 0), &def,
                                              vec(1, 1, 1));
    for (int i = 0; i < 3; ++i)
        assert_int_equal(lode_world_step(world, (lode_real)1 / 60), LODE_OK);
    assert_true((double)lode_body_get_pose(crate).position.z < -5);
    lode_shape seen[4];
    int count = lode_shape_get_overlaps(sensor, seen, 4);
    for (int i = 0; i < count; ++i)
        assert_true(seen[i].id != shape.id);
    for (int i = 0; i < 20; ++i)
        lode_world_step(world, STEP);
    assert_true((double)lode_body_get_pose(ball).position.z > 0.9);
    lode_closest closest;
    assert_true(lode_shape_find_closest(shape, box, &closest) && (double)closest.distance > 3);
    assert_int_equal(lode_shape_collide(shape, sensor, NULL, NULL, 0), 0);
    lode_world_destroy(world);
    lode_custom_release(custom);
}

/* ---- what is no support function ---- */

static int asked;

static void bad_support(const void *data, const double direction[3], double out_point[3])
{
    static const double nonsense[4] = {NAN, INFINITY, 1e300, -1e10};
    const lode_real *one = data;
    for (int i = 0; i < 3; ++i)
        out_point[i] = direction[i] * (double)*one;
    /* along the axes it is a ball, elsewhere anything */
    if (fabs(direction[0]) < 1 && fabs(direction[1]) < 1 && fabs(direction[2]) < 1)
        out_point[asked % 3] = nonsense[asked / 3 % 4];
    ++asked;
}

static void never_support(const void *data, const double direction[3], double out_point[3])
{
    (void)data;
    (void)direction;
    out_point[0] = NAN;
}

static void nonsense_is_left_out(void **state)
{
    (void)state;
    static const lode_custom_class bad = {
        .name = "bad", .data_size = sizeof(lode_real), .support = bad_support};
    lode_real one = 1;
    lode_custom *custom = lode_custom_create(&bad, &one);
    assert_non_null(custom);
    lode_world world = make_world();
    lode_shape_def def = lode_shape_def_default();
    for (int kind = 0; kind < 4; ++kind)
        lay_ground(world, kind);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 2);
    lode_shape shape = lode_shape_create_custom(body, &def, custom);
    lode_body_set_mass(body, &(lode_mass){.mass = 1, .inertia = {1, 1, 1}});
    lode_body_set_continuous(body, true);
    lode_body_set_angular_velocity(body, vec(1, 2, 3));
    add_ball(world, 0, (lode_real)0.5, 4, 1);
    lode_ray ray = {.origin = {-4, (lode_real)0.1, 1}, .direction = {1, 0, 0}, .length = 9};
    for (int i = 0; i < 100; ++i) {
        lode_ray_hit hit;
        lode_nearest nearest;
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        lode_vec3 p = lode_body_get_pose(body).position;
        assert_true(isfinite((double)p.x) && isfinite((double)p.y) && isfinite((double)p.z));
        lode_world_cast_ray(world, &ray, NULL, &hit);
        if (lode_shape_find_nearest(shape, vec(2, 1, 0), &nearest))
            assert_true(isfinite((double)nearest.depth));
    }
    lode_world_destroy(world);
    lode_custom_release(custom);
    lode_custom_class never = bad;
    never.support = never_support;
    report_clear();
    assert_null(lode_custom_create(&never, &one));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_custom_create", "custom_class.support");
    report_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_as_far_as_they_are),
        cmocka_unit_test(rays_meet_where_the_quadric_says),
        cmocka_unit_test(others_are_as_far_as_they_are),
        cmocka_unit_test(two_of_them_are_as_far_as_they_are),
        cmocka_unit_test(what_is_pushed_stops_where_it_touches),
        cmocka_unit_test(a_solid_of_a_class_needs_support),
        cmocka_unit_test(they_come_to_lie_on_their_flat_sides),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(sensors_see_them_exactly),
        cmocka_unit_test(nothing_passes_through),
        cmocka_unit_test(a_selector_has_the_word_on_contacts),
        cmocka_unit_test(nonsense_is_left_out),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

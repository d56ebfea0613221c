/* The application's word on single triangles: what it refuses is a hole. Ground with triangles
 * that are refused is held against ground that was made without them. */
#include "tests/collide/fields.h"
#include "tests/collide/meshes.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 12, TRIANGLES = 2 * CELLS * CELLS };

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static double number(test_random *random, double lo, double hi)
{
    return random_between(random, lo, hi);
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

/* ---- grounds: CELLS squares of 1 m about the origin, level or hilly ---- */

static double level(double x, double y)
{
    (void)x;
    (void)y;
    return 0;
}

static double hilly(double x, double y)
{
    return 0.4 * sin(1.3 * x) * cos(1.1 * y) + 0.2 * sin(2 * x + y);
}

typedef bool refused_fn(double x, double y); /* of a triangle's middle */

static bool pit(double x, double y)
{
    return fabs(x) < 1 && fabs(y) < 1;
}

static bool scattered(double x, double y)
{
    return fmod(fabs(x * 7.13 + y * 3.71), 1) < 0.3;
}

static bool everything(double x, double y)
{
    return x < y || x >= y;
}

static bool nothing(double x, double y)
{
    return x < y && x >= y;
}

/* What the filter knows: which triangles are holes, and to whom. */
typedef struct record {
    bool refused[TRIANGLES];
    void *to; /* the other's user data; null: to all, queries too */
} record;

static bool accepts(void *user, const lode_near_triangle *t)
{
    const record *r = user;
    assert_true(t->child >= 0 && t->child < TRIANGLES);
    return !r->refused[t->child] || (r->to && t->other_data != r->to);
}

static void middle_of(const mesh_draft *d, int t, double *x, double *y)
{
    *x = *y = 0;
    for (int k = 0; k < 3; ++k) {
        *x += (double)d->vertices[d->indices[t][k]][0] / 3;
        *y += (double)d->vertices[d->indices[t][k]][1] / 3;
    }
}

static lode_shape shape_of_draft(lode_body body, const mesh_draft *d)
{
    lode_shape_def def = lode_shape_def_default();
    lode_mesh_def mesh_def = draft_def(d);
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    lode_shape shape = lode_shape_create_mesh(body, &def, mesh);
    lode_mesh_release(mesh);
    return shape;
}

/* The whole mesh, and in the record what is to be refused. */
static lode_shape whole_mesh(lode_body body, double (*height)(double, double), refused_fn *refuses,
                             record *out)
{
    static mesh_draft d;
    d = (mesh_draft){0};
    draft_grid(&d, CELLS, CELLS, height);
    assert_int_equal(d.triangle_count, TRIANGLES);
    for (int t = 0; t < d.triangle_count; ++t) {
        double x, y;
        middle_of(&d, t, &x, &y);
        out->refused[t] = refuses(x, y);
    }
    return shape_of_draft(body, &d);
}

/* The mesh made without those. */
static lode_shape mesh_with_holes(lode_body body, double (*height)(double, double),
                                  const record *record)
{
    static mesh_draft d, holed;
    d = (mesh_draft){0};
    draft_grid(&d, CELLS, CELLS, height);
    holed = d;
    holed.triangle_count = 0;
    for (int t = 0; t < d.triangle_count; ++t)
        if (!record->refused[t])
            draft_triangle(&holed, d.indices[t][0], d.indices[t][1], d.indices[t][2]);
    return shape_of_draft(body, &holed);
}

/* A field of the same heights; its triangles lie otherwise. */
static lode_shape whole_field(lode_body body, double thickness, refused_fn *refuses, record *out)
{
    static field_draft d;
    lode_shape_def def = lode_shape_def_default();
    draft_field(&d, CELLS + 1, CELLS + 1, 1, 1, level);
    lode_heightfield_def of = field_def(&d);
    of.thickness = (lode_real)thickness;
    lode_heightfield *field = lode_heightfield_create(&of);
    def.pose.position = vec(-CELLS / 2, -CELLS / 2, 0);
    lode_shape shape = lode_shape_create_heightfield(body, &def, field);
    for (int t = 0; t < TRIANGLES; ++t) {
        lode_vec3 v[3];
        lode_heightfield_get_triangle(field, t, v);
        double x = (double)(v[0].x + v[1].x + v[2].x) / 3 - CELLS / 2;
        out->refused[t] = refuses(x, (double)(v[0].y + v[1].y + v[2].y) / 3 - CELLS / 2);
    }
    lode_heightfield_release(field);
    return shape;
}

static lode_world make_world(record *r, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    def.gravity = vec(0, 0, -10);
    if (r)
        def.triangle_filter = (lode_triangle_filter){r, accepts};
    return lode_world_create(&def);
}

/* ---- contacts ---- */

static lode_hull *make_hull(test_random *random)
{
    lode_real points[10][3];
    for (int i = 0; i < 30; ++i)
        points[i / 3][i % 3] = (lode_real)number(random, -0.7, 0.7);
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = 10;
    return lode_hull_create(&def);
}

static lode_shape add_solid(lode_body body, int kind, lode_hull *hull)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real r = (lode_real)0.6, h = (lode_real)0.5;
    switch (kind) {
    case 0:
        return lode_shape_create_sphere(body, &def, r);
    case 1:
        return lode_shape_create_box(body, &def, vec(r, h, (lode_real)0.4));
    case 2:
        return lode_shape_create_capsule(body, &def, (lode_real)0.3, h);
    case 3:
        return lode_shape_create_cylinder(body, &def, h, (lode_real)0.4);
    default:
        return lode_shape_create_hull(body, &def, hull);
    }
}

static bool is_among(const lode_collide_point *p, const lode_collide_point *list, int count)
{
    for (int i = 0; i < count; ++i)
        if (near_vec(p->position, list[i].position, 1e-5) &&
            near_vec(p->normal, list[i].normal, 1e-4) &&
            near((double)p->depth, (double)list[i].depth, 1e-5))
            return true;
    return false;
}

/* All points of a filtered mesh are those of the mesh that was made with the holes. */
static void refused_triangles_are_holes(void **state)
{
    (void)state;
    static record r;
    test_random random = {1};
    int touched = 0;
    lode_world world = make_world(&r, 1);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_hull *hull = make_hull(&random);
    lode_shape whole = whole_mesh(ground, hilly, scattered, &r);
    lode_world other = make_world(NULL, 1);
    lode_shape holed = mesh_with_holes(add_body(other, LODE_STATIC, 0, 0, 0), hilly, &r);
    for (int i = 0; i < 3000; ++i) {
        lode_body_def def = lode_body_def_default();
        def.position = vec((lode_real)number(&random, -5, 5), (lode_real)number(&random, -5, 5),
                           (lode_real)number(&random, -0.5, 1.2));
        def.rotation = any_rotation(&random);
        lode_collide_options options = {LODE_COLLIDE_ALL, 0};
        lode_collide_point a[200], b[200];
        lode_body one = lode_body_create(world, &def), two = lode_body_create(other, &def);
        lode_shape solid = add_solid(one, i % 5, hull), same = add_solid(two, i % 5, hull);
        int count_a = lode_shape_collide(solid, whole, &options, a, 200);
        int count_b = lode_shape_collide(same, holed, &options, b, 200);
        assert_int_equal(count_a, count_b);
        for (int k = 0; k < count_a; ++k) {
            assert_false(r.refused[a[k].child_b]);
            assert_true(is_among(&a[k], b, count_b) && is_among(&b[k], a, count_a));
        }
        touched += count_a > 0;
        lode_body_destroy(one);
        lode_body_destroy(two);
    }
    assert_true(touched > 1000);
    lode_hull_release(hull);
    lode_world_destroy(world);
    lode_world_destroy(other);
}

/* What falls on the ground with a pit of 2 m: where it is after two seconds. */
static double fall(int kind, double size, int form, record *r)
{
    lode_world world = make_world(r, 1);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    if (kind == 0)
        whole_mesh(ground, level, pit, r);
    else
        whole_field(ground, kind == 2 ? 3 : 0, pit, r);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 2);
    lode_shape_def def = lode_shape_def_default();
    def.user_data = &def;
    lode_real s = (lode_real)size;
    if (form == 0)
        lode_shape_create_sphere(body, &def, s);
    else if (form == 1)
        lode_shape_create_box(body, &def, vec(s, s, (lode_real)0.5));
    else
        lode_shape_create_cylinder(body, &def, s, (lode_real)0.5);
    for (int i = 0; i < 128; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    double z = (double)lode_body_get_pose(body).position.z;
    lode_world_destroy(world);
    return z;
}

static void a_hole_has_a_rim(void **state)
{
    (void)state;
    static record r;
    r.to = NULL;
    for (int kind = 0; kind < 3; ++kind) {
        for (int form = 0; form < 3; ++form)
            assert_true(fall(kind, 0.8, form, &r) < -5); /* through, the thick field too */
        assert_true(near(fall(kind, 1.5, 0, &r), sqrt(1.5 * 1.5 - 1), 0.02));
        assert_true(near(fall(kind, 1.5, 1, &r), 0.5, 0.01));
        assert_true(near(fall(kind, 1.6, 2, &r), 0.5, 0.01));
    }
}

/* A hole to one is none to another. */
static void the_other_shape_is_told(void **state)
{
    (void)state;
    static record r;
    static int ghost;
    r.to = &ghost;
    lode_world world = make_world(&r, 1);
    whole_mesh(add_body(world, LODE_STATIC, 0, 0, 0), level, everything, &r);
    lode_shape_def def = lode_shape_def_default();
    lode_body solid = add_body(world, LODE_DYNAMIC, 0, 0, 1);
    lode_shape_create_sphere(solid, &def, (lode_real)0.5);
    def.user_data = &ghost;
    lode_body passes = add_body(world, LODE_DYNAMIC, 2, 0, 1);
    lode_shape_create_sphere(passes, &def, (lode_real)0.5);
    for (int i = 0; i < 128; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_true(near((double)lode_body_get_pose(solid).position.z, 0.5, 0.01));
    assert_true((double)lode_body_get_pose(passes).position.z < -5);
    /* switched off, it stands on all; what rests wakes when it is switched on for all */
    r.to = NULL;
    assert_true(lode_world_get_def(world).triangle_filter.user == &r);
    for (int i = 0; i < 300; ++i)
        lode_world_step(world, STEP);
    lode_triangle_filter filter = {&r, accepts};
    assert_int_equal(lode_world_set_triangle_filter(world, NULL), LODE_OK);
    lode_body_set_pose(solid, (lode_pose){{0, 0, 1}, {1, 0, 0, 0}});
    lode_body_set_linear_velocity(solid, vec(0, 0, 0));
    for (int i = 0; i < 200; ++i)
        lode_world_step(world, STEP);
    assert_true(near((double)lode_body_get_pose(solid).position.z, 0.5, 0.01));
    lode_body_sleep(solid);
    lode_world_step(world, STEP);
    assert_false(lode_body_is_awake(solid));
    assert_int_equal(lode_world_set_triangle_filter(world, &filter), LODE_OK);
    for (int i = 0; i < 128; ++i)
        lode_world_step(world, STEP);
    assert_true((double)lode_body_get_pose(solid).position.z < -5);
    lode_world_destroy(world);
}

/* ---- queries ---- */

static void rays_and_casts_pass_holes(void **state)
{
    (void)state;
    static record r;
    test_random random = {2};
    r.to = NULL;
    lode_world world = make_world(&r, 1), other = make_world(NULL, 1);
    whole_mesh(add_body(world, LODE_STATIC, 0, 0, 0), hilly, scattered, &r);
    mesh_with_holes(add_body(other, LODE_STATIC, 0, 0, 0), hilly, &r);
    int hits[2] = {0, 0};
    for (int i = 0; i < 3000; ++i) {
        lode_vec3 from = vec((lode_real)number(&random, -5, 5), (lode_real)number(&random, -5, 5),
                             3);
        lode_vec3 by = vec((lode_real)number(&random, -1, 1), (lode_real)number(&random, -1, 1),
                           -6);
        lode_ray ray = {.origin = from, .direction = by, .length = 10};
        lode_ray_hit a, b, many;
        bool found = lode_world_cast_ray(world, &ray, NULL, &a);
        assert_int_equal(found, lode_world_cast_ray(other, &ray, NULL, &b));
        assert_int_equal(found, lode_world_test_ray(world, &ray, NULL));
        assert_int_equal(lode_world_cast_rays(world, &ray, 1, NULL, &many), found);
        if (found)
            assert_true(a.distance == b.distance && many.distance == a.distance);
        hits[0] += found;
        lode_cast cast = {.solid = lode_solid_sphere((lode_real)number(&random, 0.05, 0.5)),
                          .pose = {from, {1, 0, 0, 0}},
                          .translation = by};
        lode_cast_hit c, d;
        found = lode_world_cast_shape(world, &cast, NULL, &c);
        assert_int_equal(found, lode_world_cast_shape(other, &cast, NULL, &d));
        if (found)
            assert_true(near((double)c.distance, (double)d.distance, 1e-6) &&
                        near_vec(c.normal, d.normal, 1e-4));
        hits[1] += found;
    }
    assert_true(hits[0] > 1500 && hits[0] < 2700 && hits[1] > 1500);
    lode_world_destroy(world);
    lode_world_destroy(other);
}

static void continuous_bodies_pass_holes(void **state)
{
    (void)state;
    static record r;
    test_random random = {3};
    r.to = NULL;
    for (int i = 0; i < 60; ++i) {
        lode_world world = make_world(&r, 1);
        whole_mesh(add_body(world, LODE_STATIC, 0, 0, 0), level, pit, &r);
        bool over_pit = i % 2;
        lode_body_def def = lode_body_def_default();
        def.type = LODE_DYNAMIC;
        def.continuous = true;
        def.position = vec((lode_real)number(&random, over_pit ? -0.8 : 1.2, over_pit ? 0.8 : 5),
                           (lode_real)number(&random, -0.8, 0.8), (lode_real)number(&random, 1, 4));
        def.linear_velocity = vec(0, 0, (lode_real)-number(&random, 100, 1000));
        lode_body bullet = lode_body_create(world, &def);
        lode_shape_def shape_def = lode_shape_def_default();
        lode_shape_create_sphere(bullet, &shape_def, (lode_real)0.1);
        for (int k = 0; k < 5; ++k)
            assert_int_equal(lode_world_step(world, (lode_real)1 / 60), LODE_OK);
        assert_int_equal((double)lode_body_get_pose(bullet).position.z < 0, over_pit);
        lode_world_destroy(world);
    }
}

/* ---- all the same ---- */

static uint64_t hash_of_heap(record *r, int threads, refused_fn *refuses)
{
    static record unused;
    lode_world world = make_world(r, threads);
    test_random random = {4};
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_hull *hull = make_hull(&random);
    whole_mesh(ground, hilly, refuses, r ? r : &unused);
    for (int i = 0; i < 60; ++i) {
        lode_body_def def = lode_body_def_default();
        def.type = LODE_DYNAMIC;
        def.position = vec((lode_real)number(&random, -4, 4), (lode_real)number(&random, -4, 4),
                           (lode_real)number(&random, 1, 4));
        def.rotation = any_rotation(&random);
        add_solid(lode_body_create(world, &def), i % 5, hull);
    }
    for (int i = 0; i < 100; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    uint64_t hash = lode_world_hash(world);
    lode_hull_release(hull);
    lode_world_destroy(world);
    return hash;
}

static void a_filter_that_refuses_nothing_changes_nothing(void **state)
{
    (void)state;
    static record r;
    r.to = NULL;
    assert_true(hash_of_heap(&r, 1, nothing) == hash_of_heap(NULL, 1, nothing));
    assert_true(hash_of_heap(&r, 1, scattered) != hash_of_heap(NULL, 1, nothing));
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static record r;
    r.to = NULL;
    assert_true(hash_of_heap(&r, 1, scattered) == hash_of_heap(&r, 3, scattered));
}

/* Of meshes on planes and on each other points go with their triangles. */
static void meshes_and_planes_ask_too(void **state)
{
    (void)state;
    static record r;
    static mesh_draft d;
    r.to = NULL;
    lode_world world = make_world(&r, 1);
    lode_shape_def def = lode_shape_def_default();
    d = (mesh_draft){0};
    draft_box(&d, 1, 1, 1);
    lode_shape one = shape_of_draft(add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.9), &d);
    lode_shape two = shape_of_draft(
        add_body(world, LODE_DYNAMIC, (lode_real)0.3, (lode_real)0.2, (lode_real)2.8), &d);
    lode_shape plane = lode_shape_create_plane(add_body(world, LODE_STATIC, 0, 0, 0), &def,
                                               vec(0, 0, 1), 0);
    for (int all = 0; all < 2; ++all) {
        memset(r.refused, all, sizeof r.refused);
        assert_int_equal(lode_shape_collide(one, plane, NULL, NULL, 0) > 0, !all);
        assert_int_equal(lode_shape_collide(one, two, NULL, NULL, 0) > 0, !all);
        assert_int_equal(lode_shape_collide(two, one, NULL, NULL, 0) > 0, !all);
    }
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_triangles_are_holes),
        cmocka_unit_test(a_hole_has_a_rim),
        cmocka_unit_test(the_other_shape_is_told),
        cmocka_unit_test(rays_and_casts_pass_holes),
        cmocka_unit_test(continuous_bodies_pass_holes),
        cmocka_unit_test(a_filter_that_refuses_nothing_changes_nothing),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(meshes_and_planes_ask_too),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

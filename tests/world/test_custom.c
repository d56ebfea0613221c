/* Shapes of the application's classes: a ball made by hand beside the library's own, a board of two
 * classes, and classes that answer nonsense. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include "world/validate.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct orb {
    lode_real radius;
} orb;

static int destroyed;

static lode_real length_of(lode_vec3 v)
{
    return (lode_real)sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
}

static lode_vec3 scaled(lode_vec3 v, lode_real s)
{
    return vec(v.x * s, v.y * s, v.z * s);
}

static lode_real dot(lode_vec3 a, lode_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Turned by a unit quaternion. */
static lode_vec3 turn(lode_quat q, lode_vec3 v)
{
    lode_vec3 u = vec(q.x, q.y, q.z);
    lode_vec3 c = vec(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
    lode_vec3 d = vec(u.y * c.z - u.z * c.y, u.z * c.x - u.x * c.z, u.x * c.y - u.y * c.x);
    return vec(v.x + 2 * (q.w * c.x + d.x), v.y + 2 * (q.w * c.y + d.y),
               v.z + 2 * (q.w * c.z + d.z));
}

/* ---- the class of orbs ---- */

static lode_bounds orb_bounds(const void *data, lode_quat rotation)
{
    lode_real r = ((const orb *)data)->radius;
    (void)rotation;
    return (lode_bounds){vec(-r, -r, -r), vec(r, r, r)};
}

static lode_custom_point point_at(lode_vec3 normal, lode_real radius, lode_real depth)
{
    return (lode_custom_point){.position = scaled(normal, radius - depth / 2),
                               .normal = scaled(normal, 3), /* of any length */
                               .depth = depth,
                               .feature = 1,
                               .child = 5};
}

static int orb_ball(const void *data, const lode_custom_other *other, lode_real margin,
                    lode_custom_point *out, int capacity)
{
    lode_real r = ((const orb *)data)->radius;
    lode_real other_radius = other->type == LODE_CUSTOM
                                 ? ((const orb *)lode_custom_get_data(other->custom))->radius
                                 : other->radius;
    lode_real distance = length_of(other->pose.position);
    assert_true(capacity >= 1 && (other->type == LODE_CUSTOM || other->type == LODE_SPHERE));
    if (distance <= 0 || r + other_radius - distance <= -margin)
        return 0;
    out[0] = point_at(scaled(other->pose.position, 1 / distance), r, r + other_radius - distance);
    return 1;
}

static int orb_plane(const void *data, const lode_custom_other *other, lode_real margin,
                     lode_custom_point *out, int capacity)
{
    lode_real r = ((const orb *)data)->radius;
    lode_vec3 n = turn(other->pose.rotation, other->normal);
    lode_real height = -dot(n, other->pose.position) - other->offset;
    assert_true(capacity >= 1 && other->type == LODE_PLANE);
    if (r - height <= -margin)
        return 0;
    out[0] = point_at(scaled(n, -1), r, r - height);
    return 1;
}

static const lode_custom_class orbs;

static lode_custom_collide_fn *orb_select(lode_shape_type type, const lode_custom_class *other)
{
    if (type == LODE_SPHERE || (type == LODE_CUSTOM && other == &orbs))
        return orb_ball;
    return type == LODE_PLANE ? orb_plane : NULL;
}

static bool orb_box(const void *data, lode_pose pose, lode_vec3 half)
{
    lode_real r = ((const orb *)data)->radius;
    lode_vec3 p = pose.position;
    lode_vec3 out = vec((lode_real)fmax(fabs((double)p.x) - (double)half.x, 0),
                        (lode_real)fmax(fabs((double)p.y) - (double)half.y, 0),
                        (lode_real)fmax(fabs((double)p.z) - (double)half.z, 0));
    return length_of(out) <= r;
}

static bool orb_ray(const void *data, lode_vec3 origin, lode_vec3 direction, lode_custom_span *out)
{
    double r = (double)((const orb *)data)->radius, b = (double)dot(origin, direction);
    double c = (double)dot(origin, origin) - r * r, root = b * b - c;
    if (root < 0)
        return false;
    out->enter = (lode_real)(-b - sqrt(root));
    out->leave = (lode_real)(-b + sqrt(root));
    lode_vec3 at = scaled(direction, out->enter), to = scaled(direction, out->leave);
    out->enter_normal = vec(origin.x + at.x, origin.y + at.y, origin.z + at.z);
    out->leave_normal = vec(origin.x + to.x, origin.y + to.y, origin.z + to.z);
    return true;
}

static lode_mass orb_mass(const void *data, lode_real density)
{
    lode_real r = ((const orb *)data)->radius;
    lode_real m = density * (lode_real)(4.0 / 3 * 3.14159265358979323846) * r * r * r;
    lode_real i = (lode_real)0.4 * m * r * r;
    return (lode_mass){.mass = m, .inertia = {i, i, i}};
}

static void orb_destroy(void *data)
{
    (void)data;
    ++destroyed;
}

static const lode_custom_class orbs = {
    .name = "orb",
    .data_size = sizeof(orb),
    .bounds = orb_bounds,
    .select = orb_select,
    .overlaps_box = orb_box,
    .ray = orb_ray,
    .mass = orb_mass,
    .destroy = orb_destroy,
};

static lode_custom *make_orb(double radius)
{
    orb data = {(lode_real)radius};
    return lode_custom_create(&orbs, &data);
}

static lode_shape add_orb(lode_body body, double radius)
{
    lode_shape_def def = lode_shape_def_default();
    lode_custom *custom = make_orb(radius);
    lode_shape shape = lode_shape_create_custom(body, &def, custom);
    lode_custom_release(custom);
    return shape;
}

static lode_shape add_sphere(lode_body body, double radius)
{
    lode_shape_def def = lode_shape_def_default();
    return lode_shape_create_sphere(body, &def, (lode_real)radius);
}

static lode_world make_world(int threads)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    return lode_world_create(&def);
}

/* ---- what they do ---- */

/* A heap of balls and orbs on a plane; `orbs_of` says which are orbs. */
static lode_world make_heap(int threads, int orbs_of)
{
    lode_world world = make_world(threads);
    add_ground(world);
    for (int i = 0; i < 60; ++i) {
        lode_body body = add_body(world, LODE_DYNAMIC, (lode_real)(i % 3) * (lode_real)0.8,
                                  (lode_real)(i / 3 % 3) * (lode_real)0.8 + (lode_real)(i % 2) / 8,
                                  (lode_real)0.5 + (lode_real)(i / 9) * (lode_real)0.9);
        if (i % 2 < orbs_of)
            add_orb(body, 0.4);
        else
            add_sphere(body, 0.4);
    }
    return world;
}

static double highest(lode_world world)
{
    lode_body bodies[128];
    int count = lode_world_get_bodies(world, bodies, 128);
    double most = 0;
    for (int i = 0; i < count; ++i) {
        lode_vec3 p = lode_body_get_pose(bodies[i]).position;
        assert_true(lode_body_get_type(bodies[i]) != LODE_DYNAMIC || (double)p.z > 0.38);
        most = fmax(most, (double)p.z);
    }
    return most;
}

static void orbs_behave_as_balls(void **state)
{
    (void)state;
    for (int orbs_of = 0; orbs_of <= 2; ++orbs_of) {
        lode_world world = make_heap(1, orbs_of);
        for (int i = 0; i < 400; ++i) {
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
            if (i % 20 == 0)
                lode__world_validate(lode__registry_world(world.id));
        }
        assert_true(highest(world) < 2.2); /* the heap has spread, and nothing sank or left */
        lode_world_destroy(world);
    }
}

static void one_lies_where_a_ball_does(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    add_ground(world);
    lode_body made = add_body(world, LODE_DYNAMIC, 0, 0, 1),
              own = add_body(world, LODE_DYNAMIC, 5, 0, 1);
    lode_shape shape = add_orb(made, 0.5);
    add_sphere(own, 0.5);
    assert_true(
        near((double)lode_body_get_mass(made).mass, (double)lode_body_get_mass(own).mass, 1e-2));
    lode_body_set_angular_velocity(made, vec(0, 3, 0));
    lode_body_set_angular_velocity(own, vec(0, 3, 0));
    for (int i = 0; i < 200; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    lode_vec3 p = lode_body_get_pose(made).position, q = lode_body_get_pose(own).position;
    assert_true(near_vec(vec(p.x + 5, p.y, p.z), q, 1e-3) && (double)p.x > 0.1);
    lode_contact contacts[4];
    assert_int_equal(lode_world_get_contacts(world, contacts, 4), 2);
    for (int i = 0; i < 2; ++i) {
        bool is_a = contacts[i].shape_a.id == shape.id, is_b = contacts[i].shape_b.id == shape.id;
        assert_int_equal(contacts[i].points[0].child_a, is_a ? 5 : -1);
        assert_int_equal(contacts[i].points[0].child_b, is_b ? 5 : -1);
    }
    lode_world_destroy(world);
}

static void queries_ask_the_class(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    lode_body body = add_body(world, LODE_STATIC, 1, 2, 3);
    lode_shape shape = add_orb(body, 0.5);
    lode_ray ray = {.origin = {-4, 2, 3}, .direction = {1, 0, 0}, .length = 10};
    lode_ray_hit hit;
    assert_true(lode_world_cast_ray(world, &ray, NULL, &hit));
    assert_true(hit.shape.id == shape.id && near((double)hit.distance, 4.5, 1e-5));
    assert_true(near_vec(hit.normal, vec(-1, 0, 0), 1e-5));
    ray.origin.y = (lode_real)2.51;
    assert_false(lode_world_cast_ray(world, &ray, NULL, &hit));
    /* the corner of its bounds is not in it */
    lode_bounds corner = {vec((lode_real)1.4, (lode_real)2.4, (lode_real)3.4), vec(2, 3, 4)};
    lode_bounds side = {vec((lode_real)1.4, (lode_real)1.9, (lode_real)2.9), vec(2, 3, 4)};
    assert_int_equal(lode_world_overlap_bounds(world, corner, NULL, NULL, 0), 0);
    assert_int_equal(lode_world_overlap_bounds(world, side, NULL, NULL, 0), 1);
    /* on the spot, either way round */
    lode_shape ball = add_sphere(add_body(world, LODE_STATIC, 1, 2, (lode_real)3.9), 0.5);
    lode_collide_point p;
    assert_int_equal(lode_shape_collide(shape, ball, NULL, &p, 1), 1);
    assert_true(near((double)p.depth, 0.1, 1e-5) && near_vec(p.normal, vec(0, 0, -1), 1e-5));
    assert_true(near_vec(p.position, vec(1, 2, (lode_real)3.45), 1e-5) && p.child_a == 5);
    assert_int_equal(lode_shape_collide(ball, shape, NULL, &p, 1), 1);
    assert_true(near_vec(p.normal, vec(0, 0, 1), 1e-5) && p.child_b == 5 && p.child_a == -1);
    /* no collider: they pass through each other */
    lode_shape_def def = lode_shape_def_default();
    lode_shape box = lode_shape_create_box(body, &def, vec(1, 1, 1));
    assert_int_equal(lode_shape_collide(shape, box, NULL, &p, 1), 0);
    lode_world_destroy(world);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 4; threads += 3) {
        lode_world world = make_heap(threads, 2);
        for (int i = 0; i < 100; ++i)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        assert_true(threads == 1 || lode_world_hash(world) == hash);
        hash = lode_world_hash(world);
        lode_world_destroy(world);
    }
}

static void snapshots_find_objects_by_content(void **state)
{
    (void)state;
    lode_world world = make_heap(1, 1);
    for (int i = 0; i < 40; ++i)
        lode_world_step(world, STEP);
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *bytes = malloc(size);
    lode_world_snapshot(world, bytes, size);
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
        for (int k = 0; k < 40; ++k)
            lode_world_step(world, STEP);
        hash[i] = lode_world_hash(world);
    }
    assert_true(hash[0] == hash[1]);
    lode_world_destroy(world);
    /* elsewhere: one of another size is not the same, one of the same is */
    world = make_world(1);
    lode_custom *other = make_orb(0.3), *same = make_orb(0.4);
    assert_int_equal(lode_world_offer_custom(world, other), LODE_OK);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_ERROR_ARGUMENT);
    assert_int_equal(lode_world_offer_custom(world, same), LODE_OK);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    for (int k = 0; k < 40; ++k)
        lode_world_step(world, STEP);
    assert_true(lode_world_hash(world) == hash[0]);
    lode_custom_release(other);
    lode_custom_release(same);
    lode_world_destroy(world);
    free(bytes);
}

static void objects_live_as_long_as_they_are_held(void **state)
{
    (void)state;
    destroyed = 0;
    alloc_fail_install();
    lode_world world = make_world(1);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 3);
    lode_shape shape = add_orb(body, 0.5);
    assert_int_equal(destroyed, 0);
    lode_custom *bigger = make_orb(1);
    double mass = (double)lode_body_get_mass(body).mass;
    assert_int_equal(lode_shape_set_custom(shape, bigger), LODE_OK);
    assert_int_equal(destroyed, 1);
    assert_true(near((double)lode_body_get_mass(body).mass, 8 * mass, 8 * mass * 1e-5));
    assert_true(lode_shape_get_custom(shape) == bigger);
    assert_true(lode_custom_get_class(bigger) == &orbs);
    lode_custom_release(bigger);
    lode_shape_destroy(shape);
    assert_int_equal(destroyed, 2);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_nth(0);
    assert_null(make_orb(1));
    alloc_fail_nth(-1);
    alloc_fail_remove();
}

/* ---- nonsense ---- */

static int round_of_nonsense;

static lode_bounds bad_bounds(const void *data, lode_quat rotation)
{
    lode_real nan = (lode_real)NAN, one = *(const lode_real *)data;
    if (rotation.w == 1 || round_of_nonsense++ % 3)
        return (lode_bounds){vec(-one, -one, -one), vec(one, one, one)};
    return (lode_bounds){vec(nan, 0, 0), vec(-1, nan, 0)};
}

static int bad_collide(const void *data, const lode_custom_other *other, lode_real margin,
                       lode_custom_point *out, int capacity)
{
    lode_real nan = (lode_real)NAN, far = (lode_real)INFINITY;
    (void)data;
    (void)other;
    (void)margin;
    out[0] = (lode_custom_point){.normal = vec(0, 0, nan), .depth = 1};
    out[1] = (lode_custom_point){.normal = vec(0, 0, 0), .depth = 1};
    out[2] = (lode_custom_point){.normal = vec(0, 0, 1), .depth = nan};
    out[3] = (lode_custom_point){.position = vec(far, 0, 0), .normal = vec(0, 0, 1), .depth = 1};
    out[4] = (lode_custom_point){.normal = vec(0, 0, 1), .depth = far};
    for (int i = 5; i < capacity; ++i)
        out[i] = out[i % 5];
    return capacity + 1000;
}

static lode_custom_collide_fn *bad_select(lode_shape_type type, const lode_custom_class *other)
{
    (void)type;
    (void)other;
    return bad_collide;
}

static bool bad_ray(const void *data, lode_vec3 origin, lode_vec3 direction, lode_custom_span *out)
{
    (void)data;
    (void)origin;
    (void)direction;
    out->enter = (lode_real)NAN;
    out->leave = 1;
    return true;
}

static void nonsense_is_left_out(void **state)
{
    (void)state;
    static const lode_custom_class bad = {.name = "bad",
                                          .data_size = sizeof(lode_real),
                                          .bounds = bad_bounds,
                                          .select = bad_select,
                                          .ray = bad_ray};
    lode_real one = 1;
    lode_world world = make_world(1);
    lode_custom *custom = lode_custom_create(&bad, &one);
    lode_shape_def def = lode_shape_def_default();
    add_ground(world);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 1);
    lode_shape_create_custom(body, &def, custom);
    lode_custom_release(custom);
    lode_body_set_angular_velocity(body, vec(1, 2, 3));
    add_ball(world, 0, 0, 1, 1);
    lode_ray ray = {.origin = {-4, 0, 1}, .direction = {1, 0, 0}, .length = 2};
    lode_ray_hit hit;
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        assert_int_equal(lode_world_get_contacts(world, NULL, 0), 1); /* the ball on the ground */
        assert_false(lode_world_cast_ray(world, &ray, NULL, &hit));
    }
    lode_world_destroy(world);
}

static void bad_classes_are_refused(void **state)
{
    (void)state;
    orb data = {(lode_real)NAN};
    report_clear();
    lode_custom_class c = orbs;
    c.name = NULL;
    assert_null(lode_custom_create(&c, &data));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_custom_create", "custom_class.name");
    c = orbs;
    c.bounds = NULL;
    report_clear();
    assert_null(lode_custom_create(&c, &data));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_custom_create", "custom_class.bounds");
    c = orbs;
    c.select = NULL;
    report_clear();
    assert_null(lode_custom_create(&c, &data));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_custom_create", "custom_class.select");
    report_clear();
    assert_null(lode_custom_create(&orbs, NULL));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_custom_create", "data");
    report_clear();
    assert_null(lode_custom_create(&orbs, &data));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_custom_create", "custom_class.bounds");
    report_clear();
}

int main(void)
{
    report_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orbs_behave_as_balls),
        cmocka_unit_test(one_lies_where_a_ball_does),
        cmocka_unit_test(queries_ask_the_class),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(snapshots_find_objects_by_content),
        cmocka_unit_test(objects_live_as_long_as_they_are_held),
        cmocka_unit_test(nonsense_is_left_out),
        cmocka_unit_test(bad_classes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

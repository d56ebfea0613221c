/* A class of the application's that has no end: the half-space below z = 0 of its own frame, with
 * infinite bounds, beside the library's plane: what lies on it in every broad phase, and all that
 * queries say. */
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>

#define FAR ((lode_real)INFINITY)

static lode_vec3 turn(lode_quat q, lode_vec3 v)
{
    lode_vec3 u = vec(q.x, q.y, q.z);
    lode_vec3 c = vec(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
    lode_vec3 d = vec(u.y * c.z - u.z * c.y, u.z * c.x - u.x * c.z, u.x * c.y - u.y * c.x);
    return vec(v.x + 2 * (q.w * c.x + d.x), v.y + 2 * (q.w * c.y + d.y),
               v.z + 2 * (q.w * c.z + d.z));
}

/* --- the class */

/* One knows where it ends when it lies level, the other does not. */
typedef struct depths {
    int32_t sharp;
} depths;

static lode_bounds depths_bounds(const void *data, lode_quat q)
{
    bool level = ((const depths *)data)->sharp && q.x == 0 && q.y == 0;
    return (lode_bounds){vec(-FAR, -FAR, -FAR), vec(FAR, FAR, level ? 0 : FAR)};
}

static void tell(lode_vec3 lowest, uint32_t feature, lode_real margin, lode_custom_point *out,
                 int *count, int capacity)
{
    if (lowest.z <= margin && *count < capacity)
        out[(*count)++] = (lode_custom_point){.position = vec(lowest.x, lowest.y, lowest.z / 2),
                                              .normal = vec(0, 0, 1),
                                              .depth = -lowest.z,
                                              .feature = feature,
                                              .child = -1};
}

/* Balls, boxes and capsules are their corners, each with a ball around it. */
static int depths_corners(const void *data, const lode_custom_other *other, lode_real margin,
                          lode_custom_point *out, int capacity)
{
    (void)data;
    int count = 0, corners = other->type == LODE_BOX ? 8 : other->type == LODE_CAPSULE ? 2 : 1;
    lode_vec3 half = other->type == LODE_BOX ? other->half_extents : vec(0, 0, other->half_length);
    lode_real radius = other->type == LODE_BOX ? 0 : other->radius;
    for (int i = 0; i < corners; ++i) {
        int up = corners == 2 ? i : i >> 2;
        lode_vec3 p = turn(
            other->pose.rotation,
            vec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, up ? half.z : -half.z));
        p.x += other->pose.position.x;
        p.y += other->pose.position.y;
        p.z += other->pose.position.z - radius;
        tell(p, (uint32_t)i + 1, margin, out, &count, capacity);
    }
    return count;
}

static lode_custom_collide_fn *depths_select(lode_shape_type type, const lode_custom_class *other)
{
    (void)other;
    return type == LODE_SPHERE || type == LODE_BOX || type == LODE_CAPSULE ? depths_corners : NULL;
}

/* Does the lowest corner of the box, along the surface's normal, lie below it? */
static bool depths_box(const void *data, lode_pose pose, lode_vec3 half)
{
    (void)data;
    lode_vec3 n = turn(pose.rotation, vec(0, 0, 1)), p = pose.position;
    lode_real reach = (lode_real)(fabs((double)(n.x * half.x)) + fabs((double)(n.y * half.y)) +
                                  fabs((double)(n.z * half.z)));
    return -reach <= n.x * p.x + n.y * p.y + n.z * p.z;
}

static bool depths_ray(const void *data, lode_vec3 origin, lode_vec3 direction,
                       lode_custom_span *out)
{
    (void)data;
    out->enter = -FAR;
    out->leave = FAR;
    out->enter_normal = out->leave_normal = vec(0, 0, 1);
    if (direction.z < 0)
        out->enter = -origin.z / direction.z;
    else if (direction.z > 0)
        out->leave = -origin.z / direction.z;
    return direction.z != 0 || origin.z < 0;
}

static const lode_custom_class class = {.name = "depths",
                                        .data_size = sizeof(depths),
                                        .bounds = depths_bounds,
                                        .select = depths_select,
                                        .overlaps_box = depths_box,
                                        .ray = depths_ray};

static lode_shape add_depths(lode_body body, bool sharp, const lode_shape_def *def)
{
    lode_shape_def defaults = lode_shape_def_default();
    depths data = {sharp};
    lode_custom *custom = lode_custom_create(&class, &data);
    assert_non_null(custom);
    lode_shape shape = lode_shape_create_custom(body, def ? def : &defaults, custom);
    lode_custom_release(custom);
    return shape;
}

/* --- steps */

enum { SOLIDS = 60, STEPS = 260 };

/* Solids above it, some of them far away. */
static lode_world make_world(lode_broad_phase kind, bool sharp)
{
    lode_world_def world_def = lode_world_def_default();
    lode_shape_def def = lode_shape_def_default();
    world_def.broad_phase = kind;
    lode_world world = lode_world_create(&world_def);
    add_depths(add_body(world, LODE_STATIC, 3, 4, -2), sharp, NULL);
    test_random random = {5};
    for (int i = 0; i < SOLIDS; ++i) {
        lode_real apart = i % 6 == 5 ? 1000 : 2;
        lode_body body = add_body(world, LODE_DYNAMIC, apart * (lode_real)(i % 8),
                                  -apart * (lode_real)(i / 8),
                                  (lode_real)random_between(&random, -1, 1));
        if (i % 3 == 0)
            lode_shape_create_sphere(body, &def, (lode_real)0.5);
        else if (i % 3 == 1)
            lode_shape_create_box(body, &def, vec((lode_real)0.6, (lode_real)0.4, (lode_real)0.5));
        else
            lode_shape_create_capsule(body, &def, (lode_real)0.5, (lode_real)0.3);
    }
    return world;
}

static void expect_rest(lode_world world)
{
    lode_body bodies[SOLIDS + 1];
    int count = lode_world_get_bodies(world, bodies, SOLIDS + 1), resting = 0;
    assert_int_equal(count, SOLIDS + 1);
    for (int i = 0; i < count; ++i) {
        double z = (double)lode_body_get_pose(bodies[i]).position.z;
        if (lode_body_get_type(bodies[i]) != LODE_DYNAMIC)
            continue;
        assert_true(z > -1.51 && z < -0.69); /* on an end, or on a side */
        resting += near(z, -1.5, 0.01);
    }
    assert_true(resting >= 2 * SOLIDS / 3);
}

static void all_lie_on_it_in_every_broad_phase(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (int kind = 0; kind < 2 * LODE_BROAD_PHASE_COUNT; ++kind) {
        bool sharp = kind >= LODE_BROAD_PHASE_COUNT;
        lode_world world = make_world((lode_broad_phase)(kind % LODE_BROAD_PHASE_COUNT), sharp);
        for (int i = 0; i < STEPS; ++i)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        expect_rest(world);
        assert_true(kind % LODE_BROAD_PHASE_COUNT == 0 || lode_world_hash(world) == hash);
        hash = lode_world_hash(world);
        lode_world_destroy(world);
    }
}

static void a_world_with_it_is_set_back(void **state)
{
    (void)state;
    lode_world world = make_world(LODE_BROAD_TREE, false);
    for (int i = 0; i < 60; ++i)
        lode_world_step(world, STEP);
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *bytes = malloc(size);
    lode_world_snapshot(world, bytes, size);
    uint64_t hash[2];
    for (int turn = 0; turn < 2; ++turn) {
        for (int i = 0; i < 60; ++i)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        hash[turn] = lode_world_hash(world);
        assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    }
    assert_true(hash[0] == hash[1]);
    free(bytes);
    lode_world_destroy(world);
}

static void bullets_do_not_pass(void **state)
{
    (void)state;
    lode_world world = make_world(LODE_BROAD_TREE, true);
    lode_shape_def def = lode_shape_def_default();
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.continuous = true;
    body_def.position = vec(5000, 5000, 3);
    body_def.linear_velocity = vec(50, 0, -900);
    lode_body bullet = lode_body_create(world, &body_def);
    lode_shape_create_sphere(bullet, &def, (lode_real)0.1);
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        assert_true((double)lode_body_get_pose(bullet).position.z > -2);
    }
    lode_world_destroy(world);
}

static void as_a_sensor_it_tells_what_is_in_it(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    lode_shape_def def = lode_shape_def_default(), plain = def;
    world_def.gravity = vec(0, 0, 0);
    def.sensor = true;
    lode_world world = lode_world_create(&world_def);
    lode_shape sea = add_depths(add_body(world, LODE_STATIC, 0, 0, 1), false, &def);
    test_random random = {6};
    int below = 0;
    for (int i = 0; i < 50; ++i) {
        double x = random_between(&random, -3000, 3000), z = random_between(&random, -20, 20);
        lode_body body = add_body(world, LODE_KINEMATIC, (lode_real)x, (lode_real)(9 * i),
                                  (lode_real)z);
        lode_shape_create_sphere(body, &plain, (lode_real)0.25);
        below += z - 0.25 < 1;
    }
    assert_true(below > 10 && below < 40);
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_int_equal(lode_shape_get_overlaps(sea, NULL, 0), below);
    lode_world_destroy(world);
}

/* --- queries */

/* The same half-space twice: the class's, and the library's. */
typedef struct twins {
    lode_world world[2];
    lode_shape shape[2];
} twins;

static twins make_twins(test_random *random)
{
    twins t;
    lode_shape_def def = lode_shape_def_default();
    lode_world_def world_def = lode_world_def_default();
    lode_body_def body_def = lode_body_def_default();
    double q[4], length = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = random_between(random, -1, 1);
        length += q[i] * q[i];
    }
    length = sqrt(length);
    body_def.rotation = (lode_quat){(lode_real)(q[0] / length), (lode_real)(q[1] / length),
                                    (lode_real)(q[2] / length), (lode_real)(q[3] / length)};
    body_def.position.x = (lode_real)random_between(random, -5, 5);
    body_def.position.z = (lode_real)random_between(random, -5, 5);
    for (int i = 0; i < 2; ++i) {
        t.world[i] = lode_world_create(&world_def);
        lode_body body = lode_body_create(t.world[i], &body_def);
        t.shape[i] = i ? lode_shape_create_plane(body, &def, vec(0, 0, 1), 0)
                       : add_depths(body, random_below(random, 2), NULL);
        assert_int_equal(lode_world_step(t.world[i], STEP), LODE_OK);
    }
    return t;
}

static lode_vec3 any_place(test_random *random)
{
    double far = random_below(random, 2) ? 30 : 800;
    double x = random_between(random, -far, far), y = random_between(random, -far, far);
    return vec((lode_real)x, (lode_real)y, (lode_real)random_between(random, -far, far));
}

/* Of lengths: some thousand times less than the places are far. */
static const double tight = sizeof(lode_real) == 4 ? 1e-3 : 1e-9;

/* The gap that ends a cast: collide/custom_sweep.c has it as a share of the way. */
static const double touch = sizeof(lode_real) == 4 ? 1e-2 : 4e-7;

static int same_ray(const twins *t, lode_vec3 from, lode_vec3 to, int faces)
{
    lode_vec3 d = vec(to.x - from.x, to.y - from.y, to.z - from.z);
    double length = sqrt((double)(d.x * d.x + d.y * d.y + d.z * d.z));
    lode_real unit = (lode_real)(1 / length);
    lode_ray ray = {.origin = from,
                    .direction = {d.x * unit, d.y * unit, d.z * unit},
                    .length = (lode_real)length,
                    .faces = (lode_faces)faces};
    lode_ray_hit hit[2];
    bool found[2];
    for (int i = 0; i < 2; ++i)
        found[i] = lode_world_cast_ray(t->world[i], &ray, NULL, &hit[i]);
    assert_int_equal(found[0], found[1]);
    if (!found[0])
        return 0;
    lode_vec3 n = hit[1].normal;
    double steep = fabs(
        (double)(n.x * ray.direction.x + n.y * ray.direction.y + n.z * ray.direction.z));
    assert_true(near(steep * (double)(hit[0].distance - hit[1].distance), 0, tight));
    assert_true(near_vec(hit[0].normal, hit[1].normal, 1e-5));
    assert_int_equal(hit[0].back, hit[1].back);
    return 1;
}

/* Returns how deep the place is in. */
static double same_place(const twins *t, lode_vec3 p)
{
    lode_nearest at[2];
    lode_bounds box = {vec(p.x - 1, p.y - 2, p.z - 1), vec(p.x + 1, p.y + 1, p.z + 2)};
    for (int i = 0; i < 2; ++i)
        assert_true(lode_shape_find_nearest(t->shape[i], p, &at[i]));
    assert_true(near((double)at[0].depth, (double)at[1].depth, tight));
    assert_true(near_vec(at[0].position, at[1].position, tight));
    for (int i = 0; i < 2; ++i) {
        double depth = (double)at[i].depth;
        lode_world world = t->world[i];
        lode_real less = (lode_real)(-depth - 4 * tight), more = (lode_real)(-depth + 4 * tight);
        assert_int_equal(lode_world_overlap_point(world, p, NULL, NULL, 0), depth > 0);
        assert_true(less < 0 || lode_world_overlap_sphere(world, p, less, NULL, NULL, 0) == 0);
        assert_true(more < 0 || lode_world_overlap_sphere(world, p, more, NULL, NULL, 0) == 1);
        assert_true(depth < 0 || lode_world_overlap_bounds(world, box, NULL, NULL, 0) == 1);
        assert_true(depth > -5 || lode_world_overlap_bounds(world, box, NULL, NULL, 0) == 0);
    }
    return (double)at[0].depth;
}

static int same_cast(const twins *t, lode_vec3 from, lode_vec3 to)
{
    lode_cast cast = {.solid = lode_solid_box(vec(1, 2, (lode_real)0.5)),
                      .pose = {from, {1, 0, 0, 0}},
                      .translation = {to.x - from.x, to.y - from.y, to.z - from.z}};
    lode_cast_hit hit[2];
    bool found[2];
    for (int i = 0; i < 2; ++i)
        found[i] = lode_world_cast_shape(t->world[i], &cast, NULL, &hit[i]);
    assert_int_equal(found[0], found[1]);
    if (!found[0])
        return 0;
    /* a gap that counts as none is a longer way where it leads along the surface */
    lode_vec3 n = hit[1].normal, by = cast.translation;
    double steep = fabs((double)(n.x * by.x + n.y * by.y + n.z * by.z));
    double late = (double)(hit[0].fraction - hit[1].fraction) * steep;
    assert_true(near(late, 0, touch));
    assert_int_equal(hit[0].overlaps, hit[1].overlaps);
    assert_true(near_vec(hit[0].normal, hit[1].normal, 1e-4));
    return 1;
}

static void queries_say_of_it_what_they_say_of_a_plane(void **state)
{
    (void)state;
    test_random random = {7};
    int rays = 0, casts = 0, inside = 0, places = 0;
    for (int i = 0; i < 60; ++i) {
        twins t = make_twins(&random);
        lode_bounds box = lode_shape_get_bounds(t.shape[0]);
        assert_true((double)box.upper.x > 1e8 && (double)box.lower.y < -1e8);
        for (int k = 0; k < 40; ++k, ++places) {
            lode_vec3 from = any_place(&random), to = any_place(&random);
            rays += same_ray(&t, from, to, k % 3);
            casts += same_cast(&t, from, to);
            inside += same_place(&t, from) > 0;
        }
        lode_world_destroy(t.world[0]);
        lode_world_destroy(t.world[1]);
    }
    print_message("%d rays, %d casts, %d inside of %d\n", rays, casts, inside, places);
    assert_true(rays > places / 4 && casts > places / 2 && inside > places / 3);
}

/* --- boxes that are none */

static lode_bounds given;

static lode_bounds given_bounds(const void *data, lode_quat q)
{
    (void)data;
    (void)q;
    return given;
}

static void boxes_that_are_none_are_refused(void **state)
{
    (void)state;
    lode_custom_class c = class;
    depths data = {0};
    lode_real nan = (lode_real)NAN, far = (lode_real)2e9;
    const lode_bounds bad[] = {
        {{0, 0, nan}, {1, 1, 1}},     {{0, 0, 0}, {1, nan, 1}},     {{FAR, 0, 0}, {FAR, 1, 1}},
        {{0, 0, 0}, {1, 1, -FAR}},    {{0, -FAR, 0}, {1, -FAR, 1}}, {{0, 2, 0}, {1, 1, 1}},
        {{-FAR, 0, 0}, {-far, 1, 1}}, {{0, far, 0}, {1, FAR, 1}},
    };
    c.bounds = given_bounds;
    for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); ++i) {
        given = bad[i];
        report_clear();
        assert_null(lode_custom_create(&c, &data));
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_custom_create", "custom_class.bounds");
    }
    report_clear();
}

int main(void)
{
    report_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lie_on_it_in_every_broad_phase),
        cmocka_unit_test(a_world_with_it_is_set_back),
        cmocka_unit_test(bullets_do_not_pass),
        cmocka_unit_test(as_a_sensor_it_tells_what_is_in_it),
        cmocka_unit_test(queries_say_of_it_what_they_say_of_a_plane),
        cmocka_unit_test(boxes_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Rays: exact answers, and random worlds against a walk over all shapes. */
#include "tests/world/zoo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-10
#else
#define ROUNDING 2e-5
#endif

#define INFINITE ((lode_real)INFINITY)

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static lode_ray ray_of(lode_vec3 origin, lode_vec3 direction, lode_real length)
{
    return (lode_ray){.origin = origin, .direction = direction, .length = length};
}

/* ---- exact answers ---- */

typedef struct lone {
    lode_world world;
    lode_body body;
    lode_shape shape;
} lone;

static lone lone_create(lode_shape_type type, lode_vec3 at, lode_real scale)
{
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lone l = {.world = lode_world_create(&def)};
    l.body = add_body(l.world, LODE_STATIC, at.x, at.y, at.z);
    if (type == LODE_SPHERE)
        l.shape = lode_shape_create_sphere(l.body, &shape, scale);
    else if (type == LODE_BOX)
        l.shape = lode_shape_create_box(l.body, &shape, vec(scale, 2 * scale, 3 * scale));
    else if (type == LODE_CAPSULE)
        l.shape = lode_shape_create_capsule(l.body, &shape, scale, 2 * scale);
    else
        l.shape = lode_shape_create_plane(l.body, &shape, vec(0, 0, 1), scale);
    return l;
}

static void expect_hit(lone *l, const lode_ray *ray, double distance, lode_vec3 normal, bool back,
                       int line)
{
    lode_ray_hit hits[3];
    bool found[3] = {lode_world_cast_ray(l->world, ray, NULL, &hits[0]),
                     lode_body_cast_ray(l->body, ray, &hits[1]),
                     lode_shape_cast_ray(l->shape, ray, &hits[2])};
    lode_vec3 d = ray->direction;
    for (int i = 0; i < 3; ++i) {
        const lode_ray_hit *hit = &hits[i];
        bool good = found[i] && near((double)hit->distance, distance, ROUNDING) &&
                    near_vec(hit->normal, normal, ROUNDING) && hit->back == back &&
                    hit->child == -1 && hit->shape.id == l->shape.id && hit->body.id == l->body.id;
        lode_vec3 at = vec(ray->origin.x + d.x * hit->distance, ray->origin.y + d.y * hit->distance,
                           ray->origin.z + d.z * hit->distance);
        if (!good || !near_vec(hit->position, at, ROUNDING))
            fail_msg("line %d, way %d: found %d, distance %g, normal %g %g %g, back %d", line, i,
                     found[i], (double)hit->distance, (double)hit->normal.x, (double)hit->normal.y,
                     (double)hit->normal.z, hit->back);
    }
    assert_true(lode_world_test_ray(l->world, ray, NULL));
}

static void expect_miss(lone *l, const lode_ray *ray, int line)
{
    lode_ray_hit hit, zero;
    memset(&zero, 0, sizeof zero);
    bool found = lode_world_cast_ray(l->world, ray, NULL, &hit) ||
                 lode_body_cast_ray(l->body, ray, &hit) ||
                 lode_shape_cast_ray(l->shape, ray, &hit) ||
                 lode_world_test_ray(l->world, ray, NULL);
    if (found || hit.shape.id != 0 || hit.distance != 0)
        fail_msg("line %d: hit at %g", line, (double)hit.distance);
}

#define HITS(ray, distance, normal, back) expect_hit(&l, ray, distance, normal, back, __LINE__)
#define MISSES(ray) expect_miss(&l, ray, __LINE__)

/* Whoever asks one shape means that shape; whoever asks a body or the world, what is there. */
static void only_one_shape_answers_where_none_is(void **state)
{
    (void)state;
    lone l = lone_create(LODE_SPHERE, vec(1, 2, 3), 1);
    lode_ray ray = ray_of(vec(1, 2, -5), vec(0, 0, 1), 10);
    lode_cast cast = {.solid = lode_solid_sphere(1),
                      .pose = {vec(1, 2, -5), {1, 0, 0, 0}},
                      .translation = vec(0, 0, 10)};
    lode_ray_hit hit;
    lode_cast_hit met;
    for (int way = 0; way < 3; ++way) {
        lode_shape_set_enabled(l.shape, way != 1);
        lode_shape_set_sensor(l.shape, way == 2);
        assert_true(lode_shape_cast_ray(l.shape, &ray, &hit));
        assert_true(near((double)hit.distance, 7, ROUNDING));
        assert_true(lode_shape_cast_shape(l.shape, &cast, &met));
        assert_true(near((double)met.distance, 6, 1e-4));
        assert_int_equal(lode_body_cast_ray(l.body, &ray, &hit), way == 0);
        assert_int_equal(lode_body_cast_shape(l.body, &cast, &met), way == 0);
        assert_int_equal(lode_world_cast_ray(l.world, &ray, NULL, &hit), way == 0);
        assert_int_equal(lode_world_cast_shape(l.world, &cast, NULL, &met), way == 0);
    }
    lode_world_destroy(l.world);
}

static void a_sphere_is_met_in_front(void **state)
{
    (void)state;
    lone l = lone_create(LODE_SPHERE, vec(1, 2, 3), 1);
    lode_ray ray = ray_of(vec(1, 2, -5), vec(0, 0, 1), 10);
    HITS(&ray, 7, vec(0, 0, -1), false);
    ray.length = 7;
    HITS(&ray, 7, vec(0, 0, -1), false);
    ray.length = (lode_real)6.999;
    MISSES(&ray);
    ray.length = INFINITE;
    HITS(&ray, 7, vec(0, 0, -1), false);
    ray.origin = vec(1, 2, 9);
    MISSES(&ray);
    ray.origin = vec((lode_real)1.6, 2, -5);
    HITS(&ray, 8 - 0.8, vec((lode_real)0.6, 0, (lode_real)-0.8), false);
    ray.origin = vec((lode_real)2.001, 2, -5);
    MISSES(&ray);
    lode_world_destroy(l.world);
}

static void faces_decide_about_rays_from_inside(void **state)
{
    (void)state;
    const lode_shape_type types[] = {LODE_SPHERE, LODE_BOX, LODE_CAPSULE};
    for (int i = 0; i < 3; ++i) {
        lone l = lone_create(types[i], vec(0, 0, 0), 1);
        lode_ray ray = ray_of(vec(0, 0, 0), vec(1, 0, 0), 10);
        MISSES(&ray);
        ray.faces = LODE_BACK_FACES;
        HITS(&ray, 1, vec(1, 0, 0), true);
        ray.faces = LODE_BOTH_FACES;
        HITS(&ray, 1, vec(1, 0, 0), true);
        ray.origin.x = -3;
        HITS(&ray, 2, vec(-1, 0, 0), false);
        ray.faces = LODE_BACK_FACES;
        HITS(&ray, 4, vec(1, 0, 0), true);
        ray.length = 3;
        MISSES(&ray);
        lode_world_destroy(l.world);
    }
}

static void a_plane_is_a_half_space(void **state)
{
    (void)state;
    lone l = lone_create(LODE_PLANE, vec(0, 0, 1), 1);
    lode_ray ray = ray_of(vec(5, 6, 10), vec(0, 0, -1), INFINITE);
    HITS(&ray, 8, vec(0, 0, 1), false);
    ray.direction = vec(0, 0, 1);
    MISSES(&ray);
    ray.origin.z = -3;
    MISSES(&ray);
    ray.faces = LODE_BOTH_FACES;
    HITS(&ray, 5, vec(0, 0, 1), true);
    ray.direction = vec(1, 0, 0);
    MISSES(&ray);
    ray.origin.z = 2;
    MISSES(&ray);
    lode_world_destroy(l.world);
}

static void a_capsule_is_met_on_side_and_ends(void **state)
{
    (void)state;
    lone l = lone_create(LODE_CAPSULE, vec(0, 0, 0), 1);
    lode_ray ray = ray_of(vec(-4, 0, (lode_real)1.9), vec(1, 0, 0), INFINITE);
    HITS(&ray, 3, vec(-1, 0, 0), false);
    ray = ray_of(vec(0, 0, 9), vec(0, 0, -1), INFINITE);
    HITS(&ray, 6, vec(0, 0, 1), false);
    ray = ray_of(vec((lode_real)0.6, 0, 9), vec(0, 0, -1), INFINITE);
    HITS(&ray, 7 - 0.8, vec((lode_real)0.6, 0, (lode_real)0.8), false);
    ray = ray_of(vec(-4, 0, (lode_real)2.8), vec(1, 0, 0), INFINITE);
    HITS(&ray, 4 - 0.6, vec((lode_real)-0.6, 0, (lode_real)0.8), false);
    ray = ray_of(vec(-4, 0, (lode_real)3.001), vec(1, 0, 0), INFINITE);
    MISSES(&ray);
    lode_world_destroy(l.world);
}

/* On the surface a ray begins at distance 0; along a face, on its border and in it. */
static void rays_of_no_length_and_along_faces(void **state)
{
    (void)state;
    lone l = lone_create(LODE_BOX, vec(0, 0, 0), 1);
    lode_ray ray = ray_of(vec(-1, (lode_real)0.5, (lode_real)0.5), vec(1, 0, 0), 0);
    HITS(&ray, 0, vec(-1, 0, 0), false);
    ray.direction = vec(-1, 0, 0);
    MISSES(&ray);
    ray.faces = LODE_BACK_FACES;
    HITS(&ray, 0, vec(-1, 0, 0), true);
    ray.origin.x = (lode_real)-1.01;
    MISSES(&ray);
    ray = ray_of(vec(-5, 2, 0), vec(1, 0, 0), 10); /* in the face's plane */
    HITS(&ray, 4, vec(-1, 0, 0), false);
    ray.origin = vec(-5, 2, 3); /* along an edge */
    HITS(&ray, 4, vec(-1, 0, 0), false);
    ray.origin = vec(-5, (lode_real)2.001, 3);
    MISSES(&ray);
    lode_world_destroy(l.world);
}

static void directions_need_not_be_unit(void **state)
{
    (void)state;
    lone l = lone_create(LODE_SPHERE, vec(0, 0, 0), 1);
    const lode_real lengths[] = {(lode_real)1e-30, (lode_real)0.5, 7, (lode_real)1e30};
    for (int i = 0; i < 4; ++i) {
        lode_ray ray = ray_of(vec(-5, 0, 0), vec(lengths[i], 0, 0), 10);
        lode_ray_hit hit;
        assert_true(lode_world_cast_ray(l.world, &ray, NULL, &hit));
        assert_true(near((double)hit.distance, 4, ROUNDING));
    }
    lode_world_destroy(l.world);
}

static void huge_tiny_and_far_shapes_are_met(void **state)
{
    (void)state;
    const lode_real scales[] = {(lode_real)1e-3, 1, 1000};
    const lode_real places[] = {0, 1000, (lode_real)1e7};
    for (int t = 0; t < 4; ++t)
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) {
                lode_real scale = scales[i], x = places[k];
                lone l = lone_create((lode_shape_type)t, vec(x, 0, 0), scale);
                lode_ray ray = ray_of(vec(x, 0, 20 * scale), vec(0, 0, -1), INFINITE);
                lode_ray_hit hit;
                const double tops[] = {1, 3, 1, 3}; /* of scale, by type */
                assert_true(lode_world_cast_ray(l.world, &ray, NULL, &hit));
                assert_true(near((double)hit.distance, (20 - tops[t]) * (double)scale,
                                 ROUNDING * 20 * (double)scale));
                assert_true(near((double)hit.position.z, tops[t] * (double)scale,
                                 ROUNDING * (double)scale));
                lode_world_destroy(l.world);
            }
}

/* ---- against a walk over all shapes ---- */

static lode_ray random_ray(zoo *z)
{
    lode_ray ray = ray_of(zoo_point(z), zoo_point(z), zoo_real(z, 0, 4 * z->span));
    lode_real *d = &ray.direction.x;
    uint32_t kind = random_below(&z->random, 8);
    ray.faces = (lode_faces)random_below(&z->random, 3);
    if (kind == 0)
        ray.length = INFINITE;
    if (kind == 1)
        ray.length = 0;
    if (kind < 4) { /* along an axis, or across one */
        uint32_t axis = random_below(&z->random, 3);
        for (uint32_t i = 0; i < 3; ++i)
            if ((i == axis) == (kind == 2))
                d[i] = 0;
    }
    if (d[0] == 0 && d[1] == 0 && d[2] == 0)
        d[2] = -1;
    if (kind == 4) { /* from a corner of bounds, where slabs begin */
        lode_shape shapes[ZOO_SHAPES];
        int count = zoo_shapes(z, shapes);
        lode_bounds b = lode_shape_get_bounds(
            shapes[1 + random_below(&z->random, (uint32_t)count - 1)]);
        if (b.lower.x > -1000)
            ray.origin = b.lower;
    }
    return ray;
}

static bool accept_even(void *context, lode_shape shape)
{
    (void)context;
    return (shape.id & 1) == 0;
}

static lode_query_filter random_filter(zoo *z)
{
    lode_query_filter filter = lode_query_filter_default();
    if (random_below(&z->random, 3) == 0)
        filter.mask = random_below(&z->random, 16);
    if (random_below(&z->random, 3) == 0)
        filter.category = random_below(&z->random, 16);
    if (!filter.mask && !filter.category) /* is refused */
        filter.mask = 1;
    if (random_below(&z->random, 3) == 0)
        filter.accept = accept_even;
    return filter;
}

static bool passes(const lode_query_filter *filter, lode_shape shape)
{
    lode_shape_def def = lode_shape_get_def(shape);
    return (def.category & filter->mask) && (filter->category & def.mask) &&
           (!filter->accept || filter->accept(filter->context, shape));
}

static int order(const void *pa, const void *pb)
{
    const lode_ray_hit *a = pa, *b = pb;
    uint32_t slot_a = (uint32_t)a->shape.id & 0xffffff, slot_b = (uint32_t)b->shape.id & 0xffffff;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (slot_a != slot_b)
        return slot_a < slot_b ? -1 : 1;
    return a->back - b->back;
}

/* Every hit, by asking every shape for each kind of face. */
static int all_hits(zoo *z, const lode_ray *ray, const lode_query_filter *filter, lode_ray_hit *out)
{
    static lode_shape shapes[ZOO_SHAPES];
    int shape_count = zoo_shapes(z, shapes), count = 0;
    for (int i = 0; i < shape_count; ++i)
        for (int k = 0; k < 2; ++k) {
            lode_ray one = *ray;
            one.faces = k ? LODE_BACK_FACES : LODE_FRONT_FACES;
            if ((ray->faces == LODE_BOTH_FACES || ray->faces == one.faces) &&
                passes(filter, shapes[i]) && lode_shape_cast_ray(shapes[i], &one, &out[count]))
                ++count;
        }
    qsort(out, (size_t)count, sizeof *out, order);
    return count;
}

static bool same(const lode_ray_hit *a, const lode_ray_hit *b)
{
    return a->shape.id == b->shape.id && a->body.id == b->body.id && a->distance == b->distance &&
           a->back == b->back && a->child == b->child &&
           !memcmp(&a->position, &b->position, sizeof a->position) &&
           !memcmp(&a->normal, &b->normal, sizeof a->normal);
}

typedef struct listener {
    const lode_ray_hit *expected;
    int heard, last;
    bool wrong;
} listener;

static bool listen(void *context, const lode_ray_hit *hit)
{
    listener *l = context;
    l->wrong = l->wrong || !same(hit, &l->expected[l->heard]);
    return ++l->heard != l->last;
}

static int check_ray(zoo *z, const lode_ray *ray, const lode_query_filter *filter)
{
    static lode_ray_hit expected[2 * ZOO_SHAPES], hits[2 * ZOO_SHAPES];
    int count = all_hits(z, ray, filter, expected);
    lode_ray_hit hit;
    assert_int_equal(lode_world_test_ray(z->world, ray, filter), count > 0);
    assert_int_equal(lode_world_cast_ray(z->world, ray, filter, &hit), count > 0);
    assert_true(count == 0 ? hit.shape.id == 0 : same(&hit, &expected[0]));
    assert_int_equal(lode_world_cast_ray_all(z->world, ray, filter, hits, 2 * ZOO_SHAPES), count);
    for (int i = 0; i < count; ++i)
        assert_true(same(&hits[i], &expected[i]));
    int few = (int)random_below(&z->random, 4);
    assert_int_equal(lode_world_cast_ray_all(z->world, ray, filter, hits, few), count);
    for (int i = 0; i < count && i < few; ++i)
        assert_true(same(&hits[i], &expected[i]));
    listener all = {.expected = expected}, some = {.expected = expected, .last = 1 + few};
    assert_int_equal(lode_world_visit_ray(z->world, ray, filter, listen, &all), count);
    assert_int_equal(lode_world_visit_ray(z->world, ray, filter, listen, &some),
                     count < 1 + few ? count : 1 + few);
    assert_true(all.heard == count && !all.wrong && !some.wrong);
    return count;
}

static void random_worlds_are_seen_as_they_are(void **state)
{
    (void)state;
    long hits = 0;
    report_clear();
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        zoo z = zoo_create(seed, seed % 3 ? 60 : 300, seed % 3 ? 4 : 8);
        for (int round = 0; round < 60; ++round) {
            uint32_t changes = random_below(&z.random, 4);
            for (uint32_t i = 0; i < changes; ++i)
                zoo_disturb(&z);
            for (int i = 0; i < 6; ++i) {
                lode_ray ray = random_ray(&z);
                lode_query_filter filter = random_filter(&z);
                hits += check_ray(&z, &ray, &filter);
            }
        }
        assert_int_equal(report.count, 0);
        lode_world_destroy(z.world);
    }
    assert_true(hits > 10000);
}

/* More hits than a page of the visitor holds. */
static void a_ray_through_many_shapes_is_heard_of_in_order(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    zoo z = {.world = lode_world_create(&def), .random = {5}, .span = 10};
    for (int i = 0; i < 100; ++i)
        add_ball(z.world, (lode_real)((i * 37) % 100), 0, 0, (lode_real)(0.5 + i % 3));
    lode_ray ray = ray_of(vec(-10, 0, 0), vec(1, 0, 0), INFINITE);
    ray.faces = LODE_BOTH_FACES;
    lode_query_filter filter = lode_query_filter_default();
    assert_int_equal(check_ray(&z, &ray, &filter), 200);
    lode_world_destroy(z.world);
}

/* Equal distances: the shape with the smaller slot, whatever the tree looks like. */
static void ties_go_to_the_smaller_slot(void **state)
{
    (void)state;
    enum { BALLS = 50 };
    lode_world_def def = lode_world_def_default();
    lode_ray ray = ray_of(vec(-10, 0, 0), vec(1, 0, 0), INFINITE);
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        test_random random = {seed};
        lode_world world = lode_world_create(&def);
        lode_body bodies[BALLS];
        for (int i = 0; i < BALLS; ++i)
            bodies[i] = add_ball(world, (lode_real)i, 20, 0, 1);
        for (int i = 0; i < 30; ++i) { /* a past of its own */
            lode_body body = bodies[random_below(&random, BALLS)];
            lode_vec3 to = vec((lode_real)random_between(&random, -9, 9), 0, 0);
            lode_ray_hit hit;
            lode_body_set_pose(body, (lode_pose){to, {1, 0, 0, 0}});
            lode_world_cast_ray(world, &ray, NULL, &hit);
        }
        for (int i = 0; i < BALLS; ++i)
            lode_body_set_pose(bodies[i], (lode_pose){vec(0, 0, 0), {1, 0, 0, 0}});
        lode_ray_hit hits[BALLS];
        assert_int_equal(lode_world_cast_ray_all(world, &ray, NULL, hits, BALLS), BALLS);
        for (int i = 0; i < BALLS; ++i)
            assert_true(hits[i].body.id == bodies[i].id && hits[i].distance == 9);
        assert_true(lode_world_cast_ray(world, &ray, NULL, &hits[1]));
        assert_true(hits[1].body.id == bodies[0].id);
        lode_world_destroy(world);
    }
}

/* The same world, come to by two ways, answers with the same bits; far from the origin too, where
 * rounding is coarse and bounds matter. */
static void answers_do_not_depend_on_the_past(void **state)
{
    (void)state;
    enum { BODIES = 200 };
    const lode_real far[] = {0, 1000, 100000};
    for (int f = 0; f < 3; ++f) {
        zoo z[2] = {zoo_create(7, BODIES, 6), zoo_create(7, BODIES, 6)};
        lode_body bodies[2][BODIES + 1];
        for (int w = 0; w < 2; ++w)
            lode_world_get_bodies(z[w].world, bodies[w], BODIES + 1);
        for (int i = 1; i <= BODIES; ++i) { /* one world goes a long way */
            lode_body body = bodies[1][1 + i * 77 % BODIES];
            lode_ray_hit hit;
            lode_ray ray = random_ray(&z[1]);
            lode_body_set_pose(body, (lode_pose){zoo_point(&z[1]), zoo_rotation(&z[1])});
            lode_world_cast_ray(z[1].world, &ray, NULL, &hit);
        }
        for (int k = 1; k <= BODIES; ++k)
            for (int w = 0; w < 2; ++w) { /* to the same places, in opposite orders */
                int i = w ? BODIES + 1 - k : k;
                zoo at = {.random = {(uint64_t)i}, .span = 6};
                lode_pose pose = {zoo_point(&at), zoo_rotation(&at)};
                pose.position.x += far[f];
                lode_body_set_pose(bodies[w][i], pose);
            }
        int hits = 0;
        z[0].random = (test_random){99};
        for (int i = 0; i < 3000; ++i) {
            lode_ray ray = random_ray(&z[0]);
            lode_ray_hit a, b;
            if (i % 8 != 4)
                ray.origin.x += far[f];
            if (i % 5 == 0) /* from afar */
                ray = ray_of(vec(ray.origin.x * 50, -700, 300), vec(-ray.origin.x * 49, 700, -300),
                             INFINITE);
            bool found = lode_world_cast_ray(z[0].world, &ray, NULL, &a);
            assert_int_equal(lode_world_cast_ray(z[1].world, &ray, NULL, &b), found);
            assert_true(a.distance == b.distance && a.back == b.back);
            assert_true((uint32_t)a.shape.id << 8 == (uint32_t)b.shape.id << 8);
            assert_true(!memcmp(&a.position, &b.position, sizeof a.position));
            hits += found;
        }
        assert_true(hits > 500);
        lode_world_destroy(z[0].world);
        lode_world_destroy(z[1].world);
    }
}

/* ---- queries and steps ---- */

/* A world that is asked about in every step goes where one goes that is not. */
static void asking_changes_nothing(void **state)
{
    (void)state;
    zoo z[2] = {zoo_create(3, 80, 3), zoo_create(3, 80, 3)};
    test_random random = {8};
    for (int step = 0; step < 200; ++step) {
        for (int i = 0; i < 4; ++i) {
            zoo eye = {.world = z[1].world, .random = random, .span = 5};
            lode_ray ray = random_ray(&eye);
            lode_ray_hit hit;
            random = eye.random;
            lode_world_cast_ray(z[1].world, &ray, NULL, &hit);
        }
        for (int w = 0; w < 2; ++w) {
            lode_world_collide(z[w].world, STEP);
            if (w && step % 3 == 0) {
                lode_ray down = ray_of(vec(0, 0, 9), vec(0, 0, -1), INFINITE);
                assert_true(lode_world_test_ray(z[w].world, &down, NULL));
            }
            lode_world_solve(z[w].world, STEP);
        }
        assert_true(lode_world_hash(z[0].world) == lode_world_hash(z[1].world));
    }
    lode_world_destroy(z[0].world);
    lode_world_destroy(z[1].world);
}

/* ---- bodies that have left the bounds the last step knew ---- */

/* A ball that one step has thrown from x = 0 to where it is now, and perhaps put to sleep there. */
static lode_body throw(lode_world world, bool sleeps)
{
    lode_sleep sleep = lode_sleep_default();
    lode_body ball = add_ball(world, 0, 0, 0, (lode_real)0.5);
    sleep.enabled = sleeps;
    sleep.linear_threshold = sleep.angular_threshold = INFINITE;
    lode_body_set_sleep(ball, &sleep);
    for (int i = 0; i < 9; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    lode_ray here = ray_of(vec(0, -9, 0), vec(0, 1, 0), 20); /* so that all is placed */
    assert_true(lode_world_test_ray(world, &here, NULL));
    lode_body_add_impulse(ball, vec(lode_body_get_mass(ball).mass * 1000, 0, 0));
    if (sleeps) { /* it goes to sleep at the end of the step that moves it */
        sleep.steps = 1;
        lode_body_set_sleep(ball, &sleep);
        lode_body_set_linear_velocity(ball, vec(1000, 0, 0));
    }
    assert_true(lode_world_test_ray(world, &here, NULL));
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_true(lode_body_is_awake(ball) == !sleeps);
    assert_true(lode_body_get_pose(ball).position.x > 10);
    return ball;
}

static bool is_seen(lode_world world, lode_body body)
{
    lode_vec3 at = lode_body_get_pose(body).position;
    lode_ray ray = ray_of(vec(at.x, at.y - 9, at.z), vec(0, 1, 0), 20);
    lode_ray_hit hit;
    return lode_world_cast_ray(world, &ray, NULL, &hit) && hit.body.id == body.id;
}

static lode_world weightless(void)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    return lode_world_create(&def);
}

static void what_a_step_has_thrown_is_seen_where_it_is(void **state)
{
    (void)state;
    for (int sleeps = 0; sleeps < 2; ++sleeps) {
        lode_world world = weightless();
        lode_body ball = throw(world, sleeps);
        assert_true(is_seen(world, ball));
        lode_ray old = ray_of(vec(0, -9, 0), vec(0, 1, 0), 20);
        assert_false(lode_world_test_ray(world, &old, NULL));
        lode_world_destroy(world);
    }
}

static void what_a_snapshot_brings_back_is_seen(void **state)
{
    (void)state;
    static char bytes[1 << 16];
    for (int sleeps = 0; sleeps < 2; ++sleeps) {
        lode_world world = weightless();
        lode_body ball = throw(world, sleeps);
        size_t size = lode_world_snapshot(world, bytes, sizeof bytes);
        assert_true(size > 0 && size <= sizeof bytes);
        lode_body_set_pose(ball, (lode_pose){{0, 0, 50}, {1, 0, 0, 0}});
        assert_true(is_seen(world, ball));
        assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
        assert_true(is_seen(world, ball));
        lode_world_destroy(world);
    }
}

/* Without any step: the world has never known where anything is. */
static void what_is_new_placed_or_grown_is_seen_at_once(void **state)
{
    (void)state;
    lode_world world = weightless();
    lode_body ball = add_ball(world, 1, 2, 3, (lode_real)0.5);
    assert_true(is_seen(world, ball));
    for (int i = 1; i < 4; ++i) {
        lode_body_set_pose(ball, (lode_pose){{(lode_real)(10 * i), 0, 0}, {1, 0, 0, 0}});
        assert_true(is_seen(world, ball));
    }
    lode_shape shape;
    lode_ray ray = ray_of(vec(30, 0, 99), vec(0, 0, -1), 95);
    assert_int_equal(lode_body_get_shapes(ball, &shape, 1), 1);
    assert_false(lode_world_test_ray(world, &ray, NULL));
    lode_shape_set_sphere(shape, 5);
    assert_true(lode_world_test_ray(world, &ray, NULL));
    lode_shape_set_sphere(shape, 1);
    lode_shape_set_pose(shape, (lode_pose){{0, 0, 4}, {1, 0, 0, 0}});
    assert_true(lode_world_test_ray(world, &ray, NULL));
    lode_body_destroy(ball);
    assert_false(lode_world_test_ray(world, &ray, NULL));
    lode_world_destroy(world);
}

static void batches_give_what_single_rays_give(void **state)
{
    (void)state;
    enum { RAYS = 1003 };
    static lode_ray rays[RAYS];
    static lode_ray_hit hits[RAYS];
    report_clear();
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        zoo z = zoo_create(seed, 200, 6);
        lode_query_filter filter = random_filter(&z);
        int found = 0;
        for (int i = 0; i < RAYS; ++i) {
            rays[i] = random_ray(&z);
            if (seed % 2 && i % 8) { /* coherent */
                rays[i] = rays[i - 1];
                rays[i].origin.x += zoo_real(&z, -0.1, 0.1);
                rays[i].direction.y += zoo_real(&z, -0.1, 0.1);
            }
        }
        int count = lode_world_cast_rays(z.world, rays, RAYS, &filter, hits);
        for (int i = 0; i < RAYS; ++i) {
            lode_ray_hit hit;
            found += lode_world_cast_ray(z.world, &rays[i], &filter, &hit);
            assert_true(same(&hit, &hits[i]));
        }
        assert_int_equal(found, count);
        lode_world_destroy(z.world);
    }
    assert_int_equal(report.count, 0);
}

static void a_world_without_shapes_has_no_hits(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_ray ray = ray_of(vec(0, 0, 0), vec(1, 0, 0), INFINITE);
    lode_ray_hit hit;
    assert_false(lode_world_cast_ray(world, &ray, NULL, &hit));
    lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
    report_clear();
    assert_false(lode_world_cast_ray(world, &ray, NULL, &hit));
    assert_false(lode_body_cast_ray(body, &ray, &hit));
    assert_int_equal(lode_world_cast_rays(world, NULL, 0, NULL, NULL), 0);
    assert_int_equal(report.count, 0);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_is_met_in_front),
        cmocka_unit_test(only_one_shape_answers_where_none_is),
        cmocka_unit_test(faces_decide_about_rays_from_inside),
        cmocka_unit_test(a_plane_is_a_half_space),
        cmocka_unit_test(a_capsule_is_met_on_side_and_ends),
        cmocka_unit_test(rays_of_no_length_and_along_faces),
        cmocka_unit_test(directions_need_not_be_unit),
        cmocka_unit_test(huge_tiny_and_far_shapes_are_met),
        cmocka_unit_test(random_worlds_are_seen_as_they_are),
        cmocka_unit_test(a_ray_through_many_shapes_is_heard_of_in_order),
        cmocka_unit_test(ties_go_to_the_smaller_slot),
        cmocka_unit_test(answers_do_not_depend_on_the_past),
        cmocka_unit_test(asking_changes_nothing),
        cmocka_unit_test(what_a_step_has_thrown_is_seen_where_it_is),
        cmocka_unit_test(what_a_snapshot_brings_back_is_seen),
        cmocka_unit_test(what_is_new_placed_or_grown_is_seen_at_once),
        cmocka_unit_test(batches_give_what_single_rays_give),
        cmocka_unit_test(a_world_without_shapes_has_no_hits),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

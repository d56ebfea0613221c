/* Many rays: all instruction sets, one by one and in batches, few and so many that the wide tree
 * stands: the same bits; and for boxes and triangles what an oracle in double says. */
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>
#include <string.h>

enum { BOXES = 400, SIDE = 24, RAYS = 4096 };

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9
#else
#define ROUNDING 1e-4
#endif

static lode_real between(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

static lode_vec3 point(test_random *random, double span)
{
    lode_real x = between(random, -span, span), y = between(random, -span, span);
    return vec(x, y, between(random, -span, span));
}

/* ---- a world of boxes, balls and a hilly mesh, and what is where ---- */

typedef struct box {
    lode_vec3 position, half;
    lode_quat rotation;
} box;

static box boxes[BOXES];
static float vertices[(SIDE + 1) * (SIDE + 1)][3];
static uint32_t triangles[2 * SIDE * SIDE][3];

static void make_things(void)
{
    test_random random = {17};
    for (int i = 0; i < BOXES; ++i) {
        boxes[i].position = point(&random, 10);
        boxes[i].half = vec(between(&random, 0.1, 0.8), between(&random, 0.1, 0.8),
                            between(&random, 0.1, 0.8));
        lode_vec3 turn = point(&random, 1);
        double w = random_between(&random, -1, 1);
        double x = (double)turn.x, y = (double)turn.y, z = (double)turn.z;
        double length = sqrt(w * w + x * x + y * y + z * z);
        boxes[i].rotation = (lode_quat){(lode_real)(w / length), (lode_real)(x / length),
                                        (lode_real)(y / length), (lode_real)(z / length)};
        if (i % 5 == 0)
            boxes[i].rotation = (lode_quat){1, 0, 0, 0};
    }
    for (int i = 0; i <= SIDE; ++i)
        for (int k = 0; k <= SIDE; ++k) {
            float *v = vertices[i * (SIDE + 1) + k];
            v[0] = (float)i - SIDE / 2;
            v[1] = (float)k - SIDE / 2;
            v[2] = (float)((i * 7 + k * 5) % 11) * 0.3f - 2;
        }
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + SIDE + 1;
        const uint32_t pair[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};
        memcpy(triangles[(size_t)2 * i], pair, sizeof pair);
    }
}

static void add_mesh(lode_world world, bool two_sided)
{
    lode_mesh_def def = lode_mesh_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.vertices = vertices;
    def.vertex_count = (SIDE + 1) * (SIDE + 1);
    def.double_vertices = false;
    def.indices = triangles;
    def.triangle_count = 2 * SIDE * SIDE;
    def.two_sided = two_sided;
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_true(lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &shape, mesh).id !=
                0);
    lode_mesh_release(mesh);
}

static void add_boxes(lode_world world)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body_def def = lode_body_def_default();
    for (int i = 0; i < BOXES; ++i) {
        def.position = boxes[i].position;
        def.rotation = boxes[i].rotation;
        lode_body body = lode_body_create(world, &def);
        assert_true(lode_shape_create_box(body, &shape, boxes[i].half).id != 0);
    }
}

static lode_world make_world(lode_simd simd, bool with_boxes, bool with_mesh)
{
    lode_world_def def = lode_world_def_default();
    def.simd = simd;
    lode_world world = lode_world_create(&def);
    assert_true(world.id != 0);
    if (with_boxes)
        add_boxes(world);
    if (with_mesh)
        add_mesh(world, true);
    if (with_boxes && with_mesh) {
        lode_shape_def shape = lode_shape_def_default();
        for (int i = 0; i < 40; ++i)
            add_ball(world, (lode_real)(i % 7 - 3), (lode_real)(i % 5 - 2), (lode_real)(i % 9), 1);
        lode_body_def still = lode_body_def_default();
        lode_shape_create_plane(lode_body_create(world, &still), &shape, vec(0, 0, 1), -6);
    }
    return world;
}

/* ---- rays: scattered, side by side, degenerate ---- */

static void degrade(lode_ray *ray, test_random *random)
{
    const box *near = &boxes[random_below(random, BOXES)];
    uint32_t kind = random_below(random, 8), axis = random_below(random, 3);
    lode_real *d = &ray->direction.x;
    if (kind == 0 || kind == 1) /* along an axis, or across one */
        for (uint32_t i = 0; i < 3; ++i)
            d[i] = (i == axis) == (kind == 0) ? d[i] : (lode_real)(i % 2 ? 0.0 : -0.0);
    if (kind == 2) /* from within */
        ray->origin = near->position;
    if (kind == 3) /* along an edge of a box that is not turned */
        ray->origin = vec(near->position.x - near->half.x, near->position.y - near->half.y,
                          near->position.z - 30);
    if (kind == 3)
        ray->direction = vec(0, 0, 1);
    if (kind == 4)
        ray->length = (lode_real)INFINITY;
    if (kind == 5) /* from afar, hardly leaning */
        ray->direction = vec(1, (lode_real)1e-20, (lode_real)-1e-30);
    if (kind == 6) /* through a vertex of the mesh */
        ray->direction = vec((lode_real)(axis * 2.0) - ray->origin.x, 1 - ray->origin.y,
                             -1 - ray->origin.z);
    if (d[0] == 0 && d[1] == 0 && d[2] == 0)
        d[2] = -1;
}

static void make_rays(lode_ray rays[RAYS], uint64_t seed)
{
    test_random random = {seed};
    for (int i = 0; i < RAYS; ++i) {
        lode_ray *ray = &rays[i];
        bool begins = i % 8 == 0 || i < RAYS / 3;
        *ray = (lode_ray){.origin = point(&random, 12),
                          .direction = point(&random, 1),
                          .length = between(&random, 0, 60),
                          .faces = (lode_faces)random_below(&random, 3)};
        if (!begins) { /* beside the one before */
            double apart = i % 3 ? 0.02 : 0.2;
            ray->origin = rays[i - 1].origin;
            ray->direction = rays[i - 1].direction;
            ray->direction.x += between(&random, -apart, apart);
            ray->origin.y += between(&random, -apart, apart);
        }
        if (random_below(&random, begins ? 3 : 12) == 0)
            degrade(ray, &random);
    }
}

static bool same(const lode_ray_hit *a, const lode_ray_hit *b)
{
    return (uint32_t)a->shape.id << 8 == (uint32_t)b->shape.id << 8 && a->distance == b->distance &&
           a->back == b->back && a->child == b->child && a->u == b->u && a->v == b->v &&
           !memcmp(&a->position, &b->position, sizeof a->position) &&
           !memcmp(&a->normal, &b->normal, sizeof a->normal);
}

/* ---- tests ---- */

/* The first answers come from the binary tree: a pose that is set anew drops the wide one. */
static void all_ways_find_the_same_bits(void **state)
{
    (void)state;
    static lode_ray rays[RAYS];
    static lode_ray_hit first[RAYS], hits[RAYS];
    int sets = 0, found = 0;
    make_rays(rays, 5);
    for (int kind = 0; kind < 3; ++kind)
        for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
            if (!lode_simd_available((lode_simd)simd))
                continue;
            lode_world world = make_world((lode_simd)simd, kind != 1, kind != 0);
            lode_body moved = add_ball(world, 0, 0, 90, 1);
            ++sets;
            for (int i = 0; i < RAYS; ++i) {
                if (i % 4 == 0)
                    lode_body_set_pose(moved, (lode_pose){vec(0, 0, 90), {1, 0, 0, 0}});
                lode_world_cast_ray(world, &rays[i], NULL, &hits[i]);
                if (simd == LODE_SIMD_PLAIN)
                    first[i] = hits[i];
                assert_true(same(&hits[i], &first[i]));
                found += hits[i].shape.id != 0;
            }
            for (int i = 0; i < RAYS; ++i) {
                lode_world_cast_ray(world, &rays[i], NULL, &hits[i]);
                assert_true(same(&hits[i], &first[i]));
            }
            lode_world_cast_rays(world, rays, RAYS, NULL, hits);
            for (int i = 0; i < RAYS; ++i)
                assert_true(same(&hits[i], &first[i]));
            for (int i = 0; i < RAYS; i += 5) /* in other company */
                lode_world_cast_rays(world, rays + i, RAYS - i < 5 ? RAYS - i : 5, NULL, hits + i);
            for (int i = 0; i < RAYS; ++i)
                assert_true(same(&hits[i], &first[i]));
            lode_world_destroy(world);
        }
    assert_true(sets > 0 && found > RAYS);
}

/* Where a line is within a box that is larger by `grow`; false: nowhere. */
static bool span_of(const box *b, const lode_ray *ray, const double d[3], double grow,
                    double out[2])
{
    const double q[4] = {(double)b->rotation.w, -(double)b->rotation.x, -(double)b->rotation.y,
                         -(double)b->rotation.z};
    const double half[3] = {(double)b->half.x, (double)b->half.y, (double)b->half.z};
    const double from[3] = {(double)ray->origin.x - (double)b->position.x,
                            (double)ray->origin.y - (double)b->position.y,
                            (double)ray->origin.z - (double)b->position.z};
    const double *u = q + 1, *in[2] = {from, d};
    double turned[2][3];
    for (int k = 0; k < 2; ++k) {
        const double *v = in[k];
        double t[3];
        for (int i = 0; i < 3; ++i)
            t[i] = 2 * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
        for (int i = 0; i < 3; ++i)
            turned[k][i] = v[i] + q[0] * t[i] + u[(i + 1) % 3] * t[(i + 2) % 3] -
                           u[(i + 2) % 3] * t[(i + 1) % 3];
    }
    out[0] = -INFINITY;
    out[1] = INFINITY;
    for (int i = 0; i < 3; ++i) {
        double h = half[i] + grow, o = turned[0][i], e = turned[1][i];
        if (e == 0) {
            if (fabs(o) > h)
                return false;
            continue;
        }
        out[0] = fmax(out[0], fmin((-h - o) / e, (h - o) / e));
        out[1] = fmin(out[1], fmax((-h - o) / e, (h - o) / e));
    }
    return out[0] <= out[1];
}

/* The first end that counts on boxes grown and shrunk: between them must be what is found. */
static double first_end(const lode_ray *ray, const double d[3], double grow, double ahead)
{
    double first = fmin((double)ray->length, 1e30), s[2];
    for (int i = 0; i < BOXES; ++i) {
        if (!span_of(&boxes[i], ray, d, grow, s))
            continue;
        if (ray->faces != LODE_BACK_FACES && s[0] >= ahead)
            first = fmin(first, s[0]);
        if (ray->faces != LODE_FRONT_FACES && s[1] >= ahead)
            first = fmin(first, s[1]);
    }
    return first;
}

/* Rays that begin on a surface or graze an edge, within rounding, may find either. */
static void boxes_are_hit_where_the_oracle_says(void **state)
{
    (void)state;
    static lode_ray rays[RAYS];
    static lode_ray_hit hits[RAYS];
    int sharp = 0;
    make_rays(rays, 6);
    lode_world world = make_world(LODE_SIMD_AUTO, true, false);
    lode_world_cast_rays(world, rays, RAYS, NULL, hits);
    for (int i = 0; i < RAYS; ++i) {
        double d[3] = {(double)rays[i].direction.x, (double)rays[i].direction.y,
                       (double)rays[i].direction.z};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; ++k)
            d[k] /= length;
        double some[3] = {first_end(&rays[i], d, ROUNDING, -ROUNDING),
                          first_end(&rays[i], d, -ROUNDING, ROUNDING),
                          first_end(&rays[i], d, 0, 0)};
        if (fabs(some[0] - some[2]) > 1000 * ROUNDING || fabs(some[1] - some[2]) > 1000 * ROUNDING)
            continue;
        double end = fmin((double)rays[i].length, 1e30);
        double distance = hits[i].shape.id ? (double)hits[i].distance : end;
        double most = fmax(fabs(some[0] - some[2]), fabs(some[1] - some[2]));
        assert_true(fabs(distance - some[2]) <= most + ROUNDING);
        ++sharp;
    }
    assert_true(sharp > RAYS * 9 / 10);
    lode_world_destroy(world);
}

/* Down on a field of triangles, at its edges and corners too: each ray is stopped, at the height
 * that the triangle has there. */
static void nothing_slips_through_a_mesh_in_a_batch(void **state)
{
    (void)state;
    static lode_ray rays[RAYS];
    static lode_ray_hit hits[RAYS];
    test_random random = {9};
    lode_world world = make_world(LODE_SIMD_AUTO, false, true);
    for (int i = 0; i < RAYS; ++i) {
        const uint32_t *t = triangles[random_below(&random, 2 * SIDE * SIDE)];
        const float *a = vertices[t[0]], *b = vertices[t[i % 3]];
        lode_real share = i % 4 ? between(&random, 0, 1) : 0;
        lode_vec3 at = vec(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share,
                           a[2] + (b[2] - a[2]) * share);
        bool inner = fabs((double)at.x) < SIDE / 2 && fabs((double)at.y) < SIDE / 2;
        at = inner ? at : vec(0, 0, 0);
        rays[i] = (lode_ray){
            .origin = vec(at.x, at.y, 20), .direction = vec(0, 0, -1), .length = 50};
        if (i % 2) {
            rays[i].origin.x += between(&random, -1, 1);
            rays[i].direction = vec(at.x - rays[i].origin.x, 0, at.z - 20);
        }
        if (i % 8) /* the neighbours run alike */
            rays[i].origin.z += between(&random, -0.1, 0.1);
    }
    assert_int_equal(lode_world_cast_rays(world, rays, RAYS, NULL, hits), RAYS);
    for (int i = 0; i < RAYS; ++i) {
        const uint32_t *t = triangles[hits[i].child];
        double sum[3] = {0, 0, 0}, share[3] = {1 - (double)hits[i].u - (double)hits[i].v,
                                               (double)hits[i].u, (double)hits[i].v};
        for (int k = 0; k < 3; ++k) {
            assert_true(share[k] > -ROUNDING);
            for (int c = 0; c < 3; ++c)
                sum[c] += share[k] * (double)vertices[t[k]][c];
        }
        assert_true(fabs(sum[0] - (double)hits[i].position.x) < ROUNDING);
        assert_true(fabs(sum[1] - (double)hits[i].position.y) < ROUNDING);
        assert_true(fabs(sum[2] - (double)hits[i].position.z) < ROUNDING);
    }
    lode_world_destroy(world);
}

/* What the wide tree knows is forgotten with each change. */
static void changes_are_seen_after_many_rays(void **state)
{
    (void)state;
    static lode_ray rays[RAYS];
    static lode_ray_hit hits[RAYS];
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body first = add_ball(world, 0, 0, 0, 1), far = add_ball(world, 0, 0, -8, 1);
    lode_shape shape;
    for (int i = 0; i < 30; ++i)
        add_ball(world, (lode_real)(10 + 3 * i), 0, 0, 1);
    for (int i = 0; i < RAYS; ++i)
        rays[i] = (lode_ray){.origin = vec(0, 0, 9), .direction = vec(0, 0, -1), .length = 50};
    assert_int_equal(lode_body_get_shapes(first, &shape, 1), 1);
    for (int change = 0; change < 8; ++change) {
        const double right[] = {8, 7, 8, 16, 8, 11, 7, 16};
        if (change == 1)
            lode_shape_set_sphere(shape, 2);
        if (change == 2)
            lode_shape_set_sphere(shape, 1);
        if (change == 3)
            lode_shape_set_enabled(shape, false);
        if (change == 4)
            lode_shape_set_enabled(shape, true);
        if (change == 5)
            lode_body_set_pose(first, (lode_pose){vec(0, 0, -3), {1, 0, 0, 0}});
        if (change == 6)
            lode_shape_set_pose(shape, (lode_pose){vec(0, 0, 4), {1, 0, 0, 0}});
        if (change == 7)
            lode_body_destroy(first);
        assert_int_equal(lode_world_cast_rays(world, rays, RAYS, NULL, hits), RAYS);
        for (int i = 0; i < RAYS; ++i)
            assert_true(near((double)hits[i].distance, right[change], ROUNDING));
        for (int i = 0; i < 100; ++i) {
            lode_ray_hit hit;
            assert_true(lode_world_cast_ray(world, &rays[i], NULL, &hit));
            assert_true(same(&hit, &hits[i]));
        }
    }
    assert_true(hits[0].body.id == far.id);
    lode_world_destroy(world);
}

static int set_up(void **state)
{
    (void)state;
    report_install();
    make_things();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_find_the_same_bits),
        cmocka_unit_test(boxes_are_hit_where_the_oracle_says),
        cmocka_unit_test(nothing_slips_through_a_mesh_in_a_batch),
        cmocka_unit_test(changes_are_seen_after_many_rays),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

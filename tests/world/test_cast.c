/* Solids pushed along lines: closed forms, answers against those of single shapes, and meshes
 * against their triangles one by one. */
#include "tests/collide/meshes.h"
#include "tests/world/zoo.h"

#include <math.h>
#include <string.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9
#else
#define ROUNDING 3e-5
#endif

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static lode_hull *octahedron(lode_real r)
{
    const lode_real points[6][3] = {{r, 0, 0},  {-r, 0, 0}, {0, r, 0},
                                    {0, -r, 0}, {0, 0, r},  {0, 0, -r}};
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = 6;
    return lode_hull_create(&def);
}

static lode_cast cast_of(lode_solid solid, lode_vec3 from, lode_vec3 by)
{
    return (lode_cast){solid, {from, {1, 0, 0, 0}}, by};
}

/* Solids of all types, 1 high from their centres. */
static int solids_of_one(lode_hull *hull, lode_solid out[5])
{
    out[0] = lode_solid_sphere(1);
    out[1] = lode_solid_box(vec(2, 1, 1));
    out[2] = lode_solid_capsule((lode_real)0.5, (lode_real)0.5);
    out[3] = lode_solid_cylinder(2, 1);
    out[4] = lode_solid_hull(hull);
    return 5;
}

static void every_solid_lands_on_every_floor(void **state)
{
    (void)state;
    static mesh_draft draft;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_hull *hull = octahedron(1);
    draft_grid(&draft, 30, 60, NULL);
    lode_mesh_def mesh_def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    for (int f = 0; f < 4; ++f) {
        lode_world world = lode_world_create(&def);
        lode_body body = add_body(world, LODE_STATIC, 1, 2, 3);
        lode_shape ground = f == 0   ? lode_shape_create_plane(body, &shape_def, vec(0, 0, 1), 0)
                            : f == 1 ? lode_shape_create_mesh(body, &shape_def, mesh)
                                     : (lode_shape){0};
        if (f == 2) {
            shape_def.pose.position = vec(0, 0, -1);
            ground = lode_shape_create_box(body, &shape_def, vec(20, 20, 1));
        } else if (f == 3) {
            shape_def.pose.position = vec(0, 0, -1);
            ground = lode_shape_create_cylinder(body, &shape_def, 20, 1);
        }
        shape_def.pose.position = vec(0, 0, 0);
        lode_solid solids[5];
        int count = solids_of_one(hull, solids);
        for (int i = 0; i < count; ++i) {
            lode_cast cast = cast_of(solids[i], vec(2, 3, 14), vec(3, 1, -20));
            lode_cast_hit hit;
            assert_true(lode_world_cast_shape(world, &cast, NULL, &hit));
            assert_true(hit.shape.id == ground.id && hit.body.id == body.id && !hit.overlaps);
            assert_true(near((double)hit.fraction, 0.5, ROUNDING));
            assert_true(near((double)hit.distance, sqrt(410) / 2, ROUNDING * 10));
            assert_true(near_vec(hit.normal, vec(0, 0, 1), ROUNDING));
            assert_true(near((double)hit.position.z, 3, ROUNDING * 4));
            assert_int_equal(hit.child >= 0, f == 1);
            assert_true(lode_world_test_shape(world, &cast, NULL));
            cast.translation = vec(3, 1, (lode_real)-9.99);
            assert_false(lode_world_cast_shape(world, &cast, NULL, &hit));
            assert_true(hit.shape.id == 0 && hit.distance == 0);
            assert_false(lode_world_test_shape(world, &cast, NULL));
            cast.pose.position.z = (lode_real)3.75; /* a quarter deep */
            assert_true(lode_world_cast_shape(world, &cast, NULL, &hit));
            assert_true(hit.overlaps && hit.distance == 0 && hit.fraction == 0);
            if (f == 1 && i == 4) /* a vertex is out of one triangle beside its edge first */
                continue;
            assert_true(near((double)hit.depth, 0.25, ROUNDING * 4));
            assert_true(near_vec(hit.normal, vec(0, 0, 1), ROUNDING * 10));
        }
        lode_world_destroy(world);
    }
    lode_mesh_release(mesh);
    lode_hull_release(hull);
}

/* ---- against single shapes ---- */

static lode_solid random_solid(zoo *z, lode_hull *hull)
{
    lode_real a = zoo_real(z, 0.05, 0.6), b = zoo_real(z, 0.05, 0.6);
    switch (random_below(&z->random, 5)) {
    case 0:
        return lode_solid_sphere(a);
    case 1:
        return lode_solid_box(vec(a, b, zoo_real(z, 0.05, 0.6)));
    case 2:
        return lode_solid_capsule(a, b);
    case 3:
        return lode_solid_cylinder(a, b);
    default:
        return lode_solid_hull(hull);
    }
}

static lode_cast random_cast(zoo *z, lode_hull *hull)
{
    lode_cast cast = {random_solid(z, hull), {zoo_point(z), zoo_rotation(z)}, {0, 0, 0}};
    uint32_t kind = random_below(&z->random, 6);
    if (kind == 1) /* along an axis */
        cast.translation.x = zoo_real(z, -9, 9);
    else if (kind > 1)
        cast.translation = zoo_point(z);
    return cast;
}

static bool comes_before(const lode_cast_hit *a, const lode_cast_hit *b)
{
    return a->distance != b->distance
               ? a->distance < b->distance
               : ((uint32_t)a->shape.id & 0xffffff) < ((uint32_t)b->shape.id & 0xffffff);
}

typedef struct heard {
    lode_cast_hit hits[ZOO_SHAPES];
    int count, most;
} heard;

static bool hear(void *context, const lode_cast_hit *hit)
{
    heard *h = context;
    h->hits[h->count++] = *hit;
    return h->count < h->most;
}

static void closest_all_and_visits_are_what_shapes_say(void **state)
{
    (void)state;
    static lode_shape shapes[ZOO_SHAPES];
    static lode_cast_hit alone[ZOO_SHAPES], all[ZOO_SHAPES];
    static heard h;
    lode_hull *hull = octahedron((lode_real)0.5);
    long hits = 0, overlaps = 0;
    for (uint64_t seed = 1; seed <= 25; ++seed) {
        zoo z = zoo_create(seed, 80, 5);
        for (int round = 0; round < 60; ++round) {
            for (uint32_t i = random_below(&z.random, 4); i > 0; --i)
                zoo_disturb(&z);
            lode_cast cast = random_cast(&z, hull);
            lode_query_filter filter = lode_query_filter_default();
            filter.mask = round % 3 ? UINT64_MAX : 5;
            int shape_count = zoo_shapes(&z, shapes), count = 0;
            for (int i = 0; i < shape_count; ++i) {
                lode_shape_def def = lode_shape_get_def(shapes[i]);
                lode_cast_hit hit;
                if (!(def.category & filter.mask) || !def.mask ||
                    !lode_shape_cast_shape(shapes[i], &cast, &hit))
                    continue;
                int k = count++;
                for (; k > 0 && comes_before(&hit, &alone[k - 1]); --k)
                    alone[k] = alone[k - 1];
                alone[k] = hit;
                overlaps += hit.overlaps;
            }
            hits += count;
            assert_int_equal(lode_world_cast_shape_all(z.world, &cast, &filter, all, ZOO_SHAPES),
                             count);
            assert_int_equal(lode_world_test_shape(z.world, &cast, &filter), count > 0);
            assert_int_equal(lode_world_cast_shape(z.world, &cast, &filter, &h.hits[0]), count > 0);
            if (count > 0)
                assert_memory_equal(&h.hits[0].position, &alone[0].position, sizeof(lode_vec3));
            for (int i = 0; i < count; ++i) {
                assert_true(all[i].shape.id == alone[i].shape.id);
                assert_true(all[i].distance == alone[i].distance && all[i].depth == alone[i].depth);
            }
            h.count = 0;
            h.most = 1 + (int)random_below(&z.random, 40);
            assert_int_equal(lode_world_visit_shape(z.world, &cast, &filter, hear, &h),
                             count < h.most ? count : h.most);
            for (int i = 0; i < h.count; ++i)
                assert_true(h.hits[i].shape.id == alone[i].shape.id);
        }
        assert_int_equal(report.count, 0);
        lode_world_destroy(z.world);
    }
    assert_true(hits > 1200 && overlaps > 300);
    lode_hull_release(hull);
}

/* A solid put where a cast ended is as far from the shape as touching is, and before that it
 * overlaps nothing. */
static void a_solid_goes_as_far_as_it_can(void **state)
{
    (void)state;
    lode_hull *hull = octahedron((lode_real)0.5);
    long checked = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        zoo z = zoo_create(seed, 120, 6);
        for (int i = 0; i < 400; ++i) {
            lode_cast cast = random_cast(&z, hull);
            lode_cast_hit hit;
            if (!lode_world_cast_shape(z.world, &cast, NULL, &hit) || hit.overlaps)
                continue;
            for (int k = 0; k < 4; ++k) {
                double share = (double)hit.fraction * (k < 3 ? zoo_real(&z, 0, 1) : 1);
                double back = k < 3 ? 0 : 1e-4 / (1e-4 + (double)hit.distance);
                lode_pose pose = cast.pose;
                lode_real s = (lode_real)(share * (1 - back));
                pose.position.x += cast.translation.x * s;
                pose.position.y += cast.translation.y * s;
                pose.position.z += cast.translation.z * s;
                lode_shape found[4];
                int count = lode_world_overlap_solid(z.world, &cast.solid, pose, NULL, found, 4);
                for (int f = 0; f < count && f < 4; ++f) { /* by no more than rounding */
                    lode_cast still = {cast.solid, pose, {0, 0, 0}};
                    lode_cast_hit at;
                    assert_true(lode_shape_cast_shape(found[f], &still, &at));
                    assert_true((double)at.depth < ROUNDING);
                }
                ++checked;
            }
            /* and a little further it does overlap: where it does not just graze */
            double along = (double)(hit.normal.x * cast.translation.x +
                                    hit.normal.y * cast.translation.y +
                                    hit.normal.z * cast.translation.z);
            double length = sqrt((double)(cast.translation.x * cast.translation.x +
                                          cast.translation.y * cast.translation.y +
                                          cast.translation.z * cast.translation.z));
            if (-along < 0.3 * length)
                continue;
            lode_pose pose = cast.pose;
            lode_real s = hit.fraction + (lode_real)(2e-3 / length);
            pose.position.x += cast.translation.x * s;
            pose.position.y += cast.translation.y * s;
            pose.position.z += cast.translation.z * s;
            lode_cast still = {cast.solid, pose, {0, 0, 0}};
            lode_cast_hit at;
            assert_true(lode_shape_cast_shape(hit.shape, &still, &at) && at.overlaps);
        }
        lode_world_destroy(z.world);
    }
    assert_true(checked > 4000);
    lode_hull_release(hull);
}

/* A ball is as far from a shape as its nearest point says. */
static void balls_overlap_what_is_near(void **state)
{
    (void)state;
    lode_shape by_solid[64], by_sphere[64];
    zoo z = zoo_create(3, 200, 6);
    for (int i = 0; i < 3000; ++i) {
        lode_vec3 center = zoo_point(&z);
        lode_real radius = zoo_real(&z, 0.01, 2);
        lode_solid ball = lode_solid_sphere(radius);
        lode_pose pose = {center, {1, 0, 0, 0}};
        int a = lode_world_overlap_solid(z.world, &ball, pose, NULL, by_solid, 64);
        int b = lode_world_overlap_sphere(z.world, center, radius, NULL, by_sphere, 64);
        assert_int_equal(a, b);
        for (int k = 0; k < a && k < 64; ++k)
            assert_true(by_solid[k].id == by_sphere[k].id);
        int at = lode_world_overlap_point(z.world, center, NULL, by_solid, 64);
        assert_int_equal(lode_world_overlap_sphere(z.world, center, 0, NULL, by_sphere, 64), at);
        for (int k = 0; k < at && k < 64; ++k)
            assert_true(by_solid[k].id == by_sphere[k].id);
    }
    lode_world_destroy(z.world);
}

/* ---- meshes ---- */

static double hills(double x, double y)
{
    return 1.5 * sin(x * 0.9) * cos(y * 0.7) + 0.4 * sin(3 * x + y);
}

/* The mesh as a whole says what a mesh of each triangle alone says first. */
static void a_mesh_answers_as_its_triangles(void **state)
{
    (void)state;
    static mesh_draft draft, one;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_hull *hull = octahedron((lode_real)0.5);
    draft_grid(&draft, 6, 12, hills);
    lode_mesh_def mesh_def = draft_def(&draft);
    lode_world world = lode_world_create(&def);
    lode_body body = add_body(world, LODE_STATIC, 1, -2, 3),
              singles = add_body(world, LODE_STATIC, 1, -2, 3);
    lode_body_set_pose(body, (lode_pose){{1, -2, 3}, {(lode_real)0.8, (lode_real)0.6, 0, 0}});
    lode_body_set_pose(singles, (lode_pose){{1, -2, 3}, {(lode_real)0.8, (lode_real)0.6, 0, 0}});
    for (int two_sided = 0; two_sided < 2; ++two_sided) {
        mesh_def.two_sided = two_sided;
        lode_mesh *mesh = lode_mesh_create(&mesh_def);
        lode_shape whole = lode_shape_create_mesh(body, &shape_def, mesh);
        lode_shape parts[72];
        for (int t = 0; t < draft.triangle_count; ++t) {
            one.vertex_count = 3;
            one.triangle_count = 0;
            for (int k = 0; k < 3; ++k)
                memcpy(one.vertices[k], draft.vertices[draft.indices[t][k]],
                       sizeof one.vertices[k]);
            draft_triangle(&one, 0, 1, 2);
            lode_mesh_def part = draft_def(&one);
            part.two_sided = two_sided;
            lode_mesh *small = lode_mesh_create(&part);
            parts[t] = lode_shape_create_mesh(singles, &shape_def, small);
            lode_mesh_release(small);
        }
        zoo z = {.world = world, .random = {5}, .span = 6};
        int hits = 0, misses = 0;
        for (int i = 0; i < 2500; ++i) {
            lode_cast cast = random_cast(&z, hull);
            if (i % 3 == 0) /* a long way */
                cast.translation.z *= 20, cast.translation.x *= 20;
            lode_cast_hit hit, best = {.distance = (lode_real)INFINITY}, part;
            int child = -1;
            for (int t = 0; t < draft.triangle_count; ++t)
                if (lode_shape_cast_shape(parts[t], &cast, &part) &&
                    (part.fraction < best.fraction || child < 0 ||
                     (part.fraction == best.fraction && part.depth > best.depth))) {
                    best = part;
                    child = t;
                }
            bool found = lode_shape_cast_shape(whole, &cast, &hit);
            assert_int_equal(found, child >= 0);
            if (found) {
                assert_true(near((double)hit.fraction, (double)best.fraction, ROUNDING));
                assert_true(near((double)hit.depth, (double)best.depth, ROUNDING));
            }
            hits += found;
            misses += !found;
        }
        assert_true(hits > 300 && misses > 300);
        lode_shape_destroy(whole);
        for (int t = 0; t < draft.triangle_count; ++t)
            lode_shape_destroy(parts[t]);
        lode_mesh_release(mesh);
    }
    assert_int_equal(report.count, 0);
    lode_world_destroy(world);
    lode_hull_release(hull);
}

static void backs_let_solids_pass(void **state)
{
    (void)state;
    static mesh_draft draft;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_hull *hull = octahedron(1);
    draft_grid(&draft, 4, 40, NULL);
    for (int two_sided = 0; two_sided < 2; ++two_sided) {
        lode_mesh_def mesh_def = draft_def(&draft);
        mesh_def.two_sided = two_sided;
        lode_mesh *mesh = lode_mesh_create(&mesh_def);
        lode_world world = lode_world_create(&def);
        lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &shape_def, mesh);
        lode_mesh_release(mesh);
        lode_solid solids[5];
        int count = solids_of_one(hull, solids);
        for (int i = 0; i < count; ++i) {
            lode_cast up = cast_of(solids[i], vec(1, 2, -5), vec(0, 0, 8)), down = up;
            down.pose.position.z = 5;
            down.translation.z = -8;
            lode_cast_hit hit;
            assert_true(lode_world_cast_shape(world, &down, NULL, &hit));
            assert_true(near((double)hit.distance, 4, ROUNDING));
            assert_int_equal(lode_world_cast_shape(world, &up, NULL, &hit), two_sided);
            if (two_sided)
                assert_true(near((double)hit.distance, 4, ROUNDING) &&
                            near_vec(hit.normal, vec(0, 0, -1), ROUNDING));
        }
        lode_world_destroy(world);
    }
    lode_hull_release(hull);
}

/* ---- solids of shapes ---- */

static void shapes_tell_their_solids(void **state)
{
    (void)state;
    scene s = scene_create(NULL);
    lode_solid ball = lode_shape_get_solid(s.sphere), box = lode_shape_get_solid(s.box);
    assert_true(ball.type == LODE_SPHERE && ball.radius == (lode_real)0.5);
    assert_true(box.type == LODE_BOX && box.half_extents.y == (lode_real)0.4);
    /* a shape where it is overlaps itself, and what it touches by no more than it sinks in */
    lode_shape found[8];
    int count = lode_world_overlap_solid(s.world, &box, lode_shape_get_world_pose(s.box), NULL,
                                         found, 8);
    bool itself = false;
    for (int i = 0; i < count; ++i)
        itself = itself || found[i].id == s.box.id;
    assert_true(itself);
    report_clear();
    assert_true(lode_shape_get_solid(s.plane).radius == 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_get_solid", "shape");
    lode_shape_def def = lode_shape_def_default();
    lode_hull *hull = octahedron(1);
    lode_shape shape = lode_shape_create_hull(s.ball, &def, hull);
    assert_true(lode_shape_get_solid(shape).hull == hull);
    lode_shape capsule = lode_shape_create_capsule(s.ball, &def, 2, 3);
    assert_true(lode_shape_get_solid(capsule).half_length == 3);
    lode_shape cylinder = lode_shape_create_cylinder(s.ball, &def, 2, 3);
    assert_true(lode_shape_get_solid(cylinder).type == LODE_CYLINDER);
    lode_hull_release(hull);
    lode_world_destroy(s.world);
}

/* Of two worlds that came to the same by other ways both answer with the same bits. */
static void answers_do_not_depend_on_the_past(void **state)
{
    (void)state;
    enum { BODIES = 150 };
    lode_hull *hull = octahedron((lode_real)0.5);
    const lode_real far[] = {0, 1000, 100000};
    for (int f = 0; f < 3; ++f) {
        zoo z[2] = {zoo_create(7, BODIES, 5), zoo_create(7, BODIES, 5)};
        lode_body bodies[2][BODIES + 1];
        for (int w = 0; w < 2; ++w)
            lode_world_get_bodies(z[w].world, bodies[w], BODIES + 1);
        for (int i = 1; i <= BODIES; ++i) {
            lode_cast cast = random_cast(&z[1], hull);
            lode_cast_hit hit;
            lode_body_set_pose(bodies[1][1 + i * 77 % BODIES],
                               (lode_pose){zoo_point(&z[1]), zoo_rotation(&z[1])});
            lode_world_cast_shape(z[1].world, &cast, NULL, &hit);
        }
        for (int k = 1; k <= BODIES; ++k)
            for (int w = 0; w < 2; ++w) {
                int i = w ? BODIES + 1 - k : k;
                zoo at = {.random = {(uint64_t)i}, .span = 5};
                lode_pose pose = {zoo_point(&at), zoo_rotation(&at)};
                pose.position.x += far[f];
                lode_body_set_pose(bodies[w][i], pose);
            }
        int hits = 0;
        z[0].random = (test_random){99};
        for (int i = 0; i < 1500; ++i) {
            lode_cast cast = random_cast(&z[0], hull);
            lode_cast_hit a, b;
            cast.pose.position.x += far[f];
            bool found = lode_world_cast_shape(z[0].world, &cast, NULL, &a);
            assert_int_equal(lode_world_cast_shape(z[1].world, &cast, NULL, &b), found);
            assert_true(a.distance == b.distance && a.depth == b.depth);
            assert_true((uint32_t)a.shape.id << 8 == (uint32_t)b.shape.id << 8);
            assert_true(!memcmp(&a.position, &b.position, sizeof a.position));
            hits += found;
        }
        assert_true(hits > 300);
        lode_world_destroy(z[0].world);
        lode_world_destroy(z[1].world);
    }
    lode_hull_release(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solid_lands_on_every_floor),
        cmocka_unit_test(closest_all_and_visits_are_what_shapes_say),
        cmocka_unit_test(a_solid_goes_as_far_as_it_can),
        cmocka_unit_test(balls_overlap_what_is_near),
        cmocka_unit_test(a_mesh_answers_as_its_triangles),
        cmocka_unit_test(backs_let_solids_pass),
        cmocka_unit_test(shapes_tell_their_solids),
        cmocka_unit_test(answers_do_not_depend_on_the_past),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

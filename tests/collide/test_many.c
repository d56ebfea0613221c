/* test_many.c: what a shape and a mesh touch with, against a look at every triangle, and its
 * clusters against the same choice made the long way; and faces that are clipped eight at a time
 * against those that are clipped one by one.
 *
 * The walk through the tree, batches and lists decide nothing: each triangle that could be touched
 * is asked, and of the points of a cluster those are kept that a plain search finds. So points and
 * clusters are equal to the bit. */
#include "tests/support/test.h"

#include "collide/many.h"
#include "collide/triangle_lanes.h"
#include "lode/setup.h"
#include "tests/collide/boxes.h"
#include "tests/collide/meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 5 };

static const lode_real speculative = (lode_real)0.02;

/* What a mesh and a shape lie like: the mesh, with the shape of number 1 behind it. */
typedef struct scene {
    lode__geometry ground, geometry;
    lode__pose ground_pose, pose;
    lode__many_view view;
} scene;

static const lode_shape_type kinds[KINDS] = {LODE_SPHERE, LODE_BOX, LODE_CAPSULE, LODE_CYLINDER,
                                             LODE_BOX};
static lode__triangle_fn *const functions[KINDS] = {lode__triangle_sphere, lode__triangle_box,
                                                    lode__triangle_capsule, lode__triangle_convex,
                                                    lode__triangle_box};
static lode__mesh_face_fn *const faces[KINDS] = {NULL, lode__face_box, NULL, lode__face_convex,
                                                 lode__face_box};

static lode_quat some_rotation(test_random *random)
{
    double q[4];
    random_rotation(random, q);
    return q_normalize(
        (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]});
}

static lode_vec3 some_vector(test_random *random, double size)
{
    double x = random_between(random, -size, size);
    double y = random_between(random, -size, size);
    double z = random_between(random, -size, size);
    return v3((lode_real)x, (lode_real)y, (lode_real)z);
}

/* Every fifth shape is a box as large as many triangles. */
static void make_scene(test_random *random, const lode_mesh *mesh, int kind, lode_simd simd,
                       scene *out)
{
    memset(out, 0, sizeof *out);
    double large = kind == 4 ? 3 : 0.6;
    out->ground.type = LODE_MESH;
    out->geometry.type = kinds[kind];
    for (int k = 0; k < 3; ++k)
        out->geometry.size[k] = (lode_real)random_between(random, 0.1, large);
    out->ground_pose.rotation = some_rotation(random);
    out->pose.rotation = some_rotation(random);
    lode_vec3 at = some_vector(random, 3);
    at.z = (lode_real)random_between(random, -0.5, 1);
    out->view = (lode__many_view){
        .kernels = lode__collide_kernels_for(simd),
        .a = &out->ground,
        .b = &out->geometry,
        .pose_a = &out->ground_pose,
        .pose_b = &out->pose,
        .data_a = &mesh->data,
        .offset = q_rotate(out->ground_pose.rotation, at),
        .mesh_is_a = true,
    };
}

/* The instruction sets in turn; plain where one is missing. */
static lode_simd some_set(int i)
{
    int set = LODE_SIMD_PLAIN + i % (LODE_SIMD_COUNT - LODE_SIMD_PLAIN);
    lode_simd simd = (lode_simd)set;
    return lode__collide_kernels_for(simd) && lode_simd_available(simd) ? simd : LODE_SIMD_PLAIN;
}

/* --- every triangle */

static void ask_all(const scene *s, int kind, lode__mesh_points *out)
{
    const lode__mesh *mesh = mesh_of(s->view.data_a);
    lode_quat turn = s->ground_pose.rotation;
    lode__mesh_query query = {
        .surface = s->view.data_a,
        .center = q_rotate_inv(turn, s->view.offset),
        .rotation = q_mul(q_conj(turn), s->pose.rotation),
        .size = s->geometry.size,
        .solid = convex_make(&lode__convex_types[kinds[kind]], s->geometry.size, NULL),
        .speculative = speculative,
        .kernels = s->view.kernels,
        .out = out,
    };
    out->count = out->word_count = 0;
    out->failed = false;
    out->any_left = true; /* nothing is taken for settled */
    out->any_short = false;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        lode__mesh_side side = {.triangle = i,
                                .t = mesh_triangle_from(mesh, i, query.center)};
        side.n = triangle_normal(&side.t);
        side.height = -v3_dot(side.n, side.t.v[0]);
        functions[kind](&query, &side);
    }
    if (!faces[kind])
        return;
    lode__mesh_settle(&query, faces[kind]);
    lode__mesh_explain(&query);
    lode__mesh_complete(&query);
}

static int compare_points(const void *a, const void *b)
{
    const lode__mesh_point *p = a, *q = b;
    if (p->triangle != q->triangle)
        return p->triangle < q->triangle ? -1 : 1;
    if (p->feature != q->feature)
        return p->feature < q->feature ? -1 : 1;
    int order = memcmp(&p->position, &q->position, sizeof p->position);
    order = order ? order : memcmp(&p->normal, &q->normal, sizeof p->normal);
    return order ? order : memcmp(&p->depth, &q->depth, sizeof p->depth);
}

static void sort_points(lode__mesh_points *points)
{
    if (points->count > 0)
        qsort(points->items, points->count, sizeof *points->items, compare_points);
}

/* Waves with slopes of all kinds, flat parts between. */
static double hills(double x, double y)
{
    double h = 0.8 * sin(1.1 * x) * cos(0.9 * y) + 0.2 * sin(3.1 * x - 2.3 * y);
    return h < -0.3 ? -0.3 : h;
}

/* A referenced one must not be changed while it lives, and is made once. */
static lode_mesh *make_hills(bool reference)
{
    static mesh_draft drafts[2];
    mesh_draft *draft = &drafts[reference];
    draft->vertex_count = draft->triangle_count = 0;
    draft_grid(draft, 14, 4, hills);
    lode_mesh_def def = draft_def(draft);
    def.reference = reference;
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    return mesh;
}

static void a_walk_finds_what_all_triangles_say(void **state)
{
    (void)state;
    static lode__mesh_points found, all;
    test_random random = {11};
    lode_mesh *meshes[] = {make_hills(false), make_hills(true)}; /* corners come two ways */
    int touching = 0, points = 0, tried = 0;
    for (int i = 0; i < 3000; ++i) {
        scene s;
        make_scene(&random, meshes[i / 64 % 2], i % KINDS, some_set(i / KINDS), &s);
        lode__many_points(&s.view, speculative, REAL_MAX, &found);
        ask_all(&s, i % KINDS, &all);
        assert_false(found.failed || all.failed);
        assert_int_equal(found.count, all.count);
        sort_points(&found);
        sort_points(&all);
        for (uint32_t k = 0; k < all.count; ++k)
            assert_int_equal(compare_points(&found.items[k], &all.items[k]), 0);
        ++tried;
        touching += all.count > 0;
        points += (int)all.count;
    }
    print_message("%d poses, %d touch, %d points\n", tried, touching, points);
    assert_true(touching > tried / 4);
    lode__mesh_points_free(&found);
    lode__mesh_points_free(&all);
    lode_mesh_release(meshes[0]);
    lode_mesh_release(meshes[1]);
}

/* --- faces of boxes, eight at a time */

static lode__mesh_query query_of(const scene *s, lode__mesh_points *out)
{
    lode_quat turn = s->ground_pose.rotation;
    return (lode__mesh_query){
        .surface = s->view.data_a,
        .center = q_rotate_inv(turn, s->view.offset),
        .rotation = q_mul(q_conj(turn), s->pose.rotation),
        .size = s->geometry.size,
        .solid = convex_make(&lode__convex_types[LODE_BOX], s->geometry.size, NULL),
        .speculative = speculative,
        .kernels = s->view.kernels,
        .out = out,
    };
}

/* Eight triangles of the mesh that are near the box, from both sides. */
static void some_sides(test_random *random, const lode__mesh_query *query,
                       lode__mesh_side sides[LODE_LANES], lode__triangle_batch *batch)
{
    const lode__mesh *mesh = mesh_of(query->surface);
    triangle_lanes_begin(batch, query);
    batch->used = LODE_LANES;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        uint32_t best = 0;
        lode_real least = REAL_MAX;
        for (int i = 0; i < 40; ++i) {
            uint32_t triangle = random_below(random, mesh->triangle_count);
            lode__triangle t = mesh_triangle_from(mesh, triangle, query->center);
            lode_real far = v3_length(t.v[0]);
            best = far < least ? triangle : best;
            least = r_min(far, least);
        }
        lode__mesh_side side = {.triangle = best,
                                .t = mesh_triangle_from(mesh, best, query->center)};
        side.back = random_below(random, 4) == 0;
        side.n = triangle_normal(&side.t);
        side.n = side.back ? v3_neg(side.n) : side.n;
        side.height = -v3_dot(side.n, side.t.v[0]);
        sides[lane] = side;
        triangle_lanes_set(batch, lane, &side.t);
        lanes_set3(batch->normal, lane, side.n);
        batch->height.x[lane] = side.height;
        batch->back.x[lane] = side.back;
    }
}

static void faces_are_cut_as_one_by_one(void **state)
{
    (void)state;
    static lode__mesh_points one, eight;
    test_random random = {13};
    lode_mesh *mesh = make_hills(false);
    int cut = 0, points = 0;
    for (int i = 0; i < 1500; ++i) {
        scene s;
        lode__mesh_side sides[LODE_LANES];
        lode__triangle_batch batch;
        lode__face_cut cuts[LODE_LANES];
        make_scene(&random, mesh, i % 2 ? 1 : 4, some_set(i / 2), &s);
        lode__mesh_query query = query_of(&s, &one), with = query_of(&s, &eight);
        some_sides(&random, &query, sides, &batch);
        query.kernels->cut_faces(&batch, cuts);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            one.count = eight.count = 0;
            with.cut = &cuts[lane];
            lode__face_box(&query, &sides[lane]);
            lode__face_box(&with, &sides[lane]);
            assert_int_equal(one.count, eight.count);
            for (uint32_t k = 0; k < one.count; ++k)
                assert_int_equal(compare_points(&one.items[k], &eight.items[k]), 0);
            cut += cuts[lane].count > 0;
            points += (int)one.count;
        }
    }
    print_message("%d faces are cut, %d points\n", cut, points);
    assert_true(cut > 1000 && points > 2 * cut);
    lode__mesh_points_free(&one);
    lode__mesh_points_free(&eight);
    lode_mesh_release(mesh);
}

/* --- clusters the long way */

typedef struct chosen {
    const lode__mesh_point *points[64], *kept[4];
    int count, kept_count;
    lode_vec3 normal;
} chosen;

static lode_real long_worth(const chosen *c, const lode__mesh_point *p)
{
    if (c->kept_count == 0)
        return p->depth;
    lode_vec3 a = v3_sub(p->position, c->kept[0]->position);
    a = v3_madd(a, c->normal, -v3_dot(a, c->normal));
    if (c->kept_count == 1)
        return v3_dot(a, a);
    lode_vec3 ab = v3_sub(c->kept[1]->position, c->kept[0]->position);
    if (c->kept_count == 2)
        return r_abs(v3_dot(c->normal, v3_cross(ab, a)));
    lode_vec3 ac = v3_sub(c->kept[2]->position, c->kept[0]->position);
    lode_real turn = v3_dot(c->normal, v3_cross(ab, ac)) < 0 ? (lode_real)-1 : (lode_real)1;
    lode_real out = 0;
    for (int k = 0; k < 3; ++k) {
        lode_vec3 from = c->kept[k]->position, to = c->kept[(k + 1) % 3]->position;
        lode_vec3 x = v3_cross(v3_sub(to, from), v3_sub(p->position, from));
        out = r_max(out, -turn * v3_dot(c->normal, x));
    }
    return out;
}

static bool long_may_keep(const chosen *c, const lode__mesh_point *p, bool own, lode_real same)
{
    if ((p->feature < MESH_BY_EDGE) != own)
        return false;
    for (int k = 0; k < c->kept_count; ++k) {
        lode_vec3 apart = v3_sub(p->position, c->kept[k]->position);
        if (p == c->kept[k] || v3_dot(apart, apart) < same * same ||
            (!own && p->feature == c->kept[k]->feature))
            return false;
    }
    return true;
}

/* The one with the lowest name of those that are as good as the best. */
static const lode__mesh_point *long_best(const chosen *c, bool own, lode_real least, lode_real same)
{
    const lode__mesh_point *best = NULL;
    lode_real most = least;
    for (int i = 0; i < c->count; ++i)
        if (long_may_keep(c, c->points[i], own, same))
            most = r_max(most, long_worth(c, c->points[i]));
    for (int i = 0; i < c->count; ++i) {
        const lode__mesh_point *p = c->points[i];
        lode_real worth = long_worth(c, p);
        if (long_may_keep(c, p, own, same) && worth > least &&
            worth >= (c->kept_count == 0 ? most - same : most / (lode_real)1.02) &&
            (!best || p->feature < best->feature))
            best = p;
    }
    return best;
}

static bool long_step(chosen *c, lode_real same)
{
    lode_real least = c->kept_count == 0 ? -REAL_MAX : 0;
    const lode__mesh_point *own = long_best(c, true, least, same);
    if (own)
        least = c->kept_count == 0 ? long_worth(c, own) + same
                                   : long_worth(c, own) * (lode_real)1.02;
    const lode__mesh_point *other = long_best(c, false, least, same);
    if (!other && !own)
        return false;
    c->kept[c->kept_count++] = other ? other : own;
    return true;
}

/* Points on a lattice, so that many are equally deep and equally far; some normals are alike, some
 * just not. */
static void random_points(test_random *random, lode__mesh_points *out)
{
    uint32_t count = 1 + random_below(random, 24);
    for (uint32_t i = 0; i < count; ++i) {
        lode_vec3 n = v3((lode_real)random_below(random, 3) / 8,
                         (lode_real)random_below(random, 2) / 11, 1);
        lode__mesh_point p = {.triangle = i, .normal = v3_normalize_or(n, v3(0, 0, 1))};
        p.position.x = (lode_real)random_below(random, 6) / 4;
        p.position.y = (lode_real)random_below(random, 6) / 4;
        p.position.z = (lode_real)random_below(random, 2) / 64;
        p.depth = (lode_real)random_below(random, 5) / 1000;
        p.feature = random_below(random, 2) ? 1 + random_below(random, 9)
                                            : MESH_BY_EDGE + random_below(random, 6);
        out->items[i] = p;
    }
    out->count = count;
}

/* The clusters of the points, one after another, and whether they are those of the list. */
static void expect_clusters(const scene *s, const lode__mesh_points *points,
                            const lode__many_list *list)
{
    bool taken[64] = {false};
    uint32_t clusters = 0;
    for (;;) {
        const lode__mesh_point *seed = NULL;
        chosen c = {.count = 0};
        for (uint32_t i = 0; i < points->count; ++i)
            if (!taken[i] && (!seed || points->items[i].depth > seed->depth))
                seed = &points->items[i];
        if (!seed)
            break;
        c.normal = seed->normal;
        for (uint32_t i = 0; i < points->count; ++i)
            if (!taken[i] && v3_dot(points->items[i].normal, c.normal) > (lode_real)0.995) {
                taken[i] = true;
                c.points[c.count++] = &points->items[i];
            }
        while (c.kept_count < 4 && long_step(&c, speculative * (lode_real)0.05))
            ;
        int deepest = 0;
        for (int k = 1; k < c.kept_count; ++k)
            deepest = c.kept[k]->depth > c.kept[deepest]->depth ? k : deepest;
        assert_true(clusters < list->cluster_count);
        const lode__cluster *got = &list->clusters[clusters++];
        assert_int_equal(got->count, c.kept_count);
        for (int k = 0; k < got->count; ++k) {
            lode__point want;
            lode__many_point(&s->view, c.kept[k], &want);
            want.depth = k == deepest ? seed->depth : want.depth;
            assert_int_equal(got->points[k].child_a, want.child_a);
            assert_int_equal(got->points[k].feature, want.feature);
            assert_memory_equal(&got->points[k].position, &want.position, sizeof want.position);
            assert_memory_equal(&got->points[k].depth, &want.depth, sizeof want.depth);
        }
    }
    assert_int_equal(clusters, list->cluster_count);
}

static void clusters_are_what_a_plain_search_keeps(void **state)
{
    (void)state;
    static lode__mesh_point room[64], copy[64];
    test_random random = {12};
    lode_mesh *mesh = make_hills(false);
    uint32_t several = 0;
    for (int i = 0; i < 6000; ++i) {
        lode__many_list list = {.points = {.items = room, .capacity = 64}};
        lode__mesh_points before = {.items = copy};
        scene s;
        make_scene(&random, mesh, 1, LODE_SIMD_PLAIN, &s);
        random_points(&random, &list.points);
        before.count = list.points.count;
        memcpy(copy, room, before.count * sizeof *room);
        lode__many_clusters(&s.view, speculative, &list);
        assert_false(list.failed);
        expect_clusters(&s, &before, &list);
        several += list.cluster_count > 1;
        list.points.items = NULL; /* it is not from the heap */
        list.points.capacity = 0;
        lode__many_list_free(&list);
    }
    assert_true(several > 1000);
    lode_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_finds_what_all_triangles_say),
        cmocka_unit_test(faces_are_cut_as_one_by_one),
        cmocka_unit_test(clusters_are_what_a_plain_search_keeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_near_list.c: lists of triangles that are kept from step to step against a walk down the tree
 * each time: the same triangles in the same order, whoever's list it was before, and for who has
 * hardly moved since; and a world that keeps lists against one that never has any. */
#include "tests/support/test.h"

#include "collide/many.h"
#include "collide/near_list.h"
#include "lode/lode.h"
#include "tests/collide/meshes.h"

#include <stdlib.h>
#include <string.h>

static lode_vec3 some_vector(test_random *random, double size)
{
    double x = random_between(random, -size, size);
    double y = random_between(random, -size, size);
    double z = random_between(random, -size, size);
    return v3((lode_real)x, (lode_real)y, (lode_real)z);
}

static double hills(double x, double y)
{
    return 0.8 * sin(1.1 * x) * cos(0.9 * y) + 0.2 * sin(3.1 * x - 2.3 * y);
}

/* Around (far, far, 0). */
static lode_mesh *make_hills(mesh_draft *draft, int squares, float far, bool reference)
{
    draft_grid(draft, squares, 6, hills);
    for (int i = 0; i < draft->vertex_count; ++i)
        for (int k = 0; k < 2; ++k)
            draft->vertices[i][k] += far;
    lode_mesh_def def = draft_def(draft);
    def.reference = reference;
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    return mesh;
}

/* Triangles of all sizes, of which many are as thin as those that have no plane to speak of, or a
 * little less; they are nobody's neighbours. */
static lode_mesh *make_soup(mesh_draft *draft)
{
    test_random random = {3};
    draft->vertex_count = draft->triangle_count = 0;
    for (int i = 0; i < 900; ++i) {
        lode_vec3 a = some_vector(&random, 3), c;
        double size = random_below(&random, 3) == 0 ? 0.05 : 1.2, share;
        lode_vec3 b = v3_add(a, some_vector(&random, size));
        share = random_between(&random, 0.2, 1);
        c = v3_add(a, some_vector(&random, size));
        if (i % 2 == 0) {
            lode_vec3 aside = v3_cross(v3_sub(b, a), v3_sub(c, a));
            double thin = random_between(&random, 0.003, 0.03) * share;
            lode_real far = v3_length(v3_sub(b, a)) * (lode_real)thin;
            c = v3_madd(v3_madd(a, v3_sub(b, a), (lode_real)share),
                        v3_normalize_or(aside, v3(0, 0, 1)), far);
        }
        uint32_t first = draft_vertex(draft, a.x, a.y, a.z / 3);
        draft_vertex(draft, b.x, b.y, b.z / 3);
        draft_vertex(draft, c.x, c.y, c.z / 3);
        draft_triangle(draft, first, first + 1, first + 2);
    }
    lode_mesh_def def = draft_def(draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    return mesh;
}

/* A box that wanders. */
typedef struct wanderer {
    lode_vec3 at, half, axis[3];
    double speed; /* m a step */
} wanderer;

static wanderer some_wanderer(test_random *random)
{
    static const double speeds[] = {0, 0.001, 0.02, 0.3};
    wanderer w = {.at = some_vector(random, 3.2)};
    double size = random_below(random, 8) == 0 ? 1.5 : 0.3;
    w.at.z = (lode_real)random_between(random, -1, 1.2);
    w.half = v3_add(v3_abs(some_vector(random, size)), v3(0.05f, 0.05f, 0.05f));
    w.speed = speeds[random_below(random, 4)];
    return w;
}

static void move(wanderer *w, test_random *random)
{
    lode_vec3 turn = v3_scale(some_vector(random, 1), (lode_real)w->speed);
    w->at = v3_add(w->at, some_vector(random, w->speed));
    lode_vec3 x = v3_normalize_or(v3_add(v3(1, 0.3f, 0), turn), v3(1, 0, 0));
    lode_vec3 y = v3_normalize_or(v3_cross(v3(0, 0.2f, 1), x), v3(0, 1, 0));
    w->axis[0] = x;
    w->axis[1] = y;
    w->axis[2] = v3_cross(x, y);
}

/* m: who is farther from the box may be left out. */
#define SLACK 0.03

/* As lode__many_near() has it. */
static void begin(lode__mesh_near *near, const lode__mesh *mesh, const wanderer *w, float far)
{
    lode_vec3 half = v3(0.02f, 0.02f, 0.02f), at = v3_add(w->at, v3(far, far, 0));
    const lode_real size[3] = {w->half.x, w->half.y, w->half.z};
    for (int i = 0; i < 3; ++i)
        half = v3_add(half, v3_scale(v3_abs(w->axis[i]), size[i]));
    lode__mesh_near_begin(near, mesh, at, v3_sub(at, half), v3_add(at, half));
    near->slack = (lode_real)SLACK;
    for (int i = 0; i < 3; ++i) {
        near->axis[i] = w->axis[i];
        near->half[i] = size[i];
    }
}

/* What it is in the list's eyes. */
static lode__solid_lines lines_of(const wanderer *w, float far)
{
    lode__solid_lines lines = {
        .center = {w->at.x + (lode_real)far, w->at.y + (lode_real)far, w->at.z, 0}};
    const lode_real size[3] = {w->half.x, w->half.y, w->half.z};
    for (int i = 0; i < 3; ++i) {
        const lode_real line[4] = {w->axis[i].x, w->axis[i].y, w->axis[i].z, size[i]};
        memcpy(lines.axis[i], line, sizeof line);
    }
    return lines;
}

enum { MOST = 4096 };

static uint32_t walk(const lode__collide_kernels *kernels, const lode__near_asker *asker,
                     lode__mesh_near *near, lode__near_list *list, uint32_t *out)
{
    uint32_t count = 0;
    bool more = lode__near_take(list, kernels, asker, near) || kernels->mesh_near(near);
    for (; more; more = near->depth > 0 && kernels->mesh_near(near))
        for (uint32_t i = 0; i < near->count; ++i) {
            assert_true(count < MOST);
            out[count++] = near->triangles[i];
        }
    return count;
}

static lode_simd some_set(int i)
{
    lode_simd simd = (lode_simd)(LODE_SIMD_PLAIN + i % (LODE_SIMD_COUNT - LODE_SIMD_PLAIN));
    return lode__collide_kernels_for(simd) && lode_simd_available(simd) ? simd : LODE_SIMD_PLAIN;
}

/* What became of all questions. */
typedef struct tally {
    int states[LODE__NEAR_USED + 1], found, again, gone;
} tally;

static void ask(const lode__near_asker *asker, const wanderer *w, float far, lode_simd simd,
                lode__near_list *list, tally *tally)
{
    static uint32_t listed[MOST], walked[MOST];
    static lode__mesh_near near;
    const lode__collide_kernels *kernels = lode__collide_kernels_for(simd);
    begin(&near, asker->mesh, w, far);
    uint32_t count = walk(kernels, asker, &near, NULL, walked);
    tally->found += (int)count;
    memset(&near.lo, 0xff, sizeof near.lo); /* what is not narrow is not asked for */
    memset(&near.hi, 0xff, sizeof near.hi);
    if (lode__near_again(list, asker, &near)) {
        uint32_t met = 0; /* those of the walk, in its order, among some that are near no more */
        for (uint32_t i = 0; i < near.count; ++i)
            met += met < count && near.triangles[i] == walked[met];
        assert_int_equal(near.depth, 0);
        assert_int_equal(met, count);
        tally->gone += near.count > count;
        ++tally->again;
        return;
    }
    begin(&near, asker->mesh, w, far);
    assert_int_equal(walk(kernels, asker, &near, list, listed), count);
    assert_memory_equal(listed, walked, count * sizeof *listed);
    ++tally->states[list->state];
}

enum { MESHES = 5 };

static void a_list_says_what_a_walk_does(void **state)
{
    (void)state;
    static mesh_draft drafts[MESHES];
    static const float far[MESHES] = {0, 0, 1000, 0}; /* m, as far as a mesh's frame may be */
    lode_mesh *meshes[MESHES];
    for (int i = 0; i < 4; ++i)
        meshes[i] = make_hills(&drafts[i], i == 3 ? 40 : 14, far[i], i == 1);
    meshes[4] = make_soup(&drafts[4]);
    test_random random = {21};
    tally all = {.found = 0};
    for (int i = 0; i < 1000; ++i) {
        lode__near_list list = {.hash = 0};
        wanderer w = some_wanderer(&random);
        for (int step = 0; step < 60; ++step) {
            /* now and then the list meets another mesh, or a larger box */
            int which = step % 17 == 16 ? i / MESHES % MESHES : i % MESHES;
            lode_vec3 half = w.half;
            move(&w, &random);
            w.half.y += step % 13 == 12 ? (lode_real)0.001 : 0;
            const lode__solid_lines lines = lines_of(&w, far[which]);
            const lode__near_asker asker = {&lines, mesh_of(meshes[which]), (lode_real)0.02,
                                            LODE_BOX};
            ask(&asker, &w, far[which], some_set(i + step), &list, &all);
            w.half = half;
        }
    }
    print_message(
        "watched %d, crowded %d, new %d, used %d, again %d (%d of them fewer); %d found\n",
        all.states[0], all.states[1], all.states[2], all.states[3], all.again, all.gone, all.found);
    for (int i = 0; i <= LODE__NEAR_USED; ++i)
        assert_true(all.states[i] > 300);
    assert_true(all.again > 5000 && all.gone > 20);
    for (int i = 0; i < MESHES; ++i)
        lode_mesh_release(meshes[i]);
}

static void slots_have_lists_of_their_own(void **state)
{
    (void)state;
    lode__near_lists lists = {.items = NULL};
    assert_null(near_list_of(&lists, 0));
    for (uint32_t slot = 0; slot < 3000; slot += 7)
        lode__near_lists_add(&lists, slot);
    lode__near_list *list = near_list_of(&lists, 700);
    list->count = 5;
    lode__near_lists_add(&lists, 700); /* it has one */
    assert_ptr_equal(near_list_of(&lists, 700), list);
    assert_int_equal(list->count, 5);
    for (uint32_t slot = 0; slot < 9000; ++slot) {
        assert_int_equal(near_list_of(&lists, slot) != NULL, slot < 3000 && slot % 7 == 0);
        for (uint32_t other = 0; near_list_of(&lists, slot) && other < slot; other += 7)
            assert_ptr_not_equal(near_list_of(&lists, slot), near_list_of(&lists, other));
    }
    assert_true(lode__near_lists_bytes(&lists) >= 429 * sizeof *list);
    lode__near_lists_free(&lists);
}

/* --- pairs of a caller's own */

/* A solid that rests on the ground, or nearly so, and hears of what is nearer than a hair alone,
 * where kernels look farther. */
typedef struct rester {
    lode__geometry ground, geometry;
    lode__pose ground_pose, pose, base;
    double speed;     /* m a step */
    lode_real margin; /* of the kernels, m */
} rester;

static const lode_shape_type resting_types[] = {LODE_BOX, LODE_CAPSULE, LODE_SPHERE};

static rester some_rester(test_random *random, int i)
{
    static const double speeds[] = {0.0002, 0.001, 0.004};
    rester r = {.ground.type = LODE_MESH, .geometry.type = resting_types[i % 3]};
    r.speed = speeds[i / 3 % 3];
    r.margin = i / 9 % 2 ? (lode_real)0.008 : (lode_real)0.4;
    for (int k = 0; k < 3; ++k)
        r.geometry.size[k] = (lode_real)random_between(random, 0.05, 0.5);
    double x = random_between(random, -2.5, 2.5), y = random_between(random, -2.5, 2.5);
    double high = (double)r.geometry.size[2] * random_between(random, 0.7, 1.1);
    r.base.position = v3((lode_real)x, (lode_real)y, (lode_real)(hills(x, y) + high));
    r.base.rotation = q_normalize((lode_quat){1, (lode_real)random_between(random, -0.4, 0.4),
                                              (lode_real)random_between(random, -0.4, 0.4),
                                              (lode_real)random_between(random, -1, 1)});
    r.ground_pose.rotation = q_identity();
    return r;
}

static void stir(rester *r, test_random *random)
{
    lode_vec3 turn = some_vector(random, r->speed);
    r->pose.position = v3_add(r->base.position, some_vector(random, r->speed));
    r->pose.rotation = q_normalize(q_mul((lode_quat){1, turn.x, turn.y, turn.z}, r->base.rotation));
}

static void touch(const rester *r, const lode_mesh *mesh, lode_simd simd, lode__near_list *near,
                  lode__many_list *out)
{
    static lode__many_flow flow;
    const lode__many_view view = {.kernels = lode__collide_kernels_for(simd),
                                  .a = &r->ground,
                                  .b = &r->geometry,
                                  .pose_a = &r->ground_pose,
                                  .pose_b = &r->pose,
                                  .data_a = &mesh->data,
                                  .offset = r->pose.position,
                                  .reach = (lode_real)1e-5,
                                  .mesh_is_a = true};
    out->pair_count = out->cluster_count = 0;
    lode__many_flow_begin(&flow, NULL, NULL, r->margin, out);
    assert_true(lode__many_touch_view(&flow, &view, 0, near));
    lode__many_flush(&flow);
    assert_false(out->failed);
}

static int check_alike(const lode__many_list *a, const lode__many_list *b)
{
    int points = 0;
    assert_int_equal(a->cluster_count, b->cluster_count);
    for (uint32_t i = 0; i < a->cluster_count; ++i) {
        const lode__cluster *p = &a->clusters[i], *q = &b->clusters[i];
        assert_int_equal(p->count, q->count);
        assert_memory_equal(&p->normal, &q->normal, sizeof p->normal);
        for (int k = 0; k < p->count; ++k) {
            assert_memory_equal(&p->points[k].position, &q->points[k].position, sizeof(lode_vec3));
            assert_true(p->points[k].depth == q->points[k].depth);
            assert_int_equal(p->points[k].feature, q->points[k].feature);
        }
        points += p->count;
    }
    return points;
}

static void points_are_those_without_a_list(void **state)
{
    (void)state;
    static mesh_draft draft;
    lode_mesh *mesh = make_hills(&draft, 14, 0, false);
    lode__many_list with = {.pairs = NULL}, without = {.pairs = NULL};
    test_random random = {8};
    int used = 0, points = 0, words = 0;
    for (int i = 0; i < 3000; ++i) {
        lode__near_list near = {.hash = 0};
        rester r = some_rester(&random, i);
        for (int step = 0; step < 40; ++step) {
            stir(&r, &random);
            touch(&r, mesh, some_set(i + step), &near, &with);
            touch(&r, mesh, some_set(i), NULL, &without);
            points += check_alike(&with, &without);
            /* nor has a triangle said a word that the walk does not find */
            assert_int_equal(with.points.word_count, without.points.word_count);
            words += (int)with.points.word_count;
            used += near.state == LODE__NEAR_USED;
        }
    }
    print_message("%d of 120000 by lists; %d points, %d words\n", used, points, words);
    assert_true(used > 60000 && points > 100000 && words > 100000);
    lode__many_list_free(&with);
    lode__many_list_free(&without);
    lode_mesh_release(mesh);
}

/* --- worlds */

static lode_world make_world(lode_mesh *ground, lode_simd simd)
{
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_body_def body_def = lode_body_def_default();
    def.simd = simd;
    lode_world world = lode_world_create(&def);
    lode_shape_create_mesh(lode_body_create(world, &body_def), &shape_def, ground);
    body_def.type = LODE_DYNAMIC;
    for (int i = 0; i < 75; ++i) {
        body_def.position = v3((lode_real)(i % 5) - 2, (lode_real)(i / 5 % 5) - 2,
                               (lode_real)(1.2 + 0.7 * (i / 25)));
        lode_body body = lode_body_create(world, &body_def);
        if (i % 3 == 0)
            lode_shape_create_box(body, &shape_def, v3(0.3f, 0.2f, 0.1f + 0.01f * (float)(i % 7)));
        else if (i % 3 == 1)
            lode_shape_create_capsule(body, &shape_def, 0.15f, 0.2f);
        else
            lode_shape_create_sphere(body, &shape_def, 0.2f);
    }
    return world;
}

/* One world goes on, and keeps its lists; the other begins anew in each step. */
static void lists_leave_no_trace(void **state)
{
    (void)state;
    static mesh_draft draft;
    lode_mesh *ground = make_hills(&draft, 14, 0, false);
    lode_world kept = make_world(ground, LODE_SIMD_AUTO);
    size_t size = 0, capacity = 1 << 20;
    char *shot = malloc(capacity), *other = malloc(capacity);
    for (int step = 0; step < 150; ++step) {
        lode_world fresh = make_world(ground, LODE_SIMD_PLAIN);
        size = lode_world_snapshot(kept, shot, capacity);
        assert_true(size > 0 && size <= capacity);
        assert_int_equal(lode_world_restore(fresh, shot, size), LODE_OK);
        assert_int_equal(lode_world_step(kept, (lode_real)1 / 60), LODE_OK);
        assert_int_equal(lode_world_step(fresh, (lode_real)1 / 60), LODE_OK);
        size = lode_world_snapshot(kept, shot, capacity);
        assert_int_equal(lode_world_snapshot(fresh, other, capacity), size);
        assert_memory_equal(shot, other, size);
        lode_world_destroy(fresh);
    }
    free(shot);
    free(other);
    lode_world_destroy(kept);
    lode_mesh_release(ground);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_says_what_a_walk_does),
        cmocka_unit_test(slots_have_lists_of_their_own),
        cmocka_unit_test(points_are_those_without_a_list),
        cmocka_unit_test(lists_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_heightfield.c: height fields against meshes of the same triangles: neighbours, bends, walks
 * and what shapes touch; all types of samples; fields that repeat themselves against fields that
 * say it all; bad input. */
#include "tests/support/test.h"

#include "collide/mesh_touch.h"
#include "core/memory.h"
#include "lode/hull.h"
#include "lode/setup.h"
#include "tests/collide/boxes.h"
#include "tests/collide/fields.h"
#include "tests/support/alloc_fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LODE_DOUBLE
#define TOLERANCE 1e-9
#else
#define TOLERANCE 2e-5
#endif

static const double speculative = 0.02;

static field_draft draft;
static mesh_draft equal;

static lode_heightfield *make(const lode_heightfield_def *def)
{
    lode_heightfield *field = lode_heightfield_create(def);
    assert_non_null(field);
    return field;
}

static lode_mesh *make_equal(void)
{
    draft_equal(&equal, &draft, NULL);
    lode_mesh_def def = draft_def(&equal);
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    return mesh;
}

/* --- triangles */

static void neighbours_and_bends_are_those_of_the_equal_mesh(void **state)
{
    (void)state;
    test_random random = {1};
    int kinds[4] = {0};
    for (int round = 0; round < 20; ++round) {
        draft_rough(&draft, &random, 2 + (int)random_below(&random, 30),
                    2 + (int)random_below(&random, 30), round % 2 ? 1 : 7, 0.5);
        lode_heightfield_def def = field_def(&draft);
        lode_heightfield *field = make(&def);
        lode_mesh *mesh = make_equal();
        uint32_t count = (uint32_t)lode_heightfield_get_triangle_count(field);
        assert_int_equal(count, mesh->triangle_count);
        for (uint32_t t = 0; t < count; ++t) {
            lode__triangle a = field_triangle(field, t), b = mesh_triangle(mesh, t);
            lode_vec3 n = lode__field_normal(field, t), m = triangle_normal(&b);
            assert_memory_equal(&a, &b, sizeof a);
            assert_true((double)v3_length(v3_sub(n, m)) < 1e-6);
            for (int e = 0; e < 3; ++e) {
                assert_int_equal(lode__field_neighbor(field, t, e), mesh->neighbors[t][e]);
                assert_int_equal(lode__field_edge_kind(field, t, e), mesh_edge_kind(mesh, t, e));
                uint32_t corners[3];
                mesh_corners(mesh, t, corners);
                assert_int_equal(field_vertex(field, t, e), corners[e]);
                ++kinds[mesh_edge_kind(mesh, t, e)];
            }
        }
        lode_heightfield_release(field);
        lode_mesh_release(mesh);
    }
    for (int k = 0; k < 4; ++k)
        assert_true(kinds[k] > 100);
}

/* --- walks */

typedef struct walked {
    const lode_heightfield *field;
    lode_vec3 origin;
    uint8_t times[2 * MOST_COLUMNS * MOST_ROWS];
} walked;

static bool note(void *context, uint32_t triangle, const lode__triangle *t)
{
    walked *w = context;
    lode__triangle own = field_triangle(w->field, triangle);
    ++w->times[triangle];
    for (int k = 0; k < 3; ++k)
        assert_true((double)v3_length(v3_sub(v3_add(t->v[k], w->origin), own.v[k])) < 1e-4);
    return true;
}

static void walks_find_all_triangles_near_a_box(void **state)
{
    (void)state;
    static walked w;
    test_random random = {2};
    for (int round = 0; round < 12; ++round) {
        draft_rough(&draft, &random, 2 + (int)random_below(&random, 98),
                    2 + (int)random_below(&random, 98), 9, 3);
        for (int i = 0; i < 200; ++i) /* holes */
            if (round % 3 == 0)
                draft.heights[random_below(&random, (uint32_t)(draft.columns * draft.rows))] = NAN;
        lode_heightfield_def def = field_def(&draft);
        def.holes = true;
        lode_heightfield *field = lode_heightfield_create(&def);
        if (!field)
            continue; /* nothing but holes */
        int extra = 0;
        for (int q = 0; q < 100; ++q) {
            double size = 60 * pow(10, random_between(&random, -3, 0.2));
            lode_vec3 lo = v3((lode_real)random_between(&random, -5, 50),
                              (lode_real)random_between(&random, -5, 70),
                              (lode_real)random_between(&random, -1, 3));
            lode_vec3 hi = v3_add(lo, v3((lode_real)size, (lode_real)(size / 2),
                                         (lode_real)random_between(&random, 0, 3)));
            memset(&w, 0, sizeof w);
            w.field = field;
            w.origin = v3((lode_real)1.5, -3, 7);
            assert_true(lode__field_walk(field, w.origin, lo, hi, note, &w));
            int count = lode_heightfield_get_triangle_count(field);
            for (int t = 0; t < count; ++t) {
                lode_real h[3];
                lode__triangle tri = field_triangle(field, (uint32_t)t);
                lode_vec3 a = v3_min(v3_min(tri.v[0], tri.v[1]), tri.v[2]);
                lode_vec3 b = v3_max(v3_max(tri.v[0], tri.v[1]), tri.v[2]);
                bool meets = a.x <= hi.x && a.y <= hi.y && a.z <= hi.z && lo.x <= b.x &&
                             lo.y <= b.y && lo.z <= b.z && field_heights(field, (uint32_t)t, h);
                assert_true(w.times[t] <= 1);
                assert_true(!meets || w.times[t] == 1);
                extra += w.times[t] - meets;
            }
        }
        print_message("%d beside\n", extra);
        lode_heightfield_release(field);
    }
}

/* --- shapes */

enum { SOLIDS = 5 };

/* A shape of one of five types, at random. */
typedef struct solid {
    lode_shape_type type;
    lode_real size[4];
    lode_quat rotation;
    lode__triangle_fn *function;
    const lode__shape_data *data;
} solid;

static lode__mesh_points points[2];

static bool take(void *context, uint32_t triangle, const lode__triangle *t)
{
    void **both = context;
    const lode__mesh_query *query = both[0];
    const solid *s = both[1];
    lode__mesh_side side = {.triangle = triangle, .t = *t};
    side.n = triangle_normal(t); /* equal to the bit: some answers turn on less */
    side.height = -v3_dot(side.n, side.t.v[0]);
    s->function(query, &side);
    return true;
}

static void touch(const lode__shape_data *surface, const solid *s, lode_vec3 center,
                  lode__mesh_points *out)
{
    lode__mesh_query query = {.surface = surface,
                              .center = center,
                              .rotation = s->rotation,
                              .size = s->size,
                              .solid = convex_make(&lode__convex_types[s->type], s->size, s->data),
                              .speculative = (lode_real)speculative,
                              .out = out};
    const void *both[2] = {&query, s};
    lode_vec3 far = v3(2, 2, 2);
    out->count = 0;
    lode__surface_walk(surface, center, v3_sub(center, far), v3_add(center, far), take,
                       (void *)both);
}

static solid random_solid(test_random *random, int kind)
{
    static const lode_shape_type types[SOLIDS] = {LODE_SPHERE, LODE_BOX, LODE_CAPSULE,
                                                  LODE_CYLINDER, LODE_HULL};
    static lode__triangle_fn *const functions[SOLIDS] = {
        lode__triangle_sphere, lode__triangle_box, lode__triangle_capsule, lode__triangle_convex,
        lode__triangle_convex};
    solid s = {.type = types[kind], .function = functions[kind]};
    double q[4];
    random_rotation(random, q);
    s.rotation = q_normalize(
        (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]});
    for (int k = 0; k < 3 && s.type != LODE_HULL; ++k)
        s.size[k] = (lode_real)random_between(random, 0.1, 0.7);
    return s;
}

static int compare_points(const void *a, const void *b)
{
    const lode__mesh_point *p = a, *q = b;
    if (p->triangle != q->triangle)
        return p->triangle < q->triangle ? -1 : 1;
    if (p->feature != q->feature)
        return p->feature < q->feature ? -1 : 1;
    return p->depth < q->depth ? -1 : p->depth > q->depth;
}

static bool same_points(void)
{
    bool same = points[0].count == points[1].count;
    for (int k = 0; k < 2; ++k)
        if (points[k].count > 0)
            qsort(points[k].items, points[k].count, sizeof *points[k].items, compare_points);
    for (uint32_t i = 0; same && i < points[0].count; ++i) {
        const lode__mesh_point *p = &points[0].items[i], *q = &points[1].items[i];
        same = p->triangle == q->triangle && p->feature == q->feature &&
               fabs((double)(p->depth - q->depth)) < TOLERANCE &&
               (double)v3_length(v3_sub(p->position, q->position)) < 10 * TOLERANCE &&
               (double)v3_length(v3_sub(p->normal, q->normal)) < 10 * TOLERANCE;
    }
    return same;
}

static lode_hull *make_hull(test_random *random)
{
    lode_real cloud[12][3];
    lode_hull_def def = lode_hull_def_default();
    for (int i = 0; i < 12; ++i)
        for (int k = 0; k < 3; ++k)
            cloud[i][k] = (lode_real)random_between(random, -0.6, 0.6);
    def.points = cloud[0];
    def.point_count = 12;
    lode_hull *hull = lode_hull_create(&def);
    assert_non_null(hull);
    return hull;
}

/* Centres and heights are such that nothing is rounded on the way to the triangles. */
static void shapes_touch_what_they_touch_of_the_equal_mesh(void **state)
{
    (void)state;
    test_random random = {3};
    int tried = 0, touching = 0, all = 0;
    lode_hull *hull = make_hull(&random);
    for (int round = 0; round < 30; ++round) {
        draft_rough(&draft, &random, 12, 12, round % 3 ? 8 : 1, round % 2 ? 0.3125 : 1.25);
        lode_heightfield_def def = field_def(&draft);
        lode_heightfield *field = make(&def);
        lode_mesh *mesh = make_equal();
        for (int i = 0; i < 400; ++i) {
            solid s = random_solid(&random, i % SOLIDS);
            s.data = s.type == LODE_HULL ? (const void *)hull : NULL;
            lode_vec3 center = v3((lode_real)random_below(&random, 400) / 64 - (lode_real)0.25,
                                  (lode_real)random_below(&random, 600) / 64 - (lode_real)0.25,
                                  (lode_real)random_below(&random, 128) / 64 - (lode_real)0.25);
            touch(&field->data, &s, center, &points[0]);
            touch(&mesh->data, &s, center, &points[1]);
            ++tried;
            touching += points[1].count > 0;
            all += (int)points[1].count;
            assert_true(same_points());
        }
        lode_heightfield_release(field);
        lode_mesh_release(mesh);
    }
    lode_hull_release(hull);
    print_message("%d poses, %d touch, %d points\n", tried, touching, all);
    assert_true(touching > tried / 3);
}

/* --- fields that repeat themselves */

typedef struct found_copy {
    lode_vec3 middle;
    uint32_t triangle;
} found_copy;

typedef struct copies {
    found_copy items[100000];
    int count;
} copies;

static bool note_copy(void *context, uint32_t triangle, const lode__triangle *t)
{
    copies *c = context;
    lode_vec3 sum = v3_add(v3_add(t->v[0], t->v[1]), t->v[2]);
    c->items[c->count++] = (found_copy){v3_scale(sum, (lode_real)1 / 3), triangle};
    return true;
}

static int compare_copies(const void *a, const void *b)
{
    lode_vec3 p = ((const found_copy *)a)->middle, q = ((const found_copy *)b)->middle;
    lode_real x = p.x - q.x, y = p.y - q.y;
    return r_abs(y) > (lode_real)0.01 ? (y < 0 ? -1 : 1) : x < 0 ? -1 : x > 0;
}

/* A field of 7 x 5 samples, and one of three times as many along each axis which says what the
 * first repeats; the second begins one repetition before. */
static void a_field_repeats_itself_as_one_that_says_it_all(void **state)
{
    (void)state;
    static field_draft small;
    static copies found[2];
    test_random random = {4};
    draft_rough(&small, &random, 7, 5, 5, 1);
    lode_heightfield_def def = field_def(&small);
    def.wrap = true;
    lode_heightfield *wrapped = make(&def);
    assert_int_equal(lode_heightfield_get_triangle_count(wrapped), 2 * 7 * 5);
    draft_rough(&draft, &random, 22, 16, 1, 1);
    for (int j = 0; j < 16; ++j)
        for (int i = 0; i < 22; ++i)
            draft.heights[j * 22 + i] = small.heights[j % 5 * 7 + i % 7];
    def = field_def(&draft);
    lode_heightfield *whole = make(&def);
    lode_vec3 shift = v3((lode_real)(7 * 0.5), (lode_real)(5 * 0.75), 0);
    for (int q = 0; q < 500; ++q) {
        lode_vec3 lo = v3((lode_real)random_between(&random, -2.5, 5),
                          (lode_real)random_between(&random, -2.5, 5),
                          (lode_real)random_between(&random, -1, 1));
        lode_vec3 hi = v3_add(lo, v3((lode_real)random_between(&random, 0, 1),
                                     (lode_real)random_between(&random, 0, 1),
                                     (lode_real)random_between(&random, 0, 1)));
        found[0].count = found[1].count = 0;
        lode__field_walk(wrapped, lo, lo, hi, note_copy, &found[0]);
        lode__field_walk(whole, v3_add(lo, shift), v3_add(lo, shift), v3_add(hi, shift), note_copy,
                         &found[1]);
        assert_int_equal(found[0].count, found[1].count);
        for (int k = 0; k < 2; ++k)
            qsort(found[k].items, (size_t)found[k].count, sizeof found[k].items[0], compare_copies);
        for (int i = 0; i < found[0].count; ++i) {
            lode_vec3 apart = v3_sub(found[0].items[i].middle, found[1].items[i].middle);
            uint32_t a = found[0].items[i].triangle, b = found[1].items[i].triangle;
            assert_true((double)v3_length(apart) < 1e-5);
            for (int e = 0; e < 3; ++e)
                assert_int_equal(lode__field_edge_kind(wrapped, a, e),
                                 lode__field_edge_kind(whole, b, e));
        }
    }
    for (uint32_t t = 0; t < 70; ++t)
        for (int e = 0; e < 3; ++e) {
            uint32_t beyond = lode__field_neighbor(wrapped, t, e);
            assert_int_not_equal(beyond, LODE__NONE);
            assert_int_equal(lode__field_neighbor(wrapped, beyond >> 2, e), t << 2 | (uint32_t)e);
        }
    lode_heightfield_release(wrapped);
    lode_heightfield_release(whole);
}

/* Thousands of repetitions away, and with one that is as small as can be. */
static void repetitions_are_the_same_far_away(void **state)
{
    (void)state;
    static copies here, there;
    const float heights[4] = {0, 1, 2, 4};
    lode_heightfield_def def = lode_heightfield_def_default();
    def.columns = def.rows = 2;
    def.samples = heights;
    def.type = LODE_SAMPLE_FLOAT;
    def.wrap = true;
    lode_heightfield *field = make(&def);
    lode_vec3 lo = v3((lode_real)0.25, (lode_real)-3.25, -1), hi = v3((lode_real)2.5, 1, 5);
    lode__field_walk(field, lo, lo, hi, note_copy, &here);
    assert_true(here.count >= 20);
    for (int far = 2; far < 100000; far *= 3) {
        lode_vec3 shift = v3((lode_real)(far - far % 2), (lode_real)(far % 2 - 5 * far), 0);
        if ((far - far % 2) % 2 || (far % 2 - 5 * far) % 2)
            continue;
        there.count = 0;
        lode__field_walk(field, v3_add(lo, shift), v3_add(lo, shift), v3_add(hi, shift), note_copy,
                         &there);
        assert_int_equal(there.count, here.count);
        assert_memory_equal(there.items, here.items, (size_t)here.count * sizeof here.items[0]);
    }
    /* an endless box, and one of no numbers, end */
    lode_real most = (lode_real)1e30;
    there.count = 0;
    lode__field_walk(field, v3_zero(), v3(-most, 0, 3), v3(most, 1, 5), note_copy, &there);
    assert_true(there.count > 8192 && there.count < 100000);
    there.count = 0;
    lode__field_walk(field, v3_zero(), v3(NAN, NAN, NAN), v3(NAN, NAN, NAN), note_copy, &there);
    assert_int_equal(there.count, 0);
    lode_heightfield_release(field);
}

/* --- samples */

static lode_real ask(void *context, int column, int row)
{
    const int *numbers = context;
    return (lode_real)numbers[row * 6 + column];
}

/* Of a field of 6 x 4 whole numbers that all types can hold. */
static void all_types_of_samples_make_the_same_field(void **state)
{
    (void)state;
    int numbers[24];
    struct record {
        char before[3];
        int16_t height;
        char after[2];
    } records[6][4];
    float f[24];
    double d[24];
    int8_t i8[24];
    uint8_t u8[24];
    int16_t i16[24];
    uint16_t u16[24];
    test_random random = {6};
    for (int i = 0; i < 24; ++i) {
        numbers[i] = (int)random_below(&random, 128);
        f[i] = (float)numbers[i];
        d[i] = numbers[i];
        i8[i] = (int8_t)numbers[i];
        u8[i] = (uint8_t)numbers[i];
        i16[i] = (int16_t)numbers[i];
        u16[i] = (uint16_t)numbers[i];
        records[i % 6][i / 6].height = (int16_t)numbers[i]; /* column by column */
    }
    const void *samples[] = {f, d, i8, u8, i16, u16, records, NULL};
    lode_heightfield *fields[16];
    int count = 0;
    for (int k = 0; k < 8; ++k)
        for (int reference = 0; reference < 2; ++reference) {
            lode_heightfield_def def = lode_heightfield_def_default();
            def.columns = 6;
            def.rows = 4;
            def.scale = (lode_real)0.125;
            def.offset = -3;
            def.samples = samples[k];
            def.type = k < 6 ? (lode_sample_type)k : LODE_SAMPLE_INT16;
            def.reference = reference;
            if (k == 6) {
                def.samples = &records[0][0].height;
                def.row_stride = sizeof records[0][0];
                def.sample_stride = sizeof records[0];
            }
            def.sample = ask;
            def.context = numbers;
            fields[count++] = make(&def);
        }
    for (int k = 0; k < count; ++k) {
        assert_true(fields[k]->data.hash == fields[0]->data.hash);
        for (uint32_t i = 0; i < 24; ++i)
            assert_true((double)field_height(fields[k], i % 6, i / 6) == -3 + 0.125 * numbers[i]);
        /* no more memory than the samples have */
        size_t own = k / 2 == 7 ? 24 * sizeof(lode_real)
                                : 24 * lode__sample_size((lode_sample_type)fields[k]->type);
        assert_int_equal(fields[k]->own_bytes, k % 2 && k / 2 != 7 ? 0 : own);
    }
    for (int k = 0; k < count; ++k)
        lode_heightfield_release(fields[k]);
}

static void whole_numbers_reach_their_ends(void **state)
{
    (void)state;
    const int8_t i8[4] = {-128, 127, 0, 1};
    const uint8_t u8[4] = {0, 255, 128, 1};
    const int16_t i16[4] = {-32768, 32767, 0, 1};
    const uint16_t u16[4] = {0, 65535, 32768, 1};
    const void *samples[] = {i8, u8, i16, u16};
    const double lowest[] = {-128, 0, -32768, 0}, highest[] = {127, 255, 32767, 65535};
    for (int k = 0; k < 4; ++k) {
        lode_heightfield_def def = lode_heightfield_def_default();
        def.columns = def.rows = 2;
        def.samples = samples[k];
        def.type = (lode_sample_type)(LODE_SAMPLE_INT8 + k);
        def.scale = 2;
        def.offset = 1;
        lode_heightfield *field = make(&def);
        lode_bounds b = lode_heightfield_get_bounds(field);
        assert_true((double)b.lower.z == 1 + 2 * lowest[k] &&
                    (double)b.upper.z == 1 + 2 * highest[k]);
        lode_heightfield_release(field);
    }
}

static void contents_differ_where_fields_do(void **state)
{
    (void)state;
    float heights[6] = {0, 1, 2, 3, 4, 5};
    uint64_t hashes[8];
    for (int k = 0; k < 8; ++k) {
        lode_heightfield_def def = lode_heightfield_def_default();
        def.columns = k == 1 ? 2 : 3;
        def.rows = k == 1 ? 3 : 2;
        def.samples = heights;
        def.type = LODE_SAMPLE_FLOAT;
        def.spacing_x = k == 2 ? 2 : 1;
        def.spacing_y = k == 3 ? 2 : 1;
        def.thickness = k == 4 ? 2 : 0;
        def.wrap = k == 5;
        heights[5] = k == 6 ? 6 : 5;
        def.offset = k == 7 ? 1 : 0;
        lode_heightfield *field = make(&def);
        hashes[k] = field->data.hash;
        lode_heightfield_release(field);
        for (int i = 0; i < k; ++i)
            assert_true(hashes[i] != hashes[k]);
    }
}

/* Of the triangles at a hole none is left, and their neighbours end there. */
static void holes_are_no_triangles(void **state)
{
    (void)state;
    static uint32_t numbers[2 * MOST_COLUMNS * MOST_ROWS];
    test_random random = {7};
    draft_rough(&draft, &random, 20, 15, 6, 1);
    int16_t whole[300];
    for (int i = 0; i < 40; ++i)
        draft.heights[random_below(&random, 300)] = NAN;
    for (int i = 0; i < 300; ++i)
        whole[i] = isnan(draft.heights[i]) ? -7 : (int16_t)lround((double)draft.heights[i] * 6);
    for (int i = 0; i < 300; ++i)
        draft.heights[i] = isnan(draft.heights[i]) ? NAN : (float)whole[i];
    draft_equal(&equal, &draft, numbers);
    lode_mesh_def mesh_def = draft_def(&equal);
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    for (int k = 0; k < 2; ++k) {
        lode_heightfield_def def = field_def(&draft);
        def.holes = true;
        if (k == 1) {
            def.samples = whole;
            def.type = LODE_SAMPLE_INT16;
            def.hole = -7;
        }
        lode_heightfield *field = make(&def);
        int there = 0;
        for (int t = 0; t < lode_heightfield_get_triangle_count(field); ++t) {
            lode_real h[3];
            there += field_heights(field, (uint32_t)t, h);
        }
        assert_int_equal(there, mesh->triangle_count);
        for (uint32_t t = 0; t < mesh->triangle_count; ++t)
            for (int e = 0; e < 3; ++e) {
                uint32_t beyond = mesh->neighbors[t][e];
                if (beyond != LODE__NONE)
                    beyond = numbers[beyond >> 2] << 2 | (beyond & 3);
                assert_int_equal(lode__field_neighbor(field, numbers[t], e), beyond);
                assert_int_equal(lode__field_edge_kind(field, numbers[t], e),
                                 mesh_edge_kind(mesh, t, e));
            }
        lode_heightfield_release(field);
    }
    lode_mesh_release(mesh);
}

/* --- look-ups */

static void heights_lie_on_their_triangles(void **state)
{
    (void)state;
    test_random random = {8};
    draft_rough(&draft, &random, 9, 7, 6, 1);
    lode_heightfield_def def = field_def(&draft);
    lode_heightfield *field = make(&def);
    for (int i = 0; i < 2000; ++i) {
        int t = (int)random_below(&random, 2 * 8 * 6);
        lode_real u = (lode_real)random_between(&random, 0.01, 0.98);
        lode_real v = (lode_real)random_between(&random, 0.01, 0.99 - (double)u), z;
        lode_vec3 p = lode_heightfield_get_point(field, t, u, v);
        assert_true(lode_heightfield_find_height(field, p.x, p.y, &z));
        assert_true(fabs((double)(z - p.z)) < 1e-5);
        lode_vec3 corners[3];
        assert_int_equal(lode_heightfield_get_triangle(field, t, corners), LODE_OK);
        lode_vec3 again = v3_madd(v3_madd(corners[0], v3_sub(corners[1], corners[0]), u),
                                  v3_sub(corners[2], corners[0]), v);
        assert_memory_equal(&again, &p, sizeof p);
    }
    for (int j = 0; j < 7; ++j)
        for (int i = 0; i < 9; ++i) { /* also on the rims */
            lode_real z;
            assert_true(lode_heightfield_find_height(field, (lode_real)(i * 0.5),
                                                     (lode_real)(j * 0.75), &z));
            assert_true(fabs((double)z - (double)draft.heights[j * 9 + i]) < 1e-6);
        }
    static const double beside[4][2] = {{-0.01, 1}, {4.01, 1}, {1, -0.01}, {1, 4.51}};
    for (int i = 0; i < 4; ++i) {
        lode_real z = 5;
        assert_false(lode_heightfield_find_height(field, (lode_real)beside[i][0],
                                                  (lode_real)beside[i][1], &z));
        assert_true(z == 0);
    }
    lode_heightfield_release(field);
}

/* --- bad input */

static char last_argument[64];
static lode_status last_status;
static int reports;

static void note_error(void *user, lode_status status, const char *function, const char *argument,
                       const char *message)
{
    (void)user;
    (void)function;
    (void)message;
    ++reports;
    last_status = status;
    snprintf(last_argument, sizeof last_argument, "%s", argument ? argument : "");
}

static void refuses(const lode_heightfield_def *def, lode_status status, const char *argument)
{
    reports = 0;
    assert_null(lode_heightfield_create(def));
    assert_int_equal(reports, 1);
    assert_int_equal(last_status, status);
    assert_string_equal(last_argument, argument);
}

static lode_real ask_nothing(void *context, int column, int row)
{
    (void)context;
    return column == 1 && row == 1 ? (lode_real)NAN : 0;
}

static void bad_definitions_are_refused_by_name(void **state)
{
    (void)state;
    float heights[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    lode_heightfield_def good = lode_heightfield_def_default(), def;
    good.columns = good.rows = 3;
    good.samples = heights;
    good.type = LODE_SAMPLE_FLOAT;
    lode_heightfield_release(make(&good));
    refuses(NULL, LODE_ERROR_ARGUMENT, "def");
#define REFUSES(field, value, argument) \
    do { \
        def = good; \
        def.field = value; \
        refuses(&def, LODE_ERROR_ARGUMENT, argument); \
    } while (0)
    static const int counts[] = {1, 0, -1, INT32_MIN};
    static const double lengths[] = {0, -1, 1e-7, 2e6, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 4; ++i) {
        REFUSES(columns, counts[i], "def.columns");
        REFUSES(rows, counts[i], "def.rows");
    }
    REFUSES(columns, 1 << 28, "def.rows");
    REFUSES(rows, INT32_MAX, "def.rows");
    for (int i = 0; i < 7; ++i) {
        REFUSES(spacing_x, (lode_real)lengths[i], "def.spacing_x");
        REFUSES(spacing_y, (lode_real)lengths[i], "def.spacing_y");
    }
    REFUSES(samples, NULL, "def.samples");
    REFUSES(type, LODE_SAMPLE_TYPE_COUNT, "def.type");
    REFUSES(sample_stride, 3, "def.sample_stride");
    REFUSES(sample_stride, -4, "def.sample_stride");
    REFUSES(row_stride, 3, "def.row_stride");
    REFUSES(row_stride, -12, "def.row_stride");
    REFUSES(scale, (lode_real)NAN, "def.scale");
    REFUSES(scale, (lode_real)INFINITY, "def.scale");
    REFUSES(offset, (lode_real)NAN, "def.offset");
    REFUSES(offset, 2e9, "def.samples");
    REFUSES(scale, 1e9, "def.samples");
    REFUSES(thickness, -1, "def.thickness");
    REFUSES(thickness, (lode_real)NAN, "def.thickness");
    REFUSES(thickness, (lode_real)INFINITY, "def.thickness");
#undef REFUSES
    def = good;
    def.abi = 0;
    refuses(&def, LODE_ERROR_ABI, "def");
    def = good;
    def.bounded = true;
    def.lowest = (lode_real)NAN;
    refuses(&def, LODE_ERROR_ARGUMENT, "def.lowest");
    def.lowest = 1;
    def.highest = (lode_real)0.5;
    refuses(&def, LODE_ERROR_ARGUMENT, "def.highest");
    def.highest = 8;
    refuses(&def, LODE_ERROR_ARGUMENT, "def.samples"); /* the first is 0 */
    def.lowest = -2;
    def.highest = 9;
    lode_heightfield *field = make(&def);
    assert_true(lode_heightfield_get_bounds(field).lower.z == -2);
    assert_true(lode_heightfield_get_bounds(field).upper.z == 9);
    lode_heightfield_release(field);
    static const float bad[] = {NAN, INFINITY, -INFINITY, 2e9f};
    for (int i = 0; i < 9; ++i)
        for (int b = 0; b < 4; ++b) {
            float old = heights[i];
            heights[i] = bad[b];
            refuses(&good, LODE_ERROR_ARGUMENT, "def.samples");
            def = good;
            def.holes = true; /* only NaN is none */
            if (b > 0)
                refuses(&def, LODE_ERROR_ARGUMENT, "def.samples");
            heights[i] = old;
        }
    def = good;
    def.samples = NULL;
    def.sample = ask_nothing;
    refuses(&def, LODE_ERROR_ARGUMENT, "def.sample");
    for (int i = 0; i < 9; ++i)
        heights[i] = NAN;
    def = good;
    def.holes = true;
    refuses(&def, LODE_ERROR_ARGUMENT, "def.samples");
    lode_heightfield_def_init(&def, sizeof def, LODE_ABI + 1);
    assert_int_equal(last_status, LODE_ERROR_ABI);
}

static void look_ups_refuse_what_is_not_there(void **state)
{
    (void)state;
    float heights[4] = {0};
    lode_heightfield_def def = lode_heightfield_def_default();
    lode_vec3 corners[3];
    lode_real z;
    def.columns = def.rows = 2;
    def.samples = heights;
    def.type = LODE_SAMPLE_FLOAT;
    lode_heightfield *field = make(&def);
#define EXPECT(argument) \
    do { \
        assert_int_equal(reports, 1); \
        assert_string_equal(last_argument, argument); \
        reports = 0; \
    } while (0)
    reports = 0;
    assert_int_equal(lode_heightfield_get_triangle(field, 2, corners), LODE_ERROR_ARGUMENT);
    EXPECT("triangle");
    assert_int_equal(lode_heightfield_get_triangle(field, -1, corners), LODE_ERROR_ARGUMENT);
    EXPECT("triangle");
    assert_int_equal(lode_heightfield_get_triangle(NULL, 0, corners), LODE_ERROR_ARGUMENT);
    EXPECT("field");
    assert_int_equal(lode_heightfield_get_triangle(field, 0, NULL), LODE_ERROR_ARGUMENT);
    EXPECT("out_corners");
    lode_heightfield_get_point(field, 0, (lode_real)NAN, 0);
    EXPECT("u");
    lode_heightfield_get_point(field, 0, 0, (lode_real)NAN);
    EXPECT("v");
    lode_heightfield_get_point(field, 7, 0, 0);
    EXPECT("triangle");
    assert_false(lode_heightfield_find_height(field, (lode_real)NAN, 0, &z));
    EXPECT("x");
    assert_false(lode_heightfield_find_height(field, 0, (lode_real)INFINITY, &z));
    EXPECT("y");
    assert_false(lode_heightfield_find_height(field, 0, 0, NULL));
    EXPECT("out_height");
    assert_false(lode_heightfield_find_height(NULL, 0, 0, &z));
    EXPECT("field");
    assert_int_equal(lode_heightfield_get_triangle_count(NULL), 0);
    EXPECT("field");
    assert_true(lode_heightfield_get_bounds(NULL).upper.x == 0);
    EXPECT("field");
    lode_heightfield_release(NULL);
    assert_int_equal(reports, 0);
#undef EXPECT
    lode_heightfield_release(field);
}

/* Whichever allocation fails, nothing stays. */
static void fields_without_memory_leave_nothing(void **state)
{
    (void)state;
    test_random random = {9};
    draft_rough(&draft, &random, 30, 30, 4, 1);
    lode_heightfield_def def = field_def(&draft);
    alloc_fail_install();
    int failures = 0;
    for (long n = 0;; ++n) {
        alloc_fail_nth(n);
        lode_heightfield *field = lode_heightfield_create(&def);
        if (field) {
            alloc_fail_nth(-1);
            lode_heightfield_release(field);
            break;
        }
        assert_int_equal(last_status, LODE_ERROR_MEMORY);
        assert_int_equal(alloc_fail_live(), 0);
        ++failures;
    }
    assert_int_equal(failures, 3);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_and_bends_are_those_of_the_equal_mesh),
        cmocka_unit_test(walks_find_all_triangles_near_a_box),
        cmocka_unit_test(shapes_touch_what_they_touch_of_the_equal_mesh),
        cmocka_unit_test(a_field_repeats_itself_as_one_that_says_it_all),
        cmocka_unit_test(repetitions_are_the_same_far_away),
        cmocka_unit_test(all_types_of_samples_make_the_same_field),
        cmocka_unit_test(whole_numbers_reach_their_ends),
        cmocka_unit_test(contents_differ_where_fields_do),
        cmocka_unit_test(holes_are_no_triangles),
        cmocka_unit_test(heights_lie_on_their_triangles),
        cmocka_unit_test(bad_definitions_are_refused_by_name),
        cmocka_unit_test(look_ups_refuse_what_is_not_there),
        cmocka_unit_test(fields_without_memory_leave_nothing),
    };
    lode_set_error_hook(note_error, NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int k = 0; k < 2; ++k)
        lode__mesh_points_free(&points[k]);
    return failed;
}

/* Many pairs in one call: each gets the very points that it gets alone, whatever else is in the
 * array, in whatever order, whatever has happened to the world since; and what is refused changes
 * nothing. */
#include "tests/support/alloc_fail.h"
#include "tests/world/swapped.h"
#include "tests/world/zoo.h"

#include <math.h>
#include <string.h>

enum { MOST_PAIRS = 1100, MOST_POINTS = 8, POISON = 0xa5 };

static lode_shape_pair pairs[MOST_PAIRS];
static lode_collide_point many[MOST_PAIRS * MOST_POINTS];
static int counts[MOST_PAIRS];
static int touching_pairs, points_seen;

/* --- a world of everything */

static lode_mesh *make_mesh(void)
{
    static const float corner[4][3] = {{-2, -2, 0}, {2, -2, 0.3f}, {2, 2, 0}, {-2, 2, 0.3f}};
    static const unsigned corners[2][3] = {{0, 1, 2}, {0, 2, 3}};
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = corner;
    def.vertex_count = 4;
    def.double_vertices = false;
    def.indices = corners;
    def.triangle_count = 2;
    return lode_mesh_create(&def);
}

static lode_hull *make_hull(zoo *z)
{
    lode_real cloud[12][3];
    for (int i = 0; i < 12; ++i)
        for (int k = 0; k < 3; ++k)
            cloud[i][k] = zoo_real(z, -0.6, 0.6);
    lode_hull_def def = lode_hull_def_default();
    def.points = cloud[0];
    def.point_count = 12;
    return lode_hull_create(&def);
}

static lode_heightfield *make_field(void)
{
    static const lode_real heights[9] = {
        0, (lode_real)0.2, 0, (lode_real)0.1, (lode_real)0.3, (lode_real)0.1, 0, (lode_real)0.2, 0};
    lode_heightfield_def def = lode_heightfield_def_default();
    def.samples = heights;
    def.columns = def.rows = 3;
    def.spacing_x = def.spacing_y = 2;
    return lode_heightfield_create(&def);
}

/* What a zoo has no cages for. */
static void add_others(zoo *z)
{
    lode_shape_def def = lode_shape_def_default();
    lode_mesh *mesh = make_mesh();
    lode_hull *hull = make_hull(z);
    lode_heightfield *field = make_field();
    assert_true(mesh && hull && field);
    assert_true(lode_shape_create_mesh(add_body(z->world, LODE_STATIC, 0, 0, -1), &def, mesh).id);
    assert_true(
        lode_shape_create_heightfield(add_body(z->world, LODE_STATIC, 0, 0, -1), &def, field).id);
    for (int i = 0; i < 4; ++i) {
        lode_body body = add_body(z->world, LODE_DYNAMIC, zoo_real(z, -1, 1), zoo_real(z, -1, 1),
                                  0);
        def.pose.position = vec(zoo_real(z, -1, 1), 0, 0);
        assert_true(lode_shape_create_hull(body, &def, hull).id);
        def.pose.rotation = zoo_rotation(z);
        assert_true(lode_shape_create_cylinder(body, &def, zoo_real(z, 0.1, 0.5), 1).id);
    }
    lode_mesh_release(mesh);
    lode_hull_release(hull);
    lode_heightfield_release(field);
}

static zoo make_zoo(uint64_t seed)
{
    zoo z = zoo_create(seed, 40, 1.2);
    add_others(&z);
    return z;
}

/* --- against one by one */

static void check_point(const lode_collide_point *a, const lode_collide_point *b)
{
    assert_memory_equal(&a->position, &b->position, sizeof a->position);
    assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
    assert_memory_equal(&a->depth, &b->depth, sizeof a->depth);
    assert_true(a->feature == b->feature && a->child_a == b->child_a && a->child_b == b->child_b);
}

static bool is_poison(const void *p, size_t size)
{
    const unsigned char *byte = p;
    for (size_t i = 0; i < size; ++i)
        if (byte[i] != POISON)
            return false;
    return true;
}

/* Asked about all pairs in one call, by the world or by a set. */
static void check_call(zoo *z, const lode_pair_set *set, int count,
                       const lode_collide_options *options, int capacity)
{
    lode_collide_point alone[MOST_POINTS], *points = capacity ? many : NULL;
    uint64_t hash = lode_world_hash(z->world);
    memset(many, POISON, sizeof many);
    memset(counts, POISON, sizeof counts);
    int touching = set ? lode_pair_set_collide(set, options, points, capacity, counts)
                       : lode_world_collide_pairs(z->world, pairs, count, options, points, capacity,
                                                  counts);
    assert_true(lode_world_hash(z->world) == hash);
    for (int i = 0; i < count; ++i) {
        const lode_collide_point *mine = &many[i * capacity];
        int wanted = lode_shape_collide(pairs[i].a, pairs[i].b, options, alone, capacity);
        assert_int_equal(counts[i], wanted);
        lode_collide_choice choice = options ? options->choice : LODE_COLLIDE_REDUCED;
        double margin = options ? (double)options->margin : 0;
        assert_int_equal(ask_both_ways(pairs[i].a, pairs[i].b, choice, margin, capacity), wanted);
        assert_true(pairs[i].a.id != pairs[i].b.id || wanted == 0);
        touching -= wanted > 0;
        touching_pairs += wanted > 0;
        for (int k = 0; k < wanted && k < capacity; ++k, ++points_seen)
            check_point(&mine[k], &alone[k]);
        if (wanted < capacity)
            assert_true(is_poison(&mine[wanted], (size_t)(capacity - wanted) * sizeof *mine));
    }
    assert_int_equal(touching, 0);
    assert_int_equal(report.count, 0);
    assert_true(is_poison(&many[count * capacity], sizeof *many));
    if (count < MOST_PAIRS)
        assert_true(is_poison(&counts[count], sizeof *counts));
}

static void check_pairs(zoo *z, int count, const lode_collide_options *options, int capacity)
{
    lode_pair_set *set = lode_pair_set_create(z->world, pairs, count);
    assert_non_null(set);
    check_call(z, NULL, count, options, capacity);
    check_call(z, set, count, options, capacity);
    lode_pair_set_destroy(set);
}

/* Mixed, the same again, either way round, some with themselves. */
static void fill_pairs(zoo *z, int count)
{
    static lode_shape shapes[ZOO_SHAPES];
    uint32_t all = (uint32_t)zoo_shapes(z, shapes);
    for (int i = 0; i < count; ++i) {
        pairs[i].a = shapes[random_below(&z->random, all)];
        pairs[i].b = shapes[random_below(&z->random, all)];
        if (i > 0 && random_below(&z->random, 8) == 0)
            pairs[i] = (lode_shape_pair){pairs[i - 1].b, pairs[i - 1].a};
        if (i > 1 && random_below(&z->random, 16) == 0)
            pairs[i] = pairs[i - 2];
    }
}

static void they_are_those_of_one_by_one(void **state)
{
    (void)state;
    static const int sizes[] = {0, 1, 7, 8, 9, 100, 257, 700};
    static const double margins[] = {0, 0.004, 0.3};
    touching_pairs = points_seen = 0;
    for (uint64_t seed = 0; seed < 12; ++seed) {
        zoo z = make_zoo(seed);
        for (int i = 0; i < 8; ++i) {
            int count = sizes[random_below(&z.random, 8)];
            lode_collide_options options = {
                (lode_collide_choice)(i % 2 ? random_below(&z.random, LODE_COLLIDE_CHOICE_COUNT)
                                            : LODE_COLLIDE_REDUCED),
                (lode_real)margins[random_below(&z.random, 3)]};
            fill_pairs(&z, count);
            check_pairs(&z, count, i == 0 ? NULL : &options,
                        (int)random_below(&z.random, MOST_POINTS + 1));
            for (int k = 0; k < 5; ++k)
                zoo_disturb(&z);
            report_clear();
        }
        lode_world_destroy(z.world);
    }
    assert_true(touching_pairs > 1000 && points_seen > 2000);
}

/* Pairs of the same two types in long rows fill batches; some of the last stay alone. */
static void rows_of_each_cell(void **state)
{
    (void)state;
    static lode_shape shapes[ZOO_SHAPES];
    zoo z = make_zoo(77);
    int all = zoo_shapes(&z, shapes);
    touching_pairs = points_seen = 0;
    for (int a = 0; a < LODE_SHAPE_TYPE_COUNT; ++a)
        for (int b = 0; b < LODE_SHAPE_TYPE_COUNT; ++b) {
            int count = 0;
            for (int i = 0; i < all; ++i)
                for (int k = 0; k < all && count < 60; ++k)
                    if ((int)lode_shape_get_type(shapes[i]) == a &&
                        (int)lode_shape_get_type(shapes[k]) == b)
                        pairs[count++] = (lode_shape_pair){shapes[i], shapes[k]};
            for (int capacity = 0; capacity <= 4; ++capacity)
                check_pairs(&z, count, NULL, capacity);
        }
    assert_true(touching_pairs > 500 && points_seen > 1000);
    lode_world_destroy(z.world);
}

enum { ROW = 30, BALLS = 12, INTERRUPTIONS = 6 };

/* Pair `at` of a row of balls on boxes is another: turned, with itself, of two balls, of a shape
 * that does not lie in the middle of its body, the one before again, or the first half turned. */
static void interrupt(const lode_shape *balls, const lode_shape *boxes, lode_shape aside, int at,
                      int how)
{
    for (int i = 0; i < ROW; ++i)
        pairs[i] = (lode_shape_pair){balls[i % BALLS], boxes[i * 7 % BALLS]};
    lode_shape_pair was = pairs[at];
    if (how == 0 || how == 5)
        pairs[at] = (lode_shape_pair){was.b, was.a};
    if (how == 1)
        pairs[at].b = was.a;
    if (how == 2)
        pairs[at] = (lode_shape_pair){balls[0], balls[1 + at % (BALLS - 1)]};
    if (how == 3)
        pairs[at].b = aside;
    if (how == 4 && at > 0)
        pairs[at] = pairs[at - 1];
    for (int i = 0; how == 5 && i < at; ++i)
        pairs[i] = (lode_shape_pair){pairs[i].b, pairs[i].a};
}

/* Alike pairs are taken eight at a time; one among them that is not must change nothing else. */
static void rows_that_are_interrupted(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    lode_shape_def def = lode_shape_def_default();
    zoo z = {.world = lode_world_create(&world_def), .random = {9}};
    lode_shape balls[BALLS], boxes[BALLS], aside;
    for (int i = 0; i < BALLS; ++i) {
        lode_real x = zoo_real(&z, -1, 1), y = zoo_real(&z, -1, 1);
        balls[i] = lode_shape_create_sphere(add_body(z.world, LODE_DYNAMIC, x, y, 0), &def,
                                            zoo_real(&z, 0.2, 0.6));
        x = zoo_real(&z, -1, 1);
        boxes[i] = lode_shape_create_box(add_body(z.world, LODE_DYNAMIC, x, y, (lode_real)0.2),
                                         &def, vec(0.5, zoo_real(&z, 0.1, 0.7), 0.5));
    }
    def.pose.position.x = (lode_real)0.4;
    aside = lode_shape_create_box(lode_shape_get_body(balls[0]), &def, vec(1, 1, 1));
    touching_pairs = points_seen = 0;
    for (int at = 0; at < ROW; ++at)
        for (int how = 0; how < INTERRUPTIONS; ++how) {
            interrupt(balls, boxes, aside, at, how);
            for (int capacity = 0; capacity <= 4; capacity += 2)
                check_call(&z, NULL, ROW - at % 9, NULL, capacity);
        }
    assert_true(touching_pairs > 5000 && points_seen > 2000);
    lode_world other = lode_world_create(&world_def);
    lode_shape strange[3] = {{0}, {boxes[0].id + (UINT64_C(1) << 30)}, {0}};
    strange[2] = lode_shape_create_box(add_body(other, LODE_DYNAMIC, 0, 0, 0), &def, vec(1, 1, 1));
    for (int at = 0; at < ROW; ++at)
        for (int k = 0; k < 6; ++k) {
            interrupt(balls, boxes, aside, at, -1);
            *(k % 2 ? &pairs[at].a : &pairs[at].b) = strange[k / 2];
            memset(counts, POISON, sizeof counts);
            assert_int_equal(lode_world_collide_pairs(z.world, pairs, ROW, NULL, many, 4, counts),
                             0);
            EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_world_collide_pairs", "pairs");
            report_clear();
            for (int i = 0; i < ROW; ++i)
                assert_int_equal(counts[i], 0);
        }
    lode_world_destroy(other);
    lode_world_destroy(z.world);
}

/* --- sets that grow old */

static bool all_live(int count)
{
    for (int i = 0; i < count; ++i)
        if (!lode_shape_is_valid(pairs[i].a) || !lode_shape_is_valid(pairs[i].b))
            return false;
    return true;
}

/* A set tells what is, not what was when it was made: bodies move, shapes change, go and come,
 * masses change where bodies' centres are, and worlds go back to what they were. */
static void old_sets_give_the_answers_of_now(void **state)
{
    (void)state;
    touching_pairs = points_seen = 0;
    int refused = 0, answered = 0;
    for (uint64_t seed = 20; seed < 32; ++seed) {
        zoo z = make_zoo(seed);
        fill_pairs(&z, 200);
        lode_pair_set *set = lode_pair_set_create(z.world, pairs, 200);
        for (int i = 0; i < 40; ++i) {
            bool live = all_live(200);
            report_clear();
            if (live) {
                check_call(&z, set, 200, NULL, 4);
                ++answered;
            } else {
                memset(counts, POISON, sizeof counts);
                assert_int_equal(lode_pair_set_collide(set, NULL, many, 4, counts), 0);
                EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_pair_set_collide", "set");
                assert_true(counts[0] == 0 && counts[199] == 0);
                ++refused;
            }
            zoo_disturb(&z);
            if (!live || random_below(&z.random, 4) == 0) {
                fill_pairs(&z, 200);
                lode_pair_set_destroy(set);
                set = lode_pair_set_create(z.world, pairs, 200);
            }
        }
        lode_world_destroy(z.world);
        report_clear();
        assert_int_equal(lode_pair_set_collide(set, NULL, many, 4, counts), 0);
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_pair_set_collide", "world");
        lode_pair_set_destroy(set);
    }
    report_clear();
    assert_true(answered > 100 && refused > 10 && touching_pairs > 1000);
}

/* All points of a ball and a box are found without what the quick ways keep beside the shapes: it
 * is one point, and the only one. */
static void check_against_all_points(lode_shape ball, lode_shape box)
{
    const lode_collide_options all = {LODE_COLLIDE_ALL, 0};
    lode_collide_point slow[4], quick[4];
    int count = lode_shape_collide(ball, box, &all, slow, 4);
    assert_int_equal(lode_shape_collide(ball, box, NULL, quick, 4), count);
    if (count == 0)
        return;
    assert_int_equal(count, 1);
    assert_true(fabs((double)(quick[0].depth - slow[0].depth)) < 1e-5);
    assert_true(fabs((double)(quick[0].position.x - slow[0].position.x)) < 1e-5);
    assert_true(fabs((double)(quick[0].position.z - slow[0].position.z)) < 1e-5);
}

/* Each way to change a shape or where it is, one after another, under the same set. */
static void every_change_is_seen(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    zoo z = {.world = lode_world_create(&world_def)};
    lode_shape_def def = lode_shape_def_default();
    lode_body one = add_body(z.world, LODE_DYNAMIC, 0, 0, 0);
    lode_body two = add_body(z.world, LODE_DYNAMIC, (lode_real)0.9, 0, 0);
    lode_body three = add_body(z.world, LODE_DYNAMIC, (lode_real)0.2, (lode_real)0.1, 0);
    lode_shape ball = lode_shape_create_sphere(one, &def, (lode_real)0.5);
    lode_shape box = lode_shape_create_box(two, &def, vec(0.5, 0.5, 0.5));
    pairs[0] = (lode_shape_pair){ball, box};
    pairs[1] = (lode_shape_pair){box, ball};
    lode_pair_set *set = lode_pair_set_create(z.world, pairs, 2);
    check_call(&z, set, 2, NULL, 4);
    static unsigned char bytes[1 << 16];
    size_t size = lode_world_snapshot(z.world, bytes, sizeof bytes);
    assert_true(size > 0 && size <= sizeof bytes);
    for (int i = 0; i < 12; ++i) {
        lode_mass mass = {.mass = 1, .center = vec(0, 0.1, 0), .inertia = {1, 1, 1, 0, 0, 0}};
        lode_pose pose = {vec(0.1, 0, 0.2), {1, 0, 0, 0}};
        if (i == 0)
            assert_int_equal(lode_shape_set_sphere(ball, (lode_real)0.6), LODE_OK);
        else if (i == 1)
            assert_int_equal(lode_shape_set_box(box, vec(0.45, 0.6, 0.6)), LODE_OK);
        else if (i == 2)
            assert_int_equal(lode_shape_set_pose(box, pose), LODE_OK);
        else if (i == 3)
            assert_int_equal(lode_body_set_mass(one, &mass), LODE_OK);
        else if (i == 4)
            assert_int_equal(lode_shape_set_density(ball, 5), LODE_OK);
        else if (i == 5)
            assert_true(lode_shape_create_sphere(one, &def, 1).id);
        else if (i == 6)
            assert_int_equal(lode_body_set_pose(one, pose), LODE_OK);
        else if (i == 7)
            assert_int_equal(lode_world_step(z.world, (lode_real)0.01), LODE_OK);
        else if (i == 8)
            assert_int_equal(lode_shape_set_sphere(ball, (lode_real)0.2), LODE_OK);
        else if (i == 9)
            assert_int_equal(lode_shape_set_body(ball, three, pose), LODE_OK);
        else if (i == 10)
            assert_int_equal(lode_shape_set_sphere(ball, (lode_real)0.7), LODE_OK);
        else
            assert_int_equal(lode_world_restore(z.world, bytes, size), LODE_OK);
        for (int again = 0; again < 2; ++again) {
            check_call(&z, set, 2, NULL, 4);
            check_against_all_points(ball, box);
            lode_pair_set_destroy(set);
            set = lode_pair_set_create(z.world, pairs, 2);
        }
    }
    lode_pair_set_destroy(set);
    lode_world_destroy(z.world);
}

/* --- what is refused */

static void expect_refused(zoo *z, int count, lode_status status, const char *argument)
{
    memset(counts, POISON, sizeof counts);
    assert_int_equal(
        lode_world_collide_pairs(z->world, pairs, count, NULL, many, MOST_POINTS, counts), 0);
    EXPECT_REPORT(status, "lode_world_collide_pairs", argument);
    report_clear();
    for (int i = 0; i < count; ++i)
        assert_int_equal(counts[i], 0);
    assert_null(lode_pair_set_create(z->world, pairs, count));
    EXPECT_REPORT(status, "lode_pair_set_create", argument);
    report_clear();
}

static void one_bad_handle_is_told_once(void **state)
{
    (void)state;
    zoo z = make_zoo(5), other = zoo_create(6, 3, 1);
    lode_shape foreign[ZOO_SHAPES];
    assert_true(zoo_shapes(&other, foreign) > 0);
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(z.world, LODE_DYNAMIC, 0, 0, 0);
    lode_shape gone = lode_shape_create_sphere(body, &def, 1);
    assert_int_equal(lode_body_destroy(body), LODE_OK);
    const lode_shape bad[] = {{0}, gone, foreign[0], {gone.id + (1 << 24)}, {~(uint64_t)0}};
    for (int i = 0; i < 10; ++i) {
        fill_pairs(&z, 600);
        int at = i < 5 ? 0 : 599;
        *(i & 1 ? &pairs[at].a : &pairs[at].b) = bad[i % 5];
        expect_refused(&z, 600, LODE_ERROR_HANDLE, "pairs");
    }
    lode_world_destroy(other.world);
    lode_world_destroy(z.world);
}

/* Ids that no world has given out, among them those that look like what an empty slot holds. */
static void ids_of_empty_slots_are_refused(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    zoo z = {.world = lode_world_create(&world_def)};
    lode_shape_def def = lode_shape_def_default();
    lode_shape first = lode_shape_create_sphere(add_body(z.world, LODE_DYNAMIC, 0, 0, 0), &def, 1);
    lode_shape live = lode_shape_create_sphere(add_body(z.world, LODE_DYNAMIC, 0, 0, 1), &def, 1);
    assert_int_equal(first.id & 0xffffff, 0);
    assert_int_equal(lode_shape_destroy(first), LODE_OK);
    uint64_t world = first.id >> 48 << 48, generation = (uint64_t)1 << 24;
    const uint64_t ids[] = {0,
                            first.id,
                            first.id + generation,
                            world,
                            first.id - world,
                            live.id & ~(uint64_t)0xff000000,
                            live.id - world,
                            live.id + 1,
                            live.id + 255,
                            live.id | 0xffffff};
    for (int i = 0; i < 20; ++i) {
        lode_shape bad = {ids[i / 2]};
        pairs[0] = i & 1 ? (lode_shape_pair){bad, live} : (lode_shape_pair){live, bad};
        expect_refused(&z, 1, LODE_ERROR_HANDLE, "pairs");
        assert_int_equal(lode_shape_collide(pairs[0].a, pairs[0].b, NULL, many, 4), 0);
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_shape_collide", "shape");
        report_clear();
    }
    lode_world_destroy(z.world);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    zoo z = make_zoo(9);
    fill_pairs(&z, 4);
    const lode_collide_options bad[] = {{LODE_COLLIDE_CHOICE_COUNT, 0},
                                        {LODE_COLLIDE_REDUCED, -1},
                                        {LODE_COLLIDE_REDUCED, (lode_real)NAN}};
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(lode_world_collide_pairs(z.world, pairs, 4, &bad[i], many, 4, counts), 0);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_collide_pairs",
                      i ? "options.margin" : "options.choice");
        report_clear();
    }
    assert_int_equal(lode_world_collide_pairs(z.world, pairs, -1, NULL, many, 4, counts), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_collide_pairs", "pair_count");
    report_clear();
    assert_int_equal(lode_world_collide_pairs(z.world, NULL, 4, NULL, many, 4, counts), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_collide_pairs", "pairs");
    report_clear();
    assert_int_equal(lode_world_collide_pairs(z.world, pairs, 4, NULL, many, 4, NULL), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_collide_pairs", "out_counts");
    report_clear();
    assert_int_equal(lode_world_collide_pairs(z.world, pairs, 4, NULL, NULL, 4, counts), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_collide_pairs", "out_points");
    report_clear();
    assert_int_equal(lode_world_collide_pairs(z.world, pairs, 4, NULL, many, -1, counts), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_collide_pairs", "capacity");
    report_clear();
    assert_int_equal(lode_world_collide_pairs(z.world, NULL, 0, NULL, NULL, 4, NULL), 0);
    assert_int_equal(report.count, 0);
    assert_null(lode_pair_set_create(z.world, pairs, -1));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_pair_set_create", "pair_count");
    report_clear();
    assert_null(lode_pair_set_create(z.world, NULL, 1));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_pair_set_create", "pairs");
    report_clear();
    assert_int_equal(lode_pair_set_collide(NULL, NULL, many, 4, counts), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_pair_set_collide", "set");
    report_clear();
    lode_pair_set *set = lode_pair_set_create(z.world, pairs, 4);
    assert_int_equal(lode_pair_set_collide(set, NULL, many, 4, NULL), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_pair_set_collide", "out_counts");
    report_clear();
    assert_int_equal(lode_pair_set_collide(set, NULL, NULL, 4, counts), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_pair_set_collide", "out_points");
    report_clear();
    assert_int_equal(lode_pair_set_collide(set, &bad[1], many, 4, counts), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_pair_set_collide", "options.margin");
    report_clear();
    lode_pair_set_destroy(set);
    lode_pair_set_destroy(NULL);
    lode_world_destroy(z.world);
}

static void want_of_memory_is_told(void **state)
{
    (void)state;
    alloc_fail_install();
    zoo z = make_zoo(3);
    int failures = 0;
    fill_pairs(&z, 700);
    bool happened = true;
    for (long n = 0; happened; ++n) {
        report_clear();
        alloc_fail_nth(n);
        int touching = lode_world_collide_pairs(z.world, pairs, 700, NULL, many, MOST_POINTS,
                                                counts);
        happened = alloc_fail_happened();
        alloc_fail_nth(-1);
        failures += happened;
        assert_int_equal(touching == 0, happened);
        assert_int_equal(report.count, happened);
        assert_true(!happened || (report.status == LODE_ERROR_MEMORY && counts[0] == 0));
    }
    assert_true(failures > 0);
    lode_pair_set *set = NULL;
    for (long n = 0; !set; ++n) {
        report_clear();
        alloc_fail_nth(n);
        set = lode_pair_set_create(z.world, pairs, 700);
        alloc_fail_nth(-1);
        assert_true(set || report.status == LODE_ERROR_MEMORY);
        assert_true(set || n < 100);
    }
    lode_pair_set_destroy(set);
    lode_world_destroy(z.world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(they_are_those_of_one_by_one, set_up),
        cmocka_unit_test_setup(rows_of_each_cell, set_up),
        cmocka_unit_test_setup(rows_that_are_interrupted, set_up),
        cmocka_unit_test_setup(old_sets_give_the_answers_of_now, set_up),
        cmocka_unit_test_setup(every_change_is_seen, set_up),
        cmocka_unit_test_setup(one_bad_handle_is_told_once, set_up),
        cmocka_unit_test_setup(ids_of_empty_slots_are_refused, set_up),
        cmocka_unit_test_setup(bad_arguments_are_refused, set_up),
        cmocka_unit_test_setup(want_of_memory_is_told, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

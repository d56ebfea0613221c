/* Hulls in worlds: who holds them and for how long, snapshots that name them, and that a hull that
 * is a box behaves like a box. */
#include "core/memory.h"
#include "core/os.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/world/support.h"
#include "tests/world/yard.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define R(x) ((lode_real)(x))
#define CLOSE (sizeof(lode_real) == sizeof(float) ? 1e-5 : 1e-12)

static lode_hull *make_box(double x, double y, double z)
{
    lode_real points[8][3];
    lode_hull_def def = lode_hull_def_default();
    for (int i = 0; i < 8; ++i) {
        points[i][0] = R(i & 1 ? x : -x);
        points[i][1] = R(i & 2 ? y : -y);
        points[i][2] = R(i & 4 ? z : -z);
    }
    def.points = points[0];
    def.point_count = 8;
    return lode_hull_create(&def);
}

static lode_world make_world(void)
{
    lode_world_def def = lode_world_def_default();
    return lode_world_create(&def);
}

static lode_shape add_hull(lode_world world, lode_hull *hull, double x, double y, double z)
{
    lode_shape_def def = lode_shape_def_default();
    return lode_shape_create_hull(add_body(world, LODE_DYNAMIC, R(x), R(y), R(z)), &def, hull);
}

/* --- who holds it */

static int count_allocations(void **state)
{
    (void)state;
    report_install();
    alloc_fail_install();
    return 0;
}

static int expect_none_left(void **state)
{
    (void)state;
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    return 0;
}

static void a_shape_outlives_its_makers_reference(void **state)
{
    (void)state;
    lode_world world = make_world();
    lode_hull *hull = make_box(1, 1, 1);
    lode_shape one = add_hull(world, hull, 0, 0, 0), two = add_hull(world, hull, 5, 0, 0);
    lode_hull_release(hull);
    assert_ptr_equal(lode_shape_get_hull(one), hull);
    assert_int_equal(lode_shape_get_type(two), LODE_HULL);
    lode_shape_destroy(one);
    assert_int_equal(lode_hull_get_face_count(lode_shape_get_hull(two)), 6);
    lode_body_destroy(lode_shape_get_body(two));
    hull = make_box(1, 2, 1);
    add_hull(world, hull, 0, 0, 0);
    lode_hull_release(hull);
    lode_world_destroy(world);
}

static void a_hull_outlives_its_shapes(void **state)
{
    (void)state;
    lode_hull *hull = make_box(1, 2, 3);
    lode_world world = make_world();
    add_hull(world, hull, 0, 0, 0);
    lode_world_destroy(world);
    assert_true(near(lode_hull_get_mass(hull, 1).mass, 48, 48 * CLOSE));
    lode_hull_release(hull);
    lode_hull_release(NULL);
}

static void failing_to_make_a_shape_leaves_nothing(void **state)
{
    (void)state;
    lode_hull *hull = make_box(1, 1, 1);
    for (long n = 0;; ++n) {
        lode_world world = make_world();
        lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
        lode_shape_def def = lode_shape_def_default();
        alloc_fail_nth(n);
        lode_shape shape = lode_shape_create_hull(body, &def, hull);
        bool happened = alloc_fail_happened();
        alloc_fail_nth(-1);
        assert_int_equal(shape.id == 0, happened);
        lode_world_destroy(world);
        if (!happened)
            break;
    }
    lode_hull_release(hull);
}

/* --- snapshots */

static void restore(lode_world world, yard_shot shot)
{
    assert_int_equal(lode_world_restore(world, shot.bytes, shot.size), LODE_OK);
}

static uint64_t run(lode_world world, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    return lode_world_hash(world);
}

static void going_back_keeps_what_is_there(void **state)
{
    (void)state;
    lode_world world = make_world();
    lode_hull *hull = make_box(R(0.5), R(0.5), R(0.5));
    add_ground(world);
    for (int i = 0; i < 5; ++i)
        add_hull(world, hull, 0.1 * i, 0, 1 + 1.1 * i);
    lode_hull_release(hull);
    run(world, 30);
    yard_shot shot = yard_shoot(world);
    uint64_t after = run(world, 30);
    restore(world, shot);
    assert_true(run(world, 30) == after);
    yard_free(shot);
    lode_world_destroy(world);
}

/* Shapes that went come back as long as some shape has the hull, in whatever slot. */
static void what_was_destroyed_finds_its_hull(void **state)
{
    (void)state;
    lode_world world = make_world();
    lode_hull *hull = make_box(1, 1, 1), *other = make_box(1, 1, 2);
    lode_shape one = add_hull(world, hull, 0, 0, 0), two = add_hull(world, other, 5, 0, 0);
    lode_shape three = add_hull(world, hull, 9, 0, 0);
    lode_hull_release(hull);
    yard_shot shot = yard_shoot(world);
    lode_body_destroy(lode_shape_get_body(one));
    lode_body_destroy(lode_shape_get_body(two));
    add_hull(world, other, 5, 0, 0);
    lode_hull_release(other);
    restore(world, shot);
    assert_ptr_equal(lode_shape_get_hull(one), hull);
    assert_ptr_equal(lode_shape_get_hull(two), other);
    assert_ptr_equal(lode_shape_get_hull(three), hull);
    run(world, 3);
    lode_world_destroy(world);
    yard_free(shot);
}

/* The body weighs what it weighs then, and a hull that weighs too much changes nothing. */
static void another_hull_takes_the_place_of_one(void **state)
{
    (void)state;
    lode_world world = make_world();
    lode_hull *hull = make_box(1, 1, 1), *other = make_box(1, 1, 2);
    lode_real vast = R(1e12);
    lode_hull *heavy = make_box(vast, vast, vast);
    lode_shape shape = add_hull(world, hull, 0, 0, 5);
    lode_body body = lode_shape_get_body(shape);
    assert_int_equal(lode_shape_set_hull(shape, other), LODE_OK);
    assert_ptr_equal(lode_shape_get_hull(shape), other);
    lode_mass mass = lode_body_get_mass(body), wanted = lode_hull_get_mass(other, 1000);
    assert_true(near(mass.mass, (double)wanted.mass, 1e-3) &&
                near(mass.inertia[0], (double)wanted.inertia[0], 1e-2));
    lode_bounds bounds = lode_shape_get_bounds(shape);
    assert_true(near(bounds.upper.z, 7, 1e-5));
    run(world, 3);
    if (sizeof(lode_real) == sizeof(float)) { /* its inertia is beyond singles */
        report_clear();
        uint64_t before = lode_world_hash(world);
        assert_int_equal(lode_shape_set_hull(shape, heavy), LODE_ERROR_ARGUMENT);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_set_hull", "hull");
        assert_ptr_equal(lode_shape_get_hull(shape), other);
        assert_true(lode_world_hash(world) == before);
    }
    report_clear();
    assert_int_equal(lode_shape_set_hull(shape, NULL), LODE_ERROR_ARGUMENT);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_set_hull", "hull");
    lode_hull_release(hull);
    lode_hull_release(other);
    lode_hull_release(heavy);
    run(world, 3);
    lode_world_destroy(world);
}

static void a_hull_that_is_gone_is_asked_for(void **state)
{
    (void)state;
    lode_world world = make_world();
    lode_hull *hull = make_box(1, 1, 1);
    lode_shape shape = add_hull(world, hull, 0, 0, 0);
    lode_hull_release(hull);
    yard_shot shot = yard_shoot(world);
    lode_body_destroy(lode_shape_get_body(shape));
    uint64_t before = lode_world_hash(world);
    report_clear();
    assert_int_equal(lode_world_restore(world, shot.bytes, shot.size), LODE_ERROR_ARGUMENT);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_restore", "snapshot");
    assert_true(lode_world_hash(world) == before && !lode_shape_is_valid(shape));

    lode_hull *wrong = make_box(1, 1, R(1.25));
    assert_int_equal(lode_world_offer_hull(world, wrong), LODE_OK);
    assert_int_equal(lode_world_restore(world, shot.bytes, shot.size), LODE_ERROR_ARGUMENT);
    lode_hull *again = make_box(1, 1, 1); /* another object of the same content */
    assert_int_equal(lode_world_offer_hull(world, again), LODE_OK);
    assert_int_equal(lode_world_offer_hull(world, again), LODE_OK);
    lode_hull_release(again);
    lode_hull_release(wrong);
    restore(world, shot);
    assert_ptr_equal(lode_shape_get_hull(shape), again);
    run(world, 3);
    lode_world_destroy(world);
    yard_free(shot);
}

static void another_world_takes_a_file_when_offered_its_hulls(void **state)
{
    (void)state;
    static const char path[] = "test_hulls.snapshot";
    lode_world world = make_world();
    lode_hull *hulls[20];
    add_ground(world);
    for (int i = 0; i < 20; ++i) {
        hulls[i] = make_box(R(0.3), R(0.4), 0.2 + 0.01 * i);
        add_hull(world, hulls[i], 0.2 * (i % 3), 0, 0.5 + 0.7 * i);
    }
    run(world, 20);
    assert_int_equal(lode_world_save(world, path), LODE_OK);
    uint64_t after = run(world, 20);
    lode_world_destroy(world);

    world = make_world();
    report_clear();
    assert_int_equal(lode_world_load(world, path), LODE_ERROR_ARGUMENT);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_load", "path");
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(lode_world_offer_hull(world, hulls[(i * 7) % 20]), LODE_OK);
        lode_hull_release(hulls[(i * 7) % 20]);
    }
    assert_int_equal(lode_world_load(world, path), LODE_OK);
    assert_true(run(world, 20) == after);
    lode_world_destroy(world);
    remove(path);
}

/* Any allocation of the way back may fail, and then nothing has happened. */
static void going_back_may_run_out_of_memory(void **state)
{
    (void)state;
    lode_hull *hull = make_box(1, 1, 1);
    lode_world from = make_world();
    for (int i = 0; i < 300; ++i)
        add_hull(from, hull, 3 * i, 0, 0);
    yard_shot shot = yard_shoot(from);
    lode_world_destroy(from);
    for (long n = 0;; ++n) {
        lode_world world = make_world();
        add_hull(world, hull, 0, 0, 0);
        uint64_t before = lode_world_hash(world);
        alloc_fail_nth(n);
        lode_status status = lode_world_restore(world, shot.bytes, shot.size);
        bool happened = alloc_fail_happened();
        alloc_fail_nth(-1);
        assert_int_equal(status, happened ? LODE_ERROR_MEMORY : LODE_OK);
        assert_true(!happened || lode_world_hash(world) == before);
        lode_world_destroy(world);
        if (!happened)
            break;
    }
    lode_hull_release(hull);
    yard_free(shot);
}

/* --- threads */

typedef struct worker {
    lode_hull *hull;
    uint64_t hash;
} worker;

static void simulate(void *context)
{
    worker *w = context;
    lode_world world = make_world();
    add_ground(world);
    for (int i = 0; i < 4; ++i)
        add_hull(world, w->hull, 0, 0, 0.6 + 1.1 * i);
    for (int i = 0; i < 60; ++i)
        lode_world_step(world, STEP);
    w->hash = lode_world_hash(world);
    lode_world_destroy(world);
}

static void worlds_in_threads_share_hulls(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    lode__thread *threads[THREADS];
    worker workers[THREADS];
    lode_hull *hull = make_box(R(0.5), R(0.5), R(0.5));
    for (int i = 0; i < THREADS; ++i) {
        workers[i] = (worker){hull, 0};
        threads[i] = lode__thread_start(simulate, &workers[i]);
    }
    for (int i = 0; i < THREADS; ++i)
        lode__thread_join(threads[i]);
    for (int i = 1; i < THREADS; ++i)
        assert_true(workers[i].hash == workers[0].hash);
    lode_hull_release(hull);
}

/* --- as a box */

static void it_weighs_and_reaches_like_a_box(void **state)
{
    (void)state;
    lode_world world = make_world();
    lode_hull *hull = make_box(0.5, 1, 2);
    lode_shape_def def = lode_shape_def_default();
    def.pose = (lode_pose){vec(1, 2, 3), {R(0.5), R(0.5), R(-0.5), R(0.5)}};
    lode_body bodies[2];
    lode_shape shapes[2];
    for (int i = 0; i < 2; ++i)
        bodies[i] = add_body(world, LODE_DYNAMIC, 4, 5, 6);
    shapes[0] = lode_shape_create_hull(bodies[0], &def, hull);
    shapes[1] = lode_shape_create_box(bodies[1], &def, vec(R(0.5), 1, 2));
    lode_mass a = lode_body_get_mass(bodies[0]), b = lode_body_get_mass(bodies[1]);
    assert_true(near(a.mass / b.mass, 1, CLOSE) && near_vec(a.center, b.center, 10 * CLOSE));
    for (int i = 0; i < 6; ++i)
        assert_true(near(a.inertia[i], b.inertia[i], CLOSE * (double)b.inertia[0] * 4));
    lode_bounds p = lode_shape_get_bounds(shapes[0]), q = lode_shape_get_bounds(shapes[1]);
    assert_true(near_vec(p.lower, q.lower, 20 * CLOSE) && near_vec(p.upper, q.upper, 20 * CLOSE));
    lode_hull_release(hull);
    lode_world_destroy(world);
}

/* Two towers, one of hulls and one of boxes, and one of both in turns, shall stand alike. */
static void hull_boxes_stack_like_boxes(void **state)
{
    (void)state;
    lode_world world = make_world();
    lode_hull *hull = make_box(0.5, 0.5, 0.5);
    lode_shape_def def = lode_shape_def_default();
    lode_body tower[3][8];
    add_ground(world);
    for (int t = 0; t < 3; ++t)
        for (int i = 0; i < 8; ++i) {
            tower[t][i] = add_body(world, LODE_DYNAMIC, R(5 * t), 0, R(0.5 + i));
            if (t == 0 || (t == 2 && i % 2))
                lode_shape_create_hull(tower[t][i], &def, hull);
            else
                lode_shape_create_box(tower[t][i], &def, vec(R(0.5), R(0.5), R(0.5)));
        }
    lode_hull_release(hull);
    run(world, 1000);
    for (int t = 0; t < 3; ++t)
        for (int i = 0; i < 8; ++i) {
            lode_vec3 at = lode_body_get_pose(tower[t][i]).position;
            lode_vec3 box = lode_body_get_pose(tower[1][i]).position;
            assert_true(fabs((double)at.x - 5 * t) < 0.002 && fabs((double)at.y) < 0.002);
            assert_true(fabs((double)at.z - (double)box.z) < 0.002);
            assert_true((double)at.z > 0.48 + i);
        }
    lode_world_destroy(world);
}

/* Everything on a heap of hulls: all stays above the ground and comes to rest. */
static void a_heap_of_everything_comes_to_rest(void **state)
{
    (void)state;
    lode_world world = make_world();
    test_random random = {1};
    lode_shape_def def = lode_shape_def_default();
    lode_body bodies[60];
    add_ground(world);
    for (int i = 0; i < 60; ++i) {
        bodies[i] = add_body(world, LODE_DYNAMIC, R(0.7 * (i % 4)), R(0.7 * (i / 4 % 4)),
                             R(1 + i / 16 * 1.2));
        if (i % 3 == 0) {
            lode_shape_create_box(bodies[i], &def, vec(R(0.3), R(0.25), R(0.2)));
        } else if (i % 3 == 1) {
            lode_real points[20][3];
            for (int k = 0; k < 60; ++k)
                points[k / 3][k % 3] = R(random_between(&random, -0.4, 0.4));
            lode_hull_def hull_def = lode_hull_def_default();
            hull_def.points = points[0];
            hull_def.point_count = 20;
            lode_hull *hull = lode_hull_create(&hull_def);
            lode_shape_create_hull(bodies[i], &def, hull);
            lode_hull_release(hull);
        } else if (i % 2) {
            lode_shape_create_sphere(bodies[i], &def, R(0.3));
        } else {
            lode_shape_create_capsule(bodies[i], &def, R(0.2), R(0.2));
        }
    }
    run(world, 1200);
    int slow = 0;
    for (int i = 0; i < 60; ++i) {
        lode_vec3 v = lode_body_get_linear_velocity(bodies[i]);
        assert_true((double)lode_body_get_pose(bodies[i]).position.z > 0.05);
        slow += sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z)) < 0.05;
    }
    assert_true(slow >= 50); /* balls may roll away on the plane */
    lode_world_destroy(world);
}

#define EXPECT(status, function, argument) \
    do { \
        EXPECT_REPORT(status, function, argument); \
        report_clear(); \
    } while (0)

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    lode_world world = make_world();
    lode_hull *hull = make_box(1, 1, 1);
    lode_shape box = lode_shape_create_box(add_body(world, LODE_DYNAMIC, 0, 0, 0),
                                           &(lode_shape_def){.pose.rotation = {1, 0, 0, 0}},
                                           vec(1, 1, 1));
    lode_shape_def def = lode_shape_def_default();
    lode_body body = lode_shape_get_body(box);
    lode_vec3 vertices[8];
    int corners[4];
    report_clear();
    assert_true(lode_shape_create_hull(body, &def, NULL).id == 0);
    EXPECT(LODE_ERROR_ARGUMENT, "lode_shape_create_hull", "hull");
    assert_true(lode_shape_create_hull(body, NULL, hull).id == 0);
    EXPECT(LODE_ERROR_ARGUMENT, "lode_shape_create_hull", "def");
    def.density = (lode_real)NAN;
    assert_true(lode_shape_create_hull(body, &def, hull).id == 0);
    EXPECT(LODE_ERROR_ARGUMENT, "lode_shape_create_hull", "def.density");
    assert_null(lode_shape_get_hull(box));
    EXPECT(LODE_ERROR_ARGUMENT, "lode_shape_get_hull", "shape");
    assert_int_equal(lode_world_offer_hull(world, NULL), LODE_ERROR_ARGUMENT);
    EXPECT(LODE_ERROR_ARGUMENT, "lode_world_offer_hull", "hull");
    assert_int_equal(lode_hull_get_vertices(NULL, vertices, 8), 0);
    EXPECT(LODE_ERROR_ARGUMENT, "lode_hull_get_vertices", "hull");
    assert_int_equal(lode_hull_get_vertices(hull, NULL, 8), 0);
    EXPECT(LODE_ERROR_ARGUMENT, "lode_hull_get_vertices", "out_vertices");
    assert_int_equal(lode_hull_get_face(hull, 6, corners, 4), 0);
    EXPECT(LODE_ERROR_ARGUMENT, "lode_hull_get_face", "face");
    assert_int_equal(lode_hull_get_face_count(NULL), 0);
    EXPECT(LODE_ERROR_ARGUMENT, "lode_hull_get_face_count", "hull");
    assert_true(lode_hull_get_mass(hull, -1).mass == 0);
    EXPECT(LODE_ERROR_ARGUMENT, "lode_hull_get_mass", "density");
    assert_null(lode_hull_create(NULL));
    EXPECT(LODE_ERROR_ARGUMENT, "lode_hull_create", "def");
    lode_hull_def blank = {0};
    assert_null(lode_hull_create(&blank));
    EXPECT(LODE_ERROR_ABI, "lode_hull_create", "def");
    lode_hull_def_init(&blank, sizeof blank, LODE_ABI + 1);
    EXPECT(LODE_ERROR_ABI, "lode_hull_def_init", "abi");
    blank = lode_hull_def_default();
    assert_null(lode_hull_create(&blank));
    EXPECT(LODE_ERROR_ARGUMENT, "lode_hull_create", "def.points");
    assert_int_equal(lode_hull_get_vertices(hull, vertices, 3), 8);
    assert_int_equal(lode_hull_get_face(hull, 5, corners, 4), 4);
    lode_hull_release(hull);
    lode_world_destroy(world);
}

int main(void)
{
#define COUNTED(test) cmocka_unit_test_setup_teardown(test, count_allocations, expect_none_left)
    const struct CMUnitTest tests[] = {
        COUNTED(a_shape_outlives_its_makers_reference),
        COUNTED(a_hull_outlives_its_shapes),
        COUNTED(failing_to_make_a_shape_leaves_nothing),
        COUNTED(going_back_keeps_what_is_there),
        COUNTED(what_was_destroyed_finds_its_hull),
        COUNTED(another_hull_takes_the_place_of_one),
        COUNTED(a_hull_that_is_gone_is_asked_for),
        COUNTED(another_world_takes_a_file_when_offered_its_hulls),
        COUNTED(going_back_may_run_out_of_memory),
        COUNTED(worlds_in_threads_share_hulls),
        COUNTED(it_weighs_and_reaches_like_a_box),
        COUNTED(hull_boxes_stack_like_boxes),
        COUNTED(a_heap_of_everything_comes_to_rest),
        COUNTED(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Continuous bodies that hold each other, as stools with legs through each other's seats do: they
 * fall and turn with what they have in common, in front of what they must not pass, with the same
 * bits whatever the threads. */
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>

enum { STEPS = 60, MOST = 12 };

static const lode_real frame_time = (lode_real)1 / 60;

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

/* --- stools */

static lode_body add_stool(lode_world world, lode_vec3 at, lode_quat rotation, double density,
                           bool continuous)
{
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.position = at;
    body_def.rotation = rotation;
    body_def.continuous = continuous;
    lode_body body = lode_body_create(world, &body_def);
    lode_shape_def def = lode_shape_def_default();
    def.density = (lode_real)density;
    def.pose.position = vec(0, 0, (lode_real)0.2);
    lode_shape_create_box(body, &def, vec((lode_real)0.3, (lode_real)0.3, (lode_real)0.05));
    for (int leg = 0; leg < 4; ++leg) {
        def.pose.position = vec((lode_real)(leg & 1 ? 0.25 : -0.25),
                                (lode_real)(leg & 2 ? 0.25 : -0.25), (lode_real)-0.05);
        lode_shape_create_box(body, &def, vec((lode_real)0.05, (lode_real)0.05, (lode_real)0.2));
    }
    return body;
}

/* Where each is in most of the others. */
static void add_tangle(lode_world world, lode_body *bodies, int count, bool all_continuous,
                       test_random *random)
{
    for (int i = 0; i < count; ++i) {
        lode_vec3 at = {(lode_real)random_between(random, -0.15, 0.15),
                        (lode_real)random_between(random, -0.15, 0.15),
                        (lode_real)(random_between(random, -0.15, 0.15) + 0.2 * i)};
        lode_quat turn = {
            (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1),
            (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, 0.1, 1)};
        bodies[i] = add_stool(world, at, turn, random_between(random, 200, 2000),
                              all_continuous || i == 0);
    }
}

static double mass_of(lode_body body)
{
    return (double)lode_body_get_mass(body).mass;
}

static double height_of(const lode_body *bodies, int count)
{
    double mass = 0, height = 0;
    for (int i = 0; i < count; ++i) {
        mass += mass_of(bodies[i]);
        height += mass_of(bodies[i]) * (double)lode_body_get_center(bodies[i]).z;
    }
    return height / mass;
}

/* --- what is to hold */

/* Their common centre falls as it would with nothing to hold, but for steps in which they meet
 * anew, or are slower than what counts, or one who is not continuous holds others back. */
static void what_holds_each_other_falls(void **state)
{
    (void)state;
    enum { TANGLES = 60 };
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, -10);
    test_random random = {21};
    double sum = 0, time = (double)frame_time * STEPS, exact = 5 * time * time;
    for (int i = 0; i < TANGLES; ++i) {
        lode_body bodies[MOST];
        lode_world world = lode_world_create(&def);
        int count = 2 + i % 3;
        add_tangle(world, bodies, count, i % 2, &random);
        double from = height_of(bodies, count);
        for (int step = 0; step < STEPS; ++step)
            assert_int_equal(lode_world_step(world, frame_time), LODE_OK);
        double fallen = from - height_of(bodies, count);
        sum += fallen;
        if (fallen < 0.75 * exact || fallen > 1.01 * exact)
            print_error("%d stools, tangle %d: %g of %g m\n", count, i, fallen, exact);
        assert_true(fallen >= 0.75 * exact && fallen <= 1.01 * exact);
        lode_world_destroy(world);
    }
    assert_true(sum > 0.97 * TANGLES * exact);
}

/* Together at 30 m/s against a thin floor, on one or not: nobody's centre gets below. */
static void nobody_is_taken_through_the_floor(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    test_random random = {8};
    for (int i = 0; i < 20; ++i) {
        lode_body bodies[MOST];
        lode_world world = lode_world_create(&def);
        lode_body floor = add_body(world, LODE_STATIC, 0, 0, (lode_real)-3);
        lode_shape_create_box(floor, &shape_def, vec(20, 20, (lode_real)5e-5));
        int count = 2 + i % 5;
        add_tangle(world, bodies, count, true, &random);
        for (int k = 0; k < count; ++k)
            lode_body_set_linear_velocity(bodies[k], vec(0, 0, -30));
        for (int step = 0; step < STEPS; ++step) {
            assert_int_equal(lode_world_step(world, frame_time), LODE_OK);
            for (int k = 0; k < count; ++k)
                assert_true(lode_body_get_center(bodies[k]).z > -3);
        }
        lode_world_destroy(world);
    }
}

static uint64_t hash_of_tangle(int threads)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    lode_world world = lode_world_create(&def);
    lode_shape_def shape_def = lode_shape_def_default();
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, (lode_real)-4), bodies[MOST];
    lode_shape_create_box(ground, &shape_def, vec(20, 20, 1));
    test_random random = {4};
    add_tangle(world, bodies, MOST, true, &random);
    for (int step = 0; step < 2 * STEPS; ++step)
        assert_int_equal(lode_world_step(world, frame_time), LODE_OK);
    uint64_t hash = lode_world_hash(world);
    lode_world_destroy(world);
    return hash;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    uint64_t one = hash_of_tangle(1);
    for (int threads = 2; threads <= 4; ++threads)
        assert_true(hash_of_tangle(threads) == one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_each_other_falls),
        cmocka_unit_test(nobody_is_taken_through_the_floor),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

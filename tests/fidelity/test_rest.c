/* test_rest.c: piles that may sleep: they come to rest, all of them, where they stand; what hits
 * them wakes them, and they come to rest again. At the default settings, sleep enabled. */
#include "tests/fidelity/pile.h"

#define H (1.0 / 60)

static const lab_material stone = {.density = 1000, .friction = 0.6};

static pile begin(void **state)
{
    pile p = pile_create_default(stone);
    lode_world_set_solver(p.world, LAB_SOLVER(state));
    lode_sleep sleep = lode_sleep_default();
    sleep.enabled = true;
    lode_world_set_sleep(p.world, &sleep);
    return p;
}

static int count_awake(const pile *p)
{
    int awake = 0;
    for (int i = 0; i < p->count; ++i)
        awake += lode_body_is_awake(p->boxes[i]);
    return awake;
}

static void a_pyramid_of_base_twenty_falls_asleep_where_it_stands(void **state)
{
    pile p = begin(state);
    pile_put_pyramid(&p, stone, 20, 1.1);
    lab_run(p.world, H, 5000);
    assert_int_equal(count_awake(&p), 0);
    LAB_AT_MOST(pile_farthest(&p), 0.01);
    lode_world_destroy(p.world);
}

/* Boxes of two sizes, one over the other with offsets, fall into a heap. */
static pile heap(void **state, int count, unsigned seed)
{
    pile p = begin(state);
    for (int i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        double x = (seed >> 8 & 1023) / 512.0 - 1, y = (seed >> 18 & 1023) / 512.0 - 1;
        lode_vec3 half = i % 2 ? lab_vec3(0.5, 0.3, 0.2) : lab_vec3(0.3, 0.3, 0.3);
        pile_put(&p, stone, x, y, 1 + 0.8 * i, half);
    }
    return p;
}

static int steps_to_sleep(const pile *p, int most)
{
    int steps = 0;
    for (; count_awake(p) > 0 && steps < most; ++steps)
        lab_run(p->world, H, 1);
    return steps;
}

/* Heaps sleep, are hit, and sleep again; but for few, as below, which are left rocking. */
static void falling_heaps_fall_asleep_wake_by_a_hit_and_fall_asleep_again(void **state)
{
    int never = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        pile p = heap(state, 40, seed * 5);
        bool sleeps = steps_to_sleep(&p, 3000) < 3000;
        if (sleeps) {
            lode_body bullet = pile_put_cube(&p, stone, -6, 0, 0.5);
            lode_body_set_linear_velocity(bullet, (lode_vec3){15, 0, 0});
            lab_run(p.world, H, 30);
            assert_true(count_awake(&p) > 1);
            sleeps = steps_to_sleep(&p, 3000) < 3000;
        }
        lab_run(p.world, H, 100);
        assert_true(!sleeps || count_awake(&p) == 0);
        never += !sleeps;
        lode_world_destroy(p.world);
    }
    LAB_AT_MOST(never, 1);
}

/* Of so many heaps, those that do not. */
static int fall_never_asleep(void **state, lode_integrator integrator, int iterations,
                             unsigned heaps)
{
    int never = 0;
    for (unsigned seed = 1; seed <= heaps; ++seed) {
        pile p = heap(state, 40, seed * 7919);
        lode_world_set_integrator(p.world, integrator);
        lode_world_set_iterations(p.world, iterations);
        never += steps_to_sleep(&p, 3000) == 3000;
        lode_world_destroy(p.world);
    }
    return never;
}

static const int few_or_many[] = {5, 20, 60};

/* Hardly any heap has a box that is left rocking on others, whatever way it fell and however many
 * iterations there are. */
static void heaps_come_to_rest(void **state)
{
    for (int k = 0; k < 3; ++k)
        LAB_AT_MOST(
            fall_never_asleep(state, LODE_INTEGRATOR_SEMI_IMPLICIT, few_or_many[k], 40), 1);
}

/* The second half of a sub-step has the same weight to bear, and no more sweeps for it. */
static void heaps_come_to_rest_when_of_second_order(void **state)
{
    for (int k = 0; k < 3; ++k)
        LAB_AT_MOST(fall_never_asleep(state, LODE_INTEGRATOR_SECOND_ORDER, few_or_many[k], 10), 1);
}

/* From -1 to 1. */
static double random_share(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 8388608.0 - 1;
}

/* One that is turned at random falls, and may come to lie on three corners with a gap under the
 * last. */
static void every_box_comes_to_rest(void **state)
{
    unsigned seed = 7;
    for (int i = 0; i < 100; ++i) {
        pile p = begin(state);
        lode_world_set_iterations(p.world, i % 2 ? 60 : 5);
        lode_body box = pile_put_cube(&p, stone, 0, 0, 1);
        lode_quat q = {(lode_real)random_share(&seed), (lode_real)random_share(&seed),
                       (lode_real)random_share(&seed), (lode_real)random_share(&seed)};
        lode_body_set_pose(box, (lode_pose){lab_vec3(0, 0, 1.5), q});
        LAB_AT_MOST(steps_to_sleep(&p, 1500), 1499);
        lode_world_destroy(p.world);
    }
}

/* It stands over two opposite corners, nearly, with one of the others below the surface and the
 * last a few millimetres above it, and turns about those two. */
static void a_box_does_not_rock_on_two_corners(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver) {
        pile p = pile_create((lode_solver)solver, stone);
        lode_body box = pile_put(&p, stone, 0, 0, 1, lab_vec3(0.3, 0.3, 0.3));
        lode_pose pose = {{0, 0, (lode_real)0.3009}, {1, 0, 0, 0}};
        pose.rotation = (lode_quat){(lode_real)-0.2851, (lode_real)0.2896, (lode_real)-0.6416,
                                    (lode_real)0.6506};
        lode_body_set_pose(box, pose);
        lode_body_set_linear_velocity(box, lab_vec3(-0.0049, 0.0811, -0.0081));
        lode_body_set_angular_velocity(box, lab_vec3(-0.27, -0.017, 0));
        lab_run(p.world, H, 600);
        pile_mark(&p);
        lab_run(p.world, H, 60);
        LAB_AT_MOST(pile_farthest(&p), 1e-5);
        LAB_AT_MOST(pile_fastest(&p), 1e-3);
        lode_world_destroy(p.world);
    }
}

/* The length of a step alternates; what sleeps stays asleep, what does not goes to sleep. */
static void changing_steps_wake_nobody(void **state)
{
    pile p = begin(state);
    for (int i = 0; i < 10; ++i)
        pile_put_cube(&p, stone, 0, 0, 0.5 + i);
    for (int i = 0; i < 1000 && count_awake(&p) > 0; ++i)
        lab_run(p.world, i % 2 ? 1.0 / 120 : 1.0 / 30, 1);
    assert_int_equal(count_awake(&p), 0);
    pile_mark(&p);
    for (int i = 0; i < 100; ++i)
        lab_run(p.world, i % 2 ? 1.0 / 120 : 1.0 / 30, 1);
    LAB_AT_MOST(pile_farthest(&p), 0);
    lode_body_wake(p.boxes[0]);
    for (int i = 0; i < 100; ++i)
        lab_run(p.world, i % 2 ? 1.0 / 120 : 1.0 / 30, 1);
    assert_int_equal(count_awake(&p), 0);
    LAB_AT_MOST(pile_farthest(&p), 0.001);
    lode_world_destroy(p.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_ITERATIVE(a_pyramid_of_base_twenty_falls_asleep_where_it_stands),
        LAB_EACH_ITERATIVE(falling_heaps_fall_asleep_wake_by_a_hit_and_fall_asleep_again),
        LAB_EACH_ITERATIVE(heaps_come_to_rest),
        LAB_EACH_ITERATIVE(heaps_come_to_rest_when_of_second_order),
        LAB_EACH_ITERATIVE(every_box_comes_to_rest),
        cmocka_unit_test(a_box_does_not_rock_on_two_corners),
        LAB_EACH_ITERATIVE(changing_steps_wake_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

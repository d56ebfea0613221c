/* test_tall.c: piles that ask much of the solvers that sweep, at the default settings: towers of
 * thirty boxes, heavy boxes on light ones and light on heavy ones, a pyramid of base twenty, and
 * steps whose length changes from one to the next.
 *
 * What is allowed is a bound on how far any box may get from where it was put, which a tower that
 * leans fails long before it falls, and on how fast anything still moves at the end. A tower is
 * put up with offsets of up to 2 mm that differ from box to box: it must not stand by symmetry. */
#include "tests/fidelity/pile.h"

#define H (1.0 / 60)

static pile begin(void **state)
{
    pile p = pile_create_default((lab_material){.density = 1000, .friction = 0.6});
    lode_world_set_solver(p.world, LAB_SOLVER(state));
    return p;
}

/* Of PGS, and of the soft step, whose contacts are springs. */
static double either(void **state, double pgs, double soft)
{
    return LAB_SOLVER(state) == LODE_SOLVER_PGS ? pgs : soft;
}

static void put(pile *p, double x, double y, double z, double density)
{
    pile_put_cube(p, (lab_material){.density = density, .friction = 0.6}, x, y, z);
}

static pile tower(void **state, int height, unsigned seed)
{
    pile p = begin(state);
    for (int i = 0; i < height; ++i) {
        seed = seed * 1664525u + 1013904223u;
        double x = ((seed >> 8 & 1023) / 1023.0 - 0.5) * 0.004;
        double y = ((seed >> 18 & 1023) / 1023.0 - 0.5) * 0.004;
        put(&p, x, y, 0.5 + i, 1000);
    }
    return p;
}

static double energy(const pile *p)
{
    double sum = lab_total(p->boxes, p->count).kinetic;
    for (int i = 0; i < p->count; ++i)
        sum += lode_body_get_mass(p->boxes[i]).mass * LAB_G * lab_center(p->boxes[i]).z;
    return sum;
}

static void towers_of_thirty_stand(void **state)
{
    for (unsigned seed = 1; seed <= 4; ++seed) {
        pile p = tower(state, 30, seed);
        lab_run(p.world, H, 1800);
        pile_expect_rest(&p, 0.03, 0.02);
    }
}

static void light_boxes_carry_one_twenty_times_as_heavy(void **state)
{
    pile p = begin(state);
    for (int i = 0; i < 10; ++i)
        put(&p, 0, 0, 0.5 + i, i < 9 ? 1000 : 20000);
    lab_run(p.world, H, 1800);
    pile_expect_rest(&p, 0.01, 0.01);
}

static void layers_get_heavier_upwards_to_twenty_times(void **state)
{
    pile p = begin(state);
    for (int i = 0; i < 10; ++i)
        put(&p, 0, 0, 0.5 + i, 1000 * pow(20, i / 9.0));
    lab_run(p.world, H, 1800);
    pile_expect_rest(&p, either(state, 0.01, 0.02), 0.01);
}

static void a_heavy_box_carries_light_ones(void **state)
{
    pile p = begin(state);
    for (int i = 0; i < 10; ++i)
        put(&p, 0, 0, 0.5 + i, i == 0 ? 20000 : 1000);
    lab_run(p.world, H, 1800);
    pile_expect_rest(&p, 0.01, 0.01);
}

static void a_pyramid_of_base_twenty_settles_by_less_than_a_centimetre(void **state)
{
    pile p = begin(state);
    pile_put_pyramid(&p, (lab_material){.density = 1000, .friction = 0.6}, 20, 1.1);
    lab_run(p.world, H, 1200);
    pile_expect_rest(&p, 0.01, 0.01);
}

/* It sags while its impulses grow from nothing, and swings back from that; within two seconds the
 * swing must be gone. 1 cm/s of all boxes is 41 J. */
static void a_pyramid_of_base_forty_stops_swinging(void **state)
{
    pile p = begin(state);
    pile_put_pyramid(&p, (lab_material){.density = 1000, .friction = 0.6}, 40, 1.1);
    lab_run(p.world, H, 240);
    double most = 0, mass = p.count * (double)lode_body_get_mass(p.boxes[0]).mass;
    for (int i = 0; i < 60; ++i) {
        lab_run(p.world, H, 1);
        most = fmax(most, lab_total(p.boxes, p.count).kinetic);
    }
    LAB_AT_MOST(sqrt(2 * most / mass), either(state, 0.03, 0.05));
    LAB_AT_MOST(pile_farthest(&p), 0.25);
    lode_world_destroy(p.world);
}

/* A step four times as long has four times as many sub-steps, so that impulses fit. Nothing may
 * come of it: no box leaves its place, no energy is gained beyond what a box has that moves at the
 * 1 mm/s allowed. */
static void a_tower_rests_under_steps_of_changing_length(void **state)
{
    pile p = tower(state, 10, 7);
    lab_run(p.world, H, 600);
    double before = energy(&p), mass = 10 * lode_body_get_mass(p.boxes[0]).mass;
    pile_mark(&p);
    for (int i = 0; i < 1000; ++i) {
        lab_run(p.world, i % 2 ? 1.0 / 120 : 1.0 / 30, 1);
        LAB_AT_MOST(pile_fastest(&p), 0.02);
        LAB_AT_MOST(energy(&p) - before, mass * 0.02 * 0.02 / 2 + mass * LAB_G * 1e-3);
    }
    pile_expect_rest(&p, 0.002, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_ITERATIVE(towers_of_thirty_stand),
        LAB_EACH_ITERATIVE(light_boxes_carry_one_twenty_times_as_heavy),
        LAB_EACH_ITERATIVE(layers_get_heavier_upwards_to_twenty_times),
        LAB_EACH_ITERATIVE(a_heavy_box_carries_light_ones),
        LAB_EACH_ITERATIVE(a_pyramid_of_base_twenty_settles_by_less_than_a_centimetre),
        LAB_EACH_ITERATIVE(a_pyramid_of_base_forty_stops_swinging),
        LAB_EACH_ITERATIVE(a_tower_rests_under_steps_of_changing_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

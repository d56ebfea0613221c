/* test_stack.c: piles at rest stay at rest: a tower of ten boxes for 10,000 steps, a pyramid of
 * base ten for 5,000. No box may move over a centimetre.
 *
 * The boxes are put in touch without overlap. PGS must hold them where they are: what is allowed
 * is a fifth of the slops of a tower summed, so a solver that lets contacts sink to their slop
 * fails, as does one that creeps by more than a micrometre a step.
 *
 * The soft step's contacts are springs of frequency w, which carry load only beyond their slop s.
 * A corner of a cube feels 1/k = m / 4 on the ground and m / 8 on another cube and carries a
 * quarter of the weight above, so the contact under j boxes gives way by s + j g / w^2 on the
 * ground, by s + 2 j g / w^2 on a box: n s + n^2 g / w^2 in all for the top of a tower of n. It
 * settles there first, which is checked, and has the centimetre from there on. */
#include "tests/fidelity/pile.h"

#define H (1.0 / 60)

#define SLOP 0.005

enum { TOWER = 10, BASE = TOWER, SETTLE = 600 };

static const lab_material wood = {.density = 700, .friction = 0.6};

static pile tower_create(lode_solver solver)
{
    pile p = pile_create(solver, wood);
    for (int i = 0; i < TOWER; ++i)
        pile_put_cube(&p, wood, 0, 0, 0.5 + i);
    return p;
}

static pile pyramid_create(lode_solver solver)
{
    pile p = pile_create(solver, wood);
    pile_put_pyramid(&p, wood, BASE, 1.0625);
    return p;
}

/* Lets the springs of the soft step take their load; starts measuring from there. */
static void settle(pile *p)
{
    lode_world_def def = lode_world_get_def(p->world);
    if (def.solver != LODE_SOLVER_SOFT_STEP)
        return;
    double w = 2 * LAB_PI * def.contact_frequency;
    lab_run(p->world, H, SETTLE);
    LAB_AT_MOST(pile_farthest(p), 1.1 * (TOWER * SLOP + TOWER * TOWER * LAB_G / (w * w)));
    pile_mark(p);
}

static void expect_rest(pile *p, int steps)
{
    settle(p);
    lab_run(p->world, H, steps);
    pile_expect_rest(p, 0.01, 0.01);
}

static void a_tower_of_ten_stands_for_10000_steps(void **state)
{
    pile p = tower_create(LAB_SOLVER(state));
    expect_rest(&p, 10000);
}

/* With the direct solver, a hundred times as dear here, 500 of them. */
static void a_pyramid_of_base_ten_stands_for_5000_steps(void **state)
{
    pile p = pyramid_create(LAB_SOLVER(state));
    expect_rest(&p, LAB_SOLVER(state) == LODE_SOLVER_DIRECT ? 500 : 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_tower_of_ten_stands_for_10000_steps),
        LAB_EACH_SOLVER(a_pyramid_of_base_ten_stands_for_5000_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

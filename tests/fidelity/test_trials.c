/* The trials of trials.h that other tests do not know: SimBenchmark's rolling and bouncing, and a
 * box between walls in the plane of x and y.
 *
 * Along the diagonal a pyramid whose sides lie along x and y holds 1.41 times what a cone does, 194
 * N, so that the box which 150 N push stays where it is, in libode too. */
#include "tests/fidelity/lab.h"
#include "tests/fidelity/trials.h"

/* With which the rolling box and its balls end, m/s. */
#define BOX (12.66 / (10 + 25 / 3.5) * 4)
#define BALL (BOX / 3.5)

static bool is_exact(lode_solver solver)
{
    return solver == LODE_SOLVER_DIRECT || solver == LODE_SOLVER_HYBRID;
}

static void check_rolling(const double off[2], lode_solver solver)
{
    double exact = 1000 * LAB_EPSILON;
    LAB_AT_MOST(off[0], is_exact(solver) ? fmax(exact, 1e-6) * BOX : 0.002 * BOX);
    LAB_AT_MOST(off[1], is_exact(solver) ? fmax(exact, 1e-6) * BALL : 0.003 * BALL);
}

static void balls_roll_on_a_pushed_box(void **state)
{
    trial_way way = {"cone", LAB_SOLVER(state), true, true, false};
    double off[TRIAL_FIGURES];
    trial_find("rolling")->run(&trial_lode, &way, off);
    check_rolling(off, (lode_solver)way.method);
    check_rolling(off + 2, (lode_solver)way.method);
}

static void a_pyramid_holds_a_box_along_its_diagonal(void **state)
{
    trial_way way = {"pyramid", LAB_SOLVER(state), false, true, false};
    double off[TRIAL_FIGURES];
    trial_find("rolling")->run(&trial_lode, &way, off);
    check_rolling(off, (lode_solver)way.method);
    LAB_NEAR(off[2], BOX, 1e-3);
    LAB_NEAR(off[3], BALL, 1e-3);
}

/* A bounce costs the height that a ball falls in a step with the semi-implicit integrator, whose
 * velocities are those of half a step before (test_restitution.c); in 20 s there are ten of 9.9
 * m/s. The integrator of second order loses no more than what a ball has above the ground when it
 * turns: less than a millimetre of 5 m in each bounce. */
static void elastic_balls_keep_their_energy(void **state)
{
    trial_way way = {"as it is", LAB_SOLVER(state), false, true, false};
    double off[TRIAL_FIGURES];
    trial_find("bouncing")->run(&trial_lode, &way, off);
    LAB_AT_MOST(off[0], 10 * 1.1 * 9.9 * 0.001 / 5);
    LAB_AT_MOST(off[1], 10 * 1.1 * 9.9 * 0.01 / 5);
    way.second_order = true;
    trial_find("bouncing")->run(&trial_lode, &way, off);
    LAB_AT_MOST(off[0], 10 * 0.001 / 5);
    LAB_AT_MOST(off[1], 10 * 0.001 / 5);
}

static void a_box_between_walls_keeps_its_energy(void **state)
{
    trial_way way = {"as it is", LAB_SOLVER(state), false, true, false};
    double off[TRIAL_FIGURES];
    trial_find("walls")->run(&trial_lode, &way, off);
    LAB_AT_MOST(off[0], 0.001);
    LAB_AT_MOST(off[1], 0.001);
}

static void surfaces_do_as_their_numbers_say(void **state)
{
    const char *const names[] = {"slip", "belts", "soft"};
    trial_way way = {"as it is", LAB_SOLVER(state), true, true, false};
    for (int i = 0; i < 3; ++i) {
        double off[TRIAL_FIGURES];
        trial_find(names[i])->run(&trial_lode, &way, off);
        LAB_AT_MOST(off[0], 1e-5);
        LAB_AT_MOST(off[1], 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(balls_roll_on_a_pushed_box),
        {"balls_roll_on_a_pushed_box (hybrid)", balls_roll_on_a_pushed_box, NULL, NULL,
         &lab_solvers[LODE_SOLVER_HYBRID]},
        LAB_EACH_ITERATIVE(a_pyramid_holds_a_box_along_its_diagonal),
        LAB_EACH_AND_PER_JOINT(elastic_balls_keep_their_energy),
        LAB_EACH_AND_PER_JOINT(surfaces_do_as_their_numbers_say),
        {"a_box_between_walls_keeps_its_energy (direct)", a_box_between_walls_keeps_its_energy,
         NULL, NULL, &lab_solvers[LODE_SOLVER_DIRECT]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

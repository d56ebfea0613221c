/* test_welds.c: the direct solver takes contacts that hold for welds. Whether it does is nobody's
 * business: a world whose kernel for them always gives up, so that every island is solved as a
 * complementarity problem, comes to the same velocities. */
#include "solver/kernels.h"
#include "tests/support/random.h"
#include "tests/world/support.h"
#include "world/registry.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

enum { PLACES = 8, HIGH = 5, STEPS = 40, MOST_BODIES = 2 * PLACES * HIGH };

static uint32_t asked, solved;

#define TOLERANCE (sizeof(lode_real) == sizeof(float) ? 1e-6 : 1e-7)

static bool count_solve(const lode__bond_plan *plan, const lode__bonds *bonds)
{
    const lode__solver_kernels *kernels = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    bool done = kernels->solve_bonds(plan, bonds);
    ++asked;
    solved += done;
    return done;
}

static bool give_up(const lode__bond_plan *plan, const lode__bonds *bonds)
{
    (void)plan, (void)bonds;
    return false;
}

static lode_world make_world(lode__solver_kernels *kernels, lode__bonds_fn *solve,
                             lode_friction friction)
{
    lode_world_def def = lode_world_def_default();
    def.solver = LODE_SOLVER_DIRECT;
    def.friction_model = friction;
    def.sleep.enabled = false;
    def.simd = LODE_SIMD_PLAIN;
    lode_world world = lode_world_create(&def);
    assert_true(lode_world_is_valid(world));
    *kernels = *lode__solver_kernels_for(LODE_SIMD_PLAIN);
    kernels->solve_bonds = solve;
    lode__registry_world(world.id)->solver.kernels = kernels;
    return world;
}

static lode_body add_box(lode_world world, lode_vec3 at, lode_vec3 half, double turn)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = at;
    def.rotation = (lode_quat){(lode_real)cos(turn / 2), 0, 0, (lode_real)sin(turn / 2)};
    lode_body body = lode_body_create(world, &def);
    lode_shape_def shape = lode_shape_def_default();
    assert_true(lode_shape_create_box(body, &shape, half).id != 0);
    return body;
}

/* Towers of boxes turned against each other; some carry another box on a hinge. */
static int build(lode_world world, lode_body *bodies, test_random *random)
{
    int count = 0;
    add_ground(world);
    for (int place = 0; place < PLACES; ++place) {
        int high = 1 + (int)random_below(random, HIGH);
        for (int i = 0; i < high; ++i) {
            double size = random_between(random, 0.2, 0.3);
            lode_vec3 at = vec((lode_real)(3 * place + random_between(random, -0.08, 0.08)),
                               (lode_real)random_between(random, -0.08, 0.08),
                               (lode_real)(0.3 + 0.6 * i));
            bodies[count++] = add_box(world, at,
                                      vec((lode_real)size, (lode_real)size, (lode_real)0.3),
                                      random_between(random, -1, 1));
        }
        if (random_below(random, 3) == 0) {
            lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
            lode_vec3 at = vec((lode_real)(3 * place), 2, 1);
            def.body_a = bodies[count - 1];
            def.body_b = bodies[count] = add_box(
                world, at, vec((lode_real)0.1, (lode_real)0.1, (lode_real)0.1), 0);
            ++count;
            assert_int_equal(lode_joint_def_anchor_world(&def, at, vec(1, 0, 0)), LODE_OK);
            assert_true(lode_joint_create(world, &def).id != 0);
        }
    }
    return count;
}

/* The largest difference of the worlds' velocities, m/s and rad/s. */
static double apart(lode_world world, lode_world plain)
{
    lode_body bodies[2][MOST_BODIES];
    int count = lode_world_get_bodies(world, bodies[0], MOST_BODIES);
    double most = 0;
    assert_int_equal(lode_world_get_bodies(plain, bodies[1], MOST_BODIES), count);
    assert_true(count <= MOST_BODIES);
    for (int i = 0; i < count; ++i) {
        const lode_vec3 v[2][2] = {{lode_body_get_linear_velocity(bodies[0][i]),
                                    lode_body_get_angular_velocity(bodies[0][i])},
                                   {lode_body_get_linear_velocity(bodies[1][i]),
                                    lode_body_get_angular_velocity(bodies[1][i])}};
        for (int k = 0; k < 2; ++k) {
            most = fmax(most, fabs((double)v[0][k].x - (double)v[1][k].x));
            most = fmax(most, fabs((double)v[0][k].y - (double)v[1][k].y));
            most = fmax(most, fabs((double)v[0][k].z - (double)v[1][k].z));
        }
    }
    return most;
}

/* Pushes every third box sideways by up to its weight: some slide. */
static void push(lode_body *bodies, int count, test_random *random)
{
    for (int i = 0; i < count; i += 3)
        assert_int_equal(
            lode_body_add_force(bodies[i], vec(lode_body_get_mass(bodies[i]).mass *
                                                   (lode_real)random_between(random, -10, 10),
                                               0, 0)),
            LODE_OK);
}

static void follow(lode_world world, lode_world plain)
{
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *snapshot = malloc(size);
    assert_true(snapshot && lode_world_snapshot(world, snapshot, size) == size);
    assert_int_equal(lode_world_restore(plain, snapshot, size), LODE_OK);
    free(snapshot);
}

static void compare(lode_friction friction)
{
    double worst = 0;
    asked = solved = 0;
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        lode__solver_kernels with, without;
        lode_world world = make_world(&with, count_solve, friction),
                   plain = make_world(&without, give_up, friction);
        lode_body bodies[MOST_BODIES];
        test_random random = {seed};
        int count = build(world, bodies, &random);
        for (int step = 0; step < STEPS; ++step) {
            if (step % 10 == 9)
                push(bodies, count, &random);
            follow(world, plain);
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
            assert_int_equal(lode_world_step(plain, STEP), LODE_OK);
            double off = apart(world, plain);
            worst = fmax(worst, off);
            if (!(off < TOLERANCE))
                fail_msg("seed %d, step %d: off by %g", (int)seed, step, off);
        }
        lode_world_destroy(world);
        lode_world_destroy(plain);
    }
    print_message("asked %u, solved %u, worst %g\n", asked, solved, worst);
    assert_true(solved > 12 * STEPS); /* more than one island a step */
}

static void welds_come_to_what_the_problem_comes_to(void **state)
{
    (void)state;
    compare(LODE_FRICTION_PYRAMID);
}

static void welds_come_to_it_with_cones_too(void **state)
{
    (void)state;
    compare(LODE_FRICTION_CONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(welds_come_to_what_the_problem_comes_to),
        cmocka_unit_test(welds_come_to_it_with_cones_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

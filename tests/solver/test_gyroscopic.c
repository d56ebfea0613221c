/* Free rotation of bodies without symmetry, by the kernels alone, against Euler's equations
 * integrated with fine steps of Runge and Kutta's method in double. */
#include "core/math.h"
#include "tests/solver/oracle.h"
#include "tests/support/test.h"

#include <string.h>

enum { SPINNERS = LODE_LANES };

static bodies world;
static _Alignas(64) lode__spinner spinner[SPINNERS];
static _Alignas(64) lode_real gyro[SPINNERS];
static int32_t line[SPINNERS];

static lode__spinners spinners(void)
{
    return (lode__spinners){spinner, line, gyro, SPINNERS};
}

/* Spinner i is body i + 1, with principal moments `moments` and about the given speed. */
static void set_spinner(int i, lode_vec3 moments, lode_real speed, test_random *random)
{
    lode_quat axes = rotation_random(random);
    lode_real s[6] = {moments.x, moments.y, moments.z, 0, 0, 0};
    memset(&spinner[i], 0, sizeof spinner[i]);
    s3_rotate(axes, s, spinner[i].inertia);
    assert_true(s3_invert(spinner[i].inertia, spinner[i].inv_inertia));
    line[i] = i + 1;
    gyro[i] = 1;
    world.velocity[i + 1].angular = v3_scale(unit_random(random), speed);
}

/* Moments of a body that can exist: none above the sum of the others. */
static lode_vec3 moments_random(test_random *random)
{
    lode_vec3 spread = vec_between(random, 0.1, 3);
    return v3(spread.y + spread.z, spread.x + spread.z, spread.x + spread.y);
}

static void advance(lode_real h, int steps)
{
    const lode__solver_kernels *kernels = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    lode__dense lines = bodies_lines(&world);
    lode__spinners s = spinners();
    for (int i = 0; i < steps; ++i) {
        kernels->gyroscopic(&lines, &s, 0, SPINNERS, h);
        kernels->integrate_pose(&lines, 1, SPINNERS + 1, h);
    }
    kernels->rotate_inertia(&lines, &s, 0, SPINNERS);
}

/* R I R^T v of spinner i as it stands. */
static exact3 world_inertia_times(int i, exact3 v)
{
    exact s[6];
    for (int k = 0; k < 6; ++k)
        s[k] = spinner[i].inertia[k];
    lode_quat q = world.pose[i + 1].rotation;
    return exact_rotate(q, exact_transform(s, exact_rotate(q_conj(q), v)));
}

static exact3 velocity(int i)
{
    return exact_of(world.velocity[i + 1].angular);
}

static exact energy(int i)
{
    return exact_dot(velocity(i), world_inertia_times(i, velocity(i))) / 2;
}

static exact3 momentum(int i)
{
    return world_inertia_times(i, velocity(i));
}

static exact size_of(exact3 v)
{
    return __builtin_sqrtl(exact_dot(v, v));
}

static exact distance(exact3 a, exact3 b)
{
    return size_of(exact_madd(a, b, -1));
}

/* --- tests */

/* Also where one Newton step alone explodes: a body that turns by a radian and more in a step. Some
 * forty roundings lie between the energies before and after. */
static void no_step_adds_energy(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 4000; ++round) {
        bodies_random(&world, &random);
        lode_real h = real_between(&random, 0.001, 0.1);
        exact before[SPINNERS];
        for (int i = 0; i < SPINNERS; ++i) {
            lode_real turns = real_between(&random, 0.01, round % 2 ? 1 : 30);
            set_spinner(i, moments_random(&random), turns / h, &random);
            before[i] = energy(i);
        }
        advance(h, 1);
        for (int i = 0; i < SPINNERS; ++i)
            assert_true(energy(i) <= before[i] * (1 + 40 * (exact)REAL_EPSILON));
    }
}

/* Ten seconds at 60 Hz of tumbling at up to two turns a second. */
static void long_tumbling_only_loses_energy(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 10; ++round) {
        bodies_random(&world, &random);
        for (int i = 0; i < SPINNERS; ++i)
            set_spinner(i, moments_random(&random), real_between(&random, 1, 12), &random);
        for (int second = 0; second < 10; ++second) {
            exact before[SPINNERS];
            for (int i = 0; i < SPINNERS; ++i)
                before[i] = energy(i);
            advance((lode_real)1 / 60, 60);
            for (int i = 0; i < SPINNERS; ++i) {
                assert_true(energy(i) <= before[i] * (1 + 60 * 40 * (exact)REAL_EPSILON));
                assert_true(energy(i) > 0);
            }
        }
    }
}

/* The inertia line holds (R I R^T)^-1 of the pose, and the rotation stays of unit length. Moments
 * differ by less than 30, and the inverse is stored with 8 roundings of its largest number. */
static void rotated_inertia_is_the_inverse_in_world_axes(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 100; ++round) {
        bodies_random(&world, &random);
        for (int i = 0; i < SPINNERS; ++i)
            set_spinner(i, moments_random(&random), 5, &random);
        advance((lode_real)1 / 60, 20);
        for (int i = 0; i < SPINNERS; ++i) {
            const lode__inv_mass *m = &world.inv_mass[i + 1];
            const exact s[6] = {m->xx, m->yy, m->zz, m->xy, m->xz, m->yz};
            exact3 v = exact_of(unit_random(&random));
            exact error = distance(exact_transform(s, world_inertia_times(i, v)), v);
            assert_true(error < 30 * 16 * (exact)REAL_EPSILON);
            lode_quat q = world.pose[i + 1].rotation;
            exact3 u = {{q.x, q.y, q.z}};
            exact length = (exact)q.w * q.w + exact_dot(u, u);
            assert_true(exact_abs(length - 1) < 8 * (exact)REAL_EPSILON);
        }
    }
}

static void bodies_without_the_torque_keep_their_velocity(void **state)
{
    (void)state;
    test_random random = {4};
    bodies_random(&world, &random);
    for (int i = 0; i < SPINNERS; ++i) {
        set_spinner(i, moments_random(&random), 5, &random);
        gyro[i] = (lode_real)(i % 2);
    }
    bodies before = world;
    advance((lode_real)1 / 60, 10);
    for (int i = 0; i < SPINNERS; ++i) {
        const void *now = &world.velocity[i + 1], *then = &before.velocity[i + 1];
        if (i % 2)
            assert_memory_not_equal(now, then, sizeof(lode__velocity));
        else
            assert_memory_equal(now, then, sizeof(lode__velocity));
    }
}

/* --- the oracle: in body axes dw/dt = -I^-1 (w x I w) */

typedef struct exact_body {
    exact inertia[6], inverse[6];
    exact3 w;
} exact_body;

static exact_body exact_body_of(int i)
{
    exact_body b;
    const lode_real *s = spinner[i].inertia;
    const lode__inv_mass as_line = {0, s[0], s[1], s[2], s[3], s[4], s[5], 0};
    for (int k = 0; k < 6; ++k)
        b.inertia[k] = s[k];
    exact_invert(&as_line, b.inverse);
    b.w = exact_rotate(q_conj(world.pose[i + 1].rotation), velocity(i));
    return b;
}

static exact3 acceleration(const exact_body *b, exact3 w)
{
    return exact_transform(b->inverse, exact_cross(exact_transform(b->inertia, w), w));
}

static void runge_kutta(exact_body *b, exact h)
{
    exact3 k1 = acceleration(b, b->w);
    exact3 k2 = acceleration(b, exact_madd(b->w, k1, h / 2));
    exact3 k3 = acceleration(b, exact_madd(b->w, k2, h / 2));
    exact3 k4 = acceleration(b, exact_madd(b->w, k3, h));
    exact3 sum = exact_madd(exact_add(k1, k4), exact_add(k2, k3), 2);
    b->w = exact_madd(b->w, sum, h / 6);
}

/* Largest errors over the spinners after one second in steps of h, relative to speed and momentum:
 * of the velocity in body axes and of the momentum in world axes. */
static void errors_after_a_second(int steps, exact *out_velocity, exact *out_momentum)
{
    static exact_body oracle[SPINNERS];
    exact3 momentum_before[SPINNERS];
    test_random random = {5};
    bodies_random(&world, &random);
    for (int i = 0; i < SPINNERS; ++i) {
        lode_real speed = real_between(&random, 1, 4);
        set_spinner(i, v3(1, 2, (lode_real)2.5), speed, &random);
        oracle[i] = exact_body_of(i);
        momentum_before[i] = momentum(i);
    }
    advance(1 / (lode_real)steps, steps);
    *out_velocity = *out_momentum = 0;
    for (int i = 0; i < SPINNERS; ++i) {
        for (int k = 0; k < 500; ++k)
            runge_kutta(&oracle[i], 1 / 500.0L);
        exact3 w = exact_rotate(q_conj(world.pose[i + 1].rotation), velocity(i));
        exact of_velocity = distance(w, oracle[i].w) / size_of(w);
        exact of_momentum = distance(momentum(i), momentum_before[i]) / size_of(momentum(i));
        *out_velocity = exact_max(*out_velocity, of_velocity);
        *out_momentum = exact_max(*out_momentum, of_momentum);
    }
}

/* Both integrators are of the first order: errors fall as the step, and at up to 4 rad/s they stay
 * below 1.5 h after one second (seen: 0.9 h). */
static void errors_fall_with_the_step(void **state)
{
    (void)state;
    exact velocity_error[3], momentum_error[3];
    for (int i = 0; i < 3; ++i) {
        int steps = 60 << (2 * i);
        errors_after_a_second(steps, &velocity_error[i], &momentum_error[i]);
        print_message("%4d Hz: velocity %.5Lf, momentum %.5Lf\n", steps, velocity_error[i],
                      momentum_error[i]);
        assert_true(momentum_error[i] < 1.5L / (exact)steps);
        assert_true(velocity_error[i] < 1.5L / (exact)steps);
    }
    for (int i = 0; i < 2; ++i) {
        assert_true(velocity_error[i + 1] < velocity_error[i] / 3);
        assert_true(momentum_error[i + 1] < momentum_error[i] / 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_adds_energy),
        cmocka_unit_test(long_tumbling_only_loses_energy),
        cmocka_unit_test(rotated_inertia_is_the_inverse_in_world_axes),
        cmocka_unit_test(bodies_without_the_torque_keep_their_velocity),
        cmocka_unit_test(errors_fall_with_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Free rotation of bodies without symmetry, by the kernels alone, against Euler's equations
 * integrated with fine steps of Runge and Kutta's method in double. */
#include "core/math.h"
#include "simd/dispatch.h"
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
    return (lode__spinners){
        .spinner = spinner, .line = line, .gyro = gyro, .count = SPINNERS, .any_gyro = true};
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

/* R M R^T v, the matrix M being in the axes of spinner i as it stands. */
static exact3 world_times(int i, const lode_real m[6], exact3 v)
{
    exact s[6];
    for (int k = 0; k < 6; ++k)
        s[k] = m[k];
    lode_quat q = world.pose[i + 1].rotation;
    return exact_rotate(q, exact_transform(s, exact_rotate(q_conj(q), v)));
}

static exact3 world_inertia_times(int i, exact3 v)
{
    return world_times(i, spinner[i].inertia, v);
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

/* --- the torque as a force: of the w that is to be after the step with h, in the world's axes,
 * A w = L + h L x w, A = R I R^T, it is L x w. */

static void check_torque(int i, lode_real h, exact3 torque)
{
    const lode_real *inverse = spinner[i].inv_inertia;
    exact3 l = momentum(i), after = exact_madd(l, torque, h);
    exact most = (exact)inverse[0] + inverse[1] + inverse[2]; /* no eigenvalue is above it */
    exact scale = size_of(l) * most * (size_of(l) + h * size_of(torque));
    exact3 should = exact_cross(l, world_times(i, inverse, after));
    assert_true(distance(torque, should) <= 40 * (exact)REAL_EPSILON * scale);
}

static void gyros_point(lode__gyros *out, int used)
{
    out->used = used;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        int i = lane < used ? lane : 0;
        out->pose[lane] = (const lode_real *)&world.pose[i + 1];
        out->velocity[lane] = (const lode_real *)&world.velocity[i + 1];
        out->inertia[lane] = spinner[i].inertia;
    }
}

/* From bodies that hardly turn to such as turn by thirty radians in the step, to within some forty
 * roundings; the same bits from all instruction sets. */
static void the_torque_is_that_of_the_steps_end(void **state)
{
    (void)state;
    test_random random = {6};
    for (int round = 0; round < 4000; ++round) {
        const int used = 1 + round % LODE_LANES;
        lode__gyros plain, wide;
        bodies_random(&world, &random);
        lode_real h = real_between(&random, 0.001, 0.1);
        for (int i = 0; i < SPINNERS; ++i)
            set_spinner(i, moments_random(&random), real_between(&random, 0.001, 30) / h, &random);
        gyros_point(&plain, used);
        lode__solver_kernels_for(LODE_SIMD_PLAIN)->gyroscopic_torque(&plain, h);
        for (int i = 0; i < used; ++i)
            check_torque(i, h, exact_of(get_lane3(&plain.torque, i)));
        for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
            const lode__solver_kernels *kernels = lode__solver_kernels_for((lode_simd)simd);
            if (!kernels || !lode_simd_available((lode_simd)simd))
                continue;
            gyros_point(&wide, used);
            kernels->gyroscopic_torque(&wide, h);
            for (int i = 0; i < used; ++i) {
                lode_vec3 a = get_lane3(&plain.torque, i), b = get_lane3(&wide.torque, i);
                assert_memory_equal(&a, &b, sizeof a);
            }
        }
    }
}

/* --- the oracle: in body axes dw/dt = f(w) = -I^-1 (w x I w), and what a step of h adds to it.
 *
 * Of I w' + h w' x (I w' + m) / 2 = m with m = I w, and of one step of Newton's from w too, the
 * solution is w + h f - h^2/2 I^-1 (2 f x m + w x I f) + O(h^3), where the exact one has half of
 * 2 f x m: what is off by h e follows de/dt = f'(w) e + I^-1 (m x f) / 2. The momentum in world
 * axes is to stay, but for O(h^3) a step. Both are thus known, vector by vector, but for their
 * second order in h: that is what is asserted, for any speed and inertia. */

typedef struct exact_body {
    exact inertia[6], inverse[6];
} exact_body;

enum { SPEED, SPEED_ERROR, PARTS };

/* In body axes: w, and its error by h. */
typedef struct exact_motion {
    exact3 part[PARTS];
} exact_motion;

static exact_body exact_body_of(int i)
{
    exact_body b;
    const lode_real *s = spinner[i].inertia;
    const lode__inv_mass as_line = {0, s[0], s[1], s[2], s[3], s[4], s[5], 0};
    for (int k = 0; k < 6; ++k)
        b.inertia[k] = s[k];
    exact_invert(&as_line, b.inverse);
    return b;
}

static exact3 scaled(exact3 v, exact s)
{
    return exact_madd((exact3){{0}}, v, s);
}

/* f'(w) x */
static exact3 slope(const exact_body *b, exact3 w, exact3 x)
{
    exact3 torque = exact_add(exact_cross(exact_transform(b->inertia, x), w),
                              exact_cross(exact_transform(b->inertia, w), x));
    return exact_transform(b->inverse, torque);
}

static exact_motion rate_of(const exact_body *b, const exact_motion *m)
{
    exact_motion out;
    exact3 w = m->part[SPEED], momentum = exact_transform(b->inertia, w);
    exact3 f = exact_transform(b->inverse, exact_cross(momentum, w));
    exact3 source = exact_transform(b->inverse, exact_cross(momentum, f));
    out.part[SPEED] = f;
    out.part[SPEED_ERROR] = exact_madd(slope(b, w, m->part[SPEED_ERROR]), source, 0.5L);
    return out;
}

static exact_motion moved(const exact_motion *m, const exact_motion *rate, exact h)
{
    exact_motion out;
    for (int k = 0; k < PARTS; ++k)
        out.part[k] = exact_madd(m->part[k], rate->part[k], h);
    return out;
}

static void runge_kutta(const exact_body *b, exact_motion *m, exact h)
{
    exact_motion k1 = rate_of(b, m), at = moved(m, &k1, h / 2);
    exact_motion k2 = rate_of(b, &at);
    at = moved(m, &k2, h / 2);
    exact_motion k3 = rate_of(b, &at);
    at = moved(m, &k3, h);
    exact_motion k4 = rate_of(b, &at);
    exact_motion sum = moved(&k1, &k4, 1), middle = moved(&k2, &k3, 1);
    sum = moved(&sum, &middle, 2);
    *m = moved(m, &sum, h / 6);
}

/* Of a spinner over one second: where it begins and, by the oracle, ends. */
typedef struct second {
    exact3 momentum;
    exact_motion end;
} second;

static second second_of(int i)
{
    exact_body b = exact_body_of(i);
    lode_quat inverse = q_conj(world.pose[i + 1].rotation);
    second out = {.momentum = momentum(i)};
    out.end.part[SPEED] = exact_rotate(inverse, velocity(i));
    for (int k = 0; k < 500; ++k)
        runge_kutta(&b, &out.end, 1 / 500.0L);
    return out;
}

/* Over all spinners, of velocity in body axes and of momentum in world axes, by speed and by
 * momentum: the errors, and what the first is off the first order in h. */
typedef struct spin_errors {
    exact velocity, momentum;
    exact velocity_left;
} spin_errors;

static void add_errors(spin_errors *e, int i, const second *s, exact h)
{
    exact3 w = exact_rotate(q_conj(world.pose[i + 1].rotation), velocity(i));
    exact3 of_velocity = exact_madd(w, s->end.part[SPEED], -1);
    exact3 of_momentum = exact_madd(momentum(i), s->momentum, -1);
    exact speed = size_of(w), whole = size_of(s->momentum);
    e->velocity += size_of(of_velocity) / speed;
    e->momentum += size_of(of_momentum) / whole;
    e->velocity_left += distance(of_velocity, scaled(s->end.part[SPEED_ERROR], h)) / speed;
}

static spin_errors errors_after_a_second(int steps)
{
    second seconds[SPINNERS];
    spin_errors out = {0};
    test_random random = {5};
    bodies_random(&world, &random);
    for (int i = 0; i < SPINNERS; ++i) {
        lode_real speed = real_between(&random, 1, 4);
        set_spinner(i, moments_random(&random), speed, &random);
        seconds[i] = second_of(i);
    }
    advance(1 / (lode_real)steps, steps);
    for (int i = 0; i < SPINNERS; ++i)
        add_errors(&out, i, &seconds[i], 1 / (exact)steps);
    return out;
}

/* What is left falls by 16 where h falls by 4, by 4 if a first order were not the one above: 8
 * tells them apart. A step makes some ten roundings, which mostly cancel: one in each is allowed
 * for. */
static void errors_are_the_first_order_of_the_step(void **state)
{
    (void)state;
    spin_errors before = {0};
    for (int steps = 60; steps <= 960; steps *= 4) {
        spin_errors e = errors_after_a_second(steps);
        exact rounding = SPINNERS * steps * (exact)REAL_EPSILON;
        print_message("%4d Hz: velocity %.5Lf, first order but for %.7Lf; momentum %.7Lf\n", steps,
                      e.velocity / SPINNERS, e.velocity_left / SPINNERS, e.momentum / SPINNERS);
        if (before.velocity > 0) {
            assert_true(e.velocity_left < before.velocity_left / 8 + rounding);
            assert_true(e.momentum < before.momentum / 8 + rounding);
        }
        before = e;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_adds_energy),
        cmocka_unit_test(long_tumbling_only_loses_energy),
        cmocka_unit_test(rotated_inertia_is_the_inverse_in_world_axes),
        cmocka_unit_test(bodies_without_the_torque_keep_their_velocity),
        cmocka_unit_test(the_torque_is_that_of_the_steps_end),
        cmocka_unit_test(errors_are_the_first_order_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

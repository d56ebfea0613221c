/* test_math_rotation.c: rotations and directions of the ODE face, held against what they mean. */
#include "tests/ode/refusals.h"

#include <ode/odemath.h>
#include <ode/rotation.h>

#include <string.h>

#define HUGE_LENGTH ((dReal)(sizeof(dReal) == sizeof(float) ? 1e30 : 1e200))
#define TINY_LENGTH ((dReal)(sizeof(dReal) == sizeof(float) ? 1e-40 : 1e-310)) /* denormal */

static void fill(dReal *a, int n)
{
    for (int i = 0; i < n; ++i)
        a[i] = 9;
}

static void assert_matrix(const dReal *got, const double want[9])
{
    for (int i = 0; i < 12; ++i)
        if (i % 4 == 3)
            assert_true(got[i] == 0);
        else
            ASSERT_CLOSE(got[i], want[i / 4 * 3 + i % 4]);
}

static void assert_rotation(const dReal *R)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double dot = 0;
            for (int k = 0; k < 3; ++k)
                dot += (double)R[4 * i + k] * R[4 * j + k];
            ASSERT_CLOSE(dot, i == j);
        }
    double det = 0;
    for (int k = 0; k < 3; ++k) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        det += R[k] * ((double)R[4 + l] * R[8 + m] - (double)R[4 + m] * R[8 + l]);
    }
    ASSERT_CLOSE(det, 1);
}

/* Rodrigues: cos 1 + sin [u] + (1 - cos) u u^T, with C's functions. */
static void rodrigues(const double axis[3], double angle, double out[9])
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double u[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
    double c = cos(angle), s = sin(angle);
    const double cross[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out[3 * i + j] = c * (i == j) + s * cross[3 * i + j] + (1 - c) * u[i] * u[j];
}

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* --- matrices */

static void identities_are_set(void **state)
{
    (void)state;
    dMatrix3 R;
    dQuaternion q;
    fill(R, 12);
    fill(q, 4);
    dRSetIdentity(R);
    assert_matrix(R, identity);
    dQSetIdentity(q);
    assert_true(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
}

static void turns_about_axes_are_rodrigues(void **state)
{
    (void)state;
    for (int i = 0; i < 200; ++i) {
        dReal axis[3], angle = draw() * 10;
        draw_many(axis, 3);
        const double wide[3] = {axis[0], axis[1], axis[2]};
        double want[9];
        dMatrix3 R, from_q;
        dQuaternion q;
        fill(R, 12);
        fill(from_q, 12);
        rodrigues(wide, angle, want);
        dRFromAxisAndAngle(R, axis[0], axis[1], axis[2], angle);
        assert_matrix(R, want);
        dQFromAxisAndAngle(q, axis[0], axis[1], axis[2], angle);
        ASSERT_CLOSE(q[0], cos((double)angle / 2));
        dRfromQ(from_q, q);
        assert_matrix(from_q, want);
    }
}

static void any_axis_and_angle_will_do(void **state)
{
    (void)state;
    const double diagonal[3] = {1, 1, 0};
    double want[9];
    dMatrix3 R;
    dQuaternion q;
    rodrigues(diagonal, 0.75, want);
    dRFromAxisAndAngle(R, HUGE_LENGTH, HUGE_LENGTH, 0, (dReal)0.75);
    assert_matrix(R, want);
    dRFromAxisAndAngle(R, TINY_LENGTH, TINY_LENGTH, 0, (dReal)0.75);
    assert_matrix(R, want);
    dQFromAxisAndAngle(q, HUGE_LENGTH, HUGE_LENGTH, 0, (dReal)0.75);
    ASSERT_CLOSE(q[0], cos(0.375));
    ASSERT_CLOSE(q[1], sin(0.375) * sqrt(0.5));
    ASSERT_CLOSE(q[2], sin(0.375) * sqrt(0.5));
    rodrigues(diagonal, 1000000000, want);
    dRFromAxisAndAngle(R, 1, 1, 0, 1000000000);
    assert_matrix(R, want);
    dRFromAxisAndAngle(R, 0, 0, 0, (dReal)0.75);
    assert_matrix(R, identity);
    dQFromAxisAndAngle(q, 0, 0, 0, (dReal)0.75);
    assert_true(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
}

static void multiply(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            out[3 * i + j] = 0;
            for (int k = 0; k < 3; ++k)
                out[3 * i + j] += a[3 * i + k] * b[3 * k + j];
        }
}

static void euler_angles_are_turns_the_other_way(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    for (int i = 0; i < 100; ++i) {
        dReal phi = draw() * 4, theta = draw() * 4, psi = draw() * 4;
        double X[9], Y[9], Z[9], XY[9], want[9];
        dMatrix3 R;
        fill(R, 12);
        rodrigues(x, -phi, X);
        rodrigues(y, -theta, Y);
        rodrigues(z, -psi, Z);
        multiply(X, Y, XY);
        multiply(XY, Z, want);
        dRFromEulerAngles(R, phi, theta, psi);
        assert_matrix(R, want);
    }
}

static double along(const dReal *R, int column, const dReal *v)
{
    return (double)R[column] * v[0] + (double)R[4 + column] * v[1] + (double)R[8 + column] * v[2];
}

static void two_axes_make_a_frame(void **state)
{
    (void)state;
    for (int i = 0; i < 100; ++i) {
        dReal a[3], b[3];
        dMatrix3 R;
        fill(R, 12);
        draw_many(a, 3);
        draw_many(b, 3);
        dRFrom2Axes(R, a[0], a[1], a[2], b[0], b[1], b[2]);
        assert_rotation(R);
        ASSERT_CLOSE(along(R, 0, a),
                     sqrt((double)a[0] * a[0] + (double)a[1] * a[1] + (double)a[2] * a[2]));
        ASSERT_CLOSE(along(R, 2, b), 0);
        assert_true(along(R, 1, b) > 0 && R[3] == 0 && R[7] == 0 && R[11] == 0);
    }
    dMatrix3 R;
    const dReal close = sizeof(dReal) == sizeof(float) ? (dReal)1e-5 : (dReal)1e-12;
    dRFrom2Axes(R, 1, 1, 1, 1 + close, 1, 1);
    assert_rotation(R);
    dRFrom2Axes(R, HUGE_LENGTH, 0, HUGE_LENGTH, 0, TINY_LENGTH, 0);
    assert_rotation(R);
    ASSERT_CLOSE(R[5], 1);
    ASSERT_CLOSE(R[0], sqrt(0.5));
}

static void axes_without_a_plane_change_nothing(void **state)
{
    (void)state;
    static const dReal axes[][6] = {{0, 0, 0, 2, 4, 6},
                                    {1, 0, 0, 0, 0, 0},
                                    {1, 2, 3, 2, 4, 6},
                                    {1, 2, 3, (dReal)-0.1, (dReal)-0.2, (dReal)-0.3},
                                    {0, 0, 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; ++i) {
        const dReal *a = axes[i];
        dMatrix3 R;
        fill(R, 12);
        EXPECT_MESSAGE(dRFrom2Axes(R, a[0], a[1], a[2], a[3], a[4], a[5]),
                       "dRFrom2Axes: the axes must not be zero or parallel");
        for (int k = 0; k < 12; ++k)
            assert_true(R[k] == 9);
    }
}

static void z_axes_make_a_frame(void **state)
{
    (void)state;
    for (int i = 0; i < 100; ++i) {
        dReal a[3];
        dMatrix3 R;
        draw_many(a, 3);
        fill(R, 12);
        dRFromZAxis(R, a[0], a[1], a[2]);
        assert_rotation(R);
        ASSERT_CLOSE(along(R, 2, a),
                     sqrt((double)a[0] * a[0] + (double)a[1] * a[1] + (double)a[2] * a[2]));
    }
    dMatrix3 R;
    dRFromZAxis(R, 0, 0, -TINY_LENGTH);
    assert_rotation(R);
    assert_true(R[10] == -1 && R[3] == 0 && R[11] == 0);
}

static void nearly_rotations_become_ones(void **state)
{
    (void)state;
    for (int i = 0; i < 100; ++i) {
        dMatrix3 m, before;
        draw_many(m, 12);
        memcpy(before, m, sizeof m);
        assert_int_equal(dOrthogonalizeR(m), 1);
        assert_rotation(m);
        double first = 0, second = 0, out = 0;
        for (int k = 0; k < 3; ++k) {
            first += (double)m[k] * before[k];
            second += (double)m[4 + k] * before[4 + k];
            out += (double)m[8 + k] * before[4 + k];
        }
        ASSERT_CLOSE(first, sqrt((double)before[0] * before[0] + (double)before[1] * before[1] +
                                 (double)before[2] * before[2]));
        assert_true(second > 0 && m[3] == 0 && m[7] == 0 && m[11] == 0);
        ASSERT_CLOSE(out, 0);
    }
    dMatrix3 mirrored = {2, 0, 0, 9, 0, 3, 0, 9, 0, 0, -1, 9};
    assert_int_equal(dOrthogonalizeR(mirrored), 1);
    assert_matrix(mirrored, identity);
    const dMatrix3 flat[] = {{0, 0, 0, 7, 0, 1, 0, 7, 0, 0, 1, 7},
                             {1, 0, 0, 7, 0, 0, 0, 7, 0, 0, 1, 7},
                             {1, 2, 3, 7, -2, -4, -6, 7, 0, 0, 1, 7}};
    for (int i = 0; i < 3; ++i) {
        dMatrix3 m;
        memcpy(m, flat[i], sizeof m);
        assert_int_equal(dOrthogonalizeR(m), 0);
        assert_memory_equal(m, flat[i], sizeof m);
    }
}

/* --- quaternions */

/* By the table of i, j and k. */
static void quaternion_product(const double *a, const double *b, double *out)
{
    static const int unit[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const int sign[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, 1, -1, -1}};
    for (int i = 0; i < 4; ++i)
        out[i] = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            out[unit[i][j]] += sign[i][j] * a[i] * b[j];
}

typedef void product_fn(dQuaternion, const dQuaternion, const dQuaternion);

static void quaternions_multiply(void **state)
{
    (void)state;
    product_fn *const products[] = {dQMultiply0, dQMultiply1, dQMultiply2, dQMultiply3};
    for (int round = 0; round < 100; ++round)
        for (int which = 0; which < 4; ++which) {
            dReal b[4], c[4], a[4], over[4];
            double wide_b[4], wide_c[4], want[4];
            draw_many(b, 4);
            draw_many(c, 4);
            for (int i = 0; i < 4; ++i) {
                wide_b[i] = (which & 1) && i ? -b[i] : b[i];
                wide_c[i] = (which & 2) && i ? -c[i] : c[i];
            }
            quaternion_product(wide_b, wide_c, want);
            products[which](a, b, c);
            for (int i = 0; i < 4; ++i)
                ASSERT_CLOSE(a[i], want[i]);
            memcpy(over, b, sizeof over); /* a result may lie over a factor */
            products[which](over, over, c);
            assert_memory_equal(over, a, sizeof a);
            products[which](c, b, c);
            assert_memory_equal(c, a, sizeof a);
        }
}

static void matrices_become_quaternions(void **state)
{
    (void)state;
    for (int i = 0; i < 200; ++i) {
        dReal axis[3], angle = i == 0 ? 0 : i == 1 ? (dReal)M_PI : draw() * 7;
        dMatrix3 R;
        dQuaternion q, want;
        draw_many(axis, 3);
        dRFromAxisAndAngle(R, axis[0], axis[1], axis[2], angle);
        dQFromAxisAndAngle(want, axis[0], axis[1], axis[2], angle);
        dQfromR(q, R);
        double dot = 0;
        for (int k = 0; k < 4; ++k)
            dot += (double)q[k] * want[k];
        for (int k = 0; k < 4; ++k)
            ASSERT_CLOSE(q[k], dot < 0 ? -want[k] : want[k]);
    }
}

static void quaternions_need_no_unit_length_for_a_matrix(void **state)
{
    (void)state;
    const dQuaternion zero = {0, 0, 0, 0};
    dMatrix3 R;
    dRfromQ(R, zero); /* 1 - 0 on the diagonal: ODE's formula */
    assert_matrix(R, identity);
}

/* The rate of a turn: (q(t + h) - q(t - h)) / 2h. */
static void angular_velocity_turns_quaternions(void **state)
{
    (void)state;
    for (int round = 0; round < 50; ++round) {
        dVector3 w;
        dQuaternion q, dq;
        double wide_q[4], wide_w[4] = {0}, want[4];
        draw_many(w, 3);
        draw_many(q, 4);
        for (int i = 0; i < 4; ++i)
            wide_q[i] = q[i];
        for (int i = 0; i < 3; ++i)
            wide_w[i + 1] = w[i];
        quaternion_product(wide_w, wide_q, want);
        dDQfromW(dq, w, q);
        for (int i = 0; i < 4; ++i)
            ASSERT_CLOSE(dq[i], want[i] / 2);
        dDQfromW(q, w, q);
        assert_memory_equal(q, dq, sizeof dq);
    }
    const dVector3 w = {0, 0, 2, 0};
    const double h = 1e-3;
    dQuaternion before, now, later, dq;
    dQFromAxisAndAngle(before, 0, 0, 1, (dReal)(0.5 - 2 * h));
    dQFromAxisAndAngle(now, 0, 0, 1, (dReal)0.5);
    dQFromAxisAndAngle(later, 0, 0, 1, (dReal)(0.5 + 2 * h));
    dDQfromW(dq, w, now);
    for (int i = 0; i < 4; ++i)
        assert_true(fabs(dq[i] - (later[i] - before[i]) / (2 * h)) < 1e-3);
}

/* --- directions */

static void directions_keep_theirs(void **state)
{
    (void)state;
    static const double sizes[] = {1, 1e-3, 1e10};
    for (int round = 0; round < 60; ++round) {
        dReal v[4], safe3[4], safe4[4], plain[4];
        draw_many(v, 4);
        for (int i = 0; i < 4; ++i)
            v[i] *= (dReal)sizes[round % 3];
        double three = sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
        double four = sqrt(three * three + (double)v[3] * v[3]);
        memcpy(safe3, v, sizeof v);
        memcpy(safe4, v, sizeof v);
        assert_int_equal(dSafeNormalize3(safe3), 1);
        assert_int_equal(dSafeNormalize4(safe4), 1);
        for (int i = 0; i < 4; ++i) {
            ASSERT_CLOSE(safe4[i], v[i] / four);
            if (i < 3)
                ASSERT_CLOSE(safe3[i], v[i] / three);
        }
        assert_true(safe3[3] == v[3]);
        memcpy(plain, v, sizeof v);
        dNormalize3(plain);
        assert_memory_equal(plain, safe3, sizeof plain);
        memcpy(plain, v, sizeof v);
        dNormalize4(plain);
        assert_memory_equal(plain, safe4, sizeof plain);
    }
}

static void extreme_lengths_have_directions(void **state)
{
    (void)state;
    const dReal lengths[] = {TINY_LENGTH, HUGE_LENGTH};
    for (int i = 0; i < 2; ++i) {
        dReal l = lengths[i];
        dVector3 a = {l, 0, -l, 9};
        dVector4 b = {0, l, l, -l};
        assert_int_equal(dSafeNormalize3(a), 1);
        ASSERT_CLOSE(a[0], sqrt(0.5));
        ASSERT_CLOSE(a[2], -sqrt(0.5));
        assert_true(a[1] == 0 && a[3] == 9);
        assert_int_equal(dSafeNormalize4(b), 1);
        assert_true(b[0] == 0);
        ASSERT_CLOSE(b[1], 1 / sqrt(3.0));
        ASSERT_CLOSE(b[3], -1 / sqrt(3.0));
    }
}

static void what_has_no_direction_stays(void **state)
{
    (void)state;
    const dReal none[][4] = {
        {0, 0, 0, 0}, {dNaN, 1, 0, 0}, {1, dNaN, 0, 0}, {1, 0, dNaN, 0}, {dInfinity, 0, 0, 1}};
    for (int i = 0; i < 5; ++i) {
        dReal v[4];
        memcpy(v, none[i], sizeof v);
        assert_int_equal(dSafeNormalize3(v), 0);
        assert_int_equal(dSafeNormalize4(v), 0);
        EXPECT_REFUSAL(dNormalize3(v), "dNormalize3: a must have a direction");
        EXPECT_REFUSAL(dNormalize4(v), "dNormalize4: a must have a direction");
        assert_memory_equal(v, none[i], sizeof v);
    }
}

static void planes_have_two_directions(void **state)
{
    (void)state;
    for (int round = 0; round < 100; ++round) {
        dVector3 n, p = {9, 9, 9, 9}, q = {9, 9, 9, 9};
        draw_many(n, 3);
        dNormalize3(n);
        dPlaneSpace(n, p, q);
        const dMatrix3 R = {n[0], n[1], n[2], 0, p[0], p[1], p[2], 0, q[0], q[1], q[2], 0};
        assert_rotation(R);
        assert_true(p[3] == 9 && q[3] == 9);
        assert_true(fabs(n[2]) > 0.70711 ? p[0] == 0 : p[2] == 0 || fabs(n[2]) > 0.7071);
    }
}

static void bad_rotations_are_refused(void **state)
{
    (void)state;
    dMatrix3 R, unknown = {1, 0, 0, 0, 0, 1, 0, 0, 0, dNaN, 1, 0};
    dQuaternion q;
    dVector3 v = {9, 9, 9, 9};
    fill(R, 12);
    fill(q, 4);
    EXPECT_REFUSAL(dRSetIdentity(NULL), "dRSetIdentity: R must not be null");
    EXPECT_REFUSAL(dRFromAxisAndAngle(NULL, 1, 0, 0, 1), "dRFromAxisAndAngle: R must not be null");
    EXPECT_REFUSAL(dRFromAxisAndAngle(R, dNaN, 0, 0, 1),
                   "dRFromAxisAndAngle: ax, ay, az must be finite");
    EXPECT_REFUSAL(dRFromAxisAndAngle(R, 1, 0, 0, dInfinity),
                   "dRFromAxisAndAngle: angle must be finite");
    EXPECT_REFUSAL(dRFromEulerAngles(R, 0, dNaN, 0),
                   "dRFromEulerAngles: phi, theta, psi must be finite");
    EXPECT_REFUSAL(dRFromEulerAngles(NULL, 0, 0, 0), "dRFromEulerAngles: R must not be null");
    EXPECT_REFUSAL(dRFrom2Axes(R, 1, 0, 0, 0, dNaN, 0), "dRFrom2Axes: bx, by, bz must be finite");
    EXPECT_REFUSAL(dRFrom2Axes(NULL, 1, 0, 0, 0, 1, 0), "dRFrom2Axes: R must not be null");
    EXPECT_REFUSAL(dRFromZAxis(R, 0, 0, 0), "dRFromZAxis: ax, ay, az must not be zero");
    EXPECT_REFUSAL(dRFromZAxis(R, 0, dNaN, 0), "dRFromZAxis: ax, ay, az must be finite");
    EXPECT_REFUSAL(dRFromZAxis(NULL, 0, 0, 1), "dRFromZAxis: R must not be null");
    EXPECT_REFUSAL(dRfromQ(R, NULL), "dRfromQ: q must not be null");
    EXPECT_REFUSAL(dQfromR(NULL, R), "dQfromR: q must not be null");
    EXPECT_REFUSAL(dQSetIdentity(NULL), "dQSetIdentity: q must not be null");
    EXPECT_REFUSAL(dQFromAxisAndAngle(q, 1, 0, 0, dNaN),
                   "dQFromAxisAndAngle: angle must be finite");
    EXPECT_REFUSAL(dQFromAxisAndAngle(NULL, 1, 0, 0, 1), "dQFromAxisAndAngle: q must not be null");
    EXPECT_REFUSAL(dQMultiply0(q, NULL, q), "dQMultiply0: qb must not be null");
    EXPECT_REFUSAL(dQMultiply1(q, q, NULL), "dQMultiply1: qc must not be null");
    EXPECT_REFUSAL(dQMultiply2(NULL, q, q), "dQMultiply2: qa must not be null");
    EXPECT_REFUSAL(dQMultiply3(q, NULL, q), "dQMultiply3: qb must not be null");
    EXPECT_REFUSAL(dDQfromW(q, NULL, q), "dDQfromW: w must not be null");
    EXPECT_REFUSAL(assert_int_equal(dSafeNormalize3(NULL), 0),
                   "dSafeNormalize3: a must not be null");
    EXPECT_REFUSAL(assert_int_equal(dSafeNormalize4(NULL), 0),
                   "dSafeNormalize4: a must not be null");
    EXPECT_REFUSAL(dNormalize3(NULL), "dNormalize3: a must not be null");
    EXPECT_REFUSAL(dNormalize4(NULL), "dNormalize4: a must not be null");
    EXPECT_REFUSAL(dPlaneSpace(v, NULL, v), "dPlaneSpace: p must not be null");
    EXPECT_REFUSAL(assert_int_equal(dOrthogonalizeR(NULL), 0),
                   "dOrthogonalizeR: m must not be null");
    EXPECT_REFUSAL(assert_int_equal(dOrthogonalizeR(unknown), 0),
                   "dOrthogonalizeR: m must be finite");
    for (int i = 0; i < 12; ++i)
        assert_true(R[i] == 9 && q[i % 4] == 9 && v[i % 4] == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(identities_are_set),
        HEARING(turns_about_axes_are_rodrigues),
        HEARING(any_axis_and_angle_will_do),
        HEARING(euler_angles_are_turns_the_other_way),
        HEARING(two_axes_make_a_frame),
        HEARING(axes_without_a_plane_change_nothing),
        HEARING(z_axes_make_a_frame),
        HEARING(nearly_rotations_become_ones),
        HEARING(quaternions_multiply),
        HEARING(matrices_become_quaternions),
        HEARING(quaternions_need_no_unit_length_for_a_matrix),
        HEARING(angular_velocity_turns_quaternions),
        HEARING(directions_keep_theirs),
        HEARING(extreme_lengths_have_directions),
        HEARING(what_has_no_direction_stays),
        HEARING(planes_have_two_directions),
        HEARING(bad_rotations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

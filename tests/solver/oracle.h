/* oracle.h: constraint rows as the textbooks have them, in long double: a Jacobian of twelve
 * numbers, a dense inverse mass matrix, one projected Gauss-Seidel update per row
 *
 *     d = mass (c - J v) - soft lambda,   lambda' = clamp(lambda + d),
 *     v += M^-1 J^T (lambda' - lambda).
 *
 * It shares no expression with the kernels. */
#ifndef LODE_TESTS_SOLVER_ORACLE_H
#define LODE_TESTS_SOLVER_ORACLE_H

#include "tests/solver/random_blocks.h"

typedef long double exact;

typedef struct exact3 {
    exact x[3];
} exact3;

/* Two bodies: linear and angular velocity of a, then of b; the inverse mass matrix. Of a body that
 * several lanes of a block share, each has one of `parts` equal parts. */
typedef struct oracle_pair {
    exact v[12];
    exact w[12][12];
    int32_t line[2];
    int parts[2];
} oracle_pair;

typedef struct oracle_row {
    exact j[12];
    exact mass, c, soft;
    exact lambda, lo, hi;
} oracle_row;

exact3 exact_of(lode_vec3 v);
exact3 exact_add(exact3 a, exact3 b);
exact3 exact_madd(exact3 a, exact3 b, exact s);
exact3 exact_cross(exact3 a, exact3 b);
exact exact_dot(exact3 a, exact3 b);
exact exact_abs(exact x);
exact exact_max(exact a, exact b);

/* R v, from the rotation matrix of a quaternion that is normalised here. */
exact3 exact_rotate(lode_quat q, exact3 v);

/* out = s^-1, for a matrix xx, yy, zz, xy, xz, yz; and s v. */
void exact_invert(const lode__inv_mass *s, exact out[6]);
exact3 exact_transform(const exact s[6], exact3 v);

/* The bodies of lines a and b. */
oracle_pair oracle_pair_of(const bodies *bodies, int32_t a, int32_t b);

/* The parts that lane `lane` has of its bodies, in a block with these lines. */
oracle_pair oracle_part_of(const bodies *bodies, const int32_t *a, const int32_t *b, int lane);

/* Linear and angular velocities of all bodies. */
typedef struct oracle_motion {
    exact v[BODIES + 1][6];
} oracle_motion;

oracle_motion oracle_motion_of(const bodies *bodies);

/* Gives a pair's bodies their velocities. */
void oracle_load(oracle_pair *pair, const oracle_motion *motion);

/* Adds to the bodies what their parts have gained over `before`: a body moves like the mean of its
 * parts. */
void oracle_gain(oracle_motion *motion, const oracle_pair *pair, const oracle_motion *before);

/* J of the velocity along `axis` of a point at arm_a on a, relative to that at arm_b on b. */
oracle_row oracle_point_row(exact3 axis, exact3 arm_a, exact3 arm_b);

exact3 lane3_at(const lode__lane3 *field, int lane);

/* Lane `lane` of a row: its Jacobian, impulse and limits. */
oracle_row oracle_row_of(const lode__row *row, int lane);

exact oracle_velocity(const oracle_pair *pair, const oracle_row *row);
exact oracle_coupling(const oracle_pair *pair, const oracle_row *i, const oracle_row *j);
void oracle_push(oracle_pair *pair, const oracle_row *row, exact impulse);
/* One update of a row's lambda; by how much it has changed. With the push that follows from it. */
exact oracle_change(const oracle_pair *pair, oracle_row *row);
void oracle_solve(oracle_pair *pair, oracle_row *row);

/* Solves a x = b with pivoting, in place: a is n x n by rows, b becomes x. */
void exact_solve(int n, exact *a, exact *b);

/* The largest error seen of each quantity, in roundings of the largest value that entered. */
typedef struct oracle_worst {
    exact velocity, impulse, mass;
} oracle_worst;

/* Asserts |is - should| <= tolerance * eps * scale and keeps the largest error in eps * scale. */
void assert_near(const char *what, exact is, exact should, exact scale, exact tolerance,
                 exact *worst);

#endif

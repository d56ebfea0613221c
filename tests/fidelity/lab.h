/* lab.h: a small laboratory: worlds, bodies, and what one measures on them.
 *
 * Measurements and expectations are in double whatever the library's precision, so that a
 * tolerance states the library's error and not the ruler's. Where a tolerance speaks of rounding
 * it is a multiple of LAB_EPSILON, the spacing of lode_real at 1. */
#ifndef LODE_TESTS_LAB_H
#define LODE_TESTS_LAB_H

#include <float.h>
#include <math.h>

#include "lode/lode.h"
#include "tests/support/test.h"

#ifdef LODE_DOUBLE
#define LAB_EPSILON DBL_EPSILON
#else
#define LAB_EPSILON ((double)FLT_EPSILON)
#endif

#define LAB_PI 3.14159265358979323846
#define LAB_G ((double)(lode_real)9.81)

/* Rows of a cmocka table that run `test` once with each solver; joint by joint, which takes many
 * times as long as PGS, where it says so. The hybrid one is made of others. */
extern lode_solver lab_solvers[LODE_SOLVER_COUNT];
/* clang-format off */
#define LAB_EACH_ITERATIVE(test) \
    {#test " (pgs)", test, NULL, NULL, &lab_solvers[LODE_SOLVER_PGS]}, \
    {#test " (soft step)", test, NULL, NULL, &lab_solvers[LODE_SOLVER_SOFT_STEP]}
#define LAB_EACH_SOLVER(test) \
    LAB_EACH_ITERATIVE(test), \
    {#test " (direct)", test, NULL, NULL, &lab_solvers[LODE_SOLVER_DIRECT]}
#define LAB_EACH_AND_PER_JOINT(test) \
    LAB_EACH_SOLVER(test), \
    {#test " (per joint)", test, NULL, NULL, &lab_solvers[LODE_SOLVER_PER_JOINT]}
/* clang-format on */
#define LAB_SOLVER(state) (*(const lode_solver *)*(state))

/* ---- vectors in double ---- */

typedef struct lab_vec {
    double x, y, z;
} lab_vec;

lab_vec lab_of(lode_vec3 v);
lode_vec3 lab_vec3(double x, double y, double z);
lab_vec lab_add(lab_vec a, lab_vec b);
lab_vec lab_sub(lab_vec a, lab_vec b);
lab_vec lab_scale(lab_vec a, double s);
lab_vec lab_cross(lab_vec a, lab_vec b);
double lab_dot(lab_vec a, lab_vec b);
double lab_length(lab_vec a);
lab_vec lab_rotate(lode_quat q, lab_vec v);
lab_vec lab_rotate_inv(lode_quat q, lab_vec v);

/* Fails the test unless |value - expected| <= tolerance, which a NaN never is. */
#define LAB_NEAR(value, expected, tolerance) \
    lab_near((value), (expected), (tolerance), #value, __FILE__, __LINE__)
#define LAB_AT_MOST(value, bound) lab_at_most((value), (bound), #value, __FILE__, __LINE__)
void lab_near(double value, double expected, double tolerance, const char *what, const char *file,
              int line);
void lab_at_most(double value, double bound, const char *what, const char *file, int line);

/* ---- worlds and bodies ---- */

/* Gravity LAB_G downwards. */
lode_world lab_world(lode_solver solver);
lode_world lab_world_without_gravity(lode_solver solver);

typedef struct lab_material {
    double density, friction, restitution;
} lab_material;

lode_shape_def lab_shape_def(lab_material material);

/* A static half-space below z = 0. */
lode_body lab_floor(lode_world world, lab_material material);
lode_body lab_body(lode_world world, lode_vec3 position);
lode_body lab_sphere(lode_world world, lab_material material, lode_vec3 position, double radius);
lode_body lab_box(lode_world world, lab_material material, lode_vec3 position, lode_vec3 half);

/* Fails the test when a step does not succeed. */
void lab_run(lode_world world, double dt, int steps);

/* Of the environment. */
int lab_number_from(const char *variable, int otherwise);

/* What people call it. */
const char *lab_solver_name(lode_solver solver);
const char *lab_integrator_name(lode_integrator integrator);

/* How many times the solver integrates within one step. */
int lab_sub_steps(lode_world world);

/* The exact period of a pendulum of `length` that is let go at `angle` off the vertical:
 * 2 pi sqrt(l/g) / agm(1, cos a/2), the arithmetic-geometric mean, which is the complete elliptic
 * integral. */
double lab_period(double length, double angle);

/* The time of the first full swing through zero of `position`, which is read after each step: from
 * the first passage to the third, each interpolated within its step. Negative: none in 20 s. */
double lab_swing(lode_world world, double h, double (*position)(void *context), void *context);

/* ---- what bodies have ---- */

lab_vec lab_center(lode_body body);
lab_vec lab_velocity(lode_body body);
lab_vec lab_spin(lode_body body); /* angular velocity */
lab_vec lab_moment(lode_body body); /* I w, world axes */
double lab_spin_energy(lode_body body);

typedef struct lab_sum {
    lab_vec momentum;
    lab_vec angular; /* about the world's origin */
    double kinetic;
} lab_sum;

lab_sum lab_total(const lode_body *bodies, int count);

/* With that of their heights in lab_world(). */
double lab_energy(const lode_body *bodies, int count);

/* At a point of a contact in the last step, N s. */
double lab_largest_impulse(lode_world world);

#endif

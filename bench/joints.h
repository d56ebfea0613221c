/* joints.h: chains of bodies in joints of one type, and what they cost; see joints.c.
 *
 * A solver of joints is one engine behind a table of functions, like an engine of the benchmark's
 * scenes. */
#ifndef BENCH_JOINTS_H
#define BENCH_JOINTS_H

#include <stdbool.h>

/* Types that an engine may have, by Lode's names and in Lode's order. */
#define BENCH_LINK_TYPES(X) \
    X(BALL, "ball") \
    X(HINGE, "hinge") \
    X(SLIDER, "slider") \
    X(UNIVERSAL, "universal") \
    X(FIXED, "fixed") \
    X(PISTON, "piston") \
    X(PRISMATIC_ROTOIDE, "prismatic-rotoide") \
    X(PRISMATIC_UNIVERSAL, "prismatic-universal") \
    X(PLANE_2D, "plane-2D") \
    X(WHEEL, "wheel") \
    X(DISTANCE, "distance") \
    X(SIX_AXES, "six axes") \
    X(DOUBLE_BALL, "double ball") \
    X(DOUBLE_HINGE, "double hinge") \
    X(ANGULAR_MOTOR, "angular motor") \
    X(EULER_MOTOR, "Euler motor") \
    X(LINEAR_MOTOR, "linear motor")

#define BENCH_LINK_NAME(type, name) BENCH_LINK_##type,
typedef enum bench_link_type {
    BENCH_LINK_TYPES(BENCH_LINK_NAME) BENCH_LINK_TYPE_COUNT
} bench_link_type;

enum {
    BENCH_CHAINS = 500,
    BENCH_LINKS = 8, /* bodies of a chain, a metre from each other along x; a joint between
                        neighbours. A plane-2D joins each to the world instead */
    BENCH_JOINT_ITERATIONS = 20
};

/* Of each body: mass and inertia about every axis, kg and kg m^2. */
#define BENCH_LINK_MASS 1.0
#define BENCH_LINK_INERTIA 0.1

/* Of the motor on each axis that a joint leaves free: a speed that it never reaches, m/s or rad/s,
 * and the most it pushes with, N or N m. What stood still would end in tiny numbers, which cost
 * more than others. */
#define BENCH_MOTOR_SPEED 1000.0
#define BENCH_MOTOR_FORCE 0.01

/* How fast body `i` of all turns at first about an axis, rad/s. */
double bench_link_spin(int i, int axis);

typedef struct bench_jointer {
    /* A world of these chains that has not been stepped; null where there is no such type. */
    void *(*create)(bench_link_type type);
    void (*destroy)(void *jointer);

    /* Solves one step; returns the seconds it took. */
    double (*step)(void *jointer);

    /* How many rows a step has. */
    int (*rows)(void *jointer);
} bench_jointer;

extern const bench_jointer bench_jointer_ode;

/* Times all types and prints a table. True whatever it shows. */
bool bench_joints(void);

#endif

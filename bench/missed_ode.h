/* missed_ode.h: by how much a step of an ODE program misses what its rows ask for.
 *
 * A row asks for a velocity along a direction, of one body past another: a normal for one that
 * brings bodies out of each other, friction for none, a ball or hinge joint for one that brings its
 * anchors together. What it pushes with is bounded: a normal pulls nothing, and friction ends at a
 * multiple of the normal force. The row is met when no change of its impulse within these bounds
 * brings the velocity nearer to what is asked; the change of velocity that its impulse would still
 * have to make, by itself, is what it misses. */
#ifndef BENCH_MISSED_ODE_H
#define BENCH_MISSED_ODE_H

#include <ode/ode.h>

typedef struct bench_missed_row {
    dBodyID bodies[2]; /* the second may be null */
    double arms[2][3], direction[3];
    double asked;    /* m/s, of the first past the second */
    double inv_mass; /* 1/kg, of both at the row */
    double friction; /* of a row beside its normal; negative: this is a normal */
    int touch;       /* number of the contact, or -1 for a joint's */
} bench_missed_row;

typedef struct bench_missed {
    bench_missed_row *rows;
    int count, capacity;
    dJointID *touches;
    dJointFeedback *forces; /* of touches */
    int touch_count, touch_capacity;
    double dt;
} bench_missed;

/* Forgets all rows; the rows to come are of steps of `dt` seconds. */
void bench_missed_begin(bench_missed *missed, double dt);

/* A contact that is attached to these bodies, or one of them and the world; and a ball or a hinge.
 * Before the step. */
void bench_missed_touch(bench_missed *missed, dJointID joint, const dContact *contact, dBodyID a,
                        dBodyID b);
void bench_missed_joint(bench_missed *missed, dWorldID world, dJointID joint);

/* From now on contacts tell their forces. */
void bench_missed_listen(bench_missed *missed);

/* The root of the mean square of what rows miss, m/s; after the step. */
double bench_missed_mean(const bench_missed *missed);

void bench_missed_free(bench_missed *missed);

#endif

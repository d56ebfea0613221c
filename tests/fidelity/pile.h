/* pile.h: boxes put on a floor, and how far they get from where they were put.
 *
 * A pile owns its world. Boxes are put in touch, without overlap; `start` is where each one's
 * centre was then, or when pile_mark() was last called. A tower that leans, a box that creeps and
 * one that was thrown out all show in pile_farthest(). */
#ifndef LODE_TESTS_PILE_H
#define LODE_TESTS_PILE_H

#include "tests/fidelity/lab.h"

enum { PILE_MOST = 820 }; /* a pyramid of base forty */

typedef struct pile {
    lode_world world;
    lode_body boxes[PILE_MOST];
    lab_vec start[PILE_MOST];
    int count;
} pile;

/* A lab_world() with a floor. */
pile pile_create(lode_solver solver, lab_material floor);

/* The same, with sub-steps and all else as a program has them that sets nothing. */
pile pile_create_default(lab_material floor);

lode_body pile_put(pile *p, lab_material material, double x, double y, double z, lode_vec3 half);

/* Edges of 1 m. */
lode_body pile_put_cube(pile *p, lab_material material, double x, double y, double z);

/* Cubes in the plane y = 0, `pitch` apart within a layer. */
void pile_put_pyramid(pile *p, lab_material material, int base, double pitch);

/* Measures from here on. */
void pile_mark(pile *p);

double pile_farthest(const pile *p);
double pile_fastest(const pile *p);

/* Fails the test when a box got farther than `moved` or is faster than `speed`; ends the world. */
void pile_expect_rest(pile *p, double moved, double speed);

#endif

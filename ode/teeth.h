/* teeth.h: where two wheels meet, as gears whose axes are parallel or intersect, or by a chain.
 *     parallel axes        intersecting axes         chain
 *
 *      a       a             a                           .---- c2 ---.
 *      |       |             |                      c1 -'             \
 *     A1 --c-- A2            A1 ---- c             ( A1 )      ( A2    )
 *                                    |               `-.             /
 *                               a -- A2                 `-----------'
 *
 * All in world coordinates. Wheel i turns about its axis a_i through A_i, its anchor, and has its
 * radius r_i there, across the axis. Teeth press along the normal n at c_i, or the chain pulls
 * along it. */
#ifndef LODE_ODE_TEETH_H
#define LODE_ODE_TEETH_H

#include "ode/joint.h"

typedef struct lode__ode_wheels {
    int mode;
    lode_vec3 axis[2], anchor[2]; /* axes of length 1 */
    dReal ratio;                  /* of the radii, first by second; given where axes are parallel */
    dReal radius[2];              /* given with a chain */
} lode__ode_wheels;

typedef struct lode__ode_teeth {
    lode_vec3 contact[2], normal;
    dReal radius[2];
    lode_vec3 spoke[2]; /* from A_i to c_i, of length 1 */
    dReal side[2];      /* 1 where c_i goes along n as the wheel turns about its axis; or -1 */
} lode__ode_teeth;

/* False where they do not meet: axes are parallel that should not be, or anchors are in one
 * place. */
bool lode__ode_teeth_of(const lode__ode_wheels *wheels, lode__ode_teeth *out);

#endif

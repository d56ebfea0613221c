/* mass.h: mass properties of shapes, and how they move and add up.
 *
 * A lode_mass holds the inertia about its own centre, so adding and moving need the parallel axis
 * theorem only in lode__mass_add(). */
#ifndef LODE_COLLIDE_MASS_H
#define LODE_COLLIDE_MASS_H

#include "core/shapes.h"

lode_mass lode__mass_zero(void);
lode_mass lode__mass_sphere(lode_real density, lode_real radius);
lode_mass lode__mass_box(lode_real density, lode_vec3 half_extents);
lode_mass lode__mass_capsule(lode_real density, lode_real radius,
                             lode_real half_length); /* along z */
lode_mass lode__mass_cylinder(lode_real density, lode_real radius,
                              lode_real half_length); /* along z */

/* What a shape is made of. */
typedef struct lode__matter {
    const lode__geometry *geometry;
    const lode__shape_data *data; /* or null */
    lode_real density;
} lode__matter;

/* In the body's frame; zero for a plane. */
lode_mass lode__mass_of(lode__matter matter);

lode_mass lode__mass_translate(lode_mass mass, lode_vec3 by);
lode_mass lode__mass_rotate(lode_mass mass, lode_quat by); /* about the frame's origin */
lode_mass lode__mass_add(lode_mass a, lode_mass b);

/* True for a finite positive mass with an inertia that some solid could have: positive definite,
 * and no principal moment above the sum of the others, within rounding. */
bool lode__mass_is_possible(const lode_mass *mass);

#endif

/* mass.h: mass properties as plain data: those of solids, and how they move and add up.
 *
 * For bodies whose mass is given by hand (lode_body_set_mass()). All of these take and give values
 * and touch no world. Where they refuse an argument they report LODE_ERROR_ARGUMENT and return
 * zeros. Those of hulls and closed meshes are in hull.h and mesh.h, that of a shape in shape.h.
 *
 * Where the total is known in place of the density: lode_mass_adjust(lode_mass_of_sphere(1, r),
 * kg). */
#ifndef LODE_MASS_H
#define LODE_MASS_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* Solids of this density (kg/m^3, at least 0) around the origin, their sizes as in shape.h: above
 * 0, the capsule's half length at least 0; both round ones along z. */
LODE_API lode_mass lode_mass_of_sphere(lode_real density, lode_real radius);
LODE_API lode_mass lode_mass_of_box(lode_real density, lode_vec3 half_extents);
LODE_API lode_mass lode_mass_of_capsule(lode_real density, lode_real radius, lode_real half_length);
LODE_API lode_mass lode_mass_of_cylinder(lode_real density, lode_real radius,
                                         lode_real half_length);

/* The same matter moved by `by`; turned about the frame's origin; as heavy as `total`, at least 0,
 * in all (what weighs nothing can only stay so). Masses must be finite, at least 0. */
LODE_API lode_mass lode_mass_translate(lode_mass mass, lode_vec3 by);
LODE_API lode_mass lode_mass_rotate(lode_mass mass, lode_quat by);
LODE_API lode_mass lode_mass_adjust(lode_mass mass, lode_real total);

/* Both together, by the parallel axis theorem. */
LODE_API lode_mass lode_mass_add(lode_mass a, lode_mass b);

/* Could a body have it? Finite and above 0, as its principal moments are, of which none exceeds the
 * sum of the others but for rounding. lode_body_set_mass() asks for no more. */
LODE_API bool lode_mass_is_valid(const lode_mass *mass);

LODE_EXTERN_C_END

#endif

/* lines.h: the hot per-body components. Each is one line of eight reals, aligned to its size, so
 * that eight bodies are loaded as eight lines and transposed in registers.
 *
 * Line 0 of a dense array is the static dummy: finite, massless, at rest, never written. Padded
 * lanes and static bodies point at it. Lines 1 and up are dynamic bodies. Lines -1 and down are
 * kinematic bodies that move, and what contacts that do not push a body see of it: massless, read
 * by any number of lanes and threads, never written by a kernel. A test for "may be pushed" is
 * therefore `line > 0`. */
#ifndef LODE_CORE_LINES_H
#define LODE_CORE_LINES_H

#include "lode/types.h"

#include <stddef.h>

enum { LODE_LANES = 8 };

#define LODE__LINE_ALIGN (LODE_LANES * sizeof(lode_real))

typedef struct lode__pose {
    _Alignas(8 * sizeof(lode_real)) lode_vec3 position; /* of the centre of mass, world */
    lode_real pad;
    lode_quat rotation; /* body axes to world axes */
} lode__pose;

typedef struct lode__velocity {
    _Alignas(8 * sizeof(lode_real)) lode_vec3 linear; /* of the centre of mass, world, m/s */
    lode_vec3 angular;                                /* world, rad/s */
    lode_real pad[2];
} lode__velocity;

typedef struct lode__inv_mass {
    _Alignas(8 * sizeof(lode_real)) lode_real inv_mass;
    lode_real xx, yy, zz, xy, xz, yz; /* inverse inertia about the centre of mass, world axes */
    lode_real pad;
} lode__inv_mass;

typedef struct lode__force {
    _Alignas(8 * sizeof(lode_real)) lode_vec3 force; /* at the centre of mass, world, N */
    lode_vec3 torque;                                /* world, N m */
    lode_real extra_gravity; /* the scale of gravity, less 1; in dense lines, else 0 */
    lode_real pad;
} lode__force;

/* Displacement since the start of the step, to first order: what J is multiplied with to learn
 * how far a constraint has moved. No kernel writes a kinematic body's line, so that one holds what
 * its displacement is per second. */
typedef struct lode__delta {
    _Alignas(8 * sizeof(lode_real)) lode_vec3 linear; /* m; m/s where it is a rate */
    lode_vec3 angular;                                /* rad; rad/s */
    lode_real is_rate;                                /* 1 for kinematic bodies, else 0 */
    lode_real pad;
} lode__delta;

_Static_assert(sizeof(lode__pose) == LODE__LINE_ALIGN, "a pose is one line");
_Static_assert(sizeof(lode__velocity) == LODE__LINE_ALIGN, "a velocity is one line");
_Static_assert(sizeof(lode__inv_mass) == LODE__LINE_ALIGN, "an inverse mass is one line");
_Static_assert(sizeof(lode__force) == LODE__LINE_ALIGN, "a force is one line");
_Static_assert(sizeof(lode__delta) == LODE__LINE_ALIGN, "a delta is one line");
_Static_assert(offsetof(lode__velocity, angular) == 3 * sizeof(lode_real) &&
                   offsetof(lode__delta, angular) == 3 * sizeof(lode_real) &&
                   offsetof(lode__force, torque) == 3 * sizeof(lode_real) &&
                   offsetof(lode__delta, is_rate) == 6 * sizeof(lode_real) &&
                   offsetof(lode__force, extra_gravity) == 6 * sizeof(lode_real),
               "a motion is six numbers side by side");

#endif

/* link.h: joints that keep two anchors at a distance, as a rod without mass between them does. */
#ifndef LODE_ODE_LINK_H
#define LODE_ODE_LINK_H

#include "ode/joint_api.h"

typedef struct lode__ode_link {
    lode__ode_framed framed;
    dReal distance; /* m, at least 0 */
} lode__ode_link;

/* Makes one with the softness of the world as it is now. */
dJointID lode__ode_link_create(dWorldID world, dJointGroupID group,
                               const lode__ode_joint_type *type);

/* The distance is what it is now. */
void lode__ode_link_measure(lode__ode_framed *joint);

/* Puts the anchor of the program's first (0) or second (1) body, and measures. */
void lode__ode_link_put_anchor(lode__ode_framed *joint, int which, lode_vec3 point);

dReal lode__ode_link_distance(const lode__ode_framed *joint);

/* Says anchors and distance: the least that the handle API takes is 1e-4 m. */
void lode__ode_link_describe(const lode__ode_framed *joint, lode_joint_def *out_def);

#endif

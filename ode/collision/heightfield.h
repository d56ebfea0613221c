/* heightfield.h: height fields of the ODE face: data over a field of the handle API.
 *
 * ODE's heights are along y over x and z, and the middle of the grid is the geom's position; the
 * handle API's are along z over x and y from a corner. The field's columns are ODE's rows, so that
 * the axes are exchanged in a circle, which is a rotation, and cells are cut along the same
 * diagonal. */
#ifndef LODE_ODE_COLLISION_HEIGHTFIELD_H
#define LODE_ODE_COLLISION_HEIGHTFIELD_H

#include "ode/collision/shared.h"

#include "lode/heightfield.h"

struct dxHeightfieldData {
    lode__ode_shared shared; /* first; its shape is `field` */
    lode_heightfield *field; /* null: not built, or of bad content */
    dReal width, depth;      /* m */
    dHeightfieldGetHeight *ask;
    void *user;
    dReal bounds[2]; /* as set */
};

#endif

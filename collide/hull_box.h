/* hull_box.h: a box as a hull, for methods that know hulls only. */
#ifndef LODE_COLLIDE_HULL_BOX_H
#define LODE_COLLIDE_HULL_BOX_H

#include "collide/hull.h"

typedef struct lode__box_hull {
    lode_hull hull; /* nothing that mass properties need is filled in */
    lode__hull_planes planes, beside[4];
    lode__hull_corners corners;
    lode__hull_ridge ridges[12];
    lode__hull_face faces[6];
    lode_vec3 vertices[8];
} lode__box_hull;

/* As lode__hull_set_blocks() does it, to the bit. The record must stay where it is. */
void lode__fill_box_hull(lode__box_hull *box, const lode_real half[3]);

#endif

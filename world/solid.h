/* solid.h: solids as the public queries take them. */
#ifndef LODE_WORLD_SOLID_H
#define LODE_WORLD_SOLID_H

#include "collide/cast.h"
#include "world/world.h"

/* A solid at a pose, checked. It holds a pointer to itself: it must stay where it was filled. */
typedef struct lode__placed_solid {
    lode_real size[4];
    lode__shape_view view;
    uint32_t type;
    lode_vec3 position;
} lode__placed_solid;

/* Fills `out`, or reports which of `solid_name` and `pose_name` is wrong. */
lode_status lode__check_solid(lode__placed_solid *out, const lode_solid *solid, lode_pose pose,
                              const char *function, const char *solid_name, const char *pose_name);

#endif

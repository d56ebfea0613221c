/* urdf_robot.h: what the caller keeps of a robot. */
#ifndef LODE_IO_URDF_ROBOT_H
#define LODE_IO_URDF_ROBOT_H

#include "io/urdf_model.h"

/* All but the handles, in one block. False: there is no memory for it. */
bool lode__urdf_robot_make(const lode__urdf *u, lode_io_robot *out);

/* The handles: `bodies` of links in the order of the file. */
void lode__urdf_robot_fill(const lode__urdf *u, lode_articulation articulation,
                           const lode_body *bodies, lode_io_robot *robot);

#endif

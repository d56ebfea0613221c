/* urdf_frames.h: rotations, in double precision and with functions of its own, so that a file is
 * the same robot, to the bit, on all machines. */
#ifndef LODE_IO_URDF_FRAMES_H
#define LODE_IO_URDF_FRAMES_H

#include "lode/types.h"

typedef struct lode__io_turn {
    double w, x, y, z;
} lode__io_turn;

lode__io_turn lode__io_turn_mul(lode__io_turn a, lode__io_turn b);
lode_quat lode__io_turn_quat(lode__io_turn turn);
lode__io_turn lode__io_turn_of(lode_quat q);

/* About x, y and z, in this order, each in the axes of the origin: URDF's rpy. */
lode__io_turn lode__io_turn_rpy(const double angles[3]);

/* The x axis to `axis`, of length 1: y, z and x take the places of each other in a circle, until x
 * is where the axis' largest part is, and the shortest turn does the rest. */
lode__io_turn lode__io_turn_x_to(const double axis[3]);

/* To length 1, whatever the size was. False: it is zero. */
bool lode__io_normalize(double v[3]);

void lode__io_turn_rotate(lode__io_turn turn, const double v[3], double out[3]);

#endif

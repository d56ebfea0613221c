/* motion.h: a body is moved as it is, without a word to its velocity. */
#ifndef LODE_SOLVER_MOTION_H
#define LODE_SOLVER_MOTION_H

#include "solver/kernels.h"

/* by[0], by[w], ... by[5 w], times `share`, are its way and turn, m and rad. */
void lode__line_move(const lode__dense *lines, uint32_t line, const double *by, uint32_t w,
                     double share);

#endif

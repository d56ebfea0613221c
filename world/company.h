/* company.h: bodies that hold each other, and so go on together for the rest of a step.
 *
 * Two that touch from the beginning, and whose inner parts would come to each other, would be
 * stopped in each step at its beginning: they would hang in the air, while their speeds grow. So
 * they lose what they do not have in common of their ways, and all that already go with them. What
 * is left is the way of one body that has the momentum of all and turns as they do: they stay to
 * each other as they are, and are not asked about each other. One that something else stops leaves;
 * the others may meet it then. */
#ifndef LODE_WORLD_COMPANY_H
#define LODE_WORLD_COMPANY_H

#include "world/ways.h"

/* May these two go together? Not with a kinematic body's load, and not too many. */
bool lode__company_may_join(const lode__ways *ways, int32_t line, int32_t other);

/* They and their companies are one from this share of the step on. Those of them that are not
 * continuous, and are asked about nothing, hold all back who would take them farther than they went
 * alone. */
void lode__company_join(lode__ways *ways, int32_t line, int32_t other, double share);

/* The line's body is alone from now on; its course stays. */
void lode__company_leave(const lode__ways *ways, int32_t line);

#endif

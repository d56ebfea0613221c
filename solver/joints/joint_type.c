/* joint_type.c: the table of joint types, from its list. */
#include "solver/joints/joint_type.h"

#define ROW(type, type_name, row_count) [type] = {.name = #type_name, .rows = row_count},

const lode__joint_type lode__joint_types[LODE_JOINT_TYPE_COUNT] = {LODE__JOINT_TYPES(ROW)};

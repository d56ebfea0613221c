/* directions.h: the axes of motors, which the program gives. */
#ifndef LODE_ODE_DIRECTIONS_H
#define LODE_ODE_DIRECTIONS_H

#include "ode/joint_api.h"

typedef struct lode__ode_directions {
    int count;        /* of those that are in use, 0 to 3 */
    int rel[3];       /* 0: the world, 1, 2: the program's first and second body */
    lode_vec3 way[3]; /* in that one's frame, of length 1; zero until it is set */
} lode__ode_directions;

/* A joint that has them. */
typedef struct lode__ode_motor {
    lode__ode_framed framed;
    lode__ode_directions of;
} lode__ode_motor;

/* The motor, where joint and axis are good; else null, after a report. */
lode__ode_motor *lode__ode_motor_of(dJointID joint, const lode__ode_joint_type *type, int axis,
                                    const char *function);
#define MOTOR(joint, type) lode__ode_motor_of(joint, &(type), 0, __func__)
#define MOTOR_WITH(joint, type, axis) lode__ode_motor_of(joint, &(type), axis, __func__)

/* `function` is the caller, for reports. */
void lode__ode_set_count(lode__ode_motor *motor, int count, const char *function);
void lode__ode_set_direction(lode__ode_motor *motor, int axis, int rel, lode_vec3 v,
                             const char *function);

/* World; zero until it is set. */
lode_vec3 lode__ode_direction(const lode__ode_motor *motor, int axis);

/* For the table of types. Frames are the bodies' own, turned as they are. */
void lode__ode_describe_directions(const lode__ode_framed *joint, lode_joint_def *out_def);
lode__ode_place lode__ode_place_of_direction(const lode__ode_framed *joint, int limot);

#endif

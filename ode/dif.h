/* dif.h: how a world is told in the Dynamics Interchange Format: tables of Lua, line by line. */
#ifndef LODE_ODE_DIF_H
#define LODE_ODE_DIF_H

#include "ode/joint.h"

#include <stdio.h>

typedef struct lode__dif {
    FILE *file;
    const char *name; /* that the names of tables begin with */
    int depth;
} lode__dif;

void lode__dif_indent(const lode__dif *w);
void lode__dif_numbers(const lode__dif *w, const dReal *x, int count);

void lode__dif_number_line(const lode__dif *w, const char *label, dReal x);
void lode__dif_numbers_line(const lode__dif *w, const char *label, const dReal *x, int count);
void lode__dif_vector_line(const lode__dif *w, const char *label, lode_vec3 v);
void lode__dif_flag_line(const lode__dif *w, const char *label, bool set); /* if it is set */

/* Null: without a label. */
void lode__dif_open_table(lode__dif *w, const char *label);
void lode__dif_close_table(lode__dif *w);

/* export_joints.c */
void lode__dif_joint(lode__dif *w, dJointID joint, int number);

#endif

/* contact.h: contacts: what touched in the last step, and contacts that the caller makes. */
#ifndef LODE_CONTACT_H
#define LODE_CONTACT_H

#include "surface.h"

LODE_EXTERN_C_BEGIN

typedef struct lode_contact_point {
    lode_vec3 position; /* world, midway between the surfaces when it was found */
    lode_real depth;    /* when it was found; negative: a gap that may close within the step */
    lode_vec3 impulse;  /* N s, world, on body_a in all of the last step, bounces included: the part
                             along the normal, at least 0, and friction. By the step's length: the
                             mean force */
    uint32_t feature;   /* names the features that touch; stable while they stay the same */
    int child_a;        /* of a mesh or height field that is shape_a, the triangle, counted from 0;
                           else -1 */
    int child_b;        /* the same of shape_b */
} lode_contact_point;

typedef struct lode_contact {
    lode_shape shape_a, shape_b; /* null in contacts made by the caller */
    lode_body body_a, body_b;    /* body_b is null where the caller said so */
    lode_vec3 normal; /* unit, world, pointing into body_a, the way the impulse pushes it */
    int point_count;  /* a shape on a mesh has a contact for each normal it touches with */
    lode_contact_point points[4];
    lode_vec3 moment; /* N m s, world, on body_a in all of the last step, against rolling and
                         spinning; zero where there is no such friction */
} lode_contact;

/* Copies up to `capacity` contacts of the last step to `out_contacts` and returns how many there
 * are, 0 on failure: call with `capacity` 0 and null to count. First those of shapes, ordered by
 * shape, then those that sleeping bodies rest with, ordered by the shape that does, then those made
 * by the caller, ordered by body. Contacts of shapes are found where bodies stand when the step
 * begins, and positions then follow body_a. Those of shapes and bodies destroyed since are left
 * out. */
LODE_API int lode_world_get_contacts(lode_world world, lode_contact *out_contacts, int capacity);

/* One point of contact made by the caller, as by a collision detection of his own. */
typedef struct lode_contact_def {
    lode_body body_a, body_b; /* two different ones; one may be null: the world, at rest */
    lode_vec3 position;       /* world, midway between the surfaces */
    lode_vec3 normal;         /* world, pointing into body_a; normalised, not zero */
    lode_real depth;          /* m; negative: a gap that may close within the step */
    lode_real friction[2];    /* along `direction` and along normal x direction, at least 0, may be
                                 infinite; default 0.6; where the law is a box a force in N */
    lode_vec3 direction;      /* world; its part across the normal counts; default zero: any */
    lode_real restitution;    /* 0..1; default 0 */

    /* as surface.h says, of this point alone; default none of it */
    lode_friction_law law[2];
    lode_real slip[2];            /* s/kg, at least 0 */
    lode_real rolling[3];         /* m, at least 0 */
    bool rolling_is_moment[3];    /* rolling[k] is what this point resists with while it touches,
                                     in N m, however hard it is pressed; default false */
    lode_real bounce_speed;       /* m/s; default -1: the world's */
    lode_real soft_erp, soft_cfm; /* default -1: the solver's own */
    lode_real motion[2];          /* with which body_a is to go along these directions
                                                past body_b, m/s; asks for a direction */
    lode_real motion_normal;      /* and along the normal, m/s */
} lode_contact_def;

/* The defaults named above; the normal along z, bodies null: set at least one. */
LODE_API lode_contact_def lode_contact_def_default(void);

/* Gives the next step, whole or second half, `count` points of contact more; that step uses them
 * up. Points of one pair of bodies with the same normal, within a thousandth, and all values of the
 * surface alike are solved together, four at a time; either body may come first. A point starts
 * from the impulse of the nearest of the pair's points in the step before, if one was within 2 % of
 * the length unit as seen from one of the bodies; so give them in every step, and in the same
 * order. All are refused if one is: LODE_ERROR_ARGUMENT, LODE_ERROR_HANDLE, LODE_ERROR_MEMORY.
 * Points on bodies that are destroyed before the step are dropped. */
LODE_API lode_status lode_world_add_contacts(lode_world world, const lode_contact_def *contacts,
                                             int count);

LODE_EXTERN_C_END

#endif

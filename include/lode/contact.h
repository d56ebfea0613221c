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
    int point_count;  /* a shape on a mesh has a contact for each normal it touches with, and shapes
                         of materials with more points than four several of one normal */
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
    lode_immovable immovable;     /* body_a or body_b is not pushed; default none */
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

/* A contact of two shapes that is about to be solved. What it acts by may be changed, in `contact`,
 * which has the values that the shapes have made of it: friction, direction, restitution, laws,
 * slip (of the contact as a whole), rolling, bounce_speed, softness, motion and who is immovable.
 * The rest of it says which contact it is: bodies, normal, and position and depth of the deepest
 * point. */
typedef struct lode_contact_edit {
    lode_shape shape_a, shape_b;
    void *user_data_a, *user_data_b; /* of the shapes */
    const char *material_a, *material_b; /* of the shapes where they touch, or null; see
                                            material.h */
    int point_count;
    lode_contact_point points[4]; /* without impulses */
    lode_vec3 velocity; /* of body_a against body_b at contact.position, as the step began, m/s */
    lode_contact_def contact;
    bool refused; /* false; set it and the contact bears nothing in this step */
} lode_contact_edit;

/* The application's word on contacts, before they are solved: `edit` is shown each contact that has
 * a shape with `edit_contacts`, in each step and each lode_world_collide(), on the stepping thread,
 * in the order of the shapes' slots. It may change or refuse it for this step, and calls nothing of
 * the world. Values that lode_world_add_contacts() would refuse are reported, and the contact stays
 * what it was. Contacts that sleeping bodies rest with are not shown. Snapshots do not hold it. */
typedef struct lode_contact_editor {
    void *user;
    void (*edit)(void *user, lode_contact_edit *contact);
} lode_contact_editor;

LODE_EXTERN_C_END

#endif

/* sound.h: what a sound engine asks of a step: which contacts struck, roll and slide, between which
 * materials, and which sounds that makes.
 *
 * Contacts of shapes of which one asks for it (`sound_events` in lode_shape_def) are told, if they
 * pushed in the step. A shape on a mesh has one contact for each normal it touches with. A contact
 *
 * - strikes if its surfaces closed with at least the world's `impact_threshold` as the step began.
 *   It tells of nothing else then;
 * - rolls if the bodies turn against each other about an axis across the normal, with at least
 *   LODE_SOUND_ROLL_SPEED;
 * - slides if its surfaces slide past each other, with at least LODE_SOUND_SLIDE_SPEED.
 *
 * A ball that rolls and skids does both. Motions of surfaces (`motion` in lode/surface.h) count: a
 * box that rests on a running belt does not slide, one that the belt drags along does. What rolls
 * and slides is told as it moves at the end of the step. What sleeps makes no sound, nor do sensors
 * and contacts of the caller's.
 *
 * A world without shapes that ask pays nothing for this. */
#ifndef LODE_SOUND_H
#define LODE_SOUND_H

#include "types.h"

LODE_EXTERN_C_BEGIN

#define LODE_SOUND_ROLL_SPEED ((lode_real)0.1)   /* rad/s */
#define LODE_SOUND_SLIDE_SPEED ((lode_real)0.01) /* m/s, where length_unit is 1; scaled by it */

/* Those of lode_contact_properties. */
typedef enum lode_sound_kind {
    LODE_SOUND_BUMP,
    LODE_SOUND_ROLL,
    LODE_SOUND_SLIDE,
    LODE_SOUND_COUNT
} lode_sound_kind;

/* Names are those of lode/material.h, and stay where they are as it says. A number stays with its
 * name while the world lives; setting the world back brings names and numbers of the snapshot. */
typedef struct lode_sound {
    const char *name; /* null: none */
    int id;           /* above 0; 0: none */
} lode_sound;

/* Where something sounds. */
typedef struct lode_sound_contact {
    lode_shape shape_a, shape_b;
    lode_body body_a, body_b;
    void *user_data_a, *user_data_b;     /* of the shapes */
    const char *material_a, *material_b; /* of the shapes, where they touch; null: it has none */
    lode_sound sounds[LODE_SOUND_COUNT]; /* that the table says for these materials, by kind;
                                            none where neither shape has one */
    lode_vec3 position; /* world: the mean of its points, by their impulses, as the step began */
    lode_vec3 normal;   /* unit, world, pointing into body_a */
    lode_real impulse;  /* N s along the normal, of all points, in all of the step */
} lode_sound_contact;

/* Its speeds are those at its position as the step began, of one surface against the other. */
typedef struct lode_impact_sound {
    lode_sound_contact contact;
    lode_real speed;          /* m/s, in all directions */
    lode_real approach_speed; /* m/s, along the normal */
    lode_real energy;         /* J that the approach held: half its square, times the mass that both
                                 bodies together have there along the normal */
    lode_real lost;           /* J of it that parting, at the end of the step, does not hold */
} lode_impact_sound;

typedef struct lode_roll_sound {
    lode_sound_contact contact;
    lode_real angular_speed_a, angular_speed_b; /* of each body, about axes across the normal,
                                                   rad/s */
    lode_real angular_speed;                    /* of one against the other, likewise */
} lode_roll_sound;

typedef struct lode_slide_sound {
    lode_sound_contact contact;
    lode_real speed; /* of surface against surface, m/s across the normal: the mean of its points,
                        by their impulses */
    lode_real area;  /* m^2 across the normal, that the points which touch span; 0 for one and two */
    lode_real power; /* W that friction takes at such speeds */
} lode_slide_sound;

/* Each array is ordered by the slots of shape_a and shape_b. */
typedef struct lode_sounds {
    int impact_count, roll_count, slide_count;
    const lode_impact_sound *impacts;
    const lode_roll_sound *rolls;
    const lode_slide_sound *slides;
} lode_sounds;

/* Those of the last step; the arrays belong to the world and are good until the next step begins,
 * or the world is set back. Empty between two halves, after a step without its first half or one
 * that failed, and on failure: LODE_ERROR_HANDLE. */
LODE_API lode_sounds lode_world_get_sounds(lode_world world);

/* The id that a sound of this name has in events; 0 where the world does not know the name, and on
 * failure: LODE_ERROR_ARGUMENT for null. */
LODE_API int lode_world_find_sound(lode_world world, const char *name);

LODE_EXTERN_C_END

#endif

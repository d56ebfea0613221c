/* sounds.h: what lode/sound.h tells. Contacts that are asked for are noted before solve, with what
 * they cannot tell afterwards; memory for all that they may tell of is taken then, too. */
#ifndef LODE_WORLD_SOUNDS_H
#define LODE_WORLD_SOUNDS_H

#include "core/contact.h"
#include "core/lines.h"
#include "core/step.h"
#include "lode/sound.h"

struct lode__world;

/* How a's surface moves against b's at x, from a's centre of mass: linear + angular x x. */
typedef struct lode__closing {
    lode_vec3 linear, angular;
} lode__closing;

/* A manifold of a shape that asks, as it was before solve. */
typedef struct lode__heard {
    const lode__manifold *manifold;
    lode_vec3 center; /* of mass of body a */
    lode__closing closing;
    lode__inv_mass mass[2]; /* of both bodies; zero for those that nothing moves */
} lode__heard;

typedef struct lode__sounds {
    uint32_t asking_count; /* shapes */
    lode_impact_sound *impacts;
    lode_roll_sound *rolls;
    lode_slide_sound *slides;
    uint32_t impact_count, roll_count, slide_count;
    uint32_t impact_capacity, roll_capacity, slide_capacity;
    lode__heard *heard; /* in the arena; manifolds of one contact lie behind one another */
    uint32_t heard_count;
    lode_vec3 *corners; /* in the arena: room for all their points */
} lode__sounds;

void lode__sounds_free(lode__sounds *sounds);
size_t lode__sounds_bytes(const lode__sounds *sounds);

/* Those of the last step, before the next. */
void lode__sounds_forget(lode__sounds *sounds);

/* At the end of what takes memory. False: out of memory, nothing changed. */
bool lode__sounds_prepare(struct lode__world *world, const lode__step *step);

/* When all has moved, before anything falls asleep. */
void lode__sounds_run(struct lode__world *world, const lode__step *step);

/* Of the polygon around some points, seen along n. */
lode_real lode__area_around(const lode_vec3 *points, int count, lode_vec3 n);

#endif

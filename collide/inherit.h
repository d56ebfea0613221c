/* inherit.h: impulses that pass from one shape of a ground to the next; see inherit.c. */
#ifndef LODE_COLLIDE_INHERIT_H
#define LODE_COLLIDE_INHERIT_H

#include "core/bodies.h"
#include "core/contact.h"
#include "core/shapes.h"
#include "core/step.h"

struct lode__collide;

/* A point of the last step that its pair has no more, and what it bore. */
typedef struct lode__estate {
    uint32_t shape_a, shape_b;
    lode_vec3 normal;   /* into a */
    lode_vec3 position; /* from a's centre of mass */
    lode_vec3 offset;   /* from b's centre of mass to a's */
    lode_vec3 on_a;     /* N s, the impulse on a */
} lode__estate;

/* Of one block of the narrow phase. Kept from step to step for its memory. */
typedef struct lode__estates {
    lode__estate *items;
    uint32_t count, capacity;
} lode__estates;

void lode__estates_free(lode__estates *estates);

/* Does this world have what hands impulses on: more than one shape that stands still, or a body of
 * several? */
bool lode__inherit_is_on(const struct lode__collide *collide);

/* Room for so many more. False: out of memory. */
bool lode__estates_reserve(lode__estates *estates, uint32_t more);

/* Notes what the manifold's point number k bore; there is room. */
void lode__estates_add(lode__estates *estates, const lode__pool *bodies, const lode__manifold *m,
                       int k);

/* Gives what was noted to the points that are in the places now. Lists are empty after it. False:
 * out of memory, nothing changed. */
bool lode__inherit_run(struct lode__collide *collide, const lode__pool *bodies,
                       const lode__step *step);

#endif

/* events.h: touches, impacts and breaks, as lode/event.h has them.
 *
 * Two lists hold what touches, of contacts and of sensors, each sorted by the slots of both shapes
 * and with full handles. A step makes the list anew, and what is in one and not in the other has
 * begun or ended. So no call that ends a touch needs to know of events, and begin and end pair
 * whatever happens in between: a slot that was given anew has another generation.
 *
 * Memory for contacts and impacts is taken before solve. That of sensors, who look around when all
 * has moved, cannot be known then; if it is not to be had the old list stays, and the next step
 * finds what is different. */
#ifndef LODE_WORLD_EVENTS_H
#define LODE_WORLD_EVENTS_H

#include "core/bytes.h"
#include "core/contact.h"
#include "core/step.h"
#include "lode/event.h"

struct lode__world;

typedef struct lode__touch_list {
    lode_touch_event *items;
    uint32_t count, capacity;
} lode__touch_list;

/* What touches, and what the last step changed in it. */
typedef struct lode__touches {
    lode__touch_list now, next, begins, ends;
} lode__touches;

/* A manifold of a shape that asks for events, as it was before solve. */
typedef struct lode__watched {
    const lode__manifold *manifold;
    lode_vec3 center;         /* of mass of body a */
    lode_real approach_speed; /* below the threshold: not asked for */
    bool touches;             /* are asked for */
} lode__watched;

typedef struct lode__events {
    uint32_t asking_count; /* shapes that ask for touches or impacts */
    lode__touches contacts, sensors;
    lode_impact_event *impacts;
    uint32_t impact_count, impact_capacity;
    lode_break_event *breaks;
    uint32_t break_count, break_capacity;
    lode__watched *watched; /* in the arena */
    uint32_t watched_count;
} lode__events;

void lode__events_free(lode__events *events);
size_t lode__events_bytes(const lode__events *events);

/* Those of the last step, before the next. */
void lode__events_forget(lode__events *events);

/* At the end of what takes memory. False: out of memory, nothing changed. */
bool lode__events_prepare(struct lode__world *world, const lode__step *step);

/* When all has moved, before anything falls asleep: contacts then leave the list of those that
 * touch. */
void lode__events_run(struct lode__world *world, const lode__step *step);

/* What manifolds of one contact exerted in the step along their normal, N s, and the sum of their
 * points' places, from body a's centre of mass, times what each exerted. */
typedef struct lode__push {
    lode_real impulse;
    lode_vec3 sum;
} lode__push;

void lode__push_add(lode__push *push, const lode__manifold *manifold);

/* Where it pushed: the mean of its points, by their impulses. */
static inline lode_vec3 push_place(const lode__push *push)
{
    return push->impulse > 0 ? v3_scale(push->sum, 1 / push->impulse) : v3_zero();
}

/* breaks.c: joints that bore too much in this step break; there must be room to tell of them. */
bool lode__breaks_reserve(struct lode__world *world);
void lode__breaks_run(struct lode__world *world);
uint64_t lode__breaks_hash(const struct lode__world *world, uint64_t seed); /* of finite limits */

/* touches.c: the list `next` becomes `now`, both sorted; what is different is in `begins` and
 * `ends`, which have room for it. */
bool lode__touches_reserve(lode__touches *touches, uint32_t next);
void lode__touches_exchange(lode__touches *touches);
void lode__touches_free(lode__touches *touches);
size_t lode__touches_bytes(const lode__touches *touches);

/* The place of the first touch whose slots are not below these. */
uint32_t lode__touches_find(const lode__touch_list *list, uint32_t shape_a, uint32_t shape_b);

/* Both shapes of the touch live. */
bool lode__touch_lives(const struct lode__world *world, const lode_touch_event *touch);

/* What `shape_a` and `shape_b`, slots that live, touch as. */
lode_touch_event lode__touch_of(const struct lode__world *world, uint32_t shape_a,
                                uint32_t shape_b);

/* events_image.c: in snapshots. */
typedef struct lode__events_image {
    uint32_t contact_count, sensor_count;
    const char *contacts, *sensors;
} lode__events_image;

void lode__events_write(const struct lode__world *world, lode__writer *out);
bool lode__events_read(lode__events_image *image, lode__reader *in); /* false: malformed */
bool lode__events_reserve_image(const lode__events_image *image, struct lode__world *world);
void lode__events_restore(const lode__events_image *image, struct lode__world *world);

#endif

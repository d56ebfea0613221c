/* made.h: contacts made by the caller: points that wait for a step, and the manifolds of this step
 * and of the last one. */
#ifndef LODE_WORLD_MADE_H
#define LODE_WORLD_MADE_H

#include "core/contact.h"
#include "core/step.h"

typedef struct lode__world lode__world;

/* A point of contact with the body of lower slot as body a; the world, LODE__NONE, is always b. */
typedef struct lode__made_point {
    uint64_t pair; /* body_a << 32 | body_b */
    uint32_t generation_a, generation_b;
    lode_vec3 position; /* world */
    lode_vec3 normal, tangent;
    lode_real depth, friction[2], restitution;
    bool usual;            /* `special` says nothing, and may not have been written */
    lode__special special; /* without impulses */
} lode__made_point;

/* The manifold's shapes are LODE__NONE. Its offset, where b is the world, is a's position. What
 * walks ask for comes first; `special` is of those alone that are so. */
typedef struct lode__made {
    uint64_t pair;
    uint32_t generation_a, generation_b;
    lode__manifold manifold;
    lode__special special;
} lode__made;

_Static_assert(offsetof(lode__made, special) - offsetof(lode__made, manifold) ==
                   offsetof(lode__lone_manifold, special),
               "a made contact ends as a lone manifold");

typedef struct lode__made_list {
    lode__made *items; /* by pair, then as the points came */
    uint32_t count, capacity;
    uint32_t point_count; /* of all; while they are made */
} lode__made_list;

/* What the next step begins with of the last one's impulses: zeroed, all. */
typedef struct lode__made_fading {
    bool fades;
    lode_real share;      /* of those of contacts at rest; of others nothing */
    lode_real rest_speed; /* along the normal, at all points, m/s */
} lode__made_fading;

typedef struct lode__made_contacts {
    lode__made_point *points; /* for the next step, as they came */
    uint32_t count, capacity;
    lode__made_list now, last;
    lode__made_fading fading;
} lode__made_contacts;

/* Makes room for `count` points more, so that no step needs memory of the heap for them. */
bool lode__made_reserve(lode__made_contacts *made, uint32_t count);
void lode__made_free(lode__made_contacts *made);
size_t lode__made_bytes(const lode__made_contacts *made);

/* Groups the waiting points into this step's manifolds and hands the solver all contacts, those of
 * shapes first. Can be repeated. False: out of memory. */
bool lode__made_build(lode__world *world, const lode__step *step);

/* The step is done: its points are used up, and its manifolds are the last ones. */
void lode__made_consume(lode__made_contacts *made);

/* What two vectors that were given have become; points of one contact often have the same. */
typedef struct lode__made_axes {
    lode_vec3 given_normal, given_direction;
    lode_vec3 normal, tangent; /* unit */
    bool known;
} lode__made_axes;

/* contacts.c: brings `axes`, zeroed at first, to a finite normal that is not zero and a direction
 * of friction, zero for any. Reports one along the normal. */
lode_status lode__made_axes_find(lode_vec3 normal, lode_vec3 direction, lode__made_axes *axes,
                                 const char *function);

/* contacts.c: what a point acts by, as its definition says: all but its bodies. Reports what is
 * wrong with it, as "contacts.<field>". */
lode_status lode__made_values(const lode_contact_def *def, lode__made_axes *axes,
                              lode__made_point *out, const char *function);

/* contacts.c: a point that acts by its values, on two bodies or, with LODE__NONE, on one. */
void lode__made_join(const lode__world *world, uint32_t body_a, uint32_t body_b,
                     lode__made_point *point);

/* What a point says beyond friction and restitution, if it says nothing. */
#define LODE__MADE_USUAL ((lode__special){.bounce_speed = -1, .erp = -1, .cfm = -1})

/* Whether the bodies of the manifold still live. */
bool lode__made_stands(const lode__world *world, const lode__made *made);

uint64_t lode__made_hash(const lode__made_contacts *made, uint64_t seed);

#endif

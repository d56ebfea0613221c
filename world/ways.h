/* ways.h: the ways that bodies go in a step, and what is in a body's way.
 *
 * A line's *track* is its body's course from where the step began to where the step would lead it,
 * and the box around all of it. The boxes are the leaves of a tree of their own, apart from the
 * broad phase's: what stands still is found where it is, what moves by the whole of its way, and
 * one fast body makes no one else's search longer. */
#ifndef LODE_WORLD_WAYS_H
#define LODE_WORLD_WAYS_H

#include "collide/impact.h"
#include "collide/tree.h"
#include "solver/kernels.h"
#include "core/step.h"

typedef struct lode__world lode__world;

/* Of a body that moves in this step. */
typedef struct lode__track {
    lode__course course;
    lode__double3 lo, hi; /* around every point of the body on its way, world, m */
    double reach;         /* of its farthest point from its centre of mass */
    uint32_t carrier;     /* a kinematic body that takes it along, or LODE__NONE */
    uint32_t index;       /* among continuous bodies, or LODE__NONE */
    uint32_t company;     /* those with the same number go together; LODE__NONE: it goes alone */
    int32_t next;         /* line of another of its company, in a ring */
    bool changed;         /* it goes another way than the step would lead it */
    bool again;           /* and so since all have been asked */
} lode__track;

/* What a body meets first. */
typedef struct lode__impact_event {
    lode__impact_hit hit; /* its share is above 1: nothing */
    uint32_t partner;     /* body slot */
    bool one_way;         /* the partner is not pushed */
} lode__impact_event;

typedef struct lode__ways {
    lode__world *world;
    const lode__step *step;
    lode__dense *lines;
    lode__tree *tree;       /* of the tracks' boxes, a leaf's number being track_number() */
    lode__track *tracks;    /* of all lines, the kinematic ones before line 0, which has none */
    int32_t *changed;       /* lines whose courses have changed since all have been asked, */
    uint32_t changed_count; /* each once */
    double target;          /* how far from another a body is stopped, m */
    double longest, second; /* ways of bodies, m */
    int32_t longest_line;
} lode__ways;

static inline uint32_t lode__ways_count(const lode__dense *lines)
{
    return lines->count + lines->kinematic_count;
}

static inline lode__track *lode__ways_track(const lode__ways *ways, int32_t line)
{
    return &ways->tracks[line + (int32_t)ways->lines->kinematic_count];
}

/* Sets the tracks of all lines. Their indices are left at LODE__NONE. */
void lode__ways_set_tracks(lode__ways *ways);

/* Does no continuous shape of the line move as much against anything as that it must be asked? */
bool lode__ways_is_slow(const lode__ways *ways, int32_t line);

/* Puts all tracks into the tree, for which room must be reserved. */
void lode__ways_plant(lode__ways *ways);

/* The body goes another way from now on. */
void lode__ways_change(lode__ways *ways, int32_t line, lode__course course);

/* Everybody knows of the changes now. */
void lode__ways_all_asked(lode__ways *ways);

/* What the line's body meets: of all bodies where `partner` is LODE__NONE, else of that one. What
 * `event` says already stands, unless something comes sooner. */
void lode__ways_search(const lode__ways *ways, int32_t line, uint32_t partner,
                       lode__impact_event *event);

/* Goes through the lines whose ways come near that of `line`, itself among them, until the answer
 * is 0; start with *cursor = 0. */
int32_t lode__ways_next(const lode__ways *ways, int32_t line, uint32_t *cursor);

/* How far any point of the body gets, m. */
double lode__ways_length(const lode__track *track);

/* Radius of the largest ball that is known to be within a shape of the body, m. */
double lode__ways_inner(const lode__ways *ways, int32_t line);

/* Of the radius of the ball within a body: what moves less in a step need not be asked. */
#define LODE__WAYS_SLOW 0.1

#endif

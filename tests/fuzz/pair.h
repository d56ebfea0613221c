/* pair.h: two shapes in a small world, and what the oracle knows about them. */
#ifndef LODE_TESTS_FUZZ_PAIR_H
#define LODE_TESTS_FUZZ_PAIR_H

#include "tests/fuzz/forms.h"

enum { PAIR_MOST_PARTS = 64 };

/* A shape as the oracle sees it: a convex form, triangles, or a half-space. */
typedef struct subject {
    lode_shape_type type;
    lode_shape shape;
    lode_body body;
    int part_count; /* forms: 1, or as many as triangles */
    form parts[PAIR_MOST_PARTS];
    bool thin[PAIR_MOST_PARTS]; /* triangles that the library may ignore */
    double normal[3], offset;   /* of a plane: solid below offset */
    bool two_sided;
    double span, far; /* how large; how far its numbers are from 0 */
} subject;

typedef struct pair {
    lode_world world;
    subject a, b;
    form_gap gap;     /* the least of all parts; from above, of those that none may ignore */
    double tolerance; /* m: what rounding may do to the distance of the two */
} pair;

/* False: the recipe asks for something that is refused, as it should. */
bool pair_create(pair *p, fuzz_bytes *in);
void pair_destroy(pair *p);

static inline bool pair_is_polyhedron(const subject *s)
{
    return s->type == LODE_BOX || s->type == LODE_HULL;
}

static inline bool pair_is_surface(const subject *s)
{
    return s->type == LODE_MESH || s->type == LODE_HEIGHTFIELD;
}

static inline bool pair_is_solid(const subject *s)
{
    return !pair_is_surface(s) && s->type != LODE_PLANE;
}

/* How far the part and the other subject are apart, from below and from above, 0 if they
 * overlap. */
form_gap pair_gap(const subject *part_of, int part, const subject *other, int other_part);

/* Do they overlap, so deep that no rounding can part them? */
bool pair_surely_overlap(const pair *p);

/* What contacts and queries say about the pair is right, or the program ends. */
void pair_check_contacts(const pair *p);
void pair_check_collide(const pair *p);
void pair_check_queries(const pair *p, fuzz_bytes *in);

#endif

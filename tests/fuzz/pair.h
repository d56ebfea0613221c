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
    double apart;     /* m, of their bodies' origins */
    double tolerance; /* m: what rounding may do to the distance of the two */
} pair;

/* False: the recipe asks for something that is refused, as it should. */
bool pair_create(pair *p, fuzz_bytes *in);
void pair_destroy(pair *p);

/* One more solid on the body of `on`, somewhere about it. False: it was refused. */
bool pair_add_solid(subject *out, const subject *on, fuzz_bytes *in);

/* What is known of two subjects of the pair's bodies. */
void pair_between(const pair *p, const subject *a, const subject *b, pair *out);

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

/* The least of all their parts. */
form_gap pair_find_gap(const pair *p);

/* Do they overlap, so deep that no rounding can part them? */
bool pair_surely_overlap(const pair *p);

/* Along n from b to a: below 0 the way out. Of convex forms, or one and a plane. */
double pair_gap_along(const pair *p, const double n[3]);

/* Holds what a contact of the two says about itself. */
void pair_check_numbers(const pair *p, const lode_contact *c);

/* What contacts and queries say about the pair is right, or the program ends. */
void pair_check_contacts(const pair *p);
void pair_check_collide(const pair *p);
void pair_check_queries(const pair *p, fuzz_bytes *in);

/* With more solids on both bodies: shapes of one do not touch, those of two as they should. */
void pair_check_company(const pair *p, fuzz_bytes *in);

/* The body that moves is sent on its way at up to 1 km/s and does not go through the other. */
void pair_check_course(const pair *p, fuzz_bytes *in);

#endif

/* forms.h: what is true about two convex forms: the oracle of the fuzz targets.
 *
 * A form is given by its support points, in double. Distances come from the algorithm of Gilbert,
 * Johnson and Keerthi (1988) in its plainest form: the nearest point of each subset of the simplex
 * by the normal equations, the best of those within their subset taken. It shares no text with the
 * library and trusts no tolerance: it returns bounds that hold from below and from above, whenever
 * it ends. */
#ifndef LODE_TESTS_FUZZ_FORMS_H
#define LODE_TESTS_FUZZ_FORMS_H

#include "tests/fuzz/fuzz.h"

typedef enum form_kind { FORM_POINTS, FORM_BALL, FORM_BOX, FORM_CAPSULE, FORM_CYLINDER } form_kind;

enum { FORM_MOST_POINTS = 32 };

typedef struct form {
    form_kind kind;
    double size[3]; /* ball: radius; box: half extents; capsule, cylinder: radius, half length */
    int count;
    double points[FORM_MOST_POINTS][3];
    double center[3], axis[3][3]; /* axis[i]: where axis i points to */
    double pivot[3];          /* in its own axes, within the form: what shrinking leaves alone */
    double middle[3], radius; /* of a ball that holds it, where it was placed */
    double scale;             /* about the pivot; 1 but for shrunk forms */
    double way[3]; /* not zero: the form is all that it passes over, from its place along this */
} form;

/* At a place, turned by a quaternion that need not be a unit. */
void form_place(form *f, const double center[3], lode_quat rotation);

/* The point of the form farthest along n; how far along n that is. */
void form_support(const form *f, const double n[3], double out[3]);
double form_reach(const form *f, const double n[3]);

/* The radius of a ball around its centre that holds it; and how thick it is at least, or less. */
double form_span(const form *f);
double form_thin(const form *f);

/* About the middle of the form, which has to be set: by less than 1 it lies within the whole. */
form form_shrunk(const form *f, double scale);

/* All that the form passes over on a straight way, which is convex too. */
form form_swept(const form *f, const double way[3]);

typedef struct form_gap {
    double least, most; /* the distance is within these; both 0: they overlap */
    double normal[3];   /* unit, from b to a, if they are apart */
} form_gap;

form_gap form_distance(const form *a, const form *b);

/* No more than their distance, at little cost. */
double form_distance_at_least(const form *a, const form *b);

/* The gap along the unit vector n from b to a; below 0: the way along n until they part. */
double form_gap_along(const form *a, const form *b, const double n[3]);

static inline double form_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif

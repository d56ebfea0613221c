/* classes.h: two classes of an application, with what is exactly known of them: ellipsoids, by
 * their support function, and rings (tori around z), by colliders against spheres, planes and
 * rings. */
#ifndef LODE_TESTS_WORLD_CLASSES_H
#define LODE_TESTS_WORLD_CLASSES_H

#include "lode/lode.h"

typedef struct ellipsoid {
    lode_real axis[3]; /* half axes along x, y, z */
} ellipsoid;

typedef struct ring {
    lode_real radius, tube;
} ring;

extern const lode_custom_class ellipsoids, rings;

/* A shape of one, at the body's origin, with this definition or null for the defaults. */
lode_shape add_ellipsoid(lode_body body, double a, double b, double c, const lode_shape_def *def);
lode_shape add_ring(lode_body body, double radius, double tube, const lode_shape_def *def);

/* The signed distance of a point in their frames from the surface, below 0 inside. */
double ellipsoid_distance(const double axis[3], const double point[3]);
double ring_distance(double radius, double tube, const double point[3]);

#endif

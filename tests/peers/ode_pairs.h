/* ode_pairs.h: libode's answer to what two shapes touch with, for tests beside it.
 *
 * The file behind it knows libode's headers and none of ours. Lengths in m, quaternions w first. */
#ifndef LODE_TESTS_PEERS_ODE_PAIRS_H
#define LODE_TESTS_PEERS_ODE_PAIRS_H

enum { PEER_POINTS = 128 };

typedef struct peer_point {
    double position[3];
    double normal[3]; /* unit, into the first shape */
    double depth;
} peer_point;

typedef struct peer_geom peer_geom;

void peer_start(void);
void peer_stop(void);

peer_geom *peer_sphere(double radius);
peer_geom *peer_box(const double half[3]);
peer_geom *peer_capsule(double radius, double half_length);  /* along z */
peer_geom *peer_cylinder(double radius, double half_length); /* along z */

/* Points whose product with the normal is the offset. */
peer_geom *peer_plane(const double normal[3], double offset);

/* Arrays stay the caller's and must live on. A plane is a unit normal and an offset; a polygon its
 * number of corners and their indices, anticlockwise seen from outside. */
peer_geom *peer_hull(const double *planes, unsigned plane_count, const double *points,
                     unsigned point_count, const unsigned *polygons);
peer_geom *peer_mesh(const double *vertices, int vertex_count, const unsigned *indices,
                     int triangle_count);

/* Heights along z over a square grid of so many samples a side, from the origin on; row by row,
 * each along x. It stands where it is, and there is one at a time. */
peer_geom *peer_field(const double *heights, int samples, double spacing);

void peer_destroy(peer_geom *geom);

void peer_place(peer_geom *geom, const double position[3], const double rotation[4]);

/* Returns how many points there are. */
int peer_collide(peer_geom *a, peer_geom *b, peer_point out_points[PEER_POINTS]);

#endif

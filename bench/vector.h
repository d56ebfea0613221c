/* vector.h: the little geometry that scenes and their judge need, in double. */
#ifndef BENCH_VECTOR_H
#define BENCH_VECTOR_H

double bench_distance(const double a[3], const double b[3]);
double bench_dot(const double a[3], const double b[3]);
void bench_cross(const double a[3], const double b[3], double out[3]);

/* Turns `v` by the unit quaternion w x y z; backwards with `sign` -1. */
void bench_rotate(const double q[4], double sign, const double v[3], double out[3]);

#endif

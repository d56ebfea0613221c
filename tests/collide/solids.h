/* solids.h: convex solids in double, and what is true about them: the oracle of the general
 * methods. It shares no text with them. */
#ifndef LODE_TESTS_COLLIDE_SOLIDS_H
#define LODE_TESTS_COLLIDE_SOLIDS_H

#include "tests/collide/boxes.h"

typedef enum solid_kind { BALL, BRICK, ROD, DRUM, TRIANGLE, SOLID_KINDS } solid_kind;

/* Sizes: ball {radius}, brick {half extents}, rod and drum {radius, half length}. */
typedef struct solid {
    solid_kind kind;
    double size[3], corner[3][3]; /* of a triangle, in its own axes */
    double center[3], axis[3][3]; /* axis[i]: world direction of axis i */
} solid;

static inline void add_scaled(double out[3], const double x[3], double s)
{
    for (int k = 0; k < 3; ++k)
        out[k] += s * x[k];
}

static inline double length3(const double x[3])
{
    return sqrt(dot3(x, x));
}

/* Along n, from the solid's centre to its farthest point. */
static inline double solid_reach(const solid *s, const double n[3])
{
    double u[3] = {dot3(s->axis[0], n), dot3(s->axis[1], n), dot3(s->axis[2], n)};
    double norm = length3(n);
    switch (s->kind) {
    case BALL:
        return s->size[0] * norm;
    case BRICK:
        return s->size[0] * fabs(u[0]) + s->size[1] * fabs(u[1]) + s->size[2] * fabs(u[2]);
    case ROD:
        return s->size[0] * norm + s->size[1] * fabs(u[2]);
    case DRUM:
        return s->size[0] * sqrt(u[0] * u[0] + u[1] * u[1]) + s->size[1] * fabs(u[2]);
    default:
        return fmax(dot3(s->corner[0], u), fmax(dot3(s->corner[1], u), dot3(s->corner[2], u)));
    }
}

/* The gap between the solids along the unit vector n from b to a; below zero: the way out. */
static inline double solid_gap(const solid *a, const solid *b, const double n[3])
{
    double minus[3] = {-n[0], -n[1], -n[2]};
    double apart[3] = {a->center[0] - b->center[0], a->center[1] - b->center[1],
                       a->center[2] - b->center[2]};
    return dot3(apart, n) - solid_reach(a, minus) - solid_reach(b, n);
}

/* How far a point lies outside; below zero: inside. Never more than the distance. */
static inline double solid_outside(const solid *s, const double p[3])
{
    double d[3] = {p[0] - s->center[0], p[1] - s->center[1], p[2] - s->center[2]}, worst = -1e300;
    double x = dot3(s->axis[0], d), y = dot3(s->axis[1], d), z = dot3(s->axis[2], d), over;
    switch (s->kind) {
    case BALL:
        return length3(d) - s->size[0];
    case BRICK:
        return fmax(fabs(x) - s->size[0], fmax(fabs(y) - s->size[1], fabs(z) - s->size[2]));
    case ROD:
        over = fmax(fabs(z) - s->size[1], 0);
        return sqrt(x * x + y * y + over * over) - s->size[0];
    case DRUM:
        return fmax(sqrt(x * x + y * y) - s->size[0], fabs(z) - s->size[1]);
    default: {
        /* beyond its plane, and beyond the planes that stand on its sides */
        double e[3][3], n[3], side[3], local[3] = {x, y, z}, from[3];
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < 3; ++i)
                e[k][i] = s->corner[(k + 1) % 3][i] - s->corner[k][i];
        for (int i = 0; i < 3; ++i)
            n[i] = e[0][(i + 1) % 3] * e[1][(i + 2) % 3] - e[0][(i + 2) % 3] * e[1][(i + 1) % 3];
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < 3; ++i) {
                side[i] = e[k][(i + 1) % 3] * n[(i + 2) % 3] - e[k][(i + 2) % 3] * n[(i + 1) % 3];
                from[i] = local[i] - s->corner[k][i];
            }
            worst = fmax(worst, dot3(from, side) / length3(side));
        }
        return fmax(worst, fabs(dot3(from, n)) / length3(n));
    }
    }
}

static inline void cross_unit(double out[3], const double u[3], const double v[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    double length = length3(out);
    for (int i = 0; i < 3; ++i)
        out[i] /= length;
}

/* Walks n to where the gap is locally largest: ever shorter steps in random directions. */
static inline double climb_gap(const solid *a, const solid *b, double n[3], test_random *random)
{
    double best = solid_gap(a, b, n), step = 0.2;
    for (int tries = 0; step > 1e-11;) {
        double m[3], length;
        for (int k = 0; k < 3; ++k)
            m[k] = n[k] + step * random_between(random, -1, 1);
        length = length3(m);
        for (int k = 0; k < 3; ++k)
            m[k] /= length;
        double gap = solid_gap(a, b, m);
        if (gap > best) {
            best = gap;
            for (int k = 0; k < 3; ++k)
                n[k] = m[k];
            tries = 0;
        } else if (++tries == 8) {
            tries = 0;
            step *= 0.6;
        }
    }
    return best;
}

/* The largest gap along any direction: directions spread over the sphere, the best of them climbed
 * from, and the solids' own axes. The true one is at least this. */
static inline double solid_largest_gap(const solid *a, const solid *b, test_random *random,
                                       double out_n[3])
{
    enum { SPREAD = 400, CLIMBS = 6 };
    double tops[CLIMBS][3], top_gap[CLIMBS], most = -1e300;
    for (int k = 0; k < CLIMBS; ++k)
        top_gap[k] = -1e300;
    for (int i = 0; i < SPREAD + 12; ++i) {
        double n[3] = {0, 0, 0};
        if (i < SPREAD) {
            double z = 1 - (2 * i + 1) / (double)SPREAD, angle = i * 2.399963229728653;
            n[0] = sqrt(1 - z * z) * cos(angle), n[1] = sqrt(1 - z * z) * sin(angle), n[2] = z;
        } else {
            const solid *s = i & 1 ? a : b;
            add_scaled(n, s->axis[(i - SPREAD) / 2 % 3], i - SPREAD < 6 ? 1 : -1);
        }
        double gap = solid_gap(a, b, n);
        int k = CLIMBS;
        while (k > 0 && gap > top_gap[k - 1])
            --k;
        for (int j = CLIMBS - 1; j > k; --j) {
            top_gap[j] = top_gap[j - 1];
            for (int x = 0; x < 3; ++x)
                tops[j][x] = tops[j - 1][x];
        }
        if (k < CLIMBS) {
            top_gap[k] = gap;
            for (int x = 0; x < 3; ++x)
                tops[k][x] = n[x];
        }
    }
    for (int k = 0; k < CLIMBS; ++k) {
        double gap = climb_gap(a, b, tops[k], random);
        if (gap > most) {
            most = gap;
            for (int x = 0; x < 3; ++x)
                out_n[x] = tops[k][x];
        }
    }
    return most;
}

/* A number between the two, each order of magnitude as likely. */
static inline double random_scale(test_random *random, double least, double most)
{
    return least * pow(most / least, random_between(random, 0, 1));
}

#endif

/* flat.c: see flat.h. */
#include "collide/flat.h"

enum { ROUNDS = 32 };

/* Sine squared of an angle at which segments cross rather than lie along each other. */
#define CROSSED 1e-12

static lode__double3 across(lode__double3 v, lode__double3 n)
{
    return d3_madd(v, n, -d3_dot(v, n));
}

/* The place of a segment, seen along n, that is nearest to p. */
static lode__double3 on_segment(lode__double3 middle, lode__double3 half, lode__double3 n,
                                lode__double3 p)
{
    lode__double3 flat = across(half, n);
    double square = d3_dot(flat, flat);
    double share = square > 0 ? d3_dot(d3_sub(p, middle), flat) / square : 0;
    return d3_madd(middle, half, d_min(d_max(share, -1), 1));
}

static lode__double3 on_disc(const lode__flat *f, lode__double3 n, lode__double3 p)
{
    lode__double3 from = across(d3_sub(p, f->at), n);
    double square = d3_dot(from, from);
    return d3_madd(f->at, from, square > f->radius * f->radius ? f->radius / d_sqrt(square) : 1);
}

static lode__double3 on_polygon(const lode__flat *f, lode__double3 n, lode__double3 p)
{
    lode__double3 nearest = p;
    double least = 1e300, one = 0, other = 0; /* on which sides of its edges p is */
    for (int i = 0; i < f->count; ++i) {
        lode__double3 c = f->corner[i], d = f->corner[(i + 1) % f->count];
        double turn = d3_dot(n, d3_cross(d3_sub(d, c), d3_sub(p, c)));
        one = d_max(one, turn);
        other = d_max(other, -turn);
    }
    if (!(one > 0 && other > 0)) /* within: up or down to its plane, through its first corner */
        return d3_madd(p, n, d3_dot(n, d3_sub(f->corner[0], p)));
    for (int i = 0; i < f->count; ++i) {
        lode__double3 c = f->corner[i],
                      half = d3_scale(d3_sub(f->corner[(i + 1) % f->count], c), 0.5);
        lode__double3 at = on_segment(d3_add(c, half), half, n, p), from = across(d3_sub(p, at), n);
        double square = d3_dot(from, from);
        nearest = square < least ? at : nearest;
        least = d_min(square, least);
    }
    return nearest;
}

static lode__double3 nearest_on(const lode__flat *f, lode__double3 n, lode__double3 p)
{
    switch (f->kind) {
    case LODE__FLAT_SEGMENT:
        return on_segment(f->at, f->half, n, p);
    case LODE__FLAT_DISC:
        return on_disc(f, n, p);
    case LODE__FLAT_POLYGON:
        return on_polygon(f, n, p);
    default:
        return f->at;
    }
}

/* Of two segments that cross, the places where they do. */
static void cross_segments(const lode__flat *a, const lode__flat *b, lode__double3 n,
                           lode__double3 *out_a)
{
    lode__double3 u = across(a->half, n), v = across(b->half, n);
    lode__double3 from = across(d3_sub(b->at, a->at), n);
    double uu = d3_dot(u, u), uv = d3_dot(u, v), vv = d3_dot(v, v), det = uu * vv - uv * uv;
    double share = det > CROSSED * uu * vv ? (d3_dot(from, u) * vv - d3_dot(from, v) * uv) / det
                                           : 0;
    *out_a = d3_madd(a->at, a->half, d_min(d_max(share, -1), 1));
}

double lode__flat_meet(const lode__flat *a, const lode__flat *b, lode__double3 n, double enough,
                       lode__double3 *out_a, lode__double3 *out_b)
{
    double apart = 1e300;
    if (a->kind == LODE__FLAT_SEGMENT && b->kind == LODE__FLAT_SEGMENT)
        cross_segments(a, b, n, out_a);
    else
        *out_a = nearest_on(a, n, b->at);
    for (int round = 0; round < ROUNDS; ++round) {
        *out_b = nearest_on(b, n, *out_a);
        double now = d3_length(across(d3_sub(*out_a, *out_b), n));
        if (now <= enough || !(now < apart))
            return now;
        *out_a = nearest_on(a, n, *out_b);
        apart = now;
    }
    return apart;
}

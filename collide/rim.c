/* rim.c: see rim.h. */
#include "collide/rim.h"

enum { ROOT_STEPS = 24, CUTS = 7 };

/* Of the way there is to go: when a root is known. */
#define ROOT_ENDS 1e-8

/* Cosine of the angle of an arc that is short. */
#define SHORT_ARC 0.97

/* Of the rim's size: nearer than this, the direction is taken from the curve. */
#define NEAR 1e-4

/* Half the slope of D, and how that changes; along a curve at some place. */
typedef struct place {
    lode__double3 w;
    double z, rho, z1, rho1; /* and their slopes */
    double first, second;
} place;

static place make_place(const lode__rim *rim, double z, double z1, double z2, lode__double3 w,
                        lode__double3 w1, lode__double3 w2)
{
    place p = {.w = w, .z = z, .z1 = z1};
    double square = d_max(d3_dot(w, w), 1e-300);
    p.rho = d_sqrt(square);
    double over = 1 / p.rho, share = 1 - rim->radius * over, along = d3_dot(w, w1);
    p.rho1 = along * over;
    p.first = (z - rim->height) * z1 + share * along;
    p.second = z1 * z1 + (z - rim->height) * z2 + share * (d3_dot(w1, w1) + d3_dot(w, w2)) +
               rim->radius * over * p.rho1 * p.rho1;
    return p;
}

/* The direction to the rim or away from it, if it is one out of the corner. */
static int add_way(const lode__rim *rim, const place *p, lode__double3 *out)
{
    double outward = p->rho - rim->radius, upward = p->z - rim->height;
    double length = d_sqrt(outward * outward + upward * upward);
    bool from_curve = length < NEAR * (rim->radius + rim->height);
    if (from_curve) { /* across the curve */
        outward = p->z1;
        upward = -p->rho1;
        length = d_sqrt(outward * outward + upward * upward);
    }
    if (!(length > 0) || outward * upward < 0)
        return 0;
    lode__double3 m = d3_madd(d3_scale(rim->axis, d_abs(upward)), p->w, d_abs(outward) / p->rho);
    *out = d3_scale(m, 1 / length);
    return 1;
}

/* --- lines */

typedef struct line {
    const lode__rim *rim;
    double z0, z1;
    lode__double3 w0, w1;
} line;

static place line_at(const line *l, double t)
{
    return make_place(l->rim, l->z0 + t * l->z1, l->z1, 0, d3_madd(l->w0, l->w1, t), l->w1,
                      d3(0, 0, 0));
}

/* The way is across the line to the last digit, since beside that the gap falls at once. */
static int line_way(const line *l, double t, lode__double3 *out)
{
    place p = line_at(l, t);
    if (!add_way(l->rim, &p, out))
        return 0;
    lode__double3 e = d3_madd(l->w1, l->rim->axis, l->z1);
    *out = d3_madd(*out, e, -d3_dot(*out, e) / d3_dot(e, e));
    *out = d3_scale(*out, 1 / d3_length(*out));
    return 1;
}

/* The only least place of D as the line comes nearer to the axis, or none: there the slope bends
 * down throughout, so Newton's steps from before its first root end at that, and never go
 * beyond. */
static int search_line(const line *l, double lo, double hi, lode__double3 *out)
{
    double ends = (hi - lo) * ROOT_ENDS, t = lo;
    for (int step = 0; step < ROOT_STEPS; ++step) {
        place p = line_at(l, t);
        if (!(p.first < 0 && p.second > 0))
            return step > 0 && p.first >= 0 ? line_way(l, t, out) : 0;
        double by = -p.first / p.second;
        t += by;
        if (!(t <= hi))
            return 0;
        if (by <= ends)
            break;
    }
    return line_way(l, t, out);
}

/* Leaves of t what is between two heights. */
static bool clip_heights(const line *l, double low, double high, double *lo, double *hi)
{
    double at_lo = l->z0 + *lo * l->z1, at_hi = l->z0 + *hi * l->z1;
    if (d_max(at_lo, at_hi) < low || d_min(at_lo, at_hi) > high)
        return false;
    if (at_lo < low || at_hi < low) {
        double t = (low - l->z0) / l->z1;
        *lo = at_lo < low ? d_max(*lo, t) : *lo;
        *hi = at_hi < low ? d_min(*hi, t) : *hi;
    }
    if (at_lo > high || at_hi > high) {
        double t = (high - l->z0) / l->z1;
        *lo = at_lo > high ? d_max(*lo, t) : *lo;
        *hi = at_hi > high ? d_min(*hi, t) : *hi;
    }
    return *lo < *hi;
}

int lode__rim_line_ways(const lode__rim *rim, const lode__rim_line *from,
                        lode__double3 out[LODE__RIM_WAYS])
{
    line l = {.rim = rim, .z0 = d3_dot(from->from, rim->axis), .z1 = d3_dot(from->step, rim->axis)};
    double lo = from->lo, hi = from->hi;
    if (!clip_heights(&l, rim->height - rim->within, rim->height + rim->before, &lo, &hi))
        return 0;
    l.w0 = d3_madd(from->from, rim->axis, -l.z0);
    l.w1 = d3_madd(from->step, rim->axis, -l.z1);
    if (l.z1 < 0) { /* the other way round, so that it rises */
        double kept = lo;
        l.z1 = -l.z1;
        l.w1 = d3_neg(l.w1);
        lo = -hi;
        hi = -kept;
    }
    /* |w|^2 = least + square (t - middle)^2 */
    double square = d3_dot(l.w1, l.w1), far = rim->radius + rim->before;
    double near = d_max(rim->radius - rim->within, 0);
    if (!(square > 0))
        return 0;
    double middle = -d3_dot(l.w0, l.w1) / square;
    lode__double3 nearest = d3_madd(l.w0, l.w1, middle);
    double least = d3_dot(nearest, nearest);
    if (least > far * far)
        return 0;
    /* what leads out of the corner lies where it comes nearer to the axis */
    double begin = middle - d_sqrt((far * far - least) / square), end = middle;
    if (!(l.z1 > 0)) { /* level: it is nearest before the side, or runs across the end */
        return lo <= middle && middle <= hi ? line_way(&l, middle, out) : 0;
    }
    if (least < near * near)
        end = middle - d_sqrt((near * near - least) / square);
    lo = d_max(lo, begin);
    hi = d_min(hi, end);
    return lo < hi ? search_line(&l, lo, hi, out) : 0;
}

/* --- circles */

typedef struct circle {
    const lode__rim *rim;
    double z0, z1; /* z = z0 + z1 C */
    lode__double3 w0, wa, wb;
    double speed;
} circle;

/* C and S of a direction. */
typedef struct angle {
    double c, s;
} angle;

static place circle_at(const circle *o, angle at)
{
    lode__double3 around = d3_madd(d3_scale(o->wa, at.c), o->wb, at.s);
    lode__double3 slope = d3_madd(d3_scale(o->wb, at.c), o->wa, -at.s);
    return make_place(o->rim, o->z0 + o->z1 * at.c, -o->z1 * at.s, -o->z1 * at.c,
                      d3_add(o->w0, around), slope, d3_neg(around));
}

static angle angle_of(double c, double s)
{
    double length = d_sqrt(c * c + s * s);
    return (angle){c / length, s / length};
}

static angle halfway(angle p, angle q)
{
    return angle_of(p.c + q.c, p.s + q.s);
}

/* Positive if q is anticlockwise of p. */
static double turn_of(angle p, angle q)
{
    return p.c * q.s - p.s * q.c;
}

/* From lo anticlockwise to hi, less than half a turn, with p at a place between. */
static int circle_root(const circle *o, angle lo, angle hi, angle at, place *p, lode__double3 *out)
{
    for (int step = 0; step < ROOT_STEPS; ++step) {
        lo = p->first < 0 ? at : lo;
        hi = p->first < 0 ? hi : at;
        double turn = p->second > 0 ? -p->first / p->second : 1;
        angle next = angle_of(at.c - turn * at.s, at.s + turn * at.c);
        bool inside = p->second > 0 && d_abs(turn) < 1 && turn_of(lo, next) >= 0 &&
                      turn_of(next, hi) >= 0;
        next = inside ? next : halfway(lo, hi);
        bool done = d_abs(turn_of(at, next)) <= ROOT_ENDS;
        at = next;
        *p = circle_at(o, at);
        if (done)
            break;
    }
    return add_way(o->rim, p, out);
}

/* Is an arc of use of which p is the middle? The way to the rim changes no faster than p moves; an
 * arc is longer than its chord by no more than 11 % up to 90 degrees, and 57 % up to 180. */
static bool is_near(const circle *o, const place *p, double dot)
{
    double half = 0.5 * d_sqrt(d_max(2 - 2 * dot, 0)) * (dot > 0 ? 1.12 : 1.58) * o->speed;
    double across = p->rho - o->rim->radius, along = p->z - o->rim->height;
    double most = d_max(o->rim->within, o->rim->before) + half;
    return across * across + along * along <= most * most;
}

static double dot_of(angle p, angle q)
{
    return p.c * q.c + p.s * q.s;
}

static place middle_of(const circle *o, angle lo, angle hi, double dot, angle *out)
{
    *out = dot > -0.999 ? halfway(lo, hi) : (angle){-lo.s, lo.c};
    return circle_at(o, *out);
}

/* A place of the circle, and how D changes there. */
typedef struct spot {
    angle at;
    double first, second;
} spot;

static spot spot_at(const circle *o, angle at)
{
    place p = circle_at(o, at);
    return (spot){at, p.first, p.second};
}

/* May D rise and fall, or fall and rise, between two places where its slopes have one sign? */
static bool may_hide(const spot *lo, const spot *hi)
{
    return (lo->first < 0) == (hi->first < 0) && (lo->first < 0) == (lo->second > 0) &&
           (lo->first < 0) == (hi->second < 0);
}

/* An arc of at most half a turn, anticlockwise, cut in halves until its pieces are short. */
static int search_arc(const circle *o, const spot *lo, const spot *hi, int cuts, int most,
                      lode__double3 *out)
{
    double dot = dot_of(lo->at, hi->at);
    bool is_short = cuts == 0 || (dot > SHORT_ARC && !may_hide(lo, hi));
    if (most == 0 || (is_short && !(lo->first < 0 && hi->first > 0)))
        return 0;
    spot half;
    place p = middle_of(o, lo->at, hi->at, dot, &half.at);
    if (!is_near(o, &p, dot))
        return 0;
    if (is_short)
        return circle_root(o, lo->at, hi->at, half.at, &p, out);
    half.first = p.first;
    half.second = p.second;
    int count = search_arc(o, lo, &half, cuts - 1, most, out);
    return count + search_arc(o, &half, hi, cuts - 1, most - count, out + count);
}

static int search_whole(const circle *o, angle lo, angle hi, int most, lode__double3 *out)
{
    angle middle;
    double dot = dot_of(lo, hi);
    place p = middle_of(o, lo, hi, dot, &middle);
    if (!is_near(o, &p, dot))
        return 0;
    spot from = spot_at(o, lo), to = spot_at(o, hi);
    return search_arc(o, &from, &to, CUTS, most, out);
}

int lode__rim_circle_ways(const lode__rim *rim, const lode__rim_circle *from,
                          lode__double3 out[LODE__RIM_WAYS])
{
    circle o = {.rim = rim};
    o.z0 = d3_dot(from->middle, rim->axis);
    o.z1 = d3_dot(from->a, rim->axis);
    double low = rim->height - rim->within - o.z0, high = rim->height + rim->before - o.z0;
    double most = d_abs(o.z1);
    if (low > most || high < -most)
        return 0;
    o.w0 = d3_madd(from->middle, rim->axis, -o.z0);
    o.wa = d3_madd(from->a, rim->axis, -o.z1);
    o.wb = from->b;
    o.speed = d3_length(from->b);
    double c_low = -1, c_high = 1;
    if (most > 0) {
        double one = low / o.z1, other = high / o.z1;
        c_low = d_max(d_min(one, other), -1);
        c_high = d_min(d_max(one, other), 1);
    }
    double s_low = d_sqrt(d_max(1 - c_low * c_low, 0));
    double s_high = d_sqrt(d_max(1 - c_high * c_high, 0));
    angle upper = {c_high, s_high}, lower = {c_low, s_low};
    int count = search_whole(&o, upper, lower, LODE__RIM_WAYS, out);
    upper.s = -s_high;
    lower.s = -s_low;
    return count + search_whole(&o, lower, upper, LODE__RIM_WAYS - count, out + count);
}

/* sum_depth.c: how deep a cylinder is in a cylinder, a box, or the axis of a capsule, without a search
 * that grows.
 *
 * Each of these is a sum of segments and discs: a box of three segments, a cylinder of one and a disc.
 * So are the differences D of two of them (collide/gjk.h), and the gap along a unit vector n is
 *
 *     gap(n) = c.n - sum |n.s_i| - sum r_j |n x u_j|,
 *
 * with c from b's centre to a's, half segments s_i, and discs of radius r_j across u_j. Inside D, the
 * nearest place of its surface is one where the largest ball that fits touches it, and a ball fits to no
 * edge from within. What remains are the places where D has a single normal:
 *
 *  1. its flat faces: across a disc, and along two segments at once: n is known;
 *  2. along one segment, bent the other way: n is across s_i, so on a circle. There the slope of the gap
 *     is followed to where it changes its sign: it falls at the best ways out;
 *  3. along no segment, where two rims meet: n is anywhere. With x = n.u_1 and y = n.u_2 this is a
 *     function of two numbers with plain derivatives, climbed by Newton's method from the best of some
 *     directions in each quarter, the signs of x and y.
 *
 * The best of all of them is the answer, if the solids have points there that lie on each other along it;
 * if not, false is returned. The gap along any direction is a way out, so that a candidate
 * too many does no harm. Circles and quarters are sampled first, and left out where convexity says that
 * they cannot be better than the best: with the point W of D that lies farthest along a direction, no
 * gap along n is more than -W.n.
 *
 * All in double. What this gives is held against expanding polytopes in tests/collide/test_gjk.c. */
#include "collide/gjk.h"

enum {
    SEGMENTS = 4,
    DISCS = 2,
    SAMPLES = 18,
    ROOT_STEPS = 12,
    CLIMB_STEPS = 24,
    CLIMB_TRIES = 4,
    FOOT_ROUNDS = 32
};

/* Of the slope's root, in radians. */
#define ROOT_ENDS 1e-11

/* Cosine and sine of the angle between samples of a circle, 11.25 degrees; and of 45 degrees. */
#define STEP_COS 0.98078528040323044
#define STEP_SIN 0.19509032201612827
#define AROUND 0.70710678118654752

/* Of the size: what is across the normal, and how near to each other the points must come. */
#define FOOT_FREE 1e-9
#define FOOT_MEETS 1e-6

/* Steps of a climb, in radians, and where one beside a face begins. */
#define CLIMB_FIRST 0.1
#define CLIMB_MOST 0.3
#define BESIDE 0.02

typedef struct sum {
    lode__double3 center; /* c */
    int segments, discs;
    lode__double3 segment[SEGMENTS]; /* halves */
    bool of_b[SEGMENTS];
    lode__double3 axis[DISCS]; /* unit */
    double radius[DISCS];
    bool disc_of_b[DISCS];
} sum;

/* The best way out so far. */
typedef struct way {
    lode__double3 normal;
    double gap;
} way;

/* --- the sum */

static void add_segment(sum *s, lode__double3 half, bool of_b)
{
    s->segment[s->segments] = half;
    s->of_b[s->segments++] = of_b;
}

/* False if the core is none of these. `turn` leads from its axes to a's, or is null. */
static bool add_core(sum *s, const lode__convex *core, const lode__double33 *turn, bool of_b)
{
    const lode__double33 same = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const lode_real *size = core->size;
    turn = turn ? turn : &same;
    lode__double3 z = d33_mul(turn, d3(0, 0, 1));
    if (core->type == &lode__convex_types[LODE_BOX]) {
        add_segment(s, d33_mul(turn, d3(size[0], 0, 0)), of_b);
        add_segment(s, d33_mul(turn, d3(0, size[1], 0)), of_b);
        add_segment(s, d3_scale(z, size[2]), of_b);
    } else if (core->type == &lode__convex_types[LODE_CAPSULE]) {
        add_segment(s, d3_scale(z, size[1]), of_b);
    } else if (core->type == &lode__convex_types[LODE_CYLINDER]) {
        add_segment(s, d3_scale(z, size[1]), of_b);
        s->axis[s->discs] = z;
        s->disc_of_b[s->discs] = of_b;
        s->radius[s->discs++] = size[0];
    } else {
        return false;
    }
    return true;
}

static double gap_along(const sum *s, lode__double3 n)
{
    double gap = d3_dot(s->center, n);
    for (int i = 0; i < s->segments; ++i)
        gap -= d_abs(d3_dot(s->segment[i], n));
    for (int j = 0; j < s->discs; ++j)
        gap -= s->radius[j] * d3_length(d3_cross(n, s->axis[j]));
    return gap;
}

/* A unit vector; with its better sign it is a candidate. */
static void try_normal(const sum *s, lode__double3 n, way *best)
{
    n = d3_dot(s->center, n) < 0 ? d3_neg(n) : n;
    double gap = gap_along(s, n);
    if (gap > best->gap)
        *best = (way){n, gap};
}

/* --- flat faces */

static void try_faces(const sum *s, way *best)
{
    for (int j = 0; j < s->discs; ++j)
        try_normal(s, s->axis[j], best);
    for (int i = 0; i < s->segments; ++i)
        for (int k = i + 1; k < s->segments; ++k) {
            lode__double3 cross = d3_cross(s->segment[i], s->segment[k]);
            lode__double3 n = d3_normalize_or(cross, d3(0, 0, 0));
            if (d3_dot(n, n) > 0)
                try_normal(s, n, best);
        }
}

/* --- circles */

/* The gap on the unit vectors across a segment, as C e1 + S e2; e1 is towards the centre. */
typedef struct circle {
    lode__double3 e1, e2;
    double c1, c2;
    int segments, discs;
    double p[SEGMENTS], q[SEGMENTS]; /* of the other segments */
    double a[DISCS], b[DISCS], rest[DISCS],
        r[DISCS]; /* of axes, with what is left of their square */
} circle;

typedef struct slope {
    double gap, first, second; /* and its derivatives by the angle */
} slope;

static void make_circle(const sum *s, int which, circle *out)
{
    lode__double3 u = d3_normalize_or(s->segment[which], d3(0, 0, 1));
    lode__double3 toward = d3_madd(s->center, u, -d3_dot(s->center, u));
    out->e1 = d3_normalize_or(toward, d3_across(u));
    out->e1 = d3_normalize_or(d3_madd(out->e1, u, -d3_dot(out->e1, u)), d3_across(u));
    out->e2 = d3_cross(u, out->e1);
    out->c1 = d3_dot(s->center, out->e1);
    out->c2 = d3_dot(s->center, out->e2);
    out->segments = out->discs = 0;
    for (int i = 0; i < s->segments; ++i)
        if (i != which) {
            out->p[out->segments] = d3_dot(s->segment[i], out->e1);
            out->q[out->segments++] = d3_dot(s->segment[i], out->e2);
        }
    for (int j = 0; j < s->discs; ++j) {
        double along = d3_dot(s->axis[j], u);
        out->a[j] = d3_dot(s->axis[j], out->e1);
        out->b[j] = d3_dot(s->axis[j], out->e2);
        out->rest[j] = along * along;
        out->r[out->discs++] = s->radius[j];
    }
}

static slope slope_at(const circle *o, double C, double S)
{
    slope f = {o->c1 * C + o->c2 * S, o->c2 * C - o->c1 * S, 0};
    for (int i = 0; i < o->segments; ++i) {
        double along = o->p[i] * C + o->q[i] * S, beside = o->q[i] * C - o->p[i] * S;
        f.gap -= d_abs(along);
        f.first -= along < 0 ? -beside : beside;
    }
    f.second = -f.gap;
    for (int j = 0; j < o->discs; ++j) {
        double v = o->a[j] * S - o->b[j] * C, m = o->a[j] * C + o->b[j] * S;
        double square = d_max(o->rest[j] + v * v, 1e-300), length = d_sqrt(square);
        f.gap -= o->r[j] * length;
        f.first -= o->r[j] * v * m / length;
        f.second -= o->r[j] * (m * m - v * v - v * v * m * m / square) / length;
    }
    return f;
}

/* Between two directions where the slope rises and falls. */
static void find_root(const sum *s, const circle *o, const double from[2], const double to[2],
                      way *best)
{
    double lo[2] = {from[0], from[1]}, hi[2] = {to[0], to[1]}, at[2];
    at[0] = lo[0] + hi[0];
    at[1] = lo[1] + hi[1];
    for (int step = 0; step < ROOT_STEPS; ++step) {
        double length = d_sqrt(at[0] * at[0] + at[1] * at[1]);
        at[0] /= length;
        at[1] /= length;
        slope f = slope_at(o, at[0], at[1]);
        double *end = f.first > 0 ? lo : hi;
        end[0] = at[0];
        end[1] = at[1];
        double turn = f.second < 0 ? -f.first / f.second : 0;
        double next[2] = {at[0] - turn * at[1], at[1] + turn * at[0]};
        bool inside = f.second < 0 && lo[0] * next[1] - lo[1] * next[0] >= 0 &&
                      next[0] * hi[1] - next[1] * hi[0] >= 0;
        if (inside && d_abs(turn) < ROOT_ENDS)
            break;
        at[0] = inside ? next[0] : lo[0] + hi[0];
        at[1] = inside ? next[1] : lo[1] + hi[1];
    }
    lode__double3 n = d3_add(d3_scale(o->e1, at[0]), d3_scale(o->e2, at[1]));
    try_normal(s, d3_normalize_or(n, o->e1), best);
}

/* Directions around e1, from -90 to 90 degrees: half of the circle is enough, since the other sign of n
 * is worse beyond. */
static const double sample_c[SAMPLES] = {0,
                                         0.098017140329560548,
                                         0.29028467725446233,
                                         0.47139673682599759,
                                         0.63439328416364549,
                                         0.77301045336273699,
                                         0.88192126434835505,
                                         0.95694033573220882,
                                         0.99518472667219693,
                                         0.99518472667219693,
                                         0.95694033573220882,
                                         0.88192126434835505,
                                         0.77301045336273699,
                                         0.63439328416364549,
                                         0.47139673682599759,
                                         0.29028467725446233,
                                         0.098017140329560548,
                                         0};
static const double sample_s[SAMPLES] = {-1,
                                         -0.99518472667219693,
                                         -0.95694033573220894,
                                         -0.88192126434835505,
                                         -0.77301045336273699,
                                         -0.63439328416364549,
                                         -0.47139673682599764,
                                         -0.29028467725446233,
                                         -0.098017140329560604,
                                         0.098017140329560604,
                                         0.29028467725446233,
                                         0.47139673682599764,
                                         0.63439328416364549,
                                         0.77301045336273699,
                                         0.88192126434835505,
                                         0.95694033573220894,
                                         0.99518472667219693,
                                         1};

/* The gap at the samples and its slope: as slope_at(), in loops that compilers lay side by side. */
static void sample_circle(const circle *o, double gap[SAMPLES], double first[SAMPLES])
{
    for (int k = 0; k < SAMPLES; ++k) {
        gap[k] = o->c1 * sample_c[k] + o->c2 * sample_s[k];
        first[k] = o->c2 * sample_c[k] - o->c1 * sample_s[k];
    }
    for (int i = 0; i < o->segments; ++i)
        for (int k = 0; k < SAMPLES; ++k) {
            double along = o->p[i] * sample_c[k] + o->q[i] * sample_s[k];
            double beside = o->q[i] * sample_c[k] - o->p[i] * sample_s[k];
            gap[k] -= d_abs(along);
            first[k] -= along < 0 ? -beside : beside;
        }
    for (int j = 0; j < o->discs; ++j)
        for (int k = 0; k < SAMPLES; ++k) {
            double v = o->a[j] * sample_s[k] - o->b[j] * sample_c[k];
            double m = o->a[j] * sample_c[k] + o->b[j] * sample_s[k];
            double length = d_sqrt(d_max(o->rest[j] + v * v, 1e-300));
            gap[k] -= o->r[j] * length;
            first[k] -= o->r[j] * v * m / length;
        }
}

/* Where an axis lies in the circle's plane the gap may bend sharply: that place parts the samples
 * around it. */
static void search_beside_axis(const sum *s, const circle *o, int disc, const double first[SAMPLES],
                               way *best)
{
    double a = o->a[disc], b = o->b[disc], length = d_sqrt(a * a + b * b);
    if (!(length > 1e-9))
        return;
    length = a < 0 ? -length : length;
    const double at[2] = {a / length, b / length};
    slope f = slope_at(o, at[0], at[1]);
    int k = 0;
    while (k < SAMPLES - 2 && !(sample_c[k + 1] * at[1] - sample_s[k + 1] * at[0] < 0))
        ++k;
    const double from[2] = {sample_c[k], sample_s[k]}, to[2] = {sample_c[k + 1], sample_s[k + 1]};
    if (first[k] > 0 && f.first < 0)
        find_root(s, o, from, at, best);
    if (f.first > 0 && first[k + 1] < 0)
        find_root(s, o, at, to, best);
}

static void search_circle(const sum *s, int which, way *best)
{
    double gap[SAMPLES], first[SAMPLES];
    circle o;
    int top = 0;
    make_circle(s, which, &o);
    sample_circle(&o, gap, first);
    for (int k = 0; k + 1 < SAMPLES; ++k) {
        const double from[2] = {sample_c[k], sample_s[k]};
        const double to[2] = {sample_c[k + 1], sample_s[k + 1]};
        double most = d_max(gap[k], gap[k] * STEP_COS) + d_max(first[k], 0) * STEP_SIN;
        if (first[k] > 0 && first[k + 1] < 0 && most > best->gap)
            find_root(s, &o, from, to, best);
        top = gap[k + 1] > gap[top] ? k + 1 : top;
    }
    for (int j = 0; j < o.discs; ++j)
        search_beside_axis(s, &o, j, first, best);
    lode__double3 n = d3_add(d3_scale(o.e1, sample_c[top]), d3_scale(o.e2, sample_s[top]));
    if (gap[top] > best->gap)
        try_normal(s, d3_normalize_or(n, o.e1), best);
}

/* --- two rims */

/* Where the smooth parts of the gap lead: its slope along t1 and t2, and how that changes. */
typedef struct bend {
    lode__double3 t1, t2;
    double gap, g1, g2, h11, h12, h22;
} bend;

/* The point of D farthest along -n, or rather the way from it to the centre: its product with any unit
 * vector is no less than the gap along that. */
static lode__double3 reach_at(const sum *s, lode__double3 n)
{
    lode__double3 from = s->center;
    for (int i = 0; i < s->segments; ++i)
        from = d3_madd(from, s->segment[i], d3_dot(s->segment[i], n) < 0 ? 1 : -1);
    for (int j = 0; j < s->discs; ++j) {
        lode__double3 rim = d3_madd(n, s->axis[j], -d3_dot(n, s->axis[j]));
        double square = d3_dot(rim, rim);
        from = d3_madd(from, rim, square > 0 ? -s->radius[j] / d_sqrt(square) : 0);
    }
    return from;
}

/* Two unit vectors across n and each other (Duff et al. 2017, "Building an orthonormal basis,
 * revisited"). */
static void set_across(lode__double3 n, bend *f)
{
    double sign = n.z < 0 ? -1 : 1, p = -1 / (sign + n.z), q = n.x * n.y * p;
    f->t1 = d3(1 + sign * n.x * n.x * p, sign * q, -sign * n.x);
    f->t2 = d3(q, sign + n.y * n.y * p, -n.y);
}

static bend bend_at(const sum *s, lode__double3 n)
{
    bend f = {.gap = 0};
    lode__double3 from = s->center;
    set_across(n, &f);
    for (int i = 0; i < s->segments; ++i)
        from = d3_madd(from, s->segment[i], d3_dot(s->segment[i], n) < 0 ? 1 : -1);
    for (int j = 0; j < s->discs; ++j) {
        lode__double3 beside = d3_cross(s->axis[j], n);
        double length = d_max(d3_length(beside), 1e-150);
        lode__double3 along = d3_scale(beside, 1 / length), rim = d3_cross(along, s->axis[j]);
        double c1 = d3_dot(along, f.t1), c2 = d3_dot(along, f.t2), bent = s->radius[j] / length;
        from = d3_madd(from, rim, -s->radius[j]);
        f.h11 -= bent * c1 * c1;
        f.h12 -= bent * c1 * c2;
        f.h22 -= bent * c2 * c2;
    }
    f.gap = d3_dot(from, n);
    f.g1 = d3_dot(from, f.t1);
    f.g2 = d3_dot(from, f.t2);
    f.h11 -= f.gap;
    f.h22 -= f.gap;
    return f;
}

/* Which halves of the segments a direction is on. */
static unsigned side_of(const sum *s, lode__double3 n)
{
    unsigned bits = 0;
    for (int i = 0; i < s->segments; ++i)
        bits |= (unsigned)(d3_dot(s->segment[i], n) < 0) << i;
    return bits;
}

/* Newton's method where the gap bends down, else along its slope; in steps that rise and stay on the
 * same side of all segments, since beyond there are circles. Ends early where it will not beat the
 * best. */
static lode__double3 climb(const sum *s, lode__double3 n, const way *best)
{
    unsigned side = side_of(s, n);
    for (int step = 0; step < CLIMB_STEPS; ++step) {
        bend f = bend_at(s, n);
        double det = f.h11 * f.h22 - f.h12 * f.h12, slope = d_sqrt(f.g1 * f.g1 + f.g2 * f.g2);
        bool peak = f.h11 < 0 && det > 0;
        double x = peak ? (f.h12 * f.g2 - f.h22 * f.g1) / det : f.g1 * CLIMB_FIRST / slope;
        double y = peak ? (f.h12 * f.g1 - f.h11 * f.g2) / det : f.g2 * CLIMB_FIRST / slope;
        double length = d_sqrt(x * x + y * y),
               scale = length > CLIMB_MOST ? CLIMB_MOST / length : 1;
        bool moved = false;
        if (!(length > ROOT_ENDS) || (peak && f.gap + f.g1 * x + f.g2 * y < best->gap))
            return n;
        for (int tries = 0; tries < CLIMB_TRIES && !moved; ++tries, scale *= 0.25) {
            lode__double3 to = d3_madd(d3_madd(n, f.t1, x * scale), f.t2, y * scale);
            to = d3_scale(to, 1 / d3_length(to));
            moved = side_of(s, to) == side && gap_along(s, to) > f.gap;
            n = moved ? to : n;
        }
        if (!moved)
            return n;
    }
    return n;
}

/* True if something better than the best may be within 45 degrees of the direction. */
static bool is_hopeful(lode__double3 reach, double gap, const way *best)
{
    double beside = d_sqrt(d_max(d3_dot(reach, reach) - gap * gap, 0));
    return d_max(gap, gap * AROUND) + beside * AROUND > best->gap;
}

/* At a best way out the point of D is along the normal, as deep as that is. Of two rims, what that says
 * along the axes: true if some place of this quarter may be one. */
static bool may_meet(const sum *s, lode__double3 u, lode__double3 v, double k, const way *best)
{
    double across = d3_length(d3_cross(u, v));
    double half_u = d3_length(s->segment[0]), half_v = d3_length(s->segment[1]);
    double along_u = d3_dot(s->center, u) - half_u - half_v * k, most_u = s->radius[1] * across;
    double along_v = d3_dot(s->center, v) - half_v - half_u * k, most_v = s->radius[0] * across;
    return along_u <= most_u && along_u >= best->gap - most_u && along_v <= most_v &&
           along_v >= best->gap - most_v;
}

/* Nine directions: three between the borders of the quarter, at three heights. */
static void search_quarter(const sum *s, double sign_u, double sign_v, way *best)
{
    static const double flat[3] = {0.92387953251128674, 0.70710678118654752, 0.38268343236508977};
    static const double high[3] = {0.38268343236508977, 0.70710678118654752, 0.92387953251128674};
    lode__double3 u = d3_scale(s->axis[0], sign_u), v = d3_scale(s->axis[1], sign_v);
    double k = d3_dot(u, v), top = -1e300;
    if (!may_meet(s, u, v, k, best))
        return;
    lode__double3 e = d3_normalize_or(d3_cross(u, v), d3_across(u)), start = e;
    lode__double3 border_u = d3_normalize_or(d3_madd(u, v, -k), u);
    lode__double3 border_v = d3_normalize_or(d3_madd(v, u, -k), v);
    lode__double3 middle = d3_normalize_or(d3_add(u, v), border_u);
    lode__double3 between[3] = {d3_normalize_or(d3_add(border_u, middle), middle), middle,
                                d3_normalize_or(d3_add(border_v, middle), middle)};
    e = d3_dot(e, s->center) < 0 ? d3_neg(e) : e;
    for (int i = 0; i < 9; ++i) {
        lode__double3 n = d3_add(d3_scale(between[i / 3], flat[i % 3]), d3_scale(e, high[i % 3]));
        lode__double3 reach = reach_at(s, n);
        double gap = d3_dot(reach, n);
        if (gap > top && is_hopeful(reach, gap, best)) {
            top = gap;
            start = n;
        }
    }
    if (top > -1e300)
        try_normal(s, climb(s, start, best), best);
}

/* Beside the face across a disc, if the way out is not within it. */
static void search_beside(const sum *s, int disc, way *best)
{
    lode__double3 u = s->axis[disc];
    u = d3_dot(u, s->center) < 0 ? d3_neg(u) : u;
    sum rest = *s;
    rest.radius[disc] = 0;
    bend f = bend_at(&rest, u);
    double slope = d_sqrt(f.g1 * f.g1 + f.g2 * f.g2);
    if (!(slope > s->radius[disc]))
        return;
    lode__double3 toward = d3_add(d3_scale(f.t1, f.g1 / slope), d3_scale(f.t2, f.g2 / slope));
    lode__double3 n = d3_normalize_or(d3_madd(u, toward, BESIDE), u);
    lode__double3 reach = reach_at(s, n);
    if (is_hopeful(reach, d3_dot(reach, n), best))
        try_normal(s, climb(s, n, best), best);
}

/* --- the answer */

/* The points that part last. Along the normal each solid has a set of farthest points: what of it is
 * not across the normal is at an end, the rest is free. The two sets must meet, one above the other; that
 * they do proves that the normal is a best way out, and false says that it does not. */
typedef struct foot {
    double share[SEGMENTS];      /* of each half segment, from -1 to 1 */
    lode__double3 within[DISCS]; /* from the middle of each disc */
    bool free_segment[SEGMENTS], free_disc[DISCS];
} foot;

/* Returns what is left beside the normal. */
static lode__double3 begin_foot(const sum *s, lode__double3 n, double scale, foot *out)
{
    lode__double3 left = s->center;
    for (int i = 0; i < s->segments; ++i) {
        double along = d3_dot(s->segment[i], n);
        out->free_segment[i] = d_abs(along) <= scale * FOOT_FREE;
        out->share[i] = out->free_segment[i] ? 0 : along < 0 ? -1 : 1;
        left = d3_madd(left, s->segment[i], -out->share[i]);
    }
    for (int j = 0; j < s->discs; ++j) {
        lode__double3 rim = d3_madd(n, s->axis[j], -d3_dot(n, s->axis[j]));
        double length = d3_length(rim);
        out->free_disc[j] = length <= FOOT_FREE;
        out->within[j] = d3_scale(rim, out->free_disc[j] ? 0 : s->radius[j] / length);
        left = d3_sub(left, out->within[j]);
    }
    return d3_madd(left, n, -d3_dot(left, n));
}

/* Moves the free parts, one after another, to take up what is left; returns its length. */
static double settle(const sum *s, lode__double3 n, lode__double3 left, double enough, foot *f)
{
    for (int round = 0; round < FOOT_ROUNDS && d3_length(left) > enough; ++round) {
        for (int i = 0; i < s->segments; ++i) {
            double square = d3_dot(s->segment[i], s->segment[i]);
            if (!f->free_segment[i] || !(square > 0))
                continue;
            double to = f->share[i] + d3_dot(left, s->segment[i]) / square;
            to = d_min(d_max(to, -1), 1);
            left = d3_madd(left, s->segment[i], f->share[i] - to);
            f->share[i] = to;
        }
        for (int j = 0; j < s->discs; ++j) {
            if (!f->free_disc[j])
                continue;
            lode__double3 to = d3_add(f->within[j], left);
            double length = d3_length(to);
            to = length > s->radius[j] ? d3_scale(to, s->radius[j] / length) : to;
            left = d3_add(left, d3_sub(f->within[j], to));
            f->within[j] = to;
        }
        left = d3_madd(left, n, -d3_dot(left, n));
    }
    return d3_length(left);
}

static bool tell_points(const sum *s, const way *w, lode__nearest *out)
{
    lode__double3 n = w->normal;
    double scale = d3_length(s->center);
    for (int i = 0; i < s->segments; ++i)
        scale += d3_length(s->segment[i]);
    for (int j = 0; j < s->discs; ++j)
        scale += s->radius[j];
    foot f;
    lode__double3 left = begin_foot(s, n, scale, &f);
    if (!(settle(s, n, left, scale * FOOT_FREE, &f) <= scale * FOOT_MEETS))
        return false;
    out->on_a = d3(0, 0, 0);
    out->on_b = d3_neg(s->center);
    for (int i = 0; i < s->segments; ++i) {
        lode__double3 *at = s->of_b[i] ? &out->on_b : &out->on_a;
        *at = d3_madd(*at, s->segment[i], s->of_b[i] ? f.share[i] : -f.share[i]);
    }
    for (int j = 0; j < s->discs; ++j) {
        lode__double3 *at = s->disc_of_b[j] ? &out->on_b : &out->on_a;
        *at = d3_madd(*at, f.within[j], s->disc_of_b[j] ? 1 : -1);
    }
    /* what is left is shared by both */
    lode__double3 middle = d3_scale(d3_add(out->on_a, out->on_b), 0.5);
    out->on_a = d3_madd(middle, n, w->gap / 2);
    out->on_b = d3_madd(middle, n, -w->gap / 2);
    return true;
}

bool lode__sum_depth(const lode__convex_pair *pair, lode__nearest *out)
{
    const lode__convex_type *cylinder = &lode__convex_types[LODE_CYLINDER];
    if (pair->a.type != cylinder && pair->b.type != cylinder)
        return false; /* two boxes have more segments */
    sum s = {.center = d3_neg(pair->offset)};
    if (!add_core(&s, &pair->a, NULL, false) || !add_core(&s, &pair->b, &pair->turn, true))
        return false;
    way best = {.gap = -1e300};
    try_faces(&s, &best);
    for (int i = 0; i < s.segments; ++i)
        search_circle(&s, i, &best);
    if (s.discs == 2)
        for (int k = 0; k < 4; ++k)
            search_quarter(&s, k & 1 ? -1 : 1, k & 2 ? -1 : 1, &best);
    for (int j = 0; j < s.discs; ++j)
        search_beside(&s, j, &best);
    out->gap = best.gap;
    out->normal = best.normal;
    return best.gap > -1e300 && tell_points(&s, &best, out);
}

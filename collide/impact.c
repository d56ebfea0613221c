/* impact.c: see impact.h.
 *
 * *When.* Conservative advancement (Mirtich 1996, chapter 2; Mirtich 2000, "Timewarp rigid body
 * simulation"): the solids are `gap` apart along n; along n a point of a body moves no faster than
 * the body's centre does and than spin x distance from the axis allows (Zhang, Lee, Kim 2006,
 * "Interactive continuous collision detection for non-convex polyhedra", has such bounds); so for
 * gap / speed they cannot meet.
 *
 * *What for.* What touches is the contacts' business, and a body that rolls or slides fast touches
 * all the time. To stop it at each touch would be wrong. So a body is stopped only where it would
 * go through: where its *inner part*, the solid shrunk to half its size about its middle, would
 * come to the other. Then it is stopped where the whole solid touches first, or, if that touched
 * from the beginning, where the inner part would. As long as the inner part stays on its side,
 * contacts push to the right side too.
 *
 * Solids that are so deep in each other that the inner part is in already try a far smaller one,
 * and if that is in too the pair is left to its contacts: it must be able to part.
 *
 * Turns are normalised linear interpolations of quaternions: no trigonometry, one axis, and a rate
 * that is at most 4 tan(angle / 4) per course. */
#include "collide/impact.h"

#include "collide/custom.h"
#include "collide/gjk.h"
#include "collide/hull.h"
#include "collide/mesh.h"
#include "collide/shape_type.h"

enum { IMPACT_STEPS = 100, STRETCHES = 32, ASKED_HALVES = 16 };

/* Of the target: how much farther away counts as there. */
#define IMPACT_SLACK 0.25

/* Sizes of inner parts, as shares of the solid, and how near they may come, of the ball within. */
static const double parts[] = {0.5, 0.05};
#define PART_MARGIN 0.1

#define UNBOUNDED 1e300
#define NEVER 2.0

/* --- courses */

static void get_turn(lode_quat q, double out[4])
{
    out[0] = (double)q.w, out[1] = (double)q.x, out[2] = (double)q.y, out[3] = (double)q.z;
}

static void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

lode__course lode__course_make(double begin, const lode__pose *from, const lode__pose *to)
{
    lode__course c = {.begin = begin, .from = d3_from(from->position)};
    double back[4], way[4];
    c.by = d3_sub(d3_from(to->position), c.from);
    get_turn(from->rotation, c.turn_from);
    get_turn(to->rotation, c.turn_to);
    get_turn(q_conj(from->rotation), back);
    multiply(c.turn_to, back, way);
    for (int i = 0; i < 4 && way[0] < 0; ++i)
        c.turn_to[i] = -c.turn_to[i];
    lode__double3 sine = d3(way[1], way[2], way[3]);
    double size = d3_length(sine), cosine = d_abs(way[0]);
    c.axis = d3_normalize_or(sine, d3(0, 0, 1));
    c.spin = 4 * size / (d_sqrt(size * size + cosine * cosine) + cosine) * 1.00001;
    return c;
}

lode__course lode__course_still(double begin, const lode__pose *at)
{
    lode__course c = {.begin = begin, .from = d3_from(at->position), .axis = {0, 0, 1}};
    get_turn(at->rotation, c.turn_from);
    get_turn(at->rotation, c.turn_to);
    return c;
}

/* Of a share of the step, how much of the course. */
static double along(const lode__course *course, double share)
{
    double length = 1 - course->begin;
    return length > 0 ? d_min((share - course->begin) / length, 1) : 1;
}

static void turn_at(const lode__course *course, double s, double out[4])
{
    for (int i = 0; i < 4; ++i)
        out[i] = course->turn_from[i] + s * (course->turn_to[i] - course->turn_from[i]);
}

lode__pose lode__course_at(const lode__course *course, double share)
{
    double s = along(course, share), q[4];
    turn_at(course, s, q);
    lode_quat rotation = {(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
    return (lode__pose){.position = d3_to(d3_madd(course->from, course->by, s)),
                        .rotation = q_normalize(rotation)};
}

/* --- shapes */

/* The largest ball that is looked for: around the middle. */
static double inner_of(uint32_t type, const lode_real size[4], const lode__shape_data *data,
                       lode__double3 *out_middle)
{
    const lode_hull *hull;
    double least = UNBOUNDED;
    switch (type) {
    case LODE_SPHERE:
    case LODE_CAPSULE:
        return (double)size[0];
    case LODE_CYLINDER:
        return (double)r_min(size[0], size[1]);
    case LODE_BOX:
        return (double)r_min(size[0], r_min(size[1], size[2]));
    case LODE_HULL:
        hull = (const lode_hull *)(const void *)data;
        *out_middle = hull->center;
        for (uint32_t f = 0; f < hull->face_count; ++f) {
            const lode__hull_face *face = &hull->faces[f];
            lode__double3 on = d3_from(hull->vertices[hull->edges[face->first].origin]);
            least = d_min(least, d3_dot(d3_from(face->normal), d3_sub(on, hull->center)));
        }
        return d_max(least, 0);
    case LODE_CUSTOM:
        if (!lode__is_convex(type, data))
            return 0;
        *out_middle = custom_of(data)->middle;
        return custom_of(data)->inner;
    default:
        return 0;
    }
}

lode__mover lode__mover_of(const lode__geometry *geometry, const lode__shape_data *data,
                           const lode__course *course)
{
    lode__mover m = {.course = course, .geometry = geometry, .data = data, .reach = UNBOUNDED};
    const lode__shape_type *type = &lode__shape_types[geometry->type];
    m.core_reach = m.reach;
    m.inner = inner_of(geometry->type, geometry->size, data, &m.middle);
    if (!type->reach)
        return m;
    lode__shape_view view = {geometry->size, q_identity(), data};
    lode__reach reach = type->reach(&view);
    double arm = d3_length(d3_from(geometry->center.position)) + d3_length(d3_from(reach.middle));
    double radius = lode__convex_types[geometry->type].has_radius ? (double)geometry->size[0] : 0;
    lode__double3 half = d3_from(reach.half);
    lode__double3 core = d3(half.x - radius, half.y - radius, half.z - radius);
    m.reach = (arm + d3_length(half)) * 1.00001;
    m.core_reach = (arm + d3_length(core)) * 1.00001;
    return m;
}

/* A solid shrunk about a point of its own. */
typedef struct shrunk {
    const lode__convex *whole;
    lode__double3 middle;
    double share;
} shrunk;

static lode__double3 shrunk_support(const lode__convex *convex, lode__double3 direction)
{
    const shrunk *s = convex->data;
    lode__double3 at = s->whole->type->support(s->whole, direction);
    return d3_madd(s->middle, d3_sub(at, s->middle), s->share);
}

static const lode__convex_type shrunk_type = {shrunk_support, NULL, false};

/* --- the pair */

typedef struct meeting {
    const lode__mover *a, *b;
    const lode__gate *gate; /* of b's triangles */
    lode__convex solid;     /* a */
    double begin, target, most;
    double near;         /* until then balls around both are apart */
    lode__double3 speed; /* of a's centre of mass against b's, m per step */
    double spin_a, spin_b, arm_a, arm_b;
    bool found;
} meeting;

typedef struct frame {
    lode__double33 turn;
    lode__double3 center;
} frame;

static frame frame_at(const lode__mover *m, double share)
{
    double s = along(m->course, share), body[4], own[4], q[4];
    turn_at(m->course, s, body);
    get_turn(m->geometry->center.rotation, own);
    multiply(body, own, q);
    lode__double33 turn = d33_from_parts(body[0], body[1], body[2], body[3]);
    lode__double3 arm = d33_mul(&turn, d3_from(m->geometry->center.position));
    return (frame){d33_from_parts(q[0], q[1], q[2], q[3]),
                   d3_add(d3_madd(m->course->from, m->course->by, s), arm)};
}

/* Per step, while the course lasts. */
static double rate(const lode__course *course, double per_course)
{
    double length = 1 - course->begin;
    return length > 0 ? per_course / length : 0;
}

static lode__double3 speed_of(const lode__course *course)
{
    return d3(rate(course, course->by.x), rate(course, course->by.y), rate(course, course->by.z));
}

/* How far apart the centres of mass get from `share` on: a straight line is farthest at an end. */
static double centres_apart(const lode__course *a, const lode__course *b, double share)
{
    lode__double3 from = d3_sub(d3_madd(a->from, a->by, along(a, share)),
                                d3_madd(b->from, b->by, along(b, share)));
    lode__double3 to = d3_sub(d3_add(a->from, a->by), d3_add(b->from, b->by));
    return d_max(d3_length(from), d3_length(to));
}

/* Points of b farther away than a ever comes do not matter. */
static double arm_near(const lode__mover *b, const lode__mover *a, double share, double reach)
{
    return d_min(b->core_reach, centres_apart(a->course, b->course, share) + reach);
}

double lode__movers_shift(const lode__mover *a, const lode__mover *b, double share)
{
    lode__double3 speed = d3_sub(speed_of(a->course), speed_of(b->course));
    double turns = rate(a->course, a->course->spin) * a->core_reach +
                   rate(b->course, b->course->spin) * arm_near(b, a, share, a->reach);
    return (1 - share) * (d3_length(speed) + turns);
}

/* How fast any point of the one comes nearer to any of the other, at most. */
static double any_speed(const meeting *m)
{
    return d3_length(m->speed) + m->spin_a * m->arm_a + m->spin_b * m->arm_b;
}

static lode_quat rotation_of(const lode__mover *m, double share)
{
    double body[4], own[4], q[4];
    turn_at(m->course, along(m->course, share), body);
    get_turn(m->geometry->center.rotation, own);
    multiply(body, own, q);
    lode_quat rotation = {(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
    return q_normalize(rotation);
}

/* The same of a class that is asked by its collider, which knows whole solids: an inner part is as much
 * farther away as its ball is smaller. What is not told of is too far to come in this step. */
static bool asked_gap(const meeting *m, const lode__convex *solid, double share,
                      lode__double3 offset, double *out_gap)
{
    const lode__mover *a = m->a, *b = m->b;
    const shrunk *inner = solid->type == &shrunk_type ? solid->data : NULL;
    lode__shape_view view_a = {a->geometry->size, rotation_of(a, share), a->data};
    lode__shape_view view_b = {b->geometry->size, rotation_of(b, share), b->data};
    double most = any_speed(m) * (1 - m->begin) + 4 * m->target;
    lode__apart apart;
    bool told = lode__custom_apart(a->geometry->type, &view_a, b->geometry->type, &view_b,
                                   d3_to(offset), (lode_real)most, &apart);
    *out_gap = (told ? (double)apart.distance : most) + (inner ? (1 - inner->share) * a->inner : 0);
    return *out_gap > 0;
}

/* The gap between a solid of a's and a piece of b, and the direction to a; false: none is left. */
static bool gap_at(const meeting *m, const lode__convex *solid, const lode__piece *piece,
                   double share, double *out_gap, lode__double3 *out_n)
{
    frame a = frame_at(m->a, share), b = frame_at(m->b, share);
    lode__double3 offset = d3_sub(b.center, a.center);
    *out_gap = 0;
    if (piece->asked)
        return asked_gap(m, solid, share, offset, out_gap);
    if (!piece->solid.type) {
        lode__double3 n = d33_mul(&b.turn, piece->normal);
        lode__double3 low = solid->type->support(solid, d33_mul_t(&a.turn, d3_neg(n)));
        *out_n = n;
        *out_gap = d3_dot(n, d3_sub(d33_mul(&a.turn, low), offset)) - solid->radius - piece->offset;
        return *out_gap > 0;
    }
    lode__convex_pair pair = {*solid, piece->solid, d33_between(&a.turn, &b.turn),
                              d33_mul_t(&a.turn, offset)};
    lode__nearest nearest;
    if (!lode__gjk_distance(&pair, __builtin_inf(), &nearest, NULL))
        return false;
    *out_gap = nearest.gap - solid->radius - piece->solid.radius;
    *out_n = d33_mul(&a.turn, nearest.normal);
    return *out_gap > 0;
}

/* How fast a point of a can come nearer to one of b along n, at most. */
static double closing_speed(const meeting *m, lode__double3 n)
{
    double lever_a = d3_length(d3_cross(m->a->course->axis, n)) * m->arm_a;
    double lever_b = d3_length(d3_cross(m->b->course->axis, n)) * m->arm_b;
    return -d3_dot(n, m->speed) + m->spin_a * lever_a + m->spin_b * lever_b;
}

/* The same of a class that is asked: it need not be convex, so no direction tells how soon it comes,
 * and time advances by the gap at the whole speed. Where the gap stays narrow it advances by an eighth
 * of the ball within the solid, which cannot pass through in such steps, and goes back by halves. */
static bool advance_asked(const meeting *m, const lode__convex *solid, const lode__piece *piece,
                          double stop, double slack, double share, double most, double *out_share)
{
    double speed = any_speed(m), before = share, gap;
    lode__double3 n;
    bool there = !gap_at(m, solid, piece, share, &gap, &n) || !(gap > stop + slack);
    while (!there) {
        before = share;
        share += d_max(gap - stop, m->a->inner / 8) / speed;
        if (!(before < most) || !(share > before))
            return false;
        share = d_min(share, most);
        there = !gap_at(m, solid, piece, share, &gap, &n) || !(gap > stop + slack);
    }
    for (int i = 0; i < ASKED_HALVES && before < share; ++i) {
        double middle = (before + share) / 2;
        if (gap_at(m, solid, piece, middle, &gap, &n) && gap > stop + slack)
            before = middle;
        else
            share = middle;
    }
    *out_share = share;
    return true;
}

/* When the solid is `stop` away from the piece, or by `slack` more; from `share` to `most`. What
 * takes too many steps counts as there. */
static bool advance(const meeting *m, const lode__convex *solid, const lode__piece *piece,
                    double stop, double slack, double share, double most, double *out_share)
{
    if (piece->asked)
        return advance_asked(m, solid, piece, stop, slack, share, most, out_share);
    for (int step = 0; step < IMPACT_STEPS; ++step) {
        double gap;
        lode__double3 n;
        *out_share = share;
        if (!gap_at(m, solid, piece, share, &gap, &n) || !(gap > stop + slack))
            return true;
        double closing = closing_speed(m, n);
        if (!(closing > 0))
            return false;
        share += (gap - stop) / closing;
        if (!(share <= most))
            return false;
    }
    return true;
}

/* Does an inner part come to the piece from `share` on? One that is near already may go, but no
 * nearer: it stays where it is. */
static bool part_comes(const meeting *m, const lode__piece *piece, double share, double *out_share)
{
    for (int i = 0; i < (int)(sizeof parts / sizeof *parts); ++i) {
        shrunk inner = {&m->solid, m->a->middle, parts[i]};
        lode__convex solid = {&shrunk_type, NULL, &inner, m->solid.radius * parts[i]};
        double gap;
        lode__double3 n;
        if (!gap_at(m, &solid, piece, share, &gap, &n))
            continue;
        double margin = PART_MARGIN * parts[i] * m->a->inner;
        bool near = gap <= 2 * margin;
        double stop = near ? gap / 2 : margin;
        if (!advance(m, &solid, piece, stop, stop / 2, share, 1, out_share))
            return false;
        *out_share = near ? share : *out_share;
        return true;
    }
    return false;
}

/* What is behind a one-sided triangle with its middle passes. */
static bool is_behind(const meeting *m, const lode__piece *piece)
{
    frame a = frame_at(m->a, m->begin), b = frame_at(m->b, m->begin);
    lode__double3 middle = d3_add(a.center, d33_mul(&a.turn, m->a->middle));
    lode__double3 at = d33_mul_t(&b.turn, d3_sub(middle, b.center));
    return d3_dot(piece->normal, at) < piece->offset;
}

static bool meet_piece(void *context, const lode__piece *piece)
{
    meeting *m = context;
    double gap, first = m->near, slack = m->target * IMPACT_SLACK, inner;
    lode__double3 n;
    if (piece->one_sided && is_behind(m, piece))
        return true;
    if (piece->child >= 0 && !gate_opens(m->gate, (uint32_t)piece->child))
        return true;
    bool parted = m->near > m->begin ||
                  (gap_at(m, &m->solid, piece, m->begin, &gap, &n) && gap > m->target + slack);
    if (parted && !advance(m, &m->solid, piece, m->target, slack, m->near, m->most, &first))
        return true;
    if (!part_comes(m, piece, first, &inner))
        return true;
    first = parted ? first : inner;
    if (first <= m->most) {
        m->most = first;
        m->found = true;
    }
    return true;
}

/* --- what of b is near */

/* The box of a's way from share s to share t of the step, in b's axes from its centre. */
static void box_of_way(const meeting *m, double s, double t, lode_vec3 *out_lo, lode_vec3 *out_hi)
{
    const lode__course *course = m->a->course, *other = m->b->course;
    lode__double3 end[2];
    for (int i = 0; i < 2; ++i) {
        double share = i ? t : s;
        frame then = frame_at(m->b, share);
        lode__double3 at = d3_madd(course->from, course->by, along(course, share));
        end[i] = d33_mul_t(&then.turn, d3_sub(at, then.center));
    }
    /* b turns: a's way bends in its axes, by no more than half of what it turns past */
    double bend = rate(other, other->spin) * (t - s) * centres_apart(course, other, s) / 2;
    double grow = m->a->reach + m->target * 2 + bend;
    double rounding = 1e-6 * (d3_most(end[0]) + d3_most(end[1]) + grow);
    grow += rounding;
    lode__double3 lo = d3(d_min(end[0].x, end[1].x) - grow, d_min(end[0].y, end[1].y) - grow,
                          d_min(end[0].z, end[1].z) - grow);
    lode__double3 hi = d3(d_max(end[0].x, end[1].x) + grow, d_max(end[0].y, end[1].y) + grow,
                          d_max(end[0].z, end[1].z) + grow);
    *out_lo = d3_to(lo);
    *out_hi = d3_to(hi);
}

/* A long way past many pieces is looked at stretch by stretch. */
static int stretches_of(const meeting *m)
{
    double length = d3_length(m->speed) * (1 - m->begin);
    if (!type_is_surface(m->b->geometry->type) || m->b->course->spin > 0)
        return 1;
    double many = length / (4 * m->a->reach);
    return many < STRETCHES ? 1 + (int)many : STRETCHES;
}

/* From which share of the step on balls around both are near each other, which come along a
 * straight line; beyond the step: they never are. */
static double balls_meet(const meeting *m)
{
    const lode__course *a = m->a->course, *b = m->b->course;
    lode__double3 from = d3_sub(d3_madd(a->from, a->by, along(a, m->begin)),
                                d3_madd(b->from, b->by, along(b, m->begin)));
    double reach = m->a->reach + m->b->reach + 2 * m->target;
    double square = d3_dot(m->speed, m->speed), closing = -d3_dot(from, m->speed);
    double over = d3_dot(from, from) - reach * reach;
    if (!(over > 0))
        return m->begin;
    double root = closing * closing - square * over;
    if (!(closing > 0) || !(root >= 0))
        return NEVER;
    /* a little sooner than it comes out, for rounding */
    return m->begin + d_max(0, (closing - d_sqrt(root)) / square - 1e-9);
}

bool lode__impact(const lode__mover *a, const lode__mover *b, const lode__gate *gate, double target,
                  double most, double *out_share)
{
    meeting m = {
        .a = a,
        .b = b,
        .gate = gate,
        .solid = convex_make(&lode__convex_types[a->geometry->type], a->geometry->size, a->data),
        .begin = d_max(a->course->begin, b->course->begin),
        .target = target,
        .most = most,
        .speed = d3_sub(speed_of(a->course), speed_of(b->course)),
        .spin_a = rate(a->course, a->course->spin),
        .spin_b = rate(b->course, b->course->spin),
        .arm_a = a->core_reach,
    };
    m.arm_b = arm_near(b, a, m.begin, a->reach + 2 * target);
    m.near = balls_meet(&m);
    if (!(m.near <= most))
        return false;
    lode__shape_view view = {b->geometry->size, q_identity(), b->data};
    int stretches = stretches_of(&m);
    for (int i = 0; i < stretches; ++i) {
        double length = (1 - m.begin) / stretches, s = m.begin + i * length;
        lode_vec3 lo, hi;
        if (m.found && m.most < s)
            break;
        box_of_way(&m, s, i + 1 < stretches ? s + length : 1, &lo, &hi);
        lode__pieces_near(b->geometry->type, &view, lo, hi, meet_piece, &m);
    }
    *out_share = m.most;
    return m.found;
}

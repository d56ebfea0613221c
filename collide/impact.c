/* impact.c: see impact.h.
 *
 * *When.* Conservative advancement (Mirtich 1996, chapter 2; Mirtich 2000, "Timewarp rigid body
 * simulation"): the solids are `gap` apart along n; along n a point of a body moves no faster than
 * the body's centre does and than spin x distance from the axis allows (Zhang, Lee, Kim 2006,
 * "Interactive continuous collision detection for non-convex polyhedra", has such bounds); so for
 * gap / speed they cannot meet. Where that takes many steps, the points' own speeds are asked, by
 * support functions along n and what the turn makes of it, and only how much their ways bend is a
 * bound.
 *
 * *What for.* What touches is the contacts' business, and a body that rolls or slides fast touches
 * all the time. To stop it at each touch would be wrong. So a body is stopped only where it would
 * go through: where an inner part (inner.h) would come to the other. Then it is stopped where the
 * whole solid touches first, or, if that touched from the beginning, where the inner part would. As
 * long as an inner part stays on its side, contacts push to the right side too. A mesh has several
 * inner parts, its cores (mesh_cores.c), and the first that would come to the other counts.
 *
 * Parts that were in front at the beginning are in front at the end, whoever moves; the caller sees
 * to it that the other does not go on towards one that is stopped. Solids that are so deep in each
 * other that one part is in already have smaller ones, and if those are in too the pair is left to
 * its contacts: it must be able to part. */
#include "collide/impact.h"

#include "collide/apart.h"
#include "collide/custom.h"
#include "collide/gjk.h"
#include "collide/inner.h"
#include "collide/mesh.h"
#include "collide/shape_type.h"

enum { IMPACT_STEPS = 100, PATIENCE = 4, WHOLE_STEPS = 200, STRETCHES = 32, ASKED_HALVES = 16 };

/* Of the target: how much farther away counts as there. */
#define IMPACT_SLACK 0.25

/* Of the target: how near a mesh's core may come at least, as its radius may be 0. */
#define CORE_MARGIN 0.25

/* A part that is nearer than twice its margin may go on to half of that, but nearer than this share
 * of the margin it comes no more, in however many steps. */
#define LAST 0.25

#define NEVER 2.0

/* --- the pair */

typedef struct meeting {
    const lode__mover *a, *b;
    const lode__gate *gate; /* of b's triangles */
    lode__convex solid;     /* a; if that is a mesh, a core of it */
    lode__double3 middle;   /* of the solid's inner part, in a's axes */
    double inner;           /* radius of the ball there */
    double begin, target;
    double near;         /* until then balls around both are apart */
    lode__double3 speed; /* of a's centre of mass against b's, m per step */
    double spin_a, spin_b, arm_a, arm_b;
    lode__impact_hit best; /* its share is the most that is of interest */
    bool found;
} meeting;

typedef struct frame {
    lode__double33 turn;
    lode__double3 center;
} frame;

static frame frame_at(const lode__mover *m, double share)
{
    double s = course_along(m->course, share), body[4], own[4], q[4];
    lode__course_turn(m->course, s, body);
    turn_from(m->geometry->center.rotation, own);
    turn_mul(body, own, q);
    lode__double33 turn = d33_from_parts(body[0], body[1], body[2], body[3]);
    lode__double3 arm = d33_mul(&turn, d3_from(m->geometry->center.position));
    return (frame){d33_from_parts(q[0], q[1], q[2], q[3]),
                   d3_add(course_place(m->course, share), arm)};
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
    lode__double3 from = d3_sub(course_place(a, share), course_place(b, share));
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
    lode__course_turn(m->course, course_along(m->course, share), body);
    turn_from(m->geometry->center.rotation, own);
    turn_mul(body, own, q);
    lode_quat rotation = {(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
    return q_normalize(rotation);
}

/* A solid of a's: all of it, or one that lies so deep within. */
typedef struct part {
    const lode__convex *solid;
    double within;
} part;

/* The gap of a class that is asked by its collider, which knows whole solids: an inner part is as
 * much farther away as it is within. What is not told of is too far to come in this step. */
static bool asked_gap(const meeting *m, const part *what, double share, lode__double3 offset,
                      double *out_gap)
{
    const lode__mover *a = m->a, *b = m->b;
    lode__shape_view view_a = {a->geometry->size, rotation_of(a, share), a->data};
    lode__shape_view view_b = {b->geometry->size, rotation_of(b, share), b->data};
    double most = any_speed(m) * (1 - m->begin) + 4 * m->target;
    lode__apart apart;
    bool told = lode__custom_apart(a->geometry->type, &view_a, b->geometry->type, &view_b,
                                   d3_to(offset), (lode_real)most, &apart);
    *out_gap = (told ? (double)apart.distance : most) + what->within;
    return *out_gap > 0;
}

/* The gap between a solid of a's and a piece of b, and the direction to a; false: none is left. */
static bool gap_at(const meeting *m, const part *what, const lode__piece *piece, double share,
                   double *out_gap, lode__double3 *out_n)
{
    const lode__convex *solid = what->solid;
    frame a = frame_at(m->a, share), b = frame_at(m->b, share);
    lode__double3 offset = d3_sub(b.center, a.center);
    *out_gap = 0;
    if (piece->asked)
        return asked_gap(m, what, share, offset, out_gap);
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

/* The least that a point of the solid reaches along n, `ahead` later than the frame's share, if
 * each went on straight: from the centre of mass, which moves too. */
static double lowest(const lode__mover *mover, const lode__convex *solid, const frame *at,
                     double share, double spin, lode__double3 n, double ahead)
{
    lode__double3 turning = d3_cross(n, d3_scale(mover->course->axis, spin));
    lode__double3 down = d3_madd(n, turning, ahead);
    lode__double3 low = solid->type->support(solid, d33_mul_t(&at->turn, d3_neg(down)));
    lode__double3 center = d3_add(course_place(mover->course, share),
                                  d3_scale(speed_of(mover->course), ahead));
    lode__double3 arm = d3_sub(at->center, course_place(mover->course, share));
    return d3_dot(n, center) + d3_dot(down, d3_add(arm, d33_mul(&at->turn, low)));
}

/* Are the solids still farther apart than `stop` along n, `ahead` later? Points go on straight but
 * for their turning, which bends the way of one at a distance r from the axis by at most
 * spin^2 r ahead^2 / 2. True of any time before, too: what the points reach straight on is concave
 * in time, and so is the bend. */
static bool stays_off(const meeting *m, const part *what, const lode__piece *piece, double stop,
                      double share, lode__double3 n, double ahead)
{
    frame a = frame_at(m->a, share), b = frame_at(m->b, share);
    double low = lowest(m->a, what->solid, &a, share, m->spin_a, n, ahead), high;
    if (piece->solid.type)
        high = -lowest(m->b, &piece->solid, &b, share, m->spin_b, d3_neg(n), ahead);
    else if (!(m->spin_b > 0))
        high = d3_dot(n, d3_madd(b.center, speed_of(m->b->course), ahead)) + piece->offset;
    else
        return false;
    double bend = m->spin_a * m->spin_a * m->arm_a + m->spin_b * m->spin_b * m->arm_b;
    double radii = what->solid->radius + (piece->solid.type ? piece->solid.radius : 0);
    return low - high - radii - bend * ahead * ahead / 2 > stop;
}

/* The same of a class that is asked: it need not be convex, so no direction tells how soon it
 * comes, and time advances by the gap at the whole speed. Where the gap stays narrow it advances by
 * an eighth of the ball within the solid, which cannot pass through in such steps, and goes back by
 * halves. */
static bool advance_asked(const meeting *m, const part *what, const lode__piece *piece, double stop,
                          double slack, double share, double most, double *out_share)
{
    double speed = any_speed(m), before = share, gap;
    lode__double3 n;
    bool there = !gap_at(m, what, piece, share, &gap, &n) || !(gap > stop + slack);
    while (!there) {
        before = share;
        share += d_max(gap - stop, m->inner / 8) / speed;
        if (!(before < most) || !(share > before))
            return false;
        share = d_min(share, most);
        there = !gap_at(m, what, piece, share, &gap, &n) || !(gap > stop + slack);
    }
    for (int i = 0; i < ASKED_HALVES && before < share; ++i) {
        double middle = (before + share) / 2;
        if (gap_at(m, what, piece, middle, &gap, &n) && gap > stop + slack)
            before = middle;
        else
            share = middle;
    }
    *out_share = share;
    return true;
}

/* When the solid is `stop` away from the piece, or by `slack` more; from `share` to `most`. What
 * takes too many steps counts as there. What takes several, as it stands near the piece with one
 * point while others turn, is looked at more closely. */
static bool advance(const meeting *m, const part *what, const lode__piece *piece, double stop,
                    double slack, double share, double most, double *out_share)
{
    if (piece->asked)
        return advance_asked(m, what, piece, stop, slack, share, most, out_share);
    for (int step = 0; step < IMPACT_STEPS; ++step) {
        double gap;
        lode__double3 n;
        *out_share = share;
        if (!gap_at(m, what, piece, share, &gap, &n) || !(gap > stop + slack))
            return true;
        double closing = closing_speed(m, n);
        if (!(closing > 0))
            return false;
        double ahead = (gap - stop) / closing;
        for (bool leap = step >= PATIENCE; leap && share + ahead <= most;) {
            leap = stays_off(m, what, piece, stop, share, n, 2 * ahead);
            ahead = leap ? 2 * ahead : ahead;
        }
        share += ahead;
        if (!(share <= most))
            return false;
    }
    return true;
}

/* Says of a part that is stopped where it is nearest to the piece. A class that is asked tells no
 * direction. */
static void note_place(const meeting *m, const part *what, const lode__piece *piece,
                       lode__impact_hit *hit)
{
    const lode__convex *solid = what->solid;
    frame at = frame_at(m->a, hit->share);
    double gap;
    lode__double3 n;
    hit->at = hit->normal = d3(0, 0, 0);
    if (piece->asked || !gap_at(m, what, piece, hit->share, &gap, &n))
        return;
    lode__double3 low = solid->type->support(solid, d33_mul_t(&at.turn, d3_neg(n)));
    lode__double3 arm = d3_sub(at.center, course_place(m->a->course, hit->share));
    hit->at = d3_madd(d3_add(arm, d33_mul(&at.turn, low)), n, -solid->radius);
    hit->normal = n;
}

/* Does the part come to the piece from hit->share on, to which it has a gap? One that is near
 * already may go on a little, then it stays where it is. */
static bool comes(const meeting *m, const part *what, const lode__piece *piece, double gap,
                  double margin, lode__impact_hit *hit)
{
    bool near = gap <= 2 * margin;
    double stop = near ? d_max(gap / 2, d_min(0.99 * gap, LAST * margin)) : margin;
    double slack = near ? (gap - stop) / 2 : stop / 2, share;
    if (!advance(m, what, piece, stop, slack, hit->share, 1, &share))
        return false;
    hit->share = share;
    hit->inside = true;
    hit->lack = d_max(margin - gap, 0);
    note_place(m, what, piece, hit);
    return true;
}

/* Does an inner part come to the piece from hit->share on? */
static bool part_comes(const meeting *m, const lode__piece *piece, lode__impact_hit *hit)
{
    uint32_t type = m->a->geometry->type;
    double least = type == LODE_MESH ? m->target * CORE_MARGIN : 0, gap;
    for (int i = 0; i < LODE__INNER_PARTS; ++i) {
        lode__inner inner;
        lode__double3 n;
        if (!lode__inner_part(i, type, &m->solid, m->middle, m->inner, &inner))
            continue;
        part what = {&inner.solid, inner.within};
        if (gap_at(m, &what, piece, hit->share, &gap, &n))
            return comes(m, &what, piece, gap, d_max(inner.margin, least), hit);
    }
    return false;
}

/* What is behind a one-sided triangle with its middle passes. */
static bool is_behind(const meeting *m, const lode__piece *piece)
{
    frame a = frame_at(m->a, m->begin), b = frame_at(m->b, m->begin);
    lode__double3 middle = d3_add(a.center, d33_mul(&a.turn, m->middle));
    lode__double3 at = d33_mul_t(&b.turn, d3_sub(middle, b.center));
    return d3_dot(piece->normal, at) < piece->offset;
}

static bool may_meet(const meeting *m, const lode__piece *piece)
{
    return piece->child < 0 || gate_opens(m->gate, (uint32_t)piece->child);
}

static void take(meeting *m, const lode__impact_hit *hit)
{
    if (!(hit->share <= m->best.share))
        return;
    m->best = *hit;
    m->found = true;
}

static bool meet_piece(void *context, const lode__piece *piece)
{
    meeting *m = context;
    const part whole = {&m->solid, 0};
    double gap, first = m->near, slack = m->target * IMPACT_SLACK;
    lode__double3 n;
    if ((piece->one_sided && is_behind(m, piece)) || !may_meet(m, piece))
        return true;
    bool parted = m->near > m->begin ||
                  (gap_at(m, &whole, piece, m->begin, &gap, &n) && gap > m->target + slack);
    if (parted && !advance(m, &whole, piece, m->target, slack, m->near, m->best.share, &first))
        return true;
    lode__impact_hit hit = {.share = first};
    if (part_comes(m, piece, &hit))
        take(m, parted ? &(lode__impact_hit){.share = first} : &hit);
    return true;
}

/* --- meshes that go ahead */

static lode__double3 point_support(const lode__convex *convex, lode__double3 direction)
{
    const lode__mesh_core *core = convex->data;
    (void)direction;
    return core->at;
}

static const lode__convex_type point_type = {point_support, NULL, false};

/* When the first core comes to the piece. */
static bool meet_piece_with_cores(void *context, const lode__piece *piece)
{
    meeting *m = context;
    const lode__mesh *mesh = mesh_of(m->a->data);
    if (!may_meet(m, piece))
        return true;
    for (uint32_t i = 0; i < mesh->core_count; ++i) {
        const lode__mesh_core *core = &mesh->cores[i];
        lode__impact_hit hit = {.share = m->near};
        m->solid = (lode__convex){&point_type, NULL, core, core->radius};
        m->middle = core->at;
        m->inner = core->radius;
        if (!(piece->one_sided && is_behind(m, piece)) && part_comes(m, piece, &hit))
            take(m, &hit);
    }
    return true;
}

/* How far all of a is from all of b, as far as that is known. */
static double whole_gap(const meeting *m, double share)
{
    const lode__mover *a = m->a, *b = m->b;
    frame at = frame_at(a, share), then = frame_at(b, share);
    lode__shape_view view_a = {a->geometry->size, rotation_of(a, share), a->data};
    lode__shape_view view_b = {b->geometry->size, rotation_of(b, share), b->data};
    lode__apart apart;
    bool told = lode__find_apart(a->geometry->type, &view_a, b->geometry->type, &view_b,
                                 d3_to(d3_sub(then.center, at.center)), &apart);
    return told ? (double)apart.distance : 0;
}

/* A core comes to b in this step: a is stopped where all of it is `target` away, if it is farther
 * at first. It need not be convex, so time advances by the gap at the whole speed; what takes too
 * many steps counts as there. */
static void stop_whole(meeting *m)
{
    double enough = m->target * (1 + IMPACT_SLACK), speed = any_speed(m), share = m->near;
    double gap = whole_gap(m, share);
    if (!(gap > enough))
        return;
    for (int step = 0; step < WHOLE_STEPS && gap > enough; ++step) {
        share += (gap - m->target) / speed;
        if (!(share < m->best.share))
            return;
        gap = whole_gap(m, share);
    }
    m->best = (lode__impact_hit){.share = share};
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
        end[i] = d33_mul_t(&then.turn, d3_sub(course_place(course, share), then.center));
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
    lode__double3 from = d3_sub(course_place(a, m->begin), course_place(b, m->begin));
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
                  double most, lode__impact_hit *out)
{
    bool is_mesh = a->geometry->type == LODE_MESH;
    meeting m = {
        .a = a,
        .b = b,
        .gate = gate,
        .middle = a->middle,
        .inner = a->inner,
        .begin = d_max(a->course->begin, b->course->begin),
        .target = target,
        .speed = d3_sub(speed_of(a->course), speed_of(b->course)),
        .spin_a = rate(a->course, a->course->spin),
        .spin_b = rate(b->course, b->course->spin),
        .arm_a = a->core_reach,
        .best = {.share = most},
    };
    m.arm_b = arm_near(b, a, m.begin, a->reach + 2 * target);
    if (!is_mesh)
        m.solid = convex_make(&lode__convex_types[a->geometry->type], a->geometry->size, a->data);
    m.near = balls_meet(&m);
    if (!(m.near <= most))
        return false;
    lode__shape_view view = {b->geometry->size, q_identity(), b->data};
    int stretches = stretches_of(&m);
    for (int i = 0; i < stretches; ++i) {
        double length = (1 - m.begin) / stretches, s = m.begin + i * length;
        lode_vec3 lo, hi;
        if (m.found && m.best.share < s)
            break;
        box_of_way(&m, s, i + 1 < stretches ? s + length : 1, &lo, &hi);
        lode__pieces_near(b->geometry->type, &view, lo, hi,
                          is_mesh ? meet_piece_with_cores : meet_piece, &m);
    }
    if (is_mesh && m.found)
        stop_whole(&m);
    *out = m.best;
    return m.found;
}

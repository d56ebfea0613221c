/* company.c: see company.h. */
#include "world/company.h"

#include "solver/kinematic.h"
#include "solver/state.h"
#include "world/world.h"

/* Each time one more joins, all are asked what they meet. */
enum { MOST_TOGETHER = 64 };

static int32_t next_of(const lode__ways *ways, int32_t line)
{
    return lode__ways_track(ways, line)->next;
}

static int company_size(const lode__ways *ways, int32_t line)
{
    int size = 1;
    for (int32_t at = line; (at = next_of(ways, at)) != line;)
        ++size;
    return size;
}

/* What is left to a body of its way. */
typedef struct remainder {
    double mass;
    lode__double3 place, way; /* of its centre of mass */
    lode__double3 turn;       /* axis times angle */
    lode_real inertia[6];     /* world axes */
} remainder;

static remainder remainder_of(const lode__ways *ways, int32_t line, double share)
{
    const lode__course *course = &lode__ways_track(ways, line)->course;
    const lode__local_mass *local = BODY(ways->world, local, ways->lines->slot[line]);
    double left = 1 - course_along(course, share);
    remainder r = {.mass = (double)local->mass,
                   .place = course_place(course, share),
                   .way = d3_scale(course->by, left),
                   .turn = d3_scale(course->axis, course->spin * left)};
    s3_rotate(lode__course_at(course, share).rotation, local->inertia, r.inertia);
    return r;
}

static lode__double3 turned(const lode_real inertia[6], lode__double3 by)
{
    return d3_from(s3_mul(inertia, d3_to(by)));
}

/* How a company goes on: as one body, with the momentum of all and with the turn that they have in
 * common, which is that of their own angular momenta. What they have by going past each other is no
 * turn: two that graze would go around one another. */
typedef struct going {
    lode__double3 center, way, turn;
} going;

static going going_of(const lode__ways *ways, int32_t first, double share)
{
    going g = {0};
    double mass = 0;
    lode_real inertia[6] = {0}, inverse[6];
    lode__double3 spin = {0, 0, 0};
    int32_t line = first;
    do {
        remainder r = remainder_of(ways, line, share);
        mass += r.mass;
        g.center = d3_madd(g.center, r.place, r.mass);
        g.way = d3_madd(g.way, r.way, r.mass);
        spin = d3_add(spin, turned(r.inertia, r.turn));
        for (int i = 0; i < 6; ++i)
            inertia[i] += r.inertia[i];
    } while ((line = next_of(ways, line)) != first);
    g.center = d3_scale(g.center, 1 / mass);
    g.way = d3_scale(g.way, 1 / mass);
    if (s3_invert(inertia, inverse))
        g.turn = turned(inverse, spin);
    return g;
}

static lode__course gone(const lode__ways *ways, int32_t line, const going *g, double share)
{
    lode__pose at = lode__course_at(&lode__ways_track(ways, line)->course, share);
    lode_quat turn = q_turned(q_identity(), d3_to(g->turn), 1);
    lode_vec3 arm = v3_sub(at.position, d3_to(g->center));
    lode__pose end = {.position = v3_add(d3_to(d3_add(g->center, g->way)), q_rotate(turn, arm)),
                      .rotation = q_normalize(q_mul(turn, at.rotation))};
    return lode__course_make(share, &at, &end);
}

/* Who is not continuous, and so is asked about nothing, goes no farther than it would alone. */
static double allowed(const lode__ways *ways, int32_t first, const going *g, double share)
{
    double least = 1;
    int32_t line = first;
    do {
        const lode__track *track = lode__ways_track(ways, line);
        lode__course with = gone(ways, line, g, share);
        double own = lode__ways_length(track) * (1 - course_along(&track->course, share));
        double length = d3_length(with.by) + with.spin * track->reach;
        if (track->index == LODE__NONE && own < least * length)
            least = own / length;
    } while ((line = next_of(ways, line)) != first);
    return least;
}

bool lode__company_may_join(const lode__ways *ways, int32_t line, int32_t other)
{
    return lode__ways_track(ways, line)->carrier == LODE__NONE &&
           lode__ways_track(ways, other)->carrier == LODE__NONE &&
           company_size(ways, line) + company_size(ways, other) <= MOST_TOGETHER;
}

void lode__company_join(lode__ways *ways, int32_t line, int32_t other, double share)
{
    lode__track *a = lode__ways_track(ways, line), *b = lode__ways_track(ways, other);
    int32_t after = a->next;
    a->next = b->next;
    b->next = after;
    going g = going_of(ways, line, share);
    double part = allowed(ways, line, &g, share);
    g.way = d3_scale(g.way, part);
    g.turn = d3_scale(g.turn, part);
    after = line;
    do {
        lode__ways_track(ways, after)->company = ways->lines->slot[line];
        lode__ways_change(ways, after, gone(ways, after, &g, share));
    } while ((after = next_of(ways, after)) != line);
}

void lode__company_leave(const lode__ways *ways, int32_t line)
{
    lode__track *track = lode__ways_track(ways, line);
    int32_t before = line;
    while (lode__ways_track(ways, before)->next != line)
        before = lode__ways_track(ways, before)->next;
    lode__ways_track(ways, before)->next = track->next;
    track->next = line;
    track->company = LODE__NONE;
}

/* continuous.c: the stage "continuous", after the bodies have moved and before the pools learn it.
 *
 * The pools still hold the poses that the step began with, the dense lines those it would end with.
 * Each continuous body is asked what it meets on its way from one to the other (collide/impact.h):
 * what stands still is in the tree where it is; what moves is within its own way of where it began,
 * so the tree is asked for a box grown by the longest way of any other body.
 *
 * Then events are taken in the order of time, and of equal ones by the bodies' slots. At each the
 * body stops where it is: it loses the rest of its way, not its velocity, and in the next step the
 * contact that is then there acts. A partner that moves much stops too. A kinematic one does not;
 * it takes the body along. What an event has changed is asked again, from that time on: by someone
 * who stands now another may be met. Each event ends the way of a body, so they end.
 *
 * All of it depends on poses alone, neither on the tree nor on threads. What is slow against the
 * size of the continuous body is left to the contacts; a world in which all is slow pays for a look
 * at its lines, one without such bodies for nothing. */
#include "world/continuous.h"

#include "collide/place.h"
#include "solver/kinematic.h"
#include "solver/state.h"
#include "world/world.h"

/* Of the radius of the ball within a body: what moves less in a step need not be asked. */
#define SLOW 0.1

/* Of the speculative margin: how far from another a body is stopped, so that the next step sees
 * it. */
#define TARGET 0.25

#define NO_EVENT 2.0

typedef struct continuous_run {
    lode__world *world;
    const lode__step *step;
    lode__continuous *c;
    lode__dense *lines;
    double target;
    double longest, second; /* ways of bodies */
    int32_t longest_line;
} continuous_run;

/* --- memory */

static bool is_continuous(const lode__world *world, int32_t line)
{
    uint32_t slot = world->solver.state->lines.slot[line];
    return line > 0 && (*BODY(world, flags, slot) & LODE__BODY_CONTINUOUS);
}

bool lode__continuous_prepare(lode__world *world, const lode__step *step)
{
    lode__continuous *c = &world->continuous;
    const lode__solve_state *state = world->solver.state;
    *c = (lode__continuous){0};
    if (!(state->flags_seen & LODE__BODY_CONTINUOUS))
        return true;
    uint32_t count = 0;
    for (int32_t line = 1; line < (int32_t)state->lines.count; ++line)
        count += is_continuous(world, line);
    c->track_count = state->lines.count + state->lines.kinematic_count;
    c->line = LODE__TAKE(step->arena, int32_t, count);
    c->event = LODE__TAKE(step->arena, lode__impact_event, count);
    c->tracks = LODE__TAKE(step->arena, lode__track, c->track_count);
    if (!c->line || !c->event || !c->tracks)
        return false;
    for (int32_t line = 1; line < (int32_t)state->lines.count; ++line)
        if (is_continuous(world, line))
            c->line[c->count++] = line;
    return true;
}

/* --- tracks */

static lode__track *track_of(const continuous_run *run, int32_t line)
{
    return &run->c->tracks[line + (int32_t)run->lines->kinematic_count];
}

/* Where the step leads the line's body; where it is, if that is nowhere. */
static lode__pose end_of(const continuous_run *run, int32_t line, const lode__pose *now)
{
    const lode__dense *lines = run->lines;
    lode__delta moved = delta_at(lines, line, run->step->dt);
    lode__pose pose = {.position = v3_add(lines->pose[line].position, moved.linear),
                       .rotation = rotation_at(lines, line, run->step->dt)};
    bool finite = v3_finite(pose.position) && q_finite(pose.rotation) &&
                  q_dot(pose.rotation, pose.rotation) > (lode_real)0.5;
    return finite ? pose : *now;
}

static lode__mover mover_of(const lode__world *world, uint32_t shape, const lode__course *course)
{
    return lode__mover_of(SHAPE(world, geometry, shape), *SHAPE(world, data, shape), course);
}

static uint32_t first_shape(const lode__world *world, uint32_t body)
{
    return BODY(world, links, body)->first_shape;
}

static uint32_t next_shape(const lode__world *world, uint32_t shape)
{
    return SHAPE(world, links, shape)->next_shape;
}

/* Is the shape asked what it meets? Convex solids are; a mesh is met by those. */
static bool goes_ahead(const lode__world *world, uint32_t shape)
{
    return is_convex_type(SHAPE(world, geometry, shape)->type) &&
           !lode__bits_get(&world->collide.disabled, shape);
}

static double reach_of(const lode__world *world, uint32_t body)
{
    double reach = 0;
    for (uint32_t s = first_shape(world, body); s != LODE__NONE; s = next_shape(world, s))
        if (shape_is_bounded(SHAPE(world, geometry, s)))
            reach = d_max(reach, mover_of(world, s, NULL).reach);
    return reach;
}

/* How far any point of the body gets. */
static double way_of(const lode__track *track)
{
    return d3_length(track->course.by) + track->course.spin * track->reach;
}

static void set_track(continuous_run *run, int32_t line)
{
    uint32_t slot = run->lines->slot[line];
    const lode__pose *now = BODY(run->world, pose, slot);
    lode__pose end = end_of(run, line, now);
    lode__track *track = track_of(run, line);
    *track = (lode__track){.course = lode__course_make(0, now, &end),
                           .reach = reach_of(run->world, slot),
                           .carrier = LODE__NONE};
    double way = way_of(track);
    if (way > run->longest) {
        run->second = run->longest;
        run->longest = way;
        run->longest_line = line;
    } else if (way > run->second) {
        run->second = way;
    }
}

static void set_tracks(continuous_run *run)
{
    int32_t end = (int32_t)run->lines->count;
    for (int32_t line = -(int32_t)run->lines->kinematic_count; line < end; ++line)
        if (line != 0)
            set_track(run, line);
}

/* The longest way of any other body. */
static double longest_beside(const continuous_run *run, int32_t line)
{
    return line == run->longest_line ? run->second : run->longest;
}

/* --- what a body meets */

typedef struct search {
    const continuous_run *run;
    int32_t line;
    uint32_t body, shape;
    lode__mover mover;
    lode__double3 lo, hi; /* of the shape's way */
    lode__impact_event best;
} search;

static bool may_meet(const search *s, uint32_t shape)
{
    const lode__world *world = s->run->world;
    const lode__collide *collide = &world->collide;
    const lode__filter *a = SHAPE(world, filter, s->shape), *b = SHAPE(world, filter, shape);
    uint32_t body = SHAPE(world, geometry, shape)->body;
    return body != s->body && body != track_of(s->run, s->line)->carrier &&
           !lode__bits_get(&collide->disabled, shape) && (a->category & b->mask) &&
           (b->category & a->mask) && collide->may_touch(collide->may_touch_context, s->body, body);
}

static bool is_accepted(const search *s, uint32_t shape)
{
    const lode__collide *collide = &s->run->world->collide;
    uint32_t a = s->shape < shape ? s->shape : shape, b = s->shape < shape ? shape : s->shape;
    return !collide->accepts || collide->accepts(collide->accepts_context, a, b);
}

static void box_of(const lode__course *course, double reach, lode__double3 *out_lo,
                   lode__double3 *out_hi)
{
    lode__double3 a = course->from, b = d3_add(a, course->by);
    *out_lo = d3(d_min(a.x, b.x) - reach, d_min(a.y, b.y) - reach, d_min(a.z, b.z) - reach);
    *out_hi = d3(d_max(a.x, b.x) + reach, d_max(a.y, b.y) + reach, d_max(a.z, b.z) + reach);
}

static bool boxes_meet(lode__double3 lo, lode__double3 hi, lode__double3 other_lo,
                       lode__double3 other_hi)
{
    return lo.x <= other_hi.x && other_lo.x <= hi.x && lo.y <= other_hi.y && other_lo.y <= hi.y &&
           lo.z <= other_hi.z && other_lo.z <= hi.z;
}

/* Is the shape on the way at all? What stands is where the tree has it. */
static bool is_on_way(const search *s, uint32_t shape, const lode__track *track)
{
    lode__double3 lo, hi;
    if (!shape_is_bounded(SHAPE(s->run->world, geometry, shape)))
        return true;
    if (track) {
        box_of(&track->course, track->reach, &lo, &hi);
    } else {
        const lode__node *leaf = lode__tree_leaf(&s->run->world->collide.tree, shape);
        lo = d3((double)leaf->lo[0], (double)leaf->lo[1], (double)leaf->lo[2]);
        hi = d3((double)leaf->hi[0], (double)leaf->hi[1], (double)leaf->hi[2]);
    }
    return boxes_meet(s->lo, s->hi, lo, hi);
}

static void look_at(search *s, uint32_t shape)
{
    const continuous_run *run = s->run;
    lode__world *world = run->world;
    uint32_t body = SHAPE(world, geometry, shape)->body;
    int32_t line = line_of_body(&world->bodies, body);
    const lode__track *track = line != 0 ? track_of(run, line) : NULL;
    if (!is_on_way(s, shape, track) || !may_meet(s, shape))
        return;
    lode__course still;
    if (!track)
        still = lode__course_still(0, BODY(world, pose, body));
    lode__mover other = mover_of(world, shape, track ? &track->course : &still);
    double begin = d_max(s->mover.course->begin, other.course->begin), share;
    if (!(lode__movers_shift(&s->mover, &other, begin) > SLOW * s->mover.inner))
        return;
    if (!is_accepted(s, shape) ||
        !lode__impact(&s->mover, &other, run->target, d_min(s->best.share, 1), &share))
        return;
    if (share < s->best.share || (share == s->best.share && body < s->best.partner))
        s->best = (lode__impact_event){share, body};
}

/* What is near the shape's way. */
static void search_near(search *s)
{
    const lode__collide *collide = &s->run->world->collide;
    double others = longest_beside(s->run, s->line);
    /* rounded outwards, by more than conversions round */
    double wide = others + 1e-6 * (d3_most(s->lo) + d3_most(s->hi) + others);
    lode__node area = {.lo = {(lode_real)(s->lo.x - wide), (lode_real)(s->lo.y - wide),
                              (lode_real)(s->lo.z - wide)},
                       .hi = {(lode_real)(s->hi.x + wide), (lode_real)(s->hi.y + wide),
                              (lode_real)(s->hi.z + wide)}};
    for (uint32_t i = 0; i < collide->unbounded_count; ++i)
        look_at(s, collide->unbounded[i]);
    uint32_t cursor = 0, shape;
    while ((shape = lode__tree_next(&collide->tree, &area, &cursor)) != LODE__NONE)
        look_at(s, shape);
}

static void search_body(search *s, uint32_t body)
{
    const lode__world *world = s->run->world;
    for (uint32_t shape = first_shape(world, body); shape != LODE__NONE;
         shape = next_shape(world, shape))
        if (!lode__bits_get(&world->collide.disabled, shape))
            look_at(s, shape);
}

/* What the continuous body of number `index` meets: of two bodies, or, where the first is
 * LODE__NONE, of all. What it is known to meet stands, unless something else comes sooner. */
static void search_event(const continuous_run *run, uint32_t index, const uint32_t bodies[2])
{
    const lode__world *world = run->world;
    int32_t line = run->c->line[index];
    search s = {
        .run = run, .line = line, .body = run->lines->slot[line], .best = run->c->event[index]};
    const lode__track *track = track_of(run, line);
    for (s.shape = first_shape(world, s.body); s.shape != LODE__NONE;
         s.shape = next_shape(world, s.shape)) {
        if (!goes_ahead(world, s.shape))
            continue;
        s.mover = mover_of(world, s.shape, &track->course);
        if (!(way_of(track) + longest_beside(run, line) > SLOW * s.mover.inner))
            continue;
        box_of(s.mover.course, s.mover.reach + 2 * run->target, &s.lo, &s.hi);
        if (bodies[0] == LODE__NONE)
            search_near(&s);
        for (int i = 0; i < 2; ++i)
            if (bodies[i] != LODE__NONE)
                search_body(&s, bodies[i]);
    }
    run->c->event[index] = s.best;
}

static void find_event(const continuous_run *run, uint32_t index)
{
    static const uint32_t all[2] = {LODE__NONE, LODE__NONE};
    run->c->event[index] = (lode__impact_event){NO_EVENT, LODE__NONE};
    search_event(run, index, all);
}

/* --- events */

/* The continuous body with the earliest event; `count` if there is none. */
static uint32_t earliest(const continuous_run *run)
{
    const lode__continuous *c = run->c;
    uint32_t best = c->count;
    double share = 1;
    for (uint32_t i = 0; i < c->count; ++i) {
        double at = c->event[i].share;
        bool sooner = at < share ||
                      (at == share && (best == c->count || run->lines->slot[c->line[i]] <
                                                               run->lines->slot[c->line[best]]));
        if (sooner) {
            share = at;
            best = i;
        }
    }
    return best;
}

static void set_course(lode__track *track, lode__course course)
{
    track->course = course;
    track->changed = true;
}

static void stop(lode__track *track, double share)
{
    lode__pose at = lode__course_at(&track->course, share);
    set_course(track, lode__course_still(share, &at));
}

/* As if it were fixed to the other from `share` on. */
static void carry(lode__track *track, const lode__track *by, uint32_t carrier, double share)
{
    lode__pose at = lode__course_at(&track->course, share);
    lode__pose there = lode__course_at(&by->course, share), then = lode__course_at(&by->course, 1);
    lode_quat turn = q_mul(then.rotation, q_conj(there.rotation));
    lode_vec3 arm = v3_sub(at.position, there.position);
    lode__pose end = {.position = v3_add(then.position, q_rotate(turn, arm)),
                      .rotation = q_normalize(q_mul(turn, at.rotation))};
    set_course(track, lode__course_make(share, &at, &end));
    track->carrier = carrier;
}

static double inner_of_body(const continuous_run *run, int32_t line)
{
    const lode__world *world = run->world;
    double inner = 0;
    uint32_t shape = first_shape(world, run->lines->slot[line]);
    for (; shape != LODE__NONE; shape = next_shape(world, shape))
        inner = d_max(inner, mover_of(world, shape, NULL).inner);
    return inner;
}

/* Does what is left of its way matter? It may not leave: the next step must see the contact. */
static bool goes_on(const continuous_run *run, const lode__track *track, double share, double inner)
{
    double length = 1 - track->course.begin, left = length > 0 ? (1 - share) / length : 0;
    return way_of(track) * left > d_min(SLOW * inner, run->target);
}

/* Do the boxes of their ways overlap? */
static bool ways_meet(const continuous_run *run, int32_t line, uint32_t body)
{
    lode__double3 lo, hi, other_lo, other_hi;
    if (body == LODE__NONE)
        return false;
    const lode__track *track = track_of(run, line);
    const lode__track *other = track_of(run, line_of_body(&run->world->bodies, body));
    box_of(&track->course, track->reach + 2 * run->target, &lo, &hi);
    box_of(&other->course, other->reach, &other_lo, &other_hi);
    return boxes_meet(lo, hi, other_lo, other_hi);
}

/* Looks again at what others meet, now that the ways of these two are others. */
static void ask_again(const continuous_run *run, const uint32_t changed[2])
{
    for (uint32_t i = 0; i < run->c->count; ++i) {
        uint32_t body = run->lines->slot[run->c->line[i]], partner = run->c->event[i].partner;
        bool own = body == changed[0] || body == changed[1];
        bool concerned = partner != LODE__NONE && (partner == changed[0] || partner == changed[1]);
        if (own || concerned)
            find_event(run, i);
        else if (ways_meet(run, run->c->line[i], changed[0]) ||
                 ways_meet(run, run->c->line[i], changed[1]))
            search_event(run, i, changed);
    }
}

static void take_event(const continuous_run *run, uint32_t index)
{
    lode__world *world = run->world;
    const lode__impact_event event = run->c->event[index];
    int32_t line = run->c->line[index], other = line_of_body(&world->bodies, event.partner);
    lode__track *track = track_of(run, line), *partner = other ? track_of(run, other) : NULL;
    bool on = partner && goes_on(run, partner, event.share, inner_of_body(run, line));
    if (on && other < 0)
        carry(track, partner, event.partner, event.share);
    else
        stop(track, event.share);
    if (on && other > 0)
        stop(partner, event.share);
    const uint32_t changed[2] = {run->lines->slot[line],
                                 partner && partner->changed ? event.partner : LODE__NONE};
    ask_again(run, changed);
}

/* What has changed goes back to the lines; finalise takes it from there. */
static void write_lines(const continuous_run *run)
{
    for (int32_t line = 1; line < (int32_t)run->lines->count; ++line) {
        const lode__track *track = track_of(run, line);
        if (!track->changed)
            continue;
        lode__pose end = lode__course_at(&track->course, 1);
        run->lines->delta[line].linear = v3_sub(end.position, run->lines->pose[line].position);
        run->lines->pose[line].rotation = end.rotation;
    }
}

static bool all_are_slow(const continuous_run *run)
{
    for (uint32_t i = 0; i < run->c->count; ++i) {
        int32_t line = run->c->line[i];
        double way = way_of(track_of(run, line)) + longest_beside(run, line);
        uint32_t shape = first_shape(run->world, run->lines->slot[line]);
        for (; shape != LODE__NONE; shape = next_shape(run->world, shape))
            if (goes_ahead(run->world, shape) &&
                way > SLOW * mover_of(run->world, shape, NULL).inner)
                return false;
    }
    return true;
}

void lode__continuous_run(lode__world *world, const lode__step *step)
{
    lode__continuous *c = &world->continuous;
    if (c->count == 0)
        return;
    continuous_run run = {.world = world,
                          .step = step,
                          .c = c,
                          .lines = &world->solver.state->lines,
                          .target = TARGET * (double)LODE__SPECULATIVE(step->settings)};
    set_tracks(&run);
    if (all_are_slow(&run))
        return;
    lode__collide_place(&world->collide, &world->bodies, &world->arena, &world->def);
    for (uint32_t i = 0; i < c->count; ++i)
        find_event(&run, i);
    uint32_t left = 4 * c->track_count + 64;
    for (uint32_t i; (i = earliest(&run)) < c->count && left > 0; --left)
        take_event(&run, i);
    write_lines(&run);
}

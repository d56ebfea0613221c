/* continuous.c: the stage "continuous", after the bodies have moved and before the pools learn it.
 *
 * The pools still hold the poses that the step began with, the dense lines those it would end with.
 * Each continuous body is asked what it meets on its way from one to the other (world/ways.h), by
 * all threads unless the application has a word on pairs.
 *
 * Then events are taken in the order of time, and of equal ones by the bodies' slots. At each the
 * body stops where it is: it loses the rest of its way, not its velocity, and in the next step the
 * contact that is then there acts. A partner that moves much stops too. A kinematic one does not;
 * it takes the body along, and so does one that the body does not push by their materials; what by
 * these does not push the body is not met at all. What an event has changed is asked again, from that time on: by someone
 * who stands now another may be met. Each event ends the way of a body, so they end.
 *
 * Where the body is in contact already and an inner part of it is stopped, the contact, which may
 * be elsewhere on it, need not take the speed that the part has towards the other: the body would
 * be stopped in each step, while the other comes on. So both lose that speed, by an impulse without
 * friction or restitution at the part; and the partner stops, or takes the body along, however
 * little it moves. What is in front of something at the beginning of a step is in front of it at
 * the end.
 *
 * What is slow against the size of the continuous body is left to the contacts; a world in which
 * all is slow pays for a look at its lines, one without such bodies for nothing. */
#include "world/continuous.h"

#include "collide/place.h"
#include "solver/state.h"
#include "world/world.h"

/* Of the speculative margin: how far from another a body is stopped, so that the next step sees
 * it. */
#define TARGET 0.25

/* Of the way by which an inner part is too near: how much it goes back in a step. */
#define RETREAT 0.2

#define NO_EVENT 2.0

enum { SEARCH_GRAIN = 4 };

typedef struct continuous_run {
    lode__continuous *c;
    lode__ways ways;
} continuous_run;

/* --- memory */

static bool is_continuous(const lode__world *world, int32_t line)
{
    uint32_t slot = world->solver.state->lines.slot[line];
    return line > 0 && (*BODY(world, flags, slot) & LODE__BODY_CONTINUOUS);
}

void lode__continuous_init(lode__continuous *c)
{
    *c = (lode__continuous){0};
    lode__tree_init(&c->tree);
}

void lode__continuous_free(lode__continuous *c)
{
    lode__tree_free(&c->tree);
}

bool lode__continuous_prepare(lode__world *world, const lode__step *step)
{
    lode__continuous *c = &world->continuous;
    const lode__solve_state *state = world->solver.state;
    c->count = 0;
    if (!(state->flags_seen & LODE__BODY_CONTINUOUS))
        return true;
    uint32_t count = 0, tracks = lode__ways_count(&state->lines);
    for (int32_t line = 1; line < (int32_t)state->lines.count; ++line)
        count += is_continuous(world, line);
    c->line = LODE__TAKE(step->arena, int32_t, count);
    c->event = LODE__TAKE(step->arena, lode__impact_event, count);
    c->tracks = LODE__TAKE(step->arena, lode__track, tracks);
    if (!c->line || !c->event || !c->tracks || !lode__tree_reserve(&c->tree, tracks, tracks))
        return false;
    for (int32_t line = 1; line < (int32_t)state->lines.count; ++line)
        if (is_continuous(world, line))
            c->line[c->count++] = line;
    return true;
}

/* --- what is met */

static void find_event(const continuous_run *run, uint32_t index)
{
    run->c->event[index] = (lode__impact_event){{.share = NO_EVENT}, LODE__NONE, false};
    lode__ways_search(&run->ways, run->c->line[index], LODE__NONE, &run->c->event[index]);
}

static void find_block(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; ++i)
        find_event(context, i);
}

/* The application's filter is promised the stepping thread. */
static void find_events(continuous_run *run)
{
    if (run->ways.world->collide.accepts)
        find_block(run, 0, run->c->count);
    else
        lode__tasks_run(run->ways.step->tasks, run->c->count, SEARCH_GRAIN, find_block, run);
}

/* --- events */

/* The continuous body with the earliest event; `count` if there is none. */
static uint32_t earliest(const continuous_run *run)
{
    const lode__continuous *c = run->c;
    uint32_t best = c->count;
    double share = 1;
    for (uint32_t i = 0; i < c->count; ++i) {
        double at = c->event[i].hit.share;
        bool sooner = at < share || (at == share && (best == c->count ||
                                                     run->ways.lines->slot[c->line[i]] <
                                                         run->ways.lines->slot[c->line[best]]));
        if (sooner) {
            share = at;
            best = i;
        }
    }
    return best;
}

static void stop(continuous_run *run, int32_t line, double share)
{
    lode__pose at = lode__course_at(&lode__ways_track(&run->ways, line)->course, share);
    lode__ways_change(&run->ways, line, lode__course_still(share, &at));
}

/* As if it were fixed to the partner's body from `share` on. */
static void carry(continuous_run *run, int32_t line, int32_t partner, double share)
{
    lode__track *track = lode__ways_track(&run->ways, line);
    const lode__track *by = lode__ways_track(&run->ways, partner);
    lode__pose at = lode__course_at(&track->course, share);
    lode__pose there = lode__course_at(&by->course, share), then = lode__course_at(&by->course, 1);
    lode_quat turn = q_mul(then.rotation, q_conj(there.rotation));
    lode_vec3 arm = v3_sub(at.position, there.position);
    lode__pose end = {.position = v3_add(then.position, q_rotate(turn, arm)),
                      .rotation = q_normalize(q_mul(turn, at.rotation))};
    track->carrier = run->ways.lines->slot[partner];
    lode__ways_change(&run->ways, line, lode__course_make(share, &at, &end));
}

/* Does what is left of its way matter? It may not leave: the next step must see the contact. */
static bool goes_on(const continuous_run *run, const lode__track *track, double share, double inner)
{
    double length = 1 - track->course.begin, left = length > 0 ? (1 - share) / length : 0;
    return lode__ways_length(track) * left > d_min(LODE__WAYS_SLOW * inner, run->ways.target);
}

static bool concerns(const continuous_run *run, uint32_t index, const int32_t changed[2])
{
    const lode__ways *ways = &run->ways;
    uint32_t partner = run->c->event[index].partner;
    for (int i = 0; i < 2; ++i)
        if (changed[i] &&
            (run->c->line[index] == changed[i] || partner == ways->lines->slot[changed[i]]))
            return true;
    return false;
}

/* Looks again at what others meet, now that the ways of these two lines are others; 0 is none. What
 * met one of them may meet anything now, what comes near one may meet that. */
static void ask_again(const continuous_run *run, const int32_t changed[2])
{
    const lode__ways *ways = &run->ways;
    for (uint32_t i = 0; i < run->c->count; ++i)
        if (concerns(run, i, changed))
            find_event(run, i);
    for (int i = 0; i < 2; ++i) {
        uint32_t cursor = 0, slot = changed[i] ? ways->lines->slot[changed[i]] : LODE__NONE;
        for (int32_t line; changed[i] && (line = lode__ways_next(ways, changed[i], &cursor));) {
            uint32_t index = lode__ways_track(ways, line)->index;
            if (index != LODE__NONE && line != changed[0] && line != changed[1])
                lode__ways_search(ways, line, slot, &run->c->event[index]);
        }
    }
}

/* --- what is lost */

/* A body at the time of an event, as an impulse at a place meets it. */
typedef struct struck {
    lode__velocity *velocity;      /* null: it stands still */
    lode__double3 linear, angular; /* at which it goes on its course, m/s and rad/s */
    lode__inv_mass mass;
    lode__double3 arm; /* from its centre of mass to the place */
} struck;

static struck struck_at(const continuous_run *run, int32_t line, double share, lode__double3 place)
{
    const lode__ways *ways = &run->ways;
    const lode__track *track = lode__ways_track(ways, line);
    const lode__course *course = &track->course;
    struck s = {.velocity = &ways->lines->velocity[line],
                .arm = d3_sub(place, course_place(course, share))};
    s.linear = d3_from(s.velocity->linear);
    s.angular = d3_from(s.velocity->angular);
    if (!track->changed) {
        s.linear = d3_scale(course->by, 1 / (double)ways->step->dt);
        s.angular = d3_scale(course->axis, course->spin / (double)ways->step->dt);
    }
    if (line > 0)
        s.mass = inv_mass_at(BODY(ways->world, local, ways->lines->slot[line]),
                             lode__course_at(course, share).rotation);
    return s;
}

/* How fast a place goes along n. */
static double along(lode__double3 linear, lode__double3 angular, lode__double3 arm, lode__double3 n)
{
    return d3_dot(n, d3_add(linear, d3_cross(angular, arm)));
}

/* How fast a's place leaves b's along n: by their velocities or by their courses, the slower. A
 * course turns by less than the velocity does where a body turns far in a step. */
static double parting(const struck *a, const struck *b, lode__double3 n)
{
    double speed = 0;
    if (a->velocity)
        speed += along(d3_from(a->velocity->linear), d3_from(a->velocity->angular), a->arm, n);
    if (b->velocity)
        speed -= along(d3_from(b->velocity->linear), d3_from(b->velocity->angular), b->arm, n);
    double on_courses = along(a->linear, a->angular, a->arm, n) -
                        along(b->linear, b->angular, b->arm, n);
    return d_min(speed, on_courses);
}

/* What an impulse of 1 along n changes of the angular velocity. */
static lode__double3 turned_by(const struck *s, lode__double3 n)
{
    const lode__inv_mass *i = &s->mass;
    lode__double3 t = d3_cross(s->arm, n);
    return d3((double)i->xx * t.x + (double)i->xy * t.y + (double)i->xz * t.z,
              (double)i->xy * t.x + (double)i->yy * t.y + (double)i->yz * t.z,
              (double)i->xz * t.x + (double)i->yz * t.y + (double)i->zz * t.z);
}

/* How much the place gains along n by an impulse of 1 along n. */
static double gain_along(const struck *s, lode__double3 n)
{
    return (double)s->mass.inv_mass + d3_dot(d3_cross(turned_by(s, n), s->arm), n);
}

static void push(struck *s, lode__double3 n, double impulse)
{
    lode__velocity *v = s->velocity;
    if (!(s->mass.inv_mass > 0))
        return;
    lode__double3 spin = d3_madd(d3_from(v->angular), turned_by(s, n), impulse);
    v->linear = d3_to(d3_madd(d3_from(v->linear), n, impulse * (double)s->mass.inv_mass));
    v->angular = d3_to(spin);
}

/* Takes the speed with which the stopped part still comes to the partner, on `other`, from both, or
 * from itself alone. */
static void lose_approach(const continuous_run *run, int32_t line, int32_t other,
                          const lode__impact_event *event)
{
    const lode__impact_hit *hit = &event->hit;
    const lode__course *course = &lode__ways_track(&run->ways, line)->course;
    lode__double3 place = d3_add(course_place(course, hit->share), hit->at);
    struck a = struck_at(run, line, hit->share, place), b = {0};
    if (other)
        b = struck_at(run, other, hit->share, place);
    if (event->one_way)
        b.mass = (lode__inv_mass){0};
    double speed = parting(&a, &b, hit->normal);
    double gain = gain_along(&a, hit->normal) + gain_along(&b, hit->normal);
    double wanted = RETREAT * hit->lack / (double)run->ways.step->dt;
    if (!(speed < wanted) || !(gain > 0))
        return;
    push(&a, hit->normal, (wanted - speed) / gain);
    push(&b, hit->normal, (speed - wanted) / gain);
}

/* --- all that happens at an event */

static void take_event(continuous_run *run, uint32_t index)
{
    const lode__ways *ways = &run->ways;
    const lode__impact_event event = run->c->event[index];
    const lode__impact_hit *hit = &event.hit;
    int32_t line = run->c->line[index];
    int32_t other = line_of_body(&ways->world->bodies, event.partner);
    const lode__track *partner = other ? lode__ways_track(ways, other) : NULL;
    bool on = partner &&
              (hit->inside ? lode__ways_length(partner) > 0
                           : goes_on(run, partner, hit->share, lode__ways_inner(ways, line)));
    if (hit->inside)
        lose_approach(run, line, other, &event);
    if (on && (other < 0 || event.one_way))
        carry(run, line, other, hit->share);
    else
        stop(run, line, hit->share);
    if (on && other > 0 && !event.one_way)
        stop(run, other, hit->share);
    const int32_t changed[2] = {line, partner && partner->changed ? other : 0};
    ask_again(run, changed);
}

/* What has changed goes back to the lines; finalise takes it from there. */
static void write_lines(const continuous_run *run)
{
    lode__dense *lines = run->ways.lines;
    for (int32_t line = 1; line < (int32_t)lines->count; ++line) {
        const lode__track *track = lode__ways_track(&run->ways, line);
        if (!track->changed)
            continue;
        lode__pose end = lode__course_at(&track->course, 1);
        lines->delta[line].linear = v3_sub(end.position, lines->pose[line].position);
        lines->pose[line].rotation = end.rotation;
    }
}

static bool all_are_slow(const continuous_run *run)
{
    for (uint32_t i = 0; i < run->c->count; ++i)
        if (!lode__ways_is_slow(&run->ways, run->c->line[i]))
            return false;
    return true;
}

void lode__continuous_run(lode__world *world, const lode__step *step)
{
    lode__continuous *c = &world->continuous;
    if (c->count == 0)
        return;
    continuous_run run = {.c = c,
                          .ways = {.world = world,
                                   .step = step,
                                   .lines = &world->solver.state->lines,
                                   .tree = &c->tree,
                                   .tracks = c->tracks,
                                   .target = TARGET * (double)LODE__SPECULATIVE(step->settings)}};
    lode__ways_set_tracks(&run.ways);
    if (all_are_slow(&run))
        return;
    lode__collide_place(&world->collide, &world->bodies, &world->arena, &world->def);
    lode__ways_plant(&run.ways);
    for (uint32_t i = 0; i < c->count; ++i)
        lode__ways_track(&run.ways, c->line[i])->index = i;
    find_events(&run);
    uint32_t left = 4 * lode__ways_count(run.ways.lines) + 64;
    for (uint32_t i; (i = earliest(&run)) < c->count && left > 0; --left)
        take_event(&run, i);
    write_lines(&run);
}

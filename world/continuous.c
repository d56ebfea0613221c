/* continuous.c: the stage "continuous", after the bodies have moved and before the pools learn it.
 *
 * The pools still hold the poses that the step began with, the dense lines those it would end with.
 * Each continuous body is asked what it meets on its way from one to the other (world/ways.h), by
 * all threads unless the application has a word on pairs.
 *
 * Then events are taken in the order of time, and of equal ones by the bodies' slots. At each the
 * body stops where it is: it loses the rest of its way, not its velocity, and in the next step the
 * contact that is then there acts. A partner that moves much stops too; or, if they touch from the
 * beginning, they go on together (world/company.h). A kinematic one does not stop; it takes the
 * body along, and so does one that the body does not push by their materials; what by these does
 * not push the body is not met at all. What an event has changed is asked again, from that time on:
 * by someone who stands now another may be met. Each event ends the way of a body or makes two
 * companies one, so they end.
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
#include "world/approach.h"
#include "world/company.h"
#include "world/world.h"

/* Of the speculative margin: how far from another a body is stopped, so that the next step sees
 * it. */
#define TARGET 0.25

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
    c->changed = LODE__TAKE(step->arena, int32_t, tracks);
    if (!c->line || !c->event || !c->tracks || !c->changed ||
        !lode__tree_reserve(&c->tree, tracks, tracks))
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
    lode__company_leave(&run->ways, line);
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
    lode__company_leave(&run->ways, line);
    track->carrier = run->ways.lines->slot[partner];
    lode__ways_change(&run->ways, line, lode__course_make(share, &at, &end));
}

/* Does what is left of its way matter? It may not leave: the next step must see the contact. */
static bool goes_on(const continuous_run *run, const lode__track *track, double share, double inner)
{
    double length = 1 - track->course.begin, left = length > 0 ? (1 - share) / length : 0;
    return lode__ways_length(track) * left > d_min(LODE__WAYS_SLOW * inner, run->ways.target);
}

static bool concerns(const continuous_run *run, uint32_t index)
{
    const lode__ways *ways = &run->ways;
    const lode__impact_event *event = &run->c->event[index];
    int32_t partner = 0;
    if (event->partner != LODE__NONE)
        partner = line_of_body(&ways->world->bodies, event->partner);
    return lode__ways_track(ways, run->c->line[index])->again ||
           (partner != 0 && lode__ways_track(ways, partner)->again);
}

/* Looks again at what others meet, now that some ways are others. What met one of these may meet
 * anything now, what comes near one may meet that. */
static void ask_again(continuous_run *run)
{
    lode__ways *ways = &run->ways;
    const lode__continuous *c = run->c;
    for (uint32_t i = 0; i < c->count; ++i)
        if (concerns(run, i))
            find_event(run, i);
    for (uint32_t i = 0; i < ways->changed_count; ++i) {
        uint32_t cursor = 0, slot = ways->lines->slot[ways->changed[i]];
        for (int32_t line; (line = lode__ways_next(ways, ways->changed[i], &cursor));) {
            const lode__track *track = lode__ways_track(ways, line);
            if (track->index != LODE__NONE && !track->again)
                lode__ways_search(ways, line, slot, &c->event[track->index]);
        }
    }
    lode__ways_all_asked(ways);
}

/* --- all that happens at an event */

/* Two that meet, and both go on: they stop, unless they can go together. */
static void meet(continuous_run *run, int32_t line, int32_t other, const lode__impact_hit *hit)
{
    lode__ways *ways = &run->ways;
    const lode__track *a = lode__ways_track(ways, line), *b = lode__ways_track(ways, other);
    double inner = lode__ways_inner(ways, line), share = hit->share;
    if (hit->inside && goes_on(run, a, share, inner) && goes_on(run, b, share, inner) &&
        lode__company_may_join(ways, line, other)) {
        lode__company_join(ways, line, other, share);
    } else {
        stop(run, line, share);
        stop(run, other, share);
    }
}

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
        lode__lose_approach(ways, line, other, &event);
    if (!on)
        stop(run, line, hit->share);
    else if (other < 0 || event.one_way)
        carry(run, line, other, hit->share);
    else
        meet(run, line, other, hit);
    ask_again(run);
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
                                   .changed = c->changed,
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

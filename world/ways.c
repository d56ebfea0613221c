/* ways.c: see ways.h. All of it depends on poses alone, neither on trees nor on threads: they only
 * say who is looked at. */
#include "world/ways.h"

#include "collide/custom.h"
#include "collide/mix.h"
#include "collide/shape_type.h"
#include "solver/kinematic.h"
#include "solver/state.h"
#include "world/world.h"

/* --- shapes */

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

/* Is the shape asked what it meets? Convex solids and meshes are; a height field is met by
 * those. */
static bool goes_ahead(const lode__world *world, uint32_t shape)
{
    return lode__may_go_ahead(SHAPE(world, geometry, shape)->type, *SHAPE(world, data, shape)) &&
           !lode__bits_get(&world->collide.disabled, shape);
}

static bool is_bounded(const lode__world *world, uint32_t shape)
{
    return shape_is_bounded(SHAPE(world, geometry, shape));
}

double lode__ways_inner(const lode__ways *ways, int32_t line)
{
    const lode__world *world = ways->world;
    double inner = 0;
    uint32_t shape = first_shape(world, ways->lines->slot[line]);
    for (; shape != LODE__NONE; shape = next_shape(world, shape))
        inner = d_max(inner, mover_of(world, shape, NULL).inner);
    return inner;
}

/* --- tracks */

/* Where the step leads the line's body; where it is, if that is nowhere. */
static lode__pose end_of(const lode__ways *ways, int32_t line, const lode__pose *now)
{
    const lode__dense *lines = ways->lines;
    lode__delta moved = delta_at(lines, line, ways->step->dt);
    lode__pose pose = {.position = v3_add(lines->pose[line].position, moved.linear),
                       .rotation = rotation_at(lines, line, ways->step->dt)};
    bool finite = v3_finite(pose.position) && q_finite(pose.rotation) &&
                  q_dot(pose.rotation, pose.rotation) > (lode_real)0.5;
    return finite ? pose : *now;
}

static double reach_of(const lode__world *world, uint32_t body)
{
    double reach = 0;
    for (uint32_t s = first_shape(world, body); s != LODE__NONE; s = next_shape(world, s))
        if (is_bounded(world, s))
            reach = d_max(reach, mover_of(world, s, NULL).reach);
    return reach;
}

double lode__ways_length(const lode__track *track)
{
    return d3_length(track->course.by) + track->course.spin * track->reach;
}

static void box_of(const lode__course *course, double reach, lode__double3 *out_lo,
                   lode__double3 *out_hi)
{
    lode__double3 a = course->from, b = d3_add(a, course->by);
    *out_lo = d3(d_min(a.x, b.x) - reach, d_min(a.y, b.y) - reach, d_min(a.z, b.z) - reach);
    *out_hi = d3(d_max(a.x, b.x) + reach, d_max(a.y, b.y) + reach, d_max(a.z, b.z) + reach);
}

static void set_track(lode__ways *ways, int32_t line)
{
    uint32_t slot = ways->lines->slot[line];
    const lode__pose *now = BODY(ways->world, pose, slot);
    lode__pose end = end_of(ways, line, now);
    lode__track *track = lode__ways_track(ways, line);
    *track = (lode__track){.course = lode__course_make(0, now, &end),
                           .reach = reach_of(ways->world, slot),
                           .carrier = LODE__NONE,
                           .index = LODE__NONE,
                           .company = LODE__NONE,
                           .next = line};
    box_of(&track->course, track->reach, &track->lo, &track->hi);
    double way = lode__ways_length(track);
    if (way > ways->longest) {
        ways->second = ways->longest;
        ways->longest = way;
        ways->longest_line = line;
    } else if (way > ways->second) {
        ways->second = way;
    }
}

void lode__ways_set_tracks(lode__ways *ways)
{
    int32_t end = (int32_t)ways->lines->count;
    for (int32_t line = -(int32_t)ways->lines->kinematic_count; line < end; ++line)
        if (line != 0)
            set_track(ways, line);
}

/* How far a shape of the line and any other get against each other, at most. */
static double shift_of(const lode__ways *ways, int32_t line)
{
    double others = line == ways->longest_line ? ways->second : ways->longest;
    return lode__ways_length(lode__ways_track(ways, line)) + others;
}

bool lode__ways_is_slow(const lode__ways *ways, int32_t line)
{
    double shift = shift_of(ways, line);
    uint32_t shape = first_shape(ways->world, ways->lines->slot[line]);
    for (; shape != LODE__NONE; shape = next_shape(ways->world, shape))
        if (goes_ahead(ways->world, shape) &&
            shift > LODE__WAYS_SLOW * mover_of(ways->world, shape, NULL).inner)
            return false;
    return true;
}

/* --- the tree of ways */

/* Rounded outwards, by more than conversions round. */
static lode__aabb round_box(lode__double3 lo, lode__double3 hi)
{
    double wide = 1e-6 * (d3_most(lo) + d3_most(hi));
    return (lode__aabb){
        .lo = {(lode_real)(lo.x - wide), (lode_real)(lo.y - wide), (lode_real)(lo.z - wide)},
        .hi = {(lode_real)(hi.x + wide), (lode_real)(hi.y + wide), (lode_real)(hi.z + wide)}};
}

static lode__node node_of(lode__double3 lo, lode__double3 hi)
{
    lode__aabb box = round_box(lo, hi);
    return (lode__node){.lo = {box.lo[0], box.lo[1], box.lo[2]},
                        .hi = {box.hi[0], box.hi[1], box.hi[2]}};
}

static void plant(lode__ways *ways, uint32_t number)
{
    const lode__track *track = &ways->tracks[number];
    lode__aabb box = round_box(track->lo, track->hi);
    lode__tree_update(ways->tree, &number, &box, 1, NULL, ways->step->arena);
}

void lode__ways_plant(lode__ways *ways)
{
    uint32_t none = ways->lines->kinematic_count, count = lode__ways_count(ways->lines), n = 0;
    lode__arena *arena = ways->step->arena;
    lode__node *leaves = LODE__TAKE(arena, lode__node, count);
    lode__tree_clear(ways->tree);
    for (uint32_t i = 0; leaves && i < count; ++i) {
        if (i == none)
            continue;
        leaves[n] = node_of(ways->tracks[i].lo, ways->tracks[i].hi);
        leaves[n++].child = i | LODE__LEAF;
    }
    if (leaves && lode__tree_build(ways->tree, leaves, n, ways->step->tasks, arena))
        return;
    for (uint32_t i = 0; i < count; ++i)
        if (i != none)
            plant(ways, i);
}

void lode__ways_change(lode__ways *ways, int32_t line, lode__course course)
{
    lode__track *track = lode__ways_track(ways, line);
    if (!track->again)
        ways->changed[ways->changed_count++] = line;
    track->course = course;
    track->changed = track->again = true;
    box_of(&track->course, track->reach, &track->lo, &track->hi);
    plant(ways, (uint32_t)(track - ways->tracks));
}

void lode__ways_all_asked(lode__ways *ways)
{
    while (ways->changed_count > 0)
        lode__ways_track(ways, ways->changed[--ways->changed_count])->again = false;
}

static bool boxes_meet(lode__double3 lo, lode__double3 hi, lode__double3 other_lo,
                       lode__double3 other_hi)
{
    return lo.x <= other_hi.x && other_lo.x <= hi.x && lo.y <= other_hi.y && other_lo.y <= hi.y &&
           lo.z <= other_hi.z && other_lo.z <= hi.z;
}

int32_t lode__ways_next(const lode__ways *ways, int32_t line, uint32_t *cursor)
{
    const lode__track *track = lode__ways_track(ways, line);
    double near = 2 * ways->target;
    lode__double3 margin = d3(near, near, near);
    lode__node area = node_of(d3_sub(track->lo, margin), d3_add(track->hi, margin));
    uint32_t number = lode__tree_next(ways->tree, &area, cursor);
    return number == LODE__NONE ? 0 : (int32_t)number - (int32_t)ways->lines->kinematic_count;
}

/* --- what a body meets */

typedef struct search {
    const lode__ways *ways;
    int32_t line;
    uint32_t body, shape;
    lode__mover mover;
    lode__double3 lo, hi; /* of the shape's way */
    lode__impact_event best;
} search;

static bool lets_pass(const lode__world *world, uint32_t one, uint32_t other)
{
    uint32_t a = one < other ? one : other, b = one < other ? other : one;
    return lode__custom_lets_pass(SHAPE(world, geometry, a)->type, *SHAPE(world, data, a),
                                  SHAPE(world, geometry, b)->type, *SHAPE(world, data, b));
}

/* Do the two go the same way? */
static bool are_together(const lode__ways *ways, int32_t line, uint32_t body)
{
    const lode__track *track = lode__ways_track(ways, line);
    int32_t other = line_of_body(&ways->world->bodies, body);
    return track->carrier == body || (other != 0 && track->company != LODE__NONE &&
                                      track->company == lode__ways_track(ways, other)->company);
}

static bool may_meet(const search *s, uint32_t shape)
{
    const lode__world *world = s->ways->world;
    const lode__collide *collide = &world->collide;
    const lode__filter *a = SHAPE(world, filter, s->shape), *b = SHAPE(world, filter, shape);
    uint32_t body = SHAPE(world, geometry, shape)->body;
    return body != s->body && !are_together(s->ways, s->line, body) &&
           !lode__bits_get(&collide->disabled, shape) && lode__filters_agree(collide, a, b) &&
           !lets_pass(world, s->shape, shape) &&
           lode__material_immovable(collide, s->shape, shape) != LODE_IMMOVABLE_FIRST &&
           collide->may_touch(collide->may_touch_context, s->body, body);
}

static bool is_accepted(const search *s, uint32_t shape)
{
    const lode__collide *collide = &s->ways->world->collide;
    uint32_t a = s->shape < shape ? s->shape : shape, b = s->shape < shape ? shape : s->shape;
    return !collide->accepts || collide->accepts(collide->accepts_context, a, b);
}

/* Holds the shape against another, on a body with this track; null: that stands still. */
static void look_at(search *s, uint32_t shape, const lode__track *track)
{
    const lode__ways *ways = s->ways;
    lode__world *world = ways->world;
    uint32_t body = SHAPE(world, geometry, shape)->body;
    if (!may_meet(s, shape))
        return;
    lode__course still;
    if (!track)
        still = lode__course_still(0, BODY(world, pose, body));
    lode__mover other = mover_of(world, shape, track ? &track->course : &still);
    double begin = d_max(s->mover.course->begin, other.course->begin);
    if (!(lode__movers_shift(&s->mover, &other, begin) > LODE__WAYS_SLOW * s->mover.inner))
        return;
    lode__gate gate = lode__gate_of(&world->collide, shape, s->shape);
    lode__impact_hit hit;
    if (!is_accepted(s, shape) ||
        !lode__impact(&s->mover, &other, &gate, ways->target, d_min(s->best.hit.share, 1), &hit))
        return;
    double best = s->best.hit.share;
    if (hit.share < best || (hit.share == best && body < s->best.partner))
        s->best = (lode__impact_event){hit, body,
                                       lode__material_immovable(&world->collide, s->shape, shape) ==
                                           LODE_IMMOVABLE_SECOND};
}

static const lode__track *track_of_shape(const search *s, uint32_t shape)
{
    const lode__world *world = s->ways->world;
    int32_t line = line_of_body(&world->bodies, SHAPE(world, geometry, shape)->body);
    return line != 0 ? lode__ways_track(s->ways, line) : NULL;
}

/* The bounded shapes of a body that moves. */
static void search_mover(search *s, int32_t line)
{
    const lode__world *world = s->ways->world;
    const lode__track *track = lode__ways_track(s->ways, line);
    if (!boxes_meet(s->lo, s->hi, track->lo, track->hi))
        return;
    uint32_t shape = first_shape(world, s->ways->lines->slot[line]);
    for (; shape != LODE__NONE; shape = next_shape(world, shape))
        if (is_bounded(world, shape))
            look_at(s, shape, track);
}

/* All that stands still or moves near the shape's way. */
static void search_near(search *s)
{
    const lode__ways *ways = s->ways;
    const lode__collide *collide = &ways->world->collide;
    lode__node area = node_of(s->lo, s->hi);
    uint32_t cursor = 0, found;
    for (uint32_t i = 0; i < collide->unbounded_count; ++i)
        look_at(s, collide->unbounded[i], track_of_shape(s, collide->unbounded[i]));
    while ((found = lode__tree_next(&collide->tree, &area, &cursor)) != LODE__NONE)
        if (!track_of_shape(s, found))
            look_at(s, found, NULL);
    cursor = 0;
    while ((found = lode__tree_next(ways->tree, &area, &cursor)) != LODE__NONE)
        search_mover(s, (int32_t)found - (int32_t)ways->lines->kinematic_count);
}

/* One body, which moves; of a kinematic one also the planes. */
static void search_body(search *s, uint32_t body)
{
    const lode__world *world = s->ways->world;
    int32_t line = line_of_body(&world->bodies, body);
    search_mover(s, line);
    for (uint32_t shape = first_shape(world, body); shape != LODE__NONE;
         shape = next_shape(world, shape))
        if (!is_bounded(world, shape))
            look_at(s, shape, lode__ways_track(s->ways, line));
}

void lode__ways_search(const lode__ways *ways, int32_t line, uint32_t partner,
                       lode__impact_event *event)
{
    const lode__world *world = ways->world;
    const lode__track *track = lode__ways_track(ways, line);
    search s = {.ways = ways, .line = line, .body = ways->lines->slot[line], .best = *event};
    double shift = shift_of(ways, line), near = 2 * ways->target;
    for (s.shape = first_shape(world, s.body); s.shape != LODE__NONE;
         s.shape = next_shape(world, s.shape)) {
        if (!goes_ahead(world, s.shape))
            continue;
        s.mover = mover_of(world, s.shape, &track->course);
        if (!(shift > LODE__WAYS_SLOW * s.mover.inner))
            continue;
        box_of(s.mover.course, s.mover.reach + near, &s.lo, &s.hi);
        if (partner == LODE__NONE)
            search_near(&s);
        else
            search_body(&s, partner);
    }
    *event = s.best;
}

/* sleep.c: who falls asleep.
 *
 * At the end of a step each body that may sleep is held against its thresholds, the mean velocity
 * of its last samples if it takes several: a vibration averages out. Below both it is idle; it is
 * ready when it has been idle for as many steps and as much time as it asks. An island of which all
 * are ready, and none touches or is joined to a kinematic body that moves, falls asleep. Who is
 * pushed by a body that does not feel it stays awake beside that as beside one that moves.
 *
 * Bodies that are asked to sleep do so before islands are made, each with what hangs together with
 * it by the contacts found (core/union_find.h). */
#include "world/sleep.h"

#include "core/math.h"
#include "core/union_find.h"
#include "solver/state.h"
#include "world/articulation.h"
#include "world/edges.h"
#include "world/wake.h"

#include <string.h>

/* ---- falling asleep ---- */

static void fall_asleep(lode__world *world, uint32_t body, uint32_t next)
{
    uint32_t *flags = BODY(world, flags, body);
    lode__idle *idle = BODY(world, idle, body);
    *flags = (*flags | LODE__BODY_ASLEEP) & ~(uint32_t)LODE__BODY_TO_SLEEP;
    *BODY(world, velocity, body) = (lode__velocity){0};
    *BODY(world, force, body) = (lode__force){0};
    BODY(world, rest, body)->next = next;
    if (lode__body_is_link(world, body))
        lode__link_stop(world, body);
    idle->idle_steps = 0;
    idle->idle_time = 0;
    lode__body_set_awake(world, body, false);
    ++world->asleep_count;
}

/* ---- by being asked ---- */

typedef struct asked_work {
    lode__world *world;
    uint32_t *parent; /* by slot, of awake bodies */
    uint32_t *last;   /* by root: the last body of its ring yet, or LODE__NONE */
    bool *asked;      /* by root */
} asked_work;

static void join(const asked_work *work, uint32_t a, uint32_t b)
{
    const lode__world *world = work->world;
    if (b == LODE__NONE || !body_is_dynamic(world, a) || !body_is_dynamic(world, b) ||
        !lode__bits_get(&world->awake, a) || !lode__bits_get(&world->awake, b))
        return;
    lode__union_join(work->parent, a, b);
}

/* Joins all its bodies that are dynamic and awake. */
static void join_joint(const asked_work *work, uint32_t joint)
{
    const lode__world *world = work->world;
    uint32_t last = LODE__NONE;
    for (uint32_t at = joint; at != LODE__NONE; at = lode__next_record(world, at))
        for (uint32_t side = 0; side < 2; ++side) {
            uint32_t body = lode__joint_body(world, at, side);
            if (body == LODE__NONE || !body_is_dynamic(world, body) ||
                !lode__bits_get(&world->awake, body))
                continue;
            if (last != LODE__NONE)
                join(work, last, body);
            last = body;
        }
}

/* Of an articulation all links sleep, or none. */
static void join_links(const asked_work *work)
{
    const lode__world *world = work->world;
    const lode__bits *alive = &world->articulations.alive;
    for (uint32_t a = lode__bits_next(alive, 0); a != UINT32_MAX;
         a = lode__bits_next(alive, a + 1)) {
        uint32_t last = LODE__NONE; /* of those that are awake, as all are that move */
        EACH_LINK(world, a, link)
        {
            uint32_t body = LINK(world, tie, link)->body;
            if (!lode__bits_get(&world->awake, body))
                continue;
            join(work, body, last);
            last = body;
        }
    }
}

static void join_all(const asked_work *work)
{
    const lode__world *world = work->world;
    const lode__bits *joints = &world->active_joints;
    for (uint32_t i = 0; i < world->collide.pairs.count; ++i) {
        const lode__pair *pair = &world->collide.pairs.items[i];
        uint32_t slot = pair->manifold;
        const lode__manifold *m;
        while (pair->points > 0 && (m = lode__many_next(&world->collide, &slot)))
            if (!immovable_of(&world->collide.manifolds, m))
                join(work, m->body_a, m->body_b);
    }
    for (uint32_t j = lode__bits_next(joints, 0); j != UINT32_MAX;
         j = lode__bits_next(joints, j + 1))
        join_joint(work, j);
    join_links(work);
}

/* The lowest body is the root of its island and the first of its ring. */
static void put_asked_to_sleep(const asked_work *work)
{
    lode__world *world = work->world;
    const lode__bits *awake = &world->awake;
    for (uint32_t b = lode__bits_next(awake, 0); b != UINT32_MAX;
         b = lode__bits_next(awake, b + 1)) {
        if (!body_is_dynamic(world, b))
            continue;
        uint32_t root = lode__union_root(work->parent, b);
        if (!work->asked[root])
            continue;
        fall_asleep(world, b, root);
        *BODY(world, line, b) = 0;
        if (b == root)
            ++world->sleeping_islands;
        else
            BODY(world, rest, work->last[root])->next = b;
        work->last[root] = b;
    }
}

bool lode__sleep_asked(lode__world *world, lode__arena *arena)
{
    const lode__bits *awake = &world->awake;
    uint32_t count = world->bodies.end;
    if (!world->sleep_asked)
        return true;
    asked_work work = {world, LODE__TAKE(arena, uint32_t, count),
                       LODE__TAKE(arena, uint32_t, count), LODE__TAKE_ZEROED(arena, bool, count)};
    if (!work.parent || !work.last || !work.asked)
        return false;
    for (uint32_t b = lode__bits_next(awake, 0); b != UINT32_MAX; b = lode__bits_next(awake, b + 1))
        work.parent[b] = b;
    join_all(&work);
    for (uint32_t b = lode__bits_next(awake, 0); b != UINT32_MAX; b = lode__bits_next(awake, b + 1))
        if (*BODY(world, flags, b) & LODE__BODY_TO_SLEEP)
            work.asked[lode__union_root(work.parent, b)] = true;
    put_asked_to_sleep(&work);
    world->sleep_asked = false;
    return true;
}

/* ---- by being idle ---- */

static bool is_below(lode_vec3 v, lode_real threshold)
{
    return v3_dot(v, v) < threshold * threshold;
}

/* The mean over the ring once it is full, oldest first; false until then. */
static bool mean_velocity(lode__sample_ring *ring, uint32_t samples, lode__velocity *v)
{
    ring->sample[ring->at] = (lode__sample){v->linear, v->angular};
    ring->at = (ring->at + 1) % samples;
    ring->count += ring->count < samples;
    if (ring->count < samples)
        return false;
    lode_vec3 linear = v3_zero(), angular = v3_zero();
    for (uint32_t i = 0; i < samples; ++i) {
        const lode__sample *sample = &ring->sample[(ring->at + i) % samples];
        linear = v3_add(linear, sample->linear);
        angular = v3_add(angular, sample->angular);
    }
    v->linear = v3_scale(linear, 1 / (lode_real)samples);
    v->angular = v3_scale(angular, 1 / (lode_real)samples);
    return true;
}

static bool is_idle(lode__world *world, uint32_t body, const lode__idle *idle)
{
    lode__velocity v = *BODY(world, velocity, body);
    if (idle->samples > 1 &&
        !mean_velocity(LODE__AT(samples, &world->samples, ring, *BODY(world, ring, body)),
                       idle->samples, &v))
        return false;
    return is_below(v.linear, LODE__SPEED(&world->def, idle->linear_threshold)) &&
           is_below(v.angular, idle->angular_threshold);
}

/* Counts one step more, and says whether it was the last that was wanting. */
static bool count_idle(lode__world *world, uint32_t body, lode_real dt)
{
    lode__idle *idle = BODY(world, idle, body);
    if (lode__body_is_link(world, body))
        return lode__link_count_idle(world, body, dt);
    if (!idle->enabled || (*BODY(world, flags, body) & LODE__BODY_FROZEN))
        return false;
    if (!is_idle(world, body, idle)) {
        idle->idle_steps = 0;
        idle->idle_time = 0;
        return false;
    }
    idle->idle_steps += idle->idle_steps < idle->steps;
    idle->idle_time = r_min(idle->idle_time + dt, idle->time);
    return idle->idle_steps >= idle->steps && idle->idle_time >= idle->time;
}

typedef struct idle_work {
    lode__world *world;
    lode_real dt;
} idle_work;

enum { AHEAD = 16 }; /* lines */

/* Eight that are restless still. */
static bool are_still(const uint8_t *ready)
{
    uint64_t eight, still = UINT64_C(0x0101010101010101) * LODE__RESTLESS_STILL;
    memcpy(&eight, ready, sizeof eight);
    return eight == still;
}

/* Nobody that is restless still is ready. The next of others, or the end. */
static uint32_t pass_still(uint8_t *ready, uint32_t line, uint32_t end)
{
    for (; line + 8 <= end && are_still(ready + line); line += 8)
        memset(ready + line, false, 8);
    for (; line < end && ready[line] == LODE__RESTLESS_STILL; ++line)
        ready[line] = false;
    return line;
}

static void count_idle_lines(void *context, uint32_t begin, uint32_t end)
{
    const idle_work *work = context;
    const lode__island_list *islands = &work->world->solver.islands;
    for (uint32_t line = begin + 1; line < end + 1; ++line) {
        line = pass_still(islands->ready, line, end + 1);
        if (line == end + 1)
            return;
        if (line + AHEAD < end + 1)
            __builtin_prefetch(BODY(work->world, idle, islands->slot[line + AHEAD]));
        islands->ready[line] = islands->ready[line] == LODE__RESTLESS
                                   ? lode__link_count_restless(work->world, islands->slot[line])
                                   : count_idle(work->world, islands->slot[line], work->dt);
    }
}

static bool moves_as_it_likes(const lode__world *world, uint32_t body)
{
    return travels(*BODY(world, flags, body), BODY(world, velocity, body));
}

static void keep_awake_beside(lode__world *world, uint32_t a, uint32_t b)
{
    if (b == LODE__NONE)
        return;
    int32_t line_a = *BODY(world, line, a), line_b = *BODY(world, line, b);
    if (line_a > 0 && moves_as_it_likes(world, b))
        world->solver.islands.ready[line_a] = false;
    if (line_b > 0 && moves_as_it_likes(world, a))
        world->solver.islands.ready[line_b] = false;
}

/* One body of a joint that moves as it likes keeps the others awake. */
static void keep_awake_held(lode__world *world, uint32_t joint)
{
    uint32_t mover = LODE__NONE;
    for (uint32_t at = joint; at != LODE__NONE; at = lode__next_record(world, at))
        for (uint32_t side = 0; side < 2; ++side) {
            uint32_t body = lode__joint_body(world, at, side);
            if (body != LODE__NONE && moves_as_it_likes(world, body))
                mover = body;
        }
    for (uint32_t at = joint; at != LODE__NONE && mover != LODE__NONE;
         at = lode__next_record(world, at))
        for (uint32_t side = 0; side < 2; ++side)
            if (lode__joint_body(world, at, side) != mover)
                keep_awake_beside(world, mover, lode__joint_body(world, at, side));
}

/* So does what a body pushes one way, as long as that is awake. */
static void keep_awake_pushed(lode__world *world, const lode__manifold *m)
{
    int immovable = immovable_of(&world->collide.manifolds, m);
    if (!immovable || m->body_b == LODE__NONE)
        return;
    bool first = immovable == LODE_IMMOVABLE_FIRST;
    int32_t by = *BODY(world, line, first ? m->body_a : m->body_b);
    int32_t pushed = *BODY(world, line, first ? m->body_b : m->body_a);
    if (by > 0 && pushed > 0)
        world->solver.islands.ready[pushed] = false;
}

/* What a moving kinematic body touches or holds stays awake. */
static void keep_awake_carried(lode__world *world)
{
    const lode__solver *solver = &world->solver;
    const lode__bits *joints = &world->active_joints;
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        keep_awake_beside(world, solver->contacts[i]->body_a, solver->contacts[i]->body_b);
        keep_awake_pushed(world, solver->contacts[i]);
    }
    for (uint32_t j = lode__bits_next(joints, 0); j != UINT32_MAX;
         j = lode__bits_next(joints, j + 1))
        keep_awake_held(world, j);
}

/* So does what a joint that broke in this step has let go. */
static void keep_awake_freed(lode__world *world)
{
    const lode__events *events = &world->events;
    for (uint32_t i = 0; i < events->break_count; ++i) {
        const uint64_t bodies[2] = {events->breaks[i].body_a.id, events->breaks[i].body_b.id};
        for (int side = 0; side < 2; ++side) {
            int32_t line = bodies[side] ? *BODY(world, line, id_slot(bodies[side])) : 0;
            if (line > 0)
                world->solver.islands.ready[line] = false;
        }
    }
}

static void put_idle_to_sleep(lode__world *world)
{
    const lode__island_list *islands = &world->solver.islands;
    for (uint32_t i = 0; i < islands->count; ++i) {
        uint32_t begin = islands->begin[i], end = islands->begin[i + 1], line = begin;
        while (line < end && islands->ready[line])
            ++line;
        if (line < end)
            continue;
        for (line = begin; line < end; ++line)
            fall_asleep(world, islands->slot[line],
                        islands->slot[line + 1 < end ? line + 1 : begin]);
        ++world->sleeping_islands;
    }
}

/* Kinematic bodies that have stopped, and frozen ones, are left alone from now on. */
static void let_rest(lode__world *world)
{
    const lode__bits *awake = &world->awake;
    for (uint32_t b = lode__bits_next(awake, 0); b != UINT32_MAX;
         b = lode__bits_next(awake, b + 1)) {
        uint32_t flags = *BODY(world, flags, b);
        if (!flags_movable(flags) && !moves_as_it_likes(world, b))
            lode__body_set_awake(world, b, false);
    }
}

void lode__sleep_run(lode__world *world, const lode__step *step)
{
    const lode__island_list *islands = &world->solver.islands;
    idle_work work = {world, step->dt};
    uint32_t lines = islands->begin[islands->count] - 1;
    bool frozen = step->warnings[LODE_WARNING_NAN_BODY].count > 0;
    if (world->may_sleep_count > 0) {
        lode__tasks_run(step->tasks, lines, LODE__LINE_GRAIN, count_idle_lines, &work);
        if (world->kinematic_count > 0 || world->solver.one_way)
            keep_awake_carried(world);
        keep_awake_freed(world);
        put_idle_to_sleep(world);
    }
    if (frozen || world->kinematic_count > 0)
        let_rest(world);
    lode__collide_retire(&world->collide, &world->bodies);
}

void lode__sleep_forget_lines(lode__world *world)
{
    if (!world->stale_lines)
        return;
    for (int32_t line = world->moved.begin; line < world->moved.end; ++line) {
        uint32_t slot = world->moved.slot[line];
        if (slot < world->bodies.end && lode__bits_get(&world->bodies.alive, slot) &&
            !lode__bits_get(&world->awake, slot))
            *BODY(world, line, slot) = 0;
    }
    world->stale_lines = false;
}

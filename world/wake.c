/* wake.c: who is awake, and what wakes whom.
 *
 * Stages look at bodies in `awake`, shapes in collide.active and joints in `active_joints` alone.
 * Dynamic bodies are in the first unless they sleep or are frozen; kinematic ones while they move,
 * and in the step after, which places their shapes a last time. A shape is active with its body, a
 * joint while a dynamic body of it is awake. A sleeping island is a ring of its bodies.
 *
 * The rules, by what happens to whom. Waking takes effect at once, except that contacts come back
 * into the arrays in the next step, or in this one if it still runs (collide/rest.c).
 *
 *     what                          happens to         wakes                        by
 *     pose, type                    dynamic            its island                   body_placed
 *     pose                          frozen             what rests on it, joined     body_placed
 *                                   other              what rests on it, joined     body_placed
 *     velocity that is another      dynamic            its island                   body_touched
 *                                   kinematic          what rests on it, joined     body_touched
 *     mass, sleep, damping ...      dynamic            its island                   wake_body
 *     force, impulse, not zero      dynamic            its island                   body_touched
 *     shape made, changed, gone,    dynamic            its island                   shape_touched
 *     enabled, disabled             other              what rests on that shape     shape_touched
 *     joint made, changed, gone     -                  islands of both bodies       joint_touched
 *     joint breaks                  -                  both bodies                  joint_touched
 *     body gone                     all                all of the above             body.c
 *     gravity, rule, another value  world              all                          wake_all
 *     filter of pairs, triangles    world              all                          wake_all
 *     a contact                     awake, sleeping    the sleeping one's island    wake_touching
 *     a contact                     placed, sleeping   the sleeping one's island    wake_touching
 *     waking                        dynamic            what rests on it and does    wake_island
 *                                                      not push it
 *
 * A contact wakes nobody whom it does not push; that rests on nothing by it.
 *
 * Looking up what rests on a shape asks the tree with the shape's fat bounds, in which all that
 * touches it lies, and then the contacts that the sleeping shapes found there keep. */
#include "world/wake.h"

#include "core/error.h"
#include "world/edges.h"

bool lode__awake_reserve(lode__world *world)
{
    uint32_t bodies = world->bodies.chunk_count << LODE__CHUNK_SHIFT;
    uint32_t joints = world->joints.chunk_count << LODE__CHUNK_SHIFT;
    return lode__bits_reserve(&world->awake, bodies) &&
           lode__collide_reserve_bodies(&world->collide, bodies) &&
           lode__bits_reserve(&world->active_joints, joints) &&
           lode__bits_reserve(&world->strained_joints, joints);
}

/* ---- who is awake ---- */

static bool is_awake_dynamic(const lode__world *world, uint32_t body)
{
    return body != LODE__NONE && body_is_dynamic(world, body) &&
           lode__bits_get(&world->awake, body);
}

/* Is it one that the stages look at? */
static bool is_joint_active(const lode__world *world, uint32_t joint)
{
    if (JOINT(world, joint, joint)->flags & (LODE__JOINT_DISABLED | LODE__JOINT_ARM))
        return false;
    for (uint32_t at = joint; at != LODE__NONE; at = lode__next_record(world, at))
        if (is_awake_dynamic(world, lode__joint_body(world, at, 0)) ||
            is_awake_dynamic(world, lode__joint_body(world, at, 1)))
            return true;
    return false;
}

/* Is it one that may break? */
static bool is_joint_strained(const lode__world *world, uint32_t joint)
{
    return is_joint_active(world, joint) &&
           (JOINT(world, joint, joint)->flags & LODE__JOINT_BREAKABLE);
}

static void put_bit(lode__bits *bits, uint32_t i, bool on)
{
    if (on)
        lode__bits_set(bits, i);
    else
        lode__bits_clear(bits, i);
}

void lode__joint_join_awake(lode__world *world, uint32_t joint)
{
    put_bit(&world->active_joints, joint, is_joint_active(world, joint));
    put_bit(&world->strained_joints, joint, is_joint_strained(world, joint));
}

void lode__body_set_awake(lode__world *world, uint32_t body, bool awake)
{
    if (awake) {
        lode__bits_set(&world->awake, body);
    } else {
        lode__bits_clear(&world->awake, body);
        lode__bits_clear(&world->collide.posed, body);
        if (world->open.next <= LODE__STAGE_SOLVE_HALF)
            *BODY(world, line, body) = 0; /* the half to come may have contacts that ask for it */
        else
            world->stale_lines = true;
    }
    const lode__body_links *links = BODY(world, links, body);
    for (uint32_t shape = links->first_shape; shape != LODE__NONE;
         shape = SHAPE(world, links, shape)->next_shape)
        lode__collide_set_active(&world->collide, shape, awake);
    for (uint32_t edge = links->first_edge; edge != LODE__NO_EDGE;
         edge = lode__next_edge(world, edge))
        lode__joint_join_awake(world, lode__joint_of_edge(world, edge));
}

void lode__body_join_awake(lode__world *world, uint32_t body)
{
    uint32_t flags = *BODY(world, flags, body);
    bool moves = flags_movable(flags) && !(flags & LODE__BODY_ASLEEP);
    if (!lode__bits_get(&world->awake, body) &&
        (moves || travels(flags, BODY(world, velocity, body))))
        lode__body_set_awake(world, body, true);
}

/* ---- waking ---- */

static void start_counting(lode__world *world, uint32_t body)
{
    lode__idle *idle = BODY(world, idle, body);
    idle->idle_steps = 0;
    idle->idle_time = 0;
    if (idle->samples > 1)
        LODE__AT(samples, &world->samples, ring, *BODY(world, ring, body))->count = 0;
}

static void wake_resting_on(lode__world *world, uint32_t shape);

/* The island is awake as a whole before what rests on it is, which may be of further islands. */
static void wake_island(lode__world *world, uint32_t first)
{
    uint32_t body = first, next;
    do {
        *BODY(world, flags, body) &= ~(uint32_t)LODE__BODY_ASLEEP;
        start_counting(world, body);
        lode__body_join_awake(world, body);
        --world->asleep_count;
        body = BODY(world, rest, body)->next;
    } while (body != first);
    --world->sleeping_islands;
    do {
        uint32_t shape = BODY(world, links, body)->first_shape;
        for (; world->collide.any_one_way && shape != LODE__NONE;
             shape = SHAPE(world, links, shape)->next_shape)
            wake_resting_on(world, shape);
        next = BODY(world, rest, body)->next;
        BODY(world, rest, body)->next = 0;
        body = next;
    } while (body != first);
}

static bool is_asleep(const lode__world *world, uint32_t body)
{
    return *BODY(world, flags, body) & LODE__BODY_ASLEEP;
}

void lode__wake_body(lode__world *world, uint32_t body)
{
    if (!body_is_dynamic(world, body))
        return;
    if (is_asleep(world, body))
        wake_island(world, body);
    start_counting(world, body);
    *BODY(world, flags, body) &= ~(uint32_t)LODE__BODY_TO_SLEEP;
}

void lode__wake_all(lode__world *world)
{
    const lode__bits *alive = &world->bodies.alive;
    for (uint32_t b = lode__bits_next(alive, 0); b != UINT32_MAX; b = lode__bits_next(alive, b + 1))
        lode__wake_body(world, b);
}

/* ---- what rests on a shape ---- */

static void wake_if_resting(lode__world *world, uint32_t shape, uint32_t on)
{
    uint32_t body = SHAPE(world, geometry, shape)->body;
    if (is_asleep(world, body) && lode__collide_rests_on(&world->collide, shape, on))
        wake_island(world, body);
}

static void wake_resting_on(lode__world *world, uint32_t shape)
{
    const lode__tree *tree = &world->collide.tree;
    const lode__bits *alive = &world->collide.shapes.alive;
    uint32_t cursor = 0, other;
    if (world->asleep_count == 0 || lode__bits_get(&world->collide.disabled, shape))
        return;
    if (lode__tree_has(tree, shape)) {
        lode__node box = *lode__tree_leaf(tree, shape);
        while ((other = lode__tree_next(tree, &box, &cursor)) != LODE__NONE)
            wake_if_resting(world, other, shape);
        return;
    }
    for (other = lode__bits_next(alive, 0); other != UINT32_MAX;
         other = lode__bits_next(alive, other + 1))
        wake_if_resting(world, other, shape);
}

/* Wakes all bodies of a joint but one. */
static void wake_joined(lode__world *world, uint32_t joint, uint32_t but)
{
    for (uint32_t at = joint; at != LODE__NONE; at = lode__next_record(world, at))
        for (uint32_t side = 0; side < 2; ++side) {
            uint32_t body = lode__joint_body(world, at, side);
            if (body != LODE__NONE && body != but)
                lode__wake_body(world, body);
        }
}

void lode__wake_neighbours(lode__world *world, uint32_t body)
{
    const lode__body_links *links = BODY(world, links, body);
    for (uint32_t shape = links->first_shape; shape != LODE__NONE;
         shape = SHAPE(world, links, shape)->next_shape)
        wake_resting_on(world, shape);
    for (uint32_t edge = links->first_edge; edge != LODE__NO_EDGE;
         edge = lode__next_edge(world, edge))
        wake_joined(world, lode__joint_of_edge(world, edge), body);
}

/* ---- the rules ---- */

void lode__body_touched(lode__world *world, uint32_t body)
{
    lode_body_type type = type_of_body(world, body);
    if (type == LODE_DYNAMIC)
        lode__wake_body(world, body);
    if (type == LODE_KINEMATIC)
        lode__wake_neighbours(world, body);
    if (lode__body_is_link(world, body))
        lode__link_pushed(world, body);
    lode__body_join_awake(world, body);
}

void lode__body_placed(lode__world *world, uint32_t body)
{
    bool movable = flags_movable(*BODY(world, flags, body));
    bool thawed = movable && !is_asleep(world, body) && !lode__bits_get(&world->awake, body);
    if (movable)
        lode__wake_body(world, body);
    if (!movable || thawed)
        lode__wake_neighbours(world, body);
    lode__body_join_awake(world, body);
    lode__collide_disturb(&world->collide);
    uint32_t shape = BODY(world, links, body)->first_shape;
    for (; shape != LODE__NONE && !movable; shape = SHAPE(world, links, shape)->next_shape)
        lode__collide_stir(&world->collide, shape);
}

void lode__shape_touched(lode__world *world, uint32_t shape)
{
    uint32_t body = SHAPE(world, geometry, shape)->body;
    lode__wake_body(world, body);
    wake_resting_on(world, shape);
    if (lode__bits_get(&world->awake, body))
        lode__collide_set_active(&world->collide, shape, true);
    else
        lode__collide_stir(&world->collide, shape);
}

void lode__joint_touched(lode__world *world, uint32_t joint)
{
    wake_joined(world, joint, LODE__NONE);
    lode__joint_join_awake(world, joint);
}

void lode__wake_touching(lode__world *world)
{
    const lode__collide *collide = &world->collide;
    for (uint32_t i = 0; i < collide->touching_count && world->asleep_count > 0; ++i) {
        const lode__manifold *m = collide->touching[i];
        int immovable = immovable_of(&collide->manifolds, m);
        if (is_asleep(world, m->body_a) && immovable != LODE_IMMOVABLE_FIRST)
            wake_island(world, m->body_a);
        if (is_asleep(world, m->body_b) && immovable != LODE_IMMOVABLE_SECOND)
            wake_island(world, m->body_b);
    }
}

/* True when the contact's body on one side sleeps and the other, alive and awake, wakes it. */
static bool wakes(lode__world *world, uint32_t sleeping, uint32_t other)
{
    if (!is_asleep(world, sleeping) || !lode__bits_get(&world->awake, other))
        return false;
    wake_island(world, sleeping);
    return true;
}

/* The caller may make contacts of what sleeps in each step anew: by themselves they wake nobody. */
void lode__wake_made(lode__world *world)
{
    bool again = world->asleep_count > 0;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < world->made.count; ++i) {
            const lode__made_point *point = &world->made.points[i];
            uint32_t a = (uint32_t)(point->pair >> 32), b = (uint32_t)point->pair;
            int immovable = point->usual ? LODE_IMMOVABLE_NONE : point->special.immovable;
            if (lode__pool_holds(&world->bodies, a, point->generation_a) &&
                lode__pool_holds(&world->bodies, b, point->generation_b))
                again = (immovable != LODE_IMMOVABLE_FIRST && wakes(world, a, b)) ||
                        (immovable != LODE_IMMOVABLE_SECOND && wakes(world, b, a)) || again;
        }
    }
}

/* ---- checks ---- */

static void validate_ring(const lode__world *world, uint32_t first)
{
    uint32_t body = first, count = 0;
    do {
        LODE__ASSERT(is_asleep(world, body) && ++count <= world->asleep_count);
        body = BODY(world, rest, body)->next;
    } while (body != first);
}

static void validate_body(const lode__world *world, uint32_t body)
{
    uint32_t flags = *BODY(world, flags, body);
    bool awake = lode__bits_get(&world->awake, body), asleep = flags & LODE__BODY_ASLEEP;
    bool travelling = travels(flags, BODY(world, velocity, body));
    LODE__ASSERT(!asleep || (flags & LODE__BODY_DYNAMIC));
    LODE__ASSERT(!asleep || !awake);
    LODE__ASSERT(awake || asleep || !(flags_movable(flags) || travelling));
    uint32_t shape = BODY(world, links, body)->first_shape;
    for (; shape != LODE__NONE; shape = SHAPE(world, links, shape)->next_shape)
        LODE__ASSERT(lode__bits_get(&world->collide.active, shape) ==
                     (awake && !lode__bits_get(&world->collide.disabled, shape)));
    if (asleep)
        validate_ring(world, body);
}

void lode__awake_validate(const lode__world *world)
{
    const lode__bits *bodies = &world->bodies.alive, *joints = &world->joints.alive;
    uint32_t asleep = 0;
    for (uint32_t b = lode__bits_next(bodies, 0); b != UINT32_MAX;
         b = lode__bits_next(bodies, b + 1)) {
        validate_body(world, b);
        asleep += is_asleep(world, b);
    }
    LODE__ASSERT(asleep == world->asleep_count && world->sleeping_islands <= asleep);
    for (uint32_t j = lode__bits_next(joints, 0); j != UINT32_MAX;
         j = lode__bits_next(joints, j + 1)) {
        LODE__ASSERT(lode__bits_get(&world->active_joints, j) == is_joint_active(world, j));
        LODE__ASSERT(lode__bits_get(&world->strained_joints, j) == is_joint_strained(world, j));
    }
}

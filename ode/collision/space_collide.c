/* space_collide.c: near callbacks.
 *
 * Whatever the class of a space, the pairs whose boxes overlap are found in the same way
 * (space_near.c), in an order that depends on the space's members alone: the newest geom with the
 * next one, and so on. Geoms without an end on some side are asked about all; their pairs come in
 * between. */
#include "ode/collision/ahead.h"

typedef struct near_call {
    void *data;
    dNearCallback *callback;
} near_call;

/* --- which geoms may meet */

static bool may_meet(dGeomID a, dGeomID b)
{
    return !(a->body && a->body == b->body) &&
           ((a->category & b->collide) || (b->category & a->collide));
}

/* A class of the program's own may know better than the boxes. */
static bool test_passes(dGeomID a, dGeomID b)
{
    const dGeomClass *user = a->class->user;
    return !user || !user->aabb_test || user->aabb_test(a, b, b->bounds);
}

/* Of two whose bounds overlap. */
static void call_near(const near_call *near, dGeomID a, dGeomID b)
{
    if (may_meet(a, b) && test_passes(a, b) && test_passes(b, a))
        near->callback(near->data, a, b);
}

static void call(const near_call *near, dGeomID a, dGeomID b)
{
    if (bounds_overlap(a->bounds, b->bounds))
        call_near(near, a, b);
}

/* --- within a space */

/* Pairs that will be told of. */
typedef struct near_walk {
    dGeomID (*pairs)[2];
    uint32_t count;
} near_walk;

/* Of geoms whose bounds overlap, the newer one first. */
static void add_pair(near_walk *walk, dGeomID newer, dGeomID older)
{
    if (!may_meet(newer, older))
        return;
    walk->pairs[walk->count][0] = newer;
    walk->pairs[walk->count][1] = older;
    ++walk->count;
}

/* Those of the pairs of fat bounds whose own overlap; no branch to be missed. */
static uint32_t list_overlapping(const lode__ode_nearness *near, lode__ode_near *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < near->pair_count; ++i) {
        const lode__ode_member *a = &near->members[near->pairs[i].a],
                               *b = &near->members[near->pairs[i].b];
        out[count] = near->pairs[i];
        count += bounds_overlap(a->bounds, b->bounds) & !(a->disabled | b->disabled);
    }
    return count;
}

static bool is_endless(const lode__ode_nearness *near, uint32_t slot)
{
    return near->slots[slot] && !lode__tree_has(&near->tree, slot);
}

/* The pairs of a geom without an end on some side; of two that are so, the one of the higher slot
 * finds the pair. Returns how many. */
static uint32_t list_endless(const lode__ode_nearness *near, uint32_t slot, lode__ode_near *out)
{
    const lode__ode_member *own = &near->members[slot];
    uint32_t count = 0;
    for (uint32_t i = 0; i < near->slot_count; ++i) {
        const lode__ode_member *other = &near->members[i];
        if (near->slots[i] && bounds_overlap(own->bounds, other->bounds) && i != slot &&
            !(own->disabled | other->disabled) && (i < slot || !is_endless(near, i)))
            out[count++] = lode__ode_near_pair(near, slot, i);
    }
    return count;
}

/* All pairs whose bounds overlap, in the order in which they are told of. False: no memory. */
static bool list_pairs(dSpaceID space, lode__ode_near **out_pairs, uint32_t *out_count)
{
    const lode__ode_nearness *near = &space->near;
    if (!lode__ode_near_update(space))
        return false;
    size_t most = near->pair_count + (size_t)near->endless_count * near->slot_count;
    lode__ode_near *pairs = LODE__TAKE(&space->arena, lode__ode_near, most);
    if (!pairs)
        return most == 0;
    const uint32_t bounded = list_overlapping(near, pairs);
    uint32_t count = bounded;
    for (uint32_t slot = 0; slot < near->slot_count && near->endless_count > 0; ++slot)
        if (is_endless(near, slot))
            count += list_endless(near, slot, pairs + count);
    *out_pairs = pairs;
    *out_count = count;
    return lode__ode_near_merge(pairs, bounded, count, &space->arena);
}

enum { AHEAD = 8 }; /* pairs */

static bool gather(near_walk *walk, dSpaceID space)
{
    const lode__ode_nearness *near = &space->near;
    lode__ode_near *pairs = NULL;
    uint32_t count = 0;
    if (!list_pairs(space, &pairs, &count))
        return false;
    walk->pairs = lode__arena_take(&space->arena, count * sizeof *walk->pairs);
    if (!walk->pairs)
        return count == 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i + AHEAD < count) {
            __builtin_prefetch(near->slots[pairs[i + AHEAD].a]);
            __builtin_prefetch(near->slots[pairs[i + AHEAD].b]);
        }
        add_pair(walk, near->slots[pairs[i].a], near->slots[pairs[i].b]);
    }
    return true;
}

/* Have all members the bounds that they had when the space was bounded for the `bounded`th time? */
static bool bounds_stand(dSpaceID space, uint32_t bounded)
{
    return !space->geom.unbounded && space->geom.moves == bounded;
}

/* A callback that looks through the same space begins a walk of its own. */
static void collide_within(dSpaceID space, const near_call *near)
{
    near_walk walk = {.count = 0};
    lode__ode_geom_bound(&space->geom);
    lode__arena_mark mark = lode__arena_mark_now(&space->arena);
    const uint32_t bounded = space->geom.moves;
    bool good = gather(&walk, space);
    ++space->locks;
    lode__ode_ahead *ahead = lode__ode_ahead_begin(space, walk.pairs, good ? walk.count : 0);
    for (uint32_t i = 0; i < walk.count && good; ++i) {
        lode__ode_ahead_at(ahead, i);
        const dGeomID *pair = walk.pairs[i];
        if (bounds_stand(space, bounded) || bounds_overlap(pair[0]->bounds, pair[1]->bounds))
            call_near(near, pair[0], pair[1]);
    }
    lode__ode_ahead_end(ahead);
    if (--space->locks == 0)
        lode__arena_reset(&space->arena);
    else
        lode__arena_rollback(&space->arena, mark);
    (void)CHECK(good, "memory", "is wanting");
}

void dSpaceCollide(dSpaceID space, void *data, dNearCallback *callback)
{
    near_call near = {data, callback};
    if (CHECK_GIVEN(space) && CHECK_GIVEN(callback) &&
        CHECK(geom_is_space(&space->geom), "space", "is no space"))
        collide_within(space, &near);
}

/* --- a geom and a space, two spaces */

/* `first`: the geom is told of before the members. */
static void collide_members(dSpaceID space, dGeomID geom, bool first, const near_call *near)
{
    lode__ode_geom_bound(&space->geom);
    lode__ode_geom_bound(geom);
    ++space->locks;
    for (dGeomID member = space->members; member; member = member->next)
        if (!member->disabled && member != geom)
            call(near, first ? geom : member, first ? member : geom);
    --space->locks;
}

/* The members of the smaller one, one by one, beside the other. */
static void collide_spaces(dSpaceID a, dSpaceID b, const near_call *near)
{
    dSpaceID few = a->count <= b->count ? a : b, many = few == a ? b : a;
    lode__ode_geom_bound(&few->geom);
    ++few->locks;
    for (dGeomID member = few->members; member; member = member->next)
        if (!member->disabled)
            collide_members(many, member, few == a, near);
    --few->locks;
}

void dSpaceCollide2(dGeomID space1, dGeomID space2, void *data, dNearCallback *callback)
{
    near_call near = {data, callback};
    if (!CHECK_GIVEN(space1) || !CHECK_GIVEN(space2) || !CHECK_GIVEN(callback))
        return;
    dSpaceID a = geom_is_space(space1) ? space_of(space1) : NULL;
    dSpaceID b = geom_is_space(space2) ? space_of(space2) : NULL;
    if (a && b && a->sublevel != b->sublevel) {
        a = a->sublevel < b->sublevel ? a : NULL; /* the higher one is a geom to the other */
        b = a ? NULL : b;
    }
    if (a && a == b) {
        collide_within(a, &near);
    } else if (a && b) {
        collide_spaces(a, b, &near);
    } else if (a || b) {
        collide_members(a ? a : b, a ? space2 : space1, b != NULL, &near);
    } else {
        lode__ode_geom_bound(space1);
        lode__ode_geom_bound(space2);
        call(&near, space1, space2);
    }
}

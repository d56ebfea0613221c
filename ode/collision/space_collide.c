/* space_collide.c: near callbacks.
 *
 * Whatever the class of a space, the pairs whose boxes overlap are found in the same way
 * (space_near.c), and sorted, so that they come in an order that depends on the space's members
 * alone: the newest geom with the next one, and so on. Geoms without an end on some side are asked
 * about all. */
#include "ode/collision/ahead.h"

#include "core/sort.h"

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

static void call(const near_call *near, dGeomID a, dGeomID b)
{
    if (may_meet(a, b) && bounds_overlap(a->bounds, b->bounds) && test_passes(a, b) &&
        test_passes(b, a))
        near->callback(near->data, a, b);
}

/* --- within a space */

/* Pairs that will be told of. */
typedef struct near_walk {
    dGeomID (*pairs)[2];
    uint64_t *keys, *scratch_keys;
    uint32_t *values, *scratch_values;
    uint32_t count, capacity;
} near_walk;

/* Of geoms whose bounds overlap, the newer one first. */
static void add_pair(near_walk *walk, dGeomID a, dGeomID b)
{
    if (!may_meet(a, b))
        return;
    dGeomID newer = a->order < b->order ? a : b, older = newer == a ? b : a;
    walk->pairs[walk->count][0] = newer;
    walk->pairs[walk->count][1] = older;
    walk->keys[walk->count] = (uint64_t)newer->order << 32 | older->order;
    walk->values[walk->count] = walk->count;
    ++walk->count;
}

/* Geoms that end nowhere on some side, beside all others. */
static void add_endless(near_walk *walk, dSpaceID space)
{
    for (dGeomID geom = space->members; geom; geom = geom->next) {
        if (lode__ode_has_ends(geom->bounds))
            continue;
        for (dGeomID other = space->members; other; other = other->next)
            if (other != geom &&
                (lode__ode_has_ends(other->bounds) || other->order < geom->order) &&
                !geom->disabled && !other->disabled && bounds_overlap(geom->bounds, other->bounds))
                add_pair(walk, geom, other);
    }
}

static bool take_walk(near_walk *walk, lode__arena *arena, uint32_t capacity)
{
    walk->pairs = lode__arena_take(arena, (size_t)capacity * sizeof *walk->pairs);
    walk->keys = LODE__TAKE(arena, uint64_t, capacity);
    walk->scratch_keys = LODE__TAKE(arena, uint64_t, capacity);
    walk->values = LODE__TAKE(arena, uint32_t, capacity);
    walk->scratch_values = LODE__TAKE(arena, uint32_t, capacity);
    return walk->pairs && walk->keys && walk->scratch_keys && walk->values && walk->scratch_values;
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

enum { AHEAD = 8 }; /* pairs */

static bool gather(near_walk *walk, dSpaceID space)
{
    const lode__ode_nearness *near = &space->near;
    if (!lode__ode_near_update(space))
        return false;
    uint32_t endless = near->endless_count;
    if (!take_walk(walk, &space->arena, near->pair_count + endless * (uint32_t)space->count))
        return false;
    lode__ode_near *pairs = LODE__TAKE(&space->arena, lode__ode_near, near->pair_count);
    uint32_t count = pairs ? list_overlapping(near, pairs) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i + AHEAD < count) {
            __builtin_prefetch(near->slots[pairs[i + AHEAD].a]);
            __builtin_prefetch(near->slots[pairs[i + AHEAD].b]);
        }
        add_pair(walk, near->slots[pairs[i].a], near->slots[pairs[i].b]);
    }
    if (endless > 0)
        add_endless(walk, space);
    lode__sort(walk->keys, walk->values, walk->scratch_keys, walk->scratch_values, walk->count);
    return pairs || near->pair_count == 0;
}

/* A callback that looks through the same space begins a walk of its own. */
static void collide_within(dSpaceID space, const near_call *near)
{
    near_walk walk = {.count = 0};
    lode__ode_geom_bound(&space->geom);
    lode__arena_mark mark = lode__arena_mark_now(&space->arena);
    bool good = gather(&walk, space);
    ++space->locks;
    lode__ode_ahead *ahead = lode__ode_ahead_begin(space, walk.pairs, walk.values,
                                                   good ? walk.count : 0);
    for (uint32_t i = 0; i < walk.count && good; ++i) {
        dGeomID *pair = walk.pairs[walk.values[i]];
        lode__ode_ahead_at(ahead, i);
        call(near, pair[0], pair[1]);
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

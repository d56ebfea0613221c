/* space_collide.c: near callbacks.
 *
 * Which boxes of a space overlap is found by one of the methods that worlds of the handle API may
 * choose for their broad phase (collide/broad.h): each class of spaces is one of them. What is found
 * is sorted, so that pairs come in an order that depends on the space's members alone: the newest
 * geom with the next one, and so on. Geoms without an end on some side are asked about all. */
#include "ode/collision/space.h"

#include "collide/broad.h"
#include "core/memory.h"
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

static const lode__broad_method *method_of(dSpaceID space)
{
    switch (space->geom.number) {
    case dHashSpaceClass:
        return &lode__broad_grid;
    case dSweepAndPruneSpaceClass:
        return &lode__broad_sweep;
    case dQuadTreeSpaceClass:
        return &lode__broad_quadtree;
    default:
        return &lode__broad_simple;
    }
}

/* A walk through a space. */
typedef struct near_walk {
    dGeomID *geoms; /* those that are enabled, in the list's order */
    lode__node *nodes;
    const lode__node **boxes; /* of those with ends on all sides */
    uint32_t *endless;
    uint32_t count, box_count, endless_count;
    uint64_t *pairs; /* a << 32 | b, a before b in the list */
    uint32_t pair_count, pair_capacity;
    uint32_t asking;
    bool failed;
} near_walk;

static bool has_ends(const dReal *bounds)
{
    bool ends = true;
    for (int i = 0; i < 6; ++i)
        ends = ends && isfinite(bounds[i]);
    return ends;
}

static bool gather(near_walk *walk, dSpaceID space)
{
    lode__arena *arena = &space->arena;
    size_t count = (size_t)space->count;
    walk->geoms = LODE__TAKE(arena, dGeomID, count);
    walk->nodes = LODE__TAKE(arena, lode__node, count);
    walk->boxes = LODE__TAKE(arena, const lode__node *, count);
    walk->endless = LODE__TAKE(arena, uint32_t, count);
    if (!walk->geoms || !walk->nodes || !walk->boxes || !walk->endless)
        return false;
    for (dGeomID geom = space->members; geom; geom = geom->next) {
        if (geom->disabled)
            continue;
        uint32_t i = walk->count++;
        lode__node *node = &walk->nodes[i];
        walk->geoms[i] = geom;
        for (int k = 0; k < 3; ++k) {
            node->lo[k] = geom->bounds[2 * k];
            node->hi[k] = geom->bounds[2 * k + 1];
        }
        node->child = i | (uint32_t)LODE__LEAF;
        if (has_ends(geom->bounds))
            walk->boxes[walk->box_count++] = node;
        else
            walk->endless[walk->endless_count++] = i;
    }
    return true;
}

static void add_pair(near_walk *walk, uint32_t a, uint32_t b)
{
    if (!may_meet(walk->geoms[a], walk->geoms[b]))
        return;
    if (!lode__grow((void **)&walk->pairs, &walk->pair_capacity, walk->pair_count + 1,
                    sizeof *walk->pairs)) {
        walk->failed = true;
        return;
    }
    walk->pairs[walk->pair_count++] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static void found(void *context, uint32_t other)
{
    near_walk *walk = context;
    if (walk->asking < other)
        add_pair(walk, walk->asking, other);
}

static bool find_pairs(near_walk *walk, dSpaceID space)
{
    const lode__broad_method *method = method_of(space);
    lode__boxes boxes = {walk->boxes, walk->box_count, {0, 1, 2}};
    if (space->geom.number == dSweepAndPruneSpaceClass)
        for (int i = 0; i < 3; ++i)
            boxes.axes[i] = space->axes[i];
    const void *index = walk->box_count > 0 ? method->build(&boxes, &space->arena) : NULL;
    if (walk->box_count > 0 && !index)
        return false;
    for (uint32_t i = 0; i < walk->box_count; ++i) {
        walk->asking = lode__box_shape(walk->boxes[i]);
        method->query(index, walk->boxes[i], found, walk);
    }
    for (uint32_t i = 0; i < walk->endless_count; ++i)
        for (uint32_t k = 0; k < walk->count; ++k) {
            uint32_t own = walk->endless[i];
            bool both = !has_ends(walk->geoms[k]->bounds);
            if (k != own && !(both && k < own))
                add_pair(walk, own, k);
        }
    return !walk->failed;
}

static bool sort_pairs(near_walk *walk, lode__arena *arena)
{
    uint64_t *scratch = LODE__TAKE(arena, uint64_t, walk->pair_count);
    if (scratch && walk->pair_count > 0)
        lode__sort(walk->pairs, NULL, scratch, NULL, walk->pair_count);
    return scratch != NULL;
}

static void collide_within(dSpaceID space, const near_call *near)
{
    near_walk walk = {.count = 0};
    lode__ode_geom_bound(&space->geom);
    lode__arena_mark mark = lode__arena_mark_now(&space->arena);
    ++space->locks;
    if (CHECK(gather(&walk, space) && find_pairs(&walk, space) && sort_pairs(&walk, &space->arena),
              "memory", "is wanting"))
        for (uint32_t i = 0; i < walk.pair_count; ++i)
            call(near, walk.geoms[walk.pairs[i] >> 32], walk.geoms[(uint32_t)walk.pairs[i]]);
    --space->locks;
    lode__free(walk.pairs, walk.pair_capacity * sizeof *walk.pairs);
    lode__arena_rollback(&space->arena, mark);
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

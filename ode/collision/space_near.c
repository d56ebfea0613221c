/* space_near.c: which members of a space are near each other.
 *
 * What a world of the handle API does for its shapes is done here for a space's geoms: they lie in
 * a tree with bounds that are larger than theirs, and the pairs of which those overlap are kept. A
 * geom that stays within its fat bounds costs nothing; one that leaves them gets new ones, loses
 * its pairs and looks for others, which are sorted in among those that were kept. */
#include "ode/collision/space.h"

#include "core/fetch.h"
#include "core/memory.h"
#include "core/sort.h"

#include <string.h>

/* Fat bounds are larger, on each side, by this share of the largest extent. */
#define FAT_SHARE ((dReal)0.05)

/* For how many walks of the present motion they last; faster ones are cut at the extent. */
#define LOOK_AHEAD ((dReal)4)

/* --- members */

static bool take_slot(lode__ode_nearness *near, uint32_t *out_slot)
{
    if (near->free_count > 0) {
        *out_slot = near->free[--near->free_count];
        return true;
    }
    /* what has left comes back as free: there is room for all */
    if (!lode__grow((void **)&near->slots, &near->slot_capacity, near->slot_count + 1,
                    sizeof *near->slots) ||
        !lode__grow((void **)&near->renewed, &near->renewed_capacity, near->slot_count + 1,
                    sizeof *near->renewed) ||
        !lode__grow((void **)&near->members, &near->member_capacity, near->slot_count + 1,
                    sizeof *near->members) ||
        !lode__grow((void **)&near->free, &near->free_capacity, near->slot_count + 1,
                    sizeof *near->free))
        return false;
    *out_slot = near->slot_count++;
    return true;
}

static uint64_t key_of(uint32_t newer, uint32_t older)
{
    return (uint64_t)newer << 32 | older;
}

/* After four billion members, from the oldest on anew. Pairs stay in order; those of a member that
 * has left go with the next walk. */
static void number_anew(dSpaceID space)
{
    lode__ode_nearness *near = &space->near;
    uint32_t order = UINT32_MAX - (uint32_t)space->count;
    for (dGeomID geom = space->members; geom; geom = geom->next)
        geom->order = ++order;
    near->sequence = (uint32_t)space->count;
    for (uint32_t i = 0; i < near->pair_count; ++i) {
        dGeomID a = near->slots[near->pairs[i].a], b = near->slots[near->pairs[i].b];
        if (a && b)
            near->pairs[i].key = key_of(a->order, b->order);
    }
}

bool lode__ode_near_add(dSpaceID space, dGeomID geom)
{
    lode__ode_nearness *near = &space->near;
    if (!take_slot(near, &geom->slot))
        return false;
    if (near->sequence == UINT32_MAX)
        number_anew(space);
    near->slots[geom->slot] = geom;
    geom->order = UINT32_MAX - near->sequence++;
    near->renewed[geom->slot] = true;
    return true;
}

void lode__ode_near_remove(dSpaceID space, dGeomID geom)
{
    lode__ode_nearness *near = &space->near;
    lode__tree_remove(&near->tree, geom->slot);
    near->slots[geom->slot] = NULL;
    near->renewed[geom->slot] = true;
    ++near->left_count;
}

void lode__ode_near_free(lode__ode_nearness *near)
{
    lode__tree_free(&near->tree);
    lode__near_lists_free(&near->lists);
    lode__many_list_free(&near->touching);
    lode__free(near->slots, near->slot_capacity * sizeof *near->slots);
    lode__free(near->renewed, near->renewed_capacity * sizeof *near->renewed);
    lode__free(near->members, near->member_capacity * sizeof *near->members);
    lode__free(near->free, near->free_capacity * sizeof *near->free);
    lode__free(near->pairs, near->pair_capacity * sizeof *near->pairs);
}

/* --- fat bounds */

bool lode__ode_has_ends(const dReal bounds[6])
{
    bool ends = true;
    for (int i = 0; i < 6; ++i)
        ends = ends && isfinite(bounds[i]);
    return ends;
}

static bool is_within(const lode__node *fat, const dReal bounds[6])
{
    bool within = true;
    for (int i = 0; i < 3; ++i)
        within = within && fat->lo[i] <= bounds[2 * i] && bounds[2 * i + 1] <= fat->hi[i];
    return within;
}

/* `before`: the bounds of the last walk. */
static lode__aabb fat_of(const dReal bounds[6], const dReal before[6])
{
    lode__aabb box = {.lo = {bounds[0], bounds[2], bounds[4]},
                      .hi = {bounds[1], bounds[3], bounds[5]}};
    dReal most = 0;
    for (int i = 0; i < 3; ++i)
        most = r_max(most, box.hi[i] - box.lo[i]);
    for (int i = 0; i < 3; ++i) {
        dReal moved = (box.lo[i] - before[2 * i] + box.hi[i] - before[2 * i + 1]) / 2;
        dReal ahead = LOOK_AHEAD * r_min(r_max(moved, -most), most);
        box.lo[i] -= FAT_SHARE * most + r_max(-ahead, 0);
        box.hi[i] += FAT_SHARE * most + r_max(ahead, 0);
    }
    return box;
}

/* Those of a geom that is farther on, and its own. */
LODE__FETCHER void fetch_member(const lode__ode_nearness *near, uint32_t slot)
{
    if (slot >= near->slot_count)
        return;
    if (lode__tree_has(&near->tree, slot))
        __builtin_prefetch(lode__tree_leaf(&near->tree, slot));
    if (near->slots[slot])
        __builtin_prefetch(near->slots[slot]->bounds);
}

static void note_member(lode__ode_member *out, const struct dxGeom *geom)
{
    memcpy(out->bounds, geom->bounds, sizeof out->bounds);
    out->disabled = geom->disabled;
    out->order = geom->order;
}

/* Lists the slots that need new fat bounds, and these; marks them, and counts geoms that are in no
 * tree. */
static uint32_t list_renewed(lode__ode_nearness *near, uint32_t *slots, lode__aabb *boxes)
{
    enum { AHEAD = 8 };
    uint32_t count = 0;
    near->endless_count = 0;
    for (uint32_t slot = 0; slot < near->slot_count; ++slot) {
        dGeomID geom = near->slots[slot];
        fetch_member(near, slot + AHEAD);
        if (!geom)
            continue;
        const bool known = lode__tree_has(&near->tree, slot);
        dReal before[6];
        memcpy(before, known ? near->members[slot].bounds : geom->bounds, sizeof before);
        note_member(&near->members[slot], geom);
        if (known && !near->renewed[slot] &&
            is_within(lode__tree_leaf(&near->tree, slot), geom->bounds))
            continue;
        near->renewed[slot] = true;
        if (!lode__ode_has_ends(geom->bounds)) {
            lode__tree_remove(&near->tree, slot);
            ++near->endless_count;
            continue;
        }
        slots[count] = slot;
        boxes[count++] = fat_of(geom->bounds, before);
    }
    return count;
}

/* --- pairs */

static void drop_pairs(lode__ode_nearness *near)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < near->pair_count; ++i)
        if (!near->renewed[near->pairs[i].a] && !near->renewed[near->pairs[i].b])
            near->pairs[kept++] = near->pairs[i];
    near->pair_count = kept;
}

static void free_slots(lode__ode_nearness *near)
{
    if (near->left_count == 0)
        return;
    near->free_count = 0;
    for (uint32_t slot = near->slot_count; slot-- > 0;)
        if (!near->slots[slot])
            near->free[near->free_count++] = slot;
    near->left_count = 0;
}

lode__ode_near lode__ode_near_pair(const lode__ode_nearness *near, uint32_t a, uint32_t b)
{
    uint32_t order_a = near->members[a].order, order_b = near->members[b].order;
    return order_a < order_b ? (lode__ode_near){key_of(order_a, order_b), a, b}
                             : (lode__ode_near){key_of(order_b, order_a), b, a};
}

/* Those of one slot, behind the others; of two that both look, the lower one finds the pair. */
static bool find_pairs(lode__ode_nearness *near, uint32_t slot)
{
    const lode__node *own = lode__tree_leaf(&near->tree, slot);
    for (uint32_t cursor = 0, other;
         (other = lode__tree_next(&near->tree, own, &cursor)) != LODE__NONE;) {
        if (other == slot || (near->renewed[other] && other < slot))
            continue;
        if (!lode__grow((void **)&near->pairs, &near->pair_capacity, near->pair_count + 1,
                        sizeof *near->pairs))
            return false;
        near->pairs[near->pair_count++] = lode__ode_near_pair(near, slot, other);
    }
    return true;
}

bool lode__ode_near_merge(lode__ode_near *pairs, uint32_t begin, uint32_t count, lode__arena *arena)
{
    const uint32_t added = count - begin;
    if (added == 0)
        return true;
    uint64_t *keys = LODE__TAKE(arena, uint64_t, added),
             *more_keys = LODE__TAKE(arena, uint64_t, added);
    uint32_t *order = LODE__TAKE(arena, uint32_t, added),
             *more = LODE__TAKE(arena, uint32_t, added);
    lode__ode_near *own = LODE__TAKE(arena, lode__ode_near, added);
    if (!keys || !more_keys || !order || !more || !own)
        return false;
    memcpy(own, pairs + begin, added * sizeof *own);
    for (uint32_t i = 0; i < added; ++i) {
        keys[i] = own[i].key;
        order[i] = i;
    }
    lode__sort(keys, order, more_keys, more, added);
    for (uint32_t left = added; left-- > 0;) {
        uint32_t larger = begin; /* as many come behind the last of its own */
        while (begin > 0 && pairs[begin - 1].key > keys[left])
            --begin;
        count -= larger - begin;
        memmove(&pairs[count], &pairs[begin], (larger - begin) * sizeof *pairs);
        pairs[--count] = own[order[left]];
    }
    return true;
}

bool lode__ode_near_update(dSpaceID space)
{
    lode__ode_nearness *near = &space->near;
    uint32_t count = (uint32_t)space->count;
    uint32_t *slots = LODE__TAKE(&space->arena, uint32_t, count);
    lode__aabb *boxes = LODE__TAKE(&space->arena, lode__aabb, count);
    near->endless_count = 0;
    if (count == 0)
        return true;
    if (!slots || !boxes || !lode__tree_reserve(&near->tree, count, near->slot_count))
        return false;
    count = list_renewed(near, slots, boxes);
    drop_pairs(near);
    free_slots(near);
    lode__tree_update(&near->tree, slots, boxes, count, NULL, &space->arena);
    const uint32_t kept = near->pair_count;
    bool good = true;
    for (uint32_t i = 0; i < count && good; ++i)
        good = find_pairs(near, slots[i]);
    good = good && lode__ode_near_merge(near->pairs, kept, near->pair_count, &space->arena);
    for (uint32_t i = 0; i < count && good; ++i)
        near->renewed[slots[i]] = false;
    return good; /* who is marked still looks again the next time */
}

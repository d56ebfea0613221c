/* rest.c: contacts of what is at rest.
 *
 * The array of pairs is walked in every step, so it holds only pairs of which a shape is active, or
 * was stirred by the application in this step. When both shapes of a pair are at rest the pair
 * leaves it: without points it is dropped, and found again by whichever shape is active first; with
 * points its manifold, warm impulses included, goes to the list of the shape whose body sleeps,
 * sorted by pair, the manifolds of one pair behind one another. Lists hang in the manifolds
 * themselves, so falling asleep takes no memory.
 *
 * When the shape is active again its list is `returning`: the next step, or this one if the shape
 * was woken by a contact of it, sorts it back into the array in one pass. Nothing has moved
 * meanwhile, so the points are as good as new. */
#include "collide/collide.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sort.h"

#include <string.h>

static lode__manifold *manifold_at(const lode__collide *collide, uint32_t slot)
{
    return LODE__AT(manifold, &collide->manifolds, manifold, slot);
}

static uint32_t *next_of(const lode__collide *collide, uint32_t slot)
{
    return LODE__AT(manifold, &collide->manifolds, next, slot);
}

static uint32_t *list_of(const lode__collide *collide, uint32_t shape)
{
    return LODE__AT(shape, &collide->shapes, resting, shape);
}

static uint64_t key_of(const lode__collide *collide, uint32_t slot)
{
    const lode__manifold *m = manifold_at(collide, slot);
    return lode__pair_key(m->shape_a, m->shape_b);
}

void lode__collide_set_active(lode__collide *collide, uint32_t shape, bool active)
{
    lode__collide_unplace(collide, shape);
    if (!active) {
        lode__bits_clear(&collide->active, shape);
        collide->any_resting = true;
        return;
    }
    if (lode__bits_get(&collide->disabled, shape))
        return;
    lode__bits_set(&collide->active, shape);
    lode__bits_set(&collide->moved, shape);
    if (*list_of(collide, shape) != LODE__NONE) {
        lode__bits_set(&collide->returning, shape);
        collide->any_returning = true;
    }
}

void lode__collide_stir(lode__collide *collide, uint32_t shape)
{
    if (lode__bits_get(&collide->disabled, shape))
        return;
    lode__bits_set(&collide->moved, shape);
    lode__bits_set(&collide->stirred, shape);
    lode__collide_unplace(collide, shape);
    collide->any_stirred = true;
}

const lode__manifold *lode__collide_next_resting(const lode__collide *collide, uint32_t *at)
{
    if (*at == LODE__NONE)
        return NULL;
    const lode__manifold *m = manifold_at(collide, *at);
    *at = *next_of(collide, *at);
    return m;
}

bool lode__collide_rests_on(const lode__collide *collide, uint32_t shape, uint32_t other)
{
    uint32_t at = *list_of(collide, shape);
    const lode__manifold *m;
    while ((m = lode__collide_next_resting(collide, &at)))
        if ((m->shape_a == other || m->shape_b == other) &&
            immovable_of(&collide->manifolds, m) !=
                (m->shape_a == shape ? LODE_IMMOVABLE_FIRST : LODE_IMMOVABLE_SECOND))
            return true;
    return false;
}

/* --- out of the array */

static bool is_active(const lode__collide *collide, uint32_t shape)
{
    return lode__bits_get(&collide->active, shape) || lode__bits_get(&collide->stirred, shape);
}

/* The pair of a stirred shape stays until its collide half has come: it would find the pair
 * again. */
static bool is_to_stay(const lode__collide *collide, const lode__pair *pair)
{
    return is_active(collide, lode__pair_a(pair)) || is_active(collide, lode__pair_b(pair));
}

static bool sleeps(const lode__pool *bodies, uint32_t body)
{
    return *LODE__AT(body, bodies, flags, body) & LODE__BODY_ASLEEP;
}

/* The shape that keeps the contact: one of a body that sleeps, of two the one that is pushed, which
 * wakes whenever the other does. */
static uint32_t keeper(const lode__collide *collide, const lode__manifold *m,
                       const lode__pool *bodies)
{
    bool a = sleeps(bodies, m->body_a), b = sleeps(bodies, m->body_b);
    if (m->point_count == 0 || !(a || b))
        return LODE__NONE;
    bool prefers_b = immovable_of(&collide->manifolds, m) == LODE_IMMOVABLE_FIRST;
    return b && (prefers_b || !a) ? m->shape_b : m->shape_a;
}

/* The manifolds of one pair go in as they are, one behind the other. */
static void keep(lode__collide *collide, uint32_t shape, uint32_t slot)
{
    uint64_t key = key_of(collide, slot);
    uint32_t *link = list_of(collide, shape), *end = next_of(collide, slot);
    while (*link != LODE__NONE && key_of(collide, *link) < key)
        link = next_of(collide, *link);
    for (uint32_t at = slot; at != LODE__NONE; at = *next_of(collide, at)) {
        end = next_of(collide, at);
        ++collide->resting_count;
        collide->any_one_way |= immovable_of(&collide->manifolds, manifold_at(collide, at)) > 0;
    }
    *end = *link;
    *link = slot;
}

static void retire_pair(lode__collide *collide, const lode__pool *bodies, const lode__pair *pair)
{
    uint32_t shape = keeper(collide, manifold_at(collide, pair->manifold), bodies);
    if (shape == LODE__NONE)
        lode__many_remove(collide, pair->manifold);
    else
        keep(collide, shape, pair->manifold);
}

void lode__collide_retire(lode__collide *collide, const lode__pool *bodies)
{
    if (!collide->any_resting)
        return;
    lode__pair *items = collide->pairs.items;
    uint32_t count = collide->pairs.count, kept = count;
    uint32_t old = count - collide->pairs.young;
    for (uint32_t i = count; i-- > 0;) { /* backwards: most enter their list at the head */
        if (is_to_stay(collide, &items[i])) {
            items[--kept] = items[i];
            continue;
        }
        retire_pair(collide, bodies, &items[i]);
        collide->pairs.young -= i >= old;
    }
    if (kept > 0)
        memmove(items, items + kept, (count - kept) * sizeof *items);
    collide->pairs.count = count - kept;
    collide->any_resting = false;
}

/* --- and back */

typedef struct back {
    uint64_t *keys;
    uint32_t *slots;
    uint32_t count;               /* of pairs */
    uint32_t manifolds, touching; /* of them; those that touch */
} back;

static uint32_t count_returning(const lode__collide *collide)
{
    const lode__bits *returning = &collide->returning;
    uint32_t count = 0;
    for (uint32_t s = lode__bits_next(returning, 0); s != UINT32_MAX;
         s = lode__bits_next(returning, s + 1))
        for (uint32_t m = *list_of(collide, s); m != LODE__NONE; m = *next_of(collide, m))
            ++count;
    return count;
}

static bool collect(const lode__collide *collide, lode__arena *arena, back *out)
{
    const lode__bits *returning = &collide->returning;
    uint32_t total = count_returning(collide);
    uint64_t *scratch = LODE__TAKE(arena, uint64_t, total);
    out->keys = LODE__TAKE(arena, uint64_t, total);
    out->slots = LODE__TAKE(arena, uint32_t, 2 * (size_t)total);
    if (!scratch || !out->keys || !out->slots)
        return false;
    for (uint32_t s = lode__bits_next(returning, 0); s != UINT32_MAX;
         s = lode__bits_next(returning, s + 1)) {
        uint64_t last = 0; /* no pair's: a is below b */
        for (uint32_t m = *list_of(collide, s); m != LODE__NONE; m = *next_of(collide, m)) {
            uint64_t key = key_of(collide, m);
            if (key != last) {
                out->keys[out->count] = key;
                out->slots[out->count++] = m;
            }
            last = key;
            ++out->manifolds;
            out->touching += manifold_at(collide, m)->point_count > 0;
        }
    }
    lode__sort(out->keys, out->slots, scratch, out->slots + total, out->count);
    return true;
}

/* The pair whose manifolds begin in a slot; they part from what is behind them in the list. */
static lode__pair take_pair(const lode__collide *collide, uint64_t key, uint32_t slot)
{
    uint32_t points = 0, at = slot;
    for (;;) {
        uint32_t *next = next_of(collide, at);
        points += (uint32_t)manifold_at(collide, at)->point_count;
        if (*next == LODE__NONE || key_of(collide, *next) != key) {
            *next = LODE__NONE;
            break;
        }
        at = *next;
    }
    return (lode__pair){.key = key,
                        .manifold = slot,
                        .cell = lode__pair_cell(collide, key),
                        .points = (uint16_t)(points < UINT16_MAX ? points : UINT16_MAX)};
}

/* From the back, so that the array serves as its own scratch. */
static void merge_pairs(lode__collide *collide, const back *back)
{
    lode__pairs *pairs = &collide->pairs;
    uint32_t old = pairs->count, i = back->count, at = pairs->count += back->count;
    while (i > 0) {
        bool is_old = old > 0 && pairs->items[old - 1].key > back->keys[i - 1];
        pairs->items[--at] = is_old ? pairs->items[old - 1]
                                    : take_pair(collide, back->keys[i - 1], back->slots[i - 1]);
        old -= is_old;
        i -= !is_old;
    }
}

/* Once the pairs have been taken from their lists. */
static void merge_touching(lode__collide *collide, const back *back)
{
    lode__manifold **list = collide->touching, *m;
    uint32_t old = collide->touching_count, i = back->count;
    uint32_t at = collide->touching_count += back->touching;
    while (i > 0) {
        bool is_old = old > 0 && lode__pair_key(list[old - 1]->shape_a, list[old - 1]->shape_b) >
                                     back->keys[i - 1];
        if (is_old) {
            list[--at] = list[--old];
            continue;
        }
        uint32_t slot = back->slots[--i], count = 0;
        while ((m = lode__many_next(collide, &slot)))
            count += m->point_count > 0;
        at -= count;
        slot = back->slots[i];
        for (uint32_t k = at; (m = lode__many_next(collide, &slot));)
            if (m->point_count > 0)
                list[k++] = m;
    }
}

static void empty_lists(lode__collide *collide)
{
    const lode__bits *returning = &collide->returning;
    for (uint32_t s = lode__bits_next(returning, 0); s != UINT32_MAX;
         s = lode__bits_next(returning, s + 1))
        *list_of(collide, s) = LODE__NONE;
    memset(collide->returning.words, 0, collide->returning.word_count * sizeof(uint64_t));
    collide->any_returning = false;
}

bool lode__collide_take_back(lode__collide *collide, bool listed, lode__arena *arena)
{
    lode__collide_settle(collide);
    if (!collide->any_returning)
        return true;
    back back = {0};
    lode__pair *folded = LODE__TAKE(arena, lode__pair, collide->pairs.young);
    if (!folded || !collect(collide, arena, &back) ||
        !lode__grow((void **)&collide->pairs.items, &collide->pairs.capacity,
                    collide->pairs.count + back.count, sizeof *collide->pairs.items) ||
        !lode__grow((void **)&collide->touching, &collide->touching_capacity,
                    collide->touching_count + back.touching, sizeof *collide->touching))
        return false;
    lode__pairs_fold(&collide->pairs, folded);
    merge_pairs(collide, &back);
    if (listed)
        merge_touching(collide, &back);
    empty_lists(collide);
    collide->resting_count -= back.manifolds;
    return true;
}

/* --- removed shapes */

void lode__collide_drop_resting(lode__collide *collide, uint32_t shape)
{
    uint32_t slot = *list_of(collide, shape);
    while (slot != LODE__NONE) {
        uint32_t next = *next_of(collide, slot);
        lode__pool_remove(&collide->manifolds, slot);
        --collide->resting_count;
        slot = next;
    }
    *list_of(collide, shape) = LODE__NONE;
    lode__bits_clear(&collide->returning, shape);
}

/* What rested on a removed shape wakes and returns, as a rule. But a body that was sent to sleep in
 * full motion may keep a contact with a shape that its fat bounds have left since, for a query to
 * see it where it is: so all lists are looked through. */
void lode__collide_settle_resting(lode__collide *collide)
{
    const lode__bits *alive = &collide->shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX && collide->resting_count > 0;
         s = lode__bits_next(alive, s + 1)) {
        uint32_t *link = list_of(collide, s);
        while (*link != LODE__NONE) {
            uint32_t slot = *link;
            const lode__manifold *m = manifold_at(collide, slot);
            if (!lode__bits_get(&collide->gone, m->shape_a) &&
                !lode__bits_get(&collide->gone, m->shape_b)) {
                link = next_of(collide, slot);
                continue;
            }
            *link = *next_of(collide, slot);
            lode__pool_remove(&collide->manifolds, slot);
            --collide->resting_count;
        }
    }
}

/* --- checks */

static void validate_resting(const lode__collide *collide, const lode__pool *bodies, uint32_t shape,
                             uint32_t slot)
{
    const lode__manifold *m = manifold_at(collide, slot);
    bool returns = lode__bits_get(&collide->returning, shape);
    LODE__ASSERT(lode__bits_get(&collide->manifolds.alive, slot));
    LODE__ASSERT(m->shape_a == shape || m->shape_b == shape);
    LODE__ASSERT(m->point_count > 0);
    LODE__ASSERT(returns || sleeps(bodies, m->shape_a == shape ? m->body_a : m->body_b));
    LODE__ASSERT(returns || !(is_active(collide, m->shape_a) || is_active(collide, m->shape_b)));
    uint32_t next = *next_of(collide, slot);
    LODE__ASSERT(
        next == LODE__NONE || key_of(collide, slot) < key_of(collide, next) ||
        (key_of(collide, slot) == key_of(collide, next) &&
         (collide->chains || cell_is_many(lode__pair_cell(collide, key_of(collide, slot))))));
}

void lode__collide_validate_resting(const lode__collide *collide, const lode__pool *bodies)
{
    const lode__bits *alive = &collide->shapes.alive;
    uint32_t count = 0;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        for (uint32_t m = *list_of(collide, s); m != LODE__NONE; m = *next_of(collide, m)) {
            validate_resting(collide, bodies, s, m);
            ++count;
        }
    LODE__ASSERT(count == collide->resting_count);
}

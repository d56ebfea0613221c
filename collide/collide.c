/* collide.c: keeping shapes: slots, places in the broad phase, removal; see collide.h.
 *
 * A new shape gets room everywhere before it gets a slot, so that no later stage can fail for
 * it. It enters the tree in its first bounds stage, when its body's pose is known; until then its
 * bit in `moved` says that nothing about it is valid yet.
 *
 * A removed shape leaves the tree at once. Its pairs stay until lode__collide_settle(), so that
 * removing many shapes costs one pass over the pairs; its bit in `gone` keeps the slot from being
 * confused with that of a successor. */
#include "collide/collide.h"

#include "collide/kernels.h"
#include "collide/sense.h"
#include "collide/shape_type.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"

#include <string.h>

void lode__collide_init(lode__collide *collide, const lode__collide_kernels *kernels,
                        uint32_t first_generation)
{
    *collide = (lode__collide){.kernels = kernels};
    lode__pool_init(&collide->shapes, &lode__shape_kind, first_generation);
    lode__pool_init(&collide->manifolds, &lode__manifold_kind, 1);
    lode__tree_init(&collide->tree);
}

void lode__collide_free(lode__collide *collide)
{
    lode__collide_free_data(collide);
    lode__pool_free(&collide->shapes);
    lode__pool_free(&collide->manifolds);
    lode__tree_free(&collide->tree);
    lode__pairs_free(&collide->pairs);
    lode__many_free(&collide->many);
    lode__free(collide->unbounded, collide->unbounded_capacity * sizeof *collide->unbounded);
    lode__bits_free(&collide->posed);
    lode__bits_free(&collide->moved);
    lode__bits_free(&collide->lagging);
    lode__bits_free(&collide->refreshed);
    lode__bits_free(&collide->disabled);
    lode__bits_free(&collide->joined);
    lode__bits_free(&collide->sensors);
    lode__sense_free(collide);
    lode__bits_free(&collide->gone);
    lode__bits_free(&collide->active);
    lode__bits_free(&collide->stirred);
    lode__bits_free(&collide->returning);
    lode__bits_free(&collide->unplaced);
    lode__wide_free(&collide->wide);
    lode__materials_free(&collide->materials);
    lode__free(collide->touching, collide->touching_capacity * sizeof *collide->touching);
    collide->unbounded = NULL;
    collide->unbounded_count = collide->unbounded_capacity = 0;
    collide->touching = NULL;
    collide->touching_count = collide->touching_capacity = 0;
    collide->any_gone = false;
}

/* --- planes, in ascending order */

static void add_unbounded(lode__collide *collide, uint32_t shape)
{
    uint32_t i = collide->unbounded_count++;
    for (; i > 0 && collide->unbounded[i - 1] > shape; --i)
        collide->unbounded[i] = collide->unbounded[i - 1];
    collide->unbounded[i] = shape;
}

static void remove_unbounded(lode__collide *collide, uint32_t shape)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < collide->unbounded_count; ++i)
        if (collide->unbounded[i] != shape)
            collide->unbounded[kept++] = collide->unbounded[i];
    collide->unbounded_count = kept;
}

/* --- adding and removing */

bool lode__collide_reserve_shapes(lode__collide *collide, uint32_t bounded, uint32_t unbounded)
{
    uint32_t slots = collide->shapes.chunk_count << LODE__CHUNK_SHIFT;
    return lode__tree_reserve(&collide->tree, bounded, slots) &&
           lode__bits_reserve(&collide->moved, slots) &&
           lode__bits_reserve(&collide->lagging, slots) &&
           lode__bits_reserve(&collide->refreshed, slots) &&
           lode__bits_reserve(&collide->disabled, slots) &&
           lode__bits_reserve(&collide->joined, slots) &&
           lode__bits_reserve(&collide->sensors, slots) &&
           lode__bits_reserve(&collide->gone, slots) &&
           lode__bits_reserve(&collide->active, slots) &&
           lode__bits_reserve(&collide->stirred, slots) &&
           lode__bits_reserve(&collide->returning, slots) &&
           lode__bits_reserve(&collide->unplaced, slots) &&
           lode__grow((void **)&collide->unbounded, &collide->unbounded_capacity, unbounded,
                      sizeof *collide->unbounded);
}

static bool reserve(lode__collide *collide)
{
    return lode__pool_reserve(&collide->shapes, 1) &&
           lode__collide_reserve_shapes(collide, collide->shapes.count + 1,
                                        collide->unbounded_count + 1);
}

uint32_t lode__collide_add(lode__collide *collide, const lode__geometry *geometry,
                           lode__shape_data *data)
{
    if (!reserve(collide))
        return LODE__NONE;
    uint32_t shape = lode__pool_add(&collide->shapes);
    if (shape == LODE__NONE)
        return LODE__NONE;
    *LODE__AT(shape, &collide->shapes, resting, shape) = LODE__NONE;
    if (lode__bits_get(&collide->gone, shape))
        lode__collide_settle(collide);
    *LODE__AT(shape, &collide->shapes, geometry, shape) = *geometry;
    ++collide->reshaped;
    LODE__AT(shape, &collide->shapes, links, shape)->next_shape = LODE__NONE;
    lode__collide_set_data(collide, shape, data);
    if (!shape_is_bounded(geometry))
        add_unbounded(collide, shape);
    lode__bits_set(&collide->moved, shape);
    lode__collide_unplace(collide, shape);
    return shape;
}

void lode__collide_remove(lode__collide *collide, uint32_t shape)
{
    if (!shape_is_bounded(LODE__AT(shape, &collide->shapes, geometry, shape)))
        remove_unbounded(collide, shape);
    lode__collide_drop_resting(collide, shape);
    lode__tree_remove(&collide->tree, shape);
    lode__wide_drop(&collide->wide);
    lode__collide_set_data(collide, shape, NULL);
    LODE__AT(shape, &collide->shapes, card, shape)->key = 0;
    lode__pool_remove(&collide->shapes, shape);
    ++collide->reshaped;
    lode__bits_clear(&collide->moved, shape);
    lode__bits_clear(&collide->active, shape);
    lode__bits_clear(&collide->stirred, shape);
    lode__bits_clear(&collide->unplaced, shape);
    lode__bits_clear(&collide->refreshed, shape);
    lode__bits_clear(&collide->disabled, shape);
    lode__bits_clear(&collide->joined, shape);
    lode__bits_clear(&collide->sensors, shape);
    lode__bits_set(&collide->gone, shape);
    collide->any_gone = true;
}

void lode__collide_refresh(lode__collide *collide, uint32_t shape)
{
    if (lode__bits_get(&collide->disabled, shape))
        return;
    lode__bits_set(&collide->moved, shape);
    lode__bits_set(&collide->refreshed, shape);
    collide->any_refreshed = true;
    lode__collide_unplace(collide, shape);
}

static void forget_impulses(lode__manifold *m)
{
    for (int k = 0; k < m->point_count; ++k)
        for (int i = 0; i < 3; ++i)
            m->points[k].impulse[i] = m->points[k].exerted[i] = 0;
}

void lode__collide_forget(lode__collide *collide, uint32_t body)
{
    for (uint32_t i = 0; i < collide->pairs.count; ++i) {
        uint32_t slot = collide->pairs.items[i].manifold;
        lode__manifold *m;
        while ((m = lode__many_next(collide, &slot)))
            if (m->body_a == body || m->body_b == body)
                forget_impulses(m);
    }
}

/* --- settling */

static bool names_gone(const lode__collide *collide, uint32_t a, uint32_t b)
{
    return lode__bits_get(&collide->gone, a) || lode__bits_get(&collide->gone, b);
}

static void settle_touching(lode__collide *collide)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < collide->touching_count; ++i) {
        lode__manifold *m = collide->touching[i];
        if (!names_gone(collide, m->shape_a, m->shape_b))
            collide->touching[kept++] = m;
    }
    collide->touching_count = kept;
}

static void settle_pairs(lode__collide *collide)
{
    lode__pairs *pairs = &collide->pairs;
    uint32_t kept = 0, old = pairs->count - pairs->young;
    for (uint32_t i = 0; i < pairs->count; ++i) {
        lode__pair pair = pairs->items[i];
        if (!names_gone(collide, lode__pair_a(&pair), lode__pair_b(&pair))) {
            pairs->items[kept++] = pair;
            continue;
        }
        lode__many_remove(collide, pair.manifold);
        pairs->young -= i >= old;
    }
    pairs->count = kept;
}

void lode__collide_settle(lode__collide *collide)
{
    if (!collide->any_gone)
        return;
    settle_touching(collide);
    settle_pairs(collide);
    lode__collide_settle_resting(collide);
    memset(collide->gone.words, 0, collide->gone.word_count * sizeof(uint64_t));
    collide->any_gone = false;
}

/* --- reports */

size_t lode__collide_bytes_shapes(const lode__collide *collide)
{
    return lode__pool_bytes(&collide->shapes) + lode__tree_bytes(&collide->tree) +
           lode__wide_bytes(&collide->wide) +
           collide->unbounded_capacity * sizeof *collide->unbounded + lode__sense_bytes(collide) +
           ((size_t)collide->moved.word_count + collide->refreshed.word_count +
            collide->disabled.word_count + collide->sensors.word_count +
            collide->joined.word_count + collide->lagging.word_count + collide->posed.word_count +
            collide->gone.word_count + collide->active.word_count + collide->stirred.word_count +
            collide->returning.word_count + collide->unplaced.word_count) *
               sizeof(uint64_t);
}

size_t lode__collide_bytes_contacts(const lode__collide *collide)
{
    return lode__pool_bytes(&collide->manifolds) + lode__pairs_bytes(&collide->pairs) +
           lode__many_bytes(&collide->many) +
           collide->touching_capacity * sizeof *collide->touching;
}

/* Field by field: records of doubles have padding. */
static uint64_t hash_manifold(const lode__collide *collide, uint64_t seed, const lode__manifold *m)
{
    uint64_t h = lode__hash_word(seed, (uint64_t)m->shape_a << 32 | m->shape_b);
    h = lode__hash_bytes(h, &m->normal, sizeof m->normal);
    if (m->idle || m->turned)
        h = lode__hash_word(h, m->idle | m->turned << 1);
    for (int k = 0; k < m->point_count; ++k) {
        const lode__point *p = &m->points[k];
        h = lode__hash_word(h, p->feature);
        h = lode__hash_bytes(h, &p->position, sizeof p->position);
        h = lode__hash_bytes(h, &p->depth, sizeof p->depth);
        h = lode__hash_bytes(h, p->impulse, sizeof p->impulse);
        h = lode__hash_bytes(h, p->exerted, sizeof p->exerted);
    }
    if (m->special)
        h = lode__hash_bytes(h, special_of(&collide->manifolds, m), sizeof(lode__special));
    return h;
}

/* A sum, since where a contact is kept says nothing about what it does. */
uint64_t lode__collide_hash(const lode__collide *collide, uint64_t seed)
{
    uint64_t sum = 0;
    const lode__bits *alive = &collide->shapes.alive, *disabled = &collide->disabled;
    for (uint32_t s = lode__bits_next(disabled, 0); s != UINT32_MAX;
         s = lode__bits_next(disabled, s + 1))
        seed = lode__hash_word(seed, s);
    const lode__manifold *m;
    for (uint32_t i = 0; i < collide->pairs.count; ++i) {
        const lode__pair *pair = &collide->pairs.items[i];
        uint32_t slot = pair->manifold;
        while (pair->points && (m = lode__many_next(collide, &slot)))
            if (!names_gone(collide, m->shape_a, m->shape_b))
                sum += hash_manifold(collide, 0, m);
    }
    if (collide->resting_count > 0)
        for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX;
             s = lode__bits_next(alive, s + 1)) {
            uint32_t at = *LODE__AT(shape, &collide->shapes, resting, s);
            while ((m = lode__collide_next_resting(collide, &at)))
                if (!names_gone(collide, m->shape_a, m->shape_b))
                    sum += hash_manifold(collide, 0, m);
        }
    return lode__hash_word(seed, sum);
}

/* --- checks */

/* All are the pair's, all but the first have points, and the pair has their sum. Returns their
 * number. */
static uint32_t validate_chain(const lode__collide *collide, const lode__pair *pair)
{
    uint32_t slot = pair->manifold, count = 0, points = 0;
    const lode__manifold *m;
    while ((m = lode__many_next(collide, &slot))) {
        LODE__ASSERT(slot == LODE__NONE || lode__bits_get(&collide->manifolds.alive, slot));
        LODE__ASSERT(m->shape_a == lode__pair_a(pair) && m->shape_b == lode__pair_b(pair));
        LODE__ASSERT(m->point_count > 0 || (count == 0 && slot == LODE__NONE));
        points += (uint32_t)m->point_count;
        ++count;
    }
    LODE__ASSERT(count == 1 || may_have_many(collide, pair));
    LODE__ASSERT(pair->points == (points < UINT16_MAX ? points : UINT16_MAX));
    return count;
}

static uint32_t validate_pair(const lode__collide *collide, const lode__pool *bodies, uint32_t i)
{
    const lode__pair *pair = &collide->pairs.items[i];
    uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair);
    LODE__ASSERT(a < b);
    LODE__ASSERT(i == 0 || i == collide->pairs.count - collide->pairs.young ||
                 pair[-1].key < pair->key);
    LODE__ASSERT(lode__bits_get(&collide->manifolds.alive, pair->manifold));
    const lode__manifold *m = LODE__AT(manifold, &collide->manifolds, manifold, pair->manifold);
    uint32_t manifolds = validate_chain(collide, pair);
    if (names_gone(collide, a, b))
        return manifolds;
    LODE__ASSERT(lode__bits_get(&collide->shapes.alive, a));
    LODE__ASSERT(lode__bits_get(&collide->shapes.alive, b));
    LODE__ASSERT(m->body_a == LODE__AT(shape, &collide->shapes, geometry, a)->body);
    LODE__ASSERT(m->body_b == LODE__AT(shape, &collide->shapes, geometry, b)->body);
    LODE__ASSERT(m->body_a != m->body_b);
    LODE__ASSERT(lode__bits_get(&bodies->alive, m->body_a));
    LODE__ASSERT(lode__bits_get(&bodies->alive, m->body_b));
    return manifolds;
}

/* The two runs have no pair in common. */
static void validate_order(const lode__pairs *pairs)
{
    LODE__ASSERT(pairs->young <= pairs->count);
    lode__pair_walk walk = lode__pairs_walk(pairs);
    const lode__pair *last = NULL, *pair;
    for (; (pair = lode__pairs_next(pairs, &walk)); last = pair)
        LODE__ASSERT(!last || last->key < pair->key);
}

static void validate_disabled(const lode__collide *collide, uint32_t shape)
{
    uint32_t flags = *LODE__AT(shape, &collide->shapes, flags, shape);
    LODE__ASSERT(flags & LODE__SHAPE_NOWHERE);
    LODE__ASSERT(!lode__tree_has(&collide->tree, shape));
    LODE__ASSERT(!lode__bits_get(&collide->moved, shape));
    LODE__ASSERT(!lode__bits_get(&collide->active, shape));
    LODE__ASSERT(!lode__bits_get(&collide->stirred, shape));
    LODE__ASSERT(*LODE__AT(shape, &collide->shapes, resting, shape) == LODE__NONE);
}

static void validate_shape(const lode__collide *collide, const lode__pool *bodies, uint32_t shape)
{
    const lode__geometry *geometry = LODE__AT(shape, &collide->shapes, geometry, shape);
    LODE__ASSERT(lode__bits_get(&bodies->alive, geometry->body));
    uint32_t flags = *LODE__AT(shape, &collide->shapes, flags, shape);
    bool in_tree = lode__tree_has(&collide->tree, shape);
    LODE__ASSERT(lode__bits_get(&collide->sensors, shape) ==
                 ((flags & LODE__SHAPE_NOWHERE) == LODE__SHAPE_SENSOR));
    if (lode__bits_get(&collide->disabled, shape))
        validate_disabled(collide, shape);
    else if (!shape_is_bounded(geometry))
        LODE__ASSERT(!in_tree && !(flags & LODE__SHAPE_NOWHERE));
    else
        LODE__ASSERT(in_tree || lode__bits_get(&collide->moved, shape));
}

void lode__collide_validate(const lode__collide *collide, const lode__pool *bodies)
{
    const lode__bits *alive = &collide->shapes.alive;
    uint32_t manifolds = 0;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        validate_shape(collide, bodies, s);
    for (uint32_t i = 0; i < collide->pairs.count; ++i)
        manifolds += validate_pair(collide, bodies, i);
    validate_order(&collide->pairs);
    lode__bounds_validate(collide, bodies);
    lode__collide_validate_resting(collide, bodies);
    LODE__ASSERT(collide->manifolds.count == manifolds + collide->resting_count);
    lode__tree_validate(&collide->tree);
}

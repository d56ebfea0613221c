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
    lode__pool_free(&collide->shapes);
    lode__pool_free(&collide->manifolds);
    lode__tree_free(&collide->tree);
    lode__pairs_free(&collide->pairs);
    lode__free(collide->unbounded, collide->unbounded_capacity * sizeof *collide->unbounded);
    lode__bits_free(&collide->moved);
    lode__bits_free(&collide->gone);
    collide->unbounded = NULL;
    collide->unbounded_count = collide->unbounded_capacity = 0;
    collide->touching = NULL;
    collide->touching_count = 0;
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

static bool reserve(lode__collide *collide)
{
    lode__pool *shapes = &collide->shapes;
    if (!lode__pool_reserve(shapes, 1))
        return false;
    uint32_t slots = shapes->chunk_count << LODE__CHUNK_SHIFT;
    return lode__tree_reserve(&collide->tree, shapes->count + 1, slots) &&
           lode__bits_reserve(&collide->moved, slots) &&
           lode__bits_reserve(&collide->gone, slots) &&
           lode__grow((void **)&collide->unbounded, &collide->unbounded_capacity,
                      collide->unbounded_count + 1, sizeof *collide->unbounded);
}

uint32_t lode__collide_add(lode__collide *collide, const lode__geometry *geometry)
{
    if (!reserve(collide))
        return LODE__NONE;
    uint32_t shape = lode__pool_add(&collide->shapes);
    if (shape == LODE__NONE)
        return LODE__NONE;
    if (lode__bits_get(&collide->gone, shape))
        lode__collide_settle(collide);
    *LODE__AT(shape, &collide->shapes, geometry, shape) = *geometry;
    LODE__AT(shape, &collide->shapes, links, shape)->next_shape = LODE__NONE;
    if (geometry->type == LODE_PLANE)
        add_unbounded(collide, shape);
    lode__bits_set(&collide->moved, shape);
    return shape;
}

void lode__collide_remove(lode__collide *collide, uint32_t shape)
{
    if (LODE__AT(shape, &collide->shapes, geometry, shape)->type == LODE_PLANE)
        remove_unbounded(collide, shape);
    lode__tree_remove(&collide->tree, shape);
    lode__pool_remove(&collide->shapes, shape);
    lode__bits_clear(&collide->moved, shape);
    lode__bits_set(&collide->gone, shape);
    collide->any_gone = true;
}

void lode__collide_refresh(lode__collide *collide, uint32_t shape)
{
    lode__bits_set(&collide->moved, shape);
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
    uint32_t kept = 0;
    for (uint32_t i = 0; i < pairs->count; ++i) {
        lode__pair pair = pairs->items[i];
        if (names_gone(collide, lode__pair_a(&pair), lode__pair_b(&pair)))
            lode__pool_remove(&collide->manifolds, pair.manifold);
        else
            pairs->items[kept++] = pair;
    }
    pairs->count = kept;
}

void lode__collide_settle(lode__collide *collide)
{
    if (!collide->any_gone)
        return;
    settle_touching(collide);
    settle_pairs(collide);
    memset(collide->gone.words, 0, collide->gone.word_count * sizeof(uint64_t));
    collide->any_gone = false;
}

/* --- reports */

size_t lode__collide_bytes_shapes(const lode__collide *collide)
{
    return lode__pool_bytes(&collide->shapes) + lode__tree_bytes(&collide->tree) +
           collide->unbounded_capacity * sizeof *collide->unbounded +
           ((size_t)collide->moved.word_count + collide->gone.word_count) * sizeof(uint64_t);
}

size_t lode__collide_bytes_contacts(const lode__collide *collide)
{
    return lode__pool_bytes(&collide->manifolds) + lode__pairs_bytes(&collide->pairs);
}

/* Field by field: records of doubles have padding. */
static uint64_t hash_manifold(uint64_t seed, const lode__manifold *m)
{
    uint64_t h = lode__hash_word(seed, (uint64_t)m->shape_a << 32 | m->shape_b);
    h = lode__hash_bytes(h, &m->normal, sizeof m->normal);
    for (int k = 0; k < m->point_count; ++k) {
        const lode__point *p = &m->points[k];
        h = lode__hash_word(h, p->feature);
        h = lode__hash_bytes(h, &p->position, sizeof p->position);
        h = lode__hash_bytes(h, &p->depth, sizeof p->depth);
        h = lode__hash_bytes(h, p->impulse, sizeof p->impulse);
    }
    return h;
}

uint64_t lode__collide_hash(const lode__collide *collide, uint64_t seed)
{
    for (uint32_t i = 0; i < collide->touching_count; ++i) {
        const lode__manifold *m = collide->touching[i];
        if (!names_gone(collide, m->shape_a, m->shape_b))
            seed = hash_manifold(seed, m);
    }
    return seed;
}

/* --- checks */

static void validate_pair(const lode__collide *collide, const lode__pool *bodies, uint32_t i)
{
    const lode__pair *pair = &collide->pairs.items[i];
    uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair);
    LODE__ASSERT(a < b);
    LODE__ASSERT(i == 0 || pair[-1].key < pair->key);
    LODE__ASSERT(lode__bits_get(&collide->manifolds.alive, pair->manifold));
    const lode__manifold *m = LODE__AT(manifold, &collide->manifolds, manifold, pair->manifold);
    LODE__ASSERT(m->shape_a == a && m->shape_b == b);
    LODE__ASSERT(pair->points == (uint16_t)m->point_count);
    if (names_gone(collide, a, b))
        return;
    LODE__ASSERT(lode__bits_get(&collide->shapes.alive, a));
    LODE__ASSERT(lode__bits_get(&collide->shapes.alive, b));
    LODE__ASSERT(m->body_a == LODE__AT(shape, &collide->shapes, geometry, a)->body);
    LODE__ASSERT(m->body_b == LODE__AT(shape, &collide->shapes, geometry, b)->body);
    LODE__ASSERT(m->body_a != m->body_b);
    LODE__ASSERT(lode__bits_get(&bodies->alive, m->body_a));
    LODE__ASSERT(lode__bits_get(&bodies->alive, m->body_b));
}

static void validate_shape(const lode__collide *collide, const lode__pool *bodies, uint32_t shape)
{
    const lode__geometry *geometry = LODE__AT(shape, &collide->shapes, geometry, shape);
    LODE__ASSERT(lode__bits_get(&bodies->alive, geometry->body));
    bool in_tree = lode__tree_has(&collide->tree, shape);
    if (geometry->type == LODE_PLANE)
        LODE__ASSERT(!in_tree);
    else
        LODE__ASSERT(in_tree || lode__bits_get(&collide->moved, shape));
}

void lode__collide_validate(const lode__collide *collide, const lode__pool *bodies)
{
    const lode__bits *alive = &collide->shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        validate_shape(collide, bodies, s);
    for (uint32_t i = 0; i < collide->pairs.count; ++i)
        validate_pair(collide, bodies, i);
    LODE__ASSERT(collide->manifolds.count == collide->pairs.count);
    lode__tree_validate(&collide->tree);
}

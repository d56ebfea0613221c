/* pairs.c: the broad phase; see pairs.h. */
#include "collide/pairs.h"

#include "collide/collide.h"
#include "collide/find_pairs.h"
#include "core/memory.h"
#include "core/sort.h"

#include <string.h>

enum { MERGE_GRAIN = 512 };

/* Few shapes have moved if they are less than one in FEW_SHARE of those in the tree. Pairs are
 * merged at the latest when the moved ones of the steps since are one in MOVED_SHARE, or the young
 * pairs one in YOUNG_SHARE. */
enum { FEW_SHARE = 16, MOVED_SHARE = 4, YOUNG_SHARE = 32, YOUNG_LEAST = 256 };

void lode__pairs_free(lode__pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->list_count; ++i)
        lode__free(pairs->lists[i].keys, pairs->lists[i].capacity * sizeof(uint64_t));
    lode__free(pairs->lists, pairs->list_count * sizeof *pairs->lists);
    lode__free(pairs->items, pairs->capacity * sizeof *pairs->items);
    *pairs = (lode__pairs){0};
}

size_t lode__pairs_bytes(const lode__pairs *pairs)
{
    size_t bytes = pairs->list_count * sizeof *pairs->lists +
                   pairs->capacity * sizeof *pairs->items;
    for (uint32_t i = 0; i < pairs->list_count; ++i)
        bytes += pairs->lists[i].capacity * sizeof(uint64_t);
    return bytes;
}

void lode__pairs_fold(lode__pairs *pairs, lode__pair *scratch)
{
    uint32_t young = pairs->young, at = pairs->count, old = at - young;
    if (young == 0)
        return;
    memcpy(scratch, pairs->items + old, young * sizeof *scratch);
    while (young > 0) {
        bool is_old = old > 0 && pairs->items[old - 1].key > scratch[young - 1].key;
        pairs->items[--at] = is_old ? pairs->items[old - 1] : scratch[young - 1];
        old -= is_old;
        young -= !is_old;
    }
    pairs->young = 0;
}

/* --- merging */

uint64_t *lode__pair_lists_sort(const lode__pair_list *lists, uint32_t count, lode__arena *arena,
                                uint32_t *out_total)
{
    uint32_t total = 0, at = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (lists[i].failed)
            return NULL;
        total += lists[i].count;
    }
    uint64_t *keys = LODE__TAKE(arena, uint64_t, total);
    uint64_t *scratch = LODE__TAKE(arena, uint64_t, total);
    if (!keys || !scratch)
        return NULL;
    for (uint32_t i = 0; i < count; ++i) {
        if (lists[i].count > 0)
            memcpy(keys + at, lists[i].keys, lists[i].count * sizeof *keys);
        at += lists[i].count;
    }
    lode__sort(keys, NULL, scratch, NULL, total);
    *out_total = total;
    return keys;
}

/* The old pairs are merged in blocks, each with the keys below the next block's first pair. Where
 * a block's pairs are to lie is known when all are done, so each has a place of its own before. */
typedef struct merge_block {
    uint32_t key_begin, key_end;
    uint32_t kept, fresh, dropped; /* counts; kept ones include the fresh */
    uint32_t begin;                /* in the new array */
    uint32_t fresh_begin;          /* in the list of new slots */
} merge_block;

typedef struct merge {
    lode__collide *collide;
    const lode__pair_query *query;
    const uint64_t *keys;
    uint32_t key_count;
    merge_block *blocks;
    uint32_t block_count, count, fresh;
    /* by block, at the places of what it merges */
    lode__pair *items;    /* new ones have no manifold yet */
    uint32_t *fresh_item; /* which of the block's items are new */
    lode__pair *dropped;
    uint32_t *slots; /* of the manifolds of all new ones, in order */
} merge;

static bool either(const lode__bits *shapes, const lode__pair *pair)
{
    return lode__bits_get(shapes, lode__pair_a(pair)) || lode__bits_get(shapes, lode__pair_b(pair));
}

/* Does a pair stay that is not among the answers? */
static bool stays(const merge *merge, const lode__pair *pair)
{
    return !either(&merge->collide->moved, pair) &&
           (!either(&merge->collide->lagging, pair) || lode__bounds_meet(merge->query, pair));
}

/* The first key that is not below `least`. */
static uint32_t find_key(const merge *merge, uint64_t least)
{
    uint32_t begin = 0, end = merge->key_count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (merge->keys[middle] < least)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void merge_one(const merge *merge, uint32_t index)
{
    const lode__pairs *pairs = &merge->collide->pairs;
    const uint64_t *keys = merge->keys;
    uint32_t begin = index * MERGE_GRAIN, end = begin + MERGE_GRAIN;
    bool last = index + 1 == merge->block_count;
    end = last ? pairs->count : end;
    merge_block block = {.key_begin = index == 0 ? 0 : find_key(merge, pairs->items[begin].key),
                         .key_end = last ? merge->key_count
                                         : find_key(merge, pairs->items[end].key)};
    lode__pair *items = merge->items + begin + block.key_begin;
    lode__pair *dropped = merge->dropped + begin;
    uint32_t *fresh_item = merge->fresh_item + block.key_begin;
    uint32_t k = block.key_begin;
    for (uint32_t i = begin; i <= end; ++i) {
        const lode__pair *old = i < end ? &pairs->items[i] : NULL;
        for (; k < block.key_end && (!old || keys[k] < old->key); ++k) {
            fresh_item[block.fresh++] = block.kept;
            items[block.kept++] = (lode__pair){.key = keys[k], .manifold = LODE__NONE};
        }
        if (!old)
            break;
        bool again = k < block.key_end && keys[k] == old->key;
        k += again;
        if (again || stays(merge, old))
            items[block.kept++] = *old;
        else
            dropped[block.dropped++] = *old;
    }
    merge->blocks[index] = block;
}

static void merge_blocks(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; ++i)
        merge_one(context, i);
}

static void add_up(merge *merge)
{
    for (uint32_t i = 0; i < merge->block_count; ++i) {
        merge->blocks[i].begin = merge->count;
        merge->blocks[i].fresh_begin = merge->fresh;
        merge->count += merge->blocks[i].kept;
        merge->fresh += merge->blocks[i].fresh;
    }
}

/* Of a pair that has a key; the manifold's slot has been taken. */
static void start_pair(const lode__collide *collide, lode__pair *pair, uint32_t manifold)
{
    uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair);
    const lode__geometry *geometry_a = LODE__AT(shape, &collide->shapes, geometry, a);
    const lode__geometry *geometry_b = LODE__AT(shape, &collide->shapes, geometry, b);
    lode__pool_clear(&collide->manifolds, manifold);
    pair->manifold = manifold;
    pair->cell = lode__pair_cell(collide, pair->key);
    lode__manifold *m = LODE__AT(manifold, &collide->manifolds, manifold, pair->manifold);
    m->shape_a = a;
    m->shape_b = b;
    m->body_a = geometry_a->body;
    m->body_b = geometry_b->body;
    *LODE__AT(manifold, &collide->manifolds, next, pair->manifold) = LODE__NONE;
}

static void place_blocks(void *context, uint32_t begin, uint32_t end)
{
    const merge *merge = context;
    for (uint32_t i = begin; i < end; ++i) {
        const merge_block *block = &merge->blocks[i];
        if (block->kept == 0) /* of all, there may be no array */
            continue;
        lode__pair *items = merge->collide->pairs.items + block->begin;
        memcpy(items, merge->items + i * MERGE_GRAIN + block->key_begin,
               block->kept * sizeof(lode__pair));
        for (uint32_t k = 0; k < block->fresh; ++k)
            start_pair(merge->collide, &items[merge->fresh_item[block->key_begin + k]],
                       merge->slots[block->fresh_begin + k]);
    }
}

/* What pairs bore that go is noted here, where it would be when the narrow phase saw them part: fat
 * bounds decide which comes first. False: out of memory. */
static bool note_estates(const merge *merge, const lode__pool *bodies)
{
    lode__collide *collide = merge->collide;
    const lode__manifold *m;
    for (uint32_t i = 0; i < merge->block_count; ++i)
        for (uint32_t k = 0; k < merge->blocks[i].dropped; ++k) {
            const lode__pair *pair = &merge->dropped[i * MERGE_GRAIN + k];
            uint32_t slot = pair->points > 0 ? pair->manifold : LODE__NONE; /* as few have */
            while ((m = lode__many_next(collide, &slot))) {
                if (m->point_count > 0 &&
                    !lode__estates_reserve(&collide->many.left_out, LODE__MANIFOLD_POINTS))
                    return false;
                for (int p = 0; p < m->point_count; ++p)
                    lode__estates_add(&collide->many.left_out, bodies, m, p);
            }
        }
    return true;
}

static void remove_pair(lode__collide *collide, const lode__pair *pair)
{
    if (may_have_many(collide, pair))
        lode__many_remove(collide, pair->manifold);
    else
        lode__pool_remove(&collide->manifolds, pair->manifold);
}

/* Nothing in here can fail. */
static void commit(merge *merge, lode__tasks *tasks)
{
    lode__collide *collide = merge->collide;
    for (uint32_t i = 0; i < merge->block_count; ++i)
        for (uint32_t k = 0; k < merge->blocks[i].dropped; ++k)
            remove_pair(collide, &merge->dropped[i * MERGE_GRAIN + k]);
    lode__pool_add_many(&collide->manifolds, merge->fresh, merge->slots);
    lode__tasks_run(tasks, merge->block_count, 1, place_blocks, merge);
    collide->pairs.count = merge->count;
    collide->pairs.unmerged = collide->pairs.added = 0;
    lode__bits_assign(&collide->lagging, NULL, 0);
}

static bool merge_pairs(lode__collide *collide, const lode__pair_query *query, const uint64_t *keys,
                        uint32_t key_count, const lode__step *step)
{
    lode__pairs *pairs = &collide->pairs;
    lode__arena *arena = step->arena;
    merge merge = {.collide = collide, .query = query, .keys = keys, .key_count = key_count};
    merge.block_count = pairs->count > 0 ? (pairs->count - 1) / MERGE_GRAIN + 1 : 1;
    merge.blocks = LODE__TAKE(arena, merge_block, merge.block_count);
    merge.items = LODE__TAKE(arena, lode__pair, (size_t)pairs->count + merge.key_count);
    merge.fresh_item = LODE__TAKE(arena, uint32_t, merge.key_count);
    merge.slots = LODE__TAKE(arena, uint32_t, merge.key_count);
    merge.dropped = LODE__TAKE(arena, lode__pair, pairs->count);
    lode__pair *folded = LODE__TAKE(arena, lode__pair, pairs->young);
    if (!folded || !merge.blocks || !merge.items || !merge.fresh_item || !merge.slots ||
        !merge.dropped)
        return false;
    lode__pairs_fold(pairs, folded);
    lode__tasks_run(step->tasks, merge.block_count, 1, merge_blocks, &merge);
    add_up(&merge);
    if (!lode__grow((void **)&pairs->items, &pairs->capacity, merge.count, sizeof(lode__pair)) ||
        !lode__pool_reserve(&collide->manifolds, merge.fresh))
        return false;
    uint32_t noted = collide->many.left_out.count;
    if (lode__inherit_is_on(collide) && !note_estates(&merge, query->bodies)) {
        collide->many.left_out.count = noted; /* they will be noted again */
        return false;
    }
    commit(&merge, step->tasks);
    return true;
}

/* --- what is known */

/* The first of begin..end-1 that is not below `key`, searched from the front in growing strides:
 * keys come in order, so the next is likely to be near. */
static uint32_t find_ahead(const lode__pairs *pairs, uint32_t begin, uint32_t end, uint64_t key)
{
    uint32_t stride = 16;
    while (stride < end - begin && pairs->items[begin + stride].key < key) {
        begin += stride;
        stride *= 2;
    }
    return lode__pairs_find(pairs, begin, stride < end - begin ? begin + stride : end, key);
}

/* True when the key is a pair's. `walk` begins as a walk over all; keys come in order. */
static bool is_known(const lode__pairs *pairs, lode__pair_walk *walk, uint64_t key)
{
    walk->old = find_ahead(pairs, walk->old, walk->old_end, key);
    walk->young = find_ahead(pairs, walk->young, walk->young_end, key);
    return (walk->old < walk->old_end && pairs->items[walk->old].key == key) ||
           (walk->young < walk->young_end && pairs->items[walk->young].key == key);
}

static bool is_accepted(const lode__collide *collide, uint64_t key, bool known)
{
    uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
    bool asked = !known || lode__bits_get(&collide->refreshed, a) ||
                 lode__bits_get(&collide->refreshed, b);
    return !asked || collide->accepts(collide->accepts_context, a, b);
}

/* Keeps of the sorted keys those that the application accepts, which is asked about new and
 * refreshed ones; returns how many. */
static uint32_t drop_rejected(const lode__collide *collide, uint64_t *keys, uint32_t count)
{
    lode__pair_walk walk = lode__pairs_walk(&collide->pairs);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (is_accepted(collide, keys[i], is_known(&collide->pairs, &walk, keys[i])))
            keys[kept++] = keys[i];
    return kept;
}

/* --- few have moved */

/* Keeps of the sorted keys those that are no pair yet; returns how many. */
static uint32_t drop_known(const lode__pairs *pairs, uint64_t *keys, uint32_t count)
{
    lode__pair_walk walk = lode__pairs_walk(pairs);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (!is_known(pairs, &walk, keys[i]))
            keys[kept++] = keys[i];
    return kept;
}

static bool add_young(lode__collide *collide, uint64_t *keys, uint32_t key_count)
{
    lode__pairs *pairs = &collide->pairs;
    uint32_t count = drop_known(pairs, keys, key_count), old_end = pairs->count - pairs->young;
    if (!lode__grow((void **)&pairs->items, &pairs->capacity, pairs->count + count,
                    sizeof(lode__pair)) ||
        !lode__pool_reserve(&collide->manifolds, count))
        return false;
    uint32_t from = pairs->count, at = pairs->count += count;
    pairs->young += count;
    pairs->added += count;
    while (count > 0) {
        bool is_new = from == old_end || pairs->items[from - 1].key < keys[count - 1];
        lode__pair pair = {.key = keys[count - 1]};
        if (is_new)
            start_pair(collide, &pair, lode__pool_add(&collide->manifolds));
        pairs->items[--at] = is_new ? pair : pairs->items[from - 1];
        count -= is_new;
        from -= !is_new;
    }
    return true;
}

static bool is_few(const lode__collide *collide, uint32_t moved, uint32_t keys)
{
    const lode__pairs *pairs = &collide->pairs;
    return !collide->any_refreshed && moved < collide->tree.count / FEW_SHARE &&
           pairs->unmerged + moved < collide->tree.count / MOVED_SHARE &&
           keys < pairs->count / FEW_SHARE + YOUNG_LEAST &&
           pairs->added < pairs->count / YOUNG_SHARE + YOUNG_LEAST;
}

/* --- the stage */

static void forget_moves(lode__collide *collide)
{
    lode__bits_assign(&collide->moved, NULL, 0);
    if (collide->any_stirred) {
        lode__bits_assign(&collide->stirred, NULL, 0);
        collide->any_resting = true; /* pairs of two at rest have come */
    }
    collide->any_stirred = false;
    lode__bits_assign(&collide->refreshed, NULL, 0);
    collide->any_refreshed = false;
}

static void note_moves(lode__collide *collide, uint32_t moved)
{
    const lode__bits *bits = &collide->moved;
    for (uint32_t s = lode__bits_next(bits, 0); s != UINT32_MAX; s = lode__bits_next(bits, s + 1))
        lode__bits_set(&collide->lagging, s);
    collide->pairs.unmerged += moved;
}

/* Takes what `moved` shapes found, in `lists` lists. */
static bool take_answers(lode__collide *collide, const lode__pair_query *query, uint32_t lists,
                         uint32_t moved, const lode__step *step)
{
    uint32_t key_count;
    uint64_t *keys = lode__pair_lists_sort(collide->pairs.lists, lists, step->arena, &key_count);
    if (!keys)
        return false;
    if (collide->accepts)
        key_count = drop_rejected(collide, keys, key_count);
    bool few = is_few(collide, moved, key_count);
    if (!(few ? add_young(collide, keys, key_count)
              : merge_pairs(collide, query, keys, key_count, step)))
        return false;
    if (few)
        note_moves(collide, moved);
    forget_moves(collide);
    return true;
}

bool lode__broad_phase_run(lode__collide *collide, const lode__pool *bodies, const lode__step *step)
{
    lode__collide_settle(collide);
    uint32_t moved = lode__bits_count(&collide->moved), lists;
    lode__pair_query query = lode__pair_query_of(collide, bodies, step->settings);
    if (moved > 0 && (!lode__pairs_ask(&query, &collide->pairs, moved, step, &lists) ||
                      !take_answers(collide, &query, lists, moved, step)))
        return false;
    step->stats->pairs = (int)collide->pairs.count;
    return true;
}

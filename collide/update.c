/* update.c: the contact update: mixed materials, and the list of manifolds that have points, in
 * pair order. A block is a range of the old pairs and the young ones that lie among them. Blocks
 * are counted first, so that each knows where its part of the list begins. */
#include "collide/coincide.h"
#include "collide/mix.h"
#include "core/math.h"
#include "core/memory.h"

enum { UPDATE_GRAIN = 1024 };

typedef struct update_block_counts {
    uint32_t manifolds, points; /* that touch */
    uint32_t begin;             /* of the block's part of the list */
    lode__pair_walk walk;
} update_block_counts;

typedef struct update_run {
    lode__collide *collide;
    lode__mixing mixing;
    update_block_counts *blocks;
    uint32_t block_count;
} update_run;

/* Of the pair's points, those of the same materials. */
static uint32_t count_points(const lode__collide *collide, const lode__pair *pair,
                             const uint32_t materials[2])
{
    uint32_t slot = pair->manifold, count = 0, of[2];
    const lode__manifold *m;
    if (!may_have_many(collide, pair))
        return pair->points;
    while ((m = lode__many_next(collide, &slot))) {
        lode__manifold_materials(collide, m, of);
        count += of[0] == materials[0] && of[1] == materials[1] ? (uint32_t)m->point_count : 0;
    }
    return count;
}

static uint32_t list_manifold(const lode__mixing *mixing, const lode__pair *pair, uint32_t slot,
                              uint32_t at)
{
    const lode__collide *collide = mixing->collide;
    lode__manifold *m = LODE__AT(manifold, &collide->manifolds, manifold, slot);
    uint32_t materials[2];
    lode__mix_plain(mixing, m);
    if (lode__manifold_materials(collide, m, materials))
        lode__mix_material(collide, m, slot, materials, count_points(collide, pair, materials));
    else if (collide->special_count > 0 && manifold_says_more(&collide->shapes, m))
        lode__mix(mixing, m, slot);
    else
        m->special = 0;
    collide->touching[at] = m;
    return at + 1;
}

/* The first manifold, and those behind it. */
static uint32_t list_pair(const lode__mixing *mixing, const lode__pair *pair, uint32_t at)
{
    uint32_t slot = pair->manifold;
    at = list_manifold(mixing, pair, slot, at);
    while (may_have_many(mixing->collide, pair) &&
           (slot = *LODE__AT(manifold, &mixing->collide->manifolds, next, slot)) != LODE__NONE)
        at = list_manifold(mixing, pair, slot, at);
    return at;
}

static void update_block(const lode__mixing *mixing, const update_block_counts *block)
{
    const lode__collide *collide = mixing->collide;
    uint32_t at = block->begin;
    lode__pair_walk walk = block->walk;
    const lode__pair *pair;
    while ((pair = lode__pairs_next(&collide->pairs, &walk)))
        if (pair->points > 0)
            at = list_pair(mixing, pair, at);
}

static void update_blocks(void *context, uint32_t begin, uint32_t end)
{
    const update_run *run = context;
    for (uint32_t i = begin; i < end; ++i)
        update_block(&run->mixing, &run->blocks[i]);
}

/* The young before the first pair of block `index`, as an end of their range. */
static uint32_t young_before(const lode__pairs *pairs, uint32_t index, uint32_t blocks)
{
    uint32_t old = pairs->count - pairs->young;
    if (index == 0)
        return old;
    return index == blocks
               ? pairs->count
               : lode__pairs_find(pairs, old, pairs->count, pairs->items[index * UPDATE_GRAIN].key);
}

/* That touch. */
static uint32_t count_manifolds(const lode__collide *collide, const lode__pair *pair)
{
    uint32_t slot = pair->manifold, count = 0;
    if (pair->points == 0 || !may_have_many(collide, pair))
        return pair->points > 0;
    while (lode__many_next(collide, &slot))
        ++count;
    return count;
}

static void count_blocks(void *context, uint32_t begin, uint32_t end)
{
    const update_run *run = context;
    const lode__pairs *pairs = &run->collide->pairs;
    uint32_t old = pairs->count - pairs->young;
    for (uint32_t i = begin; i < end; ++i) {
        update_block_counts *counts = &run->blocks[i];
        lode__pair_walk walk = {i * UPDATE_GRAIN, (i + 1) * UPDATE_GRAIN,
                                young_before(pairs, i, run->block_count),
                                young_before(pairs, i + 1, run->block_count)};
        walk.old_end = walk.old_end < old ? walk.old_end : old;
        *counts = (update_block_counts){.walk = walk};
        const lode__pair *pair;
        while ((pair = lode__pairs_next(pairs, &walk))) {
            counts->manifolds += count_manifolds(run->collide, pair);
            counts->points += pair->points;
        }
    }
}

/* Tells each block where it begins; returns the sums. */
static update_block_counts add_up(update_block_counts *blocks, uint32_t count)
{
    update_block_counts sum = {0};
    for (uint32_t i = 0; i < count; ++i) {
        blocks[i].begin = sum.manifolds;
        sum.manifolds += blocks[i].manifolds;
        sum.points += blocks[i].points;
    }
    return sum;
}

static void show_manifolds(const lode__collide *collide, const lode__pair *pair)
{
    uint32_t slot = pair->manifold, next = slot;
    lode__manifold *m;
    for (; (m = lode__many_next(collide, &next)); slot = next) {
        uint32_t flags = *LODE__AT(shape, &collide->shapes, flags, m->shape_a) |
                         *LODE__AT(shape, &collide->shapes, flags, m->shape_b);
        if (!(flags & LODE__SHAPE_EDITED))
            return;
        collide->edit(collide->edit_context, m, slot);
    }
}

/* In the order of pairs, on this thread. */
static void show_all(const lode__collide *collide)
{
    lode__pair_walk walk = lode__pairs_walk(&collide->pairs);
    for (const lode__pair *pair; (pair = lode__pairs_next(&collide->pairs, &walk));)
        if (pair->points > 0)
            show_manifolds(collide, pair);
}

bool lode__contact_update_run(lode__collide *collide, const lode__pool *bodies,
                              const lode__step *step)
{
    (void)bodies;
    collide->touching_count = 0;
    step->stats->contacts = step->stats->contact_points = 0;
    if (!lode__coincide_run(collide, step))
        return false;
    const lode__pairs *pairs = &collide->pairs;
    if (pairs->count == 0)
        return true;
    uint32_t old = pairs->count - pairs->young, blocks = (old + UPDATE_GRAIN - 1) / UPDATE_GRAIN;
    blocks += blocks == 0;
    update_run run = {
        .collide = collide,
        .mixing = {collide, step->settings->friction_mix, step->settings->restitution_mix},
        .blocks = LODE__TAKE(step->arena, update_block_counts, blocks),
        .block_count = blocks};
    if (!run.blocks)
        return false;
    lode__tasks_run(step->tasks, blocks, 1, count_blocks, &run);
    update_block_counts sum = add_up(run.blocks, blocks);
    if (!lode__grow((void **)&collide->touching, &collide->touching_capacity, sum.manifolds,
                    sizeof *collide->touching))
        return false;
    lode__tasks_run(step->tasks, blocks, 1, update_blocks, &run);
    if (collide->edit)
        show_all(collide);
    collide->touching_count = sum.manifolds;
    step->stats->contacts = (int)sum.manifolds;
    step->stats->contact_points = (int)sum.points;
    return true;
}

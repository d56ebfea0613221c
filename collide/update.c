/* update.c: the contact update: mixed materials, and the list of manifolds that have points, in
 * pair order. Blocks are counted first, so that each knows where its part of the list begins. */
#include "collide/collide.h"
#include "core/math.h"
#include "core/memory.h"

enum { UPDATE_GRAIN = 1024 };

typedef struct update_block_counts {
    uint32_t manifolds, points; /* that touch */
    uint32_t begin;             /* of the block's part of the list */
} update_block_counts;

typedef struct update_run {
    lode__collide *collide;
    update_block_counts *blocks;
} update_run;

static void mix_materials(const lode__pool *shapes, lode__manifold *m)
{
    const lode__surface *a = LODE__AT(shape, shapes, surface, m->shape_a);
    const lode__surface *b = LODE__AT(shape, shapes, surface, m->shape_b);
    lode_real friction = r_min(r_sqrt(a->friction * b->friction), REAL_MAX); /* times 0 must be 0 */
    m->friction[0] = m->friction[1] = friction;
    m->tangent = v3_zero();
    m->restitution = r_max(a->restitution, b->restitution);
}

static void update_block(void *context, uint32_t begin, uint32_t end)
{
    const update_run *run = context;
    uint32_t at = run->blocks[begin / UPDATE_GRAIN].begin;
    for (uint32_t i = begin; i < end; ++i) {
        const lode__pair *pair = &run->collide->pairs.items[i];
        if (pair->points == 0)
            continue;
        lode__manifold *m = LODE__AT(manifold, &run->collide->manifolds, manifold, pair->manifold);
        mix_materials(&run->collide->shapes, m);
        run->collide->touching[at++] = m;
    }
}

static void count_block(void *context, uint32_t begin, uint32_t end)
{
    const update_run *run = context;
    update_block_counts *counts = &run->blocks[begin / UPDATE_GRAIN];
    *counts = (update_block_counts){0};
    for (uint32_t i = begin; i < end; ++i) {
        uint32_t points = run->collide->pairs.items[i].points;
        counts->manifolds += points > 0;
        counts->points += points;
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

bool lode__contact_update_run(lode__collide *collide, const lode__pool *bodies,
                              const lode__step *step)
{
    (void)bodies;
    const lode__pairs *pairs = &collide->pairs;
    uint32_t blocks = (pairs->count + UPDATE_GRAIN - 1) / UPDATE_GRAIN;
    update_run run = {collide, LODE__TAKE(step->arena, update_block_counts, blocks)};
    if (!run.blocks)
        return false;
    lode__tasks_run(step->tasks, pairs->count, UPDATE_GRAIN, count_block, &run);
    update_block_counts sum = add_up(run.blocks, blocks);
    if (!lode__grow((void **)&collide->touching, &collide->touching_capacity, sum.manifolds,
                    sizeof *collide->touching))
        return false;
    lode__tasks_run(step->tasks, pairs->count, UPDATE_GRAIN, update_block, &run);
    collide->touching_count = sum.manifolds;
    step->stats->contacts = (int)sum.manifolds;
    step->stats->contact_points = (int)sum.points;
    return true;
}

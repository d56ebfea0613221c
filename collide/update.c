/* update.c: the contact update: mixed materials, and the list of manifolds that have points, in
 * pair order. Blocks are counted first, so that each knows where its part of the list begins. */
#include "collide/collide.h"
#include "core/math.h"

enum { UPDATE_GRAIN = 1024 };

typedef struct update_run {
    lode__collide *collide;
    uint32_t *begins; /* of each block's part of the list */
    lode__manifold **list;
} update_run;

static void mix_materials(const lode__pool *shapes, lode__manifold *m)
{
    const lode__surface *a = LODE__AT(shape, shapes, surface, m->shape_a);
    const lode__surface *b = LODE__AT(shape, shapes, surface, m->shape_b);
    m->friction = r_min(r_sqrt(a->friction * b->friction), REAL_MAX); /* times 0 must be 0 */
    m->restitution = r_max(a->restitution, b->restitution);
}

static void update_block(void *context, uint32_t begin, uint32_t end)
{
    const update_run *run = context;
    uint32_t at = run->begins[begin / UPDATE_GRAIN];
    for (uint32_t i = begin; i < end; ++i) {
        const lode__pair *pair = &run->collide->pairs.items[i];
        if (pair->points == 0)
            continue;
        lode__manifold *m = LODE__AT(manifold, &run->collide->manifolds, manifold, pair->manifold);
        mix_materials(&run->collide->shapes, m);
        run->list[at++] = m;
    }
}

/* Where each block begins; returns the number of manifolds and adds up their points. */
static uint32_t count_blocks(const lode__pairs *pairs, uint32_t *begins, uint32_t *out_points)
{
    uint32_t count = 0, points = 0;
    for (uint32_t i = 0; i < pairs->count; ++i) {
        if (i % UPDATE_GRAIN == 0)
            begins[i / UPDATE_GRAIN] = count;
        count += pairs->items[i].points > 0;
        points += pairs->items[i].points;
    }
    *out_points = points;
    return count;
}

bool lode__contact_update_run(lode__collide *collide, const lode__pool *bodies,
                              const lode__step *step)
{
    (void)bodies;
    const lode__pairs *pairs = &collide->pairs;
    update_run run = {.collide = collide};
    run.begins = LODE__TAKE(step->arena, uint32_t, pairs->count / UPDATE_GRAIN + 1);
    if (!run.begins)
        return false;
    uint32_t points, count = count_blocks(pairs, run.begins, &points);
    run.list = LODE__TAKE(step->arena, lode__manifold *, count);
    if (!run.list)
        return false;
    lode__tasks_run(step->tasks, pairs->count, UPDATE_GRAIN, update_block, &run);
    collide->touching = run.list;
    collide->touching_count = count;
    step->stats->contacts = (int)count;
    step->stats->contact_points = (int)points;
    return true;
}

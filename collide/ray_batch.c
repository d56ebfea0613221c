/* ray_batch.c: eight rays at a time.
 *
 * Rays that begin near each other and run alike meet nearly the same boxes: one kernel asks the
 * boxes of the wide tree's nodes about all of them, and a node is left when none of them enters it
 * any more. Whatever the order, each ray's hit is the one that it finds alone, to the bit: see
 * ray.h.
 *
 * Rays that do not run alike would look at all that any of them meets: each goes its own way, step
 * by step with the others (wide_walk.h). Where the wide tree does not stand they are cast one by
 * one. */
#include "collide/ray.h"

/* Rays run alike that begin within this share of the world, and turn by less than this cosine. */
#define NEAR_SHARE ((lode_real)(1.0 / 32))
#define ALIKE ((lode_real)0.97)

typedef struct batch_walk {
    const lode__scope *scope;
    const lode__ray *rays;
    int count;
    lode__hit *best;
    lode__ray_batch batch;
} batch_walk;

static bool same_signs(const lode__slabs *a, const lode__slabs *b)
{
    return a->near[0] == b->near[0] && a->near[1] == b->near[1] && a->near[2] == b->near[2];
}

static bool run_alike(const lode__tree *tree, const lode__ray *rays, int count)
{
    if (tree->count == 0)
        return false;
    const lode__node *root = &tree->nodes[0];
    lode_real span = 0;
    for (int i = 0; i < 3; ++i)
        span = r_max(span, root->hi[i] - root->lo[i]);
    for (int i = 1; i < count; ++i) {
        lode_vec3 apart = v3_abs(v3_sub(rays[i].origin, rays[0].origin));
        if (!same_signs(&rays[i].slabs, &rays[0].slabs) ||
            !(v3_dot(rays[i].direction, rays[0].direction) > ALIKE) ||
            !(r_max(apart.x, r_max(apart.y, apart.z)) < span * NEAR_SHARE))
            return false;
    }
    return true;
}

/* Lanes without a ray repeat the first one, with a length below 0. */
static void fill_batch(batch_walk *walk)
{
    lode__ray_batch *batch = &walk->batch;
    for (int i = 0; i < 3; ++i) {
        batch->near[i] = walk->rays[0].slabs.near[i];
        batch->far[i] = walk->rays[0].slabs.far[i];
    }
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        const lode__ray *ray = &walk->rays[lane < walk->count ? lane : 0];
        for (int i = 0; i < 3; ++i) {
            batch->origin[i].x[lane] = ray->slabs.origin[i];
            batch->inverse[i].x[lane] = ray->slabs.inverse[i];
        }
        batch->slabs[lane] = &ray->slabs;
        batch->most.x[lane] = lane < walk->count ? ray->length : -1;
    }
}

static void look(void *context, const lode__placed *placed, unsigned lanes,
                 const lode__lanes *enter)
{
    batch_walk *walk = context;
    lode__rays_first(walk->scope, walk->rays, lanes, placed, enter->x, walk->best);
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        walk->batch.most.x[lane] = r_min(walk->best[lane].distance, walk->batch.most.x[lane]);
    }
}

static void cast_together(batch_walk *walk, const lode__wide_tree *wide)
{
    const lode__collide *collide = walk->scope->collide;
    const lode__lanes zero = {{0}};
    fill_batch(walk);
    for (int i = 0; i < walk->count; ++i)
        lode__hit_none(&walk->best[i]);
    for (uint32_t i = 0; i < collide->unbounded_count; ++i) {
        lode__placed placed = lode__placed_of(collide, walk->scope->bodies, collide->unbounded[i]);
        look(walk, &placed, (1u << walk->count) - 1, &zero);
    }
    collide->kernels->walk_batch(wide, &walk->batch, look, walk);
}

void lode__ray_closest_batch(const lode__scope *scope, const lode__ray *rays, int count,
                             lode__hit *out)
{
    const lode__wide_tree *wide = scope_wide(scope);
    if (wide && count > 1) {
        batch_walk walk; /* its batch is filled in later */
        walk.batch.alike = run_alike(&scope->collide->tree, rays, count);
        walk.scope = scope;
        walk.rays = rays;
        walk.count = count;
        walk.best = out;
        cast_together(&walk, wide);
        return;
    }
    for (int i = 0; i < count; ++i)
        lode__ray_closest(scope, &rays[i], &out[i]);
}

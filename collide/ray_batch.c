/* ray_batch.c: eight rays at a time through the tree.
 *
 * Rays that begin near each other and run alike meet nearly the same boxes: one kernel asks a box
 * about all of them, and a node is left when none of them enters it any more. What waits on the stack
 * is asked again when its turn comes, since hits have shortened the rays by then. The child whose
 * centre comes first along the first ray is looked at first. Whatever the order, each ray's hit is the
 * one that it finds alone, to the bit: see ray.h.
 *
 * Rays that do not run alike would look at all that any of them meets; they are cast one by one, and
 * so are the few that find a tree deeper than the stack. */
#include "collide/kernels.h"
#include "collide/ray.h"

/* Rays run alike that begin within this share of the world, and turn by less than this cosine. */
#define NEAR_SHARE ((lode_real)(1.0 / 32))
#define ALIKE ((lode_real)0.97)

enum { BATCH_STACK = 128 };

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
        batch->most.x[lane] = lane < walk->count ? ray->length : -1;
    }
}

static void cast_lanes(batch_walk *walk, uint32_t shape, unsigned lanes)
{
    lode__placed placed = lode__placed_of(walk->scope, shape);
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        if (lode__ray_first(walk->scope, &walk->rays[lane], &placed, &walk->best[lane]))
            walk->batch.most.x[lane] = walk->best[lane].distance;
    }
}

/* Does the second child come first along the ray? */
static bool is_second_first(const lode__node *first, lode_vec3 direction)
{
    const lode_real d[3] = {direction.x, direction.y, direction.z};
    lode_real sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += d[i] * ((first[1].lo[i] + first[1].hi[i]) - (first->lo[i] + first->hi[i]));
    return sum < 0;
}

/* False: the tree is deeper than the stack. */
static bool walk_tree(batch_walk *walk)
{
    const lode__collide *collide = walk->scope->collide;
    const lode__node *nodes = collide->tree.nodes;
    uint32_t stack[BATCH_STACK];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const lode__node *node = &nodes[stack[--depth]];
        unsigned lanes = collide->kernels->enter_box(&walk->batch, node->lo);
        if (lanes == 0)
            continue;
        if (node->child & LODE__LEAF) {
            cast_lanes(walk, node->child & ~(uint32_t)LODE__LEAF, lanes);
            continue;
        }
        if (depth + 2 > BATCH_STACK)
            return false;
        bool swap = is_second_first(&nodes[node->child], walk->rays[0].direction);
        stack[depth++] = node->child + !swap;
        stack[depth++] = node->child + swap;
    }
    return true;
}

void lode__ray_closest_batch(const lode__scope *scope, const lode__ray *rays, int count,
                             lode__hit *out)
{
    const lode__collide *collide = scope->collide;
    batch_walk walk = {.scope = scope, .rays = rays, .count = count, .best = out};
    bool alike = count > 1 && run_alike(&collide->tree, rays, count);
    for (int i = 0; i < count && alike; ++i)
        out[i] = lode__no_hit();
    if (alike) {
        fill_batch(&walk);
        for (uint32_t i = 0; i < collide->unbounded_count; ++i)
            cast_lanes(&walk, collide->unbounded[i], (1u << count) - 1);
        alike = walk_tree(&walk);
    }
    for (int i = 0; i < count && !alike; ++i)
        lode__ray_closest(scope, &rays[i], &out[i]);
}

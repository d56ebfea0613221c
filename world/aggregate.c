/* aggregate.c: aggregates: making and ending them, who is in them, and whether members touch.
 *
 * There is no list of members: who asks for them, or ends an aggregate, walks over the bodies and
 * articulations of the world. */
#include "world/aggregate.h"

#include "core/error.h"
#include "core/hash.h"
#include "world/articulation.h"
#include "world/check.h"
#include "world/shape.h"

#define AGGREGATE_ROW(...) LODE__POOL_ROW_(lode__aggregate_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(aggregate, LODE__AGGREGATE_COMPONENTS, AGGREGATE_ROW)

/* The slots of what is alive in a pool. */
#define EACH(pool, slot) \
    for (uint32_t slot = lode__bits_next(&(pool)->alive, 0); slot != UINT32_MAX; \
         slot = lode__bits_next(&(pool)->alive, slot + 1))

static lode_aggregate handle(const lode__world *world, uint32_t slot)
{
    return (lode_aggregate){id_of_object(world->entry, &world->aggregates, slot)};
}

/* By slot plus 1; 0: it is in none. */
static lode_aggregate handle_of(const lode__world *world, uint32_t in)
{
    return in > 0 ? handle(world, in - 1) : (lode_aggregate){0};
}

static bool keeps_apart(const lode__world *world, uint32_t in)
{
    return in > 0 && !(*AGGREGATE(world, flags, in - 1) & LODE__AGGREGATE_SELF_TOUCHES);
}

/* ---- going in and out ---- */

/* Which of its shapes' pairs are allowed is another. */
static void change_pairs(lode__world *world, uint32_t body)
{
    uint32_t shape = BODY(world, links, body)->first_shape;
    for (; shape != LODE__NONE; shape = SHAPE(world, links, shape)->next_shape)
        lode__shape_changed(world, shape);
}

static void put_body(lode__world *world, uint32_t body, uint32_t to)
{
    uint32_t *in = BODY(world, aggregate, body), from = *in;
    if (from == to)
        return;
    *in = to;
    uint32_t shape = BODY(world, links, body)->first_shape;
    for (; shape != LODE__NONE; shape = SHAPE(world, links, shape)->next_shape)
        lode__shape_group(world, shape);
    if (keeps_apart(world, from) || keeps_apart(world, to))
        change_pairs(world, body);
}

static void put_articulation(lode__world *world, uint32_t articulation, uint32_t to)
{
    *ARTICULATION(world, aggregate, articulation) = to;
    EACH_LINK(world, articulation, link)
    put_body(world, LINK(world, tie, link)->body, to);
}

/* Null, or an aggregate of the world: its slot plus 1. */
static lode_status find_target(uint32_t *out, const lode__world *world, lode_aggregate aggregate,
                               const char *function)
{
    lode__object g;
    *out = 0;
    if (aggregate.id == 0)
        return LODE_OK;
    lode_status status = lode__open_aggregate_of(&g, world, aggregate, function);
    if (!status)
        *out = g.slot + 1;
    return status;
}

lode_status lode_body_set_aggregate(lode_body body, lode_aggregate aggregate)
{
    lode__object b;
    uint32_t to;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status && lode__body_is_link(b.world, b.slot))
        status = lode__error(LODE_ERROR_STATE, __func__, "body",
                             "is a link: its articulation is in an aggregate as a whole");
    if (!status)
        status = find_target(&to, b.world, aggregate, __func__);
    if (!status)
        put_body(b.world, b.slot, to);
    return status;
}

lode_aggregate lode_body_get_aggregate(lode_body body)
{
    lode__object b;
    return lode__open_body(&b, body, __func__)
               ? (lode_aggregate){0}
               : handle_of(b.world, *BODY(b.world, aggregate, b.slot));
}

lode_status lode_articulation_set_aggregate(lode_articulation articulation,
                                            lode_aggregate aggregate)
{
    lode__object a;
    uint32_t to;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (!status)
        status = find_target(&to, a.world, aggregate, __func__);
    if (!status)
        put_articulation(a.world, a.slot, to);
    return status;
}

lode_aggregate lode_articulation_get_aggregate(lode_articulation articulation)
{
    lode__object a;
    return lode__open_articulation(&a, articulation, __func__)
               ? (lode_aggregate){0}
               : handle_of(a.world, *ARTICULATION(a.world, aggregate, a.slot));
}

/* ---- life ---- */

lode_aggregate lode_aggregate_create(lode_world world, bool self_collision)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__))
        return (lode_aggregate){0};
    lode__pool *pool = &w->aggregates;
    uint32_t slot = lode__pool_reserve(pool, 1) &&
                            lode__tree_reserve_groups(&w->collide.tree, pool->end + 1)
                        ? lode__pool_add(pool)
                        : LODE__NONE;
    if (slot == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return (lode_aggregate){0};
    }
    *AGGREGATE(w, flags, slot) = self_collision ? LODE__AGGREGATE_SELF_TOUCHES : 0;
    return handle(w, slot);
}

lode_status lode_aggregate_destroy(lode_aggregate aggregate)
{
    lode__object g;
    lode_status status = lode__open_aggregate(&g, aggregate, __func__);
    if (status)
        return status;
    EACH(&g.world->articulations, a)
    if (*ARTICULATION(g.world, aggregate, a) == g.slot + 1)
        put_articulation(g.world, a, 0);
    EACH(&g.world->bodies, b)
    if (*BODY(g.world, aggregate, b) == g.slot + 1)
        put_body(g.world, b, 0);
    lode__pool_remove(&g.world->aggregates, g.slot);
    return LODE_OK;
}

bool lode_aggregate_is_valid(lode_aggregate aggregate)
{
    lode__object g;
    return lode__find_aggregate(&g, aggregate);
}

lode_world lode_aggregate_get_world(lode_aggregate aggregate)
{
    lode__object g;
    return lode__open_aggregate(&g, aggregate, __func__) ? (lode_world){0}
                                                         : (lode_world){g.world->id};
}

/* ---- what is set on it ---- */

bool lode_aggregate_get_self_collision(lode_aggregate aggregate)
{
    lode__object g;
    return !lode__open_aggregate(&g, aggregate, __func__) &&
           (*AGGREGATE(g.world, flags, g.slot) & LODE__AGGREGATE_SELF_TOUCHES);
}

lode_status lode_aggregate_set_self_collision(lode_aggregate aggregate, bool self_collision)
{
    lode__object g;
    lode_status status = lode__open_aggregate(&g, aggregate, __func__);
    if (status)
        return status;
    uint32_t *flags = AGGREGATE(g.world, flags, g.slot), before = *flags;
    *flags = self_collision ? LODE__AGGREGATE_SELF_TOUCHES : 0;
    if (*flags == before)
        return LODE_OK;
    EACH(&g.world->bodies, b)
    if (*BODY(g.world, aggregate, b) == g.slot + 1)
        change_pairs(g.world, b);
    return LODE_OK;
}

void *lode_aggregate_get_user_data(lode_aggregate aggregate)
{
    lode__object g;
    return lode__open_aggregate(&g, aggregate, __func__) ? NULL
                                                         : *AGGREGATE(g.world, user_data, g.slot);
}

lode_status lode_aggregate_set_user_data(lode_aggregate aggregate, void *user_data)
{
    lode__object g;
    lode_status status = lode__open_aggregate(&g, aggregate, __func__);
    if (!status)
        *AGGREGATE(g.world, user_data, g.slot) = user_data;
    return status;
}

/* ---- its members ---- */

int lode_aggregate_get_bodies(lode_aggregate aggregate, lode_body *out_bodies, int capacity)
{
    lode__object g;
    int count = 0;
    if (lode__open_aggregate(&g, aggregate, __func__) ||
        lode__check_capacity(out_bodies, capacity, __func__, "out_bodies"))
        return 0;
    EACH(&g.world->bodies, b)
    {
        if (*BODY(g.world, aggregate, b) != g.slot + 1 || lode__body_is_link(g.world, b))
            continue;
        if (count < capacity)
            out_bodies[count] = body_handle(g.world, b);
        ++count;
    }
    return count;
}

int lode_aggregate_get_articulations(lode_aggregate aggregate, lode_articulation *out_articulations,
                                     int capacity)
{
    lode__object g;
    int count = 0;
    if (lode__open_aggregate(&g, aggregate, __func__) ||
        lode__check_capacity(out_articulations, capacity, __func__, "out_articulations"))
        return 0;
    EACH(&g.world->articulations, a)
    {
        if (*ARTICULATION(g.world, aggregate, a) != g.slot + 1)
            continue;
        if (count < capacity)
            out_articulations[count] = articulation_handle(g.world, a);
        ++count;
    }
    return count;
}

lode_bounds lode_aggregate_get_bounds(lode_aggregate aggregate)
{
    lode__object g;
    lode_bounds all = {{REAL_MAX, REAL_MAX, REAL_MAX}, {-REAL_MAX, -REAL_MAX, -REAL_MAX}};
    if (lode__open_aggregate(&g, aggregate, __func__))
        return (lode_bounds){{0, 0, 0}, {0, 0, 0}};
    EACH(&g.world->bodies, b)
    for (uint32_t shape = *BODY(g.world, aggregate, b) == g.slot + 1
                              ? BODY(g.world, links, b)->first_shape
                              : LODE__NONE;
         shape != LODE__NONE; shape = SHAPE(g.world, links, shape)->next_shape) {
        lode_bounds own = lode_shape_get_bounds(shape_handle(g.world, shape));
        all.lower = v3_min(all.lower, own.lower);
        all.upper = v3_max(all.upper, own.upper);
    }
    return all.lower.x > all.upper.x ? (lode_bounds){{0, 0, 0}, {0, 0, 0}} : all;
}

/* ---- the world's ---- */

uint64_t lode__aggregates_hash(const lode__world *world, uint64_t seed)
{
    if (world->aggregates.count == 0)
        return seed;
    seed = lode__pool_hash(&world->aggregates, seed);
    EACH(&world->bodies, b)
    if (*BODY(world, aggregate, b) > 0)
        seed = lode__hash_word(seed, (uint64_t)b << 32 | *BODY(world, aggregate, b));
    return seed;
}

void lode__aggregates_validate(const lode__world *world)
{
    const lode__tree *tree = &world->collide.tree;
    lode__pool_validate(&world->aggregates);
    EACH(&world->bodies, b)
    {
        uint32_t in = *BODY(world, aggregate, b), shape = BODY(world, links, b)->first_shape;
        uint32_t link = *BODY(world, link, b);
        LODE__ASSERT(in == 0 || lode__bits_get(&world->aggregates.alive, in - 1));
        LODE__ASSERT(link == 0 || in == *ARTICULATION(world, aggregate,
                                                      LINK(world, tie, link - 1)->articulation));
        for (; shape != LODE__NONE; shape = SHAPE(world, links, shape)->next_shape)
            LODE__ASSERT(lode__tree_group(tree, shape) == (in > 0 ? in - 1 : LODE__NONE));
    }
}

/* bonds_plan.c: plans of islands of joints without limits (see bonds.h): which nodes couple once
 * those before them are eliminated, and so which tiles there are and where each product goes. A
 * node has above it what it couples with to begin with, and what the nodes have above them of which
 * it is the first above (Liu 1990). */
#include "solver/welds.h"

#include <string.h>

#define NO_NODE UINT32_MAX

enum {
    /* of a node, in the mean: denser islands are for solver/lcp_fronts.c */
    MOST_TILES = 12,
    MOST_UPDATES = 48,
    MOST_LINKS = 24,
    /* of islands that are solved four at a time: all four are to stay in the cache */
    SMALL_NODES = 64,
    SMALL_TILES = 2
};

typedef struct plan_work {
    lode__bond_plan *plan;
    uint32_t *begin, *nodes; /* of each body: its nodes, in order */
    uint32_t *mark;          /* by node: for whom it has been found */
    uint32_t *child, *sibling;
    uint32_t *height, *place; /* above the leaves of the tree; where nodes go by that */
    uint32_t *above;          /* by tile, while they are found */
    lode__bond_node *sorted;
    uint32_t update_count;
} plan_work;

static uint32_t count_nodes(uint32_t rows)
{
    return (rows + LODE__BOND_ROWS - 1) / LODE__BOND_ROWS;
}

/* Nodes of all joints, in order. */
static void list_nodes(lode__bond_plan *plan, const lode__bond_joint *joints, const uint32_t *order,
                       uint32_t joint_count)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < joint_count; ++i) {
        const lode__bond_joint *joint = &joints[order[i]];
        for (uint32_t first = 0; first < joint->rows; first += LODE__BOND_ROWS) {
            uint32_t left = joint->rows - first;
            uint32_t rows = left < LODE__BOND_ROWS ? left : LODE__BOND_ROWS;
            plan->most_rows = rows > plan->most_rows ? rows : plan->most_rows;
            plan->nodes[at++] = (lode__bond_node){
                .joint = order[i],
                .first = first,
                .rows = rows,
                .body = {joint->body[0], joint->body[1]},
            };
        }
    }
}

/* Lists the nodes of each body; returns how many links they have at most. */
static uint64_t list_bodies(plan_work *w)
{
    const lode__bond_plan *plan = w->plan;
    uint64_t links = 0;
    for (uint32_t i = 0; i <= plan->body_count + 1; ++i)
        w->begin[i] = 0;
    for (uint32_t t = 0; t < plan->node_count; ++t)
        for (int end = 0; end < 2; ++end)
            ++w->begin[plan->nodes[t].body[end] + 1];
    w->begin[1] = 0; /* the world couples nothing */
    for (uint32_t i = 1; i <= plan->body_count; ++i) {
        uint64_t count = w->begin[i + 1];
        links += count * count / 2;
        w->begin[i + 1] += w->begin[i];
    }
    for (uint32_t t = 0; t < plan->node_count; ++t)
        for (int end = 0; end < 2; ++end)
            if (plan->nodes[t].body[end])
                w->nodes[w->begin[plan->nodes[t].body[end]]++] = t;
    for (uint32_t i = plan->body_count + 1; i > 1; --i)
        w->begin[i] = w->begin[i - 1];
    w->begin[1] = 0;
    return links;
}

/* --- tiles */

/* Gives node t a tile with the node above. */
static void add_tile(plan_work *w, uint32_t t, uint32_t above)
{
    if (w->mark[above] == t)
        return;
    w->mark[above] = t;
    w->above[w->plan->tile_count++] = above;
}

static void couple_node(plan_work *w, uint32_t t)
{
    const lode__bond_node *node = &w->plan->nodes[t];
    for (int end = 0; end < 2; ++end)
        for (uint32_t k = w->begin[node->body[end]]; k < w->begin[node->body[end] + 1]; ++k)
            if (w->nodes[k] > t)
                add_tile(w, t, w->nodes[k]);
}

static void sort(uint32_t *x, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        uint32_t value = x[i], at = i;
        for (; at > 0 && x[at - 1] > value; --at)
            x[at] = x[at - 1];
        x[at] = value;
    }
}

/* Finds all tiles; false where there would be too many. */
static bool find_tiles(plan_work *w)
{
    lode__bond_plan *plan = w->plan;
    uint64_t updates = 0;
    plan->tile_count = 0;
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        w->mark[t] = w->child[t] = NO_NODE;
        w->height[t] = 0;
    }
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        lode__bond_node *node = &plan->nodes[t];
        node->tile_begin = plan->tile_count;
        node->update = (uint32_t)updates;
        couple_node(w, t);
        for (uint32_t c = w->child[t]; c != NO_NODE; c = w->sibling[c])
            for (uint32_t k = plan->nodes[c].tile_begin + 1; k < plan->nodes[c].tile_end; ++k)
                add_tile(w, t, w->above[k]);
        node->tile_end = plan->tile_count;
        uint64_t count = node->tile_end - node->tile_begin;
        updates += count * (count - (count > 0)) / 2;
        if (plan->tile_count > MOST_TILES * plan->node_count ||
            updates > MOST_UPDATES * (uint64_t)plan->node_count)
            return false;
        if (count == 0)
            continue;
        sort(w->above + node->tile_begin, (uint32_t)count);
        uint32_t parent = w->above[node->tile_begin];
        w->sibling[t] = w->child[parent];
        w->child[parent] = t;
        if (w->height[parent] <= w->height[t])
            w->height[parent] = w->height[t] + 1;
    }
    w->update_count = (uint32_t)updates;
    return true;
}

/* Sorts nodes by their height in the tree: those side by side then have nothing to do with each
 * other, and a processor works on several at a time. */
static void sort_by_height(plan_work *w)
{
    lode__bond_plan *plan = w->plan;
    for (uint32_t t = 0; t <= plan->node_count; ++t)
        w->place[t] = 0;
    for (uint32_t t = 0; t < plan->node_count; ++t)
        ++w->place[w->height[t] + 1];
    for (uint32_t t = 0; t < plan->node_count; ++t)
        w->place[t + 1] += w->place[t];
    for (uint32_t t = 0; t < plan->node_count; ++t)
        w->sorted[w->place[w->height[t]]++] = plan->nodes[t];
    memcpy(plan->nodes, w->sorted, plan->node_count * sizeof *plan->nodes);
}

/* The tile of two nodes that has been found. */
static uint32_t tile_of(const lode__bond_plan *plan, uint32_t t, uint32_t above)
{
    uint32_t k = plan->nodes[t].tile_begin;
    while (plan->above[k] != above)
        ++k;
    return k;
}

static void list_updates(const lode__bond_plan *plan)
{
    uint32_t at = 0;
    for (uint32_t t = 0; t < plan->node_count; ++t)
        for (uint32_t k = plan->nodes[t].tile_begin; k < plan->nodes[t].tile_end; ++k)
            for (uint32_t m = k + 1; m < plan->nodes[t].tile_end; ++m)
                plan->updates[at++] = tile_of(plan, plan->above[k], plan->above[m]);
}

/* Counts what bodies couple, or lists it once there is room. */
static void list_links(plan_work *w)
{
    lode__bond_plan *plan = w->plan;
    plan->link_count = 0;
    for (uint32_t t = 0; t < plan->node_count; ++t)
        for (uint32_t end = 0; end < 2; ++end) {
            uint32_t body = plan->nodes[t].body[end];
            for (uint32_t k = w->begin[body]; k < w->begin[body + 1]; ++k) {
                uint32_t above = w->nodes[k];
                if (above <= t)
                    continue;
                if (plan->links)
                    plan->links[plan->link_count] = (lode__bond_link){
                        .tile = tile_of(plan, t, above),
                        .node = t,
                        .above = above,
                        .body = body,
                        .ends = {end, plan->nodes[above].body[1] == body},
                    };
                ++plan->link_count;
            }
        }
}

static bool take_work(plan_work *w, uint32_t nodes, uint32_t bodies, lode__arena *scratch)
{
    w->begin = LODE__TAKE(scratch, uint32_t, bodies + 2);
    w->nodes = LODE__TAKE(scratch, uint32_t, 2 * nodes);
    w->mark = LODE__TAKE(scratch, uint32_t, nodes);
    w->child = LODE__TAKE(scratch, uint32_t, nodes);
    w->sibling = LODE__TAKE(scratch, uint32_t, nodes);
    w->height = LODE__TAKE(scratch, uint32_t, nodes);
    w->place = LODE__TAKE(scratch, uint32_t, nodes + 1);
    w->sorted = LODE__TAKE(scratch, lode__bond_node, nodes);
    w->above = LODE__TAKE(scratch, uint32_t, (MOST_TILES + 1) * (size_t)nodes);
    return w->begin && w->nodes && w->mark && w->child && w->sibling && w->height && w->place &&
           w->sorted && w->above;
}

/* What stays of the tiles that were found. */
static bool keep_tiles(plan_work *w, lode__arena *arena)
{
    lode__bond_plan *plan = w->plan;
    plan->above = LODE__TAKE(arena, uint32_t, plan->tile_count);
    plan->updates = LODE__TAKE(arena, uint32_t, w->update_count);
    if (!plan->above || !plan->updates)
        return false;
    memcpy(plan->above, w->above, plan->tile_count * sizeof *plan->above);
    list_updates(plan);
    list_links(w);
    plan->links = LODE__TAKE(arena, lode__bond_link, plan->link_count);
    if (!plan->links)
        return false;
    list_links(w);
    plan->fits = true;
    plan->small = plan->node_count <= SMALL_NODES &&
                  plan->tile_count <= SMALL_TILES * plan->node_count;
    return true;
}

bool lode__bonds_plan(lode__bond_plan *plan, const lode__bond_joint *joints, const uint32_t *order,
                      uint32_t joint_count, uint32_t body_count, lode__arena *arena,
                      lode__arena *scratch)
{
    plan_work w = {.plan = plan};
    *plan = (lode__bond_plan){.joint_count = joint_count, .body_count = body_count};
    for (uint32_t i = 0; i < joint_count; ++i)
        plan->node_count += count_nodes(joints[i].rows);
    plan->nodes = LODE__TAKE(arena, lode__bond_node, plan->node_count);
    if (!plan->nodes || !take_work(&w, plan->node_count, body_count, scratch))
        return false;
    list_nodes(plan, joints, order, joint_count);
    if (list_bodies(&w) > MOST_LINKS * (uint64_t)plan->node_count || !find_tiles(&w))
        return true;
    sort_by_height(&w);
    list_bodies(&w);
    return !find_tiles(&w) || keep_tiles(&w, arena);
}

/* --- memory to solve */

static void cover(uint32_t *most, uint32_t count)
{
    *most = count > *most ? count : *most;
}

static uint32_t bodies_of(const lode__bond_plan *plan)
{
    return plan->body_count + 1 + 2 * plan->node_count;
}

void lode__bonds_cover(lode__bond_size *size, const lode__bond_plan *plan)
{
    if (!plan->fits)
        return;
    cover(&size->nodes, plan->node_count);
    cover(&size->tiles, plan->tile_count);
    cover(&size->joints, plan->joint_count);
    cover(&size->bodies, bodies_of(plan));
}

void lode__bonds_cover_four(lode__bond_size *size, const lode__bond_plan *plan)
{
    cover(&size->four.nodes, plan->node_count);
    cover(&size->four.tiles, plan->tile_count);
    cover(&size->four.bodies, bodies_of(plan));
}

static bool take_four(lode__bond_four *four, const lode__bond_size *size, lode__arena *arena)
{
    four->rows = LODE__TAKE(arena, lode__bond_four_rows, size->four.nodes);
    four->tiles = (lode__quad(*)[LODE__BOND_ROWS][LODE__BOND_ROWS])lode__arena_take(
        arena, size->four.tiles * sizeof *four->tiles);
    four->bodies = LODE__TAKE(arena, lode__bond_four_body, size->four.bodies);
    return four->rows && four->tiles && four->bodies;
}

bool lode__bonds_take(lode__bonds *bonds, const lode__bond_size *size, lode__arena *arena)
{
    bonds->rows = LODE__TAKE(arena, lode__bond_rows, size->nodes);
    bonds->tiles = (lode__quad(*)[LODE__BOND_ROWS])lode__arena_take(
        arena, size->tiles * sizeof *bonds->tiles);
    bonds->bodies = LODE__TAKE(arena, lode__bond_body, size->bodies);
    bonds->welds = LODE__TAKE(arena, lode__weld, size->joints);
    return bonds->rows && bonds->tiles && bonds->bodies && bonds->welds &&
           take_four(&bonds->four, size, arena);
}

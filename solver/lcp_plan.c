/* lcp_plan.c: from a pattern to couplings and fronts. The tree of eliminations follows Liu (1990):
 * the parent of a node is the first that couples with it once it is eliminated. Of a clique's nodes
 * in order, each couples with the next, and a node's row of the factor reaches down the tree to the
 * first node of each of its cliques: so nothing here looks at pairs but the couplings themselves.
 * Nodes are renumbered so that each comes right behind those below it. A node that has above it
 * what its parent is and has is eliminated with it, in one front; so are small ones that almost do,
 * since a front costs more than a few zeros. */
#include "solver/lcp_plan.h"

enum {
    SMALL_FRONT = 24, /* rows of a front that is joined to its parent */
    FEW_ZEROS = 4     /* joined, at most a share of 1/this of the numbers are zeros */
};

bool lode__lcp_planner_take(lode__lcp_planner *w, lode__arena *arena, uint32_t nodes,
                            uint32_t elements, uint32_t incidences, uint32_t rows)
{
    *w = (lode__lcp_planner){0};
    const struct {
        uint32_t **array;
        uint32_t count;
    } all[] = {
        {&w->place, nodes},      {&w->parent, nodes},       {&w->root, nodes},
        {&w->child, nodes + 1},  {&w->sibling, nodes},      {&w->mark, nodes},
        {&w->front, nodes},      {&w->nodes_above, nodes},  {&w->rows_above, nodes},
        {&w->last, elements},    {&w->begin, elements + 1}, {&w->at, elements},
        {&w->nodes, incidences},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        *all[i].array = LODE__TAKE(arena, uint32_t, all[i].count);
        if (!*all[i].array)
            return false;
    }
    return lode__lcp_order_take(&w->order, arena, nodes, elements, incidences, rows);
}

/* --- the tree */

/* Climbs from a node to its tree's root so far, whose parent `node` becomes. */
static void climb(lode__lcp_planner *w, uint32_t from, uint32_t node)
{
    while (from != node) {
        uint32_t next = w->root[from];
        w->root[from] = node;
        if (next == LODE__LCP_NONE)
            w->parent[from] = node;
        from = next == LODE__LCP_NONE ? node : next;
    }
}

/* Parents, by place in the order. */
static void grow_tree(lode__lcp_planner *w, const lode__lcp_pattern *p)
{
    for (uint32_t f = 0; f < p->element_count; ++f)
        w->last[f] = LODE__LCP_NONE;
    for (uint32_t t = 0; t < p->node_count; ++t) {
        uint32_t v = w->order.out[t];
        w->parent[t] = w->root[t] = LODE__LCP_NONE;
        for (uint32_t k = p->start[v]; k < p->start[v + 1]; ++k) {
            uint32_t *last = &w->last[p->element[k]];
            if (*last != LODE__LCP_NONE)
                climb(w, *last, t);
            *last = t;
        }
    }
}

/* Writes the places at which the tree is walked, children first, and what comes there. */
static void walk_tree(lode__lcp_planner *w, uint32_t count, uint32_t *out_node)
{
    uint32_t at = 0;
    for (uint32_t t = 0; t <= count; ++t)
        w->child[t] = LODE__LCP_NONE;
    for (uint32_t t = count; t-- > 0;) {
        uint32_t *child = &w->child[w->parent[t] == LODE__LCP_NONE ? count : w->parent[t]];
        w->sibling[t] = *child;
        *child = t;
    }
    for (uint32_t t = w->child[count]; t != LODE__LCP_NONE;) {
        if (w->child[t] != LODE__LCP_NONE) {
            uint32_t down = w->child[t];
            w->child[t] = LODE__LCP_NONE;
            t = down;
            continue;
        }
        out_node[at] = w->order.out[t];
        w->place[t] = at++;
        t = w->sibling[t] != LODE__LCP_NONE ? w->sibling[t] : w->parent[t];
    }
    for (uint32_t t = 0; t < count; ++t)
        w->root[w->place[t]] = w->parent[t] == LODE__LCP_NONE ? LODE__LCP_NONE
                                                              : w->place[w->parent[t]];
    for (uint32_t t = 0; t < count; ++t)
        w->parent[t] = w->root[t];
}

/* --- couplings */

static void list_members(lode__lcp_planner *w, const lode__lcp_pattern *p,
                         const lode__lcp_plan *plan)
{
    for (uint32_t f = 0; f <= p->element_count; ++f)
        w->begin[f] = 0;
    for (uint32_t k = 0; k < p->start[p->node_count]; ++k)
        ++w->begin[p->element[k] + 1];
    for (uint32_t f = 0; f < p->element_count; ++f) {
        w->begin[f + 1] += w->begin[f];
        w->at[f] = w->begin[f];
    }
    for (uint32_t t = 0; t < p->node_count; ++t) {
        uint32_t v = plan->node[t];
        for (uint32_t k = p->start[v]; k < p->start[v + 1]; ++k)
            w->nodes[w->at[p->element[k]]++] = t;
    }
}

/* Counts the couplings, or lists them once there is room. */
static uint32_t find_couplings(lode__lcp_planner *w, const lode__lcp_pattern *p,
                               const lode__lcp_plan *plan)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < p->element_count; ++f)
        w->at[f] = w->begin[f];
    for (uint32_t t = 0; t < p->node_count; ++t)
        w->mark[t] = LODE__LCP_NONE;
    for (uint32_t t = 0; t < p->node_count; ++t) {
        uint32_t v = plan->node[t];
        plan->couple[t] = count;
        if (plan->with)
            plan->with[count] = t;
        ++count;
        for (uint32_t k = p->start[v]; k < p->start[v + 1]; ++k) {
            uint32_t f = p->element[k];
            for (uint32_t m = ++w->at[f]; m < w->begin[f + 1]; ++m) {
                uint32_t u = w->nodes[m];
                if (w->mark[u] == t)
                    continue;
                w->mark[u] = t;
                if (plan->with)
                    plan->with[count] = u;
                ++count;
            }
        }
    }
    plan->couple[p->node_count] = count;
    return count;
}

static bool make_panels(lode__lcp_planner *w, const lode__lcp_pattern *p, lode__lcp_plan *plan,
                        lode__arena *arena)
{
    uint32_t count = p->node_count, row = 0;
    size_t at = 0;
    list_members(w, p, plan);
    plan->with = LODE__TAKE(arena, uint32_t, find_couplings(w, p, plan));
    if (!plan->with)
        return false;
    find_couplings(w, p, plan);
    for (uint32_t t = 0; t < count; ++t) {
        plan->row[t] = row;
        row += p->rows[plan->node[t]];
    }
    plan->row[count] = row;
    for (uint32_t t = 0; t < count; ++t) {
        uint32_t width = 0;
        for (uint32_t c = plan->couple[t]; c < plan->couple[t + 1]; ++c)
            width += lode__lcp_rows_of(plan, plan->with[c]);
        plan->panel[t] = at;
        at += (size_t)lode__lcp_padded(width) * lode__lcp_rows_of(plan, t);
    }
    plan->panel[count] = at;
    plan->size.nodes = count;
    plan->size.rows = row;
    plan->size.panels = at;
    return true;
}

/* --- fronts */

/* How many nodes and rows each node has above it by the time that it is eliminated. */
static void count_above(lode__lcp_planner *w, const lode__lcp_pattern *p,
                        const lode__lcp_plan *plan)
{
    for (uint32_t t = 0; t < p->node_count; ++t) {
        w->nodes_above[t] = w->rows_above[t] = 0;
        w->mark[t] = LODE__LCP_NONE;
    }
    for (uint32_t t = 0; t < p->node_count; ++t) {
        uint32_t v = plan->node[t];
        for (uint32_t k = p->start[v]; k < p->start[v + 1]; ++k)
            for (uint32_t u = w->nodes[w->begin[p->element[k]]]; u != t && w->mark[u] != t;
                 u = w->parent[u]) {
                w->mark[u] = t;
                ++w->nodes_above[u];
                w->rows_above[u] += p->rows[v];
            }
    }
}

/* Is a front best joined to its parent, which is next? */
static bool joins(const lode__lcp_front *below, const lode__lcp_front *front)
{
    uint32_t above = below->rows - below->own_rows, rows = below->own_rows + front->rows;
    uint64_t zeros = (uint64_t)below->own_rows * (front->rows - above);
    return zeros == 0 || (rows <= SMALL_FRONT && zeros <= rows * rows / FEW_ZEROS);
}

/* Runs of nodes that belong to one front; `above` is counted, not listed. */
static uint32_t find_fronts(lode__lcp_planner *w, const lode__lcp_plan *plan,
                            lode__lcp_front *fronts)
{
    uint32_t count = 0, above = 0;
    for (uint32_t t = 0; t < plan->size.nodes; ++t) {
        uint32_t rows = lode__lcp_rows_of(plan, t);
        lode__lcp_front front = {.begin = t,
                                 .end = t + 1,
                                 .own_rows = rows,
                                 .rows = rows + w->rows_above[t],
                                 .child = LODE__LCP_NONE,
                                 .sibling = LODE__LCP_NONE};
        while (count > 0 && w->parent[fronts[count - 1].end - 1] < front.end &&
               w->parent[fronts[count - 1].end - 1] >= front.begin &&
               joins(&fronts[count - 1], &front)) {
            --count;
            front.begin = fronts[count].begin;
            front.own_rows += fronts[count].own_rows;
            front.rows += fronts[count].own_rows;
        }
        fronts[count++] = front;
    }
    for (uint32_t s = 0; s < count; ++s) {
        fronts[s].above = fronts[s].above_end = above;
        above += w->nodes_above[fronts[s].end - 1];
        for (uint32_t t = fronts[s].begin; t < fronts[s].end; ++t)
            w->front[t] = s;
    }
    return count;
}

static void list_above(lode__lcp_planner *w, const lode__lcp_pattern *p, lode__lcp_plan *plan)
{
    for (uint32_t s = 0; s < plan->size.fronts; ++s)
        w->mark[s] = LODE__LCP_NONE;
    for (uint32_t t = 0; t < p->node_count; ++t) {
        uint32_t v = plan->node[t];
        for (uint32_t k = p->start[v]; k < p->start[v + 1]; ++k)
            for (uint32_t s = w->front[w->nodes[w->begin[p->element[k]]]];
                 s != w->front[t] && w->mark[s] != t; s = plan->fronts[s].parent) {
                w->mark[s] = t;
                plan->above[plan->fronts[s].above_end++] = t;
            }
    }
}

/* Links the fronts of the tree and gives each its place in memory. */
static void place_fronts(const lode__lcp_planner *w, lode__lcp_plan *plan)
{
    lode__lcp_size *size = &plan->size;
    for (uint32_t s = 0; s < size->fronts; ++s) {
        lode__lcp_front *front = &plan->fronts[s];
        uint32_t parent = w->parent[front->end - 1], stride = lode__lcp_stride(front->rows);
        front->parent = parent == LODE__LCP_NONE ? LODE__LCP_NONE : w->front[parent];
        if (front->parent != LODE__LCP_NONE) {
            front->sibling = plan->fronts[front->parent].child;
            plan->fronts[front->parent].child = s;
        }
        front->list = size->list;
        front->matrix = size->matrix;
        front->lower = size->lower;
        size->list += front->rows;
        size->matrix += (size_t)front->rows * stride;
        size->lower += (size_t)front->own_rows * stride;
    }
}

bool lode__lcp_plan_make(lode__lcp_plan *plan, lode__lcp_planner *w, const lode__lcp_pattern *p,
                         lode__arena *arena)
{
    uint32_t count = p->node_count;
    *plan = (lode__lcp_plan){
        .node = LODE__TAKE(arena, uint32_t, count),
        .row = LODE__TAKE(arena, uint32_t, count + 1),
        .couple = LODE__TAKE(arena, uint32_t, count + 1),
        .panel = LODE__TAKE(arena, size_t, count + 1),
        .fronts = LODE__TAKE(arena, lode__lcp_front, count),
    };
    if (!plan->node || !plan->row || !plan->couple || !plan->panel || !plan->fronts)
        return false;
    lode__lcp_order_run(&w->order, p);
    grow_tree(w, p);
    walk_tree(w, count, plan->node);
    if (!make_panels(w, p, plan, arena))
        return false;
    count_above(w, p, plan);
    plan->size.fronts = find_fronts(w, plan, plan->fronts);
    place_fronts(w, plan);
    plan->size.tableau = lode__lcp_tableau_size(plan->size.rows);
    const lode__lcp_front *top = count > 0 ? &plan->fronts[plan->size.fronts - 1] : NULL;
    plan->above = LODE__TAKE(arena, uint32_t, top ? top->above : 0);
    if (!plan->above)
        return false;
    list_above(w, p, plan);
    return true;
}

void lode__lcp_single_make(lode__lcp_single *single, uint32_t rows)
{
    size_t stride = lode__lcp_stride(rows), panel = (size_t)rows * lode__lcp_padded(rows);
    uint32_t one = rows > 0;
    *single = (lode__lcp_single){
        .plan = {.size = {one, rows, one, panel, rows, rows * stride, rows * stride,
                          lode__lcp_tableau_size(rows)},
                 .node = single->node,
                 .row = single->row,
                 .couple = single->couple,
                 .with = single->with,
                 .panel = single->panel,
                 .fronts = single->front},
        .row = {0, rows},
        .couple = {0, 1},
        .panel = {0, panel},
        .front = {{.end = 1,
                   .parent = LODE__LCP_NONE,
                   .child = LODE__LCP_NONE,
                   .sibling = LODE__LCP_NONE,
                   .own_rows = rows,
                   .rows = rows}},
    };
}

void lode__lcp_size_cover(lode__lcp_size *size, const lode__lcp_size *other)
{
#define COVER(field) size->field = other->field > size->field ? other->field : size->field
    COVER(nodes);
    COVER(rows);
    COVER(fronts);
    COVER(panels);
    COVER(list);
    COVER(matrix);
    COVER(lower);
    COVER(tableau);
#undef COVER
}

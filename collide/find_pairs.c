/* find_pairs.c: moved shapes look for others; see find_pairs.h. Each asks the tree, or what another
 * method of the broad phase made of all boxes (broad.h). */
#include "collide/find_pairs.h"

#include "collide/broad.h"
#include "core/math.h"
#include "core/memory.h"

enum { GRAIN = 16 }; /* shapes of one list; what one finds takes about a microsecond */

typedef struct ask_run {
    const lode__pair_query *query;
    const uint32_t *moved; /* slots, ascending */
    lode__pair_list *lists;
    const void *index; /* of the method that finds pairs, if it is not the tree */
} ask_run;

/* --- which shapes may pair */

/* Shapes that rest beside each other need no pair. */
static bool is_lively(const lode__collide *collide, uint32_t shape)
{
    return lode__bits_get(&collide->active, shape) || lode__bits_get(&collide->stirred, shape);
}

static bool may_pair(const lode__pair_query *query, uint32_t shape_a, uint32_t shape_b)
{
    const lode__collide *collide = query->collide;
    const lode__pool *shapes = &collide->shapes;
    uint32_t body_a = LODE__AT(shape, shapes, geometry, shape_a)->body;
    uint32_t body_b = LODE__AT(shape, shapes, geometry, shape_b)->body;
    if (body_a == body_b || !(is_lively(collide, shape_a) || is_lively(collide, shape_b)))
        return false;
    uint32_t flags = *LODE__AT(body, query->bodies, flags, body_a) |
                     *LODE__AT(body, query->bodies, flags, body_b);
    return (flags & LODE__BODY_DYNAMIC) &&
           lode__filters_agree(collide, LODE__AT(shape, shapes, filter, shape_a),
                         LODE__AT(shape, shapes, filter, shape_b)) &&
           (!collide->may_touch || collide->may_touch(collide->may_touch_context, body_a, body_b));
}

/* True when some of the box lies within the plane's reach, or may by rounding. */
static bool plane_reaches(const lode__pair_query *query, uint32_t plane, const lode__node *box)
{
    const lode__geometry *geometry = LODE__AT(shape, &query->collide->shapes, geometry, plane);
    const lode__pose *pose = LODE__AT(shape, &query->collide->shapes, pose, plane);
    lode_vec3 local = v3(geometry->size[0], geometry->size[1], geometry->size[2]);
    lode_vec3 n = q_rotate(pose->rotation, local);
    lode_vec3 p = v3_add(LODE__AT(body, query->bodies, pose, geometry->body)->position,
                         pose->position);
    lode_vec3 lowest = v3(n.x > 0 ? box->lo[0] : box->hi[0], n.y > 0 ? box->lo[1] : box->hi[1],
                          n.z > 0 ? box->lo[2] : box->hi[2]);
    lode_vec3 sizes = v3_add(v3_abs(p), v3_abs(lowest));
    lode_real rounding = 8 * REAL_EPSILON *
                         (sizes.x + sizes.y + sizes.z + r_abs(geometry->size[3]));
    return v3_dot(n, v3_sub(lowest, p)) - geometry->size[3] <= query->plane_reach + rounding;
}

bool lode__bounds_meet(const lode__pair_query *query, const lode__pair *pair)
{
    const lode__tree *tree = &query->collide->tree;
    uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair);
    if (!lode__tree_has(tree, a))
        return plane_reaches(query, a, lode__tree_leaf(tree, b));
    if (!lode__tree_has(tree, b))
        return plane_reaches(query, b, lode__tree_leaf(tree, a));
    return lode__node_overlaps(lode__tree_leaf(tree, a), lode__tree_leaf(tree, b));
}

static void add(const lode__pair_query *query, lode__pair_list *list, uint32_t a, uint32_t b)
{
    if (list->failed || !may_pair(query, a, b))
        return;
    if (!lode__grow((void **)&list->keys, &list->capacity, list->count + 1, sizeof(uint64_t))) {
        list->failed = true;
        return;
    }
    list->keys[list->count++] = lode__pair_key(a, b);
}

/* --- moved shapes ask */

/* One shape's question. */
typedef struct question {
    const lode__pair_query *query;
    lode__pair_list *list;
    uint32_t shape;
} question;

/* Of two shapes that moved, the lower finds the pair. */
static void found_shape(const question *q, uint32_t other)
{
    const lode__bits *moved = &q->query->collide->moved;
    if (other > q->shape || (other < q->shape && !lode__bits_get(moved, other)))
        add(q->query, q->list, q->shape, other);
}

/* All of an entry of the tree that meets the asking shape's box. */
static void found_entry(void *context, const lode__node *entry)
{
    const question *q = context;
    const lode__tree *tree = &q->query->collide->tree;
    uint32_t top = (uint32_t)(entry - tree->nodes), cursor = top, other;
    const lode__node *leaf = lode__tree_leaf(tree, q->shape);
    while ((other = lode__tree_next_under(tree, top, leaf, &cursor)) != LODE__NONE)
        found_shape(q, other);
}

static void ask_shape(const ask_run *run, lode__pair_list *list, uint32_t shape)
{
    const lode__collide *collide = run->query->collide;
    const lode__node *leaf = lode__tree_leaf(&collide->tree, shape);
    question q = {run->query, list, shape};
    uint32_t cursor = 0, other;
    if (run->index)
        collide->method->query(run->index, leaf, found_entry, &q);
    else
        while ((other = lode__tree_next(&collide->tree, leaf, &cursor)) != LODE__NONE)
            found_shape(&q, other);
    for (uint32_t i = 0; i < collide->unbounded_count; ++i) {
        uint32_t plane = collide->unbounded[i];
        if (!lode__bits_get(&collide->disabled, plane) && plane_reaches(run->query, plane, leaf))
            add(run->query, list, shape, plane);
    }
}

/* A moved plane finds the bounded shapes that did not move. */
static void ask_plane(const lode__pair_query *query, lode__pair_list *list, uint32_t plane)
{
    const lode__tree *tree = &query->collide->tree;
    const lode__bits *alive = &query->collide->shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        if (lode__tree_has(tree, s) && !lode__bits_get(&query->collide->moved, s) &&
            plane_reaches(query, plane, lode__tree_leaf(tree, s)))
            add(query, list, plane, s);
}

static void ask_shapes(void *context, uint32_t begin, uint32_t end)
{
    const ask_run *run = context;
    lode__pair_list *list = &run->lists[begin / GRAIN];
    list->count = 0;
    list->failed = false;
    for (uint32_t i = begin; i < end; ++i) {
        if (lode__tree_has(&run->query->collide->tree, run->moved[i]))
            ask_shape(run, list, run->moved[i]);
        else
            ask_plane(run->query, list, run->moved[i]);
    }
}

/* The boxes of all entries, for the method that finds pairs; false: out of memory. */
static bool build_index(const lode__collide *collide, lode__arena *arena, const void **out)
{
    const lode__tree *tree = &collide->tree;
    *out = NULL;
    if (!collide->method || tree->count == 0)
        return true;
    const lode__node **items = LODE__TAKE(arena, const lode__node *, tree->count);
    lode__boxes boxes = {items, 0, {collide->axes[0], collide->axes[1], collide->axes[2]}};
    if (!items)
        return false;
    for (uint32_t shape = 0; shape < tree->leaf_capacity; ++shape) {
        if (!lode__tree_has(tree, shape))
            continue;
        uint32_t group = lode__tree_group(tree, shape), n = tree->leaf_of[shape];
        if (group == LODE__NONE)
            items[boxes.count++] = &tree->nodes[n];
        else if (tree->group_leaf[group] == shape)
            items[boxes.count++] = &tree->nodes[lode__tree_entry(tree, n)];
    }
    *out = collide->method->build(&boxes, arena);
    return *out;
}

static bool reserve_lists(lode__pairs *pairs, uint32_t count)
{
    uint32_t old = pairs->list_count;
    if (!lode__grow((void **)&pairs->lists, &pairs->list_count, count, sizeof *pairs->lists))
        return false;
    for (uint32_t i = old; i < pairs->list_count; ++i)
        pairs->lists[i] = (lode__pair_list){0};
    return true;
}

bool lode__pairs_ask(const lode__pair_query *query, lode__pairs *pairs, uint32_t moved,
                     const lode__step *step, uint32_t *out_lists)
{
    uint32_t *slots = LODE__TAKE(step->arena, uint32_t, moved);
    uint32_t lists = *out_lists = (moved + GRAIN - 1) / GRAIN;
    ask_run run = {.query = query, .moved = slots};
    if (!slots || !reserve_lists(pairs, lists) ||
        !build_index(query->collide, step->arena, &run.index))
        return false;
    lode__bits_list(&query->collide->moved, slots);
    run.lists = pairs->lists;
    lode__tasks_run(step->tasks, moved, GRAIN, ask_shapes, &run);
    return true;
}

/* fresh.c: the tree as queries need it, between steps.
 *
 * A step's tree says where shapes were when the step began. Bodies have moved since, by the step or
 * by the application, and shapes may be new or changed. Nobody pays for that who does not ask: the
 * first query after a change, and only that one, looks at the shapes that may have left their fat
 * bounds. These are the active ones, those that the next step places anyway, and those that have
 * come to rest since a query looked last.
 *
 * A shape that did leave gets new fat bounds, and is marked as moved as the bounds stage would have
 * done, so that the next step looks for its pairs afresh. Fat bounds decide about no result, so
 * neither does a query.
 *
 * Queries may run on several threads. Whoever comes first places the shapes, under a lock; others
 * wait for it. Calls that change the world never overlap with queries, so the flag that says "all
 * is placed" is only ever cleared while no query runs. */
#include "collide/place.h"
#include "core/math.h"
#include "core/os.h"

/* A wide tree is made for as many shapes to a ray as it saves the making of. */
enum { SHAPES_A_RAY = 16 };

/* As in bounds.c: the most that the margin may be of a shape's size. */
#define MARGIN_SHARE ((lode_real)0.05)

typedef struct place_run {
    lode__collide *collide;
    const lode__pool *bodies;
    lode_real margin;
    lode__arena *arena;
    uint32_t *shapes; /* that left; null: there was no memory for lists */
    lode__aabb *fat;
    uint32_t count;
} place_run;

/* Bounds that are no numbers, of a body gone NaN, count as contained: no query meets them. */
static bool leaves(const lode__node *leaf, const lode__aabb *bounds)
{
    for (int i = 0; i < 3; ++i)
        if (bounds->lo[i] < leaf->lo[i] || bounds->hi[i] > leaf->hi[i])
            return true;
    return false;
}

static lode__aabb fatten(lode__aabb bounds, lode_real most)
{
    for (int i = 0; i < 3; ++i) {
        lode_real margin = r_min(most, (bounds.hi[i] - bounds.lo[i]) * MARGIN_SHARE);
        bounds.lo[i] -= margin;
        bounds.hi[i] += margin;
    }
    return bounds;
}

static void place_shape(place_run *run, uint32_t shape)
{
    lode__collide *collide = run->collide;
    const lode__geometry *geometry = LODE__AT(shape, &collide->shapes, geometry, shape);
    if (!shape_is_bounded(geometry))
        return;
    lode__place place = lode__place_of(collide, run->bodies, shape);
    lode__aabb bounds = lode__bounds_at(&place, geometry->type);
    if (lode__tree_has(&collide->tree, shape) &&
        !leaves(lode__tree_leaf(&collide->tree, shape), &bounds))
        return;
    bounds = fatten(bounds, run->margin);
    lode__bits_set(&collide->moved, shape);
    if (!run->shapes) {
        lode__tree_update(&collide->tree, &shape, &bounds, 1, NULL, run->arena);
        return;
    }
    run->shapes[run->count] = shape;
    run->fat[run->count++] = bounds;
}

static uint64_t word_to_place(const lode__collide *collide, uint32_t word)
{
    return (collide->active.words[word] | collide->moved.words[word] |
            collide->unplaced.words[word]) &
           ~collide->disabled.words[word];
}

static void take_lists(place_run *run, uint32_t words)
{
    uint32_t most = 0;
    for (uint32_t word = 0; word < words; ++word)
        most += (uint32_t)__builtin_popcountll(word_to_place(run->collide, word));
    run->shapes = LODE__TAKE(run->arena, uint32_t, most);
    run->fat = LODE__TAKE(run->arena, lode__aabb, most);
    if (!run->fat)
        run->shapes = NULL;
}

static void place_all(place_run *run)
{
    lode__collide *collide = run->collide;
    uint32_t words = (collide->shapes.end + 63) / 64;
    lode__arena_mark mark = lode__arena_mark_now(run->arena);
    lode__wide_drop(&collide->wide);
    take_lists(run, words);
    for (uint32_t word = 0; word < words; ++word) {
        uint64_t left = word_to_place(collide, word);
        for (; left; left &= left - 1)
            place_shape(run, (word << 6) + (uint32_t)__builtin_ctzll(left));
        collide->unplaced.words[word] = 0;
    }
    if (run->count > 0)
        lode__tree_update(&collide->tree, run->shapes, run->fat, run->count, NULL, run->arena);
    lode__arena_rollback(run->arena, mark);
}

void lode__collide_place(lode__collide *collide, const lode__pool *bodies, lode__arena *arena,
                         const lode_world_def *settings)
{
    if (lode__collide_is_placed(collide))
        return;
    while (atomic_flag_test_and_set_explicit(&collide->placing, memory_order_acquire))
        lode__os_yield();
    if (!atomic_load_explicit(&collide->placed, memory_order_relaxed)) {
        place_run run = {.collide = collide,
                         .bodies = bodies,
                         .margin = LODE__FAT_MARGIN(settings),
                         .arena = arena};
        place_all(&run);
        atomic_store_explicit(&collide->placed, true, memory_order_release);
    }
    atomic_flag_clear_explicit(&collide->placing, memory_order_release);
}

/* Who comes while another makes the tree does without it. */
void lode__collide_widen(lode__collide *collide, const lode__pool *bodies, int rays)
{
    lode__wide_tree *wide = &collide->wide;
    uint32_t worth = collide->tree.count / SHAPES_A_RAY;
    if (lode__collide_is_wide(collide))
        return;
    if (atomic_fetch_add_explicit(&wide->asked, (uint32_t)rays, memory_order_relaxed) +
                (uint32_t)rays <
            worth ||
        atomic_flag_test_and_set_explicit(&collide->placing, memory_order_acquire))
        return;
    if (!atomic_load_explicit(&wide->ready, memory_order_relaxed)) {
        bool made = lode__wide_build(wide, collide, bodies);
        atomic_store_explicit(&wide->ready, made, memory_order_release);
        atomic_store_explicit(&wide->asked, 0, memory_order_relaxed);
    }
    atomic_flag_clear_explicit(&collide->placing, memory_order_release);
}

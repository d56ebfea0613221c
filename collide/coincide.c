/* coincide.c: see coincide.h.
 *
 * Looked at are pairs with a shape whose body has several (`joined`): no other world pays. Their
 * manifolds are sorted by their two bodies, each group's points by a coordinate, and a point looks
 * for another within reach that belongs to an earlier pair, has the same normal, and whose surfaces
 * rub and bounce alike. Points are seen from the body with the lower slot, whichever body is a.
 *
 * A point that was merged away starts from nothing when it is found again; what it had is with the
 * other. So the second run of a stage, like the next step, merges it again and adds nothing. */
#include "collide/coincide.h"

#include "collide/mix.h"
#include "core/math.h"
#include "core/sort.h"

#include <string.h>

/* Cosine between normals that are one, and how near two places are that are one, of the speculative
 * margin. */
#define ONE_NORMAL ((lode_real)0.9999)
#define ONE_PLACE ((lode_real)0.25)

enum { COINCIDE_GRAIN = 128, FEW_SPOTS = 48 };

/* A manifold of the group, and a point of it. */
typedef struct spot {
    lode_vec3 position; /* from the lower body's centre of mass */
    lode_vec3 normal;   /* into the lower body */
    lode__manifold *manifold;
    uint32_t place; /* among the points by coordinate */
    int point;
    bool merged;
} spot;

/* Arrays of points have four places for each manifold, in the order of groups; so groups are worked
 * through in parallel. */
typedef struct coincide {
    lode__collide *collide;
    lode_real reach;
    lode__manifold **manifolds; /* with points, in pair order */
    lode__pair **pairs;         /* theirs */
    uint64_t *groups;           /* of manifolds, ascending */
    uint32_t *order;            /* manifolds by group */
    uint32_t count;
    spot *spots; /* in pair order within a group */
    uint64_t *keys, *scratch_keys;
    uint32_t *by_place, *scratch; /* spots, by coordinate */
} coincide;

/* The part of the arrays that a group has. */
typedef struct group {
    const coincide *c;
    uint32_t begin, end; /* manifolds */
    spot *spots;
    uint64_t *keys;
    uint32_t *by_place;
    uint32_t count; /* of spots */
} group;

static bool is_joined(const lode__collide *collide, const lode__pair *pair)
{
    return lode__bits_get(&collide->joined, lode__pair_a(pair)) ||
           lode__bits_get(&collide->joined, lode__pair_b(pair));
}

/* --- which manifolds */

static uint32_t count_manifolds(const lode__collide *collide)
{
    const lode__pairs *pairs = &collide->pairs;
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->count; ++i) {
        uint32_t slot = pairs->items[i].manifold;
        if (pairs->items[i].points > 0 && is_joined(collide, &pairs->items[i]))
            while (lode__many_next(collide, &slot))
                ++count;
    }
    return count;
}

static bool take_memory(coincide *c, uint32_t count, lode__arena *arena)
{
    uint32_t points = count * LODE__MANIFOLD_POINTS;
    c->manifolds = LODE__TAKE(arena, lode__manifold *, count);
    c->pairs = LODE__TAKE(arena, lode__pair *, count);
    c->groups = LODE__TAKE(arena, uint64_t, count);
    c->order = LODE__TAKE(arena, uint32_t, count);
    c->spots = LODE__TAKE(arena, spot, points);
    c->by_place = LODE__TAKE(arena, uint32_t, points);
    c->keys = LODE__TAKE(arena, uint64_t, points);
    c->scratch_keys = LODE__TAKE(arena, uint64_t, points);
    c->scratch = LODE__TAKE(arena, uint32_t, points);
    return c->manifolds && c->pairs && c->groups && c->order && c->spots && c->by_place &&
           c->keys && c->scratch_keys && c->scratch;
}

static uint64_t bodies_of(const lode__manifold *m)
{
    return lode__pair_key(m->body_a, m->body_b);
}

static void collect(coincide *c)
{
    lode__pair_walk walk = lode__pairs_walk(&c->collide->pairs);
    lode__pair *pair;
    while ((pair = lode__pairs_next(&c->collide->pairs, &walk))) {
        uint32_t slot = pair->manifold;
        lode__manifold *m;
        if (pair->points == 0 || !is_joined(c->collide, pair))
            continue;
        while ((m = lode__many_next(c->collide, &slot))) {
            c->groups[c->count] = bodies_of(m);
            c->order[c->count] = c->count;
            c->pairs[c->count] = pair;
            c->manifolds[c->count++] = m;
        }
    }
    lode__sort(c->groups, c->order, c->scratch_keys, c->scratch, c->count);
}

/* --- the points of a group */

/* Rises with the number. */
static uint64_t rising(lode_real x)
{
    double wide = (double)x;
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static spot make_spot(lode__manifold *m, int point)
{
    bool low = m->body_a < m->body_b;
    lode_vec3 position = m->points[point].position;
    return (spot){
        .position = low ? position : v3_add(position, m->offset),
        .normal = low ? m->normal : v3_neg(m->normal),
        .manifold = m,
        .point = point,
    };
}

/* Most groups are two manifolds, for which a sort by digits is too much. */
static void sort_places(group *g)
{
    uint32_t first = g->begin * LODE__MANIFOLD_POINTS;
    if (g->count > FEW_SPOTS) {
        lode__sort(g->keys, g->by_place, g->c->scratch_keys + first, g->c->scratch + first,
                   g->count);
        return;
    }
    for (uint32_t i = 1; i < g->count; ++i) {
        uint64_t key = g->keys[i];
        uint32_t spot = g->by_place[i], k = i;
        for (; k > 0 && g->keys[k - 1] > key; --k) {
            g->keys[k] = g->keys[k - 1];
            g->by_place[k] = g->by_place[k - 1];
        }
        g->keys[k] = key;
        g->by_place[k] = spot;
    }
}

static void list_spots(group *g)
{
    for (uint32_t i = g->begin; i < g->end; ++i) {
        lode__manifold *m = g->c->manifolds[g->c->order[i]];
        for (int k = 0; k < m->point_count; ++k) {
            spot *s = &g->spots[g->count];
            *s = make_spot(m, k);
            g->keys[g->count] = rising(s->position.x + s->position.y);
            g->by_place[g->count] = g->count;
            ++g->count;
        }
    }
    sort_places(g);
    for (uint32_t i = 0; i < g->count; ++i)
        g->spots[g->by_place[i]].place = i;
}

/* Of the same two materials, in either order. */
static bool are_of_materials(const lode__collide *collide, const lode__manifold *a,
                             const lode__manifold *b)
{
    uint32_t of_a[2], of_b[2];
    lode__manifold_materials(collide, a, of_a);
    lode__manifold_materials(collide, b, of_b);
    return (of_a[0] == of_b[0] && of_a[1] == of_b[1]) || (of_a[0] == of_b[1] && of_a[1] == of_b[0]);
}

static bool are_alike(const lode__collide *collide, const lode__manifold *a,
                      const lode__manifold *b)
{
    const lode__pool *shapes = &collide->shapes;
    const lode__surface *s[4] = {
        LODE__AT(shape, shapes, surface, a->shape_a), LODE__AT(shape, shapes, surface, a->shape_b),
        LODE__AT(shape, shapes, surface, b->shape_a), LODE__AT(shape, shapes, surface, b->shape_b)};
    return s[0]->friction * s[1]->friction == s[2]->friction * s[3]->friction &&
           r_max(s[0]->restitution, s[1]->restitution) ==
               r_max(s[2]->restitution, s[3]->restitution) &&
           are_of_materials(collide, a, b) && !manifold_says_more(shapes, a) &&
           !manifold_says_more(shapes, b);
}

static bool are_one(const coincide *c, const spot *a, const spot *b)
{
    lode_vec3 apart = v3_sub(a->position, b->position);
    bool same_pair = a->manifold->shape_a == b->manifold->shape_a &&
                     a->manifold->shape_b == b->manifold->shape_b;
    return !same_pair && v3_dot(apart, apart) < c->reach * c->reach &&
           v3_dot(a->normal, b->normal) > ONE_NORMAL &&
           are_alike(c->collide, a->manifold, b->manifold);
}

/* The first spot in pair order, before this one and not merged, that is one with it; or null. */
static spot *find_first(const group *g, const spot *s)
{
    spot *best = NULL;
    /* two places within reach differ by no more than twice as much in the sum of two coordinates */
    lode_real at = s->position.x + s->position.y, reach = 2 * g->c->reach;
    for (int way = -1; way <= 1; way += 2)
        for (uint32_t i = s->place + (uint32_t)way; i < g->count; i += (uint32_t)way) {
            spot *other = &g->spots[g->by_place[i]];
            if (!(r_abs(other->position.x + other->position.y - at) <= reach))
                break;
            if (other < s && (!best || other < best) && !other->merged && are_one(g->c, s, other))
                best = other;
        }
    return best;
}

/* --- merging */

static bool has_other_spot(const spot *s, const spot *begin, const spot *end)
{
    for (const spot *other = s; other-- > begin && other->manifold == s->manifold;)
        if (!other->merged)
            return true;
    for (const spot *other = s + 1; other < end && other->manifold == s->manifold; ++other)
        if (!other->merged)
            return true;
    return false;
}

/* Friction belongs to directions that follow from the normal's sign: it stays where they agree. */
static void merge_into(spot *into, spot *from)
{
    lode__point *a = &into->manifold->points[into->point];
    lode__point *b = &from->manifold->points[from->point];
    bool same = v3_dot(into->manifold->normal, from->manifold->normal) > 0;
    for (int i = 0; i < (same ? 3 : 1); ++i)
        a->impulse[i] += b->impulse[i];
    for (int i = 0; i < 3; ++i)
        b->impulse[i] = b->exerted[i] = 0;
    a->depth = r_max(a->depth, b->depth);
    from->merged = true;
}

/* Takes the merged points out of the manifold that spots begin..end-1 are of. */
static uint32_t close_up(spot *begin, const spot *end)
{
    lode__manifold *m = begin->manifold;
    int kept = 0;
    for (spot *s = begin; s < end; ++s)
        if (!s->merged)
            m->points[kept++] = m->points[s->point];
    uint32_t gone = (uint32_t)(m->point_count - kept);
    m->point_count = kept;
    return gone;
}

static void merge_group(group *g)
{
    spot *s = g->spots;
    list_spots(g);
    for (; s < g->spots + g->count; ++s) {
        spot *first = find_first(g, s);
        if (first && has_other_spot(s, g->spots, g->spots + g->count))
            merge_into(first, s);
    }
    s = g->spots;
    for (uint32_t i = g->begin; i < g->end; ++i) {
        lode__pair *pair = g->c->pairs[g->c->order[i]];
        spot *end = s + g->c->manifolds[g->c->order[i]]->point_count;
        if (s < end && pair->points < UINT16_MAX)
            pair->points = (uint16_t)(pair->points - close_up(s, end));
        s = end;
    }
}

/* The groups that begin within the range. */
static void merge_groups(void *context, uint32_t begin, uint32_t end)
{
    const coincide *c = context;
    for (uint32_t i = begin; i < end; ++i) {
        uint32_t last = i;
        if (i > 0 && c->groups[i - 1] == c->groups[i])
            continue;
        while (last + 1 < c->count && c->groups[last + 1] == c->groups[i])
            ++last;
        group g = {.c = c,
                   .begin = i,
                   .end = last + 1,
                   .spots = c->spots + (size_t)i * LODE__MANIFOLD_POINTS,
                   .keys = c->keys + (size_t)i * LODE__MANIFOLD_POINTS,
                   .by_place = c->by_place + (size_t)i * LODE__MANIFOLD_POINTS};
        if (last > i)
            merge_group(&g);
    }
}

bool lode__coincide_run(lode__collide *collide, const lode__step *step)
{
    if (lode__bits_end(&collide->joined) == 0)
        return true;
    coincide c = {.collide = collide, .reach = LODE__SPECULATIVE(step->settings) * ONE_PLACE};
    lode__arena_mark mark = lode__arena_mark_now(step->arena);
    if (!take_memory(&c, count_manifolds(collide), step->arena))
        return false;
    collect(&c);
    lode__tasks_run(step->tasks, c.count, COINCIDE_GRAIN, merge_groups, &c);
    lode__arena_rollback(step->arena, mark);
    return true;
}

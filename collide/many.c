/* many.c: keeping the manifolds of pairs that have many; see many.h. What they are made of is found
 * in many_touch.c. */
#include "collide/collide.h"
#include "core/fetch.h"
#include "core/memory.h"

#include <stddef.h>
#include <string.h>

/* Points of two steps belong together if their normals are within this cosine, and of several those
 * with the nearest normal. */
#define SAME_SIDE ((lode_real)0.9)

/* Memory is asked for so many pairs before it is needed. */
enum { FETCH_AHEAD = 4 };

void lode__many_list_free(lode__many_list *list)
{
    lode__free(list->pairs, list->pair_capacity * sizeof *list->pairs);
    lode__free(list->clusters, list->cluster_capacity * sizeof *list->clusters);
    lode__mesh_points_free(&list->points);
    lode__free(list->deepest.items, list->deepest.capacity * sizeof *list->deepest.items);
    lode__estates_free(&list->estates);
}

void lode__many_free(lode__many *many)
{
    for (uint32_t i = 0; i < many->list_capacity; ++i)
        lode__many_list_free(&many->lists[i]);
    lode__free(many->lists, many->list_capacity * sizeof *many->lists);
    lode__free(many->old, many->old_capacity * sizeof *many->old);
    lode__estates_free(&many->left_out);
    lode__near_lists_free(&many->near);
    *many = (lode__many){0};
}

size_t lode__many_bytes(const lode__many *many)
{
    size_t bytes = many->list_capacity * sizeof *many->lists +
                   many->old_capacity * sizeof *many->old +
                   many->left_out.capacity * sizeof *many->left_out.items +
                   lode__near_lists_bytes(&many->near);
    for (uint32_t i = 0; i < many->list_capacity; ++i) {
        const lode__many_list *list = &many->lists[i];
        bytes += list->pair_capacity * sizeof *list->pairs +
                 list->cluster_capacity * sizeof *list->clusters +
                 list->estates.capacity * sizeof *list->estates.items +
                 list->deepest.capacity * sizeof *list->deepest.items +
                 lode__mesh_points_bytes(&list->points);
    }
    return bytes;
}

bool lode__many_begin(lode__many *many, uint32_t blocks)
{
    uint32_t old = many->list_capacity;
    if (!lode__grow((void **)&many->lists, &many->list_capacity, blocks, sizeof *many->lists))
        return false;
    for (uint32_t i = old; i < many->list_capacity; ++i)
        many->lists[i] = (lode__many_list){0};
    for (uint32_t i = 0; i < blocks; ++i) {
        many->lists[i].pair_count = many->lists[i].cluster_count = 0;
        many->lists[i].failed = false;
    }
    return true;
}

/* --- of one block */

lode__many_pair *lode__many_add_pair(lode__many_list *list, uint32_t pair)
{
    if (list->failed || !lode__grow((void **)&list->pairs, &list->pair_capacity,
                                    list->pair_count + 1, sizeof *list->pairs)) {
        list->failed = true;
        return NULL;
    }
    list->pairs[list->pair_count] = (lode__many_pair){.pair = pair, .first = list->cluster_count};
    return &list->pairs[list->pair_count++];
}

lode__cluster *lode__many_add_cluster(lode__many_list *list)
{
    if (list->failed || !lode__grow((void **)&list->clusters, &list->cluster_capacity,
                                    list->cluster_count + 1, sizeof *list->clusters)) {
        list->failed = true;
        return NULL;
    }
    list->clusters[list->cluster_count].count = 0;
    return &list->clusters[list->cluster_count++];
}

/* --- chains */

static uint32_t *next_of(const lode__collide *collide, uint32_t slot)
{
    return LODE__AT(manifold, &collide->manifolds, next, slot);
}

lode__manifold *lode__many_next(const lode__collide *collide, uint32_t *slot)
{
    if (*slot == LODE__NONE)
        return NULL;
    lode__manifold *m = LODE__AT(manifold, &collide->manifolds, manifold, *slot);
    *slot = *next_of(collide, *slot);
    return m;
}

void lode__many_remove(lode__collide *collide, uint32_t first)
{
    while (first != LODE__NONE) {
        uint32_t next = *next_of(collide, first);
        lode__pool_remove(&collide->manifolds, first);
        first = next;
    }
}

static uint32_t chain_length(const lode__collide *collide, uint32_t slot)
{
    uint32_t count = 0;
    while (lode__many_next(collide, &slot))
        ++count;
    return count;
}

/* --- impulses */

/* The point that had this feature, on the side that is nearest. */
static const lode__point *find_old(const lode__manifold *old, uint32_t count, lode_vec3 normal,
                                   uint32_t feature)
{
    const lode__point *best = NULL;
    lode_real alike = SAME_SIDE;
    for (uint32_t i = 0; i < count; ++i) {
        lode_real dot = v3_dot(old[i].normal, normal);
        for (int k = 0; k < old[i].point_count && dot > alike; ++k)
            if (old[i].points[k].feature == feature) {
                best = &old[i].points[k];
                alike = dot;
                break;
            }
    }
    return best;
}

static void write_cluster(lode__manifold *m, const lode__cluster *cluster, lode_vec3 apart,
                          const lode__manifold *old, uint32_t old_count)
{
    m->offset = apart;
    m->normal = cluster->normal;
    m->point_count = cluster->count;
    m->idle = 0;
    for (int k = 0; k < cluster->count; ++k) {
        const lode__point *before = find_old(old, old_count, cluster->normal,
                                             cluster->points[k].feature);
        m->points[k] = cluster->points[k];
        for (int i = 0; i < 3; ++i) {
            m->points[k].impulse[i] = before ? before->impulse[i] : 0;
            m->points[k].exerted[i] = before ? before->exerted[i] : 0;
        }
    }
}

/* --- after all blocks */

static uint32_t add_manifold(lode__collide *collide, const lode__manifold *first)
{
    uint32_t slot = lode__pool_add(&collide->manifolds);
    lode__manifold *m = LODE__AT(manifold, &collide->manifolds, manifold, slot);
    m->shape_a = first->shape_a;
    m->shape_b = first->shape_b;
    m->body_a = first->body_a;
    m->body_b = first->body_b;
    m->turned = first->turned;
    *next_of(collide, slot) = LODE__NONE;
    return slot;
}

/* Has the pair got a point that took up what this one bore? */
static bool is_continued(const lode__many_list *list, const lode__many_pair *found,
                         lode_vec3 normal, uint32_t feature)
{
    for (uint32_t i = 0; i < found->count; ++i) {
        const lode__cluster *cluster = &list->clusters[found->first + i];
        for (int k = 0; k < cluster->count; ++k)
            if (cluster->points[k].feature == feature &&
                v3_dot(cluster->normal, normal) > SAME_SIDE)
                return true;
    }
    return false;
}

static void add_estates(lode__many_list *list, const lode__many_pair *found,
                        const lode__pool *bodies, const lode__manifold *old, uint32_t old_count)
{
    for (uint32_t i = 0; i < old_count; ++i)
        for (int k = 0; k < old[i].point_count; ++k)
            if (!is_continued(list, found, old[i].normal, old[i].points[k].feature))
                lode__estates_add(&list->estates, bodies, &old[i], k);
}

/* All that it says; points that it has not are not copied. */
static void copy_manifold(lode__manifold *to, const lode__manifold *from)
{
    memcpy(to, from, offsetof(lode__manifold, points));
    for (int k = 0; k < from->point_count; ++k)
        to->points[k] = from->points[k];
}

/* The first manifold stays, without points if there are none. */
static void write_pair(lode__collide *collide, lode__many_list *list, const lode__many_pair *found,
                       const lode__pool *bodies, bool inherits)
{
    lode__pair *pair = &collide->pairs.items[found->pair];
    lode__manifold *old = collide->many.old, *first, *m;
    uint32_t at = pair->manifold, old_count = 0, points = 0;
    while ((m = lode__many_next(collide, &at)))
        copy_manifold(&old[old_count++], m);
    if (inherits)
        add_estates(list, found, bodies, old, old_count);
    first = LODE__AT(manifold, &collide->manifolds, manifold, pair->manifold);
    uint32_t last = pair->manifold;
    for (uint32_t i = 0; i < found->count; ++i) {
        const lode__cluster *cluster = &list->clusters[found->first + i];
        if (i > 0 && *next_of(collide, last) == LODE__NONE)
            *next_of(collide, last) = add_manifold(collide, first);
        last = i > 0 ? *next_of(collide, last) : last;
        write_cluster(LODE__AT(manifold, &collide->manifolds, manifold, last), cluster,
                      found->apart, old, old_count);
        points += (uint32_t)cluster->count;
    }
    if (found->count == 0)
        first->point_count = 0;
    lode__many_remove(collide, *next_of(collide, last));
    *next_of(collide, last) = LODE__NONE;
    pair->points = (uint16_t)(points < UINT16_MAX ? points : UINT16_MAX);
    collide->chains = collide->chains || (found->count > 1 && !cell_is_many(pair->cell));
}

/* How many manifolds must be added, and the longest chain there is. False: a list lacks memory. */
static bool count_needs(const lode__collide *collide, uint32_t blocks, bool inherits,
                        uint32_t *out_new, uint32_t *out_longest)
{
    *out_new = *out_longest = 0;
    for (uint32_t i = 0; i < blocks; ++i) {
        lode__many_list *list = &collide->many.lists[i];
        uint32_t all = 0;
        if (list->failed)
            return false;
        for (uint32_t k = 0; k < list->pair_count; ++k) {
            const lode__many_pair *found = &list->pairs[k];
            uint32_t length = chain_length(collide, collide->pairs.items[found->pair].manifold);
            *out_new += found->count > length ? found->count - length : 0;
            *out_longest = length > *out_longest ? length : *out_longest;
            all += length;
        }
        if (inherits && !lode__estates_reserve(&list->estates, all * LODE__MANIFOLD_POINTS))
            return false;
    }
    return true;
}

LODE__FETCHER void fetch_manifold(const lode__collide *collide, uint32_t slot)
{
    const char *m = (const char *)LODE__AT(manifold, &collide->manifolds, manifold, slot);
    for (size_t i = 0; i < sizeof(lode__manifold); i += 64)
        __builtin_prefetch(m + i, 1);
}

/* The manifolds of a pair that is soon written to: the first, and sooner the one behind it. */
LODE__FETCHER void fetch_later(const lode__collide *collide, const lode__many_list *list,
                               uint32_t k)
{
    if (k + FETCH_AHEAD < list->pair_count) {
        uint32_t pair = list->pairs[k + FETCH_AHEAD].pair;
        fetch_manifold(collide, collide->pairs.items[pair].manifold);
    }
    if (k + FETCH_AHEAD / 2 < list->pair_count) {
        uint32_t pair = list->pairs[k + FETCH_AHEAD / 2].pair;
        uint32_t next = *next_of(collide, collide->pairs.items[pair].manifold);
        if (next != LODE__NONE)
            fetch_manifold(collide, next);
    }
}

bool lode__many_finish(lode__collide *collide, const lode__pool *bodies, uint32_t blocks,
                       bool inherits)
{
    lode__many *many = &collide->many;
    uint32_t fresh, longest;
    if (!count_needs(collide, blocks, inherits, &fresh, &longest) ||
        !lode__pool_reserve(&collide->manifolds, fresh) ||
        !lode__grow((void **)&many->old, &many->old_capacity, longest, sizeof *many->old))
        return false;
    for (uint32_t i = 0; i < blocks; ++i) {
        lode__many_list *list = &many->lists[i];
        for (uint32_t k = 0; k < list->pair_count; ++k) {
            fetch_later(collide, list, k);
            write_pair(collide, list, &list->pairs[k], bodies, inherits);
            if (list->pairs[k].wants_list)
                lode__near_lists_add(&many->near,
                                     collide->pairs.items[list->pairs[k].pair].manifold);
        }
    }
    return true;
}

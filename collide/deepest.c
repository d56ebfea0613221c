/* deepest.c: see deepest.h. Those that are kept lie in front. */
#include "collide/deepest.h"

#include "collide/mesh_touch.h"
#include "core/math.h"
#include "core/memory.h"

/* Cosine of the angle between normals of one point; by how much less far is as far. */
/* Of the margin: as deep, as for clusters (many_cluster.c), so that soft contacts, which sink by
 * less, do not rock what stands on some of many corners; and one place. */
#define AS_DEEP ((lode_real)0.05)
#define ONE_PLACE ((lode_real)0.01)

#define ALIKE ((lode_real)0.995)
#define AS_FAR ((lode_real)0.98)

bool lode__two_list_add(lode__two_list *list, const lode__two_point *point)
{
    if (!lode__grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = *point;
    return true;
}

static void swap(lode__two_list *list, uint32_t i, uint32_t k)
{
    lode__two_point kept = list->items[i];
    list->items[i] = list->items[k];
    list->items[k] = kept;
}

/* Is it one point with one of the first `kept`? */
static bool is_there(const lode__two_list *list, uint32_t kept, uint32_t i, lode_real same)
{
    for (uint32_t k = 0; k < kept; ++k) {
        const lode__two_point *p = &list->items[k], *q = &list->items[i];
        lode_vec3 apart = v3_sub(p->point.position, q->point.position);
        bool named = p->point.feature == q->point.feature && q->point.feature >= MESH_BY_EDGE;
        if ((named || v3_dot(apart, apart) <= same * same) && v3_dot(p->normal, q->normal) > ALIKE)
            return true;
    }
    return false;
}

/* Which of two comes first if nothing else tells them apart. */
static bool is_before(const lode__two_point *a, const lode__two_point *b)
{
    return a->point.feature != b->point.feature ? a->point.feature < b->point.feature
                                                : a->index < b->index;
}

typedef bool order_fn(const lode__two_point *a, const lode__two_point *b);

static bool is_deeper(const lode__two_point *a, const lode__two_point *b)
{
    return a->point.depth != b->point.depth ? a->point.depth > b->point.depth : is_before(a, b);
}

static bool is_listed_before(const lode__two_point *a, const lode__two_point *b)
{
    return a->index < b->index;
}

/* Shell's sort with the gaps of Ciura (2001): mostly there are few. */
static void sort(lode__two_list *list, order_fn *is_first)
{
    static const uint32_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; ++g)
        for (uint32_t i = gaps[g]; i < list->count; ++i) {
            lode__two_point p = list->items[i];
            uint32_t k = i;
            for (; k >= gaps[g] && is_first(&p, &list->items[k - gaps[g]]); k -= gaps[g])
                list->items[k] = list->items[k - gaps[g]];
            list->items[k] = p;
        }
}

/* Moves the deepest to the front, one after another; how many there are. */
static uint32_t take_deepest(lode__two_list *list, uint32_t most, lode_real same)
{
    uint32_t kept = 0;
    sort(list, is_deeper);
    for (uint32_t i = 0; i < list->count && kept < most; ++i)
        if (!is_there(list, kept, i, same))
            swap(list, kept++, i);
    return kept;
}

lode_real lode__two_list_distance(const lode__two_list *list, uint32_t kept, uint32_t i)
{
    lode_real least = REAL_MAX;
    for (uint32_t k = 0; k < kept; ++k) {
        lode_vec3 apart = v3_sub(list->items[i].point.position, list->items[k].point.position);
        least = r_min(least, v3_dot(apart, apart));
    }
    return least;
}

/* Of those that are as far as the farthest, the one that is named first; `count` if all are in
 * places that are kept. */
static uint32_t find_farthest(const lode__two_list *list, uint32_t kept, uint32_t end)
{
    lode_real most = 0;
    uint32_t best = end;
    for (uint32_t i = kept; i < end; ++i)
        most = r_max(most, lode__two_list_distance(list, kept, i));
    for (uint32_t i = kept; i < end; ++i)
        if (lode__two_list_distance(list, kept, i) >= most * AS_FAR * AS_FAR &&
            (best == end || is_before(&list->items[i], &list->items[best])))
            best = i;
    return best;
}

/* In front those deeper than the last of the first `kept`, then those as deep: how many that
 * are. */
static uint32_t part(lode__two_list *list, uint32_t kept, lode_real equal, lode_real same,
                     uint32_t *out_deeper)
{
    lode_real last = list->items[kept - 1].point.depth;
    uint32_t end = kept;
    *out_deeper = 0;
    while (*out_deeper < kept && list->items[*out_deeper].point.depth > last + equal)
        ++*out_deeper;
    for (uint32_t i = kept; i < list->count; ++i)
        if (list->items[i].point.depth >= last - equal && !is_there(list, end, i, same))
            swap(list, end++, i);
    return end;
}

void lode__keep_deepest(lode__two_list *list, uint32_t most, lode_real speculative)
{
    lode_real same = speculative * ONE_PLACE;
    uint32_t kept = take_deepest(list, most, same);
    if (kept == most && most > 0) {
        uint32_t end = part(list, kept, speculative * AS_DEEP, same, &kept);
        while (kept < most) {
            swap(list, kept, find_farthest(list, kept, end));
            ++kept;
        }
    }
    list->count = kept;
    sort(list, is_listed_before);
}

/* deepest.c: see deepest.h. Few are kept of any number, so each round looks at all that are left;
 * those that are kept lie in front. */
#include "collide/deepest.h"

#include "core/math.h"
#include "core/memory.h"

/* Cosine of the angle between normals of one point; by how much less far is as far. */
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
static bool is_there(const lode__two_list *list, uint32_t kept, uint32_t i, lode_real equal)
{
    for (uint32_t k = 0; k < kept; ++k) {
        const lode__two_point *p = &list->items[k], *q = &list->items[i];
        lode_vec3 apart = v3_sub(p->point.position, q->point.position);
        if (v3_dot(apart, apart) <= equal * equal && v3_dot(p->normal, q->normal) > ALIKE)
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

/* Moves the deepest to the front, one after another; how many there are. */
static uint32_t take_deepest(lode__two_list *list, uint32_t most, lode_real equal)
{
    uint32_t kept = 0;
    while (kept < most) {
        uint32_t best = list->count;
        for (uint32_t i = kept; i < list->count; ++i) {
            lode_real depth = list->items[i].point.depth;
            bool better = best == list->count || depth > list->items[best].point.depth ||
                          (depth == list->items[best].point.depth &&
                           is_before(&list->items[i], &list->items[best]));
            if (better && !is_there(list, kept, i, equal))
                best = i;
        }
        if (best == list->count)
            break;
        swap(list, kept++, best);
    }
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

/* In front those deeper than the last of the first `kept`, then those as deep: how many that are. */
static uint32_t part(lode__two_list *list, uint32_t kept, lode_real equal, uint32_t *out_deeper)
{
    lode_real last = list->items[kept - 1].point.depth;
    uint32_t end = kept;
    *out_deeper = 0;
    while (*out_deeper < kept && list->items[*out_deeper].point.depth > last + equal)
        ++*out_deeper;
    for (uint32_t i = kept; i < list->count; ++i)
        if (list->items[i].point.depth >= last - equal && !is_there(list, end, i, equal))
            swap(list, end++, i);
    return end;
}

static void sort_by_index(lode__two_list *list)
{
    for (uint32_t i = 1; i < list->count; ++i)
        for (uint32_t k = i; k > 0 && list->items[k].index < list->items[k - 1].index; --k)
            swap(list, k, k - 1);
}

void lode__keep_deepest(lode__two_list *list, uint32_t most, lode_real equal)
{
    uint32_t kept = take_deepest(list, most, equal);
    if (kept == most && most > 0) {
        uint32_t end = part(list, kept, equal, &kept);
        while (kept < most) {
            swap(list, kept, find_farthest(list, kept, end));
            ++kept;
        }
    }
    list->count = kept;
    sort_by_index(list);
}

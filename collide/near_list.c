/* near_list.c: the triangles near a pair, kept from step to step; see near_list.h. */
#include "collide/near_list.h"

#include "core/memory.h"

#include <float.h>

/* How much larger the larger box is on every side, of the box's largest half extent. */
#define LARGER ((lode_real)0.125)

void lode__near_lists_free(lode__near_lists *lists)
{
    lode__free(lists->items, lists->capacity * sizeof *lists->items);
    lode__free(lists->of_slot, lists->slot_capacity * sizeof *lists->of_slot);
    *lists = (lode__near_lists){0};
}

size_t lode__near_lists_bytes(const lode__near_lists *lists)
{
    return lists->capacity * sizeof *lists->items + lists->slot_capacity * sizeof *lists->of_slot;
}

void lode__near_lists_add(lode__near_lists *lists, uint32_t slot)
{
    uint32_t old = lists->slot_capacity;
    if (near_list_of(lists, slot) || !lode__grow((void **)&lists->of_slot, &lists->slot_capacity,
                                                 slot + 1, sizeof *lists->of_slot))
        return;
    for (uint32_t i = old; i < lists->slot_capacity; ++i)
        lists->of_slot[i] = 0;
    if (!lode__grow((void **)&lists->items, &lists->capacity, lists->count + 1,
                    sizeof *lists->items))
        return;
    lists->items[lists->count] = (lode__near_list){.hash = 0};
    lists->of_slot[slot] = ++lists->count;
}

/* --- the larger box */

/* What of it is larger on every side, and what rounding may do to where it ends. */
typedef struct growth {
    lode_real larger, rounding;
} growth;

static growth growth_of(const lode__mesh_near *near)
{
    lode_vec3 half = v3_scale(v3_sub(near->hi, near->lo), (lode_real)0.5);
    lode_vec3 far = v3_add(v3_abs(near->center), half);
    return (growth){LARGER * r_max(half.x, r_max(half.y, half.z)),
                    16 * (lode_real)FLT_EPSILON * (far.x + far.y + far.z)};
}

static bool is_within(const lode__near_list *list, const lode__mesh_near *near)
{
    bool within = list->hash == near->mesh->data.hash &&
                  list->triangle_count == near->mesh->triangle_count;
    for (int i = 0; i < 3; ++i)
        within = within && near->from[i] >= list->lo[i] && near->to[i] <= list->hi[i];
    return within;
}

static void begin(lode__near_list *list, const lode__mesh_near *near, growth grow)
{
    list->hash = near->mesh->data.hash;
    list->triangle_count = near->mesh->triangle_count;
    for (int i = 0; i < 3; ++i) {
        list->lo[i] = (float)(near->from[i] - grow.larger);
        list->hi[i] = (float)(near->to[i] + grow.larger);
    }
    list->state = LODE__NEAR_WATCHED;
    list->count = 0;
}

/* Lists all that come into the larger box, whatever the narrower one says of them; the walk is then
 * at its beginning again. */
static void fill(lode__near_list *list, const lode__collide_kernels *kernels, lode__mesh_near *near)
{
    growth grow = growth_of(near);
    lode_real by = grow.larger + 2 * grow.rounding, slack = near->slack;
    lode_vec3 lo = near->lo, hi = near->hi, larger = v3(by, by, by);
    float from[3], to[3];
    begin(list, near, grow);
    memcpy(from, near->from, sizeof from);
    memcpy(to, near->to, sizeof to);
    near->lo = v3_sub(lo, larger);
    near->hi = v3_add(hi, larger);
    near->slack = REAL_MAX;
    for (int i = 0; i < 3; ++i) {
        near->from[i] = (float)(from[i] - by);
        near->to[i] = (float)(to[i] + by);
    }
    list->state = LODE__NEAR_NEW;
    while (list->state == LODE__NEAR_NEW && kernels->mesh_near(near)) {
        if (list->count + near->count > LODE__NEAR_KEPT)
            list->state = LODE__NEAR_CROWDED;
        for (uint32_t i = 0; i < near->count && list->state == LODE__NEAR_NEW; ++i)
            list->triangles[list->count++] = near->triangles[i];
    }
    near->lo = lo;
    near->hi = hi;
    near->slack = slack;
    memcpy(near->from, from, sizeof from);
    memcpy(near->to, to, sizeof to);
    near->stack[0] = 0;
    near->depth = 1;
}

bool lode__near_take(lode__near_list *list, const lode__collide_kernels *kernels,
                     lode__mesh_near *near)
{
    if (!list || near->depth == 0)
        return false;
    bool within = is_within(list, near);
    if (!within && list->state != LODE__NEAR_USED)
        begin(list, near, growth_of(near));
    else if (!within || list->state == LODE__NEAR_WATCHED)
        fill(list, kernels, near);
    else if (list->state == LODE__NEAR_NEW)
        list->state = LODE__NEAR_USED;
    if (list->state < LODE__NEAR_NEW)
        return false;
    memcpy(near->triangles, list->triangles, sizeof list->triangles);
    near->count = list->count;
    near->depth = 0;
    kernels->mesh_sift(near);
    return true;
}

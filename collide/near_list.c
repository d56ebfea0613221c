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

static bool is_of(const lode__near_list *list, const lode__mesh *mesh)
{
    return list->hash == mesh->data.hash && list->triangle_count == mesh->triangle_count;
}

static bool is_within(const lode__near_list *list, const lode__mesh_near *near)
{
    bool within = is_of(list, near->mesh);
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

/* --- who stays */

/* Of what the solid moves by: more than rounding may do to sums of it. */
#define STAY_SURE ((lode_real)1.01)

static lode_real square_of(const lode_real a[4], const lode_real b[4])
{
    lode_vec3 d = v3(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    return v3_dot(d, d);
}

/* How far a corner has moved as the solid sees it, or a part of that as the mesh does, at most. Who
 * turns by t moves all three axes together by sqrt(8) sin(t / 2), and what is at a distance of 1
 * from the centre by no more than 2 sin(t / 2). */
static lode_real moved(const lode__near_stay *stay, const lode__solid_lines *now)
{
    lode_real apart = r_sqrt(square_of(stay->lines.center, now->center)), turned = 0;
    for (int i = 0; i < 3; ++i)
        turned += square_of(stay->lines.axis[i], now->axis[i]);
    return STAY_SURE * (apart + r_sqrt(turned / 2) * (stay->far + apart));
}

static bool is_stay_of(const lode__near_list *list, const lode__near_asker *asker)
{
    const lode__near_stay *stay = &list->stay;
    bool same = list->state == LODE__NEAR_USED && is_of(list, asker->mesh) &&
                stay->type == asker->type && stay->reach == asker->reach;
    for (int i = 0; i < 3; ++i)
        same = same && stay->lines.axis[i][3] == asker->lines->axis[i][3];
    return same;
}

bool lode__near_again(const lode__near_list *list, const lode__near_asker *asker,
                      lode__mesh_near *near)
{
    if (!list || !is_stay_of(list, asker) ||
        !(moved(&list->stay, asker->lines) <= list->stay.leeway))
        return false;
    near->depth = near->count = 0;
    for (uint32_t left = list->stay.left; left; left &= left - 1)
        near->triangles[near->count++] = list->triangles[__builtin_ctz(left)];
    return true;
}

/* How far the solid's box may move within the larger one. */
static lode_real room_within(const lode__near_list *list, const lode__mesh_near *near)
{
    lode_real room = REAL_MAX;
    for (int i = 0; i < 3; ++i) {
        room = r_min(room, (lode_real)near->from[i] - (lode_real)list->lo[i]);
        room = r_min(room, (lode_real)list->hi[i] - (lode_real)near->to[i]);
    }
    return room - growth_of(near).rounding;
}

/* Of all that are listed, those that are left; both in the same order. */
static uint32_t left_of(const lode__near_list *list, const lode__mesh_near *near)
{
    uint32_t left = 0, k = 0;
    for (uint32_t i = 0; i < list->count && k < near->count; ++i)
        if (list->triangles[i] == near->triangles[k]) {
            left |= 1u << i;
            ++k;
        }
    return left;
}

/* After sifting. */
static void begin_stay(lode__near_list *list, const lode__mesh_near *near,
                       const lode__near_asker *asker, const lode__near_leeway *leeway)
{
    lode_real least = room_within(list, near);
    uint32_t left = left_of(list, near);
    for (uint32_t i = 0; i < list->count; ++i)
        least = r_min(least, left >> i & 1 ? leeway->near[i] : leeway->beside[i]);
    list->stay = (lode__near_stay){.lines = *asker->lines,
                                   .reach = asker->reach,
                                   .leeway = least,
                                   .far = leeway->far,
                                   .type = asker->type,
                                   .left = left};
}

/* --- all */

bool lode__near_take(lode__near_list *list, const lode__collide_kernels *kernels,
                     const lode__near_asker *asker, lode__mesh_near *near)
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
    lode__near_leeway leeway;
    memcpy(near->triangles, list->triangles, sizeof list->triangles);
    near->count = list->count;
    near->depth = 0;
    if (list->state == LODE__NEAR_USED)
        kernels->mesh_leeway(near, &leeway);
    kernels->mesh_sift(near);
    if (list->state == LODE__NEAR_USED)
        begin_stay(list, near, asker, &leeway);
    return true;
}

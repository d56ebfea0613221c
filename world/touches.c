/* touches.c: lists of what touches, and the difference between two of them; see events.h. */
#include "core/memory.h"
#include "world/events.h"
#include "world/world.h"

static uint64_t key_of(const lode_touch_event *touch)
{
    return (uint64_t)id_slot(touch->shape_a.id) << 32 | id_slot(touch->shape_b.id);
}

static bool grow(lode__touch_list *list, uint32_t count)
{
    return lode__grow((void **)&list->items, &list->capacity, count, sizeof *list->items);
}

bool lode__touches_reserve(lode__touches *touches, uint32_t next)
{
    return grow(&touches->next, next) && grow(&touches->begins, next) &&
           grow(&touches->ends, touches->now.count);
}

static void lists_of(lode__touches *touches, lode__touch_list *out[4])
{
    out[0] = &touches->now;
    out[1] = &touches->next;
    out[2] = &touches->begins;
    out[3] = &touches->ends;
}

void lode__touches_free(lode__touches *touches)
{
    lode__touch_list *list[4];
    lists_of(touches, list);
    for (int i = 0; i < 4; ++i)
        lode__free(list[i]->items, list[i]->capacity * sizeof *list[i]->items);
    *touches = (lode__touches){0};
}

size_t lode__touches_bytes(const lode__touches *touches)
{
    return ((size_t)touches->now.capacity + touches->next.capacity + touches->begins.capacity +
            touches->ends.capacity) *
           sizeof(lode_touch_event);
}

static void put(lode__touch_list *list, const lode_touch_event *touch)
{
    list->items[list->count++] = *touch;
}

static bool are_same(const lode_touch_event *a, const lode_touch_event *b)
{
    return a->shape_a.id == b->shape_a.id && a->shape_b.id == b->shape_b.id;
}

void lode__touches_exchange(lode__touches *touches)
{
    lode__touch_list old = touches->now, now = touches->next;
    uint32_t i = 0, k = 0;
    touches->begins.count = touches->ends.count = 0;
    while (i < old.count || k < now.count) {
        uint64_t was = i < old.count ? key_of(&old.items[i]) : UINT64_MAX;
        uint64_t is = k < now.count ? key_of(&now.items[k]) : UINT64_MAX;
        bool same = was == is && are_same(&old.items[i], &now.items[k]);
        if (was <= is && !same)
            put(&touches->ends, &old.items[i]);
        if (is <= was && !same)
            put(&touches->begins, &now.items[k]);
        i += was <= is;
        k += is <= was;
    }
    touches->now = now;
    touches->next = old;
    touches->next.count = 0;
}

uint32_t lode__touches_find(const lode__touch_list *list, uint32_t shape_a, uint32_t shape_b)
{
    uint64_t least = (uint64_t)shape_a << 32 | shape_b;
    uint32_t begin = 0, end = list->count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (key_of(&list->items[middle]) < least)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static bool shape_lives(const lode__world *world, lode_shape shape)
{
    return lode__pool_holds(&world->collide.shapes, id_slot(shape.id), id_generation(shape.id));
}

bool lode__touch_lives(const lode__world *world, const lode_touch_event *touch)
{
    return shape_lives(world, touch->shape_a) && shape_lives(world, touch->shape_b);
}

lode_touch_event lode__touch_of(const lode__world *world, uint32_t shape_a, uint32_t shape_b)
{
    return (lode_touch_event){
        .shape_a = shape_handle(world, shape_a),
        .shape_b = shape_handle(world, shape_b),
        .body_a = body_handle(world, SHAPE(world, geometry, shape_a)->body),
        .body_b = body_handle(world, SHAPE(world, geometry, shape_b)->body),
        .user_data_a = *SHAPE(world, user_data, shape_a),
        .user_data_b = *SHAPE(world, user_data, shape_b),
    };
}

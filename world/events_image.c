/* events_image.c: what touches, in snapshots. A shape or body is its slot and its age, which is its
 * generation counted from the pool's first; it may be gone, whose end is yet to be told. */
#include "core/memory.h"
#include "world/events.h"
#include "world/world.h"

typedef struct name_image {
    uint32_t slot, age;
} name_image;

/* Without padding, so that no byte of it is left to chance. */
typedef struct touch_image {
    name_image shape_a, shape_b, body_a, body_b;
    uint64_t user_data_a, user_data_b;
} touch_image;

_Static_assert(sizeof(touch_image) == 48, "no padding");

static name_image name_of(uint64_t id, const lode__pool *pool)
{
    return (name_image){id_slot(id), id_generation(id) - pool->first_generation};
}

static uint64_t id_of(name_image name, const lode__world *world, const lode__pool *pool)
{
    uint64_t generation = (uint64_t)name.age + pool->first_generation;
    return (uint64_t)(world->entry + 1) << 48 | (generation & LODE__MAX_GENERATION) << 24 |
           name.slot;
}

/* ---- writing ---- */

static void put_list(lode__writer *out, const lode__world *world, const lode__touch_list *list)
{
    const lode__pool *shapes = &world->collide.shapes, *bodies = &world->bodies;
    for (uint32_t i = 0; i < list->count; ++i) {
        const lode_touch_event *touch = &list->items[i];
        touch_image image = {
            .shape_a = name_of(touch->shape_a.id, shapes),
            .shape_b = name_of(touch->shape_b.id, shapes),
            .body_a = name_of(touch->body_a.id, bodies),
            .body_b = name_of(touch->body_b.id, bodies),
            .user_data_a = (uint64_t)(uintptr_t)touch->user_data_a,
            .user_data_b = (uint64_t)(uintptr_t)touch->user_data_b,
        };
        lode__put(out, &image, sizeof image);
    }
}

void lode__events_write(const lode__world *world, lode__writer *out)
{
    const lode__touch_list *contacts = &world->events.contacts.now;
    const lode__touch_list *sensors = &world->events.sensors.now;
    lode__put_u32(out, contacts->count);
    lode__put_u32(out, sensors->count);
    put_list(out, world, contacts);
    put_list(out, world, sensors);
}

/* ---- reading ---- */

/* In order, and of slots that can be. */
static bool list_is_sound(const char *list, uint32_t count)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < count; ++i) {
        touch_image image;
        LODE__LOAD(list, i, &image);
        uint64_t key = (uint64_t)image.shape_a.slot << 32 | image.shape_b.slot;
        if (image.shape_a.slot >= LODE__NONE || image.shape_b.slot >= LODE__NONE ||
            image.body_a.slot >= LODE__NONE || image.body_b.slot >= LODE__NONE ||
            image.shape_a.age > LODE__MAX_GENERATION || image.shape_b.age > LODE__MAX_GENERATION ||
            image.body_a.age > LODE__MAX_GENERATION || image.body_b.age > LODE__MAX_GENERATION ||
            (i > 0 && key <= last))
            return false;
        last = key;
    }
    return true;
}

bool lode__events_read(lode__events_image *image, lode__reader *in)
{
    image->contact_count = lode__get_u32(in);
    image->sensor_count = lode__get_u32(in);
    image->contacts = lode__get_array(in, image->contact_count, sizeof(touch_image));
    image->sensors = lode__get_array(in, image->sensor_count, sizeof(touch_image));
    return !in->failed && list_is_sound(image->contacts, image->contact_count) &&
           list_is_sound(image->sensors, image->sensor_count);
}

static bool reserve_list(lode__touch_list *list, uint32_t count)
{
    return lode__grow((void **)&list->items, &list->capacity, count, sizeof *list->items);
}

bool lode__events_reserve_image(const lode__events_image *image, lode__world *world)
{
    return reserve_list(&world->events.contacts.now, image->contact_count) &&
           reserve_list(&world->events.sensors.now, image->sensor_count);
}

static void restore_list(const char *list, uint32_t count, const lode__world *world,
                         lode__touch_list *out)
{
    const lode__pool *shapes = &world->collide.shapes, *bodies = &world->bodies;
    for (uint32_t i = 0; i < count; ++i) {
        touch_image image;
        LODE__LOAD(list, i, &image);
        out->items[i] = (lode_touch_event){
            .shape_a.id = id_of(image.shape_a, world, shapes),
            .shape_b.id = id_of(image.shape_b, world, shapes),
            .body_a.id = id_of(image.body_a, world, bodies),
            .body_b.id = id_of(image.body_b, world, bodies),
            .user_data_a = (void *)(uintptr_t)image.user_data_a,
            .user_data_b = (void *)(uintptr_t)image.user_data_b,
        };
    }
    out->count = count;
}

void lode__events_restore(const lode__events_image *image, lode__world *world)
{
    const lode__bits *alive = &world->collide.shapes.alive;
    lode__events *events = &world->events;
    lode__events_forget(events);
    lode__sounds_forget(&world->sounds);
    restore_list(image->contacts, image->contact_count, world, &events->contacts.now);
    restore_list(image->sensors, image->sensor_count, world, &events->sensors.now);
    events->asking_count = world->sounds.asking_count = 0;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX;
         s = lode__bits_next(alive, s + 1)) {
        events->asking_count += (*SHAPE(world, flags, s) & LODE__SHAPE_ASKS) != 0;
        world->sounds.asking_count += (*SHAPE(world, flags, s) & LODE__SHAPE_SOUNDS) != 0;
    }
}

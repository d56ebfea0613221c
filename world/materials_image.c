/* materials_image.c: names of materials, lists of them and the table of contact properties in
 * snapshots, and in a world's hash. */
#include "collide/materials.h"
#include "core/hash.h"
#include "core/memory.h"
#include "world/check.h"
#include "world/shape.h"
#include "world/snapshot.h"
#include "world/surface.h"

enum { RULE = sizeof(lode__material_rule), LIST = sizeof(lode__material_list) };

void lode__materials_write(const lode__world *world, lode__writer *out)
{
    const lode__materials *m = &world->collide.materials;
    lode__put_u32(out, m->names.count);
    lode__put(out, m->names.items, (size_t)m->names.count * LODE__NAME_ROOM);
    lode__put_u32(out, m->list_count);
    lode__put(out, m->lists, (size_t)m->list_count * LIST);
    lode__put_u32(out, m->count);
    lode__put(out, m->rules, (size_t)m->count * RULE);
}

/* --- soundness */

static bool name_is_sound(const char *name)
{
    size_t length = 0;
    while (length < LODE__NAME_ROOM && name[length])
        ++length;
    bool sound = length > 0 && length < LODE__NAME_ROOM;
    for (size_t i = length; i < LODE__NAME_ROOM; ++i)
        sound = sound && name[i] == 0;
    return sound;
}

static bool are_names(const uint32_t *numbers, int count, uint32_t names)
{
    bool good = true;
    for (int i = 0; i < count; ++i)
        good = good && numbers[i] >= 1 && numbers[i] <= names;
    return good;
}

static bool are_at_least_0(const lode_real *x, int count)
{
    bool good = true;
    for (int i = 0; i < count; ++i)
        good = good && is_within(x[i], 0, REAL_MAX);
    return good;
}

static bool rule_is_sound(const lode__material_rule *r, uint32_t names)
{
    return are_names(r->material, 2, names) && are_names(r->sound, 3, names) &&
           r->friction_count >= 1 && r->friction_count <= 4 && r->slip_count >= 1 &&
           r->slip_count <= 4 && r->max_contacts >= 1 && r->immovable < LODE_IMMOVABLE_COUNT &&
           are_at_least_0(r->friction, 4) && are_at_least_0(r->slip, 4) &&
           are_at_least_0(r->rolling, 3) && r_finite(r->rotation[0]) && r_finite(r->rotation[1]) &&
           is_within(r->bounce, 0, 1) && is_at_least(r->bounce_velocity, 0) &&
           is_within(r->erp, 0, 1) && is_above(r->cfm, 0);
}

static bool list_is_sound(const lode__material_list *list, uint32_t names)
{
    bool good = list->own <= names && list->count >= 1 && list->count <= LODE_PART_MATERIALS;
    for (uint32_t i = 0; i < LODE_PART_MATERIALS; ++i)
        good = good && list->names[i] <= (i < list->count ? names : 0);
    return good;
}

static bool shapes_are_sound(const lode__pool_image *shapes, const lode__materials_image *image)
{
    const char *geometries = LODE__COLUMN(shape, shapes, geometry);
    const char *materials = LODE__COLUMN(shape, shapes, material);
    for (uint32_t s = lode__image_next(shapes, 0); s < shapes->end;
         s = lode__image_next(shapes, s + 1)) {
        uint32_t material;
        lode__geometry geometry;
        LODE__LOAD(materials, s, &material);
        LODE__LOAD(geometries, s, &geometry);
        if (material & LODE__IS_LIST) {
            if ((material & ~LODE__IS_LIST) >= image->list_count || !type_is_surface(geometry.type))
                return false;
        } else if (material > image->name_count) {
            return false;
        }
    }
    return true;
}

bool lode__materials_read(lode__materials_image *image, const lode__pool_image *shapes,
                          lode__reader *in)
{
    image->name_count = lode__get_u32(in);
    image->names = lode__get_array(in, image->name_count, LODE__NAME_ROOM);
    image->list_count = lode__get_u32(in);
    image->lists = lode__get_array(in, image->list_count, LIST);
    image->count = lode__get_u32(in);
    image->rules = lode__get_array(in, image->count, RULE);
    for (uint32_t i = 0; i < image->name_count && !in->failed; ++i)
        if (!name_is_sound(image->names + (size_t)i * LODE__NAME_ROOM))
            return false;
    for (uint32_t i = 0; i < image->list_count && !in->failed; ++i) {
        lode__material_list list;
        LODE__LOAD(image->lists, i, &list);
        if (!list_is_sound(&list, image->name_count))
            return false;
    }
    for (uint32_t i = 0; i < image->count && !in->failed; ++i) {
        lode__material_rule rule;
        LODE__LOAD(image->rules, i, &rule);
        if (!rule_is_sound(&rule, image->name_count))
            return false;
    }
    return !in->failed && shapes_are_sound(shapes, image);
}

/* --- setting back */

static bool reserve_rules(const lode__materials_image *image, lode__materials *out)
{
    const size_t size = (size_t)image->count * RULE;
    lode__material_rule *rules = lode__alloc(size);
    if (!rules)
        return size == 0;
    memcpy(rules, image->rules, size);
    if (lode__materials_set(out, rules, image->count))
        return true;
    lode__free(rules, size);
    return false;
}

bool lode__materials_reserve(const lode__materials_image *image, lode__materials *out)
{
    *out = (lode__materials){0};
    if (image->name_count == 0)
        return true;
    if (lode__grow((void **)&out->names.items, &out->names.capacity, image->name_count,
                   LODE__NAME_ROOM) &&
        lode__grow((void **)&out->lists, &out->list_capacity, image->list_count, LIST) &&
        reserve_rules(image, out)) {
        memcpy(out->names.items, image->names, (size_t)image->name_count * LODE__NAME_ROOM);
        out->names.count = image->name_count;
        if (image->list_count > 0)
            memcpy(out->lists, image->lists, (size_t)image->list_count * LIST);
        out->list_count = image->list_count;
        return true;
    }
    lode__materials_free(out);
    return false;
}

void lode__materials_restore(lode__world *world, const lode__materials *materials)
{
    lode__materials_free(&world->collide.materials);
    world->collide.materials = *materials;
}

uint64_t lode__materials_hash(const lode__world *world, uint64_t seed)
{
    const lode__materials *m = &world->collide.materials;
    const lode__pool *shapes = &world->collide.shapes;
    if (m->names.count == 0)
        return seed;
    seed = lode__hash_bytes(seed, m->names.items, (size_t)m->names.count * LODE__NAME_ROOM);
    if (m->list_count > 0)
        seed = lode__hash_bytes(seed, m->lists, (size_t)m->list_count * LIST);
    seed = lode__hash_bytes(seed, m->rules, (size_t)m->count * RULE);
    for (uint32_t s = lode__bits_next(&shapes->alive, 0); s != UINT32_MAX;
         s = lode__bits_next(&shapes->alive, s + 1))
        seed = lode__hash_word(seed, *SHAPE(world, material, s));
    return seed;
}

/* materials.c: materials of shapes and the table of contact properties: arguments and answers; see
 * lode/material.h. */
#include "lode/material.h"

#include "collide/materials.h"
#include "core/memory.h"
#include "world/check.h"
#include "world/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void lode_contact_properties_init(void *out_properties, size_t size, uint32_t abi)
{
    const lode__material_rule *rule = &lode__material_default;
    lode_contact_properties p = {
        .abi = LODE_ABI,
        .material1 = "default",
        .material2 = "default",
        .friction_count = (int)rule->friction_count,
        .friction = {rule->friction[0]},
        .bounce = rule->bounce,
        .bounce_velocity = rule->bounce_velocity,
        .slip_count = (int)rule->slip_count,
        .soft_erp = rule->erp,
        .soft_cfm = rule->cfm,
        .bump_sound = "bump",
        .roll_sound = "roll",
        .slide_sound = "slide",
        .max_contacts = (int)rule->max_contacts,
    };
    if (lode__check_init(out_properties, size, sizeof p, abi, __func__))
        memcpy(out_properties, &p, sizeof p);
}

/* --- what is wrong with properties */

/* Field and fault; null: nothing. */
typedef struct fault {
    const char *field, *text;
} fault;

static const char *fault_of_name(const char *name)
{
    if (!name || !*name)
        return "must not be empty";
    return strlen(name) <= LODE_MATERIAL_NAME ? NULL : "must have at most 255 bytes";
}

static const char *fault_of_coefficients(const lode_real *x, int count)
{
    for (int k = 0; k < count; ++k)
        if (!(x[k] >= 0 || x[k] == -1))
            return "must be at least 0, or -1 for infinity";
    return NULL;
}

static const char *fault_of_slip(const lode_real *x, int count)
{
    for (int k = 0; k < count; ++k)
        if (!is_at_least(x[k], 0))
            return "must be at least 0 and finite";
    return NULL;
}

static const char *fault_of_count(int count)
{
    return count >= 1 && count <= 4 ? NULL : "must be 1 to 4";
}

static const char *fault_of(bool good, const char *text)
{
    return good ? NULL : text;
}

static const char *fault_of_immovable(const lode_contact_properties *p)
{
    if ((unsigned)p->immovable >= LODE_IMMOVABLE_COUNT)
        return "must be one of lode_immovable";
    bool two = p->material1 && p->material2 && strcmp(p->material1, p->material2) != 0;
    return fault_of(p->immovable == LODE_IMMOVABLE_NONE || two, "asks for two different materials");
}

static fault find_fault(const lode_contact_properties *p)
{
    const bool turned = r_finite(p->friction_rotation[0]) && r_finite(p->friction_rotation[1]);
    const char *frictions = fault_of_count(p->friction_count);
    const char *slips = fault_of_count(p->slip_count);
    const fault all[] = {
        {"material1", fault_of_name(p->material1)},
        {"material2", fault_of_name(p->material2)},
        {"friction_count", frictions},
        {"friction", frictions ? NULL : fault_of_coefficients(p->friction, p->friction_count)},
        {"friction_rotation", fault_of(turned, "must be finite")},
        {"rolling_friction", fault_of_coefficients(p->rolling_friction, 3)},
        {"bounce", fault_of(is_within(p->bounce, 0, 1), "must be 0 to 1")},
        {"bounce_velocity",
         fault_of(is_at_least(p->bounce_velocity, 0), "must be at least 0 and finite")},
        {"slip_count", slips},
        {"force_dependent_slip",
         slips ? NULL : fault_of_slip(p->force_dependent_slip, p->slip_count)},
        {"soft_erp", fault_of(is_within(p->soft_erp, 0, 1), "must be 0 to 1")},
        {"soft_cfm", fault_of(is_above(p->soft_cfm, 0), "must be above 0 and finite")},
        {"bump_sound", fault_of_name(p->bump_sound)},
        {"roll_sound", fault_of_name(p->roll_sound)},
        {"slide_sound", fault_of_name(p->slide_sound)},
        {"immovable", fault_of_immovable(p)},
        {"max_contacts", fault_of(p->max_contacts >= 1, "must be at least 1")},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (all[i].text)
            return all[i];
    return (fault){NULL, NULL};
}

static lode_status check_properties(const lode_contact_properties *p, int place,
                                    const char *function)
{
    char argument[64];
    if (p->abi != LODE_ABI)
        return lode__error(LODE_ERROR_ABI, function, "properties",
                           "did not come from lode_contact_properties_default()");
    fault found = find_fault(p);
    if (!found.text)
        return LODE_OK;
    snprintf(argument, sizeof argument, "properties[%d].%s", place, found.field);
    return lode__error(LODE_ERROR_ARGUMENT, function, argument, found.text);
}

/* --- rules and properties */

static lode_real from_minus_1(lode_real x)
{
    return x == -1 ? REAL_MAX : r_min(x, REAL_MAX);
}

static lode_real to_minus_1(lode_real x)
{
    return x < REAL_MAX ? x : -1;
}

/* Of good properties. False: out of memory. */
static bool make_rule(lode__names_kept *names, const lode_contact_properties *p,
                      lode__material_rule *out)
{
    const char *const kept[5] = {p->material1, p->material2, p->bump_sound, p->roll_sound,
                                 p->slide_sound};
    uint32_t numbers[5];
    for (int i = 0; i < 5; ++i)
        if (!(numbers[i] = lode__name_keep(names, kept[i])))
            return false;
    *out = (lode__material_rule){
        .material = {numbers[0], numbers[1]},
        .sound = {numbers[2], numbers[3], numbers[4]},
        .friction_count = (uint16_t)p->friction_count,
        .immovable = (uint16_t)p->immovable,
        .slip_count = (uint32_t)p->slip_count,
        .max_contacts = (uint32_t)p->max_contacts,
        .rotation = {p->friction_rotation[0], p->friction_rotation[1]},
        .bounce = p->bounce,
        .bounce_velocity = p->bounce_velocity,
        .erp = p->soft_erp,
        .cfm = p->soft_cfm,
    };
    for (int k = 0; k < p->friction_count; ++k)
        out->friction[k] = from_minus_1(p->friction[k]);
    for (int k = 0; k < p->slip_count; ++k)
        out->slip[k] = p->force_dependent_slip[k];
    for (int k = 0; k < 3; ++k)
        out->rolling[k] = from_minus_1(p->rolling_friction[k]);
    return true;
}

static lode_contact_properties tell(const lode__names_kept *names, const lode__material_rule *rule)
{
    lode_contact_properties p = lode_contact_properties_default();
    if (names->count) {
        p.material1 = kept_name(names, rule->material[0]);
        p.material2 = kept_name(names, rule->material[1]);
        p.bump_sound = kept_name(names, rule->sound[0]);
        p.roll_sound = kept_name(names, rule->sound[1]);
        p.slide_sound = kept_name(names, rule->sound[2]);
    }
    p.friction_count = (int)rule->friction_count;
    p.slip_count = (int)rule->slip_count;
    p.max_contacts = (int)rule->max_contacts;
    p.immovable = (lode_immovable)rule->immovable;
    for (int k = 0; k < 4; ++k) {
        p.friction[k] = to_minus_1(rule->friction[k]);
        p.force_dependent_slip[k] = rule->slip[k];
    }
    for (int k = 0; k < 3; ++k)
        p.rolling_friction[k] = to_minus_1(rule->rolling[k]);
    for (int k = 0; k < 2; ++k)
        p.friction_rotation[k] = rule->rotation[k];
    p.bounce = rule->bounce;
    p.bounce_velocity = rule->bounce_velocity;
    p.soft_erp = rule->erp;
    p.soft_cfm = rule->cfm;
    return p;
}

static lode_status out_of_memory(const char *function)
{
    return lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
}

lode_status lode_world_set_contact_properties(lode_world world,
                                              const lode_contact_properties *properties, int count)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check(count >= 0, __func__, "count", "must be at least 0");
    if (!status)
        status = lode__check(properties || count == 0, __func__, "properties", "must not be null");
    for (int i = 0; i < count && !status; ++i)
        status = check_properties(&properties[i], i, __func__);
    if (status)
        return status;
    lode__materials *materials = &w->collide.materials;
    const size_t size = (size_t)count * sizeof(lode__material_rule);
    lode__material_rule *rules = lode__alloc(size);
    bool made = rules || count == 0;
    for (int i = 0; i < count && made; ++i)
        made = make_rule(&materials->names, &properties[i], &rules[i]);
    if (made && lode__materials_set(materials, rules, (uint32_t)count))
        return LODE_OK;
    lode__free(rules, size);
    return out_of_memory(__func__);
}

int lode_world_get_contact_properties(lode_world world, lode_contact_properties *out_properties,
                                      int capacity)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__) ||
        lode__check_capacity(out_properties, capacity, __func__, "out_properties"))
        return 0;
    const lode__materials *m = &w->collide.materials;
    for (uint32_t i = 0; i < m->count && (int)i < capacity; ++i)
        out_properties[i] = tell(&m->names, &m->rules[i]);
    return (int)m->count;
}

lode_contact_properties lode_world_find_contact_properties(lode_world world, const char *material1,
                                                           const char *material2)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__))
        return (lode_contact_properties){0};
    const lode__materials *m = &w->collide.materials;
    bool swapped, known = m->names.count > 0;
    uint32_t a = material1 ? lode__name_find(&m->names, material1)
                           : lode__material_default.material[0];
    uint32_t b = material2 ? lode__name_find(&m->names, material2)
                           : lode__material_default.material[0];
    return tell(&m->names, known && a && b ? lode__materials_find(m, a, b, &swapped)
                                           : &lode__material_default);
}

/* --- of shapes */

/* What the list says, as a name where that is enough. */
static lode_status give_parts(lode__object s, const lode__material_list *list, const char *function)
{
    uint32_t material = list->own;
    if (list->count > 0)
        material = lode__material_list_keep(&s.world->collide.materials, list);
    if (list->count > 0 && !material)
        return out_of_memory(function);
    *SHAPE(s.world, material, s.slot) = material;
    lode__shape_changed(s.world, s.slot);
    return LODE_OK;
}

lode_status lode_shape_set_material(lode_shape shape, const char *material)
{
    lode__object s;
    uint32_t number = 0;
    lode_status status = lode__open_shape(&s, shape, __func__);
    const char *wrong = material ? fault_of_name(material) : NULL;
    if (!status && wrong)
        status = lode__check(false, __func__, "material", wrong);
    if (status)
        return status;
    lode__materials *materials = &s.world->collide.materials;
    if (material && !(number = lode__name_keep(&materials->names, material)))
        return out_of_memory(__func__);
    const lode__material_list *parts = material_list(materials, *SHAPE(s.world, material, s.slot));
    lode__material_list list = parts ? *parts : (lode__material_list){0};
    list.own = number;
    return give_parts(s, &list, __func__);
}

const char *lode_shape_get_material(lode_shape shape)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return NULL;
    const lode__materials *m = &s.world->collide.materials;
    return kept_name(&m->names, own_material(m, *SHAPE(s.world, material, s.slot)));
}

static lode_status check_parts(lode__object s, const char *const *names, int count,
                               const char *function)
{
    lode_status status = lode__check(type_is_surface(SHAPE(s.world, geometry, s.slot)->type),
                                     function, "shape", "must be a mesh or a height field");
    if (!status)
        status = lode__check(count >= 0 && count <= LODE_PART_MATERIALS, function, "count",
                             "must be 0 to 64");
    if (!status)
        status = lode__check(names || count == 0, function, "names", "must not be null");
    for (int i = 0; i < count && !status; ++i) {
        const char *wrong = names[i] ? fault_of_name(names[i]) : NULL;
        status = wrong ? lode__check(false, function, "names", wrong) : LODE_OK;
    }
    return status;
}

lode_status lode_shape_set_materials(lode_shape shape, const char *const *names, int count)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = check_parts(s, names, count, __func__);
    if (status)
        return status;
    lode__materials *m = &s.world->collide.materials;
    lode__material_list list = {.own = own_material(m, *SHAPE(s.world, material, s.slot)),
                                .count = (uint32_t)count};
    for (int i = 0; i < count; ++i)
        if (names[i] && !(list.names[i] = lode__name_keep(&m->names, names[i])))
            return out_of_memory(__func__);
    return give_parts(s, &list, __func__);
}

int lode_shape_get_materials(lode_shape shape, const char **out_names, int capacity)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__) ||
        lode__check_capacity(out_names, capacity, __func__, "out_names"))
        return 0;
    const lode__materials *m = &s.world->collide.materials;
    const lode__material_list *list = material_list(m, *SHAPE(s.world, material, s.slot));
    for (uint32_t i = 0; list && i < list->count && (int)i < capacity; ++i)
        out_names[i] = kept_name(&m->names, list->names[i]);
    return list ? (int)list->count : 0;
}

/* One more than the triangles of a shape. */
static int triangles_end(const lode__shape_data *data)
{
    if (!data || !type_is_surface(data->type))
        return 0;
    return data->type == LODE_MESH ? mesh_of(data)->info.triangle_count
                                   : lode_heightfield_get_triangle_count(field_of(data));
}

const char *lode_shape_get_material_at(lode_shape shape, int triangle)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return NULL;
    const lode__materials *m = &s.world->collide.materials;
    const lode__shape_data *data = *SHAPE(s.world, data, s.slot);
    if (lode__check(triangle >= -1 && triangle < triangles_end(data), __func__, "triangle",
                    "must be one of the shape's, or -1"))
        return NULL;
    return kept_name(&m->names, material_at(m, *SHAPE(s.world, material, s.slot), data,
                                            (uint32_t)(triangle + 1)));
}

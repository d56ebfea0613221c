/* materials.h: the world's table of contact properties; see lode/material.h.
 *
 * Names, of materials and of sounds, are kept once each and known by their number, counted from 1;
 * 0 is no name. Rules are kept in the caller's order, and found by an index of pairs of names.
 *
 * What a shape is made of is a name, or, where the parts of a surface differ, a list of names,
 * which are kept once each, too. */
#ifndef LODE_COLLIDE_MATERIALS_H
#define LODE_COLLIDE_MATERIALS_H

#include "collide/surface.h"
#include "core/contact.h"
#include "lode/material.h"

enum { LODE__NAME_ROOM = 256 };

typedef struct lode__names_kept {
    uint32_t count, capacity;
    char (*items)[LODE__NAME_ROOM]; /* filled up with zeros */
} lode__names_kept;

/* Infinite numbers are REAL_MAX. */
typedef struct lode__material_rule {
    uint32_t material[2], sound[3];     /* names; sounds: bump, roll, slide */
    uint16_t friction_count, immovable; /* a lode_immovable, of the materials */
    uint32_t slip_count, max_contacts;
    lode_real friction[4], slip[4]; /* those that count, then zeros */
    lode_real rotation[2], rolling[3], bounce, bounce_velocity, erp, cfm;
} lode__material_rule;

_Static_assert(sizeof(lode__material_rule) == 8 * sizeof(uint32_t) + 17 * sizeof(lode_real),
               "it is saved and hashed as it lies there, without padding");

/* Of a surface whose parts differ. */
typedef struct lode__material_list {
    uint32_t own, count;                 /* where a part has none; names that follow */
    uint32_t names[LODE_PART_MATERIALS]; /* 0: none; those that count, then zeros */
} lode__material_list;

/* What is no name but the place of a list. */
#define LODE__IS_LIST UINT32_C(0x80000000)

typedef struct lode__materials {
    lode__names_kept names;
    lode__material_list *lists;
    uint32_t list_count, list_capacity;
    lode__material_rule *rules;
    uint32_t count;
    uint32_t *index; /* places of rules + 1, by the hash of their pair; a power of two */
    uint32_t index_size;
} lode__materials;

/* Of a pair of materials for which there is no rule. */
extern const lode__material_rule lode__material_default;

/* The number of a name; 0: it is not known, or null. */
uint32_t lode__name_find(const lode__names_kept *names, const char *name);

/* The same, after seeing to it that it is known; 0: out of memory. The name has 1 to 255 bytes. */
uint32_t lode__name_keep(lode__names_kept *names, const char *name);

static inline const char *kept_name(const lode__names_kept *names, uint32_t number)
{
    return number ? names->items[number - 1] : NULL;
}

/* The list that says the same, after seeing to it that it is known, with LODE__IS_LIST; 0: out of
 * memory. */
uint32_t lode__material_list_keep(lode__materials *materials, const lode__material_list *list);

static inline const lode__material_list *material_list(const lode__materials *materials,
                                                       uint32_t material)
{
    return material & LODE__IS_LIST ? &materials->lists[material & ~LODE__IS_LIST] : NULL;
}

/* What a shape as a whole is made of: a name. */
static inline uint32_t own_material(const lode__materials *materials, uint32_t material)
{
    const lode__material_list *list = material_list(materials, material);
    return list ? list->own : material;
}

/* What a shape's part is made of, a triangle plus 1, or 0: a name. */
static inline uint32_t material_at(const lode__materials *materials, uint32_t material,
                                   const lode__shape_data *data, uint32_t child)
{
    const lode__material_list *list = material_list(materials, material);
    if (!list)
        return material;
    uint32_t i = child ? surface_material(data, child - 1) : list->count;
    return i < list->count && list->names[i] ? list->names[i] : list->own;
}

/* What two shapes are made of: names, or lists. */
typedef struct lode__parts {
    const lode__materials *table; /* null: neither has a material */
    uint32_t a, b;
} lode__parts;

static inline bool parts_differ(const lode__parts *parts)
{
    return (parts->a | parts->b) & LODE__IS_LIST;
}

/* Takes over `rules`, from lode__alloc(), in place of those there are. False: out of memory,
 * nothing changed. */
bool lode__materials_set(lode__materials *materials, lode__material_rule *rules, uint32_t count);
void lode__materials_free(lode__materials *materials);
size_t lode__materials_bytes(const lode__materials *materials);

/* The rule for two materials, 0 for none; whether the first of them is the rule's second. */
const lode__material_rule *lode__materials_find(const lode__materials *materials, uint32_t a,
                                                uint32_t b, bool *out_swapped);

#endif

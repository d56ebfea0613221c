/* materials.h: the world's table of contact properties; see lode/material.h.
 *
 * Names, of materials and of sounds, are kept once each and known by their number, counted from 1;
 * 0 is no name. Rules are kept in the caller's order, and found by an index of pairs of names. */
#ifndef LODE_COLLIDE_MATERIALS_H
#define LODE_COLLIDE_MATERIALS_H

#include "core/contact.h"

enum { LODE__NAME_ROOM = 256 };

typedef struct lode__names_kept {
    uint32_t count, capacity;
    char (*items)[LODE__NAME_ROOM]; /* filled up with zeros */
} lode__names_kept;

/* Infinite numbers are REAL_MAX. */
typedef struct lode__material_rule {
    uint32_t material[2], sound[3]; /* names; sounds: bump, roll, slide */
    uint32_t friction_count, slip_count, max_contacts;
    lode_real friction[4], slip[4]; /* those that count, then zeros */
    lode_real rotation[2], rolling[3], bounce, bounce_velocity, erp, cfm;
} lode__material_rule;

_Static_assert(sizeof(lode__material_rule) == 8 * sizeof(uint32_t) + 17 * sizeof(lode_real),
               "it is saved and hashed as it lies there, without padding");

typedef struct lode__materials {
    lode__names_kept names;
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

/* Takes over `rules`, from lode__alloc(), in place of those there are. False: out of memory, nothing
 * changed. */
bool lode__materials_set(lode__materials *materials, lode__material_rule *rules, uint32_t count);
void lode__materials_free(lode__materials *materials);
size_t lode__materials_bytes(const lode__materials *materials);

/* The rule for two materials, 0 for none; whether the first of them is the rule's second. */
const lode__material_rule *lode__materials_find(const lode__materials *materials, uint32_t a,
                                                uint32_t b, bool *out_swapped);

#endif

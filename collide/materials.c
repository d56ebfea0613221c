/* materials.c: see materials.h. */
#include "collide/materials.h"

#include "core/hash.h"
#include "core/memory.h"

#include <string.h>

const lode__material_rule lode__material_default = {.material = {1, 1},
                                                    .sound = {2, 3, 4},
                                                    .friction_count = 1,
                                                    .slip_count = 1,
                                                    .max_contacts = 10,
                                                    .friction = {1},
                                                    .bounce = (lode_real)0.5,
                                                    .bounce_velocity = (lode_real)0.01,
                                                    .erp = (lode_real)0.2,
                                                    .cfm = (lode_real)0.001};

/* --- names */

uint32_t lode__name_find(const lode__names_kept *names, const char *name)
{
    for (uint32_t i = 0; name && i < names->count; ++i)
        if (strcmp(names->items[i], name) == 0)
            return i + 1;
    return 0;
}

static uint32_t add_name(lode__names_kept *names, const char *name)
{
    if (!lode__grow((void **)&names->items, &names->capacity, names->count + 1,
                    sizeof *names->items))
        return 0;
    char *kept = names->items[names->count];
    memset(kept, 0, LODE__NAME_ROOM);
    memcpy(kept, name, strlen(name));
    return ++names->count;
}

uint32_t lode__name_keep(lode__names_kept *names, const char *name)
{
    /* those of the default come first: material, then bump, roll, slide */
    static const char *const first[] = {"default", "bump", "roll", "slide"};
    while (names->count < sizeof first / sizeof *first)
        if (!add_name(names, first[names->count]))
            return 0;
    uint32_t known = lode__name_find(names, name);
    return known ? known : add_name(names, name);
}

/* --- lists */

uint32_t lode__material_list_keep(lode__materials *m, const lode__material_list *list)
{
    for (uint32_t i = 0; i < m->list_count; ++i)
        if (memcmp(&m->lists[i], list, sizeof *list) == 0)
            return i | LODE__IS_LIST;
    if (!lode__grow((void **)&m->lists, &m->list_capacity, m->list_count + 1, sizeof *m->lists))
        return 0;
    m->lists[m->list_count] = *list;
    return m->list_count++ | LODE__IS_LIST;
}

/* --- rules */

/* Where the search for a pair begins, whichever comes first. */
static uint32_t begin_of(const lode__materials *m, uint32_t a, uint32_t b)
{
    uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    return (uint32_t)lode__hash_word(pair, 1) & (m->index_size - 1);
}

static bool is_for(const lode__material_rule *rule, uint32_t a, uint32_t b)
{
    return (rule->material[0] == a && rule->material[1] == b) ||
           (rule->material[0] == b && rule->material[1] == a);
}

/* The first rule for a pair, or null. */
static const lode__material_rule *look_up(const lode__materials *m, uint32_t a, uint32_t b)
{
    if (m->count == 0)
        return NULL;
    for (uint32_t i = begin_of(m, a, b); m->index[i]; i = (i + 1) & (m->index_size - 1))
        if (is_for(&m->rules[m->index[i] - 1], a, b))
            return &m->rules[m->index[i] - 1];
    return NULL;
}

/* Later rules for a pair that has one are never found. */
static void index_rules(lode__materials *m)
{
    memset(m->index, 0, m->index_size * sizeof *m->index);
    for (uint32_t k = 0; k < m->count; ++k) {
        uint32_t a = m->rules[k].material[0], b = m->rules[k].material[1];
        uint32_t i = begin_of(m, a, b);
        while (m->index[i])
            i = (i + 1) & (m->index_size - 1);
        if (!look_up(m, a, b))
            m->index[i] = k + 1;
    }
}

static void drop_rules(lode__materials *m)
{
    lode__free(m->rules, m->count * sizeof *m->rules);
    lode__free(m->index, m->index_size * sizeof *m->index);
    m->rules = NULL;
    m->index = NULL;
    m->count = m->index_size = 0;
}

bool lode__materials_set(lode__materials *materials, lode__material_rule *rules, uint32_t count)
{
    uint32_t size = 4;
    while (size < 2 * count)
        size *= 2;
    uint32_t *index = count ? lode__alloc(size * sizeof *index) : NULL;
    if (count && !index)
        return false;
    drop_rules(materials);
    if (count == 0)
        return true;
    materials->rules = rules;
    materials->count = count;
    materials->index = index;
    materials->index_size = size;
    index_rules(materials);
    return true;
}

void lode__materials_free(lode__materials *materials)
{
    drop_rules(materials);
    lode__free(materials->names.items, materials->names.capacity * sizeof *materials->names.items);
    materials->names = (lode__names_kept){0};
    lode__free(materials->lists, materials->list_capacity * sizeof *materials->lists);
    materials->lists = NULL;
    materials->list_count = materials->list_capacity = 0;
}

size_t lode__materials_bytes(const lode__materials *m)
{
    return m->names.capacity * sizeof *m->names.items + m->count * sizeof *m->rules +
           m->list_capacity * sizeof *m->lists + m->index_size * sizeof *m->index;
}

const lode__material_rule *lode__materials_find(const lode__materials *materials, uint32_t a,
                                                uint32_t b, bool *out_swapped)
{
    const uint32_t none = lode__material_default.material[0];
    a = a ? a : none;
    b = b ? b : none;
    const lode__material_rule *rule = look_up(materials, a, b);
    *out_swapped = rule && rule->material[0] != a;
    return rule ? rule : &lode__material_default;
}

/* mimic.c: mimic joints of articulations: making and ending them, and their numbers. */
#include "core/math.h"
#include "world/check.h"
#include "world/tendon.h"

#define LARGEST_FREQUENCY ((lode_real)1e12)

static lode_mimic mimic_handle(const lode__world *world, uint32_t slot)
{
    return (lode_mimic){id_of_object(world->entry, &world->mimics, slot)};
}

lode_mimic_def lode_mimic_def_default(void)
{
    return (lode_mimic_def){0};
}

/* ---- checks */

static lode_status check_numbers(const lode_mimic_def *def, const char *function)
{
    lode_status status = lode__check(r_finite(def->gear_ratio), function, "def.gear_ratio",
                                     "must be finite");
    if (!status)
        status = lode__check(r_finite(def->offset), function, "def.offset", "must be finite");
    if (!status)
        status = lode__check(r_finite(def->natural_frequency) &&
                                 def->natural_frequency <= LARGEST_FREQUENCY,
                             function, "def.natural_frequency", "must be finite, at most 1e12");
    return status ? status
                  : lode__check(r_finite(def->damping_ratio) &&
                                    def->damping_ratio <= LARGEST_FREQUENCY,
                                function, "def.damping_ratio", "must be finite, at most 1e12");
}

static lode_status find_links(const lode__object *a, const lode_mimic_def *def, uint32_t out[2],
                              const char *function)
{
    lode_status status = lode__tendon_find_axis(a->world, a->slot, def->link_a, def->axis_a,
                                                &out[0], function, "def.link_a", "def.axis_a");
    if (!status)
        status = lode__tendon_find_axis(a->world, a->slot, def->link_b, def->axis_b, &out[1],
                                        function, "def.link_b", "def.axis_b");
    return status ? status
                  : lode__check(out[0] != out[1] || def->axis_a != def->axis_b, function,
                                "def.link_b", "is link_a, and the axis is the same");
}

/* ---- life */

static void fill(lode__world *world, uint32_t mimic, const lode_mimic_def *def)
{
    lode__mimic_numbers *numbers = MIMIC(world, numbers, mimic);
    numbers->gear_ratio = def->gear_ratio;
    numbers->offset = def->offset;
    numbers->frequency = def->natural_frequency;
    numbers->damping_ratio = def->damping_ratio;
}

lode_mimic lode_mimic_create(lode_articulation articulation, const lode_mimic_def *def)
{
    static const lode_mimic none = {0};
    lode__object a;
    uint32_t link[2];
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check_inserted(a.world, a.slot, false, __func__) ||
        lode__check_not_null(def, __func__, "def") || check_numbers(def, __func__) ||
        find_links(&a, def, link, __func__))
        return none;
    uint32_t mimic = lode__pool_add(&a.world->mimics);
    if (mimic == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return none;
    }
    uint32_t *at = &ARTICULATION(a.world, head, a.slot)->first_mimic;
    while (*at != LODE__NONE)
        at = &MIMIC(a.world, tie, *at)->next;
    *at = mimic;
    *MIMIC(a.world, tie, mimic) = (lode__mimic_tie){.articulation = a.slot,
                                                    .next = LODE__NONE,
                                                    .link = {link[0], link[1]},
                                                    .axis = {def->axis_a, def->axis_b}};
    fill(a.world, mimic, def);
    return mimic_handle(a.world, mimic);
}

lode_status lode_mimic_destroy(lode_mimic mimic)
{
    lode__object m;
    lode_status status = lode__open_mimic(&m, mimic, __func__);
    if (status)
        return status;
    const lode__mimic_tie *tie = MIMIC(m.world, tie, m.slot);
    status = lode__check_inserted(m.world, tie->articulation, false, __func__);
    if (status)
        return status;
    uint32_t *from = &ARTICULATION(m.world, head, tie->articulation)->first_mimic;
    while (*from != m.slot)
        from = &MIMIC(m.world, tie, *from)->next;
    *from = tie->next;
    lode__pool_remove(&m.world->mimics, m.slot);
    return LODE_OK;
}

bool lode_mimic_is_valid(lode_mimic mimic)
{
    lode__object m;
    return lode__find_mimic(&m, mimic);
}

lode_articulation lode_mimic_get_articulation(lode_mimic mimic)
{
    lode__object m;
    if (lode__open_mimic(&m, mimic, __func__))
        return (lode_articulation){0};
    return articulation_handle(m.world, MIMIC(m.world, tie, m.slot)->articulation);
}

int lode_articulation_get_mimics(lode_articulation articulation, lode_mimic *out_mimics, int first,
                                 int capacity)
{
    lode__object a;
    int count = 0;
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check(first >= 0, __func__, "first", "must be at least 0") ||
        lode__check_capacity(out_mimics, capacity, __func__, "out_mimics"))
        return 0;
    EACH_MIMIC(a.world, a.slot, mimic)
    {
        if (count >= first && count - first < capacity)
            out_mimics[count - first] = mimic_handle(a.world, mimic);
        ++count;
    }
    return count;
}

/* ---- its numbers */

static lode_body link_of(const lode__world *world, uint32_t mimic, int end)
{
    return body_handle(world, LINK(world, tie, MIMIC(world, tie, mimic)->link[end])->body);
}

lode_mimic_def lode_mimic_get_def(lode_mimic mimic)
{
    lode__object m;
    if (lode__open_mimic(&m, mimic, __func__))
        return lode_mimic_def_default();
    const lode__mimic_tie *tie = MIMIC(m.world, tie, m.slot);
    const lode__mimic_numbers *numbers = MIMIC(m.world, numbers, m.slot);
    return (lode_mimic_def){.link_a = link_of(m.world, m.slot, 0),
                            .link_b = link_of(m.world, m.slot, 1),
                            .axis_a = (lode_link_axis_index)tie->axis[0],
                            .axis_b = (lode_link_axis_index)tie->axis[1],
                            .gear_ratio = numbers->gear_ratio,
                            .offset = numbers->offset,
                            .natural_frequency = numbers->frequency,
                            .damping_ratio = numbers->damping_ratio};
}

lode_status lode_mimic_set_def(lode_mimic mimic, const lode_mimic_def *def, bool wake)
{
    lode__object m;
    lode_status status = lode__open_mimic(&m, mimic, __func__);
    if (!status)
        status = lode__check_not_null(def, __func__, "def");
    if (!status)
        status = check_numbers(def, __func__);
    if (status)
        return status;
    const lode__mimic_tie *tie = MIMIC(m.world, tie, m.slot);
    status = lode__check(def->link_a.id == link_of(m.world, m.slot, 0).id &&
                             def->link_b.id == link_of(m.world, m.slot, 1).id &&
                             tie->axis[0] == (uint32_t)def->axis_a &&
                             tie->axis[1] == (uint32_t)def->axis_b,
                         __func__, "def", "links and axes are as they were made");
    if (status)
        return status;
    fill(m.world, m.slot, def);
    if (wake)
        lode__articulation_wake(m.world, tie->articulation, true);
    return LODE_OK;
}

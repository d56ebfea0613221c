/* tendon.c: tendons: making and ending them, their numbers, and what they share with mimic joints.
 * What they run through is in tendon_parts.c. */
#include "core/math.h"
#include "world/check.h"
#include "world/tendon.h"

#define LARGEST_STIFFNESS ((lode_real)1e30)

static const char in_range[] = "must be 0..1e30";

static lode_tendon tendon_handle(const lode__world *world, uint32_t slot)
{
    return (lode_tendon){id_of_object(world->entry, &world->tendons, slot)};
}

lode_tendon_def lode_tendon_def_default(lode_tendon_type type)
{
    return (lode_tendon_def){.type = type, .lo = REAL_MAX, .hi = -REAL_MAX};
}

/* ---- checks */

lode_status lode__tendon_check_line(lode_real rest, lode_real lo, lode_real hi,
                                    const char *function, const char *argument)
{
    lode_status status = lode__check(r_finite(rest), function, argument,
                                     "rest_length must be finite");
    return status
               ? status
               : lode__check(lo == lo && hi == hi, function, argument, "lo and hi must be numbers");
}

lode_status lode__tendon_find_link(const lode__world *world, uint32_t articulation, lode_body link,
                                   uint32_t *out, const char *function, const char *argument)
{
    lode__object l;
    lode_status status = lode__open_member(&l, world, link, function, argument);
    if (status)
        return status;
    *out = *BODY(world, link, l.slot) - 1;
    return lode__check(*BODY(world, link, l.slot) > 0 &&
                           LINK(world, tie, *out)->articulation == articulation,
                       function, argument, "is no link of this articulation");
}

lode_status lode__tendon_find_axis(const lode__world *world, uint32_t articulation, lode_body link,
                                   lode_link_axis_index axis, uint32_t *out, const char *function,
                                   const char *link_argument, const char *axis_argument)
{
    lode_status status = lode__tendon_find_link(world, articulation, link, out, function,
                                                link_argument);
    if (!status)
        status = lode__check((unsigned)axis < LODE_LINK_AXES, function, axis_argument,
                             "must be one of lode_link_axis_index");
    if (!status)
        status = lode__check(LINK(world, tie, *out)->parent != LODE__NONE, function, link_argument,
                             "is the root, which has no joint");
    return status ? status
                  : lode__check(LINK(world, axes, *out)->axis[axis].motion != LODE_MOTION_LOCKED,
                                function, axis_argument, "is locked");
}

static lode_status check_def(const lode_tendon_def *def, const char *function)
{
    lode_status status = lode__check((unsigned)def->type < LODE_TENDON_TYPE_COUNT, function,
                                     "def.type", "must be one of lode_tendon_type");
    if (!status)
        status = lode__check(is_within(def->stiffness, 0, LARGEST_STIFFNESS), function,
                             "def.stiffness", in_range);
    if (!status)
        status = lode__check(is_within(def->damping, 0, LARGEST_STIFFNESS), function, "def.damping",
                             in_range);
    if (!status)
        status = lode__check(is_within(def->limit_stiffness, 0, LARGEST_STIFFNESS), function,
                             "def.limit_stiffness", in_range);
    if (!status)
        status = lode__check(r_finite(def->offset), function, "def.offset", "must be finite");
    return status ? status
                  : lode__tendon_check_line(def->rest_length, def->lo, def->hi, function, "def");
}

/* ---- life */

static void fill(lode__world *world, uint32_t tendon, const lode_tendon_def *def)
{
    lode__tendon_numbers *numbers = TENDON(world, numbers, tendon);
    numbers->stiffness = def->stiffness;
    numbers->damping = def->damping;
    numbers->limit_stiffness = def->limit_stiffness;
    numbers->offset = def->offset;
    numbers->line.rest = def->rest_length;
    numbers->line.lo = def->lo;
    numbers->line.hi = def->hi;
}

lode_tendon lode_tendon_create(lode_articulation articulation, const lode_tendon_def *def)
{
    static const lode_tendon none = {0};
    lode__object a;
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check_inserted(a.world, a.slot, false, __func__) ||
        lode__check_not_null(def, __func__, "def") || check_def(def, __func__))
        return none;
    uint32_t tendon = lode__pool_add(&a.world->tendons);
    if (tendon == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return none;
    }
    uint32_t *at = &ARTICULATION(a.world, head, a.slot)->first_tendon;
    while (*at != LODE__NONE)
        at = &TENDON(a.world, tie, *at)->next;
    *at = tendon;
    *TENDON(a.world, tie, tendon) = (lode__tendon_tie){
        .articulation = a.slot, .next = LODE__NONE, .type = def->type, .first_part = LODE__NONE};
    fill(a.world, tendon, def);
    return tendon_handle(a.world, tendon);
}

/* Takes it out of the list and ends it with its parts. */
static void end(lode__world *world, uint32_t tendon)
{
    lode__tendon_tie *tie = TENDON(world, tie, tendon);
    uint32_t *from = &ARTICULATION(world, head, tie->articulation)->first_tendon;
    while (*from != tendon)
        from = &TENDON(world, tie, *from)->next;
    *from = tie->next;
    while (tie->first_part != LODE__NONE) {
        uint32_t part = tie->first_part;
        tie->first_part = PART(world, tie, part)->next;
        lode__pool_remove(&world->tendon_parts, part);
    }
    lode__pool_remove(&world->tendons, tendon);
}

lode_status lode_tendon_destroy(lode_tendon tendon)
{
    lode__object t;
    lode_status status = lode__open_tendon(&t, tendon, __func__);
    if (!status)
        status = lode__check_inserted(t.world, TENDON(t.world, tie, t.slot)->articulation, false,
                                      __func__);
    if (!status)
        end(t.world, t.slot);
    return status;
}

bool lode_tendon_is_valid(lode_tendon tendon)
{
    lode__object t;
    return lode__find_tendon(&t, tendon);
}

lode_articulation lode_tendon_get_articulation(lode_tendon tendon)
{
    lode__object t;
    if (lode__open_tendon(&t, tendon, __func__))
        return (lode_articulation){0};
    return articulation_handle(t.world, TENDON(t.world, tie, t.slot)->articulation);
}

int lode_articulation_get_tendons(lode_articulation articulation, lode_tendon_type type,
                                  lode_tendon *out_tendons, int first, int capacity)
{
    lode__object a;
    int count = 0;
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check((unsigned)type < LODE_TENDON_TYPE_COUNT, __func__, "type",
                    "must be one of lode_tendon_type") ||
        lode__check(first >= 0, __func__, "first", "must be at least 0") ||
        lode__check_capacity(out_tendons, capacity, __func__, "out_tendons"))
        return 0;
    EACH_TENDON(a.world, a.slot, tendon)
    {
        if (TENDON(a.world, tie, tendon)->type != type)
            continue;
        if (count >= first && count - first < capacity)
            out_tendons[count - first] = tendon_handle(a.world, tendon);
        ++count;
    }
    return count;
}

/* ---- its numbers */

lode_tendon_def lode_tendon_get_def(lode_tendon tendon)
{
    lode__object t;
    if (lode__open_tendon(&t, tendon, __func__))
        return lode_tendon_def_default(LODE_TENDON_SPATIAL);
    const lode__tendon_numbers *numbers = TENDON(t.world, numbers, t.slot);
    return (lode_tendon_def){.type = (lode_tendon_type)TENDON(t.world, tie, t.slot)->type,
                             .stiffness = numbers->stiffness,
                             .damping = numbers->damping,
                             .limit_stiffness = numbers->limit_stiffness,
                             .offset = numbers->offset,
                             .rest_length = numbers->line.rest,
                             .lo = numbers->line.lo,
                             .hi = numbers->line.hi};
}

lode_status lode_tendon_set_def(lode_tendon tendon, const lode_tendon_def *def, bool wake)
{
    lode__object t;
    lode_status status = lode__open_tendon(&t, tendon, __func__);
    if (!status)
        status = lode__check_not_null(def, __func__, "def");
    if (!status)
        status = check_def(def, __func__);
    if (status)
        return status;
    const lode__tendon_tie *tie = TENDON(t.world, tie, t.slot);
    status = lode__check(tie->type == (uint32_t)def->type, __func__, "def.type",
                         "is not the tendon's");
    if (status)
        return status;
    fill(t.world, t.slot, def);
    if (wake)
        lode__articulation_wake(t.world, tie->articulation, true);
    return LODE_OK;
}

/* ---- all of them */

void lode__tendons_init(lode__world *world, uint32_t first_generation)
{
    lode__pool_init(&world->tendons, &lode__tendon_kind, first_generation);
    lode__pool_init(&world->tendon_parts, &lode__tendon_part_kind, 1);
    lode__pool_init(&world->mimics, &lode__mimic_kind, first_generation);
}

void lode__tendons_free(lode__world *world)
{
    lode__pool_free(&world->tendons);
    lode__pool_free(&world->tendon_parts);
    lode__pool_free(&world->mimics);
}

size_t lode__tendons_bytes(const lode__world *world)
{
    return lode__pool_bytes(&world->tendons) + lode__pool_bytes(&world->tendon_parts) +
           lode__pool_bytes(&world->mimics);
}

uint64_t lode__tendons_hash(const lode__world *world, uint64_t seed)
{
    seed = lode__pool_hash(&world->tendons, seed);
    return lode__pool_hash(&world->mimics, lode__pool_hash(&world->tendon_parts, seed));
}

void lode__tendons_end(lode__world *world, uint32_t articulation)
{
    lode__articulation_head *head = ARTICULATION(world, head, articulation);
    while (head->first_tendon != LODE__NONE)
        end(world, head->first_tendon);
    while (head->first_mimic != LODE__NONE) {
        uint32_t mimic = head->first_mimic;
        head->first_mimic = MIMIC(world, tie, mimic)->next;
        lode__pool_remove(&world->mimics, mimic);
    }
}

bool lode__tendons_hold(const lode__world *world, uint32_t articulation, uint32_t link)
{
    EACH_TENDON(world, articulation, tendon)
    EACH_PART(world, tendon, part)
    if (PART(world, tie, part)->link == link)
        return true;
    EACH_MIMIC(world, articulation, mimic)
    if (MIMIC(world, tie, mimic)->link[0] == link || MIMIC(world, tie, mimic)->link[1] == link)
        return true;
    return false;
}

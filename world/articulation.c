/* articulation.c: articulations: making and ending them and their links, into the simulation and
 * out of it.
 *
 * A link is a dynamic body with two flags of its own. LODE__BODY_LINK says that its articulation
 * moves it, LODE__BODY_HELD that it stands: all links do outside the simulation, where their shapes
 * are nowhere too, and the root of a fixed base does inside. */
#include "lode/articulation.h"

#include <math.h>
#include <string.h>

#include "core/math.h"
#include "core/memory.h"
#include "world/articulation.h"
#include "world/check.h"
#include "world/loop_joints.h"
#include "world/mass.h"
#include "world/shape.h"
#include "world/sleep.h"
#include "world/tendon.h"
#include "world/wake.h"

/* ---- definitions */

lode_articulation_def lode_articulation_def_default(void)
{
    return (lode_articulation_def){.self_collision = true,
                                   .position_iterations = 4,
                                   .velocity_iterations = 1,
                                   .sleep_threshold = (lode_real)5e-5,
                                   .stabilization_threshold = (lode_real)5e-6,
                                   .wake_counter = (lode_real)0.4,
                                   .max_com_linear_speed = (lode_real)1e6,
                                   .max_com_angular_speed = (lode_real)1e6};
}

static lode_status check_def(const lode_articulation_def *def, const char *function)
{
    static const char at_least[] = "must be at least 0 and finite";
    const struct {
        lode_real value;
        const char *name;
    } numbers[] = {{def->sleep_threshold, "def.sleep_threshold"},
                   {def->stabilization_threshold, "def.stabilization_threshold"},
                   {def->wake_counter, "def.wake_counter"},
                   {def->max_com_linear_speed, "def.max_com_linear_speed"},
                   {def->max_com_angular_speed, "def.max_com_angular_speed"}};
    lode_status status = lode__check(def->position_iterations >= 1 &&
                                         def->position_iterations <= 255,
                                     function, "def.position_iterations", "must be 1..255");
    if (!status)
        status = lode__check(def->velocity_iterations >= 0 && def->velocity_iterations <= 255,
                             function, "def.velocity_iterations", "must be 0..255");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !status; ++i)
        status = lode__check(is_at_least(numbers[i].value, 0), function, numbers[i].name, at_least);
    return status;
}

static void fill(lode__world *world, uint32_t slot, const lode_articulation_def *def)
{
    lode__articulation_head *head = ARTICULATION(world, head, slot);
    lode__articulation_numbers *numbers = ARTICULATION(world, numbers, slot);
    head->flags = (head->flags & (LODE__ARTICULATION_INSERTED | LODE__ARTICULATION_STALE)) |
                  (def->fixed_base ? LODE__ARTICULATION_FIXED : 0) |
                  (def->drive_limits_are_impulses ? LODE__ARTICULATION_IMPULSES : 0) |
                  (def->self_collision ? LODE__ARTICULATION_SELF_TOUCHES : 0);
    head->position_iterations = (uint32_t)def->position_iterations;
    head->velocity_iterations = (uint32_t)def->velocity_iterations;
    numbers->sleep_threshold = def->sleep_threshold;
    numbers->stabilization_threshold = def->stabilization_threshold;
    numbers->wake_counter = def->wake_counter;
    numbers->max_com_linear_speed = def->max_com_linear_speed;
    numbers->max_com_angular_speed = def->max_com_angular_speed;
}

/* ---- life */

lode_articulation lode_articulation_create(lode_world world, const lode_articulation_def *def)
{
    lode__world *w;
    char *name;
    if (lode__open_world(&w, world, __func__) || lode__check_not_null(def, __func__, "def") ||
        check_def(def, __func__))
        return (lode_articulation){0};
    uint32_t slot = LODE__NONE;
    if (lode__name_copy(def->name, &name)) {
        slot = lode__pool_reserve(&w->articulations, 1) ? lode__pool_add(&w->articulations)
                                                        : LODE__NONE;
        if (slot == LODE__NONE && name)
            lode__free(name, strlen(name) + 1);
    }
    if (slot == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return (lode_articulation){0};
    }
    fill(w, slot, def);
    ARTICULATION(w, head, slot)->first_link = LODE__NONE;
    ARTICULATION(w, head, slot)->first_tendon = LODE__NONE;
    ARTICULATION(w, head, slot)->first_mimic = LODE__NONE;
    ARTICULATION(w, head, slot)->first_loop = LODE__NONE;
    ARTICULATION(w, numbers, slot)->wake_left = def->wake_counter;
    *ARTICULATION(w, name, slot) = name;
    *ARTICULATION(w, user_data, slot) = def->user_data;
    return articulation_handle(w, slot);
}

static void free_name(lode__world *world, uint32_t slot)
{
    char **name = ARTICULATION(world, name, slot);
    if (*name)
        lode__free(*name, strlen(*name) + 1);
    *name = NULL;
}

static void free_model(lode__world *world, uint32_t slot)
{
    lode__model_free(*ARTICULATION(world, model, slot));
    *ARTICULATION(world, model, slot) = NULL;
}

/* Takes the link out of the list and ends it with its body. */
static void end_link(lode__world *world, uint32_t articulation, uint32_t link)
{
    lode__articulation_head *head = ARTICULATION(world, head, articulation);
    uint32_t *from = &head->first_link;
    while (*from != link)
        from = &LINK(world, tie, *from)->next;
    *from = LINK(world, tie, link)->next;
    --head->link_count;
    ++head->structure;
    lode__body_end(world, LINK(world, tie, link)->body);
    lode__pool_remove(&world->links, link);
}

static void take_out(lode__world *world, uint32_t articulation)
{
    ARTICULATION(world, numbers, articulation)->wake_left = lode__articulation_left(world,
                                                                                    articulation);
    EACH_LINK(world, articulation, link)
    {
        uint32_t body = LINK(world, tie, link)->body;
        lode__wake_body(world, body);
        lode__wake_neighbours(world, body);
        lode__shapes_put_out(world, body, true);
        lode__body_flag(world, body, LODE__BODY_HELD, true);
        lode__body_set_awake(world, body, false);
    }
    ARTICULATION(world, head, articulation)->flags &= ~(uint32_t)LODE__ARTICULATION_INSERTED;
    free_model(world, articulation);
}

lode_status lode_articulation_destroy(lode_articulation articulation)
{
    lode__object a;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (status)
        return status;
    if (articulation_is_inserted(a.world, a.slot))
        take_out(a.world, a.slot);
    lode__tendons_end(a.world, a.slot);
    lode__loops_end(a.world, a.slot);
    while (ARTICULATION(a.world, head, a.slot)->link_count > 0)
        end_link(a.world, a.slot, ARTICULATION(a.world, head, a.slot)->first_link);
    free_name(a.world, a.slot);
    lode__pool_remove(&a.world->articulations, a.slot);
    return LODE_OK;
}

bool lode_articulation_is_valid(lode_articulation articulation)
{
    lode__object a;
    return lode__find_articulation(&a, articulation);
}

lode_world lode_articulation_get_world(lode_articulation articulation)
{
    lode__object a;
    return lode__open_articulation(&a, articulation, __func__) ? (lode_world){0}
                                                               : (lode_world){a.world->id};
}

void lode__articulation_free_owned(lode__world *world, uint32_t articulation)
{
    free_model(world, articulation);
    free_name(world, articulation);
}

void lode__articulations_free(lode__world *world)
{
    const lode__bits *alive = &world->articulations.alive;
    for (uint32_t a = lode__bits_next(alive, 0); a != UINT32_MAX;
         a = lode__bits_next(alive, a + 1)) {
        lode__articulation_free_owned(world, a);
    }
    lode__pool_free(&world->articulations);
    lode__pool_free(&world->links);
    lode__tendons_free(world);
}

size_t lode__articulations_bytes(const lode__world *world)
{
    const lode__bits *alive = &world->articulations.alive;
    size_t bytes = lode__pool_bytes(&world->articulations) + lode__pool_bytes(&world->links) +
                   lode__tendons_bytes(world);
    for (uint32_t a = lode__bits_next(alive, 0); a != UINT32_MAX;
         a = lode__bits_next(alive, a + 1)) {
        const lode__model *model = *ARTICULATION(world, model, a);
        bytes += model ? model->bytes + model->scratch_bytes : 0;
    }
    return bytes;
}

/* ---- into the simulation and out of it */

/* No link moves and no force waits? */
static bool is_still(const lode__world *world, uint32_t articulation)
{
    static const lode__force none;
    EACH_LINK(world, articulation, link)
    {
        const lode__link_state *state = LINK(world, state, link);
        uint32_t body = LINK(world, tie, link)->body;
        const lode__velocity *v = BODY(world, velocity, body);
        if (!v3_is_zero(v->linear) || !v3_is_zero(v->angular) ||
            memcmp(BODY(world, force, body), &none, sizeof none) != 0)
            return false;
        for (int k = 0; k < LODE_LINK_AXES; ++k)
            if (state->velocity[k] != 0 || LINK(world, extra, link)->force[k] != 0)
                return false;
    }
    return true;
}

static void put_in(lode__world *world, uint32_t articulation)
{
    lode__articulation_head *head = ARTICULATION(world, head, articulation);
    head->flags |= LODE__ARTICULATION_INSERTED;
    lode__articulation_follow(world, articulation, false);
    lode_real left = ARTICULATION(world, numbers, articulation)->wake_left;
    EACH_LINK(world, articulation, link)
    {
        const lode__link_tie *tie = LINK(world, tie, link);
        bool held = tie->parent == LODE__NONE && (head->flags & LODE__ARTICULATION_FIXED);
        lode__body_flag(world, tie->body, LODE__BODY_HELD, held);
        lode__shapes_put_out(world, tie->body, false);
        lode__body_placed(world, tie->body);
    }
    lode__articulation_set_left(world, articulation, left);
}

lode_status lode_articulation_insert(lode_articulation articulation)
{
    lode__object a;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (!status)
        status = lode__check_inserted(a.world, a.slot, false, __func__);
    if (status)
        return status;
    if (ARTICULATION(a.world, head, a.slot)->link_count == 0)
        return lode__error(LODE_ERROR_STATE, __func__, "articulation", "it has no links");
    EACH_LINK(a.world, a.slot, link)
    if (!lode__link_motions_fit(a.world, link))
        return lode__error(LODE_ERROR_STATE, __func__, "articulation",
                           "a link's joint has other motions than its type");
    lode__limb_pools pools = limb_pools(a.world);
    lode__model *model = lode__model_make(&pools, a.slot);
    if (!model)
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    model->number = ++a.world->models;
    *ARTICULATION(a.world, model, a.slot) = model;
    bool asleep = is_still(a.world, a.slot) &&
                  ARTICULATION(a.world, numbers, a.slot)->wake_left == 0;
    put_in(a.world, a.slot);
    if (asleep)
        lode_articulation_sleep(articulation);
    return LODE_OK;
}

lode_status lode_articulation_remove(lode_articulation articulation)
{
    lode__object a;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (!status)
        status = lode__check_inserted(a.world, a.slot, true, __func__);
    if (!status)
        take_out(a.world, a.slot);
    return status;
}

bool lode_articulation_is_inserted(lode_articulation articulation)
{
    lode__object a;
    return !lode__open_articulation(&a, articulation, __func__) &&
           articulation_is_inserted(a.world, a.slot);
}

/* ---- its settings */

lode_articulation_def lode_articulation_get_def(lode_articulation articulation)
{
    lode__object a;
    lode_articulation_def def = lode_articulation_def_default();
    if (lode__open_articulation(&a, articulation, __func__))
        return def;
    const lode__articulation_head *head = ARTICULATION(a.world, head, a.slot);
    const lode__articulation_numbers *numbers = ARTICULATION(a.world, numbers, a.slot);
    def.fixed_base = head->flags & LODE__ARTICULATION_FIXED;
    def.drive_limits_are_impulses = head->flags & LODE__ARTICULATION_IMPULSES;
    def.self_collision = head->flags & LODE__ARTICULATION_SELF_TOUCHES;
    def.position_iterations = (int)head->position_iterations;
    def.velocity_iterations = (int)head->velocity_iterations;
    def.sleep_threshold = numbers->sleep_threshold;
    def.stabilization_threshold = numbers->stabilization_threshold;
    def.wake_counter = numbers->wake_counter;
    def.max_com_linear_speed = numbers->max_com_linear_speed;
    def.max_com_angular_speed = numbers->max_com_angular_speed;
    def.name = *ARTICULATION(a.world, name, a.slot);
    def.user_data = *ARTICULATION(a.world, user_data, a.slot);
    return def;
}

/* Whether its links may touch each other is another. */
static void refresh_pairs(lode__world *world, uint32_t articulation)
{
    EACH_LINK(world, articulation, link)
    for (uint32_t shape = BODY(world, links, LINK(world, tie, link)->body)->first_shape;
         shape != LODE__NONE; shape = SHAPE(world, links, shape)->next_shape)
        lode__collide_refresh(&world->collide, shape);
}

/* A fixed base has no velocity. */
static void stop_root(lode__world *world, uint32_t articulation)
{
    uint32_t root = ARTICULATION(world, head, articulation)->first_link;
    if (root != LODE__NONE)
        *BODY(world, velocity, LINK(world, tie, root)->body) = (lode__velocity){0};
}

lode_status lode_articulation_set_def(lode_articulation articulation,
                                      const lode_articulation_def *def)
{
    lode__object a;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (!status)
        status = lode__check_not_null(def, __func__, "def");
    if (!status)
        status = check_def(def, __func__);
    if (status)
        return status;
    lode__articulation_head *head = ARTICULATION(a.world, head, a.slot);
    if (articulation_is_inserted(a.world, a.slot) &&
        def->fixed_base != !!(head->flags & LODE__ARTICULATION_FIXED))
        return lode__error(LODE_ERROR_STATE, __func__, "def.fixed_base",
                           "the base changes outside the simulation only");
    char *name;
    if (!lode__name_copy(def->name, &name))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    bool touched = !!(head->flags & LODE__ARTICULATION_SELF_TOUCHES);
    head->structure += def->fixed_base != !!(head->flags & LODE__ARTICULATION_FIXED);
    fill(a.world, a.slot, def);
    if (def->self_collision != touched)
        refresh_pairs(a.world, a.slot);
    if (def->fixed_base)
        stop_root(a.world, a.slot);
    free_name(a.world, a.slot);
    *ARTICULATION(a.world, name, a.slot) = name;
    *ARTICULATION(a.world, user_data, a.slot) = def->user_data;
    if (articulation_is_inserted(a.world, a.slot))
        lode__articulation_wake(a.world, a.slot, false);
    return LODE_OK;
}

const char *lode_articulation_get_name(lode_articulation articulation)
{
    lode__object a;
    if (lode__open_articulation(&a, articulation, __func__))
        return "";
    const char *name = *ARTICULATION(a.world, name, a.slot);
    return name ? name : "";
}

lode_status lode_articulation_set_name(lode_articulation articulation, const char *name)
{
    lode__object a;
    char *copy;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (status)
        return status;
    if (!lode__name_copy(name, &copy))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    free_name(a.world, a.slot);
    *ARTICULATION(a.world, name, a.slot) = copy;
    return LODE_OK;
}

void *lode_articulation_get_user_data(lode_articulation articulation)
{
    lode__object a;
    return lode__open_articulation(&a, articulation, __func__)
               ? NULL
               : *ARTICULATION(a.world, user_data, a.slot);
}

lode_status lode_articulation_set_user_data(lode_articulation articulation, void *user_data)
{
    lode__object a;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (!status)
        *ARTICULATION(a.world, user_data, a.slot) = user_data;
    return status;
}

/* ---- its links */

lode_status lode_articulation_remove_link(lode_articulation articulation, lode_body link)
{
    lode__object a, l;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (!status)
        status = lode__open_link(&l, link, __func__);
    if (!status)
        status = lode__check_inserted(a.world, a.slot, false, __func__);
    if (status)
        return status;
    status = lode__check(l.world == a.world && LINK(l.world, tie, l.slot)->articulation == a.slot,
                         __func__, "link", "is of another articulation");
    if (!status)
        status = lode__check(!lode__tendons_hold(a.world, a.slot, l.slot), __func__, "link",
                             "is held by a tendon or a mimic joint");
    EACH_LINK(a.world, a.slot, other)
    if (!status)
        status = lode__check(LINK(a.world, tie, other)->parent != l.slot, __func__, "link",
                             "has children");
    if (!status)
        end_link(a.world, a.slot, l.slot);
    return status;
}

int lode_articulation_get_links(lode_articulation articulation, lode_body *out_links, int first,
                                int capacity)
{
    lode__object a;
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check(first >= 0, __func__, "first", "must be at least 0") ||
        lode__check_capacity(out_links, capacity, __func__, "out_links"))
        return 0;
    int i = 0;
    EACH_LINK(a.world, a.slot, link)
    {
        if (i >= first && i - first < capacity)
            out_links[i - first] = body_handle(a.world, LINK(a.world, tie, link)->body);
        ++i;
    }
    return i;
}

int lode_articulation_count_shapes(lode_articulation articulation)
{
    lode__object a;
    int count = 0;
    if (lode__open_articulation(&a, articulation, __func__))
        return 0;
    EACH_LINK(a.world, a.slot, link)
    for (uint32_t shape = BODY(a.world, links, LINK(a.world, tie, link)->body)->first_shape;
         shape != LODE__NONE; shape = SHAPE(a.world, links, shape)->next_shape)
        ++count;
    return count;
}

int lode_articulation_count_dofs(lode_articulation articulation)
{
    lode__object a;
    if (lode__open_articulation(&a, articulation, __func__) ||
        !articulation_is_inserted(a.world, a.slot))
        return -1;
    const lode__mb_plan *plan = (*ARTICULATION(a.world, model, a.slot))->body.plan;
    return (int)(plan->dof_count - plan->root_dofs);
}

lode_articulation lode_body_get_articulation(lode_body body)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__) || *BODY(b.world, link, b.slot) == 0)
        return (lode_articulation){0};
    uint32_t link = *BODY(b.world, link, b.slot) - 1;
    return articulation_handle(b.world, LINK(b.world, tie, link)->articulation);
}

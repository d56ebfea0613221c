/* space.c: spaces: making and ending them, what is in them and what is set on them. Their pairs are
 * in space_pairs.c and space_members.c. */
#include "world/space.h"

#include "core/memory.h"
#include "world/check.h"

#include <string.h>

#define SPACE_ROW(...) LODE__POOL_ROW_(lode__space_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(space, LODE__SPACE_COMPONENTS, SPACE_ROW)

/* --- who is in */

/* The first that is not below the slot. */
static uint32_t place_of_slot(const lode__space *space, uint32_t slot)
{
    uint32_t begin = 0, end = space->count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (id_slot(space->shapes[middle].id) < slot)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

bool lode__space_holds(const lode__space *space, lode_shape shape)
{
    uint32_t at = place_of_slot(space, id_slot(shape.id));
    return at < space->count && space->shapes[at].id == shape.id;
}

bool lode__space_has(const lode__world *world, uint32_t space, lode_shape shape)
{
    const lode__space *here = SPACE(world, space);
    if (lode__space_holds(here, shape))
        return true;
    for (uint32_t s = here->first; s != LODE__NONE; s = SPACE(world, s)->next)
        if (lode__space_has(world, s, shape))
            return true;
    return false;
}

uint32_t lode__space_next(const lode__world *world, uint32_t space, uint32_t slot)
{
    const lode__bits *alive = &world->collide.shapes.alive;
    for (slot = lode__bits_next(alive, slot); slot != UINT32_MAX;
         slot = lode__bits_next(alive, slot + 1))
        if (lode__space_has(world, space, shape_handle(world, slot)))
            return slot;
    return LODE__NONE;
}

/* --- life */

lode_space lode_space_create(lode_world world)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__))
        return (lode_space){0};
    uint32_t slot = lode__pool_reserve(&w->spaces, 1) ? lode__pool_add(&w->spaces) : LODE__NONE;
    if (slot == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return (lode_space){0};
    }
    *SPACE(w, slot) = (lode__space){.parent = LODE__NONE,
                                    .first = LODE__NONE,
                                    .next = LODE__NONE,
                                    .category = UINT64_MAX,
                                    .mask = UINT64_MAX};
    return space_handle(w, slot);
}

/* From where the space is, or would be, linked within its parent: lists are in the order of
 * slots. */
static uint32_t *link_to(lode__world *world, uint32_t parent, uint32_t slot)
{
    uint32_t *link = &SPACE(world, parent)->first;
    while (*link != LODE__NONE && *link < slot)
        link = &SPACE(world, *link)->next;
    return link;
}

static void leave_parent(lode__world *world, uint32_t slot)
{
    lode__space *space = SPACE(world, slot);
    if (space->parent != LODE__NONE)
        *link_to(world, space->parent, slot) = space->next;
    space->parent = space->next = LODE__NONE;
}

static void free_shapes(lode__space *space)
{
    lode__free(space->shapes, space->capacity * sizeof *space->shapes);
}

static void end_space(lode__world *world, uint32_t slot, bool shapes_too)
{
    lode__space *space = SPACE(world, slot);
    while (space->first != LODE__NONE)
        end_space(world, space->first, shapes_too);
    leave_parent(world, slot);
    for (uint32_t i = 0; i < space->count && shapes_too; ++i)
        if (shape_is_of(world, space->shapes[i]))
            lode_shape_destroy(space->shapes[i]);
    free_shapes(space);
    lode__pool_remove(&world->spaces, slot);
}

lode_status lode_space_destroy(lode_space space, bool shapes_too)
{
    lode__object s;
    lode_status status = lode__open_space(&s, space, __func__, "space");
    if (!status)
        end_space(s.world, s.slot, shapes_too);
    return status;
}

void lode__spaces_free(lode__world *world)
{
    const lode__bits *alive = &world->spaces.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        free_shapes(SPACE(world, s));
    lode__pool_free(&world->spaces);
}

size_t lode__spaces_bytes(const lode__world *world)
{
    const lode__bits *alive = &world->spaces.alive;
    size_t bytes = lode__pool_bytes(&world->spaces);
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        bytes += SPACE(world, s)->capacity * sizeof(lode_shape);
    return bytes;
}

bool lode_space_is_valid(lode_space space)
{
    lode__object s;
    return lode__find_space(&s, space);
}

lode_world lode_space_get_world(lode_space space)
{
    lode__object s;
    return lode__open_space(&s, space, __func__, "space") ? (lode_world){0}
                                                          : (lode_world){s.world->id};
}

/* --- within each other */

static bool lies_within(const lode__world *world, uint32_t inner, uint32_t outer)
{
    while (inner != LODE__NONE && inner != outer)
        inner = SPACE(world, inner)->parent;
    return inner == outer;
}

lode_status lode_space_set_parent(lode_space space, lode_space parent)
{
    lode__object s, p = {.slot = LODE__NONE};
    lode_status status = lode__open_space(&s, space, __func__, "space");
    if (!status && parent.id)
        status = lode__open_space_of(&p, s.world, parent, __func__, "parent");
    if (!status && parent.id)
        status = lode__check(!lies_within(s.world, p.slot, s.slot), __func__, "parent",
                             "must not be within the space");
    if (status)
        return status;
    leave_parent(s.world, s.slot);
    if (p.slot != LODE__NONE) {
        uint32_t *link = link_to(s.world, p.slot, s.slot);
        SPACE(s.world, s.slot)->parent = p.slot;
        SPACE(s.world, s.slot)->next = *link;
        *link = s.slot;
    }
    return LODE_OK;
}

lode_space lode_space_get_parent(lode_space space)
{
    lode__object s;
    if (lode__open_space(&s, space, __func__, "space"))
        return (lode_space){0};
    uint32_t parent = SPACE(s.world, s.slot)->parent;
    return parent == LODE__NONE ? (lode_space){0} : space_handle(s.world, parent);
}

int lode_space_get_spaces(lode_space space, lode_space *out_spaces, int capacity)
{
    lode__object s;
    int count = 0;
    if (lode__open_space(&s, space, __func__, "space") ||
        lode__check_capacity(out_spaces, capacity, __func__, "out_spaces"))
        return 0;
    for (uint32_t in = SPACE(s.world, s.slot)->first; in != LODE__NONE;
         in = SPACE(s.world, in)->next) {
        if (count < capacity)
            out_spaces[count] = space_handle(s.world, in);
        ++count;
    }
    return count;
}

/* All spaces, or those that a shape was added to. */
static int list_spaces(const lode__world *world, const lode_shape *of, lode_space *out_spaces,
                       int capacity)
{
    const lode__bits *alive = &world->spaces.alive;
    int count = 0;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX;
         s = lode__bits_next(alive, s + 1)) {
        if (of && !lode__space_holds(SPACE(world, s), *of))
            continue;
        if (count < capacity)
            out_spaces[count] = space_handle(world, s);
        ++count;
    }
    return count;
}

int lode_world_get_spaces(lode_world world, lode_space *out_spaces, int capacity)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__) ||
        lode__check_capacity(out_spaces, capacity, __func__, "out_spaces"))
        return 0;
    return list_spaces(w, NULL, out_spaces, capacity);
}

int lode_shape_get_spaces(lode_shape shape, lode_space *out_spaces, int capacity)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__) ||
        lode__check_capacity(out_spaces, capacity, __func__, "out_spaces"))
        return 0;
    return list_spaces(s.world, &shape, out_spaces, capacity);
}

/* --- shapes */

/* Opens both, which are of one world. */
static lode_status open_both(lode__object *out, lode_space space, lode_shape shape,
                             const char *function)
{
    lode_status status = lode__open_space(out, space, function, "space");
    if (!status && !shape_is_of(out->world, shape)) {
        lode__refuse_shape(shape, function, "shape");
        status = LODE_ERROR_HANDLE;
    }
    return status;
}

bool lode_space_has(lode_space space, lode_shape shape)
{
    lode__object s;
    return !open_both(&s, space, shape, __func__) && lode__space_has(s.world, s.slot, shape);
}

lode_status lode_space_add(lode_space space, lode_shape shape)
{
    lode__object s;
    lode_status status = open_both(&s, space, shape, __func__);
    if (status)
        return status;
    lode__space *to = SPACE(s.world, s.slot);
    uint32_t slot = id_slot(shape.id), at = place_of_slot(to, slot);
    if (at < to->count && id_slot(to->shapes[at].id) == slot) {
        to->shapes[at] = shape; /* itself, or what had its slot before */
        return LODE_OK;
    }
    if (!lode__grow((void **)&to->shapes, &to->capacity, to->count + 1, sizeof *to->shapes))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    memmove(to->shapes + at + 1, to->shapes + at, (to->count - at) * sizeof *to->shapes);
    to->shapes[at] = shape;
    ++to->count;
    return LODE_OK;
}

lode_status lode_space_remove(lode_space space, lode_shape shape)
{
    lode__object s;
    lode_status status = open_both(&s, space, shape, __func__);
    if (status)
        return status;
    lode__space *from = SPACE(s.world, s.slot);
    if (!lode__space_holds(from, shape))
        return LODE_OK;
    uint32_t at = place_of_slot(from, id_slot(shape.id));
    --from->count;
    memmove(from->shapes + at, from->shapes + at + 1, (from->count - at) * sizeof *from->shapes);
    return LODE_OK;
}

int lode_space_get_shapes(lode_space space, lode_shape *out_shapes, int capacity)
{
    lode__object s;
    int count = 0;
    if (lode__open_space(&s, space, __func__, "space") ||
        lode__check_capacity(out_shapes, capacity, __func__, "out_shapes"))
        return 0;
    for (uint32_t i = lode__space_next(s.world, s.slot, 0); i != LODE__NONE;
         i = lode__space_next(s.world, s.slot, i + 1)) {
        if (count < capacity)
            out_shapes[count] = shape_handle(s.world, i);
        ++count;
    }
    return count;
}

lode_status lode_space_set_enabled(lode_space space, bool enabled)
{
    lode__object s;
    lode_status status = lode__open_space(&s, space, __func__, "space");
    if (status)
        return status;
    for (uint32_t i = lode__space_next(s.world, s.slot, 0); i != LODE__NONE && !status;
         i = lode__space_next(s.world, s.slot, i + 1))
        status = lode_shape_set_enabled(shape_handle(s.world, i), enabled);
    return status;
}

/* --- what is set on it */

#define VALUE(type, name) \
    type lode_space_get_##name(lode_space space) \
    { \
        lode__object s; \
        return lode__open_space(&s, space, __func__, "space") ? (type)0 \
                                                              : SPACE(s.world, s.slot)->name; \
    } \
    lode_status lode_space_set_##name(lode_space space, type name) \
    { \
        lode__object s; \
        lode_status status = lode__open_space(&s, space, __func__, "space"); \
        if (!status) \
            SPACE(s.world, s.slot)->name = name; \
        return status; \
    }

VALUE(void *, user_data)
VALUE(int, sublevel)
VALUE(uint64_t, category)
VALUE(uint64_t, mask)

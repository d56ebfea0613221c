/* shape_flags.c: shapes that are switched off, sensors, and shapes that ask for events; counts of
 * those that few shapes are.
 *
 * A sensor, and a shape that is switched off, is to the collision stages one and the same: nowhere
 * (collide/enable.c). What a call changes in that is done as if the shape came or went. */
#include "world/shape.h"
#include "world/wake.h"

static bool is_nowhere(uint32_t flags)
{
    return flags & LODE__SHAPE_NOWHERE;
}

static bool senses(uint32_t flags)
{
    return (flags & LODE__SHAPE_NOWHERE) == LODE__SHAPE_SENSOR;
}

void lode__shape_count_flags(lode__world *world, uint32_t shape, bool lives)
{
    uint32_t flags = *SHAPE(world, flags, shape);
    uint32_t asks = (flags & LODE__SHAPE_ASKS) != 0, special = (flags & LODE__SHAPE_SPECIAL) != 0;
    uint32_t sounds = (flags & LODE__SHAPE_SOUNDS) != 0;
    world->events.asking_count += lives ? asks : 0u - asks;
    world->sounds.asking_count += lives ? sounds : 0u - sounds;
    world->collide.special_count += lives ? special : 0u - special;
}

/* A new shape is in the sets as one without flags. */
static void write_flags(lode__world *world, uint32_t shape, uint32_t flags)
{
    uint32_t *now = SHAPE(world, flags, shape), before = *now;
    lode__shape_count_flags(world, shape, false);
    *now = flags;
    lode__shape_count_flags(world, shape, true);
    if (senses(flags))
        lode__bits_set(&world->collide.sensors, shape);
    else
        lode__bits_clear(&world->collide.sensors, shape);
    if (is_nowhere(flags) && !is_nowhere(before))
        lode__collide_disable(&world->collide, shape);
    if (!is_nowhere(flags) && is_nowhere(before))
        lode__collide_enable(&world->collide, shape);
}

void lode__shape_begin_flags(lode__world *world, uint32_t shape, const lode_shape_def *def)
{
    write_flags(world, shape,
                (def->sensor ? LODE__SHAPE_SENSOR : 0) | (def->enabled ? 0 : LODE__SHAPE_DISABLED) |
                    (def->touch_events ? LODE__SHAPE_TOUCHES : 0) |
                    (def->impact_events ? LODE__SHAPE_IMPACTS : 0) |
                    (def->edit_contacts ? LODE__SHAPE_EDITED : 0) |
                    (def->sound_events ? LODE__SHAPE_SOUNDS : 0) |
                    (lode__body_is_out(world, SHAPE(world, geometry, shape)->body) ? LODE__SHAPE_OUT : 0));
}

void lode__shapes_put_out(lode__world *world, uint32_t body, bool out)
{
    for (uint32_t shape = BODY(world, links, body)->first_shape; shape != LODE__NONE;
         shape = SHAPE(world, links, shape)->next_shape) {
        uint32_t flags = *SHAPE(world, flags, shape);
        write_flags(world, shape, out ? flags | LODE__SHAPE_OUT : flags & ~(uint32_t)LODE__SHAPE_OUT);
    }
}

/* What rests on the shape wakes while it is there: before it goes, after it came. */
static lode_status change_flag(lode_shape shape, uint32_t flag, bool on, const char *function)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, function);
    if (status)
        return status;
    uint32_t before = *SHAPE(s.world, flags, s.slot);
    uint32_t after = on ? before | flag : before & ~flag;
    if (after == before)
        return LODE_OK;
    if (!is_nowhere(before))
        lode__shape_touched(s.world, s.slot);
    write_flags(s.world, s.slot, after);
    if (!is_nowhere(after))
        lode__shape_touched(s.world, s.slot);
    return LODE_OK;
}

static bool has_flag(lode_shape shape, uint32_t flag, const char *function)
{
    lode__object s;
    return !lode__open_shape(&s, shape, function) && (*SHAPE(s.world, flags, s.slot) & flag);
}

lode_status lode_shape_set_enabled(lode_shape shape, bool enabled)
{
    return change_flag(shape, LODE__SHAPE_DISABLED, !enabled, __func__);
}

bool lode_shape_get_enabled(lode_shape shape)
{
    lode__object s;
    return !lode__open_shape(&s, shape, __func__) &&
           !(*SHAPE(s.world, flags, s.slot) & LODE__SHAPE_DISABLED);
}

lode_status lode_shape_set_sensor(lode_shape shape, bool sensor)
{
    return change_flag(shape, LODE__SHAPE_SENSOR, sensor, __func__);
}

bool lode_shape_get_sensor(lode_shape shape)
{
    return has_flag(shape, LODE__SHAPE_SENSOR, __func__);
}

lode_status lode_shape_set_touch_events(lode_shape shape, bool touch_events)
{
    return change_flag(shape, LODE__SHAPE_TOUCHES, touch_events, __func__);
}

bool lode_shape_get_touch_events(lode_shape shape)
{
    return has_flag(shape, LODE__SHAPE_TOUCHES, __func__);
}

lode_status lode_shape_set_impact_events(lode_shape shape, bool impact_events)
{
    return change_flag(shape, LODE__SHAPE_IMPACTS, impact_events, __func__);
}

bool lode_shape_get_impact_events(lode_shape shape)
{
    return has_flag(shape, LODE__SHAPE_IMPACTS, __func__);
}

lode_status lode_shape_set_edit_contacts(lode_shape shape, bool edit_contacts)
{
    return change_flag(shape, LODE__SHAPE_EDITED, edit_contacts, __func__);
}

bool lode_shape_get_edit_contacts(lode_shape shape)
{
    return has_flag(shape, LODE__SHAPE_EDITED, __func__);
}

lode_status lode_shape_set_sound_events(lode_shape shape, bool sound_events)
{
    return change_flag(shape, LODE__SHAPE_SOUNDS, sound_events, __func__);
}

bool lode_shape_get_sound_events(lode_shape shape)
{
    return has_flag(shape, LODE__SHAPE_SOUNDS, __func__);
}

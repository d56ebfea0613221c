/* events.c: what the contacts of a step and its sensors tell; see events.h. */
#include "world/events.h"

#include "collide/mix.h"
#include "collide/sense.h"
#include "core/memory.h"
#include "world/check.h"
#include "world/world.h"

void lode__events_free(lode__events *events)
{
    lode__touches_free(&events->contacts);
    lode__touches_free(&events->sensors);
    lode__free(events->impacts, events->impact_capacity * sizeof *events->impacts);
    lode__free(events->breaks, events->break_capacity * sizeof *events->breaks);
}

size_t lode__events_bytes(const lode__events *events)
{
    return lode__touches_bytes(&events->contacts) + lode__touches_bytes(&events->sensors) +
           events->impact_capacity * sizeof *events->impacts +
           events->break_capacity * sizeof *events->breaks;
}

void lode__events_forget(lode__events *events)
{
    events->contacts.begins.count = events->contacts.ends.count = 0;
    events->sensors.begins.count = events->sensors.ends.count = 0;
    events->impact_count = events->break_count = events->watched_count = 0;
}

/* ---- before solve ---- */

static uint32_t flags_of(const lode__world *world, const lode__manifold *m)
{
    return *SHAPE(world, flags, m->shape_a) | *SHAPE(world, flags, m->shape_b);
}

static lode_real approach_speed(const lode__world *world, const lode__manifold *m)
{
    const lode__velocity *a = BODY(world, velocity, m->body_a);
    const lode__velocity *b = BODY(world, velocity, m->body_b);
    lode_real most = 0;
    for (int k = 0; k < m->point_count; ++k) {
        lode_vec3 arm = m->points[k].position;
        lode_vec3 apart = v3_sub(velocity_at(a, arm), velocity_at(b, v3_add(arm, m->offset)));
        most = r_max(most, -v3_dot(apart, m->normal));
    }
    return most;
}

static lode__watched watch(const lode__world *world, const lode__manifold *m, uint32_t flags)
{
    lode_real speed = flags & LODE__SHAPE_IMPACTS ? approach_speed(world, m) : 0;
    return (lode__watched){
        .manifold = m,
        .center = BODY(world, pose, m->body_a)->position,
        .approach_speed = speed >= LODE__SPEED(&world->def, world->def.impact_threshold) ? speed
                                                                                         : -1,
        .touches = flags & LODE__SHAPE_TOUCHES,
    };
}

bool lode__events_prepare(lode__world *world, const lode__step *step)
{
    const lode__collide *collide = &world->collide;
    lode__events *events = &world->events;
    uint32_t count = 0;
    events->watched_count = 0;
    for (uint32_t i = 0; i < collide->touching_count && events->asking_count > 0; ++i)
        count += (flags_of(world, collide->touching[i]) & LODE__SHAPE_ASKS) != 0;
    if (!lode__breaks_reserve(world) ||
        !lode__touches_reserve(&events->contacts, count + events->contacts.now.count) ||
        !lode__grow((void **)&events->impacts, &events->impact_capacity, count,
                    sizeof *events->impacts))
        return false;
    events->watched = LODE__TAKE(step->arena, lode__watched, count);
    for (uint32_t i = 0; events->watched && events->watched_count < count; ++i) {
        uint32_t flags = flags_of(world, collide->touching[i]);
        if (flags & LODE__SHAPE_ASKS)
            events->watched[events->watched_count++] = watch(world, collide->touching[i], flags);
    }
    return events->watched != NULL;
}

/* ---- contacts ---- */

static bool point_touches(const lode__point *point)
{
    return point->depth >= 0 || point->exerted[0] > 0;
}

static bool is_touch(const lode__watched *watched)
{
    const lode__manifold *m = watched->manifold;
    bool touches = false;
    for (int k = 0; k < m->point_count; ++k)
        touches = touches || point_touches(&m->points[k]);
    return touches && watched->touches;
}

/* The two are at rest, where no step looks, and still ask. */
static bool rests(const lode__world *world, const lode_touch_event *touch)
{
    uint32_t a = id_slot(touch->shape_a.id), b = id_slot(touch->shape_b.id);
    return lode__touch_lives(world, touch) &&
           ((*SHAPE(world, flags, a) | *SHAPE(world, flags, b)) & LODE__SHAPE_TOUCHES) &&
           (lode__collide_rests_on(&world->collide, a, b) ||
            lode__collide_rests_on(&world->collide, b, a));
}

/* Puts the old touches before these slots that are still true. */
static void put_resting(const lode__world *world, lode__touches *touches, uint32_t *at,
                        uint32_t shape_a, uint32_t shape_b)
{
    uint32_t end = lode__touches_find(&touches->now, shape_a, shape_b);
    for (; *at < end; ++*at) {
        const lode_touch_event *old = &touches->now.items[*at];
        if (rests(world, old))
            touches->next.items[touches->next.count++] = lode__touch_of(
                world, id_slot(old->shape_a.id), id_slot(old->shape_b.id));
    }
}

/* One touch for all manifolds of a pair. */
static bool is_last(const lode__touches *touches, const lode__manifold *m)
{
    const lode_touch_event *last = touches->next.items + touches->next.count - 1;
    return touches->next.count > 0 && id_slot(last->shape_a.id) == m->shape_a &&
           id_slot(last->shape_b.id) == m->shape_b;
}

static void tell_contacts(lode__world *world)
{
    lode__events *events = &world->events;
    lode__touches *touches = &events->contacts;
    uint32_t at = 0;
    for (uint32_t i = 0; i < events->watched_count; ++i) {
        const lode__manifold *m = events->watched[i].manifold;
        if (!is_touch(&events->watched[i]) || is_last(touches, m))
            continue;
        put_resting(world, touches, &at, m->shape_a, m->shape_b);
        at += at < touches->now.count && id_slot(touches->now.items[at].shape_a.id) == m->shape_a &&
              id_slot(touches->now.items[at].shape_b.id) == m->shape_b;
        touches->next.items[touches->next.count++] = lode__touch_of(world, m->shape_a, m->shape_b);
    }
    put_resting(world, touches, &at, LODE__NONE, LODE__NONE);
    lode__touches_exchange(touches);
}

/* ---- impacts ---- */

void lode__push_add(lode__push *push, const lode__manifold *manifold)
{
    for (int k = 0; k < manifold->point_count; ++k) {
        const lode__point *point = &manifold->points[k];
        push->impulse += point->exerted[0];
        push->sum = v3_madd(push->sum, point->position, point->exerted[0]);
    }
}

/* One impact for all manifolds of a contact, the first of which is number i; how many they are. */
static uint32_t tell_impact(lode__world *world, uint32_t i)
{
    lode__events *events = &world->events;
    const lode__watched *watched = &events->watched[i];
    const lode__manifold *m = watched->manifold;
    lode__push push = {.impulse = 0};
    lode_real speed = -1;
    uint32_t count = 0;
    for (; i + count < events->watched_count &&
           (count == 0 || lode__manifolds_are_one(&world->collide, m, watched[count].manifold));
         ++count) {
        speed = r_max(speed, watched[count].approach_speed);
        lode__push_add(&push, watched[count].manifold);
    }
    if (speed < 0 || !(push.impulse > 0))
        return count;
    lode_touch_event touch = lode__touch_of(world, m->shape_a, m->shape_b);
    events->impacts[events->impact_count++] = (lode_impact_event){
        .shape_a = touch.shape_a,
        .shape_b = touch.shape_b,
        .body_a = touch.body_a,
        .body_b = touch.body_b,
        .user_data_a = touch.user_data_a,
        .user_data_b = touch.user_data_b,
        .position = v3_add(watched->center, push_place(&push)),
        .normal = m->normal,
        .impulse = push.impulse,
        .approach_speed = speed,
    };
    return count;
}

static void tell_impacts(lode__world *world)
{
    for (uint32_t i = 0; i < world->events.watched_count;)
        i += tell_impact(world, i);
}

/* ---- sensors ---- */

/* False: out of memory; what was known stays. */
static bool tell_sensors(lode__world *world, const lode__step *step)
{
    lode__touches *touches = &world->events.sensors;
    uint64_t *keys;
    uint32_t count;
    lode__collide_place(&world->collide, &world->bodies, &world->arena, &world->def);
    if (!lode__sense_run(&world->collide, &world->bodies, step, &keys, &count) ||
        !lode__touches_reserve(touches, count))
        return false;
    for (uint32_t i = 0; i < count; ++i)
        touches->next.items[i] = lode__touch_of(world, (uint32_t)(keys[i] >> 32),
                                                (uint32_t)keys[i]);
    touches->next.count = count;
    lode__touches_exchange(touches);
    return true;
}

void lode__events_run(lode__world *world, const lode__step *step)
{
    uint32_t first = lode__bits_next(&world->collide.sensors, 0);
    lode__breaks_run(world);
    if (world->open.collided) {
        tell_contacts(world);
        tell_impacts(world);
    }
    if ((first != UINT32_MAX || world->events.sensors.now.count > 0) && !tell_sensors(world, step))
        lode__warn(step, LODE_WARNING_SENSORS_LATE, 1,
                   first == UINT32_MAX ? 0 : SHAPE(world, geometry, first)->body);
}

/* ---- what the caller sees ---- */

lode_events lode_world_get_events(lode_world world)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__))
        return (lode_events){0};
    const lode__touches *contacts = &w->events.contacts, *sensors = &w->events.sensors;
    return (lode_events){
        .contact_begin_count = (int)contacts->begins.count,
        .contact_end_count = (int)contacts->ends.count,
        .sensor_begin_count = (int)sensors->begins.count,
        .sensor_end_count = (int)sensors->ends.count,
        .impact_count = (int)w->events.impact_count,
        .break_count = (int)w->events.break_count,
        .contact_begins = contacts->begins.items,
        .contact_ends = contacts->ends.items,
        .sensor_begins = sensors->begins.items,
        .sensor_ends = sensors->ends.items,
        .impacts = w->events.impacts,
        .breaks = w->events.breaks,
    };
}

int lode_shape_get_overlaps(lode_shape shape, lode_shape *out_shapes, int capacity)
{
    lode__object s;
    int count = 0;
    if (lode__open_shape(&s, shape, __func__) ||
        lode__check(*SHAPE(s.world, flags, s.slot) & LODE__SHAPE_SENSOR, __func__, "shape",
                    "is no sensor") ||
        lode__check_capacity(out_shapes, capacity, __func__, "out_shapes"))
        return 0;
    const lode__touch_list *now = &s.world->events.sensors.now;
    for (uint32_t i = lode__touches_find(now, s.slot, 0);
         i < now->count && id_slot(now->items[i].shape_a.id) == s.slot; ++i) {
        if (!lode__touch_lives(s.world, &now->items[i]))
            continue;
        if (count < capacity)
            out_shapes[count] = now->items[i].shape_b;
        ++count;
    }
    return count;
}

/* sense.c: see sense.h. Sensors are worked through in blocks, each with a list of its own; the
 * lists are sorted together, so the tree's order shows nowhere. The application's filter is asked
 * last, on the stepping thread. */
#include "collide/sense.h"

#include "collide/custom.h"
#include "collide/overlap.h"
#include "collide/place.h"
#include "core/memory.h"

#include <string.h>

enum { SENSE_GRAIN = 16 };

typedef struct sense_run {
    const lode__collide *collide;
    const lode__pool *bodies;
    const uint32_t *sensors; /* slots, ascending */
    lode__pair_list *lists;
} sense_run;

/* One sensor at work. */
typedef struct sensing {
    const sense_run *run;
    lode__pair_list *list;
    uint32_t sensor, type, body;
    lode__place place;
    lode__aabb bounds;
    bool bounded, sees_static;
} sensing;

void lode__sense_free(lode__collide *collide)
{
    for (uint32_t i = 0; i < collide->sensed_count; ++i)
        lode__free(collide->sensed[i].keys, collide->sensed[i].capacity * sizeof(uint64_t));
    lode__free(collide->sensed, collide->sensed_count * sizeof *collide->sensed);
    collide->sensed = NULL;
    collide->sensed_count = 0;
}

size_t lode__sense_bytes(const lode__collide *collide)
{
    size_t bytes = collide->sensed_count * sizeof *collide->sensed;
    for (uint32_t i = 0; i < collide->sensed_count; ++i)
        bytes += collide->sensed[i].capacity * sizeof(uint64_t);
    return bytes;
}

static bool is_static(const lode__pool *bodies, uint32_t body)
{
    return !(*LODE__AT(body, bodies, flags, body) & (LODE__BODY_DYNAMIC | LODE__BODY_KINEMATIC));
}

static bool lets_pass(const sensing *s, uint32_t a, uint32_t b)
{
    const lode__pool *shapes = &s->run->collide->shapes;
    return lode__custom_lets_pass(
        LODE__AT(shape, shapes, geometry, a)->type, *LODE__AT(shape, shapes, data, a),
        LODE__AT(shape, shapes, geometry, b)->type, *LODE__AT(shape, shapes, data, b));
}

static bool may_sense(const sensing *s, uint32_t shape)
{
    const lode__pool *shapes = &s->run->collide->shapes;
    const lode__filter *a = LODE__AT(shape, shapes, filter, s->sensor);
    const lode__filter *b = LODE__AT(shape, shapes, filter, shape);
    uint32_t body = LODE__AT(shape, shapes, geometry, shape)->body;
    return body != s->body && lode__filters_agree(s->run->collide, a, b) &&
           (s->sees_static || !is_static(s->run->bodies, body)) &&
           !lets_pass(s, s->sensor < shape ? s->sensor : shape,
                      s->sensor < shape ? shape : s->sensor);
}

static bool boxes_meet(const lode__aabb *a, const lode__aabb *b)
{
    for (int i = 0; i < 3; ++i)
        if (!(a->lo[i] <= b->hi[i] && b->lo[i] <= a->hi[i]))
            return false;
    return true;
}

static bool is_touched(const sensing *s, uint32_t shape)
{
    uint32_t type = LODE__AT(shape, &s->run->collide->shapes, geometry, shape)->type;
    lode__place place = lode__place_of(s->run->collide, s->run->bodies, shape);
    if (s->bounded && lode__shape_types[type].reach) {
        lode__aabb bounds = lode__bounds_at(&place, type);
        if (!boxes_meet(&s->bounds, &bounds))
            return false;
    }
    lode_vec3 offset = v3_sub(v3_add(v3_sub(place.body, s->place.body), place.arm), s->place.arm);
    return lode__shapes_overlap(s->type, &s->place.view, type, &place.view, offset);
}

static void look_at(const sensing *s, uint32_t shape)
{
    lode__pair_list *list = s->list;
    if (list->failed || !may_sense(s, shape) || !is_touched(s, shape))
        return;
    if (!lode__grow((void **)&list->keys, &list->capacity, list->count + 1, sizeof(uint64_t))) {
        list->failed = true;
        return;
    }
    list->keys[list->count++] = (uint64_t)s->sensor << 32 | shape;
}

static void look_around(const sensing *s)
{
    const lode__collide *collide = s->run->collide;
    lode__node box;
    uint32_t cursor = 0, shape;
    memcpy(box.lo, s->bounds.lo, sizeof box.lo);
    memcpy(box.hi, s->bounds.hi, sizeof box.hi);
    while ((shape = lode__tree_next(&collide->tree, &box, &cursor)) != LODE__NONE)
        look_at(s, shape);
    for (uint32_t i = 0; i < collide->unbounded_count; ++i)
        if (!lode__bits_get(&collide->disabled, collide->unbounded[i]))
            look_at(s, collide->unbounded[i]);
}

/* A plane: all that is in the tree. */
static void look_everywhere(const sensing *s)
{
    const lode__bits *alive = &s->run->collide->shapes.alive;
    for (uint32_t shape = lode__bits_next(alive, 0); shape != UINT32_MAX;
         shape = lode__bits_next(alive, shape + 1))
        if (lode__tree_has(&s->run->collide->tree, shape))
            look_at(s, shape);
}

static void sense(const sense_run *run, uint32_t sensor, lode__pair_list *list)
{
    const lode__geometry *geometry = LODE__AT(shape, &run->collide->shapes, geometry, sensor);
    sensing s = {.run = run,
                 .list = list,
                 .sensor = sensor,
                 .type = geometry->type,
                 .body = geometry->body,
                 .place = lode__place_of(run->collide, run->bodies, sensor),
                 .bounded = shape_is_bounded(geometry),
                 .sees_static = !is_static(run->bodies, geometry->body)};
    if (!s.bounded) {
        look_everywhere(&s);
        return;
    }
    s.bounds = lode__bounds_at(&s.place, s.type);
    look_around(&s);
}

static void sense_block(void *context, uint32_t begin, uint32_t end)
{
    const sense_run *run = context;
    lode__pair_list *list = &run->lists[begin / SENSE_GRAIN];
    list->count = 0;
    list->failed = false;
    for (uint32_t i = begin; i < end; ++i)
        sense(run, run->sensors[i], list);
}

/* --- the answers */

static bool reserve_lists(lode__collide *collide, uint32_t count)
{
    uint32_t old = collide->sensed_count;
    if (!lode__grow((void **)&collide->sensed, &collide->sensed_count, count,
                    sizeof *collide->sensed))
        return false;
    for (uint32_t i = old; i < collide->sensed_count; ++i)
        collide->sensed[i] = (lode__pair_list){0};
    return true;
}

static uint32_t drop_rejected(const lode__collide *collide, uint64_t *keys, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t sensor = (uint32_t)(keys[i] >> 32), shape = (uint32_t)keys[i];
        if (collide->accepts(collide->accepts_context, sensor < shape ? sensor : shape,
                             sensor < shape ? shape : sensor))
            keys[kept++] = keys[i];
    }
    return kept;
}

bool lode__sense_run(lode__collide *collide, const lode__pool *bodies, const lode__step *step,
                     uint64_t **out_keys, uint32_t *out_count)
{
    uint32_t count = lode__bits_count(&collide->sensors);
    uint32_t lists = (count + SENSE_GRAIN - 1) / SENSE_GRAIN;
    uint32_t *sensors = LODE__TAKE(step->arena, uint32_t, count);
    if (!sensors || !reserve_lists(collide, lists))
        return false;
    lode__bits_list(&collide->sensors, sensors);
    sense_run run = {collide, bodies, sensors, collide->sensed};
    lode__tasks_run(step->tasks, count, SENSE_GRAIN, sense_block, &run);
    *out_keys = lode__pair_lists_sort(collide->sensed, lists, step->arena, out_count);
    if (*out_keys && collide->accepts)
        *out_count = drop_rejected(collide, *out_keys, *out_count);
    return *out_keys != NULL;
}

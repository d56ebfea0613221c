/* shape_change.c: what a shape is, read back, and what can change on it.
 *
 * A change of size, pose or density is tried on the body's mass before it counts. Whatever changes,
 * the next step places the shape anew and looks for its pairs afresh; contacts that still stand
 * keep their impulses. */
#include "lode/shape.h"

#include "collide/shape_type.h"
#include "world/card.h"
#include "world/mass.h"
#include "world/shape.h"
#include "world/surface.h"
#include "world/wake.h"

#include <math.h>

void lode__shape_changed(lode__world *world, uint32_t shape)
{
    lode__collide_refresh(&world->collide, shape);
    lode__shape_touched(world, shape);
}

lode_status lode__shape_remake(lode__object s, const lode__geometry *geometry, lode_real density,
                               const char *function, const char *argument)
{
    lode__geometry *now = SHAPE(s.world, geometry, s.slot), before = *now;
    lode_real *weight = &SHAPE(s.world, surface, s.slot)->density, density_before = *weight;
    lode__local_mass local;
    *now = *geometry;
    *weight = density;
    if (body_is_dynamic(s.world, now->body) &&
        !lode__mass_of_shapes(s.world, now->body, NULL, &local)) {
        *now = before;
        *weight = density_before;
        return lode__check(false, function, argument,
                           "the body's mass or inertia would not be finite and above 0");
    }
    now->center = lode__mass_shape_center(now, BODY(s.world, local, now->body));
    ++s.world->collide.reshaped;
    lode__card_renew(s.world, s.slot);
    lode__mass_refresh(s.world, now->body);
    lode__shape_changed(s.world, s.slot);
    return LODE_OK;
}

/* ---- what it is ---- */

bool lode_shape_is_valid(lode_shape shape)
{
    lode__object s;
    return lode__find_shape(&s, shape);
}

lode_shape_type lode_shape_get_type(lode_shape shape)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return LODE_SPHERE;
    return (lode_shape_type)SHAPE(s.world, geometry, s.slot)->type;
}

lode_body lode_shape_get_body(lode_shape shape)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return (lode_body){0};
    return body_handle(s.world, SHAPE(s.world, geometry, s.slot)->body);
}

lode_shape_def lode_shape_get_def(lode_shape shape)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return lode_shape_def_default();
    const lode__surface *surface = SHAPE(s.world, surface, s.slot);
    const lode__filter *filter = SHAPE(s.world, filter, s.slot);
    uint32_t flags = *SHAPE(s.world, flags, s.slot);
    return (lode_shape_def){.pose = SHAPE(s.world, geometry, s.slot)->pose,
                            .density = surface->density,
                            .friction = surface->friction < REAL_MAX ? surface->friction
                                                                     : (lode_real)INFINITY,
                            .restitution = surface->restitution,
                            .category = filter->category,
                            .mask = filter->mask,
                            .enabled = !(flags & LODE__SHAPE_DISABLED),
                            .sensor = flags & LODE__SHAPE_SENSOR,
                            .touch_events = flags & LODE__SHAPE_TOUCHES,
                            .impact_events = flags & LODE__SHAPE_IMPACTS,
                            .edit_contacts = flags & LODE__SHAPE_EDITED,
                            .sound_events = flags & LODE__SHAPE_SOUNDS,
                            .surface = lode__surface_of(s.world, s.slot),
                            .user_data = *SHAPE(s.world, user_data, s.slot)};
}

void *lode_shape_get_user_data(lode_shape shape)
{
    lode__object s;
    return lode__open_shape(&s, shape, __func__) ? NULL : *SHAPE(s.world, user_data, s.slot);
}

static lode_pose world_pose(lode__object s)
{
    const lode__geometry *geometry = SHAPE(s.world, geometry, s.slot);
    lode_pose frame = lode__body_frame(s.world, geometry->body);
    return (lode_pose){pose_point(frame, geometry->pose.position),
                       q_normalize(q_mul(frame.rotation, geometry->pose.rotation))};
}

lode_pose lode_shape_get_world_pose(lode_shape shape)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return (lode_pose){.rotation = q_identity()};
    return world_pose(s);
}

lode_bounds lode_shape_get_bounds(lode_shape shape)
{
    lode__object s;
    lode_vec3 most = v3(REAL_MAX, REAL_MAX, REAL_MAX);
    if (lode__open_shape(&s, shape, __func__))
        return (lode_bounds){{0, 0, 0}, {0, 0, 0}};
    const lode__geometry *geometry = SHAPE(s.world, geometry, s.slot);
    if (!shape_is_bounded(geometry))
        return (lode_bounds){v3_neg(most), most};
    lode_pose pose = world_pose(s);
    lode__shape_view view = {geometry->size, pose.rotation, *SHAPE(s.world, data, s.slot)};
    lode__reach reach = lode__shape_types[geometry->type].reach(&view);
    lode_vec3 middle = v3_add(pose.position, reach.middle);
    return (lode_bounds){v3_sub(middle, reach.half), v3_add(middle, reach.half)};
}

/* ---- what can change ---- */

lode_status lode__shape_put(lode__object s, lode_pose pose, const char *function)
{
    lode__geometry geometry = *SHAPE(s.world, geometry, s.slot);
    geometry.pose = pose;
    return lode__shape_remake(s, &geometry, SHAPE(s.world, surface, s.slot)->density, function,
                              "pose");
}

lode_status lode_shape_set_pose(lode_shape shape, lode_pose pose)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = lode__check_local_pose(&pose, __func__, "pose");
    return status ? status : lode__shape_put(s, pose, __func__);
}

lode_status lode_shape_set_density(lode_shape shape, lode_real density)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = lode__check(is_at_least(density, 0), __func__, "density", lode__not_negative);
    if (status)
        return status;
    lode__geometry geometry = *SHAPE(s.world, geometry, s.slot);
    return lode__shape_remake(s, &geometry, density, __func__, "density");
}

lode_status lode_shape_set_friction(lode_shape shape, lode_real friction)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = lode__check(friction >= 0, __func__, "friction", "must be at least 0");
    if (status)
        return status;
    SHAPE(s.world, surface, s.slot)->friction = r_min(friction, REAL_MAX);
    lode__shape_changed(s.world, s.slot);
    return LODE_OK;
}

lode_status lode_shape_set_restitution(lode_shape shape, lode_real restitution)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = lode__check(is_within(restitution, 0, 1), __func__, "restitution", lode__fraction);
    if (status)
        return status;
    SHAPE(s.world, surface, s.slot)->restitution = restitution;
    lode__shape_changed(s.world, s.slot);
    return LODE_OK;
}

lode_status lode_shape_set_filter(lode_shape shape, uint64_t category, uint64_t mask)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (status)
        return status;
    *SHAPE(s.world, filter, s.slot) = (lode__filter){category, mask};
    lode__shape_changed(s.world, s.slot);
    return LODE_OK;
}

lode_status lode_shape_refilter(lode_shape shape)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        lode__shape_changed(s.world, s.slot);
    return status;
}

static void look_for_all_pairs(lode__world *world)
{
    const lode__bits *alive = &world->collide.shapes.alive;
    lode__wake_all(world);
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        lode__collide_refresh(&world->collide, s);
}

lode_status lode_world_set_pair_filter(lode_world world, const lode_pair_filter *filter)
{
    static const lode_pair_filter none = {0};
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (status)
        return status;
    w->def.pair_filter = filter ? *filter : none;
    w->collide.accepts = w->def.pair_filter.accepts ? lode__pair_is_accepted : NULL;
    look_for_all_pairs(w);
    return LODE_OK;
}

lode_status lode_world_set_filter_rule(lode_world world, lode_filter_rule rule)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check((unsigned)rule < LODE_FILTER_RULE_COUNT, __func__, "rule",
                             "is not a rule");
    if (status || rule == w->def.filter_rule)
        return status;
    w->def.filter_rule = rule;
    w->collide.one_mask_does = rule == LODE_FILTER_EITHER;
    look_for_all_pairs(w);
    return LODE_OK;
}

/* What the application is asked; null: nothing any more. Who wakes by it says the last word. */
#define HOOK(name, type, field, then) \
    lode_status lode_world_set_##name(lode_world world, const type *field) \
    { \
        lode__world *w; \
        lode_status status = lode__open_world(&w, world, __func__); \
        if (status) \
            return status; \
        w->def.field = field ? *field : (type){0}; \
        lode__world_set_gate(w); \
        then; \
        return LODE_OK; \
    }

HOOK(triangle_filter, lode_triangle_filter, triangle_filter, lode__wake_all(w))
HOOK(mixer, lode_mixer, mixer, (void)0)
HOOK(contact_editor, lode_contact_editor, editor, (void)0)

lode_status lode_shape_set_user_data(lode_shape shape, void *user_data)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        *SHAPE(s.world, user_data, s.slot) = user_data;
    return status;
}

/* shape_move.c: shapes that go to another body, or are put somewhere in the world.
 *
 * A shape that changes its body is to the collision stages as if it was switched off, and on again
 * (collide/enable.c): its contacts end, what rested on it wakes, and it looks for pairs afresh. Its
 * handle, its slot and all that is set on it stay. Both bodies weigh what their shapes then say. */
#include "lode/shape.h"

#include "collide/shape_type.h"
#include "world/card.h"
#include "world/check.h"
#include "world/mass.h"
#include "world/shape.h"
#include "world/wake.h"

/* May the body have the shape, and a mass that can be computed with then? */
static lode_status check_body(lode__object s, uint32_t body, const lode__geometry *geometry,
                              const char *function)
{
    lode__world *world = s.world;
    lode__shape_data *data = *SHAPE(world, data, s.slot);
    lode__local_mass local;
    if (!body_is_dynamic(world, body))
        return LODE_OK;
    if (!shape_may_move(geometry, data))
        return lode__check(
            false, function, "body",
            "a plane or an endless height field belongs on a static or kinematic body");
    lode__matter matter = {geometry, data, SHAPE(world, surface, s.slot)->density};
    return lode__check(lode__mass_of_shapes(world, body, &matter, &local), function, "body",
                       "with this shape its mass or inertia would not be finite");
}

static void change_body(lode__object s, const lode__geometry *geometry)
{
    lode__world *world = s.world;
    lode__collide *collide = &world->collide;
    bool present = !lode__bits_get(&collide->disabled, s.slot);
    uint32_t before = SHAPE(world, geometry, s.slot)->body, after = geometry->body;
    if (present) {
        lode__shape_touched(world, s.slot);
        lode__collide_disable(collide, s.slot);
    }
    lode__wake_body(world, before);
    lode__shape_unlink(world, s.slot);
    *SHAPE(world, geometry, s.slot) = *geometry;
    SHAPE(world, geometry, s.slot)->center = lode__mass_shape_center(geometry,
                                                                     BODY(world, local, after));
    lode__shape_link(world, s.slot);
    ++collide->reshaped;
    lode__card_renew(world, s.slot);
    lode__mass_refresh(world, before);
    lode__mass_refresh(world, after);
    lode__wake_body(world, after);
    if (present) {
        lode__collide_enable(collide, s.slot);
        lode__shape_touched(world, s.slot);
    }
}

lode_status lode_shape_set_body(lode_shape shape, lode_body body, lode_pose pose)
{
    lode__object s, b;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = lode__open_member(&b, s.world, body, __func__, "body");
    if (!status)
        status = lode__check_local_pose(&pose, __func__, "pose");
    if (status)
        return status;
    lode__geometry geometry = *SHAPE(s.world, geometry, s.slot);
    if (geometry.body == b.slot)
        return lode__shape_put(s, pose, __func__);
    geometry.body = b.slot;
    geometry.pose = pose;
    status = check_body(s, b.slot, &geometry, __func__);
    if (!status)
        change_body(s, &geometry);
    return status;
}

lode_status lode_shape_set_world_pose(lode_shape shape, lode_pose pose)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = lode__check_pose(&pose, __func__, "pose");
    if (status)
        return status;
    lode_pose frame = lode__body_frame(s.world, SHAPE(s.world, geometry, s.slot)->body);
    lode_pose local = {pose_point_inv(frame, pose.position),
                       q_normalize(q_mul(q_conj(frame.rotation), pose.rotation))};
    status = lode__check_arm(local.position, __func__, "pose");
    return status ? status : lode__shape_put(s, local, __func__);
}

/* lists.c: what hangs on a body and what lives in a world, as arrays of handles.
 *
 * A body's shapes and joints come in the order of the body's own lists, a world's objects in the
 * order of their slots; both depend on what lives alone. */
#include "core/error.h"
#include "lode/body.h"
#include "world/check.h"
#include "world/edges.h"
#include "world/world.h"

int lode_body_get_shapes(lode_body body, lode_shape *out_shapes, int capacity)
{
    lode__object b;
    int count = 0;
    if (lode__open_body(&b, body, __func__) ||
        lode__check_capacity(out_shapes, capacity, __func__, "out_shapes"))
        return 0;
    for (uint32_t shape = BODY(b.world, links, b.slot)->first_shape; shape != LODE__NONE;
         shape = SHAPE(b.world, links, shape)->next_shape, ++count)
        if (count < capacity)
            out_shapes[count] = shape_handle(b.world, shape);
    return count;
}

int lode_body_get_joints(lode_body body, lode_joint *out_joints, int capacity)
{
    lode__object b;
    int count = 0;
    if (lode__open_body(&b, body, __func__) ||
        lode__check_capacity(out_joints, capacity, __func__, "out_joints"))
        return 0;
    for (uint32_t edge = BODY(b.world, links, b.slot)->first_edge; edge != LODE__NO_EDGE;
         edge = lode__next_edge(b.world, edge), ++count)
        if (count < capacity)
            out_joints[count] = joint_handle(b.world, lode__joint_of_edge(b.world, edge));
    return count;
}

int lode_world_get_bodies(lode_world world, lode_body *out_bodies, int capacity)
{
    lode__world *w;
    int count = 0;
    if (lode__open_world(&w, world, __func__) ||
        lode__check_capacity(out_bodies, capacity, __func__, "out_bodies"))
        return 0;
    for (uint32_t slot = lode__bits_next(&w->bodies.alive, 0);
         slot < w->bodies.end && count < capacity;
         slot = lode__bits_next(&w->bodies.alive, slot + 1))
        out_bodies[count++] = body_handle(w, slot);
    return (int)w->bodies.count;
}

int lode_world_get_joints(lode_world world, lode_joint *out_joints, int capacity)
{
    lode__world *w;
    int count = 0;
    if (lode__open_world(&w, world, __func__) ||
        lode__check_capacity(out_joints, capacity, __func__, "out_joints"))
        return 0;
    for (uint32_t slot = lode__bits_next(&w->joints.alive, 0); slot < w->joints.end;
         slot = lode__bits_next(&w->joints.alive, slot + 1)) {
        if (JOINT(w, joint, slot)->flags & LODE__JOINT_ARM)
            continue;
        if (count < capacity)
            out_joints[count] = joint_handle(w, slot);
        ++count;
    }
    return count;
}

/* moved.c: what the last step moved, and where all shapes are.
 *
 * A step leaves its dense lines' slots in the arena, which the next step resets. A body is among
 * the moved ones when its own line component still names the line that names its slot: one that
 * took over the slot of a destroyed body has line 0. */
#include "lode/moved.h"

#include "core/math.h"
#include "core/memory.h"
#include "solver/state.h"
#include "world/check.h"
#include "world/world.h"

/* One body's share of the arrays, which lie in one piece, one behind the other. */
enum { SHARE = sizeof(lode_body) + sizeof(void *) + sizeof(lode_pose) + sizeof(bool) };

void lode__moved_keep(lode__world *world)
{
    const lode__dense *lines = &world->solver.state->lines;
    world->moved.slot = lines->slot;
    world->moved.begin = -(int32_t)lines->kinematic_count;
    world->moved.end = (int32_t)lines->count;
}

void lode__moved_forget(lode__world *world)
{
    world->moved.begin = world->moved.end = 0;
}

void lode__moved_free(lode__world *world)
{
    lode__free(world->moved.memory, world->moved.capacity * (size_t)SHARE);
}

size_t lode__moved_bytes(const lode__world *world)
{
    return world->moved.capacity * (size_t)SHARE;
}

static bool line_moved(const lode__world *world, int32_t line, uint32_t *out_slot)
{
    uint32_t slot = world->moved.slot[line]; /* LODE__NONE for line 0 */
    if (slot >= world->bodies.end || !lode__bits_get(&world->bodies.alive, slot))
        return false;
    *out_slot = slot;
    return *BODY(world, line, slot) == line && !(*BODY(world, flags, slot) & LODE__BODY_FROZEN);
}

lode_moved lode_world_get_moved(lode_world world)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__))
        return (lode_moved){0};
    lode__moved *moved = &w->moved;
    if (moved->begin == moved->end)
        return (lode_moved){0};
    if (!lode__grow(&moved->memory, &moved->capacity, (uint32_t)(moved->end - moved->begin),
                    SHARE)) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return (lode_moved){0};
    }
    lode_body *bodies = moved->memory;
    void **user_data = (void **)(bodies + moved->capacity);
    lode_pose *poses = (lode_pose *)(user_data + moved->capacity);
    bool *fell_asleep = (bool *)(poses + moved->capacity);
    int count = 0;
    for (int32_t line = moved->begin; line < moved->end; ++line) {
        uint32_t slot;
        if (!line_moved(w, line, &slot))
            continue;
        bodies[count] = body_handle(w, slot);
        user_data[count] = *BODY(w, user_data, slot);
        fell_asleep[count] = *BODY(w, flags, slot) & LODE__BODY_ASLEEP;
        poses[count++] = lode__body_frame(w, slot);
    }
    return (lode_moved){count, bodies, poses, user_data, fell_asleep};
}

/* Row by row or column by column: the other order is the transpose. */
static void write_matrix(lode_real out[16], lode_pose pose, lode_matrix_order order)
{
    lode__mat3 m = m3_from_quat(pose.rotation);
    lode_vec3 p = pose.position;
    const lode_real rows[4][4] = {{m.r0.x, m.r0.y, m.r0.z, p.x},
                                  {m.r1.x, m.r1.y, m.r1.z, p.y},
                                  {m.r2.x, m.r2.y, m.r2.z, p.z},
                                  {0, 0, 0, 1}};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            out[4 * i + j] = order == LODE_ROW_MAJOR ? rows[i][j] : rows[j][i];
}

int lode_world_get_moved_matrices(lode_world world, lode_matrix_order order,
                                  lode_real *out_matrices, int capacity)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__) ||
        lode__check(order == LODE_ROW_MAJOR || order == LODE_COLUMN_MAJOR, __func__, "order",
                    "must be LODE_ROW_MAJOR or LODE_COLUMN_MAJOR") ||
        lode__check_capacity(out_matrices, capacity, __func__, "out_matrices"))
        return 0;
    int count = 0;
    for (int32_t line = w->moved.begin; line < w->moved.end; ++line) {
        uint32_t slot;
        if (!line_moved(w, line, &slot))
            continue;
        if (count < capacity)
            write_matrix(out_matrices + 16 * (size_t)count, lode__body_frame(w, slot), order);
        ++count;
    }
    return count;
}

static lode_pose shape_pose(const lode__world *world, uint32_t shape)
{
    const lode__geometry *geometry = SHAPE(world, geometry, shape);
    const lode__pose *body = BODY(world, pose, geometry->body);
    lode_vec3 arm = q_rotate(body->rotation, geometry->center.position);
    return (lode_pose){v3_add(body->position, arm),
                       q_normalize(q_mul(body->rotation, geometry->center.rotation))};
}

int lode_world_get_shape_poses(lode_world world, lode_shape *out_shapes, lode_pose *out_poses,
                               int capacity)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__) ||
        lode__check_capacity(out_poses, capacity, __func__, "out_poses"))
        return 0;
    const lode__bits *alive = &w->collide.shapes.alive;
    int count = 0;
    for (uint32_t shape = lode__bits_next(alive, 0); shape < w->collide.shapes.end;
         shape = lode__bits_next(alive, shape + 1)) {
        if (count < capacity && out_shapes)
            out_shapes[count] = shape_handle(w, shape);
        if (count < capacity)
            out_poses[count] = shape_pose(w, shape);
        ++count;
    }
    return count;
}

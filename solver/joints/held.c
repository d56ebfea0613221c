/* held.c: see held.h. The rows are those of the type's own builder, for a block whose eight lanes
 * are all this joint, so that no type is spelled a second time. */
#include "solver/joints/held.h"

#include "core/math.h"
#include "solver/joints/joint_type.h"
#include "solver/kernels.h"

#include <string.h>

static void splat(lode__lane *out, lode_real x)
{
    for (int lane = 0; lane < LODE_LANES; ++lane)
        out->x[lane] = x;
}

static void splat3(lode__lane3 *out, lode_vec3 v)
{
    splat(&out->x, v.x);
    splat(&out->y, v.y);
    splat(&out->z, v.z);
}

static void splat4(lode__lane4 *out, lode_quat q)
{
    splat(&out->w, q.w);
    splat(&out->x, q.x);
    splat(&out->y, q.y);
    splat(&out->z, q.z);
}

/* The world is body b at the joint's own frame, as in a step. */
static void fill(lode__joint_lanes *out, const lode__joint *joint, const lode__pose *a,
                 const lode__pose *b)
{
    lode_vec3 from = b ? b->position : joint->frame_b.position;
    memset(out, 0, sizeof *out);
    splat3(&out->anchor_a, joint->frame_a.position);
    splat3(&out->anchor_b, b ? joint->frame_b.position : v3_zero());
    splat3(&out->offset, v3_sub(a->position, from));
    splat4(&out->q_a, a->rotation);
    splat4(&out->q_b, b ? b->rotation : q_identity());
    splat4(&out->frame_a, joint->frame_a.rotation);
    splat4(&out->frame_b, joint->frame_b.rotation);
    splat(&out->distance, joint->distance);
}

static lode_vec3 first_of(const lode__lane3 *v)
{
    return (lode_vec3){v->x.x[0], v->y.x[0], v->z.x[0]};
}

size_t lode__held_scratch_size(void)
{
    return sizeof(lode__joint_lanes) + lode__row_block_size(LODE__HELD_ROWS);
}

int lode__joint_held(const lode__solver_kernels *kernels, const lode__joint *joint,
                     const lode__pose *a, const lode__pose *b, void *scratch,
                     lode__held_row out[LODE__HELD_ROWS])
{
    lode__joint_lanes *lanes = scratch;
    lode__row_block *block = (lode__row_block *)(void *)(lanes + 1);
    int rows = lode__joint_types[joint->type].rows;
    if (rows == 0)
        return 0;
    memset(block, 0, lode__row_block_size(rows));
    fill(lanes, joint, a, b);
    kernels->build[joint->type](block, lanes, rows);
    for (int i = 0; i < rows; ++i)
        out[i] = (lode__held_row){first_of(&block->rows[i].lin), first_of(&block->rows[i].ang_a),
                                  first_of(&block->rows[i].ang_b)};
    return rows;
}

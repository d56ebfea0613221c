/* kernel_data.c: random but valid input for the kernels. */
#include "bench/kernel_data.h"

#include "core/math.h"

#include <string.h>

static lode_real random_between(uint64_t *state, double lo, double hi)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (lode_real)(lo + (hi - lo) * ((double)(*state >> 11) * 0x1p-53));
}

static lode_vec3 random_vector(uint64_t *state, double size)
{
    return (lode_vec3){random_between(state, -size, size), random_between(state, -size, size),
                       random_between(state, -size, size)};
}

/* A rotation by up to about `size` radians; any rotation for a large size. */
static lode_quat random_rotation(uint64_t *state, double size)
{
    lode_vec3 v = random_vector(state, 0.5 * size);
    return q_normalize((lode_quat){1, v.x, v.y, v.z});
}

static void fill_bodies(kernel_data *data, uint64_t *state)
{
    data->pose[0].rotation.w = 1;
    for (int i = 1; i < KERNEL_LINES; ++i) {
        data->velocity[i] = (lode__velocity){.linear = random_vector(state, 1),
                                             .angular = random_vector(state, 1)};
        data->inv_mass[i] = (lode__inv_mass){
            random_between(state, 0.5, 2), random_between(state, 4, 8),
            random_between(state, 4, 8),   random_between(state, 4, 8),
            random_between(state, -1, 1),  random_between(state, -1, 1),
            random_between(state, -1, 1),  0};
        data->pose[i] = (lode__pose){.rotation = random_rotation(state, 4)};
        data->force[i] = (lode__force){.force = random_vector(state, 1),
                                       .torque = random_vector(state, 1)};
        lode__spinner *spinner = &data->spinner[i - 1];
        for (int k = 0; k < 3; ++k) {
            spinner->inertia[k] = random_between(state, 0.1, 0.2);
            spinner->inv_inertia[k] = 1 / spinner->inertia[k];
        }
        data->spinner_line[i - 1] = i;
        data->gyro[i - 1] = 1;
    }
}

static void fill_joints(kernel_data *data, uint64_t *state)
{
    for (int i = 0; i < KERNEL_BLOCKS; ++i)
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            lode__joint_lanes *joint = &data->joints[i];
            lode_vec3 a = random_vector(state, 1), b = random_vector(state, 1);
            lode_quat qa = random_rotation(state, 4), qb = random_rotation(state, 4);
            lode_vec3 offset = v3_sub(q_rotate(qb, b), q_rotate(qa, a));
#define LANE3(field, v) \
    (joint->field.x.x[lane] = (v).x, joint->field.y.x[lane] = (v).y, joint->field.z.x[lane] = (v).z)
#define LANE4(field, q) \
    (joint->field.w.x[lane] = (q).w, joint->field.x.x[lane] = (q).x, \
     joint->field.y.x[lane] = (q).y, joint->field.z.x[lane] = (q).z)
            LANE3(anchor_a, a);
            LANE3(anchor_b, b);
            LANE3(offset, offset);
            LANE4(q_a, qa);
            LANE4(q_b, qb);
#undef LANE3
#undef LANE4
        }
}

static void fill_boxes(kernel_data *data, bool stacked, uint64_t *state)
{
    double spin = stacked ? 0.001 : 4;
    for (int i = 0; i < KERNEL_BLOCKS; ++i) {
        lode__pair_batch *batch = &data->boxes[i];
        batch->speculative = (lode_real)0.02;
        batch->used = LODE_LANES;
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            lode_quat qa = random_rotation(state, spin), qb = random_rotation(state, spin);
            lode_vec3 offset = random_vector(state, 0.6);
            if (stacked)
                offset = (lode_vec3){random_between(state, -0.5, 0.5), 0, (lode_real)0.998};
            const lode_real a[4] = {qa.w, qa.x, qa.y, qa.z}, b[4] = {qb.w, qb.x, qb.y, qb.z};
            const lode_real away[3] = {offset.x, offset.y, offset.z};
            for (int k = 0; k < 4; ++k) {
                batch->rotation_a[k].x[lane] = a[k];
                batch->rotation_b[k].x[lane] = b[k];
            }
            for (int k = 0; k < 3; ++k) {
                batch->size_a[k].x[lane] = batch->size_b[k].x[lane] = (lode_real)0.5;
                batch->offset[k].x[lane] = away[k];
                batch->arm[k].x[lane] = 0;
            }
        }
    }
}

static bool is_static(int kind)
{
    return kind >= LODE__KIND_STATIC && kind < LODE__KIND_ROWS;
}

/* A horizontal face of 1 m: the points are its corners, as far as there are points. */
static void fill_contact_block(lode__contact_block *block, int index, int points, bool alone,
                               uint64_t *state)
{
    static const lode_real corner[KERNEL_POINTS][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        int at = index * LODE_LANES + lane;
        block->a[lane] = 1 + at;
        block->b[lane] = alone ? 0 : 1 + KERNEL_BODIES / 2 + at;
        block->n.z.x[lane] = 1;
        block->rb.z.x[lane] = 1;
        block->friction1.x[lane] = block->friction2.x[lane] = (lode_real)0.6;
        for (int i = 0; i < points; ++i) {
            lode__contact_row *row = &block->rows[i];
            row->x.x[lane] = corner[i][0] * random_between(state, 0.4, 0.5);
            row->y.x[lane] = corner[i][1] * random_between(state, 0.4, 0.5);
            row->c.x[lane] = (lode_real)-0.5;
            row->depth.x[lane] = random_between(state, -0.01, 0.01);
            row->lambda.x[lane] = random_between(state, 0, 0.1);
        }
    }
}

static void fill_row_block(kernel_data *data, lode__row_block *block, int index)
{
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        int at = index * LODE_LANES + lane;
        block->a[lane] = 1 + at;
        block->b[lane] = 1 + KERNEL_BODIES / 2 + at;
        for (int i = 0; i < KERNEL_ROWS; ++i)
            block->rows[i].erp.x[lane] = (lode_real)0.2;
    }
    lode__solver_kernels_for(LODE_SIMD_PLAIN)
        ->build[LODE_JOINT_BALL](block, &data->joints[index], KERNEL_ROWS);
}

static void fill_blocks(kernel_data *data, int kind, uint64_t *state)
{
    int first = is_static(kind) ? LODE__KIND_STATIC : LODE__KIND_CONTACT;
    for (int i = 0; i < KERNEL_BLOCKS; ++i) {
        if (kind >= LODE__KIND_ROWS)
            fill_row_block(data, kernel_block(data, kind, i), i);
        else
            fill_contact_block(kernel_block(data, kind, i), i, kind - first + 1, is_static(kind),
                               state);
    }
}

lode__dense kernel_dense(kernel_data *data)
{
    return (lode__dense){.velocity = data->velocity,
                         .inv_mass = data->inv_mass,
                         .delta = data->delta,
                         .pose = data->pose,
                         .force = data->force,
                         .count = KERNEL_LINES};
}

lode__spinners kernel_spinners(kernel_data *data)
{
    return (lode__spinners){.spinner = data->spinner,
                            .line = data->spinner_line,
                            .gyro = data->gyro,
                            .count = KERNEL_BODIES};
}

size_t kernel_stride(int kind)
{
    return kind >= LODE__KIND_ROWS ? KERNEL_ROW_STRIDE : KERNEL_CONTACT_STRIDE;
}

void *kernel_block(kernel_data *data, int kind, int index)
{
    char *blocks = kind >= LODE__KIND_ROWS ? data->rows : data->contacts;
    return blocks + (size_t)index * kernel_stride(kind);
}

lode__softness kernel_softness(void)
{
    return (lode__softness){.rate = 12,
                            .relaxation = (lode_real)1.3,
                            .mass_scale = 1,
                            .joint_mass_scale = 1,
                            .slop = (lode_real)0.005,
                            .max_speed = 100,
                            .bounce_speed = 1,
                            .inv_h = 60,
                            .joint_rate = 12};
}

void kernel_data_fill(kernel_data *out_data, int kind, bool prepared, bool stacked)
{
    uint64_t state = 1;
    memset(out_data, 0, sizeof *out_data);
    fill_bodies(out_data, &state);
    fill_joints(out_data, &state);
    fill_boxes(out_data, stacked, &state);
    fill_blocks(out_data, kind, &state);
    if (!prepared)
        return;
    const lode__block_kernels *plain = &lode__solver_kernels_for(LODE_SIMD_PLAIN)->kinds[kind];
    lode__dense dense = kernel_dense(out_data);
    lode__softness softness = kernel_softness();
    void *blocks = kernel_block(out_data, kind, 0);
    plain->prepare(blocks, KERNEL_BLOCKS, kernel_stride(kind), &dense, &softness);
    plain->refresh(blocks, KERNEL_BLOCKS, kernel_stride(kind), &dense, &softness);
}

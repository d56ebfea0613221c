/* kernels.c: the collision kernels of one instruction set; compiled once for each. */
#include "collide/kernels.h"

#include "collide/box_box.h"
#include "collide/hull_axes.inl"
#include "collide/pair_gather.h"
#include "collide/ray_box.h"
#include "collide/touch_capsule.h"
#include "collide/touch_plane.h"
#include "collide/touch_sphere.h"

#if defined(LODE_VARIANT_PLAIN)
#define SIMD LODE_SIMD_PLAIN
#elif defined(LODE_VARIANT_SSE2)
#define SIMD LODE_SIMD_SSE2
#elif defined(LODE_VARIANT_AVX2)
#define SIMD LODE_SIMD_AVX2
#elif defined(LODE_VARIANT_AVX512)
#define SIMD LODE_SIMD_AVX512
#else
#define SIMD LODE_SIMD_NEON
#endif

static void LODE_KERNEL(gather)(const lode__pair_sources *from, lode__pair_batch *batch)
{
    for (int lane = 0; lane < batch->used; lane += LODE_WIDTH)
        gather_pairs(from, batch, lane);
}

static void LODE_KERNEL(box_way)(lode__pair_batch *batch)
{
    for (int lane = 0; lane < batch->used; lane += LODE_WIDTH)
        find_way(batch, lane);
}

static void LODE_KERNEL(box_box)(lode__pair_batch *batch)
{
    for (int lane = 0; lane < batch->used; lane += LODE_WIDTH)
        touch_boxes(batch, lane);
}

#define TOUCH(text, NAME) \
    static void LODE_KERNEL(text)(lode__pair_batch * batch) \
    { \
        for (int lane = 0; lane < batch->used; lane += LODE_WIDTH) \
            text(batch, lane); \
    }
LODE__TOUCH_KERNELS(TOUCH)

static unsigned LODE_KERNEL(enter_box)(const lode__ray_batch *batch, const lode_real *box)
{
    unsigned bits = 0;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
        bits |= enter_box(batch, box, lane) << lane;
    return bits;
}

#define ROW(text, NAME) [LODE__TOUCH_##NAME] = LODE_KERNEL(text),
const lode__collide_kernels LODE_KERNEL(lode__collide_kernels) = {
    .simd = SIMD,
    .enter_box = LODE_KERNEL(enter_box),
    .gather = LODE_KERNEL(gather),
    .box_way = LODE_KERNEL(box_way),
    .box_box = LODE_KERNEL(box_box),
    .touch = {LODE__TOUCH_KERNELS(ROW)},
    .hull_axis = LODE_KERNEL(hull_axis),
};

/* kernels.c: the collision kernels of one instruction set; compiled once for each. */
#include "collide/kernels.h"

#include "collide/box_box.h"
#include "collide/box_cut.h"
#include "collide/box_near.h"
#include "collide/hull_axes.inl"
#include "collide/mesh_ends.h"
#include "collide/mesh_leeway.h"
#include "collide/mesh_near.h"
#include "collide/mesh_ray_batch.h"
#include "collide/pair_tell.h"
#include "collide/span_boxes.h"
#include "collide/touch_capsule.h"
#include "collide/touch_capsule_box.h"
#include "collide/touch_plane.h"
#include "collide/touch_sphere.h"
#include "collide/touch_triangle.h"
#include "collide/touch_triangle_capsule.h"
#include "collide/wide_walk.h"

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

static unsigned LODE_KERNEL(boxes_near)(const lode__pair_sources *from, lode_real speculative)
{
    unsigned near = 0;
    for (int lane = 0; lane < from->used; lane += LODE_WIDTH)
        near |= boxes_near(from, w_splat(speculative), lane) << lane;
    return near & ((1u << from->used) - 1);
}

static void LODE_KERNEL(box_way)(lode__pair_batch *batch)
{
    for (int lane = 0; lane < batch->used; lane += LODE_WIDTH)
        find_way(batch, lane);
}

static void LODE_KERNEL(box_points)(const lode__pair_batch *batch, bool least,
                                    lode__box_points *out)
{
    for (int lane = 0; lane < batch->used; lane += LODE_WIDTH)
        list_box_points(batch, least, lane, out);
}

#define TOUCH(text, NAME, MOST) \
    static void LODE_KERNEL(text)(lode__pair_batch * batch) \
    { \
        for (int lane = 0; lane < batch->used; lane += LODE_WIDTH) { \
            wpair in = wp_load(batch, lane); \
            wtouch touch = text(&in); \
            wp_store(batch, lane, &in, &touch, MOST); \
        } \
    }
LODE__TOUCH_KERNELS(TOUCH)

LODE__INLINE const lode__pair_sources *next_sources(const lode__pair_sources *from, size_t pitch)
{
    return (const lode__pair_sources *)(const void *)((const char *)from + pitch);
}

/* That shapes lie in the middle of their bodies is known while the text is compiled, since most do,
 * and with it which of them comes first. What is asked is at hand: nothing that is written changes
 * it. */
#define TELL_ALL(text, MOST) \
    LODE__INLINE void tell_all_##text(const lode__pair_sources *from, uint32_t count, \
                                      size_t pitch, const lode__lane_ask *asked, bool centered, \
                                      bool swapped) \
    { \
        const lode__lane_ask ask = *asked; \
        for (; count > 0; --count, from = next_sources(from, pitch)) \
            for (int lane = 0; lane < from->used; lane += LODE_WIDTH) \
                TELL_LANES(text, MOST, from, &ask, centered, swapped, lane); \
    }
#define TELL_AS(name, text, centered, swapped) \
    LODE__ONE_COPY void LODE_KERNEL(name##text)(const lode__pair_sources *from, uint32_t count, \
                                                size_t pitch, const lode__lane_ask *ask) \
    { \
        tell_all_##text(from, count, pitch, ask, centered, swapped); \
    }
#define TELL_MIXED(text, NAME, MOST) \
    TELL_ALL(text, MOST) \
    TELL_AS(tell_placed_, text, false, from->swapped) \
    TELL_AS(tell_centered_, text, true, false) \
    TELL_AS(tell_swapped_, text, true, true) \
    static void LODE_KERNEL(tell_##text)(const lode__pair_sources *from, uint32_t count, \
                                         size_t pitch, const lode__lane_ask *ask) \
    { \
        lode__tell_fn *tell = !from->centered ? LODE_KERNEL(tell_placed_##text) \
                              : from->swapped ? LODE_KERNEL(tell_swapped_##text) \
                                              : LODE_KERNEL(tell_centered_##text); \
        tell(from, count, pitch, ask); \
    }
#define TELL_ALIKE(text, NAME, MOST) \
    TELL_ALL(text, MOST) \
    TELL_AS(tell_placed_, text, false, false) \
    TELL_AS(tell_centered_, text, true, false) \
    static void LODE_KERNEL(tell_##text)(const lode__pair_sources *from, uint32_t count, \
                                         size_t pitch, const lode__lane_ask *ask) \
    { \
        lode__tell_fn *tell = from->centered ? LODE_KERNEL(tell_centered_##text) \
                                             : LODE_KERNEL(tell_placed_##text); \
        tell(from, count, pitch, ask); \
    }
LODE__TOUCH_MIXED(TELL_MIXED)
LODE__TOUCH_ALIKE(TELL_ALIKE)

#define TRIANGLE(text, NAME) \
    static void LODE_KERNEL(text)(lode__triangle_batch * batch) \
    { \
        for (int lane = 0; lane < batch->used; lane += LODE_WIDTH) \
            text(batch, lane); \
    }
LODE__TRIANGLE_KERNELS(TRIANGLE)

static unsigned LODE_KERNEL(enter_box)(const lode__ray_batch *batch, const lode_real *box,
                                       lode__lanes *out_enter)
{
    return enter_box(batch, box, out_enter);
}

static unsigned LODE_KERNEL(span_boxes)(const lode__shape_view *box, const lode__line_set *lines,
                                        lode__span out[LODE_LANES])
{
    return span_boxes(box, lines, out);
}

static void LODE_KERNEL(walk)(const lode__wide_tree *wide, const lode__slabs *slabs, lode_real most,
                              lode__placed_fn *look, void *context)
{
    wide_walk(wide, slabs, most, look, context);
}

static void LODE_KERNEL(walk_batch)(const lode__wide_tree *wide, const lode__ray_batch *batch,
                                    lode__placed_batch_fn *look, void *context)
{
    wide_walk_batch(wide, batch, look, context);
}

static void LODE_KERNEL(mesh_ray)(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction,
                                  lode_real length, lode__part_hit_fn *hear, void *context)
{
    mesh_ray(mesh, origin, direction, length, hear, context);
}

static void LODE_KERNEL(mesh_rays)(const lode__mesh *mesh, const lode__mesh_rays *rays,
                                   lode__part_hits_fn *hear, void *context)
{
    mesh_rays(mesh, rays, hear, context);
}

static unsigned LODE_KERNEL(mesh_ends)(const lode__shape_view *shape, const lode__part_hit *hits,
                                       unsigned lanes, lode__surface_point *out)
{
    return mesh_ends(shape, hits, lanes, out);
}

static bool LODE_KERNEL(mesh_near)(lode__mesh_near *near)
{
    return mesh_near(near);
}

static void LODE_KERNEL(mesh_sift)(lode__mesh_near *near)
{
    near_sift(near);
}

static void LODE_KERNEL(mesh_leeway)(lode__mesh_near *near, lode__near_leeway *out)
{
    mesh_leeway(near, out);
}

static void LODE_KERNEL(gather_triangles)(const lode__mesh *mesh, const uint32_t *triangles,
                                          const lode__solid_lines *const *solids,
                                          lode__triangle_batch *batch)
{
    gather_triangles(mesh, triangles, solids, batch);
}

static void LODE_KERNEL(cut_faces)(const lode__triangle_batch *batch, lode__face_cut *out)
{
    for (int lane = 0; lane < batch->used; lane += LODE_WIDTH)
        cut_faces(batch, lane, out + lane);
}

/* kernels_one.c */
#if defined(LODE_DOUBLE) && !defined(LODE_VARIANT_PLAIN)
#define TELL_ONE NULL
#else
#define TELL_ONE LODE_KERNEL(lode__tell_one)
extern lode__tell_one_fn *const TELL_ONE[LODE__TOUCH_KINDS][2];
#endif

#define ROW(text, NAME, MOST) [LODE__TOUCH_##NAME] = LODE_KERNEL(text),
#define TELL_ROW(text, NAME, MOST) [LODE__TOUCH_##NAME] = LODE_KERNEL(tell_##text),
#define TRIANGLE_ROW(text, NAME) [LODE__TRIANGLE_##NAME] = LODE_KERNEL(text),
const lode__collide_kernels LODE_KERNEL(lode__collide_kernels) = {
    .simd = SIMD,
    .enter_box = LODE_KERNEL(enter_box),
    .gather = LODE_KERNEL(gather),
    .span_boxes = LODE_KERNEL(span_boxes),
    .walk = LODE_KERNEL(walk),
    .walk_batch = LODE_KERNEL(walk_batch),
    .mesh_ray = LODE_KERNEL(mesh_ray),
    .mesh_rays = LODE_KERNEL(mesh_rays),
    .mesh_ends = LODE_KERNEL(mesh_ends),
    .mesh_near = LODE_KERNEL(mesh_near),
    .mesh_sift = LODE_KERNEL(mesh_sift),
    .mesh_leeway = LODE_KERNEL(mesh_leeway),
    .gather_triangles = LODE_KERNEL(gather_triangles),
    .cut_faces = LODE_KERNEL(cut_faces),
    .boxes_near = LODE_KERNEL(boxes_near),
    .box_way = LODE_KERNEL(box_way),
    .box_points = LODE_KERNEL(box_points),
    .touch = {LODE__TOUCH_KERNELS(ROW)},
    .tell = {LODE__TOUCH_KERNELS(TELL_ROW)},
    .tell_one = TELL_ONE,
    .hull_axis = LODE_KERNEL(hull_axis),
    .hull_best_axis = LODE_KERNEL(hull_best_axis),
    .triangle = {LODE__TRIANGLE_KERNELS(TRIANGLE_ROW)},
};

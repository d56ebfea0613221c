/* box_box.h: eight pairs of boxes; kernel text, see simd/wide.h.
 *
 *     axes (box_axes.h) -> a face decides: clip (box_face.h), reduce (box_reduce.h)
 *                       -> two edges decide: one point (box_edge.h)
 *
 * The two branches are taken by the batch, not by the pair: what no lane needs is skipped, and
 * what some lane needs is computed for all, which changes no bit of any lane. Where pairs differ
 * much, find_way() tells beforehand what each needs, for the caller to bring like ones together. */
#ifndef LODE_COLLIDE_BOX_BOX_H
#define LODE_COLLIDE_BOX_BOX_H

#include "collide/box_edge.h"
#include "collide/box_reduce.h"

/* One point of eight pairs, in the frame of the reference face. */
typedef struct wslot {
    wreal n, u, v, feature;
} wslot;

/* Which lanes touch, and by what. */
typedef struct wchoice {
    wmask touch, by_edge, by_b;
} wchoice;

LODE__INLINE wreal forgive(wreal separation, lode_real share, wreal margin)
{
    return w_add(w_max(separation, w_mul(separation, w_splat(share))), margin);
}

LODE__INLINE wchoice choose_axis(const wbox_axes *axes, wreal speculative)
{
    wreal margin = w_mul(speculative, w_splat(BOX_AXIS_MARGIN));
    wmask by_b = w_gt(axes->face_b, forgive(axes->face_a, BOX_FACE_SHARE, margin));
    wreal face = w_select(by_b, axes->face_b, axes->face_a);
    wreal most = w_max(w_max(axes->face_a, axes->face_b), axes->edge);
    return (wchoice){w_lt(most, speculative),
                     w_gt(axes->edge, forgive(face, BOX_EDGE_SHARE, margin)), by_b};
}

/* Candidate k's lanes that are valid and the rank-th of their pair go to `slot`, which is empty
 * there. */
LODE__INLINE wslot take_slot(wslot slot, wmask take, const wcandidates *c, int k, int lane)
{
    return (wslot){w_merge(take, w_load(&c->n[k][lane]), slot.n),
                   w_merge(take, w_load(&c->u[k][lane]), slot.u),
                   w_merge(take, w_load(&c->v[k][lane]), slot.v),
                   w_merge(take, w_load(&c->feature[k][lane]), slot.feature)};
}

LODE__INLINE wslot select_slot(wmask m, wslot a, wslot b)
{
    return (wslot){w_select(m, a.n, b.n), w_select(m, a.u, b.u), w_select(m, a.v, b.v),
                   w_select(m, a.feature, b.feature)};
}

LODE__INLINE void store_slot(lode__lanes position[3], lode__lanes *depth, lode__lanes *feature,
                             int lane, const wface *face, wvec3 center, wslot slot)
{
    wreal middle = w_mul(w_add(slot.n, face->half.x), w_splat((lode_real)0.5));
    wvec3 p = wv_add_scaled(center, face->n, middle);
    p = wv_add_scaled(p, face->u, slot.u);
    p = wv_add_scaled(p, face->v, slot.v);
    wv_store(&position[0].x[lane], p);
    w_store(&depth->x[lane], w_sub(face->half.x, slot.n));
    w_store(&feature->x[lane], slot.feature);
}

/* The origin of the reference box's axes. */
LODE__INLINE wvec3 center_of(const lode__pair_batch *batch, int lane, wmask by_b)
{
    wvec3 arm = wv_load(&batch->arm[0].x[lane]), offset = wv_load(&batch->offset[0].x[lane]);
    return wv_select(by_b, wv_add(arm, offset), arm);
}

/* Boxes that overlap along all axes touch, even where rounding or a forgiven axis leaves no corner
 * of the overlap: then the deepest corner of the incident face stands in. */
LODE__INLINE wslot deepest_corner(const wface *face)
{
    wmask up_1 = w_gt(face->e1.x, w_zero()), up_2 = w_gt(face->e2.x, w_zero());
    wreal one = w_splat(1);
    wvec3 p = wv_add_scaled(face->center, face->e1, w_select(up_1, w_neg(face->h1), face->h1));
    p = wv_add_scaled(p, face->e2, w_select(up_2, w_neg(face->h2), face->h2));
    wreal name = w_select(face->by_b, w_splat(BOX_CORNER_A), w_splat(BOX_CORNER_B));
    name = w_add(name, w_mul(face->other_bit.x, face->other_top));
    name = w_add(name, w_mul(face->other_bit.y, w_select(up_1, w_zero(), one)));
    name = w_add(name, w_mul(face->other_bit.z, w_select(up_2, w_zero(), one)));
    return (wslot){p.x, w_clamp(p.y, w_neg(face->half.y), face->half.y),
                   w_clamp(p.z, w_neg(face->half.z), face->half.z), name};
}

/* Writes the candidates that are left, in their order, for all lanes. */
LODE__INLINE void store_face(lode__pair_batch *batch, int lane, const wbox_axes *axes,
                             const wface *face, const wcandidates *c)
{
    wslot s0 = {w_zero(), w_zero(), w_zero(), w_zero()}, s1 = s0, s2 = s0, s3 = s0;
    wreal rank = w_zero(), one = w_splat(1), two = w_splat(2), three = w_splat(3);
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wreal valid = w_load(&c->valid[k][lane]);
        wmask on = w_gt(valid, w_zero());
        if (!m_any(on))
            continue;
        s0 = take_slot(s0, m_and(on, w_eq(rank, w_zero())), c, k, lane);
        s1 = take_slot(s1, m_and(on, w_eq(rank, one)), c, k, lane);
        s2 = take_slot(s2, m_and(on, w_eq(rank, two)), c, k, lane);
        s3 = take_slot(s3, m_and(on, w_eq(rank, three)), c, k, lane);
        rank = w_add(rank, valid);
    }
    wmask none = w_eq(rank, w_zero());
    if (m_any(none))
        s0 = select_slot(none, deepest_corner(face), s0);
    wvec3 center = center_of(batch, lane, face->by_b);
    lode__lanes(*position)[3] = batch->position, *depth = batch->depth, *feature = batch->feature;
    store_slot(position[0], &depth[0], &feature[0], lane, face, center, s0);
    store_slot(position[1], &depth[1], &feature[1], lane, face, center, s1);
    store_slot(position[2], &depth[2], &feature[2], lane, face, center, s2);
    store_slot(position[3], &depth[3], &feature[3], lane, face, center, s3);
    wv_store(&batch->normal[0].x[lane], wv_select(face->by_b, face->n, wv_neg(face->n)));
    wreal overlap = w_max(w_max(axes->face_a, axes->face_b), axes->edge);
    wmask bare = m_and(none, w_lt(overlap, w_zero()));
    w_store(&batch->count.x[lane], w_select(bare, one, rank));
}

LODE__INLINE void touch_faces(lode__pair_batch *batch, int lane, const wbox_axes *axes, wmask by_b,
                              wmask wanted, wreal speculative)
{
    wcandidates candidates;
    wface face = find_face(axes, by_b, speculative);
    clip_edges(&face, &candidates, lane);
    add_corners(&face, &candidates, lane);
    wmask many = w_gt(count_valid(&candidates, lane), w_splat(LODE__MANIFOLD_POINTS));
    if (m_any(m_and(many, wanted)))
        reduce(&candidates, lane, many, speculative);
    store_face(batch, lane, axes, &face, &candidates);
}

/* Overwrites lanes `on` with their one point. */
LODE__INLINE void store_edges(lode__pair_batch *batch, int lane, const wbox_axes *axes, wmask on)
{
    wvec3 offset = wv_load(&batch->offset[0].x[lane]), arm = wv_load(&batch->arm[0].x[lane]);
    wedge_touch touch = touch_edges(axes, offset);
    wvec3 position = wv_load(&batch->position[0][0].x[lane]);
    wvec3 normal = wv_load(&batch->normal[0].x[lane]);
    wv_store(&batch->position[0][0].x[lane], wv_select(on, wv_add(arm, touch.position), position));
    wv_store(&batch->normal[0].x[lane], wv_select(on, touch.normal, normal));
    wreal depth = w_load(&batch->depth[0].x[lane]), feature = w_load(&batch->feature[0].x[lane]);
    w_store(&batch->depth[0].x[lane], w_select(on, touch.depth, depth));
    w_store(&batch->feature[0].x[lane], w_select(on, touch.feature, feature));
    wreal count = w_load(&batch->count.x[lane]);
    w_store(&batch->count.x[lane], w_select(on, w_splat(1), count));
}

LODE__INLINE void find_way(lode__pair_batch *batch, int lane)
{
    wbox_axes axes = find_axes(batch, lane);
    wchoice choice = choose_axis(&axes, w_splat(batch->speculative));
    wreal way = w_select(choice.by_edge, w_splat(LODE__BOXES_BY_EDGES),
                         w_splat(LODE__BOXES_BY_FACE));
    w_store(&batch->count.x[lane], w_masked(choice.touch, way));
}

LODE__INLINE void touch_boxes(lode__pair_batch *batch, int lane)
{
    wreal speculative = w_splat(batch->speculative);
    wbox_axes axes = find_axes(batch, lane);
    wchoice choice = choose_axis(&axes, speculative);
    w_store(&batch->count.x[lane], w_zero());
    if (!m_any(choice.touch))
        return;
    wmask by_face = m_andnot(choice.touch, choice.by_edge);
    if (m_any(by_face))
        touch_faces(batch, lane, &axes, choice.by_b, by_face, speculative);
    wmask by_edge = m_and(choice.touch, choice.by_edge);
    if (m_any(by_edge))
        store_edges(batch, lane, &axes, by_edge);
    wreal count = w_load(&batch->count.x[lane]);
    w_store(&batch->count.x[lane], w_masked(choice.touch, count));
}

/* --- all points, before some are chosen */

LODE__INLINE void list_of_face(const lode__pair_batch *batch, int lane, const wbox_axes *axes,
                               const wface *face, const wcandidates *c, wmask on,
                               lode__box_points *out)
{
    wvec3 center = center_of(batch, lane, face->by_b);
    wmask none = w_eq(count_valid(c, lane), w_zero());
    wreal overlap = w_max(w_max(axes->face_a, axes->face_b), axes->edge);
    wreal bare = w_masked(m_and(none, w_lt(overlap, w_zero())), w_splat(1));
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wreal valid = w_load(&c->valid[k][lane]);
        wslot slot = {w_load(&c->n[k][lane]), w_load(&c->u[k][lane]), w_load(&c->v[k][lane]),
                      w_load(&c->feature[k][lane])};
        if (k == 0) {
            slot = select_slot(none, deepest_corner(face), slot);
            valid = w_select(none, bare, valid);
        }
        store_slot(out->position[k], &out->depth[k], &out->feature[k], lane, face, center, slot);
        w_store(&out->valid[k].x[lane], w_masked(on, valid));
    }
    wv_store(&out->normal[0].x[lane], wv_select(face->by_b, face->n, wv_neg(face->n)));
}

LODE__INLINE void list_of_edges(const lode__pair_batch *batch, int lane, const wbox_axes *axes,
                                wmask on, lode__box_points *out)
{
    wedge_touch touch = touch_edges(axes, wv_load(&batch->offset[0].x[lane]));
    wvec3 position = wv_add(wv_load(&batch->arm[0].x[lane]), touch.position);
    wvec3 other = wv_load(&out->position[0][0].x[lane]), n = wv_load(&out->normal[0].x[lane]);
    wv_store(&out->position[0][0].x[lane], wv_select(on, position, other));
    wv_store(&out->normal[0].x[lane], wv_select(on, touch.normal, n));
    w_store(&out->depth[0].x[lane], w_select(on, touch.depth, w_load(&out->depth[0].x[lane])));
    w_store(&out->feature[0].x[lane],
            w_select(on, touch.feature, w_load(&out->feature[0].x[lane])));
    w_store(&out->valid[0].x[lane], w_select(on, w_splat(1), w_load(&out->valid[0].x[lane])));
}

/* Those that touch_boxes() chooses from. */
LODE__INLINE void list_box_points(const lode__pair_batch *batch, int lane, lode__box_points *out)
{
    wreal speculative = w_splat(batch->speculative);
    wbox_axes axes = find_axes(batch, lane);
    wchoice choice = choose_axis(&axes, speculative);
    wcandidates candidates;
    wface face = find_face(&axes, choice.by_b, speculative);
    clip_edges(&face, &candidates, lane);
    add_corners(&face, &candidates, lane);
    list_of_face(batch, lane, &axes, &face, &candidates, m_andnot(choice.touch, choice.by_edge),
                 out);
    list_of_edges(batch, lane, &axes, m_and(choice.touch, choice.by_edge), out);
}

#endif

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

typedef struct wslots {
    wslot s0, s1, s2, s3;
} wslots;

/* Which lanes touch, and by what. */
typedef struct wchoice {
    wmask touch, by_edge, by_b;
} wchoice;

LODE__INLINE wreal forgive(wreal separation, lode_real share, wreal margin)
{
    return w_add(w_max(separation, w_mul(separation, w_splat(share))), margin);
}

LODE__INLINE wreal largest_separation(const wbox_axes *axes)
{
    return w_max(w_max(axes->face_a, axes->face_b), axes->edge);
}

LODE__INLINE wchoice choose_axis(const wbox_axes *axes, wreal speculative)
{
    wreal margin = w_mul(speculative, w_splat(BOX_AXIS_MARGIN));
    wmask by_b = w_gt(axes->face_b, forgive(axes->face_a, BOX_FACE_SHARE, margin));
    wreal face = w_select(by_b, axes->face_b, axes->face_a);
    return (wchoice){w_lt(largest_separation(axes), speculative),
                     w_gt(axes->edge, forgive(face, BOX_EDGE_SHARE, margin)), by_b};
}

/* The best axis: an edge's product is one if it is better by more than rounding, since a face has
 * more points. */
LODE__INLINE wchoice choose_least(const wbox_axes *axes, wreal speculative)
{
    wvec3 a = axes->a.half, b = axes->b.half;
    wreal size = w_add(w_add(w_add(wv_x(a), wv_y(a)), wv_z(a)),
                       w_add(w_add(wv_x(b), wv_y(b)), wv_z(b)));
    wreal rounding = w_mul(size, w_splat(BOX_ROUNDING));
    wmask by_b = w_gt(axes->face_b, w_add(axes->face_a, rounding));
    wreal face = w_select(by_b, axes->face_b, axes->face_a);
    return (wchoice){w_lt(largest_separation(axes), speculative),
                     w_gt(axes->edge, w_add(face, rounding)), by_b};
}

LODE__INLINE wslot load_slot(const wcandidates *c, int k)
{
    return (wslot){w_load(c->n[k]), w_load(c->u[k]), w_load(c->v[k]), w_load(c->feature[k])};
}

LODE__INLINE wslot select_slot(wmask m, wslot a, wslot b)
{
    return (wslot){w_select(m, a.n, b.n), w_select(m, a.u, b.u), w_select(m, a.v, b.v),
                   w_select(m, a.feature, b.feature)};
}

LODE__INLINE wpoint point_of_slot(const wface *face, wvec3 center, wslot slot)
{
    wreal middle = w_mul(w_add(slot.n, face->half), w_splat((lode_real)0.5));
    wvec3 p = wv_add_scaled(center, face->n, middle);
    p = wv_add_scaled(p, face->u, slot.u);
    p = wv_add_scaled(p, face->v, slot.v);
    return (wpoint){p, w_sub(face->half, slot.n), slot.feature};
}

/* The origin of the reference box's axes. */
LODE__INLINE wvec3 center_of(wvec3 offset, wmask by_b)
{
    return wv_select(by_b, offset, wv_zero());
}

/* Boxes that overlap along all axes touch, even where rounding or a forgiven axis leaves no corner
 * of the overlap: then the deepest corner of the incident face stands in. */
LODE__INLINE wslot deepest_corner(const wface *face)
{
    wmask up_1 = w_gt(wv_x(face->e1), w_zero()), up_2 = w_gt(wv_x(face->e2), w_zero());
    wreal one = w_splat(1);
    wvec3 p = wv_add_scaled(face->center, face->e1, w_select(up_1, w_neg(face->h1), face->h1));
    p = wv_add_scaled(p, face->e2, w_select(up_2, w_neg(face->h2), face->h2));
    wreal name = w_select(face->by_b, w_splat(BOX_CORNER_A), w_splat(BOX_CORNER_B));
    name = w_add(name, w_mul(wv_x(face->other_bit), face->other_top));
    name = w_add(name, w_mul(wv_y(face->other_bit), w_select(up_1, w_zero(), one)));
    name = w_add(name, w_mul(wv_z(face->other_bit), w_select(up_2, w_zero(), one)));
    return (wslot){wv_x(p), w_clamp(wv_y(p), w_neg(face->half_u), face->half_u),
                   w_clamp(wv_z(p), w_neg(face->half_v), face->half_v), name};
}

/* --- the candidates that are left, in their order */

#if defined(LODE_ONE_PAIR) || defined(LODE_VARIANT_PLAIN)

/* Of one pair, no more than `most`. */
LODE__INLINE wslots gather_slots(const wcandidates *c, int most)
{
    wslot slot[4] = {{w_zero(), w_zero(), w_zero(), w_zero()}};
    int count = 0;
    slot[1] = slot[2] = slot[3] = slot[0];
    for (int k = 0; k < BOX_CANDIDATES && count < most; ++k)
        if (c->valid[k][0] > 0)
            slot[count++] = load_slot(c, k);
    return (wslots){slot[0], slot[1], slot[2], slot[3]};
}

#else

/* Candidate k's lanes that are valid and the rank-th of their pair go to `slot`, which is empty
 * there. */
LODE__INLINE wslot take_slot(wslot slot, wmask take, wslot at)
{
    return (wslot){w_merge(take, at.n, slot.n), w_merge(take, at.u, slot.u),
                   w_merge(take, at.v, slot.v), w_merge(take, at.feature, slot.feature)};
}

/* Of all lanes; none has more than `most`, which is 1, 2 or 4. */
LODE__INLINE wslots gather_slots(const wcandidates *c, int most)
{
    const wslot empty = {w_zero(), w_zero(), w_zero(), w_zero()};
    wslots out = {empty, empty, empty, empty};
    wreal rank = w_zero(), one = w_splat(1), two = w_splat(2), three = w_splat(3);
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wreal valid = w_load(c->valid[k]);
        wmask on = w_gt(valid, w_zero());
        if (!m_any(on))
            continue;
        wslot at = load_slot(c, k);
        out.s0 = take_slot(out.s0, most > 1 ? m_and(on, w_eq(rank, w_zero())) : on, at);
        if (most > 1)
            out.s1 = take_slot(out.s1, m_and(on, w_eq(rank, one)), at);
        if (most > 2) {
            out.s2 = take_slot(out.s2, m_and(on, w_eq(rank, two)), at);
            out.s3 = take_slot(out.s3, m_and(on, w_eq(rank, three)), at);
        }
        rank = w_add(rank, valid);
    }
    return out;
}

#endif

/* A text for each number of points: most pairs have few. */
LODE__INLINE void show_slots(const wface *face, const wcandidates *c, wvec3 offset, wmask none,
                             int most, wtouch *out)
{
    wslots slots = gather_slots(c, most);
    wvec3 center = center_of(offset, face->by_b);
    if (m_any(none))
        slots.s0 = select_slot(none, deepest_corner(face), slots.s0);
    out->p0 = point_of_slot(face, center, slots.s0);
    if (most > 1)
        out->p1 = point_of_slot(face, center, slots.s1);
    if (most > 2) {
        out->p2 = point_of_slot(face, center, slots.s2);
        out->p3 = point_of_slot(face, center, slots.s3);
    }
}

/* The corners of the overlap, all of them. */
LODE__INLINE wface find_corners(const wbox_axes *axes, wmask by_b, wreal speculative,
                                wcandidates *out)
{
    wface face = find_face(axes, by_b, speculative);
    clip_edges(&face, out);
    add_corners(&face, out);
    return face;
}

LODE__INLINE wvec3 normal_of(const wface *face)
{
    return wv_select(face->by_b, face->n, wv_neg(face->n));
}

LODE__INLINE void touch_faces(const wpair *in, const wbox_axes *axes, wmask by_b, wmask wanted,
                              wtouch *out)
{
    wcandidates candidates;
    wface face = find_corners(axes, by_b, in->speculative, &candidates);
    wreal count = count_valid(&candidates), one = w_splat(1);
    wmask many = w_gt(count, w_splat(LODE__MANIFOLD_POINTS));
    if (m_any(m_and(many, wanted))) {
        reduce(&candidates, many, in->speculative);
        count = count_valid(&candidates);
    }
    count = w_masked(wanted, count);
    wmask none = w_eq(count, w_zero());
    if (m_any(w_gt(count, w_splat(2))))
        show_slots(&face, &candidates, in->offset, none, 4, out);
    else if (m_any(w_gt(count, one)))
        show_slots(&face, &candidates, in->offset, none, 2, out);
    else
        show_slots(&face, &candidates, in->offset, none, 1, out);
    wmask bare = m_and(none, w_lt(largest_separation(axes), w_zero()));
    out->normal = normal_of(&face);
    out->count = w_select(bare, one, count);
}

/* Overwrites lanes `on` with their one point. */
LODE__INLINE void put_edges(const wpair *in, const wbox_axes *axes, wmask on, wtouch *out)
{
    wedge_touch touch = touch_edges(axes, in->offset);
    wpoint point = {touch.position, touch.depth, touch.feature};
    out->p0 = wp_select(on, point, out->p0);
    out->normal = wv_select(on, touch.normal, out->normal);
    out->count = w_select(on, w_splat(1), out->count);
}

LODE__INLINE wtouch box_box(const wpair *in)
{
    const wpoint nowhere = {wv_zero(), w_zero(), w_zero()};
    wtouch out = {wv_zero(), w_zero(), nowhere, nowhere, nowhere, nowhere};
    wbox_axes axes = find_axes(in);
    wchoice choice = choose_axis(&axes, in->speculative);
    if (!m_any(choice.touch))
        return out;
    wmask by_face = m_andnot(choice.touch, choice.by_edge);
    if (m_any(by_face))
        touch_faces(in, &axes, choice.by_b, by_face, &out);
    wmask by_edge = m_and(choice.touch, choice.by_edge);
    if (m_any(by_edge))
        put_edges(in, &axes, by_edge, &out);
    out.count = w_masked(choice.touch, out.count);
    return out;
}

#ifndef LODE_ONE_PAIR

LODE__INLINE void find_way(lode__pair_batch *batch, int lane)
{
    wpair in = wp_load(batch, lane);
    wbox_axes axes = find_axes(&in);
    wchoice choice = choose_axis(&axes, in.speculative);
    wreal way = w_select(choice.by_edge, w_splat(LODE__BOXES_BY_EDGES),
                         w_splat(LODE__BOXES_BY_FACE));
    w_store(&batch->count.x[lane], w_masked(choice.touch, way));
}

/* --- all points, before some are chosen */

LODE__INLINE void store_listed(lode__box_points *out, int k, int lane, wvec3 arm, wpoint point,
                               wreal valid)
{
    wv_store(&out->position[k][0].x[lane], wv_add(point.position, arm));
    w_store(&out->depth[k].x[lane], point.depth);
    w_store(&out->feature[k].x[lane], point.feature);
    w_store(&out->valid[k].x[lane], valid);
}

/* Those that box_box() chooses from, or those of the least way out; `by_edge` has one. */
LODE__INLINE void list_box_points(const lode__pair_batch *batch, bool least, int lane,
                                  lode__box_points *out)
{
    wpair in = wp_load(batch, lane);
    wbox_axes axes = find_axes(&in);
    wchoice choice = least ? choose_least(&axes, in.speculative)
                           : choose_axis(&axes, in.speculative);
    wmask by_face = m_andnot(choice.touch, choice.by_edge);
    wmask by_edge = m_and(choice.touch, choice.by_edge);
    wcandidates candidates;
    wface face = find_corners(&axes, choice.by_b, in.speculative, &candidates);
    wedge_touch edge = touch_edges(&axes, in.offset);
    wpoint crossing = {edge.position, edge.depth, edge.feature};
    wvec3 center = center_of(in.offset, face.by_b), arm = wv_load(&batch->arm[0].x[lane]);
    wmask none = w_eq(count_valid(&candidates), w_zero());
    wmask bare = m_and(none, w_lt(largest_separation(&axes), w_zero()));
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wslot slot = load_slot(&candidates, k);
        wreal valid = w_load(candidates.valid[k]), one = w_splat(1);
        slot = k == 0 ? select_slot(none, deepest_corner(&face), slot) : slot;
        valid = w_masked(by_face, k == 0 ? w_select(bare, one, valid) : valid);
        wpoint point = point_of_slot(&face, center, slot);
        point = k == 0 ? wp_select(by_edge, crossing, point) : point;
        store_listed(out, k, lane, arm, point, k == 0 ? w_select(by_edge, one, valid) : valid);
    }
    wvec3 normal = wv_select(by_edge, edge.normal, normal_of(&face));
    wv_store(&out->normal[0].x[lane], normal);
}

#endif /* LODE_ONE_PAIR */

#endif

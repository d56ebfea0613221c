/* span_boxes.h: where eight lines run through a box; kernel text, see simd/wide.h. The same
 * operations, in the same order, as lode__span_box() of collide/span.c. */
#ifndef LODE_COLLIDE_SPAN_BOXES_H
#define LODE_COLLIDE_SPAN_BOXES_H

#include "collide/kernels.h"
#include "collide/query_type.h"
#include "simd/wide.h"

typedef struct line_lanes {
    lode__lanes origin[3], direction[3];
    lode__lanes enter, leave, enter_part, leave_part;
} line_lanes;

LODE__INLINE wvec3 load_vec3(const lode__lanes v[3], int lane)
{
    return (wvec3){w_load(v[0].x + lane), w_load(v[1].x + lane), w_load(v[2].x + lane)};
}

/* Which of the lines from `lane` on run through the box, a bit for each. */
LODE__INLINE unsigned span_box_lanes(const lode_real *size, wquat rotation, line_lanes *lines,
                                     int lane)
{
    const wreal infinite = w_splat((lode_real)__builtin_inf()), zero = w_zero();
    wvec3 o = wq_rotate_inv(rotation, load_vec3(lines->origin, lane));
    wvec3 d = wq_rotate_inv(rotation, load_vec3(lines->direction, lane));
    const wreal origin[3] = {o.x, o.y, o.z}, direction[3] = {d.x, d.y, d.z};
    wreal enter = w_neg(infinite), leave = infinite, enter_part = zero, leave_part = zero;
    wmask beside = w_lt(zero, zero);
    for (int i = 0; i < 3; ++i) {
        wreal half = w_splat(size[i]), part = w_splat((lode_real)i);
        wmask across = w_eq(direction[i], zero);
        wreal side = w_select(w_lt(direction[i], zero), w_neg(half), half);
        wreal in = w_div(w_sub(w_neg(side), origin[i]), direction[i]);
        wreal out = w_div(w_sub(side, origin[i]), direction[i]);
        wmask later = m_andnot(w_gt(in, enter), across);
        wmask sooner = m_andnot(w_lt(out, leave), across);
        beside = m_or(beside, m_andnot(across, w_le(w_abs(origin[i]), half)));
        enter = w_select(later, in, enter);
        enter_part = w_select(later, part, enter_part);
        leave = w_select(sooner, out, leave);
        leave_part = w_select(sooner, part, leave_part);
    }
    w_store(lines->enter.x + lane, enter);
    w_store(lines->leave.x + lane, leave);
    w_store(lines->enter_part.x + lane, enter_part);
    w_store(lines->leave_part.x + lane, leave_part);
    return m_bits(m_andnot(w_le(enter, leave), beside));
}

/* Lanes without a line repeat the first. */
LODE__INLINE unsigned span_boxes(const lode__shape_view *box, const lode__line_set *lines,
                                 lode__span out[LODE_LANES])
{
    line_lanes l;
    unsigned through = 0;
    const lode_quat q = box->rotation;
    const wquat rotation = {w_splat(q.w), w_splat(q.x), w_splat(q.y), w_splat(q.z)};
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        const lode__line *line =
            &lines->line[lines->lanes >> lane & 1 ? lane : __builtin_ctz(lines->lanes)];
        const lode_real o[3] = {line->origin.x, line->origin.y, line->origin.z};
        const lode_real d[3] = {line->direction.x, line->direction.y, line->direction.z};
        for (int i = 0; i < 3; ++i) {
            l.origin[i].x[lane] = o[i];
            l.direction[i].x[lane] = d[i];
        }
    }
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
        through |= span_box_lanes(box->size, rotation, &l, lane) << lane;
    through &= lines->lanes;
    for (unsigned left = through; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        out[lane] = (lode__span){l.enter.x[lane], l.leave.x[lane], (int32_t)l.enter_part.x[lane],
                                 (int32_t)l.leave_part.x[lane]};
    }
    return through;
}

#endif

/* parts.inl: the parts that joints are composed of. Each writes rows of a block, starting at row
 * `first`, for the lanes at `lane`. */

/* --- rows that always hold */

LODE__INLINE void row_free_of_bounds(lode__row *row, wlane lane, wreal error)
{
    lane_store(&row->error, lane, error);
    lane_store(&row->lo, lane, w_splat(-LODE__UNBOUNDED));
    lane_store(&row->hi, lane, w_splat(LODE__UNBOUNDED));
    lane_store(&row->target, lane, w_zero());
}

/* Three rows that hold two points together, one per world axis e:
 *     e . (v_a + w_a x r_a - v_b - w_b x r_b) = 0,   e . (w x r) = w . (r x e). */
LODE__INLINE void part_point(lode__row_block *block, int first, wlane lane, wvec3 r_a, wvec3 r_b,
                             wvec3 error)
{
    wreal zero = w_zero(), one = w_splat(1);
    wvec3 axes[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    wreal errors[3] = {error.x, error.y, error.z};
    for (int i = 0; i < 3; ++i) {
        lode__row *row = &block->rows[first + i];
        lane3_store(&row->lin, lane, axes[i]);
        lane3_store(&row->ang_a, lane, wv_cross(r_a, axes[i]));
        lane3_store(&row->ang_b, lane, wv_neg(wv_cross(r_b, axes[i])));
        row_free_of_bounds(row, lane, errors[i]);
    }
}

/* The point rows of the joint's anchors, with the error C = x_a + r_a - x_b - r_b. */
LODE__INLINE void part_anchors(lode__row_block *block, int first, wlane lane,
                               const lode__joint_lanes *j)
{
    wvec3 r_a = wq_rotate(lane4_load(&j->q_a, lane), lane3_load(&j->anchor_a, lane));
    wvec3 r_b = wq_rotate(lane4_load(&j->q_b, lane), lane3_load(&j->anchor_b, lane));
    wvec3 error = wv_add(lane3_load(&j->offset, lane), wv_sub(r_a, r_b));
    part_point(block, first, lane, r_a, r_b, error);
}

/* One row that keeps the bodies from turning against each other about `axis`. */
LODE__INLINE void part_angle(lode__row_block *block, int first, wlane lane, wvec3 axis, wreal error)
{
    lode__row *row = &block->rows[first];
    lane3_store(&row->lin, lane, wv_zero());
    lane3_store(&row->ang_a, lane, axis);
    lane3_store(&row->ang_b, lane, wv_neg(axis));
    row_free_of_bounds(row, lane, error);
}

/* --- angles
 *
 * A rotation q = (w, x, y, z) is a twist t = (w, x, 0, 0) / n about x, n^2 = w^2 + x^2, followed by
 * the swing s = q t* = (n, 0, w y - x z, w z + x y) / n. The twist is by 2 atan2(x, w), the swing
 * by 2 atan2(|(y, z)|, n): both are exact at any angle, where the usual cross product of the two
 * axes grows weak beyond a right angle and vanishes at two. Neither depends on the sign of q. */

/* Columns of a matrix given by its rows. */
LODE__INLINE wmat3 columns(wmat3 m)
{
    return (wmat3){{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

/* The angle of the twist, from -pi to pi. */
LODE__INLINE wreal twist_angle(wquat q)
{
    wreal half = w_atan2(w_flip(q.x, q.w), w_abs(q.w));
    return w_add(half, half);
}

/* The swing's rotation vector; its x is zero. Where the axes point against each other the twist is
 * undefined, and taken as none. */
LODE__INLINE wvec3 swing_vector(wquat q)
{
    wreal zero = w_zero(), one = w_splat(1), two = w_splat(2);
    wreal n = w_sqrt(w_add(w_mul(q.w, q.w), w_mul(q.x, q.x)));
    wreal m = w_sqrt(w_add(w_mul(q.y, q.y), w_mul(q.z, q.z)));
    wmask twists = w_gt(n, zero), swings = w_gt(m, zero);
    wreal inverse = w_div(one, w_select(twists, n, one));
    wreal w = w_select(twists, w_mul(q.w, inverse), one), x = w_mul(q.x, inverse);
    wreal half = w_div(w_atan2(m, n), w_select(swings, m, one));
    wreal scale = w_mul(two, w_select(swings, half, one));
    return (wvec3){zero, w_mul(scale, w_sub(w_mul(w, q.y), w_mul(x, q.z))),
                   w_mul(scale, w_add(w_mul(w, q.z), w_mul(x, q.y)))};
}

/* m ? a : b */
LODE__INLINE wmask either(wmask m, wmask a, wmask b)
{
    return m_or(m_and(m, a), m_andnot(b, m));
}

/* --- axes that a joint leaves free: motors and stops */

typedef struct free_axis {
    wvec3 lin, ang_a, ang_b; /* its Jacobian, with lin of body a */
    wreal position;          /* m, or rad from -pi to pi */
    wreal rate;              /* when the step began, m/s or rad/s */
    bool turns;
} free_axis;

LODE__INLINE free_axis axis_select(wmask m, free_axis a, free_axis b)
{
    return (free_axis){wv_select(m, a.lin, b.lin),     wv_select(m, a.ang_a, b.ang_a),
                       wv_select(m, a.ang_b, b.ang_b), w_select(m, a.position, b.position),
                       w_select(m, a.rate, b.rate),    false};
}

/* Of all angles that differ by whole turns, the one nearest to `last`. */
LODE__INLINE wreal unwrap(wreal angle, wreal last)
{
    wreal turn = w_splat((lode_real)6.283185307179586);
    wreal turns = w_div(w_sub(last, angle), turn);
    turns = w_floor(w_add(turns, w_splat((lode_real)0.5)));
    return w_add(angle, w_mul(turns, turn));
}

/* What a stop row writes besides its Jacobian. The error is the distance to the nearer stop. A stop
 * that is hard is felt before it is reached, and the axis arrives at it within the step and no
 * further (row_solve.inl calls it a gap). One that bounces or yields must be reached first, for
 * what it then does depends on how. Both stops in one place hold the axis there. */
typedef struct stop_row {
    wreal error, lo, hi, target;
    wmask keeps; /* its impulse for a warm start */
} stop_row;

LODE__INLINE stop_row stop_of(const lode__extra_lanes *extra, wlane lane, const free_axis *axis)
{
    wreal zero = w_zero(), most = w_splat(LODE__UNBOUNDED), least = w_neg(most);
    wreal lo_stop = lane_load(&extra->lo_stop, lane), hi_stop = lane_load(&extra->hi_stop, lane);
    wreal above_lo = w_sub(axis->position, lo_stop), above_hi = w_sub(axis->position, hi_stop);
    wmask lower = w_le(above_lo, w_neg(above_hi)), held = w_eq(lo_stop, hi_stop);
    wreal error = w_select(lower, above_lo, above_hi);
    wmask away = either(lower, w_gt(error, zero), w_lt(error, zero));
    wreal bounce = lane_load(&extra->bounce, lane);
    wmask late = m_or(w_gt(bounce, zero), w_gt(lane_load(&extra->soft, lane), zero));
    wmask off = m_andnot(m_and(away, late), held);

    /* an impact leaves with the share `bounce` of its speed; its error waits for the next step.
       What is in deeper than its speed can have brought it rests there, and trembles */
    wreal back = w_neg(w_mul(bounce, axis->rate));
    wmask leaves = either(lower, w_gt(back, zero), w_lt(back, zero));
    wreal reach = w_mul(w_abs(axis->rate), lane_load(&extra->recent, lane));
    leaves = m_and(leaves, w_le(w_abs(error), reach));
    wmask bounces = m_andnot(m_andnot(leaves, away), held);
    stop_row out;
    out.error = w_masked(m_not(m_or(off, bounces)), error);
    out.target = w_masked(bounces, back);
    out.keeps = m_not(bounces);
    out.lo = w_select(held, least, w_masked(m_not(m_or(off, lower)), least));
    out.hi = w_select(held, most, w_masked(m_andnot(lower, off), most));
    return out;
}

LODE__INLINE void part_extra(lode__row *row, wlane lane, const lode__extra_lanes *extra,
                             const free_axis *axis)
{
    lane3_store(&row->lin, lane, axis->lin);
    lane3_store(&row->ang_a, lane, axis->ang_a);
    lane3_store(&row->ang_b, lane, axis->ang_b);
    wmask is_stop = w_gt(lane_load(&extra->stop, lane), w_zero());
    stop_row stop = stop_of(extra, lane, axis);
    wreal force = lane_load(&extra->max_impulse, lane);
    wreal lo = w_select(is_stop, stop.lo, w_neg(force));
    wreal hi = w_select(is_stop, stop.hi, force);
    lane_store(&row->error, lane, w_masked(is_stop, stop.error));
    lane_store(&row->target, lane, w_select(is_stop, stop.target, lane_load(&extra->vel, lane)));
    lane_store(&row->lo, lane, lo);
    lane_store(&row->hi, lane, hi);
    /* what one stop gave is no start for the other, for none, or for an impact */
    wreal lambda = w_clamp(lane_load(&row->lambda, lane), lo, hi);
    wmask keeps = m_or(stop.keeps, m_not(is_stop));
    lane_store(&row->lambda, lane, w_masked(keeps, lambda));
}

/* The rows from `first` on that the joints have asked for on some of `count` free axes. */
LODE__INLINE void part_extras(lode__row_block *block, int first, int rows, wlane lane,
                              const lode__joint_lanes *joints, const free_axis *axes, int count)
{
    for (int i = first; i < rows; ++i) {
        const lode__extra_lanes *extra = &joints->extra[i - first];
        free_axis axis = axes[0];
        for (int k = 0; k < count; ++k) {
            free_axis one = axes[k];
            if (one.turns)
                one.position = unwrap(one.position, lane_load(&extra->last, lane));
            wmask this = w_eq(lane_load(&extra->axis, lane), w_splat((lode_real)k));
            axis = axis_select(this, one, axis);
        }
        part_extra(&block->rows[i], lane, extra, &axis);
    }
}

/* free_axes.inl: the axes that joints leave free, and the rows of their motors and stops. */

typedef struct free_axis {
    wvec3 lin, ang_a, ang_b; /* its Jacobian, with lin of body a */
    wreal position;          /* m, or rad from -pi to pi */
    bool turns;              /* whole turns are left out of the position, */
    bool adds_up;            /* or all that came before the step */
} free_axis;

/* How far a's anchor is from b's along an axis e of frame b, which turns with it:
 *     C = e . d,   C' = e . (v_a - v_b) + w_a . (r_a x e) - w_b . ((r_b + d) x e). */
LODE__INLINE free_axis axis_slide(const joint_frames *f, wvec3 axis)
{
    wvec3 ang_b = wv_neg(wv_cross(wv_add(f->r_b, f->apart), axis));
    return (free_axis){axis, wv_cross(f->r_a, axis), ang_b, wv_dot(axis, f->apart), false, false};
}

LODE__INLINE free_axis axis_turn(wvec3 axis, wreal position)
{
    return (free_axis){wv_zero(), axis, wv_neg(axis), position, true, false};
}

/* About x of both frames. */
LODE__INLINE free_axis axis_twist(const joint_frames *f)
{
    return axis_turn(f->b.x, twist_angle(f->q));
}

/* Bodies that turn against each other by w = u' u + v' v, and about what lies across both unit
 * vectors, have u' = w . first, v' = w . second. */
typedef struct dual_axes {
    wvec3 first, second;
} dual_axes;

LODE__INLINE dual_axes dual_axes_of(wvec3 u, wvec3 v)
{
    wvec3 across = wv_cross(u, v);
    wreal sine = wv_dot(u, v), square = wv_dot(across, across);
    wreal inverse = w_div(w_splat(1), w_max(square, w_splat((lode_real)1e-6)));
    return (dual_axes){wv_scale(wv_sub(u, wv_scale(v, sine)), inverse),
                       wv_scale(wv_sub(v, wv_scale(u, sine)), inverse)};
}

/* About x of frame a, and about y of frame b. Where load brings these axes off their right angle,
 * which a spring allows, a wheel that spins about the one must not be steered by that about the
 * other. */
LODE__INLINE free_axis axis_cross_a(const joint_frames *f)
{
    return axis_turn(dual_axes_of(f->a_x, f->b.y).first, cross_angles_of(f->q).a);
}

LODE__INLINE free_axis axis_cross_b(const joint_frames *f)
{
    return axis_turn(dual_axes_of(f->a_x, f->b.y).second, cross_angles_of(f->q).b);
}

/* From b's anchor to a's; where they are in one place, along x. */
LODE__INLINE free_axis axis_distance(const joint_frames *f)
{
    wreal distance = w_sqrt(wv_dot(f->apart, f->apart));
    wmask apart = w_gt(distance, w_zero());
    wreal inverse = w_div(w_splat(1), w_select(apart, distance, w_splat(1)));
    wvec3 axis = wv_select(apart, wv_scale(f->apart, inverse), f->b.x);
    return (free_axis){
        axis, wv_cross(f->r_a, axis), wv_neg(wv_cross(f->r_b, axis)), distance, false, false};
}

/* The turn of the line from b's anchor to a's about x of frame b: phi = atan2(d . z, d . y), which
 * changes by what d moves along e = x x d over |e|^2, as seen from b. */
LODE__INLINE free_axis axis_link(const joint_frames *f)
{
    wreal y = wv_dot(f->b.y, f->apart), z = wv_dot(f->b.z, f->apart);
    wreal square = w_max(w_add(w_mul(y, y), w_mul(z, z)), w_splat((lode_real)1e-12));
    wvec3 across = wv_sub(wv_scale(f->b.z, y), wv_scale(f->b.y, z));
    free_axis link = axis_slide(f, wv_scale(across, w_div(w_splat(1), square)));
    link.position = w_atan2(z, y);
    link.turns = true;
    return link;
}

/* Where the given axis `i` points in the world. */
typedef struct given_axis {
    wvec3 axis;
    wmask of_a, of_b; /* with which body it turns, if with one */
} given_axis;

LODE__INLINE given_axis given_axis_load(const lode__joint_lanes *j, const joint_frames *f, int i,
                                        wlane lane)
{
    wreal frame = lane_load(&j->frame[i], lane), half = w_splat((lode_real)0.5);
    wvec3 local = lane3_load(&j->direction[i], lane);
    given_axis out = {.of_a = w_lt(frame, w_neg(half)), .of_b = w_gt(frame, half)};
    wvec3 in_b = wv_select(out.of_b, wq_rotate(f->turn_b, local), local);
    out.axis = wv_select(out.of_a, wq_rotate(f->turn_a, local), in_b);
    return out;
}

/* How far a's anchor is from b's along a direction e, d = x_a + r_a - x_b - r_b. One that turns
 * with w goes the way of w x e, and (w x e) . d = w . (e x d): the arm of that body is the longer,
 *     C' = e . (v_a - v_b) + w_a . ((r_a - d) x e) - w_b . (r_b x e)   where a has it,
 *     C' = e . (v_a - v_b) + w_a . (r_a x e) - w_b . ((r_b + d) x e)   where b has it. */
LODE__INLINE free_axis axis_given_slide(const lode__joint_lanes *j, const joint_frames *f, int i,
                                        wlane lane)
{
    given_axis g = given_axis_load(j, f, i, lane);
    wvec3 arm_a = wv_select(g.of_a, wv_sub(f->r_a, f->apart), f->r_a);
    wvec3 arm_b = wv_select(g.of_b, wv_add(f->r_b, f->apart), f->r_b);
    return (free_axis){g.axis,
                       wv_cross(arm_a, g.axis),
                       wv_neg(wv_cross(arm_b, g.axis)),
                       wv_dot(g.axis, f->apart),
                       false,
                       false};
}

LODE__INLINE free_axis axis_given_turn(const lode__joint_lanes *j, const joint_frames *f, int i,
                                       wlane lane)
{
    wvec3 axis = given_axis_load(j, f, i, lane).axis;
    wreal turned = wv_dot(axis, lane3_load(&j->spun, lane));
    return (free_axis){wv_zero(), axis, wv_neg(axis), turned, false, true};
}

/* Three angles of which the matrix from a to b is made, m = m_z m_y m_x. With the axes x of a, z of
 * b and y across both the bodies turn by w = x' x + y' y + z' z against each other. So the rates
 * are what w has along the dual axes, which lie across the other two and grow as x comes near z,
 * where the angles are undefined. */
LODE__INLINE void axes_euler(const joint_frames *f, free_axis out[3])
{
    wmat3 m = wq_matrix(f->q);
    dual_axes dual = dual_axes_of(f->a_x, f->b.z);
    wvec3 y = wv_cross(f->b.z, f->a_x);
    wreal square = w_max(wv_dot(y, y), w_splat((lode_real)1e-6));
    wreal cosine = w_sqrt(w_add(w_mul(m.z.y, m.z.y), w_mul(m.z.z, m.z.z)));
    out[0] = axis_turn(dual.first, w_atan2(m.z.y, m.z.z));
    out[1] = axis_turn(wv_scale(y, w_div(w_splat(1), w_sqrt(square))),
                       w_atan2(w_neg(m.z.x), cosine));
    out[2] = axis_turn(dual.second, w_atan2(m.y.x, m.x.x));
}

LODE__INLINE free_axis axis_select(wmask m, free_axis a, free_axis b)
{
    return (free_axis){wv_select(m, a.lin, b.lin), wv_select(m, a.ang_a, b.ang_a),
                       wv_select(m, a.ang_b, b.ang_b), w_select(m, a.position, b.position), false,
                       false};
}

/* How fast its position changed when the step began, m/s or rad/s. */
LODE__INLINE wreal rate_of(const joint_frames *f, const free_axis *axis)
{
    wreal turn = w_add(wv_dot(axis->ang_a, f->spin_a), wv_dot(axis->ang_b, f->spin_b));
    return w_add(wv_dot(axis->lin, f->drift), turn);
}

/* Of all angles that differ by whole turns, the one nearest to `last`. */
LODE__INLINE wreal unwrap(wreal angle, wreal last)
{
    wreal turn = w_splat((lode_real)6.283185307179586);
    wreal turns = w_div(w_sub(last, angle), turn);
    turns = w_floor(w_add(turns, w_splat((lode_real)0.5)));
    return w_add(angle, w_mul(turns, turn));
}

/* m ? a : b */
LODE__INLINE wmask either(wmask m, wmask a, wmask b)
{
    return m_or(m_and(m, a), m_andnot(b, m));
}

/* What a stop row writes besides its Jacobian. The error is the distance to the nearer stop. A stop
 * that is hard is felt before it is reached, and the axis arrives at it within the step and no
 * further (row_solve.inl calls it a gap). One that bounces or yields must be reached first, for
 * what it then does depends on how. Both stops in one place hold the axis there. */
typedef struct stop_row {
    wreal error, lo, hi, target;
    wmask keeps; /* its impulse for a warm start */
} stop_row;

LODE__INLINE stop_row stop_of(const lode__extra_lanes *extra, wlane lane, wreal position,
                              wreal rate)
{
    wreal zero = w_zero(), most = w_splat(LODE__UNBOUNDED), least = w_neg(most);
    wreal lo_stop = lane_load(&extra->lo_stop, lane), hi_stop = lane_load(&extra->hi_stop, lane);
    wreal above_lo = w_sub(position, lo_stop), above_hi = w_sub(position, hi_stop);
    wmask lower = w_le(above_lo, w_neg(above_hi)), held = w_eq(lo_stop, hi_stop);
    wreal error = w_select(lower, above_lo, above_hi);
    wmask away = either(lower, w_gt(error, zero), w_lt(error, zero));
    wreal bounce = lane_load(&extra->bounce, lane);
    wmask late = m_or(w_gt(bounce, zero), w_gt(lane_load(&extra->soft, lane), zero));
    wmask off = m_andnot(m_and(away, late), held);

    /* an impact leaves with the share `bounce` of its speed; its error waits for the next step.
       What is in deeper than its speed can have brought it rests there, and trembles */
    wreal back = w_neg(w_mul(bounce, rate));
    wmask leaves = either(lower, w_gt(back, zero), w_lt(back, zero));
    wreal reach = w_mul(w_abs(rate), lane_load(&extra->recent, lane));
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

/* The speed that a motor wants: of a servo, by what is missing. */
LODE__INLINE wreal speed_of(const lode__extra_lanes *extra, wlane lane, wreal position)
{
    wreal vel = lane_load(&extra->vel, lane), servo = lane_load(&extra->servo, lane);
    wreal way = w_mul(servo, w_sub(lane_load(&extra->target, lane), position));
    return w_select(w_gt(servo, w_zero()), w_clamp(way, w_neg(vel), vel), vel);
}

/* The most impulse of a motor: away from a stop that it is at, a share. */
LODE__INLINE wreal motor_of(const lode__extra_lanes *extra, wlane lane, wreal position, wreal vel)
{
    wreal zero = w_zero(), force = lane_load(&extra->max_impulse, lane);
    wreal near = lane_load(&extra->near, lane);
    wreal above_lo = w_sub(position, lane_load(&extra->lo_stop, lane));
    wreal below_hi = w_sub(lane_load(&extra->hi_stop, lane), position);
    wmask from_lo = m_and(w_le(above_lo, near), w_gt(vel, zero));
    wmask from_hi = m_and(w_le(below_hi, near), w_lt(vel, zero));
    return w_select(m_or(from_lo, from_hi), w_mul(force, lane_load(&extra->fudge, lane)), force);
}

/* A motor or stop of an axis that stands there and went so fast when the step began. */
LODE__INLINE void row_of_extra(lode__row *row, wlane lane, const lode__extra_lanes *extra,
                               wreal position, wreal rate)
{
    wmask is_stop = w_gt(lane_load(&extra->stop, lane), w_zero());
    stop_row stop = stop_of(extra, lane, position, rate);
    wreal vel = speed_of(extra, lane, position);
    wreal force = motor_of(extra, lane, position, vel);
    wreal lo = w_select(is_stop, stop.lo, w_neg(force));
    wreal hi = w_select(is_stop, stop.hi, force);
    lane_store(&row->error, lane, w_masked(is_stop, stop.error));
    lane_store(&row->target, lane, w_select(is_stop, stop.target, vel));
    lane_store(&row->lo, lane, lo);
    lane_store(&row->hi, lane, hi);
    /* what one stop gave is no start for the other, for none, or for an impact */
    wreal lambda = w_clamp(lane_load(&row->lambda, lane), lo, hi);
    wmask keeps = m_or(stop.keeps, m_not(is_stop));
    lane_store(&row->lambda, lane, w_masked(keeps, lambda));
}

LODE__INLINE void part_extra(lode__row *row, wlane lane, const lode__extra_lanes *extra,
                             const joint_frames *f, const free_axis *axis)
{
    lane3_store(&row->lin, lane, axis->lin);
    lane3_store(&row->ang_a, lane, axis->ang_a);
    lane3_store(&row->ang_b, lane, axis->ang_b);
    row_of_extra(row, lane, extra, axis->position, rate_of(f, axis));
}

/* The rows after those that hold which the joints have asked for on some of `count` free axes. */
LODE__INLINE void part_extras(lode__row_block *block, int rows, wlane lane,
                              const lode__joint_lanes *joints, const joint_frames *f,
                              const free_axis *axes, int count)
{
    for (int i = block->unbounded; i < rows; ++i) {
        const lode__extra_lanes *extra = &joints->extra[i - block->unbounded];
        free_axis axis = axes[0];
        for (int k = 0; k < count; ++k) {
            free_axis one = axes[k];
            wreal last = lane_load(&extra->last, lane);
            if (one.turns)
                one.position = unwrap(one.position, last);
            if (one.adds_up)
                one.position = w_add(one.position, last);
            wmask this = w_eq(lane_load(&extra->axis, lane), w_splat((lode_real)k));
            axis = axis_select(this, one, axis);
        }
        part_extra(&block->rows[i], lane, extra, f, &axis);
    }
}

/* parts.inl: the parts that joints are composed of: rows that always hold. Each writes rows of a
 * block, starting at row `first`, for the lanes at `lane`. */

LODE__INLINE void row_free_of_bounds(lode__row *row, wlane lane, wreal error)
{
    lane_store(&row->error, lane, error);
    lane_store(&row->lo, lane, w_splat(-LODE__UNBOUNDED));
    lane_store(&row->hi, lane, w_splat(LODE__UNBOUNDED));
    lane_store(&row->target, lane, w_zero());
}

/* Says which rows are which: three slides, anchors held together, come first; fewer come after the
 * turns. */
LODE__INLINE void block_holds(lode__row_block *block, int slides, int turns)
{
    block->axes = slides == 3 ? 3 : 0;
    block->turning = block->axes + turns;
    block->unbounded = slides + turns;
}

/* Three rows that hold two points together, one per world axis e:
 *     e . (v_a + w_a x r_a - v_b - w_b x r_b) = 0,   e . (w x r) = w . (r x e). */
LODE__INLINE void part_point(lode__row_block *block, int first, wlane lane, wvec3 r_a, wvec3 r_b,
                             wvec3 error)
{
    wreal zero = w_zero(), one = w_splat(1);
    wvec3 axes[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    wreal errors[3] = {error.x, error.y, error.z};
    lane3_store(&block->arm_a, lane, r_a);
    lane3_store(&block->arm_b, lane, r_b);
    for (int i = 0; i < 3; ++i) {
        lode__row *row = &block->rows[first + i];
        lane3_store(&row->lin, lane, axes[i]);
        lane3_store(&row->ang_a, lane, wv_cross(r_a, axes[i]));
        lane3_store(&row->ang_b, lane, wv_neg(wv_cross(r_b, axes[i])));
        row_free_of_bounds(row, lane, errors[i]);
    }
}

/* The point rows of the joint's anchors, with the error C = x_a + r_a - x_b - r_b; for a type that
 * is not framed. */
LODE__INLINE void part_anchors(lode__row_block *block, int first, wlane lane,
                               const lode__joint_lanes *j)
{
    wvec3 r_a = wq_rotate(lane4_load(&j->q_a, lane), lane3_load(&j->anchor_a, lane));
    wvec3 r_b = wq_rotate(lane4_load(&j->q_b, lane), lane3_load(&j->anchor_b, lane));
    wvec3 error = wv_add(lane3_load(&j->offset, lane), wv_sub(r_a, r_b));
    part_point(block, first, lane, r_a, r_b, error);
}

/* The same for one that is. */
LODE__INLINE void part_together(lode__row_block *block, int first, wlane lane,
                                const joint_frames *f)
{
    part_point(block, first, lane, f->r_a, f->r_b, f->apart);
}

/* One row that keeps the anchors from parting along an axis of frame b. */
LODE__INLINE void part_slide(lode__row_block *block, int first, wlane lane, const joint_frames *f,
                             wvec3 axis)
{
    lode__row *row = &block->rows[first];
    free_axis slide = axis_slide(f, axis);
    lane3_store(&row->lin, lane, slide.lin);
    lane3_store(&row->ang_a, lane, slide.ang_a);
    lane3_store(&row->ang_b, lane, slide.ang_b);
    row_free_of_bounds(row, lane, slide.position);
}

/* One row that keeps the anchors at their distance. */
LODE__INLINE void part_distance(lode__row_block *block, int first, wlane lane,
                                const lode__joint_lanes *j, const joint_frames *f)
{
    lode__row *row = &block->rows[first];
    free_axis line = axis_distance(f);
    lane3_store(&row->lin, lane, line.lin);
    lane3_store(&row->ang_a, lane, line.ang_a);
    lane3_store(&row->ang_b, lane, line.ang_b);
    row_free_of_bounds(row, lane, w_sub(line.position, lane_load(&j->distance, lane)));
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

/* Two rows that keep the frames' x axes aligned. Load may bring them apart, and then a wheel of a
 * that spins about its own axis has a speed along these rows, which lie across that of b: what
 * spins faster turns about its own axis. Without that the spin would carry the axis around the
 * other. */
LODE__INLINE void part_aligned(lode__row_block *block, int first, wlane lane, const joint_frames *f)
{
    wvec3 swing = swing_vector(f->q), axes[2] = {f->b.y, f->b.z};
    const wreal errors[2] = {swing.y, swing.z};
    wreal of_a = wv_dot(f->spin_a, f->a_x), of_b = wv_dot(f->spin_b, f->b.x);
    wreal spin = w_masked(w_gt(w_abs(of_a), w_abs(of_b)), w_sub(of_a, of_b));
    for (int i = 0; i < 2; ++i) {
        part_angle(block, first + i, lane, axes[i], errors[i]);
        lane_store(&block->rows[first + i].target, lane, w_mul(spin, wv_dot(axes[i], f->a_x)));
    }
}

/* Three rows that keep the frames turned alike. */
LODE__INLINE void part_unturned(lode__row_block *block, int first, wlane lane,
                                const joint_frames *f)
{
    wvec3 turn = rotation_vector(f->q);
    part_angle(block, first, lane, f->b.x, turn.x);
    part_angle(block, first + 1, lane, f->b.y, turn.y);
    part_angle(block, first + 2, lane, f->b.z, turn.z);
}

/* One row that keeps x of a across y of b: C = x . y, C' = (w_a - w_b) . (x x y). */
LODE__INLINE void part_across(lode__row_block *block, int first, wlane lane, const joint_frames *f)
{
    part_angle(block, first, lane, wv_cross(f->a_x, f->b.y), cross_angles_of(f->q).cosine);
}

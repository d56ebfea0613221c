/* parts.inl: the parts that joints are composed of. Each writes rows of a block, starting at row
 * `first`, for the lanes at `lane`. */

LODE__INLINE void row_unbounded(lode__row *row, int lane)
{
    w_store(&row->lo.x[lane], w_splat(-LODE__UNBOUNDED));
    w_store(&row->hi.x[lane], w_splat(LODE__UNBOUNDED));
    w_store(&row->target.x[lane], w_zero());
}

/* Three rows that hold two points together, one per world axis e:
 *     e . (v_a + w_a x r_a - v_b - w_b x r_b) = 0,   e . (w x r) = w . (r x e). */
LODE__INLINE void part_point(lode__row_block *block, int first, int lane, wvec3 r_a, wvec3 r_b,
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
        w_store(&row->error.x[lane], errors[i]);
        row_unbounded(row, lane);
    }
}

/* Rotations of the two bodies, body axes to world axes. */
LODE__INLINE wquat joint_rotation_a(const lode__joint_lanes *j, int lane)
{
    return (wquat){w_load(&j->qa_w.x[lane]), w_load(&j->qa_x.x[lane]), w_load(&j->qa_y.x[lane]),
                   w_load(&j->qa_z.x[lane])};
}

LODE__INLINE wquat joint_rotation_b(const lode__joint_lanes *j, int lane)
{
    return (wquat){w_load(&j->qb_w.x[lane]), w_load(&j->qb_x.x[lane]), w_load(&j->qb_y.x[lane]),
                   w_load(&j->qb_z.x[lane])};
}

/* hinge.inl: the hinge lets two bodies turn about one common axis, the x axis of both frames: three
 * point rows hold the anchors together, two keep the axes aligned, and the turn about the axis has
 * a motor and stops. The hinge's position is the angle by which body a is turned about the axis as
 * seen from body b.
 *
 * Let q be the rotation of frame a as seen from frame b. It is taken apart as q = s t, first the
 * twist t about x, then the swing s about an axis across x (parts.inl). The angle is that of t;
 * what rows about b's y and z must take back is the rotation vector of s. */

static void build_hinge(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block->axes = 3;
    block->turning = block->unbounded = 5;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        part_anchors(block, 0, lane, joints);
        wquat a = wq_mul(lane4_load(&joints->q_a, lane), lane4_load(&joints->frame_a, lane));
        wquat b = wq_mul(lane4_load(&joints->q_b, lane), lane4_load(&joints->frame_b, lane));
        wquat q = wq_mul(wq_conj(b), a);
        wmat3 axes = columns(wq_matrix(b));
        wvec3 swing = swing_vector(q);
        part_angle(block, 3, lane, axes.y, swing.y);
        part_angle(block, 4, lane, axes.z, swing.z);
        wreal rate = wv_dot(axes.x, lane3_load(&joints->spin, lane));
        free_axis turn = {wv_zero(), axes.x, wv_neg(axes.x), twist_angle(q), rate, true};
        part_extras(block, 5, rows, lane, joints, &turn, 1);
    }
}

/* now.inl: where the bodies of eight joints have come to within a step. */

LODE__INLINE void rotation_now(lode__lane4 *q, const lode__lane *pushed, wline pose, wlane lane)
{
    wmask moves = w_gt(lane_load(pushed, lane), w_zero());
    wquat old = lane4_load(q, lane);
    lane4_store(q, lane,
                (wquat){w_select(moves, pose.r4, old.w), w_select(moves, pose.r5, old.x),
                        w_select(moves, pose.r6, old.y), w_select(moves, pose.r7, old.z)});
}

static void joints_now(lode__joint_lanes *joints, const lode__row_block *block,
                       const lode__dense *lines, const lode__softness *s)
{
    const lode_real *poses = &lines->pose->position.x;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        rotation_now(&joints->q_a, &joints->pushed_a, lines_load(poses, block->a, lane), lane);
        rotation_now(&joints->q_b, &joints->pushed_b, lines_load(poses, block->b, lane), lane);
        wvec3 a = motion_linear(load_deltas(lines, block->a, lane, s));
        wvec3 b = motion_linear(load_deltas(lines, block->b, lane, s));
        lane3_store(&joints->offset, lane, wv_add(lane3_load(&joints->start, lane), wv_sub(a, b)));
    }
}

/* ball.inl: the ball joint holds the anchors of two bodies together: three point rows. */

static void build_ball(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    (void)rows;
    block->unbounded = block->axes = block->turning = 3;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
        part_anchors(block, 0, lane, joints);
}

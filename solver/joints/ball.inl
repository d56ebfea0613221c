/* ball.inl: the ball joint holds the anchors of two bodies together: three point rows. */

static void build_ball(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    (void)rows;
    block_holds(block, 3, 0);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
        part_anchors(block, 0, lane, joints);
}

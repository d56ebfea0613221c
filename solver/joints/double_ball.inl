/* double_ball.inl: two ball joints on a rod without mass: the anchors stay at a distance. */

static void build_double_ball(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    (void)rows;
    block_holds(block, 1, 0);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_distance(block, 0, lane, joints, &f);
    }
}

/* fixed.inl: the fixed joint lets nothing move: three point rows, three that keep the frames turned
 * alike. */

static void build_fixed(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    (void)rows;
    block_holds(block, 3, 3);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_together(block, 0, lane, &f);
        part_unturned(block, 3, lane, &f);
    }
}

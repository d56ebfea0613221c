/* universal.inl: the universal joint holds the anchors together and the x axis of frame a across
 * the y axis of frame b; the bodies turn about either of them. */

static void build_universal(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 3, 1);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_together(block, 0, lane, &f);
        part_across(block, 3, lane, &f);
        free_axis axes[] = {axis_cross_a(&f), axis_cross_b(&f)};
        part_extras(block, rows, lane, joints, &f, axes, 2);
    }
}

/* slider.inl: body a slides along the x axis of frame b, and all else is held: three rows keep the
 * frames turned alike, two the anchors on one line. */

static void build_slider(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 2, 3);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_unturned(block, 0, lane, &f);
        part_slide(block, 3, lane, &f, f.b.y);
        part_slide(block, 4, lane, &f, f.b.z);
        free_axis axes[] = {axis_slide(&f, f.b.x)};
        part_extras(block, rows, lane, joints, &f, axes, 1);
    }
}

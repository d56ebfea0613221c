/* piston.inl: the piston lets body a slide along the x axis of frame b and turn about it. */

static void build_piston(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 2, 2);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_aligned(block, 0, lane, &f);
        part_slide(block, 2, lane, &f, f.b.y);
        part_slide(block, 3, lane, &f, f.b.z);
        free_axis axes[] = {axis_slide(&f, f.b.x), axis_twist(&f)};
        part_extras(block, rows, lane, joints, &f, axes, 2);
    }
}

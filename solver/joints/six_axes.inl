/* six_axes.inl: nothing is held of itself; each of three slides and three turns is free, has stops,
 * which hold it where they are in one place, or is driven. */

static void build_six_axes(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 0, 0);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        free_axis axes[6] = {axis_slide(&f, f.b.x), axis_slide(&f, f.b.y), axis_slide(&f, f.b.z)};
        axes_euler(&f, &axes[3]);
        part_extras(block, rows, lane, joints, &f, axes, 6);
    }
}

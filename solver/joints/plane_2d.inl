/* plane_2d.inl: body a stays in the plane of the y and z axes of frame b: it slides along both, and
 * turns about the x axis. */

static void build_plane_2d(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 1, 2);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_aligned(block, 0, lane, &f);
        part_slide(block, 2, lane, &f, f.b.x);
        free_axis axes[] = {axis_slide(&f, f.b.y), axis_slide(&f, f.b.z), axis_twist(&f)};
        part_extras(block, rows, lane, joints, &f, axes, 3);
    }
}

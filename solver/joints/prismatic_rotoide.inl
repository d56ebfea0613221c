/* prismatic_rotoide.inl: a hinge on a slide: body a slides along the y axis of frame b and turns
 * about the x axis. */

static void build_prismatic_rotoide(lode__row_block *block, const lode__joint_lanes *joints,
                                    int rows)
{
    block_holds(block, 2, 2);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_aligned(block, 0, lane, &f);
        part_slide(block, 2, lane, &f, f.b.x);
        part_slide(block, 3, lane, &f, f.b.z);
        free_axis axes[] = {axis_slide(&f, f.b.y), axis_twist(&f)};
        part_extras(block, rows, lane, joints, &f, axes, 2);
    }
}

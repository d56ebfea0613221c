/* prismatic_universal.inl: a universal joint on a slide: body a slides along the z axis of frame b,
 * and turns about its own x axis and the y axis of frame b, which are held across each other. */

static void build_prismatic_universal(lode__row_block *block, const lode__joint_lanes *joints,
                                      int rows)
{
    block_holds(block, 2, 1);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_across(block, 0, lane, &f);
        part_slide(block, 1, lane, &f, f.b.x);
        part_slide(block, 2, lane, &f, f.b.y);
        free_axis axes[] = {axis_slide(&f, f.b.z), axis_cross_a(&f), axis_cross_b(&f)};
        part_extras(block, rows, lane, joints, &f, axes, 3);
    }
}

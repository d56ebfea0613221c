/* double_hinge.inl: two parallel hinges on a link without mass, about the x axes of both frames:
 * the axes stay aligned, the anchors at their distance and in the plane across the axes. The link
 * turns about b's axis, and body a about its own. */

static void build_double_hinge(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 2, 2);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_aligned(block, 0, lane, &f);
        part_slide(block, 2, lane, &f, f.b.x);
        part_distance(block, 3, lane, joints, &f);
        free_axis axes[] = {axis_link(&f), axis_twist(&f)};
        part_extras(block, rows, lane, joints, &f, axes, 2);
    }
}

/* hinge.inl: the hinge lets two bodies turn about one common axis, the x axis of both frames: three
 * point rows hold the anchors together, two keep the axes aligned, and the turn about the axis has
 * a motor and stops. The hinge's position is the angle by which body a is turned about the axis as
 * seen from body b: the twist of the rotation between the frames (frames.inl); what the rows of
 * alignment take back is the rotation vector of its swing. */

static void build_hinge(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 3, 2);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_together(block, 0, lane, &f);
        part_aligned(block, 3, lane, &f);
        free_axis axes[] = {axis_twist(&f)};
        part_extras(block, rows, lane, joints, &f, axes, 1);
    }
}

/* linear_motor.inl: nothing is held of itself; slides along up to three directions, given in the
 * world or in a frame, have motors and stops. */

static void build_linear_motor(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 0, 0);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        free_axis axes[3];
        for (int i = 0; i < 3; ++i)
            axes[i] = axis_given_slide(joints, &f, i, lane);
        part_extras(block, rows, lane, joints, &f, axes, 3);
    }
}

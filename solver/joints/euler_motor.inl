/* euler_motor.inl: nothing is held of itself; the three angles by which frame a is turned have
 * motors and stops. */

static void build_euler_motor(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 0, 0);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        free_axis axes[3];
        axes_euler(&f, axes);
        part_extras(block, rows, lane, joints, &f, axes, 3);
    }
}
